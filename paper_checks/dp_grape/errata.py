"""The errata of the DP-GRAPE paper. Numbers never change: what is new comes last."""

from paper_checks.errata import listed

ERRATA = listed("""
E1 (guarantee, repairable) Theorem 4.1 states its sigma for Algorithm 1, whose noise is C sigma/B on the mean, but it is the deviation on
    the mean of Algorithm 6: taken literally the noise is too small by B/C, and at the sizes of RoBERTa hides nothing
    [theorem_4_1.algorithm_1 theorem_4_1.chain]
E2 (guarantee, repairable) The constant of the printed sigma is too small where a record is replaced: full batches spend 4.3e-5 at (1,
    1e-5) and 6.2e-3 at (8, 1e-5), the released iterate alone 1.6e-5 at (2, 1e-5); at (6, 1e-5), inside the proof's range, fixed batches
    spend more than full ones; sqrt(2) times it is enough at full batch up to epsilon = 7 to 8 for delta from 1e-3 to 1e-6, an accountant
    always [theorem_4_1.noise theorem_4_1.attacked_full_batch theorem_4_1.attacked_batches theorem_4_1.released_iterate theorem_4_1.needed
    theorem_4_1.sqrt_2_in_batches]
E3 (guarantee, repairable) Three ranges of epsilon are given: up to 2 log(2/delta) in Theorem 4.1, any in Theorem D.10, up to 2 B^2 T/n^2
    in its proof; in none of them is the printed noise enough throughout [theorem_4_1.one_range]
E4 (proof, repairable) The first entry of the condition on B is too small by sqrt(2) n to give the range of epsilon that the proof of
    privacy needs, and the second has log(1 delta) for log(1/delta) [theorem_4_1.printed_batch]
E5 (proof, repairable) The last step of Theorem D.10 leaves out the fourth term of the display before it, a number between 1 and 1.92
    whatever n is; a larger threshold C makes it small, and the rate survives with a larger logarithm [theorem_d10.printed_bound
    theorem_d10.printed_exact_tail]
E6 (proof, repairable) A factor eta that cancels is kept in what clipping adds; from there C takes 5 eta Gamma^2 where Theorem D.10 has 5
    Gamma^2, and both take the logarithm of a number that changes with the unit of the loss [theorem_d10.printed_17 theorem_d10.units_C
    theorem_d10.units_bound]
E7 (proof, repairable) 4 [2 + 1/sqrt(2 pi)] is 9.6, for which C and the bound have 5 [theorem_d10.printed_five]
E8 (proof, repairable) Lemma D.5 lacks a factor K/sigma, and is used for two sides, where it is 2 K; what clipping adds gains the root of
    a logarithm [lemma_d5.printed_d5 equation_4.printed_star]
E9 (proof, repairable) Lemma D.8 (ii) has the d of the sphere of radius sqrt(d) where a normal vector has d + 2 [lemma_d8.printed_d8]
E10 (proof, repairable) Before (5) a 2 is lost and (d + r - 1)/r stands for (k + r + 1)/r, and r <= d - 1 is nowhere assumed; (5) itself
    is true then, because the cross term is 0 [equation_5.printed_columns equation_5.printed_2d]
E11 (proof, harmless) Before (5) the sampling error of a block is put at ||grad_l F||^2, which may be 0; (5) itself has room for what is
    right [equation_5.printed_variance]
E12 (proof, harmless) Before (4) the mean of ||grad_l f_j||^2 over samples is put at ||grad_l F||^2, which is smaller; added up over the
    blocks both are at most Gamma^2 [equation_4.printed_jensen]
E13 (proof, harmless) Every block of a gradient is bounded by Gamma on its own, so sqrt(L) enters C and the rate without need
    [theorem_d10.root_L]
E14 (text, harmless) Line 5 of Algorithm 6 draws its vectors in R^(m_l), which cannot be the columns of P_l in R^(|U_l| x r), and line 10
    indexes r x L numbers by U_l; R^(|U_l|) and the number of the block are meant [algorithm_6.dimensions]
E15 (guarantee, repairable) The proof of Theorem D.10 has one noise vector z_t in R^r for all blocks, and line 10 of Algorithm 6 can be
    read so: then the difference of two blocks is released without noise; with one for each block the proof goes through as it is
    [algorithm_6.shared_noise audit.shared_noise]
E16 (guarantee, repairable) Theorem 4.1 speaks of Algorithm 1, Theorem D.10 of Algorithm 6, which draws P at every step: with P kept for a
    whole run the bound can fail; fine-tuning keeps it for 100 steps, and for ViT no F is given [theorem_d10.kept_subspace]
E17 (text, harmless) In the proof of Theorem D.10 a d is lost and another is too many for one display, and P_t has entries N(0, 1); also
    C/(L Gamma) for C/(sqrt(L) Gamma), 1_{m<n} for 1_{B<n}, F_S, x_t, xi, u and U of another paper, and a mean over t = 1, ..., T
    [theorem_d10.printed_no_d equation_6.printed_entries]
E18 (text, harmless) Line 1 of Algorithm 6 calls sigma the variance of the noise, of which it is the deviation
    [algorithm_6.sigma_as_variance]
E19 (guarantee, repairable) Theorem 2.1 prints the standard deviation of the cited theorem as the covariance, and drops its epsilon < 1:
    as a deviation the noise is enough for every delta up to epsilon = 1, at delta = 1e-5 up to 8.42, not at 12 [theorem_2_1.covariance
    theorem_2_1.any_epsilon theorem_2_1.ends]
E20 (text, harmless) Equation (2) asks its inequality of the set of all outcomes, where it says nothing, and not of every event
    [equation_2.event]
E21 (scope, repairable) Section 2.2 speaks of a record that is removed, the proof of one that is replaced: the sensitivity is C/B or 2C/B,
    and with the first the printed sigma is enough at full batch up to epsilon = 8 where delta is at most 0.1 [definition.one_relation
    theorem_4_1.removal]
E22 (text, repairable) Algorithms 1 and 3 to 5 read what nobody gives: W^1, a first seed or subspace where F > 1, and in 3 C, sigma, phi
    and the weights at which gradients are taken; it is not said what becomes of the moments at a change of subspace, how layers that are
    not projected are clipped, or what B is where its size is random. Also: W^(T+1) is computed and never returned, tau is from 1 to T in
    Algorithm 1 and from 0 to T - 1 in 6, Algorithm 2 has W^t from W^(t-1) where 1 has W^(t+1) from W^t, its P has no variance, and l
    stands for L in Section 3.2 [algorithm_1.defined algorithm_3.defined algorithm_4.defined algorithm_5.defined algorithm_2.one_meaning
    algorithm_1.unclipped_layers algorithm_1.realised]
E23 (text, harmless) Section 3.1 says that naive DP-GaLore takes the SVD of per-sample gradients; Algorithm 5 takes that of their private
    average [section3.svd_of_samples]
E24 (scope, repairable) That F(w_t) - F^* <= D on every run is called a fact; it holds for bounded F only [theorem_d10.bounded_loss]
E25 (text, harmless) Remark 1 calls the non-convex bound optimal with Arora et al. (2023), whose abstract improves on just this rate: the
    exponent of sqrt(d)/(n epsilon) is 2/3 for the norm there and 1/2 here, 4/3 against 1 for its square [remark1.optimal_nonconvex]
E26 (text, harmless) Llama 3 of 405 billion parameters has 126 layers, 128 is the number of its heads (Grattafiori et al., 2024, Table 3);
    the L of the theorem counts weight matrices, seven a layer [remark1.llama_layers]
E27 (scope, repairable) The abstract has over 70 % less memory for RoBERTa-Large; the sizes of Section 5.2, 78.1 and 24.4 GB, give 68.8 %,
    a smaller r at most 69.9 % at that batch, and another batch at most 68.1 % by the layers of the model [abstract.over_70
    abstract.over_70_any_r abstract.over_70_any_batch]
E28 (text, harmless) 68.7 % is cut off, or of sizes before they were rounded: 24.4 of 78.1 GB is 68.8 % less [section5_2.reduction]
E29 (text, harmless) Section 5.1 has 7.8 for what naive DP-GaLore loses on CIFAR-10, Table 6 gives 7.5 [section5_1.naive_cifar10]
E30 (text, harmless) The hours of Table 10 are 2.4 to 2.6 times what its throughput gives; their ratios are right [table10.hours]
E31 (scope, repairable) Section 5.1 speaks of final test accuracies; what Tables 6 and 9 have is the best test accuracy during training,
    which selects on the test set [section5_1.final]
E32 (text, repairable) Table 2 leaves out the layers that are not projected, whose sample gradients are held whole (RoBERTa-Large: 12
    times what it says for DP-GRAPE), and the gradients of one layer before they are projected [table2.all_gradients table2.at_once]
E33 (text, harmless) 83.9 GB on a card of 80 GB, which Section C.1 does not say of its own, is possible only if the one are 10^9 bytes and
    the other 2^30; then it is the 78.1 of RoBERTa-Large, and the memory that was reserved may have been all that there was
    [section_c1.one_unit section_c1.not_saturated]
E34 (text, harmless) Of two ties, in Tables 4 and 12, only DPZero's result is in bold [table4.bold table12.bold]
E35 (text, harmless) Section C.4 cites [1], and the references have no numbers; Section 1 has by more by more than; two accuracies of
    DP-GRAPE fall as epsilon grows, without a word on it [section_c4.citation table9.monotone]
E36 (scope, repairable) At their largest epsilon the experiments are outside the range that the proof covers, all but SST-2 and RTE, where
    the bound of Theorem D.10 says nothing (SNLI and MNLI at 2 and ViT pre-training at 1 and 2 are inside); by the printed sigma the OPT
    runs would have epsilon near 31 in place of 6, even where a record is removed and batches are drawn independently, so another
    accountant was used if what is reported is right [experiments.regime experiments.closed_form experiments.vacuous]
E37 (proof, repairable) Lemma D.9 is for records that are drawn independently, Algorithm 6 draws a fixed number: with the same noise that
    spends more; Algorithm 1 and the experiments do not say how batches are drawn [algorithm_6.sampling]
E38 (proof, harmless) (4) halves its first term and the split by Q takes 2 D, both without need [theorem_d10.slack]
E39 (scope, harmless) That T and B are whole numbers, T >= 1 and B <= n is not asked for, and excludes some epsilon
    [theorem_d10.batch_fits theorem_d10.one_step]
E40 (scope, repairable) The introduction says that privatising before projecting is not competitive to DP-Adam; fine-tuned on CIFAR-100
    (Table 9) naive DP-GaLore is above DP-Adam at every epsilon, by 8.8 on average [introduction.naive]
E41 (proof, repairable) Lemma D.9 is cited without the rare sampling and the small delta that its source needs: with all samples in a
    batch, or delta close to 1, no constants will do [lemma_d9.all_samples lemma_d9.any_delta]
""")
