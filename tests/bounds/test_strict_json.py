"""JSON without the words that only Python reads."""

import json
import math

from bounds.strict_json import strict_json


def test_numbers_that_are_not_finite_become_null():
    nest = {"a": (1.5, math.nan, [math.inf, {"b": -math.inf, "c": "NaN"}]), "d": None, "e": True}

    def refuse(word):
        raise AssertionError(word)

    assert json.loads(strict_json(nest), parse_constant=refuse) == {"a": [1.5, None, [None, {"b": None, "c": "NaN"}]], "d": None, "e": True}


def test_finite_numbers_keep_every_digit():
    assert json.loads(strict_json({"x": 0.1 + 0.2}, indent=1)) == {"x": 0.1 + 0.2}
