"""Tests that only `make verify` runs (full checks, galleries, LaTeX, browsers), and the program that runs all tests in parts."""
