"""How rarely an error of an estimate is long: Lemma 5.

Source    Gauss-PSGD, Lemma 5; Appendix B.6, (73).
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd import paper
from bounds.gauss_psgd.meanings import BELOW_ONE
from bounds.gauss_psgd.paper import letters, proved, stated
from bounds.inequalities import Instance
from bounds.lines import line
from bounds.pages import chance
from bounds.symbols import introduce
from bounds.theorem import Condition, Part

C, chi, err_norm, mu, omega, psi, s, T = letters("C chi err_norm mu omega psi s T")

p_any = chance("p_any", r"\max_t\|\nu_t\|>\ell_\nu", "that some error is longer")
log_T = introduce("log_T", r"\Lambda_T", "logarithm of 4 T over the probability of failure", 1e-3, 100, "abbreviation")
LEMMA_5 = stated(
    "Lemma 5 (error of all gradients)",
    measure="||nu_t|| for all t <= T",
    method="gauss_psgd",
    assumptions=paper.ORACLE,
    definitions={"log_T": sp.log(4 * T / omega)},
    schedule={"chi": paper.PRINTED[chi]},
    bound=C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi,
    measured=err_norm,
    parts=(Part("failure", "probability of the contrary", "<=", omega / 2, p_any),),
    conditions=(
        paper.EVENT,
        Condition(
            sp.Le(C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi, chi * (1 + sp.Rational(1, 10**12))),
            "the bound {value} is above chi = {limit}",  # equal where the third entry of (6) is the largest, hence the 1e-12
        ),
    ),
    notes=(paper.GIVEN_MU, paper.ABSOLUTE),
)
err_length = introduce("err_length", r"\ell_\nu", "the length that an error of an estimate rarely exceeds", 1e-9, 1e9, "proof")
p_longer = chance("p_longer", r"\|\nu_t\|>\ell_\nu", "that an error is longer")
LENGTH = C * sp.sqrt(2 * log_T) * psi  # (73)
third = (C * log_T) ** sp.Rational(1, 4) / (2 ** sp.Rational(3, 4) * sp.sqrt(s))  # of (6)
third_entry = line("third_entry", mu, ">=", third).says("the third entry of (6)").assumed()
LOG_T = line("log_T", log_T, "=", sp.log(4 * T / omega)).says("log_T = log(4 T / omega)").defined(signs=(paper.ENOUGH_TRIES.name,))


def lemma5() -> Derivation:
    """Take the tail (11) at the length of (73), a union over T estimates, and (6) for the length."""
    exponent = err_length**2 / (2 * (C * psi) ** 2)
    return proved(
        "lemma5",
        "every estimate is within chi of its gradient",
        "Lemma 5, (73)",
        proves=LEMMA_5,
        shows={"failure": "failure"},
        signs={"log_T": (paper.ENOUGH_TRIES.name,)},
        facts=(
            third_entry,
            BELOW_ONE["omega"],
            line("err_length", err_length, "=", LENGTH).says("the length of (73)").defined("(73)"),
            line("longer", p_longer, "<=", 2 * sp.exp(-exponent))
            .says("(11): nu_t = zeta_t + xi_t is norm-subGaussian with a constant C psi")
            .cited(
                "Definition 7; each of the two is by (1) and by Lemma 10 of the paper, Corollary 3 would add a root of a logarithm of d"
            ),
            line("union", p_any, "<=", T * p_longer)
            .says("T estimates, although (79) counts T steps, and step 4 asks for one more in every escape phase")
            .reasoned("union bound"),
            line("event", err_norm, "<=", err_length).says("otherwise no error is longer").reasoned("outside an event of that probability"),
            line("largest", mu, "=", third).says("the third entry of (6) is the largest").case(),
        ),
        steps=(
            paper.ENOUGH_TRIES,
            line("exponent", exponent, ">=", sp.log(4 * T / omega))
            .says("(11) at the length of (73): its exponent is the logarithm of 4 T / omega", "insert the length")
            .identity(((err_length + LENGTH) / (2 * (C * psi) ** 2), "err_length"), (1, "log_T")),
            line("one", p_longer, "<=", omega / (2 * T))
            .says("so an error is longer with probability at most omega / (2 T)", "2 exp(-log(4 T / omega))")
            .by("longer", (omega / (2 * T), Instance("decay", ("exponent",)))),
            line("failure", p_any, "<=", omega / 2).says("T times that is omega / 2").because("union bound").by("union", (T, "one")),
            line("equal", 4 * sp.sqrt(C) * s * mu**2 * psi, "=", LENGTH)
            .says("(73): when the third entry of (6) is the largest, chi is this length: its value by (5), with that mu", "insert mu")
            .inserting("largest"),
            line("covers", chi, ">=", LENGTH)
            .says("and otherwise chi is longer", "mu is at least its third entry")
            .by((4 * sp.sqrt(C) * s * psi, "third_entry", mu + third), modulo=((1, "chi"),)),
            line("within_chi", err_norm, "<=", chi)
            .says("so every error is at most chi", "it is at most the length of (73)")
            .by("event", "covers", modulo=((-1, "err_length"),)),
            line("bound", err_norm, "<=", LENGTH)
            .says("(73): every error is at most", "the length written out")
            .by("event", modulo=((-1, "err_length"),)),
        ),
    )
