"""What Gauss-PSGD says beside its theorems: Definitions 1 and 6, Sections 3, 5.1 and 6.1, Remark 5, and two letters of (137), (140)."""

from __future__ import annotations

import itertools
import math

import numpy as np
from scipy import stats

from bounds.gauss_psgd import selection as theory
from paper_checks.compare import LEVEL
from paper_checks.gauss_psgd.common import at_most, claim, cosines, searched
from paper_checks.verdict import Finding, Kind, Outcome
from synthetic import selection
from synthetic.psgd import gauss_psgd


def minimiser(*, accuracies: tuple[float, ...]) -> Finding:
    """Look at the minimiser of 1 - cos(x): its gradient and its least eigenvalue against any alpha_g and the order alpha_g^(1/2)."""
    gradient, eigenvalue = math.sin(0.0), math.cos(0.0)
    meets = [alpha for alpha in accuracies if abs(gradient) <= alpha and eigenvalue >= 0]
    numbers = {"gradient": gradient, "F''": eigenvalue, "alpha_g tried": accuracies}
    if meets:
        witness = {"F": "1 - cos(x)", "rho": 1, "x": 0, "alpha_g": meets[0], "alpha_H": 0, "F''(x)": eigenvalue}
        sentence = (
            f"x = 0 of 1 - cos(x) is an (alpha_g, alpha_H)-SOSP with alpha_H = 0 for each of {len(meets)} alpha_g, down to {min(meets):g}"
        )
        return Finding(Outcome.REFUTED, sentence, numbers, witness)
    return Finding(Outcome.CONSISTENT, "the minimiser is no such point", numbers)


def chosen_errors(*, factor: float, points: int) -> Finding:
    """Answer 0 for every gradient, an error of at most alpha on F(x) = alpha^(3/2) sin(w x + phase)/sqrt(rho), w = sqrt(rho/alpha).

    Nothing is learnt of the phase. Wherever an algorithm stops, some phase makes F' = 0 and F'' = -sqrt(rho alpha) there: compare the
    curvature with factor times -sqrt(rho alpha), and the largest error and third derivative with alpha and rho.
    """
    worst, at, phases = math.inf, {}, np.linspace(0, 2 * math.pi, 4001)
    for alpha, rho, x in itertools.product((1e-4, 0.3), (0.5, 7.0), np.linspace(-2, 2, points).tolist()):
        w = math.sqrt(rho / alpha)
        errors = np.abs(alpha * np.cos(w * x + phases))
        third = np.abs(alpha**1.5 / math.sqrt(rho) * w**3 * np.cos(w * x + phases))
        if errors.max() > alpha * (1 + 1e-12) or third.max() > rho * (1 + 1e-12):
            return Finding(Outcome.INCONCLUSIVE, "the functions do not meet the assumptions; others must be looked for", {})
        curvature = float((alpha**1.5 / math.sqrt(rho) * w**2 * np.sin(w * x + phases)).max())  # minus F'' at the worst phase
        if curvature / math.sqrt(rho * alpha) < worst:
            worst, at = curvature / math.sqrt(rho * alpha), {"alpha": alpha, "rho": rho, "x": x}
    numbers = {"points": 4 * points, "least worst curvature / sqrt(rho alpha)": worst}
    if worst < factor - 1e-6:  # phases are 0.0016 apart, which costs its square over 2
        return Finding(Outcome.REFUTED, f"at one point every phase has less than {factor} sqrt(rho alpha)", numbers, {**at, "worst": worst})
    sentence = f"wherever it stops, some phase has F'' = -{worst:.6f} sqrt(rho alpha), with errors of at most alpha"
    return Finding(Outcome.CONSISTENT, sentence, numbers)


