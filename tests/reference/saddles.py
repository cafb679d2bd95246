"""Reference implementations of losses with saddles: f(x; z) and F(x), also for complex x, so that a complex step gives the gradient.

Branches depend on the real part. `row` is a sample as the objective draws it.
"""

import numpy as np


def gradient(f, x):
    """Return the gradient of f at x (d,) by complex steps f(x + i h e_j), with h so small that it is exact to rounding."""
    h = 1e-40
    return np.array([f(x + 1j * h * e).imag / h for e in np.eye(len(x))])


def hessian(f, x):
    """Return the Hessian (d, d) of f at x by central differences of the gradient, in extended precision where available."""
    h = np.longdouble(1e-8)
    x = x.astype(np.longdouble)
    return np.array([(gradient(f, x + h * e) - gradient(f, x - h * e)) / (2 * h) for e in np.eye(len(x))]).astype(float)


def branch_magnitude(t):
    """Return |t| of a number whose real part decides the sign: t or -t."""
    return t if t.real >= 0 else -t


def cosines_sample(x, row, *, A=1.0, w=1.0):
    """Return f(x; z) of random-phase cosines; `row` has the cosines and sines of the phases z."""
    cos, sin = np.split(row, 2)
    waves = np.cos(w * x) * cos - np.sin(w * x) * sin  # cos(w x + z)
    return A / w**2 * (waves[0] - sum(waves[1:]))


def cosines(x, *, A=1.0, w=1.0, h=1.0, unstable_h=None, phases=(0.0,)):
    """Return F(x) of random-phase cosines: the mean over phases by Gauss-Legendre quadrature, exact to rounding for these widths."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    total = 0
    for phase in phases:
        for i, t in enumerate(x):
            width = unstable_h if i == 0 and unstable_h is not None else h
            mean = sum(weight / 2 * np.cos(w * t + phase + width * node) for node, weight in zip(nodes, weights, strict=True))
            total = total + (1 if i == 0 else -1) * mean / len(phases)
    return A / w**2 * total


def tilted_loss(F, x, row):
    """Return F(x) + <row, x>, the loss of a sample with linear noise."""
    return F(x) + sum(row * x)


def slope_term(x, *, g=1.0, A_0=1.0):
    """Return the slope term A_0 sin(g x_1 / A_0), or g x_1 for A_0 = inf."""
    return g * x[0] if np.inf == A_0 else A_0 * np.sin(g * x[0] / A_0)


def continue_core(t, core, b, slope_b, curvature_b, rho, lowest_at):
    """Return the even periodic continuation of `core`: a cubic from b to its inflection point, its reflection, then mirrored."""
    t = branch_magnitude(t)
    c = b + curvature_b / rho
    top = 2 * c - lowest_at
    if t.real > top:
        return continue_core(2 * top - t, core, b, slope_b, curvature_b, rho, lowest_at)
    if t.real > c:
        middle = core(b) + slope_b * (c - b) + curvature_b * (c - b) ** 2 / 2 - rho * (c - b) ** 3 / 6
        return 2 * middle - continue_core(2 * c - t, core, b, slope_b, curvature_b, rho, lowest_at)
    if t.real <= b:
        return core(t)
    return core(b) + slope_b * (t - b) + curvature_b * (t - b) ** 2 / 2 - rho * (t - b) ** 3 / 6


def cubic_saddle(x, *, curvature=1.0, rho=1.0, stable=1.0):
    """Return F(x) of the cubic saddle: a cubic well in x_1, continued quadratics in the other coordinates."""
    b = 2 * curvature / rho
    first = continue_core(x[0], lambda t: -curvature / 2 * t**2 + rho / 6 * t**3, b, 0.0, curvature, rho, b)
    return first + sum(continue_core(t, lambda t: stable / 2 * t**2, b, stable * b, stable, rho, 0.0) for t in x[1:])


def quartic_saddle(x, *, curvature=1.0, k=1.0, stable=1.0, reach=None):
    """Return F(x) of the quartic saddle: a quartic double well in x_1, continued quadratics in the other coordinates."""
    minimum = np.sqrt(curvature / k)
    b = minimum if reach is None else reach
    rho = 6 * k * b
    well = lambda t: -curvature / 2 * t**2 + k / 4 * t**4
    first = continue_core(x[0], well, b, -curvature * b + k * b**3, 3 * k * b**2 - curvature, rho, minimum)
    return first + sum(continue_core(t, lambda t: stable / 2 * t**2, b, stable * b, stable, rho, 0.0) for t in x[1:])


def octopus(x, *, L=1.0, gamma=0.5, tau=1.0):
    """Return the octopus function of Du et al. (2017) inside its tube, region by region; the regions are tried in order."""
    x = [branch_magnitude(t) for t in x]
    d = len(x)
    nu = (37 * L + 13 * gamma) / 6 * tau**2

    def g_1(t):
        return -gamma * t**2 + (-14 * L + 10 * gamma) / (3 * tau) * (t - tau) ** 3 + (5 * L - 3 * gamma) / (2 * tau**2) * (t - tau) ** 4

    def g_2(t):
        u = (t - 2 * tau) / tau
        return -gamma - (L + gamma) * (10 * u**3 + 15 * u**4 + 6 * u**5)

    for i in range(d):
        before = sum(L * (t - 4 * tau) ** 2 for t in x[:i]) - i * nu
        rest = max([0.0, *(t.real for t in x[i + 1 :])])
        if all(2 * tau <= t.real <= 6 * tau for t in x[:i]) and x[i].real <= 2 * tau and rest <= tau:
            if x[i].real <= tau:
                return before - gamma * x[i] ** 2 + sum(L * t**2 for t in x[i + 1 :])
            beside = g_2(x[i]) * x[i + 1] ** 2 if i + 1 < d else 0.0
            return before + g_1(x[i]) + beside + sum(L * t**2 for t in x[i + 2 :])
    if all(2 * tau <= t.real <= 6 * tau for t in x):
        return sum(L * (t - 4 * tau) ** 2 for t in x) - d * nu
    raise AssertionError("outside the tube")


def octopus_continued(x, *, L=1.0, gamma=0.5, tau=1.0):
    """Return the octopus function on all of R^d, one coordinate at a time: psi is the octopus of d = 1, w the quintic step."""
    x = [branch_magnitude(t) for t in x]
    total, w = 0.0, 1.0
    for t in x:
        psi = octopus([t], L=L, gamma=gamma, tau=tau) if t.real <= 6 * tau else L * (t - 4 * tau) ** 2 - (37 * L + 13 * gamma) / 6 * tau**2
        total = total + (1 - w) * L * t**2 + w * psi
        u = t / tau - 2
        w = 0.0 if u.real <= -1 else 1.0 if u.real >= 0 else 1 + 10 * u**3 + 15 * u**4 + 6 * u**5
    return total


def matrix_factorisation(x, *, eigenvalues, rank):
    """Return |X X' - diag(eigenvalues)|^2 / 4 for x = X (d, rank) flattened, eigenvalues in descending order."""
    X = x.reshape(len(eigenvalues), rank)
    return np.sum((X @ X.T - np.diag(np.sort(eigenvalues)[::-1])) ** 2) / 4


