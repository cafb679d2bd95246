"""Recommendations at several epsilon: the table, JSON, CSV, LaTeX and the picture, and whose theorems the columns rest on."""

import csv
import json
import math
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest

import bounds
import theory_lab as lab
from bounds.papers import PAPERS
from bounds.plans.plan import is_lab_theorem, own_theorems_sentence
from bounds.plans.side_by_side import NEEDED, Several, several
from bounds.privacy.accounting import epsilon, sensitivity
from bounds.typeset import citation
from bounds.typeset.html import table
from figures import plans as pictures
from tests.calls import exit_status
from tests.tex import latex_faults, named_packages
from theory_lab.cli import main
from theory_lab.methods import METHODS

PROBLEM = {"n": 10_000, "d": 2_000, "r": 8.18, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0}
WORDS = [word for name, value in PROBLEM.items() for word in (f"--{name}", str(value))]
THREE = lab.recommend("dpzero", **PROBLEM, epsilon=[0.5, 4, 8])
RESTS_ON = {  # of every method, and of each form of its plans: (the paper's, the lab's)
    "dpzero": (("theorem3", "corollary_f4"), ("sharp_clip_bias", "sharp_lipschitz", "sharp_never_clip", "sharp_start")),
    "gauss_psgd": (("theorem2", "theorem3"), ("repaired",)),
    "dp_grape": (("theorem_d10",), ("corrected_coordinates", "corrected_concentration", "sharp_clip_bias")),
    "dp_zopo": (("theorem2", "theorem4"), ("corrected_theorem2", "sharp_growth", "sharp_suffix")),
}


# --- whose theorems ---------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("paper", PAPERS)
def test_a_theorem_of_a_plan_is_the_lab_s_where_its_source_does_not_name_the_paper(paper):
    for k, names in enumerate(RESTS_ON[paper]):
        for name in names:
            key = f"{paper}.{name}"
            assert is_lab_theorem(key) == (k == 1) == (not bounds.THEOREMS[key].source.startswith(PAPERS[paper].short_reference)), key
            assert key in bounds.DERIVATIONS  # the sentence says that a command prints it


def test_a_schedule_of_ours_for_a_method_of_the_paper_is_ours_and_what_is_no_theorem_is_nobody_s():
    assert is_lab_theorem("dpzero.dp_gd")
    assert bounds.THEOREMS["dpzero.dp_gd"].source.endswith("schedule and constants ours")
    assert not any(is_lab_theorem(key) for key in ("gauss_psgd.scaled", "none", "noisy_sgd.theorem", "mine.sharp"))


def test_the_sentence_names_columns_and_the_commands_that_print_the_proofs():
    assert own_theorems_sentence(()) == ""
    assert own_theorems_sentence([("sharp", "p.a")]) == (
        "The variant sharp rests on a theorem of this lab, not of the paper. To print its proof: theory-lab show p.a --proof."
    )
    assert own_theorems_sentence([("repaired", "p.a"), ("sharp", "p.b"), ("sharp", "p.c")]) == (
        "The variants repaired and sharp rest on theorems of this lab, not of the paper. To print their proofs: theory-lab show p.a "
        "--proof, theory-lab show p.b --proof and theory-lab show p.c --proof."
    )


def test_every_form_of_a_plan_says_it_once(capsys):
    plan = THREE[1]
    said = own_theorems_sentence([("sharp", plan.sharp.theorem)])
    assert plan.sharp.theorem in said
    assert plan.origin == json.loads(plan.json())["origin"] == said
    assert plan._repr_html_().count(said) == 1
    escaped = plan.sharp.theorem.replace("_", r"\_")
    assert plan.latex().count(rf"To print its proof: \texttt{{theory-lab show {escaped} -{{}}-proof}}") == 1
    assert main(["recommend", "dpzero", *WORDS, "--epsilon", "4"]) == 0
    assert " ".join(capsys.readouterr().out.split()).count(said) == 1


