"""Every command that takes a spectrum takes the same ones: by name, power:P, and from a file."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

import theory_lab as lab
from synthetic.objectives.sums import spectrum_values
from synthetic.spectra import spectrum_exponent
from theory_lab.cli import build_parser, main
from theory_lab.spectra import expand_spectrum, parse_names, parse_spectrum

RUN = ["--alpha", "0.1", "--T", "3", "--C", "1", "--sigma", "0.1"]
PROBLEM = ["--n", "10000", "--epsilon", "2", "--delta", "1e-6", "--L", "1", "--ell", "1", "--gap", "1", "--T-max", "4"]
CALLS = {
    "simulate": ["simulate", "dpzero", "--n", "50", *RUN],
    "simulate matrices": ["simulate", "dp_sgd", "--n", "50", *RUN],
    "predict": ["predict", "dpzero", "--n", "50", *RUN],
    "recommend": ["recommend", "dpzero", *PROBLEM],
    "estimate": ["estimate", "--objective", "pseudo_huber", "--n", "50", "--samples", "50", "--places", "2"],
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "spectrum.txt"
    path.write_text("# of a Hessian\n1\n0.5 3\n0.1, 2  # the rest\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("given", ["flat", "inverse_sqrt", "power:1.2", "file"])
def test_every_command_takes_every_spectrum(name, given, file, capsys):
    d = "4" if "matrices" in name else "6"
    if "matrices" in name and given == "file":
        file.write_text("1\n0.5\n", encoding="utf-8")
    assert main([*CALLS[name], "--d", d, "--spectrum", str(file) if given == "file" else given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_a_spectrum_of_a_command_is_the_one_of_python(file, capsys):
    for given, values in ((str(file), [1, 0.5, 0.5, 0.5, 0.1, 0.1]), ("power:1.2", 1 / np.arange(1, 7) ** 1.2)):
        assert main(["simulate", "dpzero", "--n", "50", "--d", "6", *RUN, "--spectrum", given, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)["replicates"][0]
        run = lab.simulate("dpzero", lab.quadratic(np.array(values), 6, 50, 0), alpha=0.1, T=3, C=1.0, sigma=0.1)
        assert told["loss_end"] == pytest.approx(run.loss[0, -1], rel=1e-12)


def test_names_stand_for_their_powers():
    for name, power in (("flat", 0.0), ("inverse_sqrt", 0.5), ("inverse", 1.0)):
        np.testing.assert_allclose(spectrum_values(name, 50), spectrum_values(f"power:{power}", 50), rtol=1e-15)
    np.testing.assert_allclose(spectrum_values("power:2", 4), [1, 1 / 4, 1 / 9, 1 / 16])
    with pytest.raises(ValueError, match=r"spectrum = 'power:9': one of flat, inverse_sqrt, inverse, power:P with P from 0 to 8"):
        spectrum_values("power:9", 4)
    for wrong in (None, 1.0, Path("flat"), ["flat"]):
        with pytest.raises(ValueError, match="spectrum = "):
            spectrum_exponent(wrong)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("wrong", ["steep", "power:9", "power:", "power:x", "/no/such/file"])
def test_what_is_no_spectrum_is_a_sentence(name, wrong, capsys):
    with pytest.raises(SystemExit) as end:
        main([*CALLS[name], "--d", "6", "--spectrum", wrong])
    assert end.value.code == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert f"argument --spectrum: '{wrong}'" in said
    assert "or the name of a file is needed" in said


def test_a_line_of_a_file_that_is_no_eigenvalue_is_named(file, capsys):
    file.write_text("1\nx y z\n", encoding="utf-8")
    with pytest.raises(argparse.ArgumentTypeError, match=r"line 2: 'x y z': a value, or a value and its multiplicity, is needed"):
        parse_spectrum(str(file))
    for wrong in (2.5, 0.0, -1.0):
        with pytest.raises(ValueError, match="multiplicities that are whole numbers of at least 1 are needed"):
            expand_spectrum([(1.0, wrong)])
    np.testing.assert_array_equal(expand_spectrum([(3.0, 1.0), (0.5, 2.0)]), [3.0, 0.5, 0.5])


def test_a_sweep_and_a_figure_take_powers(tmp_path, capsys):
    text = 'method = "dp_gd"\nspectrum = ["flat", "power:1.2"]\nd = 4\nn = 30\nalpha = 0.1\nT = 3\nC = 1.0\nsigma = 0.1\nseed = [0, 1]\n'
    (tmp_path / "s.toml").write_text(text, encoding="utf-8")
    where = ["--out", str(tmp_path), "--store", str(tmp_path / "s.sqlite"), "--workers", "1", "--json"]
    assert main(["sweep", str(tmp_path / "s.toml"), *where]) == 0
    assert [row["spectrum"] for row in json.loads(capsys.readouterr().out)["rows"]] == ["flat", "power:1.2"]
    assert parse_names("flat,power:1.2") == ("flat", "power:1.2")
    where[where.index("--store") + 1] = str(tmp_path / "f.sqlite")
    small = ["--dimensions", "5,8", "--horizons", "4", "--n", "60"]
    assert main(["figure", "dpzero-1", "--spectra", "power:1.2", *small, *where]) == 0
    assert {row["spectrum"] for row in json.loads(capsys.readouterr().out)["dpzero-1"]["rows"]} == {"power:1.2"}


def test_all_options_of_spectra_are_alike():
    """One kind of value for every command: none lists its own."""
    found = []

    def look(one):
        for action in one._actions:
            if isinstance(action, argparse._SubParsersAction):
                for leaf in action.choices.values():
                    look(leaf)
            elif "--spectrum" in action.option_strings:
                found.append(action)

    look(build_parser())
    assert len(found) > 10
    assert {action.type for action in found} == {parse_spectrum}
    assert {action.choices for action in found} == {None}
