"""What the modules of every paper do alike: they name letters as the paper does, and open statements under the paper's keys.

A paper makes one `Pages` of its key and its spelling, and its modules take `letters`, `keyed` and `stated` from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bounds.papers import PAPERS
from bounds.symbols import GLOSSARY
from bounds.theorem import Theorem


@dataclass(frozen=True)
class Pages:
    """The pages of one paper.

    paper   its key in `bounds.papers`
    names   the glossary's names by the paper's own, where the bare letter is another paper's there
    """

    paper: str
    names: Mapping[str, str] = field(default_factory=dict)

    def letters(self, names: str) -> tuple[Any, ...]:
        """Return the symbols of the paper's letters, or of the glossary's, for names separated by spaces."""
        return tuple(GLOSSARY[self.names.get(name, name)].symbol for name in names.split())

    def keyed(self, name: str, title: str, source: str, claim: str = "upper", **parts: Any) -> Theorem:
        """Return a statement, of the paper or ours; `name` is its key without the paper's."""
        return Theorem(key=f"{self.paper}.{name}", title=title, source=source, claim=claim, **parts)

    def stated(self, title: str, equations: str = "", claim: str = "upper", **parts: Any) -> Theorem:
        """Return a statement of the paper, "Lemma 3 (descent)": its key and its source follow from what the paper calls it."""
        called = title.partition(" (")[0]
        source = f"{PAPERS[self.paper].cited}, {called}" + (f", {equations}" if equations else "")
        return self.keyed(called.replace(" ", "").lower(), title, source, claim, **parts)
