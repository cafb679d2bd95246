"""The sharper theorems transcribed a third time, from what their pages say in words: integrals by quadrature, the root by bisection.

The symbolic and the numeric formulas were written by one hand, so the same slip may stand in both; nothing here is shared with either.
"""

import math
import random
from functools import cache

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import bounds
from bounds.dpzero.sharp_schedule import certified_bound_at
from bounds.floats import float_value
from bounds.symbols import symbols
from tests.papers.dpzero.sharper import THEOREMS, clipping, rough, smoothing, squared_root


def points(count, seed=11):
    """Problems and schedules in which clipping, smoothing and noise all count, and neither L nor ell is 1."""
    draw = random.Random(seed)
    for _ in range(count):
        d = draw.choice([4, 7, 60, 3_000])
        L, ell = 10 ** draw.uniform(-1, 1), 10 ** draw.uniform(-1, 1)
        yield {
            "d": float(d), "r": d ** draw.uniform(0, 1), "L": L, "ell": ell, "gap": 10 ** draw.uniform(-1, 1),
            "lam": L / ell * 10 ** draw.uniform(-4, 0), "sigma": L * 10 ** draw.uniform(-2, 1), "T": float(draw.randint(2, 5_000)),
            "c": draw.uniform(0.5, 4), "share": draw.uniform(0.05, 0.8),
        }  # fmt: skip


@pytest.mark.parametrize("key", THEOREMS)
def test_a_bound_is_the_root_of_the_quadratic_with_the_terms_that_its_page_names(key):
    terms, threshold = THEOREMS[key]
    with mp.workdps(40):
        for at in points(5):
            shrink, bias, cross, length, stretch = terms(at)
            alpha = float(at["share"] * (1 - shrink) * 2 / (at["ell"] * stretch))
            a, step = shrink + alpha * at["ell"] * stretch / 2, mp.mpf(alpha) * at["ell"]
            constant = mp.mpf(at["gap"]) / (alpha * at["T"]) + step * (length**2 + mp.mpf(at["r"]) * at["sigma"] ** 2) / 2
            expected = squared_root(a, bias + step * cross, constant)
            given = {name: at[name] for name in ("T", "lam", "sigma", "d", "r", "L", "ell", "gap")}
            given |= {"alpha": alpha, "C": threshold(at)}
            assert bounds.THEOREMS[key].bound_at(**given) == pytest.approx(float(expected), rel=1e-9)
            assert certified_bound_at(key, **given) == pytest.approx(float(expected), rel=1e-9)


def test_the_lemmas_say_what_their_pages_say():
    with mp.workdps(40):
        for at in points(5):
            L, ell, lam, d, r = (at[name] for name in ("L", "ell", "lam", "d", "r"))
            (k_1, k_2, k_3), (j_1, j_2, j_3), (bias, rest) = clipping(at), rough(at), smoothing(at)
            given = {"L": L, "ell": ell, "lam": lam, "d": d, "r": r, "C": at["c"] * L}
            for key, parts in {
                "dpzero.sharp_clip": {"i": L * k_1 / 2, "ii": ell * L**2 * k_2, "iii": ell * L * k_3},
                "dpzero.sharp_clip_lipschitz": {"i": L * j_1, "ii": ell * L**2 * j_2, "iii": ell * L * j_3},
                "dpzero.sharp_bias": {
                    "i": lam * ell * d**1.5 / (d + 1), "ii": bias, "iii": ell * rest**2,
                    "iv": ell**3 * r * d * (r + 2) / (d + 2) * d * (r + 4) / (d + 4),
                },
            }.items():  # fmt: skip
                found = bounds.THEOREMS[key].evaluate(**given)
                assert set(found.parts) == set(parts)
                for name, value in parts.items():
                    assert found.parts[name] == pytest.approx(float(value), rel=1e-9), (key, name)
                assert found.bound in found.parts.values()
            tail = bounds.THEOREMS["dpzero.sharp_tail_lipschitz"].evaluate(**given)
            spread = d / (d - 3)
            assert tail.bound == pytest.approx(math.erfc(at["c"] / math.sqrt(2 * spread)), rel=1e-9)
            assert tail.parts["variance"] == pytest.approx(spread, rel=1e-12)  # over L^2
            linear = bounds.THEOREMS["dpzero.sharp_tail_linear"].evaluate(**given).bound
            assert linear == pytest.approx(2 * math.exp(-(at["c"] ** 2) / 2), rel=1e-9)


def test_the_conditioned_bound_counts_every_sample_at_every_step():
    for at, n in zip(points(6, seed=12), (1.0, 3.0, 10.0, 1e3, 1e5, 1e7), strict=True):
        alpha, C = at["share"] / (4 * at["ell"] * (at["r"] + 2)), (at["c"] + 2) * at["L"]
        L, ell, d, sigma, T = (at[name] for name in ("L", "ell", "d", "sigma", "T"))
        fails = n * T * math.erfc(C / L * math.sqrt((d - 3) / d) / math.sqrt(2))
        noise = math.sqrt(2 / math.pi) * sigma  # E |z|
        expected = 4 * at["gap"] / (alpha * T) + 2 * ell * alpha * at["r"] * sigma**2 + ell**2 * d**3 * at["lam"] ** 2
        expected += (4 * L**2 * d + 4 * L * math.sqrt(d) * (C + noise)) * fails
        given = {name: at[name] for name in ("T", "lam", "sigma", "d", "r", "L", "ell", "gap")}
        assert bounds.THEOREMS["dpzero.sharp_event"].bound_at(**given, n=n, alpha=alpha, C=C) == pytest.approx(expected, rel=1e-9)


