"""The statements of DP-GRAPE once more: a module for each part of the paper, here together."""

from tests.papers.parts import statements

globals().update(statements("dp_grape"))
