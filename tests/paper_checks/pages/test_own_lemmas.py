"""Pages of one's own that take lines from each other: checked together, and refused where the two speak of different things."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import bounds as lab
from bounds.pages.store import Store
from bounds.pages.values import page_derivation
from bounds.proofs.certificates import Standing, verify
from bounds.proofs.derivation import Derivation
from bounds.proofs.facts import lemma_quantities
from bounds.proofs.lines import line
from bounds.symbols import GLOSSARY, T, alpha, n
from paper_checks import recheck
from paper_checks.pages.own import PageErrors, load_page
from paper_checks.verdict import Claim, Finding, Outcome

SYMBOLS = """theory-page 1

symbols pair.symbols -- What both speak of

quantities
  pair_now: real -- the excess now
  pair_then: real -- the excess after a step
"""
FACTS = """theory-page 1

facts pair.facts -- What both take as given
source -- here
uses shared.symbols

given
  wide: r <= d/2 -- half of the parameters
    meaning
"""
LEMMA = """theory-page 1

lemma pair.step -- A step contracts the excess
source -- here
uses shared.symbols, pair.symbols

symbols
  pair_slope: at least 0 -- the squared slope

assume
  small: alpha <= 1/ell
  descent: pair_then <= pair_now - alpha pair_slope + ell alpha^2 pair_slope/2
  pl: pair_slope >= 2 mu pair_now

proof
  half: pair_then <= pair_now - alpha pair_slope/2
    by [descent] + (ell alpha pair_slope/2) [small]
  contracts: pair_then <= (1 - alpha mu) pair_now
    by [half] + (alpha/2) [pl]
"""
THEOREM = """theory-page 1

theorem pair.rate -- A rate, from a lemma of one's own
source -- here
uses shared.symbols, pair.symbols

symbols
  pair_slope: at least 0 -- the squared slope

assume
  descent: pair_then <= pair_now - alpha pair_slope + ell alpha^2 pair_slope/2
  pl: pair_slope >= 2 mu pair_now

schedule
  alpha = 1/ell

bound pair_then <= (1 - mu/ell) pair_now

proof
  small: alpha <= 1/ell
    by 0 inserting alpha
  contracts: pair_then <= (1 - alpha mu) pair_now
    from pair.step
  bound: pair_then <= bound
    by [contracts] inserting alpha
"""


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Take out of the glossary what the pages add to it."""
    before = dict(GLOSSARY)
    yield
    GLOSSARY.clear()
    GLOSSARY.update(before)


def written(folder: Path, **changed: str) -> dict[str, Path]:
    texts = {"symbols": SYMBOLS, "lemma": LEMMA, "theorem": THEOREM} | changed
    for name, text in texts.items():
        (folder / f"{name}.page").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.page" for name in texts}


def examined(files: dict[str, Path], name: str = "theorem") -> tuple[Claim, Finding]:
    """Return the claim of a page, which is read beside the others, and what its check finds."""
    (claim,) = load_page(files[name], [one for one in files.values() if one != files[name]]).CLAIMS
    return claim, claim.examine(**claim.arguments_of(False))


def test_a_theorem_that_takes_a_line_from_a_lemma_of_ones_own_is_proved(tmp_path):
    files = written(tmp_path)
    for name in ("lemma", "theorem"):
        claim, finding = examined(files, name)
        assert (claim.expected, finding.outcome) == (Outcome.PROVED, Outcome.PROVED), finding.sentence
    assert load_page(files["symbols"], [files["lemma"]]).CLAIMS == ()


def test_what_the_lemma_takes_from_others_is_said(tmp_path):
    cited = LEMMA.replace("  pl: pair_slope >= 2 mu pair_now\n", "").replace(
        "\nproof\n", "\ngiven\n  pl: pair_slope >= 2 mu pair_now\n    cited -- a book\n\nproof\n"
    )
    claim, finding = examined(written(tmp_path, lemma=cited))
    assert (claim.expected, finding.outcome) == (Outcome.CONSISTENT, Outcome.CONSISTENT)
    assert "resting on words of other proofs: contracts" in finding.sentence


