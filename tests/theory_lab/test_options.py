"""Every option of every command, at a value that is not its default, against the call in Python that it stands for.

The tables below hold one value for each option, and a test compares their keys with the parser: an option cannot be forgotten. The call
at the other end is replaced by one that keeps its arguments, so nothing is computed.
"""

import argparse
import json
import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from matplotlib.figure import Figure

import bounds.gauss_psgd.recommend
import paper_checks.dpzero.experiments.figure_runs as dpzero_experiment
import synthetic.runs.psgd
import theory_lab as lab
import theory_lab.calls.tuned
from bounds.strict_json import strict_json
from paper_checks.verdict import Verdict
from tests.papers import joined
from tests.papers.dpzero.commands import METHODS as FIRST
from tests.papers.dpzero.commands import PLANNED, PRIVATE, PROBLEM, RECOMMEND, SIMULATE, START
from tests.papers.gauss_psgd.commands import METHODS as SECOND
from tests.papers.gauss_psgd.commands import PSGD, RECOMMEND_SOSP, SOSP_PROBLEM, SOSP_START
from theory_lab.cli import build_parser, main
from theory_lab.methods import METHODS
from theory_lab.methods import gauss_psgd as sosp


class Called(Exception):
    """What a call was given."""

    def __init__(self, *given, **named):
        super().__init__("called")
        self.given, self.named = given, named


def keep(*given, **named):
    raise Called(*given, **named)


def asked(argv):
    """Return what the replaced call is given by a command line."""
    with pytest.raises(Called) as found:
        main([str(word) for word in argv])
    if argv[0] == "simulate" or argv[:2] in (["recommend", method] for method in PRIVATE):
        assert callable(found.value.named.pop("progress"))
    return found.value


def leaves(top, path=()):
    """Give (words of the command, its parser) for every command without subcommands."""
    inner = [action for action in top._actions if isinstance(action, argparse._SubParsersAction)]
    if not inner:
        yield path, top
    for action in inner:
        for name, one in action.choices.items():
            yield from leaves(one, (*path, name))


def written(options):
    """Return the words of a command line for a mapping of option names to values; True is a flag, a list is given word by word."""
    words = []
    for name, value in options.items():
        flag = FLAGS.get(name, "--" + name.replace("_", "-"))
        for one in value if isinstance(value, list) else [value]:
            words += [flag] if one is True else [flag, str(one)]
    return words


FLAGS = {"T_max": "--T-max", "C_abs": "--C-abs", "more": "--with", "changed": "--set"}

# --- option: a value that is not its default, beside those of the methods ---------------------------------------------------------------
FIGURE = {
    "names": ["dpzero-2"], "preview": True, "out": "elsewhere", "store": "mine.sqlite", "accountant": "exact", "methods": "dp_gd,dpzero",
    "workers": 1,
    "scheduler": "tcp://there:1", "dimensions": "3,4,5", "spectra": "inverse",
    "horizons": "3,10", "n": 77, "epsilon": 0.5, "delta": 1e-7, "seed": 9, "json": True,
}  # fmt: skip
CHECK = {"select": ["mine.b"], "quick": True, "html": "page.html", "module": "mine_paper.py", "workers": 1, "json": True}
CHECK |= {"store": "mine.sqlite", "scheduler": "tcp://there:8786", "reuse": True}
AUDIT = {
    "method": "dp_gd", "epsilon": 3.0, "delta": 1e-4, "T": 2, "n": 5, "C": 0.5, "sigma": 0.7, "runs": 200, "seed": 9, "confidence": 0.9,
    "more": ["lam=0.5"], "latex": True, "json": True,
}  # fmt: skip
ESTIMATE = {
    "objective": "cosine", "spectrum": "flat", "d": 7, "n": 31, "more": ["w=0.5"], "radius": 0.5, "places": 3, "samples": 20, "seed": 9,
    "factor": 2.0, "plan": "dp_gd", "epsilon": 2.0, "delta": 1e-6, "given": ["L=2"], "latex": True, "json": True,
}  # fmt: skip
SHOW = {
    "key": "dpzero.dp_gd", "proof": True, "page": True, "tree": True, "script": True, "loose": "quadratic", "latex": True, "csv": True,
    "json": True,
}  # fmt: skip
CALIBRATE = {
    "n": 500, "batch_size": 50, "epochs": 2.0, "T": 7, "epsilon": 2.0, "delta": 1e-4, "sampling": "poisson", "neighbours": "replace_one",
    "latex": True, "json": True,
}  # fmt: skip
TRIED = joined("commands.TRIED") | {
    ("figure",): FIGURE,
    ("check",): {**CHECK, "verbose": True},
    ("report",): CHECK,
    ("show",): SHOW,
    ("list",): {"kind": "methods", "pattern": ["dp", "sgd"], "json": True},
    ("new",): {"kind": "theorem", "name": "momentum", "out": "a.page", "json": True},
    ("explain",): {"word": ["noise", "multiplier"], "json": True},
    ("calibrate",): CALIBRATE,
    ("check-method",): {"name": "dp_gd", "more": ["sigma=1"], "exceptions": ["noise=why"], "json": True},
    ("audit",): AUDIT,
    ("estimate",): ESTIMATE,
    ("sweep",): {"file": "a.toml", "out": "b", "store": "c", "workers": 1, "scheduler": "tcp://there:1", "latex": True, "json": True},
}


