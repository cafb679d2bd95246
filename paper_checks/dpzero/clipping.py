"""The clipping operation of Section 2, clip_C(x) = x min{1, C/||x||}: its value at 0, and how a scalar's and a vector's are linked."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from bounds.symbols import C, d
from paper_checks.dpzero import formulas
from paper_checks.dpzero.algorithms import case, claim, replay, searched, written
from paper_checks.verdict import Claim, Finding, Kind, Outcome

s = sp.Symbol("s", real=True)
LINKED = C / sp.sqrt(d)  # the scalar's threshold that clips as C does the vector s u


def share(v: tuple[Any, ...], threshold: Any) -> Any:
    """Return C/||v||, the second entry of the minimum in the definition."""
    return threshold / sp.sqrt(sp.expand(sum(one**2 for one in v)))


def clip(v: tuple[Any, ...], threshold: Any) -> tuple[Any, ...]:
    """Return clip_C(v) as Section 2 defines it, v other than 0."""
    return tuple(one * sp.Min(1, share(v, threshold)) for one in v)


def linking_identity(*, coordinates: int) -> Finding:
    """Compare clip_C(s u) with clip_{C/sqrt(d)}(s) u for a u of length sqrt(d) with that many coordinates, each from the definition."""
    u = sp.symbols(f"u_1:{coordinates}", real=True)
    u = (*u, sp.sqrt(d - sum(one**2 for one in u)))
    vector = clip(tuple(s * one for one in u), C)
    scalar = tuple(clip((s,), LINKED)[0] * one for one in u)
    differences = [one - other for one, other in zip(vector, scalar, strict=True)]
    numbers = {"coordinates": coordinates, "factor": sp.sstr(sp.Min(1, share((s,), LINKED)))}
    if not any(differences):
        return Finding(Outcome.PROVED, "both sides, written out from the definition, are s u times the same factor", numbers)
    at = {C: sp.Integer(1), d: sp.Integer(coordinates), s: sp.Integer(2)} | dict.fromkeys(u[:-1], sp.Integer(1))
    left, right = (float(side[0].xreplace(at)) for side in (vector, scalar))
    witness = {"C": 1, "d": coordinates, "s": 2, "u": "(1, ..., 1)", "clip_C(s u)_1": left, "(clip(s) u)_1": right}
    return Finding(Outcome.REFUTED, f"for s = 2, C = 1, u = (1, ..., 1) the two sides are {left:.4g} and {right:.4g}", numbers, witness)


def defined_at_zero() -> Finding:
    """Insert x = 0 in the definition, see what a program that is written like it returns there, and take the limit x -> 0."""
    at_zero = share((sp.Integer(0),), C)
    if at_zero.is_finite:
        return Finding(Outcome.CONSISTENT, f"C/||0|| is {at_zero}")
    t, w = sp.symbols("t w", positive=True)
    near = clip((t,), C)[0].xreplace({t: C / (1 + w)})  # 0 < x < C; x falls to 0 as w grows
    limit = sp.limit(near, w, sp.oo)
    with np.errstate(divide="ignore"):
        zero = np.float64(0)
        ieee = float(zero * np.minimum(1.0, 1 / abs(zero)))
    numbers = {
        "C/||0||": sp.sstr(at_zero),
        "limit x -> 0": sp.sstr(limit),
        "x min{1, C/|x|} in Python": _in_python(0.0),
        "x min{1, C/|x|} in IEEE arithmetic, 1/0 = inf": ieee,
        "x / max{1, |x|/C}": 0.0 / max(1.0, 0.0),
    }
    if limit != 0 or ieee != 0:
        return Finding(Outcome.INCONCLUSIVE, f"the limit is {limit}, IEEE arithmetic gives {ieee}: which is clip_C(0)?", numbers)
    sentence = "at x = 0 the definition divides by 0; 0 is the continuous value, and what IEEE arithmetic gives, while plain Python raises"
    return Finding(Outcome.REFUTED, sentence, numbers, {"x": 0, "C/||x||": sp.sstr(at_zero), "continuous value": 0})


def _in_python(x: float) -> str:
    try:
        return str(x * min(1.0, 1.0 / abs(x)))
    except ZeroDivisionError as error:
        return f"ZeroDivisionError: {error}"


def zero_in_the_kernels(*, method: str, cases: int, seed: int) -> Finding:
    """Give a kernel samples whose difference, or gradient, is exactly 0, alone and among others; the step must take them for 0."""
    rng, worst, at, still = np.random.default_rng(seed), 0.0, dict[str, Any](), 0
    for k in range(cases):
        others, x, a, u, z = case(method, rng)
        x, others = np.zeros(len(x)), others[: k % 4]  # around 0 the two points are mirror images to the last bit
        rows, C = np.vstack([np.repeat(x[None], 1 + k % 3, axis=0), others]), float(10.0 ** rng.uniform(-12, 12))
        seen = replay(method, rows, x, a, C=C, u=u, z=z)
        expected = -written(method, rows, x, a, C, 0.0, u[0], z[0])
        scale = 1.0 + float(np.linalg.norm(expected)) + float(np.abs(rows).max())
        off = float(np.linalg.norm(seen.x - x - expected)) / scale
        if not len(others):
            still += 1
            off = off if np.array_equal(seen.x, x) and not seen.clipped.any() else np.inf
        if not off <= worst:
            worst, at = off, {"n": len(rows), "samples of 0": len(rows) - len(others), "d": len(x), "C": C}
    return searched(worst, at, cases, "clip_C(0) = 0", seed, **{"cases where x must not move at all": still})


NAMES = {"dpgd_0th": "Algorithm 1", "dpzero": "Algorithm 2", "dp_gd": "DP-GD, Section 2.1"}
CLAIMS = (
    Claim(
        key="dpzero.clip.defined_at_zero",
        source="Section 2, notation: clip_C(x) = x min{1, C/||x||}",
        words="The printed definition gives clip_C(x) for every x, x = 0 included",
        latex=formulas.CLIP,
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="C/||x|| does not exist at x = 0, where a sample's difference is whenever its loss is even around x_t along u_t",
        examine=defined_at_zero,
        correction="clip_C(0) = 0, the only value that makes clip_C continuous",
        correction_latex=r"\mathrm{clip}_C(0) = 0",
        repaired_by="dpzero.clip.zero_in_algorithm2",
    ),
    *(
        claim(
            f"clip.zero_in_{key}",
            f"{NAMES[method]}, clipping (our question)",
            "The kernel takes clip_C(0) = 0: samples with a difference or gradient of 0 count in n and add nothing",
            zero_in_the_kernels,
            "nothing is divided by the length of what is not clipped",
            stated="question",
            method=method,
            cases=120,
            seed=16,
            full={"cases": 5000},
        )
        for method, key in (("dpgd_0th", "algorithm1"), ("dpzero", "algorithm2"), ("dp_gd", "dp_gd_baseline"))
    ),
    claim(
        "algorithm1.linked_to_algorithm2",
        "Algorithms 1 and 2",
        "clip_C(s u) = clip_{C/sqrt(d)}(s) u when |u| = sqrt(d)",
        linking_identity,
        "one factor",
        kind=Kind.IDENTITY,
        stated="question",
        expected=Outcome.PROVED,
        latex=r"\mathrm{clip}_C(s u) = \mathrm{clip}_{C/\sqrt d}(s)\,u",
        coordinates=4,
    ),
)
