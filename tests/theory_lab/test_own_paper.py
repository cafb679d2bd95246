"""The worked example runs as the README says, and its lie is caught."""

import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import theory_lab as lab
from paper_checks.named_proofs import claim_derivations, missing_proves_message
from paper_checks.papers import load
from paper_checks.run import check_claim
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Outcome
from theory_lab import own
from theory_lab.cli import main

FILE = Path(lab.__file__).parent / "examples" / "own_paper.py"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Verdicts of unfinished runs are kept below the folder of the call."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_the_command_line_examines_a_file_of_ones_own(capsys, tmp_path):
    page = tmp_path / "page.html"
    assert main(["check", "--module", str(FILE), "--quick", "--workers", "1", "--json", "--html", str(page)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(v["key"], v["outcome"]) for v in found] == [
        ("noisy_sgd.average.proof", "CONSISTENT"),
        ("noisy_sgd.average.simulation", "CONSISTENT"),
    ]
    assert "data:image/svg+xml;base64," in page.read_text(encoding="utf-8")


def test_processes_can_import_the_file_too(capsys):
    assert main(["check", "noisy_sgd.average.proof", "--module", str(FILE), "--quick", "--workers", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["outcome"] == "CONSISTENT"


def test_its_objective_takes_the_plans_of_the_lab(capsys):
    """The mean of cones around independent points is what the file says, and DPZero runs on it with the plan for its constants."""
    budget = ("--n", "40", "--plan", "sharp", "--epsilon", "2", "--delta", "1e-6", "--json")
    assert main(["--module", str(FILE), "simulate", "dpzero", "--objective", "cones", "--d", "3", *budget]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["objective"] == "cones"
    assert found["plan"]["theorem"].startswith("dpzero.sharp")
    file = load(FILE)
    made = file.cones("inverse", 3, 40, 0)
    x = np.array([0.3, -1.0, 2.0])
    lengths = np.sqrt(1 + ((x - made.data) ** 2).sum(axis=1))
    value, gradient = made.value_and_gradient(x)
    assert value == pytest.approx((lengths - 1).mean(), rel=1e-12)
    np.testing.assert_allclose(gradient, ((x - made.data) / lengths[:, None]).mean(axis=0), rtol=1e-12)
    assert made.constants["gap"] >= made.value_and_gradient(made.x0)[0] - made.value_and_gradient(made.optimum)[0]
    assert {name: made.constants[name] for name in ("L", "ell", "r")} == {"L": 1, "ell": 1, "r": 3}
    variances = file.cones("inverse", 3, 20_000, 0).data.var(axis=0)
    np.testing.assert_allclose(variances, [1, 1 / 2, 1 / 3], rtol=0.06)  # six standard errors of a variance: 6 sqrt(2 / n)


def test_a_bound_a_hundred_times_too_small_is_refuted():
    lie = load(FILE).check_bound(horizons=(100,), noise=0.3, replicates=5000, seed=0, factor=0.01)
    assert lie.outcome is Outcome.REFUTED


@pytest.mark.parametrize("claim", ["proof", "simulation"])
def test_a_bound_five_times_too_small_is_not_what_the_proof_ends_at(tmp_path, monkeypatch, claim):
    """The whole file with `bound=rate / 5`: no claim that rests on the proof stands."""
    own = tmp_path / f"five_times_{claim}.py"
    own.write_text(FILE.read_text(encoding="utf-8").replace("bound=rate,", "bound=rate / 5,"), encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    (chosen,) = [one for one in load(own).CLAIMS if one.key.endswith(claim)]
    finding, _ = check_claim(replace(chosen, arguments={**chosen.arguments, **({"replicates": 20} if claim == "simulation" else {})}))
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "not the bound of averaged noisy gradient descent" in finding.sentence


def test_a_rate_that_the_steps_do_not_give_is_noticed_by_every_claim(tmp_path, monkeypatch):
    """The whole file with `rate / 5`, which statement and proof share: the runs stay below it, and that proves nothing."""
    own = tmp_path / "rate_over_five.py"
    own.write_text(re.sub(r"(?m)^rate = .*$", r"\g<0> / 5", FILE.read_text(encoding="utf-8")), encoding="utf-8")
    monkeypatch.setattr(sys, "path", list(sys.path))
    found = {one.key.rpartition(".")[2]: check_claim(one)[0] for one in load(own).CLAIMS}
    assert all(finding.outcome in (Outcome.INCONCLUSIVE, Outcome.REFUTED) for finding in found.values())
    assert "does not check" in found["simulation"].sentence


@pytest.mark.parametrize("missing", ["per_step", "averaged", "any_schedule", "bound", "square", "convex"])
def test_a_proof_with_a_line_missing_is_noticed(missing):
    proof = load(FILE).PROOF
    facts, steps = (tuple(one for one in lines if one.name != missing) for lines in (proof.facts, proof.steps))
    assert check_steps(replace(proof, facts=facts, steps=steps), samples=10).outcome is Outcome.INCONCLUSIVE


def test_a_lost_factor_is_refuted():
    proof = load(FILE).PROOF
    lie = proof.with_line(replace(proof["bound"], rhs=proof["bound"].rhs / 2))
    assert check_steps(lie, samples=20).outcome is Outcome.REFUTED


def said(capsys, *argv):
    assert main(["--module", str(FILE), *argv]) == 0
    return capsys.readouterr().out


def test_every_command_knows_the_file(tmp_path, capsys):
    listed = json.loads(said(capsys, "list", "--json"))
    assert {kind: listed[kind][-1] for kind in ("methods", "theorems", "figures", "claims")} == {
        "methods": "noisy_sgd",
        "theorems": "noisy_sgd.average",
        "figures": "noisy-sgd",
        "claims": "noisy_sgd.average.simulation",
    }
    assert "averaged noisy gradient descent" in said(capsys, "show", "noisy_sgd.average", "--proof")
    found = json.loads(said(capsys, "simulate", "noisy_sgd", "--d", "5", "--T", "50", "--sigma", "0.3", "--replicates", "3", "--json"))
    runs = lab.simulate(load(FILE).METHOD, d=5, T=50, sigma=0.3, replicates=3)
    assert [row["gap"] for row in found["replicates"]] == runs.tolist()
    problem = ["--d", "20", "--L", "1", "--sigma", "0.3", "--T", "1000", "--reach", "3"]
    plan = json.loads(said(capsys, "recommend", "noisy_sgd", *problem, "--json"))
    assert plan["proved"]["bound"] == lab.recommend(load(FILE).METHOD, d=20, L=1, sigma=0.3, T=1000, reach=3).proved.bound
    assert "bound" in said(capsys, "recommend", "noisy_sgd", *problem)
    assert r"\alpha" in said(capsys, "recommend", "noisy_sgd", *problem, "--latex")
    said(capsys, "figure", "noisy-sgd", "--preview", "--out", str(tmp_path))
    assert (tmp_path / "noisy-sgd.png").stat().st_size > 5000
    said(capsys, "report", "--quick", "--workers", "1", "--html", str(tmp_path / "page.html"))
    assert json.loads(said(capsys, "check", "--quick", "--workers", "1", "--json"))[0]["key"] == "noisy_sgd.average.proof"


def test_a_wrong_file_is_one_line(tmp_path, capsys):
    twice = tmp_path / "dpzero_again.py"
    twice.write_text("from theory_lab.methods import METHODS\nMETHOD = METHODS['dpzero']\n", encoding="utf-8")
    for file, why in ((tmp_path / "nothing.py", "an existing Python file is needed"), (twice, "the lab already has a method 'dpzero'")):
        assert main(["--module", str(file), "list"]) == 2
        assert why in capsys.readouterr().err
    assert main(["--module", str(FILE), "figure", "noisy-sgd", "--epsilon", "2"]) == 2
    assert "epsilon = 2.0: the figures noisy-sgd do not take it" in capsys.readouterr().err


@pytest.mark.parametrize(("option", "value"), [("replicates", "0"), ("T", "0"), ("d", "0"), ("seed", "-1")])
def test_a_number_that_cannot_be_meant_is_one_line(option, value, capsys):
    at = {"d": "5", "T": "50", "sigma": "0.3", option: value}
    assert main(["--module", str(FILE), "simulate", "noisy_sgd", *(word for name in at for word in (f"--{name}", at[name]))]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"theory-lab: {option} = {value}: an integer of at least")
    assert err.count("\n") == 1


@pytest.mark.parametrize("key", ["dpzero.theorem3.chain", "mine.a"])
def test_a_claim_cannot_take_a_name_that_is_there(tmp_path, key):
    one = SimpleNamespace(key=key)
    modules = [SimpleNamespace(__file__=str(tmp_path / "mine.py"), CLAIMS=(one, one) if key == "mine.a" else (one,))]
    for ask in (lambda: own.all_claims(modules), lambda: own.all_claims(modules, "dpzero"), lambda: own.select_claims(modules, [])):
        with pytest.raises(ValueError, match=f"there is already a claim '{key}'"):
            ask()


def test_a_proof_that_does_not_say_what_it_proves_speaks_for_no_theorem():
    """Else a bound that no proof reaches would be called consistent by a claim that names a proof of something else."""
    own = load(FILE)
    claim = next(one for one in own.CLAIMS if one.derivations)
    (proof,) = claim_derivations(claim)
    assert missing_proves_message(claim, proof) == ""
    untied = replace(proof, proves=None)
    assert "the derivation does not say that it proves it: give proves=THEOREM" in missing_proves_message(claim, untied)
    assert missing_proves_message(claim, replace(untied, key="noisy_sgd.lemma")) == ""
    other = replace(proof, proves=replace(own.THEOREM, key="noisy_sgd.other"))
    assert "the derivation does not say that it proves it" in missing_proves_message(claim, other)
