"""Planted faults in the accounting, in the noise of the theorems, and in the rules for an integer T."""

from tests.paper_checks.lies import Lie

PRIVACY, SUBSAMPLED, PAGES = "bounds/privacy.py", "bounds/subsampled.py", "bounds/dpzero/"
SIGMA = "SIGMA = 4 * C * sp.sqrt(2 * T * A) / (n * epsilon)"
LEMMA = "dpzero.lemma_2_2.sigma_of_the_algorithms"
CURVE = ("dpzero.lemma_2_2.up_to_83", "dpzero.lemma_2_2.critical_epsilon", "dpzero.lemma_2_2.waste")
ONE_STEP = ("dpzero.experiments.minibatch_calibration",)
ANY, BETTER, FLOOR = "dpzero.theorems_1_2.any_rounding", "dpzero.theorem3.better_rounding", "dpzero.corollaries_f.floor"

LIES = (
    Lie(
        "Lemma 2.2 with half the noise",
        PRIVACY,
        "return _total_sensitivity(T, sensitivity) / _mu_lemma_2_2(epsilon, delta)",
        "return _total_sensitivity(T, sensitivity) / _mu_lemma_2_2(epsilon, delta) / 2",
        ("dpzero.lemma_2_2.up_to_83",),
    ),
    Lie("sigma as the variance", PAGES + "common.py", SIGMA, "SIGMA = (4 * C * sp.sqrt(2 * T * A) / (n * epsilon)) ** 2", (LEMMA,)),
    Lie("sensitivity C/n", PAGES + "common.py", SIGMA, "SIGMA = 2 * C * sp.sqrt(2 * T * A) / (n * epsilon)", (LEMMA,)),
    Lie(
        "log(1 + epsilon/delta) in the theorems",
        PAGES + "common.py",
        "sp.log(sp.E + epsilon / delta)",
        "sp.log(1 + epsilon / delta)",
        (LEMMA,),
    ),
    Lie("log(1 + epsilon/delta) in the accounting", PRIVACY, "np.logaddexp(1.0,", "np.logaddexp(0.0,", (LEMMA,)),
    Lie("the lemma's sqrt(T) is lost", PAGES + "composition.py", "sp.sqrt(2 * T * A) / epsilon", "sp.sqrt(2 * A) / epsilon", (LEMMA,)),
    Lie("the accountant's sqrt(T) is lost", PRIVACY, "return math.sqrt(T) * sensitivity", "return sensitivity", (LEMMA,)),
    Lie(
        "mu for mu/2 in the curve",
        PRIVACY,
        "epsilon / mu + mu / 2\n    if x < 0 and mu",
        "epsilon / mu + mu / 2\n    x -= mu / 2\n    if x < 0 and mu",
        CURVE,
    ),
    Lie("the delta curve with a wrong sign", PRIVACY, "math.log(difference) - x * x / 2", "math.log(difference) + x * x / 2", CURVE),
    Lie("twice mu in the second term of the curve", PRIVACY, "* -np.expm1(-mu * s)", "* (1 - np.exp(-2 * mu * s))", CURVE),
    Lie(
        "the ratio of the two sigmas upside down",
        PRIVACY,
        "return mu_gaussian(epsilon, delta) / _mu_lemma_2_2(epsilon, delta)",
        "return _mu_lemma_2_2(epsilon, delta) / mu_gaussian(epsilon, delta)",
        CURVE,
    ),
    Lie("the critical epsilon of half of delta", PRIVACY, "delta), private, 2 * private)", "delta / 2), private, 2 * private)", CURVE[1:2]),
    Lie("x_tau uses all T releases", PRIVACY, "return T - 1", "return T", ("dpzero.algorithms.last_release_unused",)),
    Lie(
        "replace-one counted as add-or-remove",
        SUBSAMPLED,
        "NeighboringRelation.REPLACE_ONE if replace else",
        "NeighboringRelation.ADD_OR_REMOVE_ONE if replace else",
        ONE_STEP,
    ),
    Lie(
        "half of replace-one's shift",
        SUBSAMPLED,
        "shift = sensitivity / 2 if replace else sensitivity",
        "shift = sensitivity / 4 if replace else sensitivity",
        ONE_STEP,
    ),
    Lie(
        "add-or-remove with half the sensitivity",
        SUBSAMPLED,
        "shift = sensitivity / 2 if replace else sensitivity",
        "shift = sensitivity / 2",
        ONE_STEP,
    ),
    Lie("sampling with probability q^2", SUBSAMPLED, "sampling_prob=q,", "sampling_prob=q * q,", ONE_STEP),
    Lie(
        "the search ends on the leaky side",
        SUBSAMPLED,
        "return min(full_batch, math.exp(refined))",
        "return min(full_batch, math.exp(refined - 0.01))",
        ONE_STEP,
    ),
    Lie(
        "B dropped from X",
        PAGES + "theorem3.py",
        "(r + 2) * (d + 8 * ell * B * (r + 2) / L**2) / (r * A)",
        "(r + 2) * d / (r * A)",
        (BETTER,),
    ),
    Lie(
        "n^2 instead of n^3 in X",
        PAGES + "theorem3.py",
        "* n**3 * epsilon**2 * (r + 2)",
        "* n**2 * epsilon**2 * (r + 2)",
        (BETTER, "dpzero.theorem3.says_something"),
    ),
    Lie(
        "Theorem 3 with r for r + 2 in alpha",
        PAGES + "theorem3.py",
        "largest_alpha = 1 / (4 * ell * (r + 2))",
        "largest_alpha = 1 / (4 * ell * r)",
        (BETTER,),
    ),
    Lie(
        "Theorem 3 with T four times as long",
        PAGES + "theorem3.py",
        "best_T = n * (r + 2) * epsilon / (4 * sp.sqrt(r * A))",
        "best_T = n * (r + 2) * epsilon / sp.sqrt(r * A)",
        (BETTER,),
    ),
    Lie(
        "Theorem 3's constant 64 becomes 16",
        PAGES + "theorem3.py",
        "bound = (64 * (ell * gap + L_tilde**2) + 2 * L**2) * rate",
        "bound = (16 * (ell * gap + L_tilde**2) + 2 * L**2) * rate",
        (BETTER, "dpzero.theorem3.says_something"),
    ),
    Lie(
        "lambda's power of d",
        PAGES + "theorem3.py",
        "lam_for_bias = L / (ell * d ** sp.Rational(3, 2))",
        "lam_for_bias = L / (ell * d)",
        ("dpzero.experiments.lam", BETTER),
    ),
    Lie(
        "Theorem 1 without the dimension in its noise",
        PAGES + "theorem1.py",
        "noise = 64 * ell * C**2 * alpha * T * d * A",
        "noise = 64 * ell * C**2 * alpha * T * A",
        (ANY,),
    ),
    Lie(
        "Theorem 2 with T for r instead of r + 2",
        PAGES + "theorem2.py",
        "best_T = n * (r + 2) * epsilon",
        "best_T = n * r * epsilon",
        (ANY,),
    ),
    Lie("a corollary's noise off by 4", PAGES + "corollary_f2.py", "noise = 32 * ell * C**2", "noise = 128 * ell * C**2", (FLOOR,)),
    Lie(
        "the floor is always right",
        PAGES + "remark_f5.py",
        "[math.floor(real_T), math.ceil(real_T)]",
        "[math.floor(real_T)]",
        ("dpzero.theorem3.always_floor",),
    ),
    Lie(
        "the ceiling is always right",
        PAGES + "remark_f5.py",
        "[math.floor(real_T), math.ceil(real_T)]",
        "[math.ceil(real_T)]",
        ("dpzero.theorem3.always_ceil",),
    ),
    Lie(
        "the corollaries rounded up",
        PAGES + "remark_f5.py",
        "tried, reason = [math.floor(real_T)],",
        "tried, reason = [math.ceil(real_T)],",
        ("dpzero.corollary_f2.ceil",),
    ),
    Lie(
        "L^2 as a corollary's trivial bound",
        PAGES + "remark_f5.py",
        '_Case(corollary_f3.THEOREM, corollary_f3.before, L**2 / (2 * mu), "floor")',
        '_Case(corollary_f3.THEOREM, corollary_f3.before, L**2, "floor")',
        ("dpzero.remark_f5.trivial_bound",),
    ),
    Lie(
        "Remark F.5 the wrong way round in T",
        PAGES + "remark_f5.py",
        "sp.Max(theorem3.best_T, 1)",
        "sp.Min(theorem3.best_T, 1)",
        ("dpzero.remark_f5.orientation",),
    ),
    Lie(
        "Remark F.5 the wrong way round in the bound",
        PAGES + "remark_f5.py",
        "sp.Min(theorem3.bound, L**2)",
        "sp.Max(theorem3.bound, L**2)",
        ("dpzero.remark_f5.orientation",),
    ),
)
