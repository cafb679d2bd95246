"""Theorem 4, Remarks 4 and 5: the accuracy of the point that is selected, its privacy, and the dimensions that it reaches."""

import itertools
import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import mpmath as mp
import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.gauss_psgd import selection
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.rates import largest_dimension
from bounds.gauss_psgd.selection import proved_allowances
from bounds.inequalities import is_zero
from paper_checks.examine.laws import one_of
from paper_checks.examine.privacy import attained
from paper_checks.examine.proofs import CERTIFIED, STOPS, true_line, whole_proof
from paper_checks.examine.search import Cases, allowances, deviations
from paper_checks.examine.witness import false_line
from paper_checks.gauss_psgd import printed as p
from paper_checks.gauss_psgd.plain_algorithms import cosines
from paper_checks.gauss_psgd.rates import unit
from paper_checks.verdict import Finding, Kind, Size, claim, consistent, inconclusive, proved, question, reading, refuted
from synthetic import selection as drawn


def whole_selection(*, accountant: str, epsilons: tuple[float, ...], delta: float, horizons: tuple[int, ...]) -> Finding:
    """Spend the noise of Algorithm 4 with the accountant's constant in all 2 T releases, and compute the exact delta."""
    worst, at, constants = 0.0, {}, {}
    n, d = 1000.0, 7.0
    for epsilon, T in itertools.product(epsilons, horizons):
        c = constants[epsilon, T] = selection.noise_constant(accountant, epsilon=epsilon, delta=delta, T=T)
        gradient, hessian = selection.scales(n=n, d=d, epsilon=epsilon, delta=delta, L=2.0, ell=3.0, T=T, constant=c)
        mu_sq = T * ((2 * 2.0 / n / gradient) ** 2 + (2 * 3.0 * math.sqrt(d) / n / hessian) ** 2)
        found = float(attained(epsilon, mp.sqrt(mu_sq)) / delta)
        if found > worst:
            worst, at = found, {"epsilon": epsilon, "delta": delta, "T": T, "c_1 = c_2": c, "delta attained": found * delta}
    numbers = {f"c_1, epsilon = {e:g}, T = {T}": c for (e, T), c in constants.items()} | {"largest attained / claimed delta": worst}
    if worst > 1 + 1e-6:  # T enters mu^2 and sigma^2, whose quotient is rounded
        sentence = f"{2 * at['T']} releases with c_1 = c_2 = {at['c_1 = c_2']:.4g} have delta = {at['delta attained']:.3g}"
        return refuted(sentence, numbers, at)
    growth = max(constants[e, horizons[-1]] / constants[e, horizons[0]] for e in epsilons)
    if growth > 1 + 1e-9:
        needed = [constants[epsilons[0], T] for T in horizons]
        witness = {"T": list(horizons), "c_1": needed, "epsilon": epsilons[0], "delta": delta}
        return refuted(f"c_1 grows with T, from {needed[0]:.0f} to {needed[-1]:.0f}", numbers, witness)
    return consistent(f"private with a constant that T does not change; at most {worst:.4g} of the delta", numbers)


def bernstein_condition(*, claimed: str) -> Finding:
    """Solve for the m n from which on the exponent of matrix Bernstein at 4 M sqrt(E/(m n)), B = 2 M, is at least E."""
    E, N = sp.symbols("E N", positive=True)
    t = N * 4 * p.M * sp.sqrt(E / N)
    exponent = t**2 / (2 * (4 * N * p.M**2 + 2 * p.M * t / 3))
    solutions = sp.solve(sp.simplify(exponent / E - 1), N)
    ratios = [sp.simplify(one / E) for one in solutions]
    relations = (entry.relation for entry in bounds.THEOREMS["gauss_psgd.theorem4"].conditions)
    (condition,) = (one for one in relations if one.lhs.has(p.m) and one.rhs.has(sp.log))
    theory = condition.rhs / sp.log(8 * p.d / p.omega)
    grows = sp.simplify(sp.diff(exponent, N)).is_positive
    numbers = {"least m n over the logarithm": sp.sstr(ratios), "in the theory": sp.sstr(theory), "exponent grows with m n": bool(grows)}
    if not grows or not is_zero(theory - sp.Rational(claimed)):
        return inconclusive("the theory or the exponent is another one than expected", numbers)
    if ratios != [sp.Rational(claimed)]:
        return refuted(f"the least factor is {ratios}", numbers, {"factor": sp.sstr(ratios), "claimed": claimed})
    return proved(f"the exponent reaches the logarithm at m n = {claimed} of it, and grows from there on", numbers)


