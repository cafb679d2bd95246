"""Slips of the text of Gauss-PSGD that numbers settle: indices, definitions, lists of inputs, constants that are left open."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import sympy as sp

from bounds.derivation import GIVENS, Assumed, Derivation, Identity, NonNegative, fact, line
from bounds.inequalities import Instance
from bounds.symbols import symbols
from paper_checks.gauss_psgd import formulas as p
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

x, t, i, log_ratio, F_now, F_star, F_first = symbols("growth steps_taken tau log_ratio F_now F_star F_first")


def index_of_the_step(*, shift: int, errors: Sequence[int]) -> Finding:
    """Run x_t = x_{t-1} - eta g_t on x^2/2 with given errors, exactly, and compare (54) with (55) for -eta g_{t - shift}."""
    eta, path, estimates = Fraction(1, 2), [Fraction(1)], [Fraction(0)]
    for error in errors:
        estimates.append(path[-1] + error)
        path.append(path[-1] - eta * estimates[-1])
    for step in range(1 + shift, len(path)):
        moved, said = path[step] - path[step - 1], -eta * estimates[step - shift]
        above, below = (path[step - 1] * one + one**2 / 2 for one in (moved, said))  # (54), (55): M = 1, grad F(x) = x
        if above > below:
            witness = {"F": "x^2/2", "x_0": 1, "eta": 0.5, "errors": tuple(errors), "t": step, "x_t - x_{t-1}": str(moved)}
            witness |= {"in its place": str(said), "(54)": str(above), "(55)": str(below)}
            return Finding(Outcome.REFUTED, f"at t = {step} (54) is {above}, and (55) with -eta g_(t-{shift}) is {below}", {}, witness)
    return Finding(
        Outcome.CONSISTENT, f"(54) is at most (55) at {len(path) - 1 - shift} steps of a path, exactly", {"steps": len(path) - 1 - shift}
    )


def drift(moves: Sequence[Fraction], kappa: Fraction) -> list[tuple[int, Fraction, Fraction, bool]]:
    """Return, for every t, tau(t), the sum of (9), the sum of the proof of Lemma 7, and whether Algorithm 2 asks for a fresh gradient.

    `moves` are ||x_t - x_{t-1}||^2 for t = 1, 2, ...
    """
    rows, total, tau = [], kappa, 1
    for t, move in enumerate(moves, start=1):
        fresh = total >= kappa
        if fresh:
            tau, total = t, Fraction(0)
        total += move
        rows.append((tau, sum(moves[tau - 1 : t], Fraction(0)), sum(moves[tau - 1 : t - 1], Fraction(0)), fresh))
    return rows


def drift_sums(*, paths: int, length: int, shifted: bool, seed: int) -> Finding:
    """Follow Algorithm 2's variable on random paths, exactly, and compare the set of Lemma 8 with the fresh gradients.

    With (9) the set {t: drift_t >= kappa} is that of the steps before a fresh gradient; the shifted sum stays below kappa.
    """
    rng, hits, resets, above = np.random.default_rng(seed), 0, 0, 0
    for _ in range(paths):
        kappa = Fraction(int(rng.integers(1, 9)))
        moves = [Fraction(int(value), 4) for value in rng.integers(0, 9, length)]
        rows = drift(moves, kappa)
        later = [fresh for *_, fresh in rows[1:]]
        resets += sum(later)
        hits += sum((row[2] if shifted else row[1]) >= kappa for row in rows[:-1])
        above += sum(((row[2] if shifted else row[1]) >= kappa) != fresh for row, fresh in zip(rows[:-1], later, strict=True))
    numbers = {"paths": paths, "fresh gradients after the first": resets, "steps in the set": hits, "steps where the two differ": above}
    if above:
        small = drift([Fraction(1)] * 3, Fraction(2))  # O_1, then two moves reach kappa, so the third call is O_1 again
        asked = tuple(at for at, row in enumerate(small, start=1) if row[3])
        witness: dict[str, Any] = {"||x_t - x_(t-1)||^2": "1, 1, 1", "kappa": 2, "fresh at t": asked}
        witness["sums"] = tuple(str(row[2] if shifted else row[1]) for row in small)
        sentence = f"the set has {hits} steps on {paths} paths on which {resets} fresh gradients are asked for"
        return Finding(Outcome.REFUTED, sentence, numbers, witness, seed=seed)
    return Finding(Outcome.CONSISTENT, f"the set has a step for each of {resets} fresh gradients on {paths} paths", numbers, seed=seed)


def middle_of_45(*, samples: int) -> Finding:
    """Examine the power of the growth in the terms of (40) when the difference of the runs is taken at i - 1."""

    def b(at: Any) -> Any:
        return (1 + x) ** at / sp.sqrt(2 * x)

    step = line(
        "middle",
        "(1 + x)^(t+1-i) b(i-1) = b(t), powers of the growth over steps",
        (1 + x) ** (t + 1 - i) * b(i - 1),
        "=",
        b(t),
        "add the exponents",
        Identity(),
        ranges={t: (1, 1000), i: (1, t)},
    )
    return examine_steps(Derivation("gauss_psgd.equation_45.middle", "the terms of (40)", "our reading", (step,)), samples=samples)


def factor_of_46(*, factor: int, samples: int) -> Finding:
    """Examine whether iota >= log(factor d Gamma log(R/(eta r))) brings the failure of Lemma 20 to 2/9 at most."""
    inside = factor * p.d * p.Gamma * log_ratio
    tail, rest = 6 * p.d * p.Gamma * log_ratio, sp.Rational(2, 9) - sp.Rational(6, factor)
    proof = Derivation(
        "gauss_psgd.equation_46.factor",
        "(46) with this factor",
        "our reading",
        facts=(fact("entry", "(46) with this factor", p.iota, ">=", sp.log(inside), Assumed()),),
        steps=(
            line(
                "failure",
                "6 d Gamma log(R/(eta r)) exp(-iota) is at most 2/9",
                tail * sp.exp(-p.iota),
                "<=",
                sp.Rational(2, 9),
                "exp(-iota) is at most 1 over what is inside the logarithm",
                NonNegative(((tail / inside, Instance("decay", ("entry",))), (rest,))),
                where=GIVENS,
            ),
        ),
    )
    return examine_steps(proof, samples=samples)


def saddle(*, eigenvalues: Sequence[float], alpha: float, rho: float) -> Finding:
    """Compare the matrix inequality that defines a saddle with the least eigenvalue that the lemmas use."""
    limit = -math.sqrt(rho * alpha)
    found = np.linalg.eigvalsh(np.diag(eigenvalues))
    as_used, as_printed = bool(found[0] <= limit), bool(found[-1] <= limit)
    numbers = {"least eigenvalue": float(found[0]), "largest": float(found[-1]), "-sqrt(rho alpha)": limit}
    if as_used and not as_printed:
        witness = {"Hessian": f"diag{tuple(eigenvalues)}", "alpha": alpha, "rho": rho, "-sqrt(rho alpha)": limit}
        sentence = f"the least eigenvalue {found[0]:g} is below {limit:g}, the largest {found[-1]:g} is not: no saddle as printed"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "the two definitions agree there", numbers)


def letters_of_3() -> Finding:
    """Look for epsilon and delta in the relation (3), to which Definition 4 refers."""
    held = {p.letter(one) for one in p.THREE.free_symbols}
    missing = {"epsilon", "delta"} - held
    if missing:
        witness = {"(3)": f"psi = {p.written(p.THREE)}", "letters": ", ".join(sorted(held)), "missing": ", ".join(sorted(missing))}
        return Finding(Outcome.REFUTED, f"(3) is psi = {p.written(p.THREE)}; neither epsilon nor delta is in it", {}, witness)
    return Finding(Outcome.CONSISTENT, "(3) has epsilon and delta", {})


c_1, c_2, x_0, norm, moved, theta = sp.symbols("c_1 c_2 x_0 norm moved theta", positive=True)
COMPUTED = {norm, moved, theta, p.n, p.d, p.m}  # norms and sizes that are known from the data
ALGORITHMS: Mapping[str, tuple[set[Any], tuple[Any, ...]]] = {  # inputs as listed, and the expressions of the lines
    "1": ({p.omega, x_0, p.eta, p.Q, p.R, p.Gamma}, (x_0, norm - 3 * p.chi, moved - p.R, x_0 - p.eta * theta, p.Q + p.Gamma)),
    "2": ({p.epsilon, p.delta, p.T, p.kappa}, (
        moved - p.kappa, c_1 * p.G**2 * sp.log(1 / p.delta) / (p.b_1**2 * p.epsilon**2),
        c_2 * p.M**2 * sp.log(1 / p.delta) / (p.b_2**2 * p.epsilon**2) * moved, p.eta**2 * norm**2, p.T)),
    "4": ({p.epsilon, p.delta, p.T}, (
        c_1 * p.G**2 * p.T * sp.log(1 / p.delta) / (p.n**2 * p.epsilon**2), c_2 * p.M**2 * p.d * p.T * sp.log(1 / p.delta),
        p.alpha + p.G * sp.log(8 * p.d / p.omega), sp.sqrt(p.rho * p.alpha))),
}  # fmt: skip


def inputs(*, algorithm: str) -> Finding:
    """Compare the letters of an algorithm's lines with the inputs that it lists."""
    listed, lines = ALGORITHMS[algorithm]
    used = set().union(*(sp.sympify(line).free_symbols for line in lines)) - COMPUTED
    missing, idle = sorted(map(p.letter, used - listed)), sorted(map(p.letter, listed - used))
    numbers = {"listed": tuple(sorted(map(p.letter, listed))), "used": tuple(sorted(map(p.letter, used))), "listed and not used": idle}
    if missing:
        witness = {"used and not listed": ", ".join(missing), "listed and not used": ", ".join(idle) or "none"}
        return Finding(Outcome.REFUTED, f"not among the inputs: {', '.join(missing)}", numbers, witness)
    return Finding(Outcome.CONSISTENT, "every letter is listed", numbers)


