"""Lemma 5 and Theorem 2 of DP-ZOPO against vectors, runs and numbers worked out by other means."""

import math

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.dp_zopo import false_lines, stages
from bounds.symbols import GLOSSARY
from paper_checks.dp_zopo import lemma5, theorem2, theorem4
from synthetic.methods.dp_zopo import DP_ZOSO
from synthetic.objectives.stages import ball_quadratic, smoothed_kinks
from synthetic.runs.simulate import simulate

BALL = {"d": 1, "L": 1.1, "C": math.sqrt(2) * 1.1, "growth_mu": 0.025, "sample_spread": math.sqrt(3 / 7), "directions": 1, "minibatch": 64}
BALL |= {"n": 1e12, "epsilon": 1, "delta": 1e-6, "c_noise": 1, "T": 1e6, "last_lam": 0.04, "stage_lam": 0.04, "weak": 0.0}


def dot(*pair):
    return float(np.dot(*pair))


def one_step(rng, d=4):
    """A proximal step from random points with a random error of the gradient of a quadratic; every quantity of the chain by its letter."""
    A = rng.standard_normal((d, d))
    A = A @ A.T / d
    top, anchor = float(np.linalg.eigvalsh(A)[-1]), rng.uniform(0.5, 5)
    eta = rng.uniform(0.1, 1) / top
    start, now, at, Delta = rng.standard_normal((4, d))

    def F(x):
        return dot(x, A @ x) / 2

    def r(x):
        return dot(x - start, x - start) / (2 * anchor)

    def prox(g):
        return (now - eta * g + eta / anchor * start) / (1 + eta / anchor)

    g = A @ now
    after, clear = prox(g - Delta), prox(g)
    letters = {
        "stage_step": eta, "anchor": anchor, "weak": 0.0, "d": 1.0, "L": top, "stage_lam": 1.0, "error_sq": dot(Delta, Delta),
        "smooth_now": F(now), "smooth_next": F(after), "smooth_at": F(at), "anchor_next": r(after), "anchor_at": r(at),
        "grad_at": dot(g, now - at), "grad_step": dot(g, after - now), "grad_next": dot(g, after - at),
        "pull_next": dot((after - start) / anchor, after - at), "est_next": dot(g - Delta, after - at),
        "err_next": dot(Delta, after - at), "err_shift": dot(Delta, after - clear), "err_clear": dot(Delta, clear - at),
        "along_move": dot(now - after, after - at), "move_sq": dot(now - after, now - after), "away_sq": dot(now - at, now - at),
        "away_next": dot(after - at, after - at), "phi_gap": F(after) + r(after) - F(at) - r(at),
    }  # fmt: skip
    return letters | {"bias_along": letters["err_clear"], "error_level": letters["error_sq"]}  # of one run, so that they are what happens


def test_every_fact_and_every_step_of_one_step_holds_of_vectors():
    """Also those that the chain only argues in words."""
    rng, tried = np.random.default_rng(3), set()
    proof = bounds.DERIVATIONS["dp_zopo.lemma5_steps"]
    letters = [GLOSSARY[name].symbol for name in one_step(rng)]
    lines = [one for one in proof.lines.values() if one.is_formula and one.symbols <= {*letters} and one.relation in ("=", "<=", ">=")]
    sides = [sp.lambdify(letters, (one.lhs, one.rhs)) for one in lines]
    for _ in range(200):
        at = one_step(rng).values()
        for one, both in zip(lines, sides, strict=True):
            left, right = both(*at)
            tried.add(one.name)
            if one.is_equality:
                assert left == pytest.approx(right, abs=1e-9), one.name
            else:
                assert (right - left if one.relation == "<=" else left - right) >= -1e-9, one.name
    assert {"proximal", "moved_by_error", "square", "strongly_convex", "equation_35", "equation_37", "one_step"} <= tried


