"""What notebooks and the Python prompt show of public objects: short words, a table, and a formula where there is mathematics."""

import re
from dataclasses import replace
from html import escape

import pytest

import bounds.typeset.html
import synthetic.html
import theory_lab as lab
from paper_checks.verdict import Claim, Outcome

SADDLE = lab.random_phase_cosines(3)
SCALED = lab.recommend("gauss_psgd", SADDLE, n=10**5, epsilon=8.0, delta=1e-5).scaled
QUADRATIC = lab.quadratic("flat", d=3, n=20, seed=0)
SHOWN = {  # an object, and a number or a word that its table must have
    "theorem": (lambda: lab.THEOREMS["dpzero.theorem1"], "epsilon"),
    "derivation": (lambda: lab.DERIVATIONS["dpzero.theorem1"], "never_clipped"),
    "objective": (lambda: QUADRATIC, f"{QUADRATIC.constants['ell']:.5g}"),
    "objective with saddles": (lambda: SADDLE, "rho"),
    "run": (lambda: lab.simulate("dpzero", QUADRATIC, alpha=0.1, T=3, C=1.0, sigma=0.1, replicates=2), "finite steps"),
    "run to a stationary point": (
        lambda: lab.simulate("gauss_psgd", SADDLE, plan=SCALED, oracle="exact", n=10**5),
        "escape phases",
    ),
    "plan": (lambda: lab.recommend("dpzero", n=1e4, d=20, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0), "certified"),
    "memory": (lambda: lab.memory("dp_grape", model="vit-base", r=64, batch=40), "saved, %"),
    "verdict": (lambda: lab.check("dpzero.lemma_2_2.any_epsilon", quick=True)[0], "0.1"),
    "verdicts": (lambda: lab.check("dpzero.lemma_2_2.any_epsilon", quick=True), "REFUTED"),
    "claim": (lambda: lab.check("dpzero.lemma_2_2.any_epsilon", quick=True)[0].claim, "Lemma 2.2"),
    "calibration": (lambda: lab.calibrate(n=100, T=2, epsilon=2.0, delta=1e-4), "replace_one"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_an_object_has_short_words_and_a_table(name):
    make, word = SHOWN[name]
    found = make()
    assert len(repr(found)) < 400
    assert "object at 0x" not in repr(found)
    table = found._repr_html_()
    assert re.fullmatch(r"<table><caption>[^<]+</caption><tr>(<th>[^<]*</th>)+</tr>.*</table>(<ul>.*</ul>)?", table, re.S)
    assert word in table


@pytest.mark.parametrize("key", ["dpzero.theorem1", "gauss_psgd.theorem2", "dp_grape.theorem_d10", "dp_zopo.lemma4"])
def test_statements_and_proofs_are_formulas(key):
    formula = lab.THEOREMS[key]._repr_latex_()
    assert re.fullmatch(r"\$\\displaystyle \\text\{.+\} (\\le|\\ge|=) .+\$", formula)
    proof = lab.DERIVATIONS[key]._repr_latex_()
    formulas = [step for step in lab.DERIVATIONS[key].steps if step.is_formula]
    assert proof.count(r" && \text{") == len(formulas)
    assert proof.startswith(r"$\begin{aligned} ")


def test_what_a_claim_says_is_escaped():
    (verdict,) = lab.check("dpzero.lemma_2_2.any_epsilon", quick=True)
    claim: Claim = replace(verdict.claim, words="a < b & <script>")
    assert "a &lt; b &amp; &lt;script&gt;" in claim._repr_html_()


SAID = {  # an object, and the sentences that must stand below its table
    "theorem": (lambda: lab.THEOREMS["dpzero.theorem1"], "notes"),
    "evaluation": (
        lambda: lab.THEOREMS["gauss_psgd.theorem2"].evaluate(**dict.fromkeys(lab.THEOREMS["gauss_psgd.theorem2"].parameters, 1.0)),
        "caveats",
    ),
    "run": (lambda: replace(lab.simulate("dpzero", QUADRATIC, alpha=0.1, T=3, C=1.0, sigma=0.1), remarks=("No promise: <1>.",)), "remarks"),
    "run to a stationary point": (SHOWN["run to a stationary point"][0], "remarks"),
    "plan": (SHOWN["plan"][0], "said"),
    "calibration": (SHOWN["calibration"][0], "said"),
}


@pytest.mark.parametrize("name", SAID)
def test_what_limits_a_promise_stands_below_the_table(name):
    make, where = SAID[name]
    found = make()
    said = getattr(found, where)
    assert said
    for one in said:
        assert f"<li>{escape(one)}</li>" in found._repr_html_()


def cells(found):
    return [re.findall("<td>(.*?)</td>", row) for row in re.findall("<tr>(<td>.*?)</tr>", found._repr_html_())]


def test_the_rows_of_a_run_are_its_numbers():
    run = lab.simulate("dpzero", QUADRATIC, alpha=0.1, T=3, C=1.0, sigma=0.1, replicates=2)
    assert cells(run) == [
        [str(r), "3", *(f"{value:.5g}" for value in (*run.loss[r, [0, 3]], *run.grad_norm_sq[r, [0, 3]] ** 0.5, run.clipped[r].mean()))]
        for r in range(2)
    ]
    found = SHOWN["run to a stationary point"][0]()
    counts = zip(found.steps, found.samples, found.phases, found.escapes, strict=True)
    assert [row[2:] for row in cells(found)] == [[*map(str, row)] for row in counts]


def test_a_verdict_has_its_witness_and_says_where_it_differs():
    (verdict,) = lab.check("dpzero.lemma_2_2.any_epsilon", quick=True)
    assert {name for name, _ in cells(verdict)} >= verdict.finding.witness.keys()
    other = replace(verdict, claim=replace(verdict.claim, expected=Outcome.CONSISTENT))
    assert "REFUTED, not CONSISTENT as expected" in other._repr_html_()


def test_lower_bounds_of_a_proof_are_lower_bounds_in_its_formulas():
    signs = {"<=": r"\le", ">=": r"\ge"}
    found = next(one for one in lab.DERIVATIONS.values() if any(step.relation == ">=" for step in one.steps if step.is_formula))
    formulas = [step for step in found.steps if step.is_formula]
    for step, line in zip(formulas, found._repr_latex_().split(r" && \text{"), strict=False):
        assert f" &{signs.get(step.relation, step.relation)} " in line


@pytest.mark.parametrize("table", [bounds.typeset.html.table, synthetic.html.table])
def test_every_part_of_a_table_is_escaped(table):
    assert "<b>" not in table("<b>", ["<b>"], [("<b>", 1.0)], ["<b>"])
