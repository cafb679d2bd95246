"""What used to be a traceback is one sentence: it says what is wrong and what is needed."""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numba
import numpy as np
import pytest
import sympy as sp

import theory_lab as lab
from bounds.dpzero import sharp_schedule
from bounds.dpzero.recommend import recommend
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.scaled import Knobs
from paper_checks import run
from paper_checks.verdict import Claim, Finding, Kind, Outcome
from theory_lab.cli import main
from theory_lab.methods.record import whole

OBJECTIVE = lab.cosine("inverse", 5, 40, 0)
LANDSCAPE = lab.random_phase_cosines(3)
RUN = {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.1}
PRIVACY = {"epsilon": 2.0, "delta": 1e-6}
PLAN = lab.recommend("dpzero", OBJECTIVE, **PRIVACY)
SOSP = lab.recommend("gauss_psgd", LANDSCAPE, n=10**5, **PRIVACY)
ROOT = Path(lab.__file__).parents[1]


def plain_loss(x, row, params):
    """Return 0, without a compiler."""
    return 0.0


@numba.njit
def loss_without_a_type(x, row, params):
    """Ask an array for what it does not have."""
    return x.foo


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: lab.simulate("dpzero", None, **RUN), "objective = None: an objective is needed"),
        (lambda: lab.simulate("dpzeroo", OBJECTIVE, **RUN), "method = 'dpzeroo': one of dpzero"),
        (lambda: lab.simulate("dpzero", OBJECTIVE, plan=PLAN), "plan = the plans of dpzero: one of them is needed, such as plan.sharp"),
        (lambda: lab.simulate("gauss_psgd", LANDSCAPE, plan=SOSP, oracle="sgd", n=9), "plan = the plans of gauss_psgd: .* plan.scaled"),
        (lambda: lab.simulate("dpzero", OBJECTIVE, plan={"alpha": 1}), r"plan = \{'alpha': 1\}: one column of lab.recommend is needed"),
        (lambda: lab.simulate("gauss_psgd", LANDSCAPE, plan=SOSP.scaled, oracle="sdg", n=9), "oracle = 'sdg': one of exact, sgd"),
        (
            lambda: lab.simulate("gauss_psgd", LANDSCAPE, plan=SOSP.scaled),
            "oracle is missing: a run of gauss_psgd with this plan needs oracle and n",
        ),
        (
            lambda: lab.simulate("gauss_psgd", LANDSCAPE, plan=SOSP.scaled, n=9),
            "oracle is missing: a run of gauss_psgd with this plan needs oracle and n",
        ),
        (
            lambda: lab.simulate("mezo", OBJECTIVE, plan=PLAN.sharp),
            "mezo has no plans, it is not private; give alpha and T instead",
        ),
        (
            lambda: lab.recommend("dpzero", OBJECTIVE, **PRIVACY, T_max="free"),
            "T_max = 'free': an integer of at least 1, 'printed', or None",
        ),
        (lambda: lab.check(["dpzero"]), r"select = \['dpzero'\]: words are needed, such as lab.check\('dpzero', 'gauss_psgd'\)"),
        (lambda: lab.recommend("dpzero", 3, **PRIVACY), "objective = 3: an objective of the lab is needed"),
        (lambda: lab.recommend("gauss_psgd", OBJECTIVE, **PRIVACY), "gauss_psgd needs an objective with a saddle"),
        (
            lambda: lab.recommend("dpzero", LANDSCAPE, **PRIVACY),
            "method = 'dpzero': it does not run on '.*', an objective with a saddle; one of gauss_psgd is needed",
        ),
        (
            lambda: lab.recommend("adam", n=1),
            "method = 'adam': one of dpzero, dpgd_0th, dp_gd, gauss_psgd, dp_grape, dp_grape_blocks, dp_zoo, dp_zoso, dp_zopo is needed",
        ),
        (lambda: replace(OBJECTIVE, loss=plain_loss), "loss = plain_loss: a function under @numba.njit is needed"),
        (
            lambda: lab.simulate("dpzero", replace(OBJECTIVE, loss=loss_without_a_type), **RUN),
            r"Numba cannot compile .*: Unknown attribute .*test_sentences\.py:\d+\)$",
        ),
        (
            lambda: lab.simulate("dpzero", OBJECTIVE, **RUN, progress=3),
            "progress = 3: a function of two numbers, done and total, is needed",
        ),
        (lambda: lab.grid("dpzero", None, alphas=[1], horizons=[1], clips=[1], **PRIVACY), "objective = None: an objective is needed"),
        (lambda: lab.escape(OBJECTIVE, eta=0.1, T=3, sigma=0.1), "landscape = .*: a loss with a saddle is needed"),
    ],
)
def test_a_sentence_instead_of_a_traceback(call, sentence):
    with pytest.raises(ValueError, match=f"{sentence}") as error:
        call()
    assert "\n" not in str(error.value)


