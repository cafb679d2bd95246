"""The parameter blocks of Gauss-PSGD: symbols against numbers against the paper's formulas by hand; units."""

import random

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.block import (
    BASES,
    DIGITS,
    VERSIONS,
    BlockInputs,
    Constants,
    accuracy_over_psi,
    block,
    least_s,
    mu_lower_bounds,
    round_block,
    round_step_counts,
    rounds_formula,
)
from bounds.gauss_psgd.paper import Gamma, M, Phi, R, alpha, chi, eta, iota, mu, s
from bounds.proofs.inequalities import is_zero
from bounds.strategies import log_uniform
from bounds.symbols import GLOSSARY, rho

NAMES = ("psi", "added_noise", "d", "s", "log_factor", "C_abs", "c_abs", "ell", "rho", "U", "omega")
FIELDS = ("accuracy", "iota", "chi", "Gamma", "radius", "decrease", "eta")


def draw_point(draw):
    psi = 10 ** draw.uniform(-9, 2)
    d = 10 ** draw.uniform(0, 4)
    return dict(
        psi=psi, added_noise=psi / d**0.5 * 10 ** draw.uniform(-4, 0), d=d, s=10 ** draw.uniform(0, 5), log_factor=10 ** draw.uniform(0, 2),
        C_abs=10 ** draw.uniform(-3, 1), c_abs=10 ** draw.uniform(-1, 2), ell=10 ** draw.uniform(-2, 2), rho=10 ** draw.uniform(-2, 2),
        U=10 ** draw.uniform(0, 4), omega=10 ** draw.uniform(-6, -0.1),
    )  # fmt: skip


def points(count, seed=3):
    draw = random.Random(seed)
    return [draw_point(draw) for _ in range(count)]


def plain(at, version, base):
    """Return block, Q, T, entries from the plain formulas, in mpmath's digits."""
    common = {name: at[name] for name in ("s", "log_factor", "C_abs")}
    size = accuracy_over_psi(**common, c_abs=at["c_abs"], version=version, functions=DIGITS) * at["psi"]
    found = block(
        accuracy=size, s=at["s"], log_factor=at["log_factor"], ell=at["ell"], rho=at["rho"], version=version, functions=DIGITS
    )  # fmt: skip
    letters = {name: at[name] for name in ("s", "U", "omega", "rho", "log_factor")}
    Q, T = round_step_counts(found, **letters, version=version, base=base, functions=DIGITS)
    letters = {name: at[name] for name in ("psi", "added_noise", "d", "rho", "U", "omega", "s", "C_abs")}
    return found, Q, T, mu_lower_bounds(found, BlockInputs(**letters, version=version, base=base, functions=DIGITS), T)


def from_symbols(at, version, base):
    """Return the same from the symbolic block; a logarithm of something negative is left out as nan."""
    values = {GLOSSARY[name].symbol: at[name] for name in NAMES}

    def number(expression):
        letters = sorted(expression.free_symbols, key=str)
        try:
            value = sp.lambdify(letters, expression, modules="mpmath")(*[values[letter] for letter in letters])
        except (TypeError, ValueError):
            return mp.nan
        return value if isinstance(value, mp.mpf) else mp.mpf(value) if isinstance(value, int) else mp.nan

    block = paper.REPAIRED if version == "repaired" else paper.PRINTED
    for letter in (iota, chi, alpha, eta, Gamma, R, Phi):
        values[letter] = number(block[letter])
    found = {name: values[GLOSSARY[name].symbol] for name in FIELDS}
    values[GLOSSARY["Q"].symbol] = Q = number(rounds_formula(paper.ALL, paper.SYMBOLS, version, base))
    values[GLOSSARY["T"].symbol] = T = number(paper.T_REPAIRED if version == "repaired" else paper.T_OF_Q)
    return found, Q, T, tuple(number(entry) for entry in paper.lower_bounds_on_mu(version, base))


def differ(one, other):
    return abs(one - other) / (abs(one) + abs(other)) if one != other else mp.mpf(0)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("base", BASES)
