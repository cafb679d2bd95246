"""What mypy and editors see at the front door."""

import ast
import inspect
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Unpack, get_args, get_overloads, get_type_hints

import pytest

import theory_lab as lab
from bounds import privacy
from bounds.dp_grape import recommend as dp_grape
from bounds.dp_zopo import recommend as dp_zopo
from bounds.dpzero import recommend as dpzero
from bounds.gauss_psgd import recommend as gauss_psgd
from bounds.moments import recursion as moments
from synthetic.draws import DIRECTION_KINDS, FloatArray
from synthetic.grids import grid
from synthetic.methods import dp_zopo as stages
from synthetic.methods.dp_grape import KERNELS
from synthetic.methods.dpzero import DPZERO
from synthetic.objectives.sums import SPECTRA
from synthetic.runs import psgd, simulate
from theory_lab import api, signatures, tuned
from theory_lab.methods import METHODS
from theory_lab.methods import dpzero as dpzero_method
from theory_lab.methods.record import SADDLE, SUM, resolved

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
lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0)
lab.simulate("dpzero", train, alpha="0.03", T=4, C=3.0, sigma=1e-3)
run.grad_nrom_sq
lab.quadratics
lab.recommend("dpzero", n=1000)
lab.simulate("gauss_psgd", landscape, plan=plan.scaled, oracle="sdg", n=1000)
lab.simulate("gauss_psgd", landscape, plan=plan.printed, oracle="sgd")
lab.simulate("dpzero", train, alpha=0.03, T=4, C=3.0, sigma=1e-3, direction="ball")
lab.grid("dpzero", train, alphas=[1.0], horizons=[1], clips=[1.0], epsilon=1.0, delta=1e-6, accountant="lemme")
lab.grid("dpzero", train, alphas=[1.0], horizons=[1], clips=[1.0], epsilon=1.0, delta=1e-6, precision="half")
lab.expected_gap("dpzero", eigenvalues=[1.0], offset=[1.0], alpha=0.1, T=3, sigma=0.1, direction="ball")
"""
MISTAKES = list(range(13, 26))  # lines of the script


def test_the_names_for_types_are_the_names_of_the_door():
    (block,) = (one for one in ast.parse(Path(lab.__file__).read_text(encoding="utf-8")).body if isinstance(one, ast.If) and one.body[1:])
    imports = [one for one in block.body if isinstance(one, ast.ImportFrom)]
    listed = {f"{one.module}:{alias.name}" for one in imports for alias in one.names}
    assert {said if ":" in said else ":".join(said.rsplit(".", 1)) for said in lab.NAMES.values()} == listed
    assert lab.__all__ == sorted(lab.NAMES)


def names(*records):
    return {name for one in records for name in get_type_hints(one, vars(signatures), include_extras=False)}


def taken(function, *without):
    return set(inspect.signature(function).parameters) - set(without)


def test_the_types_name_all_that_a_run_and_a_recommendation_take():
    others = taken(simulate.simulate, "method", "objective", "settings")
    assert names(signatures.Settings) == others | {one.name for one in DPZERO.all_settings}
    assert names(signatures.MezoSettings) == names(signatures.Settings) - {"C", "sigma"}
    assert names(signatures.Changed) == names(signatures.Settings)
    assert names(signatures.PsgdSettings) == taken(psgd.gauss_psgd, "landscape")
    assert names(signatures.PsgdChanged) == names(signatures.PsgdSettings) - {"n"}
    assert names(signatures.FrozenSettings) == taken(psgd.frozen_psgd, "landscape")
    assert names(signatures.FrozenChanged) == names(signatures.FrozenSettings) - {"n"}
    assert names(signatures.Problem) == taken(dpzero.recommend, "method") | taken(tuned.recommend, "method", "problem", "progress")
    assert names(signatures.PsgdProblem) == taken(gauss_psgd.recommend, "method")
    for kernel, record in (
        ("dp_grape", signatures.GrapeSettings), ("dp_grape_blocks", signatures.BlocksSettings), ("dp_sgd", signatures.DpSgdSettings),
        ("dp_adam", signatures.DpAdamSettings), ("galore", signatures.GaloreSettings), ("dp_galore", signatures.DpGaloreSettings),
    ):  # fmt: skip
        own = {one.name for one in KERNELS[kernel].all_settings} - (set() if KERNELS[kernel].private else {"C", "sigma"})
        assert names(record) == others | own, kernel
    assert names(signatures.GrapeChanged) == names(signatures.GrapeSettings)
    assert names(signatures.BlocksChanged) == names(signatures.BlocksSettings)
    for kernel, record, changed in (
        ("dp_zoo", signatures.ZooSettings, signatures.ZooChanged), ("dp_zoso", signatures.ZosoSettings, signatures.ZosoChanged),
        ("dp_zopo", signatures.ZopoSettings, signatures.ZopoChanged),
    ):  # fmt: skip
        assert names(record) == names(changed) == others | {one.name for one in stages.KERNELS[kernel].all_settings}, kernel
    assert names(signatures.ZopoProblem) == taken(dp_zopo.recommend, "method")
    assert names(signatures.ZopoConstants) == names(signatures.ZopoProblem) - {"epsilon", "delta"}
    assert names(signatures.GrapeProblem) == taken(dp_grape.recommend, "method")
    assert names(signatures.GrapeConstants) == names(signatures.GrapeProblem) - {"epsilon", "delta"}
    for record, whole in ((signatures.Constants, signatures.Problem), (signatures.PsgdConstants, signatures.PsgdProblem)):
        assert names(record) == names(whole) - {"epsilon", "delta"} - ({"n"} if record is signatures.PsgdConstants else set())


def test_the_types_of_words_are_those_of_the_records():
    assert get_args(signatures.Private) == tuple(name for name, one in METHODS.items() if one.paper == "dpzero" and one.plans)
    assert get_args(dpzero_method.PredictedMethod) == tuple(name for name, one in METHODS.items() if one.law)
    assert get_args(signatures.Oracle) == METHODS["gauss_psgd"].choices("oracle")
    assert get_args(get_args(signatures.Spectrum)[0]) == SPECTRA
    assert get_args(signatures.Direction) == METHODS["dpzero"].choices("direction") == DIRECTION_KINDS == moments.DIRECTIONS
    said = get_type_hints(signatures.GrapeSettings) | get_type_hints(signatures.BlocksSettings)
    for name, kernel in KERNELS.items():
        for one in (one for one in kernel.own if one.number is str):  # the kernel's words, the command's, the editor's
            assert one.check.args[0] == METHODS[name].choices(one.name) == get_args(said[one.name]), (name, one.name)
            assert one.default == one.check.args[0][0]
    said = get_type_hints(signatures.ZopoSettings)
    for name, kernel in stages.KERNELS.items():
        for one in (one for one in kernel.own if isinstance(one.default, str) and METHODS[name].choices(one.name)):
            words = [get_args(part) or (part,) for part in get_args(said[one.name])]  # score may be an array as well
            assert {word for part in words for word in part} - {FloatArray, *get_args(FloatArray)} == set(METHODS[name].choices(one.name))
            assert one.default == METHODS[name].choices(one.name)[0]
    assert get_args(signatures.Accountant) == tuple(privacy.ACCOUNTANTS)
    assert get_args(signatures.Precision) == grid.PRECISIONS
    named = {name for one in get_overloads(inspect.unwrap(lab.simulate)) for name in get_args(get_type_hints(one, given())["method"])}
    assert {word for one in named for word in (get_args(one) or (one,))} == set(METHODS)


def given():
    return vars(api) | {"to": signatures, "Unpack": Unpack}


def test_a_script_anywhere_has_types_and_every_mistake_is_found(tmp_path):
    """An editable install by an import hook hides them, and a name that a door makes up has none."""
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache" / "scripts", "script.py"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", env=os.environ | {"MYPYPATH": str(ROOT)}).stdout
    errors = [line.split(":", 3) for line in said.splitlines() if ": error: " in line]
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


@pytest.mark.parametrize(
    ("record", "function"),
    [
        (signatures.Problem, dpzero.recommend),
        (signatures.PsgdProblem, gauss_psgd.recommend),
        (signatures.PsgdSettings, psgd.gauss_psgd),
        (signatures.GrapeProblem, dp_grape.recommend),
        (signatures.ZopoProblem, dp_zopo.recommend),
    ],
)
def test_what_may_be_left_out_as_none_has_none_in_its_type(record, function):
    optional = {"r", "B", "mu", "T_max", "lam", "alpha", "knobs", "s", "x0", "limit", "batch_size", "threads", "progress", "executor"}
    optional |= {"sample_spread", "stages", "target", "ell"} if record is signatures.ZopoProblem else set()
    said, taken = get_type_hints(record, vars(signatures)), get_type_hints(function)
    assert optional & set(said)
    for name in optional & set(said):
        assert (type(None) in get_args(said[name])) == (type(None) in get_args(taken[name])), name


def test_what_a_run_takes_as_none_has_none_in_its_type():
    said = get_type_hints(signatures.Settings, vars(signatures))
    optional = {one.name for one in DPZERO.all_settings if one.default is None} - {"C", "sigma"}  # which a private method needs
    assert {name for name in said if type(None) in get_args(said[name])} == optional | {"threads", "progress"}


def test_notebooks_complete_every_keyword_that_a_method_takes():
    """The signature at run time: all that the overloads take, none of it needed, and room for a method of one's own."""
    runs = (simulate.simulate, psgd.gauss_psgd, psgd.frozen_psgd)
    recommended = tuple(one.recommend for one in (dpzero, tuned, gauss_psgd, dp_grape, dp_zopo))
    for call, functions in ((lab.simulate, runs), (lab.recommend, recommended)):
        found = inspect.signature(call).parameters
        own = {"method", "objective", "plan", "settings"} if call is lab.simulate else {"method", "objective", "problem"}
        kernels = (DPZERO, *KERNELS.values(), *stages.KERNELS.values()) if call is lab.simulate else ()
        settings = {one.name for kernel in kernels for one in kernel.all_settings}
        others = ("method", "objective", "landscape", "problem", *(("progress",) if call is lab.recommend else ()))
        assert set(found) == own | settings | {name for one in functions for name in taken(one, *others)}
        assert [name for name, one in found.items() if one.default is one.empty] == ["method", list(found)[-1]]
    with pytest.raises(TypeError, match=r"^replicate = 4: no such argument; the nearest is replicates"):
        lab.simulate("dpzero", lab.quadratic("flat", 2, 5, 0), alpha=0.1, T=1, C=1.0, sigma=0.1, replicate=4)
