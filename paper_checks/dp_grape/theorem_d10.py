"""Checks of Theorem D.10: its proof step by step, its omissions, the roles of r and of the units, and its scope."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import sympy as sp
from scipy import integrate, special

import bounds
from bounds.proofs.inequalities import is_zero
from bounds.symbols import symbols
from paper_checks.dp_grape import printed as p
from paper_checks.record import Record
from paper_checks.shared.findings import check_condition
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.proofs import OTHER_FORMULA, check_lines
from paper_checks.verdict import Finding, Outcome

EXAMPLE = {"d": 1e4, "layers": 10.0, "n": 1e7, "epsilon": 1.0, "delta": 1e-6, "subspace": 8.0, "L": 1.0, "ell": 1.0, "spread": 1.0}


def schedule_formula(name: str) -> Any:
    """Return a formula of the page "dp_grape.theorem_d10_schedule", which inserts the printed parameters, by name."""
    return bounds.page("dp_grape.theorem_d10_schedule").formula(name)


def check_transcription() -> Finding:
    """Check that the theory's Theorems 2.1, 4.1 and D.10, and Lemmas D.4 to D.9, are the printed formulas; return a Finding."""
    theorem, informal, gaussian = (bounds.THEOREMS[f"dp_grape.theorem_{name}"] for name in ("d10", "4_1", "2_1"))
    (batch_sq,) = (part.value for part in informal.parts if part.name == "printed batch")
    of_B = [theorem.in_constants(one) for one in theorem.schedule["batch"].args]
    pairs = {f"{name}: bound": (bounds.THEOREMS[f"dp_grape.{name}"].bound, one) for name, one in p.FORMULAS.of("lemmas").items()}
    pairs |= {f"D.10: {name}": (theorem.in_constants(theorem.schedule[key]), p.D10[name])
              for name, key in (("eta", "alpha"), ("T", "T"), ("C", "C"))}  # fmt: skip
    pairs |= {"D.10: bound": (theorem.in_constants(theorem.bound), p.D10["bound"]), "2.1: bound": (gaussian.bound, p.FORMULAS["gaussian"])}
    pairs |= {"D.10: sigma": (theorem.schedule["sigma"], p.D10["sigma"])}
    pairs |= {"D.10: last display": (theorem.any_schedule, sum(p.D10[name] for name in ("first", "noise", "sampling", "tail")))}
    pairs |= {"4.1: bound": (informal.bound, p.FORMULAS["rate"]), "4.1: B^2": (batch_sq, p.D10["B_first"] ** 2)}
    pairs |= {f"4.1: {name}": (informal.schedule[name], p.D10[name]) for name in ("T", "sigma")}
    differing = [name for name, (one, other) in pairs.items() if not is_zero(theorem.without_abbreviations(one) - other)]
    differing += [name for name in ("B_first", "B_second") if not any(is_zero(p.D10[name] - one) for one in of_B)]
    record = Record({"formulas": len(pairs) + len(of_B)})
    if differing:
        record.leave_open(OTHER_FORMULA.format(", ".join(differing)))
    return record.prove(f"{len(pairs) + len(of_B)} formulas, by two transcriptions, are the same")


def check_role_of_r() -> Finding:
    """Check that r stands only in the logarithm of the bound, whose argument falls as r grows; return a Finding."""
    formula = p.D10["bound"].xreplace({sp.log(1 / p.delta): symbols("log_inverse")[0]})
    (log,) = formula.atoms(sp.log)
    outside = formula.xreplace({log: sp.Symbol("l", positive=True)}).has(p.r)
    slope = sp.factor(sp.diff(log.args[0], p.r))
    record = Record({"derivative": p.SPELLING.expression_text(slope), "r outside": outside})
    if outside or not slope.is_negative:
        record.refute("r stands elsewhere, or the argument turns", record.numbers)
    return record.prove("r stands in the logarithm only, whose argument falls as r grows, for every r")


def check_units(*, of: str, power: int) -> Finding:
    """Check that the printed formula `of` scales like s^power when every loss is s times as large; return a Finding."""
    s, formula = sp.Symbol("s", positive=True), schedule_formula("most") if of == "the repaired argument" else p.D10[of]
    scaled = formula.xreplace({p.Gamma: s * p.Gamma, p.lambda_: s * p.lambda_, p.D: s * p.D, p.eta: p.eta / s})
    if is_zero(scaled / formula - s**power):
        return Record({"power": power}).prove(f"{of} has the units of the loss to the power {power}")
    at, record = {**EXAMPLE, "alpha": 2e-4, "T": 3e7, "cutoff": 10.0, "log_inverse": math.log(1e6)}, Record()
    for size in (1.0, 1e3):
        value = evaluate_formula(scaled.xreplace({s: sp.Float(size)}), at) / size**power
        record.note({f"{of}, over s^{power}, s = {size:g}": value})
    words = f"with losses in another unit {of} is another, beyond the factor that its units explain"
    return record.refute(words, {**record.numbers, **EXAMPLE})


def check_root_of_L(*, layers: int, samples: int) -> Finding:
    """Check that the printed C is at most Gamma K, which the theory proves enough, at L = `layers`; return a Finding."""
    enough = check_lines(paper="dp_grape", steps="theorem_d10: without_root_L", samples=samples)
    (log,) = (one for one in p.D10["C"].atoms(sp.log) if one.has(p.D))
    excess = float(sp.sqrt(p.D10["C"] ** 2 / (2 * p.Gamma**2 * log)).xreplace({p.L: sp.Integer(layers)}))
    record = Record({**enough.numbers, "L": layers, "C / (Gamma K)": excess})
    if enough.outcome is Outcome.PROVED and not excess <= 1:
        record.refute(f"||R|| never exceeds Gamma max |V|; at L = {layers} the printed C is {excess:.4g} Gamma K", record.numbers)
    return record.conclude(f"C is {excess:.4g} times Gamma K; {enough.sentence}")


