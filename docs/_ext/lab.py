"""Sphinx extension: directives that print parts of the lab, such as commands, words and claims; formulas as MathML; docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from theory_lab.catalogue import Entry, all_entries, link_target
from theory_lab.page_lexer import PageLexer

SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~])")
NAMED = re.compile(
    r"(<m[io]>(?:log|ln|exp|sin|cos)</m[io]>)(?=<m[in]>)"
)  # function names before a letter or number, where the converter leaves out a space


def escape_markup(text: str) -> str:
    """Return a text with the characters that MyST takes as markup escaped."""
    return SPECIAL.sub(r"\\\1", text)


def catalogue_entries(kind: str, paper: str = "") -> list[Entry]:
    """Return the catalogue entries of a kind, or of a kind and a paper."""
    return [one for one in all_entries() if one.kind == kind and one.name.startswith(f"{paper}." if paper else "")]


class LabDirective(SphinxDirective):
    """Base class of directives whose text, in MyST, the lab generates."""

    optional_arguments = 1

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Parse the text into the nodes that replace the directive."""
        found: list[nodes.Node] = self.parse_text_to_nodes("\n".join(self.lines()), allow_section_headings=True)
        return found

    @property
    def argument(self) -> str:
        """The argument of the directive, "" if there is none."""
        return self.arguments[0] if self.arguments else ""


class Words(LabDirective):
    """The directive lab-words: the words of the glossary, each with a link target such as word-noise-multiplier."""

    def lines(self) -> Iterator[str]:
        """Yield the words with their explanations."""
        words = catalogue_entries("words")
        names = {one.name for one in words}
        for one in words:
            also = f" ({escape_markup(one.more['also'])})" if "also" in one.more else ""
            see = ", ".join(
                f"[{escape_markup(name)}](#{link_target('word', name)})" for name in one.more.get("see", "").split(", ") if name in names
            )
            yield from (
                f"({link_target('word', one.name)})=",
                f"**{escape_markup(one.name)}**{also}",
                f": {escape_markup(one.more['means'])}",
            )
            if see:
                yield f"  See also {see}."
            yield ""


class Symbols(LabDirective):
    """The directive lab-symbols: a table of symbols, "given" for those of problems and schedules, else abbreviations."""

    def lines(self) -> Iterator[str]:
        """Yield the rows of the table."""
        roles = ("problem", "schedule") if self.argument == "given" else ("abbreviation",)
        yield from ("| name | on paper | meaning | unit | values | used by | elsewhere |", "|---|---|---|---|---|---|---|")
        for one in catalogue_entries("symbols"):
            if one.more.get("role") in roles:
                cells = [escape_markup(one.more.get(label, "")) for label in ("means", "unit", "values", "used by", "elsewhere")]
                yield f"| `{one.name}` | ${one.more['LaTeX']}$ | {' | '.join(cells)} |"


class Errata(LabDirective):
    """The directive lab-errata: the numbered errata of a paper."""

    def lines(self) -> Iterator[str]:
        """Yield the errata."""
        for one in catalogue_entries("errata", self.argument):
            claims = ", ".join(f"[{name.partition('.')[2]}](#{link_target('claim', name)})" for name in one.more["claims"].split())
            yield from (f"({link_target('erratum', one.name)})=", f"### {one.name.partition('.')[2]}", "")
            yield f"{escape_markup(one.more['states'])}."
            yield from (
                "",
                f"*{one.more['weight']}, {one.more['mark']}.* Claims: {claims or 'none'}. Cite as {escape_markup(one.more['cite as'])}.",
                "",
            )


class Claims(LabDirective):
    """The directive lab-claims: the claims of a paper, by statement."""

    def lines(self) -> Iterator[str]:
        """Yield the claims."""
        statement = ""
        for one in catalogue_entries("claims", self.argument):
            _, now, *_ = one.name.split(".")
            if now != statement:
                statement = now
                yield from (f"### Claims: {escape_markup(now)}", "")
            more = one.more
            formula = f" ${more['formula']}$" if "formula" in more else ""
            yield from (
                f"({link_target('claim', one.name)})=",
                f"**{escape_markup(one.name)}**",
                f": {escape_markup(more['states'])}.{formula}",
                "",
            )
            source = escape_markup(more["source"])
            yield f"  *{source}* ({more['stated']}, {escape_markup(more['kind'])}). {escape_markup(more['verdict'])}."
            if "instead" in more:
                yield f"  Instead: {escape_markup(more['instead'])}."
            if "erratum" in more:
                key = more["erratum"].partition(":")[0]
                yield f"  Erratum [{key.partition('.')[2]}](#{link_target('erratum', key)})."
            yield ""


