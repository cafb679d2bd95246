r"""Definition 2, Lemmas 1 and 2, Theorems 1 and 3, and the privacy floor under Theorems 2 and 4.

Privacy is confirmed by the accountants of `bounds.privacy.accounting`, which err above. It is refuted from below by `delta_lower_bound`
of an instance: all clipped difference quotients are C but those of one record, which has -C. With Algorithm 2's
batches of fixed size a step of P directions is then (1-q) N(0) + q N(2 sqrt(P)/sigma) against N(0) along the difference; it has
sqrt(P)/sigma where batches are drawn independently, the others are 0, and the record is removed. Settings are (n, m, T), and delta = 1/n,
as in Section V.
"""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.dp_zopo.theorem1 import direction_sigma, spent_epsilon
from bounds.privacy import accounting
from paper_checks.dp_zopo import printed as p
from paper_checks.record import Record
from paper_checks.shared.formulas import check_printed_formulas, evaluate_formula
from paper_checks.shared.privacy import Neighbours, check_sensitivity, delta_lower_bound, release_distances
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.verdict import Finding
from synthetic.methods.masks import importance_weights

ROBERTA, TREC, SMALL = (1024, 64, 6000), (3072, 64, 6000), (1024, 16, 6000)
POISSON, FIXED = ("poisson", "add_or_remove_one"), ("without_replacement", "replace_one")


def printed_sigma(setting: Sequence[int], eps: float, c_2: float = 1.0, P: int = 1) -> float:
    """Return the noise ratio sigma of equation (13), with equality, for a setting (n, m, T); with P = 1 it is Lemma 1's sigma."""
    at = {**dict(zip(("n", "minibatch", "T"), setting, strict=True)), "epsilon": eps, "delta": 1 / setting[0], "c_noise": c_2}
    return math.sqrt(evaluate_formula(p.FORMULAS.of("theorem1")["squared"], {**at, "directions": P}))


@cache
def needed_sigma(setting: tuple[int, int, int], eps: float, how: Any = POISSON, P: int = 1, share: int = 1) -> float:
    """Return the lab accountant's noise ratio for a setting (n, m, T) at eps, P directions jointly; `share` divides eps and delta."""
    n, m, T = setting
    return direction_sigma(eps / share, 1 / n / share, T, n, m, m, P, *how)


def epsilon_spent(ratio: float, setting: Sequence[int], how: Any = POISSON, P: int = 1, runs: int = 1) -> float:
    """Return the epsilon at delta = 1/n that noise ratio `ratio` spends in (n, m, T), P directions jointly, over `runs` runs."""
    n, m, T = setting
    return spent_epsilon(ratio / m, 1 / n, T * runs, n, m, 1.0, P, *how)


def check_transcription() -> Finding:
    """Check that the theory has the printed formulas of Lemmas 1 and 2 and Theorems 1 and 3, by algebra; return a Finding."""
    others = {key.partition(".")[2] for key in bounds.THEOREMS if key.startswith("dp_zopo.")} - {"lemma1", "lemma2", "theorem1", "theorem3"}
    return check_printed_formulas(paper="dp_zopo", ours=others)


def check_private_sgd(*, n: int) -> Finding:
    """Check that one step of (2) without noise is private, by enumerating its outcomes with a batch of one; return a Finding.

    f = -<theta, x>, eta = 1.
    """
    law, other = ({x: Fraction(1, n) for x in records} for records in (range(n), (*range(n - 1), n)))
    if only := {x: str(chance) for x, chance in law.items() if x not in other}:
        witness = {"n": n, "m": 1, "P(theta_1)": only}
        return Record({"delta": "1/n at least"}).refute(f"the outcomes {only} are impossible with the neighbour", witness)
    return Record({"n": n}).conclude("every outcome is possible with both")


EXPERIMENT = {"d": 3.55e8, "n": 1024, "epsilon": 4.0, "delta": 1 / 1024, "C": 30.0, "c_noise": 1.4, "directions": 1, "growth_mu": 1.0}
COMPUTED: Mapping[str, Callable[..., float]] = {
    "c_2": lambda setting, eps: needed_sigma(setting, eps) / printed_sigma(setting, eps),
    "fixed size over Poisson": lambda setting, eps: needed_sigma(setting, eps, FIXED) / needed_sigma(setting, eps),
    "split over joint": lambda P: (needed_sigma(ROBERTA, 4.0, share=P) / needed_sigma(ROBERTA, 4.0, P=P)) ** 2,
    "replaced": lambda eps, how: epsilon_spent(needed_sigma(ROBERTA, eps), ROBERTA, how),
    "of P directions": lambda P: epsilon_spent(needed_sigma(ROBERTA, 4.0), ROBERTA, P=P),
    "best of": lambda runs: epsilon_spent(needed_sigma(ROBERTA, 4.0), ROBERTA, runs=runs),
    "floor": lambda tuned: bounds.THEOREMS["dp_zopo.floor"].evaluate(**EXPERIMENT, stages=3, tuned=tuned).parts["masks"],
}


