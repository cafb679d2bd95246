"""The commands of `theory-lab`, one module each: options, light to import, and a function that calls the lab and prints.

`cli` imports the module of the command that is called. `recommend_page` has what a user's own theorem
prescribes, `witness_script` plain Python for a witness. May import: all packages. Start with `calibrate`.
"""
