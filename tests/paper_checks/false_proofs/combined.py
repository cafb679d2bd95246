"""More false steps, by how lines rest on each other, by sums of terms, algebra, words, sums over steps, and whole proofs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from bounds.proofs.derivation import Derivation
from bounds.proofs.inequalities import Instance
from bounds.proofs.lines import GIVENS, Identity, Inverse, NonNegative, Reasoned, Step, Substitution, Telescoped, line
from bounds.symbols import L, T, d, ell, gap, n, r, symbols
from tests.paper_checks.false_proofs.inserted import (
    AT_LEAST,
    MEANT,
    PROOF,
    SAME,
    THEOREM,
    from_theorem1,
    lie,
    theorem_with,
    without,
)

a_i, a_j, F_now, F_next, F_first, F_last = symbols("a_i a_j F_now F_next F_first F_last")
F_Q_last, F_star = symbols("F_Q_last F_star")
grad_sq, mean_grad_sq, W, eta, chi, smooth_sq = symbols("grad_sq mean_grad_sq W eta chi smooth_sq")
k_1, k_2 = sp.symbols("k_1 k_2", positive=True)
half = sp.Rational(1, 2)

POWERS = line("powers", gap ** (n - d) * k_1, "=", gap ** (n - d) * k_2).says("gap, n, d, k_1 and k_2").assumed()
LOGARITHMS = line("logarithms", k_1 / sp.log(gap), "=", k_2 / sp.log(gap)).says("gap, k_1 and k_2").assumed()
MORE = line("more", n, ">", d).says("n is more than d").assumed()
MADE: dict[str, Callable[[], Derivation]] = {
    # who rests on whom
    "a step that rests on itself": lambda: lie(n, ">=", d, NonNegative((("lie",),)), where=GIVENS),
    "a fact that rests on the step that it gives": lambda: lie(
        n, ">=", r, NonNegative((("circular",), ("r <= d",))),
        line("circular", n, ">=", d).says("n").reasoned("from the conclusion", using=("lie",)), where=GIVENS,
    ),
    "a line in words used as a formula": lambda: Derivation(
        "cheat", "a cheat", "nobody",
        (Step("said", "n is large", None, "", None, "", Reasoned("it is")),
         line("lie", n, ">=", d).says("about n and d").because("as said").by("said").claimed_where()),
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
    "an equality as a factor": lambda: lie(n, ">=", d, NonNegative((("eta",), (1,))), line("eta", eta, "=", n).says("eta").defined()),
    "an inequality modulo": lambda: lie(n, "=", d, Identity(modulo=((1, "at_least"),)), AT_LEAST, where=GIVENS),
    "division by what may be 0": lambda: lie(k_1, "=", k_2, Identity(modulo=((1 / (n - d), "same"),)), SAME, where=GIVENS),
    "division by a power of unknown sign of what may be 0": lambda: lie(
        k_1, "=", k_2, Identity(modulo=((gap ** (d - n), "powers"),)), POWERS, where=GIVENS
    ),
    "division by such a power in an inequality": lambda: lie(
        k_1, "<=", k_2, NonNegative((), modulo=((-(gap ** (d - n)), "powers"),)), POWERS, where=GIVENS
    ),
    "a step with a power of unknown sign of what may be 0": lambda: lie(1 + gap ** (d - n), ">=", gap ** (d - n), NonNegative(((1,),))),
    "such powers that cancel": lambda: lie(gap ** (d - n) * gap ** (n - d), "=", sp.Integer(1) + 0 * gap, Identity()),
    "a step with a denominator that may be 0": lambda: lie(1 + 1 / gap, ">=", 1 / gap, NonNegative(((1,),))),
    "a step with a denominator whose line is not strict": lambda: lie(
        1 + 1 / (n - d), ">=", 1 / (n - d), NonNegative(((1,),), at=()), AT_LEAST, where=GIVENS
    ),
    "a step with a logarithm of what may be 0": lambda: lie(1 + sp.log(gap), ">=", sp.log(gap), NonNegative(((1,),))),
    "a step with a logarithm of the negative of what is positive": lambda: lie(
        1 + sp.log(d - n), ">=", sp.log(d - n), NonNegative(((1,),)), MORE, where=GIVENS
    ),
    "a step with a logarithm of what is positive times what may be 0": lambda: lie(
        1 + sp.log(gap * (n - d)), ">=", sp.log(gap * (n - d)), NonNegative(((1,),)), MORE, where=GIVENS
    ),
    "a step with a denominator that is what is positive times what may be 0": lambda: lie(
        1 + 1 / (gap * n - gap * d), ">=", 1 / (gap * n - gap * d), NonNegative(((1,),)), MORE, where=GIVENS
    ),
    "a multiple of an equality by a logarithm of what may be 0": lambda: lie(
        k_1, "=", k_2, Identity(modulo=((sp.log(gap), "logarithms"),)), LOGARITHMS, where=GIVENS
    ),
    "division by a letter that may be 0": lambda: lie(
        k_1, "=", k_2, Identity(modulo=((1 / gap, "zero"),)), line("zero", gap * k_1, "=", gap * k_2).says("gap").assumed(), where=GIVENS
    ),
    "one over an inequality that is not strict": lambda: lie(
        1 / (n - d), ">=", 0, NonNegative(((Inverse("at_least"),),)), AT_LEAST, where=GIVENS
    ),
    "one over an equality": lambda: lie(
        n, ">=", 0, NonNegative(((Inverse("eta"), eta - n, n),)), line("eta", eta, "=", n).says("eta").defined(), where=GIVENS
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
        line("W", W, "=", 0).says("W is 0").defined()),
    "nothing is claimed": lambda: lie(n, "=", n, Identity(), text="n is as large as Theorem 3 says"),
    "a bound variable that is captured": lambda: lie(
        sp.Integral(eta * d, (eta, 0, 10**12)), "<=", sp.Integral(d**2, (d, 0, 10**12)), Substitution(("eta",)),
        line("eta", eta, "=", d).says("eta is d").defined(),
    ),
    # the theorem
    "the measured quantity defined as 0": lambda: lie(
        mean_grad_sq, "<=", THEOREM.bound, NonNegative(((THEOREM.bound,),), at=("zero",)),
        line("zero", mean_grad_sq, "=", 0).says("mean_grad_sq").defined(), proves=THEOREM,
    ),
    "a quantity of every step defined as 0, averaged": lambda: lie(
        mean_grad_sq, "<=", 0, Telescoped("per"), line("zero", grad_sq, "=", 0).says("grad_sq").defined(),
        before=(line("per", grad_sq, "<=", 0).says("about grad_sq").because("insert").inserting("zero"),), where=GIVENS,
    ),
    "an average that forgets what a definition hides": lambda: lie(
        mean_grad_sq, "<=", W, Telescoped("per"), line("W", W, "=", grad_sq).says("W is grad_sq").defined(),
        before=(line("per", grad_sq, "<=", W).says("about grad_sq and W").because("insert").inserting("W"),), where=GIVENS,
    ),
    "a letter of a table of meanings defined": lambda: lie(
        gap, "=", 0, Identity(modulo=((1, "gap"), (1, "first"))),
        MEANT["gap"], line("first", F_first, "=", F_star).says("F_first").defined(), where=GIVENS,
    ),
    "a theorem that defines what it bounds": lambda: lie(
        mean_grad_sq, "<=", L, Substitution(("mean_grad_sq",)), proves=replace(THEOREM, bound=L, definitions={"mean_grad_sq": L})
    ),
    "a theorem that chooses a constant of the problem": lambda: lie(
        mean_grad_sq, "<=", L**2 * r,
        NonNegative((("small",), (L**2, "r <= d")), at=("n",)),
        line("small", mean_grad_sq, "<=", L**2 * r - L**2 * (n - r)).says("mean_grad_sq").assumed(),
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
        line("per", grad_sq**2, "<=", F_now - F_next).says("grad_sq").assumed(), where=GIVENS,
    ),
    "an average that does not telescope": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_last) / T, Telescoped("per"),
        line("per", grad_sq, "<=", 2 * F_now - F_next).says("grad_sq").assumed(), where=GIVENS,
    ),
    "an average over T steps divided by T twice": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_last) / T**2, Telescoped("per"),
        line("per", grad_sq, "<=", F_now - F_next).says("grad_sq").assumed(), where=GIVENS,
    ),
    "an average that forgets what changes from step to step": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_last) / T + smooth_sq,
        Telescoped("per"),
        line("per", grad_sq, "<=", F_now - F_next + smooth_sq).says("grad_sq").assumed(), where=GIVENS,
    ),
    "an average with the relation turned": lambda: lie(
        mean_grad_sq, ">=", (F_first - F_last) / T, Telescoped("per"),
        line("per", grad_sq, "<=", F_now - F_next).says("grad_sq").assumed(), where=GIVENS,
    ),
    "an average under another name": lambda: lie(
        smooth_sq, "<=", (F_first - F_last) / T, Telescoped("per"),
        line("per", grad_sq, "<=", F_now - F_next).says("grad_sq").assumed(), where=GIVENS,
    ),
    "an average that ends elsewhere": lambda: lie(
        mean_grad_sq, "<=", (F_first - F_Q_last) / T, Telescoped("per"),
        line("per", grad_sq, "<=", F_now - F_next).says("grad_sq").assumed(), where=GIVENS,
    ),
    # whole proofs
    "the proof of Theorem 1 without its sum over steps": lambda: without("averaged"),
    "the proof of Theorem 1 without the descent lemma": lambda: without("descent"),
    "the proof of Theorem 1 without its last step": lambda: without("bound"),
    "the proof of Theorem 1 with its bound divided by 5": lambda: from_theorem1("bound", rhs=THEOREM.bound / 5),
    "the proof of Theorem 1 with a larger step size": lambda: from_theorem1("step_size", rhs=1 / (2 * ell * d)),
    "the proof of Theorem 1 with half of the noise": lambda: from_theorem1("noise_term", rhs=PROOF["noise_term"].rhs / 2),
    "the proof of Theorem 1 for another measure": lambda: from_theorem1("bound", lhs=grad_sq),
}  # fmt: skip

# what the first checker alone refuses: the second sees an export, in which these look like honest ones
FOR_THE_FIRST: dict[str, Callable[[], Derivation]] = {
    "a letter of the theorem's bound defined": lambda: lie(
        mean_grad_sq, "<=", chi, NonNegative((("lipschitz",), (1,)), modulo=((1, "chi"),)),
        line("lipschitz", mean_grad_sq, "<=", L).says("mean_grad_sq").assumed(),
        line("chi", chi, "=", L + 1).says("chi is L + 1").defined(),
        proves=theorem_with(bound=chi, in_letters=(sp.Le(mean_grad_sq, L),)), where=GIVENS,
    ),
    "both sides undefined at 0": lambda: lie(
        k_1, "=", k_2, Identity(modulo=((-1, "first"), (1, "second"))),
        line("one", W, "=", gap * k_1).says("W").assumed(), line("two", W, "=", gap * k_2).says("W").assumed(),
        before=(line("first", W / gap, "=", k_1).says("about k_1").because("insert").inserting("one"),
                line("second", W / gap, "=", k_2).says("about k_2").because("insert").inserting("two")), where=GIVENS,
    ),
    "a letter of a name of the glossary with another sign": lambda: lie(
        sp.Symbol("gap", positive=True), ">", 0, NonNegative(((sp.Symbol("gap", positive=True),),))
    ),
}  # fmt: skip
