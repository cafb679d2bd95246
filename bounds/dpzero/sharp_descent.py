"""One step of DPZero in expectation, and what T of them give: the chain that all the sharper theorems share.

Setting   -H <= Hessian of F_S <= H, 0 <= H <= ell I, Tr(H) <= r ell, r >= 1; F_S is Lipschitz and has a smallest value,
          gap = F_S(x_0) - F_S^*.
Method    x_{t+1} = x_t - alpha (m + z) u,  m the mean of the clipped differences, z ~ N(0, sigma^2), u uniform on the sphere.
Measure   E ||grad F_S(x_tau)||^2, tau uniform on 0..T-1 and independent of the run.
Lemma     if, at every x and in expectation over u, with p = u' grad F_S, w = u'Hu, G = ||grad F_S||,
              E m p >= (1 - shrink) G^2 - bias G                        (the direction of the step)
              E m^2 w <= ell (stretch G^2 + 2 cross G + length^2)       (its length; stretch is R2, or 1 for a first-order step)
          then, with a = shrink + alpha ell stretch / 2 < 1,
              E ||grad F_S(x_tau)||^2 <= y^2,   y the positive root of
              (1 - a) y^2 - (bias + alpha ell cross) y = gap / (alpha T) + alpha ell (length^2 + r sigma^2) / 2.
Proofs    `proof_of` takes the two hypotheses, "direction" and "length", in the letters of the terms, and inserts what they stand for.
          The means of the four terms of m^2 against w are bounded one by one, the last by Minkowski's inequality.
Source    ours. No event is conditioned on, so neither a union over n T clippings nor a bound B on the loss appears.
"""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero.common import proved
from bounds.dpzero.sharp_common import AT, ON_H, R2, grad, lead_unit, unit_H
from bounds.dpzero.sphere import FOURTH_MOMENT, UNCHANGED_BY_ROTATIONS
from bounds.lines import Inverse, Reasoned, Step, line, times
from bounds.meanings import ENDS, introduce_average
from bounds.symbols import GLOSSARY, T, alpha, d, ell, gap, introduce, r, sigma, symbols, trace
from bounds.theorem import Theorem

F_now, F_next, F_first, F_last, grad_sq, mean_grad_sq = symbols("F_now F_next F_first F_last grad_sq mean_grad_sq")
grad_z, z_H, w_1 = symbols("grad_z z_H w_1")

shrink = introduce("shrink_term", "k", "what the direction of the step loses of the squared gradient, a share", 0, 1, "proof")
bias = introduce("bias_term", "b", "what the direction of the step loses of the gradient", 0, 100, "proof")
stretch = introduce("stretch_term", "R_2", "coefficient of the squared gradient in the length of the step", 0, 1e6, "proof")
cross = introduce("cross_term", "c", "half the coefficient of the gradient in the length of the step", 0, 100, "proof")
length = introduce("length_term", "l", "root of what is left in the length of the step without a gradient", 0, 100, "proof")
step_along = introduce("step_along", r"\mathbb{E}mp", "step against the gradient, without noise", -1e6, 1e6, "step")
step_H = introduce("step_H", r"\mathbb{E}m^2w", "squared length of the step in the norm of H, without noise", 0, 1e6, "step")
step_z = introduce("step_z", r"\mathbb{E}mzw", "step against noise in the norm of H", -1e6, 1e6, "step")
mean_grad = introduce(
    "mean_grad_size", r"\mathbb{E}\|\nabla F_S(x_\tau)\|", "norm of the gradient, averaged over the steps", 0, 1e3, "proof"
)
introduce_average(grad, mean_grad)
a = introduce("quad_a", "a", "coefficient a of the quadratic: the square of y loses it", 0, 1e3, "proof")
linear = introduce("quad_b", "b", "coefficient b of y in the quadratic", 0, 1e3, "proof")
constant = introduce("quad_R", "R", "right side R of the quadratic", 1e-9, 1e6, "proof")
root_D = introduce("quad_D", "D", "root D of the discriminant of the quadratic", 1e-9, 1e6, "proof")
y = sp.sqrt(mean_grad_sq)
ALONG = (1 - shrink) * grad_sq - bias * grad  # the direction of a step is at least this, and its length at most the next
IN_NORM_OF_H = ell * (stretch * grad_sq + 2 * cross * grad + length**2)
ADDED = alpha * ell * (length**2 + r * sigma**2) / 2  # to the quadratic, by a step
GENERIC, _ = AT.descent(shrink=shrink, bias=bias, cross=cross, length=length, weight=stretch)


