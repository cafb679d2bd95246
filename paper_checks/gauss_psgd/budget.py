"""What the theorems say at their own parameters: samples, steps, the first n at which anything is promised, and the stated rates."""

from __future__ import annotations

import math
from functools import lru_cache

from scipy import stats

from bounds.gauss_psgd import feasibility, rates
from bounds.gauss_psgd.block_numbers import Constants, block, rounds, steps
from bounds.gauss_psgd.fixed_point import Loop, Problem, printed_drift_limit
from paper_checks.gauss_psgd import printed
from paper_checks.gauss_psgd.common import claim, searched
from paper_checks.gauss_psgd.printed import Case
from paper_checks.verdict import Finding, Kind, Outcome, Plot

C_1 = 8 * math.log(1.25e5) / math.log(1e5)  # of Definition 8 at delta = 1e-5
STRICT = ((10, 1e4, 1), (10, 1e6, 8), (50, 1e5, 1), (200, 1e6, 1))  # (d, n, epsilon)
LOOSE = ((10, 1e4, 1), (10, 1e6, 1), (10, 1e6, 8), (200, 1e6, 1), (200, 1e6, 8))
NAMES = ("iota", "chi", "accuracy", "Gamma", "radius", "decrease", "eta")


@lru_cache
def solved(
    row: tuple[float, float, float], s: float, C: float, batches: str = "printed", m: float = 1
) -> tuple[Loop, feasibility.Feasibility]:
    """Return the library's fixed point of (5), (6), (102) at unit constants."""
    d, n, epsilon = row
    problem = Problem(n=n, d=d, epsilon=epsilon, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0, m=m)
    return feasibility.examine(problem, constants=Constants(s=s, C_abs=C), batches=batches)


def self_consistent(*, s: float, C: float, rows: tuple[tuple[float, float, float], ...], m: float = 1) -> Finding:
    """Insert the library's fixed point into the paper's formulas: every parameter, the four entries, Lemma 7, kappa, b_1, b_2, Q, T."""
    worst, at = 0.0, {}
    for row in rows:
        point, _ = solved(row, s, C, "printed", m)
        case = Case(d=row[0], n=row[1], epsilon=row[2], s=s, C=C, m=m)
        mu, psi = point.log_factor, point.psi
        five = printed.equation_5(case, mu, psi)
        b_1, b_2 = printed.batches(case, five)
        sigma, r, size = printed.lemma_7(case, b_1, b_2, printed.kappa(case), C_1)
        Q, T = printed.rounds_and_steps(case, mu, five)
        entries = printed.equation_6(case, five, psi, r, T)
        noise = point.noise
        pairs = {
            **{name: (getattr(point.block, name), five[name]) for name in NAMES}, "psi": (psi, size), "mu": (mu, max(entries)),
            "kappa": (noise.drift_limit, printed.kappa(case)), "b_1": (noise.b_1, b_1), "b_2": (noise.b_2, b_2), "Q": (point.Q, Q),
            "T": (point.T, T),
            "sigma": (noise.sampling_error, sigma), "r": (noise.added_noise, r), "|T|": (point.fresh, printed.lemma_8(case, five, T)),
            **{f"entry {k + 1} of (6)": pair for k, pair in enumerate(zip(point.entries, entries, strict=True))},
        }  # fmt: skip
        for name, (ours, theirs) in pairs.items():
            off = abs(ours / theirs - 1)
            if not off <= worst:
                worst, at = off, {"d": row[0], "n": row[1], "epsilon": row[2], "parameter": name, "library": ours, "paper": theirs}
    return searched(worst, at, len(rows), "the fixed point satisfies (5), (6), (79), Lemmas 7 and 8 and the theorem's batches", None, 1e-7)


def promises(*, s: float, C: float, rows: tuple[tuple[float, float, float], ...], batches: str = "printed", m: float = 1) -> Finding:
    """Return whether alpha is below min(G, M^2/rho) = 1 at any of the rows (d, n, epsilon): above, every point is a 1-FOSP."""
    found = {row: solved(row, s, C, batches, m)[1] for row in rows}
    numbers = {f"alpha, d = {row[0]}, n = {row[1]:g}, epsilon = {row[2]}": one.accuracy for row, one in found.items()}
    numbers |= {f"first n, d = {row[0]}, epsilon = {row[2]}": one.first_n for row, one in found.items()}
    best = min(found, key=lambda row: found[row].accuracy)
    if all(one.vacuous and one.first_n > row[1] for row, one in found.items()):
        witness = {"d": best[0], "n": best[1], "epsilon": best[2], "alpha": found[best].accuracy, "G": 1.0, "first n": found[best].first_n}
        plot = Plot(tuple(row[1] for row in rows), {"alpha": tuple(one.accuracy for one in found.values())}, "n", "alpha, G = 1")
        sentence = f"alpha is {found[best].accuracy:.3g} at best, G = 1; something is promised from n = {found[best].first_n:.2g} on"
        return Finding(Outcome.REFUTED, sentence, numbers, witness, plot=plot)
    return Finding(Outcome.CONSISTENT, "some row promises something", numbers)


