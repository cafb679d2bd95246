"""What the ledger of Gauss-PSGD must keep: the subjects of its errata, and which of its claims and proofs take long."""

from paper_checks.errata import IN_WORDS

LEAST = {"printed": 100, "reading": 110, "question": 120}  # claims, of each kind
MARKED = {  # errata
    "fatal": "E7 E10",
    "repairable": "E1 E2 E3 E4 E5 E6 E8 E9 E11 E12 E16 E18 E20 E21 E28 E32 E33 E34 E36 E38 E40 E42 E52",
    "harmless": "E13 E14 E15 E17 E19 E22 E23 E24 E25 E26 E27 E29 E30 E31 E35 E37 E39 E41 E44 E45 E46 E47 E48 E49 E50 E51 E53 E54",
}
# refuted claims that nothing is put in the place of
UNCORRECTED = ()
# A number belongs to its subject, here one of its claims, for ever: others cite it. A new erratum takes the next number that was never
# given, and one that is withdrawn leaves its number empty.
SUBJECTS = {
    "E1": "lemma2.printed_lemma2", "E2": "lemma1.printed_52", "E3": "lemma4.printed_71", "E4": "lemma20.printed_42",
    "E5": "theorem2.printed_105", "E6": "theorem2.printed_98", "E7": "lemma18.martingale", "E8": "equation_6.bound_on_r",
    "E9": "lemma2.fresh_rounds_continue", "E10": "algorithm2.drift", "E11": "algorithm1.returns_last",
    "E12": "theorem1.printed_union", "E13": "lemma6.printed_75", "E14": "lemma6.printed_79", "E15": "lemma6.printed_77",
    "E16": "theorem3.printed_contribution_3", "E17": "theorem2.printed_contribution_2", "E18": "algorithm4.gradient_allowance",
    "E19": "theorem4.printed_143", "E20": "theorem4.one_release", "E21": "theorem4.chosen_point", "E22": "lemma19.printed_32",
    "E23": "lemma20.printed_34", "E24": "lemma20.printed_38", "E25": "lemma20.printed_after_41", "E26": "lemma3.index_printed",
    "E27": "lemma4.printed_72", "E28": "corollary3.printed_corollary3", "E29": "definition7.printed_definition7",
    "E30": "lemma8.set_by_the_sums_of_lemma7", "E31": "definition4.refers_to_3", "E32": "algorithm1.inputs",
    "E33": "lemma20.conditioning", "E34": "definition8.any_epsilon", "E35": "section3.citation", "E36": "parameter_block.unique",
    "E37": "assumption2.one_u", "E38": "experiments.epochs", "E39": "lemma1.printed_2a", "E40": "lemma14.printed_lemma14",
    "E41": "definition2.saddle", "E42": "lemma12.near_b", "E43": "theorem2.promises_strict", "E44": "remark5.still_problematic",
    "E45": "definition1.lower_bound", "E46": "section3.any_correction", "E47": "section3.no_bound", "E48": "section5.lower_bound",
    "E49": "definition6.isotropy", "E50": "corollary3.printed_zeta", "E51": "lemma5.printed_cited", "E52": "lemma8.printed_order",
    "E53": "lemma7.printed_90", "E54": "section6.error_growth",
}  # fmt: skip
WITHDRAWN = {"E43"}
NOT_SHOWN = {"E33": IN_WORDS, "E35": IN_WORDS, "E46": IN_WORDS}  # what the claims do not refute, and what became of it instead
COMPILED = {  # claims of many steps, which planted faults are tried on with the compiler: without it the others are checked sooner
    "corollary1.corrected", "lemma4.repaired_4_8", "lemma4.printed_s4_ln", "section6.error_growth",
    "audit.sgd", "audit.ada_dp_spider_difference", "audit.distributed_ada_dp_spider", "audit.above_threshold",
}  # fmt: skip
