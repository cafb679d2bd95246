"""Names that are nearly right are answered with the right one; those that are not near with none."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from paper_checks import papers
from tests.calls import exit_status
from theory_lab.cli import main
from theory_lab.methods import METHODS, figures_by_name
from theory_lab.nearest import ELSEWHERE, nearest_name

ROOT = Path(__file__).parents[2]
DPZERO = ["simulate", "dpzero", "--d", "3", "--n", "9"]


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["figure", "figure1"], "is dpzero-1 meant?"),
        (["figure", "psgd_rate"], "is psgd-rate meant?"),
        (["figure", "zopo-flor", "--preview"], "is zopo-floor meant?"),
        (["figure", "dpzero-1", "--prevew"], "is --preview meant?"),
        ([*DPZERO, "--lr", "0.1"], "is --alpha meant?"),
        ([*DPZERO, "--max-grad-norm=1"], "is --C meant?"),
        ([*DPZERO, "--Batch_Size", "3"], "is --batch-size meant?"),
        (["simulate", "DPZero"], "is dpzero meant?"),
        (["recommend", "DP-ZOSO"], "is dp_zoso meant?"),
        (["smulate"], "is simulate meant?"),
        (["check", "dpzero.theorem33"], "is dpzero.theorem3"),
        (["check", "gauss-psgd.lemma1.*x"], "is gauss_psgd.lemma1"),
        (["simulate", "kalman"], ""),
        ([*DPZERO, "--zzz", "1"], ""),
    ],
)
def test_a_name_that_is_nearly_right_is_answered_with_the_right_one(argv, hint, capsys):
    status = exit_status(argv)
    said = capsys.readouterr().err
    assert status == 2
    assert len(said.splitlines()) == 1
    assert hint in said
    assert ("meant?" in said) == bool(hint)


def test_an_option_is_refused_where_it_is_known_what_there_is(capsys):
    with pytest.raises(SystemExit):
        main([*DPZERO, "--lr", "0.1"])
    assert "(see theory-lab simulate dpzero --help)" in capsys.readouterr().err


def test_what_others_call_something_leads_to_a_name_that_there_is():
    options = {option.name for method in METHODS.values() for option in method.options} | {"objective", "out", "workers"}
    assert set(ELSEWHERE.values()) <= options | METHODS.keys() | figures_by_name(METHODS.values()).keys()
    assert "noise_multiplier" not in ELSEWHERE


def test_the_words_of_others_by_their_meaning():
    """A step size, a radius of smoothing, a threshold, a noise, steps; and the figures of DPZero by their numbers."""
    options = ["alpha", "lam", "C", "sigma", "T", "d", "n", "epsilon", "delta", "seed", "batch_size", "replicates", "r"]
    meanings = {
        "alpha": ["lr", "learning-rate", "eta", "step_size"], "lam": ["zo_eps", "smoothing"], "C": ["clip", "max_grad_norm", "threshold"],
        "sigma": ["std", "noise_scale"], "T": ["steps", "iterations"], "epsilon": ["eps", "target_epsilon"], "seed": ["random_state"],
    }  # fmt: skip
    for here, words in meanings.items():
        assert [nearest_name(word, options) for word in words] == [here] * len(words)
    names = figures_by_name(METHODS.values())
    for k in (1, 2, 3):
        assert nearest_name(f"figure{k}", names) == nearest_name(f"fig{k}", names) == f"dpzero-{k}"
    assert nearest_name("alhpa", options) == nearest_name("alpa", options) == "alpha"  # two letters exchanged, and one forgotten
    assert nearest_name("simluate", ["simulate", "sweep"]) == nearest_name("simulte", ["simulate", "sweep"]) == "simulate"
    assert nearest_name("gamma", options) == ""
    assert nearest_name("loss", ["loss", "objective"]) == "loss"  # there is one: no word of others
    assert nearest_name("loss", ["objective", "d"]) == "objective"
    assert nearest_name("steps", ["T", "steps"]) == "steps"


def test_every_name_is_nearest_to_itself():
    for names in ([*METHODS], [*figures_by_name(METHODS.values())], [claim.key for claim in papers.claims()]):
        assert [nearest_name(name, names) for name in names[:60]] == names[:60]
    assert nearest_name("c", ["C", "d"]) == "C"
    assert nearest_name("", ["C"]) == nearest_name("alpha", []) == ""


def test_a_file_that_defines_nothing_is_told(tmp_path, capsys):
    file = tmp_path / "empty_of_all.py"
    file.write_text("x = 1\n", encoding="utf-8")
    assert main([*DPZERO, "--alpha", "1", "--T", "2", "--C", "1", "--sigma", "1", "--module", str(file)]) == 2
    said = capsys.readouterr().err
    assert f"module = {str(file)!r}: it defines nothing that the lab uses" in said
    assert "CLAIMS" in said
    good = ROOT / "theory_lab/examples/own_kernel.py"
    assert main(["list", "--module", str(good), "--module", str(file)]) == 2  # each of several
    assert f"module = {str(file)!r}: it defines nothing that the lab uses" in capsys.readouterr().err


def test_make_help_names_every_target():
    made = subprocess.run(
        ["make", "--no-print-directory", "help", f"PYTHON={sys.executable}"], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    rows = dict(re.match(r"make (\S+) +(\S.*)", line).groups() for line in made.stdout.splitlines())
    declared = re.search(r"^\.PHONY: (.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)[1].split()
    assert rows.keys() == set(declared)
