"""DP-GRAPE's simulation: its defaults, and calls that fit no memory."""

from synthetic.methods.dp_grape import DP_GRAPE
from synthetic.objectives.matrices import digits_network, factorisation, matrix_cosine, matrix_phase_retrieval, matrix_quadratic
from synthetic.runs.simulate import simulate

DEFAULTS = {  # function: what it does where an argument is left out
    "methods.dp_grape.projection_layout": {"orthonormal": False},
    "objectives.matrices.layer_shape": {"layers": 1},
    "objectives.matrices.matrix_quadratic": {"layers": 1, "columns": "flat"},
    "objectives.matrices.low_rank": {"layers": 1}, "objectives.matrices.matrix_cosine": {"layers": 1},
    "objectives.matrices.digits_network": {"hidden": 32, "n": 1400, "seed": 0},
}  # fmt: skip

HUGE = 10**12
QUADRATIC = matrix_quadratic("inverse", 8, 10, 0, m=2)
TOO_LARGE = {
    "d of matrices": lambda: matrix_quadratic("flat", HUGE, 10, 0, m=10**6),
    "a of the matrix cosine": lambda: matrix_cosine("flat", 10**6, 10**8, 0, m=1000),
    "samples of a product": lambda: factorisation("flat", 2 * 10**5, HUGE, 0, m=10**5, rank=1),
    "vectors that are sensed": lambda: matrix_phase_retrieval("flat", 10**4, HUGE, 0, m=100),
    "replicates of matrices": lambda: simulate(DP_GRAPE, QUADRATIC, alpha=0.1, T=2, C=1.0, sigma=0.1, r=1, replicates=2**64 - 1),
    "hidden units": lambda: digits_network(hidden=HUGE),
}