@check_deviations("{what}", tolerance=0.005)
def check_stated_numbers(*, what: str, stated: Mapping[tuple[Any, ...], float]) -> Cases:
    """Check that stated numbers, {arguments: number}, are those of COMPUTED[what] to 0.5 %; return a Finding."""
    for given, value in stated.items():
        computed = COMPUTED[what](*given)
        yield abs(computed / value - 1), {"at": given, what: computed, "stated": value}


@check_allowances("epsilon that is spent over epsilon")
def check_spent_epsilon(*, points: Sequence[tuple[tuple[int, int, int], float, int]]) -> Cases:
    """Check that equation (13) with c_2 = sqrt(2) spends at most the nominal epsilon, by the accountant; return a Finding.

    The P directions of a step are counted together.
    """
    for setting, eps, P in points:
        yield epsilon_spent(printed_sigma(setting, eps, math.sqrt(2), P), setting, P=P) / eps, {"n, m, T": setting, "epsilon": eps, "P": P}


def check_noise_ratio(*, setting: Sequence[int], eps: float, spacing: float, sigma: float = 0.0, moves: float = 1.0) -> Finding:
    """Check that noise ratio `sigma` is private at eps and delta = 1/n, by a lower bound on its delta; return a Finding.

    Lemma 1's ratio is that with c_2 = sqrt(2). A step is moved by `moves` times C.
    """
    n, m, T = setting
    ratio = sigma or printed_sigma(setting, eps, math.sqrt(2))
    least = delta_lower_bound(eps, shift=moves / ratio, q=m / n, steps=T, spacing=spacing)
    at = {"n": n, "m": m, "T": T, "sigma": ratio, "moved by, over C": moves, "epsilon": eps, "delta": 1 / n, "delta is at least": least}
    if least > 1 / n:
        return Record({"n delta": n * least}).refute(f"sigma = {ratio:.4g} spends delta >= {least:.3g} at epsilon = {eps:g}", at)
    return Record(at).conclude(f"the instance spends {least:.3g}")


def sampled_release(laws: Any, size: int, ones: int, tau: float, m: int) -> Any:
    """Return the distribution of the release of a sample of `size` records, of which `ones` are 1.

    The sample has m records, or, with m = 0, each record with probability tau. `laws` has the distribution for each size and number of 1s.
    """
    if m:
        return sum(stats.hypergeom.pmf(a, size, ones, m) * laws[m, a] for a in range(min(m, ones) + 1))
    chance = [stats.binom.pmf(range(k + 1), k, tau) for k in (ones, size - ones)]
    return sum(chance[0][a] * chance[1][b] * laws[a + b, a] for a in range(ones + 1) for b in range(size - ones + 1))


def largest_delta(law: Callable[[int, int], Any], sizes: Sequence[int], odds: float, replaced: bool) -> float:
    """Return the largest delta of a release at e^epsilon = `odds` over neighbours where a record is replaced, or removed.

    law   the distribution of the release by size and number of ones;   odds   e^epsilon
    """
    changes = ((0, 1),) if replaced else ((-1, 0), (-1, -1))  # of size and ones
    pairs = [(s, k, s + less, k + more) for s in sizes for k in range(s + 1) for less, more in changes if 0 <= k + more <= s + less]
    laws = [(law(s, k), law(size, ones)) for s, k, size, ones in pairs]
    return max(float(np.maximum(x - odds * y, 0).sum()) for a, b in laws for x, y in ((a, b), (b, a)))


@check_allowances("delta of the sampled release over that of the lemma", reach=0.999, rounding=1e-9)
def check_amplification(*, n: int, m: int, tries: int, seed: int) -> Cases:
    """Check that sampling lowers delta to tau delta, as the amplification lemma states, on random mechanisms; return a Finding.

    Every third mechanism releases whether a batch has a 1, which attains the lemma.
    """
    chance = np.random.default_rng(seed)
    for trial in range(tries):
        tau, epsilon = m / n or chance.uniform(0.05, 0.9), chance.uniform(0, 1)
        laws = chance.dirichlet(np.full(4, 0.5), size=(n + 1, n + 1))
        if trial % 3 == 0:
            laws[:, 0], laws[:, 1:] = laws[0, 0], laws[0, 1]
        delta = largest_delta(lambda *at, laws=laws: laws[at], [m] if m else range(1, n + 1), math.exp(epsilon), m > 0)
        after = partial(sampled_release, laws, tau=tau, m=m)
        if delta > 1e-9:
            yield largest_delta(after, [n], 1 + tau * math.expm1(epsilon), m > 0) / (tau * delta), {"epsilon": epsilon, "tau": tau}


