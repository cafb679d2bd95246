"""The errata of DPZero. "ICML text" and "arXiv text" are its two versions, which differ in five of them."""

from __future__ import annotations

from paper_checks.errata import Erratum

F = ("corollary_f2", "corollary_f3", "corollary_f4")
PRIVACY = (
    "theorem1.privacy", "theorem1.privacy_last_iterate", "theorem2.privacy", "theorem3.privacy", "theorem3.privacy_last_iterate",
    "theorem3.privacy_small_threshold",
)  # fmt: skip
INTEGERS = ("theorems.integer_steps", "theorem3.always_floor", "theorem3.always_ceil", *(f"{one}.ceil" for one in F))
INDEPENDENT = ("figure3.dpzero_nearly_independent", *(f"figure{k}.dpzero_nearly_independent" for k in (1, 2)))

ERRATA = (
    Erratum("E1", "text", "The algorithms call sigma the variance of the noise; it is the standard deviation",
            ("algorithms.sigma_as_variance",)),
    Erratum("E2", "guarantee", "Lemma 2.2's noise is too small for large epsilon, and with it the privacy clauses of Theorems 1, 2 and 3",
            ("lemma_2_2.any_epsilon", *PRIVACY)),
    Erratum("E3", "text", "The parentheses of Lemma 2.2 do not balance in the ICML text", ("lemma_2_2.parentheses",)),
    Erratum("E4", "text", "A parenthesis of Corollary F.4 closes too early in the ICML text, which changes the bound",
            ("corollary_f4_as_printed.follows",)),
    Erratum("E5", "text", "The event whose probability Appendix E bounds has lost its bar in the ICML text", ("theorem3.missing_bar",)),
    Erratum("E6", "text", "Appendix E bounds an average over iterates and calls it the last one in the ICML text",
            ("theorem3.telescoped_for_last",)),
    Erratum("E7", "text", "The proofs of Corollaries F.2 and F.3 write ||F_S||^2 where ||grad F_S||^2 is meant",
            ("corollary_f2.loss_for_gradient", "corollary_f3.loss_for_gradient")),
    Erratum("E8", "text", "The last lines of the proofs of F.2 and F.3 are equalities only at the largest lambda",
            ("corollary_f2.equality", "corollary_f3.equality")),
    Erratum("E9", "guarantee", "Corollaries F.2 to F.4 are about constant functions only: no other is Lipschitz and has the PL property",
            tuple(f"{one}.not_vacuous" for one in F)),
    Erratum("E10", "scope", "The B of Theorem 3 bounds |F_S| on all of R^d, not along the run: unbounded losses are excluded",
            ("theorem3.unbounded_loss",)),
    Erratum("E11", "guarantee", "Theorem 3 fails for small epsilon, where log X is negative", ("theorem3.any_epsilon",)),
    Erratum("E12", "guarantee", "Corollaries F.2 to F.4 fail for small epsilon, where log Y is negative",
            tuple(f"{one}.any_epsilon" for one in F)),
    Erratum("E13", "proof", "The prescribed number of steps T is not an integer, and how it is rounded matters", INTEGERS),
    Erratum("E14", "proof", "Remark F.5's trivial bound L^2 is that of a squared gradient; the corollaries bound a loss",
            ("remark_f5.trivial_bound",)),
    Erratum("E15", "proof", "Lemma C.2 (i) speaks of any function, and needs a continuous one", ("lemma_c2.any_function",)),
    Erratum("E16", "scope", "Assumption 3.5 with r = d is more than Assumption 3.1, on which one entry of Table 1 depends",
            ("assumption_3_5.boils_down", "table1_dpzero.without")),
    Erratum("E17", "proof", "The constants of (4), (6) and Remark 4.2 hold T, which the theorems choose by d and r",
            ("equation_4.constant", "equation_6.constant", "remark_4_2.noise_at_own_T")),
    Erratum("E18", "scope", "The results do not extend to every direction u with E[u u'] = I",
            ("section2.any_direction_never_clips", "section2.any_direction_moments")),
    Erratum("E19", "text", "Neighbouring data sets, read as sets, may differ in two records", ("definition_2_1.neighbours_as_sets",)),
    Erratum("E20", "text", "Lemma 2.2 takes the sensitivity of a randomised algorithm, which is not 2C/n",
            ("lemma_2_2.sensitivity_of_a_randomised_algorithm",)),
    Erratum("E21", "text", "Three cases are left out: a = 0 in Lemma C.1, x = 0 in clip_C, H = 0 in Assumption 3.5",
            ("lemma_c1.ii_no_direction", "clip.defined_at_zero", "assumption_3_5.rank_of_zero")),
    Erratum("E22", "text", "A double sum in the proof of Lemma C.1 runs over indices that are fixed", ("lemma_c1.double_sum",)),
    Erratum("E23", "text", "Two cells of Table 4 are the same to every digit, which may be a copy", ("table4.identical_cells",)),
    Erratum("E25", "scope", "In the paper's experiment the threshold of Theorem 3 is above the worst case L sqrt(d) up to d = 500",
            ("section4.smaller_threshold",)),
    Erratum("E26", "scope", "In the paper's experiment (7) is mostly above the trivial L^2, and no theorem covers its quadratic loss",
            ("theorem3.says_something", "experiments.synthetic_assumptions")),
    Erratum("E27", "scope", "The lambda of the experiments is about ten powers of ten above Theorem 3's rule", ("experiments.lam",)),
    Erratum("E28", "text", "x_tau never depends on the last update, for which the noise pays all the same",
            ("algorithm1.last_update", "algorithm2.last_update")),
    Erratum("E29", "scope", "For the mini-batch experiments neither sampling scheme nor noise nor accountant is given",
            ("experiments.minibatch_privacy",)),
    Erratum("E30", "text", "Remark 4.1 has two forms; they are of the same order, and hide logarithms that O~ does not always cover",
            ("remark_4_1.parenthesis", "remark_4_1.logarithms_of_the_argument")),
    Erratum("E32", "text", "Appendix B.2's order of the threshold holds for a fixed epsilon and B only",
            ("appendix_b2.threshold_for_every_epsilon",)),
    Erratum("E33", "scope", "DPZero is said to be nearly independent of d on eigenvalues 1/i, and its losses are not", INDEPENDENT),
    Erratum("E34", "text", "Table 3's caption calls an overhead of 1.25 %, DP-LoRA's, considerable", ("table3.considerable_memory",)),
)  # fmt: skip