def proof() -> Derivation:
    """Write the proof out."""
    contracts, quarter = Inverse("contracts"), sp.Rational(1, 4)
    one_step = F_now - alpha * ALONG + alpha**2 * ell / 2 * (stretch * grad_sq + 2 * cross * grad + length**2 + r * sigma**2)
    exists = Reasoned("a number above 0 has a root above 0", using=("discriminant",))
    facts = (
        # what is taken of one step
        *ON_H,
        FOURTH_MOMENT,
        line("weighted", lead_unit, "=", w_1 / 3 * (2 * unit_H + trace))
        .says("Lemma C.1 (iv) for a unit vector a and every d, d = 1 included: E (u'a)^2 uu' is a multiple of 2 aa' + I")
        .certified(UNCHANGED_BY_ROTATIONS),
        line("taylor", F_next, "<=", F_now - alpha * (step_along + grad_z) + alpha**2 / 2 * (step_H + 2 * step_z + z_H))
        .says(
            "Taylor's formula with Hessian <= H along minus alpha (m + z) u, with E p z, E m z w, E z^2 w; for a noise vector z, added to "
            "m u or, by DP-GD, to the gradient g, these are E g'z, E m u'Hz or E g'Hz, and E z'Hz"
        )
        .reasoned("second-order upper bound; F_S(x_t) has a mean, because F_S is Lipschitz and every step has Gaussian tails"),
        line("noise_and_gradient", grad_z, "=", 0).says("z is independent of the past and of u").reasoned("E z = 0"),
        line("noise_and_step", step_z, "=", 0).says("z is independent of the past and of u").reasoned("E z = 0"),
        line("noise_length", z_H, "=", sigma**2 * trace)
        .says("E z^2 w = sigma^2 E u'Hu, or E z'Hz for a noise vector")
        .reasoned("E z^2 = sigma^2, or E zz' = sigma^2 I; E uu' = I"),
        # the hypotheses of the lemma
        line("direction", step_along, ">=", ALONG).says("the step against the gradient").assumed(),
        line("length", step_H, "<=", IN_NORM_OF_H).says("its squared length in the norm of H").assumed(),
        line("contraction", shrink + alpha * ell * stretch / 2, "<", 1).says("a < 1").assumed(),
        # what is taken of the run, and the letters of the quadratic
        *ENDS,
        line("jensen", mean_grad, "<=", y).says("the mean of G is at most y").reasoned("Jensen's inequality over t and over the run"),
        line("quad_a", a, "=", shrink + alpha * ell * stretch / 2).says("a").defined(),
        line("quad_b", linear, "=", bias + alpha * ell * cross).says("b").defined(),
        line("quad_R", constant, "=", gap / (alpha * T) + ADDED).says("R").defined(),
        line("root", root_D, "=", sp.sqrt(linear**2 + 4 * (1 - a) * constant)).says("D is the root of the discriminant").certified(exists),
        line("root_squared", root_D**2, "=", linear**2 + 4 * (1 - a) * constant)
        .says("so its square is the discriminant")
        .certified(exists),
    )
    steps = (
        # the steps from Taylor's formula to what it says of one gradient
        line("leading", lead_unit, "<=", ell * R2)
        .says("the mean of (u'a)^2 w, unit vector a: the leading part of E m^2 w", "H <= ell I, Tr(H) <= r ell")
        .by(
            (2 * d / (d + 2), "norm_of_H"),
            (d / (d + 2), "effective_rank"),
            modulo=((-1, "weighted"), (-(2 * unit_H + trace) / 3, "fourth_moment")),
        ),
        line("in_expectation", F_next, "<=", F_now - alpha * step_along + alpha**2 / 2 * (step_H + sigma**2 * trace))
        .says("the loss F_next in expectation over u and z", "Taylor's formula with the moments of the noise")
        .by("taylor", modulo=((alpha, "noise_and_gradient"), (-(alpha**2), "noise_and_step"), (-(alpha**2) / 2, "noise_length"))),
        line("one_step", F_next, "<=", one_step)
        .says("the loss F_next in the norm of the gradient at x_t", "insert both hypotheses, Tr(H) <= r ell")
        .by("in_expectation", (alpha, "direction"), (alpha**2 / 2, "length"), (alpha**2 * sigma**2 / 2, "effective_rank")),
        line("per_step", (1 - a) * grad_sq - linear * grad, "<=", (F_now - F_next) / alpha + ADDED)
        .says("in the coefficients a and b of the quadratic, for the squared norm of the gradient and the norm")
        .because("collect the powers of G, divide by alpha")
        .by((1 / alpha, "one_step"), modulo=((grad_sq, "quad_a"), (grad, "quad_b"))),
        # the steps to the quadratic that the mean satisfies
        line("averaged", (1 - a) * mean_grad_sq - linear * mean_grad, "<=", (F_first - F_last) / (alpha * T) + ADDED)
        .says("averaged over t = 0, ..., T - 1, the decreases of F_S telescope")
        .because("the line holds at every t, and tau is uniform and independent of the run")
        .averaging("per_step"),
        line("quadratic", (1 - a) * mean_grad_sq - linear * y, "<=", constant)
        .says("so y, the root of the averaged squared gradient norm, satisfies the quadratic", "F_S(x_T) >= F_S^*; Jensen's inequality")
        .by("averaged", (1 / (alpha * T), "last_above_least"), (linear, "jensen"), modulo=((1, "quad_R"), (1 / (alpha * T), "gap"))),
        # the steps from the quadratic to its larger root
        line("contracts", a, "<", 1)
        .says("the coefficient a of the quadratic is below 1", "that is assumed")
        .by("contraction", modulo=((-1, "quad_a"),)),
        line("discriminant", 0, "<", linear**2 + 4 * (1 - a) * constant)
        .says("so the discriminant of the quadratic is positive", "R > 0, because there is noise")
        .by(linear**2, (4, "contracts", constant)),
        line("larger", linear, "<", root_D)
        .says("and its root D is above the coefficient b", "D^2 - b^2 = 4 (1 - a) R > 0")
        .by((4, "contracts", constant, 1 / (root_D + linear)), modulo=((1 / (root_D + linear), "root_squared"),)),
        line("divisor", linear, "<", root_D + 2 * (1 - a) * y)
        .says("the coefficient b is also below D and 2 (1 - a) y", "y >= 0")
        .by("larger", (2 * y, "contracts")),
        line("below_the_root", 2 * (1 - a) * y, "<=", linear + root_D)
        .says("2 (1 - a) y is at most the coefficient b and the root D")
        .because("times D - b + 2 (1 - a) y the difference is 4 (1 - a) times that of the quadratic")
        .by(((4), "contracts", "quadratic", Inverse("divisor")), modulo=(((Inverse("divisor"),), "root_squared"),)),
        line("in_D", mean_grad_sq, "<=", ((linear + root_D) / (2 * (1 - a))) ** 2)
        .says("the averaged squared gradient norm is at most the square of the larger root of the quadratic")
        .because("the square of the line before")
        .by((quarter, contracts, contracts, linear + root_D, "below_the_root"), (y / 2, contracts, "below_the_root")),
        line("bound", mean_grad_sq, "<=", GENERIC)
        .says("the averaged squared gradient norm, in the letters of the hypotheses", "insert a, b, R and D")
        .by(
            "in_D",
            at=("quad_a", "quad_b", "quad_R"),
            modulo=(((-linear / 2, contracts, contracts), "root"), ((-quarter, contracts, contracts), "root_squared")),
        ),
    )
    left_open = (shrink, bias, cross, length, stretch)
    return Derivation("dpzero.sharp_descent", "expected descent without conditioning", "ours", steps, facts, left_open=left_open)


