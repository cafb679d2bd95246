"""`calibrate`: the noise multiplier, beside another library's accountant and the curve of the Gaussian mechanism."""

import json
import math

import pytest
from dp_accounting import dp_event
from dp_accounting.pld import pld_privacy_accountant
from dp_accounting.privacy_accountant import NeighboringRelation

import theory_lab as lab
from bounds.privacy.release import Release
from theory_lab.cli import main

PROBLEM = {"n": 50_000, "batch_size": 500, "epsilon": 3.0, "delta": 1e-5}
WORDS = ["calibrate", "--n", "50000", "--batch-size", "500", "--epsilon", "3", "--delta", "1e-5"]


def test_the_multiplier_spends_the_epsilon_that_was_asked_for_by_another_library():
    found = lab.calibrate(**PROBLEM, epochs=10)
    assert (found.T, found.q) == (1_000, 0.01)
    accountant = pld_privacy_accountant.PLDAccountant(NeighboringRelation.ADD_OR_REMOVE_ONE)
    step = dp_event.PoissonSampledDpEvent(found.q, dp_event.GaussianDpEvent(found.noise_multiplier))
    accountant.compose(dp_event.SelfComposedDpEvent(step, found.T))
    assert 2.98 < accountant.get_epsilon(1e-5) < 3.01


def test_every_row_is_private_and_hardly_more_than_that():
    for row in lab.calibrate(**PROBLEM, T=100).rows():
        moved = 1 if (row["neighbours"], row["sampling"]) == ("add_or_remove_one", "poisson") else 2
        release = Release(row["neighbours"], row["sampling"], 0.01, 500, 1.0, moved / 500, 100)
        for multiplier, private in ((row["noise_multiplier"], True), (row["noise_multiplier"] * 0.998, False)):
            spent = Release(**{**vars(release), "sigma": multiplier / 500}).delta(3.0)
            assert (spent <= 1e-5) == private, row
        assert row["sigma_over_C"] == row["noise_multiplier"] / 500


def test_the_first_row_is_what_other_libraries_assume():
    found, in_epochs = lab.calibrate(**PROBLEM, T=1_000), lab.calibrate(**PROBLEM, epochs=10)
    assert (found.rows()[0]["sampling"], found.rows()[0]["neighbours"]) == ("poisson", "add_or_remove_one")
    assert len(found.rows()) == 4
    assert in_epochs.rows()[:4] == found.rows()
    multipliers = [row["noise_multiplier"] for row in in_epochs.rows()]
    assert multipliers == sorted(multipliers)


def test_shuffled_batches_are_a_gaussian_release_of_every_epoch():
    """A record is in one batch of each epoch, which it moves by 2C/B."""
    found = lab.calibrate(**PROBLEM, epochs=10, sampling="shuffled")
    (row,) = found.rows()
    sigma = lab.privacy.sigma_gaussian(epsilon=3.0, delta=1e-5, T=10, sensitivity=2.0)
    assert row["noise_multiplier"] == math.ceil(sigma * 1e4) / 1e4
    assert (row["neighbours"], row["steps"], row["rate"]) == ("replace_one", 1_000, 0.01)
    assert row == lab.calibrate(**PROBLEM, epochs=10).rows()[-1]
    assert "Secret" not in " ".join(found.said)
    assert "one replaced record" in found.said[0]


def test_all_records_in_every_step_are_the_gaussian_mechanism():
    added, replaced = lab.calibrate(n=500, epochs=7, epsilon=2.0, delta=1e-6).rows()
    assert (added["steps"], added["sampling"]) == (7, "full")
    sigma = lab.privacy.sigma_gaussian(epsilon=2.0, delta=1e-6, T=7, sensitivity=1.0)
    assert added["noise_multiplier"] == math.ceil(sigma * 1e4) / 1e4
    assert replaced["noise_multiplier"] == math.ceil(2 * sigma * 1e4) / 1e4


def test_what_is_promised_is_said_in_sentences():
    said = " ".join(lab.calibrate(**PROBLEM, epochs=10).said)
    for part in (
        "Set the noise multiplier to 0.8136 and train for 1,000 steps with Poisson sampling at rate 0.01",
        "(3, 1e-05)-differential privacy for data sets that differ by one record more or less",
        "Covered: every noisy gradient, and so every checkpoint and the final model",
        "Not covered: losses, accuracies and batch sizes that the training shows",
        "Secret: which records are in a batch and how many they are",
        "The promise is for one record",
        "their sum is divided by 500",
        "n, batch size, C and the number of steps are public constants",
        "A loader that shuffles draws other batches: then take the row shuffled",
        "upper bounds",
        "not well below 1/n",
    ):
        assert part in said
    fixed = lab.calibrate(**PROBLEM, epochs=10, sampling="without_replacement", neighbours="replace_one")
    assert "with batches of 500 records of fixed size" in fixed.said[0]
    assert "one replaced record" in fixed.said[0]
    assert "shuffles" not in " ".join(fixed.said)
    assert len(fixed.rows()) == 1
    full = " ".join(lab.calibrate(n=500, epochs=7, epsilon=2.0, delta=1e-6).said)
    assert "with all records in every step" in full
    assert "Secret" not in full


