"""Planted faults in the noise of DPZero's methods and in what attacks it: the attacks must notice, or come no longer close."""

from tests.paper_checks.lies import Lie

PATHS = tuple(f"dpzero.audit.{name}" for name in ("dpzero", "dpgd_0th", "dp_gd"))
TAU, NEEDED = ("dpzero.audit.released_iterate",), ("dpzero.audit.path_with_noise_of_iterate",)
HIDDEN, LAST = ("dpzero.last_iterate.hidden_path",), "paper_checks/dpzero/last_iterate.py"
KERNEL, WORLDS, AUDIT = "synthetic/kernels/dpzero.py", "synthetic/worlds.py", "paper_checks/examine/audit.py"

LIES = (
    Lie("dpzero adds half its noise", f"{KERNEL}:dpzero", "sigma * z_along[t]", "0.5 * sigma * z_along[t]", PATHS[:1]),
    Lie("dpzero adds the same noise in every step", f"{KERNEL}:dpzero", "sigma * z_along[t]", "sigma * z_along[0]", PATHS[:1]),
    Lie("dpzero leaves a slope at 2 C", f"{KERNEL}:clipped_slope", "np.sign(s) * C", "np.sign(s) * 2 * C", PATHS[:1]),
    Lie("dpgd_0th adds noise along one coordinate", f"{KERNEL}:dpgd_0th", "sigma * z[t, j]", "sigma * z[t, j] * (j == 0)", PATHS[1:2]),
    Lie("dp_gd divides by one record less", f"{KERNEL}:dp_gd", "total[j] / b", "total[j] / (b - 1)", PATHS[2:]),
    Lie("the exact noise for half the sensitivity", "bounds/accounting.py", "else 2) * C / B", "else 1) * C / B", PATHS),
    Lie("noise of one step for all", "bounds/privacy.py:_total_sensitivity", "math.sqrt(T) * sensitivity", "sensitivity", PATHS),
    Lie("the iterate at tau with the noise of one release", "bounds/mixture.py:sigma_uniform", "delta, T)", "delta, 2)", TAU),
    Lie("the mean over k of half the steps", "bounds/mixture.py:_log_delta", "/ T", "/ (4 * T)", TAU),
    Lie("the noise of the path for x_tau", "bounds/mixture.py:sigma_uniform", "(sensitivity / mu)", "(1.2 * sensitivity / mu)", NEEDED),
    Lie("both worlds are one", f"{WORLDS}:apart", "-length / math.sqrt(d)", "0.5 * length / math.sqrt(d)", PATHS),
    Lie("a gradient that is hardly clipped", f"{AUDIT}:LONG", "1e9", "1e-1", PATHS),
    Lie("scores in units of the variance", f"{WORLDS}:_part", "/ 2), axis=1)", "/ 2), axis=1) / 2 + world", PATHS),
    Lie("an event's share of twice the level of delta", f"{AUDIT}:_end", "(low - delta) / high", "(low + delta) / high", TAU),
    Lie("a record that moves the scalars by C/n", f"{LAST}:projected", "np.sign(", "0.5 * np.sign(", HIDDEN),
    Lie("x_T with all of the path's noise", f"{LAST}:leaks", "/ share", "* 1", HIDDEN),
)
