"""Formulas of Gauss-PSGD's parameter blocks (5) and (6), for floats, mpmath numbers or SymPy symbols.

Setting   loss L-Lipschitz, ell-smooth and rho-Hessian-Lipschitz (the paper's G, M and rho), gradient error of size psi.
Method    (5): accuracy -> eta, chi, Gamma, radius, decrease;  (6): the lower bounds on the logarithmic factor;  Q, T.
Measure   the accuracy of the second-order stationary point: ||grad F|| <= accuracy, Hessian >= -sqrt(rho accuracy).
Source    Gauss-PSGD, (5), (6), (76), (79), Lemma 6; the repaired block is ours.

Three versions. "printed" is the paper's. "corrected" is the paper's (5) with the second entry of (6) that equation (52) should
give. "repaired" is a block for which every step of the proof of Theorem 1 that we found wrong goes through: one more factor iota in
eta (Lemma 20), in Gamma and in the decrease (Lemma 4), a union over all rounds of all escapes, and room for rounding.

A run has whole Gamma and Q: `round_block` rounds, and no constant of the repaired proof is lost, as eta Gamma sqrt(rho accuracy) stays
mu, and the repaired entries and T are those of Gamma + 1 and Q + 1, which are no less than the whole numbers.

A formula is a function of `v`, which has the letters as attributes under the glossary's names, and of `f`, the functions for their kind.
`bounds.gauss_psgd.paper` inserts SymPy's letters: statements and proofs have these formulas, and no others.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import mpmath as mp

from bounds.validate import convert_fields, one_of, positive

VERSIONS = ("printed", "corrected", "repaired")
BASES = ("e", "2")  # the paper writes log; its Lemma 2 and (53) hold for base 2 only


@dataclass(frozen=True)
class Functions:
    """The functions that the formulas need, for one kind of number."""

    sqrt: Callable[..., Any]
    log: Callable[..., Any]
    number: Callable[[int], Any]  # so that 26 / 5 has all the digits
    larger: Callable[..., Any] = max

    def power(self, base: Any, top: int, bottom: int) -> Any:
        """Return base^(top/bottom), an exact rational power."""
        return base ** (self.number(top) / bottom)


FLOATS = Functions(math.sqrt, math.log, float)
DIGITS = Functions(mp.sqrt, mp.log, mp.mpf)
# the proof asks for s >= (80 c)^2 with c >= 2 sqrt(2) in (31); with the factor 2 of the per-sample Lipschitz bound and the C of Lemma 12
# it is (160 c C)^2
LEAST_S = 51_200.0
LEAST_S_41 = 226.28  # (41) asks for s >= 80 c, 160 sqrt(2) = 226.274..., rounded up

# ------------------------------------------------------------------ formulas of v and f

Formula = Callable[[Any, Functions], Any]
PRINTED: dict[str, Formula] = {  # (5), in its order
    "iota": lambda v, f: v.s * v.log_factor,
    "chi": lambda v, f: 4 * f.sqrt(v.C_abs) * v.s * v.log_factor**2 * v.psi,
    "accuracy": lambda v, f: 4 * v.chi,
    "Gamma": lambda v, f: v.iota / (v.s * v.eta * f.sqrt(v.rho * v.accuracy)),
    "radius": lambda v, f: f.sqrt(v.accuracy / v.rho) / (v.iota * f.sqrt(v.iota)),
    "decrease": lambda v, f: v.s * v.accuracy * f.sqrt(v.accuracy / v.rho) / (8 * v.iota**3),
    "eta": lambda v, f: f.sqrt(v.rho * v.accuracy) / (v.ell**2 * v.iota**2),
}
REPAIRED: dict[str, Formula] = PRINTED | {
    "chi": lambda v, f: f.larger(PRINTED["chi"](v, f), f.sqrt(v.c_abs * v.s**3 * v.log_factor**5) * v.psi),
    "decrease": lambda v, f: PRINTED["decrease"](v, f) / v.iota,
    "eta": lambda v, f: PRINTED["eta"](v, f) / v.iota,
}
FORMULAS = {"printed": PRINTED, "corrected": PRINTED, "repaired": REPAIRED}


def logarithm(x: Any, base: str, f: Functions = FLOATS) -> Any:
    """Return the logarithm of x to base "e" or "2"."""
    return f.log(x) / f.log(f.number(2)) if base == "2" else f.log(x)


def increment_counts(v: Any) -> SimpleNamespace:
    """Return the values `v` with Gamma + 1, Q + 1 and eta Gamma/(Gamma + 1): upper bounds for the integers Gamma and Q of a run."""
    return SimpleNamespace(**{**vars(v), "eta": v.eta * v.Gamma / (v.Gamma + 1), "Gamma": v.Gamma + 1, "Q": v.Q + 1})


def phase_count(v: Any) -> Any:
    """Return N = 1 + U / decrease, the largest number of escape phases, of which the last fails."""
    return 1 + v.U / v.decrease


def escape_argument(v: Any, f: Functions) -> Any:
    """Return 16 iota^3 (U/(s omega)) sqrt(rho/chi^3), the argument of the logarithm in the Q of Lemma 6."""
    return 16 * v.iota**3 * v.U / (v.s * v.omega) * f.sqrt(v.rho / v.chi**3)


def rounds_formula(v: Any, f: Functions, version: str = "printed", base: str = "e") -> Any:
    """Return Q, the rounds of an escape phase: that of Lemma 6, or repaired log(2 N / omega) / log(8/7), which counts all escapes."""
    if version == "repaired":
        return f.log(2 * phase_count(v) / v.omega) / f.log(f.number(8) / 7)
    return f.number(26) / 5 * logarithm(escape_argument(v, f), base, f)


def single_round_steps(v: Any) -> Any:
    """Return (76), the number of steps if every escape phase needed a single round."""
    return v.U * v.s**2 * v.log_factor**4 / (2 * v.chi**2 * v.eta)


def steps_formula(v: Any, version: str = "printed") -> Any:
    """Return T: the steps of (79), or repaired the largest number of gradient estimates of all phases."""
    if version == "repaired":
        return ((v.Q + 1) * (v.Gamma + 1) + 1) * phase_count(v)
    return v.Q * single_round_steps(v)


def escape_distance(v: Any, f: Functions, version: str = "printed") -> Any:
    """Return the inner argument of the first entry of (6): the distance of an escape divided by the noise of a step, without mu."""
    if version == "repaired":
        return 2 * v.radius / (v.eta * v.added_noise)
    return 4 * f.sqrt(f.sqrt(v.C_abs)) / (v.s * v.eta * v.added_noise) * f.sqrt(v.psi / v.rho)


def union_entry(v: Any, f: Functions, version: str = "printed", base: str = "e") -> Any:
    """Return the first entry of (6), the lower bound on mu that makes the failure probability of Lemma 20 small."""
    if version == "repaired":
        factor = 36 * v.d * v.Gamma
    else:
        factor = 9 * v.d / (f.sqrt(f.sqrt(v.C_abs)) * v.eta * f.sqrt(v.s * v.rho * v.psi))
    return logarithm(factor * logarithm(escape_distance(v, f, version), base, f), base, f) / v.s


def needed_growth(v: Any, f: Functions) -> Any:
    """Return the growth of the unstable direction that an escape by the radius needs: (52) with its identity corrected."""
    return 40 * f.sqrt(f.number(2)) * v.radius * f.sqrt(f.sqrt(v.rho * v.accuracy)) / (f.sqrt(v.eta) * v.added_noise)


def growth_entry(v: Any, f: Functions, version: str = "printed", base: str = "e") -> Any:
    """Return the second entry of (6), the lower bound on mu that makes the unstable direction outgrow the radius."""
    if version == "printed":
        reach = 160 * f.sqrt(f.number(2)) * f.sqrt(f.sqrt(v.C_abs)) / (v.s * f.sqrt(v.eta * v.added_noise)) * f.sqrt(v.psi / v.rho)
        return logarithm(reach, base, f)
    return logarithm(needed_growth(v, f), "2", f)


def event_entry(v: Any, f: Functions, base: str = "e") -> Any:
    """Return the third entry of (6), the lower bound on mu from which Lemma 5 follows."""
    return f.sqrt(f.sqrt(v.C_abs * logarithm(4 * v.T / v.omega, base, f))) / (f.sqrt(f.sqrt(f.number(8))) * f.sqrt(v.s))


def escape_entry(v: Any, f: Functions, base: str = "e") -> Any:
    """Return the lower bound on mu of the repaired block only: Lemma 4 fails in no round of any escape phase.

    Every round is counted, because which of them succeeds depends on its noise. The number of steps that it takes does too, but
    needs no union: the squared errors of fewer steps sum to no more than those of Gamma.
    """
    return logarithm(v.Q * phase_count(v) * 4 / v.omega, base, f) / v.s


# ------------------------------------------------------------------ the block of a problem


def least_s(version: str, C_abs: Any) -> Any:
    """Return the least s for which the induction of Lemma 20 holds; (31) needs c = 2 sqrt(2)."""
    return max(LEAST_S_41, 4 * LEAST_S * C_abs**2) if version == "repaired" else LEAST_S


@dataclass(frozen=True)
class Constants:
    """The constants that the paper leaves open, and the version and the base of logarithms that are used.

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
        convert_fields(self)
        one_of(VERSIONS, version=self.version)
        one_of(BASES, base=self.base)
        positive(C_abs=self.C_abs, sampling=self.sampling, noise=self.noise)
        for name in ("s", "c_abs", "c_1", "c_2"):
            if getattr(self, name) is not None:
                positive(**{name: getattr(self, name)})

    @property
    def s_used(self) -> float:
        """The s of (5) in use: the field `s`, or if that is None the least that the proof allows."""
        return float(least_s(self.version, self.C_abs)) if self.s is None else self.s

    @property
    def c_used(self) -> float:
        """The c of Corollary 2 in use: the field `c_abs`, or if that is None 16 C_abs."""
        return 16 * self.C_abs if self.c_abs is None else self.c_abs


