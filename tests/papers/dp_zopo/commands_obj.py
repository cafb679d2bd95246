"""The objectives of methods in stages on the command line: calls with good arguments, which tests spoil one by one."""

from synthetic.objectives import stages as made

DRAWN = {"spectrum": "flat", "d": 12, "n": 6, "seed": 0}
CALLS = {
    constructor.__name__: (constructor, (), DRAWN | more)
    for constructor, more in (
        (made.linear_slopes, {"slopes": "two", "steep": 2.0}),
        (made.ball_quadratic, {"radius": 2.0, "spread": 0.5, "slopes": "two"}),
        (made.kinks, {"spread": 0.5}),
        (made.smooth_glm, {}),
        (made.sparse_quadratic, {"support": 3, "spread": 0.5}),
        (made.perceptron, {"d": 14, "hidden": 3}),
    )
}
