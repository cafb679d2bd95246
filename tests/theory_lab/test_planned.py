"""A plan of Gauss-PSGD becomes the arguments of a run: every number by hand, for every oracle."""

import json
import math
from dataclasses import dataclass, replace
from types import SimpleNamespace

import numpy as np
import pytest

import theory_lab as lab
from bounds.plans.plan import ObjectiveFacts, Remarks
from paper_checks.experiment import describe_objective
from synthetic.methods.dpzero import KERNELS
from synthetic.runs.psgd import NEEDS
from theory_lab.methods import gauss_psgd as sosp

PLAN = lab.recommend("gauss_psgd", n=20_000, d=3, epsilon=8.0, delta=1e-5, L=1.75, ell=1.0, rho=1.0, U=6.0).scaled
NUMBERS = {
    "eta": 0.25, "chi": 0.125, "radius": 0.75, "Gamma": 21, "Q": 5, "b_1": 60, "b_2": 7, "sigma_fresh": 0.3, "sigma_difference": 0.9,
    "drift_limit": 0.4, "T": 130, "fresh": 20, "calls": 800, "psi": 0.02,
}  # fmt: skip
COMMON = {"eta": 0.25, "chi": 0.125, "R": 0.75, "Gamma": 21, "Q": 5}
HAND = {
    "ada_dp_spider": {"n": 20_000, "b_1": 60, "b_2": 7, "sigma_1": 0.3, "sigma_2": 0.9, "kappa": 0.4},
    "distributed_ada_dp_spider": {"n": 20_000, "b_1": 60, "b_2": 7, "sigma_1": 0.3, "sigma_2": 0.9, "kappa": 0.4},
    "dp_spider": {"n": 20_000, "b_1": 60, "b_2": 7, "sigma_1": 0.3, "sigma_2": 0.9, "period": 6},  # 130 steps, 20 fresh gradients
    "sgd": {"n": 20_000, "b_1": 25, "sigma_1": 0.3 * 60 / 25},  # 800 calls use 20,000 samples up; the noise of O_1 for that batch
    "exact": {"zeta": 0.02 / math.sqrt(2), "sigma_1": 0.02 / math.sqrt(2 * 3), "limit": 3200},
}


@pytest.mark.parametrize("oracle", sosp.ORACLES)
def test_every_argument_of_a_planned_run_by_hand(oracle):
    found = replace(PLAN, **NUMBERS).oracle_arguments(oracle, 3, 20_000)
    assert found == pytest.approx({**COMMON, **HAND[oracle]})
    assert set(HAND[oracle]) == set(NEEDS[oracle])


def test_a_plan_with_more_calls_than_samples_or_one_epoch_has_batches_and_periods_of_one():
    few = replace(PLAN, **NUMBERS | {"calls": 30_000, "fresh": 500})
    assert few.oracle_arguments("sgd", 3, 20_000)["b_1"] == 1
    assert few.oracle_arguments("dp_spider", 3, 20_000)["period"] == 1
    none = replace(PLAN, **NUMBERS | {"calls": 0})
    assert none.oracle_arguments("sgd", 3, 20_000)["b_1"] == 20_000


@dataclass(frozen=True)
class Handed:
    """A run that is what it was given."""

    given: tuple
    settings: dict
    remarks: tuple = ()
    vouched: bool = False


