"""DP-ZOPO's simulation: its defaults, and calls that fit no memory."""

DEFAULTS: dict[str, dict[str, object]] = {}
TOO_LARGE: dict[str, object] = {}
