"""The letters of every theorem: those that the papers share, and those that each paper adds. This module does not need SymPy."""

from bounds.contents import declared
from bounds.letter import Letter
from bounds.papers import PAPERS

SHARED = (
    # problem constants
    Letter("n", "n", "number of samples", 1, 1e9, "problem"),
    Letter("d", "d", "number of parameters", 1, 1e11, "problem"),
    Letter("r", "r", "effective rank: Tr(H) <= r ||H||", 1, "d", "problem"),
    Letter("epsilon", r"\varepsilon", "privacy parameter epsilon", 1e-3, 1e3, "problem"),
    Letter("delta", r"\delta", "privacy parameter delta", 1e-15, 0.999, "problem"),
    Letter("L", "L", "Lipschitz constant of every sample's loss", 1e-3, 1e3, "problem"),
    Letter("ell", r"\ell", "smoothness constant", 1e-3, 1e3, "problem"),
    Letter("gap", r"\Delta_0", "F_S(x_0) - F_S^*", 0, 1e6, "problem"),
    Letter("B", "B", "bound on |F_S|", 0, 1e6, "problem"),
    Letter("mu", r"\mu", "constant of the PL inequality", 1e-6, "ell", "problem"),
    Letter("rho", r"\rho", "Lipschitz constant of the Hessian", 1e-3, 1e3, "problem"),
    Letter("trace", r"\operatorname{Tr}(H)", "trace of the matrix H that bounds the Hessian", 0, 1e6, "problem"),
    Letter("sensitivity", r"\Delta", "largest change of the released value when one sample is replaced", 1e-9, 1e3, "problem"),
    # schedule
    Letter("alpha", r"\alpha", "step size", 1e-9, 1e2, "schedule"),
    Letter("T", "T", "number of steps", 1, 1e9, "schedule"),
    Letter("C", "C", "clipping threshold", 1e-3, 1e6, "schedule"),
    Letter("lam", r"\lambda", "smoothing radius of the two-point estimate", 1e-12, 1e2, "schedule"),
    Letter("sigma", r"\sigma", "standard deviation per coordinate of the noise added to the mean", 1e-9, 1e3, "schedule"),
    # abbreviations
    Letter("A", "A", "log(e + epsilon/delta), at least 1", 1, 50, "abbreviation"),
    Letter("kappa", r"\kappa", "condition number ell/mu", 1, 1e6, "abbreviation"),
    Letter("X", "X", "argument of the logarithm in the clipping threshold", 1.01, 1e60, "abbreviation"),
    Letter("Y", "Y", "argument of the logarithm in the number of steps under PL", 1.01, 1e30, "abbreviation"),
    Letter("L_tilde", r"\tilde L", "L times the root of a logarithm; differs between theorems", 1e-3, 1e5, "abbreviation"),
    # proofs of descent
    Letter("F_now", "F_S(x_t)", "expected loss at step t", -1e3, 1e3, "step"),
    Letter("F_next", "F_S(x_{t+1})", "expected loss at step t + 1", -1e3, 1e3, "step"),
    Letter("F_first", "F_S(x_0)", "loss at the start", -1e3, 1e3, "proof"),
    Letter("F_last", "F_S(x_T)", "expected loss at the end", -1e3, 1e3, "proof"),
    Letter("F_star", "F_S^*", "smallest value of the loss", -1e3, 1e3, "proof"),
    Letter("grad_sq", r"\|\nabla F_S(x_t)\|^2", "squared norm of the gradient", 0, 1e6, "step"),
    Letter("mean_grad_sq", r"\mathbb{E}\|\nabla F_S(x_\tau)\|^2", "squared gradient norm, averaged over the steps", 0, 1e6, "proof"),
    Letter("a_sq", r"\|a\|^2", "squared norm of a fixed vector a", 1e-6, 1e6, "proof"),
    Letter("a_i", "a_i", "i-th coordinate of a", -1e3, 1e3, "proof"),
    Letter("a_j", "a_j", "j-th coordinate of a, j different from i", -1e3, 1e3, "proof"),
)


LETTERS = (*SHARED, *(letter for paper in PAPERS for letter in declared(paper, "glossary", "LETTERS")))
