"""The reference of Python says something of every name that it has, and has what the other pages tell users to call."""

import inspect
import re
from importlib import import_module
from pathlib import Path

import pytest

import theory_lab as lab
from tests.docs.snippets import pages

ROOT = Path(__file__).parents[1]
PACKAGES = ("synthetic", "bounds", "figures", "paper_checks")
MODULES = re.findall(r"^\.\. automodule:: (\S+)$", (ROOT / "docs" / "reference" / "modules.md").read_text(encoding="utf-8"), re.M)
DETAILS = {  # named where it is explained how the lab works, and in code that begins a method
    *("bounds.privacy.release", "bounds.proofs.certificates", "bounds.proofs.attack", "bounds.proofs.export"),
    *("synthetic.draws", "synthetic.methods.dpzero", "synthetic.kernels", "synthetic.validate"),
}


def module_of(dotted):
    """Return the module that holds a dotted name, or that the name is."""
    parts = dotted.split(".")
    while parts and not (ROOT / Path(*parts)).is_dir() and not (ROOT / Path(*parts)).with_suffix(".py").exists():
        parts.pop()
    return ".".join(parts)


def test_what_the_pages_name_is_in_the_reference():
    text = "\n".join(page.read_text(encoding="utf-8") for page in pages())
    named = re.findall(rf"\b((?:{'|'.join(PACKAGES)})(?:\.[a-z_0-9]+)+)\b(?!\.(?:py|txt|md|png))", text)
    modules = {module_of(name) for name in named if not (ROOT / name.replace(".", "/")).exists()} - {*PACKAGES, ""}
    assert len(modules) > 4
    assert sorted(one for one in modules - {*MODULES, *DETAILS} if not one.startswith("synthetic.kernels.")) == []


@pytest.mark.parametrize("name", lab.__all__)
def test_every_name_of_the_front_door_is_explained(name):
    assert len(inspect.getdoc(getattr(lab, name)) or "") > 20


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_of_a_module_is_explained_and_has_a_signature(name):
    module = import_module(name)
    assert len(module.__doc__ or "") > 20
    own = [one for place, one in vars(module).items() if getattr(one, "__module__", "") == name and not place.startswith("_")]
    for one in (one for one in own if inspect.isfunction(one) or inspect.isclass(one)):
        assert inspect.getdoc(one), one
        if not (inspect.isclass(one) and issubclass(one, BaseException)):
            inspect.signature(one)
