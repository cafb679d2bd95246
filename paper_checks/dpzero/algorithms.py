"""Do the kernels do what Algorithms 1, 2 and DP-GD say? Paired replay: on neighbouring datasets, with and without noise.

Replay: a kernel runs twice on the same draws, with one thing changed (a record, the noise, the last draw), and the difference is
looked at. The objective is a quadratic that counts its evaluations: its two-point difference is u'A(x - row), exactly, for every
smoothing radius, so that the line of the paper can be written out beside the kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from paper_checks.dpzero import formulas
from paper_checks.verdict import Claim, Finding, Kind, Outcome
from synthetic import draws, kernels, lipschitz
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
    method: str, rows: FloatArray, x: FloatArray, a: FloatArray, *, C: float = 1.0, sigma: float = 0.0, lam: float = 0.1,
    alpha: float = 1.0, u: FloatArray, z: FloatArray, tau: int = -1,
) -> Replay:  # fmt: skip
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


def searched(worst: float, at: dict[str, Any], tried: int, words: str, seed: int, **numbers: Any) -> Finding:
    """Return REFUTED where the largest deviation found is above rounding, CONSISTENT otherwise."""
    evidence = {"tried": tried, "largest deviation": worst, **numbers}
    if not worst <= ROUNDING:
        return Finding(Outcome.REFUTED, f"not so: {words} is missed by {worst:.3g}", evidence, {**at, "deviation": worst}, seed=seed)
    return Finding(Outcome.CONSISTENT, f"{words}: at most {worst:.2g} off in {tried} cases", evidence, seed=seed)


def as_written(*, method: str, cases: int, seed: int) -> Finding:
    """Compare the kernel's step with the line of the paper, with clipping at work, over several steps."""
    rng, worst, at, clipped = np.random.default_rng(seed), 0.0, {}, 0
    for _ in range(cases):
        rows, x, a, u, z = case(method, rng, T=3)
        C, sigma, lam, alpha = (float(10.0 ** rng.uniform(low, high)) for low, high in ((-2, 2), (-2, 1), (-2, 1), (-2, 0)))
        seen, expected = replay(method, rows, x, a, C=C, sigma=sigma, lam=lam, alpha=alpha, u=u, z=z), x
        for u_t, z_t in zip(u, z, strict=True):
            expected = expected - alpha * written(method, rows, expected, a, C, sigma, u_t, z_t)
        off = float(np.linalg.norm(seen.x - expected) / (1 + np.linalg.norm(expected) + np.abs(rows).max()))
        clipped += bool(seen.clipped.any())
        if not off <= worst:
            worst, at = off, {"n": len(rows), "d": len(x), "C": C, "lam": lam, "alpha": alpha, "sigma": sigma}
    return searched(worst, at, cases, "the step of the paper", seed, **{"cases with clipping": clipped})


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
        return Finding(
            Outcome.REFUTED, f"a pair lies {worst:.4g} times {declared} apart", numbers, {**at, "ratio": worst, "leak": leak}, 0.0, seed
        )
    if worst < 0.999:
        sentence = f"the search came only to {worst:.4g} of {declared}: a search that reaches 1 would settle it"
        return Finding(Outcome.INCONCLUSIVE, sentence, numbers, seed=seed)
    return Finding(Outcome.CONSISTENT, f"no pair of {cases} is further apart than {worst:.9f} times {declared}", numbers, seed=seed)


def noise_along(*, method: str, cases: int, seed: int) -> Finding:
    """Compare the step with and without noise: the difference must be alpha sigma z, times u_t for a scalar z."""
    rng, worst, at = np.random.default_rng(seed), 0.0, {}
    for _ in range(cases):
        rows, x, a, u, z = case(method, rng)
        sigma, alpha = float(10.0 ** rng.uniform(-1, 1)), float(10.0 ** rng.uniform(-1, 0))
        quiet, loud = (replay(method, rows, x, a, sigma=value, alpha=alpha, u=u, z=z).x for value in (0.0, sigma))
        expected = -alpha * sigma * (z[0] * u[0] if method == "dpzero" else z[0])
        off = float(np.linalg.norm(loud - quiet - expected)) / (alpha * sigma + 1)
        if not off <= worst:
            worst, at = off, {"d": len(x), "alpha": alpha, "sigma": sigma, "z": z[0].tolist(), "u": u[0].tolist()}
    return searched(worst, at, cases, "alpha sigma z u" if method == "dpzero" else "alpha sigma z", seed)


