"""False steps that a certificate might be talked into accepting, by what is inserted or taken; `cheats_made` has those by what is made.

They were found by trying to cheat; each must be refused by both checkers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

import bounds
from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Defined,
    Derivation,
    Identity,
    Inverse,
    Meaning,
    NonNegative,
    Shown,
    Step,
    Substitution,
    fact,
    line,
)
from bounds.dpzero.theorem1 import THEOREM, proof
from bounds.symbols import L, T, alpha, d, ell, gap, lam, n, r, symbols
from bounds.theorem import Part

(a_i,) = symbols("a_i")
(bias_norm,) = symbols("bias_norm")
mean_grad_sq, W, eta, chi, psi, p_t, smooth_sq = symbols("mean_grad_sq W eta chi psi p_t smooth_sq")
k_1, k_2 = sp.symbols("k_1 k_2", positive=True)
half = sp.Rational(1, 2)
claim_1 = bounds.DERIVATIONS["dpzero.integer_t_theorems_1_2"]["large_start_trivial_1"].lhs


def lie(lhs, relation, rhs, certificate, *facts: Step, text: str = "", before: tuple[Step, ...] = (), proves=None, **more) -> Derivation:
    """A derivation whose last step is false, or does not follow."""
    letters = " and ".join(sorted(letter.name for letter in sp.sympify(lhs).free_symbols | sp.sympify(rhs).free_symbols))
    step = line("lie", text or f"about {letters}", lhs, relation, rhs, "it is said so", certificate, **more)
    return Derivation("cheat", "a cheat", "nobody", (*before, step), facts, proves)


def from_theorem1(name: str, **changed) -> Derivation:
    """The proof of Theorem 1 with one line changed."""
    chain = proof()
    return chain.with_line(replace(chain[name], **changed))


def without(name: str) -> Derivation:
    """The proof of Theorem 1 with one line missing."""
    chain = proof()
    return replace(
        chain,
        facts=tuple(one for one in chain.facts if one.name != name),
        steps=tuple(one for one in chain.steps if one.name != name),
    )


AT_LEAST = fact("at_least", "n is at least d", n, ">=", d, Assumed())
SAME = fact("same", "n times k_1 is n times k_2, n - d both times", (n - d) * k_1, "=", (n - d) * k_2, Assumed())
D_IS_0 = fact("d_is_0", "d is 0", d, "=", 0, Assumed())


def theorem_with(**changed):
    """Theorem 1 with nothing but what is given."""
    bare = dict(key="cheat.theorem", definitions={}, schedule={}, parts=(), conditions=(), valid_if=(), any_schedule=None)
    return replace(THEOREM, **{**bare, **changed})


SMALL_WHERE_N_IS_D = theorem_with(valid_if=(sp.Ge(n, d),), bound=L, in_letters=(sp.Le(mean_grad_sq, L + n - d),))
ASKED = fact("asked", "mean_grad_sq", mean_grad_sq, "<=", L + n - d, Assumed())

ON_THE_SPHERE = bounds.DERIVATIONS["dpzero.lemma_c2"]["on_the_sphere"]
ANY_SCHEDULE = THEOREM.any_schedule.xreplace({n: 1000 * n, T: 100 * T})
ASKED_THERE = tuple(  # every fact that the line rests on, at the other n and T, as if the reader's theorem assumed it
    replace(one, lhs=one.lhs.xreplace({n: 1000 * n, T: 100 * T}), rhs=one.rhs.xreplace({n: 1000 * n, T: 100 * T}))
    for one in (proof()[name] for name in ("step_size", "gap", "last_above_least", "on_the_sphere", "estimate", "lipschitz", "threshold"))
)
omega, p_none, Q = (bounds.DERIVATIONS["gauss_psgd.lemma2"][name].lhs for name in ("omega_0 < 1", "all_fail", "Q"))


def with_part(lhs, relation, rhs, part: Part) -> Derivation:
    """A proof of a theorem whose part is shown in one case only: the gap is at most L - 1."""
    theorem = theorem_with(bound=L, in_letters=(sp.Le(mean_grad_sq, L - 1),), parts=(part,))
    shown = line("shown", "the gap and L", lhs, relation, rhs, "the case", NonNegative((("case",), (1,))), where=GIVENS)
    facts = (
        fact("case", "the gap is small", gap, "<=", L - 1, Case()),
        fact("asked", "mean_grad_sq", mean_grad_sq, "<=", L - 1, Assumed()),
    )
    chain = lie(mean_grad_sq, "<=", L, NonNegative((("asked",), (1,))), *facts, before=(shown,), proves=theorem, where=GIVENS)
    return replace(chain, shows={"half": "shown"})


def defined_part() -> Derivation:
    """A proof of a theorem whose part is about a quantity that the page defines as 0."""
    facts = (fact("asked", "mean_grad_sq", mean_grad_sq, "<=", L - 1, Assumed()), fact("zero", "smooth_sq", smooth_sq, "=", 0, Defined()))
    shown = line("shown", "smooth_sq", smooth_sq, "<=", L, "insert", NonNegative(((L,),), at=("zero",)))
    theorem = theorem_with(bound=L, in_letters=(sp.Le(mean_grad_sq, L - 1),), parts=(Part("half", "the gradient", "<=", L, smooth_sq),))
    chain = lie(mean_grad_sq, "<=", L, NonNegative((("asked",), (1,))), *facts, before=(shown,), proves=theorem, where=GIVENS)
    return replace(chain, shows={"half": "shown"})


TAKEN: dict[str, Callable[[], Derivation]] = {
    # what is inserted
    "T = n, by a name that nobody gave": lambda: lie(T, "=", n, Substitution(("T_is_n",))),
    "T = n, by a definition of the page, against the schedule": lambda: lie(
        T, "=", n, Substitution(("T_is_n",)), fact("T_is_n", "T is n", T, "=", n, Defined()), proves=THEOREM
    ),
    "n >= d at d = 0, defined": lambda: lie(
        n, ">=", d, NonNegative(((n,),), at=("d_is_0",)), fact("d_is_0", "d is 0", d, "=", 0, Defined())
    ),
    "n >= d at d = 0, assumed": lambda: lie(n, ">=", d, NonNegative(((n,),), at=("d_is_0",)), D_IS_0),
    "n >= d at d = 0, by meaning": lambda: lie(
        n, ">=", d, NonNegative(((n,),), at=("d_is_0",)), fact("d_is_0", "d is 0", d, "=", 0, Meaning())
    ),
    "n >= d with psi = n - d, whose sign is not known": lambda: lie(
        n, ">=", d, NonNegative(((psi,),), at=("psi",)), fact("psi", "psi is n - d", psi, "=", n - d, Assumed()), ranges={n: (d, d)}
    ),
    "the same with a letter of the schedule": lambda: lie(
        n, ">=", d, NonNegative(((chi,),), at=("chi",)), fact("chi", "chi is n - d", chi, "=", n - d, Defined())
    ),
    "a letter defined as a negative number": lambda: lie(
        0, ">=", 1, NonNegative(((eta,),), at=("eta",)), fact("eta", "eta is -1", eta, "=", -1, Defined())
    ),
    "a non-negative letter that is a real one": lambda: lie(
        a_i, ">=", 0, NonNegative(((W,),), at=("W",)), fact("W", "W is a_i", W, "=", a_i, Defined())
    ),
    "a letter defined by itself": lambda: lie(
        eta, "=", eta + 1, Substitution(("eta",)), fact("eta", "eta is eta + 1", eta, "=", eta + 1, Defined())
    ),
    "a letter defined twice": lambda: lie(
        n, "=", d, Identity(modulo=((1, "one"), (-1, "two"))),
        fact("one", "eta", eta, "=", n, Defined()), fact("two", "eta", eta, "=", d, Defined()),
    ),
    "two values inserted for one letter": lambda: lie(
        n, "=", d, Substitution(("one", "two")), fact("one", "eta", eta, "=", n, Assumed()), fact("two", "eta", eta, "=", d, Assumed())
    ),
    "insertions in a circle": lambda: lie(
        eta, "=", 4 * eta, Substitution(("one", "two")),
        fact("one", "eta", eta, "=", 2 * chi, Defined()), fact("two", "chi", chi, "=", 2 * eta, Defined()),
    ),
    "an inequality inserted": lambda: lie(n, "=", d, Substitution(("at_least",)), AT_LEAST),
    "an equality inserted that says nothing of one letter": lambda: lie(k_1, "=", k_2, Substitution(("same",)), SAME),
    "a logarithm of a negative number inserted": lambda: lie(
        a_i, "<=", 0, NonNegative(((1,),), at=("a",)), fact("a", "a_i", a_i, "=", sp.log(-n), Defined())
    ),
    "a step inserted that comes later": lambda: Derivation(
        "cheat", "a cheat", "nobody",
        (line("lie", "about eta and n", eta, "=", n, "later", Substitution(("later",))),
         line("later", "about eta", eta, "=", n, "now", Substitution(("lie",)))),
    ),
    "a letter of the wrong sign, modulo what defines it": lambda: lie(
        n, ">=", d, NonNegative(((eta,),), modulo=((-1, "eta"),)), fact("eta", "eta is n - d", eta, "=", n - d, Defined())
    ),
    "a sign from a line that says less": lambda: lie(
        n, ">=", 2 * d, NonNegative(((W,),), at=("W",)),
        AT_LEAST, fact("W", "W is n - 2 d", W, "=", n - 2 * d, Defined(signs=("at_least",))), where=GIVENS,
    ),
    "a positive letter from a line that is not strict": lambda: lie(
        n, ">", d, NonNegative(((eta,),), at=("eta",)),
        AT_LEAST, fact("eta", "eta is n - d", eta, "=", n - d, Defined(signs=("at_least",))), where=GIVENS,
    ),
    "a sign from an equality": lambda: lie(
        n, ">=", d, NonNegative(((W,),), at=("W",)),
        fact("equal", "n and d", n, "=", d, Assumed()), fact("W", "W is n - d", W, "=", n - d, Defined(signs=("equal",))), where=GIVENS,
    ),
    "a sign from a line that is not there": lambda: lie(
        n, ">=", d, NonNegative(((W,),), at=("W",)), fact("W", "W is n - d", W, "=", n - d, Defined(signs=("missing",)))
    ),
    "a sign from the line that it gives": lambda: lie(
        n, ">=", d, NonNegative(((W,),), at=("W",)),
        fact("W", "W is n - d", W, "=", n - d, Defined(signs=("lie",))), where=GIVENS,
    ),
    "a limit of a letter that the page defines": lambda: lie(
        half, ">=", 1, NonNegative((("T >= 1",), (1,)), at=("T",)), fact("T", "T is 1/2", T, "=", half, Defined()), where=GIVENS
    ),
    "a limit of such a letter, by meaning": lambda: lie(
        n / 2, ">=", n, NonNegative(((n, "limit"),), at=("T",)),
        fact("T", "T is 1/2", T, "=", half, Defined()), fact("limit", "T, the number of steps", T, ">=", 1, Meaning()), where=GIVENS,
    ),
    # what is taken
    "an assumption that the theorem does not make": lambda: lie(
        n, ">=", r, NonNegative((("at_least",), ("r <= d",))), AT_LEAST, proves=THEOREM, where=GIVENS
    ),
    "an assumption's words with another formula": lambda: lie(
        n, ">=", r, NonNegative((("lipschitz",), ("r <= d",))),
        fact("lipschitz", THEOREM.assumptions[0], n, ">=", d, Assumed()), proves=THEOREM, where=GIVENS,
    ),
    "what the theorem asks for, turned round": lambda: lie(
        alpha, ">=", 1 / (8 * ell * d), NonNegative((("step_size",), (1 / (8 * ell * d),))),
        fact("step_size", "alpha is large", alpha, ">=", 1 / (4 * ell * d), Assumed()), proves=THEOREM, where=GIVENS,
    ),
    "a meaning that no letter has": lambda: lie(
        n, ">=", r, NonNegative((("m",), ("r <= d",))), fact("m", "n is at least d", n, ">=", d, Meaning()), where=GIVENS
    ),
    "a probability of at most a half, by meaning": lambda: lie(
        p_t + half, "<=", n, NonNegative((("m",), ("n >= 1",))), fact("m", "p_t", p_t, "<=", half, Meaning()), where=GIVENS
    ),
    "a step that is taken and not made": lambda: lie(n, ">=", d, Assumed()),
    "a step that is a meaning": lambda: lie(n, ">=", d, Meaning()),
    "a step that is a definition": lambda: lie(eta, "=", n, Defined()),
    "a fact that is made": lambda: lie(
        n, ">=", r, NonNegative((("made",), ("r <= d",))), fact("made", "n", n, ">=", d, NonNegative(((n,),))), where=GIVENS
    ),
    "the conclusion as an assumption": lambda: lie(n, ">=", d, NonNegative((("at_least",),)), AT_LEAST, where=("at_least",)),
    "the conclusion as an assumption, doubled": lambda: lie(
        n, ">=", d, NonNegative(((half, "double"),)), fact("double", "n", 2 * n, ">=", 2 * d, Assumed()), where=GIVENS
    ),
    "the conclusion as an assumption, times letters": lambda: lie(
        n, ">=", d, NonNegative(((1 / (L * (1 + ell)), "scaled"),)),
        fact("scaled", "n", L * (1 + ell) * n, ">=", L * (1 + ell) * d, Assumed()), where=GIVENS,
    ),
    "the conclusion as an assumption, and 0": lambda: lie(n, ">=", d, NonNegative((("at_least",), (0,))), AT_LEAST, where=GIVENS),
    "the conclusion as an assumption, half of it twice": lambda: lie(
        n, ">=", d, NonNegative(((half, "at_least"), (half, "at_least"))), AT_LEAST, where=GIVENS
    ),
    "the conclusion as a case": lambda: lie(
        n, ">=", d, NonNegative((("case",),)), fact("case", "n is at least d", n, ">=", d, Case()), where=GIVENS
    ),
    "the conclusion as a limit of the glossary": lambda: lie(r, "<=", d, NonNegative((("r <= d",),)), where=GIVENS),
    "a theorem that rests on a case": lambda: lie(
        mean_grad_sq, "<=", THEOREM.bound, NonNegative((("case",), (1,))),
        fact("case", "the norm of the gradient is small", mean_grad_sq, "<=", THEOREM.bound - 1, Case()), proves=THEOREM, where=GIVENS,
    ),
    "a lemma that does not exist": lambda: lie(
        n, ">=", r, NonNegative((("lemma",), ("r <= d",))),
        fact("lemma", "n", n, ">=", d, Shown("dpzero.lemma_c2", "no_such_line")), where=GIVENS,
    ),
    "a lemma that says something else": lambda: lie(
        n, ">=", r, NonNegative((("lemma",), ("r <= d",))), fact("lemma", "n", n, ">=", d, Shown("dpzero.lemma_c2", "bias")), where=GIVENS
    ),
    "a lemma with a hypothesis that is not met": lambda: lie(
        mean_grad_sq + 1, "<=", 2 + THEOREM.any_schedule, NonNegative((("lemma",), (1,))),
        fact("lemma", "mean", mean_grad_sq, "<=", THEOREM.any_schedule, Shown("dpzero.theorem1", "any_schedule")), where=GIVENS,
    ),
    "a lemma at a value of the wrong sign": lambda: lie(
        a_i, "<=", a_i + 1, NonNegative((("lemma",), (1,))),
        fact("lemma", "quarter", (1 + 2 * ell * a_i) / 2, "<=", sp.Rational(3, 4),
             Shown("dpzero.theorem1", "quarter", {alpha: a_i})), where=GIVENS,
    ),
    "a lemma about another quantity": lambda: lie(
        gap, "<=", 1 + d ** (3 * half) * ell * lam / 2, NonNegative((("lemma",), (1,))),
        fact("lemma", "gap", gap, "<=", d ** (3 * half) * ell * lam / 2, Shown("dpzero.lemma_c2", "bias", {bias_norm: gap})), where=GIVENS,
    ),
    "a lemma that needs a limit of a letter that the page defines": lambda: lie(
        claim_1, ">", L**2 - 1, NonNegative((("lemma",), (1,))),
        fact("T", "T is 1/2", T, "=", half, Defined()),
        fact("lemma", "T_star", claim_1, ">", L**2, Shown("dpzero.integer_t_theorems_1_2", "large_start_trivial_1")), where=GIVENS,
    ),
    "a lemma that rests on words, at another smoothing radius": lambda: lie(
        bias_norm, "<=", 1 + d ** (3 * half) * ell * lam / 2000, NonNegative((("lemma",), (1,))), ON_THE_SPHERE,
        fact("lemma", "the bias", bias_norm, "<=", d ** (3 * half) * ell * lam / 2000,
             Shown("dpzero.lemma_c2", "bias", {lam: lam / 1000})), where=GIVENS,
    ),
    "a lemma that rests on a sum over steps, over fewer of them": lambda: lie(
        mean_grad_sq, "<=", 1 + ANY_SCHEDULE, NonNegative((("lemma",), (1,))), *ASKED_THERE,
        fact("lemma", "mean_grad_sq", mean_grad_sq, "<=", ANY_SCHEDULE,
             Shown("dpzero.theorem1", "any_schedule", {n: 1000 * n, T: 100 * T})), where=GIVENS,
    ),
    "a lemma about a quantity that the page defines": lambda: lie(
        omega, "<=", 1 + sp.Rational(7, 8) ** Q, NonNegative((("lemma",), (1,)), modulo=((1, "p_none"),)),
        fact("p_none", "p_none is omega", p_none, "=", omega, Defined()),
        fact("lemma", "p_none", p_none, "<=", sp.Rational(7, 8) ** Q, Shown("gauss_psgd.lemma2", "all_fail")), where=GIVENS,
    ),
    "a sign that rests on a case": lambda: replace(
        lie(mean_grad_sq, "<=", L + eta, NonNegative((("asked",), (eta,))),
            fact("asked", "mean_grad_sq", mean_grad_sq, "<=", L, Assumed()), fact("case", "n is above d", n, ">", d, Case()),
            proves=theorem_with(bound=L + eta, definitions={"eta": n - d}, in_letters=(sp.Le(mean_grad_sq, L),)), where=GIVENS),
        signs={"eta": ("case",)},
    ),
    "a sign that rests on itself, by what the theorem assumes of the letter": lambda: replace(
        lie(mean_grad_sq, "<=", L + eta, NonNegative((("asked",), (eta,))),
            fact("asked", "mean_grad_sq", mean_grad_sq, "<=", L, Assumed()),
            fact("near", "n is at least d + eta", n, ">=", d + eta, Assumed()),
            before=(line("above", "n is above d", n, ">", d, "by eta", NonNegative((("near",), (eta,))), where=GIVENS),),
            proves=theorem_with(
                bound=L + eta, definitions={"eta": n - d}, in_letters=(sp.Le(mean_grad_sq, L), sp.Ge(n, d + eta))
            ), where=GIVENS),
        signs={"eta": ("above",)},
    ),
    "a part of a theorem that holds in one case": lambda: with_part(gap, "<=", L, Part("half", "the gap", "<=", L, gap)),
    "a part of a theorem in another case than it says": lambda: with_part(
        gap, "<=", L, Part("half", "the gap, if it is below L - 1/2", "<=", L, gap, (sp.Le(gap, L - half),))
    ),
    "a part of a theorem about another quantity": lambda: with_part(
        gap, "<=", L, Part("half", "the smoothed gradient, if the gap is small", "<=", L, smooth_sq, (sp.Le(gap, L - 1),))
    ),
    "a part of a theorem about a quantity that the page defines": lambda: defined_part(),
    "a part of a theorem that does not say in a proof's letters what it bounds": lambda: with_part(
        gap, "<=", L, Part("half", "the gap, if it is small", "<=", L, None, (sp.Le(gap, L - 1),))
    ),
    "a part of a theorem with the relation turned": lambda: with_part(
        gap, "<=", L, Part("half", "the gap, if it is small", ">=", L, gap, (sp.Le(gap, L - 1),))
    ),
    "an inequality of the theorem taken as an equality": lambda: lie(
        mean_grad_sq, "<=", L, NonNegative((("asked",),), modulo=((-1, "equal"),)),
        ASKED, fact("equal", "n is d", n, "=", d, Assumed()), proves=SMALL_WHERE_N_IS_D, where=GIVENS,
    ),
    "an inequality of the theorem taken as a strict one": lambda: lie(
        mean_grad_sq, "<=", 0, NonNegative((("product", Inverse("strict")),)),
        fact("product", "mean_grad_sq", mean_grad_sq * (n - d), "<=", 0, Assumed()), fact("strict", "n", n, ">", d, Assumed()),
        proves=theorem_with(valid_if=(sp.Ge(n, d),), bound=sp.Integer(0), in_letters=(sp.Le(mean_grad_sq * (n - d), 0),)), where=GIVENS,
    ),
    "the logarithm of what may be negative, by 1 - 1/x": lambda: lie(
        gap, "<", 1, NonNegative(((sp.exp(-W),),), modulo=((-1, "inverse"),)),
        fact("W", "W is a logarithm", W, "=", sp.log(1 / (1 - gap)), Defined(signs=("above_0",))),
        before=(line("above_0", "about gap", gap, ">=", 0, "it is", NonNegative(((gap,),))),
                line("inverse", "about W and gap", sp.exp(-W), "=", 1 - gap, "insert", Substitution(("W",)))), where=GIVENS,
    ),
}  # fmt: skip
