"""What the ledger of Gauss-PSGD computes on its own, against slow and obvious twins."""

import csv
import itertools
import math
import re
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp

from bounds.privacy import gaussian as accounting
from bounds.symbols import GLOSSARY
from paper_checks import papers
from paper_checks.gauss_psgd import discussion, theorem4
from paper_checks.gauss_psgd.algorithms import algorithm4
from paper_checks.gauss_psgd.lemmas import corollary_3_lemmas_10_to_15, lemmas_3_and_4, lemmas_5_and_6, lemmas_18_to_20
from paper_checks.pages.standard import named_proofs
from paper_checks.shared import privacy, witness
from paper_checks.shared.findings import (
    check_deviation,
    check_probability_at_least,
    check_probability_at_most,
    check_ratio,
    check_variance,
    clopper_pearson,
)
from paper_checks.verdict import Outcome
from theory_lab.report.safe_html import mathml

CLAIMS = papers.claims("gauss_psgd")
# names of the glossary that the paper has other letters for; an index has at most two letters, as in b_1 and P_sg
OURS = re.compile(r"\b(L|ell|" + "|".join(name for name in GLOSSARY if len(name.partition("_")[2]) > 2) + r")\b|\\ell\b")


def told(claim):
    """What a reader sees of a claim before it is examined."""
    return (claim.source, claim.words, claim.latex, claim.why, claim.correction, claim.correction_latex)


@pytest.mark.parametrize("text", ["sqrt(C_abs)", "L^2/b_1", r"\frac{\ell^2}{b_2}", "log_factor above 1", "added_noise"])
def test_a_letter_of_ours_is_seen(text):
    assert OURS.search(text)


def test_printed_claims_speak_the_letters_of_the_paper():
    printed = [claim for claim in CLAIMS if claim.stated != "question"]
    assert not [(claim.key, text) for claim in printed for text in told(claim) if OURS.search(text)]


LETTERS = set("BCDEFGIMNOPQRSTUabcdefghijkmnopqrstuvxyz")  # of the paper's formulas
WITHOUT = {"ell", "varepsilon", "varphi", "Lambda"}  # commands for letters that the paper does not use


def strangers(latex):
    """The letters of a formula that the paper has not."""
    latex = re.sub(r"\\(?:text|operatorname|mathrm)\{[^}]*\}", " ", latex)
    commands = set(re.findall(r"\\([A-Za-z]+)", latex))
    return (commands & WITHOUT) | (set(re.findall("[A-Za-z]", re.sub(r"\\[A-Za-z]+", " ", latex))) - LETTERS)


@pytest.mark.parametrize("claim", [one for one in CLAIMS if one.latex and one.stated == "printed"], ids=lambda claim: claim.key)
def test_a_printed_formula_has_letters_of_the_paper_only(claim):
    assert not strangers(claim.latex)


@pytest.mark.parametrize("latex", [r"\sqrt{L}", r"\frac\ell n", r"d \le K^2", r"\sqrt d/(n\varepsilon)"])
def test_a_letter_that_the_paper_has_not_is_seen(latex):
    assert strangers(latex)


def test_every_formula_is_shown_as_one():
    """The page falls back to the source of what it cannot convert."""
    formulas = [(claim.key, latex) for claim in CLAIMS for latex in (claim.latex, claim.correction_latex) if latex]
    assert not [(key, latex) for key, latex in formulas if "<math" not in mathml(latex) or "\\" in re.sub("<[^>]*>", "", mathml(latex))]


FALSE = [claim for claim in CLAIMS if claim.examine is witness.check_witness]
QUICK = [claim for claim in CLAIMS if claim.key in {"gauss_psgd." + name for name in (
    "theorem1.at_its_parameters", "equation_6.bound_on_r", "corollary1.printed_ln", "lemma6.orders", "algorithm2.sensitivity_o1",
    "algorithm2.sensitivity_o2", "theorem2.exponents", "remark1.alpha_is_an_output", "lemma3.index_printed",
    "lemma8.set_by_the_sums_of_lemma7", "definition2.saddle",
    "definition4.refers_to_3", "algorithm1.listed_inputs", "algorithm2.listed_inputs", "algorithm4.listed_inputs", "parameter_block.unique",
    "assumption2.one_u", "theorem4.chosen_point",
)}]  # fmt: skip


