"""Read pages of claims; the checks themselves are Python functions.

`paper_checks/PAPER/theorem3.page` has the claims about a statement, each with its source, words, expected outcome and check;
`docs/reference/claim-pages.md` defines the format. A page is read without the theory and the checks, so `list` and `show` are quick:
`written_claims` returns what the pages of a paper have, `claims` the same with the functions that check them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from bounds.pages.tokens import BadPage, Mistake, Mistakes, nearest
from paper_checks.pages.arguments import RESERVED, CheckCall, Reference, fill_placeholders, parse_call, parse_value
from paper_checks.pages.blocks import Block, split_blocks, split_words
from paper_checks.pages.standard import FORMS, read_question
from paper_checks.verdict import Claim, Kind, Outcome, Size

FOLDER = Path(__file__).parents[1]
STATED = {"claim": "printed", "reading": "reading", "question": "question"}
KINDS = {one.name.lower(): one for one in Kind}
OUTCOMES = {one.name.lower(): one for one in Outcome}
WORDS = {"source": "source", "says": "words", "formula": "latex", "instead_formula": "correction_latex"}  # items, and fields of a claim
ITEMS = (*WORDS, "expect", "instead", "proofs", "shares", "check", *FORMS, "only")
NEEDED = ("source", "says", "expect")
NAME = re.compile(r"[A-Za-z]\w*")
KEY = re.compile(r"[A-Za-z]\w*(\.[\w-]+)+")


@dataclass(frozen=True)
class WrittenClaim:
    """A claim as its page has it: fields of `Claim` by name, the call of its check, and the file and line where it is."""

    given: Mapping[str, Any]
    call: CheckCall
    file: Path
    line: int

    @property
    def key(self) -> str:
        """The key of the claim."""
        return str(self.given["key"])

    @property
    def check(self) -> tuple[str, str]:
        """The path of the function that checks the claim, as (module, name)."""
        return resolve_path(self.call.function, self.key)

    def claim(self) -> Claim:
        """Return the Claim with its check function; raise BadPage if the function is missing or does not take the arguments."""
        examine = self.find_named(*self.check)
        resolved = {argument: self.resolve_references(one) for argument, one in self.call.arguments.items()}
        quick = {argument: one.quick if isinstance(one, Size) else one for argument, one in resolved.items()}
        full = {argument: one.full for argument, one in resolved.items() if isinstance(one, Size)}
        takes = {**signature(examine, follow_wrapped=False).parameters, **signature(examine).parameters}
        more = any(one.kind is Parameter.VAR_KEYWORD for one in signature(examine).parameters.values())
        if unknown := next((argument for argument in quick if argument not in takes and not more), ""):
            raise self.mistake(f"{self.call.function} takes no {unknown}{nearest(unknown, takes)}")
        return Claim(examine=examine, arguments=quick, full=full, **self.given)

    def resolve_references(self, given: Any) -> Any:
        """Return a value of the page with every Reference in it replaced by its object; raise BadPage if there is none."""
        if isinstance(given, Reference) and given.path.startswith("printed."):
            return self.printed(given.path.removeprefix("printed."))
        if isinstance(given, Reference):
            found = self.find_named(*resolve_path(given.path, self.key))
            if given.entry is None:
                return found
            if given.entry not in found:
                raise self.mistake(f"{given.path} has no entry {given.entry!r}{nearest(str(given.entry), map(str, found))}")
            return found[given.entry]
        if isinstance(given, Size):
            return Size(self.resolve_references(given.quick), self.resolve_references(given.full))
        if isinstance(given, tuple):
            return tuple(map(self.resolve_references, given))
        if isinstance(given, dict):
            return {self.resolve_references(key): self.resolve_references(one) for key, one in given.items()}
        return given

    def printed(self, name: str) -> Any:
        """Return a printed formula of the paper by name, as a SymPy expression; raise BadPage if its pages have no such name."""
        from paper_checks.pages.as_printed import printed  # imported here: it needs SymPy

        formulas = printed(self.key.partition(".")[0])
        if name not in formulas:
            raise self.mistake(f"printed.{name}: no formula has this name{nearest(name, formulas)}")
        return formulas[name]

    def find_named(self, module: str, name: str) -> Any:
        """Return the object of a name in a module; raise BadPage if there is none."""
        try:
            known = vars(import_module(module))
        except ModuleNotFoundError:
            raise self.mistake(f"{module}: there is no such module") from None
        if name not in known:
            raise self.mistake(f"{module} has no {name}{nearest(name, known)}")
        return known[name]

    def mistake(self, message: str) -> BadPage:
        """Return a BadPage error with the claim's key and a message, at the first line of the claim."""
        text = self.file.read_text(encoding="utf-8")
        return BadPage(page_path(self.file), text, [Mistake(self.line, 1, f"{self.key}: {message}")])


def page_path(file: Path) -> str:
    """Return the path of a page relative to the project root, as text."""
    return f"{FOLDER.name}/{file.relative_to(FOLDER).as_posix()}"


