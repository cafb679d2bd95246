"""Types of settings: `alpha: Annotated[float, Positive("step size")]` says what a field of a declaration may hold, and what it means."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields
from functools import cached_property, partial
from importlib import import_module as import_check  # a call of the plain name would count as any module among the sources of a result
from inspect import Signature, cleandoc, signature
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Protocol, Union, dataclass_transform, get_args, get_origin, get_type_hints

Direction = Literal["sphere", "gaussian"]


class Schedule(Protocol):
    """One number for each step of a run, such as an array or a list."""

    def __len__(self) -> int:
        """Return the number of steps."""

    def __getitem__(self, step: int, /) -> float:
        """Return the number of a step."""


UNITS = {"": (0, 0), "x": (0, 1), "loss / x": (1, -1), "x^2 / loss": (-1, 2)}  # unit: its powers of the units of the loss and of x


@dataclass(frozen=True)
class Rule:
    """What a setting means, and which values it may have.

    words    its meaning, for help texts and tables, without a full stop
    unit     its unit in powers of the units of the loss and of x, such as "loss / x", a key of `UNITS`; "" where it has none
    check    address "module:name" of a function that raises ValueError for a value that is not allowed, called as check(NAME=value)
    stages   whether a tuple is allowed, one value for each stage of a run
    steps    whether an array (T,) is allowed, one value for each step of a run
    """

    words: str
    unit: str = ""
    check: str = ""
    stages: bool = False
    steps: bool = False


@dataclass(frozen=True)
class Number(Rule):
    """A number, an integer where the type of the field is int: from `low` to `high`, without the end itself where it is open."""

    low: float = -math.inf
    high: float = math.inf
    open_low: bool = False
    open_high: bool = False

    def needed(self, integer: bool) -> str:
        """Return which values are allowed, in words, such as "a finite number above 0"."""
        kind = "an integer" if integer else "a number" if self.high < math.inf else "a finite number"
        if self.open_low and self.open_high and self.high < math.inf:
            return f"{kind} strictly between {self.low:g} and {self.high:g}"
        ends = []
        if self.low > -math.inf:
            ends.append(f"{'above' if self.open_low else 'of at least'} {self.low:g}")
        if self.high < math.inf:
            ends.append(f"{'below' if self.open_high else 'at most'} {self.high:g}")
        return " ".join([kind, " and ".join(ends)]).strip()

    def holds(self, value: float) -> bool:
        """Return whether a finite number lies in the range."""
        above = value > self.low if self.open_low else value >= self.low
        return above and (value < self.high if self.open_high else value <= self.high)


def Positive(words: str, **more: Any) -> Number:  # they stand where a type stands
    """Return the rule of a number above 0."""
    return Number(words, low=0.0, open_low=True, **more)


def AtLeast(low: float, words: str, **more: Any) -> Number:
    """Return the rule of a number of at least `low`."""
    return Number(words, low=low, **more)


def Between(low: float, high: float, words: str, **more: Any) -> Number:
    """Return the rule of a number strictly between `low` and `high`."""
    return Number(words, low=low, high=high, open_low=True, open_high=True, **more)


def Share(words: str, **more: Any) -> Number:
    """Return the rule of a number above 0 and at most 1."""
    return Number(words, low=0.0, high=1.0, open_low=True, **more)


@dataclass(frozen=True)
class Field:
    """A setting as its declaration gives it.

    kind       float, int, str for words, or object
    default    its default; `dataclasses.MISSING`: it must be given
    optional   whether it may be None;   allowed   the words that it may be, () where it is no choice
    type       the type without its rule, as an annotation
    """

    name: str
    rule: Rule
    kind: type
    default: Any
    optional: bool
    allowed: tuple[str, ...]
    type: Any

    @property
    def needed(self) -> bool:
        """Whether it must be given, because it has no default."""
        return self.default is MISSING

    @property
    def described(self) -> str:
        """What it is and which values it may have, in words."""
        values = ""
        if isinstance(self.rule, Number):
            values = f", {self.rule.needed(self.kind is int)}"
        elif self.allowed:
            values = f", one of {', '.join(self.allowed)}"
        usual = f" (default: {self.default})" if not self.needed and self.default is not None and "(default" not in self.rule.words else ""
        return f"{self.rule.words}{values}{usual}"

    @cached_property
    def check(self) -> Callable[..., None]:
        """The function that checks a value; called with the setting by name, it raises ValueError with a sentence where it is wrong."""
        from synthetic import validate  # it imports NumPy

        rule = self.rule
        if rule.check:
            module, _, name = rule.check.partition(":")
            found: Callable[..., None] = getattr(import_check(module), name)
            return found
        if isinstance(rule, Number):
            integer = self.kind is int

            def fits(value: Any) -> bool:
                """Return whether a value is a number, or an integer, of the rule's range."""
                if integer:  # of any length
                    return isinstance(value, validate.Integral) and not isinstance(value, bool) and rule.holds(int(value))
                return validate.is_real(value) and rule.holds(float(value))

            return validate.make_check(rule.needed(integer), fits)
        if self.allowed:
            return partial(validate.one_of, self.allowed)
        return any_value

    def checked(self, value: Any) -> Any:
        """Return a value as a Python number, a tuple for several stages; raise ValueError where it is not allowed."""
        from synthetic.validate import np, to_python_number

        value = to_python_number(self.name, value)
        if value is None and self.optional:
            return None
        if (self.rule.stages or self.rule.steps) and (
            isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1)
        ):
            found = tuple(to_python_number(self.name, one) for one in value)
            for one in found:
                self.check(**{self.name: one})
            return tuple(map(float, found)) if self.kind is float else found
        self.check(**{self.name: value})
        return float(value) if self.kind is float and isinstance(value, int) else value

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its values."""
        found: dict[str, Any] = {"type": {float: "number", int: "integer", str: "string"}[self.kind]} if self.kind is not object else {}
        if isinstance(self.rule, Number):
            low, high = (self.rule.low, self.rule.open_low), (self.rule.high, self.rule.open_high)
            for name, (end, is_open) in {"minimum": low, "maximum": high}.items():
                if math.isfinite(end):
                    found[f"exclusive{name.title()}" if is_open else name] = end
        if self.kind is str and self.allowed:
            found |= {"enum": list(self.allowed)}
        if self.rule.stages or self.rule.steps:
            found = {"anyOf": [found, {"type": "array", "items": found}]}
        if self.optional:
            found = {"anyOf": [found, {"type": "null"}]}
        default = {} if self.needed else {"default": self.default}
        return {"description": self.rule.words, **found, **default}


def any_value(**given: Any) -> None:
    """Accept every value."""


def make_field(name: str, hint: Any, default: Any) -> Field:
    """Return the `Field` of a name, its annotation and its default; raise TypeError for an annotation without a rule."""
    inner, *marks = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    rule = next((one for one in marks if isinstance(one, Rule)), None)
    if rule is None:
        raise TypeError(f"{name}: {hint!r}: a type such as Annotated[float, Positive('step size')] is needed")
    parts = get_args(inner) if get_origin(inner) in (Union, UnionType) else (inner,)
    words = tuple(word for part in parts if get_origin(part) is Literal for word in get_args(part))
    plain = [part for part in parts if part is not NoneType and get_origin(part) is None]
    kind = str if words and len(parts) == 1 else next((one for one in (float, int) if one in plain), object)
    if isinstance(rule, Number) and kind not in (float, int):
        raise TypeError(f"{name}: {hint!r}: float or int is needed, because {type(rule).__name__} is for numbers")
    return Field(name, rule, kind, default, NoneType in parts, words, inner)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Declaration:
    """Base class of declarations: a subclass is a frozen dataclass whose fields are the settings of a run, checked when it is made.

    key       the method's name in calls and commands, such as "dpzero"; by default the name of the class in small letters
    fields    its settings, in their order
    method    what runs it in `theory_lab`, for a method of one's own
    """

    key: ClassVar[str] = ""
    fields: ClassVar[tuple[Field, ...]] = ()
    method: ClassVar[Any] = None
    __signature__: ClassVar[Signature]

    def __init_subclass__(cls) -> None:
        """Make the subclass a frozen dataclass with keywords only, and read its fields."""
        super().__init_subclass__()
        if "key" not in vars(cls):
            cls.key = cls.__name__.lower()
        made = dataclass(frozen=True, kw_only=True)(cls)
        hints = get_type_hints(cls, include_extras=True)
        cls.fields = tuple(make_field(one.name, hints[one.name], one.default) for one in fields(made))  # type: ignore[arg-type]
        given = [
            one.replace(annotation=field.type)
            for one, field in zip([*signature(made.__init__).parameters.values()][1:], cls.fields, strict=True)
        ]
        cls.__signature__ = Signature(given)
        rows = "\n".join(f"{one.name}\n    {one.described[:1].upper()}{one.described[1:]}." for one in cls.fields)
        cls.__doc__ = f"{cleandoc(vars(cls).get('__doc__') or '')}\n\nParameters\n----------\n{rows}\n"

    def __post_init__(self) -> None:
        """Check every setting and keep it as a Python number; raise ValueError for a value that is not allowed."""
        for one in self.fields:
            object.__setattr__(self, one.name, one.checked(getattr(self, one.name)))

    def settings(self) -> dict[str, Any]:
        """Return the settings by name."""
        return {one.name: getattr(self, one.name) for one in self.fields}

    @classmethod
    def schema(cls) -> dict[str, Any]:
        """Return the JSON Schema of the settings: of a run's, of a variant of a plan's and in provenance."""
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": cls.key,
            "description": cls.words(),
            "type": "object",
            "properties": {one.name: one.schema() for one in cls.fields},
            "required": [one.name for one in cls.fields if one.needed],
        }

    @classmethod
    def words(cls) -> str:
        """Return what the method is, in words for a list: the first line of the docstring."""
        line = (cls.__doc__ or "").strip().partition("\n")[0].rstrip(".")
        return line[:1].lower() + line[1:] if cls.__module__.startswith("synthetic.") else line


StepSize = Annotated[float | Schedule, Positive("step size", unit="x^2 / loss", steps=True)]
Steps = Annotated[int, AtLeast(1, "number of steps")]
Threshold = Annotated[
    float | Schedule, Positive("clipping threshold", unit="loss / x", check="synthetic.methods.record:_check_threshold", steps=True)
]
Noise = Annotated[
    float | Schedule,
    AtLeast(0, "standard deviation of the noise on the mean over the batch, per coordinate", unit="loss / x", steps=True),
]
Radius = Annotated[float | Schedule, Positive("smoothing of the two-point difference", unit="x", steps=True)]
BatchSize = Annotated[int | None, AtLeast(1, "samples per step (default: all)")]
Directions = Annotated[Direction, Rule("distribution of the directions")]
Sampling = Annotated[
    Literal["without_replacement", "poisson"],
    Rule("how a batch is drawn: batch-size of the n samples, or each sample with the public rate batch-size/n"),
]
