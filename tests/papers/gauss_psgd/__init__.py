"""Gauss-PSGD in the tests: its files in the rooms of mutants. Light: the tree that is mutated must not be imported here."""

ROOMS = {
    "proofs": ("paper_checks/gauss_psgd/in_place.py",),
    "gauss_psgd": ("bounds/gauss_psgd/*.py",),
}
