"""Declarations of DPZero and of the methods compared with it: DPGD-0th, DP-GD and MeZO."""

from synthetic.declared.fields import BatchSize, Declaration, Directions, Noise, Radius, Sampling, Steps, StepSize, Threshold


class DPZero(Declaration):
    """Private zeroth-order descent with clipped two-point differences, one sphere or Gaussian direction per step.

    Algorithm 2 of DPZero: the slope along the direction is clipped, and receives scalar noise.
    """

    key = "dpzero"
    alpha: StepSize
    T: Steps
    C: Threshold
    sigma: Noise
    lam: Radius = 1e-4
    direction: Directions = "sphere"
    batch_size: BatchSize = None
    sampling: Sampling = "without_replacement"


class DPGD0th(DPZero):
    """Private zeroth-order descent with a clipped and noisy gradient estimate in every coordinate.

    Algorithm 1 of DPZero.
    """

    key = "dpgd_0th"


class DPGD(DPZero):
    """Gradient descent on clipped gradients of all samples, with Gaussian noise.

    Section 2.1 of DPZero. It uses neither lam nor direction; it accepts both, because all four methods run with the same settings.
    """

    key = "dp_gd"


class MeZO(Declaration):
    """Plain zeroth-order descent, without clipping and noise, not private.

    Algorithm 2 of DPZero without clipping and noise.
    """

    key = "mezo"
    alpha: StepSize
    T: Steps
    lam: Radius = 1e-4
    direction: Directions = "sphere"
    batch_size: BatchSize = None
    sampling: Sampling = "without_replacement"