def test_that_anything_is_clipped_in_a_run_is_as_probable_as_the_union_says():
    """n samples with orthogonal gradients and T steps: the sampled probability is below the union and far above one without n or T."""
    d, n, T, L, C, runs = 400, 6, 4, 1.7, 5.1, 50_000
    rng = np.random.default_rng(4)
    z = rng.standard_normal((runs, T, n))  # sample i has the gradient L e_i: only the first n coordinates of u matter
    u = math.sqrt(d) * z / np.sqrt((z**2).sum(axis=2) + rng.chisquare(d - n, (runs, T)))[:, :, None]
    seen = np.mean((np.abs(L * u) > C).any(axis=(1, 2)))
    values, page = {"n": n, "T": T, "d": d, "L": L, "C": C}, bounds.page("dpzero.sharp_event")
    union = float_value(page.formula("union").xreplace({symbols("tail_h")[0]: page.formula("clipped")}), values)
    error = 5 * math.sqrt(seen / runs)
    assert seen - error <= union
    assert seen + error >= 0.9 * union
    assert seen - error > max(union / n, union / T)  # a union that forgot the samples or the steps would be refuted


L, ELL, SAMPLES = 1.7, 0.4, 30_000


def axis(d, *lengths):
    return [[one, *[0.0] * (d - 1)] for one in lengths]


SPIKE = [1.0, *[4 / 199] * 199]  # r = 5
STEPS = {  # gradients of the samples, spectrum, C / L, lam
    "one sample, much clipping": (axis(200, L), SPIKE, 1.5, 0.0),
    "one against two": (axis(200, -L, 0.55 * L, 0.55 * L), SPIKE, 0.9, 0.0),
    "opposite": (axis(200, -L, L / 2, L / 2), SPIKE, 0.9, 0.0),
    "bent in one dimension": ([[0.3 * L]], [1.0], 9.0, 0.5),
    "bent against the gradient": ([[-0.3 * L]], [1.0], 9.0, 0.5),
    "bent, flat spectrum": ([[-0.02 * L] * 50], [1.0] * 50, 30.0, 0.5),
    "bent and clipped": (axis(200, L, 0.3 * L), SPIKE, 1.2, 0.3),
}


@cache
def one_step(name):
    """(Mean and standard error of m p, those of m^2 w, G) at x = 0 for f_i(x) = a_i'x + ell sum_j h_j x_j |x_j| / 2.

    These are both hypotheses of dpzero.sharp_descent; the mean is a limit of functions whose Hessians lie between -H and H = ell diag(h).
    """
    a, h, c, lam = STEPS[name]
    a, h, d = np.asarray(a), np.asarray(h), len(h)
    z = np.random.default_rng(list(STEPS).index(name)).standard_normal((SAMPLES, d))
    u = math.sqrt(d) * z / np.linalg.norm(z, axis=1, keepdims=True)
    bent = ELL * lam / 2 * (u * np.abs(u)) @ h  # what the two-point difference has beside a_i'u
    m = np.clip(u @ a.T + bent[:, None], -c * L, c * L).mean(axis=1)
    along, squared = m * (u @ a.mean(axis=0)), m**2 * (ELL * u**2 @ h)
    root = math.sqrt(SAMPLES)
    return along.mean(), along.std() / root, squared.mean(), squared.std() / root, float(np.linalg.norm(a.mean(axis=0)))


LEAST_D = {"clip_bias": 1, "lipschitz": 4, "never_clip": 1}


def refuted(key, **lie):
    """Return the steps that refute a hypothesis of the lemma with the terms of a theorem, each term times its factor in `lie`."""
    theorem, page, found = bounds.THEOREMS[f"dpzero.sharp_{key}"], bounds.page(f"dpzero.sharp_{key}"), set()
    terms = {one: page.formula(f"{one}_term") for one in ("shrink", "bias", "cross", "length")}
    for name, (_, h, c, lam) in STEPS.items():
        if len(h) < LEAST_D[key] or (key == "never_clip" and c < math.sqrt(len(h))):
            continue
        at = {"L": L, "ell": ELL, "lam": max(lam, 1e-12), "d": float(len(h)), "r": float(sum(h)), "C": c * L}
        value = lambda one, at=at: float_value(theorem.without_abbreviations(sp.sympify(one)), at)
        term = {one: lie.get(one, 1.0) * value(entry) for one, entry in terms.items()}
        along, along_error, squared, squared_error, G = one_step(name)
        R2 = lie.get("stretch", 1.0) * at["d"] * (at["r"] + 2) / (at["d"] + 2)
        least = (1 - term["shrink"]) * G**2 - term["bias"] * G
        most = ELL * (R2 * G**2 + 2 * term["cross"] * G + term["length"] ** 2)
        if along + 5 * along_error < least - 1e-9 or squared - 5 * squared_error > most + 1e-9:
            found.add(name)
    return found


@pytest.mark.parametrize("key", LEAST_D)
def test_one_step_is_as_its_theorem_says_with_the_terms_in_force(key):
    assert refuted(key) == set()


@pytest.mark.parametrize(
    ("key", "term", "factor"),
    [
        ("clip_bias", "shrink", 0.5), ("clip_bias", "bias", 0.5), ("clip_bias", "cross", 0.5), ("clip_bias", "length", 0.5),
        ("clip_bias", "stretch", 0.9), ("lipschitz", "bias", 0.5), ("lipschitz", "length", 0.1),
        ("never_clip", "bias", 0.6), ("never_clip", "cross", 0.5), ("never_clip", "length", 0.5), ("never_clip", "stretch", 0.9),
    ],
)  # fmt: skip
def test_a_term_that_is_too_small_is_refuted_by_a_step(key, term, factor):
    assert refuted(key, **{term: factor})
