"""Checks of Gauss-PSGD's text beside its theorems: definitions and assumptions, Sections 3, 5.1 and 6.1, and Appendix E."""

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from paper_checks.compare import LEVEL
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.algorithms.plain_algorithms import unit_cosine_saddles
from paper_checks.record import Record
from paper_checks.shared.findings import check_deviation
from paper_checks.shared.search import find_worst
from paper_checks.verdict import Finding, Outcome
from synthetic.runs import selection
from synthetic.runs.psgd import gauss_psgd


def check_saddle_definition(*, eigenvalues: Sequence[float], alpha: float, rho: float) -> Finding:
    """Check that the printed matrix inequality holds at a Hessian whose least eigenvalue is <= -sqrt(rho alpha); return a Finding."""
    limit, found = -math.sqrt(rho * alpha), np.linalg.eigvalsh(np.diag(eigenvalues))
    record = Record({"least eigenvalue": float(found[0]), "largest": float(found[-1]), "-sqrt(rho alpha)": limit})
    if found[0] <= limit < found[-1]:  # a saddle as used, and not as printed
        sentence = f"the least eigenvalue {found[0]:g} is below {limit:g}, the largest {found[-1]:g} is not: no saddle as printed"
        record.refute(sentence, {"Hessian": f"diag{tuple(eigenvalues)}", "alpha": alpha, "rho": rho, "-sqrt(rho alpha)": limit})
    return record.conclude("the two definitions agree there")


def check_symbols_of_3() -> Finding:
    """Check that epsilon and delta occur in the relation (3), to which Definition 4 refers; return a Finding."""
    noise, record = p.FORMULAS["noise_of_3"], Record()
    held = {p.letter(one) for one in noise.free_symbols}
    missing = {"epsilon", "delta"} - held
    if missing:
        witness = {"(3)": f"psi = {p.written(noise)}", "letters": ", ".join(sorted(held)), "missing": ", ".join(sorted(missing))}
        record.refute(f"(3) is psi = {p.written(noise)}; neither epsilon nor delta is in it", witness)
    return record.conclude("(3) has epsilon and delta")


def check_meanings_of_U(*, height: float, start: float) -> Finding:
    """Check that U means the same in Assumption 2, Lemma 6 and Lemma 8, for F(x) = height + cos(x), x_0 = start; return a Finding."""
    values = {"max F - F*": 2.0, "F_0 - F*": math.cos(start) + 1, "least upper bound of F": height + 1}
    record = Record(values)
    if len({round(value, 12) for value in values.values()}) > 1:
        witness = {"F": f"{height:g} + cos(x)", "x_0": start, **values}
        record.refute(f"for F = {height:g} + cos(x), x_0 = {start:.4g} they are {tuple(values.values())}", witness)
    return record.conclude("the three agree there")


def check_minimiser_curvature(*, accuracies: tuple[float, ...]) -> Finding:
    """Check that an (alpha_g, alpha_H)-SOSP needs alpha_H of order alpha_g^(1/2), at the minimiser of 1 - cos(x); return a Finding."""
    gradient, eigenvalue = math.sin(0.0), math.cos(0.0)
    meets = [alpha for alpha in accuracies if abs(gradient) <= alpha and eigenvalue >= 0]
    record = Record({"gradient": gradient, "F''": eigenvalue, "alpha_g tried": accuracies})
    if meets:
        tried = f"each of {len(meets)} alpha_g, down to {min(meets):g}"
        witness = {"F": "1 - cos(x)", "rho": 1, "x": 0, "alpha_g": meets[0], "alpha_H": 0, "F''(x)": eigenvalue}
        record.refute(f"x = 0 of 1 - cos(x) is an (alpha_g, alpha_H)-SOSP with alpha_H = 0 for {tried}", witness)
    return record.conclude("the minimiser is no such point")


