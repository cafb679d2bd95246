"""What stands under "as printed" is in the paper's letters, and is its formula: no abbreviation and no name of ours."""

import re

import pytest

from bounds.symbols import GLOSSARY
from paper_checks import papers

PRINTED = [claim for claim in papers.claims("dpzero") if claim.stated == "printed"]
# every letter of DPZero's formulas, read off its text; A is its matrix of Appendix B.1, and nothing else
LETTERS = set("BCEFGHILNOPQSTacdefghijnrtuvwxz") | {
    "alpha", "delta", "Delta", "ell", "gamma", "kappa", "lambda", "mu", "pi", "sigma", "tau", "varepsilon", "xi", "nabla",
}  # fmt: skip
SIGNS = {
    "bar", "cdot", "cos", "exp", "frac", "ge", "hat", "in", "le", "left", "leftarrow", "log", "mathbb", "mathcal", "mathrm",
    "max", "min", "ne", "operatorname", "quad", "right", "sim", "sqrt", "sum", "text", "tfrac", "tilde", "top",
}  # fmt: skip
WORDS = {"Tr", "clip", "Unif"}  # that stand in formulas of the paper
THEIRS = {"C_0", "L_tilde", "w_1", "w_2", "a_i", "a_j"}  # of the glossary's names, those that spell letters of the paper
OURS = {"lam", "gap", "Delta_0"} | {name for name in GLOSSARY if "_" in name} - THEIRS


def tokens(latex):
    """The commands, words and letters of a formula; \\mathcal{A} and \\mathcal{B} are the paper's algorithm and event."""
    latex = re.sub(r"\\mathcal\{[AB]\}", "", latex)
    words = set(re.findall(r"\\(?:text|mathrm|operatorname)\{([^}]*)\}", latex))
    latex = re.sub(r"\\(?:text|mathrm|operatorname)\{[^}]*\}", "", latex)
    return set(re.findall(r"\\([A-Za-z]+)", latex)), words, set(re.findall("[A-Za-z]", re.sub(r"\\[A-Za-z]+", "", latex)))


def strangers(latex):
    """What a formula has that no formula of the paper has."""
    commands, words, letters = tokens(latex)
    return (
        (commands - LETTERS - SIGNS)
        | (words - WORDS)
        | (letters - LETTERS)
        | set(re.findall(r"[A-Za-z]+_[A-Za-z0-9]\w*|\bgap\b|\blam\b", latex)) & OURS
    )


@pytest.mark.parametrize("claim", [claim for claim in PRINTED if claim.latex], ids=lambda claim: claim.key)
def test_a_printed_formula_has_the_letters_of_the_paper_only(claim):
    assert not strangers(claim.latex)


@pytest.mark.parametrize(
    "ours", [r"\ell\Delta_0 + 2L^2", r"\sqrt{dA}", r"\log X", r"\log Y", r"\mathrm{cert}(T)", r"\rho_r", r"T \ge T_star", "gap"]
)
def test_an_abbreviation_of_ours_is_noticed(ours):
    assert strangers(ours)


def test_words_of_printed_claims_have_no_name_of_ours():
    for claim in PRINTED:
        found = set(re.findall(r"(?<![\w^])[A-Za-z]\w*", f"{claim.words} {claim.correction}"))
        assert not found & OURS, (claim.key, found & OURS)
