"""Rules of the project's architecture and code that the whole tree must keep."""

import ast
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path

import pytest

from bounds.papers import PAPERS
from tests import papers as tests_of_papers
from tests.calls import print_lightly
from tests.mutants.rooms import ROOMS

ROOT = Path(__file__).parents[1]
FOLDERS = ("theory_lab", "figures", "paper_checks", "bounds", "synthetic")
MAY_IMPORT = {
    "theory_lab": {"theory_lab", "figures", "paper_checks", "bounds", "synthetic"},
    "figures": {"figures", "paper_checks", "bounds", "synthetic"},
    "paper_checks": {"paper_checks", "bounds", "synthetic"},
    "bounds": {"bounds"},
    "synthetic": {"synthetic"},
}


def sources(folder):
    """Return the paths of the Python files below a folder."""
    return sorted((ROOT / folder).rglob("*.py"))


def imported_names(path):
    """Yield the dotted names that a Python file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("folder", FOLDERS)
def test_import_arrows(folder):
    ours = set(FOLDERS) | {"tests"}
    for path in sources(folder):
        wrong = {name for name in imported_names(path) if name.split(".")[0] in ours - MAY_IMPORT[folder]}
        assert not wrong, f"{path} imports {wrong}"


def test_what_every_paper_shares_knows_none():
    """The shared parts of the theory and of the checks refer to a paper by its name only."""
    shared = [*(path for path in sources("bounds") if path.parent.name not in PAPERS), *sources("paper_checks/shared")]
    assert len(shared) > 60
    for path in shared:
        assert not {name for name in imported_names(path) if {*name.split(".")} & {*PAPERS}}, path


RANDOM = (ROOT / "bounds" / "proofs" / "attack.py", ROOT / "bounds" / "pages" / "example.py")  # points of attacks, seeded


def test_hypothesis_and_drawing_are_imported_where_they_belong():
    for path in [p for folder in FOLDERS for p in sources(folder) if p.parent.name != "examples"]:
        names = {name.split(".")[0] for name in imported_names(path)}
        assert "hypothesis" not in names or path == ROOT / "bounds" / "strategies.py", path
        assert "matplotlib" not in names or path.is_relative_to(ROOT / "figures"), path
        assert "numba" not in names or path.parts[len(ROOT.parts)] == "synthetic", path
        assert "random" not in names or path in RANDOM, path


COMES_WITH = {"markupsafe": "jinja2", "flint": "python-flint"}  # by what else its name is declared
NOT_NEEDED = {"distributed", "pandas", "pyarrow", "sklearn"}  # what needs them does without, or says so
NOT_NEEDED |= {"hypothesis", "pygments", "pytest"}  # which load what is written for them: strategies, a lexer, tests of contracts


def test_everything_imported_is_declared():
    declared = {
        re.split(r"[><=\[]", line)[0]
        for line in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["dependencies"]
    }
    names = {name.split(".")[0] for folder in FOLDERS for path in sources(folder) for name in imported_names(path)}
    others = names - set(sys.stdlib_module_names) - set(FOLDERS) - NOT_NEEDED
    assert {COMES_WITH.get(name, name).replace("_", "-") for name in others} == declared


def test_every_package_is_in_the_wheel():
    finding = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]["find"]
    assert finding.pop("namespaces") is False  # then a folder is found by its __init__.py
    (patterns,) = finding.values()
    for path in [p for folder in FOLDERS for p in sources(folder)]:
        assert (path.parent / "__init__.py").exists(), path
        assert any(fnmatch(".".join(path.parent.relative_to(ROOT).parts), pattern) for pattern in patterns), path
    assert not any(fnmatch(name, pattern) for name in ("tests", "tests.bounds") for pattern in patterns)


def test_a_paper_has_a_folder_in_every_room():
    """Its theory, its ledger, what it brings to the tests, and the record of its methods belong together."""
    from bounds.papers import PAPERS

    for room in ("bounds", "paper_checks", "figures", "tests/papers"):
        assert {p.parent.name for p in (ROOT / room).glob("*/__init__.py")} >= set(PAPERS), room
    for paper in PAPERS:
        assert (ROOT / "theory_lab" / "methods" / f"{paper}.py").exists()
        assert (ROOT / "paper_checks" / paper / "errata.page").exists()
        assert {p.stem for p in (ROOT / "tests" / "papers" / paper).glob("*.py")} >= {"__init__", *tests_of_papers.PARTS}
        assert list((ROOT / "tests" / "faults" / paper).glob("*.txt"))


def test_whoever_looks_for_a_theorem_opens_its_page():
    """`theorem3.page` in the theory; in the ledger too, or a page of several such as `theorems_1_and_2.page`."""
    from bounds import THEOREMS

    looked_for = [found.groups() for found in map(re.compile(r"(\w+)\.theorem(\d+)").fullmatch, THEOREMS) if found]
    assert len(looked_for) >= 7
    for paper, number in looked_for:
        assert (ROOT / "bounds" / paper / f"theorem{number}.page").exists(), (paper, number)
        pages = {path.stem for path in (ROOT / "paper_checks" / paper).glob("theorem*.page")}
        assert f"theorem{number}" in pages or any(number in page.split("_") for page in pages), (paper, number)


def test_the_recipe_of_a_paper_names_every_table_that_is_asked_for():
    asked = re.compile(r'(?:bounds|ledger|simulation|commands)\.([A-Za-z_]+)"|"([A-Z_]{4,})"')
    recipe = (ROOT / "docs" / "howto" / "paper.md").read_text(encoding="utf-8")
    lines = [line for p in (ROOT / "tests").rglob("*.py") for line in p.read_text(encoding="utf-8").splitlines()]
    calls = [line for line in lines if re.search(r"\b(of|joined|tables)\(", line)]
    found = {one or other for line in calls for one, other in asked.findall(line)}
    assert {"STATEMENTS", "LIMITS", "SUBJECTS", "TOO_LARGE", "TRIED", "ROOMS", "changed", "pictures"} <= found
    assert [name for name in found if f"`{name}`" not in recipe] == []
    assert [part for part in tests_of_papers.PARTS if f"`tests/papers/PAPER/{part}.py`" not in recipe] == []


def test_the_validators_of_both_floors_are_the_same():
    """`bounds` and `synthetic` import nothing of each other, so each has its own copy; what both have must not drift apart."""
    from inspect import getsource, isfunction

    import bounds.memory
    import bounds.validate
    import synthetic.memory
    import synthetic.validate

    assert (ROOT / "bounds" / "renamed.py").read_bytes() == (ROOT / "synthetic" / "renamed.py").read_bytes()
    for upper, lower in ((bounds.validate, synthetic.validate), (bounds.memory, synthetic.memory)):
        own = [name for name, one in vars(upper).items() if isfunction(one) and one.__module__ == upper.__name__]
        shared = [name for name in own if hasattr(lower, name)]
        assert {"positive", "inside_unit", "validated", "float_array"} <= set(shared) or {"available_memory", "check_memory"} <= set(shared)
        for name in shared:
            assert getsource(getattr(upper, name)) == getsource(getattr(lower, name)), name


def test_every_public_function_that_checks_its_numbers_stands_behind_the_door():
    """A NumPy scalar that gets past it is computed with in its own precision: 157 of 300 sigma were not private."""
    checks = {"real", "positive", "non_negative", "inside_unit", "fraction", "positive_integer", "seed_integer", "whole_number"}
    found = 0
    for path in sources("bounds") + sources("synthetic") + [ROOT / "theory_lab" / "api.py"]:
        for one in ast.parse(path.read_text(encoding="utf-8")).body:
            if not isinstance(one, ast.FunctionDef) or one.name.startswith("_") or path.name == "validate.py":
                continue
            called = {node.func.id for node in ast.walk(one) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
            if called & checks:
                found += 1
                doors = [by for by in one.decorator_list if isinstance(by, ast.Name) and by.id in ("validated", "validated_strictly")]
                assert doors or "to_python_number" in called, f"{path}: {one.name}"
    assert found > 30


def test_the_runner_of_sums_knows_no_paper_and_no_method():
    from bounds.papers import PAPERS
    from theory_lab.methods import METHODS

    named = {*METHODS, *PAPERS, *(one.name for one in PAPERS.values())}
    for name in ("runs/simulate.py", "methods/record.py", "objectives/space.py", "memory.py", "compiled.py"):
        text = (ROOT / "synthetic" / name).read_text(encoding="utf-8")
        assert not [one for one in named if re.search(rf"\b{one}\b", text, re.IGNORECASE)], name
    assert re.search(r"\bDPZero\b", (ROOT / "synthetic" / "methods" / "dpzero.py").read_text(encoding="utf-8"))  # so that it can fail


def test_every_kernel_has_a_slow_twin():
    from synthetic import kernels
    from theory_lab.methods import METHODS

    twins = [import_module(f"tests.reference.{path.stem}") for path in (ROOT / "tests" / "reference").glob("[a-z]*.py")]
    own = {name for module in twins for name, one in vars(module).items() if getattr(one, "__module__", "") == module.__name__}
    assert set(kernels.__all__) <= own
    assert {one.name for one in METHODS.values() if one.kernel} <= own


def test_help_is_quick_because_it_imports_nothing_heavy():
    """A count, not a time: --help loads none of the heavy libraries."""
    print_lightly("--help")


def test_recommend_is_quick_because_it_opens_only_the_pages_that_it_needs():
    """A count, not a time: no proof is written out, SciPy stays away, and only pages that are needed are parsed."""
    problem = "--n 10000 --d 2000 --r 8.18 --epsilon 2 --delta 1e-6 --L 1 --ell 1 --gap 1 --B 1"
    modules = "columns recommend remark_f5 sharp_noise sharp_numbers sharp_schedule"
    script = (
        "import gc, sys\nfrom theory_lab.cli import main\n"
        f"assert main(['recommend', 'dpzero', *'{problem}'.split()]) == 0\n"
        "from bounds.proofs.derivation import Derivation, Step\n"
        "written = [one.key for one in gc.get_objects() if isinstance(one, Derivation)]\nassert not written, written\n"
        "opened = {name.removeprefix('bounds.dpzero.') for name in sys.modules if name.startswith('bounds.dpzero.')}\n"
        f"assert opened == {set(modules.split())}, opened\n"
        "from bounds.pages.store import lab_pages\n"
        "parsed = {name for name in lab_pages().trees if name.startswith('dpzero/')}\n"
        "assert parsed == {'dpzero/symbols.page', 'dpzero/facts.page', 'dpzero/theorem3.page', 'dpzero/sharp_clip_bias.page'}, parsed\n"
        "heavy = {'scipy', 'numba', 'matplotlib', 'hypothesis'} & set(sys.modules)\nassert not heavy, heavy\n"
        "light = ('synthetic', 'synthetic.renamed', 'synthetic.declared')\n"  # declarations of methods
        "heavy = [one for one in sys.modules if one.startswith('synthetic') and not one.startswith(light[1:]) and one != light[0]]\n"
        "assert not heavy, heavy\n"
        "import bounds\nbounds.DERIVATIONS['dpzero.theorem3']\n"
        "assert [one.key for one in gc.get_objects() if isinstance(one, Derivation)] == ['dpzero.theorem3']\n"  # the count can count
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr


def without_encoding(text):
    """Yield the line numbers of calls in Python code that read or write text without naming an encoding."""
    for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
        given = {word.arg: word.value for word in call.keywords}
        method = isinstance(call.func, ast.Attribute)
        name = call.func.attr if method else getattr(call.func, "id", "")
        mode = given.get("mode", next(iter(call.args[0 if method else 1 :]), None))
        opened = name == "open" and "b" not in str(getattr(mode, "value", ""))
        whole = (name == "read_text" and not call.args) or (name == "write_text" and len(call.args) < 2)
        words = any(
            isinstance(value, ast.Constant) and value.value is True for value in (given.get("text"), given.get("universal_newlines"))
        )
        if "encoding" not in given and (opened or whole or words):
            yield call.lineno


def test_every_file_is_opened_with_its_encoding():
    """Under LC_ALL=C with PYTHONUTF8=0 a file is else read as ASCII."""
    lies = 'open("a")\nopen("a", "w")\np.open()\np.open("a")\np.read_text()\np.write_text("x")\nrun(c, text=True)\n'
    truths = 'open("a", "rb")\np.open("wb")\np.open(encoding="utf-8")\np.read_text("utf-8")\nrun(c, encoding="utf-8")\nrun(c)\n'
    assert list(without_encoding(lies)) == list(range(1, 8))
    assert not list(without_encoding(truths))
    for path in [p for folder in (*FOLDERS, "tests") for p in sources(folder)]:
        assert not list(without_encoding(path.read_text(encoding="utf-8"))), path


def test_no_file_is_too_long_to_read():
    long = {
        str(p.relative_to(ROOT)): n
        for folder in (*FOLDERS, "tests")
        for p in sources(folder)
        if (n := len(p.read_text(encoding="utf-8").splitlines())) > 400 and p != ROOT / "paper_checks" / "recheck.py"
    }  # a copy of that file and the pages is all that a second check needs
    assert not long


def test_names_of_this_machine_are_nowhere():
    for path in [p for folder in (*FOLDERS, "tests") for p in sources(folder)] + [ROOT / "README.md", ROOT / "Makefile"]:
        if path != Path(__file__):
            assert not re.search(r"/work/|/\.library|\.\./shared", path.read_text(encoding="utf-8")), path


def test_every_theorem_is_reached_by_a_check():
    import bounds
    from paper_checks import papers

    claims = papers.claims()
    reached = {key for claim in claims for key in claim.derivations} | {".".join(claim.key.split(".")[:2]) for claim in claims}
    assert set(bounds.THEOREMS) <= reached


TRIED = """
from hypothesis import given, strategies as st

