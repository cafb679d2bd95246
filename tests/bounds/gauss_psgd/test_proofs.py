"""The proof chains of the Gauss-PSGD paper: their sharp constants, and the witnesses of the lines that are false as printed."""

import subprocess
import sys
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest
import sympy as sp
from scipy.optimize import brentq
from scipy.special import logsumexp

import bounds
from bounds import privacy
from bounds.gauss_psgd import DERIVATIONS
from bounds.gauss_psgd.false_lines import PRINTED_FALSE
from bounds.gauss_psgd.paper import T, alpha, chi, d, delta, epsilon, eta, letters, mu, n, rho, s
from bounds.proofs.certificates import Standing, verify
from bounds.proofs.lines import Defined, NonNegative, inserted_lines, used_lines
from bounds.symbols import GLOSSARY, symbols

beta, k, kappa = letters("beta_exp k_exp kappa")

PRINTED = {one.key: one for one in PRINTED_FALSE}
CERTIFICATES = {
    "gauss_psgd.parameter_block": dict(Substitution=9, NonNegative=2),
    "gauss_psgd.lemma18": dict(Identity=3),
    "gauss_psgd.lemma19": dict(Identity=3, NonNegative=10, Reasoned=3),
    "gauss_psgd.lemma20": dict(Reasoned=2, NonNegative=6, Substitution=5),
    "gauss_psgd.lemma1": dict(Reasoned=3, Substitution=4, NonNegative=14),
    "gauss_psgd.corollary1": dict(NonNegative=2),
    "gauss_psgd.lemma2": dict(NonNegative=5),
    "gauss_psgd.lemma3": dict(Identity=1, NonNegative=3, Telescoped=1),
    "gauss_psgd.corollary2": dict(NonNegative=4),
    "gauss_psgd.lemma4": dict(NonNegative=6, Substitution=3),
    "gauss_psgd.lemma5": dict(NonNegative=7, Substitution=1),
    "gauss_psgd.lemma6": dict(NonNegative=9, Substitution=6, Identity=2, Reasoned=2),
    "gauss_psgd.repaired_block": dict(Substitution=11, NonNegative=39, Reasoned=3),
    "gauss_psgd.repaired": dict(NonNegative=17, Substitution=3),
    "gauss_psgd.corollary3": dict(Substitution=2, NonNegative=5, Reasoned=1),
    "gauss_psgd.lemma7": dict(Cited=2, Identity=1, Reasoned=2, NonNegative=3),
    "gauss_psgd.lemma8": dict(Identity=1, NonNegative=7, Telescoped=1, Reasoned=1),
    "gauss_psgd.lemma9": dict(Identity=1, Reasoned=1, NonNegative=2),
    "gauss_psgd.theorem2": dict(Reasoned=3, Substitution=10, NonNegative=1),
    "gauss_psgd.remark2": dict(Identity=1, NonNegative=1, Reasoned=1),
    "gauss_psgd.exponents": dict(Substitution=17, Reasoned=3, NonNegative=10, Identity=2),
    "gauss_psgd.theorem3": dict(Substitution=9, Reasoned=1),
    "gauss_psgd.theorem4": dict(NonNegative=5, Substitution=4, Reasoned=2, Identity=1),
    "gauss_psgd.remark4": dict(Substitution=5, NonNegative=4),
    "gauss_psgd.in_place": dict(NonNegative=5, Substitution=1),
    "gauss_psgd.growth_power": dict(Identity=1),
    "gauss_psgd.equation_46": dict(NonNegative=1),
    "gauss_psgd.equation_46_at_27": dict(NonNegative=1),
    "gauss_psgd.advanced_composition": dict(Cited=1, Reasoned=3, NonNegative=3),
    "gauss_psgd.largest_u": dict(NonNegative=1),
}


FOUR_PARTS = ("sampling_fresh", "sampling_difference", "privacy_fresh", "privacy_difference")  # of (102)


def named(name):
    """The derivation and the step that "gauss_psgd.lemma1:chord" names."""
    key, _, step = name.partition(":")
    return DERIVATIONS[key], DERIVATIONS[key][step]


def test_the_chains_and_how_much_of_each_is_certified():
    assert {key: derivation.kinds() for key, derivation in DERIVATIONS.items()} == CERTIFICATES
    assert all(derivation.key == key for key, derivation in DERIVATIONS.items())