@pytest.mark.parametrize("claim", [*FALSE, *QUICK], ids=lambda claim: claim.key)
def test_witnesses_speak_the_letters_of_the_paper(claim):
    finding = claim.examine(**claim.arguments)
    assert not OURS.search(" ".join([finding.sentence, *map(str, finding.witness.items())]))


def test_a_printed_formula_is_no_sketch_of_one():
    assert not [claim.key for claim in FALSE if claim.stated == "printed" and "P}(\\dots" in claim.latex]


def test_the_interval_of_a_share_covers_it():
    rng = np.random.default_rng(0)
    covered = [low <= 0.3 <= high for low, high in (clopper_pearson(int(rng.binomial(40, 0.3)), 40, 0.05) for _ in range(500))]
    assert np.mean(covered) >= 0.95
    assert clopper_pearson(0, 10)[0] == 0
    assert clopper_pearson(10, 10) == (pytest.approx((0.5e-9) ** 0.1), 1.0)


def test_judgements_can_go_either_way():
    assert check_deviation(1.0, {"x": 1}, 3, "", 0).outcome is Outcome.REFUTED
    assert check_deviation(math.nan, {"x": 1}, 3, "", 0).outcome is Outcome.REFUTED  # what is not a number is not within a tolerance
    assert check_ratio(1.1, {"x": 1}, 3, "", 0).outcome is Outcome.REFUTED
    assert check_ratio(0.5, {"x": 1}, 3, "", 0, reach=0.9).outcome is Outcome.INCONCLUSIVE
    squares = float(np.sum(np.random.default_rng(1).standard_normal(400) ** 2))
    assert check_variance(squares, 400, "", 0).outcome is Outcome.CONSISTENT
    assert check_variance(2 * squares, 400, "", 0).outcome is Outcome.REFUTED
    assert check_probability_at_most(30, 100, 0.01, "", 0).outcome is Outcome.REFUTED
    assert check_probability_at_most(1, 100, 0.01, "", 0).outcome is Outcome.CONSISTENT
    assert check_probability_at_least(0, 100, 0.9, "", 0).outcome is Outcome.REFUTED
    assert check_probability_at_least(85, 100, 0.9, "", 0).outcome is Outcome.INCONCLUSIVE


def test_the_curve_is_that_of_the_library():
    for epsilon, mu in ((0.1, 0.01), (2.0, 0.5), (2.0, 3.0), (200.0, 17.0)):
        exact = privacy.attained_delta(epsilon, mp.mpf(mu))
        assert float(exact) == pytest.approx(math.exp(accounting.log_delta(epsilon=epsilon, mu=mu)), rel=1e-9)


@pytest.mark.parametrize(("epsilon", "epsilon_0", "delta_0", "k"), [(0.5, 0.4, 0.0, 3), (1.0, 0.3, 0.01, 5), (0.0, 1.0, 0.0, 2)])
def test_composition_against_all_outcomes(epsilon, epsilon_0, delta_0, k):
    p = 1 / (1 + math.exp(-epsilon_0))
    outcomes = [
        (math.prod(p if heads else 1 - p for heads in one), math.prod(1 - p if heads else p for heads in one))
        for one in itertools.product((True, False), repeat=k)
    ]
    pure = sum(max(a - math.exp(epsilon) * b, 0.0) for a, b in outcomes)
    assert privacy.composed_delta(epsilon, epsilon_0, delta_0, k) == pytest.approx(1 - (1 - delta_0) ** k * (1 - pure), rel=1e-9)


def test_growth_is_the_sum():
    assert lemmas_18_to_20.noise_growth(0.1, 0.5, 20) == pytest.approx(math.sqrt(sum(1.05 ** (2 * k) for k in range(20))), rel=1e-12)


def test_the_mu_of_the_examples_is_the_largest_entry_of_6():
    """By hand at s = 4, M = rho = alpha = 1, d = 10, half of psi^2 in each noise: the second entry is log(160 sqrt(2) 20^(1/4) mu)."""
    for base, unit in (("e", 1.0), ("2", math.log(2))):
        for s in (4.0, 10.0):
            mu = lemmas_3_and_4.largest_entry_mu(s, base)
            assert mu == pytest.approx(math.log(160 * math.sqrt(2) * 20**0.25 * mu) / unit, rel=1e-9)
    assert lemmas_3_and_4.largest_entry_mu(4.0, "e") == pytest.approx(8.285, abs=1e-3)


