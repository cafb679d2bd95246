"""`lab.grid` of any method: which engine runs, whose noise a setting gets, and a sentence for what is impossible."""

import numpy as np
import pytest

import theory_lab as lab
from bounds.privacy.accounting import of_means
from paper_checks.experiment import batch_sigma_table, sigma_table
from synthetic.grids.grid import grid
from synthetic.methods.dpzero import DPZERO
from synthetic.methods.record import Kernel, Setting
from synthetic.validate import positive_integer
from tests.synthetic.methods.test_record import MOMENTUM, momentum
from theory_lab.methods import METHODS, sums
from theory_lab.methods.record import Method

QUADRATIC, SECOND = (lab.quadratic("inverse", d=8, n=50, seed=k) for k in (0, 1))
COSINE = lab.cosine("inverse", d=8, n=50, seed=0)
AXES = {"alphas": [0.01, 0.1], "horizons": [4, 9], "clips": [1.0, 3.0]}
BUDGET = {"epsilon": 2.0, "delta": 1e-6}
OWN = sums.record("momentum", paper="own", words="momentum", kernel=MOMENTUM)
MEASURES = ("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_the_exact_engine_runs_where_there_is_one_as_before(method):
    found = lab.grid(method, QUADRATIC, **AXES, **BUDGET, test=SECOND, seed=3)
    sigma = sigma_table(accountant="lemma", n=50, horizons=AXES["horizons"], clips=AXES["clips"], **BUDGET)
    plain = grid(method, QUADRATIC, **AXES, sigma=sigma, test=SECOND, seed=3)
    assert found.settings["engine"] == "exact"
    assert "exact engine" in repr(found)
    for name in (*MEASURES, "sigma"):
        np.testing.assert_array_equal(getattr(found, name), getattr(plain, name))
    renamed = sums.record("mine", paper="own", words="the lab's kernel", kernel=METHODS[method].runner)
    assert lab.grid(renamed, QUADRATIC, **AXES, **BUDGET).settings["engine"] == "exact"
    told = []
    general = lab.grid(method, QUADRATIC, **AXES, sigma=sigma, test=SECOND, seed=3, engine="general", lam=0.5)
    lab.grid(method, QUADRATIC, **AXES, sigma=sigma, progress=lambda *one: told.append(one))
    assert told == [(0, 52), (52, 52)]
    assert general.settings["engine"] == "general"
    for name in MEASURES:
        np.testing.assert_allclose(getattr(general, name), getattr(found, name), rtol=1e-10)


def test_ones_own_method_equals_simulate(tmp_path):
    for _ in range(2):  # from the store the second time
        found = lab.grid(OWN, QUADRATIC, **AXES, **BUDGET, test=SECOND, beta=0.5, F=2, seed=3, store=tmp_path / "own.sqlite")
        assert found.settings["engine"] == "general"
        assert {name: found.settings[name] for name in ("accountant", "noise", "beta", "F")} == {
            "accountant": "lemma", "noise": "Lemma 2.2 of DPZero", "beta": 0.5, "F": 2,
        }  # fmt: skip
        run = lab.simulate(OWN, QUADRATIC, alpha=0.1, T=9, C=3.0, sigma=found.sigma[1, 1], beta=0.5, F=2, seed=3)
        assert found.loss_train[1, 1, 1] == run.loss[0, -1]
        assert found.loss_test[1, 1, 1] == SECOND.value_and_gradient(run.x[0])[0]
        assert "momentum on quadratic" in found._repr_html_()


def test_a_method_of_the_same_name_as_a_quick_one_is_not_taken_for_it():
    mine = sums.record("dp_gd", paper="own", words="momentum", kernel=Kernel("dp_gd", momentum, MOMENTUM.draws, MOMENTUM.settings,
                                                                            state=MOMENTUM.state))  # fmt: skip
    found = lab.grid(mine, QUADRATIC, **AXES, **BUDGET)
    assert found.settings["engine"] == "general"
    assert found.loss_train[0, 0, 0] != lab.grid("dp_gd", QUADRATIC, **AXES, **BUDGET).loss_train[0, 0, 0]


def test_batches_have_the_noise_of_their_accountant():
    found = lab.grid("dp_gd", QUADRATIC, **AXES, **BUDGET, batch_size=10)
    assert found.settings["engine"] == "general"
    assert found.settings["noise"] == "the accountant of random batches"
    poisson = batch_sigma_table(**BUDGET, n=50, horizons=[4, 9], clips=[1.0, 3.0], batch_size=10, sampling="poisson", P=2)
    for table, sampling, P in ((found.sigma, "without_replacement", 1), (poisson, "poisson", 2)):
        for j, T in enumerate(AXES["horizons"]):
            for k, C in enumerate(AXES["clips"]):
                needed = of_means(50, 10, C, T, sampling, P=P).calibrate_noise(2.0, 1e-6).sigma
                assert 0 <= table[j, k] / needed - 1 < 1e-12


@pytest.mark.parametrize(("more", "P"), [({}, 4), ({"P": 9}, 9)])
def test_every_direction_of_a_step_is_a_release(more, P):
    kernel = Kernel("several", DPZERO.function, DPZERO.draws, (*DPZERO.settings, Setting("P", positive_integer, 4, int)))
    mine = sums.record("several", paper="own", words="several", kernel=kernel)
    found = lab.grid(mine, QUADRATIC, **AXES, **BUDGET, **more, accountant="exact")
    assert found.sigma[1, 1] == lab.privacy.sigma_gaussian(**BUDGET, T=9 * P, sensitivity=2 * 3.0 / 50)


def test_noise_may_be_given_and_mezo_has_none():
    table = np.array([[0.1, 0.2], [0.3, 0.4]])
    one, two = (lab.grid("dp_gd", QUADRATIC, **AXES, sigma=sigma) for sigma in (0.2, table))
    np.testing.assert_array_equal(one.sigma, np.full((2, 2), 0.2))
    np.testing.assert_array_equal(two.sigma, table)
    assert one.loss_train[0, 0, 1] == two.loss_train[0, 0, 1] != two.loss_train[0, 0, 0]
    assert repr(two).endswith("sigma from 0.1 to 0.4 by the caller)")
    plain = lab.grid("mezo", QUADRATIC, alphas=[0.1], horizons=[4])
    assert plain.loss_train[0, 0, 0] == lab.simulate("mezo", QUADRATIC, alpha=0.1, T=4).loss[0, -1]


def functional(objective, plan=None, **settings):
    raise AssertionError("it ran")


WITHOUT_KERNEL = Method("functional", "own", "words", "words", (), functional, run=functional, kind=METHODS["dpzero"].kind)


@pytest.mark.parametrize(
    ("method", "changes", "sentence"),
    [
        ("gauss_psgd", {}, "method = 'gauss_psgd': one of dpzero, .* is needed; for a method of your own, give its class"),
        ("dp_zoo", {}, "method = 'dp_zoo': it has stages, .*"),
        (WITHOUT_KERNEL, {}, "method = 'functional': it has no kernel, and a grid needs one, .*"),
        ("dpzero", {"objective": lab.random_phase_cosines(5)}, "method = 'dpzero': it does not run on 'random-phase cosines, d = 5', .*"),
        ("mezo", {}, "epsilon = 2.0: mezo is not private, leave epsilon out|clips and sigma: mezo neither clips .*"),
        ("dpzero", {"epsilon": None}, "epsilon is missing: dpzero is private, so epsilon and delta are needed, or sigma"),
        ("dpzero", {"delta": None}, "delta is missing: dpzero is private, so epsilon and delta are needed, or sigma"),
        ("dpzero", {"sigma": 0.1}, "epsilon = 2.0: sigma is given and fixes the noise; leave epsilon out, or sigma"),
        ("dpzero", {"clips": None}, "clips is missing: dpzero is private and clips, so thresholds C are needed, .*"),
        (
            "dpzero",
            {"prune": True},
            "prune = True: only the exact engine has it, but it runs on quadratics, not on 'cosine.*; leave it out",
        ),
        ("dpzero", {"precision": "single", "engine": "general"}, "precision = 'single': only the exact engine has it, but .*"),
        ("dpzero", {"engine": "exact"}, "engine = 'exact': it runs on quadratics, not on 'cosine.*; leave engine out, or take 'general'"),
        ("dpzero", {"engine": "quick"}, "engine = 'quick': one of exact, general is needed"),
        (OWN, {"engine": "exact"}, "engine = 'exact': it runs dpzero, dpgd_0th, dp_gd, not momentum; .*"),
        (OWN, {"lam": 0.1}, "lam = 0.1: momentum has no setting lam; leave it out"),
        (OWN, {"beta": 1.5}, "beta = 1.5: a number strictly between 0 and 1 is needed"),
        ("dpzero", {"objective": QUADRATIC, "store": "x"}, "store = 'x': the exact engine is quick and keeps no results; .*"),
        ("dp_gd", {"batch_size": 9, "accountant": "lemma"}, "accountant = 'lemma': Lemma 2.2 is about full batches; .*"),
        ("dp_gd", {"batch_size": 51}, "batch_size = 51: at most n = 50 is needed .*"),
        ("dp_gd", {"test": QUADRATIC.data}, "test = .*: an objective is needed, .*"),
    ],
)
def test_what_is_impossible_is_said(method, changes, sentence):
    arguments = {**AXES, **BUDGET, "objective": COSINE, **changes}
    with pytest.raises(ValueError, match=f"^({sentence})$"):
        lab.grid(method, arguments.pop("objective"), **arguments)


def test_a_setting_that_does_not_exist_is_said_with_the_nearest():
    with pytest.raises(TypeError, match=r"^bet = 0.5: no such argument; the nearest is beta; "):
        lab.grid(OWN, COSINE, **AXES, **BUDGET, bet=0.5)
    with pytest.raises(TypeError, match="batch_siz"):
        lab.grid("dp_gd", COSINE, **AXES, **BUDGET, batch_siz=5)
    assert lab.grid("dp_gd", QUADRATIC, **AXES, sigma=0.1, batch_size=None).settings["engine"] == "exact"
