"""The judgement of the figures, on made-up experiments whose means are known."""

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from paper_checks.dpzero.experiments import figures as f
from paper_checks.dpzero.experiments.figure_runs import METHODS, PAPER, Experiment, ExperimentResult, Point
from paper_checks.verdict import Outcome
from synthetic.estimate import Interval, clustered_mean
from synthetic.grids.settings import Measures
from synthetic.objectives.sums import SPECTRA
from tests.claims import page_claims


@pytest.fixture
def made_up(monkeypatch):
    """Let an experiment have the given mean at (method, spectrum, d), a spread of a percent, and the given T."""

    def make(mean, T=10):
        def conducted(*, dimensions, horizons, datasets, seed, n=10_000, methods=METHODS, spectra=SPECTRA, measures=Measures.NAMES):
            points = []
            for method, spectrum, d, measure in ((a, b, d, m) for a in methods for b in spectra for d in dimensions for m in measures):
                value = mean(method, spectrum, d)
                fresh = Interval(value, 0.995 * value, 1.005 * value, 0.95)
                points.append(Point(method, spectrum, d, measure, value, 0.1, T, 1.0, 0.1, 880, 0, fresh, datasets))
            start = {(spectrum, d, measure): 1.0 for spectrum in spectra for d in dimensions for measure in measures}
            return ExperimentResult(Experiment(dimensions, spectra, n), tuple(points), start)

        monkeypatch.setattr(f, "run_reduced", conducted)

    return make


RANKS = {"flat": 1.0, "inverse_sqrt": 0.5, "inverse": 0.2}
ERRORS = {"dpgd_0th": 9.0, "dpzero": 2.0, "dp_gd": 1.0}
COMMON = {"dimensions": (20, 200), "horizons": (10, 40), "datasets": 20, "seed": 0}


def as_printed(method, spectrum, d):
    return RANKS[spectrum] * ERRORS[method] * d


@pytest.mark.parametrize("which", ["rank", "worst", "flat", "strongly"])
def test_an_order_is_consistent_as_printed_and_refuted_in_reverse(made_up, which):
    made_up(as_printed)
    assert f.check_order(which=which, measures=("loss_test",), **COMMON).outcome is Outcome.CONSISTENT
    made_up(lambda *where: 1 / as_printed(*where))
    assert f.check_order(which=which, measures=("loss_test",), **COMMON).outcome is Outcome.REFUTED
    made_up(lambda *where: 1.0)
    assert f.check_order(which=which, measures=("loss_test",), **COMMON).outcome is Outcome.INCONCLUSIVE


def test_one_measure_in_reverse_is_enough(made_up):
    turn = count()
    made_up(lambda *where: as_printed(*where) ** (-1 if next(turn) % 2 else 1))  # the second measure of two
    found = f.check_order(which="flat", measures=("grad_norm_train", "grad_norm_test"), **COMMON)
    assert found.outcome is Outcome.REFUTED


def test_dp_gd_on_fewer_horizons_can_win_but_not_lose(made_up):
    arguments = {
        "measure": "grad_norm_test",
        "measures": ("grad_norm_test",),
        "dimension": 500,
        "horizons": (10, 40),
        "datasets": 20,
        "seed": 0,
    }
    made_up(as_printed)
    assert f.check_best_method(horizons_dp_gd=(10,), **arguments).outcome is Outcome.CONSISTENT
    made_up(lambda *where: 1 / as_printed(*where))
    assert f.check_best_method(horizons_dp_gd=(10,), **arguments).outcome is Outcome.INCONCLUSIVE
    assert f.check_best_method(horizons_dp_gd=(10, 40), **arguments).outcome is Outcome.REFUTED


@pytest.mark.parametrize(
    ("power", "T", "outcome"),
    [(0.3, 10, Outcome.REFUTED), (0.3, 40, Outcome.INCONCLUSIVE), (0.2, 10, Outcome.INCONCLUSIVE), (0.0, 10, Outcome.CONSISTENT)],
)
def test_nearly_independent_is_a_logarithm_at_most(made_up, power, T, outcome):
    made_up(lambda _method, _spectrum, d: d**power, T)
    found = f.check_dimension_exponent(method="dpzero", judged=("loss_train", "loss_test"), measures=("loss_train", "loss_test"),
                                 dimensions=(20, 2000), horizons=(10, 40), datasets=(20, 20), seed=0)  # fmt: skip
    assert found.outcome is outcome
    for measure in ("loss_train", "loss_test"):
        assert found.numbers[measure]["low"] < power < found.numbers[measure]["high"]


def test_a_loss_that_grows_like_its_least_value_is_nearly_independent(made_up):
    """F_S^* on eigenvalues 1/i grows like log(d), which Remark 4.1 calls nearly dimension-independent: no straw man is refuted."""
    made_up(lambda _method, _spectrum, d: f.least_loss(d, 10_000))
    found = f.check_dimension_exponent(method="dpzero", judged=("loss_test",), measures=("loss_test",), dimensions=(20, 2000),
        horizons=(10, 40),
                                 datasets=(40, 40), seed=0)  # fmt: skip
    assert found.outcome is Outcome.CONSISTENT
    made_up(lambda _method, _spectrum, d: f.least_loss(d, 10_000) * d**0.1)
    assert f.check_dimension_exponent(method="dpzero", judged=("loss_test",), measures=("loss_test",), dimensions=(20, 2000),
        horizons=(10, 40),
                                datasets=(40, 40), seed=0).outcome is Outcome.REFUTED  # fmt: skip
    assert f.logarithm_exponent(20, 2000) == pytest.approx(np.log(np.log(2000) / np.log(20)) / np.log(100))


