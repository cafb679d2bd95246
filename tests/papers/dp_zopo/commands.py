"""DP-ZOPO on the command line and at the front door: options at values that are no defaults, calls to be spoilt, and its figures."""

import theory_lab as lab
from tests.papers.commands import PRIVACY
from tests.papers.dp_zopo import commands_obj, commands_pics

# --- option: a value that is not its default --------------------------------------------------------------------------------------------
METHODS = ("dp_zoo", "dp_zoso", "dp_zopo")
START = {"d": 6, "n": 20, "alpha": 0.1, "T": 7, "C": 1.0, "sigma": 0.1}
COMMON = {
    "objective": "ball_quadratic", "spectrum": "flat", "d": 5, "n": 31, "alpha": 0.25, "T": 9, "lam": 1e-3, "C": 0.5, "sigma": 0.7,
    "replicates": 3, "batch_size": 6, "seed": 11, "json": True, "sampling": "poisson", "P": 2, "anchor": 3.0, "regulariser": "proximal",
    "direction": "sphere", "output": "average", "radius": 2.0, "tail": 0.25, "more": ["radius=2.0", "spread=0.5"], "plan": "sharp",
    "epsilon": 2.0, "delta": 1e-6,
}  # fmt: skip
STAGES = {"alpha": (0.25, 0.1), "T": (3, 6), "lam": (1e-3, 1e-2), "stages": 2, "widening": 1.5}
OWN = {
    "dp_zoo": {},
    "dp_zoso": STAGES,
    "dp_zopo": STAGES | {
        "rates": (0.2, 0.6), "strategy": "dynamic", "weights": "rank", "upper": 1.5, "lower": 0.5, "score": "random", "score_P": 2,
        "score_lam": 1e-2,
    },
}  # fmt: skip
SIMULATE = {method: COMMON | own for method, own in OWN.items()}
PROBLEM = {"n": 1e4, "d": 20, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "growth_mu": 0.1, "radius": 2.0, "gap": 0.5}
RECOMMEND = {
    "n": 3e4, "d": 50, "epsilon": 0.5, "delta": 1e-7, "L": 3.0, "growth_mu": 0.2, "radius": 1.5, "gap": 0.4, "weak": 0.01,
    "sample_spread": 2.0, "stages": 3, "P": 2, "batch_size": 100, "target": 0.3, "rates": 0.5, "T_max": 77, "ell": 2.0, "r": 4.0,
    "latex": True, "csv": True, "picture": "p.svg", "json": True,
}  # fmt: skip
WITHOUT = {"dp_zoo": {"stages", "rates"}, "dp_zoso": {"rates"}, "dp_zopo": set()}
TRIED = {
    **{("simulate", method): tried for method, tried in SIMULATE.items()},
    **{("recommend", method): {name: value for name, value in RECOMMEND.items() if name not in WITHOUT[method]} for method in METHODS},
}
REQUIRED = {
    **{("simulate", method): {"d", "n"} for method in METHODS},
    **{("recommend", method): set(PROBLEM) for method in METHODS},
}
DEFAULT = {"weak": 0.0, "P": 1, "rates": 1.0, "latex": False, "csv": False, "json": False}
LEFT_OUT = {  # what an option is where it is left out
    **{
        ("simulate", method): {"objective": "quadratic", "spectrum": "inverse", "replicates": 1, "more": [], "seed": 0, "json": False}
        for method in METHODS
    },
    **{("recommend", method): {name: one for name, one in DEFAULT.items() if name not in WITHOUT[method]} for method in METHODS},
}

# --- what is printed as LaTeX -----------------------------------------------------------------------------------------------------------
WORDS = [
    "--n",
    "1000000",
    "--d",
    "100",
    "--epsilon",
    "1",
    "--delta",
    "1e-7",
    "--L",
    "1",
    "--growth-mu",
    "0.1",
    "--radius",
    "1",
    "--gap",
    "0.5",
]
RECOMMENDED = [["recommend", method, *WORDS, *more] for method in METHODS for more in ([], ["--ell", "1", "--r", "3"])]
LOOSE: list[list[str]] = []
NUMBERS = ("T", "stages", "C", "batch_size", "P", "radius", "rates", "sigma", "noise_ratio", "bound", "certified")  # of a plan

# --- calls with good arguments, which tests spoil one by one ----------------------------------------------------------------------------
BALL = lab.ball_quadratic("flat", 6, 8, 0, radius=2.0, spread=0.5)
RUN = {"alpha": 0.1, "T": 3, "lam": 1e-3, "C": 1.0, "sigma": 0.1, "P": 2, "anchor": 2.0, "radius": 3.0, "tail": 0.4, "batch_size": 2,
       "replicates": 1, "seed": 0, "threads": 1}  # fmt: skip
STAGED = RUN | {"stages": 2, "widening": 1.5}
CALLS = {
    **commands_obj.CALLS,
    "recommend dp_zopo": (lab.recommend, ("dp_zopo",), {
        "n": 1000, "d": 20, "L": 1.0, "growth_mu": 0.1, "radius": 2.0, "gap": 0.5, **PRIVACY, "weak": 0.01, "sample_spread": 0.5,
        "stages": 2, "P": 2, "batch_size": 100, "target": 0.3, "rates": 0.5, "T_max": 50, "ell": 1.0, "r": 3.0,
    }),
    "simulate dp_zoo": (lab.simulate, ("dp_zoo", BALL), RUN),
    "simulate dp_zoso": (lab.simulate, ("dp_zoso", BALL), STAGED),
    "simulate dp_zopo": (lab.simulate, ("dp_zopo", BALL), {
        **STAGED, "rates": 0.5, "upper": 1.3, "lower": 0.7, "score_P": 2, "score_lam": 1e-3,
    }),
}  # fmt: skip

# --- figures ----------------------------------------------------------------------------------------------------------------------------
LESS, RECORDS, pictures = commands_pics.LESS, commands_pics.RECORDS, commands_pics.pictures
