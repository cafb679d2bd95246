"""What only `make verify` runs: full checks, galleries drawn again, LaTeX, browsers; and the program that runs everything in parts."""
