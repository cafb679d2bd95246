"""What becomes of DPZero's theorems when T must be an integer of at least 1.

cert(T) is the bound before the schedule is chosen, at the printed alpha, C and lam, with sigma computed from the integer T, and capped
by the trivial bound. A rule keeps a theorem if cert(T) is at most the printed bound. Where a rule does not, the proof no longer gives
the printed constant; the theorem's inequality itself may still be true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import sympy as sp
from mpmath import mp
from numpy.typing import NDArray

from bounds.dpzero import DERIVATIONS, THEOREMS, integer_T, remark_f5
from bounds.symbols import GLOSSARY, T
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

Array = NDArray[np.float64]
RULES: dict[str, Callable[[Array], Array]] = {
    "floor": lambda real: np.maximum(1, np.floor(real)),
    "ceil": lambda real: np.maximum(1, np.ceil(real)),
}
EITHER: dict[str, Callable[[Any], Any]] = {"best": lambda two: np.min(two, axis=0), "any": lambda two: np.max(two, axis=0)}
DELTAS = (0.1, 0.01, 1e-3, 1e-4, 1e-5, 1e-6)
TABLE_6 = {"n": 10_000.0, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0, "mu": 0.1, "d": 20.0, "r": 3.59774}


@cache
def functions(key: str, module: str) -> tuple[tuple[str, ...], Callable[..., Any]]:
    """Return the letters, and T*, the printed bound and the capped cert(T) as one function of them and T."""
    case = remark_f5.CASES[key]
    theorem = case.theorem
    free = replace(theorem, schedule={name: entry for name, entry in theorem.schedule.items() if name != "T"})
    parts = [theorem.in_constants(T), theorem.in_constants(theorem.bound), free.in_constants(case.certified), case.trivial]
    names = tuple(name for name in GLOSSARY if name != "T" and GLOSSARY[name].symbol in set().union(*(p.free_symbols for p in parts)))
    return names, sp.lambdify([*(GLOSSARY[name].symbol for name in names), T], parts, modules=module)


def excess(key: str, rule: str, values: Mapping[str, Array | float]) -> tuple[Array, Array]:
    """Return T* and cert(T) / printed bound at T rounded by the rule, nan where undefined.

    The rules are floor, ceil, "best", the better of the two, and "any", the worse.
    """
    names, function = functions(key, "numpy")
    point = [np.asarray(values[name], dtype=float) for name in names]
    with np.errstate(all="ignore"):
        real, printed, _, trivial = function(*point, 1.0)
        rounded = [np.minimum(function(*point, RULES[one](real))[2], trivial) for one in (RULES if rule in EITHER else (rule,))]
        certified = EITHER[rule](rounded) if rule in EITHER else rounded[0]
        return np.asarray(real), np.asarray(certified / printed)


def precisely(key: str, rule: str, values: Mapping[str, float]) -> tuple[float, Any]:
    """Return T and cert(T) / printed bound in 50 digits, at one point."""
    names, function = functions(key, "mpmath")
    with mp.workdps(50):
        point = [mp.mpf(values[name]) for name in names]
        real, printed, _, _ = function(*point, mp.mpf(1))
        whole = max(1, int(mp.floor(real) if rule == "floor" else mp.ceil(real)))
        _, _, certified, trivial = function(*point, mp.mpf(whole))
        return whole, min(certified, trivial) / printed


def random_points(points: int, seed: int) -> dict[str, Array]:
    """Return problems over many orders of magnitude, 1 <= r <= d and gap <= min(2 B, L^2/(2 mu)) included."""
    chance = np.random.default_rng(seed)

    def spread(low: float, high: float) -> Array:
        return np.asarray(10.0 ** chance.uniform(low, high, points))

    dimension, smooth, lipschitz = np.floor(spread(0, 4)), spread(-1, 1), spread(-1, 1)
    pl = smooth * spread(-4, 0)
    start = np.minimum(lipschitz**2 / smooth * spread(-3, 4), lipschitz**2 / (2 * pl) * chance.uniform(0, 1, points))
    return {
        "n": np.floor(spread(0, 7)),
        "d": dimension,
        "r": np.minimum(dimension, dimension ** chance.uniform(0, 1, points)),
        "epsilon": spread(-3, 2),
        "delta": spread(-9, -0.01),
        "L": lipschitz,
        "ell": smooth,
        "gap": start,
        "B": start * chance.uniform(0.5, 2, points),
        "mu": pl,
    }


def near_the_edge(points: int, seed: int) -> dict[str, Array]:
    """Return problems of Theorem 3 whose printed bound is just below L^2: there rounding costs most. Numbers of few digits."""
    chance = np.random.default_rng(seed)
    start = np.where(chance.random(points) < 0.5, 0.1, np.round(10.0 ** chance.uniform(1, 3.3, points)))
    ones = np.ones(points)
    epsilon = np.asarray(chance.integers(1, 9, points), dtype=float)
    values: dict[str, Array] = {"d": np.asarray(np.rint(10.0 ** chance.uniform(0, 3, points)), dtype=float), "epsilon": epsilon}
    values |= {"delta": chance.choice(DELTAS, points), "r": ones, "L": ones, "ell": ones, "gap": start, "B": start / 2, "mu": ones / 10}
    A = np.log(math.e + values["epsilon"] / values["delta"])
    wanted = np.full(points, 1000.0)
    for _ in range(20):  # T* = 3 (16 (gap + log X) + 1/2) makes the printed bound L^2; X depends on n, n on T*
        rows = wanted * 4 * np.sqrt(A) / (3 * values["epsilon"])
        X = 32 * math.sqrt(2 * math.pi) * rows * wanted**2 * (values["d"] + 24 * values["B"]) / 3
        wanted = 3 * (16 * (start + np.log(X)) + 0.5)
    return values | {"n": np.ceil(rows * (1 + 10.0 ** chance.uniform(-4, -1, points)))}


def theorem_3_points(points: int, seed: int) -> dict[str, Array]:
    """Return as many problems near the edge as over many orders of magnitude."""
    edge, anywhere = near_the_edge(points // 2, seed), random_points(points - points // 2, seed)
    return {name: np.concatenate([edge[name], anywhere[name]]) for name in anywhere}


def little_above_one(points: int, seed: int) -> dict[str, Array]:
    """Return problems of the corollaries with T* between 1 and 2, where the ceiling costs most, in numbers of few digits."""
    chance = np.random.default_rng(seed)
    d, epsilon, delta = chance.integers(1, 4, points) * 1.0, chance.choice(DELTAS[:3], points), chance.choice(DELTAS, points)
    form = chance.integers(0, 3, points)  # of F.2, F.3, F.4: Y = n^2 epsilon^2 / (kappa k A), T* = 8 kappa D log Y
    kappa = np.where(form == 2, chance.choice([1e4, 1e5], points), chance.choice([100.0, 1000.0], points))
    k, D = np.choose(form, (d**3, d**2, np.ones(points))), np.where(form == 0, d, 3.0)
    Y = np.exp(chance.uniform(1, 1.3, points) / (8 * kappa * D))
    n = np.ceil(np.sqrt(Y * kappa * k * np.log(math.e + epsilon / delta)) / epsilon)
    ones = np.ones(points)
    return {
        "n": n, "d": d, "r": ones, "epsilon": epsilon, "delta": delta, "L": ones, "ell": ones,
        "gap": ones / 100, "B": kappa, "mu": 1 / kappa,
    }  # fmt: skip


def rule_keeps(
    *, keys: Sequence[str], rule: str, derivation: str, domain: Callable[[int, int], dict[str, Array]], points: int, seed: int, least: float
) -> Finding:
    """Search for cert(T) above the printed bound, where T* >= `least`; the worst point is confirmed in 50 digits.

    Where none is found, the derivation decides between PROVED and CONSISTENT, and `integer_T` must follow the rule.
    """
    tried, worst, at, where = 0, 0.0, {}, ""
    for key in keys:
        values = domain(points, seed)
        real, ratio = excess(key, rule, values)
        counted = (real >= least) & (real < 1e12) & np.isfinite(ratio)
        tried += int(counted.sum())
        ratio = np.where(counted, ratio, 0.0)
        k = int(np.argmax(ratio))
        if ratio[k] > worst:
            worst, where = float(ratio[k]), key
            at = {name: float(value[k]) for name, value in values.items()}
    at = {name: at[name] for name in functions(where, "numpy")[0]}
    numbers: dict[str, Any] = {"tried": tried, "largest cert(T) / printed bound": worst}
    if worst > 1 + 1e-12:
        confirmed = [precisely(where, one, at) for one in (RULES if rule in EITHER else (rule,))]
        whole, exact = (max if rule == "any" else min)(confirmed, key=lambda pair: pair[1])
        if exact > 1:
            chosen = integer_T(where, **at)
            if rule in RULES and not chosen.keeps:
                return Finding(Outcome.INCONCLUSIVE, f"integer_T, too, misses the printed bound at {at}: its rule is not the better one")
            excess_text = mp.nstr(exact - 1, 6)
            witness = {**at, "T": whole, "cert(T) / printed bound - 1": excess_text}
            return Finding(
                Outcome.REFUTED, f"{where}: always {rule} exceeds the printed bound by {excess_text} of it", numbers, witness, seed=seed
            )
    chosen = integer_T(where, **at)
    numbers["integer_T at the worst point"] = chosen.T
    if not chosen.keeps:
        return Finding(Outcome.INCONCLUSIVE, f"integer_T misses the printed bound at {at}", numbers, seed=seed)
    if not derivation:
        return Finding(Outcome.CONSISTENT, f"no proof; none above at {tried} points", numbers, seed=seed)
    proof = examine_steps(DERIVATIONS[derivation], samples=20, seed=seed)
    return replace(proof, sentence=f"{derivation}: {proof.sentence}; no violation at {tried} points", numbers={**numbers, **proof.numbers})


def is_an_integer(*, keys: Sequence[str]) -> Finding:
    """Evaluate the prescribed T at the synthetic experiment's values, mode (c), d = 20."""
    found = {}
    for key in keys:
        names, function = functions(key, "mpmath")
        with mp.workdps(30):
            found[key] = float(function(*[mp.mpf(TABLE_6[name]) for name in names], mp.mpf(1))[0])
        if abs(THEOREMS[key].evaluate(**{name: TABLE_6[name] for name in names}).schedule["T"] / found[key] - 1) > 1e-9:
            return Finding(Outcome.INCONCLUSIVE, f"{key}: two ways to evaluate T* disagree")
    broken = {key: value for key, value in found.items() if value != round(value)}
    if broken:
        key, value = next(iter(broken.items()))
        return Finding(Outcome.REFUTED, f"{key} prescribes T = {value:.8g} steps", found, {**TABLE_6, "theorem": key, "T*": value})
    return Finding(Outcome.CONSISTENT, "integers", found)


