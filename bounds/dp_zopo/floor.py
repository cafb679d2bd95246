"""The privacy floor: below which accuracy alpha_S the step sizes, stage lengths and noise of Theorems 2 and 4 do not exist.

Setting   eta_S = alpha_S min{a, b/T} as in Theorem 2: a the least of its entries of sampling, clipping and smoothing, b/T that of the
          privacy noise, T the number of steps of all S stages, since (13) makes the noise private for so many.
Method    eta_S T_S = 7/(2 mu) and T = T_1 + ... + T_S with stages that double. So T = max{T', (alpha_priv/alpha_S) T} with T' what a
          alone would ask for: T stands on both sides.
Measure   the least alpha_S for which there is such a T; it exists exactly from there on, and above T = T' is the only one.
Source    ours; of DP-ZOPO, Theorem 2, (16) and (17), Theorem 4, (18) and (19). The printed complexities have lost the T of b/T.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.paper import PAGES, keyed, letters
from bounds.dp_zopo.theorem1 import LOGS
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.symbols import C, T, d, delta, epsilon, n, symbols
from bounds.theorem import Condition, Part

mu, P, S, r_S, alpha_S, eta, T_S, c_2 = letters("mu P S r alpha_s eta T_s c_2")
a, b, other_T, logs, split_logs = symbols("other_step noise_step other_T log_inverse log_split")

STAGES = 2 - 2 ** (1 - S)  # T over T_S
ENERGY = d * (c_2 * C) ** 2 * P * split_logs / (epsilon * n) ** 2  # of the noise of one of T steps, over T
FLOOR = ENERGY / mu * 49 * (1 - 2**-S)
TOGETHER = FLOOR.xreplace({split_logs: logs / P})

THEOREM = keyed(
    "floor",
    "the privacy floor of Theorems 2 and 4",
    "our proof, from the parameters of Theorem 2",
    claim="identity",
    measure="least alpha_S for which eta_S, T_S and T exist",
    assumptions=("eta_S is the printed minimum, eta_S T_S = 7/(2 mu), the stages double and the noise is that of (13) for all T steps",),
    bound=FLOOR,
    parts=(
        Part("together", "the same with the noise of P directions counted together", "=", TOGETHER),
        Part("masks", "the same as printed where a fraction of the parameters is tuned, Theorem 4", "=", r_S * FLOOR),
        Part("together with masks", "the same with both", "=", r_S * TOGETHER),
    ),
    definitions={"log_inverse": sp.log(1 / delta), "log_split": logs + sp.log(P)},
    conditions=(Condition(alpha_S >= FLOOR, "alpha_S = {value} is below {limit}: no step size, stage length and noise fit together"),),
    notes=("stages are taken to be of any length, not of whole steps", "more directions raise the floor, as printed"),
)


def proof() -> Derivation:
    """Write out both directions: what a solution says of alpha_S, and the solution where alpha_S is as large."""
    return PAGES.proved(
        "floor",
        "parameters exist exactly where alpha_S >= alpha_priv, and then T is that of the other entries",
        "our proof; Theorem 2, (16), Theorem 4, (18)",
        spelled={"T'": other_T, "a": a, "b": b},
        facts=(
            *LOGS,
            line("noise_step", b, "=", 1 / (7 * ENERGY)).says("b, T times the entry of the noise in eta_S/alpha_S").defined("Theorem 2"),
            line("last", T_S, "=", 7 / (2 * mu * eta)).says("T_S of Theorem 2").defined("Theorem 2"),
            line("all", T, "=", STAGES * T_S).says("T, the steps of S stages that double").defined("Algorithm 1", signs=("halving",)),
            line("others", other_T, "=", STAGES * (7 / (2 * mu * alpha_S * a)))
            .says("T', the same T where eta_S is alpha_S a").defined(signs=("halving",)),
            line("entry", eta * T, "<=", alpha_S * b).says("eta_S T is at most alpha_S b: eta_S is the least of the entries").assumed(),
            line("above", alpha_S, ">=", FLOOR).says("alpha_S is at least alpha_priv").assumed(),
        ),
        steps=(
            line("halving", 2 ** (1 - S), "<=", 1).says("2^(1-S) is at most 1", "S >= 1")
            .by((Instance("decay", (sp.log(2), "stages >= 1")),)),
            line("product", eta * T, "=", b * FLOOR)
            .says("whatever eta_S is, eta_S T is b times the floor", "insert T, T_S and b").inserting("all", "last", "noise_step"),
            line("necessary", FLOOR, "<=", alpha_S)
            .says("so where parameters exist, alpha_S is at least the floor", "over b")
            .by((1 / b, "entry"), modulo=((1 / b, "product"),)),
            line("solution", alpha_S * a * other_T, "=", b * FLOOR)
            .says("alpha_S a is the step size that T' goes with: the same product", "insert T' and b").inserting("others", "noise_step"),
            line("sufficient", a * other_T, "<=", b)
            .says("where alpha_S is at least the floor, a is at most b/T': alpha_S a is the minimum at T', which is a solution")
            .because("the product, over alpha_S")
            .by((b / alpha_S, "above"), modulo=((-1 / alpha_S, "solution"),)),
            line("slack", alpha_S * b - eta * T, "=", b * (alpha_S - FLOOR))
            .says("above the floor the entry of the noise is never the least, so that T' is the only solution; at it every T >= T' is one")
            .because("the product").identity((-1, "product")),
            line("exactly").says("so there are parameters exactly where alpha_S is at least the floor", "both directions")
            .reasoned("a solution needs no less, and with as much there is one", using=("necessary", "sufficient")),
        ),
    )  # fmt: skip
