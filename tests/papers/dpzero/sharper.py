"""The terms of the sharper theorems from what their pages say in words: integrals by quadrature, the root by bisection."""

import math

import mpmath as mp

Q = 12  # of Hoelder's inequality


def over(c, power, more=lambda s: 1):
    """E (|N| - c)_+^power more(|N|)."""
    return mp.quad(lambda s: (s - c) ** power * more(s) * mp.sqrt(2 / mp.pi) * mp.exp(-s * s / 2), [c, c + 1, c + 3, c + 8, c + 30])


def smoothing(at):
    """The bias of the smoothed gradient, and the root of E (difference - p)^2 w / ell."""
    d, r = at["d"], at["r"]
    R2, R4 = d * (r + 2) / (d + 2), d * (r + 4) / (d + 4)
    return at["lam"] * at["ell"] * mp.sqrt(r * d / (d + 2)), at["lam"] * at["ell"] / 2 * mp.sqrt(r * R2 * R4)


def clipping(at):
    """k_1, k_2, k_3 at c."""
    c, r = at["c"], at["r"]
    return over(c, 1, lambda s: s), over(c, 2, lambda s: s * s + r - 1), over(c, 1, lambda s: s * (s * s + r - 1))


def rough(at):
    """j_1, j_2, j_3 at c = C / L."""
    v = mp.mpf(at["d"]) / (at["d"] - 3)
    c, factor, most = at["c"] / mp.sqrt(v), v * (at["r"] + Q - 1), mp.mpf(Q - 2) / Q
    j_2 = factor * over(c, 2) ** most * over(c, 4) ** (mp.mpf(1) / Q)
    j_3 = factor * over(c, 1, lambda s: s) ** most * over(c, 2, lambda s: s * s) ** (mp.mpf(1) / Q)
    return v * over(c, 1, lambda s: s), j_2, j_3


def clipped_terms(at):
    (k_1, k_2, k_3), L, r = clipping(at), at["L"], at["r"]
    rest, R2 = at["ell"] * at["lam"] * at["d"] / 2, at["d"] * (r + 2) / (at["d"] + 2)
    return k_1 / 2, L * k_1 / 2 + rest, L * k_3 + mp.sqrt(r * R2) * rest, L * mp.sqrt(k_2) + mp.sqrt(r) * rest, R2


def rough_terms(at):
    (j_1, j_2, j_3), (bias, rest), L = rough(at), smoothing(at), at["L"]
    R2 = at["d"] * (at["r"] + 2) / (at["d"] + 2)
    return mp.mpf(0), L * j_1 + bias, L * j_3 + mp.sqrt(R2) * rest, L * mp.sqrt(j_2) + rest, R2


def unclipped_terms(at):
    (bias, rest), R2 = smoothing(at), at["d"] * (at["r"] + 2) / (at["d"] + 2)
    return mp.mpf(0), bias, mp.sqrt(R2) * rest, rest, R2


def no_terms(at):
    return mp.mpf(0), mp.mpf(0), mp.mpf(0), mp.mpf(0), mp.mpf(1)


# key: (its terms, C in units of c L or of the least C, which never clips)
THEOREMS = {
    "dpzero.sharp_clip_bias": (clipped_terms, lambda at: at["c"] * at["L"]),
    "dpzero.sharp_dpgd_0th": (clipped_terms, lambda at: at["c"] * at["L"] * math.sqrt(at["d"])),
    "dpzero.sharp_lipschitz": (rough_terms, lambda at: at["c"] * at["L"]),
    "dpzero.sharp_never_clip": (unclipped_terms, lambda at: 1.001 * at["L"] * math.sqrt(at["d"])),
    "dpzero.sharp_dpgd_0th_never_clip": (unclipped_terms, lambda at: 1.001 * at["L"] * at["d"]),
    "dpzero.sharp_dp_gd": (no_terms, lambda at: 1.001 * at["L"]),
}


def squared_root(a, linear, constant):
    """y^2 for the y > 0 with (1 - a) y^2 - linear y = constant."""
    low, high = mp.mpf(0), mp.mpf(1)
    left = lambda y: (1 - a) * y * y - linear * y
    while left(high) < constant:
        high *= 2
    for _ in range(120):
        middle = (low + high) / 2
        low, high = (low, middle) if left(middle) >= constant else (middle, high)
    return high**2
