"""Theorems as values: evaluation, limits of floats, exponents, growth, text."""

import math
import re
from dataclasses import replace

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import bounds
from bounds.floats import float_value
from bounds.growth import CONSTANT, Growth, growth, log_derivative
from bounds.proofs.attack import attack
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import line
from bounds.symbols import GLOSSARY, LETTERS, A, L, Letter, T, X, alpha, d, delta, ell, epsilon, gap, introduce, lam, latex, n, r, symbols
from bounds.theorem import HYPOTHESIS, SCOPE, Condition, Part, Theorem
from tests.bounds.proofs.test_proofs import OWN_RANGES
from tests.papers import PAPERS, joined, of

TOY = Theorem(
    key="toy.rate",
    title="a toy",
    source="these tests",
    claim="upper",
    measure="E error",
    assumptions=("nothing",),
    definitions={"A": sp.log(sp.E + epsilon / delta), "X": n * d / A},
    schedule={"alpha": 1 / ell, "T": n * epsilon / sp.sqrt(A), "lam": sp.Min(L * sp.sqrt(sp.log(X)), alpha)},
    bound=gap / T + L**2 * sp.log(X) / n,
    any_schedule=gap / (alpha * ell * T) + L**2 * sp.log(X) / n,
    valid_if=(alpha <= 1 / ell,),
    conditions=(Condition(X > 1, "X = {value} is not above {limit}"), Condition(lam >= 1, "lam = {value} is small", SCOPE)),
    parts=(Part("steps", "n T", "=", n * T), Part("unused", "r", "=", r)),
    notes=("a note",),
)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"bound": L * sp.Symbol("foo")}, "bound of toy.rate = L*foo: foo is not a symbol of the glossary, bounds.symbols"),
        ({"bound": sp.Symbol("L")}, "bound of toy.rate = L: L is not a symbol of the glossary, bounds.symbols"),  # not the positive one
        ({"schedule": {"alpha": sp.Symbol("foo") / ell}}, "alpha of toy.rate = foo/ell: foo is not a symbol"),
        ({"schedule": {"alfa": 1 / ell}}, "alfa of toy.rate = 1/ell: alfa is not a symbol of the glossary, bounds.symbols"),
        ({"bound": 3}, "bound of toy.rate = 3: an expression of SymPy is needed, sp.Integer(3) and not 3"),
        ({"bound": None}, "bound of toy.rate = None: an expression of SymPy is needed, sp.Integer(3) and not 3"),
        ({"schedule": {"alpha": 0.1}}, "alpha of toy.rate = 0.1: an expression of SymPy is needed, sp.Integer(3) and not 3"),
        ({"schedule": None}, "schedule of toy.rate: a dictionary is needed, from the names of symbols to expressions"),
        ({"claim": "odd"}, "claim = 'odd' of toy.rate: one of upper, privacy, identity, rate is needed"),
        ({"definitions": {"Z_": ell}}, "Z_ of toy.rate = ell: Z_ is not a symbol"),
    ],
)
def test_a_theorem_has_letters_of_the_glossary_only(changed, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        replace(TOY, **changed).evaluate(**VALUES)


VALUES = dict(n=1000, d=50, epsilon=2.0, delta=1e-6, L=1.5, ell=0.5, gap=2.0)


def by_hand(n, d, epsilon, delta, L, ell, gap):
    A_ = mp.log(mp.e + mp.mpf(epsilon) / mp.mpf(delta))
    T_ = mp.mpf(n) * epsilon / mp.sqrt(A_)
    return gap / T_ + mp.mpf(L) ** 2 * mp.log(mp.mpf(n) * d / A_) / n


def test_evaluate_gives_schedule_bound_parts_and_conditions():
    got = TOY.evaluate(**VALUES)
    assert list(got.schedule) == ["alpha", "T", "lam"]
    assert got.schedule["alpha"] == 2.0
    assert got.bound == pytest.approx(float(by_hand(**VALUES)), rel=1e-14)
    assert got.parts == {"steps": pytest.approx(1000 * got.schedule["T"])}
    assert got.holds
    assert got.caveats == ()


def test_a_value_that_the_theorem_does_not_use_is_allowed_and_fills_its_part():
    assert TOY.evaluate(**VALUES, r=3.0).parts["unused"] == 3.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (dict(epsilon=0.0), "epsilon = 0.0"),
        (dict(delta=1.0), "delta = 1.0"),
        (dict(gap=-1.0), "gap = -1.0"),
        (dict(n=0.5), "n = 0.5"),
        (dict(d=math.nan), "d = nan"),
        (dict(L="one"), "L = 'one'"),
        (dict(breadth=1.0), "breadth = 1.0: not a symbol"),
    ],
)
def test_a_wrong_value_is_named(change, words):
    with pytest.raises(ValueError, match=words):
        TOY.evaluate(**{**VALUES, **change})


