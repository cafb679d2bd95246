"""What holds in place of printed lines of Gauss-PSGD where no chain of the theory has it."""

import sympy as sp

from bounds.derivation import Derivation
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.symbols import symbols
from paper_checks.gauss_psgd import printed as p

(resets,) = symbols("resets")
reach = 4 * p.C ** sp.Rational(1, 4) / p.s * sp.sqrt(p.psi / p.rho)
step_root = sp.sqrt(p.eta * p.r) / (40 * sp.sqrt(2))
share = sp.Symbol("share", positive=True)
est, err = symbols("est_norm err_norm")
IN_PLACE = Derivation(
    key="gauss_psgd.in_place",
    title="what holds in place of printed lines, where no chain has it",
    source="ours",
    facts=(
        line("a_call", resets, ">", 0).says("some fresh gradient is asked for").assumed(),
        line("b_1", p.b_1, "=", p.n / (2 * resets)).says("the samples of a fresh gradient").defined(signs=("a_call",)),
        line("b_2", p.b_2, "=", p.n / (2 * p.T)).says("the samples of a difference").defined(),
        line("R", p.R, "=", reach / sp.sqrt(p.mu)).says("R of (5) in psi").defined("(5)"),
        line("entry_to_base_2", 2**p.mu, ">=", sp.exp(p.SIX[1])).says("mu is at least the second entry of (6) with log_2").assumed(),
        line("enough_samples", share, "<=", 1).says("sqrt(d) <= n epsilon").assumed(),
        line("passes", est, ">=", 3 * p.chi).says("no escape phase is entered").assumed(),
        line("error", err, "<=", p.chi).says("Lemma 5: every error is at most chi").assumed(),
        line("short_step", p.eta * p.M, "<=", sp.Rational(8, 9)).says("eta is at most (8/9)/M").assumed(),
    ),
    steps=(
        line("steps_with_the_last_phase", p.Q * p.Gamma, "<=", p.Q * (p.T_76 + p.Gamma))
        .says("a run that starts where it ends takes Q Gamma steps, which Q (T_eff + Gamma) covers", "T_eff is not negative")
        .by((p.Q, p.T_76))
        .claimed_where(),
        line("budget", p.b_1 * resets + p.b_2 * p.T, "=", p.n)
        .says("the samples of |T| fresh gradients and of T differences add up to n", "cancel")
        .inserting("b_1", "b_2"),
        line("to_base_2", 2**p.mu * step_root, ">=", p.R)
        .says("the last inequality of (53): 2^mu sqrt(eta r)/(40 sqrt(2)) is at least R, even at least sqrt(mu) R")
        .because("the entry times sqrt(eta r)/(40 sqrt(2)) is sqrt(mu) R, and mu is at least 1")
        .by((step_root, "entry_to_base_2"), (reach / (p.mu + sp.sqrt(p.mu)), "log_factor >= 1"), at=("R",)),
        line("without_lemma_3", p.eta * (est**2 - est * err) - p.M * p.eta**2 * est**2 / 2, ">=", 2 * p.eta * p.chi**2)
        .says("(75) from M-smoothness: with g_hat = grad F + nu a normal step lowers F by the left side at least, and that by 2 eta chi^2")
        .because("<grad F, g_hat> is at least ||g_hat||^2 - ||nu|| ||g_hat||")
        .by(
            (p.eta, sp.Rational(5, 9) * est + sp.Rational(2, 3) * p.chi, "passes"),
            (p.eta * est, "error"),
            (p.eta * est**2 / 2, "short_step"),
        ),
        line("logarithm_of_share", sp.log(share), "<=", 0)
        .says("the logarithm of the share is not positive", "e^y >= 1 + y at y = log(share)")
        .by(Instance("exponential", sp.log(share)), "enough_samples"),
        line("three_sevenths", share ** sp.Rational(3, 7), "<=", share ** sp.Rational(2, 5))
        .says("a power of the share, a number below 1, falls with the exponent", "3/7 - 2/5 = 1/35")
        .by((share ** sp.Rational(2, 5), Instance("decay", (sp.Rational(1, 35), "logarithm_of_share")))),
    ),
)
