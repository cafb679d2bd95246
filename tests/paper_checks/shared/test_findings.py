"""How a search or a sample is judged, for every judge that the papers share: the outcome on both sides of its limit, and what it says.

Of every finding: its seed and its false alarm are those of the examination, every number of its sentence is one of its evidence or of what
it was given, and every argument of a judge counts.
"""

import inspect
import re
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from paper_checks.compare import LEVEL, check_mean_below, mean_interval
from paper_checks.shared import draws, privacy
from paper_checks.shared.audit import Audit, audit_finding
from paper_checks.shared.draws import check_noise, check_sphere_directions, check_uniform_index, noise_p_values
from paper_checks.shared.findings import (
    check_condition,
    check_deviation,
    check_interval,
    check_probability_at_least,
    check_probability_at_most,
    check_ratio,
    check_sample_means,
    check_variance,
    clopper_pearson,
)
from paper_checks.shared.runs import check_fitted_exponent, check_run_below
from paper_checks.shared.search import check_allowances, check_deviations, check_ratios
from paper_checks.shared.symbols import Spelling, check_listed_inputs
from paper_checks.shared.tables import check_largest_drop, check_printed_numbers
from paper_checks.verdict import Outcome, consistent, refuted
from synthetic import draws as synthetic_draws

CONSISTENT, REFUTED, INCONCLUSIVE = Outcome.CONSISTENT, Outcome.REFUTED, Outcome.INCONCLUSIVE
NEAR = 1e-9
SAMPLES = 2.0 * np.random.default_rng(2).beta(2, 5, 60)
LOW = mean_interval(SAMPLES, 2.0)[0]
NORMAL = np.random.default_rng(5).standard_normal(400)
SE = NORMAL.std(ddof=1) / 20  # of the mean of these 400
OFF = float(stats.norm.isf(LEVEL / 2))  # standard errors that one mean may be off, and each of two
OFF_OF_TWO = float(stats.norm.isf(LEVEL / 4))
FOUND = consistent("found", {"there": 1.0})
WRONG = refuted("found", {"there": 1.0}, {"at": 1})
TWICE = {"one": (NORMAL, NORMAL.mean()), "two": (NORMAL, NORMAL.mean() + 1.001 * OFF_OF_TWO * SE)}
CHI_SQUARE = float(stats.chi2.ppf(LEVEL / 2, 40)), float(stats.chi2.isf(LEVEL / 2, 40))
AUDIT = {"epsilon": 2.0, "delta": 1e-5, "any_noise": 0.5, "normal": 0.4, "mu": 0.3, "runs": 100, "level": 0.01}
PATH = np.full((50, 4), 0.1) + 0.01 * np.arange(50)[:, None]
RUN = SimpleNamespace(grad_norm_sq=PATH, diverged=np.zeros(50, dtype=bool), clipped=np.full((50, 3), 0.25))
POINTS, ERRORS = (1.0, 2.0, 4.0), (1.0, 2.0, 4.0)
CHECKED = {"claimed": 1.0, "tolerance": 0.05, "shown": "error"}
WORDS = {"words": "so it is", "seed": 7}
ROWS = {"A": (1.0, 2.0), "B": (2.5, 2.2)}


def judge_of(make, values, **arguments):
    """A judge of the largest of some values, made by one of the makers of examinations."""
    return make(lambda *, seed: ((value, {"k": k}) for k, value in enumerate(values)))(seed=7, **arguments)


def audited(certified, **more):
    return Audit(certified=certified, **AUDIT | more)


