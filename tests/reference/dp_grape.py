"""Reference implementations of DP-GRAPE's kernels: plain NumPy, one sample and one step at a time, on given random draws.

Each returns the list of iterates W_0, W_1, ... and the fraction of clipped samples at every step. Parameters W are lists of arrays;
gradient(W, k) is that of sample k. Draws are those of the whole run: P a list (changes of subspace) of lists (blocks), z_t as long as the
vector it is added to, batches a list of lists of indices.
"""

import numpy as np


def transpose_flags(shapes, side):
    """Return for each block whether it is transposed, so that the projected side comes first; None for a vector."""
    return [None if len(shape) == 1 else side == "smaller" and shape[0] > shape[1] for shape in shapes]


def project_blocks(blocks, flips, P):
    """Return P_k' G_k for each block G_k (transposed where it is flipped); vectors are left as they are."""
    return [G if flip is None else P_k.T @ (G.T if flip else G) for G, flip, P_k in zip(blocks, flips, P, strict=True)]


def lift_blocks(blocks, flips, P):
    """Return P_k R_k for each projected block R_k, in the original shape; vectors are left as they are."""
    moved = [R if flip is None else P_k @ R for R, flip, P_k in zip(blocks, flips, P, strict=True)]
    return [G.T if flip else G for G, flip in zip(moved, flips, strict=True)]


def flatten_blocks(blocks):
    """Return blocks as one vector."""
    return np.concatenate([np.ravel(one) for one in blocks])


def split_like(vector, blocks):
    """Split a vector into blocks with the shapes of the given ones."""
    ends = np.cumsum([one.size for one in blocks])[:-1]
    return [part.reshape(one.shape) for part, one in zip(np.split(vector, ends), blocks, strict=True)]


def private_mean(per_sample, batch, C, nominal):
    """Return (1 / nominal) sum_i clip_C(v_i) over a batch, and the share of clipped v_i; a v_i of infinite or NaN norm counts as 0."""
    total, clipped = 0.0, []
    for k in batch:
        v = per_sample(k)
        norm = np.linalg.norm(v)
        clipped.append(not norm <= C)
        total = total + (v * min(1.0, C / norm) if np.isfinite(norm) and norm > 0 else np.zeros_like(v))
    return total / nominal, np.mean(clipped) if clipped else 0.0


class Moments:
    """The moments of Algorithm 2 (Adam, or SGD) in projected coordinates, and the steps that they give."""

    def __init__(self, update, alpha, beta1, beta2, phi, how="kept"):
        self.update, self.alpha, self.beta1, self.beta2, self.phi, self.how = update, alpha, beta1, beta2, phi, how
        self.M = self.V = None
        self.t = 0

    def change_subspace(self, old, new, flips):
        """Transform, reset or keep the moments when the subspace changes from `old` to `new` before the next step."""
        if self.update == "sgd" or self.M is None or self.how == "kept":
            return
        if self.how == "reset":
            self.M = self.V = None
            self.t = 0
            return
        Q = [None if flip is None else B.T @ np.linalg.pinv(A.T) for A, B, flip in zip(old, new, flips, strict=True)]
        self.M = [M if q is None else q @ M for M, q in zip(self.M, Q, strict=True)]
        self.V = [V if q is None else q**2 @ V for V, q in zip(self.V, Q, strict=True)]

    def step(self, blocks):
        """Update the moments with gradient blocks, and return the step to subtract."""
        if self.update == "sgd":
            return [self.alpha * one for one in blocks]
        if self.M is None:
            self.M = self.V = [np.zeros_like(one) for one in blocks]
        self.t += 1
        self.M = [self.beta1 * M + (1 - self.beta1) * one for M, one in zip(self.M, blocks, strict=True)]
        self.V = [self.beta2 * V + (1 - self.beta2) * one**2 for V, one in zip(self.V, blocks, strict=True)]
        rate = self.alpha * np.sqrt(1 - self.beta2**self.t) / (1 - self.beta1**self.t)
        return [rate * M / (np.sqrt(V) + self.phi) for M, V in zip(self.M, self.V, strict=True)]


def has_new_subspace(t, F, refresh):
    """Return whether step t = 1, 2, ... starts with a new subspace."""
    return t == 1 or (t % F == 0 if refresh == "printed" else (t - 1) % F == 0)


