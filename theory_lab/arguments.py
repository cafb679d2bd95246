"""What the command line takes for a number."""

from __future__ import annotations

import argparse


def whole(text: str) -> int:
    """Return the integer that a text means, 100 for "100" and "1e2"; what its size may be is checked where it is used."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        number = float(text)
        if number == int(number):
            return int(number)
    except (ValueError, OverflowError):
        pass
    raise argparse.ArgumentTypeError(f"{text!r}: a whole number is needed, such as 100 or 1e2")
