"""Statements and parameters of Gauss-PSGD: the theory against the print, units, conditions at its own parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp

import bounds
from bounds.inequalities import is_zero
from bounds.symbols import symbols
from paper_checks.gauss_psgd import formulas as p
from paper_checks.verdict import Claim, Finding, Kind, Outcome

(escapes,) = symbols("escapes")
omega_0, sum_sq, sum_grad, sum_err, P_h, P_sg, P_p, t, zeta = symbols("omega_0 sum_sq sum_grad sum_err P_h P_sg P_p t_count zeta")
x, low, high, variance, bound_B, entry, k = symbols("deviation_t scale_low scale_high matrix_variance matrix_bound entry_scale releases")
log_d, one_privacy = sp.log(p.d), sp.sqrt(sp.log(1 / p.delta)) / p.epsilon
root_sum = sp.sqrt(p.G**2 / p.b_1 + p.M**2 * p.kappa / p.b_2)
noise_sum = sp.sqrt(p.G**2 / p.b_1**2 + p.M**2 * p.kappa / p.b_2**2)
growth = (1 + p.eta * p.gamma) ** t / sp.sqrt(2 * p.eta * p.gamma)
tail = p.d * sp.exp(-(x**2) / (2 * (variance + bound_B * x / 3)))

# statement -> (bound, failure or other part by name), as the paper prints them
STATEMENTS: Mapping[str, tuple[Any, Mapping[str, Any]]] = {
    "lemma1": (1 - sp.Rational(1, 4), {}),
    "corollary1": (1 - sp.Rational(1, 8), {}),
    "lemma2": (omega_0, {}),
    "lemma3": (-p.eta / 2 * sum_grad + p.eta / 2 * sum_err, {}),
    "corollary2": (-p.eta / 2 * sum_grad + p.c * p.eta * p.psi**2 * (t + p.iota), {"failure": 2 * sp.exp(-p.iota)}),
    "lemma4": (-p.Phi, {"failure": 2 * sp.exp(-p.iota)}),
    "lemma5": (p.C * sp.sqrt(2 * sp.log(4 * p.T / p.omega)) * p.psi, {"failure": p.omega / 2}),
    "lemma6": (p.Q * p.T_76, {"once": p.T_76}),
    "theorem1": (p.alpha, {"failure": p.omega, "curvature": sp.sqrt(p.rho * p.alpha)}),
    "lemma7": (log_d * root_sum, {"r": one_privacy * noise_sum}),
    "lemma8": (6 * p.eta / p.kappa * (p.U + 5 * p.T * p.eta * p.chi**2), {"order": p.U * p.eta / p.kappa}),
    "theorem2": (p.RATE[0] + p.RATE[1], {"sampling": p.RATE[0], "privacy": p.RATE[1]}),
    "lemma9": (log_d * root_sum / sp.sqrt(p.m), {"r": one_privacy * noise_sum / sp.sqrt(p.m)}),
    "theorem3": (p.RATE_3[0] + p.RATE_3[1], {"sampling": p.RATE_3[0], "privacy": p.RATE_3[1]}),
    "theorem4": (sum(p.SELECTED), {}),
    "remark4": (None, {"term 5": p.REMARK_4[0], "terms 6, 7": p.REMARK_4[1]}),
    "lemma10": (2 * sp.sqrt(2) * p.r * sp.sqrt(p.d), {}),
    "lemma11": (p.C * sp.sqrt(sum_sq * p.iota), {"failure": 2 * p.d * sp.exp(-p.iota)}),
    "corollary3": (p.C * sp.sqrt(log_d * sum_sq), {}),
    "lemma12": (None, {"failure": 2 * p.d * sp.log(high / low) * sp.exp(-p.iota)}),
    "lemma13": (p.C * zeta**2 * (t + p.iota), {"failure": sp.exp(-p.iota)}),
    "lemma14": (tail, {}),
    "lemma15": (p.C * entry * (sp.sqrt(p.d) + x), {"failure": 4 * sp.exp(-(x**2))}),
    "lemma16": (p.epsilon / (2 * sp.sqrt(2 * k * sp.log(2 / p.delta))), {"delta": p.delta / (2 * k)}),
    "lemma17": (p.epsilon, {"delta": p.delta}),
    "lemma18": (-P_h - P_sg - P_p, {}),
    "lemma19": (p.c * growth * p.eta * p.r * sp.sqrt(p.iota), {"failure": 2 * sp.exp(-p.iota), "below": growth * p.eta * p.r / 10}),
    "lemma20": (growth * p.eta * p.r / 20, {"failure": 6 * p.d * p.Gamma * sp.log(p.R / (p.eta * p.r)) * sp.exp(-p.iota)}),
}  # fmt: skip


def transcribed() -> Finding:
    """Compare the bound and the named parts of every statement of the theory with the print."""
    compared, differing = 0, []
    for name, (bound, parts) in STATEMENTS.items():
        theorem = bounds.THEOREMS[f"gauss_psgd.{name}"]
        held = {part.name: part.value for part in theorem.parts}
        pairs = ([] if bound is None else [("bound", theorem.bound, bound)]) + [(one, held.get(one), value) for one, value in parts.items()]
        for part, ours, theirs in pairs:
            compared += 1
            if ours is None or not is_zero(sp.sympify(ours - theirs)):
                differing.append(f"{name}: {part}")
    every = {key.partition(".")[2] for key in bounds.THEOREMS if key.startswith("gauss_psgd.")} - {"repaired"}
    differing += [f"{name}: not transcribed" for name in sorted(every - set(STATEMENTS))]
    numbers = {"statements": len(STATEMENTS), "formulas compared": compared}
    if differing:
        sentence = f"the theory and the print differ in {', '.join(differing)}; comparing the two would settle it"
        return Finding(Outcome.INCONCLUSIVE, sentence, numbers)
    return Finding(Outcome.PROVED, f"{compared} formulas of {len(STATEMENTS)} statements are the printed ones", numbers)


def numbers_at(rng: np.random.Generator) -> dict[Any, Any]:
    """Return a random problem: a number for every letter that (5), (6) and (79) leave free."""
    at = {letter: mp.mpf(10) ** rng.uniform(-3, 3) for letter in (p.M, p.rho, p.U, p.C, p.psi)}
    return at | {
        p.s: mp.mpf(10) ** rng.uniform(0, 5), p.mu: mp.mpf(rng.uniform(1, 30)), p.d: mp.mpf(int(rng.integers(1, 1001))),
        p.omega: mp.mpf(10) ** rng.uniform(-6, -0.1), p.r: at[p.psi] * mp.mpf(10) ** rng.uniform(-6, -2), p.T: mp.mpf(10) ** rng.uniform(1,
        9),
    }  # fmt: skip


def same_numbers(*, points: int, seed: int) -> Finding:
    """Compare (5), (6), Q and T of the theory, in symbols and as functions of numbers, with the print, in 40 digits."""
    from bounds.gauss_psgd import block, block_numbers, proofs_block

    symbolic = [
        *((f"(5) {letter}", proofs_block.BLOCK[letter], value) for letter, value in p.FIVE.items()),
        *((f"(5) {letter}, page", block.inserted(letter), p.in_psi(letter)) for letter in p.FIVE),
        *((f"(5) {letter}, closed", block.CLOSED[letter.name], p.in_psi(letter)) for letter in p.FIVE),
        *((f"(6) entry {i}", ours, theirs) for i, (ours, theirs) in enumerate(zip(block.six(), p.SIX, strict=True), start=1)),
        *((f"(6) entry {i}, proofs", a, b) for i, (a, b) in enumerate(zip(proofs_block.MU_ENTRIES, p.SIX, strict=True), start=1)),
        ("Q", block.rounds(), p.ROUNDS),
        ("Q, proofs", proofs_block.Q_PRINTED, p.ROUNDS),
        ("(76)", block.T_EFF, p.T_76),
        ("(76), proofs", proofs_block.T_EFF, p.T_76),
        ("(79)", block.T_PRINTED.xreplace({p.Q: block.rounds()}), p.T_79),
        ("(79), proofs", proofs_block.T_PRINTED, p.T_79),
    ]
    differing = [name for name, ours, theirs in symbolic if not is_zero(sp.sympify(ours - theirs))]
    names = ("alpha", "iota", "chi", "Gamma", "R", "Phi", "eta", "entry 1", "entry 2", "entry 3", "Q", "T")
    given = sorted(numbers_at(np.random.default_rng(0)), key=str)
    Q, T = p.in_psi(p.ROUNDS), p.in_psi(p.T_79)
    wanted = [p.in_psi(letter) for letter in (p.alpha, p.iota, p.chi, p.Gamma, p.R, p.Phi, p.eta)]
    function = sp.lambdify(given, [*wanted, *(p.in_psi(entry) for entry in p.SIX[:3]), Q, T], modules="mpmath")
    rng, worst = np.random.default_rng(seed), mp.mpf(0)
    with mp.workdps(50):
        digits = block_numbers.DIGITS
        for _ in range(points):
            at = numbers_at(rng)
            v = {letter.name: value for letter, value in at.items()}
            theirs = [mp.re(one) for one in function(*(at[letter] for letter in given))]
            ratio = block_numbers.accuracy_over_psi(
                s=v["s"], log_factor=v["log_factor"], C_abs=v["C_abs"], c_abs=mp.mpf(1), version="printed", functions=digits
            )
            one = block_numbers.block(
                accuracy=ratio * v["psi"], s=v["s"], log_factor=v["log_factor"], ell=v["ell"], rho=v["rho"], functions=digits
            )
            rounds = block_numbers.rounds(
                one, s=v["s"], U=v["U"], omega=v["omega"], rho=v["rho"], version="printed", base="e", functions=digits
            )
            count = block_numbers.steps(one, Q=rounds, s=v["s"], U=v["U"], log_factor=v["log_factor"], version="printed", functions=digits)
            entries = block_numbers.entries(
                one, psi=v["psi"], added_noise=v["added_noise"], d=v["d"], s=v["s"], C_abs=v["C_abs"], rho=v["rho"], U=v["U"],
                omega=v["omega"], T=v["T"], version="printed", base="e", functions=digits,
            )  # fmt: skip
            ours = [one.accuracy, one.iota, one.chi, one.Gamma, one.radius, one.decrease, one.eta, *entries[:3], rounds, count]
            for name, a, b in zip(names, ours, theirs, strict=True):
                # the theory returns 0 for an inner logarithm that is not positive, and at least 1 for Q and T
                if (name == "entry 1" and a == 0) or (name in ("Q", "T") and (rounds <= 1 or a <= 1)):
                    continue
                gap = abs(a - b) / (abs(a) + abs(b))
                if gap > mp.mpf(10) ** -40 and name not in differing:
                    differing.append(name)
                worst = max(worst, gap)
    found = {"identities": len(symbolic), "points": points, "largest relative difference": float(worst)}
    if differing:
        sentence = f"the theory and the print differ in {', '.join(differing)}; comparing the two would settle it"
        return Finding(Outcome.INCONCLUSIVE, sentence, found, seed=seed)
    sentence = f"{len(symbolic)} formulas are identities, and {len(names)} numbers agree to 40 digits at {points} points"
    return Finding(Outcome.PROVED, sentence, found, seed=seed)


def same_repaired(*, points: int, seed: int) -> Finding:
    """Compare the repaired block of the proofs with that of the statements, in symbols, and with the functions of numbers, in 40 digits."""
    from bounds.gauss_psgd import block, block_numbers, proofs_block, proofs_repaired

    letters = (p.iota, p.eta, p.Gamma, p.R, p.Phi)
    rows = [(f"{x}, proofs", proofs_block.REPAIRED[x], block.REPAIRED[x.name]) for x in (p.iota, p.R, p.Phi)]
    rows += [(f"{x}, closed", proofs_block.MENDED[x], block.CLOSED_REPAIRED[x.name]) for x in letters]
    rows += [
        ("the least Gamma", proofs_repaired.LEAST_ROUND, block.CLOSED_REPAIRED["Gamma"]),
        ("eta at a whole Gamma", proofs_repaired.WHOLE[p.eta], p.mu / (p.Gamma * p.root)),
        (
            "the fourth entry",
            sp.log(proofs_repaired.FOUR_PARTS.xreplace({escapes: block.NUMBER, p.Q: p.Q + 1})) / p.s,
            block.escape_entry(),
        ),
    ]
    differing = [name for name, one, two in rows if not is_zero(sp.sympify(one - two))]
    known = {p.chi: p.alpha / 4, **{letter: proofs_block.MENDED[letter] for letter in letters}}
    rounds = block.rounds("repaired").xreplace(known)
    known |= {p.Q: rounds}
    formulas = [known[x] for x in letters] + [one.xreplace(known) for one in (rounds, block.T_REPAIRED, *block.six("repaired"))]
    given = sorted((*numbers_at(np.random.default_rng(0)), p.alpha), key=str)
    function, worst, rng = sp.lambdify(given, formulas, modules="mpmath"), mp.mpf(0), np.random.default_rng(seed)
    with mp.workdps(50):
        digits = block_numbers.DIGITS
        for _ in range(points):
            at = numbers_at(rng)
            ratio = block_numbers.accuracy_over_psi(
                s=at[p.s], log_factor=at[p.mu], C_abs=at[p.C], c_abs=mp.mpf(2), version="repaired", functions=digits
            )
            enough = max(16 * mp.sqrt(at[p.C]) * at[p.s] * at[p.mu] ** 2, 4 * mp.sqrt(2 * at[p.s] ** 3 * at[p.mu] ** 5))
            at[p.alpha] = ratio * at[p.psi]
            one = block_numbers.block(
                accuracy=at[p.alpha], s=at[p.s], log_factor=at[p.mu], ell=at[p.M], rho=at[p.rho], version="repaired", functions=digits
            )
            shared = {"s": at[p.s], "U": at[p.U], "version": "repaired", "functions": digits}
            Q = block_numbers.rounds(one, omega=at[p.omega], rho=at[p.rho], base="e", **shared)
            T = block_numbers.steps(one, Q=Q, log_factor=at[p.mu], **shared)
            entries = block_numbers.entries(
                one, psi=at[p.psi], added_noise=at[p.r], d=at[p.d], C_abs=at[p.C], rho=at[p.rho], omega=at[p.omega], T=at[p.T],
                base="e", **shared,
            )  # fmt: skip
            ours = [one.iota, one.eta, one.Gamma, one.radius, one.decrease, Q, T, *entries]
            theirs = [mp.re(value) for value in function(*(at[letter] for letter in given))]
            names = (*map(str, letters), "Q", "T", "entry 1", "entry 2", "entry 3", "entry 4", "entry 5", "alpha / psi")
            for name, a, b in zip(names, (*ours, ratio), (*theirs, enough), strict=True):
                if name == "entry 1" and a == 0:  # an inner logarithm that is not positive
                    continue
                gap = abs(a - b) / (abs(a) + abs(b))
                if gap > mp.mpf(10) ** -40 and name not in differing:
                    differing.append(name)
                worst = max(worst, gap)
    numbers = {"points": points, "largest relative difference": float(worst)}
    if differing:
        sentence = f"the theory has two repaired blocks: they differ in {', '.join(differing)}; comparing the two would settle it"
        return Finding(Outcome.INCONCLUSIVE, sentence, numbers, seed=seed)
    return Finding(Outcome.PROVED, f"proofs and statements have one block, and its numbers agree at {points} points", numbers, seed=seed)


# ------------------------------------------------------------------ units

value_unit, length_unit = sp.symbols("value_unit length_unit", positive=True)


def unit(derivative: int) -> tuple[int, int]:
    """Return the powers of the units of value and length of a bound on the derivative of F of this order."""
    return 1, -derivative


UNITS = {p.U: unit(0), p.G: unit(1), p.psi: unit(1), p.r: unit(1), p.alpha: unit(1), p.chi: unit(1), p.M: unit(2), p.rho: unit(3)}
LENGTH, SQUARE, NUMBER = (0, 1), (0, 2), (0, 0)


def exponents(expression: Any) -> tuple[Any, Any]:
    """Return the powers of the units of value and length by which a product of powers changes when the problem's letters do."""
    scaled = expression.xreplace({letter: letter * value_unit**a * length_unit**b for letter, (a, b) in UNITS.items()})
    value, length = p.monomial(sp.powsimp(scaled / expression, force=True), value_unit, length_unit)
    return value, length


