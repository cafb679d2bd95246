"""The paper's letters, its parameter block (5), (6) in them, and what its pages have alike: assumptions, conditions, lines, remarks.

Source    Tao, Zhang, Yu, Cheng, Dressler, Wang, "Second-Order Convergence in Private Stochastic Non-Convex Optimization", (5), (6), (79).

On the pages a name is the paper's letter: alpha is the accuracy, mu the logarithmic factor, r the added noise per coordinate, sigma the
sampling error, G and M the Lipschitz and smoothness constants, R the distance of an escape, Phi its claimed decrease, kappa the limit of
the drift. "log" is the natural logarithm unless a step says otherwise. The formulas of the block are those of `bounds.gauss_psgd.block`.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import block
from bounds.lines import Step, line
from bounds.pages import Pages, defined_by
from bounds.symbols import GLOSSARY, Max
from bounds.theorem import SCOPE, Condition

LETTERS = "alpha accuracy, mu log_factor, r added_noise, sigma sampling_error, gamma curvature, R radius, Phi decrease, kappa drift_limit"
LETTERS += ", G L, M ell, C C_abs, c c_abs, t t_count"
PAGES = Pages("gauss_psgd", dict(pair.split() for pair in LETTERS.split(", ")))
SPELLED, letters, keyed, stated, proved = PAGES.spelled, PAGES.letters, PAGES.keyed, PAGES.stated, PAGES.proved

n, d, m, epsilon, delta, G, M, rho, U, omega, alpha, mu, r = letters("n d m epsilon delta G M rho U omega alpha mu r")
psi, eta, chi, Gamma, Q, R, Phi, T, s, iota, C, c = letters("psi eta chi Gamma Q R Phi T s iota C c")

# ------------------------------------------------------------------ the parameter block

SYMBOLS = block.Functions(sp.sqrt, sp.log, sp.Integer, Max)
power = SYMBOLS.power
ALL = SimpleNamespace(**{name: letter.symbol for name, letter in GLOSSARY.items()})
NEXT = block.one_more(ALL)
PRINTED = {GLOSSARY[name].symbol: formula(ALL, SYMBOLS) for name, formula in block.PRINTED.items()}  # (5), as printed
REPAIRED = {GLOSSARY[name].symbol: formula(ALL, SYMBOLS) for name, formula in block.REPAIRED.items()}  # ours
NUMBER = block.phases(ALL)
ESCAPES = block.escapes(ALL, SYMBOLS)
T_EFF = block.once(ALL)
T_EFF_IN_ALPHA = 8 * U * M**2 * s**4 * mu**6 / (sp.sqrt(rho) * power(alpha, 5, 2))
Q_PRINTED, Q_REPAIRED = (block.rounds_formula(ALL, SYMBOLS, version) for version in ("printed", "repaired"))
T_OF_Q, T_REPAIRED = (block.steps_formula(ALL, version) for version in ("printed", "repaired"))
T_PRINTED = T_OF_Q.xreplace({Q: Q_PRINTED})
INNER = sp.log(block.distance(ALL, SYMBOLS))  # of the first entry of (6)
NEEDED = block.needed(ALL, SYMBOLS)  # what the growth must be for a distance of R
root, half, quarter = sp.sqrt(rho * alpha), sp.Rational(1, 2), sp.Rational(1, 4)
R_IN_PSI = 4 * C**quarter / (s * sp.sqrt(mu)) * sp.sqrt(psi / rho)
tail = sp.exp(-iota)  # what an event that is said to be rare fails with


def entries_of_mu(version: str = "printed", base: str = "e") -> tuple[Any, ...]:
    """Return the entries of (6): mu must be at least each of them."""
    v = NEXT if version == "repaired" else ALL
    last = (block.escape_entry(v, SYMBOLS, base), sp.Integer(1)) if version == "repaired" else (sp.Integer(1),)
    first, second = block.union_entry(v, SYMBOLS, version, base), block.growth_entry(v, SYMBOLS, version, base)
    return first, second, block.event_entry(v, SYMBOLS, base), *last


ENTRIES_OF_MU = entries_of_mu()


def resolved(values: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the block with every letter it defines inserted into every value."""
    values = dict(values)
    while any(value.free_symbols & set(values) for value in values.values()):
        values = {letter: sp.powsimp(value.xreplace(values)) for letter, value in values.items()}
    return values


