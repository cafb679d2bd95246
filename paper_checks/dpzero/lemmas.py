"""Lemmas C.1 and C.2 of DPZero, part by part: moments from the surface element of the sphere, not from the paper's Beta law.

In polar coordinates u_1 = sqrt(d) cos(phi), the density of phi is sin(phi)^(d-2) up to a constant, and the other coordinates lie on
a sphere of one dimension less. So every moment is a product of Beta integrals, for a symbolic d. In E (u'a)^2 u'Hu no term holds
more than four different coordinates, and all coordinates are alike: four of them show the identity for every d.
"""

from __future__ import annotations

from functools import cache, reduce
from itertools import product
from typing import Any

import sympy as sp
from scipy import special

import bounds
from bounds.dpzero.smoothing import grad_f_sq
from bounds.inequalities import is_zero
from bounds.symbols import C, d, symbols
from paper_checks.dpzero import formulas, printed
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

a_sq, a_i, a_j, a_H, trace_H = symbols("a_sq a_i a_j a_H trace_H")
COORDINATES = 4


@cache
def moment(powers: tuple[int, ...], dimension: Any = d) -> Any:
    """Return E u_1^p_1 u_2^p_2 ... on the sphere of radius sqrt(dimension), by one Beta integral a coordinate."""
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
    """Return the mean of a polynomial in coordinates of u."""
    terms = sp.Poly(sp.expand(polynomial), *u).terms()
    return sp.expand(sum(coefficient * moment(tuple(sorted(powers, reverse=True))) for powers, coefficient in terms))


@cache
def means() -> dict[str, Any]:
    """Return the mean behind every part of Lemma C.1 and behind (9), (10), in the letters of `bounds`."""
    u = sp.symbols(f"u_1:{COORDINATES + 1}", real=True)
    a = sp.symbols(f"a_1:{COORDINATES + 1}", real=True)
    H = sp.Matrix(COORDINATES, COORDINATES, lambda i, j: sp.Symbol(f"H_{i}{j}", real=True))
    along, quadratic = sum(x * y for x, y in zip(u, a, strict=True)), sum(H[i, j] * u[i] * u[j] for i, j in _pairs())
    norm = sum(x**2 for x in a)
    named = {a_i: a[0], a_j: a[1], a_sq: norm, trace_H: H.trace(), a_H: sum(H[i, j] * a[i] * a[j] for i, j in _pairs())}
    found = {
        "i mean": u[0], "i variance": u[0] ** 2, "i covariance": u[0] * u[1],
        "ii mean": along, "ii variance": along**2,
        "iii vector": along * u[0], "iii diagonal": along**2 * u[0] ** 2, "iii off the diagonal": along**2 * u[0] * u[1],
        "iv trace": quadratic, "iv weighted": along**2 * quadratic,
        "fourth moment": u[0] ** 4, "mixed fourth moment": u[0] ** 2 * u[1] ** 2,
    }  # fmt: skip
    values = {name: expectation(polynomial, u) for name, polynomial in found.items()}
    # ||u||^2 = d exactly, whatever the number of coordinates that are written out
    return {"named": named, **values, "iii norm": sp.expand(d * values["ii variance"])}


def _pairs() -> list[tuple[int, int]]:
    return [(i, j) for i in range(COORDINATES) for j in range(COORDINATES)]


def moments_of(*, part: str) -> Finding:
    """Compare every claimed identity of one part of Lemma C.1 with the moments of the sphere, for all d > 1 and for d = 1."""
    parts = [one for one in bounds.THEOREMS["dpzero.lemma_c1"].parts if one.name.startswith(f"{part} ")]
    named = means()["named"]
    for one in parts:
        difference = one.value.xreplace(named) - means()[one.name]
        if not is_zero(difference):
            point = {letter: sp.Integer(3 + i) for i, letter in enumerate(sorted(difference.free_symbols, key=str))}
            claimed, found = one.value.xreplace(named).xreplace(point), means()[one.name].xreplace(point)
            witness = {str(letter): int(value) for letter, value in point.items()} | {"claimed": float(claimed), "found": float(found)}
            return Finding(Outcome.REFUTED, f"({part}): {one.words} is {sp.sstr(found)}, not {sp.sstr(claimed)}", {}, witness)
    if not parts:
        return Finding(Outcome.INCONCLUSIVE, f"the theory has no part ({part}) of Lemma C.1 to compare with")
    sentence = "the identities follow from the surface element of the sphere, for every d: " + "; ".join(one.words for one in parts)
    return Finding(Outcome.PROVED, sentence, {"identities": len(parts), "coordinates written out": COORDINATES})


