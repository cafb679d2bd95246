"""Planted faults in the accounting for Lipschitz losses under public random directions."""

from tests.paper_checks.lies import Lie

SHIFTS, NOISE, PAGE = "bounds/random_shifts.py", "bounds/dpzero/sharp_noise.py", "bounds/dpzero/random_directions.py"
CURVE, PAIR, PLAN = (f"dpzero.random_directions.{name}" for name in ("curve", "linear_pair", "plan"))

LIES = (
    Lie("a degree of freedom too few", SHIFTS, "gammaincc(self.T / 2, half)", "gammaincc((self.T - 0.9) / 2, half)", (CURVE,)),
    Lie("one release too few before tau", SHIFTS, "(self.T - 1) // 2, self.T // 2 - 0.5", "(self.T - 2) // 2, self.T // 2 - 0.5", (CURVE,)),
    Lie("tangents at twice the slope", SHIFTS, "turn = np.abs(slope * width / 2)", "turn = np.abs(slope * width * 2)", (CURVE,)),
    Lie(
        "half of the shift in the noise",
        SHIFTS,
        "(float(epsilon), in_full(scale / sigma)",
        "(float(epsilon), in_full(scale / sigma / 2)",
        (PAIR,),
    ),
    Lie("sensitivity L/n for Lipschitz losses", NOISE, "in_full(2 * L / n *", "in_full(L / n *", (PLAN,)),
    Lie("the clip said to guarantee half its epsilon", NOISE, "return epsilon_uniform(", "return 0.5 * epsilon_uniform(", (PLAN,)),
    Lie("two losses as Lipschitz as one", PAGE, "L: 2 * L, C: 2 * C", "L: 2 * L, C: C", ("dpzero.random_directions.chain",)),
)
