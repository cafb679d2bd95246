"""Every column of every plan: what a run of it is given, what is said of that run, and that tables, JSON and CSV have its own numbers."""

import json
import math
from dataclasses import asdict, fields, replace
from functools import cache

import pytest

from bounds.dp_grape.recommend import recommend as grape
from bounds.dp_zopo.recommend import recommend as growth
from bounds.dpzero.recommend import recommend as smooth
from bounds.gauss_psgd.recommend import recommend as saddles
from bounds.plans.plan import NOT_PRIVATE, NOTHING, ObjectiveFacts, format_cell
from bounds.plans.side_by_side import several

NEAR = 1e-9
BUDGET = {"epsilon": 2.0, "delta": 1e-6}
CALLS = {
    "dpzero": (smooth, {"n": 1e4, "d": 1000, "r": 5.0, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0, **BUDGET}),
    "dp_gd": (smooth, {"n": 1e4, "d": 1000, "r": 5.0, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0, **BUDGET}),
    "dp_grape_blocks": (grape, {"n": 1000, "d": 1e4, "r": 20, "L": 1.0, "ell": 1.0, "gap": 1.0, "spread": 2.0, "block": 50, "T_max": 2,
                                **BUDGET}),
    "dp_zoso": (growth, {"n": 1e5, "d": 2, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 1.0, "weak": 0.01, "sample_spread": 0.5,
                         "stages": 2, "epsilon": 50.0, "delta": 1e-6}),
    "gauss_psgd": (saddles, {"n": 1e6, "d": 10, "epsilon": 8.0, "delta": 1e-6, "L": 3.0, "ell": 1.0, "rho": 1.0, "U": 16.0}),
}  # fmt: skip
RUNNABLE = [
    *((method, name) for method in ("dpzero", "dp_gd") for name in ("printed", "sharp")),
    *((method, name) for method in ("dp_grape_blocks", "dp_zoso") for name in ("printed", "repaired", "sharp")),
    ("gauss_psgd", "scaled"),
]
SMALLER_IS_WORSE = ("mu", "m", "growth_mu", "radius")


@cache
def plan(method):
    function, problem = CALLS[method]
    return function(method, **problem)


def column(method, name):
    """A column whose noise is taken to be private, since what is said of others is looked at apart."""
    one = getattr(plan(method), name)
    return replace(one, private=True) if hasattr(one, "private") else one


def place_of(method, one, **changed):
    """An objective that is just what a plan was made for."""
    constants = {"n": float(CALLS[method][1]["n"]), "d": 10.0, **one.constants, **changed}
    return ObjectiveFacts("objective", constants, shapes=((5, 10),) if method == "dp_grape_blocks" else ())


def given_with(method, **settings):
    return {"oracle": "ada_dp_spider", "n": 10**6, **settings} if method == "gauss_psgd" else settings


def remarks(method, one, place=None, **given):
    place = place or place_of(method, one)
    given = given_with(method, **given)
    own = {name: value for name, value in given.items() if name not in ("oracle", "n")}
    return one.remarks(place, one.arguments(method, place, **given), own)


@pytest.mark.parametrize(("method", "name"), RUNNABLE)
def test_a_run_as_planned_has_no_remark_against_it_and_the_columns_caveats(method, name):
    one = column(method, name)
    found = remarks(method, one)
    assert (found.against, found.caveats) == ((), one.caveats)


@pytest.mark.parametrize(("method", "name"), RUNNABLE)
def test_a_constant_that_is_worse_is_named_and_one_that_is_better_or_equal_is_not(method, name):
    one = column(method, name)
    assert one.constants
    for constant, value in one.constants.items():
        worse = -1 if constant in SMALLER_IS_WORSE else 1
        for way, refused in ((worse * NEAR, True), (worse / 2, True), (-worse * NEAR, constant == "radius")):
            own = value * (1 + way) if value else way
            there = place_of(method, one, **{constant: own})
            if method == "gauss_psgd" and refused and constant in ("L", "ell"):
                with pytest.raises(ValueError, match=f"plan = a plan for {constant} = .*: its noise is too small"):
                    one.arguments(method, there, **given_with(method))
                continue
            against = remarks(method, one, there).against
            assert bool(against) == refused, (constant, way, against)
            assert not refused or f" {constant} = {own:g}, not {value:g}" in against[0]


@pytest.mark.parametrize(("method", "name"), RUNNABLE)
def test_what_privacy_rests_on_and_what_is_not_known_to_be_free_takes_it_away(method, name):
    one = column(method, name)
    for option in (*one.ACCOUNTED, "something_new"):
        if not one.FREE and option == "something_new":
            continue  # its run takes many settings, and noise is all that counts
        found = one.remarks(place_of(method, one), one.arguments(method, place_of(method, one), **given_with(method)), {option: 1})
        assert found.against[0].startswith(f"No (epsilon, delta) is promised for this run: {option} {one.UNACCOUNTED}")
        assert (len(found.against), found.caveats) == (1, ())
    for option in {*one.FREE} & {"replicates", "seed", "threads", "progress"}:
        assert one.remarks(place_of(method, one), one.arguments(method, place_of(method, one)), {option: 1}).against == ()