def test_the_command_that_is_named_prints_the_proof(capsys):
    assert main(["show", THREE[0].sharp.theorem, "--proof"]) == 0
    assert "no derivation" not in capsys.readouterr().out


# --- several epsilon --------------------------------------------------------------------------------------------------------------------
def test_each_plan_is_the_one_of_its_epsilon_and_the_sequence_has_them_in_order():
    assert isinstance(THREE, Several)
    assert [plan.problem["epsilon"] for plan in THREE] == [0.5, 4, 8] == list(THREE.epsilons)
    assert THREE[2] == lab.recommend("dpzero", **PROBLEM, epsilon=8.0)
    assert (len(THREE), len(THREE[1:])) == (3, 2)
    assert repr(THREE) == "Several(dpzero: plans at epsilon = 0.5, 4, 8)"
    assert lab.recommend("dpzero", **PROBLEM, epsilon=np.array([0.5, 4.0, 8.0])).plans == THREE.plans
    objective = lab.cosine("inverse", d=5, n=100, seed=0)
    assert lab.recommend("dp_gd", objective, epsilon=[1, 2], delta=1e-4)[0] == lab.recommend("dp_gd", objective, epsilon=1, delta=1e-4)


def test_a_row_says_what_is_certified_and_a_column_that_certifies_nothing_is_not_hidden():
    rows = THREE.rows()
    assert [row["epsilon"] for row in rows] == [0.5, 4, 8]
    for row, plan in zip(rows, THREE, strict=True):
        assert row["sharp certifies"] == plan.sharp.certified
        assert (row["printed T"], row["sharp sigma"]) == (plan.printed.T, plan.sharp.sigma)
    assert [row["printed certifies"] for row in rows] == ["nothing", *(plan.printed.certified for plan in THREE[1:])]
    assert table(THREE.title, tuple(rows[0]), [tuple(row.values()) for row in rows], THREE.said) == THREE._repr_html_()


def test_under_pl_the_columns_bound_two_things_and_each_is_named():
    plans = lab.recommend("dpzero", **PROBLEM | {"n": 1e7, "B": 0.5}, mu=0.1, epsilon=[1, 2])
    assert (plans[0].trivial("printed"), plans[0].trivial("sharp")) == (1.0, 1.0)  # 2 B, which is below L^2/(2 mu) = 5
    assert lab.recommend("dpzero", **PROBLEM | {"n": 1e7, "B": 9.0}, mu=0.1, epsilon=1.0).trivial("printed") == pytest.approx(5.0)
    assert plans.measures() == {"printed": plans[0].printed.measure, "sharp": plans[0].sharp.measure}
    assert "printed: E F_S(x_T) - F_S^*" in pictures.axis_label(plans)


def test_gauss_psgd_shows_its_accuracies_and_promises_none_of_them():
    plans = lab.recommend("gauss_psgd", n=1e6, d=10, epsilon=[8, 32], delta=1e-5, L=3.17, ell=1.0, rho=1.0, U=17.0)
    first, second = plans.rows()
    assert (first["printed certifies"], second["printed certifies"]) == ("nothing", "not private")
    assert {row[f"{name} certifies"] for row in (first, second) for name in ("repaired", "scaled")} == {"nothing"}
    assert first["scaled accuracy"] == plans[0].scaled.accuracy
    assert [any("Definition 8" in text for text in plan.caveats) for plan in plans] == [False, True]  # the caveat and the word agree


def test_a_caveat_is_said_once_with_the_epsilon_and_the_numbers_that_it_is_about():
    first, *others = THREE
    more = [replace(one, caveats=("All.", f"At {one.printed.T}, none.", "New.")) for one in others]
    made = Several((replace(first, caveats=("All.", "At 1.5e-3, none.")), *more))
    assert made.caveats == ("All.", "(numbers of epsilon = 0.5) At 1.5e-3, none.", "(epsilon = 4, 8) New.")


