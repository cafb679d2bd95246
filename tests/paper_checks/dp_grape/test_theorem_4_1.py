"""The walk of DP-GRAPE's released iterate: its inverted characteristic function against plain runs."""

import numpy as np
from scipy import stats

from paper_checks.dp_grape.theorem_4_1 import walk_tail


def test_the_tail_of_a_walk_is_that_of_plain_runs():
    deviation, limit, rank, runs, rng = 3.0, 7.0, 16, 200_000, np.random.default_rng(4)
    P = rng.standard_normal((runs, 3, rank)) / np.sqrt(rank)  # the first row of P_t, of three steps
    length = np.linalg.norm(P, axis=2)
    steps = length + deviation * np.einsum("stk,stk->st", P, rng.standard_normal((runs, 3, rank)))  # P (P' e_1/|P' e_1| + noise)
    counted = (np.cumsum(steps, axis=1) > limit).sum(axis=0)
    for k, p in zip(counted, walk_tail(limit, deviation, 3, rank), strict=True):
        assert stats.binomtest(int(k), runs, float(p)).pvalue > 1e-6  # the false alarm of each of three