def dimensions(*, settings: Sequence[Mapping[str, float]], layers: Sequence[int]) -> Finding:
    """Compare the number of parameters of a network with min(N^2, N^(6/13)) of Remark 4 in each setting of the experiments."""
    parameters = sum((one + 1) * two for one, two in pairwise(layers))
    rows = {}
    for at in settings:
        limit = min(float(entry.subs({letter: at[letter.name] for letter in entry.free_symbols})) for entry in p.REMARK_4)
        problem = Problem(d=10.0, delta=1e-5, L=1.0, ell=1.0, rho=1.0, U=1.0, **at)
        if not math.isclose(limit, largest_dimension(problem), rel_tol=1e-12):
            return inconclusive("the theory has another limit than the print; comparing the two would settle it")
        rows[f"n {at['n']:g}, m {at['m']:g}, epsilon {at['epsilon']:g}"] = limit
    numbers = {"parameters": parameters, **{f"largest d, {name}": one for name, one in rows.items()}}
    largest = max(rows, key=lambda name: rows[name])
    if parameters > rows[largest]:
        witness = {"parameters": parameters, "setting": largest, "largest d of Remark 4": rows[largest]}
        return refuted(f"the model has {parameters} parameters, Remark 4 allows at most {rows[largest]:.0f}", numbers, witness)
    return consistent(f"the model has {parameters} parameters", numbers)


def chosen_event(*, points: int, omega: float) -> Finding:
    """Take independent normal errors at `points` iterates, each within its limit with probability 1 - omega, and look at the worst."""
    missed = 1 - (1 - omega) ** points
    union = 1 - (1 - omega / points) ** points
    numbers = {"fails at a fixed point": omega, "fails at the worst point": missed, "with omega / T at each": union}
    if missed > omega >= union:
        witness = {"T": points, "omega": omega, "errors": "independent standard normal", "fails at the worst": missed}
        sentence = f"of {points} points that each fail with {omega:g}, one fails with {missed:.3f}; a union over the points needs omega / T"
        return refuted(sentence, numbers, witness)
    return consistent("no loss by choosing", numbers)


def noise_of_products(*, dimensions: tuple[int, ...], draws: int, seed: int) -> Finding:
    """Draw Algorithm 4's noise on a Hessian and noise for one Hessian-vector product, of sensitivity 2 M/n: exponents of the norms in d."""
    rng, matrix, vector = np.random.default_rng(seed), [], []
    for d in dimensions:
        _, sigma = selection.scales(n=6000.0, d=d, epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, T=100, constant=16.0)
        product = sigma / math.sqrt(d)  # the factor d of the printed variance is that of entries; a product's change has the operator norm
        upper = rng.standard_normal((draws, d, d))
        norms = [float(np.abs(np.linalg.eigvalsh(np.triu(one) + np.triu(one, 1).T)).max()) for one in upper]
        matrix.append(sigma * float(np.mean(norms)))
        vector.append(product * float(np.mean(np.linalg.norm(rng.standard_normal((draws, d)), axis=1))))
    exponents = [float(np.polyfit(np.log(dimensions), np.log(one), 1)[0]) for one in (matrix, vector)]
    numbers = {"exponent of d, Hessian": exponents[0], "exponent of d, product": exponents[1], "dimensions": dimensions}
    off = max(abs(exponents[0] - 1), abs(exponents[1] - 0.5))
    if off > 0.05:  # the norms of small matrices are a few percent off their limit
        return refuted("the exponents are others", numbers, numbers, seed=seed)
    return consistent(f"exponents {exponents[0]:.3f} and {exponents[1]:.3f} of d", numbers, seed=seed)


