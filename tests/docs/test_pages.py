"""The snippets of README and of the documentation print what the pages say."""

import re
import shlex
from pathlib import Path

import pytest

from tests.docs import snippets

PAGES = {str(page.relative_to(snippets.ROOT)): page.read_text(encoding="utf-8") for page in snippets.pages()}
RUNNING = [name for name, text in PAGES.items() if any(b.runs and not b.slow for b in snippets.blocks(text))]
SLOW = [name for name, text in PAGES.items() if any(b.slow for b in snippets.blocks(text))]


@pytest.mark.parametrize("name", RUNNING)
def test_the_snippets_of_a_page_print_what_it_says(name, tmp_path):
    assert [*map(str, snippets.differences(PAGES[name], tmp_path, slow=False))] == []


@pytest.mark.verify
@pytest.mark.parametrize("name", SLOW)
def test_the_slow_snippets_too(name, tmp_path):
    assert [*map(str, snippets.differences(PAGES[name], tmp_path, slow=True))] == []


def test_what_is_not_run_parses(tmp_path, monkeypatch):
    from theory_lab.cli import build_parser

    monkeypatch.chdir(tmp_path)

    targets = set(re.findall(r"^([a-z0-9-]+):", (snippets.ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for name, text in PAGES.items():
        for block in snippets.blocks(text):
            if block.file:
                Path(block.file).write_text(block.code, encoding="utf-8")
            if block.kind == "python":
                compile(block.body, f"{name}, line {block.line}", "exec")
            lines = [c for c, _ in snippets.commands(block.body)] if block.kind == "console" else block.body.splitlines()
            for line in lines if block.kind in ("console", "sh") else ():
                words = shlex.split(line, comments=True)
                if words[:1] == ["make"] and len(words) > 1:
                    assert words[1] in targets, (name, line)
                if words[:1] == ["theory-lab"] and not {"--module", "--help", "--version", "|", ">"} & set(words):
                    if words[1] == "recommend" and words[2].endswith(".page"):
                        continue  # its options are the symbols of the page, which is run below
                    build_parser().parse_args(words[1:])


def test_every_command_in_the_running_text_parses():
    from theory_lab.cli import build_parser

    known = next(one.choices for one in build_parser()._actions if one.dest == "command")
    for name, text in PAGES.items():
        prose = snippets.FENCE.sub("", text)
        for command in re.findall(r"`theory-lab ([a-z][^`]*)`", prose):
            if " " not in command:
                assert command in known, (name, command)
            elif not re.search(r"\b[A-Z]{3,}\b|--module|--help|\.\.\.", command):
                assert build_parser().parse_args(shlex.split(command)), (name, command)
