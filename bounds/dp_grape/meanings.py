"""What holds by what DP-GRAPE's letters stand for: total probability over the event that a step would clip no sample."""

from bounds.lines import line
from bounds.symbols import F_next, F_now, symbols

on_drop, off_drop = symbols("on_drop off_drop")
TOTAL_DROP = line("total_drop", F_now - F_next, "=", on_drop + off_drop).says("what a step takes off the loss, over Q_t and not Q_t").meaning()
MEANINGS = (TOTAL_DROP,)
