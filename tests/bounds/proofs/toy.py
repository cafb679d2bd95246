"""Small proofs, for the tests of what checks them."""

from dataclasses import replace

import sympy as sp

from bounds.proofs.derivation import Derivation
from bounds.proofs.inequalities import Instance
from bounds.proofs.lines import GIVENS, Identity, NonNegative, Reasoned, Substitution, line
from bounds.symbols import A, L, T, alpha, d, ell, n, r, symbols

a_i, a_j = symbols("a_i a_j")
(eta,) = symbols("eta")


def spoken(*sides):
    """Words that name the letters of the sides."""
    return "about " + " and ".join(sorted({letter.name for side in sides for letter in sp.sympify(side).free_symbols}))


def step(lhs, relation, rhs, certificate, name="claim", **more):
    return replace(
        line(name, lhs, relation, rhs).says(spoken(lhs, rhs)).because("a reason").certified(certificate), **{"where": (), **more}
    )


def chain(*steps, facts=(), **more):
    return Derivation("toy", "a toy", "these tests", steps, facts, **more)


RANKED = line("ranked", r, "<=", d / 2).says("r is at most half of d").assumed()
STEP = line("eta", eta, "=", 1 / (4 * ell * d)).says("eta is a step size").defined()
SHORT = line("short", alpha, "<", 1).says("alpha is below 1").assumed()

IDENTITY = chain(step(sp.sqrt(d * A) * (n + 1) ** 2, "=", sp.sqrt(d) * sp.sqrt(A) * (n**2 + 2 * n + 1), Identity()))
SUBSTITUTION = chain(step(1 - 2 * d * ell * eta, "=", sp.Rational(1, 2), Substitution(("eta",))), facts=(STEP,))
SQUARES = chain(step((a_i + a_j) ** 2, "<=", 2 * a_i**2 + 2 * a_j**2, NonNegative((((a_i - a_j) ** 2,),))))
RANK = chain(step(r * L + 1, "<=", d * L / 2 + 2, NonNegative(((L, "ranked"), (1,))), where=GIVENS), facts=(RANKED,))
TANGENT = chain(
    step(T * sp.log(1 + alpha), "<=", T * alpha, NonNegative(((T, Instance("exponential", sp.log(1 + alpha))),))),
)
STRICT = chain(step(d, "<", d + n, NonNegative(((n,),))))
MODULO = chain(
    step(a_i**2, "=", n**2, Identity(modulo=((a_i + n, "is_n"),)), where=GIVENS),
    facts=(line("is_n", a_i, "=", n).says("a_i is n").assumed(),),
)
PROVED = {"identity": IDENTITY, "substitution": SUBSTITUTION, "squares": SQUARES, "rank": RANK, "tangent": TANGENT, "strict": STRICT,
          "modulo": MODULO}  # fmt: skip
WISHFUL = chain(step(r, "<=", 2 * sp.sqrt(d), Reasoned("wishful")))
