"""What a file of `theory-lab sweep` cannot say: a sentence, with the line where it stands."""

import pytest

from tests.theory_lab.sweeps import ONE, in_this_process, run
from theory_lab.cli import main
from theory_lab.commands import sweep as sweeping


@pytest.fixture(autouse=True)
def here(monkeypatch):
    monkeypatch.setattr(sweeping, "open_workers", in_this_process)


WRONG = {
    "no method": ("d = 3", "one.toml: method is missing; method = "),
    "another": ('method = "dpzer"', "one.toml, line 1: method = 'dpzer': one of dpzero, "),
    "no option": ('method = "dpzero"\nrate = 3', "one.toml, line 2: rate: unknown key; the options of dpzero are C, T, alpha, "),
    "a word": ('method = "dpzero"\nd = "x"', "one.toml, line 2: d = 'x': a whole number is needed"),
    "a truth": ('method = "dpzero"\nd = true', "one.toml, line 2: d = True: a number or a word is needed"),
    "a choice": ('method = "dpzero"\n# d\nobjective = "ball"', "one.toml, line 3: objective = 'ball': one of quadratic, "),
    "twice": ('method = "dpzero"\nd = [3, 3]', "one.toml, line 2: d = [3, 3]: at least one value, and no value twice, is needed"),
    "none": ('method = "dpzero"\nd = []', "one.toml, line 2: d = []: at least one value"),
    "a list of lists": ('method = "dpzero"\nd = [[3]]', "one.toml, line 2: d = [[3]]: a number or word, or a list of them, is needed"),
    "missing": ('method = "dpzero"\nd = 3', "one.toml: n is missing; dpzero needs it: number of samples"),
    "a table": (ONE + "[plots]\n", "one.toml: [plots]: unknown table; one of with, privacy, plot is needed"),
    "a key of privacy": (ONE + "[privacy]\neps = 1", "one.toml, line 8: eps: unknown key; in [privacy] one of epsilon, delta, acc"),
    "half of privacy": (ONE + "[privacy]\nepsilon = 1", "one.toml: delta is missing in [privacy]"),
    "an accountant": (
        ONE + '[privacy]\nepsilon = 1\ndelta = 0.1\naccountant = "rdp"', "one.toml, line 10: accountant = 'rdp': one of exact, lemma"),
    "Lemma 2.2 where it is false": (
        ONE + '[privacy]\nepsilon = 100\ndelta = 0.1\naccountant = "lemma"',
        "one.toml: noise of dp_gd: epsilon = 100 is above 91.",
    ),
    "Lemma 2.2 and directions": (
        ONE.replace("dp_gd", "dp_zoo") + 'P = 3\n[privacy]\nepsilon = 1\ndelta = 0.1\naccountant = "lemma"',
        "one.toml: noise of dp_zoo: accountant = 'lemma': Lemma 2.2 is for full batches",
    ),
    "no noise": (ONE, "one.toml: sigma is missing; dp_gd needs it, or epsilon and delta in [privacy]"),
    "two noises": (ONE + "sigma = 1\n[privacy]\nepsilon = 1\ndelta = 0.1", "one.toml, line 7: sigma: [privacy] determines the noise"),
    "no threshold": (
        ONE.replace("C = 1.0\n", "") + "[privacy]\nepsilon = 1\ndelta = 0.1", "one.toml: noise of dp_gd: C is missing: the noise is"),
    "an impossible epsilon": (ONE + "[privacy]\nepsilon = -1\ndelta = 0.1", "one.toml: noise of dp_gd: epsilon = -1: "),
    "an axis that is none": (ONE + '[plot]\nx = "d"', "line 8: x = 'd': a key with several values is needed, and no key"),
    "a column that is none": (ONE + 'sigma = 0.1\n[plot]\ny = "loss"', "one.toml, line 9: y = 'loss': one of clipped, finite_steps, "),
    "a name": (ONE + 'name = "../x"', "one.toml, line 7: name = '../x': only letters, digits, - and _ are allowed"),
    "no TOML": ("method = [", "one.toml: it is not valid TOML: "),
    "a word for x": (ONE.replace('"dp_gd"', '["dp_gd", "dp_zoo"]') + '[plot]\nx = "method"', "x = 'method': its values are not numbers"),
    "no privacy": (
        ONE.replace("dp_gd", "dp_grape_blocks") + 'r = 1\nnoise = "shared"\n[privacy]\nepsilon = 1\ndelta = 0.1',
        "noise = 'shared': it releases a difference of blocks without noise"),
    "a run": (
        ONE + "sigma = 0.1\n[with]\nr = 3", "one.toml: [with] r=...: neither dp_gd nor quadratic takes r; dp_gd takes sampling"),
    "a negative number": (ONE.replace("T = 2", "T = -2") + "sigma = 0.1", "one.toml: T = -2: an integer of at least 1 is needed"),
    "no number": (ONE.replace("0.1", '"x"'), "one.toml, line 4: alpha = 'x': a number is needed"),
    "a huge number": (ONE.replace("n = 9", f"n = {10**400}") + "sigma = 0.1", "one.toml: "),
    "a number without end": (f"d = {'1' * 5000}", "one.toml: it is not valid TOML: Exceeds the limit"),
    "brackets without end": (f"d = {'[' * 5000}", "one.toml: it is not valid TOML: "),
    "one seed twice": (ONE + 'seed = [1, "1"]', "one.toml, line 7: seed = [1, '1']: no seed twice is allowed"),
    "one seed in two ways": (ONE + "seed = [1, 1.0]", "one.toml, line 7: seed = [1, 1.0]: at least one value, and no value twice"),
    "half a seed": (ONE + "seed = 0.5", "one.toml, line 7: seed = 0.5: a whole number is needed"),
    "no table": (ONE + "privacy = 3", "one.toml, line 7: privacy = 3: a table is needed, [privacy] with"),
    "several tables": ("[[plot]]\n" + ONE, "one.toml, line 1: plot = [{"),
    "in two tables": (ONE + "epsilon = 1\n[privacy]\nepsilon = 1\ndelta = 0.1", "line 9: epsilon: it is in [privacy] and elsewhere"),
    "a table in a line": (ONE + "privacy = { epsilon = 1, delta = 0.1, accountant = 3 }", "one.toml, line 7: accountant = 3: one of"),
    "a dotted key": (ONE + "privacy.epsilon = 1\nprivacy.delta = 0.1\nprivacy.accountant = 3", "line 9: accountant = 3: one of"),
    "after lines of a list": ('method = [\n  "dp_gd",\n]\nseed = [\n  1,\n]\nd = "x"', "one.toml, line 7: d = 'x'"),
    "after lists in a list": ("plot = { by = [\n  ['d'],\n] }\n" + ONE.replace("3", '"x"'), "one.toml, line 5: d = 'x'"),
    "not in a text": ('name = """\nd = 3\n"""\n' + ONE.replace("3", '"x"'), "one.toml, line 5: d = 'x'"),
    "a long name": (ONE + f'sigma = 0.1\nname = "{"a" * 101}"', "one.toml, line 8: name = 'aaa"),
    "nothing in common": (
        'method = ["dp_gd", "gauss_psgd"]\nd = 3\nn = 1e6\nT = 2\nC = 1\nalpha = 0.1\n[privacy]\nepsilon = 1\ndelta = 1e-6',
        "one.toml: its methods have no result in common; use one file per method"),
    "a plan and noise": (
        ONE.replace("dp_gd", "dpzero") + 'sigma = 1e-9\nplan = "sharp"\n[privacy]\nepsilon = 1\ndelta = 0.1', "line 7: sigma: [privacy] "),
    "a plan and an accountant": (
        ONE.replace("dp_gd", "dpzero") + 'plan = "sharp"\n[privacy]\nepsilon = 1\ndelta = 0.1\naccountant = "exact"',
        "line 11: accountant = 'exact': the plan determines the noise itself; leave accountant out"),
    "an accountant of no use": (
        'method = "gauss_psgd"\nd = 3\nn = 10\n[privacy]\nepsilon = 1\ndelta = 0.1\naccountant = "lemma"',
        "gauss_psgd determines the noise itself"),
    "no number for epsilon": ('method = "gauss_psgd"\nd = 3\nn = 10\n[privacy]\nepsilon = "x"\ndelta = 0.1', "epsilon = 'x': a num"),
    "too few names": (
        ONE.replace("d = 3", "d = [3, 4]").replace("T = 2", "T = [2, 3]") + 'sigma = 0.1\n[plot]\nx = "d"\nby = "method"',
        "one.toml, line 10: by = 'method': a key with several values is needed, one of d, T"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_file_is_a_sentence_with_its_line(name, tmp_path, capsys):
    text, said = WRONG[name]
    assert run(text, tmp_path) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("theory-lab: ")
    assert said in last
    assert last.count(str(tmp_path)) <= 1


def test_what_cannot_be_read_and_what_cannot_be_given(tmp_path, capsys):
    assert main(["sweep", str(tmp_path / "none.toml")]) == 2
    assert "none.toml': it cannot be read (No such file or directory)" in capsys.readouterr().err
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    assert main(["sweep", str(tmp_path / "latin.toml")]) == 2
    assert "latin.toml': it cannot be read (" in capsys.readouterr().err


def test_a_delta_that_is_not_well_below_one_over_n_is_told(tmp_path, capsys):
    """Of n = 9 and 90 at delta = 1e-3: ten times below 1/n is 0.011 and 0.0011; at 1e-2 neither."""
    text = ONE.replace("n = 9", "n = [9, 90]") + "[privacy]\nepsilon = 1\ndelta = {}"
    for delta, told in (("1e-3", 0), ("1e-2", 1), ("0.1", 2)):
        assert run(text.format(delta), tmp_path) == 0
        out = capsys.readouterr().out
        assert sum(line.startswith("- With delta = ") for line in out.splitlines()) == told, out
    text = 'method = "gauss_psgd"\nd = 3\nn = 1e6\nreplicates = 2\n{}epsilon = 1\ndelta = 1e-3\n'
    for table in ("", "[privacy]\n"):  # of a method that takes delta itself it may stand above the tables
        assert run(text.format(table), tmp_path) == 0
        assert "- With delta = 0.001, not well below 1/n = 1e-06" in capsys.readouterr().out
