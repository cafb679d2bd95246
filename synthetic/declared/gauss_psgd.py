"""Declarations of Gauss-PSGD and of the earlier method that it is compared with; `synthetic.runs.psgd` runs them."""

from typing import Annotated, Literal

from synthetic.declared.fields import AtLeast, Declaration, Positive, Rule

Oracle = Literal["ada_dp_spider", "distributed_ada_dp_spider", "dp_spider", "sgd", "exact"]
StepSize = Annotated[float, Positive("step size")]
Samples = Annotated[int | None, AtLeast(1, "samples of a fresh gradient O_1, of each client")]
Differences = Annotated[int | None, AtLeast(1, "samples of a gradient difference O_2, of each client")]
FreshNoise = Annotated[float | None, AtLeast(0, "standard deviation per coordinate of the noise that each client adds to O_1")]
DifferenceNoise = Annotated[float | None, AtLeast(0, "the same for O_2, per unit of the distance between its two points")]
Drift = Annotated[float | None, Positive("drift after which the next call of an adaptive oracle is an O_1")]


class GaussPSGD(Declaration):
    """Perturbed descent to second-order stationary points, gradients from a private oracle.

    Algorithms 1 to 3 of Gauss-PSGD. An oracle needs some of n, b_1, b_2, sigma_1, sigma_2, zeta, kappa, period and takes no others.
    """

    key = "gauss_psgd"
    oracle: Annotated[Oracle, Rule("gradient oracle")]
    eta: StepSize
    chi: Annotated[float, Positive("scale of the error of the gradient; an escape phase begins where an estimate is below 3 chi")]
    R: Annotated[float, Positive("radius of an escape")]
    Gamma: Annotated[int, AtLeast(1, "steps of a round")]
    Q: Annotated[int, AtLeast(1, "rounds of an escape phase")]
    n: Annotated[int | None, AtLeast(1, "number of samples of each client; each sample is used once")] = None
    b_1: Samples = None
    b_2: Differences = None
    sigma_1: FreshNoise = None
    sigma_2: DifferenceNoise = None
    zeta: Annotated[float | None, AtLeast(0, "radius of the sphere on which the sampling error of the oracle exact lies")] = None
    kappa: Drift = None
    period: Annotated[int | None, AtLeast(1, "number of calls of the oracle dp_spider from one O_1 to the next")] = None
    restart: Annotated[Literal["continue", "history", "renew"], Rule("what the oracle remembers at the start of a round")] = "continue"
    drift: Annotated[
        Literal["estimates", "queries"], Rule("what the drift adds up: squared estimates, as printed, or squared distances between points")
    ] = "estimates"
    output: Annotated[Literal["anchor", "last"], Rule("returned point: the start of the last failed round, or its last iterate")] = "anchor"
    limit: Annotated[int | None, AtLeast(1, "most steps (default: as many as the samples allow)")] = None


class FrozenPSGD(Declaration):
    """Near a stationary point a fresh gradient with extra noise, at most once in a number of steps: the earlier method.

    Section 3.1 of Gauss-PSGD.
    """

    key = "frozen_psgd"
    eta: StepSize
    threshold: Annotated[float, Positive("norm of an estimate below which noise may be added to a fresh gradient")]
    extra: Annotated[float, AtLeast(0, "standard deviation of that extra noise, per coordinate")]
    frozen_steps: Annotated[int, AtLeast(1, "least number of steps from one extra noise to the next")]
    n: Annotated[int, AtLeast(1, "number of samples of each client; each sample is used once")]
    b_1: Samples
    b_2: Differences
    sigma_1: FreshNoise
    sigma_2: DifferenceNoise
    kappa: Drift
    limit: Annotated[int | None, AtLeast(1, "most steps (default: as many as the samples allow)")] = None
