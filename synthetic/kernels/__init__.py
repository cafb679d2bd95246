"""The papers' algorithms as Numba kernels: loops on arrays, without randomness, validation or raising."""

from synthetic.kernels.first_order import dp_gd
from synthetic.kernels.zeroth_order import dpgd_0th, dpzero, mezo

__all__ = ["dp_gd", "dpgd_0th", "dpzero", "mezo"]
