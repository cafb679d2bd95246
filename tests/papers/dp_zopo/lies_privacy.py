"""Planted faults in the privacy of DP-ZOPO: its statements, the floor, and what examines them."""

from tests.paper_checks.lies import Lie

P, PAGE, LEDGER = "dp_zopo.", "bounds/dp_zopo/theorem1.py", "paper_checks/dp_zopo/theorems_1_and_3.py"
TRANSCRIBED = (P + "theorem1.as_printed",)


def examiner(name: str, function: str, old: str, new: str, claim: str) -> Lie:
    """A fault in a function of the ledger."""
    return Lie(f"zopo: {name}", f"{LEDGER}:{function}", old, new, (P + claim,))


LIES = (
    Lie("zopo: (13) without P", PAGE, "SPLIT = c_2 * P * m", "SPLIT = c_2 * m", TRANSCRIBED),
    Lie("zopo: delta is not amplified", PAGE, '"<=", q * delta', '"<=", delta', TRANSCRIBED),
    Lie("zopo: P directions count as P^3", PAGE, "sqrt(P * T * logs)", "sqrt(P**3 * T * logs)", (P + "theorem1.chain",)),
    Lie("zopo: a floor of 7", "bounds/dp_zopo/floor.py", "mu * 49", "mu * 7", (P + "floor.experiments", P + "floor.chain")),
    Lie(
        "zopo: (16) is printed without T", "paper_checks/dp_zopo/printed.py:entries", "C**2 * P * T * logs", "C**2 * P * logs",
        (P + "floor.complexity",),
    ),
    examiner("a step is moved by C", "attacked", "moves / ratio", "1 / ratio", "lemma2.same_guarantee"),
    examiner("amplified by tau^2", "amplified", "1 + tau * math", "1 + tau**2 * math", "lemma2.poisson"),
    examiner("drawn with replacement", "sampled", "hypergeom.pmf(a, size, ones, m)", "binom.pmf(a, m, ones / size)", "lemma2.fixed_size"),
    examiner(
        "a batch for every answer", "shared", "(q * said**releases + (1 - q) * (1 - said) ** releases)",
        "(q * said + (1 - q) * (1 - said)) ** releases", "theorem1.split",
    ),
    examiner("a mask of a record", "masks", "np.abs(theta)", "np.abs(slopes[0])", "theorem3.masks"),
    examiner("noise for one step", "fixed_point", "5000, b / T", "5000, b", "floor.every_alpha"),
    examiner("no record is replaced", "private_sgd", "(*range(n - 1), n)", "range(n)", "definition2.private"),
)  # fmt: skip
