"""What holds in place of the printed lines that fail: by certificate where there is one, attacked in any case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import mpmath as mp
import sympy as sp

import bounds
from bounds.derivation import Given, Identity, NonNegative, Step, Substitution
from bounds.symbols import symbols
from paper_checks.gauss_psgd import formulas
from paper_checks.gauss_psgd.printed_false import entries
from paper_checks.gauss_psgd.printed_lines import LINES, Line
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

(resets,) = symbols("resets")
n, T, Q, Gamma, mn_share = formulas.n, formulas.T, formulas.Q, formulas.Gamma, sp.Symbol("share", positive=True)
share = Given(1 - mn_share ** sp.Rational(1, 35), "sqrt(d) <= n epsilon")
OWN = {
    "steps_with_the_last_phase": Step(
        0,
        "a run that starts where it ends takes Q Gamma steps, which Q (T_eff + Gamma) covers",
        Q * Gamma,
        "<=",
        Q * (formulas.T_76 + Gamma),
        "T_eff is not negative",
        NonNegative(((Q, formulas.T_76),)),
    ),
    "budget": Step(
        0,
        "the samples of |T| fresh gradients of n/(2 |T|) and of T differences of n/(2 T)",
        n / (2 * resets) * resets + n / (2 * T) * T,
        "=",
        n,
        "cancel",
        Identity(),
        ranges={resets: (1, T)},
    ),
    "three_sevenths": Step(
        0,
        "a power of a number below 1 falls with the exponent",
        mn_share ** sp.Rational(3, 7),
        "<=",
        mn_share ** sp.Rational(2, 5),
        "3/7 - 2/5 = 1/35",
        NonNegative(((mn_share ** sp.Rational(2, 5), share.expression),), given=(share,)),
        ranges={mn_share: (sp.Rational(1, 10**9), 1)},
    ),
}


def named(name: str) -> Step:
    """Return a step of a derivation ("lemma1-10") or one of OWN."""
    if name in OWN:
        return OWN[name]
    key, number = name.split("-")
    return bounds.DERIVATIONS[f"gauss_psgd.{key}"].steps[int(number) - 1]


def instead(*, key: str, steps: Sequence[str], samples: int) -> Finding:
    """Examine the steps that hold in place of a printed line; an equality that is said to hold is certified itself as well."""
    one = entries()[key]
    chosen = [replace(named(name), number=i) for i, name in enumerate(steps, start=1)]
    if one.relation == "=" and one.true_relation == "=":
        values = {letter: sp.sympify(value) for letter, value in one.at.items()}
        certificate = Substitution(values) if values else Identity()
        # (5) is inserted by the certificate, so the letters that it defines are not drawn
        chosen.append(Step(len(chosen) + 1, one.claim, one.lhs, "=", one.true_rhs, "what holds instead", certificate))
    return examine_steps(chosen, samples=samples)


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


def _claim(line: Line) -> Claim:
    return Claim(
        key=f"gauss_psgd.{line.at}.repaired_{line.name}",
        source=f"ours; in place of {line.place}",
        words=line.correction,
        latex=line.correction_latex,
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.PROVED if line.proved else Outcome.CONSISTENT,
        why="certified by computer algebra, what it takes as given apart" if line.proved else "one of its steps is argued in words",
        examine=instead,
        arguments={"key": f"printed_{line.name}", "steps": line.steps, "samples": 20},
        full={"samples": 1000},
        derivations=tuple(dict.fromkeys(f"gauss_psgd.{step.split('-')[0]}" for step in line.steps if "-" in step)),
    )


CLAIMS = (
    *(_claim(line) for line in LINES if line.steps),
    Claim(
        key="gauss_psgd.definition8.repaired",
        source="Definition 8",
        words="sigma_G = Delta sqrt(2 log(1.25/delta)) / epsilon is (epsilon, delta)-private for 0 < epsilon, delta < 1",
        latex=r"\sigma_G = \tfrac{\Delta_2}\varepsilon\sqrt{2\log\tfrac{1.25}\delta},\ 0 < \varepsilon, \delta < 1",
        kind=Kind.PRIVACY,
        expected=Outcome.CONSISTENT,
        why="the classical theorem; the exact curve is searched",
        examine=definition_8,
        arguments={"epsilons": (1e-3, 0.03, 0.3, 0.9, 1.0), "deltas": (1e-12, 1e-5, 1e-2, 0.5, 0.999)},
        full={"epsilons": tuple(k / 100 for k in range(1, 101)), "deltas": (*(10.0**-k for k in range(1, 16)), 0.5, 0.9, 0.999)},
    ),
)