def test_every_option_of_every_command_is_tried_at_a_value_that_is_not_its_default():
    found = dict(leaves(build_parser()))
    assert set(found) == set(TRIED)
    for path, one in found.items():
        options = {action.dest: action for action in one._actions if action.dest != "help"}
        assert set(options) == set(TRIED[path]), path
        for name, value in TRIED[path].items():
            assert value != options[name].default, (path, name)


# --- simulate ---------------------------------------------------------------------------------------------------------------------------
PRINTS = {"json", "latex", "csv", "picture"}  # how a result is printed: tested below


@pytest.mark.parametrize("name", sorted(SIMULATE.keys() - PRINTS - {*PLANNED, "more"}))
def test_simulate_hands_every_option_over(name, monkeypatch):
    monkeypatch.setattr(lab, "simulate", keep, raising=False)
    for method in FIRST:
        has = {one.name for one in METHODS[method].options} | {"objective"}
        if name not in has:  # mezo takes neither C nor sigma
            continue
        at = {one: value for one, value in {**START, name: SIMULATE[name]}.items() if one in has}
        call = asked(["simulate", method, *written(at)])
        at = {"objective": "quadratic", "spectrum": "inverse", "replicates": 1, "seed": 0} | at
        objective = getattr(lab, at.pop("objective"))(at.pop("spectrum"), at.pop("d"), at.pop("n"), at["seed"])
        assert call.given[0] is METHODS[method]
        assert call.named == at
        assert (call.given[1].name, call.given[1].n, call.given[1].d) == (objective.name, objective.n, objective.d)
        assert all(np.array_equal(one, other) for one, other in zip(call.given[1].data, objective.data, strict=True))
        assert call.given[1].constants == objective.constants


def test_simulate_prints_every_column_of_the_run(capsys):
    argv = ["simulate", "dpzero", *written({**START, "C": 0.3, "replicates": 2, "batch_size": 6, "seed": 3}), "--json"]
    assert main(argv) == 0
    found = json.loads(capsys.readouterr().out)
    run = lab.simulate("dpzero", lab.quadratic("inverse", 4, 20, 3), alpha=0.1, T=5, C=0.3, sigma=0.1, replicates=2, batch_size=6, seed=3)
    assert found["method"] == "dpzero"
    assert found["settings"] == run.settings
    for r, row in enumerate(found["replicates"]):
        assert row == {
            "replicate": r, "loss_start": run.loss[r, 0], "loss_end": run.loss[r, 5], "grad_norm_start": run.grad_norm_sq[r, 0] ** 0.5,
            "grad_norm_end": run.grad_norm_sq[r, 5] ** 0.5, "grad_norm_tau": run.grad_norm_sq[r, run.tau[r]] ** 0.5,
            "clipped": pytest.approx(run.clipped[r].mean()), "finite_steps": 5,
        }  # fmt: skip
    assert 0 < found["replicates"][0]["clipped"] < 1