def test_constants_that_an_objective_lacks_are_asked_for_or_left_unknown():
    without = replace(OBJECTIVE, constants={k: v for k, v in OBJECTIVE.constants.items() if k not in ("r", "B")})
    unknown = lab.recommend("dpzero", without, **PRIVACY)
    assert unknown.problem["r"] == without.d
    assert lab.recommend("dpzero", without, r=3.0, **PRIVACY).problem["r"] == 3.0
    lacking = replace(OBJECTIVE, constants={"L": 1.0, "ell": 1.0})
    with pytest.raises(ValueError, match="its constants have no gap; give gap= as well"):
        lab.recommend("dpzero", lacking, **PRIVACY)
    assert lab.recommend("dpzero", lacking, gap=1.0, **PRIVACY).problem["gap"] == 1.0
    unbounded = replace(LANDSCAPE, constants={**LANDSCAPE.constants, "U": float("inf")})
    with pytest.raises(ValueError, match="no finite U"):
        lab.recommend("gauss_psgd", unbounded, n=10**5, **PRIVACY)
    assert lab.recommend("gauss_psgd", unbounded, n=10**5, U=3.0, **PRIVACY).problem["U"] == 3.0


def test_a_plan_runs_as_it_is():
    run = lab.simulate("dpzero", OBJECTIVE, plan=PLAN.sharp, T=3)  # T wins over the plan's
    assert {name: run.settings[name] for name in ("alpha", "C", "lam", "sigma", "T")} == {
        "alpha": PLAN.sharp.alpha, "C": PLAN.sharp.C, "lam": PLAN.sharp.lam, "sigma": PLAN.sharp.sigma, "T": 3,
    }  # fmt: skip
    assert lab.simulate("gauss_psgd", LANDSCAPE, plan=SOSP.scaled, oracle="exact", n=10**5, limit=9).settings["eta"] == SOSP.scaled.eta


def test_an_unknown_theorem_is_answered_with_the_nearest():
    for table in (lab.THEOREMS, lab.DERIVATIONS):
        with pytest.raises(KeyError) as error:
            table["theorem3"]
        assert str(error.value).startswith("'theorem3': no such key; the nearest are dpzero.theorem3")
    with pytest.raises(KeyError, match="they begin with dp_grape, dp_zopo, dpzero, gauss_psgd"):
        lab.THEOREMS["???"]
    assert "theorem3" not in lab.THEOREMS
    assert lab.THEOREMS.get("theorem3") is None


@pytest.mark.parametrize(("text", "number"), [("100", 100), ("1e2", 100), ("1.0", 1), ("1_000", 1000), ("-1", -1), ("1e16", 10**16)])
def test_the_command_line_takes_whole_numbers_however_they_are_written(text, number):
    assert whole(text) == number