def sample_budget(*, s: float, C: float, rows: tuple[tuple[float, float, float], ...]) -> Finding:
    """Compute b_1 |T| + b_2 T over n with the theorem's batches, T of (79) and the bound on |T| in Lemma 8's proof, which T cuts off."""
    worst, at = math.inf, {}
    for row in rows:
        point, found = solved(row, s, C)
        case = Case(d=row[0], n=row[1], epsilon=row[2], s=s, C=C)
        five = printed.equation_5(case, point.log_factor, point.psi)
        b_1, b_2 = printed.batches(case, five)
        _, T = printed.rounds_and_steps(case, point.log_factor, five)
        use = (b_1 * min(printed.lemma_8(case, five, T), T) + b_2 * T) / case.n
        if abs(use / found.over_budget - 1) > 1e-7:
            return Finding(Outcome.INCONCLUSIVE, f"the library counts {found.over_budget:.6g} n, the paper's formulas {use:.6g} n")
        if use < worst:
            worst, at = use, {"d": row[0], "n": row[1], "epsilon": row[2], "b_2 T / n": b_2 * T / case.n, "(b_1 |T| + b_2 T) / n": use}
    if worst > 1:
        return Finding(Outcome.REFUTED, f"up to {worst:.3g} n samples or more, where n are there", {"rows": len(rows), **at}, at)
    return Finding(Outcome.CONSISTENT, "within n", {"rows": len(rows)})


def own_parameters(*, accuracy: float, s: float, mu: float) -> Finding:
    """Compute (5), Q and T at a fixed accuracy and mu, and compare the steps with 1e15: years of any computer."""
    at = block(accuracy=accuracy, s=s, log_factor=mu, ell=1.0, rho=1.0)
    Q = rounds(at, s=s, U=1.0, omega=0.1, rho=1.0, version="printed", base="e")
    T = steps(at, Q=Q, s=s, U=1.0, log_factor=mu, version="printed")
    psi = accuracy / (16 * s * mu**2)
    five = printed.equation_5(Case(n=1, d=1, epsilon=1, s=s), mu, psi)
    numbers = {"eta": at.eta, "Gamma": at.Gamma, "R": at.radius, "Q": Q, "T": T, "admissible psi": psi}
    if abs(T / printed.rounds_and_steps(Case(n=1, d=1, epsilon=1, s=s), mu, five)[1] - 1) > 1e-9:
        return Finding(Outcome.INCONCLUSIVE, "the library's T is not that of (79)", numbers)
    if T > 1e15:
        return Finding(
            Outcome.REFUTED, f"T = {T:.2g} steps of size eta = {at.eta:.2g}", numbers, {"alpha": accuracy, "s": s, "mu": mu, **numbers}
        )
    return Finding(Outcome.CONSISTENT, f"T = {T:.2g}", numbers)


def unit(n: float, d: float, epsilon: float, m: float = 1) -> Problem:
    """Return a problem with unit constants."""
    return Problem(n=n, d=d, epsilon=epsilon, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0, m=m)


def slope(*, p: float, stated_slope: float, tolerance: float, limit: str = "printed", step: str = "printed") -> Finding:
    """Measure the slope in n of the root of (102), all constants 1, sqrt(d)/epsilon = n^p, between n = 1e20 and 1e32."""
    alphas = [rates.balance(unit(n, n ** (2 * p) if p else 1.0, 1.0), p=p, drift_limit=limit, step=step).accuracy for n in (1e20, 1e32)]
    found = math.log(alphas[1] / alphas[0]) / math.log(1e12)
    numbers = {"slope": found, "stated": stated_slope, "sqrt(d)/epsilon = n^p, p": p}
    if found > stated_slope + tolerance:
        return Finding(Outcome.REFUTED, f"the root falls like n^{found:.4f}, not n^{stated_slope:.4f}", numbers, numbers)
    return Finding(Outcome.CONSISTENT, f"slope {found:.4f}, stated {stated_slope:.4f}", numbers)


