"""How `recommend` begins: what to run and what is promised, or that nothing is, and what would change it."""

from dataclasses import replace

import pytest

import theory_lab as lab
from theory_lab.opening import opening, same_problem

GOOD = {"n": 10_000, "d": 2_000, "r": 8.18, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0}
FEW = {**GOOD, "n": 500, "epsilon": 0.1}


def test_the_best_variant_its_parameters_and_its_promise_come_first():
    plan = lab.recommend("dpzero", **GOOD)
    run, promise, assumed = opening(plan)
    assert run == "Run dpzero with alpha = 0.05259, T = 4,672, C = 3.22, lam = 4.084e-07, sigma = 0.08734 (variant: sharp)."
    assert promise.startswith("This is (2, 1e-06)-differentially private for data sets that differ by one replaced record; only x_tau may")
    assert promise.endswith(f"is at most {plan.sharp.certified:.4g}.")
    assert assumed.startswith("Assumed: f(.; xi) is L-Lipschitz")
    assert assumed.endswith("(dpzero.sharp_clip_bias).")


def test_a_variant_that_is_not_private_is_never_the_one_to_run():
    plan = lab.recommend("dpzero", **GOOD)
    lying = replace(plan, sharp=replace(plan.sharp, private=False))
    assert opening(lying)[0].startswith("Nothing can be promised here: no variant certifies an error below 1")
    assert "The noise of the variant sharp is too small for this epsilon and delta." in opening(lying)[0]


def test_where_nothing_is_promised_it_says_how_many_records_would_be_enough():
    plan = lab.recommend("dpzero", **FEW)
    first, help_ = opening(plan, same_problem(lab.recommend, "dpzero", FEW))
    assert first == "Nothing can be promised here: no variant certifies an error below 1, which every point satisfies."
    more = lab.recommend("dpzero", **{**FEW, "n": 5_000})
    assert help_.startswith(f"With 10 times as many records, n = 5000, the variant sharp certifies {more.sharp.certified:.4g}.")
    assert opening(plan)[1] == "A larger epsilon, more records n, or smaller constants of the problem can change that."


def test_scaled_parameters_are_named_as_what_they_are():
    plan = lab.recommend("gauss_psgd", n=1e6, d=10, epsilon=8.0, delta=1e-5, L=3.17, ell=1.0, rho=1.0, U=17.0)
    first, help_ = opening(plan)
    assert "The variant scaled can be run, and its noise is private; its accuracy is not promised." in first
    assert f"from n = {plan.repaired_promise.first_n:.3g} records on" in help_


def test_a_plan_of_ones_own_without_privacy_has_no_opening():
    assert opening(object()) == ()


@pytest.mark.parametrize("method", ["dp_zoso", "dp_grape"])
def test_plans_of_every_paper_open_with_a_promise(method):
    own = {"growth_mu": 0.25, "radius": 1.0, "target": 0.02} if method == "dp_zoso" else {"spread": 1.0, "r": 8, "layers": 10, "ell": 1.0}
    plan = lab.recommend(method, n=10**7, d=5_000, epsilon=1.0, delta=1e-6, L=1.0, gap=0.5, **own)
    run, promise, _ = opening(plan)
    assert run.startswith(f"Run {method} with alpha = ")
    assert "all iterates may be published" in promise


def test_the_rows_of_a_plan_are_data():
    plan = lab.recommend("dpzero", **GOOD)
    rows = {row["row"]: row for row in plan.table()}
    assert rows["sigma"] == {"row": "sigma", "printed": plan.printed.sigma, "sharp": plan.sharp.sigma}
    assert rows["certified at this T"]["sharp"] == plan.sharp.certified
    pandas = pytest.importorskip("pandas", reason="dataframe() needs it")
    assert isinstance(plan.dataframe(), pandas.DataFrame)


def test_without_pandas_it_says_what_to_install(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ValueError, match="pandas is needed"):
        lab.recommend("dpzero", **GOOD).dataframe()
