"""Do the kernels do what Algorithms 1, 2, DP-GD and MeZO say? Paired replay: on neighbouring datasets, with and without noise.

Replay: a kernel runs twice on the same draws, with one thing changed (a record, the noise, the last draw), and the difference is
looked at. The objective is a quadratic that counts its evaluations: its two-point difference is u'A(x - row), exactly, for every
smoothing radius, so that the line of the paper can be written out beside the kernel. The clipping operation of Section 2,
clip_C(x) = x min{1, C/||x||}, is here too: its value at 0, and how a scalar's and a vector's are linked.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp

from bounds.symbols import C, d
from paper_checks.dpzero import printed
from paper_checks.examine.search import Cases, deviations
from paper_checks.verdict import Finding, Kind, claim, consistent, inconclusive, proved, question, reading, refuted
from synthetic import draws, kernels
from synthetic.draws import FloatArray
from synthetic.kernels import losses
from synthetic.kernels.counting import counted_loss, mean_gradient

ROUNDING = 1e-8  # losses of 1e4 over lam = 1e-2 carry an error of 1e-10; what is wrong differs by far more


@dataclass(frozen=True, eq=False)
class Replay:
    """What a kernel left behind."""

    x: FloatArray
    x_tau: FloatArray
    clipped: FloatArray
    evaluations: int


def replay(
    method: str,
    rows: FloatArray,
    x: FloatArray,
    a: FloatArray,
    *,
    u: FloatArray,
    z: FloatArray,
    C: float = 1.0,
    sigma: float = 0.0,
    lam: float = 0.1,
    alpha: float = 1.0,
    tau: int = -1,
) -> Replay:
    """Run a kernel on given draws: u (T, d), z (T,) for dpzero and (T, d) otherwise."""
    T, d = u.shape
    params = (a, rows.mean(axis=0), np.zeros(1))
    moved, x_tau, clipped = x.copy(), np.full(d, np.nan), np.zeros(T)
    batch, out = np.arange(len(rows))[None, :], (np.empty(T), np.empty(T))
    if method == "dp_gd":
        kernels.dp_gd(losses.quadratic_gradient, mean_gradient, rows, params, moved, alpha, C, sigma, z, batch, *out, clipped, tau, x_tau)
    elif method == "mezo":
        kernels.mezo(counted_loss, mean_gradient, rows, params, moved, alpha, lam, u, batch, *out, tau, x_tau)
    else:
        kernel: Callable[..., int] = {"dpzero": kernels.dpzero, "dpgd_0th": kernels.dpgd_0th}[method]
        kernel(counted_loss, mean_gradient, rows, params, moved, alpha, lam, C, sigma, u, z, batch, *out, clipped, tau, x_tau)
    return Replay(moved, x_tau, clipped, int(params[2][0]))


def clip(v: FloatArray, C: float) -> FloatArray:
    """Return clip_C of every row of v (n, k)."""
    norms = np.linalg.norm(v, axis=1, keepdims=True)
    return v * np.minimum(1.0, C / np.where(norms > 0, norms, 1.0))


def written(method: str, rows: FloatArray, x: FloatArray, a: FloatArray, C: float, sigma: float, u: FloatArray, z: Any) -> FloatArray:
    """Return the direction of descent of one step as the paper writes it; the step is -alpha times it."""
    gradients = a * (x - rows)
    s = (gradients @ u)[:, None]
    if method == "dpzero":
        return (clip(s, C).mean() + sigma * z) * u
    if method == "dpgd_0th":
        return clip(s * u, C).mean(axis=0) + sigma * z
    return clip(gradients, C).mean(axis=0) + sigma * z if method == "dp_gd" else (s * u).mean(axis=0)


def case(method: str, rng: np.random.Generator, T: int = 1) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return random rows, x, a, u and z: one to seven records, one to five dimensions, gradients from 0.01 to 100."""
    n, d = int(rng.integers(1, 8)), int(rng.integers(1, 6))
    rows = 10.0 ** rng.uniform(-2, 2) * rng.standard_normal((n, d))
    u = draws.directions(rng, T, d, "sphere")
    z = rng.standard_normal(T if method == "dpzero" else (T, d))
    return rows, rng.standard_normal(d), 10.0 ** rng.uniform(-1, 0, d), u, z


