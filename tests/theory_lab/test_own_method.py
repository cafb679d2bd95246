"""A method of one's own, declared in a file: its defaults count in the noise, and what is declared wrongly is said in a sentence."""

from typing import Annotated

import numpy as np
import pytest
from numba import njit

import theory_lab as lab
from bounds.privacy import accounting
from synthetic.sweeps.identity import digest
from theory_lab.methods import record_of
from theory_lab.methods.own import BatchSize, Between, PrivateDescent, Sampling, Schedule, Z, declare, record_and_check, vector
from theory_lab.sweeps import own_grid
from theory_lab.sweeps.file import private_sigma

OBJECTIVE = lab.cosine("inverse", d=3, n=50, seed=0)
RUN = {"alpha": 0.1, "T": 4, "C": 1.0, "sigma": 0.2}
AXES = {"alphas": [0.1], "horizons": [4], "clips": [1.0], "epsilon": 1.0, "delta": 1e-5}


@njit(nogil=True, error_model="numpy")
def moving(gradient, value_gradient, data, params, x, alpha, C, sigma, beta, z, velocity, batch, nominal, value, grad_norm_sq, clipped, tau,
           x_tau):  # fmt: skip
    g = np.empty(x.size)
    for t in range(len(z)):
        if t == tau:
            x_tau[:] = x
        total, clipped[t] = np.zeros(x.size), 0.0
        for i in batch[t % len(batch)]:
            if i >= 0:
                gradient(x, data[i], params, g)
                total += g * min(1.0, C / max(np.sqrt(np.sum(g**2)), C))
        velocity[:] = beta * velocity + total / nominal + sigma * z[t]
        x -= alpha * velocity
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return len(z)


class Moving(PrivateDescent):
    """Momentum on noisy clipped gradients."""

    beta: Annotated[float | Schedule, Between(0, 1, "share of the velocity that is kept", steps=True)] = 0.9


class Small(Moving):
    """Momentum on small batches."""

    batch_size: BatchSize = 5
    sampling: Sampling = "poisson"
    C: Annotated[float, Between(0, 10, "clipping threshold")] = 2.0


METHOD = declare(Moving, moving, draws=Z, state={"velocity": vector})
SMALL = declare(Small, moving, draws=Z, state={"velocity": vector})


def test_a_run_of_an_object_is_the_run_by_name_and_by_record():
    one = lab.simulate(Moving(**RUN, beta=0.5), OBJECTIVE, seed=3)
    other = lab.simulate(METHOD, OBJECTIVE, **RUN, beta=0.5, seed=3)
    third = lab.simulate(Moving, OBJECTIVE, **RUN, beta=0.5, seed=3)
    assert np.array_equal(one.x, other.x)
    assert np.array_equal(one.x, third.x)
    assert np.array_equal(lab.simulate(lab.DPGD(**RUN), OBJECTIVE).x, lab.simulate("dp_gd", OBJECTIVE, **RUN).x)
    assert record_of(Moving) is METHOD


def test_arrays_of_a_declared_method_are_one_value_a_step():
    constant = lab.simulate(Moving(**RUN | {"alpha": np.full(4, 0.1)}, beta=[0.5] * 4), OBJECTIVE)
    assert np.array_equal(constant.x, lab.simulate(Moving(**RUN, beta=0.5), OBJECTIVE).x)
    assert Moving(**RUN, beta=(0.5, 0.25)).beta == (0.5, 0.25)
    with pytest.raises(ValueError, match=r"^beta = 1.5: a number strictly between 0 and 1 is needed"):
        Moving(**RUN, beta=(0.5, 1.5))


def test_a_default_of_the_declaration_is_that_of_every_run_and_of_its_noise():
    given = {"alpha": 0.1, "T": 4, "sigma": 0.2}
    run = lab.simulate(SMALL, OBJECTIVE, **given)
    assert (run.settings["batch_size"], run.settings["sampling"], run.settings["C"]) == (5, "poisson", 2.0)
    assert np.array_equal(run.x, lab.simulate(Small(**given), OBJECTIVE).x)
    wanted = accounting.sigma(1.0, 1e-5, 4, 50, 5, 1.0, "poisson")
    full = accounting.sigma(1.0, 1e-5, 4, 50, None, 1.0)
    assert wanted > 1.1 * full
    assert lab.grid(Small, OBJECTIVE, **AXES).sigma == pytest.approx(wanted, rel=1e-9)
    assert private_sigma("exact", SMALL.runner, {"C": 1.0, "T": 4, "n": 50}, 1.0, 1e-5) == pytest.approx(wanted, rel=1e-9)
    every = lab.grid(Small, OBJECTIVE, **AXES, batch_size=None, accountant="exact")
    assert every.sigma == pytest.approx(full, rel=1e-9)