def fourth_moments(*, equation: str) -> Finding:
    """Establish (9), the diagonal through w_1 and w_2, or (10), w_1 + (d - 1) w_2 = d, from the moments of the sphere."""
    w_1, w_2, named = moment((4,)), moment((2, 2)), means()["named"]
    if equation == "9":
        left = means()["iii diagonal"]
        right = sp.expand((a_i**2 * w_1 + (a_sq - a_i**2) * w_2).xreplace(named))
    else:
        left, right = w_1 + (d - 1) * w_2, d
    at_theory = [is_zero(one.value - moment(powers)) for one, powers in _fourth_parts()]
    if not is_zero(left - right) or not all(at_theory):
        return Finding(Outcome.INCONCLUSIVE, f"({equation}): the moments of the sphere and those of the theory differ; one is wrong")
    numbers = {"w_1": sp.sstr(w_1), "w_2": sp.sstr(w_2)}
    return Finding(Outcome.PROVED, f"({equation}) holds for every d > 1, with w_1 = {w_1} and w_2 = {w_2}", numbers)


def _fourth_parts() -> list[tuple[Any, tuple[int, ...]]]:
    powers = {"fourth moment": (4,), "mixed fourth moment": (2, 2)}
    return [(one, powers[one.name]) for one in bounds.THEOREMS["dpzero.lemma_c1"].parts if one.name in powers]


def one_dimension() -> Finding:
    """Take u = 1 and u = -1 in turn and compare (iii) and (iv) at d = 1, where w_2 = (d - w_1)/(d - 1) is 0/0."""
    a, h = sp.symbols("a h", real=True)
    average = lambda f: sp.expand((f(sp.Integer(1)) + f(sp.Integer(-1))) / 2)  # noqa: E731
    weighted = {one.name: one.value for one in bounds.THEOREMS["dpzero.lemma_c1"].parts}
    at = {d: sp.Integer(1), a_i: a, a_sq: a**2, a_H: a**2 * h, trace_H: h}
    differences = [
        average(lambda u: (u * a) ** 2 * u**2) - weighted["iii diagonal"].xreplace(at),
        average(lambda u: (u * a) ** 2 * h * u**2) - weighted["iv weighted"].xreplace(at),
    ]
    if all(is_zero(one) for one in differences):
        return Finding(Outcome.PROVED, "at d = 1 the mean over u = 1 and u = -1 is what (iii) and (iv) say", {"identities": 2})
    return Finding(Outcome.INCONCLUSIVE, f"at d = 1 the two sides differ by {differences}; the theory's constants must be corrected")


def tail(*, dimensions: tuple[int, ...], points: int, claimed: str) -> Finding:
    """Compare the exact Beta tail of u'a, ||a|| = 1, with the tail that the theory holds for the paper."""
    theorem = bounds.THEOREMS[claimed]
    letters = [C, a_sq if theorem.bound.has(a_sq) else symbols("L")[0]]
    bound = sp.lambdify(letters, theorem.bound, "math")
    same = is_zero(theorem.bound - (printed.TAIL if theorem.bound.has(a_sq) else printed.TAIL_L))
    worst, at, tried = 0.0, (1, 0.0), 0
    for dimension in dimensions:
        for k in range(points + 1):
            c = k / points * dimension**0.5
            exact = float(c <= 1) if dimension == 1 else float(special.betainc((dimension - 1) / 2, 0.5, 1 - c * c / dimension))
            tried += 1
            if exact > worst * bound(c, 1.0):
                worst, at = exact / bound(c, 1.0), (dimension, c)
    numbers = {"tried": tried, "largest tail / bound": worst}
    if worst > 1:
        witness = {"d": at[0], "C": at[1], "||a||": 1, "tail / bound": worst}
        return Finding(Outcome.REFUTED, f"at d = {at[0]}, C = {at[1]:g} the exact tail is {worst:.3g} times the bound", numbers, witness)
    if not same:
        return Finding(
            Outcome.INCONCLUSIVE, "the theory holds another tail than the printed one; comparing the two would settle it", numbers
        )
    return Finding(Outcome.CONSISTENT, f"the exact Beta tail is at most {worst:.3f} of the bound at {tried} points", numbers)