def shared_direction(*, method: str, cases: int, seed: int) -> Finding:
    """Take two noiseless steps on many samples: the first must lie along u_0, the second along u_1, whatever the samples are."""
    rng, worst, at = np.random.default_rng(seed), 0.0, {}
    for _ in range(cases):
        rows, x, a, u, z = case(method, rng, T=2)
        one = replay(method, rows, x, a, u=u[:1], z=z[:1]).x
        two = replay(method, rows, x, a, u=u, z=z).x
        for step, along in ((one - x, u[0]), (two - one, u[1])):
            beside = float(np.linalg.norm(step - (step @ along) / len(x) * along)) / (1 + float(np.linalg.norm(step)))
            if not beside <= worst:
                worst, at = beside, {"n": len(rows), "d": len(x), "u": along.tolist(), "step": step.tolist()}
    return searched(worst, at, 2 * cases, "a step along u_t alone", seed)


def clips_in_order(*, method: str) -> Finding:
    """Two records, s = 100 C and s = 0: clipped one by one, after the division by 2 lam, the mean is C/2, whatever lam is."""
    worst, at = 0.0, {}
    u, x = np.array([[1.0, 1.0]]), np.zeros(2)
    rows = np.array([[-50.0, -50.0], [0.0, 0.0]])
    z = np.zeros(1) if method == "dpzero" else np.zeros((1, 2))
    for lam in (1e-3, 0.1, 0.5, 10.0):
        C = 1.0 if method == "dpzero" else math.sqrt(2.0)
        step = -replay(method, rows, x, np.ones(2), C=C, lam=lam, u=u, z=z).x
        off = float(np.abs(step - 0.5).max())
        if not off <= worst:
            worst, at = off, {"lam": lam, "step": step.tolist(), "expected": 0.5}
    return searched(worst, at, 4, "the mean of clip_C(100 C) and clip_C(0)", 0)


def linked_kernels(*, cases: int, seed: int) -> Finding:
    """Run Algorithm 1 at C and Algorithm 2 at C / sqrt(d) on the same draws without noise: the same path."""
    rng, worst, at = np.random.default_rng(seed), 0.0, {}
    for _ in range(cases):
        rows, x, a, u, _ = case("dpzero", rng, T=3)
        d, C = len(x), float(10.0 ** rng.uniform(-1, 2))
        vector = replay("dpgd_0th", rows, x, a, C=C, u=u, z=np.zeros((3, d))).x
        scalar = replay("dpzero", rows, x, a, C=C / math.sqrt(d), u=u, z=np.zeros(3)).x
        off = float(np.linalg.norm(vector - scalar) / (1 + np.linalg.norm(scalar) + np.abs(rows).max()))
        if not off <= worst:
            worst, at = off, {"d": d, "C": C}
    return searched(worst, at, cases, "the same path", seed)


def last_update_unused(*, method: str, cases: int, seed: int) -> Finding:
    """Change the data and the noise of the last step only: x_T must move, x_tau must not, for every tau up to T-1."""
    rng, worst, still = np.random.default_rng(seed), 0.0, 0
    for k in range(cases):
        rows, x, a, u, z = case(method, rng, T=3)
        other = z.copy()
        other[-1] += 5.0
        one, two = (replay(method, rows, x, a, sigma=1.0, u=u, z=draw, tau=k % 3) for draw in (z, other))
        worst = max(worst, float(np.abs(one.x_tau - two.x_tau).max())) if np.isfinite(one.x_tau).all() else math.inf
        still += bool(np.all(one.x == two.x))
    return searched(math.inf if still else worst, {"cases in which x_T stood still": still}, cases, "x_tau the same, x_T moved", seed)


