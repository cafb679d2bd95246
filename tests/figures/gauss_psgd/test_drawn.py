"""The figures of the second-order paper show what their records hold, and their records what the cells returned, each in its own place.

No run is made: outcomes and the arrays of cells are made up, so that all values differ.
"""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from figures import style
from figures.gauss_psgd import distributed as psgd_distributed
from figures.gauss_psgd import experiments
from figures.gauss_psgd import rate as psgd_rate
from synthetic.estimate import Interval, quantile
from synthetic.objectives.separable_saddles import random_phase_cosines
from tests.figures.shown import bars, lines, slope

BLUE, INK, GREY, RED, GREEN = "#0072B2", "#000000", "#777777", "#D55E00", "#009E73"
TASK = experiments.task({"d": 2}, n=200_000, epsilon=4.0, delta=1e-5, knobs=experiments.Knobs(k_R=0.6))


def made_up(k, **problem):
    """An outcome number k, with values of its own; every third one has failures, and 5 has no finite error."""
    task = replace(TASK, problem=replace(TASK.problem, **problem), plan=replace(TASK.plan, accuracy=0.5 / (1 + k), psi=0.01 * (1 + k)))
    error = math.inf if k == 5 else 0.2 / (1 + k) ** 0.7
    return experiments.RunSummary(
        task=task, replicates=24, error=Interval(error, 0.5 * error if k != 5 else 0.1, 1.7 * error if k != 2 else math.inf, 0.95),
        middle=Interval(0.11 / (1 + k), 0.05 / (1 + k), 0.3 / (1 + k), 0.95), failed=k if k % 3 == 1 else 0, beyond=2 + k,
        rms=Interval(0.03 * (1 + k) ** -0.4, 0.02 * (1 + k) ** -0.4, 0.07 * (1 + k) ** -0.4, 0.95), used=0.5 + 0.01 * k, steps=100.0 + k,
    )  # fmt: skip


ROW = {
    "n": lambda o: o.task.problem.n, "d": lambda o: 2, "epsilon": lambda o: o.task.problem.epsilon, "m": lambda o: o.task.problem.m,
    "alpha": lambda o: o.task.plan.accuracy, "psi_bound": lambda o: o.task.plan.psi, "error_q75": lambda o: o.error.value,
    "error_q75_low": lambda o: o.error.low, "error_q75_high": lambda o: o.error.high, "error_median": lambda o: o.middle.value,
    "median_low": lambda o: o.middle.low, "median_high": lambda o: o.middle.high, "runs": lambda o: 24, "failed": lambda o: o.failed,
    "not_alpha_sosp": lambda o: o.beyond, "rms": lambda o: o.rms.value, "rms_low": lambda o: o.rms.low, "rms_high": lambda o: o.rms.high,
    "most_samples_used": lambda o: o.used, "steps_median": lambda o: o.steps, "T": lambda o: TASK.plan.T, "eta": lambda o: TASK.plan.eta,
    "chi": lambda o: TASK.plan.chi, "R": lambda o: TASK.plan.radius, "Gamma": lambda o: TASK.plan.Gamma, "Q": lambda o: TASK.plan.Q,
    "kappa": lambda o: TASK.plan.drift_limit, "b_1": lambda o: TASK.plan.b_1, "b_2": lambda o: TASK.plan.b_2,
    "sigma_1": lambda o: TASK.plan.sigma_fresh, "sigma_2": lambda o: TASK.plan.sigma_difference,
    "privacy_share": lambda o: 2 * (TASK.plan.sigma_fresh**2 + TASK.plan.sigma_difference**2 * TASK.plan.drift_limit)
    / (o.task.problem.m * o.task.plan.psi**2),
}  # fmt: skip


