"""Objectives with saddles that are sums over the coordinates: a slope, and saddles between two wells.

The wells are polynomials near the saddle, where all experiments happen, continued so that every constant holds everywhere. A
polynomial well has neither L nor U; with linear growth it would still have no U. So it is continued by a maximum, like a cosine:
all critical points are strict saddles, minima or strict maxima, and none is flat.
"""

from typing import NamedTuple

import numpy as np

from synthetic.draws import FloatArray
from synthetic.losses import saddles as losses
from synthetic.memory import check_memory
from synthetic.objectives.saddles import Draw, SaddleObjective, linear_term_sampler
from synthetic.validate import array_of, non_negative, positive, positive_integer, real, require_finite, validated_strictly


@validated_strictly
def random_phase_cosines(
    d: int, *, A: float = 1.0, w: float = 1.0, h: float = 1.0, unstable_h: float | None = None, phases: FloatArray | None = None
) -> SaddleObjective:
    """Make a sum of cosines with random phases, f(x; z) = (A / w^2) sum_i s_i cos(w x_i + z_i), and a strict saddle at 0.

    The signs are s = (1, -1, ..., -1). The phases z_i of a sample are independent and uniform on [-h, h], plus the phase of its client.

    Parameters
    ----------
    d
        Dimension of x.
    A, w
        Curvature and frequency of the cosines, above 0.
    h
        Half width of the distribution of the phases, above 0 and below pi.
    unstable_h
        Half width for x_1 alone, by default h. With 0 the samples do not disturb the direction of escape.
    phases
        Phases of the clients, an array (m,), whose sines sum to 0 and whose cosines have a mean above 0. By default one client with phase
        0.

    Returns
    -------
    SaddleObjective
        The objective F(x) = E f(x; z), with its samples, saddle, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    The construction is the lab's own, for Assumptions 1 and 2 of Gauss-PSGD. Every constant holds everywhere and for every sample: L = A
    sqrt(d) / w, ell = A, rho = A w. The Hessian at 0 has the diagonal A (-c_1, c_2, ..., c_d). Here c_i is sin(h_i) / h_i, times the mean
    cosine of the clients' phases. F is lowest at x_1 = pi / w and x_1 = -pi / w, where all other coordinates are 0. If the sines of the
    phases did not sum to 0, the critical points would move.

    Examples
    --------
    >>> problem = lab.random_phase_cosines(5)
    >>> problem.constants["ell"], problem.constants["rho"]
    (1.0, 1.0)
    >>> problem.certify_sosp(problem.saddle, alpha=0.1).saddle
    True
    """
    positive_integer(d=d)
    check_memory(64 * d, d=d)
    positive(A=A, w=w, h=h)
    first = h if unstable_h is None else unstable_h
    non_negative(unstable_h=first)
    shift = np.zeros(1) if phases is None else array_of((None,), phases=phases)
    if abs(float(np.sum(np.sin(shift)))) > 1e-9 * len(shift):
        raise ValueError(f"phases: their sines sum to {float(np.sum(np.sin(shift))):.3g}; a sum of 0 is needed")
    widths = np.r_[float(first), np.full(d - 1, float(h))]
    tilt = float(np.mean(np.cos(shift)))
    if tilt <= 0:
        raise ValueError(f"phases: their cosines have the mean {tilt:.3g}; a mean above 0 is needed")
    mean_cos = np.sinc(widths / np.pi) * tilt
    if np.any(mean_cos <= 0):
        name, width = ("h", h) if d > 1 and mean_cos[1] <= 0 else ("unstable_h" if unstable_h is not None else "h", first)
        raise ValueError(f"{name} = {width!r}: sin({name})/{name} must be above 0; a number below pi is needed")
    signs, x0 = np.r_[1.0, -np.ones(d - 1)], np.r_[0.0, np.ones(d - 1) / w]

    def hessian(x: FloatArray) -> FloatArray:
        return np.diag(-A * signs * mean_cos * np.cos(w * x))

    def batch_hessian(x: FloatArray, rows: FloatArray) -> FloatArray:
        mean = rows.mean(axis=0)
        return np.diag(-A * signs * (np.cos(w * x) * mean[:d] - np.sin(w * x) * mean[d:]))

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        z = rng.random((n, d))
        z *= 2 * widths
        z += shift[client] - widths
        rows = np.empty((n, 2 * d))
        np.cos(z, out=rows[:, :d])
        np.sin(z, out=rows[:, d:])
        return rows

    known = {
        "d": d,
        "L": A * float(np.sqrt(d)) / w,
        "ell": A,
        "rho": A * w,
        "U": 2 * A * float(mean_cos.sum()) / w**2,
        "gap": A / w**2 * float(2 * mean_cos[0] + (1 - np.cos(1.0)) * mean_cos[1:].sum()),
        "curvature": A * float(mean_cos[0]),
    }
    name, params, saddle = f"random-phase cosines, d = {d}", (float(A), float(w), signs, mean_cos), np.zeros(d)
    functions = (*losses.COSINES, hessian, draw)
    return SaddleObjective(name, params, *functions, saddle, x0, known, clients=len(shift), batch_hessian=batch_hessian)


