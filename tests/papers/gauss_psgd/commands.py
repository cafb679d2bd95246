"""Gauss-PSGD on the command line and at the front door: options at values that are no defaults, calls to be spoilt, and its figures."""

import inspect

import numpy as np

import theory_lab as lab
from bounds.gauss_psgd.columns import Schedule
from tests.papers.commands import PRIVACY
from theory_lab.methods.record import resolved

# --- option: a value that is not its default --------------------------------------------------------------------------------------------
METHODS = ("gauss_psgd", "frozen_psgd")
SOSP_PROBLEM = {"n": 1e6, "d": 10.0, "epsilon": 8.0, "delta": 1e-5, "L": 3.2, "ell": 1.0, "rho": 1.0, "U": 17.0}
RECOMMEND_SOSP = {
    "n": 2e6, "d": 12.0, "epsilon": 4.0, "delta": 1e-6, "L": 2.0, "ell": 0.5, "rho": 0.7, "U": 9.0, "m": 3, "omega": 0.02, "alpha": 0.8,
    "s": 30.0, "C_abs": 2.0, "base": "2", "latex": True, "csv": True, "picture": "p.svg", "json": True,
}  # fmt: skip
SOSP_START = {"d": 3, "n": 20_000, "epsilon": 8.0, "delta": 1e-5}
FROZEN = {
    "objective": "octopus", "d": 2, "n": 30_000, "epsilon": 4.0, "delta": 1e-6, "alpha": 0.45, "clients": 3, "heterogeneity": 0.3,
    "more": ["w=0.5"], "changed": ["eta=0.01"], "select": 500, "selection": "printed", "replicates": 2, "seed": 5, "json": True,
}  # fmt: skip
PSGD = FROZEN | {"oracle": "sgd", "restart": "renew", "drift": "queries", "output": "last"}
TRIED = {("simulate", "gauss_psgd"): PSGD, ("simulate", "frozen_psgd"): FROZEN, ("recommend", "gauss_psgd"): RECOMMEND_SOSP}
REQUIRED = {
    **{("simulate", method): {"d", "n", "epsilon", "delta"} for method in METHODS},
    ("recommend", "gauss_psgd"): {"n", "d", "epsilon", "delta", "L", "ell", "rho", "U"},
}
PLAIN = {
    "objective": "random_phase_cosines", "clients": 1, "heterogeneity": 0.0, "more": [], "changed": [], "selection": "proved",
    "replicates": 1, "seed": 0, "json": False,
}  # fmt: skip
LEFT_OUT = {  # what an option is where it is left out
    ("simulate", "frozen_psgd"): PLAIN,
    ("simulate", "gauss_psgd"): {**PLAIN, "restart": "continue", "drift": "estimates", "output": "anchor"},
    ("recommend", "gauss_psgd"): {"m": 1, "omega": 0.1, "C_abs": 1.0, "base": "e", "latex": False, "csv": False, "json": False},
}

# --- what is printed as LaTeX -----------------------------------------------------------------------------------------------------------
WORDS = ["--n", "1e6", "--d", "10", "--epsilon", "8", "--delta", "1e-5", "--L", "3.17", "--ell", "1", "--rho", "1", "--U", "17"]
RECOMMENDED = [["recommend", "gauss_psgd", *WORDS], ["recommend", "gauss_psgd", *WORDS, "--m", "10"]]
LOOSE: list[list[str]] = []
NUMBERS = Schedule.ROWS  # of a plan, which its table has

