"""What holds in place of the printed lines that fail: by certificate where there is one, attacked in any case."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath as mp
import sympy as sp

import bounds
from bounds.derivation import GIVENS, Assumed, Defined, Derivation, Identity, NonNegative, Substitution, fact, line
from bounds.inequalities import Instance
from bounds.symbols import symbols
from paper_checks.gauss_psgd import formulas
from paper_checks.gauss_psgd.printed_false import entries
from paper_checks.gauss_psgd.printed_lines import LINES, Line
from paper_checks.steps import examine_parts
from paper_checks.verdict import Claim, Finding, Kind, Outcome

(resets,) = symbols("resets")
n, T, Q, Gamma, b_1, b_2 = formulas.n, formulas.T, formulas.Q, formulas.Gamma, formulas.b_1, formulas.b_2
mu, R, reach = formulas.mu, formulas.R, 4 * formulas.C ** sp.Rational(1, 4) / formulas.s * sp.sqrt(formulas.psi / formulas.rho)
step_root = sp.sqrt(formulas.eta * formulas.r) / (40 * sp.sqrt(2))
share = sp.Symbol("share", positive=True)
est, err = symbols("est_norm err_norm")
chi, eta, M = formulas.chi, formulas.eta, formulas.M
OWN = Derivation(
    key="gauss_psgd.in_place",
    title="what holds in place of printed lines, where no chain has it",
    source="ours",
    facts=(
        fact("a_call", "some fresh gradient is asked for", resets, ">", 0, Assumed()),
        fact("b_1", "the samples of a fresh gradient", b_1, "=", n / (2 * resets), Defined(signs=("a_call",))),
        fact("b_2", "the samples of a difference", b_2, "=", n / (2 * T), Defined()),
        fact("R", "R of (5) in psi", R, "=", reach / sp.sqrt(mu), Defined("(5)")),
        fact("entry_to_base_2", "mu is at least the second entry of (6) with log_2", 2**mu, ">=", sp.exp(formulas.SIX[1]), Assumed()),
        fact("enough_samples", "sqrt(d) <= n epsilon", share, "<=", 1, Assumed()),
        fact("passes", "no escape phase is entered", est, ">=", 3 * chi, Assumed()),
        fact("error", "Lemma 5: every error is at most chi", err, "<=", chi, Assumed()),
        fact("short_step", "eta is at most (8/9)/M", eta * M, "<=", sp.Rational(8, 9), Assumed()),
    ),
    steps=(
        line(
            "steps_with_the_last_phase",
            "a run that starts where it ends takes Q Gamma steps, which Q (T_eff + Gamma) covers",
            Q * Gamma,
            "<=",
            Q * (formulas.T_76 + Gamma),
            "T_eff is not negative",
            NonNegative(((Q, formulas.T_76),)),
        ),
        line(
            "budget",
            "the samples of |T| fresh gradients and of T differences add up to n",
            b_1 * resets + b_2 * T,
            "=",
            n,
            "cancel",
            Substitution(("b_1", "b_2")),
        ),
        line(
            "to_base_2",
            "the last inequality of (53): 2^mu sqrt(eta r)/(40 sqrt(2)) is at least R, even at least sqrt(mu) R",
            2**mu * step_root,
            ">=",
            R,
            "the entry times sqrt(eta r)/(40 sqrt(2)) is sqrt(mu) R, and mu is at least 1",
            NonNegative(((step_root, "entry_to_base_2"), (reach / (mu + sp.sqrt(mu)), "log_factor >= 1")), at=("R",)),
            where=GIVENS,
        ),
        line(
            "without_lemma_3",
            "(75) from M-smoothness: with g_hat = grad F + nu a normal step lowers F by the left side at least, and that by 2 eta chi^2",
            eta * (est**2 - est * err) - M * eta**2 * est**2 / 2,
            ">=",
            2 * eta * chi**2,
            "<grad F, g_hat> is at least ||g_hat||^2 - ||nu|| ||g_hat||",
            NonNegative(
                (
                    (eta, sp.Rational(5, 9) * est + sp.Rational(2, 3) * chi, "passes"),
                    (eta * est, "error"),
                    (eta * est**2 / 2, "short_step"),
                )
            ),
            where=GIVENS,
        ),
        line(
            "logarithm_of_share",
            "the logarithm of the share is not positive",
            sp.log(share),
            "<=",
            0,
            "e^y >= 1 + y at y = log(share)",
            NonNegative(((Instance("exponential", sp.log(share)),), ("enough_samples",))),
            where=GIVENS,
        ),
        line(
            "three_sevenths",
            "a power of the share, a number below 1, falls with the exponent",
            share ** sp.Rational(3, 7),
            "<=",
            share ** sp.Rational(2, 5),
            "3/7 - 2/5 = 1/35",
            NonNegative(((share ** sp.Rational(2, 5), Instance("decay", (sp.Rational(1, 35), "logarithm_of_share"))),)),
            where=GIVENS,
        ),
    ),
)


def named(name: str) -> tuple[Derivation, str]:
    """Return the derivation and the line that "lemma1:larger_distance" names, or a line of OWN."""
    key, _, line_name = name.rpartition(":")
    return (bounds.DERIVATIONS[f"gauss_psgd.{key}"] if key else OWN), line_name


def instead(*, key: str, steps: Sequence[str], samples: int) -> Finding:
    """Examine the steps that hold in place of a printed line; an equality that is said to hold is certified itself as well."""
    one = entries()[key]
    parts: list[tuple[Derivation, tuple[str, ...]]] = [(chain, (name,)) for chain, name in map(named, steps)]
    if one.relation == "=" and one.true_relation == "=":
        facts = tuple(fact(letter.name, f"(5): {letter.name}", letter, "=", value, Assumed()) for letter, value in one.at.items())
        certificate = Substitution(tuple(fact.name for fact in facts)) if facts else Identity()
        letters = " ".join(sorted(letter.name for letter in one.lhs.free_symbols | one.true_rhs.free_symbols))
        holds = line("holds", f"{one.claim} (in {letters})", one.lhs, "=", one.true_rhs, "what holds instead", certificate)
        parts.append((Derivation(f"gauss_psgd.{key}", one.claim, one.where, (holds,), facts), ()))
    return examine_parts(parts, samples=samples)


def lines(*, steps: Sequence[str], samples: int) -> Finding:
    """Examine the named lines."""
    return examine_parts([(chain, (name,)) for chain, name in map(named, steps)], samples=samples)


def definition_8(*, epsilons: Sequence[float], deltas: Sequence[float]) -> Finding:
    """Compare the exact delta of the Gaussian mechanism at the deviation of Definition 8 with delta, for epsilon up to 1."""
    worst, at = mp.mpf(0), (0.0, 0.0)
    with mp.workdps(60):
        for epsilon in epsilons:
            for delta in deltas:
                shift = mp.mpf(epsilon) / mp.sqrt(2 * mp.log(mp.mpf("1.25") / delta))  # sensitivity over deviation
                spent = mp.ncdf(shift / 2 - epsilon / shift) - mp.exp(epsilon) * mp.ncdf(-shift / 2 - epsilon / shift)
                if spent > worst * delta:
                    worst, at = spent / delta, (epsilon, delta)
    numbers = {"points": len(epsilons) * len(deltas), "largest delta attained / delta": float(worst), "at epsilon, delta": at}
    if worst > 1:
        found = {"epsilon": at[0], "delta": at[1], "delta attained / delta": float(worst)}
        return Finding(Outcome.REFUTED, f"the exact delta is {float(worst):.4g} times as large as promised", numbers, found)
    sentence = f"the exact delta is at most {float(worst):.3f} of the promised one at {numbers['points']} points with epsilon up to 1"
    return Finding(Outcome.CONSISTENT, sentence, numbers)


def _claim(printed: Line) -> Claim:
    return Claim(
        key=f"gauss_psgd.{printed.at}.repaired_{printed.name}",
        source=f"ours; in place of {printed.place}",
        words=printed.correction,
        latex=printed.correction_latex,
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.PROVED if printed.proved else Outcome.CONSISTENT,
        why="certified by computer algebra, what it takes as given apart" if printed.proved else "one of its steps is argued in words",
        examine=instead,
        arguments={"key": f"printed_{printed.name}", "steps": printed.steps, "samples": 20},
        full={"samples": 1000},
        derivations=tuple(dict.fromkeys(f"gauss_psgd.{step.split(':')[0]}" for step in printed.steps if ":" in step)),
    )


def _holds(name: str, place: str, words: str, latex: str, steps: tuple[str, ...]) -> Claim:
    """Return the claim that a printed line holds which an erratum is near to."""
    return Claim(
        key=f"gauss_psgd.{name}",
        source=place,
        words=words,
        latex=latex,
        kind=Kind.INEQUALITY,
        expected=Outcome.PROVED,
        why="certified by computer algebra",
        examine=lines,
        arguments={"steps": steps, "samples": 20},
        full={"samples": 1000},
        derivations=(f"gauss_psgd.{steps[0].split(':')[0]}",),
    )


CLAIMS = (
    *(_claim(line) for line in LINES if line.steps),
    _holds(
        "lemma20.holds_43",
        "text before (43), proof of Lemma 20",
        "The number in (43), which has one root of iota, is c/sqrt(s), so that s >= (80 c)^2 makes it less than 1/40",
        r"c\eta M\sqrt{\Gamma\iota} \le \frac{2c}{\sqrt s} \le \frac1{40}",
        ("lemma20:one_root",),
    ),
    _holds(
        "theorem4.holds_143",
        "(143), Theorem 4",
        "(143) needs no term for the cross term of sqrt(alpha) and 1/sqrt(m n): alpha and 1/(m n) cover it",
        r"2\sqrt{\frac\alpha{mn}} \le \alpha + \frac1{mn}",
        ("theorem4:cross_term",),
    ),
    Claim(
        key="gauss_psgd.definition8.repaired",
        source="Definition 8",
        words="sigma_G = Delta sqrt(2 log(1.25/delta)) / epsilon is (epsilon, delta)-private for 0 < epsilon, delta < 1",
        latex=r"\sigma_G = \frac{\Delta_2(q)}\epsilon\sqrt{2\log\frac{1.25}\delta},\ 0 < \epsilon, \delta < 1",
        kind=Kind.PRIVACY,
        expected=Outcome.CONSISTENT,
        why="the classical theorem; the exact curve is searched",
        examine=definition_8,
        arguments={"epsilons": (1e-3, 0.03, 0.3, 0.9, 1.0), "deltas": (1e-12, 1e-5, 1e-2, 0.5, 0.999)},
        full={"epsilons": tuple(k / 100 for k in range(1, 101)), "deltas": (*(10.0**-k for k in range(1, 16)), 0.5, 0.9, 0.999)},
    ),
)