@pytest.mark.parametrize(
    "wrong", [[], [2.0, 1.0], [1.0, 1.0], [0.0, 1.0], [-1.0], [1.0, math.inf], [1.0, math.nan], [1.0, "2"], [True, 2.0]]
)
def test_epsilon_that_do_not_rise_are_told_in_a_sentence(wrong):
    with pytest.raises(ValueError, match="epsilon = ") as found:
        lab.recommend("dpzero", **PROBLEM, epsilon=wrong)
    assert str(found.value).endswith(NEEDED)


def test_an_epsilon_without_a_plan_is_named():
    with pytest.raises(ValueError, match=r"^epsilon = 0.001 of 0.001, 8: n = 30: too few samples for any scaled plan"):
        lab.recommend("gauss_psgd", n=30, d=10, epsilon=[0.001, 8], delta=1e-5, L=3.17, ell=1.0, rho=1.0, U=17.0)
    with pytest.raises(
        ValueError, match=r"^epsilon = 1, 2: this method makes no bounds.plans.plan.Plan \(it returned 3\), so give a single"
    ):
        several(lambda epsilon: 3, [1, 2])


def test_a_run_takes_one_column_of_one_of_the_plans():
    objective = lab.cosine("inverse", d=5, n=10_000, seed=0)
    plans = lab.recommend("dp_gd", objective, epsilon=[1, 2], delta=1e-6, T_max=3)
    with pytest.raises(ValueError, match=r"plan = .*: one column of lab.recommend is needed"):
        lab.simulate("dp_gd", objective, plan=plans)
    assert lab.simulate("dp_gd", objective, plan=plans[1].sharp).settings["sigma"] == plans[1].sharp.sigma


@pytest.mark.parametrize(
    ("watched", "told"), [(False, [(0, 2), (1, 2), (2, 2)]), (True, [(0, 200), (49, 200), (100, 200), (149, 200), (200, 200)])]
)
def test_progress_is_of_all_plans(watched, told):
    found = []

    def call(epsilon, progress=None):
        if progress:
            progress(1, 2)
        return replace(THREE[0], problem=THREE[0].problem | {"epsilon": epsilon})

    several(call, [1, 2], progress=lambda done, total: found.append((done, total)), watched=watched)
    assert found == told


# --- on the command line ----------------------------------------------------------------------------------------------------------------
def printed(capsys, *more, epsilon="0.5,4,8"):
    assert main(["recommend", "dpzero", *WORDS, "--epsilon", epsilon, *more]) == 0
    return capsys.readouterr().out


def test_json_is_the_list_of_the_plans_and_csv_a_row_for_each_column(capsys):
    assert json.loads(printed(capsys, "--json")) == [json.loads(plan.json()) for plan in THREE]
    rows = list(csv.DictReader(StringIO(printed(capsys, "--csv"))))
    assert [(row["epsilon"], row["column"]) for row in rows] == [(e, c) for e in ("0.5", "4.0", "8.0") for c in ("printed", "sharp")]
    certified = [plan.certifies(name) for plan in THREE for name in plan.COLUMNS]
    assert "nothing" in certified
    assert [row["nothing"] or float(row["certifies"]) for row in rows] == certified
    assert {row["certifies"] for row in rows if row["nothing"]} == {"nan"}
    assert all(float(row[name]) == value for row in rows for name, value in THREE[0].problem.items() if name != "epsilon")
    assert [float(row["alpha"]) for row in rows[:2]] == [THREE[0].printed.alpha, THREE[0].sharp.alpha]
    one = list(csv.DictReader(StringIO(printed(capsys, "--csv", epsilon="4"))))
    assert one == rows[2:4]


def test_the_table_has_a_row_for_each_epsilon_and_all_that_is_to_be_said(capsys):
    out = " ".join(printed(capsys).split())
    assert "nothing" in out
    for said in THREE.said:
        assert " ".join(said.split()) in out


