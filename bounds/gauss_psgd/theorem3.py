"""With m clients of n samples each: Theorem 3 as far as it holds, Theorem 2 with m n for n and sqrt(m) n epsilon for n epsilon.

Source    Gauss-PSGD, Theorem 3, (118) to (121), with Lemma 9; the setting is that of `theorem2`.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.paper import letters, power, proved
from bounds.gauss_psgd.theorem2 import B_RATE, LEFT, MADE_OF, NAMES, SQUARES, balances, prescribed, theorem
from bounds.lines import line

alpha, b_1, b_2, d, epsilon, m, n, N = letters("alpha b_1 b_2 d epsilon m n N_private")

MANY = {n: m * n, epsilon: epsilon / sp.sqrt(m)}  # n -> m n and n epsilon -> sqrt(m) n epsilon: one server's formulas for m clients
DISTRIBUTED = ("each of m clients has n samples of its own", "clients may differ in any way")
THEOREM_3 = theorem("Theorem 3 (distributed Gauss-PSGD)", "(121)", paper.ALL, *DISTRIBUTED)


def theorem3() -> Derivation:
    """Theorem 2 with m n for n and sqrt(m) n epsilon for n epsilon."""
    return proved(
        "theorem3",
        "the rate with m clients, as far as the proof goes",
        "Theorem 3, (118) to (121), Lemma 9",
        spelled={"N": N},
        facts=(*prescribed(MANY), line("N", N, "=", sp.sqrt(m) * n * epsilon).says("sqrt(m) n epsilon").defined()),
        steps=(
            *(
                line(
                    NAMES[name],
                    value.xreplace({b_1: m * b_1, b_2: m * b_2}) if "sampling" in name else value / m,
                    "=",
                    (LEFT[name] * alpha ** (2 - exponent)).xreplace(MANY),
                )
                .says(f"(118), the part {name} for m clients: Lemma 9")
                .because("insert b_1, b_2 per client, eta and chi: one server's part with m n for n and sqrt(m) n epsilon for n epsilon")
                .inserting(*MADE_OF[name])
                for name, (value, exponent) in SQUARES.items()
            ),
            *balances(MANY),
            line("private_part", power(sp.sqrt(d) / N, 2, 5), "=", B_RATE.xreplace(MANY))
            .says("(121), the private part, in N = sqrt(m) n epsilon", "(105) with N in place of n epsilon")
            .inserting("N"),
            line("same_gaps")
            .says("the same gaps: (115), and the larger of two limits, with A = (m n)^(-1/3) and B = (sqrt(d) / (sqrt(m) n epsilon))^(2/5)")
            .because("gauss_psgd.exponents")
            .reasoned("the exponents of A and B are the same"),
        ),
    )
