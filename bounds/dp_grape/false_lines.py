"""Lines of the paper that are false as printed, each with what holds instead and a point at which anyone can substitute both.

Source    DP-GRAPE, Appendix D; the line is named in `where`, the number of the erratum is ours.
"""

import sympy as sp

import bounds
from bounds.proofs.false_line import FalseLine
from bounds.symbols import paper_symbols

letters = paper_symbols("dp_grape")
a_sq, B, beyond, C, cutoff, D, d, delta, deviation_sq, epsilon = letters("a_sq B beyond C cutoff D d delta deviation_sq epsilon")
eta, Gamma, grad_sq, k, L, lambda_, n, normal_sd, p_t, partial = letters("eta Gamma grad_sq k L lambda_ n normal_sd p_t partial")
q, q_t, r, sample_grad_sq, sampling_sq, sigma, T = letters("q q_t r sample_grad_sq sampling_sq sigma T")
column_sq, exceeds, same_column, square_mass, two_columns, u_fourth, u_mixed, upper = letters(
    "column_sq exceeds same_column square_mass two_columns u_fourth u_mixed upper"
)

half, tenth = sp.Rational(1, 2), sp.Rational(1, 10)
ROOT = sp.sqrt(2 * sp.pi)
UPPER = sp.erfc(cutoff / (sp.sqrt(2) * normal_sd)) / 2  # P(X >= K) of N(0, sigma^2)
BELL = sp.exp(-(cutoff**2) / (2 * normal_sd**2))
BOTH_SIDES = sp.erfc(cutoff / sp.sqrt(2))  # P(|V| >= K) of N(0, 1)
DENSITY = sp.exp(-(cutoff**2) / 2) / ROOT  # of N(0, 1) at K
TRUE_D5 = normal_sd**2 * (1 + cutoff / normal_sd * BELL / (UPPER * ROOT))
D10, THEOREM = bounds.page("dp_grape.theorem_d10"), bounds.THEOREMS["dp_grape.theorem_d10"]
SAMPLING, CONSTANT = D10.formula("sampling_value"), 4 * (2 + 1 / ROOT)
whole, left_out = (THEOREM.in_constants(one.value) for one in THEOREM.parts)  # the terms of (19) at the printed parameters, and its tail
EXACT_TAIL = 4 * eta * Gamma**2 * (BOTH_SIDES + DENSITY) + 8 * D / eta * BOTH_SIDES
AT_E5 = {d: 10**4, L: 10, n: 10**7, epsilon: 1, delta: sp.Rational(1, 10**6), r: 8, Gamma: 1, lambda_: 1, D: 1}
PRINTED_FALSE = [
    FalseLine("printed_d5", "E8", "Lemma D.5")
    .printed(square_mass / upper, "=", normal_sd**2 * (1 + BELL / (UPPER * sp.sqrt(2 * sp.pi))))
    .says("E[X^2 | X >= K] = sigma^2 [1 + exp(-K^2/(2 sigma^2)) / (P(X >= K) sqrt(2 pi))]")
    .holds("=", TRUE_D5, by="dp_grape.lemma_d5:one_sided")
    .fails_at({cutoff: 2, normal_sd: 1}, at={square_mass: normal_sd**2 * UPPER + normal_sd * cutoff * BELL / ROOT, upper: UPPER}),
    FalseLine("printed_star", "E8", "(4), the last line before it")
    .printed(2 * square_mass / exceeds, "=", 1 + DENSITY / BOTH_SIDES)
    .says("E[V^2 | |V| >= K] is 1 + exp(-K^2/2) / (P(|V| >= K) sqrt(2 pi))")
    .holds("=", 1 + 2 * cutoff * DENSITY / BOTH_SIDES, by="dp_grape.lemma_d5:two_sided")
    .fails_at({cutoff: 2}, at={square_mass: BOTH_SIDES / 2 + cutoff * DENSITY, exceeds: BOTH_SIDES}),
    FalseLine("printed_d8", "E9", "Lemma D.8 (ii)")
    .printed(a_sq * (u_fourth + (d - 1) * u_mixed), "=", d * a_sq)
    .says("E[(u'a)^2 ||u||^2] = d ||a||^2; left are its coordinates, with E u_i^4 = 3 and E u_i^2 u_j^2 = 1")
    .holds("=", (d + 2) * a_sq, by="dp_grape.lemma_d8:weighted")
    .fails_at({d: 5, a_sq: 1}, at={u_fourth: sp.Integer(3), u_mixed: sp.Integer(1)}),
    FalseLine("printed_columns", "E10", "(5), the line with (d + r - 1)/r")
    .printed(2 * (r * same_column + r * (r - 1) * two_columns), "=", (d + r - 1) / r * a_sq)
    .says("2 E||P P'a||^2 is (d + r - 1)/r ||a||^2; here one block, k = d")
    .holds("=", 2 * (k + r + 1) / r * a_sq, by="dp_grape.lemma_d8:mapped_back")
    .fails_at({k: 10, d: 10, r: 4, a_sq: 1}, at={same_column: (k + 2) / r**2 * a_sq, two_columns: a_sq / r**2}),
    FalseLine("printed_2d", "E10", "(5), the last line before it")
    .printed((d + r - 1) / r, "<=", 2 * d / r)
    .says("(d + r - 1)/r <= 2 d/r for every r")
    .holds("=", 2 * d / r + (r - 1 - d) / r)
    .fails_at({d: 2, r: 8}),
    FalseLine("printed_variance", "E11", "(5), the last line before it")
    .printed(2 * d / r * sampling_sq, "<=", 2 * d * grad_sq * partial / (r * B))
    .says("the sampling error of a block adds 2 d ||grad F||^2 1_{B<n}/(r B); here two samples with opposite gradients")
    .holds("<=", 2 * d * deviation_sq * partial / (r * B), by="dp_grape.lemma_d7:at_most")
    .fails_at(
        {d: 1, r: 1, n: 2, B: 1, grad_sq: 0, deviation_sq: 1, partial: 1},
        at={sampling_sq: (n - B) / ((n - 1) * B) * deviation_sq},
    ),
    FalseLine("printed_jensen", "E12", "(4), the line with ||grad_l F||^2/(r n)")
    .printed(sample_grad_sq, "<=", grad_sq)
    .says("the mean of ||grad_l f_j||^2 over samples is at most ||grad_l F||^2; here two samples with opposite gradients")
    .holds("<=", Gamma**2, by="dp_grape.theorem_d10:where_it_clips")
    .fails_at({sample_grad_sq: 1, grad_sq: 0, Gamma: 1}, given=(sp.Le(sample_grad_sq, Gamma**2),)),
    FalseLine("printed_17", "E6", "the display after (6) that is solved for the gradient")
    .printed(4 * p_t / eta * (eta * Gamma**2 * q_t / p_t * beyond), "<=", 4 * eta * Gamma**2 * beyond * q)
    .says("4 P(Q_t)/eta times eta Gamma^2 P(not Q_t)/P(Q_t) [1 + ...] is at most 4 eta Gamma^2 [1 + ...] P(not Q)")
    .holds("<=", 4 * Gamma**2 * beyond * q, by="dp_grape.theorem_d10:per_step")
    .fails_at({p_t: half, q_t: half, q: half, eta: tenth, Gamma: 1, beyond: 5}, given=(sp.Le(q_t, q),)),
    FalseLine("printed_no_d", "E17", "the display after the split by Q")
    .printed(SAMPLING, "<=", 16 * eta * partial * Gamma**2 * lambda_ / (B * r))
    .says("the sampling term is 16 eta 1_{B<n} Gamma^2 lambda/(B r), without the d of the display before and of the one after")
    .holds("=", SAMPLING)
    .fails_at({d: 10, eta: sp.Rational(1, 40), partial: 1, Gamma: 1, lambda_: 1, B: 1, r: 1}),  # eta = r/(4 d lambda)
    FalseLine("printed_entries", "E17", "(6), the text before it")
    .printed(sigma**2 * r * column_sq, "=", sigma**2 * d)
    .says("E||P_t z_t||^2 = sigma^2 d for d x r entries of variance 1, as the text has them")
    .holds("=", r * (sigma**2 * d))
    .fails_at({sigma: 1, r: 4, d: 10}, at={column_sq: d}),
    FalseLine("printed_five", "E7", "the choice of C")
    .printed(CONSTANT * eta * Gamma**2, "<=", 5 * eta * Gamma**2)
    .says("C takes 5 eta Gamma^2 for the 4 [2 + 1/sqrt(2 pi)] eta Gamma^2 of the display before")
    .holds("=", 8 * eta * Gamma**2 + 4 * eta * Gamma**2 / sp.sqrt(2 * sp.pi))
    .fails_at({eta: tenth, Gamma: 1}),
    FalseLine("printed_bound", "E5", "Theorem D.10, the last step of its proof")
    .printed(whole + left_out, "<=", THEOREM.in_constants(THEOREM.bound))
    .says("the four terms of the last display, with the printed parameters, are at most the right side of Theorem D.10")
    .holds("<=", whole + CONSTANT / 5, by="dp_grape.theorem_d10_schedule:tail_at_most")
    .fails_at(AT_E5),
    FalseLine("printed_exact_tail", "E5", "Theorem D.10, the last step of its proof, with the exact normal tail")
    .printed(
        whole + THEOREM.in_constants(EXACT_TAIL.subs(cutoff, C / (sp.sqrt(L) * Gamma)) * T * L * n * r),
        "<=",
        THEOREM.in_constants(THEOREM.bound),
    )
    .says("even with P(|V| >= K) itself in place of 2 exp(-K^2/2) the four terms are at most the right side of Theorem D.10")
    .holds("<=", whole + CONSTANT / 5)
    .fails_at(AT_E5),
]
