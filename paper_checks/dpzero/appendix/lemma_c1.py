"""Checks of Lemma C.1 and (8) to (10): the tail, and moments from the surface element of the sphere, not from the paper's Beta law.

In polar coordinates u_1 = sqrt(d) cos(phi), the density of phi is sin(phi)^(d-2) up to a constant, and the other coordinates lie on
a sphere of one dimension less. So every moment is a product of Beta integrals, for a symbolic d. In E (u'a)^2 u'Hu no term holds
more than four different coordinates, and all coordinates are alike: four of them show the identity for every d.
"""

import math
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from scipy import special

import bounds
from bounds.proofs.inequalities import is_zero
from bounds.symbols import C, d, symbols
from paper_checks.dpzero import printed
from paper_checks.record import Record
from paper_checks.shared.formulas import difference_witness, integer_point
from paper_checks.shared.proofs import OTHER_FORMULA
from paper_checks.shared.search import Cases, check_ratios, find_worst
from paper_checks.verdict import Finding

a_sq, a_i, a_j, a_H, trace_H = symbols("a_sq a_i a_j a_H trace_H")
COORDINATES, C1 = 4, "dpzero.lemma_c1"


@cache
def sphere_moment(powers: tuple[int, ...], dimension: Any = d) -> Any:
    """Return E u_1^p_1 u_2^p_2 ... for u uniform on the sphere of radius sqrt(dimension), a SymPy expression; `powers` are the p_i."""
    if any(power % 2 for power in powers):
        return sp.Integer(0)  # cos(pi - phi) = -cos(phi): the integrand is odd about the equator
    rest, left, value = sum(powers), dimension, sp.Integer(1)
    for power in powers:
        rest -= power
        value *= sp.gamma(sp.Rational(power + 1, 2)) * sp.gamma((left - 1 + rest) / 2) / sp.gamma((left + rest + power) / 2)
        value /= sp.gamma(sp.Rational(1, 2)) * sp.gamma((left - 1) / 2) / sp.gamma(left / 2)
        left -= 1
    return sp.factor(sp.gammasimp(value * dimension ** (sp.Rational(sum(powers), 2))))


def expectation(polynomial: Any, u: tuple[Any, ...]) -> Any:
    """Return the mean of a polynomial in the coordinates `u` of a uniform point of the sphere of radius sqrt(d), a SymPy expression."""
    terms = sp.Poly(sp.expand(polynomial), *u).terms()
    return sp.expand(sum(coefficient * sphere_moment(tuple(sorted(powers, reverse=True))) for powers, coefficient in terms))


@cache
def lemma_means() -> dict[str, Any]:
    """Return the exact means behind Lemma C.1, (9) and (10), by name, in a_i, H_ij and d; "named" maps symbols of `bounds` to these."""
    u, a = (sp.symbols(f"{letter}_1:{COORDINATES + 1}", real=True) for letter in "ua")
    H = sp.Matrix(COORDINATES, COORDINATES, lambda i, j: sp.Symbol(f"H_{i}{j}", real=True))
    along, quadratic, a_of_H = (sp.expand((sp.Matrix(v).T * M * sp.Matrix(w))[0]) for v, M, w in ((u, 1, a), (u, H, u), (a, H, a)))
    named = {a_i: a[0], a_j: a[1], a_sq: sum(x**2 for x in a), trace_H: H.trace(), a_H: a_of_H}
    found = {
        "i mean": u[0],
        "i variance": u[0] ** 2,
        "i covariance": u[0] * u[1],
        "ii mean": along,
        "ii variance": along**2,
        "iii vector": along * u[0],
        "iii diagonal": along**2 * u[0] ** 2,
        "iii off the diagonal": along**2 * u[0] * u[1],
        "iv trace": quadratic,
        "iv weighted": along**2 * quadratic,
        "fourth moment": u[0] ** 4,
        "mixed fourth moment": u[0] ** 2 * u[1] ** 2,
    }
    values = {name: expectation(polynomial, u) for name, polynomial in found.items()}
    # ||u||^2 = d exactly, whatever the number of coordinates that are written out
    return {"named": named, **values, "iii norm": sp.expand(d * values["ii variance"])}


