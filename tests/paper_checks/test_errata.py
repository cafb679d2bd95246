"""The numbered lists of what is wrong: nothing refuted is missing, nothing is listed twice or without evidence."""

import csv
import math
from pathlib import Path

import pytest

import bounds
from bounds.gauss_psgd.false_lines import PRINTED_FALSE
from bounds.gauss_psgd.selection import noise_constant
from bounds.pages.tokens import BadPage
from paper_checks import papers
from paper_checks.dpzero.experiments import figures as figure_claims
from paper_checks.dpzero.privacy import privacy_clause
from paper_checks.errata import HELD, IN_WORDS, MARKS, OPEN, SHOWN, STATUSES, WEIGHTS, erratum, erratum_status, read_errata
from paper_checks.run import check_claim
from paper_checks.verdict import Finding, Outcome, Verdict
from tests.papers import PAPERS, of

CLAIMS = {claim.key: claim for claim in papers.claims()}
ERRATA = {(paper, one.number): one for paper in papers.PAPERS for one in papers.errata(paper)}


def as_recorded(paper, erratum):
    """The verdicts of an erratum's claims if all come out as the ledger records, which `test_ledger` demands."""
    claims = [CLAIMS[f"{paper}.{name}"] for name in erratum.claims]
    return [Verdict(c, Finding(c.expected, "", {}, {"x": 1} if c.expected is Outcome.REFUTED else {}), 0.0) for c in claims]


@pytest.mark.parametrize("number", ["E2", "E3", "E4"])
def test_what_breaks_constants_only_says_that_the_exponents_survive(number):
    assert "exponents survive" in ERRATA["gauss_psgd", number].words


def test_numbers_are_unique_and_weights_are_known():
    assert len(ERRATA) == sum(len(papers.errata(paper)) for paper in papers.PAPERS)
    assert {one.weight for one in ERRATA.values()} == set(WEIGHTS)
    assert {one.mark for one in ERRATA.values()} == set(MARKS)
    for paper in papers.PAPERS:
        of_mark = {mark: " ".join(one.number for one in papers.errata(paper) if one.mark == mark) for mark in MARKS}
        assert of_mark == of(paper, "ledger.MARKED")
    assert not papers.errata("my_paper")


@pytest.mark.parametrize("paper", papers.PAPERS)
def test_a_refuted_claim_of_the_paper_is_in_one_erratum(paper):
    named = [f"{paper}.{name}" for one in papers.errata(paper) for name in one.claims]
    assert len(named) == len(set(named))
    assert set(named) <= set(CLAIMS)
    refuted = {key for key, c in CLAIMS.items() if key.startswith(f"{paper}.") and c.expected is Outcome.REFUTED}
    assert {key for key in refuted if CLAIMS[key].stated != "question"} <= set(named)


@pytest.mark.parametrize(("paper", "number"), ERRATA)
def test_an_erratum_is_shown_by_a_witness_or_known_not_to_be(paper, number):
    assert erratum_status(as_recorded(paper, ERRATA[paper, number])) == of(paper, "ledger.NOT_SHOWN").get(number, SHOWN)


def test_every_status_is_there():
    assert {one for paper in PAPERS for one in of(paper, "ledger.NOT_SHOWN").values()} == set(STATUSES)


@pytest.mark.parametrize("paper", papers.PAPERS)
def test_a_number_keeps_its_subject(paper):
    listed = {one.number: one.claims for one in papers.errata(paper)}
    subjects = of(paper, "ledger.SUBJECTS")
    assert set(listed) == set(subjects) - of(paper, "ledger.WITHDRAWN")  # a new one is written down there
    for number, claims in listed.items():
        assert subjects[number] in claims, number
    assert [*listed] == sorted(listed, key=lambda number: int(number[1:]))


PAGE = """theory-page 1

errata mine -- of a paper

erratum E1: text, harmless -- (2) cites [3], not
  -- [4]
  claims a.b, a.c
erratum E2: proof, fatal -- no
  claims d.e
"""


def test_errata_are_read_as_they_are_opened(tmp_path):
    file = tmp_path / "errata.page"
    file.write_text(PAGE, encoding="utf-8")
    assert read_errata(file) == (
        erratum("E1", "text", "harmless", "a.b", "a.c").says("(2) cites [3], not [4]"),
        erratum("E2", "proof", "fatal", "d.e").says("no"),
    )


