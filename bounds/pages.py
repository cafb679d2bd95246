"""What the pages of every paper do alike: they name letters as the paper does, and open statements and proofs under the paper's keys.

A paper makes one `Pages` of its key and its spelling, and its pages take `letters`, `stated` and `proved` from it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bounds.derivation import Derivation
from bounds.lines import Step, line
from bounds.papers import PAPERS
from bounds.symbols import GLOSSARY, introduce
from bounds.theorem import Theorem


@dataclass(frozen=True)
class Pages:
    """The pages of one paper.

    paper   its key in `bounds.papers`
    names   the glossary's names by the paper's own, where the bare letter is another paper's there
    """

    paper: str
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def spelled(self) -> dict[str, Any]:
        """What a text in the paper's letters means by them: symbols of the glossary."""
        return {name: GLOSSARY[known].symbol for name, known in self.names.items()}

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

    def proved(self, name: str, title: str, source: str, spelled: Mapping[str, Any] | None = None, **parts: Any) -> Derivation:
        """Return a proof chain of the paper, in its letters; `spelled` adds letters of its own."""
        called, letters = f"{PAPERS[self.paper].name}, {source}", {**self.spelled, **(spelled or {})}
        return Derivation(key=f"{self.paper}.{name}", title=title, source=called, spelled=letters, **parts)


def chance(name: str, latex: str, words: str) -> Any:
    """Return the letter for a probability of a proof, P(latex)."""
    return introduce(name, rf"\mathbb{{P}}({latex})", words, 0, 1, "probability")


def defined_by(values: Mapping[Any, Any], source: str) -> tuple[Step, ...]:
    """Return what each letter of a block of parameters is, as lines under the names of the letters."""
    return tuple(
        line(letter.name, letter, "=", value).says(f"{letter.name}, of {source}").defined(source) for letter, value in values.items()
    )
