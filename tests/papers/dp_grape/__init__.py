"""DP-GRAPE in the tests: its files in the rooms of mutants. Light: the tree that is mutated must not be imported here."""

ROOMS = {
    "dp_grape": ("bounds/dp_grape/*.py",),
    "proofs": ("paper_checks/dp_grape/theorem_d10.py",),
}
