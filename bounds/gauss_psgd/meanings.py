"""What holds by what the letters of Gauss-PSGD stand for: sums and means over a round, the size of an error, numbers rounded up."""

import sympy as sp

from bounds.derivation import below_one
from bounds.lines import line
from bounds.symbols import GLOSSARY, F_first, F_last, T, d, symbols

BELOW_ONE = {name: below_one(GLOSSARY[name]) for name in ("omega", "omega_0")}

change, sum_grad, sum_err, mean_grad, mean_err = symbols("change sum_grad sum_err mean_grad mean_err")
psi, sampling_error, added_noise = symbols("psi sampling_error added_noise")
CHANGE = line("change", change, "=", F_last - F_first).says("the change of F from the first to the last step").meaning()
SUM_GRAD = line("sum_grad", sum_grad, "=", T * mean_grad).says("a sum is its mean times the number of steps").meaning()
SUM_ERR = line("sum_err", sum_err, "=", T * mean_err).says("a sum is its mean times the number of steps").meaning()
PSI = line("psi", psi, "=", sp.sqrt(sampling_error**2 + added_noise**2 * d)).says("psi^2 = sigma^2 + r^2 d").meaning()

Gamma, Gamma_whole, Q, Q_whole = symbols("Gamma Gamma_whole Q Q_whole")
ROUNDED = (
    line("Gamma_up", Gamma_whole, ">=", Gamma).says("Gamma is rounded up").meaning(),
    line("Gamma_next", Gamma_whole, "<=", Gamma + 1).says("Gamma is rounded up").meaning(),
    line("Q_up", Q_whole, ">=", Q).says("Q is rounded up").meaning(),
    line("Q_next", Q_whole, "<=", Q + 1).says("Q is rounded up").meaning(),
)

ROUND = (Gamma, Q)  # numbers that a page without a theorem may say
MEANINGS = (*BELOW_ONE.values(), CHANGE, SUM_GRAD, SUM_ERR, PSI, *ROUNDED)
