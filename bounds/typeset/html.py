"""Tables for notebooks: what `_repr_html_` of plans, evaluations, grids and verdicts returns."""

import math
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def short(value: Any) -> str:
    """Return a number with five digits, "-" for none, text as it is, all escaped."""
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.5g}"
    return escape("-" if value is None else str(value))


def table(title: str, head: Sequence[Any], rows: Iterable[Sequence[Any]], notes: Iterable[str] = ()) -> str:
    """Return a table under its title, with sentences below it."""
    lines = [f"<tr>{''.join(f'<td>{short(value)}</td>' for value in row)}</tr>" for row in rows]
    below = "".join(f"<li>{escape(note)}</li>" for note in notes)
    first = f"<caption>{escape(title)}</caption><tr>{''.join(f'<th>{short(value)}</th>' for value in head)}</tr>"
    return f"<table>{first}{''.join(lines)}</table>{f'<ul>{below}</ul>' if below else ''}"
