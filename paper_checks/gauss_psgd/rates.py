"""Rates and orders of Gauss-PSGD: the root of (102) and its slopes, kappa and its balances, m n and sqrt(m) n, orders of the parameters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from scipy.optimize import brentq
from scipy.special import logsumexp

import bounds
from bounds.inequalities import is_zero
from bounds.symbols import GLOSSARY
from paper_checks.gauss_psgd import formulas as p
from paper_checks.verdict import Claim, Finding, Kind, Outcome

DECADES = (20, 26, 32, 4000)  # log10 of n; at the last one, parts that are not the largest are smaller by n^(1/42) = 10^95 or more


def powers(exact_gradients: bool = False) -> dict[str, np.ndarray]:
    """Return the exponents of the four parts of (102) in n, alpha, kappa and S = sqrt(d)/epsilon; constants are left out, as there."""
    rows = []
    for part in p.LEMMA_7:
        whole = part.xreplace({p.b_1: p.B_1, p.b_2: p.B_2})
        whole = whole.xreplace({p.eta: 1 / p.M if exact_gradients else sp.sqrt(p.rho * p.alpha) / p.M**2, p.chi: p.alpha})
        rows.append(p.monomial(whole, p.n, p.alpha, p.kappa, p.d))
    n, alpha, kappa, d = np.array(rows, dtype=float).T
    return {"n": n, "alpha": alpha, "kappa": kappa, "S": 2 * d}


def root_of_102(log_n: float, spread: float, kappa: str, exact_gradients: bool = False) -> tuple[float, float]:
    """Return log alpha and d log alpha / d log n at the root of (102) with S = n^spread, G = M = rho = U = 1 and no logarithms.

    The slope is exact at the root: with alpha^2 = sum of t_i it is sum t_i (d log t_i/d log n) / sum t_i (2 - v_i), v_i the power of alpha.
    """
    e = powers(exact_gradients)
    moves = e["n"] + spread * e["S"]
    entries = [p.monomial(entry, p.n, p.d) for entry in p.KAPPA]
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


def slope(*, spread: float, kappa: str, claimed: str, exact_gradients: bool, check_theory: bool) -> Finding:
    """Compare the slope of the root of (102) for n far out with a claimed exponent, and with the theory's root where floats reach."""
    from bounds.gauss_psgd.fixed_point import Problem
    from bounds.gauss_psgd.rates import balance

    measured = {decades: root_of_102(decades * math.log(10), spread, kappa, exact_gradients) for decades in DECADES}
    numbers: dict[str, Any] = {f"slope at n = 1e{decades}": one[1] for decades, one in measured.items()}
    for decades in DECADES[:3] if check_theory else ():
        n = 10.0**decades
        problem = Problem(n=n, d=n ** (2 * spread), epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0)
        step = "exact_gradients" if exact_gradients else "printed"
        ours = balance(problem, p=spread, drift_limit=kappa, step=step)
        gaps = abs(ours.slope - measured[decades][1]), abs(math.log(ours.accuracy) - measured[decades][0])
        if max(gaps) > 1e-6:  # both roots are found to 1e-12 or better, and the weights follow them
            sentence = f"at n = 1e{decades} the theory's root has the slope {ours.slope:.7f}, this one {measured[decades][1]:.7f}"
            return Finding(Outcome.INCONCLUSIVE, f"{sentence}; one of the two roots must be wrong", numbers)
        numbers[f"slope of the theory at n = 1e{decades}"] = ours.slope
    far, wanted = measured[DECADES[-1]][1], float(sp.Rational(claimed))
    numbers |= {"claimed": claimed, "slope far out": far}
    if abs(far - wanted) > 1e-6:  # other parts weigh 10^-95 there; what is left is rounding in the root
        witness = {"sqrt(d)/epsilon": f"n^{spread:.4g}", "G = M = rho = U": 1, "claimed": wanted} | {
            f"slope at n = 1e{decades}": round(one[1], 6) for decades, one in measured.items()
        }
        near = measured[26][1]
        return Finding(Outcome.REFUTED, f"the slope is {near:.4f} at n = 1e26 and tends to {far:.6f}, not {claimed}", numbers, witness)
    return Finding(Outcome.CONSISTENT, f"the slope is {measured[26][1]:.4f} at n = 1e26 and {far:.6f} far out: {claimed}", numbers)


