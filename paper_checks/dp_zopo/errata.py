"""The errata of the DP-ZOPO paper. Numbers never change: what is new comes last."""

from paper_checks.errata import listed

ERRATA = listed("""
E1 (guarantee, repairable) Lemma 4 divides all of its error but the noise by P m, although all samples of a batch share their directions:
    for one linear loss the error does not fall with m, and the bound is false for every m from 8 on, with vectors clipped at d = 20 for m
    from 55 on [lemma4.printed_shared lemma4.drawn_alike lemma4.vector_clip]
E2 (proof, repairable) (26) and (27) have L^4 and beta^2 L^4 where (22) to (25) give L^2: of a linear loss the left side of (27) is (d + 1)
    L^2 whatever beta is, so the beta terms of Lemmas 4, 5 and 8 and of Theorems 2 and 4 have no basis [equation_26.printed_26
    equation_27.printed_27 equation_27.powers lemma4.units]
E3 (guarantee, repairable) (21) and (28) average the bias of clipping away: it stays for every P, m and beta, L erfc(C/(sqrt(2) L)) for a
    linear loss, 0.157 L at the C of the proof [equation_21.printed_21 lemma4.printed_floor lemma4.drawn_floor]
E4 (guarantee, repairable) Lemma 4 divides the sampling error by P m, although all directions of a step share the batch: gamma^2/m of it
    stays as P grows, also where gamma bounds every sample [lemma4.printed_sampling lemma4.uniform_gamma lemma4.drawn_opposite]
E5 (guarantee, repairable) Lemma 5 is false: from (37) to (38) the bias of clipping is set to 0, and with straight losses of two slopes,
    whose clipped estimate has the mean b = -0.0469, the excess of phi_s tends to lambda b^2/2, 0.0099 after a stage against 0.0005,
    whatever eta is, for the last iterate, the average and either update; on a ball, with every hypothesis met, the stages of Theorem 2
    stall at an excess of 0.009 where alpha_S is asked for [lemma5.printed_33 equation_38.printed_38 lemma5.last_iterate lemma5.average
    lemma5.explicit lemma5.longer lemma5.uniform theorem2.fixed_point theorem2.on_a_ball theorem2.on_a_ball_average_explicit
    theorem2.on_a_ball_last_explicit theorem2.on_a_ball_last_proximal]
E6 (guarantee, repairable) The complexities (17), (19), (42), (47), (50) and (54) have lost the T of the privacy entry of the step size:
    with it T stands on both sides, a solution exists only for alpha_S >= alpha_priv = 49 (1 - 2^-S) d c_2^2 C^2 P log(P/delta)/(mu
    epsilon^2 n^2), and then the other three terms are the complexity; at the sizes of Section V mu alpha_priv is 1.1e7
    [theorem2.printed_17 floor.complexity floor.every_alpha]
E7 (guarantee, repairable) Assumptions 1 and 2 exclude each other on R^d, because growth with 2 mu and slope L keep every point within L/(2
    mu) of theta^*, so that Theorems 2 and 4 say nothing without a ball and a projection; and Assumption 2 is not among their hypotheses
    [assumption2.printed_everywhere]
E8 (text, harmless) Assumption 2 is called mu-PL, but is quadratic growth with the constant 2 mu: mu x^2/2 is mu-PL and violates it, 4
    mu-PL implies it [assumption2.pl]
E9 (guarantee, repairable) S is the ceiling of log(alpha_0/alpha) without a base; with the natural logarithm of the other formulas alpha_S
    is 7.8 alpha for alpha_0 = 1000 alpha, with the base 2 it is at most alpha [theorem2.printed_stages]
E10 (scope, repairable) Theorems 2 and 4 do not list what their proof needs: eta_s <= beta_s/(sqrt(d) L), rho <= 2 mu/7, T_s >= 1, C^2 = 2
    L^2, F - F^* <= alpha_0; at the sizes of the experiments the step size may be 2.7e-12, with the sharp constant of smoothness 6.3e-8,
    and was up to 2e-4 [theorem2.step_cap theorem2.step_size theorem2.weak theorem2.whole_step]
E11 (proof, repairable) (43) and (44) take one theta^* for all beta_s; of max(x, -2x) it is 0.4307 beta, and in general 2 L sqrt(d)
    (beta_{s-1} + beta_s) has to be added to the excess of the stage before [equation_44.printed_44 equation_44.kinks]
E12 (guarantee, repairable) Theorem 4 is false for r_S < 1: a static mask keeps theta - theta^0 in its range, other masks in the sum of
    theirs, and half a squared distance stops at that off them; above the least value over theta^0 + range(M) it holds for a static mask,
    with what E1 to E11 ask for [theorem4.printed_mask theorem4.half_of_them pruning.accuracy pruning.accuracy_dynamic]
E13 (proof, harmless) Lemma 8 takes ||v|| for d r_s: that is the mean of ||v||^2, the sum of M_ii^2, and more by (A - B)^2/12 where weights
    go by rank; and the mean of the estimate is M^2 grad f_{beta, M}, with the tuned coordinates alone smoothed, which is no projection of
    grad f_beta [pruning.estimator pruning.ranked]
E14 (proof, harmless) Algorithm 2 adds the regulariser's gradient at the old iterate, (36) and the proof of Lemma 5 at the new one: these
    are two steps, near to each other where eta/lambda = 1/T_s, as in Theorem 2, and the printed one diverges where eta/lambda > 2
    [equation_36.explicit]
E15 (text, harmless) Algorithm 2 and Lemma 5 give the last iterate of a stage, Lemma 7 and the proof the average, which alone is covered: F
    at the last iterate has the whole noise of its step size; hat theta is both the average and the step without noise [lemma5_steps.chain
    algorithm_2.output]
E16 (proof, harmless) In the proof of Lemma 5 r_s is centred at theta^s for theta^{s-1}, phi_s(theta) has theta_t, and the second line of
    (37) has = for <= [equation_37.printed_equality]
E17 (proof, harmless) The noise z_t v_t of the display after (36) lacks the 1/m of Algorithm 2: its energy would be m^2 times the first
    term of Lemma 4, which is right for Algorithm 2 [equation_36.printed_36]
E18 (text, harmless) (50) has r d r_S where (19) and (54) have d r_S; Remark 1 has a factor r_S and the introduction 1/r, of which the term
    of sampling has neither [equation_50.printed_50 remark1.printed_factor]
E19 (proof, repairable) Theorem 1 divides the budget among the P directions, but the P releases of a step share a batch, and guarantees
    that sampling has amplified do not add up then; counted together the P scalars need sqrt(P) times the noise of one, so that (13) is
    more than enough where Lemma 1 applies, by P log(P/delta)/log(1/delta) as a variance, and with it more directions mean more noise
    [theorem1.split]
E20 (guarantee, repairable) Theorem 1 takes C for the sensitivity of a clipped sum and does not say who neighbours are: it is 2 C where a
    record is replaced, and where one is removed from the batches of fixed size that Algorithm 2 draws; noise for epsilon = 4 with C spends
    9.6 and 12.6 then [theorem1.sensitivity]
E21 (proof, repairable) That amplification is the same in one step does not carry Lemma 1 to batches drawn without replacement: with the
    noise that Poisson batches need at epsilon = 4 they spend over 36 times delta; twice the shift and a larger worst pair need 2.1 to 2.3
    times the noise, 2 sqrt(2) c_2 at most [lemma2.same_guarantee]
E22 (text, harmless) Definition 2 calls SGD a differentially private optimizer: with a batch of m it reveals a record with probability m/n,
    whatever epsilon is [definition2.private]
E23 (proof, harmless) (30) at C^2 = 2 L^2 is 4 d C^2/e, and (31) has twice that, as if (30) had the factor 2 of (29); (31) itself is true
    by another way, because what clipping takes is Lipschitz too [equation_31.printed_31]
E24 (proof, harmless) (16), (39), (40) and (43) to (46) are written without expectations, and hold for no single run; (16) is of phi_S, the
    useful statement is (46), and both follow [lemma5.single_run]
E25 (text, harmless) Section IV-B has larger beta reduce the bias, the introduction has it increase the error; |f_beta - f| grows with
    beta, the bound with it, and eta_s falls: in the bound a growing beta gains a larger step cap only [section4.radius]
E26 (text, harmless) beta_0, T_0 and eta_0 of Algorithms 1 and 5 are the values of no stage, the first has k beta_0, 2 T_0 and eta_0/2; and
    6000 steps are not three stages of which each is twice the one before [algorithm_1.first_stage algorithm_1.doubled]
E27 (text, harmless) "Proof of Theorem 13" is that of Theorem 1 [theorem2.as_printed]
E28 (text, repairable) Line 6 of Algorithm 4 leaves out the fraction r of the scores and keeps the others, 99 % at r = 1 %; sorted
    downwards it leaves out the best [algorithm_4.keeps_r]
E29 (text, repairable) Line 3 of Algorithm 4 gives the parameters of the stage before the score -inf, by which none of them is in the new
    mask, be line 6 as printed or as meant [algorithm_4.incremental_contains]
E30 (text, repairable) The type Incremental has no branch in Algorithm 4 that fills M, which stays 0: nothing is tuned
    [algorithm_4.incremental_tunes]
E31 (text, repairable) Line 14 of Algorithm 4 takes len(Score) after the cut: for r = 1 %, A = 1.2, B = 0.8 and d = 2000 weights go down to
    -38.8, and in an upward sort the best score has the lowest [algorithm_4.rank_range]
E32 (text, harmless) Section V-F has N(0, 1.2) for the law of the weight 1.2, whose variance is 1.44 [section5.variance]
E33 (text, harmless) Algorithm 2 lists neither P nor sigma, Algorithm 3 neither P, beta, M_0, A nor B, and Algorithm 5 neither the static
    r, strategy, type, k nor the data; V_s is not there where the strategy is static, no branch is incremental, M_0 is passed to nobody,
    the mask of Algorithm 3 is never used, and S is once called a number of epochs [algorithm_2.inputs algorithm_3.inputs
    algorithm_5.inputs]
E34 (text, harmless) Section IV-D1 counts (d + log d) r for a mask of values and indices: every one of the r d entries has an index, r d (b
    + log_2 d) bits for values of b bits; and to_sparse() is PyTorch's, not NumPy's [section4_d1.memory]
E35 (text, harmless) Table II has for zero-shot on MNLI the 51.4 that DPZero's paper has for RTE; the other four numbers are those of that
    paper, which has 48.8 [table2.zero_shot]
E36 (text, repairable) In all eight rows of Table VI that are not incremental the total is less than what one stage, or two stages with the
    printed overlap, tune; all are 0.50 to 0.51 of what the overlaps suggest, so that either these totals are halved or the rates were half
    of those named, and the argument of Section V-G with 1.47 and 3.38 % rests on them [table6.total table6.half]
E37 (text, repairable) That incremental pruning tunes fewer parameters than dynamic pruning contradicts the printed totals of Table VI, 4
    against 3.38 %; with the totals that its overlaps suggest it is so [section4_d.fewer]
E38 (text, harmless) On SNLI at epsilon = 4 incremental pruning at 0.5-1-2 % has 78.4 in Table VI and 80.0 in Table XIX [table6.table19]
E39 (text, repairable) Tables VII and XVII have 50.3 for dynamic pruning at a constant rate on SST-5 at epsilon = 8, where no run of Table
    XVIII is above 48.8; with that the arrow of Table XVII turns down [table7.constant]
E40 (text, harmless) Table VII has 90.4 for dynamic pruning with rising rates on TREC at epsilon = 4: that is an incremental run of Table
    XIX, whose best dynamic run has 88.6 [table7.dynamic]
E41 (text, harmless) The static row of Table XX is DP-ZOSO's of Table III, whose own static row is another; the dynamic row of Table III
    has the best of the dynamic and incremental runs of Table XX but on BoolQ, where 69.2 is left out [table20.static table3.best]
E42 (scope, repairable) The row of DP-ZOPO in Table II takes for each cell the best of about 19 runs, by strategy, rate and interval, on
    the test data, 51.1 and 80.7 from Table V, and on SST-5 at epsilon = 8 not the best; after that choice none of its 15 gains over DPZero
    is beyond chance at 5 % (7 are if it is left aside, and test sets are independent), and no privacy is charged for it [table2.best
    chance.selected]
E43 (text, harmless) Sentences that the paper's own numbers contradict: DP-ZOSO is below FT-prefix in 6 of 15 cells, below DPZero on 3 of 4
    tasks of OPT-2.7b and below ICL on CB; on SST-2 at epsilon = 2 DP-ZOPO is below DP-ZOSO and DPZero; pruning gains 1.5 at epsilon = 4
    for "above 2 %", 2.4 without noise for "4 to 5 %", and costs a first-order method 1.8 there for "0.2 %"; rank-based weights are better
    on 4 tasks of 5 at epsilon = 4, on 2 at 8; with OPT-2.7b there are four tasks, static pruning ties DPZero on one and beats dynamic
    pruning on another; at epsilon = 8 FT has 75.30 on SQuAD with OPT-1.3b, DP-ZOPO and DP-ZOSO 75.24; FT has a higher COMET than ICL;
    three models are named for four; Table XVII shows the opposite of what it is cited for [figure1.zoso figure1.zopo section5_b.pruning
    section5_f.above_2 section5_f.four_to_five section5_f.rank_based section5_e.first_order table3.zoso table3.dpzero table3.dynamic
    table3.five_tasks table20.five_tasks introduction.four_models section5_b.table17 table8.icl table21.caption]
E44 (scope, repairable) Stages alone show no gain: with RoBERTa-large DP-ZOSO is below DPZero in 14 of 15 cells, by up to 5.8, and ties it
    in one, and its accuracy on SST-5 falls from 45.8 to 41.2 as the budget grows [table2.stages]
E45 (text, harmless) The caption of Table IV has beta reduced, and "decreasing from 1e-5 to 1e-4", where the text and the algorithm raise
    it; Section V-D has 1e-6 to 1e-4 for the later runs, Table X 1e-6 to 1e-5 [table4.reduced section5_d.beta]
E46 (text, harmless) Section V-F searches step sizes 1e-5, 2e-5, ..., 1e-4, 2e-4, Table X has 2e-4, 1e-4, 5e-6 [section5_f.steps]
E47 (text, harmless) DPZero's paper is said to have no empirical studies, but its published version fine-tunes RoBERTa and OPT, and it is
    the baseline here; noise on the scalar, which Section IV-A calls novel, is its Algorithm 2 [section2_b.studies]
E48 (text, harmless) Cells are equal at two budgets more often than those of independent runs, 12 in Table XIX where at most 2.4 are
    expected, SNLI, MNLI and TREC of 0.5-1-2 % at epsilon = 2 and 4 among them, and 9 in the dynamic rows of Table XVIII [chance.staged
    chance.constant]
E49 (scope, repairable) DPZero was tuned for less: with RoBERTa-large over step sizes up to 2e-5, a tenth of DP-ZOPO's, with OPT-2.7b at
    beta = 1e-4, 100 times DP-ZOPO's first; on SQuAD at epsilon = 2 it is 21.7 and 11.7 below what its own paper has [table10.steps
    table12.beta table21.dpzero]
E50 (text, harmless) Remark 1 looks for results in Section A-B, which has grids only, and calls them proven; Section IV-D1 looks for those
    of the importance matrix in Table II, they are in Table V [remark1.section]
E51 (scope, harmless) With one seed, and 500 to 1000 test examples, 11 of 120 differences between pruning strategies are above 1.96
    standard errors, of like methods 6 would be: which strategy is better is mostly not shown cell by cell [chance.strategies]
E52 (scope, harmless) The overlaps of Table VI are 1.0 to 2.8 times those of random masks, in 15 of 16 stages below what fixed weights and
    a score of pure noise give, 2.4 to 10.4 times: that masks find important parameters is not shown [table6.overlap]
E54 (text, harmless) The column 1.0-1.0 of Table V, which is pruning alone, has for SST-2 at all budgets and SNLI at epsilon = 2 other
    numbers than the best static runs of Tables XIII to XV, and says neither rate nor run [table5.pruning_only]
E55 (scope, repairable) P, k, what lambda is in terms of the regularization, the neighbours of the accountant and the epsilon of Table VIII
    are not given, delta = 1/n is the largest in use, and with c_1 = 1 epsilon = 8 is outside the range of Theorem 1 in three of the
    seven settings that name it, with OPT-2.7b unless c_1 is 5.46; in translation, with c_2 = sqrt(2), the closed form spends more than
    delta at epsilon = 4, so that an accountant is needed [lemma1.translation ranges.c_1 section5_a.reported]
E56 (text, harmless) 1000 examples are said to test each task, but all 70 runs on TREC are multiples of 0.2 %, which is a test set of 500;
    on CB the runs of Table XX are multiples of 0.4 %, its other rows are not [section5_a.trec section5_a.cb]
E57 (scope, repairable) That stages beat constant step sizes is mostly their forgetting of the beginning: on a quadratic three stages end at
    0.0055, the mean of 7000 constant steps at 0.0214, and that of the last 4000, of another size, at 0.0058; what we can certify under the
    paper's assumptions is up to 3 times as much error for one stage that averages its last half as for stages that do (n to 10^7), where a
    mean of all iterates of one stage has thousands of times as much; the 3 is the logarithm of E58 [theorem2.stages_pay]
E58 (text, repairable) The improved convergence rate of stages, which no statement compares with anything, is a factor and no power: under
    one set of assumptions (Lipschitz samples, a bounded Hessian of small effective rank, the PL inequality) and one accountant halving the
    step certifies less than the best constant step, but no schedule gains more than about (1 + log(4 gap/error))/4, 1.3 to 5 times between
    n = 10^3 and 10^7 [comparison.improved_power]
E59 (scope, repairable) The authors' program takes the multiplier of an accountant that does not know P, right for P = 1, its default; the
    paper does not give P, and with P = 2 a run for epsilon = 4 spends 6.3 [theorem1.one_for_all]
E60 (scope, repairable) Lemma 1 and Theorem 1 leave c_1 and c_2 open, and what is needed for c_2 is no constant, 1.1 to 2.7 at m = 64 in
    the settings of Section V, 7.4 at m = 16, more for larger epsilon: sqrt(2), the textbook's to leading order, is too small at epsilon =
    8 with n = 1024 and m = 64 [lemma1.one_c_2]
E61 (text, harmless) DP-ZOSO is said to be close to FT in summaries, but on CNN/DM it is below zero-shot in three of four scores
    [table9.close]
E62 (text, harmless) Rising rates are said to outperform a constant one, but in Table VII they are lower on SST-5, at epsilon = 8 by the
    cell of E39 alone, and on SST-2 at epsilon = 4 [section5_g.rates]
E63 (scope, repairable) Algorithm 3 with one direction does not find the parameters of high score: of the exact top 1 % it keeps an eighth,
    as noise times theta does; fifty directions for each parameter find most of the best tenth [pruning.one_direction]
""")
