"""What holds by what the letters of the glossary stand for: the lines that a proof may take as meanings.

Here is what holds of the letters that all papers share. A page `bounds/PAPER/meanings.py` adds what holds of a paper's own, in tables of
the same names: MEANINGS, RUNS, NAMED, ROUND, GIVEN_WHERE_SUMMED, GIVEN_WHERE_SPOKEN_OF; any of them may be missing.
Limits of a letter (n >= 1, r <= d, a probability is at most 1) are lines already, see `bounds.derivation.limits_of`.
"""

from typing import Any

from bounds.contents import declared
from bounds.derivation import below_one
from bounds.lines import Step, line
from bounds.papers import PAPERS
from bounds.symbols import GLOSSARY, F_first, F_last, F_next, F_now, F_star, T, d, gap, grad_sq, mean_grad_sq

GAP = line("gap", gap, "=", F_first - F_star).says("gap = F_S(x_0) - F_S^*").meaning()
LAST_ABOVE_LEAST = (
    line("last_above_least", F_last, ">=", F_star).says("F_S^* is the smallest value, so F_S(x_T) is at least that").meaning()
)
ENDS = (LAST_ABOVE_LEAST, GAP)  # of a run
NOW_ABOVE_LEAST = line("now_above_least", F_now, ">=", F_star).says("F_S^* is the smallest value").meaning()
STEP_ABOVE_LEAST = (
    NOW_ABOVE_LEAST,
    line("next_above_least", F_next, ">=", F_star).says("F_S^* is the smallest value").meaning(),
)
FIRST_ABOVE_LEAST = line("first_above_least", F_first, ">=", F_star).says("F_S^* is the smallest value").meaning()
DELTA_BELOW_ONE = below_one(GLOSSARY["delta"])


def _of_papers(name: str) -> tuple[Any, ...]:
    """Return the entries of one table of all papers."""
    return tuple(entry for paper in PAPERS for entry in declared(paper, "meanings", name))


MEANINGS: tuple[Step, ...] = (
    *(GAP, LAST_ABOVE_LEAST, FIRST_ABOVE_LEAST, *STEP_ABOVE_LEAST, DELTA_BELOW_ONE),
    *_of_papers("MEANINGS"),
)
ROUND = {T, d, *_of_papers("ROUND")}  # numbers that a page without a theorem may say, in numbers that the reader may choose
AVERAGES = {grad_sq: mean_grad_sq}  # of a letter of a step: the letter for its average over the steps t = 0, ..., T - 1
RUNS = [(F_now, F_next, F_first, F_last), *_of_papers("RUNS")]  # letters for one thing at t, t + 1, 0 and T: their differences telescope
NAMED = _of_papers("NAMED")  # what a page may write for letters of these tables

# A letter that may be defined by a plain quantity, here the second of the pair, is that quantity given an event where a proof ...
GIVEN_WHERE_SUMMED = _of_papers("GIVEN_WHERE_SUMMED")  # sums the quantity over all steps
GIVEN_WHERE_SPOKEN_OF = _of_papers("GIVEN_WHERE_SPOKEN_OF")  # takes a line of these tables that speaks of the letter


def introduce_average(of: Any, mean: Any) -> None:
    """Say for this process that a letter stands for the average of another over the steps; the same twice is fine.

    Raises ValueError if the average of that letter has another name already, or if the letter is not one of a step.
    """
    others = {other for letter, other in AVERAGES.items() if letter != of}
    if mean in others or GLOSSARY[mean.name].per_step or AVERAGES.get(of, mean) != mean or not GLOSSARY[of.name].per_step:
        raise ValueError(f"mean = {mean}: a symbol of a step, {of}, and a symbol that stands for its average only are needed")
    AVERAGES[of] = mean


def introduce_run(now: Any, after: Any, first: Any, last: Any) -> None:
    """Say for this process which letters stand for one quantity at t, at t + 1, at 0 and at T; the same twice is fine.

    Raises ValueError if one of the first two has another run already, or is not a letter of a step.
    """
    run = (now, after, first, last)
    taken = [one for one in RUNS if {now, after} & {*one[:2]} and one != run]
    ends = {one for other in RUNS for one in other[2:]}
    meant = set().union(*(one.letters for one in MEANINGS)) - ends
    if taken or meant & {*run} or not all(GLOSSARY[one.name].per_step for one in (now, after)):
        raise ValueError(f"now = {now}: two symbols of a step that belong to no other run are needed")
    if run not in RUNS:
        RUNS.append(run)
