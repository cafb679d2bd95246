"""The record of a kernel becomes a method of the front door: its options, its own settings, what a plan vouches for."""

import json
from pathlib import Path

import numpy as np
import pytest

import theory_lab as lab
from bounds.dpzero.columns import Schedule
from bounds.plans.plan import ObjectiveFacts, Remarks
from synthetic.methods.record import COMMON
from synthetic.runs.simulate import simulate
from tests.synthetic.methods.test_record import MOMENTUM
from theory_lab.cli import main
from theory_lab.methods import METHODS, sums
from theory_lab.methods.record import resolved

OWN = sums.record("momentum", paper="mine", words="w", kernel=MOMENTUM)
FILE = """
from dataclasses import replace

from synthetic.methods.record import NEEDED
from tests.synthetic.methods.test_record import MOMENTUM
from theory_lab.methods import sums

more = {"paper": "mine", "words": "w"}
beta, F = MOMENTUM.settings
asked = replace(MOMENTUM, settings=(beta, replace(F, default=NEEDED)))
METHODS = {one.name: one for one in (sums.record("momentum", kernel=MOMENTUM, **more), sums.record("asked", kernel=asked, **more))}
"""
WIDE = """
import numpy as np

import theory_lab as lab


def wide(spectrum, d, n, seed, height=1.0):
    def loss(x, row):
        return height * np.sum((x - row) ** 2) / 2

    def gradient(x, row):
        return height * (x - row)

    return lab.objective(np.random.default_rng(seed).standard_normal((n, d)), loss, gradient, x0=np.ones(d))


OBJECTIVES = {"wide": wide}
"""
RUN = ["--d", "8", "--n", "9", "--alpha", "0.05", "--T", "6", "--C", "0.8", "--sigma", "0.1", "--seed", "5", "--json"]


@pytest.mark.parametrize("record", [*METHODS.values(), OWN], ids=lambda one: one.name)
def test_a_method_has_the_options_that_its_kernel_has_settings_for(record):
    if record.kind is not sums.SUM:
        return
    kernel = resolved(record.kernel)
    assert kernel.name == record.name
    settings = {one.name for one in kernel.all_settings} - (set() if kernel.private else {"C", "sigma"})
    assert {one.name for one in record.options} & {one.name for one in COMMON} == settings - {one.name for one in kernel.own}
    more = [one for one in record.options if one.written == "--with"]
    rest = [one.name for one in kernel.own if one.name not in {option.name for option in record.options}]  # those without an option
    own = f"a further setting of the method ({', '.join(rest)}), or an argument" if rest else "an argument"
    assert [one.help for one in more] == [f"{own} of the objective"]
    assert kernel.private or record.plans is None


def test_a_record_of_ones_own_runs_in_python():
    o = lab.quadratic("inverse", d=8, n=9, seed=5)
    given = {"alpha": 0.05, "T": 6, "C": 0.8, "sigma": 0.1, "F": 2}
    run = lab.simulate(OWN, o, **given)
    np.testing.assert_array_equal(run.x, simulate(MOMENTUM, o, **given).x)
    assert run.method == "momentum"
    with pytest.raises(TypeError, match=r"^lam = 0.1: no such argument; "):
        lab.simulate(OWN, o, **given, lam=0.1)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "with_state.py"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


def test_a_record_of_ones_own_runs_at_the_command_line_with_its_settings(file, capsys):
    o = lab.quadratic("inverse", d=8, n=9, seed=5)
    for method, more, beta, F in (
        ("momentum", [], 0.9, 3),
        ("momentum", ["--with", "beta=0.5", "--with", "F=2"], 0.5, 2),
        ("asked", ["--with", "F=4"], 0.9, 4),
    ):
        assert main(["--module", file, "simulate", method, *RUN, *more]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["settings"]["beta"], told["settings"]["F"]) == (beta, F)
        run = simulate(MOMENTUM, o, alpha=0.05, T=6, C=0.8, sigma=0.1, seed=5, beta=beta, F=F)
        assert told["replicates"][0]["loss_end"] == run.loss[0, -1]

    for method, more, sentence in (
        (
            "momentum",
            ["--with", "gamma=0.5"],
            "--with gamma=...: neither momentum nor quadratic takes gamma; momentum takes beta, F; quadratic takes x0",
        ),
        (
            "momentum",
            ["--with", "alpha=0.5"],
            "--with alpha=...: neither momentum nor quadratic takes alpha; momentum takes beta, F; quadratic takes x0",
        ),
        ("momentum", ["--with", "beta"], "'beta': NAME=VALUE with a number is needed"),
        ("momentum", ["--with", "beta=2"], "beta = 2: a number strictly between 0 and 1 is needed"),
        ("momentum", ["--with", "F=2.5"], "F = 2.5: an integer of at least 1 is needed"),
        ("asked", [], "F is missing: asked needs F, for instance --with F=2"),
    ):
        assert main(["--module", file, "simulate", method, *RUN, *more]) == 2
        assert capsys.readouterr().err == f"theory-lab: {sentence}\n"
    for wrong in (["--lam", "1"], ["--direction", "sphere"], ["--plan", "sharp"]):
        with pytest.raises(SystemExit):
            main(["--module", file, "simulate", "momentum", *RUN, *wrong])


