"""The sharp theorem of DP-GRAPE: its means integrated and drawn, its bound by hand, and the plans that are made of it."""

import itertools
import json
import math
import subprocess
import sys

import mpmath as mp
import numpy as np
import pytest
from scipy import integrate, stats

import bounds
from bounds.dp_grape import sharp_numbers
from bounds.dp_grape.recommend import certified_bound, recommend
from bounds.plans.plan import ObjectiveFacts
from bounds.privacy.gaussian import delta_gaussian
from bounds.privacy.subsampled import epsilon_subsampled

PROBLEM = {"n": 10**5, "d": 2000, "epsilon": 2.0, "delta": 1e-7, "L": 1.3, "ell": 0.7, "gap": 0.9, "r": 4, "layers": 3, "spread": 1.5}
EXAMPLE = {"n": 10**7, "d": 10**4, "epsilon": 1.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "r": 8, "layers": 10, "spread": 1.0}


def means_beyond(k, y):
    """E (chi^2_k - y)_+ and its square's, from the tails for k, k + 2 and k + 4, in the digits that are set."""
    if y <= 0:
        return k - y, k * (k + 2) - 2 * y * k + y**2
    a, h = mp.mpf(k) / 2, y / 2
    tail = mp.gammainc(a, h, mp.inf, regularized=True)
    more = [mp.exp(-h) * h**shape / mp.gamma(shape + 1) for shape in (a, a + 1)]
    return k * (tail + more[0]) - y * tail, k * (k + 2) * (tail + more[0] + more[1]) - 2 * y * k * (tail + more[0]) + y**2 * tail


@pytest.mark.parametrize("k", [1, 2, 3, 5, 34, 1001, 8194, 8195, 65_538, 65_540])
def test_means_beyond_a_point_are_right_to_12_digits(k):
    """Far below `ROUNDED`, up to the largest r: k is r + 2 or r + 4."""
    spread = math.sqrt(2 * k)
    for y in (-3.0, 1e-3, 0.5 * k, max(k - spread, 0.1), float(k), k + 0.1 * spread, k + 3 * spread, k + 8 * spread):
        with mp.workdps(60):
            exact = [float(one) for one in means_beyond(k, mp.mpf(y))]
        assert sharp_numbers.excess_moments(k, y) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("r", [1, 8, 8192, 30_001, 65_536])
def test_beta_and_omega_are_rounded_up(r):
    """In 60 digits, at the best u of the grid: not above what is returned."""
    for ratio in (1 - 0.3 / math.sqrt(r), 1 + 1 / math.sqrt(r), 1 + 3 / math.sqrt(r)):
        beta, omega = sharp_numbers.clip_loss(r, ratio), sharp_numbers.clip_spread(r, ratio)
        for found, k, power in ((beta, r + 2, 1), (omega**2, r + 4, 2)):
            mean = (sharp_numbers.tangent_mean, sharp_numbers.tangent_mean_sq)[power - 1]
            u = min(sharp_numbers.TOUCHES, key=lambda one, k=k, mean=mean, x=r * ratio**2: mean(k, x, one))
            with mp.workdps(60):
                x, v = r * mp.mpf(ratio) ** 2, mp.mpf(u)
                exact = means_beyond(k, x * v**2 * (3 - 2 * v))[power - 1] / (2 * v**3 * x) ** power
            assert exact < found < exact * (1 + 2e-9) + 2e-30


@pytest.mark.parametrize(("k", "x", "u"), [(3, 2.0, 1.0), (3, 9.0, 1.2), (10, 18.0, 1.0), (10, 3.0, 2.5), (66, 70.0, 1.05), (4, 0.5, 1.5)])
def test_means_of_a_tangent_are_integrals(k, x, u):
    density = stats.chi2(k).pdf
    start = max(0.0, x * (3 * u**2 - 2 * u**3))
    for power, found in ((1, sharp_numbers.tangent_mean(k, x, u)), (2, sharp_numbers.tangent_mean_sq(k, x, u))):
        over = lambda y, power=power: ((y / x - 3 * u**2 + 2 * u**3) / (2 * u**3)) ** power * density(y)
        assert found == pytest.approx(integrate.quad(over, start, k + 60 * math.sqrt(k), limit=200)[0], rel=1e-7)


