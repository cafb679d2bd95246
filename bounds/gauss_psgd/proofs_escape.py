"""The coupled runs at a saddle: what the difference of two runs is made of, and how large the part of the noise is (Lemmas 18, 19).

Setting   two runs from the saddle with the same noise but for its sign along the lowest eigenvector; x_hat is their difference,
          a(t)^2 = sum over i <= t of (1 + eta gamma)^(2(t-i)), b(t) = (1 + eta gamma)^t / sqrt(2 eta gamma).
Source    Gauss-PSGD, Appendix B.1, (21) to (32).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Defined,
    Derivation,
    Identity,
    NonNegative,
    Reasoned,
    Step,
    fact,
    line,
)
from bounds.gauss_psgd.escape import LEMMA_18, LEMMA_19, noise_part, p_out
from bounds.gauss_psgd.proofs_block import PAPER, SPELLED, Gamma, c, eta, gamma, iota, r, t
from bounds.inequalities import Instance
from bounds.symbols import Letter, introduce, symbols

h, x_hat, Delta_x, zeta_hat, xi_hat, P_h, P_sg, P_p = symbols("eigenvalue x_hat Delta_x zeta_hat xi_hat P_h P_sg P_p")
a_sq, b, p_noise = symbols("a_t_sq b_frak p_noise")
c_31 = introduce(Letter("c_31", "c_{31}", "the constant c of (31)", 1e-3, 1e3, "abbreviation"))


def after(letter: str, latex: str) -> sp.Symbol:
    """Return the letter for a real quantity one step later."""
    return introduce(Letter(f"{letter}_next", latex, f"{letter} one step later", -1e3, 1e3, "proof"))


x_hat_next, P_h_next = after("x_hat", r"\hat x_{t+1}"), after("P_h", r"\mathscr{P}_h(t+1)")
P_sg_next, P_p_next = after("P_sg", r"\mathscr{P}_{sg}(t+1)"), after("P_p", r"\mathscr{P}_p(t+1)")
noise_variance = introduce(Letter("noise_variance", r"\mathbb{V}\,\mathscr{P}_p(t)", "variance of the noise part", 1e-30, 1e30, "proof"))
z = introduce(Letter("z_score", "z", "a number of standard deviations", 1e-6, 40, "proof"))
y_sq = introduce(Letter("y_sq", "y^2", "a small number of standard deviations, squared", 1e-30, 1e6, "proof"))
b_Gamma = introduce(Letter("b_Gamma", r"\mathfrak{b}(\Gamma)", "(1 + eta gamma)^Gamma over the root of 2 eta gamma", 1e-3, 1e30, "proof"))
noise_last = introduce(Letter("noise_last", r"\|\mathscr{P}_p(\Gamma)\|", "size of the noise part at the end of a round", 0, 1e6, "proof"))

x = eta * gamma
FEW_STEPS = {t: (1, 1000)}  # powers of (1 + x) with more than this many steps differ by nothing but size
squared = (1 + x) ** (2 * t)
SUM_OF_SQUARES = (squared - 1) / (2 * x + x**2)
GROWTH = (1 + x) ** t / sp.sqrt(2 * x)  # b(t)
scale = b * eta * r
at_30 = fact("b_frak", "b(t) of (30)", b, "=", GROWTH, Defined("(30)"))
grows_slowly = fact("grows_slowly", "eta gamma <= eta M <= 1", x, "<=", 1, Assumed())
constant = fact("constant", "c >= 2 sqrt(2), which the paper does not say", c, ">=", 2 * sp.sqrt(2), Assumed())


def lemma18() -> Derivation:
    """Write the proof out: what is left of the difference once the three parts are added to it is 0 at the start, and stays 0."""
    linear = Reasoned("fundamental theorem of calculus: the gradient is the integral of the Hessian")
    last = Reasoned("peel off the term i = t + 1, which has the power 0")
    return Derivation(
        key="gauss_psgd.lemma18",
        title="the difference of two coupled runs is the sum of three parts",
        source=f"{PAPER}, Lemma 18, (21) to (28)",
        proves=LEMMA_18,
        spelled=SPELLED,
        facts=(
            fact(
                "dynamics",
                "(21), (25), a coordinate along an eigenvector of H: grad F(x) - grad F(x') = (H + Delta) (x - x'), Delta the mean of the "
                "Hessian on the segment minus H",
                x_hat_next,
                "=",
                x_hat - eta * (h * x_hat + Delta_x + zeta_hat + xi_hat),
                linear,
            ),
            fact("next_h", "(22): the sum P_h at t + 1", P_h_next, "=", (1 - eta * h) * P_h + eta * Delta_x, last),
            fact("next_sg", "(22): the sum P_sg at t + 1", P_sg_next, "=", (1 - eta * h) * P_sg + eta * zeta_hat, last),
            fact("next_p", "(22): the sum P_p at t + 1", P_p_next, "=", (1 - eta * h) * P_p + eta * xi_hat, last),
            fact(
                "nothing_left",
                "(27), (28): at t = 0 both runs are at the saddle and the sums are empty, so nothing is left there nor later",
                x_hat + P_h + P_sg + P_p,
                "=",
                0,
                Reasoned("induction over t: what is left is multiplied by 1 - eta h in every step", using=("kept",)),
            ),
        ),
        steps=(
            line(
                "separated",
                "(24) to (26): the linear part of x_hat separates",
                x_hat_next,
                "=",
                (1 - eta * h) * x_hat - eta * (Delta_x + zeta_hat + xi_hat),
                "collect",
                Identity(modulo=((1, "dynamics"),)),
                where=GIVENS,
            ),
            line(
                "kept",
                "what is left of x_hat when the three parts are added is multiplied by 1 - eta h",
                x_hat_next + P_h_next + P_sg_next + P_p_next,
                "=",
                (1 - eta * h) * (x_hat + P_h + P_sg + P_p),
                "add the three recursions",
                Identity(modulo=((1, "separated"), (1, "next_h"), (1, "next_sg"), (1, "next_p"))),
                where=GIVENS,
            ),
            line(
                "bound",
                "(22): the difference x_hat is the sum of the three parts",
                x_hat,
                "=",
                -P_h - P_sg - P_p,
                "nothing is left",
                Identity(modulo=((1, "nothing_left"),)),
                where=GIVENS,
            ),
        ),
    )


def lemma19() -> Derivation:
    """Write the proof out."""
    root = sp.sqrt(y_sq / 2)
    most = c * scale * sp.sqrt(iota)
    return Derivation(
        key="gauss_psgd.lemma19",
        title="size of the part that the added noise makes",
        source=f"{PAPER}, Lemma 19, (30) to (32); (32) at t = Gamma only",
        proves=LEMMA_19,
        shows={"failure": "failure", "below": "below"},
        instances=({t: Gamma, b: b_Gamma, noise_part: noise_last}, {c: c_31}),  # at the end of a round; for the least constant
        spelled={**SPELLED, "z": z, "y": y_sq},
        facts=(
            at_30,
            grows_slowly,
            constant,
            fact(
                "geometric",
                "a(t)^2 is a geometric sum",
                a_sq,
                "=",
                SUM_OF_SQUARES,
                Reasoned("induction over t: the closed form is 1 at t = 1 and passes from t to t + 1", using=("passes_on", "starts")),
            ),
            fact(
                "variance",
                "xi_hat_i = 2 (v' xi_i) v, so P_p(t) is normal along v, with this variance",
                noise_variance,
                "=",
                4 * eta**2 * r**2 * a_sq,
                Reasoned(
                    "the coupling flips the sign along v only, the growth along v is 1 + eta gamma; independent normal variables add up"
                ),
            ),
            fact("z_score", "z = c sqrt(iota) / 2", z, "=", c * sp.sqrt(iota) / 2, Defined()),
            fact(
                "event",
                "P_p(t) is within z standard deviations: the event that is claimed",
                noise_part**2,
                "<=",
                z**2 * noise_variance,
                Reasoned("outside an event of the next probability"),
            ),
            fact(
                "tail",
                "a normal variable is further away with this probability",
                p_out,
                "=",
                sp.erfc(z / sp.sqrt(2)),
                Reasoned("it is normal"),
            ),
            fact("long_enough", "t = Gamma, and eta Gamma gamma >= eta Gamma sqrt(rho alpha) = mu >= 1", t * x, ">=", 1, Case()),
            fact("y_sq", "b eta r / 10 over the standard deviation, squared", y_sq, "=", (scale / 10) ** 2 / noise_variance, Defined()),
            fact("density", "P(|P_p| >= b eta r / 10)", p_noise, "=", sp.erfc(root), Reasoned("it is normal, with the variance above")),
            fact(
                "enough_noise",
                "(32) at t = Gamma: P_p is at least b eta r / 10, the event that is claimed with probability 2/3",
                noise_part,
                ">=",
                scale / 10,
                Reasoned("an event of that probability", using=("likely",)),
            ),
        ),
        steps=(*_size_of_the_sum(), *_not_too_large(most), *_not_too_small(root), _bound_of_lemma19(most)),
    )


def _size_of_the_sum() -> tuple[Step, ...]:
    """Return the steps to a(t) <= b(t)."""
    return (
        line(
            "passes_on",
            "the closed form of a(t)^2, with the growth eta gamma, passes from t to t + 1",
            (1 + x) ** 2 * SUM_OF_SQUARES + 1,
            "=",
            (squared * (1 + x) ** 2 - 1) / (2 * x + x**2),
            "a(t + 1)^2 = (1 + x)^2 a(t)^2 + 1 with x = eta gamma",
            Identity(),
            ranges=FEW_STEPS,
        ),
        line(
            "starts", "and it starts at a(1)^2 = 1, whatever eta gamma is", ((1 + x) ** 2 - 1) / (2 * x + x**2), "=", 1, "t = 1", Identity()
        ),
        line(
            "a_below_b",
            "a(t)^2 <= b(t)^2, the sum of the squared growths",
            a_sq,
            "<=",
            b**2,
            "common denominator",
            NonNegative(((squared, 1 / (2 * (2 + x))), (1 / (x * (2 + x)),)), at=("b_frak",), modulo=((-1, "geometric"),)),
            where=GIVENS,
            ranges=FEW_STEPS,
        ),
    )


def _not_too_large(most: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to (31)."""
    ratio = 1 / (most + noise_part)
    return (
        line(
            "normal_tail",
            "a normal tail at z: P(|Z| >= z) <= exp(-z^2/2)",
            sp.erfc(z / sp.sqrt(2)),
            "<=",
            sp.exp(-(z**2) / 2),
            "P(|Z| >= z) <= P(Z^2 + Z'^2 >= z^2) for an independent standard normal Z'",
            Reasoned("a set is contained in another"),
        ),
        line(
            "z_squared",
            "(31): with c >= 2 sqrt(2), which the paper does not say, z^2/2 is at least iota",
            z**2,
            ">=",
            2 * iota,
            "c^2 >= 8",
            NonNegative(((iota / 4, "constant", c + 2 * sp.sqrt(2)),), modulo=((z + c * sp.sqrt(iota) / 2, "z_score"),)),
            where=GIVENS,
        ),
        line(
            "failure",
            "so the noise part is too large with probability at most 2 exp(-iota); half of that would do",
            p_out,
            "<=",
            2 * sp.exp(-iota),
            "z^2 / 2 >= iota",
            NonNegative(
                (("normal_tail",), (sp.exp(-iota), Instance("decay", (sp.Rational(1, 2), "z_squared"))), (sp.exp(-iota),)),
                modulo=((-1, "tail"),),
            ),
            where=GIVENS,
            ranges={iota: (1, 100)},
        ),
        line(
            "size",
            "(31): otherwise the size of the noise part is at most c b eta r sqrt(iota)",
            noise_part,
            "<=",
            most,
            "z standard deviations, and a(t) <= b(t)",
            NonNegative(
                ((ratio, "event"), (c**2 * iota * eta**2 * r**2 * ratio, "a_below_b")),
                at=("z_score",),
                modulo=((-(c**2) * iota * ratio / 4, "variance"),),
            ),
            where=GIVENS,
        ),
    )