# --- calls with good arguments, which tests spoil one by one ----------------------------------------------------------------------------
LANDSCAPE = lab.random_phase_cosines(3)
ORACLE = {"n": 40, "b_1": 10, "b_2": 5, "sigma_1": 0.1, "sigma_2": 0.1, "kappa": 0.1, "limit": 5, "replicates": 1, "seed": 0, "threads": 1}
CALLS = {
    "recommend gauss_psgd": (lab.recommend, ("gauss_psgd",), {
        "n": 10**5, "d": 20, **PRIVACY, "L": 1.0, "ell": 1.0, "rho": 1.0, "U": 1.0, "m": 1, "omega": 0.1, "alpha": 0.5,
        "s": 1.0, "C_abs": 1.0,
    }),
    "random_phase_cosines": (lab.random_phase_cosines, (), {"d": 3, "A": 1.0, "w": 1.0, "h": 1.0, "unstable_h": 0.5}),
    "matrix_factorisation": (lab.matrix_factorisation, (), {"rows": 3, "rank": 2, "Lambda": 2.0, "spread": 0.1, "clients": 1}),
    "simulate gauss_psgd": (lab.simulate, ("gauss_psgd", LANDSCAPE), {
        **ORACLE, "oracle": "ada_dp_spider", "eta": 0.1, "chi": 0.1, "R": 0.1, "Gamma": 3, "Q": 2, "keep_points": False,
    }),
    "simulate frozen_psgd": (lab.simulate, ("frozen_psgd", LANDSCAPE), {
        **ORACLE, "eta": 0.1, "threshold": 0.1, "extra": 0.1, "frozen_steps": 3,
    }),
    "certify_sosp": (LANDSCAPE.certify_sosp, (), {"x": [0.0, 0.0, 0.0], "alpha": 0.1}),
    "escape": (lab.escape, (LANDSCAPE,), {"eta": 0.1, "T": 5, "sigma": 0.1, "zeta": 0.1, "replicates": 1, "seed": 0, "threads": 1}),
    "couple": (lab.couple, (LANDSCAPE,), {"eta": 0.1, "T": 5, "sigma": 0.1, "zeta": 0.1, "replicates": 1, "seed": 0, "threads": 1}),
    "select": (lab.select, (LANDSCAPE, np.zeros((2, 3))), {
        "n": 10, "sigma_gradient": 0.1, "sigma_hessian": 0.1, "gradient_limit": 0.1, "curvature_limit": 0.1, "seed": 0, "replicate": 0,
    }),
    "above_threshold": (lab.above_threshold, (LANDSCAPE, np.zeros((2, 3))), {
        "n": 10, "epsilon": 1.0, "gradient_limit": 0.1, "curvature_limit": 0.1, "seed": 0, "replicate": 0,
    }),
}  # fmt: skip
for constructor in (lab.cubic_saddle, lab.slope, lab.quartic_saddle, lab.octopus, lab.phase_retrieval):
    named = inspect.signature(constructor).parameters.items()
    good = {name: 3 if name == "d" else 1.0 if one.default is None else one.default for name, one in named}
    CALLS[constructor.__name__] = constructor, (), good

# --- figures ----------------------------------------------------------------------------------------------------------------------------
LESS = {  # in what the preview is less
    "psgd-digits": "epsilons 0.5 to 2 (2) of 0.5 to 2 (3), clients 1 to 5 (2) of 1 to 5 (3), epochs 4 of 10, replicates 3 of 12",
    "psgd-distributed": "d 5 of 10, n 30000 of 60000, clients 1 to 8 (4) of 1 to 16 (5), replicates 12 of 24",
    "psgd-escape": "log_factors 5 to 9 (4) of 5 to 12 (10), replicates 400 of 10000, path_log_factor 8 of 9, path_replicates 200 of 1000",
    "psgd-rate": "large_n 30000 to 300000 (3) of 30000 to 4000000 (8), small_n 250000 to 1000000 (3) of 250000 to 6000000 (7), "
    "n 300000 of 1000000, epsilons 0.025 to 1 (4) of 0.015 to 4 (8), replicates 12 of 24",
    "psgd-selection": "dimensions 5 to 60 (3) of 5 to 120 (7), replicates 10 of 30",
}  # fmt: skip
SOME, OTHERS = "tests.figures.gauss_psgd.test_drawn", "tests.figures.gauss_psgd.test_drawn_others"
RECORDS = {  # made-up numbers of the figures that say of themselves where they come from
    "psgd-digits": f"{OTHERS}:digits_record", "psgd-distributed": f"{SOME}:distributed_record", "psgd-escape": f"{OTHERS}:escape_record",
    "psgd-rate": f"{SOME}:rate_record", "psgd-selection": f"{OTHERS}:selection_record",
}  # fmt: skip


def pictures():
    """Figures of made-up numbers."""
    from figures.gauss_psgd import digits as psgd_digits
    from figures.gauss_psgd import escape as psgd_escape
    from figures.gauss_psgd import rate as psgd_rate
    from figures.gauss_psgd import selection as psgd_selection

    return {one.NAME: one.draw(resolved(RECORDS[one.NAME])()) for one in (psgd_rate, psgd_escape, psgd_selection, psgd_digits)}
