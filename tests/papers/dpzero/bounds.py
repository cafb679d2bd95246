"""The statements of DPZero once more, by hand or as printed: bounds, parts, schedules, conditions, and where these end.

The parts of Lemma C.1 are summed in `test_dpzero_statements`, the bounds of the sharper theorems integrated in `test_sharp_formulas`.
"""

import math
from functools import cache

import mpmath as mp
import sympy as sp

from paper_checks.dpzero.printed import FORMULAS, PAGES
from tests.papers.dpzero import sharper
from tests.papers.hand import At

log, sqrt, exp, erfc = math.log, math.sqrt, math.exp, math.erfc
LETTERS = {  # from, to, where the statements are evaluated
    "gap": (0.3, 3), "B": (0.3, 3), "mu": (0.01, 0.2), "C": (2, 9), "lam": (1e-4, 1e-2), "a_sq": (0.3, 3), "sensitivity": (0.01, 1),
    "sigma": (0.01, 1),
}  # fmt: skip
LOWEST = {  # of letters that are numbers of things, or at least 1 by what they mean; and of those that may be 0
    1: """D log_X""",
    0: """grad_sq mean_grad_sq smooth_sq bias_sq bias_norm G_sq G_H z_sq z_H u_H grad_H slope estimate_norm w_1 w_2 theta gamma C_0
       deviation W W_clear W_clipped G_H_clear G_H_clipped u_H_clear u_H_clipped s_t D_now D_next D_all D_rest D_first D_end D_last
       D_over q_t slack excess a_T b_T v power b_step q
       coordinate_sq along_sq tail sample_grad k_order grad_size unit_H lead_unit tail_h tail_apart tail_u w_root
       difference_error clip_error clip_cross rough_tilt rough_error rough_cross bias_term stretch_term cross_term length_term
       step_H mean_grad_size rest_H rest_cross joint scalar_H""",
}
HIGHEST = {
    "theta": math.pi,
    "deviation": 30,
    "slack": 0.75,
    "log_X": 140,
    "v": 0.125,
    "x_step": 0.125,
    "excess": 1,
    "p_t": 1,
    "power": 1,
}  # where it is no power of ten


def A(v):
    return log(math.e + v.epsilon / v.delta)


@cache
def printed_function(key):
    """Return (names, symbols, function of these in mpmath) of a printed schedule, X, Y and bound, in the constants of the problem."""
    page = PAGES[f"dpzero.{key.removesuffix('_as_printed')}"]
    found = {**page.definitions, **page.schedule, "sigma": FORMULAS["noise_sd"], "lam": page.lam, "bound": page.bound}
    found |= {"lam_clipping": page.lam_clipping} if page.lam_clipping is not None else {}
    found |= {"bound": FORMULAS["f4_icml"]} if key.endswith("printed") else {}
    formulas = [page.in_constants(formula) for formula in found.values()]
    letters = sorted(set().union(*(formula.free_symbols for formula in formulas)), key=str)
    return tuple(found), letters, sp.lambdify(letters, formulas, "mpmath")


def by_print(key, v):
    """Return the schedule, X, Y and the bound at a point in mpmath, as the pages of claims print them; DP-GD, which is ours, by hand."""
    if key == "dp_gd":
        n, r, epsilon, delta, L, ell, gap = (mp.mpf(v[name]) for name in ("n", "r", "epsilon", "delta", "L", "ell", "gap"))
        A = mp.log(mp.e + epsilon / delta)
        rho = mp.sqrt(r * A) / (n * epsilon)
        sigma = 4 * L * mp.sqrt(2 / rho * A) / (n * epsilon)
        return {"alpha": 1 / ell, "T": 1 / rho, "C": L, "sigma": sigma, "bound": (2 * ell * gap + 32 * L**2) * rho}
    names, letters, function = printed_function(key)
    found = dict(zip(names, function(*(mp.mpf(v[letter.name]) for letter in letters)), strict=True))
    return found | {"lam": min(found["lam"], found.get("lam_clipping", mp.inf))}


SCHEDULED = (*FORMULAS.statements, "corollary_f4_as_printed", "dp_gd")


def real(value):
    """Return a float, nan where the formula has none: the root or the logarithm of a negative number."""
    return math.nan if isinstance(value, mp.mpc) and value.imag else float(value.real)


def schedule(key):
    """Return what gives the printed schedule, X, Y and the bound at a point."""
    return lambda v: At({name: real(value) for name, value in by_print(key, v).items()})


