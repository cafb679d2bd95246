"""A third paper's plan goes through table, JSON, LaTeX and simulation with nothing added; what the plans of the lab have alike."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import ClassVar, get_args

import numpy as np
import pytest

import theory_lab as lab
from bounds import privacy
from bounds.dpzero.batches import BatchedPlan
from bounds.dpzero.columns import Plan as DPZeroPlan
from bounds.gauss_psgd.columns import Plan as PsgdPlan
from bounds.plans.plan import RELATIONS, Column, ObjectiveFacts, Plan, Remarks
from bounds.privacy import random_iterate
from bounds.privacy.subsampled import Neighbours
from bounds.typeset import latex as typeset
from paper_checks.experiment import describe_objective, run_arguments
from synthetic.methods.dpzero import KERNELS
from synthetic.runs.psgd import gauss_psgd
from tests.theory_lab.test_latex import sound
from theory_lab.methods import METHODS
from theory_lab.tables import print_plan

LOOSE = "The printed noise is for one release only."


@dataclass(frozen=True)
class Projected(Column):
    """Projected descent, that DP-GD runs here; lengths are those of its stages, keep does not exist without a projection."""

    ROWS = ("alpha", "C", "sigma", "lengths", "keep")
    ACCOUNTED = ("C", "sigma")
    FREE = ("alpha", *Column.FREE)
    theorem: str
    alpha: float
    C: float
    sigma: float
    lengths: tuple[int, ...]
    keep: int | None
    constants: Mapping[str, float] = field(hash=False)
    caveats: tuple[str, ...] = ()

    @property
    def runs(self):
        return ("dp_gd", "dpgd_0th")

    def arguments(self, method, place, **settings):
        self.only_for(method)
        return {"alpha": self.alpha, "C": self.C, "sigma": self.sigma, "T": sum(self.lengths)} | settings

    def doubt(self, place, settings, given):
        return "What the plan certifies does not apply to this run: alpha not taken from the plan." if "alpha" in given else ""


@dataclass(frozen=True, repr=False)
class ThirdPlan(Plan):
    """The third paper's."""

    COLUMNS = ("printed", "repaired")
    NEIGHBOURS = "add_or_remove_one"
    IN_PRINT: ClassVar = {"keep": "coordinates kept"}
    method: str
    problem: Mapping[str, float]
    printed: Projected
    kept: float
    repaired: Projected
    caveats: tuple[str, ...]


OBJECTIVE = lab.cosine("inverse", 5, 400, 0)
OWN = {"d": 5, "L": OBJECTIVE.constants["L"]}
PRINTED = Projected("third.theorem1", 0.25, 1.5, 0.125, (3, 6, 12), None, OWN, (LOOSE,))
REPAIRED = Projected("third.repaired", 0.5, 2.0, math.inf, (4,), 3, OWN)
THIRD = ThirdPlan("third", {"n": 400, "d": 5, "epsilon": 2.0}, PRINTED, math.nan, REPAIRED, (LOOSE, "All of it is made up."))
ROWS = [
    [("", "as printed", "repaired")],
    [("alpha", 0.25, 0.5), ("C", 1.5, 2.0), ("sigma", 0.125, math.inf), ("lengths", "3, 6, 12", "4"), ("keep", "none", 3)],
    [("theorem", "third.theorem1", "third.repaired")],
]


def test_its_rows_on_the_terminal_and_in_a_notebook(capsys):
    assert THIRD.rows() == ROWS
    assert repr(THIRD) == "Plan(third: printed, repaired; 2 caveats)"
    print_plan(THIRD)
    said = capsys.readouterr().out
    for words in ("third: n = 400, d = 5, epsilon = 2", "as printed", "3, 6, 12", "inf", "none", f"- {LOOSE}", "- All of it is made up."):
        assert words in said
    assert "<th>as printed</th><th>repaired</th>" in THIRD._repr_html_()
    assert "<tr><td>keep</td><td>none</td><td>3</td></tr>" in THIRD._repr_html_()
    assert f"<li>{LOOSE}</li>" in THIRD._repr_html_()


def test_its_json_has_every_field_in_order_and_null_for_what_is_no_number():
    found = json.loads(THIRD.json())
    assert list(found) == ["method", "problem", "printed", "kept", "repaired", "caveats", "origin"]
    assert found["printed"] == {
        "theorem": "third.theorem1", "alpha": 0.25, "C": 1.5, "sigma": 0.125, "lengths": [3, 6, 12], "keep": None,
        "constants": OWN, "caveats": [LOOSE],
    }  # fmt: skip
    assert (found["kept"], found["repaired"]["sigma"], found["repaired"]["caveats"]) == (None, None, [])


