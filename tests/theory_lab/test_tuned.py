"""The third column of a recommendation: settings that are tuned in law, on no data."""

import json
import math

import numpy as np
import pytest

import theory_lab as lab
from bounds.privacy.gaussian import delta_gaussian, sigma_lemma_2_2
from synthetic.distribution.tuning import FRESH, TunedSetting
from synthetic.estimate import Interval
from synthetic.grids.grid import replay_cell
from tests.docs.said import expect
from theory_lab.calls.tuned import LONGEST, predict_error, recommend
from theory_lab.cli import main

PROBLEM = {"n": 2_000, "d": 30, "r": 3.0, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "T_max": 160}
GUESS = {"spectrum": "inverse", "distance": 1.0}


TOLD = []


@pytest.fixture(scope="module", params=["dpzero", "dpgd_0th", "dp_gd"])
def plan(request):
    TOLD.clear()
    return recommend(request.param, **PROBLEM, **GUESS, progress=lambda *where: TOLD.append(where))


@pytest.mark.verify
def test_it_tells_how_far_it_is(plan):
    assert TOLD == [(done, 1 + len(plan.guesses)) for done in range(2 + len(plan.guesses))]


def test_the_other_columns_are_those_of_the_plan_without_a_spectrum(plan):
    plain = lab.recommend(plan.method, **PROBLEM)
    assert (plain.printed, plain.sharp, plain.misjudged) == (plan.printed, plan.sharp, plan.misjudged)
    assert plan.caveats[: len(plain.caveats)] == plain.caveats
    assert not hasattr(plain, "tuned")
    assert plain.COLUMNS == ("printed", "sharp")
    assert plan.COLUMNS == ("printed", "sharp", "tuned")


def test_its_noise_is_private_for_the_path_and_the_least_that_is(plan):
    sensitivity = 2 * plan.tuned.C / PROBLEM["n"]
    for factor, fits in ((1.0, True), (0.999, False)):
        spent = delta_gaussian(epsilon=2.0, sigma=factor * plan.tuned.sigma, T=plan.tuned.T, sensitivity=sensitivity)
        assert (spent <= 1e-6) is fits


def test_every_number_is_of_its_own_search(monkeypatch):
    searches, problem = [], {name: value for name, value in PROBLEM.items() if name != "T_max"}

    def search(method, conditions, noise, T_max, fixed=False):
        searches.append((conditions.groups.name, T_max, fixed))
        return TunedSetting(0.1, 3, 1.0, 0.1, "", Interval(2.0, 1.0, 3.0, 0.95), 7, np.zeros((4, 2)))

    monkeypatch.setattr("synthetic.distribution.tuning.tune", search)
    monkeypatch.setattr("theory_lab.calls.tuned.predict_error", lambda _, c, *, alpha, **__: alpha if c.seed == FRESH else math.nan)
    found = recommend("dpzero", **problem, **GUESS)
    assert found.predictions == (found.printed.alpha, found.sharp.alpha, 2.0)
    guesses = [("inverse", 3, True)] * 2 + [("power:0.5", 3, True), ("power:2.0", 3, True)]
    assert searches == [("inverse", found.sharp.T, False), *guesses]
    assert [one.truth for one in found.guesses[2:]] == ["power is half of 1", "power is twice of 1"]
    assert f"among 7 settings with T <= {found.sharp.T:,}, by runs" in found.tuned.caveats[1]


@pytest.mark.verify
def test_the_papers_noise_costs_more():
    problem = PROBLEM | {"T_max": 40}
    exact, lemma = (lab.recommend("dpzero", **problem, **GUESS, accountant=one).tuned for one in ("exact", "lemma"))
    assert lemma.sigma == pytest.approx(sigma_lemma_2_2(epsilon=2.0, delta=1e-6, T=lemma.T, sensitivity=2 * lemma.C / 2_000))
    assert lemma.predicted > exact.predicted


def test_it_certifies_nothing_and_says_so(plan):
    assert math.isnan(plan.tuned.certified)
    assert any("certifies nothing" in one for one in plan.tuned.caveats)
    run = lab.simulate(plan.method, lab.quadratic("inverse", 30, 2_000, 0), plan=plan.tuned)
    assert not run.vouched
    assert any("certifies nothing" in one for one in run.remarks)
    record = json.loads(plan.json())
    assert record["tuned"]["certified"] is None
    assert record["tuned"]["predicted"] == plan.tuned.predicted
    assert [one["truth"] for one in record["guesses"]] == [one.truth for one in plan.guesses]


