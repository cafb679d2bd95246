"""The objectives of methods in stages: their defaults, and calls that fit no memory."""

from synthetic.objectives import stages as made

DEFAULTS = {  # function: what it does where an argument is left out
    "objectives.stages.linear_slopes": {"steep": 1.0},
    "objectives.stages.ball_quadratic": {"radius": 1.0, "spread": 0.0, "slopes": "opposite"},
    **{f"objectives.stages.{name}": {"spread": 0.0} for name in ("kinks", "sparse_quadratic", "drifting_quadratics")},
}
HUGE = 10**12
TOO_LARGE = {
    "samples with slopes": lambda: made.linear_slopes("flat", 10, HUGE, 0, slopes="two"),
    "d of a ball": lambda: made.ball_quadratic("flat", HUGE, 10, 0),
    "samples with kinks": lambda: made.kinks("flat", 10**6, 10**6, 0),
    "samples of a GLM": lambda: made.smooth_glm("flat", 10**6, 10**6, 0),
    "samples around a truth": lambda: made.sparse_quadratic("flat", 10, HUGE, 0, support=1),
    "hidden units of a perceptron": lambda: made.perceptron("flat", 4 * HUGE + 2, 1, 0, hidden=HUGE),
}
