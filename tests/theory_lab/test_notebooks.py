"""What notebooks and the Python prompt show of public objects: short words, a table, and a formula where there is mathematics."""

import re

import pytest

import theory_lab as lab
from paper_checks.verdict import Claim

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
    from dataclasses import replace

    (verdict,) = lab.check("dpzero.lemma_2_2.any_epsilon", quick=True)
    claim: Claim = replace(verdict.claim, words="a < b & <script>")
    assert "a &lt; b &amp; &lt;script&gt;" in claim._repr_html_()
