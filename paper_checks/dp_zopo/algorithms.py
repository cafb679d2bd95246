"""Algorithms 1, 2, 4 and 5: whether the kernels do what is printed, what is released, and which lines are wrong or left open.

The kernel runs beside a transcription of the lines on the same draws. What a step releases is computed from the step: its directions are
independent, so that the move determines how far it went along each. Algorithm 4 is executed as printed, for both ways to sort.
"""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.shared import findings, privacy
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.shared.symbols import Spelling, check_listed_inputs
from paper_checks.verdict import Finding
from synthetic import kernels
from synthetic.draws import DIRECTIONS, NOISE, FloatArray, generator
from synthetic.losses import sums as losses
from synthetic.methods import dp_zopo as records
from synthetic.methods.masks import importance_weights
from synthetic.objectives.sums import Objective
from synthetic.runs.simulate import simulate

D, P = 7, 3
CURVATURE = 1.0 / np.sqrt(np.arange(1.0, D + 1))


def quadratic_objective(rows: FloatArray, a: FloatArray = CURVATURE, x0: FloatArray | None = None) -> Objective:
    """Return the quadratic objective whose samples are the rows (n, D), with curvature `a` (D,)."""
    start, params = np.zeros(rows.shape[1]) if x0 is None else x0, (a, rows.mean(axis=0), 0.0)
    return Objective("records", rows, params, *losses.QUADRATIC, x0=start, optimum=params[1], constants={})


def run_printed_lines(o: Objective, masks: Sequence[FloatArray], *, T: int, alpha: float, lam: float, widening: float, anchor: float,
                      C: float, sigma: float, seed: int) -> FloatArray:  # fmt: skip
    """Return the last iterate theta^S (D,) of DP-ZOPO run by its printed lines, in plain NumPy, on full batches.

    Stages have T, 2 T, ... steps; `masks` has the diagonal of the mask M for each stage.
    """
    directions, noise, theta = generator(seed, 0, DIRECTIONS), generator(seed, 0, NOISE), o.x0

    def f(x: FloatArray, row: FloatArray) -> float:
        """Return the quadratic loss of one sample at x."""
        return float(CURVATURE @ (x - row) ** 2) / 2

    for s, M in enumerate(masks):
        beta, eta, theta_0 = widening**s * lam, alpha / 2**s, theta
        for _ in range(T * 2**s):
            g, v = np.zeros(D), np.zeros((P, D))
            v[:, M > 0] = M[M > 0] * directions.standard_normal((P, int(np.sum(M > 0))))
            for v_p, z in zip(v, noise.standard_normal(P), strict=True):
                gra = np.array([(f(theta + beta * v_p, row) - f(theta - beta * v_p, row)) / (2 * beta) for row in o.data])
                gra = gra / np.maximum(1.0, np.abs(gra) / C)
                g += (np.sum(gra) / o.n + sigma * z) * v_p + (theta - theta_0) / anchor
            theta = theta - eta * g / P
    return theta


@check_deviations("the printed lines", 1e-8)
def check_printed_lines(*, method: str, cases: int, seed: int) -> Cases:
    """Check that the kernel of `method` ends where its printed lines do, on random cases with clipping; return a Finding.

    The method has one stage, several stages, or stages with masks.
    """
    rng, clipped, rates = np.random.default_rng(seed), 0, (0.2, 0.4, 0.6)
    for k in range(cases):
        o = quadratic_objective(10.0 ** rng.uniform(-1, 1) * rng.standard_normal((int(rng.integers(1, 6)), D)), x0=rng.standard_normal(D))
        numbers = 10.0 ** rng.uniform((-2, -2, -1, -2, 0), (-1, 0, 1, 0, 2))
        given = dict(zip(("alpha", "lam", "C", "sigma", "anchor"), numbers.tolist(), strict=True))
        scores, masks = rng.standard_normal((3, D)), [np.ones(D)] * (1 if method == "dp_zoo" else 3)
        more: dict[str, Any] = {"T": 2} if method == "dp_zoo" else {"T": 2 * 7, "stages": 3, "widening": 3.0}
        if method == "dp_zopo":
            more |= {"rates": rates, "strategy": "dynamic", "weights": "rank", "score": scores}
            masks = [intended_mask(one, rate, rank=True) for one, rate in zip(scores, rates, strict=True)]
        run = simulate(records.KERNELS[method], o, threads=1, P=P, seed=k, **given, **more)
        expected, clipped = run_printed_lines(o, masks, T=2, widening=3.0, seed=k, **given), clipped + bool(run.clipped.any())
        off = float(np.linalg.norm(run.x[0] - expected) / (1 + np.linalg.norm(expected) + np.abs(o.data).max()))
        yield off, given, {"cases with clipping": clipped}


