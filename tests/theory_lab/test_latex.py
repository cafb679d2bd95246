"""Everything that is printed as LaTeX: it names the packages that it needs, and compiles with them."""

import json
import re
import shutil
import subprocess

import pytest

import bounds
from bounds.dpzero import looseness
from bounds.dpzero.recommend import recommend
from bounds.symbols import GLOSSARY, L, T, alpha, d, epsilon, n
from bounds.typeset import latex as typeset
from bounds.typeset.alignment import Alignment, drawn_width, latex_proof
from bounds.typeset.words import text_latex
from paper_checks import papers
from tests.papers import PAPERS, of
from tests.papers.dpzero.commands import WORDS
from tests.tex import latex_faults, named_packages
from theory_lab.cli import main

PDFLATEX = shutil.which("pdflatex")
RECOMMENDED, LOOSE = ([argv for paper in PAPERS for argv in of(paper, f"commands.{name}")] for name in ("RECOMMENDED", "LOOSE"))


def latex_document(blocks, used):
    """Return a LaTeX document of several pieces that uses the given packages."""
    body = "\n\n".join(blocks)
    return f"\\documentclass{{article}}\n\\usepackage{{{','.join(sorted(used))}}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


def compile_latex(text, folder):
    """Compile a LaTeX document with pdflatex in a folder, fail on an error, and return the log."""
    (folder / "all.tex").write_text(text, encoding="utf-8")
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, encoding="latin-1", timeout=300)
    assert done.returncode == 0, done.stdout[-2000:]
    return (folder / "all.log").read_text(encoding="latin-1")


def printed(argv, capsys):
    assert main([*argv, "--latex"]) == 0
    return capsys.readouterr().out


def formulas():
    """Every formula of a claim, once."""
    return dict.fromkeys(latex for claim in papers.claims() for latex in (claim.latex, claim.correction_latex) if latex)


def sound(latex):
    """A printed piece is faultless with the packages that its first line names, and the line names none without need."""
    named = named_packages(latex)
    assert latex_faults(latex, named) == [], latex
    for package in named:
        assert latex_faults(latex, named - {package}), (package, latex)


@pytest.mark.parametrize("key", bounds.THEOREMS)
def test_a_statement_is_a_whole_with_its_packages_assumptions_and_letters(key, capsys):
    theorem, latex = bounds.THEOREMS[key], printed(["show", key], capsys)
    sound(latex)
    for kind in ("begin", "end"):
        assert latex.count(rf"\{kind}{{align*}}") == 1
    outside = re.sub(r"\\begin\{(align\*|itemize)\}.*?\\end\{\1\}", "", latex, flags=re.S)
    assert r"\\" not in outside
    assert latex.count(r"\item") == len(theorem.assumptions) + len(theorem.notes)
    assert latex.count("&=") + latex.count(r"&\le") + latex.count(r"&\ge") + latex.count(r"&\quad") > len(theorem.schedule)


def test_a_statement_says_every_part_by_its_name():
    latex = bounds.THEOREMS["dpzero.table1_dpzero"].latex()
    assert "(without Assumption 3.5) " in latex
    assert "(with Assumption 3.5) " in latex


def test_a_proof_is_printed_as_latex_too(capsys):
    latex = printed(["show", "dpzero.theorem3", "--proof"], capsys)
    statement, _, steps = latex.partition("\n% needs")
    sound(statement + "\n")
    sound("% needs" + steps)
    taken, made = steps.split(r"\begin{enumerate}")
    proved = bounds.DERIVATIONS["dpzero.theorem3"]
    assert (taken.count(r"\item "), made.count(r"\item ")) == (len(proved.facts), len(proved.steps))
    missing = "% there is no derivation of dpzero.table1_dpzero; the nearest are "
    assert printed(["show", "dpzero.table1_dpzero", "--proof"], capsys).splitlines()[-1].startswith(missing)


