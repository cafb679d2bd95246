"""Settings with one value for each step of a run: check them, and find the steps at which a value changes.

A kernel knows nothing of this: a run is computed in chunks, a chunk ends where a value changes, and a kernel receives the values of its
chunk as numbers. So nothing that lasts longer than a chunk may depend on such a setting: tables, and the sizes of state and draws.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from synthetic.methods.record import Kernel, Setting
from synthetic.objectives.space import Space
from synthetic.validate import float_array, short_repr

Schedule = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Checked:
    """The checked settings of a run: `settings` with a tuple (T,) for each schedule, the tables, and the shapes of the state.

    schedules   the settings that are given for each step, by name
    lengths     number of steps of each stage
    """

    settings: dict[str, Any]
    lengths: tuple[int, ...]
    tables: dict[str, NDArray[np.int64]]
    shapes: dict[str, tuple[int, ...]]
    schedules: dict[str, Schedule]

    @property
    def T(self) -> int:
        """Number of steps of the run."""
        return sum(self.lengths)


def check_settings(method: Kernel, space: Space, given: Mapping[str, Any]) -> Checked:
    """Return the `Checked` settings of a run of a method; raise ValueError for a value that is not allowed.

    given   settings by name; a setting that allows one value per step may be a list or an array (T,)
    """
    settings: dict[str, Any] = {}
    schedules: dict[str, Schedule] = {}
    for one in method.all_settings:
        value = given.get(one.name, one.default)
        if one.per_step and not one.many and isinstance(value, list | tuple | np.ndarray) and np.ndim(value):
            settings[one.name] = schedules[one.name] = _check_schedule(method, one, value)
        else:
            settings[one.name] = one.checked(value)
    lengths = method.stages.lengths(space, settings) if method.stages else (settings["T"],)
    for name, values in schedules.items():
        if len(values) != settings["T"]:
            raise ValueError(
                f"{name} = {short_repr(list(values))}: it has {len(values)} values; one number, or T = {settings['T']} of them, one for "
                "each step, is needed"
            )
    lasting = _Lasting(settings, schedules)
    try:
        tables = {name: table(space, lasting) for name, table in method.tables.items()}
        lasting.update(tables)
        shapes = {name: shape(space, lasting) for name, shape in method.state.items()}
        for draw in method.draws if schedules else ():
            draw.shape(space, lasting)
            draw.early(lasting)
    except _Changes as error:
        name = error.args[0]
        raise ValueError(
            f"{name} = {short_repr(list(schedules[name]))}: one number is needed, because {method.name} has an array whose size or entries "
            f"depend on {name} for the whole run"
        ) from None
    return Checked(settings, lengths, tables, shapes, schedules)


def _check_schedule(method: Kernel, setting: Setting, value: Any) -> Schedule:
    """Return a setting's values for the steps as floats; raise ValueError where one is not allowed, or the method has stages."""
    name = setting.name
    if method.stages:
        raise ValueError(
            f"{name} = {short_repr(value)}: one number is needed, because {method.name} has stages; only methods without stages take "
            "a value for each step"
        )
    array = float_array(name, value)
    if array.ndim != 1:
        raise ValueError(f"{name} has shape {array.shape}: one number, or an array (T,) with one for each step, is needed")
    values = tuple(map(float, array))
    for t, one in enumerate(values):
        setting.check(**{f"{name}[{t}]": one})
    return values


def change_steps(schedules: Mapping[str, Schedule], T: int) -> NDArray[np.int64]:
    """Return the steps at which a setting has another value than in the step before, in rising order, followed by T."""
    values = np.array([*schedules.values()]).reshape(len(schedules), T)
    return np.append(np.flatnonzero(np.any(values[:, 1:] != values[:, :-1], axis=0)) + 1, T)


class _Changes(Exception):  # its argument is the name of a setting
    """Error: what is fixed for a run reads a setting that changes from step to step."""


class _Lasting(dict[str, Any]):
    """The settings and tables of a run, without those that change from step to step: reading one of these raises _Changes."""

    def __init__(self, settings: Mapping[str, Any], schedules: Mapping[str, Schedule]) -> None:
        super().__init__({name: value for name, value in settings.items() if name not in schedules})
        self.schedules = schedules

    def __missing__(self, name: str) -> Any:
        raise _Changes(name) if name in self.schedules else KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return the setting of this name, or the default if there is none."""
        return self[name] if name in self or name in self.schedules else default
