"""What the ledger of DP-GRAPE must keep: the subjects of its errata, and which of its claims and proofs take long."""

from tests.papers.parts import kept

globals().update(kept("dp_grape"))
