"""Lemma 2.2: Gaussian noise that keeps T adaptive releases (epsilon, delta)-private.

Setting   A releases a vector whose sensitivity is Delta = sup over neighbours S, S' of ||A(S) - A(S')||; neighbours differ in
          one replaced record.
Method    each of the T releases gets noise N(0, sigma^2 I).
Measure   the sigma that is enough.
Source    DPZero, Lemma 2.2, there attributed to Kairouz, Oh, Viswanath (2015), Theorem 4.3, and stated for any epsilon > 0.

It is false for large epsilon: T releases are exactly m-GDP with m = sqrt(T) Delta / sigma, and sigma of the lemma makes
m = epsilon / sqrt(8 A), which at epsilon = 200, delta = 1e-5 spends delta = 1.2e-3. The proof below, which is not the paper's,
covers epsilon <= 8 A, hence every delta when epsilon <= 27.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import LOG_TERM, PAPER, PRIVATE, SIGMA, proved, stated
from bounds.dpzero.shared import A_AT_LEAST_1
from bounds.inequalities import Instance
from bounds.lines import GIVENS, line
from bounds.symbols import A, C, T, delta, epsilon, introduce, n, sensitivity, sigma, symbols
from bounds.theorem import Part

(deviation,) = symbols("deviation")
gdp = introduce("gdp", "m", "Gaussian differential privacy of all releases together", 1e-6, 1e2, "proof")
delta_spent = introduce("delta_spent", r"\delta(\varepsilon)", "delta that all releases together spend at epsilon", 0, 1, "proof")
sigma_needed = introduce("sigma_needed", r"\sigma_{\min}", "least standard deviation that makes the releases private", 1e-9, 1e6, "proof")

ENOUGH = 2 * sensitivity * sp.sqrt(2 * T * A) / epsilon

LEMMA_2_2 = stated(
    "lemma_2_2",
    "Lemma 2.2 (advanced composition)",
    f"{PAPER}, Lemma 2.2",
    claim="privacy",
    measure="sigma for (epsilon, delta)-DP of T adaptive releases",
    assumptions=("replacing one record moves the released vector by at most the sensitivity",),
    definitions={"A": LOG_TERM},
    schedule={"sigma": ENOUGH},
    bound=ENOUGH,
    parts=(Part("clipped mean", "sigma for a clipped mean", "=", SIGMA, ENOUGH, (sp.Eq(sensitivity, 2 * C / n),)),),
    conditions=(PRIVATE,),
    notes=("the noise is calibrated for T releases; the algorithms call this standard deviation the variance",),
    measured=sigma_needed,
)

m = epsilon / sp.sqrt(8 * A)  # the GDP parameter of all T releases together


def normal_tail(x: sp.Expr) -> sp.Expr:
    """Return P(Z >= x) for a standard normal Z."""
    return sp.erfc(x / sp.sqrt(2)) / 2


def density(x: sp.Expr) -> sp.Expr:
    """Return the density of a standard normal at x."""
    return sp.exp(-(x**2) / 2) / sp.sqrt(2 * sp.pi)


x = sp.sqrt(8 * A) * (1 - epsilon / (16 * A))  # epsilon / m - m / 2
in_e = delta / (sp.E * delta + epsilon)  # exp(-A)
beyond = 1 / (4 * sp.sqrt(sp.pi))  # m density(x) is at most this times epsilon exp(-A) / sqrt(A)


def proof() -> Derivation:
    """Write the proof out."""
    in_m = -sp.sqrt(8 * A) / gdp - sp.Rational(1, 2)  # slope of epsilon/m - m/2 between its two values of m
    spent = normal_tail(deviation) - sp.exp(gdp * deviation + gdp**2 / 2) * normal_tail(deviation + gdp)
    facts = (
        line("region", epsilon, "<=", 8 * A).says("epsilon <= 8 A").assumed(),
        line("clipped", sensitivity, "=", 2 * C / n).says("what is released is a mean of n vectors clipped at C").case(),
        line("small_epsilon", epsilon, "<=", 27).says("epsilon <= 27").case(),
        line("composed", gdp, "=", sp.sqrt(T) * sensitivity / sigma)
        .says("T adaptive Gaussian releases are together m-GDP with this m, and no better")
        .cited("Dong, Roth, Su (2022), Gaussian Differential Privacy, Theorem 2.7 and Corollary 3.3"),
        line("deviation", deviation, "=", epsilon / gdp - gdp / 2)
        .says("write x for epsilon/m - m/2")
        .defined(signs=("deviation_positive",)),
        line("curve", delta_spent, "=", normal_tail(deviation) - sp.exp(epsilon) * normal_tail(deviation + gdp))
        .says("m-GDP spends exactly P(Z >= x) - e^epsilon P(Z >= x + m), Z standard normal: the privacy curve of a Gaussian mechanism")
        .cited("Balle, Wang (2018), Theorem 8; Dong, Roth, Su (2022), Corollary 2.13"),
        line("enough", sigma_needed, "<=", sigma).says("sigma spends at most delta").reasoned("so less may do", using=("private",)),
    )
    steps = (
        # the steps to x >= sqrt(2 A)
        line("gdp_parameter", gdp, "=", m)
        .says("with the sigma of the lemma, gdp is epsilon / sqrt(8 A): T and the sensitivity cancel", "insert sigma")
        .inserting("composed", "sigma"),
        line("deviation_positive", epsilon / gdp - gdp / 2, ">", 0)
        .says("the deviation x is positive in the region: here in gdp and epsilon", "the square of m is at most epsilon")
        .by(sp.sqrt(2 * A), (sp.sqrt(8) / (16 * sp.sqrt(A)), "region"), modulo=((in_m, "gdp_parameter"),)),
        line("deviation_value", deviation, "=", x)
        .says("the deviation x in A and epsilon", "insert m")
        .identity((1, "deviation"), (in_m, "gdp_parameter")),
        line("far_above", deviation, ">=", sp.sqrt(2 * A))
        .says("the deviation x is at least sqrt(2 A) in the region", "half of the bracket is left when epsilon <= 8 A")
        .by((sp.sqrt(8) / (16 * sp.sqrt(A)), "region"), modulo=((1, "deviation_value"),)),
        # the steps from the privacy curve to delta
        line("loss", epsilon, "=", gdp * deviation + gdp**2 / 2)
        .says("epsilon through gdp and the deviation", "multiply out")
        .identity((-gdp, "deviation")),
        line("truncated", deviation**2 * spent, "<=", gdp * density(deviation))
        .says(
            "P(Z >= x) - e^epsilon P(Z >= x + m) <= E (V - epsilon)_+ = m (density(x) - x P(Z >= x)) <= m density(x) / x^2, "
            "where m is gdp and x the deviation"
        )
        .because("V ~ N(m^2/2, m^2) is the privacy loss, 1 - e^-y <= y, and P(Z >= x) >= density(x) (1/x - 1/x^3)")
        .reasoned("the mean of a truncated normal and Gordon's lower bound on its tail"),
        line("spent", deviation**2 * delta_spent, "<=", gdp * density(deviation))
        .says("so delta_spent at epsilon is small where the deviation is large", "the privacy curve")
        .by("truncated", at=("loss",), modulo=((-(deviation**2), "curve"),)),
        line("square_above", deviation**2, ">=", 2 * A)
        .says("the square of the deviation x is at least 2 A", "both are non-negative")
        .by(("far_above", deviation + sp.sqrt(2 * A))),
        line("gaussian", sp.exp(-(deviation**2) / 2), "<=", sp.exp(-A))
        .says("the Gaussian factor of the density at the deviation", "x^2 >= 2 A")
        .by((sp.exp(-A), Instance("decay", (sp.Rational(1, 2), "square_above")))),
        A_AT_LEAST_1,
        line("spent_in_A", delta_spent, "<=", epsilon * sp.exp(-A))
        .says("hence delta_spent is at most epsilon exp(-A)", "x^2 >= 2 A on the left, m = epsilon / sqrt(8 A) on the right, and A >= 1")
        .by(
            (1 / (2 * A), "spent"),
            (delta_spent / (2 * A), "square_above"),
            (gdp / (2 * A * sp.sqrt(2 * sp.pi)), "gaussian"),
            (epsilon * sp.exp(-A) / A, "A_at_least_1"),
            (epsilon * sp.exp(-A) * beyond / (2 * A) / (A + sp.sqrt(A)), "A_at_least_1"),
            epsilon * sp.exp(-A) * (2 - beyond) / (2 * A),
            modulo=((-sp.exp(-A) / (2 * A * sp.sqrt(2 * sp.pi)), "gdp_parameter"),),
        ),
        line("A_is_log", A, ">=", sp.log(sp.E + epsilon / delta))
        .says("A is the logarithm of e + epsilon/delta", "it is equal")
        .by(modulo=((1, "A"),)),
        line("exp_A", sp.exp(-A), "<=", in_e)
        .says("so the exponential of -A is at most delta / (e delta + epsilon)", "the exponential is increasing")
        .by((in_e, Instance("decay", ("A_is_log",)))),
        line("private", delta_spent, "<=", delta)
        .says("so delta_spent is at most delta", "epsilon <= e delta + epsilon")
        .by("spent_in_A", (epsilon, "exp_A"), (in_e, sp.E * delta)),
        # what follows for a clipped mean, for small epsilon, and the lemma
        line("clipped_mean", ENOUGH, "=", SIGMA)
        .says("clipping each sample at C makes the sensitivity of the mean 2 C / n, so sigma = 4 C sqrt(2 T A) / (n epsilon)")
        .because("insert the sensitivity")
        .inserting("clipped"),
        line("always_in_region", epsilon, "<=", 8 * sp.log(sp.E + epsilon))
        .says("every epsilon <= 27 is in the region, whatever delta: A >= log(e + epsilon)")
        .because("log(e + epsilon) is concave in epsilon, and the inequality holds at 0 and at 27")
        .reasoned("a concave function is above its chord", using=("small_epsilon",))
        .claimed_where(*GIVENS),
        line("bound", sigma_needed, "<=", ENOUGH)
        .says("sigma_needed is at most the sigma of the lemma", "insert sigma")
        .by("enough", modulo=((-1, "sigma"),)),
    )
    title = "the noise of Lemma 2.2 is enough when epsilon <= 8 log(e + epsilon/delta)"
    return proved(LEMMA_2_2, title, "our proof", facts, steps, shows={"clipped mean": "clipped_mean"})
