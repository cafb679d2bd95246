"""Where DPZero's logarithms are not positive, what Remark F.5 makes of T* below 1, and an effective rank of 0."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp

from bounds.certificates import Outcome as Certificate
from bounds.certificates import verify
from bounds.derivation import GIVENS, Assumed, Defined, Derivation, NonNegative, Reasoned, Substitution, fact, line
from bounds.dpzero import DERIVATIONS, THEOREMS, integer_t_proof, remark_f5
from bounds.symbols import GLOSSARY, B, L, Min, T, d, ell, gap, mu, n, r
from paper_checks.dpzero import formulas, printed
from paper_checks.dpzero.integer_steps import random_points
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome


def positive_logarithm(*, key: str, letter: str, points: Sequence[Mapping[str, float]]) -> Finding:
    """Evaluate a statement where the argument of its logarithm is at most 1: the right side bounds something that is not negative."""
    theorem = THEOREMS[key]
    found = []
    for values in points:
        at = theorem.evaluate(**values)
        with mp.workdps(30):
            argument = theorem.in_constants(theorem.definitions[letter])
            value = float(
                sp.lambdify(list(argument.free_symbols), argument, "mpmath")(*[mp.mpf(values[x.name]) for x in argument.free_symbols])
            )
        found.append({**values, letter: value, "T*": at.schedule["T"], "C": at.schedule["C"], "right side": at.bound})
    false = [one for one in found if one["right side"] < 0 and one[letter] <= 1]
    if false:
        first = false[0]
        sentence = (
            f"{letter} = {first[letter]:.4g}: the right side is {first['right side']:.4g}, T = {first['T*']:.4g}, C = {first['C']:.4g}"
        )
        return Finding(Outcome.REFUTED, sentence, {"witnesses": len(false), "all": found}, first)
    return Finding(Outcome.CONSISTENT, "the right side is positive", {"all": found})


FRONT = 32 * sp.sqrt(2 * sp.pi)
LOWER_X = Derivation(
    key="dpzero.theorem3.lower_X",
    title="X is at least 32 sqrt(2 pi)/3 where T* >= 1",
    source="our proof",
    facts=(fact("a_step_is_taken", "T* >= 1", integer_t_proof.T_star, ">=", 1, Assumed()),),
    steps=(
        line(
            "lower_X",
            "X = 32 sqrt(2 pi) n T*^2 (d + 8 ell B (r + 2)/L^2) / (r + 2), of at least one of n samples, is at least 32 sqrt(2 pi)/3",
            integer_t_proof.big_X,
            ">=",
            FRONT / 3,
            "n >= 1, T* >= 1, d/(r + 2) >= 1/3",
            NonNegative(
                (
                    (8 * FRONT * n * integer_t_proof.T_star**2 * ell * B / L**2,),
                    (FRONT * d / (r + 2), integer_t_proof.T_star**2, "n >= 1"),
                    (FRONT * d / (r + 2), integer_t_proof.T_star + 1, "a_step_is_taken"),
                    (FRONT / (3 * (r + 2)), "r <= d"),
                    (2 * FRONT / (3 * (r + 2)), "d >= 1"),
                )
            ),
            where=GIVENS,
        ),
    ),
)


def logarithm_when_a_step_is_taken(*, points: int, seed: int) -> Finding:
    """Prove X >= 26.7 where T* >= 1 and r <= d, and look for a smaller X."""
    steps = [verify(LOWER_X, "lower_X"), verify(DERIVATIONS["dpzero.integer_t_theorem_3"], "log_argument")]
    theorem, values = THEOREMS["dpzero.theorem3"], random_points(points, seed)
    argument, real_T = (theorem.in_constants(one) for one in (theorem.definitions["X"], T))
    names = sorted({x.name for x in (argument.free_symbols | real_T.free_symbols)})
    X, real = sp.lambdify([GLOSSARY[name].symbol for name in names], [argument, real_T], "numpy")(*[values[name] for name in names])
    least, tried = float(np.min(np.where(real >= 1, X, np.inf))), int((real >= 1).sum())
    numbers = {"tried": tried, "least X found": least, "proved": float(FRONT / 3)}
    if least < float(FRONT / 3):
        return Finding(Outcome.REFUTED, "a smaller X", numbers, {"X": least}, seed=seed)
    if all(one.outcome is Certificate.CERTIFIED for one in steps):
        return Finding(Outcome.PROVED, f"X >= 32 sqrt(2 pi)/3 = {float(FRONT / 3):.4g}; least found {least:.4g}", numbers, seed=seed)
    return Finding(Outcome.INCONCLUSIVE, "a step does not check; a repaired proof would settle it", numbers, seed=seed)


def trivial_bound_of_corollaries(*, scale: float) -> Finding:
    """Compare L^2 with F - F^* for F = scale x^2/2 on [-1, 1], where L = mu = ell = scale, at x = 1."""
    distance, lipschitz, pl = scale / 2, scale, scale
    corollaries = {key: case.trivial for key, case in remark_f5.CASES.items() if "corollary" in key}
    half = {key: trivial in (L**2 / (2 * mu), Min(L**2 / (2 * mu), 2 * B)) for key, trivial in corollaries.items()}
    numbers = {"F - F^*": distance, "L^2": lipschitz**2, "L^2 / (2 mu)": lipschitz**2 / (2 * pl)}
    if not all(half.values()) or distance > lipschitz**2 / (2 * pl):
        return Finding(Outcome.INCONCLUSIVE, f"bounds.dpzero caps the corollaries otherwise: {half}", numbers)
    if distance > lipschitz**2:
        witness = {"F": f"{scale} x^2 / 2 on [-1, 1]", "x": 1.0, **numbers}
        sentence = f"F = {scale} x^2/2 has F - F^* = {distance:g} at x = 1, above L^2 = {lipschitz**2:g}; L^2/(2 mu) is attained"
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "not above L^2", numbers)


D, T_star, log_X = integer_t_proof.D, integer_t_proof.T_star, integer_t_proof.log_X
EXCEEDS = Derivation(
    key="dpzero.remark_f5.exceeds",
    title="where T* <= 1 and log X >= 0 the printed bound (7) exceeds L^2, so the minimum is L^2",
    source="our proof",
    facts=(
        fact("no_step", "T* <= 1", T_star, "<=", 1, Assumed()),
        fact("X_above_1", "X >= 1", log_X, ">=", 0, Assumed()),
        fact("D", "D = r + 2", D, "=", r + 2, Defined()),
    ),
    steps=(
        line(
            "exceeds",
            "the printed bound (7) against L^2",
            integer_t_proof.claim_3,
            ">",
            L**2,
            "D = r + 2 >= 3, so 2 D / (4 T*) >= 3/2",
            NonNegative(
                (
                    (16 * ell * D * gap / T_star,),
                    (16 * L**2 * D / T_star, "X_above_1"),
                    (L**2 / (2 * T_star), "r >= 1"),
                    (3 * L**2 / (2 * T_star), "no_step"),
                    (L**2 / 2,),
                ),
                at=("D",),
            ),
            where=GIVENS,
        ),
    ),
)


def orientation(*, points: int, seed: int) -> Finding:
    """Prove that T = max(T*, 1) with min((7), L^2) is right when T* < 1 and X >= 1, and compare with the library's Remark F.5."""
    theorem, remark = THEOREMS["dpzero.theorem3"], THEOREMS["dpzero.remark_f5"]
    values, tried = random_points(points, seed), 0
    values["epsilon"] = np.minimum(values["epsilon"], 4 * np.sqrt(values["r"]) / ((values["r"] + 2) * values["n"]))  # T* <= 1
    for k in range(points):
        at = {name: float(value[k]) for name, value in values.items()}
        printed = theorem.evaluate(**at)
        if not (printed.schedule["T"] < 1 and printed.bound > 0 and math.isfinite(printed.schedule["C"])):
            continue
        tried, ours = tried + 1, remark.evaluate(**at)
        wrong = printed.bound < at["L"] ** 2 or not math.isclose(ours.bound, at["L"] ** 2) or ours.schedule["T"] != 1
        if wrong:
            witness = {**at, "T*": printed.schedule["T"], "T": ours.schedule["T"], "bound": ours.bound, "(7)": printed.bound}
            return Finding(Outcome.REFUTED, "the remark does not give T = 1 and L^2 there", {"tried": tried}, witness, seed=seed)
    if tried and verify(EXCEEDS, "exceeds").outcome is Certificate.CERTIFIED:
        return Finding(Outcome.PROVED, f"when T* < 1, (7) exceeds L^2; T = 1 and L^2 at {tried} points", {"tried": tried}, seed=seed)
    return Finding(Outcome.INCONCLUSIVE, "a step does not check, or no point was tried", {"tried": tried}, seed=seed)


