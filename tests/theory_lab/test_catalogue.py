"""`list`, `show` and `explain`: what the lab has, by kind; each kind read when it is asked for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import theory_lab as lab
from paper_checks import papers
from paper_checks.pages.claims import written_claims
from paper_checks.source_location import definition_location
from paper_checks.verdict import Outcome
from theory_lab import catalogue
from theory_lab.catalogue import KINDS, Entry, all_entries
from theory_lab.cli import main
from theory_lab.commands import explain as explaining
from theory_lab.commands import list as listing
from theory_lab.commands import show as showing
from theory_lab.glossary import parse_word, symbol_facts, words
from theory_lab.methods import METHODS, figures_by_name


def printed(capsys, *argv):
    assert main([*argv]) == 0
    return capsys.readouterr().out


def refused(capsys, *argv):
    assert main([*argv]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_every_kind_is_counted_in_less_than_forty_lines(capsys):
    out = printed(capsys, "list")
    assert len(out.splitlines()) < 40
    counts = {line.split()[0]: int(line.split()[1]) for line in out.splitlines() if line.split() and line.split()[0] in KINDS}
    assert counts["claims"] == len(papers.claims())
    assert counts["errata"] == sum(len(papers.errata(paper)) for paper in papers.PAPERS)
    assert (counts["theorems"], counts["methods"]) == (len(lab.THEOREMS), len(METHODS))
    assert json.loads(printed(capsys, "list", "--json")).keys() == KINDS.keys()
    assert json.loads(printed(capsys, "list", "--json"))["figures"] == list(figures_by_name(METHODS.values()))


def test_everything_has_a_line_that_says_what_it_is():
    for one in all_entries():
        assert len(one.words) > 4, one
        assert "\n" not in one.words, one


def test_the_names_of_a_kind_are_chosen_by_a_part_a_pattern_or_what_their_lines_say(capsys):
    found = json.loads(printed(capsys, "list", "errata", "gauss_psgd", "--json"))
    assert [one["name"] for one in found] == [f"gauss_psgd.{one.number}" for one in papers.errata("gauss_psgd")]
    assert {one["name"] for one in json.loads(printed(capsys, "list", "method", "dp_*d", "--json"))} == {"dp_sgd", "dp_gd"}
    assert "dp_adam" in printed(capsys, "list", "methods", "adam")
    assert [line.split()[0] for line in printed(capsys, "list", "methods", "singular").splitlines()] == ["galore"]
    assert [line.split()[0] for line in printed(capsys, "list", "methods", "dp_", "adam").splitlines()] == ["dp_adam"]
    assert "dp_zopo.E6 " in printed(capsys, "list", "errata", "dp_zopo", "theorem2")  # by its claims
    assert printed(capsys, "list", "checks", "dpzero.theorem3") == printed(capsys, "list", "claims", "dpzero.theorem3")


def test_what_is_not_there_is_answered_with_what_is_near(capsys):
    assert "kind = 'thoerems': one of methods, oracles" in refused(capsys, "list", "thoerems")
    assert "is theorems meant?" in refused(capsys, "list", "thoerems")
    assert "pattern = 'dpzerro': none of the 15 methods matches it; is dpzero meant?" in refused(capsys, "list", "methods", "dpzerro")
    assert "the nearest are dpzero.theorem3, gauss_psgd.theorem3" in refused(capsys, "show", "theorem3")
    assert "the nearest are dpzero-scale" in refused(capsys, "show", "dpzero-skale")
    assert "the glossary does not have it" in refused(capsys, "explain", "xyzzy")


def test_lines_are_cut_to_the_terminal():
    found = [Entry("words", "a", "b" * 50), Entry("words", "long", "c")]
    assert listing.entry_lines(found, 20) == ["a     " + "b" * 11 + "...", "long  c"]
    assert listing.entry_lines(found, 0) == ["a     " + "b" * 50, "long  c"]


@pytest.mark.parametrize(
    ("key", "label", "said"),
    [
        ("ell", "LaTeX", r"\ell"),
        ("dp_zoso", "variants of its plans", "printed, repaired, sharp"),
        ("dpzero-1", "drawn by", "theory-lab figure dpzero-1"),
        ("vit-base", "memory", "theory-lab memory --model vit-base"),
        ("octopus", "in Python", "theory_lab.octopus"),
        ("dpzero.lemma_2_2.any_epsilon", "erratum", "dpzero.E2: Lemma 2.2's noise is too small"),
        ("dpzero.E2", "mark", "repairable"),
    ],
)
def test_show_knows_everything_that_has_a_name(key, label, said, capsys):
    assert json.loads(printed(capsys, "show", key, "--json"))[label].startswith(said)
    line = next(line for line in printed(capsys, "show", key).splitlines() if line.startswith(label))
    assert line.removeprefix(label).strip().startswith(said)


def test_links_of_claims_and_errata_are_places_of_the_reports():
    gallery = catalogue.ROOT / "figures" / "gallery"
    pages = {page.name: page.read_text(encoding="utf-8") for page in gallery.glob("*-report.html")}
    linked = [one.more["link"] for one in all_entries() if one.kind in ("claims", "errata")]
    assert len(linked) > 1_300
    for link in linked:
        page, _, place = link.removeprefix("figures/gallery/").partition("#")
        assert f'id="{place}"' in pages[page], link


def test_a_claim_names_the_erratum_that_it_belongs_to_and_its_place_in_the_documentation():
    found = all_entries()
    about = {}
    for one in found:
        if one.kind == "errata":
            for name in one.more["claims"].split():
                about.setdefault(name, set()).add(one.name)
    words = {"claims": "claim", "errata": "erratum"}
    for one in found:
        if one.kind == "claims":
            assert one.more.get("erratum", "").partition(":")[0] in about.get(one.name, {""}), one
            assert one.more["verdict"].partition(":")[0] in {outcome.value for outcome in Outcome}, one
        if one.kind in words:
            page, _, place = one.more["page"].removesuffix(" of the documentation").partition("#")
            text = (catalogue.ROOT / "docs" / page).with_suffix(".md").read_text(encoding="utf-8")
            assert f"{{lab-{one.kind}}} {one.name.partition('.')[0]}" in text, one
            assert place == catalogue.link_target(words[one.kind], one.name), one


def test_claims_of_a_statement_are_those_below_its_key_and_those_that_rest_on_its_proof():
    found = [
        Entry("claims", "a.theorem1.chain", "It is."),
        Entry("claims", "a.theorem10.chain", "It is."),
        Entry("claims", "a.lemma.bound", "It is.", about=("a.other", "a.theorem1")),
        Entry("errata", "a.E1", "It is not.", {"states": "It is not"}, about=("a.lemma.bound",)),
        Entry("errata", "a.E2", "It is not.", {"states": "It is"}, about=("a.theorem10.chain",)),
    ]
    assert showing.claims_about("a.theorem1", found) == "claims: a.theorem1.chain a.lemma.bound\nerratum a.E1: It is not"


def test_the_json_of_a_kind_has_the_lines_that_are_printed(capsys):
    found = json.loads(printed(capsys, "list", "models", "--json"))
    assert [[one["name"], one["is"]] for one in found] == [line.split(None, 1) for line in printed(capsys, "list", "models").splitlines()]


def test_a_theorem_is_shown_as_it_is_with_claims_and_errata(capsys):
    theorem = lab.THEOREMS["dpzero.corollary_f4"]
    out = printed(capsys, "show", "dpzero.corollary_f4")
    assert out.startswith(theorem.show() + "\nclaims: dpzero.corollary_f4.")
    assert "\nerratum dpzero.E9: " in out
    assert printed(capsys, "show", "dpzero.corollary_f4", "--latex") == theorem.latex() + "\n"


def test_a_kind_is_read_when_it_is_asked_for():
    """No other kind, and nothing that a theorem prints."""
    kinds = {"list claims": "", "show dpzero.E2": "", "show dpzero.theorem3.privacy": "", "list theorems dpzero": "", "explain sharp": ""}
    heavy = {"sympy", "numba", "matplotlib", "rich"}
    code = f"import sys\nfrom theory_lab.cli import main\nfor argv in {[*kinds]}: main(argv.split())\nassert not {heavy} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=catalogue.ROOT, stdout=subprocess.DEVNULL)


def test_a_title_is_read_as_the_page_has_it():
    from bounds.pages.store import lab_pages as pages

    for key in lab.THEOREMS:
        assert pages().title(key) == pages().page(key).title == lab.THEOREMS[key].title


def test_a_check_is_where_its_page_says():
    for one in (one for paper in papers.PAPERS for one in written_claims(paper)):
        file, _, line = definition_location(one.claim().examine).rpartition(":")
        assert catalogue.function_location(*one.check) == f"{Path(file).relative_to(catalogue.ROOT).as_posix()}:{line}"


# --- the glossary -----------------------------------------------------------------------------------------------------------------------
def test_a_word_is_explained_however_it_is_written(capsys):
    out = printed(capsys, "explain", "noise", "multiplier")
    assert printed(capsys, "explain", "Noise-Multipliers") == out
    assert printed(capsys, "explain", "multiplier") == out
    assert "divided by the clipping" in " ".join(out.split())
    assert "symbol" in printed(capsys, "explain", "ell")
    assert printed(capsys, "explain", "PL").startswith("PL inequality")
    both = printed(capsys, "explain", "tau")
    assert both.index("A number drawn uniformly") < both.index("steps of a round that succeeds")  # the word of the lab first


def test_the_words_of_the_glossary_are_in_order_and_refer_to_each_other():
    names = [one.name for one in words()]
    assert names == sorted(names, key=str.lower)
    assert len(set(names)) == len(names)
    spelt = {name for one in all_entries() if one.kind in ("words", "symbols") for name in explaining.spellings(one)}
    for one in words():
        assert one.text.endswith("."), one
        assert set(one.see) <= spelt, one
    assert [one.see for one in words() if one.name in one.see] == []


def test_a_block_that_is_no_word_is_refused():
    assert parse_word("a b (c, d)\n    It is so.\n    Yes.\n    see: x, y").see == ("x", "y")
    assert parse_word("a b (c, d)\n    It is so.").others == ("c", "d")
    assert parse_word("a\n    It is so.\n    Yes.").text == parse_word("a\n    It is so.\n    Yes.\n    see: x").text == "It is so. Yes."
    for block in ("a", "a\nnot indented", "a (b\n    It."):
        with pytest.raises(ValueError, match=r"words\.txt"):
            parse_word(block)


def test_what_a_user_gives_has_a_unit_and_values():
    from bounds.letters import LETTERS

    asked = {one.name for one in LETTERS if one.role in ("problem", "schedule")}
    assert symbol_facts().keys() == asked
    assert all(unit and values for unit, values, _ in symbol_facts().values())
