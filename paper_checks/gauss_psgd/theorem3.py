"""Theorem 3: many clients."""

import math

import sympy as sp

import bounds
from bounds.gauss_psgd import rates
from bounds.inequalities import is_zero
from paper_checks.examine.formulas import monomial
from paper_checks.examine.proofs import STOPS, whole_proof
from paper_checks.examine.witness import at_witness
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.exponents import THIRD, WINDOW, exact, provable, window
from paper_checks.gauss_psgd.rates import unit
from paper_checks.gauss_psgd.theorem2 import RATE, STRICT, promises, releases, self_consistent
from paper_checks.verdict import Finding, Kind, claim, consistent, inconclusive, proved, question, reading, refuted


def with_clients() -> Finding:
    """Replace n by m n and n epsilon by sqrt(m) n epsilon in Lemma 7, kappa and (105), and compare with Lemma 9, Theorem 3 and (121)."""
    many = {p.n: p.m * p.n, p.epsilon: p.epsilon / sp.sqrt(p.m)}
    rows = {"kappa": (p.KAPPA, p.KAPPA_3), "(121)": (p.RATE, p.RATE_3)}
    differing = [name for name, (one, two) in rows.items() for a, b in zip(one, two, strict=True) if not is_zero(a.xreplace(many) - b)]
    lemmas = {part.name: part.value for part in bounds.THEOREMS["gauss_psgd.lemma9"].parts}
    seven = bounds.THEOREMS["gauss_psgd.lemma7"]
    differing += [] if is_zero(bounds.THEOREMS["gauss_psgd.lemma9"].bound - seven.bound / sp.sqrt(p.m)) else ["sigma"]
    differing += [] if is_zero(lemmas["r"] - seven.parts[0].value / sp.sqrt(p.m)) else ["r"]
    in_m = [monomial(term, p.m)[0] for term in p.RATE_3]
    in_n = [monomial(term, p.n)[0] for term in p.RATE_3]
    numbers = {"powers of m in (121)": tuple(map(str, in_m)), "powers of n": tuple(map(str, in_n))}
    if differing:
        return inconclusive(f"not a substitution in {', '.join(differing)}; comparing would settle it", numbers)
    if (in_m[0], 2 * in_m[1]) != (in_n[0], in_n[1]):
        return refuted("the powers of m and n do not belong to m n and sqrt(m) n", numbers, {"m": str(in_m), "n": str(in_n)})
    return proved("(121) is (105) with m n for n and sqrt(m) n epsilon for n epsilon, kappa and Lemma 9 too", numbers)


def introduction_rate(*, m: float, n: float, d: float, epsilon: float) -> Finding:
    """Compare the introduction's (sqrt(d)/(epsilon m n))^(2/5) with Theorem 3's (sqrt(d)/(sqrt(m) n epsilon))^(2/5)."""
    claimed = (math.sqrt(d) / (epsilon * m * n)) ** 0.4
    theorem = rates.terms(unit(n, d, epsilon, m))[1]
    numbers = {"introduction": claimed, "Theorem 3": theorem, "m": m}
    if theorem > claimed * (1 + 1e-9):
        return refuted(f"Theorem 3's term is m^(1/5) = {theorem / claimed:.4g} times larger", numbers, numbers)
    return consistent("the same", numbers)


CLAIMS = (
    exact("theorem3.window_printed_kappa", "(119), (120)")
    .says("With m clients the rate is lost for the same log_A B", WINDOW)
    .examined(window, limit="printed", clients=True, low="3/4", high="11/10"),
    exact("theorem3.provable_rate", "(119)")
    .says("With m clients the best kappa gives the same third term in A and B", THIRD)
    .examined(provable, clients=True),
    claim("gauss_psgd.theorem3.privacy", "Theorem 3: ICRL-DP", Kind.PRIVACY)
    .says("Each client's releases of the printed schedule are private on their own, epsilon up to 8")
    .consistent("every client adds the whole noise")
    .examined(releases, plan="printed", epsilons=(0.5, 2.0, 8.0), m=10),
    claim("gauss_psgd.theorem3.from_theorem2", "Lemma 9, Theorem 3, (121), Remark 3", Kind.IDENTITY)
    .says("m clients: m n in the term without privacy, sqrt(m) n in the other")
    .formula(r"\alpha = \tilde O\Big(\frac1{(mn)^{1/3}} + \Big(\frac{\sqrt d}{\sqrt mn\epsilon}\Big)^{2/5}\Big)")
    .proved("the substitution carries one into the other", "gauss_psgd.theorem3", "gauss_psgd.lemma9")
    .examined(with_clients),
    reading("gauss_psgd.theorem3.fixed_point", "Theorem 3, Lemma 9; m = 10", Kind.IDENTITY)
    .says("The same for ten clients")
    .consistent("the same roots")
    .examined(self_consistent, s=1.0, C=1.0, rows=STRICT, m=10.0),
    question("gauss_psgd.theorem3.promises", "Theorem 3 at its own parameters; s = 51200, m = 10", Kind.SCOPE)
    .says("At n = 1e4 to 1e6 a client, its alpha is below G, so that it says more than holds everywhere")
    .refuted("alpha is above G", instead="The same")
    .examined(promises, s=51_200.0, C=1.0, rows=STRICT, m=10.0),
    claim("gauss_psgd.introduction.distributed_rate", "Introduction, contribution 3, against Theorem 3", Kind.EXPONENT)
    .says("The distributed private term is (sqrt(d)/(epsilon m n))^(2/5)")
    .refuted("Theorem 3 has sqrt(m) n", instead="(sqrt(d)/(sqrt(m) n epsilon))^(2/5)")
    .examined(introduction_rate, m=10.0, n=1e6, d=100.0, epsilon=1.0),
    whole_proof("gauss_psgd.theorem3", "Theorem 3, (115) to (121)", "The same for m clients", STOPS),
    claim("gauss_psgd.theorem3.printed_121", "(120), (121), proof of Theorem 3", Kind.IDENTITY)
    .says("With the printed kappa every part is at most (121), up to constants and logarithms", RATE % {"n": "mn", "e": r"\sqrt m\,n"})
    .refuted("the same as for Theorem 2 with A = (m n)^(-1/3), B = (sqrt(d)/(sqrt(m) n epsilon))^(2/5)")
    .corrected("A third term, (sqrt(d)/(m n^(3/2) epsilon))^(4/17)", by="theorem3.provable_rate")
    .corrected_formula(r"+ \Big(\frac{\sqrt d}{m\,n^{3/2}\epsilon}\Big)^{4/17}")
    .examined(at_witness, key="gauss_psgd.printed_121"),
    claim("gauss_psgd.theorem3.printed_contribution_3", "Introduction, contribution 3", Kind.INEQUALITY)
    .says("The privacy term for m clients is (sqrt(d)/(epsilon m n))^(2/5)")
    .formula(r"\tilde O\Big(\frac1{(mn)^{1/3}} + \Big(\frac{\sqrt d}{\epsilon mn}\Big)^{2/5}\Big)")
    .refuted("Theorem 3 has sqrt(m) n")
    .corrected("(sqrt(d)/(sqrt(m) n epsilon))^(2/5)", r"\Big(\frac{\sqrt d}{\sqrt m\,n\epsilon}\Big)^{2/5}", by="theorem3.from_theorem2")
    .examined(at_witness, key="gauss_psgd.printed_contribution_3"),
)
