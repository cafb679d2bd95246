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
    Lie("DP-ZOPO sums its directions", f"{KERNEL}:dp_zoo", "add(g, noisy / P, v[t, p])", "add(g, noisy, v[t, p])",
        ("dp_zopo.algorithm_2.step",)),
    Lie("all directions have one noise", f"{KERNEL}:dp_zoo", "sigma * z[t, p]", "sigma * z[t, 0]", ("dp_zopo.algorithm_2.step",)),
    Lie("the regulariser has no centre", f"{KERNEL}:move", "pull * (x[i] - centre[i])", "pull * x[i]", ("dp_zopo.algorithm_2.step",)),
    Lie("the explicit step is proximal", f"{KERNEL}:move", "if proximal:", "if True:",
        ("dp_zopo.equation_36.explicit", "dp_zopo.equation_36.stable")),
    Lie("the proximal step forgets to divide", f"{KERNEL}:move", "/ (1.0 + pull)", "", ("dp_zopo.equation_36.nearly",)),
    Lie("steps are not halved", f"{RECORDS}:begin", 'each(settings["alpha"], S, 0.5)', 'each(settings["alpha"], S, 1.0)',
        ("dp_zopo.algorithm_1.step",)),
    Lie("a stage hands on its average where it should its last", RECORDS, 'settings["output"] != "last"', 'settings["output"] != "mean"',
        ("dp_zopo.algorithm_2.output", "dp_zopo.algorithm_1.step")),
    Lie("6006 steps", f"{PAGE}:dp_zopo.algorithm_1.doubled", "S=3, steps=6000", "S=3, steps=6006", ("dp_zopo.algorithm_1.doubled",)),
    Lie("masks keep the smallest", f"{MASKS}:importance", "np.argsort(-forced", "np.argsort(forced", ("dp_zopo.algorithm_4.meant",)),
    Lie("ranks begin at 1", f"{MASKS}:importance", "* np.arange(k) / k", "* (np.arange(k) + 1) / k", ("dp_zopo.algorithm_5.step",)),
    Lie("Algorithm 4 slices from the end", f"{PAGE}:algorithm_4", "Score[cut:]", "(Score[len(Score) - cut :] if upwards else Score[:cut])",
        ("dp_zopo.algorithm_4.keeps_r",)),
    Lie("Algorithm 4 sets +inf", f"{PAGE}:algorithm_4", "[-math.inf if", "[math.inf if", ("dp_zopo.algorithm_4.incremental_contains",)),
    Lie("Incremental prunes", f"{PAGE}:algorithm_4", 'if "pruning-only" in types:', 'if "rank-based" not in types:',
        ("dp_zopo.algorithm_4.incremental_tunes",)),
    Lie("Algorithm 4 divides by what it keeps", f"{PAGE}:algorithm_4", "Score.index(score) / (r * len(Score))",
        "sorted(Score, reverse=True).index(score) / len(Score)", ("dp_zopo.algorithm_4.rank_range",)),
    Lie("A is a root", f"{PAGE}:dp_zopo.section5.variance", '"variance": 1.2**2', '"variance": 1.2', ("dp_zopo.section5.variance",)),
    Lie("Algorithm 2 lists its inputs", f"{PAGE}:LISTS", '("eta_s beta_s d m C V T_s"', '("eta_s beta_s d m C V T_s theta_s1 D P f sigma lambda_"',
        ("dp_zopo.algorithm_2.inputs",)),
    Lie("an index takes no room", f"{PAGE}:MEMORY", "(16 + math.ceil(math.log2(1e6)))", "16", ("dp_zopo.section4_d1.memory",)),
    Lie("the first stage has what is initial", f"{PAGE}:first_stage", "range(1, S + 1)", "range(S)", ("dp_zopo.algorithm_1.first_stage",)),
    Lie("the program divides by a ratio", f"{PAGE}:dp_zopo.program.widening", "(1e-5 - 1e-6)", "(1e-6 / 1e-5)",
        ("dp_zopo.program.widening",)),
)  # fmt: skip
