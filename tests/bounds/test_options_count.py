"""Every argument of every public function of the theory counts: another value of it gives another answer, in the same process.

An option that is silently ignored fails here, and so does a kept result whose key forgets an argument: the two calls follow one another.
A field of the answer that only repeats the argument, and the problem that a plan repeats, are not looked at.
"""

import importlib
import inspect
import pkgutil
from collections.abc import Mapping
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

import bounds
from bounds.gauss_psgd.block import Constants
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.scaled import Knobs

BUDGET = {"epsilon": 2.0, "delta": 1e-6}
OTHER = {"epsilon": 2.5, "delta": 1e-5, "sensitivity": 0.03, "T": 40, "mu": 0.3, "sigma": 0.35, "scale": 0.03, "C": 1.7, "n": 700}
POISSON = {"sampling": "poisson"}
OF_ONE_N = {"n": 1000, "batch_size": None, "C": 1.3}
SUBSAMPLED = {"T": 20, "q": 0.1, "sensitivity": 0.1, "neighbours": "replace_one", "sampling": "poisson"}
RELATIONS = {"neighbours": "add_or_remove_one", "sampling": "without_replacement"}
QUADRATIC = {"eigenvalues": [1.0, 0.5, 0.2], "offset": [1.0, -1.0, 2.0]}
OTHER_QUADRATIC = {"eigenvalues": [1.0, 0.5, 0.3], "offset": [1.0, -1.0, 1.5]}
PATH = {"alpha": 0.1, "T": 5, "sigma": 0.2}
MATRIX = {"rows": [1.0, 0.5], "columns": [1.0, 0.7, 0.2], "start": [[1.0, 0.3, -0.4], [0.2, 0.1, 0.9]]}
OTHER_MATRIX = {"rows": [1.0, 0.4], "columns": [1.0, 0.6, 0.2], "start": [[1.0, 0.3, -0.4], [0.2, 0.1, 0.8]]}
DPZERO = {"n": 1e5, "d": 1000.0, "r": 5.0, "L": 1.0, "ell": 1.0, "gap": 1.0, **BUDGET}
OTHER_DPZERO = {"n": 2e5, "d": 1100.0, "r": 6.0, "L": 1.1, "ell": 1.2, "gap": 0.9, "epsilon": 2.2, "delta": 1e-5}
GRAPE = {"n": 1e5, "d": 1e4, "L": 1.0, "ell": 1.0, "gap": 1.0, "r": 20, "T_max": 20, **BUDGET}
GROWTH = {"n": 1e5, "d": 100, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 1.0, "T_max": 500, **BUDGET}
SADDLES = {"n": 1e6, "d": 10, "epsilon": 8.0, "delta": 1e-5, "L": 3.0, "ell": 1.0, "rho": 1.0, "U": 16.0}
OTHER_SADDLES = {"n": 2e6, "d": 20, "epsilon": 7.0, "delta": 1e-6, "L": 2.5, "ell": 1.1, "rho": 1.2, "U": 14.0}
SADDLE = Problem(**SADDLES)
AT = {"alpha": 0.01, "T": 50, "C": 3.0, "lam": 1e-3, "sigma": 0.1, "d": 30.0, "r": 5.0, "L": 1.0, "ell": 0.7, "gap": 0.9}
COMPARED = {"n": 20_000, "d": 50.0, "L": 1.0, "ell": 1.0, "r": 3.0, "mu": 0.5, "gap": 1.0, "values": 4e8, "batches": (False,), **BUDGET}
MEMORY = {"method": "dp_grape", "model": "vit-base", "r": 8, "batch": 16}
OTHER_MEMORY = {"method": "dp_sgd", "model": "roberta-large", "r": 16, "batch": 32}

