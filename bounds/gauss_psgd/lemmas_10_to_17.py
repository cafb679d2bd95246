"""The technical lemmas of Gauss-PSGD: concentration of vectors and matrices (10 to 15, Corollary 3), composition (16, 17).

Setting   norm-subGaussian (nSG) vectors in R^d: P(||v - E v|| >= t) <= 2 exp(-t^2/(2 zeta^2)) for t >= 0; martingale differences v_i with
          nSG constants zeta_i (Condition 1).
Measure   norms of sums; what each of several releases may spend.
Source    Gauss-PSGD, Lemmas 10 to 17, Corollary 3; from Jin et al. (2019, 2021), Tropp (2012), Vershynin (2018), Kairouz et al. (2015).
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd.paper import ABSOLUTE, letters, proved, stated
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.pages import chance
from bounds.symbols import Max, introduce
from bounds.theorem import Condition, Part

C, d, delta, deviation_t, entry_scale, epsilon, G, iota = letters("C d delta deviation_t entry_scale epsilon G iota")
matrix_bound, matrix_variance, r, releases, scale_high, scale_low = letters("matrix_bound matrix_variance r releases scale_high scale_low")
sum_sq, t, zeta = letters("sum_sq t zeta")

FAILURE = "probability of the contrary"
MARTINGALE = "v_i has conditional mean 0 and is norm-subGaussian given the past"
LEMMA_10 = stated(
    "Lemma 10 (from subGaussian to norm-subGaussian)",
    measure="nSG constant of a vector in R^d",
    assumptions=("the vector is subGaussian with constant added_noise",),
    bound=2 * sp.sqrt(2) * r * sp.sqrt(d),
)
LEMMA_11 = stated(
    "Lemma 11 (sum of norm-subGaussian differences)",
    "(13)",
    measure="||sum of v_i||",
    assumptions=(MARTINGALE, "the constants zeta_i are fixed"),
    bound=C * sp.sqrt(sum_sq * iota),
    parts=(Part("failure", FAILURE, "<=", 2 * d * sp.exp(-iota)),),
    notes=(ABSOLUTE,),
)
COROLLARY_3 = stated(
    "Corollary 3 (the sum is norm-subGaussian)",
    measure="nSG constant of the sum of v_i",
    assumptions=LEMMA_11.assumptions,
    bound=C * sp.sqrt(sp.log(d) * sum_sq),
    parts=(Part("with 2 d", "nSG constant that holds for every d", "<=", C * sp.sqrt(sp.log(2 * d) * sum_sq)),),
    conditions=(
        Condition(
            sp.Le(sp.log(2 * d) / sp.log(2), 2 * sp.log(d)),
            "log(2 d)/log(2) = {value} is above 2 log(d) = {limit}: the last step of the proof fails (d <= 6)",
        ),
    ),
    notes=("at d = 1 it says that the sum is constant, which is false; log(2 d) is right", ABSOLUTE),
)
LEMMA_12 = stated(
    "Lemma 12 (sum with random constants)",
    "(14)",
    measure="||sum of v_i|| unless the sum of zeta_i^2 reaches B",
    assumptions=(MARTINGALE, "zeta_i is known given the past"),
    bound=C * sp.sqrt(Max(sum_sq, scale_low) * iota),
    parts=(Part("failure", FAILURE, "<=", 2 * d * sp.log(scale_high / scale_low) * sp.exp(-iota)),),
    conditions=(Condition(scale_high > scale_low, "scale_high = {value} is not above scale_low = {limit}"),),
    notes=(ABSOLUTE,),
)
LEMMA_13 = stated(
    "Lemma 13 (sum of squared norms)",
    "(15)",
    measure="sum of ||v_i||^2",
    assumptions=(MARTINGALE, "t_count terms with the same constant zeta"),
    bound=C * zeta**2 * (t + iota),
    parts=(Part("failure", FAILURE, "<=", sp.exp(-iota)),),
    notes=(ABSOLUTE,),
)
TAIL = sp.exp(-(deviation_t**2) / (2 * (matrix_variance + matrix_bound * deviation_t / 3)))
LEMMA_14 = stated(
    "Lemma 14 (matrix Bernstein)",
    "(16)",
    measure="P( ||sum of M_i|| >= t )",
    assumptions=("M_i independent, self-adjoint, mean 0, ||M_i|| <= matrix_bound", "matrix_variance = ||sum of E M_i^2||"),
    bound=d * TAIL,
    parts=(
        Part("eigenvalue", "P( largest eigenvalue of the sum >= t )", "<=", d * TAIL),
        Part("norm", "P( ||sum of M_i|| >= t )", "<=", 2 * d * TAIL),
    ),
    notes=("the factor d is that of the largest eigenvalue; for the norm it is 2 d: M = +-1 with d = 1, t = 1 refutes d",),
)
LEMMA_15 = stated(
    "Lemma 15 (norm of a symmetric random matrix)",
    "(17)",
    measure="||M||",
    assumptions=("entries on and above the diagonal independent, mean 0, subGaussian",),
    bound=C * entry_scale * (sp.sqrt(d) + deviation_t),
    parts=(Part("failure", FAILURE, "<=", 4 * sp.exp(-(deviation_t**2))),),
    notes=(ABSOLUTE,),
)
LEMMA_16 = stated(
    "Lemma 16 (advanced composition)",
    measure="epsilon of each of k releases",
    assumptions=("the k releases may depend on one another",),
    bound=epsilon / (2 * sp.sqrt(2 * releases * sp.log(2 / delta))),
    parts=(Part("delta", "delta of each of k releases", "<=", delta / (2 * releases)),),
    notes=("releases within these limits are (epsilon, delta)-private together",),
)
LEMMA_17 = stated(
    "Lemma 17 (parallel composition)",
    measure="epsilon of all releases together",
    assumptions=("each release is (epsilon, delta)-private and uses data that no other uses",),
    bound=epsilon,
    parts=(Part("delta", "delta of all releases together", "<=", delta),),
)
log_2d = introduce("log_2d", r"\Lambda_d", "logarithm of 2 d", 0.69314718056, 26, "abbreviation")
sum_constant = introduce("sum_constant", r"\zeta_+", "norm-subGaussian constant of the sum", 1e-9, 1e9, "proof")
p_long = chance("p_long", r"\text{the sum is longer}", "that the sum is longer")
LENGTH = C * sp.sqrt(sum_sq * iota)
CONSTANT = C * sp.sqrt(log_2d * sum_sq)  # of the sum, as repaired
switch = 2 * sp.log(2) * log_2d
exponent = iota / (2 * log_2d)


def corollary3() -> Derivation:
    """Compare (13) with (11) at small and at large lengths."""
    return proved(
        "corollary3",
        "a sum of norm-subGaussian errors is norm-subGaussian, with log(2 d)",
        "Corollary 3; our proof",
        facts=(
            line("log_2d", log_2d, "=", sp.log(2 * d)).says("log(2 d)").defined(signs=("two_d",)),
            line("zeta", zeta, "=", G / sp.sqrt(2 * sp.log(2))).says("the constant of an error of norm at most G").defined(),
            line("sum_constant", sum_constant, "=", CONSTANT).says("the constant that is claimed for the sum").defined(),
            line("thirteen", p_long, "<=", 2 * d * sp.exp(-iota))
            .says("(13): the sum is longer than C sqrt(sum zeta_i^2 iota)")
            .cited("Jin, Netrapalli, Ge, Kakade, Jordan (2019), arXiv:1902.03736, Corollary 7; Lemma 11 of the paper"),
            line("short", iota, "<=", switch).says("the length is small").case(),
            line("long", iota, ">=", switch).says("the length is large").case(),
        ),
        steps=(
            line("one_error", G**2 / (2 * zeta**2), "=", sp.log(2))
            .says(
                "an error of norm at most G is norm-subGaussian with zeta = G / sqrt(2 log 2): (11) is 1 at the length G, above 1 below it"
            )
            .because("insert the constant")
            .inserting("zeta"),
            line("exponent", LENGTH**2 / (2 * sum_constant**2), "=", exponent)
            .says("(11) with the constant C sqrt(log(2 d) sum zeta_i^2) of the sum, at this length: its exponent", "insert the constant")
            .inserting("sum_constant"),
            line("two_d", 2 * d, ">", 1).says("2 d is above 1").because("d >= 1").by((2, "d >= 1"), 1),
            line("above_half", log_2d, ">=", sp.Rational(1, 2))
            .says("the logarithm of 2 d is above 1/2", "log(d) >= 0 and log(2) > 1/2")
            .by(Instance("exponential", -sp.log(d)), (1 / d, "d >= 1"), sp.log(2) - sp.Rational(1, 2), modulo=((1, "log_2d"),)),
            line("small_length", p_long, "<=", 2 * sp.exp(-exponent))
            .says("for iota <= 2 log(2) log(2 d) the right side of (11) is at least 1, and no probability is larger")
            .because("the exponent is at most log(2)")
            .by("p_long <= 1", (2 * sp.exp(-exponent), Instance("decay", (1 / (2 * log_2d), "short")))),
            line("larger", sp.log(d) - iota, "<=", -exponent)
            .says("for a larger iota it is above 2 d exp(-iota): here the logarithms of both over 2", "2 log(2) >= 1")
            .by(("long", "above_half", 1 / log_2d), (log_2d, 2 * sp.log(2) - 1), modulo=((1, "log_2d"),)),
            line("large_length", p_long, "<=", 2 * sp.exp(-exponent))
            .says("so (11) holds there too, and the sum is longer with at most this probability", "(13)")
            .by("thirteen", (2 * sp.exp(-exponent), Instance("decay", ("larger",)))),
            line("both_cases")
            .says("so the sum has the constant C sqrt(log(2 d) sum zeta_i^2); with log(d) it would be 0 at d = 1 (printed_corollary3)")
            .because("both cases")
            .reasoned("Definition 7, for every length t >= 0", using=("small_length", "large_length", "exponent")),
        ),
    )