def at_least_a_step(v):
    """Remark F.5: Theorem 3 with max(1, T) steps, and with its noise."""
    found = schedule("theorem3")(v)
    T = max(1.0, found["T"])
    return found | {"T": T, "sigma": 4 * found.C * sqrt(2 * T * A(v)) / (v.n * v.epsilon)}


PRINTED = {key: {"bound": lambda v, key=key: schedule(key)(v).bound} for key in SCHEDULED if key != "dp_gd"}
STATEMENTS = {
    **{key: {"count": lambda v, key=key: v.n * schedule(key)(v)["T"]} for key in PRINTED},
    "dp_gd": {"bound": lambda v: schedule("dp_gd")(v).bound, "count": lambda v: v.n * schedule("dp_gd")(v)["T"]},
    "sharp_start": {"bound": lambda v: min(v.L**2, 2 * v.ell * v.gap)},
    "remark_f5": {"bound": lambda v: min(schedule("theorem3")(v).bound, v.L**2), "count": lambda v: v.n * at_least_a_step(v)["T"]},
    "lemma_2_2": {
        "bound": lambda v: 2 * v.sensitivity * sqrt(2 * v.T * A(v)) / v.epsilon,
        "clipped mean": lambda v: 4 * v.C * sqrt(2 * v.T * A(v)) / (v.n * v.epsilon),
    },
    "lemma_c1": {"bound": lambda v: 2 * sqrt(2 * math.pi) * exp(-(v.C**2) / (8 * v.a_sq))},
    "lemma_c2": {
        "bound": lambda v: v.ell / 2 * v.lam * v.d**1.5, "14": lambda v: v.ell**2 / 2 * v.lam**2 * v.d**2,
        "ii second moment": lambda v: 2 * v.d * v.a_sq + v.ell**2 / 2 * v.lam**2 * v.d**3,
    },
    "section4_tail": {
        "bound": lambda v: 2 * sqrt(2 * math.pi) * exp(-(v.C**2) / (8 * v.L**2)), "remainder": lambda v: v.ell / 2 * v.lam * v.d,
        "worst case": lambda v: v.L * sqrt(v.d),
    },
    "random_directions": {
        "bound": lambda v: erfc(v.C / v.L * sqrt((v.d - 3) / v.d) / sqrt(2)), "variance": lambda v: v.d / (v.d - 3),
    },
    "table1_dpgd_0th": {
        "bound": lambda v: v.d * sqrt(v.r), "without Assumption 3.5": lambda v: v.d**1.5, "with Assumption 3.5": lambda v: v.d * sqrt(v.r),
    },
    "table1_dpzero": {
        "bound": lambda v: log(v.d) * sqrt(v.r), "without Assumption 3.5": lambda v: sqrt(v.d) * log(v.d),
        "with Assumption 3.5": lambda v: sqrt(v.r) * log(v.d),
    },
    "table1_dp_gd": {
        "bound": lambda v: sqrt(v.r), "without Assumption 3.5": lambda v: sqrt(v.d), "with Assumption 3.5": lambda v: sqrt(v.r),
    },
}  # fmt: skip
ELSEWHERE = tuple(f"sharp_{name}" for name in ("bias", "clip", "tail", "event", "lipschitz", "never_clip", "dp_gd", "dpgd_0th"))
PARTS_ELSEWHERE = {"lemma_c1": ("i ", "ii mean", "ii variance", "iii ", "iv ", "fourth moment", "mixed fourth moment")}
SCHEDULES = {key: schedule(key) for key in SCHEDULED}
SCHEDULES |= {"remark_f5": at_least_a_step, "lemma_2_2": lambda v: {"sigma": STATEMENTS["lemma_2_2"]["bound"](v)}}


# --- the guarantees before a schedule is chosen -----------------------------------------------------------------------------------------
def descent(v, d_or_r):
    """4 gap/(alpha T) + 2 alpha ell d sigma^2 + ell^2 d^3 lam^2 with sigma = 4 C sqrt(2 T A)/(n epsilon), d or r in the second."""
    sigma = 4 * v.C * sqrt(2 * v.T * A(v)) / (v.n * v.epsilon)
    return 4 * v.gap / (v.alpha * v.T) + 2 * v.alpha * v.ell * d_or_r * sigma**2 + v.ell**2 * v.d**3 * v.lam**2


def contracted(v, d_or_r):
    """The same under PL, for the loss: gap exp(-mu alpha T/2) + (the noise and smoothing above)/(2 mu)."""
    return v.gap * exp(-v.mu * v.alpha * v.T / 2) + (descent(v, d_or_r) - 4 * v.gap / (v.alpha * v.T)) / (2 * v.mu)