def step_moves() -> tuple[int, int]:
    """Return the units that a step size needs: times a gradient it is a length."""
    value, length = unit(1)
    return -value, 1 - length


def _groups() -> dict[str, dict[str, tuple[Any, tuple[int, int]]]]:
    """Return formulas by name with the units of what each stands for."""
    outer = sp.exp(p.s * p.SIX[0])  # of the first entry: a factor times a logarithm
    (logarithm,) = outer.atoms(sp.log)
    inner, factor = logarithm.args[0], outer / logarithm
    needed = 40 * sp.sqrt(2) * p.R * p.power(p.rho * p.alpha, 1, 4) / (sp.sqrt(p.eta) * p.r)
    return {
        "(5)": {
            "alpha": (p.in_psi(p.alpha), unit(1)), "chi": (p.in_psi(p.chi), unit(1)), "eta": (p.in_psi(p.eta), step_moves()),
            "Gamma": (p.in_psi(p.Gamma), NUMBER), "R": (p.in_psi(p.R), LENGTH), "Phi": (p.in_psi(p.Phi), unit(0)),
            "(76)": (p.in_psi(p.T_76), NUMBER), "argument of Q": (p.in_psi(p.ESCAPES), NUMBER),
        },
        "(6) first": {"inner argument": (p.in_psi(inner), NUMBER), "its factor": (p.in_psi(factor), NUMBER)},
        "(6) second": {"argument": (p.in_psi(sp.exp(p.SIX[1])), NUMBER)},
        "(6) second, corrected": {"argument": (p.in_psi(needed), NUMBER)},
        "Theorem 2": {
            **{f"kappa {i}": (one, SQUARE) for i, one in enumerate((*p.KAPPA, *p.KAPPA_3), start=1)},
            **{f"term {i}": (one, unit(1)) for i, one in enumerate((*p.RATE, *p.RATE_3), start=1)},
            "b_1": (p.in_alpha(p.B_1.xreplace({p.kappa: p.KAPPA[0]})), NUMBER), "b_2": (p.in_alpha(p.B_2), NUMBER),
        },
    }  # fmt: skip


