"""An objective of functions that Numba does not compile: the same numbers as compiled ones, and errors in a sentence with the line."""

import pickle
import re
import signal
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
from numba import config, njit

import theory_lab as lab
from synthetic.losses import python
from synthetic.methods.record import Kernel
from synthetic.runs.simulate import simulate

DATA = np.random.default_rng(0).standard_normal((7, 4))
START = {"x0": np.zeros(4), "optimum": DATA.mean(axis=0)}
PRIVATE = {"alpha": 0.1, "T": 5, "C": 1.0, "sigma": 0.1, "seed": 1}
CALLS = []


def loss(x, row):
    return np.sum(np.sqrt(1.0 + (x - row) ** 2))


def gradient(x, row):
    return (x - row) / np.sqrt(1.0 + (x - row) ** 2)


def losses(x, rows):
    CALLS.append(len(rows))
    return np.sqrt(1.0 + (x - rows) ** 2).sum(axis=1)


def gradients(x, rows):
    CALLS.append(-len(rows))
    return (x - rows) / np.sqrt(1.0 + (x - rows) ** 2)


@pytest.fixture(scope="module")
def plain():
    return lab.objective(DATA, loss, gradient, **START, framework="python", shape=[(2, 2)])


@pytest.fixture(scope="module")
def many():
    return lab.objective(DATA, losses, gradients, **START, vectorized=True, shape=[(2, 2)])


@pytest.mark.verify
@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("dpzero", PRIVATE),
        ("dpgd_0th", PRIVATE),
        ("dp_gd", PRIVATE),
        ("mezo", {"alpha": 0.1, "T": 5}),
        ("dp_gd", PRIVATE | {"batch_size": 2}),
        ("dp_grape", PRIVATE | {"r": 1}),
        ("dp_sgd", PRIVATE),
        ("dp_zoo", PRIVATE),
    ],
    ids=lambda one: one if isinstance(one, str) else "batch" if "batch_size" in one else "",
)
def test_a_method_runs_as_on_compiled_functions(method, settings, plain, many):
    compiled = lab.objective(DATA, loss, gradient, **START, framework="numba", shape=[(2, 2)])
    wanted = lab.simulate(method, compiled, **settings, threads=1)
    for own in (plain, many):
        run = lab.simulate(method, own, **settings, replicates=3, threads=2)
        for of in ("loss", "grad_norm_sq", "clipped", "x"):
            np.testing.assert_allclose(getattr(run, of)[:1], getattr(wanted, of), rtol=1e-12, err_msg=of)
        np.testing.assert_array_equal(run.x, lab.simulate(method, own, **settings, replicates=3, threads=1).x)


def test_rows_one_by_one_and_all_at_once_give_the_same_run(plain, many):
    """And F_S along it is that of NumPy; the compiled functions come with `make verify`."""
    runs = [lab.simulate("dpzero", own, **PRIVATE, replicates=3, threads=2) for own in (plain, many)]
    for of in ("loss", "grad_norm_sq", "x"):
        np.testing.assert_allclose(getattr(runs[0], of), getattr(runs[1], of), rtol=1e-12)
    wanted = [np.sqrt(1.0 + (x - DATA) ** 2).sum() / len(DATA) for x in runs[0].x]
    np.testing.assert_allclose(runs[0].loss[:, -1], wanted, rtol=1e-12)
    assert len({*runs[0].loss[:, -1]}) == 3
    np.testing.assert_array_equal(runs[1].x[:1], lab.simulate("dpzero", many, **PRIVATE).x)


def test_the_functions_say_that_they_are_not_compiled(plain, many):
    run = lab.simulate("dpzero", plain, **PRIVATE)
    assert "row by row, about 100 times slower than compiled code, because framework='python' asks for it" in run.remarks[-1]
    assert plain.python.remark in repr(plain)
    assert plain.python.remark.replace("'", "&#x27;") in plain._repr_html_().replace("&#39;", "&#x27;")
    assert "NumPy on all rows at once" in lab.simulate("dpzero", many, **PRIVATE).remarks[-1]