CALLS = {  # the function, what it is called with, and another value of each argument
    "privacy.accounting.sensitivity": (
        {"n": 1000, "batch_size": 100, "C": 1.3, "sampling": "poisson", "neighbours": "add_or_remove_one"},
        {"batch_size": 50, "C": 1.7, "sampling": "without_replacement", "neighbours": "replace_one", "n": 99},
    ),
    "privacy.accounting.sigma": (
        {**BUDGET, "T": 20, **OF_ONE_N},
        {**OTHER, "batch_size": 100, "neighbours": "add_or_remove_one", **POISSON},
    ),
    "privacy.accounting.noise_multiplier": (
        {**BUDGET, "T": 20, "n": 1000, "batch_size": 100, "sampling": "poisson"},
        {**OTHER, "batch_size": 50, "sampling": "without_replacement", "neighbours": "add_or_remove_one"},
    ),
    "privacy.accounting.epsilon": (
        {"sigma": 0.02, "delta": 1e-6, "T": 20, "n": 1000, "batch_size": None, "C": 1.3},
        {**OTHER, "sigma": 0.03, "batch_size": 100, "neighbours": "add_or_remove_one", **POISSON},
    ),
    "moments.clipping.clip_probability": (
        {"method": "dpzero", **QUADRATIC, "C": 0.7},
        {**OTHER_QUADRATIC, "C": 0.6, "direction": "gaussian", "method": "dp_gd"},
    ),
    "moments.clipping.clip_probability_given_direction": (
        {"method": "dpzero", **QUADRATIC, "C": 0.7, "u": [1.0, 1.0, 1.0]},
        {**OTHER_QUADRATIC, "C": 0.6, "u": [1.0, -1.0, 1.0], "method": "dpgd_0th"},
    ),
    "moments.clipping.quadratic_form_tail": (
        {"q": 3.0, "weights": [1.0, 0.5], "offset": [0.1, 0.2]},
        {"q": 2.0, "weights": [1.0, 0.4], "offset": [0.1, 0.3]},
    ),
    "dp_grape.memory.memory": ({**MEMORY}, {**OTHER_MEMORY, "bytes": 2, "activations": 1e6, "memory": 1e9}),
    "dp_grape.memory.fit_activations": ({**MEMORY, "measured": 1e11}, {**OTHER_MEMORY, "bytes": 2, "measured": 2e11}),
    "dp_grape.moments.stretch": (
        {"projection": "flattened", "rows": 10, "columns": 4, "r": 3},
        {"projection": "left", "rows": 12, "columns": 5, "r": 4},
    ),
    "dp_grape.moments.moment_coefficients": (
        {"projection": "orthonormal", "rows": 10, "columns": 4, "r": 3},
        {"projection": "left", "rows": 12, "columns": 0, "r": 4},  # shares do not depend on columns, which are checked
    ),
    "dp_grape.quadratic.expected_error": (
        {"method": "left", **MATRIX, "r": 1, **PATH},
        {**OTHER_MATRIX, "method": "flattened", "r": 2, "alpha": 0.2, "T": 6, "sigma": 0.3, "measure": "grad_norm_sq"},
    ),
    "dp_grape.quadratic.effective_stretch": (
        {"method": "flattened", "rows": [1.0, 0.5], "columns": [1.0, 0.7, 0.2], "r": 1},
        {"method": "left", "rows": [1.0, 0.4], "columns": [1.0, 0.6, 0.2], "r": 2},
    ),
    "dp_grape.quadratic.best_T": (
        {"method": "left", **MATRIX, "r": 1, "unit": 0.01},
        {**OTHER_MATRIX, "method": "flattened", "r": 2, "unit": 0.02, "share": 0.1, "T_max": 3},
    ),
    "dp_grape.quadratic.small_step_limit": ({**MATRIX, "unit": 0.01}, {**OTHER_MATRIX, "unit": 0.02}),
    "dp_grape.recommend.recommend": (
        {"method": "dp_grape", **GRAPE},
        {
            **{"n": 2e5, "d": 2e4, "epsilon": 2.2, "delta": 1e-5, "L": 1.1, "ell": 1.2, "gap": 0.9, "r": 10, "layers": 3, "block": 50},
            **{"spread": 2.0, "T_max": 10, "method": "dp_grape_blocks", "batch_size": 50_000},
        },
    ),
    "dp_grape.sharp_numbers.tangent_mean": ({"k": 3, "x": 1.2, "u": 0.7}, {"k": 4, "x": 1.3, "u": 0.8}),
    "dp_grape.sharp_numbers.tangent_mean_sq": ({"k": 3, "x": 1.2, "u": 0.7}, {"k": 4, "x": 1.3, "u": 0.8}),
    "dp_grape.sharp_numbers.clip_loss": ({"r": 3, "ratio": 1.5}, {"r": 4, "ratio": 1.4}),
    "dp_grape.sharp_numbers.clip_spread": ({"r": 3, "ratio": 1.5}, {"r": 4, "ratio": 1.4}),
    "dp_zopo.comparison.compare": (
        COMPARED,
        {
            **{"n": 30_000, "d": 2.0, "epsilon": 2.2, "delta": 1e-5, "L": 1.1, "ell": 1.2, "r": 4.0, "mu": 0.6, "gap": 0.9, "values": 8e8},
            **{"kept": (2.0, 0.01, 0.4), "P": 2, "batches": (True,), "target": 0.3},
        },
    ),
    "dp_zopo.recommend.recommend": (
        {"method": "dp_zoso", **GROWTH},
        {
            **{"n": 2e5, "d": 200, "epsilon": 2.2, "delta": 1e-5, "L": 1.1, "growth_mu": 0.2, "radius": 1.2, "gap": 0.9, "weak": 0.1},
            **{"sample_spread": 0.5, "stages": 2, "P": 2, "batch_size": 50_000, "target": 0.4, "T_max": 400, "method": "dp_zopo"},
            **{"rates": 0.5, "ell": 1.0, "r": 2.0},
        },
    ),
    "dp_zopo.theorem1.direction_sigma": (
        {**BUDGET, "T": 20, **OF_ONE_N, "batch_size": 1000, "sampling": "full"},
        {**OTHER, "batch_size": 100, "directions": 2, "neighbours": "add_or_remove_one", "sampling": "poisson"},
    ),
    "dp_zopo.theorem1.spent_epsilon": (
        {"sigma": 0.02, "delta": 1e-6, "T": 20, **OF_ONE_N, "sampling": "full"},
        {**OTHER, "sigma": 0.03, "batch_size": 100, "directions": 2, "neighbours": "add_or_remove_one", "sampling": "poisson"},
    ),
    "dpzero.looseness.against_sharper": (
        {"ranks": [(20.0, 3.6)], "samples": [1e4]},
        {
            **{"theorem": "dpzero.theorem2", "ranks": [(30.0, 3.6)], "samples": [1e3], "epsilon": 1.0, "delta": 1e-5, "L": 2.0, "ell": 2.0},
            **{"gap": 2.0, "B": 2.0},
        },
    ),
    "dpzero.looseness.against_quadratic": (
        {"spectra": ["inverse"], "dimensions": [20], "n": 1e3},
        {"theorem": "dpzero.theorem2", "spectra": ["flat"], "dimensions": [30], "n": 2e3, "epsilon": 1.0, "delta": 1e-5, "gap": 2.0},
    ),
    "dpzero.looseness.eigenvalues": ({"spectrum": "inverse", "d": 3}, {"spectrum": "flat", "d": 4}),
    "dpzero.looseness.printed_descent": (
        {"theorem": "dpzero.theorem1", "alpha": 0.002, "T": 50.0, "sigma": 0.1, "d": 30.0, "r": 5.0, "ell": 0.7, "gap": 0.9},
        {"theorem": "dpzero.theorem3", "alpha": 0.003, "T": 60.0, "sigma": 0.2, "d": 31.0, "r": 6.0, "ell": 0.8, "gap": 0.8},
    ),
    "dpzero.looseness.sharp_descent": (
        {"method": "dpzero", "alpha": 0.01, "T": 50.0, "sigma": 0.1, "d": 30.0, "r": 5.0, "ell": 0.7, "gap": 0.9},
        {"method": "dp_gd", "alpha": 0.02, "T": 60.0, "sigma": 0.2, "d": 31.0, "r": 6.0, "ell": 0.8, "gap": 0.8},
    ),
    "dpzero.recommend.recommend": (
        {"method": "dpzero", **DPZERO, "B": 1.0, "batch_size": 100, "T_max": 50},
        {
            **OTHER_DPZERO,
            "method": "dp_gd",
            "B": 2.0,
            "mu": 0.1,
            "T_max": 7,
            "lam": 1e-3,
            "accountant": "lipschitz",
            "batch_size": 200,
            "sampling": "without_replacement",
        },
    ),
    "dpzero.settled.reached_share": (
        {"alpha": 0.05, "T": 50, "sigma": 0.1, "d": 30, "r": 5, "ell": 0.7, "gap": 0.9},
        {"alpha": 0.06, "T": 60, "sigma": 0.2, "d": 31, "r": 6, "ell": 0.8, "gap": 0.8},
    ),
    "dpzero.sharp_noise.lipschitz_scale": (
        {"method": "dpzero", "n": 1e3, "d": 10.0, "L": 1.0},
        {"method": "dpgd_0th", "n": 2e3, "d": 20.0, "L": 1.1},
    ),
    "dpzero.sharp_schedule.certified_bound_at": (
        {"key": "dpzero.sharp_clip_bias", **AT},
        {
            "key": "dpzero.sharp_lipschitz",
            "alpha": 0.02,
            "T": 60,
            "C": 2.0,
            "lam": 2e-3,
            "sigma": 0.2,
            "d": 31.0,
            "r": 6.0,
            "L": 1.1,
            "ell": 0.8,
            "gap": 0.8,
        },
    ),
    "dpzero.sharp_schedule.least_radius": ({"size": 1.0, "C": 1.0}, {"size": 2.0, "C": 2.0, "share": 0.02, "unit": 1e-7}),
    "dpzero.sharp_schedule.printed_steps": (
        {"method": "dpgd_0th", "n": 1e6, "d": 100.0, "r": 50.0, **BUDGET},
        {"method": "dp_gd", "n": 2e6, "d": 200.0, "r": 60.0, "epsilon": 2.5, "delta": 1e-5},
    ),
    "dpzero.sharp_schedule.sharp_plan": (
        {"method": "dpzero", **DPZERO},
        {**OTHER_DPZERO, "method": "dp_gd", "T_max": 7, "lam": 1e-3, "theorem": "dpzero.sharp_never_clip", "accountant": "lipschitz"},
    ),
    "gauss_psgd.fixed_point.gaussian_constant": ({"delta": 1e-6}, {"delta": 1e-5}),
    "gauss_psgd.fixed_point.fixed_point_given_noise": (
        {"psi": 0.01, "added_noise": 0.001, "d": 10.0, "ell": 1.0, "rho": 1.0, "U": 16.0, "omega": 0.1},
        {"psi": 0.02, "added_noise": 0.002, "d": 20.0, "ell": 1.1, "rho": 1.2, "U": 14.0, "omega": 0.2, "constants": Constants(C_abs=2.0)},
    ),
    "gauss_psgd.rates.balance_terms": (
        {"problem": SADDLE},
        {"problem": Problem(**SADDLES | {"d": 500}), "p": 0.5, "drift_limit": "printed", "step": "best"},
    ),
    "gauss_psgd.recommend.recommend": (
        {"method": "gauss_psgd", **SADDLES},
        {
            **OTHER_SADDLES,
            "method": "dpzero",
            "m": 3,
            "omega": 0.2,
            "alpha": 0.4,
            "knobs": Knobs(K=3.0),
            "s": 50.0,
            "C_abs": 2.0,
            "base": "2",
        },
    ),
    "gauss_psgd.recommend.exact_constant": (BUDGET, OTHER),
    "gauss_psgd.scaled.scaled_plan": (
        {"problem": SADDLE, "accuracy": 0.3, "knobs": Knobs()},
        {"problem": Problem(**OTHER_SADDLES), "accuracy": 0.4, "knobs": Knobs(k_R=0.4)},
    ),
    "gauss_psgd.selection.noise_constant": ({"accountant": "exact", **BUDGET, "T": 10}, {**OTHER, "accountant": "zcdp"}),
    "gauss_psgd.selection.above_threshold_limits": (
        {"problem": SADDLE, "T": 10, "accuracy": 0.3},
        {"problem": Problem(**OTHER_SADDLES), "T": 11, "accuracy": 0.4},
    ),
    "gauss_psgd.selection.least_samples": (
        {"d": 10.0, "T": 10, "omega": 0.1, "proved": True},
        {"d": 11.0, "T": 11, "omega": 0.2, "proved": False},
    ),
    "gauss_psgd.selection.selection_tests": (
        {"kind": "proved", "problem": SADDLE, "T": 10, "accuracy": 0.3},
        {"kind": "printed", "problem": Problem(**OTHER_SADDLES), "T": 11, "accuracy": 0.4, "accountant": "zcdp"},
    ),
    "privacy.random_iterate.log_delta_uniform": ({"epsilon": 2.0, "mu": 0.2, "T": 30}, OTHER),
    "privacy.random_iterate.mu_uniform": ({**BUDGET, "T": 30}, OTHER),
    "privacy.random_iterate.nothing_to_hide": ({"delta": 0.6, "T": 3}, {"delta": 0.7, "T": 2}),
    "privacy.random_iterate.sigma_uniform": ({**BUDGET, "T": 30, "sensitivity": 0.02}, OTHER),
    "privacy.random_iterate.delta_uniform": ({"epsilon": 2.0, "sigma": 0.3, "T": 30, "sensitivity": 0.1}, OTHER),
    "privacy.random_iterate.epsilon_uniform": ({"delta": 1e-6, "sigma": 0.3, "T": 30, "sensitivity": 0.1}, OTHER),
    "privacy.random_iterate.gain_of_best_law": ({**BUDGET, "points": 201}, {**OTHER, "points": 101}),
    "moments.recursion.expected_grad_norm_sq": (
        {"method": "dpzero", **QUADRATIC, **PATH},
        {**OTHER_QUADRATIC, "alpha": 0.2, "T": 6, "sigma": 0.3, "direction": "gaussian", "shift": [0.1, 0.0, 0.2], "method": "dp_gd"},
    ),
    "moments.recursion.expected_gap": (
        {"method": "dpzero", **QUADRATIC, **PATH},
        {**OTHER_QUADRATIC, "alpha": 0.2, "T": 6, "sigma": 0.3, "direction": "gaussian", "shift": [0.1, 0.0, 0.2], "method": "dp_gd"},
    ),
    "moments.recursion.second_moments": (
        {"method": "dpzero", **QUADRATIC, **PATH},
        {**OTHER_QUADRATIC, "alpha": 0.2, "T": 6, "sigma": 0.3, "direction": "gaussian", "method": "dp_gd"},
    ),
    "moments.recursion.mean_offset": ({**QUADRATIC, "alpha": 0.1, "t": 5}, {**OTHER_QUADRATIC, "alpha": 0.2, "t": 6}),
    "moments.optimal_quadratic.optimal_schedule": (
        {"method": "dpzero", **QUADRATIC, "n": 300, **BUDGET, "C": 5.0, "T_max": 200},
        {
            **{**OTHER_QUADRATIC, "n": 400, "epsilon": 2.5, "delta": 1e-5, "C": 4.0, "measure": "gap", "output": "uniform", "T_max": 3},
            **{"accountant": "lemma", "direction": "gaussian", "method": "dp_gd"},
        },
    ),
    "privacy.gaussian.log_delta": ({"epsilon": 2.0, "mu": 0.4}, OTHER),
    "privacy.gaussian.mu_gaussian": (BUDGET, OTHER),
    "privacy.gaussian.sigma_gaussian": ({**BUDGET, "T": 20, "sensitivity": 0.02}, OTHER),
    "privacy.gaussian.delta_gaussian": ({"epsilon": 2.0, "sigma": 0.3, "T": 20, "sensitivity": 0.02}, OTHER),
    "privacy.gaussian.epsilon_gaussian": ({"delta": 1e-6, "sigma": 0.3, "T": 20, "sensitivity": 0.02}, OTHER),
    "privacy.gaussian.sigma_lemma_2_2": ({**BUDGET, "T": 20, "sensitivity": 0.02}, OTHER),
    "privacy.gaussian.lemma_2_2_is_private": ({"epsilon": 90.0, "delta": 0.495}, {"epsilon": 80.0, "delta": 1e-6}),
    "privacy.gaussian.lemma_2_2_critical_epsilon": ({"delta": 1e-6}, {"delta": 1e-5}),
    "privacy.gaussian.lemma_2_2_ratio": (BUDGET, OTHER),
    "privacy.gaussian.lemma_2_2_remark": ({"epsilon": 900.0, "delta": 1e-6}, {"epsilon": 800.0, "delta": 1e-5}),
    "privacy.gaussian.delta_remark": ({"delta": 1e-3, "n": 1000}, {"delta": 2e-3, "n": 2000}),
    "privacy.random_shifts.delta_random_shifts": (
        {"epsilon": 2.0, "sigma": 0.3, "T": 20, "scale": 0.1},
        {**OTHER, "released": "uniform", "cap": 0.08},
    ),
    "privacy.random_shifts.unit_sigma": ({**BUDGET, "T": 20}, {**OTHER, "released": "uniform", "cap": 0.9}),
    "privacy.random_shifts.sigma_random_shifts": ({**BUDGET, "T": 20, "scale": 0.1}, {**OTHER, "released": "uniform", "cap": 0.08}),
    "privacy.random_shifts.epsilon_random_shifts": (
        {"delta": 1e-6, "sigma": 0.3, "T": 20, "scale": 0.1},
        {**OTHER, "released": "uniform", "cap": 0.08},
    ),
    "privacy.subsampled.epsilon_subsampled": (
        {"delta": 1e-6, "sigma": 0.1, **SUBSAMPLED},
        {**OTHER, "sigma": 0.2, "q": 0.2, "sensitivity": 0.12, **RELATIONS},
    ),
    "privacy.subsampled.delta_subsampled": (
        {"epsilon": 2.0, "sigma": 0.1, **SUBSAMPLED},
        {**OTHER, "sigma": 0.2, "q": 0.2, "sensitivity": 0.12, **RELATIONS},
    ),
    "privacy.subsampled.sigma_subsampled": ({**BUDGET, **SUBSAMPLED}, {**OTHER, "q": 0.2, "sensitivity": 0.12, **RELATIONS}),
}
ELSEWHERE = {
    *(f"privacy.steps.{name}_of_steps" for name in ("mu", "delta", "epsilon", "sigma")),  # take arrays: privacy/test_steps.py
    "privacy.accounting.of_means",  # a record of its arguments: test_release.py
    *("privacy.random_iterate.possible_steps", "dpzero.batches.check_batches"),  # raise or not
    "dpzero.sharp_schedule.certified_bound",  # takes a theorem, as `certified_at` its key
}
BATCHED = (
    "privacy.accounting.sigma", "privacy.accounting.epsilon", "dp_zopo.theorem1.direction_sigma", "dp_zopo.theorem1.spent_epsilon",
)  # fmt: skip
WITH = {  # what else both calls are given, where an argument alone has no meaning
    **{(one, "batch_size"): {"batch_size": 200, **POISSON} for one in BATCHED},
    **{(one, "sampling"): {"batch_size": 200, "sampling": "without_replacement"} for one in BATCHED},
    ("dp_zopo.recommend.recommend", "rates"): {"method": "dp_zopo"},
    ("dp_zopo.recommend.recommend", "sample_spread"): {"d": 5, "epsilon": 50.0, "target": 0.25, "T_max": None},
    ("dp_zopo.comparison.compare", "target"): {"values": None, "target": 0.5},
    ("dpzero.looseness.printed_descent", "r"): {"theorem": "dpzero.theorem3"},
    ("gauss_psgd.selection.noise_constant", "T"): {"accountant": "lemma16"},
    ("dp_zopo.recommend.recommend", "ell"): {"ell": 1.1, "r": 2.0},
    ("dp_zopo.recommend.recommend", "r"): {"ell": 1.0, "r": 3.0},
}
DEAR = {  # seconds of CPU, which the tests of each alone make up for
    "dp_grape.quadratic.best_T", "dp_grape.recommend.recommend", "dp_zopo.comparison.compare", "dp_zopo.recommend.recommend",
    "dpzero.looseness.against_quadratic", "dpzero.looseness.against_sharper", "gauss_psgd.recommend.recommend",
    "dpzero.sharp_schedule.sharp_plan", "privacy.subsampled.sigma_subsampled",
}  # fmt: skip
KEYS = [pytest.param(key, marks=[pytest.mark.verify] * (key in DEAR)) for key in CALLS]
NESTED = {"dp_grape.memory.memory"}  # in whose answer a name means something else further inside


