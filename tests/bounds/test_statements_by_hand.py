"""Every bound and every part of every statement, typed once more from the paper: no constant of a page may change unnoticed.

The sharper theorems of DPZero are in test_sharp_formulas, the printed schedules and bounds of its theorems in test_dpzero_statements.
A statement or part that is in no table fails the test of completeness.
"""

import math
import random

import pytest

import bounds

log, sqrt, exp = math.log, math.sqrt, math.exp
LETTERS = {  # from, to: log-uniform
    "n": (1e2, 1e7), "d": (3, 300), "epsilon": (0.3, 3), "delta": (1e-9, 1e-3), "L": (0.3, 3), "ell": (0.3, 3), "rho": (0.3, 3),
    "gap": (0.3, 3), "B": (0.3, 3), "mu": (0.01, 0.2), "U": (1, 30), "m": (2, 9), "omega": (0.01, 0.4), "omega_0": (0.01, 0.4),
    "psi": (1e-4, 1e-2), "s": (2, 50), "log_factor": (3, 30), "C_abs": (0.3, 3), "c_abs": (0.3, 3), "alpha": (1e-3, 1e-2), "C": (2, 9),
    "T": (20, 500), "lam": (1e-4, 1e-2), "a_sq": (0.3, 3), "eta": (0.01, 0.3), "chi": (0.01, 0.3), "drift_limit": (0.01, 3),
    "b_1": (5, 500), "b_2": (5, 500), "accuracy": (0.05, 0.5),
    "iota": (1, 9), "sum_grad": (1, 9), "sum_err": (1, 9), "sum_sq": (1, 9), "t_count": (5, 50),
    "added_noise": (1e-4, 1e-2), "scale_low": (0.1, 0.5), "scale_high": (20, 90), "zeta": (0.3, 3), "deviation_t": (0.5, 3),
    "matrix_variance": (0.3, 3), "matrix_bound": (0.3, 3), "entry_scale": (0.3, 3), "releases": (3, 90), "curvature": (0.3, 3),
    "P_h": (0.3, 3), "P_sg": (0.3, 3), "P_p": (0.3, 3), "sensitivity": (0.01, 1),
}  # fmt: skip


def points(count):
    draw = random.Random(17)
    for _ in range(count):
        at = {name: exp(draw.uniform(log(low), log(high))) for name, (low, high) in LETTERS.items()}
        yield at | {"r": at["d"] ** draw.uniform(0, 1)}


class At(dict):
    """A point whose letters are attributes; (5) of Gauss-PSGD is there as well, with the paper's printed block."""

    __getattr__ = dict.__getitem__


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


GAUSS_PSGD = {
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
DPZERO = {
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
TABLE = {f"gauss_psgd.{key}": row for key, row in GAUSS_PSGD.items()} | {f"dpzero.{key}": row for key, row in DPZERO.items()}
ELSEWHERE = ("dpzero.sharp_", "dpzero.theorem", "dpzero.corollary", "dpzero.remark_f5", "dpzero.dp_gd")
MOMENTS = ("i ", "ii mean", "ii variance", "iii ", "iv ", "fourth moment", "mixed fourth moment")  # of Lemma C.1: by exact summation


def A(v):
    return log(math.e + v.epsilon / v.delta)


def test_every_statement_and_every_part_is_in_the_table():
    for key, theorem in bounds.THEOREMS.items():
        if key.startswith(ELSEWHERE):
            continue
        parts = {part.name for part in theorem.parts if key != "dpzero.lemma_c1" or not part.name.startswith(MOMENTS)}
        assert set(TABLE[key]) == {"bound", *parts}, key


@pytest.mark.parametrize("key", TABLE)
def test_a_statement_says_what_the_paper_says(key):
    for at in points(6):
        v = At(at)
        found = bounds.THEOREMS[key].evaluate(**at)
        for name, formula in TABLE[key].items():
            value = found.bound if name == "bound" else found.parts[name]
            assert value == pytest.approx(formula(v), rel=1e-9), (key, name)


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


SCHEDULES = {
    "lemma2": lambda v: {"Q": 26 / 5 * log(1 / v.omega_0)},
    "theorem2": lambda v: batches(v, 1),
    "theorem3": lambda v: batches(v, v.m),
    "repaired": lambda v: block(v, True),
}


@pytest.mark.parametrize("key", [key for key in GAUSS_PSGD if bounds.THEOREMS[f"gauss_psgd.{key}"].schedule])
def test_a_schedule_is_the_papers(key):
    """(5) unless SCHEDULES has another; in both cases of the maxima."""
    entries = set()
    for at in points(6):
        for changed in ({}, {"epsilon": 1e-3, "c_abs": 1e-3}):
            v = At(at | changed)
            found, hand = bounds.THEOREMS[f"gauss_psgd.{key}"].evaluate(**v).schedule, SCHEDULES.get(key, block)(v)
            assert found == pytest.approx({name: hand[name] for name in found}, rel=1e-9)
            entries.add(hand.get("largest"))
    assert entries in ({None}, {0, 1})


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


ANY_SCHEDULE = {
    "theorem1": lambda v: descent(v, v.d),
    "theorem2": lambda v: descent(v, v.r),
    "theorem3": lambda v: descent(v, v.r) + clips(v) * (4 * v.L**2 * v.d + 8 * v.B / v.alpha),
    "corollary_f2": lambda v: contracted(v, v.d),
    "corollary_f3": lambda v: contracted(v, v.r),
    "corollary_f4": lambda v: contracted(v, v.r) + clips(v) * (2 * v.B + (2 * v.L**2 * v.d + 4 * v.B / v.alpha) / v.mu),
    "dp_gd": lambda v: 2 * v.gap / (v.alpha * v.T) + v.alpha * v.ell * v.r * (4 * v.C * sqrt(2 * v.T * A(v)) / (v.n * v.epsilon)) ** 2,
}


@pytest.mark.parametrize("key", ANY_SCHEDULE)
def test_a_guarantee_for_any_schedule_is_the_sum_of_its_terms(key):
    for at in points(6):
        v = At(at | {"alpha": 1 / (5 * at["ell"] * max(at["d"], at["r"] + 2))})
        if key in ("theorem1", "theorem2", "corollary_f2", "corollary_f3", "dp_gd"):
            v["C"] = 1.5 * v.L * v.d  # never clips
        else:
            v["C"] = 12 * v.L  # clips with a probability that counts
        assert bounds.THEOREMS[f"dpzero.{key}"].bound_at(**v) == pytest.approx(ANY_SCHEDULE[key](v), rel=1e-9)
