"""Pages of text as blocks of tokens: layout, characters and marks of the language, and mistakes with the place where they stand.

The language is defined in `docs/reference/page-language.md`. This module knows lines and marks, `bounds.pages.formulas` formulas and
`bounds.pages.tree` sections and items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches

FORMAT = "theory-page 1"
LONGEST_FILE, LONGEST_LINE, MOST_DIGITS = 200_000, 400, 40
CONSTANTS = ("pi", "e")
FUNCTIONS = {  # of how many arguments; None for two or more
    **dict.fromkeys(("sqrt", "exp", "log", "cos", "sin", "erf", "erfc", "ceil", "gamma_function"), 1),
    **{"min": None, "max": None, "incomplete_beta": 4},
}
INEQUALITIES = ("exponential", "decay", "cosine")
WORDS_OF_REASONS = (
    *("argued", "average", "by", "called", "case", "cited", "claimed", "defined", "equal", "from", "inserting", "meaning"),
    *("shown", "signs", "to", "tried", "unless", "using", "where", "with"),
)
FIRST_WORDS = ("known", "only", "scope")  # of an item, besides names
RESERVED = frozenset((*WORDS_OF_REASONS, *FIRST_WORDS, *CONSTANTS, *FUNCTIONS))
RELATIONS = ("<=", ">=", "=", "<", ">")

MARK = re.compile(
    r"(?P<space> +)|(?P<number>[0-9]+)|(?P<key>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<text>\"[^\"]*\")|(?P<sign><=|>=|[-+*/^(),:=<>~|\[\]])"
)


@dataclass(frozen=True)
class Token:
    """One mark of a page: its kind (a group of MARK, or "end"), its text, and where it stands, both counted from 1."""

    kind: str
    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return "the end of the item" if self.kind == "end" else repr(self.text)


@dataclass(frozen=True)
class Mistake(Exception):
    """What is wrong at a place of a page: line and column, counted from 1, and a sentence that says what was expected."""

    line: int
    column: int
    message: str


@dataclass(frozen=True)
class Block:
    """The head of a section, or an item: its tokens without spaces, of which the last one is the end."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Section:
    """A section: its head, and the blocks of its items; `lost` is how many more there are, with a mistake in their marks."""

    head: Block
    items: tuple[Block, ...]
    lost: int = 0


@dataclass(frozen=True)
class Mistakes:
    """The mistakes of one page, in the order of their lines."""

    found: list[Mistake] = field(default_factory=list)

    def add(self, mistake: Mistake) -> None:
        """Keep a mistake."""
        self.found.append(mistake)


class Mistaken(ValueError):
    """Mistakes of a page with their places, a few lines each: not to be run together into one sentence."""


class BadPage(ValueError):
    """A page that cannot be read: `mistakes`, and the text of each as a compiler shows it."""

    def __init__(self, name: str, text: str, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda one: (one.line, one.column)))
        lines = text.split("\n")
        super().__init__("\n".join(shown(name, lines, one) for one in self.mistakes))


