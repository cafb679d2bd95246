"""Theorem D.10 and Lemmas D.4 to D.9: against integrals, enumeration and draws, and where their proofs end."""

import itertools
import math
from dataclasses import replace

import mpmath as mp
import numpy as np
import pytest
import sympy as sp

import bounds
from bounds.dp_grape.false_lines import PRINTED_FALSE
from bounds.proofs.certificates import Standing, verify, verify_all
from bounds.proofs.lines import GIVENS
from bounds.symbols import GLOSSARY
from paper_checks import recheck_export
from paper_checks.shared.witness import relation_holds

KEYS = ("lemma_d4", "lemma_d5", "lemma_d6", "lemma_d7", "lemma_d8", "theorem_d10", "theorem_d10_schedule")
EXAMPLE = dict(d=1e4, layers=10, n=1e7, epsilon=1.0, delta=1e-6, subspace=8, L=1.0, ell=1.0, spread=1.0)
FALSE = {one.key: one for one in PRINTED_FALSE}


def evaluated(name, **values):
    return bounds.THEOREMS[f"dp_grape.{name}"].evaluate(**values)


def by_hand(d, layers, n, epsilon, delta, subspace, L, ell, spread):
    """Theorem D.10 in mpmath, from its text: parameters, right side, and the four terms of its last display."""
    d, layers, n, epsilon, delta, r, Gamma, lam, D = (mp.mpf(x) for x in (d, layers, n, epsilon, delta, subspace, L, ell, spread))
    logs = mp.log(1 / delta)
    eta, T = r / (4 * d * lam), 2 * mp.sqrt(2 * d) * n * epsilon / (r * mp.sqrt(layers * logs))
    count = 2 * mp.sqrt(2 * layers * d) * n**2 * epsilon / mp.sqrt(logs)
    C = Gamma * mp.sqrt(2 * layers * mp.log((5 * r / (4 * d * lam) * Gamma**2 + 64 * d * D * lam / r) * count))
    B = max(mp.sqrt(r / (8 * n)) * mp.root(layers * logs / (2 * d), 4), n * epsilon / (2 * mp.sqrt(2 * d * logs)))
    log = mp.log((5 * Gamma**2 + 64 * d * D * lam / r) * count)
    rate = 4 * mp.sqrt(2 * d * logs) / (n * epsilon)
    bound = (lam * mp.sqrt(layers) * D + (2 + 2 * mp.sqrt(layers) * log) * Gamma**2) * rate
    three = 4 * D / (eta * T) + 8 * lam * eta * T * d * logs / (n * epsilon) ** 2 * C**2 + 16 * d * eta * Gamma**2 * lam / (B * r)
    K = C / (mp.sqrt(layers) * Gamma)
    tail = (4 * (2 + 1 / mp.sqrt(2 * mp.pi)) * eta * Gamma**2 + 16 * D / eta) * T * layers * n * r * mp.exp(-(K**2) / 2)
    exact = 4 * eta * Gamma**2 * (mp.erfc(K / mp.sqrt(2)) + mp.npdf(K)) + 8 * D / eta * mp.erfc(K / mp.sqrt(2))
    return {"alpha": eta, "T": T, "C": C, "batch": B}, bound, three, tail, exact * T * layers * n * r


def test_the_example():
    found, (schedule, bound, three, tail, exact) = evaluated("theorem_d10", **EXAMPLE), by_hand(**EXAMPLE)
    assert {name: found.schedule[name] for name in schedule} == pytest.approx(
        {name: float(one) for name, one in schedule.items()}, rel=1e-12
    )
    assert (found.bound, found.parts["three terms"], found.parts["tail"]) == pytest.approx(
        (float(bound), float(three), float(tail)), rel=1e-9
    )
    assert [round(float(one), 4) for one in (bound, three, tail, exact)] == [0.0663, 0.0663, 1.0, 0.0399]


