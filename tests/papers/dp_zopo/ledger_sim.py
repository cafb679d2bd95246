"""What the ledger of DP-ZOPO's algorithms must keep."""

LEAST = {"printed": 11, "reading": 5, "question": 6}  # claims, of each kind
MARKED = {"repairable": "E28 E29 E30 E31", "harmless": "E14 E15 E26 E32 E33 E34"}
SUBJECTS = {
    "E14": "equation_36.explicit", "E15": "algorithm_2.output", "E26": "algorithm_1.first_stage", "E28": "algorithm_4.keeps_r",
    "E29": "algorithm_4.incremental_contains", "E30": "algorithm_4.incremental_tunes", "E31": "algorithm_4.rank_range",
    "E32": "section5.variance", "E33": "algorithm_2.inputs", "E34": "section4_d1.memory",
}  # fmt: skip
COMPILED: set[str] = set()  # without the compiler every claim of the algorithms takes less than two seconds
