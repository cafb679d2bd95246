"""Kernels of DP-GRAPE and of the methods it is compared with: gradients of matrices are projected, clipped and made private.

Source    Mulrooney, Gupta, Flemings, Zhang and others: "Memory-Efficient Differentially Private Training with Gradient Random Projection",
          Algorithms 1 and 2 (`dp_grape`), 3 (`dp_adam`), 4 (`galore`), 5 (`dp_galore`), 6 (`dp_grape_blocks`); `dp_sgd` is 3 by SGD.

The arguments of a kernel are those of `synthetic.methods.record`, and
    layout (blocks, 5)      of each block: SIDE, length of the projected side, 0 if the block is not projected; ACROSS, length of the other;
                            LEFT, whether it is the left side; AT, TO, where it begins in x and in R; its P is the next SIDE r entries of P
    codes (3,)              whether the update is Adam's; KEPT, RESET or REPROJECTED; by how many steps the subspaces change sooner
    P (rows, sum SIDE r)    projections, each (SIDE, r) row by row;   z (steps, entries of R)   standard normal noise
    M, V                    moments, as long as R; empty for the update of SGD;   basis   P of the last step, where it is needed
R is the concatenation of the P' G, (r, ACROSS) row by row, and of the gradients of the blocks that are not projected. It is clipped as one
vector, and all of it receives noise. sigma is the deviation of the noise on the sum over the batch divided by `nominal`.

Gradients of samples are computed one at a time, into one array: no array here grows with the batch. A sample whose clipped vector has no
finite norm counts as 0, and as clipped: so no sample moves the sum by more than C, whatever it is.
"""

import numpy as np
from numba import njit

from synthetic.kernels.dpzero import record_and_check
from synthetic.kernels.vectors import add_multiple, copy_to, squared_norm

SIDE, ACROSS, LEFT, AT, TO = range(5)
KEPT, RESET, REPROJECTED = range(3)
LARGE = 30_000  # multiplications from which a call of the library's matrix product is quicker than loops: some microseconds' worth


@njit(nogil=True, error_model="numpy", fastmath={"reassoc", "contract"})
def sum_of_squares(v):
    """Return |v|^2 of a vector; the compiler may reorder the sum, which is faster: a sequential sum dominates for small layers."""
    total = 0.0
    for j in range(v.shape[0]):
        total += v[j] * v[j]
    return total


@njit(nogil=True, error_model="numpy")
def multiply_transposed(P, G, R, lines, side, across, r, left):
    """Write P' G to R, for P (side, r), G (side, across) and R (r, across), each row by row; unless `left`, the array G holds G'.

    lines   scratch space, four rows of length across
    Indices are unsigned: for an index that may be negative Numba adds a test each time, and the loops would take six times as long.
    """
    zero, one, two, three, four = np.uint64(0), np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
    n, k, m, rows = np.uint64(side), np.uint64(across), np.uint64(r), G if left else lines
    for j in range(k * m):
        R[j] = 0.0
    fours = n - n % four
    for i in range(zero, fours, four):  # four rows at a time: R is read and written once for four products
        at = i * k if left else zero
        if not left:
            for j in range(k):
                for s in range(four):
                    lines[s * k + j] = G[j * n + i + s]
        for q in range(m):
            a, b, c, d = P[i * m + q], P[(i + one) * m + q], P[(i + two) * m + q], P[(i + three) * m + q]
            for j in range(at, at + k):
                R[q * k + j - at] += (a * rows[j] + b * rows[k + j]) + (c * rows[two * k + j] + d * rows[three * k + j])
    for i in range(fours, n):
        for q in range(m):
            for j in range(k):
                R[q * k + j] += P[i * m + q] * (G[i * k + j] if left else G[j * n + i])


@njit(nogil=True, error_model="numpy")
def project_gradient(layout, r, P, g, R, lines):
    """Write P' G of each projected block of g (d,) to R (P' G' if projected on the right); copy the other blocks."""
    at_P = 0
    for k in range(layout.shape[0]):
        side, across, left, at, to = layout[k]
        if side == 0:
            copy_to(R[to : to + across], g[at : at + across])
            continue
        P_k, G, R_k = P[at_P : at_P + side * r], g[at : at + side * across], R[to : to + r * across]
        at_P += side * r
        if across == 1:  # (u' P)' for P' u: P has the longer rows
            multiply_transposed(G, P_k, R_k, lines, side, r, 1, True)
        elif side * across * r < LARGE:
            multiply_transposed(P_k, G, R_k, lines, side, across, r, left == 1)
        elif left:
            np.dot(P_k.reshape(side, r).T, G.reshape(side, across), R_k.reshape(r, across))
        else:
            np.dot(P_k.reshape(side, r).T, G.reshape(across, side).T, R_k.reshape(r, across))


