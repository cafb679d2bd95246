"""Checks that the kernels do what Algorithms 1, 2, DP-GD and MeZO print, by replays on the same draws.

A replay runs a kernel twice on the same draws with one thing changed (a record, the noise, the last draw) and compares the results. The
objective is a quadratic that counts its evaluations: its two-point difference is exactly u'A(x - row) for every smoothing radius, so that
the line of the paper can be evaluated beside the kernel. The clipping operation of Section 2, clip_C(x) = x min{1, C/||x||}, is checked
here too: its value at 0, and how clipping a scalar and clipping a vector are related.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import sympy as sp

from bounds.symbols import C, d
from paper_checks.record import Record
from paper_checks.shared import privacy
from paper_checks.shared.search import Cases, check_deviations
from paper_checks.verdict import Finding
from synthetic import draws, kernels
from synthetic.draws import FloatArray
from synthetic.losses import sums as losses
from synthetic.losses.counting import counted_loss, mean_gradient

ROUNDING = 1e-8  # losses of 1e4 over lam = 1e-2 carry an error of 1e-10; a fault differs by far more


@dataclass(frozen=True, eq=False)
class Case:
    """Input of a kernel: records (n, d), start x (d,), eigenvalues a (d,), directions u (T, d), noise z (T,) for dpzero, else (T, d)."""

    rows: FloatArray
    x: FloatArray
    a: FloatArray
    u: FloatArray
    z: FloatArray


@dataclass(frozen=True, eq=False)
class Replay:
    """Result of one kernel run: last iterate x (d,), x_tau (d,), clipped share by step (T,), number of loss evaluations (0 for dp_gd)."""

    x: FloatArray
    x_tau: FloatArray
    clipped: FloatArray
    evaluations: int


def replay(method: str, on: Case, *, C: float = 1.0, sigma: float = 0.0, lam: float = 0.1, alpha: float = 1.0, tau: int = -1) -> Replay:
    """Run the kernel of `method` once on the records and draws of a Case, and return its Replay; x_tau is NaN if tau = -1."""
    (T, d), params = on.u.shape, (on.a, on.rows.mean(axis=0), np.zeros(1))
    moved, x_tau, clipped = on.x.copy(), np.full(d, np.nan), np.zeros(T)
    batch, kernel = np.arange(len(on.rows))[None, :], getattr(kernels, method)
    loss = losses.quadratic_gradient if method == "dp_gd" else counted_loss
    given = {"dp_gd": (C, sigma, on.z), "mezo": (lam, on.u)}.get(method, (lam, C, sigma, on.u, on.z))
    out = (np.empty(T), np.empty(T), *(() if method == "mezo" else (clipped,)), tau, x_tau)
    kernel(loss, mean_gradient, on.rows, params, moved, alpha, *given, batch, len(on.rows), *out)
    return Replay(moved, x_tau, clipped, int(params[2][0]))


def clip_rows(v: FloatArray, C: float) -> FloatArray:
    """Return a copy of v (n, k) in which every row longer than C is scaled to norm C; all other rows stay."""
    norms = np.linalg.norm(v, axis=1, keepdims=True)
    return v * np.minimum(1.0, C / np.where(norms > 0, norms, 1.0))


def printed_direction(method: str, on: Case, x: FloatArray, *, C: float, sigma: float = 0.0, t: int = 0) -> FloatArray:
    """Return what the printed update of `method` multiplies by -alpha at x, an array (d,), with the direction and noise of step t."""
    gradients, u, z = on.a * (x - on.rows), on.u[t], on.z[t]
    s = (gradients @ u)[:, None]
    if method == "dpzero":
        return (clip_rows(s, C).mean() + sigma * z) * u
    if method == "dpgd_0th":
        return clip_rows(s * u, C).mean(axis=0) + sigma * z
    return clip_rows(gradients, C).mean(axis=0) + sigma * z if method == "dp_gd" else (s * u).mean(axis=0)


def random_case(method: str, rng: np.random.Generator, T: int = 1) -> Case:
    """Return a random Case of `method` with T steps, 1 to 7 records and 1 to 5 dimensions, with the size of records from 0.01 to 100."""
    n, d = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    rows = 10.0 ** rng.uniform(-2, 2) * rng.standard_normal((n, d))
    u = draws.draw_directions(rng, T, d, "sphere")
    z = rng.standard_normal(T if method == "dpzero" else (T, d))
    return Case(rows, rng.standard_normal(d), 10.0 ** rng.uniform(-1, 0, d), u, z)


def random_cases(method: str, cases: int, seed: int, T: int = 1) -> Iterator[tuple[int, Case, np.random.Generator]]:
    """Yield `cases` triples: a number k = 0, 1, ..., a random Case of T steps, and the generator that drew it."""
    rng = np.random.default_rng(seed)
    for k in range(cases):
        yield k, random_case(method, rng, T), rng


@check_deviations("the step of the paper", ROUNDING)
def check_printed_step(*, method: str, cases: int, seed: int) -> Cases:
    """Check that three steps of a method's kernel equal three printed updates, within rounding, in random cases; return a Finding."""
    clipped = 0
    for _, on, rng in random_cases(method, cases, seed, T=3):
        C, sigma, lam, alpha = (float(10.0 ** rng.uniform(-2, high)) for high in (2, 1, 1, 0))
        seen, expected = replay(method, on, C=C, sigma=sigma, lam=lam, alpha=alpha), on.x
        for t in range(3):
            expected = expected - alpha * printed_direction(method, on, expected, C=C, sigma=sigma, t=t)
        off = float(np.linalg.norm(seen.x - expected) / (1 + np.linalg.norm(expected) + np.abs(on.rows).max()))
        clipped += bool(seen.clipped.any())
        at = {"n": len(on.rows), "d": len(on.x), "C": C, "lam": lam, "alpha": alpha, "sigma": sigma}
        yield off, at, {"cases with clipping": clipped}


