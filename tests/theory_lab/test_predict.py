"""`lab.predict` and the command `predict`: what is handed over, what comes back, and that data say the same."""

import csv
import json
import math
from io import StringIO

import numpy as np
import pytest

import theory_lab as lab
from synthetic.distribution import quadratic as in_law
from synthetic.estimate import clustered_mean
from synthetic.grids.settings import Settings
from synthetic.groups import group_eigenvalues
from tests.calls import exit_status, print_lightly
from tests.papers.dpzero.commands import PREDICT, PREDICT_START, PREDICTED
from tests.theory_lab.test_options import asked, written
from theory_lab.cli import main
from theory_lab.commands.predict import read_spectrum
from theory_lab.methods import METHODS

SMALL = {"spectrum": "inverse", "d": 40, "n": 30, "alpha": 0.1, "T": 5}
NOISE = {"C": 1.0, "sigma": 0.1}
MEASURES = ("grad_norm_train", "grad_norm_test", "loss_train", "loss_test")


def refused(argv, capsys):
    """Return the one line that a wrong command gets, with status 2."""
    code = exit_status([str(word) for word in argv])
    out = capsys.readouterr()
    assert (code, out.out, out.err.count("\n")) == (2, "", 1)
    assert out.err.startswith("theory-lab: ")
    return out.err


def test_the_records_name_the_methods_whose_law_is_known():
    assert {name for name, one in METHODS.items() if one.law} == set(in_law.METHODS)


# --- the call ---------------------------------------------------------------------------------------------------------------------------
def test_the_numbers_are_those_of_the_engine():
    for method in in_law.METHODS:
        noise = {} if method == "mezo" else NOISE
        how = {} if method == "dp_gd" else {"direction": "gaussian"}
        found = lab.predict(method, **SMALL, **noise, **how, distance=2.0, replicates=3, seed=4, times=[4, 2])
        settings = Settings(np.array([0.1]), np.array([5]), np.array([1.0]), np.array([0.1]))
        of = in_law.Conditions(group_eigenvalues("inverse", 40), 30, distance=2.0, seed=4, replicates=3, **how)
        expected = in_law.measures_at_steps([method], settings, of, np.array([0, 2, 4, 5]))[method][:, :, 0]
        assert found.times.tolist() == [0, 2, 4, 5]
        np.testing.assert_array_equal(found.values, expected)
        for k, name in enumerate(MEASURES):
            np.testing.assert_array_equal(getattr(found, name), expected[k])
            assert found.final[name] == clustered_mean(expected[k, :, -1:])
            assert found.start[name] == clustered_mean(expected[k, :, :1]).value
        assert found.settings.get("sigma") == noise.get("sigma")


@pytest.mark.parametrize("accountant", ["lemma", "exact"])
def test_the_noise_is_that_of_the_grid(accountant):
    budget = {"epsilon": 2.0, "delta": 1e-6, "accountant": accountant}
    found = lab.predict("dpzero", **SMALL, C=3.0, **budget, replicates=2)
    train = lab.quadratic("inverse", d=4, n=30, seed=0)
    grid = lab.grid("dpzero", train, alphas=[0.1], horizons=[5], clips=[3.0], **budget)
    assert found.settings["sigma"] == grid.sigma[0, 0]
    assert {name: found.settings[name] for name in budget} == budget
    if accountant == "lemma":
        assert lab.predict("dpzero", **SMALL, C=3.0, epsilon=2.0, delta=1e-6, replicates=2).settings == found.settings


@pytest.mark.parametrize("method", ["dpzero", "dpgd_0th", "dp_gd"])
def test_runs_on_data_have_the_same_means(method):
    """24 data sets against 64 predicted runs: the means differ by less than five standard errors, measure by measure."""
    setting = {"alpha": 0.2, "T": 60, "C": 1.0, "epsilon": 2.0, "delta": 1e-3}
    found = lab.predict(method, spectrum="inverse", d=12, n=200, **setting, replicates=64)
    ends = []
    axes = {"alphas": [0.2], "horizons": [60], "clips": [1.0], "epsilon": 2.0, "delta": 1e-3}
    for seed in range(24):
        train, test = (lab.quadratic("inverse", d=12, n=200, seed=one) for one in (seed, 1000 + seed))
        grid = lab.grid(method, train, **axes, test=test, seed=seed)
        ends.append([getattr(grid, name).item() for name in MEASURES])
    for name, on_data in zip(MEASURES, np.array(ends).T, strict=True):
        predicted = getattr(found, name)[:, -1]
        error = math.hypot(on_data.std(ddof=1) / len(on_data) ** 0.5, predicted.std(ddof=1) / len(predicted) ** 0.5)
        assert abs(on_data.mean() - predicted.mean()) < 5 * error, name
        assert found.final[name].value < found.start[name]