def dp_grape(gradient, W, *, alpha, C, sigma, F, refresh, update, beta1, beta2, phi, moments, side, P, z, batches, nominal):
    """Algorithm 1 from W on: clip projected sample gradients, and keep each subspace for F steps."""
    flips, path, clipped, adam = (
        transpose_flags([one.shape for one in W], side),
        [W],
        [],
        Moments(update, alpha, beta1, beta2, phi, moments),
    )
    upcoming, now = iter(P), None
    for t, (batch, noise) in enumerate(zip(batches, z, strict=True), 1):
        if has_new_subspace(t, F, refresh):
            before, now = now, next(upcoming)
            adam.change_subspace(before, now, flips)
        at, seen = path[-1], now
        mean, share = private_mean(lambda k: flatten_blocks(project_blocks(gradient(at, k), flips, seen)), batch, C, nominal)  # noqa: B023
        shapes = project_blocks(at, flips, now)
        noisy = split_like(mean + sigma * noise, shapes)
        step = lift_blocks(adam.step(noisy), flips, now)
        path.append([w - s for w, s in zip(at, step, strict=True)])
        clipped.append(share)
    return path, clipped


def dp_grape_blocks(gradient, W, *, alpha, C, sigma, P, z, batches, nominal):
    """Algorithm 6 from W on: project each block as one vector, with a new subspace at every step."""
    path, clipped, (L, r) = [W], [], (len(W), P[0][0].shape[1])
    for P_t, z_t, batch in zip(P, z, batches, strict=True):
        at = path[-1]

        def released(k, at=at, P_t=P_t):
            return np.concatenate([P_l.T @ G.ravel() for P_l, G in zip(P_t, gradient(at, k), strict=True)])

        mean, share = private_mean(released, batch, C, nominal)
        noisy = mean.reshape(L, r) + sigma * (z_t.reshape(L, r) if z_t.size == L * r else z_t[None, :])
        path.append([w - alpha * (P_l @ R).reshape(w.shape) for w, P_l, R in zip(at, P_t, noisy, strict=True)])
        clipped.append(share)
    return path, clipped


def dp_adam(gradient, W, *, alpha, C, sigma, beta1, beta2, phi, z, batches, nominal, update="adam"):
    """DP-Adam from W on, without projections."""
    path, clipped, adam = [W], [], Moments(update, alpha, beta1, beta2, phi)
    for z_t, batch in zip(z, batches, strict=True):
        at = path[-1]
        mean, share = private_mean(lambda k: flatten_blocks(gradient(at, k)), batch, C, nominal)  # noqa: B023
        step = adam.step(split_like(mean + sigma * z_t, at))
        path.append([w - s for w, s in zip(at, step, strict=True)])
        clipped.append(share)
    return path, clipped


def dp_sgd(gradient, W, *, alpha, C, sigma, z, batches, nominal):
    """DP-SGD from W on."""
    return dp_adam(gradient, W, alpha=alpha, C=C, sigma=sigma, beta1=0, beta2=0, phi=1, z=z, batches=batches, nominal=nominal, update="sgd")


def leading_vectors(G, r):
    """Return the r leading left singular vectors of G; the largest entry of each is positive."""
    U = np.linalg.svd(G, full_matrices=False)[0][:, :r]
    return U * np.sign(U[np.abs(U).argmax(axis=0), np.arange(r)])


def low_rank_steps(means, W, *, alpha, r, F, refresh, update, beta1, beta2, phi, moments, side):
    """Algorithms 4 and 5 from W on: means[t - 1](W) returns the (noised) mean gradient at step t and the share of clipped samples."""
    flips, path, clipped, adam, P = (
        transpose_flags([one.shape for one in W], side),
        [W],
        [],
        Moments(update, alpha, beta1, beta2, phi, moments),
        None,
    )
    for t, mean in enumerate(means, 1):
        G, share = mean(path[-1])
        if has_new_subspace(t, F, refresh):
            before, P = P, [None if flip is None else leading_vectors(g.T if flip else g, r) for g, flip in zip(G, flips, strict=True)]
            adam.change_subspace(before, P, flips)
        step = lift_blocks(adam.step(project_blocks(G, flips, P)), flips, P)
        path.append([w - s for w, s in zip(path[-1], step, strict=True)])
        clipped.append(share)
    return path, clipped


def galore(gradient, W, *, batches, nominal, **settings):
    """Algorithm 4 (GaLore) from W on, without privacy."""

    def mean(batch):
        return lambda W: ([np.sum(part, axis=0) / nominal for part in zip(*(gradient(W, k) for k in batch), strict=True)], 0.0)

    return low_rank_steps([mean(batch) for batch in batches], W, **settings)


def dp_galore(gradient, W, *, C, sigma, z, batches, nominal, **settings):
    """Algorithm 5 (naive DP-GaLore) from W on: clip and noise the gradients, then project."""

    def private(batch, z_t):
        def of(W):
            mean, share = private_mean(lambda k: flatten_blocks(gradient(W, k)), batch, C, nominal)
            return split_like(mean + sigma * z_t, W), share

        return of

    return low_rank_steps([private(batch, z_t) for batch, z_t in zip(batches, z, strict=True)], W, **settings)