def assert_errors(ax, x, rows):
    """The panel has the error of each outcome with its interval, crosses and words for failures, the median of each."""
    finite = [(v, o) for v, o in zip(x, rows, strict=True) if math.isfinite(o.error.value)]
    (one,) = (b for b in bars(ax) if b.label.startswith("error, 75 % of runs"))
    np.testing.assert_allclose(one.x, [v for v, _ in finite])
    np.testing.assert_allclose(one.y, [o.error.value for _, o in finite])
    np.testing.assert_allclose(one.low, [o.error.low for _, o in finite])
    np.testing.assert_allclose(one.high, [min(o.error.high, 1e3 * o.error.value) for _, o in finite])
    np.testing.assert_allclose(lines(ax)["error, median"], [x, [o.middle.value for o in rows]])
    crosses = [line for line in ax.get_lines() if line.get_marker() == "x"]
    assert [float(c.get_xdata()[0]) for c in crosses] == [v for v, o in zip(x, rows, strict=True) if not math.isfinite(o.error.value)]
    assert all(0.9 < c.get_ydata()[0] < 1.0 and c.get_transform() == ax.get_xaxis_transform() for c in crosses)
    words = {(t.xy[0], t.get_text()) for t in ax.texts if "failed" in t.get_text()}
    assert words == {(v, f"{o.failed}/24\nfailed") for v, o in zip(x, rows, strict=True) if o.failed}


def interval(value):
    return Interval(value, value - 0.11, value + 0.13, 0.95)


def words_of(one):
    return f"{one.value:.2f} [{one.low:.2f}, {one.high:.2f}]"


RATE = psgd_rate.Experiment(
    large_n=(10_000, 30_000, 90_000), small_n=(20_000, 80_000, 200_000), n=50_000, epsilons=(0.2, 0.5, 2.0), delta=1e-5
)
PLACES = {
    "sampling": [(n, 8.0) for n in (10_000, 30_000, 90_000)], "privacy": [(n, 0.02) for n in (20_000, 80_000, 200_000)],
    "epsilon": [(50_000, e) for e in (0.2, 0.5, 2.0)],
}  # fmt: skip


def rate_record():
    outcomes, k = {}, 0
    for panel, places in PLACES.items():
        outcomes[panel] = [made_up(k + j, n=n, epsilon=epsilon) for j, (n, epsilon) in enumerate(places)]
        k += 3
    return psgd_rate.Record(
        experiment=RATE, outcomes=outcomes, measured={p: interval(-0.3 - 0.1 * j) for j, p in enumerate(PLACES)},
        planned={p: interval(-0.6 - 0.1 * j) for j, p in enumerate(PLACES)}, ends={p: (-0.1 * j, -0.2) for j, p in enumerate(PLACES)},
        turning=0.37, fitted={"sampling": [1, 2], "privacy": [0, 1, 2], "epsilon": [0, 1]},
    )  # fmt: skip


def test_each_panel_of_the_rates_shows_its_own_outcomes_and_exponents():
    record = rate_record()
    figure = psgd_rate.draw(record)
    claimed = {"sampling": (-1 / 3, "-1/3"), "privacy": (-2 / 5, "-2/5"), "epsilon": (-2 / 5, "-2/5")}
    heads = {"sampling": r"(a) $\varepsilon = 8$: sampling", "privacy": r"(b) $\varepsilon = 0.02$: privacy", "epsilon": "(c) $n = 50,000$"}
    for ax, (panel, places) in zip(figure.axes, PLACES.items(), strict=True):
        rows, x = record.outcomes[panel], [e if panel == "epsilon" else n for n, e in places]
        shares = [100 * o.task.privacy_share for o in rows]
        assert ax.get_title().startswith(heads[panel])
        assert f"{min(shares):.2g} to {max(shares):.2g} %" in ax.get_title()
        assert ax.get_xlabel() == (r"privacy $\varepsilon$" if panel == "epsilon" else "samples $n$")
        assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
        assert_errors(ax, x, rows)
        shown = lines(ax)
        planned = rf"planned $\alpha$: {words_of(record.planned[panel])}"
        np.testing.assert_allclose(shown[planned], [x, [o.task.plan.accuracy for o in rows]])
        assert bars(ax)[0].label == f"error, 75 % of runs: {words_of(record.measured[panel])}"
        power, name = claimed[panel]
        ends_x, ends_y = shown[f"claimed exponent {name}"]
        used = record.fitted[panel]
        np.testing.assert_allclose(ends_x, [x[used[0]], x[used[-1]]])
        assert ends_y[1] == pytest.approx(1.6 * rows[used[-1]].task.plan.accuracy)  # beside the planned ones, and not upon them
        assert math.log(ends_y[1] / ends_y[0]) / math.log(ends_x[1] / ends_x[0]) == pytest.approx(power)
        np.testing.assert_allclose(shown[r"$\alpha^*$ = 0.37; fitted below it"][1], 0.37)
        low, high = ax.get_ylim()
        assert all(low < v < high for o in rows for v in (o.error.low, o.middle.value, o.task.plan.accuracy))
    assert figure.axes[0].get_ylabel() == r"smallest $\alpha$ of which the point is an SOSP"
    assert "$d = 2$" in figure.get_suptitle()
    assert "24 runs a point" in figure.get_suptitle()