def step_size(*, step: str, power: float) -> Finding:
    """Measure the private slope with eta = 1/M or the eta of (5): 3/7 or 2/5, sqrt(d)/epsilon = n^(1/2)."""
    alphas = [rates.balance(unit(n, n, 1.0), p=0.5, drift_limit="best", step=step).accuracy for n in (1e24, 1e36)]
    found = math.log(alphas[1] / alphas[0]) / math.log(1e12) / -0.5
    return searched(
        abs(found - power), {"exponent": found, "stated": power}, 2, f"the exponent of sqrt(d)/(n epsilon) is {found:.4f}", None, 2e-3
    )


def introduction_rate(*, m: float, n: float, d: float, epsilon: float) -> Finding:
    """Compare the introduction's (sqrt(d)/(epsilon m n))^(2/5) with Theorem 3's (sqrt(d)/(sqrt(m) n epsilon))^(2/5)."""
    claimed = (math.sqrt(d) / (epsilon * m * n)) ** 0.4
    proved = rates.terms(unit(n, d, epsilon, m))[1]
    numbers = {"introduction": claimed, "Theorem 3": proved, "m": m}
    if proved > claimed * (1 + 1e-9):
        return Finding(Outcome.REFUTED, f"Theorem 3's term is m^(1/5) = {proved / claimed:.4g} times larger", numbers, numbers)
    return Finding(Outcome.CONSISTENT, "the same", numbers)


def drift_limits(*, points: tuple[tuple[float, ...], ...]) -> Finding:
    """Compare the library's kappa with the theorems' at constants that are not 1."""
    worst, at = 0.0, {}
    for n, d, epsilon, G, M, rho, U, m in points:
        ours = printed_drift_limit(Problem(n=n, d=d, epsilon=epsilon, delta=1e-5, L=G, ell=M, rho=rho, U=U, m=m))
        theirs = printed.kappa(Case(n=n, d=d, epsilon=epsilon, G=G, M=M, rho=rho, U=U, m=m))
        if abs(ours / theirs - 1) >= worst:
            worst, at = (
                abs(ours / theirs - 1),
                {"n": n, "d": d, "G": G, "M": M, "rho": rho, "U": U, "m": m, "library": ours, "paper": theirs},
            )
    return searched(worst, at, len(points), "kappa of Theorems 2 and 3", None)


def can_fire(*, clip: float, settings: tuple[tuple[float, float, float], ...], parameters: int) -> Finding:
    """Compute P(|xi| <= 3 chi) for one O_1 release of the experiments with a clip, b_1 = 6000, chi = 0.01; (m, epsilon, printed norm)."""
    found, worst = {}, 0.0
    for m, epsilon, norm in settings:
        sigma = 2 * clip / 6000 * math.sqrt(2 * math.log(1.25e5)) / epsilon / math.sqrt(m)
        size = sigma * math.sqrt(parameters)
        probability = float(stats.chi2.cdf((0.03 / sigma) ** 2, parameters))
        found[m, epsilon] = size
        worst = max(worst, probability)
        if abs(size - norm) > 0.005:
            return Finding(Outcome.INCONCLUSIVE, f"the noise norm is {size:.4f}, not {norm}")
    numbers = {f"noise norm, m = {m:g}, epsilon = {e:g}": size for (m, e), size in found.items()} | {"3 chi": 0.03, "largest P": worst}
    if worst < 1e-6:
        return Finding(
            Outcome.REFUTED,
            f"the noise alone is {min(found.values()):.2f} to {max(found.values()):.2f}, the test asks for 0.03",
            numbers,
            numbers,
        )
    return Finding(Outcome.CONSISTENT, "possible", numbers)


def relu_smoothness(*, steps: tuple[float, ...], bound: float) -> Finding:
    """Take log(1 + e^(-a relu(w))), a ReLU unit under a logistic loss: gradient differences across w = 0, gradients as a grows."""

    def slope_at(w: float) -> float:
        return -1 / (1 + math.exp(w)) if w > 0 else 0.0

    ratios = {h: abs(slope_at(h) - slope_at(-h)) / (2 * h) for h in steps}
    largest = max(ratios.values())
    outer = {a: a / 2 for a in (1.0, 1e3, 1e6)}  # d/dw of log(1 + e^(-a relu(w))) at w = 0+ has size a/2: it grows with the outer weight a
    numbers = {f"ratio at distance {2 * h:g}": r for h, r in ratios.items()} | {
        f"gradient at outer weight {a:g}": g for a, g in outer.items()
    }
    if largest > bound and max(outer.values()) > bound:
        return Finding(
            Outcome.REFUTED, f"gradients {2 * min(steps):g} apart differ {largest:.3g} times as much", numbers, {"w": min(steps), **numbers}
        )
    return Finding(Outcome.CONSISTENT, "no unbounded ratio found", numbers)