@allowances("the change of a scalar query over 2 G/n, 2 M/n", rounding=1e-12)
def scalar_queries(*, dimensions: tuple[int, ...], cases: int, seed: int) -> Cases:
    """Replace one held-out sample: change of |grad f_S| over 2 G/n and of the least eigenvalue over 2 M/n, in several dimensions."""
    n, rng = 12, np.random.default_rng(seed)
    for d, k in itertools.product(dimensions, range(cases)):
        landscape, x = cosines(d), rng.uniform(-2, 2, d)
        rows, pair = landscape.draw(rng, n, 0), []
        for sign in (1, -1):
            other, z = rows.copy(), (sign * math.pi / 2 if k % 2 else math.pi / 2 * (1 - sign)) - x  # the largest changes of either kind
            other[0] = np.concatenate([np.cos(z), np.sin(z)])
            gradient, hessian = drawn.means(landscape, [other], x)
            pair.append((float(np.linalg.norm(gradient)), float(np.linalg.eigvalsh(hessian)[0])))
        changes = zip(("gradient", "eigenvalue"), np.abs(np.diff(pair, axis=0))[0], ("L", "ell"), strict=True)
        ratio, name = max((float(change) / (2 * landscape.constants[limit] / n), name) for name, change, limit in changes)
        yield ratio, {"d": d, "what": name, "change / (2 G/n or 2 M/n)": ratio}


def three_terms(N: float, d: float, products: float) -> tuple[float, tuple[float, float, float]]:
    """Return alpha = (sqrt(d)/N)^(2/5) and the last three terms of (143), sqrt(d) in place of d where a Hessian was."""
    alpha = (math.sqrt(d) / N) ** 0.4
    noise = math.sqrt(d) / N * alpha ** (-5 / 4 - products / 2)
    return alpha, (math.sqrt(d) / (N * alpha**1.25), math.sqrt(alpha) * noise, noise**2)


def with_products(*, powers: tuple[float, ...], products: float) -> Finding:
    """Compare the three terms of Remark 4, with the noise of Remark 5, with alpha, for d up to N^2, where alpha reaches 1.

    alpha^(-products) releases for each Hessian multiply the deviation of its noise by the root of that.
    """
    rows = []
    for power, share in itertools.product(powers, (0.1, 0.5, 0.9, 1.0)):
        N, d = 10.0**power, (10.0**power) ** (2 * share)
        alpha, terms = three_terms(N, d, products)
        rows.append((max(terms) / alpha, {"N": N, "d": d, "alpha": alpha, "terms": terms}))
    worst, at = max(rows, key=lambda row: row[0])
    numbers = {"largest term / alpha": worst, "products, power of 1/alpha": products, **at}
    if worst <= 1 + 1e-9:
        alpha, terms = three_terms(1e6, 1e6, products)
        witness = {"N": 1e6, "d": 1e6, "N^(6/13), the limit of Remark 4": 1e6 ** (6 / 13), "alpha": alpha, "terms": terms}
        return refuted(f"for every d up to N^2 the three terms are at most alpha: {worst:.4g} of it", numbers, witness)
    return consistent(f"some term is {worst:.4g} times alpha", numbers)


def undefined(*, used: tuple[str, ...], defined: tuple[str, ...]) -> Finding:
    """Compare letters that lines use with those that the text defines."""
    missing = [letter for letter in used if letter not in defined]
    if missing:
        return refuted(f"not defined: {', '.join(missing)}", {}, {"used": used, "defined in (122)": defined})
    return consistent("every letter is defined")