def check_kept_subspace(*, n: float, replicates: int, fresh: bool, seed: int) -> Finding:
    """Check that runs of Algorithm 1 with P kept for all steps, or drawn afresh, stay below the printed bound; return a Finding.

    F(W) = sum of 1 - cos W_ij, every f(.; xi) = F, W of 2 rows and 2 columns. Gamma = 2, lambda = 1, D = 8, d = 4, L = r = 1; eta, T, C and
    sigma as printed. The mean over t and runs of ||grad F||^2 is compared with the printed bound: by Hoeffding its error is below
    4 sqrt(log(2e9)/(2 runs)), as 0 <= ||grad F||^2 <= 4, but for probability 1e-9.
    """
    at = {p.n: n, p.d: 4, p.epsilon: 1, p.delta: 1e-5, p.Gamma: 2, p.lambda_: 1, p.D: 8, p.L: 1, p.r: 1}
    eta, steps, C, bound = (float(p.D10[name].subs(at)) for name in ("eta", "T", "C", "bound"))
    T = round(steps)
    sigma = float(p.D10["sigma"].subs({**at, p.C: C, p.T: T}))
    rng, total = np.random.default_rng(seed), 0.0
    W, P = np.full((2, 2, replicates), math.pi / 2), rng.standard_normal((2, 1, replicates))
    for _ in range(T):
        gradient = np.sin(W)
        total += float((gradient**2).sum()) / replicates
        P = rng.standard_normal((2, 1, replicates)) if fresh else P
        R = (P * gradient).sum(axis=0)
        kept = np.minimum(1, C / np.maximum(np.sqrt((R**2).sum(axis=0)), 1e-300))
        W -= eta * P * (kept * R + sigma * rng.standard_normal((2, replicates)))
    mean, error = total / T, 4 * math.sqrt(math.log(2e9) / (2 * replicates))
    numbers = {"mean of ||grad F||^2": mean, "error at most": error, "bound": bound, "T": T, "sigma": sigma, "runs": replicates}
    words = f"the mean of ||grad F||^2 is {mean:.3g}, the bound {bound:.3g}"
    return check_condition(not mean - error > bound, words, numbers, false_alarm=1e-9, seed=seed)


def check_bounded_loss(*, limits: tuple[float, ...]) -> Finding:
    """Check that F(w_1) - F^* <= D surely for some D, by the exact probability for F = sqrt(1 + w^2) - 1; return a Finding.

    The start is the minimum, d = r = 1, eta sigma = 1: w_1 = -p z is a normal product.
    """
    record = Record()
    for D in limits:
        tail = 2 / math.pi * integrate.quad(lambda t: float(special.k0(t)), math.sqrt((1 + D) ** 2 - 1), np.inf)[0]
        if tail <= 0:
            return record.conclude(f"w_1 stays where F - F^* is at most {D:g}")
        record.note({f"P(F(w_1) - F^* > {D:g})": tail})
    words = "one step from the minimum leaves F - F^* <= D with positive probability, for every D"
    return record.refute(words, {"eta sigma": 1, **record.numbers})


def check_parameters_exist(*, at: Mapping[str, float]) -> Finding:
    """Check that the printed T is at least 1 and the least printed B at most n, at a problem; return a Finding."""
    T, B = (evaluate_formula(p.D10[name], {**EXAMPLE, **at}) for name in ("T", "B_second"))
    record = Record({"T": T, "B": B})
    if not T >= 1:
        record.refute(f"there are no such parameters: T = {T:.3g} is below 1", {**at, "T": T, "B": B})
    if not at["n"] >= B:
        record.refute(f"there are no such parameters: B has to be at least {B:.5g}, above n = {at['n']:g}", {**at, "T": T, "B": B})
    return record.conclude("T is at least 1, and B at most n")


def check_repaired_example() -> Finding:
    """Check that the four terms of the proof are below the repaired bound, at the example; return a Finding."""
    at = {**EXAMPLE, "log_inverse": math.log(1e6), "partial": 1.0, "cutoff": 1.0}
    at |= {name: evaluate_formula(p.D10[letter], at) for name, letter in (("alpha", "eta"), ("T", "T"), ("batch", "B_second"))}
    for _ in range(100):
        at["cutoff"] = math.sqrt(2 * math.log(evaluate_formula(schedule_formula("most"), at))) * (1 + 1e-12)
    at["C"], half = math.sqrt(at["layers"]) * at["cutoff"], at["cutoff"] ** 2 / 2
    tail = (8 * (1 + at["cutoff"] / math.sqrt(2 * math.pi)) + 16 / at["alpha"]) * math.exp(-half)
    tail *= evaluate_formula(p.FORMULAS["factor"], at)
    whole = sum(evaluate_formula(p.D10[name], at) for name in ("first", "noise", "sampling")) + tail
    bound, allowed = (evaluate_formula(schedule_formula(name), at) for name in ("repaired", "tail_small"))
    printed = evaluate_formula(p.D10["bound"], at)
    record = Record({"K^2/2": half, "four terms": whole, "repaired bound": bound, "printed bound": printed, "tail": tail})
    if whole > bound * (1 + 1e-9) or tail > allowed:
        record.refute("the four terms are above the repaired bound", {**at, **record.numbers})
    return record.conclude(f"with K^2/2 = {half:.4g} the four terms are {whole:.4g}, {whole / printed:.3f} of the print")
