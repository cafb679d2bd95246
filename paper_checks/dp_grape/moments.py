"""Checks of moments of random projections: by Isserlis' theorem, a sum over all pairings of Gaussian entries, and by draws.

A word such as "ia ja jb kb | A:ik" stands for the sum over all indices of A_ik P_ia P_ja P_jb P_kb; matrices are symmetric, every index
occurs twice. Each way to pair the entries makes indices equal and leaves 1/r a pair, a size for each index that is free, and a trace for
each ring of matrices. Sizes are symbolic. The theory has its moments from the columns of P instead, by certificates.
"""

import math
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import sympy as sp
from scipy import stats

import bounds
from bounds.dp_grape.moments import ALLOWED, moment_coefficients
from bounds.proofs.inequalities import is_zero
from bounds.symbols import sigma, symbols
from paper_checks.record import Record
from paper_checks.shared.findings import check_sample_means
from paper_checks.shared.formulas import difference_witness
from paper_checks.shared.search import Cases, check_ratios
from paper_checks.verdict import Finding

k, r, n_l, a_sq, a_H, trace_H, layer_sq, layer_fourth, x = symbols(
    "block subspace columns a_sq a_H trace_H layer_sq layer_fourth tail_level"
)
Array = np.ndarray[Any, np.dtype[np.float64]]


