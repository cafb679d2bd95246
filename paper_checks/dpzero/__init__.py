"""DPZero: experiments and checks."""