def no_direction(*, multiples: tuple[int, ...]) -> Finding:
    """Let a fall to 0 with C a fixed multiple of ||a||, the tail's value at a = 0, C = 0 seen from several sides, where the tail is 1."""
    if not is_zero(bounds.THEOREMS[C1].bound - printed.TAIL):
        return Finding(Outcome.INCONCLUSIVE, "the theory holds another tail than the printed one; comparing the two would settle it")
    limits = {k: sp.limit(printed.TAIL.xreplace({C: k * sp.sqrt(a_sq)}), a_sq, 0, "+") for k in multiples}
    inserted = printed.TAIL.xreplace({C: sp.Integer(0), a_sq: sp.Integer(0)})
    apart = sp.limit(printed.TAIL.xreplace({C: sp.Integer(1)}), a_sq, 0, "+")  # a = 0, C = 1: the probability is 0
    numbers = {**{f"limit along C = {k} ||a||": float(value) for k, value in limits.items()}, "a = 0, C = 0 inserted": sp.sstr(inserted)}
    numbers["limit a -> 0 at C = 1"] = float(apart)
    low = min(limits, key=lambda k: limits[k])
    if limits[low] < 1 < max(limits.values()) and not inserted.is_finite:
        witness = {"a": 0, "C": 0, "P(|u'a| >= C)": 1, "exponent": "-0/0", f"limit along C = {low} ||a||": float(limits[low])}
        sentence = (
            f"at a = 0, C = 0 the probability is 1 and the exponent is 0/0: along C = {low} ||a|| the bound tends to "
            f"{float(limits[low]):.3g}, so no value at 0 continues it"
        )
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, f"at a = 0, C = 0 the bound is {inserted}, at least {float(limits[low]):.4g} nearby", numbers)


def any_function() -> Finding:
    """Differentiate the smoothed step function of one dimension from both sides of x = lam."""
    x, s, h = sp.symbols("x s h", real=True)
    width = sp.Symbol("lam", positive=True)
    smoothed = sp.integrate(sp.Heaviside(s, 1), (s, x - width, x + width)) / (2 * width)
    slopes = [sp.limit((smoothed.subs(x, width + h) - smoothed.subs(x, width)).subs(width, 1) / h, h, 0, side) for side in ("-", "+")]
    numbers = {"left derivative at lam": sp.sstr(slopes[0]), "right derivative at lam": sp.sstr(slopes[1])}
    if slopes[0] == slopes[1]:
        return Finding(Outcome.INCONCLUSIVE, "the smoothed step has one slope at lam; another function must be tried", numbers)
    witness = {
        "f(x)": "1 where x >= 0, else 0",
        "d": 1,
        "lam": 1,
        "x": 1,
        "left derivative": float(slopes[0]),
        "right derivative": float(slopes[1]),
    }
    sentence = f"the step function at 0, smoothed with lam = 1, has the slopes {slopes[0]} and {slopes[1]} on the two sides of x = 1"
    return Finding(Outcome.REFUTED, sentence, numbers, witness)


def smoothed_gradient(*, dimensions: tuple[int, ...], degree: int, samples: int) -> Finding:
    """Compare E g with the gradient of f_lam for every monomial up to a degree, and examine the steps of the proof."""
    finding = examine_steps(bounds.DERIVATIONS["dpzero.lemma_c2"], ("symmetry", "divergence", "gradient_of_mean"), samples=samples)
    if finding.outcome is not Outcome.CONSISTENT:
        return finding
    width, tried = sp.Symbol("lam", positive=True), 0
    for dimension in dimensions:
        x, u = sp.symbols(f"x_1:{dimension + 1}", real=True), sp.symbols(f"u_1:{dimension + 1}", real=True)
        for powers in product(range(degree + 1), repeat=dimension):
            if not 0 < sum(powers) <= degree or tuple(sorted(powers, reverse=True)) != powers:
                continue
            f = reduce(lambda value, pair: value * pair[0] ** pair[1], zip(x, powers, strict=True), sp.Integer(1))
            ahead, back = (f.subs({xi: xi + sign * width * ui for xi, ui in zip(x, u, strict=True)}, simultaneous=True) for sign in (1, -1))
            estimate = _mean((ahead - back) / (2 * width) * u[0], u, dimension, in_ball=False)
            smooth = sp.diff(_mean(ahead, u, dimension, in_ball=True), x[0])
            tried += 1
            if sp.expand(estimate - smooth) != 0:
                witness = {"f": sp.sstr(f), "d": dimension, "E g": sp.sstr(estimate), "gradient of f_lam": sp.sstr(smooth)}
                return Finding(Outcome.REFUTED, f"for f = {f} the two differ", {}, witness)
    sentence = f"{finding.sentence}; and exactly so for each of {tried} monomials up to degree {degree}, whose means are exact"
    return Finding(Outcome.CONSISTENT, sentence, {**finding.numbers, "monomials": tried})