def test_the_table_and_the_provenance_of_the_rates():
    record = rate_record()
    rows = psgd_rate.table(record)
    outcomes = [(panel, k, o) for panel in PLACES for k, o in enumerate(record.outcomes[panel])]
    for row, (panel, k, o) in zip(rows, outcomes, strict=True):
        assert row.pop("panel") == panel
        assert row.pop("fitted") == (k in record.fitted[panel])
        assert row == pytest.approx({name: of(o) for name, of in ROW.items()})
    said = psgd_rate.provenance(record)["exponents"]
    for j, panel in enumerate(PLACES):
        assert said[panel]["claimed"] == {"sampling": -1 / 3}.get(panel, -0.4)
        assert said[panel]["measured, 75 % of the runs"] == pytest.approx([-0.3 - 0.1 * j, -0.41 - 0.1 * j, -0.17 - 0.1 * j])
        assert said[panel]["planned alpha"] == pytest.approx([-0.6 - 0.1 * j, -0.71 - 0.1 * j, -0.47 - 0.1 * j])
        assert said[panel]["planned alpha between the first two and the last two points"] == (-0.1 * j, -0.2)


def cell_arrays(k, replicates=5):
    """What the cells of group k might return: skew errors, failures as inf."""
    rng = np.random.default_rng(k)
    error = 0.3 * (1 + k) ** -0.6 * np.exp(0.3 * rng.standard_normal(replicates))
    status = np.zeros(replicates, dtype=int)
    if k % 4 == 1:
        error[0], status[0] = np.inf, 1
    return {
        "status": status, "error": error, "noise_sq": 0.01 * (1 + k) ** -0.9 * rng.uniform(0.8, 1.2, replicates),
        "samples": np.arange(10, 10 + replicates) * (1 + k), "steps": np.arange(replicates) ** 2 + k, "fresh_calls": np.ones(replicates),
    }  # fmt: skip


def assert_outcome(o, found, n):
    """An outcome is the summary of the arrays, by NumPy."""
    errors = np.sort(found["error"])
    assert o.error == quantile(found["error"], 0.75)
    assert o.error.value == errors[math.ceil(0.75 * len(errors)) - 1]
    assert o.middle.value == errors[math.ceil(0.5 * len(errors)) - 1]
    assert o.failed == int(np.sum(found["status"] != 0))
    assert o.beyond == int(np.sum(np.isfinite(errors) & (errors > o.task.plan.accuracy)))
    assert o.rms.value == pytest.approx(math.sqrt(found["noise_sq"].mean()))
    assert o.rms.low < o.rms.value < o.rms.high
    assert o.used == pytest.approx(found["samples"].max() / n)
    assert o.steps == np.median(found["steps"])
    assert o.replicates == len(errors)


@pytest.fixture
def no_runs(monkeypatch):
    """In place of the cells: their arrays made up; what was asked for is kept."""
    asked = {}

    def compute(stage, cells, store, *, workers=None, progress=None):
        asked.update(cells)
        return {key: cell_arrays(k) for k, key in enumerate(cells)}

    monkeypatch.setattr(experiments, "compute_groups", compute)
    return asked