def union(*, T: int, omega: float, uniform: bool) -> Finding:
    """Compute how probable it is that one of T bad iterates, d = 1, passes the gradient test because of its noise alone.

    Bad: the gradient is above the limit of the test by the noise's allowance, so that the noise must overcome that; allowances are those
    with explicit constants, for one iterate or for T of them.
    """
    at: dict[str, Any] = {"n": 1e6, "d": 1, "L": 1.0, "ell": 1.0, "T": T if uniform else 1, "m": 1, "omega": omega}
    allowance = proved_allowances(**at, sigmas=(1.0, 0.0))[0] - proved_allowances(**at, sigmas=(0.0, 0.0))[0]
    one = float(stats.norm.sf(allowance))
    passes = one_of(T, one)
    numbers = {"allowance / sigma": allowance, "one passes": one, "one of T passes": passes, "T": T, "omega'": omega}
    sentence = f"one of {T} iterates that should not pass does, with probability {passes:.3g}; omega' = {omega}"
    return refuted(sentence, numbers, numbers) if passes > omega else consistent(sentence, numbers)


@allowances("the last three terms over alpha")
def remark4(*, powers: tuple[float, ...], factor: float) -> Cases:
    """Compare the last three terms of (143) at d = factor N^(6/13) with alpha = (sqrt(d)/N)^(2/5), constants and logarithms 1."""
    for power in powers:
        N = 10.0**power
        d = factor * largest_dimension(unit(N, 1.0, 1.0))
        alpha = (math.sqrt(d) / N) ** 0.4
        terms = math.sqrt(d) / (N * alpha**1.25), d / (N * alpha**0.75), d**2 / (N**2 * alpha**2.5)
        yield max(terms) / alpha, {"N": N, "d": d, "alpha": alpha, "largest term": max(terms)}


@deviations("the largest d, rounded", 0.5)
def largest(*, values: tuple[tuple[float, int], ...]) -> Cases:
    """Compare N^(6/13) with stated integers."""
    for N, value in values:
        found = largest_dimension(unit(N, 1.0, 1.0))
        yield abs(found - value), {"N": N, "d": found, "stated": value}