def test_a_missing_value_is_named():
    with pytest.raises(ValueError, match=r"gap is missing: toy.rate needs n, d, epsilon, delta, L, ell, gap"):
        TOY.evaluate(**{name: value for name, value in VALUES.items() if name != "gap"})


def test_conditions_speak_with_numbers_and_only_hypotheses_decide():
    small = TOY.evaluate(**{**VALUES, "ell": 1e3})
    assert small.holds
    assert small.caveats == ("lam = 0.001 is small",)
    wrong = TOY.evaluate(**{**VALUES, "n": 1, "d": 1})
    assert not wrong.holds
    assert wrong.caveats[0].startswith("X = 0.06")
    assert math.isnan(wrong.schedule["lam"])
    assert len(wrong.checked) == 1  # nothing is said about a lam that does not exist
    assert wrong.checked[0].condition.kind == HYPOTHESIS


def test_a_repr_is_short_and_warns_of_nothing_that_holds():
    good, small = TOY.evaluate(**VALUES), TOY.evaluate(**{**VALUES, "ell": 1e3})
    assert [entry.caveat for entry in good.checked] == ["", ""]  # "X = 3062 is not above 1" would be false
    assert repr(good) == f"Evaluation(toy.rate: bound = {good.bound:.6g}, alpha = 2, T = {good.schedule['T']:.6g}, lam = 2)"
    assert repr(small).endswith("; not met: lam = 0.001 is small)")
    assert [repr(entry) for entry in small.checked] == ["Checked(X > 1: met)", "Checked(lam >= 1: not met, lam = 0.001 is small)"]
    assert repr(TOY) == "Theorem(toy.rate: a toy; evaluate(n, d, epsilon, delta, L, ell, gap))"


def test_the_repr_of_every_theorem_is_one_line():
    for theorem in bounds.THEOREMS.values():
        assert len(repr(theorem)) < 250, theorem.key
        assert "\n" not in repr(theorem)


def test_the_repr_of_theorem_3_says_only_what_is_not_met():
    values = dict(n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0)
    said = repr(bounds.THEOREMS["dpzero.theorem3"].evaluate(**values))
    assert "is below 1" not in said
    assert "the bound 1.284 is not below L^2 = 1" in said
    assert len(said) < 250


@pytest.mark.parametrize(
    "change",
    [
        dict(n=1e9, d=1e11, delta=1e-15),
        dict(n=1e200, d=1e200),
        dict(L=1e200, gap=1e300),
        dict(L=1e-170, gap=1e-300),
        dict(epsilon=1e-300),
    ],
)
def test_floats_agree_with_50_digits_far_out(change):
    values = {**VALUES, **change}
    with mp.workdps(50):
        exact = by_hand(**values)
        assert abs(TOY.evaluate(**values).bound / exact - 1) < 1e-12 if exact < 1e308 else True


def test_a_value_beyond_floats_is_inf_and_not_an_error():
    assert float_value(L**3, {"L": 1e200}) == math.inf
    assert float_value(1 / L**3, {"L": 1e200}) == 0.0
    assert math.isnan(float_value(sp.sqrt(sp.log(L)), {"L": 0.5}))
    assert math.isnan(float_value(1 / gap, {"gap": 0.0}))


def test_bound_at_a_schedule_of_ones_own():
    printed = TOY.evaluate(**VALUES)
    assert TOY.bound_at(**VALUES) == pytest.approx(printed.bound)
    assert TOY.bound_at(**VALUES, **printed.schedule) == pytest.approx(printed.bound)
    assert TOY.bound_at(**VALUES, alpha=1.0) > printed.bound
    assert TOY.bound_at(**VALUES, alpha=2.1) == math.inf
    with pytest.raises(ValueError, match="no bound for a free schedule"):
        replace(TOY, any_schedule=None).bound_at(**VALUES)


