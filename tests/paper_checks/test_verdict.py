"""Claims, findings and the run over them."""

import functools
import json
import math
import re
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

import bounds
from bounds.papers import PAPERS
from paper_checks import papers
from paper_checks.compare import LEVEL, check_mean_below, mean_interval
from paper_checks.run import FALSE_ALARM, BrokenRun, check_claim, check_claims, claims_to_check, count_outcomes, group_claims, select_claims
from paper_checks.verdict import Claim, Finding, Kind, Outcome, Verdict, plain


def holds(*, size=1):
    return Finding(Outcome.CONSISTENT, "nothing found", {"size": size, "odd": math.inf, "array": np.float64(0.5)})


def fails():
    return Finding(Outcome.REFUTED, "at x = 2", {"tried": 3}, {"x": 2})


def breaks():
    raise ZeroDivisionError("no such number")


def alarms():
    return Finding(Outcome.CONSISTENT, "", false_alarm=2 * FALSE_ALARM)


def claim(key, examination, expected=Outcome.CONSISTENT, **rest):
    return Claim(key=key, source="line 1", words="it holds", kind=Kind.SCOPE, expected=expected, why="so", examine=examination, **rest)


def test_a_refutation_needs_a_witness_and_nothing_else_has_one():
    with pytest.raises(ValueError, match="outcome = REFUTED: a witness is needed"):
        Finding(Outcome.REFUTED, "")
    with pytest.raises(ValueError, match="outcome = CONSISTENT"):
        Finding(Outcome.CONSISTENT, "", {}, {"x": 1})
    with pytest.raises(ValueError, match="false_alarm = 1"):
        Finding(Outcome.CONSISTENT, "", false_alarm=1)


def test_verdicts_come_in_the_order_of_the_claims_whoever_is_first():
    claims = [claim("p.a", holds), claim("p.b", fails, Outcome.REFUTED), claim("p.c", fails)]
    seen = []
    with ThreadPoolExecutor(3) as pool:
        verdicts = check_claims(claims, executor=pool, progress=lambda done, total, verdict: seen.append((done, total, verdict.claim.key)))
    assert [v.claim.key for v in verdicts] == ["p.a", "p.b", "p.c"]
    assert [v.as_expected for v in verdicts] == [True, True, False]
    assert count_outcomes(verdicts) == {"CONSISTENT": 1, "REFUTED": 2, "unexpected": 1}
    assert sorted(key for _, _, key in seen) == ["p.a", "p.b", "p.c"]
    assert [done for done, _, _ in seen] == [1, 2, 3]


def test_a_quick_run_leaves_out_what_needs_a_full_one_and_a_full_one_uses_its_arguments():
    claims = [claim("p.a", holds, arguments={"size": 2}, full={"size": 50}), claim("p.b", holds, needs_full=True)]
    assert [v.finding.numbers["size"] for v in check_claims(claims_to_check(claims, full=False), workers=1)] == [2]
    assert [v.finding.numbers["size"] for v in check_claims(claims_to_check(claims, full=True), full=True, workers=1)] == [50, 1]


def test_claims_that_share_an_experiment_stay_together():
    claims = [claim("p.a", holds, together="b"), claim("p.b", fails), claim("p.c", holds, together="b"), claim("b", holds)]
    assert [[c.key for c in batch] for batch in group_claims(claims)] == [["p.a", "p.c"], ["p.b"], ["b"]]
    with ThreadPoolExecutor(2) as pool:
        assert [v.claim.key for v in check_claims(claims, executor=pool)] == ["p.a", "p.b", "p.c", "b"]


def test_an_examination_that_breaks_is_inconclusive_and_differs_from_the_ledger():
    finding, seconds = check_claim(claim("p.a", breaks))
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert "ZeroDivisionError: no such number" in finding.sentence
    assert seconds >= 0


def gives_a_pair():
    return Outcome.PROVED, "it holds"


def test_what_is_no_finding_is_told_with_the_function_that_returned_it():
    finding, _ = check_claim(claim("p.a", gives_a_pair))
    assert finding.outcome is Outcome.INCONCLUSIVE
    said = re.search(r"the function that checks p.a \((.*):(\d+)\) returned \(<Outcome.PROVED.*; a Finding is needed", finding.sentence)
    with open(said[1], encoding="utf-8") as lines:
        assert lines.readlines()[int(said[2]) - 1] == "def gives_a_pair():\n"


def test_a_claim_that_no_other_process_can_be_given_is_named_before_any_is_examined():
    claims = [claim("p.a", holds), claim("p.b", lambda: holds())]
    with pytest.raises(ValueError, match=r"claim 'p\.b': .* cannot be handed to another process"):
        check_claims(claims, workers=2)
    with ThreadPoolExecutor(1) as pool:
        assert len(check_claims(claims, executor=pool)) == 2  # which stays in this one


