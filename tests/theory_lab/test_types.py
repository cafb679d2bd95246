"""What mypy and editors see at the front door."""

import ast
import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args

import pytest

import theory_lab as lab
from bounds import privacy
from bounds.moments import recursion as moments
from bounds.privacy.gaussian import Accountant
from synthetic.declared.fields import Direction
from synthetic.declared.gauss_psgd import Oracle
from synthetic.draws import DIRECTION_KINDS
from synthetic.methods.record import Kernel
from synthetic.objectives.sums import SPECTRA, Spectrum
from synthetic.runs import psgd
from theory_lab.methods import METHODS
from theory_lab.methods.record import SADDLE, SUM, resolved
from theory_lab.stub import HEAD, stub_lines, union_text

ROOT = Path(__file__).parents[2]
SCRIPT = """
import theory_lab as lab

train = lab.quadratic("inverse", d=5, n=50, seed=0)
run = lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0, sigma=1e-3)
landscape = lab.random_phase_cosines(3)
plan = lab.recommend("gauss_psgd", landscape, n=1000, epsilon=8.0, delta=1e-5)
found = lab.simulate("gauss_psgd", landscape, plan=plan.scaled, oracle="sgd", n=1000)
print(run.grad_norm_sq.mean(), found.sosp(landscape, plan.scaled.accuracy))
both = lab.recommend("dpzero", lab.cosine("flat", d=5, n=50, seed=0), epsilon=1.0, delta=1e-6)
again = lab.simulate("dp_gd", train, plan=both.sharp, replicates=3)
reveal_type(lab.privacy.sigma_gaussian(epsilon=1.0, delta=1e-6, T=4, sensitivity=1.0))
lab.simulate("dpzer0", train, alpha=0.03, T=4, C=3.0, sigma=1e-3)
lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0, sigma=1e-3, replicate=4)
lab.simulate(lab.DPZero(alpha=0.03, T=4, C=3.0), train)
lab.simulate("dpzero", train, alpha="0.03", T=4, C=3.0, sigma=1e-3)
run.grad_nrom_sq
lab.quadratics
lab.recommend("dpzero", n=1000)
lab.simulate("gauss_psgd", landscape, plan=plan.scaled, oracle="sdg", n=1000)
lab.DPZero(alpha=0.03, T=4, C=3.0, sigma=1e-3, lamb=1e-3)
lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0, sigma=1e-3, direction="ball")
lab.grid("dpzero", train, alphas=[1.0], horizons=[1], clips=[1.0], epsilon=1.0, delta=1e-6, accountant="lemme")
lab.grid("dpzero", train, alphas=[1.0], horizons=[1], clips=[1.0], epsilon=1.0, delta=1e-6, precision="half")
lab.expected_gap("dpzero", eigenvalues=[1.0], offset=[1.0], alpha=0.1, T=3, sigma=0.1, direction="ball")
"""
MISTAKES = list(range(13, 26))  # lines of the script


def test_the_stub_is_the_one_that_is_printed():
    printed = HEAD + "\n".join(stub_lines()) + "\n"
    assert Path(lab.__file__).with_suffix(".pyi").read_text(encoding="utf-8") == printed, "run python -m theory_lab.stub"


def test_the_stub_has_every_public_name():
    tree = ast.parse(Path(lab.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imported = {alias.asname for one in tree.body if isinstance(one, ast.ImportFrom) for alias in one.names if alias.asname}
    defined = {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    assert set(lab.NAMES) <= imported | defined
    assert lab.__all__ == sorted(lab.NAMES)


@pytest.mark.parametrize("record", METHODS.values(), ids=lambda one: one.name)
def test_a_declaration_has_every_setting_that_its_method_takes(record):
    fields = {one.name for one in record.declared.fields}
    runner = record.runner
    if isinstance(runner, Kernel):
        assert runner.declared is record.declared
        own = {one.name for one in runner.all_settings} - {"replicates", "seed"} - (set() if runner.private else {"C", "sigma"})
        assert fields == own
    else:
        of_run = {"landscape", "x0", "keep_points", "replicates", "seed", "threads", "progress", "executor"}
        assert fields == set(inspect.signature(runner).parameters) - of_run
        taken = inspect.signature(runner).parameters
        assert {one.name for one in record.declared.fields if one.needed} == {
            name for name in fields if taken[name].default is inspect.Parameter.empty
        }
        for one in record.declared.fields:
            assert one.needed or one.default == taken[one.name].default, one.name
    assert getattr(lab, record.declared.__name__) is record.declared
    assert record.private == (record.name not in ("mezo", "galore"))


def test_words_of_settings_are_those_of_the_libraries():
    assert get_args(Direction) == METHODS["dpzero"].choices("direction") == DIRECTION_KINDS == moments.DIRECTIONS
    assert set(get_args(Oracle)) == set(psgd.ORACLES)
    assert get_args(get_args(Spectrum)[0]) == SPECTRA
    assert get_args(Accountant) == tuple(privacy.ACCOUNTANTS)
    for name, words in (("restart", psgd.RESTARTS), ("drift", psgd.DRIFTS), ("output", psgd.OUTPUTS)):
        assert METHODS["gauss_psgd"].choices(name) == words


def test_types_are_printed_as_unions_with_one_literal():
    words, other = Literal["a", "b"], Literal["b", "c"]
    assert union_text([float | None, float | tuple[float, ...]]) == "float | tuple[float, ...] | None"
    assert union_text([words, other]) == 'Literal["a", "b", "c"]'
    assert union_text([int, words | None]) == 'int | Literal["a", "b"] | None'
    assert union_text([words | Any]) == "Any"


def test_a_script_anywhere_has_types_and_every_mistake_is_found(tmp_path):
    """An editable install by an import hook hides them, and a name that a door makes up has none."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache" / "scripts", "script.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", env=os.environ | {"MYPYPATH": str(ROOT)}).stdout
    errors = [line.split(":", 3) for line in said.splitlines() if ": error: " in line]
    assert said.count("replicate") == 2, said  # one line for a misspelt keyword: its name and the nearest
    assert 'Revealed type is "float"' in said, said
    assert [int(line) for _, line, *_ in errors] == MISTAKES, said


def test_the_front_door_has_every_function_that_makes_an_objective():
    """Nothing heavy is imported at the start, so the front door says their names; `local_cubic` is for the ledger only."""

    def making(kind):
        sums, saddles = ("sums", "stages", "matrices"), ("separable_saddles", "coupled_saddles")
        made = resolved(kind.of)
        return {
            name: f"{where}:{name}"
            for where in (f"synthetic.objectives.{module}" for module in (sums if kind is SUM else saddles))
            for name, one in vars(import_module(where)).items()
            if getattr(one, "__module__", "") == where and getattr(one, "__annotations__", {}).get("return") is made and name[0] != "_"
        }

    beside = {"local_cubic": "synthetic.objectives.separable_saddles:local_cubic"}
    assert (making(SUM), making(SADDLE)) == (SUM.table, SADDLE.table | beside)


def test_a_misspelt_setting_is_named_with_the_nearest_one():
    with pytest.raises(TypeError, match=r"^replicate = 4: no such argument; the nearest is replicates"):
        lab.simulate("dpzero", lab.quadratic("flat", 2, 5, 0), alpha=0.1, T=1, C=1.0, sigma=0.1, replicate=4)