def anisotropic(*, variances: tuple[float, ...], length: int, seed: int) -> Finding:
    """Take N(0, diag(variances)), whose moment generating function is known, and see whether (10) holds and whether it is isotropic."""
    rng, spread = np.random.default_rng(seed), np.array(variances)
    zeta_sq = float(spread.max())
    u = rng.standard_normal((length, len(spread))) * 10 ** rng.uniform(-3, 3, (length, 1))
    excess = np.sum(u**2 * spread, axis=1) / 2 - np.sum(u**2, axis=1) * zeta_sq / 2  # of the logarithms of both sides of (10)
    numbers = {"directions": length, "largest excess of (10), in logarithms": float(excess.max()), "variances": variances}
    if excess.max() > 1e-9 * float(np.sum(u**2)):
        return Finding(Outcome.INCONCLUSIVE, "the vector is not SG(zeta); another one must be looked for", numbers, seed=seed)
    if spread.max() > spread.min():
        witness = {"v": f"N(0, diag{variances})", "zeta": math.sqrt(zeta_sq), "(10)": "u'Vu/2 <= zeta^2 |u|^2/2 for every u"}
        return Finding(Outcome.REFUTED, f"N(0, diag{variances}) meets (10) with zeta = {math.sqrt(zeta_sq):g}", numbers, witness, seed=seed)
    return Finding(Outcome.CONSISTENT, "this vector is isotropic", numbers, seed=seed)


def clients(*, what: str, cases: int, seed: int) -> Finding:
    """Compare gradient and least eigenvalue of the mean of m losses with the means of the clients' own, at points of random cosines.

    what: "bounds" searches for a case beyond the clients' means; "exist" reports that the means are such bounds; "converse" looks for a
    point at which the mean of the clients' gradient norms is far above the norm of the mean.
    """
    rng, worst, apart, at, case = np.random.default_rng(seed), -math.inf, 0.0, {}, {}
    for _ in range(cases):
        half, d = rng.uniform(0.1, 1, int(rng.integers(1, 3))), 3
        landscape = cosines(d, None, tuple(np.concatenate([half, -half]).tolist()))
        m, x = 2 * len(half), rng.uniform(-3, 3, d) * 10 ** rng.uniform(-3, 0)
        own = [selection._means(landscape, [landscape.draw(rng, 2000, j)], x) for j in range(m)]
        gradient, hessian = np.mean([g for g, _ in own], axis=0), np.mean([h for _, h in own], axis=0)
        norms, values = [float(np.linalg.norm(g)) for g, _ in own], [float(np.linalg.eigvalsh(h)[0]) for _, h in own]
        above = float(np.linalg.norm(gradient)) - float(np.mean(norms))
        below = float(np.mean(values)) - float(np.linalg.eigvalsh(hessian)[0])
        if max(above, below) > worst:
            worst, case = (
                max(above, below),
                {"m": m, "|mean gradient|": float(np.linalg.norm(gradient)), "mean of norms": float(np.mean(norms))},
            )
        if float(np.mean(norms)) / float(np.linalg.norm(gradient)) > apart:
            apart = float(np.mean(norms)) / float(np.linalg.norm(gradient))
            at = {"m": m, "x": x.tolist(), "mean of norms / norm of mean": apart}
    found = searched(max(worst, 0.0), case, cases, "|grad f_S| over the mean of the clients', and the eigenvalues'", seed)
    if what == "bounds" or found.outcome is Outcome.REFUTED:
        return found
    if what == "exist":
        sentence = f"in all of {cases} cases the means of the clients' own numbers are such bounds, as the display before says"
        return Finding(Outcome.REFUTED, sentence, found.numbers, case, seed=seed)
    if apart > 10:
        return Finding(Outcome.REFUTED, f"the mean of the norms is {apart:.3g} times the norm of the mean", {"cases": cases}, at, seed=seed)
    return Finding(Outcome.CONSISTENT, f"at most {apart:.3g} times", {"cases": cases}, seed=seed)


