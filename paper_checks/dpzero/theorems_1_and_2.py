"""Checks of Theorems 1 and 2, (3) to (6), (12), (13), (15): DPGD-0th without and with a low rank, and Remarks 3.2, 3.3 and 3.6."""

import sympy as sp

import bounds
from bounds.growth import growth
from bounds.proofs.inequalities import is_zero
from bounds.symbols import A, C, F_now, L, T, alpha, d, ell, epsilon, grad_sq, lam, n, r, sigma
from paper_checks.dpzero import printed
from paper_checks.dpzero.statement import VALUES
from paper_checks.record import Record
from paper_checks.shared.formulas import difference_witness
from paper_checks.shared.orders import fix_symbols
from paper_checks.verdict import Finding

T1, T2 = "dpzero.theorem1", "dpzero.theorem2"
# for (4) and (6): the equation whose value at lam = 0 it is, the theorem, the factor of c, and the factors in the slope and in the noise
ONE_STEP = {"4": ("12", T1, d**3, d, d), "6": ("15", T2, r * d**2, r + 2, r)}


def check_one_step(*, equation: str) -> Finding:
    """Check by algebra that (12) or (15), at lam = 0 and C = L d, is (4) or (6), whichever `equation` names; return a Finding."""
    source, _, shape, rank, _ = ONE_STEP[equation]
    c, slope = 16 * ell * L**2 * T * A / (n**2 * epsilon**2), 1 - 2 * rank * ell * alpha
    at = printed.FORMULAS[f"equation_{source}"].xreplace({sigma: printed.FORMULAS["noise_sd"]}).xreplace({C: L * d, lam: sp.Integer(0)})
    claimed = F_now - alpha / 2 * slope * grad_sq + c * alpha**2 * shape
    record = Record({"c": sp.sstr(c)})
    if not is_zero(at - claimed) or c.has(alpha, d, r):
        witness = difference_witness(at, claimed, (f"({source})", f"({equation})"))
        record.refute(f"({source}) at lam = 0 differs from ({equation})", witness)
    known = "c = 16 ell L^2 T A / (n epsilon)^2, which holds T but neither alpha nor d"
    return record.prove(f"({source}) at lam = 0, C = L d is ({equation}) with {known}")


def check_step_constant(*, equation: str, dimensions: tuple[int, ...]) -> Finding:
    """Check whether the constant c of the one-step bound (4) or (6) is free of d at the theorem's own T, by algebra; return a Finding."""
    _, theorem, shape, _, rank = ONE_STEP[equation]
    page = printed.PAGES[theorem]
    c = sp.simplify((ell / 2 * rank * printed.FORMULAS["noise_sd"] ** 2 / shape).xreplace({C: page.schedule["C"]}))
    own = page.in_constants(c)
    order_in_d = growth(own, d).power
    record = Record({"c before T is chosen": sp.sstr(c), "power of d in c": str(order_in_d)})
    if order_in_d != 0:
        at = {k: str(v) for k, v in VALUES.items() if k in ("n", "r", "epsilon", "delta", "L", "ell")}
        reached = {f"c at d = {dim}": float(fix_symbols(own, VALUES, keep=d).xreplace({d: sp.Integer(dim)})) for dim in dimensions}
        words = f"c = {sp.sstr(c)} holds T, and with the theorem's T it changes as d^({order_in_d})"
        record.refute(f"{words}; with a fixed c, (3) and (5) would not follow", {**at, **reached})
    return record.prove(f"c = {own} does not depend on d")


def check_error_sources() -> Finding:
    """Check that E||G||^2, C and E||z||^2 of Remark 3.3 grow as d, d and d^3 at fixed T as lam -> 0, by algebra; return a Finding."""
    second, C_1 = printed.FORMULAS["equation_11"].xreplace({lam: sp.Integer(0)}), printed.PAGES[T1].schedule["C"]
    noise = (d * printed.FORMULAS["noise_sd"] ** 2).xreplace({C: C_1})
    found = {"E ||G||^2": growth(second, d).power, "C": growth(C_1, d).power, "E ||z||^2": growth(noise, d).power}
    own_T = growth(printed.PAGES[T1].in_constants(noise), d).power
    record = Record({**{name: str(power) for name, power in found.items()}, "E ||z||^2 with the theorem's own T": str(own_T)})
    if tuple(found.values()) != (1, 1, 3):
        record.refute("the powers of d differ", record.numbers)
    return record.prove(f"powers of d: 1, 1 and 3 with T fixed; with Theorem 1's own T the noise has d^({own_T})")


def check_rank_factors() -> Finding:
    """Check that a low rank lowers the bounds on step and noise by (r + 2)/d and r/d, by algebra; return a Finding.

    Compared are the norm of H, as bounded under Assumption 3.5, and the Euclidean norm times ell.
    """
    step, held = 2 * ell * (r + 2) * grad_sq, bounds.DERIVATIONS[T2]["curvature"].rhs.xreplace({lam: sp.Integer(0)})
    in_step = step / (ell * 2 * d * grad_sq) - (r + 2) / d  # (15) against (12), lam -> 0
    in_noise = sigma**2 * r * ell / (ell * d * sigma**2) - r / d
    if not all(map(is_zero, (held - step, in_step, in_noise))):
        return Record().leave_open("the theory bounds the step by another constant than the paper; comparing the two would settle it")
    return Record({"step": "(r + 2)/d", "noise": "r/d"}).prove("the bounds shrink by (r + 2)/d and by r/d")


R_IS_D = {r: d}
BOUNDS = {key: page.bound for key, page in printed.PAGES.items()}