def test_every_mistake_of_a_page_of_errata_is_told(tmp_path):
    file = tmp_path / "errata.page"
    wrong = PAGE.replace("text, harmless", "texts, harmless").replace("proof, fatal", "proof, fatl")
    file.write_text(wrong + "erratum E3 -- no\nerratum E4: text, harmless -- no claims\n", encoding="utf-8")
    with pytest.raises(BadPage) as told:
        read_errata(file)
    said = [f"{one.line}:{one.column}: {one.message}" for one in told.value.mistakes]
    assert said == [
        "5:13: 'texts' stands here: one of guarantee, proof, scope, text is needed; the nearest name is text",
        "8:20: 'fatl' stands here: one of harmless, repairable, fatal is needed; the nearest name is fatal",
        "10:1: 'erratum NUMBER: weight, mark -- what is wrong' is needed",
        "11:1: E4 needs 'claims KEY, ...', keys without the name of the paper, and nothing else",
    ]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("claims d.e", "claims d.e,", "a key is missing between commas"),
        ("errata mine", "claims mine", "the page begins with 'errata PAPER -- words'"),
    ],
)
def test_a_mistake_of_a_page_of_errata_is_told(tmp_path, old, new, said):
    file = tmp_path / "errata.page"
    file.write_text(PAGE.replace(old, new), encoding="utf-8")
    with pytest.raises(BadPage, match=said):
        read_errata(file)


def test_what_became_of_an_erratum():
    claim = CLAIMS["dpzero.lemma_c1.i"]

    def found(*outcomes):
        return erratum_status(Verdict(claim, Finding(one, "", {}, {"x": 1} if one is Outcome.REFUTED else {}), 0.0) for one in outcomes)

    assert found(Outcome.REFUTED, Outcome.PROVED, Outcome.INCONCLUSIVE) == SHOWN
    assert found(Outcome.PROVED, Outcome.INCONCLUSIVE) == OPEN
    assert found(Outcome.PROVED) == found(Outcome.CONSISTENT, Outcome.NOT_TESTABLE) == HELD
    assert found(Outcome.NOT_TESTABLE) == IN_WORDS


def test_e2_names_the_only_epsilon_at_which_theorem_3_is_shown_to_fail():
    claim = CLAIMS["dpzero.theorem3.privacy"]
    fails = {epsilon: privacy_clause.check_counterexample(**{**claim.arguments, "points": ((epsilon, delta),)}).outcome is Outcome.REFUTED
             for epsilon, delta in claim.arguments["points"]}  # fmt: skip
    assert {f"{epsilon:.0e}".replace("+0", "") for epsilon, failed in fails.items() if failed} == {"1e6"}
    assert "with Theorem 3's own C we show it at epsilon = 1e6 only" in ERRATA["dpzero", "E2"].words


def test_e33_names_the_growth_that_no_method_can_avoid():
    words = ERRATA["dpzero", "E33"].words
    least = [figure_claims.least_loss(d, 10_000) for d in (20, 2000)]
    assert f"grows {least[1] / least[0]:.2f}-fold ({least[0]:.2f} to {least[1]:.2f})" in words
    with (Path(__file__).parents[2] / "figures" / "gallery" / "dpzero-3.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if (row["spectrum"], row["method"]) == ("inverse", "dpzero")]
    for measure in figure_claims.FIGURES["figure3"]:
        mean = {int(row["d"]): float(row["fresh_mean"]) for row in rows if row["measure"] == measure}
        assert f"grow {mean[2000] / mean[20]:.1f}-fold from d = 20 to 2000" in words
    assert f"log(d), our reading of nearly dimension-independent, {math.log(2000) / math.log(20):.1f}-fold" in words


def test_e34_names_what_its_claim_computes():
    over = check_claim(CLAIMS["dpzero.table3.considerable_memory"])[0].numbers
    words = ERRATA["dpzero", "E34"].words
    assert f"it is {100 * over['DP-LoRA, memory']:.2f} % in memory, {100 * over['DP-LoRA, time']:.0f} % in runtime" in words


def test_the_proofs_number_their_false_lines_alike():
    numbers = {name: one.number for (paper, _), one in ERRATA.items() if paper == "gauss_psgd" for name in one.claims}
    for line in PRINTED_FALSE:
        names = [name for name in numbers if name.endswith(f".{line.key}")]
        assert [numbers[name] for name in names] == [line.erratum], line.key


def test_e18_names_the_least_constant_that_is_private():
    least = noise_constant("exact", epsilon=1.0, delta=1e-5, T=100)
    assert f"which must be {least:.1f} or more at epsilon = 1, delta = 1e-5" in ERRATA["gauss_psgd", "E18"].words
    for name in ("gradient_allowance", "gradient_allowance_drawn", "hessian_allowance", "turned_down", "turned_down_curved"):
        witness = " ".join(check_claim(CLAIMS[f"gauss_psgd.algorithm4.{name}"])[0].witness)
        assert {"epsilon", "n"} <= set(witness.split()), name
        assert "c_1" in witness or "c_2" in witness, name


def test_the_entry_that_e12_adds_is_the_certified_one():
    block = bounds.DERIVATIONS["gauss_psgd.repaired_block"]
    entry, phases = (next(fact for fact in block.facts if fact.name == name) for name in ("fourth_entry", "N"))
    assert (str(entry.rhs), str(phases.rhs)) == ("omega/(4*Q*escapes)", "U/decrease + 1")
    assert "log(4 Q N/omega)/s" in CLAIMS["gauss_psgd.theorem1.printed_union"].correction
    assert "N = 1 + U/Phi" in CLAIMS["gauss_psgd.theorem1.printed_union"].correction
