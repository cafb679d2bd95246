"""The errata of DPZero, in two versions: ICML and arXiv.

Our copy of the ICML text was converted from a PDF by machine: E3 to E6 and E30, in which the arXiv text is right, may be faults of the
conversion. Numbers that are missing belonged to suspicions that came to nothing or are not errors.
"""

from paper_checks.errata import listed

ERRATA = listed("""
E1 (text, harmless) The algorithms call sigma the variance of the noise; it is the standard deviation [algorithms.sigma_as_variance]
E2 (guarantee, repairable) Lemma 2.2's noise is too small once epsilon exceeds a value of 83 or more, which depends on delta, and the
    privacy clauses of Theorems 1 to 3 can fail there (with Theorem 3's own C we show it at epsilon = 1e6 only); at the paper's epsilon of 2
    and 6 it is enough [lemma_2_2.any_epsilon theorem1.privacy theorem1.privacy_last_iterate theorem2.privacy theorem3.privacy
    theorem3.privacy_last_iterate theorem3.privacy_small_threshold]
E3 (text, harmless) The parentheses of Lemma 2.2 do not balance in our copy of the ICML text [lemma_2_2.parentheses]
E4 (text, repairable) A parenthesis of Corollary F.4 closes too early in our copy of the ICML text; the arXiv text has the bound that the
    proof gives [corollary_f4_as_printed.follows]
E5 (text, harmless) The event whose probability Appendix E bounds has no bar in our copy of the ICML text [theorem3.missing_bar]
E6 (text, harmless) Appendix E has x_T where x_tau is meant in our copy of the ICML text [theorem3.telescoped_for_last]
E7 (text, harmless) The proofs of Corollaries F.2 and F.3 write ||F_S||^2 where ||grad F_S||^2 is meant [corollary_f2.loss_for_gradient
    corollary_f3.loss_for_gradient]
E8 (text, harmless) The last lines of the proofs of F.2 and F.3 are equalities only at the largest lambda [corollary_f2.equality
    corollary_f3.equality]
E9 (guarantee, fatal) Corollaries F.2 to F.4 are about constant functions only: no other F_S is both Lipschitz and PL on all of R^d
    [corollary_f2.not_vacuous corollary_f3.not_vacuous corollary_f4.not_vacuous]
E10 (scope, repairable) If Theorem 3's |F_S(x_t)| <= B is to hold almost surely, as we read it, B bounds |F_S| on all of R^d, since one
    noisy step can end anywhere, and unbounded losses are excluded [theorem3.unbounded_loss]
E11 (scope, repairable) At very small epsilon, where it prescribes a T below 1, the logarithm in Theorem 3's L_tilde^2 can be negative, so
    that no threshold C exists; Remark F.5 speaks of such T, and not of this [theorem3.any_epsilon]
E12 (scope, repairable) At small epsilon the logarithms in Corollaries F.2 to F.4 are negative, so is the T that they prescribe, and their
    right sides can be; Remark F.5 replaces such a T by 1 and caps the bound from above, which leaves a negative right side as it is
    [corollary_f2.any_epsilon corollary_f3.any_epsilon corollary_f4.any_epsilon]
E13 (proof, repairable) T need not be an integer and no rounding is given: any keeps Theorems 1 and 2, the better of floor and ceiling
    Theorem 3, the floor F.2 to F.4 [theorems.integer_steps theorem3.always_floor theorem3.always_ceil corollary_f2.ceil corollary_f3.ceil
    corollary_f4.ceil]
E14 (text, harmless) Remark F.5 gives Theorem 3 as its example; the corollaries' trivial bound, not L^2 but L^2/(2 mu), in F.4 also 2 B, is
    left to the reader [remark_f5.trivial_bound]
E15 (text, harmless) Lemma C.2 (i) is false for some discontinuous functions; the losses of the paper are continuous [lemma_c2.any_function]
E16 (text, repairable) Assumption 3.5 with r = d asks for a second derivative, which 3.1 does not; whether Table 1's entry for DPZero
    without 3.5 needs smooth samples besides depends on how 3.1 is read [assumption_3_5.boils_down table1_dpzero.without]
E17 (text, repairable) The c of (4) and (6), and the O~(r) of Remark 4.2, contain T, which the theorems choose as a function of d and r
    [equation_4.constant equation_6.constant remark_4_2.noise_at_own_T]
E18 (scope, repairable) The proofs use more of u than E[u u'] = I: a Gaussian u can be clipped at C = L d, and fourth moments differ
    [section2.any_direction_never_clips section2.any_direction_moments]
E19 (text, harmless) Neighbouring data sets, read as sets, may differ in two records [definition_2_1.neighbours_as_sets]
E20 (text, harmless) Lemma 2.2 defines the sensitivity of a randomised algorithm; 2C/n is that of the update with the direction u_t held
    fixed [lemma_2_2.sensitivity_of_a_randomised_algorithm]
E21 (text, harmless) Three cases are left out: a = 0 in Lemma C.1, x = 0 in clip_C, H = 0 in Assumption 3.5 [lemma_c1.ii_no_direction
    clip.defined_at_zero assumption_3_5.rank_of_zero]
E22 (text, harmless) A double sum in the proof of Lemma C.1 runs over indices that are fixed; the result is right [lemma_c1.double_sum]
E25 (scope, repairable) At n, epsilon and d of the synthetic experiment Theorem 3's threshold, said to be significantly smaller than L
    sqrt(d), is larger up to d = 500 [section4.smaller_threshold]
E26 (scope, harmless) At the values of the synthetic experiment (7) is below the trivial L^2 in at most 4 of 21 settings, and no theorem
    covers its quadratic loss, which is neither Lipschitz nor bounded [theorem3.says_something experiments.synthetic_assumptions]
E27 (scope, harmless) On RoBERTa lambda = 1e-3 is at least nine powers of ten above Theorem 3's rule if L = ell; neither is known
    [experiments.lam]
E29 (scope, harmless) The paper gives neither sampling scheme nor noise nor accountant for its mini-batch runs (its code is public)
    [experiments.minibatch_privacy]
E30 (text, harmless) Remark 4.1 closes a parenthesis earlier in our copy of the ICML text than in arXiv; the order is the same
    [remark_4_1.parenthesis]
E32 (text, repairable) Appendix B.2's order of the threshold holds for fixed epsilon and ell B/L^2 only
    [appendix_b2.threshold_for_every_epsilon]
E33 (scope, harmless) In our reruns DPZero's losses on eigenvalues 1/i grow 2.7-fold from d = 20 to 2000, log(d), our reading of nearly
    dimension-independent, 2.5-fold; but F_S^* itself, below which no method gets, grows 2.27-fold (1.80 to 4.09). In law the gradient norms
    grow more than threefold (test) and fourfold (training), and hardly from d = 2000 to 10^12 [figure3.dpzero_nearly_independent
    figure1.dpzero_nearly_independent figure2.dpzero_nearly_independent]
E34 (text, repairable) Table 3's caption calls DP-LoRA's overhead in memory and runtime considerable: it is 1.25 % in memory, 28 % in
    runtime [table3.considerable_memory]
""")