largest, others, trace = sp.symbols("largest others trace", nonnegative=True)
height, floor, shift = sp.symbols("height floor shift", real=True)
steep_sq = sp.Symbol("steep_sq", positive=True)
LEAST_RANK = Derivation(
    key="dpzero.assumption_3_5.least_rank",
    title="the effective rank is between 1 and d",
    source="our proof",
    facts=(
        fact(
            "trace",
            "the trace is the largest eigenvalue of H >= 0 and the others",
            trace,
            "=",
            largest + others,
            Reasoned("sum of eigenvalues"),
        ),
        fact("rank", "Tr(H) <= r ||H||", trace, "<=", r * largest, Assumed()),
        fact("each", "d - 1 others, each at most the largest", others, "<=", (d - 1) * largest, Reasoned("they are no larger")),
        fact("shift", "how far x - s grad F_S goes", shift, "=", (height - floor + 1) / steep_sq, Defined()),
    ),
    steps=(
        line(
            "at_least_1",
            "so ||H||, the largest, is at most r ||H||: r >= 1 unless H = 0",
            largest,
            "<=",
            r * largest,
            "others >= 0",
            NonNegative((("rank",), (others,)), modulo=((1, "trace"),)),
            where=GIVENS,
        ),
        line(
            "at_most_d",
            "r = d is always enough for the trace: each of the others is at most the largest",
            trace,
            "<=",
            d * largest,
            "others <= (d - 1) ||H||",
            NonNegative((("each",),), modulo=((-1, "trace"),)),
            where=GIVENS,
        ),
        line(
            "constant",
            "where H = 0, F_S(x - s grad F_S) is height - s ||grad F_S||^2: a gradient other than 0 takes F_S below any floor",
            height - shift * steep_sq,
            "=",
            floor - 1,
            "insert s = (F_S(x) - floor + 1) / ||grad F_S||^2",
            Substitution(("shift",)),
        ),
    ),
)