def handed_over(monkeypatch, name):
    """Replace a run by one that gives back what it was given."""

    def run(*given, **named):
        return Handed(given, named)

    run.__name__ = name.rpartition(".")[2]
    monkeypatch.setattr(f"synthetic.runs.{name}", run)


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
@pytest.mark.parametrize("column", ["printed", "sharp"])
def test_a_column_of_a_plan_is_handed_over_and_what_is_given_besides_wins(method, column, monkeypatch):
    handed_over(monkeypatch, "simulate.simulate")
    objective = lab.quadratic("inverse", 4, 10_000, 0)
    plan = lab.recommend(method, n=10_000, d=200, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0)
    column = getattr(plan, column)
    run = lab.simulate(method, objective, plan=column, T=3, seed=5)
    given, named = run.given, run.settings
    assert run.remarks == ("No (epsilon, delta) is promised for this run: T not taken from the plan.",)
    assert given == (KERNELS[method], objective)
    numbers = {"alpha": column.alpha, "C": column.C, "sigma": column.sigma, "lam": column.lam}
    assert named == {name: value for name, value in numbers.items() if not math.isnan(value)} | {"T": 3, "seed": 5}
    assert ("lam" in named) == (method != "dp_gd")
    assert lab.simulate(method, objective, plan=column).settings["T"] == column.T


@pytest.mark.parametrize("oracle", sosp.ORACLES)
def test_the_scaled_column_is_handed_over_for_every_oracle(oracle, monkeypatch):
    handed_over(monkeypatch, "psgd.gauss_psgd")
    landscape = lab.random_phase_cosines(3)
    run = lab.simulate("gauss_psgd", landscape, plan=PLAN, oracle=oracle, n=20_000, Q=2, replicates=3)
    given, named = run.given, run.settings
    assert given == (landscape,)
    more = {"oracle": oracle, "Q": 2, "replicates": 3} | ({} if oracle == "exact" else {"n": 20_000})
    assert named == PLAN.oracle_arguments(oracle, landscape.d, 20_000) | more


def test_the_earlier_method_is_another_call(monkeypatch):
    handed_over(monkeypatch, "psgd.frozen_psgd")
    landscape = lab.random_phase_cosines(3)
    assert lab.simulate("frozen_psgd", landscape, eta=0.5) == Handed((landscape,), {"eta": 0.5})
    with pytest.raises(ValueError, match="mezo has no plans, it is not private"):
        lab.simulate("mezo", lab.quadratic("flat", 3, 5, 0), plan=PLAN)


def test_a_plan_runs_the_earlier_method_with_the_same_oracle(monkeypatch):
    handed_over(monkeypatch, "psgd.frozen_psgd")
    landscape = lab.random_phase_cosines(3)
    run = lab.simulate("frozen_psgd", landscape, plan=replace(PLAN, **NUMBERS), n=20_000, extra=0.5)
    given, named = run.given, run.settings
    assert given == (landscape,)
    assert named == {"eta": 0.25, **HAND["ada_dp_spider"], "threshold": 0.375, "extra": 0.5, "frozen_steps": 21}
    with pytest.raises(ValueError, match="n is missing: a run of frozen_psgd with this plan needs n"):
        lab.simulate("frozen_psgd", landscape, plan=PLAN)


def test_a_plan_that_asks_for_more_samples_than_there_are_is_not_run():
    landscape = lab.random_phase_cosines(3)
    plans = lab.recommend("gauss_psgd", landscape, n=20_000, epsilon=8.0, delta=1e-5)
    for plan in (plans.printed, plans.repaired):
        with pytest.raises(ValueError, match=r"it needs more samples than there are; use plan\.scaled"):
            lab.simulate("gauss_psgd", landscape, plan=plan, oracle="ada_dp_spider", n=20_000)