def _not_too_small(root: sp.Expr) -> tuple[Step, ...]:
    """Return the steps to (32) at t = Gamma."""
    once = (1 + x) ** t
    return (
        line(
            "bernoulli",
            "(1 + eta gamma)^t >= 1 + t eta gamma",
            once,
            ">=",
            1 + t * x,
            "Bernoulli's inequality, t >= 1",
            Reasoned("a convex function is above its tangent", using=("long_enough", "grows_slowly")),
            where=GIVENS,
        ),
        line(
            "four",
            "so the squared growth (1 + eta gamma)^(2 t) over the round is at least 4",
            squared,
            ">=",
            4,
            "(1 + eta gamma)^t >= 2",
            NonNegative(((once + 2, "bernoulli"), (once + 2, "long_enough"))),
            where=GIVENS,
        ),
        line(
            "ratio",
            "(32) at t = Gamma: b(Gamma)^2 / a(Gamma)^2 = (1 + eta gamma / 2) / (1 - (1 + eta gamma)^(-2 Gamma))",
            b**2 * (1 - 1 / squared),
            "=",
            a_sq * (1 + x / 2),
            "insert both",
            Identity(modulo=(((1 - 1 / squared) * (b + GROWTH), "b_frak"), (-(1 + x / 2), "geometric"))),
            where=GIVENS,
            ranges=FEW_STEPS,
        ),
        line(
            "at_most_two",
            "so b(Gamma)^2 is at most twice the sum of the squared growths",
            b**2,
            "<=",
            2 * a_sq,
            "(1 + eta gamma)^(2 Gamma) >= 4",
            NonNegative(
                ((1 / (2 * x * (2 + x)), "four"), (squared / (2 * x * (2 + x)), "grows_slowly")),
                modulo=((2, "geometric"), (-(b + GROWTH), "b_frak")),
            ),
            where=GIVENS,
            ranges=FEW_STEPS,
        ),
        line(
            "few_deviations",
            "b eta r / 10 is at most sqrt(2)/20 standard deviations, squared",
            y_sq,
            "<=",
            sp.Rational(1, 200),
            "4 eta^2 r^2 a^2 >= 2 b^2 eta^2 r^2",
            NonNegative(((1 / (400 * a_sq), "at_most_two"),), at=("y_sq", "variance")),
            where=GIVENS,
        ),
        line(
            "flat",
            "a density is at most 1/sqrt(2 pi), so P(|Z| >= y) is at least",
            sp.erfc(root),
            ">=",
            1 - 2 / sp.sqrt(sp.pi) * root,
            "P(|Z| < y) <= 2 y / sqrt(2 pi)",
            Reasoned("an integral is at most its length times the largest value"),
        ),
        line(
            "likely",
            "hence the part of the noise is large with probability at least 2/3",
            p_noise,
            ">=",
            sp.Rational(2, 3),
            "1 - 1/(10 sqrt(pi)) >= 2/3",
            NonNegative(
                (
                    ("flat",),
                    (sp.Rational(1, 3) - 1 / (10 * sp.sqrt(sp.pi)),),
                    (1 / sp.sqrt(sp.pi) / (sp.Rational(1, 20) + root), "few_deviations"),
                ),
                modulo=((1, "density"),),
            ),
            where=GIVENS,
        ),
        line(
            "below",
            "(32) with b(Gamma) written out: the size of the part of the noise",
            noise_part,
            ">=",
            GROWTH * eta * r / 10,
            "insert b(Gamma)",
            NonNegative((("enough_noise",),), modulo=((eta * r / 10, "b_frak"),)),
            where=GIVENS,
        ),
    )


def _bound_of_lemma19(most: sp.Expr) -> Step:
    """Return the last step of Lemma 19: (31) with b(t) written out."""
    return line(
        "bound",
        "(31) with b(t) written out: the size of the part of the noise",
        noise_part,
        "<=",
        c * GROWTH * eta * r * sp.sqrt(iota),
        "insert b(t)",
        NonNegative((("size",),), modulo=((-most / b, "b_frak"),)),
        where=GIVENS,
    )
