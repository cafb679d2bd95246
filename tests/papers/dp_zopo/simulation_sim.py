"""DP-ZOPO's simulation: its defaults, and calls that fit no memory."""

from synthetic.methods.dp_zopo import DP_ZOSO
from synthetic.objectives.sums import quadratic
from synthetic.runs.simulate import simulate

DEFAULTS = {  # function: what it does where an argument is left out
    "methods.dp_zopo.stage_values": {"factor": 1.0},
    "methods.masks.importance_weights": {"weights": "pruning", "upper": 1.2, "lower": 0.8},
}

OBJECTIVE = quadratic("inverse", 8, 10, 0)
RUN = {"alpha": 0.1, "C": 1.0, "sigma": 0.1}
TOO_LARGE = {
    "stages": lambda: simulate(DP_ZOSO, OBJECTIVE, T=(1,) * 1000, stages=1000, replicates=10**10, **RUN),
    "directions": lambda: simulate(DP_ZOSO, OBJECTIVE, T=2, P=10**12, **RUN),
}