def perturbation(*, what: str, points: int, seed: int) -> Finding:
    """Look at r = sqrt((sigma^2 + alpha^(3/2))/d) of Section 5.1: "maximum", within sqrt(2) of the maximum; "inverse", alpha from r."""
    rng, worst, at = np.random.default_rng(seed), 0.0, {}
    for _ in range(points):
        sigma, alpha, d = float(10 ** rng.uniform(-2, 2)), float(10 ** rng.uniform(-2, 2)), int(rng.integers(1, 1000))
        r = math.sqrt((sigma**2 + alpha**1.5) / d)
        larger = max(sigma, alpha**0.75) / math.sqrt(d)
        back = max(r**2 * d - sigma**2, 0.0) ** (2 / 3)
        noise = 1e-14 * (sigma**2 / alpha**1.5 + 1)  # what rounding of r^2 d leaves of alpha^(3/2)
        off = max(larger / r - 1, r / larger / math.sqrt(2) - 1) if what == "maximum" else max(abs(back / alpha - 1) - noise, 0.0)
        if off > worst:
            worst, at = off, {"sigma": sigma, "alpha": alpha, "d": d, "r": r, "max": larger, "alpha from r": back}
    words = "r is between the maximum and sqrt(2) times it" if what == "maximum" else "alpha = (r^2 d - sigma^2)^(2/3)"
    return searched(worst, at, points, words, seed)


def order_as_lower_bound(*, sigma: float, alpha: float, d: int, r: float) -> Finding:
    """See whether an r that meets r <= sqrt((sigma^2 + alpha^(3/2))/d), constant 1, can be below sigma/sqrt(d)."""
    above, below = math.sqrt((sigma**2 + alpha**1.5) / d), sigma / math.sqrt(d)
    numbers = {"r": r, "sqrt((sigma^2 + alpha^(3/2))/d)": above, "sigma/sqrt(d)": below}
    if r <= above and r < below:
        witness = {"sigma": sigma, "alpha": alpha, "d": d, **numbers}
        return Finding(Outcome.REFUTED, f"r = {r:g} is O(...) with the constant 1 and below sigma/sqrt(d) = {below:.3g}", numbers, witness)
    return Finding(Outcome.CONSISTENT, "this r does not decide", numbers)


def fixed_period(*, period: int, periods: int, runs: int, seed: int) -> Finding:
    """Measure the error of SPIDER at the last call of its first and of a late period on runs of plain descent: does it go on growing."""
    landscape, b_1, b_2 = cosines(3), 40, 10
    n = periods * (b_1 + (period - 1) * b_2)
    run = gauss_psgd(
        landscape, oracle="dp_spider", eta=0.4, chi=1e-9, R=1.0, Gamma=1, Q=1, n=n, b_1=b_1, b_2=b_2, sigma_1=0.05, sigma_2=0.5,
        period=period, x0=np.array([1.5, 1.5, 1.5]), replicates=runs, seed=seed, threads=1,
    )  # fmt: skip
    first, last = run.error[:, period - 1] ** 2, run.error[:, periods * period - 1] ** 2
    start = run.error[:, 0] ** 2
    half = float(stats.norm.isf(LEVEL / 2)) * float((last - first).std(ddof=1)) / math.sqrt(runs)
    high = float((last - first).mean()) + half
    numbers = {
        "rms after an O_1": math.sqrt(float(start.mean())), "rms at the end of period 1": math.sqrt(float(first.mean())),
        f"rms at the end of period {periods}": math.sqrt(float(last.mean())), "upper end of the difference of squares": high, "runs": runs,
    }  # fmt: skip
    if high < 0:
        sentence = f"at the end of period {periods} the error is smaller than at the end of the first: it is reset every {period} calls"
        return Finding(Outcome.REFUTED, sentence, numbers, numbers, LEVEL, seed)
    return Finding(Outcome.CONSISTENT, "no decrease found", numbers, {}, LEVEL, seed)


def noise_of_products(*, dimensions: tuple[int, ...], draws: int, seed: int) -> Finding:
    """Draw Algorithm 4's noise on a Hessian and noise for one Hessian-vector product, of sensitivity 2 M/n: exponents of the norms in d."""
    rng, matrix, vector = np.random.default_rng(seed), [], []
    for d in dimensions:
        _, sigma = theory.scales(n=6000.0, d=d, epsilon=1.0, delta=1e-5, L=1.0, ell=1.0, T=100, constant=16.0)
        product = sigma / math.sqrt(d)  # the factor d of the printed variance is that of entries; a product's change has the operator norm
        upper = rng.standard_normal((draws, d, d))
        norms = [float(np.abs(np.linalg.eigvalsh(np.triu(one) + np.triu(one, 1).T)).max()) for one in upper]
        matrix.append(sigma * float(np.mean(norms)))
        vector.append(product * float(np.mean(np.linalg.norm(rng.standard_normal((draws, d)), axis=1))))
    exponents = [float(np.polyfit(np.log(dimensions), np.log(one), 1)[0]) for one in (matrix, vector)]
    numbers = {"exponent of d, Hessian": exponents[0], "exponent of d, product": exponents[1], "dimensions": dimensions}
    off = max(abs(exponents[0] - 1), abs(exponents[1] - 0.5))
    if off > 0.05:  # the norms of small matrices are a few percent off their limit
        return Finding(Outcome.REFUTED, "the exponents are others", numbers, numbers, seed=seed)
    return Finding(Outcome.CONSISTENT, f"exponents {exponents[0]:.3f} and {exponents[1]:.3f} of d", numbers, seed=seed)