def untested(*, reason: str) -> Finding:
    """Return that a claim about the paper's own runs cannot be examined, and why."""
    return Finding(Outcome.NOT_TESTABLE, reason)


REFUTED, SCOPE, EXPONENT, TABLE = Outcome.REFUTED, Kind.SCOPE, Kind.EXPONENT, Kind.TABLE
LOOSE_C = 1 / 256
MISSING = (
    "R, b_1, b_2, the clip, the number of epochs, seeds and error bars are not given, the pictures are not in the text, and samples are "
    "reused"
)
MNIST = ((1.0, 1.0, 0.52), (10.0, 1.0, 0.16), (10.0, 2.0, 0.08))
CIFAR = ((1.0, 1.0, 1.01), (10.0, 1.0, 0.32), (10.0, 2.0, 0.16))
KAPPAS = (
    (1e4, 10.0, 1.0, 2.0, 3.0, 0.5, 7.0, 1.0),
    (1e6, 2e5, 0.1, 0.3, 2.0, 5.0, 0.2, 1.0),
    (1e4, 10.0, 8.0, 2.0, 3.0, 0.5, 7.0, 20.0),
    (1e5, 1e6, 0.5, 1.5, 0.7, 2.0, 3.0, 9.0),
)
# fmt: off
CLAIMS = (
    *(
        claim(f"theorem2.fixed_point_{name}", f"(5), (6), (79), (102), Theorem 2; s = {s:g}, C = {C:.3g}",
                  "The parameters have a common solution, and ours is one (Remark 2)", self_consistent,
              "two roots, one in the other", Kind.IDENTITY, stated="reading", s=s, C=C, rows=rows)
        for name, s, C, rows in (("strict", 51_200.0, 1.0, STRICT), ("s1", 1.0, 1.0, LOOSE), ("loose", 1.0, LOOSE_C, LOOSE))
    ),
    claim("theorem3.fixed_point", "Theorem 3, Lemma 9; m = 10", "The same for ten clients", self_consistent, "the same roots",
              Kind.IDENTITY, stated="reading", s=1.0, C=1.0, rows=STRICT, m=10.0),
    claim("theorem2.kappa", "Theorems 2 and 3, kappa", "The exponents of kappa in G, M, rho, U, n, m, d, epsilon, as we compute it",
              drift_limits, "typed in twice", TABLE,
          points=KAPPAS),
    *(
        claim(f"theorem2.promises_{name}", f"Theorem 2 at its own parameters; s = {s:g}, C = {C:.3g}",
                  "At n = 1e4 to 1e6, unit constants, its alpha is below G, so that it says more than holds everywhere", promises,
              "alpha = 16 sqrt(C) s mu^2 psi is above G", SCOPE, REFUTED, "question", s=s, C=C, rows=rows,
              correction="Read it as a rate; run scaled parameters")
        for name, s, C, rows in (("strict", 51_200.0, 1.0, STRICT), ("s1", 1.0, 1.0, LOOSE), ("loose", 1.0, LOOSE_C, LOOSE))
    ),
    claim("theorem2.promises_within_budget", "Theorem 2 with batches that fit into n samples; s = 51200",
        "With no sample used twice its alpha is below G at some n of 1e4 to 1e6",
              promises, "n of 1e34 would be needed", SCOPE,
          REFUTED, "question", s=51_200.0, C=1.0, rows=STRICT[:2], batches="budget", correction="The same"),
    claim("theorem3.promises", "Theorem 3 at its own parameters; s = 51200, m = 10",
        "At n = 1e4 to 1e6 a client, its alpha is below G, so that it says more than holds everywhere",
              promises, "alpha is above G", SCOPE, REFUTED,
          "question", s=51_200.0, C=1.0, rows=STRICT, m=10.0, correction="The same"),
    *(
        claim(f"theorem2.samples_{name}", f"(98) and single use of samples; s = {s:g}, C = {C:.3g}",
                  "b_1 |T| + b_2 T is at most n, as single use of samples asks", sample_budget,
              "T has s^2 mu^4 log(...) that b_2 does not", SCOPE, REFUTED, "reading", s=s, C=C, rows=rows,
              correction="b_1 = n/(2 |T|), b_2 = n/(2 T): polylogarithmic in alpha")
        for name, s, C, rows in (("strict", 51_200.0, 1.0, STRICT), ("s1", 1.0, 1.0, LOOSE), ("loose", 1.0, LOOSE_C, LOOSE))
    ),
    claim("theorem1.runnable", "Theorem 1 at alpha = 0.1; s = 51200, mu = 10", "Its number of steps can be taken", own_parameters,
              "T has s^4", SCOPE, REFUTED, "question",
          accuracy=0.1, s=51_200.0, mu=10.0, correction="Scaled parameters can be run"),
    claim("theorem2.slope_sampling", "(105) where d and epsilon are fixed", "The root of (102) falls like n^(-1/3)", slope,
              "the first term", EXPONENT, stated="reading", p=0.0, stated_slope=-1 / 3,
          tolerance=1e-3),
    claim("theorem2.slope_privacy", "(105) at sqrt(d)/epsilon = n^(1/2)", "The root of (102) falls like n^(-1/5)", slope,
              "the second term", EXPONENT, stated="reading", p=0.5, stated_slope=-0.2, tolerance=1e-3),
    claim("theorem2.slope_window", "(105) at sqrt(d)/epsilon = n^(1/6)", "The root of (102) falls like n^(-1/3)", slope,
              "the fourth term of (103) is left; -13/42", EXPONENT, REFUTED, "reading",
          p=1 / 6, stated_slope=-1 / 3, tolerance=1e-3, correction="Add (sqrt(d)/(n^(3/2) epsilon))^(4/17) and take the best kappa",
          repaired_by="theorem2.slope_window_best"),
    claim("theorem2.slope_window_best", "Our repair of (105)", "With the best kappa it falls like n^(-16/51), that of the third term",
              slope, "A^(6/17) B^(10/17)", EXPONENT,
          stated="question", p=1 / 6, stated_slope=-16 / 51, tolerance=2e-3, limit="best"),
    *(
        claim(f"introduction.step_{name}", f"Introduction, contribution 2: why {words}", f"With {step} the private exponent is {words}",
                  step_size, "the whole difference is the step size",
              EXPONENT, stated="reading", step=key, power=power)
        for name, step, key, words, power in (("exact", "eta = 1/M", "exact_gradients", "3/7", 3 / 7), ("printed", "the eta of (5)",
        "printed", "2/5", 2 / 5))
    ),
    claim("introduction.distributed_rate", "Introduction, contribution 3, against Theorem 3",
              "The distributed private term is (sqrt(d)/(epsilon m n))^(2/5)", introduction_rate,
          "Theorem 3 has sqrt(m) n", EXPONENT, REFUTED, m=10.0, n=1e6, d=100.0, epsilon=1.0,
          correction="(sqrt(d)/(sqrt(m) n epsilon))^(2/5)"),
    claim("experiments.mnist_can_fire", "Appendix E, chi = 0.01, MNIST, clip 1 assumed",
              "The noise of one O_1 release leaves the test |ghat| <= 3 chi a chance", can_fire,
          "its norm is 0.08 or more", SCOPE, REFUTED, "question", clip=1.0, settings=MNIST, parameters=101_770,
          correction="A clip of 0.06 to 0.37 would be needed"),
    claim("experiments.cifar_can_fire", "Appendix E, chi = 0.01, CIFAR-10, clip 1 assumed", "The same for CIFAR-10", can_fire,
              "its norm is 0.16 or more", SCOPE, REFUTED, "question",
          clip=1.0, settings=CIFAR, parameters=394_634, correction="A clip of 0.03 to 0.19 would be needed"),
    claim("experiments.assumption_1", "Appendix E against Assumption 1", "A ReLU network with cross-entropy is smooth and Lipschitz",
              relu_smoothness,
          "the gradient jumps at 0 and grows with the outer weights", SCOPE, REFUTED, "reading", steps=(1e-3, 1e-6, 1e-9),
          bound=1e5,
          correction="The experiments are outside the analysis"),
    *(
        claim(f"experiments.{key}", f"Appendix E, {where}", words, untested, "the runs cannot be repeated from the text", TABLE,
                  Outcome.NOT_TESTABLE, reason=MISSING)
        for key, where, words in (
            ("accuracy", "Figures 1 and 2", "Gauss-PSGD has better test accuracy and loss than the earlier method in all configurations"),
            ("epsilon", "Figures 1 and 2", "Accuracy grows with epsilon"), ("clients", "Figures 1 and 2, m > 1", "The gap grows for m > 1"),
            ("initial", "Figures 1 and 2", "The loss falls faster at first"))
    ),
)
# fmt: on
