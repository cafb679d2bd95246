"""Theorem D.10: its proof step by step, what is left out, where r and the units come in, and what it is about."""

import math
from collections.abc import Mapping

import numpy as np
import sympy as sp
from scipy import integrate, special

import bounds
from bounds.dp_grape import theorem_d10 as theory
from bounds.inequalities import is_zero
from paper_checks.dp_grape import printed as p
from paper_checks.examine.formulas import number
from paper_checks.examine.proofs import ANOTHER, STOPS, steps_hold, true_line, whole_proof
from paper_checks.examine.witness import at_witness, false_line
from paper_checks.verdict import Finding, Kind, Outcome, Size, claim, consistent, inconclusive, proved, question, reading, refuted

EXAMPLE = {"d": 1e4, "layers": 10.0, "n": 1e7, "epsilon": 1.0, "delta": 1e-6, "subspace": 8.0, "L": 1.0, "ell": 1.0, "spread": 1.0}
KEY = "dp_grape.theorem_d10"


def as_printed() -> Finding:
    """Compare what the theory holds for Theorems 2.1, 4.1 and D.10, and for Lemmas D.4 to D.9, with the print."""
    theorem, informal, gaussian = (bounds.THEOREMS[f"dp_grape.theorem_{name}"] for name in ("d10", "4_1", "2_1"))
    (batch_sq,) = (part.value for part in informal.parts if part.name == "printed batch")
    of_B = [theorem.in_constants(one) for one in theorem.schedule["batch"].args]
    pairs = {f"{name}: bound": (bounds.THEOREMS[f"dp_grape.{name}"].bound, one) for name, one in p.LEMMAS.items()}
    pairs |= {f"D.10: {name}": (theorem.in_constants(theorem.schedule[key]), p.D10[name])
              for name, key in (("eta", "alpha"), ("T", "T"), ("C", "C"))}  # fmt: skip
    pairs |= {"D.10: bound": (theorem.in_constants(theorem.bound), p.D10["bound"]), "2.1: bound": (gaussian.bound, p.GAUSSIAN)}
    pairs |= {"D.10: sigma": (theorem.schedule["sigma"], p.D10["sigma"])}
    pairs |= {"D.10: last display": (theorem.any_schedule, sum(p.D10[name] for name in ("first", "noise", "sampling", "tail")))}
    pairs |= {"4.1: bound": (informal.bound, p.RATE), "4.1: B^2": (batch_sq, p.D10["B, first"] ** 2)}
    pairs |= {f"4.1: {name}": (informal.schedule[name], p.D10[name]) for name in ("T", "sigma")}
    differing = [name for name, (one, other) in pairs.items() if not is_zero(theorem.without_abbreviations(one) - other)]
    differing += [name for name in ("B, first", "B, second") if not any(is_zero(p.D10[name] - one) for one in of_B)]
    if differing:
        return inconclusive(ANOTHER.format(", ".join(differing)), {"formulas": len(pairs) + len(of_B)})
    return proved(f"{len(pairs) + len(of_B)} formulas, by two transcriptions, are the same", {"formulas": len(pairs) + len(of_B)})


def subspace() -> Finding:
    """Read where r stands in the bound, and the sign of the derivative of the logarithm's argument."""
    formula = p.D10["bound"].xreplace({p.logs: theory.log_delta})
    (log,) = formula.atoms(sp.log)
    outside = formula.xreplace({log: sp.Symbol("l", positive=True)}).has(p.r)
    slope = sp.factor(sp.diff(log.args[0], p.r))
    numbers = {"derivative": p.SPELLING.written(slope), "r outside": outside}
    if outside or not slope.is_negative:
        return refuted("r stands elsewhere, or the argument turns", numbers, numbers)
    return proved("r stands in the logarithm only, whose argument falls as r grows, for every r", numbers)


def units(*, of: str, power: int) -> Finding:
    """Let every loss be s times as large, so Gamma, lambda and D are, and eta 1/s times as large, and compare a formula with s^power."""
    s, formula = sp.Symbol("s", positive=True), theory.MOST if of == "the repaired argument" else p.D10[of]
    scaled = formula.xreplace({p.Gamma: s * p.Gamma, p.lambda_: s * p.lambda_, p.D: s * p.D, p.eta: p.eta / s})
    if is_zero(scaled / formula - s**power):
        return proved(f"{of} has the units of the loss to the power {power}", {"power": power})
    at = {**EXAMPLE, "alpha": 2e-4, "T": 3e7, "cutoff": 10.0, "log_inverse": math.log(1e6)}
    values = {f"{of}, over s^{power}, s = {size:g}": number(scaled.xreplace({s: sp.Float(size)}), at) / size**power for size in (1.0, 1e3)}
    return refuted(f"with losses in another unit {of} is another, beyond the factor that its units explain", values, {**values, **EXAMPLE})