@validated_strictly
def slope(
    d: int, *, g: float = 1.0, A_0: float = 1.0, spread: float = 0.0, clients: int = 1, heterogeneity: float = 0.0
) -> SaddleObjective:
    """Make a slope without a saddle on the way down: F(x) = A_0 sin(g x_1 / A_0), or g x_1 for A_0 = inf.

    The start is 0, where the slope is steepest. A sample is f(x; z) = F(x) + z'x.

    Parameters
    ----------
    d
        Dimension of x.
    g
        Slope at the start, above 0.
    A_0
        Amplitude, above 0 or inf.
    spread, clients, heterogeneity
        z is uniform on the sphere of radius ``spread``, plus the shift of its client. The shifts are evenly spaced multiples of (1, ..., 1)
        of length at most ``heterogeneity``, and sum to 0. With heterogeneity above 0 at least 2 clients are needed.

    Returns
    -------
    SaddleObjective
        The objective, with its samples, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    F has the Lipschitz constant g; samples have L = g + spread + heterogeneity. Everywhere ell = g^2 / A_0, rho = g^3 / A_0^2, U = 2 A_0. A
    run travels far and gains little, which Lemma 4 of Gauss-PSGD excludes. The attribute ``saddle`` is the crest x_1 = pi A_0 / (2 g), of
    curvature ell, to which no descent comes from the start. For A_0 = inf there is none, and ``saddle`` is 0.

    Examples
    --------
    >>> problem = lab.slope(3, g=2.0, A_0=4.0)
    >>> problem.constants["L"], problem.constants["ell"], problem.constants["U"]
    (2.0, 1.0, 8.0)
    """
    draw, longest = linear_term_sampler(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    positive(g=g)
    if not (isinstance(A_0, float) and np.inf == A_0):
        positive(A_0=A_0)
    w = g / A_0
    crest = np.r_[require_finite(np.pi / (2 * w) if w > 0 else 0.0)[0], np.zeros(d - 1)]

    def hessian(x: FloatArray) -> FloatArray:
        return np.diag(np.r_[-g * w * np.sin(w * x[0]), np.zeros(d - 1)])

    known = {"d": d, "L": g + longest, "ell": g * w, "rho": g * w**2, "U": 2 * A_0, "gap": A_0, "curvature": g * w}
    name, params, start = f"slope, d = {d}", (float(g), float(w)), np.zeros(d)
    return SaddleObjective(name, params, *losses.SLOPE, hessian, draw, saddle=crest, x0=start, constants=known, clients=clients)


@validated_strictly
def cubic_saddle(
    d: int,
    *,
    curvature: float = 1.0,
    rho: float = 1.0,
    stable: float = 1.0,
    spread: float = 0.0,
    clients: int = 1,
    heterogeneity: float = 0.0,
) -> SaddleObjective:
    """Make a saddle with a cubic term, F(x) = -curvature x_1^2 / 2 + rho |x_1|^3 / 6 + stable (x_2^2 + ... + x_d^2) / 2.

    This holds for |x_i| <= reach = 2 curvature / rho. A sample is f(x; z) = F(x) + z'x.

    Parameters
    ----------
    d
        Dimension of x.
    curvature
        Minus the second derivative along x_1 at the saddle, above 0.
    rho
        Lipschitz constant of the Hessian, above 0.
    stable
        Second derivative along the other coordinates at the saddle, above 0.
    spread, clients, heterogeneity
        The random part and the clients of the samples, as in `slope`.

    Returns
    -------
    SaddleObjective
        The objective, with its samples, saddle 0, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name.

    Notes
    -----
    Beyond the reach the second derivative along each coordinate continues with slope -rho (see
    `synthetic.objectives.separable_saddles.Profile`). So ell = max(curvature, stable) everywhere, U is finite, and F has the Lipschitz
    constant L with L^2 = (curvature^2 / (2 rho))^2 + (d - 1) (stable reach + stable^2 / (2 rho))^2. For samples L is larger by spread +
    heterogeneity.

    Along x_1 the second derivative is a triangle wave: |F'''| = rho wherever it exists. The minima have |x_1| = reach, depth 2 curvature^3
    / (3 rho^2) and second derivative ``curvature``. With curvature = sqrt(rho alpha) it is the hardest case of Lemma 1 of Gauss-PSGD.

    Examples
    --------
    >>> problem = lab.cubic_saddle(5, curvature=2.0)
    >>> problem.constants["curvature"], problem.constants["ell"]
    (2.0, 2.0)
    >>> round(problem.value_and_gradient(np.array([4.0, 0, 0, 0, 0]))[0], 4)  # minus the depth, 16 / 3
    -5.3333
    """
    samples = linear_term_sampler(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    positive(curvature=curvature, rho=rho, stable=stable)
    reach = 2 * curvature / rho
    unstable, others = make_profile(-curvature, e=rho, b=reach, rho=rho, lowest_at=reach), make_profile(stable, b=reach, rho=rho)
    return _make_wells("cubic saddle", d, unstable, others, curvature**2 / (2 * rho), samples, clients)


@validated_strictly
def quartic_saddle(
    d: int,
    *,
    curvature: float = 1.0,
    k: float = 1.0,
    stable: float = 1.0,
    reach: float | None = None,
    spread: float = 0.0,
    clients: int = 1,
    heterogeneity: float = 0.0,
) -> SaddleObjective:
    """Make a saddle with a quartic term, F(x) = -curvature x_1^2 / 2 + k x_1^4 / 4 + stable (x_2^2 + ... + x_d^2) / 2.

    This holds for |x_i| <= reach. A sample is f(x; z) = F(x) + z'x.

    Parameters
    ----------
    d
        Dimension of x.
    curvature
        Minus the second derivative along x_1 at the saddle, above 0.
    k
        Factor of the quartic term, above 0.
    stable
        Second derivative along the other coordinates at the saddle, above 0.
    reach
        Where the formula ends, at least sqrt(curvature / k), so that it holds at the minima. This least value is the default.
    spread, clients, heterogeneity
        The random part and the clients of the samples, as in `slope`.

    Returns
    -------
    SaddleObjective
        The objective, with its samples, saddle 0, start and constants.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, such as a smaller reach.

    Notes
    -----
    Beyond the reach the second derivative along each coordinate continues with slope -rho (see
    `synthetic.objectives.separable_saddles.Profile`). So everywhere ell = max(curvature, 3 k reach^2 - curvature, stable) and rho = 6 k
    reach, and L and U are finite. The minima have |x_1| = sqrt(curvature / k), depth curvature^2 / (4 k) and second derivative 2 curvature.

    Examples
    --------
    >>> problem = lab.quartic_saddle(5)
    >>> problem.constants["ell"], problem.constants["rho"]
    (2.0, 6.0)
    >>> problem.value_and_gradient(np.array([1.0, 0, 0, 0, 0]))[0]  # minus the depth
    -0.25
    """
    samples = linear_term_sampler(d, spread=spread, clients=clients, heterogeneity=heterogeneity)
    positive(curvature=curvature, k=k, stable=stable)
    minimum = float(np.sqrt(curvature / k))
    require_finite(minimum)
    edge = minimum if reach is None else reach
    positive(reach=edge)
    if edge < minimum:
        raise ValueError(f"reach = {edge!r}: at least sqrt(curvature / k) = {minimum!r} is needed, because the minima lie there")
    rho = 6 * k * edge
    unstable, others = make_profile(-curvature, k=k, b=edge, rho=rho, lowest_at=minimum), make_profile(stable, b=edge, rho=rho)
    return _make_wells("quartic saddle", d, unstable, others, 2 * curvature / 3 * float(np.sqrt(curvature / (3 * k))), samples, clients)


class Profile(NamedTuple):
    """The numbers that define an even periodic function q of one variable, with minima at +-lowest_at, see `losses.profile_derivatives`.

    core          q = a t^2 / 2 + e t^3 / 6 + k t^4 / 4 for 0 <= t <= b
    shoulder      q''' = -rho until q'' = 0, at c = b + q''(b) / rho; there q is steepest, q'(c) = q'(b) + q''(b)^2 / (2 rho)
    mirror        q(2 c - t) = 2 q(c) - q(t), until q' = 0, at top = 2 c - lowest_at
    then          even about top, so of period 2 top

    q, q' and q'' are continuous. If |q'''| <= rho on the core, q'' is rho-Lipschitz everywhere, and |q''| <= max |q''| on the core.
    """

    a: float
    e: float
    k: float
    b: float
    rho: float
    curvature_b: float
    slope_b: float
    value_b: float
    c: float
    value_c: float
    top: float


def make_profile(a: float, *, e: float = 0.0, k: float = 0.0, b: float, rho: float, lowest_at: float = 0.0) -> Profile:
    """Return the profile with this core a, e, k on [0, b], continued with q''' = -rho, whose minima are at +-lowest_at."""
    slope_b = a * b + e / 2 * b**2 + k * b**3
    curvature_b = a + e * b + 3 * k * b**2
    value_b = a / 2 * b**2 + e / 6 * b**3 + k / 4 * b**4
    width = curvature_b / rho
    c = b + width
    value_c = value_b + slope_b * width + curvature_b * width**2 / 3
    return Profile(*require_finite(a, e, k, b, rho, curvature_b, slope_b, value_b, c, value_c, 2 * c - lowest_at))


def _make_wells(
    kind: str, d: int, unstable: Profile, stable: Profile, steepest: float, samples: tuple[Draw, float], clients: int
) -> SaddleObjective:
    """Return the objective F(x) = q_1(x_1) + sum_(i >= 2) q(x_i) of the profiles `unstable` and `stable`.

    steepest   the largest |q_1'| between the saddle and the minimum;   samples   as `linear_term_sampler` returns them
    """
    draw, longest = samples
    shoulder = max(steepest, losses.profile_derivatives(unstable.c, unstable)[1]), losses.profile_derivatives(stable.c, stable)[1]
    depth = -losses.profile_derivatives(2 * unstable.c - unstable.top, unstable)[0]
    top, stable_top = losses.profile_derivatives(unstable.top, unstable)[0], losses.profile_derivatives(stable.top, stable)[0]
    x0 = np.r_[0.0, np.full(d - 1, stable.b / 2)]

    def hessian(x: FloatArray) -> FloatArray:
        return np.diag([losses.profile_derivatives(float(t), stable if i else unstable)[2] for i, t in enumerate(x)])

    known = {
        "d": d,
        "L": float(np.hypot(shoulder[0], np.sqrt(d - 1) * shoulder[1])) + longest,
        "ell": max(-unstable.a, unstable.curvature_b, stable.a) if d > 1 else max(-unstable.a, unstable.curvature_b),
        "rho": unstable.rho,
        "U": depth + max(0.0, top) + (d - 1) * stable_top,
        "gap": depth + (d - 1) * stable.a * (stable.b / 2) ** 2 / 2,
        "curvature": -unstable.a,
    }
    name, params, saddle = f"{kind}, d = {d}", (unstable, stable), np.zeros(d)
    return SaddleObjective(name, params, *losses.WELLS, hessian, draw, saddle=saddle, x0=x0, constants=known, clients=clients)


@validated_strictly
def local_cubic(
    d: int, *, gamma: float, rho: float, ell: float, slope: float = 0.0, bent: bool = False, spread: float = 0.0
) -> SaddleObjective:
    """Make a local model of a saddle, F(x) = slope x_1 - gamma x_1^2 / 2 + rho |x_1|^3 / 6 + ell (x_2^2 + ...) / 2.

    A sample is f(x; z) = F(x) + z'x with z_i uniform on [-spread, spread].
    F is Hessian-Lipschitz with rho everywhere, has its minima at |x_1| = 2 gamma / rho for slope 0, is ell-smooth up to there if ell >=
    gamma, and is not Lipschitz. `bent` takes -rho x_1^3 / 6 in place of the cubic: the saddle becomes steeper in the direction of positive
    x_1, and F is not bounded below. With gamma = rho = 0 and a slope it is a plane along x_1.  Source: the construction is ours.
    """
    positive_integer(d=d)
    check_memory(64 * d, d=d)
    non_negative(gamma=gamma, rho=rho, spread=spread)
    positive(ell=ell)
    real(slope=slope)
    mirror, bend = (0.0, -float(rho)) if bent else (float(rho), 0.0)

    def hessian(x: FloatArray) -> FloatArray:
        return np.diag(np.r_[-gamma + mirror * abs(x[0]) + bend * x[0], np.full(d - 1, float(ell))])

    def draw(rng: np.random.Generator, n: int, client: int = 0) -> FloatArray:
        return rng.uniform(-spread, spread, (n, d))

    name, params, saddle = f"local cubic, d = {d}", (float(slope), float(gamma), mirror, bend, float(ell)), np.zeros(d)
    known = {"d": d, "L": np.inf, "ell": ell, "rho": rho, "U": np.inf, "curvature": gamma}
    where = f"|x_1| <= {2 * gamma / rho:.4g}" if rho > 0 else "everywhere"
    return SaddleObjective(name, params, *losses.CUBIC, hessian, draw, saddle=saddle, x0=np.zeros(d), constants=known, where=where)
