"""What every paper's pages do alike: letters by the paper's own names, keys and sources by what the paper calls a statement."""

from bounds.pages import Pages
from bounds.papers import PAPERS
from bounds.symbols import GLOSSARY

PAGES = Pages("gauss_psgd", {"alpha": "accuracy", "M": "ell"})
alpha, M, n = PAGES.letters("alpha M n")


def test_a_letter_of_the_paper_is_the_glossarys_where_the_bare_name_is_another_papers():
    assert (alpha, M, n) == tuple(GLOSSARY[name].symbol for name in ("accuracy", "ell", "n"))


def test_key_and_source_follow_from_what_the_paper_calls_a_statement():
    statement = PAGES.stated("Lemma 3 (descent)", "(7)", bound=alpha, measure="a number")
    assert (statement.key, statement.title, statement.claim) == ("gauss_psgd.lemma3", "Lemma 3 (descent)", "upper")
    assert statement.source == f"{PAPERS['gauss_psgd'].cited}, Lemma 3, (7)"
    ours = PAGES.keyed("sharp", "ours", "nowhere", "lower", bound=alpha, measure="a number")
    assert (ours.key, ours.source, ours.claim) == ("gauss_psgd.sharp", "nowhere", "lower")
