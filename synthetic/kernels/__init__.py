"""The papers' algorithms as Numba kernels: loops on arrays, without validation or raising."""

from synthetic.kernels.first_order import dp_gd
from synthetic.kernels.frozen import frozen_psgd
from synthetic.kernels.gradient_oracles import ada_dp_spider, dp_spider, exact, query_dp_spider, sgd
from synthetic.kernels.psgd import coupled_descent, gauss_psgd, perturbed_descent
from synthetic.kernels.zeroth_order import dpgd_0th, dpzero, mezo

__all__ = [
    "ada_dp_spider", "coupled_descent", "dp_gd", "dp_spider", "dpgd_0th", "dpzero", "exact", "frozen_psgd", "gauss_psgd", "mezo",
    "perturbed_descent", "query_dp_spider", "sgd",
]  # fmt: skip
