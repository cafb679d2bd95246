"""Spectra on the command line: parse a name, or read eigenvalues from a file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from synthetic.draws import FloatArray

WORDS = "flat, inverse_sqrt, inverse, power:P for eigenvalues i^-P, or a file with an eigenvalue, and optionally its multiplicity, per line"
NEEDED = "a value, or a value and its multiplicity, is needed"


def parse_spectrum(text: str) -> Any:
    """Return the spectrum that an option's text gives: a valid name unchanged, or the eigenvalues in a file of that name."""
    from synthetic.spectra import NAMED, spectrum_exponent

    try:
        spectrum_exponent(text)
    except ValueError:
        file = Path(text)
        if not file.is_file():
            raise argparse.ArgumentTypeError(f"{text!r}: {NAMED}, or the name of a file is needed") from None
        try:
            return read_spectrum(file)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error).removeprefix("spectrum = ")) from None
    return text


def parse_names(text: str) -> tuple[str, ...]:
    """Return the names of spectra in a text such as "flat,inverse"; raise ArgumentTypeError for an invalid name."""
    from synthetic.spectra import NAMED, spectrum_exponent

    parts = tuple(text.split(","))
    for part in parts:
        try:
            spectrum_exponent(part)
        except ValueError:
            raise argparse.ArgumentTypeError(f"{part!r}: {NAMED} is needed") from None
    return parts


def expand_spectrum(given: str | list[Any]) -> str | FloatArray:
    """Return a named spectrum unchanged, or all eigenvalues as an array, pairs (value, multiplicity) repeated."""
    import numpy as np

    from synthetic.memory import check_memory

    if isinstance(given, str):
        return given
    pairs = [one if isinstance(one, tuple | list) else (one, 1.0) for one in given]
    sizes = [size for _, size in pairs]
    if any(size != int(size) or size < 1 for size in sizes):
        raise ValueError("spectrum: multiplicities that are whole numbers of at least 1 are needed")
    check_memory(8 * sum(map(int, sizes)), eigenvalues=int(sum(sizes)))
    return np.repeat([value for value, _ in pairs], [int(size) for size in sizes])


def read_spectrum(file: Path) -> list[float] | list[tuple[float, float]]:
    """Read a spectrum from a text file: eigenvalues, one per line, or pairs (value, multiplicity); text after # is ignored."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"spectrum = {str(file)!r}: it cannot be read as text ({error})") from None
    found = []
    for number, line in enumerate(lines, 1):
        words = line.partition("#")[0].replace(",", " ").split()
        try:
            values = [float(word) for word in words]
        except ValueError:
            values = [0.0] * 3
        if len(values) > 2:
            raise ValueError(f"spectrum = {str(file)!r}: line {number}: {line.strip()!r:.60}: {NEEDED}")
        if values:
            found.append(values)
    if not found:
        raise ValueError(f"spectrum = {str(file)!r}: it has no line with an eigenvalue; {NEEDED}")
    if all(len(one) == 1 for one in found):
        return [value for (value,) in found]
    return [(one[0], one[1] if len(one) == 2 else 1.0) for one in found]