seen = []


@given(st.one_of(st.integers(), st.floats(), st.text()))
def test_all(x):
    seen.append(repr(x))


def test_seen():
    import hashlib
    print("tried", len(seen), hashlib.sha256("".join(seen).encode()).hexdigest())
"""


def test_what_a_property_test_tries_depends_on_no_other_test(tmp_path):
    """Alone, and in a process that has imported modules full of numbers: the same examples."""
    (tmp_path / "tried.py").write_text(TRIED, encoding="utf-8")
    said = set()
    for imports in (
        "import tests.conftest",
        "import tests.conftest, odd",
        "import tests.conftest, bounds.symbols, bounds.dpzero.recommend",
    ):
        (tmp_path / "odd.py").write_text(f"NUMBERS = {[17 * k + 3 for k in range(4000)]}", encoding="utf-8")
        script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {imports}; import tried; tried.test_all(); tried.test_seen()"
        said.add(subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout)
    assert len(said) == 1
    assert "tried 100" in said.pop()


def test_every_pattern_of_a_room_of_mutants_fits_a_file():
    every = [str(path.relative_to(ROOT)) for folder in FOLDERS for path in sources(folder)]
    assert [p for patterns, _ in ROOMS.values() for p in patterns if not any(fnmatch(path, p) for path in every)] == []


def test_every_equivalent_mutant_is_of_a_line_that_stands():
    listed = tomllib.loads((ROOT / "tests/mutants/equivalent.toml").read_text(encoding="utf-8"))["equivalent"]
    assert [one["was"] for one in listed if one["was"] not in (ROOT / one["file"]).read_text(encoding="utf-8")] == []