@njit(nogil=True, error_model="numpy")
def scratch_space(layout, r):
    """Return scratch space for `multiply_transposed`: four rows as long as the longest that it multiplies."""
    widest = r
    for k in range(layout.shape[0]):
        if layout[k, SIDE] > 0:
            widest = max(widest, layout[k, ACROSS])
    return np.empty(4 * widest)


@njit(nogil=True, error_model="numpy")
def subtract_update(layout, r, P, R, rate, x):
    """Subtract rate times the update from x (d,): P R of every projected block, and R itself of the others."""
    at_P = 0
    for k in range(layout.shape[0]):
        side, across, left, at, to = layout[k]
        if side == 0:
            add_multiple(x[at : at + across], -rate, R[to : to + across])
            continue
        P_k, R_k = P[at_P : at_P + side * r].reshape(side, r), R[to : to + r * across].reshape(r, across)
        W = x[at : at + side * across].reshape((side, across) if left else (across, side))
        at_P += side * r
        large = side * across * r >= LARGE
        moved = np.dot(P_k, R_k) if large else R_k
        for i in range(side):
            for j in range(across):
                total = moved[i, j] if large else 0.0
                for q in range(0 if large else r):
                    total += P_k[i, q] * R_k[q, j]
                to_row, to_column = (i, j) if left else (j, i)
                W[to_row, to_column] -= rate * total


@njit(nogil=True, error_model="numpy")
def write_private_mean(gradient, data, params, x, rows, nominal, layout, r, P, C, sigma, z, g, R, mean):
    """Write (1 / nominal) sum_i clip_C(R_i) + sigma z, R_i the projected gradients, to mean; return the share of clipped samples.

    rows are the indices of the samples, -1 where there is none; g and R are overwritten. C = inf clips nothing, and leaves what is not
    finite as it is. A z that is shorter than R is repeated.
    """
    mean[:] = 0.0
    there, count, lines = 0, 0, scratch_space(layout, r)
    for k in rows:
        if k < 0:
            continue
        there += 1
        gradient(x, data[k], params, g)
        project_gradient(layout, r, P, g, R, lines)
        scale = 1.0
        if np.isfinite(C):
            norm = np.sqrt(sum_of_squares(R))
            if not norm <= C:  # as the norm of NaN is not
                count += 1
                scale = C / norm
            if not np.isfinite(norm):  # 0 * inf would be NaN
                continue
        add_multiple(mean, scale, R)
    for j in range(mean.shape[0]):
        mean[j] = mean[j] / nominal + sigma * z[j % z.shape[0]]
    return count / max(there, 1)


@njit(nogil=True, error_model="numpy")
def adam_update(M, V, mean, beta1, beta2, phi, alpha, t):
    """Do step t = 1, 2, ... of Adam (Algorithm 2): update the moments, overwrite mean by M / (sqrt V + phi), return alpha_t."""
    for j in range(mean.shape[0]):
        M[j] = beta1 * M[j] + (1 - beta1) * mean[j]
        V[j] = beta2 * V[j] + (1 - beta2) * mean[j] ** 2
        mean[j] = M[j] / (np.sqrt(V[j]) + phi)
    return alpha * np.sqrt(1 - beta2**t) / (1 - beta1**t)


@njit(nogil=True, error_model="numpy")
def solve_in_place(S, X):
    """Overwrite X by S^-1 X for a symmetric positive definite matrix S, which is overwritten too.

    By elimination, because the library's solver takes seconds to compile.
    """
    n = S.shape[0]
    for k in range(n):
        for i in range(n):
            if i != k:
                factor = S[i, k] / S[k, k]
                for j in range(n):
                    S[i, j] -= factor * S[k, j]
                    X[i, j] -= factor * X[k, j]
    for i in range(n):
        for j in range(n):
            X[i, j] /= S[i, i]


