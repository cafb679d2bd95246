"""The statements of Gauss-PSGD once more, typed from the paper: bounds, parts, schedules, both sides of conditions, and where these end."""

import math

from tests.papers.hand import At

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
    """(5), or the repaired block."""
    iota = v.s * v.log_factor
    chi = 4 * sqrt(v.C_abs) * v.s * v.log_factor**2 * v.psi
    chis = [chi, sqrt(v.c_abs * v.s**3 * v.log_factor**5) * v.psi] if repaired else [chi]
    chi = max(chis)
    alpha, extra = 4 * chi, iota if repaired else 1
    eta = sqrt(v.rho * alpha) / (v.ell**2 * iota**2 * extra)
    Gamma = iota / (v.s * eta * sqrt(v.rho * alpha))
    found = {"iota": iota, "chi": chi, "accuracy": alpha, "eta": eta, "Gamma": Gamma, "radius": sqrt(alpha / v.rho) / iota**1.5}
    found["decrease"] = v.s / (8 * iota**3 * extra) * sqrt(alpha**3 / v.rho)
    if repaired:
        found["largest"] = chis.index(chi)
        found["Q"] = log(2 * (1 + v.U / found["decrease"]) / v.omega) / log(8 / 7)
        found["T"] = (1 + v.U / found["decrease"]) * ((found["Q"] + 1) * (Gamma + 1) + 1)
    else:
        found["Q"] = 26 / 5 * log(16 * iota**3 * v.U / (v.s * v.omega) * sqrt(v.rho / chi**3))
        found["T"] = found["Q"] * v.U * v.s**2 * v.log_factor**4 / (2 * chi**2 * eta)
    return At(found)


def spider(v, m):
    """Lemmas 7 and 9: the sampling error, r without its constant, and r by Definition 8."""
    sampling = sqrt((v.L**2 / v.b_1 + v.ell**2 * v.drift_limit / v.b_2) / m) * log(v.d)
    spread = sqrt((v.L**2 / v.b_1**2 + v.ell**2 * v.drift_limit / v.b_2**2) / m) / v.epsilon
    return sampling, spread * sqrt(log(1 / v.delta)), spread * 2 * sqrt(2 * log(1.25 / v.delta))


def rate(v, m):
    """The terms of (105) and (121), and the third that the proof needs with the best kappa."""
    N, privacy = m * v.n, sqrt(v.d) / (sqrt(m) * v.n * v.epsilon)
    sampling = (v.L * v.U * v.ell / N) ** (1 / 3)
    private = v.L ** (2 / 15) * v.U**0.4 * v.ell ** (8 / 15) / v.rho ** (1 / 15) * privacy**0.4
    # (sampling part / kappa)^(2/3) = (private part kappa)^(1/7) at the best kappa
    first, fourth = v.L**2 * v.U * sqrt(v.rho) / (v.ell**2 * N), v.ell**6 * v.U**2 * privacy**2 / v.rho
    kappa = (first ** (2 / 3) / fourth ** (1 / 7)) ** (21 / 17)
    return sampling, private, (first / kappa) ** (2 / 3)


def rest_of_143(v):
    root = sqrt(v.m * v.n)
    N = sqrt(v.m) * v.n * v.epsilon
    rest = v.accuracy + 1 / root**2 + 1 / root
    return rest + sqrt(v.d) / (N * v.accuracy**1.25) + v.d / (N * v.accuracy**0.75) + v.d**2 / (N**2 * v.accuracy**2.5)


def bernstein(v):
    return v.d * exp(-(v.deviation_t**2) / (2 * (v.matrix_variance + v.matrix_bound * v.deviation_t / 3)))


def b_of(v):
    return (1 + v.eta * v.curvature) ** v.t_count / sqrt(2 * v.eta * v.curvature)


def a_of(v):
    x = v.eta * v.curvature
    return sqrt(((1 + x) ** (2 * v.t_count) - 1) / (2 * x + x**2))


def of_block(name):
    return lambda v: block(v)[name]


def selection(v):
    """What Algorithm 4 allows for sampling and noise: gradient, Hessian."""
    noise = sqrt(v.T * log(1 / v.delta)) / (sqrt(v.m) * v.n * v.epsilon)
    gradient = v.L * log(8 * v.d / v.omega) / sqrt(v.m * v.n) + v.L * sqrt(v.d * log(16 / v.omega)) * noise
    return gradient, v.ell * sqrt(log(8 * v.d / v.omega) / (v.m * v.n)) + v.ell * v.d * sqrt(log(32 / v.omega)) * noise


def steps_once(v):
    at = block(v)
    return v.U * v.s**2 * v.log_factor**4 / (2 * at.chi**2 * at.eta)


