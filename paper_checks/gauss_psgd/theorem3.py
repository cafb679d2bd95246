"""Checks of Theorem 3: many clients."""

import math

import sympy as sp

import bounds
from bounds.gauss_psgd import rates
from bounds.proofs.inequalities import is_zero
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.rates import unit_problem
from paper_checks.record import Record
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding


def check_many_clients() -> Finding:
    """Check by algebra that m n for n and sqrt(m) n epsilon for n epsilon turn one-client formulas into Theorem 3's; return a Finding."""
    many = {p.n: p.m * p.n, p.epsilon: p.epsilon / sp.sqrt(p.m)}
    rows = {"kappa": (p.KAPPA, p.KAPPA_3), "(121)": (p.RATE, p.RATE_3)}
    differing = [name for name, (one, two) in rows.items() for a, b in zip(one, two, strict=True) if not is_zero(a.xreplace(many) - b)]
    seven, nine = (bounds.THEOREMS[f"gauss_psgd.{name}"] for name in ("lemma7", "lemma9"))
    r = next(part.value for part in nine.parts if part.name == "r")
    differing += [] if is_zero(nine.bound - seven.bound / sp.sqrt(p.m)) else ["sigma"]
    differing += [] if is_zero(r - seven.parts[0].value / sp.sqrt(p.m)) else ["r"]
    in_m, in_n = ([monomial_exponents(term, letter)[0] for term in p.RATE_3] for letter in (p.m, p.n))
    record = Record({"powers of m in (121)": tuple(map(str, in_m)), "powers of n": tuple(map(str, in_n))})
    if differing:
        record.leave_open(f"not a substitution in {', '.join(differing)}; comparing would settle it")
    if (in_m[0], 2 * in_m[1]) != (in_n[0], in_n[1]):
        record.refute("the powers of m and n do not belong to m n and sqrt(m) n", {"m": str(in_m), "n": str(in_n)})
    return record.prove("(121) is (105) with m n for n and sqrt(m) n epsilon for n epsilon, kappa and Lemma 9 too")


def check_introduction_rate(*, m: float, n: float, d: float, epsilon: float) -> Finding:
    """Check that the introduction's rate (sqrt(d)/(epsilon m n))^(2/5) is no smaller than Theorem 3's second term; return a Finding."""
    claimed = (math.sqrt(d) / (epsilon * m * n)) ** 0.4
    theorem = rates.rate_terms(unit_problem(n, d, epsilon, m))[1]
    record = Record({"introduction": claimed, "Theorem 3": theorem, "m": m})
    if theorem > claimed * (1 + 1e-9):
        record.refute(f"Theorem 3's term is m^(1/5) = {theorem / claimed:.4g} times larger", record.numbers)
    return record.conclude("the same")