def resolve_path(path: str, key: str) -> tuple[str, str]:
    """Return (module, name) for a path on a claim's page: a check of its own paper, of `paper_checks`, or an object of `bounds`."""
    module, _, name = path.rpartition(".")
    first, _, rest = module.partition(".")
    if first == "bounds":  # a function of the theory may be an argument of a check
        return module, name
    own = check_modules(key.partition(".")[0]).get(first)
    return f"{FOLDER.name}.{module}" if own is None else own + (f".{rest}" if rest else ""), name


@cache
def check_modules(paper: str) -> dict[str, str]:
    """Return {file name without .py: dotted module name} of all modules of a paper's checks; no file name occurs twice."""
    files = sorted((FOLDER / paper).rglob("*.py"))
    return {file.stem: ".".join([FOLDER.name, *file.relative_to(FOLDER).with_suffix("").parts]) for file in files}


def page_files(paper: str) -> tuple[Path, ...]:
    """Return the files of a paper's pages of claims as a tuple, in the order of PAGES in its package."""
    files = {file.stem: file for file in (FOLDER / paper).rglob("*.page")}
    return tuple(files[name] for name in import_module(f"{FOLDER.name}.{paper}").PAGES.split())


@cache
def written_claims(paper: str) -> tuple[WrittenClaim, ...]:
    """Return the claims on a paper's pages, their checks not yet imported; raise BadPage for mistakes and for a key that occurs twice."""
    found = dict[str, WrittenClaim]()
    for one in (one for file in page_files(paper) for one in read_claims(file)):
        if one.key in found:
            raise one.mistake(f"this key stands in {page_path(found[one.key].file)} already; another is needed")
        found[one.key] = one
    return tuple(found.values())


def claims(paper: str) -> tuple[Claim, ...]:
    """Return all Claims of a paper with their check functions, in the order of its pages; raise BadPage for a mistake on a page."""
    return tuple(one.claim() for one in written_claims(paper))


def read_claims(file: Path) -> tuple[WrittenClaim, ...]:
    """Return the WrittenClaims of one page of claims; raise BadPage, which lists all mistakes of the page."""
    text, mistakes = file.read_text(encoding="utf-8"), Mistakes()
    found = list[WrittenClaim]()
    try:
        for one in PageReader(file, mistakes).claims(split_blocks(text, mistakes)):
            found.append(one)
    except Mistake as mistake:
        mistakes.add(mistake)
    if mistakes.found:
        raise BadPage(page_path(file), text, mistakes.found)
    return tuple(found)