def settings(*, constants: Sequence[tuple[float, float]]) -> Finding:
    """Find mu for several (C, s) that the text allows, for one problem, and compare the parameters."""
    from bounds.gauss_psgd.block_numbers import Constants, least_s
    from bounds.gauss_psgd.fixed_point import given_noise

    rows = {}
    for C, s in constants:
        allowed = Constants(C_abs=C, s=s)
        found = given_noise(psi=1e-12, added_noise=1e-13, d=10.0, ell=1.0, rho=1.0, U=1.0, omega=0.1, constants=allowed)
        meets = s >= float(least_s("printed", C)) and all(found.log_factor >= entry for entry in found.entries)
        rows[(C, s)] = (found.block.accuracy, found.block.eta, found.block.chi, meets)
    numbers = {f"C {C:g}, s {s:g}: alpha, eta": row[:2] for (C, s), row in rows.items()}
    if not all(row[3] for row in rows.values()):
        return Finding(Outcome.INCONCLUSIVE, "a setting does not meet what the text asks for", numbers)
    (one, a), (two, b), *_ = rows.items()
    if not math.isclose(a[0], b[0], rel_tol=1e-6):
        witness = {"first C, s": one, "alpha": a[0], "second C, s": two, "alpha there": b[0], "eta": a[1], "eta there": b[1]}
        sentence = f"both (C, s) = {one} and {two} meet every condition; alpha is {a[0]:.3g} and {b[0]:.3g}"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "the settings have the same parameters", numbers)