def test_the_latex_is_whole(capsys):
    latex = printed(capsys, "--latex")
    assert latex_faults(latex, named_packages(latex)) == []
    assert latex == THREE.latex() + "\n"
    assert r"\label{tab:recommend-dpzero-epsilon}" in latex
    caption = latex.partition(r"\caption{")[2].partition("\n")[0]
    assert r"\varepsilon$~$=$" not in caption  # which differs
    assert r"$n$~$=$~$10\,000$" in caption
    assert latex.count(r" \\") == 1 + len(THREE)
    assert latex.count(r"\item") == len(THREE.said) + 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--epsilon", "2,1"], f"epsilon = [2.0, 1.0]: {NEEDED}"),
        (["--epsilon", "1,1"], f"epsilon = [1.0, 1.0]: {NEEDED}"),
        (["--epsilon", "1,,2"], "argument --epsilon: '1,,2': a number, or several joined by commas, is needed"),
        (["--epsilon", ""], "argument --epsilon: '': a number, or several joined by commas, is needed"),
        (["--epsilon", "1,0x"], "argument --epsilon: '1,0x': a number, or several joined by commas, is needed"),
        (["--epsilon", "-1"], "epsilon = -1.0: a finite number above 0 is needed"),
        (
            ["--epsilon", "1", "--picture", "a.png"],
            "picture = 'a.png': several epsilon are needed for a picture, such as --epsilon 0.5,1,2,4",
        ),
        (["--epsilon", "1,2", "--picture", "a.jpg"], "picture = 'a.jpg': the name of a file that ends in .png, .svg, .pdf is needed"),
        (["--epsilon", "1,2", "--picture", "/dev/null/a.png"], "picture = '/dev/null/a.png': it cannot be written (it is not a folder)"),
    ],
)
def test_a_wrong_call_is_one_sentence(words, said, capsys):
    status = exit_status(["recommend", "dpzero", *WORDS, *words])
    out, error = capsys.readouterr()
    assert (status, out) == (2, "")
    assert error.startswith(f"theory-lab: {said}")
    assert error.count("\n") == 1


# --- the picture ------------------------------------------------------------------------------------------------------------------------
def test_the_picture_has_a_line_for_each_column_crosses_where_it_certifies_nothing_and_what_every_point_has():
    (ax,) = pictures.draw_plans(THREE).axes
    lines = {line.get_label(): line for line in ax.get_lines()}
    assert list(lines) == ["printed", "printed: nothing", "sharp", "every point: 1"]
    assert (ax.get_xscale(), ax.get_yscale()) == ("log", "log")
    np.testing.assert_array_equal(lines["sharp"].get_ydata(), [plan.sharp.certified for plan in THREE])
    np.testing.assert_array_equal(lines["printed"].get_ydata(), [math.nan, *(plan.printed.certified for plan in THREE[1:])])
    assert list(lines["printed: nothing"].get_xdata()) == [0.5]
    assert (lines["every point: 1"].get_linestyle(), list(lines["every point: 1"].get_ydata())) == (":", [1.0, 1.0])
    looks = [(lines[name].get_linestyle(), lines[name].get_marker()) for name in ("printed", "sharp")]
    assert len({dash for dash, _ in looks}) == len({marker for _, marker in looks}) == 2  # in black and white
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0.5", "4", "8"]


def test_crosses_of_different_columns_do_not_cover_each_other_and_have_the_colours_of_their_lines():
    nothing = lab.recommend("gauss_psgd", n=1e6, d=10, epsilon=[1, 2], delta=1e-5, L=3.17, ell=1, rho=1, U=17)
    crosses = [one for one in pictures.draw_plans(nothing).axes[0].lines if one.get_marker() == "x"]
    assert len({one.get_ydata()[0] for one in crosses}) == len({one.get_color() for one in crosses}) == len(crosses) == 3
    lines = {one.get_label(): one.get_color() for one in pictures.draw_plans(THREE).axes[0].lines}
    assert lines["printed: nothing"] == lines["printed"] != lines["sharp"]


