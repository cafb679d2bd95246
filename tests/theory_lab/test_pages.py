"""Pages on the command line: a start of one's own, its check, how it is shown, and its mistakes."""

import json
import re
from pathlib import Path

import pytest

import theory_lab as lab
from bounds.pages.store import lab_pages as pages
from theory_lab.cli import main


def said(argv, capsys):
    """Return status, output and error of a command."""
    code = main(argv)
    out = capsys.readouterr()
    return code, out.out, out.err


def test_a_start_is_written_and_passes(tmp_path, monkeypatch, capsys):
    """The page that `new` writes is checked as it is: every step is certified, one line is cited."""
    monkeypatch.chdir(tmp_path)
    assert said(["new", "theorem", "started"], capsys) == (0, "wrote started.page; check it with: theory-lab check started.page\n", "")
    (verdict,) = lab.check(module="started.page", quick=True)
    assert verdict.claim.key == "my.started.proof"
    assert verdict.outcome.value == "CONSISTENT"
    assert verdict.as_expected
    assert "5 of 5 steps are certified by two computer algebra systems; cited: taylor" in verdict.finding.sentence
    assert "the assumptions hold together at the example of the page" in verdict.finding.sentence


def test_a_start_overwrites_nothing(tmp_path, monkeypatch, capsys):
    """Nor is it written under a name that is none, or to a file that is no page."""
    monkeypatch.chdir(tmp_path)
    code, out, _ = said(["new", "theorem", "one", "--json"], capsys)
    assert (code, json.loads(out)) == (0, {"key": "my.one", "file": "one.page"})
    (tmp_path / "one.page").write_text("mine", encoding="utf-8")
    for argv, sentence in (
        (["new", "theorem", "one"], "out = 'one.page': the file exists and is not overwritten; another name is needed"),
        (["new", "theorem", "2nd"], "name = '2nd': a letter, then letters, digits and _ are needed"),
        (["new", "theorem", "two", "--out", "two.txt"], "out = 'two.txt': a file that ends in .page is needed"),
        (["new", "theorem", "two", "--out", "no/two.page"], "out = 'no/two.page': it cannot be written"),
    ):
        code, _, error = said(argv, capsys)
        assert code == 2
        assert error.startswith(f"theory-lab: {sentence}")
    assert (tmp_path / "one.page").read_text(encoding="utf-8") == "mine"


def test_a_page_is_checked_and_shown_by_its_file(tmp_path, monkeypatch, capsys):
    """`check FILE.page` needs no --module, and `show FILE.page` no key."""
    monkeypatch.chdir(tmp_path)
    main(["new", "theorem", "filed"])
    capsys.readouterr()
    code, out, _ = said(["check", "filed.page", "--quick", "--workers", "1"], capsys)
    assert code == 0
    assert "1 claim: 1 CONSISTENT; none different from the recorded verdict" in out
    code, out, _ = said(["show", "filed.page"], capsys)
    assert code == 0
    assert out.startswith("my.filed   Gradient descent on a smooth function\n")
    code, out, _ = said(["show", "filed.page", "--page"], capsys)
    assert (code, out) == (0, (tmp_path / "filed.page").read_text(encoding="utf-8"))
    code, out, _ = said(["show", "filed.page", "--tree"], capsys)
    assert json.loads(out)["keys"] == [["my.filed", "Gradient descent on a smooth function"]]


def test_mistakes_of_a_page_are_shown_with_their_places(tmp_path, monkeypatch, capsys):
    """All at once, on lines of their own, with a caret."""
    monkeypatch.chdir(tmp_path)
    main(["new", "theorem", "wrong"])
    file = tmp_path / "wrong.page"
    text = file.read_text(encoding="utf-8").replace("2 ell gap/T\n", "2 ell/T gap\n").replace("T >= 2 ", "T >= 2.0 ")
    file.write_text(text, encoding="utf-8")
    capsys.readouterr()
    code, _, error = said(["check", "wrong.page"], capsys)
    assert code == 2
    lines = error.splitlines()
    assert lines[0] == "theory-lab: the page has 2 mistakes"
    assert [line.partition(": ")[2].split(",")[0].split(":")[0] for line in lines[1::3]] == ["a decimal point", "'gap' after a fraction"]
    for line, caret in zip(lines[2::3], lines[3::3], strict=True):
        assert line[len(caret) - 1] in ".g"


@pytest.mark.parametrize("key", ["dpzero.theorem3", "dpzero.corollary_f3", "gauss_psgd.symbols"])
def test_a_page_of_the_lab_is_shown_as_it_is_written(key, capsys):
    """Text and tree; a key that has no page is answered with the nearest."""
    code, out, _ = said(["show", key, "--page"], capsys)
    assert (code, out.rstrip()) == (0, pages().texts[pages().files[key]].rstrip())
    code, out, _ = said(["show", key, "--tree"], capsys)
    assert json.loads(out) == pages().page(key).read.tree
    code, _, error = said(["show", key + "x", "--page"], capsys)
    assert code == 2
    assert f"the nearest name{'s are' if 'names' in error else ' is'} {key}" in error


