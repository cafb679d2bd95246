"""Lines of the paper that are false as printed, each with what holds instead and a point at which anyone can substitute both.

Source    Gauss-PSGD; the line is named in `where`, the number of the erratum is ours.

Nothing here is a verdict: `values` only substitutes. The rate, the oracle and the selection are in `proofs_printed_rates`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import mpmath as mp
import sympy as sp

from bounds.gauss_psgd.proofs_block import (
    CLOSED,
    IN_ALPHA,
    MU_ENTRIES,
    T_EFF,
    T_PRINTED,
    C,
    Gamma,
    M,
    Phi,
    Q,
    R,
    T,
    U,
    alpha,
    c,
    chi,
    d,
    eta,
    gamma,
    iota,
    mu,
    omega,
    psi,
    r,
    rho,
    s,
)
from bounds.symbols import symbols


@dataclass(frozen=True)
class PrintedFalse:
    """A printed line `lhs relation rhs` that is false, and `lhs true_relation true_rhs`, which holds.

    `at` are definitions of the paper that the line uses, `premises` what it assumes; both are inserted or hold at `witness`, the values of
    the letters at which the printed line fails. `instead` names the step that certifies what holds, "" where it is a matter of reading.
    """

    key: str
    erratum: str
    where: str
    claim: str
    lhs: Any
    relation: str
    rhs: Any
    true_relation: str
    true_rhs: Any
    witness: Mapping[Any, Any]
    at: Mapping[Any, Any] = field(default_factory=dict)
    premises: tuple[Any, ...] = ()
    instead: str = ""

    def values(self, digits: int = 50) -> tuple[Any, Any, Any]:
        """Return lhs, rhs and true_rhs at the witness as mpmath numbers of so many digits; two sides that agree may differ by rounding."""
        return tuple(self.substituted([self.lhs, self.rhs, self.true_rhs], digits))

    def premise_sides(self, digits: int = 50) -> list[tuple[str, Any, Any]]:
        """Return each premise at the witness as its relation and its two sides."""
        sides = self.substituted([side for one in self.premises for side in (one.lhs, one.rhs)], digits)
        return [(one.rel_op, sides[2 * i], sides[2 * i + 1]) for i, one in enumerate(self.premises)]

    def substituted(self, expressions: list[Any], digits: int) -> list[Any]:
        """Return the expressions at the witness: evaluated as written, because an exact power of a rational number can be very long."""
        known = {letter: sp.sympify(value) for letter, value in self.at.items()}
        inserted = [sp.sympify(expression).xreplace(known) for expression in expressions]
        letters = sorted(self.witness, key=str)
        missing = set().union(*(expression.free_symbols for expression in inserted)) - set(letters)
        if missing:
            raise ValueError(f"{self.key}: the witness gives no value for {sorted(map(str, missing))}")
        with mp.workdps(digits + 20):
            values = [mp.mpf(one.p) / one.q for one in (sp.Rational(self.witness[letter]) for letter in letters)]
            return [mp.mpf(value) for value in sp.lambdify(letters, inserted, modules="mpmath")(*values)]


x, b, log_ratio, t, omega_0, grad, err = symbols("growth b_frak log_ratio steps_taken omega_0 grad_norm err_norm")

quarter, tenth, hundredth = sp.Rational(1, 4), sp.Rational(1, 10), sp.Rational(1, 100)
BOTH_BASES = tuple(sp.Ge(mu, entry.xreplace({T: T_PRINTED}) / base) for entry in MU_ENTRIES[:2] for base in (1, sp.log(2)))
THIRD_ENTRY = sp.Ge(mu, MU_ENTRIES[2].xreplace({T: T_PRINTED}))
slope = sp.Rational(6, 5) * R / (eta * Gamma)  # of a linear F on which every round succeeds
NOISE_71 = 2 * c * psi**2 * iota / (s * sp.sqrt(rho * alpha))
scale = b * eta * r
large_s = {c: 1, C: 1, s: 6400, mu: 1, M: 1, rho: 1, alpha: hundredth}
unit = {C: 1, M: 1, rho: 1, alpha: hundredth, s: 4, mu: 4}
ENTRIES = (*BOTH_BASES, THIRD_ENTRY, sp.Ge(mu, 1), sp.Ge(psi**2, d * r**2), sp.Ge(M**2, rho * alpha))  # (6), (3), the standing assumption
at_6 = {C: 1, M: 1, rho: 1, alpha: 1, s: 4, mu: 13, r: sp.Rational(1, 54080), d: 10, U: 1, omega: tenth}  # meets (6); r is psi / 5
two_sided = sp.erfc(b / (20 * sp.sqrt(2)) / sp.sqrt(((1 + x) ** (2 * t) - 1) / (2 * x + x**2)))
held_at_1 = 1 - sp.Rational(4, 3) * sp.erfc(c * (1 + x) * sp.sqrt(iota) / (sp.sqrt(2 * x) * 2 * sp.sqrt(2)))

ESCAPE = [
    PrintedFalse(
        "printed_32",
        "E22",
        "(32), Lemma 19",
        "P(||P_p(t)|| >= b(Gamma) eta r / 10) >= 2/3 for every t >= 0; here at t = 1",
        two_sided,
        ">=",
        sp.Rational(2, 3),
        ">=",
        1 - 2 / sp.sqrt(sp.pi) * two_sided.args[0],
        {x: tenth, t: 1, Gamma: 100},
        at={b: (1 + x) ** Gamma / sp.sqrt(2 * x)},
        premises=(sp.Ge(Gamma * x, 1), sp.Le(t, Gamma)),
        instead="gauss_psgd.lemma19:flat",
    ),
    PrintedFalse(
        "printed_34",
        "E23",
        "(34), proof of Lemma 20",
        "the probability given E is at most 1 - 6 d t log(R/(eta r)) exp(-iota); at t = 1 it is at least lhs when P(E) >= 3/4, by (31)",
        held_at_1,
        "<=",
        1 - 6 * d * log_ratio * sp.exp(-iota),
        ">=",
        1 - 6 * d * log_ratio * sp.exp(-iota),
        {x: tenth, c: 3, d: 2, iota: 10, log_ratio: 2},
        premises=(sp.Ge(c, 2 * sp.sqrt(2)),),
        instead="gauss_psgd.lemma20:probabilities",
    ),
    PrintedFalse(
        "printed_38",
        "E24",
        "(38), proof of Lemma 20",
        "||Delta||, the mean Hessian without the Hessian at the saddle, is at most rho R; here F is quadratic with curvature M",
        M,
        "<=",
        rho * R,
        "<=",
        M + rho * R,
        {M: 1, rho: 1, R: tenth},
        instead="gauss_psgd.lemma20:change",
    ),
    PrintedFalse(
        "printed_after_41",
        "E25",
        "text after (41)",
        "2 c eta rho R Gamma = 2 c / s",
        2 * c * eta * rho * R * Gamma,
        "=",
        2 * c / s,
        "=",
        2 * c / (s * sp.sqrt(iota)),
        {**unit, c: 1},
        at=IN_ALPHA,
        instead="gauss_psgd.lemma20:forty_one",
    ),
    PrintedFalse(
        "printed_42",
        "E4",
        "(42), proof of Lemma 20",
        "Lemma 12 gives ||P_sg(t + 1)|| <= 2 c eta M sqrt(Gamma) b eta r sqrt(iota)",
        sp.sqrt(Gamma * (eta * M * 2 * c * scale * sp.sqrt(iota)) ** 2 * iota),
        "<=",
        2 * c * eta * M * sp.sqrt(Gamma) * scale * sp.sqrt(iota),
        "=",
        2 * c * eta * M * sp.sqrt(Gamma) * scale * iota,
        {c: 3, eta: tenth, M: 1, Gamma: 10, b: 5, r: hundredth, iota: 10},
        instead="gauss_psgd.lemma20:two_roots",
    ),
    PrintedFalse(
        "printed_both_roots",
        "E4",
        "(42), (43), proof of Lemma 20",
        "with s >= (80 c)^2 the factor of b eta r that Lemma 12 gives, with both roots of iota, is at most 1/40; (43) has one root",
        2 * c * eta * M * sp.sqrt(Gamma) * iota,
        "<=",
        sp.Rational(1, 40),
        "=",
        2 * c * sp.sqrt(mu),
        large_s,
        at=IN_ALPHA,
        premises=(sp.Ge(s, (80 * c) ** 2), sp.Ge(M**2, rho * alpha)),
        instead="gauss_psgd.lemma20:both_roots",
    ),
    PrintedFalse(
        "printed_52",
        "E2",
        "(52), proof of Lemma 1",
        "b(Gamma) eta r / 40 = (1 + eta gamma)^Gamma sqrt(eta r) / (40 sqrt(2))",
        scale / 40,
        "=",
        (1 + eta * gamma) ** Gamma * sp.sqrt(eta * r) / (40 * sp.sqrt(2)),
        "=",
        (1 + eta * gamma) ** Gamma * sp.sqrt(eta) * r / (40 * sp.sqrt(2 * gamma)),
        {eta: tenth, gamma: 1, Gamma: 10, r: hundredth},
        at={b: (1 + eta * gamma) ** Gamma / sp.sqrt(2 * eta * gamma)},
        instead="gauss_psgd.lemma1:written_out",
    ),
    PrintedFalse(
        "printed_53",
        "E2",
        "(52), (53), proof of Lemma 1, its last inequality",
        "b(Gamma) eta r / 40 > R when mu is at least the entries of (6); here gamma = sqrt(rho alpha) = M, the logarithm of either base",
        (1 + eta * sp.sqrt(rho * alpha)) ** Gamma * sp.sqrt(eta) * r / (40 * sp.sqrt(2) * (rho * alpha) ** quarter),
        ">",
        R,
        ">=",
        2**mu * sp.sqrt(eta) * r / (40 * sp.sqrt(2) * (rho * alpha) ** quarter),
        {C: 1, s: 4, psi: 1, r: hundredth, rho: 10**12, d: 2, U: 1, omega: tenth, mu: 8, M: 64 * 10**6},
        at=CLOSED,
        premises=ENTRIES,
        instead="gauss_psgd.lemma1:at_smallest",
    ),
    PrintedFalse(
        "printed_53_natural",
        "E1",
        "(53), proof of Lemma 1, its last inequality, with the natural logarithm",
        "2^mu sqrt(eta r) / (40 sqrt(2)) > R when mu is at least the entries of (6) with natural logarithms",
        2**mu * sp.sqrt(eta * r) / (40 * sp.sqrt(2)),
        ">",
        R,
        "=",
        2**mu * sp.sqrt(mu) * R / sp.exp(MU_ENTRIES[1]),
        {C: 1, s: 4, psi: 1, r: sp.Rational(1, 200), rho: 1, d: 2, U: 1, omega: tenth, mu: 13, M: 104},
        at=CLOSED,
        premises=(*(one for one in ENTRIES if one not in BOTH_BASES), *BOTH_BASES[::2]),
    ),
    PrintedFalse(
        "printed_2a",
        "E39",
        "text after (53)",
        "1 + a > 2^a for every a in (0, 1]",
        1 + x,
        ">",
        2**x,
        ">=",
        2**x,
        {x: 1},
        instead="gauss_psgd.lemma1:chord",
    ),
    PrintedFalse(
        "printed_lemma2",
        "E1",
        "Lemma 2, with the natural logarithm",
        "(7/8)^Q <= omega_0 for Q = (26/5) log(1/omega_0)",
        sp.Rational(7, 8) ** Q,
        "<=",
        omega_0,
        "=",
        omega_0 ** (sp.Rational(26, 5) * sp.log(sp.Rational(8, 7))),
        {omega_0: hundredth},
        at={Q: sp.Rational(26, 5) * sp.log(1 / omega_0)},
        instead="gauss_psgd.lemma2:natural",
    ),
    PrintedFalse(
        "printed_71",
        "E3",
        "(71), proof of Lemma 4",
        "(70) is at most -s / (4 iota^3) sqrt(alpha^3 / rho) + 2 c psi^2 iota / (s sqrt(rho alpha))",
        -(R**2) / (4 * eta * Gamma) + c * eta * psi**2 * (Gamma + iota),
        "<=",
        -s / (4 * iota**3) * sp.sqrt(alpha**3 / rho) + NOISE_71,
        "<=",
        -s / (4 * iota**4) * sp.sqrt(alpha**3 / rho) + NOISE_71,
        {**at_6, c: 1},
        at=IN_ALPHA,
        instead="gauss_psgd.lemma4:first_term",
    ),
    PrintedFalse(
        "printed_lemma4",
        "E3",
        "Lemma 4",
        "a round that succeeds decreases F by Phi; here F is linear of slope 1.2 R/(eta Gamma), without noise: at most R and a step down",
        slope * R + eta * slope**2,
        ">=",
        Phi,
        "=",
        sp.Rational(48, 5) / iota * Phi + eta * slope**2,
        at_6,
        at=IN_ALPHA,
        premises=(*ENTRIES, sp.Le(slope, alpha), sp.Ge(Gamma, 6)),
        instead="gauss_psgd.lemma4:left",
    ),
    PrintedFalse(
        "printed_72",
        "E27",
        "(72), proof of Lemma 4",
        "-s / (8 iota^3) sqrt(alpha^3 / rho) = Phi",
        -s / (8 * iota**3) * sp.sqrt(alpha**3 / rho),
        "=",
        Phi,
        "=",
        -Phi,
        unit,
        at=IN_ALPHA,
        instead="gauss_psgd.parameter_block:decrease_in_psi",
    ),
    PrintedFalse(
        "printed_75",
        "E13",
        "(75), proof of Lemma 6",
        "what Lemma 3 gives for a normal step is at least 2 eta chi^2",
        eta / 2 * (grad**2 - err**2),
        ">=",
        2 * eta * chi**2,
        ">=",
        sp.Rational(3, 2) * eta * chi**2,
        {eta: tenth, chi: 1, grad: 2, err: 1},
        premises=(sp.Ge(grad, 2 * chi), sp.Le(err, chi)),
        instead="gauss_psgd.lemma6:normal_step",
    ),
    PrintedFalse(
        "printed_77",
        "E15",
        "(77), proof of Lemma 6",
        "U / Phi = 8 iota^3 (U / s) sqrt(rho / chi^3)",
        U / Phi,
        "=",
        8 * iota**3 * U / s * sp.sqrt(rho / chi**3),
        "=",
        iota**3 * U / s * sp.sqrt(rho / chi**3),
        {**unit, U: 1},
        at=IN_ALPHA,
        instead="gauss_psgd.lemma6:escapes_in_chi",
    ),
    PrintedFalse(
        "printed_79",
        "E14",
        "(79), proof of Lemma 6",
        "the number of steps is at most Q T_eff; a run that starts where it ends takes Q Gamma of them",
        Q * Gamma,
        "<=",
        Q * T_EFF,
        "<=",
        Q * (T_EFF + Gamma),
        {**unit, Q: 10, U: sp.Rational(1, 10**9)},
        at=IN_ALPHA,
        premises=(sp.Le(U, Phi),),
        instead="gauss_psgd.lemma6:last_phase",
    ),
    PrintedFalse(
        "printed_union",
        "E12",
        "proof of Lemma 6, for Theorem 1",
        "the probabilities of failure add up to no more than omega: the excess is at most 0; Lemma 4 adds 2 exp(-iota) for each of U / Phi "
        "escapes, next to nothing at the large s of the proof",
        omega / 2 + omega / 2 + 2 * U / Phi * sp.exp(-iota) - omega,
        "<=",
        sp.Integer(0),
        "=",
        2 * U / Phi * sp.exp(-iota),
        at_6,
        at=IN_ALPHA,
        premises=(*ENTRIES, sp.Ge(iota, sp.log(36 * d * Gamma * sp.log(R / (eta * r))))),
        instead="gauss_psgd.repaired_block:rounds_fail",
    ),
]
