"""Sources of printed tables: the version of the lab, the papers that a table is about, and BibTeX of these."""

import textwrap
from collections.abc import Sequence

from bounds.origin import NAME, installed_versions, source_commit
from bounds.papers import PAPERS, bibtex_entry
from bounds.typeset.words import escape_latex

LAB, AUTHORS, YEAR = "DP Theory Lab", "The authors of the DP Theory Lab", "2026"  # as in CITATION.cff, which is not installed
CITE_KEY = "dptheorylab"
PASTE = "% BibTeX of what is cited, for the .bib file without the % at the beginning of each line:"
SHORT = 12  # digits of a commit that a table shows; its BibTeX has all


def lab_bibtex() -> str:
    """Return the lab's own BibTeX entry, with version and commit."""
    note = f"Version {installed_versions()[NAME]}, commit {source_commit()}"
    return bibtex_entry("misc", CITE_KEY, {"author": f"{{{AUTHORS}}}", "title": f"{{{LAB}}}", "year": YEAR, "note": note})


def source_note(papers: Sequence[str]) -> str:
    r"""Return a LaTeX sentence with the version and commit of the lab and the papers of a table, with \cite for each."""
    made, comma, changed = source_commit().partition(",")
    lab = (
        rf"{LAB}, version {installed_versions()[NAME]}, commit \texttt{{{made[:SHORT]}}}{comma}{escape_latex(changed)}~\cite{{{CITE_KEY}}}"
    )
    about = ", ".join(rf"{escape_latex(PAPERS[key].name)}~\cite{{{PAPERS[key].cite_key}}}" for key in papers if key in PAPERS)
    return f"Source: {lab}{f'; about {about}' if about else ''}."


def bibliography(papers: Sequence[str]) -> str:
    r"""Return BibTeX of the lab and of papers as LaTeX comments, to be copied together with a table."""
    entries = [lab_bibtex(), *(PAPERS[key].bibtex for key in papers if key in PAPERS)]
    return "\n".join([PASTE, *(textwrap.indent(one, "% ") for one in entries)])