@njit(nogil=True, error_model="numpy")
def change_subspace(codes, layout, r, old, new, M, V):
    """Transform the moments M and V as codes[1] asks where the projection changes from old to new, before a step t > 0.

    REPROJECTED   M becomes Q M and V becomes (Q * Q) V, Q = new' old (old' old)^-1. old (old' old)^-1 M is the shortest gradient with the
                  projection M: Q M is its projection by new, and (Q * Q) V the mean square of Q R where V is that of the rows of R and
                  they are uncorrelated. Blocks that are not projected keep theirs
    RESET         M and V are 0
    KEPT          nothing changes
    """
    if codes[1] == RESET:
        M[:], V[:] = 0.0, 0.0
    if codes[1] != REPROJECTED or M.shape[0] == 0:
        return
    at_P, m, v, S, Q = 0, np.empty(r), np.empty(r), np.empty((r, r)), np.empty((r, r))  # Q is the transpose of that above
    for k in range(layout.shape[0]):
        side, across, to = layout[k, SIDE], layout[k, ACROSS], layout[k, TO]
        if side == 0:
            continue
        for q in range(r):
            for s in range(r):
                S[q, s], Q[q, s] = 0.0, 0.0
                for i in range(at_P, at_P + side * r, r):
                    S[q, s] += old[i + q] * old[i + s]
                    Q[q, s] += old[i + q] * new[i + s]
        solve_in_place(S, Q)
        at_P += side * r
        for j in range(to, to + across):
            for q in range(r):
                m[q], v[q] = M[q * across + j], V[q * across + j]
                M[q * across + j], V[q * across + j] = 0.0, 0.0
            for q in range(r):
                for s in range(r):
                    M[q * across + j] += Q[s, q] * m[s]
                    V[q * across + j] += Q[s, q] ** 2 * v[s]


@njit(nogil=True, error_model="numpy")
def is_new_subspace(codes, F, t):
    """Return whether step t = 0, 1, ... uses a new subspace; the first step does. F is the number of steps of a subspace."""
    return t == 0 or (t + codes[2]) % F == 0