@deviations("the step of the paper", ROUNDING)
def as_written(*, method: str, cases: int, seed: int) -> Cases:
    """Compare the kernel's step with the line of the paper, with clipping at work, over several steps."""
    rng, clipped = np.random.default_rng(seed), 0
    for _ in range(cases):
        rows, x, a, u, z = case(method, rng, T=3)
        C, sigma, lam, alpha = (float(10.0 ** rng.uniform(low, high)) for low, high in ((-2, 2), (-2, 1), (-2, 1), (-2, 0)))
        seen, expected = replay(method, rows, x, a, C=C, sigma=sigma, lam=lam, alpha=alpha, u=u, z=z), x
        for u_t, z_t in zip(u, z, strict=True):
            expected = expected - alpha * written(method, rows, expected, a, C, sigma, u_t, z_t)
        off = float(np.linalg.norm(seen.x - expected) / (1 + np.linalg.norm(expected) + np.abs(rows).max()))
        clipped += bool(seen.clipped.any())
        at = {"n": len(rows), "d": len(x), "C": C, "lam": lam, "alpha": alpha, "sigma": sigma}
        yield off, at, {"cases with clipping": clipped}


def sensitivity(*, method: str, cases: int, seed: int, relation: str = "replace") -> Finding:
    """Search the largest distance of what enters the noise between neighbours, over what is declared: 2C/n, or C/n for the sum over n.

    The same draws serve both; with noise on, the difference must be the same, since the noise may not know the data.
    """
    rng, worst, at, leak = np.random.default_rng(seed), 0.0, {}, 0.0
    for k in range(cases):
        rows, x, a, u, z = case(method, rng)
        if relation == "remove" and len(rows) == 1:
            rows = np.repeat(rows, 2, axis=0)
        n, C, other = len(rows), float(10.0 ** rng.uniform(-2, 1)), rows.copy()
        i = int(rng.integers(n))
        if k % 3 == 0:  # far out along the direction of the step: the worst case
            rows[i] = x - 1e4 * u[0]
            other = rows.copy()
        other[i] = 2 * x - rows[i] if k % 3 < 2 else 10.0 ** rng.uniform(-1, 2) * rng.standard_normal(len(x))  # the mirror image, or any
        if relation == "remove":
            other = np.delete(rows, i, axis=0)
        both = [replay(method, data, x, a, C=C, u=u, z=z).x - x for data in (rows, other)]
        noisy = [replay(method, data, x, a, C=C, sigma=1.0, u=u, z=z).x - x for data in (rows, other)]
        if relation == "remove":  # the sums, over the public n
            both[1] *= (n - 1) / n
        else:
            leak = max(leak, float(np.linalg.norm(noisy[0] - noisy[1] - (both[0] - both[1]))) / (C + 1.0))
        distance = float(np.linalg.norm(both[0] - both[1])) / (math.sqrt(len(x)) if method == "dpzero" else 1.0)
        ratio = distance * n / C / (2.0 if relation == "replace" else 1.0)
        if ratio > worst:
            worst, at = ratio, {"n": n, "d": len(x), "C": C, "distance": distance}
    declared = "2C/n" if relation == "replace" else "C/n"
    numbers = {"pairs": cases, "largest distance / declared": worst, "dependence of the noise on the data": leak}
    if worst > 1 + ROUNDING or leak > ROUNDING:
        return refuted(f"a pair lies {worst:.4g} times {declared} apart", numbers, {**at, "ratio": worst, "leak": leak}, seed=seed)
    if worst < 0.999:
        sentence = f"the search came only to {worst:.4g} of {declared}: a search that reaches 1 would settle it"
        return inconclusive(sentence, numbers, seed=seed)
    return consistent(f"no pair of {cases} is further apart than {worst:.9f} times {declared}", numbers, seed=seed)


