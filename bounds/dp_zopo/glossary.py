"""The letters of DP-ZOPO; where one means two things in two papers, the one of this paper stands under a name that is free."""

from bounds.letter import Letter

LETTERS = (
    Letter(
        "growth_mu",
        r"\mu",
        "F - F^* is at least 2 mu times the squared distance from the minimiser: quadratic growth",
        1e-6,
        1e3,
        "problem",
    ),
    Letter("weak", r"\rho", "weak convexity: F + rho/2 ||.||^2 is convex", 0, 1e3, "problem"),
    Letter("sample_spread", r"\gamma", "root of the mean squared distance of a sample's gradient from the mean one", 0, 1e3, "problem"),
    Letter("minibatch", "m", "number of samples of a batch", 1, "n", "schedule"),
    Letter("directions", "P", "number of random directions of a step", 1, 1e5, "schedule"),
    Letter("stages", "S", "number of stages", 1, 60, "schedule"),
    Letter("anchor", r"\lambda", "the regulariser is ||theta - theta^{s-1}||^2 / (2 lambda)", 1e-6, 1e9, "schedule"),
    Letter("tuned", "r_s", "fraction of the parameters that are tuned in a stage", 1e-6, 1, "schedule"),
    Letter(
        "noise_ratio", r"\sigma", "noise multiplier: the noise on the clipped sum has the standard deviation sigma C", 1e-6, 1e6, "schedule"
    ),
    Letter("stage_step", r"\eta_s", "step size of a stage", 1e-15, 1e2, "schedule"),
    Letter("stage_T", "T_s", "number of steps of a stage", 1, 1e15, "schedule"),
    Letter("stage_lam", r"\beta_s", "smoothing radius of a stage", 1e-12, 1e2, "schedule"),
    Letter("target", r"\alpha", "accuracy that is asked for", 1e-9, 1e6, "problem"),
    Letter("stage_target", r"\alpha_s", "accuracy that is asked for after a stage", 1e-9, 1e6, "proof"),
    Letter("target_0", r"\alpha_0", "accuracy at the start, half of it is asked for after the first stage", 1e-9, 1e6, "problem"),
    # privacy: Lemmas 1 and 2, Theorems 1 and 3, the floor
    Letter("log_split", r"\log(P/\delta)", "log(P/delta)", 1e-3, 200, "abbreviation"),
    Letter("odds", r"e^{\varepsilon_0}", "largest ratio of probabilities of a pure private release", 1, 1e6, "proof"),
    Letter("split_ratio", r"\sigma_{\mathrm{split}}", "noise multiplier where each direction has its share of the budget", 1e-6, 1e6, "proof"),
    Letter("joint_ratio", r"\sigma_{\mathrm{joint}}", "noise multiplier where the directions of a step are one release", 1e-6, 1e6, "proof"),
    Letter("unit_sigma", r"\sigma_1", "standard deviation on the mean that T steps of one direction need", 1e-9, 1e6, "problem"),
    Letter("entry_sq", r"\Delta_p^2", "square of how far a neighbour moves one direction's mean, averaged over directions", 0, 1e6, "proof"),
    Letter("moved_sq", r"\|\Delta\|^2", "squared length of how far a neighbour moves the means of all directions of a step", 0, 1e12, "proof"),
    Letter("other_step", "a", "least entry of eta_s/alpha_s that knows no T: of sampling, clipping and smoothing", 1e-15, 1e6, "schedule"),
    Letter("other_T", "T'", "steps of all stages where the entry of the privacy noise is not the least", 1e-9, 1e18, "proof"),
    Letter("noise_step", "b", "T times the entry of the privacy noise in eta_s/alpha_s", 1e-15, 1e15, "proof"),
    Letter("target_needed", r"\alpha_{\mathrm{priv}}", "least alpha_S that parameters exist for", 1e-30, 1e18, "proof"),
)