def test_any_dimension_takes_the_same_groups_of_steps():
    found = lab.predict("dpzero", spectrum="power:1.2", d=10**15, n=10**15, alpha=0.1, T=20, **NOISE, replicates=2)
    assert found.settings["d"] == 10**15
    assert len(found.groups.value) < 100
    assert np.all(np.isfinite(found.values))
    pairs = lab.predict("mezo", spectrum=[(1.0, 5), (0.0, 10**15 - 5)], n=100, alpha=0.1, T=20)
    few = lab.predict("mezo", spectrum=np.ones(5), n=100, alpha=0.1, T=20)
    assert pairs.groups.d == 1e15
    assert few.start["grad_norm_test"] == pytest.approx(pairs.start["grad_norm_test"], rel=0.2)
    assert lab.predict("dpgd_0th", spectrum=[1.0, 0.5], n=math.inf, alpha=0.1, T=3, **NOISE).settings["n"] == math.inf


def test_the_times_are_spread_from_the_start_to_the_end():
    times = lab.predict("mezo", **{**SMALL, "T": 5000}, replicates=1).times
    assert times[:4].tolist() == [0, 1, 2, 3]
    assert times[-1] == 5000
    assert 40 < len(times) < 64
    assert np.all(np.diff(times) > 0)
    assert lab.predict("mezo", **{**SMALL, "T": 1}, replicates=1).times.tolist() == [0, 1]


def test_threads_change_nothing_and_seeds_do():
    one, two, other = (lab.predict("dpzero", **SMALL, **NOISE, **how) for how in ({"threads": 1}, {"threads": 2}, {"seed": 1}))
    np.testing.assert_array_equal(one.values, two.values)
    assert not np.any(one.values == other.values)


def test_what_is_said_of_a_prediction():
    plain = lab.predict("mezo", spectrum=[1.0, 0.5], n=30, alpha=0.1, T=5)
    assert len(plain.remarks) == 1
    assert "no guarantee: means over 16 runs, simulated in distribution, with 95 % t-intervals" in plain.remarks[0]
    clipped = lab.predict("dpzero", **{**SMALL, "d": 10**6}, C=1.0, epsilon=200.0, delta=1e-5)
    told = " ".join(clipped.remarks)
    for words in ("to first order in 1/n", "1e+06 eigenvalues form ", "Epsilon = 200 is above 169.262: there the noise of Lemma 2.2 is"):
        assert words in told
    assert not [one for one in lab.predict("dpzero", **SMALL, C=1.0, epsilon=200.0, delta=1e-5, accountant="exact").remarks if "2.2" in one]
    loose = lab.predict("dpzero", **SMALL, C=1.0, epsilon=1.0, delta=0.01)
    assert any("not well below 1/n" in one and one.endswith(".") for one in loose.remarks)


def test_runs_that_diverge_have_no_mean_and_are_counted():
    found = lab.predict("dpzero", **{**SMALL, "alpha": 1e300}, **NOISE)
    assert "16 of 16 runs diverged to values that are not finite" in found.remarks[-1]
    told = json.loads(found.json())
    assert told["loss_test"] == {"start": found.start["loss_test"], "mean": None, "low": None, "high": None}
    large = lab.predict("mezo", **{**SMALL, "alpha": 1e20})  # squares of these losses are in no float
    assert large.final["loss_test"].value > 1e160
    assert math.isnan(large.final["loss_test"].high)
    alone = lab.predict("mezo", **SMALL, replicates=1).final["loss_test"]
    assert math.isfinite(alone.value)
    assert math.isnan(alone.low)


def test_a_prediction_is_shown_in_a_line_and_in_a_notebook_as_a_table():
    found = lab.predict("dp_gd", **SMALL, **NOISE)
    one = found.final["loss_test"]
    assert repr(found).startswith("Prediction(dp_gd on inverse, d = 40, n = 30, T = 5: grad_norm_test ")
    assert f"loss_test {found.start['loss_test']:.4g} to {one.value:.4g} ({one.low:.4g} to {one.high:.4g})" in repr(found)
    page = found._repr_html_()
    assert "<caption>dp_gd on inverse, d = 40, n = 30, T = 5</caption>" in page
    assert f"<td>{one.high:.5g}</td>" in page