CLOSED = resolved(PRINTED)  # in psi, s, mu, C, M, rho
IN_ALPHA = {  # the same with the accuracy in place of psi
    **resolved({letter: value for letter, value in PRINTED.items() if letter not in (chi, alpha)}),
    chi: alpha / 4,
    psi: alpha / (16 * sp.sqrt(C) * s * mu**2),
}
MENDED = resolved({**{letter: value for letter, value in REPAIRED.items() if letter != alpha}, chi: alpha / 4})  # in alpha, s, mu, M, rho


PRINTED_LINES = defined_by(PRINTED, "(5)")


def by_block(name: str, statement: str, lhs: Any, rhs: Any) -> Step:
    """Return the step that two expressions are equal once the lines of (5) are inserted, chi only where psi occurs."""
    found = sp.sympify(lhs).free_symbols | sp.sympify(rhs).free_symbols
    known = {letter: value for letter, value in PRINTED.items() if letter != chi or psi in found}
    for _ in known:
        found |= set().union(*(value.free_symbols for letter, value in known.items() if letter in found))
    inserted = tuple(letter.name for letter in known if letter in found)
    return line(name, lhs, "=", rhs).says(statement).because("insert (5)").inserting(*inserted)


# ------------------------------------------------------------------ lines of several proofs

ALPHA_SMALL = line("standing", alpha, "<=", M**2 / rho).says("M >= sqrt(rho alpha), the standing assumption after Definition 2").assumed()
SMALL_STEP = line("small_step", eta, "<=", 1 / M).says("eta <= 1/M").assumed()
SMALL_STEP_BY_5 = line("small_step", eta, "<=", 1 / M).says("eta <= 1/M by (5)").shown("gauss_psgd.parameter_block", "small_step")
IOTA_AT_LEAST_1 = (
    line("iota_at_least_1", iota, ">=", 1)
    .says("iota is at least 1", "s and mu are")
    .by((s, "log_factor >= 1"), "s >= 1", modulo=((1, "iota"),))
)
ENOUGH_TRIES = (
    line("enough_tries", 4 * T / omega, ">", 1)
    .says("4 T / omega is above 1", "T >= 1 > omega")
    .by((4 / omega, "T >= 1"), (1 / omega, "omega < 1"), 3 / omega)
)


def parameter_block() -> Derivation:
    """Insert (5) into itself: closed forms in psi, s, mu, C, M, rho."""
    roots = sp.sqrt(C)
    decrease = 8 * C ** sp.Rational(3, 4) * psi ** sp.Rational(3, 2) / sp.sqrt(s * rho)
    return proved(
        "parameter_block",
        "the parameters (5) in psi, s, mu, C, M, rho",
        "(5), (76)",
        facts=(*PRINTED_LINES, ALPHA_SMALL),
        steps=(
            by_block("accuracy_in_psi", "the accuracy alpha", alpha, 16 * roots * s * mu**2 * psi),
            by_block("chi_of_alpha", "the error chi that is allowed for", chi, alpha / 4),
            by_block("eta_in_psi", "the step size eta", eta, 4 * C**quarter * sp.sqrt(rho * psi) / (M**2 * power(s, 3, 2) * mu)),
            by_block("Gamma_in_psi", "the length Gamma of a round", Gamma, M**2 * mu * s / (16 * roots * rho * psi)),
            by_block("Gamma_of_alpha", "the same in the accuracy: Gamma", Gamma, mu * iota**2 * M**2 / (rho * alpha)),
            by_block("growth", "the growth of a round Gamma: the exponent of the escape is mu", eta * Gamma * root, mu),
            by_block("radius_in_psi", "the distance R of an escape", R, R_IN_PSI),
            by_block("decrease_in_psi", "the decrease Phi that is claimed for an escape", Phi, decrease),
            by_block("steps_in_alpha", "(76): the count of steps that decrease F, in the accuracy", T_EFF, T_EFF_IN_ALPHA),
            IOTA_AT_LEAST_1,
            line("small_step", eta, "<=", 1 / M)
            .says("eta <= 1/M, which the descent lemma needs", "sqrt(rho alpha) <= M and iota >= 1")
            .by(((iota + 1) / (M * iota**2), "iota_at_least_1"), (rho / (M**2 * iota**2 * (M + root)), "standing"), at=("eta",)),
        ),
    )