def pairings(places: tuple[int, ...]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield all ways to pair an even number of places, each a tuple of pairs; nothing if their number is odd."""
    if not places:
        yield ()
    for i in range(1, len(places)):
        for rest in pairings(places[1:i] + places[i + 1 :]):
            yield ((places[0], places[i]), *rest)


def trace_symbol(ring: str) -> Any:
    """Return the symbol for the trace of a product of symmetric matrices: the same from any start and in both directions."""
    turns = [one[i:] + one[:i] for one in (ring, ring[::-1]) for i in range(len(ring))]
    return sp.Symbol(f"tr_{min(turns)}", positive=True)


def mean_of_word(word: str) -> Any:
    """Return the mean of a word as a polynomial in traces, k, and 1/r; indices a to h number columns of P, the others rows."""
    entries, links = (part.split() for part in word.split("|"))
    total = sp.Integer(0)
    for pairing in pairings(tuple(range(len(entries)))):
        same = {index: index for index in word if index.islower()}
        for one, other in pairing:
            for p, q in zip(entries[one], entries[other], strict=True):
                same = {index: same[p] if name == same[q] else name for index, name in same.items()}
        edges = [(link[0], same[link[2]], same[link[3]]) for link in links]
        free = {*same.values()} - {end for _, *ends in edges for end in ends}
        term = sp.prod([r if name in "abcdefgh" else k for name in free]) / r ** len(pairing)
        while edges:  # every index has two ends: follow them around the ring
            ring, start, at = edges.pop()
            while at != start:
                edge = next(one for one in edges if at in one[1:])
                edges.remove(edge)
                ring, at = ring + edge[0], edge[1] if edge[2] == at else edge[2]
            term *= trace_symbol(ring)
        total += term
    return sp.expand(total)


TRACES = {"A": layer_sq, "AA": layer_fourth, "B": a_sq, "BH": a_H, "H": trace_H, "C": sp.Integer(1)}  # A = GG', B = aa', C = e_1 e_1'
LENGTH, SQUARE = "ia ja | A:ij", "ia ja kb lb | A:ij A:kl"
PARTS: dict[str, tuple[Callable[[], Any], Callable[..., Array]]] = {  # mean of a part by pairings; its value for every P (runs, k, r)
    "unbiased": (lambda: mean_of_word(LENGTH), lambda P, G, h, Z: squared_lengths(P, G)),
    "gram": (lambda: mean_of_word("ia ib | C:ab"), lambda P, G, h, Z: (P[:, :, 0] ** 2).sum(axis=1)),
    "variance": (lambda: mean_of_word(SQUARE) - mean_of_word(LENGTH) ** 2, lambda P, G, h, Z: (squared_lengths(P, G) - (G**2).sum()) ** 2),
    "bound": (lambda: mean_of_word("ia ja jb kb | A:ik"), lambda P, G, h, Z: (projected_gradients(P, G) ** 2).sum(axis=(1, 2))),
    "weighted": (
        lambda: mean_of_word("ia ja kb lb | B:il H:jk"),
        lambda P, G, h, Z: (h[:, None] * projected_gradients(P, G[:, :1]) ** 2).sum(axis=(1, 2)),
    ),
    "noise": (lambda: sigma**2 * n_l * mean_of_word("ia ia |"), lambda P, G, h, Z: ((P @ Z) ** 2).sum(axis=(1, 2))),
}


def squared_lengths(P: Array, G: Array) -> Array:
    """Return ||P'G||_F^2 (runs,) for every projection P (runs, m, r) and one layer G (m, n)."""
    found: Array = ((P.transpose(0, 2, 1) @ G) ** 2).sum(axis=(1, 2))
    return found


def projected_gradients(P: Array, G: Array) -> Array:
    """Return PP'G (runs, m, n) for every projection P (runs, m, r) and one layer G (m, n)."""
    found: Array = P @ (P.transpose(0, 2, 1) @ G)
    return found


def check_moment_formula(*, part: str, flat: bool, sizes: tuple[tuple[int, int, int], ...], runs: int, seed: int) -> Finding:
    """Check that the theory's moment `part` is the sum over all pairings, and the mean of drawn projections; return a Finding."""
    theorem = bounds.THEOREMS["dp_grape.moments"]
    held = theorem.bound if part == "bound" else next(one.value for one in theorem.parts if one.name == part)
    found = PARTS[part][0]().xreplace({trace_symbol(ring): value for ring, value in TRACES.items()})
    record, drawn = Record({"by pairings": sp.sstr(found)}), {}
    if not is_zero(found - held):
        witness = difference_witness(found, held, ("by pairings", "held"))
        return record.refute(f"by pairings it is {sp.sstr(found)}, not {sp.sstr(held)}", witness)
    for i, (m, n, dimension) in enumerate(sizes):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(i,)))
        rows, columns = (m * n, 1) if flat else (m, n)
        G, h = rng.normal(size=(rows, columns)), rng.uniform(0.1, 2, size=rows)
        P, Z = rng.normal(size=(runs, rows, dimension)) / math.sqrt(dimension), 0.7 * rng.normal(size=(runs, dimension, columns))
        s, a = np.linalg.svd(G, compute_uv=False) ** 2, G[:, 0]
        at = {k: rows, r: dimension, n_l: columns, layer_sq: s.sum(), layer_fourth: (s**2).sum(), a_sq: a @ a, a_H: h @ a**2}
        stated = float(held.xreplace({one: sp.Float(value) for one, value in (at | {trace_H: h.sum(), sigma: 0.7}).items()}))
        drawn[f"m, n, r = {m}, {n}, {dimension}"] = PARTS[part][1](P, G, h, Z), stated
    words = f"{sp.sstr(found)} is the sum over all pairings; the means of {runs} draws at {len(sizes)} sizes agree"
    return check_sample_means(drawn, record.prove(words), seed)


