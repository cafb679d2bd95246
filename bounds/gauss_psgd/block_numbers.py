"""The parameter blocks of Gauss-PSGD as plain functions of numbers: floats, or mpmath's digits.

Setting   loss L-Lipschitz, ell-smooth and rho-Hessian-Lipschitz (the paper's G, M and rho), gradient error of size psi.
Method    (5): accuracy -> eta, chi, Gamma, radius, decrease;  (6): the lower bounds on the logarithmic factor.
Measure   the accuracy of the second-order stationary point: ||grad F|| <= accuracy, Hessian >= -sqrt(rho accuracy).
Source    Gauss-PSGD (`bounds.gauss_psgd.common.PAPER`), (5), (6), (79), Lemma 6; the repaired block is ours.

Three versions. "printed" is the paper's. "corrected" is the paper's (5) with the second entry of (6) that equation (52) should
give. "repaired" is a block for which every step of the proof of Theorem 1 that we found wrong goes through: one more factor iota in
eta (Lemma 20), in Gamma and in the decrease (Lemma 4), a union over all rounds of all escapes, and room for rounding (`whole`).
`bounds.gauss_psgd.block` writes the same in symbols; tests compare the two in 50 digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import mpmath as mp

from bounds.validate import one_of, plain_fields, positive

VERSIONS = ("printed", "corrected", "repaired")
BASES = ("e", "2")  # the paper writes log; its Lemma 2 and (53) hold for base 2 only


@dataclass(frozen=True)
class Functions:
    """The functions that the formulas need."""

    sqrt: Callable[..., Any]
    log: Callable[..., Any]
    number: Callable[[int], Any]  # so that 26 / 5 has all the digits


FLOATS = Functions(math.sqrt, math.log, float)
DIGITS = Functions(mp.sqrt, mp.log, mp.mpf)
# the proof asks for s >= (80 c)^2 with c >= 2 sqrt(2) in (31); with the factor 2 of the per-sample Lipschitz bound and the C of Lemma 12
# it is (160 c C)^2
LEAST_S = 51_200.0


def least_s(version: str, C_abs: Any) -> Any:
    """Return the least s for which the induction of Lemma 20 goes through; (31) needs c = 2 sqrt(2)."""
    return 4 * LEAST_S * C_abs**2 if version == "repaired" else LEAST_S


@dataclass(frozen=True)
class Constants:
    """What the paper leaves open, and which reading of it is meant.

    version   "printed", "corrected" or "repaired"
    C_abs     the C of (5); absolute, "may change across expressions"
    s         the s of (5); None: the least that the proof allows
    c_abs     the c of Corollary 2 in the repaired chi; None: 16 C_abs, as the proof of Lemma 4 gives it for C_abs of Lemma 13
    base      of every logarithm the paper writes as log, except log(1/delta), which is natural as in the Gaussian mechanism
    sampling  the constant in front of Lemma 7's sigma
    noise     the constant in front of Lemma 7's r
    c_1, c_2  the constants of the noise in Algorithm 2; None: 8 log(1.25/delta) / log(1/delta), which Definition 8 gives
    """

    version: str = "printed"
    C_abs: float = 1.0
    s: float | None = None
    c_abs: float | None = None
    base: str = "e"
    sampling: float = 1.0
    noise: float = 1.0
    c_1: float | None = None
    c_2: float | None = None

    def __post_init__(self) -> None:
        plain_fields(self)
        one_of(VERSIONS, version=self.version)
        one_of(BASES, base=self.base)
        positive(C_abs=self.C_abs, sampling=self.sampling, noise=self.noise)
        for name in ("s", "c_abs", "c_1", "c_2"):
            if getattr(self, name) is not None:
                positive(**{name: getattr(self, name)})

    @property
    def s_used(self) -> float:
        """The s in use."""
        return float(least_s(self.version, self.C_abs)) if self.s is None else self.s

    @property
    def c_used(self) -> float:
        """The c in use."""
        return 16 * self.C_abs if self.c_abs is None else self.c_abs


@dataclass(frozen=True)
class Block:
    """The parameters (5); `accuracy` is the paper's alpha, `decrease` its Phi, `radius` its script R."""

    accuracy: Any
    iota: Any
    chi: Any
    Gamma: Any
    radius: Any
    decrease: Any
    eta: Any


def logarithm(x: Any, base: str, functions: Functions = FLOATS) -> Any:
    """Return the logarithm of x to base "e" or "2"."""
    return functions.log(x) / functions.log(functions.number(2)) if base == "2" else functions.log(x)


def accuracy_over_psi(*, s: Any, log_factor: Any, C_abs: Any, c_abs: Any, version: str, functions: Functions = FLOATS) -> Any:
    """Return accuracy / psi: 16 sqrt(C) s mu^2 in (5); repaired, 4 max(4 sqrt(C) s mu^2, sqrt(c) s^(3/2) mu^(5/2))."""
    printed = 16 * functions.sqrt(C_abs) * s * log_factor**2
    if version != "repaired":
        return printed
    return max(printed, 4 * functions.sqrt(c_abs * s**3 * log_factor**5))


