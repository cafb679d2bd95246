"""Lemma 8 and Theorem 4 = Theorem 6, DP-ZOPO: Theorem 2 with d r_S for d, what a mask makes of it, and the limit that it leaves.

Setting   as Theorem 2; directions are v = M z, z standard normal, M diagonal, 0 or 1 there, of which a share r_s is 1 in stage s.
Method    DP-ZOPO, with one mask for all stages or a new one for each.
Measure   E[f_{beta_S}(theta^S) - f_{beta_S}(theta^*)] after S stages; in Lemma 8 the squared error of the estimate.
Source    DP-ZOPO, Lemma 8 and Theorem 4, equations (18), (19) and (48) to (54).

A mask that is kept leaves theta^S - theta^0 in its range: Theorem 2 then speaks of the loss on the tuned coordinates, with the minimiser
there in place of theta^*, and off the mask nothing moves.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.lemma4 import lemma4
from bounds.dp_zopo.lemma5 import SHARE, four_terms
from bounds.dp_zopo.paper import letters, proved, stated
from bounds.dp_zopo.theorem2 import STAGE, induction, statement
from bounds.lines import line
from bounds.theorem import Condition

beta, m, P, r, sigma, C, d, V = letters("beta m P r sigma C d error_level")
noise, direction_sq = letters("noise_energy direction_sq")
off_mask_sq, on_mask_sq, masked_gap = letters("off_mask_sq on_mask_sq masked_gap")

ERROR = sum(four_terms(d * r, beta).values())
LEMMA_8 = stated(
    "Lemma 8 (error of a pruned estimate)",
    "(48)",
    method="dp_zopo",
    measure="E||grad_V F_beta - estimate||^2",
    assumptions=(
        "f(.; x) is L-Lipschitz, samples' gradients have the mean squared distance sample_spread^2 from their mean",
        "a share tuned of the parameters is tuned; the noise is that of Theorem 1",
    ),
    bound=ERROR,
    notes=(
        "false where Lemma 4 is, of which it is the case of fewer parameters; its first term is right, for a mask of 0 and 1",
        "grad_V F_beta is the mean of an estimate without clipping: M^2 times the gradient of a loss smoothed on the mask only",
    ),
)
THEOREM_4 = statement(
    "Theorem 4 (DP-ZOPO)",
    "(18), (19), (49) and (50)",
    d * r,
    ("false where a mask is kept and theta^* - theta^0 is not in its range: what is off the mask does not move",),
    (Condition(d * r >= 1, "d r = {value} is below 1: no parameter is tuned"),),
)


def lemma8() -> Derivation:
    """Compute the noise of Lemma 8; the other terms are those of Lemma 4, which is false."""
    lemma = lemma4()
    return proved(
        *("lemma8", "the noise of a pruned estimate", "Lemma 8, its first term"),
        facts=(
            *(lemma["noise"], lemma["equation_13"]),
            line("direction_sq", direction_sq, "=", d * r).says("E ||v||^2: a share r of d coordinates").reasoned("variances add up"),
        ),
        steps=(
            line("noise_term", noise, "=", four_terms(d * r, beta)["noise"])
            .says("the noise of a step, d r coordinates, is the first term of Lemma 8", "d r sigma^2 C^2/(P m^2)")
            .identity((1, "noise"), ((sigma * C / m) ** 2 / P, "direction_sq"), (d * r * C**2 / (P * m**2), "equation_13")),
        ),
    )


def proof() -> Derivation:
    """Write the induction out on the tuned coordinates, and what a mask that is kept leaves of half a squared distance."""
    facts, made = induction(d * r)
    given = (
        line("error_level", V, "=", ERROR).says("V, the right side of Lemma 8").defined("Lemma 8", signs=("share",)),
        SHARE,
        STAGE.says("(40) with stage_bias for the loss on the tuned coordinates, theta^* the minimiser there").reasoned(
            "with one mask DP-ZOPO is DP-ZOSO on its d r coordinates, to which Lemma 5 applies"
        ),
        line("pythagoras", 2 * masked_gap, "=", on_mask_sq + off_mask_sq)
        .says("f = ||theta - theta^*||^2/2, on the mask and off it, where theta^S is theta^0")
        .reasoned("directions, noise and regulariser are in the range of the mask"),
    )
    floor = (
        line("limit", masked_gap, ">=", off_mask_sq / 2)
        .says("off the mask nothing moves: the excess is at least off_mask_sq/2, whatever S is", "the rest is a square")
        .by(on_mask_sq / 2, modulo=((sp.Rational(1, 2), "pythagoras"),)),
    )
    title = "the induction on the tuned coordinates, and the limit of a mask"
    return proved("theorem4", title, "Theorem 4, (51) to (53), Lemma 5 and Theorem 2", facts=(*given, *facts), steps=(*made, *floor))
