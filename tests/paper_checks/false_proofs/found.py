"""False steps that a referee got past both checkers: definitions, schedules and lemmas whose words speak of something else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

import bounds
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import GIVENS, Assumed, Identity, NonNegative, Telescoped, line
from bounds.symbols import GLOSSARY, L, T, alpha, d, ell, gap, n, symbols
from bounds.theorem import SCOPE, Condition, Part
from tests.paper_checks.false_proofs.inserted import MEANT, PROOF, THEOREM, lie, theorem_with, with_part

M, grad_sq, smooth_sq, eta, chi, kappa, lam, power = symbols("mean_grad_sq grad_sq smooth_sq eta chi kappa lam power")
Gamma, Gamma_whole, drop_t, D_now, D_all, D_rest = symbols("Gamma Gamma_whole drop_t D_now D_all D_rest")
F_now, F_next, F_first, F_last, F_star = symbols("F_now F_next F_first F_last F_star")
LEMMA_2_2 = bounds.DERIVATIONS["dpzero.lemma_2_2"]
LEMMA_C2 = bounds.DERIVATIONS["dpzero.lemma_c2"]


def asked(rhs, lhs=M):
    return line("asked", lhs, "<=", rhs).says("mean_grad_sq").assumed()


def proves(**changed):
    return {"proves": theorem_with(**changed), "where": GIVENS}


def circle() -> Derivation:
    above = (
        line("a", eta, ">=", chi + M).says("eta").because("it is that").by(0, modulo=((1, "eta"),)),
        line("b", chi, ">=", eta).says("chi").because("it is that").by(0, modulo=((1, "chi"),)),
    )
    facts = (line("eta", eta, "=", chi + M).says("eta").defined(), line("chi", chi, "=", eta).says("chi").defined())
    return lie(M, "<=", L / 1000, NonNegative((("a",), ("b",), (L / 1000,))), *facts, before=above, **proves(bound=L / 1000))


def averaged(*facts, per, bound, in_letters, **more) -> Derivation:
    """A proof that sums a line of a step and inserts that the loss falls no further than to its least value."""
    steps = (line("avg", M, "<=", (F_first - F_last) / T).says("mean_grad_sq").because("the sum").averaging(per),)
    certificate = NonNegative((("avg",), (1 / T, "last_above_least")), at=more.pop("at", ()), modulo=((1 / T, "gap"),))
    before = (*more.pop("before", ()), *steps)
    return lie(
        M,
        "<=",
        bound,
        certificate,
        *facts,
        MEANT["gap"],
        MEANT["last_above_least"],
        before=before,
        **proves(bound=bound, in_letters=in_letters),
    )


def of_a_step(letter) -> Derivation:
    """The average over t of a bound with a letter that changes with t."""
    return lie(
        M,
        "<=",
        L * letter,
        Telescoped("asked"),
        asked(L * letter, grad_sq),
        **proves(bound=L * letter, in_letters=(sp.Le(grad_sq, L * letter),)),
    )


def conditional_drop() -> Derivation:
    drop = line("drop", drop_t, "=", F_now - F_next).says("the decrease").defined()
    per = line("per", grad_sq, "<=", F_now - F_next).says("grad_sq").because("insert").by("asked", modulo=((-1, "drop"),))
    return averaged(asked(drop_t, grad_sq), drop, per="per", before=(per,), bound=gap / T, in_letters=(sp.Le(grad_sq, drop_t),))


def theorem1_with_larger_steps() -> Derivation:
    """The proof of Theorem 1 at a step size 1000 times too large, with the bound that its formula gives there."""
    chain, schedule = PROOF, {**THEOREM.schedule, "alpha": 1000 * THEOREM.schedule["alpha"]}
    at = {alpha: schedule["alpha"], T: schedule["T"], symbols("C")[0]: schedule["C"]}
    first, noise = (sp.expand(chain[name].lhs.xreplace(at)) for name in ("first_term", "noise_at_schedule"))
    bound = first + noise + chain["bound"].rhs - chain["first_term"].rhs - chain["noise_at_schedule"].rhs
    chain = replace(chain, proves=replace(THEOREM, schedule=schedule, bound=bound, parts=()))
    for name, rhs in (("first_term", first), ("noise_at_schedule", noise), ("bound", bound)):
        chain = chain.with_line(replace(chain[name], rhs=rhs))
    return chain


def theorem1_elsewhere(**schedule) -> Derivation:
    """Theorem 1's bound in a theorem that prescribes something else."""
    theorem = replace(THEOREM, key="cheat.theorem", schedule={**THEOREM.schedule, **schedule}, bound=THEOREM.bound + 1, parts=())
    facts = [one for one in PROOF.facts if isinstance(one.certificate, Assumed)]
    lemma = line("lemma", M, "<=", THEOREM.bound).says("mean_grad_sq").shown("dpzero.theorem1", "bound")
    return lie(M, "<=", THEOREM.bound + 1, NonNegative((("lemma",), (1,))), *facts, lemma, proves=theorem, where=GIVENS)


