"""DP-GRAPE and what it is compared with."""

from theory_lab.methods.record import Method

PAPER = "dp_grape"
METHODS: tuple[Method, ...] = ()
