"""True theorems as pages of one's own, each with one construct that once failed: all of them come out PROVED."""

from collections.abc import Iterator

import pytest

from bounds.symbols import GLOSSARY
from paper_checks.pages.own import PageErrors, load_page
from paper_checks.verdict import Outcome

PAGE = """theory-page 1

theorem fair.{name} -- A true statement
source -- here
uses shared.symbols, shared.facts

symbols
  fair_cap: at least 0 -- a cap
  fair_big: at least 2 -- a number of at least 2
  fair_low: at least 0, at most fair_cap -- a number below the cap
  fair_m: at least 0 -- what is bounded

{rest}
"""
TRUE = {
    "a_limit_of_an_own_symbol": """assume
  h: fair_m <= gap

bound fair_m <= fair_big gap/2

proof
  bound: fair_m <= bound
    by [h] + (gap/2) [fair_big >= 2]""",
    "one_symbol_at_most_another": """assume
  h: fair_cap <= gap

bound fair_low <= gap

proof
  bound: fair_low <= bound
    by [h] + [fair_low <= fair_cap]""",
    "a_limit_of_the_schedule_with_a_name": """assume
  h: fair_m <= alpha ell gap

schedule
  small: alpha <= 1/(2 ell)

bound fair_m <= gap/2

proof
  bound: fair_m <= bound
    by [h] + ell gap [small]""",
    "a_limit_of_the_schedule": """assume
  h: fair_m <= alpha ell gap

schedule
  alpha <= 1/(2 ell)

bound fair_m <= gap/2

example
  gap = 1, ell = 1, alpha = 1/4, fair_m = 1/8

proof
  bound: fair_m <= bound
    by [h] + ell gap [alpha]""",
    "lam_is_prescribed": """assume
  h: fair_m <= lam ell + gap

schedule
  lam = 1/ell

bound fair_m <= 1 + gap

proof
  bound: fair_m <= bound
    by [h] inserting lam""",
    "a_sum_with_a_line_as_a_factor": """assume
  h: fair_m <= gap
  k: ell >= 1

bound fair_m <= ell^2 gap

proof
  bound: fair_m <= bound
    by [h] + gap ([k] + 2) [k]""",
    "a_rounded_number": """assume
  h: fair_m <= gap/T

schedule
  T = ceil(n/2)

bound fair_m <= gap/ceil(n/2)

proof
  bound: fair_m <= bound
    by [h] inserting T""",
    "a_part_that_is_a_formula": """assume
  h: fair_m <= gap

bound fair_m <= gap + 1

parts
  twice: 2 fair_m <= 2 gap + 1 shown by twice

proof
  twice: 2 fair_m <= 2 gap + 1
    by 2 [h] + 1
  bound: fair_m <= bound
    by [h] + 1""",
}


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Take the pages' own symbols out of the tables of this process."""
    yield
    for name in [name for name in GLOSSARY if name.startswith("fair_")]:
        del GLOSSARY[name]


def finding_of(name, rest, folder):
    file = folder / "fair.page"
    file.write_text(PAGE.format(name=name, rest=rest), encoding="utf-8")
    (claim,) = load_page(file).CLAIMS
    return claim.examine(**claim.arguments_of(full=False))


@pytest.mark.parametrize("name", TRUE)
def test_a_true_page_is_proved(name, tmp_path):
    finding = finding_of(name, TRUE[name], tmp_path)
    assert finding.outcome is Outcome.PROVED, finding.sentence


def test_a_schedule_may_be_written_in_a_constant_of_ones_own(tmp_path):
    rest = """assume
  h: fair_m <= 2 gap/T

schedule
  T = 2 gap/fair_goal + 1

bound fair_m <= fair_goal

proof
  bound: fair_m <= bound
    by [h] + fair_goal/T inserting T"""
    text = PAGE.replace("symbols\n", "constants\n  fair_goal: above 0 -- what is wanted\n\nsymbols\n", 1).format(name="constant", rest=rest)
    file = tmp_path / "fair.page"
    file.write_text(text, encoding="utf-8")
    (claim,) = load_page(file).CLAIMS
    assert claim.examine(**claim.arguments_of(full=False)).outcome is Outcome.PROVED
    file.write_text(text.replace("fair_goal: above 0", "fair_goal: above 0, of a step"), encoding="utf-8")
    with pytest.raises(PageErrors, match="'fair_goal' is a constant: it cannot be 'of a step'"):
        load_page(file)


