"""Plant a fault in a module of `synthetic` that no claim uses, for a test that must notice it."""

from types import ModuleType

from tests.faults.plant import plant
from tests.faults.text import Fault
from tests.test_house import ROOT


def faulty_module(place: str, old: str, new: str) -> ModuleType:
    """Return a copy of the module at `place`, a file or "file:name", in which the one occurrence of `old` is replaced by `new`."""
    path, text = plant(ROOT, Fault("planted", place, old, new, ()))
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    exec(compile(text, str(path), "exec"), vars(module))
    return module