def test_a_column_that_certifies_nothing_anywhere_is_named_all_the_same():
    (ax,) = pictures.draw_plans(lab.recommend("dpzero", **PROBLEM, epsilon=[0.5, 1])).axes
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["printed: nothing", "sharp", "every point: 1"]
    (crosses,) = (line for line in ax.get_lines() if line.get_marker() == "x")
    assert (list(crosses.get_xdata()), crosses.get_label()) == ([0.5, 1.0], "printed: nothing")
    assert min(crosses.get_ydata()) > 1  # above the axes, where nobody reads a value from them


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_the_file_is_of_the_kind_that_its_name_says_and_no_other_is_left(kind, tmp_path, capsys):
    path = tmp_path / "new" / f"a.{kind}"
    assert main(["recommend", "dpzero", *WORDS, "--epsilon", "4,8", "--picture", str(path)]) == 0
    assert f"theory-lab: wrote {path}\n" in capsys.readouterr().err
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    assert path.read_bytes()[:5] == {"png": b"\x89PNG\r", "svg": b"<?xml", "pdf": b"%PDF-"}[kind]


# --- batches ----------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", [name for name, one in METHODS.items() if one.plans and one.plans.unbatched])
def test_a_batch_size_that_no_theorem_covers_is_refused_with_the_reason(method, capsys):
    said = METHODS[method].plans.unbatched
    assert method in said
    for words in (["--batch-size", "5"], ["--batch-size=5"]):
        assert main(["recommend", method, "--n", "10", *words]) == 2
        assert capsys.readouterr().err == f"theory-lab: batch_size: {said}\n"
    with pytest.raises(ValueError, match=r"^batch_size = 5: ") as found:
        lab.recommend(method, n=10, batch_size=5)
    assert str(found.value) == f"batch_size = 5: {said}"


def test_plans_either_take_a_batch_size_or_say_why_not():
    for method in METHODS.values():
        if method.plans:
            assert bool(method.plans.unbatched) != ("batch_size" in {one.name for one in method.plans.options}), method.name


@pytest.mark.parametrize("method", ["dp_grape", "dp_grape_blocks", "dp_zoo", "dp_zoso", "dp_zopo"])
def test_a_run_draws_its_batches_as_the_noise_of_its_plan_was_accounted(method):
    """What the plan says, what the run does, and what the accountant finds for what the run did."""
    if method.startswith("dp_grape"):
        objective = lab.matrix_cosine("flat", d=24, n=400, seed=0, m=3, layers=2)
        plan, drawn = lab.recommend(method, objective, epsilon=4.0, delta=1e-4, r=2, batch_size=40, T_max=5), "poisson"
    else:
        objective = lab.ball_quadratic("flat", d=5, n=400, seed=0, spread=0.5)
        plan, drawn = lab.recommend(method, objective, epsilon=4.0, delta=1e-4, batch_size=40, T_max=5), "without_replacement"
    column = plan.sharp
    assert (column.sampling, column.batch_size) == (drawn, 40)
    assert (plan.NEIGHBOURS, column.numbers()["sampling"]) == ("replace_one", drawn)
    ways = {"poisson": "every record with probability q = 0.1", "without_replacement": "without replacement"}
    assert sum("Batches" in text and ways[drawn] in text for text in column.caveats) == 1
    settings = lab.simulate(method, objective, plan=column).settings
    assert (settings["sampling"], settings["batch_size"], settings["sigma"]) == (drawn, 40, column.sigma)
    assert sensitivity(400, 40, column.C, drawn, "replace_one") == 2 * column.C / 40
    spent = epsilon(settings["sigma"], 1e-4, column.T, 400, settings["batch_size"], column.C, settings["sampling"])
    assert spent <= 4.0 * (1 + 1e-9)
    assert spent > 3.9  # and it is no more noise than that asks for
    other = lab.simulate(method, objective, plan=column, sampling={"poisson": "without_replacement"}.get(drawn, "poisson"))
    assert any("No (epsilon, delta) is promised for this run: sampling" in text for text in other.remarks)


