"""What is said below plans at several epsilon: each sentence where its condition holds, with the epsilon that it is about."""

import pytest

from bounds.plans.plan import NOT_PRIVATE, NOTHING
from bounds.plans.side_by_side import Several
from tests.bounds.plans.test_every_variant import plan, replace

EPSILONS = (1.0, 2.0, 4.0)


def of(method, column, certified, private=True, caveats=((), (), ())):
    """Plans of which one column certifies these numbers, and the others nothing, with these caveats."""
    made = []
    for epsilon, number, said in zip(EPSILONS, certified, caveats, strict=True):
        one = plan(method)
        columns = {
            name: replace(each, certified=1e9, **({"private": private} if hasattr(each, "private") else {}))
            for name, each in one.columns.items()
        }
        columns[column] = replace(columns[column], certified=number)
        made.append(replace(one, **columns, caveats=said, problem={**one.problem, "epsilon": epsilon, "L": 3.0}))
    return Several(tuple(made))


def told(found, words):
    return [text for text in found.said if words in text]


def test_what_a_column_certifies_nothing_by_is_explained_where_one_does():
    some = of("dpzero", "sharp", (1.0, 2.0, 8.0))  # the printed column certifies nothing
    (said,) = told(some, "certifies nothing where its bound is not below the trivial bound")
    assert said.endswith("(it is 9 for printed, sharp).")
    every = Several(tuple(replace(one, printed=replace(one.printed, certified=1.0)) for one in some.plans))
    assert told(every, "certifies nothing where") == []
    assert some.trivial() == {9.0: ["printed", "sharp"]}
    assert [row["printed certifies"] for row in some.rows()] == [NOTHING] * 3
    assert [row["sharp certifies"] for row in some.rows()] == [1.0, 2.0, 8.0]


def test_noise_that_is_not_private_is_explained_where_there_is_some():
    for private in (True, False):
        found = of("dp_grape_blocks", "sharp", (1.0, 2.0, 8.0), private)
        assert bool(told(found, "A variant is called not private where its noise is not shown to be enough")) == (not private)
        assert (found.rows()[0]["sharp certifies"] == NOT_PRIVATE) == (not private)
        assert (NOTHING in found.rows()[0].values()) == private


@pytest.mark.parametrize("certified", [(1.0, 2.0, 8.0), (9.0, 10.0, 11.0)])
def test_what_is_bounded_is_said_of_the_columns_that_certify_anything(certified):
    found = of("dpzero", "sharp", certified)
    measure = plan("dpzero").sharp.measure
    something = min(certified) < 9
    assert found.measures() == ({"sharp": measure} if something else {})
    said = f"The certified numbers are upper bounds of {measure}."
    assert told(found, "The certified numbers are upper bounds") == ([said] if something else [])


@pytest.mark.parametrize(
    ("caveats", "said"),
    [
        ((("Always.",),) * 3, "Always."),
        ((("Once.",), (), ()), "(epsilon = 1) Once."),
        (((), ("Twice.",), ("Twice.",)), "(epsilon = 2, 4) Twice."),
        ((("T = 3.",), ("T = 4.",), ("T = 5.",)), "(numbers of epsilon = 1) T = 3."),
        (((), ("T = 4.5e-3.",), ("T = 5.",)), "(epsilon = 2, 4; numbers of epsilon = 2) T = 4.5e-3."),
    ],
)
def test_a_caveat_says_for_which_epsilon_it_stands(caveats, said):
    found = of("dpzero", "sharp", (1.0, 2.0, 8.0), caveats=caveats)
    assert found.caveats == (said,)
    assert found.said[-1] == said
