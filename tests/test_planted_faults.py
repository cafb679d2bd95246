"""Every planted fault is noticed by a claim that it names: a sample of them in `make test`, all of them in `make verify`."""

from collections import defaultdict
from dataclasses import replace

import pytest

from paper_checks import papers
from tests.faults.client import COMPILED, ROOT, Checker
from tests.faults.plant import plant
from tests.faults.sample import sample_faults
from tests.faults.text import Fault, load_faults

FAULTS = load_faults()
SAMPLE = sample_faults(FAULTS)
QUICK = {claim.key for claim in papers.claims() if not claim.needs_full}
HARMLESS = Fault(
    "harmless", "bounds/privacy/gaussian.py", "from functools import lru_cache", "from functools import lru_cache as lru_cache", ()
)
HARMLESS_PAGE = Fault("harmless", "bounds/dpzero/theorem1.page:schedule", "T = best_T", "T = (best_T)  -- the number of steps", ())
EQUATION_3 = "dpzero.equation_3.derived"
SIGMA = "dpzero.lemma_2_2.sigma_of_the_algorithms"
HALF = Fault("half", "bounds/dpzero/facts.page:sigma", "4 C sqrt", "2 C sqrt", (SIGMA,))


@pytest.fixture(scope="module")
def checker():
    """Yield the process that checks claims, one for all tests of this worker."""
    with Checker() as one:
        yield one


def mark_cases(all_of, sampled):
    """Return the cases of a test as pytest parameters; those outside the sample are marked `verify`."""
    return [pytest.param(one, id=str(one), marks=() if one in sampled else pytest.mark.verify) for one in all_of]


def detectors(faults, left_out):
    """Return by subject the claims that must notice its faults, without those in `left_out`."""
    found = defaultdict(set)
    for fault in faults:
        found[f"{fault.paper}/{fault.subject}"] |= {*fault.claims} - left_out
    return {subject: tuple(sorted(keys)) for subject, keys in found.items() if keys}


BY_NAME = {fault.name: fault for fault in FAULTS}
# with the compiler `test_ledger` checks the claims of a quick run; those that need a full one follow with all faults
CONTROLS = {"sample": detectors(SAMPLE, COMPILED), "all": detectors(FAULTS, COMPILED & QUICK)}


@pytest.mark.parametrize("name", mark_cases(BY_NAME, {fault.name for fault in SAMPLE}))
def test_a_planted_fault_is_noticed(name, checker, request):
    answer = checker.try_fault(BY_NAME[name])
    request.node.user_properties.append(("cpu_seconds", answer.seconds))
    assert answer.differing, dict(answer.found)


@pytest.mark.parametrize(
    ("of", "subject"),
    [
        pytest.param(of, subject, marks=() if of == "sample" else pytest.mark.verify)
        for of, subjects in CONTROLS.items()
        for subject in subjects
    ],
)
def test_without_a_fault_nothing_is_noticed(of, subject, checker, request):
    """The claims that notice faults come out as recorded on the sources as they are: what they notice is the fault."""
    keys = CONTROLS[of][subject]
    answers = [checker.try_unchanged(some, compiled=some <= COMPILED) for some in (set(keys) - COMPILED, set(keys) & COMPILED) if some]
    request.node.user_properties.append(("cpu_seconds", sum(answer.seconds for answer in answers)))
    assert [answer.differing for answer in answers] == [{}] * len(answers)
    assert {key for answer in answers for key in answer.found} == set(keys)


def test_a_fault_does_not_outlive_its_check(checker):
    before = checker.try_unchanged([SIGMA], compiled=False)
    assert set(checker.try_fault(HALF).differing) == {SIGMA}
    assert checker.try_unchanged([SIGMA], compiled=False).found == before.found
    assert not before.differing


@pytest.mark.parametrize(("fault", "claim"), [(HARMLESS, SIGMA), (HARMLESS_PAGE, EQUATION_3)])
def test_a_change_that_does_no_harm_is_not_noticed(fault, claim, checker):
    file, text = plant(ROOT, fault)
    assert text != file.read_text(encoding="utf-8")
    assert not checker.request(file.relative_to(ROOT).as_posix(), text, [claim], compiled=False).differing


def test_a_fault_that_breaks_the_import_is_an_error_and_not_noticed(checker):
    with pytest.raises(RuntimeError, match=r"(?s)not checked.*NameError: name 'nothing'"):
        checker.request("bounds/privacy/gaussian.py", "nothing", [SIGMA], compiled=False)


@pytest.mark.parametrize(("new", "words"), [("T = best_Ts", "'best_Ts' is no symbol"), ("T = = best_T", "theorem1.page")])
def test_a_fault_that_makes_a_page_unreadable_is_an_error_and_not_noticed(new, words, checker):
    file, text = plant(ROOT, replace(HARMLESS_PAGE, new=new))
    with pytest.raises(RuntimeError, match=rf"(?s)not checked.*{words}"):
        checker.request(file.relative_to(ROOT).as_posix(), text, [EQUATION_3], compiled=False)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [("mp.log(mp.e", "mp.logs(mp.e", "'logs'"), ("return mp.log(mp.e", "return nothing.log(mp.e", "'nothing' is not")],
)
def test_a_fault_that_names_what_is_not_there_is_an_error_and_not_noticed(old, new, words, checker):
    file, text = plant(ROOT, Fault("misnamed", "paper_checks/dpzero/privacy/lemma_2_2.py:printed_log", old, new, ()))
    with pytest.raises(RuntimeError, match=rf"(?s)not checked.*{words}"):
        checker.request(file.relative_to(ROOT).as_posix(), text, [SIGMA], compiled=False)


def test_a_child_that_dies_is_an_error(checker):
    with pytest.raises(RuntimeError, match="died"):
        checker.request("bounds/privacy/gaussian.py", "import os; os._exit(3)", [SIGMA], compiled=False)
    assert not checker.try_unchanged([SIGMA], compiled=False).differing


def test_the_sources_of_changed_modules_are_those_that_are_run(checker):
    """A claim that stores results asks for the sources that they depend on."""
    text = (ROOT / "paper_checks/dpzero/privacy/lemma_2_2.py").read_text(encoding="utf-8")
    own = "sources._source_text(sources._module_spec(__name__))"
    check = f"from synthetic.sweeps import sources\nassert {own}.endswith('# the end\\n')\n# the end\n"
    assert not checker.request("paper_checks/dpzero/privacy/lemma_2_2.py", text + check, [SIGMA], compiled=False).differing


def test_there_are_faults_enough():
    assert len(FAULTS) >= 635
    assert len({(fault.paper, fault.place.partition("/")[0]) for fault in SAMPLE}) == len(papers.PAPERS) * 3
    assert 45 <= len(SAMPLE) <= 70


def test_every_planted_fault_has_one_place():
    for fault in FAULTS:
        file, text = plant(ROOT, fault)
        assert text != file.read_text(encoding="utf-8"), fault.name
