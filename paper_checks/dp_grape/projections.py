"""Questions that users of low-rank private training ask: what a projection saves, what a stale subspace costs, what noise hides.

All of it is about one layer G (m, n) and one step, or steps without noise, drawn with plain NumPy; the moments are those of the theory.
"""

import math
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats
from threadpoolctl import threadpool_limits

from bounds.dp_grape.moments import Projection, stretch
from bounds.symbols import symbols
from paper_checks.compare import LEVEL
from paper_checks.dp_grape.moments import MEANS, Array, apart_by, lengths
from paper_checks.verdict import Finding, Kind, Outcome, Size, consistent, inconclusive, proved, question, reading, refuted

(r,) = symbols("subspace")
agree = partial(consistent, false_alarm=LEVEL)
differ = partial(refuted, false_alarm=LEVEL)
one_thread = threadpool_limits.wrap(limits=1, user_api="blas")  # matrices of a hundred rows: a second thread costs more than it brings


def gaussian(rng: np.random.Generator, runs: int, m: int, dimension: int) -> Array:
    """Return projections (runs, m, dimension) with N(0, 1/dimension) entries."""
    return rng.normal(size=(runs, m, dimension)) / math.sqrt(dimension)


def orthonormal(rng: np.random.Generator, runs: int, m: int, dimension: int) -> Array:
    """Return matrices (runs, m, dimension) with orthonormal columns; their spans are uniform."""
    found: Array = np.linalg.qr(rng.normal(size=(runs, m, dimension)))[0]
    return found


def within(off: dict[str, float], found: Finding, words: str) -> Finding:
    """Return the finding, or a refutation where a mean is further off, in standard errors, than chance allows for all of them together."""
    if max(map(abs, off.values())) <= float(stats.norm.isf(LEVEL / 2 / len(off))):
        return found
    if found.outcome is Outcome.REFUTED:
        return inconclusive(f"draws do not agree: {words}; more of them would settle it", {**found.numbers, "standard errors off": off})
    return differ(f"draws do not agree: {words}", found.numbers, {"standard errors off": off}, seed=found.seed)


def mean_squares(
    *, what: str, m: int, n: int, dimensions: tuple[int, ...], runs: int, seed: int
) -> tuple[dict[str, float], dict[str, float]]:
    """Return mean squares over what is stated, and by how many standard errors they are off, of `what`, for every r.

    noise        of an entry of P Z, std 1: 1, also with scaled orthonormal columns;   coordinate   of P'G over that of G: m/r
    step         of an entry of P U, U of signs as the first steps of Adam: 1;   galore   the same, columns orthonormal, not scaled: r/m
    """
    ratios, off, G = dict[str, float](), dict[str, float](), np.random.default_rng(seed + 1).normal(size=(m, n))
    for one in dimensions:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(one,)))
        P, Q = gaussian(rng, runs, m, one), orthonormal(rng, runs, m, one)
        Z, U = rng.normal(size=(runs, one, n)), rng.choice([-1.0, 1.0], size=(runs, one, n))
        for name, samples, stated in {
            "noise": (("", P @ Z, 1.0), (", orthonormal", math.sqrt(m / one) * Q @ Z, 1.0)),
            "coordinate": (("", P.transpose(0, 2, 1) @ G / math.sqrt((G**2).mean()), m / one),),
            "step": (("", P @ U, 1.0),),
            "galore": (("", Q @ U, one / m),),
        }[what]:
            squares = (samples**2).mean(axis=(1, 2))
            ratios[f"r = {one}{name}"], off[f"r = {one}{name}"] = float(squares.mean()) / stated, apart_by(squares, stated)
    return ratios, off


def noise_saved(**size: Any) -> Finding:
    """Look for an r at which noise in the projected space, mapped back, is less than the sigma^2 m n of noise in the full space.

    The sensitivity is the same: what is clipped is clipped to C, in either space.
    """
    (ratios, off), symbolic = mean_squares(what="noise", **size), MEANS["noise"]()
    numbers = {"by pairings": sp.sstr(symbolic), "drawn, over sigma^2 m n": ratios, "m, n": (size["m"], size["n"])}
    if symbolic.has(r) or min(off.values()) < -float(stats.norm.isf(LEVEL / len(off))):
        return agree("noise is saved", numbers, seed=size["seed"])
    words = "mapped back, the noise is sigma^2 m n whatever r is: r/m of it inside, stretched by m/r"
    return within(off, differ(words, numbers, numbers, seed=size["seed"]), "the noise of a step")