def _mean(polynomial: Any, u: tuple[Any, ...], dimension: int, *, in_ball: bool) -> Any:
    """Return the exact mean over the sphere, or the ball, of radius sqrt(dimension); in the ball E R^p = dimension / (dimension + p)."""
    total = sp.Integer(0)
    for powers, coefficient in sp.Poly(sp.expand(polynomial), *u).terms():
        mean = moment(tuple(sorted(powers, reverse=True)))
        inside = sp.Rational(dimension, dimension + sum(powers)) if in_ball else 1
        total += coefficient * sp.limit(mean, d, dimension) * inside
    return sp.expand(total)


def second_part(*, lines: tuple[str, ...], part: str, samples: int) -> Finding:
    """Examine the steps to one half of Lemma C.2 (ii), and compare what the theory holds with the print."""
    chain, lemma = bounds.DERIVATIONS["dpzero.lemma_c2"], bounds.THEOREMS["dpzero.lemma_c2"]
    held, wanted = (lemma.bound, printed.BIAS) if part == "bias" else (lemma.parts[0].value, printed.SECOND_MOMENT)
    finding = examine_steps(chain, lines, samples=samples)
    reached = chain[lines[-1]].rhs.xreplace({grad_f_sq: a_sq})
    if finding.outcome in (Outcome.PROVED, Outcome.CONSISTENT) and not (is_zero(held - wanted) and is_zero(reached - wanted)):
        return Finding(
            Outcome.INCONCLUSIVE, "the theory holds another constant than the printed one; comparing them would settle it", finding.numbers
        )
    return finding


SURFACE = "every moment is a product of Beta integrals of the surface element, for symbolic d"
C1, C2 = "dpzero.lemma_c1", "dpzero.lemma_c2"


def _part(part: str, words: str, latex: str) -> Claim:
    return Claim(
        key=f"dpzero.lemma_c1.{part}", source=f"Lemma C.1 ({part})", words=words, latex=latex, kind=Kind.IDENTITY, expected=Outcome.PROVED,
        why=SURFACE, examine=moments_of, arguments={"part": part}, derivations=(C1,),
    )  # fmt: skip


