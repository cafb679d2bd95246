"""`lab.estimate` and the command `estimate`: what is handed over, what is told of it, and plans that say they rest on estimates."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import theory_lab as lab
from bounds.plans.plan import Plan
from bounds.symbols import GLOSSARY
from bounds.typeset.words import text_latex
from synthetic.objectives import probe
from tests.synthetic.objectives.test_probe import turned
from tests.tex import latex_faults, named_packages
from tests.theory_lab.test_options import Called, keep
from tests.theory_lab.test_predict import refused
from theory_lab.calls import estimate as estimation
from theory_lab.calls.estimate import PRIVATE, TRACE
from theory_lab.cli import main
from theory_lab.commands.estimate import objective_kinds
from theory_lab.examples import own_paper
from theory_lab.methods import METHODS
from theory_lab.methods.record import SADDLE, SUM

PRIVACY = {"epsilon": 2.0, "delta": 1e-6}
COSINE = lab.cosine("inverse", 5, 40, 0)
UNKNOWN = replace(COSINE, constants={"n": 40, "d": 5})
FOUND = lab.estimate(UNKNOWN)
ESTIMATE = ["estimate", "--objective", "cosine", "--d", "5", "--n", "40"]
PLAN = ["--plan", "dpzero", "--epsilon", "2", "--delta", "1e-6"]


# --- the call ---------------------------------------------------------------------------------------------------------------------------
def test_the_constants_are_those_of_the_probe_with_their_names_in_the_glossary():
    seen = probe.estimate_constants(UNKNOWN).constants
    assert FOUND.constants == {name: one.value for name, one in seen.items()}
    assert set(FOUND.constants) <= set(GLOSSARY)
    landscape = lab.estimate(lab.random_phase_cosines(3), n=30, places=2)
    assert set(landscape.constants) == {"L", "ell", "r", "trace", "gap", "U", "rho"} <= set(GLOSSARY)
    assert landscape.probed.settings["samples"] == 30


def test_what_was_seen_stands_in_place_of_what_an_objective_declares():
    found = replace(FOUND, objective=COSINE)
    assert COSINE.constants["L"] != found.constants["L"]
    assert {name: found.estimated.constants[name] for name in found.constants} == found.constants
    assert lab.recommend("dpzero", found, **PRIVACY).problem["L"] == found.constants["L"]


def test_every_argument_is_handed_over(monkeypatch):
    given = {"radius": 0.5, "places": 3, "samples": 7, "n": None, "points": [[0.0] * 5], "seed": 9, "progress": print}
    monkeypatch.setattr(estimation, "estimate_constants", keep)
    with pytest.raises(Called) as called:
        lab.estimate(UNKNOWN, **given, factor=2.0)
    assert called.value.given == (UNKNOWN,)
    assert called.value.named == given


def test_a_factor_makes_every_constant_worse_and_is_shown():
    twice = lab.estimate(UNKNOWN, factor=2.0)
    for name, value in FOUND.constants.items():
        expected = value / 2 if name in ("mu", "growth_mu") else 2 * value
        assert twice.constants[name] == pytest.approx(min(expected, 5.0) if name == "r" else expected), name
    assert {row["constant"]: row["with factor 2"] for row in twice.rows()} == twice.constants
    assert [row["seen"] for row in twice.rows()] == [row["seen"] for row in FOUND.rows()]
    assert "worse than the seen values by the factor 2, " in " ".join(twice.remarks)
    assert "factor 2" in repr(twice)
    assert not any("factor" in text for text in (repr(FOUND), *FOUND.rows()[0], *FOUND.remarks))
    for factor in (0.5, math.nan, math.inf, "2", True):
        with pytest.raises(ValueError, match=r"^factor = .*: a finite number of at least 1"):
            lab.estimate(UNKNOWN, factor=factor)


def test_every_result_says_what_it_is():
    for said in (repr(FOUND), FOUND._repr_html_(), FOUND.json(), FOUND.latex()):
        assert "stimate" in said
    for said in (FOUND._repr_html_(), FOUND.json(), " ".join(FOUND.remarks)):
        assert "These are estimates and no bounds" in said
        assert "holds only if they are true bounds" in said
        assert PRIVATE in said
    assert text_latex(PRIVATE.removesuffix(".")) in FOUND.latex()
    assert latex_faults(FOUND.latex(), named_packages(FOUND.latex())) == []
    assert {row["constant"]: row["true value"] for row in FOUND.rows()} == {
        **dict.fromkeys(("L", "ell", "trace", "gap", "B", "spread", "sample_spread", "weak"), "at least this"),
        "r": "either side", "growth_mu": "either side", "mu": "at most this",
    }  # fmt: skip
    told = json.loads(FOUND.json())
    assert told["estimated"] is True
    assert told["constants"] == FOUND.constants
    assert told["seen"]["ell"]["side"] == "at least"
    assert told["seen"]["ell"]["low"] is None
    assert len(told["places"]) == len(FOUND.probed.places)
    assert told["settings"]["radius"] == FOUND.probed.settings["radius"]


def test_remarks_are_said_where_there_is_reason():
    assert not any("declares" in said for said in FOUND.remarks)
    assert any("The objective itself declares r = " in said and "L = 1.20" in said for said in lab.estimate(COSINE, places=1).remarks)
    assert any("|x| <= 1.5" in said for said in lab.estimate(lab.phase_retrieval(3), n=20, places=1).remarks)
    assert TRACE not in FOUND.remarks
    high = lab.estimate(lab.cosine("flat", 101, 10, 0), places=1)
    assert TRACE in high.remarks
    ranked = "then r times ell is at most the true r times the true ell"
    assert (ranked in FOUND.remarks[0], ranked in high.remarks[0]) == (True, False)
    straight = lab.estimate(lab.linear_slopes("flat", 3, 10, 0, slopes="opposite"), places=1)
    assert ranked not in replace(straight, probed=replace(straight.probed, constants={"L": straight.probed.constants["L"]})).remarks[0]
    assert {"low", "high"} <= set(high.rows()[0])
    left = replace(FOUND, probed=replace(FOUND.probed, left_out=2))
    assert any(said.startswith(f"2 of {2 + len(FOUND.probed.places)} points") for said in left.remarks)


@pytest.mark.verify
def test_with_random_vectors_r_times_ell_may_be_above_the_true_ones_and_is_not_said_not_to_be():
    """A matrix with eigenvalues 1/i of both signs: r ell of the least H is Tr |A|."""
    o, A = turned(1, 130)
    found = lab.estimate(o, seed=1, places=1, radius=1.0)
    assert found.constants["r"] * found.constants["ell"] > 1.05 * np.abs(np.linalg.eigvalsh(A)).sum()
    assert "r times ell" not in " ".join(found.remarks)
    assert "may be above the true values" in " ".join(found.remarks)


# --- plans ------------------------------------------------------------------------------------------------------------------------------
FIRST, GRAPE, STAGES = ("dpzero", "dpgd_0th", "dp_gd"), ("dp_grape", "dp_grape_blocks"), ("dp_zoo", "dp_zoso", "dp_zopo")
OBJECTIVES = {  # for each method an objective, and what its plan takes besides
    **{name: (COSINE, {}) for name in FIRST},
    "gauss_psgd": (lab.random_phase_cosines(3), {"n": 10**6}),
    **{name: (lab.matrix_cosine("flat", 8, 30, 0, m=2), {"r": 1}) for name in GRAPE},
    **{name: (lab.ball_quadratic("flat", 3, 200, 0, spread=0.5), {"radius": 1.0}) for name in STAGES},
}
USED = {
    **{name: {"r", "L", "ell", "gap"} for name in FIRST},
    "gauss_psgd": {"L", "ell", "rho", "U"},
    **{name: {"L", "ell", "gap", "spread"} for name in GRAPE},
    **{name: {"L", "growth_mu", "gap", "weak", "sample_spread"} for name in STAGES},
}
USED["dpzero"] |= {"B"}


def test_every_method_with_plans_is_tried():
    assert set(OBJECTIVES) == set(USED) == {name for name, one in METHODS.items() if one.plans}


@pytest.mark.sample(6)
@pytest.mark.parametrize("method", list(OBJECTIVES))
def test_a_plan_of_an_estimate_has_its_constants_and_says_so_everywhere(method):
    objective, more = OBJECTIVES[method]
    few = {"n": 50} if method == "gauss_psgd" else {}
    found = lab.estimate(objective, places=2, **few)
    plan = lab.recommend(method, found, **PRIVACY, **more)
    assert isinstance(plan, Plan)
    first = plan.caveats[0]
    assert first.startswith("ESTIMATED, not known: ")
    assert PRIVATE in first
    for name in USED[method]:
        assert plan.problem[name] == found.constants[name], name
        assert f"{name} = {found.constants[name]:.4g}" in first
    said = {part.partition(" = ")[0] for part in first.removeprefix("ESTIMATED, not known: ").partition(". ")[0].split(", ")}
    assert said == USED[method]
    for column in plan.columns.values():
        assert column.caveats[0] == first
    assert json.loads(plan.json())["caveats"][0] == first
    assert text_latex(first) in plan.latex()
    assert first in plan._repr_html_().replace("&amp;", "&")
    bare = lab.recommend(method, objective, **PRIVACY, **more)
    assert not any("ESTIMATED" in text for text in bare.caveats)


def test_what_is_given_by_hand_is_not_called_estimated():
    plan = lab.recommend("dpzero", FOUND, **PRIVACY, L=3.0)
    assert plan.problem["L"] == 3.0
    assert "L = " not in plan.caveats[0]
    assert "ell = " in plan.caveats[0]
    known = {name: 2.0 for name in ("L", "ell", "gap", "B", "r")}
    assert not any("ESTIMATED" in text for text in lab.recommend("dpzero", FOUND, **PRIVACY, **known).caveats)
    assert not any("ESTIMATED" in text for text in lab.recommend("dpzero", **known, n=40, d=5, **PRIVACY).caveats)
    assert ", the factor 2 included" in lab.recommend("dpzero", lab.estimate(UNKNOWN, places=1, factor=2.0), **PRIVACY).caveats[0]


def test_a_run_of_such_a_plan_says_it_too_and_one_on_what_is_known_to_be_worse_is_not_vouched_for():
    plan = lab.recommend("dpzero", FOUND, **PRIVACY)
    run = lab.simulate("dpzero", UNKNOWN, plan=plan.sharp, T=2, replicates=1)
    assert not any("ESTIMATED" in said for said in run.remarks)  # T is by hand: nothing is promised of the run
    short = lab.recommend("dpzero", FOUND, **PRIVACY, T_max=2)
    run = lab.simulate("dpzero", UNKNOWN, plan=short.sharp, replicates=1)
    assert any(said.startswith("ESTIMATED, not known: ") for said in run.remarks)
    known = lab.simulate("dpzero", COSINE, plan=short.sharp, replicates=1)
    assert any("does not apply to this objective, which has" in said for said in known.remarks)


def test_neither_the_repr_nor_the_csv_nor_the_title_of_a_picture_hides_that_constants_are_estimated():
    plan, several = (lab.recommend("dpzero", FOUND, epsilon=epsilon, delta=1e-6) for epsilon in (2.0, [1.0, 2.0]))
    assert plan.estimated
    assert repr(plan).startswith("Plan(dpzero, of estimated constants: ")
    assert several.title.endswith("; of estimated constants")
    assert {row["constants"] for row in several.records()} == {"estimated"}
    assert all(one.caveats[0].startswith("ESTIMATED") for one in several)
    known = lab.recommend("dpzero", COSINE, epsilon=[1.0, 2.0], delta=1e-6)
    assert not known.estimated
    assert "estimated" not in known.title + repr(known[0])
    assert "constants" not in known.records()[0]


def test_privacy_that_rests_on_L_in_spite_of_a_clip_is_not_called_that_of_a_clip():
    plan = lab.recommend("dpzero", FOUND, **PRIVACY, accountant="lipschitz")
    assert (
        "The same is true of its privacy wherever the noise is calibrated to L or ell and not to a clipping threshold alone"
        in plan.sharp.caveats[0]
    )
    assert math.isfinite(plan.sharp.C)


def test_what_is_no_plan_of_the_house_is_refused_in_a_sentence():
    for plan in (3, {"caveats": ()}):
        with pytest.raises(ValueError, match=r"^plan = .*: with an estimate a plan of the class bounds.plans.plan.Plan is needed"):
            FOUND.told(plan, {})
    with pytest.raises(ValueError, match="gauss_psgd needs an objective with a saddle"):
        lab.recommend("gauss_psgd", FOUND, **PRIVACY, n=100)
    with pytest.raises(ValueError, match=r"^objective = Estimate\("):
        lab.recommend(replace(own_paper.METHOD, kind=None), FOUND, **PRIVACY)


# --- the command ------------------------------------------------------------------------------------------------------------------------
LOOK = {"radius": None, "places": 8, "samples": 10_000, "seed": 0, "factor": 1.0}


@pytest.mark.parametrize(("name", "value"), [("radius", 0.5), ("places", 3), ("samples", 7), ("seed", 4), ("factor", 2.0)])
def test_the_command_hands_every_option_over(name, value, monkeypatch):
    monkeypatch.setattr(lab, "estimate", keep, raising=False)
    with pytest.raises(Called) as called:
        main([*ESTIMATE, f"--{name}", str(value), "--spectrum", "flat"])
    assert callable(called.value.named.pop("progress"))
    assert called.value.named == {**LOOK, name: value}
    expected = lab.cosine("flat", 5, 40, 4 if name == "seed" else 0)
    np.testing.assert_array_equal(called.value.given[0].data, expected.data)
    assert called.value.given[0].name == expected.name


def test_the_command_draws_samples_of_a_landscape_and_takes_arguments_of_objectives(monkeypatch):
    monkeypatch.setattr(lab, "estimate", keep, raising=False)
    with pytest.raises(Called) as called:
        main(["estimate", "--objective", "random_phase_cosines", "--d", "3", "--n", "40", "--with", "w=0.5"])
    assert called.value.named["n"] == 40
    assert called.value.given[0].constants == lab.random_phase_cosines(3, w=0.5).constants
    with pytest.raises(Called) as called:
        main(["estimate", "--objective", "linear_slopes", "--d", "3", "--n", "40", "--with", "slopes=two"])
    assert "two slopes" in called.value.given[0].name
    assert {*objective_kinds(METHODS)} == {*SUM.table, *SADDLE.table}


def test_the_command_prints_what_the_call_says(capsys):
    assert main([*ESTIMATE, "--json"]) == 0
    found = lab.estimate(COSINE)
    assert json.loads(capsys.readouterr().out) == json.loads(found.json())
    assert main([*ESTIMATE, "--latex"]) == 0
    assert capsys.readouterr().out == found.latex() + "\n"
    assert main(ESTIMATE) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "estimated constants of cosine" in out
    assert "evaluated points" in out
    assert all(said in out for said in found.remarks)
    assert all(f" {name} " in out for name in found.constants)


@pytest.mark.verify
def test_the_command_makes_a_plan_that_says_it_is_of_estimates(capsys):
    plan = lab.recommend("dpzero", lab.estimate(COSINE), **PRIVACY)
    assert main([*ESTIMATE, *PLAN, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {"estimate": json.loads(lab.estimate(COSINE).json()), "plan": json.loads(plan.json())}
    assert main([*ESTIMATE, *PLAN, "--latex"]) == 0
    assert capsys.readouterr().out == f"{lab.estimate(COSINE).latex()}\n\n{plan.latex()}\n"
    assert main([*ESTIMATE, *PLAN]) == 0
    assert plan.caveats[0] in " ".join(capsys.readouterr().out.split())
    ball = ["estimate", "--objective", "ball_quadratic", "--d", "3", "--n", "200", "--plan", "dp_zoso", *PLAN[2:], "--json"]
    assert main([*ball, "--given", "T_max=1000", "--given", "L=2.5"]) == 0
    told = json.loads(capsys.readouterr().out)["plan"]
    assert told["problem"]["L"] == 2.5
    assert "growth_mu = 0.0833" in told["caveats"][0]
    saddle = ["estimate", "--objective", "cubic_saddle", "--d", "3", "--n", "90000", "--samples", "50", "--plan", "gauss_psgd", *PLAN[2:]]
    assert main([*saddle, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["plan"]["problem"]["n"] == 90000


OWN = """
import numpy as np
import theory_lab as lab

