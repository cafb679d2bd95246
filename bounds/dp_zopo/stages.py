"""One stage, and stages one after another: what holds in place of Lemma 5 and Theorem 2, and what is sharper.

Setting   f(., x) L-Lipschitz on R^d, K a convex set of diameter D, theta^* the least point of f in K; f - f^* >= 2 mu ||. - theta^*||^2
          in K where growth is asked for. On R^d that contradicts Lipschitz losses; on K it is asked of f, not of each smoothed loss.
Method    Algorithm 2 with the proximal step of its proof and a projection on K; batches of fixed size m; what a stage hands on is the mean
          of theta_1, ..., theta_T. With a static 0/1 mask of k coordinates: the same in theta^0 + range(M), d read as k, theta^* its own.
Measure   E phi_s - phi_s(theta) at the mean of a stage, for any theta of K; E f - f^* after it, from what it was before
Theorem   corrected_stage      (1/eta + rho) ||theta_0 - theta||^2/(2 T) + eta E + B_C D, E the corrected Lemma 4; eta <= sqrt(pi/2) beta/L
          corrected_theorem2   eta_s = 3 alpha_s/(8 E), lambda = eta_s T_s = 4/mu, beta_s = alpha_s/(16 L sqrt(d)) halve the gap
          sharp_moment         E ||g^||^2 <= V = (L^2 (d + 2 sqrt(d)) + d sigma^2 C^2/m^2 + (P - 1) L^2)/P
          sharp_stage          (1/eta + rho) ||theta_0 - theta||^2/(2 T) + eta V/2 + B_C D, whatever eta and beta are
          sharp_growth         no regulariser and no diameter: growth pays for weak convexity, and for what clipping takes
          sharp_theorem2       eta_s = 9 alpha_s/(16 V), eta_s T_s = 4/(3 mu) halve the gap
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
from bounds.theorem import Condition, Theorem

C, L, P, beta, d, m, sigma, eta, lambda_, mu, rho = letters("C L P beta d m sigma eta lambda_ mu rho")
T_s, alpha_s, B_C, V, E, D, tau = letters("T_s alpha_s bias_cap second error_cap diameter young")
before, after, phi, phi_t, mean_phi, true_t, mean_true = letters("gap_before after_gap stage_gap phi_gap mean_phi_gap true_t mean_true")
now, then, first, last = letters("away_sq away_next away_first away_last")
moved, moved_next, moved_first, moved_last = letters("moved_now moved_next moved_first moved_last")
hop, along, along_next, missed, length, bias_t = letters("move_sq along_now along_next missed_t length_t bias_t")
est_sq, err_sq, on_error, clipped, two, noise_v = letters("est_sq gradient_error on_error weighted_clipped two_directions noise_v")
weighted, sample_bias = letters("weighted_quotient quotient_bias")
introduce_run(now, then, first, last)
introduce_run(moved, moved_next, moved_first, moved_last)
introduce_average(phi_t, mean_phi)
introduce_average(true_t, mean_true)


def second_moment(d: Any, L: Any, P: Any, noise: Any, sqrt: Any = sp.sqrt) -> Any:
    """Return V; `noise` is the standard deviation of the noise on the mean along a direction. For letters, floats and arrays."""
    return (L**2 * (d + 2 * sqrt(d)) + d * noise**2 + (P - 1) * L**2) / P


def spent(before: Any, eta: Any, T: Any, beta: Any, at: dict[str, Any], sqrt: Any = sp.sqrt) -> Any:
    """Return what start, estimate and smoothing cost in sharp_growth, with V and the constants in `at`. For letters, floats and arrays."""
    V, d, L, mu, rho = (at[name] for name in ("V", "d", "L", "mu", "rho"))
    return before / (4 * mu * eta * T) + (1 + 1 / T) * (eta * V / 2 + L * beta * sqrt(d) + rho * beta**2 * d / 2)


def from_gap_to_gap(cost: Any, T: Any, tau: Any, B_C: Any, mu: Any, rho: Any) -> Any:
    """Return the bound of sharp_growth, with what is spent besides clipping. For letters, floats and arrays."""
    kappa = rho / (4 * mu)
    return (1 + kappa) * (cost + (1 + 1 / T) * B_C**2 / (8 * mu * tau)) / (1 - tau - kappa)


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
smooth = L * sp.sqrt(d)
SMOOTHED, ROOM = smooth * beta + rho * beta**2 * d / 2, sp.Lt(tau + rho / (4 * mu), 1)
LASTS, LONG, WEAKLY, LITTLE_BIAS = sp.Ge(T_s, 1), sp.Ge(T_s, 7), sp.Le(rho, 2 * mu / 7), sp.Le(B_C * D, alpha_s / 8)
SMALL_BIAS, SMALL_LAM = sp.Le(B_C**2, mu * alpha_s / 64), sp.Le(SMOOTHED, alpha_s / 32)
MOMENT, BIAS = second_moment(d, L, P, sigma * C / m), ABBREVIATED["bias_cap"]
WITH_E: dict[str, Any] = {"bias_cap": BIAS, "error_cap": GRADIENT_ERROR.bound, "T": T_s}
WITH_V: dict[str, Any] = {"bias_cap": BIAS, "second": MOMENT, "T": T_s + 1}
PHI = "E phi_s(mean of the stage) - phi_s(theta), theta in K"
GAP = "E f(theta^s) - f(theta^*)"
start, kappa = (1 / eta + rho) * first / (2 * T_s), rho / (4 * mu)
from_gap = ((1 / eta + rho) / T_s + 1 / lambda_) * before / (4 * mu) + eta * E + B_C * D + 2 * L * beta * sp.sqrt(d)
at_stage = {"V": V, "d": d, "L": L, "mu": mu, "rho": rho}
CAVEATS = {
    CAP: "eta = {value} is above sqrt(pi/2) beta/L = {limit}, where the proof ends",
    CONVEX: "rho = {value} is above 1/lambda = {limit}: phi_s need not be convex",
    ROOM: "tau + rho/(4 mu) = {value} is not below {limit}: growth does not pay for weak convexity and clipping",
    HALVES: "the gap before the stage, {value}, is above 2 alpha_s = {limit}",
    LITTLE_BIAS: "B_C D = {value} is above alpha_s/8 = {limit}: C = L sqrt(2 log(8 L D/alpha_s)) is enough",
    SMALL_BIAS: "B_C^2 = {value} is above mu alpha_s/64 = {limit}: C = L sqrt(log(64 L^2/(mu alpha_s))) is enough",
    SMALL_LAM: "L beta sqrt(d) + rho beta^2 d/2 = {value} is above alpha_s/32 = {limit}: beta is too large",
    LASTS: "the stage has {value} steps, fewer than {limit}: alpha_s is too large",
    LONG: "the stage has {value} steps, fewer than {limit}",
    WEAKLY: "rho = {value} is above 2 mu/7 = {limit}: growth does not pay for weak convexity",
}


def of_stage(name: str, title: str, place: str, bound: Any, measure: str, assumes: tuple[str, ...], *needs: Any, **more: Any) -> Theorem:
    """Return a statement about a stage."""
    return keyed(
        *(name, title, f"ours; in place of {place}"), measure=measure, assumptions=(LIPSCHITZ, METHOD, *assumes), bound=bound,
        **{"valid_if": needs, "conditions": tuple(Condition(one, CAVEATS[one]) for one in needs), "any_schedule": bound,
           "notes": (MASKED,), "measured": after, "in_letters": (GROWS,), **more},
    )  # fmt: skip


FROM_START = (PROXIMAL, WEAK, "the mean is that of theta_0, ..., theta_{T-1}")
OF_PHI: dict[str, Any] = {"measured": phi, "in_letters": ()}
CORRECTED_STAGE = of_stage(
    *("corrected_stage", "Lemma 5 corrected", "Lemma 5", start + eta * E + B_C * D, PHI, (PROXIMAL, WEAK, HANDED), CAP, CONVEX),
    **{**OF_PHI, "definitions": WITH_E},
)
SHARP_STAGE = of_stage(
    *("sharp_stage", "One stage, sharper: no cap on the step", "Lemma 5", start + eta * V / 2 + B_C * D, PHI, FROM_START, CONVEX),
    **{**OF_PHI, "definitions": {**WITH_V, "T": T_s}},
)
SHARP_GROWTH = of_stage(
    *("sharp_growth", "One stage from gap to gap, sharper: no regulariser, no diameter", "(43) and (44)"),
    from_gap_to_gap(spent(before, eta, T_s, beta, at_stage), T_s, tau, B_C, mu, rho),
    *(GAP, (PLAIN, WEAK, LEAST, HANDED)),
    *(ROOM,),
    definitions=WITH_V,
)
STAGES = (
    "S = log2(alpha_0/alpha) stages, rounded up, with alpha_s = alpha_0/2^s, end at alpha_S <= alpha in fewer than 2 T_S steps",
    MASKED,
)
CORRECTED_THEOREM2 = of_stage(
    *("corrected_theorem2", "Theorem 2 corrected", "Theorem 2", alpha_s, GAP, (PROXIMAL, WEAK, LEAST, HANDED)),
    *(HALVES, CAP, CONVEX, LITTLE_BIAS, LASTS),
    valid_if=(CAP, CONVEX),
    any_schedule=from_gap,
    definitions=WITH_E,
    schedule={"stage_step": 3 * alpha_s / (8 * E), "anchor": 4 / mu, "stage_T": 4 / (mu * eta), "stage_lam": alpha_s / (16 * smooth)},
    notes=STAGES,
)
SHARP_THEOREM2 = of_stage(
    *("sharp_theorem2", "Theorem 2, sharper", "Theorem 2", alpha_s, GAP, (PLAIN, WEAK, LEAST, HANDED)),
    *(HALVES, SMALL_BIAS, SMALL_LAM, LONG, WEAKLY),
    any_schedule=None,
    definitions={**WITH_V, "young": sp.Rational(1, 8)},
    schedule={"stage_step": 9 * alpha_s / (16 * V), "stage_T": 4 / (3 * mu * eta)},
    notes=STAGES,
)
SHARP_MOMENT = keyed(
    *("sharp_moment", "second moment of the estimate", "ours; in place of Lemma 4"), measure="E ||g^_t||^2",
    assumptions=(LIPSCHITZ, METHOD), bound=MOMENT, measured=est_sq,
    notes=("the spread of the samples does not enter, nor the size of the batch, but by the noise", MASKED),
)  # fmt: skip


def _given(name: str, relation: Any, words: str) -> Step:
    left, right = (relation.lhs, relation.rhs) if relation.rel_op in ("<=", "<") else (relation.rhs, relation.lhs)
    return line(name, left, "<" if relation.rel_op == "<" else "<=", right).says(words).assumed()


def _argued(name: str, left: Any, relation: str, right: Any, words: str, why: str, *using: str) -> Step:
    return line(name, left, relation, right).says(words).reasoned(why, using)


def _chain(theorem: Theorem, source: str, facts: tuple[Step, ...], steps: tuple[Step, ...]) -> Derivation:
    signs = {"second": ("directions >= 1",)} if "second" in theorem.definitions else {}
    name = theorem.key.partition(".")[2]
    return proved(name, theorem.title, source, facts=facts, steps=steps, proves=theorem, signs=signs)


PHI_CONVEX, CAPPED = _given("convex", CONVEX, "rho <= 1/lambda"), _given("cap", CAP, "eta <= sqrt(pi/2) beta/L")
GROWS_FIRST = _given("grows", GROWS, "growth at the start of the stage, in the mean")
BEFORE = _given("halves", HALVES, "the gap before the stage is at most 2 alpha_s")
JENSEN = _argued("jensen", phi, "<=", mean_phi, "phi_s at the mean of the stage", "Jensen's inequality", "convex")
PROX = _argued(
    *("prox", along_next, "<=", (now - then - hop) / (2 * eta) - then / (2 * lambda_) - (moved_next - first) / (2 * lambda_)),
    "theta_{t+1} is the least point in K of a (1/eta + 1/lambda)-strongly convex function: compare it with theta, solve for <g, .>",
    "strong convexity at a least point",
)
BIASED = _argued("bias", bias_t, "<=", sample_bias, "b_t is a mean over samples", "a mean is no longer than the longest")
OF_SAMPLE = line("sample", sample_bias, "<=", BIAS).says("what clipping takes of a sample").shown("dp_zopo.corrected_clip_bias", "bound")
SQUARED = line("moment", est_sq, "<=", MOMENT).says("the mean squared length of the estimate").shown("dp_zopo.sharp_moment", "bound")
BIAS_BELOW = (
    line("bias_below", bias_t, "<=", B_C).says("b_t is at most B_C long", "its name").by("bias", "sample", modulo=((1, "bias_cap"),))
)
TELESCOPE = ("averaged over t = 0, ..., T - 1, the distances telescope", "the line holds at every t")


def moment_proof() -> Derivation:
    """Expand the square over pairs of directions."""
    facts = (
        _argued(
            *("pairs", est_sq, "<=", (clipped + noise_v + (P - 1) * two) / P),
            "the square of a mean over P directions: P of P^2 pairs are a direction with itself, and noise has mean 0 in all others",
            "given the batch, directions and noise are independent",
        ),
        line("itself", clipped, "<=", L**2 * (d + 2 * sp.sqrt(d)))
        .says("the mean clipped quotient of a batch is odd and L-Lipschitz in v, as g is")
        .shown("dp_zopo.corrected_moments", "bound", {weighted: clipped}),
        _argued("noise", noise_v, "=", d * (sigma * C / m) ** 2, "noise of deviation noise_ratio C/m along v", "E ||v||^2 = d"),
        _argued("others", two, "<=", L**2, "E cv is the mean slope of c, which is at most L long", "Stein's identity"),
    )
    bound = line("bound", est_sq, "<=", MOMENT).says("the mean squared length of the estimate", "P >= 1")
    made = bound.by("pairs", (1 / P, "itself"), ("directions >= 1", 1 / P, "others"), modulo=((-1 / P, "noise"),))
    return _chain(SHARP_MOMENT, "in place of Lemma 4", facts, (made,))


def corrected_proof() -> Derivation:
    """Write the proof of Lemma 5 out, with what its (38) leaves out."""
    curved, each = L * hop / (beta * sp.sqrt(2 * sp.pi)), eta * E + B_C * D
    facts = (
        *(PHI_CONVEX, CAPPED, PROX, JENSEN),
        _argued(
            *("below", phi_t, "<=", along_next + on_error + curved + rho * now / 2 + (moved_next - first) / (2 * lambda_)),
            "phi_s at theta_{t+1} less that at theta: f_beta is rho-weakly convex and sqrt(2/pi) L/beta-smooth at theta_t",
            "(34) and (35), the smoothness from corrected_smoothness",
        ),
        _argued(
            *("error", on_error, "<=", eta * err_sq + B_C * D),
            "theta_{t+1} is at most eta times the error from the step with the gradient itself, which does not depend on the draws",
            "non-expansive proximal steps; corrected_clip_bias for the mean of the error, times a way of at most the diameter",
        ),
        line("lemma", err_sq, "<=", GRADIENT_ERROR.bound).says("E ||grad F - g||^2").shown("dp_zopo.corrected_gradient_error", "bound"),
    )
    steps = (
        line("per_step", phi_t, "<=", (1 / eta + rho) * (now - then) / 2 + each)
        .says("the mean gap of the regularised loss at theta_{t+1}", "the cap pays for the smoothness, 1/lambda for rho")
        .by(
            *("below", "prox", "error", (eta, "lemma"), (then / 2, "convex"), (hop * sp.sqrt(2 / sp.pi) * L / (2 * eta * beta), "cap")),
            modulo=((eta, "error_cap"),),
        ),
        line("averaged", mean_phi, "<=", (1 / eta + rho) * (first - last) / (2 * T) + each).says(*TELESCOPE).averaging("per_step"),
        line("bound", phi, "<=", start + each)
        .says("the gap of phi_s at the mean of theta_1, ..., theta_T", "Jensen's inequality")
        .by("jensen", "averaged", (1 / eta + rho) * last / (2 * T), at=("T",)),
    )
    return _chain(CORRECTED_STAGE, "Lemma 5, repaired", facts, steps)


def sharp_proof() -> Derivation:
    """Bound <g, theta_t - theta> by a second moment."""
    each, back = eta * V / 2 + B_C * D, (moved_first - moved_last) / (2 * lambda_ * T)
    facts = (
        *(PHI_CONVEX, PROX, BIASED, OF_SAMPLE, SQUARED, JENSEN),
        _argued("at_first", moved_first, "=", 0, "the stage starts at the centre of its regulariser", "theta_0 is the centre"),
        _argued("young", along, "<=", along_next + eta * est_sq / 2 + hop / (2 * eta), "<g, theta_t - theta_{t+1}>", "2ab <= a^2 + b^2"),
        _argued(
            *("below", phi_t, "<=", along + missed + rho * now / 2 + (moved - first) / (2 * lambda_)),
            "the gap of phi_s at theta_t: f_beta is rho-weakly convex, and the estimate has the mean grad f_beta - b_t",
            "weak convexity at theta_t, in the mean",
        ),
        _argued("missed", missed, "<=", bias_t * D, "theta_t and theta are in K", "Cauchy and Schwarz"),
    )
    steps = (
        BIAS_BELOW,
        line("per_step", phi_t, "<=", (moved - moved_next) / (2 * lambda_) + (1 / eta + rho) * (now - then) / 2 + each)
        .says("the mean gap of the regularised loss at theta_t", "1/lambda pays for rho")
        .by(
            *("below", "young", "prox", "missed", (D, "bias_below"), (eta / 2, "moment"), (then / 2, "convex")),
            modulo=((eta / 2, "second"),),
        ),
        line("averaged", mean_phi, "<=", back + (1 / eta + rho) * (first - last) / (2 * T) + each).says(*TELESCOPE).averaging("per_step"),
        line("bound", phi, "<=", start + each)
        .says("the gap of phi_s at the mean of theta_0, ..., theta_{T-1}", "Jensen's inequality")
        .by(
            *("jensen", "averaged", (1 / eta + rho) * last / (2 * T), moved_last / (2 * lambda_ * T)),
            at=("T",), modulo=((-1 / (2 * lambda_ * T), "at_first"),),
        ),
    )  # fmt: skip
    return _chain(SHARP_STAGE, "in place of Lemma 5", facts, steps)


def sharp_growth_proof() -> Derivation:
    """Take a share of the gap to pay for clipping, another for weak convexity."""
    each, share, rate = eta * V / 2 + SMOOTHED + B_C**2 / (8 * mu * tau), (1 + kappa) * T / T_s, 1 - tau - kappa
    facts = (
        *(GROWS_FIRST, BIASED, OF_SAMPLE, SQUARED, _given("room", ROOM, "tau + rho/(4 mu) is below 1")),
        _argued("growth", 2 * mu * now, "<=", true_t, "growth at theta_t, in the mean", "theta_t is in K"),
        _argued(
            *("step", then, "<=", now - 2 * eta * along + eta**2 * est_sq),
            *("theta^* is in K, so projecting comes no further from it", "projections are non-expansive; expand the square"),
        ),
        _argued(
            *("below", along, ">=", true_t - SMOOTHED - rho * now / 2 - missed),
            "<grad f_beta, theta_t - theta^*> is at least f_beta - f_beta(theta^*) less rho/2 of the squared distance; f_beta is at least "
            "f - rho beta^2 d/2 at theta_t, and at most f + L beta sqrt(d) at theta^*",
            "weak convexity of f and of f_beta; E v = 0 and E ||v|| <= sqrt(d)",
        ),
        _argued("missed", missed, "<=", bias_t * length, "what clipping takes from the way", "Cauchy and Schwarz"),
        _argued("shorter", length**2, "<=", now, "the squared mean distance", "Jensen's inequality"),
        _argued(
            *("handed", after, "<=", share * mean_true),
            "f at the mean of theta_1, ..., theta_{T_s} is at most the mean of f and rho/2 of the mean squared distance from it, which is "
            "at most that from theta^*; the gap of theta_0, one of T = T_s + 1 points, is not negative",
            "weak convexity, and growth at each point",
        ),
    )
    steps = (
        BIAS_BELOW,
        line("young", missed, "<=", 2 * mu * tau * now + B_C**2 / (8 * mu * tau))
        .says("what clipping takes is at most a share of the squared distance, and of B_C^2", "a square is not negative")
        .by("missed", (length, "bias_below"), (2 * mu * tau, "shorter"), (4 * mu * tau * length - B_C) ** 2 / (8 * mu * tau)),
        line("per_step", rate * true_t, "<=", (now - then) / (2 * eta) + each)
        .says("the gap at theta_t, of which growth takes two shares", "all of the above")
        .by((1 / (2 * eta), "step"), "below", "young", (tau + kappa, "growth"), (eta / 2, "moment"), modulo=((eta / 2, "second"),)),
        line("averaged", rate * mean_true, "<=", (first - last) / (2 * eta * T) + each).says(*TELESCOPE).averaging("per_step"),
        line("bound", after, "<=", SHARP_GROWTH.bound)
        .says("the mean gap after the stage", "growth at its start; T = T_s + 1 points")
        .by(
            "handed",
            *((share, Inverse("room"), *one) for one in (("averaged",), (1 / (4 * mu * eta * T), "grows"), (last / (2 * eta * T),))),
            at=("T",),
        ),
    )
    return _chain(SHARP_GROWTH, "in place of (43) and (44)", facts, steps)


def corrected_theorem2_proof() -> Derivation:
    """Spend three eighths on the start, three on the error, one on clipping, one on smoothing."""
    facts = (
        *(PHI_CONVEX, CAPPED, GROWS_FIRST, BEFORE, _given("lasts", LASTS, "the stage has T_s >= 1 steps")),
        _given("little_bias", LITTLE_BIAS, "B_C times the diameter is at most alpha_s/8"),
        line("stage", phi, "<=", start + eta * E + B_C * D).says("phi_s at the end and theta^*").shown("dp_zopo.corrected_stage", "bound"),
        _argued(
            *("to_loss", after, "<=", phi + first / (2 * lambda_) + 2 * L * beta * sp.sqrt(d)),
            "phi_s is at least f_beta at theta^s, and ||theta^* - theta^{s-1}||^2/(2 lambda) more at theta^*; f_beta is near f at both",
            "Lemma 3 (ii), twice; one theta^* for all beta, since it is that of f",
        ),
    )
    steps = (
        line("from_gap", after, "<=", from_gap)
        .says("the mean gap after the stage, whatever its parameters", "growth at its start")
        .by("to_loss", "stage", ((1 / eta + rho) / (4 * mu * T_s) + 1 / (4 * mu * lambda_), "grows")),
        line("bound", after, "<=", alpha_s)
        .says("the mean gap after the stage is at most alpha_s", "T_s >= 1; rho <= 1/lambda = mu/4")
        .by(
            *("from_gap", (((1 / eta + rho) / T_s + 1 / lambda_) / (4 * mu), "halves"), "little_bias"),
            *((alpha_s / (2 * mu * T_s), "convex"), (alpha_s / (8 * T_s), "lasts")),
            at=("stage_T", "stage_step", "anchor", "stage_lam"),
        ),
    )
    return _chain(CORRECTED_THEOREM2, "Theorem 2, repaired", facts, steps)


def sharp_theorem2_proof() -> Derivation:
    """Spend a half of what growth leaves on the start, the rest on the estimate, clipping and smoothing."""
    more = 1 + 1 / T_s
    spent = ((sp.Rational(3, 16), "halves"), (more, "small_lam"), (more / mu, "small_bias"), (3 * alpha_s / (64 * T_s), "long"))
    facts = (
        *(GROWS_FIRST, BEFORE, _given("weak", WEAKLY, "rho is at most 2 mu/7"), _given("long", LONG, "the stage has T_s >= 7 steps")),
        _given("small_bias", SMALL_BIAS, "B_C^2 is at most mu alpha_s/64"),
        _given("small_lam", SMALL_LAM, "what smoothing costs is at most alpha_s/32"),
        line("stage", after, "<=", SHARP_GROWTH.bound).says("one stage").shown("dp_zopo.sharp_growth", "bound"),
    )
    steps = (
        line("room", tau + kappa, "<", 1)
        .says("tau + rho/(4 mu) is below 1", "1/8 + 1/14")
        .by(sp.Rational(45, 56), (1 / (4 * mu), "weak"), modulo=((-1, "young"),)),
        line("bound", after, "<=", alpha_s)
        .says("the mean gap after the stage is at most alpha_s", "3/8 + 21/64 (1 + 1/7) = 3/4, and (1 + 1/14) 3/4 = 7/8 - 1/14")
        .by(
            *("stage", (7 * alpha_s / (16 * mu), Inverse("room"), "weak")),
            *((1 + kappa, Inverse("room"), *one) for one in spent),
            at=("young", "stage_T", "stage_step"),
        ),
    )
    return _chain(SHARP_THEOREM2, "in place of Theorem 2", facts, steps)
