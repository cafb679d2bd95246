"""The letters of DP-GRAPE; the paper's L, r, B and kappa stand under names that are free, its Gamma, lambda and eta under the shared ones."""

from bounds.letter import Letter

LETTERS = (
    Letter("layers", "L", "number of layers, the blocks that are projected", 1, 1e4, "problem"),
    Letter("spread", "D", "bound on F(w) - F^* at every w", 1e-6, 1e6, "problem"),
    Letter("block", "k", "entries of the largest block, or rows of the largest layer, that is projected", 1, 1e11, "problem"),
    Letter("subspace", "r", "dimension of the subspace that a layer is projected to", 1, 1e5, "schedule"),
    Letter("batch", "B", "number of samples of a batch", 1, "n", "schedule"),
    Letter("stretch", r"\kappa", "by how much a projection and its transpose stretch a squared length in the mean", 1, 1e12, "abbreviation"),
    Letter("clip_ratio", "K", "clipping threshold over the Lipschitz constant", 1e-3, 1e3, "abbreviation"),
    Letter("log_inverse", r"\log(1/\delta)", "log(1/delta)", 1e-3, 100, "abbreviation"),
)