@pytest.mark.parametrize("number", [None, 0, 2])
def test_what_is_said_of_a_chosen_point_is_said_of_that_point(number, monkeypatch):
    from theory_lab.cli import build_parser

    landscape = lab.random_phase_cosines(3)
    plan = lab.recommend("gauss_psgd", landscape, n=20_000, epsilon=8.0, delta=1e-5)
    points = np.array([landscape.saddle, np.full(3, 0.3), np.pi * np.eye(3)[0], np.full(3, np.nan)])
    run = SimpleNamespace(points=np.stack([np.zeros_like(points), points]), steps=np.array([4, 3]))
    monkeypatch.setattr("synthetic.runs.selection.select", lambda *given, **named: SimpleNamespace(chosen=number))
    argv = ["simulate", "gauss_psgd", "--d", "3", "--n", "20000", "--epsilon", "8", "--delta", "1e-5", "--select", "500"]
    found = sosp.select_point(run, landscape, plan, build_parser().parse_args(argv), 1)
    if number is None:
        assert (found.pop("chosen"), found.pop("chosen_point")) == (-1, "none")
        assert list(found) == ["chosen_grad_norm", "chosen_eigenvalue"]
        assert all(math.isnan(value) for value in found.values())
        return
    judged = landscape.certify_sosp(points[number], plan.scaled.accuracy)
    assert found == {
        "chosen": number, "chosen_point": {0: "saddle", 2: "SOSP"}[number], "chosen_grad_norm": judged.grad_norm,
        "chosen_eigenvalue": judged.smallest_eigenvalue,
    }  # fmt: skip


def test_the_row_of_a_run_is_that_of_its_replicate_and_judges_what_was_returned_or_else_the_last_iterate():
    landscape = lab.random_phase_cosines(2)
    minimum = np.pi * np.eye(2)[0]
    counts = {name: np.array([10 * k, 10 * k + 1]) for k, name in enumerate(("steps", "samples", "fresh_calls", "rounds", "escapes"), 1)}
    run = SimpleNamespace(
        x=np.array([minimum, [np.nan, np.nan]]), last=np.array([landscape.saddle, landscape.saddle]), returned=np.array([True, False]),
        status=np.array([0, 1]), **counts,
    )  # fmt: skip
    rows = [sosp.replicate_row(run, landscape, 0.5, r) for r in range(2)]
    assert [(row["replicate"], row["status"], row["point"]) for row in rows] == [(0, "returned", "SOSP"), (1, "out of samples", "saddle")]
    for r, row in enumerate(rows):
        assert {name: row[name] for name in counts} == {name: values[r] for name, values in counts.items()}
        judged = landscape.certify_sosp((minimum, landscape.saddle)[r], 0.5)
        assert (row["grad_norm"], row["smallest_eigenvalue"]) == (judged.grad_norm, judged.smallest_eigenvalue)
    assert sosp.point_kind(SimpleNamespace(sosp=False, saddle=False)) == "neither"


@pytest.mark.parametrize(
    ("oracle", "changed", "where", "said"),
    [
        ("exact", {}, "everywhere", "Not private: the exact oracle"),
        ("exact", {"b_1": 1}, "near", "Not private: the exact oracle"),
        ("sgd", {"sigma_2": 0, "b_1": 1}, "near", "No (epsilon, delta) is promised for this run: b_1, sigma_2 not taken from the plan"),
        (
            "sgd",
            {"Q": 1},
            "near x_0",
            "(epsilon, delta) holds only while every point stays in the region where the constants hold: near x_0.",
        ),
        (None, {}, "everywhere", ""),
    ],
)
def test_what_privacy_a_run_has_is_said(oracle, changed, where, said):
    found = PLAN.remarks(ObjectiveFacts("any", {}, where), {"oracle": oracle} if oracle else {}, changed)
    if not said:
        assert found == Remarks()
        return
    (against,) = found.against
    assert against.startswith(said)