def check_sensitivity(*, method: str, cases: int, seed: int, relation: str = "replace") -> Finding:
    """Check that a kernel's noiseless step moves by at most 2C/n if a record is replaced, C/n if removed, by search; return a Finding.

    `relation` is "replace", or "remove" for the sum of clipped values over n. The same draws serve both data sets. A scalar method's step
    counts without the length sqrt(d) of u. With noise and "replace" the difference must stay the same: noise must not depend on the data.
    """

    def released(of: SizedCase, sigma: float = 0.0) -> FloatArray:
        return of.share * (replay(method, of.on, C=of.C, sigma=sigma).x - of.on.x)

    stated, noisy = ("2C/n", partial(released, sigma=1.0)) if relation == "replace" else ("C/n", None)  # a sum has another share of noise
    found = privacy.release_distances(neighbouring_cases(method, cases, seed, relation), released, noisy)
    return privacy.check_sensitivity(found, stated=stated, seed=seed, rounding=ROUNDING)


@dataclass(frozen=True)
class SizedCase:
    """A Case, its clipping threshold C, and its number of records over the public n, `share`, which turns a mean into a sum over n."""

    on: Case
    C: float
    share: float = 1.0


def neighbouring_cases(method: str, cases: int, seed: int, relation: str) -> Iterator[privacy.Neighbours]:
    """Yield `cases` random pairs of data sets in which one record is replaced or removed (`relation`), as `privacy.Neighbours`.

    With "replace" the new record is a mirror image of the old one in two of every three pairs, and random in the third. In the first of
    three the record is far out along the direction of the step, the worst case.
    """
    for k, one, rng in random_cases(method, cases, seed):
        if relation == "remove" and len(one.rows) == 1:
            one = replace(one, rows=np.repeat(one.rows, 2, axis=0))
        n, C, i = len(one.rows), float(10.0 ** rng.uniform(-2, 1)), int(rng.integers(len(one.rows)))
        if k % 3 == 0:  # far out along the direction of the step: the worst case
            one.rows[i] = one.x - 1e4 * one.u[0]
        rows = one.rows.copy()
        rows[i] = 2 * one.x - rows[i] if k % 3 < 2 else 10.0 ** rng.uniform(-1, 2) * rng.standard_normal(len(one.x))  # mirrored or random
        two = replace(one, rows=np.delete(rows, i, axis=0) if relation == "remove" else rows)
        length = math.sqrt(len(one.x)) if method == "dpzero" else 1.0  # length of the direction that multiplies a scalar
        measured = partial(_sensitivity_ratio, n=n, d=len(one.x), C=C, length=length, times=2.0 if relation == "replace" else 1.0)
        yield privacy.Neighbours(SizedCase(one, C), SizedCase(two, C, len(two.rows) / n), measured, unit=C + 1.0)


def _sensitivity_ratio(moved: FloatArray, *, n: int, d: int, C: float, length: float, times: float) -> tuple[float, dict[str, Any]]:
    """Return (length of the change `moved` of a step over its sensitivity `times` C/n, dict of n, d, C and the distance)."""
    distance = float(np.linalg.norm(moved)) / length
    return distance * n / C / times, {"n": n, "d": d, "C": C, "distance": distance}