def test_the_table_of_contents_needs_no_sympy():
    script = "import sys, bounds.gauss_psgd as p; sys.exit('sympy' in sys.modules or len(p.DERIVATIONS) == 0)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


SHARP = [  # a constant of a proof, and the value next to it that is no longer enough
    ("gauss_psgd.lemma2:base_2", sp.Rational(26, 5), sp.Rational(25, 5)),
    ("gauss_psgd.lemma2:natural", sp.Rational(749, 100), sp.Rational(748, 100)),
    ("gauss_psgd.lemma20:hessian_part", sp.Integer(80), sp.Integer(79)),
    ("gauss_psgd.repaired_block:hessian_part", sp.Integer(80), sp.Integer(79)),
    ("gauss_psgd.repaired_block:sampling_part", sp.Integer(160), sp.Integer(159)),
    ("gauss_psgd.lemma8:in_both_cases", sp.Rational(3, 4), sp.Rational(73, 100)),
    ("gauss_psgd.lemma19:z_squared", 2 * sp.sqrt(2), sp.Rational(28, 10)),
    ("gauss_psgd.exponents:third_part", sp.Rational(2, 17), sp.Rational(5, 34)),
    ("gauss_psgd.exponents:lost_by_the_printed_limit", sp.Rational(-13, 42), sp.Rational(-1, 3)),
    ("gauss_psgd.theorem4:composed", sp.Integer(128), sp.Integer(64)),
]


@pytest.mark.parametrize(("name", "right", "wrong"), SHARP)
def test_a_constant_a_little_off_is_caught(name, right, wrong):
    """In the step, in its terms and in what it takes as given."""

    def off(expression):
        if isinstance(expression, str):
            return expression
        either = {right: wrong, -right: -wrong}
        return sp.sympify(expression).replace(lambda part: part in either, lambda part: either[part])

    def moved(line):
        return replace(line, lhs=off(line.lhs), rhs=off(line.rhs))

    proof, step = named(name)
    certificate = step.certificate
    if isinstance(certificate, NonNegative) and name != "gauss_psgd.lemma8:in_both_cases":
        terms = tuple(tuple(off(factor) if isinstance(factor, sp.Basic) else factor for factor in term) for term in certificate.terms)
        certificate = replace(certificate, terms=terms)
    lie = proof.with_line(replace(step, rhs=off(step.rhs), certificate=certificate))
    for one in (*used_lines(certificate), *inserted_lines(certificate)):
        if one in {fact.name for fact in proof.facts}:
            lie = lie.with_line(moved(proof[one]))
    assert lie != proof
    assert verify(lie, step.name).outcome is Standing.FAILED


def test_the_step_size_of_the_paper_does_not_repair_lemma_20():
    proof, _ = named("gauss_psgd.repaired_block:factor_sg")
    (defined,) = [one for one in proof.facts if isinstance(one.certificate, Defined) and one.lhs == eta]
    printed = sp.sqrt(rho * alpha) / (GLOSSARY["ell"].symbol ** 2 * (s * mu) ** 2)
    assert verify(proof, "factor_sg").outcome is Standing.CERTIFIED
    assert verify(proof.with_line(replace(defined, rhs=printed)), "factor_sg").outcome is Standing.FAILED


def test_the_letters_of_the_witnesses_are_in_the_glossary():
    letters = set().union(*(set(one.witness) for one in PRINTED_FALSE))
    assert all(GLOSSARY[letter.name].symbol == letter for letter in letters)


# ------------------------------------------------------------------ what is false as printed


def holds(relation, left, right, digits=40):
    """Whether two numbers of 50 digits are in a relation, both sides of an equality being rounded."""
    with mp.workdps(60):
        slack = mp.mpf(10) ** -digits * (abs(left) + abs(right))
        if relation in ("=", "=="):
            return abs(left - right) <= slack
        if relation in (">", "<"):
            return (left - right if relation == ">" else right - left) > slack
        return (right - left if relation == "<=" else left - right) >= -slack


def is_a_witness(one):
    """Whether the witness meets the premises, breaks the printed line and not the true one."""
    left, printed, true = one.values()
    premises = all(holds(*sides) for sides in one.premise_sides())
    return premises and not holds(one.relation, left, printed) and holds(one.true_relation, left, true)


