"""Gauss-PSGD: private second-order stationary points (Tao, Zhang, Yu, Cheng, Dressler, Wang)."""