def kappa_and_balances() -> Finding:
    """Compare the printed kappa with the theory's, and see that each of its entries makes two parts of (103) one term of the rate."""
    from bounds.gauss_psgd import oracle, proofs_rates
    from bounds.gauss_psgd.fixed_point import Problem, printed_drift_limit

    pairs = [
        *zip(oracle.kappa_entries(1), p.KAPPA, strict=True), *zip(oracle.kappa_entries(p.m), p.KAPPA_3, strict=True),
        *zip((proofs_rates.KAPPA_1, proofs_rates.KAPPA_2), p.KAPPA, strict=True),
    ]  # fmt: skip
    differing = sum(not is_zero(sp.sympify(ours - theirs)) for ours, theirs in pairs)
    at = {"n": 1e6, "d": 30.0, "epsilon": 0.7, "L": 2.0, "ell": 3.0, "rho": 0.5, "U": 7.0, "m": 4}
    values = {GLOSSARY[name].symbol: value for name, value in at.items()}
    printed = max(float(entry.subs(values)) for entry in p.KAPPA_3)
    differing += not math.isclose(printed_drift_limit(Problem(delta=1e-5, **at)), printed, rel_tol=1e-12)
    letters = (p.n, p.d, p.epsilon, p.G, p.M, p.rho, p.U)
    balanced = 0
    for part, entry in ((0, 0), (1, 0), (2, 1), (3, 1)):
        whole = p.LEMMA_7[part].xreplace({p.b_1: p.B_1, p.b_2: p.B_2}).xreplace({p.eta: sp.sqrt(p.rho * p.alpha) / p.M**2, p.chi: p.alpha})
        (in_alpha,) = p.monomial(whole, p.alpha)
        left = ((whole / p.alpha**in_alpha) ** (1 / (2 - in_alpha))).xreplace({p.kappa: p.KAPPA[entry]})
        balanced += p.monomial(left, *letters) == p.monomial(p.RATE[entry], *letters)
    numbers = {"formulas compared": len(pairs) + 1, "parts that become a term of (105)": balanced}
    if differing or balanced != 4:
        return Finding(Outcome.INCONCLUSIVE, "the print, the theory and the balances disagree; comparing them would settle it", numbers)
    sentence = (
        "at the first entry parts 1 and 2 of psi^2 give the first term of (105) with all its letters, at the second parts 3 and 4 the other"
    )
    return Finding(Outcome.PROVED, sentence, numbers)


def with_clients() -> Finding:
    """Replace n by m n and n epsilon by sqrt(m) n epsilon in Lemma 7, kappa and (105), and compare with Lemma 9, Theorem 3 and (121)."""
    many = {p.n: p.m * p.n, p.epsilon: p.epsilon / sp.sqrt(p.m)}
    rows = {"kappa": (p.KAPPA, p.KAPPA_3), "(121)": (p.RATE, p.RATE_3)}
    differing = [name for name, (one, two) in rows.items() for a, b in zip(one, two, strict=True) if not is_zero(a.xreplace(many) - b)]
    lemmas = {part.name: part.value for part in bounds.THEOREMS["gauss_psgd.lemma9"].parts}
    seven = bounds.THEOREMS["gauss_psgd.lemma7"]
    differing += [] if is_zero(bounds.THEOREMS["gauss_psgd.lemma9"].bound - seven.bound / sp.sqrt(p.m)) else ["sigma"]
    differing += [] if is_zero(lemmas["r"] - seven.parts[0].value / sp.sqrt(p.m)) else ["r"]
    in_m = [p.monomial(term, p.m)[0] for term in p.RATE_3]
    in_n = [p.monomial(term, p.n)[0] for term in p.RATE_3]
    numbers = {"powers of m in (121)": tuple(map(str, in_m)), "powers of n": tuple(map(str, in_n))}
    if differing:
        return Finding(Outcome.INCONCLUSIVE, f"not a substitution in {', '.join(differing)}; comparing would settle it", numbers)
    if (in_m[0], 2 * in_m[1]) != (in_n[0], in_n[1]):
        return Finding(
            Outcome.REFUTED, "the powers of m and n do not belong to m n and sqrt(m) n", numbers, {"m": str(in_m), "n": str(in_n)}
        )
    sentence = "(121) is (105) with m n for n and sqrt(m) n epsilon for n epsilon, kappa and Lemma 9 too"
    return Finding(Outcome.PROVED, sentence, numbers)


