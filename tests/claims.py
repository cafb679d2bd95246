"""Read the claims of a page and the arguments of a claim, for tests."""

from typing import Any

from paper_checks.pages import claims as claim_pages
from paper_checks.verdict import Claim


def page_claims(key: str) -> tuple[Claim, ...]:
    """Return the claims of the page with a key, such as dpzero.theorem3."""
    paper, _, name = key.partition(".")
    (file,) = (one for one in claim_pages.page_files(paper) if one.stem == name)
    return tuple(one.claim() for one in claim_pages.read_claims(file))


def claim_argument(key: str, name: str) -> Any:
    """Return an argument of the claim with a key, as in a quick run."""
    (one,) = (one for one in claim_pages.written_claims(key.partition(".")[0]) if one.key == key)
    return one.claim().arguments[name]
