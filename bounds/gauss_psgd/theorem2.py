"""From the oracle to a rate: Theorem 2 as far as it holds, what Theorem 3 has alike, and the single root of Remark 2.

Setting   alpha^2 is a constant times psi^2 = sigma^2 + r^2 d; eta = sqrt(rho alpha) / M^2 and chi = alpha, logarithms and constants
          left out.
Source    Gauss-PSGD, Theorem 2, (9), (98) to (105), Remark 2.

The rate (105) does not follow from (103) and (104) when A^1.1 < B < A^(3/4), A and B its two parts: `exponents` has the exact
window, what another limit of the drift can do, and the rate that the proof does give, with a third part of exponent 4/17. And b_1, b_2 as
printed need not fit into n samples: `feasibility` says by how much.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.fixed_point import drift_limits
from bounds.gauss_psgd.lemmas_7_to_9 import ERROR_WITHIN_CHI
from bounds.gauss_psgd.paper import letters, power, proved, root, stated
from bounds.gauss_psgd.rates import terms
from bounds.lines import Step, line
from bounds.symbols import Max, introduce
from bounds.theorem import Condition, Part, Theorem

alpha, b_1, b_2, chi, d, epsilon, eta, G, kappa, M, m, mu, n = letters("alpha b_1 b_2 chi d epsilon eta G kappa M m mu n")
N, omega, resets, rho, s, T, U = letters("N_private omega resets rho s T U")

ONE_SERVER = SimpleNamespace(**{**vars(paper.ALL), "m": sp.Integer(1)})
SHARES = {b_1: n * kappa / (2 * U * eta), b_2: n * eta * chi**2 / (2 * U)}  # (9)


def theorem(title: str, equation: str, v: Any, *extra: str) -> Theorem:
    """Return Theorem 2 or 3, in the letters v, among them m, the number of clients."""
    first, second, crossing = terms(v, paper.SYMBOLS)
    return stated(
        title,
        equation,
        claim="rate",
        measure="accuracy of the returned second-order stationary point",
        method="gauss_psgd",
        assumptions=(*paper.ASSUMPTION_1, *paper.ASSUMPTION_2, *extra),
        schedule={"drift_limit": Max(*drift_limits(v, paper.SYMBOLS)), "b_1": SHARES[b_1], "b_2": SHARES[b_2]},
        bound=first + second,
        parts=(
            Part("sampling", "the part without privacy", "O", first),
            Part("privacy", "the part of privacy", "O", second),
            Part("proof", "what the proof gives with the best kappa", "O", first + second + crossing),
        ),
        conditions=(
            paper.CLASSICAL,
            Condition(
                sp.Le(crossing, Max(first, second)),
                "the crossing {value} of two entries of (103) is above both terms of the rate, {limit}: the rate does not follow "
                "from the proof with any kappa",
            ),
            *(Condition(sp.Ge(batch, 1), f"{batch} = {{value}} is below 1") for batch in (b_1, b_2)),
            Condition(sp.Le(b_1, n), "b_1 = {value} is above n = {limit}: not one fresh gradient can be taken"),
        ),
        notes=(
            paper.TILDE,
            "b_1 and b_2 are for eta and chi at the accuracy itself; bounds.gauss_psgd.fixed_point finds them (Remark 2)",
            "b_1 |T| + b_2 T is of the order of n up to logarithms only, and must be at most n for the privacy argument",
            "the error of Ada-DP-SPIDER is not independent from step to step, as Theorem 1 needs",
        ),
    )


THEOREM_2 = theorem("Theorem 2 (Gauss-PSGD with Ada-DP-SPIDER)", "(105)", ONE_SERVER)
kappa_1 = introduce("kappa_1", r"\kappa_1", "first entry of the limit of the drift", 1e-30, 1e3, "proof")
kappa_2 = introduce("kappa_2", r"\kappa_2", "second entry of the limit of the drift", 1e-30, 1e3, "proof")

B_RATE = power(sp.sqrt(d) / (n * epsilon), 2, 5)
KAPPA_1, KAPPA_2 = drift_limits(ONE_SERVER, paper.SYMBOLS)  # (104)
RATE_1, RATE_2, _ = terms(ONE_SERVER, paper.SYMBOLS)  # (105)
SQUARES = {  # the four parts of psi^2 of Lemma 7, logarithms and constants left out, and the power of alpha that each leaves
    "sampling, fresh": (G**2 / b_1, sp.Rational(3, 2)),
    "sampling, difference": (M**2 * kappa / b_2, sp.Rational(9, 2)),
    "privacy, fresh": (d * G**2 / (b_1**2 * epsilon**2), sp.Integer(1)),
    "privacy, difference": (d * M**2 * kappa / (b_2**2 * epsilon**2), sp.Integer(7)),
}
LEFT = {  # part times alpha^(power - 2), which (102) makes equal to alpha^power: free of alpha
    "sampling, fresh": 2 * G**2 * U * sp.sqrt(rho) / (M**2 * n * kappa),
    "sampling, difference": 2 * M**4 * U * kappa / (n * sp.sqrt(rho)),
    "privacy, fresh": 4 * d * G**2 * U**2 * rho / (M**4 * n**2 * epsilon**2 * kappa**2),
    "privacy, difference": 4 * d * M**6 * U**2 * kappa / (n**2 * epsilon**2 * rho),
}
NAMES = {name: name.replace(", ", "_") for name in SQUARES}  # of steps
MADE_OF = {name: ("b_1", "eta") if "fresh" in name else ("b_2", "eta", "chi") for name in SQUARES}  # the letters to insert in a part


def prescribed(at: Mapping[Any, Any]) -> tuple[Step, ...]:
    """Return batch sizes, step size and error, as far as they matter for the rate, and the entries of (104) with letters replaced."""
    return (
        *(line(letter.name, letter, "=", value).says("(9)").defined("(9)") for letter, value in SHARES.items()),
        line("eta", eta, "=", root / M**2).says("the step size of (5) without logarithms").defined("(5)"),
        line("chi", chi, "=", alpha).says("chi of (5) without constants").defined("(5)"),
        line("kappa_1", kappa_1, "=", KAPPA_1.xreplace(at)).says("the first entry of (104)").defined("(104)"),
        line("kappa_2", kappa_2, "=", KAPPA_2.xreplace(at)).says("the second entry of (104)").defined("(104)"),
    )


def balances(at: Mapping[Any, Any]) -> tuple[Step, ...]:
    """Return the steps that each part at the limit of the drift that makes it smallest is its rate; `at` replaces letters first."""
    cases = {
        "sampling, fresh": (kappa_1, RATE_1, power(2, 2, 3)),
        "privacy, fresh": (kappa_2, RATE_2, 4),
        "sampling, difference": (kappa_1, RATE_1, power(2, 2, 9)),
        "privacy, difference": (kappa_2, RATE_2, power(4, 1, 7)),
    }
    return tuple(
        line(
            f"{NAMES[name]}_balanced",
            LEFT[name].xreplace(at).xreplace({kappa: limit}) ** (1 / SQUARES[name][1]),
            "=",
            (constant * rate).xreplace(at),
        )
        .says(f"(104), the part {name} at its limit of the drift", "its entry of (104)")
        .inserting(limit.name)
        for name, (limit, rate, constant) in cases.items()
    )


def theorem2() -> Derivation:
    """Count samples, write the four parts of psi^2 in alpha, and balance each at the limit of the drift where it is smallest."""
    calls = 6 * eta / kappa * (U + 5 * T * eta * chi**2)
    samples = (3 + 15 * T * eta * chi**2 / U) * n
    return proved(
        "theorem2",
        "the rate of Gauss-PSGD with Ada-DP-SPIDER, as far as the proof goes",
        "Theorem 2, (98) to (105)",
        facts=(
            *prescribed({}),
            paper.SMALL_STEP,
            ERROR_WITHIN_CHI,
            line("lemma_8", resets, "<=", calls).says("Lemma 8").shown("gauss_psgd.lemma8", "bound"),
        ),
        steps=(
            line("single_use")
            .says("each sample is used in one release, so the whole is (epsilon, delta)-private when every release is")
            .because("Lemma 17, provided the run stops when the data are used up")
            .reasoned("parallel composition"),
            line("difference_calls", b_2 * paper.T_PRINTED, "=", sp.Rational(13, 10) * s**2 * mu**4 * sp.log(paper.ESCAPES) * n)
            .says("(98), O_2 calls: logarithms times n, not n (printed_98)", "insert b_2")
            .inserting("b_2")
            .within({rho: (10**3, 10**6), omega: (sp.Rational(1, 10**12), sp.Rational(1, 2))}),
            line("fresh_samples", b_1 * calls, "=", samples)
            .says("(98), b_1 times the bound of Lemma 8 on O_1 calls", "insert b_1")
            .inserting("b_1"),
            line("fresh_calls", b_1 * resets, "<=", samples)
            .says("(98), O_1 calls: at least 3 n samples are allowed for", "Lemma 8")
            .by((b_1, "lemma_8"), modulo=((-1, "fresh_samples"),)),
            *(
                line(NAMES[name], value * alpha ** (exponent - 2), "=", LEFT[name])
                .says(f"(99) to (102), the part {name}, in the accuracy", "insert b_1, b_2, eta and chi")
                .inserting(*MADE_OF[name])
                for name, (value, exponent) in SQUARES.items()
            ),
            line("largest")
            .says("(103): alpha is a constant times the largest of the four, each the root of its power of alpha: 2/3, 2/9, 1, 1/7")
            .because("a sum of four is at most four times the largest, and at least the largest")
            .reasoned("solve alpha^2 = part for each"),
            *balances({}),
            line("stops")
            .says(
                "here the printed proof stops: (104) takes the larger of two limits, and each of the four parts must be looked at for both"
            )
            .because("the fourth part at the first limit can exceed (105), see printed_105 and gauss_psgd.exponents")
            .reasoned("the chain proves (105) at the limit where a part is smallest, not at the larger of the two limits"),
        ),
    )


def remark2() -> Derivation:
    """Divide (102) by alpha^2: four powers that fall strictly from infinity to 0."""
    total = sum(LEFT[name] / alpha**exponent for name, (_, exponent) in SQUARES.items())
    parts = sum(LEFT[name] * alpha ** (2 - exponent) for name, (_, exponent) in SQUARES.items())
    return proved(
        "remark2",
        "for a fixed logarithmic factor there is exactly one accuracy",
        "Remark 2 for Theorem 2; our proof",
        steps=(
            line("over_alpha_squared", parts / alpha**2, "=", total)
            .says("(102) over alpha^2: four powers with coefficients that are free of alpha, as Theorem 2 has them", "divide")
            .identity(),
            line("falls", -alpha * sp.diff(total, alpha), ">", total)
            .says("it is positive and falls strictly: minus alpha times the slope is more than the value")
            .because("the powers are at least 1, all but one of them more")
            .by(*tuple((exponent - 1, LEFT[name], alpha**-exponent) for name, (_, exponent) in SQUARES.items() if exponent > 1)),
            line("one_root")
            .says("from infinity at 0 to 0 at infinity, so it is 1 at exactly one alpha", "a continuous function takes every value between")
            .reasoned("intermediate value theorem", using=("falls",)),
        ),
    )
