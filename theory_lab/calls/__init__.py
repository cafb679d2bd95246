"""The public calls of Python that need more than a line: `lab.audit`, `calibrate`, `estimate`, `grid`, `predict`, one module each.

`simulate`, `recommend` and `check` are in `theory_lab.api`; `docs` has the long docstrings of that module, `tuned` the variant tuned of a
plan, `attack` the result of an audit. May import: all packages but `theory_lab.commands`. Start with `calibrate`.
"""
