"""Words with formulas in them as LaTeX: no letter is found inside a word, and a prime is a prime."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.latex_words import NAMED, SPECIAL, escaped, prose, split_at_comma, words
from bounds.symbols import GLOSSARY
from tests.tex import faults

ENGLISH = [
    "gradient", "gradual", "upgrade", "maximal", "proximal", "relaxing", "Lambda-free", "tautology", "statute", "lamp", "lambs",
    "Laplace", "deltas", "deltoid", "epsilons", "sigmoid", "Gammas", "etas", "theta-method", "music", "museum", "minute", "minimum",
    "logarithm", "logic", "export", "expert", "ellipse", "smell", "pint", "spin", "chip", "psychic", "nugget", "menu", "rhomboid",
    "phial", "supper", "infinite", "inform", "trace", "Track", "erase", "tauter", "xis", "inequality", "sinus", "cosine",
]  # fmt: skip


@pytest.mark.parametrize("word", ENGLISH)
def test_a_word_of_english_stays_whole(word):
    found = re.findall(r"[A-Za-z]{2,}", words(word).replace(r"\text", " ").replace(r"\theta", "theta").replace(r"\Lambda", "Lambda"))
    assert "".join(found) == word.replace("-", ""), words(word)
    if "-" not in word:
        assert prose(word) == word
        assert words(f"the {word} of x") == rf"\text{{the {word} of }}x"


@given(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=12))
def test_any_word_is_english_unless_the_whole_of_it_is_a_name(word):
    assert words(word) == NAMED.get(word, rf"\text{{{word}}}") or word == "sqrt"


@pytest.mark.parametrize(
    ("said", "latex"),
    [
        ("u'a", r"u^{\top}a"),
        ("x'y", r"x^{\top}y"),
        ("a'Ha", r"a^{\top}Ha"),
        ("g'(E m u)", r"g^{\top}(\mathbb{E}\, m u)"),
        ("x_t - x'_t", r"x_{t} - x'_{t}"),
        ("x'", "x'"),
        ("Z^2 + Z'^2", r"Z^{2} + Z'^{2}"),
        ("f'(x)", "f'(x)"),
        ("||u - u'||", r"\|u - u'\|"),
        ("z_t' H z_t", r"z_{t}^{\top} H z_{t}"),
        ("E uu' = I", r"\mathbb{E}\, uu' = I"),
    ],
)
def test_a_prime_is_a_prime_unless_it_is_a_transposition(said, latex):
    assert words(said) == latex


@pytest.mark.parametrize(
    ("said", "latex"),
    [
        ("E ||grad F_S(x_tau)||^2", r"\mathbb{E}\, \|\nabla F_{S}(x_{\tau})\|^{2}"),
        ("the mean gradient", r"\text{the mean gradient}"),
        ("the maximal xi", r"\text{the maximal }\xi"),
        ("ell-smooth", r"\ell\text{-smooth}"),
        ("(epsilon, delta)-DP", r"(\varepsilon, \delta)\text{-DP}"),
        ("-lambda_min of the Hessian", r"-\lambda_{\min}\text{ of the Hessian}"),
        ("tau uniform on 0..T-1", r"\tau\text{ uniform on }0,\dots,T-1"),
        ("a vector in R^d", r"\text{a vector in }\mathbb{R}^{d}"),
        ("sqrt(sigma^2 + r^2 d)", r"\sqrt{\sigma^{2} + r^{2} d}"),
        ("times the drift reaches drift_limit", r"\text{times the drift reaches }\kappa"),
        ("F_S(x_T) - F_S^*", r"F_{S}(x_{T}) - F_{S}^{*}"),
        ("T* = 1e-09", r"T^{*} = 10^{-9}"),
        ("2.5e+04 of 10,000", r"2.5\cdot 10^{4}\text{ of }10\,000"),
        ("Appendix E", r"\text{Appendix E}"),
        ("||P_h(t) + P_sg(t)||", r"\|\mathscr{P}_h(t) + \mathscr{P}_{sg}(t)\|"),
    ],
)
def test_formulas_among_words(said, latex):
    assert words(said) == latex


def test_english_apostrophes_are_no_primes():
    assert prose("the paper's L and every sample's loss don't") == "the paper's $L$ and every sample's loss don't"


def test_what_behind_a_comma_is_split_off_only_outside_of_parentheses():
    assert split_at_comma("E g(x, y) of {a, b}, tau uniform, too") == ("E g(x, y) of {a, b}", "tau uniform, too")
    assert split_at_comma("no comma") == ("no comma", "")


@given(st.one_of(st.text(max_size=60), st.text("aEx_^'(){}[]*~|<=+-.,/ 1$\\%", max_size=30)))
def test_any_text_becomes_latex_that_balances(text):
    assert faults(f"{{{escaped(text)}}}") == []
    for latex in (prose(text), f"${words(text)}$"):
        assert [fault for fault in faults(latex) if "not known" not in fault] == []


def test_every_special_sign_is_printed_as_it_is():
    shown = {sign: escaped(sign) for sign in '#$%&_{}~^\\<>|"'}
    assert all(latex.startswith("\\") for latex in shown.values())
    assert set(SPECIAL) == set(shown)
    assert escaped("ρ ≤ é\u202e") == r"$\rho$ [less-than or equal to] é[right-to-left override]"


def said_by_the_lab():
    for theorem in bounds.THEOREMS.values():
        yield from (theorem.measure, theorem.title, theorem.source, *theorem.assumptions, *theorem.notes)
        yield from (part.words for part in theorem.parts)
    for derivation in bounds.DERIVATIONS.values():
        yield from (text for step in derivation.steps for text in (step.statement, step.reason))
    yield from (letter.words for letter in GLOSSARY.values())


def test_all_that_the_lab_says_is_known_latex():
    texts = dict.fromkeys(said_by_the_lab())
    assert len(texts) > 800
    wrong = {text: found for text in texts for latex in (prose(text), f"${words(text)}$") if (found := faults(latex))}
    assert wrong == {}
