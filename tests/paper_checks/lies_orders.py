"""Planted faults in orders, thresholds, degenerate cases, clipping at 0 and the scope of statements."""

from tests.paper_checks.lies import Lie

ZEROTH, FIRST, CHECKS = "synthetic/kernels/zeroth_order.py", "synthetic/kernels/first_order.py", "paper_checks/dpzero/"
PRINTED, SCOPE, ORDERS = CHECKS + "printed.py", CHECKS + "scope.py", CHECKS + "orders.py"
NOT_VACUOUS = ("dpzero.corollary_f2.not_vacuous",)
EXACT = "dpzero.appendix_b2."

LIES = (
    # clipping
    Lie("a definition of clipping that does not divide by 0", CHECKS + "clipping.py", "threshold / sp.sqrt(sp.expand(sum(",
        "threshold / sp.sqrt(1 + sp.expand(sum(", ("dpzero.clip.defined_at_zero",)),
    Lie("DPZero divides a difference of 0 by its size", ZEROTH, "            if abs(s) > C:\n                s = C * np.sign(s)",
        "            if abs(s) > C or s == 0.0:\n                s = C * s / abs(s)", ("dpzero.clip.zero_in_algorithm2",)),
    Lie("DPGD-0th counts a difference of 0 as clipped", ZEROTH, "if abs(s) * norm_u > C:", "if abs(s) * norm_u > C or s == 0.0:",
        ("dpzero.clip.zero_in_algorithm1",)),
    Lie("DP-GD divides a gradient of 0 by its length", FIRST, "            if norm > C:", "            if norm > C or norm == 0.0:",
        ("dpzero.clip.zero_in_dp_gd_baseline",)),
    Lie("the linked threshold with d in place of its root", CHECKS + "clipping.py", "LINKED = C / sp.sqrt(d)", "LINKED = C / d",
        ("dpzero.algorithm1.linked_to_algorithm2",)),
    # counts of the corollaries
    Lie("r + 2 is at most 2 r", ORDERS, '"f3": (24,', '"f3": (16,', ("dpzero.corollary_f3.count_explicit",)),
    Lie("log(n epsilon) in place of its double", ORDERS, '(page.definitions["Y"]), sp.log(n**2 * epsilon**2)',
        '(page.definitions["Y"]), sp.log(n * epsilon)', ("dpzero.corollary_f2.count_explicit", "dpzero.corollary_f4.count_explicit")),
    Lie("Y of F.4 without kappa", "bounds/dpzero/corollary_f4.py", "log_argument_T = n**2 * epsilon**2 / (kappa * r * A)",
        "log_argument_T = n**2 * epsilon**2 / (r * A)", ("dpzero.corollary_f4.count_explicit",)),
    Lie("F.2 takes twice the printed steps", PRINTED, "8 * kappa * d * sp.log(Y)", "16 * kappa * d * sp.log(Y)",
        ("dpzero.corollary_f2.count_explicit",)),
    # thresholds
    Lie("(r + 2)/r is at most 1", CHECKS + "thresholds.py", "X_MOST = 6 * sp.sqrt", "X_MOST = 2 * sp.sqrt", (EXACT + "threshold_order",)),
    Lie("the print's X without epsilon", PRINTED, "X_3 = 2 * sp.sqrt(2 * sp.pi) * n**3 * epsilon**2", "X_3 = 2 * sp.sqrt(2 * sp.pi) * n**3",
        (EXACT + "threshold_for_every_epsilon",)),
    Lie("the least X half as large again", CHECKS + "degenerate.py", "    FRONT / 3,\n", "    FRONT / 2,\n",
        (EXACT + "higher_than_first_order",)),
    Lie("DP-GD with ten times its threshold", "bounds/dpzero/dp_gd.py", '"C": L', '"C": 10 * L', (EXACT + "higher_than_first_order",)),
    # orders
    Lie("Theorem 3's T without its factor r + 2", PRINTED, "n * (r + 2) * epsilon / (4 * sp.sqrt(r * A))",
        "n * epsilon / (4 * sp.sqrt(r * A))", ("dpzero.remark_4_2.noise_at_own_T",)),
    Lie("(7) with the root of d", PRINTED, '+ 2 * L**2) * root_r,\n    "8"', '+ 2 * L**2) * root_d,\n    "8"',
        ("dpzero.remark_4_1.parenthesis",)),
    Lie("a threshold without a logarithm", PRINTED, '"X": X_3, "L_tilde": L * sp.sqrt(sp.log(X))', '"X": X_3, "L_tilde": L',
        ("dpzero.remark_4_1.logarithms_of_the_argument",)),
    Lie("eigenvalues that fall like a root", "synthetic/objectives.py", '"inverse": 1.0 / i}', '"inverse": 1.0 / np.sqrt(i)}',
        ("dpzero.assumption_3_5.harmonic_spectrum",)),
    Lie("a rank that grows twice as fast", ORDERS, "            1 / (d + 1),\n", "            2 / (d + 1),\n",
        ("dpzero.assumption_3_5.harmonic_spectrum",)),
    # degenerate cases
    Lie("the library takes an effective rank of 0", "bounds/symbols.py", '"effective rank: Tr(H) <= r ||H||", 1,',
        '"effective rank: Tr(H) <= r ||H||", 0,', ("dpzero.assumption_3_5.rank_of_zero",)),
    Lie("a rank is at least 2", CHECKS + "degenerate.py",
        '            largest,\n            "<=",\n', '            2 * largest,\n            "<=",\n',
        ("dpzero.assumption_3_5.least_rank",)),
    Lie("the tail without its singularity", PRINTED, "sp.exp(-(C**2) / (8 * a_sq))  # Lemma", "sp.exp(-(C**2) / (8 * a_sq + 1))  # Lemma",
        ("dpzero.lemma_c1.ii_no_direction",)),
    Lie("a formula whose parentheses close", CHECKS + "statements.py", "(epsilon/delta))])/epsilon)**2", "(epsilon/delta))]/epsilon)**2",
        ("dpzero.lemma_2_2.parentheses",)),
    Lie("a sigma that no way to balance gives", PRINTED, "SIGMA = 4 * C", "SIGMA = 3 * C", ("dpzero.lemma_2_2.parentheses",)),
    # privacy
    Lie("a threshold that is asked for and not used", CHECKS + "privacy_clause.py", "if threshold is None else threshold\n", "\n",
        ("dpzero.theorem3.privacy_small_threshold",)),
    Lie("datasets half as far apart", CHECKS + "privacy_clause.py", "mp.mpf(epsilon), mp.mpf(min(L, C))",
        "mp.mpf(epsilon), mp.mpf(min(L, C)) / 2", ("dpzero.theorem3.privacy_small_threshold", "dpzero.theorem1.privacy")),
    Lie("two runs of the algorithm share their direction", CHECKS + "privacy_algorithms.py", "np.array([0.0, math.sqrt(d)])",
        "np.array([math.sqrt(d), 0.0])", ("dpzero.lemma_2_2.sensitivity_of_a_randomised_algorithm",)),
    # scope
    Lie("PL grows twice as fast as it can", SCOPE, "        (1 + s.mu / s.ell) * h,\n", "        (1 + 2 * s.mu / s.ell) * h,\n",
        NOT_VACUOUS),
    Lie("log cosh with a slope that never ends", SCOPE, "        while ratio >= mu and", "        while ratio >= 0 and", NOT_VACUOUS),
    Lie("a loss that no step can make large", SCOPE, "edge = mp.sqrt((1 + mp.mpf(B)) ** 2 - 1)", "edge = mp.inf",
        ("dpzero.theorem3.unbounded_loss",)),
    Lie("a Gaussian direction of length 1 in one dimension", SCOPE, "clip = float(mp.erfc(1 / mp.sqrt(2)))", "clip = 0.0",
        ("dpzero.section2.any_direction_never_clips",)),
    Lie("a direction along an axis that is too short", SCOPE, "axes = [sp.sqrt(d) * sp.eye(d)", "axes = [sp.eye(d)",
        ("dpzero.section2.any_direction_moments",)),
    Lie("the proofs' need grows with d", SCOPE, "needed = H[0, 0] * (H.trace() + 2)", "needed = H[0, 0] * (H.trace() + 2 * d)",
        ("dpzero.section2.any_direction_moments",)),
)  # fmt: skip