@check_deviations("{along}", ROUNDING)
def check_noise_direction(*, method: str, along: str, cases: int, seed: int) -> Cases:
    """Check that noise adds -alpha sigma z to a step, times u_t if `along` ends with u, on random cases; return a Finding."""
    for _, on, rng in random_cases(method, cases, seed):
        sigma, alpha, u, z = float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-1, 0)), on.u[0], on.z[0]
        quiet, loud = (replay(method, on, sigma=value, alpha=alpha).x for value in (0.0, sigma))
        expected = -alpha * sigma * (z * u if along.endswith("u") else z)
        off = float(np.linalg.norm(loud - quiet - expected)) / (alpha * sigma + 1)
        yield off, {"d": len(on.x), "alpha": alpha, "sigma": sigma, "z": z.tolist(), "u": u.tolist()}


@check_deviations("a step along u_t alone", ROUNDING)
def check_shared_direction(*, method: str, cases: int, seed: int) -> Cases:
    """Check that a kernel's two noiseless steps are multiples of u_0 and u_1, so that all samples share u_t; return a Finding."""
    for _, on, _ in random_cases(method, cases, seed, T=2):
        path = [on.x, replay(method, replace(on, u=on.u[:1], z=on.z[:1])).x, replay(method, on).x]
        for along, step in zip(on.u, np.diff(path, axis=0), strict=True):
            beside = float(np.linalg.norm(step - (step @ along) / len(on.x) * along)) / (1 + float(np.linalg.norm(step)))
            yield beside, {"n": len(on.rows), "d": len(on.x), "u": along.tolist(), "step": step.tolist()}


@check_deviations("the mean of clip_C(100 C) and clip_C(0)", ROUNDING)
def check_clipping_order(*, method: str, seed: int) -> Cases:
    """Check that a kernel divides by 2 lam, then clips each sample, then averages, on two records and four lam; return a Finding.

    Two records have s = 100 C and s = 0: in this order the mean is C/2, whatever lam is.
    """
    z, C = (np.zeros(1), 1.0) if method == "dpzero" else (np.zeros((1, 2)), math.sqrt(2.0))
    on = Case(np.array([[-50.0, -50.0], [0.0, 0.0]]), np.zeros(2), np.ones(2), np.ones((1, 2)), z)
    for lam in (1e-3, 0.1, 0.5, 10.0):
        step = -replay(method, on, C=C, lam=lam).x
        yield float(np.abs(step - 0.5).max()), {"lam": lam, "step": step.tolist(), "expected": 0.5}


@check_deviations("the same path", ROUNDING)
def check_linked_kernels(*, cases: int, seed: int) -> Cases:
    """Check that Algorithm 1 at C and Algorithm 2 at C/sqrt(d) have the same noiseless path, on random cases; return a Finding."""
    for _, on, rng in random_cases("dpzero", cases, seed, T=3):
        d, C = len(on.x), float(10.0 ** rng.uniform(-1, 2))
        vector = replay("dpgd_0th", replace(on, z=np.zeros((3, d))), C=C).x
        scalar = replay("dpzero", replace(on, z=np.zeros(3)), C=C / math.sqrt(d)).x
        yield float(np.linalg.norm(vector - scalar) / (1 + np.linalg.norm(scalar) + np.abs(on.rows).max())), {"d": d, "C": C}


@check_deviations("x_tau the same, x_T moved")
def check_last_update_unused(*, method: str, cases: int, seed: int) -> Cases:
    """Check that the noise of the last step changes x_T but no x_tau with tau from 0 to T-1, on random cases; return a Finding."""
    for k, on, _ in random_cases(method, cases, seed, T=3):
        other = on.z.copy()
        other[-1] += 5.0
        one, two = (replay(method, replace(on, z=z), sigma=1.0, tau=k % 3) for z in (on.z, other))
        still, known = bool(np.all(one.x == two.x)), bool(np.isfinite(one.x_tau).all())
        yield float(np.abs(one.x_tau - two.x_tau).max()) if known and not still else math.inf, {"tau": k % 3, "x_T stood still": still}


def check_evaluation_count(*, method: str) -> Finding:
    """Check that T steps of a kernel on n samples evaluate the loss 2 n T times, at three pairs (n, T); return a Finding."""
    record = Record({"sizes": 3})
    for n, T in ((1, 1), (3, 1), (7, 5)):
        on = Case(np.ones((n, 2)), np.zeros(2), np.ones(2), np.ones((T, 2)), np.zeros(T if method == "dpzero" else (T, 2)))
        if (seen := replay(method, on).evaluations) != 2 * n * T:
            record.refute(f"{seen} evaluations, not {2 * n * T}", {"n": n, "T": T, "evaluations": seen})
    return record.conclude("2 n T evaluations in each of 3 sizes")


s = sp.Symbol("s", real=True)
LINKED = C / sp.sqrt(d)  # the threshold that clips the scalar s as C clips the vector s u


def clipping_factor(v: tuple[Any, ...], threshold: Any) -> Any:
    """Return threshold/||v||, the factor of v in clip_C(v) = v min{1, C/||v||} if v is clipped, a SymPy expression; v is a tuple."""
    return threshold / sp.sqrt(sp.expand(sum(one**2 for one in v)))


