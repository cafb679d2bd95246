"""An objective of one's own: built from two plain functions, or refused in a sentence that names the argument."""

import re
from functools import partial
from types import ModuleType

import numpy as np
import pytest
from numba import config, njit

import theory_lab as lab
from bounds.typeset import html

DATA = np.random.default_rng(0).standard_normal((30, 4))
ELL = {"ell": 1.0, "L": 9.0, "gap": 3.0}


def loss(x, row):
    return 0.5 * np.sum((x - row) ** 2)


def gradient(x, row):
    return x - row


@njit
def long_loss(x, row, params):
    return 0.5 * params[0] * np.sum((x - row) ** 2)


@njit
def long_gradient(x, row, params, out):
    for j in range(len(x)):
        out[j] = params[0] * (x[j] - row[j])


def test_two_plain_functions_make_an_objective_that_every_method_runs_on():
    own = lab.objective(DATA, loss, gradient, x0=np.zeros(4), constants=ELL)
    mean = DATA.mean(axis=0)
    np.testing.assert_allclose(own.optimum, mean, atol=1e-8)
    value, slope = own.value_and_gradient(np.ones(4))
    assert value == pytest.approx(np.mean([loss(np.ones(4), row) for row in DATA]))
    np.testing.assert_allclose(slope, 1 - mean)
    assert own.constants == {"n": 30, "d": 4, **ELL}
    for method in ("dpzero", "dp_gd"):
        assert lab.simulate(method, own, alpha=0.1, T=4, C=1.0, sigma=0.01).loss[0, -1] < own.value_and_gradient(own.x0)[0]
    plan = lab.recommend("dpzero", own, epsilon=1.0, delta=1e-6)
    assert plan.problem["L"] == 9.0


@njit
def beyond(row, k):
    return row[k]


@njit(parallel=False)
def further(row, k=4):
    return beyond(row, k) if k > 0 else further(row, k + 1)


HELPERS = ModuleType("helpers")
HELPERS.beyond = beyond
enclosed = (lambda helper: lambda x, row: 0.5 * np.sum((x - row) ** 2) + 0.0 * helper(row))(further)


@pytest.mark.parametrize(
    "reads",
    [
        lambda x, row: 0.5 * np.sum((x - row) ** 2) + 0.0 * beyond(row, len(row)),
        lambda x, row: 0.5 * np.sum((x - row) ** 2) + 0.0 * further(row),
        lambda x, row: 0.5 * np.sum((x - row) ** 2) + 0.0 * HELPERS.beyond(row, len(row)),
        enclosed,
        njit(enclosed),
    ],
    ids=["called", "through another", "of a module", "in a closure", "jitted"],
)
def test_a_jitted_function_that_is_called_is_tried_with_its_indices_checked(reads):
    """It reads what stands behind the row, where nothing falls over, and the numbers are as if it did not."""
    with pytest.raises(ValueError, match=r"loss = .*: it fails at x0 and the first row of data, 4 and 4 numbers: IndexError: index is out"):
        lab.objective(DATA, reads, gradient, x0=np.zeros(4))


@pytest.mark.verify
def test_a_jitted_function_that_is_called_stays_as_it_is():
    """The trial has a copy of it: what runs is the caller's own, and what it makes of a recursion and of a default is the same."""
    own = lab.objective(DATA, lambda x, row: 0.5 * np.sum((x - row) ** 2) + 0.0 * further(row, -2), gradient, x0=np.zeros(4))
    assert own.value_and_gradient(own.x0)[0] == pytest.approx(0.5 * np.mean(np.sum(DATA**2, axis=1)))
    assert not further.targetoptions.get("boundscheck")


@pytest.mark.verify
def test_the_long_signatures_are_those_of_the_kernels():
    own = lab.objective(DATA, long_loss, long_gradient, x0=np.zeros(4), params=(2.0,), optimum=DATA.mean(axis=0))
    short = lab.objective(DATA, loss, gradient, x0=np.zeros(4))
    runs = [lab.simulate("dp_gd", one, alpha=a, T=4, C=c, sigma=s).x for one, a, c, s in ((own, 0.05, 2.0, 0.2), (short, 0.1, 1.0, 0.1))]
    np.testing.assert_allclose(*runs, rtol=1e-12)


