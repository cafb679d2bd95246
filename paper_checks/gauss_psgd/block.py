"""Checks of the parameter block (5), (6): the theory against the print, its units, what the text leaves open, and the repaired block."""

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp

import bounds
from bounds.gauss_psgd import block as theory
from bounds.gauss_psgd.block import Constants, least_s
from bounds.gauss_psgd.fixed_point import fixed_point_given_noise
from bounds.proofs.inequalities import is_zero
from bounds.symbols import symbols
from paper_checks.gauss_psgd import printed as p
from paper_checks.record import Record
from paper_checks.shared import formulas
from paper_checks.shared.orders import check_units as formulas_in_units
from paper_checks.shared.search import Cases, check_deviations
from paper_checks.verdict import Finding

(escapes,) = symbols("escapes")
PHASES = 1 + p.U / p.Phi
PRINTED = {"alpha / psi": p.alpha / p.psi} | {letter.name: value for letter, value in p.FIVE.items()}
PRINTED |= {"Q": p.FORMULAS["rounds"], "T": p.FORMULAS["steps_79"]}
PRINTED |= {f"entry {k}": entry for k, entry in enumerate(p.SIX[:3], start=1)}
LENGTH, SQUARE, NUMBER = (0, 1), (0, 2), (0, 0)  # powers of the units of value and length
STEP = (-1, 2)  # times a gradient it is a length
VALUE, GRADIENT, HESSIAN, THIRD = ((1, -order) for order in range(4))  # of F and of its derivatives
UNITS = {p.U: VALUE, **dict.fromkeys((p.G, p.psi, p.r, p.alpha, p.chi), GRADIENT), p.M: HESSIAN, p.rho: THIRD}


def check_transcription() -> Finding:
    """Check by algebra that the bounds and named formulas of the theory are those printed on the pages of claims; return a Finding."""
    return formulas.check_printed_formulas(paper="gauss_psgd", ours={"repaired"})


def random_problem(rng: np.random.Generator) -> dict[Any, Any]:
    """Return random values {symbol: mpmath number} of all symbols that (5), (6) and (79) leave free."""
    at = {letter: mp.mpf(10) ** rng.uniform(-3, 3) for letter in (p.M, p.rho, p.U, p.C, p.psi)}
    at |= {p.s: mp.mpf(10) ** rng.uniform(0, 5), p.mu: mp.mpf(rng.uniform(1, 30)), p.d: mp.mpf(int(rng.integers(1, 1001)))}
    at |= {p.omega: mp.mpf(10) ** rng.uniform(-6, -0.1), p.r: at[p.psi] * mp.mpf(10) ** rng.uniform(-6, -2)}
    return at | {p.T: mp.mpf(10) ** rng.uniform(1, 9)}


def theory_values(at: Mapping[Any, Any], version: str) -> dict[str, Any]:
    """Return the theory's values at a problem as {name: value}: alpha / psi, the block (5), Q, T and the entries of (6).

    The theory cuts off an inner logarithm that is not positive, and Q and T below 1: such numbers are left out.
    """
    v, digits, c = {letter.name: value for letter, value in at.items()}, {"functions": theory.DIGITS}, mp.mpf(2)
    shared = {name: v[name] for name in ("s", "C_abs")} | digits
    ratio = theory.accuracy_over_psi(log_factor=v["log_factor"], c_abs=c, version=version, **shared)
    block = {name: v[name] for name in ("s", "log_factor", "ell", "rho")}
    one = theory.block(accuracy=ratio * v["psi"], version=version, **block, **digits)
    letters = {name: v[name] for name in ("s", "U", "omega", "rho", "log_factor")}
    Q, T = theory.round_step_counts(one, **letters, version=version, base="e", **digits)
    noise = {name: v[name] for name in ("psi", "added_noise", "d", "rho", "U", "omega")}
    entries = theory.mu_lower_bounds(one, theory.BlockInputs(**noise, **shared, version=version), v["T"])[:-1]
    found = {"alpha / psi": ratio, **{letter.name: getattr(one, letter.name) for letter in p.FIVE}, "Q": Q, "T": T}
    found |= {f"entry {k}": entry for k, entry in enumerate(entries, start=1)}
    cut = {"entry 1"} if entries[0] == 0 else set()
    cut |= {"Q", "T"} if version == "printed" and Q <= 1 else {"T"} if version == "printed" and T <= 1 else set()
    return {name: value for name, value in found.items() if name not in cut}


