"""False steps that a certificate might be talked into accepting, by what is inserted or taken; `cheats_made` has those by what is made.

They were found by trying to cheat; each must be refused by both checkers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

import bounds
from bounds.proofs.derivation import Derivation
from bounds.proofs.lines import GIVENS, Assumed, Defined, Identity, Inverse, Meaning, NonNegative, Step, Substitution, line
from bounds.proofs.meanings import MEANINGS
from bounds.symbols import L, T, alpha, d, ell, gap, lam, n, r, symbols
from bounds.theorem import Part

THEOREM, PROOF = bounds.THEOREMS["dpzero.theorem1"], bounds.DERIVATIONS["dpzero.theorem1"]
MEANT = {one.name: one for one in reversed(MEANINGS)}  # of two of one name the first, which all papers share
(a_i,) = symbols("a_i")
(bias_norm,) = symbols("bias_norm")
mean_grad_sq, W, eta, chi, psi, p_t, smooth_sq = symbols("mean_grad_sq W eta chi psi p_t smooth_sq")
k_1, k_2 = sp.symbols("k_1 k_2", positive=True)
half = sp.Rational(1, 2)
claim_1 = bounds.DERIVATIONS["dpzero.integer_t_theorems_1_2"]["large_start_trivial_1"].lhs


def lie(lhs, relation, rhs, certificate, *facts: Step, text: str = "", before: tuple[Step, ...] = (), proves=None, **more) -> Derivation:
    """A derivation whose last step is false, or does not follow."""
    letters = " and ".join(sorted(letter.name for letter in sp.sympify(lhs).free_symbols | sp.sympify(rhs).free_symbols))
    step = line("lie", lhs, relation, rhs).says(text or f"about {letters}").because("it is said so").certified(certificate)
    step = replace(step, **{"where": (), **more})
    return Derivation("cheat", "a cheat", "nobody", (*before, step), facts, proves)


def from_theorem1(name: str, **changed) -> Derivation:
    """The proof of Theorem 1 with one line changed."""
    return PROOF.with_line(replace(PROOF[name], **changed))


def without(name: str) -> Derivation:
    """The proof of Theorem 1 with one line missing."""
    return replace(
        PROOF,
        facts=tuple(one for one in PROOF.facts if one.name != name),
        steps=tuple(one for one in PROOF.steps if one.name != name),
    )


AT_LEAST = line("at_least", n, ">=", d).says("n is at least d").assumed()
SAME = line("same", (n - d) * k_1, "=", (n - d) * k_2).says("n times k_1 is n times k_2, n - d both times").assumed()
D_IS_0 = line("d_is_0", d, "=", 0).says("d is 0").assumed()


def theorem_with(**changed):
    """Theorem 1 with nothing but what is given."""
    bare = dict(key="cheat.theorem", definitions={}, schedule={}, parts=(), conditions=(), valid_if=(), any_schedule=None)
    return replace(THEOREM, **{**bare, **changed})


SMALL_WHERE_N_IS_D = theorem_with(valid_if=(sp.Ge(n, d),), bound=L, in_letters=(sp.Le(mean_grad_sq, L + n - d),))
ASKED = line("asked", mean_grad_sq, "<=", L + n - d).says("mean_grad_sq").assumed()

ON_THE_SPHERE = bounds.DERIVATIONS["dpzero.lemma_c2"]["on_the_sphere"]
ANY_SCHEDULE = THEOREM.any_schedule.xreplace({n: 1000 * n, T: 100 * T})
ASKED_THERE = tuple(  # every fact that the line rests on, at the other n and T, as if the reader's theorem assumed it
    replace(one, lhs=one.lhs.xreplace({n: 1000 * n, T: 100 * T}), rhs=one.rhs.xreplace({n: 1000 * n, T: 100 * T}))
    for one in (PROOF[name] for name in ("step_size", "gap", "last_above_least", "on_the_sphere", "estimate", "lipschitz", "threshold"))
)
omega, p_none, Q = (bounds.DERIVATIONS["gauss_psgd.lemma2"][name].lhs for name in ("omega_0_below_one", "all_fail", "Q"))


def with_part(lhs, relation, rhs, part: Part) -> Derivation:
    """A proof of a theorem whose part is shown in one case only: the gap is at most L - 1."""
    theorem = theorem_with(bound=L, in_letters=(sp.Le(mean_grad_sq, L - 1),), parts=(part,))
    shown = line("shown", lhs, relation, rhs).says("the gap and L").because("the case").by("case", 1)
    facts = (
        line("case", gap, "<=", L - 1).says("the gap is small").case(),
        line("asked", mean_grad_sq, "<=", L - 1).says("mean_grad_sq").assumed(),
    )
    chain = lie(mean_grad_sq, "<=", L, NonNegative((("asked",), (1,))), *facts, before=(shown,), proves=theorem, where=GIVENS)
    return replace(chain, shows={"half": "shown"})


def defined_part() -> Derivation:
    """A proof of a theorem whose part is about a quantity that the page defines as 0."""
    facts = (
        line("asked", mean_grad_sq, "<=", L - 1).says("mean_grad_sq").assumed(),
        line("zero", smooth_sq, "=", 0).says("smooth_sq").defined(),
    )
    shown = line("shown", smooth_sq, "<=", L).says("smooth_sq").because("insert").by(L, at=("zero",)).claimed_where()
    theorem = theorem_with(bound=L, in_letters=(sp.Le(mean_grad_sq, L - 1),), parts=(Part("half", "the gradient", "<=", L, smooth_sq),))
    chain = lie(mean_grad_sq, "<=", L, NonNegative((("asked",), (1,))), *facts, before=(shown,), proves=theorem, where=GIVENS)
    return replace(chain, shows={"half": "shown"})


TAKEN: dict[str, Callable[[], Derivation]] = {
    # what is inserted
    "T = n, by a name that nobody gave": lambda: lie(T, "=", n, Substitution(("T_is_n",))),
    "T = n, by a definition of the page, against the schedule": lambda: lie(
        T, "=", n, Substitution(("T_is_n",)), line("T_is_n", T, "=", n).says("T is n").defined(), proves=THEOREM
    ),
    "n >= d at d = 0, defined": lambda: lie(
        n, ">=", d, NonNegative(((n,),), at=("d_is_0",)), line("d_is_0", d, "=", 0).says("d is 0").defined()
    ),
    "n >= d at d = 0, assumed": lambda: lie(n, ">=", d, NonNegative(((n,),), at=("d_is_0",)), D_IS_0),
    "n >= d at d = 0, by meaning": lambda: lie(
        n, ">=", d, NonNegative(((n,),), at=("d_is_0",)), line("d_is_0", d, "=", 0).says("d is 0").meaning()
    ),
    "n >= d with psi = n - d, whose sign is not known": lambda: lie(
        n, ">=", d, NonNegative(((psi,),), at=("psi",)), line("psi", psi, "=", n - d).says("psi is n - d").assumed(), ranges={n: (d, d)}
    ),
    "the same with a letter of the schedule": lambda: lie(
        n, ">=", d, NonNegative(((chi,),), at=("chi",)), line("chi", chi, "=", n - d).says("chi is n - d").defined()
    ),
    "a letter defined as a negative number": lambda: lie(
        0, ">=", 1, NonNegative(((eta,),), at=("eta",)), line("eta", eta, "=", -1).says("eta is -1").defined()
    ),
    "a non-negative letter that is a real one": lambda: lie(
        a_i, ">=", 0, NonNegative(((W,),), at=("W",)), line("W", W, "=", a_i).says("W is a_i").defined()
    ),
    "a letter defined by itself": lambda: lie(
        eta, "=", eta + 1, Substitution(("eta",)), line("eta", eta, "=", eta + 1).says("eta is eta + 1").defined()
    ),
    "a letter defined twice": lambda: lie(
        n, "=", d, Identity(modulo=((1, "one"), (-1, "two"))),
        line("one", eta, "=", n).says("eta").defined(), line("two", eta, "=", d).says("eta").defined(),
    ),
    "two values inserted for one letter": lambda: lie(
        n, "=", d, Substitution(("one", "two")), line("one", eta, "=", n).says("eta").assumed(),
        line("two", eta, "=", d).says("eta").assumed()
    ),
    "insertions in a circle": lambda: lie(
        eta, "=", 4 * eta, Substitution(("one", "two")),
        line("one", eta, "=", 2 * chi).says("eta").defined(), line("two", chi, "=", 2 * eta).says("chi").defined(),
    ),
    "an inequality inserted": lambda: lie(n, "=", d, Substitution(("at_least",)), AT_LEAST),
    "an equality inserted that says nothing of one letter": lambda: lie(k_1, "=", k_2, Substitution(("same",)), SAME),
    "a logarithm of a negative number inserted": lambda: lie(
        a_i, "<=", 0, NonNegative(((1,),), at=("a",)), line("a", a_i, "=", sp.log(-n)).says("a_i").defined()
    ),
    "a step inserted that comes later": lambda: Derivation(
        "cheat", "a cheat", "nobody",
        (line("lie", eta, "=", n).says("about eta and n").because("later").inserting("later"),
         line("later", eta, "=", n).says("about eta").because("now").inserting("lie")),
    ),
    "a letter of the wrong sign, modulo what defines it": lambda: lie(
        n, ">=", d, NonNegative(((eta,),), modulo=((-1, "eta"),)), line("eta", eta, "=", n - d).says("eta is n - d").defined()
    ),
    "a sign from a line that says less": lambda: lie(
        n, ">=", 2 * d, NonNegative(((W,),), at=("W",)),
        AT_LEAST, line("W", W, "=", n - 2 * d).says("W is n - 2 d").defined(signs=("at_least",)), where=GIVENS,
    ),
    "a positive letter from a line that is not strict": lambda: lie(
        n, ">", d, NonNegative(((eta,),), at=("eta",)),
        AT_LEAST, line("eta", eta, "=", n - d).says("eta is n - d").defined(signs=("at_least",)), where=GIVENS,
    ),
    "a sign from an equality": lambda: lie(
        n, ">=", d, NonNegative(((W,),), at=("W",)),
        line("equal", n, "=", d).says("n and d").assumed(), line("W", W, "=", n - d).says("W is n - d").defined(signs=("equal",)),
        where=GIVENS,
    ),
    "a sign from a line that is not there": lambda: lie(
        n, ">=", d, NonNegative(((W,),), at=("W",)), line("W", W, "=", n - d).says("W is n - d").defined(signs=("missing",))
    ),
    "a sign from the line that it gives": lambda: lie(
        n, ">=", d, NonNegative(((W,),), at=("W",)),
        line("W", W, "=", n - d).says("W is n - d").defined(signs=("lie",)), where=GIVENS,
    ),
    "a limit of a letter that the page defines": lambda: lie(
        half, ">=", 1, NonNegative((("T >= 1",), (1,)), at=("T",)), line("T", T, "=", half).says("T is 1/2").defined(), where=GIVENS
    ),
    "a limit of such a letter, by meaning": lambda: lie(
        n / 2, ">=", n, NonNegative(((n, "limit"),), at=("T",)),
        line("T", T, "=", half).says("T is 1/2").defined(), line("limit", T, ">=", 1).says("T, the number of steps").meaning(),
        where=GIVENS,
    ),
    # what is taken
    "an assumption that the theorem does not make": lambda: lie(
        n, ">=", r, NonNegative((("at_least",), ("r <= d",))), AT_LEAST, proves=THEOREM, where=GIVENS
    ),
    "an assumption's words with another formula": lambda: lie(
        n, ">=", r, NonNegative((("lipschitz",), ("r <= d",))),
        line("lipschitz", n, ">=", d).says(THEOREM.assumptions[0]).assumed(), proves=THEOREM, where=GIVENS,
    ),
    "what the theorem asks for, turned round": lambda: lie(
        alpha, ">=", 1 / (8 * ell * d), NonNegative((("step_size",), (1 / (8 * ell * d),))),
        line("step_size", alpha, ">=", 1 / (4 * ell * d)).says("alpha is large").assumed(), proves=THEOREM, where=GIVENS,
    ),
    "a meaning that no letter has": lambda: lie(
        n, ">=", r, NonNegative((("m",), ("r <= d",))), line("m", n, ">=", d).says("n is at least d").meaning(), where=GIVENS
    ),
    "a probability of at most a half, by meaning": lambda: lie(
        p_t + half, "<=", n, NonNegative((("m",), ("n >= 1",))), line("m", p_t, "<=", half).says("p_t").meaning(), where=GIVENS
    ),
    "a step that is taken and not made": lambda: lie(n, ">=", d, Assumed()),
    "a step that is a meaning": lambda: lie(n, ">=", d, Meaning()),
    "a step that is a definition": lambda: lie(eta, "=", n, Defined()),
    "a fact that is made": lambda: lie(
        n, ">=", r, NonNegative((("made",), ("r <= d",))), line("made", n, ">=", d).says("n").by(n).claimed_where(), where=GIVENS
    ),
    "the conclusion as an assumption": lambda: lie(n, ">=", d, NonNegative((("at_least",),)), AT_LEAST, where=("at_least",)),
    "the conclusion as an assumption, doubled": lambda: lie(
        n, ">=", d, NonNegative(((half, "double"),)), line("double", 2 * n, ">=", 2 * d).says("n").assumed(), where=GIVENS
    ),
    "the conclusion as an assumption, times letters": lambda: lie(
        n, ">=", d, NonNegative(((1 / (L * (1 + ell)), "scaled"),)),
        line("scaled", L * (1 + ell) * n, ">=", L * (1 + ell) * d).says("n").assumed(), where=GIVENS,
    ),
    "the conclusion as an assumption, and 0": lambda: lie(n, ">=", d, NonNegative((("at_least",), (0,))), AT_LEAST, where=GIVENS),
    "the conclusion as an assumption, half of it twice": lambda: lie(
        n, ">=", d, NonNegative(((half, "at_least"), (half, "at_least"))), AT_LEAST, where=GIVENS
    ),
    "the conclusion as a case": lambda: lie(
        n, ">=", d, NonNegative((("case",),)), line("case", n, ">=", d).says("n is at least d").case(), where=GIVENS
    ),
    "the conclusion as a limit of the glossary": lambda: lie(r, "<=", d, NonNegative((("r <= d",),)), where=GIVENS),
    "a theorem that rests on a case": lambda: lie(
        mean_grad_sq, "<=", THEOREM.bound, NonNegative((("case",), (1,))),
        line("case", mean_grad_sq, "<=", THEOREM.bound - 1).says("the norm of the gradient is small").case(), proves=THEOREM, where=GIVENS,
    ),
    "a lemma that does not exist": lambda: lie(
        n, ">=", r, NonNegative((("lemma",), ("r <= d",))),
        line("lemma", n, ">=", d).says("n").shown("dpzero.lemma_c2", "no_such_line"), where=GIVENS,
    ),
    "a lemma that says something else": lambda: lie(
        n, ">=", r, NonNegative((("lemma",), ("r <= d",))), line("lemma", n, ">=", d).says("n").shown("dpzero.lemma_c2", "bias"),
        where=GIVENS
    ),
    "a lemma with a hypothesis that is not met": lambda: lie(
        mean_grad_sq + 1, "<=", 2 + THEOREM.any_schedule, NonNegative((("lemma",), (1,))),
        line("lemma", mean_grad_sq, "<=", THEOREM.any_schedule).says("mean").shown("dpzero.theorem1", "any_schedule"), where=GIVENS,
    ),
    "a lemma at a value of the wrong sign": lambda: lie(
        a_i, "<=", a_i + 1, NonNegative((("lemma",), (1,))),
        line("lemma", (1 + 2 * ell * a_i) / 2, "<=", sp.Rational(3, 4)).says("quarter").shown("dpzero.theorem1", "quarter", {alpha: a_i}),
        where=GIVENS,
    ),
    "a lemma about another quantity": lambda: lie(
        gap, "<=", 1 + d ** (3 * half) * ell * lam / 2, NonNegative((("lemma",), (1,))),
        line("lemma", gap, "<=", d ** (3 * half) * ell * lam / 2).says("gap").shown("dpzero.lemma_c2", "bias", {bias_norm: gap}),
        where=GIVENS,
    ),
    "a lemma that needs a limit of a letter that the page defines": lambda: lie(
        claim_1, ">", L**2 - 1, NonNegative((("lemma",), (1,))),
        line("T", T, "=", half).says("T is 1/2").defined(),
        line("lemma", claim_1, ">", L**2).says("T_star").shown("dpzero.integer_t_theorems_1_2", "large_start_trivial_1"), where=GIVENS,
    ),
    "a lemma that rests on words, at another smoothing radius": lambda: lie(
        bias_norm, "<=", 1 + d ** (3 * half) * ell * lam / 2000, NonNegative((("lemma",), (1,))), ON_THE_SPHERE,
        line("lemma", bias_norm, "<=", d ** (3 * half) * ell * lam / 2000)
        .says("the bias").shown("dpzero.lemma_c2", "bias", {lam: lam / 1000}),
        where=GIVENS,
    ),
    "a lemma that rests on a sum over steps, over fewer of them": lambda: lie(
        mean_grad_sq, "<=", 1 + ANY_SCHEDULE, NonNegative((("lemma",), (1,))), *ASKED_THERE,
        line("lemma", mean_grad_sq, "<=", ANY_SCHEDULE)
        .says("mean_grad_sq").shown("dpzero.theorem1", "any_schedule", {n: 1000 * n, T: 100 * T}),
        where=GIVENS,
    ),
    "a lemma about a quantity that the page defines": lambda: lie(
        omega, "<=", 1 + sp.Rational(7, 8) ** Q, NonNegative((("lemma",), (1,)), modulo=((1, "p_none"),)),
        line("p_none", p_none, "=", omega).says("p_none is omega").defined(),
        line("lemma", p_none, "<=", sp.Rational(7, 8) ** Q).says("p_none").shown("gauss_psgd.lemma2", "all_fail"), where=GIVENS,
    ),
    "a sign that rests on a case": lambda: replace(
        lie(mean_grad_sq, "<=", L + eta, NonNegative((("asked",), (eta,))),
            line("asked", mean_grad_sq, "<=", L).says("mean_grad_sq").assumed(), line("case", n, ">", d).says("n is above d").case(),
            proves=theorem_with(bound=L + eta, definitions={"eta": n - d}, in_letters=(sp.Le(mean_grad_sq, L),)), where=GIVENS),
        signs={"eta": ("case",)},
    ),
    "a sign that rests on itself, by what the theorem assumes of the letter": lambda: replace(
        lie(mean_grad_sq, "<=", L + eta, NonNegative((("asked",), (eta,))),
            line("asked", mean_grad_sq, "<=", L).says("mean_grad_sq").assumed(),
            line("near", n, ">=", d + eta).says("n is at least d + eta").assumed(),
            before=(line("above", n, ">", d).says("n is above d").because("by eta").by("near", eta),),
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
        ASKED, line("equal", n, "=", d).says("n is d").assumed(), proves=SMALL_WHERE_N_IS_D, where=GIVENS,
    ),
    "an inequality of the theorem taken as a strict one": lambda: lie(
        mean_grad_sq, "<=", 0, NonNegative((("product", Inverse("strict")),)),
        line("product", mean_grad_sq * (n - d), "<=", 0).says("mean_grad_sq").assumed(), line("strict", n, ">", d).says("n").assumed(),
        proves=theorem_with(valid_if=(sp.Ge(n, d),), bound=sp.Integer(0), in_letters=(sp.Le(mean_grad_sq * (n - d), 0),)), where=GIVENS,
    ),
    "the logarithm of what may be negative, by 1 - 1/x": lambda: lie(
        gap, "<", 1, NonNegative(((sp.exp(-W),),), modulo=((-1, "inverse"),)),
        line("W", W, "=", sp.log(1 / (1 - gap))).says("W is a logarithm").defined(signs=("above_0",)),
        before=(line("above_0", gap, ">=", 0).says("about gap").because("it is").by(gap).claimed_where(),
                line("inverse", sp.exp(-W), "=", 1 - gap).says("about W and gap").because("insert").inserting("W")), where=GIVENS,
    ),
}  # fmt: skip
