"""The figures of DP-ZOPO compute what they say: at tiny sizes, from the store, against laws by another way."""

import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from bounds.strict_json import strict_json
from figures import experiments
from figures.dp_zopo import digits, pruning, stages, theory
from synthetic.methods.dp_zopo import stage_lengths
from synthetic.objectives.space import Space
from synthetic.objectives.sums import quadratic
from synthetic.sweeps.store import Store
from tests.figures.dp_grape.test_figures import here  # noqa: F401
from tests.figures.shown import seeds_asked

PARTS = (theory.LEMMA_4, stages, pruning.PRUNING, pruning.SCORES, digits)
TINY = {
    "zopo-lemma4": theory.ErrorExperiment(d=3, batches=(2,), several=(1,), batch=2, many=(2,), slopes=(1.0,), radii=(0.1,), replicates=20),
    "zopo-stages": stages.Experiment(stages=1, ratios=(6.0,), replicates=2, d=3, steps_replicates=2),
    "zopo-pruning": pruning.MaskExperiment(d=20, support=2, T=14, snrs=(2.0,), replicates=2),
    "zopo-scores": pruning.ScoreExperiment(width=6, layers=2, several=(2, 4), rate=0.1, replicates=2),
    "zopo-digits": digits.Experiment(epsilons=(8.0,), q=0.01, epochs=1, alphas=(0.01,), search_replicates=1, replicates=2),
}


@pytest.mark.sample(2)
@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.NAME)
def test_data_resume_from_the_store_and_another_seed_is_another_experiment(part, here, tmp_path, monkeypatch):  # noqa: F811
    monkeypatch.setattr("figures.dp_grape.digits.open_executor", lambda workers: _Nothing())
    tiny = TINY[part.NAME]
    with Store(tmp_path / "a.sqlite") as store:
        record = part.data(tiny, store)
        first, computed = part.table(record), here.cells
        assert repr(part.table(part.data(tiny, store))) == repr(first)
        assert computed == here.cells > 0
        assert repr(part.table(part.data(replace(tiny, seed=1), store))) != repr(first)
        assert here.cells == 2 * computed
    assert json.loads(strict_json(part.provenance(record)))["figure"] == part.NAME


class _Nothing:
    def __enter__(self):
        return None

    def __exit__(self, *_):
        return None


@pytest.mark.parametrize("part", [part for part in PARTS if part is not digits], ids=lambda part: part.NAME)
def test_no_two_cells_of_a_figure_share_a_seed(part, monkeypatch):
    seeds = seeds_asked(monkeypatch, experiments, part, part.PREVIEW)
    assert len(seeds) == len(set(seeds)) > 1


def test_one_step_of_a_linear_loss_has_the_error_that_its_law_has():
    """E |clip(g) v - u|^2, g = u'v standard normal: moments of a clipped normal number, and as many more for the other directions."""
    d, P, C = 4, 3, math.sqrt(2)
    found = theory.error_cell(loss="linear", d=d, m=5, P=P, L=1.0, beta=1e-6, replicates=4000, seed=3)["error"]
    g = np.linspace(-12, 12, 240_001)
    w = np.exp(-(g**2) / 2) / math.sqrt(2 * math.pi) * (g[1] - g[0])
    c = np.clip(g, -C, C)
    first, square, weighted = (float(np.sum(w * one)) for one in (c * g, c**2, c**2 * g**2))
    law = (1 - first) ** 2 + (weighted + (d - 1) * square - first**2) / P
    assert abs(found.mean() - law) < 6 * found.std() / math.sqrt(len(found))
    assert theory.corrected_error(d, {"loss": "linear", "L": 1.0, "P": P, "m": 5}) > law
    printed = theory.printed_error(d, {"loss": "linear", "L": 1.0, "P": P, "m": 5, "beta": 0.1})
    assert printed == pytest.approx((16 * d / math.e + 64 * d * 0.01) / (5 * P), rel=1e-4)


def test_the_definition_of_T_ends_from_the_floor_on():
    record = theory.floor_data(theory.FloorExperiment(ratios=(0.5, 2.0), rounds=4, start=8.0, samples=(1024.0,), several=3))
    np.testing.assert_allclose(record.laws[0.5][1], [8, 16, 32, 64, 128])
    np.testing.assert_allclose(record.laws[2.0][1], [8, 4, 2, 1, 1])
    own = theory.PAPERS_OWN
    (one,) = record.points_with(panel="floor", of="as printed", P=3)
    energy = own["d"] * own["c_noise"] ** 2 * own["C"] ** 2 * 3 * math.log(3 * 1024) / (16 * 1024**2)
    assert one["mu_alpha_priv"] == pytest.approx(49 * (1 - 1 / 8) * energy)
    (masked,) = record.points_with(panel="floor", of="masks", P=3)
    assert masked["mu_alpha_priv"] == pytest.approx(0.01 * one["mu_alpha_priv"])