def test_a_landscape_is_built_with_what_its_constructor_takes():
    assert sosp.build_objective("matrix_factorisation", 3, 1, 0.0, {"rank": 2.0}).d == 6
    built = sosp.build_objective("random_phase_cosines", 2, 3, 0.4, {"w": 0.5})
    assert (built.clients, built.params[1]) == (3, 0.5)
    tilted = sosp.build_objective("octopus", 2, 3, 0.4, {"spread": 0.5})
    assert (tilted.clients, tilted.name) == (3, "octopus, d = 2")
    with pytest.raises(ValueError, match=r"clients = 2: phase_retrieval has a single client"):
        sosp.build_objective("phase_retrieval", 3, 2, 0.4, {})
    with pytest.raises(ValueError, match=r"--with width=...: phase_retrieval does not take width here; it takes reach"):
        sosp.build_objective("phase_retrieval", 3, 1, 0.0, {"width": 1.0})
    with pytest.raises(ValueError, match=r"rank is missing: matrix_factorisation needs rank, for instance --with rank=2"):
        sosp.build_objective("matrix_factorisation", 3, 1, 0.0, {})
    with pytest.raises(ValueError, match=r"it has no finite U, and every theorem here needs one"):
        sosp.problem_constants("gauss_psgd", lab.slope(2, A_0=math.inf), {"ell": 1.0, "rho": 1.0})
    assert sosp.problem_constants("gauss_psgd", built, {"L": 3.0}) == {
        "L": 3.0,
        "d": 2,
        "m": 3,
        **{name: built.constants[name] for name in ("ell", "rho", "U")},
    }


COSINE = ["simulate", "dpzero", "--objective", "cosine", "--d", "5", "--n", "2000", "--T", "3", "--plan", "sharp"]


