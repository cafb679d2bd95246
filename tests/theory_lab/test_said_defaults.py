"""A documented default that is said is accepted, and gives what leaving it out gives: every option of every command."""

import argparse
import re
from dataclasses import replace

import pytest

from theory_lab.cli import build_parser, main
from theory_lab.methods import METHODS, figures_by_name
from theory_lab.methods.record import resolved

FIGURES = figures_by_name(METHODS.values())

SMALL = ["--d", "4", "--n", "30"]
BUDGET = ["--epsilon", "1", "--delta", "1e-6"]
SMOOTH = ["--n", "10000", "--d", "20", "--L", "1", "--ell", "1", "--gap", "1", *BUDGET]
CONVEX = ["--n", "10000", "--d", "20", "--L", "1", "--growth-mu", "0.1", "--radius", "1", "--gap", "1", *BUDGET]
PHASES = ["--d", "2", "--n", "1e7", "--epsilon", "8", "--delta", "1e-6"]
NEEDED = {"--r": "2", "--rates": "0.5"}  # settings that a method has no default for
ALSO = {  # what the rest of a call is, where it is not `rest`
    ("simulate", "gauss_psgd"): PHASES,
    ("simulate", "frozen_psgd"): PHASES,
    ("recommend", "gauss_psgd"): ["--n", "1e7", "--d", "4", "--L", "1", "--ell", "1", "--rho", "1", "--U", "1", *BUDGET],
    ("estimate",): ["--objective", "pseudo_huber", *SMALL],
    ("memory",): ["--model", "opt-1.3b", "--r", "8", "--batch", "8"],
}


def rest(path, leaf):
    """The other arguments of a small call of a command."""
    if path in ALSO:
        return ALSO[path]
    command, method = path
    if command == "simulate":
        options = leaf._option_string_actions
        given = [*SMALL, "--alpha", "0.1", "--T", "3", *(["--C", "1", "--sigma", "0.1"] if METHODS[method].runner.private else [])]
        return [*given, *(word for name, value in NEEDED.items() if name in options for word in (name, value))]
    if command == "predict":
        return [
            "--spectrum",
            "inverse",
            *SMALL,
            "--alpha",
            "0.1",
            "--T",
            "3",
            *([] if method == "mezo" else ["--C", "1", "--sigma", "0.1"]),
        ]
    if method.startswith("dp_zo"):
        return CONVEX
    return [*SMOOTH, "--r", "2"] if "grape" in method else SMOOTH


def leaves(top, path=()):
    """Yield every command with its parser."""
    below = [one for one in top._actions if isinstance(one, argparse._SubParsersAction)]
    if not below:
        yield path, top
    for one in below:
        for name, leaf in one.choices.items():
            yield from leaves(leaf, (*path, name))


def documented(option):
    """The default that the help of an option names, None where it names none that could be given."""
    found = re.search(r"\(default: ([^),]+)[),]", (option.help or "") % dict(vars(option), prog="theory-lab"))
    if not found or not option.option_strings or option.nargs == 0:
        return None
    word = found[1].removesuffix(".0") if option.type is not float else found[1]
    if option.choices:
        return word if word in option.choices else None
    try:
        (option.type or str)(word)
    except (ValueError, TypeError, argparse.ArgumentTypeError):
        return None
    return word if " " not in word else None


LEAVES = dict(leaves(build_parser()))
RUN = [path for path in LEAVES if path[0] in ("simulate", "recommend", "predict", "estimate", "memory")]


def told(argv, capsys):
    status = main([*argv, "--json"])
    out, err = capsys.readouterr()
    assert status == 0, err
    return out


@pytest.mark.parametrize("path", RUN, ids=" ".join)
def test_defaults_that_are_said_give_what_leaving_them_out_gives(path, capsys):
    leaf = LEAVES[path]
    said = {one.option_strings[0]: word for one in leaf._actions if (word := documented(one)) is not None}
    assert said
    argv = [*path, *rest(path, leaf)]
    assert told([*argv, *(word for pair in said.items() for word in pair)], capsys) == told(argv, capsys)


@pytest.mark.parametrize("accountant", [None, "exact"])
def test_the_accountant_of_plans_is_exact_and_may_be_said_so(accountant, capsys):
    given = ["--accountant", accountant] if accountant else []
    assert told(["recommend", "dpzero", *SMOOTH, *given], capsys) == told(["recommend", "dpzero", *SMOOTH], capsys)


@pytest.mark.parametrize("name", FIGURES)
def test_the_defaults_of_the_options_of_figures_are_the_full_experiment(name):
    record = FIGURES[name]
    given = {one.name: LEAVES["figure",]._option_string_actions[f"--{one.name.replace('_', '-')}"] for one in record.options}
    paper, taken = resolved(record.parts[name]).PAPER, [one.name for one in record.options]
    said = {one: given[one].type(documented(given[one])) for one in taken if documented(given[one]) is not None and hasattr(paper, one)}
    assert replace(paper, **said) == paper
