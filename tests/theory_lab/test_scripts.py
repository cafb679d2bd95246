"""`show KEY --script`: what is printed is plain Python that needs mpmath alone, and shows that the claim is false."""

import re
import subprocess
import sys

import pytest

from paper_checks import papers
from paper_checks.dp_zopo.tables import check_row_above, check_text_numbers
from paper_checks.shared.formulas import check_positive_logarithm
from paper_checks.shared.witness import check_witness
from paper_checks.verdict import Outcome
from theory_lab.cli import main
from theory_lab.commands import witness_script as scripts

REFUTED = {one.key: one for one in papers.claims() if one.expected is Outcome.REFUTED}
SUBSTITUTED = [key for key, one in REFUTED.items() if one.examine is check_witness]
PRIVACY = [key for key in REFUTED if key == "dpzero.lemma_2_2.any_epsilon" or re.match(r"dpzero\.theorem\d\.privacy", key)]


def run(code, tmp_path):
    """Run a script in a Python that does not find the lab."""
    file = tmp_path / "script.py"
    file.write_text(code, encoding="utf-8")
    barred = "import sys\nfor one in ('bounds', 'theory_lab', 'paper_checks', 'sympy', 'numpy'): sys.modules[one] = None\n"
    done = subprocess.run(
        [sys.executable, "-c", f"{barred}exec(open({str(file)!r}, encoding='utf-8').read())"],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return done.stdout


@pytest.mark.sample(4)
@pytest.mark.parametrize("key", SUBSTITUTED)
def test_a_witness_refutes_what_is_printed_and_not_what_holds_instead(key, tmp_path):
    out = run(scripts.claim_script(REFUTED[key]), tmp_path)
    sides = dict(line.rsplit(":", 1) for line in out.splitlines())
    if "left side - right side" in sides:
        assert float(sides["left side - right side"]) != 0
    else:
        assert re.search(r"^left side (<|>|<=|>=) right side: False$", out, re.M)
    assert "instead" not in out or re.search(r"^left side (=|<|>|<=|>=) instead: +True$", out, re.M)
    assert "premise: False" not in out


@pytest.mark.sample(2)
@pytest.mark.parametrize("key", PRIVACY)
def test_noise_that_is_too_small_is_shown_by_the_exact_curve(key, tmp_path):
    out = run(scripts.claim_script(REFUTED[key]), tmp_path)
    claimed, spent = (float(line.split()[-1]) for line in out.splitlines()[:2])
    assert spent > claimed
    assert out.endswith("private: False\n")
    witness = REFUTED[key].examine(**REFUTED[key].arguments_of(False)).witness
    told = witness.get("delta attained", witness.get("delta spent is at least"))
    assert spent == pytest.approx(float(told), rel=1e-6) if witness.get("T", 1) <= 2_000 else spent >= float(told)


OTHERS = {check_positive_logarithm: "bound >= 0: False", check_row_above: "cells: False", check_text_numbers: "the same: False"}


@pytest.mark.sample(5)
@pytest.mark.parametrize("key", [key for key, one in REFUTED.items() if one.examine in OTHERS])
def test_sentences_about_tables_and_bounds_below_zero_fail_where_the_check_says(key, tmp_path):
    claim = REFUTED[key]
    out = run(scripts.claim_script(claim), tmp_path)
    assert OTHERS[claim.examine] in out
    witness = claim.examine(**claim.arguments_of(False)).witness
    if claim.examine is check_row_above:
        assert f"holds in {witness['in so many']} of {witness['cells']} cells" in out
    if claim.examine is check_positive_logarithm:
        assert float(re.search(r"bound: (\S+)", out)[1]) == pytest.approx(witness["right side"], rel=1e-9)


def test_an_erratum_has_the_script_of_its_first_claim_and_what_has_none_says_so(capsys):
    assert main(["show", "dpzero.E2", "--script"]) == 0
    assert capsys.readouterr().out.startswith("# dpzero.lemma_2_2.any_epsilon: The noise of Lemma 2.2 gives")
    assert main(["show", "dpzero.theorem3.chain", "--script"]) == 2
    assert "script: dpzero.theorem3.chain has no script" in capsys.readouterr().err
    assert main(["show", "dpzero.E2", "--script", "--proof"]) == 2
    assert "script: a script is printed alone" in capsys.readouterr().err
    assert len(SUBSTITUTED) + len(PRIVACY) + sum(one.examine in OTHERS for one in REFUTED.values()) == 117


def test_the_script_of_lemma_2_2_prints_the_delta_of_the_check(tmp_path):
    claim = REFUTED["dpzero.lemma_2_2.any_epsilon"]
    witness = claim.examine(**claim.arguments_of(False)).witness
    claimed, spent, private = (line.split()[-1] for line in run(scripts.claim_script(claim), tmp_path).splitlines())
    assert float(claimed) == pytest.approx(witness["delta"], rel=1e-5)
    assert float(spent) == pytest.approx(witness["delta attained"], rel=1e-9)
    assert private == "False"
