"""Update the outputs of snippets in the pages where they have changed: `make snippets`, or python -m tests.docs.renew PAGE..."""

from __future__ import annotations

import sys
import tempfile
from difflib import get_close_matches
from pathlib import Path

from tests.docs.snippets import ROOT, Block, blocks, commands_as_written, differences, in_one_line, outputs_agree, pages


def update_outputs(text: str, folder: Path) -> tuple[str, int]:
    """Run the snippets of a page; return the page with current outputs, and the number of outputs that changed."""
    found = list(differences(text, folder, slow=True))
    by_line: dict[int, list[tuple[str, str]]] = {}
    for one in found:
        by_line.setdefault(one.line, []).append((one.command, one.got.rstrip()))
    for block in reversed(blocks(text)):
        if block.line in by_line:
            body = rewrite_block(block, dict(by_line[block.line]))
            text = text[: block.start] + body + text[block.start + len(block.body) :]
    return text, len(found)


def rewrite_block(block: Block, outputs: dict[str, str]) -> str:
    """Return the body of a block with the given outputs, by command, in place of the old ones."""
    if block.kind == "{testoutput}":
        return "\n".join(line.rstrip() for line in shorten_output(block.body, outputs["{testoutput}"]).splitlines()) + "\n"
    lines = []
    for written, expected in commands_as_written(block.body):
        command, output = in_one_line(written), expected.rstrip()
        if command in outputs and not outputs_agree(expected, outputs[command]):
            output = shorten_output(expected, outputs[command])
        lines += [f"$ {written}", *(line.rstrip() for line in output.splitlines())]
    return "\n".join(lines) + "\n"


def shorten_output(expected: str, got: str) -> str:
    """Return an output without the lines that the page leaves out: each line of the page becomes the nearest line of the output."""
    lines, at, found = got.splitlines(), 0, []
    for line in expected.rstrip().splitlines():
        if line.strip() == "...":
            found.append(line)
            continue
        here = next((k for k in range(at, len(lines)) if outputs_agree(line, lines[k])), None)
        if here is None:
            near = get_close_matches(line, lines[at:], n=1, cutoff=0.6)
            here = lines.index(near[0], at) if near else None
        if here is not None:
            found.append(line if outputs_agree(line, lines[here]) else lines[here])
            at = here + 1
    text = "\n".join(found)
    return text if "..." in text and outputs_agree(text, got) else got.rstrip()


def main(names: list[str]) -> int:
    """Update the named pages, or all; return 1 if an output has changed, else 0."""
    changed = 0
    for page in [Path(name).resolve() for name in names] or pages():
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new, count = update_outputs(text, Path(folder))
        if count:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(ROOT)}: {count} outputs are new")
        changed += count
    return int(changed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