def released_scalars(of: tuple[FloatArray, int, float, int], sigma: float = 0.0) -> FloatArray:
    """Return the P scalars that one step of the kernel releases for `of` = (batch rows, nominal batch size m, C, seed)."""
    rows, m, C, seed = of
    rng, x, none = np.random.default_rng(seed), np.zeros(D), np.empty(0, dtype=np.int64)
    v, z, out, batch = rng.standard_normal((1, P, D)), rng.standard_normal((1, P)), np.empty((3, 1)), np.full((1, len(rows) + 2), -1)
    batch[0, : len(rows)] = np.arange(len(rows))
    params = (CURVATURE, np.zeros(D), 0.0)
    kernel: Any = kernels.dp_zoo
    stage = (np.zeros(D), np.zeros(D), none, 1.0, 1e-2, 0.0, False, np.inf, -1)
    with np.errstate(all="ignore"):  # without Numba, nan and inf raise warnings
        kernel(*losses.QUADRATIC[::2], rows, params, x, *stage, C, sigma, v, z, batch, m, *out, -1, np.zeros(D), 0)
    return np.asarray(np.linalg.lstsq(v[0].T, -P * x)[0])


def neighbouring_batches(relation: str, cases: int, seed: int) -> Iterator[privacy.Neighbours]:
    """Yield pairs of batches, as Neighbours: one record added or replaced, near, far away, or with a loss that is nan or inf."""
    rng, times = np.random.default_rng(seed), 2 if relation == "replaced" else 1
    for k in range(cases):
        n, m, C = int(rng.integers(1, 5)), int(rng.integers(1, 5)), float(10.0 ** rng.uniform(-1, 1))
        one, far = rng.standard_normal((n, D)), 1e4 * rng.standard_normal(D)
        two, new = one.copy(), {0: far, 1: 1e200 * far, 2: np.full(D, np.nan), 3: np.full(D, np.inf)}[k % 4]
        if relation == "replaced":
            one[0], two[0] = -far, new
        else:
            two = np.vstack([one, new])

        def measured(moved: FloatArray, m: int = m, C: float = C) -> tuple[float, dict[str, Any]]:
            """Return (distance of two releases over the stated sensitivity, the point) from their difference."""
            return float(np.linalg.norm(moved)) * m / (times * math.sqrt(P) * C), {"m": m, "C": C, "moved": moved.tolist()}

        yield privacy.Neighbours((one, m, C, k), (two, m, C, k), measured, unit=C + 1.0)


def check_sensitivity(*, relation: str, cases: int, seed: int) -> Finding:
    """Check that the P scalars of a step move by at most sqrt(P) C/m, twice that if a record is replaced; return a Finding."""
    found = privacy.release_distances(neighbouring_batches(relation, cases, seed), released_scalars, partial(released_scalars, sigma=1.0))
    return privacy.check_sensitivity(found, stated=f"{'2 ' if relation == 'replaced' else ''}sqrt(P) C/m", seed=seed, rounding=1e-7)


def constant_loss_end(q: float, T: int, regulariser: str, seed: int, anchor: float = 2.0) -> FloatArray:
    """Return theta_T (D,) after T noisy steps on a constant loss, with eta/lambda = q and a "proximal" or "explicit" regulariser."""
    given: dict[str, Any] = {"alpha": q * anchor, "T": T, "C": 1.0, "sigma": 1.0, "threads": 1, "seed": seed, "anchor": anchor}
    run = simulate(records.DP_ZOO, quadratic_objective(np.zeros((1, D)), np.zeros(D)), regulariser=regulariser, **given)
    return np.asarray(run.x[0])