def test_the_command_line_refuses_what_is_not_whole(capsys):
    for text in ("4.5", "x", "inf", "nan", "1e400", ""):
        with pytest.raises(SystemExit):
            main(["simulate", "dpzero", "--d", text, "--n", "9", "--alpha", "0.1", "--T", "1", "--C", "1", "--sigma", "0"])
        assert f"--d: {text!r}: a whole number is needed, such as 100 or 1e2" in capsys.readouterr().err
    assert (
        main(["simulate", "dpzero", "--d", "1e1", "--n", "2e1", "--alpha", "0.1", "--T", "3e0", "--C", "1", "--sigma", "0", "--json"]) == 0
    )
    assert '"T": 3' in capsys.readouterr().out
    assert main(["show", "theorem3"]) == 2
    assert "the nearest are dpzero.theorem3" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["show dpzero.theorem3", "recommend dpzero --n 1e4 --d 20 --epsilon 2 --delta 1e-6 --L 1 --ell 1 --gap 1", "--help"]
)
def test_a_reader_that_leaves_early_is_no_error(command):
    """`theory-lab show KEY | head -1`, and tables, which another library prints: the reader's end is closed."""
    read, write = os.pipe()
    os.close(read)
    arguments = [sys.executable, "-m", "theory_lab.cli", *command.split()]
    done = subprocess.run(arguments, stdout=write, stderr=subprocess.PIPE, cwd=ROOT, encoding="utf-8")
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["bounds.py", "synthetic.py", "figures.py", "bounds/__init__.py"])
def test_a_file_of_our_name_beside_a_script_is_named(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "script.py").write_text("import theory_lab\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, tmp_path / "script.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        cwd=tmp_path,
    )
    last = done.stderr.splitlines()[-1]
    package = name.partition("/")[0].removesuffix(".py")
    assert last == (
        f"ImportError: the lab needs its own package {package!r}, but {(tmp_path / name).resolve()} hides it: rename that file or folder"
    )
    shutil.rmtree(tmp_path)


def test_a_claim_that_no_other_process_can_examine_is_named(monkeypatch):
    """A lambda as examiner was a PicklingError, after the pool had started."""

    def started(*_):
        raise AssertionError("processes were started")

    monkeypatch.setattr(run, "open_executor", started)
    told = {"source": "line 1", "words": "it holds", "kind": Kind.SCOPE, "expected": Outcome.CONSISTENT, "why": "so"}
    claim = Claim(key="own.claim", examine=lambda: Finding(Outcome.CONSISTENT, "nothing found"), **told)
    with pytest.raises(ValueError, match=r"^claim 'own.claim': .*<lambda> and its arguments cannot be handed to .*workers=1$"):
        run.check_claims([claim], workers=2)
    assert [verdict.outcome for verdict in run.check_claims([claim], workers=1)] == [Outcome.CONSISTENT]


def test_records_of_numbers_stand_behind_the_door_too():
    problem = Problem(n=np.int64(10**5), d=np.int8(20), epsilon=np.float32(0.5), delta=1e-6, L=sp.Integer(3), ell=1.0, rho=1.0, U=1.0)
    assert [type(value) for value in (problem.n, problem.d, problem.epsilon, problem.L)] == [int, int, float, int]
    assert type(Knobs(K=np.float16(8.0), Q=np.int8(8)).Q) is int
    with pytest.raises(ValueError, match=r"^k_eta = Fraction\(1, 3\): no float is equal to it"):
        Knobs(k_eta=Fraction(1, 3))
    letters = {"alpha": 0.1, "T": 5, "C": 1.0, "lam": 1e-3, "sigma": 0.1, "d": 20, "r": 3.0, "L": 1.0, "ell": 1.0, "gap": 1.0}
    bound = sharp_schedule.certified_bound_at("dpzero.sharp_clip_bias", **letters)
    assert sharp_schedule.certified_bound_at("dpzero.sharp_clip_bias", **{**letters, "T": np.int8(5), "gap": sp.Integer(1)}) == bound
    for name in letters:
        with pytest.raises(ValueError, match=f"^{name} is missing"):
            sharp_schedule.certified_bound_at(
                "dpzero.sharp_clip_bias", **{letter: value for letter, value in letters.items() if letter != name}
            )
        with pytest.raises(ValueError, match=f"^{name} = "):
            sharp_schedule.certified_bound_at("dpzero.sharp_clip_bias", **{**letters, name: 1j})


def test_printed_steps_know_no_largest_ratio_of_epsilon_and_delta():
    """Above 1.8e308 the answer was "publish x_0"."""
    problem = {"n": 10**7, "d": 100, "r": 5.0, "epsilon": 20.0}
    near, far = (sharp_schedule.printed_steps("dpzero", **problem, delta=delta) for delta in (1e-306, 5e-324))
    assert 0.95 * near < far < near
    best = recommend("dpzero", **problem, delta=5e-324, L=1.0, ell=1.0, gap=1.0).sharp
    assert best.theorem != sharp_schedule.START
    for name, value in (("n", 0.5), ("d", 4.5)):
        for call in (recommend, sharp_schedule.sharp_plan):
            with pytest.raises(ValueError, match=f"^{name} = {value}: a whole number of at least 1 is needed"):
                call("dpzero", **{**problem, **PRIVACY, "r": 1.0, "L": 1.0, "ell": 1.0, "gap": 1.0, name: value})