def entries(*, words: str, **size: Any) -> Finding:
    """Compare the mean squares of entries with what is stated of them; `words` say what that means."""
    ratios, off = mean_squares(**size)
    return within(off, agree(words, {"drawn over stated": ratios}, seed=size["seed"]), "mean squares of entries")


@one_thread
def stale(*, m: int, n: int, dimension: int, T: int, F: int, alpha: float, reach: float, runs: int, seed: int) -> Finding:
    """Run gradient descent on ||E||^2/2 without noise, a new subspace every F steps, by the singular values of each P."""
    rng = np.random.default_rng(seed)
    E = np.broadcast_to(rng.normal(size=(m, n)), (runs, m, n)).copy()
    first = float((E[0] ** 2).sum())
    for _ in range(T // F):
        U, s, _ = np.linalg.svd(gaussian(rng, runs, m, dimension), full_matrices=False)
        E -= U @ ((1 - (1 - alpha * s**2) ** F)[:, :, None] * (U.transpose(0, 2, 1) @ E))
    left, floor = (E**2).sum(axis=(1, 2)) / first, (1 - dimension / m) ** (T // F)
    off = apart_by(left, floor)
    numbers = {"E ||e_T||^2 / ||e_0||^2": float(left.mean()), "(1 - r/m)^(T/F)": floor, "standard errors above": off, "runs": runs}
    if off < -float(stats.norm.isf(LEVEL)) or not left.mean() <= reach * floor:
        return differ(f"{left.mean():.4g} is left, {floor:.4g} is expected", numbers, numbers, seed=seed)
    return agree(
        f"{T // F} subspaces of {dimension} of {m} dimensions: {left.mean():.4g} is left, {floor:.4g} expected", numbers, seed=seed
    )


def any_update(*, m: int, dimension: int, T: int, F: int, drawn: tuple[int, int], runs: int, seed: int) -> Finding:
    """Bound what any update of the form P X leaves, Adam's and noisy ones too: the part of W_0 - W^* outside the span of all subspaces.

    The span of S = ceil(T/F) subspaces has S r dimensions, is uniform and independent of data: (1 - S r/m) ||e_0||^2 is outside it.
    `drawn` are m and r of smaller layers, with the same S.
    """
    S, rng, (small, few) = -(-T // F), np.random.default_rng(seed), drawn
    Q = orthonormal(rng, runs, small, S * few)
    e = rng.normal(size=(small, 1))
    left, found = 1 - S * dimension / m, 1 - lengths(Q, e) / (e**2).sum()
    numbers = {"left by any update": left, "by exact descent, (1 - r/m)^S": (1 - dimension / m) ** S, "S": S, "drawn": float(found.mean())}
    words = f"{S} subspaces span {S * dimension} of {m} dimensions: {100 * left:.1f} % of the squared distance are left by any update"
    found_left = proved(f"{words}, {100 * (1 - dimension / m) ** S:.1f} % by exact descent in each", numbers, false_alarm=LEVEL, seed=seed)
    return within({"left": apart_by(found, 1 - S * few / small)}, found_left, words)


def old_moment(*, m: int, n: int, dimension: int, beta1: float, steps: tuple[int, ...], still: bool, runs: int, seed: int) -> Finding:
    """Follow Adam's first moment, P_1'G before a change of subspace, for a constant G: mapped back by P_2 it gains 1 - beta1^j in j steps.

    still   whether it is claimed to point along G at the change, j = 0
    """
    rng, gained, off = np.random.default_rng(seed), dict[int, float](), dict[str, float]()
    G, old, new = rng.normal(size=(m, n)), gaussian(rng, runs, m, dimension), gaussian(rng, runs, m, dimension)
    before, fresh = old.transpose(0, 2, 1) @ G, new.transpose(0, 2, 1) @ G
    for j in (0, *steps):
        along = ((new @ (beta1**j * before + (1 - beta1**j) * fresh)) * G).sum(axis=(1, 2)) / (G**2).sum()
        gained[j], off[f"after {j} steps"] = float(along.mean()), apart_by(along, 1 - beta1**j)
    lost, folding = ((new @ before) ** 2).sum(axis=(1, 2)) / (G**2).sum(), -1 / math.log(beta1)
    off["length at the change"] = apart_by(lost, m / dimension)
    numbers = {"inner product with G, by steps": gained, "cosine at the change": float(cosines(new @ before, G).mean())}
    numbers["cosine in its own subspace"] = float(cosines(old @ before, G).mean())
    numbers |= {"squared length at the change": float(lost.mean()), "m/r": m / dimension, "e-folding time": folding}
    words = f"it comes back like 1 - beta1^j, in {folding:.3g} steps to a share of 1 - 1/e"
    back = agree(words, numbers, seed=seed)
    if still:
        back = differ(f"at the change its cosine with the gradient is 0 in the mean; {words}", numbers, numbers, seed=seed)
    elif abs(folding * (1 - beta1) - 1) > 0.06:  # -1/log(beta1) against 1/(1 - beta1), beta1 = 0.9: 9.49 against 10
        return differ(words, numbers, numbers, seed=seed)
    return within(off, back, "1 - beta1^j, squared length m/r")


def cosines(updates: Array, G: Array) -> Array:
    """Return the cosine of every update (runs, m, n) with the gradient."""
    found: Array = (updates * G).sum(axis=(1, 2)) / np.sqrt((updates**2).sum(axis=(1, 2)) * (G**2).sum())
    return found


@one_thread
def directions(*, snr: float, m: int, n: int, rank: int, dimension: int, runs: int, seed: int) -> dict[str, Array]:
    """Return cosines of updates with G, of `rank` equal singular values, ||G|| = 1, and sigma^2 m n = 1/snr^2.

    DP-SGD, DP-GRAPE, and naive DP-GaLore with the singular vectors of an earlier noisy gradient, or a random subspace. The laws of noise
    and of P are the same in every basis: G is diagonal.
    """
    rng, sigma, found = np.random.default_rng(seed), 1 / (snr * math.sqrt(m * n)), dict[str, list[Array]]()
    G = np.zeros((m, n))
    G[range(rank), range(rank)] = 1 / math.sqrt(rank)
    for start in range(0, runs, 50):
        some = min(50, runs - start)
        private, earlier = G + sigma * rng.normal(size=(2, some, m, n))
        P, Q = gaussian(rng, some, m, dimension), orthonormal(rng, some, m, dimension)
        U = np.linalg.eigh(earlier @ earlier.transpose(0, 2, 1))[1][:, :, -dimension:]
        made = {"DP-SGD": private, "DP-GRAPE": P @ (P.transpose(0, 2, 1) @ G + sigma * rng.normal(size=(some, dimension, n)))}
        made |= {name: one @ (one.transpose(0, 2, 1) @ private) for name, one in (("SVD", U), ("random", Q))}
        for name, one in made.items():
            found.setdefault(name, []).append(cosines(one, G))
    return {name: np.concatenate(one) for name, one in found.items()}


def after_beats_before(*, snrs: tuple[float, ...], rivals: tuple[str, ...], **size: int) -> Finding:
    """Compare the cosines of DP-GRAPE with those of its rivals in the same runs, at every signal-to-noise ratio."""
    numbers, level, open_at = dict[str, Any](), float(stats.norm.isf(LEVEL / len(snrs) / len(rivals))), []
    for snr in snrs:
        found = directions(snr=snr, **size)
        means = {name: float(one.mean()) for name, one in found.items()}
        numbers[f"snr = {snr:g}"] = means
        for rival in rivals:
            z = apart_by(found["DP-GRAPE"] - found[rival], 0.0)
            if z < -level:
                sentence = f"at snr = {snr:g} the cosine of DP-GRAPE is {means['DP-GRAPE']:.3f}, of {rival} {means[rival]:.3f}"
                return differ(sentence, numbers, {"snr": snr, **size, **means}, seed=size["seed"])
            open_at += [snr] if z < level else []
    if open_at:
        return inconclusive(f"too close at snr = {open_at[0]:g}; more runs would settle it", numbers, seed=size["seed"])
    words = [f"{at}: " + ", ".join(f"{name} {value:.3f}" for name, value in row.items()) for at, row in numbers.items()]
    return agree("; ".join(words), numbers, seed=size["seed"])


def turning_point(*, low: float, high: float, halvings: int, **size: int) -> Finding:
    """Find by bisection the snr below which DP-GRAPE points closer to the gradient than DP-GaLore with an earlier noisy SVD."""
    leads = [float((found["DP-GRAPE"] - found["SVD"]).mean()) for found in (directions(snr=one, **size) for one in (low, high))]
    if not leads[0] > 0 > leads[1]:
        return refuted(f"it does not turn between snr {low:g} and {high:g}", {"leads": leads}, {"leads": leads})
    for _ in range(halvings):
        middle = math.sqrt(low * high)
        found = directions(snr=middle, **size)
        low, high = (middle, high) if found["DP-GRAPE"].mean() > found["SVD"].mean() else (low, middle)
    edge = (size["m"] * size["n"]) ** 0.25 * math.sqrt(size["rank"] / (size["m"] * size["n"]))  # s_i = 1/sqrt(rank) at sigma (m n)^(1/4)
    numbers = {"from": low, "to": high, "snr at which singular vectors become visible": edge, "runs at each": size["runs"]}
    words = f"it turns between snr = {low:.3f} and {high:.3f}; singular directions become visible at {edge:.3f}"
    return consistent(words, numbers, seed=size["seed"])


def direction_of_sgd(*, m: int, n: int, dimension: int, snrs: tuple[float, ...]) -> Finding:
    """Compare E<G, u>^2/(||G||^2 E||u||^2) of DP-GRAPE, 1/(kappa + snr^-2), with that of DP-SGD, 1/(1 + snr^-2)."""
    kinds: tuple[Projection, ...] = ("left", "orthonormal", "none")
    kappa = {one: stretch(one, rows=m, columns=n, r=dimension) for one in kinds}
    found = {snr: {one: (value + snr**-2) ** -0.5 for one, value in kappa.items()} for snr in snrs}
    numbers: dict[str, Any] = {"cosine of the mean, by snr": found, "kappa": kappa}
    if any(row["left"] > row["none"] for row in found.values()):
        return consistent("a projection improves the direction", numbers)
    witness = {"snr": max(snrs), "m": m, "r": dimension, "cosines": found[max(snrs)]}
    return refuted("kappa is at least 1, so no projection improves the direction", numbers, witness)


@one_thread
def overlaps(*, m: int, n: int, factors: tuple[float, ...], allowance: float, runs: int, seed: int) -> Finding:
    """Compare the largest singular value of noise with sqrt(m) + sqrt(n), and overlaps with a singular vector s u v' with their limits.

    Benaych-Georges, Nadakuditi (2012): with c = m/n and t = s/(sigma sqrt(n)) the squared overlap of left vectors tends to
    1 - c (1 + t^2)/(t^2 (t^2 + c)) where t^4 > c, that is s > sigma (m n)^(1/4), and to 0 below. `allowance`: sizes are finite.
    """
    rng, found, c = np.random.default_rng(seed), dict[str, float](), m / n
    edge = float(np.mean([np.linalg.norm(rng.normal(size=(m, n)), 2) for _ in range(runs)])) / (math.sqrt(m) + math.sqrt(n))
    worst, level = abs(edge - 1), float(stats.norm.isf(LEVEL / 2 / len(factors)))
    for factor in factors:
        s, t = factor * (m * n) ** 0.25, factor * c**0.25
        samples = []
        for _ in range(runs):
            spiked = rng.normal(size=(m, n))
            spiked[0, 0] += s  # the law of noise is the same in every basis
            samples.append(np.linalg.eigh(spiked @ spiked.T)[1][0, -1] ** 2)
        limit = 1 - c * (1 + t**2) / (t**2 * (t**2 + c)) if factor > 1 else 0.0
        found[f"{factor:g} times the threshold, limit {limit:.3f}"] = float(np.mean(samples))
        worst = max(worst, abs(float(np.mean(samples)) - limit) - level * float(np.std(samples)) / math.sqrt(runs))
    numbers = {"edge over sqrt(m) + sqrt(n)": edge, "squared overlaps": found, "allowance for finite sizes": allowance}
    if worst > allowance:
        return differ("the spectrum is not as the limits say", numbers, {"off by": worst, **found, "edge": edge}, seed=seed)
    words = ", ".join(f"{name}: {value:.3f}" for name, value in found.items())
    return agree(f"edge of the bulk {edge:.3f} of sqrt(m) + sqrt(n); squared overlaps at {words}", numbers, seed=seed)


@one_thread
def flattens(*, m: int, n: int, sigmas: tuple[float, ...], shown: int, seed: int) -> Finding:
    """Take the largest singular value over the last one shown, of a gradient with singular values 1/i, by the noise that is added."""
    rng = np.random.default_rng(seed)
    left, right = (np.linalg.qr(rng.normal(size=(one, m)))[0] for one in (m, n))
    G, noise = left @ (right / np.arange(1, m + 1)).T, rng.normal(size=(m, n))
    ratios = [float((s := np.linalg.svd(G + sigma * noise, compute_uv=False))[0] / s[shown - 1]) for sigma in sigmas]
    numbers = {"sigma": sigmas, f"s_1 / s_{shown}": ratios}
    if any(a <= b for a, b in pairwise(ratios)):
        return refuted("noise does not flatten the spectrum", numbers, numbers, seed=seed)
    return consistent(f"s_1/s_{shown} falls from {ratios[0]:.3g} without noise to {ratios[-1]:.3g}", numbers, seed=seed)


KEY, OURS = "dp_grape.projections", "ours; a question of users"
LAYER = {"m": 128, "n": 128, "rank": 4, "dimension": 8}
ENTRIES: dict[str, Any] = {"m": 16, "n": 4, "dimensions": (1, 4, 15), "runs": Size(4000, 40_000)}
CLAIMS = (
    question(f"{KEY}.public_seed_saves_noise", OURS, Kind.ALGORITHM)
    .says("A projection with a public seed saves noise: fewer coordinates are released")
    .refuted("mapped back, the noise of a step is sigma^2 d with every projection and every r", "dp_grape.moments")
    .corrected("The noise is the same; what a projection saves is memory", by="moments.noise_left")
    .examined(noise_saved, m=12, n=5, dimensions=(1, 3, 8), runs=Size(4000, 40_000), seed=51),
    *(
        question(f"{KEY}.stale_{name}", "ours; Algorithm 1 with F > 1", Kind.CONVERGENCE)
        .says(f"Of a quadratic without noise (1 - r/m)^(T/F) of the squared distance is left, F = {F}, T = {T}", r"(1-\frac rm)^{T/F}")
        .consistent("what is left is the part outside each subspace, which is uniform")
        .examined(stale, m=16, n=8, dimension=4, T=T, F=F, alpha=0.1, reach=reach, runs=Size(1000, 20_000), seed=52)
        for name, T, F, reach in (("f100", 1000, 100, 1.2), ("f20", 400, 20, 2.0), ("never_changed", 1000, 1000, 1.02))
    ),
    question(f"{KEY}.stale_any_update", "ours; Section 5.2, r = 16, F = 100, T = 1000", Kind.CONVERGENCE)
    .says(
        "Whatever the update rule, 1 - S r/m of the squared distance is left in the mean by S subspaces: 84.4 % in the RoBERTa experiments"
    )
    .formula(r"\mathbb{E}\|W_T-W^*\|^2\ge(1-\tfrac{r}{m}\lceil\tfrac TF\rceil)\|W_0-W^*\|^2")
    .proved("all steps lie in the span of the subspaces, which depends on no data; draws agree")
    .examined(any_update, m=1024, dimension=16, T=1000, F=100, drawn=(64, 1), runs=Size(1000, 10_000), seed=53),
    question(f"{KEY}.moments_after_a_change", "ours; Algorithm 2 does not say what becomes of M and V", Kind.ALGORITHM)
    .says("After a change of subspace Adam's first moment, mapped back by the new projection, still points along the gradient")
    .refuted("the new projection is independent of it and has mean 0")
    .corrected("Its cosine is 0 in the mean and its squared length m/r: it is noise until it has decayed", by="projections.transient")
    .examined(old_moment, m=32, n=16, dimension=4, beta1=0.9, steps=(1, 10, 30), still=True, runs=Size(5000, 50_000), seed=54),
    question(f"{KEY}.transient", "ours; Algorithm 2", Kind.ALGORITHM)
    .says("What a change of subspace takes from Adam's first moment comes back in about 1/(1 - beta1) steps")
    .consistent("like 1 - beta1^j")
    .examined(old_moment, m=32, n=16, dimension=4, beta1=0.9, steps=(1, 10, 30), still=False, runs=Size(5000, 50_000), seed=55),
    question(f"{KEY}.snr_per_coordinate", OURS, Kind.IDENTITY)
    .says("The signal-to-noise ratio of a coordinate is better by sqrt(m/r) in the projected space", r"\sqrt{m/r}")
    .consistent("the length is kept by r/m as many coordinates, and the noise of each is the same", "dp_grape.moments")
    .examined(entries, words="a coordinate of P'G is larger by sqrt(m/r)", what="coordinate", **ENTRIES, seed=56),
    question(f"{KEY}.snr_per_direction", OURS, Kind.INEQUALITY)
    .says("So the direction of an update is better than that of DP-SGD")
    .refuted("1/sqrt(kappa + snr^-2) against 1/sqrt(1 + snr^-2), and kappa is at least 1")
    .corrected("It is worse, by nothing where noise dominates and by sqrt(kappa) where there is none", by="projections.after_beats_before")
    .examined(direction_of_sgd, m=128, n=128, dimension=8, snrs=(0.03, 0.1, 1.0)),
    reading(f"{KEY}.after_beats_before", "Sections 3.1, 3.2 and 5.1", Kind.ALGORITHM)
    .says("Privatising after projecting beats privatising before (naive DP-GaLore): where noise dominates")
    .consistent("cosines of updates with the gradient at snr 0.03 and 0.1; the SVD is of an earlier noisy gradient")
    .examined(after_beats_before, snrs=(0.03, 0.1), rivals=("SVD", "random"), **LAYER, runs=Size(100, 300), seed=57),
    question(f"{KEY}.after_always_beats_before", "ours; Section 5.1", Kind.ALGORITHM)
    .says("It does so at every level of noise")
    .refuted("where the gradient is visible its SVD is the better projection")
    .corrected("Below a signal-to-noise ratio that depends on rank and size only", by="projections.turning_point")
    .examined(after_beats_before, snrs=(1.0,), rivals=("SVD",), **LAYER, runs=Size(20, 100), seed=58),
    question(f"{KEY}.turning_point", "ours; Section 5.1", Kind.ALGORITHM)
    .says("For m = n = 128, rank 4 and r = 8 it turns between snr 0.1 and 0.3")
    .consistent("by bisection")
    .examined(turning_point, low=0.1, high=0.3, halvings=Size(3, 6), **LAYER, runs=Size(20, 200), seed=59),
    question(f"{KEY}.adam_step", "ours; Algorithm 2", Kind.ALGORITHM)
    .says("The size of Adam's steps does not depend on r: the mean square of an entry of P U is 1 for U of signs")
    .consistent("r entries of variance 1/r")
    .examined(entries, words="entries of an update have mean square 1, whatever r is", what="step", **ENTRIES, seed=60),
    question(f"{KEY}.galore_step", "ours; Algorithm 4 with Adam", Kind.ALGORITHM)
    .says("With orthonormal columns that are not scaled it is r/m: GaLore's step size depends on r", r"\frac rm")
    .consistent("r entries of mean square 1/m")
    .examined(entries, words="entries of an update have mean square r/m", what="galore", **ENTRIES, seed=61),
    reading(f"{KEY}.noise_flattens", "Section 3.2, Figure 1", Kind.ALGORITHM)
    .says("Adding noise flattens the spectrum of singular values")
    .consistent("singular values 1/i, and noise")
    .examined(flattens, m=200, n=300, sigmas=(0.0, 0.003, 0.01, 0.03, 0.1), shown=64, seed=62),
    question(f"{KEY}.recovery_threshold", "ours; for Figure 1", Kind.ALGORITHM)
    .says("The bulk ends at sigma (sqrt(m) + sqrt(n)); a singular direction is recoverable for s_i > sigma (m n)^(1/4) only")
    .formula(r"s_i>\frac{C\sigma}B(mn)^{1/4}")
    .consistent("squared overlaps 0.388 at 1.25 times the threshold, 0.779 at twice, about 0 below, for m/n = 2/3")
    .in_full(m=400, n=600, runs=60, allowance=0.02)
    .examined(overlaps, m=200, n=300, factors=(0.5, 1.25, 2.0), allowance=0.03, runs=20, seed=63),
)
