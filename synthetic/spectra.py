"""Spectra by name: eigenvalues i^-P for i = 1..d, under the names that all functions and commands accept."""

import numpy as np

from synthetic.draws import FloatArray
from synthetic.validate import short_repr

EXPONENTS = {"flat": 0.0, "inverse_sqrt": 0.5, "inverse": 1.0}  # DPZero, Section 5
LOW, HIGH = 0.0, 8.0  # exponents of power:P
NAMED = f"{', '.join(EXPONENTS)} or power:P, eigenvalues i^-P with P from {LOW:g} to {HIGH:g}"


def spectrum_exponent(spectrum: str, name: str = "spectrum") -> float:
    """Return the exponent P of the eigenvalues i^-P of a spectrum given as a name or as "power:P"; raise ValueError for others."""
    name_of = spectrum if isinstance(spectrum, str) else ""
    if name_of in EXPONENTS:
        return EXPONENTS[name_of]
    word, _, text = name_of.partition(":")
    try:
        exponent = float(text)
    except ValueError:
        exponent = np.nan
    if word != "power" or not LOW <= exponent <= HIGH:
        raise ValueError(
            f"{name} = {short_repr(spectrum)}: one of {', '.join(EXPONENTS)}, power:P with P from {LOW:g} to {HIGH:g}, "
            "an array of eigenvalues, or pairs (value, multiplicity) are needed"
        )
    return exponent


def named_eigenvalues(spectrum: str, d: int, name: str = "spectrum") -> FloatArray:
    """Return the eigenvalues (d,) of a spectrum given by name, i^-P for i = 1..d."""
    i, exponent = np.arange(1.0, d + 1.0), spectrum_exponent(spectrum, name)
    if exponent == 0.0:
        return np.ones(d)
    found: FloatArray = 1.0 / (np.sqrt(i) if exponent == 0.5 else i if exponent == 1.0 else i**exponent)
    return found