# ------------------------------------------------------------------ what statements say

ASSUMPTION_1 = ("every sample's loss is L-Lipschitz, ell-smooth and rho-Hessian-Lipschitz",)
ASSUMPTION_2 = ("max F - min F <= U",)
ORACLE = (
    "the error nu_t of every gradient has conditional mean 0; its parts are norm-subGaussian with constant sampling_error, "
    "and N(0, added_noise^2 I), independent from step to step; psi^2 = sampling_error^2 + added_noise^2 d",
)
SADDLE = ("||grad F|| <= accuracy and the least eigenvalue of the Hessian is at most -sqrt(rho accuracy) where the round starts",)

TILDE = "a rate: absolute constants and logarithms are 1, so the number is a scale, not a guarantee"
ABSOLUTE = "C_abs and c_abs are absolute constants that the paper leaves open; with 1 the number is a scale, not a guarantee"
BASE = "log is the natural logarithm here; the paper does not say which, and its Lemma 2 and (53) hold for base 2 only"
GIVEN_MU = "log_factor is given; bounds.gauss_psgd.fixed_point finds the one that (6) defines through eta, accuracy and T"

STANDING = Condition(
    sp.Le(alpha, M**2 / rho),
    "accuracy = {value} is above ell^2/rho = {limit}: the paper's standing assumption ell >= sqrt(rho accuracy) fails",
)
BELOW_TRIVIAL = Condition(alpha < G, "accuracy = {value} is not below L = {limit}: no gradient is longer than that", SCOPE)
HESSIAN_PART_SMALL = Condition(
    eta * rho * R * Gamma * sp.sqrt(iota) <= 1 / (160 * sp.sqrt(2)),
    "eta rho radius Gamma sqrt(iota) = {value} is above 1/(80 c) = {limit} with c = 2 sqrt(2) of (31): (41) of Lemma 20 does not follow",
)
SAMPLING_PART_SMALL = Condition(
    eta * M * sp.sqrt(Gamma) * iota <= 1 / (160 * sp.sqrt(2)),
    "eta ell sqrt(Gamma) iota = {value} is above 1/(80 c) = {limit} with c = 2 sqrt(2) of (31): (42) of Lemma 20 does not follow",
)
GAUSSIAN_C = 8 * sp.log(sp.Rational(5, 4) / delta) / sp.log(1 / delta)  # c_1 = c_2 of Algorithm 2 by Definition 8
CLASSICAL = Condition(epsilon < 1, "epsilon = {value} is not below 1: the noise of Definition 8 is proved to be private only there")


def at_least(entry: Any, words: str) -> Condition:
    """Return the condition that mu is at least an entry of (6)."""
    return Condition(sp.Ge(mu, entry), f"log_factor = {{value}} is below {{limit}}, {words}")


SCHEDULE = {letter.name: PRINTED[letter] for letter in (chi, alpha, eta, Gamma, R, Phi)}
IOTA = {"iota": PRINTED[iota]}
AT_BLOCK: dict[str, Any] = {"method": "gauss_psgd", "definitions": IOTA, "schedule": SCHEDULE}
OF_A_RUN: dict[str, Any] = {"method": "gauss_psgd", "assumptions": (*ASSUMPTION_1, *ASSUMPTION_2, *ORACLE), "definitions": IOTA}
UNION = at_least(ENTRIES_OF_MU[0], "the first entry of (6)")
GROWTH = at_least(ENTRIES_OF_MU[1], "the second entry of (6)")
EVENT = at_least(ENTRIES_OF_MU[2], "the third entry of (6)")
GROWTH_CORRECTED = at_least(
    entries_of_mu("corrected")[1], "which the growth of the unstable direction needs where (52) is put right: Lemma 1 is not proved"
)
ESCAPE_CONDITIONS = (STANDING, UNION, GROWTH, GROWTH_CORRECTED, HESSIAN_PART_SMALL, SAMPLING_PART_SMALL)
