"""LaTeX of numbers, lists and tables, each with a comment that names the packages which it needs."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bounds.plans.plan import Own, own_theorems_sentence
from bounds.symbols import GLOSSARY
from bounds.typeset import citation
from bounds.typeset.words import escape_latex, text_latex, times_power_of_ten

PACKAGES = {
    "amsmath": r"\\(text|tfrac|operatorname)\b|\{(align\*|gather\*|aligned)\}",
    "amssymb": r"\\(mathbb|mathfrak)\b",
    "booktabs": r"\\toprule\b",
    "mathrsfs": r"\\mathscr\b",
}
WHOLE = 1e7  # a whole number below this is printed with all its digits


def number_latex(value: float | None) -> str:
    """Return the LaTeX of a number for a paragraph or a table: four digits, integers below 1e7 in full, a dash for nan and None."""
    if value is None or math.isnan(value):
        return "--"
    if math.isinf(value):
        return r"$\infty$" if value > 0 else r"$-\infty$"
    if abs(value) < WHOLE and value == int(value):
        return f"${int(value):,}$".replace(",", r"\,")
    mantissa, _, exponent = f"{value:.3e}".partition("e")
    if -4 <= int(exponent) < 4:
        return f"${value:.4g}$"
    return f"${times_power_of_ten(mantissa.rstrip('0').rstrip('.'), int(exponent))}$"


def with_packages(latex: str) -> str:
    """Return LaTeX under a comment that names the packages which it needs."""
    found = [name for name, commands in PACKAGES.items() if re.search(commands, latex)]
    needed = rf"\usepackage{{{','.join(found)}}}" if found else "no package"
    return f"% needs {needed}\n{latex}"


def guard_bracket(latex: str) -> str:
    r"""Return LaTeX with {} before a leading [ or *, which would be read as an option of a preceding \item or \\."""
    return f"{{}}{latex}" if latex.lstrip().startswith(("[", "*")) else latex


def latex_list(entries: Iterable[str], *, numbered: bool = False) -> str:
    """Return entries as a LaTeX list, itemized or numbered; "" for no entries."""
    kind = "enumerate" if numbered else "itemize"
    listed = "\n".join(rf"\item {guard_bracket(entry)}" for entry in entries)
    return f"\\begin{{{kind}}}\n{listed}\n\\end{{{kind}}}" if listed else ""


def tabular(columns: str, groups: Sequence[Iterable[Sequence[str]]]) -> str:
    """Return rows of LaTeX cells as a table (booktabs) with a rule between the groups; the first group is the head."""
    blocks = ["\n".join(guard_bracket(" & ".join(row)) + r" \\" for row in rows) for rows in groups]
    body = "\n\\midrule\n".join(block for block in blocks if block)
    return f"\\begin{{tabular}}{{{columns}}}\n\\toprule\n{body}\n\\bottomrule\n\\end{{tabular}}"


def cell_latex(value: float | str | None) -> str:
    """Return the LaTeX of a table cell: words as text, a number with four digits, a dash for nan and None."""
    return text_latex(value) if isinstance(value, str) else number_latex(value)


def latex_name(words: str) -> str:
    """Return the LaTeX of the name of a row or column: a symbol of the glossary as a formula, other names as words."""
    return f"${GLOSSARY[words].latex}$" if words in GLOSSARY else text_latex(words.replace("_", " ") if words.isidentifier() else words)


def floating_table(caption: str, table: str, notes: Iterable[str], *, label: str, papers: Sequence[str], size: str = r"\small") -> str:
    r"""Return a floating LaTeX table with caption, label, notes and source, a comment that names its packages, and the papers' BibTeX.

    label    words for its \label, of which letters and digits are used;   papers   keys in `PAPERS` of the papers that it is about
    """
    named = rf"\label{{tab:{re.sub(r'[^A-Za-z0-9]+', '-', label).strip('-')}}}"
    said = latex_list([*notes, citation.source_note(papers)])
    inside = "\n".join((rf"\caption{{{caption}}}", named, rf"\centering{size}", table, said))
    return with_packages(f"\\begin{{table}}[htbp]\n{inside}\n\\end{{table}}\n{citation.bibliography(papers)}")


def table_of_rows(
    title: str, entries: Sequence[Mapping[str, float | str]], notes: Iterable[str], *, label: str, papers: Sequence[str] = ()
) -> str:
    """Return rows with the same keys as a floating LaTeX table with many narrow columns; the words of a heading are stacked.

    `title` is in words, notes are sentences without their full stop; label and papers are as in `floating_table`.
    """
    said = [f"{text_latex(note)}." for note in notes]
    return floating_table(text_latex(title), dense_table(entries), said, label=label, papers=papers, size=font_size(entries))


def font_size(entries: Sequence[Mapping[str, float | str]]) -> str:
    """Return the LaTeX commands for the font size and column distance of a table with many narrow columns."""
    return rf"\scriptsize\setlength{{\tabcolsep}}{{{'3pt' if len(entries[0]) < 10 else '1.2pt'}}}"


def dense_table(entries: Sequence[Mapping[str, float | str]]) -> str:
    """Return rows with the same keys as a LaTeX table with many narrow columns."""
    columns = "".join("l" if isinstance(value, str) else "r" for value in entries[0].values())
    heads = [latex_name(name).split() for name in entries[0]]
    head = ["\\shortstack{" + r"\\".join(words) + "}" if len(words) > 1 else words[0] for words in heads]
    body = [[cell_latex(value) for value in entry.values()] for entry in entries]
    return tabular(columns, [[head], body])


def problem_caption(method: str, problem: Mapping[str, float], neighbours: str) -> str:
    """Return the LaTeX caption of a table of parameters: method, problem and privacy; `neighbours` is as in `plan_table`."""
    given = ", ".join(f"{latex_name(name)}~$=$~{number_latex(value)}" for name, value in problem.items())
    privacy = rf", $(\varepsilon,\delta)$-differentially private where neighbours differ in {neighbours}" if neighbours else ""
    return f"Parameters of \\texttt{{{escape_latex(method)}}}{privacy}; {given}"


def origin_note(own: Own) -> str:
    r"""Return the sentence of `bounds.plans.plan.own_theorems_sentence` in LaTeX; two hyphens of a command are kept from joining."""
    return own_theorems_sentence(own, lambda key: rf"\texttt{{theory-lab show {escape_latex(key)} -{{}}-proof}}")


def plan_table(
    method: str,
    problem: Mapping[str, float],
    neighbours: str,
    groups: Sequence[Iterable[Sequence[float | str | None]]],
    caveats: Iterable[str],
    own: Own,
    papers: Sequence[str],
) -> str:
    """Return a recommendation as a floating LaTeX table: caption with problem and privacy, all rows, all caveats as notes.

    The first group is the head. `neighbours` says in what neighbouring data sets differ, "" where nothing is private; `own` is as in
    `bounds.plans.plan.own_theorems_sentence`.
    """
    cells = [[[latex_name(str(name)), *map(cell_latex, values)] for name, *values in group] for group in groups]
    many = len(cells[0][0]) > 3
    columns = "lrrr" if many else r"lp{0.28\linewidth}p{0.28\linewidth}"
    said = [*filter(None, [origin_note(own)]), *map(text_latex, caveats)]
    how: dict[str, Any] = {"label": f"recommend {method}", "papers": papers, "size": r"\scriptsize" if many else r"\small"}
    return floating_table(problem_caption(method, problem, neighbours), tabular(columns, cells), said, **how)
