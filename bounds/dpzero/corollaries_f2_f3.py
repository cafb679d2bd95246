"""Corollaries F.2 and F.3: DPGD-0th under the PL inequality, last iterate; error of order d^3, or r d^2 with low effective rank.

Setting   that of Theorem 1 (F.2) or Theorem 2 (F.3), and ||grad F_S(x)||^2 >= 2 mu (F_S(x) - F_S^*) for every x.
Method    DPGD-0th, as in Theorems 1 and 2.
Measure   E F_S(x_T) - F_S^*.
Source    DPZero, Corollaries F.2, F.3; proofs in Appendix F, whose first lines drop the gradient sign in ||grad F_S(x_t)||^2.

The two differ in what `Corollary` holds: its D is d in F.2 and r + 2 in F.3, its rank d and r.
"""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.dpzero import pl, theorem1, theorem2
from bounds.dpzero.common import ASSUMPTION_F_1, PAPER, PL_IS_VACUOUS, UNDER_PL, below_trivial_gap, proved, scheduled
from bounds.dpzero.pl import D_NOW, PL, Y_ABOVE_ONE, b_step, contraction_factor, first_term, of_lam_sq, recursion_facts, resolved, x_step
from bounds.dpzero.shared import IN_NORM_OF_H, IS_LIPSCHITZ, noise_term, within
from bounds.lines import Step, line
from bounds.meanings import STEP_ABOVE_LEAST
from bounds.symbols import A, C, L, T, Y, alpha, d, ell, epsilon, gap, kappa, lam, mu, n, r, sigma, symbols
from bounds.theorem import AtIntegerT, Theorem

F_now, F_next, F_first, F_star, D_now, D_next, D_first, D_last = symbols("F_now F_next F_first F_star D_now D_next D_first D_last")
(grad_sq,) = symbols("grad_sq")


@dataclass(frozen=True, eq=False)
class Corollary:
    """What one of the two corollaries has for itself.

    of         the page of the theorem whose bound on F_S(x_{t+1}) it uses;   called   that bound
    D          alpha is at most 1 / (4 ell D), which is `limit` in words, and `above_one` are terms that add up to D - 1
    halved     why half of the gradient term of that bound is left then, and `left` the terms of what is left
    rank       what sigma^2 is multiplied by;   volume   the rate in d and r
    """

    number: str
    title: str
    of: ModuleType
    called: str
    limit: str
    halved: str
    left: tuple[Any, ...]
    D: Any
    above_one: tuple[Any, ...]
    rank: Any
    volume: Any
    largest_lam: Any
    facts: tuple[Step, ...] = ()

    @property
    def name(self) -> str:
        """The corollary's key without the paper's."""
        return f"corollary_{self.number.replace('.', '').lower()}"

    @property
    def rate(self) -> Any:
        """What the bound is in proportion to."""
        return self.volume * A / (mu * n**2 * epsilon**2)

    @property
    def noise(self) -> Any:
        """The noise term, for any schedule."""
        return 32 * ell * C**2 * alpha * T * self.rank * A / (mu * n**2 * epsilon**2)

    @property
    def before(self) -> Any:
        """The bound after T steps, for any schedule with alpha <= 1 / (4 ell D) and C >= L d."""
        return sp.exp(-mu * alpha * T / 2) * gap + lam_term + self.noise

    @property
    def log_argument(self) -> Any:
        """The printed Y."""
        return n**2 * epsilon**2 / (kappa * self.volume * A)

    @property
    def bound(self) -> Any:
        """The bound at the printed schedule."""
        return (ell * gap + 64 * L**2 * kappa * sp.log(Y) + 2 * L**2) * self.rate

    @cached_property
    def THEOREM(self) -> Theorem:
        """The statement."""
        largest_alpha, best_T = 1 / (4 * ell * self.D), 8 * kappa * self.D * sp.log(Y)
        return scheduled(
            self.name,
            f"Corollary {self.number} (DPGD-0th under PL, {'low effective rank, ' if self.facts else ''}last iterate)",
            f"Corollary {self.number}",
            method="dpgd_0th",
            assumptions=(*self.of.THEOREM.assumptions, ASSUMPTION_F_1),
            definitions={"kappa": ell / mu, "Y": self.log_argument},
            schedule={"alpha": largest_alpha, "T": best_T, "C": L * d, "lam": self.largest_lam},
            bound=self.bound,
            any_schedule=self.before,
            asks=(sp.Ge(C, L * d), mu <= ell),
            at_integer_T=AtIntegerT(self.before, trivial=L**2 / (2 * mu), rounding="floor"),
            conditions=(*UNDER_PL, below_trivial_gap(self.bound)),
            notes=(PL_IS_VACUOUS,),
            measured=D_last,
            in_letters=(*self.of.THEOREM.in_letters, sp.Ge(grad_sq, 2 * mu * D_now)),
        )

    def proof(self) -> Derivation:
        """Write the proof out."""
        noise, rate = self.noise, self.rate
        facts = (
            IS_LIPSCHITZ,
            line("threshold", C, ">=", L * d).says("C >= L d").assumed(),
            *self.facts,
            *within(1 / (4 * ell * self.D), self.largest_lam),
            PL,
            line("one_step", F_next, "<=", self.of.one_step).says(self.called).shown(self.of.THEOREM.key, "one_step"),
            D_NOW,
            line("D_next", D_next, "=", F_next - F_star).says("the same after step t").defined(signs=("next_above_least",)),
            line("D_first", D_first, "=", F_first - F_star).says("the same at the start").defined(signs=("first_above_least",)),
            *recursion_facts(added(self.rank), D_last),
            *STEP_ABOVE_LEAST,
            *pl.START,
        )
        steps = (
            # D_{t+1} <= (1 - x) D_t + b
            line("decrease", F_next, "<=", F_now - alpha / 4 * grad_sq + added(self.rank))
            .says(f"{self.called} for alpha <= {self.limit}: F_next in F_now and the squared norm of the gradient", self.halved)
            .by("one_step", *self.left),
            line("recursion", D_next, "<=", (1 - x_step) * D_now + b_step)
            .says("the PL inequality turns the gradient into a contraction: D_next in D_now", "||grad F_S||^2 >= 2 mu (F_S - F_S^*)")
            .by("decrease", (alpha / 4, "pl"), modulo=((1, "D_now"), (-1, "D_next"), (-D_now, "x_step"), (1, "b_step"))),
            contraction_factor(self.D, self.above_one),
            *resolved(D_last, lam_term + ell * alpha * self.rank * sigma**2 / mu),
            # the bound before the schedule is chosen
            line("start", D_first, "<=", gap).says("D_0 is gap").because("the start").by(modulo=((1, "gap"), (-1, "D_first"))),
            noise_term(ell * alpha * self.rank * sigma**2 / mu, noise),
            line("any_schedule", D_last, "<=", self.before)
            .says("the expected loss at the end above the smallest one, for any schedule", "x = mu alpha / 2")
            .by("summed", (sp.exp(-x_step * T), "start"), at=("x_step",), modulo=((-1, "geometric_sum"), (-1, "noise_term"))),
            # the printed bound
            *first_term(rate, self.D),
            line("noise_at_schedule", noise, "=", 64 * L**2 * kappa * sp.log(Y) * rate)
            .says("the noise term with the printed alpha, T and C", "insert them")
            .identity(
                (noise / (alpha * T), "alpha_T"),
                (2 / mu * sp.log(Y) * noise / (alpha * T * C**2) * (C + L * d), "C"),
                (-64 * L**2 * sp.log(Y) * rate, "kappa"),
            ),
            line("bound", D_last, "<=", self.bound)
            .says(
                "the sum: the expected loss at the end above the smallest one at the printed schedule, for every lam up to the printed one"
            )
            .because("the paper writes an equality, true when lam is at its largest")
            .by("any_schedule", "first_term", (of_lam_sq, "smoothing_radius", self.largest_lam + lam), modulo=((-1, "noise_at_schedule"),)),
        )
        return proved(self.THEOREM, self.title, f"{PAPER}, Appendix F", facts, steps, signs={"T": (Y_ABOVE_ONE.name,)})