def check_worst_errors(*, factor: float, points: int) -> Finding:
    """Check by search that errors of size alpha allow a curvature of -factor sqrt(rho alpha) at every stopping point; return a Finding.

    The answer is 0 for every gradient, an error of at most alpha on F(x) = alpha^(3/2) sin(w x + phase)/sqrt(rho), w = sqrt(rho/alpha).
    Nothing is learnt of the phase. Wherever an algorithm stops, some phase makes F' = 0 and F'' = -sqrt(rho alpha) there: the
    curvature is compared with factor times -sqrt(rho alpha), and the largest error and third derivative with alpha and rho.
    """
    worst, at, phases = math.inf, {}, np.linspace(0, 2 * math.pi, 4001)
    for alpha, rho, x in itertools.product((1e-4, 0.3), (0.5, 7.0), np.linspace(-2, 2, points).tolist()):
        w = math.sqrt(rho / alpha)
        errors = np.abs(alpha * np.cos(w * x + phases))
        third = np.abs(alpha**1.5 / math.sqrt(rho) * w**3 * np.cos(w * x + phases))
        if errors.max() > alpha * (1 + 1e-12) or third.max() > rho * (1 + 1e-12):
            return Record().leave_open("the functions do not meet the assumptions; others must be looked for")
        curvature = float((alpha**1.5 / math.sqrt(rho) * w**2 * np.sin(w * x + phases)).max())  # minus F'' at the worst phase
        if curvature / math.sqrt(rho * alpha) < worst:
            worst, at = curvature / math.sqrt(rho * alpha), {"alpha": alpha, "rho": rho, "x": x}
    record = Record({"points": 4 * points, "least worst curvature / sqrt(rho alpha)": worst})
    if worst < factor - 1e-6:  # phases are 0.0016 apart, which costs its square over 2
        record.refute(f"at one point every phase has less than {factor} sqrt(rho alpha)", {**at, "worst": worst})
    return record.conclude(f"wherever it stops, some phase has F'' = -{worst:.6f} sqrt(rho alpha), with errors of at most alpha")


def check_client_means(*, what: str, cases: int, seed: int) -> Finding:
    """Check that the clients' mean gradient norm and mean least eigenvalue bound those of their mean loss (`what`); return a Finding.

    what: "bounds" searches for a case beyond the clients' means; "exist" reports that the means are such bounds; "converse" looks for a
    point at which the mean of the clients' gradient norms is far above the norm of the mean.
    """
    rng, beyond, above = np.random.default_rng(seed), [], []
    for _ in range(cases):
        half, d = rng.uniform(0.1, 1, int(rng.integers(1, 3))), 3
        landscape = unit_cosine_saddles(d, None, tuple(np.concatenate([half, -half]).tolist()))
        m, x = 2 * len(half), rng.uniform(-3, 3, d) * 10 ** rng.uniform(-3, 0)
        own = [selection.mean_derivatives(landscape, [landscape.draw(rng, 2000, j)], x) for j in range(m)]
        gradient, hessian = np.mean([g for g, _ in own], axis=0), np.mean([h for _, h in own], axis=0)
        norm, mean = float(np.linalg.norm(gradient)), float(np.mean([np.linalg.norm(g) for g, _ in own]))
        least = float(np.mean([np.linalg.eigvalsh(h)[0] for _, h in own])) - float(np.linalg.eigvalsh(hessian)[0])
        beyond.append((max(norm - mean, least), {"m": m, "|mean gradient|": norm, "mean of norms": mean}))
        above.append((mean / norm, {"m": m, "x": x.tolist(), "mean of norms / norm of mean": mean / norm}))
    worst, apart = find_worst(beyond, -math.inf), find_worst(above)
    found = check_deviation(max(worst.value, 0.0), worst.at, cases, "|grad f_S| over the mean of the clients', and the eigenvalues'", seed)
    if what == "bounds" or found.outcome is Outcome.REFUTED:
        return found
    if what == "exist":
        sentence = f"in all of {cases} cases the means of the clients' own numbers are such bounds, as the display before says"
        return Record(found.numbers, seed=seed).refute(sentence, worst.at)
    record = Record({"cases": cases}, seed=seed)
    if apart.value > 10:
        record.refute(f"the mean of the norms is {apart.value:.3g} times the norm of the mean", apart.at)
    return record.conclude(f"at most {apart.value:.3g} times")


def check_perturbation_size(*, what: str, points: int, seed: int) -> Finding:
    """Check that r = sqrt((sigma^2 + alpha^(3/2))/d) has its order or its inverse (`what`), at random points; return a Finding.

    what: "maximum", it is within sqrt(2) of the maximum of its two parts; "inverse", alpha follows from r.
    """
    rng, found = np.random.default_rng(seed), []
    for _ in range(points):
        sigma, alpha, d = float(10 ** rng.uniform(-2, 2)), float(10 ** rng.uniform(-2, 2)), int(rng.integers(1, 1000))
        r = math.sqrt((sigma**2 + alpha**1.5) / d)
        larger = max(sigma, alpha**0.75) / math.sqrt(d)
        back = max(r**2 * d - sigma**2, 0.0) ** (2 / 3)
        noise = 1e-14 * (sigma**2 / alpha**1.5 + 1)  # rounding error of r^2 d over alpha^(3/2)
        off = max(larger / r - 1, r / larger / math.sqrt(2) - 1) if what == "maximum" else max(abs(back / alpha - 1) - noise, 0.0)
        found.append((off, {"sigma": sigma, "alpha": alpha, "d": d, "r": r, "max": larger, "alpha from r": back}))
    words = "r is between the maximum and sqrt(2) times it" if what == "maximum" else "alpha = (r^2 d - sigma^2)^(2/3)"
    worst = find_worst(found)
    return check_deviation(worst.value, worst.at, points, words, seed)


