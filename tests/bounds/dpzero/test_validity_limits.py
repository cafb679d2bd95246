"""Every theorem with a free schedule ends where its page says: finite at the limit, infinite just beyond it, for each limit alone."""

import math

import pytest

import bounds
from bounds.dpzero.sharp_numbers import FORMULAS
from bounds.dpzero.sharp_schedule import certified_bound_at

AT = {
    "n": 1e4, "d": 30.0, "r": 5.0, "epsilon": 2.0, "delta": 1e-6, "L": 1.3, "ell": 0.7, "gap": 0.9, "B": 1.1, "mu": 0.2,
    "T": 50.0, "lam": 1e-3, "sigma": 0.1, "layers": 2.0, "spread": 1.4, "subspace": 3.0, "batch": 40.0, "partial": 1.0,
    "block": 8.0, "tail_level": 9.0, "clip_loss": 0.1, "clip_spread": 0.1,
    "stage_step": 1e-3, "stage_T": 60.0, "stage_lam": 0.1, "weak": 0.01, "anchor": 3.0, "growth_mu": 0.2, "gap_before": 0.1, "young": 0.2,
    "stage_target": 0.1, "diameter": 1.0, "away_first": 0.5, "sample_spread": 0.7, "minibatch": 40.0, "directions": 3.0, "noise_ratio": 2.0,
    "zo_sampling": 0.05, "zo_spread": 1.1, "zo_split": 4.0, "burn_in": 20.0,
}  # fmt: skip


def k_1(c):
    return math.erfc(c / math.sqrt(2))


def of_rank(at):
    return 1 / (4 * at["ell"] * (at["r"] + 2))


def of_dimension(at):
    return 1 / (4 * at["ell"] * at["d"])


def contracts(c_unit=None):
    """The alpha at which shrink + alpha ell R2 / 2 is 1; `c_unit` is the threshold in which C is measured where clipping shrinks."""

    def limit(at):
        lost = k_1(at["C"] / c_unit(at)) / 2 if c_unit else 0.0
        return 2 * (1 - lost) * (at["d"] + 2) / (at["ell"] * at["d"] * (at["r"] + 2))

    return limit


def of_stretch(at):
    return at["subspace"] / (at["ell"] * (at["block"] + at["subspace"] + 1))


def of_chi_square(at):
    x = at["tail_level"] / at["subspace"]
    return at["L"] * math.sqrt(1 + 2 * math.sqrt(x) + 2 * x)


def cap(at):
    return math.sqrt(math.pi / 2) * at["stage_lam"] / at["L"]


def convex(at):
    return 1 / at["anchor"]


