"""Records of DP-GRAPE and of the methods it is compared with; their loops are in `synthetic.kernels.dp_grape`.

A block of x that is a matrix (m, k) is projected. A block that is a vector (k,) is not: it enters the clip and receives noise as it is.
sigma is the deviation of the noise on the mean over the batch: the noise multiplier of Algorithm 1 is batch_size sigma / C.

Settings
    r           dimension of the subspaces
    F           for how many steps a subspace stays, 1 by default; with an F above T there is only one
    update      "sgd", or "adam": Algorithm 2, alpha_t = alpha sqrt(1 - beta2^t) / (1 - beta1^t), phi added to the sqrt V as it
                is, which is not corrected
    beta1, beta2, phi   0.9, 0.999 and 1e-8 by default, the usual ones: the paper has no values of them
    projection  "gaussian", N(0, 1/r) entries as printed, or "orthonormal", sqrt(m/r) times a matrix with r orthonormal columns, uniform
    side        which side is projected: "smaller" (the paper's m <= n without loss of generality; the left one of a square), or "left"
    sampling    of batches of batch_size: "without_replacement", or "poisson": then a sum is divided by batch_size, which is the mean size
    noise       of Algorithm 6: "fresh" for each block, or "shared", one z in R^r for all blocks, as its line 10 can be read

Choices where the paper is open or unclear
    refresh     "start": a new subspace before steps 1, F+1, 2F+1, ...; "printed": before steps F, 2F, ..., as Algorithms 1, 4 and 5 have
                it (t mod F = 0 for t = 1, 2, ...), and the first, which they lack, before step 1
    moments     at a change of subspace under Adam: "kept", nothing is done, which is what is printed; "reset", M and V of all blocks are 0
                and t in alpha_t counts from the change; "reprojected", M becomes Q M and V becomes (Q * Q) V, Q = P_new' P_old (P_old'
                P_old)^-1, t counts on, and blocks that are not projected keep theirs
    blocks      Algorithm 6 gives p in R^(m_l) where P_l in R^(|U_l| x r) is needed: DP_GRAPE_BLOCKS reads I_(|U_l|), each block flattened
                to a vector, vectors too; the other way to read it is the left projection: DP_GRAPE with side="left" and F=1
    iterates    x_0 is the first point at which a gradient is taken, and x_tau one of x_0 .. x_(T-1): W^1 and W^tau of Algorithm 1
The seeds of Algorithm 1 are a separate random stream: subspaces can be drawn from it again, and depend on no data.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic import kernels
from synthetic.declared.dp_grape import DPSGD, DPAdam, DPGaLore, DPGrape, DPGrapeBlocks, GaLore, Subspace
from synthetic.draws import NOISE, FloatArray
from synthetic.kernels.dp_grape import ACROSS, SIDE
from synthetic.methods.record import Draw, Kernel, vector
from synthetic.objectives.space import Space

PROJECTIONS = 4  # role of the stream of the subspaces
MOMENTS = next(one.allowed for one in Subspace.fields if one.name == "moments")


def projection_layout(space: Space, settings: Mapping[str, Any], *, orthonormal: bool = False) -> NDArray[np.int64]:
    """Return the layout (blocks, 5) of the projections of x, see `synthetic.kernels.dp_grape`; raise ValueError where r is too large.

    orthonormal   whether r orthonormal columns are needed whatever the settings are: then r is at most both sides, as of an SVD
    """
    r, rows, at, to = settings["r"], [], 0, 0
    if not any(len(shape) == 2 for shape in space.shapes):
        raise ValueError(f"shape = {space.shapes}: at least one matrix is needed, because vectors are not projected")
    for shape in space.shapes:
        m, k = (*shape, 1)[:2]
        if len(shape) == 1:
            row = [0, m, 1, at, to]
        elif settings["side"] == "left" or m <= k:
            row = [m, k, 1, at, to]
        else:
            row = [k, m, 0, at, to]
        limit = min(m, k) if orthonormal else row[0]
        if row[0] and r > limit:
            raise ValueError(f"r = {r}: at most {limit} is needed, the projected side of the matrix of shape {shape}")
        rows.append(row)
        at += m * k
        to += row[1] * (r if row[0] else 1)
    return np.array(rows)


def flattened_layout(space: Space, settings: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return the layout (blocks, 5) of Algorithm 6, in which every block is flattened and projected to r numbers."""
    r, sizes = settings["r"], [int(np.prod(shape)) for shape in space.shapes]
    if r > min(sizes):
        raise ValueError(f"r = {r}: at most {min(sizes)} is needed, the number of entries of the smallest block of shape {space.shapes}")
    starts = np.cumsum([0, *sizes])
    return np.array([[size, 1, 0, start, k * r] for k, (size, start) in enumerate(zip(sizes, starts, strict=False))])