class Model:
    __hash__ = None

    def loss(self, x, row):
        return float(loss(x, row))

    def gradient(self, x, row):
        return gradient(x, row)


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_what_numba_cannot_compile_runs_as_plain_python():
    def formats(x, row):
        return float(f"{loss(x, row):.17g}")

    own = lab.objective(DATA, formats, gradient, **START)
    assert "because Numba cannot compile the loss: " in own.python.remark
    assert own.value_and_gradient(np.ones(4))[0] == pytest.approx(np.mean([loss(np.ones(4), row) for row in DATA]), rel=1e-15)
    assert lab.objective(DATA, Model().loss, Model().gradient, **START).python.framework == "python"
    with pytest.raises(ValueError, match="loss = formats: Numba cannot compile this function: "):
        lab.objective(DATA, formats, gradient, **START, framework="numba")
    with pytest.raises(ValueError, match="loss = formats: Numba cannot compile this function: "):
        lab.objective(DATA, njit(formats), gradient, **START)
    with pytest.raises(ValueError, match="loss: with framework='numba' a function made by def or lambda is needed"):
        lab.objective(DATA, Model().loss, gradient, **START, framework="numba")
    with pytest.raises(
        ValueError,
        match=r"loss = <lambda>: it fails at x0 and the first row of data, 4 and 4 numbers: NameError: .*_functions.py:\d+\)",
    ):
        lab.objective(DATA, lambda x, row: not_defined(x), gradient, **START)  # noqa: F821


def fails_at(row_number):
    def made(x, row):
        if row[0] == DATA[row_number, 0]:
            raise KeyError("no")
        return loss(x, row)

    return made


def writes_x(x, row):
    x += 1.0
    return loss(x, row)


def writes_row(x, row, params, out):
    out[:] = gradient(x, row)
    row[0] = 7.0


def half_filled(x, row, params, out):
    out[0] = (x - row)[0]


class Tensor:
    __module__ = "jaxlib"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"loss": fails_at(0)},
            r"loss = made: it fails at x0 and the first row of data, 4 and 4 numbers: KeyError: 'no' \(.*\.py:",
        ),
        ({"loss": fails_at(3)}, r"loss = made: it fails at x0 and row 3 of data: KeyError: 'no' \(.*functions.py:\d+\)$"),
        ({"loss": gradient}, "loss = gradient: one number is needed, but at x0 and the first row of data, 4 and 4 numbers it returns 4"),
        ({"loss": lambda x, row: None}, "loss = <lambda>: one number is needed, but .* it returns None"),
        ({"loss": lambda x, row: 1j}, "loss = <lambda>: one number is needed, but .* it returns 1j"),
        ({"loss": lambda x, row: np.log(row[0] - 0.5)}, "loss: it is not finite at x0 and row 0 of data"),
        ({"loss": writes_x}, "loss: it changes x or the row at x0 and row 0 of data"),
        ({"loss": lambda x, row: Tensor()}, "but .* it returns an array of jaxlib: with framework='jax' it can be used"),
        ({"loss": lambda x: 1.0}, r"loss = <lambda>: a function of \(x, row\) or of \(x, row, params\) is needed"),
        ({"loss": 3}, r"loss = 3: a function of \(x, row\)"),
        (
            {"gradient": lambda x, row: (x - row)[:2]},
            r"gradient = .*: an array of shape \(4,\) is needed, but .* it returns shape \(2,\)",
        ),
        ({"gradient": lambda x, row: 2 * gradient(x, row)}, "gradient = <lambda>: the gradient of the loss is needed; near x0"),
        ({"gradient": writes_row}, "gradient: it changes x or the row at x0 and row 0 of data"),
        ({"gradient": half_filled}, "gradient: it is not finite at x0 and row 0 of data"),
        ({"gradient": None}, "gradient = None: a function of .* framework='jax' and framework='torch' derive it"),
        ({"framework": "tensorflow"}, "framework = 'tensorflow': one of numba, python, jax, torch is needed"),
        ({"constants": {"L": 0.1}}, r"constants\['L'\] = 0.1: at least \S+, the longest gradient"),
    ],
)
def test_a_mistake_in_a_python_function_is_named(changed, said):
    with pytest.raises(ValueError, match=said):
        lab.objective(**{"data": DATA, "loss": loss, "gradient": gradient, **START, "framework": "python", **changed})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"loss": loss}, r"loss = loss: an array of shape \(7,\) is needed, but at x0 and rows .* it returns shape \(\)"),
        ({"loss": lambda x, rows: losses(x, rows) + rows.sum()}, "loss = <lambda>: one number for each row is needed, but at x0 and row 0"),
        (
            {"gradient": lambda x, rows: gradients(x, rows)[:, :2]},
            r"shape \(7, 4\) is needed, but .* it returns shape \(7, 2\)",
        ),
        ({"gradient": lambda x, rows: gradients(x, rows) / (rows != DATA[5])}, "gradient: it is not finite at x0 and row 5 of data"),
        ({"gradient": lambda x, rows: 2 * gradients(x, rows)}, "gradient = <lambda>: the gradient of the loss is needed"),
        ({"gradient": lambda x, rows, params, out: None}, r"gradient = <lambda>: a function of \(x, row\) or of \(x, row, params\)"),
        ({"framework": "numba"}, "vectorized = True: framework = 'numba' needs functions of one row"),
        ({"framework": "jax"}, "vectorized = True: framework = 'jax' needs functions of one row"),
    ],
)
def test_a_mistake_in_a_function_of_all_rows_is_named(changed, said):
    with pytest.raises(ValueError, match=said):
        lab.objective(**{"data": DATA, "loss": losses, "gradient": gradients, **START, "vectorized": True, **changed})