class Commands(LabDirective):
    """The directive lab-commands: every command with its help, from the argument parsers."""

    def lines(self) -> Iterator[str]:
        """Yield the help of every command."""
        from theory_lab.cli import build_parser

        for name, leaf in subcommands(build_parser()):
            yield from (f"({'command-' + name})=", f"### {name}", "")
            several = subcommands(leaf)
            yield from ("```text", leaf.format_help().rstrip(), "```", "")
            for method, command in several:
                yield from (f"#### {name} {escape_markup(method)}", "", "```text", command.format_help().rstrip(), "```", "")


def subcommands(parser: Any) -> list[tuple[str, Any]]:
    """Return the subcommands of an argument parser as pairs (name, parser)."""
    return [(name, one) for action in parser._actions if hasattr(action, "choices") and isinstance(action.choices, dict)
            for name, one in action.choices.items()]  # fmt: skip


GROUPS = {  # heading: modules of `theory_lab` whose names are listed below it
    "Calls": ("theory_lab.api", "theory_lab.calls.predict", "theory_lab.calls.audit", "theory_lab.calls.estimate",
              "theory_lab.calls.calibrate", "theory_lab.contracts", "bounds.dp_grape.memory", "bounds.moments"),
    "Settings of methods": ("synthetic.declared.dpzero", "synthetic.declared.gauss_psgd", "synthetic.declared.dp_grape",
                            "synthetic.declared.dp_zopo"),
    "Objectives": ("synthetic.objectives.own", "synthetic.objectives", "synthetic.objectives.stages", "synthetic.objectives.matrices"),
    "Objectives with saddles": ("synthetic.objectives.separable_saddles", "synthetic.objectives.coupled_saddles"),
    "Escape and selection": ("synthetic.runs.escapes", "synthetic.runs.selection"),
}  # fmt: skip


CALLED = {  # shown signatures of calls whose settings differ by method
    "simulate": "(method, objective=None, *, plan=None, **settings)",
    "recommend": "(method, objective=None, **problem)",
}


class Python(LabDirective):
    """The directive lab-python: the public names of `theory_lab` by group, with their docstrings."""

    def lines(self) -> Iterator[str]:
        """Yield a heading for each group, and autofunction directives below it."""
        from theory_lab import LISTED

        for heading, modules in GROUPS.items():
            yield from (f"## {heading}", "", "```{eval-rst}")
            for module in modules:
                for name in LISTED[module]:
                    directive = "autoclass" if "declared" in module else "autofunction"
                    yield from (f".. {directive}:: theory_lab.{name}{CALLED.get(name, '')}", "")
            yield from ("```", "")


# --- formulas ---------------------------------------------------------------------------------------------------------------------------
def write_inline_math(writer: Any, node: nodes.Element) -> None:
    """Write an inline formula as MathML to the HTML writer."""
    writer.body.append(convert_math(node.astext(), "inline"))
    raise nodes.SkipNode


def write_display_math(writer: Any, node: nodes.Element) -> None:
    """Write a displayed formula as MathML to the HTML writer."""
    writer.body.append(f'<div class="math">{convert_math(node.astext(), "block")}</div>')
    raise nodes.SkipNode


def convert_math(latex: str, display: str) -> str:
    """Convert LaTeX to MathML, with the LaTeX as alternative text for screen readers."""
    found = NAMED.sub(r'\1<mspace width="0.17em"/>', convert(latex.strip(), display=display))
    return found.replace("<math ", f'<math alttext="{escape(latex.strip(), quote=True)}" ', 1)


# --- docstrings -------------------------------------------------------------------------------------------------------------------------
def format_docstring(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Keep the line breaks of a docstring that is not in numpydoc form: its first paragraph as text, the rest as a code block.

    In numpydoc form, bars such as those of |x| are escaped up to the examples, because reStructuredText reads them as substitutions.
    """
    if any(re.fullmatch(r"-{4,}", line.strip()) for line in lines):
        end = lines.index("Examples") if "Examples" in lines else len(lines)
        lines[:end] = [re.sub(r"(``.*?``|`[^`]*`)|\|", lambda found: found[1] or r"\|", line) for line in lines[:end]]
        return
    text = "\n".join(lines).strip("\n")
    first, _, rest = text.partition("\n\n")
    literal = re.sub(r"([\\*`|_])", r"\\\1", re.sub(r"``?([^`]+)``?", r"\1", " ".join(first.split())))
    lines[:] = [literal, ""]
    if rest.strip():
        lines += [".. code-block:: none", "", *(f"   {line}" for line in rest.splitlines()), ""]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives, the lexer, the renderer of formulas and the docstring handler with Sphinx."""
    for one in (Words, Symbols, Errata, Claims, Commands, Python):
        app.add_directive(f"lab-{one.__name__.lower()}", one)
    app.add_lexer("page", PageLexer)
    app.add_html_math_renderer("mathml", (write_inline_math, None), (write_display_math, None))
    app.connect("autodoc-process-docstring", format_docstring, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
