"""The statements of Gauss-PSGD once more: what the pages of claims print is read from them, what is ours is typed by hand."""

import math

from paper_checks.gauss_psgd.printed import FIVE, FORMULAS, Q, express_in_psi
from tests.papers.hand import At, printed_statements, value_at

log, sqrt, exp = math.log, math.sqrt, math.exp
LETTERS = {  # from, to, where the statements are evaluated
    "U": (1, 30), "m": (2, 9), "omega": (0.01, 0.4), "omega_0": (0.01, 0.4), "psi": (1e-4, 1e-2), "s": (2, 50), "log_factor": (3, 30),
    "C_abs": (0.3, 3), "c_abs": (0.3, 3), "eta": (0.01, 0.3), "chi": (0.01, 0.3), "drift_limit": (0.01, 3), "b_1": (5, 500),
    "b_2": (5, 500), "accuracy": (0.05, 0.5), "iota": (1, 9), "sum_grad": (1, 9), "sum_err": (1, 9), "sum_sq": (1, 9), "t_count": (5, 50),
    "added_noise": (1e-4, 1e-2), "scale_low": (0.1, 0.5), "scale_high": (20, 90), "zeta": (0.3, 3), "deviation_t": (0.5, 3),
    "matrix_variance": (0.3, 3), "matrix_bound": (0.3, 3), "entry_scale": (0.3, 3), "releases": (3, 90), "curvature": (0.3, 3),
    "P_h": (0.3, 3), "P_sg": (0.3, 3), "P_p": (0.3, 3),
}  # fmt: skip
LOWEST = {  # of letters that are numbers of things, or at least 1 by what they mean; and of those that may be 0
    1: """m Gamma Q Gamma_whole Q_whole b_1 b_2 s log_factor iota releases steps_taken tau a_t_sq log_ratio escapes phases N_private""",
    0: """t_count deviation_t away away_2 p_one p_pair grad_norm est_norm err_norm sum_grad sum_err mean_grad mean_err moved_sq
       normal_steps resets drift p_fail p_noise p_rest
       noise_part noise_last rest_part apart Delta_norm earlier p_none rest_last farther sq_est p_round p_any grad_end est_end
       p_phases p_total mean_est""",
}
HIGHEST = {"log_ratio": 60, "A_rate": 0.999, "omega": 0.999, "omega_0": 0.999, "growth": 1}  # where it is no power of ten


def block(v, repaired=False):
    """(5) as printed, with Q and T; or the repaired block."""
    if repaired:
        return repaired_block(v)
    found = At({letter.name: value_at(express_in_psi(letter), v) for letter in FIVE})
    return At(found | {name: value_at(express_in_psi(FORMULAS[formula]), v) for name, formula in (("Q", "rounds"), ("T", "steps_79"))})


def repaired_block(v):
    iota = v.s * v.log_factor
    chis = [4 * sqrt(v.C_abs) * v.s * v.log_factor**2 * v.psi, sqrt(v.c_abs * v.s**3 * v.log_factor**5) * v.psi]
    chi = max(chis)
    alpha = 4 * chi
    eta = sqrt(v.rho * alpha) / (v.ell**2 * iota**3)
    Gamma, decrease = iota / (v.s * eta * sqrt(v.rho * alpha)), v.s / (8 * iota**4) * sqrt(alpha**3 / v.rho)
    Q, radius = log(2 * (1 + v.U / decrease) / v.omega) / log(8 / 7), sqrt(alpha / v.rho) / iota**1.5
    found = {"iota": iota, "chi": chi, "accuracy": alpha, "eta": eta, "Gamma": Gamma, "radius": radius, "decrease": decrease, "Q": Q}
    return At(found | {"largest": chis.index(chi), "T": (1 + v.U / decrease) * ((Q + 1) * (Gamma + 1) + 1)})


def by_definition_8(v, m):
    """Lemmas 7 and 9: r by Definition 8."""
    spread = sqrt((v.L**2 / v.b_1**2 + v.ell**2 * v.drift_limit / v.b_2**2) / m) / v.epsilon
    return spread * 2 * sqrt(2 * log(1.25 / v.delta))


