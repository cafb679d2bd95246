"""Theorem 1 with the repaired block, as it is stated: rounded up, its entries at Gamma + 1 and Q + 1.

Source    ours, after Gauss-PSGD, Theorem 1; the steps are those of `proofs_repaired`, for the whole numbers of steps and of rounds.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import GIVENS, Assumed, Defined, Derivation, Identity, NonNegative, Reasoned, Shown, Step, Substitution, fact, line
from bounds.gauss_psgd.common import STEP_41
from bounds.gauss_psgd.descent import (
    ESCAPE_REPAIRED,
    GROWTH_REPAIRED,
    LEAST_S,
    NUMBER,
    THEOREM_1_REPAIRED,
    UNION_REPAIRED,
    p_total,
    reached,
)
from bounds.gauss_psgd.proofs_block import (
    ENOUGH_TRIES,
    SPELLED,
    STANDING,
    C,
    Gamma,
    Q,
    R,
    T,
    above_one,
    alpha,
    c,
    chi,
    d,
    eta,
    iota,
    mu,
    omega,
    psi,
    r,
    rho,
    s,
)
from bounds.gauss_psgd.proofs_counts import grad_end, third_entry
from bounds.gauss_psgd.proofs_escape import c_31
from bounds.gauss_psgd.proofs_growth import NEEDED
from bounds.gauss_psgd.proofs_repaired import LEAST_ROUND, ROUNDED_UP, eta_whole, log_far
from bounds.gauss_psgd.proofs_repaired_run import escapes, phases, power, root, tail
from bounds.inequalities import Instance
from bounds.meanings import BELOW_ONE, ROUNDED
from bounds.symbols import Letter, introduce, symbols

Gamma_whole, Q_whole = symbols("Gamma_whole Q_whole")
which = introduce(Letter("which", "w", "1 where the gradient decides the accuracy, 0 where the curvature does", 0, 1, "probability"))
gamma_end = introduce(Letter("gamma_end", r"\gamma_{\mathrm{end}}", "curvature where the run ends, 0 for a convex one", 0, 1e3, "proof"))

MEETS = {
    "eta": "eta_is",
    "first_entry": "first_entry_whole",
    "second_entry": "second_entry_whole",
    "fourth_entry": "fourth_entry_whole",
    "Q >= 1": "Q_whole >= 1",
    "far": "far_whole",
}
BLOCK_PROOF = "gauss_psgd.repaired_block"
LONGER = sp.log(2 * R * (Gamma + 1) / (Gamma * r * eta))  # the inner logarithm of the first entry
LARGER = NEEDED * sp.sqrt(Gamma + 1) / sp.sqrt(Gamma)  # exp of the second entry times log(2)
doubled, rate = sp.log(2), sp.log(sp.Rational(8, 7))


def repaired() -> Derivation:
    """Write the proof out."""
    larger = Reasoned("chi is the larger of two", using=("chi",))
    least_s, step_41 = LEAST_S.relation, STEP_41.relation
    return Derivation(
        key="gauss_psgd.repaired",
        title="Theorem 1 with the repaired block, rounded up",
        source="ours; after Theorem 1 of Gauss-PSGD",
        proves=THEOREM_1_REPAIRED,
        signs={"log_T": (ENOUGH_TRIES.name,), "Q": ("many_phases",)},
        shows={"failure": "failure", "phases": "phases"},
        spelled=SPELLED,
        facts=(
            *ROUNDED,
            fact("eta_whole", "eta shrinks as Gamma grows", eta_whole, "=", eta * Gamma / Gamma_whole, Defined()),
            STANDING,
            fact("union_entry", "the first entry of mu", mu, ">=", UNION_REPAIRED, Assumed()),
            fact("growth_entry", "the second entry of mu", mu, ">=", GROWTH_REPAIRED, Assumed()),
            third_entry,
            fact("escape_entry", "the fourth entry of mu", mu, ">=", ESCAPE_REPAIRED, Assumed()),
            fact("least_s", "s >= (160 c C)^2 with c = 2 sqrt(2)", least_s.lhs, ">=", least_s.rhs, Assumed()),
            fact("step_41", "(41) with c = 2 sqrt(2)", step_41.lhs, "<=", step_41.rhs, Assumed()),
            fact("c_31", "the least constant of (31)", c_31, "=", 2 * sp.sqrt(2), Defined()),
            fact(
                "log_far", "the logarithm of the first entry", log_far, "=", sp.log(2 * R / (eta_whole * r)), Defined(signs=("far_whole",))
            ),
            fact("far", "a step of noise is short", sp.log(2 * R / (eta * r)), ">=", 1, Assumed()),
            BELOW_ONE["omega"],
            fact("chi_1", "chi covers the errors", chi, ">=", 4 * sp.sqrt(C) * s * mu**2 * psi, larger),
            fact("chi_2", "chi covers the noise of a round", chi, ">=", sp.sqrt(c) * power * psi, larger),
            fact("N", "N = 1 + U / Phi", escapes, "=", NUMBER, Defined()),
            fact(
                "gradient", "where the last phase starts", grad_end, "<=", 4 * chi, Shown(BLOCK_PROOF, "small_gradient", ROUNDED_UP, MEETS)
            ),
            fact("entered", "the phases that succeed are paid for", phases, "<=", escapes, Shown(BLOCK_PROOF, "phases", ROUNDED_UP, MEETS)),
            fact("failure", "all that may fail", p_total, "<=", 3 * omega / 2, Shown(BLOCK_PROOF, "failure", ROUNDED_UP, MEETS)),
            fact(
                "no_saddle",
                "the last phase does not start at a strict saddle",
                gamma_end,
                "<=",
                root,
                Reasoned("else a round of it would have escaped, unless one of the things happened that may fail", using=("failure",)),
            ),
            fact(
                "accuracy_of_a_point",
                "the least accuracy that the point has: its gradient, or the square of its curvature over rho",
                reached,
                "=",
                which * grad_end + (1 - which) * gamma_end**2 / rho,
                Reasoned("Definition 2: the larger of the two is one of them"),
            ),
        ),
        steps=(*_logarithms(), *_rounded(), *_constants(), *_entries(), *_conclusion()),
    )


def _logarithms() -> tuple[Step, ...]:
    """Return that the logarithms of the schedule are positive."""
    number, estimates = NUMBER, (Gamma + 1) * (Q + 1)
    return (
        above_one(
            "many_phases",
            "2 N / omega, with the decrease of a phase and U, is above 1",
            2 * number / omega,
            "omega < 1 <= N",
            (2 * (number - 1) / omega,),
            (1 / omega, "omega < 1"),
            (1 / omega,),
        ),
        above_one(
            ENOUGH_TRIES.name,
            ENOUGH_TRIES.statement,
            4 * T / omega,
            "omega < 1 <= T",
            (4 * (number * estimates + number - 1) / omega,),
            (1 / omega, "omega < 1"),
            (3 / omega,),
            at=("T",),
        ),
    )


def _rounded() -> tuple[Step, ...]:
    """Return what the block says once Gamma is rounded up."""
    return (
        line(
            "least",
            "Gamma before it is rounded",
            Gamma,
            "=",
            LEAST_ROUND,
            "insert the block",
            _at("Gamma", "eta", "iota"),
        ),
        line(
            "long",
            "Gamma_whole is at least that",
            Gamma_whole,
            ">=",
            LEAST_ROUND,
            "Gamma is rounded up",
            NonNegative((("Gamma_up",),), modulo=((1, "least"),)),
            where=GIVENS,
        ),
        line(
            "eta_is",
            "the growth of a round is mu still: eta_whole",
            eta_whole,
            "=",
            mu / (Gamma_whole * root),
            "insert the block",
            _at("eta_whole", "eta", "Gamma", "iota"),
        ),
        line(
            "enough_T",
            "T covers all estimates of the rounds",
            T,
            ">=",
            escapes * (Q_whole * Gamma_whole + 1),
            "(Q + 1) (Gamma + 1) is at least the product of the whole numbers",
            NonNegative(((NUMBER * (Gamma + 1), "Q_next"), (NUMBER * Q_whole, "Gamma_next")), at=("N",), modulo=((1, "T"),)),
            where=GIVENS,
        ),
    )


def _at(*names: str) -> Substitution:
    return Substitution(names)


def _constants() -> tuple[Step, ...]:
    """Return that s is large enough."""
    number = 160 * sp.sqrt(2)
    return (
        line(
            "constant",
            "c_31 is at least 2 sqrt(2)",
            c_31,
            ">=",
            2 * sp.sqrt(2),
            "it is that",
            Identity(modulo=((1, "c_31"),)),
            where=GIVENS,
        ),
        line(
            "product_41",
            "(41): the factor of the part of the Hessian, with Gamma and R",
            eta * rho * R * Gamma * sp.sqrt(iota),
            "=",
            1 / s,
            "insert the block",
            _at("eta", "Gamma", "radius", "iota"),
        ),
        line(
            "large_s",
            "s is at least 80 c_31",
            s,
            ">=",
            80 * c_31,
            "(41)",
            NonNegative(((number * s, "step_41"),), modulo=((number * s, "product_41"), (-80, "c_31"))),
            where=GIVENS,
        ),
        line(
            "larger_s",
            "s is at least (160 c_31 C)^2",
            s,
            ">=",
            (160 * c_31 * C) ** 2,
            "c_31 = 2 sqrt(2)",
            NonNegative((("least_s",),), modulo=((-((160 * C) ** 2) * (c_31 + 2 * sp.sqrt(2)), "c_31"),)),
            where=GIVENS,
        ),
    )


def _entries() -> tuple[Step, ...]:
    """Return that the entries of mu hold for the whole numbers."""
    roots = sp.sqrt(Gamma + 1) + sp.sqrt(Gamma_whole)
    return (
        line(
            "far_whole",
            "a step of noise is short with eta_whole too, which is no larger",
            sp.log(2 * R / (eta_whole * r)),
            ">=",
            1,
            "Gamma is rounded up",
            NonNegative(
                (("far",), (Instance("exponential", sp.log(Gamma / Gamma_whole)),), (1 / Gamma_whole, "Gamma_up")), at=("eta_whole",)
            ),
            where=GIVENS,
        ),
        line(
            "longer_log",
            "the inner logarithm of the first entry is at least that for the whole number of steps",
            log_far,
            "<=",
            LONGER,
            "Gamma_whole is at most Gamma + 1",
            NonNegative(
                ((Instance("exponential", sp.log(Gamma_whole / (Gamma + 1))),), (1 / (Gamma + 1), "Gamma_next")),
                at=("eta_whole",),
                modulo=((-1, "log_far"),),
            ),
            where=GIVENS,
        ),
        line(
            "first_entry_whole",
            "so iota is at least the first entry for the whole number of steps",
            tail,
            "<=",
            1 / (36 * d * Gamma_whole * log_far),
            "the first entry of mu",
            NonNegative(
                (
                    (1 / (36 * d * Gamma_whole * log_far), Instance("decay", (s, "union_entry"))),
                    (tail * (Gamma + 1) / (Gamma_whole * log_far), "longer_log"),
                    (tail / Gamma_whole, "Gamma_next"),
                ),
                at=("iota",),
            ),
            where=GIVENS,
        ),
        line(
            "second_entry_whole",
            "2^mu is at least what the distance R needs with eta_whole",
            2**mu,
            ">=",
            NEEDED.xreplace(ROUNDED_UP),
            "the second entry of mu, Gamma_whole is at most Gamma + 1",
            NonNegative(
                (
                    (LARGER, Instance("exponential", mu * doubled - sp.log(LARGER))),
                    (LARGER * doubled, "growth_entry"),
                    (LARGER / sp.sqrt(Gamma + 1) / roots, "Gamma_next"),
                ),
                at=("eta_whole",),
            ),
            where=GIVENS,
        ),
        line(
            "rounds_in_logarithms",
            "the whole number of rounds is enough: in logarithms",
            Q_whole * rate,
            ">=",
            sp.log(2 * NUMBER / omega),
            "Q is rounded up",
            NonNegative(((rate, "Q_up"),), modulo=((rate, "Q"),)),
            where=GIVENS,
        ),
        line(
            "rounds",
            "so that the rounds of a phase fail together with omega / (2 N) at most",
            sp.Rational(8, 7) ** (-Q_whole),
            "<=",
            omega / (2 * escapes),
            "the exponential is increasing",
            NonNegative(((omega / (2 * NUMBER), Instance("decay", ("rounds_in_logarithms",))),), at=("N",)),
            where=GIVENS,
        ),
        line(
            "fourth_entry_whole",
            "iota is at least the fourth entry for the whole number of rounds",
            tail,
            "<=",
            omega / (4 * Q_whole * escapes),
            "the fourth entry of mu, Q_whole is at most Q + 1",
            NonNegative(
                (
                    (omega / (4 * (Q + 1) * NUMBER), Instance("decay", (s, "escape_entry"))),
                    (omega / (4 * NUMBER * Q_whole * (Q + 1)), "Q_next"),
                ),
                at=("iota", "N"),
            ),
            where=GIVENS,
        ),
    )


def _conclusion() -> tuple[Step, ...]:
    """Return the number of phases and the accuracy of the point that is returned."""
    return (
        line(
            "phases",
            "escape phases that a run enters",
            phases,
            "<=",
            NUMBER,
            "N = 1 + U / Phi",
            NonNegative((("entered",),), modulo=((-1, "N"),)),
            where=GIVENS,
        ),
        line(
            "bound",
            "the accuracy of the point that is returned",
            reached,
            "<=",
            alpha,
            "its gradient is at most 4 chi = alpha, its curvature at most sqrt(rho alpha)",
            NonNegative(
                ((which, "gradient"), ("which <= 1", (root + gamma_end) / rho, "no_saddle")),
                modulo=((which, "accuracy"), (-1, "accuracy_of_a_point")),
            ),
            where=GIVENS,
        ),
    )