def check_block(*, version: str, points: int, seed: int) -> Finding:
    """Check by algebra and to 40 digits that the theory's block, printed or repaired, equals a second transcription; return a Finding."""
    from bounds.gauss_psgd import paper

    printed = version == "printed"
    ours, wanted = (paper.PRINTED, PRINTED) if printed else (paper.REPAIRED, repaired_block())
    rows = [(f"(5) {one.name}", ours[one], wanted[one.name]) for one in p.FIVE if printed or one not in (p.chi, p.alpha)]
    if printed:
        rows += [(f"{letter}, closed", paper.CLOSED[letter], p.express_in_psi(letter)) for letter in p.FIVE]
        rows += [("Q", paper.Q_PRINTED, wanted["Q"]), ("(76)", paper.T_EFF, p.FORMULAS["steps_76"]), ("(79)", paper.T_PRINTED, wanted["T"])]
        rows += [(f"(6) entry {k}", one, two) for k, (one, two) in enumerate(zip(paper.ENTRIES_OF_MU, p.SIX, strict=True), start=1)]
    else:
        of_proof = bounds.page("gauss_psgd.repaired_block").formula
        rows += [(f"{name} of the proof", of_proof(name), wanted[x.name]) for name, x in (("iota", p.iota), ("R", p.R), ("Phi", p.Phi))]
        rows += [("the least Gamma", of_proof("least_round"), p.M**2 * p.s**3 * p.mu**4 / (p.rho * p.alpha))]
        rows += [("eta at a whole Gamma", of_proof("eta"), p.mu / (p.Gamma * sp.sqrt(p.rho * p.alpha)))]
        four = 1 / of_proof("fourth_entry").xreplace({escapes: PHASES, p.Q: p.Q + 1})
        rows += [("the fourth entry", sp.log(four) / p.s, sp.log(4 * (p.Q + 1) * PHASES / p.omega) / p.s)]
    differing = [name for name, one, two in rows if not is_zero(sp.sympify(one - two))]
    rng, worst, tried = np.random.default_rng(seed), mp.mpf(0), set[str]()
    with mp.workdps(50):
        for _ in range(points):
            at = random_problem(rng)
            for name, value in theory_values(at, version).items():
                letters, function = compiled_formula(version, name)
                theirs = mp.re(function(*(at[letter] for letter in letters)))
                gap = abs(value - theirs) / (abs(value) + abs(theirs))
                differing += [name] if gap > mp.mpf(10) ** -40 and name not in differing else []
                worst = max(worst, gap)
                tried.add(name)
    record = Record({"identities": len(rows), "points": points, "largest relative difference": float(worst)}, seed=seed)
    if differing:
        named = ", ".join(differing)
        record.leave_open(f"the theory and the ledger's {version} block differ in {named}; comparing the two would settle it")
    return record.prove(f"{len(rows)} formulas are identities, and {len(tried)} numbers agree to 40 digits at {points} points")


def repaired_block() -> dict[str, Any]:
    """Return the lab's repaired block as {name: SymPy expression}, transcribed from the proof: an iota in eta and Phi, Gamma + 1, Q + 1."""
    chi = sp.Max(p.FIVE[p.chi], sp.sqrt(2 * p.s**3 * p.mu**5) * p.psi)  # c of Corollary 2 is 2 here
    eta, Gamma, Q = p.eta * p.Gamma / (p.Gamma + 1), p.Gamma + 1, sp.log(2 * PHASES / p.omega) / sp.log(sp.Rational(8, 7))
    return PRINTED | {
        "chi": chi,
        "alpha / psi": 4 * chi / p.psi,
        "eta": sp.sqrt(p.rho * p.alpha) / (p.M**2 * p.iota**3),
        "decrease": p.s / (8 * p.iota**4) * sp.sqrt(p.alpha**3 / p.rho),
        "Q": Q,
        "T": ((Q + 1) * Gamma + 1) * PHASES,
        "entry 1": sp.log(36 * p.d * Gamma * sp.log(2 * p.R / (eta * p.r))) / p.s,
        "entry 2": sp.log(40 * sp.sqrt(2) * p.R * p.rational_power(p.rho * p.alpha, 1, 4) / (sp.sqrt(eta) * p.r)) / sp.log(2),
        "entry 4": sp.log(4 * (Q + 1) * PHASES / p.omega) / p.s,
    }