@pytest.mark.parametrize("seed", range(20))
def test_the_term_that_is_left_out_is_between_1_and_1_92(seed):
    rng = np.random.default_rng(seed)
    low, high = (1, 1, 1e2, 1e-2, 1e-9, 1, 1e-2, 1e-2, 1e-6), (1e6, 1e2, 1e9, 1e1, 1e-2, 64, 1e2, 1e2, 1e6)
    at = dict(zip(EXAMPLE, (float(10 ** rng.uniform(math.log10(a), math.log10(b))) for a, b in zip(low, high, strict=True)), strict=True))
    tail = by_hand(**at)[3]
    most = float(bounds.page("dp_grape.theorem_d10_schedule").formula("tail_at_most"))
    assert 1 - 1e-9 <= tail <= most + 1e-9 < 1.92
    assert evaluated("theorem_d10", **at).parts["tail"] == pytest.approx(float(tail), rel=1e-9)


def test_both_ends_of_that_term_are_reached():
    ends = [by_hand(**{**EXAMPLE, "spread": D})[3] for D in (1e12, 1e-15)]
    assert ends == pytest.approx([1, 4 * (2 + 1 / math.sqrt(2 * math.pi)) / 5], rel=1e-3)


@pytest.mark.parametrize(("K", "sd"), [(0.3, 1.0), (2.0, 1.0), (1.0, 2.5), (4.0, 0.8)])
def test_lemma_d5_against_the_integral(K, sd):
    with mp.workdps(30):

        def density(x):
            return mp.npdf(x, 0, sd)

        above = mp.quad(lambda x: x**2 * density(x), [K, K + 20 * sd]) / mp.quad(density, [K, K + 20 * sd])
        V = [K / sd, K / sd + 20]
        both = mp.quad(lambda x: x**2 * mp.npdf(x), V) / mp.quad(mp.npdf, V)  # the law is symmetric
    found = evaluated("lemma_d5", cutoff=K, normal_sd=sd)
    assert found.parts["true"] == pytest.approx(float(above), rel=1e-12)
    assert abs(found.bound - float(above)) > 1e-3 or pytest.approx(1) == K / sd
    assert evaluated("lemma_d5", cutoff=K / sd, normal_sd=1.0).parts["two-sided true"] == pytest.approx(float(both), rel=1e-12)


def test_lemma_d7_by_enumeration():
    rng = np.random.default_rng(3)
    vectors = rng.standard_normal((6, 3))
    vectors -= vectors.mean(axis=0)
    for size in range(1, 7):
        means = [np.mean([vectors[i] for i in part], axis=0) for part in itertools.combinations(range(6), size)]
        square = float(np.mean([one @ one for one in means]))
        found = evaluated("lemma_d7", n=6, batch=size, each_sq=float((vectors**2).sum() / 6), partial=float(size < 6))
        assert found.bound == pytest.approx(square, abs=1e-12)
        assert square <= found.parts["at most"] + 1e-12


@pytest.mark.parametrize(("k", "r"), [(10, 4), (3, 7)])
def test_a_projection_mapped_back_against_draws(k, r):
    """The mean of 4000 draws is within 6 of its standard errors but for 2e-9."""
    rng = np.random.default_rng(k)
    P, a = rng.standard_normal((4000, k, r)) / math.sqrt(r), np.arange(1.0, k + 1)
    kept = np.einsum("nkr,k->nr", P, a)
    for square, part in ((kept**2, "kept"), (np.einsum("nkr,nr->nk", P, kept) ** 2, "mapped back")):
        lengths = square.sum(axis=1)
        exact = evaluated("lemma_d8", d=k, a_sq=float(a @ a), subspace=r).parts[part]
        assert abs(lengths.mean() - exact) < 6 * lengths.std() / math.sqrt(4000)