FALSE = {
    "a hypothesis that is not met": (
        dict(theorem=THEOREM.replace("  pl: pair_slope >= 2 mu pair_now\n", "")),
        "the hypothesis 'pl' of pair.step is not met here",
    ),
    "another constant than the lemma's": (
        dict(theorem=THEOREM.replace("1 - alpha mu", "1 - 2 alpha mu").replace("1 - mu/ell", "1 - 2 mu/ell")),
        "does not say this",
    ),
    "a theorem that makes nothing of it": (
        dict(
            theorem=THEOREM.replace("bound pair_then <= (1 - mu/ell) pair_now", "bound pair_then <= (1 - alpha mu) pair_now")
            .replace("\nschedule\n  alpha = 1/ell\n", "  small: alpha <= 1/ell\n")
            .replace("  small: alpha <= 1/ell\n    by 0 inserting alpha\n", "")
            .replace("  bound: pair_then <= bound\n    by [contracts] inserting alpha\n", ""),
        ),
        "no line of the proof is made",
    ),
    "a lemma that is not proved": (
        dict(lemma=LEMMA.replace("(alpha/2) [pl]", "(alpha/3) [pl]")),
        "it takes a line from pair.step, which is",
    ),
    "a lemma whose assumptions do not hold together": (
        dict(
            lemma=LEMMA.replace("\nproof\n", "  never: mu >= ell + 1\n  nor: ell >= mu + 1\n\nproof\n"),
            theorem=THEOREM.replace("\nschedule\n", "  never: mu >= ell + 1\n  nor: ell >= mu + 1\n\nschedule\n"),
        ),
        "it takes a line from pair.step, which is INCONCLUSIVE: no point was found",
    ),
}


@pytest.mark.parametrize("kind", FALSE)
def test_what_the_lemma_does_not_give_is_not_taken_from_it(kind, tmp_path):
    changed, said = FALSE[kind]
    finding = examined(written(tmp_path, **changed))[1]
    assert finding.outcome is Outcome.INCONCLUSIVE
    assert said in finding.sentence