def test_no_option_is_both_accounted_for_and_free():
    for method, name in RUNNABLE:
        one = column(method, name)
        assert not {*one.ACCOUNTED} & {*one.FREE}
        assert "sigma" in one.ACCOUNTED or {"sigma_1", "sigma_2"} <= {*one.ACCOUNTED}


OTHER_SETTINGS = {  # what the proof is about is another: the setting, and another value
    "dpzero": {"alpha": 1e-9, "lam": 1e-9, "direction": "gaussian"},
    "dp_gd": {"alpha": 1e-9},
    "dp_grape_blocks": {"alpha": 1e-9, "r": 3, "update": "adam", "projection": "orthonormal", "side": "larger"},
    "dp_zoso": {"alpha": (1e-9,), "lam": (1e-9,), "widening": 2.0, "anchor": 1.0, "regulariser": "explicit", "radius": 0.5,
                "output": "last", "direction": "sphere", "weights": "rank", "strategy": "dynamic"},
}  # fmt: skip


@pytest.mark.parametrize(("method", "name"), [one for one in RUNNABLE if one[0] in OTHER_SETTINGS])
def test_a_setting_that_the_theorem_is_not_about_takes_the_promise_away_and_not_the_privacy(method, name):
    one = column(method, name)
    for option, value in OTHER_SETTINGS[method].items():
        (said,) = remarks(method, one, **{option: value}).against
        assert said.startswith("What the plan certifies does not apply to this run")
        assert option in said or option == "direction"
        assert remarks(method, one, **{option: value}).caveats == one.caveats


@pytest.mark.parametrize(("method", "name"), RUNNABLE)
def test_a_run_is_given_the_columns_own_numbers_and_what_is_set_besides_wins(method, name):
    one = column(method, name)
    found = one.arguments(method, place_of(method, one), **given_with(method))
    if method != "gauss_psgd":
        assert found.items() >= {key: getattr(one, key) for key in ("T", "C", "sigma")}.items()
        assert found["alpha"] == one.alpha
        assert one.arguments(method, place_of(method, one), T=3)["T"] == 3
        batch = {"batch_size": one.batch_size, "sampling": one.sampling} if getattr(one, "sampling", "full") != "full" else {}
        assert {key: found[key] for key in ("batch_size", "sampling") if key in found} == batch
    else:
        numbers = {"eta": one.eta, "chi": one.chi, "R": one.radius, "Gamma": one.Gamma, "Q": one.Q, "b_1": one.b_1, "b_2": one.b_2}
        assert found.items() >= {**numbers, "sigma_1": one.sigma_fresh, "sigma_2": one.sigma_difference, "kappa": one.drift_limit}.items()
        assert one.arguments(method, place_of(method, one), **given_with(method, b_1=3))["b_1"] == 3


@pytest.mark.parametrize(("method", "name"), [one for one in RUNNABLE if one[0] != "gauss_psgd"])
def test_fewer_samples_than_a_plan_was_made_for_are_too_few_and_as_many_are_enough(method, name):
    one = column(method, name)
    n = CALLS[method][1]["n"]
    assert one.arguments(method, place_of(method, one, n=n))
    with pytest.raises(ValueError, match="its sigma is too small for the objective"):
        one.arguments(method, place_of(method, one, n=n - 1))
    for other in CALLS:
        if other not in one.runs:
            with pytest.raises(ValueError, match=f"plan = a plan of {method}: {other} needs its own plan"):
                one.arguments(other, place_of(method, one))


def test_a_column_whose_noise_is_not_private_says_so_of_a_run():
    for method in ("dp_grape_blocks", "dp_zoso"):
        one = replace(column(method, "sharp"), private=False)
        (said,) = remarks(method, one).against
        assert said == f"No (epsilon, delta) is promised for this run: the sigma of {one.theorem} is not shown to be private."


# --- tables -----------------------------------------------------------------------------------------------------------------------------
def told_apart(method):
    """The plan with other numbers in each column: were two swapped, it would show."""
    made, changed = plan(method), {}
    for k, (name, one) in enumerate(made.columns.items()):
        numbers = {}
        for j, each in enumerate(fields(one)):
            value = getattr(one, each.name)
            if isinstance(value, float) and each.name != "n":
                numbers[each.name] = (1 + k + j / 100) * 1e-3
            elif isinstance(value, int) and not isinstance(value, bool) and each.name != "n":
                numbers[each.name] = 100 * (k + 1) + j
        changed[name] = replace(one, **numbers)
    return replace(made, **changed)


def nothing_of(column):
    return NOTHING if math.isnan(column.sigma) else NOT_PRIVATE