STATEMENTS = {
    "lemma1": {"bound": lambda v: 3 / 4},
    "corollary1": {"bound": lambda v: 7 / 8},
    "lemma2": {
        "bound": lambda v: v.omega_0, "exactly": lambda v: (7 / 8) ** (26 / 5 * log(1 / v.omega_0)),
        "base 2": lambda v: 26 / 5 * math.log2(1 / v.omega_0), "enough": lambda v: log(v.omega_0) / log(7 / 8),
    },
    "lemma3": {"bound": lambda v: -v.eta / 2 * v.sum_grad + v.eta / 2 * v.sum_err},
    "corollary2": {
        "bound": lambda v: -v.eta / 2 * v.sum_grad + v.c_abs * v.eta * v.psi**2 * (v.t_count + v.iota),
        "failure": lambda v: 2 * exp(-v.iota),
    },
    "lemma4": {
        "bound": lambda v: -block(v).decrease, "failure": lambda v: 2 * exp(-block(v).iota),
        "proof": lambda v: -block(v).radius ** 2 / (4 * block(v).eta * block(v).Gamma)
        + v.c_abs * block(v).eta * v.psi**2 * (block(v).Gamma + block(v).iota),
    },
    "lemma5": {"bound": lambda v: v.C_abs * sqrt(2 * log(4 * v.T / v.omega)) * v.psi, "failure": lambda v: v.omega / 2},
    "lemma6": {
        "bound": lambda v: block(v)["T"], "once": steps_once, "last": lambda v: block(v)["T"] + block(v).Q * block(v).Gamma,
        "saddles": lambda v: 8 * block(v).iota ** 3 * v.U / v.s * sqrt(v.rho / block(v).chi ** 3),
    },
    "theorem1": {"bound": of_block("accuracy"), "failure": lambda v: v.omega, "curvature": lambda v: sqrt(v.rho * block(v).accuracy)},
    "repaired": {
        "bound": lambda v: block(v, True).accuracy, "failure": lambda v: 3 / 2 * v.omega,
        "phases": lambda v: 1 + v.U / block(v, True).decrease,
    },
    **{
        key: {
            "bound": lambda v, m=m: spider(v, m(v))[0], "r": lambda v, m=m: spider(v, m(v))[1],
            "r by Definition 8": lambda v, m=m: spider(v, m(v))[2],
            "psi": lambda v, m=m: math.hypot(spider(v, m(v))[0], sqrt(v.d) * spider(v, m(v))[2]),
        }
        for key, m in (("lemma7", lambda v: 1), ("lemma9", lambda v: v.m))
    },
    "lemma8": {
        "bound": lambda v: 6 * v.eta / v.drift_limit * (v.U + 5 * v.T * v.eta * v.chi**2), "order": lambda v: v.U * v.eta / v.drift_limit,
        "sharper": lambda v: 6 * v.eta / v.drift_limit * (v.U + 3 / 4 * v.T * v.eta * v.chi**2),
    },
    **{
        key: {
            "bound": lambda v, m=m: sum(rate(v, m(v))[:2]), "sampling": lambda v, m=m: rate(v, m(v))[0],
            "privacy": lambda v, m=m: rate(v, m(v))[1], "proof": lambda v, m=m: sum(rate(v, m(v))),
        }
        for key, m in (("theorem2", lambda v: 1), ("theorem3", lambda v: v.m))
    },
    "theorem4": {
        "bound": lambda v: rest_of_143(v) + v.accuracy / sqrt(v.m * v.n),
        "cross term": lambda v: rest_of_143(v) + sqrt(v.accuracy) / sqrt(v.m * v.n),
        "gradient": lambda v: v.accuracy + selection(v)[0], "hessian": lambda v: -sqrt(v.rho * v.accuracy) - selection(v)[1],
    },
    "remark4": {
        "bound": lambda v: min((sqrt(v.m) * v.n * v.epsilon) ** 2, (sqrt(v.m) * v.n * v.epsilon) ** (6 / 13)),
        "term 5": lambda v: v.m * (v.n * v.epsilon) ** 2, "terms 6, 7": lambda v: (sqrt(v.m) * v.n * v.epsilon) ** (6 / 13),
    },
    "lemma10": {"bound": lambda v: 2 * sqrt(2) * v.added_noise * sqrt(v.d)},
    "lemma11": {"bound": lambda v: v.C_abs * sqrt(v.sum_sq * v.iota), "failure": lambda v: 2 * v.d * exp(-v.iota)},
    "corollary3": {
        "bound": lambda v: v.C_abs * sqrt(log(v.d) * v.sum_sq), "with 2 d": lambda v: v.C_abs * sqrt(log(2 * v.d) * v.sum_sq),
    },
    "lemma12": {
        "bound": lambda v: v.C_abs * sqrt(max(v.sum_sq, v.scale_low) * v.iota),
        "failure": lambda v: 2 * v.d * log(v.scale_high / v.scale_low) * exp(-v.iota),
    },
    "lemma13": {"bound": lambda v: v.C_abs * v.zeta**2 * (v.t_count + v.iota), "failure": lambda v: exp(-v.iota)},
    "lemma14": {"bound": bernstein, "eigenvalue": bernstein, "norm": lambda v: 2 * bernstein(v)},
    "lemma15": {
        "bound": lambda v: v.C_abs * v.entry_scale * (sqrt(v.d) + v.deviation_t), "failure": lambda v: 4 * exp(-(v.deviation_t**2)),
    },
    "lemma16": {
        "bound": lambda v: v.epsilon / (2 * sqrt(2 * v.releases * log(2 / v.delta))), "delta": lambda v: v.delta / (2 * v.releases),
    },
    "lemma17": {"bound": lambda v: v.epsilon, "delta": lambda v: v.delta},
    "lemma18": {"bound": lambda v: -v.P_h - v.P_sg - v.P_p},
    "lemma19": {
        "bound": lambda v: v.c_abs * b_of(v) * v.eta * v.added_noise * sqrt(v.iota), "failure": lambda v: 2 * exp(-v.iota),
        "a": a_of, "b": b_of,
        "deviation": lambda v: 2 * v.eta * v.added_noise * a_of(v), "below": lambda v: b_of(v) * v.eta * v.added_noise / 10,
    },
    "lemma20": {
        "bound": lambda v: b_of(At(v | {"eta": block(v).eta})) * block(v).eta * v.added_noise / 20,
        "failure": lambda v: 6 * v.d * block(v).Gamma * log(block(v).radius / (block(v).eta * v.added_noise)) * exp(-block(v).iota),
    },
}  # fmt: skip
ELSEWHERE: tuple[str, ...] = ()
PARTS_ELSEWHERE: dict[str, tuple[str, ...]] = {}


