"""The architecture: its picture is the tree, old names lead to the new ones, and a user's argument is checked once on a short way."""

import runpy
import sys
from importlib import import_module

import pytest

import theory_lab as lab
from bounds.theorem import Theorem
from tests.test_house import FOLDERS, ROOT, sources

PROBLEMS = {
    "dpzero": {"n": 1e4, "d": 2000.0, "r": 8.18, "epsilon": 2.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0},
    "gauss_psgd": {"n": 1e9, "d": 10.0, "epsilon": 1.5, "delta": 1e-6, "L": 1.0, "ell": 1.0, "rho": 1.0, "U": 1.0},
}


def test_the_picture_is_the_tree():
    found = runpy.run_path(str(ROOT / "docs" / "_ext" / "architecture.py"))
    assert found["PICTURE"].read_text(encoding="utf-8") == found["picture"]()


def test_every_folder_says_what_it_holds_and_about_a_dozen_modules_stand_in_it():
    for folder in {path.parent for name in FOLDERS for path in sources(name)}:
        module = import_module(".".join(folder.relative_to(ROOT).parts))
        assert len(module.__doc__ or "") > 20, folder
        modules = [path for path in folder.glob("*.py") if path.stem not in ("__init__", "renamed")]
        assert len(modules) <= 17, folder


def test_modules_are_found_under_their_old_names_with_a_warning():
    assert [import_module(name).__name__ for name in FOLDERS] == [*FOLDERS]
    moved = {old: new for finder in sys.meta_path for old, new in getattr(finder, "moved", {}).items()}
    assert len(moved) == 25
    for old, new in moved.items():
        sys.modules.pop(old, None)
        with pytest.warns(DeprecationWarning, match=f"{old} is now {new}; its old name goes in version"):
            found = import_module(old)
        assert found is import_module(new)
        assert found.__spec__.name == new
        del sys.modules[old]


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        ("bounds.privacy", "in_full", "require_full_precision"),
        ("bounds.moments", "collected", "group_eigenvalues"),
        ("bounds.symbols", "letters_of", "paper_symbols"),
        ("paper_checks.shared.steps", "examine_steps", "check_steps"),
        ("synthetic.kernels.dpzero", "still_finite", "record_and_check"),
        ("bounds.plans.plan", "Place", "ObjectiveFacts"),
        ("figures.style", "save", "save_figure"),
    ],
)
def test_functions_are_found_under_their_old_names_with_a_warning(module, old, new):
    with pytest.warns(DeprecationWarning, match=f"{old} is now {new}; its old name goes in version") as warned:
        found = getattr(import_module(module), old)
    assert found.__name__ == new
    assert [one.filename for one in warned] == [__file__]  # Python shows a warning only where a user's own file causes it
    with pytest.raises(AttributeError, match="no attribute 'never_there'"):
        import_module(module).never_there  # noqa: B018


@pytest.mark.parametrize("method", PROBLEMS)
def test_epsilon_is_checked_once_and_a_theorem_is_five_frames_away(method, monkeypatch):
    """Every function of a validator that is called with this epsilon counts, and every frame of the lab up to the first theorem."""
    problem = PROBLEMS[method]
    lab.recommend(method, **problem)  # what is read and kept at first use is not counted
    checked, frames = [], []
    evaluate = Theorem.at

    def at(theorem, values):
        frame = sys._getframe(1)
        depth = 0
        while frame is not None and frame.f_code.co_filename != __file__:
            depth, frame = depth + 1, frame.f_back
        frames.append(depth)
        return evaluate(theorem, values)

    def profile(frame, event, _):
        if event == "call" and frame.f_code.co_name == "check" and frame.f_code.co_filename.endswith("validate.py"):
            checked.extend(name for name, value in frame.f_locals["arguments"].items() if name == "epsilon" and value == problem["epsilon"])

    monkeypatch.setattr(Theorem, "at", at)
    sys.setprofile(profile)
    try:
        lab.recommend(method, **problem)
    finally:
        sys.setprofile(None)
    assert checked == ["epsilon"]
    if method == "dpzero":
        assert frames[0] == 5