@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"loss": lambda x: 1.0}, r"loss = <lambda>: a function of \(x, row\) or of \(x, row, params\) is needed"),
        ({"gradient": 3}, r"gradient = 3: a function of \(x, row\) or of \(x, row, params, out\) is needed"),
        ({"gradient": lambda x, row: (x - row)[:2]}, "gradient = <lambda>: it fails at x0 and the first row of data"),
        ({"loss": lambda x, row: np.log(-1.0 - x[0] ** 2)}, "loss: it is not finite at x0"),
        ({"data": [[np.nan] * 4]}, "data has 4 entries that are NaN"),
        ({"x0": [[0.0] * 4]}, "x0"),
        ({"x0": None}, "x0 = None: the start is needed, d numbers"),
        ({"x0": [0.0] * 3}, "it fails at x0 and the first row of data, 3 and 4 numbers"),
        ({"x0": [0.0, np.nan, 0.0, 0.0]}, "x0 has 1 entries that are NaN or infinite"),
        ({"loss": max}, r"loss = max: a function of \(x, row\) or of \(x, row, params\) is needed"),
        ({"loss": lambda x, row: x - row}, "loss = <lambda>: one number is needed, but at x0 and the first row of data it returns 4"),
        ({"gradient": lambda x, row: 2 * (x - row)}, "gradient = <lambda>: the gradient of the loss is needed; near x0"),
        ({"gradient": lambda x, row: row - x}, "but finite differences of the loss give"),
        ({"constants": 3}, "constants = 3: a dictionary is needed"),
        ({"constants": {"lip": 1.0}}, "constants has the key 'lip': one of L, ell, r, gap, B, mu is needed"),
        ({"constants": {"L": -1.0}}, r"constants\['L'\] = -1.0: a number of at least 0, or inf where there is none, is needed"),
        ({"constants": {"ell": "1"}}, r"constants\['ell'\] = '1': a number from 0 on"),
        ({"constants": {"r": 5.0}}, r"constants\['r'\] = 5.0: a number from 1 to d = 4 is needed"),
        ({"constants": {"L": 0.5}}, r"constants\['L'\] = 0.5: at least \S+, the longest gradient of a row at x0, is needed"),
        ({"constants": {"gap": 0.0}}, r"constants\['gap'\] = 0: at least \S+, F_S\(x0\) - F_S\(optimum\), is needed"),
        ({"loss": lambda x, row: -1e300 * np.sum(x * row), "gradient": lambda x, row: -1e300 * row}, "optimum: a search from x0"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_what_does_not_fit_is_named(changed, said):
    with pytest.raises(ValueError, match=said):
        lab.objective(**({"data": DATA, "loss": loss, "gradient": gradient, "x0": np.zeros(4)} | changed))


@pytest.mark.verify
def test_a_kink_at_x0_is_no_wrong_gradient_and_what_is_not_finite_near_it_is_not_compared():
    lab.objective(DATA, lambda x, row: np.sum(np.abs(x)), lambda x, row: np.sign(x), x0=np.zeros(4))
    lab.objective(DATA, lambda x, row: np.sum(np.sqrt(x - 1.0)), lambda x, row: 0 * x, x0=np.ones(4), optimum=np.ones(4))


@pytest.mark.verify
def test_many_coordinates_are_compared_along_directions():
    data = np.random.default_rng(0).standard_normal((3, 200))
    lab.objective(data, loss, gradient, x0=np.zeros(200))
    with pytest.raises(ValueError, match="along a random direction"):
        lab.objective(data, loss, lambda x, row: 1.01 * (x - row), x0=np.zeros(200))


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_what_numba_cannot_compile_is_named():
    with pytest.raises(ValueError, match="loss = <lambda>: Numba cannot compile this function: "):
        lab.objective(DATA, lambda x, row: __import__("math").pi, gradient, x0=np.zeros(4), framework="numba")


class Callable:
    __hash__ = None

    def __call__(self, x, row):
        return loss(x, row)

    def method(self, x, row):
        return loss(x, row)


def fails(error):
    def made(x, row):
        raise error

    return made


def out_of_bounds(x, row, params, out):
    out[:] = x - row
    out[4] = 1.0


def writes_row(x, row, params, out):
    out[:] = x - row
    row[0] = 7.0


def writes_x(x, row):
    x[0] += 1.0
    return 0.5 * np.sum((x - row) ** 2)


def half_filled(x, row, params, out):
    out[0] = x[0] - row[0]


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"loss": lambda x, row: row[4] + 0.5 * np.sum((x - row) ** 2)},
            "loss = <lambda>: it fails at x0 and the first row of data, 4 and 4",
        ),
        (
            {"loss": njit(lambda x, row: row[4] + 0.0)},
            "loss = <lambda>: it fails at x0 and the first row of data, 4 and 4 numbers: IndexError",
        ),
        ({"gradient": out_of_bounds}, "gradient = out_of_bounds: it fails at x0 and the first row of data"),
        ({"gradient": njit(out_of_bounds)}, "gradient = out_of_bounds: it fails at x0 and the first row of data"),
        (
            {"loss": lambda x, row: row[int(row[0] > 2.2) * 9] + 0 * x[0]},
            r"loss or gradient: one of them fails at x0 and row 8 of data: IndexError",
        ),
        ({"loss": lambda x, row: 0.5 * np.sum((x - row) ** 2) + np.log(2.2 - row[0])}, "loss: it is not finite at x0 and row 8 of data"),
        ({"gradient": lambda x, row: x - row + 0 * np.log(2.2 - row[0])}, "gradient: it is not finite at x0 and row 8 of data"),
        ({"gradient": half_filled}, "gradient: it is not finite at x0 and row 0 of data"),
        ({"gradient": writes_row}, "gradient: it changes x or the row at x0 and row 0 of data"),
        ({"loss": writes_x}, "loss: it changes x or the row at x0 and row 0 of data"),
        ({"loss": lambda x, row: None}, "loss = <lambda>: one number is needed, but at x0 and the first row of data it returns None"),
        ({"loss": lambda x, row: "text"}, "loss = <lambda>: one number is needed, but at x0 and the first row of data it returns 'text'"),
        ({"loss": lambda x, row: 1j * x[0]}, "loss = <lambda>: one number is needed"),
        ({"loss": Callable(), "framework": "numba"}, "loss: with framework='numba' a function made by def or lambda is needed"),
        ({"loss": Callable.method}, "loss = method: it fails at x0 and the first row of data"),
        ({"gradient": partial(gradient, 1)}, r"gradient = functools.partial.*: a function of \(x, row\) or of"),
        ({"loss": fails(RuntimeError("no"))}, "loss = made: "),
        ({"loss": fails(KeyError("no"))}, "loss = made: "),
        ({"loss": fails(AssertionError())}, "loss = made: "),
        ({"params": [1.0]}, r"params = \[1.0\]: a tuple is needed"),
        ({"constants": {"L": complex(np.inf, 0.0)}}, r"constants\['L'\] = .*: a number from 0 on"),
        ({"constants": {"L": np.array([1.0, 2.0])}}, r"constants\['L'\] = .*: a number from 0 on"),
        ({"constants": {"L": np.array(np.inf)}}, r"constants\['L'\] = .*: a number from 0 on"),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_function_that_reads_or_writes_where_it_should_not_is_refused(changed, said):
    data = DATA.copy()
    data[8, 0] = 3.0
    kept = data.copy()
    with pytest.raises(ValueError, match=said):
        lab.objective(**({"data": data, "loss": loss, "gradient": gradient, "x0": np.zeros(4)} | changed))
    np.testing.assert_array_equal(data, kept)