@pytest.mark.parametrize("sampling", ["poisson", "without_replacement"])
def test_the_plan_of_batches_of_dpzero_is_run_with_them(sampling, capsys):
    objective = lab.cosine("inverse", d=5, n=3_000, seed=0)
    one = lab.recommend("dpzero", objective, epsilon=8.0, delta=1e-5, batch_size=300, sampling=sampling, T_max=40).batched
    run = lab.simulate("dpzero", objective, plan=one)
    asked = {"batch_size": 300, "sampling": sampling, "alpha": one.alpha, "T": one.T, "C": one.C, "sigma": one.sigma, "lam": one.lam}
    assert {name: run.settings[name] for name in asked} == asked
    assert epsilon(one.sigma, 1e-5, one.T, 3_000, 300, one.C, sampling) <= 8.0
    assert run.remarks[0].startswith("The plan certifies the privacy of this run and nothing about its accuracy")
    assert not run.vouched
    for given in ({"batch_size": 200}, {"sampling": "poisson"}, {"T": 3}):
        said = lab.simulate("dpzero", objective, plan=one, **given).remarks[0]
        assert said == f"No (epsilon, delta) is promised for this run: {next(iter(given))} not taken from the plan."
    words = ["simulate", "dpzero", "--objective", "cosine", "--d", "5", "--n", "3000", "--epsilon", "8", "--delta", "1e-5", "--plan"]
    assert main([*words, "batched"]) == 2
    assert capsys.readouterr().err == "theory-lab: plan = 'batched': --batch-size is needed with it\n"


@pytest.mark.parametrize(("variant", "promised"), [("batched", True), ("sharp", False)])
def test_the_command_runs_the_variant_for_batches_with_those_that_it_was_made_for(variant, promised, capsys):
    words = ["simulate", "dp_gd", "--objective", "cosine", "--d", "5", "--n", "3000", "--epsilon", "8", "--delta", "1e-5", "--json"]
    assert main([*words, "--plan", variant, "--batch-size", "300", "--sampling", "poisson"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["settings"]["batch_size"], told["settings"]["sampling"]) == (300, "poisson")
    assert told["remarks"][0].startswith("The plan certifies the privacy" if promised else "No (epsilon, delta) is promised for this run")


# --- where a table is from --------------------------------------------------------------------------------------------------------------
def test_a_table_cites_the_lab_and_its_paper_and_brings_bibtex_of_both():
    latex = THREE[0].latex()
    body, _, entries = latex.partition(citation.PASTE)
    assert r"\label{tab:recommend-dpzero}" in body
    cited = [PAPERS["dpzero"].cite_key, citation.CITE_KEY]
    for key in cited:
        assert body.count(rf"\cite{{{key}}}") == 1
        assert entries.count(f"{{{key},\n") == 1
    assert [line for line in entries.strip().splitlines() if not line.startswith("% ")] == []


def test_several_plans_in_stages_are_shown_as_well():
    plans = lab.recommend("dp_zoso", n=1e5, d=10, epsilon=[1, 4], delta=1e-6, L=1.0, growth_mu=0.2, radius=1.0, gap=0.5, T_max=1000)
    assert plans.trivial() == {2.0: ["printed", "repaired", "sharp"]}
    assert all(row["sharp certifies"] == plan.sharp.certified for row, plan in zip(plans.rows(), plans, strict=True))
    latex = plans.latex()
    assert latex_faults(latex, named_packages(latex)) == []
    assert "alpha" in plans.records()[0]
