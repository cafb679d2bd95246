"""Corollary 3, a sum of norm-subGaussian errors, and Definitions 6 and 7."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy as sp

from bounds.inequalities import is_zero
from paper_checks.examine.proofs import WORDED, whole_proof
from paper_checks.examine.search import Cases, allowances
from paper_checks.examine.witness import at_witness, false_line
from paper_checks.verdict import Finding, Kind, claim, consistent, inconclusive, proved, question, reading, refuted


@allowances("the probability over the bound")
def corollary3(*, log_of: float, C: float, dimensions: tuple[int, ...]) -> Cases:
    """Take one v = +-e_1, nSG(1): P(|v| >= 1) = 1 over 2 exp(-1/(2 C^2 log(log_of d)))."""
    for d in dimensions:
        width = C**2 * math.log(log_of * d)
        bound = 2 * math.exp(-1 / (2 * width)) if width > 0 else 0.0
        at = {"d": d, "v": "+-e_1 with probability 1/2", "C": C, "P(|v| >= 1)": 1.0, "bound": bound}
        yield 1 / bound if bound > 0 else math.inf, at


def base_of_corollary_3(*, base: int) -> Finding:
    """Compare log(2 d)/log(2), the supremum over omega of the ratio in the proof of Corollary 3, with 2 log(d) to the given base."""
    letter = sp.Symbol("d", positive=True)
    unit = sp.Integer(1) if base == 0 else sp.log(base)
    ratio = sp.log(2 * letter) / sp.log(2)
    difference, slope = 2 * sp.log(letter) / unit - ratio, 2 / unit - 1 / sp.log(2)
    fails = [k for k in range(1, 100) if not bool(sp.N(difference.subs(letter, k), 30) >= 0)]
    slope_ok = is_zero(sp.diff(difference, letter) - slope / letter) and slope > 0
    numbers: dict[str, Any] = {"fails at d": tuple(fails), "difference grows in d": bool(slope_ok)}
    if [d for d in fails if d > 1]:
        at = {"d": fails[-1], "log(2 d)/log(2)": float(ratio.subs(letter, fails[-1])), "2 log(d)": float(2 * sp.log(fails[-1]) / unit)}
        return refuted(f"false for d = {fails[0]} to {fails[-1]}", numbers, at)
    if not slope_ok:
        return inconclusive("the difference is not known to grow", numbers)
    return proved("true at d = 2, and the difference grows with d; false at d = 1 only", numbers)


def anisotropic(*, variances: tuple[float, ...], length: int, seed: int) -> Finding:
    """Take N(0, diag(variances)), whose moment generating function is known, and see whether (10) holds and whether it is isotropic."""
    rng, spread = np.random.default_rng(seed), np.array(variances)
    zeta_sq = float(spread.max())
    u = rng.standard_normal((length, len(spread))) * 10 ** rng.uniform(-3, 3, (length, 1))
    excess = np.sum(u**2 * spread, axis=1) / 2 - np.sum(u**2, axis=1) * zeta_sq / 2  # of the logarithms of both sides of (10)
    numbers = {"directions": length, "largest excess of (10), in logarithms": float(excess.max()), "variances": variances}
    if excess.max() > 1e-9 * float(np.sum(u**2)):
        return inconclusive("the vector is not SG(zeta); another one must be looked for", numbers, seed=seed)
    if spread.max() > spread.min():
        witness = {"v": f"N(0, diag{variances})", "zeta": math.sqrt(zeta_sq), "(10)": "u'Vu/2 <= zeta^2 |u|^2/2 for every u"}
        return refuted(f"N(0, diag{variances}) meets (10) with zeta = {math.sqrt(zeta_sq):g}", numbers, witness, seed=seed)
    return consistent("this vector is isotropic", numbers, seed=seed)


CLAIMS = (
    question("gauss_psgd.corollary3.two_d", "Corollary 3 with log(2 d)", Kind.INEQUALITY)
    .says("One sign vector obeys it with log(2 d), C = 2")
    .consistent("log 2 > 0")
    .examined(corollary3, log_of=2.0, C=2.0, dimensions=(1, 2, 10)),
    reading("gauss_psgd.corollary3.base_2", "proof of Corollary 3, log to base 2", Kind.INEQUALITY)
    .says("log(2 d/omega)/log(2/omega) <= 2 log_2(d) for d >= 2 and all omega < 1")
    .formula(r"\log\tfrac{2d}\omega/\log\tfrac2\omega \le 2\log_2d,\ d \ge 2")
    .proved("1 + log_2(d) <= 2 log_2(d) from d = 2 on")
    .examined(base_of_corollary_3, base=2),
    claim("gauss_psgd.definition6.isotropy", "after Definition 7", Kind.SCOPE)
    .says("Sub-Gaussian vectors are isotropic")
    .formula(r"\mathbb{E}[\exp(\langle u, v - \mathbb{E}[v]\rangle)] \le \exp\Big(\frac{\|u\|_2^2\zeta^2}2\Big),\ \forall u")
    .refuted("(10) bounds every direction and asks nothing else")
    .corrected("Leave it out; SG(zeta) is nSG(2 sqrt(2) zeta sqrt(d)) by Lemma 10")
    .examined(anisotropic, variances=(1.0, 0.0), length=200, seed=91),
    whole_proof(
        "gauss_psgd.corollary3",
        "ours; Corollary 3",
        "A sum of norm-subGaussian errors is norm-subGaussian, with log(2 d)",
        WORDED,
        stated="question",
    ),
    *claim("gauss_psgd.definition7.printed_definition7", "(11), Definition 7", Kind.INEQUALITY)
    .says("P(||v - E v|| >= t) <= 2 exp(-t^2/(2 zeta^2)) for all real t")
    .formula(r"\mathbb{P}[\|v - \mathbb{E}[v]\| \ge t] \le 2\exp\Big(-\frac{t^2}{2\zeta^2}\Big),\quad \forall t \in \mathbb{R}")
    .refuted("for t below 0 the left side is 1, and the right side less for t below -zeta sqrt(2 log(2))")
    .corrected("For all t >= 0; an error of norm at most G then has the constant G / sqrt(2 log 2)")
    .corrected_formula(r"\mathbb{P}[\|v - \mathbb{E}[v]\| \ge t] \le 2\exp\Big(-\frac{t^2}{2\zeta^2}\Big),\quad \forall t \ge 0")
    .closed(false_line, "corollary3: one_error"),
    *reading("gauss_psgd.corollary3.printed_corollary3", "proof of Corollary 3, with the natural logarithm", Kind.INEQUALITY)
    .says("log(2 d/omega) / log(2/omega) <= 2 log(d) for every omega in (0, 1)")
    .formula(r"\frac{\log\frac{2d}\omega}{\log\frac2\omega} \le 2\log d,\quad \forall \omega \in (0, 1)")
    .refuted("it tends to log(2 d)/log(2) as omega tends to 1: false up to d = 6")
    .corrected("At most 2 log(2) log(2 d) with natural logarithms is what the proof needs: log(2 d) in place of log(d)")
    .corrected_formula(r"\sqrt{\log(2d)\textstyle\sum\zeta_i^2}")
    .closed(false_line, "corollary3: above_half larger"),
    *claim("gauss_psgd.corollary3.printed_zeta", "proof of Corollary 3", Kind.INEQUALITY)
    .says(
        "zeta_+ := sqrt(C log(d) sum zeta_i) has zeta_+^2 >= (C^2/2) (sum zeta_i^2) log(2 d/omega) / log(2/omega)",
        r"\zeta_+ := \sqrt{C\log(d)\sum_{i=1}^k\zeta_i}, \quad "
        r"\zeta_+^2 \ge \frac{C^2}2\Big(\sum_{i=i}^p\zeta_i^2\Big)\frac{\log\frac{2d}\omega}{\log\frac2\omega}",
    )
    .refuted("the squares of C and of zeta_i are missing, so that zeta_+ has not the unit of zeta_i")
    .corrected("zeta_+ = C sqrt(log(2 d) sum zeta_i^2)", r"\zeta_+ = C\sqrt{\log(2d)\textstyle\sum\zeta_i^2}")
    .closed(false_line, "corollary3: above_half larger"),
    reading("gauss_psgd.corollary3.printed_corollary3_d1", "Corollary 3 at d = 1", Kind.IDENTITY)
    .says("In one dimension the sum has the constant C sqrt(log(1) sum zeta_i^2) = 0")
    .formula(r"\sum_{i=1}^pv_i \text{ is } \operatorname{nSG}\Big(C\cdot\sqrt{\log(d)\sum_{i=1}^k\zeta_i^2}\Big)")
    .refuted("a sum of signs is not constant", instead="C sqrt(log(2 d) sum zeta_i^2)", by="corollary3.chain")
    .corrected_formula(r"\sum v_i \text{ is } \operatorname{nSG}\Big(C\sqrt{\log(2d)\sum\zeta_i^2}\Big)")
    .examined(at_witness, key="gauss_psgd.printed_corollary3_d1"),
)