def test_symbols_and_numbers_agree_in_50_digits(version, base):
    """Where the least values (one round, one step) do not act, which the last line makes sure of for most points."""
    compared = 0
    with mp.workdps(60):
        for values in points(30):
            at = {name: mp.mpf(value) for name, value in values.items()}
            (found, Q, T, six), (symbols, Q_s, T_s, six_s) = plain(at, version, base), from_symbols(at, version, base)
            assert max(differ(getattr(found, name), symbols[name]) for name in FIELDS) < mp.mpf(10) ** -50
            if Q == 1 or T == 1:
                continue
            compared += 1
            assert max(differ(Q, Q_s), differ(T, T_s)) < mp.mpf(10) ** -50
            for one, other in zip(six, six_s, strict=True):
                assert (one == 0 and mp.isnan(other)) or differ(one, other) < mp.mpf(10) ** -45
    assert compared >= 15


@pytest.mark.parametrize("base", BASES)
def test_numbers_are_the_papers_formulas_by_hand(base):
    """(5), (6), Lemma 6 and (79) typed once more from the paper, without the code above."""
    log = (lambda x: mp.log(x, 2)) if base == "2" else mp.log
    with mp.workdps(60):
        for values in points(20, seed=4):
            at = {name: mp.mpf(value) for name, value in values.items()}
            psi, r, d, s_, mu, C, _, M_, rho_, U, omega = (at[name] for name in NAMES)
            found, Q, T, six = plain(at, "printed", base)
            alpha = 4 * (4 * mp.sqrt(C) * s_ * mu**2 * psi)
            step = mp.sqrt(rho_ * alpha) / (M_ * s_ * mu) ** 2
            hand = dict(
                iota=s_ * mu, chi=alpha / 4, accuracy=alpha, eta=step, Gamma=mu / (step * mp.sqrt(rho_ * alpha)),
                radius=(s_ * mu) ** -1.5 * mp.sqrt(alpha / rho_), decrease=s_ / (8 * (s_ * mu) ** 3) * mp.sqrt(alpha**3 / rho_),
            )  # fmt: skip
            assert max(differ(getattr(found, name), value) for name, value in hand.items()) < mp.mpf(10) ** -50
            factor = log(16 * (s_ * mu) ** 3 * U / (s_ * omega) * mp.sqrt(rho_ / (alpha / 4) ** 3))
            if factor < mp.mpf(5) / 26:
                continue
            steps_by_hand = 13 * U * s_**2 * mu**4 / (5 * (alpha / 4) ** 2 * step) * factor
            assert differ(Q, mp.mpf("5.2") * factor) < mp.mpf(10) ** -15  # "5.2" is exact to the 60 digits
            assert differ(T, max(steps_by_hand, 1)) < mp.mpf(10) ** -50
            second = log(160 * mp.sqrt(2) * C ** mp.mpf("0.25") / (s_ * mp.sqrt(step * r)) * mp.sqrt(psi / rho_))
            assert differ(six[1], second) < mp.mpf(10) ** -45
            assert differ(six[2], (C * log(4 * T / omega)) ** mp.mpf("0.25") / (2 ** mp.mpf("0.75") * mp.sqrt(s_))) < mp.mpf(10) ** -45
            inner = 4 * C ** mp.mpf("0.25") / (s_ * step * r) * mp.sqrt(psi / rho_)
            if inner > 1:
                first = log(9 * d * log(inner) / (C ** mp.mpf("0.25") * step * mp.sqrt(s_ * rho_ * psi))) / s_
                assert differ(six[0], first) < mp.mpf(10) ** -45


@pytest.mark.parametrize(("page", "version"), [("theorem1", "printed"), ("lemma6", "printed"), ("repaired", "repaired")])
def test_the_block_that_plans_are_computed_with_is_that_of_the_pages(page, version):
    theorem = bounds.THEOREMS[f"gauss_psgd.{page}"]
    held, block_of = {**theorem.definitions, **theorem.schedule}, {"printed": paper.PRINTED, "repaired": paper.REPAIRED}[version]
    for symbol, value in block_of.items():
        assert is_zero(held[symbol.name] - value), symbol
    assert is_zero(held["Q"] - {"printed": paper.Q_PRINTED, "repaired": paper.Q_REPAIRED}[version])
    assert page == "lemma6" or is_zero(held["T"] - {"printed": paper.T_OF_Q, "repaired": paper.T_REPAIRED}[version])


