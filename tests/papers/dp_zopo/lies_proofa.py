"""Planted faults in Lemmas 3 and 4 of DP-ZOPO, in what holds instead, and in what examines them."""

from tests.paper_checks.lies import Lie

P, HELD, LEMMAS, LEDGER = "dp_zopo.", "bounds/dp_zopo/corrected.py", "bounds/dp_zopo/lemma4.py", "paper_checks/dp_zopo/lemma4.py"
BIAS, ERROR, POISSON = (P + f"corrected_{name}" for name in ("clip_bias", "gradient_error", "poisson_error"))
LIES = (
    Lie("zopo: a bias of one tail", HELD, "TAIL = sp.erfc(C / (sp.sqrt(2) * L))", "TAIL = sp.erfc(C / (sp.sqrt(2) * L)) / 2",
        (P + "corrected_moments.attacked",)),
    Lie("zopo: d for d + 2 sqrt(d)", HELD, "WEIGHTED = L**2 * (d + 2 * sp.sqrt(d))", "WEIGHTED = L**2 * d",
        (P + "corrected_moments.attacked", P + "corrected_moments.chain")),
    Lie("zopo: no bias in the error", f"{HELD}:GRADIENT_ERROR", "/ m + B_C**2,", "/ m,", (ERROR + ".chain",)),
    Lie("zopo: the variance over m as well", f"{HELD}:GRADIENT_ERROR", "d / P * (C**2", "d / (P * m) * (C**2", (ERROR + ".chain",)),
    Lie("zopo: a Poisson batch has m samples", f"{HELD}:poisson_proof", "_error_proof(POISSON_ERROR, SIZE,",
        "_error_proof(POISSON_ERROR, sp.Integer(1),", (POISSON + ".chain",)),
    Lie("zopo: R3 without pi", f"{HELD}:smoothness_proof", '"=", sp.sqrt(2 / sp.pi))', '"=", sp.Integer(1))',
        (P + "corrected_smoothness.chain",)),
    Lie("zopo: (26) is printed with L^2", "paper_checks/dp_zopo/printed.py", "EQUATION_27, EQUATION_31 = 4 * L**4,",
        "EQUATION_27, EQUATION_31 = 4 * L**2,", (P + "equation_26.printed_26",)),
    Lie("zopo: 8 for 64 in Lemma 4", LEMMAS, "64 * d * beta**2", "8 * d * beta**2", (P + "lemma4.as_printed",)),
    Lie("zopo: the sum over m^1.5", f"{LEDGER}:errors", "(clips * chosen[:, None, :]).sum(axis=2) / m",
        "(clips * chosen[:, None, :]).sum(axis=2) / m**1.5", (P + "lemma4.drawn_alike",)),
    Lie("zopo: nothing clips", f"{LEDGER}:errors", "(2 * beta), -C, C)", "(2 * beta), -9 * C, 9 * C)", (P + "lemma4.drawn_floor",)),
    Lie("zopo: all slopes agree", f"{LEDGER}:drawn", "% 2 == 1), -1, 1)", "% 2 == 1), 1, 1)", (P + "lemma4.drawn_opposite",)),
    Lie("zopo: (24) with half its exponent", f"{LEDGER}:QUANTITIES", "(2 * math.exp(-(C**2) / 2)),", "(2 * math.exp(-2 * C**2)),",
        (P + "equation_24.holds",)),
)  # fmt: skip