@check_allowances("distance of the explicit from the proximal end, over {allowed} of the way", rounding=1e-9)
def check_update_difference(*, allowed: str, horizons: tuple[int, ...], ratio: float, seed: int) -> Cases:
    """Check that the explicit and the proximal update end within 2/T of the way, or at one point, after T steps; return a Finding.

    eta/lambda is `ratio`, or 1/T if that is 0.
    """
    for T in horizons:
        explicit, proximal = (constant_loss_end(ratio or 1 / T, T, word, seed) for word in ("explicit", "proximal"))
        part = 1e-9 if allowed == "nothing" else 2 / T
        yield float(np.linalg.norm(explicit - proximal) / np.linalg.norm(proximal)) / part, {"T": T, "eta/lambda": ratio or 1 / T}


def check_stability(*, ratios: tuple[float, float], T: int, seed: int) -> Finding:
    """Check that only the explicit update diverges, and only at the larger eta/lambda of `ratios`, after T steps; return a Finding."""
    ends = {f"{word}, {q}": constant_loss_end(q, T, word, seed) for word in ("explicit", "proximal") for q in ratios}
    far = {name: float(np.linalg.norm(one)) for name, one in ends.items()}
    gone = [name for name, one in far.items() if one > 1 + 1e3 * far[f"proximal, {ratios[1]}"]]
    return findings.check_condition(gone == [f"explicit, {ratios[1]}"], f"far away by regulariser and eta/lambda: {gone}", far, seed=seed)


def check_output_choice(*, replicates: int, seed: int) -> Finding:
    """Check that the last iterate and the average of the same runs have the same mean of F, by simulation; return a Finding."""
    o = quadratic_objective(np.zeros((1, D)), np.ones(D), x0=np.ones(D))
    given: dict[str, Any] = {"alpha": 0.1, "T": 50, "C": 1e100, "sigma": 3.0, "replicates": replicates, "seed": seed}
    last, mean = (np.sum(simulate(records.DP_ZOO, o, output=word, **given).x ** 2, axis=1) / 2 for word in ("last", "average"))
    error = float((last - mean).std(ddof=1)) / math.sqrt(replicates)
    found = {"F at the last": float(last.mean()), "F at the average": float(mean.mean()), "standard error of their difference": error}
    same = abs(float((last - mean).mean())) <= float(stats.norm.isf(LEVEL / 2)) * error
    return findings.check_condition(same, "F at the last iterate against F at the average", found, false_alarm=LEVEL, seed=seed)


def printed_mask(scores: FloatArray, r: float, types: Sequence[str], M_0: FloatArray, upwards: bool, top: bool,
                A: float = 1.2, B: float = 0.8) -> FloatArray:  # fmt: skip
    """Return the diagonal of the mask M (d,) by the printed lines of Algorithm 4; `top` reads its line 6 as it is meant.

    `types` are the values of the type for which a line's condition holds.
    """
    M, held = np.zeros(len(scores)), [float(one) for one in scores]
    if "Incremental" in types:
        held = [-math.inf if M_0[i] != 0 else one for i, one in enumerate(held)]
    Score = sorted(held, reverse=not upwards)
    cut = round(r * len(Score))
    Score = (Score[len(Score) - cut :] if upwards else Score[:cut]) if top else Score[cut:]
    for i, score in enumerate(held):
        if score in Score:
            if "pruning-only" in types:
                M[i] = 1.0
            if "rank-based" in types:
                M[i] = A - (A - B) * Score.index(score) / (r * len(Score))
    return M


def intended_mask(scores: FloatArray, r: float, before: Sequence[int] = (), rank: bool = False) -> FloatArray:
    """Return the diagonal of the mask M (d,) that the text means: the top share r of the scores, with `before` kept."""
    k, M = math.ceil(round(r * len(scores), 9)), np.zeros(len(scores))
    order = sorted(range(len(scores)), key=lambda i: (i not in before, -scores[i], i))[:k]
    for place, i in enumerate(sorted(order, key=lambda i: (-scores[i], i))):
        M[i] = 1.2 - (1.2 - 0.8) * place / k if rank else 1.0
    return M