def test_noise_that_no_accountant_covers_is_refused_by_a_grid():
    with pytest.raises(ValueError, match="never private"):
        lab.grid("dp_grape_blocks", lab.matrix_quadratic("flat", 8, 20, 0, m=4), **AXES, r=1, noise="shared")


@pytest.mark.parametrize(("record", "said"), [(SMALL, "its batch_size is 5 by default"), (METHOD, "")])
def test_a_figure_takes_what_its_noise_is_for(record, said):
    class Files:
        def of_run(self, name):
            return {}

    if said:
        with pytest.raises(ValueError, match=said):
            own_grid.further_method(record, Files(), "dpzero-1")
    else:
        assert own_grid.further_method(record, Files(), "dpzero-1").name == "moving"


def test_a_record_of_a_declared_method_has_a_digest_that_its_defaults_change():
    class Moving(PrivateDescent):
        """Momentum on noisy clipped gradients."""

        beta: Annotated[float | Schedule, Between(0, 1, "share of the velocity that is kept", steps=True)] = 0.8

    other = declare(Moving, moving, draws=Z, state={"velocity": vector})
    assert digest("method", METHOD.runner) == digest("method", METHOD.runner)
    assert len({digest("method", one.runner) for one in (METHOD, SMALL, other)}) == 3


def test_results_of_a_grid_of_an_own_method_are_kept(tmp_path):
    found = [lab.grid(Moving, OBJECTIVE, **AXES, store=tmp_path / "kept.sqlite") for _ in range(2)]
    assert np.array_equal(found[0].grad_norm_train, found[1].grad_norm_train)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: lab.simulate(Moving(**RUN), OBJECTIVE, alpha=0.2), r"alpha = 0.2: Moving\(...\) has the settings of the run"),
        (lambda: lab.simulate(Moving(**RUN), OBJECTIVE, plan=3), r"plan = 3: Moving\(...\) has the settings"),
        (lambda: lab.grid(Moving(**RUN), OBJECTIVE, **AXES), r"method = Moving\(...\): the class is needed here"),
        (lambda: lab.audit(Moving(**RUN), epsilon=1.0, delta=1e-5), r"method = Moving\(...\): the class is needed here"),
        (lambda: declare(METHOD, moving), "a subclass of Declaration is needed"),
        (lambda: declare(Moving, moving, draws=("z",), state={"velocity": vector}), "a tuple of synthetic.methods.record.Draw is needed"),
        (lambda: declare(Moving, moving, draws=Z, state={"velocity": 0.0}), r"state\['velocity'\] = 0.0: a dictionary is needed"),
        (lambda: declare(PrivateDescent, moving, draws=Z, state={"velocity": vector}), "takes 'beta', .*; declare it as a setting"),
        (lambda: lab.simulate(type("Nobody", (PrivateDescent,), {})(**RUN), OBJECTIVE), "no loop is known for it"),
    ],
)
def test_a_mistake_is_a_sentence(call, said):
    with pytest.raises(ValueError, match=said) as error:
        call()
    assert "\n" not in str(error.value)


def test_a_name_that_a_loop_does_not_know_is_named_with_the_file():
    @njit(nogil=True, error_model="numpy")
    def wrong(gradient, value_gradient, data, params, x, C, sigma, z, batch, value, grad_norm_sq, clipped, tau, x_tau):
        x -= alpha * z[0]  # noqa: F821
        return 0

    method = declare(type("Wrong", (PrivateDescent,), {}), wrong, draws=Z)
    with pytest.raises(ValueError, match=r"^kernel wrong: its loop wrong uses 'alpha', .* \(.*test_own_method.py:\d+\)$"):
        lab.simulate(method, OBJECTIVE, **RUN)
