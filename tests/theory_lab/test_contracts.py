"""The contracts from the front door: `check_method`, `check_objective`, the command, and the decorator for pytest."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from numba import njit

import theory_lab as lab
from synthetic import kernels
from synthetic.contracts.check import CONTRACTS
from synthetic.draws import NOISE
from synthetic.methods.record import Draw, Kernel, vector
from theory_lab.cli import main
from theory_lab.contracts import method_contracts
from theory_lab.methods import METHODS, sums
from theory_lab.methods.record import SADDLE, SUM

WRONG_STREAM = Kernel("mine", kernels.dp_gd, draws=(Draw("z", NOISE + 5, vector),))
MINE = sums.record("mine", paper="own", words="noise of a stream that is not NOISE", kernel=WRONG_STREAM)
OF_NOISE = {"no_noise", "noise", "noise_size", "sensitivity", "clipping"}
NEEDED = {  # arguments that have no default
    "linear_slopes": ("slopes=equal",), "low_rank": ("rank=2",), "perceptron": ("hidden=2", "d=10"), "factorisation": ("m=2", "rank=1"),
    "matrix_factorisation": ("rank=2",), "sparse_quadratic": ("support=2",),
}  # fmt: skip
SMALL = lab.cosine("inverse", d=3, n=10, seed=0)


@njit(nogil=True, error_model="numpy")
def twice_the_gradient(x, row, params, out):
    for j in range(out.size):
        out[j] = 2 * params[0][j] * np.sin(x[j] - row[j])


@njit(nogil=True, error_model="numpy")
def sum_of_losses(x, data, params, out):
    total = 0.0
    out[:] = 0.0
    for i in range(len(data)):
        for j in range(x.size):
            total += params[0][j] * (1 - np.cos(x[j] - data[i, j]))
            out[j] += params[0][j] * np.sin(x[j] - data[i, j])
    return total


def test_a_method_is_given_by_its_name_its_record_or_its_kernel():
    by_name = lab.check_method("dp_gd", alpha=0.2)
    assert by_name.title == "dp_gd: 19 contracts, 19 passed"
    assert [one.contract for one in by_name] == list(CONTRACTS)
    assert [one.outcome for one in lab.check_method(METHODS["dp_gd"].runner)] == ["passed"] * 19
    assert not by_name.failed
    assert "sensitivity" in by_name._repr_html_()
    found = lab.check_method(MINE)
    assert {one.contract for one in found.failed} == OF_NOISE
    assert "none of its draws has the stream NOISE" in repr(found)


@pytest.mark.parametrize(
    ("method", "given", "said"),
    [
        ("dp_gb", {}, "^method = 'dp_gb': "),
        ("dp_gd", {"beta": 1.0}, "^beta = 1.0: no such argument"),
        ("dp_gd", {"exceptions": {"noise": ""}}, "a sentence is needed"),
        ("dp_gd", {"exceptions": ["noise"]}, "^exceptions = .*: a dictionary is needed"),
        (3, {}, "^method = 3"),
    ],
)
def test_wrong_arguments_of_check_method(method, given, said):
    with pytest.raises(ValueError, match=said):
        lab.check_method(method, **given)


def test_a_method_without_kernel_has_no_contracts():
    with pytest.raises(ValueError, match=r"^method = 'mine': its record has no kernel"):
        lab.check_method(replace(MINE, kernel=None))


def test_a_test_of_every_contract():
    """contract() does nothing where a contract holds, raises where it fails, and skips where it does not apply."""
    mark = method_contracts(MINE, exceptions={"steps": "it never ends"})
    assert (mark.args[0], mark.kwargs["ids"]) == ("contract", list(CONTRACTS))
    by_name = dict(zip(mark.kwargs["ids"], mark.args[1], strict=True))
    by_name["recorded"]()
    with pytest.raises(AssertionError, match=r"^noise: mine takes sigma, but none of its draws has the stream NOISE"):
        by_name["noise"]()
    with pytest.raises(pytest.skip.Exception, match="declared: it never ends"):
        by_name["steps"]()


@method_contracts("dp_gd", sigma=0.1)
def test_contract(contract):
    contract()


def test_the_constants_and_functions_of_an_objective():
    found = lab.check_objective(SMALL, exceptions={"B": "it is not used"})
    assert [one.contract for one in found] == ["gradient", "mean", "L", "ell", "r", "gap", "B", "mu"]
    assert {one.outcome for one in found if one.contract != "B"} == {"passed"}
    assert found[6].outcome == "does not apply"


@pytest.mark.parametrize(("name", "value"), [("L", 0.5), ("ell", 0.5), ("r", 1.0), ("gap", 0.1), ("B", 0.5), ("mu", 1.0)])
def test_a_constant_that_is_too_good_is_contradicted_at_a_point(name, value):
    found = lab.check_objective(replace(SMALL, constants={**SMALL.constants, name: value})).failed
    assert name in [one.contract for one in found] or (name == "ell" and "r" in [one.contract for one in found])
    one = next(one for one in found if one.contract == name)
    assert len(one.where["near"]) == 3


def test_a_constant_that_is_infinite_contradicts_nothing():
    found = lab.check_objective(replace(SMALL, constants={"L": math.inf}))
    assert [(one.contract, one.outcome) for one in found][2:] == [("L", "does not apply")]


def test_functions_that_do_not_fit_are_noticed():
    wrong = lab.check_objective(replace(SMALL, gradient=twice_the_gradient, constants={}))
    assert [one.contract for one in wrong.failed] == ["gradient", "mean"]
    assert "differences of its loss give" in wrong.failed[0].reason
    wrong = lab.check_objective(replace(SMALL, value_gradient=sum_of_losses, constants={}))
    assert [one.contract for one in wrong.failed] == ["mean"]


def test_no_objective():
    with pytest.raises(ValueError, match=r"^objective = 3: an objective is needed"):
        lab.check_objective(3)


@pytest.mark.verify
@pytest.mark.parametrize("name", [*SUM.table, *SADDLE.table])
def test_the_objectives_of_the_lab_pass(name, capsys):
    more = [word for pair in NEEDED.get(name, ()) for word in ("--with", pair)]
    assert main(["check-method", name, *more]) == 0, capsys.readouterr()


def test_the_command_prints_a_table_and_what_failed(capsys, tmp_path):
    assert main(["check-method", "dp_gd", "--with", "alpha=0.3", "--except", "x_units=none is needed"]) == 0
    said = capsys.readouterr().out
    assert "dp_gd: 19 contracts, 18 passed, 1 does not apply" in said
    assert "- Not applied: x_units. Reason: declared: none is needed." in said
    own = tmp_path / "own.py"
    own.write_text("from tests.theory_lab.test_contracts import MINE as METHOD\n", encoding="utf-8")
    assert main(["check-method", "mine", "--json", "--module", str(own)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["name"] == "mine"
    assert {one["contract"] for one in told["contracts"] if one["outcome"] == "failed"} == OF_NOISE
    assert main(["check-method", "mine", f"--module={own}"]) == 1
    assert "- noise failed: mine takes sigma, but none of its draws has the stream NOISE" in capsys.readouterr().out


def test_the_command_checks_an_objective(capsys):
    assert main(["check-method", "cosine", "--with", "d=3", "--with", "n=10", "--json"]) == 0
    assert [one["outcome"] for one in json.loads(capsys.readouterr().out)["contracts"]] == ["passed"] * 8


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--except", "noise"], "--except noise: NAME=VALUE is needed"),
        (["--with", "alpha"], "--with alpha: NAME=VALUE is needed"),
        (["--except", "nothing=x"], "exceptions = 'nothing': one of"),
        (["--with", "batch_size=3"], "batch_size = 3: contracts choose their batches themselves; leave it out"),
    ],
)
def test_wrong_options_are_one_sentence(words, said, capsys):
    assert main(["check-method", "dp_gd", *words]) == 2
    assert said in capsys.readouterr().err
