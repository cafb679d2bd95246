"""Theorems 1 and 2, (3) to (6), (12), (13), (15): DPGD-0th without and with a low rank, and Remarks 3.2, 3.3 and 3.6."""

import sympy as sp

import bounds
from bounds.growth import growth
from bounds.inequalities import is_zero
from bounds.symbols import A, C, L, T, alpha, d, ell, epsilon, lam, n, r, sigma
from paper_checks.dpzero import printed
from paper_checks.dpzero.statement import VALUES, equation, formulas_of, runs, whole_chain
from paper_checks.examine.formulas import apart
from paper_checks.examine.orders import at_values, factor, order
from paper_checks.verdict import Claim, Finding, Kind, claim, inconclusive, proved, reading, refuted

T1, T2 = "dpzero.theorem1", "dpzero.theorem2"
# of (4) and (6): what it is at lam = 0, the theorem, the powers of d and r beside c, and what stands for d in the slope and in the noise
ONE_STEP = {"4": ("12", T1, d**3, d, d), "6": ("15", T2, r * d**2, r + 2, r)}


def one_step_with_c(*, equation: str) -> Finding:
    """Expand (12) or (15) at lam = 0, C = L d and the paper's sigma, and compare with (4) or (6), c = 16 ell L^2 T A / (n epsilon)^2."""
    source, _, shape, rank, _ = ONE_STEP[equation]
    c, slope = 16 * ell * L**2 * T * A / (n**2 * epsilon**2), 1 - 2 * rank * ell * alpha
    at = printed.EQUATIONS[source].xreplace({sigma: printed.SIGMA}).xreplace({C: L * d, lam: sp.Integer(0)})
    claimed = printed.F_now - alpha / 2 * slope * printed.grad_sq + c * alpha**2 * shape
    if not is_zero(at - claimed) or c.has(alpha, d, r):
        witness = apart(at, claimed, (f"({source})", f"({equation})"))
        return refuted(f"({source}) at lam = 0 differs from ({equation})", {"c": sp.sstr(c)}, witness)
    known = "c = 16 ell L^2 T A / (n epsilon)^2, which holds T but neither alpha nor d"
    return proved(f"({source}) at lam = 0, C = L d is ({equation}) with {known}", {"c": sp.sstr(c)})


def constant(*, equation: str, dimensions: tuple[int, ...]) -> Finding:
    """Evaluate the c of (4) or (6) at the theorem's own T: what is left of it when alpha^2 and the powers of d and r are taken out."""
    _, theorem, shape, _, rank = ONE_STEP[equation]
    page = printed.PAGES[theorem]
    c = sp.simplify((ell / 2 * rank * printed.SIGMA**2 / shape).xreplace({C: page.schedule["C"]}))
    own = page.in_constants(c)
    order_in_d = growth(own, d).power
    numbers = {"c before T is chosen": sp.sstr(c), "power of d in c": str(order_in_d)}
    if order_in_d == 0:
        return proved(f"c = {own} does not depend on d", numbers)
    at = {k: str(v) for k, v in VALUES.items() if k in ("n", "r", "epsilon", "delta", "L", "ell")}
    reached = {f"c at d = {dim}": float(at_values(own, VALUES, keep=d).xreplace({d: sp.Integer(dim)})) for dim in dimensions}
    words = f"c = {sp.sstr(c)} holds T, and with the theorem's T it changes as d^({order_in_d})"
    return refuted(f"{words}; with a fixed c, (3) and (5) would not follow", numbers, {**at, **reached})


def sources() -> Finding:
    """Read the powers of d in the three sources of Remark 3.3, T fixed and lam -> 0."""
    second, C_1 = printed.SECOND_MOMENT.xreplace({lam: sp.Integer(0)}), printed.PAGES[T1].schedule["C"]
    noise = (d * printed.SIGMA**2).xreplace({C: C_1})
    found = {"E ||G||^2": growth(second, d).power, "C": growth(C_1, d).power, "E ||z||^2": growth(noise, d).power}
    own_T = growth(printed.PAGES[T1].in_constants(noise), d).power
    numbers = {**{name: str(power) for name, power in found.items()}, "E ||z||^2 with the theorem's own T": str(own_T)}
    if tuple(found.values()) != (1, 1, 3):
        return refuted("the powers of d differ", numbers, numbers)
    return proved(f"powers of d: 1, 1 and 3 with T fixed; with Theorem 1's own T the noise has d^({own_T})", numbers)


def shrinks_by_rank() -> Finding:
    """Divide the step and the noise in the norm of H, as bounded under Assumption 3.5, by those in the Euclidean norm times ell."""
    step, held = 2 * ell * (r + 2) * printed.grad_sq, bounds.DERIVATIONS[T2]["curvature"].rhs.xreplace({lam: sp.Integer(0)})
    in_step = step / (ell * 2 * d * printed.grad_sq) - (r + 2) / d  # (15) against (12), lam -> 0
    in_noise = sigma**2 * r * ell / (ell * d * sigma**2) - r / d
    if not all(map(is_zero, (held - step, in_step, in_noise))):
        return inconclusive("the theory bounds the step by another constant than the paper; comparing the two would settle it")
    return proved("the bounds shrink by (r + 2)/d and by r/d", {"step": "(r + 2)/d", "noise": "r/d"})


