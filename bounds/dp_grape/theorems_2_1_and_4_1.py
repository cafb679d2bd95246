"""Theorems 2.1 and 4.1: the noise of one release, that of DP-GRAPE and its rate, and a noise that is proved.

Setting   T steps release means of clipped vectors; neighbours differ in one replaced record, which moves a mean over B by at most 2C/B.
Method    noise with the printed sigma in every step; the proof has it from Lemma D.9 with c_2 = 1.
Measure   sigma for (epsilon, delta)-DP, and the order of E ||grad F(W_tau)||^2; in Theorem 2.1 the covariance of one release.
Source    DP-GRAPE, Theorem 2.1, there attributed to Dwork, Roth (2014); Theorem 4.1; Theorem D.10 and Lemma D.9 where it is proved.

With full batches all T steps are exactly one Gaussian release with m = epsilon/sqrt(log(1/delta)), which spends more than delta for all
but small epsilon: the constant is too small by up to sqrt(2). `corrected_noise` has c_2 = sqrt(2) and is proved for epsilon up to 2. The
covariance that Theorem 2.1 prints is the standard deviation of the theorem that is cited, which asks for epsilon < 1: more than that of
`corrected_noise` at T = 1, so enough where that is, and not for every epsilon.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_grape.paper import PAGES, keyed, letters
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.meanings import DELTA_BELOW_ONE
from bounds.papers import PAPERS
from bounds.symbols import C, T, d, delta, epsilon, introduce, n, sensitivity, sigma, symbols
from bounds.theorem import SCOPE, Condition, Part

L, r, B = letters("L r B")
deviation, logs = symbols("deviation log_inverse")
gdp = introduce("gdp", "m", "Gaussian differential privacy of all releases together", 1e-6, 1e2, "proof")
delta_spent = introduce("delta_spent", r"\delta(\varepsilon)", "delta that all releases together spend at epsilon", 0, 1, "proof")
sigma_needed = introduce("sigma_needed", r"\sigma_{\min}", "least standard deviation that makes the releases private", 1e-9, 1e6, "proof")

LOG = sp.log(1 / delta)
STEPS = 2 * sp.sqrt(2 * d) * n * epsilon / (r * sp.sqrt(L * logs))
NOISE = 2 * C * sp.sqrt(T * logs) / (n * epsilon)
ENOUGH = sensitivity * sp.sqrt(2 * T * logs) / epsilon
MEAN_ENOUGH = sp.sqrt(2) * NOISE
LEAST_BATCH_SQ = n * r / 4 * sp.sqrt(L * logs / (2 * d))
PRINTED_BATCH_SQ = r / (8 * n) * sp.sqrt(L * logs / (2 * d))

FACTOR = sensitivity * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / delta)) / epsilon

THEOREM_2_1 = keyed(
    "theorem_2_1",
    "Theorem 2.1 (Gaussian mechanism)",
    f"{PAPERS['dp_grape'].cited}, Theorem 2.1",
    claim="privacy",
    measure="covariance per coordinate for (epsilon, delta)-DP of one release, as printed",
    assumptions=("replacing or removing one record moves the released vector by at most the sensitivity",),
    bound=FACTOR,
    parts=(Part("deviation", "standard deviation where the printed covariance is taken literally", "=", sp.sqrt(FACTOR)),),
    conditions=(Condition(epsilon < 1, "epsilon = {value} is not below 1, which the theorem that is cited asks for"),),
    notes=("the printed expression is the standard deviation of the theorem that is cited, not the covariance",),
)

THEOREM_4_1 = keyed(
    "theorem_4_1",
    "Theorem 4.1 (informal)",
    f"{PAPERS['dp_grape'].cited}, Theorem 4.1",
    claim="rate",
    measure="E ||grad F(W_tau)||^2",
    assumptions=("f(.; xi) is Gamma-Lipschitz and lambda-smooth for every xi",),
    definitions={"log_inverse": LOG},
    schedule={"T": STEPS, "sigma": NOISE},
    bound=sp.sqrt(L * d * logs) / (n * epsilon),
    parts=(
        Part("multiplier", "noise multiplier of Algorithm 1 that this sigma is, as a deviation on the mean", "=", B * sigma / C),
        Part("range", "epsilon that the proof covers at most", "=", 2 * B**2 * T / n**2),
        Part("batch", "square of the batch that the proof's range needs", "=", LEAST_BATCH_SQ),
        Part("printed batch", "square of the first entry of the printed condition on the batch", "=", PRINTED_BATCH_SQ),
    ),
    conditions=(
        Condition(epsilon <= 2 * sp.log(2 / delta), "epsilon = {value} is above 2 log(2/delta) = {limit}, where Theorem 4.1 ends"),
        Condition(epsilon <= 2 * B**2 * T / n**2, "epsilon = {value} is above 2 B^2 T/n^2 = {limit}, which its proof of privacy covers"),
        Condition(B <= n, "B = {value} is above n = {limit}: there is no such batch"),
        Condition(T >= 1, "T = {value} is below 1, so no step can be taken", SCOPE),
    ),
    notes=(
        "sigma is the noise multiplier in Algorithm 1 and the deviation on the mean in Algorithm 6; only the second is what is proved",
        "its constant is too small: see corrected_noise, and dp_grape's accounting for exact values",
    ),
)
CORRECTED_NOISE = keyed(
    "corrected_noise",
    "Theorem 4.1's noise with c_2 = sqrt(2)",
    "our proof",
    claim="privacy",
    measure="sigma for (epsilon, delta)-DP of T adaptive releases",
    assumptions=("replacing one record moves each released vector by at most the sensitivity, every record is in every step",),
    definitions={"log_inverse": LOG},
    schedule={"sigma": ENOUGH},
    bound=ENOUGH,
    parts=(Part("clipped mean", "sigma for a clipped mean of n", "=", MEAN_ENOUGH, ENOUGH, (sp.Eq(sensitivity, 2 * C / n),)),),
    conditions=(
        Condition(epsilon <= 2, "epsilon = {value} is above 2: outside the region where this noise is proved to be enough"),
        Condition(epsilon <= logs, "epsilon = {value} is above log(1/delta) = {limit}: outside the region where this noise is proved"),
        Condition(logs >= 1, "log(1/delta) = {value} is below 1: outside the region where this noise is proved to be enough"),
    ),
    measured=sigma_needed,
)

CLIPPED = line("clipped", sensitivity, "=", 2 * C / n).says("full batches: replacing a record moves the clipped mean by 2C/n").case()
COMPOSED = (
    line("composed", gdp, "=", sp.sqrt(T) * sensitivity / sigma)
    .says("T adaptive Gaussian releases are together m-GDP with this m, and no better")
    .cited("Dong, Roth, Su (2022), Gaussian Differential Privacy, Theorem 2.7 and Corollary 3.3")
)


def theorem_4_1() -> Derivation:
    """Write out what the printed formulas say of one another."""
    return PAGES.proved(
        "theorem_4_1",
        "what the printed sigma, T and batch of Theorem 4.1 amount to",
        "Theorem 4.1, Lemma D.9, Algorithms 1 and 6",
        spelled={"log_inverse": logs, "m": gdp},
        facts=(
            DELTA_BELOW_ONE,
            line("log_inverse", logs, "=", LOG).says("log_inverse is log(1/delta)").defined(signs=(DELTA_BELOW_ONE.name,)),
            line("sigma", sigma, "=", NOISE).says("sigma as printed").defined("Theorem 4.1"),
            line("T", T, "=", STEPS).says("T as printed").defined("Theorem 4.1"),
            CLIPPED,
            COMPOSED,
        ),
        steps=(
            line("mu", gdp, "=", epsilon / sp.sqrt(logs))
            .says("at full batch, gdp is epsilon / sqrt(log_inverse), whatever T, C and n are", "insert sigma and the sensitivity")
            .inserting("composed", "sigma", "clipped"),
            line("algorithm_1", B * sigma / C, "=", 2 * B * sp.sqrt(T * logs) / (n * epsilon))
            .says("the multiplier of Algorithm 1 is B/C times the sigma of Algorithm 6", "insert sigma")
            .inserting("sigma"),
            line("batch", epsilon * n**2 / (2 * T), "=", LEAST_BATCH_SQ)
            .says("epsilon <= 2 B^2 T/n^2 says that the square of the batch is at least this", "insert T")
            .inserting("T"),
            line("printed_batch", 2 * PRINTED_BATCH_SQ * T / n**2, "=", epsilon / (2 * n**2))
            .says("the printed batch B allows epsilon/(2 n^2) in place of epsilon", "insert T")
            .inserting("T"),
        ),
    )


m = epsilon / sp.sqrt(2 * logs)  # the GDP parameter of all releases together
x = sp.sqrt(2 * logs) - epsilon / (2 * sp.sqrt(2 * logs))  # epsilon / m - m / 2


def corrected_noise() -> Derivation:
    """Write out the proof that c_2 = sqrt(2) is enough in the region."""
    tail = lambda at: sp.erfc(at / sp.sqrt(2)) / 2  # noqa: E731  # P(Z >= at) for a standard normal Z
    density = sp.exp(-(deviation**2) / 2) / sp.sqrt(2 * sp.pi)
    slope = -sp.sqrt(2 * logs) / gdp - sp.Rational(1, 2)  # of epsilon/m - m/2 between its two values of m
    spent = tail(deviation) - sp.exp(gdp * deviation + gdp**2 / 2) * tail(deviation + gdp)
    least = sp.E / (2 * sp.sqrt(sp.pi))  # the part of delta that is spent at most
    facts = (
        line("at_most_2", epsilon, "<=", 2).says("epsilon <= 2").assumed(),
        line("moderate", epsilon, "<=", logs).says("epsilon is at most the logarithm log_inverse").assumed(),
        line("above_1", logs, ">=", 1).says("the logarithm log_inverse is at least 1").assumed(),
        DELTA_BELOW_ONE,
        CLIPPED,
        COMPOSED,
        line("deviation", deviation, "=", epsilon / gdp - gdp / 2)
        .says("write x for epsilon/m - m/2")
        .defined(signs=("deviation_positive",)),
        line("curve", delta_spent, "=", tail(deviation) - sp.exp(epsilon) * tail(deviation + gdp))
        .says("m-GDP spends exactly P(Z >= x) - e^epsilon P(Z >= x + m), Z standard normal: the privacy curve of a Gaussian mechanism")
        .cited("Balle, Wang (2018), Theorem 8; Dong, Roth, Su (2022), Corollary 2.13"),
        line("enough", sigma_needed, "<=", sigma).says("sigma spends at most delta").reasoned("so less may do", using=("private",)),
    )
    steps = (
        line("gdp_parameter", gdp, "=", m)
        .says("with this sigma, gdp is epsilon / sqrt(2 log_inverse): T and the sensitivity cancel", "insert sigma")
        .inserting("composed", "sigma"),
        line("deviation_positive", epsilon / gdp - gdp / 2, ">", 0)
        .says("the deviation x is positive in the region: here in gdp and epsilon", "the square of m is at most epsilon/2")
        .by(3 * sp.sqrt(logs) / (2 * sp.sqrt(2)), (1 / (2 * sp.sqrt(2 * logs)), "moderate"), modulo=((slope, "gdp_parameter"),)),
        line("deviation_value", deviation, "=", x)
        .says("the deviation x in log_inverse and epsilon", "insert m")
        .identity((1, "deviation"), (slope, "gdp_parameter")),
        line("square", deviation**2, ">=", logs)
        .says("the square of the deviation x is at least log_inverse", "x^2 = 2 log_inverse - epsilon + epsilon^2/(8 log_inverse)")
        .by("moderate", epsilon**2 / (8 * logs), modulo=((deviation + x, "deviation_value"),)),
        line("half_square", deviation**2 / 2, ">=", logs - epsilon / 2)
        .says("half of it is at least log_inverse - epsilon/2", "the same square")
        .by(epsilon**2 / (16 * logs), modulo=(((deviation + x) / 2, "deviation_value"),)),
        line("loss", epsilon, "=", gdp * deviation + gdp**2 / 2)
        .says("epsilon through gdp and the deviation", "multiply out")
        .identity((-gdp, "deviation")),
        line("truncated", deviation**2 * spent, "<=", gdp * density)
        .says(
            "P(Z >= x) - e^epsilon P(Z >= x + m) <= E (V - epsilon)_+ = m (density(x) - x P(Z >= x)) <= m density(x) / x^2, "
            "where m is gdp and x the deviation"
        )
        .because("V ~ N(m^2/2, m^2) is the privacy loss, 1 - e^-y <= y, and P(Z >= x) >= density(x) (1/x - 1/x^3)")
        .reasoned("the mean of a truncated normal and Gordon's lower bound on its tail"),
        line("spent", deviation**2 * delta_spent, "<=", gdp * density)
        .says("so delta_spent at epsilon is small where the deviation is large", "the privacy curve")
        .by("truncated", at=("loss",), modulo=((-(deviation**2), "curve"),)),
        line("gaussian", sp.exp(-(deviation**2) / 2), "<=", sp.exp(epsilon / 2 - logs))
        .says("the Gaussian factor of the density at the deviation", "half of x^2 is at least log_inverse - epsilon/2")
        .by((sp.exp(epsilon / 2 - logs), Instance("decay", ("half_square",)))),
        line("factor", sp.exp(epsilon / 2), "<=", sp.E)
        .says("the exponential of epsilon/2 is at most e", "epsilon <= 2")
        .by((sp.E, Instance("decay", (sp.Rational(1, 2), "at_most_2")))),
        line("small", sp.exp(-logs), "=", delta)
        .says("the exponential of -log_inverse is delta", "insert the logarithm")
        .inserting("log_inverse"),
        line("private", delta_spent, "<=", delta)
        .says("so delta_spent is at most delta", "x^2 >= log_inverse on the left, m = epsilon / sqrt(2 log_inverse) on the right")
        .by(
            (1 / logs, "spent"),
            (delta_spent / logs, "square"),
            (gdp / (logs * sp.sqrt(2 * sp.pi)), "gaussian"),
            (gdp * sp.exp(-logs) / (logs * sp.sqrt(2 * sp.pi)), "factor"),
            (delta * least / logs ** sp.Rational(3, 2), "moderate"),
            (delta * least / (logs + sp.sqrt(logs)), "above_1"),
            delta * (1 - least),
            modulo=(
                (-sp.E * sp.exp(-logs) / (logs * sp.sqrt(2 * sp.pi)), "gdp_parameter"),
                (-least * epsilon / logs ** sp.Rational(3, 2), "small"),
            ),
        ),
        line("clipped_mean", ENOUGH, "=", MEAN_ENOUGH)
        .says("for a mean of n vectors clipped at C the sensitivity is 2 C / n", "insert the sensitivity")
        .inserting("clipped"),
        line("bound", sigma_needed, "<=", ENOUGH)
        .says("sigma_needed is at most this sigma", "insert sigma")
        .by("enough", modulo=((-1, "sigma"),)),
    )
    title = "sigma = Delta sqrt(2 T log(1/delta))/epsilon is enough where epsilon <= min(2, log(1/delta)) and delta <= 1/e"
    signs, shown = {"log_inverse": (DELTA_BELOW_ONE.name,)}, {"clipped mean": "clipped_mean"}
    return PAGES.proved("corrected_noise", title, "our proof", facts=facts, steps=steps, proves=CORRECTED_NOISE, signs=signs, shows=shown)
