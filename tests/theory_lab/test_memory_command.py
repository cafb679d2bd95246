"""The command `memory`: what it prints, what it hands over, and what it says of wrong calls."""

import argparse
import csv
import io
import json

import pytest

import theory_lab as lab
from bounds.dp_grape.memory import KINDS, METHODS, model_names
from tests.calls import exit_status, print_lightly
from theory_lab.cli import build_parser, main
from theory_lab.commands.memory import UNITS, parse_activations, parse_size

ASKED = ["memory", "--model", "vit-base", "--r", "64", "--batch", "200"]


def printed(capsys, *more):
    assert main([*ASKED, *more]) == 0
    return capsys.readouterr().out


def test_the_command_prints_what_the_call_gives(capsys):
    found = lab.memory("dp_grape", model="vit-base", r=64, batch=200, bytes=2, activations=120e6, memory=24e9)
    more = ["--bytes", "2", "--activations", "120MB", "--memory", "24GB"]
    assert json.loads(printed(capsys, *more, "--json")) == json.loads(found.json())
    assert printed(capsys, *more, "--latex") == found.latex() + "\n"
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *more, "--csv"))))
    assert rows == [{name: str(value) for name, value in row.items()} for row in found.rows()]
    table = printed(capsys, *more)
    assert [f"{part:,}" in table for part in found.asked.table_2.values()] == [True] * 3
    for needs in found.needs.values():
        assert METHODS[needs.method] in table
        assert f"{needs.bytes / 1e9:.4g}" in table
        assert f" {needs.largest_batch} " in table
    assert max(map(len, table.splitlines())) <= 140
    assert "fits" not in printed(capsys)
    assert "Activations are not counted" in printed(capsys)


def test_activations_are_fitted_to_a_measured_run(capsys):
    found = json.loads(printed(capsys, "--activations", "adam@500=63GB", "--json"))
    assert found["activations"] == round((63e9 - 16 * 85_806_346) / 500)


def test_a_file_of_ones_own(tmp_path, capsys):
    own = tmp_path / "own.txt"
    own.write_text("2 6 10 projected\n1 1 7 kept\n", encoding="utf-8")
    assert main(["memory", "--model", str(own), "--r", "2", "--batch", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["needs"]["dp_grape"]["held"]["samples"] == 3 * (2 * 2 * 10 + 7)
    own.write_text("2 6 10 projected\n1 1 7\n", encoding="utf-8")
    assert main(["memory", "--model", str(own), "--r", "2", "--batch", "3"]) == 2
    assert "line 2: COUNT ROWS COLUMNS" in capsys.readouterr().err


def test_sizes_have_a_unit():
    assert {unit: parse_size(f"1.5{unit}") for unit in UNITS} == {unit: 1.5 * factor for unit, factor in UNITS.items()}
    assert (parse_size("24 GB"), parse_size("2e9B"), UNITS["GiB"], UNITS["GB"]) == (24e9, 2e9, 2**30, 10**9)
    assert parse_activations("dp_adam@20=3GiB") == ("dp_adam", 20, 3 * 2**30)
    for wrong in ("24", "GB", "24gb", "24G", "x GB", "1_0 KB", ""):
        with pytest.raises(argparse.ArgumentTypeError, match="with its unit is needed, such as 24GB"):
            parse_size(wrong)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--model", "bert"], "model = 'bert': one of opt-1.3b"), (["--r", "1000"], "r = 1000: at most 768 is needed"),
        (["--batch", "0"], "batch = 0: an integer of at least 1"), (["--batch", "x"], "argument --batch: 'x': a whole number"),
        (["--activations", "5"], "argument --activations: '5': a number with its unit"), (["--memory", "0GB"], "memory = 0.0"),
        (["--activations", "adam@500=1MB"], "activations: measured = 1000000.0: too few bytes; adam needs 1372901536 even"),
        (["--activations", "sgd@500=1GB"], "activations: method = 'sgd': one of adam"), (["--activations", "adam=1GB"], "''"),
        (["--activations=-1MB"], "activations = -1000000.0: a finite number of at least 0"),
        (["--activations", "nanGB"], "activations = nan"), (["--activations", "1e308GB"], "activations = inf"),
        (["--json", "--csv"], "not allowed with argument"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_one_line_and_status_2(more, said, capsys):
    code = exit_status([*ASKED, *more])
    out = capsys.readouterr()
    assert (code, out.out) == (2, "")
    assert said in out.err
    assert out.err.startswith("theory-lab: ")
    assert out.err.count("\n") == 1


def test_the_help_names_what_there_is_and_imports_nothing_heavy(capsys):
    commands = next(a for a in build_parser()._actions if a.choices and "memory" in a.choices).choices
    said = " ".join(commands["memory"].format_help().split())
    assert all(word in said for word in (*model_names(), *METHODS, *KINDS, "COUNT ROWS COLUMNS"))
    print_lightly("memory", "--help")


def test_the_call_keeps_its_name_after_the_command_has_run(capsys):
    printed(capsys)
    assert callable(lab.memory)
    assert lab.memory("dp_adam", model="roberta-large", r=16, batch=40).asked.method == "dp_adam"


def test_gigabytes_are_of_numbers_of_the_bytes_that_were_asked_for(capsys):
    found = lab.memory("dp_grape", model="vit-base", r=64, batch=200, bytes=2)
    table = printed(capsys, "--bytes", "2")
    assert f"{2 * found.needs['dp_adam'].held['samples'] / 1e9:.4g}" in table
    assert f"{4 * found.needs['dp_adam'].held['samples'] / 1e9:.4g}" not in table