def rank_of_zero(*, keys: Sequence[str]) -> Finding:
    """Let r fall to 0, which Tr(H) <= r ||H|| allows at H = 0, in the prescribed T and in the bound; and ask the library for r = 0."""
    limits: dict[str, tuple[Any, Any]] = {}
    refused: dict[str, str] = {}
    for key in keys:
        page = printed.PAGES[key]
        at = {GLOSSARY[name].symbol: sp.sympify(value) for name, value in AT_RANK_0.items()}
        steps, bound = (sp.limit(page.in_constants(one).xreplace(at), r, 0, "+") for one in (T, page.bound))
        limits[key] = steps, bound
        try:
            THEOREMS[key].evaluate(**AT_RANK_0, r=0.0)
        except ValueError as error:
            refused[key] = str(error)
    numbers: dict[str, Any] = {f"{key}: limits of T* and of the bound": tuple(map(sp.sstr, two)) for key, two in limits.items()}
    numbers |= {"the library says": next(iter(refused.values()), "nothing")}
    if set(refused) != set(keys):
        return Finding(Outcome.INCONCLUSIVE, "the library evaluates a statement at r = 0, where its T is not a number", numbers)
    infinite = [key for key, (steps, _) in limits.items() if steps.is_infinite]
    if infinite and all(bound == 0 for _, bound in limits.values()):
        witness = {"F_S": "constant", "H": 0, "r": 0, **AT_RANK_0, "T*": "infinite in " + ", ".join(infinite)}
        sentence = (
            "as r falls to 0, T* grows without end while the bound falls to 0, which is true: H = 0 leaves only constants; "
            "but no number of steps is prescribed"
        )
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "T* is finite at r = 0", numbers)