# --- how a proof uses it: m = p + b + e is the mean of the clipped differences, h that of the unclipped ones, m_0 that of
# clip_C(u'grad f(x_t; xi_i)); b = m_0 - p and e = m - m_0 for smooth samples, b = m - h and e = h - p for Lipschitz ones
p_u = introduce("p_u", "p", "u'grad F_S(x_t)", -1e3, 1e3, "step")
b_u = introduce("b_u", "b", "part b of the mean difference m = p + b + e, by clipping", -1e3, 1e3, "step")
e_u = introduce("e_u", "e", "part e of the mean difference m = p + b + e, by smoothing", -1e3, 1e3, "step")
rest_H = introduce("rest_H", r"\mathbb{E}e^2w", "mean of e^2 u'Hu, the part by smoothing", 0, 1e6, "step")
rest_cross = introduce("rest_cross", r"\mathbb{E}|p||e|w/G", "mean of |p| |e| u'Hu over G, the part by smoothing", 0, 1e6, "step")
joint = introduce("joint", r"\mathbb{E}(b+e)^2w", "mean of (b + e)^2 u'Hu, the parts by clipping and by smoothing", 0, 1e6, "step")

LETTERS = {"shrink": shrink, "bias": bias, "cross": cross, "length": length, "weight": stretch}