EXPERIMENTS = tuple({"n": 6000.0, "m": m, "epsilon": epsilon} for m in (1, 2, 5, 10) for epsilon in (0.5, 1.0, 2.0))
CLAIMS = (
    reading("gauss_psgd.theorem4.one_release", "Algorithm 4, noise with T in its variance", Kind.PRIVACY)
    .says("With c_1 = c_2 of Definition 8 for one release the 2 T releases of a client are private")
    .refuted("gradient and Hessian of each iterate are two releases, and composition costs a logarithm")
    .corrected("About twice the variance, by exact accounting", by="theorem4.exact_constant")
    .examined(whole_selection, accountant="printed", epsilons=(0.5, 1.0), delta=1e-5, horizons=(10, 100)),
    reading("gauss_psgd.theorem4.lemma16_constant", "Theorem 4, proof: adaptive composition (Lemma 16)", Kind.PRIVACY)
    .says("Lemma 16 with Definition 8 makes 2 T releases private with constants c_1, c_2")
    .refuted("it needs c_1 growing with log(T) and log(1/delta)", instead="Account in zCDP or exactly", by="theorem4.zcdp_constant")
    .examined(whole_selection, accountant="lemma16", epsilons=(1.0,), delta=1e-5, horizons=(10, 100, 1000, 100_000)),
    question("gauss_psgd.theorem4.zcdp_constant", "Theorem 4, with zCDP", Kind.PRIVACY)
    .says("zCDP gives privacy of all 2 T releases with a constant that does not depend on T")
    .consistent("T is in the variance already")
    .examined(whole_selection, accountant="zcdp", epsilons=(0.5, 1.0, 2.0, 4.0, 8.0), delta=1e-5, horizons=(10, 1000, 100_000)),
    claim("gauss_psgd.theorem4.exact_constant", "Theorem 4: (epsilon, delta)-ICRL-DP for suitable c_1, c_2", Kind.PRIVACY)
    .says("A constant that T does not change makes all 2 T releases private")
    .consistent("exact Gaussian accounting")
    .examined(whole_selection, accountant="exact", epsilons=(0.5, 1.0, 2.0, 4.0, 8.0), delta=1e-5, horizons=(10, 1000, 100_000)),
    claim("gauss_psgd.theorem4.condition", "(125), Theorem 4", Kind.INEQUALITY)
    .says("m n >= (4/9) log(8 d/omega) is what matrix Bernstein needs at 4 M sqrt(log/(m n))", r"mn \ge \tfrac49\log\tfrac{8d}{\omega'}")
    .proved("solved exactly: 4/9 is the least factor", "gauss_psgd.theorem4")
    .examined(bernstein_condition, claimed="4/9"),
    question("gauss_psgd.remark4.model_of_the_experiments", "Remark 4 and Appendix E", Kind.SCOPE)
    .says("The MNIST model of the experiments is within d <= N^(6/13)", r"d \le \min\{N^2, N^{6/13}\},\ N = \sqrt m\,n\epsilon")
    .refuted("101770 parameters, and at most some hundreds", "gauss_psgd.remark4")
    .corrected("Remark 4 reaches models of some hundreds of parameters at these n and epsilon")
    .examined(dimensions, settings=EXPERIMENTS, layers=(784, 128, 10)),
    reading("gauss_psgd.theorem4.chosen_point", "(127) to (142), proof of Theorem 4", Kind.SCOPE)
    .says("Events that hold at a fixed iterate with probability 1 - omega' hold with it at the one that is chosen")
    .refuted("the choice depends on the same samples", instead="A union over the T iterates: omega'/T at each, logarithms only")
    .examined(chosen_event, points=10, omega=0.05),
    claim("gauss_psgd.theorem4.letters_137", "(137), (140), proof of Theorem 4", Kind.SCOPE)
    .says("xi_o and H_o, the noise at the chosen point, are letters of the text")
    .formula(r"\le \|\nabla\bar F(x_o)\|_2 + \|\nabla F(x_o) - \nabla\hat f_{\mathcal{S}}(x_o)\|_2 + \|\xi_o\|_2")
    .refuted("(122) has theta_p and a bold H_p", instead="theta_o and the bold H_o are meant", latex=r"\|\theta_o\|_2,\ \|\mathbf{H}_o\|_2")
    .examined(undefined, used=("xi_o", "H_o"), defined=("theta_p, so theta_o", "bold H_p, so bold H_o")),
    claim("gauss_psgd.remark5.vector_noise", "Remark 5", Kind.EXPONENT)
    .says("The noise on a Hessian grows like d, that on a Hessian-vector product like sqrt(d)", r"O(d) \to O(\sqrt d)")
    .consistent("entries of deviation sqrt(d), or d coordinates of deviation 1")
    .examined(noise_of_products, dimensions=(40, 80, 160), draws=Size(8, 100), seed=97),
    reading("gauss_psgd.remark5.scalars", "Remark 5, on one machine", Kind.PRIVACY)
    .says("One sample moves |grad f_S| by at most 2 G/n and the least eigenvalue by at most 2 M/n in every dimension")
    .consistent("the norm and the least eigenvalue are 1-Lipschitz")
    .examined(scalar_queries, dimensions=(2, 5, 20), cases=Size(20, 1000), seed=98),
    *(
        opened(f"gauss_psgd.remark5.still_problematic{name}", f"Remark 5, with the terms of Remark 4{where}", Kind.EXPONENT)
        .says("With Hessian-vector products the factor sqrt(d) still makes a term larger than alpha in high dimension")
        .refuted(
            "with N = sqrt(m) n epsilon they are at most alpha for every d up to N^2, where alpha is 1; logarithms, constants left out"
        )
        .corrected("With sqrt(d) the selection costs no more than logarithms wherever alpha is below 1")
        .examined(with_products, powers=(1.0, 3.0, 6.0, 12.0), products=products)
        for opened, name, where, products in ((reading, "", "", 0.0), (question, "_many", "; alpha^(-1/2) products a point", 0.5))
    ),
    reading("gauss_psgd.theorem4.one_iterate", "Theorem 4, (123) to (126) for x_o", Kind.CONVERGENCE)
    .says("Allowances for one fixed iterate serve for the one that is chosen of T = 1e5 = 0.01^(-5/2)")
    .refuted("the choice looks at T noises", instead="omega'/(4 T) for each event, a logarithm more", by="theorem4.uniform")
    .examined(union, T=100_000, omega=0.1, uniform=False),
    question("gauss_psgd.theorem4.uniform", "ours", Kind.CONVERGENCE)
    .says("Allowances for T iterates at once serve for the chosen one")
    .consistent("the union over T iterates")
    .examined(union, T=100_000, omega=0.1, uniform=True),
    *claim("gauss_psgd.theorem4.holds_143", "(143), Theorem 4", Kind.INEQUALITY)
    .says("(143) needs no term for the cross term of sqrt(alpha) and 1/sqrt(m n): alpha and 1/(m n) cover it")
    .formula(r"2\sqrt{\frac\alpha{mn}} \le \alpha + \frac1{mn}")
    .closed(true_line, "theorem4: cross_term"),
    claim("gauss_psgd.remark4.exponent", "Remark 4", Kind.EXPONENT)
    .says("Up to d = N^(6/13) the last three terms of (143) are at most alpha")
    .consistent("terms 6 and 7 give 6/13")
    .examined(remark4, powers=(1.0, 3.0, 6.0, 12.0, 30.0), factor=1.0),
    question("gauss_psgd.remark4.sharp", "Remark 4", Kind.EXPONENT)
    .says("They are at most alpha for larger d too, d = 2 N^(6/13)")
    .refuted("6/13 is where two terms reach alpha", instead="6/13 is the edge")
    .examined(remark4, powers=(1.0, 3.0, 6.0), factor=2.0),
    question("gauss_psgd.remark4.numbers", "Remark 4", Kind.TABLE)
    .says("N^(6/13) is 70, 203, 588 at N = 1e4, 1e5, 1e6, and 55 at N = 6000")
    .consistent("arithmetic")
    .examined(largest, values=((1e4, 70), (1e5, 203), (1e6, 588), (6e3, 55))),
    whole_proof("gauss_psgd.theorem4", "Theorem 4, (122) to (143)", "The accuracy of the point that is selected", STOPS),
    whole_proof("gauss_psgd.remark4", "Remark 4", "d <= min(N^2, N^(6/13)) makes the last three terms of (143) at most alpha", CERTIFIED),
    *reading("gauss_psgd.theorem4.printed_bernstein", "Algorithm 4, Hessian test", Kind.INEQUALITY)
    .says("Lemma 14 proves the allowance M sqrt(log(8 d/omega')/(m n)) for the sampling error", r"M\sqrt{\frac{\log(8d/\omega')}{mn}}")
    .refuted(
        "the exponent of matrix Bernstein there is a half of the logarithm at most, "
        "with M^2 for the variance of a Hessian; an eighth with 4 M^2"
    )
    .corrected("4 M sqrt(log(16 d/omega')/(m n)) does", r"4M\sqrt{\frac{\log(16d/\omega')}{mn}}")
    .closed(false_line, "theorem4: exponent large_exponent an_eighth"),
    *reading("gauss_psgd.theorem4.printed_composition", "Theorem 4, privacy by Lemma 16 and Definition 8", Kind.IDENTITY)
    .says("By Lemma 16 a constant c_1 makes 2 T releases private", r"c_1 = O(1)")
    .refuted("what Lemma 16 asks for grows like log(T)", instead="By zero-concentrated privacy a constant is enough")
    .corrected_formula(r"2T\frac{\Delta^2}{2\sigma^2} = \frac{4\epsilon^2}{c_1\log(1/\delta)}")
    .closed(false_line, "theorem4: concentrated"),
    *reading("gauss_psgd.theorem4.printed_143", "(143), Theorem 4, its fourth term", Kind.IDENTITY)
    .says("The cross term of sqrt(alpha) and 1/sqrt(m n), squared out, is alpha / sqrt(m n)")
    .formula(r"2\sqrt\alpha\cdot\frac1{\sqrt{mn}} = \frac{2\alpha}{\sqrt{mn}}")
    .refuted("a slip, a root is missing; (143) itself holds, because alpha + 1/(m n) is at least the cross term")
    .corrected("2 sqrt(alpha / (m n)), which is at most alpha + 1/(m n)", r"2\sqrt{\frac\alpha{mn}} \le \alpha + \frac1{mn}")
    .closed(false_line, "theorem4: squared cross_term"),
)
