"""Every option of the methods in stages against the call in Python that it stands for, as `test_options` does it; plans and stages told."""

import json
import shlex

import numpy as np
import pytest

import bounds.dp_zopo.recommend
import theory_lab as lab
from paper_checks.experiment import describe_objective
from tests.calls import exit_status
from tests.papers.dp_zopo import commands as zopo
from tests.tex import latex_faults, named_packages
from tests.theory_lab.test_options import PLANNED, PRINTS, asked, keep
from tests.theory_lab.test_options import written as words_of
from theory_lab.cli import main
from theory_lab.methods import METHODS

BALL = ["ball_quadratic", "--spectrum", "flat", "--d", "6", "--n", "60"]
BUDGET = {"epsilon": 50.0, "delta": 1e-6}


def written(options):
    """Return the words of a command line; numbers of stages are joined by commas."""
    return words_of({name: ",".join(map(str, one)) if isinstance(one, tuple) else one for name, one in options.items()})


@pytest.mark.parametrize("method", zopo.METHODS)
def test_runs_in_stages_get_every_option(method, monkeypatch):
    monkeypatch.setattr(lab, "simulate", keep, raising=False)
    needed = {"rates": 0.5} if method == "dp_zopo" else {}
    for name in zopo.SIMULATE[method].keys() - PRINTS - {*PLANNED, "more"}:
        at = {**zopo.START, **needed, name: zopo.SIMULATE[method][name]}
        call = asked(["simulate", method, *written(at)])
        at = {"objective": "quadratic", "spectrum": "inverse", "replicates": 1, "seed": 0} | at
        drawn = (at.pop("spectrum"), at.pop("d"), at.pop("n"), at["seed"])
        objective = getattr(lab, at.pop("objective"))(*drawn)
        assert call.given[0] is METHODS[method]
        assert call.named == at
        assert (call.given[1].name, dict(call.given[1].constants)) == (objective.name, dict(objective.constants))
        np.testing.assert_array_equal(call.given[1].data, objective.data)


@pytest.mark.parametrize("method", zopo.METHODS)
def test_what_has_no_option_goes_by_with_and_a_radius_to_the_ball_and_its_projection(method, monkeypatch):
    """The kernel alone took the radius: no run at the command line was on another ball than the unit ball."""
    monkeypatch.setattr(lab, "simulate", keep, raising=False)
    needed = {"rates": 0.5} if method == "dp_zopo" else {}
    more = {"radius": 2.5, "tail": 0.25} | ({} if method == "dp_zoo" else {"widening": 3.0})
    more |= {"upper": 1.5, "lower": 0.5, "score_P": 3, "score_lam": 0.25} if needed else {}
    asks = [f"{name}={value}" for name, value in (more | {"spread": 0.5}).items()]
    call = asked(["simulate", method, *written({**zopo.START, **needed, "objective": "ball_quadratic", "more": asks})])
    assert {name: call.named[name] for name in more} == more
    assert "spread" not in call.named
    assert (call.given[1].constants["radius"], call.given[1].constants["sample_spread"]) == (2.5, 0.5)
    call = asked(["simulate", method, *written({**zopo.START, **needed, "more": ["radius=2.5"]})])  # a quadratic has none
    assert call.named["radius"] == 2.5


@pytest.mark.parametrize("method", zopo.METHODS)
def test_recommend_hands_every_option_over(method, monkeypatch):
    monkeypatch.setattr(bounds.dp_zopo.recommend, "recommend", keep)
    tried = zopo.TRIED["recommend", method]
    rest = dict.fromkeys(("sample_spread", "stages", "batch_size", "target", "T_max", "ell", "r")) | {"weak": 0.0, "P": 1, "rates": 1.0}
    for name in tried.keys() - PRINTS:
        call = asked(["recommend", method, *written({**zopo.PROBLEM, name: tried[name]})])
        assert call.given == (method,)
        assert call.named == {one: value for one, value in rest.items() if one in tried} | zopo.PROBLEM | {name: tried[name]}


@pytest.mark.parametrize("method", zopo.METHODS)
def test_a_plan_is_made_for_the_stages_the_directions_and_the_rates_of_the_run(method, monkeypatch):
    monkeypatch.setattr(bounds.dp_zopo.recommend, "recommend", keep)
    settings = {"P": 2} | ({} if method == "dp_zoo" else {"stages": 3}) | ({"rates": 0.3} if method == "dp_zopo" else {})
    words = [*BALL, *written({"plan": "sharp", **BUDGET, **settings, "more": ["radius=2", "spread=0.5"]})]
    call = asked_plan(["simulate", method, "--objective", *words])
    assert {name: call.named[name] for name in settings} == settings
    assert (call.named["radius"], call.named["sample_spread"], call.named["L"]) == (2, 0.5, 2.5)


def asked_plan(argv):
    """Return what the recommendation of a run's plan is asked."""
    with pytest.raises(Exception, match=r"^called$") as found:
        main(argv)
    return found.value