@cache
def compiled_formula(version: str, name: str) -> tuple[tuple[Any, ...], Any]:
    """Return (free symbols, mpmath function of them) of a formula named in the block, with the block (5) substituted in it."""
    block = PRINTED if version == "printed" else repaired_block()
    return formulas.compile_expression(formulas.substitute_fully(block[name], {letter: block[letter.name] for letter in p.FIVE}), "mpmath")


def _formulas_with_units() -> dict[str, dict[str, tuple[Any, tuple[int, int]]]]:
    """Return {group: {name: (formula, units)}}; units are powers of value and length, of the quantity that the formula defines."""
    outer = sp.exp(p.s * p.SIX[0])  # of the first entry: a factor times a logarithm
    (logarithm,) = outer.atoms(sp.log)
    inner, factor = logarithm.args[0], outer / logarithm
    needed = 40 * sp.sqrt(2) * p.R * p.rational_power(p.rho * p.alpha, 1, 4) / (sp.sqrt(p.eta) * p.r)
    five = {"alpha": (p.alpha, GRADIENT), "chi": (p.chi, GRADIENT), "eta": (p.eta, STEP), "Gamma": (p.Gamma, NUMBER)}
    five |= {"R": (p.R, LENGTH), "Phi": (p.Phi, VALUE)}
    five |= {"(76)": (p.FORMULAS["steps_76"], NUMBER), "argument of Q": (p.FORMULAS["escapes_78"], NUMBER)}
    return {
        "(5)": {name: (p.express_in_psi(one), wanted) for name, (one, wanted) in five.items()},
        "(6) first": {"inner argument": (p.express_in_psi(inner), NUMBER), "its factor": (p.express_in_psi(factor), NUMBER)},
        "(6) second": {"argument": (p.express_in_psi(sp.exp(p.SIX[1])), NUMBER)},
        "(6) second, corrected": {"argument": (p.express_in_psi(needed), NUMBER)},
        "Theorem 2": {
            **{f"kappa {i}": (one, SQUARE) for i, one in enumerate((*p.KAPPA, *p.KAPPA_3), start=1)},
            **{f"term {i}": (one, GRADIENT) for i, one in enumerate((*p.RATE, *p.RATE_3), start=1)},
            "b_1": (p.express_in_alpha(p.FORMULAS["batch_1"].xreplace({p.kappa: p.KAPPA[0]})), NUMBER),
            "b_2": (p.express_in_alpha(p.FORMULAS["batch_2"]), NUMBER),
        },
    }


def check_units(*, group: str) -> Finding:
    """Check that every formula of a group has the units (value, length) of the quantity that it defines, by algebra; return a Finding."""
    return formulas_in_units(_formulas_with_units()[group], UNITS, names=("value", "length"))


def check_rounded_gamma(*, step: str, points: int, seed: int) -> Finding:
    """Check at random points that the proof's limits (41), (42), (71) hold with the repaired Gamma rounded up; return a Finding.

    M^2 is chosen so that the real Gamma is between 1 and 4, where rounding counts most, and chi is the least, so that the limits of (42)
    and (71) are met with equality before. step: "kept" as it is, or made smaller "with Gamma".
    """
    rng, worst, at = np.random.default_rng(seed), mp.mpf(0), {}
    with mp.workdps(40):
        for _ in range(points):
            s, mu, c = mp.mpf(10) ** rng.uniform(0, 6), mp.mpf(rng.uniform(1, 30)), mp.mpf(10) ** rng.uniform(-1, 2)
            alpha, rho, real = (mp.mpf(10) ** rng.uniform(*ends) for ends in ((-3, 3), (-3, 3), (0, 0.6)))
            M = mp.sqrt(real * rho * alpha / (s**3 * mu**4))
            given = theory.block(accuracy=alpha, s=s, log_factor=mu, ell=M, rho=rho, version="repaired", functions=theory.DIGITS)
            one = theory.round_block(given)
            eta, psi = given.eta if step == "kept" else one.eta, alpha / (4 * mp.sqrt(c * s**3 * mu**5))
            needed = one.decrease + 2 * c * eta * psi**2 * one.Gamma
            over = {
                "eta rho R Gamma sqrt(iota) s": eta * rho * one.radius * one.Gamma * mp.sqrt(one.iota) * s,
                "eta M sqrt(Gamma) iota sqrt(s)": eta * M * mp.sqrt(one.Gamma) * one.iota * mp.sqrt(s),
                "(Phi + 2 c eta psi^2 Gamma) 4 eta Gamma / R^2": needed * 4 * eta * one.Gamma / one.radius**2,
            }
            name, limit = max(over.items(), key=lambda entry: entry[1])
            if limit > worst:
                worst = limit
                at = {"s": float(s), "mu": float(mu), "Gamma": float(given.Gamma), "whole Gamma": int(one.Gamma), name: float(limit)}
        exceeded = worst > 1 + mp.mpf(10) ** -30  # of 40 digits
    record = Record({"points": points, "largest over its limit": float(worst)}, seed=seed)
    if exceeded:
        record.refute(f"one limit is exceeded by a factor {float(worst):.4g}", at)
    return record.conclude(f"no limit is exceeded at {points} points, and some are met with equality")


