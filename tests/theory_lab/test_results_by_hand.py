"""Results of the front door that are made of made-up numbers: what they derive from them, against sums written out here."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from paper_checks.shared.audit import Audit
from synthetic.distribution.quadratic import MEASURES
from synthetic.draws import FloatArray
from synthetic.groups import group_eigenvalues
from synthetic.methods.dp_zopo import DP_ZOSO
from synthetic.objectives.probe import ConstantEstimate, ConstantEstimates, PointMeasurements
from theory_lab.calls import tuned
from theory_lab.calls.audit import _make_attack
from theory_lab.calls.estimate import Estimate
from theory_lab.calls.predict import Prediction, _kept_times
from theory_lab.sweeps import file as sweep_file
from theory_lab.tables import value_text


# --- predict ----------------------------------------------------------------------------------------------------------------------------
def prediction(values: FloatArray) -> Prediction:
    times = np.array([0, 2, 7])[: values.shape[2]]
    return Prediction("dp_gd", group_eigenvalues("inverse", 3), {"n": 20, "T": 7}, times, values, ("said",))


def test_a_prediction_has_the_mean_and_the_interval_of_each_measure_at_each_time():
    values = np.random.default_rng(0).random((4, 5, 3)) * np.array([1.0, 10, 100, 1000])[:, None, None]
    found = prediction(values)
    for m, name in enumerate(MEASURES):
        np.testing.assert_array_equal(found.measure(name), values[m])
        np.testing.assert_array_equal(getattr(found, name), values[m])
        for k in range(3):
            of = values[m, :, k]
            half = stats.t.ppf(0.975, 4) * of.std(ddof=1) / math.sqrt(5)
            one = found.intervals[name][k]
            assert (one.value, one.low, one.high) == pytest.approx((of.mean(), max(0, of.mean() - half), of.mean() + half), rel=1e-12)
            assert one.coverage == 0.95
        assert found.start[name] == found.intervals[name][0].value
        assert found.final[name] == found.intervals[name][2]
    told = json.loads(found.json())
    assert told["coverage"] == 0.95
    assert [row["t"] for row in told["trajectory"]] == [0, 2, 7]
    for name in MEASURES:
        ends = found.final[name]
        assert told[name] == {"start": found.start[name], "mean": ends.value, "low": ends.low, "high": ends.high}
        assert [row[name] for row in told["trajectory"]] == [one.value for one in found.intervals[name]]
        assert [row[f"{name}_low"] for row in told["trajectory"]] == [one.low for one in found.intervals[name]]
        assert [row[f"{name}_high"] for row in told["trajectory"]] == [one.high for one in found.intervals[name]]


def test_one_run_has_no_interval_and_one_that_diverged_no_mean():
    alone, gone = prediction(np.ones((4, 1, 2))), np.ones((4, 3, 2))
    assert (alone.final["loss_test"].value, math.isnan(alone.final["loss_test"].low)) == (1.0, True)
    gone[0, 1, 1] = math.inf
    found = prediction(gone)
    assert math.isnan(found.final["grad_norm_train"].value)
    assert found.start["grad_norm_train"] == 1.0
    assert found.final["grad_norm_test"].value == 1.0


@pytest.mark.parametrize(
    ("T", "asked", "times"), [(1, None, [0, 1]), (7, [2], [0, 2, 7]), (7, [7, 0, 3, 3], [0, 3, 7]), (5, None, range(6))]
)
def test_the_times_have_the_start_and_the_end_and_none_twice(T, asked, times):
    assert _kept_times(T, asked).tolist() == list(times)


# --- audit ------------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("any_noise", "normal", "bound"),
    [(0.0, 0.0, "neither"), (1.5, 0.0, "an event"), (0.4, 1.5, "the mean of normal scores"), (1.5, 0.4, "an event")],
)
def test_an_attack_says_by_which_end_and_how_much_of_what_is_declared(any_noise, normal, bound):
    certified = max(any_noise, normal)
    found = _make_attack("dp_gd", Audit(2.0, 1e-6, certified, any_noise, normal, 0.1, 700, 0.05), {"T": 3, "sigma": 0.5}, ("first",))
    assert (found.certified, found.share, found.convicted, found.bound) == (certified, certified / 2, False, bound)
    assert (found.confidence, found.runs, found.sigma) == (0.95, 700, 0.5)
    few = any("below half" in one for one in found.remarks)
    assert few == (certified < 1.0)
    assert found.remarks[-1].startswith(
        "The audit does not refute (2, 1e-06)-differential privacy, and does not prove it: with a confidence of 95 %"
    )
    (row,) = found.rows()
    assert list(row.items()) == [
        ("declared epsilon", 2.0), ("delta", 1e-6), ("certified epsilon", certified), ("share of declared", certified / 2),
        ("based on", bound), ("sigma", 0.5), ("runs", 700), ("confidence", 0.95),
    ]  # fmt: skip


def test_what_is_certified_above_what_is_declared_convicts_and_what_is_equal_does_not():
    for certified, convicted in ((2.0, False), (2.0000001, True), (math.inf, True)):
        found = _make_attack("dp_gd", Audit(2.0, 0.0, certified, certified, 0.0, 0.0, 100, 0.01), {}, ())
        assert found.convicted is convicted
        assert ("is false: with a confidence of 99 %" in found.remarks[-1]) is convicted
        assert ("no finite epsilon holds" in found.remarks[-1]) is math.isinf(certified)
        assert json.loads(found.json())["convicted"] is convicted


# --- estimate ---------------------------------------------------------------------------------------------------------------------------
def estimate(factor: float, **values: float) -> Estimate:
    constants = {name: ConstantEstimate(name, value, "at least", f"seen {name}", "x_0") for name, value in values.items()}
    place = PointMeasurements("x0", np.zeros(4), 1.0, 2.0, 3.0, 0.0, 1.0, 1.0, 0.0, 0.0)
    probed = ConstantEstimates(constants, (place,), {"radius": 1.0, "places": 1, "samples": 5, "seed": 0, "given": 0}, 0)
    return Estimate(SimpleNamespace(d=4, name="made up", constants={}, x0=np.ones(4)), probed, factor)  # type: ignore[arg-type]


def test_a_factor_makes_each_constant_worse_and_a_rank_is_no_more_than_the_dimension():
    """What a plan gains from when it is large, mu and growth_mu, gets smaller."""
    seen = {"L": 3.0, "ell": 2.0, "r": 3.0, "gap": 5.0, "B": 7.0, "mu": 0.5, "growth_mu": 0.25, "rho": 1.5, "U": 9.0}
    assert estimate(1.0, **seen).constants == seen
    worse = estimate(2.0, **seen)
    assert worse.constants == {
        "L": 6.0,
        "ell": 4.0,
        "r": 4.0,
        "gap": 10.0,
        "B": 14.0,
        "mu": 0.25,
        "growth_mu": 0.125,
        "rho": 3.0,
        "U": 18.0,
    }
    for row in worse.rows():
        assert row["seen"] == seen[row["constant"]]
        assert row["with factor 2"] == worse.constants[row["constant"]]
    assert worse.visited()[0]["distance"] == 2.0
    assert json.loads(worse.json())["factor"] == 2.0


# --- a plan that is tuned ---------------------------------------------------------------------------------------------------------------
def test_the_columns_of_a_tuned_plan_are_judged_by_the_same_fresh_draws_with_noise_that_is_private(monkeypatch):
    """By other draws than those of the search; a column with less noise than its path needs is given what is needed."""
    asked, searched = [], []
    monkeypatch.setattr(tuned, "predict_error", lambda method, conditions, **setting: asked.append((conditions, setting)) or 0.5)

    def found(method, conditions, noise, T_max, *, fixed=False):
        searched.append((conditions, T_max, fixed))
        error = SimpleNamespace(value=0.25, low=0.2, high=0.3)
        return SimpleNamespace(alpha=0.1, T=9, C=0.5, sigma=noise(9) * 0.5, error=error, searched=77)

    from synthetic.distribution import tuning

    monkeypatch.setattr(tuning, "tune", found)
    monkeypatch.setattr(
        "paper_checks.experiment.noise_over_clip", lambda *, accountant, **_: lambda T: (10 if accountant == "exact" else 20) * T
    )
    column = SimpleNamespace(alpha=0.3, C=2.0, sigma=0.0)
    printed, sharp = (SimpleNamespace(**vars(column) | {"T": T, "sigma": sigma, "lam": 0.1}) for T, sigma in ((5, 1.0), (40, 1e9)))
    plan = SimpleNamespace(
        method="dpzero",
        problem={"d": 3.0, "n": 1000.0, "epsilon": 1.0, "delta": 1e-6},
        printed=printed,
        sharp=sharp,
        misjudged=None,
        caveats=(),
    )
    monkeypatch.setattr(tuned.certified, "recommend", lambda method, **_: plan)
    monkeypatch.setattr(tuned, "TunedPlan", lambda **named: SimpleNamespace(**named))
    made = tuned.recommend("dpzero", spectrum="inverse", distance=2.0, **plan.problem)
    assert searched[0][0].seed == 0
    assert (searched[0][0].distance, searched[0][1], searched[0][2]) == (2.0, 40, False)
    (first, second), guesses = asked[:2], asked[2:]
    assert {conditions.seed for conditions, _ in asked} == {tuning.FRESH}
    assert first[1] == {"alpha": 0.3, "T": 5, "C": 2.0, "sigma": 100.0}
    assert second[1] == {"alpha": 0.3, "T": 40, "C": 2.0, "sigma": 1e9}
    assert {(one["T"], one["sigma"]) for _, one in guesses} == {(9, 45.0)}
    assert [fixed for _, _, fixed in searched[1:]] == [True] * len(guesses)
    assert {T for _, T, _ in searched[1:]} == {9}
    assert made.predictions == (0.5, 0.5, 0.25)
    assert [one.truth for one in made.guesses] == [
        "distance is twice as large", "eigenvalues are twice as large", "power is half of 1", "power is twice of 1",
    ]  # fmt: skip
    truths = [conditions for conditions, _ in guesses]
    assert [one.distance for one in truths] == [4.0, 2.0, 2.0, 2.0]
    assert [float(one.groups.value.max() + one.groups.value.min()) for one in truths] == pytest.approx(
        [1 + 1 / 3, 2 + 2 / 3, 1 + 3**-0.5, 1 + 1 / 9]
    )


# --- sweep: the noise of a budget -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("given", "call"),
    [
        ({}, (2.0, 1e-5, 6, 50, 3.0, 1)),
        ({"T": (1, 2, 4)}, (2.0, 1e-5, 7, 50, 3.0, 1)),  # all stages release
        ({"P": 4}, (2.0, 1e-5, 6, 50, 3.0, 4)),
        ({"batch_size": 5}, (2.0, 1e-5, 6, 50, 3.0, 1, 5, "without_replacement")),
        ({"batch_size": 5, "sampling": "poisson", "P": 2}, (2.0, 1e-5, 6, 50, 3.0, 2, 5, "poisson")),
    ],
)
def test_the_noise_of_a_budget_is_asked_for_all_releases_and_the_batches_that_are_run(given, call, monkeypatch):
    asked = []
    monkeypatch.setattr(sweep_file, "cached_sigma", lambda *some: asked.append(some) or 0.5)
    assert sweep_file.private_sigma("exact", DP_ZOSO, {"T": 6, "n": 50, "C": 3.0} | given, 2.0, 1e-5) == 0.5
    assert asked == [call]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"batch_size": 5}, "full batches"),
        ({"P": 2}, "full batches"),
        ({"stages": 2}, "full batches"),
        ({"noise": "shared"}, "noise = 'shared'"),
    ],
)
def test_a_noise_that_does_not_cover_a_run_is_refused(given, said):
    with pytest.raises(ValueError, match=said):
        sweep_file.private_sigma("lemma", DP_ZOSO, {"T": 6, "n": 50, "C": 3.0} | given, 2.0, 1e-5)


# --- tables on the terminal -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(math.nan, 5, "-"), (math.inf, 5, "inf"), (-math.inf, 5, "-inf"), (12345678, 5, "12,345,678"), (0, 5, "0"), (1234.5678, 5, "1234.6"),
     (1234.5678, 3, "1.23e+03"), (1e-9, 5, "1e-09"), ("word", 5, "word"), (-0.00012345, 2, "-0.00012")],
)  # fmt: skip
def test_a_number_is_shown_with_as_many_digits_as_asked(value, digits, text):
    assert value_text(value, digits) == text