@deviations("{along}", ROUNDING)
def noise_along(*, method: str, along: str, cases: int, seed: int) -> Cases:
    """Compare the step with and without noise: the difference must be alpha sigma z, times u_t for a scalar z."""
    rng = np.random.default_rng(seed)
    for _ in range(cases):
        rows, x, a, u, z = case(method, rng)
        sigma, alpha = float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-1, 0))
        quiet, loud = (replay(method, rows, x, a, sigma=value, alpha=alpha, u=u, z=z).x for value in (0.0, sigma))
        expected = -alpha * sigma * (z[0] * u[0] if along.endswith("u") else z[0])
        off = float(np.linalg.norm(loud - quiet - expected)) / (alpha * sigma + 1)
        yield off, {"d": len(x), "alpha": alpha, "sigma": sigma, "z": z[0].tolist(), "u": u[0].tolist()}


@deviations("a step along u_t alone", ROUNDING)
def shared_direction(*, method: str, cases: int, seed: int) -> Cases:
    """Take two noiseless steps on many samples: the first must lie along u_0, the second along u_1, whatever the samples are."""
    rng = np.random.default_rng(seed)
    for _ in range(cases):
        rows, x, a, u, z = case(method, rng, T=2)
        one = replay(method, rows, x, a, u=u[:1], z=z[:1]).x
        two = replay(method, rows, x, a, u=u, z=z).x
        for step, along in ((one - x, u[0]), (two - one, u[1])):
            beside = float(np.linalg.norm(step - (step @ along) / len(x) * along)) / (1 + float(np.linalg.norm(step)))
            yield beside, {"n": len(rows), "d": len(x), "u": along.tolist(), "step": step.tolist()}


@deviations("the mean of clip_C(100 C) and clip_C(0)", ROUNDING)
def clips_in_order(*, method: str, seed: int) -> Cases:
    """Two records, s = 100 C and s = 0: clipped one by one, after the division by 2 lam, the mean is C/2, whatever lam is."""
    u, x = np.array([[1.0, 1.0]]), np.zeros(2)
    rows = np.array([[-50.0, -50.0], [0.0, 0.0]])
    z = np.zeros(1) if method == "dpzero" else np.zeros((1, 2))
    for lam in (1e-3, 0.1, 0.5, 10.0):
        C = 1.0 if method == "dpzero" else math.sqrt(2.0)
        step = -replay(method, rows, x, np.ones(2), C=C, lam=lam, u=u, z=z).x
        yield float(np.abs(step - 0.5).max()), {"lam": lam, "step": step.tolist(), "expected": 0.5}


@deviations("the same path", ROUNDING)
def linked_kernels(*, cases: int, seed: int) -> Cases:
    """Run Algorithm 1 at C and Algorithm 2 at C / sqrt(d) on the same draws without noise: the same path."""
    rng = np.random.default_rng(seed)
    for _ in range(cases):
        rows, x, a, u, _ = case("dpzero", rng, T=3)
        d, C = len(x), float(10.0 ** rng.uniform(-1, 2))
        vector = replay("dpgd_0th", rows, x, a, C=C, u=u, z=np.zeros((3, d))).x
        scalar = replay("dpzero", rows, x, a, C=C / math.sqrt(d), u=u, z=np.zeros(3)).x
        yield float(np.linalg.norm(vector - scalar) / (1 + np.linalg.norm(scalar) + np.abs(rows).max())), {"d": d, "C": C}


@deviations("x_tau the same, x_T moved")
def last_update_unused(*, method: str, cases: int, seed: int) -> Cases:
    """Change the data and the noise of the last step only: x_T must move, x_tau must not, for every tau up to T-1."""
    rng = np.random.default_rng(seed)
    for k in range(cases):
        rows, x, a, u, z = case(method, rng, T=3)
        other = z.copy()
        other[-1] += 5.0
        one, two = (replay(method, rows, x, a, sigma=1.0, u=u, z=draw, tau=k % 3) for draw in (z, other))
        still, known = bool(np.all(one.x == two.x)), bool(np.isfinite(one.x_tau).all())
        yield float(np.abs(one.x_tau - two.x_tau).max()) if known and not still else math.inf, {"tau": k % 3, "x_T stood still": still}


