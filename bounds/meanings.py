"""What holds by what the letters of the glossary stand for: the lines that a proof may take as meanings.

Limits of a letter (n >= 1, r <= d, a probability is at most 1) are lines already, see `bounds.derivation.limits_of`.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from bounds.lines import Step, line
from bounds.symbols import GLOSSARY, T, d, gap, symbols

F_first, F_last, F_now, F_next, F_star = symbols("F_first F_last F_now F_next F_star")
F_Q_last, F_Q_now, F_Q_next = symbols("F_Q_last F_Q_now F_Q_next")
W, W_clear, W_clipped, p_t, q_t, q, s_t = symbols("W W_clear W_clipped p_t q_t q s_t")
G_H, G_H_clear, G_H_clipped, u_H, u_H_clear, u_H_clipped = symbols("G_H G_H_clear G_H_clipped u_H u_H_clear u_H_clipped")
grad_G, grad_G_clear, grad_G_clipped, drop_t, drop_Q, drop_late = symbols("grad_G grad_G_clear grad_G_clipped drop_t drop_Q drop_late")
u_norm, slope, estimate_norm, bias_sq, bias_norm = symbols("u_norm slope estimate_norm bias_sq bias_norm")
D_all, D_now, D_rest, D_last, D_end, D_over = symbols("D_all D_now D_rest D_last D_end D_over")

GAP = line("gap", gap, "=", F_first - F_star).says("gap = F_S(x_0) - F_S^*").meaning()
LAST_ABOVE_LEAST = (
    line("last_above_least", F_last, ">=", F_star).says("F_S^* is the smallest value, so F_S(x_T) is at least that").meaning()
)
Q_LAST_ABOVE_LEAST = line("Q_last_above_least", F_Q_last, ">=", F_star).says("F_S^* is the smallest value, given Q too").meaning()
NOW_ABOVE_LEAST = line("now_above_least", F_now, ">=", F_star).says("F_S^* is the smallest value").meaning()
STEP_ABOVE_LEAST = (
    NOW_ABOVE_LEAST,
    line("next_above_least", F_next, ">=", F_star).says("F_S^* is the smallest value").meaning(),
)
Q_STEP_ABOVE_LEAST = (
    line("now_above_least", F_Q_now, ">=", F_star).says("F_S^* is the smallest value, given Q too").meaning(),
    line("next_above_least", F_Q_next, ">=", F_star).says("F_S^* is the smallest value, given Q too").meaning(),
)
FIRST_ABOVE_LEAST = line("first_above_least", F_first, ">=", F_star).says("F_S^* is the smallest value").meaning()
ON_THE_SPHERE = line("on_the_sphere", u_norm, "=", sp.sqrt(d)).says("the direction u_t is on the sphere of radius sqrt(d)").meaning()
ESTIMATE = line("estimate", estimate_norm, "=", slope * u_norm).says("a two-point gradient is the difference times the direction").meaning()
BIAS_IS_A_NORM = line("bias_is_a_norm", bias_sq, "=", bias_norm**2).says("the bias of the smoothed gradient, squared").meaning()
CLIPPED_OR_NOT = (  # total probability: step t clips nothing, or something
    line("total_mean", W, "=", p_t * W_clear + q_t * W_clipped).says("W over Q_t and its complement").meaning(),
    line("total_G_H", G_H, "=", p_t * G_H_clear + q_t * G_H_clipped).says("G'HG over Q_t and its complement").meaning(),
    line("total_u_H", u_H, "=", p_t * u_H_clear + q_t * u_H_clipped).says("u'Hu over Q_t and its complement").meaning(),
    line("total_grad_G", grad_G, "=", p_t * grad_G_clear + q_t * grad_G_clipped)
    .says("<grad F_S, G> over Q_t and its complement")
    .meaning(),
)
NO_STEP_CLIPS = (  # Q is inside Q_t
    line("total_drop", p_t * drop_t, "=", (1 - q) * drop_Q + s_t * drop_late)
    .says("the decrease on Q_t, over Q and the rest of Q_t")
    .meaning(),
    line("step_or_any", q_t, "<=", q).says("a step that clips is one that clips").meaning(),
    line("other_or_any", s_t, "<=", q).says("another step that clips is one that clips").meaning(),
)
OVER_Q = (  # total probability: no step clips, or some step does
    line("total_gap", D_all, "=", D_now + D_rest).says("F_S(x_t) - F_S^* over Q and its complement").meaning(),
    line("total_last", D_last, "=", D_end + q * D_over).says("F_S(x_T) - F_S^* over Q and its complement").meaning(),
)

GIVEN_PROBABILITIES = ("omega", "omega_0", "delta")
BELOW_ONE = {name: line(f"{name} < 1", GLOSSARY[name].symbol, "<", 1).says("a probability").meaning() for name in GIVEN_PROBABILITIES}

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

ROUND = {T, Gamma, Q, d}  # numbers of these tables that a page without a theorem may say, in numbers that the reader may choose

grad_sq, mean_grad_sq, grad_norm, err_norm = symbols("grad_sq mean_grad_sq grad_norm err_norm")

AVERAGES = {grad_sq: mean_grad_sq}  # of a letter of a step: the letter for its average over the steps t = 0, ..., T - 1
RUNS = [  # letters for one thing at t, at t + 1, at 0 and at T: their differences telescope
    (F_now, F_next, F_first, F_last),
    (F_Q_now, F_Q_next, F_first, F_Q_last),  # given Q; x_0 is fixed
]

NAMED = (  # what a page may write for letters of these tables
    (drop_t, F_now - F_next),
    (drop_Q, F_Q_now - F_Q_next),
    (D_now, F_now - F_star),
    (D_now, (1 - q) * (F_Q_now - F_star)),
)


def introduce_average(of: Any, mean: Any) -> None:
    """Say for this process that a letter stands for the average of another over the steps; the same twice is fine.

    Raises ValueError if the average of that letter has another name already, or if the letter is not one of a step.
    """
    others = {other for letter, other in AVERAGES.items() if letter != of}
    if mean in others or GLOSSARY[mean.name].per_step or AVERAGES.get(of, mean) != mean or not GLOSSARY[of.name].per_step:
        raise ValueError(f"mean = {mean}: a letter of a step, {of}, and the one letter that stands for its average alone are needed")
    AVERAGES[of] = mean


def introduce_run(now: Any, after: Any, first: Any, last: Any) -> None:
    """Say for this process which letters stand for one quantity at t, at t + 1, at 0 and at T; the same twice is fine.

    Raises ValueError if one of the first two has another run already, or is not a letter of a step.
    """
    run = (now, after, first, last)
    taken = [one for one in RUNS if {now, after} & {*one[:2]} and one != run]
    ends = {one for other in RUNS for one in other[2:]}
    meant = set().union(*(one.letters for one in MEANINGS)) - ends
    if taken or meant & {*run} or not all(GLOSSARY[one.name].per_step for one in (now, after)):
        raise ValueError(f"now = {now}: two letters of a step without another run are needed")
    if run not in RUNS:
        RUNS.append(run)


MEANINGS: tuple[Step, ...] = (
    *(GAP, LAST_ABOVE_LEAST, Q_LAST_ABOVE_LEAST, FIRST_ABOVE_LEAST, ON_THE_SPHERE, ESTIMATE, BIAS_IS_A_NORM),
    *STEP_ABOVE_LEAST,
    *Q_STEP_ABOVE_LEAST,
    *CLIPPED_OR_NOT,
    *NO_STEP_CLIPS,
    *OVER_Q,
    *BELOW_ONE.values(),
    *(CHANGE, SUM_GRAD, SUM_ERR, PSI),
    *ROUNDED,
)