def clipped_vector(v: tuple[Any, ...], threshold: Any) -> tuple[Any, ...]:
    """Return clip_C(v) = v min{1, C/||v||} with C = threshold, a tuple of SymPy expressions; v is a tuple and not 0."""
    return tuple(one * sp.Min(1, clipping_factor(v, threshold)) for one in v)


def check_linking_identity(*, coordinates: int) -> Finding:
    """Check that clip_C(s u) = clip_{C/sqrt(d)}(s) u if ||u|| = sqrt(d), by algebra in `coordinates` coordinates; return a Finding."""
    u = sp.symbols(f"u_1:{coordinates}", real=True)
    u = (*u, sp.sqrt(d - sum(one**2 for one in u)))
    vector = clipped_vector(tuple(s * one for one in u), C)
    scalar = tuple(clipped_vector((s,), LINKED)[0] * one for one in u)
    record = Record({"coordinates": coordinates, "factor": sp.sstr(sp.Min(1, clipping_factor((s,), LINKED)))})
    if any(one - other for one, other in zip(vector, scalar, strict=True)):
        at = {C: sp.Integer(1), d: sp.Integer(coordinates), s: sp.Integer(2)} | dict.fromkeys(u[:-1], sp.Integer(1))
        left, right = (float(side[0].xreplace(at)) for side in (vector, scalar))
        witness = {"C": 1, "d": coordinates, "s": 2, "u": "(1, ..., 1)", "clip_C(s u)_1": left, "(defined(s) u)_1": right}
        record.refute(f"for s = 2, C = 1, u = (1, ..., 1) the two sides are {left:.4g} and {right:.4g}", witness)
    return record.prove("both sides, written out from the definition, are s u times the same factor")


def check_clip_at_zero() -> Finding:
    """Check whether clip_C(x) = x min{1, C/||x||} is defined at 0: as printed, as a limit, in floating point; return a Finding."""
    at_zero = clipping_factor((sp.Integer(0),), C)
    record = Record({"C/||0||": sp.sstr(at_zero)})
    if at_zero.is_finite:
        return record.conclude(f"C/||0|| is {at_zero}")
    t, w = sp.symbols("t w", positive=True)
    limit = sp.limit(clipped_vector((t,), C)[0].xreplace({t: C / (1 + w)}), w, sp.oo)  # 0 < x < C; x falls to 0 as w grows
    zero = 0.0
    with np.errstate(divide="ignore"):
        ieee = float(zero * np.minimum(1.0, 1 / abs(np.float64(zero))))
    try:
        in_python = str(zero * min(1.0, 1.0 / abs(zero)))
    except ZeroDivisionError as error:
        in_python = f"ZeroDivisionError: {error}"
    record.note({"limit x -> 0": sp.sstr(limit), "x min{1, C/|x|} in Python": in_python})
    record.note({"x min{1, C/|x|} in IEEE arithmetic, 1/0 = inf": ieee, "x / max{1, |x|/C}": 0.0 / max(1.0, 0.0)})
    if limit != 0 or ieee != 0:
        record.leave_open(f"the limit is {limit}, IEEE arithmetic gives {ieee}: which is clip_C(0)?")
    sentence = "at x = 0 the definition divides by 0; 0 is the continuous value, and what IEEE arithmetic gives, while plain Python raises"
    return record.refute(sentence, {"x": 0, "C/||x||": sp.sstr(at_zero), "continuous value": 0})


@check_deviations("clip_C(0) = 0", ROUNDING)
def check_zero_gradient_clipping(*, method: str, cases: int, seed: int) -> Cases:
    """Check that a kernel clips a difference or gradient of 0 to 0 and counts its sample in n, on random cases; return a Finding."""
    still = 0
    for k, one, rng in random_cases(method, cases, seed):
        zeros, C = 1 + k % 3, float(10.0 ** rng.uniform(-12, 12))
        x = np.zeros(len(one.x))  # around 0 the two points are mirror images to the last bit
        on = replace(one, rows=np.vstack([np.zeros((zeros, len(x))), one.rows[: k % 4]]), x=x)
        seen, expected = replay(method, on, C=C), -printed_direction(method, on, x, C=C)
        off = float(np.linalg.norm(seen.x - expected)) / (1.0 + float(np.linalg.norm(expected)) + float(np.abs(on.rows).max()))
        if len(on.rows) == zeros:
            still, off = still + 1, off if np.array_equal(seen.x, x) and not seen.clipped.any() else np.inf
        yield off, {"n": len(on.rows), "samples of 0": zeros, "d": len(x), "C": C}, {"cases where x must not move at all": still}
