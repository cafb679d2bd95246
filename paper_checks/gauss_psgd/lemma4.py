"""Lemma 4: what an escape is worth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.optimize import brentq

from bounds.gauss_psgd.block import accuracy_over_psi, block, whole
from paper_checks.examine.judge import tail
from paper_checks.examine.proofs import STOPS, whole_proof
from paper_checks.examine.witness import false_line
from paper_checks.gauss_psgd import printed as p
from paper_checks.verdict import Finding, Kind, Size, claim, question, reading
from synthetic.escapes import escape
from synthetic.separable_saddles import local_cubic


def mu_of_6(s: float, base: str) -> float:
    """Return the mu that is the largest entry of (6) at alpha = M = rho = U = C = 1, d = 10, with half of psi^2 in each kind of noise."""

    def excess(mu: float) -> float:
        psi = 1 / (16 * s * mu**2)
        at = p.problem(d=10, s=s) | {p.mu: mu, p.psi: psi, p.r: psi / math.sqrt(20)}
        at[p.T] = p.number(p.T_79, at)
        *logarithms, one = (p.number(entry, at) for entry in p.SIX)
        return mu - max(*(entry if base == "e" or k == 2 else entry / math.log(2) for k, entry in enumerate(logarithms)), one)

    return float(brentq(excess, 4.0, 64.0))


def drop(*, version: str, s: float, mu: float = 0.0, base: str = "", runs: int, seed: int) -> Finding:
    """Walk down F = g x_1, g = 1.2 R/(eta Gamma), noise at the size that the block admits: fall of F at the drift test over Phi.

    mu   given, or that of (6) with the logarithm to base "e" or "2"
    """
    mu = mu_of_6(s, base) if base else mu
    ratio = float(accuracy_over_psi(s=s, log_factor=mu, C_abs=1.0, c_abs=16.0, version=version))
    at = block(accuracy=1.0, s=s, log_factor=mu, ell=1.0, rho=1.0, version=version)
    at = whole(at) if version == "repaired" else at
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
    return tail(violated, len(falls), min(1.0, 2 * math.exp(-at.iota)), words, seed, **numbers)


DECREASE = r"F(x_{t_0+\tau}) - F(x_{t_0}) \le -\frac{s}{8\iota^3}\sqrt{\frac{\alpha^3}\rho} = -\Phi"
NOISE_71 = r"\frac{2c\cdot\psi^2\iota}{s\sqrt{\rho\alpha}}"
CLAIMS = (
    *(
        reading(
            f"gauss_psgd.lemma4.printed_s{s:g}_{name}",
            f"Lemma 4; s = {s:g}, mu of (6) with log to base {base}, M = rho = 1",
            Kind.INEQUALITY,
        )
        .says("A round that succeeds lowers F by Phi at least, with probability 1 - 2 e^-iota or more", DECREASE)
        .refuted("the fall is 9.6/iota of it on a slope")
        .corrected(
            "Phi' = s/(8 iota^4) sqrt(alpha^3/rho), with alpha at least 4 sqrt(c) s^(3/2) mu^(5/2) psi", by=f"lemma4.repaired_{s:g}_8"
        )
        .examined(drop, version="printed", s=s, base=base, runs=100, seed=83)
        for s, name, base in ((4.0, "ln", "e"), (10.0, "ln", "e"), (4.0, "log2", "2"))
    ),
    *(
        question(f"gauss_psgd.lemma4.repaired_{s:g}_{mu:g}", f"Lemma 4 with our repaired block; s = {s:g}, mu = {mu:g}", Kind.INEQUALITY)
        .says("A successful round lowers F by Phi'")
        .consistent("the proof goes through")
        .examined(drop, version="repaired", s=s, mu=mu, runs=Size(30, 100), seed=84)
        for s, mu in ((4.0, 4.0), (4.0, 8.0), (10.0, 8.0))
    ),
    question("gauss_psgd.lemma4.small_iota", "Lemma 4, iota = 8", Kind.INEQUALITY)
    .says("The same slope does not refute it at s = 4, mu = 2")
    .consistent("9.6/8 is above 1")
    .examined(drop, version="printed", s=4.0, mu=2.0, runs=100, seed=85),
    whole_proof("gauss_psgd.lemma4", "Lemma 4, (63) to (72)", "What an escape is worth: (2/iota - c/(16 C)) Phi, not Phi", STOPS),
    *claim("gauss_psgd.lemma4.printed_71", "(70), (71), proof of Lemma 4", Kind.INEQUALITY)
    .says(
        "-R^2/(4 eta Gamma) + c eta psi^2 (Gamma + iota) is at most -s/(4 iota^3) sqrt(alpha^3/rho) + 2 c psi^2 iota/(s sqrt(rho alpha))",
        r"-\frac{\mathcal{R}^2}{4\eta\Gamma} + c\cdot\eta\psi^2(\Gamma + \iota) \le -\frac{s}{4\iota^3}\sqrt{\frac{\alpha^3}\rho} + "
        + NOISE_71,
    )
    .refuted("R^2/(4 eta Gamma) has one iota more below")
    .corrected(
        "iota^4 in place of iota^3",
        r"-\frac{\mathcal{R}^2}{4\eta\Gamma} + c\cdot\eta\psi^2(\Gamma + \iota) \le -\frac{s}{4\iota^4}\sqrt{\frac{\alpha^3}\rho} + "
        + NOISE_71,
    )
    .closed(false_line, "lemma4: first_term two_Gamma"),
    *claim("gauss_psgd.lemma4.printed_lemma4", "Lemma 4", Kind.INEQUALITY)
    .says("A round that succeeds lowers F by at least Phi, with probability 1 - 2 e^-iota or more", DECREASE)
    .refuted("on a slope of 1.2 R/(eta Gamma), far below alpha, every round succeeds and F falls by (9.6/iota) Phi")
    .corrected("With Phi' = s/(8 iota^4) sqrt(alpha^3/rho) and chi >= sqrt(c) s^(3/2) mu^(5/2) psi it does")
    .corrected_formula(r"F(x_{t_0+\tau}) - F(x_{t_0}) \le -\frac{s}{8\iota^4}\sqrt{\frac{\alpha^3}\rho}")
    .closed(false_line, "lemma4: left; repaired_block: worth decreases covers"),
    *claim("gauss_psgd.lemma4.printed_72", "(72), proof of Lemma 4", Kind.IDENTITY)
    .says("-s / (8 iota^3) sqrt(alpha^3 / rho) = Phi", r"-\frac{s}{8\iota^3}\sqrt{\frac{\alpha^3}\rho} = \Phi")
    .refuted("a sign is missing", instead="It is -Phi", latex=r"-\frac{s}{8\iota^3}\sqrt{\frac{\alpha^3}\rho} = -\Phi")
    .closed(false_line, "parameter_block: decrease_in_psi"),
)
