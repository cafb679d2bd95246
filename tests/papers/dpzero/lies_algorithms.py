"""Planted faults in the kernels, the draws, the objectives and the exact moments."""

from tests.paper_checks.lies import Lie

KERNELS = "synthetic/kernels"
DPZERO, DPGD_0TH, SLOPE = f"{KERNELS}:dpzero", f"{KERNELS}:dpgd_0th", f"{KERNELS}:clipped_slope"
SCALAR = "x[j] -= alpha * (slope + sigma * z_along[t]) * u[t, j]"
VECTOR = "x[j] -= alpha * (slope * u[t, j] + sigma * z[t, j])"
CLIP = "        if abs(s) * length > C:\n            s = np.sign(s) * C / length"
COUNTED = "            count += 1\n        total += s\n    return total / b, count / b"

LIES = (
    Lie("DPZero's noise scaled as a variance", DPZERO, SCALAR, SCALAR.replace("sigma", "sigma * sigma"), ("dpzero.algorithm2.step",)),
    Lie(
        "DPZero's noise in every coordinate",
        DPZERO,
        SCALAR,
        "x[j] -= alpha * (slope * u[t, j] + sigma * z_along[t])",
        ("dpzero.algorithm2.noise_in_the_step",),
    ),
    Lie("DPZero's step goes uphill", DPZERO, SCALAR, SCALAR.replace("-=", "+="), ("dpzero.algorithm2.step",)),
    Lie(
        "DPZero's noise without alpha",
        DPZERO,
        SCALAR,
        "x[j] -= (alpha * slope + sigma * z_along[t]) * u[t, j]",
        ("dpzero.algorithm2.noise_in_the_step",),
    ),
    Lie("DPZero's sum is not divided by the batch", SLOPE, "return total / b,", "return total,", ("dpzero.algorithm2.sensitivity",)),
    Lie(
        "DPZero clips before dividing by 2 lambda",
        SLOPE,
        CLIP,
        "        if abs(s * 2 * lam) * length > C:\n            s = C * np.sign(s) / (2 * lam) / length",
        ("dpzero.algorithm2.clipping_order",),
    ),
    Lie(
        "DPZero clips after averaging",
        SLOPE,
        f"{CLIP}\n{COUNTED}",
        f"        if abs(s) * length > C:\n{COUNTED.replace('total / b', 'min(max(total / b, -C / length), C / length)')}",
        ("dpzero.algorithm2.clipping_order",),
    ),
    Lie("DPZero does not clip negative differences", SLOPE, CLIP, CLIP.replace("abs(s)", "s"), ("dpzero.algorithm2.sensitivity",)),
    Lie(
        "DPZero uses the noise of the step before",
        DPZERO,
        SCALAR,
        SCALAR.replace("z_along[t]", "z_along[max(t - 1, 0)]"),
        ("dpzero.algorithm2.step",),
    ),
    Lie(
        "DPZero's noise knows the data",
        DPZERO,
        SCALAR,
        SCALAR.replace("sigma", "sigma * (1 + clipped[t])"),
        ("dpzero.algorithm2.sensitivity",),
    ),
    Lie(
        "DPGD-0th's noise along the direction",
        DPGD_0TH,
        VECTOR,
        "x[j] -= alpha * (slope + sigma * z[t, 0]) * u[t, j]",
        ("dpzero.algorithm1.noise_in_the_step",),
    ),
    Lie("DPGD-0th clips the scalar to C", DPGD_0TH, "np.sqrt(norm_sq(u[t]))", "1.0", ("dpzero.algorithm1.sensitivity",)),
    Lie(
        "DPGD-0th's direction changes with the step after",
        DPGD_0TH,
        VECTOR,
        VECTOR.replace("u[t, j]", "u[(t + 1) % steps, j]"),
        ("dpzero.algorithm1.one_direction",),
    ),
    Lie(
        "DP-GD clips to the square",
        "synthetic",
        "            if norm > C:\n                scale = C / norm",
        "            if norm > C:\n                scale = C / norm_sq(g)",
        ("dpzero.dp_gd_baseline.step",),
    ),
    Lie(
        "DP-GD does not clip",
        "synthetic/kernels/dpzero.py",
        "                scale = C / norm",
        "                scale = 1.0",
        ("dpzero.dp_gd_baseline.sensitivity",),
    ),
    Lie("DP-GD's noise is halved", f"{KERNELS}:dp_gd", "sigma * z[t, j]", "sigma * z[t, j] / 2", ("dpzero.dp_gd_baseline.noise",)),
    Lie(
        "directions are not normalised",
        "synthetic",
        "        u *= np.sqrt(d) / np.sqrt(",
        "        u *= 1.0 / np.sqrt(",
        ("dpzero.algorithms.sphere",),
    ),
    Lie("directions are Gaussian", "synthetic", 'if kind == "sphere":', 'if kind == "round":', ("dpzero.algorithms.sphere",)),
    Lie(  # which the record of a kernel would refuse where it can see it
        "noise and directions share a stream",
        "synthetic",
        "spawn_key=(replicate, role)",
        "spawn_key=(replicate, max(role - 1, 0))",
        ("dpzero.algorithm1.noise",),
    ),
    Lie("replicates share their draws", "synthetic", "spawn_key=(replicate, role)", "spawn_key=(role,)", ("dpzero.dp_gd_baseline.noise",)),
    Lie(
        "noise is drawn once for all steps",
        "synthetic",
        "return rng.standard_normal(shape)",
        "return np.repeat(rng.standard_normal((1, *shape[1:])), shape[0], axis=0)",
        ("dpzero.dp_gd_baseline.noise",),
    ),
    Lie("tau up to T", "synthetic", "OUTPUT).integers(T)", "OUTPUT).integers(T + 1)", ("dpzero.algorithms.tau",)),
    Lie("tau is never 0", "synthetic", "OUTPUT).integers(T)", "OUTPUT).integers(1, T)", ("dpzero.algorithms.tau",)),
    Lie(
        "directions depend on the data",
        "synthetic",
        "generator(seed, r, one.stream)",
        "generator(seed + (0 if one.stream else int(abs(objective.data[0, 0]))), r, one.stream)",
        ("dpzero.algorithms.public_direction",),
    ),
    Lie(
        "pseudo-Huber's L is halved",
        "synthetic",
        '"r": float(a.sum()), "L": 1.0',
        '"r": float(a.sum()), "L": 0.5',
        ("dpzero.remark_3_4.algorithm2",),
    ),
    Lie(
        "d / (d + 2) is lost", "bounds", "return d / (d + 2) if direction", "return 1.0 if direction", ("dpzero.algorithm2.second_moments",)
    ),
    Lie(
        "the moments forget the noise's square",
        "bounds",
        "m = (1 - decay) * m + couple * ((a * a) @ m) + noise",
        "m = (1 - decay) * m + couple * ((a * a) @ m) + alpha * alpha * sigma",
        ("dpzero.algorithm2.second_moments",),
    ),
    Lie(
        "a bound off by d",
        "bounds/dpzero",
        "BIAS = ell / 2 * lam * d ** sp.Rational(3, 2)",
        "BIAS = ell / 2 * lam / d",
        ("dpzero.lemma_c2.exact_bounds",),
    ),
    Lie(
        "Theorem 1 without its factor 16",
        "bounds/dpzero/theorem1.py",
        "bound = 16 * (ell * gap + 2 * L**2) * d * rate",
        "bound = (ell * gap + 2 * L**2) * d * rate",
        ("dpzero.theorem1.runs_on_cosine",),
    ),
    Lie(
        "Theorem 3 with 4 in place of 64",
        "bounds/dpzero",
        "bound = (64 * (ell * gap + L_tilde**2) + 2 * L**2) * rate",
        "bound = (4 * (ell * gap + L_tilde**2) + 2 * L**2) * rate",
        ("dpzero.theorem3.runs_on_cosine",),
    ),
    Lie(
        "a quarter of DP-GD's bound",
        "bounds/dpzero",
        "bound = (2 * ell * gap + 32 * L**2) * rate",
        "bound = (ell * gap / 2 + 8 * L**2) * rate",
        ("dpzero.dp_gd.runs_on_cosine",),
    ),
    Lie(
        "directions on half of the sphere",
        "synthetic",
        '        u *= np.sqrt(d) / np.sqrt(np.einsum("td,td->t", u, u))[:, None]',
        '        u *= np.sign(u[:, :1]) * np.sqrt(d) / np.sqrt(np.einsum("td,td->t", u, u))[:, None]',
        ("dpzero.algorithms.sphere",),
    ),
)
