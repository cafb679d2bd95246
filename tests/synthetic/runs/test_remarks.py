"""A run that got worse, or whose differences are rounding, says so; one that did not says nothing."""

import numpy as np
import pytest

from synthetic.runs.remarks import loss_remarks, rise_steps, run_remarks, smoothing_remarks
from theory_lab import quadratic, simulate

GOOD = {"alpha": 0.1, "T": 60, "C": 10.0, "sigma": 0.0, "replicates": 2}


@pytest.fixture(scope="module")
def objective():
    return quadratic("inverse", 5, 20, 0)


@pytest.mark.parametrize(
    ("losses", "expected"),
    [
        ([2, 1, 3, 1], 0),
        ([2, 1, 3, 4], 2),
        ([2, 3, 3, 4], 1),
        ([2, 3, 1, 4], 3),
        ([2, 2, 2, 2], 0),
        ([2, 1, np.nan, np.nan], 0),
        ([2, 9, np.nan, np.nan], 0),
    ],
)
def test_since_when_the_loss_is_above_its_start(losses, expected):
    assert rise_steps(np.array([losses, [1.0, 0.0, 0.0, 0.0]])).tolist() == [expected, 0]


def test_how_many_runs_got_worse_is_said_with_the_largest_loss():
    assert loss_remarks(np.array([[2.0, 1.0], [2.0, 2.0]])) == []
    assert loss_remarks(np.array([[2.0, 5.0, 7.5]])) == [
        "The run ended with a larger loss than at x_0 (7.5, from 2), above it since step 1."
    ]
    assert "(at most 7.5, from 2)" in loss_remarks(np.array([[2.0, 5.0, 7.5], [2.0, 1.0, np.nan]]))[0]
    several = loss_remarks(np.array([[2.0, 1.0, 7.5], [2.0, 1.0, 0.5], [2.0, 8.0, 9.5]]))
    assert several == ["2 of 3 runs ended with a larger loss than at x_0 (at most 9.5, from 2), the first has been above it since step 1."]


def test_a_large_stepsize_is_said_in_python_and_on_the_command_line(objective, capsys):
    from theory_lab.cli import main

    run = simulate("dpzero", objective, **GOOD | {"alpha": 100.0})
    assert [said for said in run.remarks if "larger loss than at x_0" in said]
    assert "larger loss than at x_0" in repr(run)
    argv = ["simulate", "dp_gd", "--d", "5", "--n", "20", "--alpha", "100", "--T", "60", "--C", "10", "--sigma", "0"]
    assert main(argv) == 0
    assert "larger loss than at x_0" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "mezo"])
def test_a_good_run_has_no_remark(method, objective):
    taken = {name: value for name, value in GOOD.items() if method != "mezo" or name not in ("C", "sigma")}
    assert simulate(method, objective, **taken | {"alpha": 0.01}).remarks == ()


def test_the_rounding_of_a_difference_is_that_of_two_losses_over_twice_lam():
    """Each loss is off by half a unit in its last place at most: 2^-53 times its size; both together, over 2 lam, by 2^-53 |F| / lam."""
    loss, lam = 8.0, 2.0**-40
    (said,) = smoothing_remarks(lam, np.ones((1, 2)), np.array([loss]), np.array([0.0]))
    assert f"by about {2.0**-53 * loss / lam:.2g}, where the gradient norm is 0." in said
    just, enough = ((2.0**-53 * loss / lam * by / 0.1) ** 2 for by in (0.999, 1.001))  # a tenth of the gradient norm
    assert smoothing_remarks(lam, np.ones((1, 2)), np.array([loss]), np.array([just]))
    assert not smoothing_remarks(lam, np.ones((1, 2)), np.array([loss]), np.array([enough]))


def test_the_least_lam_and_the_ends_of_the_runs_are_looked_at():
    start, x = np.ones(2), np.full((1, 2), 1e3)
    loss, squares = np.array([[1.0, 1.0, 0.5]]), np.array([[1.0, 1.0, 1.0]])
    assert run_remarks({"lam": 1e-3}, start, x, loss, squares) == ()
    (said,) = run_remarks({"lam": np.array([1e-3, 1e-17])}, start, x, loss, squares)  # of stages
    assert said.startswith("lam = 1e-17 is below the rounding of x, whose largest entry is 1e+03")
    flat = squares * np.array([[1.0, 1.0, 1e-20]])
    (said,) = run_remarks({"lam": 1e-9}, start, x, loss, flat)  # at the end the gradient is as good as 0
    assert "the rounding of the loss, 0.5, changes" in said
    assert run_remarks({"lam": 1e-9}, start, x, loss, squares) == ()


@pytest.mark.parametrize("lam", [1e-16, 3e-18, 1e-300])
def test_a_lam_below_the_rounding_of_x_is_said(lam, objective):
    moved = simulate("dpzero", objective, **GOOD | {"lam": lam, "sigma": 1.0, "alpha": 1.0})
    assert any(said.startswith(f"lam = {lam:.3g} is below the rounding of x") for said in moved.remarks)


def test_a_lam_at_which_the_loss_is_rounding_is_said_and_the_size_is_right(objective):
    """The error that is told against the one that there is: the difference quotient of a sample's loss and its exact value."""
    (said,) = simulate("dpzero", objective, **GOOD | {"lam": 1e-15, "alpha": 0.01}).remarks
    assert said.startswith("lam = 1e-15 is so small that the rounding of the loss")
    x, u, rng = objective.x0 + 0.3, np.ones(5), np.random.default_rng(1)
    errors = []
    for _ in range(300):
        u = rng.standard_normal(5)
        plus, minus = (objective.value_and_gradient(x + sign * 1e-10 * u) for sign in (1, -1))
        errors.append((plus[0] - minus[0]) / 2e-10 - u @ objective.value_and_gradient(x)[1])
    told = smoothing_remarks(1e-10, x[None], np.array([objective.value_and_gradient(x)[0]]), np.zeros(1))[0]
    size = float(told.split("about ")[1].split(",")[0])
    assert size / 10 < np.std(errors) < 10 * size


def test_the_default_is_far_from_rounding(objective):
    start = objective.value_and_gradient(objective.x0)
    assert smoothing_remarks(1e-4, objective.x0[None] + 1.0, np.array([start[0]]), np.array([1e-8])) == []