def test_its_table_for_a_paper_names_its_own_neighbours():
    latex = THIRD.latex() + "\n"
    sound(latex)
    assert "differentially private where neighbours differ in one record more or less; $n$~$=$~$400$" in latex
    assert "coordinates kept & none & $3$" in latex
    assert latex.count(r"\item") == 3  # the last says the source: of the lab alone, whose table this is
    assert r"\cite{dptheorylab}." in latex


def test_a_plan_of_a_method_that_is_not_private_says_nothing_of_privacy():
    class Open(ThirdPlan):
        NEIGHBOURS = None

    latex = Open(*(getattr(THIRD, one.name) for one in fields(THIRD))).latex()
    assert r"\caption{Parameters of \texttt{third}; $n$" in latex
    assert "private" not in latex


@pytest.mark.parametrize("method", ["dp_gd", "dpgd_0th"])
def test_its_columns_run_with_what_they_say(method):
    run = lab.simulate(method, OBJECTIVE, plan=PRINTED, seed=3)
    by_hand = lab.simulate(method, OBJECTIVE, alpha=0.25, C=1.5, sigma=0.125, T=21, seed=3)
    np.testing.assert_array_equal(run.x, by_hand.x)
    assert run.settings == by_hand.settings
    assert (run.remarks, run.vouched) == ((LOOSE,), True)
    assert (by_hand.remarks, by_hand.vouched) == ((), False)
    assert run_arguments(KERNELS[method], OBJECTIVE, PRINTED, T=2) == {"alpha": 0.25, "C": 1.5, "sigma": 0.125, "T": 2}


def test_it_is_asked_about_what_was_run_and_told_what_was_given(monkeypatch):
    asked = []
    monkeypatch.setattr(type(PRINTED), "remarks", lambda *what: asked.append(what) or Remarks())
    run = lab.simulate("dp_gd", OBJECTIVE, plan=PRINTED, alpha=0.1, batch_size=None)
    assert asked == [(PRINTED, describe_objective(OBJECTIVE), run.settings, {"alpha": 0.1})]
    assert {"alpha", "T", "C", "sigma", "seed", "batch_size"} <= run.settings.keys()


def test_where_it_does_not_vouch_for_a_run():
    private = lab.simulate("dp_gd", OBJECTIVE, plan=PRINTED, alpha=0.1)
    assert private.remarks == ("What the plan certifies does not apply to this run: alpha not taken from the plan.", LOOSE)
    unaccounted = lab.simulate("dp_gd", OBJECTIVE, plan=PRINTED, alpha=0.1, sigma=1.0)
    assert unaccounted.remarks == ("No (epsilon, delta) is promised for this run: sigma not taken from the plan.",)
    other = lab.simulate("dp_gd", lab.cosine("inverse", 6, 400, 0), plan=replace(PRINTED, constants={"d": 5, "rho": 1.0}))
    assert other.remarks == ("What the plan certifies does not apply to this objective, which has d = 6, not 5.", LOOSE)
    assert (private.vouched, unaccounted.vouched, other.vouched) == (False, False, False)
    assert REPAIRED.remarks(ObjectiveFacts("x_1", {}), {}, {}) == Remarks()


def test_a_plan_of_another_method_and_all_plans_at_once_are_refused():
    with pytest.raises(ValueError, match=r"^plan = a plan of dp_gd: dpzero needs its own plan, lab\.recommend\('dpzero', \.\.\.\)$"):
        lab.simulate("dpzero", OBJECTIVE, plan=PRINTED)
    with pytest.raises(ValueError, match=r"^plan = the plans of third: one of them is needed, such as plan\.repaired$"):
        lab.simulate("dp_gd", OBJECTIVE, plan=THIRD)
    for method, objective, plan in (("gauss_psgd", lab.random_phase_cosines(3), PRINTED), ("dpzero", OBJECTIVE, SCALED.scaled)):
        with pytest.raises(ValueError, match=rf"^plan = a plan of \w+: {method} needs its own plan"):
            lab.simulate(method, objective, plan=plan)


DPZERO = lab.recommend("dpzero", OBJECTIVE, epsilon=2.0, delta=1e-4)
SCALED = lab.recommend("gauss_psgd", n=20_000, d=3, epsilon=8.0, delta=1e-5, L=1.75, ell=1.0, rho=1.0, U=6.0)


@pytest.mark.parametrize("plan", [DPZERO, SCALED, THIRD], ids=lambda plan: plan.method)
def test_the_columns_of_a_plan_are_its_fields_that_are_columns(plan):
    assert list(plan.columns) == [one.name for one in fields(plan) if isinstance(getattr(plan, one.name), Column)]
    assert repr(plan).startswith(f"Plan({plan.method}: ")
    for one in plan.columns.values():
        assert list(one.numbers()) == list(one.ROWS)