def little_noise() -> Derivation:
    source = LEMMA_2_2["private"]
    facts = [one for one in LEMMA_2_2.facts if isinstance(one.certificate, Assumed)]
    lemma = line("lemma", source.lhs, source.relation, source.rhs).says("delta_spent").shown("dpzero.lemma_2_2", "private")
    said = LEMMA_2_2.proves
    theorem = replace(
        said, key="cheat", claim="upper", measured=source.lhs, bound=source.rhs + 1, parts=(), schedule={"sigma": sp.Rational(1, 10**6)}
    )
    return lie(source.lhs, "<=", source.rhs + 1, NonNegative((("lemma",), (1,))), *facts, lemma, proves=theorem, where=GIVENS)


def half_an_instance() -> Derivation:
    g_sq, grad_f_sq = symbols("g_sq grad_f_sq")
    source = next(one for one in LEMMA_C2.steps if one.is_formula and one.lhs == g_sq and grad_f_sq in one.symbols)
    rhs = source.rhs.xreplace({grad_f_sq: grad_sq})
    lemma = line("lemma", g_sq, source.relation, rhs).says("g_sq").shown("dpzero.lemma_c2", source.name, {grad_f_sq: grad_sq})
    return lie(g_sq, "<=", rhs + 1, NonNegative((("lemma",), (1,))), LEMMA_C2["on_the_sphere"], lemma, where=GIVENS)


def two_parts() -> Derivation:
    chain = with_part(gap, "<=", L, Part("half", "the gap", "<=", L, gap, (sp.Le(gap, L - 1),)))
    return replace(chain, proves=replace(chain.proves, parts=(Part("half", "the gap", "<=", L / 10**6, gap), *chain.proves.parts)))


def assumed_part() -> Derivation:
    theorem = dict(bound=L + 1, in_letters=(sp.Le(M, L), sp.Le(smooth_sq, L / 10**6)), parts=(Part("i", "", "<=", L / 10**6, smooth_sq),))
    said = line("s", smooth_sq, "<=", L / 10**6).says("smooth_sq").assumed()
    return replace(lie(M, "<=", L + 1, NonNegative((("asked",), (1,))), asked(L), said, **proves(**theorem)), shows={"i": "s"})


