"""Moments of random projections, exact for every size: what a projection and its transpose do to a layer and to noise.

Setting   P (k, r) with independent N(0, 1/r) entries, or P = sqrt(k/r) Q with orthonormal columns, uniform. G (k, n) is a layer whose
          columns are projected (Algorithm 1, from the left: k = m), or one column, a flattened block of k = m n entries (Algorithm 6).
          G, a, H and Z do not depend on P; Z (r, n) has independent N(0, sigma^2) entries.
Measure   moments of P up to order 4, and the tail of ||P'G||_F.
Source    ours; Appendix D uses E PP' = I, and prints (d + r - 1)/r for the stretch; Section 6 names other projections.

The stretch is what matters of a projection: E ||PP'G||_F^2 = stretch ||G||_F^2. It is (k + r + 1)/r with Gaussian entries, k/r with
orthonormal columns and 1 without a projection. Noise is none of its business: E ||PZ||_F^2 is sigma^2 times the number of parameters for
all of them. `paper_checks.dp_grape.moments` finds the same by a sum over all pairings of the entries, and derives what is said of
orthonormal columns.
"""

from fractions import Fraction
from typing import Literal, get_args

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_grape.paper import keyed, proved
from bounds.lines import Reasoned, line
from bounds.symbols import introduce, sigma, symbols
from bounds.theorem import Condition, Part
from bounds.validate import door, one_of, positive_integer

Projection = Literal["left", "flattened", "orthonormal", "none"]
PROJECTIONS = get_args(Projection)

k, r, n_l, a_sq, a_H, trace_H, layer_sq, layer_fourth, x = symbols(
    "block subspace columns a_sq a_H trace_H layer_sq layer_fourth tail_level"
)
entry_sq, entry_fourth, entry_pair, column_own, gram, noise_mapped, returned_sq, projected_mean, projected_var = (
    introduce(name, latex, words, 0, 1e6, "proof")
    for name, latex, words in (
        ("entry_sq", r"\mathbb{E}P_{11}^2", "mean square of an entry of P"),
        ("entry_fourth", r"\mathbb{E}P_{11}^4", "mean fourth power of an entry of P"),
        ("entry_pair", r"\mathbb{E}P_{11}^2P_{21}^2", "mean of the squares of two entries of P, multiplied"),
        ("column_own", r"\mathbb{E}(p^{\top}u)^2\|p\|^2", "mean of (p'u)^2 ||p||^2 for a column p of P and a unit vector u"),
        ("gram", r"\mathbb{E}(P^{\top}P)_{11}", "mean squared length of a column of P"),
        ("noise_mapped", r"\mathbb{E}\|PZ\|_F^2", "mean squared length of PZ"),
        ("returned_sq", r"\mathbb{E}\|PP^{\top}G\|_F^2", "mean squared length of PP'G"),
        ("projected_mean", r"\mathbb{E}\|P^{\top}G\|_F^2", "mean squared length of P'G"),
        ("projected_var", r"\operatorname{Var}\|P^{\top}G\|_F^2", "variance of the squared length of P'G"),
    )
)
column_H = introduce("column_H", r"\mathbb{E}(p^{\top}a)^2p^{\top}Hp", "mean of (p'a)^2 p'Hp for a column p of P", -1e6, 1e6, "proof")
returned_H = introduce("returned_H", r"\mathbb{E}\|PP^{\top}a\|_H^2", "mean of a'PP'HPP'a", -1e6, 1e6, "proof")
layer_root = introduce("layer_root", r"\sqrt{\sum s_i^4}", "root of the sum of fourth powers of singular values of G", 0, 1e6, "proof")
top_sq = introduce("top_sq", "s_1^2", "largest squared singular value of G", 0, 1e6, "proof")
lemma_level = introduce("lemma_level", r"\ell", "what a squared length exceeds with probability exp(-x) at the most", 0, 1e6, "proof")
exceeded = introduce("exceeded", r"\mathbb{P}(\|P^{\top}G\|_F^2>\ell)", "probability of more than that level", 0, 1, "probability")
long_layer = introduce("long_layer", r"\mathbb{P}(\|P^{\top}G\|_F>C)", "probability of a long P'G", 0, 1, "probability")

ALLOWED = layer_sq * (1 + 2 * sp.sqrt(x / r) + 2 * x / r)  # C^2 of the tail
ACROSS = r * (k - r) / (k * (k + 2) * (k - 1))
SHARED_Q = (k / r) ** 2 * ACROSS
OWN_Q = (k / r) ** 2 * (r * (r + 2) / (k * (k + 2)) - ACROSS)
GAUSSIAN = ("P has r columns and independent N(0, 1/r) entries", "G, a, H and Z do not depend on P")

