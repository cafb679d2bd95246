"""Audits of every private part of Gauss-PSGD: the epsilon that runs on neighbouring data sets certify from below.

Noise      of an oracle: `bounds.privacy.sigma_gaussian` for one release of sensitivity 2 L / b_1, or 2 ell |x - y| / b_2, as the lab's
           schedules have it (the paper's own constants, Definition 8, are above that for epsilon < 1). It is tight, so that nearly all of
           epsilon must be certified. Of Algorithm 4: the exact constant of 2 T releases; "printed" is the paper's, which is for one.
Unit       one replaced record of one client; the observer is the server, who sees each client's messages (Definition 4).
Not tested The oracle "exact" reads the population risk and no samples: nothing is calibrated, it is not private, and there is no audit of
           it. That batches are taken once and in order is part of what runs; that the samples handed over hold no record twice is not.
           The audit of `gauss_psgd` and `frozen_psgd` looks into every call of their oracle; their iterates are functions of that. The run
           with clients in other processes is that of the kernel, draw by draw, and not attacked itself. Algorithm 4 with more than one
           client keeps only the server's mean, so one client is attacked.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bounds import privacy
from bounds.gauss_psgd import selection
from paper_checks.shared.audit import LEVEL, Audit, audit_finding, audit_scores
from paper_checks.verdict import Finding
from synthetic import kernels
from synthetic.audits.oracles import above_threshold_scores, oracle_scores, selection_scores, worst_case_samples
from synthetic.audits.sums import AuditScores
from synthetic.runs.psgd import RESTARTS

PLACES = ("gradient", "difference")
NEVER = 1e9  # a drift that is never reached


@dataclass(frozen=True)
class PrivatePart:
    """A private component of Gauss-PSGD (oracle, loop or selection): its description, and the default settings of an attack on it."""

    words: str
    settings: Mapping[str, Any]


COMMON = {"T": 3, "d": 2, "b_1": 4, "eta": 0.3, "noise": 1.0}
SPIDER = COMMON | {"b_2": 3, "place": "gradient"}
OF_ORACLE: dict[str, dict[str, Any]] = {
    "sgd": COMMON,
    "dp_spider": SPIDER | {"period": 2},
    "ada_dp_spider": SPIDER | {"kappa": NEVER},
    "query_dp_spider": SPIDER | {"kappa": NEVER},
}
LOOP = OF_ORACLE["ada_dp_spider"] | {"T": 4}
AUDITED: dict[str, PrivatePart] = {
    **{name: PrivatePart(f"the oracle {name}, one client", settings) for name, settings in OF_ORACLE.items()},
    **{f"distributed_{name}": PrivatePart(f"the oracle {name}, m clients", settings | {"m": 3}) for name, settings in OF_ORACLE.items()},
    "gauss_psgd": PrivatePart("Algorithm 1 with Ada-DP-SPIDER", LOOP | {"chi": 0.5, "R": 1.0, "Gamma": 2, "Q": 1, "restart": 0}),
    "frozen_psgd": PrivatePart("the earlier method with Ada-DP-SPIDER", LOOP | {"threshold": 2.0, "extra": 0.5, "frozen_steps": 2}),
    "select": PrivatePart("Algorithm 4, one client", {"T": 2, "n": 50, "d": 2, "accountant": "exact", "noise": 1.0}),
    "above_threshold": PrivatePart("AboveThreshold", {"T": 9, "n": 400, "first": 0.0, "last": 0.0, "noise": 1.0}),
}
PARTS = tuple((name, tuple(part.settings)) for name, part in AUDITED.items())
NOT_PRIVATE = "the oracle exact reads the population risk and no samples; its noise is not calibrated, so it is not private"


def audit(method: str, *, epsilon: float, delta: float, runs: int, seed: int, level: float = LEVEL, **settings: Any) -> Audit:
    """Attack a private component of Gauss-PSGD, a name in `AUDITED`, with noise calibrated to (epsilon, delta); return the Audit.

    Settings are those of `AUDITED`. T are calls, or points; b_1, b_2 samples of a batch; `place` is where the record is used, in the first
    O_1 ("gradient") or in the first O_2 ("difference"); `noise` multiplies the calibrated noise. delta may be 0 for above_threshold.
    Raises ValueError for other names and settings.
    """
    if method == "exact":
        raise ValueError(f"method = 'exact': {NOT_PRIVATE}")
    if method not in AUDITED:
        raise ValueError(f"method = {method!r}: one of {', '.join(AUDITED)} is needed")
    known = AUDITED[method].settings
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"{name} = {value!r}: {method} has no setting {name}; it takes {', '.join(known)}")
    at = {**known, **settings}
    if at.get("restart", 0) not in range(len(RESTARTS)):
        raise ValueError(f"restart = {at['restart']!r}: one of {', '.join(f'{k} ({word})' for k, word in enumerate(RESTARTS))} is needed")
    if not at["noise"] > 0:
        raise ValueError(f"noise = {at['noise']!r}: a positive multiple of the calibrated noise is needed")
    attack = {"select": _attack_selection, "above_threshold": _attack_above_threshold}.get(method, _attack_oracle)
    seen = attack(method, at, epsilon=epsilon, delta=delta, runs=runs, seed=seed)
    return audit_scores(seen, epsilon=epsilon, delta=delta, level=level)


def _attack_oracle(method: str, at: dict[str, Any], *, epsilon: float, delta: float, runs: int, seed: int) -> AuditScores:
    """Attack a gradient oracle, or a loop that calls one, on neighbouring samples at the settings `at`; return the AuditScores."""
    oracle = method.removeprefix("distributed_") if method not in ("gauss_psgd", "frozen_psgd") else "ada_dp_spider"
    b_1, b_2, place = at["b_1"], at.get("b_2", 1), at.get("place", "gradient")
    if place not in PLACES:
        raise ValueError(f"place = {place!r}: one of {', '.join(PLACES)} is needed")
    sigma_1, sigma_2 = (at["noise"] * privacy.sigma_gaussian(epsilon=epsilon, delta=delta, T=1, sensitivity=2 / b) for b in (b_1, b_2))
    last = at.get("kappa", at.get("period", 0.0))
    numbers = (b_1, sigma_1) if oracle == "sgd" else (b_1, b_2, sigma_1, sigma_2, last)
    where = b_1 - 1 if place == "gradient" else b_1 + b_2 - 1
    one, two = worst_case_samples(m=at.get("m", 1), n=at["T"] * max(b_1, b_2), d=at["d"], at=where, which=place, length=1.0)
    eta = float(at["eta"])
    rules: dict[str, tuple[Any, ...]] = {
        "gauss_psgd": (eta, *(at.get(name) for name in ("chi", "R", "Gamma", "Q", "restart"))),
        "frozen_psgd": (eta, *(at.get(name) for name in ("threshold", "extra", "frozen_steps"))),
    }
    return oracle_scores(
        getattr(kernels, oracle), one, two, numbers=(*numbers, eta) if "kappa" in at else numbers, drift=last, T=at["T"],
        loop=method if method in rules else "descent", rules=rules.get(method, (eta,)), messages=oracle != "sgd", runs=runs, seed=seed,
    )  # fmt: skip


def _attack_selection(method: str, at: dict[str, Any], *, epsilon: float, delta: float, runs: int, seed: int) -> AuditScores:
    """Attack Algorithm 4, the private selection, on neighbouring samples at the settings `at`; return the AuditScores."""
    T, sizes = at["T"], {"n": at["n"], "d": at["d"], "L": 1.0, "ell": 1.0}
    constant = selection.noise_constant(at["accountant"], epsilon=epsilon, delta=delta, T=T)
    gradient, hessian = selection.noise_scales(**sizes, epsilon=epsilon, delta=delta, T=T, constant=constant)
    noise = {"sigma_gradient": at["noise"] * gradient, "sigma_hessian": at["noise"] * hessian}
    return selection_scores(**sizes, **noise, T=T, runs=runs, seed=seed)


def _attack_above_threshold(method: str, at: dict[str, Any], *, epsilon: float, delta: float, runs: int, seed: int) -> AuditScores:
    """Attack AboveThreshold on neighbouring data sets at the settings `at`, noise for epsilon / `noise`; return the AuditScores."""
    given = {name: at[name] for name in ("T", "n", "first", "last")}
    return above_threshold_scores(**given, epsilon=epsilon / at["noise"], runs=runs, seed=seed)


def check_audit(*, method: str, epsilon: float, delta: float, runs: int, reach: float, seed: int, **settings: Any) -> Finding:
    """Check that an attack certifies at most the declared epsilon, and at least `reach` of it (else INCONCLUSIVE); return a Finding."""
    found = audit(method, epsilon=epsilon, delta=delta, runs=runs, seed=seed, **settings)
    return audit_finding(found, reach, {**AUDITED[method].settings, **settings}, seed)
