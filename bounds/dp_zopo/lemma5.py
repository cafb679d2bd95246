"""Lemma 5 = Lemma 7, one stage: the printed bound, and the chain to it, in which clipping leaves a term that the print sets to 0.

Setting   F_beta L-Lipschitz and sqrt(d) L/beta-smooth, F rho-weakly convex, lambda <= 1/rho.
Method    theta_{t+1} minimises eta (<est, .> + r_s) + ||. - theta_t||^2/2, est the estimate, r_s = ||. - theta^{s-1}||^2/(2 lambda).
Measure   E[phi_s(theta^s) - phi_s(theta)], phi_s = F_beta + r_s, theta^s the average of theta_1, ..., theta_{T_s}, theta any point.
Source    DP-ZOPO, Lemma 5, equations (15) and (33) to (40).

Delta_t is grad F_beta less the estimate, b_t its mean given the past: the error that clipping leaves on average. Everything is an
expectation. `lemma5_steps` is the chain for any bound on the mean squared error and any number T of steps.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.lemma4 import CLIPPING, PRIVACY, SAMPLING, ZEROTH
from bounds.dp_zopo.paper import letters, proved, stated
from bounds.lines import Step, line
from bounds.meanings import introduce_average, introduce_run
from bounds.theorem import Condition, Part

eta, T, T_s, beta, lambda_, P, rho, d, L, delta = letters("eta T T_s beta lambda_ P rho d L delta")
V, error_sq, smooth_now, smooth_next, smooth_at = letters("error_level error_sq smooth_now smooth_next smooth_at")
anchor_next, anchor_at, grad_at, grad_step, grad_next = letters("anchor_next anchor_at grad_at grad_step grad_next")
pull_next, est_next, err_next, err_shift, err_clear = letters("pull_next est_next err_next err_shift err_clear")
bias_along, stage_bias, along_move, move_sq, away_sq = letters("bias_along stage_bias along_move move_sq away_sq")
away_next, away_first, away_last, phi_gap, mean_phi_gap, stage_gap = letters(
    "away_next away_first away_last phi_gap mean_phi_gap stage_gap"
)
introduce_average(phi_gap, mean_phi_gap)
introduce_average(bias_along, stage_bias)
introduce_run(away_sq, away_next, away_first, away_last)


def four_terms(dimension: Any, radius: Any) -> dict[str, Any]:
    """Return the four terms of Lemma 4 by what each is due to."""
    named = {"noise": PRIVACY, "clipping": CLIPPING, "smoothing": ZEROTH, "sampling": SAMPLING}
    return {name: term.xreplace({d: dimension, beta: radius}) for name, term in named.items()}


FOUR = sum(four_terms(d, beta).values())
LARGEST_ETA = beta / (sp.sqrt(d) * L)
FIRST = (1 / (2 * eta * T_s) + 1 / (2 * T_s * lambda_)) * away_first
BOUND = FIRST + eta * FOUR
LEMMA_5 = stated(
    "Lemma 5 (one stage)",
    "(15) and (33)",
    method="dp_zoo",
    measure="E[phi_s(theta^s) - phi_s(theta)]",
    measured=stage_gap,
    assumptions=(
        "f(.; x) is L-Lipschitz and weak-convex with constant weak for every x",
        "samples' gradients have the mean squared distance sample_spread^2 from their mean",
        "theta^s is the average of a stage: the print says the last iterate in (15), the average in (33)",
        "the noise is that of Theorem 1, and its T the number of steps of all stages",
    ),
    bound=BOUND,
    conditions=(
        Condition(eta <= LARGEST_ETA, "eta = {value} is above beta/(sqrt(d) L) = {limit}: the term of smoothness does not cancel"),
        Condition(rho * lambda_ <= 1, "rho lambda = {value} is above 1: phi_s need not be convex"),
    ),
    parts=(Part("error", "E||grad F - estimate||^2 by Lemma 4", "<=", FOUR, error_sq),),
    notes=(
        "false: clipping biases the estimate, and the average of <b_t, theta_{t+1} - theta>, which does not vanish with eta, is left out",
        "of the proximal step; Algorithm 2 takes the regulariser at theta_t",
    ),
)

SHOWN = (  # (34) and (36), and what stands between them
    line("weakly_convex", smooth_at, ">=", smooth_now - grad_at - rho / 2 * away_sq)
    .says("(34): F_beta is weakly convex, between any point and theta_t")
    .cited("smoothing keeps weak convexity: an average of weakly convex functions"),
    line("strongly_convex", anchor_at, ">=", anchor_next - pull_next + away_next / (2 * lambda_))
    .says("(34): the regulariser, a square about theta^{s-1}, at any point")
    .reasoned("expand the square"),
    line("smooth", smooth_next, "<=", smooth_now + grad_step + sp.sqrt(d) * L / (2 * beta) * move_sq)
    .says("(34): F_beta is sqrt(d) L/beta-smooth")
    .cited("Lemma 3 (iii)"),
    line("phi", phi_gap, "=", smooth_next + anchor_next - smooth_at - anchor_at)
    .says("the excess of phi_s, which is F_beta + r_s")
    .reasoned("what phi_s is"),
    line("way", grad_next, "=", grad_step + grad_at).says("theta_{t+1} - theta, by way of theta_t").reasoned("linear"),
    line("proximal", pull_next, "=", along_move / eta - est_next)
    .says("(36): where the step ends, the slope of the regulariser")
    .reasoned("the derivative of what the step minimises is 0 there"),
    line("error", err_next, "=", grad_next - est_next).says("Delta_t is the error of the estimate").reasoned("linear"),
    line("square", away_sq, "=", move_sq + 2 * along_move + away_next)
    .says("the squared distance away_sq, by way of theta_{t+1}")
    .reasoned("expand the square"),
    line("way_of_error", err_next, "=", err_shift + err_clear).says("the error, by way of the step without it").reasoned("linear"),
    line("moved_by_error", (1 + eta / lambda_) * err_shift, "=", eta * error_sq)
    .says("two proximal steps differ by eta/(1 + eta/lambda) Delta_t, here along the error itself")
    .reasoned("solve (36) for theta_{t+1}"),
    line("given_the_past", err_clear, "=", bias_along)
    .says("in place of (38): given the past the error has the mean b_t, and the step without it is known")
    .reasoned("batch, directions and noise are drawn afresh"),
    line("jensen", stage_gap, "<=", mean_phi_gap)
    .says("the excess at the average is at most the average excess")
    .reasoned("Jensen's inequality: phi_s is convex", using=("weak",)),
)
HYPOTHESES = (
    line("step_size", eta, "<=", LARGEST_ETA).says("eta is at most beta/(sqrt(d) L)").assumed(),
    line("weak", rho, "<=", 1 / lambda_).says("lambda is at most 1/rho: phi_s is convex").assumed(),
    line("level", error_sq, "<=", V).says("the mean squared error of the estimate is at most V").assumed(),
)
SHARE = line("share", delta / P, "<", 1).says("delta/P is below 1").reasoned("delta < 1 <= P")


def steps() -> Derivation:
    """Go from (34) to (40) with any bound V on the squared error, and with what the bias adds."""
    whole = 1 + eta / lambda_
    made = (
        line(
            "equation_35",
            phi_gap,
            "<=",
            grad_next + pull_next + rho / 2 * away_sq + sp.sqrt(d) * L / (2 * beta) * move_sq - away_next / (2 * lambda_),
        )
        .says("(35): the excess phi_gap of phi_s after a step", "the three of (34)")
        .by("weakly_convex", "strongly_convex", "smooth", modulo=((1, "way"), (-1, "phi"))),
        line("three_points", along_move, "=", (away_sq - away_next - move_sq) / 2)
        .says("the step along the way, in squared distances", "solve the square for it")
        .identity((-sp.Rational(1, 2), "square")),
        line("equation_37", phi_gap, "<=", err_next + (1 / eta + rho) / 2 * away_sq - (1 / eta + 1 / lambda_) / 2 * away_next)
        .says("(37), its first part, where <= stands for =: the excess phi_gap by the error and by distances")
        .because("(36) in (35); a step of at most beta/(sqrt(d) L) pays for what smoothness adds")
        .by(
            *("equation_35", (sp.sqrt(d) * L * move_sq / (2 * eta * beta), "step_size")),
            modulo=((1, "error"), (-1, "proximal"), (-1 / eta, "three_points")),
        ),
        line("not_expansive", err_shift, "<=", eta * error_sq)
        .says("the error along what it moves is at most eta error_sq", "1/(1 + eta/lambda) is at most 1")
        .by(eta / lambda_ * eta * error_sq / whole, modulo=((-1 / whole, "moved_by_error"),)),
        line(
            "without_38",
            phi_gap,
            "<=",
            bias_along + eta * error_sq + (1 / eta + rho) / 2 * away_sq - (1 / eta + 1 / lambda_) / 2 * away_next,
        )
        .says("(37) with expectations: bias_along stays where (38) has 0", "the error, by way of the step without it")
        .by("equation_37", "not_expansive", modulo=((-1, "way_of_error"), (-1, "given_the_past"))),
        line("one_step", phi_gap, "<=", bias_along + eta * V + (1 / eta + 1 / lambda_) / 2 * (away_sq - away_next))
        .says("the excess phi_gap, with distances that telescope", "rho <= 1/lambda")
        .by("without_38", (eta, "level"), (away_sq / 2, "weak")),
        line("equation_39", mean_phi_gap, "<=", stage_bias + eta * V + (1 / eta + 1 / lambda_) / 2 * (away_first - away_last) / T)
        .says("(39) over T: the excess averaged over t = 0, ..., T - 1, where distances telescope")
        .because("the line holds at every t")
        .averaging("one_step"),
        line("equation_40", stage_gap, "<=", (1 / eta + 1 / lambda_) / (2 * T) * away_first + eta * V + stage_bias)
        .says("(40) with stage_bias: the excess at the average of a stage", "a squared distance is not negative")
        .by("jensen", "equation_39", ((1 / eta + 1 / lambda_) / (2 * T), away_last)),
    )
    return proved(
        *("lemma5_steps", "one stage, for any bound on the squared error", "Lemma 5, (34) to (40)"),
        facts=(*HYPOTHESES, *SHOWN),
        steps=made,
        instances=({T: T_s},),
        left_open=(V,),
    )


def of_lemma4() -> tuple[Step, ...]:
    """Return what a stage takes as given, with the right side of Lemma 4 for V."""
    return (
        *HYPOTHESES,
        line("error_level", V, "=", FOUR).says("V, the right side of Lemma 4").defined("Lemma 4", signs=("share",)),
        SHARE,
    )


def proof() -> Derivation:
    """Insert the four terms of Lemma 4, taken as a hypothesis because it is false; the printed bound follows where nothing is biased."""
    made = (
        line("with_bias", stage_gap, "<=", BOUND + stage_bias)
        .says("(33) with stage_bias, which it leaves out: the excess at the average of a stage", "Lemma 4 for V")
        .by("general", modulo=((-eta, "error_level"),)),
        line("without_bias", stage_gap, "<=", BOUND)
        .says("(33): the excess stage_gap where what clipping adds is not positive", "drop it")
        .by("with_bias", "nothing_added"),
    )
    facts = (
        *of_lemma4(),
        line("nothing_added", stage_bias, "<=", 0).says("(38) on average: stage_bias is not positive, as where nothing is clipped").case(),
        line("general", stage_gap, "<=", (1 / eta + 1 / lambda_) / (2 * T_s) * away_first + eta * V + stage_bias)
        .says("(40) with the bias, T_s steps")
        .shown("dp_zopo.lemma5_steps", "equation_40", {T: T_s}),
    )
    return proved("lemma5", "one stage, with what clipping adds", "Lemma 5, (33) and Lemma 4", facts=facts, steps=made)
