"""The numbered lists of what is wrong: nothing refuted is missing, nothing is listed twice or without evidence."""

import csv
import math
from pathlib import Path

import pytest

import bounds
from bounds.gauss_psgd.false_lines import PRINTED_FALSE
from bounds.gauss_psgd.selection import noise_constant
from paper_checks import papers
from paper_checks.dpzero import figures as figure_claims
from paper_checks.dpzero import privacy_clause
from paper_checks.errata import HELD, MARKS, OPEN, SAID, SHOWN, STATUSES, WEIGHTS, status
from paper_checks.run import examine
from paper_checks.verdict import Finding, Outcome, Verdict

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
    assert all({one.mark for one in papers.errata(paper)} == set(MARKS) for paper in papers.PAPERS)
    assert not papers.errata("my_paper")


@pytest.mark.parametrize("paper", papers.PAPERS)
def test_a_refuted_claim_of_the_paper_is_in_one_erratum(paper):
    named = [f"{paper}.{name}" for one in papers.errata(paper) for name in one.claims]
    assert len(named) == len(set(named))
    assert set(named) <= set(CLAIMS)
    refuted = {key for key, c in CLAIMS.items() if key.startswith(f"{paper}.") and c.expected is Outcome.REFUTED}
    assert {key for key in refuted if CLAIMS[key].stated != "question"} <= set(named)


NOT_SHOWN = {  # what the claims do not refute, and what became of it instead
    ("dpzero", "E29"): SAID, ("dpzero", "E30"): HELD, ("dpzero", "E34"): OPEN, ("gauss_psgd", "E33"): SAID, ("gauss_psgd", "E35"): SAID,
    ("gauss_psgd", "E46"): SAID,
}  # fmt: skip


@pytest.mark.parametrize(("paper", "number"), ERRATA)
def test_an_erratum_is_shown_by_a_witness_or_known_not_to_be(paper, number):
    assert status(as_recorded(paper, ERRATA[paper, number])) == NOT_SHOWN.get((paper, number), SHOWN)
    assert set(NOT_SHOWN.values()) == set(STATUSES)


# A number belongs to its subject, here one of its claims, for ever: others cite it. A new erratum takes the next number that was never
# given, and one that is withdrawn leaves its number empty.
SUBJECTS = {
    "dpzero": {
        "E1": "algorithms.sigma_as_variance", "E2": "lemma_2_2.any_epsilon", "E3": "lemma_2_2.parentheses",
        "E4": "corollary_f4_as_printed.follows", "E5": "theorem3.missing_bar", "E6": "theorem3.telescoped_for_last",
        "E7": "corollary_f2.loss_for_gradient", "E8": "corollary_f2.equality", "E9": "corollary_f2.not_vacuous",
        "E10": "theorem3.unbounded_loss", "E11": "theorem3.any_epsilon", "E12": "corollary_f2.any_epsilon",
        "E13": "theorems.integer_steps", "E14": "remark_f5.trivial_bound", "E15": "lemma_c2.any_function",
        "E16": "assumption_3_5.boils_down", "E17": "equation_4.constant", "E18": "section2.any_direction_never_clips",
        "E19": "definition_2_1.neighbours_as_sets", "E20": "lemma_2_2.sensitivity_of_a_randomised_algorithm",
        "E21": "lemma_c1.ii_no_direction", "E22": "lemma_c1.double_sum", "E25": "section4.smaller_threshold",
        "E26": "theorem3.says_something", "E27": "experiments.lam", "E29": "experiments.minibatch_privacy",
        "E30": "remark_4_1.parenthesis", "E32": "appendix_b2.threshold_for_every_epsilon",
        "E33": "figure3.dpzero_nearly_independent", "E34": "table3.considerable_memory",
    },
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
WITHDRAWN = {"dpzero": {"E23", "E24", "E28", "E31"}, "gauss_psgd": {"E43"}}


@pytest.mark.parametrize("paper", papers.PAPERS)
def test_a_number_keeps_its_subject(paper):
    listed = {one.number: one.claims for one in papers.errata(paper)}
    assert set(listed) == set(SUBJECTS[paper]) - WITHDRAWN[paper]  # a new one is written down here
    for number, claims in listed.items():
        assert SUBJECTS[paper][number] in claims, number
    assert [*listed] == sorted(listed, key=lambda number: int(number[1:]))


def test_what_became_of_an_erratum():
    claim = CLAIMS["dpzero.lemma_c1.i"]

    def found(*outcomes):
        return status(Verdict(claim, Finding(one, "", {}, {"x": 1} if one is Outcome.REFUTED else {}), 0.0) for one in outcomes)

    assert found(Outcome.REFUTED, Outcome.PROVED, Outcome.INCONCLUSIVE) == SHOWN
    assert found(Outcome.PROVED, Outcome.INCONCLUSIVE) == OPEN
    assert found(Outcome.PROVED) == found(Outcome.CONSISTENT, Outcome.NOT_TESTABLE) == HELD
    assert found(Outcome.NOT_TESTABLE) == SAID


def test_e2_names_the_only_epsilon_at_which_theorem_3_is_shown_to_fail():
    claim = CLAIMS["dpzero.theorem3.privacy"]
    fails = {epsilon: privacy_clause.privacy_clause(**{**claim.arguments, "points": ((epsilon, delta),)}).outcome is Outcome.REFUTED
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
    assert f"log(d) {math.log(2000) / math.log(20):.1f}-fold" in words


def test_e34_names_what_its_claim_computes():
    over = examine(CLAIMS["dpzero.table3.considerable_memory"])[0].numbers
    words = ERRATA["dpzero", "E34"].words
    assert f"it is {100 * over['DP-LoRA, memory']:.2f} % in memory, {100 * over['DP-LoRA, time']:.0f} % in runtime" in words


def test_the_proofs_number_their_false_lines_alike():
    numbers = {name: one.number for (paper, _), one in ERRATA.items() if paper == "gauss_psgd" for name in one.claims}
    for line in PRINTED_FALSE:
        names = [name for name in numbers if name.endswith(f".{line.key}")]
        assert [numbers[name] for name in names] == [line.erratum], line.key


@pytest.mark.slow
def test_e18_names_the_least_constant_that_is_private():
    least = noise_constant("exact", epsilon=1.0, delta=1e-5, T=100)
    assert f"which must be {least:.1f} or more at epsilon = 1, delta = 1e-5" in ERRATA["gauss_psgd", "E18"].words
    for name in ("gradient_allowance", "gradient_allowance_drawn", "hessian_allowance", "turned_down", "turned_down_curved"):
        witness = " ".join(examine(CLAIMS[f"gauss_psgd.algorithm4.{name}"])[0].witness)
        assert {"epsilon", "n"} <= set(witness.split()), name
        assert "c_1" in witness or "c_2" in witness, name


def test_the_entry_that_e12_adds_is_the_certified_one():
    block = bounds.DERIVATIONS["gauss_psgd.repaired_block"]
    entry, phases = (next(fact for fact in block.facts if fact.name == name) for name in ("fourth_entry", "N"))
    assert (str(entry.rhs), str(phases.rhs)) == ("omega/(4*Q*escapes)", "U/decrease + 1")
    assert "log(4 Q N/omega)/s" in CLAIMS["gauss_psgd.theorem1.printed_union"].correction
    assert "N = 1 + U/Phi" in CLAIMS["gauss_psgd.theorem1.printed_union"].correction