@pytest.mark.parametrize("method", zopo.METHODS)
def test_the_run_of_a_plan_is_vouched_for_and_says_what_each_stage_hands_on(method, capsys):
    """With rates of its own a run of DP-ZOPO was of a plan for all coordinates, and not vouched for."""
    asked = {"dp_zoo": {}, "dp_zoso": {"stages": 2}, "dp_zopo": {"stages": 2, "rates": 0.34}}[method]
    more = [part for name, value in asked.items() for part in (f"--{name}", str(value))]
    argv = ["simulate", method, "--objective", *BALL, "--plan", "sharp", "--epsilon", "50", "--delta", "1e-6", "--replicates", "2", *more]
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["plan"]["theorem"] == "dp_zopo.sharp_suffix"
    assert found["plan"]["measure"].endswith("on the tuned coordinates") == ("rates" in asked)
    assert not any("not taken from the plan" in said for said in found["remarks"])
    ball = lab.ball_quadratic("flat", 6, 60, 0)
    plan = lab.recommend(method, ball, **BUDGET, **asked).sharp
    run = lab.simulate(method, ball, plan=plan, replicates=2)
    assert run.vouched
    assert plan.stages > 1 or method == "dp_zoo"
    assert [row["stage_loss"] for row in found["replicates"]] == run.stage_loss.tolist()
    assert found["plan"]["certified"] == plan.certified
    assert main(argv) == 0
    said = capsys.readouterr().out
    assert "F_S at the point that each stage returns" in said
    for number in range(plan.stages):
        assert f"{run.stage_loss[:, number].mean():.5g}" in said
        assert f"{run.stage_loss[:, number].max():.5g}" in said


