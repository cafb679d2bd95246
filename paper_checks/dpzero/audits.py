"""Attacks on DPZero and the private methods that it is compared with: two worlds of linear losses, every iterate is seen."""

from typing import Any

from paper_checks.examine.audit import Audit, attack
from synthetic.dpzero import KERNELS

AUDITED = {name: KERNELS[name] for name in ("dpzero", "dpgd_0th", "dp_gd")}


def audit(method: str, *, epsilon: float, delta: float, runs: int, seed: int, level: float, **settings: Any) -> Audit:
    """Attack T steps over all n records; settings are T, n, C, sigma and those of the kernel."""
    return attack(AUDITED[method], epsilon=epsilon, delta=delta, runs=runs, seed=seed, level=level, **settings)
