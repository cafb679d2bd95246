"""The claims of one page, and arguments of claims, for tests of what stands there."""

from typing import Any

from paper_checks.pages import claims as claim_pages
from paper_checks.verdict import Claim


def on_page(key: str) -> tuple[Claim, ...]:
    """The claims of the page of a key, such as dpzero.theorem3."""
    paper, _, name = key.partition(".")
    (file,) = (one for one in claim_pages.pages(paper) if one.stem == name)
    return tuple(one.claim() for one in claim_pages.read(file))


def argument(key: str, name: str) -> Any:
    """An argument of a claim, as the quick run has it."""
    (one,) = (one for one in claim_pages.written(key.partition(".")[0]) if one.key == key)
    return one.claim().arguments[name]