def setting_codes(space: Space, settings: Mapping[str, Any]) -> NDArray[np.int64]:
    """Return the settings update, moments and refresh as the integers (3,) that a kernel takes as `codes`."""
    return np.array([settings["update"] == "adam", MOMENTS.index(settings["moments"]), refresh_offset(settings)], dtype=np.int64)


def refresh_offset(settings: Mapping[str, Any]) -> int:
    """Return by how many steps subspaces change sooner than after F, 2F, ... steps: 1 for the printed refresh, else 0."""
    return int(settings["refresh"] == "printed")


def projected_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of the projected gradient R, one vector of all blocks."""
    side, across = known["layout"][:, SIDE], known["layout"][:, ACROSS]
    return (int(np.sum(across * np.where(side > 0, known["r"], 1))),)


def moment_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of each of Adam's moments M and V: that of R, or (0,) for the update of SGD."""
    return projected_shape(space, known) if known["update"] == "adam" else (0,)


def projection_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of the projections P of a step, (sum of SIDE r,)."""
    return (int(known["layout"][:, SIDE].sum()) * known["r"],)


def stored_projection_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of the stored P of the previous step: that of P where moments are reprojected, else (0,)."""
    return projection_shape(space, known) if known["update"] == "adam" and known["moments"] == "reprojected" else (0,)


def block_noise_shape(space: Space, known: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the shape of a step's noise in Algorithm 6: r numbers for each block, or r that all blocks share."""
    return (known["r"] * (len(space.shapes) if known["noise"] == "fresh" else 1),)


def draw_projections(rng: np.random.Generator, shape: tuple[int, ...], known: Mapping[str, Any]) -> FloatArray:
    """Draw the next projections, (rows, sum SIDE r): entries N(0, 1/r), or sqrt(SIDE / r) times Haar orthonormal columns."""
    r, drawn = known["r"], rng.standard_normal(shape)
    if known.get("projection", "gaussian") == "gaussian":
        drawn /= np.sqrt(r)
        return drawn
    at = 0
    for side in filter(None, known["layout"][:, SIDE]):
        here = slice(at, at + side * r)
        Q, upper = np.linalg.qr(drawn[:, here].reshape(-1, side, r))
        Q *= np.sign(np.diagonal(upper, axis1=1, axis2=2))[:, None, :]  # without the signs Q would not be uniform
        drawn[:, here] = np.sqrt(side / r) * Q.reshape(-1, side * r)
        at += side * r
    return drawn


svd_layout = partial(projection_layout, orthonormal=True)
P = Draw("P", PROJECTIONS, projection_shape, draw_projections, every="F", early=refresh_offset)
FRESH = Draw("P", PROJECTIONS, projection_shape, draw_projections)
STATE = {"M": moment_shape, "V": moment_shape}
OF_SVD: dict[str, Any] = {"tables": {"layout": svd_layout, "codes": setting_codes}, "state": {**STATE, "basis": projection_shape}}
FULL = Draw("z", NOISE, vector)

DP_GRAPE = Kernel.of(
    DPGrape,
    kernels.dp_grape,
    draws=(P, Draw("z", NOISE, projected_shape)),
    tables={"layout": projection_layout, "codes": setting_codes},
    state={**STATE, "basis": stored_projection_shape},
)
DP_GRAPE_BLOCKS = Kernel.of(
    DPGrapeBlocks, kernels.dp_grape_blocks, draws=(FRESH, Draw("z", NOISE, block_noise_shape)), tables={"layout": flattened_layout}
)
DP_SGD = Kernel.of(DPSGD, kernels.dp_sgd, draws=(FULL,))
DP_ADAM = Kernel.of(DPAdam, kernels.dp_adam, draws=(FULL,), state={"M": vector, "V": vector})
GALORE = Kernel.of(GaLore, kernels.galore, **OF_SVD)
DP_GALORE = Kernel.of(DPGaLore, kernels.dp_galore, draws=(FULL,), **OF_SVD)
KERNELS = {one.name: one for one in (DP_GRAPE, DP_GRAPE_BLOCKS, DP_SGD, DP_ADAM, GALORE, DP_GALORE)}