def check_lower_bound_from_order(*, sigma: float, alpha: float, d: int, r: float) -> Finding:
    """Check that r <= sqrt((sigma^2 + alpha^(3/2))/d), r = O(...) with constant 1, implies r >= sigma/sqrt(d); return a Finding."""
    above, below = math.sqrt((sigma**2 + alpha**1.5) / d), sigma / math.sqrt(d)
    record = Record({"r": r, "sqrt((sigma^2 + alpha^(3/2))/d)": above, "sigma/sqrt(d)": below})
    if r <= above and r < below:
        witness = {"sigma": sigma, "alpha": alpha, "d": d, **record.numbers}
        record.refute(f"r = {r:g} is O(...) with the constant 1 and below sigma/sqrt(d) = {below:.3g}", witness)
    return record.conclude("this r does not decide")


def check_fixed_period(*, period: int, periods: int, runs: int, seed: int) -> Finding:
    """Check by simulation that SPIDER's error is no smaller at the end of a late period than at the end of the first; return a Finding."""
    b_1, b_2 = 40, 10
    descent: dict[str, Any] = {"eta": 0.4, "chi": 1e-9, "R": 1.0, "Gamma": 1, "Q": 1, "x0": np.array([1.5, 1.5, 1.5])}
    batches: dict[str, Any] = {"b_1": b_1, "b_2": b_2, "n": periods * (b_1 + (period - 1) * b_2), "sigma_1": 0.05, "sigma_2": 0.5}
    run = gauss_psgd(unit_cosine_saddles(3), oracle="dp_spider", period=period, replicates=runs, seed=seed, threads=1, **descent, **batches)
    start, first, last = (run.error[:, k] ** 2 for k in (0, period - 1, periods * period - 1))
    half = float(stats.norm.isf(LEVEL / 2)) * float((last - first).std(ddof=1)) / math.sqrt(runs)
    high = float((last - first).mean()) + half
    squares = {"after an O_1": start, "at the end of period 1": first, f"at the end of period {periods}": last}
    record = Record({f"rms {where}": math.sqrt(float(one.mean())) for where, one in squares.items()}, seed=seed, false_alarm=LEVEL)
    record.note({"upper end of the difference of squares": high, "runs": runs})
    if high < 0:
        sentence = f"at the end of period {periods} the error is smaller than at the end of the first: it is reset every {period} calls"
        record.refute(sentence, record.numbers)
    return record.conclude("no decrease found")


def check_test_can_pass(*, clip: float, settings: tuple[tuple[float, float, float], ...], parameters: int) -> Finding:
    """Check that the noise of a fresh gradient in the experiments is <= 3 chi with probability >= 1e-6, exactly; return a Finding.

    Clipped gradients, b_1 = 6000, chi = 0.01; settings are (m, epsilon, printed norm).
    """
    found, worst = {}, 0.0
    for m, epsilon, norm in settings:
        sigma = 2 * clip / 6000 * math.sqrt(2 * math.log(1.25e5)) / epsilon / math.sqrt(m)
        size = found[m, epsilon] = sigma * math.sqrt(parameters)
        worst = max(worst, float(stats.chi2.cdf((0.03 / sigma) ** 2, parameters)))
        if abs(size - norm) > 0.005:
            return Record().leave_open(f"the noise norm is {size:.4f}, not {norm}")
    record = Record({f"noise norm, m = {m:g}, epsilon = {epsilon:g}": size for (m, epsilon), size in found.items()})
    record.note({"3 chi": 0.03, "largest P": worst})
    if worst < 1e-6:
        record.refute(f"the noise alone is {min(found.values()):.2f} to {max(found.values()):.2f}, the test asks for 0.03", record.numbers)
    return record.conclude("possible")


def check_relu_smoothness(*, steps: tuple[float, ...], bound: float) -> Finding:
    """Check that log(1 + e^(-a relu(w))), a ReLU unit under logistic loss, is smooth and Lipschitz up to `bound`; return a Finding."""

    def slope_at(w: float) -> float:
        return -1 / (1 + math.exp(w)) if w > 0 else 0.0

    ratios = {h: abs(slope_at(h) - slope_at(-h)) / (2 * h) for h in steps}
    largest = max(ratios.values())
    outer = {a: a / 2 for a in (1.0, 1e3, 1e6)}  # d/dw of log(1 + e^(-a relu(w))) at w = 0+ has size a/2: it grows with the outer weight a
    record = Record({f"ratio at distance {2 * h:g}": r for h, r in ratios.items()})
    record.note({f"gradient at outer weight {a:g}": g for a, g in outer.items()})
    if min(largest, max(outer.values())) > bound:
        record.refute(f"gradients {2 * min(steps):g} apart differ {largest:.3g} times as much", {"w": min(steps), **record.numbers})
    return record.conclude("no unbounded ratio found")
