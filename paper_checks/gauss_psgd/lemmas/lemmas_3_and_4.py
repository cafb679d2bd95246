"""Checks of Lemmas 3 and 4 and Corollary 2: descent with an error in the gradient, and the decrease of an escape."""

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from bounds.gauss_psgd.block import accuracy_over_psi, block, round_block
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import check_probability_at_most
from paper_checks.shared.search import Cases, check_allowances, check_deviations
from paper_checks.verdict import Finding
from synthetic.objectives.separable_saddles import local_cubic
from synthetic.runs.escapes import escape
from synthetic.runs.psgd import gauss_psgd


@check_deviations("(7) at every step, its excess over 0")
def check_lemma3(*, oracle: str, cases: int, seed: int, longest: float) -> Cases:
    """Check that F(x_t) - F(x_{t-1}) <= (eta/2)(|nu_t|^2 - |grad F|^2), (7), in simulated runs with Q = 1; return a Finding.

    eta is at most `longest`/M. `oracle`: "exact", or an oracle with samples.
    """
    landscape, rng = unit_cosine_saddles(3), np.random.default_rng(seed)
    for k in range(cases):
        eta = float(rng.uniform(0.2, 1.0)) * longest
        chosen: dict[str, Any] = {"eta": eta, "chi": 0.05, "R": 0.3, "Gamma": 8, "Q": 1, "seed": k, "oracle": oracle, "limit": 60}
        if oracle == "exact":
            chosen |= {"zeta": float(rng.uniform(0, 1)), "sigma_1": float(rng.uniform(0, 0.5))}
        else:
            chosen |= {"n": 900, "b_1": 60, "b_2": 6, "sigma_1": 0.1, "sigma_2": 0.2, "kappa": 0.3}
        run = gauss_psgd(landscape, x0=rng.uniform(-3, 3, 3), threads=1, **chosen)
        change = np.diff(run.value[0])
        excess = change + eta / 2 * (run.grad_norm[0, :-1] ** 2 - run.error[0, :-1] ** 2)
        for fell, one in zip(change, excess, strict=True):
            yield one, {"eta": eta, "M": 1.0, "F(x_t) - F(x_{t-1})": float(fell), "excess": float(one)}


@check_allowances("the probability over 2 e^(-iota)")
def check_corollary2(*, c: float, iotas: tuple[float, ...], horizons: tuple[int, ...], d: int) -> Cases:
    """Check exactly that P(sum |nu_t|^2 > 2 c psi^2 (t + iota)) <= 2 e^(-iota), Corollary 2, for Gaussian errors; return a Finding.

    With it (8) follows from (7).
    """
    for iota, t in itertools.product(iotas, horizons):
        probability = float(stats.chi2.sf(2 * c * d * (t + iota), t * d))
        yield probability / (2 * math.exp(-iota)), {"t": t, "iota": iota, "c": c, "probability": probability}


def check_step_index(*, shift: int, errors: Sequence[int]) -> Finding:
    """Check exactly that (54) <= (55) with -eta g_(t - shift) as the move, on a path on x^2/2 with given errors; return a Finding."""
    eta, path, estimates = Fraction(1, 2), [Fraction(1)], [Fraction(0)]
    for error in errors:
        estimates.append(path[-1] + error)
        path.append(path[-1] - eta * estimates[-1])
    for step in range(1 + shift, len(path)):
        moved, said = path[step] - path[step - 1], -eta * estimates[step - shift]
        above, below = (path[step - 1] * one + one**2 / 2 for one in (moved, said))  # (54), (55): M = 1, grad F(x) = x
        if above > below:
            witness = {"F": "x^2/2", "x_0": 1, "eta": 0.5, "errors": tuple(errors), "t": step, "x_t - x_{t-1}": str(moved)}
            witness |= {"in its place": str(said), "(54)": str(above), "(55)": str(below)}
            return Record().refute(f"at t = {step} (54) is {above}, and (55) with -eta g_(t-{shift}) is {below}", witness)
    steps = len(path) - 1 - shift
    return Record({"steps": steps}).conclude(f"(54) is at most (55) at {steps} steps of a path, exactly")


def largest_entry_mu(s: float, base: str) -> float:
    """Return the mu that equals the largest entry of (6) at alpha = M = rho = U = C = 1, d = 10, with logarithms to base "e" or "2".

    Half of psi^2 is in each kind of noise.
    """

    def excess(mu: float) -> float:
        psi = 1 / (16 * s * mu**2)
        at = p.problem_values(d=10, s=s) | {p.mu: mu, p.psi: psi, p.r: psi / math.sqrt(20)}
        at[p.T] = p.formula_value(p.FORMULAS["steps_79"], at)
        *logarithms, one = (p.formula_value(entry, at) for entry in p.SIX)
        return mu - max(*(entry if base == "e" or k == 2 else entry / math.log(2) for k, entry in enumerate(logarithms)), one)

    return float(brentq(excess, 4.0, 64.0))


def check_escape_decrease(*, version: str, s: float, mu: float = 0.0, base: str = "", runs: int, seed: int) -> Finding:
    """Check by simulation that F falls by >= Phi in a successful round on F = g x_1, but for probability 2 e^(-iota); return a Finding.

    g = 1.2 R/(eta Gamma), and noise is at the size that the block admits. The fall is measured where the drift test succeeds.

    mu   given, or that of (6) with the logarithm to base "e" or "2"
    """
    mu = largest_entry_mu(s, base) if base else mu
    ratio = float(accuracy_over_psi(s=s, log_factor=mu, C_abs=1.0, c_abs=16.0, version=version))
    at = block(accuracy=1.0, s=s, log_factor=mu, ell=1.0, rho=1.0, version=version)
    at = round_block(at) if version == "repaired" else at
    Gamma, d = math.ceil(at.Gamma - 1e-9), 10
    g = 1.2 * at.radius / (at.eta * Gamma)
    landscape = local_cubic(d, gamma=0.0, rho=0.0, ell=1e-9, slope=g)
    noise: dict[str, Any] = {"sigma": 1 / ratio / math.sqrt(2 * d), "zeta": 1 / ratio / math.sqrt(2)}  # half of psi^2 each
    made = escape(landscape, eta=at.eta, T=Gamma, replicates=runs, seed=seed, threads=1, **noise)
    reached = made.distance >= at.radius
    falls = -made.value[np.arange(runs), np.argmax(reached, axis=1)][reached.any(axis=1)] / at.decrease
    violated = int(np.sum(falls < 1))
    numbers = {"rounds": runs, "mean drop / Phi": float(falls.mean()), "below Phi": violated, "s": s, "mu": mu, "gradient": g, "alpha": 1.0}
    words = f"F falls by {falls.mean():.3f} Phi on average in {len(falls)} successful rounds"
    return check_probability_at_most(violated, len(falls), min(1.0, 2 * math.exp(-at.iota)), words, seed, **numbers)