def test_the_command_recommends_and_runs_in_one_call(capsys):
    from theory_lab.cli import main

    budget = ["--epsilon", "2", "--delta", "1e-6"]
    objective = lab.cosine("inverse", 5, 2000, 0)
    plans = lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6)
    assert main([*COSINE, *budget, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    run = lab.simulate("dpzero", objective, plan=plans.sharp, T=3)
    assert found["settings"] == run.settings
    assert found["replicates"][0]["loss_end"] == run.loss[0, -1]
    assert found["remarks"] == ["No (epsilon, delta) is promised for this run: T not taken from the plan."]
    assert "plan" not in found
    for argv, said in (
        (COSINE, "plan = 'sharp': --epsilon and --delta are needed with it"),
        (COSINE[:-2], "the following arguments are required: --alpha (see theory-lab simulate dpzero --help)"),
        ([*COSINE[:-2], "--alpha", "0.1", "--epsilon", "2"], "epsilon = 2.0: it is for --plan only; give --plan too, or leave it out"),
        ([*COSINE[:-2], "--alpha", "0.1", "--delta", "1e-6"], "delta = 1e-06: it is for --plan only; give --plan too, or leave it out"),
    ):
        assert main(argv) == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("column", ["printed", "sharp"])
def test_a_planned_run_says_what_its_own_column_certifies(column, capsys):
    from theory_lab.cli import main

    plan = lab.recommend("dpzero", lab.cosine("inverse", 5, 400, 0), epsilon=2.0, delta=1e-6)
    asked, other = getattr(plan, column), getattr(plan, "sharp" if column == "printed" else "printed")
    budget = ["--plan", column, "--epsilon", "2", "--delta", "1e-6", "--json"]
    assert main(["simulate", "dpzero", "--objective", "cosine", "--d", "5", "--n", "400", *budget]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["plan"]["theorem"] == asked.theorem
    assert (found["plan"]["certified"], found["plan"]["epsilon"], found["plan"]["delta"]) == (asked.certified, 2.0, 1e-6)
    assert found["settings"]["T"] == asked.T
    of_plan = [said for said in found["remarks"][1:] if "larger loss than at x_0" not in said]
    assert of_plan == list(asked.caveats)
    assert f"{asked.theorem} certifies at most {asked.certified:.4g} for" in found["remarks"][0]
    assert set(asked.caveats) | set(other.caveats) == set(plan.caveats)
    assert set(asked.caveats) != set(other.caveats)
    assert main(["simulate", "dpzero", "--objective", "cosine", "--d", "5", "--n", "400", *budget, "--alpha", "0.1"]) == 0
    alone = "What the plan certifies does not apply to this run: alpha not taken from the plan."
    remarks = [said for said in json.loads(capsys.readouterr().out)["remarks"] if "larger loss than at x_0" not in said]
    assert remarks == [alone, *asked.caveats]


def test_a_plan_runs_with_its_own_method_and_with_no_fewer_samples_than_it_was_made_for():
    """Its sigma is calibrated to 2C/n: with fewer samples the run would be less private than was asked."""
    plan = lab.recommend("dpzero", n=1000, d=5, r=3.0, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0)
    few, enough, more = (lab.pseudo_huber("flat", 5, n, 0) for n in (999, 1000, 1001))
    for column in (plan.printed, plan.sharp):
        assert (column.method, column.n) == ("dpzero", 1000.0)
        with pytest.raises(ValueError, match=r"^plan = a plan for n = 1000: .*, which has n = 999; make a plan for that n$"):
            lab.simulate("dpzero", few, plan=column)
        for other in ("dp_gd", "dpgd_0th"):
            with pytest.raises(ValueError, match=rf"^plan = a plan of dpzero: {other} needs its own plan"):
                lab.simulate(other, enough, plan=column)
    for objective in (enough, more):
        assert lab.simulate("dpzero", objective, plan=plan.sharp, T=3).settings["sigma"] == plan.sharp.sigma


def test_what_is_given_besides_a_plan_leaves_a_remark_in_the_run():
    objective = lab.cosine("inverse", 5, 400, 0)
    plan = lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6).sharp
    assert lab.simulate("dpzero", objective, plan=plan, batch_size=None, seed=1).remarks == plan.caveats
    for given, said, more in (
        ({"T": 3, "batch_size": 7}, "No (epsilon, delta) is promised for this run: T, batch_size not taken from the plan.", ()),
        ({"C": 1.0, "sigma": 0.1, "alpha": 0.1}, "No (epsilon, delta) is promised for this run: C, sigma not taken from the plan.", ()),
        ({"lam": 1e-3}, "What the plan certifies does not apply to this run: lam not taken from the plan.", plan.caveats),
    ):
        run = lab.simulate("dpzero", objective, plan=plan, **given)
        assert run.remarks == (said, *more)
        assert repr(run).endswith(said)
    landscape = lab.random_phase_cosines(2)
    scaled = lab.recommend("gauss_psgd", landscape, n=20_000, epsilon=8.0, delta=1e-5).scaled
    private, exact = (lab.simulate("gauss_psgd", landscape, plan=scaled, n=20_000, oracle=oracle) for oracle in ("sgd", "exact"))
    assert private.remarks == ()
    assert exact.remarks[0].startswith("Not private: the exact oracle")
    by_hand = lab.simulate("gauss_psgd", landscape, plan=scaled, n=20_000, oracle="sgd", sigma_1=0.0)
    assert by_hand.remarks[0].startswith("No (epsilon, delta) is promised for this run: sigma_1 not taken from the plan")
    assert "not taken from the plan" in repr(by_hand)


def test_a_plan_whose_noise_is_too_little_for_a_landscape_is_refused():
    plan = lab.recommend("gauss_psgd", lab.random_phase_cosines(4), n=100_000, epsilon=8.0, delta=1e-5).scaled
    settings = {"plan": plan, "oracle": "ada_dp_spider", "n": 100_000}
    with pytest.raises(ValueError, match=r"plan = a plan for L = 2: its noise is too small for random-phase cosines, d = 16, .*L = 4"):
        lab.simulate("gauss_psgd", lab.random_phase_cosines(16), **settings)
    with pytest.raises(ValueError, match=r"plan = a plan for ell = 1: its noise is too small for .*, which has ell = 2"):
        lab.simulate("gauss_psgd", lab.quartic_saddle(4), **settings | {"plan": replace(plan, constants=plan.constants | {"L": 1e9})})
    run = lab.simulate("gauss_psgd", lab.random_phase_cosines(16), **settings | {"oracle": "exact"})
    assert run.remarks[0].startswith("Not private: the exact oracle")
    assert lab.simulate("gauss_psgd", lab.random_phase_cosines(3), **settings).remarks == ()


def test_what_a_plan_certifies_is_for_its_objective_and_directions_on_the_sphere():
    objective = lab.cosine("inverse", d=20, n=400, seed=0)
    plan = lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-4).sharp
    run = lab.simulate("dpzero", objective, plan=plan)
    assert run.remarks == plan.caveats
    assert "publish x_tau alone" in run.remarks[0]
    assert "publish x_tau alone" in repr(run)
    assert lab.simulate("dpzero", objective, plan=plan, direction="gaussian").remarks == (
        "What the plan certifies does not apply to this run: it is proved for directions on the sphere only.",
        *plan.caveats,
    )
    said, *_ = lab.simulate("dpzero", lab.quadratic("inverse", d=30, n=400, seed=0), plan=plan).remarks
    assert said.startswith("What the plan certifies does not apply to this objective, which has d = 30, not 20, ")
    assert "L = inf, not " in said


def test_a_plan_without_a_threshold_and_a_number_of_samples_that_is_none_are_named():
    objective = lab.cosine("inverse", d=20, n=400, seed=0)
    plan = replace(lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-4).printed, C=math.nan, sigma=math.nan)
    with pytest.raises(ValueError, match=r"plan = a plan of dpzero.theorem3: the theorem gives no C for this problem, so it cannot be run"):
        lab.simulate("dpzero", objective, plan=plan)
    for n in (None, "many", 2.5, -5, [1]):
        with pytest.raises(ValueError, match=r"^n = .*: an integer of at least 1 is needed$"):
            lab.simulate("gauss_psgd", lab.random_phase_cosines(3), plan=PLAN, oracle="ada_dp_spider", n=n)


