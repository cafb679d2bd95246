"""Reference implementations of DP-ZOPO: plain NumPy, one direction, sample and coordinate at a time, on given random draws.

`dp_zopo` returns the iterates x_0, x_1, ... of all stages in order (a stage starts at the output of the one before), the share of clipped
differences at each step, and the output and the mask weights of each stage.
"""

import math

import numpy as np


def mask_weights(scores, rate, before, weights, upper, lower):
    """Return the mask weights (d,): the k coordinates with the largest scores, first those of the mask `before`; ties go to the first."""
    d, k = len(scores), math.ceil(round(rate * len(scores), 9))
    old = [i for i in range(d) if before is not None and before[i] != 0]
    rest = sorted((i for i in range(d) if i not in old), key=lambda i: (-scores[i], i))
    kept = [*old, *rest][:k]
    M = np.zeros(d)
    for rank, i in enumerate(sorted(kept, key=lambda i: (-scores[i], i))):
        M[i] = 1.0 if weights == "pruning" else upper - (upper - lower) * rank / k
    return M


def dp_zoo(loss, x, *, M, step, smoothing, anchor, regulariser, radius, C, sigma, v, z, batches, nominal):
    """Algorithm 2 from x on; return the iterates and the shares of clipped differences. Directions v (T, P, d) include the weights M."""
    start, path, shares = x, [x], []
    for v_t, z_t, batch in zip(v, z, batches, strict=True):
        x, g, over = path[-1], 0.0, []
        for v_p, z_p in zip(v_t, z_t, strict=True):
            total = 0.0
            for i in batch:
                slope = (loss(x + smoothing * v_p, i) - loss(x - smoothing * v_p, i)) / (2 * smoothing)
                over.append(not abs(slope) <= C)
                if np.isfinite(slope):
                    total += slope / max(1.0, abs(slope) / C)
            g = g + (total / nominal + sigma * z_p) * v_p / len(v_t)
        if anchor is None:
            x = x - step * g
        elif regulariser == "explicit":
            x = x - step * (g + (x - start) / anchor)
        else:
            x = (x - step * g + step / anchor * start) / (1 + step / anchor)
        if radius is not None:
            frozen = np.where(M == 0, x, 0.0)
            free = x - frozen
            if np.linalg.norm(x) > radius:
                free = free * math.sqrt(radius**2 - frozen @ frozen) / np.linalg.norm(free)
            x = frozen + free
        path.append(x)
        shares.append(np.mean(over) if over else 0.0)
    return path, shares


def dp_zopo(loss, x, *, alpha, lam, T, scores, rates, strategy, weights, upper, lower, output, tail, v, z, batches, **given):
    """Algorithm 5 from x on, with scores(x, s) and standard directions v[s] (steps, P, k) of stage s; Algorithm 1 for rates = None."""
    paths, shares, handed, masks, M, at = [[x]], [], [], [], None, 0
    for s, steps in enumerate(T):
        if rates is None:
            M = np.ones(len(x))
        elif s == 0 or strategy != "static":
            M = mask_weights(scores(x, s), rates[s], M if strategy == "incremental" else None, weights, upper, lower)
        wide = np.zeros((*v[s].shape[:2], len(x)))
        wide[:, :, M != 0] = v[s]
        here = slice(at, at + steps)
        path, share = dp_zoo(
            loss, x, M=M, step=alpha[s], smoothing=lam[s], v=wide * M, z=z[here], batches=batches[here], **given
        )  # fmt: skip
        taken = {"last": 1, "average": steps, "suffix": max(1, round(tail * steps))}[output]
        x, at = np.mean(path[-taken:], axis=0), at + steps
        paths.append(path[1:])
        shares += share
        handed.append(x)
        masks.append(M)
    return [one for path in paths for one in path], shares, handed, masks


def dp_zoso(loss, x, **given):
    """Algorithm 1 from x on: stages without masks."""
    return dp_zopo(loss, x, scores=None, rates=None, strategy="", weights="", upper=1.0, lower=1.0, **given)
