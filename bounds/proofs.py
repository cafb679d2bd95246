"""The table of contents of the proofs: a proof is written out when it is first asked for, because most callers need statements only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from bounds.derivation import Derivation


class Proofs(Mapping[str, Derivation]):
    """Proof chains by key. `pages` holds, under each key, the function that writes the proof out; `written` what was asked for."""

    def __init__(self, pages: Mapping[str, Callable[[], Derivation]]) -> None:
        self.pages = dict(pages)
        self.written: dict[str, Derivation] = {}

    def __getitem__(self, key: str) -> Derivation:
        if key not in self.written:
            self.written[key] = self.pages[key]()
        return self.written[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.pages)

    def __len__(self) -> int:
        return len(self.pages)