def test_second_moment_of_a_batch_against_draws():
    """(5), before it is given Q_t, for two blocks of unequal size: exactly, with each block's own k; the bound has the larger."""
    rng = np.random.default_rng(5)
    gradients, blocks, r, B = rng.standard_normal((6, 5)), (slice(0, 2), slice(2, 5)), 2, 3
    mean = gradients.mean(axis=0)
    lengths = []
    for _ in range(6000):
        batch = gradients[rng.permutation(6)[:B]].mean(axis=0)
        P = [rng.standard_normal((one.stop - one.start, r)) / math.sqrt(r) for one in blocks]
        lengths.append(sum(float(((Q @ (Q.T @ batch[one])) ** 2).sum()) for Q, one in zip(P, blocks, strict=True)))
    variance = (6 - B) / (5 * B) * ((gradients - mean) ** 2).mean(axis=0)
    exact = sum((one.stop - one.start + r + 1) / r * float((mean[one] ** 2 + variance[one]).sum()) for one in blocks)
    assert abs(np.mean(lengths) - exact) < 6 * np.std(lengths) / math.sqrt(6000)
    Gamma_sq = float((gradients**2).sum(axis=1).max())
    assert exact <= (3 + r + 1) / r * (float(mean @ mean) + Gamma_sq / B)


# ------------------------------------------------------------------ the proofs


@pytest.mark.parametrize("key", KEYS)
def test_both_checkers_accept_every_line(key):
    proof = bounds.DERIVATIONS[f"dp_grape.{key}"]
    assert [one.step.name for one in verify_all(proof) if one.outcome is Standing.FAILED] == []
    from bounds.proofs.export import export_proofs

    assert {name: why for name, why in recheck_export.check(export_proofs([proof]), proof.key)[proof.key].items() if why} == {}
    made = {verify(proof, one.name).outcome for one in proof.steps}
    assert made == {Standing.CERTIFIED}


@pytest.mark.parametrize("key", KEYS)
def test_no_step_holds_with_half_its_right_side(key):
    """Of an upper bound half of it, of a lower one twice, and of an equality either."""
    proof = bounds.DERIVATIONS[f"dp_grape.{key}"]
    for one in proof.steps:
        factor = sp.Rational(1, 2) if one.relation == "<=" else sp.Integer(2)
        if one.rhs != 0:
            lie = replace(one, rhs=one.rhs * factor, where=GIVENS if one.where == GIVENS else one.where)
            assert verify(proof.with_line(lie), one.name).outcome is Standing.FAILED, one.name


def test_the_printed_17_is_not_certified():
    """With the factor eta the step that certifies it without fails."""
    proof = bounds.DERIVATIONS["dp_grape.theorem_d10"]
    one, eta = proof["per_step"], GLOSSARY["alpha"].symbol
    Gamma, beyond, q = (GLOSSARY[name].symbol for name in ("L", "beyond", "q"))
    clips = 4 * Gamma**2 * beyond * q
    assert clips in sp.expand(one.rhs).args
    lie = replace(one, rhs=one.rhs - clips + eta * clips)
    assert verify(proof.with_line(lie), "per_step").outcome is Standing.FAILED


@pytest.mark.parametrize("key", FALSE)
def test_every_witness_is_one(key):
    one = FALSE[key]
    left, printed, true = one.values()
    assert all(relation_holds(*sides) for sides in one.premise_sides())
    assert not relation_holds(one.relation, left, printed)
    assert relation_holds(one.true_relation, left, true)
    assert all(GLOSSARY[letter.name].symbol == letter for letter in one.witness)
    if one.instead:
        derivation, _, name = one.instead.partition(":")
        assert verify(bounds.DERIVATIONS[derivation], name).outcome is Standing.CERTIFIED


def test_the_exact_tail_is_left_out_too():
    _, bound, three, _, exact = by_hand(**EXAMPLE)
    left, printed, _ = FALSE["printed_exact_tail"].values()
    assert (float(left), float(printed)) == pytest.approx((float(three + exact), float(bound)), rel=1e-9)
    assert round(float(left), 3) == 0.106
