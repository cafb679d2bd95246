"""Lemma 8, Theorem 4 = Theorem 6 and Remark 1: what pruning saves, and what a mask leaves of the loss."""

from paper_checks.shared.findings import check_condition
from paper_checks.verdict import Finding


def check_masked_quadratic(*, kept: int, hit: int, eta: float, noise: float, T: int, target: float) -> Finding:
    """Check that the exact mean loss after T steps with a mask of `kept` coordinates is at most `target`; return a Finding.

    f = |theta - theta^*|^2/2, and theta^* - theta^0 = 1 on 20 coordinates, of which `hit` are in the mask.
    On the mask E |.|^2 takes the factor 1 - 2 eta + eta^2 (kept + 2) and gains eta^2 noise^2 kept in a step; off it nothing moves.
    """
    on, off = float(hit), 20.0 - hit
    for _ in range(T):
        on = (1 - 2 * eta + eta**2 * (kept + 2)) * on + eta**2 * noise**2 * kept
    numbers = {"E f": (on + off) / 2, "off the mask": off / 2, "kept": kept, "of the 20": hit, "steps": T, "alpha": target}
    words = f"after {T} steps E f is {(on + off) / 2:.4g}, of which {off / 2:g} is off the mask"
    return check_condition((on + off) / 2 <= target, words, numbers)
