"""Checks of the rate of Theorems 2 and 3 by exact exponents.

With A = n^(-1/3), B = (sqrt(d)/(n epsilon))^(2/5) = A^beta and kappa = A^k every part of (103) is a power of A, linear in beta and k.
A < 1, so the smallest exponent is the largest error. It is rational arithmetic on the parts of Lemma 7 at the printed batch sizes, read
off the print and not off the theory.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import sympy as sp

import bounds
from bounds.symbols import symbols
from paper_checks.gauss_psgd import printed as p
from paper_checks.record import Record
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding, Plot

A, beta, k = symbols("A_rate beta_exp k_exp")
Line = tuple[Fraction, Fraction]  # a + b beta
Row = tuple[Fraction, Fraction, Fraction]  # a + b beta + c k


def exponent_of_A(product: Any, clients: bool) -> Row:
    """Return the exponent of A = n^(-1/3) in a product of powers of n, d and kappa: (constant, factor of beta, factor of k).

    n and d are such that the number of samples is A^-3, and sqrt(d) over n epsilon (sqrt(m) n epsilon with `clients`) is A^(5 beta/2).
    """
    samples, reach = (p.m * p.n, sp.sqrt(p.m) * p.n * p.epsilon) if clients else (p.n, p.n * p.epsilon)
    n = p.n * A**-3 / samples
    dimension = (A ** (sp.Rational(5, 2) * beta) * reach.xreplace({p.n: n})) ** 2
    found = sp.expand(monomial_exponents(product.xreplace({p.n: n, p.d: dimension, p.kappa: A**k}), A)[0])
    constant, of_beta, of_k = (Fraction(str(one)) for one in (found.subs({beta: 0, k: 0}), found.coeff(beta), found.coeff(k)))
    return constant, of_beta, of_k


@cache
def error_term_exponents(clients: bool = False, exact_gradients: bool = False) -> tuple[Row, ...]:
    """Return the exponent of A of each error term of (103), as (constant, factor of beta, factor of k); logarithms are left out.

    With `clients` every part of psi^2 is that of Lemma 9, and A = (m n)^(-1/3), B = (sqrt(d)/(sqrt(m) n epsilon))^(2/5).
    """
    parts = (part / p.m if clients else part for part in p.LEMMA_7)
    return tuple(exponent_of_A(p.accuracy_of_term(part, exact_gradients), clients) for part in parts)


def least_exponent(rows: Sequence[Row], b: Fraction, kappa: Fraction) -> Fraction:
    """Return the smallest exponent among the error terms `rows` at beta = b and k = kappa: that of the largest error."""
    return min(c + f * b + g * kappa for c, f, g in rows)


def best_exponent(rows: Sequence[Row], b: Fraction) -> Fraction:
    """Return the smallest exponent among the error terms `rows` at beta = b, at the k = kappa for which it is largest.

    It is concave and piecewise linear in kappa, so its maximum is at a crossing of two error terms.
    """
    crossings = [line[0] + line[1] * b for line in _crossing_lines(rows)]
    return max(least_exponent(rows, b, kappa) for kappa in crossings)


def _crossing_lines(rows: Sequence[Row]) -> list[Line]:
    """Return every line k(beta) on which two error terms are equal, as (constant, factor of beta)."""
    return [
        ((one[0] - two[0]) / (two[2] - one[2]), (one[1] - two[1]) / (two[2] - one[2]))
        for i, one in enumerate(rows)
        for two in rows[:i]
        if one[2] != two[2]
    ]


@cache
def kappa_exponents(clients: bool) -> tuple[Line, ...]:
    """Return the exponents of A in the two entries of kappa, (104) or Theorem 3's with `clients`, each (constant, factor of beta).

    The larger entry is the smaller exponent.
    """
    return tuple(exponent_of_A(entry, clients)[:2] for entry in (p.KAPPA_3 if clients else p.KAPPA))


def breakpoint_betas(rows: Sequence[Row], clients: bool, *also: Fraction) -> list[Fraction]:
    """Return the betas in (0, 5) at which the order of the exponents may change, those of `also`, and one beta between any two."""
    lines = {(c + g * line[0], f + g * line[1]) for c, f, g in rows for line in [*_crossing_lines(rows), *kappa_exponents(clients)]}
    listed = sorted(lines | {(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))})
    cuts = {(one[0] - two[0]) / (two[1] - one[1]) for i, one in enumerate(listed) for two in listed[:i] if one[1] != two[1]}
    inner = sorted({*also, *(cut for cut in cuts if 0 < cut < 5)})
    return [*inner, *((one + two) / 2 for one, two in pairwise([Fraction(0), *inner, Fraction(5)]))]


def exponent_losses(limit: str, clients: bool) -> dict[Fraction, Fraction]:
    """Return {beta: claimed exponent min(1, beta) minus the rate's exponent}, at all breakpoints and between any two.

    limit: "best" takes the best kappa, any other word the printed one.
    """
    rows = error_term_exponents(clients)

    def value(b: Fraction) -> Fraction:
        return best_exponent(rows, b) if limit == "best" else least_exponent(rows, b, min(c + f * b for c, f in kappa_exponents(clients)))

    return {b: min(Fraction(1), b) - value(b) for b in sorted(breakpoint_betas(rows, clients))}


def check_loss_window(*, limit: str, clients: bool, low: str, high: str) -> Finding:
    """Check exactly that the rate's exponent is below the claimed one of (105) just for low < beta < high; return a Finding.

    Between breakpoints the loss is linear, so its sign at them and between them decides.
    """
    loss, ends = exponent_losses(limit, clients), (Fraction(low), Fraction(high))
    largest = str(max(loss.values()))
    record = Record({"values of beta": len(loss), "largest loss": largest, "at beta": str(max(loss, key=lambda b: loss[b]))})
    wrong = [b for b, one in loss.items() if (one > 0) != (ends[0] < b < ends[1])]
    if wrong:
        b = max(wrong, key=lambda b: (loss[b], -b.denominator))
        witness = {"beta": str(b), "loss of the exponent": str(loss[b]), "the error is larger by": f"n^({loss[b] / 3})"}
        return record.refute(f"at beta = {b} the loss is {loss[b]}", witness)
    if max(loss.values()) <= 0 or not all(end in loss and loss[end] <= 0 for end in ends):
        return record.leave_open("the ends of the window are not among the points looked at")
    curve = {"loss of the exponent": tuple(map(float, loss.values()))}
    record.plot = Plot(tuple(map(float, loss)), curve, "beta = log_A B", "loss", log=False)
    return record.prove(f"the exponent is smaller than min(1, beta) exactly for {low} < beta < {high}, by at most {largest}")


def check_best_exponent(*, clients: bool) -> Finding:
    """Check exactly that the rate's exponent at the best kappa is min(1, beta, (6 + 10 beta)/17) for all beta < 5; return a Finding."""
    rows = error_term_exponents(clients)
    points = breakpoint_betas(rows, clients, Fraction(6, 7), Fraction(11, 10), Fraction(1))
    record = Record({"values of beta": len(points)})
    for b in points:
        best, claimed = best_exponent(rows, b), min(Fraction(1), b, (6 + 10 * b) / 17)
        if best != claimed:
            witness = {"beta": str(b), "best exponent": str(best), "claimed": str(claimed)}
            record.refute(f"at beta = {b} the best exponent is {best}", witness)
    return record.prove(f"the best exponent is min(1, beta, (6 + 10 beta)/17) at {len(points)} values of beta, and linear between them")


def check_proof_exponents() -> Finding:
    """Check by algebra that the exponents of (103) read off the print are those that the theory's proofs use; return a Finding."""
    # the theory's order is that of Lemma 7's parts: fresh, difference, then the two of privacy
    held = [bounds.page("gauss_psgd.exponents").formula(f"e_{i}") for i in range(1, 5)]
    ours = [sum(sp.Rational(c) * one for c, one in zip(row, (1, beta, k), strict=True)) for row in error_term_exponents()]
    record = Record({"exponents": len(ours)})
    if any(sp.expand(one - two) != 0 for one, two in zip(ours, held, strict=True)):
        record.leave_open("the proofs use other exponents than the print gives; comparing the two would settle it")
    return record.prove(f"the exponents of (103) are {', '.join(map(p.written, ours))} in both")


def check_private_exponent(*, exact_gradients: bool, claimed: str) -> Finding:
    """Check exactly that sqrt(d)/(n epsilon) has the exponent `claimed` under privacy alone, 1/n has 1/3 without it; return a Finding."""
    parts = error_term_exponents(exact_gradients=exact_gradients)
    exponent = best_exponent(parts[2:], Fraction(1)) * Fraction(2, 5)  # of B = (sqrt(d)/(n epsilon))^(2/5), at beta = 1
    sampling = best_exponent(parts[:2], Fraction(1)) * Fraction(1, 3)
    record = Record({"of sqrt(d)/(n epsilon)": str(exponent), "of 1/n without privacy": str(sampling)})
    if exponent != Fraction(claimed) or sampling != Fraction(1, 3):
        witness = {"exponent": str(exponent), "claimed": claimed, "without privacy": str(sampling)}
        record.refute(f"the private exponent is {exponent}", witness)
    return record.prove(f"the private part has the exponent {exponent}, the other one 1/3, each at its best kappa")


def check_fresh_round_exponent(*, claimed: str) -> Finding:
    """Check by algebra that 1/n has the exponent `claimed` in the rate if a fresh gradient begins every round; return a Finding.

    b_1 = n Phi/U, as many phases as (77) allows, logarithms left out.
    """
    (in_alpha,) = monomial_exponents(p.express_in_alpha(p.Phi), p.alpha)
    part = p.LEMMA_7[0].xreplace({p.b_1: p.n * p.alpha**in_alpha})  # alpha^2 is at least this
    in_n, power = monomial_exponents(part, p.n, p.alpha)
    found = -in_n / (2 - power)
    record = Record({"power of alpha in Phi": str(in_alpha), "exponent of 1/n": str(found), "in (105)": "1/3"})
    if found != sp.Rational(claimed):
        record.refute(f"the exponent is {found}", {"exponent": str(found), "claimed": claimed})
    return record.prove(f"alpha^2 = G^2 U/(n Phi) with Phi ~ alpha^({in_alpha}): alpha ~ n^(-{found})")
