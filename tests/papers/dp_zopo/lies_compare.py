"""Planted faults in the comparison of DPZero with DP-ZOSO and DP-ZOPO: the theorem's constants, its proof, its searches."""

from tests.paper_checks.lies import Lie

B = "bounds/dp_zopo/comparison.py"
OURS = "dp_zopo.comparison."
CHAIN = "dp_zopo.sharp_smooth.chain"
LIES = (
    Lie("a bias of clipping that halves", B, "L * v * self.beyond(c)", "L * v / 2 * self.beyond(c)", (OURS + "moments", CHAIN)),
    Lie("the length of a sample without its second part", B, "share * self.r + 2 * self", "share * self.r + 0 * self", (OURS + "moments",)),
    Lie("r directions in place of r + 1", B, '"zo_square", 1 + (r + 1) / P)', '"zo_square", 1 + r / P)', (OURS + "quadratic", CHAIN)),
    Lie("half of the noise", B, "self.sigma**2 * r / P", "self.sigma**2 * r / (2 * P)", (OURS + "quadratic", CHAIN)),
    Lie("steps that shrink twice as much", B, "2 * self.mu * slope", "4 * self.mu * slope", (OURS + "quadratic", CHAIN)),
    Lie("what is added, without the length of steps", B, "alpha**2 * ell * constant / 2", "alpha**2 * constant / 9",
        (OURS + "quadratic",)),
    Lie("stages that do not halve the step", B, '"dp_zoso": (2.0,', '"dp_zoso": (1.01,', (OURS + "improved", OURS + "gains")),
    Lie("draws that are clipped less", "paper_checks/dp_zopo/comparison.py", "np.clip(h, -C, C)", "np.clip(h, -C, 3 * C)",
        (OURS + "moments",)),
    Lie("a run that starts nearer than the bound says", "paper_checks/dp_zopo/comparison.py", 'known["ell"] / 8', 'known["ell"] / 800',
        (OURS + "run_batches",)),
    Lie("a gain that grows as a power", "paper_checks/dp_zopo/comparison.py:improved", "power > 0.2", "power > 0.02",
        (OURS + "improved_power",)),
    Lie("a limit of gains without its start", "paper_checks/dp_zopo/comparison.py:gains", "math.exp(-x) * R -", "math.exp(-x) -",
        (OURS + "gains",)),
)  # fmt: skip
