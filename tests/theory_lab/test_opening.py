"""How `recommend` begins: what to run and what is promised, or that nothing is, and what would change it."""

import sys
from dataclasses import fields, replace
from types import SimpleNamespace

import pytest

import theory_lab as lab
from theory_lab.cli import main
from theory_lab.opening import opening_sentences, replanning_function

GOOD = {"n": 10_000, "d": 2_000, "r": 8.18, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0}
FEW = {**GOOD, "n": 500, "epsilon": 0.1}


def test_the_best_variant_its_parameters_and_its_promise_come_first():
    plan = lab.recommend("dpzero", **GOOD)
    run, promise, assumed = opening_sentences(plan)
    parameters = "alpha = 0.05259, T = 4,672, C = 3.22, lam = 4.084e-07, sigma = 0.08734"
    assert run == f"Run dpzero with {parameters} (variant: sharp). That is 4,672 passes over the data."
    assert promise.startswith("This is (2, 1e-06)-differentially private for data sets that differ by one replaced record; only x_tau may")
    assert promise.endswith(f"is at most {plan.sharp.certified:.4g}.")
    assert assumed.startswith("Assumed: f(.; xi) is L-Lipschitz")
    assert assumed.endswith("(dpzero.sharp_clip_bias).")


def test_a_variant_that_is_not_private_is_never_the_one_to_run():
    plan = lab.recommend("dpzero", **GOOD)
    lying = replace(plan, sharp=replace(plan.sharp, private=False))
    assert opening_sentences(lying)[0].startswith("Nothing can be promised about accuracy here: no variant certifies an error below 1")
    assert "Privacy does not depend on this: the noise of the variant printed is private." in opening_sentences(lying)[0]
    assert "The noise of the variant sharp is too small for this epsilon and delta." in opening_sentences(lying)[0]


def test_where_nothing_is_promised_it_says_how_many_records_would_be_enough():
    plan = lab.recommend("dpzero", **FEW)
    first, help_ = opening_sentences(plan, replanning_function(lab.recommend, "dpzero", FEW), FEW)
    assert first == (
        "Nothing can be promised about accuracy here: no variant certifies an error below 1, which every point satisfies. "
        "Privacy does not depend on this: the noise of the variant printed is private."
    )
    more = lab.recommend("dpzero", **{**FEW, "n": 5_000})
    assert help_.startswith(f"With 10 times as many records, n = 5000, the variant sharp certifies {more.sharp.certified:.4g}.")
    assert "may change that" in opening_sentences(plan)[1]


LIMITED = {
    **{name: value for name, value in GOOD.items() if name != "B"},
    "n": 50_000,
    "d": 355e6,
    "r": 100.0,
    "epsilon": 3.0,
    "delta": 1e-5,
    "T_max": 20,
}


def test_where_steps_are_too_few_it_says_so_before_it_asks_for_records():
    plan = lab.recommend("dpzero", **LIMITED)
    help_ = opening_sentences(plan, replanning_function(lab.recommend, "dpzero", LIMITED), LIMITED)[1]
    more = lab.recommend("dpzero", **{**LIMITED, "T_max": 2_000})
    assert help_ == f"With --T-max 2000, the variant sharp certifies {more.sharp.certified:.4g}."


def test_where_the_start_is_best_it_says_so_first():
    """A small ell and gap: the bound at x_0 is below L^2, and there is nothing to run."""
    problem = {**LIMITED, "ell": 0.1}
    plan = lab.recommend("dpzero", **problem)
    assert plan.certifies("sharp") == pytest.approx(0.2)
    first, second = opening_sentences(plan, replanning_function(lab.recommend, "dpzero", problem), problem)
    assert first.endswith("Publish x_0 itself, without steps and without noise.")
    assert second.startswith("x_0 satisfies ||grad F_S(x_0)||^2 <= 0.2 by the assumptions alone. With --T-max ")


