"""What the pages of the DPZero paper share: the noise of Lemma 2.2, and the hypotheses and limits that the statements leave unsaid."""

from collections.abc import Mapping
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.lines import Step
from bounds.pages import Pages
from bounds.papers import PAPERS
from bounds.symbols import A, B, C, L, T, X, Y, alpha, d, delta, ell, epsilon, gap, lam, mu, n, symbols
from bounds.theorem import SCOPE, Condition, Part, Theorem

PAPER = PAPERS["dpzero"].cited
stated = Pages("dpzero").keyed

LOG_TERM = sp.log(sp.E + epsilon / delta)  # A
SIGMA = 4 * C * sp.sqrt(2 * T * A) / (n * epsilon)  # Lemma 2.2 with sensitivity 2 C / n: the standard deviation of Algorithms 1, 2

ASSUMPTION_3_1 = ("f(.; xi) is L-Lipschitz for every xi", "F_S is ell-smooth", "F_S has a smallest value")
ON_F_S = (
    "F_S is twice differentiable and -H <= its Hessian <= H everywhere, ||H|| <= ell, Tr(H) <= r ||H||",
    "F_S has a smallest value",
)  # what Assumption 3.5 says of F_S
ASSUMPTION_3_5 = ("f(.; xi) is L-Lipschitz and ell-smooth for every xi", *ON_F_S)
ASSUMPTION_F_1 = "||grad F_S(x)||^2 >= 2 mu (F_S(x) - F_S^*) for every x"

PRIVATE = Condition(
    epsilon <= 8 * A,
    "epsilon = {value} is above 8 log(e + epsilon/delta) = {limit}: outside the region where the noise of Lemma 2.2 is proved to be enough",
)
ONE_STEP = Condition(
    T >= 1, "T = {value} is below 1, so no step can be taken; the output is x_0 and the bound exceeds the trivial one (Remark F.5)", SCOPE
)
ONE_STEP_PL = Condition(T >= 1, "T = {value} is below 1, so no step can be taken, and the bound is not proved for x_0")
RESOLVED = tuple(
    Condition(
        lam >= sp.Rational(1, 2**bits),
        f"lam = {{value}} is below 2^-{bits}: {words} precision x + lam u rounds to x where |x_i| >= 1 and |u_i| is of order 1",
        SCOPE,
    )
    for bits, words in ((23, "in single"), (52, "even in double"))
)
LOG_X = Condition(
    X > 1, "X = {value} is not above 1: its logarithm is not positive, so there is no threshold C and the bound is meaningless"
)
LOG_Y = Condition(Y > 1, "Y = {value} is not above 1: T would not be positive and the bound is meaningless")
BELOW_WORST_CASE = Condition(
    sp.Le(C, L * sp.sqrt(d)),
    "C = {value} is above L sqrt(d) = {limit}, which no finite difference exceeds: C = L sqrt(d) never clips either and needs less noise",
    SCOPE,
)
GLOBAL_B = Condition(gap <= 2 * B, "gap = {value} is above 2 B = {limit}: no loss with |F_S| <= B everywhere has that gap")
GAP_UNDER_PL = Condition(
    gap <= L**2 / (2 * mu), "gap = {value} is above L^2/(2 mu) = {limit}: the PL inequality and the Lipschitz constant exclude such a start"
)
WELL_CONDITIONED = Condition(mu <= ell, "mu = {value} is above ell = {limit}: no ell-smooth function has that PL constant")
UNDER_PL = (LOG_Y, ONE_STEP_PL, WELL_CONDITIONED, GAP_UNDER_PL)

REAL_T = "T is a real number here; integer_T gives the integer that keeps the guarantee, where the hypotheses hold"
B_IS_GLOBAL = "one noisy step reaches every point, so B must bound |F_S| on all of R^d: quadratic and logistic losses are excluded"
PL_IS_VACUOUS = (
    "on all of R^d the PL inequality and a finite Lipschitz constant together force F_S to be constant; "
    "the algebra is right, the statement needs both on a region that contains the iterates"
)
mean_grad_sq, D_last = symbols("mean_grad_sq D_last")
MEASURES = {mean_grad_sq: "E ||grad F_S(x_tau)||^2", D_last: "E F_S(x_T) - F_S^*"}


def below_trivial(bound: Any) -> Condition:
    """Return the condition that a bound on the squared gradient norm says more than the Lipschitz constant does."""
    return Condition(bound < L**2, "the bound {value} is not below L^2 = {limit}, which every point satisfies", SCOPE)


def below_trivial_gap(bound: Any) -> Condition:
    """Return the condition that a bound on F_S - F_S^* says more than the PL inequality and the Lipschitz constant do."""
    return Condition(bound < L**2 / (2 * mu), "the bound {value} is not below L^2/(2 mu) = {limit}, which every point satisfies", SCOPE)


def proved(theorem: Theorem, title: str, source: str, facts: tuple[Step, ...], steps: tuple[Step, ...], **more: Any) -> Derivation:
    """Return the proof of a statement, under the statement's key."""
    return Derivation(theorem.key, title, source, steps, facts, proves=theorem, **more)


def scheduled(
    name: str,
    title: str,
    place: str,
    *,
    schedule: Mapping[str, Any],
    bound: Any,
    measured: Any = mean_grad_sq,
    definitions: Mapping[str, Any] | None = None,
    asks: tuple[Any, ...] = (),
    conditions: tuple[Condition, ...] = (),
    notes: tuple[str, ...] = (),
    counted: str = "two-point gradients",
    **parts: Any,
) -> Theorem:
    """Return what the paper says of a method at a schedule, with the noise of Lemma 2.2.

    place      where the paper says so;   measured   a letter of MEASURES;   counted   what n T of are taken
    schedule   its alpha is the largest for which the bound before the schedule is chosen holds;   asks   what else that bound asks for
    """
    step_size = alpha <= schedule["alpha"]
    return stated(
        name,
        title,
        f"{PAPER}, {place}",
        measure=MEASURES[measured],
        measured=measured,
        definitions={"A": LOG_TERM, **(definitions or {})},
        schedule={**schedule, "sigma": SIGMA},
        bound=bound,
        valid_if=(step_size, *asks),
        step_size=step_size,
        parts=(Part("count", f"{counted} n T", "=", n * T),),
        conditions=(PRIVATE, *conditions, *(RESOLVED if "lam" in schedule else ())),
        notes=(REAL_T, *notes),
        **parts,
    )
