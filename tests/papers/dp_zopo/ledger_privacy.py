"""What the ledger of DP-ZOPO must keep of privacy, and of the privacy floor."""

LEAST = {"printed": 10, "reading": 4, "question": 19}  # claims, of each kind
MARKED = {"repairable": "E6 E19 E20 E21 E55 E59 E60", "harmless": "E22"}
SUBJECTS = {
    "E6": "floor.complexity", "E19": "theorem1.split", "E20": "theorem1.sensitivity", "E21": "lemma2.same_guarantee",
    "E22": "definition2.private", "E59": "theorem1.one_for_all", "E60": "lemma1.one_c_2",
}  # fmt: skip
COMPILED = {
    f"audit.{name}"
    for name in ("dp_zoo", "several_directions", "dp_zoso", "dp_zopo", "dp_zopo_directions", "fixed_batches", "fixed_batches_directions")
} | {"audit.poisson_batches"}