@njit(nogil=True, error_model="numpy")
def bias_correction_step(codes, F, t):
    """Return the number t of Adam's bias correction in step t = 0, 1, ...

    It counts from the start of the run, or from the last change of subspace where that reset the moments.
    """
    return t + 1 - max((t + codes[2]) // F * F - codes[2], 0) if codes[1] == RESET else t + 1


@njit(nogil=True, error_model="numpy")
def leading_singular_vectors(layout, r, G, P):
    """Write the r leading left singular vectors of every projected block of the gradient G (d,) to P, with a fixed sign.

    The largest entry of each vector in absolute value is positive. A block that is not finite keeps its P: the step that follows ends the
    run.
    """
    at_P = 0
    for k in range(layout.shape[0]):
        side, across, left, at, _ = layout[k]
        block, A = G[at : at + side * across].reshape((side, across) if left else (across, side)), np.empty((side, across))
        for i in range(side):
            for j in range(across):
                A[i, j] = block[i, j] if left else block[j, i]
        if side > 0 and np.isfinite(squared_norm(A.reshape(-1))):
            U, _, _ = np.linalg.svd(A, False)
            for q in range(r):
                top = np.argmax(np.abs(U[:, q]))
                for i in range(side):
                    P[at_P + i * r + q] = U[i, q] if U[top, q] > 0 else -U[i, q]
        at_P += side * r


@njit(nogil=True, error_model="numpy")
def projected_length(layout, r):
    """Return the number of entries of the projected gradient R of a layout and r."""
    total = 0
    for k in range(layout.shape[0]):
        total += layout[k, ACROSS] * (r if layout[k, SIDE] > 0 else 1)
    return total


@njit(nogil=True, error_model="numpy")
def dp_grape(gradient, value_gradient, data, params, x, layout, codes, alpha, C, sigma, r, F, beta1, beta2, phi, P, z, M, V, basis,
             batch, nominal, value, grad_norm_sq, clipped, tau, x_tau, t0):  # fmt: skip
    """Run Algorithm 1 (DP-GRAPE): project, clip, sum, add noise, update by Adam or SGD, map back; return how many steps ended finite."""
    steps, size = z.shape[0], projected_length(layout, r)
    g, R, mean = np.empty(x.shape[0]), np.empty(size), np.empty(size)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        now = t0 + t
        P_t = P[(now + codes[2]) // F - (t0 + codes[2]) // F]
        if is_new_subspace(codes, F, now):
            if now > 0:
                change_subspace(codes, layout, r, basis, P_t, M, V)
            if basis.shape[0] > 0:
                copy_to(basis, P_t)
        clipped[t] = write_private_mean(
            gradient, data, params, x, batch[t % len(batch)], nominal, layout, r, P_t, C, sigma, z[t], g, R, mean
        )
        rate = adam_update(M, V, mean, beta1, beta2, phi, alpha, bias_correction_step(codes, F, now)) if codes[0] else alpha
        subtract_update(layout, r, P_t, mean, rate, x)
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def dp_grape_blocks(gradient, value_gradient, data, params, x, layout, alpha, C, sigma, r, P, z, batch, nominal, value, grad_norm_sq,
                    clipped, tau, x_tau):  # fmt: skip
    """Run Algorithm 6: each flattened block is projected to r numbers by a fresh P per step; return how many steps ended finite.

    z has r numbers for each block, or r numbers that all blocks share.
    """
    codes, none = np.zeros(3, dtype=np.int64), np.empty(0)
    return dp_grape(gradient, value_gradient, data, params, x, layout, codes, alpha, C, sigma, r, 1, 0.0, 0.0, 0.0, P, z, none, none, none,
                    batch, nominal, value, grad_norm_sq, clipped, tau, x_tau, 0)  # fmt: skip


@njit(nogil=True, error_model="numpy")
def unprojected_layout(d):
    """Return the layout in which all of x, d numbers, is one block that is not projected."""
    return np.array([[0, d, 1, 0, 0]])


@njit(nogil=True, error_model="numpy")
def dp_adam(gradient, value_gradient, data, params, x, alpha, C, sigma, beta1, beta2, phi, z, M, V, batch, nominal, value, grad_norm_sq,
            clipped, tau, x_tau, t0):  # fmt: skip
    """Run Algorithm 3 (DP-Adam), or DP-SGD for empty M: clip full gradients, add noise, update; return how many steps ended finite."""
    steps, d = z.shape
    g, R, mean, P = np.empty(d), np.empty(d), np.empty(d), np.empty(0)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        clipped[t] = write_private_mean(
            gradient, data, params, x, batch[t % len(batch)], nominal, unprojected_layout(d), 1, P, C, sigma, z[t], g, R, mean
        )
        rate = adam_update(M, V, mean, beta1, beta2, phi, alpha, t0 + t + 1) if len(M) else alpha
        add_multiple(x, -rate, mean)
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def dp_sgd(gradient, value_gradient, data, params, x, alpha, C, sigma, z, batch, nominal, value, grad_norm_sq, clipped, tau, x_tau):
    """Run DP-SGD, Algorithm 3 of DP-GRAPE with the update of SGD, overwriting x; return how many steps ended finite."""
    none = np.empty(0)
    return dp_adam(gradient, value_gradient, data, params, x, alpha, C, sigma, 0.0, 0.0, 0.0, z, none, none, batch, nominal, value,
                   grad_norm_sq, clipped, tau, x_tau, 0)  # fmt: skip


@njit(nogil=True, error_model="numpy")
def low_rank_step(layout, codes, alpha, r, F, beta1, beta2, phi, G, R, M, V, basis, t, x):
    """Do step t of Algorithms 4 and 5 from a gradient G (d,): project it on its singular vectors, update the moments, move x.

    The subspaces, in `basis`, change every F steps to those of the SVD of G.
    """
    if is_new_subspace(codes, F, t):
        new = basis.copy()
        leading_singular_vectors(layout, r, G, new)
        if t > 0:
            change_subspace(codes, layout, r, basis, new, M, V)
        copy_to(basis, new)
    project_gradient(layout, r, basis, G, R, scratch_space(layout, r))
    rate = adam_update(M, V, R, beta1, beta2, phi, alpha, bias_correction_step(codes, F, t)) if codes[0] else alpha
    subtract_update(layout, r, basis, R, rate, x)


@njit(nogil=True, error_model="numpy")
def dp_galore(gradient, value_gradient, data, params, x, layout, codes, alpha, C, sigma, r, F, beta1, beta2, phi, z, M, V, basis, batch,
              nominal, value, grad_norm_sq, clipped, tau, x_tau, t0):  # fmt: skip
    """Run Algorithm 5 (DP-GaLore): clip and noise full gradients, then do a step of GaLore; return how many steps ended finite."""
    steps, d = z.shape[0], x.shape[0]
    g, own, G, R, P = np.empty(d), np.empty(d), np.empty(d), np.empty(projected_length(layout, r)), np.empty(0)
    for t in range(steps):
        if t == tau:
            copy_to(x_tau, x)
        clipped[t] = write_private_mean(
            gradient, data, params, x, batch[t % len(batch)], nominal, unprojected_layout(d), 1, P, C, sigma, z[t], g, own, G
        )
        low_rank_step(layout, codes, alpha, r, F, beta1, beta2, phi, G, R, M, V, basis, t0 + t, x)
        if not record_and_check(value_gradient, data, params, x, t, value, grad_norm_sq):
            return t
    return steps


@njit(nogil=True, error_model="numpy")
def galore(gradient, value_gradient, data, params, x, layout, codes, alpha, r, F, beta1, beta2, phi, M, V, basis, batch, nominal,
           value, grad_norm_sq, tau, x_tau, t0):  # fmt: skip
    """Run Algorithm 4 (GaLore) with the gradient of the batch, neither clipped nor private; return how many steps ended finite."""
    steps = value.shape[0]
    return dp_galore(gradient, value_gradient, data, params, x, layout, codes, alpha, np.inf, 0.0, r, F, beta1, beta2, phi,
                     np.zeros((steps, 1)), M, V, basis, batch, nominal, value, grad_norm_sq, np.empty(steps), tau, x_tau, t0)  # fmt: skip
