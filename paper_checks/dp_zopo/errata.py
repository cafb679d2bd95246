"""The errata of the DP-ZOPO paper. Numbers never change: what is new comes last."""

from paper_checks.errata import Erratum

ERRATA: tuple[Erratum, ...] = ()
