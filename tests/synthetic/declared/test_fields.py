"""Declarations: what each type of a setting holds, what is said where a value does not fit, and what a wrong declaration says itself."""

import math
from dataclasses import FrozenInstanceError
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
import pytest

from synthetic.declared import dp_grape, dp_zopo, dpzero, gauss_psgd
from synthetic.declared.fields import AtLeast, Between, Declaration, Number, Positive, Rule, Share, StepSize

GOOD = {
    dpzero.DPZero: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5},
    dpzero.DPGD0th: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5},
    dpzero.DPGD: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5},
    dpzero.MeZO: {"alpha": 0.1, "T": 3},
    dp_grape.DPGrape: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5, "r": 2},
    dp_grape.DPGrapeBlocks: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5, "r": 2},
    dp_grape.DPSGD: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5},
    dp_grape.DPAdam: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5},
    dp_grape.GaLore: {"alpha": 0.1, "T": 3, "r": 2},
    dp_grape.DPGaLore: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5, "r": 2},
    dp_zopo.DPZOO: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5},
    dp_zopo.DPZOSO: {"alpha": (0.1, 0.05), "T": (1, 2), "C": 1.0, "sigma": 0.5, "stages": 2},
    dp_zopo.DPZOPO: {"alpha": 0.1, "T": 3, "C": 1.0, "sigma": 0.5, "rates": 0.5},
    gauss_psgd.GaussPSGD: {"oracle": "sgd", "eta": 0.1, "chi": 1.0, "R": 1.0, "Gamma": 2, "Q": 2},
    gauss_psgd.FrozenPSGD: {
        "eta": 0.1, "threshold": 1.0, "extra": 0.1, "frozen_steps": 2, "n": 9, "b_1": 2, "b_2": 1, "sigma_1": 0.1, "sigma_2": 0.1,
        "kappa": 1.0,
    },
}  # fmt: skip
CASES = [(declared, one) for declared in GOOD for one in declared.fields]


class Tried(Declaration):
    """Every type of setting."""

    positive: Annotated[float, Positive("a")]
    at_least: Annotated[float, AtLeast(-2, "b")] = 0
    between: Annotated[float, Between(0, 1, "c")] = 0.5
    share: Annotated[float, Share("d")] = 1
    decay: Annotated[float, Number("e", low=0.0, high=1.0, open_high=True)] = 0.0
    below: Annotated[float, Number("f", high=3.0)] = 1.0
    count: Annotated[int, AtLeast(1, "g")] = 1
    maybe: Annotated[float | None, Positive("h")] = None
    staged: Annotated[int | tuple[int, ...], AtLeast(1, "i", stages=True)] = 2
    word: Annotated[Literal["x", "y"], Rule("j")] = "x"
    free: Annotated[str, Rule("k")] = "z"


@pytest.mark.parametrize(
    ("name", "good", "bad", "needed"),
    [
        ("positive", [5e-324, 3, Fraction(1, 2)], [0, -1, math.nan, math.inf, True, "1", None, [1.0]], "a finite number above 0"),
        ("at_least", [-2, 0.0], [-2.1, math.inf], "a finite number of at least -2"),
        ("between", [0.1, 1 - 1e-16], [0, 1, 2, -0.1], "a number strictly between 0 and 1"),
        ("share", [1e-9, 1], [0, 1.1], "a number above 0 and at most 1"),
        ("decay", [0, 0.999], [1, -0.1], "a number of at least 0 and below 1"),
        ("below", [-1e300, 3], [3.1, -math.inf], "a number at most 3"),
        ("count", [1, np.int8(7), 2**70], [0, 1.5, 2.0, True, "1"], "an integer of at least 1"),
        ("maybe", [None, 1], [0], "a finite number above 0"),
        ("staged", [1, (1, 2), [3], np.array([4, 5])], [0, (1, 0), (1.5,), "1"], "an integer of at least 1"),
        ("word", ["x", "y"], ["z", None, 1, ["x"]], "one of x, y"),
    ],
)  # fmt: skip
def test_a_setting_holds_what_its_type_says_and_the_message_says_what_is_needed(name, good, bad, needed):
    for value in good:
        found = getattr(Tried(**{"positive": 1.0, name: value}), name)
        assert type(found) in (int, float, str, tuple, type(None))
        assert np.array_equal(found, value) if value is not None else found is None
    for value in bad:
        with pytest.raises(ValueError, match=rf"^{name} = .*: {needed} is needed$"):
            Tried(**{"positive": 1.0, name: value})