def test_too_small_a_constant_does_not_pass_the_triangle_inequality():
    assert lemmas_5_and_6.check_error_sum_tail(C=3.0, points=2000, seed=0).outcome is Outcome.REFUTED


def test_what_is_said_beside_the_theorems_can_come_out_the_other_way():
    assert discussion.check_minimiser_curvature(accuracies=()).outcome is Outcome.CONSISTENT
    assert discussion.check_worst_errors(factor=1.1, points=3).outcome is Outcome.REFUTED
    assert corollary_3_lemmas_10_to_15.check_isotropy(variances=(1.0, 1.0), length=20, seed=0).outcome is Outcome.CONSISTENT
    assert discussion.check_lower_bound_from_order(sigma=1.0, alpha=0.1, d=100, r=0.1).outcome is Outcome.CONSISTENT
    assert theorem4.check_limit_with_products(powers=(6.0,), products=2.0).outcome is Outcome.CONSISTENT  # too many products for the rate
    assert theorem4.check_defined_symbols(used=("theta_o",), defined=("theta_o",)).outcome is Outcome.CONSISTENT
    assert discussion.check_client_means(what="bounds", cases=5, seed=0).outcome is Outcome.CONSISTENT


def test_the_three_terms_of_remark_4_with_a_root_of_d():
    alpha, terms = theorem4.last_error_terms(1e6, 1e6, 0.0)
    assert alpha == pytest.approx(1e-3**0.4)
    assert terms == pytest.approx((1e-3 * alpha**-1.25, 1e-3 * alpha**-0.75, 1e-6 * alpha**-2.5))


def test_the_figure_selects_as_far_as_the_claim_says():
    with (Path(__file__).parents[3] / "figures" / "gallery" / "psgd-selection.csv").open(encoding="utf-8") as file:
        selected = {int(row["d"]): float(row["selected"]) for row in csv.DictReader(file) if row["rule"] == "printed"}
    largest = max(d for d, share_ in selected.items() if share_ > 0.5)
    (claim,) = [claim for claim in CLAIMS if claim.key == "gauss_psgd.algorithm4.turned_down"]
    assert f"in our figure psgd-selection up to d = {largest}" in claim.why


def test_what_holds_instead_is_examined_by_its_own_lines_as_often_as_is_said():
    claims = [one for one in CLAIMS if one.examine is witness.check_correction]
    for one in claims:
        assert one.derivations == named_proofs("gauss_psgd", one.arguments["steps"])
        assert (one.arguments_of(full=False)["samples"], one.arguments_of(full=True)["samples"]) == (20, 1000)
    found = witness.check_correction(key="gauss_psgd.printed_71", steps="lemma4: first_term two_Gamma", samples=7)
    assert (found.outcome, found.numbers["points tried"]) == (Outcome.PROVED, 2 * 7)


def test_a_claim_about_a_logarithm_is_examined_with_the_base_that_its_key_names():
    named = {(one.key.rpartition("_")[2], one.arguments["base"]) for one in CLAIMS if one.key.endswith(("_ln", "_log2"))}
    assert named == {("ln", "e"), ("log2", "2")}


def test_every_run_of_a_count_has_draws_of_its_own(monkeypatch):
    """A count of runs is a binomial number, as its interval takes it, only where no two runs share their replicate."""
    replicates, select = [], algorithm4.select
    monkeypatch.setattr(algorithm4, "select", lambda *given, **named: replicates.append(named.get("replicate")) or select(*given, **named))
    algorithm4.check_sosp_accepted(tests="printed", d=3, epsilon=8.0, omega=0.1, runs=3, seed=1)
    assert len(replicates) == len(set(replicates)) == 3


def test_the_parameters_of_a_network_are_its_weights_and_biases():
    found = theorem4.check_network_dimension(settings=({"n": 6000.0, "m": 1, "epsilon": 1.0},), layers=(4, 3, 2))
    assert found.numbers["parameters"] == 4 * 3 + 3 + 3 * 2 + 2
