"""Checks of the definitions of privacy, Theorem 2.1, and the noise that the experiments would need: Sections 2.2, 5 and Appendix C."""

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np
from mpmath import mp
from scipy.special import gammaln, logsumexp

import bounds
from bounds.privacy import accounting
from paper_checks.dp_grape import printed as p
from paper_checks.record import Record
from paper_checks.shared.formulas import evaluate_formula
from paper_checks.shared.privacy import check_noise_unit, delta_lower_bound
from paper_checks.verdict import Finding

# n, batch, steps, delta, epsilons, and multipliers of an RDP accountant (add or remove): Section 5, C.1 to C.3; delta of OPT as in C.2
Setting = tuple[int, int, int, float, tuple[float, ...], tuple[float, ...]]
EXPERIMENTS: dict[str, Setting] = {
    "ViT CIFAR pre-train": (50_000, 1000, 3000, 2e-5, (1, 2, 4, 8), (4.354, 2.413, 1.439, 0.972)),
    "ViT MNIST pre-train": (60_000, 1000, 3600, 1 / 60_000, (1, 2, 4, 8), (4.025, 2.240, 1.349, 0.925)),
    "ViT CIFAR fine-tune": (50_000, 1000, 1000, 2e-5, (1, 2, 4, 8), (2.615, 1.537, 1.019, 0.756)),
    "RoBERTa SST-2, RTE": (1024, 64, 1000, 1e-5, (2, 6), (4.362, 1.810)),
    "RoBERTa SNLI, MNLI": (1536, 64, 1000, 1e-5, (2, 6), (2.975, 1.320)),
    "RoBERTa SST-5": (2560, 64, 1000, 1e-5, (2, 6), (1.894, 0.960)),
    "RoBERTa TREC": (3072, 64, 1000, 1e-5, (2, 6), (1.634, 0.878)),
    "OPT DP-GRAPE": (1000, 8, 2000, 1e-5, (2, 6), (1.062, 0.699)),
    "OPT DP-Adam": (1000, 8, 3000, 1e-5, (2, 6), (1.192, 0.732)),
}


def privacy_grid(points: int) -> list[tuple[float, float]]:
    """Return a grid of points (epsilon, delta), epsilon up to 1 and delta up to near 1.

    The numbers have six digits, since the last digits differ between processors.
    """
    epsilons, deltas = ([float(f"{one:.6g}") for one in np.geomspace(low, high, points)] for low, high in ((1e-4, 1), (1e-30, 0.5)))
    return list(itertools.product(epsilons, [*deltas, 0.7, 0.9, 0.99, 0.999]))


def check_covariance(*, epsilon: float, delta: float) -> Finding:
    """Check that sqrt(2 log(1.25/delta))/epsilon as the *covariance* of the noise is private, by the exact delta; return a Finding."""
    at = {"epsilon": epsilon, "delta": delta, "sensitivity": 1.0}
    computed = bounds.THEOREMS["dp_grape.theorem_2_1"].evaluate(**at).bound
    printed = mp.mpf(evaluate_formula(p.FORMULAS["gaussian"], at))
    return check_noise_unit(printed=printed, epsilon=epsilon, delta=delta, T=1, sensitivity=mp.mpf(1), computed=computed, at=at)


def check_definition_2(*, epsilon: float, delta: float, every: bool) -> Finding:
    """Check that the printed definition (2) rejects publishing a record and accepts randomised response; return a Finding.

    `every`: for every event of the two outcomes, not for O alone.
    """
    odds, said = math.exp(epsilon), math.exp(epsilon) / (1 + math.exp(epsilon))
    sets = [(0,), (1,), (0, 1)] if every else [(0, 1)]

    def close(law: Sequence[float], other: Sequence[float]) -> bool:
        """Return whether no event of `sets` is likelier under `law` than (2) allows, given `other`."""
        return all(sum(law[k] for k in s) <= odds * sum(other[k] for k in s) + delta + 1e-12 for s in sets)

    laws = {"publish the record": ((1.0, 0.0), (0.0, 1.0)), "randomised response": ((said, 1 - said), (1 - said, said))}
    record = Record({name: close(*pair) and close(*pair[::-1]) for name, pair in laws.items()})
    if record.numbers["publish the record"]:
        at = {"epsilon": epsilon, "delta": delta, "O": (0, 1), "A(X)": "X"}
        record.refute("publishing the record satisfies (2) as printed, since both probabilities of O are 1", at)
    if not record.numbers["randomised response"]:
        record.leave_open("randomised response, which is private, is turned down; a corrected definition would settle it")
    return record.conclude("publishing the record is turned down, randomised response is not")