def test_the_gap_where_clipping_stalls_is_that_of_the_mean_of_clipped_slopes():
    rng = np.random.default_rng(0)
    v, C = rng.standard_normal(400_000), 1.1 * math.sqrt(2)
    x = math.sqrt(2 * stages.stalled_gap(C) / stages.KAPPA)
    slopes = ((0.3, 1 + stages.KAPPA * x), (0.7, stages.KAPPA * x - 3 / 7))
    means = sum(share * np.clip(g * v, -C, C) * v for share, g in slopes)
    assert abs(means.mean()) < 6 * means.std() / math.sqrt(len(v))
    assert x == pytest.approx(0.424, abs=1e-3)
    assert stages.stalled_gap(1.1) == stages.KAPPA / 2


def test_a_mask_by_good_scores_catches_a_sparse_truth_and_a_random_one_its_share():
    given = {"truth": "sparse", "d": 60, "support": 6, "T": 140, "sigma": 0.0, "replicates": 20, "seed": 2}
    good = pruning.masks_cell(strategy="static", snr=50.0, **given)
    assert good["caught"].min() == 1.0
    assert good["gap"].max() < 1e-3
    bad = pruning.masks_cell(strategy="static", snr=0.0, **given)
    assert bad["gap"].mean() == pytest.approx(1 - bad["caught"].mean(), abs=1e-3)
    grown = pruning.masks_cell(strategy="incremental", snr=50.0, **given | {"truth": "moving"})
    assert grown["caught"].min() >= 0.5


def test_overlap_counts_the_best_of_both():
    one, other = np.array([5.0, 4.0, 3.0, 2.0, 1.0]), np.array([1.0, 4.0, 5.0, 0.0, 0.0])
    assert pruning.overlap(one, other, 0.4) == 0.5
    assert pruning.overlap(one, one, 0.2) == 1.0
    found = pruning.scores_cell(width=8, layers=2, several=[1, 30_000], rate=0.1, lam=1e-4, seed=1)
    assert found["exact"][0, 1] > 0.7 > found["noise"][0, 0]
    assert Space(((8, 8),) * 2).d == 128


def test_training_without_noise_learns_and_what_is_not_recorded_changes_nothing():
    run = {"alpha": 0.01, "T": 5, "C": 5.0, "sigma": 0.0, "batch_size": 30, "lam": 1e-3, "stages": 2}
    kept = [digits.digits_cell(method="dp_zoso", hidden=4, n=100, run=run, seeds=[3]) for _ in range(2)]
    np.testing.assert_equal(kept[0], kept[1])
    assert 0 <= kept[0]["test"][0] <= 1
    assert np.isfinite(kept[0]["held_out"]).all()


def recorded(module, monkeypatch, x):
    """Replace the runs of a figure's cells by ones that end at x; return what they are asked for."""
    asked = []

    def simulate(kernel, objective, **given):
        asked.append(given | {"kernel": kernel.name, "objective": objective})
        return SimpleNamespace(x=x, loss=np.ones((len(x), 2)), stage_loss=np.ones((len(x), 2)), kept=np.ones((1, 1, x.shape[1])))

    monkeypatch.setattr(module, "simulate", simulate)
    return asked


def test_no_two_stages_of_a_masked_run_share_a_seed(monkeypatch):
    asked = recorded(pruning, monkeypatch, np.zeros((1, 20)))
    pruning.masks_cell(truth="sparse", strategy="static", snr=1.0, d=20, support=2, T=14, sigma=1.0, replicates=3, seed=2)
    seeds = [one["seed"] for one in asked] + [experiments.child_seed(2, r) for r in range(3)]  # the latter draw truths
    assert len(set(seeds)) == len(seeds) == 12
    assert [one["T"] for one in asked[:3]] == [2, 4, 8]