THEOREM_KEYS = ("dpzero.theorem1", "dpzero.theorem2", "dpzero.theorem3")
COROLLARY_KEYS = ("dpzero.corollary_f2", "dpzero.corollary_f3", "dpzero.corollary_f4")


def fixed_rule(rule: str) -> Claim:
    """Return the claim that a fixed rounding keeps Theorem 3."""
    return Claim(
        key=f"dpzero.theorem3.always_{rule}",
        source="Theorem 3, choice of T (our question)",
        words=f"With T always the {rule} of T*, what the proof of Theorem 3 certifies is at most the printed bound (7)",
        latex=r"\min\{\mathrm{cert}(T), L^2\} \le (7)",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.REFUTED,
        why="near (7) = L^2 the rounding error of the wrong direction exceeds the quarter of the lam term that is unused, by up to 0.06 %",
        examine=rule_keeps,
        arguments={
            "keys": ("dpzero.theorem3",),
            "rule": rule,
            "derivation": "",
            "domain": near_the_edge,
            "points": 40_000,
            "seed": 0,
            "least": 1,
        },
        full={"points": 1_000_000},
        correction="The better of floor and ceiling keeps it",
        repaired_by="dpzero.theorem3.better_rounding",
    )


def ceiling(key: str) -> Claim:
    """Return the claim that the ceiling of T* keeps a corollary."""
    return Claim(
        key=f"{key}.ceil",
        source=f"Corollary F.{key[-1]}, choice of T, and Remark F.5 (our question)",
        words="With T the ceiling of T*, what the proof certifies, capped by the trivial bound, is at most the printed bound",
        latex=r"\min\{\mathrm{cert}(\lceil T^*\rceil), L^2/(2\mu)\} \le \text{printed}",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.REFUTED,
        why="the noise term grows by the factor ceil(T*)/T*, close to 2 where T* is little above 1",
        examine=rule_keeps,
        arguments={"keys": (key,), "rule": "ceil", "derivation": "", "domain": little_above_one, "points": 20_000, "seed": 0, "least": 1},
        full={"points": 500_000},
        correction="The floor keeps it when T* >= 1 and Y > 1",
        repaired_by="dpzero.corollaries_f.floor",
    )


