"""DP-ZOO, DP-ZOSO and DP-ZOPO: zeroth-order descent in stages, and with pruning."""

from theory_lab.methods.record import Method

PAPER = "dp_zopo"
METHODS: tuple[Method, ...] = ()
