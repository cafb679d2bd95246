"""Mutation testing: measure how many small code changes (mutants) the test suite detects. `make mutants`, never in CI.

The operators are Cosmic Ray's. A random sample of their mutants is tried, with a committed seed and the same number in every room, a
group of source files. A mutant is written into a copy of the tree, and the tests that run its line (coverage contexts), its file or its
room run in a fork, the quickest first. Results are stored: an interrupted run continues where it stopped.
"""
