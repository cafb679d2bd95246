"""DPZero on the command line and at the front door: options at values that are no defaults, calls to be spoilt, and its figures."""

from functools import partial

import theory_lab as lab
from bounds.dpzero import looseness
from tests.papers.commands import PRIVACY, RELEASES

# --- option: a value that is not its default --------------------------------------------------------------------------------------------
METHODS = ("dpzero", "dpgd_0th", "dp_gd", "mezo")
PRIVATE = METHODS[:3]
START = {"d": 4, "n": 20, "alpha": 0.1, "T": 5, "C": 1.0, "sigma": 0.1}
SIMULATE = {
    "objective": "logistic", "spectrum": "flat", "d": 7, "n": 31, "alpha": 0.25, "T": 9, "C": 0.5, "lam": 0.03, "sigma": 0.7,
    "replicates": 3, "direction": "gaussian", "batch_size": 6, "seed": 11, "more": ["w=0.5"], "json": True, "sampling": "poisson",
    "plan": "sharp", "epsilon": 2.0, "delta": 1e-6,
}  # fmt: skip
PLANNED = ("plan", "epsilon", "delta")
PROBLEM = {"n": 1e4, "d": 2e3, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0}
RECOMMEND = {
    "n": 3e4, "d": 50.0, "epsilon": 0.5, "delta": 1e-7, "L": 3.0, "ell": 0.2, "gap": 4.0, "r": 6.5, "B": 2.5, "mu": 0.1, "T_max": 77,
    "lam": 0.003, "spectrum": "power:1.5", "distance": 2.0, "accountant": "lemma", "batch_size": 100, "sampling": "without_replacement",
    "latex": True, "csv": True, "picture": "p.svg", "json": True,
}  # fmt: skip
PREDICT_START = {"d": 40, "n": 30, "alpha": 0.1, "T": 5, "C": 1.0, "epsilon": 2.0, "delta": 1e-6}
PREDICT = {
    "spectrum": "power:1.5", "spectrum_file": "eigenvalues.txt", "d": 10**12, "n": 31, "alpha": 0.25, "T": 9, "C": 0.5, "epsilon": 0.5,
    "delta": 1e-7, "accountant": "exact", "sigma": 0.7, "distance": 2.5, "direction": "gaussian", "replicates": 3, "seed": 11,
    "times": "2,7", "csv": True, "json": True,
}  # fmt: skip
NO_NOISE = {"C", "epsilon", "delta", "accountant", "sigma"}
PREDICTED = {
    **{method: PREDICT for method in ("dpzero", "dpgd_0th")},
    "dp_gd": {name: value for name, value in PREDICT.items() if name != "direction"},
    "mezo": {name: value for name, value in PREDICT.items() if name not in NO_NOISE},
}
TRIED = {
    **{("predict", method): options for method, options in PREDICTED.items()},
    **{("simulate", method): SIMULATE for method in PRIVATE},
    ("simulate", "mezo"): {name: value for name, value in SIMULATE.items() if name not in (*PLANNED, "C", "sigma")},
    **{("recommend", method): RECOMMEND for method in PRIVATE},
}
REQUIRED = {
    **{("predict", method): {"n", "alpha", "T"} | ({"C"} if method != "mezo" else set()) for method in METHODS},
    **{("simulate", method): {"d", "n"} for method in PRIVATE},
    ("simulate", "mezo"): {"d", "n", "alpha", "T"},
    **{("recommend", method): {"n", "d", "epsilon", "delta", "L", "ell", "gap"} for method in PRIVATE},
}
LEFT_OUT = {  # what an option is where it is left out
    **{
        ("simulate", method): {"objective": "quadratic", "spectrum": "inverse", "replicates": 1, "more": [], "seed": 0, "json": False}
        for method in METHODS
    },
    **{("recommend", method): {"T_max": "printed", "latex": False, "csv": False, "json": False} for method in PRIVATE},
    **{("predict", method): {"distance": 1.0, "replicates": 16, "seed": 0, "csv": False, "json": False} for method in METHODS},
}  # fmt: skip

# --- what is printed as LaTeX -----------------------------------------------------------------------------------------------------------
WORDS = ["--n", "10000", "--d", "2000", "--epsilon", "2", "--delta", "1e-6", "--L", "1", "--ell", "1", "--gap", "1"]
RECOMMENDED = [
    *(["recommend", method, *WORDS, *more] for method in PRIVATE for more in ([], ["--r", "8.18"])),
    ["recommend", "dpzero", *WORDS, "--r", "8.18", "--B", "1", "--mu", "0.1"],
]
LOOSE = [["show", key, "--loose", kind] for key in looseness.METHODS for kind in ("problems", "quadratic")]
NUMBERS = ("alpha", "T", "C", "lam", "sigma", "bound", "certified")  # of a plan, which its table has