class Dying(ThreadPoolExecutor):
    """An executor whose worker dies of the claims that share an experiment."""

    def submit(self, function, claims, full):
        if len(claims) == 1:
            return super().submit(function, claims, full)
        future = Future()
        future.set_exception(BrokenExecutor("a worker died"))
        return future


def test_a_worker_that_dies_loses_its_own_claims_only():
    claims = [claim("p.a", holds), claim("p.b", holds, together="b"), claim("p.c", holds, together="b")]
    with Dying(1) as pool, pytest.raises(BrokenRun, match=r"2 of 3 claims are not examined \(p\.b, p\.c\): a worker died") as caught:
        check_claims(claims, executor=pool)
    assert [(v.claim.key, v.outcome) for v in caught.value.verdicts] == [("p.a", Outcome.CONSISTENT)]


class Odd(ThreadPoolExecutor):
    """An executor that does something else than asked with a claim alone."""

    def __init__(self, answer):
        super().__init__(1)
        self.answer = answer

    def submit(self, function, claims, full):
        if len(claims) > 1:
            return super().submit(function, claims, full)
        if self.answer is None:
            raise RuntimeError("no more is taken")
        future = Future()
        future.set_result(self.answer)
        return future


@pytest.mark.parametrize("answer", [None, [], 3, [3], [(3, 1.0)], [(Finding(Outcome.PROVED, "yes"), "soon")]])
def test_an_executor_that_gives_something_else_back_loses_that_claim_only(answer):
    claims = [claim("p.a", holds, together="a"), claim("p.b", holds, together="a"), claim("p.c", holds)]
    with Odd(answer) as pool, pytest.raises(BrokenRun, match=r"1 of 3 claims are not examined \(p\.c\)") as caught:
        check_claims(claims, executor=pool)
    assert [v.claim.key for v in caught.value.verdicts] == ["p.a", "p.b"]


class Own(BaseException):
    """An error of somebody's own that is no Exception."""


@pytest.mark.parametrize("error", [GeneratorExit, Own, SystemExit])
def test_whatever_a_claim_raises_is_its_finding(error):
    def raises():
        raise error("so")

    finding = check_claim(claim("p.a", raises))[0]
    where = f"{__file__}:{raises.__code__.co_firstlineno + 1}"
    assert finding.sentence == f"the examination broke off: {error.__name__}: so ({where})"
    assert finding.numbers == {"raised at": where}


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_an_interrupt_and_want_of_memory_say_nothing_about_a_claim(error):
    def raises():
        raise error

    with pytest.raises(error):
        check_claim(claim("p.a", raises))


@pytest.mark.parametrize(("count", "named"), [(3, "p.0, p.1, p.2"), (4, "p.0, p.1, p.2, ..."), (5, "p.0, p.1, p.2, ...")])
def test_no_more_than_three_claims_are_named_where_they_are_lost(count, named):
    claims = [claim(f"p.{k}", holds, together="p") for k in range(count)]
    with Dying(1) as pool, pytest.raises(BrokenRun) as caught:
        check_claims(claims, executor=pool)
    assert str(caught.value) == f"{count} of {count} claims are not examined ({named}): a worker died"
    assert caught.value.verdicts == ()


def alarms_at_the_limit():
    return Finding(Outcome.CONSISTENT, "", false_alarm=FALSE_ALARM)


def test_the_whole_of_the_false_alarm_may_be_used():
    assert [v.outcome for v in check_claims([claim("p.a", alarms_at_the_limit), claim("p.b", holds)], workers=1)] == [
        Outcome.CONSISTENT
    ] * 2
    with pytest.raises(ValueError, match="add up to 2e-06: at most 1e-06 is allowed"):
        check_claims([claim("p.a", alarms_at_the_limit), claim("p.b", alarms_at_the_limit)], workers=1)


def test_repeated_keys_and_too_many_false_alarms_are_refused():
    with pytest.raises(ValueError, match=r"'p\.a' is used more than once"):
        check_claims([claim("p.a", holds), claim("p.a", fails)], workers=1)
    with pytest.raises(ValueError, match="at most 1e-06 is allowed"):
        check_claims([claim("p.a", alarms)], workers=1)


def test_claims_are_selected_by_paper_key_or_pattern():
    claims = [claim(key, holds) for key in ("p.lemma_2.a", "p.lemma_2.b", "p.lemma_20.a", "q.a")]
    keys = lambda *patterns: [c.key for c in select_claims(claims, patterns)]
    assert keys() == keys("*") == keys("p", "q") == [c.key for c in claims]
    assert keys("p.lemma_2") == ["p.lemma_2.a", "p.lemma_2.b"]
    assert keys("*.a") == ["p.lemma_2.a", "p.lemma_20.a", "q.a"]
    assert keys("q.a", "p.lemma_2.a") == ["p.lemma_2.a", "q.a"]
    with pytest.raises(ValueError, match=r"select = 'r': no claim has this key; papers: p, q"):
        keys("r")