def rate(v, m):
    """The terms of (105) and (121), and the third that the proof needs with the best kappa."""
    printed = (value_at(FORMULAS[name], v | {"m": m}) for name in ("rate_3_1", "rate_3_2"))
    # (sampling part / kappa)^(2/3) = (private part kappa)^(1/7) at the best kappa
    first, fourth = v.L**2 * v.U * sqrt(v.rho) / (v.ell**2 * m * v.n), v.ell**6 * v.U**2 * v.d / (m * (v.n * v.epsilon) ** 2) / v.rho
    kappa = (first ** (2 / 3) / fourth ** (1 / 7)) ** (21 / 17)
    return *printed, (first / kappa) ** (2 / 3)


def b_of(v):
    return (1 + v.eta * v.curvature) ** v.t_count / sqrt(2 * v.eta * v.curvature)


def a_of(v):
    x = v.eta * v.curvature
    return sqrt(((1 + x) ** (2 * v.t_count) - 1) / (2 * x + x**2))


def selection(v):
    """What Algorithm 4 allows for sampling and noise: gradient, Hessian."""
    noise = sqrt(v.T * log(1 / v.delta)) / (sqrt(v.m) * v.n * v.epsilon)
    gradient = v.L * log(8 * v.d / v.omega) / sqrt(v.m * v.n) + v.L * sqrt(v.d * log(16 / v.omega)) * noise
    return gradient, v.ell * sqrt(log(8 * v.d / v.omega) / (v.m * v.n)) + v.ell * v.d * sqrt(log(32 / v.omega)) * noise


BY_THE_BLOCK = ("lemma1", "corollary1", "lemma4", "lemma5", "lemma6", "theorem1", "lemma20")
PRINTED = printed_statements("gauss_psgd", lambda key: {**FIVE, Q: FORMULAS["rounds"]} if key in BY_THE_BLOCK else {})
STATEMENTS = {
    "lemma2": {
        "exactly": lambda v: (7 / 8) ** (26 / 5 * log(1 / v.omega_0)), "base 2": lambda v: 26 / 5 * math.log2(1 / v.omega_0),
        "enough": lambda v: log(v.omega_0) / log(7 / 8),
    },
    "lemma4": {
        "proof": lambda v: -block(v).radius ** 2 / (4 * block(v).eta * block(v).Gamma)
        + v.c_abs * block(v).eta * v.psi**2 * (block(v).Gamma + block(v).iota),
    },
    "lemma6": {
        "last": lambda v: block(v)["T"] + block(v).Q * block(v).Gamma,
        "saddles": lambda v: 8 * block(v).iota ** 3 * v.U / v.s * sqrt(v.rho / block(v).chi ** 3),
    },
    "repaired": {
        "bound": lambda v: block(v, True).accuracy, "failure": lambda v: 3 / 2 * v.omega,
        "phases": lambda v: 1 + v.U / block(v, True).decrease,
    },
    **{
        key: {
            "r by Definition 8": lambda v, m=m: by_definition_8(v, m(v)),
            "psi": lambda v, key=key, m=m: math.hypot(PRINTED[key]["bound"](v), sqrt(v.d) * by_definition_8(v, m(v))),
        }
        for key, m in (("lemma7", lambda v: 1), ("lemma9", lambda v: v.m))
    },
    "lemma8": {"sharper": lambda v: 6 * v.eta / v.drift_limit * (v.U + 3 / 4 * v.T * v.eta * v.chi**2)},
    **{
        key: {"proof": lambda v, m=m: sum(rate(v, m(v)))} for key, m in (("theorem2", lambda v: 1), ("theorem3", lambda v: v.m))
    },
    "theorem4": {
        "cross term": lambda v: PRINTED["theorem4"]["bound"](v) + (sqrt(v.accuracy) - v.accuracy) / sqrt(v.m * v.n),
        "gradient": lambda v: v.accuracy + selection(v)[0], "hessian": lambda v: -sqrt(v.rho * v.accuracy) - selection(v)[1],
    },
    "remark4": {"bound": lambda v: min(formula(v) for formula in PRINTED["remark4"].values())},
    "corollary3": {"with 2 d": lambda v: v.C_abs * sqrt(log(2 * v.d) * v.sum_sq)},
    "lemma12": {"bound": lambda v: v.C_abs * sqrt(max(v.sum_sq, v.scale_low) * v.iota)},
    "lemma14": {"eigenvalue": PRINTED["lemma14"]["bound"], "norm": lambda v: 2 * PRINTED["lemma14"]["bound"](v)},
    "lemma19": {"a": a_of, "b": b_of, "deviation": lambda v: 2 * v.eta * v.added_noise * a_of(v)},
}  # fmt: skip
ELSEWHERE: tuple[str, ...] = ()
PARTS_ELSEWHERE: dict[str, tuple[str, ...]] = {}


