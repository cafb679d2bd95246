"""Gauss-PSGD's simulation: its defaults, and calls that fit no memory."""

import numpy as np

import theory_lab as lab

CLIENTS = {"spread": 0.0, "clients": 1, "heterogeneity": 0.0}
RUN = {"replicates": 1, "seed": 0}
DEFAULTS = {  # function: what it does where an argument is left out
    "objectives.digits.digits_objective": {"clients": 1, "beta": 2.0, "seed": 0},
    "runs.escapes.couple": {"zeta": 0.0, **RUN}, "runs.escapes.escape": {"zeta": 0.0, **RUN},
    "objectives.separable_saddles.local_cubic": {"slope": 0.0, "bent": False, "spread": 0.0},
    "runs.psgd.frozen_psgd": {"keep_points": False, **RUN},
    "runs.psgd.gauss_psgd": {"restart": "continue", "drift": "estimates", "output": "anchor", "keep_points": False, **RUN},
    "objectives.coupled_saddles.octopus": {"L": 1.0, "gamma": 0.5, "tau": 1.0, **CLIENTS},
    "objectives.coupled_saddles.matrix_factorisation": CLIENTS,
    "objectives.coupled_saddles.phase_retrieval": {"reach": 1.5},
    "objectives.separable_saddles.cubic_saddle": {"curvature": 1.0, "rho": 1.0, "stable": 1.0, **CLIENTS},
    "objectives.separable_saddles.make_profile": {"e": 0.0, "k": 0.0, "lowest_at": 0.0},
    "objectives.separable_saddles.quartic_saddle": {"curvature": 1.0, "k": 1.0, "stable": 1.0, **CLIENTS},
    "objectives.separable_saddles.slope": {"g": 1.0, "A_0": 1.0, **CLIENTS},
    "objectives.separable_saddles.random_phase_cosines": {"A": 1.0, "w": 1.0, "h": 1.0},
    "runs.selection.above_threshold": {"seed": 0, "replicate": 0}, "runs.selection.select": {"seed": 0, "replicate": 0},
}  # fmt: skip

HUGE = 10**12
LANDSCAPE = lab.random_phase_cosines(4)
PSGD = {"oracle": "sgd", "eta": 0.1, "chi": 0.1, "R": 0.1, "Gamma": 2, "Q": 1, "n": 8, "b_1": 1, "sigma_1": 0.1}
TOO_LARGE = {
    "d of a saddle": lambda: lab.random_phase_cosines(HUGE),
    "rows of a matrix": lambda: lab.matrix_factorisation(HUGE, 2),
    "samples": lambda: lab.simulate("gauss_psgd", LANDSCAPE, **{**PSGD, "n": 10 * HUGE, "limit": 2}),
    "limit": lambda: lab.simulate("gauss_psgd", LANDSCAPE, **PSGD, limit=10 * HUGE),
    "steps of an escape": lambda: lab.escape(LANDSCAPE, eta=0.1, T=10 * HUGE, sigma=0.1),
    "runs of a couple": lambda: lab.couple(LANDSCAPE, eta=0.1, T=1, sigma=0.1, replicates=10 * HUGE),
    "held out": lambda: lab.select(
        LANDSCAPE, np.zeros((1, 4)), n=HUGE, sigma_gradient=0, sigma_hessian=0, gradient_limit=1, curvature_limit=1
    ),
    "clients": lambda: lab.octopus(3, clients=10 * HUGE, heterogeneity=1.0),
}