def test_numbers_are_kept_as_python_numbers_and_integers_of_a_float_setting_as_floats():
    made = Tried(positive=2, count=np.int64(3), staged=[1, np.int32(2)], at_least=np.float32(0.1))
    assert (made.positive, type(made.positive)) == (2.0, float)
    assert (made.count, type(made.count)) == (3, int)
    assert made.staged == (1, 2)
    assert made.at_least == float(np.float32(0.1))
    with pytest.raises(ValueError, match=r"^positive = "):
        Tried(positive=Fraction(1, 3))
    with pytest.raises(ValueError, match=r"^positive = "):
        Tried(positive=Decimal("0.5"))
    with pytest.raises(FrozenInstanceError):
        made.positive = 3.0
    assert made == Tried(positive=2.0, count=3, staged=(1, 2), at_least=float(np.float32(0.1)))
    assert made.settings()["word"] == "x"
    assert list(made.settings()) == [one.name for one in Tried.fields]


def test_a_declaration_is_named_and_described_by_its_class():
    assert (Tried.key, Tried.words()) == ("tried", "Every type of setting")
    assert dpzero.MeZO.words() == "plain zeroth-order descent, without clipping and noise, not private"
    with pytest.raises(TypeError, match="unexpected keyword argument 'postive'"):
        Tried(postive=1.0)
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'positive'"):
        Tried()


def test_a_type_without_a_rule_and_a_rule_that_does_not_fit_its_type_are_errors_of_the_class():
    with pytest.raises(TypeError, match=r"^beta: .*float.*: a type such as Annotated\[float, Positive\('step size'\)\] is needed"):

        class Plain(Declaration):
            beta: float = 0.5

    with pytest.raises(TypeError, match=r"^beta: .*: float or int is needed, because Number is for numbers"):

        class Words(Declaration):
            beta: Annotated[str, Positive("x")] = "a"


def test_settings_of_a_base_class_come_first_and_may_have_another_default():
    class Base(Declaration):
        alpha: StepSize
        more: Annotated[int, AtLeast(1, "m")] = 1

    class Other(Base):
        last: Annotated[float, Positive("l")] = 2.0
        more: Annotated[int, AtLeast(1, "m")] = 7

    assert [one.name for one in Other.fields] == ["alpha", "more", "last"]
    assert Other(alpha=1.0).more == 7
    assert Base(alpha=1.0).more == 1


@pytest.mark.parametrize("declared", GOOD, ids=lambda one: one.__name__)
def test_every_declared_method_can_be_made_and_needs_what_has_no_default(declared):
    made = declared(**GOOD[declared])
    for name, value in GOOD[declared].items():
        assert getattr(made, name) == value
    needed = {one.name for one in declared.fields if one.needed}
    assert needed == set(GOOD[declared]) - ({"stages"} if declared is dp_zopo.DPZOSO else set())
    for one in declared.fields:
        assert one.rule.words
        assert not one.rule.words.endswith(".") or one.rule.words.endswith(" ...")
        assert one.needed or one.checked(one.default) == one.default


@pytest.mark.parametrize(("declared", "one"), CASES, ids=lambda one: getattr(one, "__name__", None) or one.name)
def test_every_setting_of_every_method_refuses_what_is_no_value_of_it(declared, one):
    for value in (True, 1j, b"1", object(), math.nan, np.ma.masked, "no word of it"):
        with pytest.raises(ValueError, match=one.name):
            declared(**{**GOOD[declared], one.name: value})
