"""What mypy and editors see at the front door."""

import ast
import inspect
import subprocess
import sys
from pathlib import Path
from typing import get_overloads

import pytest

import theory_lab as lab

ROOT = Path(__file__).parents[2]
SCRIPT = """
import theory_lab as lab

train = lab.quadratic("inverse", d=5, n=50, seed=0)
run = lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0, sigma=1e-3)
landscape = lab.random_phase_cosines(3)
plan = lab.recommend("gauss_psgd", landscape, n=1000, epsilon=8.0, delta=1e-5)
found = lab.simulate("gauss_psgd", landscape, plan=plan.scaled, oracle="sgd", n=1000)
print(run.grad_norm_sq.mean(), found.sosp(landscape, plan.scaled.accuracy), lab.recommend("dpzero").sharp)
reveal_type(lab.privacy.sigma_gaussian(epsilon=1.0, delta=1e-6, T=4, sensitivity=1.0))
lab.quadratics
run.grad_nrom_sq
lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0, sigma=1e-3, replicate=4)
for method in ("dpzero", "dp_gd"):
    lab.recommend(method, n=1000).caveats
"""


def test_the_names_for_types_are_the_names_of_the_door():
    (block,) = (one for one in ast.parse(Path(lab.__file__).read_text(encoding="utf-8")).body if isinstance(one, ast.If) and one.body[1:])
    imports = [one for one in block.body if isinstance(one, ast.ImportFrom)]
    listed = {f"{one.module}:{alias.name}" for one in imports for alias in one.names}
    assert {said if ":" in said else said.replace(".", ":") for said in lab.NAMES.values()} == listed
    assert lab.__all__ == sorted(lab.NAMES)


def test_the_types_of_simulate_name_all_that_a_run_of_dpzero_takes():
    from synthetic.simulate import simulate

    of_objectives, _ = (inspect.signature(one) for one in get_overloads(inspect.unwrap(lab.simulate)))
    taken = dict(inspect.signature(simulate).parameters)
    assert {name: one.annotation for name, one in of_objectives.parameters.items() if name != "plan"} == {
        name: one.annotation for name, one in taken.items()
    }


@pytest.mark.slow
def test_a_script_anywhere_has_types(tmp_path):
    """An editable install by an import hook hides them, and a name that a door makes up has none."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache" / "scripts", "script.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8").stdout
    errors = [line.partition("error: ")[2] for line in said.splitlines() if "error: " in line]
    assert 'Revealed type is "float"' in said, said
    told = [error.partition(";")[0].partition(" matches")[0] for error in errors]
    assert told == [
        'Module has no attribute "quadratics"',
        '"Run" has no attribute "grad_nrom_sq"',
        'No overload variant of "simulate"',
    ]