def test_what_the_caller_does_to_its_arrays_later_changes_no_objective():
    data, x0, optimum, scale = DATA.copy(), np.zeros(4), np.ones(4), np.ones(1)
    own = lab.objective(data, array_loss, array_gradient, x0=x0, optimum=optimum, params=(scale,))
    for mine in (data, x0, optimum, scale):
        mine += 5.0
    np.testing.assert_array_equal(own.data, DATA)
    np.testing.assert_array_equal(own.x0, np.zeros(4))
    np.testing.assert_array_equal(own.optimum, np.ones(4))
    np.testing.assert_array_equal(own.params[0], np.ones(1))


def array_loss(x, row, params):
    return 0.5 * params[0][0] * np.sum((x - row) ** 2)


def array_gradient(x, row, params, out):
    out[:] = params[0][0] * (x - row)


@pytest.mark.verify
def test_a_global_that_changes_is_seen_by_the_next_objective(monkeypatch):
    for k in (1.0, 10.0):
        monkeypatch.setitem(globals(), "K", k)
        own = lab.objective(DATA, scaled_loss, scaled_gradient, x0=np.zeros(4), optimum=DATA.mean(axis=0))
        np.testing.assert_allclose(own.value_and_gradient(np.ones(4))[1], k * (1 - DATA.mean(axis=0)))


