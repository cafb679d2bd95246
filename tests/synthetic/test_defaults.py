"""What a function of the simulation does where an argument is left out: a promise like any other, so it stands here a second time."""

import importlib
import inspect
import pkgutil

import synthetic
from synthetic.estimate import ANY
from synthetic.methods.record import COMMON, NEEDED
from tests.papers import joined

DEFAULTS = {
    "html.table": {"notes": ()},
    "validate.validated": {"strict": False},
    "sweeps.cluster.cluster": {"rounds": 5, "pause": 30.0},
    "objectives.own.objective": {"name": "", "params": (), "vectorized": False},
    "objectives.curvature.difference_step": {"share": 6e-6},
    "groups.group_eigenvalues": {"width": 0.03},
    "spectra.spectrum_exponent": {"name": "spectrum"},
    "spectra.named_eigenvalues": {"name": "spectrum"},
    "objectives.sums.spectrum_values": {"name": "spectrum"},
    "objectives.probe.estimate_constants": {"places": 8, "samples": 10_000, "seed": 0},
    "distribution.tuning.tune": {"fixed": False, "tie": 0.0, "measure": "grad_norm_test"},
    **{f"estimate.{name}": {"coverage": 0.95} for name in ("loglog_slope", "proportion", "quantile")},
    "estimate.clustered_mean": {"coverage": 0.95, "within": ANY},
    "contracts.check.check_contract": {"seed": 0},
    "contracts.check.kernel_contracts": {"plain": False},
    "contracts.privacy.noisy_steps": {"numbers": (0, 1, 3)},
    "contracts.privacy.neighbours": {"number": 4},
    "contracts.privacy.with_record": {"number": 4},
    "contracts.trial.make_trial": {"plain": False},
    "contracts.trial.compare_numbers": {"rounding": 1e-9},
    "grids.general.general_grid": {"seed": 0},
}


def test_the_defaults_of_the_simulation():
    found = {}
    for module in (importlib.import_module(one.name) for one in pkgutil.walk_packages(synthetic.__path__, "synthetic.")):
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                given = {p.name: p.default for p in inspect.signature(function).parameters.values()}
                given = {key: value for key, value in given.items() if value is not inspect.Parameter.empty and value is not None}
                if given:
                    found[f"{module.__name__.removeprefix('synthetic.')}.{name}"] = given
    assert found == DEFAULTS | joined("simulation.DEFAULTS")


def test_the_defaults_of_a_run():
    given = {one.name: one.default for one in COMMON if one.default is not NEEDED and one.default is not None}
    assert given == {"lam": 1e-4, "direction": "sphere", "replicates": 1, "seed": 0}
    assert {one.name for one in COMMON if one.default is None} == {"C", "sigma", "batch_size"}