def scalar_queries(*, dimensions: tuple[int, ...], cases: int, seed: int) -> Finding:
    """Replace one held-out sample: change of |grad f_S| over 2 G/n and of the least eigenvalue over 2 M/n, in several dimensions."""
    n, rng, worst, at = 12, np.random.default_rng(seed), 0.0, {}
    for d, k in itertools.product(dimensions, range(cases)):
        landscape, x = cosines(d), rng.uniform(-2, 2, d)
        rows, pair = landscape.draw(rng, n, 0), []
        for sign in (1, -1):
            other, z = rows.copy(), (sign * math.pi / 2 if k % 2 else math.pi / 2 * (1 - sign)) - x  # the largest changes of either kind
            other[0] = np.concatenate([np.cos(z), np.sin(z)])
            gradient, hessian = selection._means(landscape, [other], x)
            pair.append((float(np.linalg.norm(gradient)), float(np.linalg.eigvalsh(hessian)[0])))
        for name, change, limit in zip(("gradient", "eigenvalue"), np.abs(np.diff(pair, axis=0))[0], ("L", "ell"), strict=True):
            ratio = float(change) / (2 * landscape.constants[limit] / n)
            if ratio > worst:
                worst, at = ratio, {"d": d, "what": name, "change / (2 G/n or 2 M/n)": ratio}
    return at_most(worst / (1 + 1e-12), at, cases * len(dimensions), "the change of a scalar query over 2 G/n, 2 M/n", seed)


def three_terms(N: float, d: float, products: float) -> tuple[float, tuple[float, float, float]]:
    """Return alpha = (sqrt(d)/N)^(2/5) and the last three terms of (143), sqrt(d) in place of d where a Hessian was."""
    alpha = (math.sqrt(d) / N) ** 0.4
    noise = math.sqrt(d) / N * alpha ** (-5 / 4 - products / 2)
    return alpha, (math.sqrt(d) / (N * alpha**1.25), math.sqrt(alpha) * noise, noise**2)


def with_products(*, powers: tuple[float, ...], products: float) -> Finding:
    """Compare the three terms of Remark 4, with the noise of Remark 5, with alpha, for d up to N^2, where alpha reaches 1.

    alpha^(-products) releases for each Hessian multiply the deviation of its noise by the root of that.
    """
    worst, at = 0.0, {}
    for power, share in itertools.product(powers, (0.1, 0.5, 0.9, 1.0)):
        N = 10.0**power
        alpha, terms = three_terms(N, N ** (2 * share), products)
        if max(terms) / alpha > worst:
            worst, at = max(terms) / alpha, {"N": N, "d": N ** (2 * share), "alpha": alpha, "terms": terms}
    numbers = {"largest term / alpha": worst, "products, power of 1/alpha": products, **at}
    if worst <= 1 + 1e-9:
        alpha, terms = three_terms(1e6, 1e6, products)
        witness = {"N": 1e6, "d": 1e6, "N^(6/13), the limit of Remark 4": 1e6 ** (6 / 13), "alpha": alpha, "terms": terms}
        return Finding(Outcome.REFUTED, f"for every d up to N^2 the three terms are at most alpha: {worst:.4g} of it", numbers, witness)
    return Finding(Outcome.CONSISTENT, f"some term is {worst:.4g} times alpha", numbers)