def never_clips(*, cases: int, seed: int, method: str) -> Finding:
    """Search pseudo-Huber samples, near and far, along u and not, for an estimate longer than the threshold L sqrt(d) (per |u|), or L."""
    rng, worst, at, L = np.random.default_rng(seed), 0.0, {}, math.nan
    objectives = {
        d: lipschitz.pseudo_huber(spectrum, d, 3, seed) for d, spectrum in ((1, "flat"), (2, "flat"), (5, "inverse"), (20, "flat"))
    }
    out = {d: np.empty(d) for d in objectives}
    for k in range(cases):
        d = list(objectives)[k % len(objectives)]
        one, u = objectives[d], draws.directions(rng, 1, d, "sphere")[0]
        L = one.constants["L"]
        row, lam = rng.standard_normal(d), float(10.0 ** rng.uniform(-2, 1))
        x = row + 10.0 ** rng.uniform(-1, 4) * (u if k % 2 else rng.standard_normal(d))
        if method == "dp_gd":
            one.gradient(x, row, one.params, out[d])
            ratio = float(np.linalg.norm(out[d])) / L
        else:
            s = (one.loss(x + lam * u, row, one.params) - one.loss(x - lam * u, row, one.params)) / (2 * lam)
            ratio = abs(float(s)) * math.sqrt(d) / (L * d)  # |s u| / (L d), the same as |s| / (L sqrt(d))
        if ratio > worst:
            worst, at = ratio, {"d": d, "lam": lam, "length / threshold": ratio}
    numbers = {"tried": cases, "largest length / threshold": worst}
    if worst > 1 + ROUNDING:
        return Finding(Outcome.REFUTED, f"an estimate has {worst:.6g} times the length of the threshold", numbers, at, seed=seed)
    return Finding(Outcome.CONSISTENT, f"no estimate of {cases} is longer than {worst:.9f} times the threshold", numbers, seed=seed)


def evaluations(*, method: str) -> Finding:
    """Count the loss evaluations of T steps on n samples."""
    for n, T in ((1, 1), (3, 1), (7, 5)):
        z = np.zeros(T) if method == "dpzero" else np.zeros((T, 2))
        seen = replay(method, np.ones((n, 2)), np.zeros(2), np.ones(2), u=np.ones((T, 2)), z=z).evaluations
        if seen != 2 * n * T:
            return Finding(Outcome.REFUTED, f"{seen} evaluations, not {2 * n * T}", {}, {"n": n, "T": T, "evaluations": seen})
    return Finding(Outcome.CONSISTENT, "2 n T evaluations in each of 3 sizes", {"sizes": 3})


def claim(key: str, source: str, words: str, examine: Callable[..., Finding], why: str, **arguments: Any) -> Claim:
    """Return a claim about an algorithm that is expected to be CONSISTENT, unless the arguments say otherwise."""
    given = {"kind": Kind.ALGORITHM, "expected": Outcome.CONSISTENT}
    given |= {name: arguments.pop(name) for name in ("latex", "kind", "stated", "expected", "full", "needs_full") if name in arguments}
    return Claim(f"dpzero.{key}", source, words, why=why, examine=examine, arguments=arguments, **given)  # type: ignore[arg-type]


NAMES = {
    "dpgd_0th": ("algorithm1", "Algorithm 1"),
    "dpzero": ("algorithm2", "Algorithm 2"),
    "dp_gd": ("dp_gd_baseline", "DP-GD, Section 2.1"),
}
ZEROTH = [(method, *names) for method, names in NAMES.items() if method != "dp_gd"]