class PageReader:
    """The reader of one page of claims: the values that it has named so far, and its mistakes."""

    def __init__(self, file: Path, mistakes: Mistakes) -> None:
        self.file, self.mistakes = file, mistakes
        self.paper = file.relative_to(FOLDER).parts[0] if file.is_relative_to(FOLDER) else file.parent.name
        self.lets: dict[str, Any] = {}
        self.columns: tuple[str, ...] = ()
        self.rows: list[tuple[Any, ...]] = []

    def claims(self, of: list[Block]) -> Iterator[WrittenClaim]:
        """Yield the WrittenClaims of a page's blocks in order; mistakes in blocks are collected in `mistakes`."""
        if not of or not re.fullmatch(r"claims +[\w.]+", split_words(of[0].head)[0]):
            raise Mistake(of[0].line if of else 1, 1, "the page begins with 'claims KEY -- title'")
        for block in of[1:]:
            try:
                yield from self.block(block)
            except Mistake as mistake:
                self.mistakes.add(mistake)
        if self.rows:
            self.mistakes.add(Mistake(of[-1].line, 1, "a claim is needed below the rows of 'for'"))

    def block(self, block: Block) -> Iterator[WrittenClaim]:
        """Yield the WrittenClaims of one block; a `let` value and the rows of a `for` table are stored for later blocks."""
        word = block.head.partition(" ")[0]
        if word == "let":
            name = block.head.removeprefix("let").partition("=")[0]
            before, sign, after = block.head.partition("=")
            if not sign or not NAME.fullmatch(name.strip()) or block.items:
                raise Mistake(block.line, 1, "'let NAME = value' is needed, the value in brackets where it takes several lines")
            self.lets[self.check_new_name(name.strip(), block.line)] = parse_value(f"{' ' * len(before)} {after}", block.line, self.lets)
        elif word == "for":
            columns = tuple(self.check_new_name(one.strip(), block.line) for one in block.head.removeprefix("for").split(","))
            if not block.items or len({*columns}) < len(columns):
                raise Mistake(block.line, 1, "different names, and a row of values below them for each claim, are needed")
            self.rows = [self.read_row(line, item, columns) for line, item in block.items]
            self.columns = columns
        elif word in STATED:
            rows, columns = self.rows or [()], self.columns
            self.rows, self.columns = [], ()
            for row in rows:
                yield self.read_claim(block, {**self.lets, **dict(zip(columns, row, strict=True))})
        elif word == "printed":
            if len(split_words(block.head)[0].split()) > 2 or not split_words(block.head)[1] or not block.items:
                raise Mistake(block.line, 1, "'printed -- words' or 'printed STATEMENT -- words' is needed, with formulas below it")
        else:
            raise Mistake(block.line, 1, f"{word!r} stands here: claim, reading, question, printed, for or let is needed")

    def check_new_name(self, name: str, line: int) -> str:
        """Return the name of a new value; raise Mistake if it is no identifier, or in use."""
        if not NAME.fullmatch(name) or name in self.lets or name in RESERVED:
            raise Mistake(line, 1, f"{name!r}: a name that nothing on this page has, and that no number or function has, is needed")
        return name

    def read_row(self, line: int, item: str, columns: tuple[str, ...]) -> tuple[Any, ...]:
        """Return one row of a `for` table as a tuple, a value for each column; raise Mistake if their numbers differ."""
        found = parse_value(f"{item},", line, self.lets)
        if len(found) != len(columns):
            raise Mistake(line, 1, f"{len(found)} values stand here: {len(columns)} are needed, for {', '.join(columns)}")
        return tuple(found)

    def read_claim(self, block: Block, names: Mapping[str, Any]) -> WrittenClaim:
        """Return the WrittenClaim of one block; `names` are the values of the page and of one row, for placeholders."""
        head = re.fullmatch(r"(\w+) +(\S+): *(\w+)", block.head)
        if not head:
            raise Mistake(block.line, 1, "'claim KEY: kind' is needed")
        stated, key, kind = head.groups()
        key = fill_placeholders(key, names, block.line)
        if not KEY.fullmatch(key) or key.partition(".")[0] != self.paper:
            raise Mistake(block.line, head.start(2) + 1, f"{key!r} is no key of this paper, such as {self.paper}.theorem3.privacy")
        if kind not in KINDS:
            raise Mistake(block.line, head.start(3) + 1, f"{kind!r} is no kind: {', '.join(KINDS)}{nearest(kind, KINDS)}")
        given: dict[str, Any] = {"key": key, "kind": KINDS[kind], "stated": STATED[stated]}
        named, seen = tuple[str, ...](), set[str]()
        call: CheckCall | None = None
        for line, item in block.items:
            name = item.split(maxsplit=1)[0]
            if name not in ITEMS or name in seen:
                wrong = "stands here twice" if name in seen else f"is no item: {', '.join(ITEMS)}{nearest(name, ITEMS)}"
                raise Mistake(line, item.index(name) + 1, f"{name!r} {wrong}")
            seen.add(name)
            if name in ("check", *FORMS):
                if call:
                    raise Mistake(line, item.index(name) + 1, f"{name!r} stands here: a claim has one check")
                call, named = self.read_check(name, item, line, names)
            else:
                given |= self.read_item(name, item, line, names)
        if missing := [name for name in NEEDED if name not in seen]:
            raise Mistake(block.line, 1, f"{key} has no {' and no '.join(missing)}")
        if call is None:
            raise Mistake(block.line, 1, f"{key} has no check: check module.function(name = value, ...), or one of {', '.join(FORMS)}")
        if named and "derivations" in given:
            raise Mistake(block.line, 1, f"{key}: its check names its proofs already, so 'proofs' is not needed")
        return WrittenClaim(given | ({"derivations": named} if named else {}), call, self.file, block.line)

    def read_check(self, name: str, item: str, line: int, names: Mapping[str, Any]) -> tuple[CheckCall, tuple[str, ...]]:
        """Return (CheckCall, keys of proofs) for a check or standard question; a check names no proofs here, the keys are ()."""
        if name == "check":
            return parse_call(item.replace("check", "     ", 1), line, names), ()
        return read_question(item, line, self.paper, names)

    def read_item(self, name: str, item: str, line: int, names: Mapping[str, Any]) -> dict[str, Any]:
        """Return {field of Claim: value} for an item that is no check; raise Mistake if its format is wrong."""
        before, after = split_words(item)
        said, rest = fill_placeholders(after, names, line), before.removeprefix(name).strip()
        if name in WORDS:
            if rest or not said:
                raise Mistake(line, 1, f"'{name} -- words' is needed")
            return {WORDS[name]: said}
        if name == "expect":
            if rest not in OUTCOMES or not said:
                raise Mistake(line, 1, f"'expect outcome -- why' is needed, with one of {', '.join(OUTCOMES)}{nearest(rest, OUTCOMES)}")
            return {"expected": OUTCOMES[rest], "why": said}
        if name == "instead":
            by = re.fullmatch(r"(?:by +(\S+))?", rest)
            if not by or not (said or by[1]):
                raise Mistake(line, 1, "'instead -- words' or 'instead by KEY -- words' is needed")
            return {"correction": said, "repaired_by": fill_placeholders(by[1] or "", names, line)}
        if name == "proofs":
            keys = tuple(fill_placeholders(one.strip(), names, line) for one in rest.split(","))
            if said or not all(map(KEY.fullmatch, keys)):
                raise Mistake(line, 1, "'proofs KEY, KEY' is needed")
            return {"derivations": keys}
        if name == "shares":
            if rest or not said:
                raise Mistake(line, 1, "'shares -- the name of an experiment' is needed")
            return {"together": said}
        if rest != "in full runs" or said:
            raise Mistake(line, 1, "'only in full runs' is needed")
        return {"needs_full": True}