@pytest.mark.verify
def test_with_is_shared_out_between_the_method_and_an_objective_of_ones_own(file, tmp_path, capsys):
    assert main(["simulate", "dpzero", *RUN, "--with", "beta=1"]) == 2
    assert "--with beta=...: quadratic does not take beta here; it takes x0" in capsys.readouterr().err
    both = Path(file).read_text(encoding="utf-8") + WIDE
    (tmp_path / "both.py").write_text(both, encoding="utf-8")
    run = ["--module", str(tmp_path / "both.py"), "simulate", "momentum", "--objective", "wide", *RUN]
    found = {}
    for height in ("2", "3"):
        assert main([*run, "--with", "beta=0.5", "--with", f"height={height}"]) == 0
        found[height] = json.loads(capsys.readouterr().out)
        assert found[height]["settings"]["beta"] == 0.5
    starts = [found[height]["replicates"][0]["loss_start"] for height in ("2", "3")]
    assert starts[1] == pytest.approx(1.5 * starts[0])


def test_a_plan_vouches_for_no_privacy_where_a_setting_of_the_kernels_own_is_set_by_hand():
    """Whether it touches privacy, as the number of directions does, only the kernel's paper knows."""
    numbers = dict.fromkeys(("alpha", "T", "C", "lam", "sigma", "bound", "certified", "n"), 1.0)
    plan = Schedule(theorem="", measure="", method="dpzero", constants={}, caveats=("c",), **numbers)
    none = "No (epsilon, delta) is promised for this run: {} not taken from the plan."
    for given, said in (
        ({}, Remarks((), ("c",))),
        ({"replicates": 3, "seed": 1, "threads": 2, "progress": print}, Remarks((), ("c",))),
        ({"beta": 0.5}, Remarks((none.format("beta"),))),
        ({"beta": 0.5, "alpha": 1.0, "T": 3}, Remarks((none.format("T, beta"),))),
        (
            {"alpha": 1.0, "lam": 2.0},
            Remarks(("What the plan certifies does not apply to this run: alpha, lam not taken from the plan.",), ("c",)),
        ),
    ):
        assert plan.remarks(ObjectiveFacts("", {}), {}, given) == said


# --- what a record of one's own may say wrongly -----------------------------------------------------------------------------------------
PLANNED = """
from dataclasses import dataclass, field

from bounds.plans.plan import Column, Plan
from synthetic.methods.dpzero import DPZERO
from theory_lab.methods import sums
from theory_lab.methods.record import Option, Plans


@dataclass(frozen=True)
class Best(Column):
    ROWS = ("alpha",)
    theorem: str = "mine.theorem1"
    constants: dict = field(default_factory=dict, hash=False)
    runs = ("planned",)

    def arguments(self, method, place, **settings):
        return {"alpha": 0.1, "T": 2, "C": 1.0, "sigma": 0.1} | settings


@dataclass(frozen=True, repr=False)
class Plans_(Plan):
    COLUMNS = ("proved",)
    method: str = "planned"
    problem: dict = field(default_factory=dict, hash=False)
    proved: Best = Best()
    caveats: tuple = ()


def recommended(method, *, epsilon, delta):
    return Plans_()


plans = Plans(words="w", described="d", call=recommended, options=(Option("epsilon", "e", float),), columns=("proved",))
METHOD = sums.record("planned", paper="mine", words="w", kernel=DPZERO, plans=plans)
"""
RUN_PLAN = ["simulate", "planned", "--d", "3", "--n", "4", "--epsilon", "2", "--delta", "1e-6", "--plan"]


def written(tmp_path, name, text):
    path = tmp_path / f"{name}.py"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_column_that_certifies_no_number_is_run_and_names_its_theorem(tmp_path, capsys):
    file = written(tmp_path, "planned_right", PLANNED)
    assert main(["--module", file, *RUN_PLAN, "proved", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["plan"] == {"column": "proved", "theorem": "mine.theorem1", "epsilon": 2.0, "delta": 1e-6}
    assert told["remarks"] == ["The proved plan for (2, 1e-06): it rests on mine.theorem1."]


def test_columns_of_a_record_that_its_plan_does_not_have_are_a_sentence(tmp_path, capsys):
    file = written(tmp_path, "planned_wrong", PLANNED.replace('columns=("proved",)', 'columns=("prove",)'))
    assert main(["--module", file, *RUN_PLAN, "prove"]) == 2
    assert capsys.readouterr().err == "theory-lab: columns of the plans of planned have 'prove': the variants of its plan are proved\n"
    file = written(tmp_path, "planned_none", PLANNED.replace(', columns=("proved",)', ""))
    assert main(["--module", file, "list"]) == 2
    assert "columns of the plans of planned = (): the names of its plan's variants are needed, for --plan" in capsys.readouterr().err


def test_a_record_by_address_that_promises_directions_its_kernel_has_not_is_a_sentence(tmp_path, capsys):
    head = "from theory_lab.methods import sums\nMETHOD = sums.record('momentum', paper='mine', words='w', "
    file = written(tmp_path, "by_address", f"{head}kernel='tests.synthetic.methods.test_record:MOMENTUM')\n")
    assert main(["--module", file, "simulate", "momentum", *RUN]) == 2
    said = "zeroth of the record of momentum: its kernel lacks lam; zeroth=False is needed"
    assert capsys.readouterr().err == f"theory-lab: {said}\n"
    file = written(
        tmp_path, "by_address_too", f"{head}kernel='tests.synthetic.methods.test_record:MOMENTUM', zeroth=False, own=('beta', 'F'))\n"
    )
    assert main(["--module", file, "simulate", "momentum", *RUN]) == 0
