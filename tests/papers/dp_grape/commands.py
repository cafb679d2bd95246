"""DP-GRAPE on the command line and at the front door: options at values that are no defaults, calls to be spoilt, and its figures."""

import theory_lab as lab
from tests.papers.commands import PRIVACY

# --- option: a value that is not its default --------------------------------------------------------------------------------------------
METHODS = ("dp_grape", "dp_grape_blocks", "dp_sgd", "dp_adam", "galore", "dp_galore")
PLANNED = METHODS[:2]
SHAPE = ["m=3", "layers=2"]
START = {"d": 24, "n": 20, "alpha": 0.1, "T": 5, "C": 1.0, "sigma": 0.1, "more": SHAPE}
COMMON = {
    "objective": "matrix_cosine", "spectrum": "flat", "d": 30, "n": 31, "alpha": 0.25, "T": 9, "C": 0.5, "sigma": 0.7, "replicates": 3,
    "batch_size": 6, "seed": 11, "more": SHAPE, "json": True, "sampling": "poisson",
}  # fmt: skip
BUDGET = {"plan": "sharp", "epsilon": 2.0, "delta": 1e-6}
SUBSPACE = {"r": 2, "F": 3, "update": "adam", "moments": "reset", "side": "left", "refresh": "printed"}
OWN = {
    "dp_grape": {**SUBSPACE, "projection": "orthonormal", **BUDGET},
    "dp_grape_blocks": {"r": 2, "noise": "shared", **BUDGET},
    "dp_sgd": {},
    "dp_adam": {},
    "galore": SUBSPACE,
    "dp_galore": SUBSPACE,
}
SIMULATE = {method: COMMON | own for method, own in OWN.items()}
PROBLEM = {"n": 1e4, "d": 2e3, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "r": 4}
RECOMMEND = {
    "n": 3e4, "d": 50.0, "epsilon": 0.5, "delta": 1e-7, "L": 3.0, "ell": 0.2, "gap": 4.0, "r": 3, "layers": 2, "block": 25,
    "spread": 5.0, "batch_size": 100, "T_max": 77, "latex": True, "json": True,
}  # fmt: skip
TRIED = {
    **{("simulate", method): tried for method, tried in SIMULATE.items()},
    **{("recommend", method): RECOMMEND for method in PLANNED},
}
REQUIRED = {
    **{("simulate", method): {"d", "n"} | (set() if method in PLANNED else {"alpha", "T"}) for method in METHODS},
    **{("recommend", method): {"n", "d", "epsilon", "delta", "L", "ell", "gap", "r"} for method in PLANNED},
}
LEFT_OUT = {  # what an option is where it is left out
    **{
        ("simulate", method): {
            "objective": "matrix_quadratic",
            "spectrum": "inverse",
            "replicates": 1,
            "more": [],
            "seed": 0,
            "json": False,
        }
        for method in METHODS
    },
    **{("recommend", method): {"layers": 1, "T_max": "printed", "latex": False, "json": False} for method in PLANNED},
}