def check_moments(*, part: str) -> Finding:
    """Check that each mean in part "i" to "iv" of Lemma C.1 is that over the sphere, by Beta integrals for every d; return a Finding."""
    parts = [one for one in bounds.THEOREMS[C1].parts if one.name.startswith(f"{part} ")]
    record = Record({"identities": len(parts), "coordinates written out": COORDINATES})
    for one in parts:
        claimed, found = one.value.xreplace(lemma_means()["named"]), lemma_means()[one.name]
        if not is_zero(claimed - found):
            exact = [sp.sstr(side.xreplace(integer_point(claimed - found))) for side in (found, claimed)]
            witness = difference_witness(claimed, found, ("claimed", "found"))
            record.refute(f"({part}): {one.words} is {exact[0]}, not {exact[1]}", witness)
    if not parts:
        record.leave_open(f"the theory has no part ({part}) of Lemma C.1 to compare with")
    words = "; ".join(one.words for one in parts)
    return record.prove(f"the identities follow from the surface element of the sphere, for every d: {words}")


def check_fourth_moments(*, equation: str) -> Finding:
    """Check that (9), a moment by w_1 and w_2, or (10), w_1 + (d - 1) w_2 = d, holds on the sphere for every d > 1; return a Finding."""
    w_1, w_2, means = sphere_moment((4,)), sphere_moment((2, 2)), lemma_means()
    diagonal = sp.expand((a_i**2 * w_1 + (a_sq - a_i**2) * w_2).xreplace(means["named"]))
    left, right = (means["iii diagonal"], diagonal) if equation == "9" else (w_1 + (d - 1) * w_2, d)
    held, record = lemma_parts(), Record({"w_1": sp.sstr(w_1), "w_2": sp.sstr(w_2)})
    if not all(map(is_zero, (left - right, held["fourth moment"] - w_1, held["mixed fourth moment"] - w_2))):
        record.leave_open(f"({equation}): the moments of the sphere and those of the theory differ; one is wrong")
    return record.prove(f"({equation}) holds for every d > 1, with w_1 = {w_1} and w_2 = {w_2}")


def lemma_parts() -> dict[str, Any]:
    """Return the values of all parts of Lemma C.1 in the theory, SymPy expressions by the name of the part."""
    return {one.name: one.value for one in bounds.THEOREMS[C1].parts}


def check_one_dimension() -> Finding:
    """Check that (iii) and (iv) of Lemma C.1 hold at d = 1, where w_2 = (d - w_1)/(d - 1) is 0/0, by algebra; return a Finding."""
    a, h = sp.symbols("a h", real=True)
    at, record = {d: sp.Integer(1), a_i: a, a_sq: a**2, a_H: a**2 * h, trace_H: h}, Record({"identities": 2})
    weights = {"iii diagonal": 1, "iv weighted": h}
    differences = [sum((u * a) ** 2 * w * u**2 for u in (1, -1)) / 2 - lemma_parts()[name].xreplace(at) for name, w in weights.items()]
    if not all(map(is_zero, differences)):
        record.leave_open(f"at d = 1 the two sides differ by {differences}; the theory's constants must be corrected")
    return record.prove("at d = 1 the mean over u = 1 and u = -1 is what (iii) and (iv) say")


def beta_tail(dimension: int, c: float) -> float:
    """Return the exact P(|u'a| >= c) for ||a|| = 1 and u uniform on the sphere of radius sqrt(dimension)."""
    return float(c <= 1) if dimension == 1 else float(special.betainc((dimension - 1) / 2, 0.5, max(0.0, 1 - c * c / dimension)))


def tail_ratio(exact: float, bound: float) -> float:
    """Return exact / bound for two tail probabilities: 0 if `exact` is 0, inf if only `bound` is 0."""
    return (exact / bound if bound else math.inf) if exact else 0.0


def check_tail(*, dimensions: tuple[int, ...], points: int, claimed: str) -> Finding:
    """Check that the exact P(|u'a| >= C), ||a|| = 1, is at most the tail bound of theorem `claimed`, on a grid; return a Finding."""
    held = bounds.THEOREMS[claimed].bound
    length, formula = (a_sq, "tail_c1") if held.has(a_sq) else (symbols("L")[0], "tail_at_L")
    bound = sp.lambdify([C, length], held, "math")
    tried = ((one, k / points * one**0.5) for one in dimensions for k in range(points + 1))
    found = find_worst((tail_ratio(beta_tail(one, c), bound(c, 1.0)), {"d": one, "C": c}) for one, c in tried)
    record = Record({"tried": found.tried, "largest tail / bound": found.value})
    if found.value > 1:
        sentence = f"at d = {found.at['d']}, C = {found.at['C']:g} the exact tail is {found.value:.3g} times the bound"
        record.refute(sentence, {**found.at, "||a||": 1, "tail / bound": found.value})
    if not is_zero(held - printed.FORMULAS[formula]):
        record.leave_open(OTHER_FORMULA.format("another tail"))
    return record.conclude(f"the exact Beta tail is at most {found.value:.3f} of the bound at {found.tried} points")