def single_root() -> Finding:
    """Divide (102) by alpha^2 and write it in the root of 1/alpha: by Descartes' rule a polynomial with one change of sign has one root."""
    found = []
    for exact_gradients in (False, True):
        e = powers(exact_gradients)
        degrees = 2 * (2 - e["alpha"])  # alpha^(v - 2) = y^(2 (2 - v)) with y = alpha^(-1/2)
        if not np.allclose(degrees, np.rint(degrees)) or min(degrees) < 1:
            return Finding(Outcome.INCONCLUSIVE, "a part has no positive whole power; the rule of signs does not apply", {})
        y = sp.Symbol("y")
        polynomial = sp.Poly(sum(sp.Symbol(f"a_{i}", positive=True) * y ** round(one) for i, one in enumerate(degrees)) - 1, y)
        signs = [coefficient.is_positive for coefficient in polynomial.all_coeffs() if coefficient != 0]
        found.append((sorted(round(one) for one in degrees), sum(a != b for a, b in pairwise(signs))))
    numbers = {"powers of alpha^(-1/2)": tuple(found[0][0]), "changes of sign": found[0][1], "with eta = 1/M": tuple(found[1][0])}
    if any(changes != 1 for _, changes in found):
        return Finding(Outcome.INCONCLUSIVE, "more than one change of sign; the number of roots is open", numbers)
    return Finding(Outcome.PROVED, f"1 is a sum of positive multiples of the powers {found[0][0]} of alpha^(-1/2): one root", numbers)


def orders(*, wanted: Mapping[str, str]) -> Finding:
    """Read the power of alpha in each parameter of (5) and in (76), mu, s and the constants of the problem fixed."""
    letters = {p.letter(letter): letter for letter in p.FIVE}
    found = {name: str(p.monomial(p.in_alpha(p.T_76 if name == "T_eff" else letters[name]), p.alpha)[0]) for name in wanted}
    theory = bounds.THEOREMS["gauss_psgd.lemma6"]
    (once,) = (part.value for part in theory.parts if part.name == "once")
    in_psi = p.monomial(theory.in_constants(once), p.psi)[0]  # alpha is proportional to psi
    numbers = {f"power of alpha in {name}": one for name, one in found.items()} | {"power of psi in the theory's T_eff": str(in_psi)}
    if found != dict(wanted) or ("T_eff" in wanted and str(in_psi) != wanted["T_eff"]):
        return Finding(Outcome.REFUTED, "a power of alpha is another one", numbers, {**found, "claimed": str(dict(wanted))})
    return Finding(Outcome.PROVED, "; ".join(f"{name}: alpha^({one})" for name, one in found.items()), numbers)


def not_comparable() -> Finding:
    """Read how alpha moves with psi in (5), and whether a smaller alpha can be had at a given sigma."""
    (in_psi,) = p.monomial(p.in_psi(p.alpha), p.psi)
    ratio = p.in_psi(p.alpha) / p.psi
    smallest = p.in_psi(p.alpha).xreplace({p.psi: p.THREE})
    grows = sp.diff(smallest, p.r).is_nonnegative  # r only makes it larger, so alpha is at least its value at r = 0
    floor = sp.simplify(smallest.subs(p.r, 0) / p.sigma)
    numbers = {"power of psi in alpha": str(in_psi), "alpha / psi": p.written(ratio), "least alpha / sigma": p.written(floor)}
    if in_psi == 1 and grows and floor.is_positive and not floor.has(p.alpha):
        least = p.written(floor)
        sentence = f"alpha = ({p.written(ratio)}) psi is fixed by the noise and at least ({least}) sigma: no other alpha can be asked for"
        return Finding(Outcome.PROVED, sentence, numbers)
    return Finding(Outcome.INCONCLUSIVE, "alpha is not a multiple of psi", numbers)


