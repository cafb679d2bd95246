"""The one glossary: every letter of every theorem, with its LaTeX, its meaning and the range it is tried on.

A formula, a value passed to `Theorem.evaluate`, a constant of an objective and a point of a numerical attack all use these
names. `low` and `high` bound the points at which a proof step is attacked; a `high` that is a name ("d") is that letter's value.
A theorem in a file of your own may need a letter of its own: `introduce` adds it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from keyword import iskeyword
from typing import Any

import sympy as sp

OF_A_STEP = {  # letters of proofs that stand for something else at every step, beside those that end in _t
    "grad_norm", "est_norm", "err_norm", "grad_est", "grad_old", "grad_new", "err_old", "away", "away_2", "x_hat", "Delta_x", "zeta_hat",
    "xi_hat", "P_h", "P_sg", "P_p", "slope", "estimate_norm", "u_norm", "apart", "noise_part", "rest_part", "hessian_part",
    "sampling_part", "step_diff", "xi_new", "power", "drift", "t_count", "steps_taken", "a_t_sq", "b_frak", "sample_grad", "sample_norm",
    "earlier", "noise_variance", "p_up_to", "p_up_to_next", "rest_next",
}  # fmt: skip


@dataclass(frozen=True)
class Letter:
    """One symbol: `name` in code, `latex` on paper, `words` for a reader, `low` to `high` for an attack."""

    name: str
    latex: str
    words: str
    low: float
    high: float | str
    role: str  # "problem", "schedule", "abbreviation"; in proofs "proof", "probability", or "step" for what changes from step to step
    symbol: Any = field(init=False, compare=False)

    def __post_init__(self) -> None:
        if self.low > 0:
            symbol = sp.Symbol(self.name, positive=True)
        elif self.low == 0:
            symbol = sp.Symbol(self.name, nonnegative=True)
        else:
            symbol = sp.Symbol(self.name, real=True)
        object.__setattr__(self, "symbol", symbol)

    @property
    def per_step(self) -> bool:
        """Whether the letter stands for something else at every step."""
        return self.role == "step" or self.name.endswith("_t") or self.name in OF_A_STEP


LETTERS = (
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
    # second-order stationary points (Gauss-PSGD): the paper's own letters, its alpha, r, sigma, mu, kappa and C under names that are free
    Letter("m", "m", "number of clients", 1, 1e6, "problem"),
    Letter("U", "U", "bound on the largest value minus the smallest value of F", 1e-6, 1e6, "problem"),
    Letter("curvature", r"\gamma", "minus the smallest eigenvalue of the Hessian at the saddle", 1e-6, 1e3, "problem"),
    Letter("omega", r"\omega", "probability of failure", 1e-12, 0.999, "problem"),
    Letter("psi", r"\psi", "size of the error of a gradient, sqrt(sigma^2 + r^2 d)", 1e-9, 1e3, "problem"),
    Letter("sampling_error", r"\sigma", "norm-subGaussian constant of the sampling error of a gradient", 1e-9, 1e3, "problem"),
    Letter("added_noise", "r", "standard deviation per coordinate of the Gaussian noise in a gradient", 1e-9, 1e3, "problem"),
    Letter("accuracy", r"\alpha", "accuracy of a second-order stationary point", 1e-9, 1e6, "schedule"),
    Letter("eta", r"\eta", "step size of Gauss-PSGD", 1e-15, 1e2, "schedule"),
    Letter("chi", r"\chi", "error of a gradient estimate that is allowed for, a quarter of the accuracy", 1e-9, 1e6, "schedule"),
    Letter("Gamma", r"\Gamma", "most steps of a round of escape", 1, 1e18, "schedule"),
    Letter("Q", "Q", "most rounds of an escape phase", 1, 1e4, "schedule"),
    Letter("Gamma_whole", r"\lceil\Gamma\rceil", "most steps of a round of escape, rounded up", 1, 1e18, "schedule"),
    Letter("Q_whole", r"\lceil Q\rceil", "most rounds of an escape phase, rounded up", 1, 1e4, "schedule"),
    Letter("radius", r"\mathcal{R}", "distance that counts as an escape", 1e-12, 1e3, "schedule"),
    Letter("decrease", r"\Phi", "claimed decrease of F by an escape", 1e-30, 1e6, "schedule"),
    Letter("drift_limit", r"\kappa", "drift at which a fresh gradient is asked for", 1e-30, 1e3, "schedule"),
    Letter("b_1", "b_1", "samples of a fresh gradient", 1, 1e12, "schedule"),
    Letter("b_2", "b_2", "samples of a gradient difference", 1, 1e12, "schedule"),
    Letter("s", "s", "the absolute constant s of the parameter block", 1, 1e6, "abbreviation"),
    Letter("log_factor", r"\mu", "the logarithmic factor mu of the parameter block", 1, 100, "abbreviation"),
    Letter("iota", r"\iota", "s times the logarithmic factor", 1, 1e7, "abbreviation"),
    Letter("C_abs", "C", "the absolute constant C of the parameter block", 1e-3, 1e3, "abbreviation"),
    Letter("c_abs", "c", "an absolute constant of the concentration lemmas", 1e-3, 1e3, "abbreviation"),
    # letters of the proofs: expectations over the randomness of the step in question unless the words say otherwise
    Letter("F_now", "F_S(x_t)", "expected loss at step t", -1e3, 1e3, "step"),
    Letter("F_next", "F_S(x_{t+1})", "expected loss at step t + 1", -1e3, 1e3, "step"),
    Letter("F_first", "F_S(x_0)", "loss at the start", -1e3, 1e3, "proof"),
    Letter("F_last", "F_S(x_T)", "expected loss at the end", -1e3, 1e3, "proof"),
    Letter("F_Q_now", r"\mathbb{E}[F_S(x_t)\mid Q]", "expected loss at step t when no step clips", -1e3, 1e3, "step"),
    Letter("F_Q_next", r"\mathbb{E}[F_S(x_{t+1})\mid Q]", "expected loss at step t + 1 when no step clips", -1e3, 1e3, "step"),
    Letter("F_Q_last", r"\mathbb{E}[F_S(x_T)\mid Q]", "expected loss at the end when no step clips", -1e3, 1e3, "proof"),
    Letter("F_star", "F_S^*", "smallest value of the loss", -1e3, 1e3, "proof"),
    Letter("grad_sq", r"\|\nabla F_S(x_t)\|^2", "squared norm of the gradient", 0, 1e6, "step"),
    Letter("mean_grad_sq", r"\mathbb{E}\|\nabla F_S(x_\tau)\|^2", "squared gradient norm, averaged over the steps", 0, 1e6, "proof"),
    Letter("smooth_sq", r"\|\nabla F_\lambda(x_t)\|^2", "squared norm of the smoothed gradient", 0, 1e6, "step"),
    Letter("grad_smooth", r"\langle\nabla F_S,\nabla F_\lambda\rangle", "gradient times smoothed gradient", -1e6, 1e6, "step"),
    Letter("bias_sq", r"\|\nabla F_S-\nabla F_\lambda\|^2", "squared bias of the smoothed gradient", 0, 1e6, "step"),
    Letter("bias_norm", r"\|\nabla F_S-\nabla F_\lambda\|", "norm of the bias of the smoothed gradient", 0, 1e3, "step"),
    Letter("G_sq", r"\|G_\lambda\|^2", "squared norm of the mean two-point gradient", 0, 1e6, "step"),
    Letter("G_H", r"\|G_\lambda\|_H^2", "G' H G, the two-point gradient in the norm of H", 0, 1e6, "step"),
    Letter("z_sq", r"\|z_t\|^2", "squared norm of the noise", 0, 1e6, "step"),
    Letter("z_H", r"\|z_t\|_H^2", "z' H z, the noise in the norm of H", 0, 1e6, "step"),
    Letter("u_H", "u^{\\top}Hu", "u' H u", 0, 1e6, "step"),
    Letter("grad_H", r"\|\nabla F_S(x_t)\|_H^2", "the gradient in the norm of H", 0, 1e6, "step"),
    Letter("grad_G", r"\langle\nabla F_S,G_\lambda\rangle", "inner product of gradient and two-point gradient", -1e6, 1e6, "step"),
    Letter("grad_z", r"\langle\nabla F_S,z_t\rangle", "inner product of gradient and noise", -1e6, 1e6, "step"),
    Letter("G_z", r"\langle G_\lambda,z_t\rangle", "inner product of two-point gradient and noise", -1e6, 1e6, "step"),
    Letter("u_norm", r"\|u_t\|", "length of the direction", 1e-3, 1e6, "proof"),
    Letter("slope", r"\frac{|f(x+\lambda u)-f(x-\lambda u)|}{2\lambda}", "size of the two-point difference of a sample", 0, 1e9, "proof"),
    Letter("estimate_norm", r"\|g_i\|", "length of the two-point gradient of a sample", 0, 1e9, "proof"),
    Letter("a_sq", r"\|a\|^2", "squared norm of a fixed vector a", 1e-6, 1e6, "proof"),
    Letter("a_i", "a_i", "i-th coordinate of a", -1e3, 1e3, "proof"),
    Letter("a_j", "a_j", "j-th coordinate of a, j different from i", -1e3, 1e3, "proof"),
    Letter("a_H", "a^{\\top}Ha", "a' H a", -1e6, 1e6, "proof"),
    Letter("trace_H", r"\operatorname{Tr}(H)", "trace of a fixed square matrix", -1e6, 1e6, "proof"),
    Letter("w_1", "w_1", "E u_i^4", 0, 10, "proof"),
    Letter("w_2", "w_2", "E u_i^2 u_j^2, i different from j", 0, 10, "proof"),
    Letter("theta", r"\theta", "an angle", 0, 3.141592653589793, "proof"),
    Letter("gamma", r"\gamma", "a deviation on the unit sphere", 0, 10, "proof"),
    Letter("C_0", "C_0", "deviation of the linear term that still counts as no clipping", 0, 1e6, "proof"),
    Letter("deviation", "x", "how many standard deviations of the privacy loss epsilon lies above its mean", 0, 30, "proof"),
    Letter("W", "W", "mean of a non-negative random variable", 0, 1e6, "step"),
    Letter("W_clear", r"\mathbb{E}[W\mid Q_t]", "its mean when step t clips nothing", 0, 1e6, "step"),
    Letter("W_clipped", r"\mathbb{E}[W\mid\bar Q_t]", "its mean when step t clips something", 0, 1e6, "step"),
    Letter("grad_G_clear", r"\mathbb{E}[\langle\nabla F_S,G_\lambda\rangle\mid Q_t]", "gradient times step, unclipped", -1e6, 1e6, "step"),
    Letter("grad_G_clipped", r"\mathbb{E}[\langle\nabla F_S,G_\lambda\rangle\mid\bar Q_t]", "the same, clipping", -1e6, 1e6, "step"),
    Letter("G_H_clear", r"\mathbb{E}[\|G_\lambda\|_H^2\mid Q_t]", "G' H G, no clipping", 0, 1e6, "step"),
    Letter("G_H_clipped", r"\mathbb{E}[\|G_\lambda\|_H^2\mid\bar Q_t]", "G' H G, clipping", 0, 1e6, "step"),
    Letter("u_H_clear", r"\mathbb{E}[u^{\top}Hu\mid Q_t]", "u' H u, no clipping", 0, 1e6, "step"),
    Letter("u_H_clipped", r"\mathbb{E}[u^{\top}Hu\mid\bar Q_t]", "u' H u, clipping", 0, 1e6, "step"),
    Letter("drop_t", r"\mathbb{E}[F_S(x_t)-F_S(x_{t+1})\mid Q_t]", "decrease of the loss when step t clips nothing", -1e3, 1e3, "step"),
    Letter("drop_Q", r"\mathbb{E}[F_S(x_t)-F_S(x_{t+1})\mid Q]", "decrease when no step clips", -1e3, 1e3, "step"),
    Letter("drop_late", r"\mathbb{E}[F_S(x_t)-F_S(x_{t+1})\mid Q_t\cap\bar Q]", "decrease when another step clips", -1e3, 1e3, "step"),
    Letter("s_t", r"\mathbb{P}(Q_t\cap\bar Q)", "probability that step t clips nothing and another step something", 0, 1, "probability"),
    Letter("D_now", "D_t", "E[F_S(x_t) - F_S^* | Q] P(Q), or E[F_S(x_t) - F_S^*] without clipping", 0, 1e6, "step"),
    Letter("D_next", "D_{t+1}", "the same after step t", 0, 1e6, "step"),
    Letter("D_all", r"\mathbb{E}[F_S(x_t)-F_S^*]", "E[F_S(x_t) - F_S^*], clipped or not", 0, 1e6, "step"),
    Letter("D_rest", r"\mathbb{E}[F_S(x_t)-F_S^*\mid\bar Q]\mathbb{P}(\bar Q)", "E[F_S(x_t) - F_S^* | not Q] P(not Q)", 0, 1e6, "step"),
    Letter("D_first", "D_0", "D_t at the start", 0, 1e6, "proof"),
    Letter("D_end", "D_T", "D_t at the end", 0, 1e6, "proof"),
    Letter("D_last", r"\mathbb{E}F_S(x_T)-F_S^*", "expected loss at the end above the smallest one", 0, 1e6, "proof"),
    Letter("D_over", r"\mathbb{E}[F_S(x_T)-F_S^*\mid\bar Q]", "the same when some step clips", 0, 1e6, "proof"),
    Letter("p_t", r"\mathbb{P}(Q_t)", "probability that step t clips nothing", 1e-6, 1, "probability"),
    Letter("q_t", r"\mathbb{P}(\bar Q_t)", "probability that step t clips something", 0, 1, "probability"),
    Letter("T_star", "T^*", "the real number of steps that the theorem prescribes", 1e-3, 1e9, "proof"),
    Letter("D", "D", "d for Theorem 1, r + 2 for Theorems 2 and 3", 1, 1e11, "proof"),
    Letter("slack", "s", "factor left in the term of the smoothing radius", 0, 0.75, "proof"),
    Letter("excess", "f", "how far T^* is above its integer part", 0, 1, "proof"),
    Letter("a_T", "a", "coefficient of 1/T in the certified bound", 0, 1e9, "proof"),
    Letter("b_T", "b", "coefficient of T in the certified bound", 0, 1e9, "proof"),
    Letter("log_X", r"\log X", "logarithm of X, at least 1", 1, 140, "proof"),
    Letter("R", "R", "rate of a corollary under PL: 1 / (ell Y)", 1e-30, 1e3, "proof"),
    Letter("v", "v", "excess over 8 kappa D", 0, 0.125, "proof"),
    Letter("power", r"(1-x)^t", "t-th power of the contraction factor", 0, 1, "proof"),
    Letter("b_step", "b", "what one step adds", 0, 1e6, "proof"),
    Letter("x_step", "x", "one minus the contraction factor of a step", 1e-12, 0.125, "proof"),
    Letter("q", r"\mathbb{P}(\bar Q)", "probability that some step clips something", 0, 1, "probability"),
    # letters of the proofs of Gauss-PSGD; a coordinate is one along an eigenvector of the Hessian at the saddle
    Letter("t_count", "t", "number of steps since the start of a round, or of terms of a sum", 0, 1e9, "proof"),
    Letter("deviation_t", "t", "a deviation in a tail bound", 0, 1e6, "proof"),
    Letter("scale_low", "b", "the smaller end of a range for that sum", 1e-12, 1e6, "proof"),
    Letter("scale_high", "B", "the larger end of a range for that sum", 1e-12, 1e9, "proof"),
    Letter("zeta", r"\zeta", "norm-subGaussian constant of each term", 1e-9, 1e3, "proof"),
    Letter("matrix_variance", r"\sigma^2", "norm of the sum of the mean squares", 1e-9, 1e6, "proof"),
    Letter("matrix_bound", "B", "bound on the norm of each matrix", 1e-9, 1e6, "proof"),
    Letter("entry_scale", r"\max\|M_{ij}\|_{\psi_2}", "largest subGaussian norm of an entry", 1e-9, 1e6, "proof"),
    Letter("releases", "k", "number of releases that are composed", 1, 1e9, "proof"),
    Letter("steps_taken", "t", "number of steps taken since the saddle", 1, 1e9, "proof"),
    Letter("tau", r"\tau", "steps of a round that succeeds", 1, 1e9, "proof"),
    Letter("eigenvalue", "h", "an eigenvalue of the Hessian at the saddle", -1e3, 1e3, "proof"),
    Letter("x_hat", r"\hat x_t", "difference of the coupled iterates, a coordinate", -1e3, 1e3, "proof"),
    Letter("Delta_x", r"\Delta_t\hat x_t", "change of the Hessian times the difference, a coordinate", -1e3, 1e3, "proof"),
    Letter("zeta_hat", r"\hat\zeta_{t+1}", "difference of the coupled sampling errors, a coordinate", -1e3, 1e3, "proof"),
    Letter("xi_hat", r"\hat\xi_{t+1}", "difference of the coupled added noises, a coordinate", -1e3, 1e3, "proof"),
    Letter("P_h", r"\mathscr{P}_h(t)", "part of the difference that the change of the Hessian makes", -1e3, 1e3, "proof"),
    Letter("P_sg", r"\mathscr{P}_{sg}(t)", "part of the difference that sampling makes", -1e3, 1e3, "proof"),
    Letter("P_p", r"\mathscr{P}_p(t)", "part of the difference that the added noise makes", -1e3, 1e3, "proof"),
    Letter("growth", r"\eta\gamma", "growth of the difference per step", 1e-9, 1, "proof"),
    Letter("a_t_sq", r"\mathfrak{a}(t)^2", "sum of the squared growths since each step", 1, 1e30, "proof"),
    Letter("b_frak", r"\mathfrak{b}", "(1 + eta gamma)^t over the root of 2 eta gamma", 1e-3, 1e30, "proof"),
    Letter(
        "log_ratio", r"\log\frac{\mathcal{R}}{\eta r}", "logarithm of the distance of an escape over the noise of a step", 1, 60, "proof"
    ),
    Letter("away", r"\|x_t-\tilde x\|", "distance from the saddle", 0, 1e3, "proof"),
    Letter("away_2", r"\|x_t'-\tilde x\|", "the same for the coupled run", 0, 1e3, "proof"),
    Letter("p_one", r"\mathbb{P}(\text{one run escapes})", "probability that one run escapes in a round", 0, 1, "probability"),
    Letter("p_pair", r"\mathbb{P}(\text{a run of two escapes})", "probability that one of two coupled runs escapes", 0, 1, "probability"),
    Letter("omega_0", r"\omega_0", "probability that an escape phase fails", 1e-30, 0.999, "problem"),
    Letter("grad_norm", r"\|\nabla F(x_{t-1})\|", "norm of the gradient", 0, 1e3, "proof"),
    Letter("est_norm", r"\|\hat g_t\|", "norm of the private estimate of the gradient", 0, 1e3, "proof"),
    Letter("err_norm", r"\|\nu_t\|", "norm of the error of the estimate", 0, 1e3, "proof"),
    Letter("grad_est", r"\langle\nabla F(x_{t-1}),\hat g_t\rangle", "gradient times its estimate", -1e6, 1e6, "proof"),
    Letter("sum_grad", r"\sum\|\nabla F\|^2", "squared gradient norms, summed over the steps of a round", 0, 1e9, "proof"),
    Letter("sum_err", r"\sum\|\nu\|^2", "squared errors, summed over the steps of a round", 0, 1e9, "proof"),
    Letter("mean_grad", r"\overline{\|\nabla F\|^2}", "squared gradient norm, averaged over the steps of a round", 0, 1e6, "proof"),
    Letter("mean_err", r"\overline{\|\nu\|^2}", "squared error, averaged over the steps of a round", 0, 1e6, "proof"),
    Letter("change", r"F(x_{t_0+t})-F(x_{t_0})", "change of F over the steps of a round", -1e6, 1e6, "proof"),
    Letter("moved_sq", r"\|x_\tau-x_0\|^2", "squared distance that a round covers", 0, 1e6, "proof"),
    Letter("escapes", "N", "number of escape phases", 1, 1e30, "proof"),
    Letter("phases", r"n_{\mathrm{esc}}", "escape phases that a run enters", 1, 1e30, "proof"),
    Letter("normal_steps", r"n_{\mathrm{normal}}", "steps of a run outside escape phases", 0, 1e30, "proof"),
    Letter("resets", r"|\mathcal{T}|", "number of steps that reach the limit of the drift", 0, 1e12, "proof"),
    Letter("drift", r"\mathrm{drift}_t", "sum of squared movements since the last fresh gradient", 0, 1e3, "proof"),
    Letter("err_old", r"\nu_{t-1}", "error of the last estimate, a coordinate", -1e3, 1e3, "proof"),
    Letter("grad_old", r"\nabla F(x_{t-2})", "gradient one step ago, a coordinate", -1e3, 1e3, "proof"),
    Letter("grad_new", r"\nabla F(x_{t-1})", "gradient now, a coordinate", -1e3, 1e3, "proof"),
    Letter("step_diff", r"\mathcal{O}_2", "released gradient difference without its noise, a coordinate", -1e3, 1e3, "proof"),
    Letter("xi_new", r"\xi_t", "noise of the gradient difference, a coordinate", -1e3, 1e3, "proof"),
    Letter("A_rate", "n^{-1/3}", "rate of the error without privacy", 1e-30, 0.999, "proof"),
    Letter("beta_exp", r"\log_A B", "logarithm of the private rate to the base of the rate without privacy", 0.01, 10, "proof"),
    Letter("k_exp", r"\log_A\kappa", "logarithm of the limit of the drift to the base of the rate without privacy", 0.01, 10, "proof"),
    Letter("N_private", "N", "root of the number of clients times samples times epsilon", 1, 1e12, "proof"),
    Letter("p_fail", r"\mathbb{P}(\mathscr{P}_h+\mathscr{P}_{sg}\text{ large}\mid\mathcal{E})", "failure of Lemma 20", 0, 1, "probability"),
    Letter("p_noise", r"\mathbb{P}(\mathscr{P}_p\text{ large})", "probability that the part of the noise is large", 0, 1, "probability"),
    Letter(
        "p_rest", r"\mathbb{P}(\mathscr{P}_h+\mathscr{P}_{sg}\text{ small})", "probability that the others are small", 0, 1, "probability"
    ),
    Letter("sum_sq", r"\sum\zeta_i^2", "sum of squared norm-subGaussian constants", 1e-6, 1e6, "proof"),
)

GLOSSARY = {letter.name: letter for letter in LETTERS}


def introduce(letter: Letter) -> Any:
    """Add a letter to the glossary for this process and return its symbol; the same letter twice is fine.

    Raises ValueError if the name stands for something else already, cannot be an argument's name, or if `high` names no letter.
    """
    known = GLOSSARY.get(letter.name, letter)
    if known != letter:
        raise ValueError(f"name = {letter.name!r}: this letter means {known.words!r} already ({known}); another name is needed")
    if not letter.name.isidentifier() or iskeyword(letter.name):
        raise ValueError(f"name = {letter.name!r}: a name that Python allows for an argument is needed")
    if isinstance(letter.high, str) and letter.high not in GLOSSARY:
        raise ValueError(f"high = {letter.high!r}: a number or the name of a letter of the glossary is needed")
    return GLOSSARY.setdefault(letter.name, letter).symbol


def symbols(names: str) -> tuple[Any, ...]:
    """Return the glossary's symbols for names separated by spaces."""
    return tuple(GLOSSARY[name].symbol for name in names.split())


n, d, r, epsilon, delta, L, ell, gap, B, mu, rho, trace, sensitivity = symbols("n d r epsilon delta L ell gap B mu rho trace sensitivity")
alpha, T, C, lam, sigma = symbols("alpha T C lam sigma")
A, kappa, X, Y, L_tilde = symbols("A kappa X Y L_tilde")


class Min(sp.Min):
    """The smaller of expressions, left as written until they are numbers: SymPy's own takes 20 ms each time to try to compare them."""

    def __new__(cls, *args: Any, **_: Any) -> Any:
        """Compare numbers, and nothing else."""
        return super().__new__(cls, *args, evaluate=all(sp.sympify(arg).is_number for arg in args))


class Max(sp.Max):
    """The larger of expressions, left as written until they are numbers."""

    def __new__(cls, *args: Any, **_: Any) -> Any:
        """Compare numbers, and nothing else."""
        return super().__new__(cls, *args, evaluate=all(sp.sympify(arg).is_number for arg in args))


def latex(expression: Any) -> str:
    """Return LaTeX in the glossary's letters."""
    return str(sp.latex(expression, symbol_names={letter.symbol: letter.latex for letter in GLOSSARY.values()}, ln_notation=False))