CASES = {  # what is judged, the outcome, and the probability of a false alarm that it has to state; seed 7 where it takes one
    "it holds": (lambda: check_condition(True, "words", {"a": 1}, seed=7), CONSISTENT, 0),
    "it does not": (lambda: check_condition(False, "words", {"a": 1}, seed=7), REFUTED, 0),
    "a mean as far off as it may be": (lambda: check_sample_means({"m": (NORMAL, NORMAL.mean() - 0.999 * OFF * SE)}, FOUND, 7),
         CONSISTENT, LEVEL),
    "a mean further off above": (lambda: check_sample_means({"m": (NORMAL, NORMAL.mean() - 1.001 * OFF * SE)}, FOUND, 7), REFUTED, LEVEL),
    "a mean further off below": (lambda: check_sample_means({"m": (NORMAL, NORMAL.mean() + 1.001 * OFF * SE)}, FOUND, 7), REFUTED, LEVEL),
    "two means share the level": (
        lambda: check_sample_means({**TWICE, "two": (NORMAL, NORMAL.mean() + 0.999 * OFF_OF_TWO * SE)}, FOUND, 7), CONSISTENT, LEVEL,
    ),
    "one of two means further off": (lambda: check_sample_means(TWICE, FOUND, 7), REFUTED, LEVEL),
    "draws that agree with a refutation": (lambda: check_sample_means({"m": (NORMAL, NORMAL.mean())}, WRONG, 7), REFUTED, LEVEL),
    "draws that speak against a refutation": (lambda: check_sample_means(TWICE, WRONG, 7), INCONCLUSIVE, LEVEL),
    "within the tolerance": (lambda: check_deviation(0.5, {"x": 1}, 3, "words", 7, 0.5), CONSISTENT, 0),
    "beyond the tolerance": (lambda: check_deviation(0.5 * (1 + NEAR), {"x": 1}, 3, "words", 7, 0.5), REFUTED, 0),
    "no number": (lambda: check_deviation(np.nan, {"x": 1}, 3, "words", 7), REFUTED, 0),
    "as much as is allowed": (lambda: check_ratio(1.0, {"x": 1}, 3, "words", 7, 1.0), CONSISTENT, 0),
    "more than is allowed": (lambda: check_ratio(1 + 2e-9, {"x": 1}, 3, "words", 7), REFUTED, 0),
    "no ratio": (lambda: check_ratio(np.nan, {"x": 1}, 3, "words", 7), REFUTED, 0),
    "not near enough": (lambda: check_ratio(0.9 - NEAR, {"x": 1}, 3, "words", 7, 0.9), INCONCLUSIVE, 0),
    "all of an interval inside": (lambda: check_interval((1.0, 2.0), (1.0, 2.0), WRONG), CONSISTENT, 0),
    "a part of it outside": (lambda: check_interval((1.0 - NEAR, 2.0), (1.0, 2.0), WRONG), INCONCLUSIVE, 0),
    "a part of it above": (lambda: check_interval((1.0, 2.0 + NEAR), (1.0, 2.0), WRONG), INCONCLUSIVE, 0),
    "its end inside": (lambda: check_interval((0.0, 1.0), (1.0, 2.0), WRONG), INCONCLUSIVE, 0),
    "its beginning inside": (lambda: check_interval((2.0, 3.0), (1.0, 2.0), WRONG), INCONCLUSIVE, 0),
    "all of it below": (lambda: check_interval((0.0, 1.0 - NEAR), (1.0, 2.0), WRONG), REFUTED, 0),
    "all of it above": (lambda: check_interval((2.0 + NEAR, 3.0), (1.0, 2.0), WRONG), REFUTED, 0),
    "a variance in its interval": (lambda: check_variance(CHI_SQUARE[0] * (1 + NEAR), 40, "words", 7), CONSISTENT, LEVEL),
    "a variance below": (lambda: check_variance(CHI_SQUARE[0] * (1 - NEAR), 40, "words", 7), REFUTED, LEVEL),
    "a variance above": (lambda: check_variance(CHI_SQUARE[1] * (1 + NEAR), 40, "words", 7), REFUTED, LEVEL),
    "a count below its bound": (lambda: check_probability_at_most(20, 50, clopper_pearson(20, 50)[0], "words", 7), CONSISTENT, LEVEL),
    "a count above its bound": (lambda: check_probability_at_most(20, 50, clopper_pearson(20, 50)[0] - NEAR, "words", 7), REFUTED, LEVEL),
    "as many as claimed": (lambda: check_probability_at_least(20, 50, 0.4, "words", 7), CONSISTENT, LEVEL),
    "one less than claimed": (lambda: check_probability_at_least(19, 50, 0.4, "words", 7), INCONCLUSIVE, LEVEL),
    "far fewer": (lambda: check_probability_at_least(20, 50, clopper_pearson(20, 50)[1] + NEAR, "words", 7), REFUTED, LEVEL),
    "a mean below a bound": (lambda: check_mean_below(SAMPLES, LOW, ceiling=2.0, seed=7, where="there"), CONSISTENT, LEVEL),
    "a mean above a bound": (lambda: check_mean_below(SAMPLES, LOW * (1 - NEAR), ceiling=2.0, seed=7, where="there"), REFUTED, LEVEL),
    "a bound that is far above": (lambda: check_mean_below(SAMPLES, 1001 * LOW, ceiling=2.0, seed=7, where="there"), INCONCLUSIVE, LEVEL),
    "runs below a bound": (lambda: check_run_below(RUN, 1.9, ceiling=2.0, schedule={"T": 3}, seed=7, where="there"), CONSISTENT, LEVEL),
    "runs above a bound": (lambda: check_run_below(RUN, 1e-3, ceiling=2.0, schedule={"T": 3}, seed=7, where="there"), REFUTED, LEVEL),
    "a bound that tests nothing": (lambda: check_run_below(RUN, 2.0, ceiling=2.0, schedule={"T": 3}, seed=7, where="there"),
         INCONCLUSIVE, 0),
    "an exponent": (lambda: check_fitted_exponent("n", POINTS, ERRORS, 1.0, tolerance=0.05, shown="error", steps=[5.0, 6.0]),
         CONSISTENT, 0),
    "an exponent above": (lambda: check_fitted_exponent("n", POINTS, ERRORS, 0.9, tolerance=0.05, shown="error"), REFUTED, 0),
    "an exponent below": (lambda: check_fitted_exponent("n", POINTS, ERRORS, 1.1, tolerance=0.05, shown="error"), INCONCLUSIVE, 0),
    "too short a run": (lambda: check_fitted_exponent("n", POINTS, ERRORS, 1.0, tolerance=0.05, shown="error", steps=[4.999]),
         INCONCLUSIVE, 0),
    "small deviations": (lambda: judge_of(check_deviations("words", 0.5), (0.1, 0.5)), CONSISTENT, 0),
    "a deviation": (lambda: judge_of(check_deviations("words", 0.5), (0.1, 0.5 + NEAR)), REFUTED, 0),
    "an allowance": (lambda: judge_of(check_allowances("words", reach=0.9, rounding=0.1), (0.2, 1.1)), CONSISTENT, 0),
    "above an allowance": (lambda: judge_of(check_allowances("words", reach=0.9, rounding=0.1), (0.2, 1.1001)), REFUTED, 0),
    "far below an allowance": (lambda: judge_of(check_allowances("words", reach=0.9, rounding=0.1), (0.2, 0.98)), INCONCLUSIVE, 0),
    "ratios": (lambda: judge_of(check_ratios("largest", "{value} at {k}", "{value} of {tried}", 3.0), (2.0, 3.0)), CONSISTENT, 0),
    "a ratio": (lambda: judge_of(check_ratios("largest", "{value} at {k}", "{value} of {tried}", 3.0), (2.0, 3.5)), REFUTED, 0),
    "a sensitivity": (lambda: privacy.check_sensitivity(iter([(1 + 1e-9, {}, {"leak": 1e-9})]), stated="it", seed=7), CONSISTENT, 0),
    "too large a sensitivity": (lambda: privacy.check_sensitivity(iter([(1 + 2e-8, {"k": 0}, {"leak": 0.0})]), stated="it", seed=7),
         REFUTED, 0),
    "a leak": (lambda: privacy.check_sensitivity(iter([(1.0, {"k": 0}, {"leak": 2e-8})]), stated="it", seed=7), REFUTED, 0),
    "a sensitivity that is not reached": (
        lambda: privacy.check_sensitivity(iter([(0.998, {}, {"leak": 0.0})]), stated="it", seed=7), INCONCLUSIVE, 0,
    ),
    "what an attack certifies": (lambda: audit_finding(audited(2.0), 0.9, {"T": 3}, 7), CONSISTENT, 0.01),
    "more than is declared": (lambda: audit_finding(audited(2.0 + NEAR), 0.9, {"T": 3}, 7), REFUTED, 0.01),
    "less than its reach": (lambda: audit_finding(audited(1.8 - NEAR), 0.9, {"T": 3}, 7), INCONCLUSIVE, 0.01),
}  # fmt: skip
UNSEEDED = {
    *("a part of it outside", "a part of it above", "its end inside", "its beginning inside", "all of an interval inside"),
    *("all of it below", "all of it above", "an exponent", "an exponent above", "an exponent below", "too short a run"),
}
NUMBER = re.compile(r"(?<![\w.^])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


def values(evidence):
    """All numbers in evidence, however nested."""
    if isinstance(evidence, dict):
        evidence = [*evidence.values()]
    if isinstance(evidence, list | tuple):
        return [one for entry in evidence for one in values(entry)]
    return [float(evidence)] if isinstance(evidence, int | float | np.number) and not isinstance(evidence, bool) else []


def agrees(text, known):
    """Whether a number of a sentence is one that is known, to the digits that are shown."""
    digits = len(text.partition("e")[0].partition(".")[2])
    unit = float(f"1e{int(text.partition('e')[2] or 0) - digits}")
    return any(abs(float(text) - one) <= 0.5001 * unit for one in known)


@pytest.mark.parametrize("name", CASES)
def test_the_outcome_on_either_side_of_a_limit(name):
    make, outcome, false_alarm = CASES[name]
    found = make()
    assert found.outcome is outcome
    assert found.false_alarm == false_alarm
    assert found.seed == (None if name in UNSEEDED else 7)


@pytest.mark.parametrize("name", CASES)
def test_the_numbers_of_a_sentence_are_those_of_its_evidence(name):
    found = CASES[name][0]()
    known = [*values(found.numbers), *values(found.witness), LEVEL]
    known += [found.numbers["bound"] / found.numbers["low"]] if "bound" in found.numbers and found.numbers["low"] else []
    known += [POINTS[0], POINTS[-1], 0.9, 2.0] if found.plot or "epsilon" in found.sentence else []
    known += [0.9] if "of it" in found.sentence or "of the declared" in found.sentence else []
    if found is not WRONG:
        assert [text for text in NUMBER.findall(found.sentence) if not agrees(text, known)] == []


ARGUMENTS = {  # a judge, what it is given, and another value of each argument
    check_condition: ({"holds": True, "words": "a", "found": {"x": 1}}, {"holds": False, "words": "b", "found": {"x": 2},
        "more": {"seed": 3}}),
    check_sample_means: (
        {"drawn": {"m": (NORMAL, 0.0)}, "found": FOUND, "seed": 7},
        {"drawn": {"m": (NORMAL, 1.0)}, "found": WRONG, "seed": 8},
    ),
    check_deviation: (
        {"worst": 0.1, "at": {"x": 1}, "tried": 3, "tolerance": 0.01, **WORDS},
        {"worst": 0.2, "at": {"x": 2}, "tried": 4, "tolerance": 0.3, "words": "b", "seed": 8, "numbers": {"more": 1}},
    ),
    check_ratio: (
        {"ratio": 2.0, "at": {"x": 1}, "tried": 3, **WORDS},
        {"ratio": 0.2, "at": {"x": 2}, "tried": 4, "words": "b", "seed": 8, "reach": None},
    ),
    check_interval: (
        {"interval": (0.5, 1.5), "wanted": (1.0, 2.0), "outside": WRONG},
        {"interval": (1.1, 1.5), "wanted": (0.0, 2.0), "outside": refuted("other", {}, {"at": 2}), "settles": "runs"},
    ),
    check_variance: ({"squares": 40.0, "degrees": 40, **WORDS}, {"squares": 41.0, "degrees": 41, "words": "b", "seed": 8,
        "numbers": {"more": 1}}),
    check_probability_at_most: (
        {"hits": 5, "runs": 50, "bound": 0.2, **WORDS},
        {"hits": 6, "runs": 51, "bound": 0.3, "words": "b", "seed": 8, "numbers": {"more": 1}},
    ),
    check_probability_at_least: (
        {"hits": 5, "runs": 50, "bound": 0.2, **WORDS},
        {"hits": 6, "runs": 51, "bound": 0.3, "words": "b", "seed": 8, "numbers": {"more": 1}},
    ),
    check_mean_below: (
        {"samples": SAMPLES, "bound": 1.0, "ceiling": 2.0, "seed": 7, "where": "a"},
        {"samples": SAMPLES / 2, "bound": 1.1, "ceiling": 2.5, "seed": 8, "where": "b"},
    ),
    check_run_below: (
        {"run": RUN, "bound": 1.0, "ceiling": 2.0, "schedule": {"T": 3}, "seed": 7, "where": "a"},
        {"run": SimpleNamespace(**{**vars(RUN), "clipped": RUN.clipped * 2}), "bound": 1.1, "ceiling": 2.5, "schedule": {"T": 4}, "seed": 8,
         "where": "b"},
    ),
    check_fitted_exponent: (
        {"letter": "n", "points": POINTS, "errors": ERRORS, **CHECKED},
        {"letter": "d", "points": (1.0, 2.0, 5.0), "errors": (1.0, 2.0, 5.0), "claimed": 1.1, "tolerance": 0.06, "shown": "gap",
         "times": {"steps": [3.0]}},
    ),
    check_printed_numbers: (
        {"words": "a", "computed": {"x": 1.04}, "printed": {"x": 1.0}},
        {"words": "b", "computed": {"x": 1.05}, "printed": {"x": 1.04}, "digits": 0.05},
    ),
    check_largest_drop: (
        {"words": "a", "of": {"t": (ROWS, "A", "B")}, "printed": 1.5},
        {"words": "b", "of": {"t": (ROWS, "B", "A")}, "printed": 1.4},
    ),
    audit_finding: (
        {"audit": audited(1.9), "reach": 0.9, "at": {"T": 3}, "seed": 7},
        {"audit": audited(1.9, runs=101), "reach": 0.99, "at": {"T": 4}, "seed": 8},
    ),
    check_listed_inputs: (
        {"listed": {"x"}, "lines": ["x + y"], "computed": {"z"}, "spelling": Spelling({})},
        {"listed": {"y"}, "lines": ["x"], "computed": {"y"}, "spelling": Spelling({"y": "Y"})},
    ),
}  # fmt: skip


@pytest.mark.parametrize("judge", ARGUMENTS, ids=lambda one: one.__name__)
def test_every_argument_of_a_judge_counts(judge):
    import sympy as sp

    base, others = ARGUMENTS[judge]
    if judge is check_listed_inputs:
        base, others = ({**one, **{k: set(map(sp.Symbol, one[k])) for k in ("listed", "computed")}} for one in (base, others))
    for name, parameter in inspect.signature(judge).parameters.items():
        more = others[name] if parameter.kind is parameter.VAR_KEYWORD else {name: others[name]}
        start = base
        if judge is check_ratio and name == "reach":
            start, more = {**base, "ratio": 0.5}, {"reach": 0.6}
        if judge is check_ratio and name == "tried":
            start = {**base, "ratio": 0.5}
        assert repr(vars(judge(**start))) != repr(vars(judge(**{**start, **more}))), f"{name} is ignored"


# --- draws ------------------------------------------------------------------------------------------------------------------------------
def drawn(runs=601):
    rng = np.random.default_rng(11)
    return [rng.standard_normal((runs, 2)) for _ in range(2)], rng.standard_normal(runs)


def shared(name):
    """The noise of two steps with one thing wrong, and the number that is drawn besides."""
    (first, second), besides = drawn()
    half = len(first) // 2
    if name == "deviation of coordinate 1":
        first[:, 1], second[:, 1] = first[:, 1] * 1.3, second[:, 1] * 1.3
    elif name == "steps, coordinate 0":
        second[:, 0] = first[:, 0] * 0.5 + second[:, 0] * 0.75**0.5
    elif name == "runs, coordinate 1":
        first[half : 2 * half, 1] = first[:half, 1]
    elif name == "direction, coordinate 0":
        besides = first[:, 0] + besides
    elif name == "coordinates 0 and 1":
        first[:, 1] = -first[:, 0]
    return (first, second), besides


@pytest.mark.parametrize(
    "name",
    ["deviation of coordinate 1", "steps, coordinate 0", "runs, coordinate 1", "direction, coordinate 0", "coordinates 0 and 1", ""],
)
def test_whatever_is_wrong_with_noise_is_named_and_nothing_where_nothing_is(name):
    noise, besides = shared(name)
    found = check_noise(noise, beside=0.0, seed=7, rounding=1e-9, directions=besides)
    assert found.outcome is (REFUTED if name else CONSISTENT)
    assert (found.numbers["of"] == name) == bool(name)
    assert (found.false_alarm, found.seed, found.numbers["runs"], found.numbers["tests"]) == (LEVEL, 7, 601, 9)


def test_the_deviation_of_noise_is_judged_on_both_sides_by_both_steps():
    noise, _ = drawn()
    square = (noise[0][:, 0] ** 2).sum() + (noise[1][:, 0] ** 2).sum()
    for factor in (0.93, 1.07):
        p = noise_p_values([factor * one for one in noise])["deviation of coordinate 0"]
        lower = stats.gamma(601, scale=2).cdf(factor**2 * square)  # chi-square of 2 x 601 degrees
        assert p == pytest.approx(2 * min(lower, 1 - lower), rel=1e-6)


@pytest.mark.parametrize(("share_of_level", "beside", "outcome"), [
    (1 + NEAR, 1e-9, CONSISTENT), (1 - NEAR, 0.0, REFUTED), (1 + NEAR, 1.1e-9, REFUTED), (np.nan, 0.0, REFUTED), (1.1, np.nan, REFUTED),
])  # fmt: skip
def test_the_tests_of_noise_share_its_level(share_of_level, beside, outcome, monkeypatch):
    noise, _ = drawn(20)
    monkeypatch.setattr(draws, "noise_p_values", lambda *given: {"a": share_of_level * LEVEL / 3, "b": 0.5, "c": 0.9})
    assert check_noise(noise, beside=beside, seed=7, rounding=1e-9).outcome is outcome


def test_directions_are_judged_by_their_length_their_law_and_their_signs(monkeypatch):
    true = synthetic_draws.draw_directions
    asked = {"dimensions": (1, 2, 3), "samples": 300, "seed": 7}
    p = []
    for d in (2, 3):
        u = true(np.random.default_rng(np.random.SeedSequence(7, spawn_key=(d,))), 300, d, "sphere")
        for axis in (u[:, 0], u.sum(axis=1) / d**0.5):
            grid = np.sort(axis**2 / d)
            law = stats.beta(0.5, (d - 1) / 2).cdf(grid)
            distance = max((np.arange(1, 301) / 300 - law).max(), (law - np.arange(300) / 300).max())
            p += [2 * np.exp(-600 * distance**2), stats.binomtest(int((axis > 0).sum()), 300).pvalue]
    fine = check_sphere_directions(**asked)
    assert (fine.outcome, fine.false_alarm, fine.seed, fine.numbers["directions"]) == (CONSISTENT, LEVEL, 7, 900)
    assert fine.numbers["least p-value"] == pytest.approx(min(p))
    for wrong in (lambda u: u * (1 + 1e-11), np.abs, lambda u: np.where(np.arange(len(u))[:, None] % 2, u, u[:1])):
        monkeypatch.setattr(synthetic_draws, "draw_directions", lambda *given, wrong=wrong: wrong(true(*given)))
        assert check_sphere_directions(**asked).outcome is REFUTED
    sizes = [(1 - 1e-9, CONSISTENT), (1 + 1e-9, REFUTED)]
    monkeypatch.setattr(synthetic_draws, "draw_directions", true)
    for size, outcome in sizes:  # each dimension has four tests: two laws, two counts of signs
        monkeypatch.setattr(stats, "binomtest", lambda *_, size=size: SimpleNamespace(pvalue=LEVEL / 12 / size))
        assert check_sphere_directions(**asked).outcome is outcome


def test_every_index_has_its_share_of_the_level():
    T, runs = 4, 400
    even = np.repeat(np.arange(T), runs // T)
    fine = check_uniform_index(even, T, seed=7, rounding=1e-9, off=1e-9)
    assert (fine.outcome, fine.false_alarm, fine.seed, fine.numbers["counts"]) == (CONSISTENT, LEVEL, 7, [100] * 4)
    assert check_uniform_index(even, T, seed=7, rounding=1e-9, off=1.1e-9).outcome is REFUTED
    assert check_uniform_index(even, T + 1, seed=7, rounding=1e-9, off=0.0).outcome is REFUTED  # the last is never drawn
    assert check_uniform_index(even, T - 1, seed=7, rounding=1e-9, off=0.0).outcome is REFUTED  # one is beyond the last
    outcomes = []
    for first in range(100, 200):
        rest = np.arange(runs - first) % (T - 1) + 1
        found = check_uniform_index(np.concatenate([np.zeros(first, dtype=int), rest]), T, seed=7, rounding=1e-9, off=0.0)
        p = min(stats.binomtest(int(k), runs, 1 / T, "greater").pvalue * 2 if k > 100 else 1 for k in found.numbers["counts"])
        if p < found.numbers["least p-value"] * (1 + 1e-6):
            outcomes.append(((p < LEVEL / T), found.outcome is REFUTED))
    assert {*outcomes} == {(True, True), (False, False)}
