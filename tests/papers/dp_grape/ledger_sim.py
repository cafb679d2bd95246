"""What the ledger of DP-GRAPE's algorithms must keep."""

LEAST = {"printed": 10, "reading": 9, "question": 6}  # claims, of each kind
MARKED = {"repairable": "E15 E22", "harmless": "E14 E18 E23"}
SUBJECTS = {
    "E14": "algorithm_6.dimensions", "E15": "algorithm_6.shared_noise", "E18": "algorithm_6.sigma_as_variance",
    "E22": "algorithm_1.defined", "E23": "section3.svd_of_samples",
}  # fmt: skip
COMPILED: set[str] = set()  # without the compiler every claim of the algorithms takes less than a second