def check_algorithm_4(*, what: str, d: int, r: float, seed: int) -> Finding:
    """Check that some way to sort makes Algorithm 4 do what the paper states of `what`, on distinct scores; return a Finding."""
    scores, found, right, k = np.random.default_rng(seed).standard_normal(d), dict[str, Any](), dict[str, Any](), round(r * d)
    before = np.isin(np.arange(d), np.argsort(scores)[d // 2 : d // 2 + k // 2]).astype(float)
    types = {"kept": "pruning-only", "grows": "Incremental pruning-only", "tuned": "Incremental", "ranks": "rank-based"}[what].split()
    orders = {"upwards": (True, False), "downwards": (False, False), "upwards, line 6 as meant": (True, True)}
    for name in [one for one in orders if not (what == "kept" and "meant" in one) and not (what == "grows" and one == "downwards")]:
        M = printed_mask(scores, r, types, before, *orders[name])
        best, count = int(np.sum(M * intended_mask(scores, r) > 0)), int(np.sum(M > 0))
        told = {"kept": (count, best), "grows": int(np.sum(M * before)), "tuned": count}
        found[name] = told[what] if what in told else [round(float(one), 3) for one in (M[M != 0].min(), M.max(), M[scores.argmax()])]
        right[name] = {"kept": (k, k), "grows": k // 2, "tuned": k, "ranks": [0.82, 1.2, 1.2]}[what]
    holds = any(found[name] == right[name] for name in found)
    return findings.check_condition(holds, f"d = {d}, r = {r:g}: {found}", {**found, "r d": k}, seed=seed)


@check_deviations("the lab's importance matrix is what the text means")
def check_importance_weights(*, cases: int, seed: int) -> Cases:
    """Check that `synthetic.methods.masks` gives the mask that the text means, on random scores with ties; return a Finding."""
    rng = np.random.default_rng(seed)
    for k in range(cases):
        d = int(rng.integers(1, 40))
        scores, r, rank = rng.integers(-3, 4, d).astype(float), float(rng.uniform(0.01, 1)), bool(k % 2)
        before = rng.permutation(d)[: int(rng.integers(0, math.ceil(r * d) + 1))].tolist() if k % 3 else []
        old = np.isin(np.arange(d), before).astype(float) if before else None
        M = importance_weights(scores, r, before=old, weights="rank" if rank else "pruning")
        yield float(np.abs(M - intended_mask(scores, r, before, rank)).max()), {"scores": scores.tolist(), "r": r, "before": before}, {}


LISTS = {  # inputs as printed, those of calls too (phi_s has f and lambda); what the lines compute; what they use
    "2": ("eta_s beta_s d m C V T_s f lambda_ theta_s1 D", "theta_0 xi v gra g theta_t",
          "theta_s1 D m V P f beta_s C sigma lambda_ eta_s T_s"),
    "3": ("theta r type", "calL mask v grad Score V", "theta P d beta r type M_0 A B"),
    "5": ("theta_0 eta_0 beta_0 r_s lambda_ T_0 S", "V beta_s T_s eta_s phi_s theta_s",
          "theta_0 r type strategy D k S eta_0 beta_0 T_0 lambda_ r_s V_s"),
}  # fmt: skip


def check_algorithm_inputs(*, algorithm: str) -> Finding:
    """Check that an algorithm lists as inputs all symbols that its lines use and do not compute; return a Finding."""
    listed, computed, used = (set(sp.symbols(one, seq=True)) for one in LISTS[algorithm])
    return check_listed_inputs(listed, used, computed=computed, spelling=Spelling({"lambda_": "lambda", "theta_s1": "theta^(s-1)"}))


def check_first_stage(*, k: float, S: int) -> Finding:
    """Check that some stage of Algorithm 1 has the initial beta, T and eta, by executing line 2; return a Finding."""
    used = [(k**s, 2**s, 0.5**s) for s in range(1, S + 1)]
    return findings.check_condition((1, 1, 1) in used, f"the stages have beta_0, T_0, eta_0 times {used}", {"factors": used})
