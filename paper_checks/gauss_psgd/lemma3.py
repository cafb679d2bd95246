"""Lemma 3 and Corollary 2: descent with an error in the gradient."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy import stats

from paper_checks.examine.proofs import WORDED, whole_proof
from paper_checks.examine.search import Cases, allowances, deviations
from paper_checks.gauss_psgd.plain_algorithms import cosines
from paper_checks.verdict import Finding, Kind, Size, claim, consistent, question, reading, refuted
from synthetic.psgd import gauss_psgd


@deviations("(7) at every step, its excess over 0")
def lemma3(*, oracle: str, cases: int, seed: int, longest: float) -> Cases:
    """Check (7) at every step of runs without restarts (Q = 1), eta up to `longest`/M: the change of F plus eta/2 (|grad F|^2 - |nu|^2)."""
    landscape, rng = cosines(3), np.random.default_rng(seed)
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


@allowances("the probability over 2 e^(-iota)")
def corollary2(*, c: float, iotas: tuple[float, ...], horizons: tuple[int, ...], d: int) -> Cases:
    """Compute exactly, for Gaussian errors, P(sum |nu_t|^2 > 2 c psi^2 (t + iota)) over 2 e^(-iota): then (8) follows from (7)."""
    for iota, t in itertools.product(iotas, horizons):
        probability = float(stats.chi2.sf(2 * c * d * (t + iota), t * d))
        yield probability / (2 * math.exp(-iota)), {"t": t, "iota": iota, "c": c, "probability": probability}


def index_of_the_step(*, shift: int, errors: Sequence[int]) -> Finding:
    """Run x_t = x_{t-1} - eta g_t on x^2/2 with given errors, exactly, and compare (54) with (55) for -eta g_{t - shift}."""
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
            return refuted(f"at t = {step} (54) is {above}, and (55) with -eta g_(t-{shift}) is {below}", {}, witness)
    return consistent(f"(54) is at most (55) at {len(path) - 1 - shift} steps of a path, exactly", {"steps": len(path) - 1 - shift})


CLAIMS = (
    *(
        claim(f"gauss_psgd.lemma3.{oracle}", "Lemma 3, (7)", Kind.INEQUALITY)
        .says(f"Every step of runs with the oracle {oracle} obeys (7), eta up to 1/M")
        .consistent("M-smoothness")
        .examined(lemma3, oracle=oracle, cases=Size(40, 400), seed=81, longest=1.0)
        for oracle in ("exact", "ada_dp_spider")
    ),
    question("gauss_psgd.lemma3.long_steps", "Lemma 3 without eta <= 1/M", Kind.INEQUALITY)
    .says("(7) holds for steps up to 3/M")
    .refuted("it needs eta <= 1/M", instead="eta <= 1/M, as the paper assumes", by="lemma3.exact")
    .examined(lemma3, oracle="exact", cases=40, seed=82, longest=3.0),
    claim("gauss_psgd.corollary2.gaussian", "Corollary 2, (8), c = 8 C_13", Kind.INEQUALITY)
    .says("(8) holds for Gaussian errors with c = 8 times a valid constant of Lemma 13")
    .consistent("the chi-square law")
    .examined(corollary2, c=8 * 4 * math.log(3), iotas=(0.1, 1.0, 10.0, 100.0), horizons=(1, 10, 1000), d=2),
    claim("gauss_psgd.lemma3.index_printed", "(54), (55), proof of Lemma 3; (56), (57) go on with it", Kind.INEQUALITY)
    .says(
        "<grad F(x_{t-1}), x_t - x_{t-1}> + M/2 |x_t - x_{t-1}|^2 is at most the same with -eta g_{t-1} in place of x_t - x_{t-1}",
        r"\langle\nabla F(x_{t-1}), x_t - x_{t-1}\rangle + \frac M2\|x_t - x_{t-1}\|^2 \le "
        r"-\eta\langle\nabla F(x_{t-1}), \hat g_{t-1}\rangle + \frac M2\eta^2\|\hat g_{t-1}\|^2",
    )
    .refuted("x_t - x_{t-1} is -eta g_t by (4)", instead="-eta g_t", latex=r"x_t - x_{t-1} = -\eta\hat g_t", by="lemma3.index")
    .examined(index_of_the_step, shift=1, errors=(0, -2, 2)),
    reading("gauss_psgd.lemma3.index", "(4), (54)", Kind.INEQUALITY)
    .says("With -eta g_t in place of x_t - x_{t-1} it is")
    .consistent("a path, exactly")
    .examined(index_of_the_step, shift=0, errors=(0, -2, 2)),
    whole_proof("gauss_psgd.lemma3", "Lemma 3, (54) to (59)", "Descent with an error in the gradient", WORDED),
    whole_proof("gauss_psgd.corollary2", "Corollary 2, (60) to (62)", "Descent with noise of size psi, with c = 8 C of Lemma 13", WORDED),
)