def one_step(number: str, source: str, step: str, theorem: str, shape: str) -> tuple[Claim, ...]:
    """Return what is claimed of (4) or (6): it is (12) or (15) as lambda -> 0, and its c is a constant."""
    return (
        reading(f"dpzero.equation_{number}.derived", source, Kind.IDENTITY)
        .says(
            f"With lambda -> 0 and C = L d, ({step}) is ({number}) with a c that depends neither on alpha nor on d as long as T is kept "
            "fixed"
        )
        .formula(printed.EQUATIONS_TEX[number])
        .proved("c = 16 ell L^2 T A / (n epsilon)^2", theorem)
        .examined(one_step_with_c, equation=number),
        reading(f"dpzero.equation_{number}.constant", source, Kind.SCOPE)
        .says(f"With the theorem's own parameters, and lambda -> 0, the c of ({number}) does not depend on d", shape)
        .refuted("c = 16 ell L^2 T A / (n epsilon)^2 holds T, which the theorem chooses by d")
        .corrected("c does not depend on d as long as T is kept fixed; the rates use that T falls with d", by=f"equation_{number}.derived")
        .corrected_formula(r"c = \frac{16\ell L^2TA}{n^2\varepsilon^2}")
        .examined(constant, equation=number, dimensions=(1, 100, 10_000)),
    )


TO_3 = ("averaged", "noise_term", "kept", "quarter", "any_schedule", "first_term", "noise_at_schedule", "bound")
TO_5 = ("averaged", "noise_term", "kept", "quarter", "any_schedule", "alpha_T", "first_term", "noise_at_schedule", "bound")
COUNT_TEX = r"nT = \mathcal{O}(n^2\sqrt r/d)"
BOUNDS = {key: page.bound for key, page in printed.PAGES.items()}
CLAIMS = (
    *formulas_of("theorem1", "Theorem 1", printed.COUNT_1_TEX, {"n": ("2", 0), "d": ("-1/2", 0)}),
    whole_chain("theorem1", "Theorem 1, Appendix D", "The whole chain of Theorem 1, from the algorithm to (3)"),
    equation("3", "Theorem 1", "(3) follows from (12) with the printed alpha, T, C and lambda, once the decreases telescope", {T1: TO_3}),
    *one_step("4", "Remark 3.3, equation (4)", "12", T1, r"c\,\alpha^2d^3"),
    equation("12", "Appendix D", "(12) follows from the descent lemma and Lemma C.2", {T1: ("noise_averaged", "one_step")}),
    claim("dpzero.remark_3_2.error", "Remark 3.2", Kind.EXPONENT)
    .says("The error of Theorem 1 is of order d^(3/2), and falls like 1/n", r"\mathcal{O}(d^{3/2})")
    .proved("read off the printed bound, certified by a limit", T1)
    .examined(order, theorem=T1, grows={"d": ("3/2", 0), "n": ("-1", 0)}, values=VALUES, printed=BOUNDS[T1]),
    claim("dpzero.remark_3_2.factor", "Remark 3.2", Kind.EXPONENT)
    .says("Theorem 1 is worse than first-order methods by a factor d")
    .proved("d^(3/2) against d^(1/2) of our DP-GD at r = d")
    .examined(factor, better="dpzero.dp_gd", worse=T1, letter="d", gains=("1", 0), printed=BOUNDS, with_letters={r: d}),
    reading("dpzero.remark_3_3.sources", "Remark 3.3", Kind.EXPONENT)
    .says("E ||G||^2 is of order d, C of order d and E ||z||^2 of order d^3, for fixed T and lambda -> 0")
    .formula(r"\mathcal{O}(d\|\nabla F_S\|^2),\ \mathcal{O}(d),\ \mathcal{O}(dC^2) = \mathcal{O}(d^3)")
    .proved("read off Lemma C.2 (ii), C = L d and sigma")
    .examined(sources),
    *runs("theorem1", "Theorem 1, Eq. (3)", fails=("quadratic",), d=2),
    *formulas_of("theorem2", "Theorem 2", COUNT_TEX, {"n": ("2", 0), "d": ("-1", 0), "r": ("1/2", 0)}),
    whole_chain("theorem2", "Theorem 2, Appendix D", "The whole chain of Theorem 2, from the algorithm to (5)"),
    equation("5", "Theorem 2", "(5) follows from (15) with the printed alpha, T, C and lambda, once the decreases telescope", {T2: TO_5}),
    *one_step("6", "Remark 3.6, equation (6)", "15", T2, r"c\,\alpha^2rd^2"),
    equation(
        "13", "Appendix D", "(13) follows from Taylor's theorem and the moments of the noise", {T2: ("noise_averaged",)}, Kind.IDENTITY
    ),
    equation("15", "Appendix D", "(15) follows from (13), (14) and Lemmas C.1 and C.2", {T2: ("curvature", "one_step")}),
    claim("dpzero.remark_3_6.factor", "Remark 3.6", Kind.EXPONENT)
    .says("In the norm of H, step and noise are smaller by a factor of order r/d", r"\mathcal{O}(r/d)")
    .proved("(r + 2)/d and r/d", T2)
    .examined(shrinks_by_rank),
    *runs("theorem2", "Theorem 2, Eq. (5)", fails=("quadratic",), d=2),
)
