"""Lexer of pages: splits the text into sections, items and tokens, and reports mistakes with their positions.

The language is defined in `docs/reference/page-language.md`. This module handles lines and tokens, `bounds.pages.formulas` formulas, and
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
FUNCTIONS = {  # number of arguments; None means two or more
    **dict.fromkeys(("sqrt", "exp", "log", "cos", "sin", "erf", "erfc", "ceil", "gamma_function"), 1),
    **{"min": None, "max": None, "incomplete_beta": 4},
}
INEQUALITIES = ("exponential", "decay", "cosine")
WORDS_OF_REASONS = (
    *("argued", "average", "by", "called", "case", "cited", "claimed", "defined", "equal", "from", "inserting", "meaning"),
    *("shown", "signs", "to", "tried", "unless", "using", "where", "with"),
)
FIRST_WORDS = ("known", "only", "scope")  # with which an item may begin, besides names
RESERVED = frozenset((*WORDS_OF_REASONS, *FIRST_WORDS, *CONSTANTS, *FUNCTIONS))
RELATIONS = ("<=", ">=", "=", "<", ">")

MARK = re.compile(
    r"(?P<space> +)|(?P<number>[0-9]+)|(?P<key>[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)+)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9_]*)|(?P<text>\"[^\"]*\")|(?P<sign><=|>=|[-+*/^(),:=<>~|\[\]])"
)


@dataclass(frozen=True)
class Token:
    """One token of a page: its kind (a group of MARK, "words" or "end"), its text, and its line and column, counted from 1."""

    kind: str
    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return "the end of the item" if self.kind == "end" else repr(self.text)


@dataclass(frozen=True)
class Mistake(Exception):
    """One mistake on a page: line and column, counted from 1, and a sentence that tells what was expected."""

    line: int
    column: int
    message: str


@dataclass(frozen=True)
class Block:
    """Tokens of the head of a section, or of an item, without spaces; the last one is the end."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True)
class Section:
    """A section: its head and the blocks of its items; `lost` counts further items that could not be split into tokens."""

    head: Block
    items: tuple[Block, ...]
    lost: int = 0


@dataclass(frozen=True)
class Mistakes:
    """The mistakes found on one page, in the order of their lines."""

    found: list[Mistake] = field(default_factory=list)

    def add(self, mistake: Mistake) -> None:
        """Append a mistake to the list `found`."""
        self.found.append(mistake)


class PageErrors(ValueError):
    """Error for mistakes on pages whose message has several lines, which must not be joined into one sentence."""


