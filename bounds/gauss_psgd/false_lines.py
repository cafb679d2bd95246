"""Lines of the paper that are false as printed, each with what holds instead and a point at which anyone can substitute both.

Source    Gauss-PSGD; the line is named in `where`, the number of the erratum is ours.

First come lines of Theorem 1 and its lemmas, then of concentration, privacy, the sample budget, the rates and the selection.
"""

import sympy as sp

import bounds
from bounds.gauss_psgd.paper import CLOSED, ENTRIES_OF_MU, ESCAPES, IN_ALPHA, Q_PRINTED, T_EFF, T_PRINTED, letters, power
from bounds.proofs.false_line import FalseLine

alpha, b_1, b_2, c, C, chi, d, delta, x_t, drift, epsilon, eta = letters("alpha b_1 b_2 c C chi d delta deviation_t drift epsilon eta")
G, Gamma, gamma, iota, kappa, log_ratio, M, m, mu, n, omega, omega_0 = letters("G Gamma gamma iota kappa log_ratio M m mu n omega omega_0")
Phi, psi, Q, R, r, rho, s, sigma, sum_sq, T, U, zeta, b, calls = letters("Phi psi Q R r rho s sigma sum_sq T U zeta b_frak t")
err, grad, last_move, t, x = letters("err_norm grad_norm moved_sq steps_taken growth")

