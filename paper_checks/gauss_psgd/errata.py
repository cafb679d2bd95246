"""The errata of the Gauss-PSGD paper. Code and ledger refer to some by their numbers, such as the readings of E10.

Numbers never change: what is new comes last. E43, that Theorem 2 promises nothing at the n of today, is a remark on constants that
the paper leaves open and no erratum; its claims are questions of ours.
"""

from __future__ import annotations

from paper_checks.errata import erratum

HARMLESS, REPAIRABLE, FATAL = "harmless", "repairable", "fatal"
ERRATA = (
    erratum("E1", "proof", REPAIRABLE, "lemma2.printed_lemma2", "lemma2.whole_numbers_base_e", "lemma1.printed_53_natural").says(
        "Lemma 2 and (53) need log to base 2; the paper names no base, and with the natural one they fail"
    ),
    erratum(
        "E2",
        "guarantee",
        REPAIRABLE,
        "lemma1.printed_52",
        "lemma1.printed_53",
        "corollary1.printed_ln",
        "corollary1.printed_log2",
        "corollary1.printed_larger_s",
        "equation_6.unit",
        "log_factor.units_second",
        "theorem1.at_its_parameters",
    ).says(
        "With the second entry of (6), which rests on a wrong (52) and depends on the unit of length, Lemma 1 and "
        "Corollary 1 can fail; another logarithm repairs it, and the exponents survive"
    ),
    erratum(
        "E3",
        "guarantee",
        REPAIRABLE,
        "lemma4.printed_71",
        "lemma4.printed_lemma4",
        "lemma4.printed_s4_ln",
        "lemma4.printed_s10_ln",
        "lemma4.printed_s4_log2",
    ).says(
        "(71) misses a factor iota: an escape can lower F by only (9.6/iota) Phi, less than Lemma 4's Phi once "
        "iota is above 9.6; with Phi/iota, and chi larger by a root of iota, it goes through, and the exponents survive"
    ),
    erratum("E4", "proof", REPAIRABLE, "lemma20.printed_42", "lemma20.printed_both_roots").says(
        "(42) loses a factor sqrt(iota), and with it no s makes the bound small enough; (43) is true of the smaller "
        "number. A step size with iota^3 repairs it, and the exponents survive. Slips beside it: (43) has c where (42) has 2 c; before "
        "(42) the index of x^_t is t - 1, a factor 2 of the difference of errors is lost, and a 4 in B"
    ),
    erratum(
        "E5",
        "proof",
        REPAIRABLE,
        "theorem2.printed_105",
        "theorem2.printed_105_any_kappa",
        "theorem2.slope_window",
        "theorem2.root_slope_between",
        "theorem3.printed_121",
    ).says(
        "The proofs of Theorems 2 and 3 do not give their rates where both terms are of similar size; the loss is at "
        "most n^(1/42), or (m n)^(1/42); with another kappa part of the window is mended, in the rest the proof gives only a weaker "
        "rate, with a third term (sqrt(d)/(n^(3/2) epsilon))^(4/17)"
    ),
    erratum(
        "E6", "proof", REPAIRABLE, "theorem2.printed_98", "theorem2.samples_strict", "theorem2.samples_s1", "theorem2.samples_loose"
    ).says(
        "(98) says O(n) samples, which is true up to logarithms only: over the steps that (79) allows the prescribed "
        "batches need more than the n that there are, although each may be used once only"
    ),
    erratum("E7", "proof", FATAL, "lemma18.martingale").says(
        "The errors of Ada-DP-SPIDER are not martingale differences, which Lemmas 19 and 20 take for granted"
    ),
    erratum("E8", "proof", REPAIRABLE, "equation_6.bound_on_r").says(
        "Escapes need r bounded from below, since mu grows as r falls; Lemma 7 bounds it from above only. Noise added "
        "up to that bound in every step would mend it, and is what the paper means to avoid"
    ),
    erratum(
        "E9",
        "proof",
        REPAIRABLE,
        "lemma2.fresh_rounds_continue",
        "lemma2.fresh_rounds_history",
        "lemma2.rounds_continue",
        "lemma2.rounds_history",
    ).says(
        "Rounds of an escape can share the last fresh gradient and its error: they are not independent, which "
        "Lemma 2 asks; a fresh gradient for every round repairs it (given x~), at a cost in samples that makes n^(-2/7) of n^(-1/3)"
    ),
    erratum("E10", "proof", FATAL, "algorithm2.drift", "lemma7.within_kappa", "algorithm1.reading_ab", "lemma8.one_path").says(
        "What the oracle remembers when a round starts again is not said; in order of calls the drift misses the "
        "jump back to x~, which counting it repairs, but Lemma 8's sum leaves out that jump's rise of F, for which no repair is known "
        "to us; for the last phase the rise is at most Q Phi times powers of the logarithms"
    ),
    erratum("E11", "text", REPAIRABLE, "algorithm1.returns_last").says(
        "Algorithm 1's listing returns the last iterate, whose least eigenvalue can be below -sqrt(rho alpha) by "
        "up to rho R, where Section 5.2 returns x~"
    ),
    erratum("E12", "proof", REPAIRABLE, "theorem1.printed_union").says(
        "The proof of Lemma 6, from which Theorem 1 follows, does not count Lemma 4's probability of failure at each "
        "escape, which is negligible at the s that the proof asks"
    ),
    erratum("E13", "text", HARMLESS, "lemma6.printed_75").says(
        "If (75) is meant to follow from Lemma 3, it leaves out that lemma's error; it is true all the same where "
        "eta M <= 8/9, by smoothness alone"
    ),
    erratum("E14", "text", HARMLESS, "lemma6.printed_79").says("(79) does not count the phase that fails"),
    erratum("E15", "text", HARMLESS, "lemma6.printed_77").says("(77) takes chi for alpha and is 8 times too large"),
    erratum("E16", "scope", REPAIRABLE, "theorem3.printed_contribution_3", "introduction.distributed_rate").says(
        "The introduction has m n in the private term where Theorem 3 and Remark 3 have sqrt(m) n"
    ),
    erratum("E17", "text", HARMLESS, "theorem2.printed_contribution_2").says(
        "The introduction calls the earlier 3/7 bound suboptimal, but where sqrt(d) < epsilon n it is smaller than the new one"
    ),
    erratum(
        "E18",
        "guarantee",
        REPAIRABLE,
        "algorithm4.gradient_allowance",
        "algorithm4.gradient_allowance_drawn",
        "algorithm4.hessian_allowance",
        "algorithm4.turned_down",
        "algorithm4.turned_down_curved",
        "algorithm4.bernstein",
        "theorem4.printed_bernstein",
    ).says(
        "The allowances of Algorithm 4 carry no c_1, c_2: the noise on the Hessian is above its allowance, that on "
        "the gradient too where log(16/omega') is below c_1 (which must be 9.7 or more at epsilon = 1, delta = 1e-5 to be private). An "
        "alpha-SOSP whose Hessian is near -sqrt(rho alpha) I, or at small epsilon (0.05) any without slack, is turned down"
    ),
    erratum("E19", "text", HARMLESS, "theorem4.printed_143").says(
        "The fourth term of (143) has alpha for sqrt(alpha), a slip: (143) itself holds"
    ),
    erratum("E20", "proof", REPAIRABLE, "theorem4.one_release", "theorem4.lemma16_constant", "theorem4.printed_composition").says(
        "The composition that Theorem 4 cites (Lemma 16) needs c_1 and c_2 growing with log(T); another one (zCDP) gets by with constants"
    ),
    erratum("E21", "proof", REPAIRABLE, "theorem4.chosen_point", "theorem4.one_iterate").says(
        "Theorem 4 uses at the chosen point bounds that hold with high probability at a fixed one"
    ),
    erratum("E22", "text", HARMLESS, "lemma19.printed_32").says("(32) is claimed for every t and holds at the end of a round"),
    erratum("E23", "text", HARMLESS, "lemma20.printed_34").says("The relation of (34) is turned round"),
    erratum("E24", "text", HARMLESS, "lemma20.printed_38").says("(38) does not subtract the Hessian at the saddle"),
    erratum("E25", "text", HARMLESS, "lemma20.printed_after_41").says("A root of iota is missing after (41)"),
    erratum("E26", "text", HARMLESS, "lemma3.index_printed").says("(55) to (57) take the estimate of the step before"),
    erratum("E27", "text", HARMLESS, "lemma4.printed_72").says("A sign is missing in (72)"),
    erratum(
        "E28", "text", REPAIRABLE, "corollary3.printed_corollary3", "corollary3.printed_corollary3_d1", "lemma7.printed_lemma7_d1"
    ).says("Corollary 3 and Lemma 7 have log(d), which is 0 at d = 1; log(2 d) serves every d"),
    erratum("E29", "text", HARMLESS, "definition7.printed_definition7").says(
        "Definition 7 asks (11) for all real t, and so does (12), which has zeta for zeta_i besides; neither can hold for t far below 0"
    ),
    erratum("E30", "text", HARMLESS, "lemma8.set_by_the_sums_of_lemma7").says(
        "The sums called drift in the proofs of Lemmas 7 and 9 stop one step before (9): with them the set that Lemma 8 counts is empty"
    ),
    erratum("E31", "text", HARMLESS, "definition4.refers_to_3").says(
        "Definition 4 refers to (3), which defines psi, where Definition 3 is meant"
    ),
    erratum(
        "E32",
        "text",
        REPAIRABLE,
        "algorithm1.inputs",
        "algorithm1.listed_inputs",
        "algorithm2.listed_inputs",
        "algorithm4.listed_inputs",
        "algorithm4.selects_something",
        "algorithm1.always_returns",
    ).says(
        "The algorithms use letters that are no inputs (chi; eta, b_1, b_2, G, M, c_1, c_2; alpha, omega', G, M, rho, "
        "c_1, c_2), and do not say what happens when no point passes or the samples run out"
    ),
    erratum("E33", "proof", REPAIRABLE, "lemma20.conditioning").says(
        "Lemma 20 applies martingale bounds conditionally on an event of the whole round; the bad events can be intersected instead"
    ),
    erratum(
        "E34",
        "guarantee",
        REPAIRABLE,
        "definition8.any_epsilon",
        "definition8.printed_definition8",
        "definition8.printed_definition8_far",
        "theorem2.privacy_beyond",
        "theorem2.absolute_c1",
    ).says(
        "Definition 8's first statement, for any sigma, fails for large epsilon (16 at delta = 1e-5); its second "
        "asks epsilon < 1, which Theorems 2 and 3 do not"
    ),
    erratum("E35", "text", HARMLESS, "section3.citation").says(
        "Section 3.1 cites [30], on the shuffle model, where [29] seems to be meant"
    ),
    erratum("E36", "scope", REPAIRABLE, "parameter_block.unique").says(
        "C is never given, s only as large enough, at least (80 c)^2 with c not given either, and every parameter of "
        "(5) depends on one of them"
    ),
    erratum("E37", "text", HARMLESS, "assumption2.one_u").says("U means three things"),
    erratum(
        "E38",
        "scope",
        REPAIRABLE,
        "experiments.epochs",
        "experiments.assumption_1",
        "experiments.mnist_can_fire",
        "experiments.cifar_can_fire",
    ).says(
        "The experiments are outside the theory: results are plotted over epochs, whose number is not said in the text, where each sample "
        "may be used once, and the ReLU loss is not smooth; with a clip of 1, our assumption, noise keeps the escape test from passing"
    ),
    erratum("E39", "text", HARMLESS, "lemma1.printed_2a").says("After (53), 1 + a is more than 2^a on (0, 1], except at 1"),
    erratum("E40", "text", REPAIRABLE, "lemma14.printed_lemma14").says("Lemma 14 has d for 2 d: the operator norm has two sides"),
    erratum("E41", "text", HARMLESS, "definition2.saddle").says(
        "The saddles named after Definition 2 have every eigenvalue below -sqrt(rho alpha); the lemmas mean the least one"
    ),
    erratum("E42", "text", REPAIRABLE, "lemma12.near_b").says("Lemma 12 is false where B is close to b; it is used far from there"),
    erratum("E44", "scope", HARMLESS, "remark5.still_problematic").says(
        "Remark 5 calls the factor sqrt(d) of Hessian-vector products still problematic, but with it the terms of "
        "Remark 4 are at most alpha wherever alpha is at most 1, constants and logarithms apart"
    ),
    erratum("E45", "scope", HARMLESS, "definition1.lower_bound").says(
        "The lower bound cited after Definition 1 is one for gradients with chosen errors; why it should bind under "
        "the noise of privacy is not said"
    ),
    erratum("E46", "scope", HARMLESS, "section3.any_correction").says(
        "Section 3.1 says that any direct correction of [29] gives an (alpha, alpha^(2/5))-SOSP only; what it argues is that one route does"
    ),
    erratum("E47", "text", HARMLESS, "section3.no_bound").says(
        "Section 3.2 says that its last display gives no bounds on f_S from the clients' own estimates; the display "
        "before it gives two, though not near ones"
    ),
    erratum("E48", "text", HARMLESS, "section5.lower_bound").says("Section 5.1 calls r = O(...) of [23] a lower bound on r"),
    erratum("E49", "text", HARMLESS, "definition6.isotropy").says("After Definition 7: sub-Gaussian vectors need not be isotropic"),
    erratum("E50", "text", HARMLESS, "corollary3.printed_zeta").says("The proof of Corollary 3 defines zeta_+ without squares"),
    erratum("E51", "proof", HARMLESS, "lemma5.printed_cited").says(
        "The proof of Lemma 5 cites Corollary 3 without its root of log(d); the triangle inequality gives what it needs"
    ),
    erratum("E52", "proof", REPAIRABLE, "lemma8.printed_order").says("Lemma 8 has O where its proof, with (79), gives O~"),
    erratum("E53", "text", HARMLESS, "lemma7.printed_90", "theorem4.letters_137").says(
        "(90) has t for i within its sum, and (137), (140) have xi_o and H_o for theta_o and the bold H_o"
    ),
    erratum("E54", "text", HARMLESS, "section6.error_growth").says(
        "Section 6.1 says that the error of SPIDER with fixed intervals may grow over time: it does so within an interval only"
    ),
)
