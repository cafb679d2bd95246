"""`predict` of a method of one's own, by its linear step: the call, the command, and what is refused."""

import json
from dataclasses import replace
from typing import Annotated

import numpy as np
import pytest

import theory_lab as lab
from synthetic.distribution import quadratic
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues
from tests.synthetic.contracts.test_linear import heavy_ball
from tests.theory_lab.test_own_method import METHOD, moving
from tests.theory_lab.test_predict import refused
from theory_lab.cli import main
from theory_lab.methods.own import Between, Number, PrivateDescent, Z, declare, vector

AT = {"spectrum": "inverse", "d": 40, "n": 300, "alpha": 0.1, "T": 5, "replicates": 3}
NOISE = {"C": 1.0, "sigma": 0.1}
FILE = """
from tests.theory_lab.test_own_method import moving
from theory_lab.methods.own import Annotated, Between, PrivateDescent, Z, declare, vector


class Rolling(PrivateDescent):
    \"\"\"Momentum.\"\"\"

    beta: Annotated[float, Between(0, 1, "share of the velocity that is kept")] = 0.9


def rolling_step(x, g, velocity, alpha, beta):
    velocity = beta * velocity + g
    return x - alpha * velocity, velocity


METHOD = declare(Rolling, moving, draws=Z, state={"velocity": vector}, linear_step=rolling_step)
"""


class Rolling(PrivateDescent):
    """Momentum on noisy clipped gradients, and a setting that must be given."""

    beta: Annotated[float, Between(0, 1, "share of the velocity that is kept")] = 0.9


class Needy(PrivateDescent):
    """Momentum with a setting that has no default."""

    beta: Annotated[float, Number("share of the velocity that is kept")]


ROLLING = declare(Rolling, moving, draws=Z, state={"velocity": vector}, linear_step=heavy_ball)
NEEDY = declare(Needy, moving, draws=Z, state={"velocity": vector}, linear_step=heavy_ball)


@pytest.mark.parametrize("method", [Rolling, ROLLING])
def test_the_numbers_are_those_of_the_engine_with_the_matrix_of_the_step(method):
    found = lab.predict(method, **AT, **NOISE, beta=0.5, seed=4, distance=2.0, times=[2])
    settings = Settings(np.array([0.1]), np.array([5]), np.array([1.0]), np.array([0.1]))
    of = quadratic.Conditions(group_eigenvalues("inverse", 40), 300, distance=2.0, seed=4, replicates=3)
    matrix = np.array([[1.0, -0.1 * 0.5, -0.1], [0.0, 0.5, 1.0]])
    np.testing.assert_allclose(found.values, quadratic.measures_of_linear(matrix, settings, of, np.array([0, 2, 5]))[:, :, 0], rtol=1e-12)
    assert (found.method, found.settings["beta"]) == ("rolling", 0.5)
    assert found.title == "rolling on inverse, d = 40, n = 300, T = 5"


def test_the_default_of_a_setting_counts():
    usual = lab.predict(Rolling, **AT, **NOISE)
    assert usual.settings["beta"] == 0.9
    np.testing.assert_array_equal(usual.values, lab.predict(Rolling, **AT, **NOISE, beta=0.9).values)
    assert not np.any(usual.values[:, :, -1] == lab.predict(Rolling, **AT, **NOISE, beta=0.8).values[:, :, -1])


def test_the_noise_of_its_privacy_is_that_of_dp_gd():
    budget = {"C": 1.0, "epsilon": 2.0, "delta": 1e-6}
    for accountant in ("lemma", "exact"):
        own, plain = (lab.predict(name, **AT, **budget, accountant=accountant) for name in (Rolling, "dp_gd"))
        assert own.settings["sigma"] == plain.settings["sigma"]


def test_the_class_of_a_method_of_the_lab_is_that_method():
    np.testing.assert_array_equal(lab.predict(lab.DPGD, **AT, **NOISE).values, lab.predict("dp_gd", **AT, **NOISE).values)


