"""Mutation testing: how many small slips in the packages does the suite notice?  `make mutants`, never in CI.

Operators are Cosmic Ray's; which of their mutants are tried is drawn at random with a committed seed, the same number in every room.
A mutant is written into a copy of the tree, and the tests that run its line (coverage contexts), or else its file, or else its room,
are tried in a fork, the quickest first. What is finished is kept: an interrupted run goes on where it stopped.
"""