def test_a_whole_stage_stays_below_40_with_the_errors_that_happen():
    rng = np.random.default_rng(5)
    for _ in range(20):
        T, eta, anchor, at = 30, 0.3, 2.0, rng.standard_normal(3)
        start = now = rng.standard_normal(3)
        path, level, bias = [], 0.0, 0.0
        for _ in range(T):
            Delta = 0.3 * rng.standard_normal(3) + 0.2
            after, clear = ((now - eta * (now - e) + eta / anchor * start) / (1 + eta / anchor) for e in (Delta, 0 * Delta))
            level, bias, now = level + dot(Delta, Delta) / T, bias + dot(Delta, clear - at) / T, after
            path.append(after)
        mean = np.mean(path, axis=0)
        gap = (dot(mean, mean) - dot(at, at)) / 2 + (dot(mean - start, mean - start) - dot(at - start, at - start)) / (2 * anchor)
        assert gap <= (1 / eta + 1 / anchor) / (2 * T) * dot(start - at, start - at) + eta * level + bias + 1e-12


def test_the_printed_schedule_by_mpmath():
    """Six stages for alpha = 1e-3 from 0.05 on the ball: eta_s = 1.284 alpha_s, T_1 = 4362, each stage twice as long."""
    theorem = bounds.THEOREMS["dp_zopo.theorem2"]
    with mp.workdps(30):
        ratio = 64 * mp.e / (56 * 2 * mp.mpf("1.21"))
    for s in range(1, 7):
        found = theorem.evaluate(**BALL, target_0=0.05, target=1e-3, stage_target=0.05 / 2**s)
        assert found.holds
        assert (found.schedule["stages"], found.schedule["anchor"]) == (6, pytest.approx(140))
        assert found.schedule["stage_step"] == pytest.approx(float(ratio) * 0.05 / 2**s, rel=1e-12)
        assert found.schedule["stage_T"] == pytest.approx(4362.31 * 2 ** (s - 1), rel=1e-5)
    assert float(ratio) == pytest.approx(1.2837222, rel=1e-7)


def test_the_brackets_in_whole_numbers():
    T, half = sp.Symbol("T", positive=True), sp.Rational(1, 2)
    first = half / 7 + half / 7 + half / (7 * T)  # 1/(4 lambda mu) and its like at 7/(2 mu), of alpha_{s-1} = 2 alpha_s
    assert sp.simplify(2 * first + sp.Rational(4, 7) - (6 * T + 1) / (7 * T)) == 0
    assert sp.simplify(2 * (first - half / 7) + sp.Rational(4, 7) - (5 * T + 1) / (7 * T)) == 0


def test_straight_losses_against_draws():
    """The exact stage of the ledger, and its mean and variance of an estimate, against a million draws."""
    C, rng = math.sqrt(2), np.random.default_rng(1)
    mean, variance = lemma5.estimate_moments(C, 0.0)
    assert mean == pytest.approx(0.3 * float(mp.erf(1)) - 0.3 * float(mp.erf(mp.mpf(7) / 3)), rel=1e-12)
    v, k = rng.standard_normal(10**6), rng.binomial(64, 0.3, 10**6)
    g = (k * np.clip(v, -C, C) + (64 - k) * np.clip(-3 / 7 * v, -C, C)) / 64 * v
    assert abs(g.mean() - mean) < 6 * math.sqrt(variance / 10**6)
    assert g.var() == pytest.approx(variance, rel=0.02)
    theta, total, eta, T = np.zeros(5000), 0.0, 0.2, 40
    for drawn in rng.choice(g, (T, 5000)):
        theta = (theta - eta * drawn) / (1 + eta / 3)
        total = total + theta
    for output, samples in (("last", theta), ("average", total / T)):
        found = lemma5.check_stage_bound(anchor=3.0, eta=eta, T=T, C=C, output=output, update="proximal", gamma=0.0).numbers[
            "E phi - phi(0)"
        ]
        gaps = samples**2 / 6
        assert abs(gaps.mean() - found) < 6 * gaps.std() / math.sqrt(5000), output


def test_stages_on_the_ball_against_the_kernel():
    """The loop of the ledger and the kernel of the lab draw otherwise, and end at the same mean gap."""
    f = ball_quadratic([0.1], 1, 100, 0, radius=1.0, spread=math.sqrt(3 / 7), slopes="two")
    C, (_, eta, T) = 1.1 * math.sqrt(2), theorem2.printed_schedule(1, 1.1 * math.sqrt(2))[0]
    run = simulate(
        DP_ZOSO, f, alpha=(eta,), T=(T,), lam=0.1, stages=1, C=C, sigma=0.0, anchor=140.0, regulariser="proximal", radius=1.0,
        output="average", batch_size=100, replicates=8, seed=5,
    )  # fmt: skip
    ours = theorem2.simulate_gaps(1, C, "average", "proximal", 200, 11)[-1]
    assert abs(run.stage_loss[:, -1].mean() - ours.mean()) < 6 * ours.std() / math.sqrt(8)


