"""The sharper theorems as statements: the end of each proof, and the moments and constants in it."""

import math
from dataclasses import replace

import mpmath as mp
import pytest
import sympy as sp

import bounds
from bounds.dpzero.sharp_schedule import certified_bound, certified_bound_at
from bounds.proofs.attack import attack
from bounds.proofs.lines import used_lines
from bounds.proofs.support import missing_link
from bounds.symbols import C, L, d, ell, r, symbols
from tests.bounds.dpzero import sharper

CLIP_BIAS, LIPSCHITZ, NEVER_CLIP, EVENT, CLIP = (
    sharper.THEOREMS[f"dpzero.sharp_{name}"] for name in ("clip_bias", "lipschitz", "never_clip", "event", "clip")
)
FORMULAS = {
    f"{key}:{step.name}": (key, step)
    for key, chain in sharper.DERIVATIONS.items()
    for step in chain.steps
    if step.is_formula and step.relation in ("<=", ">=") and step.rhs != 0 and not used_lines(step.certificate)  # true for all its letters
}
AT = dict(alpha=0.03, T=4_000, C=3.0, lam=1e-6, sigma=0.1, n=10_000, d=2_000, r=8.18, L=1.0, ell=1.0, gap=1.0)


def test_every_theorem_has_a_proof_that_ends_in_its_bound():
    assert {key for key in sharper.DERIVATIONS if key != "dpzero.sharp_descent"} == set(sharper.THEOREMS)
    for key, theorem in sharper.THEOREMS.items():
        chain = sharper.DERIVATIONS[key]
        assert chain.proves is theorem
        assert missing_link(chain) == ""


@pytest.mark.parametrize("name", FORMULAS)
def test_inequalities_are_false_with_a_constant_of_10(name):
    key, step = FORMULAS[name]
    lie = replace(step, rhs=step.rhs / 10) if step.relation == "<=" else replace(step, lhs=step.lhs / 10)
    assert attack(sharper.DERIVATIONS[key].with_line(lie), step.name, samples=100, digits=40).counterexample is not None


def test_the_moments_beyond_a_threshold_are_those_integrals():
    page, threshold = bounds.page("dpzero.sharp_clip_lipschitz"), symbols("c_clip")[0]
    beyond, beyond_squared, beyond_fourth = map(page.formula, ("beyond", "square_over", "fourth_over"))
    assert bounds.page("dpzero.sharp_clip").formula("square_over") == beyond_squared
    for c in (mp.mpf(0), mp.mpf("0.7"), mp.mpf(3)):
        at = {threshold: sp.Float(str(c), 30)}
        for power, closed in ((2, beyond_squared), (4, beyond_fourth)):
            integral = mp.quad(lambda s, c=c, power=power: (s - c) ** power * mp.sqrt(2 / mp.pi) * mp.exp(-(s**2) / 2), [c, c + 3, c + 12])
            assert abs(integral / closed.subs(at).evalf(30) - 1) < 1e-12
        first = mp.quad(lambda s, c=c: (s - c) * s * mp.sqrt(2 / mp.pi) * mp.exp(-(s**2) / 2), [c, c + 3, c + 12])
        assert abs(first / beyond.subs(at).evalf(30) - 1) < 1e-12


@pytest.mark.parametrize(
    "key", [key for key, theorem in sharper.THEOREMS.items() if theorem.claim == "upper" and "grad F_S(x_" in theorem.measure]
)
def test_bounds_scale_with_the_loss(key):
    theorem, s = sharper.THEOREMS[key], 1.7
    n_C = {"dpzero.sharp_never_clip": 60.0, "dpzero.sharp_dpgd_0th_never_clip": 3_000.0, "dpzero.sharp_dpgd_0th": 130.0}.get(key, 3.0)
    at = {**AT, "C": n_C, "alpha": 0.02}
    scaled = {**at, "L": s, "ell": s, "gap": s, "C": s * n_C, "sigma": s * 0.1, "alpha": 0.02 / s}
    if key != "dpzero.sharp_start":
        assert not theorem.bound.has(sp.Symbol("B", nonnegative=True))
    assert theorem.bound_at(**scaled) == pytest.approx(s**2 * theorem.bound_at(**at), rel=1e-9)
    assert math.isfinite(theorem.bound_at(**at))