@check_deviations("the entries of (6) do not change with the unit of length")
def check_unit_of_length(*, version: str, factors: tuple[float, ...]) -> Cases:
    """Check numerically that the entries of (6) for mu do not change when x is measured in another unit of length; return a Finding."""
    psi, r, M, rho, mu, s = 0.1, 0.01, 2.0, 3.0, 5.0, 4.0
    plain: dict[str, Any] = {"d": 5.0, "U": 1.0, "omega": 0.1, "s": s, "C_abs": 1.0}
    before = {"psi": psi, "r": r, "M": M, "rho": rho, "mu": mu, **p.spell_keys(plain)}

    def found(u: float) -> tuple[Any, ...]:
        at = theory.block(accuracy=16 * s * mu**2 * psi / u, s=s, log_factor=mu, ell=M / u**2, rho=rho / u**3, version="printed")
        return theory.mu_lower_bounds(at, theory.BlockInputs(psi / u, r / u, rho=rho / u**3, version=version, **plain), 1e9)

    for u in factors:
        off = [abs(a - b) for a, b in zip(found(u), found(1.0), strict=True)]
        k = off.index(max(off))
        yield off[k], {**before, "entry": k + 1, "1 length = u": u, "entry before": found(1.0)[k], "entry after": found(u)[k]}


def check_smaller_noise(*, shares: tuple[float, ...]) -> Finding:
    """Check numerically that mu, the fixed point of (6) as corrected, does not grow as r falls with psi fixed; return a Finding."""
    letters: dict[str, Any] = {"psi": 1.0, "d": 5.0, "ell": 2.0, "rho": 1.0, "U": 100.0, "omega": 0.1}
    bound, constants = letters["psi"] / math.sqrt(2 * letters["d"]), Constants("corrected", s=4.0)
    mu = {share: fixed_point_given_noise(added_noise=share * bound, constants=constants, **letters).log_factor for share in shares}
    smallest = min(shares)
    record = Record({**p.spell_keys(letters), "s": 4, "C": 1, "r at most": bound, "mu at that r": mu[1.0]})
    if mu[smallest] > mu[1.0] * (1 + 1e-9):
        witness = {**record.numbers, "r": smallest * bound, "mu at this r": mu[smallest]}
        record.refute(f"mu = {mu[1.0]:.3g} at the bound, {mu[smallest]:.3g} is needed at {smallest:g} times it", witness)
    return record.conclude("mu does not grow as r falls")


def check_free_constants(*, constants: Sequence[tuple[float, float]]) -> Finding:
    """Check that two settings (C, s) that the text allows give the same alpha on one problem; return a Finding.

    These are the first two of `constants`; INCONCLUSIVE if some setting does not meet what the text asks for.
    """
    rows, meets = {}, []
    for C, s in constants:
        allowed = Constants(C_abs=C, s=s)
        found = fixed_point_given_noise(psi=1e-12, added_noise=1e-13, d=10.0, ell=1.0, rho=1.0, U=1.0, omega=0.1, constants=allowed)
        meets.append(s >= float(least_s("printed", C)) and all(found.log_factor >= entry for entry in found.entries))
        rows[C, s] = (found.block.accuracy, found.block.eta)
    record = Record({f"C {C:g}, s {s:g}: alpha, eta": row for (C, s), row in rows.items()})
    if not all(meets):
        return record.leave_open("a setting does not meet what the text asks for")
    (one, a), (two, b), *_ = rows.items()
    if not math.isclose(a[0], b[0], rel_tol=1e-6):
        witness = {"first C, s": one, "alpha": a[0], "second C, s": two, "alpha there": b[0], "eta": a[1], "eta there": b[1]}
        record.refute(f"both (C, s) = {one} and {two} meet every condition; alpha is {a[0]:.3g} and {b[0]:.3g}", witness)
    return record.conclude("the settings have the same parameters")