def loss(x, row):
    return np.log1p(np.exp(-(x @ row)))

def gradient(x, row):
    return -row / (1.0 + np.exp(x @ row))

def mine(spectrum, d, n, seed):
    return lab.objective(np.random.default_rng(seed).standard_normal((n, d)), loss, gradient, x0=np.zeros(d), name="of mine")

OBJECTIVES = {"mine": mine}
"""


def test_an_objective_of_a_file_of_ones_own(tmp_path, capsys, monkeypatch):
    file = tmp_path / "estimated_mine.py"
    file.write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    argv = ["estimate", "--module", str(file), "--objective", "mine", "--d", "3", "--n", "20", *PLAN, "--json"]
    assert main(argv) == 0
    told = json.loads(capsys.readouterr().out)
    data = np.random.default_rng(0).standard_normal((20, 3))
    assert told["estimate"]["objective"] == "of mine"
    assert told["estimate"]["constants"]["L"] >= np.linalg.norm(data, axis=1).max() / 2 * (1 - 1e-12)
    assert told["estimate"]["constants"]["trace"] == pytest.approx(np.sum(data**2) / 80, rel=1e-6)  # at x_0 every factor is 1/4
    assert told["plan"]["caveats"][0].startswith("ESTIMATED")


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--epsilon", "2"], "epsilon = 2.0: it is for --plan only"),
        (["--given", "L=2"], "given = ['L=2']: it is for --plan only"),
        (["--plan", "dpzero"], "plan = 'dpzero': --epsilon and --delta are needed with it"),
        (["--plan", "dpzero", "--epsilon", "1"], "plan = 'dpzero': --delta is needed with it"),
        (["--factor", "0.5"], "factor = 0.5: a finite number of at least 1"),
        (["--places", "0"], "places = 0: an integer of at least 1"),
        (["--radius", "-1"], "radius = -1.0: a finite number above 0"),
        (["--d", "0"], "d = 0: an integer of at least 1"),
        (["--with", "w=1"], "--with w=...: cosine does not take w here; it takes x0"),
        ([*PLAN, "--given", "Q=1"], "given = 'Q=1': NAME=VALUE is needed, and the plans of dpzero take n, d, epsilon"),
        ([*PLAN, "--given", "T_max=some"], "given = 'T_max=some': 'some': an integer of at least 1, printed or free"),
        ([*PLAN, "--given", "L=some"], "given = 'L=some': could not convert"),
        ([*PLAN, "--given", "accountant=none"], "given = 'accountant=none': one of exact, lemma, lipschitz"),
        (["--plan", "dp_grape", *PLAN[2:]], "r is missing: a plan of dp_grape needs --given r=VALUE too (dimension of the subspace)"),
        (["--plan", "gauss_psgd", *PLAN[2:]], "gauss_psgd needs an objective with a saddle"),
        (["--latex", "--json"], "not allowed with argument --latex"),
        (["--objective", "cosin"], "argument --objective: invalid choice: 'cosin'"),
        (["--objective", "slope", "--spectrum", "flat"], "spectrum = 'flat': slope takes no spectrum; leave it out"),
        (["--objective", "factorisation"], "m is missing: factorisation needs m, rank, for instance --with m=2"),
    ],
)
def test_mistakes_are_a_line(more, sentence, capsys):
    assert sentence in refused([*ESTIMATE, *more], capsys)