@pytest.mark.parametrize(
    ("method", "changed", "sentence"),
    [
        ("gauss_psgd", {}, "method = 'gauss_psgd': one of dpzero, dpgd_0th, dp_gd, mezo"),
        ("mezo", {"C": 1.0}, "C = 1.0: mezo takes no C"), ("mezo", {"sigma": 1.0}, "sigma = 1.0: mezo takes no sigma"),
        ("mezo", {"epsilon": 1.0}, "epsilon = 1.0: mezo takes no epsilon"), ("mezo", {"accountant": "exact"}, "accountant = 'exact': mezo"),
        ("dp_gd", {"direction": "sphere", **NOISE}, "direction = 'sphere': dp_gd takes no direction"),
        ("dpzero", {"direction": "ball", **NOISE}, "direction = 'ball': one of sphere, gaussian"),
        ("dpzero", {"C": 1.0}, "epsilon is missing: dpzero needs epsilon"),
        ("dpzero", {"C": 1.0, "epsilon": 1.0}, "delta is missing: dpzero needs"), ("dpzero", {"sigma": 1.0}, "C is missing: dpzero needs"),
        ("dpzero", {**NOISE, "epsilon": 1.0}, "epsilon = 1.0: sigma is given"),
        ("dpzero", {**NOISE, "accountant": "exact"}, "accountant = 'exact': sigma is given"),
        ("dpzero", {"C": 1.0, "epsilon": 1.0, "delta": 0.1, "accountant": "rdp"}, "accountant = 'rdp': one of lemma, exact"),
        ("dpzero", {"C": 1.0, "epsilon": 1.0, "delta": 0.1, "n": math.inf}, "n = inf: with infinitely many"),
        ("dpzero", {**NOISE, "C": 0.0}, "C = 0.0: a finite number above 0"), ("dpzero", {**NOISE, "sigma": -1.0}, "sigma = -1.0: a finite"),
        ("mezo", {"n": 9}, "n = 9: a whole number of at least 10"), ("mezo", {"n": 30.5}, "n = 30.5: an integer"),
    ("mezo", {"n": 2 * 10**15}, "most 1e15"),
        ("mezo", {"d": 2 * 10**15}, "d = 2000000000000000: an integer of at most 1e15"), ("mezo", {"d": None}, "d is missing: spectrum"),
        ("mezo", {"spectrum": [1j]}, "spectrum: an array of numbers"), ("mezo", {"spectrum": ["1"]}, "spectrum: an array of numbers"),
        ("mezo", {"spectrum": "steep"}, "spectrum = 'steep': one of flat"), ("mezo", {"spectrum": [1.0]}, "d = 40: the spectrum has"),
        ("mezo", {"T": 2 * 10**9}, "T = 2000000000: an integer of at most 1e9"), ("mezo", {"T": 0}, "T = 0: an integer of at least 1"),
        ("mezo", {"alpha": 0.0}, "alpha = 0.0: a finite"), ("mezo", {"distance": -1.0}, "distance = -1.0"),
        ("mezo", {"times": [6]}, "times has the entry 6.0: integers from 0 to T = 5"), ("mezo", {"times": [0.5]}, "has the entry 0.5"),
        ("mezo", {"replicates": 0}, "replicates = 0: an integer"), ("mezo", {"seed": -1}, "seed = -1"), ("mezo", {"threads": 0}, "threads"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_a_sentence(method, changed, sentence):
    with pytest.raises(ValueError, match=r"^[^\n]*$") as found:
        lab.predict(method, **{**SMALL, **changed})
    assert sentence in str(found.value)


def test_a_word_that_is_no_argument_is_told():
    with pytest.raises(TypeError, match=r"^replicate = 4: no such argument; the nearest is replicates"):
        lab.predict("mezo", **SMALL, replicate=4)


# --- the command ------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", sorted(PREDICT.keys() - {"csv", "json"}))
def test_predict_hands_every_option_over(name, monkeypatch, tmp_path):
    (tmp_path / "eigenvalues.txt").write_text("1\n0.5  # small\n\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def keep(*given, **named):
        from tests.theory_lab.test_options import Called

        raise Called(*given, **named)

    monkeypatch.setattr(lab, "predict", keep, raising=False)
    for method, options in PREDICTED.items():
        if name not in options:
            continue
        start = {key: value for key, value in PREDICT_START.items() if key in options}
        call = asked(["predict", method, *written({**start, name: options[name]})])
        full = {key: None for key in options if key not in ("csv", "json", "spectrum_file")}
        full |= {"spectrum": "inverse", "distance": 1.0, "replicates": 16, "seed": 0} | start
        value = {"spectrum_file": [1.0, 0.5], "times": (2, 7)}.get(name, options[name])
        assert call.given == (METHODS[method],)
        assert call.named == full | {"spectrum" if name == "spectrum_file" else name: value}


def test_the_command_prints_what_the_call_returns(capsys):
    found = lab.predict("dpzero", **{**SMALL, "d": 10**12, "T": 40}, C=1.0, epsilon=2.0, delta=1e-6)
    at = {"d": "1e12", "n": 30, "alpha": 0.1, "T": "4e1", "C": 1, "epsilon": 2, "delta": 1e-6}
    argv = ["predict", "dpzero", *written(at)]
    assert main([*argv, "--json"]) == 0
    text = capsys.readouterr().out
    told = json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert text == found.json() + "\n"
    assert told["settings"]["d"] == 10**12
    for name in MEASURES:
        one = found.final[name]
        assert told[name] == {"mean": one.value, "low": one.low, "high": one.high, "start": found.start[name]}
        assert one.low < one.value < one.high
    assert [row["t"] for row in told["trajectory"]] == found.times.tolist()
    assert [told["trajectory"][-1][f"loss_test_{end}"] for end in ("low", "high")] == [told["loss_test"][end] for end in ("low", "high")]
    assert told["remarks"] == list(found.remarks)
    assert main([*argv, "--csv"]) == 0
    rows = list(csv.DictReader(StringIO(capsys.readouterr().out)))
    assert [{name: float(value) for name, value in row.items()} for row in rows] == found.rows()
    assert main(argv) == 0
    table = capsys.readouterr().out
    assert "dpzero on inverse, d = 1e+12, n = 30, T = 40" in table
    assert f"- sigma = {found.settings['sigma']:.6g}, by Lemma 2.2 of DPZero as printed; --accountant exact gives" in table
    assert f"{found.final['grad_norm_test'].high:.5g}" in table
    assert "no guarantee" in table
    lines = [line for line in table.splitlines() if line.startswith("│")]
    assert lines[-1].split("│")[1].strip() == "40"
    assert [line for line in lines if line.split("│")[1].strip() == "0"]
    assert len(lines) < 20


def test_a_prediction_at_a_trillion_dimensions():
    found = lab.predict("dpzero", spectrum="inverse", d=10**12, n=10_000, epsilon=2.0, delta=1e-6, alpha=1.4, T=5120, C=0.03)
    one, start = found.final["grad_norm_test"], found.start["grad_norm_test"]
    assert (len(found.groups.value), len(found.values[0])) == (66, 16)
    assert [f"{value:.4f}" for value in (start, one.value, one.low, one.high)] == ["1.2835", "0.0758", "0.0723", "0.0793"]


def test_a_file_gives_a_spectrum(tmp_path, capsys):
    file = tmp_path / "pairs.txt"
    file.write_text("# value multiplicity\n1, 5\n0.5\n0.25 1e3 # many\n", encoding="utf-8")
    assert read_spectrum(file) == [(1.0, 5.0), (0.5, 1.0), (0.25, 1000.0)]
    argv = ["predict", "mezo", "--n", "30", "--alpha", "0.1", "--T", "5"]
    assert main([*argv, "--spectrum-file", str(file), "--json"]) == 0
    found = lab.predict("mezo", spectrum=[(1.0, 5), (0.5, 1), (0.25, 1000)], n=30, alpha=0.1, T=5)
    assert capsys.readouterr().out == found.json() + "\n"
    assert "leave one of the two out" in refused([*argv, "--spectrum-file", file, "--spectrum", "flat"], capsys)
    assert "d = 7: the spectrum has 1006 eigenvalues; give d = 1006, or leave d out" in refused(
        [*argv, "--spectrum-file", file, "--d", "7"], capsys
    )
    for text, words in (("1\n1 2 3\n", "line 2: '1 2 3': a value, or"), ("x\n", "line 1: 'x': a value"), ("# none\n", "it has no line")):
        file.write_text(text, encoding="utf-8")
        assert words in refused([*argv, "--spectrum-file", file], capsys)
    file.write_bytes(b"1\n\xff\n")
    for path, words in ((file, "pairs.txt': it cannot be read as text"), (tmp_path / "missing.txt", "missing.txt': it cannot be read")):
        assert words in refused([*argv, "--spectrum-file", path], capsys)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--d", "1e12.5"], "argument --d: '1e12.5': a whole number is needed"), (["--d", "2e15"], "d = 2000000000000000: an integer"),
        ([], "d is missing: spectrum = 'inverse' needs the number"), (["--d", "5", "--alpha", "nan"], "alpha = nan: a finite"),
        (["--d", "5", "--spectrum", "power:9"], "'power:9': flat, inverse_sqrt"), (["--d", "5", "--C", "1"], "unrecognized arguments"),
        (["--d", "5", "--csv", "--json"], "not allowed with argument"), (["--d", "5", "--times", "x"], "'x': integers joined by commas"),
    ],
)  # fmt: skip
def test_a_wrong_command_is_one_line_and_status_2(more, said, capsys):
    assert said in refused(["predict", "mezo", "--n", "30", "--alpha", "0.1", "--T", "5", *more], capsys)


def test_the_help_of_a_method_imports_nothing_heavy():
    print_lightly("predict", "dpzero", "--help")
