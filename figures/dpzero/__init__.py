"""Figures of DPZero: `synthetic`, Figures 1 to 3; `scale`, Figure 1 up to d = 10^12; `tuned`, settings chosen without data."""