def test_what_was_tried_in_vain_is_named_and_nothing_is_claimed_of_what_was_not_tried():
    problem = {**FEW, "n": 1, "d": 10**9, "r": 1e9}
    plan = lab.recommend("dpzero", **problem)
    help_ = opening_sentences(plan, replanning_function(lab.recommend, "dpzero", problem), problem)[1]
    assert help_.startswith("Nothing is promised with 10 times as many records, n = 10 or with 1,000,000 times as many records")
    assert "may change that" in help_


def test_scaled_parameters_are_named_as_what_they_are():
    plan = lab.recommend("gauss_psgd", n=1e6, d=10, epsilon=8.0, delta=1e-5, L=3.17, ell=1.0, rho=1.0, U=17.0)
    first, help_ = opening_sentences(plan)
    assert "the noise of the variant" in first
    assert "scaled" in first
    assert f"from n = {plan.repaired_promise.first_n:.3g} records on" in help_


def test_a_plan_of_ones_own_without_privacy_has_no_opening():
    assert opening_sentences(object()) == ()


@pytest.mark.parametrize("method", ["dp_zoso", "dp_grape"])
def test_plans_of_every_paper_open_with_a_promise(method):
    own = {"growth_mu": 0.25, "radius": 1.0, "target": 0.02} if method == "dp_zoso" else {"spread": 1.0, "r": 8, "layers": 10, "ell": 1.0}
    plan = lab.recommend(method, n=10**7, d=5_000, epsilon=1.0, delta=1e-6, L=1.0, gap=0.5, **own)
    run, promise, _ = opening_sentences(plan)
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
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ValueError, match="pandas is needed"):
        lab.recommend("dpzero", **GOOD).dataframe()


def test_of_two_variants_with_a_promise_the_one_with_the_smaller_bound_is_run():
    plan = lab.recommend("dpzero", **{**GOOD, "n": 10**7})
    assert plan.certifies("printed") > plan.certifies("sharp")
    assert "(variant: sharp)" in opening_sentences(plan)[0]
    other = replace(plan, printed=replace(plan.printed, certified=plan.sharp.certified / 2))
    run, promise, assumed = opening_sentences(other)
    assert "(variant: printed)" in run
    assert "all iterates may be published" in promise
    assert promise.endswith(f"is at most {other.printed.certified:.4g}.")
    assert assumed.endswith("(dpzero.theorem3).")


def test_passes_over_the_data_are_counted_in_records():
    own = {"spread": 1.0, "r": 8, "layers": 10, "ell": 1.0}
    plan = lab.recommend("dp_grape", n=10**7, d=5_000, epsilon=1.0, delta=1e-6, L=1.0, gap=0.5, **own)
    for steps, said in ((10_000, "That is 100 passes over the data."), (100, "")):
        small = replace(plan, sharp=replace(plan.sharp, T=steps, batch_size=10**5))
        assert opening_sentences(small)[0].partition("(variant: sharp).")[2].strip() == said


def test_the_start_is_no_promise_that_a_change_would_bring():
    problem = {**LIMITED, "ell": 0.1}
    plan = lab.recommend("dpzero", **problem)
    help_ = opening_sentences(plan, lambda **changes: plan, problem)[1]
    assert "Nothing is promised with --T-max 200 or with 1,000,000 times as many records" in help_


def test_the_relation_is_that_of_the_plan():
    plan = lab.recommend("dpzero", **GOOD)
    relation = type("Added", (type(plan),), {"NEIGHBOURS": "add_or_remove_one"})
    added = relation(**{one.name: getattr(plan, one.name) for one in fields(plan)})
    assert "for data sets that differ by one record more or less;" in opening_sentences(added)[1]


def test_a_data_frame_has_the_rows_of_the_table_by_their_names(monkeypatch):
    class Frame:
        def __init__(self, rows):
            self.rows = rows

        def set_index(self, name):
            return name, self.rows

    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=Frame))
    plan = lab.recommend("dpzero", **GOOD)
    assert plan.dataframe() == ("row", plan.table())


def test_the_command_prints_the_opening_before_the_table(capsys):
    argv = [part for name, value in GOOD.items() for part in (f"--{name}", str(value))]
    assert main(["recommend", "dpzero", *argv]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert out.startswith(" ".join(opening_sentences(lab.recommend("dpzero", **GOOD))))