def public():
    """Every function of the theory that checks its arguments at its door, by its module and name."""
    found = {}
    for module in pkgutil.walk_packages(bounds.__path__, "bounds."):
        names = vars(importlib.import_module(module.name))
        for name, one in names.items():
            ours = inspect.isfunction(one) and one.__module__ == module.name and one.__code__.co_name in ("behind", "within")
            if ours and not name.startswith("_") and name != "within":
                found[f"{module.name}.{name}".removeprefix("bounds.")] = one
    return found


def function(key):
    module, _, name = key.rpartition(".")
    return getattr(importlib.import_module(f"bounds.{module}"), name)


def seen(value, without):
    """What a caller sees of an answer, but for what repeats the arguments of these names."""
    if is_dataclass(value):
        return tuple((one.name, seen(getattr(value, one.name), without)) for one in fields(value) if one.name not in without)
    if isinstance(value, Mapping):
        return tuple((name, seen(one, without)) for name, one in value.items() if name not in without)
    if isinstance(value, np.ndarray):
        return (value.shape, value.tobytes())
    return tuple(seen(one, without) for one in value) if isinstance(value, tuple | list) else repr(value)


def answer(key, arguments, name):
    try:
        found = function(key)(**arguments)
    except ValueError as error:
        return f"refused: {error}"
    if key in NESTED:
        return [seen(getattr(found, one.name), ()) for one in fields(found) if one.name != name]
    return seen(found, {name, "problem", "constants"})