def test_parts_of_an_epoch_are_whole_steps():
    assert lab.calibrate(n=1_000, batch_size=300, epochs=1, epsilon=2.0, delta=1e-6).T == 4
    assert lab.calibrate(n=1_000, batch_size=300, epochs=0.5, epsilon=2.0, delta=1e-6).T == 2


def test_the_command_prints_what_the_call_returns(capsys):
    assert main([*WORDS, "--epochs", "10", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(lab.calibrate(**PROBLEM, epochs=10).json())
    assert main([*WORDS, "--T", "10", "--sampling", "poisson"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Set the noise multiplier to ")
    assert out.count("poisson") == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ([], "epochs, T: exactly one of the two is needed, epochs (passes over the data) or T (steps)"),
        (["--epochs", "1", "--T", "2"], "epochs, T: exactly one of the two is needed"),
        (["--epochs", "0"], "epochs = 0.0"),
        (["--T", "0"], "T = 0"),
        (["--T", "1", "--batch-size", "60000"], "batch_size = 60000: at most n = 50000 is needed"),
        (["--T", "1", "--sampling", "full"], "sampling = 'full': poisson, without_replacement or shuffled is needed with batch_size = 500"),
        (["--T", "1", "--sampling", "shuffled"], "sampling = 'shuffled': give epochs, a whole number such as 10, and leave T out"),
        (["--epochs", "1.5", "--sampling", "shuffled"], "sampling = 'shuffled': give epochs, a whole number such as 10, and leave T out"),
        (
            ["--epochs", "2", "--sampling", "shuffled", "--neighbours", "add_or_remove_one"],
            "neighbours = 'add_or_remove_one': with sampling = 'shuffled', replace_one is needed",
        ),
        (["--T", "1", "--delta", "1"], "delta = 1.0"),
        (["--T", "1", "--epsilon", "-1"], "epsilon = -1.0"),
    ],
)
def test_a_wrong_call_is_one_sentence(more, said, capsys):
    assert main([*WORDS, *more]) == 2
    assert said in capsys.readouterr().err


def test_its_repr_and_its_table_for_notebooks_are_short():
    found = lab.calibrate(**PROBLEM, epochs=10, sampling="poisson", neighbours="add_or_remove_one")
    assert repr(found) == "Calibration(noise_multiplier=0.8136, T=1000, poisson, add_or_remove_one)"
    assert "<td>0.8136</td>" in found._repr_html_()


def test_it_is_a_table_for_a_paper():
    latex = lab.calibrate(**PROBLEM, epochs=10, sampling="poisson").latex()
    assert "0.8136" in latex
    assert r"\toprule" in latex


def test_the_multiplier_is_that_of_the_row_that_the_sentences_speak_of():
    """One epoch of nearly all records: shuffled batches need less noise than Poisson ones, for which it would be too little."""
    found = lab.calibrate(n=1_000, batch_size=900, epochs=1, epsilon=2.0, delta=1e-6, neighbours="replace_one")
    poisson, *_, shuffled = (row["noise_multiplier"] for row in found.rows())
    assert shuffled < poisson == found.noise_multiplier
    assert found.said[0].startswith(f"Set the noise multiplier to {poisson:.4f} and train for 2 steps with Poisson sampling")


def test_batches_of_fixed_size_are_secret_too():
    fixed = lab.calibrate(**PROBLEM, T=100, sampling="without_replacement", neighbours="replace_one")
    assert fixed.said[1].endswith(" Secret: which records are in a batch.")


def test_every_form_has_the_sentences_and_the_rounded_multiplier(capsys):
    found = lab.calibrate(**PROBLEM, epochs=10, sampling="poisson", neighbours="replace_one")
    as_json = json.loads(found.json())
    assert as_json["noise_multiplier"] == as_json["rows"][0]["noise_multiplier"] == found.noise_multiplier
    assert as_json["said"] == list(found.said)
    assert main([*WORDS, "--epochs", "10", "--sampling", "poisson", "--neighbours", "replace_one"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert all(one in printed for one in found.said)
    latex = " ".join(found.latex().split())
    for part in ("Secret: which records are in a batch and how many they are", "Not covered: losses, accuracies", "one replaced record"):
        assert part in latex
        assert part in found._repr_html_()


def test_shuffled_epochs_are_counted_so_that_no_further_epoch_begins():
    """Of n = 1,000 in batches of 300 an epoch has 3 steps, or 4 where the short batch is kept: 30 steps begin at most 10 epochs."""
    found = lab.calibrate(n=1_000, batch_size=300, epochs=10, epsilon=2.0, delta=1e-6, sampling="shuffled")
    assert found.rows()[0]["steps"] == 30
    assert "train for at most 10 epochs with batches of 300 records" in found.said[0]
    assert "steps" not in found.said[0]
    (poisson,) = lab.calibrate(
        n=1_000, batch_size=300, epochs=10, epsilon=2.0, delta=1e-6, sampling="poisson", neighbours="replace_one"
    ).rows()
    assert poisson["steps"] == 34
