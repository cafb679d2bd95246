"""The numbered lists of what is wrong: nothing refuted is missing, nothing is listed twice or without evidence."""

import pytest

from bounds.gauss_psgd.proofs_printed_rates import PRINTED_FALSE
from paper_checks import papers
from paper_checks.errata import MARKS, OPEN, SAID, SHOWN, UNMARKED, WEIGHTS, status
from paper_checks.verdict import Finding, Outcome, Verdict

CLAIMS = {claim.key: claim for claim in papers.claims()}
ERRATA = {(paper, one.number): one for paper in papers.PAPERS for one in papers.errata(paper)}


def as_recorded(paper, erratum):
    """The verdicts of an erratum's claims if all come out as the ledger records, which `test_ledger` demands."""
    claims = [CLAIMS[f"{paper}.{name}"] for name in erratum.claims]
    return [Verdict(c, Finding(c.expected, "", {}, {"x": 1} if c.expected is Outcome.REFUTED else {}), 0.0) for c in claims]


# number -> the claim named first: a number is quoted by others and never means another thing; a paper's new errata come last
NUMBERS = {
    "gauss_psgd": {
        "E1": "lemma2.printed_lemma2", "E2": "lemma1.printed_52", "E3": "lemma4.printed_71", "E4": "lemma20.printed_42",
        "E5": "theorem2.printed_105", "E6": "theorem2.printed_98", "E7": "lemma18.martingale", "E8": "equation_6.bound_on_r",
        "E9": "lemma2.fresh_rounds_continue", "E10": "algorithm2.drift", "E11": "algorithm1.returns_last",
        "E12": "theorem1.printed_union", "E13": "lemma6.printed_75", "E14": "lemma6.printed_79", "E15": "lemma6.printed_77",
        "E16": "theorem3.printed_contribution_3", "E17": "theorem2.printed_contribution_2", "E18": "algorithm4.gradient_allowance",
        "E19": "theorem4.printed_143", "E20": "theorem4.one_release", "E21": "theorem4.chosen_point", "E22": "lemma19.printed_32",
        "E23": "lemma20.printed_34", "E24": "lemma20.printed_38", "E25": "lemma20.printed_after_41", "E26": "lemma3.index_printed",
        "E27": "lemma4.printed_72", "E28": "corollary3.printed_corollary3", "E29": "definition7.printed_definition7",
        "E30": "lemma8.set_by_the_sums_of_lemma7", "E31": "definition4.refers_to_3", "E32": "algorithm1.inputs",
        "E33": "lemma20.conditioning", "E34": "definition8.any_epsilon", "E35": "section3.citation", "E36": "parameter_block.unique",
        "E37": "assumption2.one_u", "E38": "experiments.epochs", "E39": "lemma1.printed_2a", "E40": "lemma14.printed_lemma14",
        "E41": "definition2.saddle", "E42": "lemma12.near_b", "E43": "theorem2.promises_strict", "E44": "remark5.still_problematic",
        "E45": "definition1.lower_bound", "E46": "section3.any_correction", "E47": "section3.no_bound", "E48": "section5.lower_bound",
        "E49": "definition6.isotropy", "E50": "corollary3.printed_zeta", "E51": "lemma5.printed_cited", "E52": "lemma8.printed_order",
        "E53": "lemma7.printed_90", "E54": "section6.error_growth",
    },
}  # fmt: skip


@pytest.mark.parametrize("paper", NUMBERS)
def test_a_number_never_means_another_erratum(paper):
    listed = {one.number: one.claims[0] for one in papers.errata(paper)}
    assert listed == NUMBERS[paper]
    assert list(listed) == [f"E{k}" for k in range(1, len(listed) + 1)]


def test_every_erratum_of_gauss_psgd_has_its_mark():
    assert {one.mark for one in papers.errata("gauss_psgd")} == set(MARKS)


@pytest.mark.parametrize("number", ["E2", "E3", "E4"])
def test_what_breaks_constants_only_says_that_the_exponents_survive(number):
    assert "exponents survive" in ERRATA["gauss_psgd", number].words


def test_numbers_are_unique_and_weights_are_known():
    assert len(ERRATA) == sum(len(papers.errata(paper)) for paper in papers.PAPERS)
    assert {one.weight for one in ERRATA.values()} == set(WEIGHTS)
    assert {one.mark for one in ERRATA.values()} <= {*MARKS, UNMARKED}
    assert not papers.errata("my_paper")


@pytest.mark.parametrize("paper", papers.PAPERS)
def test_a_refuted_claim_of_the_paper_is_in_one_erratum(paper):
    named = [f"{paper}.{name}" for one in papers.errata(paper) for name in one.claims]
    assert len(named) == len(set(named))
    assert set(named) <= set(CLAIMS)
    refuted = {key for key, c in CLAIMS.items() if key.startswith(f"{paper}.") and c.expected is Outcome.REFUTED}
    assert {key for key in refuted if CLAIMS[key].stated != "question"} <= set(named)


NOT_SHOWN = {  # what the claims do not refute, and what became of it instead
    ("dpzero", "E29"): SAID, ("dpzero", "E30"): SAID, ("dpzero", "E34"): OPEN, ("gauss_psgd", "E33"): SAID, ("gauss_psgd", "E35"): SAID,
    ("gauss_psgd", "E46"): SAID,
}  # fmt: skip


@pytest.mark.parametrize(("paper", "number"), ERRATA)
def test_an_erratum_is_shown_by_a_witness_or_known_not_to_be(paper, number):
    assert status(as_recorded(paper, ERRATA[paper, number])) == NOT_SHOWN.get((paper, number), SHOWN)


def test_the_proofs_number_their_false_lines_alike():
    numbers = {name: one.number for (paper, _), one in ERRATA.items() if paper == "gauss_psgd" for name in one.claims}
    for line in PRINTED_FALSE:
        names = [name for name in numbers if name.endswith(f".{line.key}")]
        assert [numbers[name] for name in names] == [line.erratum], line.key