def test_a_returned_point_that_is_a_saddle_is_called_a_saddle():
    landscape = lab.random_phase_cosines(2)
    counts = dict.fromkeys(("steps", "samples", "fresh_calls", "rounds", "escapes", "status"), np.array([0]))
    run = SimpleNamespace(x=landscape.saddle[None, :], last=np.array([[np.pi, 0.0]]), returned=np.array([True]), **counts)
    assert sosp.replicate_row(run, landscape, 0.5, 0)["point"] == "saddle"


def test_the_earlier_method_refuses_a_plan_without_samples_too():
    landscape = lab.random_phase_cosines(3)
    plans = lab.recommend("gauss_psgd", landscape, n=20_000, epsilon=8.0, delta=1e-5)
    for plan in (plans.printed, plans.repaired):
        with pytest.raises(ValueError, match=r"it needs more samples than there are; use plan\.scaled"):
            lab.simulate("frozen_psgd", landscape, plan=plan, n=20_000)


def test_the_batches_of_sgd_are_rounded_down_so_that_the_samples_suffice():
    found = replace(PLAN, **NUMBERS | {"calls": 900}).oracle_arguments("sgd", 3, 20_000)
    assert found["b_1"] == 22
    assert found["sigma_1"] == pytest.approx(0.3 * 60 / 22)


def test_fewer_clients_and_a_smaller_mu_are_worse_and_everything_else_is_worse_where_it_is_larger():
    landscape = lab.random_phase_cosines(3)
    own = {"d": 3, "m": 1, **{name: landscape.constants[name] for name in ("L", "ell", "rho", "U")}}
    for name, value in own.items():
        for factor in (0.5, 1.0, 2.0):
            found = replace(PLAN, constants=own | {name: factor * value}).beyond(describe_objective(landscape))
            worse = factor > 1 if name == "m" else factor < 1
            assert found == ({name: (value, factor * value)} if worse else {})
    curved = lab.quadratic("flat", 3, 50, 0)
    assert replace(PLAN, constants={"mu": 2.0, "ell": 1.0}).beyond(describe_objective(curved)) == {"mu": (1.0, 2.0)}
    assert replace(PLAN, constants={"mu": 0.5}).beyond(describe_objective(curved)) == {}
