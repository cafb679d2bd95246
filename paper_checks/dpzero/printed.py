r"""The formulas of DPZero as its texts print them, written down once more from the paper and not from `bounds`, and their LaTeX.

`bounds.dpzero` holds the same formulas as parts of proofs. Two transcriptions by two ways are two witnesses: a ledger that
borrowed its formulas from the theory it examines would agree with every slip of it. Only the letters are shared.

The LaTeX, in the names that end in _TEX, is what stands on the report under "as printed", letter by letter as the texts have it. The lab
abbreviates: A = log(e + epsilon/delta), Delta_0 or gap = F_S(x_0) - F_S^*, X and Y for the arguments of the logarithms in \tilde L^2 and
in the corollaries, R for a rate. The paper does none of that, so nothing there does. Where the ICML text, converted from its PDF, and the
arXiv text differ, the name says whose formula it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from bounds.dpzero.smoothing import along
from bounds.symbols import A, B, C, L, L_tilde, T, X, Y, alpha, d, delta, ell, epsilon, gap, kappa, lam, mu, n, r, sigma, symbols, trace

F_now, grad_sq, grad_G, G_H, a_sq, gamma, C_0 = symbols("F_now grad_sq grad_G G_H a_sq gamma C_0")
grad_G_clear, G_H_clear, u_H_clear, W, p_t, q_t, q, drop_Q = symbols("grad_G_clear G_H_clear u_H_clear W p_t q_t q drop_Q")

half = sp.Rational(1, 2)
root_d, root_r = sp.sqrt(d * A) / (n * epsilon), sp.sqrt(r * A) / (n * epsilon)
LOG_TERM = sp.log(sp.E + epsilon / delta)
SIGMA = 4 * C * sp.sqrt(2 * T * A) / (n * epsilon)  # Algorithms 1 and 2; a standard deviation
BIAS = ell / 2 * lam * d ** sp.Rational(3, 2)  # Lemma C.2 (ii)
SECOND_MOMENT = 2 * d * a_sq + ell**2 / 2 * lam**2 * d**3  # Lemma C.2 (ii), a = grad f(x)
TAIL = 2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C**2) / (8 * a_sq))  # Lemma C.1 (ii)
TAIL_L = 2 * sp.sqrt(2 * sp.pi) * sp.exp(-(C**2) / (8 * L**2))  # Section 4

# right-hand sides; (18) divided by P(Q_t), (16) without the linear part
EQUATIONS: Mapping[str, Any] = {
    "3": 16 * (gap * ell + 2 * L**2) * d * root_d,
    "5": 16 * (gap * ell + 2 * L**2) * d * root_r,
    "7": (64 * (gap * ell + L_tilde**2) + 2 * L**2) * root_r,
    "8": 2 * sp.sqrt(2 * sp.pi) * sp.exp(-d * gamma**2 / 8),
    "11": SECOND_MOMENT,
    "12": F_now
    - alpha / 2 * (1 - 2 * d * ell * alpha) * grad_sq
    + ell**2 / 8 * alpha * (1 + 2 * ell * alpha) * lam**2 * d**3
    + ell / 2 * alpha**2 * d * sigma**2,
    "13": F_now - alpha * grad_G + alpha**2 / 2 * G_H + alpha**2 * sigma**2 / 2 * trace,
    "14": 2 * along**2 + ell**2 / 2 * lam**2 * d**2,
    "15": F_now
    - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq
    + ell**2 * alpha * lam**2 * d**2 * (d + 2 * r * ell * alpha) / 8
    + ell * alpha**2 * r * sigma**2 / 2,
    "16": ell / 2 * lam * d,
    "17": F_now - alpha * grad_G_clear + alpha**2 / 2 * G_H_clear + alpha**2 * sigma**2 / 2 * u_H_clear,
    "18": W / p_t,
    "19": 2 * ell * (r + 2) / p_t * grad_sq + ell**3 * lam**2 * d**2 * r / (2 * p_t),
    "20": r * ell / p_t,
    "21": grad_sq / (2 * p_t) - ell**2 * lam**2 * d**3 / (8 * p_t) - L**2 * d * q_t / p_t,
    "22": F_now
    - alpha / 2 * (1 - 2 * (r + 2) * ell * alpha) * grad_sq / p_t
    + ell * alpha**2 * r * sigma**2 / (2 * p_t)
    + ell**2 * alpha * (d + 2 * ell * alpha * r) * lam**2 * d**2 / (8 * p_t)
    + alpha * L**2 * d * q_t / p_t,
    "23": 4 * drop_Q * (1 - q) / alpha + 2 * ell * alpha * r * sigma**2 + ell**2 * d**3 * lam**2 + (4 * L**2 * d + 8 * B / alpha) * q,
}


@dataclass(frozen=True)
class Page:
    """A statement as printed.

    before        the last bound of the proof in which the schedule is still free, in alpha, T, C, C_0, lam
    schedule      alpha, T, C and, where the proof has one, C_0
    lam           the end of the rule for lam that belongs to the bias;   lam_clipping  the other end, where there is one
    bound         the statement;   definitions  its abbreviations;   power  of s in the bound when f becomes s f: 2 of a squared gradient
    """

    before: Any
    schedule: Mapping[str, Any]
    lam: Any
    bound: Any
    definitions: Mapping[str, Any] = field(default_factory=lambda: {"A": LOG_TERM})
    power: int = 2
    lam_clipping: Any = None

    def in_constants(self, expression: Any) -> Any:
        """Return the expression with the schedule and every abbreviation replaced; lam stays."""
        for name, meaning in reversed([*self.definitions.items(), *self.schedule.items()]):
            expression = expression.xreplace({symbols(name)[0]: meaning})
        return expression

    def in_letters(self, expression: Any) -> Any:
        """Return the same with A, log(X) and log(Y) left as letters: quick to expand, and an identity in them is one in the constants."""
        meaning = {symbols(name)[0]: value for name, value in self.definitions.items()}
        for name, value in reversed([*self.schedule.items()]):
            expression = expression.xreplace({symbols(name)[0]: value})
        expression = expression.xreplace({L_tilde: meaning.get(L_tilde, L_tilde), kappa: ell / mu})
        expression = expression.xreplace({sp.log(X): sp.Symbol("log(X)", positive=True), sp.log(Y): sp.Symbol("log(Y)", positive=True)})
        return expression.xreplace({X: meaning.get(X, X), Y: meaning.get(Y, Y)}).xreplace({kappa: ell / mu})


X_3 = 2 * sp.sqrt(2 * sp.pi) * n**3 * epsilon**2 * (r + 2) * (d + 8 * ell * B * (r + 2) / L**2) / (r * A)
X_F4 = 32 * sp.sqrt(2 * sp.pi) * kappa * n**3 * epsilon**2 * (r + 2) * (d + (8 * ell * (r + 2) + mu) * B / L**2) / (r * A)
UNION = sp.exp(-(C_0**2) / (8 * L**2))
CONTRACTION = sp.exp(-mu * alpha * T / 2) * gap
RATE_F4 = r * A / (mu * n**2 * epsilon**2)

PAGES: Mapping[str, Page] = {
    "dpzero.theorem1": Page(
        before=4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + 64 * ell * L**2 * alpha * T * d**3 * A / (n**2 * epsilon**2),
        schedule={"alpha": 1 / (4 * ell * d), "T": n * epsilon / sp.sqrt(d * A), "C": L * d},
        lam=4 * L / (ell * d) * root_d**half,
        bound=EQUATIONS["3"],
    ),
    "dpzero.theorem2": Page(
        before=4 * gap / (alpha * T) + ell**2 * lam**2 * d**3 + 64 * ell * L**2 * alpha * T * d**2 * r * A / (n**2 * epsilon**2),
        schedule={"alpha": 1 / (4 * ell * (r + 2)), "T": n * (r + 2) * epsilon / (d * sp.sqrt(r * A)), "C": L * d},
        lam=4 * L / (ell * d) * root_r**half,
        bound=EQUATIONS["5"],
    ),
    "dpzero.theorem3": Page(
        before=4 * gap / (alpha * T)
        + 64 * ell * C**2 * alpha * T * r * A / (n**2 * epsilon**2)
        + ell**2 * d**3 * lam**2
        + 8 * sp.sqrt(2 * sp.pi) * n * T * (L**2 * d + 8 * ell * B * (r + 2)) * UNION,
        schedule={
            "alpha": 1 / (4 * ell * (r + 2)),
            "T": n * (r + 2) * epsilon / (4 * sp.sqrt(r * A)),
            "C": 4 * L_tilde,
            "C_0": sp.sqrt(8) * L * sp.sqrt(sp.log(X)),
        },
        lam=1 / (ell * d) * L / sp.sqrt(d) * root_r**half,
        lam_clipping=1 / (ell * d) * 4 * (2 - sp.sqrt(2)) * L_tilde,
        bound=EQUATIONS["7"],
        definitions={"A": LOG_TERM, "X": X_3, "L_tilde": L * sp.sqrt(sp.log(X))},
    ),
    "dpzero.corollary_f2": Page(
        before=CONTRACTION + 32 * ell * L**2 * alpha * T * d**3 * A / (mu * n**2 * epsilon**2) + ell**2 * lam**2 * d**3 / (2 * mu),
        schedule={"alpha": 1 / (4 * ell * d), "T": 8 * kappa * d * sp.log(Y), "C": L * d},
        lam=2 * L / ell * sp.sqrt(A) / (n * epsilon),
        bound=(ell * gap + 64 * L**2 * kappa * sp.log(Y) + 2 * L**2) * d**3 * A / (mu * n**2 * epsilon**2),
        definitions={"A": LOG_TERM, "kappa": ell / mu, "Y": n**2 * epsilon**2 / (kappa * d**3 * A)},
        power=1,
    ),
    "dpzero.corollary_f3": Page(
        before=CONTRACTION + 32 * ell * L**2 * alpha * T * r * d**2 * A / (mu * n**2 * epsilon**2) + ell**2 * lam**2 * d**3 / (2 * mu),
        schedule={"alpha": 1 / (4 * ell * (r + 2)), "T": 8 * kappa * (r + 2) * sp.log(Y), "C": L * d},
        lam=2 * L / (ell * sp.sqrt(d)) * root_r,
        bound=(ell * gap + 64 * L**2 * kappa * sp.log(Y) + 2 * L**2) * r * d**2 * A / (mu * n**2 * epsilon**2),
        definitions={"A": LOG_TERM, "kappa": ell / mu, "Y": n**2 * epsilon**2 / (kappa * r * d**2 * A)},
        power=1,
    ),
    "dpzero.corollary_f4": Page(
        before=CONTRACTION
        + 32 * ell * C**2 * alpha * T * r * A / (mu * n**2 * epsilon**2)
        + 4 * sp.sqrt(2 * sp.pi) * n * T * (L**2 * d + 2 * B / alpha + B * mu) / mu * UNION
        + ell**2 * lam**2 * d**3 / (2 * mu),
        schedule={
            "alpha": 1 / (4 * ell * (r + 2)),
            "T": 8 * kappa * (r + 2) * sp.log(Y),
            "C": L_tilde / 2,
            "C_0": sp.sqrt(8) * L * sp.sqrt(sp.log(X)),
        },
        lam=1 / (2 * ell * d) * 4 * L / sp.sqrt(d) * root_r,
        lam_clipping=1 / (2 * ell * d) * (2 - sp.sqrt(2)) * L_tilde,
        bound=(ell * gap + sp.log(Y) * (L**2 + 16 * L_tilde**2 * kappa) + 2 * L**2) * RATE_F4,
        definitions={
            "A": LOG_TERM,
            "kappa": ell / mu,
            "X": X_F4,
            "Y": n**2 * epsilon**2 / (kappa * r * A),
            "L_tilde": 8 * L * sp.sqrt(sp.log(X)),
        },
        power=1,
    ),
}

# Corollary F.4 as the ICML text prints it, in the statement and in the last line of the proof
F4_ICML = (ell * gap + sp.log(Y)) * (L**2 + 16 * L_tilde**2 * kappa) + 2 * L**2 * RATE_F4
