"""What the ledger of DP-GRAPE must keep of privacy."""

LEAST = {"printed": 7, "reading": 9, "question": 23}  # claims, of each kind
MARKED = {"repairable": "E1 E2 E3 E4 E19 E21 E36 E37", "harmless": "E20"}
UNCORRECTED = ("experiments.vacuous",)  # refuted claims that nothing is put in the place of
SUBJECTS = {
    "E1": "theorem_4_1.algorithm_1", "E2": "theorem_4_1.noise", "E3": "theorem_4_1.one_range", "E4": "theorem_4_1.printed_batch",
    "E19": "theorem_2_1.covariance", "E20": "equation_2.event", "E21": "definition.one_relation", "E36": "experiments.regime",
    "E37": "algorithm_6.sampling",
}  # fmt: skip
COMPILED = {
    f"audit.{name}"
    for name in ("dp_grape", "one_subspace", "orthonormal", "by_adam", "dp_grape_blocks", "dp_sgd", "dp_adam", "dp_galore", "shared_noise")
} | {"audit.fixed_batches", "audit.poisson_batches"}
