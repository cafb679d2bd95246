"""Lemmas D.4 to D.9: conditioning, normal tails, sampling without replacement, moments of a projection, moments accounting.

Source    DP-GRAPE, Appendix D, Lemmas D.4 to D.9.

Lemmas D.5 and D.8 (ii) stand as printed, which is false; the parts that are called "true" are what their proofs here give.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_grape.meanings import NOT_ALL
from bounds.dp_grape.paper import keyed, letters, proved
from bounds.lines import Inverse, Reasoned, line
from bounds.papers import PAPERS
from bounds.theorem import Condition, Part, Theorem

B, C, d, delta, epsilon, n, r, T = letters("B C d delta epsilon n r T")
a_sq, W, W_clear, W_clipped, p_t, q_t = letters("a_sq W W_clear W_clipped p_t q_t")
mean_Q, mean_above, mean_below, share_above, level = letters("mean_Q mean_above mean_below share_above level")
normal_sd, cutoff, upper, square_mass, square_above, exceeds, beyond = letters(
    "normal_sd cutoff upper square_mass square_above exceeds beyond"
)
in_batch, two_in_batch, each_sq, pairs, batch_sq, partial = letters("in_batch two_in_batch each_sq pairs batch_sq partial")
u_square, u_fourth, u_mixed, weighted_sq = letters("u_square u_fourth u_mixed weighted_sq")
same_column, two_columns, kept_sq, back_sq, k = letters("same_column two_columns kept_sq back_sq k")
c_range, c_noise, sensitivity, sampling_sq, deviation_sq, V_sq_clipped = letters(
    "c_range c_noise sensitivity sampling_sq deviation_sq V_sq_clipped"
)

CITED = PAPERS["dp_grape"].cited
UPPER = sp.erfc(cutoff / (sp.sqrt(2) * normal_sd)) / 2  # P(X >= K) of N(0, sigma^2)
BELL = sp.exp(-(cutoff**2) / (2 * normal_sd**2))
BOTH_SIDES = sp.erfc(cutoff / sp.sqrt(2))  # P(|V| >= K) of N(0, 1)
DENSITY = sp.exp(-(cutoff**2) / 2) / sp.sqrt(2 * sp.pi)  # of N(0, 1) at K


def lemma(number: int, title: str, *, claim: str, measure: str, bound: Any, **parts: Any) -> Theorem:
    """Return a lemma of Appendix D."""
    source = f"{CITED}, Lemma D.{number}"
    return keyed(f"lemma_d{number}", f"Lemma D.{number} ({title})", source, claim, measure=measure, bound=bound, **parts)


LEMMA_D4 = lemma(
    4, "a mean given an event", claim="upper", measure="E[X | Q]", assumptions=("X >= 0", "P(Q) > 0"), bound=W / p_t, measured=W_clear
)
LEMMA_D5 = lemma(
    5,
    "second moment of a normal tail",
    claim="identity",
    measure="E[X^2 | X >= K]",
    assumptions=("X is normal with mean 0 and standard deviation normal_sd",),
    bound=normal_sd**2 * (1 + BELL / (UPPER * sp.sqrt(2 * sp.pi))),
    parts=(
        Part("true", "E[X^2 | X >= K]", "=", normal_sd**2 * (1 + cutoff / normal_sd * BELL / (UPPER * sp.sqrt(2 * sp.pi))), square_above),
        Part("two-sided as used", "E[V^2 | |V| >= K], V standard normal", "=", 1 + DENSITY / BOTH_SIDES),
        Part("two-sided true", "E[V^2 | |V| >= K], V standard normal", "=", 1 + 2 * cutoff * DENSITY / BOTH_SIDES),
    ),
    notes=("as printed a factor K/sigma of the second term is missing: too small where K is above sigma", "holds for negative K too"),
)
LEMMA_D6 = lemma(
    6,
    "a mean given an event that holds a tail",
    claim="upper",
    measure="E[X | Q]",
    assumptions=("X >= t implies Q", "P(X >= t) > 0"),
    bound=mean_above,
    measured=mean_Q,
)
LEMMA_D7 = lemma(
    7,
    "sampling without replacement",
    claim="identity",
    measure="E ||mean of a_l over a batch of B of them||^2",
    assumptions=("a_1 + ... + a_n = 0", "the batch is a uniformly random subset of size B"),
    bound=(n - B) / ((n - 1) * B) * each_sq,
    parts=(Part("at most", "the same", "<=", partial / B * each_sq, batch_sq),),
    measured=batch_sq,
    conditions=(Condition(n > 1, "n = {value}: for one vector both sides are 0, and the formula is 0/0"),),
)
LEMMA_D8 = lemma(
    8,
    "moments of a normal direction",
    claim="identity",
    measure="E[(u'a)^2 ||u||^2]",
    assumptions=("u is standard normal in d dimensions", "a is fixed"),
    bound=d * a_sq,
    parts=(
        Part("true", "E[(u'a)^2 ||u||^2]", "=", (d + 2) * a_sq, weighted_sq),
        Part("kept", "E ||P'a||^2, P of r columns with variance 1/r", "=", a_sq, kept_sq),
        Part("mapped back", "E ||P P'a||^2", "=", (d + r + 1) / r * a_sq, back_sq),
    ),
    notes=("as printed it is that of the sphere of radius sqrt(d); a normal u has (d + 2) ||a||^2",),
)
LEMMA_D9 = lemma(
    9,
    "moments accounting",
    claim="privacy",
    measure="sigma",
    assumptions=("a batch of B of n samples at each of T steps", "the mean over a batch has the sensitivity"),
    bound=c_noise * B * sensitivity * sp.sqrt(T * sp.log(1 / delta)) / (n * epsilon),
    conditions=(Condition(epsilon < c_range * B**2 * T / n**2, "epsilon = {value} is not below c_1 (B/n)^2 T = {limit}"),),
    notes=("cited; that c_1 and c_2 exist needs rare sampling and delta well below 1, which the lemma does not say",),
)

TOTAL = line("total_mean", W, "=", p_t * W_clear + q_t * W_clipped).says("W over the event and its complement").meaning()
one_less = Inverse("many")  # 1/(n - 1)
LEVELS = Reasoned("conditional expectation is monotone, and X >= t implies Q")
MANY = line("many", n, ">", 1).says("there are two different samples").assumed()
SUBSET = Reasoned("every subset of B samples is equally likely")
NORMAL = Reasoned("moments of independent standard normal numbers")


def lemma_d4() -> Derivation:
    """Split by total probability, and leave out what is not negative."""
    cases = (
        dict(zip((W, W_clear, W_clipped), letters(f"{x} {x}_clear {x}_clipped"), strict=True)) for x in ("inner_G", "mapped_sq", "noise_sq")
    )
    return proved(
        *("lemma_d4", "a mean given an event", "Lemma D.4"),
        proves=LEMMA_D4,
        instances=tuple(cases),
        facts=(TOTAL,),
        steps=(
            line("bound", W_clear, "<=", W / p_t)
            .says("the mean given the event that nothing clips, p_t its probability", "total probability")
            .by((q_t / p_t, W_clipped), modulo=((1 / p_t, "total_mean"),)),
        ),
    )


def lemma_d5() -> Derivation:
    """Integrate by parts; on both sides twice that."""
    mass = normal_sd**2 * upper + normal_sd * cutoff * BELL / sp.sqrt(2 * sp.pi)
    both = normal_sd**2 * exceeds + 2 * normal_sd * cutoff * BELL / sp.sqrt(2 * sp.pi)
    return proved(
        *("lemma_d5", "second moment of a normal tail", "Lemma D.5, corrected"),
        instances=({normal_sd: sp.Integer(1)},),
        left_open=(cutoff,),
        facts=(
            line("by_parts", square_mass, "=", mass)
            .says("the derivative of -sigma^2 x phi(x) is x^2 phi(x) - sigma^2 phi(x)")
            .reasoned("integration by parts"),
            line("given", square_above, "=", square_mass / upper).says("X^2 where X >= K").reasoned("what a conditional mean is"),
            line("two_upper", exceeds, "=", 2 * upper).says("|X| >= K on both sides").reasoned("the law is symmetric"),
            line("two_masses", beyond * exceeds, "=", 2 * square_mass).says("X^2 on both sides").reasoned("the law is symmetric"),
            line("upper", upper, "=", UPPER).says("the normal tail").defined(),
        ),
        steps=(
            line("one_sided", square_above, "=", normal_sd**2 * (1 + cutoff / normal_sd * BELL / (upper * sp.sqrt(2 * sp.pi))))
            .says("the mean of X^2 given X >= K: the factor K/sigma is not in the print", "divide by upper, the probability of X >= K")
            .identity((1, "given"), (1 / upper, "by_parts")),
            line("two_sided", beyond * exceeds, "=", both)
            .says("the mean beyond of X^2 given |X| >= K, times the probability of that", "twice one side")
            .identity((1, "two_masses"), (2, "by_parts"), (-(normal_sd**2), "two_upper")),
        ),
    )


def lemma_d6() -> Derivation:
    """Split Q into X >= t and the rest, where X is below t."""
    return proved(
        *("lemma_d6", "a mean given an event that holds a tail", "Lemma D.6"),
        proves=LEMMA_D6,
        instances=({mean_Q: V_sq_clipped, mean_above: beyond},),
        facts=(
            line("total", mean_Q, "=", share_above * mean_above + (1 - share_above) * mean_below)
            .says("total probability given Q; where X >= t, Q holds")
            .reasoned("total probability", using=("above",)),
            line("above", mean_above, ">=", level).says("X is at least t there").certified(LEVELS),
            line("below", mean_below, "<=", level).says("X is below t there").certified(LEVELS),
        ),
        steps=(
            line("bound", mean_Q, "<=", mean_above)
            .says("mean_Q is at most the mean above the level", "what is below t makes the mean smaller")
            .by(*(("share_above <= 1", name) for name in ("above", "below")), modulo=((-1, "total"),)),
        ),
    )


def lemma_d7() -> Derivation:
    """Expand the square: each vector and each pair with its probability; the pairs follow from the sum being 0."""
    return proved(
        *("lemma_d7", "sampling without replacement", "Lemma D.7"),
        proves=LEMMA_D7,
        shows={"at most": "at_most"},
        instances=({batch_sq: sampling_sq, each_sq: deviation_sq},),
        facts=(
            *(MANY, NOT_ALL),
            line("expanded", B**2 * batch_sq, "=", n * (in_batch * each_sq + two_in_batch * pairs))
            .says("the square of the sum over a batch: each vector and each ordered pair with its probability")
            .reasoned("the expectation is linear"),
            line("in_batch", in_batch, "=", B / n).says("a sample is in a batch").certified(SUBSET),
            line("two_in_batch", (n - 1) * n * two_in_batch, "=", B * (B - 1)).says("two samples are in a batch").certified(SUBSET),
            line("sum", each_sq + pairs, "=", 0).says("the squared length of the sum, over n").reasoned("the vectors add up to 0"),
        ),
        steps=(
            line("exact", batch_sq, "=", (n - B) / ((n - 1) * B) * each_sq)
            .says("the mean squared length of the mean over a batch", "the pairs add up to minus the squares")
            .identity(
                *((1 / B**2, "expanded"), (n * each_sq / B**2, "in_batch")),
                *(((pairs / B**2, one_less), "two_in_batch"), (((B - 1) / B, one_less), "sum")),
            ),
            line("at_most", batch_sq, "<=", partial / B * each_sq)
            .says("the mean squared length of the mean over a batch is at most", "n - B <= (n - 1) 1_{B<n}")
            .by((one_less, each_sq / B, "not_all"), modulo=((-1, "exact"),)),
            line("bound", batch_sq, "=", (n - B) / ((n - 1) * B) * each_sq)
            .says("which is the lemma: the mean squared length of the mean over a batch", "as above")
            .identity(((one_less, n - 1), "exact")),
        ),
    )


def lemma_d8() -> Derivation:
    """Take the coordinates one by one; then the columns of a projection, alone and in pairs."""
    return proved(
        *("lemma_d8", "moments of a normal direction, and of a projection and its transpose", "Lemma D.8, corrected"),
        instances=({d: k},),
        facts=(
            line("u_square", u_square, "=", 1).says("E u_i^2").certified(NORMAL),
            line("u_fourth", u_fourth, "=", 3).says("E u_i^4").certified(NORMAL),
            line("u_mixed", u_mixed, "=", u_square**2).says("E u_i^2 u_j^2").certified(NORMAL),
            line("coordinates", weighted_sq, "=", a_sq * (u_fourth + (d - 1) * u_mixed))
            .says("||u||^2 over its coordinates; a_i a_j u_i u_j, i and j different, has mean 0")
            .reasoned("the expectation is linear, odd moments vanish"),
            line("one_column", same_column, "=", weighted_sq / r**2).says("a column p of P is u / sqrt(r)").reasoned("variance 1/r"),
            line("two_columns", two_columns, "=", u_square**2 * a_sq / r**2)
            .says("E pp' and E qq' are both I/r")
            .reasoned("columns are independent"),
            line("columns", back_sq, "=", r * same_column + r * (r - 1) * two_columns)
            .says("P P'a is the sum of p p'a over the r columns")
            .reasoned("expand the square"),
            line("kept", kept_sq, "=", r * u_square * a_sq / r).says("||P'a||^2 is the sum of (p'a)^2").reasoned("r columns, variance 1/r"),
        ),
        steps=(
            line("weighted", weighted_sq, "=", (d + 2) * a_sq)
            .says("(ii): the mean of (u'a)^2 times the squared length of u", "3 + (d - 1)")
            .identity((1, "coordinates"), (a_sq, "u_fourth"), ((d - 1) * a_sq, "u_mixed"), ((d - 1) * a_sq * (u_square + 1), "u_square")),
            line("isometry", kept_sq, "=", a_sq)
            .says("the projection keeps the squared length of a in the mean", "E P P' = I")
            .identity((1, "kept"), (a_sq, "u_square")),
            line("mapped_back", back_sq, "=", (d + r + 1) / r * a_sq)
            .says("a projected and mapped back, its mean squared length", "(d + 2)/r + (r - 1)/r")
            .identity(
                *((1, "columns"), (r, "one_column"), (1 / r, "weighted"), (r * (r - 1), "two_columns")),
                ((r - 1) / r * a_sq * (u_square + 1), "u_square"),
            ),
        ),
    )
