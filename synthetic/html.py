"""HTML tables for notebooks, which `_repr_html_` of runs and objectives returns."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[Any]], notes: Iterable[str] = ()) -> str:
    """Return an HTML table of `rows` under a title and column names, with notes as a list below it; all text is escaped."""
    cells = [[cell_text(value) for value in row] for row in rows]
    lines = [f"<tr>{''.join(f'<td>{text}</td>' for text in row)}</tr>" for row in cells]
    first = f"<caption>{escape(title)}</caption><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>"
    below = "".join(f"<li>{escape(note)}</li>" for note in notes)
    return f"<table>{first}{''.join(lines)}</table>{f'<ul>{below}</ul>' if below else ''}"


def cell_text(value: Any) -> str:
    """Return the HTML text of a table cell: floats with five digits, "-" for nan, anything else escaped."""
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.5g}"
    return escape(str(value))
