"""HTML tables for notebooks, as `_repr_html_` of plans, evaluations, grids and verdicts returns them."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def format_cell(value: Any) -> str:
    """Return the HTML of a table cell: a number with five digits, "-" for nan and None, other values as escaped text."""
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.5g}"
    return escape("-" if value is None else str(value))


def table(title: str, head: Sequence[Any], rows: Iterable[Sequence[Any]], notes: Iterable[str] = ()) -> str:
    """Return an HTML table with a title, a head row and rows of cells, followed by a list of notes."""
    lines = [f"<tr>{''.join(f'<td>{format_cell(value)}</td>' for value in row)}</tr>" for row in rows]
    below = "".join(f"<li>{escape(note)}</li>" for note in notes)
    first = f"<caption>{escape(title)}</caption><tr>{''.join(f'<th>{format_cell(value)}</th>' for value in head)}</tr>"
    return f"<table>{first}{''.join(lines)}</table>{f'<ul>{below}</ul>' if below else ''}"