ABOVE = {"L": lambda at: at["L"], "L d": lambda at: at["L"] * at["d"], "L sqrt(d)": lambda at: at["L"] * math.sqrt(at["d"])}
SMOOTH = ("mu", lambda at: at["ell"], True)
LIMITS = {  # theorem: (a letter, its limit, whether it must stay below) for each condition
    "dpzero.theorem1": (("alpha", of_dimension, True), ("C", ABOVE["L d"], False)),
    "dpzero.theorem2": (("alpha", of_rank, True), ("C", ABOVE["L d"], False)),
    "dpzero.theorem3": (("alpha", of_rank, True),),
    "dpzero.corollary_f2": (("alpha", of_dimension, True), ("C", ABOVE["L d"], False), SMOOTH),
    "dpzero.corollary_f3": (("alpha", of_rank, True), ("C", ABOVE["L d"], False), SMOOTH),
    "dpzero.corollary_f4": (("alpha", of_rank, True), SMOOTH),
    "dpzero.dp_gd": (("alpha", lambda at: 1 / at["ell"], True), ("C", ABOVE["L"], False)),
    "dpzero.sharp_event": (("alpha", of_rank, True), ("d", lambda at: 4.0, False)),
    "dpzero.sharp_clip_bias": (("alpha", contracts(ABOVE["L"]), True),),
    "dpzero.sharp_lipschitz": (("alpha", contracts(), True), ("d", lambda at: 4.0, False)),
    "dpzero.sharp_never_clip": (("alpha", contracts(), True), ("C", ABOVE["L sqrt(d)"], False)),
    "dpzero.sharp_dpgd_0th": (("alpha", contracts(ABOVE["L sqrt(d)"]), True),),
    "dpzero.sharp_dpgd_0th_never_clip": (("alpha", contracts(), True), ("C", ABOVE["L d"], False)),
    "dpzero.sharp_dp_gd": (("alpha", lambda at: 2 / at["ell"], True), ("C", ABOVE["L"], False)),
    "dp_grape.corrected_coordinates": (("alpha", of_stretch, True),),
    "dp_grape.corrected_concentration": (("alpha", of_stretch, True), ("C", of_chi_square, False)),
    "dp_grape.sharp_clip_bias": (("alpha", lambda at: (2 - at["clip_loss"]) * of_stretch(at), True),),
    "dp_grape.theorem_d10": (("alpha", lambda at: at["subspace"] / (4 * at["d"] * at["ell"]), True),),
    "dp_zopo.corrected_stage": (("stage_step", cap, True), ("weak", convex, True)),
    "dp_zopo.corrected_theorem2": (("stage_step", cap, True), ("weak", convex, True)),
    "dp_zopo.sharp_stage": (("weak", convex, True),),
    "dp_zopo.sharp_growth": (("weak", lambda at: 4 * at["growth_mu"] * (1 - at["young"]), True),),
    "dp_zopo.sharp_suffix": (
        ("stage_step", lambda at: 1 / (4 * at["growth_mu"] * (1 - at["young"]) - at["weak"]), True),
        ("weak", lambda at: 4 * at["growth_mu"] * (1 - at["young"]), True),
    ),
    "dp_zopo.sharp_smooth": (("alpha", lambda at: 2 / (at["ell"] * (1 + (at["r"] + 1) / at["directions"])), True), SMOOTH),
}
CLIPS = {"dpzero.sharp_clip_bias": ABOVE["L"], "dpzero.sharp_dpgd_0th": ABOVE["L sqrt(d)"]}  # C in these units may be small, and counts
ROWS = {f"{key}-{row[0]}": (key, *row) for key, rows in LIMITS.items() for row in rows}


def inside(key):
    """Return a point within every limit of a theorem: C above any threshold unless clipping is counted, the first letter half its limit."""
    at = {**AT, "C": 1.2 * CLIPS[key](AT) if key in CLIPS else 5 * AT["L"] * AT["d"]}
    name, limit, _ = LIMITS[key][0]
    return at | {name: limit(at) / 2}


def both(key, at):
    """Return the bound by the symbolic and, where there is one, by the numeric formula."""
    found = [bounds.THEOREMS[key].bound_at(**at)]
    if key in FORMULAS:
        found.append(
            certified_bound_at(key, **{name: at[name] for name in ("alpha", "T", "C", "lam", "sigma", "d", "r", "L", "ell", "gap")})
        )
    return found


def test_every_theorem_with_limits_is_in_the_table_with_as_many():
    limits = {key: len(theorem.valid_if) for key, theorem in bounds.THEOREMS.items() if theorem.valid_if and theorem.any_schedule}
    assert limits == {key: len(rows) for key, rows in LIMITS.items()}


@pytest.mark.parametrize("row", ROWS)
def test_a_bound_ends_at_its_limit_and_not_elsewhere(row):
    key, name, limit, below = ROWS[row]
    at = inside(key)
    end = limit(at)
    near, beyond = (1 - 1e-9, 1 + 1e-9) if below else (1 + 1e-9, 1 - 1e-9)
    assert all(math.isfinite(value) for value in both(key, at))
    assert all(math.isfinite(value) for value in both(key, at | {name: end * near}))
    assert all(value == math.inf for value in both(key, at | {name: end * beyond}))