def test_a_tangent_lies_above_what_clipping_takes():
    s = np.geomspace(1e-3, 1e3, 4001)
    for u in sharp_numbers.TOUCHES:
        assert (np.maximum(1 - 1 / s, 0) <= np.maximum(s**2 - 3 * u**2 + 2 * u**3, 0) / (2 * u**3) + 1e-12).all()


@pytest.mark.parametrize("r", [1, 2, 4, 8])
@pytest.mark.parametrize("spectrum", [[1.0], [1.0, 0.3], [1.0, 1.0], [1.0] * 8], ids=["one", "uneven", "two", "full"])
def test_shares_of_drawn_projections_are_within_beta_and_omega(r, spectrum):
    """Six standard errors: of some 200 comparisons all hold by chance with probability 1 - 2e-7."""
    rng, m, draws = np.random.default_rng(40 + r), 8, 6000
    s = np.array(spectrum) / np.linalg.norm(spectrum)
    gaussian = rng.standard_normal((draws, m, r)) / math.sqrt(r)
    orthonormal = math.sqrt(m / r) * np.linalg.qr(rng.standard_normal((draws, m, r)))[0]
    for P, stretch in ((gaussian, (m + r + 1) / r), (orthonormal, m / r)):
        R = np.swapaxes(P[:, : s.size] * s[:, None], 1, 2)
        for ratio in (0.4, 0.8, 1.0, 1.5):
            lost = np.maximum(1 - ratio / np.sqrt((R**2).sum((1, 2))), 0)
            shares = lost[:, None] * (P[:, : s.size] ** 2).sum(2)
            squares = lost**2 * ((P @ R) ** 2).sum((1, 2)) / stretch
            beta, omega = sharp_numbers.clip_loss(r, ratio), sharp_numbers.clip_spread(r, ratio)
            assert (shares.mean(0) - 6 * shares.std(0) / math.sqrt(draws) <= beta).all()
            assert squares.mean() - 6 * squares.std() / math.sqrt(draws) <= omega**2


@pytest.mark.parametrize(("r", "ratio"), [(1, 1.0), (1, 3.0), (8, 1.0), (8, 1.6), (64, 1.1)])
def test_beta_is_near_what_one_direction_loses(r, ratio):
    """Not above 1.4 times it, and less where clipping is rare."""
    law = stats.chi2(r + 2)
    exact = integrate.quad(lambda y: (1 - ratio * math.sqrt(r / y)) * law.pdf(y), r * ratio**2, r * ratio**2 + 60 * (r + 2), limit=200)[0]
    assert exact <= sharp_numbers.clip_loss(r, ratio) <= 1.4 * exact


def test_the_root_solves_the_quadratic():
    a, b, R = 0.2, 0.03, 0.4
    y = sharp_numbers.larger_root(a, b, R)
    assert y > 0
    assert (1 - a) * y**2 - b * y == pytest.approx(R, rel=1e-12)


def test_the_numbers_of_the_example():
    """Printed 0.0663; with Theorem D.10 corrected at most 0.0030; the sharp theorem at most a tenth of that."""
    plan = recommend("dp_grape_blocks", **EXAMPLE)
    assert plan.printed.bound == pytest.approx(0.0663, abs=5e-5)
    assert plan.repaired.certified < 0.0030
    assert plan.sharp.certified == pytest.approx(2.245e-4, rel=1e-3)
    assert plan.printed.T == math.floor(2 * math.sqrt(2e4) * 1e7 / (8 * math.sqrt(10 * math.log(1e6))))
    assert plan.printed.certified < plan.printed.bound
    assert not plan.printed.private
    assert any("B = 9512, our accountant finds epsilon = 1.174" in caveat for caveat in plan.printed.caveats)


