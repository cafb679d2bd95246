"""Every option of the methods on matrices against the call in Python that it stands for, as `test_options` does it."""

from dataclasses import replace

import numpy as np
import pytest

import bounds.dp_grape.recommend
import theory_lab as lab
from paper_checks.experiment import describe_objective
from synthetic.objectives.space import Space
from tests.papers.dp_grape import commands as grape
from tests.theory_lab.test_options import PLANNED, PRINTS, Called, asked, keep, written
from tests.theory_lab.test_predict import refused
from theory_lab.cli import main
from theory_lab.methods import METHODS
from theory_lab.methods import dp_grape as grape_record


@pytest.mark.parametrize("method", grape.METHODS)
def test_runs_on_matrices_get_every_option(method, monkeypatch):
    monkeypatch.setattr(lab, "simulate", keep, raising=False)
    needed = {"r": 1} if "r" in grape.SIMULATE[method] else {}
    for name in grape.SIMULATE[method].keys() - PRINTS - {*PLANNED, "more"}:
        start = {key: value for key, value in grape.START.items() if key in grape.SIMULATE[method]}
        at = {**start, **needed, name: grape.SIMULATE[method][name]}
        call = asked(["simulate", method, *written(at)])
        at = {"objective": "matrix_quadratic", "spectrum": "inverse", "replicates": 1, "seed": 0} | at
        del at["more"]
        drawn = (at.pop("spectrum"), at.pop("d"), at.pop("n"), at["seed"])
        objective = getattr(lab, at.pop("objective"))(*drawn, m=3, layers=2)
        assert call.given[0] is METHODS[method]
        assert call.named == at
        assert (call.given[1].name, call.given[1].shape) == (objective.name, objective.shape)
        np.testing.assert_array_equal(call.given[1].data, objective.data)


@pytest.mark.parametrize("name", sorted(grape.RECOMMEND.keys() - PRINTS))
def test_recommend_dp_grape_hands_every_option_over(name, monkeypatch):
    monkeypatch.setattr(bounds.dp_grape.recommend, "recommend", keep)
    rest = {"layers": 1, "block": None, "spread": None, "batch_size": None, "T_max": "printed"}
    for method in grape.PLANNED:
        call = asked(["recommend", method, *written({**grape.PROBLEM, name: grape.RECOMMEND[name]})])
        assert call.given == (method,)
        assert call.named == {**rest, **grape.PROBLEM, name: grape.RECOMMEND[name]}


def test_a_plan_on_matrices_is_made_for_the_r_and_the_layers_of_the_run(monkeypatch):
    """What --r says goes to the plan, and is no setting by hand; what the layers are, the objective says."""
    monkeypatch.setattr(bounds.dp_grape.recommend, "recommend", keep)
    words = written({"d": 24, "n": 200, "more": grape.SHAPE, "r": 2, "objective": "matrix_cosine", **grape.BUDGET})
    for method, block in (("dp_grape", 3), ("dp_grape_blocks", 12)):
        with pytest.raises(Called) as found:
            main(["simulate", method, *words])
        call = found.value
        assert {name: call.named[name] for name in ("r", "layers", "block", "d", "n")} == {
            "r": 2,
            "layers": 2,
            "block": block,
            "d": 24,
            "n": 200,
        }
        assert "spectrum" not in call.named


def test_a_plan_without_r_is_refused_in_a_sentence(capsys):
    words = "simulate dp_grape --objective matrix_cosine --d 6 --n 20 --with m=3 --plan sharp --epsilon 2 --delta 1e-5"
    assert "r is missing: a plan of dp_grape needs --r too (dimension of the subspace)" in refused(words.split(), capsys)


def test_the_layers_of_a_plan_are_the_matrices_and_their_block_the_smaller_side():
    """Of a tall matrix as of a wide one; vectors are projected by Algorithm 6 only."""
    tall = lab.matrix_cosine("flat", 24, 5, 0, m=12)
    given = {name: grape_record.problem_constants("dp_grape", tall, {})[name] for name in ("layers", "block")}
    assert given == {"layers": 1, "block": 2}
    mixed = replace(tall, shape=Space(((4, 3), (6,), (3, 2))))
    for method, layers, block in (("dp_grape", 2, 3), ("dp_grape_blocks", 3, 12)):
        given = {name: grape_record.problem_constants(method, mixed, {})[name] for name in ("layers", "block")}
        assert given == {"layers": layers, "block": block}


@pytest.mark.verify
def test_a_plan_is_for_blocks_that_are_no_larger():
    """With block=1 on blocks of 12 entries it certified what does not hold, and said nothing."""
    o = lab.matrix_cosine("flat", 24, 200, 0, m=3, layers=2)
    for method, block in (("dp_grape", 3), ("dp_grape_blocks", 12)):
        plan = lab.recommend(method, o, epsilon=2.0, delta=1e-5, r=1, T_max=5)
        assert (plan.sharp.block, plan.problem["layers"], plan.problem["spread"]) == (block, 2, 2.0)
        assert lab.simulate(method, o, plan=plan.sharp).vouched
        small = lab.recommend(method, o, epsilon=2.0, delta=1e-5, r=1, T_max=5, block=block - 1)
        said = lab.simulate(method, o, plan=small.sharp).remarks[0]
        assert said == f"What the plan certifies does not apply to this objective, whose largest block is {block}, not {block - 1}."
    vectors = replace(o, shape=Space(((1, 2), (22,))))
    assert lab.recommend("dp_grape_blocks", vectors, epsilon=2.0, delta=1e-5, r=1).sharp.block == 22
    assert lab.recommend("dp_grape", vectors, epsilon=2.0, delta=1e-5, r=1).sharp.block == 1


def test_a_run_of_a_plan_that_is_not_private_says_so():
    o = lab.matrix_cosine("flat", 6000, 2000, 3, m=60)
    printed = lab.recommend("dp_grape_blocks", o, epsilon=0.1, delta=1e-6, r=64).printed
    run = lab.simulate("dp_grape_blocks", o, plan=printed, T=1)
    assert "T not taken from the plan" in run.remarks[0]
    said = printed.remarks(describe_objective(o), printed.arguments("dp_grape_blocks", describe_objective(o)), {})
    assert said.against == ("No (epsilon, delta) is promised for this run: the sigma of dp_grape.theorem_d10 is not shown to be private.",)


@pytest.mark.parametrize(
    ("wrong", "said"), [(3.0, "an array or a list"), ("x", "one of flat"), ([-1.0] * 6, "at least 0"), ([1.0], "has shape")]
)
def test_wrong_columns_are_said_to_be_those(wrong, said):
    with pytest.raises(ValueError, match=rf"^columns.*{said}"):
        lab.matrix_quadratic("flat", 24, 4, 0, m=4, columns=wrong)