@pytest.mark.parametrize(
    ("share", "outcome"), [(1.0, Outcome.CONSISTENT), (0.9, Outcome.INCONCLUSIVE), (0.5, Outcome.REFUTED), (2.0, Outcome.REFUTED)]
)
def test_saturation_stays_at_the_start(made_up, share, outcome):
    made_up(lambda *where: share)
    found = f.check_saturation(measure="loss_test", measures=("loss_test",), dimension=2000, horizons=(10, 40), datasets=20, seed=0)
    assert found.outcome is outcome


def test_saturation_at_2000_is_not_a_T_below_1(made_up):
    """Remark F.5 speaks of T* < 1; there T* = n epsilon / sqrt(d A) = 117, and (3) exceeds L^2 five hundred times."""
    made_up(lambda *_: 1.0)
    found = f.check_saturation(measure="loss_test", measures=("loss_test",), dimension=2000, horizons=(10, 40), datasets=20, seed=0)
    T = 2e4 / np.sqrt(2000 * np.log(np.e + 2e6))
    assert found.numbers["T* of Theorem 1"] == pytest.approx(T)
    assert found.numbers["its bound over L^2, at least"] == pytest.approx(32 * 2000 / T)


def test_losses_are_measured_against_the_least_possible_one(made_up):
    least = 1 - 1 / 10_000
    assert f.least_loss(1, 10_000) == pytest.approx(least / 2)
    for times, outcome in ((1.01, Outcome.CONSISTENT), (1.6, Outcome.INCONCLUSIVE)):
        made_up(lambda _method, _spectrum, d, times=times: times * f.least_loss(d, 10_000))
        assert f.check_losses_match(measures=("loss_train", "loss_test"), **COMMON).outcome is outcome


def test_the_least_loss_is_the_mean_of_the_minimum():
    from synthetic.objectives.sums import quadratic

    minima = [o.value_and_gradient(o.optimum)[0] for o in (quadratic("inverse", 20, 500, seed) for seed in range(200))]
    assert sum(minima) / 200 == pytest.approx(f.least_loss(20, 500), rel=0.01)  # 1 % is six standard errors


def of_fresh(values):
    return Point("dpzero", "flat", 20, "loss_test", 1.0, 0.1, 10, 1.0, 0.1, 880, 0, clustered_mean(values[:, None]), len(values))


def test_fresh_runs_that_agree_up_to_rounding_are_refused():
    """The deviation of ten equal numbers is not 0 for some of them, and which these are depends on the processor."""
    rng = np.random.default_rng(0)
    for value in 10 ** rng.uniform(-3, 3, 200):
        for values in (np.full(10, value), value * (1 + 1e-7 * rng.uniform(-1, 1, 10)), np.float32(value) * np.ones(10)):
            with pytest.raises(ValueError, match="share their draws"):
                f.fresh_interval(of_fresh(values), 10, 1e-9)
        low, high = f.fresh_interval(of_fresh(value * (1 + 1e-4 * rng.standard_normal(10))), 10, 0.05)
        assert 0 < low < high
    for rounded in (0.0, 1e-16, 1e-7):
        equal = replace(of_fresh(np.ones(10)), fresh=Interval(0.3, 0.3 * (1 - rounded), 0.3 * (1 + rounded), 0.95))
        with pytest.raises(ValueError, match="share their draws"):
            f.fresh_interval(equal, 10, 1e-9)


def test_claims_that_share_an_experiment_are_named_alike_and_run_alike():
    """In one process an experiment is computed once only where the claims that share it ask for the same one."""
    groups: dict[str, set] = {}
    for claim in page_claims("dpzero.figures"):
        full = {**claim.arguments, **claim.full}
        assert full["n"] == PAPER.n
        own = ("which", "measure", "measures") if full.get("dimensions") == f.REDUCED["dimensions"] else ("measure", "judged")
        groups.setdefault(claim.together, set()).add(repr(sorted((k, v) for k, v in full.items() if k not in (*own, "method"))))
    assert all(len(one) == 1 for one in groups.values()), groups


@pytest.mark.parametrize(("figure", "named"), [("figure1", False), ("figure3", True)])
def test_growth_of_losses_is_set_beside_that_of_the_least_possible_loss(made_up, figure, named):
    made_up(lambda method, spectrum, d: d**0.21)
    of = {
        "method": "dpzero",
        "measures": Measures.NAMES,
        "dimensions": (20, 2000),
        "horizons": PAPER.horizons,
        "datasets": (9, 9),
        "seed": 0,
    }
    found = f.check_dimension_exponent(judged=f.FIGURES[figure], **of)
    assert ("of E F_S^*, the least possible loss, 0.178 (1.80 to 4.09)" in found.sentence) is named