def batches(v, m):
    """kappa, b_1 and b_2 of Theorems 2 and 3."""
    first = v.L**1.5 * sqrt(v.U * v.rho / (m * v.n)) / v.ell**2.5
    private = (sqrt(m) * v.n * v.epsilon) ** 0.8
    second = v.L ** (14 / 15) * v.d**0.4 * v.U**0.8 * v.rho ** (8 / 15) / (v.ell ** (34 / 15) * private)
    kappa = max(first, second)
    return {
        "largest": [first, second].index(kappa),
        "drift_limit": kappa,
        "b_1": v.n * kappa / (2 * v.U * v.eta),
        "b_2": v.n * v.eta * v.chi**2 / (2 * v.U),
    }


BY_THE_BLOCK = ("lemma1", "corollary1", "lemma4", "lemma5", "lemma6", "theorem1", "lemma20")
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


def union(v):
    """First entry of (6): log(9 d log(4 C^(1/4) sqrt(psi/rho)/(s eta r)) / (C^(1/4) eta sqrt(s rho psi))) / s."""
    eta, quarter = block(v).eta, v.C_abs**0.25
    inner = log(4 * quarter * sqrt(v.psi / v.rho) / (v.s * eta * v.added_noise))
    return v.log_factor, log(9 * v.d * inner / (quarter * eta * sqrt(v.s * v.rho * v.psi))) / v.s


def second(v):
    """Second entry of (6) as printed."""
    return v.log_factor, log(160 * sqrt(2) * v.C_abs**0.25 * sqrt(v.psi / (v.rho * block(v).eta * v.added_noise)) / v.s)


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
    """Third entry of (6): (C log(4 T/omega)/8)^(1/4)/sqrt(s)."""
    return lambda v: (v.log_factor, (v.C_abs * log(4 * T(v) / v.omega) / 8) ** 0.25 / sqrt(v.s))


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


ESCAPE = [accuracy_at_most, union, second, escapes, step_41, step_42]
CLASSICAL = [lambda v: (v.epsilon, 1.0)]
STEP = [lambda v: (v.eta, 1 / v.ell)]
CONDITIONS = {
    "lemma1": ESCAPE,
    "corollary1": ESCAPE,
    "lemma2": [lambda v: ((7 / 8) ** (26 / 5 * log(1 / v.omega_0)), v.omega_0)],
    "lemma3": STEP,
    "corollary2": STEP,
    "lemma4": [accuracy_at_most, lambda v: (block(v).eta, 1 / v.ell), step_71],
    "lemma5": [events(lambda v: v.T), lambda v: (v.C_abs * sqrt(2 * log(4 * v.T / v.omega)) * v.psi, block(v).chi * (1 + 1e-12))],
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