# --- recommend --------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", sorted(RECOMMEND.keys() - PRINTS))
def test_recommend_hands_every_option_over(name, monkeypatch):
    monkeypatch.setattr(theory_lab.calls.tuned, "recommend", keep)
    for method in PRIVATE:
        call = asked(["recommend", method, *written({**PROBLEM, name: RECOMMEND[name]})])
        assert call.given == (method,)
        unset = ("r", "B", "mu", "lam", "spectrum", "distance", "accountant", "batch_size", "sampling")
        left_out = {"T_max": "printed", **dict.fromkeys(unset)}
        assert call.named == {**left_out, **PROBLEM, name: RECOMMEND[name]}


def test_as_many_steps_as_help_is_the_word_free(monkeypatch):
    monkeypatch.setattr(theory_lab.calls.tuned, "recommend", keep)
    assert asked(["recommend", "dpzero", *written({**PROBLEM, "T_max": "free"})]).named["T_max"] is None


@pytest.mark.parametrize("name", sorted(RECOMMEND_SOSP.keys() - PRINTS))
def test_recommend_gauss_psgd_hands_every_option_over(name, monkeypatch):
    monkeypatch.setattr(bounds.gauss_psgd.recommend, "recommend", keep)
    call = asked(["recommend", "gauss_psgd", *written({**SOSP_PROBLEM, name: RECOMMEND_SOSP[name]})])
    rest = {"m": 1, "omega": 0.1, "alpha": None, "s": None, "C_abs": 1.0, "base": "e"}
    assert call.given == ("gauss_psgd",)
    assert call.named == {**rest, **SOSP_PROBLEM, name: RECOMMEND_SOSP[name]}