K = 1.0


def scaled_loss(x, row):
    return 0.5 * K * np.sum((x - row) ** 2)


def scaled_gradient(x, row):
    return K * (x - row)


def test_results_are_short_to_read_and_tables_in_a_notebook():
    problem = {"n": 10_000, "d": 200, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0}
    landscape = lab.random_phase_cosines(3)
    shown = [
        lab.recommend("dpzero", **problem, B=1.0),
        lab.recommend("gauss_psgd", landscape, n=20_000, epsilon=8.0, delta=1e-5),
        lab.THEOREMS["dpzero.theorem3"].evaluate(**problem, r=5.0, B=1.0),
        lab.grid("dpzero", lab.quadratic("flat", 3, 20, 0), alphas=[0.1], horizons=[4], clips=[1.0], epsilon=2.0, delta=1e-6),
        lab.check("dpzero.table1.*", quick=True),
    ]
    for one in shown:
        text = one._repr_html_()
        assert text.startswith("<table><caption>")
        assert text.count("<tr>") == text.count("</tr>") > 1
        assert text.count("<table>") == 1
    runs = lab.escape(landscape, eta=0.1, T=5, sigma=0.1), lab.couple(landscape, eta=0.1, T=5, sigma=0.1)
    for one in (*shown, *runs, lab.THEOREMS, lab.THEOREMS["dpzero.theorem3"], lab.DERIVATIONS["dpzero.theorem3"], shown[-1][0], landscape):
        assert len(repr(one)) < 400, type(one)


def test_the_table_of_a_grid_has_the_sigma_of_the_setting_that_it_names():
    objective = lab.quadratic("flat", 3, 20, 0)
    grid = lab.grid("dpzero", objective, alphas=[0.1], horizons=[4, 9], clips=[1e-6, 2.0], epsilon=50.0, delta=1e-6)
    i, j, k = grid.best("loss_train")
    assert k == 1
    best = ("loss_train", float(grid.loss_train[i, j, k]), 0.1, int(grid.horizons[j]), 2.0, float(grid.sigma[j, k]))
    (row,) = re.findall(r"<tr>(?:<t[dh][^>]*>)loss_train.*?</tr>", html.table("", (), [best]), re.DOTALL)
    assert row in grid._repr_html_()


def test_a_loss_below_minus_B_is_refused():
    def low(x, row):
        return 0.5 * np.sum((x - row) ** 2) - 100.0

    with pytest.raises(ValueError, match=r"constants\['B'\] = 5: at least 9\S+, \|F_S\(x0\)\|, is needed"):
        lab.objective(DATA, low, gradient, x0=np.zeros(4), constants={"B": 5.0})


@pytest.mark.sample(1)
@pytest.mark.parametrize("order", [1, -1])
def test_L_is_compared_with_the_longest_gradient_wherever_its_row_stands(order):
    data = np.array([[5.0, 0.0], [0.0, 1.0]])[::order]
    with pytest.raises(ValueError, match=r"constants\['L'\] = 2: at least 5, the longest"):
        lab.objective(data, loss, gradient, x0=np.zeros(2), constants={"L": 2.0})


@pytest.mark.verify
def test_d_is_the_length_of_x_and_not_of_a_row():
    def squares(x, row):
        return 0.5 * (np.sum(x * row[:2]) - row[2]) ** 2

    def slope(x, row):
        return (np.sum(x * row[:2]) - row[2]) * row[:2]

    own = lab.objective(np.random.default_rng(0).standard_normal((9, 3)), squares, slope, x0=np.ones(2))
    assert (own.constants["n"], own.constants["d"], own.d) == (9, 2, 2)