def block(*, accuracy: Any, s: Any, log_factor: Any, ell: Any, rho: Any, version: str = "printed", functions: Functions = FLOATS) -> Block:
    """Return (5) at a given accuracy; the repaired block has eta / iota, Gamma iota and decrease / iota instead."""
    sqrt = functions.sqrt
    iota = s * log_factor
    extra = iota if version == "repaired" else 1
    eta = sqrt(rho * accuracy) / (ell**2 * iota**2 * extra)
    return Block(
        accuracy=accuracy,
        iota=iota,
        chi=accuracy / 4,
        Gamma=iota / (s * eta * sqrt(rho * accuracy)),
        radius=sqrt(accuracy / rho) / (iota * sqrt(iota)),
        decrease=s * accuracy * sqrt(accuracy / rho) / (8 * iota**3 * extra),
        eta=eta,
    )


def whole(at: Block) -> Block:
    """Return the block with Gamma rounded up, and eta smaller by the same factor, which every step of the repaired proof allows.

    With the eta of the real Gamma, (42) and Lemma 4, which hold with equality at the least s and chi, would fail by up to 1 + 1/Gamma.
    A Gamma that is an integer but for rounding may be rounded up once more: eta goes with it, so nothing is lost.
    """
    Gamma = math.ceil(at.Gamma)
    return replace(at, Gamma=Gamma, eta=at.eta * at.Gamma / Gamma)


def rounds(at: Block, *, s: Any, U: Any, omega: Any, rho: Any, version: str, base: str, functions: Functions = FLOATS) -> Any:
    """Return Q, a real number of at least 1: Lemma 6, or repaired log(2 N / omega) / log(8/7) with N = 1 + U / decrease.

    Lemma 6's formula is below 1, even negative, where U is less than what one escape is said to gain; one round is the least.
    """
    log, number = functions.log, functions.number
    if version == "repaired":
        return log(2 * (1 + U / at.decrease) / omega) / log(number(8) / 7)
    inside = 16 * at.iota**3 * U / (s * omega) * functions.sqrt(rho / at.chi**3)
    return max(number(26) / 5 * logarithm(inside, base, functions), number(1))


def steps(at: Block, *, Q: Any, s: Any, U: Any, log_factor: Any, version: str, functions: Functions = FLOATS) -> Any:
    """Return T, the most steps: (79), Q U s^2 mu^4 / (2 chi^2 eta), at least 1; repaired the most gradient estimates.

    (79) leaves the last, failed phase out and takes its decrease per step from (71). Repaired, N = 1 + U / decrease phases ask for one
    estimate in step 4, which moves nothing, and for those of Q rounds, both numbers rounded up: N ((Q + 1) (Gamma + 1) + 1) at most.
    Normal steps are paid for by the phases that they spare.
    """
    if version == "repaired":
        return ((Q + 1) * (at.Gamma + 1) + 1) * (1 + U / at.decrease)
    return max(Q * U * s**2 * log_factor**4 / (2 * at.chi**2 * at.eta), functions.number(1))


def entries(
    at: Block, *, psi: Any, added_noise: Any, d: Any, s: Any, C_abs: Any, rho: Any, U: Any, omega: Any, T: Any, version: str,
    base: str, functions: Functions = FLOATS,
) -> tuple[Any, ...]:  # fmt: skip
    """Return the lower bounds on mu that its own parameters give: the four of (6), repaired five.

    The repaired ones are those of Gamma + 1, Q + 1 and the eta that goes with that Gamma: they grow with both, so they hold for the
    whole numbers too.
    An entry whose inner logarithm is not positive asks for nothing and is returned as 0: the drift radius is then within one step of
    noise, and Lemma 12, from which the entry comes, has an empty range of scales.
    """
    sqrt, number = functions.sqrt, functions.number

    def log(x: Any) -> Any:
        return logarithm(x, base, functions)

    def union(ratio: Any, factor: Any) -> Any:
        inner = log(ratio) if ratio > 1 else number(0)
        return log(factor * inner) / s if inner > 0 else number(0)

    eta, Gamma = (at.eta * at.Gamma / (at.Gamma + 1), at.Gamma + 1) if version == "repaired" else (at.eta, at.Gamma)
    quarter = sqrt(sqrt(C_abs))
    events = sqrt(sqrt(C_abs * log(4 * T / omega))) / (sqrt(sqrt(number(8))) * sqrt(s))
    if version == "printed":
        growth = log(160 * sqrt(number(2)) * quarter / (s * sqrt(eta * added_noise)) * sqrt(psi / rho))
    else:
        growth = logarithm(40 * sqrt(number(2)) * at.radius * sqrt(sqrt(rho * at.accuracy)) / (sqrt(eta) * added_noise), "2", functions)
    if version == "repaired":
        first = union(2 * at.radius / (eta * added_noise), 36 * d * Gamma)
        Q = rounds(at, s=s, U=U, omega=omega, rho=rho, version=version, base=base, functions=functions)
        return first, growth, events, log(4 * (Q + 1) * (1 + U / at.decrease) / omega) / s, number(1)
    first = union(4 * quarter / (s * eta * added_noise) * sqrt(psi / rho), 9 * d / (quarter * eta * sqrt(s * rho * psi)))
    return first, growth, events, number(1)
