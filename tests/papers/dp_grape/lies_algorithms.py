"""Planted faults in the kernels of DP-GRAPE, their draws, and in what is read off the printed lines."""

from tests.paper_checks.lies import Lie

KERNELS, RECORDS, PAGE = "synthetic/kernels/dp_grape.py", "synthetic/dp_grape.py", "paper_checks/dp_grape/algorithms.py"
CLIP = "                scale = C / norm"
NOISE = "mean[j] = mean[j] / nominal + sigma * z[j % z.shape[0]]"

LIES = (
    Lie("DP-GRAPE does not clip", f"{KERNELS}:private_mean", CLIP, "                scale = 1.0", ("dp_grape.algorithm_1.sensitivity",)),
    Lie("DP-GRAPE clips to the square", f"{KERNELS}:private_mean", "C / norm", "C / norm**2", ("dp_grape.algorithm_6.sensitivity",)),
    Lie(
        "DP-GRAPE clips before projecting",
        f"{KERNELS}:private_mean",
        "norm = np.sqrt(sum_of_squares(R))",
        "norm = np.sqrt(sum_of_squares(g))",
        ("dp_grape.algorithm_1.sensitivity",),
    ),
    Lie(
        "the clip of DP-GRAPE leaves the last layer out",
        f"{KERNELS}:private_mean",
        "sum_of_squares(R)",
        "sum_of_squares(R[: layout[-1, TO]])",
        ("dp_grape.algorithm_1.sensitivity",),
    ),
    Lie("DP-GRAPE's noise is divided by the batch", f"{KERNELS}:private_mean", NOISE,
        "mean[j] = (mean[j] + sigma * z[j % z.shape[0]]) / nominal", ("dp_grape.algorithm_1.step",)),
    Lie("DP-GRAPE's noise knows the data", f"{KERNELS}:private_mean", "sigma * z", "sigma * (1 + count) * z",
        ("dp_grape.algorithm_1.sensitivity",)),
    Lie("a sum is divided by the realised size", f"{KERNELS}:private_mean", "mean[j] / nominal", "mean[j] / max(there, 1)",
        ("dp_grape.algorithm_1.nominal",)),
    Lie("Adam's correction counts from 0", KERNELS, "adam(M, V, mean, beta1, beta2, phi, alpha, t0 + t + 1)",
        "adam(M, V, mean, beta1, beta2, phi, alpha, t0 + t + 2)", ("dp_grape.algorithm_3.step",)),
    Lie("phi stands under the root", f"{KERNELS}:adam", "np.sqrt(V[j]) + phi", "np.sqrt(V[j] + phi)", ("dp_grape.algorithm_1.step",)),
    Lie("the correction of the second moment has no root", f"{KERNELS}:adam", "alpha * np.sqrt(1 - beta2**t)", "alpha * (1 - beta2**t)",
        ("dp_grape.algorithm_3.step",)),
    Lie("a subspace stays one step too long", f"{KERNELS}:is_new", "(t + codes[2]) % F == 0", "(t + codes[2]) % (F + 1) == 0",
        ("dp_grape.algorithm_5.step",)),
    Lie("the subspace of GaLore is that of the smallest singular values", f"{KERNELS}:leading_vectors", "U, _, _ = np.linalg.svd(A, False)",
        "U = np.linalg.svd(A, False)[0][:, ::-1]", ("dp_grape.algorithm_4.step",)),
    Lie("entries of P have variance 1", RECORDS, "drawn /= np.sqrt(r)", "drawn /= 1.0", ("dp_grape.algorithm_1.step",)),
    Lie("entries of P have variance 1/r^2", RECORDS, "drawn /= np.sqrt(r)", "drawn /= r", ("dp_grape.algorithm_6.step",)),
    Lie("P changes from step to step", f"{KERNELS}:dp_grape", "P_t = P[(now + codes[2]) // F - (t0 + codes[2]) // F]",
        "P_t = P[t % P.shape[0]]", ("dp_grape.algorithm_1.step",)),
    Lie("a shared z is not shared", f"{RECORDS}:noise_of_blocks", 'if known["noise"] == "fresh" else 1', "if True else 1",
        ("dp_grape.algorithm_6.shared_noise",)),
    Lie("a fresh z is shared", f"{RECORDS}:noise_of_blocks", 'if known["noise"] == "fresh" else 1', "if False else 1",
        ("dp_grape.algorithm_6.fresh_noise",)),
    Lie("Algorithm 6 draws long vectors as printed", f"{PAGE}:dp_grape.algorithm_6.dimensions", "3 * 2}", "3 * 4 * 2}",
        ("dp_grape.algorithm_6.dimensions",)),
    Lie("sigma squared is called the variance", f"{PAGE}:as_variance", "mp.mpf(printed)", "1e6 * mp.mpf(printed)",
        ("dp_grape.algorithm_6.sigma_as_variance",)),
    Lie("Algorithm 1 has a first seed", f"{PAGE}:INPUTS", '"1": "X W^0 eta', '"1": "X W^0 W^1 s^0 eta',
        ("dp_grape.algorithm_1.defined",)),
    Lie("the readings lack phi", f"{PAGE}:OURS", "C sigma phi", "C sigma", ("dp_grape.algorithm_3.defined_as_read",)),
    Lie("moments are kept whatever is asked for", f"{RECORDS}:codes", 'MOMENTS.index(settings["moments"])', "0",
        ("dp_grape.algorithm_2.one_meaning",)),
    Lie("layers that are not projected are clipped alone", f"{PAGE}:left_out", "[*clip(one[:2], C), one[2]]", "clip(one, C)",
        ("dp_grape.algorithm_1.unclipped_layers",)),
    Lie("Algorithm 5 takes the subspaces of the first sample", f"{PAGE}:walked", "leading, released[:2]",
        "leading, blocks(CURVATURE * (x - o.data[0]))[:2]", ("dp_grape.section3.svd_of_samples",)),
)  # fmt: skip
