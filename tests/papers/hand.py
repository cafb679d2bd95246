"""Points at which statements are evaluated by hand, of the letters that the papers use."""

from __future__ import annotations

import math
import random

from tests.papers import joined

COMMON = {  # from, to: log-uniform
    "n": (1e2, 1e7), "d": (3, 300), "epsilon": (0.3, 3), "delta": (1e-9, 1e-3), "L": (0.3, 3), "ell": (0.3, 3), "rho": (0.3, 3),
    "alpha": (1e-3, 1e-2), "T": (20, 500),
}  # fmt: skip


class At(dict):
    """A point whose letters are attributes."""

    __getattr__ = dict.__getitem__


def points(count, seed=17):
    draw = random.Random(seed)
    letters = COMMON | joined("bounds.LETTERS")
    for _ in range(count):
        at = {name: math.exp(draw.uniform(math.log(low), math.log(high))) for name, (low, high) in letters.items()}
        yield At(at | {"r": at["d"] ** draw.uniform(0, 1)})
