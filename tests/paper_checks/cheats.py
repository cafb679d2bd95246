"""False steps that a certificate might be talked into accepting, found by trying to cheat: each must be refused by both checkers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

import bounds
from bounds.derivation import (
    GIVENS,
    Assumed,
    Case,
    Cited,
    Defined,
    Derivation,
    Identity,
    Inverse,
    Meaning,
    NonNegative,
    Reasoned,
    Shown,
    Step,
    Substitution,
    Telescoped,
    fact,
    line,
)
from bounds.dpzero.theorem1 import THEOREM, proof
from bounds.inequalities import Instance
from bounds.meanings import GAP
from bounds.symbols import L, T, alpha, d, ell, gap, lam, n, r, symbols

a_i, a_j, F_now, F_next, F_first, F_last = symbols("a_i a_j F_now F_next F_first F_last")
F_Q_last, F_star, bias_norm = symbols("F_Q_last F_star bias_norm")
grad_sq, mean_grad_sq, W, eta, chi, psi, p_t, smooth_sq = symbols("grad_sq mean_grad_sq W eta chi psi p_t smooth_sq")
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


TRUE = line("true", "about n", n + 1, ">=", n, "1 >= 0", NonNegative(((1,),)))
SQUARE = line("square", "about n", (n + 1) ** 2, "=", n**2 + 2 * n + 1, "expand", Identity())
AT_LEAST = fact("at_least", "n is at least d", n, ">=", d, Assumed())
ABOVE = fact("above", "n is above d", n, ">", d, Assumed())
SAME = fact("same", "n times k_1 is n times k_2, n - d both times", (n - d) * k_1, "=", (n - d) * k_2, Assumed())
D_IS_0 = fact("d_is_0", "d is 0", d, "=", 0, Assumed())
SAID = fact("said", "n is at least d", n, ">=", d, Reasoned("everybody says so"))
CITED = fact("cited", "n is at least d", n, ">=", d, Cited("a book"))
TWICE = fact("twice", "eta is chi", eta, "=", chi, Defined())


def theorem_with(**changed):
    """Theorem 1 with nothing but what is given."""
    bare = dict(key="cheat.theorem", definitions={}, schedule={}, parts=(), conditions=(), valid_if=(), any_schedule=None)
    return replace(THEOREM, **{**bare, **changed})


SMALL_WHERE_N_IS_D = theorem_with(valid_if=(sp.Ge(n, d),), bound=L, in_letters=(sp.Le(mean_grad_sq, L + n - d),))
ASKED = fact("asked", "mean_grad_sq", mean_grad_sq, "<=", L + n - d, Assumed())

CHEATS: dict[str, Callable[[], Derivation]] = {
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
    # who rests on whom
    "a step that rests on itself": lambda: lie(n, ">=", d, NonNegative((("lie",),)), where=GIVENS),
    "a fact that rests on the step that it gives": lambda: lie(
        n, ">=", r, NonNegative((("circular",), ("r <= d",))),
        fact("circular", "n", n, ">=", d, Reasoned("from the conclusion", using=("lie",))), where=GIVENS,
    ),
    "a line in words used as a formula": lambda: Derivation(
        "cheat", "a cheat", "nobody",
        (Step("said", "n is large", None, "", None, "", Reasoned("it is")),
         line("lie", "about n and d", n, ">=", d, "as said", NonNegative((("said",),)))),
    ),
    "a line that is not there": lambda: lie(n, ">=", d, NonNegative((("missing",),)), where=GIVENS),
    # the sum of terms
    "terms that do not add up": lambda: lie(n, ">=", d, NonNegative(((n,),))),
    "terms that add up to the opposite": lambda: lie(0, ">=", n, NonNegative(((n,),))),
    "a term of unknown sign": lambda: lie(a_i, ">=", 0, NonNegative(((a_i,),))),
    "a negative number as a factor": lambda: lie(0, ">=", n, NonNegative(((-1, n),))),
    "a difference as a factor": lambda: lie(n, ">=", d, NonNegative(((n - d,),))),
    "a cube as a square": lambda: lie(a_i**3, ">=", 0, NonNegative(((a_i**3,),))),
    "an inequality used the wrong way round": lambda: lie(d, ">=", n, NonNegative((("at_least",), (1,))), AT_LEAST, where=GIVENS),
    "an equality as a factor": lambda: lie(n, ">=", d, NonNegative((("eta",), (1,))), fact("eta", "eta", eta, "=", n, Defined())),
    "an inequality modulo": lambda: lie(n, "=", d, Identity(modulo=((1, "at_least"),)), AT_LEAST, where=GIVENS),
    "division by what may be 0": lambda: lie(k_1, "=", k_2, Identity(modulo=((1 / (n - d), "same"),)), SAME, where=GIVENS),
    "division by a letter that may be 0": lambda: lie(
        k_1, "=", k_2, Identity(modulo=((1 / gap, "zero"),)), fact("zero", "gap", gap * k_1, "=", gap * k_2, Assumed()), where=GIVENS
    ),
    "one over an inequality that is not strict": lambda: lie(
        1 / (n - d), ">=", 0, NonNegative(((Inverse("at_least"),),)), AT_LEAST, where=GIVENS
    ),
    "one over an equality": lambda: lie(
        n, ">=", 0, NonNegative(((Inverse("eta"), eta - n, n),)), fact("eta", "eta", eta, "=", n, Defined()), where=GIVENS
    ),
    "an inequality for x >= 0 at a real x": lambda: lie(sp.exp(-a_i), "<=", 1, NonNegative(((Instance("decay", a_i),),))),
    "an inequality at a logarithm that is not real": lambda: lie(
        1 - n - 1 - sp.log(1 - n), ">=", 0, NonNegative(((Instance("exponential", sp.log(1 - n)),),))
    ),
    "an inequality that nobody proved": lambda: lie(sp.sin(n), ">=", 0, NonNegative(((Instance("sine", n),),))),
    "the exponential inequality for another function": lambda: lie(
        2**n, ">=", 1 + n, NonNegative(((Instance("exponential", n),),))
    ),
    "strict without a positive term": lambda: lie(n, "<", n + gap, NonNegative(((gap,),))),
    "strict by an identity": lambda: lie((n + 1) ** 2, "<", n**2 + 2 * n + 1, Identity()),
    "strict from an inequality that is not": lambda: lie(d, "<", n + gap, NonNegative((("at_least",), (gap,))), AT_LEAST, where=GIVENS),
    "an equality by non-negative terms": lambda: lie(n, "=", n + 1, NonNegative(((1,),))),
    "a relation that is none": lambda: lie(n + 1, "~", n, NonNegative(((1,),))),
    # algebra
    "sqrt(x^2) = x for a real x": lambda: lie(sp.sqrt(a_i**2), "=", a_i, Identity()),
    "the root of a product of two negative numbers": lambda: lie(sp.sqrt(a_i * a_j), "=", sp.sqrt(a_i) * sp.sqrt(a_j), Identity()),
    "the logarithm of a product of two negative numbers": lambda: lie(sp.log(a_i * a_j), "=", sp.log(a_i) + sp.log(a_j), Identity()),
    "off by 1e-400": lambda: lie(n * (1 + sp.Rational(1, 10**400)), "=", n, Identity()),
    "off by exp(-1e9 n)": lambda: lie(n + sp.exp(-(10**9) * n), "=", n, Identity()),
    "off by a float's rounding": lambda: lie(n * sp.Float(0.1), "=", n / 10 + n * sp.Rational(1, 10**17), Identity()),
    "true at the points that are tried first": lambda: lie((n - 1) * (n - 10**9) * (d - 1) * (d - 10**11), "=", 0, Identity()),
    "both sides undefined": lambda: lie(n / (d - sp.sqrt(d) ** 2 + W), "=", 2 * n / (2 * W + d), Substitution(("W",)),
        fact("W", "W is 0", W, "=", 0, Defined())),
    "nothing is claimed": lambda: lie(n, "=", n, Identity(), text="n is as large as Theorem 3 says"),
    # the theorem
    "a theorem that defines what it bounds": lambda: lie(
        mean_grad_sq, "<=", L, Substitution(("mean_grad_sq",)), proves=replace(THEOREM, bound=L, definitions={"mean_grad_sq": L})
    ),
    "a theorem that chooses a constant of the problem": lambda: lie(
        mean_grad_sq, "<=", L**2 * r,
        NonNegative((("small",), (L**2, "r <= d")), at=("n",)),
        fact("small", "mean_grad_sq", mean_grad_sq, "<=", L**2 * r - L**2 * (n - r), Assumed()),
        proves=replace(THEOREM, bound=L**2 * r, definitions={"n": d}, in_letters=(sp.Le(mean_grad_sq, L**2 * r - L**2 * (n - r)),)),
        where=GIVENS,
    ),
    # words
    "a text about something else": lambda: lie(
        (a_i - a_j) ** 2, ">=", 0, NonNegative((((a_i - a_j) ** 2,),)), text="the noise is private for every epsilon"
    ),
    "a text that promises a theorem": lambda: lie(
        (a_i - a_j) ** 2, ">=", -1, NonNegative((((a_i - a_j) ** 2,), (1,))), text="hence the claim of the whole paper"
    ),
    # sums over steps
    "an average of what is not linear": lambda: lie(
        mean_grad_sq**2, "<=", (F_first - F_last) / T, Telescoped("per"),
        fact("per", "grad_sq", grad_sq**2, "<=", F_now - F_next, Assumed()), where=GIVENS,
    ),
    "an average that does not telescope": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_last) / T, Telescoped("per"),
        fact("per", "grad_sq", grad_sq, "<=", 2 * F_now - F_next, Assumed()), where=GIVENS,
    ),
    "an average over T steps divided by T twice": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_last) / T**2, Telescoped("per"),
        fact("per", "grad_sq", grad_sq, "<=", F_now - F_next, Assumed()), where=GIVENS,
    ),
    "an average that forgets what changes from step to step": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_last) / T + smooth_sq,
        Telescoped("per"),
        fact("per", "grad_sq", grad_sq, "<=", F_now - F_next + smooth_sq, Assumed()), where=GIVENS,
    ),
    "an average with the relation turned": lambda: lie(
        mean_grad_sq, ">=", (F_first - F_last) / T, Telescoped("per"),
        fact("per", "grad_sq", grad_sq, "<=", F_now - F_next, Assumed()), where=GIVENS,
    ),
    "an average under another name": lambda: lie(
        smooth_sq, "<=", (F_first - F_last) / T, Telescoped("per"),
        fact("per", "grad_sq", grad_sq, "<=", F_now - F_next, Assumed()), where=GIVENS,
    ),
    "an average that ends elsewhere": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_Q_last) / T, Telescoped("per"),
        fact("per", "grad_sq", grad_sq, "<=", F_now - F_next, Assumed()), where=GIVENS,
    ),
    # whole proofs
    "the proof of Theorem 1 without its sum over steps": lambda: without("averaged"),
    "the proof of Theorem 1 without the descent lemma": lambda: without("descent"),
    "the proof of Theorem 1 without its last step": lambda: without("bound"),
    "the proof of Theorem 1 with its bound divided by 5": lambda: from_theorem1("bound", rhs=THEOREM.bound / 5),
    "the proof of Theorem 1 with a larger step size": lambda: from_theorem1("step_size", rhs=1 / (2 * ell * d)),
    "the proof of Theorem 1 with half of the noise": lambda: from_theorem1("noise_term", rhs=proof()["noise_term"].rhs / 2),
    "the proof of Theorem 1 for another measure": lambda: from_theorem1("bound", lhs=grad_sq),
}  # fmt: skip

# what the first checker alone refuses: the second sees an export, in which these look like honest ones
FOR_THE_FIRST: dict[str, Callable[[], Derivation]] = {
    "the measured quantity defined as 0": lambda: lie(
        mean_grad_sq, "<=", THEOREM.bound, NonNegative(((THEOREM.bound,),), at=("zero",)),
        fact("zero", "mean_grad_sq", mean_grad_sq, "=", 0, Defined()), proves=THEOREM,
    ),
    "a quantity of every step defined as 0, averaged": lambda: lie(
        mean_grad_sq, "<=", 0, Telescoped("per"), fact("zero", "grad_sq", grad_sq, "=", 0, Defined()),
        before=(line("per", "about grad_sq", grad_sq, "<=", 0, "insert", Substitution(("zero",))),), where=GIVENS,
    ),
    "an average that forgets what a definition hides": lambda: lie(
        mean_grad_sq, "<=", W, Telescoped("per"), fact("W", "W is grad_sq", W, "=", grad_sq, Defined()),
        before=(line("per", "about grad_sq and W", grad_sq, "<=", W, "insert", Substitution(("W",))),), where=GIVENS,
    ),
    "a letter of a table of meanings defined": lambda: lie(
        gap, "=", 0, Identity(modulo=((1, "gap"), (1, "first"))),
        GAP, fact("first", "F_first", F_first, "=", F_star, Defined()), where=GIVENS,
    ),
    "a letter of the theorem's bound defined": lambda: lie(
        mean_grad_sq, "<=", chi, NonNegative((("lipschitz",), (1,)), modulo=((1, "chi"),)),
        fact("lipschitz", "mean_grad_sq", mean_grad_sq, "<=", L, Assumed()), fact("chi", "chi is L + 1", chi, "=", L + 1, Defined()),
        proves=theorem_with(bound=chi, in_letters=(sp.Le(mean_grad_sq, L),)), where=GIVENS,
    ),
    "both sides undefined at 0": lambda: lie(
        k_1, "=", k_2, Identity(modulo=((-1, "first"), (1, "second"))),
        fact("one", "W", W, "=", gap * k_1, Assumed()), fact("two", "W", W, "=", gap * k_2, Assumed()),
        before=(line("first", "about k_1", W / gap, "=", k_1, "insert", Substitution(("one",))),
                line("second", "about k_2", W / gap, "=", k_2, "insert", Substitution(("two",)))), where=GIVENS,
    ),
    "a letter of a name of the glossary with another sign": lambda: lie(
        sp.Symbol("gap", positive=True), ">", 0, NonNegative(((sp.Symbol("gap", positive=True),),))
    ),
    "the conclusion as an assumption, and 0": lambda: lie(n, ">=", d, NonNegative((("at_least",), (0,))), AT_LEAST, where=GIVENS),
    "the conclusion as an assumption, half of it twice": lambda: lie(
        n, ">=", d, NonNegative(((half, "at_least"), (half, "at_least"))), AT_LEAST, where=GIVENS
    ),
    "a bound variable that is captured": lambda: lie(
        sp.Integral(eta * d, (eta, 0, 10**12)), "<=", sp.Integral(d**2, (d, 0, 10**12)), Substitution(("eta",)),
        fact("eta", "eta is d", eta, "=", d, Defined()),
    ),
}  # fmt: skip
