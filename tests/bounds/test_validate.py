"""Every number that enters a theorem passes one door: what it lets in, and as what; `synthetic` has its own, tested there."""

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from bounds import validate
from bounds.validate import convert_fields, float_array, is_real, short_repr, to_python_number, validated, validated_strictly


@validated
def told(x, *more, y=1.0, **rest):
    """Return what arrived."""
    return (x, *more, y, *rest.values())


@pytest.mark.parametrize(
    ("given", "arrived"),
    [
        (np.float32(0.5), 0.5), (np.float16(3.0), 3.0), (np.int8(127), 127), (np.uint64(2**63), 2**63), (np.bool_(True), True),
        (Fraction(1, 4), 0.25), (Fraction(4, 2), 2.0), (sp.Integer(3), 3), (sp.Rational(1, 8), 0.125), (True, True), (10**30, 10**30),
        ("a", "a"), (None, None), (1e308, 1e308),
    ],
)  # fmt: skip
def test_a_number_arrives_as_the_python_number_that_equals_it(given, arrived):
    for found in (told(given)[0], told(0, given)[1], told(0, y=given)[1], told(0, z=given)[2]):
        assert found == arrived
        assert type(found) is type(arrived)


@pytest.mark.parametrize("given", [Fraction(1, 3), sp.Rational(2, 3), Fraction(10**400, 3), np.longdouble(1) / 3])
def test_a_number_that_no_float_equals_is_refused_by_its_name(given):
    for call, name in ((lambda: told(given), "x"), (lambda: told(0, given, 7), "more"), (lambda: told(0, y=given), "y")):
        with pytest.raises(ValueError, match=rf"^{name} = .*: no float is equal to it; round it with float"):
            call()


def test_not_a_number_and_what_is_no_number_pass():
    assert math.isnan(to_python_number("x", np.float64("nan")))
    assert math.isinf(to_python_number("x", np.float32("inf")))
    array, words = np.ones(2), ["a"]
    assert told(array, words)[:2] == (array, words) or told(array)[0] is array
    assert to_python_number("x", Decimal("0.5")) == Decimal("0.5")
    assert to_python_number("x", 1j) == 1j


@pytest.mark.parametrize(
    "leaves",
    [
        lambda x: math.exp(1e6), lambda x: 1 / (x - x), lambda x: math.log(-x), lambda x: math.sqrt(-x), lambda x: math.acos(2 * x),
    ],
)  # fmt: skip
def test_an_overflow_is_told_with_the_numbers_that_were_given(leaves):
    @validated
    def f(x, *, flag=True, text="t"):
        return leaves(x)

    with pytest.raises(
        ValueError, match=r"^x = 2\.5: f cannot be computed in floating point with these numbers, less extreme ones are needed$"
    ) as caught:
        f(np.float64(2.5), flag=False, text="t")
    assert isinstance(caught.value.__cause__, ArithmeticError | ValueError)


def test_a_sentence_is_passed_on_and_only_the_outermost_door_speaks():
    @validated
    def inner(y):
        return math.log(y)

    @validated
    def outer(x, pair=(1, 2)):
        if x > 0:
            raise ValueError("x = 1: a sentence already")
        return inner(x)

    with pytest.raises(ValueError, match=r"^x = 1: a sentence already$"):
        outer(1.0)
    with pytest.raises(ValueError, match=r"^x = -3\.0, pair = \(1, 2\): outer cannot be computed in floating point"):
        outer(-3.0, pair=(1, 2))
    with pytest.raises(ValueError, match=r"^y = -3\.0: inner cannot be computed in floating point"):
        inner(-3.0)  # the count of open doors is back at 0
    with pytest.raises(TypeError):
        outer("word")