def test_a_plan_is_printed_as_json_or_as_latex_where_that_is_asked(capsys):
    for method, problem in (("dpzero", {**PROBLEM, "B": 1.0}), ("gauss_psgd", SOSP_PROBLEM)):
        argv, plan = ["recommend", method, *written(problem)], lab.recommend(method, **problem)
        assert main([*argv, "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == json.loads(
            strict_json(asdict(plan) | {"origin": plan.origin}) if method == "dpzero" else plan.json()
        )
        assert main([*argv, "--latex"]) == 0
        assert capsys.readouterr().out == plan.latex() + "\n"


# --- simulate gauss_psgd and frozen_psgd ------------------------------------------------------------------------------------------------
def psgd_call(method, monkeypatch, at):
    """Return what the run of a second-order method is given."""

    def run(*given, **named):
        keep(*given, **named)

    run.__name__ = method
    monkeypatch.setattr(synthetic.runs.psgd, method, run)
    return asked(["simulate", method, *written(at)])


@pytest.mark.sample(20)
@pytest.mark.parametrize("method", SECOND)
@pytest.mark.parametrize("name", sorted(PSGD.keys() - PRINTS - {"selection"}))
def test_second_order_runs_get_every_option(name, method, monkeypatch):
    if name not in TRIED["simulate", method]:
        return
    at = {**SOSP_START, "d": 3, name: PSGD[name]} | ({"clients": 2} if name == "heterogeneity" else {})
    call = psgd_call(method, monkeypatch, at)
    full = {
        "objective": "random_phase_cosines", "alpha": None, "clients": 1, "heterogeneity": 0.0, "more": [], "changed": [], "select": None,
        "replicates": 1, "seed": 0, "oracle": None, "restart": "continue", "drift": "estimates", "output": "anchor",
    } | at  # fmt: skip
    more = {"w": 0.5} if full["more"] else {}
    if full["clients"] > 1:
        more["phases"] = full["heterogeneity"] * np.linspace(-1, 1, full["clients"])
    landscape = getattr(lab, full["objective"])(full["d"], **more)
    plan = lab.recommend("gauss_psgd", landscape, **{key: full[key] for key in ("n", "epsilon", "delta", "alpha")}).scaled
    several = "distributed_ada_dp_spider" if full["clients"] > 1 else "ada_dp_spider"
    oracle = (full["oracle"] or several) if method == "gauss_psgd" else "ada_dp_spider"
    expected = plan.oracle_arguments(oracle, landscape.d, full["n"])
    if method == "gauss_psgd":
        expected |= {"oracle": oracle, "restart": full["restart"], "drift": full["drift"], "output": full["output"]}
    else:
        expected |= {"threshold": 3 * expected["chi"], "extra": expected["chi"] / landscape.d**0.5, "frozen_steps": expected["Gamma"]}
        expected = {key: value for key, value in expected.items() if key not in ("chi", "R", "Gamma", "Q")}
    expected |= {"replicates": full["replicates"], "seed": full["seed"], "keep_points": full["select"] is not None}
    assert call.named == expected | ({"eta": 0.01} if full["changed"] else {})
    (given,) = call.given
    assert (given.name, given.d, given.clients, dict(given.constants)) == (
        landscape.name,
        landscape.d,
        landscape.clients,
        dict(landscape.constants),
    )
    assert all(np.array_equal(one, other) for one, other in zip(given.params, landscape.params, strict=True))


@pytest.mark.parametrize("how", ["printed", "proved", "above_threshold"])
def test_a_point_is_selected_on_the_samples_and_in_the_way_that_is_asked(how, monkeypatch):
    landscape = lab.random_phase_cosines(3)
    plan = lab.recommend("gauss_psgd", landscape, n=20_000, epsilon=8.0, delta=1e-5)
    run = SimpleNamespace(points=np.full((3, 5, 3), 0.2), steps=np.array([5, 4, 3]))
    arguments = build_parser().parse_args(["simulate", "gauss_psgd", *written({**SOSP_START, "select": 500, "selection": how, "seed": 5})])
    for target in ("select", "above_threshold"):
        monkeypatch.setattr(f"synthetic.runs.selection.{target}", keep)
    from bounds.gauss_psgd.fixed_point import Problem
    from bounds.gauss_psgd.selection import above_threshold_limits, selection_tests

    with pytest.raises(Called) as found:
        sosp.select_point(run, landscape, plan, arguments, 1)
    given = {name: plan.problem[name] for name in ("d", "epsilon", "delta", "L", "ell", "rho", "omega")}
    problem, goal = Problem(n=500, U=1.0, m=1, **given), {"T": 4, "accuracy": plan.scaled.accuracy}
    if how == "above_threshold":
        gradient, curvature = above_threshold_limits(problem, **goal)
        expected = {"epsilon": 8.0}
    else:
        limits = selection_tests(how, problem, **goal)
        gradient, curvature = limits.gradient, limits.hessian
        expected = {"sigma_gradient": limits.sigma_gradient, "sigma_hessian": limits.sigma_hessian}
    assert found.value.named == {**expected, "gradient_limit": gradient, "curvature_limit": curvature, "n": 500, "seed": 5, "replicate": 1}
    assert found.value.given[1].shape == (4, 3)


# --- figure -----------------------------------------------------------------------------------------------------------------------------
@pytest.fixture
def here(tmp_path, monkeypatch):
    """Run in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", sorted(FIGURE.keys() - PRINTS - {"names", "out"}))
def test_figure_hands_every_option_to_the_experiment(name, monkeypatch, here):
    monkeypatch.setattr("synthetic.sweeps.cluster.cluster", nullcontext)
    monkeypatch.setattr(dpzero_experiment, "run_experiment", keep)
    call = asked(["figure", "dpzero-2", *written({name: FIGURE[name]})])
    plain = dpzero_experiment.PREVIEW if name == "preview" else dpzero_experiment.PAPER
    lists = {"dimensions": (3, 4, 5), "spectra": ("inverse",), "horizons": (3, 10)}
    changed = {name: lists.get(name, FIGURE[name])} if name not in ("preview", "store", "workers", "scheduler", "methods") else {}
    assert asdict(call.given[0]) == asdict(plain) | changed
    assert tuple(call.named["methods"]) == (("dp_gd", "dpzero") if name == "methods" else dpzero_experiment.METHODS)
    assert call.named["workers"] == (FIGURE[name] if name in ("workers", "scheduler") else None)
    assert (here / ("mine.sqlite" if name == "store" else "results/dpzero.sqlite")).exists()


@pytest.mark.parametrize("name", ["preview", "store", "workers", "scheduler", "seed"])
def test_figures_of_the_second_paper_take_their_options(name, monkeypatch, here):
    monkeypatch.setattr("synthetic.sweeps.cluster.cluster", nullcontext)
    import figures.gauss_psgd.rate as module

    monkeypatch.setattr(module, "data", keep)
    call = asked(["figure", "psgd-rate", *written({name: FIGURE[name]})])
    plain = module.PREVIEW if name == "preview" else module.PAPER
    assert asdict(call.given[0]) == asdict(plain) | ({"seed": 9} if name == "seed" else {})
    assert call.named["workers"] == (FIGURE[name] if name in ("workers", "scheduler") else None)
    assert (here / ("mine.sqlite" if name == "store" else "results/psgd.sqlite")).exists()


def test_the_named_figures_go_where_they_are_asked_to_and_are_told_as_json(monkeypatch, here, capsys):
    rows = [{"T": 3, "mean": 0.25}]

    def drawn(arguments, *_):
        for name in arguments.names:
            yield name, Figure(), rows, {"experiment": {}}

    monkeypatch.setattr("theory_lab.commands.figure.draw_figures", drawn)
    assert main(["figure", "dpzero-2", "dpzero-3", "--out", "elsewhere", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {name: one["rows"] for name, one in found.items()} == {"dpzero-2": rows, "dpzero-3": rows}
    files = {Path(file) for one in found.values() for file in one["files"]}
    assert {file.parent.name for file in files} == {"elsewhere"}
    assert all((here / file).exists() for file in files)
    assert main(["figure", "dpzero-2"]) == 0
    assert (here / "out/figures/dpzero-2.png").exists()
    assert "dpzero-2.png" in capsys.readouterr().out


# --- check and report -------------------------------------------------------------------------------------------------------------------
OWN = """
from paper_checks.verdict import Claim, Finding, Kind, Outcome


def examine(*, size=1):
    return Finding(Outcome.CONSISTENT, f"{size} tried")


CLAIMS = tuple(
    Claim(f"mine.{key}", "line 1", "it holds", Kind.SCOPE, Outcome.CONSISTENT, "seen", examine, full={"size": 50}) for key in "ab"
)
"""


@pytest.mark.parametrize("command", ["check", "report"])
@pytest.mark.parametrize("name", sorted(CHECK.keys() - {"scheduler"}))
def test_check_and_report_hand_every_option_over(name, command, monkeypatch, here, capsys):
    (here / "mine_paper.py").write_text(OWN, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "mine_paper", raising=False)
    seen = {}

    def examined(claims, **named):
        seen.update(named, keys=[claim.key for claim in claims])
        return [Verdict(claim, claim.examine(), 0.1) for claim in claims]

    monkeypatch.setattr("paper_checks.run.check_claims", examined)
    base = {"module": "mine_paper.py"} | ({"html": "base.html"} if command == "report" else {})
    at = base | {name: CHECK[name]}
    assert main([command, *at.pop("select", []), *written(at)]) == 0
    out, err = capsys.readouterr()
    assert ("0 of 2 verdicts are reused" in err) == (name == "reuse")
    assert seen["keys"] == (["mine.b"] if name == "select" else ["mine.a", "mine.b"])
    assert seen["full"] == (name != "quick")
    assert seen["workers"] == (1 if name == "workers" else None)
    assert (here / ("mine.sqlite" if name == "store" else "results/checks.sqlite")).exists()
    assert (here / "page.html").exists() == (name == "html")
    assert (here / "base.html").exists() == (command == "report" and name != "html")
    if name == "json":
        assert [one["key"] for one in json.loads(out)] == ["mine.a", "mine.b"]
    else:
        assert "2 claims" in out or name == "select"


# --- show ----------------------------------------------------------------------------------------------------------------------
def test_show_prints_what_is_asked(capsys):
    def printed(*more):
        assert main(["show", SHOW["key"], *more]) == 0
        return capsys.readouterr().out

    theorem, proof = lab.THEOREMS[SHOW["key"]], lab.DERIVATIONS[SHOW["key"]]
    statement, _, said = printed().partition("claims: ")
    assert statement == theorem.show() + "\n"
    assert {"dpzero.dp_gd.chain", "dpzero.table1_dp_gd.with"} <= set(said.splitlines()[0].split())
    assert printed("--latex") == theorem.latex() + "\n"
    assert printed("--proof") == f"{theorem.show()}\n{proof.show()}\nclaims: {said}"
    assert json.loads(printed("--json"))["latex"] == theorem.latex()
    from bounds.dpzero import looseness

    rows = json.loads(strict_json([asdict(row) for row in looseness.against_quadratic(SHOW["key"])]))
    assert json.loads(printed("--loose", "quadratic", "--json"))["rows"] == rows
    assert printed("--loose", "quadratic", "--csv").splitlines()[0] == ",".join(rows[0])
    assert printed("--loose", "quadratic", "--latex").count(r" \\") == len(rows) + 1