CLAIMS = (
    Claim(
        key="dpzero.theorems.integer_steps",
        source="Theorems 1, 2, 3 and Corollaries F.2, F.3, F.4, choice of T",
        words="The prescribed number of steps T is an integer",
        latex=r"T = n\varepsilon/\sqrt{dA},\ \dots \in \mathbb{N}",
        kind=Kind.SCOPE,
        stated="reading",
        expected=Outcome.REFUTED,
        why="it is a quotient of real numbers; the theorems do not say how to round",
        examine=is_an_integer,
        arguments={"keys": (*THEOREM_KEYS, *COROLLARY_KEYS)},
        correction="Theorems 1, 2: any rounding; Theorem 3: the better of floor and ceiling; F.2 to F.4: the floor",
        repaired_by="dpzero.theorem3.better_rounding",
    ),
    Claim(
        key="dpzero.theorems_1_2.any_rounding",
        source="Theorems 1 and 2, choice of T (our proof)",
        words="With T* rounded either way, to at least 1, what the proofs of Theorems 1 and 2 certify is at most (3) and (5)",
        latex=r"\min\{\mathrm{cert}(T), L^2\} \le (3), (5),\quad T \in \{\lfloor T^*\rfloor,\lceil T^*\rceil\},\ T \ge 1",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="a quarter of the lam term is unused, and where that is not enough the printed bound exceeds L^2; "
        "the theorem itself rests on words",
        examine=rule_keeps,
        arguments={
            "keys": THEOREM_KEYS[:2],
            "rule": "any",
            "derivation": "dpzero.integer_t_theorems_1_2",
            "domain": random_points,
            "points": 40_000,
            "seed": 0,
            "least": 0,
        },
        full={"points": 1_000_000},
        derivations=("dpzero.integer_t_theorems_1_2",),
    ),
    Claim(
        key="dpzero.theorem3.better_rounding",
        source="Theorem 3, choice of T (our proof)",
        words="With the better of floor and ceiling of T*, T* >= 1, what the proof of Theorem 3 certifies is at most (7)",
        latex=r"\min\{\mathrm{cert}(\lfloor T^*\rfloor), \mathrm{cert}(\lceil T^*\rceil), L^2\} \le (7)",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="a/T + bT is convex: one of the two neighbours costs at most b/T, which the unused quarter of the lam term covers; "
        "the theorem itself rests on words",
        examine=rule_keeps,
        arguments={
            "keys": THEOREM_KEYS[2:],
            "rule": "best",
            "derivation": "dpzero.integer_t_theorem_3",
            "domain": theorem_3_points,
            "points": 40_000,
            "seed": 0,
            "least": 1,
        },
        full={"points": 1_000_000},
        derivations=("dpzero.integer_t_theorem_3",),
    ),
    fixed_rule("floor"),
    fixed_rule("ceil"),
    Claim(
        key="dpzero.corollaries_f.floor",
        source="Corollaries F.2, F.3, F.4, choice of T (our proof)",
        words="The algebra of Corollaries F.2 to F.4 holds as printed with T the floor of T*, when T* >= 1 and Y > 1",
        latex=r"\mathrm{cert}(\lfloor T^*\rfloor) \le \text{printed}",
        kind=Kind.INEQUALITY,
        stated="question",
        expected=Outcome.CONSISTENT,
        why="the noise term falls by more than the first term grows; the theorem itself rests on words",
        examine=rule_keeps,
        arguments={
            "keys": COROLLARY_KEYS,
            "rule": "floor",
            "derivation": "dpzero.integer_t_corollaries",
            "domain": random_points,
            "points": 40_000,
            "seed": 0,
            "least": 1,
        },
        full={"points": 1_000_000},
        derivations=("dpzero.integer_t_corollaries",),
    ),
    *(ceiling(key) for key in COROLLARY_KEYS),
)
