"""Planted faults in what is repaired and sharper: constants, proofs, plans and how they are examined."""

from tests.paper_checks.lies import Lie

B = "bounds/dp_zopo/"
OURS = "dp_zopo.repaired."
LIES = (
    Lie(
        "the corrected stage without what clipping adds",
        B + "stages.py",
        '"Lemma 5", start + eta * E + B_C * D, PHI, (PROXIMAL',
        '"Lemma 5", start + eta * E, PHI, (PROXIMAL',
        ("dp_zopo.corrected_stage.chain",),
    ),
    Lie(
        "a step twice as long as smoothness allows",
        B + "stages.py",
        "sp.Le(eta, sp.sqrt(sp.pi / 2) * beta / L)",
        "sp.Le(eta, 2 * sp.sqrt(sp.pi / 2) * beta / L)",
        ("dp_zopo.corrected_stage.chain",),
    ),
    Lie(
        "seven eighths of the room in the corrected Theorem 2",
        B + "stages.py:CORRECTED_THEOREM2",
        "3 * alpha_s / (8 * E)",
        "3 * alpha_s / (7 * E)",
        ("dp_zopo.corrected_theorem2.chain",),
    ),
    Lie(
        "a second moment without the slope of the square",
        B + "stages.py:second_moment",
        "d + 2 * sqrt(d)",
        "d + sqrt(d)",
        (OURS + "moment", "dp_zopo.sharp_moment.chain"),
    ),
    Lie(
        "P directions that halve more than they do",
        B + "stages.py:second_moment",
        "(P - 1) * L**2",
        "(P - 1) * L**2 / 2",
        ("dp_zopo.sharp_moment.chain", OURS + "moment"),
    ),
    Lie(
        "half of the estimate's share in a stage",
        B + "stages.py:spent",
        "eta * V / 2",
        "eta * V / 4",
        ("dp_zopo.sharp_growth.chain",),
    ),
    Lie(
        "an eighth of the start of a stage",
        B + "stages.py:spent",
        "before / (4 * mu * eta * T)",
        "before / (32 * mu * eta * T)",
        (OURS + "quadratics", "dp_zopo.sharp_growth.chain"),
    ),
    Lie(
        "a longer step in the sharper Theorem 2",
        B + "stages.py:SHARP_THEOREM2",
        "9 * alpha_s / (16 * V)",
        "10 * alpha_s / (16 * V)",
        ("dp_zopo.sharp_theorem2.chain",),
    ),
    Lie(
        "a plan with a tenth of the bias of clipping",
        B + "recommend.py",
        "self.L * np.frompyfunc(math.erfc",
        "0.1 * self.L * np.frompyfunc(math.erfc",
        (OURS + "plan",),
    ),
    Lie(
        "a plan whose noise is for one direction of several, and a sixteenth of it",
        B + "recommend.py",
        "C * math.sqrt(self.P), drawn)",
        "C / 16, drawn)",
        (OURS + "example",),
    ),
    Lie(
        "stages of equal lengths",
        B + "recommend.py:split",
        "(2 * T * 2**s + 2**S - 1) // (2 * (2**S - 1))",
        "T // S",
        (OURS + "plan",),
    ),
    Lie(
        "a step that is not the best",
        B + "recommend.py",
        "eta = np.sqrt(before / (2 * mu * (T + 1) * V))",
        "eta = np.sqrt(before / (mu * (T + 1) * V)) * 3",
        (OURS + "schedules", OURS + "example"),
    ),
    Lie(
        "a step that forgets twice as much",
        B + "suffix.py:SUFFIX",
        "4 * mu * eta * (1 - tau - kappa)",
        "8 * mu * eta * (1 - tau - kappa)",
        ("dp_zopo.sharp_suffix.chain",),
    ),
    Lie(
        "half of what the mean begins with",
        B + "suffix.py:of_mean",
        "reached / (2 * eta * T)",
        "reached / (4 * eta * T)",
        ("dp_zopo.sharp_suffix.chain",),
    ),
    Lie(
        "a mean that begins a step later",
        B + "recommend.py:Problem.after_half",
        "steps - T + 1",
        "steps - T + 2",
        (OURS + "plan_suffix",),
    ),
    Lie(
        "one stage that remembers its start",
        "paper_checks/dp_zopo/repaired.py:forgetting",
        "half.best(T, 1, Cs, rate)",
        "at.best(T, 1, Cs, rate)",
        (OURS + "forgetting",),
    ),
    Lie(
        "a tenth of what a step adds, at the end of one stage",
        B + "recommend.py:Problem.after_half",
        "each, clip = eta * V / 2",
        "each, clip = eta * V / 20",
        (OURS + "quadratics_suffix",),
    ),
)