@pytest.mark.parametrize("method", CALLS)
def test_every_row_of_a_table_has_each_columns_own_number(method):
    made = told_apart(method)
    (head,), *groups = made.rows()
    assert head == ("", *("as printed" if name == "printed" else name for name in made.COLUMNS))
    rows = {name: values for group in groups for name, *values in group}
    columns = made.columns.values()
    for name in {name for one in columns for name in one.ROWS}:
        assert rows[name] == [format_cell(one.record()[name]) for one in columns], name
    for said, name in made.PROMISED.items():
        shown = [getattr(one, name) for one in columns]
        if name == "certified":
            shown = [value if getattr(one, "private", True) else nothing_of(one) for one, value in zip(columns, shown, strict=True)]
        assert rows[said] == shown, said
    assert len({repr(values) for values in rows.values()}) >= len(rows) - 3  # no row stands twice, but for what is alike


@pytest.mark.parametrize("method", CALLS)
def test_json_has_every_field_of_every_column_and_of_the_plan(method):
    made = told_apart(method)
    read = json.loads(made.json())
    assert [*read] == [*(one.name for one in fields(made)), "origin"]
    assert read["origin"] == made.origin
    for name, one in made.columns.items():
        wanted = one.record()
        assert [*read[name]] == [*asdict(one)]
        for field, value in wanted.items():
            if isinstance(value, int | float | str):
                assert read[name][field] == (None if isinstance(value, float) and not math.isfinite(value) else value), (name, field)
    assert read["problem"].items() >= {key: value for key, value in CALLS[method][1].items() if key in made.problem}.items()


@pytest.mark.parametrize("method", [method for method in CALLS if method != "gauss_psgd"])
def test_a_column_certifies_what_is_less_than_every_point_has_and_nothing_else(method):
    made = plan(method)
    for name, one in made.columns.items():
        if math.isnan(one.sigma):
            continue
        least = made.trivial(name)
        for certified, wanted in ((least * (1 - NEAR), least * (1 - NEAR)), (least, NOTHING), (math.inf, NOTHING), (math.nan, NOTHING)):
            assert replace(made, **{name: replace(one, certified=certified) if not hasattr(one, "private") else replace(
                one, certified=certified, private=True)}).certifies(name) == wanted  # fmt: skip
        if hasattr(one, "private"):
            assert replace(made, **{name: replace(one, certified=least / 2, private=False)}).certifies(name) == NOT_PRIVATE


def test_plans_side_by_side_have_each_its_own_row():
    function, problem = CALLS["dpzero"]
    rest = {name: value for name, value in problem.items() if name != "epsilon"}
    found = several(function, (1.0, 2.0, 4.0), "dpzero", **rest)
    assert [row["epsilon"] for row in found.rows()] == [1.0, 2.0, 4.0]
    for row, made in zip(found.rows(), found, strict=True):
        for name, one in made.columns.items():
            assert row[f"{name} certifies"] == made.certifies(name)
            assert (row[f"{name} T"], row[f"{name} sigma"]) == (one.T, one.sigma)
    records = found.records()
    assert [(row["epsilon"], row["column"]) for row in records] == [(e, name) for e in (1.0, 2.0, 4.0) for name in ("printed", "sharp")]
    for row in records:
        one = getattr(found[(1.0, 2.0, 4.0).index(row["epsilon"])], row["column"])
        assert {name: row[name] for name in ("alpha", "T", "C", "lam", "sigma", "theorem")} == {
            name: getattr(one, name) for name in ("alpha", "T", "C", "lam", "sigma", "theorem")
        }
        certified = found[(1.0, 2.0, 4.0).index(row["epsilon"])].certifies(row["column"])
        assert (row["certifies"], row["nothing"]) == (certified, "") or (math.isnan(row["certifies"]) and row["nothing"] == certified)


def test_a_stage_hands_on_the_share_of_its_iterates_where_not_all_of_them():
    one = column("dp_zoso", "sharp")
    for output, handed in (("average", {"output": "average"}), ("suffix", {"output": "suffix", "tail": 0.5})):
        found = replace(one, output=output).arguments("dp_zoso", place_of("dp_zoso", one))
        assert {name: found[name] for name in ("output", "tail") if name in found} == handed


@pytest.mark.parametrize(
    ("method", "trivial"), [("dpzero", 9.0), ("dp_gd", 9.0), ("dp_grape_blocks", 9.0), ("dp_zoso", 2 * 3.0 * 0.25)]
)  # fmt: skip
def test_what_every_point_has_is_the_square_of_l_or_l_times_the_diameter(method, trivial):
    made = plan(method)
    for name in made.COLUMNS:
        assert replace(made, problem={**made.problem, "L": 3.0, "radius": 0.25}).trivial(name) == trivial


@pytest.mark.parametrize(("certified", "B", "trivial"), [(0.1, 4.0, 5.625), (0.1, 2.0, 4.0), (math.inf, 2.0, 5.625)])
def test_under_pl_every_point_has_less_than_l_squared_over_two_mu_and_than_twice_a_known_bound(certified, B, trivial):
    """Of the printed column, which is about the loss; the other is about the gradient."""
    made = plan("dpzero")
    made = replace(made, problem={**made.problem, "L": 3.0, "mu": 0.8, "B": B}, printed=replace(made.printed, certified=certified))
    assert made.trivial("printed") == pytest.approx(trivial)
    assert made.trivial("sharp") == 9.0