def evaluations(*, method: str) -> Finding:
    """Count the loss evaluations of T steps on n samples."""
    for n, T in ((1, 1), (3, 1), (7, 5)):
        z = np.zeros(T) if method == "dpzero" else np.zeros((T, 2))
        seen = replay(method, np.ones((n, 2)), np.zeros(2), np.ones(2), u=np.ones((T, 2)), z=z).evaluations
        if seen != 2 * n * T:
            return refuted(f"{seen} evaluations, not {2 * n * T}", {}, {"n": n, "T": T, "evaluations": seen})
    return consistent("2 n T evaluations in each of 3 sizes", {"sizes": 3})


s = sp.Symbol("s", real=True)
LINKED = C / sp.sqrt(d)  # the scalar's threshold that clips as C does the vector s u


def share(v: tuple[Any, ...], threshold: Any) -> Any:
    """Return C/||v||, the second entry of the minimum in the definition."""
    return threshold / sp.sqrt(sp.expand(sum(one**2 for one in v)))


def defined(v: tuple[Any, ...], threshold: Any) -> tuple[Any, ...]:
    """Return clip_C(v) as Section 2 defines it, v other than 0."""
    return tuple(one * sp.Min(1, share(v, threshold)) for one in v)


def linking_identity(*, coordinates: int) -> Finding:
    """Compare clip_C(s u) with clip_{C/sqrt(d)}(s) u for a u of length sqrt(d) with that many coordinates, each from the definition."""
    u = sp.symbols(f"u_1:{coordinates}", real=True)
    u = (*u, sp.sqrt(d - sum(one**2 for one in u)))
    vector = defined(tuple(s * one for one in u), C)
    scalar = tuple(defined((s,), LINKED)[0] * one for one in u)
    differences = [one - other for one, other in zip(vector, scalar, strict=True)]
    numbers = {"coordinates": coordinates, "factor": sp.sstr(sp.Min(1, share((s,), LINKED)))}
    if not any(differences):
        return proved("both sides, written out from the definition, are s u times the same factor", numbers)
    at = {C: sp.Integer(1), d: sp.Integer(coordinates), s: sp.Integer(2)} | dict.fromkeys(u[:-1], sp.Integer(1))
    left, right = (float(side[0].xreplace(at)) for side in (vector, scalar))
    witness = {"C": 1, "d": coordinates, "s": 2, "u": "(1, ..., 1)", "clip_C(s u)_1": left, "(defined(s) u)_1": right}
    return refuted(f"for s = 2, C = 1, u = (1, ..., 1) the two sides are {left:.4g} and {right:.4g}", numbers, witness)


def defined_at_zero() -> Finding:
    """Insert x = 0 in the definition, see what a program that is written like it returns there, and take the limit x -> 0."""
    at_zero = share((sp.Integer(0),), C)
    if at_zero.is_finite:
        return consistent(f"C/||0|| is {at_zero}")
    t, w = sp.symbols("t w", positive=True)
    near = defined((t,), C)[0].xreplace({t: C / (1 + w)})  # 0 < x < C; x falls to 0 as w grows
    limit = sp.limit(near, w, sp.oo)
    with np.errstate(divide="ignore"):
        zero = np.float64(0)
        ieee = float(zero * np.minimum(1.0, 1 / abs(zero)))
    numbers: dict[str, Any] = {"C/||0||": sp.sstr(at_zero), "limit x -> 0": sp.sstr(limit), "x min{1, C/|x|} in Python": _in_python(0.0)}
    numbers |= {"x min{1, C/|x|} in IEEE arithmetic, 1/0 = inf": ieee, "x / max{1, |x|/C}": 0.0 / max(1.0, 0.0)}
    if limit != 0 or ieee != 0:
        return inconclusive(f"the limit is {limit}, IEEE arithmetic gives {ieee}: which is clip_C(0)?", numbers)
    sentence = "at x = 0 the definition divides by 0; 0 is the continuous value, and what IEEE arithmetic gives, while plain Python raises"
    return refuted(sentence, numbers, {"x": 0, "C/||x||": sp.sstr(at_zero), "continuous value": 0})