def test_scores_of_a_stage_are_new_and_what_an_incremental_mask_has_stays(monkeypatch):
    given = {"truth": "sparse", "snr": 1.0, "d": 20, "support": 2, "T": 14, "sigma": 1.0, "replicates": 1, "seed": 2}
    asked = recorded(pruning, monkeypatch, np.zeros((1, 20)))
    for strategy in ("static", "dynamic, constant", "incremental"):
        pruning.masks_cell(strategy=strategy, **given)
    first, *others = ([one["score"] for one in asked[at : at + 3]] for at in (0, 3, 6))
    assert (first[0] == first[1]).all()
    assert not np.any(others[0][0] == others[0][1])
    assert others[0][1].max() < pruning.KEPT_SCORE
    assert (others[1][1] == pruning.KEPT_SCORE).all()  # all coordinates were in the mask before, whose scores are its own no more


def test_stages_are_those_of_the_printed_schedule(monkeypatch):
    """eta_s = 1.284 alpha_s, T_1 = 4362 as in test_dp_zopo_stages, eta_s T_s = lambda = 7/(2 mu) = 140, one radius, proximal averages."""
    asked = recorded(stages, monkeypatch, np.zeros((2, 1)))
    stages.stages_cell(C=2.0, stages=3, replicates=2, seed=1)
    (run,) = asked
    steps = stage_lengths(run["objective"].shape, run)
    assert steps == (4362, 2 * 4362, 4 * 4362)
    assert run["alpha"] * steps[0] == pytest.approx(140, rel=1e-4)
    assert (run["anchor"], run["lam"], run["regulariser"], run["output"]) == (pytest.approx(140), 0.04, "proximal", "average")
    assert (run["C"], run["sigma"], run["radius"], run["replicates"], run["seed"]) == (2.0, 0.0, 1.0, 2, 1)


@pytest.mark.parametrize("name", stages.SETTINGS)
def test_a_setting_of_steps_is_run_as_it_is_named_and_its_gap_is_half_the_square(name, monkeypatch):
    asked, (alphas, steps, output, tail) = recorded(stages, monkeypatch, np.full((2, 3), 2.0)), stages.SETTINGS[name]
    given = {"alphas": list(alphas), "lengths": list(steps), "output": output, "tail": tail}
    np.testing.assert_array_equal(stages.unclipped_gap_cell(d=3, replicates=2, seed=4, **given)["gap"], [6, 6])
    (run,) = asked
    assert sum(np.atleast_1d(run["T"])) == 7000
    assert (run["output"], run["tail"], run["sigma"], np.linalg.norm(run["objective"].x0)) == (output, tail, 1.0, pytest.approx(5))


def test_two_draws_of_a_score_are_two():
    found = pruning.scores_cell(width=8, layers=2, several=[1, 512], rate=0.1, lam=1e-3, seed=1)
    assert found["again"][0, 0] < 0.7
    assert found["again"][0, 1] < 1


def test_a_network_is_judged_on_images_that_it_was_not_trained_on(monkeypatch):
    """The network is a quadratic of as many rows as are asked for, and its accuracy the first entry of the rows on which it is judged."""

    def network(*, hidden, seed, n=30):
        whole = quadratic("flat", hidden, 30, seed)
        train = replace(whole, data=whole.data[:n])
        return SimpleNamespace(train=train, accuracy=lambda x, rows=None: -7.0 if rows is None else (len(rows), rows[0, 0]))

    monkeypatch.setattr(digits, "digits_network", network)
    asked = recorded(digits, monkeypatch, np.zeros((1, 4)))
    found = digits.digits_cell(method="dpzero", hidden=4, n=20, run={"alpha": 0.1}, seeds=[3])
    np.testing.assert_array_equal(found["held_out"], [[10, quadratic("flat", 4, 30, 3).data[20, 0]]])
    assert found["test"] == -7
    (run,) = asked
    assert (run["sampling"], run["seed"], run["kernel"], len(run["objective"].data)) == ("poisson", 3, "dp_zoo", 20)


def test_the_root_is_run_without_clipping_at_a_distance_of_2(monkeypatch):
    asked = recorded(theory, monkeypatch, np.zeros((2, 3)))
    theory.error_cell(loss="root", d=3, m=1, P=2, L=1.0, beta=0.1, replicates=2, seed=5)
    (run,) = asked
    assert run["C"] > 1e6
    assert (run["alpha"], run["T"], run["P"], run["lam"], run["sigma"]) == (1.0, 1, 2, 0.1, 0.0)
    assert np.linalg.norm(run["objective"].x0 - run["objective"].optimum) == pytest.approx(2)