def test_a_printed_plan_says_whether_its_noise_is_private():
    """Its batches are of fixed size: at B = 1 the accountant finds 1000 times the epsilon that was asked for."""
    shared = {"L": 1.0, "ell": 1.0, "gap": 1.0, "r": 64}
    plan = recommend("dp_grape_blocks", n=1e5, d=1e6, epsilon=0.05, delta=1e-6, **shared).printed
    assert (plan.batch_size, plan.private) == (1, False)
    assert any("B = 1, our accountant finds epsilon = 55" in caveat for caveat in plan.caveats)
    few = recommend("dp_grape", n=1e4, d=2, epsilon=0.2, delta=1e-5, **(shared | {"r": 1})).printed
    assert (few.batch_size, few.private) == (148, True)
    assert not any("not shown to be private" in caveat for caveat in few.caveats)
    full = recommend("dp_grape", n=100, d=1, epsilon=8.0, delta=1e-2, **(shared | {"r": 1})).printed
    assert (full.sampling, full.private) == ("full", False)
    assert any("with full batches it gives delta = 0.298 at epsilon = 8" in caveat for caveat in full.caveats)


def test_the_printed_parameters_of_roberta_promise_nothing():
    plan = recommend("dp_grape", n=1024, d=355_000_000, epsilon=6, delta=1e-5, L=1, ell=1, gap=1, r=16, layers=146, block=1024)
    assert plan.printed.bound == pytest.approx(7.04e4, rel=1e-3)
    assert plan.printed.T == pytest.approx(5.0e5, rel=2e-3)
    assert [one.certified for one in plan.columns.values()] == [1.0, 1.0, 1.0]
    assert any("T = 4.991e+05 promise nothing" in caveat for caveat in plan.printed.caveats)
    assert any("no D (spread) was given" in caveat for caveat in plan.repaired.caveats)
    assert any("nothing is promised" in caveat for caveat in plan.sharp.caveats)


@pytest.mark.parametrize("method", ["dp_grape", "dp_grape_blocks"])
def test_a_plan_says_what_its_theorems_say_and_is_private(method):
    plan = recommend(method, **PROBLEM)
    k = plan.problem["block"]
    assert k == (44 if method == "dp_grape" else 667)
    letters = {name: PROBLEM[name] for name in ("n", "d", "L", "ell", "gap", "spread", "layers")}
    letters |= {"subspace": 4, "block": k, "batch": PROBLEM["n"]}
    for column in (plan.repaired, plan.sharp):
        run = {name: getattr(column, name) for name in ("alpha", "T", "C", "sigma")}
        x = (math.sqrt(2 * column.C**2 / PROBLEM["L"] ** 2 - 1) - 1) ** 2  # of C^2 = L^2 (1 + 2 sqrt(x/r) + 2 x/r), r = 4
        ratio = column.C / PROBLEM["L"]
        more = {
            "tail_level": x * (1 - 1e-9),
            "clip_loss": sharp_numbers.clip_loss(4, ratio),
            "clip_spread": sharp_numbers.clip_spread(4, ratio),
        }
        assert bounds.THEOREMS[column.theorem].bound_at(**letters, **run, **more) == pytest.approx(column.bound, rel=1e-6)
        spent = delta_gaussian(epsilon=2.0, sigma=column.sigma, T=column.T, sensitivity=2 * column.C / PROBLEM["n"])
        assert PROBLEM["delta"] * 0.999 < spent <= PROBLEM["delta"]
    assert plan.sharp.certified < plan.repaired.certified < plan.printed.bound
    assert plan.sharp.multiplier == pytest.approx(PROBLEM["n"] * plan.sharp.sigma / plan.sharp.C)


def test_no_schedule_nearby_is_much_better():
    one = recommend("dp_grape", **PROBLEM).sharp
    problem = {**PROBLEM, "subspace": 4, "block": 44}
    for by in (0.5, 0.9, 1.1, 2.0):
        for changed in ({"alpha": one.alpha * by}, {"C": one.C * by}):
            run = {"alpha": one.alpha, "C": one.C, **changed}
            sigma = one.sigma * run["C"] / one.C
            assert certified_bound(problem, **run, T=one.T, sigma=sigma, sampling=0.0) >= one.bound * (1 - 1e-3)