def batches(v, m):
    """kappa, b_1 and b_2 of Theorems 2 and 3."""
    entries = [value_at(formula, v | {"m": m}) for formula in FORMULAS.of("drift_limits_3").values()]
    kappa = max(entries)
    b_1, b_2 = (value_at(FORMULAS[f"batch_{i}"], v | {"drift_limit": kappa}) for i in (1, 2))
    return {"largest": entries.index(kappa), "drift_limit": kappa, "b_1": b_1, "b_2": b_2}


SCHEDULES = {
    **dict.fromkeys(BY_THE_BLOCK, block),
    "lemma2": lambda v: {"Q": 26 / 5 * log(1 / v.omega_0)},
    "theorem2": lambda v: batches(v, 1),
    "theorem3": lambda v: batches(v, v.m),
    "repaired": lambda v: block(v, True),
}
ANY_SCHEDULE: dict[str, tuple] = {}


def accuracy_at_most(v, repaired=False):
    return block(v, repaired).accuracy, v.ell**2 / v.rho


def entry_of_6(name):
    """An entry of (6) as printed."""
    formula = express_in_psi(FORMULAS.of("entries_of_mu")[name])
    return lambda v: (v.log_factor, value_at(formula, v))


def escapes(v):
    """What Lemma 1 needs instead: 2^mu >= 40 sqrt(2) R (rho alpha)^(1/4)/(r sqrt(eta))."""
    at = block(v)
    return v.log_factor, log(40 * sqrt(2) * at.radius * (v.rho * at.accuracy) ** 0.25 / (v.added_noise * sqrt(at.eta))) / log(2)


def step_41(v, repaired=False):
    at = block(v, repaired)
    return at.eta * v.rho * at.radius * at.Gamma * sqrt(at.iota), 1 / (160 * sqrt(2))


def step_42(v):
    at = block(v)
    return at.eta * v.ell * sqrt(at.Gamma) * at.iota, 1 / (160 * sqrt(2))


def step_71(v, repaired=False):
    at = block(v, repaired)
    return -(at.radius**2) / (4 * at.eta * at.Gamma) + v.c_abs * at.eta * v.psi**2 * (at.Gamma + at.iota), -at.decrease


def events(T):
    """The third entry of (6) for T steps."""
    return lambda v: (v.log_factor, value_at(FORMULAS.of("entries_of_mu")["third"], v | {"T": T(v)}))


def crossing(m):
    """The root alpha of sampling/kappa^(2/3) = difference kappa^(1/7), up to powers, against the two terms of the rate."""

    def sides(v):
        sampling = v.L**2 * v.U * sqrt(v.rho) / (v.ell**2 * m(v) * v.n)
        difference = v.ell**6 * v.U**2 * v.d / (m(v) * (v.n * v.epsilon) ** 2) / v.rho
        return (sampling * difference) ** (2 / 17), max(rate(v, m(v))[:2])

    return sides


def repaired_union(v):
    at = block(v, True)
    whole = at.Gamma + 1  # rounding up costs at most one step, and the step size goes with it
    return v.log_factor, log(36 * v.d * whole * log(2 * at.radius / (at.eta * at.Gamma / whole * v.added_noise))) / v.s


def repaired_escapes(v):
    at = block(v, True)
    eta = at.eta * at.Gamma / (at.Gamma + 1)
    return v.log_factor, log(40 * sqrt(2) * at.radius * (v.rho * at.accuracy) ** 0.25 / (v.added_noise * sqrt(eta))) / log(2)


def repaired_phases(v):
    at = block(v, True)
    return v.log_factor, log(4 * (at.Q + 1) * (1 + v.U / at.decrease) / v.omega) / v.s


def b_at(k, m):
    return lambda v: batches(v, m(v))[f"b_{k}"]


