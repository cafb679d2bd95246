"""DP-ZOPO's simulation: what its parts declare, together."""

from tests.papers.parts import parts, together

DEFAULTS, TOO_LARGE = (together(parts("dp_zopo", "simulation"), name) for name in ("DEFAULTS", "TOO_LARGE"))