def units(*, group: str) -> Finding:
    """Read the units of every formula of a group, and compare them with those of what it stands for."""
    found = {name: (exponents(expression), wanted) for name, (expression, wanted) in _groups()[group].items()}
    numbers = {f"{name}: powers of value and length": tuple(map(str, has)) for name, (has, _) in found.items()}
    for name, (has, wanted) in found.items():
        if has != wanted:
            sentence = f"{name} scales like value^({has[0]}) length^({has[1]}), and value^{wanted[0]} length^{wanted[1]} is meant"
            witness = {"formula": name, "power of value": str(has[0]), "power of length": str(has[1]), "meant": wanted}
            return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.PROVED, f"{', '.join(found)}: each has the units of what it stands for", numbers)


# ------------------------------------------------------------------ conditions at the parameters


def at_own_parameters(*, key: str, version: str, problems: Sequence[Mapping[str, float]]) -> Finding:
    """Evaluate the conditions of Theorem 1, printed or repaired, at the mu and the block that it defines for a problem."""
    from bounds.gauss_psgd.block_numbers import Constants
    from bounds.gauss_psgd.fixed_point import given_noise

    theorem, constants, worst = bounds.THEOREMS[key], Constants(version=version), 0.0
    checked = 0
    for problem in problems:
        found = given_noise(**problem, constants=constants)
        worst = max(worst, abs(found.log_factor / max(found.entries) - 1))
        evaluation = theorem.evaluate(
            **problem, log_factor=found.log_factor, s=constants.s_used, C_abs=constants.C_abs, c_abs=constants.c_used, L=1e9, curvature=1.0
        )
        failed = [p.told(entry.caveat) for entry in evaluation.checked if not entry.holds and entry.condition.kind == "hypothesis"]
        checked += len(evaluation.checked)
        if failed:
            witness = {**p.lettered(problem), "s": constants.s_used, "C": constants.C_abs, "mu": found.log_factor, "fails": tuple(failed)}
            sentence = f"{len(failed)} of {len(evaluation.checked)} conditions fail at its own parameters: {'; '.join(failed)}"
            return Finding(Outcome.REFUTED, sentence, {"conditions": len(evaluation.checked)}, witness)
    numbers = {"problems": len(problems), "conditions evaluated": checked, "largest |mu / largest entry - 1|": worst}
    if worst > 1e-9:  # given_noise promises 1e-12 beyond the root
        return Finding(Outcome.INCONCLUSIVE, "mu is not the largest of its entries; the fixed point must be looked at", numbers)
    return Finding(Outcome.CONSISTENT, f"all conditions hold at the parameters of {len(problems)} problems", numbers)