FOUND: dict[str, Callable[[], Derivation]] = {
    "definitions in a circle": circle,
    "a number that is rounded, defined against its meaning": lambda: lie(
        M, "<=", 1, NonNegative((("Gamma_next",),), modulo=((1, "G"),)), MEANT["Gamma_next"],
        line("G", Gamma_whole, "=", Gamma + M).says("Gamma_whole").defined(), **proves(bound=sp.Integer(1)),
    ),
    "the largest smoothing radius taken for the one that is used": lambda: lie(
        M, "<=", L * d + 1, NonNegative((("asked",), (1,)), at=("lam",)), asked(L / lam),
        **proves(schedule={"lam": 1 / d}, bound=L * d + 1, in_letters=(sp.Le(M, L / lam),)),
    ),
    "an abbreviation of the theorem's bound, said by the page": lambda: lie(
        M, "<=", kappa, NonNegative((("asked",), (1,)), modulo=((1, "kappa"),)), asked(L),
        line("kappa", kappa, "=", L + 1).says("kappa").defined(), **proves(bound=kappa, in_letters=(sp.Le(M, L),)),
    ),
    "a number of steps that the theorem does not name": lambda: averaged(
        asked(F_now - F_next, grad_sq), line("T", T, "=", 10**9 * n).says("T").defined(), per="asked", at=("T",), bound=gap / (10**9 * n),
        in_letters=(sp.Le(grad_sq, F_now - F_next),),
    ),
    "a hypothesis without which the theorem is said to hold": lambda: lie(
        M, "<=", L / 10, NonNegative((("asked",), (sp.Rational(1, 100), "c"), (9 * L / 100,))), asked(gap),
        line("c", L, ">=", 100 * gap).says("L is large").assumed(),
        **proves(bound=L / 10, conditions=(Condition(sp.Ge(L, 100 * gap), "", SCOPE),), in_letters=(sp.Le(M, gap),)),
    ),
    "Theorem 1's bound where T is 1": lambda: theorem1_elsewhere(T=sp.Integer(1)),
    "Theorem 1's bound with 1000 times the noise": lambda: theorem1_elsewhere(sigma=1000 * THEOREM.schedule["sigma"]),
    "privacy with next to no noise": little_noise,
    "half of what a lemma says that it holds for": half_an_instance,
    "the average of a power that changes with the step": lambda: lie(
        M, "<=", L * power, Telescoped("asked"), asked(L * power, grad_sq),
        **proves(bound=L * power, in_letters=(sp.Le(grad_sq, L * power),)),
    ),
    **{
        f"the average of {letter}, which changes with the step": lambda letter=letter: of_a_step(letter)
        for letter in (*(GLOSSARY[name].symbol for name in ("drift", "steps_taken", "t_count")), sp.Symbol("noise_at", positive=True))
    },
}  # fmt: skip

# what the first checker, or the examination, refuses alone
BY_ONE: dict[str, Callable[[], Derivation]] = {
    "a decrease given an event, summed like any other": conditional_drop,
    "a difference of losses given an event": lambda: lie(
        D_all, "=", F_now - F_star + D_rest, Identity(modulo=((1, "total_gap"), (1, "D"))), MEANT["total_gap"], MEANT["now_above_least"],
        line("D", D_now, "=", F_now - F_star).says("D_now").defined(signs=("now_above_least",)), where=GIVENS,
    ),
    "the number before it is rounded, the same": lambda: lie(
        M, "<=", 0, NonNegative((("Gamma_up",),), modulo=((1, "G"),)), MEANT["Gamma_up"],
        line("G", Gamma, "=", Gamma_whole + M).says("Gamma").defined(), where=GIVENS,
    ),
    "a bound for any schedule that no line reaches": lambda: lie(
        M, "<=", L, NonNegative((("asked",), (1,))), asked(L - 1), **proves(bound=L, in_letters=(sp.Le(M, L - 1),), any_schedule=L / 10**9),
    ),
    "two parts of one name": two_parts,
    "a part that is assumed": assumed_part,
    "a schedule against what the theorem assumes": lambda: lie(
        M, "<=", L / 4 + 1, NonNegative((("asked",), (L * ell, "small"), (1,))), asked(L * ell * alpha),
        line("small", alpha, "<=", 1 / (4 * ell)).says("alpha").assumed(),
        **proves(schedule={"alpha": 1 / ell}, valid_if=(sp.Le(alpha, 1 / (4 * ell)),), bound=L / 4 + 1,
                 in_letters=(sp.Le(M, L * ell * alpha),)),
    ),
    "Theorem 1 with a step size that is 1000 times too large": theorem1_with_larger_steps,
}  # fmt: skip
