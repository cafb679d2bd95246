"""Write the outputs of snippets into the pages again, where they differ: `make snippets`, or python -m tests.docs.renew PAGE..."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.docs.snippets import ROOT, Block, agree, blocks, commands, differences, pages


def renewed(text: str, folder: Path) -> tuple[str, int]:
    """Return a page whose outputs are those of today, and how many were others."""
    found = list(differences(text, folder, slow=True))
    by_line: dict[int, list[tuple[str, str]]] = {}
    for one in found:
        by_line.setdefault(one.line, []).append((one.command, one.got.rstrip()))
    for block in reversed(blocks(text)):
        if block.line in by_line:
            body = rewritten(block, dict(by_line[block.line]))
            text = text[: block.start] + body + text[block.start + len(block.body) :]
    return text, len(found)


def rewritten(block: Block, outputs: dict[str, str]) -> str:
    """Return the body of a block with these outputs in the place of what stands there."""
    if block.kind == "{testoutput}":
        return "\n".join(line.rstrip() for line in outputs["{testoutput}"].splitlines()) + "\n"
    lines = []
    for (command, expected), written in zip(commands(block.body), commands_as_written(block.body), strict=True):
        output = expected.rstrip() if command not in outputs or agree(expected, outputs[command]) else outputs[command]
        lines += [f"$ {written}", *(line.rstrip() for line in output.splitlines())]
    return "\n".join(lines) + "\n"


def commands_as_written(body: str) -> list[str]:
    """Return the commands of a console block as they stand there, over several lines where they do."""
    found: list[str] = []
    going_on = False
    for line in body.splitlines():
        if line.startswith("$ "):
            found.append(line[2:])
        elif going_on:
            found[-1] += f"\n{line}"
        going_on = (line.startswith("$ ") or going_on) and line.endswith("\\")
    return found


def main(names: list[str]) -> int:
    """Renew the named pages, or all; return 1 where one was not what it should be."""
    changed = 0
    for page in [Path(name).resolve() for name in names] or pages():
        text = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new, count = renewed(text, Path(folder))
        if count:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(ROOT)}: {count} outputs are new")
        changed += count
    return int(changed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
