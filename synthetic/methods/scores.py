"""Data-free scores of parameters, by which a mask is chosen: SynFlow, theta times dL/dtheta, exactly or by finite differences.

L(theta) = 1' |theta^[L]| ... |theta^[1]| 1 is the sum of the outputs, for an input of ones, of a linear network with these matrices in
absolute value. A matrix (m, k) maps k numbers to m, so its k equals the m of the matrix before. A vector that comes first stands for a
matrix of one column; any other is a bias, whose absolute value is added. Without vectors L is the paper's; of a single vector it is the
sum of the absolute values.

Source    Liu, Lou and others (arXiv:2402.07818), Algorithm 3; Tanaka, Kunin, Yamins, Ganguli (2020), arXiv:2006.05467v3, Section 6.
"""

import numpy as np

from synthetic.draws import FloatArray
from synthetic.objectives.space import Space
from synthetic.validate import array_of, positive, validated

ROWS = 2**21  # numbers of directions taken at a time: 16 MiB


@validated
def synflow_scores(x: FloatArray, space: Space) -> FloatArray:
    """Return the exact SynFlow scores (d,) of parameters x (d,), theta dL/dtheta; all are at least 0.

    The scores of a matrix, together with those of the biases after it, sum to L. Where the product overflows a score is inf or NaN.
    """
    point = _checked_point(x, space)
    with np.errstate(over="ignore", invalid="ignore"):
        signals, parts = _layer_outputs(point, space), space.parts(np.abs(point))
        back, scores = np.ones(len(signals[-1])), list[FloatArray]()
        for i in reversed(range(len(parts))):
            if parts[i].ndim == 1:
                scores.append(parts[i] * back)
                continue
            before = signals[i - 1] if i else np.ones(parts[i].shape[1])
            scores.append(parts[i] * np.outer(back, before))
            back = back @ parts[i]
    return space.flat(scores[::-1])


@validated
def estimate_synflow_scores(x: FloatArray, space: Space, directions: FloatArray, lam: float) -> FloatArray:
    """Return estimates (d,) of the SynFlow scores by Algorithm 3, from directions v (P, d); they are noisy and have signs.

    They are theta times the mean over v of (L(theta + lam v) - L(theta - lam v)) v / (2 lam). The variance of a coordinate's mean is about
    |grad L|^2 / P.
    """
    point = _checked_point(x, space)
    v = array_of((None, space.d), directions=directions)
    positive(lam=lam)
    total, rows = np.zeros(space.d), max(1, ROWS // space.d)
    with np.errstate(over="ignore", invalid="ignore"):
        for some in (v[at : at + rows] for at in range(0, len(v), rows)):
            ahead, behind = (_layer_outputs(point + step * some, space)[-1].sum(axis=-1) for step in (lam, -lam))
            total += (ahead - behind) / (2 * lam) @ some
        return np.asarray(total / len(v) * point)


def _checked_point(x: FloatArray, space: Space) -> FloatArray:
    """Return x (d,) as an array; raise ValueError unless the layers of the space fit one another and x has its length."""
    width = None
    for shape in space.shapes:
        if width is not None and shape[-1] != width:
            raise ValueError(f"space {space.shapes}: the product of its layers needs {width} columns, or {width} biases, at {shape}")
        width = shape[0]
    if width is None:
        raise ValueError("space: at least one matrix or vector is needed")
    return array_of((space.d,), x=x)


def _layer_outputs(points: FloatArray, space: Space) -> list[FloatArray]:
    """Return the output of every layer for an input of ones, a list of arrays (..., m), at points (..., d)."""
    ends = np.cumsum([int(np.prod(shape)) for shape in space.shapes])[:-1]
    signals = list[FloatArray]()
    for shape, part in zip(space.shapes, np.split(np.abs(points), ends, axis=-1), strict=True):
        if len(shape) == 1:
            signals.append(signals[-1] + part if signals else part)
            continue
        W = part.reshape(*part.shape[:-1], *shape)
        signals.append(np.matmul(W, signals[-1][..., None])[..., 0] if signals else W.sum(axis=-1))
    return signals