# --- calls with good arguments, which tests spoil one by one ----------------------------------------------------------------------------
OF_A_PLAN = {"n": 1000, "d": 20, "L": 1.0, "ell": 1.0, "gap": 1.0, **PRIVACY}
QUADRATIC = lab.quadratic("flat", 3, 6, 0)
RUN = {"alpha": 0.1, "T": 3, "lam": 1e-3, "replicates": 1, "seed": 0, "threads": 1}
CALLS = {
    "sigma_lemma_2_2": (lab.privacy.sigma_lemma_2_2, (), {**PRIVACY, **RELEASES}),
    "lemma_2_2_ratio": (lab.privacy.lemma_2_2_ratio, (), PRIVACY),
    "lemma_2_2_is_private": (lab.privacy.lemma_2_2_is_private, (), PRIVACY),
    "lemma_2_2_critical_epsilon": (lab.privacy.lemma_2_2_critical_epsilon, (), {"delta": 1e-6}),
    "recommend dpzero": (lab.recommend, ("dpzero",), {**OF_A_PLAN, "r": 3.0, "B": 1.0, "T_max": 50, "lam": 1e-3}),
    "recommend dp_gd": (lab.recommend, ("dp_gd",), {**OF_A_PLAN, "r": 3.0, "T_max": 50}),
    "theorem3": (lab.THEOREMS["dpzero.theorem3"].evaluate, (), {**OF_A_PLAN, "r": 3.0, "B": 1.0}),
    "simulate dpzero": (lab.simulate, ("dpzero", QUADRATIC), {**RUN, "C": 1.0, "sigma": 0.1, "batch_size": 2}),
    "simulate dp_gd": (lab.simulate, ("dp_gd", QUADRATIC), {**RUN, "C": 1.0, "sigma": 0.1}),
    "simulate mezo": (lab.simulate, ("mezo", QUADRATIC), RUN),
    "value_and_gradient": (QUADRATIC.value_and_gradient, (), {"x": [1.0, 1.0, 1.0]}),
    "grid": (lab.grid, ("dp_gd", QUADRATIC), {
        "alphas": [0.1], "horizons": [3], "clips": [1.0], **PRIVACY, "lam": 1e-4, "seed": 0, "prune": False, "threads": 1,
    }),
    "predict": (lab.predict, ("dpzero",), {
        "spectrum": "inverse", "d": 5, "n": 20, "alpha": 0.1, "T": 3, "C": 1.0, **PRIVACY, "distance": 1.0, "replicates": 2, "seed": 0,
        "threads": 1,
    }),
    "predict dp_gd": (lab.predict, ("dp_gd",), {"spectrum": [1.0, 0.5], "n": 20, "alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.1}),
    "audit": (partial(lab.audit, T=2), ("dpzero",), {**PRIVACY, "n": 3, "C": 1.0, "runs": 100, "seed": 0, "confidence": 0.9}),
    "audit dp_gd": (partial(lab.audit, T=1), ("dp_gd",), {**PRIVACY, "n": 2, "sigma": 0.5, "runs": 100, "lam": 0.1}),
    "expected_grad_norm_sq": (lab.expected_grad_norm_sq, ("dpzero",), {
        "eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0], "alpha": 0.1, "T": 5, "sigma": 0.1,
    }),
    "expected_gap": (lab.expected_gap, ("dp_gd",), {"eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0], "alpha": 0.1, "T": 5, "sigma": 0.1}),
}  # fmt: skip

# --- figures ----------------------------------------------------------------------------------------------------------------------------
GRID = ("dpzero-1", "dpzero-2", "dpzero-3")
LESS = {
    **dict.fromkeys(GRID, "dimensions 20 to 200 (4) of 20 to 2000 (7), horizons 10 to 320 (6) of 10 to 5120 (10)"),
    "dpzero-scale": "dimensions 20 to 1000000000000 (4) of 20 to 1000000000000 (7), "
    "samples 10000 to 1000000 (2) of 1000 to 1000000000 (5), "
    "T_max 320 of 5120, narrow 0.1 of 0.02, data 20 of 20 to 2000 (3)",
    "dpzero-tuned": "dimensions 20 to 100 (2) of 20 to 2000 (7), horizons 10 to 320 (6) of 10 to 5120 (10), most 24 of 192, "
    "longer 640 of 20480, replicates 16 of 64, means 256 of 1024",
}  # in what the preview is less
RECORDS = {  # made-up numbers of the figures that say of themselves where they come from
    "dpzero-scale": "tests.figures.dpzero.test_drawn_in_distribution:scale_record",
    "dpzero-tuned": "tests.figures.dpzero.test_drawn_in_distribution:tuned_record",
}


def pictures():
    """Figures of made-up numbers."""
    from figures.dpzero import scale as dpzero_scale
    from figures.dpzero import synthetic as dpzero_synthetic
    from figures.dpzero import tuned as dpzero_tuned
    from tests.figures.dpzero.test_drawn import OUTCOME
    from tests.figures.dpzero.test_drawn_in_distribution import scale_record, tuned_record

    return {name: dpzero_synthetic.GridFigure(name).draw(OUTCOME) for name in GRID} | {
        "dpzero-scale": dpzero_scale.draw(scale_record()),
        "dpzero-tuned": dpzero_tuned.draw(tuned_record()),
    }