PLAIN = Constants()  # the paper as printed


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


@dataclass(frozen=True)
class BlockInputs:
    """The inputs of (5) and (6) besides mu: noise, problem, and the constants that the paper leaves open; (6) needs no ell."""

    psi: Any
    added_noise: Any
    d: Any
    rho: Any
    U: Any
    omega: Any
    s: Any
    C_abs: Any
    version: str = "printed"
    base: str = "e"
    functions: Functions = FLOATS
    ell: Any = None


def accuracy_over_psi(*, s: Any, log_factor: Any, C_abs: Any, c_abs: Any, version: str, functions: Functions = FLOATS) -> Any:
    """Return accuracy / psi: 16 sqrt(C) s mu^2 in (5); repaired, 4 max(4 sqrt(C) s mu^2, sqrt(c) s^(3/2) mu^(5/2))."""
    return 4 * FORMULAS[version]["chi"](SimpleNamespace(s=s, log_factor=log_factor, C_abs=C_abs, c_abs=c_abs, psi=1), functions)


def block(*, accuracy: Any, s: Any, log_factor: Any, ell: Any, rho: Any, version: str = "printed", functions: Functions = FLOATS) -> Block:
    """Return the parameter block (5) for an accuracy and log_factor (the paper's alpha and mu); `repaired` adds factors of iota."""
    v = SimpleNamespace(accuracy=accuracy, chi=accuracy / 4, s=s, log_factor=log_factor, ell=ell, rho=rho)
    for name in ("iota", "eta", "Gamma", "radius", "decrease"):
        setattr(v, name, FORMULAS[version][name](v, functions))
    return Block(v.accuracy, v.iota, v.chi, v.Gamma, v.radius, v.decrease, v.eta)