def test_the_choices_of_an_option_are_the_columns_of_the_paper():
    assert [METHODS[name].choices("plan") for name in ("dpzero", "dpgd_0th", "dp_gd")] == [BatchedPlan.COLUMNS] * 3
    assert METHODS["mezo"].choices("plan") == ()


def test_the_neighbours_of_a_caption_are_those_of_the_accounting():
    """The noise is calibrated to how far one replaced record moves a mean; one record more or less moves it half as far."""
    assert set(RELATIONS) == set(get_args(Neighbours))
    assert DPZeroPlan.NEIGHBOURS == PsgdPlan.NEIGHBOURS == "replace_one"
    sharp, scaled = DPZERO.sharp, SCALED.scaled
    replaced = 2 * sharp.C / OBJECTIVE.n
    for made, spent in (
        (1e-4, lambda far: random_iterate.delta_uniform(epsilon=2.0, sigma=sharp.sigma, T=sharp.T, sensitivity=far * replaced)),
        (1e-5, lambda far: privacy.delta_gaussian(epsilon=8.0, sigma=scaled.sigma_fresh, T=1, sensitivity=far * 2 * 1.75 / scaled.b_1)),
        (1e-5, lambda far: privacy.delta_gaussian(epsilon=8.0, sigma=scaled.sigma_difference, T=1, sensitivity=far * 2 / scaled.b_2)),
    ):
        assert spent(1.0) == pytest.approx(made, rel=1e-6)
        assert spent(0.5) < made / 10
    for plan in (DPZERO, SCALED):
        assert f"neighbours differ in {RELATIONS['replace_one']}; " in plan.latex()


def test_a_place_is_what_an_objective_knows_of_itself():
    several = lab.random_phase_cosines(3, phases=[-0.3, 0.3])
    assert describe_objective(several) == ObjectiveFacts(several.name, {**several.constants, "d": 3, "m": 2}, several.where, ((3,),))
    assert describe_objective(OBJECTIVE) == ObjectiveFacts(OBJECTIVE.name, {**OBJECTIVE.constants, "d": 5, "n": 400}, shapes=((5,),))
    assert typeset.plan_table("a_b", {}, "", [[("", "x")]], (), (), ()).count(r"\texttt{a\_b}; ") == 1


class Short(Projected):
    """A column of the same paper that has fewer numbers."""

    ROWS = ("sigma", "alpha")


def test_a_number_that_only_some_columns_have_is_none_in_the_others():
    short = Short(*(getattr(REPAIRED, one.name) for one in fields(REPAIRED)))
    plan = replace(THIRD, repaired=short)
    assert plan.rows()[1] == [*ROWS[1][:1], ("C", 1.5, "none"), *ROWS[1][2:3], ("lengths", "3, 6, 12", "none"), ("keep", "none", "none")]


def test_the_exact_oracle_takes_any_column_and_noise_set_by_hand_is_not_too_little():
    landscape = lab.random_phase_cosines(4)
    assert not SCALED.printed.runnable
    given = {"oracle": "exact", "n": 20_000}
    assert run_arguments(gauss_psgd, landscape, SCALED.printed, **given)["zeta"] == SCALED.printed.psi / math.sqrt(2)
    private = given | {"oracle": "sgd"}
    with pytest.raises(ValueError, match=r"^plan = a plan for L = 1\.75: its noise is too small"):
        run_arguments(gauss_psgd, landscape, SCALED.scaled, **private)
    assert run_arguments(gauss_psgd, landscape, SCALED.scaled, **private, sigma_1=0.5)["sigma_1"] == 0.5


def test_the_law_of_directions_matters_where_there_are_directions():
    columns = [lab.recommend(method, OBJECTIVE, epsilon=2.0, delta=1e-4).sharp for method in ("dpzero", "dp_gd")]
    said = [one.remarks(describe_objective(OBJECTIVE), {"direction": "gaussian"}, {}).against for one in columns]
    assert [bool(one) for one in said] == [True, False]


def test_a_column_that_says_nothing_of_its_arguments_vouches_for_none_that_is_set_by_hand():
    @dataclass(frozen=True)
    class Silent(Column):
        ROWS = ()
        theorem: str = "third.theorem1"
        constants: Mapping[str, float] = field(default_factory=dict, hash=False)

    assert Silent().remarks(ObjectiveFacts("", {}), {}, {"replicates": 2, "seed": 1, "threads": 1, "progress": print}) == Remarks((), ())
    for name in ("sigma", "T", "direction", "beta"):
        said = f"No (epsilon, delta) is promised for this run: {name} not taken from the plan."
        assert Silent().remarks(ObjectiveFacts("", {}), {}, {name: 1, "seed": 0}) == Remarks((said,))
