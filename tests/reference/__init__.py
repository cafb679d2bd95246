"""Reference implementations: slow and obvious, in plain NumPy, that kernels and losses are compared with step by step."""
