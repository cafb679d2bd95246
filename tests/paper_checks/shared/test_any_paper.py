"""The examiners of every paper, on a paper that the lab does not have: it writes rows, and nothing else."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
import sympy as sp
from mpmath import mp

import bounds
from bounds.privacy import gaussian as accounting
from bounds.proofs.false_line import FalseLine
from bounds.symbols import L, ell, n, r, symbols
from paper_checks.shared import formulas, privacy, proofs, witness
from paper_checks.shared.draws import check_uniform_index, noise_p_values
from paper_checks.shared.orders import check_units
from paper_checks.shared.symbols import Spelling
from paper_checks.verdict import Outcome

GROWS = FalseLine("printed_3", "E1", "(3)").printed(L**2, "<=", L).says("L^2 <= L").holds("<=", L**3).fails_at({L: 2}, given=(sp.Ge(L, 1),))


@pytest.fixture
def own(monkeypatch):
    """The rows of a paper "own": its false lines, their print, its letters, and what no chain has."""
    witness.false_lines.cache_clear()
    rows = {
        "bounds.own": {"__path__": []},
        "bounds.own.false_lines": {"PRINTED_FALSE": [GROWS]},
        "paper_checks.own": {"__path__": []},
        "paper_checks.own.printed": {"SPELLING": Spelling({"L": "G"})},
    }
    for name, table in rows.items():
        module = ModuleType(name)
        vars(module).update(table)
        monkeypatch.setitem(sys.modules, name, module)
    print_of = {"printed_3": L}
    monkeypatch.setattr(witness, "printed", lambda paper: print_of)
    yield print_of
    witness.false_lines.cache_clear()


def test_a_false_line_is_refuted_at_its_witness_in_the_papers_letters(own):
    found = witness.check_witness(key="own.printed_3")
    assert found.outcome is Outcome.REFUTED
    assert found.witness == {"G": 2, "left side": "4", "printed right side": "2"}


def test_an_entry_that_is_not_what_is_printed_settles_nothing(own):
    own["printed_3"] = 3 * L
    found = witness.check_witness(key="own.printed_3")
    assert found.outcome is Outcome.INCONCLUSIVE
    assert found.sentence.startswith("the entry has G where the paper prints 3*G")


def test_lines_are_named_by_their_derivation_without_the_paper():
    found = proofs.named_lines("gauss_psgd", "lemma1: written_out; lemma4: left")
    assert [(one.key, name) for one, name in found] == [("gauss_psgd.lemma1", "written_out"), ("gauss_psgd.lemma4", "left")]


def clipped(values):
    return np.mean(np.clip(values, -1.0, 1.0), keepdims=True)


def pairs(declared):
    for last in (0.5, -9.0):
        yield privacy.Neighbours(np.array([0.0, 9.0]), np.array([0.0, last]), lambda moved: (float(abs(moved[0])) / declared, {"C": 1.0}))


@pytest.mark.parametrize(
    ("declared", "outcome"), [(1.0, Outcome.CONSISTENT), (0.5, Outcome.REFUTED), (2.0, Outcome.INCONCLUSIVE), (np.nan, Outcome.REFUTED)]
)
def test_a_sensitivity_is_what_the_worst_pair_of_neighbours_moves(declared, outcome):
    """The mean of two values clipped to 1 moves by 1 at most, and by that from 9 to -9."""
    found = privacy.check_sensitivity(privacy.release_distances(pairs(declared), clipped), stated="2C/n", seed=3)
    assert (found.outcome, found.numbers["pairs"], found.seed) == (outcome, 2, 3)


def test_noise_that_knows_the_data_is_a_leak():
    for leaking in (False, True):
        noisy = lambda values: clipped(values) + (0.1 * values[1] if leaking else 0.1)  # noqa: B023
        found = privacy.check_sensitivity(privacy.release_distances(pairs(1.0), clipped, noisy), stated="2C/n", seed=3)
        assert found.outcome is (Outcome.REFUTED if leaking else Outcome.CONSISTENT)


def test_a_scale_of_noise_is_refuted_where_as_a_variance_it_spends_more():
    given = {"epsilon": 2.0, "delta": 1e-5, "T": 100, "sensitivity": 0.01}
    deviation = accounting.sigma_lemma_2_2(**given)
    assert (
        privacy.check_noise_unit(printed=mp.mpf(deviation), computed=deviation, at=given, **given).outcome is Outcome.CONSISTENT
    )  # below 1
    large = given | {"sensitivity": 10.0}
    deviation = accounting.sigma_lemma_2_2(**large)
    found = privacy.check_noise_unit(printed=mp.mpf(deviation), computed=deviation, at=large, name="v", **large)
    assert (found.outcome, found.witness["delta attained"]) == (Outcome.REFUTED, found.numbers["delta attained, v as variance"])
    assert found.numbers["delta attained, v as standard deviation"] <= 1e-5
    assert privacy.check_noise_unit(printed=mp.mpf(1), computed=deviation, at=large, **large).outcome is Outcome.INCONCLUSIVE


def test_a_clause_is_refuted_where_every_reading_spends_too_much():
    def runs(epsilon, delta):
        return [{"fails": epsilon > limit, "delta spent is at least": f"{limit}", "T": limit} for limit in (1, 10)]

    words = "at {epsilon}: {spent}"
    assert privacy.check_privacy_clause([(0.5, 0.1), (5.0, 0.1)], runs, words=words).numbers == {"tried": 4}
    found = privacy.check_privacy_clause([(0.5, 0.1), (50.0, 0.1)], runs, words=words)
    assert (found.outcome, found.sentence) == (Outcome.REFUTED, "at 50: 1 or 10")
    assert found.witness == {"delta spent is at least": "1", "T": 1}


def test_long_walks_are_bounded_without_their_sum():
    at = {"epsilon": mp.mpf(50), "shift": mp.mpf(1), "sigma": mp.mpf(2), "T": 400}
    assert privacy.walk_delta_lower_bound(**at, last=False) == privacy.half_line_delta_lower_bound(**at, last=False)
    assert privacy.walk_delta_lower_bound(**at, last=False, summed=100) == privacy.long_walk_delta_lower_bound(**at)
    assert privacy.walk_delta_lower_bound(**at, last=True, summed=100) == privacy.half_line_delta_lower_bound(**at, last=True)


def test_noise_of_another_deviation_or_that_repeats_is_seen():
    one, two = np.random.default_rng(5).standard_normal((2, 400, 2))
    assert min(noise_p_values((one, two), one[:, 0] + two[:, 0] ** 2).values()) < 1e-9  # a direction that knows the noise
    assert min(noise_p_values((one, two)).values()) > 1e-6
    assert noise_p_values((2 * one, 2 * two))["deviation of coordinate 0"] < 1e-9
    assert noise_p_values((one, one))["steps, coordinate 1"] < 1e-9
    assert noise_p_values((np.repeat(one[:, :1], 2, axis=1), two))["coordinates 0 and 1"] < 1e-9


def test_an_index_that_is_never_drawn_or_lies_outside_is_seen():
    even = np.arange(900) % 3
    assert check_uniform_index(even, 3, seed=0, rounding=1e-9, off=0.0).outcome is Outcome.CONSISTENT
    assert check_uniform_index(even, 3, seed=0, rounding=1e-9, off=1e-6).outcome is Outcome.REFUTED
    assert check_uniform_index(even, 4, seed=0, rounding=1e-9, off=0.0).outcome is Outcome.REFUTED
    assert check_uniform_index(even, 2, seed=0, rounding=1e-9, off=0.0).outcome is Outcome.REFUTED


@pytest.mark.parametrize(("meant", "outcome"), [((0, 0), Outcome.PROVED), ((1, -1), Outcome.REFUTED)])
def test_a_formula_has_the_units_of_what_it_is_said_to_be(meant, outcome):
    letters = {L: (1, -1), ell: (1, -2), r: (0, 1)}  # of a gradient, a second derivative and a length
    found = check_units({"ratio": (L / (ell * r), meant)}, letters, names=("value", "length"))
    assert (found.outcome, found.numbers) == (outcome, {"ratio: powers of value and length": ("0", "0")})


@pytest.mark.parametrize(
    ("statements", "outcome"),
    [
        ({"lemma2": {"bound": symbols("omega_0")[0]}}, Outcome.PROVED),
        ({"lemma2": {"bound": symbols("omega_0")[0]}, "parameters": {"eta": n}}, Outcome.PROVED),  # that is no statement of the theory
        ({"lemma2": {"bound": n}}, Outcome.INCONCLUSIVE),
        ({"lemma2": {"other": n}}, Outcome.INCONCLUSIVE),
        ({"lemma3": {"bound": n}}, Outcome.INCONCLUSIVE),  # Lemma 2 is not transcribed
    ],
)
def test_a_statement_that_is_another_or_has_no_print_settles_nothing(monkeypatch, statements, outcome):
    monkeypatch.setattr(formulas, "printed", lambda paper: SimpleNamespace(statements=tuple(statements), of=statements.get))
    every = {key.partition(".")[2] for key in bounds.THEOREMS if key.startswith("gauss_psgd.")}
    found = formulas.check_printed_formulas(paper="gauss_psgd", ours=every - {"lemma2"})
    assert found.outcome is outcome
    assert found.numbers["formulas compared"] == ("lemma2" in statements)


def test_a_text_has_the_papers_letters_where_a_word_is_a_quantity():
    spelling = Spelling({"L": "G", "ell": "M", "log_factor": "mu", "drift": "a sum"}, in_text=("mu",))
    assert spelling.spell_text("L below ell, log_factor, drift, Lx") == "G below M, mu, drift, Lx"
    assert spelling.spell_keys({"L": 1, "n": 2}) == {"G": 1, "n": 2}
    assert spelling.expression_text(L * n) == "G*n"
    assert Spelling({}).spell_text("L stays") == "L stays"
