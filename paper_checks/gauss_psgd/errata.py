"""The errata of the Gauss-PSGD paper. Code and ledger refer to some by their numbers, such as the readings of E10."""

from __future__ import annotations

from functools import partial

from paper_checks import errata

Erratum = partial(errata.Erratum, mark=errata.UNMARKED)  # until each has its mark

ERRATA = (
    Erratum("E1", "proof", "Lemma 2 and (53) need log to base 2; the paper names no base, and with the natural one they fail",
            ("lemma2.printed_lemma2", "lemma2.whole_numbers_base_e", "lemma1.printed_53_natural")),
    Erratum("E2", "guarantee", "With the second entry of (6), which rests on a wrong (52) and depends on the unit of length, Lemma 1 and "
            "Corollary 1 can fail",
            ("lemma1.printed_52", "lemma1.printed_53", "corollary1.printed_ln", "corollary1.printed_log2",
             "corollary1.printed_larger_s", "equation_6.unit", "log_factor.units_second", "theorem1.at_its_parameters")),
    Erratum("E3", "guarantee", "(71) misses a factor iota: an escape can lower F by only (9.6/iota) Phi, less than Lemma 4's Phi once "
            "iota is above 9.6",
            ("lemma4.printed_71", "lemma4.printed_lemma4", "lemma4.printed_4_4", "lemma4.printed_4_8", "lemma4.printed_10_3")),
    Erratum("E4", "proof", "(42) and (43) lose a factor sqrt(iota), and no s makes up for it",
            ("lemma20.printed_42", "lemma20.printed_both_roots")),
    Erratum("E5", "proof", "The proofs of Theorems 2 and 3 do not give their rates where both terms are of similar size; the loss is at "
            "most n^(1/42), or (m n)^(1/42)",
            ("theorem2.printed_105", "theorem2.printed_105_any_kappa", "theorem2.slope_window", "theorem2.root_slope_between",
             "theorem3.printed_121")),
    Erratum("E6", "proof", "(98) does not keep within n samples: over the steps that (79) allows the prescribed batches need more, "
            "although each may be used once only",
            ("theorem2.printed_98", "theorem2.samples_strict", "theorem2.samples_s1", "theorem2.samples_loose")),
    Erratum("E7", "proof", "The errors of Ada-DP-SPIDER are not martingale differences, which Lemmas 19 and 20 take for granted",
            ("lemma18.martingale",)),
    Erratum("E8", "proof", "Escapes need r bounded from below, since mu grows as r falls; Lemma 7 bounds it from above only",
            ("equation_6.bound_on_r",)),
    Erratum("E9", "proof", "Rounds of an escape can share the last fresh gradient and its error: they are not independent, which "
            "Lemma 2 asks",
            ("lemma2.fresh_rounds_continue", "lemma2.fresh_rounds_history", "lemma2.rounds_continue", "lemma2.rounds_history")),
    Erratum("E10", "proof", "What the oracle remembers when a round starts again is not said; in order of calls the drift misses the "
            "jump back to x~, and Lemma 8's sum leaves out that jump's rise of F",
            ("algorithm2.drift", "lemma7.within_kappa", "algorithm1.reading_ab", "lemma8.one_path")),
    Erratum("E11", "text", "Algorithm 1's listing returns the last iterate, which need not be an alpha-SOSP, where Section 5.2 returns "
            "x~", ("algorithm1.returns_last", "theorem1.printed_return")),
    Erratum("E12", "proof", "The proof of Theorem 1 does not count Lemma 4's probability of failure at each escape",
            ("theorem1.printed_union",)),
    Erratum("E13", "text", "(75) leaves out the error of Lemma 3", ("lemma6.printed_75",)),
    Erratum("E14", "text", "(79) does not count the phase that fails", ("lemma6.printed_79",)),
    Erratum("E15", "text", "(77) takes chi for alpha and is 8 times too large", ("lemma6.printed_77",)),
    Erratum("E16", "scope", "The introduction has m n in the private term where Theorem 3 and Remark 3 have sqrt(m) n",
            ("theorem3.printed_contribution_3", "introduction.distributed_rate")),
    Erratum("E17", "text", "The introduction calls the earlier 3/7 bound suboptimal, but where sqrt(d) < epsilon n it is smaller than "
            "the new one", ("theorem2.printed_contribution_2",)),
    Erratum("E18", "guarantee", "The thresholds of Algorithm 4 lack constants: in high dimension its noise exceeds them with "
            "high probability, so that an alpha-SOSP is turned down",
            ("algorithm4.gradient_allowance", "algorithm4.gradient_allowance_drawn", "algorithm4.hessian_allowance",
             "algorithm4.turned_down", "algorithm4.bernstein", "theorem4.printed_bernstein")),
    Erratum("E19", "text", "The cross term of Theorem 4 has alpha for sqrt(alpha)", ("theorem4.printed_143",)),
    Erratum("E20", "proof", "The composition that Theorem 4 cites (Lemma 16) needs c_1 and c_2 growing with log(T); another one (zCDP) "
            "gets by with constants", ("theorem4.one_release", "theorem4.lemma16_constant", "theorem4.printed_composition")),
    Erratum("E21", "proof", "Theorem 4 uses at the chosen point bounds that hold with high probability at a fixed one",
            ("theorem4.chosen_point", "theorem4.one_iterate")),
    Erratum("E22", "text", "(32) is claimed for every t and holds at the end of a round", ("lemma19.printed_32",)),
    Erratum("E23", "text", "The relation of (34) is turned round", ("lemma20.printed_34",)),
    Erratum("E24", "text", "(38) does not subtract the Hessian at the saddle", ("lemma20.printed_38",)),
    Erratum("E25", "text", "A root of iota is missing after (41)", ("lemma20.printed_after_41",)),
    Erratum("E26", "text", "(55) to (57) take the estimate of the step before", ("lemma3.index_printed",)),
    Erratum("E27", "text", "A sign is missing in (72)", ("lemma4.printed_72",)),
    Erratum("E28", "text", "Corollary 3 and Lemma 7 have log(d), which is 0 at d = 1; log(2 d) serves every d",
            ("corollary3.printed_corollary3", "corollary3.printed_corollary3_d1", "lemma7.printed_lemma7_d1")),
    Erratum("E29", "text", "Definition 7 asks (11) for all real t; it cannot hold for t far below 0", ("definition7.printed_definition7",)),
    Erratum("E30", "text", "The sums called drift in the proofs of Lemmas 7 and 9 stop one step before (9): with them the set that Lemma "
            "8 counts is empty", ("lemma8.set_by_the_sums_of_lemma7",)),
    Erratum("E31", "text", "Definition 4 refers to (3), which defines psi, where Definition 3 is meant", ("definition4.refers_to_3",)),
    Erratum("E32", "text", "The algorithms use letters that are no inputs, and do not say what happens when no point passes or the "
            "samples run out",
            ("algorithm1.inputs", "algorithm1.listed_inputs", "algorithm2.listed_inputs", "algorithm4.listed_inputs",
             "algorithm4.selects_something", "algorithm1.always_returns")),
    Erratum("E33", "proof", "Lemma 20 applies martingale bounds conditionally on an event of the whole round (repairable: intersect the "
            "events)", ("lemma20.conditioning",)),
    Erratum("E34", "guarantee", "Definition 8's first statement, for any sigma, fails for large epsilon (16 at delta = 1e-5); its second "
            "asks epsilon < 1, which Theorems 2 and 3 do not",
            ("definition8.any_epsilon", "definition8.printed_definition8", "definition8.printed_definition8_far",
             "theorem2.privacy_beyond", "theorem2.absolute_c1")),
    Erratum("E35", "text", "Section 3.1 cites [30], on the shuffle model, where [29] seems to be meant", ("section3.citation",)),
    Erratum("E36", "scope", "The constants C and s are never given, and every parameter of (5) depends on one of them",
            ("parameter_block.unique",)),
    Erratum("E37", "text", "U means three things", ("assumption2.one_u",)),
    Erratum("E38", "scope", "The experiments are outside the theory: results are plotted over epochs where each sample may be used once, "
            "and the ReLU loss is not smooth; with a clip of 1, our assumption, noise keeps the escape test from passing",
            ("experiments.epochs", "experiments.assumption_1", "experiments.mnist_can_fire", "experiments.cifar_can_fire")),
    Erratum("E39", "text", "After (53), 1 + a is more than 2^a on (0, 1], except at 1", ("lemma1.printed_2a",)),
    Erratum("E40", "text", "Lemma 14 has d for 2 d: the operator norm has two sides", ("lemma14.printed_lemma14",)),
    Erratum("E41", "text", "The saddles named after Definition 2 have every eigenvalue below -sqrt(rho alpha); the lemmas mean the least "
            "one", ("definition2.saddle",)),
    Erratum("E42", "text", "Lemma 12 is false where B is close to b; it is used far from there", ("lemma12.near_b",)),
    Erratum("E43", "scope", "With unit constants, and s = 51200 as the proofs need or even s = 1, Theorem 2 promises nothing up to n = "
            "10^6; at s = 51200 nor does Theorem 3, and Theorem 1 (alpha = 0.1) cannot be run",
            ("theorem2.promises_strict", "theorem2.promises_s1", "theorem2.promises_loose", "theorem2.promises_within_budget",
             "theorem3.promises", "theorem1.runnable")),
)  # fmt: skip
