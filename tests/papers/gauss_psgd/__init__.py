"""Gauss-PSGD in the tests: its files in the rooms of mutants. Light: the tree that is mutated must not be imported here."""

ROOMS = {
    "gauss_psgd": ("bounds/gauss_psgd/*.py",),
}
