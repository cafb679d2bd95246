"""What commands print as JSON: the names, their order and the kinds of their values, against a list that scripts may rely on."""

import json
from pathlib import Path

import pytest

from theory_lab.cli import main

COMMANDS = {
    "memory": "memory --model vit-base --r 64 --batch 40 --activations 1MB --memory 24GB",
    "memory, without a memory": "memory --model vit-base --r 64 --batch 40",
    "show, an erratum": "show dpzero.E1",
    "simulate dp_gd": "simulate dp_gd --d 3 --n 20 --alpha 0.1 --T 2 --C 1 --sigma 0.1 --replicates 2",
    "simulate dp_gd, gone": "simulate dp_gd --d 3 --n 20 --alpha 1e200 --T 4 --C 1e200 --sigma 0",
}
TEXT = (Path(__file__).parent / "json_shapes.txt").read_text(encoding="utf-8")
SHAPES = {block.partition("\n")[0]: block.partition("\n")[2].strip("\n") for block in TEXT.split("\n## ")[1:]}


def never(word):
    raise AssertionError(f"{word} is no JSON")


def shape(value):
    """Return names and kinds of values, in their order; of a list what its entries have, each kind once."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {shape(one)}" for name, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + " | ".join(dict.fromkeys(map(shape, value))) + "]"
    return {bool: "truth", int: "integer", float: "number", str: "text", type(None): "null"}[type(value)]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_json_of_a_command_has_the_names_and_kinds_of_the_list(name, capsys):
    assert main([*COMMANDS[name].split(), "--json"]) == 0
    assert shape(json.loads(capsys.readouterr().out, parse_constant=never)) == SHAPES[name]


def test_the_list_is_of_the_commands_that_are_tried():
    assert set(SHAPES) == set(COMMANDS)
