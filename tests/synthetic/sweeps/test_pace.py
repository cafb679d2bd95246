"""The time that is left of a sweep, by a clock that is made up and by the seconds that the cells of Figure 1 took."""

import heapq
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paper_checks.dpzero.experiments.figure_runs import PAPER, expected_replays, grid_cells
from synthetic.sweeps.pace import Pace, worker_count
from synthetic.sweeps.workers import local_processes

RECORDED = Path(__file__).parent / "seconds_of_figure_1.json"  # CPU seconds of its cells by their labels


def worked(cells, workers, known=True, idle=0.0):
    """Work cells (cost, seconds) off in their order, after `idle` seconds; return the share done, what was said and what was left."""
    pace, free = Pace(workers if known else None), [idle] * workers
    ends = []
    for cost, seconds in cells:
        begin = heapq.heappop(free)
        heapq.heappush(free, begin + seconds)
        ends.append((begin + seconds, seconds, cost))
    ends.sort()
    total, over, done, cost_left, said = sum(s for _, s in cells), max(free), 0.0, sum(c for c, _ in cells), []
    for k, (at, seconds, cost) in enumerate(ends):
        pace.record_cell(at, seconds, cost)
        done, cost_left = done + seconds, cost_left - cost
        said.append((done / total, pace.remaining_seconds(at, cost_left, len(cells) - k - 1), over - at))
    return said


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("idle", [0.0, 50.0])
def test_where_costs_are_right_the_time_left_is_right_from_the_first_cell_on(workers, idle):
    """However unequal the cells, whatever passes before the first begins, and though what others are busy with is not known."""
    seconds = sorted(np.random.default_rng(0).lognormal(1.0, 1.0, 80), reverse=True)
    for share, said, left in worked([(3.0 * s, s) for s in seconds], workers, idle=idle):
        if share < 0.98:  # after that workers run out of cells
            assert said == pytest.approx(left, rel=0.1, abs=1.0)


def test_how_many_work_is_seen_where_it_is_not_known():
    for share, said, left in worked([(1.0, 2.0)] * 90, 3, known=False)[30:]:
        assert share > 0.3
        assert said == pytest.approx(left, rel=0.2, abs=2.0)


def test_before_a_cell_has_ended_nothing_is_said_and_at_the_end_nothing_is_left():
    pace = Pace(2)
    assert pace.remaining_seconds(5.0, 10.0, 3) is None
    assert pace.remaining_seconds(5.0, 0.0, 0) == 0.0
    pace.record_cell(7.0, 4.0, 0.0)  # a cost of 0 says nothing: by the number of cells
    assert pace.remaining_seconds(7.0, 0.0, 3) == pytest.approx((4.0 + 3 * 4.0) / 2 - 4.0)


def test_cells_that_wait_are_not_over_because_others_took_less():
    """Four cells of one second wait for a single worker, who has been at the fifth for longer than was expected."""
    pace = Pace(1)
    pace.record_cell(1.0, 1.0, 1.0)
    assert pace.remaining_seconds(100.0, 5.0, 5) == pytest.approx(4.0)


def test_executors_say_how_many_calls_they_make_at_once():
    with local_processes(3) as pool, ThreadPoolExecutor(2) as threads:
        assert (worker_count(pool), worker_count(threads)) == (3, 2)
    assert worker_count(object()) is None


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("slower", [1.0, 3.0])
def test_the_time_left_of_figure_1_is_right_within_a_factor_of_one_and_a_half_from_a_tenth_on(workers, slower):
    """Its cells of d = 200 and 2,000, by their costs, the seconds that were measured, and the costs that fresh runs are expected to have.

    The cells begin in their order: the dearest first, and fresh runs when the grid of their dimension is done.
    """
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))["seconds"]
    e = replace(PAPER, dimensions=(200, 2000))
    cells = [(cell.cost, slower * recorded[cell.label]) for cell in sorted(grid_cells(e).values(), key=lambda cell: -cell.cost)]
    for label, one in reversed(expected_replays(e).items()):
        cells += [(one.cost, slower * recorded[label])] * one.count
    assert len(cells) == 22
    dearest = max(seconds for _, seconds in cells)  # in its last half the other worker may have nothing more to do, which is not foreseen
    judged = [(said, left) for share, said, left in worked(cells, workers) if share >= 0.1 and left > dearest / 2]
    assert len(judged) >= 12
    for said, left in judged:
        assert left / 1.5 <= said <= 1.5 * left