# fmt: off
CLAIMS = (
    *(
        claim(f"{name}.step", f"{place}, update", "The step is the printed line, with clipping at work", as_written,
              "the kernel is that line", latex=formulas.STEPS[method], method=method, cases=150, seed=1, full={"cases": 5000})
        for method, (name, place) in NAMES.items()
    ),
    *(
        claim(f"{name}.sensitivity", f"{place}; Lemma 2.2, Delta = 2C/n",
              "Replacing one record moves what enters the noise by at most 2C/n, and some replacement does move it that far", sensitivity,
              "two clipped values differ by at most 2C", latex=r"\Delta = 2C/n", kind=Kind.PRIVACY, method=method, cases=300, seed=2,
              full={"cases": 20_000})
        for method, (name, place) in NAMES.items()
    ),
    *(
        claim(f"{name}.add_or_remove", f"{place}; Definition 2.1 read with add-or-remove",
              "Under add-or-remove neighbours the constant is another: the clipped sum over a public n moves by at most C/n, half as much",
              sensitivity, "one clipped value has length at most C", stated="question", kind=Kind.PRIVACY, method=method, cases=300, seed=3,
              relation="remove", full={"cases": 20_000})
        for method, (name, place) in NAMES.items()
    ),
    *(
        claim(f"{name}.noise_in_the_step", f"{place}, update", words, noise_along, "alpha multiplies the mean and the noise",
              method=method, cases=60, seed=5, full={"cases": 5000})
        for (method, (name, place)), words in zip(NAMES.items(), (
            "The noise is d-dimensional and enters as alpha sigma z_t, not along u_t",
            "The noise is one number a step: the step minus the noiseless step is alpha sigma z_t u_t",
            "The noise is d-dimensional and enters as alpha sigma z_t"), strict=True)
    ),
    *(
        claim(f"{name}.one_direction", f"{place}, line of u_t", "All samples of a step share one direction u_t, another one each step",
              shared_direction, "u_t is drawn outside the loop over samples", method=method, cases=60, seed=6, full={"cases": 5000})
        for method, name, place in ZEROTH
    ),
    *(
        claim(f"{name}.clipping_order", f"{place}, line of the clipping",
              "Clipping comes after the division by 2 lambda and sample by sample, before the average", clips_in_order,
              "clip_C stands inside the sum, around the quotient", method=method)
        for method, name, place in ZEROTH
    ),
    *(
        claim(f"{name}.evaluations", f"{place}, cost", "A step costs 2n function evaluations", evaluations, "2 a sample", method=method)
        for method, name, place in ZEROTH
    ),
    *(
        claim(f"{name}.last_update", f"{place}, output", "x_tau does not depend on the last update, although sigma covers T",
              last_update_unused, "tau is at most T-1", stated="question", method=method, cases=30, seed=7, full={"cases": 2000})
        for method, name, place in ZEROTH
    ),
    claim("algorithm1.linked_kernels", "Algorithms 1 and 2", "Without noise Algorithm 1 at C walks the path of Algorithm 2 at C/sqrt(d)",
          linked_kernels, "the identity, sample by sample", stated="question", cases=60, seed=11, full={"cases": 5000}),
    claim("remark_3_4.algorithm1", "Remark 3.4", "C = Ld never clips in Algorithm 1", never_clips, "|g| <= L |u|^2 = Ld",
          latex=r"\|g_\lambda(x;\xi)\| \le Ld", method="dpgd_0th", cases=600, seed=12, full={"cases": 50_000}),
    claim("remark_3_4.algorithm2", "Section 4", "The worst-case threshold L sqrt(d) never clips in Algorithm 2", never_clips,
          "|s| <= L |u| = L sqrt(d)", method="dpzero", cases=600, seed=13, full={"cases": 50_000}),
    claim("remark_3_4.dp_gd", "Section 2.1, Assumption 3.1", "C = L never clips in DP-GD", never_clips, "|grad f| <= L",
          stated="question", method="dp_gd", cases=600, seed=14, full={"cases": 50_000}),
    claim("mezo.step", "Appendix B.2, MeZO", "MeZO is the two-point step without clipping, whatever the differences are", as_written,
          "no clip_C stands in its kernel", method="mezo", cases=60, seed=15, full={"cases": 2000}),
    claim("mezo.evaluations", "Appendix B.2, MeZO", "A step of MeZO costs 2n function evaluations too", evaluations, "one pair a sample",
          method="mezo"),
)
# fmt: on
