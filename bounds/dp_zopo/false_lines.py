"""Lines of the paper that are false as printed, each with what holds instead and a point at which anyone can substitute both.

Source    DP-ZOPO, Sections III and IV, Appendices B and C; the line is named in `where`, the number of the erratum is ours.
"""

import sympy as sp

from bounds.dp_zopo.corrected import GRADIENT_ERROR as ERROR
from bounds.dp_zopo.lemma4 import LEMMA4, PRIVACY, SIGMA_SQ
from bounds.dp_zopo.paper import letters
from bounds.false_line import FalseLine

C, L, P, T, beta, c_2, d, delta, epsilon, gamma, m, n, sigma = letters("C L P T beta c_2 d delta epsilon gamma m n sigma")
given, mean, quotient_sq = letters("given_batch mean_bias quotient_sq")

a = C / L
MISSED, BELL = sp.erfc(a / sp.sqrt(2)), sp.sqrt(2 / sp.pi) * sp.exp(-(a**2) / 2)  # P(|N| > a); twice the normal density
SQUARE = 1 - MISSED - a * BELL + a**2 * MISSED  # E clip(N)^2, clipped at a
WITH_N = 3 * (1 - MISSED) - (a**3 + 3 * a) * BELL + a**2 * (MISSED + a * BELL)  # E clip(N)^2 N^2
ONE = L**2 * (WITH_N + (d - 1) * SQUARE)  # E ||clip(g) v||^2 of a linear loss of slope L
ALIKE = L**2 * MISSED**2 + (ONE - L**2 * (1 - MISSED) ** 2) / P + PRIVACY  # all samples are this loss
OPPOSITE = (n - m) / ((n - 1) * m) * (ONE / P + (1 - 1 / P) * L**2 * (1 - MISSED) ** 2) + PRIVACY  # half have slope L, half -L
HOLDS = ERROR.in_constants(ERROR.bound).xreplace({sigma: sp.sqrt(SIGMA_SQ)})
CHOICE = {C: sp.sqrt(2) * L}
LARGE = {L: 1, beta: sp.Rational(1, 1000), n: 10**9, epsilon: 1, delta: sp.Rational(1, 10**6), T: 1000, c_2: 1}  # hardly any noise
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
    .fails_at({**LARGE, d: 20, m: 8, P: 1, gamma: 0}, at=CHOICE),
    FalseLine("printed_floor", "E3", "Lemma 4, (14)")
    .printed(ALIKE, "<=", LEMMA4.bound)
    .says("Lemma 4 where all samples are one linear loss, m = 1 and P = 10^4: the squared bias stays")
    .holds("<=", HOLDS, by="dp_zopo.corrected_gradient_error:bound")
    .fails_at({**LARGE, d: 10, m: 1, P: 10**4, gamma: 0}, at=CHOICE),
    FalseLine("printed_sampling", "E4", "Lemma 4, (14)")
    .printed(OPPOSITE, "<=", LEMMA4.bound)
    .says("Lemma 4 where half of the samples have slope gamma e_1 and half the opposite one, m = 4 and P = 1000")
    .holds("<=", HOLDS, by="dp_zopo.corrected_gradient_error:bound")
    .fails_at({**LARGE, d: 10, m: 4, P: 1000, gamma: 1}, at=CHOICE),
    FalseLine("printed_31", "E23", "(31)")
    .printed((2 * d * C**2 + 4 * d * L**2) * sp.exp(-(C**2) / (2 * L**2)), "=", 8 * d * C**2 / sp.E)
    .says("(30) at C^2 = 2 L^2 is 8 d C^2/e")
    .holds("<=", 8 * d * C**2 / sp.E, by="dp_zopo.lemma4:equation_31")
    .fails_at({d: 1, L: 1}, at=CHOICE),
    FalseLine("printed_36", "E17", "after (36)")
    .printed(d * SIGMA_SQ * C**2 / P, "=", PRIVACY)
    .says("z_t^p = z v with z of deviation sigma C, as printed after (36), has the energy of the first term of Lemma 4")
    .holds(">=", PRIVACY, by="dp_zopo.lemma4:noise_term")
    .fails_at({**LARGE, d: 10, m: 64, P: 2, C: 1}),
]
STAGES: list[FalseLine] = []  # Lemmas 5, 7 and 8, Theorems 2 and 4
PRINTED_FALSE = [*GRADIENT_ERROR, *STAGES]