LEMMA = """theory-page 1

lemma fair.lemma -- A true line
source -- here
uses shared.symbols

symbols
  fair_m: at least 0 -- what is lost
  fair_k: above 0 -- twice what is lost, and 1
  fair_u: real -- the start
  fair_v: real -- the end

assume
  falls: fair_m <= fair_u - fair_v

where
  fair_k = 2 fair_m + 1

proof
  line: fair_v <= fair_u                        -- the end and the start
    by [falls] + fair_m
  twice: fair_k <= 2 fair_u - 2 fair_v + 1       -- twice what is lost, and 1
    by 2 [falls] + 0 inserting fair_k
"""


def test_a_line_is_attacked_where_its_symbols_may_be_only_and_a_lemma_may_define(tmp_path):
    """Where fair_u < fair_v no value of fair_m is left."""
    file = tmp_path / "fair.page"
    file.write_text(LEMMA, encoding="utf-8")
    (claim,) = load_page(file).CLAIMS
    finding = claim.examine(**claim.arguments_of(full=False))
    assert finding.outcome is Outcome.PROVED, finding.sentence


@pytest.mark.parametrize("inserting", ["", " inserting T"])
def test_an_assumption_that_is_said_again_is_no_theorem(inserting, tmp_path):
    """Also where something is inserted that does not stand in it."""
    rest = (
        f"assume\n  h: fair_m <= gap\n\nschedule\n  T = n\n\nbound fair_m <= gap\n\nproof\n  bound: fair_m <= bound\n    by [h]{inserting}"
    )
    assert finding_of("again", rest, tmp_path).outcome is Outcome.INCONCLUSIVE


def test_a_statement_without_a_proof_is_said_not_to_be_proved(tmp_path):
    finding = finding_of("unproved", "bound fair_m <= gap", tmp_path)
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert finding.sentence == "the page has no section 'proof' for fair.unproved: one would settle it"


def test_what_a_page_rests_on_is_shown(tmp_path):
    """Its conditions, where its bound for any schedule holds, its symbols with their domains, and what the proof takes."""
    rest = """assume
  h: fair_m <= gap

bound fair_m <= gap + 1/T

any_schedule gap + alpha ell/T
  step: alpha <= 1/ell

conditions
  long: T >= 2 -- T is {value}

given
  cited_fact: fair_low <= fair_m                -- below
    cited -- a book

proof
  free: fair_m <= any_schedule
    by [h] + alpha ell/T
  bound: fair_m <= bound
    by [h] + 1/T"""
    file = tmp_path / "fair.page"
    file.write_text(PAGE.format(name="shown", rest=rest), encoding="utf-8")
    text = load_page(file).THEOREMS["fair.shown"].show()
    for said in (
        "needs       T >= 2",
        "alpha <= 1/ell",
        "for any schedule with alpha <= 1/ell: what is bounded <=",
        "fair_low: at least 0, the same at every step, at most fair_cap -- a number below the cap",
        "takes       fair_low <= fair_m: below (a book)",
    ):
        assert said in text, said


def test_a_number_is_shown_as_one_that_is_evaluated_only(tmp_path):
    rest = (
        "assume\n  h: fair_m <= gap\n\nbound fair_m <= 2 gap\n\nnumbers\n  calls = 2 n\n\nproof\n  bound: fair_m <= bound\n    by [h] + gap"
    )
    file = tmp_path / "fair.page"
    file.write_text(PAGE.format(name="number", rest=rest), encoding="utf-8")
    text = load_page(file).THEOREMS["fair.number"].show()
    assert "(calls, evaluated only)" in text
    assert "what is bounded <=" in text  # the words of the symbol