def least_rank(*, samples: int) -> Finding:
    """Examine the steps, and compare r with the spectra of random matrices H >= 0, one of rank 1 and the identity among them."""
    names = tuple(step.name for step in LEAST_RANK.steps)
    finding, chance = examine_steps(LEAST_RANK, names, samples=samples), np.random.default_rng(0)
    if finding.outcome is not Outcome.PROVED:
        return finding
    for trial in range(samples):
        dimension = int(chance.integers(1, 30))
        root = chance.standard_normal((dimension, 1 + trial % dimension)) if trial else np.eye(dimension)
        eigenvalues = np.linalg.eigvalsh(root @ root.T)
        rank = float(np.sum(eigenvalues) / eigenvalues[-1])
        if not 1 - 1e-9 <= rank <= dimension * (1 + 1e-9):  # rounding of eigvalsh: 1e-15 d times the largest
            return Finding(Outcome.REFUTED, f"Tr(H)/||H|| = {rank!r}", finding.numbers, {"d": dimension, "r": rank}, seed=0)
    return replace(finding, sentence=f"{finding.sentence}; 1 <= Tr(H)/||H|| <= d for {samples} matrices")


AT_RANK_0 = {"n": 100.0, "d": 10.0, "epsilon": 2.0, "delta": 0.01, "L": 1.0, "ell": 1.0, "gap": 0.0, "B": 1.0, "mu": 0.5}
COMMON = {"L": 1.0, "ell": 1.0}
BELOW_X = (
    {"n": 1.0, "d": 1.0, "r": 1.0, "epsilon": 1e-3, "delta": 0.5, "gap": 0.0, "B": 0.0, **COMMON},
    {"n": 10.0, "d": 10.0, "r": 2.0, "epsilon": 1e-3, "delta": 1e-6, "gap": 0.01, "B": 0.01, **COMMON},
)
BELOW_Y = {"n": 10.0, "d": 10.0, "r": 2.0, "delta": 1e-5, "gap": 0.1, "B": 1.0, "mu": 1.0, **COMMON}


def below_one(key: str, epsilon: float) -> Claim:
    """Return the claim that a corollary's right side is a bound whatever n and epsilon."""
    return Claim(
        key=f"{key}.any_epsilon",
        source=f"Corollary F.{key[-1]}, for any epsilon > 0",
        words="The bound of the corollary holds with its choice of parameters, whatever epsilon > 0 is",
        latex=formulas.COROLLARIES[key.removeprefix("dpzero.")],
        kind=Kind.SCOPE,
        expected=Outcome.REFUTED,
        why="log Y, Y = n^2 epsilon^2 / (kappa d^3 log(e + epsilon/delta)) or the like, is negative where Y < 1, so T is, and the right "
        "side can be",
        examine=positive_logarithm,
        arguments={"key": key, "letter": "Y", "points": ({**BELOW_Y, "epsilon": epsilon},)},
        correction="The argument of its logarithm must exceed 1; Remark F.5, which replaces a T below 1 by 1, leaves the right side as "
        "it is",
    )


