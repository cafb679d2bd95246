"""A kernel is a record: what it may be, what it is given, and that its state and its draws do not know of chunks."""

from dataclasses import replace

import numpy as np
import pytest
from numba import njit

import theory_lab as lab
from synthetic.draws import BATCHES, DIRECTIONS, NOISE, OUTPUT, generator
from synthetic.kernels.dpzero import record_and_check
from synthetic.methods.dpzero import DPZERO, KERNELS
from synthetic.methods.record import COMMON, LAM, Draw, Kernel, Setting, Stages, scalar, vector
from synthetic.objectives.space import matrix_space
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate
from synthetic.validate import inside_unit, positive_integer

PROJECTIONS = 4


# A toy with all that a record may have: momentum on clipped gradients of matrices, seen through projections that stay for F steps.
@njit(nogil=True, error_model="numpy")
def momentum(gradient, value_gradient, data, params, x, shapes, alpha, C, sigma, beta, F, P, z, velocity, batch, value, grad_norm_sq,
             clipped, tau, x_tau, t0):  # fmt: skip
    steps, d = z.shape
    g, mean = np.empty(d), np.empty(d)
    for t in range(steps):
        if t == tau:
            x_tau[:] = x
        p, scale = P[(t0 + t) // F - t0 // F], np.sqrt(1.0 - beta ** (t0 + t + 1))
        mean[:], count = 0.0, 0
        rows = batch[t % batch.shape[0]]
        for k in rows:
            gradient(x, data[k], params, g)
            length = np.sqrt(np.sum(g**2))
            count += not length <= C
            if not np.isfinite(length):
                continue
            mean += g * min(1.0, C / length)
        at = 0
        for k in range(shapes.shape[0]):  # each block is turned by its sign, and by how many rows it has
            for j in range(at, at + shapes[k, 0] * shapes[k, 1]):
                velocity[j] = beta * velocity[j] + np.sign(p[k]) * shapes[k, 0] * (mean[j] / rows.shape[0] + sigma * z[t, j])
                x[j] -= alpha * scale * np.sign(p[k]) * velocity[j]
            at += shapes[k, 0] * shapes[k, 1]
        clipped[t] = count / rows.shape[0]
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


def blocks(space, settings):
    return (len(space.shapes),)


MOMENTUM = Kernel(
    "momentum",
    momentum,
    draws=(Draw("P", PROJECTIONS, blocks, every="F"), Draw("z", NOISE, vector)),
    settings=(Setting("beta", inside_unit, 0.9), Setting("F", positive_integer, 3, int)),
    state={"velocity": vector},
)
OBJECTIVE = replace(quadratic("inverse", 8, 9, seed=5), shape=matrix_space((2, 3), (2, 1)))
RUN = {"alpha": 0.05, "C": 0.8, "sigma": 0.1, "replicates": 2, "seed": 3, "F": 4, "beta": 0.7}


def twin(o, T, r, *, alpha, C, sigma, seed, F, beta, replicates):
    """The toy in plain NumPy, matrix by matrix, on the draws of the whole run at once."""
    P, z = (generator(seed, r, role).standard_normal(shape) for role, shape in ((PROJECTIONS, (-(-T // F), 2)), (NOISE, (T, o.d))))
    path, clipped, velocity = [o.x0], [], [np.zeros(shape) for shape in o.shape.shapes]
    for t in range(T):
        raw = [o.eigenvalues * (path[-1] - row) for row in o.data]
        clipped.append(np.mean([np.linalg.norm(g) > C for g in raw]))
        noisy = o.shape.parts(np.mean([g * min(1, C / np.linalg.norm(g)) for g in raw], axis=0) + sigma * z[t])
        signs = np.sign(P[t // F])
        velocity = [beta * v + s * len(g) * g for v, s, g in zip(velocity, signs, noisy, strict=True)]
        step = o.shape.flat([s * v for s, v in zip(signs, velocity, strict=True)])
        path.append(path[-1] - alpha * np.sqrt(1 - beta ** (t + 1)) * step)
    return path, clipped


@pytest.mark.parametrize("floats", [2**20, 8 * 5, 8 * 4, 8])  # chunks of all, 5, 4 and 1 steps, while P stays for 4
def test_a_kernel_with_state_equals_its_twin_at_every_step_however_draws_are_cut(floats, monkeypatch):
    monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * floats)
    for T in range(1, 15):  # the last iterate of a shorter run is the iterate of that step
        run = simulate(MOMENTUM, OBJECTIVE, T=T, **RUN)
        for r in range(2):
            path, clipped = twin(OBJECTIVE, T, r, **RUN)
            values = [OBJECTIVE.value_and_gradient(x) for x in path]
            np.testing.assert_allclose(run.x[r], path[-1], rtol=1e-12)
            np.testing.assert_allclose(run.x_tau[r], path[run.tau[r]], rtol=1e-12)
            np.testing.assert_allclose(run.loss[r], [v for v, _ in values], rtol=1e-12)
            np.testing.assert_allclose(run.grad_norm_sq[r], [g @ g for _, g in values], rtol=1e-11)
            np.testing.assert_array_equal(run.clipped[r], clipped)


def test_progress_does_not_change_a_run_with_state():
    alone, told = simulate(MOMENTUM, OBJECTIVE, T=200, **RUN), []
    watched = simulate(MOMENTUM, OBJECTIVE, T=200, **RUN, progress=lambda *one: told.append(one))
    assert len(told) == 101
    assert told[0] == (0, 400)  # all is checked, nothing is done
    assert told[-1] == (400, 400)
    for name in ("loss", "grad_norm_sq", "clipped", "x", "x_tau", "tau", "steps"):
        np.testing.assert_array_equal(getattr(alone, name), getattr(watched, name))


def test_a_run_keeps_the_settings_that_its_kernel_has():
    run = simulate(MOMENTUM, OBJECTIVE, T=2, **RUN)
    assert list(run.settings.items()) == [
        ("alpha", 0.05), ("T", 2), ("C", 0.8), ("sigma", 0.1), ("replicates", 2), ("seed", 3), ("batch_size", None), ("beta", 0.7), ("F", 4)
    ]  # fmt: skip
    assert simulate(MOMENTUM, OBJECTIVE, alpha=1, T=2, C=1, sigma=1).settings["beta"] == 0.9
    assert list(simulate(DPZERO, OBJECTIVE, alpha=1, T=2, C=1, sigma=1).settings) == [*(one.name for one in COMMON), "sampling"]
    assert [type(run.settings[name]) for name in ("alpha", "F")] == [float, int]


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"beta": 1.0}, "beta = 1.0: a number strictly between 0 and 1 is needed"),
        ({"F": 2.5}, "F = 2.5: an integer of at least 1 is needed"),
        ({"F": None}, "F = None: an integer of at least 1 is needed"),
    ],
)
def test_what_a_setting_of_its_own_cannot_be_is_said(given, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        simulate(MOMENTUM, OBJECTIVE, **{"T": 2, **RUN, **given})
    assert str(error.value) == sentence


@pytest.mark.parametrize("name", ["lam", "direction", "velocity", "z"])
def test_a_kernel_has_the_settings_of_its_record_and_no_others(name):
    there = "method, objective, alpha, T, C, sigma, replicates, seed, batch_size, beta, F, threads, progress"
    with pytest.raises(TypeError) as error:
        simulate(MOMENTUM, OBJECTIVE, T=2, **RUN, **{name: 0.1})
    assert str(error.value) == f"{name} = 0.1: no such argument; the arguments are {there}"


def test_what_is_missing_and_what_is_no_setting_is_said_as_of_any_call():
    there = "method, objective, alpha, T, C, lam, sigma, replicates, seed, direction, batch_size, sampling, threads, progress"
    for given, sentence in (
        ({"T": 2}, "alpha is missing: method, objective, alpha, T are needed"),
        ({"alpha": 0.1}, "T is missing: method, objective, alpha, T are needed"),
        ({"alpha": 0.1, "T": 2, "lamb": 0.1}, f"lamb = 0.1: no such argument; the nearest is lam; the arguments are {there}"),
    ):
        with pytest.raises(TypeError) as error:
            simulate(DPZERO, OBJECTIVE, **given)
        assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"settings": MOMENTUM.settings[1:]}, "kernel momentum: its loop takes 'beta', which is not one of loss, gradient, "),
        ({"state": {}}, "kernel momentum: its loop takes 'velocity', which is not one of loss, gradient, "),
        ({"draws": MOMENTUM.draws[1:]}, "kernel momentum: its loop takes 'P', which is not one of loss, gradient, "),
        ({"state": {"velocity": vector, "v": vector}}, "kernel momentum: its loop does not take 'v', which its record declares"),
        ({"draws": (*MOMENTUM.draws, Draw("u", DIRECTIONS, vector))}, "kernel momentum: its loop does not take 'u', which its record"),
        ({"state": {"velocity": vector, "z": vector}}, "kernel momentum: the name 'z' occurs twice"),
        ({"tables": {"layout": vector}}, "kernel momentum: its loop does not take 'layout', which its record declares"),
        ({"tables": {"P": vector}}, "kernel momentum: the name 'P' occurs twice"),
        ({"settings": (*MOMENTUM.settings, Setting("beta"))}, "kernel momentum: the name 'beta' occurs twice"),
        ({"settings": (*MOMENTUM.settings, Setting("threads"))}, "kernel momentum: the name 'threads' occurs twice"),
        ({"settings": (*MOMENTUM.settings, LAM, Setting("lam"))}, "kernel momentum: the name 'lam' occurs twice"),
        ({"draws": (Draw("P", NOISE, blocks), MOMENTUM.draws[1])},
         "kernel momentum: 'P' shares its stream with another draw"),
        *(({"draws": (Draw("P", stream, blocks), MOMENTUM.draws[1])},
           "kernel momentum: 'P' shares its stream with another draw") for stream in (BATCHES, OUTPUT)),
        ({"draws": (Draw("P", 4, blocks, every="G"), MOMENTUM.draws[1])},
         "kernel momentum: every = 'G': the name of an integer setting of the kernel is needed"),
        ({"draws": (Draw("P", 4, blocks, every="beta"), MOMENTUM.draws[1])},
         "kernel momentum: every = 'beta': the name of an integer setting of the kernel is needed"),
        ({"function": print}, "function = print: a function under @numba.njit is needed"),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_run_cannot_be_made(change, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        replace(MOMENTUM, **change)
    assert str(error.value).startswith(sentence)


def test_a_kernel_that_clips_without_noise_cannot_be_made():
    @njit
    def half(x, C):
        return 0

    with pytest.raises(ValueError, match="kernel half: a private method takes both C and sigma, any other method neither"):
        Kernel("half", half)


def test_steps_are_cut_by_the_largest_draw():
    wide = replace(MOMENTUM, draws=(Draw("P", 4, lambda space, settings: (30, 7), every="F"), MOMENTUM.draws[1]))
    assert [wide.floats(OBJECTIVE.shape, {"F": F}) for F in (1, 4, 1000)] == [210, 53, 8]
    for one in KERNELS.values():
        assert one.floats(OBJECTIVE.shape, {}) == 8
    assert [one.shape(OBJECTIVE.shape, {}) for one in DPZERO.draws] == [(8,), ()]
    assert scalar(OBJECTIVE.shape, {}) == ()


@pytest.mark.parametrize("part", ["state", "draws"])
def test_a_state_and_a_draw_that_do_not_fit_are_said_before_they_are_tried(part):
    def large(space, settings):
        return (10**7, 10**6)

    changed = {"state": {"velocity": large}, "draws": (Draw("P", 4, large, every="F"), MOMENTUM.draws[1])}
    for threads, size in ((1, 80), (2, 160)):  # each replicate that runs has its own
        with pytest.raises(ValueError, match=rf"^replicates = 2, T = 2, d = 8: {size} TB of memory are needed"):
            simulate(replace(MOMENTUM, **{part: changed[part]}), OBJECTIVE, T=2, threads=threads, **RUN)


def test_a_vector_is_a_matrix_of_one_column():
    """With one block the sign of P is that block's, squared: nothing; and its rows are d."""
    o = quadratic("inverse", 8, 9, seed=5)
    run = simulate(MOMENTUM, o, T=5, **RUN)
    column = simulate(MOMENTUM, replace(o, shape=matrix_space((8, 1))), T=5, **RUN)
    np.testing.assert_array_equal(run.x, column.x)


@pytest.mark.verify
def test_an_objective_of_ones_own_says_the_shape_of_its_parameter():
    data = np.random.default_rng(0).standard_normal((9, 6))
    own = {"loss": lambda x, row: 0.5 * np.sum((x - row) ** 2), "gradient": lambda x, row: x - row, "x0": np.zeros(6)}
    assert lab.objective(data, **own).shape.shapes == ((6,),)
    for shape in ([(2, 2), [1, 2]], ((2, 2), (1, 2)), np.array([[2, 2], [1, 2]]), matrix_space((2, 2), (1, 2))):
        assert lab.objective(data, **own, shape=shape).shape == matrix_space((2, 2), (1, 2))
    assert lab.objective(data, **own, shape=[(2, 2), (2,)]).shape.shapes == ((2, 2), (2,))
    for shape in (6, (2, 3), [], [()], [(2, 3, 1)], [(2.0, 3)], [(True, 6)], [(-2, -3)], "23", [("2", "3")], [(2, None)]):
        with pytest.raises(ValueError, match=r"^shape = .*: shapes of vectors and matrices are needed, such as \[\(3, 4\), \(4,\)\]$"):
            lab.objective(data, **own, shape=shape)
    said = r"^shape: its arrays have 4 entries, but x0 of '<lambda> on n = 9 rows, d = 6' has 6; the two numbers must agree$"
    with pytest.raises(ValueError, match=said):
        lab.objective(data, **own, shape=[(2, 2)])


@pytest.mark.verify
def test_a_kernel_of_matrices_runs_on_an_objective_of_ones_own():
    data = np.random.default_rng(0).standard_normal((9, 8))
    o = lab.objective(data, lambda x, row: 0.5 * np.sum((x - row) ** 2), lambda x, row: x - row, x0=np.zeros(8), shape=[(2, 3), (2, 1)])
    same = replace(quadratic("flat", 8, 9, seed=5), data=data, x0=np.zeros(8), shape=o.shape)
    path, _ = twin(same, 6, 0, **RUN)
    np.testing.assert_allclose(simulate(MOMENTUM, o, T=6, **RUN).x[0], path[-1], rtol=1e-12)


# Another toy: stages of which each moves more coordinates than the one before, by a step of its own, and hands on the sum of its iterates.
@njit(nogil=True, error_model="numpy")
def growing(gradient, value_gradient, data, params, x, centre, handed, kept, step, alpha, z, value, grad_norm_sq, tau, x_tau):
    g = np.empty(x.shape[0])
    for t in range(z.shape[0]):
        if t == tau:
            x_tau[:] = x
        gradient(x, data[0], params, g)
        for j in range(z.shape[1]):
            i = kept[j] if len(kept) else j
            x[i] -= alpha * step * (g[i] + z[t, j] + (x[i] - centre[i]))
            handed[j] += x[i] / 8
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return z.shape[0]


def begun(space, settings, number, x, before, rng):
    kept = np.union1d(before.get("kept", np.empty(0, dtype=np.int64)), rng.integers(space.d, size=1 + number))
    return {"kept": kept, "step": 1.0 + x[0] ** 2, "scales": 2.0 * np.ones(len(kept))}


GROWING = Kernel(
    "growing",
    growing,
    draws=(Draw("z", NOISE, lambda space, known: (len(known["kept"]) if "kept" in known else space.d,)),),
    settings=(Setting("T", positive_integer, number=int, many=True),),
    stages=Stages(
        lambda space, s: s["T"] if isinstance(s["T"], tuple) else (s["T"],), begun, ("kept", "step", "scales"), 5, lambda s: True
    ),
)


@pytest.mark.parametrize("part", [True, False])
def test_a_kernel_with_stages_equals_its_twin_however_draws_are_cut(part, monkeypatch):
    o = OBJECTIVE if part else replace(OBJECTIVE, part=None)
    rng, noise, x, kept, path, handed = generator(3, 1, 5), generator(3, 1, NOISE), o.x0.copy(), np.empty(0, dtype=int), [], []
    for number, length in enumerate((4, 1, 6)):
        kept = np.union1d(kept, rng.integers(8, size=1 + number))
        centre, step, total = x.copy(), 1 + x[0] ** 2, 0.0
        path.append(x.copy())
        for t in range(length):
            x[kept] -= 0.1 * step * ((o.eigenvalues * (x - o.data[0]) + x - centre)[kept] + noise.standard_normal(len(kept)))
            total = total + x[kept] / 8
            path += [x.copy()] if t + 1 < length else []
        values = [x.copy()]
        x[kept] = total
        handed.append((values[0], x.copy(), kept))
    for floats, progress in ((2**20, None), (16, None), (8, None), (2**20, lambda *one: None)):
        monkeypatch.setattr("synthetic.draws.CHUNK_BYTES", 8 * floats)
        run = simulate(GROWING, o, alpha=0.1, T=(4, 1, 6), replicates=2, seed=3, progress=progress)
        np.testing.assert_allclose(run.x_tau[1], path[run.tau[1]], rtol=1e-10)
        np.testing.assert_allclose(run.stage_x[1], [one for _, one, _ in handed], rtol=1e-10)
        np.testing.assert_array_equal(run.x, run.stage_x[:, -1])
        values = [o.value_and_gradient(one) for one, _, _ in handed]
        np.testing.assert_allclose(run.loss[1, [4, 5, 11]], [v for v, _ in values], rtol=1e-10)
        np.testing.assert_allclose(run.grad_norm_sq[1, [4, 5, 11]], [g @ g for _, g in values], rtol=1e-10)
        np.testing.assert_allclose(run.stage_loss[1], [o.value_and_gradient(one)[0] for _, one, _ in handed], rtol=1e-10)
        np.testing.assert_array_equal(run.kept[1], [2.0 * np.isin(np.arange(8), one) for _, _, one in handed])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"stages": None}, "kernel growing: its loop takes 'centre', which is not one of"),
        ({"stages": replace(GROWING.stages, gives=("kept", "scales"))}, "kernel growing: its loop takes 'step', which is not one of "),
        ({"stages": replace(GROWING.stages, gives=("kept", "step", "alpha"))}, "kernel growing: the name 'alpha' occurs twice"),
        ({"stages": replace(GROWING.stages, stream=NOISE)}, "kernel growing: 'z' shares its stream with another draw"),
        ({"settings": (*GROWING.settings, Setting("F", positive_integer, 3, int)), "draws": (replace(GROWING.draws[0], every="F"),)},
         "kernel growing: in a method with stages, a row of a draw cannot be used for several steps"),
    ],
)  # fmt: skip
def test_a_record_of_stages_that_cannot_be_run_cannot_be_made(change, sentence):
    with pytest.raises(ValueError) as error:  # noqa: PT011
        replace(GROWING, **change)
    assert str(error.value).startswith(sentence)


def test_a_run_without_stages_has_none():
    run = simulate(DPZERO, OBJECTIVE, alpha=0.1, T=2, C=1, sigma=1)
    assert (run.stage_x, run.stage_loss, run.kept) == (None, None, None)


def test_the_repr_of_a_kernel_is_a_line():
    assert repr(MOMENTUM).startswith("Kernel(name='momentum', draws=(Draw(name='P', stream=4, every='F'), ")
    assert "function" not in repr(MOMENTUM)
    assert [one.name for one in DPZERO.settings] == ["lam", "direction", "sampling"]