def check_equal_sensitivities(*, n: int, batch: int) -> Finding:
    """Check that a removed and a replaced record move a clipped sum over B alike, by enumeration; return a Finding."""
    found = {"add_or_remove_one": 0.0, "replace_one": 0.0}
    for one in itertools.product((-1, 1), repeat=n):
        for k in range(n):
            for name, instead in (("add_or_remove_one", ()), ("replace_one", (-one[k],))):
                other = (*one[:k], *instead, *one[k + 1 :])
                found[name] = max(found[name], abs(sum(one) - sum(other)) / batch)
    record = Record(found)
    lab = {name: accounting.sensitivity(n, batch, 1.0, "poisson", name) for name in found}  # type: ignore[arg-type]
    if lab != found:
        record.leave_open(f"the lab has {lab} where {found} is found: a corrected sensitivity would settle it")
    if len(set(found.values())) > 1:
        record.refute("a removed record moves the sum over B by C/B, a replaced one by 2C/B", {"n": n, "B": batch, "C": 1.0, **found})
    return record.conclude("one sensitivity")


def check_epsilon_range() -> Finding:
    """Check that each experiment's largest epsilon is in the theory's range, at most 2 B^2 T/n^2; return a Finding."""
    reach = {name: 2 * (batch / n) ** 2 * steps for name, (n, batch, steps, *_) in EXPERIMENTS.items()}
    outside = {name: {"2 B^2 T/n^2": reach[name], "epsilon": max(at[4])} for name, at in EXPERIMENTS.items() if max(at[4]) > reach[name]}
    record = Record(reach)
    if outside:
        inside = ", ".join(name for name in EXPERIMENTS if name not in outside) or "none"
        record.refute(f"{len(outside)} of {len(EXPERIMENTS)} settings have an epsilon above it, all but {inside}", outside)
    return record.conclude("all inside")


def check_bound_is_small(*, at: Mapping[str, float]) -> Finding:
    """Check that the bound of Theorem D.10 at a problem, with Gamma = lambda = D = 1, is at most Gamma^2; return a Finding."""
    at = {**at, "L": 1.0, "ell": 1.0, "spread": 1.0}
    bound, T, C = (evaluate_formula(p.D10[name], at) for name in ("bound", "T", "C"))
    record = Record({"bound / Gamma^2": bound, "T": T, "C": C})
    if bound > 1:
        words = f"the bound is {bound:.2g} Gamma^2, where Gamma^2 holds at every point; T = {T:.2g}"
        record.refute(words, {**p.SPELLING.spell_keys(at), **record.numbers})
    return record.conclude(f"the bound is {bound:.2g} Gamma^2")


def rdp_epsilon(multiplier: float, q: float, steps: int, delta: float) -> float:
    """Return the epsilon at delta of `steps` Poisson-subsampled Gaussian releases, by RDP at orders 2 to 512.

    Formulas of Mironov et al. (2019) and Canonne et al. (2020).
    """
    found = math.inf
    for a in range(2, 513):
        k = np.arange(a + 1)
        terms = gammaln(a + 1) - gammaln(k + 1) - gammaln(a - k + 1) + (a - k) * math.log1p(-q) + k * math.log(q)
        rdp = steps * float(logsumexp(terms + (k * k - k) / (2 * multiplier**2))) / (a - 1)
        found = min(found, rdp + math.log1p(-1 / a) - (math.log(delta) + math.log(a)) / (a - 1))
    return found


def check_multipliers(*, settings: Sequence[str], low: float, high: float) -> Finding:
    """Check that stated noise multipliers are RDP's, and between `low` and `high` above the exact accountant's; return a Finding.

    At 0.96 of the accountant's multiplier a worst-case pair must spend too much, by its curve, at the largest epsilon of each setting; the
    grid's spacing costs at most 1.5% of epsilon.
    """
    record = Record()
    for name in settings:
        n, batch, steps, delta, epsilons, stated = EXPERIMENTS[name]
        for eps, value in zip(epsilons, stated, strict=True):
            ours = accounting.noise_multiplier(float(eps), delta, steps, n, batch, "poisson", "add_or_remove_one")
            more = value / ours - 1
            record.note({f"{name}, {eps}": more})
            at, where = {"setting": name, "epsilon": eps, "stated": value, "ours": ours}, f"{name}, epsilon = {eps}"
            if not (rdp_epsilon(value + 1e-3, batch / n, steps, delta) <= eps < rdp_epsilon(value - 1e-3, batch / n, steps, delta)):
                return record.refute(f"{where}: {value} is not what RDP gives", at)
            if not low <= more <= high:
                return record.refute(f"{where}: RDP needs {more:.1%} more than the accountant's {ours:.4g}", at)
        spent = delta_lower_bound(eps, shift=1.04 / ours, q=batch / n, steps=steps, spacing=0.03 * eps / steps)
        if spent <= delta:
            return record.refute(f"{where}: less than the accountant's {ours:.4g} may do", {**at, "delta at 0.96 of it": spent})
    over = record.numbers.values()
    return record.conclude(f"RDP needs {min(over):.1%} to {max(over):.1%} more than the accountant at {len(over)} points")


GRID, FINE_GRID = privacy_grid(4), privacy_grid(60)