CLAIMS = (
    Claim(
        key="dpzero.theorem3.any_epsilon",
        source="Theorem 3, for any epsilon > 0",
        words="(7) holds with the choice of parameters, C = 4 L_tilde among them, whatever epsilon > 0 is",
        latex=formulas.THEOREM_3,
        kind=Kind.SCOPE,
        expected=Outcome.REFUTED,
        why="the logarithm can be negative: L_tilde, and so the threshold, is imaginary then, and the right side negative",
        examine=positive_logarithm,
        arguments={"key": "dpzero.theorem3", "letter": "X", "points": BELOW_X},
        correction="The argument of the logarithm must exceed 1, as it does where the prescribed T is at least 1 and r <= d",
        repaired_by="dpzero.theorem3.logarithm_when_a_step_is_taken",
    ),
    Claim(
        key="dpzero.theorem3.logarithm_when_a_step_is_taken",
        source="Theorem 3, definition of L_tilde (our proof)",
        words="T* >= 1 and r <= d imply X >= 32 sqrt(2 pi)/3 > 26.7, so the logarithm of Theorem 3 is at least 3.2",
        latex=r"T^* \ge 1,\ r \le d \;\Rightarrow\; X \ge 32\sqrt{2\pi}/3",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.PROVED,
        why="X = 32 sqrt(2 pi) n T*^2 (d + 8 ell B (r+2)/L^2) / (r + 2)",
        examine=logarithm_when_a_step_is_taken,
        arguments={"points": 20_000, "seed": 0},
        full={"points": 1_000_000},
        derivations=("dpzero.integer_t_theorem_3",),
    ),
    below_one("dpzero.corollary_f2", 1.0),
    below_one("dpzero.corollary_f3", 1.0),
    below_one("dpzero.corollary_f4", 0.1),
    Claim(
        key="dpzero.assumption_3_5.rank_of_zero",
        source="Assumption 3.5 with H = 0; Theorems 2 and 3, Corollaries F.3 and F.4, choice of T",
        words="The prescribed T is a number for every r that Assumption 3.5 admits, r = 0 included",
        latex=r"H = 0,\ r = 0:\quad T^* < \infty",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="T* divides by sqrt(r), or takes the logarithm of 1/r",
        examine=rank_of_zero,
        arguments={"keys": ("dpzero.theorem2", "dpzero.theorem3", "dpzero.corollary_f3", "dpzero.corollary_f4")},
        correction="r >= 1: it holds unless H = 0, and then F_S is constant and r = 1 may be taken as well",
        correction_latex=r"1 \le r \le d",
        repaired_by="dpzero.assumption_3_5.least_rank",
    ),
    Claim(
        key="dpzero.assumption_3_5.least_rank",
        source="Assumption 3.5 (our proof)",
        words="The effective rank is at least 1 unless H = 0, where F_S is constant, and may always be taken to be at most d",
        latex=r"H \ne 0 \;\Rightarrow\; 1 \le \operatorname{Tr}(H)/\|H\|_2 \le d",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.PROVED,
        why="the trace holds the largest eigenvalue and d - 1 that are no larger; an affine function with a smallest value is constant",
        examine=least_rank,
        arguments={"samples": 60},
        full={"samples": 1000},
    ),
    Claim(
        key="dpzero.remark_f5.trivial_bound",
        source="Remark F.5, applied to Corollaries F.2 to F.4",
        words="In the corollaries, too, L^2 is the trivial bound, here of F_S - F_S^*, where PL and Lipschitz hold, as on [-1, 1]",
        latex=r"F_S(x)-F_S^* \le L^2",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.REFUTED,
        why="a difference of losses is not a squared gradient: PL and the Lipschitz constant give L^2/(2 mu)",
        examine=trivial_bound_of_corollaries,
        arguments={"scale": 0.1},
        correction="The trivial bound of the corollaries is min(L^2/(2 mu), 2B)",
        correction_latex=r"\min\{L^2/(2\mu), 2B\}",
    ),
    Claim(
        key="dpzero.remark_f5.orientation",
        source="Remark F.5",
        words="Where Theorem 3 prescribes a T below 1, and its logarithm is not negative, max and min are the right way round: one step, "
        "and the bound L^2",
        latex=formulas.REMARK_F5,
        kind=Kind.INEQUALITY,
        stated="reading",
        expected=Outcome.PROVED,
        why="(7) is then at least 3/2 L^2",
        examine=orientation,
        arguments={"points": 100, "seed": 0},
        full={"points": 2000},
        derivations=("dpzero.integer_t_theorem_3",),
    ),
)
