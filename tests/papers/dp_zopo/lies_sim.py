"""Planted faults in the kernel of DP-ZOPO, its schedules and masks, and in what is read off the printed lines."""

from tests.paper_checks.lies import Lie

KERNEL, RECORDS, MASKS = "synthetic/kernels/dp_zopo.py", "synthetic/dp_zopo.py", "synthetic/masks.py"
PAGE = "paper_checks/dp_zopo/algorithms.py"

LIES = (
    Lie("DP-ZOPO does not clip", f"{KERNEL}:dp_zoo", "smoothing, C, 1.0, row[:there])", "smoothing, 1e300, 1.0, row[:there])",
        ("dp_zopo.algorithm_2.added",)),
    Lie("DP-ZOPO divides by the realised size", f"{KERNEL}:dp_zoo", "slope * (there / nominal)", "slope", ("dp_zopo.algorithm_2.added",)),
    Lie("DP-ZOPO's noise knows the data", f"{KERNEL}:dp_zoo", "noisy = sigma * z[t, p]", "noisy = sigma * z[t, p] * there",
        ("dp_zopo.algorithm_2.added",)),
    Lie("all directions have one noise", f"{KERNEL}:dp_zoo", "sigma * z[t, p]", "sigma * z[t, 0]", ("dp_zopo.algorithm_2.step",)),
    Lie("the explicit step is proximal", f"{KERNEL}:move", "if proximal:", "if True:",
        ("dp_zopo.equation_36.explicit", "dp_zopo.equation_36.stable")),
    Lie("the proximal step forgets to divide", f"{KERNEL}:move", "/ (1.0 + pull)", "", ("dp_zopo.equation_36.nearly",)),
    Lie("steps are not halved", f"{RECORDS}:begin", 'each(settings["alpha"], S, 0.5)', 'each(settings["alpha"], S, 1.0)',
        ("dp_zopo.algorithm_1.step",)),
    Lie("no stage hands on its average", RECORDS, 'settings["output"] != "last"', 'settings["output"] == "mean"',
        ("dp_zopo.algorithm_2.output",)),
    Lie("masks keep the smallest", f"{MASKS}:importance", "np.argsort(-forced", "np.argsort(forced", ("dp_zopo.algorithm_4.meant",)),
    Lie("ranks begin at 1", f"{MASKS}:importance", "* np.arange(k) / k", "* (np.arange(k) + 1) / k", ("dp_zopo.algorithm_5.step",)),
    Lie("Algorithm 4 slices from the end", f"{PAGE}:algorithm_4", "Score[cut:]", "(Score[len(Score) - cut :] if upwards else Score[:cut])",
        ("dp_zopo.algorithm_4.keeps_r",)),
    Lie("Algorithm 4 divides by what it keeps", f"{PAGE}:algorithm_4", "Score.index(score) / (r * len(Score))",
        "sorted(Score, reverse=True).index(score) / len(Score)", ("dp_zopo.algorithm_4.rank_range",)),
    *(
        Lie(f"half of the noise of DP-ZOPO is added, {name}", f"{KERNEL}:dp_zoo", "noisy = sigma * z[t, p]", "noisy = sigma / 2 * z[t, p]",
            (f"dp_zopo.audit.{name}",))
        for name in ("dp_zoo", "dp_zoso", "dp_zopo", "dp_zopo_directions", "poisson_batches")
    ),
    Lie("directions of a step have one noise", f"{KERNEL}:dp_zoo", "noisy = sigma * z[t, p]", "noisy = sigma * z[t, 0]",
        ("dp_zopo.audit.several_directions",)),
    Lie("several directions are accounted as one", "paper_checks/examine/audit.py:least_noise", "T * P", "T",
        ("dp_zopo.audit.several_directions",)),
    Lie("directions of a secret batch are accounted as one", "paper_checks/examine/audit.py:least_noise",
        "math.sqrt(P) * C", "C", ("dp_zopo.audit.fixed_batches_directions",)),
    Lie("the first record is in every batch", "synthetic/simulate.py:batches_of", "rng.choice(n, ", "rng.choice(max(size, n - 1), ",
        ("dp_zopo.audit.fixed_batches",)),
    Lie("batches of fixed size have the noise of Poisson's", "bounds/accounting.py:sigma",
        "sensitivity=moved, neighbours=neighbours, sampling=sampling)", "sensitivity=moved, neighbours=neighbours, sampling='poisson')",
        ("dp_zopo.audit.fixed_batches",)),
)  # fmt: skip