def test_every_public_function_is_in_the_table():
    assert {*CALLS} | ELSEWHERE == {*public()}


@pytest.mark.parametrize("key", KEYS)
def test_every_argument_counts(key):
    base, others = CALLS[key]
    names = [*base] if key == "dpzero.sharp_schedule.certified_bound_at" else [*inspect.signature(function(key)).parameters]
    assert {*names} <= {*others}, "no other value in the table"
    for name in names:
        arguments = base | WITH.get((key, name), {})
        before = answer(key, arguments, name)
        assert "refused" not in str(before)[:10], before
        assert answer(key, arguments | {name: others[name]}, name) != before, f"{name} is ignored"


NONSENSE = {str: ("nonsense",), float: (float("nan"), -1.0), int: (float("nan"), -1), list: ([float("nan")],)}


@pytest.mark.parametrize("key", KEYS)
def test_every_argument_refuses_what_cannot_be_meant(key):
    """In a sentence that names it, whichever function further inside would have stumbled over it."""
    base, others = CALLS[key]
    accepted = []
    for name, other in others.items():
        if name not in inspect.signature(function(key)).parameters:
            continue
        for wrong in NONSENSE.get(type(base.get(name, other)), ()):
            if (key, name, wrong) == ("gauss_psgd.rates.balance_terms", "p", -1.0):
                continue  # d may fall as n grows
            try:
                found = function(key)(**base | WITH.get((key, name), {}) | {name: wrong})
            except (ValueError, OverflowError) as error:
                found = error
            named = any(word in str(found) for word in (f"{name} ", f"{name}:", "nonsense", "nan: "))
            if not isinstance(found, Exception) or not named:
                accepted.append((name, wrong, str(found)))
    assert accepted == []
