"""What a function of the simulation does where an argument is left out: a promise like any other, so it stands here a second time."""

import importlib
import inspect
import pkgutil

import synthetic
from synthetic.record import COMMON, NEEDED

CLIENTS = {"spread": 0.0, "clients": 1, "heterogeneity": 0.0}
RUN = {"replicates": 1, "seed": 0}
LAWS = {"direction": "sphere", "precision": "double"}
DEFAULTS = {
    "own.objective": {"name": "", "params": ()},
    "digits.digits": {"clients": 1, "beta": 2.0, "seed": 0},
    "escapes.couple": {"zeta": 0.0, **RUN}, "escapes.escape": {"zeta": 0.0, **RUN},
    **{f"estimate.{name}": {"coverage": 0.95} for name in ("clustered_mean", "loglog_slope", "proportion", "quantile")},
    "grid.grid": {"seed": 0, **LAWS, "prune": False}, "grid.grids": {"prune": False},
    "grid.last_iterates": {**RUN, **LAWS},
    "separable_saddles.local_cubic": {"slope": 0.0, "bent": False, "spread": 0.0},
    "psgd.frozen_psgd": {"keep_points": False, **RUN},
    "psgd.gauss_psgd": {"restart": "continue", "drift": "estimates", "output": "anchor", "keep_points": False, **RUN},
    "coupled_saddles.octopus": {"L": 1.0, "gamma": 0.5, "tau": 1.0, **CLIENTS}, "coupled_saddles.matrix_factorisation": CLIENTS,
    "coupled_saddles.phase_retrieval": {"reach": 1.5},
    "separable_saddles.cubic_saddle": {"curvature": 1.0, "rho": 1.0, "stable": 1.0, **CLIENTS},
    "separable_saddles.profile": {"e": 0.0, "k": 0.0, "lowest_at": 0.0},
    "separable_saddles.quartic_saddle": {"curvature": 1.0, "k": 1.0, "stable": 1.0, **CLIENTS},
    "separable_saddles.slope": {"g": 1.0, "A_0": 1.0, **CLIENTS}, "separable_saddles.random_phase_cosines": {"A": 1.0, "w": 1.0, "h": 1.0},
    "selection.above_threshold": {"seed": 0, "replicate": 0}, "selection.select": {"seed": 0, "replicate": 0},
}  # fmt: skip


def test_the_defaults_of_the_simulation():
    found = {}
    for module in (importlib.import_module(f"synthetic.{one.name}") for one in pkgutil.iter_modules(synthetic.__path__)):
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                given = {p.name: p.default for p in inspect.signature(function).parameters.values()}
                given = {key: value for key, value in given.items() if value is not inspect.Parameter.empty and value is not None}
                if given:
                    found[f"{module.__name__.removeprefix('synthetic.')}.{name}"] = given
    assert found == DEFAULTS


def test_the_defaults_of_a_run():
    given = {one.name: one.default for one in COMMON if one.default is not NEEDED and one.default is not None}
    assert given == {"lam": 1e-4, "direction": "sphere", **RUN}
    assert {one.name for one in COMMON if one.default is None} == {"C", "sigma", "batch_size"}
