"""A parameter block with which the steps that fail in Lemmas 1, 4, 20 and Theorem 1 go through.

Block     Gamma an integer of at least M^2 iota^3 mu / (rho alpha), eta = mu / (Gamma sqrt(rho alpha)), R = iota^(-3/2) sqrt(alpha / rho),
          Phi = s / (8 iota^4) sqrt(alpha^3 / rho), alpha = 4 chi, chi at least both 4 sqrt(C) s mu^2 psi and sqrt(c) s^(3/2) mu^(5/2) psi,
          mu at least log(36 d Gamma log(2 R / (eta r))) / s, log_2(40 sqrt(2) R (rho alpha)^(1/4) / (sqrt(eta) r)), the third entry of
          (6) with the T below, log(4 Q N / omega) / s, and 1;  s >= 80 c_31 and s >= (160 c_31 C)^2, c_31 >= 2 sqrt(2) the c of (31);
          Q an integer with (8/7)^Q >= 2 N / omega, N = 1 + U / Phi;  T = N (Q Gamma + 1) gradient estimates at most.
Source    ours, after Gauss-PSGD, Sections 4 and 5.

Against (5): one more iota under the step size and under the decrease. The powers of alpha, rho, M and psi are those of the paper. c is the
constant of (65). The errors are still martingale differences with fresh Gaussian noise in every step, as in Theorem 1: this repairs nothing
for the oracle of Algorithms 2 and 3, and it proves none of Lemmas 10 to 13 again.

Q, N, Gamma, eta and T depend on mu, and mu must be at least entries that depend on them. The proof takes any mu that is; that there is
one, and how one is found, is said in `bounds.gauss_psgd.fixed_point`. `proofs_theorem1` has the entries of `gauss_psgd.repaired` for the
block that is rounded.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import (
    GIVENS,
    Assumed,
    Cited,
    Defined,
    Derivation,
    NonNegative,
    Reasoned,
    Step,
    Substitution,
    fact,
    line,
    words,
)
from bounds.gauss_psgd.proofs_block import (
    MENDED,
    REPAIRED,
    SPELLED,
    STANDING,
    C,
    Gamma,
    M,
    Phi,
    Q,
    R,
    U,
    alpha,
    block_lines,
    chi,
    d,
    eta,
    iota,
    mu,
    omega,
    r,
    rho,
    s,
)
from bounds.gauss_psgd.proofs_escape import c_31, scale
from bounds.gauss_psgd.proofs_growth import NEEDED, PER_MU, along_the_saddle, farther, p_noise, reach, rest_last
from bounds.gauss_psgd.proofs_growth import b as b_last
from bounds.gauss_psgd.proofs_others import hessian_part, hessian_step, sampling_part, size, stays_close, sum_sq, up_to_41
from bounds.gauss_psgd.proofs_repaired_run import escapes, run_facts, run_steps
from bounds.gauss_psgd.proofs_rounds import p_one, p_pair
from bounds.symbols import Letter, introduce, symbols

p_fail, scale_high, scale_low, a_sq, Gamma_whole, Q_whole = symbols("p_fail scale_high scale_low a_t_sq Gamma_whole Q_whole")
eta_whole = introduce(Letter("eta_whole", r"\eta'", "step size that goes with the whole number of steps", 1e-15, 1e2, "proof"))
ROUNDED_UP = {eta: eta_whole, Gamma: Gamma_whole, Q: Q_whole}
log_far = introduce(
    Letter("log_far", r"\Lambda_{\mathcal{R}}", "logarithm of twice the distance of an escape over the noise of a step", 1e-3, 60, "proof")
)
rest_next = size("rest_next", r"\|\mathscr{P}_h(t+1)+\mathscr{P}_{sg}(t+1)\|", "size of the others together, one step later")
p_step = introduce(Letter("p_step", r"\mathbb{P}(\text{a step of (34) fails})", "that one step of (34) fails", 0, 1, "probability"))

root, tail = sp.sqrt(rho * alpha), sp.exp(-iota)
per_normal_step = sp.Rational(3, 2) * eta * chi**2
LEAST_ROUND = MENDED[Gamma]  # M^2 s^3 mu^4 / (rho alpha)
WHOLE = {  # Gamma is any number of at least LEAST_ROUND, eta smaller by the factor by which it is longer
    iota: REPAIRED[iota],
    alpha: 4 * chi,
    eta: mu / (Gamma * root),
    R: REPAIRED[R],
    Phi: REPAIRED[Phi],
}
FOUR_PARTS = 4 * Q * escapes / omega
INSERT = "insert the block"


def repaired_block() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="gauss_psgd.repaired_block",
        title="a parameter block that repairs Lemmas 1, 4, 20 and the union of Theorem 1",
        source="ours; after Lemma 1, Corollary 1, Lemma 2, Lemma 4, Lemma 5, Lemma 20 and Theorem 1 of Gauss-PSGD",
        spelled={**SPELLED, "P_h": hessian_part, "P_sg": sampling_part},
        instances=(ROUNDED_UP,),
        facts=(*_parameters(), *stays_close(c_31, sp.Integer(2)), *along_the_saddle(), *_of_lemmas_1_and_20(), *run_facts()),
        steps=(*_identities(), *_lemma20(), *_lemma1(), *run_steps(per_normal_step)),
    )


def _parameters() -> tuple[Step, ...]:
    """Return the block and the entries of mu that Lemmas 1, 4 and 20 need."""
    return (
        *block_lines(WHOLE, "the repaired block"),
        STANDING,
        fact("long", "Gamma is rounded up", Gamma, ">=", LEAST_ROUND, Assumed()),
        fact("large_s", "s is large enough", s, ">=", 80 * c_31, Assumed()),
        fact("larger_s", "s is large enough", s, ">=", (160 * c_31 * C) ** 2, Assumed()),
        fact("log_far", "the logarithm of the first entry", log_far, "=", sp.log(2 * R / (eta * r)), Defined(signs=("far",))),
        fact("far", "2 R >= e eta r", sp.log(2 * R / (eta * r)), ">=", 1, Assumed()),
        fact("first_entry", "iota >= log(36 d Gamma log(2 R / (eta r)))", tail, "<=", 1 / (36 * d * Gamma * log_far), Assumed()),
        fact("second_entry", "the second entry of mu", 2**mu, ">=", NEEDED, Assumed()),
        fact("fourth_entry", "iota >= log(4 Q N / omega)", tail, "<=", 1 / FOUR_PARTS, Assumed()),
    )


def _of_lemmas_1_and_20() -> tuple[Step, ...]:
    """Return what Lemmas 20 and 1 take besides."""
    lemma_12 = Cited("Lemma 12 and Lemma 19 (31) of the paper", using=("scales",))
    return (
        fact("scale_high", "B of Lemma 12: no difference is above 2 R", scale_high, "=", 16 * a_sq * eta**2 * M**2 * R**2, Defined()),
        fact("scale_low", "b of Lemma 12", scale_low, "=", 4 * a_sq * eta**2 * M**2 * eta**2 * r**2, Defined()),
        fact("others", "the two parts at t + 1", rest_next, "<=", hessian_part + sampling_part, Reasoned("triangle inequality")),
        fact(
            "rest",
            "(34) at t = Gamma",
            rest_last,
            "<=",
            b_last * eta * r / 20,
            Reasoned("induction: at t = 0 and 1 the two parts are 0, from t to t + 1 it holds, and b grows with t", using=("at_next",)),
        ),
        fact(
            "step_fails",
            "(34) fails from t to t + 1: Lemma 12 with log(B/b) = 2 log(2 R / (eta r)), and (31)",
            p_step,
            "<=",
            4 * d * log_far * tail + 2 * tail,
            lemma_12,
        ),
        fact("union", "at most Gamma steps", p_fail, "<=", Gamma * p_step, Reasoned("union bound")),
        fact(
            "one_escapes",
            "a run of two escapes unless P_h + P_sg is too large at some t, or P_p(Gamma) too small",
            p_pair,
            ">=",
            1 - (p_fail + (1 - p_noise)),
            Reasoned("intersection of events; nothing is conditioned on the future", using=("escapes",)),
        ),
        fact("single_run", "Corollary 1: P(one of two escapes) <= 2 P(one run escapes)", p_pair, "<=", 2 * p_one, Reasoned("union bound")),
    )


def _identities() -> tuple[Step, ...]:
    """Return what the block makes of the products that the proofs use; only the product eta Gamma is the same for every Gamma."""
    least_root = sp.sqrt(LEAST_ROUND)
    over_iota = M**2 * s**2 * mu**3 / (rho * alpha)
    count = 8 * U * M**2 * s**6 * mu**8 / (sp.sqrt(rho) * alpha ** sp.Rational(5, 2))

    def equal(name: str, statement: str, lhs: sp.Expr, rhs: sp.Expr, *at: str) -> Step:
        return line(name, statement, lhs, "=", rhs, INSERT, Substitution(at))

    return (
        equal("growth", "the growth of a round of Gamma steps is mu still", eta * Gamma * root, mu, "eta"),
        equal("factor_h", "the factor of P_h, with R and Gamma", eta * rho * R * Gamma * sp.sqrt(iota), 1 / s, "eta", "radius", "iota"),
        line(
            "factor_sg",
            "the factor of P_sg, with both roots of iota",
            eta * M * sp.sqrt(Gamma) * iota,
            "<=",
            1 / sp.sqrt(s),
            "Gamma is at least M^2 iota^3 mu / (rho alpha)",
            NonNegative(
                ((1 / (sp.sqrt(s * Gamma) * (sp.sqrt(Gamma) + least_root)), "long"),),
                at=("iota",),
                modulo=((-M * sp.sqrt(Gamma) * iota, "eta"),),
            ),
            where=GIVENS,
        ),
        equal("worth", "what the distance R of an escape is worth", R**2 / (4 * eta * Gamma), 2 * Phi, "eta", "radius", "decrease", "iota"),
        equal("over_iota", "the least Gamma over iota", LEAST_ROUND / iota, over_iota, "iota"),
        line(
            "few",
            "so Gamma >= iota",
            Gamma,
            ">=",
            iota,
            "rho alpha <= M^2, s >= 1, mu >= 1",
            NonNegative(
                (
                    ("long",),
                    (iota * M**2 * (s + 1) * mu**3 / (rho * alpha), "s >= 1"),
                    (iota * M**2 * (mu**2 + mu + 1) / (rho * alpha), "log_factor >= 1"),
                    (iota / alpha, "standing"),
                ),
                modulo=((iota, "over_iota"),),
            ),
            where=GIVENS,
        ),
        equal("count", "the count of steps that decrease F, at the least Gamma, in Phi", U * LEAST_ROUND / Phi, count, "decrease", "iota"),
        equal(
            "share",
            "a step of a round that succeeds decreases F by less than a normal step, Phi / Gamma over that",
            Phi / Gamma / per_normal_step,
            sp.Rational(4, 3) / (s**3 * mu**5),
            "decrease",
            "eta",
            "iota",
            "accuracy",
        ),
        line(
            "small_step",
            "eta <= 1/M, which the descent lemma needs",
            eta,
            "<=",
            1 / M,
            "Gamma is long enough, M >= sqrt(rho alpha)",
            NonNegative(
                (
                    (1 / (M * Gamma), "long"),
                    (mu * M * mu**3 * (s**2 + s + 1) / (Gamma * rho * alpha), "s >= 1"),
                    (mu * M * (mu**2 + mu + 1) / (Gamma * rho * alpha), "log_factor >= 1"),
                    (mu / (Gamma * alpha * (M + root)), "standing"),
                ),
                modulo=((-1, "eta"),),
            ),
            where=GIVENS,
        ),
    )


def _lemma20() -> tuple[Step, ...]:
    """Return the steps of Lemma 20."""
    factor = eta * M * sp.sqrt(Gamma) * iota
    share = 4 * c_31 * C * scale
    return (
        *up_to_41(c_31),
        hessian_step(c_31, "factor_h"),
        words(
            "twice_smooth",
            "a sampling error is norm-subGaussian with 2 M ||x_hat||; ||x_hat|| <= 2 c b eta r sqrt(iota), and <= 2 R on E",
            "M-smoothness of every sample and of F",
            Reasoned("so Lemma 12 applies with B and b as above", using=("distance",)),
        ),
        line(
            "scales",
            "B over b of Lemma 12, the scales of its sum, is the square of 2 R / (eta r)",
            scale_high,
            "=",
            scale_low * (2 * R / (eta * r)) ** 2,
            "insert both",
            Substitution(("scale_high", "scale_low")),
        ),
        line(
            "two_roots",
            "Lemma 12: one root of iota from the distance, one from the lemma (constant C of the lemma apart)",
            sp.sqrt(sum_sq * iota),
            "=",
            4 * c_31 * factor * scale,
            "insert the squared constants",
            Substitution(("sum_sq", "most_apart")),
        ),
        line(
            "sampling_part",
            "so the part P_sg of sampling is at most b eta r / 40",
            sampling_part,
            "<=",
            scale / 40,
            "s >= (160 c C)^2",
            NonNegative(
                (("lemma_12",), (share, "factor_sg"), (scale / (40 * sp.sqrt(s) * (sp.sqrt(s) + 160 * c_31 * C)), "larger_s")),
                modulo=((-C, "two_roots"),),
            ),
            where=GIVENS,
        ),
        line(
            "at_next",
            "(34) at t + 1: the two others together are at most b eta r / 20",
            rest_next,
            "<=",
            scale / 20,
            "both parts",
            NonNegative((("others",), ("hessian_part",), ("sampling_part",))),
            where=GIVENS,
        ),
        line(
            "failure_of_lemma_20",
            "the failure of Lemma 20 in a round",
            p_fail,
            "<=",
            sp.Rational(1, 6),
            "the first entry of mu; 4 d log + 2 <= 6 d log",
            NonNegative(
                (
                    ("union",),
                    (Gamma, "step_fails"),
                    (2 * Gamma * tail * log_far, "d >= 1"),
                    (2 * Gamma * tail, "far"),
                    (6 * d * Gamma * log_far, "first_entry"),
                ),
                modulo=((2 * Gamma * tail, "log_far"),),
            ),
            where=GIVENS,
        ),
    )


def _lemma1() -> tuple[Step, ...]:
    """Return the steps of Lemma 1 and Corollary 1, with events intersected instead of conditioned on."""
    return (
        *reach(),
        line(
            "in_units_of_R",
            "R over that reach, at the least Gamma",
            (R / PER_MU).xreplace({eta: mu / (LEAST_ROUND * root)}),
            "=",
            40 * sp.sqrt(2) * M * sp.sqrt(alpha) / (sp.sqrt(rho) * r),
            INSERT,
            Substitution(("radius", "iota")),
        ),
        line(
            "escapes",
            "so the farther run is at least at R",
            farther,
            ">=",
            R,
            "the second entry of mu",
            NonNegative((("at_smallest",), (PER_MU, "second_entry"))),
            where=GIVENS,
        ),
        line(
            "one_of_two",
            "hence one of the two runs escapes with probability at least 1/2",
            p_pair,
            ">=",
            sp.Rational(1, 2),
            "Lemma 20, and Lemma 19 (32) at t = Gamma",
            NonNegative((("one_escapes",), ("failure_of_lemma_20",), ("likely",))),
            where=GIVENS,
        ),
        line(
            "one_run",
            "Corollary 1: one run escapes with probability at least 1/8, twice of which Lemma 1 claims for a run of two",
            p_one,
            ">=",
            sp.Rational(1, 8),
            "half of a half is more",
            NonNegative(((sp.Rational(1, 2), "single_run"), (sp.Rational(1, 2), "one_of_two"), (sp.Rational(1, 8),))),
            where=GIVENS,
        ),
    )