def bernstein_condition(*, claimed: str) -> Finding:
    """Solve for the m n from which on the exponent of matrix Bernstein at 4 M sqrt(E/(m n)), B = 2 M, is at least E."""
    E, N = sp.symbols("E N", positive=True)
    t = N * 4 * p.M * sp.sqrt(E / N)
    exponent = t**2 / (2 * (4 * N * p.M**2 + 2 * p.M * t / 3))
    solutions = sp.solve(sp.simplify(exponent / E - 1), N)
    ratios = [sp.simplify(one / E) for one in solutions]
    (condition,) = [
        entry.relation
        for entry in bounds.THEOREMS["gauss_psgd.theorem4"].conditions
        if entry.relation.lhs.has(p.m) and entry.relation.rhs.has(sp.log)
    ]  # fmt: skip
    theory = condition.rhs / sp.log(8 * p.d / p.omega)
    grows = sp.simplify(sp.diff(exponent, N)).is_positive
    numbers = {"least m n over the logarithm": sp.sstr(ratios), "in the theory": sp.sstr(theory), "exponent grows with m n": bool(grows)}
    if not grows or not is_zero(theory - sp.Rational(claimed)):
        return Finding(Outcome.INCONCLUSIVE, "the theory or the exponent is another one than expected", numbers)
    if ratios != [sp.Rational(claimed)]:
        return Finding(Outcome.REFUTED, f"the least factor is {ratios}", numbers, {"factor": sp.sstr(ratios), "claimed": claimed})
    return Finding(Outcome.PROVED, f"the exponent reaches the logarithm at m n = {claimed} of it, and grows from there on", numbers)


def dimensions(*, settings: Sequence[Mapping[str, float]], layers: Sequence[int]) -> Finding:
    """Compare the number of parameters of a network with min(N^2, N^(6/13)) of Remark 4 in each setting of the experiments."""
    from bounds.gauss_psgd.fixed_point import Problem
    from bounds.gauss_psgd.rates import largest_dimension

    parameters = sum((one + 1) * two for one, two in pairwise(layers))
    rows = {}
    for at in settings:
        limit = min(float(entry.subs({letter: at[letter.name] for letter in entry.free_symbols})) for entry in p.REMARK_4)
        problem = Problem(d=10.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0, **at)
        if not math.isclose(limit, largest_dimension(problem), rel_tol=1e-12):
            return Finding(Outcome.INCONCLUSIVE, "the theory has another limit than the print; comparing the two would settle it", {})
        rows[f"n {at['n']:g}, m {at['m']:g}, epsilon {at['epsilon']:g}"] = limit
    numbers = {"parameters": parameters, **{f"largest d, {name}": one for name, one in rows.items()}}
    largest = max(rows, key=lambda name: rows[name])
    if parameters > rows[largest]:
        witness = {"parameters": parameters, "setting": largest, "largest d of Remark 4": rows[largest]}
        return Finding(
            Outcome.REFUTED, f"the model has {parameters} parameters, Remark 4 allows at most {rows[largest]:.0f}", numbers, witness
        )
    return Finding(Outcome.CONSISTENT, f"the model has {parameters} parameters", numbers)


def rounds_needed(*, base: int) -> Finding:
    """Decide (7/8)^((26/5) log(y)) <= 1/y for y > 1 by whole numbers: to base 2 it is 8^26 >= 2^5 7^26, natural 8^26 >= e^5 7^26."""
    least = sp.log(base if base else sp.E) / sp.log(sp.Rational(8, 7))
    theory = bounds.THEOREMS["gauss_psgd.lemma2"]
    name = "base 2" if base else ""
    rounds = next((part.value for part in theory.parts if part.name == name), theory.schedule["Q"])
    unit = sp.log(1 / theory.bound) / (sp.log(base) if base else 1)
    if not is_zero(rounds / unit - sp.Rational(26, 5)):
        return Finding(Outcome.INCONCLUSIVE, "the theory has another number of rounds; comparing the two would settle it")
    numbers = {"least factor of the logarithm": float(least), "printed": 26 / 5}
    enough = 8**26 >= 2**5 * 7**26 if base == 2 else bool(sp.N(26 * sp.log(8) - 26 * sp.log(7) - 5, 40) >= 0)
    if enough:
        return Finding(Outcome.PROVED, f"8^26 = {8**26} >= 2^5 7^26 = {2**5 * 7**26}: 26/5 is enough, {float(least):.6f} is least", numbers)
    exponent = float(sp.Rational(26, 5) / least)
    witness = {"omega_0": 0.01, "probability that all rounds fail": 0.01**exponent, "least factor": float(least)}
    return Finding(Outcome.REFUTED, f"all rounds fail with probability omega_0^{exponent:.4f}", numbers, witness)