def phase_sample(x, row):
    """Return the phase-retrieval loss of a sample, ((row . x)^2 - row_1^2)^2 / 4."""
    return (sum(row * x) ** 2 - row[0] ** 2) ** 2 / 4


def phase_retrieval(x):
    """Return F(x) of phase retrieval: the mean over a on the sphere of radius sqrt(d), by a cubature exact to degree 5."""
    d = len(x)
    corners = np.array(np.meshgrid(*[[-1.0, 1.0]] * d)).reshape(d, -1).T
    axes = np.sqrt(d) * np.concatenate([np.eye(d), -np.eye(d)])
    return (d * np.mean([phase_sample(x, a) for a in corners]) + 2 * np.mean([phase_sample(x, a) for a in axes])) / (d + 2)


def digits_sample(x, row, V):
    """Return the loss -log softmax(V tanh(W a))_y of a sample `row` = (a, y), with x = W flattened."""
    a, y = row[:-1], int(row[-1])
    z = V @ np.tanh(x.reshape(-1, len(a)) @ a)
    return np.log(sum(np.exp(z - z[y])))


def local_cubic(x, *, gamma, rho, ell, slope=0.0, bent=False):
    """Return a local model of a saddle: slope, curvature -gamma and a cubic term in x_1, curvature ell elsewhere."""
    bend = -rho * x[0] ** 3 / 6 if bent else rho * branch_magnitude(x[0]) ** 3 / 6
    return slope * x[0] - gamma * x[0] ** 2 / 2 + bend + ell * sum(x[1:] ** 2) / 2