quarter, tenth, hundredth = sp.Rational(1, 4), sp.Rational(1, 10), sp.Rational(1, 100)
BOTH_BASES = tuple(sp.Ge(mu, entry.xreplace({T: T_PRINTED}) / base) for entry in ENTRIES_OF_MU[:2] for base in (1, sp.log(2)))
THIRD_ENTRY = sp.Ge(mu, ENTRIES_OF_MU[2].xreplace({T: T_PRINTED}))
slope = sp.Rational(6, 5) * R / (eta * Gamma)  # of a linear F on which every round succeeds
NOISE_71 = 2 * c * psi**2 * iota / (s * sp.sqrt(rho * alpha))
LEAST_GROWTH = (1 + eta * sp.sqrt(rho * alpha)) ** Gamma / sp.sqrt(2 * eta * sp.sqrt(rho * alpha))  # b(Gamma) at gamma = sqrt(rho alpha)
scale, of_42 = b * eta * r, 2 * c * eta * M * sp.sqrt(Gamma)
unit = {C: 1, M: 1, rho: 1, alpha: hundredth, s: 4, mu: 4}
ENTRIES = (*BOTH_BASES, THIRD_ENTRY, sp.Ge(mu, 1), sp.Ge(psi**2, d * r**2), sp.Ge(M**2, rho * alpha))  # (6), (3), the standing assumption
LARGE_S = 240**2  # at least 51200, and (80 c)^2 at c = 3
SMALL_MU = {C: 1, psi: 1, s: LARGE_S, mu: 1, r: hundredth, d: 2, U: 1, omega: tenth, rho: 10**20, M: 96 * 10**11}  # mu is 1 in either base
OF_6 = (*(one for one in ENTRIES if one != BOTH_BASES[3]), sp.Eq(2**mu, sp.exp(ENTRIES_OF_MU[1])))  # mu is the second entry, of log_2
AT_BASE_2 = {C: 1, M: 1, rho: 1, alpha: 1, s: 4, mu: 13, r: sp.Rational(25, 2**21), d: 10, U: 1, omega: tenth}  # meets OF_6
two_sided = sp.erfc(b / (20 * sp.sqrt(2)) / sp.sqrt(((1 + x) ** (2 * t) - 1) / (2 * x + x**2)))
held_at_1 = 1 - sp.Rational(4, 3) * sp.erfc(c * (1 + x) * sp.sqrt(iota) / (sp.sqrt(2 * x) * 2 * sp.sqrt(2)))
ONES, PRIVACY = {G: 1, M: 1, rho: 1, U: 1}, sp.log(1 / delta) / epsilon**2
A_RATE = power(n, -1, 3)
T2 = bounds.page("gauss_psgd.theorem2")
B_RATE, KAPPA_1, KAPPA_2, RATE_1, RATE_2 = map(T2.formula, ("B_rate", "kappa_1_value", "kappa_2_value", "rate_1", "rate_2"))
MANY = {n: m * n, epsilon: epsilon / sp.sqrt(m)}  # one server's formulas for m clients
EVENT = sp.log(16 * d / omega)  # the paper has 8 d: Lemma 14 lacks a factor 2 (printed_lemma14)
SHARE = sp.sqrt(EVENT / (m * n))
COMPOSED = 128 * sp.log(2 / delta) * sp.log(5 * T / delta) / sp.log(1 / delta)  # the c_1 that Lemma 16 and Definition 8 ask for
LATE = T2.formula("privacy_difference") ** sp.Rational(1, 7)  # the fourth part of (103)
LATE_VALUE = power(4, 1, 7) * power(B_RATE, 5, 7) * power(A_RATE, 3, 14)
MANY_ESCAPES, FEW_ESCAPES = sp.log(ESCAPES), sp.log(ESCAPES.xreplace({chi: sp.Integer(1)}))  # of (79), and where chi is 1
IN_CHI = {alpha: 4 * chi} | {letter: value.xreplace({alpha: 4 * chi}) for letter, value in IN_ALPHA.items() if letter != chi}
OF_LEMMA_8 = IN_CHI | {b_2: T2.formula("b_2").xreplace(IN_CHI), T: T_PRINTED.xreplace(IN_CHI)}
LOW_ERROR = {C: 1, M: 2, rho: 1, s: LARGE_S, mu: 126, chi: sp.Rational(1, 10**130), d: 10, U: 1, omega: tenth}
LOW_ERROR |= {r: sp.Rational(25600, LARGE_S * 4**126 * 10**65)}  # meets OF_6
GDP = epsilon / sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta))  # sensitivity over the deviation of Definition 8
below, above = (sp.erfc((epsilon / GDP + sign * GDP / 2) / sp.sqrt(2)) / 2 for sign in (-1, 1))  # normal tails
SPENT = below - sp.exp(epsilon) * above  # the exact delta of Definition 8
PRINTED_FALSE = [
    FalseLine("printed_32", "E22", "(32), Lemma 19")
    .printed(two_sided, ">=", sp.Rational(2, 3))
    .says("P(||P_p(t)|| >= b(Gamma) eta r / 10) >= 2/3 for every t >= 0; here at t = 1")
    .holds(">=", 1 - 2 / sp.sqrt(sp.pi) * two_sided.args[0], by="gauss_psgd.lemma19:flat")
    .fails_at({x: tenth, t: 1, Gamma: 100}, at={b: (1 + x) ** Gamma / sp.sqrt(2 * x)}, given=(sp.Ge(Gamma * x, 1), sp.Le(t, Gamma))),
    FalseLine("printed_34", "E23", "(34), proof of Lemma 20")
    .printed(held_at_1, "<=", 1 - 6 * d * log_ratio * sp.exp(-iota))
    .says("the probability given E is at most 1 - 6 d t log(R/(eta r)) exp(-iota); at t = 1 it is at least lhs when P(E) >= 3/4, by (31)")
    .holds(">=", 1 - 6 * d * log_ratio * sp.exp(-iota), by="gauss_psgd.lemma20:probabilities")
    .fails_at({x: tenth, c: 3, d: 2, iota: 10, log_ratio: 2}, given=(sp.Ge(c, 2 * sp.sqrt(2)),)),
    FalseLine("printed_38", "E24", "(38), proof of Lemma 20")
    .printed(M, "<=", rho * R)
    .says("||Delta||, the mean Hessian without the Hessian at the saddle, is at most rho R; here F is quadratic with curvature M")
    .holds("<=", M + rho * R, by="gauss_psgd.lemma20:change")
    .fails_at({M: 1, rho: 1, R: tenth}),
    FalseLine("printed_after_41", "E25", "text after (41)")
    .printed(2 * c * eta * rho * R * Gamma, "=", 2 * c / s)
    .says("2 c eta rho R Gamma = 2 c / s")
    .holds("=", 2 * c / (s * sp.sqrt(iota)), by="gauss_psgd.lemma20:factor_h")
    .fails_at({**unit, c: 1}, at=IN_ALPHA),
    FalseLine("printed_42", "E4", "(42), proof of Lemma 20")
    .printed(sp.sqrt(Gamma * (eta * M * 2 * c * scale * sp.sqrt(iota)) ** 2 * iota), "<=", of_42 * scale * sp.sqrt(iota))
    .says("Lemma 12 gives ||P_sg(t + 1)|| <= 2 c eta M sqrt(Gamma) b eta r sqrt(iota)")
    .holds("=", of_42 * scale * iota, by="gauss_psgd.lemma20:two_roots")
    .fails_at({**SMALL_MU, c: 3}, at={**CLOSED, b: LEAST_GROWTH.xreplace(CLOSED)}, given=(*ENTRIES, sp.Ge(s, (80 * c) ** 2))),
    FalseLine("printed_both_roots", "E4", "(42), (43), proof of Lemma 20")
    .printed(of_42 * iota, "<=", sp.Rational(1, 40))
    .says("with s >= (80 c)^2 the factor of b eta r that Lemma 12 gives, with both roots of iota, is at most 1/40; (43) has one root")
    .holds("=", 2 * c * sp.sqrt(mu), by="gauss_psgd.lemma20:both_roots")
    .fails_at({**SMALL_MU, c: 3}, at=CLOSED, given=(*ENTRIES, sp.Ge(s, (80 * c) ** 2), sp.Ge(c, 2 * sp.sqrt(2)))),
    FalseLine("printed_52", "E2", "(52), proof of Lemma 1")
    .printed(scale / 40, "=", (1 + eta * gamma) ** Gamma * sp.sqrt(eta * r) / (40 * sp.sqrt(2)))
    .says("b(Gamma) eta r / 40 = (1 + eta gamma)^Gamma sqrt(eta r) / (40 sqrt(2))")
    .holds("=", (1 + eta * gamma) ** Gamma * sp.sqrt(eta) * r / (40 * sp.sqrt(2 * gamma)), by="gauss_psgd.lemma1:written_out")
    .fails_at({eta: tenth, gamma: 1, Gamma: 10, r: hundredth}, at={b: (1 + eta * gamma) ** Gamma / sp.sqrt(2 * eta * gamma)}),
    FalseLine("printed_53", "E2", "(52), (53), proof of Lemma 1, its last inequality")
    .printed(LEAST_GROWTH * eta * r / 40, ">", R)
    .says("b(Gamma) eta r / 40 > R when mu is at least the entries of (6); here mu = 1 and gamma = sqrt(rho alpha) = M, log of either base")
    .holds(">=", 2**mu * sp.sqrt(eta) * r / (40 * sp.sqrt(2) * (rho * alpha) ** quarter), by="gauss_psgd.lemma1:at_smallest")
    .fails_at(SMALL_MU, at=CLOSED, given=ENTRIES),
    FalseLine("printed_53_natural", "E1", "(53), proof of Lemma 1, its last inequality, with the natural logarithm")
    .printed(2**mu * sp.sqrt(eta * r) / (40 * sp.sqrt(2)), ">", R)
    .says("2^mu sqrt(eta r) / (40 sqrt(2)) > R when mu is at least the entries of (6) with natural logarithms")
    .holds("=", 2**mu * sp.sqrt(mu) * R / sp.exp(ENTRIES_OF_MU[1]))
    .fails_at(
        {**SMALL_MU, rho: 10**18, M: 96 * 10**10},
        at=CLOSED,
        given=(*(one for one in ENTRIES if one not in BOTH_BASES), *BOTH_BASES[::2]),
    ),
    FalseLine("printed_2a", "E39", "text after (53)")
    .printed(1 + x, ">", 2**x)
    .says("1 + a > 2^a for every a in (0, 1]")
    .holds(">=", 2**x, by="gauss_psgd.lemma1:chord")
    .fails_at({x: 1}),
    FalseLine("printed_lemma2", "E1", "Lemma 2, with the natural logarithm")
    .printed(sp.Rational(7, 8) ** Q, "<=", omega_0)
    .says("(7/8)^Q <= omega_0 for Q = (26/5) log(1/omega_0)")
    .holds("=", omega_0 ** (sp.Rational(26, 5) * sp.log(sp.Rational(8, 7))), by="gauss_psgd.lemma2:natural")
    .fails_at({omega_0: hundredth}, at={Q: sp.Rational(26, 5) * sp.log(1 / omega_0)}),
    FalseLine("printed_71", "E3", "(71), proof of Lemma 4")
    .printed(-(R**2) / (4 * eta * Gamma) + c * eta * psi**2 * (Gamma + iota), "<=", -s / (4 * iota**3) * sp.sqrt(alpha**3 / rho) + NOISE_71)
    .says("(70) is at most -s / (4 iota^3) sqrt(alpha^3 / rho) + 2 c psi^2 iota / (s sqrt(rho alpha))")
    .holds("<=", -s / (4 * iota**4) * sp.sqrt(alpha**3 / rho) + NOISE_71, by="gauss_psgd.lemma4:first_term")
    .fails_at({**SMALL_MU, c: 1}, at=CLOSED, given=ENTRIES),
    FalseLine("printed_lemma4", "E3", "Lemma 4")
    .printed(slope * (R + eta * (slope + chi)), ">=", Phi)
    .says(
        "a round that succeeds decreases F by Phi; here F is linear of slope 1.2 R/(eta Gamma): at most by R and a step of noise chi down"
    )
    .holds("=", sp.Rational(48, 5) / iota * Phi + eta * slope * (slope + chi), by="gauss_psgd.lemma4:left")
    .fails_at(SMALL_MU, at=CLOSED, given=(*ENTRIES, sp.Le(slope, alpha), sp.Ge(Gamma, 6), sp.Le(5 * eta * sp.sqrt(Gamma) * psi, R / 5))),
    FalseLine("printed_72", "E27", "(72), proof of Lemma 4")
    .printed(-s / (8 * iota**3) * sp.sqrt(alpha**3 / rho), "=", Phi)
    .says("-s / (8 iota^3) sqrt(alpha^3 / rho) = Phi")
    .holds("=", -Phi, by="gauss_psgd.parameter_block:decrease_in_psi")
    .fails_at(unit, at=IN_ALPHA),
    FalseLine("printed_75", "E13", "(75), proof of Lemma 6")
    .printed(eta / 2 * (grad**2 - err**2), ">=", 2 * eta * chi**2)
    .says("what Lemma 3 gives for a normal step is at least 2 eta chi^2")
    .holds(">=", sp.Rational(3, 2) * eta * chi**2, by="gauss_psgd.lemma6:normal_step")
    .fails_at({eta: tenth, chi: 1, grad: 2, err: 1}, given=(sp.Ge(grad, 2 * chi), sp.Le(err, chi))),
    FalseLine("printed_77", "E15", "(77), proof of Lemma 6")
    .printed(U / Phi, "=", 8 * iota**3 * U / s * sp.sqrt(rho / chi**3))
    .says("U / Phi = 8 iota^3 (U / s) sqrt(rho / chi^3)")
    .holds("=", iota**3 * U / s * sp.sqrt(rho / chi**3), by="gauss_psgd.lemma6:escapes_in_chi")
    .fails_at({**unit, U: 1}, at=IN_ALPHA),
    FalseLine("printed_79", "E14", "(79), proof of Lemma 6")
    .printed(Q * Gamma, "<=", Q * T_EFF)
    .says("the number of steps is at most Q T_eff; a run that starts where it ends takes Q Gamma of them")
    .holds("<=", Q * (T_EFF + Gamma), by="gauss_psgd.lemma6:last_phase")
    .fails_at({**SMALL_MU, U: sp.Rational(1, 10**12)}, at={**CLOSED, Q: Q_PRINTED.xreplace(CLOSED)}, given=(*ENTRIES, sp.Le(U, Phi))),
    FalseLine("printed_union", "E12", "proof of Lemma 6, for Theorem 1")
    .printed(omega / 2 + omega / 2 + 2 * U / Phi * sp.exp(-iota) - omega, "<=", sp.Integer(0))
    .says(
        "the probabilities of failure add up to no more than omega: the excess is at most 0; Lemma 4 adds 2 exp(-iota) for each of U / Phi "
        "escapes, next to nothing at the large s of the proof; here s = 4, and (6) has log_2"
    )
    .holds("=", 2 * U / Phi * sp.exp(-iota), by="gauss_psgd.repaired_block:rounds_fail")
    .fails_at(AT_BASE_2, at=IN_ALPHA, given=(*OF_6, sp.Ge(iota, sp.log(36 * d * Gamma * sp.log(R / (eta * r)))))),
    FalseLine("printed_definition7", "E29", "(11), Definition 7, for all real t")
    .printed(sp.Integer(1), "<=", 2 * sp.exp(-(x_t**2) / 2))
    .says("P(||v - E v|| >= t) <= 2 exp(-t^2 / (2 zeta^2)) at t = -x zeta, where the probability is 1")
    .holds("<=", sp.Integer(2))
    .fails_at({x_t: 2}),
    FalseLine("printed_definition8", "E34", "Definition 8, for every epsilon")
    .printed(SPENT, "<=", delta)
    .says("the Gaussian mechanism with the printed deviation is (epsilon, delta)-private: its exact delta is at most delta")
    .holds("=", SPENT)
    .fails_at({epsilon: 8, delta: sp.Rational(1, 1000)}),
    FalseLine("printed_definition8_far", "E34", "Definition 8, for every epsilon")
    .printed(SPENT, "<=", delta)
    .says("the same at another point")
    .holds("=", SPENT)
    .fails_at({epsilon: 16, delta: sp.Rational(1, 10**5)}),
    FalseLine("printed_lemma14", "E40", "(16), Lemma 14")
    .printed(sp.Integer(1), "<=", d * sp.exp(-sp.Rational(3, 8)))
    .says("P(||sum M_i|| >= t) <= d exp(-t^2 / (2 (sigma^2 + B t/3))); one matrix, the number +1 or -1, t = 1")
    .holds("<=", 2 * d * sp.exp(-sp.Rational(3, 8)), by="gauss_psgd.theorem4:an_eighth")
    .fails_at({d: 1}),
    FalseLine("printed_corollary3", "E28", "proof of Corollary 3")
    .printed(sp.log(2 * d / omega) / sp.log(2 / omega), "<=", 2 * sp.log(d))
    .says("log(2 d/omega) / log(2/omega) <= 2 log(d) for every omega in (0, 1), natural logarithms")
    .holds("<=", sp.log(2 * d) / sp.log(2), by="gauss_psgd.corollary3:larger")
    .fails_at({d: 2, omega: sp.Rational(9, 10)}),
    FalseLine("printed_corollary3_d1", "E28", "Corollary 3 in one dimension")
    .printed(sum_sq, "<=", 4 * C**2 * sp.log(d) * sum_sq)
    .says("the sum has the constant C sqrt(log(d) sum zeta_i^2), so a second moment of at most 4 times its square; here signs times zeta_i")
    .holds("<=", 4 * C**2 * sp.log(2 * d) * sum_sq, by="gauss_psgd.corollary3:both_cases")
    .fails_at({d: 1, C: 1, sum_sq: 1}),
    FalseLine("printed_lemma7_d1", "E28", "Lemma 7 in one dimension")
    .printed(G**2 / b_1, "<=", C * (G**2 / b_1 + M**2 / b_2 * kappa) * sp.log(d) ** 2)
    .says("the squared sampling error is a constant C times (G^2/b_1 + kappa M^2/b_2) log(d)^2; here fresh errors are +G or -G")
    .holds("<=", C * (G**2 / b_1 + M**2 / b_2 * kappa) * sp.log(2 * d) ** 2, by="gauss_psgd.lemma7:sampling")
    .fails_at({d: 1, C: 4, G: 1, M: 1, b_1: 10, b_2: 10, kappa: sp.Rational(1, 10)}),
    FalseLine("printed_98", "E6", "(98), proof of Theorem 2")
    .printed(b_2 * T, "<=", 10 * sp.Rational(13, 10) * s**2 * mu**4 * FEW_ESCAPES * n)
    .says(
        "b_2 T = O(n) over the T of (79): chi = 10^-130 needs at most ten times what chi = 1 needs at this mu, over n; no constant "
        "will do; log_2 in (6)"
    )
    .holds("=", sp.Rational(13, 10) * s**2 * mu**4 * MANY_ESCAPES * n, by="gauss_psgd.theorem2:difference_calls")
    .fails_at({**LOW_ERROR, n: sp.Integer(10) ** 350}, at=OF_LEMMA_8, given=(*OF_6, sp.Ge(b_2, 1))),
    FalseLine("printed_order", "E52", "the end of the proof of Lemma 8")
    .printed(6 * eta / kappa * (U + 5 * T * eta * chi**2), "<=", 10 * 6 * U * eta / kappa * (1 + 13 * s**2 * mu**4 * FEW_ESCAPES))
    .says(
        "(97) gives |T| = O(U eta / kappa) over the T of (79): its bound over U eta / kappa at chi = 10^-130 is at most ten times that "
        "at chi = 1 and this mu; log_2 in (6)"
    )
    .holds("=", 6 * U * eta / kappa * (1 + 13 * s**2 * mu**4 * MANY_ESCAPES), by="gauss_psgd.theorem2:fresh_samples")
    .fails_at({**LOW_ERROR, kappa: sp.Rational(1, 10**80)}, at=OF_LEMMA_8, given=OF_6),
    FalseLine("printed_90", "E53", "(90), proof of Lemma 7")
    .printed((G**2 / b_1**2 + M**2 / b_2**2 * drift) * PRIVACY, "<=", 100 * (G**2 / b_1**2 + calls * M**2 / b_2**2 * last_move) * PRIVACY)
    .says("r^2 is at most a hundred times (90), its sum over i having the last movement in every term; here that movement is 0")
    .holds("<=", (G**2 / b_1**2 + M**2 / b_2**2 * kappa) * PRIVACY, by="gauss_psgd.lemma7:added")
    .fails_at(
        {G: 1, M: 1, b_1: 1000, b_2: 10, epsilon: 1, delta: sp.Rational(1, 10**5), calls: 2, drift: 1, last_move: 0, kappa: 1},
        given=(sp.Le(drift, kappa),),
    ),
    FalseLine("printed_zeta", "E50", "proof of Corollary 3, its first line")
    .printed(C * sp.log(d) * zeta, ">=", C**2 / 2 * zeta**2 * sp.log(2 * d / omega) / sp.log(2 / omega))
    .says("zeta_+^2 = C log(d) sum zeta_i is at least (C^2/2) (sum zeta_i^2) log(2 d/omega) / log(2/omega); here one term")
    .holds("<=", C**2 * sp.log(2 * d) * zeta**2, by="gauss_psgd.corollary3:larger")
    .fails_at({C: 1, d: 100, zeta: 100, omega: sp.Rational(1, 10)}),
    FalseLine("printed_cited", "E51", "proof of Lemma 5, by Corollary 3")
    .printed(C * sp.sqrt(sp.log(d) * (sigma**2 + (2 * sp.sqrt(2) * r) ** 2 * d)), "<=", 10 * C * sp.sqrt(sigma**2 + r**2 * d))
    .says("the constant C sqrt(log(d) (sigma^2 + 8 r^2 d)) that Corollary 3 gives for nu_t is at most ten times C sqrt(sigma^2 + r^2 d)")
    .holds("<=", 2 * sp.sqrt(2) * C * sp.sqrt(sp.log(d)) * sp.sqrt(sigma**2 + r**2 * d))
    .fails_at({C: 1, d: 10**6, sigma: sp.Rational(1, 100), r: 1}),
    FalseLine("printed_105", "E5", "(105), proof of Theorem 2")
    .printed(LATE, "<=", RATE_1 + RATE_2)
    .says("the fourth part of (103) at kappa = KAPPA_1, the larger of (104), is at most (105); the ratio grows like n^(1/42) along B = A")
    .holds("=", LATE_VALUE, by="gauss_psgd.exponents:fourth_against_B")
    .fails_at(
        {**ONES, n: sp.Integer(10) ** 84, d: sp.Integer(10) ** 28, epsilon: 1}, at={kappa: KAPPA_1}, given=(sp.Ge(KAPPA_1, KAPPA_2),)
    ),
    FalseLine("printed_105_any_kappa", "E5", "(103), (105), for the best kappa")
    .printed(power(A_RATE, 6, 17) * power(B_RATE, 10, 17), "<=", RATE_1 + RATE_2)
    .says("some kappa makes all parts of (103) at most (105); every kappa makes the first or the fourth at least lhs, constants left out")
    .holds("=", power(sp.sqrt(d) / (power(n, 3, 2) * epsilon), 4, 17), by="gauss_psgd.exponents:first_and_fourth")
    .fails_at({**ONES, n: sp.Integer(10) ** 102, d: sp.Integer(10) ** 34, epsilon: 1}),
    FalseLine("printed_121", "E5", "(121), proof of Theorem 3")
    .printed(LATE.xreplace(MANY), "<=", (RATE_1 + RATE_2).xreplace(MANY))
    .says("the fourth part at the larger limit is at most (121), with m clients")
    .holds("=", LATE_VALUE.xreplace(MANY), by="gauss_psgd.exponents:fourth_against_B")
    .fails_at(
        {**ONES, m: sp.Integer(10) ** 6, n: sp.Integer(10) ** 78, d: sp.Integer(10) ** 22, epsilon: 1},
        at={kappa: KAPPA_1.xreplace(MANY)},
        given=(sp.Ge(KAPPA_1.xreplace(MANY), KAPPA_2.xreplace(MANY)),),
    ),
    FalseLine("printed_contribution_3", "E16", "Introduction, contribution 3")
    .printed(B_RATE.xreplace(MANY), "<=", power(sp.sqrt(d) / (epsilon * m * n), 2, 5))
    .says("the private term of Theorem 3 is at most (sqrt(d) / (epsilon m n))^(2/5)")
    .holds("=", power(sp.sqrt(d) / (sp.sqrt(m) * n * epsilon), 2, 5), by="gauss_psgd.theorem3:private_part")
    .fails_at({m: 4, n: 1000, d: 100, epsilon: 1}),
    FalseLine("printed_contribution_2", "E17", "Introduction, contribution 2")
    .printed(power(sp.sqrt(d) / (n * epsilon), 3, 7), ">=", B_RATE)
    .says("the bound of exponent 3/7 is suboptimal: at least the new one of exponent 2/5")
    .holds("<=", B_RATE)
    .fails_at({n: 1000, d: 100, epsilon: 1}, given=(sp.Le(sp.sqrt(d), n * epsilon),)),
    FalseLine("printed_bernstein", "E18", "the test of Algorithm 4 for the Hessian")
    .printed((m * n) ** 2 * (M * SHARE) ** 2 / (2 * (4 * m * n * M**2 + 2 * M * m * n * M * SHARE / 3)), ">=", EVENT)
    .says("the exponent of matrix Bernstein at M sqrt(log/(m n)), constant 1, is at least the logarithm")
    .holds("=", EVENT / (8 + sp.Rational(4, 3) * SHARE), by="gauss_psgd.theorem4:large_exponent")
    .fails_at({m: 1, n: 1000, d: 10, omega: sp.Rational(1, 10), M: 1}, given=(sp.Ge(m * n, sp.Rational(4, 9) * EVENT),)),
    FalseLine("printed_composition", "E20", "Theorem 4, its noise by Lemma 16 and Definition 8")
    .printed(COMPOSED, "<=", COMPOSED.xreplace({T: sp.Integer(10)}))
    .says("c_1 is a constant: what 10^5 steps need is at most what ten need")
    .holds("=", 128 * sp.log(2 / delta) * (sp.log(5 / delta) + sp.log(T)) / sp.log(1 / delta), by="gauss_psgd.theorem4:composed")
    .fails_at({T: 10**5, delta: sp.Rational(1, 10**5)}),
    FalseLine("printed_143", "E19", "(143), Theorem 4")
    .printed(2 * sp.sqrt(alpha) / sp.sqrt(m * n), "=", 2 * alpha / sp.sqrt(m * n))
    .says("the cross term of sqrt(alpha) and 1/sqrt(m n) is twice alpha / sqrt(m n); with what it is (143) holds all the same")
    .holds("<=", alpha + 1 / (m * n), by="gauss_psgd.theorem4:cross_term")
    .fails_at({alpha: sp.Rational(1, 100), m: 1, n: 10**4}),
]