def test_the_record_of_the_rates_fits_each_panel_to_its_own_points(no_runs):
    e = replace(RATE, small=0.5, replicates=5)
    record = psgd_rate.data(e, None)
    keys = list(no_runs)
    assert keys == [(panel, k) for panel in PLACES for k in range(3)]
    place = random_phase_cosines(2)
    top = np.linalg.eigvalsh(place.hessian(place.saddle))[-1]
    assert record.turning == pytest.approx((4 * 0.6 * top / 3) ** 2 / place.constants["rho"])
    for number, (panel, k) in enumerate(keys):
        o = record.outcomes[panel][k]
        n, epsilon = e.point_settings()[panel][k]
        assert (o.task.problem.n, o.task.problem.epsilon, o.task.problem.delta, o.task.problem.d) == (n, epsilon, 1e-5, 2)
        assert no_runs[panel, k][0].arguments["run"]["n"] == n
        assert_outcome(o, cell_arrays(number), n)
    for panel in PLACES:
        rows = record.outcomes[panel]
        wanted = [
            k
            for k, o in enumerate(rows)
            if o.task.plan.accuracy <= record.turning and (panel != "epsilon" or o.task.problem.epsilon <= 0.1)
        ]
        assert record.fitted[panel] == wanted


def test_the_exponents_of_the_rates_are_those_of_their_panels(no_runs, monkeypatch):
    """With every point below alpha*: the fitted exponents are those of the panel's own x, errors and planned accuracies."""
    e = replace(RATE, small=0.5, replicates=5, fit_epsilon=10.0, knobs=experiments.Knobs(k_R=50.0))

    def planned(place, n, epsilon, delta, knobs):
        accuracy = n**-0.31 * epsilon**-0.47
        return replace(TASK, problem=replace(TASK.problem, n=n, epsilon=epsilon), plan=replace(TASK.plan, accuracy=accuracy))

    monkeypatch.setattr(experiments, "task", planned)
    record = psgd_rate.data(e, None)
    for panel, power in (("sampling", -0.31), ("privacy", -0.31), ("epsilon", -0.47)):
        rows = record.outcomes[panel]
        x = [o.task.problem.epsilon if panel == "epsilon" else o.task.problem.n for o in rows]
        assert record.fitted[panel] == [0, 1, 2]
        assert record.planned[panel].value == pytest.approx(power)
        assert record.ends[panel] == pytest.approx((power, power))
        finite = [(a, o.error.value) for a, o in zip(x, rows, strict=True) if math.isfinite(o.error.value)]
        assert record.measured[panel].value == pytest.approx(slope(*zip(*finite, strict=True)))


CLIENTS = psgd_distributed.Experiment(d=2, n=20_000, clients=(1, 2, 4, 8), replicates=5)


def test_the_exponents_in_the_clients_are_those_of_their_arms(no_runs):
    record = psgd_distributed.data(CLIENTS, None)
    assert list(no_runs) == [(panel, m) for panel in ("fixed", "planned") for m in (1, 2, 4, 8)]
    fixed, planned = record.outcomes["fixed"], record.outcomes["planned"]
    for number, (o, m) in enumerate(zip([*fixed, *planned], [1, 2, 4, 8] * 2, strict=True)):
        assert o.task.problem.m == m
        assert_outcome(o, cell_arrays(number), 20_000)
    assert {o.task.plan for o in fixed} == {planned[1].task.plan}  # the plan for two clients
    assert len({o.task.plan for o in planned}) == 4
    m = [2, 4, 8]
    assert record.rms.value == pytest.approx(slope(m, [o.rms.value for o in fixed[1:]]))
    assert record.bound.value == pytest.approx(slope(m, [o.rms.value for o in planned[1:]]))
    assert record.error.value == pytest.approx(slope(m, [o.error.value for o in planned[1:]]))
    assert record.alpha.value == pytest.approx(slope(m, [o.task.plan.accuracy for o in planned[1:]]))
    said = psgd_distributed.provenance(record)["exponents in m, even m"]
    assert [v[0] for v in said.values()] == [record.rms.value, record.bound.value, record.error.value, record.alpha.value]
    names = ["rms noise, one schedule", "rms noise, a plan for each m", "error that 75 % of the runs stay below", "planned alpha"]
    assert [key.startswith(name) for key, name in zip(said, names, strict=True)] == [True] * 4