def clips(v):
    """n T times the tail of Section 4 at the threshold less the curvature term."""
    return v.n * v.T * 2 * sqrt(2 * math.pi) * exp(-(max(0.0, v.C - v.ell * v.lam * v.d / 2) ** 2) / (8 * v.L**2))


def threshold(v):
    """The C of a guarantee for any schedule: one that never clips, or one that clips with a probability that counts."""
    return {"alpha": 1 / (5 * v.ell * max(v.d, v.r + 2)), "C": 12 * v.L}


def unclipped(v):
    return threshold(v) | {"C": 1.5 * v.L * v.d}


ANY_SCHEDULE = {  # the guarantee before a schedule is chosen, and the letters at which it is evaluated
    "sharp_start": (STATEMENTS["sharp_start"]["bound"], lambda v: {}),
    "theorem1": (lambda v: descent(v, v.d), unclipped),
    "theorem2": (lambda v: descent(v, v.r), unclipped),
    "theorem3": (lambda v: descent(v, v.r) + clips(v) * (4 * v.L**2 * v.d + 8 * v.B / v.alpha), threshold),
    "corollary_f2": (lambda v: contracted(v, v.d), unclipped),
    "corollary_f3": (lambda v: contracted(v, v.r), unclipped),
    "corollary_f4": (lambda v: contracted(v, v.r) + clips(v) * (2 * v.B + (2 * v.L**2 * v.d + 4 * v.B / v.alpha) / v.mu), threshold),
    "dp_gd": (
        lambda v: 2 * v.gap / (v.alpha * v.T) + v.alpha * v.ell * v.r * (4 * v.C * sqrt(2 * v.T * A(v)) / (v.n * v.epsilon)) ** 2,
        unclipped,
    ),
}


# --- both sides of the conditions -------------------------------------------------------------------------------------------------------
def private(v):
    return v.epsilon, 8 * A(v)


def a_step(key):
    return lambda v: (schedule(key)(v)["T"], 1.0)


def below(key):
    """The printed bound says more than the Lipschitz constant, for the loss under PL."""
    return lambda v: (schedule(key)(v).bound, v.L**2 / (2 * v.mu if key.startswith("corollary") else 1))


def resolved(key):
    return [lambda v: (schedule(key)(v).lam, 2.0**-23), lambda v: (schedule(key)(v).lam, 2.0**-52)]


def logarithm(key, letter):
    return lambda v: (schedule(key)(v)[letter], 1.0)


def worst_case(key):
    return lambda v: (schedule(key)(v).C, v.L * sqrt(v.d))


def global_b(v):
    return v.gap, 2 * v.B


def under_pl(key):
    return [logarithm(key, "Y"), a_step(key), lambda v: (v.mu, v.ell), lambda v: (v.gap, v.L**2 / (2 * v.mu))]


def of_f4(key):
    return [private, logarithm(key, "X"), *under_pl(key), global_b, below(key), worst_case(key), *resolved(key)]


def event(v):
    """The bound of sharp_event: the descent, and n T erfc(C sqrt((d - 3)/(2 d))/L) times what a clipped run may cost."""
    fails = v.n * v.T * math.erfc(v.C / v.L * sqrt((v.d - 3) / v.d) / sqrt(2))
    free = 4 * v.gap / (v.alpha * v.T) + 2 * v.ell * v.alpha * v.r * v.sigma**2 + v.ell**2 * v.d**3 * v.lam**2
    return free + (4 * v.L**2 * v.d + 4 * v.L * sqrt(v.d) * (v.C + sqrt(2 / math.pi) * v.sigma)) * fails


def sharp(name, *between, unit=lambda v: v.L):
    """The share a of a step that is lost, then others, then the bound: y^2 with (1 - a) y^2 - linear y = constant."""
    terms, _ = sharper.THEOREMS[f"dpzero.{name}"]

    def at(v):
        shrink, bias, cross, length, stretch = terms(v | {"c": v.C / unit(v)})
        step = v.alpha * v.ell
        constant = v.gap / (v.alpha * v.T) + step * (length**2 + v.r * v.sigma**2) / 2
        a = shrink + step * stretch / 2
        return float(a), float(sharper.squared_root(a, bias + step * cross, constant))

    return [lambda v: (at(v)[0], 1.0), *between, lambda v: (at(v)[1], v.L**2)]


def many(v):
    return v.d, 4.0


