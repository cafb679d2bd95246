"""Split pages of claims and of errata into blocks: an unindented line, the indented items below it, and words after --."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from bounds.pages.tokens import FORMAT, Mistake, Mistakes, check_characters

OPEN_ENDS = (",", "+", "-", "*", "/", "=")  # at the end of a line


@dataclass(frozen=True)
class Block:
    """One block of a page: an unindented line, and its items, each with the number of its first line."""

    line: int
    head: str
    items: tuple[tuple[int, str], ...] = ()

    @property
    def last(self) -> str:
        """The text of the last item, or the first line of the block if there are no items."""
        return self.items[-1][1] if self.items else self.head

    def with_continuation(self, line: str) -> Block:
        """Return a copy of the block in which the last item, or the first line if there is none, continues with this line."""
        if not self.items:
            return replace(self, head=f"{self.head}\n{line}")
        *before, (number, text) = self.items
        return replace(self, items=(*before, (number, f"{text}\n{line}")))

    def with_item(self, number: int, line: str) -> Block:
        """Return a copy of the block with one more item, which begins at line `number`."""
        return replace(self, items=(*self.items, (number, line)))


def split_blocks(text: str, mistakes: Mistakes) -> list[Block]:
    """Split the text of a page of claims or errata into a list of Blocks; lines that cannot be read are added to `mistakes`.

    A line continues the item above it inside brackets, after a comma or an operator, and where it begins with --.
    """
    lines = text.split("\n")
    if lines[0] != FORMAT:
        raise Mistake(1, 1, f"the first line must be {FORMAT!r}: the format and its version")
    found = list[Block]()
    for number, line in enumerate(lines[1:], start=2):
        try:
            check_characters(line, number)
        except Mistake as mistake:
            mistakes.add(mistake)
            continue
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        if found and is_incomplete(found[-1].last):
            found[-1] = found[-1].with_continuation(line)
        elif not line.startswith(" "):
            found.append(Block(number, line))
        elif not found:
            mistakes.add(Mistake(number, 1, "a page begins with a line that is not indented"))
        elif stripped.startswith("--"):
            found[-1] = found[-1].with_continuation(line)
        else:
            found[-1] = found[-1].with_item(number, line)
    return found


def is_incomplete(item: str) -> bool:
    """Return whether an item continues on the next line: a bracket is open, or it ends with a comma or an operator."""
    if item.lstrip().startswith("--") or " -- " in item:
        return False
    bare = re.sub(r'"(?:\\.|[^"\\])*"', "", item)
    return bare.endswith(OPEN_ENDS) or sum(map(bare.count, "([{")) > sum(map(bare.count, ")]}"))


def split_words(item: str) -> tuple[str, str]:
    """Return (text before the first "--", words after it); the words of several lines are joined by spaces."""
    first, *rest = item.split("\n")
    before, _, words = first.partition("--")
    after = [words, *(line.strip().removeprefix("--") for line in rest)]
    return before.strip(), " ".join(" ".join(after).split())