def _in_python(x: float) -> str:
    try:
        return str(x * min(1.0, 1.0 / abs(x)))
    except ZeroDivisionError as error:
        return f"ZeroDivisionError: {error}"


@deviations("clip_C(0) = 0", ROUNDING)
def zero_in_the_kernels(*, method: str, cases: int, seed: int) -> Cases:
    """Give a kernel samples whose difference, or gradient, is exactly 0, alone and among others; the step must take them for 0."""
    rng, still = np.random.default_rng(seed), 0
    for k in range(cases):
        others, x, a, u, z = case(method, rng)
        x, others = np.zeros(len(x)), others[: k % 4]  # around 0 the two points are mirror images to the last bit
        rows, C = np.vstack([np.repeat(x[None], 1 + k % 3, axis=0), others]), float(10.0 ** rng.uniform(-12, 12))
        seen = replay(method, rows, x, a, C=C, u=u, z=z)
        expected = -written(method, rows, x, a, C, 0.0, u[0], z[0])
        off = float(np.linalg.norm(seen.x - x - expected)) / (1.0 + float(np.linalg.norm(expected)) + float(np.abs(rows).max()))
        if not len(others):
            still += 1
            off = off if np.array_equal(seen.x, x) and not seen.clipped.any() else np.inf
        at = {"n": len(rows), "samples of 0": len(rows) - len(others), "d": len(x), "C": C}
        yield off, at, {"cases where x must not move at all": still}