def test_a_page_of_ones_own_takes_no_key_of_the_lab(tmp_path, monkeypatch, capsys):
    """Neither that of a page nor, in two files, one key twice."""
    monkeypatch.chdir(tmp_path)
    main(["new", "theorem", "taken"])
    file = tmp_path / "taken.page"
    file.write_text(file.read_text(encoding="utf-8").replace("my.taken", "dpzero.theorem3"), encoding="utf-8")
    capsys.readouterr()
    code, _, error = said(["check", "taken.page"], capsys)
    assert code == 2
    assert "key = 'dpzero.theorem3': a page of the lab has it (theory-lab show dpzero.theorem3 --page prints it)" in error


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("none.page", "theory-page 1\n\nfoo bar\n", "none.page:3:1: 'foo' stands here: the first section"),
        (
            "claims.page",
            "theory-page 1\n\nclaims mine.one -- of a paper\n",
            "a page of claims or errata, which only papers of the lab have",
        ),
        ("errata.page", "theory-page 1\n\nerrata mine -- of a paper\n", "a page of claims or errata, which only papers of the lab have"),
    ],
)
def test_a_page_that_states_nothing_is_told_so(name, text, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_text(text, encoding="utf-8")
    for command in ("check", "show"):
        code, _, error = said([command, name], capsys)
        assert code == 2
        assert words in error


def test_what_a_page_prescribes_is_recommended(tmp_path, monkeypatch, capsys):
    """With the bound at the whole numbers beside a T that is none, where there is a bound for any schedule."""
    monkeypatch.chdir(tmp_path)
    main(["new", "theorem", "mine"])
    text = Path("mine.page").read_text(encoding="utf-8")
    capsys.readouterr()
    code, out, _ = said(["recommend", "mine.page", "--ell", "2", "--gap", "1", "--T", "100"], capsys)
    assert code == 0
    assert "schedule    alpha = 0.5" in out
    assert "squared gradient norm, averaged over the steps <= 0.04" in out
    assert "theory-lab check answers it" in out
    Path("mine.page").write_text(text.replace("  alpha = 1/ell\n", "  alpha = 1/ell\n  T = n/3 + 2\n"), encoding="utf-8")
    code, out, _ = said(["recommend", "mine.page", "--ell", "2", "--gap", "1", "--n", "10"], capsys)
    assert "with T = 5: <= 0.8" in out
    assert "with T = 6: <= 0.666667" in out
    code, out, _ = said(["recommend", "mine.page", "--ell", "2", "--gap", "1", "--n", "10", "--json"], capsys)
    found = json.loads(out)
    assert found["whole T"] == {"5": pytest.approx(0.8), "6": pytest.approx(2 / 3)}
    assert found["schedule"] == {"alpha": 0.5, "T": pytest.approx(16 / 3)}
    assert found["holds"] is True
    code, _, error = said(["recommend", "mine.page", "--ell", "2", "--gap", "-1", "--n", "10"], capsys)
    assert code == 2
    assert "gap = -1" in error
    with pytest.raises(SystemExit, match="2"):
        main(["recommend", "mine.page", "--ell", "2", "--n", "10"])
    assert "--gap" in capsys.readouterr().err


def test_a_lemma_is_shown_with_its_lines(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    head = "theory-page 1\n\nlemma my.lemma -- It grows\nsource -- ours\nuses shared.symbols\n\n"
    Path("lemma.page").write_text(f"{head}proof\n  more: T + 1 > T\n    by 1\n", encoding="utf-8")
    capsys.readouterr()
    code, out, _ = said(["show", "lemma.page"], capsys)
    assert code == 0
    assert "T + 1  >  T" in out


@pytest.mark.parametrize("options", ["--page --latex", "--page --json", "--page --script", "--tree --loose quadratic", "--page --tree"])
def test_a_page_is_printed_alone(options, capsys):
    code, out, error = said(["show", "dpzero.theorem3", *options.split()], capsys)
    assert (code, out) == (2, "")
    assert error == f"theory-lab: {options[2:6]}: it is printed alone; leave the other options out\n"


def test_pages_that_are_given_together_know_each_other(tmp_path, monkeypatch, capsys):
    """`show` and `recommend` are about the first; the others are only known."""
    monkeypatch.chdir(tmp_path)
    assert said(["new", "theorem", "first"], capsys)[0] == 0
    bound = re.search(r"^bound .*", (tmp_path / "first.page").read_text(encoding="utf-8"), re.MULTILINE)[0]
    head = "theory-page 1\n\ntheorem my.second -- The first again\nsource -- ours\nuses shared.symbols, shared.facts\n\n"
    (tmp_path / "second.page").write_text(f"{head}{bound}\n\nproof\n  bound: {bound[6:]}\n    from bound of my.first\n", encoding="utf-8")
    code, out, _ = said(["show", "second.page", "first.page"], capsys)
    assert (code, out.split()[0]) == (0, "my.second")
    assert "(from my.first)" in out
    assert said(["show", "first.page", "second.page"], capsys)[1].split()[0] == "my.first"
    code, _, error = said(["show", "second.page"], capsys)
    assert code == 2
    assert "'my.first': there is no such page" in error