@pytest.mark.parametrize("key", PRINTED)
def test_every_witness_is_one(key):
    one = PRINTED[key]
    assert all(holds(*sides) for sides in one.premise_sides())
    assert is_a_witness(one)


@pytest.mark.parametrize("key", PRINTED)
def test_the_true_line_is_not_taken_for_a_false_one(key):
    one = PRINTED[key]
    assert not is_a_witness(replace(one, relation=one.true_relation, rhs=one.true_rhs))


@pytest.mark.parametrize("key", [one.key for one in PRINTED_FALSE if one.true_relation == "="])
def test_a_wrong_correction_is_caught(key):
    assert not is_a_witness(replace(PRINTED[key], true_rhs=PRINTED[key].true_rhs * sp.Rational(1001, 1000)))


@pytest.mark.parametrize("key", [one.key for one in PRINTED_FALSE if one.premises])
def test_a_broken_premise_is_caught(key):
    one = PRINTED[key]
    assert not is_a_witness(replace(one, premises=(*one.premises, sp.Gt(sorted(one.witness, key=str)[0], 10**200))))


@pytest.mark.parametrize("key", [one.key for one in PRINTED_FALSE if one.instead])
def test_what_holds_instead_is_a_step_of_a_chain(key):
    proof, step = named(PRINTED[key].instead)
    assert not proof.is_fact(step) or key == "printed_32"
    assert verify(proof, step.name).outcome is not Standing.FAILED


def test_keys_are_unique_and_a_witness_must_be_complete():
    assert len(PRINTED) == len(PRINTED_FALSE)
    one = PRINTED["printed_75"]
    with pytest.raises(ValueError, match="printed_75: the witness gives no value for"):
        replace(one, witness={chi: 1}).values()


@pytest.mark.parametrize("key", [one.key for one in PRINTED_FALSE if one.instead and one.true_relation == "=" and one.relation == "="])
def test_the_chain_does_not_certify_the_printed_equality(key):
    """The printed right side in place of the true one, in the step that certifies the true one."""
    one, (proof, step) = PRINTED[key], named(PRINTED[key].instead)
    off = sp.simplify((one.rhs / one.true_rhs).xreplace(dict(one.at)))
    assert off != 1
    assert verify(proof.with_line(replace(step, rhs=step.rhs * off)), step.name).outcome is Standing.FAILED


# ------------------------------------------------------------------ against other computations


@pytest.mark.parametrize("key", ["printed_definition8", "printed_definition8_far"])
def test_the_exact_delta_of_definition_8_is_that_of_the_accountant(key):
    one = PRINTED[key]
    eps, spent = float(one.witness[epsilon]), float(one.values()[0])
    sigma = float(sp.sqrt(2 * sp.log(sp.Rational(5, 4) / one.witness[delta]))) / eps
    # the accountant rounds to the safe side by a few units in the last place; the tail of its argument loses about ten of them
    assert privacy.delta_gaussian(epsilon=eps, sigma=sigma, T=1, sensitivity=1.0) == pytest.approx(spent, rel=1e-12)


def test_definition_8_is_safe_up_to_epsilon_1():
    at = PRINTED["printed_definition8"]
    for eps in (sp.Rational(1, 100), sp.Rational(1, 2), 1):
        for spend in (sp.Rational(1, 10), sp.Rational(1, 1000), sp.Rational(1, 10**9)):
            assert not is_a_witness(replace(at, witness={epsilon: eps, delta: spend}))


@pytest.mark.parametrize("ratio", [0.3, 0.6, 0.75, 0.8, 6 / 7, 0.9, 1.0, 1.05, 1.1, 1.2, 2.0])
def test_the_best_limit_of_the_drift_by_brute_force(ratio):
    """The largest of the four parts, minimised over a grid of kappa, against the closed form; and the window of the printed kappa."""
    parts = [sp.lambdify((beta, k), bounds.page("gauss_psgd.exponents").formula(name)) for name in ("e_1", "e_2", "e_3", "e_4")]
    grid = np.arange(0, 12, 1e-4)
    smallest = np.min([np.broadcast_to(part(ratio, grid), grid.shape) for part in parts], axis=0)
    # an exponent changes by at most twice the spacing of the grid between two points
    assert smallest.max() == pytest.approx(min(1, ratio, (6 + 10 * ratio) / 17), abs=2e-4)
    printed = min(part(ratio, min(1.5, 2 * ratio)) for part in parts)
    lost = min(1, ratio) - printed
    assert (lost > 1e-9) == (0.75 < ratio < 1.1)