MOMENTS = keyed(
    *("moments", "Moments of a Gaussian projection", "ours; Sections 2.1 and 4, Appendix D"),
    claim="identity",
    measure="E ||PP'G||_F^2",
    assumptions=GAUSSIAN,
    bound=(k + r + 1) / r * layer_sq,
    measured=returned_sq,
    parts=(
        Part("unbiased", "E ||P'G||_F^2, for every G: E PP' is the identity", "=", layer_sq, projected_mean),
        Part("gram", "E (P'P)_jj, the other entries being 0 in the mean", "=", k / r, gram),
        Part("variance", "Var ||P'G||_F^2", "=", 2 * layer_fourth / r, projected_var),
        Part("weighted", "E a'PP'HPP'a, for every a", "=", ((r + 1) * a_H + a_sq * trace_H) / r, returned_H),
        Part("noise", "E ||PZ||_F^2, with every projection", "=", sigma**2 * k * n_l, noise_mapped),
    ),
    notes=("the paper prints (d + r - 1)/r for the stretch (k + r + 1)/r of a block",),
)
ORTHONORMAL = keyed(
    *("moments_orthonormal", "Moments of a scaled orthonormal projection", "ours; Section 6 names it as future work"),
    claim="identity",
    measure="E ||PP'G||_F^2",
    assumptions=("P = sqrt(k/r) Q, Q with r orthonormal columns of length k, uniform", "G, a and H do not depend on P"),
    bound=k / r * layer_sq,
    measured=returned_sq,
    conditions=(Condition(r <= k, "r = {value} is above the length {limit} of a column: there are no r orthonormal ones"),),
    parts=(
        Part("unbiased", "E ||P'G||_F^2, for every G: E PP' is the identity", "=", layer_sq, projected_mean),
        Part("sure", "||P'G||_F^2, always", "<=", k / r * layer_sq),
        Part("weighted", "E a'PP'HPP'a, for every a", "=", OWN_Q * a_H + SHARED_Q * a_sq * trace_H, returned_H, (k > 1,)),
    ),
)
TAIL = keyed(
    *("moments_tail", "How long a projected gradient is", "ours; after Laurent, Massart (2000), Annals of Statistics 28(5), Lemma 1"),
    measure="P(||P'G||_F > C), C^2 = ||G||_F^2 (1 + 2 sqrt(x/r) + 2 x/r)",
    assumptions=GAUSSIAN,
    bound=sp.exp(-x),
    measured=long_layer,
    parts=(Part("threshold", "C^2", "=", ALLOWED),),
    notes=("all layers together are one block-diagonal G with their singular values: their number does not enter",),
)


@door
def stretch(projection: Projection, *, rows: int, columns: int = 1, r: int = 1) -> float:
    """Return E ||PP'G||_F^2 over ||G||_F^2 for a layer with `rows` rows and `columns` columns.

    projection   "left": P has r columns of `rows` Gaussian entries;   "flattened": of rows * columns;   "orthonormal": from the left, with
                 orthonormal columns scaled by sqrt(rows/r), r <= rows;   "none": no projection, 1
    """
    own, shared = shares(projection, rows=rows, columns=columns, r=r)
    return float(own + shared * (rows * columns if projection == "flattened" else rows))


@door
def shares(projection: Projection, *, rows: int, columns: int = 1, r: int = 1) -> tuple[Fraction, Fraction]:
    """Return own and shared of E PP'HPP' = own H + shared Tr(H) I, H of the side that is projected; arguments as for `stretch`."""
    one_of(PROJECTIONS, projection=projection)
    positive_integer(rows=rows, columns=columns, r=r)
    if projection in ("left", "flattened"):
        return Fraction(r + 1, r), Fraction(1, r)
    if projection == "orthonormal" and r > rows:
        raise ValueError(f"r = {r!r}: an integer of at most rows = {rows!r} is needed, there are no more orthonormal columns")
    if projection == "none" or rows == 1:
        return Fraction(1), Fraction(0)
    shared = Fraction(rows * (rows - r), r * (rows + 2) * (rows - 1))
    return Fraction(rows, r) - rows * shared, shared


