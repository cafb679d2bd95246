"""Checks of the assumptions: the effective rank of 3.5, directions that are not on the sphere (Section 2.2), and the experiment's loss."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp

from bounds.dpzero import DERIVATIONS, THEOREMS
from bounds.symbols import T, r
from paper_checks.dpzero import printed
from paper_checks.record import Record
from paper_checks.shared.orders import fix_symbols
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Finding, Outcome
from synthetic.objectives.sums import spectrum_values


def check_zero_rank(*, keys: Sequence[str]) -> Finding:
    """Check whether theorems `keys` prescribe a finite T* as r falls to 0, which H = 0 allows, by limits; return a Finding."""
    limits, refused = dict[str, tuple[Any, ...]](), list[str]()
    for key in keys:
        page = printed.PAGES[key]
        limits[key] = tuple(sp.limit(fix_symbols(page.in_constants(one), AT_RANK_0, keep=r), r, 0, "+") for one in (T, page.bound))
        try:
            THEOREMS[key].evaluate(**AT_RANK_0, r=0.0)
        except ValueError as error:
            refused.append(str(error))
    record = Record({f"{key}: limits of T* and of the bound": tuple(map(sp.sstr, two)) for key, two in limits.items()})
    record.note({"the library says": refused[0] if refused else "nothing"})
    if len(refused) < len(keys):
        return record.leave_open("the library evaluates a statement at r = 0, where its T is not a number")
    infinite = [key for key, (steps, _) in limits.items() if steps.is_infinite]
    if not infinite or any(bound != 0 for _, bound in limits.values()):
        return record.conclude("T* is finite at r = 0")
    sentence = (
        "as r falls to 0, T* grows without end while the bound falls to 0, which is true: H = 0 leaves only constants; "
        "but no number of steps is prescribed"
    )
    return record.refute(sentence, {"F_S": "constant", "H": 0, "r": 0, **AT_RANK_0, "T*": "infinite in " + ", ".join(infinite)})


def check_rank_range(*, samples: int) -> Finding:
    """Check that 1 <= Tr(H)/||H|| <= d for every H >= 0, by proof and on `samples` random matrices; return a Finding."""
    proof, chance = DERIVATIONS["dpzero.least_rank"], np.random.default_rng(0)
    if (finding := check_steps(proof, [step.name for step in proof.steps], samples=samples)).outcome is not Outcome.PROVED:
        return finding
    for trial in range(samples):
        dimension = int(chance.integers(1, 30))
        root = chance.standard_normal((dimension, 1 + trial % dimension)) if trial else np.eye(dimension)
        eigenvalues = np.linalg.eigvalsh(root @ root.T)
        rank = float(np.sum(eigenvalues) / eigenvalues[-1])
        if not 1 - 1e-9 <= rank <= dimension * (1 + 1e-9):  # rounding of eigvalsh: 1e-15 d times the largest
            return Record(finding.numbers, seed=0).refute(f"Tr(H)/||H|| = {rank!r}", {"d": dimension, "r": rank})
    return finding.also(f"1 <= Tr(H)/||H|| <= d for {samples} matrices")


ADDITIONS = 1e-12  # relative rounding of a float sum of up to 3000 positive terms, 3000 * 2^-53, with room


def check_harmonic_rank(*, exact: int, points: int, samples: int) -> Finding:
    """Check that log(d + 1) <= r(d) <= 1 + log(d) for eigenvalues ell/i, by induction and by sums up to d = 10^11; return a Finding."""
    if (finding := check_steps(DERIVATIONS["dpzero.harmonic_rank"], samples=samples)).outcome is not Outcome.PROVED:
        return finding
    record, total = Record(finding.numbers), Fraction(0)
    for one in range(1, exact + 1):
        total, rank = total + Fraction(1, one), float(np.sum(spectrum_values("inverse", one)))
        if abs(rank / float(total) - 1) > ADDITIONS or not math.log(one + 1) <= total <= 1 + math.log(one):
            witness = {"d": one, "Tr(H)/||H||": float(total), "of the objective": rank, "1 + log(d)": 1 + math.log(one)}
            return record.refute(f"d = {one}: the rank is {rank:.6g}", witness)
    with mp.workdps(30):
        for one in np.geomspace(exact, 1e11, points).round().tolist():  # the largest d of the glossary
            if not mp.log(one + 1) <= mp.harmonic(one) <= 1 + mp.log(one):
                witness = {"d": one, "Tr(H)/||H||": float(mp.harmonic(one)), "1 + log(d)": float(1 + mp.log(one))}
                return record.refute(f"d = {one:g}: the rank is above 1 + log(d)", witness)
    words = f"by induction log(d + 1) <= r(d) <= 1 + log(d), and so it is for each of {exact + points} values of d"
    return finding.also(words, dimensions=exact + points)


def check_second_derivative() -> Finding:
    """Check whether Assumption 3.1 implies the second derivative that Assumption 3.5 needs, on Huber's function at x = 1; return a Finding.

    Huber's function is 1-Lipschitz and 1-smooth, and its smallest value is 0.
    """
    x, h = sp.symbols("x h", real=True)
    inner, outer = x**2 / 2, x - sp.Rational(1, 2)
    smooth = inner.subs(x, 1) == outer.subs(x, 1) and sp.diff(inner, x).subs(x, 1) == sp.diff(outer, x).subs(x, 1)
    slopes = [sp.limit((sp.diff(piece, x).subs(x, 1 + h) - 1) / h, h, 0, side) for piece, side in ((inner, "-"), (outer, "+"))]
    if not smooth or slopes[0] == slopes[1]:
        return Record().leave_open("the function does not separate the two assumptions")
    at = {"f(x)": "x^2/2 where |x| <= 1, |x| - 1/2 beyond", "d = n = L = ell": 1, "x": 1}
    sentence = "Huber's function meets Assumption 3.1 for every dataset, and has no second derivative at 1, which 3.5 asks for"
    return Record().refute(sentence, {**at, "second derivative from the left": float(slopes[0]), "from the right": float(slopes[1])})


def check_gaussian_clipping(*, dimensions: Sequence[int]) -> Finding:
    """Check whether Gaussian directions never clip f = L x_1 at C = L d, by the exact P(clip) at d = 1 and d = 20; return a Finding.

    P(||u||^2 > d) for each of `dimensions` is noted too.
    """
    record = Record()
    with mp.workdps(30):
        for d in dimensions:
            record.note({f"P(|u|^2 > d), d = {d}": float(mp.gammainc(mp.mpf(d) / 2, mp.mpf(d) / 2, mp.inf, regularized=True))})
        clip = float(mp.erfc(1 / mp.sqrt(2)))  # d = 1: the gradient estimate is L u^2, clipped at L
        half = mp.mpf(19) / 2  # d = 20: |u_1| ||u|| > 20 where the other 19 squares exceed 400/u_1^2 - u_1^2

        def density(v: Any) -> Any:
            rest = 400 / v**2 - v**2
            tail = mp.gammainc(half, rest / 2, mp.inf, regularized=True) if rest > 0 else mp.mpf(1)
            return 2 * mp.npdf(v) * tail

        record.note({"P(clip), d = 1": clip, "P(clip), d = 20": float(mp.quad(density, [0.5, 2, 3, 4, mp.sqrt(20), 6, 10]))})
    if clip > 0:
        sentence = f"for f = L x, d = 1 and Gaussian u, C = L d clips with probability {clip:.4f}"
        record.refute(sentence, {"d": 1, "f": "L x", "C": "L d", "u": "N(0, 1)", "P(clip)": clip})
    return record.conclude("no clipping")


def axis_directions(d: int) -> list[sp.Matrix]:
    """Return the 2d values +-sqrt(d) e_i of a random direction u along an axis, all equally likely, each a SymPy column (d, 1)."""
    return [sign * (sp.sqrt(d) * sp.eye(d)[:, i]) for i in range(d) for sign in (1, -1)]


def mean(values: Sequence[Any]) -> Any:
    """Return the mean of equally likely values: numbers or SymPy matrices."""
    return sum(values[1:], values[0]) / len(values)


def check_axis_moments(*, dimensions: Sequence[int]) -> Finding:
    """Check whether E (u'a)^2 u'Hu <= ell (r + 2) ||a||^2 for random u = +-sqrt(d) e_i, where E uu' = I, by sums; return a Finding.

    a = e_1 and H = diag(1, 0, ..., 0), so ell = r = 1, and every mean is a finite sum. The moment is compared with Lemma C.1 (iv) and with
    E (u'a)^2 u'Hu <= ell (r + 2) ||a||^2, on which (15), (19) and with them the rates in r rest.
    """
    record = Record()
    for dimension in dimensions:
        law, a, H = axis_directions(dimension), sp.eye(dimension)[:, 0], sp.diag(1, *[0] * (dimension - 1))
        if mean(law) != sp.zeros(dimension, 1) or mean([u * u.T for u in law]) != sp.eye(dimension):
            return Record().leave_open(f"d = {dimension}: this law does not have E u = 0 and E u u' = I; another must be tried")
        weighted = mean([u.dot(a) ** 2 * (u.T * H * u)[0] for u in law])
        by_the_lemma = sp.Rational(dimension, dimension + 2) * (2 * (a.T * H * a)[0] + a.dot(a) * H.trace())
        needed = H[0, 0] * (H.trace() + 2) * a.dot(a)  # ell (r + 2) ||a||^2
        found = {"E (u'a)^2 u'Hu": str(weighted), "Lemma C.1 (iv)": str(by_the_lemma), "ell (r + 2) ||a||^2": str(needed)}
        record.note({f"d = {dimension}": found})
        if weighted > needed and weighted != by_the_lemma:
            x = sp.Symbol("x", real=True)
            gaussian = sp.integrate(x**4 * sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi), (x, -sp.oo, sp.oo))
            record.note({"u Gaussian, any d: E (u'a)^2 u'Hu = E u_1^4": str(gaussian)})
            at = {"u": "+-sqrt(d) e_i, equally likely", "d": dimension, "a": "e_1", "H": "diag(1, 0, ..., 0)", "r": 1, "ell": 1}
            exact = f"E (u'a)^2 u'Hu = {weighted}, by (iv) {by_the_lemma}; the proofs need at most {needed}"
            return record.refute(f"u = +-sqrt(d) e_i, d = {dimension}: {exact}", {**at, **found})
    return record.conclude(f"no more than ell (r + 2) ||a||^2 in {len(dimensions)} dimensions")


def check_synthetic_lipschitz(*, d: int, L: float) -> Finding:
    """Check whether the synthetic quadratic loss is L-Lipschitz, by its gradient at 2 L e_1 from the minimum; return a Finding."""
    a = spectrum_values("inverse", d)
    x = np.zeros(d)  # offset from the mean of the samples, which is where F_S is smallest
    x[0] = 2 * L
    length, above_smallest = float(np.linalg.norm(a * x)), float(a @ x**2) / 2
    record = Record({"|grad F_S(x)|": length, "F_S(x) - F_S^*": above_smallest})
    if not (length <= L or above_smallest <= L):
        witness = {"A": f"diag(1, ..., 1/{d})", "x": f"mean of the samples + {2 * L:g} e_1", "L": L, **record.numbers}
        record.refute(f"{2 * L:g} away from the mean the gradient has norm {length:.4g}: no L and no B is enough", witness)
    return record.conclude("no longer gradient found")


AT_RANK_0 = {"n": 100.0, "d": 10.0, "epsilon": 2.0, "delta": 0.01, "L": 1.0, "ell": 1.0, "gap": 0.0, "B": 1.0, "mu": 0.5}