@pytest.mark.verify
def test_no_setting_near_it_is_predicted_to_be_better_by_more_than_its_noise(plan):
    """Neighbours share the draws of the prediction, which chose nothing: 2 % covers what the search's own 64 replicates leave open."""
    conditions = conditions_of(plan)
    own = predict_error(plan.method, conditions, alpha=plan.tuned.alpha, T=plan.tuned.T, C=plan.tuned.C, sigma=plan.tuned.sigma)
    for alpha in (0.6, 0.8, 1.25, 1.6):
        for C in (1.0, 4.0):
            settings = {"alpha": alpha / C * plan.tuned.alpha, "C": C * plan.tuned.C, "sigma": C * plan.tuned.sigma}
            assert predict_error(plan.method, conditions, T=plan.tuned.T, **settings) > 0.98 * own


def conditions_of(plan, distance=1.0, spectrum="inverse"):
    from synthetic.distribution.quadratic import Conditions
    from synthetic.groups import group_eigenvalues

    return Conditions(group_eigenvalues(spectrum, 30), 2_000, distance, replicates=128, seed=77)


def test_what_is_predicted_is_what_data_show(plan):
    """Twenty datasets against the prediction: four standard errors of both, false alarm 6e-5 each; the seeds are fixed."""
    one = plan.tuned
    setting = {"method": [plan.method], "spectrum": ["inverse"], "alpha": [one.alpha], "T": [one.T], "C": [one.C], "sigma": [one.sigma]}
    shared = {"d": 30, "n": 2_000, "replicates": 1, "precision": "double", "direction": "sphere"}
    cells = [replay_cell(**shared, **setting, dataset=40 + k, seed=900 + k)["measures"][1, 0, 0] for k in range(20)]
    values = np.array(cells)
    error = math.hypot(values.std(ddof=1) / math.sqrt(20), (one.high - one.low) / 4)
    assert abs(values.mean() - one.predicted) < 4 * error


def test_a_wrong_guess_costs_what_is_told(plan):
    assert [one.truth.split()[0] for one in plan.guesses] == ["distance", "eigenvalues", "power", "power"]
    for one in plan.guesses:
        assert one.predicted > 0.99 * one.best  # both are told on the same draws
    twice = predict_error(
        plan.method, conditions_of(plan, distance=2.0), alpha=plan.tuned.alpha, T=plan.tuned.T, C=plan.tuned.C, sigma=plan.tuned.sigma
    )
    assert plan.guesses[0].predicted == pytest.approx(twice, rel=0.1)


def test_what_has_no_spectrum_takes_no_distance():
    for name, value in {"distance": 2.0, "accountant": "lemma"}.items():
        with pytest.raises(ValueError, match=f"{name} = .*: it is for the variant tuned only"):
            lab.recommend("dpzero", **PROBLEM, **{name: value})
    with pytest.raises(ValueError, match=r"spectrum = 'steep': one of flat, inverse_sqrt, inverse, power:P"):
        lab.recommend("dpzero", **PROBLEM, spectrum="steep")
    with pytest.raises(ValueError, match=r"d = 30: the spectrum has 2 eigenvalues; give d = 2, or leave d out"):
        lab.recommend("dpzero", **PROBLEM, spectrum=[1.0, 0.5])


def test_a_prediction_has_a_longest_run(plan):
    assert math.isnan(predict_error(plan.method, conditions_of(plan), alpha=0.1, T=LONGEST + 1, C=1.0, sigma=0.1))


def test_the_command_prints_three_columns(capsys):
    words = [f"--{name.replace('_', '-')}={value}" for name, value in {**PROBLEM, **GUESS, "T_max": 4}.items()]
    assert main(["recommend", "dp_gd", *words]) == 0
    out = capsys.readouterr().out
    assert "tuned" in out
    assert "if the true power is half of 1" in out
    assert main(["recommend", "dp_gd", *words, "--latex"]) == 0
    assert "tuned" in capsys.readouterr().out


@pytest.mark.verify
def test_the_predictions_of_the_readme_are_those_of_its_command():
    problem = {"n": 10_000, "d": 2_000, "r": 8.18, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0}
    printed, sharp, own = lab.recommend("dpzero", **problem, spectrum="inverse").predictions
    expect(f"It predicts a norm |grad F(x_T)| of {own:.3g}. The prediction is {sharp:.3g} for the sharp variant with the noise that x_T "
         f"needs, and {printed:.3g} for the printed variant.")  # fmt: skip