def check_scalar_sensitivity(*, n: int, batch: int) -> Finding:
    """Check that a neighbour moves a batch's sum of scalars in -1..1 by 1, not by 2, by enumeration; return a Finding."""
    most = dict.fromkeys(("Poisson, removed", "Poisson, replaced", "fixed size, removed", "fixed size, replaced"), 0)
    for x in itertools.product((-1, 0, 1), repeat=n):  # the first changes; of a batch of fixed size another one takes its place
        for name, instead in zip(most, ((0,), (-1, 0, 1), x[batch:], (-1, 0, 1)), strict=True):
            most[name] = max(most[name], *(abs(x[0] - one) for one in instead))
    record = Record(most)
    ways = itertools.product(("poisson", "without_replacement"), ("add_or_remove_one", "replace_one"))
    if [accounting.sensitivity(n, batch, 1.0, *way) * batch for way in ways] != list(most.values()):  # type: ignore[arg-type]
        record.leave_open(f"the lab has others than {most}: a corrected sensitivity would settle it")
    if {*most.values()} != {1}:
        record.refute("2 C where a record is replaced, or removed from batches of fixed size", {"n": n, "m": batch, **most})
    return record.conclude("C under both relations and samplings")


def check_shared_batch(*, odds: Fraction, q: Fraction, releases: int) -> Finding:
    """Check that amplified epsilons of randomised responses on one batch add up, when a record is removed; return a Finding."""
    said, product = odds / (1 + odds), (1 + q * (odds - 1)) ** releases
    together = (q * said**releases + (1 - q) * (1 - said) ** releases) / (1 - said) ** releases
    record = Record({"e^epsilon together": str(together), "product over the answers": str(product)})
    if together > product:
        at = {"e^epsilon_0": str(odds), "q": str(q), "P": releases, "event": "every answer is 1", **record.numbers}
        record.refute(f"e^epsilon of the answers together is {together}", at)
    return record.conclude("the product over the answers is enough")


def check_masked_step(*, pairs: int, seed: int) -> Finding:
    """Check that a DP-ZOPO step with a rank mask has sensitivity at most 2 C sqrt(P)/m, by replay; return a Finding.

    Losses are linear, the mask is computed from the iterate, directions are M v, P = 3, m = 4, C = 1/2.
    """
    chance, d, P, m, C = np.random.default_rng(seed), 12, 3, 4, 0.5
    stated = 2 * C * math.sqrt(P) / m

    def neighbours() -> Iterator[Neighbours]:
        """Yield pairs of batches of random linear losses that differ in the first record."""
        for k in range(pairs):
            theta, v, slopes = (chance.standard_normal(shape) for shape in (d, (P, d), (m, d)))
            slopes *= 10.0 ** chance.uniform(-2, 3)
            other = np.vstack([-slopes[:1] if k % 2 else chance.standard_normal((1, d)), slopes[1:]])
            yield Neighbours((theta, v, slopes), (theta, v, other), lambda gone: (float(np.linalg.norm(gone)) / stated, {}), stated)

    def release(given: Any) -> Any:
        """Return the mean of the clipped scalars of a step on a batch, (P,)."""
        theta, v, slopes = given
        return np.clip(slopes @ (importance_weights(np.abs(theta), 0.5, weights="rank") * v).T, -C, C).mean(axis=0)

    return check_sensitivity(release_distances(neighbours(), release), stated="2 C sqrt(P)/m", seed=seed)


def check_steps_fixed_point(*, over: Fraction, rounds: int, stages: Sequence[int]) -> Finding:
    """Check that iterating T -> sum of the stages' steps reaches T' = 5000, in exact fractions; return a Finding.

    T -> sum of 7/(2 mu eta_s), eta_s = 2^(S-s) alpha_S min(a, b/T): mu = alpha_priv = 1, alpha_S = over, T' = 5000.
    """
    record = Record()
    for S, start in itertools.product(stages, (500, 50_000)):
        b, T, before = 7 * (1 - Fraction(1, 2**S)), Fraction(start), Fraction(0)
        for _ in range(rounds):
            before, eta = T, over * min(b / over / 5000, b / T)
            T = sum((Fraction(7, 2) / (2 ** (S - s) * eta) for s in range(1, S + 1)), Fraction(0))
        record.note({f"T after {rounds} rounds, S = {S}, from {start}": float(T)})
        if T != before or T != 5000:
            at = {"alpha_S / alpha_priv": str(over), "S": S, "T'": 5000, "T": float(T), "T over the last": str(T / before)}
            return record.refute(f"after {rounds} rounds T is {float(T):.4g} and changes by {float(T / before):.4f} each time", at)
    return record.conclude(f"T is T' after {rounds} rounds")


def check_complexity() -> Finding:
    """Check that P m T_S, where noise limits the step size, has the order of the last term of (17); return a Finding."""
    computed = p.P * p.m * 7 / (2 * p.mu * p.alpha * p.FORMULAS.of("entries_of_step")["noise"])
    factor = sp.simplify(computed / p.FORMULAS["complexity_of_noise"])
    record = Record({"factor": str(factor)})
    if factor.has(p.T):
        at: dict[str, Any] = {"alpha_S": "alpha_priv, where any T is what the stages add up to, if the other entries ask for less"}
        at |= {"c_2": 1, "T": 10**8, "P m T_S over the term": float(factor.subs({p.c_2: 1, p.T: 10**8}))}
        record.refute(f"P m T_S is {p.SPELLING.expression_text(factor)} times the term", at)
    return record.prove("the order of the term is right")
