"""Pages with their symbols and facts: names, rules, examples, and what comes of them as values."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy as sp

import bounds
from bounds.pages.example import example_mistakes, find_example, format_values
from bounds.pages.store import Store
from bounds.pages.tokens import BadPage
from bounds.pages.values import page_derivation, page_formula, page_theorem
from bounds.proofs.certificates import Standing, verify_all
from bounds.proofs.meanings import AVERAGES, RUNS
from bounds.proofs.support import missing_link
from bounds.symbols import GLOSSARY

SYMBOLS = """theory-page 1

symbols toy.symbols -- toy symbols
source -- here

constants
  n: integer at least 1, tried 1 to 10^9 -- number of samples
  ell: above 0, tried 1/1000 to 1000 -- smoothness constant
  toy_gap: at least 0 -- F(x_0) - F^*

choices
  alpha: above 0, tried 1/10^9 to 100 -- step size
  T: at least 1, tried 1 to 10^9 -- number of steps

abbreviations
  toy_rate: above 0 -- what the bound is in proportion to

quantities
  toy_now: real, of a step, next toy_next, first toy_first, last toy_last -- loss at step t
  toy_next: real, of a step -- loss at step t + 1
  toy_first: real -- loss at the start
  toy_last: real -- loss at the end
  toy_star: real -- least loss
  toy_grad: at least 0, of a step, average toy_mean -- squared norm of the gradient
  toy_mean: at least 0 -- its average over the steps
"""
FACTS = """theory-page 1

facts toy.facts -- toy facts
source -- here
uses toy.symbols

conditions
  scope some_step: T >= 1 -- T = {value} is below 1

given
  toy_start: toy_gap = toy_first - toy_star -- the definition
    argued -- what toy_gap stands for
  toy_least: toy_last >= toy_star -- the least loss
    argued -- what least means
"""
THEOREM = """theory-page 1

theorem toy.descent -- Gradient descent
source -- a toy
uses toy.symbols, toy.facts
method toy

setting
  smooth -- F is ell-smooth

let
  half = alpha/2

assume
  large: ell >= 1/n -- ell is not tiny

where
  toy_rate = 2 ell/T

schedule
  alpha = 1/ell

bound toy_mean <= toy_gap toy_rate -- mean squared norm

any_schedule toy_gap/(half T)
  step_size: alpha <= 1/ell -- a small step

conditions
  known some_step

example
  n = 100, ell = 1, toy_gap = 2, T = 5

given
  known toy_start, toy_least
  taylor: toy_next <= toy_now - alpha toy_grad + (ell alpha^2/2) toy_grad
    cited -- the descent lemma

proof -- from one step to all
  one_step: toy_next <= toy_now - half toy_grad -- the loss toy_next after a step
    by [taylor] + (ell alpha/2) toy_grad [step_size]
  solved: toy_grad <= (toy_now - toy_next)/half -- the squared norm of the gradient
    by (1/half) [one_step]
  summed: toy_mean <= (toy_first - toy_last)/(half T) -- its average
    average of solved
  free: toy_mean <= any_schedule -- the average for any schedule
    by [summed] + (1/(half T)) [toy_least] + (1/(half T)) [toy_start]
  scheduled: toy_gap/(half T) = toy_gap toy_rate -- the bound at the schedule
    inserting alpha, toy_rate
  bound: toy_mean <= bound -- the average at the schedule
    by [free] - [scheduled]
"""


def store(theorem: str = THEOREM, symbols: str = SYMBOLS, facts: str = FACTS) -> Store:
    """Return the toy pages, some of them changed."""
    return Store({"symbols.page": symbols, "facts.page": facts, "toy.page": theorem})


@pytest.fixture(autouse=True)
def _forget_toys() -> Iterator[None]:
    """Take the toy symbols out of the glossary, which is the process's."""
    yield
    toys = {name: letter.symbol for name, letter in GLOSSARY.items() if name.startswith("toy_")}
    for name, symbol in toys.items():
        del GLOSSARY[name]
        AVERAGES.pop(symbol, None)
    RUNS[:] = [run for run in RUNS if run[0] not in toys.values()]


def test_a_page_is_a_theorem_and_its_proof() -> None:
    """Bound, schedule, limits and proof come of the text; the first checker accepts every line."""
    page = store().page("toy.descent")
    statement = page_theorem(page)
    assert set(statement.parameters) == {"T", "ell", "toy_gap"}
    assert statement.evaluate(ell=2.0, T=8.0, toy_gap=3.0).bound == pytest.approx(2 * 2.0 / 8.0 * 3.0)
    proof = page_derivation(page, statement)
    outcomes = {result.step.name: result.outcome for result in verify_all(proof)}
    assert Standing.FAILED not in outcomes.values()
    assert outcomes["bound"] is Standing.CERTIFIED
    assert missing_link(proof) == ""


