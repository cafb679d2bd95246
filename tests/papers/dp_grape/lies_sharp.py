"""Planted faults in the corrected and the sharp theorem of DP-GRAPE: their constants, proofs, numbers and plans."""

from tests.paper_checks.lies import Lie

B = "bounds/dp_grape/"
OURS = "dp_grape.sharper."
LIES = (
    Lie(
        "the corrected theorem with half of its first term",
        B + "corrected.py",
        "return 2 * spread / (alpha * T)",
        "return spread / (alpha * T)",
        ("dp_grape.corrected_coordinates.chain", OURS + "example"),
    ),
    Lie(
        "the noise of one parameter in place of d",
        B + "corrected.py",
        "ell * alpha * (d * sigma**2",
        "ell * alpha * (sigma**2",
        ("dp_grape.corrected_concentration.chain",),
    ),
    Lie(
        "a union over blocks and samples without the r coordinates",
        B + "corrected.py:MISSED",
        "L**2 * beyond_sq, layers * n * subspace * both)",
        "L**2 * beyond_sq, layers * n * both)",
        ("dp_grape.corrected_coordinates.chain",),
    ),
    Lie(
        "a step twice as long as the corrected proof allows",
        B + "corrected.py",
        "STEP = alpha <= 1 / (ell * stretch)",
        "STEP = alpha <= 2 / (ell * stretch)",
        ("dp_grape.corrected_coordinates.chain", "dp_grape.corrected_concentration.chain"),
    ),
    Lie(
        "a tangent that lies too low",
        B + "sharp.py",
        "(s**2 - 3 * u**2 + 2 * u**3) / (2 * u**3)",
        "(s**2 - 3 * u**2 + 2 * u**3) / (3 * u**3)",
        ("dp_grape.sharp_clip.chain",),
    ),
    Lie(
        "r + 1 in place of r + 2 in the length of what is clipped",
        B + "sharp.py",
        "((subspace + 2) / subspace",
        "((subspace + 1) / subspace",
        ("dp_grape.sharp_clip.chain",),
    ),
    Lie(
        "half of the bias of clipping",
        B + "sharp_numbers.py",
        "b = L * (beta / 2",
        "b = L * (beta / 4",
        ("dp_grape.sharp_clip_bias.chain",),
    ),
    Lie(
        "half of the noise in the sharp bound",
        B + "sharp_numbers.py",
        "R = gap / (alpha * T) + rate / 2",
        "R = gap / (alpha * T) + rate / 4",
        ("dp_grape.sharp_clip_bias.chain", OURS + "quadratic"),
    ),
    Lie(
        "the smaller discriminant",
        B + "sharp_numbers.py",
        "sqrt(b**2 + 4 * (1 - a) * R)",
        "sqrt(b**2 + 2 * (1 - a) * R)",
        ("dp_grape.sharp_clip_bias.chain", OURS + "quadratic"),
    ),
    Lie(
        "beta with r degrees of freedom in place of r + 2",
        B + "sharp_numbers.py",
        "tangent_mean(r + 2,",
        "tangent_mean(r,",
        (OURS + "shares",),
    ),
    Lie(
        "omega with r degrees of freedom in place of r + 4",
        B + "sharp_numbers.py",
        "tangent_mean_sq(r + 4,",
        "tangent_mean_sq(r,",
        (OURS + "drawn",),
    ),
    Lie(
        "tails that lack their last term",
        B + "sharp_numbers.py:tangent_mean",
        "(k * one - y * none)",
        "(k * none - y * none)",
        (OURS + "shares", OURS + "example"),
    ),
    Lie(
        "a bias that two kinds of samples exceed",
        B + "sharp_numbers.py",
        "(1 + ROUNDED) * min(tangent_mean(",
        "0.8 * min(tangent_mean(",
        (OURS + "balance", OURS + "shares"),
    ),
    Lie(
        "a plan whose noise is for a record that is removed",
        B + "recommend.py",
        "privacy.in_full(2 * C / self.n)",
        "privacy.in_full(C / self.n)",
        (OURS + "example",),
    ),
    Lie(
        "the printed bound with a quarter of its rate",
        B + "theorem_d10.py",
        "PREF = 4 * sp.sqrt(2 * d * log_delta)",
        "PREF = sp.sqrt(2 * d * log_delta)",
        (OURS + "printed",),
    ),
    Lie(
        "projections that are too long",
        "paper_checks/dp_grape/sharper.py:shares_drawn",
        "rng.standard_normal((draws, 5, r)) / math.sqrt(r)",
        "rng.standard_normal((draws, 5, r))",
        (OURS + "drawn",),
    ),
    Lie(
        "the sharp bound with an eighth of the start",
        B + "sharp_numbers.py",
        "R = gap / (alpha * T) + rate",
        "R = gap / (8 * alpha * T) + rate",
        (OURS + "cosine_clipped_left",),
    ),
    Lie(
        "the sharp bound with an eighth of the start, for blocks",
        B + "sharp_numbers.py",
        "R = gap / (alpha * T) + rate",
        "R = gap / (8 * alpha * T) + rate",
        (OURS + "cosine_clipped_flattened",),
    ),
)
