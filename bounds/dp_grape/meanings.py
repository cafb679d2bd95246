"""What holds by what DP-GRAPE's letters stand for: total probability over what clips, and a batch of all samples."""

from bounds.lines import line
from bounds.symbols import F_next, F_now, n, symbols

inner_G, inner_G_clear, inner_G_clipped, p_t, q_t = symbols("inner_G inner_G_clear inner_G_clipped p_t q_t")
mapped_sq, mapped_sq_clear, mapped_sq_clipped = symbols("mapped_sq mapped_sq_clear mapped_sq_clipped")
noise_sq, noise_sq_clear, noise_sq_clipped = symbols("noise_sq noise_sq_clear noise_sq_clipped")
batch, partial, on_drop, off_drop = symbols("batch partial on_drop off_drop")

TOTAL_INNER = line("total_inner", inner_G, "=", p_t * inner_G_clear + q_t * inner_G_clipped).says("over Q_t and its complement").meaning()
TOTAL_G = line("total_G", mapped_sq, "=", p_t * mapped_sq_clear + q_t * mapped_sq_clipped).says("over Q_t and its complement").meaning()
TOTAL_NOISE = line("total_noise", noise_sq, "=", p_t * noise_sq_clear + q_t * noise_sq_clipped).says("the same for the noise").meaning()
TOTAL_DROP = line("total_drop", F_now - F_next, "=", on_drop + off_drop).says("over Q_t and its complement").meaning()
NOT_ALL = line("not_all", n - batch, "<=", (n - 1) * partial).says("1_{B<n} is 1 where B < n; where B = n, n - B is 0").meaning()

MEANINGS = (TOTAL_INNER, TOTAL_G, TOTAL_NOISE, TOTAL_DROP, NOT_ALL)
