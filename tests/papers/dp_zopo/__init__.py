"""DP-ZOPO in the tests: its files in the rooms of mutants. Light: the tree that is mutated must not be imported here."""

ROOMS: dict[str, tuple[str, ...]] = {}
