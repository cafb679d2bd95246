"""What the command `sweep` and figures with own methods need: sweep files, a rehearsal of each kind of cell, cells of a user's methods.

`file` reads and checks a sweep file, `rehearsal` tries one cell of each kind before the others, `own_cells` and `own_grid` carry methods of
a user's file to worker processes, `computing` has the options of long work, also of `check`. May import: all packages. Start with `file`.
"""
