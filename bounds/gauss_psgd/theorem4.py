"""Choosing among the iterates: Theorem 4, as far as it holds, and Remark 4.

Setting   Algorithm 4 on m clients with n held-out samples each; T gradients and T Hessians are released, and one of T iterates is an
          alpha-stationary point. omega is the paper's omega'.
Measure   the accuracy of the selected iterate, and how large d may be for it to be of the same order.
Source    Gauss-PSGD, Algorithm 4, Theorem 4, (122) to (143), Remark 4; Lemmas 14 to 16, Definition 8.

Thresholds and noise with the constants that make the statement true are in `bounds.gauss_psgd.selection`.
"""

from typing import Any

import sympy as sp

from bounds.derivation import Derivation
from bounds.gauss_psgd.meanings import BELOW_ONE
from bounds.gauss_psgd.paper import ASSUMPTION_1, CLASSICAL, SYMBOLS, TILDE, letters, proved, stated
from bounds.gauss_psgd.selection import printed_allowances
from bounds.inequalities import Instance
from bounds.lines import Step, line
from bounds.meanings import DELTA_BELOW_ONE
from bounds.pages import chance
from bounds.symbols import Min, introduce
from bounds.symbols import sigma as spread
from bounds.theorem import Condition, Part

alpha, d, delta, epsilon, G, m, M, n, omega, rho, sensitivity, T = letters("alpha d delta epsilon G m M n omega rho sensitivity T")
(N,) = letters("N_private")

reach = sp.sqrt(m) * n * epsilon
GRADIENT, HESSIAN = printed_allowances(n=n, d=d, epsilon=epsilon, delta=delta, L=G, ell=M, T=T, m=m, omega=omega, functions=SYMBOLS)


def noise_terms(N: Any) -> tuple[Any, Any, Any]:
    """Return the fifth to seventh term of (143), N being sqrt(m) n epsilon."""
    one = sp.sqrt(d) / (N * alpha ** sp.Rational(5, 4))
    return one, d / (N * alpha ** sp.Rational(3, 4)), d * one**2


def selected(cross: Any) -> Any:
    """Return (143) with a given cross term of accuracy and sampling."""
    return alpha + 1 / (m * n) + 1 / sp.sqrt(m * n) + cross + sum(noise_terms(reach))


# the square of the Hessian test with T = accuracy^(-5/2), which is where the cross terms come from
HESSIAN_NOISE = d / (reach * alpha ** sp.Rational(5, 4))
HESSIAN_SQUARED = sp.expand((sp.sqrt(alpha) + 1 / sp.sqrt(m * n) + HESSIAN_NOISE) ** 2)

THEOREM_4 = stated(
    "Theorem 4 (private selection)",
    "(143)",
    claim="rate",
    measure="accuracy of the selected iterate",
    method="gauss_psgd",
    assumptions=(*ASSUMPTION_1, "one of the T iterates is an accuracy-stationary point", "T is of the order of accuracy^(-5/2)"),
    bound=selected(alpha / sp.sqrt(m * n)),
    parts=(
        Part("cross term", "the same with the cross term that the square gives", "O", selected(sp.sqrt(alpha / (m * n)))),
        Part("gradient", "largest noisy gradient norm that passes", "=", alpha + GRADIENT),
        Part("hessian", "least eigenvalue of a noisy Hessian that passes", "=", -sp.sqrt(rho * alpha) - HESSIAN),
    ),
    conditions=(
        CLASSICAL,
        Condition(
            sp.Ge(m * n, sp.Rational(4, 9) * sp.log(8 * d / omega)), "m n = {value} is below (4/9) log(8 d/omega) = {limit} of (125)"
        ),
    ),
    notes=(
        TILDE,
        "by Lemma 16, which the paper cites, c_1 and c_2 grow with T and 1/delta; by zCDP or exact accounting they do not grow with T",
        "the printed thresholds have no constants, so that a true stationary point need not pass",
        "the concentration is for one iterate; for the selected one it must hold for all T",
    ),
)
REMARK_4 = stated(
    "Remark 4 (dimensions for which selection is free)",
    measure="d",
    method="gauss_psgd",
    assumptions=("accuracy = (sqrt(d)/(sqrt(m) n epsilon))^(2/5), its privacy part alone",),
    bound=Min(reach**2, reach ** sp.Rational(6, 13)),
    parts=(
        Part("term 5", "d for which the fifth term of (143) is at most the accuracy", "<=", reach**2),
        Part("terms 6, 7", "d for which the sixth and the seventh are", "<=", reach ** sp.Rational(6, 13)),
    ),
    notes=(TILDE, "the smaller of the two is the second wherever sqrt(m) n epsilon >= 1"),
)
log_event = introduce("log_event", r"\Lambda_\omega", "logarithm of 16 d over omega", 1e-3, 100, "abbreviation")
log_delta = introduce("log_delta", r"\Lambda_\delta", "logarithm of 1 over delta", 1e-3, 100, "abbreviation")
bernstein = introduce("bernstein", "x", "exponent of the matrix Bernstein inequality", 1e-9, 1e9, "proof")
p_hessian = chance("p_hessian", r"\text{Hessian off}", "that the Hessians deviate more")
v = introduce("per_square", "v", "the twentieth root of d over N^2", 1e-9, 1e3, "proof")
w = introduce("per_limit", "w", "the twentieth root of d over N^(6/13)", 1e-9, 1e3, "proof")
EVENT = sp.log(16 * d / omega)  # the paper has 8 d: Lemma 14 lacks a factor 2 (printed_lemma14)
SHARE = sp.sqrt(EVENT / (m * n))
share = SHARE.xreplace({EVENT: log_event})
DEVIATION = 4 * M * share
ONE_EPSILON = epsilon / (2 * sp.sqrt(2 * (2 * T) * sp.log(2 / delta)))  # Lemma 16 for 2 T releases
ONE_DELTA = delta / (2 * (2 * T))
NOISE_BY_LEMMA_16 = sensitivity / ONE_EPSILON * sp.sqrt(2 * sp.log(sp.Rational(5, 4) / ONE_DELTA))
COMPOSED = 128 * sp.log(2 / delta) * sp.log(5 * T / delta) / sp.log(1 / delta)  # the c_1 that Lemma 16 and Definition 8 ask for
ACCURACY_OF_N = (sp.sqrt(d) / N) ** sp.Rational(2, 5)
edge = N ** sp.Rational(6, 13)
FIFTH, SIXTH, SEVENTH = noise_terms(N)