def test_floats_do_not_lose_a_moment_to_cancellation():
    def exact(c, r, spread):
        beyond = lambda x: mp.erfc(x / mp.sqrt(2))
        weight = lambda x: mp.sqrt(2 / mp.pi) * mp.exp(-(x**2) / 2)
        square = (1 + c**2) * beyond(c) - c * weight(c)
        if spread is None:
            return r * square + 2 * beyond(c)
        fourth = (c**4 + 6 * c**2 + 3) * beyond(c) - (c**3 + 5 * c) * weight(c)
        return spread * (r + 11) * square ** (mp.mpf(5) / 6) * fourth ** (mp.mpf(1) / 12)

    for clip, rank in ((38.2, 1e4), (37.43, 3.0), (37.0, 1e6), (12.0, 1e9), (1.0, 2.0)):
        values = dict(C=clip, L=1, ell=1, d=1e9, r=rank, lam=1)
        with mp.workdps(200):
            spread = mp.mpf(10) ** 9 / (mp.mpf(10) ** 9 - 3)
            smooth, rough = float(exact(mp.mpf(clip), mp.mpf(rank), None)), float(exact(clip / mp.sqrt(spread), mp.mpf(rank), spread))
        assert sharper.THEOREMS["dpzero.sharp_clip"].evaluate(**values).parts["ii"] == pytest.approx(smooth, rel=1e-12, abs=5e-324)
        assert sharper.THEOREMS["dpzero.sharp_clip_lipschitz"].evaluate(**values).parts["ii"] == pytest.approx(rough, rel=1e-12, abs=5e-324)


@pytest.mark.parametrize("C_over_L", [1e3, 1e7, 1e12])
def test_a_threshold_far_out_of_reach_is_no_threshold(C_over_L):
    at = {**AT, "C": C_over_L, "d": 1e30}
    far = LIPSCHITZ.bound_at(**at)
    assert far == pytest.approx(LIPSCHITZ.bound_at(**{**at, "C": 100.0}), rel=1e-14)
    assert certified_bound(LIPSCHITZ, **at) == pytest.approx(far, rel=1e-14)
    assert certified_bound_at("dpzero.sharp_lipschitz", **at) == certified_bound(LIPSCHITZ, **at)


def test_the_ratio_of_densities_falls_at_the_rate_that_its_proof_says():
    """Slopes in p = x^2 of the logarithms of both densities over that of sqrt(d / (d - 3)) |N|, by differentiation."""
    chain, p = sharper.DERIVATIONS["dpzero.sharp_tail_lipschitz"], sp.Symbol("p", positive=True)
    normal = -(d - 3) / d * p / 2
    chord = (d - 2) * sp.log(1 - p / (2 * d)) - sp.log(1 - p / (4 * d)) / 2
    coordinate = (d - 3) / 2 * sp.log(1 - p / d)
    for log_density, name, point in ((chord, "slope_W", "chord_point"), (coordinate, "slope_u", "coordinate_point")):
        said = chain[name].rhs.xreplace({chain[point].lhs: p})
        assert sp.simplify(sp.diff(log_density - normal, p) - said) == 0


def test_a_step_that_is_too_long_and_a_threshold_that_may_clip_are_refused():
    assert CLIP_BIAS.bound_at(**{**AT, "alpha": 0.5}) == math.inf
    assert NEVER_CLIP.bound_at(**AT) == math.inf
    assert not NEVER_CLIP.evaluate(**AT).holds
    assert "may be clipped" in NEVER_CLIP.evaluate(**AT).caveats[0]
    assert not LIPSCHITZ.evaluate(**{**AT, "d": 3, "r": 2}).holds
    assert EVENT.bound_at(**{**AT, "alpha": 0.2}) == math.inf


def test_without_clipping_noise_and_smoothing_gradient_descent_is_left():
    plain = CLIP_BIAS.bound_at(**{**AT, "C": 39.0, "lam": 1e-30, "sigma": 1e-30})
    a = AT["alpha"] * (AT["r"] + 2) * AT["d"] / (AT["d"] + 2) / 2
    assert plain == pytest.approx(1 / (AT["alpha"] * AT["T"] * (1 - a)), rel=1e-12)


def test_the_constants_of_the_clipping_lemma_are_its_integrals_at_rank_one():
    at = {C: 2, L: 1, ell: 1, r: 1}
    k_1, k_2, k_3 = (float(CLIP.in_constants(sp.Symbol(k, positive=True)).subs(at)) for k in ("k_1", "k_2", "k_3"))
    density = lambda s: math.sqrt(2 / math.pi) * math.exp(-(s**2) / 2)
    sums = [
        mp.quad(lambda s, f=f: f(s) * density(s), [2, 5, 14])
        for f in (lambda s: (s - 2) * s, lambda s: (s - 2) ** 2 * s**2, lambda s: (s - 2) * s**3)
    ]
    assert [k_1, k_2, k_3] == pytest.approx([float(one) for one in sums], rel=1e-9)