class BadPage(ValueError):
    """Error for a page that cannot be read: `mistakes`, and a message that shows each as a compiler does."""

    def __init__(self, name: str, text: str, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(sorted(mistakes, key=lambda one: (one.line, one.column)))
        lines = text.split("\n")
        super().__init__("\n".join(mistake_text(name, lines, one) for one in self.mistakes))


def mistake_text(name: str, lines: list[str], mistake: Mistake) -> str:
    """Return a mistake as text: file, line and column, message, the line of the page, and a caret under the position."""
    line = lines[mistake.line - 1] if 0 < mistake.line <= len(lines) else ""
    line = "".join(one if one.isprintable() else "?" for one in line)
    return f"{name}:{mistake.line}:{mistake.column}: {mistake.message}\n    {line}\n    {' ' * (mistake.column - 1)}^"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the known names that are similar, as the end of a sentence ("; the nearest name is ..."); "" if none is."""
    found = get_close_matches(name, sorted(set(names)), n=3, cutoff=0.6)
    return f"; the nearest name{'s are' if len(found) > 1 else ' is'} {', '.join(found)}" if found else ""


def split_sections(text: str, mistakes: Mistakes) -> list[Section]:
    """Split the text of a page into sections; what is no token of the language is added to `mistakes`.

    The first line must be FORMAT. Raises Mistake where it is not, or if the page is too long.
    """
    if len(text) > LONGEST_FILE:
        raise Mistake(1, 1, f"the page has {len(text)} characters: at most {LONGEST_FILE} are allowed")
    lines = text.split("\n")
    if lines[0] != FORMAT:
        raise Mistake(1, 1, f"the first line must be {FORMAT!r}: the format and its version")
    blocks: list[list[list[Token]]] = []
    for number, line in enumerate(lines[1:], start=2):
        stripped = line.strip(" ")
        try:
            check_characters(line, number)
            if not stripped or stripped.startswith("#"):
                continue
            tokens = tokenize_line(line, number)
        except Mistake as mistake:
            mistakes.add(mistake)
            first = MARK.match(stripped)
            kind = str(first.lastgroup) if first else "bad"
            tokens = [Token(kind, first.group() if first else "", number, 1), Token("bad", "", number, mistake.column)]
        if not line.startswith(" "):
            blocks.append([tokens])
        elif not blocks:
            mistakes.add(Mistake(number, 1, "a page begins with a section: a line that is not indented"))
        elif can_begin_item(tokens[0]):
            blocks[-1].append(tokens)
        else:
            blocks[-1][-1].extend(tokens)
    whole = ((head, [one for one in items if not _is_bad(one)], len(items)) for head, *items in blocks if not _is_bad(head))
    return [Section(end_block(head), tuple(map(end_block, items)), count - len(items)) for head, items, count in whole]


def _is_bad(tokens: list[Token]) -> bool:
    """Return whether a block already contains a mistake, so that nothing more can be reported about it."""
    return any(token.kind == "bad" for token in tokens)


def end_block(tokens: list[Token]) -> Block:
    """Return a block of the tokens, with an end token after them."""
    last = tokens[-1]
    return Block((*tokens, Token("end", "", last.line, last.column + len(last.text))))


def can_begin_item(token: Token) -> bool:
    """Return whether an indented line that begins with this token begins an item."""
    return token.kind == "name" and (token.text not in RESERVED or token.text in FIRST_WORDS)


def check_characters(line: str, number: int) -> None:
    """Check one line: raise Mistake if it is too long, or has a tab or an invisible character."""
    if len(line) > LONGEST_LINE:
        raise Mistake(number, LONGEST_LINE, f"the line has {len(line)} characters: at most {LONGEST_LINE} are allowed")
    for column, character in enumerate(line, start=1):
        if character == "\t":
            raise Mistake(number, column, "a tab: spaces are needed")
        if not character.isprintable():
            raise Mistake(number, column, f"the character U+{ord(character):04X} cannot be seen: it is not allowed")


def tokenize_line(line: str, number: int) -> list[Token]:
    """Split one line into tokens; raise Mistake at the first character that is not allowed."""
    formulas, dashes, words = line.partition("--")
    tokens, place = [], 0
    while place < len(formulas):
        found = MARK.match(formulas, place)
        if found is None:
            raise Mistake(number, place + 1, _bad_character_message(formulas[place]))
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


def _bad_character_message(character: str) -> str:
    """Return the message for a character that begins no token."""
    if character == ".":
        return "a decimal point: exact numbers are needed, write 1/2 for 0.5"
    if not character.isascii():
        return f"{character!r} (U+{ord(character):04X}) in a formula: formulas are written in ASCII characters, words follow --"
    return f"{character!r} has no place in a formula; words follow --"


class Cursor:
    """Position among the tokens of a block, with methods that read tokens and move forward."""

    def __init__(self, block: Block) -> None:
        self.tokens, self.place = block.tokens, 0

    @property
    def token(self) -> Token:
        """The next token of the block, which is not yet read; the end token after the last."""
        return self.tokens[self.place]

    def next_is(self, text: str, by: int = 0) -> bool:
        """Return whether the next token, or the one `by` places after it, is this sign or word."""
        place = min(self.place + by, len(self.tokens) - 1)
        return self.tokens[place].text == text and self.tokens[place].kind in ("sign", "name")

    def kind(self, by: int = 0) -> str:
        """Return the kind of the next token, or of the one `by` places after it; "reserved" for a reserved word."""
        token = self.tokens[min(self.place + by, len(self.tokens) - 1)]
        return "reserved" if token.kind == "name" and token.text in RESERVED else token.kind

    def step(self) -> Token:
        """Return the next token and move past it; the end token is never passed."""
        token = self.token
        self.place += token.kind != "end"
        return token

    def accept(self, text: str) -> bool:
        """Move past the next token and return True if it is this sign or word; otherwise return False."""
        found = self.next_is(text)
        self.place += found
        return found

    def expect(self, text: str, what: str = "") -> Token:
        """Move past this sign or word and return its token; raise Mistake if something else comes next."""
        if not self.next_is(text):
            raise self.mistake(what or repr(text))
        return self.step()

    def name(self, what: str) -> str:
        """Read and return a name that is no reserved word; raise Mistake, which asks for `what`, if none comes next."""
        if self.kind() == "reserved":
            raise Mistake(self.token.line, self.token.column, f"{self.token.text!r} is a reserved word: {what} has another name")
        if self.kind() != "name":
            raise self.mistake(what)
        return self.step().text

    def key(self) -> str:
        """Read and return the key of a page, such as dpzero.theorem3; raise Mistake if none comes next."""
        if self.kind() != "key" or self.token.text.count(".") > 2:
            raise self.mistake("the key of a page, as dpzero.theorem3")
        return self.step().text

    def words(self) -> str:
        """Read and return the words that come next, joined by spaces over continued lines; "" if there are none."""
        found = []
        while self.token.kind == "words":
            found.append(self.step().text)
        return " ".join(found)

    def end(self, what: str = "the end of the item") -> None:
        """Check that no token is left in the block; raise Mistake otherwise."""
        if self.token.kind != "end":
            raise self.mistake(what)

    def mistake(self, expected: str) -> Mistake:
        """Return a Mistake at the next token that tells what was expected in its place."""
        return Mistake(self.token.line, self.token.column, f"{self.token} stands here: {expected} is needed")