def root_of_102(samples, exponent):
    """The logarithm of the accuracy of (102), G = M = rho = U = epsilon = 1, sqrt(d) = n^exponent, printed kappa, no logarithms."""
    at = dict.fromkeys(symbols("L ell rho U epsilon"), 1) | {n: samples, d: samples ** (2 * exponent)}
    limit = max(sp.N(bounds.page("gauss_psgd.theorem2").formula(name).subs(at), 40) for name in ("kappa_1_value", "kappa_2_value"))
    parts = [named(f"gauss_psgd.theorem2:{name}")[1] for name in FOUR_PARTS]  # each times alpha^(power - 2) on its left side
    logs = np.array([float(sp.log(part.rhs.subs({**at, kappa: limit}))) for part in parts])
    powers = np.array([float(part.lhs.as_powers_dict()[alpha] + 2) for part in parts])
    assert list(powers) == [1.5, 4.5, 1, 7]  # the inverses of those of (103): 2/3, 2/9, 1, 1/7
    return brentq(lambda y: logsumexp(logs - powers * y), -200, 50, xtol=1e-12)


@pytest.mark.parametrize(("exponent", "slope"), [(sp.Rational(1, 6), -13 / 42), (sp.Integer(0), -1 / 3), (sp.Rational(1, 2), -1 / 5)])
def test_the_root_of_102_falls_with_the_exponent_of_the_derivation(exponent, slope):
    few, many = sp.Integer(10) ** 60, sp.Integer(10) ** 66
    measured = (root_of_102(many, exponent) - root_of_102(few, exponent)) / np.log(10.0**6)
    # the parts that are not the largest are smaller by at least n^(1/42), 27 at n = 10^60, whose share still moves a little
    assert float(measured) == pytest.approx(slope, abs=1e-3)


def test_corollary_3_with_log_2d_against_a_grid():
    for dimension in (1, 2, 3, 10, 1000):
        lengths = np.linspace(0, 400, 4001)
        tail = np.minimum(1.0, 2 * dimension * np.exp(-lengths))
        claimed = 2 * np.exp(-lengths / (2 * np.log(2 * dimension)))
        assert np.all(tail <= claimed * (1 + 1e-12))
        if dimension > 1:  # a quarter of the constant is not enough
            assert np.any(tail > 2 * np.exp(-lengths / (2 * np.log(2 * dimension) / 4)))


def test_the_constant_that_lemma_16_asks_for():
    """The c_1 of Theorem 4 from the two lemmas step by step, in floats."""
    for steps in (10, 1000):
        eps, spend, G, n_ = 1.0, 1e-5, 1.0, 100.0
        one_eps = eps / (2 * np.sqrt(2 * 2 * steps * np.log(2 / spend)))
        one_delta = spend / (2 * 2 * steps)
        sigma = 2 * G / n_ / one_eps * np.sqrt(2 * np.log(1.25 / one_delta))
        needed = sigma**2 * n_**2 * eps**2 / (G**2 * steps * np.log(1 / spend))
        formula = PRINTED["printed_composition"].lhs.subs({T: steps, delta: sp.Rational(1, 10**5)})
        assert float(formula) == pytest.approx(needed, rel=1e-12)


def test_each_limit_of_the_drift_is_the_one_in_its_words():
    letters = {"A": sp.E, "B": sp.exp(beta), "beta": beta}
    proof = DERIVATIONS["gauss_psgd.exponents"]
    for name in ("k_first", "k_second", "k_best"):
        value, words = proof[name].rhs, proof[name].statement.removeprefix("kappa = ")
        formula = words.partition(",")[0].replace("^", "**").replace("3 (14 - 5 beta)", "3*(14 - 5*beta)")
        assert sp.simplify(sp.log(sp.sympify(formula, locals=letters)) - value) == 0
