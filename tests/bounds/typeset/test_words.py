"""Words with formulas in them as LaTeX: no letter is found inside a word, and a prime is a prime."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.symbols import GLOSSARY
from bounds.typeset.words import NAMED, SPECIAL, escape_latex, math_latex, split_at_comma, text_latex
from tests.tex import latex_faults

ENGLISH = [
    "gradient", "gradual", "upgrade", "maximal", "proximal", "relaxing", "Lambda-free", "tautology", "statute", "lamp", "lambs",
    "Laplace", "deltas", "deltoid", "epsilons", "sigmoid", "Gammas", "etas", "theta-method", "music", "museum", "minute", "minimum",
    "logarithm", "logic", "export", "expert", "ellipse", "smell", "pint", "spin", "chip", "psychic", "nugget", "menu", "rhomboid",
    "phial", "supper", "infinite", "inform", "trace", "Track", "erase", "tauter", "xis", "inequality", "sinus", "cosine",
]  # fmt: skip


@pytest.mark.parametrize("word", ENGLISH)
def test_a_word_of_english_stays_whole(word):
    found = re.findall(r"[A-Za-z]{2,}", math_latex(word).replace(r"\text", " ").replace(r"\theta", "theta").replace(r"\Lambda", "Lambda"))
    assert "".join(found) == word.replace("-", ""), math_latex(word)
    if "-" not in word:
        assert text_latex(word) == word
        assert math_latex(f"the {word} of x") == rf"\text{{the {word} of }}x"


@given(st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=2, max_size=12))
def test_any_word_is_english_unless_the_whole_of_it_is_a_name(word):
    assert math_latex(word) == NAMED.get(word, rf"\text{{{word}}}") or word == "sqrt"


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
    assert math_latex(said) == latex


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
    assert math_latex(said) == latex


@pytest.mark.parametrize(
    ("said", "latex"),
    [
        # scripts: of a formula, of a word, of a letter that the glossary knows by a word; what has one takes no second beside it
        ("x_t^2 + x^2_t", "x_{t}^{2} + x^{2}_{t}"),
        ("x^2^3", "{x^{2}}^{3}"),
        ("x_i^2_j^3", "{x_{i}^{2}}_{j}^{3}"),
        ("x^2_i^3_j", "{x^{2}_{i}}^{3}_{j}"),
        ("x^2^3^4", "{{x^{2}}^{3}}^{4}"),
        ("32 L^2 / T*^2_i", "32 L^{2} / {T^{*}}^{2}_{i}"),
        ("x^2' and x_t'", r"{x^{2}}'\text{ and }x_{t}'"),
        ("x'^2_t", "x'^{2}_{t}"),
        ("of the order of accuracy^(-5/2)", r"\text{of the order of }\alpha^{-5/2}"),
        ("widths^2 of x", r"\text{widths}^{2}\text{ of }x"),
        ("accuracy of x", r"\text{accuracy of }x"),
        ("e^-y + e^-2 + e^(word)", r"e^{-y} + e^{-2} + e^{\text{word}}"),
        ("x^* + x_+ + x^*y", "x^{*} + x_{+} + x^{*}y"),
        ("F(x_{t_0+t}) - F(x_(t-1))", "F(x_{t_{0}+t}) - F(x_{t-1})"),
        ("x_{t_0 and e^", r"x\text{\_\{}t_{0}\text{ and }e\text{\textasciicircum{}}"),
        ("1e5^2", "{10^{5}}^{2}"),
        # signs
        ("x~ + y~_t, f~g", r"\tilde{x} + \tilde{y}_{t}\text{, }f\sim g"),
        ("V ~ N(0, 1)", r"V \sim N(0, 1)"),
        ("x* y = x*(y) + x*2 + x*y + x * y", r"x^{*} y = x\cdot(y) + x\cdot2 + x\cdot y + x \cdot y"),
        ("x != y -> z +- 1 -+ 2", r"x \ne y \to z \pm 1 \mp 2"),
        ("alpha<=t_1", r"\alpha\le t_{1}"),
        # hyphens and slashes of words, and signs
        ("word-x, x-y, and/or, n/d, words / x", r"\text{word-}x\text{, }x-y\text{, and/or, }n/d\text{, words }/ x"),
        ("-x, x -y, word -x, word- x", r"-x\text{, }x -y\text{, word }-x\text{, word}- x"),
        ("pre- and post-", r"\text{pre}-\text{ and post}-"),
        # names
        ("integer_T gives it", r"\text{\texttt{integer\_T} gives it}"),
        ("value_at x, tail_x", r"\text{\texttt{value\_at} }x\text{, \texttt{tail\_x}}"),
        ("code.name of x", r"\text{\texttt{code.name} of }x"),
        ("x_1_2 + x_bar_1 + g_tilde_t_2", r"x_{1,2} + \bar{x}_{1} + \tilde{g}_{t,2}"),
        ("sigma_fresh, x_ab, x_alpha, x_10", r"\sigma_{\mathrm{fresh}}\text{, }x_{\mathrm{ab}}\text{, }x_{\alpha}\text{, }x_{10}"),
        ("drift_limit(x), drift_limit, P_h", r"drift_{\mathrm{limit}}(x)\text{, }\kappa\text{, }P_{h}"),
        ("eta sum_{i<=t} x_i", r"\eta \sum_{i\le t} x_{i}"),
        ("sum_i x_i", r"\sum_{i} x_{i}"),
        ("nu_{t_0+1} + y_{i}", r"\nu_{t_{0}+1} + y_{i}"),
        ("tanh(x), Lemma alpha", r"\text{tanh}(x)\text{, Lemma }\alpha"),
        ("the telescoping sum (97)", r"\text{the telescoping sum (97)}"),
        ("sqrt(2 T A) / n, sqrt(x", r"\sqrt{2 T A} / n\text{, }sqrt\text{(}x"),
        # transpositions, and products behind them
        ("u'grad f(x)", r"u^{\top}\nabla f(x)"),
        ("u'Huu + u'abcd", r"u^{\top}Huu + u^{\top}\text{abcd}"),
        ("u'a_i and u'ab_i", r"u^{\top}a_{i}\text{ and }u^{\top}\text{\texttt{ab\_i}}"),
        ("uuu' and uuuu' and uv'", r"uuu'\text{ and uuuu' and uv'}"),
        ("z' H z, z' G z, z'(Hz)", r"z^{\top} H z\text{, }z' G z\text{, }z^{\top}(\text{Hz})"),
        ("F'(x) + P'(x) + h'(x)", "F'(x) + P'(x) + h'(x)"),
        # expectation, probability, the space
        (
            "E[W] + E(W) + E W + E |W| + E a'x",
            r"\mathbb{E}[W] + \mathbb{E}(W) + \mathbb{E}\, W + \mathbb{E}\, |W| + \mathbb{E}\, a^{\top}x",
        ),
        ("on E both runs, E = 1, the event E", r"\text{on }E\text{ both runs, }E = 1\text{, the event }E"),
        ("E ", r"E\text{ }"),
        ("E=|x|, P=1, A^d, R^c, R~d", r"E=|x|\text{, }P=1\text{, }A^{d}\text{, }R^{c}\text{, }R\sim d"),
        ("C [0] and F (y)", r"C [0]\text{ and }F (y)"),
        ("P(A) and P is R", r"\mathbb{P}(A)\text{ and }P\text{ is }R"),
        ("R^d, R^n, R, R d, x^d", r"\mathbb{R}^{d}\text{, }R^{n}\text{, }R\text{, }R d\text{, }x^{d}"),
        # articles and labels
        ("a vector, a is a, a = a vector", r"\text{a vector, }a\text{ is }a\text{, }a = a\text{ vector}"),
        ("A point, a-words", r"\text{A point, }a\text{-words}"),
        ("x. A point: A word", r"x\text{. A point: A word}"),
        ("of A points, A = 1, A is", r"\text{of }A\text{ points, }A = 1\text{, }A\text{ is}"),
        ("Theorem A, Lemma B holds, word C", r"\text{Theorem A, Lemma B holds, word }C"),
        ("F.2, 3rd, Q1, i.e. x, (iv) y, f(i)", r"\text{F.2, 3rd, Q1, i.e. }x\text{, (iv) }y\text{, }f(i)"),
        # numbers: those that stand alone among words are words
        ("Lemma 2.2 (advanced composition)", r"\text{Lemma 2.2 (advanced composition)}"),
        ("our repair of (5), (6) and Lemma 6", r"\text{our repair of (5), (6) and Lemma 6}"),
        ("x 2 and 3.5 of P_h(0)", r"x 2\text{ and 3.5 of }\mathscr{P}_h(0)"),
        ("2", "2"),
        ("2e5, 0.5e3, 1e5", r"2\cdot 10^{5}\text{, }0.5\cdot 10^{3}\text{, }10^{5}"),
        # parentheses: a formula's, or of words
        ("(x, y) in [0, 1)", r"(x, y)\text{ in }[0, 1)"),
        ("f(x; y) = (x.y)", r"f(x; y) = (x\cdot y)"),
        ("x, y; z. Then", r"x\text{, }y\text{; }z\text{. Then}"),
        ("He: DPZero (ICML 2024), x", r"\text{He: DPZero (ICML 2024), }x"),
        (
            "(see x), f(x of y), 3(word), (word)^2",
            r"\text{(see }x\text{), }f(x\text{ of }y)\text{, }3(\text{word})\text{, }(\text{word})^{2}",
        ),
        ("((y) word, [x}, x)", r"\text{(}(y)\text{ word, [}x\text{\}, }x\text{)}"),
    ],
)
def test_what_each_kind_of_token_becomes(said, latex):
    assert math_latex(said) == latex


def test_a_paragraph_has_its_formulas_between_dollars():
    assert text_latex("word x_i and 3 of y, at 1e5 T") == r"word $x_{i}$ and 3 of $y$, at $10^{5} T$"
    assert text_latex("E x, y") == r"$\mathbb{E}\, x$, $y$"


def test_english_apostrophes_are_no_primes():
    assert text_latex("the paper's L and every sample's loss don't") == "the paper's $L$ and every sample's loss don't"


def test_what_behind_a_comma_is_split_off_only_outside_of_parentheses():
    assert split_at_comma("E g(x, y) of {a, b}, tau uniform, too") == ("E g(x, y) of {a, b}", "tau uniform, too")
    assert split_at_comma("no comma") == ("no comma", "")
    assert split_at_comma("a,b, c") == ("a", "b, c")
    assert split_at_comma("a), b") == ("a), b", "")
    assert split_at_comma("[a, b), c") == ("[a, b)", "c")


@given(st.one_of(st.text(max_size=60), st.text("aEx_^'(){}[]*~|<=+-.,/ 1$\\%", max_size=30)))
def test_any_text_becomes_latex_that_balances(text):
    assert latex_faults(f"{{{escape_latex(text)}}}") == []
    for latex in (text_latex(text), f"${math_latex(text)}$"):
        assert [fault for fault in latex_faults(latex) if "not known" not in fault] == []


def test_every_special_sign_is_printed_as_it_is():
    shown = {sign: escape_latex(sign) for sign in '#$%&_{}~^\\<>|"'}
    assert all(latex.startswith("\\") for latex in shown.values())
    assert set(SPECIAL) == set(shown)
    assert escape_latex("ρ ≤ é\u202e") == r"$\rho$ [less-than or equal to] é[right-to-left override]"
    assert escape_latex("Δ α – ſ\u00a0x") == r"$\Delta$ $\alpha$ – ſ x"
    assert escape_latex("ƀ ο") == "[latin small letter b with stroke] [greek small letter omicron]"
    assert escape_latex("ѡ 𝛼") == "[cyrillic small letter omega] [mathematical italic small alpha]"
    assert escape_latex("\ue000") == "[u+e000]"


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
    wrong = {text: found for text in texts for latex in (text_latex(text), f"${math_latex(text)}$") if (found := latex_faults(latex))}
    assert wrong == {}
