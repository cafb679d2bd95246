"""DPZero's simulation: its defaults, and calls that fit no memory."""

import theory_lab as lab
from synthetic.grids.grid import grid
from synthetic.methods.dpzero import DPZERO
from synthetic.runs.simulate import simulate

RUN = {"replicates": 1, "seed": 0}
LAWS = {"direction": "sphere", "precision": "double"}
DEFAULTS = {  # function: what it does where an argument is left out
    "grids.grid.grid": {"seed": 0, **LAWS, "prune": False}, "grids.grid.grids": {"prune": False}, "grids.grid.grid_cell": {"likely": False},
    "grids.grid.last_iterates": {**RUN, **LAWS}, "distribution.quadratic.final_measures": {"late": False},
    "distribution.radial.mean_grad_norm_sq": {"seed": 0, "threads": 1},
    "audits.replay.prepare_replay": {"part": 0, "separate": False, "still": False},
    "audits.sums.neighbour_scores": {"seed": 0, "still": False}, "audits.events.event_scores": {"seed": 0},
         "audits.secret_batches.secret_batch_scores": {"seed": 0},
}  # fmt: skip

HUGE = 10**12
QUADRATIC = lab.quadratic("inverse", 4, 10, 0)
GRID = {"alphas": [0.1], "clips": [1.0], "sigma": [[0.1]]}
MOMENTS = {"eigenvalues": [1.0], "offset": [1.0], "alpha": 0.1, "sigma": 0.1}
TOO_LARGE = {
    "d": lambda: lab.quadratic("flat", HUGE, 1, 0),
    "n x d": lambda: lab.quadratic("flat", 10**6, 10**7, 0),
    "n x d, complex": lambda: lab.cosine("flat", 10**6, 10**7, 0),
    "T": lambda: simulate(DPZERO, QUADRATIC, alpha=0.1, T=10 * HUGE, C=1.0, sigma=0.1),
    "replicates": lambda: simulate(DPZERO, QUADRATIC, alpha=0.1, T=2, C=1.0, sigma=0.1, replicates=2**64 - 1),
    "horizons": lambda: grid("dpzero", QUADRATIC, horizons=[10 * HUGE], **GRID),
    "T of moments": lambda: lab.expected_grad_norm_sq("dpzero", T=100 * HUGE, **MOMENTS),
}
