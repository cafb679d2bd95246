import inspect

import numpy as np
import pytest

import theory_lab as lab
from synthetic.grids.grid import grids
from tests.synthetic.objectives.saddle_cases import SADDLES
from theory_lab.calls import grid as gridding


def test_grid_of_a_privacy_budget_has_the_noise_of_the_accountant():
    objective = lab.quadratic("inverse", d=5, n=50, seed=0)
    common = {"alphas": [0.1], "horizons": [4, 9], "clips": [1.0, 2.0], "epsilon": 2.0, "delta": 1e-6}
    printed = lab.grid("dpzero", objective, **common)
    least = lab.grid("dpzero", objective, accountant="exact", **common)
    for j, T in enumerate((4, 9)):
        for k, C in enumerate((1.0, 2.0)):
            sensitivity = 2 * C / 50
            assert printed.sigma[j, k] == lab.privacy.sigma_lemma_2_2(epsilon=2.0, delta=1e-6, T=T, sensitivity=sensitivity)
            assert least.sigma[j, k] == lab.privacy.sigma_gaussian(epsilon=2.0, delta=1e-6, T=T, sensitivity=sensitivity)
    np.testing.assert_allclose(printed.sigma / least.sigma, 2.415, atol=1e-3)  # the price of Lemma 2.2 at (2, 1e-6)
    assert printed.loss_train.shape == (1, 2, 2)


def test_a_grid_says_whose_noise_it_has():
    objective = lab.quadratic("inverse", d=5, n=50, seed=0)
    common = {"alphas": [0.1], "horizons": [4, 9], "clips": [1.0], "epsilon": 2.0}
    for accountant, said in (("lemma", "Lemma 2.2 of DPZero"), ("exact", "exact accounting, the least noise")):
        grid = lab.grid("dpzero", objective, accountant=accountant, delta=1e-6, **common)
        assert {name: grid.settings[name] for name in ("accountant", "noise", "epsilon", "delta", "remark")} == {
            "accountant": accountant, "noise": said, "epsilon": 2.0, "delta": 1e-6, "remark": "",
        }  # fmt: skip
        assert repr(grid).endswith(
            f"1 x 2 x 1 settings (alpha, T, C), sigma from {grid.sigma.min():.4g} to {grid.sigma.max():.4g} by {said})"
        )
    assert "show 20 of the 50 records" in lab.grid("dpzero", objective, delta=0.4, **common).settings["remark"]
    bare = grids(("dpzero",), objective, alphas=[0.1], horizons=[4], clips=[1.0], sigma=[[0.5]])["dpzero"]
    assert repr(bare).endswith("sigma from 0.5 to 0.5 by the caller)")


def test_lam_does_not_matter_on_a_quadratic_and_bad_values_are_refused():
    objective = lab.quadratic("inverse", d=5, n=50, seed=0)
    common = {"alphas": [0.1], "horizons": [4], "clips": [1.0], "epsilon": 2.0, "delta": 1e-6}
    one, two = (lab.grid("dpzero", objective, lam=lam, **common) for lam in (1e-4, 1.0))
    np.testing.assert_array_equal(one.loss_train, two.loss_train)
    for name, value in {"lam": 0.0, "epsilon": -1.0, "delta": 1.0, "accountant": "none"}.items():
        with pytest.raises(ValueError, match=f"^{name} = "):
            lab.grid("dpzero", objective, **{**common, name: value})


def test_the_front_door_knows_its_names():
    assert set(lab.__all__) <= set(dir(lab))
    for name in lab.__all__:
        assert getattr(lab, name) is not None
    with pytest.raises(AttributeError, match="no 'recomend'"):
        lab.recomend  # noqa: B018


def test_recommend_takes_an_objective():
    objective = lab.cosine("inverse", d=20, n=1000, seed=0)
    plan = lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6)
    assert plan.problem["B"] == objective.constants["B"]
    assert plan.problem["r"] == objective.constants["r"]
    assert lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6, gap=9.0).problem["gap"] == 9.0
    with pytest.raises(ValueError, match="not Lipschitz"):
        lab.recommend("dpzero", lab.quadratic("inverse", d=20, n=100, seed=0), epsilon=2.0, delta=1e-6)


def test_every_constant_of_an_objective_is_a_letter_of_the_glossary():
    from bounds.symbols import GLOSSARY

    for family in (lab.quadratic, lab.pseudo_huber, lab.cosine, lab.logistic):
        assert set(family("inverse", 3, 10, 0).constants) <= set(GLOSSARY)
    for name, constructor in SADDLES.items():
        loss = constructor(3, 2) if name == "matrix_factorisation" else constructor(3)
        assert {"d", "L", "ell", "rho", "U", "gap", "curvature"} == set(loss.constants) <= set(GLOSSARY), name


def test_what_a_call_does_where_an_argument_is_left_out():
    left_out = {
        "grid": {"clips": None, "epsilon": None, "delta": None, "sigma": None, "lam": 1e-4, "test": None, "accountant": None, "seed": 0,
                 "direction": "sphere", "precision": "double", "prune": False, "engine": None, "threads": None, "store": None,
                 "progress": None},
        "simulate": {"objective": None, "plan": None}, "recommend": {"objective": None},
        "estimate": {"radius": None, "places": 8, "samples": 10_000, "n": None, "points": None, "seed": 0, "factor": 1.0, "progress": None},
        "check": {"quick": False, "workers": 1, "module": None},
    }  # fmt: skip
    for name, defaults in left_out.items():
        given = inspect.signature(getattr(lab, name)).parameters.values()
        assert {p.name: p.default for p in given if p.default not in (p.empty, ...)} == defaults, name  # ... depends on the method


def test_a_grid_hands_every_argument_to_the_engine(monkeypatch):
    objective, test = (lab.quadratic("inverse", d=5, n=50, seed=seed) for seed in (0, 1))
    given = {"test": test, "seed": 7, "direction": "gaussian", "precision": "single", "prune": True, "threads": 1}
    real, seen = gridding.exact.grid, {}
    monkeypatch.setattr(gridding.exact, "grid", lambda *others, **named: seen.update(named) or real(*others, **named))
    lab.grid("dp_gd", objective, alphas=[0.1, 0.2], horizons=[4, 9], clips=[1.0], epsilon=2.0, delta=1e-6, **given)
    assert {name: seen[name] for name in given} == given
