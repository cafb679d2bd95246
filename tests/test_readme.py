"""The README's Python runs, and its commands exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_python_runs(capsys):
    for block in re.findall(r"```python\n(.*?)```", TEXT, re.S):
        exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_the_example_prints_the_two_noises_that_it_names():
    import theory_lab as lab

    named = re.search(r"print\(sigma, grid\.sigma\[1, 1\]\)  # ([\d.]+) and ([\d.]+)", TEXT)
    budget = {"epsilon": 2.0, "delta": 1e-6, "T": 400, "sensitivity": 2 * 3.0 / 10_000}
    assert named.groups() == tuple(f"{noise(**budget):.4f}" for noise in (lab.privacy.sigma_gaussian, lab.privacy.sigma_lemma_2_2))


def test_the_commands_parse_and_the_make_targets_exist():
    from theory_lab.cli import parser

    commands = re.findall(r"`theory-lab ([a-z][^`]*)`", TEXT)
    assert commands
    for command in commands:
        parser().parse_args(command.split())
    targets = set(re.findall(r"^([a-z0-9]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    assert set(re.findall(r"`?make ([a-z0-9]+)", TEXT)) <= targets


def test_the_pictures_are_committed():
    pictures = re.findall(r"\((figures/[^)]*\.png)\)", TEXT)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).exists(), picture
