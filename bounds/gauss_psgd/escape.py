"""Escape from a saddle by the growth of a coupled difference: Lemmas 1, 2, 18, 19, 20 and Corollary 1.

Setting   two runs of x_t = x_{t-1} - eta (grad F(x_{t-1}) + nu_t) from the same saddle, their noise mirrored along the eigenvector of
          the least eigenvalue -curvature of the Hessian there (Definition 5).
Measure   the probability that neither leaves a ball of the drift radius within Gamma steps, and the parts of their difference.
Source    Gauss-PSGD, Lemma 1, Corollary 1, Lemma 2; Lemmas 18, 19, 20 with (22), (30) to (34).

Lemma 1 as printed is false: (52) loses sqrt(curvature / added_noise), so that the second entry of (6) depends on the unit of length.
"""

from __future__ import annotations

import sympy as sp

from bounds.gauss_psgd.block import FIVE, growth_entry, union_entry
from bounds.gauss_psgd.common import (
    ALL_FAIL,
    ASSUMPTION_1,
    BASE,
    GIVEN_MU,
    ORACLE,
    PAPER,
    SADDLE,
    STANDING,
    STEP_41,
    STEP_42,
    Gamma,
    P_h,
    P_p,
    P_sg,
    added_noise,
    at_least,
    c_abs,
    curvature,
    eta,
    iota,
    omega_0,
    radius,
    t_count,
)
from bounds.symbols import Letter, d, introduce, symbols
from bounds.theorem import Condition, Part, Theorem

(x_hat,) = symbols("x_hat")
noise_part = introduce(
    Letter("noise_part", r"\|\mathscr{P}_p(t)\|", "size of the part of the difference that the noise makes", 0, 1e6, "proof")
)
p_stays = introduce(
    Letter("p_stays", r"\mathbb{P}(\text{the run stays})", "probability that a run stays near the saddle", 0, 1, "probability")
)
p_none = introduce(
    Letter("p_none", r"\mathbb{P}(\text{no round escapes})", "probability that none of the rounds escapes", 0, 1, "probability")
)

p_out = introduce(Letter("p_out", r"\mathbb{P}(\|\mathscr{P}_p\|\text{ above its bound})", "the noise part too large", 0, 1, "probability"))

BLOCK = {name: FIVE[name] for name in ("chi", "accuracy", "eta", "Gamma", "radius", "decrease")}
IOTA = {"iota": FIVE["iota"]}

UNION = at_least(union_entry(), "the first entry of (6)")
GROWTH = at_least(growth_entry(), "the second entry of (6)")
GROWTH_CORRECTED = at_least(
    growth_entry("corrected"), "which the growth of the unstable direction needs where (52) is put right: Lemma 1 is not proved"
)
ESCAPE_CONDITIONS = (STANDING, UNION, GROWTH, GROWTH_CORRECTED, STEP_41, STEP_42)
FALSE_1 = "as printed it is false; with the corrected second entry of (6) its proof still needs (42)"

LEMMA_1 = Theorem(
    key="gauss_psgd.lemma1",
    title="Lemma 1 (escape from saddle points)",
    source=f"{PAPER}, Lemma 1",
    claim="upper",
    measure="P( neither coupled run is the radius away within Gamma steps )",
    method="gauss_psgd",
    assumptions=(*ASSUMPTION_1, *ORACLE, *SADDLE),
    definitions=IOTA,
    schedule=BLOCK,
    bound=sp.Rational(3, 4),
    conditions=ESCAPE_CONDITIONS,
    notes=(FALSE_1, BASE, GIVEN_MU),
)
COROLLARY_1 = Theorem(
    key="gauss_psgd.corollary1",
    title="Corollary 1 (escape of one run)",
    source=f"{PAPER}, Corollary 1",
    claim="upper",
    measure="P( the run is not the radius away within Gamma steps )",
    method="gauss_psgd",
    assumptions=LEMMA_1.assumptions,
    definitions=IOTA,
    schedule=BLOCK,
    bound=sp.Rational(7, 8),
    measured=p_stays,
    conditions=ESCAPE_CONDITIONS,
    notes=("follows from Lemma 1 by symmetry and a union bound; what is said there holds here", BASE, GIVEN_MU),
)
LEMMA_2 = Theorem(
    key="gauss_psgd.lemma2",
    title="Lemma 2 (amplification by rounds)",
    source=f"{PAPER}, Lemma 2",
    claim="upper",
    measure="P( none of Q rounds escapes )",
    method="gauss_psgd",
    assumptions=("rounds are independent given their starting point", "each escapes with probability at least 1/8"),
    schedule={"Q": sp.Rational(26, 5) * sp.log(1 / omega_0)},
    bound=omega_0,
    measured=p_none,
    parts=(
        Part("exactly", "P( none of Q rounds escapes )", "<=", ALL_FAIL, p_none),
        Part("base 2", "Q with the logarithm to base 2", "=", sp.Rational(26, 5) * sp.log(1 / omega_0) / sp.log(2)),
        Part("enough", "the least Q that is enough", "=", sp.log(1 / omega_0) / sp.log(sp.Rational(8, 7))),
    ),
    conditions=(
        Condition(
            sp.Le(ALL_FAIL, omega_0),
            "(7/8)^Q = {value} is above omega_0 = {limit}: with the natural logarithm Q is too small; base 2 is enough",
        ),
    ),
    notes=("rounds that share a fresh gradient of Ada-DP-SPIDER are not independent",),
)