def proof() -> Derivation:
    """Write the moments of a Gaussian projection out."""
    turned = Reasoned("the law of P is the same in every rotated basis: take the left singular vectors of G, where odd moments vanish")
    pairs = Reasoned("PP' is the sum of pp' over the r columns, which are independent with E pp' = E P_11^2 I: multiply out")
    facts = (
        line("entries", entry_sq, "=", 1 / r).says("the entries of P are N(0, 1/r)").reasoned("the variance of the law"),
        line("fourth", entry_fourth, "=", 3 * entry_sq**2).says("a normal entry").cited("fourth moment of a normal law"),
        line("pair", entry_pair, "=", entry_sq**2).says("two entries are independent").reasoned("means multiply"),
        line("own", column_own, "=", entry_fourth + (k - 1) * entry_pair).says("(p'u)^2 ||p||^2 is p_1^2 ||p||^2").certified(turned),
        line("own_H", column_H, "=", (2 * a_H + a_sq * trace_H) * entry_pair)
        .says("E pp'Hpp' = (2 H + Tr(H) I) E P_11^2 P_21^2, as E P_11^4 is three times that")
        .reasoned("in a basis of eigenvectors of H odd moments vanish", using=("fourth", "pair")),
        line("columns", returned_sq, "=", (r * column_own + r * (r - 1) * entry_sq**2) * layer_sq)
        .says("column by column")
        .certified(pairs),
        line("columns_H", returned_H, "=", r * column_H + r * (r - 1) * entry_sq**2 * a_H).says("E a'PP'HPP'a").certified(pairs),
        line("lengths", projected_mean, "=", r * entry_sq * layer_sq).says("the sum of s_i^2 ||P'u_i||^2").certified(turned),
        line("spreads", projected_var, "=", r * (entry_fourth - entry_sq**2) * layer_fourth)
        .says("the P'u_i are independent, of r independent entries each: variances add up")
        .certified(turned),
        line("entries_of_a_column", gram, "=", k * entry_sq).says("k entries in a column").reasoned("means add up"),
        line("given_P", noise_mapped, "=", sigma**2 * n_l * r * gram).says("Z is independent of P").reasoned("E ZZ' = sigma^2 n I"),
    )
    steps = (
        line("square", entry_sq**2, "=", 1 / r**2)
        .says("the mean square of an entry, squared", "twice 1/r")
        .identity((entry_sq + 1 / r, "entries")),
        line("unbiased", projected_mean, "=", layer_sq)
        .says("the mean squared length of P'G is that of G, for every G", "r entries")
        .identity((1, "lengths"), (r * layer_sq, "entries")),
        line("gram", gram, "=", k / r)
        .says("the mean squared length of a column", "k entries")
        .identity((1, "entries_of_a_column"), (k, "entries")),
        line("variance", projected_var, "=", 2 * layer_fourth / r)
        .says("the variance of the squared length of P'G", "a square has twice the squared mean")
        .identity((1, "spreads"), (r * layer_fourth, "fourth"), (2 * r * layer_fourth, "square")),
        line("weighted", returned_H, "=", ((r + 1) * a_H + a_sq * trace_H) / r)
        .says("the mean of a'PP'HPP'a", "r terms of one column and r (r - 1) of two")
        .identity(
            *((1, "columns_H"), (r, "own_H"), (r * (2 * a_H + a_sq * trace_H), "pair")),
            (r * (2 * a_H + a_sq * trace_H) + r * (r - 1) * a_H, "square"),
        ),
        line("noise", noise_mapped, "=", sigma**2 * k * n_l)
        .says("the mean squared length of PZ", "sigma^2 for every entry of P'P")
        .identity((1, "given_P"), (sigma**2 * n_l * r, "gram")),
        line("bound", returned_sq, "=", (k + r + 1) / r * layer_sq)
        .says("the mean squared length of PP'G", "r terms of one column and r (r - 1) of two")
        .identity(
            *((1, "columns"), (r * layer_sq, "own"), (r * layer_sq, "fourth"), (r * (k - 1) * layer_sq, "pair")),
            (r * (k + r + 1) * layer_sq, "square"),
        ),
    )
    shows = {part.name: part.name for part in MOMENTS.parts}
    return proved("moments", "moments of a Gaussian projection", "ours", facts=facts, steps=steps, proves=MOMENTS, shows=shows)


def tail_proof() -> Derivation:
    """Write the tail out."""
    facts = (
        line("root", layer_root, "<=", layer_sq).says("the root of sum s_i^4 is at most sum s_i^2").reasoned("all terms are positive"),
        line("top", top_sq, "<=", layer_sq).says("the largest term is at most the sum").reasoned("all terms are positive"),
        line("level", lemma_level, "=", layer_sq + 2 * layer_root * sp.sqrt(x / r) + 2 * top_sq * x / r).says("its level").defined(),
        line("lemma", exceeded, "<=", sp.exp(-x))
        .says("||P'G||_F^2 is a sum of r independent squares for each singular value, with weight s_i^2/r")
        .cited("Laurent, Massart (2000), Lemma 1", using=("level",)),
        line("event", long_layer, "<=", exceeded).says("a higher level is rarer").reasoned("the level is at most C^2", using=("below",)),
    )
    steps = (
        line("below", lemma_level, "<=", ALLOWED)
        .says("the level is at most C^2", "both norms of the weights are at most the squared length of G")
        .by((2 * sp.sqrt(x / r), "root"), (2 * x / r, "top"), at=("level",)),
        line("bound", long_layer, "<=", sp.exp(-x)).says("the probability of a long P'G", "the lemma").by("event", "lemma"),
    )
    return proved("moments_tail", "how long a projected gradient is", "ours", facts=facts, steps=steps, proves=TAIL)