def whole_numbers(*, step: str, points: int, seed: int) -> Finding:
    """Round Gamma of the repaired block up and take the largest of what (41), (42) and (71) bound, over their limits, in 40 digits.

    M^2 is chosen so that the real Gamma is between 1 and 4, where rounding counts most, and chi is the least, so that the limits of (42)
    and (71) are met with equality before. step: "kept" as it is, or made smaller "with Gamma".
    """
    from bounds.gauss_psgd import block_numbers

    rng, worst, at = np.random.default_rng(seed), mp.mpf(0), {}
    with mp.workdps(40):
        for _ in range(points):
            s, mu, c = mp.mpf(10) ** rng.uniform(0, 6), mp.mpf(rng.uniform(1, 30)), mp.mpf(10) ** rng.uniform(-1, 2)
            alpha, rho, real = (mp.mpf(10) ** rng.uniform(*ends) for ends in ((-3, 3), (-3, 3), (0, 0.6)))
            M = mp.sqrt(real * rho * alpha / (s**3 * mu**4))
            given = block_numbers.block(
                accuracy=alpha, s=s, log_factor=mu, ell=M, rho=rho, version="repaired", functions=block_numbers.DIGITS
            )  # fmt: skip
            one = block_numbers.whole(given)
            eta, psi = given.eta if step == "kept" else one.eta, alpha / (4 * mp.sqrt(c * s**3 * mu**5))
            over = {
                "eta rho R Gamma sqrt(iota) s": eta * rho * one.radius * one.Gamma * mp.sqrt(one.iota) * s,
                "eta M sqrt(Gamma) iota sqrt(s)": eta * M * mp.sqrt(one.Gamma) * one.iota * mp.sqrt(s),
                "(Phi + 2 c eta psi^2 Gamma) 4 eta Gamma / R^2": (one.decrease + 2 * c * eta * psi**2 * one.Gamma)
                * 4 * eta * one.Gamma / one.radius**2,
            }  # fmt: skip
            name = max(over, key=lambda key: over[key])
            if over[name] > worst:
                worst = over[name]
                at = {"s": float(s), "mu": float(mu), "Gamma": float(given.Gamma), "whole Gamma": int(one.Gamma), name: float(worst)}
        exceeded = worst > 1 + mp.mpf(10) ** -30  # of 40 digits
    numbers = {"points": points, "largest over its limit": float(worst)}
    if exceeded:
        return Finding(Outcome.REFUTED, f"one limit is exceeded by a factor {float(worst):.4g}", numbers, at, seed=seed)
    return Finding(Outcome.CONSISTENT, f"no limit is exceeded at {points} points, and some are met with equality", numbers, seed=seed)


