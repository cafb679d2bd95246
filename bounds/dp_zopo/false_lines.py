"""Lines of the paper that are false as printed, each with what holds instead and a point at which anyone can substitute both.

Source    DP-ZOPO, Sections III and IV, Appendices B and C; the line is named in `where`, the number of the erratum is ours.
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp

import bounds
from bounds.proofs.false_line import FalseLine
from bounds.symbols import paper_symbols

letters = paper_symbols("dp_zopo")
C, L, P, T, beta, c_2, d, delta, epsilon, gamma, m, n, sigma = letters("C L P T beta c_2 d delta epsilon gamma m n sigma")
given, mean, quotient_sq = letters("given_batch mean_bias quotient_sq")

ERROR, LEMMA4, LEMMA5, THEOREM_2, FLOOR = (
    bounds.THEOREMS[f"dp_zopo.{name}"] for name in ("corrected_gradient_error", "lemma4", "lemma5", "theorem2", "floor")
)
PRIVACY, SIGMA_SQ = (bounds.page("dp_zopo.lemma4").formula(name) for name in ("privacy", "equation_13"))
a = C / L
MISSED, BELL = sp.erfc(a / sp.sqrt(2)), sp.sqrt(2 / sp.pi) * sp.exp(-(a**2) / 2)  # P(|N| > a); twice the normal density
SQUARE = 1 - MISSED - a * BELL + a**2 * MISSED  # E clip(N)^2, clipped at a
WITH_N = 3 * (1 - MISSED) - (a**3 + 3 * a) * BELL + a**2 * (MISSED + a * BELL)  # E clip(N)^2 N^2
ONE = L**2 * (WITH_N + (d - 1) * SQUARE)  # E ||clip(g) v||^2 of a linear loss of slope L
ALIKE = L**2 * MISSED**2 + (ONE - L**2 * (1 - MISSED) ** 2) / P + PRIVACY  # all samples are this loss
OPPOSITE = (n - m) / ((n - 1) * m) * (ONE / P + (1 - 1 / P) * L**2 * (1 - MISSED) ** 2) + PRIVACY  # half have slope L, half -L
HOLDS = ERROR.in_constants(ERROR.bound).xreplace({sigma: sp.sqrt(SIGMA_SQ)})
CHOICE = {C: sp.sqrt(2) * L}
IN_RANGE = {L: 1, beta: sp.Rational(1, 1000), n: 1000, epsilon: 1, delta: sp.Rational(1, 1000), T: 10**6, c_2: 1}  # epsilon <= m^2 T/n^2
GRADIENT_ERROR = [  # Lemmas 4 and 6
    FalseLine("printed_21", "E3", "(21)")
    .printed(mean**2 + given / P, "=", (mean**2 + given) / P)
    .says("the mean of P estimates with bias b and variance V has 1/P^2 times the sum of their errors")
    .holds("=", (P * mean**2 + given) / P, by="dp_zopo.corrected_gradient_error:bound")
    .fails_at({P: 2, mean: 1, given: 1}),
    FalseLine("printed_26", "E2", "(26)")
    .printed(quotient_sq, "<=", 4 * L**4)
    .says("E g^2 <= 4 L^4; of a linear loss E g^2 is L^2")
    .holds("<=", 4 * L**2, by="dp_zopo.lemma4:equation_26")
    .fails_at({L: sp.Rational(1, 4)}, at={quotient_sq: L**2}),
    FalseLine("printed_27", "E2", "(27)")
    .printed((d + 1) * L**2, "<=", 64 * d * beta**2 * L**4)
    .says("E ||g v - E g v||^2 <= 64 d beta^2 L^4; of a linear loss it is (d + 1) L^2")
    .holds("<=", 4 * d * L**2, by="dp_zopo.lemma4:equation_27")
    .fails_at({d: 10, L: 1, beta: sp.Rational(1, 100)}),
    FalseLine("printed_shared", "E1", "Lemma 4, (14)")
    .printed(ALIKE, "<=", LEMMA4.bound)
    .says("Lemma 4 where all samples are one linear loss, m = 8 and C = sqrt(2) L")
    .holds("<=", HOLDS, by="dp_zopo.corrected_gradient_error:bound")
    .fails_at({**IN_RANGE, d: 20, m: 8, P: 1, gamma: 0}, at=CHOICE),
    FalseLine("printed_floor", "E3", "Lemma 4, (14)")
    .printed(ALIKE, "<=", LEMMA4.bound)
    .says("Lemma 4 where all samples are one linear loss, m = 1 and P = 10^4: the squared bias stays")
    .holds("<=", HOLDS, by="dp_zopo.corrected_gradient_error:bound")
    .fails_at({**IN_RANGE, n: 100, d: 10, m: 1, P: 10**4, gamma: 0}, at=CHOICE),
    FalseLine("printed_sampling", "E4", "Lemma 4, (14)")
    .printed(OPPOSITE, "<=", LEMMA4.bound)
    .says("Lemma 4 where half of the samples have slope gamma e_1 and half the opposite one, m = 4 and P = 1000")
    .holds("<=", HOLDS, by="dp_zopo.corrected_gradient_error:bound")
    .fails_at({**IN_RANGE, d: 10, m: 4, P: 1000, gamma: 1}, at=CHOICE),
    FalseLine("printed_31", "E23", "(31)")
    .printed((2 * d * C**2 + 4 * d * L**2) * sp.exp(-(C**2) / (2 * L**2)), "=", 8 * d * C**2 / sp.E)
    .says("(30) at C^2 = 2 L^2 is 8 d C^2/e")
    .holds("<=", 8 * d * C**2 / sp.E, by="dp_zopo.lemma4:equation_31")
    .fails_at({d: 1, L: 1}, at=CHOICE),
    FalseLine("printed_36", "E17", "after (36)")
    .printed(d * SIGMA_SQ * C**2 / P, "=", PRIVACY)
    .says("z_t^p = z v with z of deviation sigma C, as printed after (36), has the energy of the first term of Lemma 4")
    .holds(">=", PRIVACY, by="dp_zopo.lemma4:noise_term")
    .fails_at({**IN_RANGE, d: 10, m: 64, P: 2, C: 1}),
]

eta, S, T_s, lambda_, mu, r, alpha, alpha_s, alpha_0 = letters("eta S T_s lambda_ mu r alpha alpha_s alpha_0")
stage_gap, stage_bias, err_clear, bias_along, move_sq = letters("stage_gap stage_bias err_clear bias_along move_sq")
away_first, before_gap, last_beta, previous_beta, a_sq = letters("away_first before_gap last_lam previous_lam a_sq")
from_best, gap_here, masked_gap, on_mask_sq, off_mask_sq = letters("from_best gap_here masked_gap on_mask_sq off_mask_sq")

# slopes 1 on 30 % of the samples and -3/7 on the others, C = sqrt(2), theta^{s-1} = theta = 0: F = 0, the estimate has the mean TILT
TILT = sp.Rational(3, 10) * (sp.erf(1) - sp.erf(sp.Rational(7, 3)))
SHORTER = 1 / (1 + eta / lambda_)  # of a proximal step
LEFT = (1 - SHORTER**T_s) / ((1 - SHORTER) * T_s)  # mean of SHORTER^t, t = 0, ..., T_s - 1
SLOPED = {gamma: sp.sqrt(sp.Rational(3, 7)), C: sp.sqrt(2)}
AT_SLOPES = {c_2: 1, epsilon: 8, n: 1000, delta: sp.Rational(1, 1000), d: 1, L: 1, m: 64, P: 1, lambda_: 10, away_first: 0}
AT_SLOPES |= {eta: sp.Rational(1, 200), beta: sp.Rational(1, 200), T_s: 40000, T: 40000}
LOWEST = sp.sqrt(2) * sp.erfinv(sp.Rational(1, 3))  # where the smoothed max(x, -2 x) is least, over the radius
ONES = dict.fromkeys((alpha, alpha_s, mu, gamma, C, L, P, c_2, epsilon, last_beta, from_best, a_sq), 1)
SMALL = {**ONES, m: 8, n: 1000, delta: sp.Rational(1, 1000)}


def smoothed_kink(x: sp.Expr, radius: sp.Expr) -> sp.Expr:
    """Return E max(y, -2 y) for y normal with mean x and standard deviation `radius`, as a SymPy expression."""
    away = x * sp.erf(x / (sp.sqrt(2) * radius)) + radius * sp.sqrt(2 / sp.pi) * sp.exp(-(x**2) / (2 * radius**2))
    return -x / 2 + 3 * away / 2


def used_values(values: Mapping[Any, Any], *expressions: Any) -> dict[Any, Any]:
    """Return the entries of `values`, {symbol: value}, whose symbols occur in the expressions."""
    used = set().union(*(one.free_symbols for one in expressions))
    return {letter: value for letter, value in values.items() if letter in used}


COMPLEXITY = next(part.value for part in THEOREM_2.parts if part.name == "complexity")
OF_17 = gamma**2 + 8 * d * C**2 / sp.E + 64 * d * last_beta**2 * L**4 + P * m * PRIVACY / T  # with the constants of its proof
AT_FLOOR = {alpha_s: FLOOR.in_constants(FLOOR.bound)}  # alpha_priv: from there on the prescribed T exists
STAGES = [  # Lemmas 5, 7 and 8, Theorems 2 and 4
    FalseLine("printed_38", "E5", "(37) to (38)")
    .printed(err_clear, "=", 0)
    .says("E<Delta_t, hat theta_{t+1} - theta> = 0; here after many steps on slopes 1 and -3/7, 30 % and 70 % of the samples")
    .holds("=", bias_along, by="dp_zopo.lemma5_steps:given_the_past")
    .fails_at(
        {eta: sp.Rational(1, 200), lambda_: 10},
        at={err_clear: -TILT * (-lambda_ * TILT) * SHORTER, bias_along: lambda_ * TILT**2 * SHORTER},
    ),
    FalseLine("printed_33", "E5", "(15) and (33)")
    .printed(stage_gap, "<=", LEMMA5.bound)
    .says("the excess of phi_s after a stage is at most (33); here the square of the mean of theta^s alone, over 2 lambda")
    .holds("<=", LEMMA5.bound + stage_bias, by="dp_zopo.lemma5:with_bias")
    .fails_at(
        AT_SLOPES,
        at={stage_gap: lambda_ * TILT**2 / 2 * (1 - SHORTER * LEFT) ** 2, stage_bias: lambda_ * TILT**2 * SHORTER * (1 - LEFT), **SLOPED},
    ),
    FalseLine("printed_equality", "E16", "(37), its second line")
    .printed(sp.sqrt(d) * L / (2 * beta) * move_sq - move_sq / (2 * eta), "=", 0)
    .says("what smoothness adds and what a step takes off cancel")
    .holds("<=", 0, by="dp_zopo.lemma5_steps:equation_37")
    .fails_at({d: 1, L: 1, beta: 1, eta: sp.Rational(1, 2), move_sq: 1}),
    FalseLine("printed_44", "E11", "(44)")
    .printed(away_first, "<=", before_gap / (2 * mu))
    .says("(12) at beta_{s-1} for theta^* of beta_s; here max(x, -2 x), theta^{s-1} lowest at beta_{s-1}")
    .holds("<=", (before_gap + 2 * sp.sqrt(d) * L * (previous_beta + beta)) / (2 * mu), by="dp_zopo.theorem2:two_minima")
    .fails_at(
        {previous_beta: sp.Rational(1, 100), beta: sp.Rational(1, 10), mu: sp.Rational(1, 10), L: 2, d: 1},
        at={
            away_first: (LOWEST * (previous_beta - beta)) ** 2,
            before_gap: smoothed_kink(LOWEST * previous_beta, previous_beta) - smoothed_kink(LOWEST * beta, previous_beta),
        },
    ),
    FalseLine("printed_12", "E8", "(12), called mu-PL")
    .printed(a_sq, "<=", gap_here / (2 * mu))
    .says("a mu-PL loss meets ||theta - theta^*||^2 <= (f - f^*)/(2 mu); here mu ||theta||^2/2")
    .holds("<=", 2 * gap_here / mu)
    .fails_at({a_sq: 1, mu: 1}, at={gap_here: mu * a_sq / 2}),
    FalseLine("printed_everywhere", "E7", "Assumptions 1 and 2, for all theta in R^d")
    .printed(2 * mu * from_best**2, "<=", L * from_best)
    .says("growth stays below slope, 2 mu ||theta - theta^*||^2 <= L ||theta - theta^*||, at every theta")
    .holds("=", 2 * mu * from_best**2, by="dp_zopo.theorem2:inside_ball")
    .fails_at({mu: 1, L: 1, from_best: 1}),
    FalseLine("printed_stages", "E9", "S, with the natural logarithm of the other formulas")
    .printed(alpha_0 / 2 ** sp.ceiling(sp.log(alpha_0 / alpha)), "<=", alpha)
    .says("alpha_S = alpha_0/2^S is at most alpha after log(alpha_0/alpha) stages")
    .holds("<=", alpha_0 * (alpha / alpha_0) ** sp.log(2), by="dp_zopo.theorem2:last_stage")
    .fails_at({alpha_0: 1000, alpha: 1}),
    FalseLine("printed_17", "E6", "(17), (42) and (47)")
    .printed(P * m * T_s, "<=", 49 * OF_17 / (2 * mu * alpha_s))
    .says(
        "P m T_s is at most (17) with the constants of its proof; here alpha_s = alpha_priv"
        " = 49 (1 - 2^-S) d c_2^2 C^2 P log(P/delta)/(mu epsilon^2 n^2), where any T is what the stages add up to"
    )
    .holds("<=", 49 * P * m / (2 * mu * alpha_s) * LEMMA4.bound.xreplace({beta: last_beta}), by="dp_zopo.theorem2:calls")
    .fails_at(
        {**used_values(SMALL, OF_17, mu), d: 10, T: 10**8, S: 3},
        at={**AT_FLOOR, T_s: THEOREM_2.in_constants(T_s).xreplace(AT_FLOOR)},
        given=(sp.Eq(T_s * (2 - 2 ** (1 - S)), T),),
    ),
    FalseLine("printed_50", "E18", "(50)")
    .printed(d * r * C**2, "=", r * d * r * C**2)
    .says("the second term of (50) is that of (19) and (54); r = r_S")
    .holds("=", d * r * C**2)
    .fails_at({d: 1000, r: sp.Rational(1, 100), C: 1}),
    FalseLine("printed_factor", "E18", "Remark 1")
    .printed(COMPLEXITY.xreplace({d: d * r}), "<=", r * COMPLEXITY)
    .says("with pruning (19) is r_S times (17)")
    .holds("<=", 3 * r * COMPLEXITY / 2)  # gamma^2 <= L^2 = C^2/2 <= d r C^2/2
    .fails_at({**used_values(SMALL, COMPLEXITY.xreplace(CHOICE)), d: 1000, r: sp.Rational(1, 100)}, at=CHOICE),
    FalseLine("printed_mask", "E12", "Theorem 4, one mask for all stages")
    .printed(masked_gap, "<=", alpha)
    .says("f - f^* is at most alpha; here f = ||theta - theta^*||^2/2, and a mask that misses 20 coordinates, each 1 away")
    .holds(">=", off_mask_sq / 2, by="dp_zopo.theorem4:limit")
    .fails_at({on_mask_sq: 0, off_mask_sq: 20, alpha: sp.Rational(1, 100)}, at={masked_gap: (on_mask_sq + off_mask_sq) / 2}),
    FalseLine("printed_bias", "E25", "Section IV-B, on the radius")
    .printed(L * last_beta * sp.sqrt(2 / sp.pi), "<=", L * previous_beta * sp.sqrt(2 / sp.pi))
    .says("a larger radius makes f_beta - f smaller; here L |x| at 0")
    .holds("<=", L * last_beta * sp.sqrt(d))
    .fails_at({L: 1, d: 1, previous_beta: sp.Rational(1, 10), last_beta: 1}),
]
PRINTED_FALSE = [*GRADIENT_ERROR, *STAGES]
