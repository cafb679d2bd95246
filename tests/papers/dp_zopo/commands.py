"""DP-ZOPO on the command line and at the front door: options at values that are no defaults, calls to be spoilt, and its figures."""

from typing import Any

TRIED: dict[Any, Any] = {}
REQUIRED: dict[Any, Any] = {}
LEFT_OUT: dict[Any, Any] = {}
CALLS: dict[str, Any] = {}
RECOMMENDED: list[Any] = []
LOOSE: list[Any] = []
NUMBERS: tuple[str, ...] = ()
LESS: dict[str, str] = {}
RECORDS: dict[str, str] = {}


def pictures():
    """Figures of made-up numbers."""
    return {}
