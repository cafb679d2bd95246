"""One stage, and stages one after another: what holds in place of Lemma 5 and Theorem 2, and what is sharper.

Setting   f(., x) L-Lipschitz on R^d, K a convex set of diameter D, theta^* the least point of f in K; f - f^* >= 2 mu ||. - theta^*||^2
          in K where growth is asked for. On R^d that contradicts Lipschitz losses; on K it is asked of f, not of each smoothed loss.
Method    Algorithm 2 with the proximal step of its proof and a projection on K; batches of fixed size m; what a stage hands on is the mean
          of theta_1, ..., theta_T. With a static 0/1 mask of k coordinates: the same in theta^0 + range(M), d read as k, theta^* its own.
Measure   E phi_s - phi_s(theta) at the mean of a stage, for any theta of K; E f - f^* after it, from what it was before
Theorem   corrected_stage      (1/eta + rho) ||theta_0 - theta||^2 / (2 T) + eta E + B_C D, E the corrected Lemma 4, eta <= sqrt(pi/2) beta/L
          corrected_growth     the same from gap to gap, with 2 L beta sqrt(d) for the two losses and their two minimisers
          corrected_theorem2   eta_s = 3 alpha_s/(8 E), lambda = eta_s T_s = 4/mu, beta_s = alpha_s/(16 L sqrt(d)) halve the gap
          sharp_moment         E ||g^||^2 <= V = (L^2 (d + 2 sqrt(d)) + d sigma^2 C^2/m^2)/P + (1 - 1/P) L^2
          sharp_stage          (1/eta + rho) ||theta_0 - theta||^2 / (2 T) + eta V/2 + B_C D, whatever eta and beta are
          sharp_growth         no regulariser and no diameter: growth pays for weak convexity, and for what clipping takes
          sharp_theorem2       eta_s = 3 alpha_s/(4 V), eta_s T_s = 4/(3 mu) halve the gap
Source    ours. Lemma 5 sets to 0 what clipping takes from <grad F - grad f^, theta_{t+1} - theta>: B_C D is that. A second moment in place
          of an error needs no smoothness, hence no cap on eta, and half of it enters.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_zopo.corrected import ABBREVIATED, GRADIENT_ERROR
from bounds.dp_zopo.paper import keyed, letters, proved
from bounds.lines import Inverse, Step, line
from bounds.meanings import introduce_average, introduce_run
from bounds.symbols import T
from bounds.theorem import Condition, Part, Theorem

C, L, P, beta, d, m, sigma, eta, lambda_, mu, rho = letters("C L P beta d m sigma eta lambda_ mu rho")
T_s, alpha_s, B_C, V, E, D, tau = letters("T_s alpha_s bias_cap second error_cap diameter young")
before, after, phi, phi_t, mean_phi, true_t, mean_true = letters("gap_before stage_gap phi_gap phi_t mean_phi true_t mean_true")
now, then, first, last = letters("away_now away_next away_first away_last")
moved, moved_next, moved_first, moved_last = letters("moved_now moved_next moved_first moved_last")
hop, along, along_next, missed, length, bias_t = letters("hop along_now along_next missed_t length_t bias_t")
est_sq, err_sq, on_error, clipped, two, noise_v = letters("est_sq gradient_error on_error weighted_clipped two_directions noise_v")
weighted, sample_bias = letters("weighted_quotient quotient_bias")
introduce_run(now, then, first, last)
introduce_run(moved, moved_next, moved_first, moved_last)
introduce_average(phi_t, mean_phi)
introduce_average(true_t, mean_true)


def second_moment(d: Any, L: Any, P: Any, noise: Any, sqrt: Any = sp.sqrt) -> Any:
    """Return V; `noise` is the standard deviation of the noise on the mean along a direction. For letters, floats and arrays."""
    return (L**2 * (d + 2 * sqrt(d)) + d * noise**2) / P + (1 - 1 / P) * L**2


def from_gap_to_gap(before: Any, eta: Any, T: Any, beta: Any, tau: Any, at: dict[str, Any], sqrt: Any = sp.sqrt) -> Any:
    """Return the bound of sharp_growth, with V, B_C and the constants in `at`. For letters, floats and arrays."""
    V, B_C, d, L, mu, rho = (at[name] for name in ("V", "B_C", "d", "L", "mu", "rho"))
    each = eta * V / 2 + L * beta * sqrt(d) + rho * beta**2 * d / 2 + B_C**2 / (8 * mu * tau)
    return (1 + rho / (4 * mu)) * (before / (4 * mu * eta * T) + (1 + 1 / T) * each) / (1 - tau - rho / (4 * mu))


LIPSCHITZ = "f(., x) is L-Lipschitz on R^d for every sample x"
METHOD = "P normal directions, shared by a batch of m samples of fixed size; quotients clipped to C; noise noise_ratio C/m on their mean"
PROXIMAL = "theta_{t+1} is the point of a convex set K of diameter D with the least <g, .> + ||. - theta_t||^2/(2 eta) + regulariser"
PLAIN = "theta_{t+1} is the point of a convex set K that is closest to theta_t - eta g: no regulariser"
WEAK = "f(., x) is rho-weakly convex"
LEAST = "theta^* is the least point of f in K, and f - f^* >= 2 mu ||. - theta^*||^2 in K"
HANDED = "the stage hands on the mean of theta_1, ..., theta_T"
MASKED = "with a static 0/1 mask all holds in theta^0 + range(M), with the kept coordinates for d and its own theta^*, f^* and growth"
CAP, CONVEX = sp.Le(eta, sp.sqrt(sp.pi / 2) * beta / L), sp.Le(rho, 1 / lambda_)
GROWS, HALVES = sp.Le(2 * mu * first, before), sp.Le(before, 2 * alpha_s)
SMOOTHED = L * beta * sp.sqrt(d) + rho * beta**2 * d / 2
ROOM, LONG, WEAKLY = sp.Lt(tau + rho / (4 * mu), 1), sp.Ge(T_s, 7), sp.Le(rho, 2 * mu / 7)
LITTLE_BIAS, SMALL_BIAS, SMALL_LAM = sp.Le(B_C * D, alpha_s / 8), sp.Le(B_C**2, mu * alpha_s / 64), sp.Le(SMOOTHED, alpha_s / 32)
WITH_E = {"bias_cap": ABBREVIATED["bias_cap"], "error_cap": GRADIENT_ERROR.bound}
WITH_V = {"bias_cap": ABBREVIATED["bias_cap"], "second": second_moment(d, L, P, sigma * C / m)}
PHI = "E phi_s(mean of the stage) - phi_s(theta), theta in K"
GAP = "E f(theta^s) - f(theta^*)"
start = (1 / eta + rho) * first / (2 * T_s)
CAVEATS = {
    CAP: "eta = {value} is above sqrt(pi/2) beta/L = {limit}, where the proof ends",
    CONVEX: "rho = {value} is above 1/lambda = {limit}: phi_s need not be convex",
    ROOM: "tau + rho/(4 mu) = {value} is not below {limit}: growth does not pay for weak convexity and clipping",
    HALVES: "the gap before the stage, {value}, is above 2 alpha_s = {limit}",
    LITTLE_BIAS: "B_C D = {value} is above alpha_s/8 = {limit}: C = L sqrt(2 log(8 L D/alpha_s)) is enough",
    SMALL_BIAS: "B_C^2 = {value} is above mu alpha_s/64 = {limit}: C = L sqrt(log(64 L^2/(mu alpha_s))) is enough",
    SMALL_LAM: "L beta sqrt(d) + rho beta^2 d/2 = {value} is above alpha_s/32 = {limit}: beta is too large",
    LONG: "the stage has {value} steps, fewer than {limit}",
    WEAKLY: "rho = {value} is above 2 mu/7 = {limit}: growth does not pay for weak convexity",
}


def of_stage(name: str, title: str, source: str, bound: Any, measure: str, *assumes: str, hypotheses: tuple[Any, ...], **more: Any) -> Theorem:
    """Return a statement about a stage."""
    return keyed(
        *(name, title, f"ours; in place of {source}"),
        measure=measure,
        assumptions=(LIPSCHITZ, METHOD, *assumes),
        bound=bound,
        valid_if=hypotheses,
        conditions=tuple(Condition(one, CAVEATS[one]) for one in hypotheses),
        measured=phi if measure == PHI else after,
        **{"any_schedule": bound, "notes": (MASKED,), **more},
    )


CORRECTED_STAGE = of_stage(
    *("corrected_stage", "Lemma 5 corrected", "Lemma 5", start + eta * E + B_C * D, PHI, PROXIMAL, WEAK, HANDED),
    hypotheses=(CAP, CONVEX),
    definitions={**WITH_E, "T": T_s},
)
SHARP_STAGE = of_stage(
    *("sharp_stage", "One stage, sharper: no cap on the step", "Lemma 5", start + eta * V / 2 + B_C * D, PHI, PROXIMAL, WEAK),
    "the mean is that of theta_0, ..., theta_{T-1}",
    hypotheses=(CONVEX,),
    definitions={**WITH_V, "T": T_s},
)
CORRECTED_GROWTH = of_stage(
    *("corrected_growth", "Lemma 5 corrected, from gap to gap", "(43) and (44)"),
    ((1 / eta + rho) / T_s + 1 / lambda_) * before / (4 * mu) + eta * E + B_C * D + 2 * L * beta * sp.sqrt(d),
    *(GAP, PROXIMAL, WEAK, LEAST, HANDED),
    hypotheses=(CAP, CONVEX),
    definitions=WITH_E,
    in_letters=(GROWS,),
)
SHARP_GROWTH = of_stage(
    *("sharp_growth", "One stage from gap to gap, sharper: no regulariser, no diameter", "(43) and (44)"),
    from_gap_to_gap(before, eta, T_s, beta, tau, {"V": V, "B_C": B_C, "d": d, "L": L, "mu": mu, "rho": rho}),
    *(GAP, PLAIN, WEAK, LEAST, HANDED, "0 < tau < 1 - rho/(4 mu)"),
    hypotheses=(ROOM,),
    definitions={**WITH_V, "T": T_s + 1},
    in_letters=(GROWS,),
)
STAGES = (
    "S = log2(alpha_0/alpha) stages, rounded up, with alpha_s = alpha_0/2^s, end at alpha_S <= alpha in fewer than 2 T_S steps",
    "steps are whole numbers in a run: the theorem from gap to gap is for them",
    MASKED,
)
CORRECTED_THEOREM2 = of_stage(
    *("corrected_theorem2", "Theorem 2 corrected", "Theorem 2", alpha_s, GAP, PROXIMAL, WEAK, LEAST, HANDED),
    hypotheses=(HALVES, CAP, CONVEX, LITTLE_BIAS),
    definitions=WITH_E,
    schedule={"stage_step": 3 * alpha_s / (8 * E), "anchor": 4 / mu, "stage_T": 4 / (mu * eta), "stage_lam": alpha_s / (16 * L * sp.sqrt(d))},
    any_schedule=None,
    in_letters=(GROWS,),
    notes=STAGES,
)
SHARP_THEOREM2 = of_stage(
    *("sharp_theorem2", "Theorem 2, sharper", "Theorem 2", alpha_s, GAP, PLAIN, WEAK, LEAST, HANDED),
    hypotheses=(HALVES, SMALL_BIAS, SMALL_LAM, LONG, WEAKLY),
    definitions={**WITH_V, "young": sp.Rational(1, 8)},
    schedule={"stage_step": 9 * alpha_s / (16 * V), "stage_T": 4 / (3 * mu * eta)},
    any_schedule=None,
    in_letters=(GROWS,),
    notes=STAGES,
)
SHARP_MOMENT = keyed(
    *("sharp_moment", "second moment of the estimate", "ours; in place of Lemma 4"),
    measure="E ||g^_t||^2",
    assumptions=(LIPSCHITZ, METHOD),
    bound=second_moment(d, L, P, sigma * C / m),
    notes=("the spread of the samples does not enter, nor the size of the batch, but by the noise", MASKED),
    measured=est_sq,
)


def _chain(theorem: Theorem, source: str, facts: tuple[Step, ...], steps: tuple[Step, ...], *instances: dict[Any, Any]) -> Derivation:
    name = theorem.key.partition(".")[2]
    return proved(name, theorem.title, source, facts=facts, steps=steps, proves=theorem, instances=instances)


PROX = (
    line("prox", along_next, "<=", (now - then - hop) / (2 * eta) - then / (2 * lambda_) - (moved_next - first) / (2 * lambda_))
    .says("theta_{t+1} is the least point in K of something (1/eta + 1/lambda)-strongly convex: compare it with theta, then solve for <g, .>")
    .reasoned("strong convexity at a least point")
)
AT_FIRST = (line("at_first", moved_first, "=", 0).says("the stage starts at the centre of its regulariser").reasoned("theta_0 is the centre"),)
CLIPS = (
    line("bias", bias_t, "<=", sample_bias)
    .says("the mean estimate misses the gradient by the mean over samples of what it misses theirs by")
    .reasoned("a mean is no longer than the longest"),
    line("of_sample", sample_bias, "<=", ABBREVIATED["bias_cap"])
    .says("what clipping takes from the estimate of a sample")
    .shown("dp_zopo.corrected_clip_bias", "bound"),
)
BIAS_BELOW = (
    line("bias_below", bias_t, "<=", B_C)
    .says("b_t is at most B_C long", "corrected_clip_bias")
    .by("bias", "of_sample", modulo=((1, "bias_cap"),))
)
SQUARED = (
    line("moment", est_sq, "<=", second_moment(d, L, P, sigma * C / m))
    .says("the mean squared length of the estimate")
    .shown("dp_zopo.sharp_moment", "bound")
)
JENSEN = line("jensen", phi, "<=", mean_phi).says("phi_s at the mean of the stage").reasoned("Jensen's inequality, phi_s is convex", ("convex",))
PHI_CONVEX = line("convex", rho, "<=", 1 / lambda_).says("rho <= 1/lambda").assumed()
GROWS_FIRST = line("grows", 2 * mu * first, "<=", before).says("growth at the start of the stage, in the mean").assumed()
BEFORE = line("halves", before, "<=", 2 * alpha_s).says("the gap before the stage is at most 2 alpha_s").assumed()


def moment_proof() -> Derivation:
    """Expand the square over pairs of directions."""
    facts = (
        line("pairs", est_sq, "<=", (clipped + noise_v) / P + (1 - 1 / P) * two)
        .says("the square of a mean over P directions: P of P^2 pairs are a direction with itself, and noise has mean 0 in all others")
        .reasoned("given the batch, directions and noise are independent"),
        line("itself", clipped, "<=", L**2 * (d + 2 * sp.sqrt(d)))
        .says("the mean clipped quotient of a batch is odd and L-Lipschitz in v, as g is")
        .shown("dp_zopo.corrected_moments", "bound", {weighted: clipped}),
        line("noise", noise_v, "=", d * (sigma * C / m) ** 2)
        .says("noise of deviation noise_ratio C/m along a direction of mean squared length d")
        .reasoned("they are independent"),
        line("others", two, "<=", L**2)
        .says("E cv is the mean slope of c, which is at most L long")
        .reasoned("Stein's identity; two directions are independent given the batch"),
    )
    steps = (
        line("bound", est_sq, "<=", second_moment(d, L, P, sigma * C / m))
        .says("the mean squared length of the estimate", "P >= 1")
        .by("pairs", (1 / P, "itself"), "others", (-(L**2 - two) / P + (L**2 - two) / P,), modulo=((-1 / P, "noise"),)),
    )
    return _chain(SHARP_MOMENT, "in place of Lemma 4", facts, steps)


def corrected_proof() -> Derivation:
    """Write the proof of Lemma 5 out, with what its (38) leaves out."""
    facts = (
        PHI_CONVEX,
        line("cap", eta, "<=", sp.sqrt(sp.pi / 2) * beta / L).says("eta <= sqrt(pi/2) beta/L").assumed(),
        line("below", phi_t, "<=", along_next + on_error + L * hop / (beta * sp.sqrt(2 * sp.pi)) + rho * now / 2 + (moved_next - first) / (2 * lambda_))
        .says("phi_s at theta_{t+1} less that at theta: f_beta is rho-weakly convex and sqrt(2/pi) L/beta-smooth at theta_t")
        .reasoned("(34) and (35), the smoothness from corrected_smoothness"),
        PROX,
        line("error", on_error, "<=", eta * err_sq + B_C * D)
        .says("theta_{t+1} is at most eta times the error from the proximal step with the gradient itself, which does not depend on the draws")
        .reasoned("non-expansive proximal steps; corrected_clip_bias for the mean of the error times a way of at most the diameter"),
        line("lemma", err_sq, "<=", GRADIENT_ERROR.bound).says("E ||grad F - g||^2").shown("dp_zopo.corrected_gradient_error", "bound"),
        JENSEN,
    )
    each = eta * E + B_C * D
    steps = (
        line("per_step", phi_t, "<=", (1 / eta + rho) * (now - then) / 2 + each)
        .says("the gap of phi_s at theta_{t+1}", "the cap pays for the smoothness, 1/lambda for rho")
        .by(
            *("below", "prox", "error", (eta, "lemma"), (then / 2, "convex"), (hop * sp.sqrt(2 / sp.pi) * L / (2 * eta * beta), "cap")),
            modulo=((eta, "error_cap"),),
        ),
        line("averaged", mean_phi, "<=", (1 / eta + rho) * (first - last) / (2 * T) + each)
        .says("averaged over t = 0, ..., T - 1, the distances telescope", "the line holds at every t")
        .averaging("per_step"),
        line("bound", phi, "<=", start + each)
        .says("the gap of phi_s at the mean of theta_1, ..., theta_T", "Jensen's inequality")
        .by("jensen", "averaged", (1 / eta + rho) * last / (2 * T), at=("T",)),
    )
    return _chain(CORRECTED_STAGE, "Lemma 5, repaired", facts, steps)


def sharp_proof() -> Derivation:
    """Bound <g, theta_t - theta> by a second moment."""
    facts = (
        PHI_CONVEX,
        *AT_FIRST,
        PROX,
        line("young", along, "<=", along_next + eta * est_sq / 2 + hop / (2 * eta))
        .says("<g, theta_t - theta_{t+1}> is at most eta ||g||^2/2 and hop/(2 eta)")
        .reasoned("2 a b <= a^2 + b^2, and Cauchy and Schwarz"),
        line("below", phi_t, "<=", along + missed + rho * now / 2 + (moved - first) / (2 * lambda_))
        .says("the gap of phi_s at theta_t: f_beta is rho-weakly convex, and the estimate has the mean grad f_beta - b_t")
        .reasoned("weak convexity at theta_t, in the mean"),
        line("missed", missed, "<=", bias_t * D).says("theta_t and theta are in K").reasoned("Cauchy and Schwarz"),
        *(*CLIPS, SQUARED, JENSEN),
    )
    each = eta * V / 2 + B_C * D
    steps = (
        BIAS_BELOW,
        line("per_step", phi_t, "<=", (moved - moved_next) / (2 * lambda_) + (1 / eta + rho) * (now - then) / 2 + each)
        .says("the gap of phi_s at theta_t", "1/lambda pays for rho")
        .by(
            *("below", "young", "prox", "missed", (D, "bias_below"), (eta / 2, "moment"), (then / 2, "convex")),
            modulo=((eta / 2, "second"),),
        ),
        line("averaged", mean_phi, "<=", (moved_first - moved_last) / (2 * lambda_ * T) + (1 / eta + rho) * (first - last) / (2 * T) + each)
        .says("averaged over t = 0, ..., T - 1, the distances telescope", "the line holds at every t")
        .averaging("per_step"),
        line("bound", phi, "<=", start + each)
        .says("the gap of phi_s at the mean of theta_0, ..., theta_{T-1}", "Jensen's inequality")
        .by(
            *("jensen", "averaged", (1 / eta + rho) * last / (2 * T), moved_last / (2 * lambda_ * T)),
            at=("T",),
            modulo=((-1 / (2 * lambda_ * T), "at_first"),),
        ),
    )
    return _chain(SHARP_STAGE, "in place of Lemma 5", facts, steps)


def corrected_growth_proof() -> Derivation:
    """Take theta = theta^* in the corrected Lemma 5."""
    facts = (
        PHI_CONVEX,
        line("cap", eta, "<=", sp.sqrt(sp.pi / 2) * beta / L).says("eta <= sqrt(pi/2) beta/L").assumed(),
        line("stage", phi, "<=", start + eta * E + B_C * D).says("phi_s at theta^s and at theta^*").shown("dp_zopo.corrected_stage", "bound"),
        line("to_loss", after, "<=", phi + first / (2 * lambda_) + 2 * L * beta * sp.sqrt(d))
        .says("phi_s is at least f_beta at theta^s, and ||theta^* - theta^{s-1}||^2/(2 lambda) more at theta^*; f_beta is near f at both")
        .reasoned("Lemma 3 (ii), twice; one theta^* for all beta, since it is that of f"),
        GROWS_FIRST,
    )
    steps = (
        line("bound", after, "<=", CORRECTED_GROWTH.bound)
        .says("the mean gap after the stage", "growth at its start")
        .by("to_loss", "stage", ((1 / eta + rho) / (4 * mu * T_s) + 1 / (4 * mu * lambda_), "grows")),
    )
    return _chain(CORRECTED_GROWTH, "(43) and (44), repaired", facts, steps)


def sharp_growth_proof() -> Derivation:
    """Take a share of the gap to pay for clipping, another for weak convexity."""
    kappa = rho / (4 * mu)
    facts = (
        GROWS_FIRST,
        line("room", tau + kappa, "<", 1).says("tau + rho/(4 mu) is below 1").assumed(),
        line("growth", 2 * mu * now, "<=", true_t).says("growth at theta_t, in the mean").reasoned("theta_t is in K"),
        line("step", then, "<=", now - 2 * eta * along + eta**2 * est_sq)
        .says("theta^* is in K, so projecting comes no further from it")
        .reasoned("projections on convex sets are non-expansive; expand the square"),
        line("below", along, ">=", true_t - SMOOTHED - rho * now / 2 - missed)
        .says(
            "<grad f_beta, theta_t - theta^*> is at least f_beta - f_beta(theta^*) less rho/2 of the squared distance; f_beta is at least "
            "f - rho beta^2 d/2 at theta_t, and at most f + L beta sqrt(d) at theta^*"
        )
        .reasoned("weak convexity of f and of f_beta; E v = 0 and E ||v|| <= sqrt(d)"),
        line("missed", missed, "<=", bias_t * length).says("what clipping takes from the way").reasoned("Cauchy and Schwarz"),
        line("shorter", length**2, "<=", now).says("the squared mean distance").reasoned("Jensen's inequality"),
        *(*CLIPS, SQUARED),
        line("handed", after, "<=", (1 + kappa) * T / T_s * mean_true)
        .says(
            "f at the mean of theta_1, ..., theta_{T_s} is at most the mean of f and rho/2 of the mean squared distance from it, which is "
            "at most that from theta^*; the gap of theta_0, one of T = T_s + 1 points, is not negative"
        )
        .reasoned("weak convexity, and growth at each point"),
    )
    each = eta * V / 2 + SMOOTHED + B_C**2 / (8 * mu * tau)
    share = (1 + kappa) * T / T_s
    steps = (
        BIAS_BELOW,
        line("young", missed, "<=", 2 * mu * tau * now + B_C**2 / (8 * mu * tau))
        .says("what clipping takes is at most a share of the squared distance, and of B_C^2", "a square is not negative")
        .by("missed", (length, "bias_below"), (2 * mu * tau, "shorter"), (4 * mu * tau * length - B_C) ** 2 / (8 * mu * tau)),
        line("per_step", (1 - tau - kappa) * true_t, "<=", (now - then) / (2 * eta) + each)
        .says("the gap at theta_t, of which growth takes two shares", "all of the above")
        .by((1 / (2 * eta), "step"), "below", "young", (tau + kappa, "growth"), (eta / 2, "moment"), modulo=((eta / 2, "second"),)),
        line("averaged", (1 - tau - kappa) * mean_true, "<=", (first - last) / (2 * eta * T) + each)
        .says("averaged over t = 0, ..., T - 1, the distances telescope", "the line holds at every t")
        .averaging("per_step"),
        line("bound", after, "<=", SHARP_GROWTH.bound)
        .says("the mean gap after the stage", "growth at its start; T = T_s + 1 points")
        .by(
            "handed",
            *((share, one, Inverse("room")) for one in ("averaged", (1 / (4 * mu * eta * T), "grows"), last / (2 * eta * T))),
            at=("T",),
        ),
    )
    return _chain(SHARP_GROWTH, "in place of (43) and (44)", facts, steps)


def corrected_theorem2_proof() -> Derivation:
    """Spend three eighths on the start, three on the error, one on clipping, one on smoothing."""
    facts = (
        PHI_CONVEX,
        line("cap", eta, "<=", sp.sqrt(sp.pi / 2) * beta / L).says("eta <= sqrt(pi/2) beta/L").assumed(),
        GROWS_FIRST,
        BEFORE,
        line("little_bias", B_C * D, "<=", alpha_s / 8).says("B_C times the diameter is at most alpha_s/8").assumed(),
        line("stage", after, "<=", CORRECTED_GROWTH.bound).says("one stage").shown("dp_zopo.corrected_growth", "bound"),
    )
    steps = (
        line("bound", after, "<=", alpha_s)
        .says("the mean gap after the stage is at most alpha_s", "T_s >= 1; rho <= 1/lambda = mu/4")
        .by("stage"),
    )
    return _chain(CORRECTED_THEOREM2, "Theorem 2, repaired", facts, steps)


def sharp_theorem2_proof() -> Derivation:
    """Spend a half of what growth leaves on the start, the rest on the estimate, clipping and smoothing."""
    kappa = rho / (4 * mu)
    facts = (
        GROWS_FIRST,
        BEFORE,
        line("weak", rho, "<=", 2 * mu / 7).says("rho is at most 2 mu/7").assumed(),
        line("small_bias", B_C**2, "<=", mu * alpha_s / 64).says("B_C^2 is at most mu alpha_s/64").assumed(),
        line("small_lam", SMOOTHED, "<=", alpha_s / 32).says("what smoothing costs is at most alpha_s/32").assumed(),
        line("long", T_s, ">=", 7).says("the stage has at least 7 steps").assumed(),
        line("stage", after, "<=", SHARP_GROWTH.bound).says("one stage").shown("dp_zopo.sharp_growth", "bound"),
    )
    more = 1 + 1 / T_s
    steps = (
        line("room", tau + kappa, "<", 1)
        .says("tau + rho/(4 mu) is below 1", "1/8 + 1/14")
        .by(sp.Rational(45, 56), (1 / (4 * mu), "weak"), modulo=((-1, "young"),)),
        line("bound", after, "<=", alpha_s)
        .says("the mean gap after the stage is at most alpha_s", "3/8 + 21/64 (1 + 1/7) = 3/4, and (1 + 1/14) 3/4 = 7/8 - 1/14")
        .by("stage"),
    )
    return _chain(SHARP_THEOREM2, "in place of Theorem 2", facts, steps)