def test_an_error_in_a_run_ends_all_replicates_and_names_the_line():
    def far(x, row):
        if x @ x > 0.1:
            raise IndexError("too far")
        return loss(x, row)

    own = lab.objective(DATA, far, gradient, x0=np.zeros(4), optimum=np.zeros(4), framework="python")
    said = rf"^loss = far: it fails: IndexError: too far \({re.escape(__file__)}:\d+\)$"
    with pytest.raises(ValueError, match=said):
        lab.simulate("dpzero", own, **PRIVATE | {"T": 2000}, replicates=4, threads=3)
    assert own.value_and_gradient(np.zeros(4))[0] > 0  # a run that ended so leaves nothing behind


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="no signals to a thread")
def test_ctrl_c_ends_a_run_of_python_functions():
    asked = 0

    def interrupts(x, row):
        nonlocal asked
        asked += 1
        if asked == 300:
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return loss(x, row)

    own = lab.objective(DATA, interrupts, gradient, **START, framework="python")
    with pytest.raises(KeyboardInterrupt):
        lab.simulate("dpzero", own, **PRIVATE | {"T": 1_000_000}, threads=2)
    assert asked < 1_000_000


def direct(own, function, x, row):
    """Return a loss or a gradient without the cache."""
    return own.python.loss(x, row) if function == "loss" else own.python.gradient(x, row)


def asked(own, function, x, row):
    """Return a loss or a gradient as a kernel asks for it."""
    if function == "loss":
        return own.loss(x, row, own.params)
    out = np.full(4, np.nan)
    own.gradient(x, row, own.params, out)
    return out


@pytest.mark.parametrize("rows", [1, 3, 100])
@pytest.mark.parametrize("function", ["loss", "gradient"])
def test_the_cache_answers_as_the_functions_do(rows, function, many, monkeypatch):
    """Points and rows in any order, also rows that are no rows of the data, blocks that do not divide n, and points that are not finite."""
    monkeypatch.setattr(python, "BLOCK_BYTES", rows * 32)
    own, rng = many.for_replicate(np.zeros(1, np.int64)), np.random.default_rng(rows)
    points = rng.standard_normal((6, 4)).round(1)
    points[3] = points[2] + [0.0, 0.0, 0.0, 1.0]
    points[4, 1], points[5, 0] = np.nan, np.inf
    copies = own.data.copy()
    for _ in range(300):
        x, i = points[rng.integers(6)].copy(), rng.integers(7)
        row = own.data[i] if rng.random() < 0.9 else copies[i]
        np.testing.assert_array_equal(asked(own, function, x, row), direct(own, function, x, row))
    square = np.ascontiguousarray(own.data[:4])
    other = replace(own, data=square, params=own.params._replace(data=square))
    column = square[:, 0]  # begins where the first row does
    assert asked(other, "loss", points[0], column) == direct(other, "loss", points[0], column.copy())


def test_all_rows_are_computed_once_for_a_point(many):
    own = many.for_replicate(np.zeros(1, np.int64))
    plus, minus = np.ones(4), np.full(4, np.nan)
    CALLS.clear()
    for row in own.data:
        asked(own, "loss", plus, row), asked(own, "loss", minus, row), asked(own, "gradient", plus, row)
    assert CALLS == [7, 7, -7]
    CALLS.clear()
    lab.simulate("dpzero", many, **PRIVATE)
    assert [n for n in CALLS if n > 0].count(7) == 1 + 3 * PRIVATE["T"]  # two points and the mean in each step
    fresh = many.for_replicate(np.zeros(1, np.int64))
    CALLS.clear()
    asked(fresh, "loss", plus, fresh.data[0])
    assert CALLS == [7]  # nothing is shared with another replicate


def test_blocks_that_answer_few_questions_are_not_computed_any_more():
    data = np.random.default_rng(0).standard_normal((1000, 4))
    own = lab.objective(data, losses, gradients, x0=np.zeros(4), optimum=np.zeros(4), vectorized=True).for_replicate(np.zeros(1, np.int64))
    CALLS.clear()
    for t in range(60):
        asked(own, "loss", np.full(4, float(t)), own.data[t])
    assert CALLS.count(1000) == python.SLOTS["losses"] + python.TRIES - 1
    assert CALLS[-30:] == [1] * 30


def test_a_run_that_is_stopped_raises(plain):
    with pytest.raises(python.Stopped):
        asked(plain.for_replicate(np.ones(1, np.int64)), "loss", np.zeros(4), DATA[0])