def root_of_L(*, layers: int, samples: int) -> Finding:
    """Compute how far the printed C is above Gamma K, which is enough by a line of the theory, for a number of layers."""
    enough = steps_hold(paper="dp_grape", steps="theorem_d10: without_root_L", samples=samples)
    (log,) = (one for one in p.D10["C"].atoms(sp.log) if one.has(p.D))
    excess = float(sp.sqrt(p.D10["C"] ** 2 / (2 * p.Gamma**2 * log)).xreplace({p.L: sp.Integer(layers)}))
    numbers = {**enough.numbers, "L": layers, "C / (Gamma K)": excess}
    if enough.outcome is not Outcome.PROVED or excess <= 1:
        return consistent(f"C is {excess:.4g} times Gamma K; {enough.sentence}", numbers)
    return refuted(f"||R|| never exceeds Gamma max |V|; at L = {layers} the printed C is {excess:.4g} Gamma K", numbers, numbers)


def kept_subspace(*, n: float, replicates: int, fresh: bool, seed: int) -> Finding:
    """Run Algorithm 1 on F(W) = sum of 1 - cos W_ij, every f(.; xi) = F, W of 2 rows and 2 columns, P kept for all steps or drawn afresh.

    Gamma = 2, lambda = 1, D = 8, d = 4, L = r = 1; eta, T, C and sigma as printed. The mean over t and runs of ||grad F||^2 against the
    printed bound: by Hoeffding its error is below 4 sqrt(log(2e9)/(2 runs)), as 0 <= ||grad F||^2 <= 4, but for probability 1e-9.
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
    if mean - error > bound:
        return refuted(f"the mean of ||grad F||^2 is {mean:.3g}, the bound {bound:.3g}", numbers, numbers, false_alarm=1e-9, seed=seed)
    return consistent(f"the mean of ||grad F||^2 is {mean:.3g}, the bound {bound:.3g}", numbers, false_alarm=1e-9, seed=seed)


def leaves_every_ball(*, limits: tuple[float, ...]) -> Finding:
    """Compute P(F(w_1) - F^* > D), F(w) = sqrt(1 + w^2) - 1, from its minimum, d = r = 1, eta sigma = 1: w_1 = -p z is a normal product."""
    chances = dict[str, float]()
    for D in limits:
        x = math.sqrt((1 + D) ** 2 - 1)
        tail = 2 / math.pi * integrate.quad(lambda t: float(special.k0(t)), x, np.inf)[0]
        if tail <= 0:
            return consistent(f"w_1 stays where F - F^* is at most {D:g}", chances)
        chances[f"P(F(w_1) - F^* > {D:g})"] = tail
    words = "one step from the minimum leaves F - F^* <= D with positive probability, for every D"
    return refuted(words, chances, {"eta sigma": 1, **chances})


def exist(*, at: Mapping[str, float]) -> Finding:
    """Evaluate the printed T and the least printed B at a problem: T is to be at least 1, and B at most n."""
    T, B = (number(p.D10[name], {**EXAMPLE, **at}) for name in ("T", "B, second"))
    if T >= 1 and B <= at["n"]:
        return consistent("T is at least 1, and B at most n", {"T": T, "B": B})
    words = f"T = {T:.3g} is below 1" if T < 1 else f"B has to be at least {B:.5g}, above n = {at['n']:g}"
    return refuted(f"there are no such parameters: {words}", {"T": T, "B": B}, {**at, "T": T, "B": B})


def repaired_example() -> Finding:
    """Solve K^2 = 2 log(term over Gamma^2 times the rate) at the example, and compare the four terms with the repaired bound."""
    at = {**EXAMPLE, "log_inverse": math.log(1e6), "partial": 1.0, "cutoff": 1.0}
    at |= {"alpha": number(p.D10["eta"], at), "T": number(p.D10["T"], at), "batch": number(p.D10["B, second"], at)}
    for _ in range(100):
        at["cutoff"] = math.sqrt(2 * math.log(number(theory.MOST, at))) * (1 + 1e-12)
    at["C"], half = math.sqrt(at["layers"]) * at["cutoff"], at["cutoff"] ** 2 / 2
    tail = (8 * (1 + at["cutoff"] / math.sqrt(2 * math.pi)) + 16 / at["alpha"]) * math.exp(-half) * number(p.FACTOR, at)
    whole, bound = sum(number(p.D10[name], at) for name in ("first", "noise", "sampling")) + tail, number(theory.REPAIRED, at)
    numbers = {"K^2/2": half, "four terms": whole, "repaired bound": bound, "printed bound": number(p.D10["bound"], at), "tail": tail}
    if whole > bound * (1 + 1e-9) or tail > number(theory.PREF, at):
        return refuted("the four terms are above the repaired bound", numbers, {**at, **numbers})
    words = f"with K^2/2 = {half:.4g} the four terms are {whole:.4g}, {whole / numbers['printed bound']:.3f} of the print"
    return consistent(words, numbers)


LINES = """
theorem_d10.no_clipping | Theorem D.10, before (3) | On Q_t no sample is clipped | theorem_d10: no_clipping
equation_3.holds | (3) | The loss after a step, given Q_t, by three terms | theorem_d10: equation_3
equation_4.holds | (4) | The inner product given Q_t, where [1 + ...] is the mean of V^2 beyond K | theorem_d10: where_it_clips equation_4
equation_5.holds | (5) | The length of G(w_t; X_t) given Q_t, where k + r + 1 <= 2 d | theorem_d10: second_moment equation_5
equation_6.holds | (6) | The length of the noise given Q_t | theorem_d10: equation_6
theorem_d10.assembled | the display after (6) | (4), (5) and (6) in (3), [1 + ...] as for (4) | theorem_d10: one_step
theorem_d10.split | total probability over Q | The decrease given Q_t, split by Q, with 2 D | theorem_d10: step_18
theorem_d10.eta_T | Theorem D.10, the parameters | eta T, eta and T agree with each other | theorem_d10_schedule: alpha_T
theorem_d10.three_terms | the last step | At the least B three terms are the right side | theorem_d10_schedule: three_terms
theorem_d10.slack | ours; (4), and the split by Q | Neither the half nor the 2 is needed | theorem_d10: without_half split
theorem_d10.without_root_L | ours; before (3) | R_j is at most Gamma max V long, whatever L is | theorem_d10: without_root_L
theorem_d10.tail | ours; the last step | The fourth term is between 1 and 1.92 | theorem_d10_schedule: argument tail_at_least tail_at_most
"""
AFTER, SPLIT, LAST = "Theorem D.10, the display after (6)", "Theorem D.10, total probability over Q", "Theorem D.10, the last step"
FALSE_LINES = (  # claim, place, kind, and the steps to what holds instead; what is printed, in words and LaTeX; why it is false; what holds
    ("theorem_d10.printed_bound", LAST, Kind.INEQUALITY, "theorem_d10_schedule: tail_small repaired",
     "With the printed parameters the last display is at most the right side of Theorem D.10", rf"{p.LAST} \to 0",
     "its fourth term is a number between 1 and 1.92 whatever n is, and was left out",
     "At most with 3 for 2 in it, where C = sqrt(L) Gamma K, K^2 twice the logarithm of the term over Gamma^2 times the rate", ""),
    ("theorem_d10.printed_17", AFTER, Kind.INEQUALITY, "theorem_d10: per_step",
     "Multiplied by 4 P(Q_t)/eta, what clipping adds has a factor eta", rf"4\eta\Gamma^2{p.STAR}\mathbb P(\bar Q)",
     "eta cancels", "4 Gamma^2 E[V^2 | |V| >= K] P(not Q)", r"4\Gamma^2\,\mathbb E[V^2 \mid |V| \ge K]\,\mathbb P(\bar Q)"),
    ("theorem_d10.printed_five", "Theorem D.10, the choice of C", Kind.INEQUALITY, "theorem_d10: events",
     "5 eta Gamma^2 covers 4 [2 + 1/sqrt(2 pi)] eta Gamma^2", p.CHOICE_OF_C,
     "4 (2 + 1/sqrt(2 pi)) is 9.6", "4 [2 + 2 K/sqrt(2 pi)] Gamma^2, with Lemma D.5 and the factor eta corrected too", ""),
    ("equation_5.printed_columns", "(5), the line before the last", Kind.IDENTITY, "lemma_d8: mapped_back",
     "2 E||P P'a||^2 = (d + r - 1)/r ||a||^2", r"\Big(\frac{d+r-1}r\Big)\mathbb E\|\nabla_\ell F(w_t)\|^2",
     "a block of k has (k + r + 1)/r, and the 2 is lost",
     "2 (k + r + 1)/r ||a||^2; the cross term is 0, so that no 2 is needed", r"\frac{|\mathcal U_\ell|+r+1}r"),
    ("equation_5.printed_variance", "(5), the last line", Kind.INEQUALITY, "lemma_d7: at_most",
     "Sampling adds 2 d ||grad_l F||^2 1_{B<n}/(r B)", r"\frac{2d\|\nabla_\ell F(w_t)\|^2\mathbb 1_{\{B<n\}}}{rB}",
     "a gradient of mean 0 has a sampling error all the same",
     "2 d/(r B) times the mean of ||grad_l f_j - grad_l F||^2, in all at most 2 d Gamma^2/(r B); (5) has 8", ""),
    ("equation_4.printed_jensen", "(4), the lines before it", Kind.INEQUALITY, "theorem_d10: where_it_clips",
     "The mean of ||grad_l f_j||^2 over samples is at most ||grad_l F||^2", r"\le \frac{\|\nabla_\ell F(w_t)\|^2}{rn}",
     "Jensen's inequality goes the other way; both add up to Gamma^2 at most, so (4) is not touched",
     "The mean of ||grad_l f_j||^2 in its place", ""),
    ("theorem_d10.printed_no_d", SPLIT, Kind.IDENTITY, "theorem_d10: given_Q",
     "The sampling term is 16 eta 1_{B<n} Gamma^2 lambda/(B r)", r"\frac{16\eta\mathbb 1_{B<n}\Gamma^2\lambda}{Br}",
     "a d is lost for one display; in the same one 4 d eta Gamma^2 has one too many", "16 d eta 1_{B<n} Gamma^2 lambda/(B r)", ""),
    ("equation_6.printed_entries", "(6), the text before it", Kind.IDENTITY, "theorem_d10: equation_6",
     "With entries N(0, 1) of P_t, E||P_t z_t||^2 is sigma^2 d", r"\mathcal N(0,1)",
     "that would be r sigma^2 d", "Entries N(0, 1/r), as in Algorithm 6", ""),
)  # fmt: skip
CLAIMS = (
    claim(f"{KEY}.as_printed", "Theorems 2.1, 4.1 and D.10, Lemmas D.4 to D.9", Kind.IDENTITY)
    .says("What the theory holds for these is what the paper prints", rf"\mathbb E\|\nabla F(w_\tau)\|^2 \le {p.STATEMENT}")
    .proved("two transcriptions agree")
    .examined(as_printed),
    whole_proof(KEY, "Theorem D.10, (3) to (6) and on", "Step by step to the last display, with the constants that follow", STOPS),
    whole_proof(f"{KEY}_schedule", LAST, "The parameters inserted, and what would make the fourth term small", STOPS),
    *(
        one for name, source, words, steps in ([part.strip() for part in row.split("|")] for row in LINES.strip().splitlines())
        for one in claim(f"dp_grape.{name}", source, Kind.INEQUALITY).says(words)
        .stated_as("question" if source.startswith("ours") else "printed").closed(true_line, steps)
    ),
    *(
        one for name, source, kind, steps, line, latex, why, instead, true in FALSE_LINES
        for one in claim(f"dp_grape.{name}", source, kind).says(line, latex)
        .refuted(why, instead=instead, latex=true).closed(false_line, steps)
    ),
    claim(f"{KEY}.printed_exact_tail", f"{LAST}, with the exact normal tail", Kind.INEQUALITY)
    .says("With the normal tail itself the same display is at most the right side of Theorem D.10")
    .refuted("what is left out then falls like 1/sqrt(log n) only", instead="The larger K", by="theorem_d10.repaired_bound")
    .examined(at_witness, key="dp_grape.printed_exact_tail"),
    question(f"{KEY}.repaired_example", "ours; Theorem D.10 at d = 1e4, L = 10, n = 1e7, epsilon = 1", Kind.CONVERGENCE)
    .says("The repaired threshold costs a larger logarithm only: the four terms stay below the repaired bound")
    .consistent("57.5 in place of 49.0", f"{KEY}_schedule")
    .examined(repaired_example),
    claim("dp_grape.equation_5.printed_2d", "(5), the last line", Kind.INEQUALITY)
    .says("(d + r - 1)/r <= 2 d/r", r"\frac{d+r-1}r \le \frac{2d}r")
    .refuted("not where r is above d + 1")
    .corrected("k + r + 1 <= 2 d, as for r <= d - 1, has to be assumed: then (k + r + 1)/r <= 2 d/r", by="equation_5.holds")
    .examined(at_witness, key="dp_grape.printed_2d"),
    *(
        reading(f"{KEY}.units_{of}", "Theorem D.10", Kind.SCOPE)
        .says(f"The {of} changes with the unit of the loss as its own units say")
        .refuted("a loss and a squared gradient are added, or a logarithm is taken of a number with a unit")
        .corrected("In the repaired threshold the logarithm is of a pure number", by="theorem_d10.units_repaired")
        .examined(units, of=of, power=power)
        for of, power in (("C", 1), ("bound", 2))
    ),
    question(f"{KEY}.units_repaired", "ours; Theorem D.10, repaired", Kind.SCOPE)
    .says("The argument of the repaired logarithm does not change with the unit of the loss")
    .proved("all units cancel", f"{KEY}_schedule")
    .examined(units, of="the repaired argument", power=0),
    claim(f"{KEY}.subspace", "Theorem D.10, Remark 2", Kind.SCOPE)
    .says("r stands in the logarithm only, which falls as r grows")
    .proved("the derivative is negative")
    .examined(subspace),
    reading(f"{KEY}.root_L", "Theorem D.10, the choice of C", Kind.INEQUALITY)
    .says("So that nothing is clipped on Q_t, C has to grow like sqrt(L) Gamma K")
    .refuted("the blocks of a gradient add up to Gamma^2, so R_j to Gamma^2 K^2")
    .corrected("C = Gamma K, and a rate without sqrt(L)", r"C = \Gamma\sqrt{2\log(\cdot)}", by="theorem_d10.without_root_L")
    .examined(root_of_L, layers=16, samples=Size(20, 1000)),
    reading(f"{KEY}.kept_subspace", "Theorem 4.1, Algorithm 1 with F = T, against Theorem D.10", Kind.CONVERGENCE)
    .says("The bound holds for Algorithm 1, which keeps P for F steps, here for all")
    .refuted("P is not independent of w_t then, and w_t - w_0 stays in its columns")
    .corrected("It speaks of a P that is drawn at every step: the same runs with F = 1 stay below it", by="theorem_d10.fresh_subspace")
    .examined(kept_subspace, n=1e4, replicates=Size(300, 4000), fresh=False, seed=7),
    question(f"{KEY}.fresh_subspace", "ours; Theorem D.10, the same runs with F = 1", Kind.CONVERGENCE)
    .says("With P drawn afresh at every step the same runs stay below the printed bound")
    .consistent("the bound is loose here")
    .examined(kept_subspace, n=1e4, replicates=Size(300, 4000), fresh=True, seed=7),
    reading(f"{KEY}.bounded_loss", "Theorem D.10: max |F(w_t) - F^*| <= D", Kind.SCOPE)
    .says("For some D, F(w_t) - F^* <= D on every run, although F is not bounded")
    .refuted("given P_0 the noise reaches every point of its columns, and these are any")
    .corrected("F - F^* <= D on all of R^d, which excludes every loss that is not bounded, such as cross-entropy")
    .examined(leaves_every_ball, limits=(1.0, 3.0, 10.0)),
    *(
        reading(f"{KEY}.{name}", "Theorem D.10, the parameters", Kind.SCOPE)
        .says(f"{words}, for every epsilon > 0")
        .refuted("not assumed", instead=f"{limit} has to be assumed, and the number to be rounded")
        .examined(exist, at={"delta": 1e-5, "d": 10.0, **at})
        for name, words, limit, at in (
            ("batch_fits", "The least B is at most n", "epsilon <= 2 sqrt(2 d log(1/delta))", {"n": 1e3, "epsilon": 50.0}),
            ("one_step", "T is at least 1", "n epsilon >= r sqrt(L log(1/delta))/(2 sqrt(2 d))", {"n": 100.0, "epsilon": 0.01}),
        )
    ),
)  # fmt: skip