CONDITIONS = {
    "lemma_2_2": [private],
    **{key: [private, a_step(key), below(key), *resolved(key)] for key in ("theorem1", "theorem2")},
    "theorem3": [
        private, logarithm("theorem3", "X"), global_b, a_step("theorem3"), below("theorem3"), worst_case("theorem3"), *resolved("theorem3"),
    ],
    "remark_f5": [private, logarithm("theorem3", "X"), global_b, worst_case("theorem3"), *resolved("theorem3")],
    **{key: [private, *under_pl(key), below(key), *resolved(key)] for key in ("corollary_f2", "corollary_f3")},
    **{key: of_f4(key) for key in ("corollary_f4", "corollary_f4_as_printed")},
    "dp_gd": [private, a_step("dp_gd"), below("dp_gd")],
    "sharp_tail_lipschitz": [many], "random_directions": [many], "sharp_clip_lipschitz": [many],
    "sharp_event": [many, lambda v: (v.alpha, 1 / (4 * v.ell * (v.r + 2))), lambda v: (event(v), v.L**2)],
    "sharp_clip_bias": sharp("sharp_clip_bias"),
    "sharp_lipschitz": sharp("sharp_lipschitz", many),
    "sharp_never_clip": sharp("sharp_never_clip", lambda v: (v.C, v.L * sqrt(v.d))),
    "sharp_dpgd_0th": sharp("sharp_dpgd_0th", unit=lambda v: v.L * sqrt(v.d)),
    "sharp_dpgd_0th_never_clip": sharp("sharp_dpgd_0th_never_clip", lambda v: (v.C, v.L * v.d)),
    "sharp_dp_gd": sharp("sharp_dp_gd", lambda v: (v.C, v.L)),
}  # fmt: skip


# --- where the conditions end -----------------------------------------------------------------------------------------------------------
POINT = {"r": 5.0, "gap": 0.9, "B": 1.1, "mu": 0.2}


def largest_epsilon(v):
    """The epsilon with epsilon = 8 log(e + epsilon/delta)."""
    epsilon = 100.0
    for _ in range(100):
        epsilon = 8 * math.log(math.e + epsilon / v.delta)
    return epsilon


def resolved(unit):
    """The L at which the smoothing radius of Theorem 1, 4 L/(ell d) sqrt(sqrt(d A)/(n epsilon)), is `unit`."""
    return lambda v: unit * v.ell * v.d / 4 / math.sqrt(math.sqrt(v.d * A(v)) / (v.n * v.epsilon))


# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
LIMITS = [
    *((key, "outside the region", "epsilon", largest_epsilon, False) for key in ("lemma_2_2", "theorem1", "theorem3", "dp_gd")),
    ("theorem1", "so no step can be taken", "n", lambda v: math.sqrt(v.d * A(v)) / v.epsilon, True),
    ("theorem2", "so no step", "n", lambda v: v.d * math.sqrt(v.r * A(v)) / ((v.r + 2) * v.epsilon), True),
    ("theorem3", "so no step", "n", lambda v: 4 * math.sqrt(v.r * A(v)) / ((v.r + 2) * v.epsilon), True),
    ("dp_gd", "so no step", "n", lambda v: math.sqrt(v.r * A(v)) / v.epsilon, True),
    ("theorem1", "below 2^-23", "L", resolved(2.0**-23), True),
    ("theorem1", "below 2^-52", "L", resolved(2.0**-52), True),
    ("theorem3", "is above 2 B", "gap", lambda v: 2 * v.B, False),
    ("corollary_f4", "is above 2 B", "gap", lambda v: 2 * v.B, False),
    ("corollary_f2", "no ell-smooth function", "mu", lambda v: v.ell, False),
    ("corollary_f3", "exclude such a start", "gap", lambda v: v.L**2 / (2 * v.mu), False),
    ("corollary_f2", "T would not be positive", "n", lambda v: math.sqrt(A(v) * v.d**3 * v.ell / v.mu) / v.epsilon, True),
    ("corollary_f4", "T would not be positive", "n", lambda v: math.sqrt(A(v) * v.r * v.ell / v.mu) / v.epsilon, True),
    *((key, "needs d >= 4", "d", lambda v: 4.0, True) for key in ("sharp_tail_lipschitz", "random_directions")),
]


def changed(key, v):
    """The letters at which the conditions are compared where that is not at any point: a step that the sharper theorems allow."""
    return {"alpha": 0.3 / (v.ell * (v.r + 2))} if key.startswith("sharp_") else {}


AT_LEAST = ()  # letters whose conditions are lower bounds, all of them