def undefined(*, used: tuple[str, ...], defined: tuple[str, ...]) -> Finding:
    """Compare letters that lines use with those that the text defines."""
    missing = [letter for letter in used if letter not in defined]
    if missing:
        return Finding(Outcome.REFUTED, f"not defined: {', '.join(missing)}", {}, {"used": used, "defined in (122)": defined})
    return Finding(Outcome.CONSISTENT, "every letter is defined", {})


def untested(*, sentence: str) -> Finding:
    """Return what numbers cannot settle, and why."""
    return Finding(Outcome.NOT_TESTABLE, sentence)


REFUTED, SCOPE, INEQUALITY = Outcome.REFUTED, Kind.SCOPE, Kind.INEQUALITY
REGION = "r = O(\\sqrt{(\\sigma^2 + \\alpha^{3/2})/d})"
# fmt: off
CLAIMS = (
    claim("definition1.lower_bound", "after Definition 1",
          "Read of points alone: given alpha_g, none has alpha_H below the order of alpha_g^(1/2)",
          minimiser, "a minimiser has a gradient of 0 and no negative eigenvalue", SCOPE, REFUTED, "reading",
          latex=r"\alpha_H \ge \tilde O(\alpha_g^{1/2}) \text{ given } \alpha_g", accuracies=(1.0, 1e-2, 1e-4, 1e-8),
          correction="For algorithms whose gradients have errors of up to alpha that somebody chooses; the noise of privacy is not chosen",
          repaired_by="definition1.chosen_errors"),
    claim("definition1.chosen_errors", "ours; after Definition 1",
          "With gradients that are off by up to alpha, chosen against the algorithm, no algorithm finds a point with more than "
          "F'' = -sqrt(rho alpha)", chosen_errors, "waves of every phase have gradients of at most alpha, answered by 0", SCOPE,
          stated="question", factor=1.0, points=7, full={"points": 200}),
    claim("definition6.isotropy", "after Definition 7", "Sub-Gaussian vectors are isotropic", anisotropic,
          "(10) bounds every direction and asks nothing else", SCOPE, REFUTED,
          latex=r"\mathbb{E}[\exp(\langle u, v - \mathbb{E}[v]\rangle)] \le \exp\Big(\frac{\|u\|_2^2\zeta^2}2\Big),\ \forall u",
          variances=(1.0, 0.0), length=200, seed=91, correction="Leave it out; SG(zeta) is nSG(2 sqrt(2) zeta sqrt(d)) by Lemma 10"),
    claim("section3.any_correction", "Section 3.1", "Any direct correction of the analysis of [29] gives an (alpha, alpha^(2/5))-SOSP only",
          untested, "one route is named, a theorem of [54]; that there is no other is not argued", SCOPE, Outcome.NOT_TESTABLE,
          latex=r"(\alpha, \alpha^{2/5})\text{-SOSP}",
          sentence="the text derives it from one theorem of [54]; that no other correction does better would need a lower bound, and none "
          "is given or cited for the noise of privacy"),
    claim("section3.client_bounds", "Section 3.2", "|grad f_S| is at most the mean of the clients' norms, and the least eigenvalue at "
          "least the mean of theirs", clients, "triangle inequality, and the least eigenvalue is concave", INEQUALITY,
          latex=r"\|\nabla\hat f_S(x)\| \le \frac1m\sum_{i=1}^m\|\nabla\hat f_{S_i}(x)\|,\quad \lambda_{\min}(\nabla^2\hat f_S(x)) \ge "
          r"\frac1m\sum_{i=1}^m\lambda_{\min}(\nabla^2\hat f_{S_i}(x))", what="bounds", cases=60, seed=92, full={"cases": 3000}),
    claim("section3.no_bound", "Section 3.2, after its last display",
          "No upper bound on |grad f_S| and no lower bound on the least eigenvalue follow from the clients' own estimates", clients,
          "the last display, of F, has none; the one before it, of f_S, has both", SCOPE, REFUTED, "reading", what="exist", cases=60,
          seed=92, correction="The display before gives both, though not near ones: where F has a small gradient the clients' may be large",
          repaired_by="section3.client_bounds"),
    claim("section3.converse", "ours; Section 3.2", "The mean of the clients' gradient norms is at most ten times the norm of the mean",
          clients, "clients that pull against each other", SCOPE, REFUTED, "question", what="converse", cases=60, seed=93,
          correction="There is no such factor, which is what Section 3.2 needs"),
    claim("section5.maximum", "Section 5.1, on [23]", "r = sqrt((sigma^2 + alpha^(3/2))/d) is max(sigma, alpha^(3/4))/sqrt(d), up to "
          "sqrt(2)", perturbation, "a sum of two is between its larger part and twice that", INEQUALITY, stated="reading",
          latex=r"\max\{\sigma/\sqrt d, \alpha^{3/4}/\sqrt d\}", what="maximum", points=300, seed=94, full={"points": 100_000}),
    claim("section5.lower_bound", "Section 5.1, on [23]", "r = O(sqrt((sigma^2 + alpha^(3/2))/d)) asks that r be at least sigma/sqrt(d)",
          order_as_lower_bound, "O(...) bounds from above", SCOPE, REFUTED, "reading", latex=REGION, sigma=1.0, alpha=0.1, d=100, r=1e-6,
          correction="The formula with = in place of O asks it"),
    claim("section5.inverse", "ours; Section 5.1", "At a given sigma, r = sqrt((sigma^2 + alpha^(3/2))/d) determines alpha", perturbation,
          "alpha = (r^2 d - sigma^2)^(2/3)", INEQUALITY, stated="question", what="inverse", points=300, seed=95, full={"points": 100_000}),
    claim("section6.error_growth", "Section 6.1", "With an O_1 at fixed intervals the error of SPIDER may go on growing over time",
          fixed_period, "every O_1 resets it: it grows within a period only", Kind.ALGORITHM, REFUTED, "reading", period=8, periods=12,
          runs=200, seed=96, full={"runs": 2000}, correction="It grows between two calls of O_1, with the movements of that period"),
    claim("theorem4.letters_137", "(137), (140), proof of Theorem 4", "xi_o and H_o, the noise at the chosen point, are letters of the "
          "text", undefined, "(122) has theta_p and a bold H_p", SCOPE, REFUTED,
          latex=r"\le \|\nabla\bar F(x_o)\|_2 + \|\nabla F(x_o) - \nabla\hat f_{\mathcal{S}}(x_o)\|_2 + \|\xi_o\|_2",
          used=("xi_o", "H_o"), defined=("theta_p, so theta_o", "bold H_p, so bold H_o"),
          correction="theta_o and the bold H_o are meant", correction_latex=r"\|\theta_o\|_2,\ \|\mathbf{H}_o\|_2"),
    claim("remark5.vector_noise", "Remark 5", "The noise on a Hessian grows like d, that on a Hessian-vector product like sqrt(d)",
          noise_of_products, "entries of deviation sqrt(d), or d coordinates of deviation 1", Kind.EXPONENT,
          latex=r"O(d) \to O(\sqrt d)", dimensions=(40, 80, 160), draws=8, seed=97, full={"draws": 100}),
    claim("remark5.scalars", "Remark 5, on one machine",
          "One sample moves |grad f_S| by at most 2 G/n and the least eigenvalue by at most 2 M/n in every dimension", scalar_queries,
          "the norm and the least eigenvalue are 1-Lipschitz", Kind.PRIVACY, stated="reading", dimensions=(2, 5, 20), cases=20, seed=98,
          full={"cases": 1000}),
    *(
        claim(f"remark5.still_problematic{name}", f"Remark 5, with the terms of Remark 4{where}",
              "With Hessian-vector products the factor sqrt(d) still makes a term larger than alpha in high dimension", with_products,
              "with N = sqrt(m) n epsilon they are at most alpha for every d up to N^2, where alpha is 1; logarithms, constants left out",
              Kind.EXPONENT, REFUTED, stated, powers=(1.0, 3.0, 6.0, 12.0), products=products,
              correction="With sqrt(d) the selection costs no more than logarithms wherever alpha is below 1")
        for name, where, stated, products in (("", "", "reading", 0.0), ("_many", "; alpha^(-1/2) products a point", "question", 0.5))
    ),
)
# fmt: on