def test_a_stage_that_did_not_end_is_told_as_such(capsys):
    argv = ["simulate", "dp_zoso", "--d", "4", "--n", "9", "--alpha", "1e300,1e300", "--T", "3,4", "--stages", "2", "--C", "1e9"]
    assert main([*argv, "--sigma", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["replicates"][0]["stage_loss"] == [None, None]
    assert main([*argv, "--sigma", "1"]) == 0
    said = capsys.readouterr().out
    assert "diverged to values that are not finite" in said
    rows = [line.split("│")[1:-1] for line in said.splitlines() if line.count("│") == 6]
    assert [[cell.strip() for cell in row] for row in rows] == [["1", "3", "-", "-", "-"], ["2", "4", "-", "-", "-"]]


CHANGED = {
    "strategy": "dynamic", "weights": "rank", "direction": "sphere", "output": "last", "regulariser": "explicit", "alpha": 0.1,
    "lam": 0.1, "widening": 2.0, "anchor": 2.0, "radius": 1.5, "rates": 0.5,
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGED)
def test_a_run_besides_what_is_proved_says_so(name):
    ball = lab.ball_quadratic("flat", 6, 60, 0)
    plan = lab.recommend("dp_zopo", ball, **BUDGET, rates=0.34, stages=2).sharp
    run = lab.simulate("dp_zopo", ball, plan=plan, **{name: CHANGED[name]})
    assert not run.vouched
    assert run.remarks[0] == f"What the plan certifies does not apply to this run: {name} not taken from the plan."
    assert plan.remarks(describe_objective(ball), plan.arguments("dp_zopo", describe_objective(ball)), {}).against == ()


@pytest.mark.parametrize(("name", "value"), [("rates", 0.34), ("radius", 1.0), ("score", "random"), ("seed", 3), ("upper", 2.0)])
def test_what_changes_nothing_that_is_proved_leaves_a_run_vouched_for(name, value):
    ball = lab.ball_quadratic("flat", 6, 60, 0)
    plan = lab.recommend("dp_zopo", ball, **BUDGET, rates=0.34, stages=2).sharp
    assert lab.simulate("dp_zopo", ball, plan=plan, **{name: value}).vouched


@pytest.mark.parametrize(("name", "value"), [("P", 2), ("T", 9), ("C", 1.0), ("sigma", 9.0), ("batch_size", 5), ("sampling", "poisson")])
def test_a_run_with_noise_by_hand_is_not_private(name, value):
    ball = lab.ball_quadratic("flat", 6, 60, 0)
    plan = lab.recommend("dp_zoso", ball, **BUDGET, stages=2).sharp
    run = lab.simulate("dp_zoso", ball, plan=plan, **{name: value})
    assert run.remarks == (f"No (epsilon, delta) is promised for this run: {name} not taken from the plan.",)


def test_a_plan_is_for_objectives_that_are_no_worse():
    ball = lab.ball_quadratic("flat", 6, 60, 0)
    plan = lab.recommend("dp_zoso", ball, **BUDGET, stages=2).sharp
    for other, words in (
        (lab.ball_quadratic("flat", 6, 60, 0, spread=0.5), "L = 1.5, not 1"),
        (lab.ball_quadratic("inverse", 6, 60, 0), "growth_mu = 0.0416667, not 0.25"),
        (lab.logistic("flat", 6, 60, 0), "no growth_mu is known"),
    ):
        run = lab.simulate("dp_zoso", other, plan=plan)
        assert not run.vouched
        assert words in run.remarks[0]


@pytest.mark.parametrize("method", zopo.METHODS)
def test_the_latex_of_a_plan_is_sound(method, capsys):
    for argv in zopo.RECOMMENDED:
        if argv[1] == method:
            more = ["--rates", "0.1"] if method == "dp_zopo" else []
            assert main([*argv, *more, "--latex"]) == 0
            latex = capsys.readouterr().out
            assert latex_faults(latex, named_packages(latex)) == [], latex
            assert ("rates & $0.1$" in latex) == bool(more), latex


WRONG = """
dp_zoso --alpha 0.1,0.05,0.02 --T 9 --stages 2 | alpha =
dp_zoso --alpha 0.1,x --T 9 | '0.1,x'
dp_zoso --alpha 0.1, --T 9 | '0.1,'
dp_zoso --alpha 0.1 --T 3,4.5 --stages 2 | '3,4.5'
dp_zoo --alpha 0.1 --T 9 --with stages=2 | --with stages=...: neither dp_zoo nor quadratic takes stages; dp_zoo takes P
dp_zoo --alpha 0.1 --T 9 --with widening=2 | --with widening=...: neither dp_zoo nor quadratic takes widening; dp_zoo takes P
dp_zopo --alpha 0.1 --T 9 | rates
dp_zopo --alpha 0.1 --T 9 --rates 1.5 | rates = 1.5
dp_zopo --alpha 0.1 --T 9 --rates 0.1,0.2,0.3 --stages 2 | rates =
dp_zopo --plan sharp --epsilon 1 --delta 1e-6 --objective ball_quadratic --rates 0.1,0.2 | rates =
dp_zopo --plan sharp --epsilon 1 --delta 1e-6 --objective ball_quadratic --rates 1.5 | rates = 1.5
dp_zopo --plan sharp --epsilon 1 --delta 1e-6 --objective kinks | a plan of dp_zopo needs finite values above 0 of growth_mu, radius
dp_zoso --plan sharp --epsilon 1 --delta 1e-6 | a plan of dp_zoso needs finite values above 0 of L, growth_mu, radius
dp_zoo --alpha 0.1 --T 9 --objective linear_slopes | slopes is missing: linear_slopes needs slopes, for instance --with slopes=equal
dp_zoo --alpha 0.1 --T 9 --objective linear_slopes --with slopes=three | slopes = 'three': one of equal, opposite, two
dp_zoo --alpha 0.1 --T 9 --objective linear_slopes --with steep=x | 'steep=x': NAME=VALUE with a number
"""


@pytest.mark.parametrize("line", WRONG.strip().splitlines())
def test_a_wrong_number_of_stages_is_told_in_a_sentence(line, capsys):
    words, said = line.split(" | ")
    argv = ["simulate", *shlex.split(words), "--d", "6", "--n", "60"]
    argv += [] if "--plan" in argv else ["--C", "1", "--sigma", "0.1"]
    status = exit_status(argv)
    error = capsys.readouterr().err
    assert status == 2
    assert said in error.splitlines()[-1]
    assert "Traceback" not in error


def test_slopes_are_a_word_at_the_command_line_too(monkeypatch):
    """An objective that the command offers could not be run with it: it took numbers alone."""
    monkeypatch.setattr(lab, "simulate", keep, raising=False)
    for name in ("linear_slopes", "ball_quadratic"):
        call = asked(["simulate", "dp_zoo", *written({**zopo.START, "objective": name, "more": ["slopes=two"]})])
        assert call.given[1].name == getattr(lab, name)("inverse", 6, 20, 0, slopes="two").name


@pytest.mark.parametrize(
    "changed",
    [
        {"d": 1e300},
        {"n": 1e300},
        {"delta": 1e-320},
        {"epsilon": 1e-320},
        {"batch_size": 10**400},
        {"stages": 10**400},
        {"L": 1e-300, "gap": 1e-300},
    ],
)
def test_extreme_problems_are_told_in_a_sentence_or_answered(changed):
    """With d = 1e300 NumPy spoke of a loop of a ufunc, and with n the sentence was about a T that nobody had given."""
    try:
        found = lab.recommend("dp_zoso", **zopo.PROBLEM | changed)
    except ValueError as error:
        assert f"{next(iter(changed))} = " in str(error), str(error)  # noqa: PT017
        assert len(str(error)) < 300  # noqa: PT017
    else:
        assert found.sharp.certified <= 2 * zopo.PROBLEM["L"] * zopo.PROBLEM["radius"]


@pytest.mark.parametrize("wrong", [((1,), (2,)), ((1,), (2, 3)), [[0.1], [0.2]], np.ones((2, 1)), np.ma.masked, (True, 1)], ids=str)
@pytest.mark.parametrize("name", ["alpha", "T", "lam", "rates"])
def test_numbers_of_stages_are_no_tuples_of_tuples(name, wrong):
    given = {"alpha": 0.1, "T": 6, "lam": 1e-3, "rates": 0.5, "C": 1.0, "sigma": 0.1, "stages": 2, "strategy": "dynamic"}
    with pytest.raises(ValueError, match=f"^{name}"):
        lab.simulate("dp_zopo", lab.ball_quadratic("flat", 6, 8, 0), **given | {name: wrong})