def test_a_verdict_is_json_even_where_its_numbers_are_not():
    text = json.dumps(Verdict(claim("p.a", holds), holds(), 0.1).json(), allow_nan=False)
    found = json.loads(text)
    assert found["evidence"]["numbers"] == {"size": 1, "odd": "inf", "array": 0.5}
    assert (found["key"], found["outcome"], found["expected"], found["source"]) == ("p.a", "CONSISTENT", "CONSISTENT", "line 1")


def test_every_claim_of_the_ledgers_is_complete():
    claims = papers.claims()
    assert len({c.key for c in claims}) == len(claims)
    by_key = {c.key: c for c in claims}
    for c in claims:
        assert c.source, c.key
        assert c.words, c.key
        assert c.why, c.key
        assert c.stated in ("printed", "reading", "question"), c.key
        assert c.key.startswith(papers.PAPERS), c.key
        assert not c.repaired_by or by_key[c.repaired_by].expected in (Outcome.PROVED, Outcome.CONSISTENT), c.key
        assert bool(c.correction) <= (c.expected is Outcome.REFUTED), c.key


def test_the_interval_of_a_mean_covers_it_and_shrinks():
    """The empirical Bernstein interval at level 0.05 covers the mean of a skewed law in nearly all of 400 samples."""
    rng = np.random.default_rng(0)
    widths = []
    for n in (50, 5000):
        ends = [mean_interval(rng.beta(0.5, 4.0, n), 1.0, level=0.05) for _ in range(400)]
        assert np.mean([low <= 1 / 9 <= high for low, high in ends]) >= 0.95
        widths.append(np.mean([high - low for low, high in ends]))
    assert widths[1] < widths[0] / 8


def test_a_bound_below_the_mean_is_refuted_and_one_above_it_is_not():
    samples = np.random.default_rng(1).uniform(0, 1, 4000)
    assert check_mean_below(samples, 0.6, ceiling=1.0, seed=1, where="here").outcome is Outcome.CONSISTENT
    assert check_mean_below(samples, 0.49, ceiling=1.0, seed=1, where="here").outcome is Outcome.CONSISTENT  # within chance
    lie = check_mean_below(samples, 0.4, ceiling=1.0, seed=1, where="here")
    assert lie.outcome is Outcome.REFUTED
    assert lie.false_alarm == LEVEL
    with pytest.raises(ValueError, match=r"numbers from 0 to 0\.5"):
        check_mean_below(samples, 0.4, ceiling=0.5, seed=1, where="here")


def test_evidence_is_in_words_that_a_reader_knows():
    assert plain({"C/||x||": sp.zoo, "end": -sp.oo, "share": sp.Rational(1, 3), "list": [sp.oo, 1]}) == {
        "C/||x||": "undefined (a division by 0)", "end": "-inf", "share": "1/3", "list": ["inf", 1],
    }  # fmt: skip


def test_no_witness_of_the_ledger_reads_like_a_program():
    claim = next(claim for claim in papers.claims() if claim.key == "dpzero.clip.defined_at_zero")
    found, _ = check_claim(claim)
    told = json.dumps([plain(found.witness), plain(found.numbers)])
    assert "undefined (a division by 0)" in told
    assert "zoo" not in told


def test_a_claim_is_printed_a_reading_or_a_question():
    claim = papers.claims()[0]
    with pytest.raises(ValueError, match=r"stated = 'rumour': one of printed, reading, question is needed"):
        replace(claim, stated="rumour")


def test_a_claim_has_a_kind_and_an_outcome_that_there_are():
    claim = papers.claims()[0]
    with pytest.raises(ValueError, match=f"kind = 'inequality' of {re.escape(claim.key)}: a Kind is needed, such as Kind.INEQUALITY"):
        replace(claim, kind="inequality")
    with pytest.raises(ValueError, match=f"expected = 'PROVED' of {re.escape(claim.key)}: an Outcome is needed"):
        replace(claim, expected="PROVED")
    for wrong in (len, functools.partial(claim.examine), None, "examine"):  # the journal knows the file of a function only
        with pytest.raises(ValueError, match=rf"^examine = .* of {re.escape(claim.key)}: a function at the top of a module is needed"):
            replace(claim, examine=wrong)


def test_the_record_of_a_paper_stands_once():
    for key, paper in PAPERS.items():
        assert paper.key == key
        assert paper.read
        theorem = next(theorem for name, theorem in bounds.THEOREMS.items() if name.startswith(f"{key}."))
        assert theorem.source.startswith(paper.short_reference)
    assert PAPERS["dpzero"].short_reference == "Zhang, Li, Thekumparampil, Oh, He: DPZero (ICML 2024; arXiv:2310.09639)"
    assert tuple(PAPERS) == papers.PAPERS
