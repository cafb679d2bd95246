"""What goes wrong in a file of one's own is one sentence, which names FILE:LINE where the file's own lines raised it."""

import json
from pathlib import Path

import numpy as np
import pytest

import theory_lab as lab
from paper_checks import papers
from theory_lab import own
from theory_lab.cli import main
from theory_lab.methods import METHODS, all_methods
from theory_lab.methods import gauss_psgd as sosp

HEAD = """
import numpy as np
import theory_lab as lab
from bounds.symbols import L
from bounds.theorem import Theorem
from paper_checks.errata import erratum
from paper_checks.verdict import Kind, claim
from theory_lab.methods.record import Figures, Method, Option, Plans, Told, whole
"""
MY_AVG = (
    HEAD
    + """
def run(method, objective, plan, *, T, seed=0):
    return np.zeros(T) / (T - 2)

def told(arguments):
    if arguments.bad == "key":
        return {}["x"]  # key
    if arguments.bad == "type":
        return Told({"T": object()}, [])
    if arguments.bad == "none":
        return None
    if arguments.bad in ("empty", "odd"):
        return Told({}, [("of T", [{"T": 1}, {"S": 1}] if arguments.bad == "odd" else [])])
    if arguments.bad == "said":
        raise ValueError("bad = 'said': a good one is needed")  # said
    return Told({"T": run("my_avg", None, None, T=arguments.T).size}, [])  # memory

def recommended(method, *, T):
    return T if T > 1 else 1 // (T - 1)  # zero

METHOD = Method("my_avg", "my", "an average", "Average.", (Option("T", "steps", whole, required=True), Option("bad", "how", default="")),
                told, run, plans=Plans("w", "d", recommended, (Option("T", "steps", whole, required=True),)))
"""
)
OBJECTIVES = (
    HEAD
    + """
def loss(x, row):
    return 0.5 * np.sum((x - row) ** 2)

def gradient(x, row):
    return x - row

def bowl(spectrum, d, n, seed, *, stretch: int = 1, shift=0.0):
    data = shift + np.random.default_rng(seed).standard_normal((n, d))
    return lab.objective(data, loss, gradient, x0=np.zeros(d), name=f"bowl {stretch!r} {shift!r}")

def hill(d, **more):
    return lab.random_phase_cosines(d, **more)  # hill

def needs(d, height):
    return lab.random_phase_cosines(d, w=height)

def broken(spectrum, d, n, seed):
    return np.zeros(d) + np.zeros(d + 1)  # broken

OBJECTIVES = {"bowl": bowl, "few": lambda d: d, "three": lambda spectrum, d, n, seed: 3, "broken": broken, "there": "FILE:bowl",
              "long": lambda spectrum, d, n, seed, loss: 3}
LANDSCAPES = {"hill": hill, "needs": needs}
"""
)
CLAIMS = (
    HEAD
    + """
def holds():
    return 1 / 0  # holds

THEOREM = Theorem(key="my.average", title="an average", source="p. 1", claim="upper", measure="m", assumptions=("none",),
                  bound=L)
CLAIMS = (claim("my.average.one", "p. 1", Kind.SCOPE).says("it holds").consistent("seen").examined(holds),)
ERRATA = (erratum("E1", "text", "harmless", "average.one").says("A plus is printed as a minus"),)
"""
)


def words(text):
    return text.split()