PROBLEMS = tuple(
    {"psi": psi, "added_noise": psi * share / d**0.5, "d": d, "ell": ell, "rho": 1.0, "U": U, "omega": 0.1}
    for psi, share, d, ell, U in (
        (1e-17, 0.7, 10.0, 1.0, 1.0), (1e-18, 0.1, 1000.0, 1.0, 10.0), (1e-15, 1e-3, 2.0, 10.0, 1.0), (1e-17, 1.0, 1.0, 1.0, 1e3),
    )
)  # fmt: skip


def _claim(name: str, place: str, words: str, expected: Outcome, why: str, examine: Any, arguments: Any, **more: Any) -> Claim:
    return Claim(
        key=f"gauss_psgd.{name}", source=place, words=words, kind=more.pop("kind", Kind.IDENTITY), expected=expected, why=why,
        examine=examine, arguments=arguments, **more,
    )  # fmt: skip


CLAIMS = (
    _claim("statements.transcribed", "all statements", "The theory holds the statements as they are printed", Outcome.PROVED,
           "two transcriptions", transcribed, {}, stated="question"),
    _claim("parameter_block.numbers", "(5), (6), (76), (78), (79)", "The theory computes the parameters as they are printed",
           Outcome.PROVED, "two transcriptions, and the functions of numbers in 40 digits", same_numbers, {"points": 10, "seed": 0},
           full={"points": 500}, stated="question"),
    _claim("repaired.numbers", "ours; (5), (6)", "The repaired block of the proofs is the one that the theory computes", Outcome.PROVED,
           "identities, and the functions of numbers in 40 digits", same_repaired, {"points": 5, "seed": 0}, full={"points": 500},
           stated="question", derivations=("gauss_psgd.repaired_block",)),
    _claim("parameter_block.units", "(5), (76), (78)",
           "Every parameter has the unit of what it stands for: eta times a gradient is a length, "
           "R a length, Phi a value, Gamma and T numbers", Outcome.PROVED, "exponents of the units, exactly", units, {"group": "(5)"},
           latex=r"[\eta]\,[\nabla F] = [\mathcal{R}] = [x],\ [\Phi] = [F],\ [\Gamma] = [T] = 1", stated="question"),
    _claim("log_factor.units_first", "(6), first entry", "The first entry of (6) does not depend on units", Outcome.PROVED,
           "both of its arguments are numbers", units, {"group": "(6) first"}, stated="question"),
    _claim("log_factor.units_second", "(6), second entry", "The second entry of (6) does not depend on units", Outcome.REFUTED,
           "its argument has the unit of the root of a length", units, {"group": "(6) second"}, stated="question",
           latex=r"\log\Big(\frac{160\sqrt2C^{1/4}}{s\sqrt{\eta r}}\sqrt{\frac\psi\rho}\Big)",
           correction="log_2 of 40 sqrt(2) R (rho alpha)^(1/4) / (sqrt(eta) r)",
           correction_latex=r"\log_2\frac{40\sqrt2\,\mathcal{R}(\rho\alpha)^{1/4}}{\sqrt\eta\,r}",
           repaired_by="gauss_psgd.log_factor.units_corrected"),
    _claim("log_factor.units_corrected", "ours; (6), second entry", "What Lemma 1 needs in its place does not depend on units",
           Outcome.PROVED,
           "its argument is a number", units, {"group": "(6) second, corrected"}, stated="question"),
    _claim("theorem2.units", "Theorems 2, 3, (105), (121)",
           "kappa is a squared length, b_1 and b_2 are numbers, the terms of the rates are "
           "gradients", Outcome.PROVED, "exponents of the units, exactly", units, {"group": "Theorem 2"}, stated="question"),
    _claim("theorem1.at_its_parameters", "Theorem 1 with (5), (6)", "With (5), (6) and s = 51200 every step of the proof goes through",
           Outcome.REFUTED, "(42), (71) and the second entry of (6) fail", at_own_parameters,
           {"key": "gauss_psgd.theorem1", "version": "printed", "problems": PROBLEMS}, kind=Kind.INEQUALITY, stated="reading",
           correction="With one more iota in eta and in Phi, another second entry and an entry for all escapes",
           repaired_by="gauss_psgd.repaired.at_its_parameters"),
    _claim("repaired.at_its_parameters", "ours; (5), (6)", "With the repaired block every step goes through", Outcome.CONSISTENT,
           "the conditions are evaluated at the fixed point of several problems", at_own_parameters,
           {"key": "gauss_psgd.repaired", "version": "repaired", "problems": PROBLEMS}, kind=Kind.INEQUALITY, stated="question",
           derivations=("gauss_psgd.repaired_block",)),
    _claim("repaired.whole_gamma", "ours; (41), (42), (71)",
           "Gamma may be rounded up in the repaired block where eta is made smaller by the same factor", Outcome.CONSISTENT,
           "the products that the proof bounds have eta Gamma, which stays, or a power of eta more", whole_numbers,
           {"step": "with Gamma", "points": 200, "seed": 3}, kind=Kind.INEQUALITY, stated="question", full={"points": 20_000}),
    _claim("repaired.whole_gamma_alone", "ours; (41), (42), (71)",
           "Gamma may be rounded up alone, eta being that of the real Gamma, at the least s and chi", Outcome.REFUTED,
           "(42) holds with equality there, and grows with the root of Gamma", whole_numbers,
           {"step": "kept", "points": 200, "seed": 3}, kind=Kind.INEQUALITY, stated="question",
           correction="Make eta smaller by the factor by which Gamma grows", repaired_by="gauss_psgd.repaired.whole_gamma"),
)  # fmt: skip