def test_a_mask_leaves_what_it_misses():
    """Half of the 20 coordinates that matter, in a mask of 12, against draws."""
    rng, runs, eta = np.random.default_rng(4), 4000, 0.05
    on = np.repeat([[1.0] * 10 + [0.0] * 2], runs, axis=0)
    for _ in range(30):
        v, z = rng.standard_normal((runs, 12)), rng.standard_normal((runs, 1))
        on -= eta * ((on * v).sum(axis=1, keepdims=True) + 0.5 * z) * v
    found = theorem4.check_masked_quadratic(kept=12, hit=10, eta=eta, noise=0.5, T=30, target=0.01).numbers
    gaps = (on**2).sum(axis=1) / 2
    assert found["off the mask"] == 5
    assert abs(gaps.mean() + 5 - found["E f"]) < 6 * gaps.std() / math.sqrt(runs)


def test_kinks_by_two_transcriptions():
    x, radius = 0.3, 0.7
    value, slope = smoothed_kinks([1.0], np.array([x]), radius)
    assert float(false_lines.smoothed_kink(sp.Float(x), sp.Float(radius))) == pytest.approx(value, rel=1e-12)
    assert smoothed_kinks([1.0], np.array([float(false_lines.LOWEST) * radius]), radius)[1] == pytest.approx(0, abs=1e-12)
    assert float(slope[0]) == pytest.approx(1.5 * math.erf(x / (radius * math.sqrt(2))) - 0.5, rel=1e-9)


@given(st.lists(st.floats(0.01, 0.99), min_size=14, max_size=14), st.integers(1, 10**6), st.integers(1, 1000))
def test_the_bounds_that_plans_are_searched_with_are_those_of_the_pages(numbers, T, burn_in):
    """`bounds.dp_zopo.stages` writes them for floats and arrays; here each is compared with the page that proves it."""
    names = ["gap_before", "eta", "beta", "L", "rho", "young", "bias_cap", "second", "mu", "d", "P", "C", "sigma", "m"]
    at = {**dict(zip(names, numbers, strict=True)), "d": 1 + 50 * numbers[9], "P": 1 + round(9 * numbers[10]), "m": 1 + 99 * numbers[13]}
    at["mu"] = 1 + at["mu"]  # rho/(4 mu) + tau below 1
    growth, suffix = (bounds.page(f"dp_zopo.{name}") for name in ("sharp_growth", "sharp_suffix"))

    def of(page, name, **more):
        formula = page.formula(name)
        return float(
            formula.xreplace({page.symbol(one): sp.Float(value, 30) for one, value in {**at, **more}.items() if one in page.symbols})
        )

    V = stages.second_moment(at["d"], at["L"], at["P"], at["sigma"] * at["C"] / at["m"])
    assert of(growth, "moment") == pytest.approx(V, rel=1e-12)
    constants = {name: at[name] for name in ("d", "L", "mu", "rho")}
    cost = stages.growth_cost(at["gap_before"], at["eta"], T, at["beta"], V=at["second"], **constants)
    assert of(growth, "cost", T_s=T) == pytest.approx(cost, rel=1e-12)
    bound = stages.growth_bound(cost, T, at["young"], at["bias_cap"], at["mu"], at["rho"])
    assert of(growth, "bound", T_s=T) == pytest.approx(bound, rel=1e-12)
    taken, added = at["young"], at["bias_cap"]
    reached = stages.distance_bound(at["gap_before"], (1 - taken) ** burn_in, taken, added, at["mu"])
    left = {"away_taken": taken, "away_left": 1 - taken, "away_added": added, "burn_in": burn_in, "T": T}
    assert of(suffix, "reached", **left) == pytest.approx(reached, rel=1e-9)
    smoothed = at["L"] * at["beta"] * math.sqrt(at["d"]) + at["rho"] * at["beta"] ** 2 * at["d"] / 2
    each = at["eta"] * at["second"] / 2 + smoothed + at["bias_cap"] ** 2 / (8 * at["mu"] * at["young"])
    found = stages.mean_gap_bound(reached, each, at["eta"], T, at["young"], at["mu"], at["rho"])
    assert of(suffix, "bound", **left) == pytest.approx(found, rel=1e-9)