def refused(capsys, *argv):
    """Return the one line that a call is refused with."""
    assert main([str(word) for word in argv]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err.removeprefix("theory-lab: ").rstrip("\n")


def at(file, mark):
    """Return FILE:LINE of the line of a file that ends with a comment."""
    with open(file, encoding="utf-8") as lines:
        return next(f"{file}:{k}" for k, line in enumerate(lines, 1) if line.rstrip().endswith(f"# {mark}"))


# --- a method ---------------------------------------------------------------------------------------------------------------------------
def test_a_letter_that_nobody_introduced_is_told_with_its_theorem_and_file(written, capsys):
    file = written(CLAIMS.replace("bound=L)", "bound=L * np.int64(1) * __import__('sympy').Symbol('foo'))"))
    said = f"THEOREM in {file}: bound of my.average = L*foo: foo is not a symbol of the glossary, bounds.symbols"
    assert refused(capsys, "--module", file, "list") == said


def test_a_figure_that_is_not_the_one_asked_for_is_refused(written, capsys):
    text = "\ndef drawn(arguments, store, progress):\n    yield 'mine-2', None, [], {}\n\n"
    figures = 'METHOD = Method("mine", "my", "w", "d", (), "x:y", figures=Figures(("mine-1",), drawn))\n'
    file = written(HEAD + text + figures)
    assert (
        refused(capsys, "--module", file, "figure", "mine-1")
        == "the function drawn of the figures returned a figure 'mine-2'; one of mine-1 is needed"
    )


def test_an_error_in_the_run_of_ones_own_method_is_a_sentence_with_its_line(written, capsys):
    file = written(MY_AVG)
    run = ["--module", file, "simulate", "my_avg", "--T"]
    assert refused(capsys, *run, 3, "--bad", "key") == f"KeyError: 'x' ({at(file, 'key')})"
    assert refused(capsys, *run, 3, "--bad", "said") == f"bad = 'said': a good one is needed ({at(file, 'said')})"
    assert "the function simulated of the method my_avg returned json with a value that JSON cannot hold (" in refused(
        capsys, *run, 3, "--bad", "type", "--json"
    )
    said = "the function simulated of the method my_avg returned"
    assert refused(capsys, *run, 3, "--bad", "none") == f"{said} None; a theory_lab.methods.record.Told is needed"
    table = f"{said} a table 'of T' that has no rows, or rows with different keys; the same keys in all rows are needed"
    assert refused(capsys, *run, 3, "--bad", "empty") == refused(capsys, *run, 3, "--bad", "odd") == table
    said = refused(capsys, *run, "1e12")
    assert said.startswith("there is not enough memory; smaller numbers are needed (Unable to allocate 7.28 TiB")
    assert f"({file}:" in said
    assert "a plan that has method, problem, caveats, rows, json, latex is needed, not 2" in refused(
        capsys, "--module", file, "recommend", "my_avg", "--T", 2
    )
    assert refused(capsys, "--module", file, "recommend", "my_avg", "--T", 1).endswith(f" ({at(file, 'zero')})")


def test_a_method_without_objectives_refuses_one_and_a_plan_and_arguments_that_it_does_not_have(written):
    file = written(MY_AVG)
    METHOD = papers.load(Path(file)).METHOD
    assert lab.simulate(METHOD, T=3).tolist() == [0.0, 0.0, 0.0]
    plan = lab.recommend("dp_gd", n=100, d=3, epsilon=1.0, delta=1e-3, L=1.0, ell=1.0, gap=1.0).sharp
    for given, said in (
        (
            {"objective": lab.quadratic("flat", 2, 5, 0)},
            r"objective = Objective\(.* my_avg takes no objective, because .* everything; leave it",
        ),
        ({"plan": plan}, r"plan = Schedule\(.* my_avg takes no plan"),
        ({"steps": 3}, r"steps = 3: no such argument; the arguments are T, seed \(the function run of the method my_avg\)"),
        (
            {"seeds": 3, "T": 3},
            r"seeds = 3: no such argument; the nearest is seed; the arguments are T, seed \(the function run of the method my_avg\)",
        ),
        ({}, r"T is missing: T is needed \(the function run of the method my_avg\)"),
    ):
        with pytest.raises(ValueError, match=f"^{said}") as error:
            lab.simulate(METHOD, **given)
        assert "\n" not in str(error.value)
    with pytest.raises(ValueError, match=r"^objective = 3: my_avg takes no objective"):
        lab.recommend(METHOD, 3, T=3)
    with pytest.raises(ValueError, match=r"^T is missing: T is needed \(plans of my_avg\)$"):
        lab.recommend(METHOD)
    with pytest.raises(ValueError, match=r"^plans of my_avg: ZeroDivisionError: .*") as error:
        lab.recommend(METHOD, T=1)
    assert str(error.value).endswith(f"({at(file, 'zero')})")


METHOD = 'METHOD = Method("mine", "mine", "w", "d", ({options}), {simulated}{more})'


@pytest.mark.parametrize(
    ("options", "more", "said"),
    [
        ('Option("how", "x", flag="-h"),', "", "the command line uses -h itself; another name is needed"),
        ('Option("how", "x", flag="--objective"),', "", "the command line uses --objective itself; another name is needed"),
        ('Option("how", "x", flag="how"),', "", "flag = 'how': a letter such as -k or a word such as --keep is needed"),
        ('Option("how much", "x"),', "", "name = 'how much': a Python identifier that is no keyword is needed, such as x2"),
        ('Option("a", "x", flag="-k"), Option("b", "y", flag="-k")', "", "options of mine: '-k' occurs twice"),
        ('Option("a", "x", flag="--b"), Option("b", "y")', "", "options of mine: '--b' occurs twice"),
        ("", ', figures=Figures(("mine-1",), "x:y", options=(Option("n", "numbers"),))', "options of figures: --n is taken, it means "),
        ("", ', figures=Figures(("mine-1",), "x:y", options=(Option("k", "x", flag="--seed"),))', "options of figures: --seed is taken"),
        ("", ', figures=Figures(("mine-1",), "x:y", options=(Option("k", "x"), Option("k", "y")))', "figures mine-1: '--k' occurs twice"),
    ],
)
def test_an_option_whose_letter_or_flag_is_taken_is_refused(options, more, said, written, capsys):
    assert said.replace("'--k'", "'k'") in refused(
        capsys, "--module", written(HEAD + METHOD.format(options=options, simulated="'x:y'", more=more)), "list"
    )


@pytest.mark.parametrize(
    ("simulated", "said"),
    [
        (
            "'no_such_module:y'",
            "the function simulated of the method mine: 'no_such_module:y' is not the address of a function, 'module:name' (Module",
        ),
        (
            "'json:no_such'",
            "the function simulated of the method mine: 'json:no_such' is not the address of a function, 'module:name' (AttributeError: ",
        ),
        (
            "lambda: 3",
            "the function simulated of the method mine: a function of the arguments of the command is needed, but it takes nothing",
        ),
        ("3", "the function simulated of the method mine: a function of the arguments of the command is needed, not 3"),
    ],
)
def test_a_record_whose_functions_are_none_is_told_so(simulated, said, written, capsys):
    file = written(HEAD + METHOD.format(options="", simulated=simulated, more=""))
    assert refused(capsys, "--module", file, "simulate", "mine").startswith(said)


# --- objectives -------------------------------------------------------------------------------------------------------------------------
SUM = words("simulate dpzero --d 3 --n 5 --alpha 0.1 --T 2 --C 1 --sigma 0 --json --objective")
SADDLE = words("simulate gauss_psgd --d 2 --n 3000 --epsilon 8 --delta 1e-5 --oracle exact --json --objective")


@pytest.mark.verify
def test_an_objective_of_ones_own_takes_what_its_function_takes(written):
    mine = all_methods(own.load_files([Path(written(OBJECTIVES))]))
    for name, more, said in (("bowl", {}, "1 0.0"), ("bowl", {"stretch": 3.0, "shift": 2}, "3 2"), ("there", {}, "1 0.0")):
        assert mine["dpzero"].kind.built(name, "flat", 3, 5, 0, **more).name == f"bowl {said}"
    for name, more in (("hill", {"w": 0.7}), ("needs", {"height": 0.7})):
        assert sosp.build_objective(name, 2, 1, 0.0, more, mine["gauss_psgd"].kind).name == lab.random_phase_cosines(2, w=0.7).name


@pytest.mark.verify
def test_the_command_line_hands_over_what_with_gives(written, capsys):
    file = written(OBJECTIVES)
    for command, words, name in (
        (SUM, "bowl --with stretch=3.0 --with shift=2", "bowl 3 2"),
        (SADDLE, "hill --with w=0.7", lab.random_phase_cosines(2, w=0.7).name),
    ):
        assert main(["--module", file, *command, *words.split()]) == 0
        assert json.loads(capsys.readouterr().out)["objective"] == name


@pytest.mark.parametrize(
    ("command", "words", "said"),
    [
        (SUM, "bowl --with stretched=3", "--with stretched=...: bowl does not take stretched here; it takes stretch, shift"),
        (SUM, "bowl --with d=3", "--with d=...: bowl does not take d here; it takes stretch, shift"),
        (SUM, "quadratic --with w=3", "--with w=...: neither dpzero nor quadratic takes w; dpzero takes sampling; quadratic takes x0"),
        (SUM, "few", "objective = 'few': a function of spectrum, d, n, seed is needed, but it takes d"),
        (SUM, "long", "loss is missing: long needs loss, for instance --with loss=2"),
        (SUM, "three", "objective = 'three': its function returns 3, but a synthetic.objectives.sums.Objective is needed"),
        (SUM, "broken", "operands could not be broadcast together with shapes (3,) (4,) (LINE broken)"),
        (SADDLE, "hill --with width=3", "TypeError: width = 3: no such argument; the arguments are d, A, w, h, unstable_h, phases ("),
        (SADDLE, "needs", "height is missing: needs needs height, for instance --with height=2"),
        (SADDLE, "needs --with w=2", "--with w=...: needs does not take w here; it takes height"),
    ],
)
def test_what_an_objective_does_not_take_is_named(command, words, said, written, capsys):
    file = written(OBJECTIVES)
    found = refused(capsys, "--module", file, *command, *words.split())
    assert found.startswith(said.replace("LINE broken", at(file, "broken")))
    if "hill" in words:
        assert found.endswith(f"({at(file, 'hill')})")


PLAN = words("simulate dpzero --d 3 --n 50 --plan sharp --epsilon 1 --delta 1e-3 --objective")


def test_a_plan_says_what_gives_the_constants_that_an_objective_lacks(written, capsys):
    asked = "give L=, ell=, gap= as well, to lab.recommend or in the constants of lab.objective"
    assert (
        refused(capsys, "--module", written(OBJECTIVES), *PLAN, "bowl")
        == f"objective = 'bowl 1 0.0': its constants have no L, ell, gap; {asked}"
    )
    said = refused(capsys, *PLAN, "quadratic")
    assert "it is not Lipschitz (L = inf)" in said
    assert "use pseudo_huber, cosine, logistic, or give lab.recommend L=" in said
    for name in ("pseudo_huber", "cosine", "logistic"):
        assert np.isfinite(getattr(lab, name)("flat", 3, 9, 0).constants["L"])
    with pytest.raises(ValueError, match=r"it has no finite U, .*; give U= as well, to lab.recommend or in its constants"):
        lab.recommend("gauss_psgd", lab.slope(2, A_0=np.inf), n=1000, epsilon=1.0, delta=1e-3)


def test_a_method_without_plans_says_why(capsys):
    for name in ("mezo", "frozen_psgd", "gauss_psgd"):
        for words in (["--plan", "sharp"], ["--plan=sharp"]):
            assert refused(capsys, "simulate", name, "--d", 3, *words) == f"plan: {METHODS[name].unplanned}"
    objective = lab.cosine("flat", 3, 9, 0)
    plan = lab.recommend("dp_gd", objective, epsilon=1.0, delta=1e-3).sharp
    with pytest.raises(ValueError, match=METHODS["mezo"].unplanned):  # the same words as in Python
        lab.simulate("mezo", objective, plan=plan)


# --- statements, claims, errata ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ny = z  # here\n", "it cannot be imported (NameError: name 'z' is not defined), LINE here"),
        ("x = 1\nif x\n    pass  # here\n", "it cannot be imported (SyntaxError: expected ':' (FILENAME.py, line 2)), FILENAME:2"),
        ("from pathlib import Path\nPath('none').read_text()  # here\n", "it cannot be imported (FileNotFoundError: "),
    ],
)
def test_an_error_while_a_file_is_imported_names_its_line(text, said, written, capsys):
    file = written(text)
    found = refused(capsys, "--module", file, "list")
    name = file.rpartition("/")[2].removesuffix(".py")
    assert said.replace("LINE here", at(file, "here")).replace("FILENAME:2", f"{file}:2").replace("FILENAME", name) in found
    assert f", {file}:2" in found


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.verify)])
def test_a_claim_whose_examination_raises_names_the_line_in_its_evidence(workers, written, capsys):
    file = written(CLAIMS)
    assert main(["check", "--module", file, "--workers", str(workers), "--json"]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["evidence"]["sentence"] == f"the examination broke off: ZeroDivisionError: division by zero ({at(file, 'holds')})"
    assert found["evidence"]["numbers"] == {"raised at": at(file, "holds")}


def test_errata_of_ones_own_are_shown_listed_and_reported(written, capsys, tmp_path):
    file = written(CLAIMS)
    assert main(["--module", file, "show", "my.average"]) == 0
    assert capsys.readouterr().out.endswith("claims: my.average.one\nerratum my.E1: A plus is printed as a minus\n")
    assert main(["--module", file, "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["errata"]
    assert listed[-1] == "my.E1"
    assert listed[:-1] == [f"{paper}.{one.number}" for paper in papers.PAPERS for one in papers.errata(paper)]
    assert main(["--module", file, "report", "--workers", "1", "--html", "page.html"]) == 1
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "1 remark on the paper: 1 harmless." in html
    assert '<article id="erratum-my-E1">' in html
    assert "A plus is printed as a minus" in html


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"average.one")', '"average.two")'), "ERRATA in {file}: 'E1' names average.two: keys of CLAIMS without the paper's name are"),
        ((', "average.one")', ")"), "ERRATA in {file}: 'E1' names no claim: keys of CLAIMS without the paper's name are needed"),
        (
            ('"text"', '"heavy"'),
            "ERRATA in {file}: 'E1' has weight 'heavy' and mark 'harmless': one of guarantee, proof, scope, text and one",
        ),
        (('"harmless"', '"fine"'), "ERRATA in {file}: 'E1' has weight 'text' and mark 'fine': one of "),
        (("(erratum(", "2 * (erratum("), "ERRATA in {file}: 'E1': my already has an erratum with this number"),
    ],
)
def test_an_erratum_that_no_page_could_show_is_refused(change, said, written, capsys):
    file = written(CLAIMS.replace(*change))
    assert refused(capsys, "--module", file, "list").startswith(said.format(file=file))