@settings(max_examples=50)
@given(power=st.integers(-3, 3), halves=st.integers(-4, 4), at=st.floats(1.5, 1e6))
def test_log_derivative_of_a_power_is_the_power(power, halves, at):
    expression = n**power * sp.Rational(7, 3) * sp.sqrt(n) ** halves
    assert float_value(log_derivative(expression, n), {"n": at}) == pytest.approx(power + halves / 2, abs=1e-12)


def test_exponents_are_the_slopes_of_the_bound():
    step = 1e-5
    exponents = TOY.exponents(**VALUES)
    assert set(exponents) == {"d", "r", "n", "epsilon"}
    assert exponents["r"] == 0.0
    for name in ("d", "n", "epsilon"):
        up, down = (TOY.evaluate(**{**VALUES, name: VALUES[name] * math.exp(s * step)}).bound for s in (1, -1))
        assert exponents[name] == pytest.approx(math.log(up / down) / (2 * step), rel=1e-6)


@pytest.mark.parametrize(
    ("expression", "power", "logs"),
    [
        (sp.Integer(7), 0, 0),
        (3 * d**2 + d, 2, 0),
        (sp.sqrt(d) * sp.log(n * d**3), sp.Rational(1, 2), 1),
        (sp.sqrt(sp.log(d)) / d, -1, sp.Rational(1, 2)),
        (sp.log(sp.log(d)), 0, 0),
        (sp.log(1 + 1 / d), 0, 0),
        (sp.Min(d, d**2 / sp.log(d)), 1, 0),
        (sp.Max(d, d * sp.log(d)), 1, 1),
        (d / sp.sqrt(r), 1, 0),
    ],
)
def test_growth(expression, power, logs):
    assert growth(expression, d) == Growth(power, logs)


def test_growth_in_words_and_its_limits():
    assert Growth(sp.Rational(1, 2), 1).words("d") == "d^(1/2) log(d)"
    assert Growth(1, sp.Rational(1, 2)).words("n") == "n log(n)^(1/2)"
    assert CONSTANT.words("d") == "1"
    with pytest.raises(ValueError, match="only sums, products"):
        growth(sp.exp(d), d)


def test_leading_lets_letters_grow_together():
    row = replace(TOY, bound=d * sp.sqrt(r) / n)
    assert row.leading("d") == Growth(1, 0)
    assert row.leading("d", r="d") == Growth(sp.Rational(3, 2), 0)


def test_text_and_latex(capsys):
    text, formula = TOY.show(), TOY.latex()
    assert "toy.rate" in text
    assert "lam <= " in text
    assert "A = log(e + epsilon/delta)" in text
    assert formula.count("{") == formula.count("}")
    assert r"\varepsilon" in formula
    assert capsys.readouterr().out == ""


def test_the_glossary_has_each_name_once_and_says_what_it_means():
    names = [letter.name for letter in LETTERS]
    assert len(set(names)) == len(names)
    assert set(names) <= set(GLOSSARY)  # proofs introduce more
    assert all(letter.name == name for name, letter in GLOSSARY.items())
    assert {"n", "d", "r", "epsilon", "delta", "L", "ell", "gap", "B", "mu", "alpha", "T", "C", "lam", "sigma", "rho"} <= set(names)
    assert all(letter.words and letter.latex for letter in LETTERS)
    assert all(letter.symbol.name == letter.name for letter in LETTERS)
    assert symbols("n A") == (n, A)
    assert latex(ell * gap) in (r"\ell \Delta_0", r"\Delta_0 \ell")


MOMENTUM = Letter("beta", r"\beta", "momentum", 0, 1, "schedule")


def test_a_theorem_of_ones_own_may_introduce_a_letter():
    try:
        beta = introduce(MOMENTUM)
        assert introduce(replace(MOMENTUM)) is beta
        assert symbols("beta") == (beta,)
        assert latex(beta**2) == r"\beta^{2}"
        own = replace(TOY, key="own.rate", bound=gap / (n * (1 - beta)), any_schedule=None, valid_if=())
        assert "beta" in own.parameters
        assert own.evaluate(**VALUES, beta=0.5).bound == pytest.approx(2 * VALUES["gap"] / VALUES["n"])
        in_range = line("in_range", beta, "<=", 1).says("beta in its range").because("a share").reasoned("its range")
        chain = Derivation("own.range", "a range", "ours", (in_range,))
        assert attack(chain, "in_range", samples=25, digits=30).counterexample is None
        with pytest.raises(ValueError, match=r"name = 'beta': this symbol has the meaning 'momentum' already"):
            introduce(replace(MOMENTUM, words="inverse temperature"))
    finally:
        GLOSSARY.pop("beta", None)
    with pytest.raises(ValueError, match=r"beta = 0\.5: not a symbol"):
        TOY.evaluate(**VALUES, beta=0.5)