def proof_of(theorem: Theorem, terms: Mapping[str, Any], facts: tuple[Step, ...], steps: tuple[Step, ...], **more: Any) -> Derivation:
    """Return the proof whose facts and steps give the lines "direction" and "length" in the letters of the terms."""
    values = {"weight": R2, **terms}
    named = tuple(letter.name for letter in LETTERS.values())
    weight, loss = values["weight"], values["shrink"]
    taken = (
        *(
            line(letter.name, letter, "=", values[name]).says(f"here: {GLOSSARY[letter.name].words}").defined()
            for name, letter in LETTERS.items()
        ),
        line("contraction", loss + alpha * ell * weight / 2, "<", 1).says("a < 1").assumed(),
        *facts,
        line("descent", mean_grad_sq, "<=", GENERIC)
        .says("dpzero.sharp_descent: its hypotheses are met by the lines on direction, length and a < 1")
        .shown("dpzero.sharp_descent", "bound", meets={"contraction": "contracts"}),
    )
    made = (
        *steps,
        line("contracts", shrink + alpha * ell * stretch / 2, "<", 1)
        .says("a < 1 in the letters of the terms, with alpha and ell", "that is assumed")
        .by("contraction", modulo=((-1, shrink.name), (-alpha * ell / 2, stretch.name))),
        line("any_schedule", mean_grad_sq, "<=", theorem.bound)
        .says("the averaged squared gradient norm", "insert the terms")
        .by("descent", at=named),
    )
    return proved(theorem, theorem.title, "ours", taken, made, **more)


def direction_step(reason: str, *terms: Any, modulo: tuple[tuple[Any, str], ...] = ()) -> Step:
    """Return the first hypothesis of dpzero.sharp_descent."""
    return (
        line("direction", step_along, ">=", ALONG)
        .says("the step against the gradient, without noise")
        .because(reason)
        .by(*terms, at=(shrink.name, bias.name), modulo=modulo)
    )


def length_step(reason: str, *terms: Any, modulo: tuple[tuple[Any, str], ...] = ()) -> Step:
    """Return the second hypothesis of dpzero.sharp_descent."""
    return (
        line("length", step_H, "<=", IN_NORM_OF_H)
        .says("the squared length of the step in the norm of H, without noise")
        .because(reason)
        .by(*terms, at=(stretch.name, cross.name, length.name), modulo=modulo)
    )