ESCAPE = [accuracy_at_most, entry_of_6("first"), entry_of_6("second"), escapes, step_41, step_42]
CLASSICAL = [lambda v: (v.epsilon, 1.0)]
STEP = [lambda v: (v.eta, 1 / v.ell)]
CONDITIONS = {
    "lemma1": ESCAPE,
    "corollary1": ESCAPE,
    "lemma2": [lambda v: ((7 / 8) ** (26 / 5 * log(1 / v.omega_0)), v.omega_0)],
    "lemma3": STEP,
    "corollary2": STEP,
    "lemma4": [accuracy_at_most, lambda v: (block(v).eta, 1 / v.ell), step_71],
    "lemma5": [events(lambda v: v.T), lambda v: (PRINTED["lemma5"]["bound"](v), block(v).chi * (1 + 1e-12))],
    "lemma6": [*ESCAPE, events(lambda v: v.T), step_71, lambda v: (block(v).Q, 1.0)],
    "theorem1": [*ESCAPE, events(lambda v: block(v)["T"]), step_71, lambda v: (block(v).Q, 1.0), lambda v: (block(v).accuracy, v.L)],
    "repaired": [
        lambda v: accuracy_at_most(v, True),
        lambda v: (log(2 * block(v, True).radius / (v.added_noise * block(v, True).eta)), 1.0),
        repaired_union,
        repaired_escapes,
        events(lambda v: block(v, True)["T"]),
        repaired_phases,
        lambda v: (v.s, 4 * 51_200 * v.C_abs**2),
        lambda v: step_41(v, True),
        lambda v: (block(v, True).eta * v.ell * sqrt(block(v, True).Gamma) * block(v, True).iota * 320 * sqrt(2) * v.C_abs, 1 + 1e-12),
        lambda v: step_71(v, True),
        lambda v: (block(v, True).accuracy, v.L),
    ],
    "lemma7": CLASSICAL,
    "lemma9": CLASSICAL,
    **{
        key: [
            *CLASSICAL, crossing(m), lambda v, b=b_at(1, m): (b(v), 1.0), lambda v, b=b_at(2, m): (b(v), 1.0),
            lambda v, b=b_at(1, m): (b(v), v.n),
        ]
        for key, m in (("theorem2", lambda v: 1), ("theorem3", lambda v: v.m))
    },
    "theorem4": [*CLASSICAL, lambda v: (v.m * v.n, 4 / 9 * log(8 * v.d / v.omega))],
    "corollary3": [lambda v: (log(2 * v.d) / log(2), 2 * log(v.d))],
    "lemma12": [lambda v: (v.scale_high, v.scale_low)],
    "lemma19": [lambda v: (v.c_abs, 2 * sqrt(2)), lambda v: (v.eta * v.curvature, 1.0)],
    "lemma20": [accuracy_at_most, step_41, step_42],
}  # fmt: skip


def changed(key, v):
    """Nothing: the conditions are compared at any point."""
    return {}


# --- where the conditions end -----------------------------------------------------------------------------------------------------------
POINT = {
    "s": 20.0, "log_factor": 9.0, "C_abs": 0.6, "rho": 0.8, "psi": 1e-3, "m": 3.0, "U": 4.0, "eta": 0.1, "chi": 0.2, "omega": 0.1,
}  # fmt: skip
# statement, words of the sentence, letter, its limit, whether the letter must be at least the limit
LIMITS = [
    ("lemma3", "descent lemma is of no use", "eta", lambda v: 1 / v.ell, False),
    ("lemma7", "proved to be private only there", "epsilon", lambda v: 1.0, False),
    ("theorem3", "proved to be private only there", "epsilon", lambda v: 1.0, False),
    ("theorem1", "standing assumption", "ell", lambda v: sqrt(v.rho * block(v).accuracy), True),
    ("theorem1", "no gradient is longer", "L", lambda v: block(v).accuracy, True),
    ("lemma20", "(41) of Lemma 20", "s", lambda v: 160 * sqrt(2), True),  # eta rho R Gamma sqrt(iota) = 1/s
    ("repaired", "(160 c C)^2", "s", lambda v: 204_800 * v.C_abs**2, True),
    ("theorem2", "b_1 = ", "eta", lambda v: v.n * batches(v, 1)["drift_limit"] / (2 * v.U), False),
    ("theorem3", "not one fresh gradient", "eta", lambda v: batches(v, v.m)["drift_limit"] / (2 * v.U), True),
    ("theorem2", "b_2 = ", "chi", lambda v: sqrt(2 * v.U / (v.n * v.eta)), True),
    ("theorem4", "(4/9) log(8 d/omega)", "n", lambda v: 4 / 9 * log(8 * v.d / v.omega) / v.m, True),
    ("lemma12", "is not above scale_low", "scale_high", lambda v: v.scale_low, True),
    ("lemma19", "which the normal tail needs", "c_abs", lambda v: 2 * sqrt(2), True),
    ("lemma19", "is above 1", "curvature", lambda v: 1 / v.eta, False),
]
AT_LEAST = ("log_factor",)  # every entry of (6) is a lower bound on mu