LEMMA_18 = Theorem(
    key="gauss_psgd.lemma18",
    title="Lemma 18 (dynamics of the difference)",
    source=f"{PAPER}, Lemma 18, (22)",
    claim="identity",
    measure="x_t - x'_t",
    assumptions=("F twice differentiable", "both runs start at the same point"),
    bound=-P_h - P_sg - P_p,
    measured=x_hat,
    notes=(
        "with Hess the Hessian at the start and Delta_i the mean of the Hessian between the two runs after step i, less Hess: "
        "P_h(t) = eta sum_{i<=t} (I - eta Hess)^(t-i) Delta_{i-1} (x_{i-1} - x'_{i-1}); P_sg(t) and P_p(t) are the same sums over the "
        "differences of sampling errors and of added noise, without Delta",
        "each part is a number here: its component along one direction",
    ),
)

mean_growth = sp.sqrt(((1 + eta * curvature) ** (2 * t_count) - 1) / (2 * eta * curvature + (eta * curvature) ** 2))  # a(t) of (30), summed
growth = (1 + eta * curvature) ** t_count / sp.sqrt(2 * eta * curvature)  # b(t) of (30)

LEMMA_19 = Theorem(
    key="gauss_psgd.lemma19",
    title="Lemma 19 (added-noise part)",
    source=f"{PAPER}, Lemma 19, (30) to (32)",
    claim="upper",
    measure="||P_p(t)||",
    assumptions=("noise mirrored along the unstable direction, N(0, added_noise^2) there", "0 < eta curvature <= 1"),
    bound=c_abs * growth * eta * added_noise * sp.sqrt(iota),
    measured=noise_part,
    parts=(
        Part("failure", "probability of the contrary", "<=", 2 * sp.exp(-iota), p_out),
        Part("a", "a(t), the root of the sum of (1 + eta curvature)^(2 (t - i))", "=", mean_growth),
        Part("b", "b(t)", "=", growth),
        Part("deviation", "standard deviation of P_p(t) along the unstable direction", "=", 2 * eta * added_noise * mean_growth),
        Part(
            "below",
            "||P_p(t)|| at t = Gamma with probability 2/3",
            ">=",
            growth * eta * added_noise / 10,
            noise_part,
            (sp.Ge(eta * curvature * t_count, 1),),
        ),
    ),
    conditions=(
        Condition(
            c_abs >= 2 * sp.sqrt(2),
            "c_abs = {value} is below 2 sqrt(2) = {limit}, which the normal tail needs for 2 exp(-iota)",
        ),
        Condition(eta * curvature <= 1, "eta curvature = {value} is above 1"),
    ),
    notes=("the lower bound holds at t = Gamma with Gamma eta curvature >= 1, not for all t: P_p(0) = 0",),
)
LEMMA_20 = Theorem(
    key="gauss_psgd.lemma20",
    title="Lemma 20 (curvature and sampling parts)",
    source=f"{PAPER}, Lemma 20, (33)",
    claim="upper",
    measure="||P_h(t) + P_sg(t)||",
    method="gauss_psgd",
    assumptions=(*ASSUMPTION_1, *ORACLE, "both runs stay within the radius up to step Gamma"),
    definitions=IOTA,
    schedule=BLOCK,
    bound=growth * eta * added_noise / 20,
    parts=(Part("failure", "probability of the contrary", "<=", 6 * d * Gamma * sp.log(radius / (eta * added_noise)) * sp.exp(-iota)),),
    conditions=(STANDING, STEP_41, STEP_42),
    notes=(
        "conditions on a future event; the bad events should be intersected instead",
        "with the printed eta, (42) does not follow from Lemma 12, whatever s is: eta ell sqrt(Gamma) iota = sqrt(log_factor)",
    ),
)