NAMES = {
    "dpgd_0th": ("algorithm1", "Algorithm 1"),
    "dpzero": ("algorithm2", "Algorithm 2"),
    "dp_gd": ("dp_gd_baseline", "DP-GD, Section 2.1"),
}
ADDED = {
    "dpgd_0th": "The noise is d-dimensional and enters as alpha sigma z_t, not along u_t",
    "dpzero": "The noise is one number a step: the step minus the noiseless step is alpha sigma z_t u_t",
    "dp_gd": "The noise is d-dimensional and enters as alpha sigma z_t",
}
ALGORITHM = Kind.ALGORITHM
OF_ALL = tuple(
    row
    for method, (name, place) in NAMES.items()
    for row in (
        claim(f"dpzero.{name}.step", f"{place}, update", ALGORITHM)
        .says("The step is the printed line, with clipping at work", printed.STEPS_TEX[method])
        .consistent("the kernel is that line")
        .in_full(cases=5000)
        .examined(as_written, method=method, cases=150, seed=1),
        claim(f"dpzero.{name}.sensitivity", f"{place}; Lemma 2.2, Delta = 2C/n", Kind.PRIVACY)
        .says("Replacing one record moves what enters the noise by at most 2C/n, and some replacement does move it that far")
        .formula(r"\Delta = 2C/n")
        .consistent("two clipped values differ by at most 2C")
        .in_full(cases=20_000)
        .examined(sensitivity, method=method, cases=300, seed=2),
        question(f"dpzero.{name}.add_or_remove", f"{place}; Definition 2.1 read with add-or-remove", Kind.PRIVACY)
        .says("Under add-or-remove neighbours the constant is another: the clipped sum over a public n moves by at most C/n, half as much")
        .consistent("one clipped value has length at most C")
        .in_full(cases=20_000)
        .examined(sensitivity, method=method, cases=300, seed=3, relation="remove"),
        claim(f"dpzero.{name}.noise_in_the_step", f"{place}, update", ALGORITHM)
        .says(ADDED[method])
        .consistent("alpha multiplies the mean and the noise")
        .in_full(cases=5000)
        .examined(noise_along, method=method, along="alpha sigma z u" if method == "dpzero" else "alpha sigma z", cases=60, seed=5),
        question(f"dpzero.clip.zero_in_{name}", f"{place}, clipping (our question)", ALGORITHM)
        .says("The kernel takes clip_C(0) = 0: samples with a difference or gradient of 0 count in n and add nothing")
        .consistent("nothing is divided by the length of what is not clipped")
        .in_full(cases=5000)
        .examined(zero_in_the_kernels, method=method, cases=120, seed=16),
    )
)
OF_TWO_POINTS = tuple(
    row
    for method, (name, place) in NAMES.items()
    if method != "dp_gd"
    for row in (
        claim(f"dpzero.{name}.one_direction", f"{place}, line of u_t", ALGORITHM)
        .says("All samples of a step share one direction u_t, another one each step")
        .consistent("u_t is drawn outside the loop over samples")
        .in_full(cases=5000)
        .examined(shared_direction, method=method, cases=60, seed=6),
        claim(f"dpzero.{name}.clipping_order", f"{place}, line of the clipping", ALGORITHM)
        .says("Clipping comes after the division by 2 lambda and sample by sample, before the average")
        .consistent("clip_C stands inside the sum, around the quotient")
        .examined(clips_in_order, method=method, seed=0),
        claim(f"dpzero.{name}.evaluations", f"{place}, cost", ALGORITHM)
        .says("A step costs 2n function evaluations")
        .consistent("2 a sample")
        .examined(evaluations, method=method),
        question(f"dpzero.{name}.last_update", f"{place}, output", ALGORITHM)
        .says("x_tau does not depend on the last update, although sigma covers T")
        .consistent("tau is at most T-1")
        .in_full(cases=2000)
        .examined(last_update_unused, method=method, cases=30, seed=7),
    )
)
CLAIMS = (
    *OF_ALL,
    *OF_TWO_POINTS,
    question("dpzero.algorithm1.linked_kernels", "Algorithms 1 and 2", ALGORITHM)
    .says("Without noise Algorithm 1 at C walks the path of Algorithm 2 at C/sqrt(d)")
    .consistent("the identity, sample by sample")
    .in_full(cases=5000)
    .examined(linked_kernels, cases=60, seed=11),
    question("dpzero.algorithm1.linked_to_algorithm2", "Algorithms 1 and 2", Kind.IDENTITY)
    .says("clip_C(s u) = clip_{C/sqrt(d)}(s) u when |u| = sqrt(d)", r"\mathrm{clip}_C(s u) = \mathrm{clip}_{C/\sqrt d}(s)\,u")
    .proved("one factor")
    .examined(linking_identity, coordinates=4),
    reading("dpzero.clip.defined_at_zero", "Section 2, notation: clip_C(x) = x min{1, C/||x||}", Kind.SCOPE)
    .says("The printed definition gives clip_C(x) for every x, x = 0 included", printed.CLIP_TEX)
    .refuted("C/||x|| does not exist at x = 0, where a sample's difference is whenever its loss is even around x_t along u_t")
    .corrected("clip_C(0) = 0, the only value that makes clip_C continuous", r"\mathrm{clip}_C(0) = 0", by="clip.zero_in_algorithm2")
    .examined(defined_at_zero),
    claim("dpzero.mezo.step", "Appendix B.2, MeZO", ALGORITHM)
    .says("MeZO is the two-point step without clipping, whatever the differences are")
    .consistent("no clip_C stands in its kernel")
    .in_full(cases=2000)
    .examined(as_written, method="mezo", cases=60, seed=15),
    claim("dpzero.mezo.evaluations", "Appendix B.2, MeZO", ALGORITHM)
    .says("A step of MeZO costs 2n function evaluations too")
    .consistent("one pair a sample")
    .examined(evaluations, method="mezo"),
)
