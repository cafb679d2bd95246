"""The map of the packages as one picture, from the tree: ``python docs/_ext/architecture.py`` writes docs/_static/architecture.svg."""

import ast
from html import escape
from pathlib import Path
from textwrap import wrap

from bounds.papers import PAPERS

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "_static" / "architecture.svg"
WIDTH, LINE, PAD, LETTER = 1200, 15, 10, 6.15  # pixels; LETTER is the width of a character at 11 pixels
# packages, with the columns of their folders; a package imports from those below it
ROWS = (
    (("theory_lab", 2),),
    (("figures", 2),),
    (("paper_checks", 4),),
    (("bounds", 2), ("synthetic", 2)),
)


def first_line(folder: Path) -> str:
    """Return the first sentence of a package's docstring."""
    text = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    return text.split("\n")[0]


def modules(folder: Path) -> list[str]:
    """Return the names of the modules that stand directly in a folder."""
    return sorted(file.stem for file in folder.glob("*.py") if file.stem not in ("__init__", "renamed"))


def boxes(package: str) -> list[tuple[str, str]]:
    """Return the folders of a package, each with the names of what stands in it; the papers' folders are one box."""
    folder = ROOT / package
    inner = sorted(one.parent.name for one in folder.glob("*/__init__.py"))
    found = [(f"{package}/", "  ".join(modules(folder)))]
    found += [(f"{package}/{name}/", "  ".join(modules(folder / name))) for name in inner if name not in PAPERS and name != "examples"]
    papers = [name for name in PAPERS if name in inner]
    if papers:
        kinds = "pages of statements and proofs; plans" if package == "bounds" else "pages of claims, errata; checks"
        words = f"{'  '.join(papers)}: {kinds if package != 'figures' else 'one module for one or two figures'}"
        found.append((f"{package}/PAPER/", words))
    return found


def drawn(package: str, left: float, top: float, width: float, columns: int) -> tuple[list[str], float]:
    """Return the SVG of a package with its folders in columns, and its height."""
    words = wrap(first_line(ROOT / package), int((width - 2 * PAD) / (LETTER + 0.35)))
    parts = [f'<text x="{left + PAD}" y="{top + 22}" class="package">{package}</text>']
    parts += [f'<text x="{left + PAD}" y="{top + 40 + LINE * k}" class="words">{escape(line)}</text>' for k, line in enumerate(words)]
    begin = top + 34 + LINE * len(words)
    cell = (width - PAD * (columns + 1)) / columns
    heights = [begin] * columns
    for name, inside in boxes(package):
        lines = wrap(inside, int((cell - 2 * PAD) / LETTER), break_on_hyphens=False)
        column = heights.index(min(heights))
        x, y, height = left + PAD + column * (cell + PAD), heights[column], LINE * (len(lines) + 1) + 12
        parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{cell:.1f}" height="{height}" class="folder"/>')
        parts.append(f'<text x="{x + PAD:.1f}" y="{y + 16:.1f}" class="name">{name}</text>')
        for k, line in enumerate(lines):
            parts.append(f'<text x="{x + PAD:.1f}" y="{y + 16 + LINE * (k + 1):.1f}" class="modules">{escape(line)}</text>')
        heights[column] += height + PAD
    height = max(heights) - top
    return [f'<rect x="{left}" y="{top}" width="{width}" height="{height}" class="box"/>', *parts], height


def picture() -> str:
    """Return the map as SVG."""
    parts, top = list[str](), PAD
    for row in ROWS:
        width = (WIDTH - PAD * (len(row) + 1)) / len(row)
        made = [drawn(one, PAD + k * (width + PAD), top, width, columns) for k, (one, columns) in enumerate(row)]
        parts += [line for lines, _ in made for line in lines]
        top += max(height for _, height in made)
        if row is not ROWS[-1]:
            parts.append(f'<path d="M {WIDTH / 2} {top} v 18 m -5 -7 l 5 7 l 5 -7" class="arrow"/>')
            top += 26
    style = (
        "text{font-family:Helvetica,Arial,sans-serif;fill:#111} .package{font-size:18px;font-weight:bold} .words{font-size:12px}"
        " .name{font-size:12px;font-weight:bold} .modules{font-size:11px} rect{fill:#fff;stroke:#111} .box{stroke-width:1.5}"
        " .folder{stroke:#777;fill:#f5f5f5} .arrow{stroke:#111;fill:none;stroke-width:1.5}"
    )
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top + PAD:.0f}" role="img">'
    title = "<title>The packages of the lab and their folders; a package imports from those below it.</title>"
    back = f'<rect width="{WIDTH}" height="{top + PAD:.0f}" style="stroke:none"/>'
    return "\n".join([head, title, f"<style>{style}</style>", back, *parts, "</svg>", ""])


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
