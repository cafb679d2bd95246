"""Appendix E: what its experiments could show of the theory, and what they cannot."""

from __future__ import annotations

import math

from scipy import stats

from paper_checks.examine.tables import untested
from paper_checks.gauss_psgd.definition_8_lemmas_16_17 import epochs
from paper_checks.verdict import Finding, Kind, claim, consistent, inconclusive, question, reading, refuted


def can_fire(*, clip: float, settings: tuple[tuple[float, float, float], ...], parameters: int) -> Finding:
    """Compute P(|xi| <= 3 chi) for one O_1 release of the experiments with a clip, b_1 = 6000, chi = 0.01; (m, epsilon, printed norm)."""
    found, worst = {}, 0.0
    for m, epsilon, norm in settings:
        sigma = 2 * clip / 6000 * math.sqrt(2 * math.log(1.25e5)) / epsilon / math.sqrt(m)
        size = sigma * math.sqrt(parameters)
        probability = float(stats.chi2.cdf((0.03 / sigma) ** 2, parameters))
        found[m, epsilon] = size
        worst = max(worst, probability)
        if abs(size - norm) > 0.005:
            return inconclusive(f"the noise norm is {size:.4f}, not {norm}")
    numbers = {f"noise norm, m = {m:g}, epsilon = {e:g}": size for (m, e), size in found.items()} | {"3 chi": 0.03, "largest P": worst}
    if worst < 1e-6:
        sentence = f"the noise alone is {min(found.values()):.2f} to {max(found.values()):.2f}, the test asks for 0.03"
        return refuted(sentence, numbers, numbers)
    return consistent("possible", numbers)


def relu_smoothness(*, steps: tuple[float, ...], bound: float) -> Finding:
    """Take log(1 + e^(-a relu(w))), a ReLU unit under a logistic loss: gradient differences across w = 0, gradients as a grows."""

    def slope_at(w: float) -> float:
        return -1 / (1 + math.exp(w)) if w > 0 else 0.0

    ratios = {h: abs(slope_at(h) - slope_at(-h)) / (2 * h) for h in steps}
    largest = max(ratios.values())
    outer = {a: a / 2 for a in (1.0, 1e3, 1e6)}  # d/dw of log(1 + e^(-a relu(w))) at w = 0+ has size a/2: it grows with the outer weight a
    numbers = {f"ratio at distance {2 * h:g}": r for h, r in ratios.items()}
    numbers |= {f"gradient at outer weight {a:g}": g for a, g in outer.items()}
    if largest > bound and max(outer.values()) > bound:
        return refuted(f"gradients {2 * min(steps):g} apart differ {largest:.3g} times as much", numbers, {"w": min(steps), **numbers})
    return consistent("no unbounded ratio found", numbers)


MISSING = (
    "R, b_1, b_2, the clip, the number of epochs, seeds and error bars are not given, the pictures are not in the text, and samples are "
    "reused"
)
MNIST = ((1.0, 1.0, 0.52), (10.0, 1.0, 0.16), (10.0, 2.0, 0.08))
CIFAR = ((1.0, 1.0, 1.01), (10.0, 1.0, 0.32), (10.0, 2.0, 0.16))
CLAIMS = (
    reading("gauss_psgd.experiments.epochs", "Appendix E, x axis in epochs; Theorem 2: each sample is used once", Kind.PRIVACY)
    .says("The noise for one use of each sample covers more than one epoch at epsilon = 1; here two, the fewest")
    .refuted("each use is a release of its own")
    .corrected("One epoch, or noise for as many releases as epochs; how many there were is not said")
    .examined(epochs, epsilon=1.0, delta=1e-5, uses=2),
    question("gauss_psgd.experiments.mnist_can_fire", "Appendix E, chi = 0.01, MNIST, clip 1 assumed", Kind.SCOPE)
    .says("The noise of one O_1 release leaves the test |ghat| <= 3 chi a chance")
    .refuted("its norm is 0.08 or more", instead="A clip of 0.06 to 0.37 would be needed")
    .examined(can_fire, clip=1.0, settings=MNIST, parameters=101_770),
    question("gauss_psgd.experiments.cifar_can_fire", "Appendix E, chi = 0.01, CIFAR-10, clip 1 assumed", Kind.SCOPE)
    .says("The same for CIFAR-10")
    .refuted("its norm is 0.16 or more", instead="A clip of 0.03 to 0.19 would be needed")
    .examined(can_fire, clip=1.0, settings=CIFAR, parameters=394_634),
    reading("gauss_psgd.experiments.assumption_1", "Appendix E against Assumption 1", Kind.SCOPE)
    .says("A ReLU network with cross-entropy is smooth and Lipschitz")
    .refuted("the gradient jumps at 0 and grows with the outer weights", instead="The experiments are outside the analysis")
    .examined(relu_smoothness, steps=(1e-3, 1e-6, 1e-9), bound=1e5),
    *(
        claim(f"gauss_psgd.experiments.{key}", f"Appendix E, {where}", Kind.TABLE)
        .says(words)
        .not_testable("the runs cannot be repeated from the text")
        .examined(untested, sentence=MISSING)
        for key, where, words in (
            ("accuracy", "Figures 1 and 2", "Gauss-PSGD has better test accuracy and loss than the earlier method in all configurations"),
            ("epsilon", "Figures 1 and 2", "Accuracy grows with epsilon"),
            ("clients", "Figures 1 and 2, m > 1", "The gap grows for m > 1"),
            ("initial", "Figures 1 and 2", "The loss falls faster at first"),
        )
    ),
)