def round_block(at: Block) -> Block:
    """Return the block with Gamma rounded up, and eta reduced by the same factor, as every step of the repaired proof allows.

    With the eta of the real Gamma, (42) and Lemma 4, which hold with equality at the least s and chi, would fail by up to 1 + 1/Gamma.
    A Gamma that is an integer but for rounding may be rounded up once more: eta goes with it, so nothing is lost.
    """
    Gamma = math.ceil(at.Gamma)
    return replace(at, Gamma=Gamma, eta=at.eta * at.Gamma / Gamma)


def round_step_counts(
    at: Block, *, s: Any, U: Any, omega: Any, rho: Any, log_factor: Any, version: str, base: str, functions: Functions = FLOATS
) -> tuple[Any, Any]:
    """Return real numbers (Q, T): rounds of an escape phase, and most steps (repaired: gradient estimates); printed at least 1.

    Lemma 6's formula for Q is below 1, even negative, where U is less than what one escape is said to gain; one round is the least.
    (79) leaves the last, failed phase out and takes its decrease per step from (71). Repaired, N = 1 + U / decrease phases ask for one
    estimate in step 4, which moves nothing, and for those of Q rounds, both numbers rounded up: N ((Q + 1) (Gamma + 1) + 1) at most.
    Normal steps are paid for by the phases that they spare.
    """
    v, least = SimpleNamespace(**vars(at), s=s, U=U, omega=omega, rho=rho, log_factor=log_factor), functions.number(1)
    v.Q = rounds_formula(v, functions, version, base)
    if version == "repaired":
        return v.Q, steps_formula(v, version)
    v.Q = max(v.Q, least)
    return v.Q, max(steps_formula(v), least)


def mu_lower_bounds(at: Block, given: BlockInputs, T: Any) -> tuple[Any, ...]:
    """Return the lower bounds on mu that its own parameters imply: the four of (6), or the five of the repaired block.

    The repaired ones, of Gamma + 1 and Q + 1, grow with both, so they hold for the whole numbers too.
    An entry whose inner logarithm is not positive imposes no bound and is returned as 0: the drift radius is then within one step of
    noise, and Lemma 12, from which the entry comes, has an empty range of scales.
    """
    f, version, base = given.functions, given.version, given.base
    v, last = SimpleNamespace(**vars(at), **vars(given), T=T), [f.number(1)]
    if version == "repaired":
        v.Q = rounds_formula(v, f, version, base)
        v = increment_counts(v)
        last = [escape_entry(v, f, base), *last]
    first = union_entry(v, f, version, base) if escape_distance(v, f, version) > 1 else f.number(0)
    return first, growth_entry(v, f, version, base), event_entry(v, f, base), *last
