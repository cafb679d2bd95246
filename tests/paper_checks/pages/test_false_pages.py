"""False theorems as pages of one's own: what a proof rests on and no reader sees. None of them may come out PROVED.

Each changes one true page, whose verdict is PROVED, in one place: a sign, a domain, a role, a definition, a hypothesis, a part that no line
reaches. Either the page is refused, with the place, or the verdict says that it is not proved.
"""

from collections.abc import Iterator

import pytest

from bounds.pages.tokens import BadPage
from bounds.proofs.meanings import AVERAGES, RUNS
from bounds.symbols import GLOSSARY
from paper_checks.pages.own import PageErrors, load_page
from paper_checks.verdict import Outcome

TRUE = """theory-page 1

theorem liar.small -- A bound for a recursion
source -- here
uses shared.symbols, shared.facts

setting
  step -- a step takes at least half of the gradient off the loss

symbols
  liar_pull: at least 0, of a step, average liar_mean -- half of the gradient's square
  liar_mean: at least 0 -- its average over the steps
  liar_extra: at least 0 -- what the step adds

assume
  descent: liar_pull <= F_now - F_next + liar_extra       -- the descent
  small: liar_extra <= 1/T                                -- little is added

schedule
  T = n

bound liar_mean <= (gap + 1)/n

any_schedule (gap + 1)/T
  many: T >= 1

parts
  added: liar_extra <= 1 shown by at_most_one

example
  n = 100, gap = 1, liar_pull = 1, F_now = 2, F_next = 1, liar_extra = 1/1000

given
  known gap, last_above_least

proof
  summed: liar_mean <= (F_first - F_last)/T + liar_extra
    average of descent
  at_most_one: liar_extra <= 1
    by [small] + (1/T) [many]
  any_schedule: liar_mean <= any_schedule
    by [summed] + [small] + (1/T) [last_above_least] + (1/T) [gap]
  bound: liar_mean <= bound
    by [any_schedule] inserting T
"""
FALSE = {  # what is changed, each old text with the new one
    "a sign that no definition gives": [("liar_extra <= 1/T  ", "-liar_extra <= 1/T  "), ("+ [small] +", "+ liar_extra + [small] +")],
    "a domain of a shared symbol declared again": [("  liar_extra: at", "  F_now: at least 0, of a step -- the loss\n  liar_extra: at")],
    "a role that is not declared": [("liar_extra: at least 0 --", "liar_extra: real --"), ("[small] + (1/T) [many]", "[liar_extra <= 1]")],
    "an average of what does not change": [("liar_pull: at least 0, of a step,", "liar_pull: at least 0,")],
    "an average that is not declared": [("liar_pull: at least 0, of a step, average liar_mean", "liar_pull: at least 0, of a step")],
    "an average that another symbol has": [("average liar_mean", "average mean_grad_sq")],
    "a run that is not declared": [("F_now - F_next + liar_extra  ", "F_now - F_last + liar_extra  "), ("F_next = 1,", "F_last = 1,")],
    "a statement that defines a quantity": [("  T = n", "  T = n\n  liar_mean = 0")],
    "a statement that defines a constant": [("  T = n", "  T = n\n  gap = 0")],
    "a proof that defines what facts speak of": [("  known gap,", "  F_last = F_first\n    defined\n  known gap,")],
    "a proof that defines what the bound is about": [("  known gap,", "  liar_mean = 0\n    defined\n  known gap,")],
    "a part that the line does not show": [("added: liar_extra <= 1 shown", "added: liar_extra <= 1/2 shown")],
    "a part that no line shows": [("<= 1 shown by at_most_one", "<= 1/2")],
    "a bound for any schedule that no line reaches": [
        ("any_schedule (gap + 1)/T", "any_schedule gap/T"),
        ("<= any_schedule\n", "<= (gap + 1)/T\n"),
    ],
    "a bound that is not the last line": [
        ("bound liar_mean <= (gap + 1)/n", "bound liar_mean <= gap/n"),
        ("<= bound\n", "<= (gap + 1)/n\n"),
    ],
    "a hypothesis that only 0 meets": [("small: liar_extra <= 1/T", "small: T liar_extra <= -liar_extra"), ("+ [small] +", "+")],
    "hypotheses that exclude each other": [("-- little is added", "-- little is added\n  large: liar_extra >= 2/T")],
    "a schedule that breaks its own limit": [("many: T >= 1", "many: T >= n + 1")],
    "an example outside the domain": [("liar_extra = 1/1000", "liar_extra = 0")],
    "a limit that is only advice": [
        ("  many: T >= 1\n", ""),
        ("\nexample", "\nconditions\n  scope many: T >= 1 -- T = {value}\n\nexample"),
    ],
    "a fact that is a meaning of one's own": [("  known gap,", "  mine: F_last >= F_first\n    meaning\n  known gap,")],
    "a fact that nobody stated": [("known gap, last_above_least", "known gap, last_above_most")],
    "a factor of unknown sign": [("(1/T) [last_above_least]", "(F_star/T) [last_above_least]")],
    "a denominator that may be 0": [("+ (1/T) [gap]", "+ (1/T) [gap] + (1/(gap - n)) ([gap])")],
    "signs that do nothing": [("  T = n", "  T = n signs many")],
    "a line that rests on itself": [("by [any_schedule] inserting T", "by [bound] inserting T")],
    "a line further down": [("by [small] + (1/T) [many]", "by [bound]")],
    "a strict inequality from a weak one": [("at_most_one: liar_extra <= 1", "at_most_one: liar_extra < 1")],
    "an equality from an inequality": [("at_most_one: liar_extra <= 1", "at_most_one: liar_extra = 1")],
    "a quoted line that says something else": [
        ("  known gap,", "  q_bound: liar_extra <= 1/2\n    from failure of dpzero.theorem3\n  known gap,")
    ],
    "an instance that the lemma does not allow": [
        ("shared.symbols, shared.facts", "shared.symbols, dpzero.symbols, shared.facts"),
        (
            "  known gap,",
            "  mine: liar_extra <= ell lam d/2\n    from remainder of dpzero.section4_tail with remainder_size = liar_extra\n  known gap,",
        ),
    ],
    "a name that looks like another": [("by [small] + (1/T) [many]", "by [smaIl] + (1/T) [many]")],
    "a letter of another alphabet": [("by [small] + (1/T) [many]", "by [sm\u0430ll] + (1/T) [many]")],
    "a precedence that is read differently": [("any_schedule (gap + 1)/T", "any_schedule gap + 1/T (1)")],
    "words that cannot be seen": [("-- little is added", "-- little is \u202eadded")],
    "a bound whose words say something else": [("<= (gap + 1)/n\n\nany", "<= (gap + 1)/n -- the loss at the end\n\nany")],
    "a part whose words say something else": [("shown by at_most_one", "shown by at_most_one -- the gradient")],
    "words of a part that is a formula": [
        ("  added: liar_extra <= 1 shown", "  added: 2 liar_extra <= 2 shown"),
        ("at_most_one\n\nex", "at_most_one -- a\n\nex"),
    ],
    "a number among the parts": [("  added: liar", "  better = gap/n^9 -- the average pull\n  added: liar")],
    "another meaning of an abbreviation": [("\nschedule", "\nwhere\n  kappa = 1\n\nschedule")],
    "a case that never holds": [("<= 1 shown", "<= 1 where gap <= -1 shown")],
    "two cases at once": [
        ("  known gap,", "  below: liar_extra <= 1/T^2\n    case\n  above: liar_extra >= 2/T\n    case\n  known gap,"),
        ("by [small] + (1/T) [many]", "by [small] + (1/T) [many] + [below] + [above] - [below] - [above]"),
    ],
    "an assumption against a quoted fact": [
        ("uses shared.symbols, shared.facts", "uses shared.symbols, shared.facts, dpzero.symbols, dpzero.facts"),
        ("-- little is added", "-- little is added\n  large: coordinate_sq >= 2 -- a large coordinate"),
        ("liar_extra = 1/1000", "liar_extra = 1/1000, coordinate_sq = 3"),
        ("  known gap,", "  known coordinate, gap,"),
    ],
    "a schedule that leaves the range of its steps where T is 1": [
        ("  T = n\n", "  alpha = 2/(ell sqrt(T))\n"),
        ("  many: T >= 1\n", "  many: T >= 1\n  step_size: alpha <= 1/ell\n"),
        ("bound liar_mean <= (gap + 1)/n", "bound liar_mean <= (gap + 1)/T"),
        ("n = 100, gap = 1", "T = 100, ell = 1, gap = 1"),
        ("by [any_schedule] inserting T", "by [any_schedule]"),
    ],
    "an average whose domain no step can have": [
        ("  liar_mean: at least 0 --", "  liar_mean: at least 10 --"),
        ("-- little is added", "-- little is added\n  few: liar_pull <= 1"),
        ("n = 100, gap = 1, liar_pull = 1", "n = 100, gap = 1, liar_pull = 1/2"),
    ],
    "a run that begins outside of its domain": [
        (
            "  liar_extra: at",
            "  liar_now: at least 5, of a step, next liar_next, first liar_first, last liar_last -- a count\n  liar_extra: at",
        ),
        ("  liar_extra: at", "  liar_next: at least 7, of a step -- the count afterwards\n  liar_extra: at"),
        ("  liar_extra: at", "  liar_first: probability -- the count first\n  liar_last: at least 0 -- the count last\n  liar_extra: at"),
        ("-- little is added", "-- little is added\n  falls: liar_next <= liar_now - liar_pull"),
    ],
    "a run that ends in a symbol of the lab": [
        ("  liar_extra: at", "  liar_now: real, of a step, next liar_next, first F_first, last F_last -- a page\n  liar_extra: at"),
        ("  liar_extra: at", "  liar_next: real, of a step -- the page afterwards\n  liar_extra: at"),
    ],
    "the words of another symbol": [("-- what the step adds", "-- squared gradient norm, averaged over the steps")],
    "a name in free words": [("shown by at_most_one", 'shown by at_most_one called "always"')],
    "a number of steps that is none": [("  T = n", "  T = 3/2"), ("<= (gap + 1)/n", "<= 2 (gap + 1)/3"), ("n = 100, gap", "gap")],
    "a number that is huge": [("small: liar_extra <= 1/T", "small: liar_extra <= " + "9" * 60)],
}


def outcome(text: str, folder) -> Outcome | None:
    """Return the verdict of a page in a folder, None where it is refused."""
    file = folder / "liar.page"
    file.write_text(text, encoding="utf-8")
    try:
        (claim,) = load_page(file).CLAIMS
    except (PageErrors, BadPage):
        return None
    return claim.examine(**claim.arguments_of(full=False)).outcome


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Take the page's own symbols out of the tables of this process."""
    yield
    mine = {name: one.symbol for name, one in GLOSSARY.items() if name.startswith("liar_")}
    for name, symbol in mine.items():
        del GLOSSARY[name]
        AVERAGES.pop(symbol, None)
    RUNS[:] = [run for run in RUNS if not {*run} & {*mine.values()}]


def test_the_true_page_is_proved(tmp_path) -> None:
    """All that is changed below is right here."""
    assert outcome(TRUE, tmp_path) is Outcome.PROVED


@pytest.mark.parametrize("kind", FALSE)
def test_a_false_page_is_not_proved(kind: str, tmp_path) -> None:
    """It is refused with its place, or INCONCLUSIVE or REFUTED."""
    text = TRUE
    for old, new in FALSE[kind]:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    assert outcome(text, tmp_path) is not Outcome.PROVED
