"""Where each check of an argument begins and ends to refuse, on both ground floors."""

import math

import numpy as np
import pytest

import bounds.validate
import synthetic.validate

NEVER = [True, False, "1", None, math.nan, math.inf, -math.inf, 1j, [1.0]]
# name of the check: what is accepted, what is refused beside `NEVER`
LIMITS = {
    "real": ([-1e9, -1, 0, 0.0, 1e-9, 2], []),
    "positive": ([1e-9, 0.5, 1, 7.0], [0, 0.0, -0.0, -1e-9, -1]),
    "non_negative": ([0, 0.0, 1e-9, 1, 7.0], [-1e-9, -1]),
    "inside_unit": ([1e-9, 0.5, 1 - 1e-9], [0, 0.0, 1, 1.0, -0.1, 1.1]),
    "positive_integer": ([1, 2, 10**6, np.int64(3)], [0, -1, 1.5, 2.5]),
    "seed_integer": ([0, 1, 10**6, np.int64(3)], [-1, 0.5]),
}
PLACES = [(module, name) for module in (bounds.validate, synthetic.validate) for name in LIMITS if hasattr(module, name)]


@pytest.mark.parametrize(("module", "name"), PLACES, ids=lambda one: getattr(one, "__name__", one))
def test_each_check_accepts_up_to_its_limit_and_refuses_beyond(module, name):
    check, (accepted, refused) = getattr(module, name), LIMITS[name]
    for value in accepted:
        check(this=value)
    for value in [*refused, *NEVER]:
        with pytest.raises(ValueError, match="this"):
            check(this=value)
        with pytest.raises(ValueError, match="this"):
            check(before=accepted[-1], this=value)  # every argument is looked at


def test_a_word_is_one_of_the_allowed():
    synthetic.validate.one_of(("a", "b"), this="b")
    with pytest.raises(ValueError, match="this = 'c': one of a, b"):
        synthetic.validate.one_of(("a", "b"), other="a", this="c")


@pytest.mark.parametrize(
    ("shape", "value"),
    [((None,), []), ((2,), [1.0]), ((2,), [[1.0, 2.0]]), ((None, 3), [[1.0, 2.0]]), ((None,), [1.0, np.nan]), ((1,), [np.inf]),
     ((None,), "words"), ((None,), [None]), ((None, None), [[]]), ((None,), 3.0), ((1,), np.float64(2)), ((None,), np.array(3))],
)  # fmt: skip
def test_arrays_of_another_shape_or_without_numbers_are_refused(shape, value):
    with pytest.raises(ValueError, match="this"):
        synthetic.validate.array_of(shape, this=value)


def test_arrays_come_back_as_contiguous_floats_or_integers():
    found = synthetic.validate.array_of((None, 2), this=np.arange(8, dtype=np.int32).reshape(4, 2)[::2])
    assert (found.dtype, found.shape, found.flags.c_contiguous) == (np.float64, (2, 2), True)
    np.testing.assert_array_equal(synthetic.validate.positive_array((None,), this=[1e-9, 2]), [1e-9, 2.0])
    whole = synthetic.validate.positive_integers(this=[1.0, 7.0])
    assert (whole.dtype, whole.tolist()) == (np.int64, [1, 7])
    for wrong, named in (([1.0, 0.0], "0.0"), ([2.0, -3.0], "-3.0")):
        with pytest.raises(ValueError, match=f"this has the entry {named}"):
            synthetic.validate.positive_array((None,), this=wrong)
    for wrong, named in (([1, 0], "0.0"), ([2.0, 1.5], "1.5")):
        with pytest.raises(ValueError, match=f"this has the entry {named}"):
            synthetic.validate.positive_integers(this=wrong)
