"""Settings with a value for each step: a constant one changes nothing, any other equals a slow loop, and a fault in it is noticed."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest

import theory_lab as lab
from synthetic.draws import DIRECTIONS, NOISE, draw_directions, generator
from synthetic.methods.dp_grape import DP_GRAPE, PROJECTIONS
from synthetic.methods.dp_zopo import DP_ZOO
from synthetic.methods.dpzero import DP_GD, DPZERO, MEZO
from synthetic.methods.record import Kernel, Setting
from synthetic.objectives.matrices import matrix_quadratic
from synthetic.objectives.sums import quadratic
from synthetic.runs.schedules import change_steps
from synthetic.runs.simulate import simulate
from synthetic.validate import inside_unit
from tests.reference import dpzero as naive
from tests.synthetic.methods import test_record as toys
from tests.synthetic.planted import faulty_module

T, N, D = 11, 7, 6
VECTORS, MATRICES = quadratic("inverse", D, N, seed=5), matrix_quadratic("inverse", 32, N, 0, m=4)
ALPHA = np.array([0.1] * 4 + [0.05] * 4 + [0.02] * 3)
CLIP = np.linspace(2.0, 0.5, T)
SIGMA = np.array([0.1] * 6 + [0.0] + [0.3] * 4)
GRAPE = {"r": 2, "F": 3}
METHODS = {"dpzero": (DPZERO, VECTORS, {}), "dp_gd": (DP_GD, VECTORS, {}), "dp_grape": (DP_GRAPE, MATRICES, GRAPE)}


@pytest.mark.parametrize("name", METHODS)
def test_a_constant_schedule_is_the_number_to_the_last_bit(name):
    kernel, objective, more = METHODS[name]
    numbers = {"alpha": 0.1, "C": 1.0, "sigma": 0.2, **({"lam": 0.3} if name == "dpzero" else {})}
    one = simulate(kernel, objective, T=T, **numbers, **more, replicates=2, batch_size=5)
    for many in ({"alpha"}, set(numbers)):
        given = {key: np.full(T, value) if key in many else value for key, value in numbers.items()}
        two = simulate(kernel, objective, T=T, **given, **more, replicates=2, batch_size=5)
        for field in ("loss", "grad_norm_sq", "clipped", "x", "x_tau"):
            np.testing.assert_array_equal(getattr(one, field), getattr(two, field))


def reference(name, r, alpha, C, sigma, lam=0.5, seed=3):
    """The path of replicate r, one step of the slow reference for each value of the schedules."""
    a, x, path = VECTORS.eigenvalues, VECTORS.x0, [VECTORS.x0]
    rng = generator(seed, r, NOISE)
    if name == "dp_grape":
        P = generator(seed, r, PROJECTIONS).standard_normal((4, 4 * 2)) / np.sqrt(2)
        x, path = MATRICES.x0, [MATRICES.x0]
        for t in range(T):
            p, out, total = P[t // 3].reshape(4, 2), np.empty(32), np.zeros((2, 8))
            for row in MATRICES.data:
                MATRICES.gradient(x, row, MATRICES.params, out)
                R = p.T @ out.reshape(4, 8)
                total += R * min(1, C[t] / np.linalg.norm(R))
            x = x - alpha[t] * (p @ (total / N + sigma[t] * rng.standard_normal((2, 8)))).ravel()
            path.append(x)
        return path
    u, z = draw_directions(generator(seed, r, DIRECTIONS), T, D, "sphere"), rng.standard_normal(T if name == "dpzero" else (T, D))
    for t in range(T):
        now = {"alpha": alpha[t], "C": C[t], "sigma": sigma[t]}
        if name == "dpzero":
            step = naive.dpzero(lambda x, s: 0.5 * (x - s) @ (a * (x - s)), VECTORS.data, x, **now, lam=lam, u=u[t : t + 1], z=z[t : t + 1])
        else:
            step = naive.dp_gd(lambda x, s: a * (x - s), VECTORS.data, x, **now, z=z[t : t + 1])
        x = step[0][-1]
        path.append(x)
    return path


def check_against_reference(run_of, name):
    kernel, objective, more = METHODS[name]
    more = {"lam": 0.5} if name == "dpzero" else more
    run = run_of(kernel, objective, T=T, alpha=ALPHA, C=CLIP, sigma=SIGMA, **more, replicates=2, seed=3)
    for r in range(2):
        path = reference(name, r, ALPHA, CLIP, SIGMA)
        values = [objective.value_and_gradient(x) for x in path]
        np.testing.assert_allclose(run.x[r], path[-1], rtol=1e-9)
        np.testing.assert_allclose(run.x_tau[r], path[run.tau[r]], rtol=1e-9)
        np.testing.assert_allclose(run.loss[r], [value for value, _ in values], rtol=1e-9)
        np.testing.assert_allclose(run.grad_norm_sq[r], [g @ g for _, g in values], rtol=1e-9)


@pytest.mark.parametrize("name", METHODS)
def test_a_schedule_equals_one_step_of_the_reference_for_each_value(name):
    check_against_reference(simulate, name)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("values[done] for", "values[done - 1] for"),
        ('changes[np.searchsorted(changes, done, side="right")]', "changes[-1]"),
        ('{"tau": int(row["tau"]) - done, "t0": done}', '{"tau": int(row["tau"]), "t0": done}'),
    ],
)
def test_a_fault_in_the_chunks_of_a_schedule_is_noticed(old, new):
    faulty = faulty_module("synthetic/runs/simulate.py:_run_replicate", old, new)
    with pytest.raises(AssertionError):
        check_against_reference(faulty.simulate, "dp_gd")


@pytest.mark.parametrize("floats", [2**20, 8])  # the chunks of a schedule, or single steps
def test_state_and_draws_that_last_cross_the_borders_of_chunks(floats, monkeypatch):
    """Momentum of matrices with projections that stay for 4 steps, and a beta of its own that changes in every step."""
    monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * floats)
    beta = np.linspace(0.5, 0.9, T)
    settings = (Setting("beta", inside_unit, 0.9, per_step=True), *toys.MOMENTUM.settings[1:])
    run = simulate(replace(toys.MOMENTUM, settings=settings), toys.OBJECTIVE, T=T, **{**toys.RUN, "alpha": ALPHA, "C": CLIP, "beta": beta})
    o = toys.OBJECTIVE
    for r in range(2):
        P, z = (generator(3, r, role).standard_normal(shape) for role, shape in ((toys.PROJECTIONS, (3, 2)), (NOISE, (T, o.d))))
        x, velocity = o.x0, [np.zeros(shape) for shape in o.shape.shapes]
        for t in range(T):
            raw = [o.eigenvalues * (x - row) for row in o.data]
            mean = np.mean([g * min(1, CLIP[t] / np.linalg.norm(g)) for g in raw], axis=0)
            parts, signs = o.shape.parts(mean + 0.1 * z[t]), np.sign(P[t // 4])
            velocity = [beta[t] * v + s * len(g) * g for v, s, g in zip(velocity, signs, parts, strict=True)]
            step = o.shape.flat([s * v for s, v in zip(signs, velocity, strict=True)])
            x = x - ALPHA[t] * np.sqrt(1 - beta[t] ** (t + 1)) * step
        np.testing.assert_allclose(run.x[r], x, rtol=1e-12)


def test_a_run_keeps_its_schedules_and_everything_else_works():
    told = []
    run = simulate(MEZO, VECTORS, T=T, alpha=list(ALPHA), lam=np.full(T, 0.5), progress=lambda *one: told.append(one))
    assert run.settings["alpha"] == tuple(ALPHA)
    assert json.loads(json.dumps(run.settings))["alpha"] == list(ALPHA)
    assert repr(run).startswith("Run(mezo on ")
    assert told[0] == (0, T)
    assert told[-1] == (T, T)
    by_name = lab.simulate("dp_gd", VECTORS, T=T, alpha=ALPHA, C=CLIP, sigma=SIGMA, seed=3)
    np.testing.assert_array_equal(by_name.x, simulate(DP_GD, VECTORS, T=T, alpha=ALPHA, C=CLIP, sigma=SIGMA, seed=3).x)


def test_steps_at_which_a_value_changes():
    assert [*change_steps({}, 4)] == [4]
    assert [*change_steps({"alpha": (1.0, 1.0, 2.0, 2.0, 1.0), "C": (3.0, 3.0, 3.0, 4.0, 4.0)}, 5)] == [2, 3, 4, 5]


def size_of_alpha(space, settings):
    return (int(settings["alpha"]),)


def size_of_alpha_or_two(space, settings):
    return (int(settings.get("alpha", 2)),)


@pytest.mark.parametrize(
    ("kernel", "given", "sentence"),
    [
        (DP_GD, {"alpha": [0.1, 0.2]}, "alpha = [0.1, 0.2]: it has 2 values; one number, or T = 4 of them, one for each step, is needed"),
        (DP_GD, {"alpha": [0.1, 0.2, np.nan, 0.1]}, "alpha[2] = nan: a finite number above 0 is needed"),
        (DP_GD, {"sigma": [0.1, -1.0, 0.1, 0.1]}, "sigma[1] = -1.0: a finite number of at least 0 is needed"),
        (DP_GD, {"C": [1.0, 1e-200, 1.0, 1.0]}, "C[1] = 1e-200: at least 1e-150 is needed, .*"),
        (DP_GD, {"C": np.ones((4, 1))}, r"C has shape (4, 1): one number, or an array (T,) with one for each step, is needed"),
        (DP_GD, {"alpha": ["a"] * 4}, "alpha: an array of numbers is needed, got list of <U1"),
        (DP_GD, {"batch_size": [2] * 4}, "batch_size = [2, 2, 2, 2]: an integer of at least 1 is needed"),
        (toys.MOMENTUM, {"beta": [0.5] * 4}, "beta = [0.5, 0.5, 0.5, 0.5]: a number strictly between 0 and 1 is needed"),
        (
            DP_ZOO,
            {"C": [1.0] * 4},
            "C = [1.0, 1.0, 1.0, 1.0]: one number is needed, because dp_zoo has stages; only methods without stages .*",
        ),
    ],
)
def test_what_a_schedule_cannot_be_is_said(kernel, given, sentence):
    pattern = re.escape(sentence).replace(r"\.\*", ".*")
    with pytest.raises(ValueError, match=f"^{pattern}$"):
        simulate(kernel, toys.OBJECTIVE, **{"T": 4, "alpha": 0.1, "C": 1.0, "sigma": 0.1, **given})


@pytest.mark.parametrize("size", [size_of_alpha, size_of_alpha_or_two])
def test_nothing_that_lasts_may_depend_on_a_schedule(size):
    kernel = Kernel("sized", toys.momentum, toys.MOMENTUM.draws, toys.MOMENTUM.settings, state={"velocity": size})
    run = {**toys.RUN, "T": 2, "alpha": [8.0, 8.0]}
    with pytest.raises(ValueError, match=r"^alpha = \[8.0, 8.0\]: one number is needed, because sized has an array whose size or entries"):
        simulate(kernel, toys.OBJECTIVE, **run)
    assert simulate(kernel, toys.OBJECTIVE, **{**run, "alpha": 8.0}).settings["alpha"] == 8.0


def test_an_audit_and_a_plan_do_not_vouch_for_schedules():
    for name, value in (("C", [1.0] * 4), ("sigma", np.ones(4)), ("lam", (0.1,) * 4)):
        with pytest.raises(ValueError, match=f"^{name} = .*: one number is needed, because an audit has the same {name} in every step$"):
            lab.audit("dpzero", epsilon=2.0, delta=1e-6, T=4, n=3, runs=2000, **{name: value})
    objective = lab.cosine("inverse", d=5, n=200, seed=0)
    plan = lab.recommend("dpzero", objective, epsilon=2.0, delta=1e-6).sharp
    run = lab.simulate("dpzero", objective, plan=plan, T=3, sigma=[plan.sigma] * 3)
    assert not run.vouched