def test_one_rounding_unit_for_the_caveat_and_for_the_radius():
    plan = recommend("dpzero", n=10**7, d=10**9, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, r=5.0, B=1.0, lam=1e-20)
    least = sharp_schedule.least_radius(size=1.0, C=plan.sharp.C)
    assert any(f"lambda of at least {least:.3g}" in caveat for caveat in plan.caveats)
    assert np.finfo(float).eps == sharp_schedule.ROUNDING["double"]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: lab.simulate("dpzero", OBJECTIVE, **RUN, replicate=4),
            "replicate = 4: no such argument; the nearest is replicates",
        ),
        (lambda: lab.simulate("dpzero", OBJECTIVE, alpha=0.1), "T is missing: method, objective, alpha, T are needed"),
        (lambda: lab.recommend("dpzero", n=9, d=3, **PRIVACY, ell=1, gap=1), "L is missing: method, n, d, epsilon, delta, L, ell, gap are"),
        (lambda: lab.recommend("gauss_psgd", LANDSCAPE, **PRIVACY), "n is missing: method, n, d"),
        (lambda: lab.quadratic([1.0, 0.5], n=9, seed=0), "d is missing: spectrum, d, n, seed are needed"),
        (lambda: lab.quadratic("flat", 3, 9, 0, None, 7), "7: too many arguments by position, at most 5 are allowed; there are no others"),
        (lambda: lab.quadratic("flat", 3, d=9, n=9, seed=0), "d = 9: given twice, by position and by name"),
        (
            lambda: lab.privacy.sigma_gaussian(2.0, delta=0.1),
            r"2.0: .*, at most 0 are allowed; .* by name: epsilon=..., T=..., sensitivity=...$",
        ),
        (lambda: lab.expected_grad_norm_sq(sigma=1.0), "method is missing: method, eigenvalues"),
    ],
)
def test_arguments_that_do_not_fit_are_named(call, sentence):
    with pytest.raises(TypeError, match=f"^{sentence}"):
        call()


def test_an_error_inside_a_call_that_fits_stays_as_it_is():
    from bounds.validate import validated

    @validated
    def broken(a):
        return a + "b"

    with pytest.raises(TypeError, match="unsupported operand"):
        broken(1)


@pytest.mark.parametrize("value", [0.1, 3, np.float64(2.0), np.array(0.5)])
def test_a_number_is_no_list_of_numbers(value):
    with pytest.raises(ValueError, match=r"^alphas = .*: an array or a list of numbers is needed$"):
        lab.grid("dpzero", lab.quadratic("flat", 3, 9, 0), alphas=value, horizons=[2], clips=[1.0], **PRIVACY)


def test_runs_are_shown_in_a_line():
    run = lab.simulate("dpzero", OBJECTIVE, **RUN, replicates=2)
    means = f"mean F_S {run.loss[:, 0].mean():.4g} to {run.loss[:, -1].mean():.4g}, mean |grad F_S|^2 "
    assert repr(run).startswith(
        f"Run(dpzero on {OBJECTIVE.name}: 2 x 3 (replicates, steps), {means}{run.grad_norm_sq[:, 0].mean():.4g} to "
    )
    away = lab.simulate("dpgd_0th", lab.quadratic("flat", 3, 9, 0), alpha=1e200, T=5, C=1e200, sigma=1.0, replicates=2)
    assert np.all(away.diverged)
    assert repr(away).endswith(f"; 2 diverged, the first in step {away.steps.min() + 1}, taken at the last finite step)")
    found = lab.simulate("gauss_psgd", LANDSCAPE, plan=SOSP.scaled, oracle="sgd", n=50, replicates=2)
    assert not np.any(found.returned)
    assert repr(found).startswith(f"PsgdRun({LANDSCAPE.name}: 2 replicates, 2 out of samples; steps {found.steps.min()} to ")


def test_a_plan_that_takes_no_step_says_nothing_of_its_radius():
    plan = recommend("dpzero", n=10**6, d=1000, epsilon=1.0, delta=1e-9, L=1e-3, ell=1e3, gap=1e-2, B=1.0)
    assert any("publish x_0, without steps" in caveat for caveat in plan.caveats)
    assert not any("two-point difference needs" in caveat for caveat in plan.caveats)
