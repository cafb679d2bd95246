"""Statements of DPZero as printed: schedules inserted in the bounds before them, and slips of the texts settled by numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy as sp

import bounds
from bounds import moments
from bounds.inequalities import is_zero
from bounds.symbols import GLOSSARY, A, C, L, T, X, d, delta, ell, epsilon, lam, n, symbols
from paper_checks.dpzero import formulas, printed
from paper_checks.dpzero.lemmas import COORDINATES, means, moment
from paper_checks.verdict import Claim, Finding, Kind, Outcome

C_0, F_now, grad_sq = symbols("C_0 F_now grad_sq")


def schedule(*, key: str) -> Finding:
    """Insert the printed schedule in the bound before it, expand, compare with the printed bound, and all of it with the theory."""
    page, theorem = printed.PAGES[key], bounds.THEOREMS[key]
    inserted, bound = page.in_letters(page.before.xreplace({lam: page.lam})), page.in_letters(page.bound)
    if not is_zero(inserted - bound):
        point = {letter: sp.Integer(2 + i) for i, letter in enumerate(sorted((inserted - bound).free_symbols, key=str))}
        witness: dict[str, Any] = {str(letter): int(value) for letter, value in point.items()}
        witness |= {"schedule inserted": float(inserted.xreplace(point)), "printed bound": float(bound.xreplace(point))}
        return Finding(Outcome.REFUTED, "the schedule inserted in the bound before it does not give the printed bound", {}, witness)
    slope = sp.diff(page.before, lam)
    if not slope.is_nonnegative:
        return Finding(Outcome.INCONCLUSIVE, "the bound is not known to grow with lam, so a smaller lam needs an argument")
    differing = [name for name, ours, theirs in _both(key) if not is_zero(ours - theirs)]
    if page.lam_clipping is not None:
        room = page.schedule["C"] - page.schedule["C_0"] - ell * d * page.lam_clipping / 2
        room = room.xreplace({symbols("L_tilde")[0]: page.definitions["L_tilde"]})
        differing += [] if is_zero(room) else ["C >= C_0 + ell lam d/2"]
    if differing:
        return Finding(
            Outcome.INCONCLUSIVE, f"the theory and the print differ in {', '.join(differing)}; comparing the two would settle it"
        )
    numbers = {"entries compared with the theory": len(_both(key))}
    sentence = (
        f"the two expand to the same at the largest lam, and a smaller lam lowers the bound; {theorem.title} in the theory is the same"
    )
    return Finding(Outcome.PROVED, sentence, numbers)


def _both(key: str) -> list[tuple[str, Any, Any]]:
    """Return (name, in the theory, as printed) for every entry of the schedule, every abbreviation and the bound."""
    page, theorem = printed.PAGES[key], bounds.THEOREMS[key]
    rules = [page.lam] + ([] if page.lam_clipping is None else [page.lam_clipping])
    ends = theorem.schedule["lam"].args if isinstance(theorem.schedule["lam"], sp.Min) else (theorem.schedule["lam"],)
    both = [("bound", theorem.bound, page.bound), ("sigma", theorem.schedule["sigma"], printed.SIGMA)]
    both += [(name, theorem.schedule[name], page.schedule[name]) for name in ("alpha", "T", "C")]
    both += [(name, meaning, page.definitions[name]) for name, meaning in theorem.definitions.items()]
    return both + [("lam", min((end - rule for end in ends), key=lambda gap: not is_zero(gap)), sp.Integer(0)) for rule in rules]


def icml_f4(*, values: dict[str, float], scales: int) -> Finding:
    """Evaluate Corollary F.4 as proved and as the ICML text prints it while f becomes s f, until the printed one is the smaller."""
    page = printed.PAGES["dpzero.corollary_f4"]
    theorem = bounds.THEOREMS["dpzero.corollary_f4"]
    held = bounds.THEOREMS["dpzero.corollary_f4_as_printed"].bound
    proved, misprint = page.in_constants(page.bound), page.in_constants(printed.F4_ICML)
    if not is_zero(held - printed.F4_ICML) or not is_zero(theorem.bound - page.bound):
        return Finding(Outcome.INCONCLUSIVE, "the theory holds other forms of F.4 than the two texts; comparing them would settle it")
    if is_zero(page.in_letters(page.bound) - page.in_letters(printed.F4_ICML)):
        return Finding(Outcome.PROVED, "the two forms are the same")
    numbers: dict[str, Any] = {}
    for k in range(scales):
        at = {name: value * (10.0**-k if name in ("L", "ell", "mu", "gap", "B") else 1) for name, value in values.items()}
        ours, theirs = (_number(formula, at) for formula in (proved, misprint))
        numbers[f"f times 1e-{k}: proved, printed"] = (ours, theirs)
        if theirs < ours:
            far = {**at, "n": at["n"] * 1e6}
            numbers["n times 1e6: proved, printed"] = (_number(proved, far), _number(misprint, far))
            sentence = (
                f"the proof gives {ours:.4g}, the printed form {theirs:.4g}: too small there, too large elsewhere, not scaling with f; "
                f"and with 1e6 times the samples it is still {numbers['n times 1e6: proved, printed'][1]:.2g}"
            )
            return Finding(Outcome.REFUTED, sentence, numbers, {**at, "proved": ours, "printed": theirs})
    return Finding(Outcome.INCONCLUSIVE, "the two differ, but no scale was found at which the printed one is too small", numbers)


def _number(formula: Any, at: dict[str, float]) -> float:
    return float(formula.xreplace({GLOSSARY[name].symbol: sp.Float(value, 40) for name, value in at.items()}).evalf(30))


def parentheses(*, text: str, at: dict[str, float]) -> Finding:
    """Balance a formula for sigma^2 by one parenthesis less or one more, in every way, and evaluate what each of them says.

    Square brackets stand for the braces under the root: no parenthesis closes across them. The one that is meant is known by the
    algorithms' sigma, at Delta = 2 C/n.
    """
    meant = printed.SIGMA.xreplace({A: printed.LOG_TERM}) ** 2
    readings: dict[float, str] = {}
    for one in [text] if balanced(text) else repairs(text):
        readings.setdefault(_rounded(value(one), at), one)
    numbers = {"readings": {one: number for number, one in readings.items()}, "sigma^2 of the algorithms": _rounded(meant, at)}
    if _rounded(meant, at) not in readings:
        return Finding(Outcome.INCONCLUSIVE, "no way to balance it gives the algorithms' sigma: the formula must be looked up", numbers)
    if len(readings) == 1:
        return Finding(Outcome.PROVED, f"it has one reading, {next(iter(readings.values()))}", numbers)
    witness: dict[str, Any] = {"formula": text, "opened": text.count("("), "closed": text.count(")")}
    witness |= at | {one: number for number, one in readings.items()}
    sentence = f"{witness['opened']} parentheses open and {witness['closed']} close; it can be balanced to {len(readings)} different values"
    return Finding(Outcome.REFUTED, sentence, numbers, witness)


def _rounded(formula: Any, at: dict[str, float]) -> float:
    return float(f"{_number(formula, at):.10g}")  # equal formulas, written otherwise, may differ in the last of their digits


def balanced(text: str) -> bool:
    """Return whether every bracket closes, and by its own kind."""
    waiting = []
    for character in text:
        if character in "([":
            waiting.append(character)
        elif character in ")]" and (not waiting or waiting.pop() + character not in ("()", "[]")):
            return False
    return not waiting


def repairs(text: str) -> list[str]:
    """Return the text with one parenthesis less, or one more in front of a letter, a number or a parenthesis, where it is balanced."""
    less = [text[:k] + text[k + 1 :] for k, character in enumerate(text) if character in "()"]
    starts = [k for k, character in enumerate(text) if (character.isalnum() or character == "(") and not (k and text[k - 1].isalnum())]
    more = [f"{text[:k]}({text[k:]}" for k in starts]
    return [one for one in less + more if balanced(one)]


def value(text: str) -> Any:
    """Return the formula as an expression in the letters of the algorithms."""
    letters = {"Delta": 2 * C / n, "T": T, "epsilon": epsilon, "delta": delta, "e": sp.E, "sqrt": sp.sqrt, "log": sp.log}
    return sp.sympify(text.replace("[", "(").replace("]", ")"), locals=letters)


def two_thresholds() -> Finding:
    """Write the thresholds of Theorem 3 and Corollary F.4 through the logarithm of X, printed and in the theory."""
    meant = 4 * L * sp.sqrt(sp.log(X))
    for key in ("dpzero.theorem3", "dpzero.corollary_f4"):
        page, theorem = printed.PAGES[key], bounds.THEOREMS[key]
        for threshold, tilde in (
            (page.schedule["C"], page.definitions["L_tilde"]),
            (theorem.schedule["C"], theorem.definitions["L_tilde"]),
        ):
            if not is_zero(threshold.xreplace({symbols("L_tilde")[0]: tilde}) - meant):
                return Finding(Outcome.INCONCLUSIVE, f"{key}: C is {threshold}, not 4 L sqrt(log X); the formula must be looked up")
    return Finding(
        Outcome.PROVED, "C = 4 L_tilde there and L_tilde/2 here are both 4 L sqrt(log X), each with its own X", {"identities": 4}
    )


def clipping_without_bar(*, largest: int) -> Finding:
    """Take d = 1 and f(x) = L x, where |finite difference| = L for both u: P(no clipping) against the printed bound."""
    for multiple in range(1, largest + 1):
        bound = float((2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C_0**2) / (8 * L**2))).xreplace({C_0: sp.Integer(multiple), L: sp.Integer(1)}))
        differences = [abs((1.0 * (0.5 + 0.1 * u) - 1.0 * (0.5 - 0.1 * u)) / (2 * 0.1)) for u in (1, -1)]
        not_clipped = sum(one <= multiple for one in differences) / len(differences)
        if not_clipped > bound:
            witness = {
                "f(x)": "L x",
                "d": 1,
                "L": 1,
                "C_0": multiple,
                "C": "any that is large enough",
                "P(Q)": not_clipped,
                "printed bound": bound,
                "P(not Q)": 1 - not_clipped,
            }
            return Finding(
                Outcome.REFUTED,
                f"for f = L x, d = 1, C >= C_0 = {multiple} L nothing is ever clipped, and the bound is {bound:.3g}",
                {},
                witness,
            )
    return Finding(Outcome.INCONCLUSIVE, f"no multiple of L up to {largest} refutes it")


def last_iterate(*, alpha: float, T: int, sigma: float) -> Finding:
    """Compare the average of E ||grad F(x_t)||^2 over t < T with its value at x_T on F(x) = x^2/2, exactly."""
    path = moments.expected_grad_norm_sq("dpzero", eigenvalues=[1.0], offset=[0.0], alpha=alpha, T=T, sigma=sigma)
    average, last = moments.at_output(path, "uniform"), moments.at_output(path, "last")
    if math.isclose(average, last, rel_tol=1e-9):
        return Finding(Outcome.INCONCLUSIVE, "the two agree here; another objective must be tried")
    witness = {"F(x)": "x^2/2", "x_0": 0, "alpha": alpha, "T": T, "sigma": sigma, "average over t < T": average, "at x_T": last}
    sentence = f"DPZero on x^2/2 from x_0 = 0: the average is {average:.6g}, the value at x_T is {last:.6g}"
    return Finding(Outcome.REFUTED, sentence, {"path": tuple(np.round(path, 9).tolist())}, witness)


def loss_for_gradient(*, key: str, largest: int) -> Finding:
    """Take F_S = c, which meets every assumption, and look for a round c at which the line with ||F_S||^2 is false."""
    source = {"dpzero.corollary_f2": "12", "dpzero.corollary_f3": "15"}[key]
    values = {"d": 1, "r": 1, "ell": 1, "lam": 1, "sigma": 1}
    alpha = printed.PAGES[key].schedule["alpha"]
    at = {symbols(name)[0]: sp.Integer(value) for name, value in values.items()}
    step = alpha.xreplace(at)
    at |= {symbols("alpha")[0]: step}
    for constant in range(1, largest + 1):
        right = printed.EQUATIONS[source].xreplace({grad_sq: sp.Integer(constant) ** 2, F_now: sp.Integer(constant)}).xreplace(at)
        added = printed.EQUATIONS[source].xreplace({grad_sq: sp.Integer(0), F_now: sp.Integer(0)}).xreplace(at)
        coarse = constant - step / 4 * constant**2 + 2 * added  # the corollary's additive term is at most twice that of (12), (15)
        if constant > coarse and constant > right:
            witness = {
                "F_S(x)": f"{constant} for every x",
                **values,
                "alpha": float(step),
                "left side": constant,
                "right side": float(coarse),
            }
            sentence = f"F_S = {constant} for every x: the left side is {constant}, the right side at most {float(coarse):.4g}"
            return Finding(Outcome.REFUTED, sentence, {"with F_S + c in place of F_S": "||grad F_S|| stays, ||F_S|| does not"}, witness)
    return Finding(Outcome.INCONCLUSIVE, f"no constant up to {largest} refutes it")


def equality(*, key: str, at: dict[str, float]) -> Finding:
    """Evaluate the last sum and the bound, as printed, at the largest lambda and at half of it."""
    page = printed.PAGES[key]
    largest, bound = (_number(page.in_constants(one), at) for one in (page.lam, page.bound))
    sums = [_number(page.in_constants(page.before), {**at, "lam": share * largest}) for share in (1, 1 / 2)]
    numbers = {"the sum at the largest lam": sums[0], "the bound": bound}
    if not math.isclose(sums[0], bound, rel_tol=1e-12):  # some thousand roundings
        return Finding(Outcome.INCONCLUSIVE, "the two sides differ at the largest lam too: comparing them would settle it", numbers)
    if math.isclose(sums[1], bound, rel_tol=1e-12):
        return Finding(Outcome.INCONCLUSIVE, "the two sides agree at half of the largest lam; another lam would settle it", numbers)
    witness = {**at, "lam": largest / 2, "left side": sums[1], "right side": bound}
    sentence = f"at half of the largest lam the sum is {sums[1]:.6g}, the bound {bound:.6g}; at the largest the two agree"
    return Finding(Outcome.REFUTED, sentence, numbers, witness)


def double_sum() -> Finding:
    """Take the sum over i != j as a sum over all pairs, and compare with the moment itself at a = (1, 1, 1, 1)."""
    ones = {sp.Symbol(f"a_{i}", real=True): sp.Integer(1) for i in range(1, COORDINATES + 1)}
    w_2, dimension = moment((2, 2)), sp.Integer(COORDINATES)
    literal = (COORDINATES * (COORDINATES - 1) * w_2).xreplace({d: dimension})
    true = means()["iii off the diagonal"].xreplace(ones).xreplace({d: dimension})
    if literal == true:
        return Finding(Outcome.PROVED, "the two readings agree")
    witness = {"a": "(1, 1, 1, 1)", "d": COORDINATES, "sum over all pairs": float(literal), "E (u'a)^2 u_1 u_2": float(true)}
    return Finding(
        Outcome.REFUTED, f"over all pairs the sum is {literal}, the moment is {true}: only (i, j) and (j, i) are meant", {}, witness
    )


EXPAND = "the two sides expand to the same"
NAMES = {"theorem1": "Theorem 1", "theorem2": "Theorem 2", "theorem3": "Theorem 3", "corollary_f2": "Corollary F.2",
         "corollary_f3": "Corollary F.3", "corollary_f4": "Corollary F.4, as in the arXiv text"}  # fmt: skip
PL_POINT = {"n": 1e6, "d": 20, "r": 5, "epsilon": 2, "delta": 1e-6, "L": 1, "ell": 1, "mu": 0.1, "gap": 1}
F4_POINT = {"n": 1e4, "d": 100.0, "r": 5.0, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "mu": 0.1, "gap": 1.0, "B": 1.0}


def _schedule(name: str, title: str) -> Claim:
    return Claim(
        key=f"dpzero.{name}.schedule", source=f"{title}, statement and end of the proof",
        words=f"{title}: the printed schedule, inserted in the last bound before it, gives the printed bound", kind=Kind.IDENTITY,
        expected=Outcome.PROVED, why=EXPAND, examine=schedule, arguments={"key": f"dpzero.{name}"}, derivations=(f"dpzero.{name}",),
    )  # fmt: skip


CLAIMS = (
    *(_schedule(name, title) for name, title in NAMES.items()),
    Claim(
        key="dpzero.corollary_f4_as_printed.follows", source="Corollary F.4 in the ICML text, statement and last line of the proof",
        words="The proof gives the bound with its parenthesis closed after the first logarithm, so that the rate multiplies 2 L^2 only",
        latex=formulas.COROLLARY_F4_ICML, kind=Kind.IDENTITY, expected=Outcome.REFUTED, why="a parenthesis closes too early",
        examine=icml_f4, arguments={"values": F4_POINT, "scales": 12},
        correction="The parenthesis closes after 2 L^2, and the rate multiplies all of it, as in the arXiv text",
        correction_latex=formulas.COROLLARIES["corollary_f4"],
        repaired_by="dpzero.corollary_f4.schedule", derivations=("dpzero.corollary_f4",),
    ),
    Claim(
        key="dpzero.lemma_2_2.parentheses", source="Lemma 2.2 in the ICML text",
        words="The formula for sigma^2 has one meaning: its parentheses are balanced, or can be balanced to one value only",
        latex=formulas.LEMMA_2_2_ICML, kind=Kind.IDENTITY, stated="reading", expected=Outcome.REFUTED,
        why="one parenthesis more closes than opens; without the last one the square is on epsilon only", examine=parentheses,
        arguments={"text": "(2*Delta*sqrt[2*T*log(e + (epsilon/delta))])/epsilon)**2",
                   "at": {"n": 10, "T": 4, "C": 1, "epsilon": 2, "delta": 0.01}},
        correction="sigma^2 = (2 Delta sqrt(2 T log(e + epsilon/delta)) / epsilon)^2, as in the arXiv text",
        correction_latex=formulas.LEMMA_2_2,
        repaired_by="dpzero.lemma_2_2.sigma_of_the_algorithms",
    ),
    Claim(
        key="dpzero.corollary_f4.two_l_tildes", source="Theorem 3 and Corollary F.4, definitions of L_tilde",
        words="The two different L_tilde mean the same kind of threshold, C = 4 L sqrt(log X)", latex=r"C = 4L\sqrt{\log X}",
        kind=Kind.IDENTITY, stated="question", expected=Outcome.PROVED,
        why="L_tilde^2 is L^2 log X there and 64 L^2 log X here, C = 4 L_tilde and L_tilde/2",
        examine=two_thresholds, derivations=("dpzero.theorem3", "dpzero.corollary_f4"),
    ),
    Claim(
        key="dpzero.theorem3.missing_bar", source="Appendix E in the ICML text, after (16)",
        words="The probability that sample i is not clipped at step t is at most 2 sqrt(2 pi) exp(-C_0^2 / (8 L^2))",
        latex=formulas.UNCLIPPED_ICML, kind=Kind.INEQUALITY, expected=Outcome.REFUTED,
        why="Q is the event of no clipping; its bar is missing", examine=clipping_without_bar, arguments={"largest": 20},
        correction="The bound is one on the probability that the sample is clipped",
        correction_latex=formulas.UNCLIPPED, repaired_by="dpzero.section4.tail",
        derivations=("dpzero.theorem3",),
    ),
    Claim(
        key="dpzero.theorem3.telescoped_for_last", source="Appendix E in the ICML text, after (23)",
        words="The average of E ||grad F_S(x_t)||^2 over t < T is its value at x_T",
        latex=formulas.TELESCOPED_ICML, kind=Kind.IDENTITY, expected=Outcome.REFUTED, why="the average is the value at x_tau",
        examine=last_iterate, arguments={"alpha": 0.25, "T": 4, "sigma": 1.0}, correction="The left side is at x_tau, as in the arXiv text",
        correction_latex=formulas.TELESCOPED_ARXIV,
        derivations=("dpzero.theorem3",),
    ),
    *(
        Claim(
            key=f"dpzero.{name}.loss_for_gradient", source=f"Appendix F, first line of the proof of {NAMES[name]}",
            words="A step lowers F_S by (alpha/4) ||F_S(x_t)||^2 on average, up to a term in lambda and one in sigma",
            latex=formulas.FIRST_LINES[name], kind=Kind.INEQUALITY, expected=Outcome.REFUTED,
            why="the gradient sign is missing", examine=loss_for_gradient, arguments={"key": f"dpzero.{name}", "largest": 100},
            correction="||grad F_S(x_t)||^2, as in the equation that it starts from",
            correction_latex=formulas.FIRST_LINES[name].replace(r"\|F_S(x_t)\|", r"\|\nabla F_S(x_t)\|"),
            repaired_by=f"dpzero.{name}.chain", derivations=(f"dpzero.{name}",),
        )
        for name in ("corollary_f2", "corollary_f3")
    ),
    *(
        Claim(
            key=f"dpzero.{name}.equality", source=f"Appendix F, last line of the proof of {NAMES[name]}",
            words="The last sum equals the bound, for every lambda that the rule allows", latex=formulas.LAST_LINES[name],
            kind=Kind.IDENTITY, expected=Outcome.REFUTED,
            why="only at the largest lam; below it the sum is smaller", examine=equality,
            arguments={"key": f"dpzero.{name}", "at": PL_POINT}, correction="<= in place of =",
            correction_latex=formulas.LAST_LINES[name].replace(" = ", r" \le "), repaired_by=f"dpzero.{name}.chain",
            derivations=(f"dpzero.{name}",),
        )
        for name in ("corollary_f2", "corollary_f3")
    ),
    Claim(
        key="dpzero.lemma_c1.double_sum", source="Appendix C, off-diagonal entries in the proof of Lemma C.1 (iii)",
        words="E (u'a)^2 u_i u_j is the sum of a_i a_j E u_i^2 u_j^2 over all i different from j",
        latex=formulas.DOUBLE_SUM, kind=Kind.IDENTITY,
        stated="reading", expected=Outcome.REFUTED, why="i and j are fixed on the left and summed over on the right", examine=double_sum,
        correction="Only the two ordered pairs (i, j) and (j, i) of the fixed i, j are meant; the result is right",
        correction_latex=r"\mathbb{E}[(u^{\top}a)^2u_iu_j] = 2a_ia_j\mathbb{E}[u_i^2u_j^2]", repaired_by="dpzero.lemma_c1.iii",
        derivations=("dpzero.lemma_c1",),
    ),
)  # fmt: skip