lam_term = ell**2 * lam**2 * d**3 / (2 * mu)


def added(rank: Any) -> Any:
    """Return what one step adds to the gap."""
    return alpha / 4 * ell**2 * lam**2 * d**3 + ell / 2 * alpha**2 * rank * sigma**2


F2 = Corollary(
    number="F.2",
    title="DPGD-0th under the PL inequality",
    of=theorem1,
    called="(12) of Theorem 1",
    limit="1/(4 ell d)",
    halved="(1 + 2 ell alpha)/8 <= 1/4",
    left=(
        (alpha * ell**2 * lam**2 * d**2 / 8, "d >= 1"),
        alpha * ell**2 * lam**2 * d**2 / 16,
        (alpha * ell * d * grad_sq + alpha * ell**3 * lam**2 * d**3 / 4, "step_size"),
    ),
    D=d,
    above_one=("d >= 1",),
    rank=d,
    volume=d**3,
    largest_lam=2 * L / ell * sp.sqrt(A) / (n * epsilon),
)
F3 = Corollary(
    number="F.3",
    title="DPGD-0th under the PL inequality and low effective rank",
    of=theorem2,
    called="(15) of Theorem 2",
    limit="1/(4 ell (r + 2))",
    halved="(d + 2 r ell alpha)/8 <= d/4",
    left=(
        (alpha * ell**2 * lam**2 * d**2 / 8, "d >= 1"),
        alpha * ell**2 * lam**2 * d**2 / 8 * (r + 4) / (2 * (r + 2)),
        (alpha * ell * (r + 2) * grad_sq + alpha * ell**3 * lam**2 * d**2 * r / 4, "step_size"),
    ),
    D=r + 2,
    above_one=(r + 1,),
    rank=r,
    volume=r * d**2,
    largest_lam=2 * L / (ell * sp.sqrt(d)) * sp.sqrt(r * A) / (n * epsilon),
    facts=IN_NORM_OF_H,
)
THEOREM_F2, THEOREM_F3, proof_f2, proof_f3 = F2.THEOREM, F3.THEOREM, F2.proof, F3.proof
