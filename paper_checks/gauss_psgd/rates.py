"""Checks of the rate of Theorems 2 and 3 as the root of (102): its slopes, how kappa balances its parts, and that it is unique."""

import math
from itertools import pairwise

import numpy as np
import sympy as sp
from scipy.optimize import brentq
from scipy.special import logsumexp

import bounds
from bounds.gauss_psgd import paper, rates
from bounds.gauss_psgd.fixed_point import Problem, drift_limits, printed_drift_limit
from bounds.proofs.inequalities import is_zero
from bounds.symbols import GLOSSARY
from paper_checks.gauss_psgd import printed as p
from paper_checks.record import Record
from paper_checks.shared.findings import check_deviation
from paper_checks.shared.formulas import monomial_exponents
from paper_checks.verdict import Finding

DECADES = (20, 26, 32, 4000)  # log10 of n; at the last one, parts that are not the largest are smaller by n^(1/42) = 10^95 or more


def error_term_powers(exact_gradients: bool = False) -> dict[str, np.ndarray]:
    """Return {symbol: exponents (4,)} of the error terms of (102) in n, alpha, kappa and S = sqrt(d)/epsilon, constants left out.

    `exact_gradients` chooses the step size 1/M in place of the printed one.
    """
    rows = [monomial_exponents(p.substitute_batches(part, exact_gradients), p.n, p.alpha, p.kappa, p.d) for part in p.LEMMA_7]
    n, alpha, kappa, d = np.array(rows, dtype=float).T
    return {"n": n, "alpha": alpha, "kappa": kappa, "S": 2 * d}


def accuracy_and_slope(log_n: float, spread: float, kappa: str, exact_gradients: bool = False) -> tuple[float, float]:
    """Return (log alpha, d log alpha / d log n) at the root alpha of (102), with sqrt(d)/epsilon = n^spread and unit constants.

    The slope is exact at the root: with alpha^2 = sum of t_i it is sum t_i (d log t_i/d log n) / sum t_i (2 - v_i), v_i the power of alpha.
    """
    e = error_term_powers(exact_gradients)
    moves = e["n"] + spread * e["S"]
    entries = [monomial_exponents(entry, p.n, p.d) for entry in p.KAPPA]
    exponents = [float(in_n) + 2 * spread * float(in_d) for in_n, in_d in entries]  # d is S^2, epsilon = 1

    def logs(log_alpha: float, log_kappa: float) -> np.ndarray:
        return moves * log_n + e["alpha"] * log_alpha + e["kappa"] * log_kappa

    def limit(log_alpha: float) -> float:
        if kappa == "printed":
            return max(exponents) * log_n

        # the best kappa: the parts that fall with it and those that grow balance, each weighted by its power
        def excess(log_kappa: float) -> float:
            weighted = logs(log_alpha, log_kappa) + np.log(np.abs(e["kappa"]))
            return float(logsumexp(weighted[e["kappa"] > 0]) - logsumexp(weighted[e["kappa"] < 0]))

        return float(brentq(excess, -20 * log_n, 20 * log_n, xtol=1e-12 * log_n))

    log_alpha = brentq(lambda y: 2 * y - logsumexp(logs(y, limit(y))), -5 * log_n, 5 * log_n, xtol=1e-13 * log_n)
    at = logs(log_alpha, limit(log_alpha))
    weights = np.exp(at - logsumexp(at))
    # a best kappa does not enter, since alpha does not change with it to first order
    up = weights @ (moves + (e["kappa"] * max(exponents) if kappa == "printed" else 0))
    return float(log_alpha), float(up / (weights @ (2 - e["alpha"])))


def check_limit_slope(*, spread: float, kappa: str, claimed: str, exact_gradients: bool, check_theory: bool) -> Finding:
    """Check numerically that the slope in n of alpha, the root of (102), tends to the exponent `claimed` as n grows; return a Finding."""
    measured = {decades: accuracy_and_slope(decades * math.log(10), spread, kappa, exact_gradients) for decades in DECADES}
    record = Record({f"slope at n = 1e{decades}": slope for decades, (_, slope) in measured.items()})
    for decades in DECADES[:3] if check_theory else ():
        n, step = 10.0**decades, "exact_gradients" if exact_gradients else "printed"
        ours = rates.balance_terms(unit_problem(n, n ** (2 * spread), 1.0), p=spread, drift_limit=kappa, step=step)
        log_alpha, slope = measured[decades]
        gaps = abs(ours.slope - slope), abs(math.log(ours.accuracy) - log_alpha)
        if max(gaps) > 1e-6:  # both roots are found to 1e-12 or better, and the weights follow them
            sentence = f"at n = 1e{decades} the theory's root has the slope {ours.slope:.7f}, this one {slope:.7f}"
            return record.leave_open(f"{sentence}; one of the two roots must be wrong")
        record.note({f"slope of the theory at n = 1e{decades}": ours.slope})
    near, far, wanted = measured[26][1], measured[DECADES[-1]][1], float(sp.Rational(claimed))
    record.note({"claimed": claimed, "slope far out": far})
    if abs(far - wanted) > 1e-6:  # other parts weigh 10^-95 there; what is left is rounding in the root
        witness = {"sqrt(d)/epsilon": f"n^{spread:.4g}", "G = M = rho = U": 1, "claimed": wanted}
        witness |= {f"slope at n = 1e{decades}": round(slope, 6) for decades, (_, slope) in measured.items()}
        record.refute(f"the slope is {near:.4f} at n = 1e26 and tends to {far:.6f}, not {claimed}", witness)
    return record.conclude(f"the slope is {near:.4f} at n = 1e26 and {far:.6f} far out: {claimed}")


