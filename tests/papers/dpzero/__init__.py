"""DPZero in the tests: its files in the rooms of mutants. Light: the tree that is mutated must not be imported here."""

ROOMS = {
    "proofs": ("paper_checks/dpzero/appendix/remark_f5.py", "paper_checks/shared/rounding.py"),
    "sharp": ("bounds/dpzero/sharp*.py", "bounds/dpzero/looseness.py", "bounds/dpzero/settled.py"),
    "figures": ("paper_checks/dpzero/experiments/figure_runs.py",),
}