@pytest.mark.parametrize(
    ("letter", "words"),
    [
        (replace(MOMENTUM, name="d"), "has the meaning 'number of parameters' already"),
        (replace(MOMENTUM, name="lambda"), "a Python identifier that is no keyword is needed"),
        (replace(MOMENTUM, name="beta 1"), "a Python identifier that is no keyword is needed"),
        (replace(MOMENTUM, high="nothing"), "high = 'nothing'"),
    ],
)
def test_a_letter_that_would_confuse_is_refused_and_nothing_changes(letter, words):
    before = dict(GLOSSARY)
    with pytest.raises(ValueError, match=words):
        introduce(letter)
    assert before == GLOSSARY


def test_the_signs_of_the_glossary_fit_its_ranges():
    for letter in LETTERS:
        assert letter.symbol.is_positive == (True if letter.low > 0 else None)
        assert isinstance(letter.high, str) or letter.high > letter.low


def test_the_text_of_a_statement_line_by_line():
    """A heading stands before its first line only; every assumption, equation, part and note has a line."""
    toy = replace(TOY, assumptions=("nothing", "or little"), notes=("a note", "another"))
    lines = toy.show().splitlines()
    assert lines[:2] == ["toy.rate   a toy", "  source      these tests"]
    assert lines[2:4] == ["  assumes     nothing", "              or little"]
    starts = ["  needs       X > ", "  schedule    alph", "              T = ", "              lam "]
    assert [line[:18] for line in lines[4:8]] == starts
    assert lines[8] == "  E error <="
    assert lines[13] == "  for any schedule with alpha <= 1/ell: E error <="
    assert [line for line in lines if line.startswith("  (")] == ["  (steps) n T =", "  (unused) r ="]
    assert [line[:17] for line in lines[-4:]] == ["  where       A =", "              X =", "  note        a n", "  note        ano"]


def test_latex_explains_the_letters_that_nothing_else_does():
    """Of the letters of the statement those that are not defined there, in the order of the glossary, and no others."""
    explained = TOY.latex().partition("Symbols: ")[2].partition("\n")[0]
    written = re.findall(r"\$([^$]*)\$(?: \(in words: \w+\))?: ", explained)
    assert written == [GLOSSARY[name].latex for name in ("n", "d", "r", "epsilon", "delta", "L", "ell", "gap", "alpha", "T")]


LOWEST = {  # of letters that are numbers of things, or at least 1 by what they mean; and of those that may be 0
    1: """n d r T A kappa""",
    0: """gap B trace""",
}
HIGHEST = {"A": 50, "delta": 0.999}  # where it is no power of ten


def power_of_ten(number):
    return number > 0 and float(f"1e{round(math.log10(number))}") == number


def test_every_letter_is_tried_where_its_meaning_allows():
    """Counts from 1, sizes from 0 or from a small power of ten, what has a sign as far below 0 as above, all up to a power of ten."""
    lowest = {low: " ".join([names, *(of(paper, "bounds.LOWEST")[low] for paper in PAPERS)]) for low, names in LOWEST.items()}
    highest = HIGHEST | joined("bounds.HIGHEST")
    letters = [letter for letter in LETTERS if letter.name not in OWN_RANGES]
    for low, names in lowest.items():
        assert {letter.name for letter in letters if letter.low == low} == set(names.split())
    for letter in letters:
        if letter.low < 0:
            assert letter.high == -letter.low
        elif letter.low not in lowest:
            assert power_of_ten(letter.low) or letter.name in ("X", "Y")
        if letter.role == "probability" and highest.get(letter.name) != 0.999:
            assert letter.high == 1
        elif letter.name in highest:
            assert letter.high == highest[letter.name]
        elif isinstance(letter.high, float | int):
            assert power_of_ten(letter.high)
            assert letter.high >= 10
    assert {letter.name: letter.low for letter in LETTERS if letter.name in ("X", "Y")} == {"X": 1.01, "Y": 1.01}
    words = {letter.name: letter.high for letter in LETTERS if isinstance(letter.high, str)}
    assert words == {"r": "d", "mu": "ell", "batch": "n", "minibatch": "n"}
