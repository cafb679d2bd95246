"""What the report shows of a proof: every line with what it rests on."""

import bounds
from tests.bounds.proofs.toy import IDENTITY, RANK, SUBSTITUTION, WISHFUL
from theory_lab.report.derivations import LABELS, derivation_rows, paper_totals


def only(proof):
    (row,) = derivation_rows(proof)["steps"]
    return row


def test_a_step_names_what_it_rests_on_with_its_formula():
    row = only(RANK)
    assert row["label"] == "certified given what it names"
    (given,) = row["given"]
    assert (given["name"], given["formula"], given["source"]) == ("ranked", r"r \le \frac{d}{2}", "assumed")
    assert row["where"] == "where all that it uses holds"
    assert only(IDENTITY)["kind"] == "unconditional"
    assert only(WISHFUL)["label"] == "argued in words"


def test_what_is_inserted_is_shown_with_its_definition():
    row = only(SUBSTITUTION)
    assert row["label"] == "certified with a definition inserted"
    assert [one["formula"] for one in row["inserted"]] == [r"\eta = \frac{1}{4 d \ell}"]
    assert row["inserted"][0]["source"] == "definition"


def test_a_chain_and_a_paper_have_totals():
    rows = [derivation_rows(proof) for proof in (RANK, SUBSTITUTION, WISHFUL)]
    assert paper_totals(rows) == {
        "toy": "3 steps: 1 certified given what it names, 1 certified with a definition inserted, 1 argued in words; "
        "taken as given 2 lines: 1 assumed, 1 defined"
    }
    assert rows[0]["totals"] == "1 step: 1 certified given what it names; taken as given 1 line: 1 assumed"
    assert rows[2]["totals"] == "1 step: 1 argued in words"


def test_the_facts_of_a_theorem_say_where_they_come_from():
    rows = derivation_rows(bounds.DERIVATIONS["dpzero.theorem1"])
    sources = {one["name"]: one["source"] for one in rows["facts"]}
    assert sources["step_size"] == "assumed"
    assert sources["bias"] == "shown in dpzero.lemma_c2, bias_squared"
    assert sources["descent"].startswith("cited: Nesterov")
    assert sources["gap"] == "by what the letters stand for"
    assert rows["proves"] == "Theorem 1 (DPGD-0th)"
    assert all(row["label"] in LABELS.values() for row in rows["steps"])