def meanings_of_u(*, height: float, start: float) -> Finding:
    """Evaluate what U stands for in Assumption 2, in Lemma 6 and in Lemma 8 for F(x) = height + cos(x), x_0 = start."""
    values = {"max F - F*": 2.0, "F_0 - F*": math.cos(start) + 1, "least upper bound of F": height + 1}
    if len({round(value, 12) for value in values.values()}) == 1:
        return Finding(Outcome.CONSISTENT, "the three agree there", values)
    witness = {"F": f"{height:g} + cos(x)", "x_0": start, **values}
    return Finding(Outcome.REFUTED, f"for F = {height:g} + cos(x), x_0 = {start:.4g} they are {tuple(values.values())}", values, witness)


def largest_u(*, samples: int) -> Finding:
    """Examine that F_0 - F* is at most the U of Assumption 2, so that it serves in every place."""
    proof = Derivation(
        "gauss_psgd.assumption2.largest_u",
        "F_0 - F* is at most the U of Assumption 2",
        "our reading",
        facts=(
            fact("range", "Assumption 2 at the point where F is largest", F_now, "<=", F_star + p.U, Assumed()),
            fact("largest", "F is largest there", F_first, "<=", F_now, Assumed()),
        ),
        steps=(
            line(
                "at_start",
                "F_0 - F* <= U",
                F_first - F_star,
                "<=",
                p.U,
                "F_0 <= max F",
                NonNegative((("range",), ("largest",))),
                where=GIVENS,
            ),
        ),
    )
    return examine_steps(proof, samples=samples)


