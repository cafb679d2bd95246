"""The formulas of DP-ZOPO as its text prints them: the one foreign transcription, from the paper and not from `bounds`.

Only the letters are shared with the theory.
"""

from collections.abc import Mapping
from typing import Any

SPELLING: Mapping[str, Any] = {}
RIGHT: Mapping[str, Any] = {}
