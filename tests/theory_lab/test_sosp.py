"""Second-order methods from Python and from the command line."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import theory_lab as lab
from theory_lab.cli import build_parser, main
from theory_lab.methods import gauss_psgd as sosp
from theory_lab.methods.record import SADDLE

PRIVACY = ["--n", "20000", "--epsilon", "8", "--delta", "1e-5"]
PROBLEM = {"n": 20_000, "epsilon": 8.0, "delta": 1e-5}


def called(argv, capsys):
    code = main(argv)
    return code, capsys.readouterr()


def test_recommend_prints_three_plans_and_says_that_the_printed_one_promises_nothing(capsys):
    argv = ["recommend", "gauss_psgd", "--n", "1e6", "--d", "10", "--epsilon", "8", "--delta", "1e-5", "--L", "3.2", "--ell", "1",
            "--rho", "1", "--U", "17"]  # fmt: skip
    code, out = called(argv, capsys)
    assert code == 0
    assert "nothing is promised" in " ".join(out.out.split())
    code, out = called([*argv, "--json"], capsys)
    plan = json.loads(out.out)
    assert plan["printed_promise"]["vacuous"] is True
    assert plan["scaled"]["samples"] <= 1e6
    code, out = called([*argv, "--latex"], capsys)
    assert out.out.startswith("% needs \\usepackage{")


def test_recommend_takes_the_constants_of_a_landscape():
    landscape = lab.random_phase_cosines(5)
    given = {name: landscape.constants[name] for name in ("L", "ell", "rho", "U", "d")}
    assert lab.recommend("gauss_psgd", landscape, **PROBLEM) == lab.recommend("gauss_psgd", **PROBLEM, **given, m=1)


@pytest.mark.parametrize("oracle", sosp.ORACLES)
def test_every_oracle_runs_from_python_and_from_the_command_line(oracle, capsys):
    landscape = lab.random_phase_cosines(3)
    plan = lab.recommend("gauss_psgd", landscape, **PROBLEM).scaled
    run = lab.simulate("gauss_psgd", landscape, plan=plan, oracle=oracle, n=PROBLEM["n"], replicates=2)
    code, out = called(["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--oracle", oracle, "--replicates", "2", "--json"], capsys)
    assert code == 0
    found = json.loads(out.out)
    assert [row["steps"] for row in found["replicates"]] == run.steps.tolist()
    good = [row["status"] == "returned" and row["point"] == "SOSP" for row in found["replicates"]]
    assert good == run.sosp(landscape, plan.accuracy).tolist()
    assert found["alpha"] == plan.accuracy
    assert all(row["samples"] <= PROBLEM["n"] for row in found["replicates"])


@pytest.mark.parametrize("how", ["printed", "proved", "above_threshold"])
def test_a_point_is_chosen_on_held_out_samples(how, capsys):
    argv = ["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--select", "5000", "--selection", how, "--json"]
    code, out = called(argv, capsys)
    found = json.loads(out.out)
    (row,) = found["replicates"]
    assert code == 0
    assert -1 <= row["chosen"] < row["steps"]
    wrong = row["chosen_point"] in ("saddle", "neither")
    assert wrong == (
        row["chosen"] >= 0 and not (row["chosen_grad_norm"] <= found["alpha"] and row["chosen_eigenvalue"] >= -math.sqrt(found["alpha"]))
    )
    assert wrong == any("The point chosen in replicate 0 is no second-order stationary point" in remark for remark in found["remarks"])
    assert any(remark.startswith("With delta = 1e-05, not well below 1/n = 5e-05, the guarantee is weak") for remark in found["remarks"])
    code, out = called(argv[:-1], capsys)
    assert wrong == ("no second-order stationary point at alpha" in " ".join(out.out.split()))


@pytest.mark.verify
def test_every_landscape_runs_from_the_command_line(capsys):
    for name in SADDLE.table:
        more = ["--with", "rank=1"] if name == "matrix_factorisation" else []
        code, out = called(["simulate", "gauss_psgd", "--objective", name, "--d", "2", *PRIVACY, *more], capsys)
        assert code == 0, name
        assert "Nothing is proved about their accuracy" in out.out


def test_the_earlier_method_and_many_clients_run(capsys):
    code, out = called(["simulate", "frozen_psgd", "--d", "3", *PRIVACY, "--json"], capsys)
    assert code == 0
    assert json.loads(out.out)["replicates"][0]["status"] == "out of samples"
    argv = ["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--clients", "3", "--heterogeneity", "0.4", "--with", "w=0.5"]
    code, out = called([*argv, "--set", "Q=2", "--json"], capsys)
    found = json.loads(out.out)
    assert code == 0
    assert found["settings"]["oracle"] == "distributed_ada_dp_spider"
    assert found["settings"]["Q"] == 2


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (
            ["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--with", "width=1"],
            "--with width=...: random_phase_cosines does not take width here; it takes A, w, h",
        ),
        (["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--objective", "matrix_factorisation"], "matrix_factorisation needs rank"),
        (["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--set", "eta=much"], "'eta=much': NAME=VALUE with a number is needed"),
        (
            ["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--set", "step=1"],
            "--set step=1: there is no parameter step; the parameters are eta, chi, R, ",
        ),
        (["simulate", "gauss_psgd", "--d", "0", *PRIVACY], "d = 0"),
        (["simulate", "gauss_psgd", "--d", "3", "--n", "20", "--epsilon", "1", "--delta", "1e-5"], "n = 20: too few samples"),
        (
            [
                "recommend",
                "gauss_psgd",
                "--n",
                "1e200",
                "--d",
                "10",
                "--epsilon",
                "1",
                "--delta",
                "1e-5",
                "--L",
                "3",
                "--ell",
                "1",
                "--rho",
                "1",
                "--U",
                "20",
            ],
            "cannot be computed in floating point with these numbers, less extreme ones are needed",
        ),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(argv, said, capsys):
    code, out = called(argv, capsys)
    assert code == 2
    assert said in out.err
    assert out.err.count("\n") == 1


def test_methods_and_objectives_must_fit():
    landscape = lab.random_phase_cosines(3)
    with pytest.raises(ValueError, match="one of gauss_psgd, frozen_psgd is needed"):
        lab.simulate("dpzero", landscape, alpha=0.1, T=3, C=1.0, sigma=0.1)
    with pytest.raises(ValueError, match="needs an objective with a saddle"):
        lab.simulate("gauss_psgd", lab.quadratic("flat", 3, 5, 0))
    with pytest.raises(ValueError, match="gauss_psgd is needed"):
        lab.recommend("dpzero", landscape, epsilon=1.0, delta=1e-6)
    with pytest.raises(ValueError, match="oracle is missing: a run of gauss_psgd with this plan needs oracle and n"):
        lab.simulate("gauss_psgd", landscape, plan=lab.recommend("gauss_psgd", landscape, **PROBLEM).scaled)


def test_the_noise_of_a_planned_sgd_run_is_that_of_its_batch():
    landscape = lab.random_phase_cosines(3)
    plan = lab.recommend("gauss_psgd", landscape, **PROBLEM).scaled
    options = plan.oracle_arguments("sgd", landscape.d, PROBLEM["n"])
    exact = lab.privacy.sigma_gaussian(epsilon=8.0, delta=1e-5, T=1, sensitivity=2 * landscape.constants["L"] / options["b_1"])
    assert math.isclose(options["sigma_1"], exact, rel_tol=1e-9)
    both = plan.oracle_arguments("exact", landscape.d, PROBLEM["n"])
    assert np.isclose(both["zeta"] ** 2 + 3 * both["sigma_1"] ** 2, plan.psi**2)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--oracle", "exact"], "Not private: the exact oracle"),
        (["--set", "sigma_1=0"], "No (epsilon, delta) is promised for this run: sigma_1 not taken from the plan"),
        (["--set", "b_1=100", "--set", "b_2=20"], "b_1, b_2 not taken from the plan"),
        (["--set", "Q=1"], ""),
        (["--objective", "phase_retrieval"], "only while every point stays"),
    ],
)
def test_a_run_whose_noise_is_not_the_plans_says_so(more, said, capsys):
    code, out = called(["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--alpha", "0.4", *more, "--json"], capsys)
    found = json.loads(out.out)["unaccounted"]
    assert code == 0
    assert said in found
    assert bool(said) == bool(found)
    code, out = called(["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--alpha", "0.4", *more], capsys)
    assert said.split(":")[0] in " ".join(out.out.split())


def test_a_run_without_a_point_is_json_that_everyone_can_read(capsys):
    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    argv = ["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--alpha", "0.4", "--set", "eta=1e300", "--set", "Q=1", "--json"]
    code, out = called(argv, capsys)
    assert code == 0
    assert json.loads(out.out, parse_constant=refuse)["replicates"][0]["status"] != "returned"


def test_points_that_were_chosen_wrongly_are_named():
    rows = [{"replicate": r, "chosen_point": kind} for r, kind in enumerate(("SOSP", "saddle", "none", "neither"))]
    assert sosp.selection_warning(rows, 0.5).startswith(
        "The point chosen in replicates 1, 3 is no second-order stationary point at alpha = 0.5,"
    )
    assert sosp.selection_warning(rows[1:2], 0.5).startswith("The point chosen in replicate 1 is no ")
    assert sosp.selection_warning([rows[0], rows[2], {"replicate": 4}], 0.5) == ""


def test_numbers_of_the_command_line_are_integers_only_where_they_are_written_as_such():
    found = sosp.assigned(["Q=3", "eta=1e300", "kappa=2.0", "chi=-1", "b_1=1e2"])
    assert found == {"Q": 3, "eta": 1e300, "kappa": 2.0, "chi": -1, "b_1": 100}
    assert [type(value) for value in found.values()] == [int, float, float, int, int]


@pytest.mark.parametrize("oracle", ["exact", "sgd"])
def test_what_delta_means_is_said_of_private_runs_only(oracle, capsys):
    argv = ["simulate", "gauss_psgd", "--d", "3", "--n", "20000", "--epsilon", "8", "--delta", "1e-5", "--json", "--oracle"]
    assert main([*argv, oracle]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["unaccounted"].startswith("Not private") == (oracle == "exact")
    assert any(remark.startswith("With delta") for remark in found["remarks"]) == (oracle != "exact")


@pytest.mark.parametrize(("status", "said"), [([0, 0], False), ([0, 1], True), ([1, 1], True)])
def test_one_run_that_returned_nothing_is_enough_for_the_note(status, said, monkeypatch):
    real = lab.simulate
    monkeypatch.setattr(lab, "simulate", lambda *given, **named: replace(real(*given, **named), status=np.array(status)), raising=False)
    arguments = build_parser().parse_args(["simulate", "gauss_psgd", "--d", "3", *PRIVACY, "--alpha", "0.4", "--replicates", "2"])
    arguments.watched = {}
    assert any(note.startswith("Where no point was returned") for note in sosp.simulate_command(arguments).notes) == said
