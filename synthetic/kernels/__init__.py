"""The papers' algorithms as Numba kernels: loops on arrays, without validation or raising."""

from synthetic.kernels.dp_grape import dp_adam, dp_galore, dp_grape, dp_grape_blocks, dp_sgd, galore
from synthetic.kernels.dp_zopo import dp_zoo
from synthetic.kernels.dpzero import dp_gd, dpgd_0th, dpzero, mezo
from synthetic.kernels.gradient_oracles import ada_dp_spider, dp_spider, exact, query_dp_spider, sgd
from synthetic.kernels.psgd import coupled_descent, frozen_psgd, gauss_psgd, perturbed_descent

__all__ = ["ada_dp_spider", "coupled_descent", "dp_gd", "dp_spider", "dpgd_0th", "dpzero", "exact", "frozen_psgd", "gauss_psgd"]
__all__ += ["mezo", "perturbed_descent", "query_dp_spider", "sgd"]
__all__ += ["dp_adam", "dp_galore", "dp_grape", "dp_grape_blocks", "dp_sgd", "dp_zoo", "galore"]