def _claim(name: str, place: str, words: str, latex: str, expected: Outcome, why: str, examine: Any, arguments: Any, **more: Any) -> Claim:
    return Claim(
        key=f"gauss_psgd.{name}", source=place, words=words, latex=latex, kind=more.pop("kind", Kind.EXPONENT), expected=expected, why=why,
        examine=examine, arguments=arguments, **more,
    )  # fmt: skip


def _slope(spread: float, claimed: str, kappa: str = "printed", exact_gradients: bool = False) -> dict[str, Any]:
    return {"spread": spread, "kappa": kappa, "claimed": claimed, "exact_gradients": exact_gradients, "check_theory": True}


ROOT = "the exact root of (102), far out and at n = 1e20, 1e26, 1e32, where it is also that of the theory"
ORDERS = {"eta": "1/2", "Gamma": "-1", "R": "1/2", "Phi": "3/2", "chi": "1", "iota": "0", "T_eff": "-5/2"}
EXPERIMENTS = tuple({"n": 6000.0, "m": m, "epsilon": epsilon} for m in (1, 2, 5, 10) for epsilon in (0.5, 1.0, 2.0))
CLAIMS = (
    _claim("lemma2.whole_numbers_base_2", "Lemma 2, log to base 2",
           "(26/5) log_2(1/omega_0) rounds that fail with 7/8 each all fail with omega_0 at most",
           r"(7/8)^{\frac{26}5\log_2\frac1{\omega_0}} \le \omega_0", Outcome.PROVED, "8^26 >= 2^5 7^26", rounds_needed, {"base": 2},
           stated="reading", kind=Kind.INEQUALITY, derivations=("gauss_psgd.lemma2",)),
    _claim("lemma2.whole_numbers_base_e", "Lemma 2, log natural",
           "(26/5) ln(1/omega_0) rounds that fail with 7/8 each all fail with omega_0 at most",
           r"(7/8)^{\frac{26}5\ln\frac1{\omega_0}} \le \omega_0", Outcome.REFUTED, "7.489 is the least factor", rounds_needed, {"base": 0},
           stated="reading", kind=Kind.INEQUALITY, derivations=("gauss_psgd.lemma2",), correction="The logarithm to base 2",
           correction_latex=r"(7/8)^{\frac{26}5\log_2\frac1{\omega_0}} \le \omega_0", repaired_by="gauss_psgd.lemma2.whole_numbers_base_2"),
    _claim("lemma6.orders", "Section 4, (5), (76), Lemma 6", "eta ~ alpha^(1/2), Gamma ~ 1/alpha, R ~ alpha^(1/2), Phi ~ alpha^(3/2), and "
           "the number of steps ~ alpha^(-5/2)", r"T = \tilde O(\alpha^{-5/2})", Outcome.PROVED, "read off the print; logarithms fixed",
           orders,
           {"wanted": ORDERS}, derivations=("gauss_psgd.parameter_block",)),
    _claim("remark1.alpha_is_an_output", "Remark 1", "The two step counts cannot be compared: here alpha is fixed by sigma and r",
           r"\psi := \sqrt{\sigma^2 + r^2d},\quad \chi := 4\sqrt Cs\mu^2\psi,\quad \alpha := 4\chi",
           Outcome.PROVED, "(3) inserted in (5)",
           not_comparable, {}, kind=Kind.SCOPE),
    _claim("theorem2.kappa_balances", "(103), (104), Theorem 2", "Each entry of kappa makes two of the four parts the same term of (105)",
           "", Outcome.PROVED, "exponents of all letters, exactly; the theory has the same kappa",
           kappa_and_balances, {}, stated="reading", kind=Kind.IDENTITY, derivations=("gauss_psgd.theorem2",)),
    _claim("theorem2.root_slope_sampling", "(105)", "Where sqrt(d)/epsilon is fixed, alpha falls like n^(-1/3)", r"n^{-1/3}",
           Outcome.CONSISTENT,
           ROOT, slope, _slope(0.0, "-1/3"), stated="reading"),
    _claim("theorem2.root_slope_private", "(105)", "Where sqrt(d)/epsilon = n^(1/2), alpha falls like n^(-1/5)", r"(n^{-1/2})^{2/5}",
           Outcome.CONSISTENT, ROOT, slope, _slope(0.5, "-1/5"), stated="reading"),
    _claim("theorem2.root_slope_between", "(105)", "Where sqrt(d)/epsilon = n^(1/6), alpha falls like n^(-1/3)",
           r"\frac{\sqrt d}\epsilon = n^{1/6}:\ n^{-1/3}", Outcome.REFUTED, "there both terms are equal, and the fourth part is larger",
           slope, _slope(1 / 6, "-1/3"), stated="reading", correction="Like n^(-13/42) with the printed kappa",
           correction_latex=r"n^{-13/42}",
           repaired_by="gauss_psgd.theorem2.root_slope_between_printed_kappa", derivations=("gauss_psgd.exponents",)),
    _claim("theorem2.root_slope_between_printed_kappa", "ours; (102), (104)",
           "Where sqrt(d)/epsilon = n^(1/6), the printed kappa gives n^(-13/42)",
           r"n^{-13/42}", Outcome.CONSISTENT, ROOT, slope, _slope(1 / 6, "-13/42"), stated="question"),
    _claim("theorem2.root_slope_between_best_kappa", "ours; (102)", "Where sqrt(d)/epsilon = n^(1/6), the best kappa gives n^(-16/51)",
           r"n^{-16/51}", Outcome.CONSISTENT, ROOT, slope, _slope(1 / 6, "-16/51", "best"), stated="question"),
    _claim("theorem2.root_slope_29", "Section 3, on reference [29]",
           "With the step 1/M and sqrt(d)/epsilon = n^(1/2) it is n^(-3/14): exponent 3/7",
           r"(n^{-1/2})^{3/7}", Outcome.CONSISTENT, ROOT, slope, _slope(0.5, "-3/14", "best", True), stated="reading"),
    _claim("remark2.single_root", "Remark 2", "(102) has exactly one root alpha for every mu, kappa and problem: nothing is circular",
           r"1 = a\alpha^{-3/2} + b\alpha^{-1} + c\alpha^{-9/2} + d\alpha^{-7}", Outcome.PROVED, "Descartes' rule of signs", single_root,
           {},
           kind=Kind.IDENTITY, stated="reading", derivations=("gauss_psgd.remark2",)),
    _claim("theorem3.from_theorem2", "Lemma 9, Theorem 3, (121), Remark 3",
           "m clients: m n in the term without privacy, sqrt(m) n in the other",
           r"\alpha = \tilde O\Big(\frac1{(mn)^{1/3}} + \Big(\frac{\sqrt d}{\sqrt mn\epsilon}\Big)^{2/5}\Big)", Outcome.PROVED,
           "the substitution carries one into the other",
           with_clients, {},
           kind=Kind.IDENTITY, derivations=("gauss_psgd.theorem3", "gauss_psgd.lemma9")),
    _claim("theorem4.condition", "(125), Theorem 4", "m n >= (4/9) log(8 d/omega) is what matrix Bernstein needs at 4 M sqrt(log/(m n))",
           r"mn \ge \tfrac49\log\tfrac{8d}{\omega'}", Outcome.PROVED, "solved exactly: 4/9 is the least factor", bernstein_condition,
           {"claimed": "4/9"}, kind=Kind.INEQUALITY, derivations=("gauss_psgd.theorem4",)),
    _claim("remark4.model_of_the_experiments", "Remark 4 and Appendix E", "The MNIST model of the experiments is within d <= N^(6/13)",
           r"d \le \min\{N^2, N^{6/13}\},\ N = \sqrt m\,n\epsilon", Outcome.REFUTED, "101770 parameters, and at most some hundreds",
           dimensions, {"settings": EXPERIMENTS, "layers": (784, 128, 10)}, kind=Kind.SCOPE, stated="question",
           correction="Remark 4 reaches models of some hundreds of parameters at these n and epsilon",
           derivations=("gauss_psgd.remark4",)),
)  # fmt: skip
