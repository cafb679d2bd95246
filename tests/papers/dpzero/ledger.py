"""What the ledger of DPZero must keep: the subjects of its errata, and which of its claims and proofs take long."""

from paper_checks.errata import HELD, IN_WORDS, OPEN

LEAST = {"printed": 150, "reading": 60, "question": 90}  # claims, of each kind
MARKED = {  # errata
    "fatal": "E9",
    "repairable": "E2 E4 E10 E11 E12 E13 E16 E17 E18 E25 E32 E34",
    "harmless": "E1 E3 E5 E6 E7 E8 E14 E15 E19 E20 E21 E22 E26 E27 E29 E30 E33",
}
# refuted claims that nothing is put in the place of
UNCORRECTED = (
    "experiments.synthetic_assumptions",
    "experiments.lam",
    "figure3.dpzero_nearly_independent",
)
# A number belongs to its subject, here one of its claims, for ever: others cite it. A new erratum takes the next number that was never
# given, and one that is withdrawn leaves its number empty.
SUBJECTS = {
    "E1": "algorithms.sigma_as_variance", "E2": "lemma_2_2.any_epsilon", "E3": "lemma_2_2.parentheses",
    "E4": "corollary_f4_as_printed.follows", "E5": "theorem3.missing_bar", "E6": "theorem3.telescoped_for_last",
    "E7": "corollary_f2.loss_for_gradient", "E8": "corollary_f2.equality", "E9": "corollary_f2.not_vacuous",
    "E10": "theorem3.unbounded_loss", "E11": "theorem3.any_epsilon", "E12": "corollary_f2.any_epsilon",
    "E13": "theorems.integer_steps", "E14": "remark_f5.trivial_bound", "E15": "lemma_c2.any_function",
    "E16": "assumption_3_5.boils_down", "E17": "equation_4.constant", "E18": "section2.any_direction_never_clips",
    "E19": "definition_2_1.neighbours_as_sets", "E20": "lemma_2_2.sensitivity_of_a_randomised_algorithm",
    "E21": "lemma_c1.ii_no_direction", "E22": "lemma_c1.double_sum", "E25": "section4.smaller_threshold",
    "E26": "theorem3.says_something", "E27": "experiments.lam", "E29": "experiments.minibatch_privacy",
    "E30": "remark_4_1.parenthesis", "E32": "appendix_b2.threshold_for_every_epsilon",
    "E33": "figure3.dpzero_nearly_independent", "E34": "table3.considerable_memory",
}  # fmt: skip
WITHDRAWN = {"E23", "E24", "E28", "E31"}
NOT_SHOWN = {"E29": IN_WORDS, "E30": HELD, "E34": OPEN}  # what the claims do not refute, and what became of it instead
COMPILED = {  # claims of many steps, which planted faults are tried on with the compiler: without it the others are checked sooner
    "theorem1.runs_on_cosine", "theorem3.runs_on_cosine", "dp_gd.runs_on_cosine", "figure1.all_grow_on_flat", "figure1.dpgd_0th_saturates",
    "figure1.dpzero_nearly_independent", "figure3.dp_gd_best", "audit.dpzero", "audit.dpgd_0th", "audit.dp_gd", "audit.released_iterate",
    "audit.path_with_noise_of_iterate", "settled.worst_instance", "scale.dpgd_0th_saturates",
}  # fmt: skip
