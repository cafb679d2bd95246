"""Planted faults in masks, scores and the kernel of DP-ZOPO, and in what is computed of a run with a mask."""

from tests.paper_checks.lies import Lie

PAGE, OURS = "paper_checks/dp_zopo/pruning.py", "dp_zopo.pruning."
LIES = (
    Lie("weights of ranks are not used", "synthetic/dp_zopo.py:weighted", 'drawn *= known["scales"]', "drawn *= 1.0",
        (OURS + "as_computed",)),
    Lie("all is tuned", f"{PAGE}:at_theorem", "rates=rates", "rates=1.0", (OURS + "accuracy", OURS + "accuracy_dynamic")),
    Lie("what is left is that of the coordinates that are tuned", f"{PAGE}:outside", "== 0", "> 0", (OURS + "ends", OURS + "restricted")),
    Lie("an incremental mask excludes the one before", "synthetic/masks.py:importance", "!= 0] = np.inf", "!= 0] = -np.inf",
        (OURS + "unions",)),
    Lie("weights of ranks reach the lower end", "synthetic/masks.py:importance", "np.arange(k) / k", "np.arange(k) / max(k - 1, 1)",
        (OURS + "ranked",)),
    Lie("the differences of Algorithm 3 are sums", "synthetic/scores.py:synflow_zeroth", "(ahead - behind)", "(ahead + behind)",
        (OURS + "many_directions",)),
    Lie("the slope of a smoothed kink is that of |x|", "synthetic/stage_objectives.py:smoothed_kinks", "h * (1.5 *", "h * (1.0 *",
        (OURS + "estimator",)),
    Lie("the floor of another dimension", f"{PAGE}:floors", "(4 - 2 * eta * (k + 2))", "(4 - 2 * eta * (d + 2))", (OURS + "floors",)),
    Lie("steps of a size that knows no mask", f"{PAGE}:speed", "0.5 / (k + 2), 8 * k", "0.5 / (d + 2), 8 * d", (OURS + "speed",)),
    Lie("a random mask keeps what a gain needs", f"{PAGE}:threshold", "-noise * k]", "-noise * k * k / d]", (OURS + "threshold",)),
    Lie("noise selects by chance", f"{PAGE}:chance", "theta * rng", "rng", (OURS + "chance",)),
    Lie("Algorithm 3 is handed the exact scores", f"{PAGE}:finds", "synflow_zeroth(x, space, rng.standard_normal((P, space.d)), 1e-3)",
        "synflow(x, space)", (OURS + "one_direction", OURS + "beyond_noise")),
)  # fmt: skip
