"""What the difference of two coupled runs is made of, and how large its parts are: Lemmas 18, 19, and 20 as far as its proof goes.

Setting   two runs from the saddle with the same noise but for its sign along the lowest eigenvector; x_hat is their difference,
          a(t)^2 = sum over i <= t of (1 + eta gamma)^(2(t-i)), b(t) = (1 + eta gamma)^t / sqrt(2 eta gamma).
Source    Gauss-PSGD, Lemmas 18 to 20, Appendix B.1, (21) to (45).

The chain of Lemma 20 stops at (42), which drops a root of iota. The repaired step is in `repaired_block`.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.paper import by_block, letters, proved, stated, tail
from bounds.inequalities import Instance
from bounds.lines import GIVENS, Reasoned, Step, line
from bounds.pages import chance
from bounds.symbols import introduce
from bounds.theorem import Condition, Part

away, away_2, a_sq, b, c, C, d, Delta_x, eta, gamma, Gamma = letters("away away_2 a_t_sq b_frak c C d Delta_x eta gamma Gamma")
h, iota, log_ratio, M, mu, P_h, p_noise, P_p, P_sg, r, R, rho = letters("eigenvalue iota log_ratio M mu P_h p_noise P_p P_sg r R rho")
s, sum_sq, t, x_hat, xi_hat, zeta_hat = letters("s sum_sq t x_hat xi_hat zeta_hat")


def size(name: str, latex: str, text: str) -> sp.Symbol:
    """Return the letter for a length."""
    return introduce(name, latex, text, 0, 1e6, "proof", changes=True)


noise_part = size("noise_part", r"\|\mathscr{P}_p(t)\|", "size of the part of the difference that the noise makes")
p_out = chance("p_out", r"\|\mathscr{P}_p\|\text{ above its bound}", "the noise part too large")
LEMMA_18 = stated(
    "Lemma 18 (dynamics of the difference)",
    "(22)",
    claim="identity",
    measure="x_t - x'_t",
    assumptions=("F twice differentiable", "both runs start at the same point"),
    bound=-P_h - P_sg - P_p,
    measured=x_hat,
    notes=(
        "with Hess the Hessian at the start and Delta_i the mean of the Hessian between the two runs after step i, less Hess: "
        "P_h(t) = eta sum_{i<=t} (I - eta Hess)^(t-i) Delta_{i-1} (x_{i-1} - x'_{i-1}); P_sg(t) and P_p(t) are the same sums over the "
        "differences of sampling errors and of added noise, without Delta",
        "each part is a number here: its component along one direction",
    ),
)
x = eta * gamma
squared = (1 + x) ** (2 * t)
SUM_OF_SQUARES = (squared - 1) / (2 * x + x**2)  # a(t)^2
GROWTH = (1 + x) ** t / sp.sqrt(2 * x)  # b(t) of (30)
LEMMA_19 = stated(
    "Lemma 19 (added-noise part)",
    "(30) to (32)",
    measure="||P_p(t)||",
    assumptions=("noise mirrored along the unstable direction, N(0, added_noise^2) there", "0 < eta curvature <= 1"),
    bound=c * GROWTH * eta * r * sp.sqrt(iota),
    measured=noise_part,
    parts=(
        Part("failure", "probability of the contrary", "<=", 2 * tail, p_out),
        Part("a", "a(t), the root of the sum of (1 + eta curvature)^(2 (t - i))", "=", sp.sqrt(SUM_OF_SQUARES)),
        Part("b", "b(t)", "=", GROWTH),
        Part("deviation", "standard deviation of P_p(t) along the unstable direction", "=", 2 * eta * r * sp.sqrt(SUM_OF_SQUARES)),
        Part(
            "below", "||P_p(t)|| at t = Gamma with probability 2/3", ">=", GROWTH * eta * r / 10, noise_part, (sp.Ge(eta * gamma * t, 1),)
        ),
    ),
    conditions=(
        Condition(c >= 2 * sp.sqrt(2), "c_abs = {value} is below 2 sqrt(2) = {limit}, which the normal tail needs for 2 exp(-iota)"),
        Condition(eta * gamma <= 1, "eta curvature = {value} is above 1"),
    ),
    notes=("the lower bound holds at t = Gamma with Gamma eta curvature >= 1, not for all t: P_p(0) = 0",),
)
c_31 = introduce("c_31", "c_{31}", "the constant c of (31)", 1e-3, 1e3, "abbreviation")
LATER = {"x_hat": r"\hat x_{t+1}", "P_h": r"\mathscr{P}_h(t+1)", "P_sg": r"\mathscr{P}_{sg}(t+1)", "P_p": r"\mathscr{P}_p(t+1)"}
x_hat_next, P_h_next, P_sg_next, P_p_next = (
    introduce(f"{letter}_next", latex, f"{letter} one step later", -1e3, 1e3, "proof") for letter, latex in LATER.items()
)
noise_variance = introduce(
    "noise_variance", r"\mathbb{V}\,\mathscr{P}_p(t)", "variance of the noise part", 1e-30, 1e30, "proof", changes=True
)
z = introduce("z_score", "z", "a number of standard deviations", 1e-6, 40, "proof")
y_sq = introduce("y_sq", "y^2", "a small number of standard deviations, squared", 1e-30, 1e6, "proof")
b_Gamma = introduce("b_Gamma", r"\mathfrak{b}(\Gamma)", "(1 + eta gamma)^Gamma over the root of 2 eta gamma", 1e-3, 1e30, "proof")
noise_last = introduce("noise_last", r"\|\mathscr{P}_p(\Gamma)\|", "size of the noise part at the end of a round", 0, 1e6, "proof")
FEW_STEPS = {t: (1, 1000)}  # powers of (1 + x) with more than this many steps differ by nothing but size
scale = b * eta * r
growth_at_t = line("b_frak", b, "=", GROWTH).says("b(t) of (30)").defined("(30)")
grows_slowly = line("grows_slowly", x, "<=", 1).says("eta gamma <= eta M <= 1").assumed()
constant = line("constant", c, ">=", 2 * sp.sqrt(2)).says("c >= 2 sqrt(2), which the paper does not say").assumed()


def lemma18() -> Derivation:
    """Show that what is left of the difference once the three parts are added to it is 0 at the start, and stays 0."""
    last = Reasoned("peel off the term i = t + 1, which has the power 0")
    return proved(
        "lemma18",
        "the difference of two coupled runs is the sum of three parts",
        "Lemma 18, (21) to (28)",
        proves=LEMMA_18,
        facts=(
            line("dynamics", x_hat_next, "=", x_hat - eta * (h * x_hat + Delta_x + zeta_hat + xi_hat))
            .says(
                "(21), (25), a coordinate along an eigenvector of H: grad F(x) - grad F(x') = (H + Delta) (x - x'), Delta the mean of the "
                "Hessian on the segment minus H"
            )
            .reasoned("fundamental theorem of calculus: the gradient is the integral of the Hessian"),
            line("next_h", P_h_next, "=", (1 - eta * h) * P_h + eta * Delta_x).says("(22): the sum P_h at t + 1").certified(last),
            line("next_sg", P_sg_next, "=", (1 - eta * h) * P_sg + eta * zeta_hat).says("(22): the sum P_sg at t + 1").certified(last),
            line("next_p", P_p_next, "=", (1 - eta * h) * P_p + eta * xi_hat).says("(22): the sum P_p at t + 1").certified(last),
            line("nothing_left", x_hat + P_h + P_sg + P_p, "=", 0)
            .says("(27), (28): at t = 0 both runs are at the saddle and the sums are empty, so nothing is left there nor later")
            .reasoned("induction over t: what is left is multiplied by 1 - eta h in every step", using=("kept",)),
        ),
        steps=(
            line("separated", x_hat_next, "=", (1 - eta * h) * x_hat - eta * (Delta_x + zeta_hat + xi_hat))
            .says("(24) to (26): the linear part of x_hat separates", "collect")
            .identity((1, "dynamics")),
            line("kept", x_hat_next + P_h_next + P_sg_next + P_p_next, "=", (1 - eta * h) * (x_hat + P_h + P_sg + P_p))
            .says("what is left of x_hat when the three parts are added is multiplied by 1 - eta h", "add the three recursions")
            .identity((1, "separated"), (1, "next_h"), (1, "next_sg"), (1, "next_p")),
            line("bound", x_hat, "=", -P_h - P_sg - P_p)
            .says("(22): the difference x_hat is the sum of the three parts", "nothing is left")
            .identity((1, "nothing_left")),
        ),
    )


def lemma19() -> Derivation:
    """Sum the squared growths; a normal tail bounds the part from above, a normal density at t = Gamma from below."""
    root = sp.sqrt(y_sq / 2)
    most = c * scale * sp.sqrt(iota)
    ratio = 1 / (most + noise_part)
    per = c**2 * iota * ratio
    once, share, third, pi_root = (1 + x) ** t, 1 / (2 * x * (2 + x)), sp.Rational(1, 3), sp.sqrt(sp.pi)
    return proved(
        "lemma19",
        "size of the part that the added noise makes",
        "Lemma 19, (30) to (32); (32) at t = Gamma only",
        proves=LEMMA_19,
        shows={"failure": "failure", "below": "below"},
        instances=({t: Gamma, b: b_Gamma, noise_part: noise_last}, {c: c_31}),  # at the end of a round; for the least constant
        spelled={"z": z, "y": y_sq},
        facts=(
            growth_at_t,
            grows_slowly,
            constant,
            line("geometric", a_sq, "=", SUM_OF_SQUARES)
            .says("a(t)^2 is a geometric sum")
            .reasoned("induction over t: the closed form is 1 at t = 1 and passes from t to t + 1", using=("passes_on", "starts")),
            line("variance", noise_variance, "=", 4 * eta**2 * r**2 * a_sq)
            .says("xi_hat_i = 2 (v' xi_i) v, so P_p(t) is normal along v, with this variance")
            .reasoned("the coupling flips the sign along v only, the growth along v is 1 + eta gamma; independent normal variables add up"),
            line("z_score", z, "=", c * sp.sqrt(iota) / 2).says("z = c sqrt(iota) / 2").defined(),
            line("event", noise_part**2, "<=", z**2 * noise_variance)
            .says("P_p(t) is within z standard deviations: the event that is claimed")
            .reasoned("outside an event of the next probability"),
            line("tail", p_out, "=", sp.erfc(z / sp.sqrt(2)))
            .says("a normal variable is further away with this probability")
            .reasoned("it is normal"),
            line("long_enough", t * x, ">=", 1).says("t = Gamma, and eta Gamma gamma >= eta Gamma sqrt(rho alpha) = mu >= 1").case(),
            line("y_sq", y_sq, "=", (scale / 10) ** 2 / noise_variance).says("b eta r / 10 over the standard deviation, squared").defined(),
            line("density", p_noise, "=", sp.erfc(root)).says("P(|P_p| >= b eta r / 10)").reasoned("it is normal, with the variance above"),
            line("enough_noise", noise_part, ">=", scale / 10)
            .says("(32) at t = Gamma: P_p is at least b eta r / 10, the event that is claimed with probability 2/3")
            .reasoned("an event of that probability", using=("likely",)),
        ),
        steps=(
            line("passes_on", (1 + x) ** 2 * SUM_OF_SQUARES + 1, "=", (squared * (1 + x) ** 2 - 1) / (2 * x + x**2))
            .says("the closed form of a(t)^2, with the growth eta gamma, passes from t to t + 1")
            .because("a(t + 1)^2 = (1 + x)^2 a(t)^2 + 1 with x = eta gamma")
            .identity()
            .within(FEW_STEPS),
            line("starts", ((1 + x) ** 2 - 1) / (2 * x + x**2), "=", 1)
            .says("and it starts at a(1)^2 = 1, whatever eta gamma is", "t = 1")
            .identity(),
            line("a_below_b", a_sq, "<=", b**2)
            .says("a(t)^2 <= b(t)^2, the sum of the squared growths", "common denominator")
            .by((squared, 1 / (2 * (2 + x))), 1 / (x * (2 + x)), at=("b_frak",), modulo=((-1, "geometric"),))
            .within(FEW_STEPS),
            line("normal_tail", sp.erfc(z / sp.sqrt(2)), "<=", sp.exp(-(z**2) / 2))
            .says("a normal tail at z: P(|Z| >= z) <= exp(-z^2/2)")
            .because("P(|Z| >= z) <= P(Z^2 + Z'^2 >= z^2) for an independent standard normal Z'")
            .reasoned("a set is contained in another"),
            line("z_squared", z**2, ">=", 2 * iota)
            .says("(31): with c >= 2 sqrt(2), which the paper does not say, z^2/2 is at least iota", "c^2 >= 8")
            .by((iota / 4, "constant", c + 2 * sp.sqrt(2)), modulo=((z + c * sp.sqrt(iota) / 2, "z_score"),)),
            line("failure", p_out, "<=", 2 * tail)
            .says("so the noise part is too large with probability at most 2 exp(-iota); half of that would do", "z^2 / 2 >= iota")
            .by("normal_tail", (tail, Instance("decay", (sp.Rational(1, 2), "z_squared"))), tail, modulo=((-1, "tail"),))
            .within({iota: (1, 100)}),
            line("size", noise_part, "<=", most)
            .says("(31): otherwise the size of the noise part is at most c b eta r sqrt(iota)", "z standard deviations, and a(t) <= b(t)")
            .by((ratio, "event"), (per * eta**2 * r**2, "a_below_b"), at=("z_score",), modulo=((-per / 4, "variance"),)),
            line("bernoulli", once, ">=", 1 + t * x)
            .says("(1 + eta gamma)^t >= 1 + t eta gamma", "Bernoulli's inequality, t >= 1")
            .reasoned("a convex function is above its tangent", using=("long_enough", "grows_slowly"))
            .claimed_where(*GIVENS),
            line("four", squared, ">=", 4)
            .says("so the squared growth (1 + eta gamma)^(2 t) over the round is at least 4", "(1 + eta gamma)^t >= 2")
            .by((once + 2, "bernoulli"), (once + 2, "long_enough")),
            line("ratio", b**2 * (1 - 1 / squared), "=", a_sq * (1 + x / 2))
            .says("(32) at t = Gamma: b(Gamma)^2 / a(Gamma)^2 = (1 + eta gamma / 2) / (1 - (1 + eta gamma)^(-2 Gamma))", "insert both")
            .identity(((1 - 1 / squared) * (b + GROWTH), "b_frak"), (-(1 + x / 2), "geometric"))
            .within(FEW_STEPS),
            line("at_most_two", b**2, "<=", 2 * a_sq)
            .says("so b(Gamma)^2 is at most twice the sum of the squared growths", "(1 + eta gamma)^(2 Gamma) >= 4")
            .by((share, "four"), (squared * share, "grows_slowly"), modulo=((2, "geometric"), (-(b + GROWTH), "b_frak")))
            .within(FEW_STEPS),
            line("few_deviations", y_sq, "<=", sp.Rational(1, 200))
            .says("b eta r / 10 is at most sqrt(2)/20 standard deviations, squared", "4 eta^2 r^2 a^2 >= 2 b^2 eta^2 r^2")
            .by((1 / (400 * a_sq), "at_most_two"), at=("y_sq", "variance")),
            line("flat", sp.erfc(root), ">=", 1 - 2 / sp.sqrt(sp.pi) * root)
            .says("a density is at most 1/sqrt(2 pi), so P(|Z| >= y) is at least", "P(|Z| < y) <= 2 y / sqrt(2 pi)")
            .reasoned("an integral is at most its length times the largest value"),
            line("likely", p_noise, ">=", sp.Rational(2, 3))
            .says("hence the part of the noise is large with probability at least 2/3", "1 - 1/(10 sqrt(pi)) >= 2/3")
            .by(
                "flat", third - 1 / (10 * pi_root), (1 / pi_root / (sp.Rational(1, 20) + root), "few_deviations"), modulo=((1, "density"),)
            ),
            line("below", noise_part, ">=", GROWTH * eta * r / 10)
            .says("(32) with b(Gamma) written out: the size of the part of the noise", "insert b(Gamma)")
            .by("enough_noise", modulo=((eta * r / 10, "b_frak"),)),
            line("bound", noise_part, "<=", c * GROWTH * eta * r * sp.sqrt(iota))
            .says("(31) with b(t) written out: the size of the part of the noise", "insert b(t)")
            .by("size", modulo=((-most / b, "b_frak"),)),
        ),
    )


LEMMA_20 = stated(
    "Lemma 20 (curvature and sampling parts)",
    "(33)",
    measure="||P_h(t) + P_sg(t)||",
    assumptions=(*paper.ASSUMPTION_1, *paper.ORACLE, "both runs stay within the radius up to step Gamma"),
    **paper.AT_BLOCK,
    bound=GROWTH * eta * r / 20,
    parts=(Part("failure", "probability of the contrary", "<=", 6 * d * Gamma * sp.log(R / (eta * r)) * tail),),
    conditions=(paper.STANDING, paper.HESSIAN_PART_SMALL, paper.SAMPLING_PART_SMALL),
    notes=(
        "conditions on a future event; the bad events should be intersected instead",
        "with the printed eta, (42) does not follow from Lemma 12, whatever s is: eta ell sqrt(Gamma) iota = sqrt(log_factor)",
    ),
)
rest_part = size("rest_part", r"\|\mathscr{P}_h(t)+\mathscr{P}_{sg}(t)\|", "size of the two other parts of the difference together")
hessian_part = size("hessian_part", r"\|\mathscr{P}_h(t)\|", "size of the part that the change of the Hessian makes")
sampling_part = size("sampling_part", r"\|\mathscr{P}_{sg}(t)\|", "size of the part that sampling makes")
apart = size("apart", r"\|\hat x_t\|", "distance of the coupled iterates")
most_apart = introduce("most_apart", r"\max\|\hat x_t\|", "largest distance of the coupled iterates", 1e-9, 1e9, "proof")
Delta_norm = introduce("Delta_norm", r"\|\Delta_t\|", "size of the change of the Hessian", 0, 1e6, "proof")
b_i = introduce("b_i", r"\mathfrak{b}(i)", "(1 + eta gamma)^i over the root of 2 eta gamma", 1e-3, 1e30, "proof")
earlier = introduce("earlier", "i", "a step before step t", 0, 1e9, "proof", changes=True)
p_now = introduce("p_up_to", r"p_t", "probability that the claim (34) fails up to step t", 0, 1, "probability", changes=True)
p_next = introduce("p_up_to_next", r"p_{t+1}", "probability that the claim (34) fails up to step t + 1", 0, 1, "probability", changes=True)
DISTANCES = (  # steps to the distance of the runs and the change of the Hessian
    paper.IOTA_AT_LEAST_1,
    line("distance", apart, "<=", most_apart)
    .says("(35) to (37): the distance of the runs is at most 2 c b eta r sqrt(iota)", "c sqrt(iota) >= 1/20")
    .by(
        "three_parts",
        "noise_at_t",
        "at_t",
        (scale * sp.sqrt(iota), "constant"),
        (2 * sp.sqrt(2) * scale / (sp.sqrt(iota) + 1), "iota_at_least_1"),
        (scale, 2 * sp.sqrt(2) - sp.Rational(1, 20)),
        at=("most_apart",),
    ),
    line("change", Delta_norm, "<=", rho * R)
    .says("(39): on E both runs stay within R, so the change of the Hessian is at most rho R", "(38); the means of y and 1 - y are 1/2")
    .by("lipschitz", (rho / 2, "stays"), (rho / 2, "stays_2")),
    line("same_terms", (1 + x) ** (t - earlier) * b_i, "=", b)
    .says("(40): each term of the sum is the same, (1 + eta gamma)^(t-i) b(i) = b(t)", "add the exponents")
    .inserting("b_i", "b_frak")
    .within({earlier: (1, 1000), t: (earlier, 2000)}),
)


def stays_close(constant: sp.Expr, per_term: sp.Expr) -> tuple[Step, ...]:
    """Return the facts about runs that stay within R: their distance, the sum of the Hessian's part, the lemma for the sampling part.

    `constant` is that of (31), `per_term` the norm-subGaussian constant of a sampling error over M ||x_hat||. Parts are at t or t + 1.
    """
    hypothesis, on_the_event = Reasoned("the induction hypothesis"), Reasoned("on the event E")
    return (
        growth_at_t,
        line("constant", constant, ">=", 2 * sp.sqrt(2)).says("c >= 2 sqrt(2), which the paper does not say").assumed(),
        line("noise_at_t", noise_part, "<=", constant * scale * sp.sqrt(iota))
        .says("Lemma 19 (31)")
        .shown("gauss_psgd.lemma19", "size", {c: constant}),
        line("at_t", rest_part, "<=", scale / 20).says("(34) at t").certified(hypothesis),
        line("three_parts", apart, "<=", noise_part + rest_part)
        .says("x_hat is the sum of the three parts")
        .reasoned("the triangle inequality on Lemma 18 (22)"),
        line("most_apart", most_apart, "=", 2 * constant * scale * sp.sqrt(iota)).says("(37): what the distance is at most").defined(),
        line("stays", away, "<=", R).says("the first run stays within R").certified(on_the_event),
        line("stays_2", away_2, "<=", R).says("the coupled run does too").certified(on_the_event),
        line("lipschitz", Delta_norm, "<=", rho * (away / 2 + away_2 / 2))
        .says("(38) with the missing -H: Delta is the mean over y in [0, 1] of the Hessian at y x + (1 - y) x', minus that at the saddle")
        .reasoned("the Hessian is rho-Lipschitz; the norm of a mean is at most the mean of the norms, and y and 1 - y are 1/2 on average"),
        line("b_i", b_i, "=", (1 + x) ** earlier / sp.sqrt(2 * x)).says("b(i) of (30)").defined("(30)"),
        line("sum_of_terms", hessian_part, "<=", eta * Gamma * rho * R * most_apart)
        .says("(40): at most Gamma terms, each at most eta (1 + eta gamma)^(t-i) rho R times the distance 2 c b(i) eta r sqrt(iota)")
        .reasoned("the triangle inequality", using=("distance", "change", "same_terms")),
        line("sum_sq", sum_sq, "=", Gamma * (eta * per_term * M * most_apart) ** 2)
        .says("at most Gamma terms, each with the constant that the distance allows")
        .defined(),
        line("lemma_12", sampling_part, "<=", C * sp.sqrt(sum_sq * iota))
        .says("Lemma 12: a martingale with squared constants V in all is at most C sqrt(V iota), with failure 2 d log(B/b) exp(-iota)")
        .cited("Jin, Netrapalli, Ge, Kakade, Jordan (2021), J. ACM 68(2), Lemma C.6; Lemma 12 of the paper", using=("distance",)),
    )


def hessian_step(c: sp.Expr) -> Step:
    """Return the step that bounds the part of the Hessian, from `factor_h`, that the factor of its sum is 1/s."""
    return (
        line("hessian_part", hessian_part, "<=", scale / 40)
        .says("so the part P_h of the Hessian is at most b eta r / 40 when s >= 80 c", "(40), (41)")
        .by("sum_of_terms", (scale / (40 * s), "large_s"), modulo=((-2 * c * scale, "factor_h"), (-eta * Gamma * rho * R, "most_apart")))
    )


def lemma20() -> Derivation:
    """Induction over t up to (42), which drops a root of iota; what both roots give is too large."""
    return proved(
        "lemma20",
        "the two other parts, as far as the proof goes",
        "Lemma 20, (34) to (44); (34) with >=",
        spelled={"P_h": hessian_part, "P_sg": sampling_part},
        facts=(
            *paper.PRINTED_LINES,
            *stays_close(c, sp.Integer(1)),
            line("large_s", s, ">=", 80 * c).says("s is large enough").assumed(),
            line("before", p_now, "<=", 6 * d * t * log_ratio * tail).says("(34) at t: its failure up to step t").case(),
            line("union", p_next, "<=", p_now + 4 * d * log_ratio * tail + 2 * tail)
            .says("Lemma 12 and (31) may fail at t + 1 too")
            .reasoned("union bound; (42) is taken for what Lemma 12 says"),
            line("far", log_ratio, ">=", 1).says("R >= e eta r").assumed(),
        ),
        steps=(
            line("start")
            .says("(34) by induction on t; at t = 0 and t = 1 the two parts are 0")
            .because("both runs start at the same point, so the first sampling errors agree")
            .reasoned("the coupling shares the sampling randomness"),
            *DISTANCES,
            by_block("factor_h", "(41), with the root of iota that the text after it drops", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s),
            hessian_step(c),
            line("two_roots", sp.sqrt(sum_sq * iota), "=", 2 * c * eta * M * sp.sqrt(Gamma) * iota * scale)
            .says("what Lemma 12 gives: one root of iota from the distance, one from the lemma (constant C of the lemma apart)")
            .because("insert the squared constants")
            .inserting("sum_sq", "most_apart"),
            by_block("one_root", "(42) has only one root of iota: that would be small", eta * M * sp.sqrt(Gamma * iota), 1 / sp.sqrt(s)),
            by_block("both_roots", "but with both roots of iota it is not", eta * M * sp.sqrt(Gamma) * iota, sp.sqrt(mu)),
            line("sampling_part", sampling_part, "<=", 2 * c * C * sp.sqrt(mu) * scale)
            .says("with the step size of (5) the bound on the sampling part P_sg is this, not b eta r / 40")
            .because("Lemma 12 with both roots of iota")
            .by("lemma_12", modulo=((-C, "two_roots"), (-2 * c * C * scale, "both_roots"))),
            line("stops")
            .says("here the printed proof stops: the bound on P_sg is too large by a factor 80 c C sqrt(mu)")
            .because("see printed_42 and printed_both_roots; gauss_psgd.repaired_block has a step size with which it goes through")
            .reasoned("a bound that is too large proves nothing; that the lemma is false is not shown"),
            line("probabilities", p_next, "<=", 6 * d * (t + 1) * log_ratio * tail)
            .says("the probability of a failure, had (43) held: (34) at t, Lemma 12 and (31) add up to (34) at t + 1")
            .because("d log(R/(eta r)) >= 1")
            .by("union", "before", (2 * tail * log_ratio, "d >= 1"), (2 * tail, "far")),
        ),
    )