def chosen_event(*, points: int, omega: float) -> Finding:
    """Take independent normal errors at `points` iterates, each within its limit with probability 1 - omega, and look at the worst."""
    missed = 1 - (1 - omega) ** points
    union = 1 - (1 - omega / points) ** points
    numbers = {"fails at a fixed point": omega, "fails at the worst point": missed, "with omega / T at each": union}
    if missed > omega >= union:
        witness = {"T": points, "omega": omega, "errors": "independent standard normal", "fails at the worst": missed}
        sentence = f"of {points} points that each fail with {omega:g}, one fails with {missed:.3f}; a union over the points needs omega / T"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "no loss by choosing", numbers)


def by_reading(*, sentence: str) -> Finding:
    """Return what only a reader can settle."""
    return Finding(Outcome.NOT_TESTABLE, sentence)


def _claim(name: str, place: str, words: str, expected: Outcome, why: str, examine: Any, arguments: Any, **more: Any) -> Claim:
    return Claim(
        key=f"gauss_psgd.{name}", source=place, words=words, kind=more.pop("kind", Kind.SCOPE), expected=expected, why=why,
        examine=examine, arguments=arguments, stated=more.pop("stated", "reading"), **more,
    )  # fmt: skip


PATHS = {"paths": 30, "length": 40, "seed": 0}
LISTED = {"1": "chi", "2": "eta, b_1, b_2, G, M, c_1, c_2; the same for Algorithm 3", "4": "alpha, omega', G, M, rho, c_1, c_2"}
CLAIMS = (
    _claim("lemma3.index_printed", "(54), (55), proof of Lemma 3; (56), (57) go on with it",
           "<grad F(x_{t-1}), x_t - x_{t-1}> + M/2 |x_t - x_{t-1}|^2 is at most the same with -eta g_{t-1} in place of x_t - x_{t-1}",
           Outcome.REFUTED, "x_t - x_{t-1} is -eta g_t by (4)", index_of_the_step, {"shift": 1, "errors": (0, -2, 2)},
           latex=r"\langle\nabla F(x_{t-1}), x_t - x_{t-1}\rangle + \frac M2\|x_t - x_{t-1}\|^2 \le "
           r"-\eta\langle\nabla F(x_{t-1}), \hat g_{t-1}\rangle + \frac M2\eta^2\|\hat g_{t-1}\|^2",
           kind=Kind.INEQUALITY, stated="printed", correction="-eta g_t", correction_latex=r"x_t - x_{t-1} = -\eta\hat g_t",
           repaired_by="gauss_psgd.lemma3.index"),
    _claim("lemma3.index", "(4), (54)", "With -eta g_t in place of x_t - x_{t-1} it is", Outcome.CONSISTENT, "a path, exactly",
           index_of_the_step, {"shift": 0, "errors": (0, -2, 2)}, kind=Kind.INEQUALITY),
    _claim("lemma8.set_by_the_sums_of_lemma7", "Lemmas 7 and 8",
           "The set {t: drift_t >= kappa} with the sums of the proofs of Lemmas 7 and "
           "9, i from tau(t) + 1 to t of ||x_{i-1} - x_{i-2}||^2, counts the fresh gradients", Outcome.REFUTED,
           "that sum is below kappa at every t, because O_2 is called only then: the set is empty", drift_sums, {**PATHS, "shifted": True},
           latex=r"\textstyle\sum_{i=\tau(t)+1}^t\|x_{i-1} - x_{i-2}\|^2", correction="With the sum of (9), one step later",
           correction_latex=r"\textstyle\sum_{i=\tau(t)}^t\|x_i - x_{i-1}\|^2", repaired_by="gauss_psgd.lemma8.set_by_9",
           full={"paths": 2000}),
    _claim("lemma8.set_by_9", "(9), Lemma 8", "With the sum of (9) the set counts the fresh gradients after the first", Outcome.CONSISTENT,
           "Algorithm 2's own variable on random paths, exactly", drift_sums, {**PATHS, "shifted": False}, full={"paths": 2000}),
    _claim("lemma20.middle_of_45", "(40), (45), proof of Lemma 20",
           "P_h(t + 1) is bounded by b(t), not only by b(t + 1), as the middle of (45) "
           "says", Outcome.PROVED, "the difference of the runs enters at i - 1; (41) has the weaker b(t + 1)", middle_of_45,
           {"samples": 20},
           latex=r"(1+x)^{t+1-i}\mathfrak{b}(i-1) = \mathfrak{b}(t)", kind=Kind.IDENTITY),
    _claim("lemma1.factor_36", "(46), (47)", "The factor 36 in (46) is enough for 2/9 in (47)", Outcome.PROVED, "it gives 1/6",
           factor_of_46, {"factor": 36, "samples": 20}, latex=r"\iota \ge \log(36d\Gamma\log\tfrac{\mathcal{R}}{\eta r})",
           kind=Kind.INEQUALITY,
           stated="printed"),
    _claim("lemma1.factor_27", "ours; (46), (47)", "27 is enough", Outcome.PROVED, "6/27 is 2/9", factor_of_46, {"factor": 27,
           "samples": 20},
           kind=Kind.INEQUALITY, stated="question"),
    _claim("definition2.saddle", "after Definition 2",
           "A point with a least eigenvalue of at most -sqrt(rho alpha), which Lemma 1 is about, is "
           "a saddle as defined", Outcome.REFUTED, "the matrix inequality asks it of every eigenvalue", saddle,
           {"eigenvalues": (-2.0, 1.0), "alpha": 1.0, "rho": 1.0}, latex=r"\nabla^2F(x) \preceq -\sqrt{\rho\alpha}\,I_d",
           correction="The least eigenvalue is at most -sqrt(rho alpha)",
           correction_latex=r"\lambda_{\min}(\nabla^2F(x)) \le -\sqrt{\rho\alpha}"),
    _claim("definition4.refers_to_3", "Definition 4", "(3) is the inequality in epsilon and delta that every client's messages satisfy",
           Outcome.REFUTED, "(3) defines psi", letters_of_3, {}, stated="printed", latex=r"(3):\ \psi = \sqrt{\sigma^2 + r^2d}",
           correction="The inequality of Definition 3 is meant"),
    *(
        _claim(f"algorithm{number}.listed_inputs", f"Algorithm {number}", "The list of inputs has every letter that the lines use",
               Outcome.REFUTED, "some are missing", inputs, {"algorithm": number}, correction=f"Also {LISTED[number]}")
        for number in ALGORITHMS
    ),
    _claim("parameter_block.unique", "(5), (6), Algorithm 1", "The text determines the parameters of Algorithm 1 for given psi, r and F",
           Outcome.REFUTED, "C and s are absolute constants that are not given, and C is an input", settings,
           {"constants": ((1.0, 51200.0), (4.0, 102400.0))}, correction="C and s must be given; then mu is a single root"),
    _claim("assumption2.one_u", "Assumption 2, Lemmas 6 and 8", "U means the same in Assumption 2, in Lemma 6 and in Lemma 8",
           Outcome.REFUTED,
           "max F - F*, F_0 - F*, and an upper bound of F: harmless", meanings_of_u, {"height": 10.0, "start": math.pi / 2},
           latex=r"\max F - F^* = F_0 - F^* = \sup F", correction="U of Assumption 2 serves in each place",
           correction_latex=r"F_0 - F^* \le U", repaired_by="gauss_psgd.assumption2.largest_u"),
    _claim("assumption2.largest_u", "Assumption 2, Lemma 6", "F_0 - F* is at most the U of Assumption 2", Outcome.PROVED, "F_0 <= max F",
           largest_u, {"samples": 20}, kind=Kind.INEQUALITY),
    _claim("theorem4.chosen_point", "(127) to (142), proof of Theorem 4",
           "Events that hold at a fixed iterate with probability 1 - omega' hold "
           "with it at the one that is chosen", Outcome.REFUTED, "the choice depends on the same samples", chosen_event,
           {"points": 10, "omega": 0.05}, correction="A union over the T iterates: omega'/T at each, logarithms only"),
    _claim("lemma20.conditioning", "proof of Lemma 20", "The martingale bounds hold conditioned on the event that both runs stay near",
           Outcome.NOT_TESTABLE, "a gap in an argument", by_reading,
           {"sentence": "the event is in the future of the differences, so they need not be martingale differences given it; intersecting "
            "the bad events avoids it, as gauss_psgd.repaired_block does; that the bound fails is not shown"}),
    _claim("section3.citation", "Section 3.1", "References [54] and [30] study second-order stationary points under privacy",
           Outcome.NOT_TESTABLE,
           "a reference", by_reading, {"sentence": "[30] in the list is about federated learning in the shuffle model; [29] is meant"},
           stated="printed"),
)  # fmt: skip
