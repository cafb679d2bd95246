"""Planted faults in orders, thresholds, degenerate cases, clipping at 0 and the scope of statements."""

from tests.paper_checks.lies import Lie

SLOPE, CHECKS = "synthetic/kernels:clipped_slope", "paper_checks/dpzero/"
PRINTED, SCOPE, ORDERS = CHECKS + "printed.py", CHECKS + "scope.py", CHECKS + "orders.py"
NOT_VACUOUS = ("dpzero.corollary_f2.not_vacuous",)
EXACT = "dpzero.appendix_b2."

LIES = (
    # clipping
    Lie(
        "a definition of clipping that does not divide by 0",
        "paper_checks/dpzero/algorithms.py:share",
        "sp.expand(sum(one**2 for one in v))",
        "1 + sp.expand(sum(one**2 for one in v))",
        ("dpzero.clip.defined_at_zero",),
    ),
    Lie(
        "DPZero divides a difference of 0 by its size",
        SLOPE,
        "if abs(s) * length > C:\n            s = np.sign(s) * C / length",
        "if abs(s) * length > C or s == 0.0:\n            s = C * s / (abs(s) * length)",
        ("dpzero.clip.zero_in_algorithm2",),
    ),
    Lie(
        "DPGD-0th counts a difference of 0 as clipped",
        SLOPE,
        "if abs(s) * length > C:",
        "if abs(s) * length > C or s == 0.0:",
        ("dpzero.clip.zero_in_algorithm1",),
    ),
    Lie(
        "DP-GD divides a gradient of 0 by its length",
        "synthetic",
        "            if norm > C:",
        "            if norm > C or norm == 0.0:",
        ("dpzero.clip.zero_in_dp_gd_baseline",),
    ),
    Lie(
        "the linked threshold with d in place of its root",
        "paper_checks/dpzero/algorithms.py:LINKED",
        "C / sp.sqrt(d)",
        "C / d",
        ("dpzero.algorithm1.linked_to_algorithm2",),
    ),
    # counts of the corollaries
    Lie(
        "r + 2 is at most 2 r",
        "paper_checks/dpzero/corollaries_f.py:COUNTS",
        "(24, r * kappa, ((kappa, 1), (r, 1), (d, 2), (A, 1)))",
        "(16, r * kappa, ((kappa, 1), (r, 1), (d, 2), (A, 1)))",
        ("dpzero.corollary_f3.count_explicit",),
    ),
    Lie(
        "log(n epsilon) in place of its double",
        "paper_checks/dpzero/corollaries_f.py:count_steps",
        "sp.log(n**2 * epsilon**2)",
        "sp.log(n * epsilon)",
        ("dpzero.corollary_f2.count_explicit", "dpzero.corollary_f4.count_explicit"),
    ),
    Lie(
        "Y of F.4 without kappa",
        "bounds/dpzero",
        "log_argument_T = n**2 * epsilon**2 / (kappa * r * A)",
        "log_argument_T = n**2 * epsilon**2 / (r * A)",
        ("dpzero.corollary_f4.count_explicit",),
    ),
    Lie(
        "F.2 takes twice the printed steps",
        "paper_checks/dpzero/printed.py:PAGES",
        "8 * kappa * d * sp.log(Y)",
        "16 * kappa * d * sp.log(Y)",
        ("dpzero.corollary_f2.count_explicit",),
    ),
    # thresholds
    Lie(
        "(r + 2)/r is at most 1",
        "paper_checks/dpzero/section4.py:X_MOST",
        "6 * sp.sqrt(2 * sp.pi)",
        "2 * sp.sqrt(2 * sp.pi)",
        (EXACT + "threshold_order",),
    ),
    Lie(
        "the print's X without epsilon",
        "paper_checks/dpzero/printed.py:X_3",
        "2 * sp.sqrt(2 * sp.pi) * n**3 * epsilon**2",
        "2 * sp.sqrt(2 * sp.pi) * n**3",
        (EXACT + "threshold_for_every_epsilon",),
    ),
    Lie(
        "the least X half as large again",
        "paper_checks/dpzero/theorem3.py:LOWER_X",
        "FRONT / 3",
        "FRONT / 2",
        (EXACT + "higher_than_first_order",),
    ),
    Lie("DP-GD with ten times its threshold", "bounds/dpzero/dp_gd.py", '"C": L', '"C": 10 * L', (EXACT + "higher_than_first_order",)),
    # orders
    Lie(
        "Theorem 3's T without its factor r + 2",
        "paper_checks/dpzero/printed.py:PAGES",
        "n * (r + 2) * epsilon / (4 * sp.sqrt(r * A))",
        "n * epsilon / (4 * sp.sqrt(r * A))",
        ("dpzero.remark_4_2.noise_at_own_T",),
    ),
    Lie(
        "(7) with the root of d",
        "paper_checks/dpzero/printed.py:EQUATIONS",
        "(64 * (gap * ell + L_tilde**2) + 2 * L**2) * root_r",
        "(64 * (gap * ell + L_tilde**2) + 2 * L**2) * root_d",
        ("dpzero.remark_4_1.parenthesis",),
    ),
    Lie(
        "a threshold without a logarithm",
        "paper_checks/dpzero/printed.py:PAGES",
        '"X": X_3, "L_tilde": L * sp.sqrt(sp.log(X))',
        '"X": X_3, "L_tilde": L',
        ("dpzero.remark_4_1.logarithms_of_the_argument",),
    ),
    Lie(
        "eigenvalues that fall like a root",
        "synthetic",
        '"inverse": 1.0 / i}',
        '"inverse": 1.0 / np.sqrt(i)}',
        ("dpzero.assumption_3_5.harmonic_spectrum",),
    ),
    Lie(
        "a rank that grows twice as fast",
        "paper_checks/dpzero/assumptions.py:HARMONIC",
        '"no_more", 1 / (d + 1)',
        '"no_more", 2 / (d + 1)',
        ("dpzero.assumption_3_5.harmonic_spectrum",),
    ),
    # degenerate cases
    Lie(
        "the library takes an effective rank of 0",
        "bounds",
        '"effective rank: Tr(H) <= r ||H||", 1,',
        '"effective rank: Tr(H) <= r ||H||", 0,',
        ("dpzero.assumption_3_5.rank_of_zero",),
    ),
    Lie(
        "a rank is at least 2",
        "paper_checks/dpzero/assumptions.py:LEAST_RANK",
        'line("at_least_1", largest, "<=", r * largest)',
        'line("at_least_1", 2 * largest, "<=", r * largest)',
        ("dpzero.assumption_3_5.least_rank",),
    ),
    Lie(
        "the tail without its singularity",
        "paper_checks/dpzero/printed.py:TAIL",
        "8 * a_sq",
        "8 * a_sq + 1",
        ("dpzero.lemma_c1.ii_no_direction",),
    ),
    Lie(
        "a formula whose parentheses close",
        "paper_checks/dpzero/lemma_2_2.py:CLAIMS",
        '"(2*Delta*sqrt[2*T*log(e + (epsilon/delta))])/epsilon)**2"',
        '"(2*Delta*sqrt[2*T*log(e + (epsilon/delta))]/epsilon)**2"',
        ("dpzero.lemma_2_2.parentheses",),
    ),
    Lie(
        "a sigma that no way to balance gives", "paper_checks/dpzero/printed.py:SIGMA", "4 * C", "3 * C", ("dpzero.lemma_2_2.parentheses",)
    ),
    # privacy
    Lie(
        "a threshold that is asked for and not used",
        "paper_checks/dpzero/privacy_clause.py:counterexample",
        'at["C"] if threshold is None else threshold',
        'at["C"]',
        ("dpzero.theorem3.privacy_small_threshold",),
    ),
    Lie(
        "datasets half as far apart",
        "paper_checks/dpzero/privacy_clause.py:counterexample",
        "mp.mpf(min(L, C))",
        "mp.mpf(min(L, C)) / 2",
        ("dpzero.theorem3.privacy_small_threshold", "dpzero.theorem1.privacy"),
    ),
    Lie(
        "two runs of the algorithm share their direction",
        "paper_checks/dpzero/definition_2_1.py:randomised_sensitivity",
        "math.sqrt(d) * np.eye(d)",
        "(math.sqrt(d) * np.eye(d))[[0, 0]]",
        ("dpzero.lemma_2_2.sensitivity_of_a_randomised_algorithm",),
    ),
    # scope
    Lie(
        "PL grows twice as fast as it can",
        "paper_checks/dpzero/corollaries_f.py:VACUOUS",
        "(1 + s.mu / s.ell) * h",
        "(1 + 2 * s.mu / s.ell) * h",
        NOT_VACUOUS,
    ),
    Lie(
        "log cosh with a slope that never ends",
        "paper_checks/dpzero/corollaries_f.py:pl_on_the_whole_space",
        "ratio(x) >= mu",
        "ratio(x) >= 0",
        NOT_VACUOUS,
    ),
    Lie(
        "a loss that no step can make large",
        "paper_checks/dpzero/theorem3.py:unbounded_loss",
        "mp.sqrt((1 + mp.mpf(ceiling)) ** 2 - 1)",
        "mp.inf",
        ("dpzero.theorem3.unbounded_loss",),
    ),
    Lie(
        "a Gaussian direction of length 1 in one dimension",
        "paper_checks/dpzero/assumptions.py:gaussian_never_clips",
        "float(mp.erfc(1 / mp.sqrt(2)))",
        "0.0",
        ("dpzero.section2.any_direction_never_clips",),
    ),
    Lie(
        "a direction along an axis that is too short",
        "paper_checks/dpzero/assumptions.py:atoms",
        "sp.sqrt(d) * sp.eye(d)[:, i]",
        "sp.eye(d)[:, i]",
        ("dpzero.section2.any_direction_moments",),
    ),
    Lie(
        "the proofs' need grows with d",
        "paper_checks/dpzero/assumptions.py:other_moments",
        "H.trace() + 2",
        "H.trace() + 2 * dimension",
        ("dpzero.section2.any_direction_moments",),
    ),
)