def check_orthonormal_moments(*, sizes: tuple[tuple[int, int], ...], runs: int, seed: int) -> Finding:
    """Check that orthonormal projections have the stated E PP'HPP' and E ||PP'G||^2, by algebra and draws; return a Finding.

    A row of the matrix is uniform on the sphere: E Q_11^4 = 3/(k(k + 2)), E Q_11^2 Q_12^2 = 1/(k(k + 2)). Two rows are orthogonal; times
    Q_11 Q_21 this gives E Q_11 Q_21 Q_12 Q_22 = -E Q_11^2 Q_21^2/(k - 1).
    """
    pair = 1 / (k * (k + 2))
    diagonal, beside = 3 * r * pair + r * (r - 1) * pair, r * pair - r * (r - 1) * pair / (k - 1)
    found = (k / r) ** 2 * ((diagonal - beside) * a_H + beside * a_sq * trace_H)
    theorem = bounds.THEOREMS["dp_grape.moments_orthonormal"]
    weighted = next(one.value for one in theorem.parts if one.name == "weighted")
    length = sp.cancel(found.xreplace({trace_H: k, a_H: a_sq})) / a_sq * layer_sq
    for name, held, derived in (("weighted", weighted, found), ("mean", theorem.bound, length)):
        if not is_zero(held - derived):
            witness = difference_witness(derived, held, ("derived", "held"))
            return Record().refute(f"{name}: {sp.sstr(derived)}, not {sp.sstr(held)}", witness)
    drawn, longest = dict[str, tuple[Array, float]](), 0.0
    for i, (m, dimension) in enumerate(sizes):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(i,)))
        P = math.sqrt(m / dimension) * np.linalg.qr(rng.normal(size=(runs, m, dimension)))[0]
        a, at = np.eye(m)[:, :1], f"m, r = {m}, {dimension}"  # a = e_1, H = e_1 e_1'
        drawn[f"length, {at}"] = squared_lengths(P, a), 1.0
        stated = float(sum(moment_coefficients("orthonormal", rows=m, r=dimension)))
        drawn[f"weighted, {at}"] = projected_gradients(P, a)[:, 0, 0] ** 2, stated
        longest = max(longest, float(squared_lengths(P, a).max()) / (m / dimension))
    if longest > 1 + 1e-9:  # rounding
        return Record(seed=seed).refute("a P'a is longer than its limit", {"longest over its limit": longest})
    words = f"from the moments of an orthogonal matrix; draws agree, and no P'a is longer than {longest:.3f} of its limit"
    return check_sample_means(drawn, Record().prove(words), seed)


def check_lower_stretch() -> Finding:
    """Check that projecting from the left stretches less than projecting the flattened layer, by m (n - 1)/r; return a Finding."""
    m, n = sp.symbols("m n", integer=True, positive=True)
    left, flat = (PARTS["bound"][0]().xreplace({k: size, trace_symbol("A"): sp.Integer(1)}) for size in (m, m * n))
    gain = sp.factor(flat - left)
    if not is_zero(gain - m * (n - 1) / r):
        witness = difference_witness(gain, m * (n - 1) / r, ("found", "expected"))
        return Record().refute("the stretches do not differ by m (n - 1)/r", witness)
    at = {name: float(one.xreplace({m: 8, n: 12, r: 4})) for name, one in (("left", left), ("flattened", flat))}
    numbers = {"flattened minus left": sp.sstr(gain), "ratio for many rows": sp.sstr(sp.limit(flat / left, m, sp.oo)), "8 x 12, r = 4": at}
    words = "the stretch is smaller by m (n - 1)/r, about n times for r << m; sum s_i^4 <= (sum s_i^2)^2, so lengths spread less too"
    return Record(numbers).prove(f"{words}; the noise is the same")


@check_ratios(
    "largest tail over bound",
    "rank one, r = {r}, x = {x:g}, {layers} layers: the exact tail is {value:.4g} times e^-x",
    "exact chi-square tails at {tried} points, of 1 to 64 layers: at most {value:.4f} of e^-x",
)
def check_chi_square_tail(*, r_max: int, x_max: float, points: int) -> Cases:
    """Check that e^-x bounds the exact chi-square tail of layers of rank one and equal length; return a Finding."""
    level = sp.lambdify([r, x], ALLOWED.xreplace({layer_sq: sp.Integer(1)}), "math")
    for dimension, layers in product(np.unique(np.geomspace(1, r_max, 9).astype(int)).tolist(), (1, 4, 16, 64)):
        for exponent in np.geomspace(0.01, x_max, points).tolist():
            exact = float(stats.chi2.sf(dimension * layers * level(dimension, exponent), dimension * layers))
            yield exact * math.exp(exponent), {"r": dimension, "x": exponent, "layers": layers, "exact": exact}