@pytest.mark.sample(10)
@pytest.mark.parametrize("argv", RECOMMENDED, ids=lambda argv: " ".join(argv[1:2] + argv[16:]))
def test_a_recommendation_drops_nothing(argv, capsys):
    latex = printed(argv, capsys)
    sound(latex)
    assert main([*argv, "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert latex.count(r"\item") == len(plan["caveats"]) + 2  # whose theorems they are, and the source
    for name, value in plan["problem"].items():
        assert f"${GLOSSARY[name].latex}$~$=$~{typeset.number_latex(value)}" in latex
    assert "differentially private where neighbours differ in one replaced record" in latex
    kinds = [name for name, one in plan.items() if isinstance(one, dict) and "theorem" in one]
    (shown,) = (of(paper, "commands.NUMBERS") for paper in PAPERS if argv in of(paper, "commands.RECOMMENDED"))
    assert len(kinds) > 1
    cells = {cell.strip() for row in re.findall(r"&(.*?)\\\\", latex) for cell in row.split("&")}
    for kind in kinds:
        numbers = [value for name, value in plan[kind].items() if isinstance(value, int | float) and name in shown]
        if plan[kind].get("sigma", 0.0) is None:  # there is no schedule: "none" in place of T = 0
            numbers = [value for value in numbers if value]
            assert "none" in cells
        assert {typeset.number_latex(value) for value in numbers} <= cells
        assert text_latex(plan[kind]["theorem"]) in cells


def test_the_bound_of_the_formula_is_not_printed_as_the_certified_one(capsys):
    latex = printed(["recommend", "dpzero", *WORDS, "--r", "8.18", "--B", "1"], capsys)
    plan = recommend("dpzero", n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0)
    assert f"{plan.printed.bound:.4g} {plan.printed.certified:g}" == "1.284 1"  # README
    assert "bound of the theorem & $1.284$ & $0.008285$" in latex
    assert "certified at this $T$ & $1$ & $0.008285$" in latex


@pytest.mark.sample(1)
@pytest.mark.parametrize("argv", LOOSE, ids=lambda argv: f"{argv[1]} {argv[3]}")
def test_a_table_of_looseness_keeps_its_notes_and_no_number_is_a_program_s(argv, capsys):
    latex = printed(argv, capsys)
    sound(latex)
    assert latex.count(r"\item") == 1 + len(looseness.TWO_GUARANTEES if argv[3] == "problems" else looseness.ASSUMPTIONS)
    numbers, _, source = latex.partition(r"\item Source: ")  # which has a commit
    assert not re.search(r"\d[eE][+-]?\d", numbers)
    assert r"\cite{zhang2024dpzero}" in source
    caption = latex.partition(r"\caption{")[2].partition("\n")[0]
    assert all(words in caption for words in (r"$\varepsilon = 2$", r"$\delta = 10^{-6}$", "gap $= 1$")), caption
    assert rf"\label{{tab:loose-{argv[1].replace('.', '-').replace('_', '-')}-{argv[3]}}}" in latex


@pytest.mark.parametrize(
    ("value", "latex"),
    [
        (10_000.0, r"$10\,000$"), (1e6, r"$1\,000\,000$"), (1e11, "$10^{11}$"), (12_345.6, r"$1.235\cdot 10^{4}$"),
        (1e-6, "$10^{-6}$"), (2.5e-9, r"$2.5\cdot 10^{-9}$"), (1.2844723, "$1.284$"), (-3, "$-3$"), (0, "$0$"), (9_999.7, "$10^{4}$"),
        (float("inf"), r"$\infty$"), (float("-inf"), r"$-\infty$"), (float("nan"), "--"), (None, "--"),
        (3.3336e11, r"$3.334\cdot 10^{11}$"), (1234.6, "$1235$"), (1.5e-4, "$0.00015$"), (1.5e-5, r"$1.5\cdot 10^{-5}$"),
        (9_999_999.0, r"$9\,999\,999$"), (1e7, "$10^{7}$"), (-2.5, "$-2.5$"), (-2.5e7, r"$-2.5\cdot 10^{7}$"),
    ],
)  # fmt: skip
def test_numbers(value, latex):
    assert typeset.number_latex(value) == latex
    assert latex_faults(latex) == []


def test_the_first_line_names_what_is_needed_and_no_more():
    assert typeset.with_packages("$x$") == "% needs no package\n$x$"
    assert typeset.with_packages(r"\mathbb{E} \text{a} \mathscr{P}").startswith("% needs \\usepackage{amsmath,amssymb,mathrsfs}\n")


def test_an_entry_is_no_option_of_the_command_before_it():
    assert r"\item {}[0, 1]" in typeset.latex_list(["[0, 1]"])
    assert "{}[a] & b" in typeset.tabular("lr", [[["x", "y"]], [["[a]", "b"], ["* c", "d"]]])
    assert "{}* c & d" in typeset.tabular("lr", [[["x", "y"]], [["[a]", "b"], ["* c", "d"]]])


def test_a_long_formula_is_named_in_pieces_that_say_the_same():
    page = Alignment()
    long = (L**2 * (alpha + d * epsilon / n) ** 3 / (T + d) + L * (alpha + d * epsilon / n) ** 3) ** 2 / (1 + L**2 * T**3 * d * n * alpha)
    short = page.abbreviate(long, 20)
    assert drawn_width(short) <= 20 < drawn_width(long)
    for letter, piece in reversed([(letter, piece) for piece, letter in page.pieces.items()]):
        short = short.xreplace({letter: piece})
    assert short == long


@pytest.mark.parametrize("key", ["dpzero.sharp_lipschitz", "dpzero.theorem3", "gauss_psgd.theorem2"])
def test_the_pieces_of_a_statement_give_the_bound_back(key):
    theorem, page = bounds.THEOREMS[key], Alignment()
    short = page.abbreviate(theorem.bound, 30)
    for letter, piece in reversed([(letter, piece) for piece, letter in page.pieces.items()]):
        short = short.xreplace({letter: piece})
    assert short == theorem.bound


def test_every_formula_of_a_claim_is_known_latex():
    every = formulas()
    assert len(every) > 200
    assert {latex: found for latex in every if (found := latex_faults(latex))} == {}


@pytest.mark.verify
@pytest.mark.skipif(PDFLATEX is None, reason="no TeX on this machine")
def test_all_of_it_compiles_in_one_document(tmp_path, capsys):
    blocks = [printed(argv, capsys) for argv in [["show", key] for key in bounds.THEOREMS] + RECOMMENDED + LOOSE]
    blocks += [latex_proof(derivation) for derivation in bounds.DERIVATIONS.values()]
    used = set().union(*(named_packages(block) for block in blocks))
    log = compile_latex(latex_document([block + "\n\\clearpage" for block in blocks], used), tmp_path)
    assert "Missing character" not in log
    too_wide = [float(width) for width in re.findall(r"Overfull \\hbox \(([\d.]+)pt too wide\) detected", log)]
    assert max(too_wide, default=0) < 60  # points of 345: what stays over is within the margin of a page


@pytest.mark.skipif(PDFLATEX is None, reason="no TeX on this machine")
def test_the_formulas_of_the_claims_compile(tmp_path):
    """They are on one line each, as on a page that scrolls: only `show` and `recommend` break theirs to a page of paper."""
    log = compile_latex(latex_document([rf"\[{latex}\]" for latex in formulas()], {"amsmath", "amssymb", "mathrsfs"}), tmp_path)
    assert "Missing character" not in log


@pytest.mark.skipif(PDFLATEX is None, reason="no TeX on this machine")
def test_each_compiles_with_the_packages_that_it_names_alone(tmp_path, capsys):
    some = [["show", "dpzero.sharp_clip"], ["show", "gauss_psgd.lemma18"], ["show", "gauss_psgd.lemma19"], RECOMMENDED[0], RECOMMENDED[-1]]
    for i, argv in enumerate(some):
        latex, folder = printed(argv, capsys), tmp_path / str(i)
        folder.mkdir()
        compile_latex(latex_document([latex], named_packages(latex)), folder)
