"""An objective of one's own: built from two plain functions, or refused in a sentence that names the argument."""

import re

import numpy as np
import pytest
from numba import config, njit

import theory_lab as lab
from bounds import html

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


@pytest.mark.slow
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


def test_the_long_signatures_are_those_of_the_kernels():
    own = lab.objective(DATA, long_loss, long_gradient, x0=np.zeros(4), params=(2.0,), optimum=DATA.mean(axis=0))
    short = lab.objective(DATA, loss, gradient, x0=np.zeros(4))
    runs = [lab.simulate("dp_gd", one, alpha=a, T=4, C=c, sigma=s).x for one, a, c, s in ((own, 0.05, 2.0, 0.2), (short, 0.1, 1.0, 0.1))]
    np.testing.assert_allclose(*runs, rtol=1e-12)


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
        ({"loss": lambda x, row: x - row}, "loss = <lambda>: one number is needed, and at x0 and the first row of data it returns 4"),
        ({"gradient": lambda x, row: 2 * (x - row)}, "gradient = <lambda>: the gradient of the loss is needed; near x0"),
        ({"gradient": lambda x, row: row - x}, "and differences of the loss give"),
        ({"constants": 3}, "constants = 3: a dictionary is needed"),
        ({"constants": {"lip": 1.0}}, "constants has 'lip': one of L, ell, r, gap, B, mu is needed"),
        ({"constants": {"L": -1.0}}, r"constants\['L'\] = -1.0: a number from 0 on, or inf where there is none, is needed"),
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


def test_a_kink_at_x0_is_no_wrong_gradient_and_what_is_not_finite_near_it_is_not_compared():
    lab.objective(DATA, lambda x, row: np.sum(np.abs(x)), lambda x, row: np.sign(x), x0=np.zeros(4))
    lab.objective(DATA, lambda x, row: np.sum(np.sqrt(x - 1.0)), lambda x, row: 0 * x, x0=np.ones(4), optimum=np.ones(4))


def test_many_coordinates_are_compared_along_directions():
    data = np.random.default_rng(0).standard_normal((3, 200))
    lab.objective(data, loss, gradient, x0=np.zeros(200))
    with pytest.raises(ValueError, match="along a direction at random"):
        lab.objective(data, loss, lambda x, row: 1.01 * (x - row), x0=np.zeros(200))


@pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")
def test_what_numba_cannot_compile_is_named():
    with pytest.raises(ValueError, match="loss = <lambda>: Numba cannot compile it"):
        lab.objective(DATA, lambda x, row: __import__("math").pi, gradient, x0=np.zeros(4))


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


@pytest.mark.parametrize("order", [1, -1])
def test_L_is_compared_with_the_longest_gradient_wherever_its_row_stands(order):
    data = np.array([[5.0, 0.0], [0.0, 1.0]])[::order]
    with pytest.raises(ValueError, match=r"constants\['L'\] = 2: at least 5, the longest"):
        lab.objective(data, loss, gradient, x0=np.zeros(2), constants={"L": 2.0})


@pytest.mark.slow
def test_d_is_the_length_of_x_and_not_of_a_row():
    def squares(x, row):
        return 0.5 * (np.sum(x * row[:2]) - row[2]) ** 2

    def slope(x, row):
        return (np.sum(x * row[:2]) - row[2]) * row[:2]

    own = lab.objective(np.random.default_rng(0).standard_normal((9, 3)), squares, slope, x0=np.ones(2))
    assert (own.constants["n"], own.constants["d"], own.d) == (9, 2, 2)
