"""Planted faults in what the audits of Gauss-PSGD attack, and in the worlds that they attack it in."""

from tests.paper_checks.lies import Lie

ORACLES, LOOP, WATCH = (f"synthetic/kernels/{name}.py" for name in ("gradient_oracles", "selection", "worlds_psgd"))
SELECT, WORLDS, ABOVE = "synthetic/selection.py", "synthetic/worlds_psgd.py", "above_threshold"

LIES = tuple(
    Lie(f"Audits of Gauss-PSGD: {name}", where, old, new, (f"gauss_psgd.audit.{claim}",))
    for name, where, old, new, claim in (
        ("SGD has half its noise", f"{ORACLES}:sgd", "add_noise(rng, sigma, g)", "add_noise(rng, sigma / 2, g)", "sgd"),
        ("SGD uses a sample in two batches", f"{ORACLES}:sgd", "counts[USED] += b", "counts[USED] += b - 1", "sgd"),
        (
            "O_2 has half its noise",
            f"{ORACLES}:estimate",
            "sigma_1 if ask else sigma_2 * np.sqrt(distance)",
            "sigma_1 if ask else sigma_2 * np.sqrt(distance) / 2",
            "ada_dp_spider_difference",
        ),
        (
            "messages are sent without their noise",
            f"{ORACLES}:estimate",
            "        add_noise(rng, scale, g)\n        for i in range(d):\n            memory[j, i] = g[i]\n",
            "        for i in range(d):\n            memory[j, i] = g[i]\n        add_noise(rng, scale, g)\n        for i in range(d):\n",
            "ada_dp_spider_difference",
        ),
        (
            "the other clients' noise is that of the first",
            f"{ORACLES}:estimate",
            "        add_noise(rng, scale, g)\n",
            "        if j == 0:\n            shared = np.zeros(d)\n            add_noise(rng, scale, shared)\n"
            "        for i in range(d):\n            g[i] += shared[i]\n",
            "distributed_ada_dp_spider",
        ),
        ("Algorithm 4 has half its noise", f"{SELECT}:noisy", "theta = sigma_gradient", "theta = 0.5 * sigma_gradient", "select"),
        ("Algorithm 4 looks at the exact Hessian", f"{SELECT}:noisy", "hessian + H)", "hessian)", "select"),
        ("the query of AboveThreshold moves by 4/n", f"{SELECT}:worse_of", "gradient_limit) / L", "gradient_limit) * 2 / L", ABOVE),
        ("half the noise on each query", f"{LOOP}:accepts", "8 / (n * epsilon)", "4 / (n * epsilon)", ABOVE),
        ("no noise on the limit", f"{LOOP}:noisy_limit", "rng.laplace(0.0, 4 / (n * epsilon))", "0.0 * rng.laplace(0.0, 1.0)", ABOVE),
        ("a record half as far apart", f"{WORLDS}:samples", "= sign * length / math", "= 0.5 * sign * length / math", "sgd"),
        ("scores of twice the distance", f"{WATCH}:weigh", "towards * between[i] / 2", "towards * between[i]", "sgd"),
    )
)