@check_ratios(
    "largest tail / bound",
    "at d = {d}, gamma = {gamma:g} the exact tail exceeds the bound",
    "cited, not proved here; for h(x) = x_1 and for the angle to the equator, which grows as fast as (8) allows, the exact tail "
    "never exceeds {value:.3f} of the bound at {tried} points",
)
def check_concentration(*, dimensions: tuple[int, ...], points: int) -> Cases:
    """Check that the exact tails of x_1 and of the angle to the equator are at most the bound (8), on a grid; return a Finding."""
    bound = sp.lambdify([*symbols("d gamma")], printed.FORMULAS["equation_8"], "math")
    for dimension in dimensions:
        for k in range(points + 1):
            angle = k / points * math.pi / 2
            height = math.sin(angle)
            exact = float(special.betainc((dimension - 1) / 2, 0.5, 1 - height**2))
            for gamma in (angle, height):
                ratio = tail_ratio(exact, bound(dimension, gamma))
                yield ratio, {"d": dimension, "gamma": gamma, "tail / bound": ratio}


def check_linear_form_tail(*, points: int) -> Finding:
    """Check that the exact P(|u'a| >= C) is at most the bound of Lemma C.1 (ii), on a grid of C and d up to 10^6; return a Finding."""
    sizes, theorem = sorted({int(one) for one in np.geomspace(1, 1e6, points)}), bounds.THEOREMS[C1]
    tried = ((one, c) for one in sizes for c in np.linspace(1e-9, min(math.sqrt(one), 37.0), points).tolist())
    found = find_worst((beta_tail(one, c) / theorem.evaluate(a_sq=1.0, C=c).bound, {"d": one, "C": c}) for one, c in tried)
    record = Record({"tried": found.tried, "largest exact / bound": found.value, "at d, C": tuple(found.at.values())})
    if found.value > 1:
        record.refute("the exact tail is above the bound", {**found.at, "exact / bound": found.value})
    return record.conclude(f"the exact tail is at most {found.value:.4f} of the bound at {found.tried} points")


def check_zero_vector(*, multiples: tuple[int, ...]) -> Finding:
    """Check whether the tail bound of Lemma C.1 (ii) has a value at a = 0, C = 0, where P(|u'a| >= C) = 1, by limits; return a Finding."""
    tail = printed.FORMULAS["tail_c1"]
    if not is_zero(bounds.THEOREMS[C1].bound - tail):
        return Record().leave_open(OTHER_FORMULA.format("another tail"))
    limits = {k: sp.limit(tail.xreplace({C: k * sp.sqrt(a_sq)}), a_sq, 0, "+") for k in multiples}
    inserted = tail.xreplace({C: sp.Integer(0), a_sq: sp.Integer(0)})
    apart = sp.limit(tail.xreplace({C: sp.Integer(1)}), a_sq, 0, "+")  # a = 0, C = 1: the probability is 0
    record = Record({f"limit along C = {k} ||a||": float(value) for k, value in limits.items()})
    record.note({"a = 0, C = 0 inserted": sp.sstr(inserted), "limit a -> 0 at C = 1": float(apart)})
    low = min(limits, key=lambda k: limits[k])
    if limits[low] >= 1 or max(limits.values()) <= 1 or inserted.is_finite:
        return record.conclude(f"at a = 0, C = 0 the bound is {inserted}, at least {float(limits[low]):.4g} nearby")
    witness = {"a": 0, "C": 0, "P(|u'a| >= C)": 1, "exponent": "-0/0", f"limit along C = {low} ||a||": float(limits[low])}
    sentence = (
        f"at a = 0, C = 0 the probability is 1 and the exponent is 0/0: along C = {low} ||a|| the bound tends to "
        f"{float(limits[low]):.3g}, so no value at 0 continues it"
    )
    return record.refute(sentence, witness)


def check_double_sum() -> Finding:
    """Check whether the sum over i != j in Lemma C.1 (iii) may be read as one over all pairs, at a = (1, 1, 1, 1); return a Finding."""
    ones = {sp.Symbol(f"a_{i}", real=True): sp.Integer(1) for i in range(1, COORDINATES + 1)}
    w_2, dimension = sphere_moment((2, 2)), sp.Integer(COORDINATES)
    literal = (COORDINATES * (COORDINATES - 1) * w_2).xreplace({d: dimension})
    true = lemma_means()["iii off the diagonal"].xreplace(ones).xreplace({d: dimension})
    record = Record()
    if literal != true:
        witness = {"a": "(1, 1, 1, 1)", "d": COORDINATES, "sum over all pairs": float(literal), "E (u'a)^2 u_1 u_2": float(true)}
        record.refute(f"over all pairs the sum is {literal}, the moment is {true}: only (i, j) and (j, i) are meant", witness)
    return record.prove("the two readings agree")