ADDRESSES = (
    HEAD
    + """
import bounds
from bounds.proofs.derivation import Derivation
from dataclasses import replace

STATEMENT = replace(bounds.THEOREMS["dpzero.dp_gd"], key="my.average", title="an average")

def proof():
    of_the_lab = bounds.DERIVATIONS["dpzero.dp_gd"]
    return replace(of_the_lab, key="my.average", title="its proof")

THEOREMS = {"my.average": "FILE:STATEMENT"}
DERIVATIONS = {"my.average": "FILE:proof"}
"""
)


def test_addresses_of_ones_own_module_are_opened(written, capsys):
    file = written(ADDRESSES)
    assert main(["--module", file, "show", "my.average", "--proof"]) == 0
    out = capsys.readouterr().out
    assert "an average" in out
    assert "its proof" in out
    for old, new, said in (
        ("FILE:STATEMENT", "FILE:NOTHING", "is not the address of a value, 'module:name' (AttributeError: "),
        ("FILE:STATEMENT", "FILE:proof", "THEOREMS in {file}: a bounds.theorem.Theorem is needed"),
        ("def proof():", "def proof(n):", "n is missing: n is needed (DERIVATIONS in {file})"),
        ("    of_the_lab =", "    1 / 0  # zero\n    of_the_lab =", "ZeroDivisionError: division by zero ("),
    ):
        wrong = written(ADDRESSES.replace(old, new))
        found = refused(capsys, "--module", wrong, "list")
        assert said.format(file=wrong) in found, found
        assert "zero" not in new or found.endswith(f"({at(wrong, 'zero')})")