def test_more_steps_help_until_they_do_not():
    found = [recommend("dp_grape", **PROBLEM, T_max=T).sharp for T in (10, 1000, 100_000, None)]
    assert all(later.bound < sooner.bound for sooner, later in itertools.pairwise(found))
    assert [one.T for one in found[:2]] == [10, pytest.approx(1000, abs=20)]
    assert found[3].T < 10**8


def test_a_poisson_batch_has_its_own_noise():
    plan = recommend("dp_grape", **(PROBLEM | {"batch_size": 1000, "T_max": 2000, "delta": 1e-6}))
    for column in (plan.repaired, plan.sharp):
        assert (column.sampling, column.batch_size) == ("poisson", 1000)
        spent = epsilon_subsampled(
            delta=1e-6,
            sigma=column.sigma,
            T=column.T,
            q=0.01,
            sensitivity=2 * column.C / 1000,
            neighbours="replace_one",
            sampling="poisson",
        )
        assert 1.99 < spent <= 2.0
    arguments = plan.sharp.arguments("dp_grape", ObjectiveFacts("one", {"n": 10**5, "d": 2000}))
    assert {"F": 1, "batch_size": 1000, "sampling": "poisson", "r": 4} == {
        name: arguments[name] for name in ("F", "batch_size", "sampling", "r")
    }


def test_a_run_that_no_theorem_covers_is_told_so():
    column, place = recommend("dp_grape", **PROBLEM).sharp, ObjectiveFacts("one", {"n": 10**5, "d": 2000, "L": 1.0, "ell": 0.7, "gap": 0.9})
    run = column.arguments("dp_grape", place)
    assert set(run) == {"alpha", "T", "C", "sigma", "r", "F"}
    assert column.remarks(place, run, {}).against == ()
    for given, covered in (({"F": 100}, False), ({"update": "adam"}, False), ({"projection": "orthonormal"}, True), ({"r": 2}, True)):
        (said,) = column.remarks(place, {**run, **given}, given).against
        assert said.startswith("What the plan certifies does not apply to this run, with ")
        assert ("no theorem covers it" in said) != covered
    (said,) = column.remarks(place, run, {"sigma": 1.0}).against
    assert "No (epsilon, delta)" in said
    (said,) = column.remarks(ObjectiveFacts("other", {"n": 10**5, "L": 2.0}), run, {}).against
    assert "L = 2, not 1.3" in said
    with pytest.raises(ValueError, match="its sigma is too small"):
        column.arguments("dp_grape", ObjectiveFacts("few", {"n": 10, "d": 2000}))
    with pytest.raises(ValueError, match="needs its own plan"):
        column.arguments("dp_grape_blocks", place)


def test_a_plan_is_shown_as_table_json_and_latex():
    plan = recommend("dp_grape_blocks", **PROBLEM)
    told = json.loads(plan.json())
    assert told["sharp"]["T"] == plan.sharp.T
    assert told["problem"]["subspace"] == 4
    assert r"\mathcal{L}" in plan.latex()
    assert "certified printed" in repr(plan)
    assert all(caveat.endswith(".") and caveat[0].isupper() for caveat in plan.caveats)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"r": 50}, "block = 44: an integer from r = 50 to d = 2000 is needed"),
        ({"r": 0}, "r = 0"),
        ({"layers": 3000}, "layers = 3000: at most d = 2000"),
        ({"block": 3000}, "block = 3000"),
        ({"batch_size": 10**6}, "batch_size = 1000000: at most n = 100000"),
        ({"spread": 0.1}, "spread = 0.1: at least gap = 0.9"),
        ({"T_max": "many"}, "T_max = 'many'"),
        ({"T_max": 0}, "T_max = 0"),
        ({"delta": 1.5}, "delta = 1.5"),
        ({"n": 0.5}, "n = 0.5"),
    ],
)
def test_what_cannot_be_meant_is_refused(changed, words):
    with pytest.raises(ValueError, match=words):
        recommend("dp_grape", **(PROBLEM | changed))


