"""Checks of what the last iterate reveals: with public directions and T <= d it reveals the whole path, so hiding the path gains nothing.

Lemma     x_0, alpha and the directions u_0, ..., u_{T-1} are public, uniform on the sphere and drawn independently of the data; T <= d;
          alpha and sigma above 0.
          x_T = x_0 - alpha sum_t h_t u_t, h_t the noisy scalar of step t. Almost surely the u_t are linearly independent, so that x_T
          gives every h_t, and these give x_1, ..., x_{T-1}: for every (epsilon, delta), x_T is private if and only if the path is.
          The same holds for x_tau, tau hidden: h_t has a density, so no h_t is 0, and the last direction of x_tau - x_0 is u_{tau-1}.
Proof     the determinant of the Gram matrix is a polynomial of the directions, d^T at orthogonal ones; the spheres are connected
          (d = 1 has T = 1 alone), and an analytic function that is not 0 everywhere vanishes on a set of measure 0.
Open      T > d. The Gram matrix is singular and x_T leaves a space of dimension T - d of scalars open; what that hides is not known here.
          An attack: a loss L g'x for one record and its negative for another, L long, move the scalars by s_t = +-C/n, with the
          sign of g'u_t. Given the directions x_T is normal, with mu = 2/sigma times the length of the projection of s on the columns of
          U = (u_t), which is at least s'Ug / |Ug|: for many steps E|g'u| / sqrt(E (g'u)^2) of that of the path, sqrt(2/pi) = 0.798 for
          large d, 0.900 at d = 2. So with many steps at fixed d hiding the path saves at most 20.3 % of the noise; for fewer the claim
          below draws directions.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp

from bounds import privacy
from paper_checks.compare import LEVEL, mean_lower_limit
from paper_checks.dpzero.algorithms import printed_direction, random_case, replay
from paper_checks.record import Record
from paper_checks.shared.privacy import exact_delta
from paper_checks.shared.search import find_worst
from paper_checks.verdict import Finding
from synthetic import draws
from synthetic.draws import FloatArray

DIGITS_LOST = 1e-5  # tolerated error of recovered scalars, for directions that are far enough from dependent


def orthogonal_gram_determinant(d: int, T: int) -> sp.Expr:
    """Return the determinant of the Gram matrix of T directions in d dimensions that are as orthogonal as possible."""
    u = sp.Matrix(T, d, lambda t, j: sp.sqrt(d) if j == t % d else 0)
    return (u * u.T).det()


def recovery_errors(cases: int, rng: np.random.Generator) -> Any:
    """Yield (error of scalars and path recovered from x_T, settings) for those of `cases` random runs with well-conditioned directions.

    Runs whose matrix of directions has a condition number above 1e4 are skipped.
    """
    for _ in range(cases):
        on = random_case("dpzero", rng)
        d = int(rng.integers(2, 30))
        T = int(rng.integers(1, d + 1))
        rows, x, a = 3 * rng.standard_normal((4, d)), rng.standard_normal(d), 10.0 ** rng.uniform(-1, 0, d)
        on = replace(on, rows=rows, x=x, a=a, u=draws.draw_directions(rng, T, d, "sphere"), z=rng.standard_normal(T))
        if np.linalg.cond(on.u) > 1e4:
            continue
        C, sigma, alpha = float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-2, -1))
        scalars, at, path = np.empty(T), x, np.empty((T, d))
        for t in range(T):
            path[t], step = at, printed_direction("dpzero", on, at, C=C, sigma=sigma, t=t)
            scalars[t], at = float(step @ on.u[t]) / d, at - alpha * step
        x_T = replay("dpzero", on, C=C, sigma=sigma, alpha=alpha).x
        found = np.linalg.lstsq(on.u.T, (x - x_T) / alpha, rcond=None)[0]
        again = x - alpha * np.vstack([np.zeros(d), np.cumsum(found[:-1, None] * on.u[:-1], axis=0)])
        off = max(float(np.abs(found - scalars).max()), float(np.abs(again - path).max())) / (1 + float(np.abs(scalars).max()))
        yield off, {"d": d, "T": T, "C": C, "sigma": sigma, "alpha": alpha}


def check_path_recovery(*, largest: int, cases: int, seed: int) -> Finding:
    """Check that x_T determines all scalars and the path if T <= d, by Gram determinants and on kernel runs; return a Finding."""
    for d in range(1, largest + 1):
        for T in range(1, d + 2):
            value, needed = orthogonal_gram_determinant(d, T), sp.Integer(d) ** T if T <= d else sp.Integer(0)
            if value != needed:
                return Record({"d": d, "T": T}, seed=seed).leave_open(f"at d = {d}, T = {T} the determinant is {value}, not {needed}")
    found = find_worst(recovery_errors(cases, np.random.default_rng(seed)))
    record = Record({"runs": found.tried, "largest deviation": found.value}, seed=seed)
    if not found.tried:
        record.leave_open("no run had directions independent enough")
    if not found.value <= DIGITS_LOST:
        record.refute(f"what x_T gives is off by {found.value:.2g} at {found.at}", found.at)
    return record.prove(f"the determinant is d^T at orthogonal directions; {found.tried} runs gave all scalars and the path")


def projection_lengths(d: int, T: int, runs: int, rng: np.random.Generator) -> FloatArray:
    """Return (runs,) lengths of the projection of sign(g'u_t) on the columns of U, for `runs` draws of T directions."""
    u = draws.draw_directions(rng, runs * T, d, "sphere").reshape(runs, T, d)
    columns = np.linalg.qr(u)[0]
    return np.asarray(np.linalg.norm(np.einsum("rtj,rt->rj", columns, np.sign(u[:, :, 0])), axis=1))


def check_last_iterate_noise(
    *, epsilon: float, delta: float, share: float, sizes: Sequence[tuple[int, int]], runs: int, seed: int
) -> Finding:
    """Check whether x_T is private with a `share` of the path's noise, by a lower bound on delta for each (d, T); return a Finding.

    The mean of delta is over directions. Given the directions delta is at most that of all scalars, so the means are bounded by betting,
    each wrong with the level at most.
    """
    rng, level = np.random.default_rng(seed), LEVEL / len(sizes)
    record, lows = Record({"epsilon": epsilon, "delta": delta, "directions drawn": runs}, seed=seed, false_alarm=LEVEL), list[float]()
    with mp.workdps(30):
        for d, T in sizes:
            mu = privacy.mu_gaussian(epsilon, delta) / share / math.sqrt(T)
            most = float(exact_delta(mp.mpf(epsilon), mp.mpf(mu) * mp.sqrt(T)))
            spent = [float(exact_delta(mp.mpf(epsilon), mp.mpf(mu * length))) for length in projection_lengths(d, T, runs, rng)]
            low = mean_lower_limit(np.minimum(np.array(spent) / most, 1.0), level) * most
            lows.append(low)
            record.note({f"delta of x_T is at least, d = {d}, T = {T}": low})
    words = f"with {share:g} of the path's noise x_T spends delta = {min(lows):.3g} and more"
    if min(lows) > delta:
        record.refute(words, record.numbers)
    return record.conclude(f"the attack sees no more than delta: {words}")
