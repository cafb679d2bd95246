"""JSON as RFC 8259 has it: no NaN and no Infinity."""

import json
import math


def strict_json(value: object, indent: int | None = None) -> str:
    """Return a nest of mappings, lists and numbers as JSON, with null for every number that is not finite."""
    return json.dumps(_finite(value), indent=indent, allow_nan=False)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