def test_a_formula_is_reached_by_its_name() -> None:
    """A definition, a line, and a name that is not there."""
    page = store().page("toy.descent")
    assert page_formula(page, "half") == GLOSSARY["alpha"].symbol / 2
    assert sp.expand(page_formula(page, "one_step") - page_formula(page, "taylor")) != 0
    with pytest.raises(KeyError, match="has no formula of this name"):
        page_formula(page, "halve")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("half toy_grad --", "hal toy_grad --", "'hal' is no symbol and no definition of this page; the nearest name is half"),
        ("[taylor]", "[tailor]", "'tailor' is no line of this page; the nearest name is taylor"),
        ("known toy_start", "known toy_star", "'toy_star' is no fact of the section 'given'; the nearest names are toy_start"),
        ("  half = alpha/2", "  half = alpha/2\n  ell = 1", "'ell' is a symbol and a definition of 'let'"),
        ("  toy_rate = 2 ell/T", "  toy_rate = 2 ell/T\n  toy_grad = 0", "'toy_grad' stands in 'quantities'"),
        ("  toy_rate = 2 ell/T", "  toy_rate = 2 ell/T\n  n = 1", "'n' stands in 'constants'"),
        ("  alpha = 1/ell", "  alpha = 1/ell\n  toy_mean = 0", "'toy_mean' stands in 'quantities'"),
        ("  large: ell >= 1/n -- ell is not tiny", "  one_step: ell >= 1/n", "2 lines are named 'one_step'"),
        ("  step_size: alpha <= 1/ell", "  step_size: alpha <= 1/ell\n  taylor: alpha <= 2/ell", "2 lines are named 'taylor'"),
        ("    cited -- the descent lemma", "    by 0", "'taylor' is made, not taken"),
    ],
)
def test_a_broken_rule_is_a_mistake(old: str, new: str, said: str) -> None:
    """Each with the place where it stands."""
    assert old in THEOREM
    with pytest.raises(BadPage) as caught:
        store(THEOREM.replace(old, new, 1)).page("toy.descent")
    assert said in str(caught.value)
    assert "toy.page:" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("toy_grad: at least 0, of a step,", "toy_grad: at least 0,", "declare it 'of a step'"),
        ("next toy_next, first", "first", "all three are needed"),
        ("average toy_mean", "average toy_men", "'toy_men' is no symbol; the nearest names are toy_mean"),
        ("toy_next: real, of a step", "toy_next: real, of a step, average toy_mean", "the average of another symbol as well"),
        ("  toy_star: real", "  toy_last: real -- again\n  toy_star: real", "stands in this section twice"),
        ("  toy_star: real", "  toy_else: real, as toy_star -- again\n  toy_star: real", "one name each is needed"),
    ],
)
def test_a_symbol_that_contradicts_itself_is_a_mistake(old: str, new: str, said: str) -> None:
    """On a page of symbols."""
    assert old in SYMBOLS
    with pytest.raises(BadPage) as caught:
        store(symbols=SYMBOLS.replace(old, new, 1)).page("toy.descent")
    assert said in str(caught.value)


def test_two_pages_of_one_key_are_refused() -> None:
    """Which of the two is meant could not be said."""
    pages = Store({"one.page": THEOREM, "two.page": THEOREM, "symbols.page": SYMBOLS, "facts.page": FACTS})
    with pytest.raises(ValueError, match="one page is needed"):
        pages.page("toy.descent")
    with pytest.raises(KeyError, match=r"there is no such page; the nearest name is toy\.descent"):
        store().page("toy.descend")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("T = 5", "T = 1/2", "T does not lie inside its domain"),
        ("n = 100", "n = 3/2", "n does not lie inside its domain"),
        ("toy_gap = 2", "toy_gap = 0", "toy_gap does not lie inside its domain"),
        ("n = 100, ell = 1", "n = 1, ell = 1", "'large' does not hold with room"),
        ("n = 100, ell = 1", "n = 10, ell = 1/100", "'large' does not hold with room"),
        ("n = 100", "m = 100", "'m' is no symbol"),
    ],
)
def test_an_example_meets_all_assumptions_with_room(old: str, new: str, said: str) -> None:
    """And lies inside the domains; alpha <= 1/ell holds because the schedule says alpha = 1/ell."""
    assert not list(example_mistakes(store().page("toy.descent")))
    assert old in THEOREM
    assert any(said in one.message for one in example_mistakes(store(THEOREM.replace(old, new, 1)).page("toy.descent")))


@pytest.mark.parametrize(
    "hypothesis",
    ["toy_grad <= 0", "n < 1", "ell <= ell - 1", "toy_gap <= -toy_rate", "ell >= 2/n -- fine\n  other: ell <= 1/n", "alpha >= 2/ell"],
)
def test_assumptions_that_nothing_meets_have_no_example(hypothesis: str) -> None:
    """One that only 0 meets, two that exclude each other, one that the schedule breaks."""
    changed = THEOREM.replace("ell >= 1/n -- ell is not tiny", hypothesis)
    assert find_example(store(changed).page("toy.descent")) is None


def test_an_example_is_found_and_can_be_written() -> None:
    """The values that are found, written on the page, meet the assumptions."""
    values = find_example(store().page("toy.descent"))
    assert values is not None
    again = THEOREM.replace("n = 100, ell = 1, toy_gap = 2, T = 5", format_values(values))
    assert not list(example_mistakes(store(again).page("toy.descent")))


def test_the_pages_of_the_lab_have_no_mistakes() -> None:
    """Names, rules and examples."""
    lab = Store.of_folder(Path("bounds"))
    for key in lab.files:
        assert not list(example_mistakes(lab.page(key)))


def test_every_formula_that_python_asks_for_is_on_its_page():
    """bounds.page("KEY").formula("NAME"), wherever it stands in the five packages and the tests."""
    root = Path(__file__).parents[3]
    asked = re.compile(r'page\("([\w.]+)"\)\.formula\("(\w+)"\)')
    sources = [
        one for room in ("bounds", "paper_checks", "synthetic", "figures", "theory_lab", "tests") for one in (root / room).rglob("*.py")
    ]
    found = {pair for one in sources for pair in asked.findall(one.read_text(encoding="utf-8"))} - {("KEY", "NAME")}
    assert len(found) >= 4
    for key, name in found:
        assert bounds.page(key).formula(name) is not None