# --- the length of m = p + b + e ----------------------------------------------------------------------------------------------------
LEADING = line("leading", lead_unit, "<=", ell * R2).says("E p^2 w over G^2").shown("dpzero.sharp_descent", "leading")
CAUCHY = (
    line("cauchy_schwarz", rest_cross**2, "<=", lead_unit * rest_H)
    .says("E |p| |e| w is at most the root of E p^2 w times E e^2 w")
    .reasoned("Cauchy-Schwarz, divided by G^2; both are 0 at G = 0")
)
SQUARE = (
    line("square", (p_u + b_u + e_u) ** 2, "=", p_u**2 + 2 * p_u * b_u + 2 * p_u * e_u + (b_u + e_u) ** 2)
    .says("the square of the mean difference m = p + b + e", "multiply out")
    .identity()
)


def four_terms(cross: Any, error: Any) -> tuple[Step, Step]:
    """Return the facts on E m^2 w where something clips: by `cross`, the mean of |p| |b| w over G, and `error`, that of b^2 w."""
    return (
        line("split", step_H, "<=", grad_sq * lead_unit + 2 * grad * cross + 2 * grad * rest_cross + joint)
        .says("the means of the four terms of m^2 w, two of them over G")
        .reasoned("the expectation of the square times w", using=("square",)),
        line("minkowski", joint, "<=", (sp.sqrt(error) + sp.sqrt(rest_H)) ** 2)
        .says("the root of E (b + e)^2 w is at most the sum of the roots of E b^2 w and E e^2 w")
        .reasoned("Minkowski's inequality"),
    )


def rest_cross_step(size: Any) -> Step:
    """Return the step from the line "rest", rest_H <= ell size^2, to E |p| |e| w."""
    value = ell * sp.sqrt(R2) * size
    share = 1 / (value + rest_cross)
    return (
        line("rest_cross", rest_cross, "<=", value)
        .says("the mean of |p| |e| w over G, the part by smoothing", "Cauchy-Schwarz, E p^2 w <= ell R2 G^2")
        .by((share, "cauchy_schwarz"), (share * rest_H, "leading"), (share * ell * R2, "rest"))
    )


def length_steps(lemma: str, kind: str, error: Any, clipping: Any, size: Any) -> tuple[Step, ...]:
    """Return the steps to the second hypothesis from those of `four_terms` and the line "rest", rest_H <= ell size^2.

    `kind` begins the names of the lines of `lemma` on clipping, by which E b^2 w, the `error`, is at most ell clipping^2.
    """
    roots = sp.sqrt(ell) * (clipping + size) + sp.sqrt(error) + sp.sqrt(rest_H)
    by_clipping, by_smoothing = sp.sqrt(ell) * clipping, sp.sqrt(ell) * size
    cross_terms = times(2 * grad, f"{kind}_cross", "rest_cross")
    return (
        rest_cross_step(size),
        line("root_of_clipping", sp.sqrt(error), "<=", by_clipping)
        .says("the root of the mean squared error of clipping", "it is at most the square of this")
        .by((1 / (by_clipping + sp.sqrt(error)), f"{kind}_error")),
        line("root_of_rest", sp.sqrt(rest_H), "<=", by_smoothing)
        .says("the root of the mean of e^2 w, the part by smoothing", "it is at most the square of this")
        .by((1 / (by_smoothing + sp.sqrt(rest_H)), "rest")),
        line("joint", joint, "<=", ell * (clipping + size) ** 2)
        .says("the mean of (b + e)^2 w, the parts by clipping and by smoothing", "Minkowski's inequality with both roots")
        .by("minkowski", *times(roots, "root_of_clipping", "root_of_rest")),
        length_step(f"the four terms, with {lemma} (ii), (iii)", "split", (grad_sq, "leading"), *cross_terms, "joint"),
    )
