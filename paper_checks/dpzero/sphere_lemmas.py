"""Lemmas C.1 and C.2 against exact expectations over the sphere, with the kernel of MeZO as the two-point estimate.

In two and three dimensions a mean over the sphere is a quadrature that is exact to rounding, so nothing here is statistical. For the
cosine objective the means have closed forms in every dimension: E cos(t u_1) = 0F1(d/2; -t^2 d/4) on the sphere of radius sqrt(d),
0F1(d/2 + 1; -t^2 d/4) in the ball.
"""

from __future__ import annotations

import math

import numpy as np
import sympy as sp
from scipy.special import betainc, hyp0f1

from bounds import moments
from bounds.dpzero.smoothing import LEMMA_C2
from bounds.dpzero.sphere import LEMMA_C1
from bounds.theorem import number
from paper_checks.dpzero.algorithms import NAMES, claim, replay, searched
from paper_checks.verdict import Finding, Kind, Outcome
from synthetic import kernels, lipschitz
from synthetic.draws import FloatArray
from synthetic.objectives import Objective


def sphere_rule(d: int, size: int) -> tuple[FloatArray, FloatArray]:
    """Return nodes (k, d) on the sphere of radius sqrt(d), d = 2 or 3, and weights: exact for polynomials of degree below `size`."""
    angle = 2 * np.pi * np.arange(size) / size
    circle = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    if d == 2:
        return math.sqrt(2) * circle, np.full(size, 1 / size)
    height, weight = np.polynomial.legendre.leggauss((size + 1) // 2)
    rings = [np.column_stack([np.sqrt(1 - h * h) * circle, np.full(size, h)]) for h in height]
    return math.sqrt(3) * np.concatenate(rings), np.repeat(weight / 2, size) / size


def tail_of_linear_form(*, points: int) -> Finding:
    """Compare the bound of Lemma C.1 (ii) with P(|u'a| >= C), a Beta tail (d = 1: certain up to |a|, impossible beyond)."""
    worst, at, tried = 0.0, (1, 0.0), 0
    for d in sorted({int(d) for d in np.geomspace(1, 1e6, points)}):
        for c in np.linspace(1e-9, min(math.sqrt(d), 37.0), points).tolist():  # |a| = 1; further out both are 0 in floats
            exact = float(betainc((d - 1) / 2, 0.5, max(0.0, 1 - c * c / d))) if d > 1 else 1.0
            ratio, tried = exact / LEMMA_C1.evaluate(a_sq=1.0, C=c).bound, tried + 1
            if ratio > worst:
                worst, at = ratio, (d, c)
    numbers = {"tried": tried, "largest exact / bound": worst, "at d, C": at}
    if worst > 1:
        return Finding(Outcome.REFUTED, "the exact tail is above the bound", numbers, {"d": at[0], "C": at[1], "exact / bound": worst})
    return Finding(Outcome.CONSISTENT, f"the exact tail is at most {worst:.4f} of the bound at {tried} points", numbers)


def damping(d: int, t: float, inside: bool) -> float:
    """Return E cos(t w_1), w uniform in the ball (inside) or on the sphere of radius sqrt(d)."""
    return float(hyp0f1(d / 2 + inside, -t * t * d / 4))


def estimates(one: Objective, x: FloatArray, lam: float, u: FloatArray) -> FloatArray:
    """Return the two-point gradient of F_S that MeZO's kernel steps along, for each direction (k, d)."""
    batch, found = np.arange(one.n)[None, :], np.empty_like(u)
    for k in range(len(u)):
        moved, x_tau = x.copy(), np.empty(one.d)
        out = np.empty(1), np.empty(1)
        kernels.mezo(one.loss, one.value_gradient, one.data, one.params, moved, 1.0, lam, u[k : k + 1], batch, *out, -1, x_tau)
        found[k] = x - moved
    return found


def smoothed_gradient(*, size: int, seed: int) -> Finding:
    """Integrate the kernel's estimate on the cosine objective over the sphere, d = 2 and 3; compare with grad f_lam in closed form."""
    rng, worst, at, tried = np.random.default_rng(seed), 0.0, {}, 0
    for d in (2, 3):
        one = lipschitz.cosine("inverse", d, 3, seed)
        u, weights = sphere_rule(d, size)
        for lam in (0.1, 0.7, 2.0):
            x = rng.uniform(-3, 3, d)
            expected = damping(d, lam, True) * one.value_and_gradient(x)[1]
            off = float(np.abs(weights @ estimates(one, x, lam, u) - expected).max())
            tried += 1
            if not off <= worst:
                worst, at = off, {"d": d, "lam": lam, "x": x.tolist()}
    return searched(worst, at, tried, "E g_lam(x) = grad f_lam(x)", seed, directions=tried * size)


def smoothed_moments() -> Finding:
    """Prove E u^(2k+2) / (2k + 1) = E v^(2k): the series of E u sin(lam u) / lam and of E cos(lam v) agree term by term, for every d."""
    d, k = sp.symbols("d k", positive=True)
    even = d**k * sp.gamma(k + sp.Rational(1, 2)) * sp.gamma(d / 2) / (sp.sqrt(sp.pi) * sp.gamma(d / 2 + k))  # E u^(2k), the Beta law
    inside = even * d / (d + 2 * k)  # E v^(2k): the radius of a ball to the power 2k
    difference = [sp.gammasimp(even.subs(k, k + 1) / (2 * k + 1) / inside) - 1]
    difference += [sp.gammasimp(even.subs(k, j)) / moments.direction_moment([2 * j], d=d) - 1 for j in range(4)]
    difference = [sp.simplify(one) for one in difference]
    if any(one != 0 for one in difference):
        witness = {"differences": [str(one) for one in difference]}
        return Finding(Outcome.REFUTED, "the coefficients differ", {}, witness)
    return Finding(
        Outcome.PROVED, "E u^(2k+2) = (2k+1) d/(d+2k) E u^(2k) and E v^(2k) = d/(d+2k) E u^(2k), so the series agree", {"differences": 0}
    )


def bias_and_second_moment(*, points: int, seed: int) -> Finding:
    """Search the largest exact bias and second moment of the cosine sample over their bounds, over d, lam and x."""
    rng, worst, at, tried = np.random.default_rng(seed), {"bias": 0.0, "second moment": 0.0}, {}, 0
    second = next(part.value for part in LEMMA_C2.parts if part.name == "ii second moment")
    for d in (1, 2, 3, 10, 100, 1000):
        for lam in np.geomspace(1e-2, 30 / math.sqrt(d), points).tolist():
            for h in (np.ones(d), 1 / np.arange(1.0, d + 1)):
                slope = h * np.sin(np.full(d, math.pi / 2) if tried % 2 else rng.uniform(-3, 3, d))
                grad_sq, tried = float(slope @ slope), tried + 1
                bias = abs(1 - damping(d, lam, True)) * math.sqrt(grad_sq)
                square = d * grad_sq * (1 - damping(d, 2 * lam, False)) / (2 * lam**2)  # mixed terms vanish: u_j -> -u_j
                at_point = {"d": float(d), "lam": lam, "ell": 1.0, "a_sq": grad_sq}
                ratios = {
                    "bias": bias / number(LEMMA_C2.bound, at_point),
                    "second moment": square / number(second, at_point),
                }
                for name, ratio in ratios.items():
                    if ratio > worst[name]:
                        worst[name], at[name] = ratio, {"d": d, "lam": lam}
    numbers = {"tried": tried, **{f"largest exact / bound of the {name}": value for name, value in worst.items()}, "at": at}
    if max(worst.values()) > 1 + 1e-9:
        return Finding(Outcome.REFUTED, "an exact value is above its bound", numbers, {"ratios": worst, "at": at}, seed=seed)
    sentence = f"the bias is at most {worst['bias']:.3f}, the second moment at most {worst['second moment']:.3f} of its bound"
    return Finding(Outcome.CONSISTENT, sentence, numbers, seed=seed)


def second_moments_of_a_step(*, method: str, cases: int, seed: int) -> Finding:
    """Integrate one step of the kernel exactly over directions and noise, d = 2 and 3; compare with the moments of `bounds.moments`.

    The noise is at most squared, so any law with its mean and covariance serves: +-1 for a number, +-sqrt(d) e_k for a vector.
    """
    rng, worst, at, tried = np.random.default_rng(seed), 0.0, {}, 0
    for d in (2, 3):
        u, weights = sphere_rule(d, 6) if method != "dp_gd" else (np.ones((1, d)), np.ones(1))
        z = np.array([[1.0], [-1.0]]) if method == "dpzero" else math.sqrt(d) * np.concatenate([np.eye(d), -np.eye(d)])[:, None]
        for _ in range(cases):
            a, e = rng.uniform(0, 2, d), rng.standard_normal(d)
            alpha, sigma = float(rng.uniform(0.05, 1)), 0.0 if method == "mezo" else float(rng.uniform(0, 3))
            seen = np.zeros(d)
            for direction, weight in zip(u, weights, strict=True):
                for draw in z:
                    after = replay(method, np.zeros((1, d)), e, a, C=1e9, sigma=sigma, alpha=alpha, u=direction[None], z=draw).x
                    seen += weight / len(z) * after**2
            expected = moments.second_moments(method, eigenvalues=a, offset=e, alpha=alpha, T=1, sigma=sigma)
            path = moments.expected_grad_norm_sq(method, eigenvalues=a, offset=e, alpha=alpha, T=1, sigma=sigma)[1]
            off = max(float(np.abs(seen - expected).max()), abs(float(a**2 @ seen) - float(path))) / float(1 + expected.sum())
            tried += 1
            if not off <= worst:
                worst, at = off, {"d": d, "alpha": alpha, "sigma": sigma, "a": a.tolist(), "e": e.tolist()}
    return searched(worst, at, tried, "the exact second moments of a step", seed)


# fmt: off
CLAIMS = (
    claim("lemma_c1.exact_tail", "Lemma C.1 (ii)", "P(|u'a| >= C) <= 2 sqrt(2 pi) exp(-C^2 / (8 |a|^2)), against the exact Beta tail",
          tail_of_linear_form, "the exact tail is below 2 exp(-C^2/2)", kind=Kind.INEQUALITY, points=25, full={"points": 150},
          latex=r"\mathbb P(|u^\top a| \ge C) \le 2\sqrt{2\pi}\, e^{-C^2/(8\|a\|^2)}"),
    claim("lemma_c2.kernel_mean", "Lemma C.2 (i)", "The mean of the two-point gradient is the gradient of the smoothed function",
          smoothed_gradient, "exact quadrature of the kernel against the closed form of the cosine objective", kind=Kind.IDENTITY,
          latex=r"\mathbb E_u[g_\lambda(x)] = \nabla f_\lambda(x)", size=24, seed=21, full={"size": 40}),
    claim("lemma_c2.cosine_series", "Lemma C.2 (i)", "For the cosine objective the identity holds in every dimension",
          smoothed_moments, "both moments are ratios of Gaussian ones", kind=Kind.IDENTITY, stated="question",
          expected=Outcome.PROVED, latex=r"\mathbb E[u_1\sin(\lambda u_1)]/\lambda = \mathbb E[\cos(\lambda v_1)]"),
    claim("lemma_c2.exact_bounds", "Lemma C.2 (ii)", "The exact bias and second moment of the two-point gradient stay below their bounds",
          bias_and_second_moment, "Taylor with a factor to spare", kind=Kind.INEQUALITY, points=25, seed=22, full={"points": 300},
          latex=r"\|\nabla f - \nabla f_\lambda\| \le \tfrac\ell2\lambda d^{3/2},\quad "
                r"\mathbb E\|g_\lambda\|^2 \le 2d\|\nabla f\|^2 + \tfrac{\ell^2}2\lambda^2d^3"),
    *(
        claim(f"{name}.second_moments", f"{place}; Lemma C.1 (iii)",
              "Without clipping, one step moves E (x_t - mean)_j^2 as Lemma C.1 (iii) says, with the factor d/(d + 2)",
              second_moments_of_a_step, "an exact mean over directions and noise", stated="question", method=method,
              cases=2, seed=23, full={"cases": 100})
        for method, (name, place) in {**NAMES, "mezo": ("mezo", "Appendix B.2, MeZO")}.items()
    ),
)
# fmt: on