def theorem4() -> Derivation:
    """Matrix Bernstein for the Hessians, the noise that composition asks for, and the cross terms of (143)."""
    of = sp.Rational
    spare = log_event / (8 + of(16, 3) * share), of(16, 3), 9 / (4 * m * n * (of(3, 2) + share)), "enough_samples"
    return proved(
        "theorem4",
        "the accuracy of the point that is selected, as far as the proof goes",
        "Theorem 4, (122) to (143), Lemma 16",
        facts=(
            line("log_event", log_event, "=", EVENT)
            .says("the logarithm of the events (123) to (126), with 16 d")
            .defined(signs=("many_events",)),
            BELOW_ONE["omega"],
            DELTA_BELOW_ONE,
            line("log_delta", log_delta, "=", sp.log(1 / delta)).says("log(1/delta)").defined(signs=("delta < 1",)),
            line("bernstein", bernstein, "=", (m * n * DEVIATION) ** 2 / (2 * (4 * m * n * M**2 + 2 * M * m * n * DEVIATION / 3)))
            .says("the exponent for m n Hessians: B = 2 M, sigma^2 <= 4 m n M^2, t = m n times 4 M sqrt(log(16 d/omega) / (m n))")
            .defined(),
            line("enough_samples", m * n, ">=", sp.Rational(4, 9) * log_event).says("m n >= (4/9) log(16 d / omega)").assumed(),
            line("lemma_14", p_hessian, "<=", 2 * d * sp.exp(-bernstein))
            .says(
                "(125): a sum of independent centred matrices of norm at most B is longer than t with probability at most "
                "2 d exp(-t^2 / (2 (sigma^2 + B t/3)))"
            )
            .cited("Tropp (2012), User-friendly tail bounds for sums of random matrices, Theorem 1.4; Lemma 14 of the paper lacks the 2"),
            line("sensitivity", sensitivity, "=", 2 * G / n).says("one sample of n is replaced").reasoned("gradients are at most G long"),
            line("sigma", spread, "=", G * sp.sqrt(T * log_delta) / (n * epsilon)).says("as printed, c_1 = 1").defined("Algorithm 4"),
            line("T", T, "=", alpha ** sp.Rational(-5, 2)).says("T is of the order of alpha^(-5/2)").defined("Theorem 4"),
        ),
        steps=(
            line("many_events", 16 * d / omega, ">", 1)
            .says("16 d / omega is above 1", "omega < 1 <= d")
            .by((16 / omega, "d >= 1"), (1 / omega, "omega < 1"), 15 / omega),
            line("exponent", bernstein, "=", 16 * log_event / (8 + of(16, 3) * share))
            .says("(125): the exponent, multiplied out", "insert")
            .inserting("bernstein"),
            line("large_exponent", bernstein, ">=", EVENT)
            .says("is at least the logarithm under the condition of the theorem: the exponent", "8 >= (16/3) sqrt(log(16 d/omega) / (m n))")
            .by(spare, modulo=((1, "exponent"), (1, "log_event"))),
            line("an_eighth", p_hessian, "<=", omega / 8)
            .says("which leaves an eighth of omega for the Hessians", "2 d exp(-log(16 d / omega))")
            .by("lemma_14", (omega / 8, Instance("decay", ("large_exponent",)))),
            line("thresholds")
            .says("Algorithm 4 has 1 for the 4 in front (printed_bernstein), and no constants c_1, c_2 in its allowance for the noise")
            .because("a true stationary point need not pass the test")
            .reasoned("comparison of the thresholds with the deviations"),
            line("composed", NOISE_BY_LEMMA_16**2, "=", COMPOSED * G**2 * T * sp.log(1 / delta) / (n**2 * epsilon**2))
            .says("Lemma 16 for 2 T releases and Definition 8: the noise of a gradient, of sensitivity 2 G / n")
            .because("insert the sensitivity; c_1 is then no constant (printed_composition)")
            .inserting("sensitivity"),
            line("concentrated", 2 * T * sensitivity**2 / (2 * spread**2), "=", 4 * epsilon**2 / log_delta)
            .says("2 T Gaussian releases cost rho = 2 T sensitivity^2 / (2 sigma^2) in zero-concentrated privacy: no T in c_1")
            .because("insert the printed noise with c_1 = 1; a constant c_1 divides it")
            .inserting("sensitivity", "sigma"),
            line("union")
            .says("(127) to (142): the triangle inequality for the gradient, Weyl's inequality for the smallest eigenvalue")
            .because("the events (123) to (126) at the selected point, which depends on the samples: a union over the T points is needed")
            .reasoned("each adds logarithms only; the paper has the events at one point"),
            line("hessian_noise", d * sp.sqrt(T) / (sp.sqrt(m) * n * epsilon), "=", HESSIAN_NOISE)
            .says("the noise of a Hessian with T = alpha^(-5/2)", "insert T")
            .inserting("T"),
            line("squared", (sp.sqrt(alpha) + 1 / sp.sqrt(m * n) + HESSIAN_NOISE) ** 2, "=", HESSIAN_SQUARED)
            .says("(143): the curvature that the accuracy allows, squared: the cross term is sqrt(alpha / (m n)), see printed_143")
            .because("expand")
            .identity(),
            line("cross_term", 2 * sp.sqrt(alpha / (m * n)), "<=", alpha + 1 / (m * n))
            .says("that cross term of alpha is dominated", "(a - b)^2 >= 0")
            .by((sp.sqrt(alpha) - 1 / sp.sqrt(m * n)) ** 2),
            line("last_term", 2 * HESSIAN_NOISE / sp.sqrt(m * n), "<=", HESSIAN_NOISE**2 + 1 / (m * n))
            .says("and so is the last one, with m and n", "(a - b)^2 >= 0")
            .by((HESSIAN_NOISE - 1 / sp.sqrt(m * n)) ** 2),
        ),
    )