def check_kappa_balance() -> Finding:
    """Check by algebra that the printed kappa is the theory's, and that each of its entries balances two error terms; return a Finding."""
    pairs = [
        *zip(map(bounds.page("gauss_psgd.theorem2").formula, ("kappa_1_value", "kappa_2_value")), p.KAPPA, strict=True),
        *zip(drift_limits(paper.ALL, paper.SYMBOLS), p.KAPPA_3, strict=True),
    ]
    differing = sum(not is_zero(sp.sympify(ours - theirs)) for ours, theirs in pairs)
    at = {"n": 1e6, "d": 30.0, "epsilon": 0.7, "L": 2.0, "ell": 3.0, "rho": 0.5, "U": 7.0, "m": 4}
    printed = max(float(entry.subs({GLOSSARY[name].symbol: value for name, value in at.items()})) for entry in p.KAPPA_3)
    differing += not math.isclose(printed_drift_limit(Problem(delta=1e-5, **at)), printed, rel_tol=1e-12)
    letters, balanced = (p.n, p.d, p.epsilon, p.G, p.M, p.rho, p.U), 0
    for part, entry in ((0, 0), (1, 0), (2, 1), (3, 1)):
        left = p.accuracy_of_term(p.LEMMA_7[part]).xreplace({p.kappa: p.KAPPA[entry]})
        balanced += monomial_exponents(left, *letters) == monomial_exponents(p.RATE[entry], *letters)
    record = Record({"formulas compared": len(pairs) + 1, "parts that become a term of (105)": balanced})
    if differing or balanced != 4:
        record.leave_open("the print, the theory and the balances disagree; comparing them would settle it")
    return record.prove(
        "at the first entry parts 1 and 2 of psi^2 give the first term of (105) with all its letters, at the second parts 3 and 4 the other"
    )


def check_single_root() -> Finding:
    """Check that (102), the equation for the accuracy alpha, has one positive root, by Descartes' rule of signs; return a Finding.

    Divided by alpha^2 it is a polynomial in the root of 1/alpha with one change of sign.
    """
    powers, changes = [], []
    for exact_gradients in (False, True):
        degrees = 2 * (2 - error_term_powers(exact_gradients)["alpha"])  # alpha^(v - 2) = y^(2 (2 - v)) with y = alpha^(-1/2)
        if not np.allclose(degrees, np.rint(degrees)) or min(degrees) < 1:
            return Record().leave_open("a part has no positive whole power; the rule of signs does not apply")
        y = sp.Symbol("y")
        polynomial = sp.Poly(sum(sp.Symbol(f"a_{i}", positive=True) * y ** round(one) for i, one in enumerate(degrees)) - 1, y)
        signs = [coefficient.is_positive for coefficient in polynomial.all_coeffs() if coefficient != 0]
        powers.append(sorted(map(round, degrees)))
        changes.append(sum(a != b for a, b in pairwise(signs)))
    record = Record({"powers of alpha^(-1/2)": tuple(powers[0]), "changes of sign": changes[0], "with eta = 1/M": tuple(powers[1])})
    if changes != [1, 1]:
        record.leave_open("more than one change of sign; the number of roots is open")
    return record.prove(f"1 is a sum of positive multiples of the powers {powers[0]} of alpha^(-1/2): one root")


def unit_problem(n: float, d: float, epsilon: float, m: float = 1) -> Problem:
    """Return the Problem with the given n, d, epsilon and m, delta = 1e-5, and L = ell = rho = U = 1."""
    return Problem(n=n, d=d, epsilon=epsilon, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0, m=m)


def measured_slope(ends: tuple[float, float], p: float, limit: str, step: str) -> float:
    """Return the slope of log alpha, the theory's root of (102), in log n between two n of ratio 1e12, with sqrt(d)/epsilon = n^p."""
    alphas = [rates.balance_terms(unit_problem(n, n ** (2 * p), 1.0), p=p, drift_limit=limit, step=step).accuracy for n in ends]
    return math.log(alphas[1] / alphas[0]) / math.log(1e12)


def check_rate_exponent(*, p: float, stated_slope: float, tolerance: float, limit: str = "printed", step: str = "printed") -> Finding:
    """Check that alpha, the theory's root of (102), has a slope in n <= `stated_slope` + `tolerance`, 1e20 to 1e32; return a Finding."""
    found = measured_slope((1e20, 1e32), p, limit, step)
    record = Record({"slope": found, "stated": stated_slope, "sqrt(d)/epsilon = n^p, p": p})
    if found > stated_slope + tolerance:
        record.refute(f"the root falls like n^{found:.4f}, not n^{stated_slope:.4f}", record.numbers)
    return record.conclude(f"slope {found:.4f}, stated {stated_slope:.4f}")


def check_step_size_exponent(*, step: str, power: float) -> Finding:
    """Check that the root of (102) has the exponent `power` of sqrt(d)/(n epsilon), at eta of (5) or 1/M (`step`); return a Finding."""
    found = measured_slope((1e24, 1e36), 0.5, "best", step) / -0.5
    at, words = {"exponent": found, "stated": power}, f"the exponent of sqrt(d)/(n epsilon) is {found:.4f}"
    return check_deviation(abs(found - power), at, 2, words, None, 2e-3)