def distributed_record():
    outcomes = {panel: [made_up(k + j, m=m, n=20_000) for j, m in enumerate((1, 2, 4, 8))] for panel, k in (("fixed", 0), ("planned", 2))}
    return psgd_distributed.Record(CLIENTS, outcomes, interval(-0.5), interval(-0.1), interval(-0.6), interval(-0.3))


def test_each_panel_of_the_clients_shows_its_own_arm():
    record = distributed_record()
    outcomes = record.outcomes
    figure = psgd_distributed.draw(record)
    left, right = figure.axes
    m = [1, 2, 4, 8]
    (one,) = bars(left)
    assert one.label == f"measured: {words_of(record.rms)}"
    np.testing.assert_allclose([one.x, one.y], [m, [o.rms.value for o in outcomes["fixed"]]])
    np.testing.assert_allclose([one.low, one.high], [[o.rms.low for o in outcomes["fixed"]], [o.rms.high for o in outcomes["fixed"]]])
    x, y = lines(left)["exponent -1/2 through m = 2"]
    at_two = outcomes["fixed"][1].rms.value
    np.testing.assert_allclose([x, y], [[1, 8], [at_two * 2**0.5, at_two * 0.5]])
    assert left.get_title().startswith("(a) one schedule")
    assert right.get_title().startswith("(b) a plan for each $m$")
    assert [t.get_text() for t in left.texts] == ["1/24 failed"]
    assert_errors(right, m, outcomes["planned"])
    alpha = [o.task.plan.accuracy for o in outcomes["planned"]]
    np.testing.assert_allclose(lines(right)[rf"planned $\alpha$: {words_of(record.alpha)}"], [m, alpha])
    assert bars(right)[0].label == f"error, 75 % of runs: {words_of(record.error)}"
    for power, words in ((1 / 3, "-1/3 (sampling)"), (1 / 5, "-1/5 (privacy)")):
        x, y = lines(right)[f"claimed {words}"]
        np.testing.assert_array_equal(x, [1, 8])
        assert y[1] / y[0] == pytest.approx(8**-power)
    for ax in figure.axes:
        assert [t.get_text() for t in ax.get_xticklabels()] == ["1", "2", "4", "8"]
        assert (ax.get_xscale(), ax.get_yscale(), ax.get_xlabel()) == ("log", "log", "clients $m$")
    rows = psgd_distributed.table(record)
    for row, (panel, o) in zip(rows, [(p, o) for p in ("fixed", "planned") for o in outcomes[p]], strict=True):
        assert row.pop("panel") == panel
        assert row == pytest.approx({name: of(o) for name, of in ROW.items()})
    assert json.dumps(rows)


def test_limits_hold_every_finite_value_with_room():
    rows = [made_up(k) for k in range(7)]
    rows[3] = replace(rows[3], error=replace(rows[3].error, low=0.0))  # which no logarithm shows
    values = [v for o in rows for v in (o.error.value, o.error.low, o.middle.value, o.task.plan.accuracy) if math.isfinite(v) and v > 0]
    low, high = experiments.y_limits(rows)
    assert low == pytest.approx(0.35 * min(values))
    assert high == pytest.approx(3 * max(values))


def test_quantiles_count_a_run_that_left_the_numbers_as_infinitely_large():
    samples = np.array([[3.0, np.nan], [1.0, 1.0], [2.0, 2.0], [4.0, np.nan]])
    np.testing.assert_array_equal(style.sample_quantiles(samples), [[1, 1], [1, 1], [2, 2], [3, np.inf], [4, np.inf]])


def test_the_slopes_of_the_two_ends_are_those_of_two_points_each():
    assert experiments.end_exponents([1.0, 2.0, 4.0, 8.0], [1.0, 2.0, 8.0, 64.0]) == pytest.approx((1.0, 3.0))
    assert all(map(math.isnan, experiments.end_exponents([1.0], [1.0])))
