"""Every attempt to cheat is refused by both checkers, and by the examination as a whole."""

import json
from dataclasses import replace

import pytest

import bounds
from bounds.proofs.attack import find_unmet_assumption
from bounds.proofs.certificates import Standing, verify_all
from bounds.proofs.export import export_proofs
from bounds.proofs.lines import Reasoned, Shown
from bounds.proofs.support import missing_link
from paper_checks import recheck_export
from paper_checks.shared.steps import check_steps
from paper_checks.verdict import Outcome
from tests.paper_checks.false_proofs.combined import FOR_THE_FIRST, MADE
from tests.paper_checks.false_proofs.found import BY_ONE, FOUND
from tests.paper_checks.false_proofs.inserted import TAKEN

CHEATS = {**TAKEN, **MADE, **FOUND}
ALONE = {**FOR_THE_FIRST, **BY_ONE}


def test_there_are_enough_of_them():
    assert len(CHEATS) >= 130


@pytest.mark.parametrize("name", [*CHEATS, *ALONE])
def test_the_first_checker_refuses(name):
    chain = {**CHEATS, **ALONE}[name]()
    assert Standing.FAILED in [one.outcome for one in verify_all(chain)] or missing_link(chain) or find_unmet_assumption(chain.proves)


@pytest.mark.parametrize("name", CHEATS)
def test_the_second_checker_refuses(name):
    chain = CHEATS[name]()
    found = recheck_export.check(json.loads(json.dumps(export_proofs([chain]))))[chain.key]
    assert any(found.values())


@pytest.mark.parametrize(("name", "defined"), [
    ("a positive letter from a line that is not strict", "eta"),
    ("a sign from a line that says less", "W"),
    ("a sign from an equality", "W"),
])  # fmt: skip
def test_a_definition_without_a_proved_sign_is_refused_itself_by_both_checkers(name, defined):
    """A step that never uses the definition's right side, such as 1/eta > 0, rests on this refusal alone."""
    chain = CHEATS[name]()
    assert recheck_export.check(json.loads(json.dumps(export_proofs([chain]))))[chain.key][defined]
    assert {one.step.name: one.outcome for one in verify_all(chain)}[defined] is Standing.FAILED


@pytest.mark.sample(80)
@pytest.mark.parametrize("name", [*CHEATS, *ALONE])
def test_the_examination_does_not_pass(name):
    finding = check_steps({**CHEATS, **ALONE}[name](), samples=15)
    assert finding.outcome in (Outcome.REFUTED, Outcome.INCONCLUSIVE), finding.sentence


@pytest.mark.parametrize(
    ("part", "changed"),
    [("per_step", {"rhs": 0}), ("noise_and_gradient", {"certificate": Reasoned("it is said so", using=("kept",))}), ("bias", {"rhs": 0})],
)
def test_a_lemma_whose_own_proof_is_broken_shows_nothing(monkeypatch, part, changed):
    """A fact is shown by a line of another proof only if all that this line rests on is right there."""
    lemma = bounds.DERIVATIONS["dpzero.theorem1"]
    broken = lemma.with_line(replace(lemma[part], **changed))
    monkeypatch.setattr(bounds, "DERIVATIONS", {**bounds.DERIVATIONS, "dpzero.theorem1": broken})
    chain = bounds.DERIVATIONS["dpzero.integer_t_theorems_1_2"]
    shown = [one.name for one in chain.facts if isinstance(one.certificate, Shown) and one.certificate.derivation == "dpzero.theorem1"]
    second = recheck_export.check(json.loads(json.dumps(export_proofs([chain]))))[chain.key]
    outcomes = {one.step.name: one.outcome for one in verify_all(chain)}
    assert shown
    assert {outcomes[name] for name in shown} == {Standing.FAILED}
    assert all(second[name] for name in shown)