REFUSED = {
    "a symbol that is another one there": (
        dict(theorem=THEOREM.replace("at least 0 -- the squared slope", "real -- the squared slope")),
        "'pair_slope' is another symbol on pair.step",
    ),
    "a symbol of other words": (
        dict(theorem=THEOREM.replace("the squared slope", "the length of the slope")),
        "'pair_slope' is another symbol on pair.step",
    ),
    "facts of one's own": (
        dict(more=FACTS, theorem=THEOREM.replace("pair.symbols", "pair.symbols, pair.facts")),
        "pair.facts is a page of facts of one's own",
    ),
    "a symbol that is none here": (
        dict(theorem=THEOREM.replace("symbols\n  pair_slope: at least 0 -- the squared slope\n\n", "").replace("pair_slope", "grad_sq")),
        "'pair_slope', a symbol of pair.step, is none of this page",
    ),
    "a symbol under another name": (
        dict(lemma=LEMMA.replace("pair_slope: at least 0 --", "pair_slope: at least 0, as pair_then --")),
        "'pair_slope' is",
    ),
    "a symbol that is replaced": (
        dict(theorem=THEOREM.replace("from pair.step", "from pair.step with pair_slope = 2 pair_slope")),
        "symbols of pair.step are not replaced",
    ),
    "a lemma that leaves symbols open": (
        dict(lemma=LEMMA.replace("\nproof\n", "\nopen pair_slope\n\nproof\n")),
        "the section 'open' is for pages of the lab",
    ),
    "a lemma that takes lines itself": (
        dict(
            lemma=LEMMA.replace("    by [half] + (alpha/2) [pl]", "    from pair.deep"),
            deep=LEMMA.replace("pair.step", "pair.deep"),
        ),
        "pair.step takes lines from pair.deep: only from pages that take none",
    ),
    "a page of a theorem in place of symbols": (
        dict(theorem=THEOREM.replace("pair.symbols", "pair.symbols, pair.step")),
        "pair.step is a lemma: symbols and facts are used, and lines are taken with 'from'",
    ),
    "a page that is not there": (
        dict(theorem=THEOREM.replace("from pair.step", "from pair.stop")),
        "there is no such page; the nearest names are pair.step",
    ),
    "a circle": (
        dict(
            lemma=LEMMA.replace("    by [half] + (alpha/2) [pl]", "    from pair.rate"),
        ),
        "pair.rate takes lines from pair.step: only from pages that take none",
    ),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_pages_that_do_not_fit_are_refused(kind, tmp_path):
    changed, said = REFUSED[kind]
    with pytest.raises(PageErrors) as error:
        examined(written(tmp_path, **changed))
    assert said in str(error.value)


def test_a_page_that_is_refused_is_refused_again(tmp_path):
    """Stores are kept: what was opened before the mistake was found must not be taken for a page without one."""
    files = written(tmp_path, lemma=LEMMA.replace("\nproof\n", "\nopen pair_slope\n\nproof\n"))
    for name in ("theorem", "theorem", "lemma", "lemma"):
        with pytest.raises(PageErrors, match="the section 'open' is for pages of the lab"):
            examined(files, name)


def test_a_lemma_alone_is_missed_with_what_to_do(tmp_path):
    files = written(tmp_path)
    with pytest.raises(PageErrors) as error:
        load_page(files["theorem"], [files["symbols"]])
    assert "a page of one's own is given together with this one" in str(error.value)
    with pytest.raises(PageErrors, match="those that are given with it"):
        load_page(files["lemma"])


def test_limits_that_a_lemma_of_a_lemma_uses_are_not_passed_over():
    """T is at least 1 in the lab: where it is defined, a line that rests on that must be met by one that says so, however far off it is."""

    def power(k, name="power"):
        return line(name, n**k * T, ">=", 1).says("n^k T >= 1")

    def proof(key, k, lemma, *facts, steps=(), met=""):
        taken = power(k, "taken").shown(lemma.key, "power", meets={"T >= 1": met} if met else {})
        return Derivation(
            key, key, "here", (*steps, power(k + 1).by((n**k * T, "n >= 1"), "taken")), (taken, *facts), lemmas={lemma.key: lemma}
        )

    low = Derivation("own.low", "low", "here", (power(1).by((T, "n >= 1"), "T >= 1"),))
    middle = proof("own.middle", 1, low)
    for k, lemma in ((2, middle), (3, proof("own.last", 2, middle))):
        assert verify(proof("own.free", k, lemma), "taken").outcome is Standing.TAKEN
        small = proof("own.small", k, lemma, line("T", T, "=", alpha).says("T").defined())
        assert "the hypothesis 'T >= 1'" in verify(small, "taken").how
        long = line("long", T, ">=", 1).says("T is at least 1").by(alpha, at=("T",))
        large = proof("own.large", k, lemma, line("T", T, "=", 1 + alpha).says("T").defined(), steps=(long,), met="long")
        assert verify(large, "taken").outcome is Standing.TAKEN, verify(large, "taken").how


def pages_of_the_lab():
    folder = Path(lab.__file__).parent
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in folder.rglob("*.page")}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("", "", ""),
        (", [T >= 1] = enough_steps", "", "T >= 1"),
        ("[T >= 1] = enough_steps", "[T >= 1] = N", "not met by N"),
        ("T = ((Q + 1) (Gamma + 1) + 1) (1 + U/Phi)", "T = ((Q + 1) (Gamma + 1) + 1) (U/Phi)", "enough_steps"),
    ],
)
def test_both_checkers_ask_for_limits_of_a_lemma_of_a_lemma(old, new, said):
    """The repaired theorem defines T and takes its failure from the repaired block, which takes it from Lemma 5, for T of at least 1."""
    texts = pages_of_the_lab()
    file = "gauss_psgd/repaired.page"
    assert not old or texts[file].count(old) == 1
    texts[file] = texts[file].replace(old, new)
    second = recheck.check(texts, "gauss_psgd.repaired")["gauss_psgd.repaired"]
    proof = Store(texts, frozenset()).page("gauss_psgd.repaired")
    first = page_derivation(proof)
    refused = [name for name in ("enough_steps", "failure") if verify(first, name).outcome is Standing.FAILED]
    assert bool(said) == bool(refused) == bool(second["failure"])
    assert said in second["failure"]


def test_a_quantity_of_a_lemma_of_a_lemma_is_not_replaced():
    theorem, repaired = lab.DERIVATIONS["dpzero.theorem3"], lab.DERIVATIONS["gauss_psgd.repaired"]
    assert theorem["tail"].certificate.instance
    assert lemma_quantities(theorem, theorem["tail"].certificate) == set()  # C, a number that may be chosen
    assert lemma_quantities(repaired, repaired["failure"].certificate) == set()
    size = GLOSSARY["grad_sq"].symbol
    low = Derivation("own.low", "low", "here", (line("a", size, ">=", 0).says("squared gradient").by(size),))
    middle = Derivation("own.middle", "", "", (line("a", size, ">=", 0).says("it").shown("own.low", "a"),), lemmas={low.key: low})
    taken = line("a", 2 * size, ">=", 0).says("twice").shown("own.middle", "a", {size: 2 * size})
    other = Derivation("own.other", "", "", (taken,), lemmas={middle.key: middle})
    assert lemma_quantities(other, other["a"].certificate) == {size}
