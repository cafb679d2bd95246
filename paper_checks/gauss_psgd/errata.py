"""The errata of the Gauss-PSGD paper. Code and ledger refer to some by their numbers, such as the readings of E10.

Numbers never change: what is new comes last. E43, that Theorem 2 promises nothing at the n of today, is a remark on constants that
the paper leaves open and no erratum; its claims are questions of ours.
"""

from paper_checks.errata import listed

ERRATA = listed("""
E1 (proof, repairable) Lemma 2 and (53) need log to base 2; the paper names no base, and with the natural one they fail
    [lemma2.printed_lemma2 lemma2.whole_numbers_base_e lemma1.printed_53_natural]
E2 (guarantee, repairable) With the second entry of (6), which rests on a wrong (52) and depends on the unit of length, Lemma 1 and
    Corollary 1 can fail; another logarithm repairs it, and the exponents survive [lemma1.printed_52 lemma1.printed_53
    corollary1.printed_ln corollary1.printed_log2 corollary1.printed_larger_s equation_6.unit log_factor.units_second
    theorem1.at_its_parameters]
E3 (guarantee, repairable) (71) misses a factor iota: an escape can lower F by only (9.6/iota) Phi, less than Lemma 4's Phi once iota is
    above 9.6; with Phi/iota, and chi larger by a root of iota, it goes through, and the exponents survive [lemma4.printed_71
    lemma4.printed_lemma4 lemma4.printed_s4_ln lemma4.printed_s10_ln lemma4.printed_s4_log2]
E4 (proof, repairable) (42) loses a factor sqrt(iota), and with it no s makes the bound small enough; (43) is true of the smaller number.
    A step size with iota^3 repairs it, and the exponents survive. Slips beside it: (43) has c where (42) has 2 c; before (42) the index
    of x^_t is t - 1, a factor 2 of the difference of errors is lost, and a 4 in B [lemma20.printed_42 lemma20.printed_both_roots]
E5 (proof, repairable) The proofs of Theorems 2 and 3 do not give their rates where both terms are of similar size; the loss is at most
    n^(1/42), or (m n)^(1/42); with another kappa part of the window is mended, in the rest the proof gives only a weaker rate, with a
    third term (sqrt(d)/(n^(3/2) epsilon))^(4/17) [theorem2.printed_105 theorem2.printed_105_any_kappa theorem2.slope_window
    theorem2.root_slope_between theorem3.printed_121]
E6 (proof, repairable) (98) says O(n) samples, which is true up to logarithms only: over the steps that (79) allows the prescribed batches
    need more than the n that there are, although each may be used once only [theorem2.printed_98 theorem2.samples_strict
    theorem2.samples_s1 theorem2.samples_loose]
E7 (proof, fatal) The errors of Ada-DP-SPIDER are not martingale differences, which Lemmas 19 and 20 take for granted [lemma18.martingale]
E8 (proof, repairable) Escapes need r bounded from below, since mu grows as r falls; Lemma 7 bounds it from above only. Noise added up to
    that bound in every step would mend it, and is what the paper means to avoid [equation_6.bound_on_r]
E9 (proof, repairable) Rounds of an escape can share the last fresh gradient and its error: they are not independent, which Lemma 2 asks;
    a fresh gradient for every round repairs it (given x~), at a cost in samples that makes n^(-2/7) of n^(-1/3)
    [lemma2.fresh_rounds_continue lemma2.fresh_rounds_history lemma2.rounds_continue lemma2.rounds_history]
E10 (proof, fatal) What the oracle remembers when a round starts again is not said; in order of calls the drift misses the jump back to
    x~, which counting it repairs, but Lemma 8's sum leaves out that jump's rise of F, for which no repair is known to us; for the last
    phase the rise is at most Q Phi times powers of the logarithms [algorithm2.drift lemma7.within_kappa algorithm1.reading_ab
    lemma8.one_path]
E11 (text, repairable) Algorithm 1's listing returns the last iterate, whose least eigenvalue can be below -sqrt(rho alpha) by up to rho
    R, where Section 5.2 returns x~ [algorithm1.returns_last]
E12 (proof, repairable) The proof of Lemma 6, from which Theorem 1 follows, does not count Lemma 4's probability of failure at each
    escape, which is negligible at the s that the proof asks [theorem1.printed_union]
E13 (text, harmless) If (75) is meant to follow from Lemma 3, it leaves out that lemma's error; it is true all the same where eta M <=
    8/9, by smoothness alone [lemma6.printed_75]
E14 (text, harmless) (79) does not count the phase that fails [lemma6.printed_79]
E15 (text, harmless) (77) takes chi for alpha and is 8 times too large [lemma6.printed_77]
E16 (scope, repairable) The introduction has m n in the private term where Theorem 3 and Remark 3 have sqrt(m) n
    [theorem3.printed_contribution_3 introduction.distributed_rate]
E17 (text, harmless) The introduction calls the earlier 3/7 bound suboptimal, but where sqrt(d) < epsilon n it is smaller than the new one
    [theorem2.printed_contribution_2]
E18 (guarantee, repairable) The allowances of Algorithm 4 carry no c_1, c_2: the noise on the Hessian is above its allowance, that on the
    gradient too where log(16/omega') is below c_1 (which must be 9.7 or more at epsilon = 1, delta = 1e-5 to be private). An alpha-SOSP
    whose Hessian is near -sqrt(rho alpha) I, or at small epsilon (0.05) any without slack, is turned down [algorithm4.gradient_allowance
    algorithm4.gradient_allowance_drawn algorithm4.hessian_allowance algorithm4.turned_down algorithm4.turned_down_curved
    algorithm4.bernstein theorem4.printed_bernstein]
E19 (text, harmless) The fourth term of (143) has alpha for sqrt(alpha), a slip: (143) itself holds [theorem4.printed_143]
E20 (proof, repairable) The composition that Theorem 4 cites (Lemma 16) needs c_1 and c_2 growing with log(T); another one (zCDP) gets by
    with constants [theorem4.one_release theorem4.lemma16_constant theorem4.printed_composition]
E21 (proof, repairable) Theorem 4 uses at the chosen point bounds that hold with high probability at a fixed one [theorem4.chosen_point
    theorem4.one_iterate]
E22 (text, harmless) (32) is claimed for every t and holds at the end of a round [lemma19.printed_32]
E23 (text, harmless) The relation of (34) is turned round [lemma20.printed_34]
E24 (text, harmless) (38) does not subtract the Hessian at the saddle [lemma20.printed_38]
E25 (text, harmless) A root of iota is missing after (41) [lemma20.printed_after_41]
E26 (text, harmless) (55) to (57) take the estimate of the step before [lemma3.index_printed]
E27 (text, harmless) A sign is missing in (72) [lemma4.printed_72]
E28 (text, repairable) Corollary 3 and Lemma 7 have log(d), which is 0 at d = 1; log(2 d) serves every d [corollary3.printed_corollary3
    corollary3.printed_corollary3_d1 lemma7.printed_lemma7_d1]
E29 (text, harmless) Definition 7 asks (11) for all real t, and so does (12), which has zeta for zeta_i besides; neither can hold for t
    far below 0 [definition7.printed_definition7]
E30 (text, harmless) The sums called drift in the proofs of Lemmas 7 and 9 stop one step before (9): with them the set that Lemma 8 counts
    is empty [lemma8.set_by_the_sums_of_lemma7]
E31 (text, harmless) Definition 4 refers to (3), which defines psi, where Definition 3 is meant [definition4.refers_to_3]
E32 (text, repairable) The algorithms use letters that are no inputs (chi; eta, b_1, b_2, G, M, c_1, c_2; alpha, omega', G, M, rho, c_1,
    c_2), and do not say what happens when no point passes or the samples run out [algorithm1.inputs algorithm1.listed_inputs
    algorithm2.listed_inputs algorithm4.listed_inputs algorithm4.selects_something algorithm1.always_returns]
E33 (proof, repairable) Lemma 20 applies martingale bounds conditionally on an event of the whole round; the bad events can be intersected
    instead [lemma20.conditioning]
E34 (guarantee, repairable) Definition 8's first statement, for any sigma, fails for large epsilon (16 at delta = 1e-5); its second asks
    epsilon < 1, which Theorems 2 and 3 do not [definition8.any_epsilon definition8.printed_definition8
    definition8.printed_definition8_far theorem2.privacy_beyond theorem2.absolute_c1]
E35 (text, harmless) Section 3.1 cites [30], on the shuffle model, where [29] seems to be meant [section3.citation]
E36 (scope, repairable) C is never given, s only as large enough, at least (80 c)^2 with c not given either, and every parameter of (5)
    depends on one of them [parameter_block.unique]
E37 (text, harmless) U means three things [assumption2.one_u]
E38 (scope, repairable) The experiments are outside the theory: results are plotted over epochs, whose number is not said in the text,
    where each sample may be used once, and the ReLU loss is not smooth; with a clip of 1, our assumption, noise keeps the escape test
    from passing [experiments.epochs experiments.assumption_1 experiments.mnist_can_fire experiments.cifar_can_fire]
E39 (text, harmless) After (53), 1 + a is more than 2^a on (0, 1], except at 1 [lemma1.printed_2a]
E40 (text, repairable) Lemma 14 has d for 2 d: the operator norm has two sides [lemma14.printed_lemma14]
E41 (text, harmless) The saddles named after Definition 2 have every eigenvalue below -sqrt(rho alpha); the lemmas mean the least one
    [definition2.saddle]
E42 (text, repairable) Lemma 12 is false where B is close to b; it is used far from there [lemma12.near_b]
E44 (scope, harmless) Remark 5 calls the factor sqrt(d) of Hessian-vector products still problematic, but with it the terms of Remark 4
    are at most alpha wherever alpha is at most 1, constants and logarithms apart [remark5.still_problematic]
E45 (scope, harmless) The lower bound cited after Definition 1 is one for gradients with chosen errors; why it should bind under the noise
    of privacy is not said [definition1.lower_bound]
E46 (scope, harmless) Section 3.1 says that any direct correction of [29] gives an (alpha, alpha^(2/5))-SOSP only; what it argues is that
    one route does [section3.any_correction]
E47 (text, harmless) Section 3.2 says that its last display gives no bounds on f_S from the clients' own estimates, which is true of that
    display, and goes on as if there were none; the display before it gives two, though not near ones [section3.no_bound]
E48 (text, harmless) Section 5.1 calls r = O(...) of [23] a lower bound on r [section5.lower_bound]
E49 (text, harmless) After Definition 7: sub-Gaussian vectors need not be isotropic [definition6.isotropy]
E50 (text, harmless) The proof of Corollary 3 defines zeta_+ without squares [corollary3.printed_zeta]
E51 (proof, harmless) The proof of Lemma 5 cites Corollary 3 without its root of log(d); the triangle inequality gives what it needs
    [lemma5.printed_cited]
E52 (proof, repairable) Lemma 8 has O where its proof, with (79), gives O~ [lemma8.printed_order]
E53 (text, harmless) (90) has t for i within its sum, and (137), (140) have xi_o and H_o for theta_o and the bold H_o [lemma7.printed_90
    theorem4.letters_137]
E54 (text, harmless) Section 6.1 says that SPIDER with fixed intervals may suffer from growing estimation error over time; the error grows
    within an interval, and not from one to the next, if the sentence means that [section6.error_growth]
""")