def test_where_lemma_6_asks_for_less_than_a_round_the_steps_are_those_of_one():
    at = block(accuracy=0.01, s=1.0, log_factor=2.0, ell=1.0, rho=1.0)
    letters = {"s": 1.0, "U": 1e-7, "omega": 0.1, "rho": 1.0, "log_factor": 2.0, "base": "e"}
    Q, T = round_step_counts(at, **letters, version="printed")
    assert (Q, T) == (1.0, pytest.approx(1e-7 * 2**4 / (2 * at.chi**2 * at.eta)))  # (76)
    assert T > 5


def test_identities_of_both_blocks():
    def value(expression, version):
        return sp.powdenest(
            sp.simplify(expression.xreplace(paper.REPAIRED_IN_ALPHA if version == "repaired" else paper.IN_ALPHA)), force=True
        )

    for version in ("printed", "repaired"):
        assert value(eta * Gamma * sp.sqrt(rho * alpha) / mu, version) == 1
        assert value(eta * rho * R * Gamma * sp.sqrt(iota) * s, version) == 1  # (41)
    assert value((eta * M * sp.sqrt(Gamma) * iota) ** 2, "printed") == mu  # (42) as printed does not fall with s
    assert value((eta * M * sp.sqrt(Gamma) * iota) ** 2 * s, "repaired") == 1
    assert value(R**2 / (4 * eta * Gamma) / Phi, "repaired") == 2
    assert value(R**2 / (4 * eta * Gamma) / Phi, "printed") == 2 / (s * mu)  # Lemma 4 says 2
    assert value(2 * chi**2 * eta / (s**2 * mu**4) / (Phi / Gamma), "printed") == 1  # (74)


SIZES = {"psi": (1, -1), "added_noise": (1, -1), "ell": (1, -2), "rho": (1, -3), "U": (1, 0)}  # powers of (value, length)
UNITS = {"accuracy": (1, -1), "chi": (1, -1), "eta": (-1, 2), "Gamma": (0, 0), "radius": (0, 1), "decrease": (1, 0), "iota": (0, 0)}


@given(seed=st.integers(0, 10**6), value=log_uniform(1e-3, 1e3), length=log_uniform(1e-3, 1e3), version=st.sampled_from(VERSIONS))
def test_other_units_change_nothing_but_the_second_entry_of_the_printed_block(seed, value, length, version):
    at = {name: mp.mpf(x) for name, x in draw_point(random.Random(seed)).items()}
    with mp.workdps(60):
        scaled = {
            name: x * mp.mpf(value) ** SIZES.get(name, (0, 0))[0] * mp.mpf(length) ** SIZES.get(name, (0, 0))[1] for name, x in at.items()
        }
        (found, Q, T, six), (other, Q_o, T_o, six_o) = plain(at, version, "e"), plain(scaled, version, "e")
        for name, (v, h) in UNITS.items():
            assert differ(getattr(other, name), getattr(found, name) * mp.mpf(value) ** v * mp.mpf(length) ** h) < mp.mpf(10) ** -50
        assert max(differ(Q, Q_o), differ(T, T_o)) < mp.mpf(10) ** -45
        for i, (one, two) in enumerate(zip(six, six_o, strict=True)):
            moved = mp.log(length) / 2 if version == "printed" and i == 1 else 0  # its argument has the unit sqrt(length)
            assert abs(two - one - moved) < mp.mpf(10) ** -40 * (1 + abs(one))


