"""Planted faults in what is settled: the worst instance, the closed form on quadratics, and what the last iterate reveals."""

from tests.paper_checks.lies import Lie

RADIAL, SETTLED, LAST = "synthetic/kernels/radial.py", "bounds/dpzero/settled.py", "paper_checks/dpzero/last_iterate.py"
INSTANCE, QUADRATIC = ("dpzero.settled.worst_instance",), ("dpzero.settled.quadratic",)
REVEALED = ("dpzero.last_iterate.reveals_every_scalar",)
SCALAR = "x[j] -= alpha * (slope + sigma * z_along[t]) * u[t, j]"

LIES = (
    Lie("the worst instance hears half of the noise", RADIAL, "(m + sigma * z[t])", "(m + 0.5 * sigma * z[t])", INSTANCE),
    Lie("the worst instance hears too much noise", RADIAL, "(m + sigma * z[t])", "(m + 1.5 * sigma * z[t])", INSTANCE),
    Lie("the worst instance stays on its axis", RADIAL, "+ kappa * kappa * across[t])", "+ 0.0 * across[t])", INSTANCE),
    Lie("the descent without what the last value keeps", SETTLED, "/ (4 * (1 - a))", "/ (2 * (1 - a))", QUADRATIC),
    Lie("the last value forgets a", SETTLED, "(1 - 2 * alpha * ell * (1 - a)) ** T", "(1 - 2 * alpha * ell) ** T", QUADRATIC),
    Lie(
        "noise that is not along the directions",
        "synthetic/kernels:dpzero",
        SCALAR,
        SCALAR.replace("z_along[t]) *", "z_along[j % u.shape[0]]) *"),
        REVEALED,
    ),
    Lie("scalars of steps in another order", LAST, "scalars[t], at = ", "scalars[T - 1 - t], at = ", REVEALED),
    Lie("directions that repeat", LAST, "j == t % d", "j == t % max(1, d - 1)", REVEALED),
)
