"""Checks of Remarks 4.1 and 4.2: the rate of Theorem 3 in each symbol, what its O~ hides, and the noise in the norm of H.

Where an order depends on several symbols at once, an inequality with explicit constants and its domain says more than limits in one
symbol each; the limits then show that the order is attained.
"""

from collections.abc import Sequence
from typing import Any

import sympy as sp

from bounds.growth import growth
from bounds.proofs.inequalities import is_zero
from bounds.symbols import GLOSSARY, T, alpha, d, delta, ell, epsilon, n, r
from paper_checks.dpzero import printed
from paper_checks.dpzero.statement import VALUES, limit_at_infinity
from paper_checks.record import Record
from paper_checks.shared.orders import fix_symbols
from paper_checks.verdict import Finding

T3 = "dpzero.theorem3"


def check_scalar_noise() -> Finding:
    """Check that sigma^2 Tr(H) at C = 4 L_tilde and fixed T grows like r and at most logarithmically in d, by limits; return a Finding."""
    page, steps = printed.PAGES[T3], sp.Symbol("T_fixed", positive=True)
    fixed_T, own_T = (page.in_constants((printed.FORMULAS["noise_sd"] ** 2 * r * ell).xreplace({T: one})) for one in (steps, T))
    in_d, in_r, own = growth(fixed_T, d), growth(fixed_T, r), growth(own_T, r)
    record = Record({"in d": in_d.words("d"), "in r": in_r.words("r"), "in r with the theorem's T": own.words("r")})
    if in_d.power != 0 or in_r.power != 1:
        record.refute("it grows otherwise", record.numbers)
    return record.prove(f"with T fixed it grows like r and {in_d.words('d')}; with Theorem 3's own T like {own.words('r')}")


def check_noise_at_own_T(*, ranks: Sequence[int]) -> Finding:
    """Check whether E ||z_t u_t||_H^2 = sigma^2 Tr(H) grows like r at Theorem 3's own T, by limits at r = d; return a Finding.

    Tr(H) = r ell, the most that Assumption 3.5 admits. The order is read at r = d; the final error holds alpha times it.
    """
    noise, in_error = (printed.PAGES[T3].in_constants(factor * printed.FORMULAS["noise_sd"] ** 2 * r * ell) for factor in (1, 2 * alpha))
    own, error = (growth(one.xreplace({r: d}), d) for one in (noise, in_error))
    limit = limit_at_infinity(d, (noise / (r ** sp.Rational(3, 2) * sp.log(r))).xreplace({r: d}))
    record = Record({"E ||z_t u_t||_H^2 where Tr(H) = r ell": own.words("r"), "limit over r^(3/2) log(r)": float(limit)})
    record.note({"2 alpha times it, in the final error": error.words("r")})
    if own.power == 1:
        return record.prove(f"it is of order {own.words('r')}")
    if not 0 < limit < sp.oo or own.power != sp.Rational(3, 2) or error.power != sp.Rational(1, 2):
        record.leave_open(f"the order {own.words('r')} is not certified by its limit {limit}")
    per_rank = fix_symbols((noise / r).xreplace({r: d}), VALUES, keep=d)
    at = {name: str(value) for name, value in VALUES.items() if name not in ("d", "r", "gap", "mu")}
    reached = {f"E ||z_t u_t||_H^2 / r at r = d = {one}": float(per_rank.xreplace({d: sp.Integer(one)})) for one in ranks}
    sentence = f"where Tr(H) = r ell it is of order {own.words('r')}, as T grows with r; alpha brings the error back to {error.words('r')}"
    return record.refute(sentence, {**at, **reached})


def hidden_factors() -> tuple[Any, Any]:
    """Return (7) over the order in Remark 4.1, a pair: as the ICML text sets the parenthesis, and as the arXiv text does."""
    inside = sp.sqrt(r * sp.log(1 / delta))
    bound = printed.PAGES[T3].in_constants(printed.FORMULAS["equation_7"])
    return bound * (n * epsilon) / inside, bound / (inside / (n * epsilon))


def check_rate_forms() -> Finding:
    """Check that both printed orders in Remark 4.1 are bound (7) up to logarithms in each symbol, by limits; return a Finding."""
    icml, arxiv = hidden_factors()
    if not is_zero(icml - arxiv):
        return Record().refute("the two forms differ", {"quotient of the two": sp.sstr(sp.simplify(icml / arxiv))})
    w = sp.Symbol("w", positive=True)  # 1/delta
    of_w = icml.xreplace({sp.log(1 / delta): sp.log(w)}).xreplace({delta: 1 / w})
    cases = (("n", icml, n), ("d", icml, d), ("d = r", icml.xreplace({r: d}), d), ("epsilon", icml, epsilon), ("1/delta", of_w, w))
    record, powers, words = Record(), [], []
    for name, factor, letter in cases:
        order, slope = growth(factor, letter), limit_at_infinity(letter, sp.log(factor) / sp.log(letter))
        record.note({f"hidden in {name}, and the limit of its exponent": (order.words(str(letter)), sp.sstr(slope))})
        powers += [order.power, slope]
        words += [f"logarithms to the power {order.logs} in {name}"] if order.logs else []
    if any(powers):
        record.refute("more than logarithms is hidden", record.numbers)
    return record.prove(f"(7) divided by either form leaves the same factor: {', '.join(words)}, and no power of any")


def check_hidden_logarithms() -> Finding:
    """Check whether O~(g), read as O(g polylog(g)), covers the logarithms that Remark 4.1 hides, by limits; return a Finding."""
    icml, _ = hidden_factors()
    grows = {name: growth(icml, letter) for name, letter in (("n", n), ("d", d))}
    inside = {"ICML": sp.sqrt(r * sp.log(1 / delta)), "arXiv": sp.sqrt(r * sp.log(1 / delta)) / (n * epsilon)}
    covered = {text: {name: g.has(GLOSSARY[name].symbol) or grows[name].logs == 0 for name in grows} for text, g in inside.items()}
    limits = {one.name: limit_at_infinity(one, icml / sp.log(one)) for one in (n, d)}
    record = Record({"hidden factor in n": grows["n"].words("n"), "in d": grows["d"].words("d"), "covered by logarithms of g": covered})
    record.note({f"limit of the hidden factor over log({name})": float(one) for name, one in limits.items()})
    if all(covered["ICML"].values()) or not all(0 < one < sp.oo for one in limits.values()):
        return record.conclude("the logarithms are those of the argument")
    sentence = (
        "with r, epsilon and delta fixed, g = sqrt(r log(1/delta)) stays as it is while (7) n epsilon / g grows like log(n) and log(d); "
        "the arXiv form covers log(n), and log(d) no more than the other"
    )
    return record.refute(sentence, {name: str(value) for name, value in VALUES.items() if name not in ("n", "d", "mu")} | record.numbers)