def test_the_strict_door_refuses_what_numpy_would_let_pass():
    def f(x):
        with np.errstate(under="ignore"):
            return np.float64(x) * np.float64(1e308)

    with np.errstate(over="ignore"):
        assert math.isinf(validated(f)(1e10))
    for function, x in ((f, 1e10), (lambda x: np.float64(x) / np.float64(0), 1.0), (lambda x: np.sqrt(np.float64(-x)), 1.0)):
        with pytest.raises(ValueError, match=rf"^x = {x}: .* cannot be computed in floating point"):
            validated_strictly(function)(x)


@dataclass(frozen=True)
class Record:
    """Fields as they were given."""

    a: float
    b: tuple
    c: str = "c"

    def __post_init__(self):
        convert_fields(self)


def test_the_fields_of_a_record_pass_it_too():
    made = Record(np.float32(0.5), (np.int8(3), Fraction(1, 2)))
    assert (made.a, made.b, made.c) == (0.5, (3, 0.5), "c")
    assert [type(one) for one in (made.a, *made.b)] == [float, int, float]
    with pytest.raises(ValueError, match=r"^b = .*no float is equal to it"):
        Record(1.0, (Fraction(1, 3),))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "0.5"), ("a  b", "'a b'"), (10**40 - 1, str(10**40 - 1)), (10**40, "an integer of about 41 digits"),
        (-(10**50), "an integer of about 51 digits"), (10**400, "an integer of about 401 digits, which no float holds"),
        ("x" * 78, repr("x" * 78)), ("x" * 79, "'" + "x" * 76 + "..."), ([10**5000], "a list"),
    ],
)  # fmt: skip
def test_a_value_in_a_sentence(value, text):
    assert short_repr(value) == text


REFUSED = [True, False, math.nan, math.inf, -math.inf, "1", None, 1j, 10**400, [1.0]]
ALLOWED = {  # of -1, 0, 5e-324, 0.5, 1, 1.5, 2, 10**300
    "real": [-1, 0, 5e-324, 0.5, 1, 1.5, 2, 10**300],
    "positive": [5e-324, 0.5, 1, 1.5, 2, 10**300],
    "non_negative": [0, 5e-324, 0.5, 1, 1.5, 2, 10**300],
    "inside_unit": [5e-324, 0.5],
    "fraction": [5e-324, 0.5, 1],
    "whole_number": [1, 2, 10**300],
    "positive_integer": [1, 2, 10**300],
}


@pytest.mark.parametrize("name", ALLOWED)
def test_what_a_check_lets_pass(name):
    check = getattr(validate, name)
    for value in [-1, 0, 5e-324, 0.5, 1, 1.5, 2, 10**300, *REFUSED]:
        if value in ALLOWED[name] and not isinstance(value, bool):
            check(x=value)
        else:
            with pytest.raises(ValueError, match=r"^x = .*is needed$"):
                check(x=value)
            with pytest.raises(ValueError, match=r"^x = "):
                check(first=ALLOWED[name][-1], x=value)


def test_a_whole_number_may_be_a_float_and_an_integer_may_not():
    validate.whole_number(x=1e4)
    with pytest.raises(ValueError, match=r"^x = 10000\.0"):
        validate.positive_integer(x=1e4)


def test_what_is_real():
    assert all(is_real(one) for one in (0, -1.5, np.float32(2), Fraction(1, 3), 5e-324, 10**308))
    assert not any(is_real(one) for one in REFUSED)


def test_one_of_some_words():
    validate.one_of(("a", "b"), x="b")
    for wrong in ("c", "", None, 1):
        with pytest.raises(ValueError, match=rf"^x = {wrong!r}: one of a, b is needed$"):
            validate.one_of(("a", "b"), x=wrong)


def test_arrays_are_made_of_real_numbers():
    assert float_array("x", [1, 2.5]).tolist() == [1.0, 2.5]
    assert float_array("x", np.array([[1, 2]], dtype=np.int16)).dtype == np.float64
    for wrong in ([1j], ["a"], [[1.0], [1.0, 2.0]], np.ma.array([1.0], mask=[True]), [True], np.array([1, 2**60 + 1]), [None]):
        with pytest.raises(ValueError, match=r"^x"):
            float_array("x", wrong)