@pytest.mark.parametrize(
    ("method", "given", "kind", "said"),
    [
        (METHOD, {}, ValueError, "method = moving: it declares no linear_step, which a prediction needs; `simulate` runs it on data$"),
        (Rolling, {"bet": 0.5}, TypeError, "bet = 0.5: no such argument; the nearest is beta; the arguments are method, .*, beta$"),
        (Rolling, {"beta": 1.5}, ValueError, "beta = 1.5: a number strictly between 0 and 1 is needed"),
        (Rolling, {"direction": "sphere"}, ValueError, "direction = 'sphere': rolling takes no direction; leave it out"),
        (Needy, {}, TypeError, "beta is missing: beta is needed"),
        ("dp_gd", {"beta": 0.5}, TypeError, "beta = 0.5: no such argument"),
        (Rolling(alpha=0.1, T=3, C=1.0, sigma=0.1), {}, ValueError, "method = Rolling.*: the class is needed here, Rolling, "),
        (lab.DPSGD, {}, ValueError, "method = 'dp_sgd': one of dpzero, dpgd_0th, dp_gd, mezo is needed"),
        ("rolling", {}, ValueError, "method = 'rolling': one of dpzero, .*, mezo is needed; for a method of your own, give its class$"),
    ],
)  # fmt: skip
def test_what_cannot_be_predicted_is_said(method, given, kind, said):
    with pytest.raises(kind, match=f"^{said}"):
        lab.predict(method, **AT, **NOISE, **given)


def test_a_method_with_batches_by_default_is_refused():
    batches = tuple(replace(one, default=5) if one.name == "batch_size" else one for one in ROLLING.runner.all_settings)
    small = replace(
        ROLLING, kernel=replace(ROLLING.runner, settings=(*ROLLING.runner.settings, *(o for o in batches if o.name == "batch_size")))
    )
    with pytest.raises(ValueError, match=r"^method = rolling: its batch_size is 5 by default; predictions are for full batches, None$"):
        lab.predict(small, **AT, **NOISE)


def test_a_setting_of_the_same_name_as_an_argument_is_refused():
    class Far(PrivateDescent):
        """A method with a setting that `predict` has."""

        beta: Annotated[float, Between(0, 1, "share")] = 0.9
        distance: Annotated[float, Number("of something")] = 1.0

    with pytest.raises(ValueError, match=r"^options of far: 'distance' occurs twice; another name is needed$"):
        declare(Far, moving, draws=Z, state={"velocity": vector}, linear_step=heavy_ball)


def test_the_command_knows_a_method_of_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rolling.py").write_text(FILE, encoding="utf-8")
    argv = ["--module", "rolling.py", "predict", "rolling", "--d", "1e12", "--n", "1e9", "--alpha", "0.1", "--T", "5", "--C", "1"]
    budget = ["--epsilon", "2", "--delta", "1e-10"]
    assert main([*argv, *budget, "--beta", "0.5", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    same = lab.predict(Rolling, spectrum="inverse", d=10**12, n=10**9, alpha=0.1, T=5, C=1.0, epsilon=2.0, delta=1e-10, beta=0.5)
    assert told == json.loads(same.json())
    assert main([*argv, *budget]) == 0
    assert "rolling on inverse, d = 1e+12, n = 1e+09, T = 5" in capsys.readouterr().out
    assert "beta = 2.0: a number strictly between 0 and 1 is needed" in refused([*argv, *budget, "--beta", "2"], capsys)
    for name, was, instead, said in (  # a file is imported once per process
        ("short.py", "return x - alpha * velocity, velocity", "return x", "linear_step of rolling returns 1.0: (x, velocity) after"),
        ("bare.py", ", linear_step=rolling_step", "", "rolling declares no linear_step, which a prediction needs; `theory-lab simulate"),
        ("other.py", "x - alpha * velocity, velocity", "x - 2 * alpha * velocity, velocity", "the step of the loop differ: x[0] is "),
        ("none.py", "METHOD =", "METHD =", "it defines nothing that the lab uses; at least one of "),
        ("another.py", "METHOD =", "OBJECTIVES = {}; METHD =", "; a method of your own needs --module FILE, and METHOD = declare(...)"),
    ):
        (tmp_path / name).write_text(FILE.replace(was, instead), encoding="utf-8")
        assert said in refused(["--module", name, *argv[2:], *budget], capsys)


def test_a_step_that_is_not_that_of_the_loop_is_refused():
    other = replace(ROLLING, kernel=replace(ROLLING.runner, linear_step=lambda x, g, velocity, alpha, beta: (x - alpha * g, velocity)))
    with pytest.raises(ValueError, match=r"^linear_step of rolling: linear_step and the step of the loop differ: "):
        lab.predict(other, **AT, **NOISE)


def test_whole_floats_are_numbers_of_samples():
    one, two = (lab.predict("dp_gd", **{**AT, "n": n}, **NOISE) for n in (300, 300.0))
    np.testing.assert_array_equal(one.values, two.values)
    assert one.json() == two.json()
    with pytest.raises(ValueError, match=r"^n = 300.5: an integer of at least 1 is needed$"):
        lab.predict("dp_gd", **{**AT, "n": 300.5}, **NOISE)