@pytest.mark.parametrize("seed", range(3))
def test_whole_numbers_cost_the_repaired_block_nothing(seed):
    """Gamma, rounded up, is small here, down to 1: what (41), (42), (71) need holds at the whole Gamma that a run has."""
    with mp.workdps(60):
        small = 0
        for values in points(60, seed=seed):
            at = {name: mp.mpf(value) for name, value in values.items()}
            at["ell"] = mp.sqrt(mp.mpf("2.3") * at["rho"] * 4 * mp.sqrt(at["c_abs"] * at["s"] ** 3 * at["log_factor"] ** 5) * at["psi"]) / (
                at["s"] ** mp.mpf("1.5") * at["log_factor"] ** 2
            )  # so that Gamma before rounding is 2.3 or less
            real, Q, T, six = plain(at, "repaired", "e")
            found = round_block(real)
            Gamma_, iota_, s_, root = found.Gamma, found.iota, at["s"], mp.sqrt(at["rho"] * found.accuracy)
            small += Gamma_ <= 3
            assert real.Gamma <= Gamma_ == int(Gamma_) < real.Gamma + 1
            union = mp.log(36 * at["d"] * Gamma_ * mp.log(2 * found.radius / (found.eta * at["added_noise"]))) / s_
            needed = mp.log(40 * mp.sqrt(2) * found.radius * mp.sqrt(root) / (mp.sqrt(found.eta) * at["added_noise"]), 2)
            phases, rounds_ = 1 + at["U"] / found.decrease, mp.ceil(Q)
            assert six[0] >= union
            assert six[1] >= needed
            assert six[3] >= mp.log(4 * rounds_ * phases / at["omega"]) / s_  # Lemma 4, in every round
            assert phases * (rounds_ * Gamma_ + 1) <= T
            for one in (
                found.eta * Gamma_ * root / at["log_factor"],
                found.eta * at["rho"] * found.radius * Gamma_ * mp.sqrt(iota_) * s_,
                found.radius**2 / (4 * found.eta * Gamma_) / (2 * found.decrease),
            ):
                assert differ(one, mp.mpf(1)) < mp.mpf(10) ** -50
            assert found.eta * at["ell"] * mp.sqrt(Gamma_) * iota_ * mp.sqrt(s_) <= 1 + mp.mpf(10) ** -50
            noise = at["c_abs"] * found.eta * at["psi"] ** 2 * 2 * Gamma_
            assert found.radius**2 / (4 * found.eta * Gamma_) - noise >= found.decrease * (1 - mp.mpf(10) ** -50)
        assert small >= 30


def test_the_unions_of_the_repaired_block_count_every_round_and_every_estimate():
    """Q rounds in each of N phases, one event each for Lemma 4; N estimates of step 4 besides those of the rounds for Lemma 5."""
    with mp.workdps(60):
        for values in points(30, seed=7):
            at = {name: mp.mpf(value) for name, value in values.items()}
            found, Q, T, six = plain(at, "repaired", "e")
            phases = 1 + at["U"] / found.decrease
            assert differ(2 * mp.exp(-at["s"] * six[3]) * (Q + 1) * phases, at["omega"] / 2) < mp.mpf(10) ** -40
            assert differ(T, phases * (Q + 1) * (found.Gamma + 1) + phases) < mp.mpf(10) ** -50
            chi = 4 * mp.sqrt(at["C_abs"]) * at["s"] * six[2] ** 2 * at["psi"]  # where the third entry of (6) is mu: Lemma 5's length
            failure = T * 2 * mp.exp(-(chi**2) / (2 * (at["C_abs"] * at["psi"]) ** 2))
            assert differ(failure, at["omega"] / 2) < mp.mpf(10) ** -35


def test_least_s():
    assert least_s("printed", 3.0) == pytest.approx((80 * 8**0.5) ** 2, rel=1e-15)
    assert least_s("repaired", 3.0) == pytest.approx((160 * 8**0.5 * 3) ** 2, rel=1e-15)
    assert 160 * 2**0.5 < least_s("repaired", 0.01) < 160 * 2**0.5 * (1 + 1e-4)  # (41), where (42) asks for less
    assert Constants().s_used == 51_200
    assert Constants("repaired").s_used == 204_800
    assert Constants(C_abs=0.5).c_used == 8


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": "new"}, "version = 'new': one of printed, corrected, repaired"),
        ({"base": "10"}, "base = '10': one of e, 2"),
        ({"s": 0}, "s = 0"),
        ({"C_abs": -1.0}, "C_abs = -1.0"),
    ],
)
def test_constants_that_cannot_be_meant(change, sentence):
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")):
        Constants(**change)


def test_a_decrease_of_the_other_block_would_be_noticed():
    assert Phi in paper.T_REPAIRED.free_symbols
    with mp.workdps(60):
        at = {name: mp.mpf(x) for name, x in points(1)[0].items()}
        assert differ(plain(at, "printed", "e")[0].decrease, plain(at, "repaired", "e")[0].decrease) > 0.01
