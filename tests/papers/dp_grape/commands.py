"""DP-GRAPE on the command line and at the front door: options at values that are no defaults, calls to be spoilt, and its figures."""

import theory_lab as lab
from bounds.dp_grape.columns import PARAMETERS
from tests.papers.commands import PRIVACY
from tests.papers.dp_grape import commands_memory, commands_pics

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
ADAM = {"beta1": 0.5, "beta2": 0.75, "phi": 1e-4}
SUBSPACE = {**ADAM, "r": 2, "F": 3, "update": "adam", "moments": "reset", "side": "left", "refresh": "printed"}
OWN = {
    "dp_grape": {**SUBSPACE, "projection": "orthonormal", **BUDGET},
    "dp_grape_blocks": {"r": 2, "noise": "shared", **BUDGET},
    "dp_sgd": {},
    "dp_adam": ADAM,
    "galore": SUBSPACE,
    "dp_galore": SUBSPACE,
}
SIMULATE = {method: COMMON | own for method, own in OWN.items()}
SIMULATE["galore"] = {name: value for name, value in SIMULATE["galore"].items() if name not in ("C", "sigma")}
PROBLEM = {"n": 1e4, "d": 2e3, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "r": 4}
RECOMMEND = {
    "n": 3e4, "d": 50.0, "epsilon": 0.5, "delta": 1e-7, "L": 3.0, "ell": 0.2, "gap": 4.0, "r": 3, "layers": 2, "block": 25,
    "spread": 5.0, "batch_size": 100, "T_max": 77, "latex": True, "csv": True, "picture": "p.svg", "json": True,
}  # fmt: skip
TRIED = {
    **commands_memory.TRIED,
    **{("simulate", method): tried for method, tried in SIMULATE.items()},
    **{("recommend", method): RECOMMEND for method in PLANNED},
}
REQUIRED = {
    **commands_memory.REQUIRED,
    **{("simulate", method): {"d", "n"} | (set() if method in PLANNED else {"alpha", "T"}) for method in METHODS},
    **{("recommend", method): {"n", "d", "epsilon", "delta", "L", "ell", "gap", "r"} for method in PLANNED},
}
LEFT_OUT = {  # what an option is where it is left out
    **commands_memory.LEFT_OUT,
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
    **{("recommend", method): {"layers": 1, "T_max": "printed", "latex": False, "csv": False, "json": False} for method in PLANNED},
}

# --- what is printed as LaTeX -----------------------------------------------------------------------------------------------------------
WORDS = ["--n", "10000000", "--d", "10000", "--epsilon", "1", "--delta", "1e-6", "--L", "1", "--ell", "1", "--gap", "1", "--r", "8"]
RECOMMENDED = [["recommend", method, *WORDS, *more] for method in PLANNED for more in ([], ["--layers", "10", "--spread", "1"])]
LOOSE: list[list[str]] = []
NUMBERS = (*PARAMETERS, "bound", "certified")  # of a plan, which its table has

# --- calls with good arguments, which tests spoil one by one ----------------------------------------------------------------------------
MATRICES = lab.matrix_quadratic("flat", 12, 6, 0, m=3, layers=2)
RUN = {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.1, "batch_size": 2, "replicates": 1, "seed": 0, "threads": 1}
CALLS = {
    **commands_memory.CALLS,
    "recommend dp_grape": (lab.recommend, ("dp_grape",), {
        "n": 1000, "d": 20, "L": 1.0, "ell": 1.0, "gap": 1.0, **PRIVACY, "r": 2, "layers": 2, "block": 4, "spread": 2.0, "T_max": 50,
    }),
    "simulate dp_grape": (lab.simulate, ("dp_grape", MATRICES), {**RUN, **ADAM, "r": 2, "F": 2, "update": "adam"}),
    "simulate dp_grape_blocks": (lab.simulate, ("dp_grape_blocks", MATRICES), {**RUN, "r": 2}),
    "simulate dp_adam": (lab.simulate, ("dp_adam", MATRICES), {**RUN, **ADAM}),
    "simulate dp_galore": (lab.simulate, ("dp_galore", MATRICES), {**RUN, "r": 2, "F": 2}),
}  # fmt: skip
DRAWN = {"spectrum": "flat", "d": 12, "n": 6, "seed": 0, "m": 3}
for constructor, more in (
    (lab.matrix_quadratic, {"layers": 2}), (lab.matrix_cosine, {"layers": 2}), (lab.low_rank, {"layers": 2, "rank": 1}),
    (lab.factorisation, {"rank": 1, "d": 8}), (lab.matrix_phase_retrieval, {}),
):  # fmt: skip
    CALLS[constructor.__name__] = constructor, (), DRAWN | more

# --- figures ----------------------------------------------------------------------------------------------------------------------------
LESS, RECORDS = commands_memory.LESS | commands_pics.LESS, commands_memory.RECORDS | commands_pics.RECORDS


def pictures():
    """Figures of made-up numbers."""
    return commands_memory.pictures() | commands_pics.pictures()