def test_objectives_of_functions_of_a_module_can_be_pickled(plain, many):
    for own in (plain, many):
        functions = pickle.loads(pickle.dumps(own.python))
        x = np.ones(4)
        assert functions.mean(x, DATA)[0] == own.value_and_gradient(x)[0]
        assert python.FUNCTIONS[own.python.handle] is functions
        python.FUNCTIONS[own.python.handle] = own.python


def test_params_reach_functions_of_all_kinds():
    given = {"params": (2.0, {"shift": 1.0}), "x0": np.zeros(4), "optimum": np.zeros(4)}

    def long_loss(x, row, params):
        return params[0] * loss(x, row) + params[1]["shift"]

    def long_gradient(x, row, params, out):
        out[:] = params[0] * gradient(x, row)

    def of_rows(x, rows, params):
        return params[0] * losses(x, rows) + params[1]["shift"]

    one = lab.objective(DATA, long_loss, long_gradient, **given, framework="python")
    two = lab.objective(DATA, of_rows, lambda x, rows, params: params[0] * gradients(x, rows), **given, vectorized=True)
    x = np.ones(4)
    value = 2 * np.mean([loss(x, row) for row in DATA]) + 1
    slope = 2 * np.mean([gradient(x, row) for row in DATA], axis=0)
    for own in (one, two):
        assert own.value_and_gradient(x)[0] == pytest.approx(value, rel=1e-14)
        np.testing.assert_allclose(own.value_and_gradient(x)[1], slope, rtol=1e-14)
        assert asked(own, "loss", x, DATA[0]) == pytest.approx(2 * loss(x, DATA[0]) + 1, rel=1e-14)


def test_a_kernel_of_ones_own_that_asks_for_many_points_of_a_row_gets_the_same_numbers(many):
    """Row after row at more points than the cache holds: blocks do not pay, and are given up."""

    @njit(nogil=True, error_model="numpy")
    def probe(loss, data, params, x, alpha, value, grad_norm_sq):
        points = np.empty((6, x.shape[0]))
        for k in range(6):
            points[k] = x + k * alpha
        total = 0.0
        for i in range(data.shape[0]):
            for k in range(6):
                total += loss(points[k], data[i], params)
        value[:], grad_norm_sq[:] = total, 0.0
        return len(value)

    run = simulate(Kernel("probe", probe), many, alpha=0.1, T=1)
    wanted = sum(loss(np.full(4, k * 0.1), row) for k in range(6) for row in DATA)
    assert run.loss[0, -1] == pytest.approx(wanted, rel=1e-13)


@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_a_framework_that_is_not_installed_is_named(framework, monkeypatch):
    monkeypatch.setitem(sys.modules, framework, None)
    with pytest.raises(ValueError, match=rf"framework = '{framework}': \w+ cannot be imported .*\[{framework}\]'"):
        lab.objective(DATA, loss, **START, framework=framework)


@pytest.mark.parametrize("framework", ["jax", "torch"])
def test_a_framework_gives_the_numbers_of_numpy(framework, many):
    xp = pytest.importorskip({"jax": "jax.numpy", "torch": "torch"}[framework], reason=f"{framework} is not installed")

    def own_loss(x, row):
        return xp.sqrt(1.0 + (x - row) ** 2).sum()

    def own_gradient(x, row):
        return (x - row) / xp.sqrt(1.0 + (x - row) ** 2)

    derived = lab.objective(DATA, own_loss, **START, framework=framework)
    given = lab.objective(DATA, own_loss, own_gradient, **START, framework=framework)
    for method in ("dpzero", "dp_gd"):
        wanted = lab.simulate(method, many, **PRIVATE)
        for own in (derived, given):
            run = lab.simulate(method, own, **PRIVATE, replicates=3, threads=2)
            np.testing.assert_allclose(run.loss[:1], wanted.loss, rtol=1e-12)
            np.testing.assert_allclose(run.grad_norm_sq[:1], wanted.grad_norm_sq, rtol=1e-12)
    assert xp.asarray(np.ones(1).tolist()).dtype == xp.float32  # what holds outside is left as it is
    with pytest.raises(ValueError, match=r"loss = <lambda>: numbers of double precision are needed, but .* it returns float32"):
        lab.objective(DATA, lambda x, row: xp.asarray(own_loss(x, row), dtype=xp.float32), **START, framework=framework)
    with pytest.raises(ValueError, match="loss = <lambda>: it fails at x0"):
        lab.objective(DATA, lambda x, row: own_loss(x, row[:3]), **START, framework=framework)
    with pytest.raises(ValueError, match=rf"it returns an array of {framework}\w*: with framework='{framework}' it can be used"):
        lab.objective(DATA, lambda x, row: xp.zeros(()), gradient, **START, framework="python")
