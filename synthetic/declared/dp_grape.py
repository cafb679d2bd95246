"""Declarations of DP-GRAPE and of the methods compared with it: DP-SGD, DP-Adam, GaLore and DP-GaLore.

Choices where the paper is open or unclear are in the docstring of `synthetic.methods.dp_grape`.
"""

from typing import Annotated, Literal

from synthetic.declared.fields import AtLeast, BatchSize, Declaration, Noise, Number, Positive, Rule, Sampling, Steps, StepSize, Threshold

Decay = Annotated[float, Number("decay of a mean of Adam, per step", low=0.0, high=1.0, open_high=True)]
Rank = Annotated[int, AtLeast(1, "dimension of the subspace")]
Rounding = Annotated[
    float, Positive("what is added to the root of the second moment, which is not corrected for its start", unit="loss / x")
]


class DPSGD(Declaration):
    """Noisy gradient descent on clipped gradients."""

    key = "dp_sgd"
    alpha: StepSize
    T: Steps
    C: Threshold
    sigma: Noise
    batch_size: BatchSize = None
    sampling: Sampling = "without_replacement"


class Adam(Declaration):
    """The constants of Adam, by default the usual ones: the paper has no values of them."""

    beta1: Decay = 0.9
    beta2: Decay = 0.999
    phi: Rounding = 1e-8


class Subspace(Declaration):
    """How gradients are projected, and how x is updated in the subspace."""

    r: Rank
    F: Annotated[int, AtLeast(1, "number of steps for which a subspace stays")] = 1
    update: Annotated[Literal["sgd", "adam"], Rule("update in the subspace")] = "sgd"
    beta1: Decay = 0.9
    beta2: Decay = 0.999
    phi: Rounding = 1e-8
    moments: Annotated[Literal["kept", "reset", "reprojected"], Rule("what happens to Adam's moments when the subspace changes")] = "kept"
    side: Annotated[Literal["smaller", "left"], Rule("side of a layer that is projected: the smaller one, or always the left")] = "smaller"
    refresh: Annotated[
        Literal["start", "printed"],
        Rule("when a new subspace is drawn: before steps 1, F + 1, ..., or, as printed, at steps F, 2 F, ..."),
    ] = "start"


class Blocks(Declaration):
    """How blocks are projected, each with a projection of its own."""

    r: Rank
    noise: Annotated[Literal["fresh", "shared"], Rule("fresh noise for each block, or noise shared by blocks as in the proof")] = "fresh"


class DPGrape(DPSGD, Subspace):
    """Clipped gradients in a random subspace, with noise there: Algorithm 1 of DP-GRAPE."""

    key = "dp_grape"
    projection: Annotated[
        Literal["gaussian", "orthonormal"], Rule("projection matrix: entries N(0, 1/r), or scaled orthonormal columns")
    ] = "gaussian"


class DPGrapeBlocks(DPSGD, Blocks):
    """Clipped gradients in fresh projections of blocks, with SGD: Algorithm 6 of DP-GRAPE, the one of its theorem."""

    key = "dp_grape_blocks"


class DPAdam(DPSGD, Adam):
    """Update of Adam on clipped gradients with noise."""

    key = "dp_adam"


class GaLore(Subspace):
    """Update of Adam in the subspace of leading singular vectors, not private."""

    key = "galore"
    alpha: StepSize
    T: Steps
    batch_size: BatchSize = None
    sampling: Sampling = "without_replacement"


class DPGaLore(DPSGD, Subspace):
    """Update of GaLore on clipped gradients with noise."""

    key = "dp_galore"