CLAIMS = (
    _part("i", "E u = 0 and E uu' is the identity", r"\mathbb{E}[u] = 0,\quad \mathbb{E}[uu^{\top}] = I_d"),
    _part("ii", "E u'a = 0 and E (u'a)^2 = ||a||^2", r"\mathbb{E}[u^{\top}a] = 0,\quad \mathbb{E}[(u^{\top}a)^2] = \|a\|^2"),
    Claim(
        key="dpzero.lemma_c1.ii_tail", source="Lemma C.1 (ii)", words="P(|u'a| >= C) <= 2 sqrt(2 pi) exp(-C^2 / (8 ||a||^2))",
        latex=r"\mathbb{P}(|u^{\top}a| \ge C) \le 2\sqrt{2\pi}\exp\left(-\frac{C^2}{8\|a\|^2}\right)",
        kind=Kind.INEQUALITY, expected=Outcome.CONSISTENT,
            why="rests on (8), which is cited; the exact Beta tail stays below a quarter of it",
        examine=tail, arguments={"dimensions": (1, 2, 3, 4, 5, 8, 20, 100, 1000, 100_000), "points": 100, "claimed": C1},
        full={"points": 5000}, derivations=(C1, "dpzero.sharp_tail_linear"), repaired_by="dpzero.sharp_tail_linear.chain",
    ),
    Claim(
        key="dpzero.section4.tail", source="Section 4, display before Algorithm 2",
        words="P(|u'grad f| >= C) <= 2 sqrt(2 pi) exp(-C^2 / (8 L^2)) for an L-Lipschitz sample",
        latex=r"\mathbb{P}(|u_t^{\top}\nabla f(x_t;\xi_i)| \ge C) \le 2\sqrt{2\pi}\exp\left(-\frac{C^2}{8L^2}\right)",
        kind=Kind.INEQUALITY, expected=Outcome.CONSISTENT, why="Lemma C.1 (ii) with ||a|| <= L; the exact tail at ||a|| = L is the worst",
        examine=tail, arguments={"dimensions": (1, 2, 3, 5, 20, 1000, 100_000), "points": 100, "claimed": "dpzero.section4_tail"},
        full={"points": 5000}, derivations=("dpzero.section4_tail",),
    ),
    Claim(
        key="dpzero.lemma_c1.ii_no_direction", source="Lemma C.1 (ii)", words="The tail bound is meant for every fixed a, a = 0 included",
        kind=Kind.SCOPE, stated="reading", expected=Outcome.REFUTED, why="the exponent divides by ||a||^2", examine=no_direction,
        arguments={"multiples": (0, 1, 10)},
        correction="a must not be 0 (at a = 0 nothing needs a bound)", derivations=(C1,),
    ),
    _part("iii", "E (u'a) u = a, E (u'a)^2 ||u||^2 = d ||a||^2 and E (u'a)^2 uu' = d/(d+2) (2 aa' + ||a||^2 I)",
          r"\mathbb{E}[(u^{\top}a)^2uu^{\top}] = \frac d{d+2}(2aa^{\top} + \|a\|^2I_d)"),
    _part("iv", "E u'Hu = Tr(H) and E (u'a)^2 u'Hu = d/(d+2) (2 a'Ha + ||a||^2 Tr(H))",
          r"\mathbb{E}[(u^{\top}a)^2u^{\top}Hu] = \frac d{d+2}(2a^{\top}Ha + \|a\|^2\operatorname{Tr}(H))"),
    Claim(
        key="dpzero.lemma_c1.one_dimension", source="Lemma C.1 (iii), (iv)",
        words="(iii) and (iv) hold for d = 1 too, where the proof's Beta law is degenerate and its w_2 is 0/0",
        kind=Kind.IDENTITY, stated="reading", expected=Outcome.PROVED, why="u is 1 or -1", examine=one_dimension, derivations=(C1,),
    ),
    Claim(
        key="dpzero.equation_9.derived", source="Appendix C, equation (9)", words="E (u'a)^2 u_i^2 = a_i^2 w_1 + (||a||^2 - a_i^2) w_2",
        latex=formulas.EQUATIONS["9"],
        kind=Kind.IDENTITY, expected=Outcome.PROVED, why=SURFACE, examine=fourth_moments, arguments={"equation": "9"}, derivations=(C1,),
    ),
    Claim(
        key="dpzero.equation_10.derived", source="Appendix C, equation (10)", words="w_1 + (d - 1) w_2 = d",
        latex=formulas.EQUATIONS["10"], kind=Kind.IDENTITY, expected=Outcome.PROVED, why=SURFACE, examine=fourth_moments,
        arguments={"equation": "10"}, derivations=(C1,),
    ),
    Claim(
        key="dpzero.lemma_c2.i", source="Lemma C.2 (i)", words="For continuous f, E g_lambda(x) is the gradient of f_lambda",
        latex=r"\mathbb{E}_u[g_\lambda(x)] = \nabla f_\lambda(x)", kind=Kind.IDENTITY, stated="reading", expected=Outcome.CONSISTENT,
        why="rests on a cited lemma of Flaxman et al. (2005); exact for polynomials", examine=smoothed_gradient,
        arguments={"dimensions": (1, 2, 3), "degree": 4, "samples": 40}, full={"degree": 6, "samples": 1000}, derivations=(C2,),
    ),
    Claim(
        key="dpzero.lemma_c2.any_function", source="Lemma C.2 (i)", words="f_lambda is differentiable, whatever function f is",
        latex=r"f_\lambda(x) = \mathbb{E}_v[f(x + \lambda v)]", kind=Kind.SCOPE, expected=Outcome.REFUTED,
        why="a step function has a smoothed function with kinks", examine=any_function,
        correction="It holds for continuous f, hence for the Lipschitz f of the paper", repaired_by="dpzero.lemma_c2.i", derivations=(C2,),
    ),
    Claim(
        key="dpzero.lemma_c2.ii_bias", source="Lemma C.2 (ii)",
        words="||grad f - grad f_lambda|| <= (ell/2) lambda d^(3/2) for ell-smooth f",
        latex=r"\|\nabla f(x) - \nabla f_\lambda(x)\| \le \tfrac\ell2\lambda d^{3/2}", kind=Kind.INEQUALITY, expected=Outcome.CONSISTENT,
        why="the algebra is certified; that E g is the gradient of f_lam is cited", examine=second_part,
        arguments={"lines": ("symmetry", "divergence", "gradient_of_mean", "bias"), "part": "bias", "samples": 60},
        full={"samples": 1000}, derivations=(C2, "dpzero.sharp_bias"),
    ),
    Claim(
        key="dpzero.lemma_c2.ii_second_moment", source="Lemma C.2 (ii)",
        words="E ||g||^2 <= 2 d ||grad f||^2 + (ell^2/2) lambda^2 d^3, given the two Taylor remainders of an ell-smooth f",
        latex=formulas.EQUATIONS["11"], kind=Kind.INEQUALITY,
        expected=Outcome.PROVED, why="(a + b)^2 <= 2 a^2 + 2 b^2 twice", examine=second_part,
        arguments={"lines": ("square", "second_moment"), "part": "second moment", "samples": 60}, full={"samples": 1000}, derivations=(C2,),
    ),
)  # fmt: skip