def shown(name: str, lines: list[str], mistake: Mistake) -> str:
    """Return a mistake with its file, line and column, the line of the page, and a caret under the place."""
    line = lines[mistake.line - 1] if 0 < mistake.line <= len(lines) else ""
    line = "".join(one if one.isprintable() else "?" for one in line)
    return f"{name}:{mistake.line}:{mistake.column}: {mistake.message}\n    {line}\n    {' ' * (mistake.column - 1)}^"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the known names that may be meant, as the end of a sentence, "" if none is near."""
    found = get_close_matches(name, sorted(set(names)), n=3, cutoff=0.6)
    return f"; the nearest name{'s are' if len(found) > 1 else ' is'} {', '.join(found)}" if found else ""


def sections(text: str, mistakes: Mistakes) -> list[Section]:
    """Return the sections of a page, whose first line has the name of the format; what is no mark of the language is a mistake."""
    if len(text) > LONGEST_FILE:
        raise Mistake(1, 1, f"the page has {len(text)} characters: at most {LONGEST_FILE} are allowed")
    lines = text.split("\n")
    if lines[0] != FORMAT:
        raise Mistake(1, 1, f"the first line must be {FORMAT!r}: the format and its version")
    blocks: list[list[list[Token]]] = []
    for number, line in enumerate(lines[1:], start=2):
        stripped = line.strip(" ")
        try:
            visible(line, number)
            if not stripped or stripped.startswith("#"):
                continue
            tokens = marks(line, number)
        except Mistake as mistake:
            mistakes.add(mistake)
            first = MARK.match(stripped)
            kind = str(first.lastgroup) if first else "bad"
            tokens = [Token(kind, first.group() if first else "", number, 1), Token("bad", "", number, mistake.column)]
        if not line.startswith(" "):
            blocks.append([tokens])
        elif not blocks:
            mistakes.add(Mistake(number, 1, "a page begins with a section: a line that is not indented"))
        elif begins_item(tokens[0]):
            blocks[-1].append(tokens)
        else:
            blocks[-1][-1].extend(tokens)
    whole = ((head, [one for one in items if not _is_bad(one)], len(items)) for head, *items in blocks if not _is_bad(head))
    return [Section(block(head), tuple(map(block, items)), count - len(items)) for head, items, count in whole]


def _is_bad(tokens: list[Token]) -> bool:
    """Return whether a mistake stands in a block already, so that nothing more can be said of it."""
    return any(token.kind == "bad" for token in tokens)


def block(tokens: list[Token]) -> Block:
    """Return tokens with the end after them."""
    last = tokens[-1]
    return Block((*tokens, Token("end", "", last.line, last.column + len(last.text))))


def begins_item(token: Token) -> bool:
    """Return whether an indented line that begins with this token begins an item."""
    return token.kind == "name" and (token.text not in RESERVED or token.text in FIRST_WORDS)


def visible(line: str, number: int) -> None:
    """Raise Mistake for a line that is too long, or has a character that cannot be seen."""
    if len(line) > LONGEST_LINE:
        raise Mistake(number, LONGEST_LINE, f"the line has {len(line)} characters: at most {LONGEST_LINE} are allowed")
    for column, character in enumerate(line, start=1):
        if character == "\t":
            raise Mistake(number, column, "a tab: spaces are needed")
        if not character.isprintable():
            raise Mistake(number, column, f"the character U+{ord(character):04X} cannot be seen: it is not allowed")


def marks(line: str, number: int) -> list[Token]:
    """Return the tokens of a line; raise Mistake at the first character that has no place there."""
    formulas, dashes, words = line.partition("--")
    tokens, place = [], 0
    while place < len(formulas):
        found = MARK.match(formulas, place)
        if found is None:
            raise Mistake(number, place + 1, _no_mark(formulas[place]))
        kind, text = str(found.lastgroup), found.group()
        if kind == "number" and formulas[found.end() : found.end() + 1].isidentifier():
            raise Mistake(number, found.end() + 1, "a letter follows a digit: write 2 x for a product, and 10^9 for 1e9")
        if kind == "number" and len(text) > MOST_DIGITS:
            raise Mistake(number, place + 1, f"a number of {len(text)} digits: at most {MOST_DIGITS} are allowed")
        if kind == "text" and not (text.isascii() and text.strip('" ')):
            raise Mistake(number, place + 1, "LaTeX in ASCII characters is needed between the quotes")
        if kind != "space":
            tokens.append(Token(kind, text, number, place + 1))
        place = found.end()
    if dashes:
        if not words.strip():
            raise Mistake(number, len(formulas) + 1, "words are needed after --")
        tokens.append(Token("words", " ".join(words.split()), number, len(formulas) + 1))
    return tokens


def _no_mark(character: str) -> str:
    if character == ".":
        return "a decimal point: exact numbers are needed, write 1/2 for 0.5"
    if not character.isascii():
        return f"{character!r} (U+{ord(character):04X}) in a formula: formulas are written in ASCII characters, words follow --"
    return f"{character!r} has no place in a formula; words follow --"


class Cursor:
    """A place among the tokens of a block."""

    def __init__(self, block: Block) -> None:
        self.tokens, self.place = block.tokens, 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.place]

    def ahead(self, text: str, by: int = 0) -> bool:
        """Return whether the next token, or one after it, is this mark or word."""
        place = min(self.place + by, len(self.tokens) - 1)
        return self.tokens[place].text == text and self.tokens[place].kind in ("sign", "name")

    def kind(self, by: int = 0) -> str:
        """Return the kind of the next token, or of one after it; "reserved" for a reserved word."""
        token = self.tokens[min(self.place + by, len(self.tokens) - 1)]
        return "reserved" if token.kind == "name" and token.text in RESERVED else token.kind

    def step(self) -> Token:
        """Return the next token and go on."""
        token = self.token
        self.place += token.kind != "end"
        return token

    def taken(self, text: str) -> bool:
        """Go on and return True if the next token is this mark or word."""
        found = self.ahead(text)
        self.place += found
        return found

    def need(self, text: str, what: str = "") -> Token:
        """Go past this mark or word, or raise Mistake."""
        if not self.ahead(text):
            raise self.mistake(what or repr(text))
        return self.step()

    def name(self, what: str) -> str:
        """Return a name that is not reserved, or raise Mistake."""
        if self.kind() == "reserved":
            raise Mistake(self.token.line, self.token.column, f"{self.token.text!r} is a reserved word: {what} has another name")
        if self.kind() != "name":
            raise self.mistake(what)
        return self.step().text

    def key(self) -> str:
        """Return the key of a page, or raise Mistake."""
        if self.kind() != "key" or self.token.text.count(".") > 2:
            raise self.mistake("the key of a page, as dpzero.theorem3")
        return self.step().text

    def words(self) -> str:
        """Return the words that stand here, "" for none; those of lines that continue them are joined by a space."""
        found = []
        while self.token.kind == "words":
            found.append(self.step().text)
        return " ".join(found)

    def end(self, what: str = "the end of the item") -> None:
        """Raise Mistake if something is left."""
        if self.token.kind != "end":
            raise self.mistake(what)

    def mistake(self, expected: str) -> Mistake:
        """Return the mistake that something else stands here than what is expected."""
        return Mistake(self.token.line, self.token.column, f"{self.token} stands here: {expected} is needed")
