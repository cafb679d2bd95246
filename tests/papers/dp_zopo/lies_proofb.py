"""Planted faults in Lemmas 5 and 8, Theorems 2 and 4 of DP-ZOPO, their proofs and their ledger."""

from tests.paper_checks.lies import Lie

L5, T2, T4, FALSE = (f"bounds/dp_zopo/{name}.py" for name in ("lemma5", "theorem2", "theorem4", "false_lines"))
OF_L5, OF_T2, OF_T4, PRINTED = (f"paper_checks/dp_zopo/{name}.py" for name in ("lemma5", "theorem2", "theorem4", "printed"))
P = "dp_zopo."
LIES = (
    Lie(
        "zopo: a step that moves twice as far as its error",
        L5,
        'line("not_expansive", err_shift, "<=", eta * error_sq)',
        'line("not_expansive", err_shift, "<=", eta * error_sq / 2)',
        (P + "lemma5_steps.chain",),
    ),
    Lie(
        "zopo: nothing is left of the bias",
        L5,
        'line("given_the_past", err_clear, "=", bias_along)',
        'line("given_the_past", err_clear, "=", 0)',
        (P + "equation_38.repaired_38", P + "lemma5_steps.chain"),
    ),
    Lie(
        "zopo: the losses have a mean estimate of 0",
        f"{FALSE}:TILT",
        "sp.erf(1) - sp.erf(sp.Rational(7, 3))",
        "sp.erf(1) - sp.erf(1)",
        (P + "lemma5.printed_33", P + "equation_38.printed_38"),
    ),
    Lie("zopo: slopes that clipping takes alike", f"{OF_L5}:SHARES", "-3 / 7", "0.0", (P + "lemma5.without_clipping",)),
    Lie(
        "zopo: nobody clips",
        f"{OF_L5}:estimate",
        "sum(share * a * float(special.erf(C / (abs(a) * math.sqrt(2)))) for share, a in SHARES)",
        "sum(share * a for share, a in SHARES)",
        (P + "lemma5.average", P + "lemma5.last_iterate"),
    ),
    Lie(
        "zopo: mu for 2 mu in the regulariser",
        f"{T2}:LAMBDA",
        "7 / (2 * mu)",
        "7 / mu",
        (P + "theorem2.as_printed", P + "theorem2.chain"),
    ),
    Lie(
        "zopo: six entries in eta_s",
        T2,
        "alpha_s / (7 * Max(",
        "alpha_s / (6 * Max(",
        (P + "theorem2.as_printed",),
    ),
    Lie(
        "zopo: one stage fewer is enough",
        f"{T2}:induction",
        'sp.log(alpha_0 / alpha), "<=", S * sp.log(2)',
        'sp.log(alpha_0 / alpha), "<=", 2 * S * sp.log(2)',
        (P + "theorem2.repaired_stages", P + "theorem2.chain"),
    ),
    Lie(
        "zopo: a clipped estimate has the mean slope",
        f"{OF_T2}:clipped_slope",
        "special.erf(C / (abs(a) * math.sqrt(2)))",
        "special.erf(99)",
        (P + "theorem2.fixed_point",),
    ),
    Lie("zopo: runs that never clip", f"{OF_T2}:gaps", "np.clip((a + bent) * v, -C, C)", "((a + bent) * v)", (P + "theorem2.on_a_ball",)),
    Lie(
        "zopo: an entry of Theorem 4 without r_S",
        f"{PRINTED}:entries",
        "P * m * sp.E / (56 * dim * C**2)",
        "P * m * sp.E / (56 * d * C**2)",
        (P + "theorem2.as_printed",),
    ),
    Lie("zopo: the other half moves too", f"{OF_T4}:masked_quadratic", "20.0 - hit", "0.0", (P + "theorem4.half_of_them",)),
)
