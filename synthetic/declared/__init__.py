"""Declarations: the settings of each method as the fields of a frozen dataclass, one module per paper. No heavy library is imported.

From a declaration follow the settings of the kernel's record (`synthetic.methods`), and in `theory_lab` the options of the commands, the
Python signatures, error messages, keys of sweep files and tables. `fields` says what a type of a setting may hold. Start with `dpzero`.
"""