def test_a_plan_writes_no_proof_and_loads_nothing_heavy():
    script = (
        "import gc, sys\nfrom bounds.dp_grape.recommend import recommend\n"
        f"recommend('dp_grape_blocks', **{PROBLEM | {'n': 10**7}!r}).latex()\n"
        "from bounds.proofs.derivation import Derivation\n"
        "assert not [one for one in gc.get_objects() if isinstance(one, Derivation)]\n"
        "heavy = {'numba', 'matplotlib', 'synthetic'} & set(sys.modules)\nassert not heavy, heavy\n"  # scipy: batches are accounted
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def test_where_the_print_has_no_threshold_the_others_have_one():
    plan = recommend("dp_grape", n=10, d=4, epsilon=1e-3, delta=1e-6, L=1e-3, ell=1, gap=1e-9, r=1)
    assert math.isnan(plan.printed.C)
    assert any("no printed schedule" in caveat for caveat in plan.printed.caveats)
    assert json.loads(plan.json())["printed"]["C"] is None
    assert plan.sharp.C > 0
    with pytest.raises(ValueError, match="gives no C"):
        plan.printed.arguments("dp_grape", ObjectiveFacts("one", {"n": 10, "d": 4}))


def test_the_printed_sigma_is_that_of_the_steps_that_are_made():
    """T is rounded down, and the noise is that of Theorem D.10 for the rounded number."""
    for known in (EXAMPLE, PROBLEM | {"n": 300}):
        one = recommend("dp_grape_blocks", **known).printed
        noise = 2 * one.C * math.sqrt(one.T * math.log(1 / known["delta"])) / (known["n"] * known["epsilon"])
        assert one.sigma == pytest.approx(noise, rel=1e-12)


def test_a_spread_that_is_a_guess_certifies_nothing():
    plan = recommend("dp_grape_blocks", **{name: value for name, value in EXAMPLE.items() if name != "spread"})
    assert plan.repaired.bound < 0.0030
    assert plan.repaired.certified == EXAMPLE["L"] ** 2


def test_a_batch_varies_by_its_own_size():
    plan = recommend("dp_grape", **(PROBLEM | {"batch_size": 20, "T_max": 10}))
    at, ratio = plan.sharp, plan.sharp.C / PROBLEM["L"]
    known = {name: float(PROBLEM[name]) for name in ("d", "L", "ell", "gap")} | {"noise": at.sigma / at.C / math.sqrt(at.T)}
    stretch = (plan.problem["block"] + at.r + 1) / at.r
    one = sharp_numbers.Problem(**known, r=at.r, stretch=stretch, sampling=1 / 20)
    losses = sharp_numbers.clip_loss(at.r, ratio), sharp_numbers.clip_spread(at.r, ratio)
    assert at.bound == pytest.approx(float(one.bound_values(at.alpha, at.T, at.C, *losses)), rel=1e-12)


@pytest.mark.parametrize("wrong", ["2", [], [2.0], True, math.inf, math.nan, -1.0])
def test_a_spread_that_is_no_number_above_0_is_named(wrong):
    with pytest.raises(ValueError, match=r"^spread = .*: a finite number above 0 is needed$"):
        recommend("dp_grape", **(PROBLEM | {"spread": wrong}))


def test_more_steps_than_one_number_says_are_refused():
    for wrong in (np.array([1.0, 2.0]), np.array([]), []):
        with pytest.raises(ValueError, match=r"^T_max = "):
            recommend("dp_grape", **(PROBLEM | {"T_max": wrong}))


def test_a_subspace_too_large_for_its_sums_is_refused_before_they_are_made():
    for r in (10**9, 2**64):
        with pytest.raises(ValueError, match=rf"^r = {r}: at most 65536 is needed"):
            sharp_numbers.clip_loss(r, 1.0)
    with pytest.raises(ValueError, match=r"^r = 1000000000: at most 65536 is needed"):
        recommend("dp_grape", **(PROBLEM | {"d": 1e20, "r": 10**9, "block": 10**10}))
