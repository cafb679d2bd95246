"""JSON as RFC 8259 defines it, without NaN and Infinity."""

import json
import math


def strict_json(value: object, indent: int | None = None) -> str:
    """Return nested mappings, lists and numbers as JSON text, with null for every number that is not finite."""
    return json.dumps(_replace_non_finite(value), indent=indent, allow_nan=False)


def _replace_non_finite(value: object) -> object:
    """Return a copy of a nested value in which None replaces every float that is not finite."""
    if isinstance(value, dict):
        return {key: _replace_non_finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_replace_non_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
