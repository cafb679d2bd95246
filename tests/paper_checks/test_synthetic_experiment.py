import numpy as np
import pytest

from bounds import privacy
from paper_checks.dpzero.synthetic_experiment import PAPER, PREVIEW, Experiment, grid_cells, replay_cells
from synthetic.cells import grid_cell, replay_cell


def test_the_grid_is_table_6():
    assert len(PAPER.alphas) * len(PAPER.horizons) * len(PAPER.clips) == 880
    assert PAPER.dimensions == (20, 50, 100, 200, 500, 1000, 2000)
    assert PREVIEW.dimensions[-1] == 200
    np.testing.assert_allclose(PAPER.sigma() / np.outer(np.sqrt(PAPER.horizons), PAPER.clips), 1.07735e-3, rtol=1e-5)
    cells = grid_cells(PAPER)
    assert len({cell.key for cell in cells.values()}) == 3 * 7 * 2


def test_the_exact_accountant_needs_less_noise():
    ratio = PAPER.sigma() / Experiment(accountant="exact").sigma()
    np.testing.assert_allclose(ratio, privacy.lemma_2_2_ratio(2.0, 1e-6), rtol=1e-9)


def test_fresh_runs_share_no_seed_with_the_grid_or_each_other():
    cells = replay_cells(PAPER, "flat", 20, ("dpzero",), [(0, 0, 0)])
    datasets = {cell.arguments["dataset"] for cell in cells}
    seeds = {cell.arguments["seed"] for cell in cells}
    assert len(datasets) == len(seeds) == PAPER.fresh_datasets >= 3
    assert PAPER.fresh_datasets * PAPER.fresh_replicates >= 10
    assert 0 not in datasets
    assert PAPER.seed not in seeds


@pytest.mark.slow
def test_cells_agree_with_each_other():
    """A replay on the grid's own dataset and seed gives the grid's value."""
    e = Experiment(dimensions=(6,), n=80, horizons=(4, 30), alphas=(0.01, 0.1), clips=(0.5, 5.0))
    sigma = e.sigma()
    for method, precision in (("dpzero", "double"), ("dp_gd", "double")):
        grid = grid_cell(
            methods=[method], spectrum="inverse", d=6, n=80, dataset=0, seed=0, alphas=e.alphas, horizons=e.horizons, clips=e.clips,
            sigma=sigma.tolist(), direction="sphere", precision=precision, prune=False,
        )  # fmt: skip
        again = replay_cell(
            methods=[method], spectrum="inverse", d=6, n=80, dataset=0, seed=0, replicates=1, alpha=[0.1], T=[30], C=[0.5],
            sigma=[float(sigma[1, 0])], direction="sphere", precision=precision,
        )  # fmt: skip
        for m, name in enumerate(("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")):
            assert again[method][m, 0, 0] == pytest.approx(grid[f"{method}/{name}"][1, 1, 0], rel=1e-10)


@pytest.mark.parametrize(
    ("change", "name"),
    [({"n": 0}, "n"), ({"alphas": ()}, "alphas"), ({"clips": (1.0, -1.0)}, "clips"), ({"spectra": ("steep",)}, "spectrum"),
     ({"accountant": "magic"}, "accountant"), ({"fresh_datasets": 1}, "fresh_datasets"), ({"delta": 0.0}, "delta")],
)  # fmt: skip
def test_bad_experiments_are_refused(change, name):
    with pytest.raises(ValueError, match=f"^{name}"):
        Experiment(**change)