def remark4() -> Derivation:
    """Write the terms of (143) over alpha as powers of d over N^2 and of d over N^(6/13)."""
    return proved(
        "remark4",
        "when selection costs no accuracy, with alpha = (sqrt(d) / N)^(2/5) and N = sqrt(m) n epsilon",
        "Remark 4",
        spelled={"N": N, "w": w, "v": v},
        facts=(
            line("accuracy", alpha, "=", ACCURACY_OF_N).says("the privacy part of the accuracy alone").defined("Remark 4"),
            line("v", v, "=", (d / N**2) ** sp.Rational(1, 20)).says("v^20 = d / N^2").defined(),
            line("w", w, "=", (d / edge) ** sp.Rational(1, 20)).says("w^20 = d / N^(6/13)").defined(),
            line("few_dimensions", d, "<=", edge).says("d <= N^(6/13)").case(),
            line("many_samples", N, ">=", 1).says("sqrt(m) n epsilon >= 1").assumed(),
        ),
        steps=(
            line("d_of_v", d, "=", N**2 * v**20).says("d in v").because("the twentieth power").inserting("v"),
            line("d_of_w", d, "=", edge * w**20).says("d in w").because("the twentieth power").inserting("w"),
            _over_alpha("fifth", "the fifth term of (143) over alpha: v, at most 1 when d <= N^2", FIFTH, v, "d_of_v"),
            _over_alpha("sixth", "the sixth over alpha, in w: at most 1 when d <= N^(6/13)", SIXTH, w**13, "d_of_w"),
            _over_alpha("seventh", "the seventh over alpha, in w: the same", SEVENTH, w**26, "d_of_w"),
            line("smaller", d, "<=", N**2)
            .says("and N^(6/13) is the smaller of the two", "N >= 1")
            .by("few_dimensions", (edge * _quotient(N ** sp.Rational(1, 13), 20, 13), "many_samples")),
            _free("fifth", FIFTH, alpha / N**2 * _quotient(v, 1, 20), "smaller", "d_of_v"),
            _free("sixth", SIXTH, alpha / edge * _quotient(w, 13, 20), "few_dimensions", "d_of_w"),
            _free("seventh", SEVENTH, alpha / edge * _quotient(w, 26, 20), "few_dimensions", "d_of_w"),
        ),
    )


def _quotient(base: Any, top: int, bottom: int) -> Any:
    return sum(base**i for i in range(top)) / sum(base**i for i in range(bottom))


def _over_alpha(name: str, statement: str, term: Any, power: Any, root: str) -> Step:
    return line(name, term / alpha, "=", power).says(statement).because("alpha = (sqrt(d) / N)^(2/5)").inserting("accuracy", root)


def _free(name: str, term: Any, factor: Any, limit: str, root: str) -> Step:
    opened = line(f"{name}_is_free", term, "<=", alpha).says(f"so the {name} term is at most alpha").because("its power")
    return opened.by((factor, limit), modulo=((-alpha, name), (factor, root)))
