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
    Letter(
        "split_ratio", r"\sigma_{\mathrm{split}}", "noise multiplier where each direction has its share of the budget", 1e-6, 1e6, "proof"
    ),
    Letter(
        "joint_ratio", r"\sigma_{\mathrm{joint}}", "noise multiplier where the directions of a step are one release", 1e-6, 1e6, "proof"
    ),
    Letter("unit_sigma", r"\sigma_1", "standard deviation on the mean that T steps of one direction need", 1e-9, 1e6, "problem"),
    Letter(
        "each_move_sq", r"\Delta_p^2", "square of how far a neighbour moves one direction's mean, averaged over directions", 0, 1e6, "proof"
    ),
    Letter(
        "all_moves_sq", r"\|\Delta\|^2", "squared length of how far a neighbour moves the means of all directions of a step", 0, 1e12, "proof"
    ),
    Letter("other_step", "a", "least entry of eta_s/alpha_s that knows no T: of sampling, clipping and smoothing", 1e-15, 1e6, "schedule"),
    Letter("other_T", "T'", "steps of all stages where the entry of the privacy noise is not the least", 1e-9, 1e18, "proof"),
    Letter("noise_step", "b", "T times the entry of the privacy noise in eta_s/alpha_s", 1e-15, 1e15, "proof"),
    # Lemmas 3 and 4 and what holds in their place: g is the two-point quotient along v, a standard normal direction
    Letter("quotient_sq", r"\mathbb{E}g^2", "mean square of the two-point quotient", 0, 1e12, "proof"),
    Letter("quotient_rms", r"\sqrt{\mathbb{E}g^2}", "root of the mean square of the two-point quotient", 0, 1e6, "proof"),
    Letter("quotient_fourth", r"\mathbb{E}g^4", "mean fourth power of the two-point quotient", 0, 1e12, "proof"),
    Letter("quotient_along", r"\mathbb{E}[g\,v^{\top}\nabla g]", "mean of the quotient times its slope along v", -1e6, 1e6, "proof"),
    Letter("weighted_quotient", r"\mathbb{E}[g^2\|v\|^2]", "mean of g^2 times the squared length of v", 0, 1e15, "proof"),
    Letter("direction_sq", r"\mathbb{E}\|v\|^2", "mean squared length of a direction", 0, 1e12, "proof"),
    Letter("direction_length", r"\mathbb{E}\|v\|", "mean length of a direction", 0, 1e6, "proof"),
    Letter("clip_tail", r"\mathbb{P}(|g|\ge C)", "probability that the quotient reaches the clipping threshold", 0, 1, "probability"),
    Letter("quotient_bias", r"\|\mathbb{E}(g-\mathrm{clip}\,g)v\|", "bias that clipping gives the estimate of a sample", 0, 1e6, "proof"),
    Letter("bias_cap", "B_C", "most that clipping can bias the estimate of a sample", 0, 1e3, "abbreviation"),
    Letter("direction_cap", "V_C", "the smaller of two bounds on the second moment of a clipped estimate", 0, 1e15, "abbreviation"),
    Letter(
        "weighted_clipped",
        r"\mathbb{E}[\bar c^2\|v\|^2]",
        "mean of c^2 ||v||^2, c the mean of the clips of the worst batch",
        0,
        1e15,
        "proof",
    ),
    Letter("gradient_error", r"\mathbb{E}\|\nabla F_\beta-\nabla\hat f_\beta\|^2", "mean squared error of the estimate", 0, 1e15, "step"),
    Letter("noise_energy", r"\mathbb{E}\|\frac1P\sum\frac{z_p}mv_p\|^2", "mean squared length of the noise of a step", 0, 1e15, "proof"),
    Letter("given_batch", r"\mathbb{E}\operatorname{Var}[\cdot\mid\xi]", "mean squared deviation that directions cause", 0, 1e15, "proof"),
    Letter("over_batches", r"\operatorname{Var}\mathbb{E}[\cdot\mid\xi]", "mean squared deviation that the batch causes", 0, 1e12, "proof"),
    Letter("size_sq", r"\mathbb{E}|\xi|^2/m^2", "mean squared size of a batch, over m^2", 0, 1e3, "proof"),
    Letter(
        "clipped_spread", r"\frac1n\sum\|h_i-\bar h\|^2", "mean squared distance of mean clipped estimates from theirs", 0, 1e12, "proof"
    ),
    Letter("clipped_size", r"\frac1n\sum\|h_i\|^2", "mean squared length of the samples' mean clipped estimates", 0, 1e12, "proof"),
    Letter("most_bias", r"\max\|b_i\|", "largest bias of a sample", 0, 1e6, "proof"),
    Letter("mean_bias", r"\|\frac1n\sum b_i\|", "bias of the mean over all samples", 0, 1e6, "proof"),
    Letter("smooth_form", r"u^{\top}\nabla^2f_\beta u", "second slope of the smoothed loss along a unit vector", -1e15, 1e15, "proof"),
    Letter("normal_abs", r"\mathbb{E}|N|", "mean absolute value of a standard normal number", 0, 1e3, "proof"),
    Letter("normal_from", "x", "a point of integration of the normal law", 1e-2, 30, "proof"),
    Letter("smoothing_gap", r"|f_\beta-f|", "distance of the smoothed loss from the loss", 0, 1e6, "proof"),
    Letter("side_sq", r"\mathbb{E}|h-\mathbb{E}h|^2", "mean squared deviation of the loss at theta + beta v", 0, 1e12, "proof"),
    Letter("other_side_sq", r"\mathbb{E}|\mathbb{E}h-h^-|^2", "the same at theta - beta v", 0, 1e12, "proof"),
    Letter("side_cross", r"\mathbb{E}(h-\mathbb{E}h)(h^--\mathbb{E}h)", "mean product of the two deviations", -1e12, 1e12, "proof"),
    Letter("side_tail", r"\mathbb{P}(|h-\mathbb{E}h|\ge c)", "probability that one of them is large", 0, 1, "probability"),
    Letter("clipping_sq", r"\mathbb{E}\|(g-\mathrm{clip}\,g)v\|^2", "mean square of what clipping takes from a sample", 0, 1e15, "proof"),
)
