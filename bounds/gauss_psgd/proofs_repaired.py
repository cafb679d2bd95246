"""A parameter block with which the steps that fail in Lemmas 1, 4, 20 and Theorem 1 go through.

Block     eta = sqrt(rho alpha) / (M^2 iota^3), Gamma = iota / (s eta sqrt(rho alpha)), R = iota^(-3/2) sqrt(alpha / rho),
          Phi = s / (8 iota^4) sqrt(alpha^3 / rho), alpha = 4 chi, chi at least both 4 sqrt(C) s mu^2 psi and sqrt(c) s^(3/2) mu^(5/2) psi,
          mu at least log(36 d Gamma log(2 R / (eta r))) / s, log_2(40 sqrt(2) M sqrt(alpha) / (sqrt(rho) r)), the third entry of (6),
          log(4 Gamma U / (Phi omega)) / s, and 1;  s >= 80 c and s >= (160 c C)^2;  Q = 7.49 log(2 N / omega), N = 1 + U / Phi.
Source    ours, after Gauss-PSGD, Sections 4 and 5.

Against (5): one more iota under the step size and under the decrease. The powers of alpha, rho, M and psi are those of the paper. As there,
c is the constant of (31) where it bounds s, and that of (65) where it stands with psi. The errors are still martingale differences with
fresh Gaussian noise in every step, as in Theorem 1: this repairs nothing for the oracle of Algorithms 2 and 3, and it proves none of
Lemmas 10 to 13 again.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Given, NonNegative, Reasoned, Substitution
from bounds.gauss_psgd.proofs_block import (
    MENDED,
    SMALL_ALPHA,
    C,
    Gamma,
    M,
    Phi,
    R,
    T,
    U,
    alpha,
    by_block,
    c,
    chain,
    chi,
    d,
    eta,
    iota,
    line,
    mu,
    omega,
    psi,
    r,
    rho,
    s,
    words,
)
from bounds.gauss_psgd.proofs_saddle import small_step
from bounds.symbols import symbols

b, log_ratio, escapes, Q, sum_sq, omega_0 = symbols("b_frak log_ratio escapes Q sum_sq omega_0")
P_h, P_sg, p_fail, p_noise = symbols("P_h P_sg p_fail p_noise")

quarter = sp.Rational(1, 4)
scale = b * eta * r
third = (C * sp.log(4 * T / omega)) ** quarter / (2 ** sp.Rational(3, 4) * sp.sqrt(s))
per_normal_step = sp.Rational(3, 2) * eta * chi**2
reach = (
    (rho * alpha) ** (-quarter) * sp.sqrt(eta) * r / (40 * sp.sqrt(2))
)  # b(Gamma) eta r / 40 over the growth, at gamma = sqrt(rho alpha)
NOISE_LIMIT = alpha / (4 * s ** sp.Rational(3, 2) * mu ** sp.Rational(5, 2))  # at least sqrt(c) psi
FOUR_PARTS = 4 * Gamma * U / (Phi * omega)


def mended(*letters: sp.Symbol) -> dict[sp.Symbol, sp.Expr]:
    """Return the values of these letters in the repaired block."""
    return {letter: MENDED[letter] for letter in letters}


def repaired_block() -> Derivation:
    """Write the proof out."""
    return chain(
        "repaired_block",
        "a parameter block that repairs Lemmas 1, 4, 20 and the union of Theorem 1",
        "ours",
        *identities(),
        *lemma20(),
        *lemma1(),
        *lemma4(),
        *union(),
    )


def identities() -> list:
    """Return what the block makes of the products that the proofs use."""
    below_one = rho * alpha / (M**2 * s**2 * mu**3)
    return [
        by_block("the growth of a round is mu still", eta * Gamma * sp.sqrt(rho * alpha), mu, MENDED, "insert the block"),
        by_block("the factor of P_h", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s, MENDED, "insert the block"),
        by_block(
            "the factor of P_sg, with both roots of iota", eta * M * sp.sqrt(Gamma) * iota, 1 / sp.sqrt(s), MENDED, "insert the block"
        ),
        by_block("what the distance of an escape is worth", R**2 / (4 * eta * Gamma), 2 * Phi, MENDED, "insert the block"),
        by_block("the number that compares iota with Gamma", s * eta * sp.sqrt(rho * alpha), below_one, MENDED, "insert the block"),
        line(
            "so Gamma >= iota",
            Gamma,
            ">=",
            iota,
            "rho alpha <= M^2",
            NonNegative(
                ((MENDED[Gamma], 1 - below_one),),
                given=(Given(1 - below_one, "rho alpha <= M^2, s >= 1, mu >= 1"),),
                at=mended(Gamma, iota),
            ),
            ranges={**SMALL_ALPHA, Gamma: (MENDED[Gamma], MENDED[Gamma]), iota: (s * mu, s * mu)},
        ),
        by_block(
            "the count of steps that decrease F",
            U * Gamma / Phi,
            8 * U * M**2 * s**6 * mu**8 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2)),
            MENDED,
            "insert the block",
        ),
        by_block(
            "a step of a round that succeeds decreases F by less than a normal step",
            Phi / Gamma / per_normal_step,
            sp.Rational(4, 3) / (s**3 * mu**5),
            MENDED,
            "insert the block",
        ),
        small_step(3),
    ]


def lemma20() -> list:
    """Return the steps of Lemma 20 from (40) on."""
    given = Given(sp.sqrt(s) - 160 * c * C, "s >= (160 c C)^2")
    return [
        line(
            "Lemma 20: P_h is at most b eta r / 40",
            2 * c * eta * rho * R * Gamma * sp.sqrt(iota) * scale,
            "<=",
            scale / 40,
            "s >= 80 c",
            NonNegative(
                ((MENDED[eta] * b * r / (40 * s), s - 80 * c),),
                given=(Given(s - 80 * c, "s is large enough"),),
                at=mended(eta, R, Gamma, iota),
            ),
            ranges={s: (80 * c, 10**6 * c), **{letter: (MENDED[letter],) * 2 for letter in (eta, R, Gamma, iota)}},
        ),
        words(
            "a sampling error is norm-subGaussian with 2 M ||x_hat||; ||x_hat|| <= 2 c b eta r sqrt(iota), and <= 2 R on E",
            "M-smoothness of every sample and of F",
            Reasoned(
                "so Lemma 12 applies with B = 16 a^2 eta^2 M^2 R^2 and b = 4 a^2 eta^2 M^2 eta^2 r^2: log(B/b) = 2 log(2 R / (eta r))"
            ),
        ),
        line(
            "Lemma 12 then bounds P_sg by",
            C * sp.sqrt(sum_sq * iota),
            "=",
            4 * c * C * eta * M * sp.sqrt(Gamma) * iota * scale,
            "at most Gamma terms",
            Substitution({sum_sq: Gamma * (eta * 2 * M * 2 * c * scale * sp.sqrt(iota)) ** 2}),
        ),
        line(
            "which is at most b eta r / 40",
            4 * c * C * eta * M * sp.sqrt(Gamma) * iota * scale,
            "<=",
            scale / 40,
            "s >= (160 c C)^2",
            NonNegative(
                ((MENDED[eta] * b * r / (40 * sp.sqrt(s)), sp.sqrt(s) - 160 * c * C),), given=(given,), at=mended(eta, Gamma, iota)
            ),
            ranges={
                c: (1e-3, 1),
                C: (1e-3, 1),
                s: (1 + (160 * c * C) ** 2, 10**6 + (160 * c * C) ** 2),
                **{letter: (MENDED[letter],) * 2 for letter in (eta, Gamma, iota)},
            },
        ),
        line(
            "and both together by b eta r / 20; here the letters are norms",
            P_h + P_sg,
            "<=",
            scale / 20,
            "(34) at t + 1",
            NonNegative(
                ((scale / 40 - P_h,), (scale / 40 - P_sg,)),
                given=(Given(scale / 40 - P_h, "step 10"), Given(scale / 40 - P_sg, "step 13")),
            ),
            ranges={P_h: (0, scale / 40), P_sg: (0, scale / 40)},
        ),
    ]


def lemma1() -> list:
    """Return the steps of Lemma 1, with events intersected instead of conditioned on."""
    failure = 6 * d * Gamma * log_ratio * sp.exp(-iota)
    return [
        line(
            "Lemma 1: the failure of Lemma 20, log_ratio now log(2 R / (eta r))",
            failure,
            "<=",
            sp.Rational(1, 6),
            "the first entry of mu",
            NonNegative(
                ((6 * d * Gamma * log_ratio, 1 / (36 * d * Gamma * log_ratio) - sp.exp(-iota)),),
                given=(Given(1 / (36 * d * Gamma * log_ratio) - sp.exp(-iota), "iota >= log(36 d Gamma log(2 R / (eta r)))"),),
            ),
            ranges={iota: (sp.log(36 * d * Gamma * log_ratio), 50 + sp.log(36 * d * Gamma * log_ratio))},
        ),
        words(
            "on E one of two things happens: P_h + P_sg is too large at some t, or P_p(Gamma) is too small",
            "otherwise a run is at distance R after Gamma steps, by the next three steps",
            Reasoned("intersection of events; nothing is conditioned on the future"),
        ),
        line(
            "otherwise the larger distance is b(Gamma) eta r / 40; at the smallest curvature that is",
            b * eta * r / 40,
            "=",
            2**mu * reach,
            "b(Gamma) with (1 + eta gamma)^Gamma >= 2^mu put in; Lemma 1, steps 11 and 12: it is smallest there",
            Substitution({b: 2**mu / sp.sqrt(2 * eta * sp.sqrt(rho * alpha))}),
        ),
        by_block("in units of R", reach / R, sp.sqrt(rho) * r / (40 * sp.sqrt(2) * M * sp.sqrt(alpha)), MENDED, "insert the block"),
        line(
            "so it is at least R",
            2**mu * sp.sqrt(rho) * r / (40 * sp.sqrt(2) * M * sp.sqrt(alpha)),
            ">=",
            1,
            "the second entry of mu",
            NonNegative(
                (
                    (
                        sp.sqrt(rho) * r / (40 * sp.sqrt(2) * M * sp.sqrt(alpha)),
                        2**mu - 40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(rho) * r),
                    ),
                ),
                given=(Given(2**mu - 40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(rho) * r), "the second entry of mu"),),
            ),
            ranges={r: (40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(rho) * 2**mu), 1000 + 80 * M * sp.sqrt(alpha) / sp.sqrt(rho))},
        ),
        line(
            "hence one of the two runs escapes with probability at least 1/2",
            1 - (p_fail + (1 - p_noise)),
            ">=",
            sp.Rational(1, 2),
            "step 15, and Lemma 19 (32) at t = Gamma",
            NonNegative(
                ((sp.Rational(1, 6) - p_fail,), (p_noise - sp.Rational(2, 3),)),
                given=(Given(sp.Rational(1, 6) - p_fail, "step 15"), Given(p_noise - sp.Rational(2, 3), "Lemma 19 (32)")),
            ),
            ranges={p_noise: (0.66666667, 1), p_fail: (0, 0.16666666)},
        ),
        line("more than Lemma 1 claims", sp.Rational(1, 2), ">", quarter, "numbers", NonNegative(((quarter,),))),
    ]


def lemma4() -> list:
    """Return the steps of Lemma 4 from (70) on, and Lemma 5."""
    room = Given(NOISE_LIMIT - sp.sqrt(c) * psi, "chi >= sqrt(c) s^(3/2) mu^(5/2) psi")
    known = mended(eta, Gamma, Phi)
    left = 2 * s * mu / (s * sp.sqrt(rho * alpha))  # 2 eta Gamma
    return [
        line(
            "Lemma 4: the noise term of (70) is at most Phi",
            2 * c * eta * psi**2 * Gamma,
            "<=",
            Phi,
            "sqrt(c) psi is at most alpha / (4 s^(3/2) mu^(5/2))",
            NonNegative(((left, NOISE_LIMIT - sp.sqrt(c) * psi, NOISE_LIMIT + sp.sqrt(c) * psi),), given=(room,), at=known),
            ranges={
                psi: (NOISE_LIMIT / sp.sqrt(c) / 10**6, NOISE_LIMIT / sp.sqrt(c)),
                **{letter: (value,) * 2 for letter, value in known.items()},
            },
        ),
        line(
            "so the round decreases F by Phi",
            R**2 / (4 * eta * Gamma) - c * eta * psi**2 * (Gamma + iota),
            ">=",
            Phi,
            "the first term is 2 Phi, and iota <= Gamma",
            NonNegative(
                ((Phi - 2 * c * eta * psi**2 * Gamma,), (c * eta * psi**2, Gamma - iota)),
                given=(Given(Phi - 2 * c * eta * psi**2 * Gamma, "step 22"), Given(Gamma - iota, "step 6")),
                at=mended(R, eta, Gamma, iota, Phi),
            ),
            ranges={
                **SMALL_ALPHA,
                psi: (NOISE_LIMIT / sp.sqrt(c) / 10**6, NOISE_LIMIT / sp.sqrt(c)),
                **{letter: (value,) * 2 for letter, value in mended(R, eta, Gamma, iota, Phi).items()},
            },
        ),
        line(
            "Lemma 5: chi covers every error",
            alpha / 4,
            ">=",
            C * sp.sqrt(2 * sp.log(4 * T / omega)) * psi,
            "chi >= 4 sqrt(C) s mu^2 psi, and mu is at least the third entry of (6)",
            NonNegative(
                ((alpha / 4 - 4 * sp.sqrt(C) * s * mu**2 * psi,), (4 * sp.sqrt(C) * s * psi, mu - third, mu + third)),
                given=(
                    Given(alpha / 4 - 4 * sp.sqrt(C) * s * mu**2 * psi, "chi >= 4 sqrt(C) s mu^2 psi"),
                    Given(mu - third, "the third entry of mu"),
                    Given(mu + third, "mu >= 1"),
                ),
            ),
            ranges={mu: (third, 100 * third), alpha: (16 * sp.sqrt(C) * s * mu**2 * psi, 10**6 * sp.sqrt(C) * s * mu**2 * psi)},
        ),
    ]


def union() -> list:
    """Return the sum of all probabilities of failure."""
    tail = sp.exp(-iota)
    rounds = sp.Rational(749, 100) * sp.log(2 * escapes / omega)
    return [
        line(
            "Theorem 1: Lemma 4 may fail at each of Gamma lengths of each of U / Phi escapes",
            2 * Gamma * U / Phi * tail,
            "<=",
            omega / 2,
            "the fourth entry of mu",
            NonNegative(
                ((2 * Gamma * U / Phi, 1 / FOUR_PARTS - tail),),
                given=(Given(1 / FOUR_PARTS - tail, "iota >= log(4 Gamma U / (Phi omega))"),),
            ),
            ranges={iota: (sp.log(FOUR_PARTS), 50 + sp.log(FOUR_PARTS)), Phi: (1e-6, U)},
        ),
        line(
            "Lemma 2: Q rounds fail together with probability at most omega / (2 N), N = 1 + U / Phi; in logarithms",
            Q * sp.log(sp.Rational(8, 7)),
            ">=",
            sp.log(2 * escapes / omega),
            "7.49 log(8/7) >= 1",
            NonNegative(
                ((sp.log(2 * escapes / omega), sp.Rational(749, 100) * sp.log(sp.Rational(8, 7)) - 1),),
                given=(Given(sp.log(2 * escapes / omega), "N >= 1 > omega"),),
                at={Q: rounds},
            ),
            ranges={Q: (rounds, rounds)},
        ),
        line(
            "so N phases with omega / 2",
            escapes * omega_0,
            "=",
            omega / 2,
            "union bound",
            Substitution({omega_0: omega / (2 * escapes)}),
        ),
        words(
            "with Lemma 5 that is 3 omega / 2 in all: run with two thirds of omega",
            "omega/2 each for Lemma 4, for the phases and for the estimates",
            Reasoned("union bound"),
        ),
        words(
            "the phase that ends the run returns the saddle it started from, not its last iterate",
            "only there do Lemma 5 and the test hold",
            Reasoned("a change of step 20 of Algorithm 1"),
        ),
    ]
