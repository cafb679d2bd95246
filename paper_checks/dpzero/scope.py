"""What do DPZero's hypotheses admit? The PL inequality everywhere, a bound on the loss that is global, directions off the sphere."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import sympy as sp
from mpmath import mp

from bounds import symbols as s
from bounds.certificates import Outcome as Certificate
from bounds.certificates import verify
from bounds.derivation import GIVENS, Assumed, Cited, Defined, Derivation, NonNegative, Reasoned, Substitution, fact, line
from bounds.dpzero import THEOREMS
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Plot

h, g, start, ceiling = sp.symbols("h g h_0 m", positive=True)
rate, h_next, time_s = sp.symbols("rate h_next time_s", real=True)
VACUOUS = Derivation(
    key="dpzero.assumption_f1.vacuous",
    title="PL on R^d and a bounded gradient leave only constants",
    source="our proof",
    spelled={"s": time_s},
    facts=(
        fact("pl", "PL: g = ||grad F||^2, h = F - F^*", g, ">=", 2 * s.mu * h, Assumed()),
        fact("lipschitz", "F is L-Lipschitz", g, "<=", s.L**2, Assumed()),
        fact(
            "product_rule",
            "the derivative of e^(-2 mu s) h along the flow dx/ds = grad F_S(x), which exists for all s, where dh/ds = g",
            rate,
            "=",
            sp.exp(-2 * s.mu * time_s) * (g - 2 * s.mu * h),
            Reasoned("product rule; `pl_on_the_whole_space` has SymPy differentiate"),
        ),
        fact("time", "when h_0 e^(2 mu s) reaches m", time_s, "=", sp.log(ceiling / start) / (2 * s.mu), Defined()),
        fact(
            "ascent",
            "F_S(x + v) >= F_S(x) + <grad F_S(x), v> - (ell/2) ||v||^2 at v = grad F_S(x)/ell",
            h_next,
            ">=",
            h + g / s.ell - g / (2 * s.ell),
            Cited("the descent lemma"),
        ),
    ),
    steps=(
        line(
            "grows",
            "so the rate of e^(-2 mu s) h is not negative",
            rate,
            ">=",
            0,
            "PL",
            NonNegative(((sp.exp(-2 * s.mu * time_s), "pl"),), modulo=((1, "product_rule"),)),
            where=GIVENS,
        ),
        line(
            "bounded",
            "h is at most L^2/(2 mu) everywhere",
            h,
            "<=",
            s.L**2 / (2 * s.mu),
            "2 mu h <= g <= L^2",
            NonNegative(((1 / (2 * s.mu), "pl"), (1 / (2 * s.mu), "lipschitz"))),
            where=GIVENS,
        ),
        line(
            "reached",
            "but h >= h_0 e^(2 mu s) reaches any m at an explicit time",
            start * sp.exp(2 * s.mu * time_s),
            "=",
            ceiling,
            "insert the time log(m/h_0)/(2 mu)",
            Substitution(("time",)),
        ),
        line(
            "by_steps",
            "the same without a flow: a step x + grad F_S(x)/ell raises h to h_next, by the factor 1 + mu/ell",
            h_next,
            ">=",
            (1 + s.mu / s.ell) * h,
            "the ascent and PL",
            NonNegative((("ascent",), (1 / (2 * s.ell), "pl"))),
            where=GIVENS,
        ),
    ),
)


def pl_on_the_whole_space(*, mu: float, start: float, B: float | None) -> Finding:
    """Prove that PL on R^d and a bounded gradient leave only constants, and climb log cosh to a point where PL with `mu` is false."""
    path = sp.Function("h")(time_s)
    weighted = sp.exp(-2 * s.mu * time_s) * path
    product_rule = sp.expand(sp.diff(weighted, time_s) - sp.exp(-2 * s.mu * time_s) * (sp.diff(path, time_s) - 2 * s.mu * path))
    results = [verify(VACUOUS, one.name).outcome for one in VACUOUS.steps]
    proved = product_rule == 0 and all(one is Certificate.CERTIFIED for one in results)
    with mp.workdps(30):
        x = mp.mpf(start)
        height = mp.log(mp.cosh(x))  # log cosh: L = ell = 1, smallest value 0
        limit = min(1 / (2 * mu), 2 * B if B is not None else math.inf)
        time = float(mp.log(limit / height) / (2 * mu))
        at_most = math.ceil(mp.log(limit / height) / mp.log(1 + mp.mpf(mu))) + 1
        steps, ratio = 0, mp.tanh(x) ** 2 / (2 * mp.log(mp.cosh(x)))
        while ratio >= mu and (B is None or mp.log(mp.cosh(x)) <= B) and steps <= at_most:
            x, steps = x + mp.tanh(x), steps + 1
            ratio = mp.tanh(x) ** 2 / (2 * mp.log(mp.cosh(x)))
        far = {float(at): float(mp.tanh(at) ** 2 / (2 * mp.log(mp.cosh(at)))) for at in (0.1, 1, 5, 10, 60, 600)}
    numbers = {"steps of the proof": len(results), "|f'|^2 / (2 (f - f*)) of log cosh": far}
    witness = {
        "L": 1.0,
        "ell": 1.0,
        "mu": mu,
        "x_0": start,
        "contradiction at flow time": time,
        "at the latest after ascent steps": at_most,
        "log cosh fails after": steps,
        "at x": float(x),
        "|f'|^2 / (2 (f - f*))": float(ratio),
        "f - f*": float(mp.log(mp.cosh(x))),
    }
    if proved and steps <= at_most:
        sentence = f"h grows like e^(2 mu s) along the flow, yet 2 mu h <= L^2; log cosh, mu = {mu:g}, breaks at x = {float(x):.4g}"
        plot = Plot(tuple(far), {"log cosh": tuple(far.values())}, "x", "|f'|^2 / (2 (f - f*))")
        return Finding(Outcome.REFUTED, sentence, numbers, witness, plot=plot)
    return Finding(Outcome.INCONCLUSIVE, "a step of the proof does not check; a repaired proof would settle it", numbers)


def unbounded_loss(*, bounds: Sequence[float], n: float, epsilon: float, delta: float) -> Finding:
    """Return the exact P(|F_S(x_1)| > B) for f = sqrt(1 + x^2) - 1, d = 1, with the schedule of Theorem 3 for that B, x_0 = 1."""
    logs = {}
    for B in bounds:
        at = THEOREMS["dpzero.theorem3"].evaluate(n=n, d=1, r=1, epsilon=epsilon, delta=delta, L=1.0, ell=1.0, gap=math.sqrt(2) - 1, B=B)
        with mp.workdps(50):
            lam, alpha, C = (mp.mpf(at.schedule[name]) for name in ("lam", "alpha", "C"))
            deviation = alpha * mp.mpf(at.schedule["sigma"])
            difference = (mp.sqrt(1 + (1 + lam) ** 2) - mp.sqrt(1 + (1 - lam) ** 2)) / (2 * lam)
            centre = 1 - alpha * min(difference, C)  # x_1 ~ N(centre, deviation^2), because u_0 = +-1
            edge = mp.sqrt((1 + mp.mpf(B)) ** 2 - 1)  # |F_S(x)| > B beyond it
            probability = mp.ncdf((centre - edge) / deviation) + mp.ncdf((-centre - edge) / deviation)
            logs[B] = float(mp.log10(probability)) if probability > 0 else -math.inf
    numbers = {f"log10 P(|F_S(x_1)| > {B:g})": value for B, value in logs.items()}
    if all(math.isfinite(value) for value in logs.values()):
        witness = {"f": "sqrt(1 + x^2) - 1", "x_0": 1, "n": n, "epsilon": epsilon, "delta": delta, **numbers}
        sentence = f"P(|F_S(x_1)| > {bounds[0]:g}) = 10^{logs[bounds[0]]:.4g}: the noise reaches every point"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "no probability outside", numbers)


def gaussian_never_clips(*, dimensions: Sequence[int]) -> Finding:
    """Return exact probabilities for u ~ N(0, I): of ||u||^2 > d, and of clipping the linear loss L x_1 at C = L d."""
    numbers: dict[str, float] = {}
    with mp.workdps(30):
        for d in dimensions:
            numbers[f"P(|u|^2 > d), d = {d}"] = float(mp.gammainc(mp.mpf(d) / 2, mp.mpf(d) / 2, mp.inf, regularized=True))
        clip = float(mp.erfc(1 / mp.sqrt(2)))  # d = 1: the gradient estimate is L u^2, clipped at L
        half = mp.mpf(19) / 2  # d = 20: |u_1| ||u|| > 20 where the other 19 squares exceed 400/u_1^2 - u_1^2

        def density(v: Any) -> Any:
            rest = 400 / v**2 - v**2
            tail = mp.gammainc(half, rest / 2, mp.inf, regularized=True) if rest > 0 else mp.mpf(1)
            return 2 * mp.npdf(v) * tail

        numbers["P(clip), d = 1"] = clip
        numbers["P(clip), d = 20"] = float(mp.quad(density, [0.5, 2, 3, 4, mp.sqrt(20), 6, 10]))
    if clip > 0:
        witness = {"d": 1, "f": "L x", "C": "L d", "u": "N(0, 1)", "P(clip)": clip}
        return Finding(Outcome.REFUTED, f"for f = L x, d = 1 and Gaussian u, C = L d clips with probability {clip:.4f}", numbers, witness)
    return Finding(Outcome.CONSISTENT, "no clipping", numbers)


def atoms(d: int) -> list[sp.Matrix]:
    """Return the 2d equally likely values of u = +-sqrt(d) e_i, a direction of length sqrt(d) along a random axis."""
    axes = [sp.sqrt(d) * sp.eye(d)[:, i] for i in range(d)]
    return [sign * one for one in axes for sign in (1, -1)]


def mean(values: Sequence[Any]) -> Any:
    """Return the mean of equally likely values."""
    total = values[0]
    for one in values[1:]:
        total += one
    return total / len(values)


def other_moments(*, dimensions: Sequence[int]) -> Finding:
    """Take u = +-sqrt(d) e_i, a = e_1, H = diag(1, 0, ..., 0), so ell = r = 1: every mean is a finite sum.

    Compared are Lemma C.1 (iv) and E (u'a)^2 u'Hu <= ell (r + 2) ||a||^2, on which (15), (19) and with them the rates in r rest.
    """
    numbers: dict[str, Any] = {}
    for d in dimensions:
        law, a, H = atoms(d), sp.eye(d)[:, 0], sp.diag(1, *[0] * (d - 1))
        if mean(law) != sp.zeros(d, 1) or mean([u * u.T for u in law]) != sp.eye(d):
            return Finding(Outcome.INCONCLUSIVE, f"d = {d}: this law does not have E u = 0 and E u u' = I; another must be tried")
        weighted = mean([u.dot(a) ** 2 * (u.T * H * u)[0] for u in law])
        printed = sp.Rational(d, d + 2) * (2 * (a.T * H * a)[0] + a.dot(a) * H.trace())
        needed = H[0, 0] * (H.trace() + 2) * a.dot(a)  # ell (r + 2) ||a||^2
        numbers[f"d = {d}"] = {"E (u'a)^2 u'Hu": str(weighted), "Lemma C.1 (iv)": str(printed), "ell (r + 2) ||a||^2": str(needed)}
        if weighted > needed and weighted != printed:
            x = sp.Symbol("x", real=True)
            gaussian = sp.integrate(x**4 * sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi), (x, -sp.oo, sp.oo))
            numbers["u Gaussian, any d: E (u'a)^2 u'Hu = E u_1^4"] = str(gaussian)
            witness = {"u": "+-sqrt(d) e_i, equally likely", "d": d, "a": "e_1", "H": "diag(1, 0, ..., 0)", "r": 1, "ell": 1}
            sentence = f"u = +-sqrt(d) e_i, d = {d}: E (u'a)^2 u'Hu = {weighted}, by (iv) {printed}; the proofs need at most {needed}"
            return Finding(Outcome.REFUTED, sentence, numbers, {**witness, **numbers[f"d = {d}"]})
    return Finding(Outcome.CONSISTENT, f"no more than ell (r + 2) ||a||^2 in {len(dimensions)} dimensions", numbers)


def pl_claim(letter: str, setting: str, B: float | None) -> Claim:
    """Return the claim that the corollary speaks of some loss that is not constant."""
    return Claim(
        key=f"dpzero.corollary_{letter}.not_vacuous",
        source=f"Corollary {letter.upper()[0]}.{letter[1]}, hypotheses; Assumption F.1",
        words=f"The corollary says something: some F_S that is not constant satisfies {setting} and the PL inequality on all of R^d",
        latex=r"\|\nabla F_S(x)\|^2 \ge 2\mu(F_S(x) - F_S^*)\ \forall x\in\mathbb{R}^d",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="along the gradient flow F_S - F_S^* grows exponentially, while PL and the Lipschitz constant bound it by L^2/(2 mu)",
        examine=pl_on_the_whole_space,
        arguments={"mu": 0.1, "start": 0.1, "B": B},
        correction="On a bounded region both can hold; but noisy iterates leave every bounded region, and no repair is known to us",
        derivations=(f"dpzero.corollary_{letter}",),
    )


ANY_U = "Section 2.2: results extend directly to any u with E[u u'] = I"
CLAIMS = (
    pl_claim("f2", "Assumption 3.1", None),
    pl_claim("f3", "Assumption 3.5", None),
    pl_claim("f4", "Assumption 3.5, |F_S| <= B", 5.0),
    Claim(
        key="dpzero.theorem3.unbounded_loss",
        source="Theorem 3, hypothesis max |F_S(x_t)| <= B",
        words="The theorem covers unbounded losses: on sqrt(1 + x^2) - 1, |F_S(x_t)| <= B almost surely, for B = 10 or 1000",
        latex=r"\max_{0\le t\le T}|F_S(x_t)| \le B",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="one noisy step has a density that is positive everywhere, so B must bound |F_S| on all of R^d",
        examine=unbounded_loss,
        arguments={"bounds": (10.0, 1e3), "n": 100.0, "epsilon": 2.0, "delta": 1e-6},
        correction="B must bound |F_S| on R^d; a proof with the size of one step in its place needs no B at all",
        derivations=("dpzero.theorem3",),
    ),
    Claim(
        key="dpzero.section2.any_direction_never_clips",
        source=ANY_U,
        words="C = L d never clips for any u with E[u u'] = I",
        latex=r"\|g_\lambda(x;\xi)\| \le L\|u\|^2 \le Ld",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="a Gaussian u is longer than sqrt(d) about half of the time",
        examine=gaussian_never_clips,
        arguments={"dimensions": (2, 20, 2000)},
        correction="It holds for directions with ||u||^2 <= d; Remark 4.3 itself leaves the Gaussian case open",
    ),
    Claim(
        key="dpzero.section2.any_direction_moments",
        source=ANY_U,
        words="For any u with E[u u'] = I, E (u'a)^2 u'Hu is d/(d+2) (2 a'Ha + ||a||^2 Tr(H)), hence at most ell (r + 2) ||a||^2",
        latex=r"\mathbb{E}[(u^\top a)^2u^\top Hu] = \tfrac{d}{d+2}(2a^\top Ha+\|a\|^2\operatorname{Tr}(H)) \le \ell(r+2)\|a\|^2",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="second moments do not fix fourth ones: with u = +-sqrt(d) e_i the mean is d at r = 1, so no bound by r alone can hold",
        examine=other_moments,
        arguments={"dimensions": (1, 2, 3, 4)},
        correction="It needs the fourth moments too; for a Gaussian u the factor d/(d+2) is 1, which keeps ell (r + 2), while Theorem 1's "
        "alpha must become 1/(4 ell (d + 2))",
        correction_latex=r"\mathbb{E}[(u^\top a)^2u^\top Hu] = 2a^\top Ha+\|a\|^2\operatorname{Tr}(H)",
        repaired_by="dpzero.lemma_c1.iv",
    ),
)
