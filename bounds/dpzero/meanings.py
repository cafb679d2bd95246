"""What holds by what DPZero's letters stand for: directions on the sphere, and what clips, by total probability."""

import sympy as sp

from bounds.lines import line
from bounds.symbols import F_first, F_next, F_now, F_star, d, symbols

F_Q_last, F_Q_now, F_Q_next = symbols("F_Q_last F_Q_now F_Q_next")
W, W_clear, W_clipped, p_t, q_t, q, s_t = symbols("W W_clear W_clipped p_t q_t q s_t")
G_H, G_H_clear, G_H_clipped, u_H, u_H_clear, u_H_clipped = symbols("G_H G_H_clear G_H_clipped u_H u_H_clear u_H_clipped")
grad_G, grad_G_clear, grad_G_clipped, drop_t, drop_Q, drop_late = symbols("grad_G grad_G_clear grad_G_clipped drop_t drop_Q drop_late")
u_norm, slope, estimate_norm, bias_sq, bias_norm = symbols("u_norm slope estimate_norm bias_sq bias_norm")
D_all, D_now, D_rest, D_last, D_end, D_over = symbols("D_all D_now D_rest D_last D_end D_over")

Q_LAST_ABOVE_LEAST = line("Q_last_above_least", F_Q_last, ">=", F_star).says("F_S^* is the smallest value, given Q too").meaning()
Q_STEP_ABOVE_LEAST = (
    line("now_above_least", F_Q_now, ">=", F_star).says("F_S^* is the smallest value, given Q too").meaning(),
    line("next_above_least", F_Q_next, ">=", F_star).says("F_S^* is the smallest value, given Q too").meaning(),
)
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

RUNS = ((F_Q_now, F_Q_next, F_first, F_Q_last),)  # given Q; x_0 is fixed
NAMED = (  # what a page may write for letters of these lines
    (drop_t, F_now - F_next),
    (drop_Q, F_Q_now - F_Q_next),
    (D_now, F_now - F_star),
    (D_now, (1 - q) * (F_Q_now - F_star)),
)
GIVEN_WHERE_SUMMED = ((drop_t, F_now),)
GIVEN_WHERE_SPOKEN_OF = ((D_now, F_now),)
MEANINGS = (
    *(Q_LAST_ABOVE_LEAST, ON_THE_SPHERE, ESTIMATE, BIAS_IS_A_NORM),
    *Q_STEP_ABOVE_LEAST,
    *CLIPPED_OR_NOT,
    *NO_STEP_CLIPS,
    *OVER_Q,
)
