"""A second, independent checker of pages: it reads the texts itself, trusts nothing else, and shares no code with the first.

    python recheck.py FILE...        every line that is not confirmed, with its file and key; exit status 1 if there are any
    check(texts, *keys)              the same as {key: {line: why it is not confirmed, "" if it is}}
    rests_on(texts, key)             the files of all pages that a page rests on, and the SHA-256 of their texts

page-language.md defines the language. Five parts: the reader parses a text into a tree; pages turn the formulas of a tree into formulas in
symbols that all pages share; the algebra knows signs, and when two formulas are equal; a proof checks its lines; then all pages.

A line is confirmed if what it rests on is confirmed, nothing rests on itself, it claims something, and if it is

  assumed    on the page, or in a `case`: whoever uses a line that rests on it must have the same line
  a limit    of a symbol by its domain, of symbols that the page does not define
  a meaning  on a page of facts. These pages are believed, and named in what is printed: they define what symbols stand for
  defined    once and not through itself: not a constant, with the sign that the symbol is declared with (`signs` name the lines that imply
             it, none too many), and a symbol that stands for nothing else: not one of a run or an average, of a meaning, or of the
             statement, unless the statement (`where`, `schedule`) or a page of facts defines it so; by numbers only, if it is a number
             that is chosen
  from       another page: a line that is confirmed there and no assumption there, the same after symbols are replaced by values of their
             signs, whose assumptions, cases and meanings hold here and whose definitions that matter here are made here. Quantities, and
             all symbols if the line rests on words, meanings or averages, are replaced (or newly defined) only as that page's `instances`
             and `open` allow
  by         a sum: the larger side minus the smaller one is the sum of the terms, after the equalities that are inserted; a term with an
             equality as a factor is 0, all others are known to be at least 0, every term is finite, one of them is positive if the line is
             strict. One line alone that is accepted without proof (assumed, limit, case, meaning, defined) is no reason. No denominator of
             the line may be 0, logarithms exist (by signs, by a line that is used, an assumption, a limit or a meaning). Its words name
             one of its symbols or use a word of its description
  equal, inserting      the same without terms
  average    of a line over the steps: linear in what changes from step to step, which is averaged or telescopes along a run
  cited, argued         no proof: such a line is accepted as it stands, and counted. It may rest on lines, which must be confirmed

A theorem is proved if its last line is the bound, if some line is the bound for any schedule, and if each part that is shown by a line is
that line; if all that these rest on is confirmed, and on no case that the part does not name. At an example, all assumptions hold with a
margin, by balls that are certain to contain the values. Known are the functions exp, log, erf, erfc, sin, cos, min, max, ceil and roots: a
line with another one is refused, unless it is assumed, cited or argued.
"""

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, reduce
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from flint import Ordering, arb, ctx, fmpq, fmpq_mpoly_ctx, fmpz

sys.setrecursionlimit(5000)
Tree = Any  # a formula: a name, or a list of a head and its parts, as ["+", "x", ["q", "1/2"]]
Item = dict[str, Any]  # an item or a section of a page, with its parts by their names
Token = tuple[str, str, int]  # kind, text, and the line where it stands
ZERO, ONE, MINUS = ["q", "0"], ["q", "1"], ["q", "-1"]
RELATED = ("next", "first", "last", "average")
KEY = r"^(?:theorem|lemma|symbols|facts) +([A-Za-z][A-Za-z0-9_.]*)"


class Refused(ValueError):
    """Error for a text that is no page, or a line that does not hold; the message has the reason, for a text with its line."""


def require(holds: object, otherwise: str) -> None:
    """Raise Refused with the message `otherwise` unless the condition `holds` is true."""
    if not holds:
        raise Refused(otherwise)


def is_name(tree: Tree) -> bool:
    """Return whether a tree is a name (a string) and not a list of a head and its parts."""
    return isinstance(tree, str)


def rational_value(tree: Tree) -> Fraction | None:
    """Return the value of a tree that is a rational number, as a Fraction; None for any other tree."""
    return Fraction(tree[1]) if not is_name(tree) and tree[0] == "q" else None


# --- 1. The reader: from a text to a tree -------------------------------------------------------------------------------------------------


def table_rows(text: str) -> dict[str, str]:
    """Parse a table whose rows are lines, or separated by ";"; return {first word: rest of the row}."""
    return {first: rest.strip() for first, _, rest in (row.strip().partition(" ") for row in re.split("[;\n]", text.strip()))}


NAME = "[A-Za-z][A-Za-z0-9_]*"
TOKEN = rf"""(?x) (?P<space>\ +) | (?P<key>{NAME}(\.{NAME}){{1,2}}) | (?P<name>{NAME}) | (?P<number>[0-9]{{1,40}}(?![0-9A-Za-z_]))
    | "(?P<string>[\ ]*[!\#-~][\ !\#-~]*)" | (?P<sign><=|>=|[=<>~+*/^()\[\],:|-]) | (?P<bad>.)"""
FUNCTIONS = table_rows("sqrt 1; exp 1; log 1; cos 1; sin 1; erf 1; erfc 1; ceil 1; gamma_function 1; min 2; max 2; incomplete_beta 4")
KEYWORDS = table_rows("""argued; average; by; called; case; cited; claimed; defined; equal; from; inserting; known; meaning; only; scope
    shown; signs; to; tried; unless; using; where; with""")
RESERVED = (*KEYWORDS, *FUNCTIONS, "pi", "e")
RELATIONS = ("=", "<=", ">=", "<", ">")
INEQUALITIES = {  # functions in a reason, not negative: exponential and cosine for every real x, decay for x >= 0
    "exponential": ["+", ["exp", "x"], MINUS, ["*", MINUS, "x"]],
    "decay": ["+", ONE, ["*", MINUS, ["exp", ["*", MINUS, "x"]]]],
    "cosine": ["+", ["*", ["q", "1/2"], ["^", "x", ["q", "2"]]], ["cos", "x"], MINUS],
}

# A pattern says what is read: words and signs stand for themselves, a word with ! is also true in the tree, key=WHAT reads WHAT into it
# (at_most is `at most`). What stands in [...] is left out unless its first word comes next. WHAT, is a list, WHAT,, one of different names.
# WHAT is a token, a sequence of this table (a|b reads one of these texts, which stays in the tree), or what a method of Cursor reads.
SEQUENCES = table_rows("""
    FORMULA  SUM =|<=|>=|<|> SUM      ;  EQUALITY   NAME =| SUM                   ;  DEFINITION  NAME =|<= SUM
    LIMIT    NAME <=| SUM             ;  NUMERICAL  NAME =|<=|>=|<|>|~ SUM        ;  BOUND       NAME? =|<=|~ SUM
    PRIVACY  NAME?    <=| SUM         ;  TRIVIAL    bound|trivial =| SUM          ;  VALUE       NAME = SUM
    RANGE    SUM to SUM               ;  SEARCH     NAME from SUM to SUM          ;  PAIR        HYPOTHESIS = HYPOTHESIS
    UNLESS   averaged|known NAME      ;  CHOICE     either|floor                  ;  PARTIAL     partial|
    METHOD   NAME
""")
# The sections in their order: the kinds of pages (t, l, s, f) that may have them, q if items may be quoted, 0 if there may be none; then
# the patterns of the head, of the items, and of items whose name is not followed by = or <=, where these differ.
SYMBOL, FACT, DEFINED = "name=NAME : domain=DOMAIN words=WORDS", "name=NAME : formula=FORMULA", "formula=DEFINITION [signs signs=LINE,]"
SAID, PROVED = "[words=WORDS]", "[words=WORDS] reason=REASON [why=WORDS]"
CALLED = "[called called=STRING] [words=WORDS]"
NUMBER = f"formula=NUMERICAL {CALLED}"
STEP = f"formula=EQUALITY {PROVED} / name=NAME [( equation=TAG )] [: formula=FORMULA] {PROVED}"
TABLE = f"""
    source         tlsf  / words=WORDS
    uses           tlsf  / keys=KEY,
    method         tl    / names=METHOD {SAID}
    setting        tlfq  /                            / name=NAME words=WORDS
    constants      tls   /                            / {SYMBOL}
    choices        s     /                            / {SYMBOL}
    abbreviations  s     /                            / {SYMBOL}
    quantities     s     /                            / {SYMBOL}
    symbols        tlf   /                            / {SYMBOL}
    let            tlf   /                            / name=NAME [( parameters=NAME,, )] = formulas=VARIANTS {SAID}
    assume         tlfq  /                            / {FACT} {SAID}
    where          tlfq  /                            / {DEFINED} {SAID}
    schedule       tlfq  /                            / {DEFINED} {SAID} / name=NAME : formula=LIMIT {SAID}
    bound          t     / formula=BOUND {SAID}
    privacy        t     / formula=PRIVACY words=WORDS
    any_schedule   t0    / value=SUM                  / {FACT} {SAID}
    per_step       t     / line=LINE
    integer_T      t0    / names=CHOICE               / formula=TRIVIAL {SAID}
    parts          t     /                            / {NUMBER} / {FACT} [where cases=FORMULA,] [shown by shown=LINE] {CALLED}
    numbers        t     /                            / {NUMBER}
    conditions     tlfq  /                            / [scope!] {FACT} words=WORDS
    example        tl    /                            / values=VALUE,,
    notes          tlfq  /                            / name=NAME words=WORDS
    instances      tl    /                            / name=NAME : values=VALUE,,
    open           tl    / names=NAME,
    proved         tl    / words=WORDS
    given          tlfq  /                            / {STEP}
    proof          tl    / [names=PARTIAL] {SAID}     / {STEP}
"""
SECTIONS = {name: [column.strip() for column in f"{row} / / /".split(" /")[:4]] for name, row in table_rows(TABLE).items()}
DOMAINS = table_rows("real; at least low=LOW; above low=LOW; probability; positive probability; integer at least low=LOW")
PROPERTIES = table_rows("""at most at_most=NAME; of a step!; may be set!; next next=NAME; first first=NAME; last last=NAME;
    average average=NAME; tried tried=RANGE; written written=STRING; as as=NAME""")
REASONS = table_rows("""by terms=TERMS [inserting inserting=LINE,]; equal; inserting lines=LINE,; average of line=LINE; case; meaning
    cited [using lines=LINE,]; argued [using lines=LINE,]; from [line=LINE of] page=KEY [with with=VALUE,,] [where where=PAIR,,]
    defined [signs signs=LINE,] [unless unless=UNLESS]""")
OF_SYMBOLS = [section for section, (kinds, *_) in SECTIONS.items() if kinds in ("s", "tls")]
QUOTABLE = [section for section, (kinds, *_) in SECTIONS.items() if "q" in kinds]


class Cursor:
    """A recursive-descent parser at a position in the tokens of one block, which is the head of a section or one of its items.

    Words in capitals in a pattern are read by `_name` and so on.
    """

    def __init__(self, tokens: list[Token], page: Item, variants: Iterable[str] = ()) -> None:
        self.tokens: list[Token] = [*tokens, ("end", "the end", tokens[-1][2])]
        self.page, self.variants, self.in_reason = page, list(variants), False
        self.place = self.depth = self.parts = 0
        self.only: Item = {}
        if self.skip_text("only"):  # narrows the variants; on a page of several variants only
            self.only = self.fill("only=NAME,, :")
            self.need(len(page["lets"]) > 1 and {*self.only["only"]} <= {*variants}, "no variant of this page that may stand here")
            self.variants = self.only["only"]

    def need(self, holds: object, otherwise: str) -> None:
        """Raise Refused with the message `otherwise`, and the line of the next token, unless the condition `holds` is true."""
        require(holds, f"line {self.tokens[self.place][2]}: {otherwise}")

    def has(self, kind: str) -> bool:
        """Return whether the next token is of this kind, such as "name", "number", "sign" or "end"."""
        return self.tokens[self.place][0] == kind

    def at(self, *texts: str) -> bool:
        """Return whether the next token is a name or sign with one of these texts."""
        return (self.has("name") or self.has("sign")) and self.tokens[self.place][1] in texts

    def take(self, *texts: str, kind: str = "") -> str:
        """Return the text of the next token and step over it; raise Refused if it is none of these texts and not of this kind."""
        self.need(self.at(*texts) or self.has(kind), f"{self.tokens[self.place][1]!r} where {kind or ' or '.join(texts)} is expected")
        self.place += 1
        return self.tokens[self.place - 1][1]

    def skip_text(self, text: str) -> bool:
        """Step over the next token if it is this text; return whether it was."""
        return self.at(text) and bool(self.take(text))

    def fill(self, pattern: str) -> Item:
        """Read tokens by a pattern, such as an entry of REASONS; return {key: tree that was read}, True for a word with "!"."""
        found: Item = {}
        for group, word in re.findall(r"\[([^]]*)\]|(\S+)", pattern):
            key, _, what = word.partition("=")
            if group:
                begins = group.split()[0].rpartition("=")[2].rstrip("!").lower()
                comes = self.at(begins) or self.has("name" if begins == "line" else begins)
                found |= self.fill(group) if comes else {}
            elif what:
                found[key.replace("_", " ")] = self.read(what)
            else:
                found |= {word[:-1]: True} if self.take(word.rstrip("!")) and word.endswith("!") else {}
        return found

    def read(self, what: str) -> Any:
        """Read one part of a pattern, such as SUM, LINE, or "NAME,," for a list of different names; return its tree."""
        if what.endswith(","):
            found = [self.read(what.rstrip(","))]
            while self.skip_text(","):
                found.append(self.read(what.rstrip(",")))
            names = [one if is_name(one) else one[0] for one in found]
            self.need(not what.endswith(",,") or len({*names}) == len(names), "a name comes twice in a list")
            return found
        if what in SEQUENCES:
            parts = [(word, self.read(word) if word.isupper() else self.take(*word.split("|"))) for word in SEQUENCES[what].split()]
            return [part for word, part in parts if word.isupper() or "|" in word]
        if what == "NAME?" and self.has("sign"):
            return ""
        if what in ("KEY", "WORDS", "STRING", "NUMBER"):
            return self.take(kind=what.lower())
        return getattr(self, f"_{what.rstrip('?').lower()}")()

    def _name(self) -> str:
        """Read a name and return it; raise Refused if it is reserved."""
        self.need(not self.at(*RESERVED), "a name that is not reserved is expected")
        return self.take(kind="name")

    def _low(self) -> str:
        """Read a number and return it as text without leading zeros."""
        return str(int(self.take(kind="number")))

    def _tag(self) -> str:
        """Read the tag of an equation, a number or a name, and return its text."""
        return self.take(kind="number") if self.has("number") else self._name()

    def _line(self) -> str:
        """Read the name of a line, NAME or NAME RELATION (NUMBER | NAME), with or without brackets; return it without them."""
        in_brackets = self.skip_text("[")
        text = self._name()
        text += f" {self.take(*RELATIONS)} {self._tag()}" if self.at(*RELATIONS) else ""
        return text if not in_brackets or self.take("]") else ""

    def _hypothesis(self) -> str:
        """Read the name of a hypothesis, [LINE] or NAME, and return it."""
        return self._line() if self.at("[") else self._name()

    def _reason(self) -> Item:
        """Read the reason of a line; return a dict with its kind and its parts by name."""
        kind = self.take(*REASONS)
        usual: Item = {"lines": []} if kind in ("cited", "argued") else {"line": ""} if kind == "from" else {}
        return {"kind": kind, **usual} | self.fill(f"{REASONS[kind]} [claimed where claimed=LINE,] [tried tried=SEARCH,,]")

    def _domain(self) -> Item:
        """Read a domain and its properties, separated by commas; return them as a dict; raise Refused for a repeated property."""
        first = self.take(*DOMAINS)
        found = {"domain": f"{first} {DOMAINS[first].partition('low=')[0]}".strip()} | self.fill(DOMAINS[first])
        while self.skip_text(","):
            new = self.fill(PROPERTIES[self.take(*PROPERTIES)])
            self.need(not new.keys() & found.keys(), "a property comes twice")
            found |= new
        return found

    def _variants(self) -> list[Tree]:
        """Read SUM { | SUM }, one value for all variants or one for each; return the list of their trees."""
        variants, values = self.variants, [self._sum()]
        while self.skip_text("|"):
            self.variants = variants[len(values) : len(values) + 1]
            values.append(self._sum())
        self.variants = variants
        self.need(len(values) in (1, len(variants)), "one value for each variant is needed")
        return values

    def _terms(self) -> Tree:
        """Read the sum of a reason, in which [LINE] and the functions of INEQUALITIES may stand, and return its tree."""
        self.in_reason = True
        terms = self._sum()
        self.in_reason = False
        return terms

    def _sum(self) -> Tree:
        """Read [-] PRODUCT { (+ | -) PRODUCT } and return its tree."""
        parts, sign = list[Tree](), self.skip_text("-") and "-"
        while not parts or self.at("+", "-"):
            sign = self.take("+", "-") if parts else sign
            part = self._product()
            value = rational_value(part)
            parts.append(part if sign != "-" else ["*", MINUS, part] if value is None else ["q", str(-value)])
        return ["+", *parts] if len(parts) > 1 else parts[0]

    def _product(self) -> Tree:
        """Read POWER { [*] POWER } [ / POWER ] and return its tree; raise Refused for a denominator 0."""
        parts = [self._power()]
        while self.skip_text("*") or self._atom_is_next():
            parts.append(self._power())
        if not self.skip_text("/"):
            return ["*", *parts] if len(parts) > 1 else parts[0]
        below = self._power()
        self.need(not self.at("*", "/") and not self._atom_is_next(), "a fraction ends its product")
        self.need(rational_value(below) != 0, "a denominator is zero")
        one_number = len(parts) == 1 and rational_value(parts[0]) is not None and rational_value(below) is not None
        return ["q", str(Fraction(parts[0][1]) / Fraction(below[1]))] if one_number else ["*", *parts, ["^", below, MINUS]]

    def _power(self) -> Tree:
        """Read ATOM [ ^ ATOM ] and return its tree; raise Refused for a power of a power without brackets."""
        base = self._atom()
        tree = ["^", base, self._atom()] if self.skip_text("^") else base
        self.need(not self.at("^"), "a power of a power needs brackets")
        return tree

    def _atom_is_next(self) -> bool:
        """Return whether an atom may begin at the next token: a number, a bracket, or a name that is no keyword."""
        return self.has("number") or self.at("(", "[") or (self.has("name") and not self.at(*KEYWORDS))

    def _atom(self) -> Tree:
        """Read NUMBER, NAME, FUNCTION ( SUM {, SUM} ), ( SUM ), or in a reason [ LINE ], and return its tree."""
        self.parts += 1
        self.need(self._atom_is_next() and self.parts <= 20000, "a number, a name or a bracket is expected, at most 20,000 of them")
        if self.has("number"):
            return ["q", self._low()]
        if self.at("["):
            self.need(self.in_reason, "only a reason has lines in it")
            return ["line", self._line()]
        name = "" if self.at("(") else self.take(kind="name")
        head, counts = [name], {int(FUNCTIONS.get(name, 1))}
        if name in ("pi", "e"):
            return head
        if name and name not in FUNCTIONS and not (self.in_reason and name in INEQUALITIES and self.at("(")):
            head, counts = ["let", name], {self.page["lets"][variant].get(name, 0) for variant in self.variants}
            self.need(len(counts) == 1, f"{name} has not the same parameters in all variants")
            if counts == {0}:
                return name
        self.depth += 1
        self.need(self.depth <= 60, "more than 60 brackets inside each other")
        arguments = self.fill("( inside=SUM, )")["inside"]
        self.depth -= 1
        self.need(len(arguments) in counts or (name in ("min", "max") and len(arguments) > 2), f"{name or '('} has {len(arguments)} parts")
        return ["^", *arguments, ["q", "1/2"]] if name == "sqrt" else [*head, *arguments] if name else arguments[0]


def read_item(tokens: list[Token], page: Item, section: str, variants: list[str], seen: set[tuple[str, str]]) -> Item:
    """Parse the tokens of one item of a section and return it as a dict; adds its (variant, name) pairs to `seen`."""
    c = Cursor(tokens, page, variants)
    kinds, _, usual, other = SECTIONS[section]
    named = other and c.tokens[c.place + 1][1] not in ("=", "<=", ">=", "<", ">", "~")
    item = c.only | c.fill("known known=NAME," if c.at("known") and "q" in kinds else other if named else usual)
    c.need(c.has("end"), "the end of the item is expected")
    if "reason" in item:
        kind, in_words = item["reason"]["kind"], item["reason"]["kind"] in ("cited", "argued")
        c.need("name" in item or kind == "defined", "only a definition may leave out its name")
        c.need("formula" in item or (in_words and "words" in item), "only a line that is cited or argued may have words for its formula")
        c.need("why" in item or not in_words, "words are needed after the reason")
        c.need(page["kind"] == "facts" or (kind != "meaning" and "unless" not in item["reason"]), "this is for pages of facts only")
    formulas = [[item["name"], "=", value] for value in item.pop("formulas", ())]
    item |= {"formula": formulas[0]} if len(formulas) == 1 else {"formulas": formulas} if formulas else {}
    if not {"name", "known"} & item.keys():
        item["name"] = (item.get("formula") or item["values"][0])[0]
    for variant, name in [(variant, name) for variant in c.variants for name in item.get("known", [item.get("name")])]:
        c.need((variant, name) not in seen or section in ("setting", "notes"), f"{name} comes twice in {section}")
        seen.add((variant, name))
        if section == "let":
            page["parameters"].update(item.get("parameters", ()))
            page["lets"][variant][name] = len(item.get("parameters", ()))
            c.need(not page["parameters"] & set().union(*page["lets"].values()), "a definition and a parameter have one name")
    return item


def read_section(blocks: list[list[Token]], page: Item, before: set[tuple[str, str]]) -> Item:
    """Parse a section from its blocks, a head and items; return it as a dict; adds its (variant, section) pairs to `before`."""
    c = Cursor(blocks[0], page, page["lets"])
    name = c.take(*SECTIONS)
    kinds, head, usual, _ = SECTIONS[name]
    c.need(page["kind"][0] in kinds, f"no page of the kind {page['kind']} has the section {name}")
    order, pairs = [*SECTIONS], {(variant, name) for variant in c.variants}
    late = {earlier for _, earlier in before} & {*order[order.index(name) + 1 :]}
    c.need(not late and not before & pairs, f"the section {name} comes twice or too late")
    before |= pairs
    section = {"name": name} | c.only | c.fill(head)
    c.need(c.has("end"), f"the end of the head of {name} is expected")
    c.need(name != "proof" or "names" not in section or page["kind"] == "theorem", "only the proof of a theorem may be partial")
    c.need((len(blocks) > 1) == bool(usual) or (len(blocks) == 1 and "0" in kinds), f"the section {name} has no items, or needs some")
    seen: set[tuple[str, str]] = set()
    return section | {"items": [read_item(tokens, page, name, c.variants, seen) for tokens in blocks[1:]]}


def split_sections(text: str) -> list[list[list[Token]]]:
    """Split the text of a page into sections, each a list of blocks of tokens: its head, then its items; raise Refused."""
    lines, sections = text.split("\n"), list[list[list[Token]]]()
    require(len(text) <= 200000 and lines[0] == "theory-page 1", "line 1: more than 200,000 characters, or not theory-page 1")
    for place, line in enumerate(lines[1:], 2):
        require(len(line) <= 400 and line.isprintable(), f"line {place}: more than 400 characters, or one that cannot be seen")
        before, dashes, words = line.partition("--")
        tokens = [(str(one.lastgroup), one[str(one.lastgroup)], place) for one in re.finditer(TOKEN, before) if one.lastgroup != "space"]
        tokens += [("words", " ".join(words.split()), place)] * bool(dashes)
        if not tokens or line.strip(" ").startswith("#"):
            continue
        kind, first, _ = tokens[0]
        require(not dashes or words.strip(" "), f"line {place}: -- without words")
        require(sections or not line.startswith(" "), f"line {place}: an indented line before the first section")
        if not line.startswith(" "):
            sections.append([tokens])
        elif kind == "name" and (first not in RESERVED or first in ("only", "scope", "known")):
            sections[-1].append(tokens)
        elif kind == sections[-1][-1][-1][0] == "words":
            sections[-1][-1].append(("words", f"{sections[-1][-1].pop()[1]} {first}", place))
        else:
            sections[-1][-1].extend(tokens)
    require(sections, f"line {len(lines)}: the page is empty")
    return sections


def read_page(text: str) -> Item:
    """Parse the text of a page; return a dict with its kind, its keys with titles, and its sections; raise Refused."""
    sections, keys = split_sections(text), list[list[str]]()
    page: Item = {"kind": "", "lets": {}, "parameters": set()}
    while sections and (not keys or sections[0][0][0][1] in ("theorem", "lemma")):
        first, *items = sections.pop(0)
        c = Cursor(first, page)
        page["kind"] = c.take(*([page["kind"]] if keys else ["theorem", "lemma", "symbols", "facts"]))
        keys.append([c.take(kind="key"), c.take(kind="words")])
        variant = keys[-1][0].split(".")[-1]
        c.need(c.has("end") and not items and variant not in page["lets"], "text after the title, or two variants of one name")
        page["lets"][variant] = {}
    before: set[tuple[str, str]] = set()
    found = [read_section(blocks, page, before) for blocks in sections]
    for variant in page["lets"] if page["kind"] == "theorem" else ():
        require({(variant, "bound"), (variant, "privacy")} & before, f"line 2: the theorem {variant} has no bound")
    return {"kind": page["kind"], "keys": keys, "sections": found}


# --- 2. Pages: symbols, definitions and lines ---------------------------------------------------------------------------------------------


def subtrees(tree: Tree) -> Iterator[Tree]:
    """Yield a formula and all formulas inside it, each before its parts."""
    yield tree
    for one in () if is_name(tree) or tree[0] == "q" else tree[1:]:
        yield from subtrees(one)


def symbols_in(*trees: Tree) -> set[str]:
    """Return the set of names in formulas: symbols, and the lines of a reason as "[LINE]"."""
    return {part for tree in trees for part in subtrees(tree) if is_name(part)}


def substitute(tree: Tree, values: Item) -> Tree:
    """Return a formula with `values` substituted for its symbols, once: symbols inside the values stay."""
    if is_name(tree):
        return values.get(tree, tree)
    return tree if tree[0] == "q" else [tree[0], *(substitute(one, values) for one in tree[1:])]


def check_size(tree: Tree) -> Tree:
    """Return the formula unchanged; raise Refused if it has more than 50,000 parts."""
    require(next(islice(subtrees(tree), 50000, None), None) is None, "a formula has too many parts once definitions are inserted")
    return tree


def resolve_values(values: Item) -> Item:
    """Return {symbol: formula} with the formulas substituted in each other, as often as there are symbols."""
    for _ in values:
        values = {name: check_size(substitute(value, values)) for name, value in values.items()}
    return values


def subtract(a: Tree, b: Tree) -> Tree:
    """Return the formula a - b as a tree."""
    return ["+", a, ["*", MINUS, b]]


def difference(formula: Sequence[Tree]) -> Tree:
    """Return the larger side of a formula minus the smaller one; of an equality, left minus right."""
    left, relation, right = formula
    return subtract(right, left) if relation in ("<=", "<") else subtract(left, right)


def symbol_record(item: Item, section: str) -> Item:
    """Return what a page declares of a symbol, as a dict; its "sign", within "said", is 2 if positive, 1 if non-negative, else 0."""
    domain = item["domain"]
    kind, low = domain["domain"], int(domain.get("low", 0))
    sign = 2 if low >= 1 or kind in ("above", "positive probability") else int(kind != "real")
    said = {"kind": kind, "low": low, "sign": sign, "set": "set" in domain, "step": not domain.keys().isdisjoint(("step", *RELATED))}
    said |= {"chosen": section in OF_SYMBOLS[:3], "constant": section == "constants"}
    return {"as": domain.get("as", item["name"]), "said": said, "words": item["words"], "section": section, "domain": domain}


class Page:
    """One variant of a page; translates its formulas into the shared names of symbols, with definitions by `let` substituted."""

    def __init__(self, library: "Library", file: str, tree: Item, key: str) -> None:
        self.library, self.file, self.key, self.kind = library, file, key, tree["kind"]
        self.sections: dict[str, Item] = {}
        variant, every = key.rpartition(".")[2], [one.rpartition(".")[2] for one, _ in tree["keys"]]
        for section in tree["sections"]:
            variants = section.get("only", every)
            if variant in variants:
                items = [item for item in section["items"] if variant in item.get("only", variants)]
                for i, item in enumerate(items):  # of several values of a definition, each variant has one, in their order
                    if "formulas" in item:
                        items[i] = item | {"formula": item["formulas"][item.get("only", variants).index(variant)]}
                self.sections[section["name"]] = section | {"items": items}
        self.bound = self.part("bound", "formula") or self.part("privacy", "formula")  # of what, the relation, and the bound
        self.declared = {item["name"]: symbol_record(item, section) for section in (*OF_SYMBOLS, "symbols") for item in self.items(section)}

    def part(self, section: str, part: str, otherwise: Any = ()) -> Any:
        """Return one part of a section, such as the formula of its head; `otherwise` if the section or the part is missing."""
        return self.sections.get(section, {}).get(part, otherwise)

    def claims(self) -> list[Item]:
        """Return the items of the section `parts` that are claims; the others are numbers, whose name is no symbol of the page."""
        return [item for item in self.items("parts") if item["formula"][0] != item["name"] or item["name"] in self.symbols]

    def items(self, section: str) -> list[Item]:
        """Return the items of a section as a list, empty if the page has no such section."""
        return list(self.part(section, "items"))

    @cached_property
    def used_pages(self) -> list["Page"]:
        """The pages whose symbols and facts this page uses."""
        return [self.library.page(key) for key in self.part("uses", "keys")]

    def facts(self, section: str) -> list[tuple["Page", Item]]:
        """Return the facts that a section may quote, of all pages of facts that this page uses, as a list of (page, item)."""
        return [(page, one) for page in self.used_pages if page.kind == "facts" for one in page.items(section)]

    @cached_property
    def symbols(self) -> Item:
        """The symbols that formulas of this page may have, of its own and of the pages of symbols, {name on the page: record}."""
        pages = [*(page for page in self.used_pages if page.kind == "symbols"), self]
        return {name: one for page in pages for name, one in page.declared.items()}

    def name(self, name: str) -> str:
        """Return the shared name of a symbol, the same on all pages; raise Refused if the page has no such symbol."""
        require(name in self.symbols, f"{name} is no symbol and no definition of {self.key}")
        return str(self.symbols[name]["as"])

    def line_name(self, text: str) -> str:
        """Return the name of a line; of a limit such as "n >= 1", with the shared names of its symbols."""
        first, relation, last = [*text.split(), "", ""][:3]
        return f"{self.name(first)} {relation} {int(last) if last.isdigit() else self.name(last)}" if last else first

    @cached_property
    def lets(self) -> Item:
        """The definitions by `let`, `bound` and `any_schedule`, {name: (parameters, formula)}, earlier ones substituted in later ones."""
        found: Item = {}
        for item in self.items("let"):
            own = {name: f"?{name}" for name in item.get("parameters", ())}
            found[item["name"]] = [*own.values()], self.value(item["formula"][2], found, own)
        bound, free = self.bound[2:], self.part("any_schedule", "value")
        for name, tree in [*(("bound", one) for one in bound), *(("any_schedule", one) for one in [free] if free)]:
            require(
                name not in found and name not in self.symbols, f"{name} is the name of a section: it cannot be a symbol or a definition"
            )
            found[name] = [], self.value(tree, found)
        return found

    def value(self, tree: Tree, lets: Item | None = None, own: Item | None = None) -> Tree:
        """Return a tree as a formula in shared names: definitions substituted, the lines of a reason as "[LINE]"."""
        lets, own = self.lets if lets is None else lets, own or {}

        def worth(tree: Tree) -> Tree:
            """Return the formula in shared names of a subtree."""
            if is_name(tree):
                return own[tree] if tree in own else lets[tree][1] if tree in lets else self.name(tree)
            head, *rest = tree
            if head in ("q", "pi", "e"):
                return ["exp", ONE] if head == "e" else tree
            if head == "line":
                return f"[{self.line_name(rest[0])}]"
            if head != "let":
                return [head, *map(worth, rest)]
            require(rest[0] in lets, f"{rest[0]} is defined below its first use")
            parameters, body = lets[rest[0]]
            return substitute(body, dict(zip(parameters, map(worth, rest[1:]), strict=True)))

        return check_size(worth(tree))

    def formula(self, formula: Sequence[Tree]) -> list[Tree]:
        """Return [left, relation, right] with both sides as formulas in shared names."""
        return [self.value(formula[0]), formula[1], self.value(formula[2])]

    def quoted_items(self, *sections: str) -> Iterator[tuple["Page", Item]]:
        """Yield (page, item) for the items of sections; for a quoted fact, the fact and the page on which it is written."""
        for section in sections:
            for item in self.items(section):
                for name in item.get("known", ()):
                    there = [one for one in self.facts(section) if one[1].get("name") == name]
                    require(
                        len(there) == 1, f"{len(there)} facts are named {name} in the section {section} of the pages that {self.key} uses"
                    )
                    yield there[0]
                if "known" not in item:
                    yield self, item

    def referenced_keys(self) -> list[str]:
        """Return a list of the keys of the pages that this page uses or takes lines from; facts' own sources count if quoted.

        What a fact is taken from matters where it is quoted.
        """
        reasons = [item["reason"] for _, item in self.quoted_items("given", "proof")] if self.kind != "facts" else []
        return [*self.part("uses", "keys"), *(one["page"] for one in reasons if one["kind"] == "from")]

    def check(self) -> None:
        """Raise Refused for mistakes of the page apart from its lines: repeated names, wrong definitions, missing symbols."""
        require(self.library.files[self.key] == [self.file], f"the key stands in {' and in '.join(self.library.files[self.key])}")
        for page in self.used_pages:
            require(page.kind in ("symbols", "facts"), f"{page.key} is no page of symbols or facts")
        declared = [name for page in (*self.used_pages, self) if page is self or page.kind == "symbols" for name in page.declared]
        known = [one["as"] for one in self.symbols.values()]
        facts = [one["name"] for _, one in self.facts("given") if "name" in one]
        means = [one["domain"]["average"] for one in self.symbols.values() if "average" in one["domain"]]
        for what, names in (("symbols", declared), ("symbols", known), ("facts", facts), ("averages", means)):
            twice = {name for name in names if names.count(name) > 1}
            require(not twice, f"two {what} of the pages that are used together are named {', '.join(twice)}")
        require(not {*self.lets} & {*self.symbols}, f"{', '.join({*self.lets} & {*self.symbols})} is a symbol and a definition")
        for name, symbol in self.symbols.items():
            related = {kind: symbol["domain"][kind] for kind in RELATED if kind in symbol["domain"]}
            require({*related.values()} <= self.symbols.keys(), f"what {name} is related to is no symbol")
            require(not (symbol["section"] == "constants" and "step" in symbol["domain"]), f"{name} is a constant, and of a step")
            require(len(related.keys() & {*RELATED[:3]}) in (0, 3), f"{name} has some of next, first and last: all or none are needed")
        measured = self.name(self.bound[0]) if self.bound and self.bound[0] else ""
        for section, kinds in (("where", ("abbreviations", "choices")), ("schedule", ("choices",))):
            for page, item in self.quoted_items(section):
                name, relation, _ = item["formula"]
                fits = name in page.symbols and (page.symbols[name]["section"] in kinds or (section == "where" and name in page.declared))
                require(fits, f"{name} is no symbol that the section {section} may define")
                require(relation == "=" or section == "schedule", f"{name}: the section where has equalities only")
                require(page.name(name) != measured, f"{name} is what the bound is about, and cannot be defined")
        # names in formulas that are not lines, and the facts that are quoted, are looked up
        for page, item in [*self.quoted_items("instances", "example", "conditions"), *((self, item) for item in self.claims())]:
            for left, *_, right in [*([item["formula"]] if "formula" in item else ()), *item.get("cases", ()), *item.get("values", ())]:
                page.value(right)
                (page.name if "values" in item else page.value)(left)
        numbers = [item for item in self.items("parts") if item not in self.claims()]
        for item in (*numbers, *self.items("numbers"), *self.items("integer_T")):
            self.value(item["formula"][2])
        ranges = [one["domain"].get("tried", ()) for one in self.declared.values()]
        for page, item in self.quoted_items(*QUOTABLE):
            ranges += item.get("reason", {}).get("tried", ()) if page is self else ()
        for tree in [*(end for one in ranges for end in one), *self.part("open", "names")]:
            self.value(tree)


class Library:
    """The pages of several texts by their keys, and their proofs; a text is parsed when one of its pages is first needed."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts, self.pages, self.files = texts, dict[str, Page](), dict[str, list[str]]()
        self.reach, self.proofs = dict[str, dict[str, Page]](), dict[str, Proof | None]()
        for file, text in texts.items():
            for key in re.findall(KEY, text, re.MULTILINE) or [file]:  # a file without a key is refused by its name
                self.files.setdefault(key, []).append(file)

    def page(self, key: str) -> Page:
        """Return the Page of a key, parsed at the first call; raise Refused if there is none, or if its text is no page."""
        require(key in self.files, f"there is no page {key}")
        if key not in self.pages:
            file = self.files[key][-1]
            try:
                tree = read_page(self.texts[file])
            except Refused as why:
                raise Refused(f"{key} cannot be read: {file}: {why}") from None
            self.pages |= {one: Page(self, file, tree, one) for one, _ in tree["keys"]}
        require(key in self.pages, f"{key} is no key of {self.files[key][-1]}")
        return self.pages[key]

    def reached(self, key: str, above: tuple[str, ...] = ()) -> dict[str, Page]:
        """Return {key: Page} of all pages that a page rests on, itself included; raise Refused if they quote each other in a circle."""
        require(key not in above, f"pages quote each other in a circle: {', '.join((*above, key))}")
        if key not in self.reach:
            found = {key: self.page(key)}
            for one in self.page(key).referenced_keys():
                found |= self.reached(one, (*above, key)) if one in self.files else {}
            self.reach[key] = found
        return self.reach[key]

    def rests_on(self, key: str) -> dict[str, str]:
        """Return {file: SHA-256 of its text} for all files whose pages a page rests on, its own included."""
        return {page.file: sha256(self.texts[page.file].encode()).hexdigest() for page in self.reached(key).values()}

    def proof(self, key: str) -> "Proof | None":
        """Return the Proof of a page, None for symbols and facts; raise Refused if any page it rests on has a mistake."""
        if key not in self.proofs:
            page, reached = self.page(key), self.reached(key)
            known = Item()
            for one in reached.values():
                one.check()
                for name, symbol in one.declared.items():
                    require(
                        known.setdefault(symbol["as"], symbol["said"]) == symbol["said"],
                        f"{name} is another symbol on {one.key} than on other pages that {key} rests on",
                    )
            self.proofs[key] = Proof(page, [*reached.values()]) if page.kind in ("theorem", "lemma") else None
        return self.proofs[key]


# --- 3. Algebra: signs, and equality of formulas ----------------------------------------------------------------------------------------

ctx.prec = 2000
Ratio = tuple[Any, Any]  # a numerator and a denominator, which are polynomials
POLYNOMIALS = fmpq_mpoly_ctx.get([f"g{i}" for i in range(64)], Ordering.lex)
UNIT, GENERATORS = POLYNOMIALS.constant(1), POLYNOMIALS.gens()
UNDERSTOOD = {*"+*^q", "pi", "exp", "log", "erfc", "erf", "cos", "sin", "max", "min", "ceil"}  # of what a line may claim
ON_BALLS: dict[str, Callable[..., Any]] = {
    "+": lambda *x: sum(x, arb(0)),
    "*": lambda *x: math.prod(x, start=arb(1)),
    "^": lambda a, b: a**b,
    "min": lambda *x: reduce(arb.min, x),
    "max": lambda *x: reduce(arb.max, x),
    "gamma_function": arb.gamma,
    "incomplete_beta": lambda a, b, low, high: high.beta_lower(a, b) - low.beta_lower(a, b),
}


def ball_of(tree: Tree) -> Any:
    """Return an arb ball that is certain to contain the value of a formula; raise Refused if the formula has symbols."""
    require(not is_name(tree), f"{tree} has no value")
    return arb(fmpq(tree[1])) if tree[0] == "q" else (ON_BALLS.get(tree[0]) or getattr(arb, tree[0]))(*map(ball_of, tree[1:]))


def rational_exponent(tree: Tree) -> Fraction | None:
    """Return r of a power x^r with rational r, as a Fraction; None for any other formula."""
    return rational_value(tree[2]) if not is_name(tree) and tree[0] == "^" else None


def flat_parts(head: str, tree: Tree) -> list[Tree]:
    """Return the parts of a sum or product, nested ones included, as one list; [tree] for a formula with another head."""
    return [tree] if is_name(tree) or tree[0] != head else [part for one in tree[1:] for part in flat_parts(head, one)]


def factors_of(tree: Tree) -> list[Tree]:
    """Return a list of the factors of a formula; of a positive rational number, its primes and inverse primes."""
    value = rational_value(tree)
    if value is None or value <= 0:
        return flat_parts("*", tree)
    above, below = ([["q", str(p)] for p, k in fmpz(end).factor() for _ in range(k)] for end in value.as_integer_ratio())
    return [*above, *(["^", prime, MINUS] for prime in below)]


class OtherRoot(Exception):
    """Signal that a root occurs that the generators do not allow for yet, raised with the root's denominator."""


class Algebra:
    """Signs and equality of formulas, from the signs of their symbols: 2 is positive, 1 non-negative, 0 any real number."""

    def __init__(self, signs: dict[str, int]) -> None:
        self.signs = signs

    def sign(self, e: Tree) -> int:
        """Return 2 if a formula is known to be positive, 1 if it is known to be non-negative, else 0."""
        if is_name(e):
            return self.signs[e]
        if not symbols_in(e):
            return 2 if ball_of(e) > 0 else int(ball_of(e) >= 0)
        if e[0] in ("+", "*"):
            parts = flat_parts(e[0], e)
            numbers = [one for one in parts if not symbols_in(one)]
            each = [self.sign(one) for one in parts if symbols_in(one)] + ([self.sign([e[0], *numbers])] if numbers else [])
            return min(each) if e[0] == "*" or 0 in each else max(each)
        if e[0] == "^":
            base, r = self.sign(e[1]), rational_exponent(e) or Fraction(0)
            if base and (r > 0 or (base == 2 and self.real(e[2]))):
                return base
            return int(r > 0 and r % 2 == 0 and self.real(e[1]))
        if not all(map(self.real, e[1:])):
            return 0
        if e[0] == "log":  # has the sign of x - 1 where that is not negative
            return self.sign(["+", e[1], MINUS])
        if e[0] in ("max", "min", "ceil"):
            return (max if e[0] == "max" else min)(map(self.sign, e[1:]))
        return 2 if e[0] in ("exp", "erfc") else 0

    def real(self, e: Tree) -> bool:
        """Return whether a formula is known to be a finite real number, by the signs of its symbols."""
        if is_name(e) or e[0] in ("q", "pi"):
            return True
        r = rational_exponent(e)
        needs = 2 if e[0] == "log" or (e[0] == "^" and (r is None or r < 0)) else int(r is not None and r.denominator > 1)
        return e[0] in UNDERSTOOD and all(map(self.real, e[1:])) and self.sign(e[1]) >= needs

    def is_equal(self, a: Tree, b: Tree) -> bool:
        """Return whether a - b is 0 as a ratio of polynomials in generators: symbols, roots, exponentials and other functions."""
        self.root = 1  # exponents of generators are counted in fractions with this denominator
        while True:
            self.keys, self.powers, self.logs = dict[str, int](), dict[int, Ratio](), dict[str, Tree]()
            try:  # keys are of generators, by their numbers; powers of roots are known, and what logarithms are of
                (above, _), (below, _) = map(self._reduce_roots, self._fraction(subtract(a, b)))
                return bool(above == 0 and below != 0)
            except OtherRoot as found:
                self.root *= found.args[0]

    def _generator(self, key: str, r: Fraction, known_power: Ratio | None = None) -> Ratio:
        """Return generator `key` to a rational power as (numerator, denominator); raise OtherRoot, or Refused beyond 64."""
        i = self.keys.setdefault(key, len(self.keys))
        require(i < 64, "more symbols, functions and roots than are provided for")
        if (r * self.root).denominator > 1:
            raise OtherRoot((r * self.root).denominator)
        self.powers |= {i: known_power} if known_power else {}
        power = GENERATORS[i] ** abs(int(r * self.root))
        return (power, UNIT) if r > 0 else (UNIT, power)

    @staticmethod
    def _power(fraction: Ratio, n: int) -> Ratio:
        """Return a ratio of polynomials to an integer power; raise Refused if it is too large to be multiplied out."""
        big = any(len(one.to_dict()) > 1 or one.leading_coefficient() not in (1, -1) for one in fraction if one != 0)
        require(abs(n) <= 1000 or not big, "a power that is too large to be multiplied out")
        above, below = fraction if n >= 0 else fraction[::-1]
        return above ** abs(n), below ** abs(n)

    def _fraction(self, e: Tree) -> Ratio:
        """Return a formula as a ratio of polynomials in generators, (numerator, denominator)."""
        if is_name(e):
            return self._generator(e, Fraction(1))
        if e[0] in ("+", "*"):
            above, below = UNIT * (e[0] == "*"), UNIT
            for a, b in map(self._fraction, e[1:]):
                above, below = (above * a if e[0] == "*" else above * b + below * a), below * b
            return above, below
        r, base = rational_exponent(e), e[1] if e[1:] else ""
        if r is None:
            return (UNIT * fmpq(e[1]), UNIT) if e[0] == "q" else self._function_ratio(e)
        if r.denominator == 1:
            return self._power(self._fraction(base), int(r))
        factors, inner = factors_of(base), rational_exponent(base)
        if factors != [base] and all(map(self.sign, factors)):
            return self._fraction(["*", *(["^", factor, e[2]] for factor in factors)])
        if is_name(base):
            return self._generator(base, r)
        if base[0] == "^" and self.sign(base[1]) > (inner is None):
            return self._fraction(["^", base[1], ["*", base[2], e[2]] if inner is None else ["q", str(r * inner)]])
        return self._generator(f"root {self._normal(base)}", r, self._fraction(base))

    def _normal(self, e: Tree) -> list[Any]:
        """Return [numerator, denominator] of a formula in lowest terms; the denominator has leading coefficient 1."""
        (above, more), (below, fewer) = map(self._reduce_roots, self._fraction(e))
        require(below != 0, "a denominator is 0")
        above, below = above * fewer, below * more
        common = above.gcd(below)
        lead = (below // common).leading_coefficient()
        return [above // common / lead, below // common / lead]

    def _function_ratio(self, e: Tree) -> Ratio:
        """Return a function as (numerator, denominator) in generators, after its products and powers in exp and log are split."""
        head, argument = e[0], e[1] if e[1:] else ""
        if head == "^":
            return self._fraction(["exp", ["*", e[2], ["log", e[1]]]])
        if head == "exp":
            return self._exponential(argument)
        if head == "log" and not is_name(argument):
            factors = factors_of(argument)
            if factors != [argument] and all(self.sign(one) == 2 for one in factors):
                return self._fraction(["+", *(["log", one] for one in factors)])
            if argument[0] == "exp":
                return self._fraction(argument[1])
            if argument[0] == "^" and self.sign(argument[1]) == 2:
                return self._fraction(["*", argument[2], ["log", argument[1]]])
        arguments = [str(self._normal(one)) for one in e[1:]]
        found = self._generator(f"{head} {sorted(arguments) if head in ('min', 'max') else arguments}", Fraction(1))
        if head == "log":
            self.logs[f"{found[0]} over 1"] = argument
        return found

    def _exponential(self, e: Tree) -> Ratio:
        """Return exp of a formula as a ratio: a product with a factor for each monomial, where exp(r log(x)) is x^r."""
        (above, below), product = self._normal(e), (UNIT, UNIT)
        for powers, c in above.to_dict().items():
            monomial, r = POLYNOMIALS.from_dict({powers: 1}), Fraction(int(c.p), int(c.q))
            common = monomial.gcd(below)
            key = f"{monomial // common} over {below // common}"
            known = key in self.logs
            a, b = self._fraction(["^", self.logs[key], ["q", str(r)]]) if known else self._generator(f"exp {key}", r)
            product = product[0] * a, product[1] * b
        return product

    def _reduce_roots(self, polynomial: Any) -> Ratio:
        """Return (numerator, denominator) of a polynomial, with the known value of each root's power substituted."""
        divided = UNIT
        for i in sorted(self.powers, reverse=True) * 2:
            (above, below), most, total = self.powers[i], polynomial.degrees()[i] // self.root, UNIT * 0
            if most <= 0:
                continue
            for powers, c in polynomial.to_dict().items():
                whole, rest = divmod(powers[i], self.root)
                total += POLYNOMIALS.from_dict({(*powers[:i], rest, *powers[i + 1 :]): c}) * above**whole * below ** (most - whole)
            polynomial, divided = total, divided * below**most
        return polynomial, divided

    def is_positive(self, e: Tree, known: list[tuple[Tree, bool]], or_negative: bool) -> bool:
        """Return whether a formula is known to be above 0 or, with `or_negative`, known not to be 0.

        `known` has differences that are >= 0, and whether each is above 0.
        """
        if self.sign(e) == 2 or (or_negative and self.sign(["*", MINUS, e]) == 2):
            return True
        factors = factors_of(e) if rational_exponent(e) is None else [e[1]]
        if factors != [e]:
            return all(self.is_positive(one, known, or_negative) for one in factors)
        for least, strict in known:
            algebra, seen = self.seen(e, least, strict)
            if algebra.sign(seen) == 2 or (or_negative and algebra.sign(["*", MINUS, seen]) == 2):
                return True
        for least in (one for one, strict in known if strict):  # a multiple of what is positive, by a monomial in positive symbols?
            self.is_equal(e, least)  # begins new generators
            above, below = (one.to_dict() for one in self._normal(["*", e, ["^", least, MINUS]]))
            if len(above) == len(below) == 1 and (or_negative or math.prod([*above.values(), *below.values()]) > 0):
                used = [name for name, i in self.keys.items() if any(powers[i] for powers in (*above, *below))]
                if all(self.signs.get(name) == 2 or name.startswith("exp ") for name in used):
                    return True
        return False

    def seen(self, e: Tree, least: Tree, strict: bool) -> tuple["Algebra", Tree]:
        """Return (algebra, formula) with a symbol of known sign for each part of `e` that equals `least` or `least` + 1."""
        name, more = f"?{len(self.signs)}", f"?{len(self.signs)} more"

        def worth(e: Tree) -> Tree:
            """Return a subtree with symbols in place of the parts that equal `least` or `least` + 1."""
            same = [e]  # the logarithm of x counts for x - 1 and 1 - 1/x
            if not is_name(e) and e[0] == "log":
                same += [subtract(e[1], ONE), subtract(ONE, ["^", e[1], MINUS])][: 1 + self.sign(e[1]) // 2]
            if any(self.is_equal(one, least) for one in same):
                return name
            if self.is_equal(subtract(e, ONE), least):
                return more
            return e if is_name(e) or e[0] == "q" else [e[0], *map(worth, e[1:])]

        return Algebra({**self.signs, name: 1 + strict, more: 2}), worth(e)


# --- 4. The proof: what each reason must satisfy ---------------------------------------------------------------------------------------

TAKEN, WORDS, MADE = ("from", "defined", "case", "meaning"), ("cited", "argued"), ("by", "equal", "inserting", "average")
ASSERTED = ("limit", "assumed", "case", "meaning", "defined")  # taken without a proof
SPEAKS = (*WORDS, "average", "from", "limit", "meaning")  # says more than its formula: it is about what its symbols stand for
CONCLUDES = {"<=": ("<=", "="), "=": ("=",), "~": ("<=", "=")}


class Line:
    """One line of a proof, in shared names; `made` if it stands in the section `proof` and is derived, cited or argued."""

    def __init__(self, page: Page, item: Item, section: str) -> None:
        self.page, self.name, self.words, self.reason = page, str(item["name"]), item.get("words", ""), item.get("reason", {})
        self.formula: Any = item.get("formula") if section == "limit" or "formula" not in item else page.formula(item["formula"])
        self.relation = self.formula[1] if self.formula else ""
        self.difference = difference(self.formula) if self.formula else ZERO
        self.strict, self.letters = self.relation in ("<", ">"), symbols_in(self.difference)
        defines = section in ("where", "schedule") and self.relation == "="
        self.kind = self.reason.get("kind") or (section if section == "limit" else "defined" if defines else "assumed")
        self.made = section == "proof" and self.kind not in TAKEN
        require(section == "proof" or self.kind not in MADE, f"{self.name} is made, and does not stand in the proof")
        self.terms = page.value(self.reason.get("terms", ZERO))
        self.in_terms = [one[1:-1] for one in symbols_in(self.terms) if one.startswith("[")]
        named = [self.reason["line"]] if self.kind == "average" else []
        named += [one for part in (self.reason, item) for key in ("lines", "inserting", "signs") for one in part.get(key, ())]
        self.lines = [page.line_name(one) for one in named]  # what is averaged, inserted, used in words, or says signs
        self.claimed = [page.line_name(one) for one in self.reason.get("claimed", ())]
        self.meets = {there: page.line_name(here) for there, here in self.reason.get("where", ())}
        self.replaced = {name: page.value(value) for name, value in self.reason.get("with", ())}


def page_lines(page: Page) -> list[Line]:
    """Return the lines of a page as a list in order, facts that it quotes included, without the limits of symbols."""

    def lines(*sections: str) -> list[Line]:
        """Return the lines of sections as a list, facts that they quote included, without items of the kind `scope`."""
        quoted = [(section, where, item) for section in sections for where, item in page.quoted_items(section)]
        return [Line(where, item, section) for section, where, item in quoted if "scope" not in item]

    proof, schedule = lines("given", "proof"), lines("schedule")
    stated = [*lines("where"), *(line for line in schedule if line.kind == "defined")]
    if page.part("proof", "names"):  # a partial proof is not of all of the statement
        named = {name for line in proof for name in (*line.lines, *line.claimed, *line.in_terms, *line.meets.values())}
        taken = [line.formula[0] for line in proof if line.kind == "defined"]
        stated = [line for line in stated if line.name in named and line.formula[0] not in taken]
    limits = [line for line in schedule if line.kind == "assumed"]
    return [*stated, *lines("assume"), *limits, *lines("any_schedule", "conditions"), *proof]


class Proof:
    """The lines of a page, and the reason why each of them is not confirmed."""

    def __init__(self, page: Page, reached: list[Page]) -> None:
        self.page, self.library, self.reached = page, page.library, reached
        self.proves = page.kind == "theorem" and "proof" in page.sections and not page.part("proof", "names")  # it is not partial
        self.found, self.met, self.said = dict[str, str](), dict[str, dict[str, str]](), dict[str, str]()
        self.symbols = self._symbols()
        self.algebra = Algebra({name: one["sign"] for name, one in self.symbols.items()})
        lines = page_lines(page)
        require(len({line.name for line in lines}) == len(lines), "two lines have one name")
        self.defined: Item = {}  # what symbols are defined as, and in `said` by which lines
        for line in lines:
            if line.kind == "defined":
                symbol, relation, value = line.formula
                require(is_name(symbol) and relation == "=" and symbol not in self.said, f"{line.name} defines no symbol, or one twice")
                self.said[symbol], self.defined[symbol] = line.name, value
        letters_of_lines = set[str]().union(*(line.letters for line in lines))
        used = [(name, one) for name, one in sorted(self.symbols.items()) if name in letters_of_lines - {*self.said}]
        limits: list[tuple[str, str, str]] = []
        for name, kind, low, most in ((name, one["kind"], one["low"], one["related"].get("at most")) for name, one in used):
            limits += [(name, ">=", str(low))] if "at least" in kind and low >= 1 else []
            limits += [(name, "<=", "1")] if "probability" in kind else []
            limits += [(name, "<=", most)] if most and most not in self.said else []
        items = [
            {"name": f"{name} {sign} {end}", "formula": [name, sign, ["q", end] if end.isdigit() else end]} for name, sign, end in limits
        ]
        lines = [*(Line(page, item, "limit") for item in items), *lines]
        self.lines = {line.name: line for line in lines}
        self.order = [*self.lines]

    def _symbols(self) -> Item:
        """Return the symbols of all pages that the proof rests on, {shared name: record}; raise Refused if declarations differ."""
        found: Item = {}
        for page in self.reached:
            for one in page.declared.values():
                related = {kind: page.name(one["domain"][kind]) for kind in (*RELATED, "at most") if kind in one["domain"]}
                said = one["said"] | {"related": related}
                before = found.setdefault(one["as"], {**one, **said, "said": said, "page": page.key})
                require(before["said"] == said, f"{one['as']} is declared in two ways, by {before['page']} and by {page.key}")
        for after in [one["related"]["next"] for one in found.values() if "next" in one["related"]]:
            found[after]["step"] = True
        return found

    def used(self, line: Line) -> list[str]:
        """Return a list of the names of all lines to which the reason of a line refers."""
        met: Iterable[str] = ()
        if line.kind == "from":
            with suppress(Refused):  # the line itself is refused then
                met = self.meets(line).values()
        return [*line.lines, *line.in_terms, *met]

    def rests_on(self, name: str, deep: bool = False) -> set[str]:
        """Return the names of all lines that a line rests on, itself included; if `deep`, with the definitions of their symbols."""
        found, waiting = set[str](), [name]
        while waiting:
            one = waiting.pop()
            if one in self.lines and one not in found:
                found.add(one)
                line = self.lines[one]
                spoken = line.letters | symbols_in(line.terms, *line.replaced.values())
                waiting += [*self.used(line), *(self.said[symbol] for symbol in spoken if deep and symbol in self.said)]
        return found

    def lemma_of(self, line: Line) -> tuple["Proof", Line, Item]:
        """Return (Proof, Line, {symbol: value}): where a line is taken from, and what is substituted in it; raise Refused if nowhere."""
        lemma = self.library.proof(line.reason["page"])
        if lemma is None:
            raise Refused(f"{line.reason['page']} is no page with a proof")
        there = lemma.page.line_name(line.reason["line"] or line.name)
        require(there in lemma.lines, f"{lemma.page.key} has no line {there}")
        return lemma, lemma.lines[there], {lemma.page.name(name): value for name, value in line.replaced.items()}

    def meets(self, line: Line) -> dict[str, str]:
        """Return {hypothesis there: line here} for a line that is taken from another page, as its `where` says or by equal names."""
        if line.name not in self.met:
            lemma, there, instance = self.lemma_of(line)
            where = {lemma.page.line_name(one): here for one, here in line.meets.items()}
            rest, new = [lemma.lines[one] for one in lemma.rests_on(there.name)], {*self.said} - {*lemma.said}
            chosen = {name for one in rest if one.kind in SPEAKS for name in one.letters if self.symbols[name]["chosen"]}
            seen, found = there.letters | {*instance} | chosen, dict[str, str]()
            # what symbols mean that are replaced or newly defined matters, and definitions of what is seen outside
            for one in rest * (len(rest) + 1):
                means = one.kind in ("limit", "meaning") and one.letters & {*instance, *new}
                if one.kind in ("assumed", "case") or means or (one.kind == "defined" and one.formula[0] in seen):
                    found[one.name] = where.get(one.name, one.name)
                    seen = seen | one.letters
            limits = [name for name, one in lemma.inherited_constraints(there.name).items() if one.letters & {*instance, *new}]
            self.met[line.name] = {name: where.get(name, name) for name in limits} | found
        return self.met[line.name]

    def inherited_constraints(self, name: str) -> dict[str, Line]:
        """Return {name: Line} of the limits of symbols in the lemmas, at any depth, that a line rests on.

        Without those whose symbols are replaced or defined on the way.
        """
        found = dict[str, Line]()
        for line in (self.lines[one] for one in self.rests_on(name)):
            if line.kind == "from":
                lemma, there, instance = self.lemma_of(line)
                met = {*instance} | ({*self.said} - {*lemma.said})
                limits = {one: lemma.lines[one] for one in lemma.rests_on(there.name) if lemma.lines[one].kind == "limit"}
                limits = {**lemma.inherited_constraints(there.name), **limits}
                found |= {one: limit for one, limit in limits.items() if not limit.letters & met}
        return found

    def problem(self, name: str) -> str:
        """Return why a line, "the theorem" or "the example" is not confirmed; "" if it is confirmed."""
        if name not in self.found:
            self.found[name] = "it rests on itself"
            try:
                {"the theorem": self._check_theorem, "the example": self._check_example}.get(name, lambda: self._check(self.lines[name]))()
                self.found[name] = ""
            except Refused as why:
                self.found[name] = str(why)
            except Exception as why:  # of what is malformed: never a traceback
                self.found[name] = f"it cannot be checked: {why!r}"
        return self.found[name]

    def _check(self, line: Line) -> None:
        """Raise Refused unless a line is confirmed: the lines that it uses, then the rule for its kind of reason."""
        free = self.order[: self.order.index(line.name)] if line.made else self.order  # what is taken may use any line
        for one in (*self.used(line), *line.claimed):
            require(one in free, f"{one} is no line that may be used here")
            require(line.name not in self.rests_on(one, line.kind == "defined"), f"it rests on {one}, which rests on it")
            require(line.kind in WORDS or self.lines[one].formula, f"{one} is in words only")
            require(not self.problem(one), f"it rests on {one}, which is not confirmed")
        if line.kind in WORDS:
            return
        strange = {part[0] for part in subtrees(line.difference) if not is_name(part)} - UNDERSTOOD
        require(line.formula and line.formula[0] != line.formula[2], "nothing is claimed")
        require(not strange or line.kind == "assumed", f"{', '.join(strange)}: this program knows nothing of it")
        if line.kind in MADE:
            self._check_words(line)
            (self._check_average if line.kind == "average" else self._made)(line)
            self._check_existence(line)
        elif line.kind in ("defined", "from"):
            (self._check_definition if line.kind == "defined" else self._check_taken_line)(line)

    def _check_words(self, line: Line) -> None:
        """Raise Refused if a line has words that name no symbol of its formula and use no word of the symbols' descriptions."""
        words, meant = re.findall(NAME, line.words), re.findall(NAME, " ".join(self.symbols[one]["words"] for one in line.letters))
        named = {line.page.symbols[word]["as"] for word in words if word in line.page.symbols}
        stems, said = ({word[:5].lower() for word in some if len(word) > 3} for some in (meant, words))
        require(not line.words or not line.letters or named & line.letters or stems & said, "the words are about something else")

    def _check_existence(self, line: Line) -> None:
        """Raise Refused unless no denominator of a line can be 0 and the argument of each logarithm is known to be positive."""
        cited = [self.lines[one] for one in (*self.used(line), *line.claimed)]
        cited += [one for one in self.lines.values() if one.kind in ("assumed", "limit", "meaning")]
        known = [(one.difference, one.strict) for one in cited if one.formula and one.relation != "="]
        for e in subtrees(line.difference):
            if not is_name(e) and e[0] in ("^", "log"):
                r = rational_exponent(e)
                below = e[0] == "^" and (r is None or r < 0)
                exists = e[0] == "^" and (not below or (self.algebra.sign(e[2]) and self.algebra.real(e[2])))
                require(exists or self.algebra.is_positive(e[1], known, below), "a denominator may be 0, or a logarithm may not exist")

    def _has_sign(self, symbol: str, value: Tree, algebra: Algebra | None = None) -> bool:
        """Return whether a value is known to be real and to have the sign with which a symbol is declared."""
        algebra = algebra or self.algebra
        return bool(algebra.sign(value) >= self.symbols[symbol]["sign"] and algebra.real(value))

    def _check_definition(self, line: Line) -> None:
        """Raise Refused if a line defines a constant, a reserved symbol, or a symbol through itself or with another sign."""
        symbol, value, of_statement = line.formula[0], line.formula[2], not line.reason  # of `where` or `schedule`
        require(not self.symbols[symbol]["constant"], f"{symbol} is a constant: no definition may choose it")
        same = [(page, item) for page, item, formula in self.facts if formula[0] == symbol and self.algebra.is_equal(formula[2], value)]
        agreeing = [(page, item) for page, item in same if item["reason"]["kind"] == "defined"]
        require(of_statement or agreeing or symbol not in self._reserved_symbols(), f"{symbol} stands for something already")
        others = {self.said[one] for one in symbols_in(value) if one in self.said}
        require(not any(line.name in self.rests_on(one, deep=True) for one in others), f"{symbol} is defined through itself")
        if not of_statement and self.symbols[symbol]["set"]:
            around = {name for one in self.rests_on(line.name, deep=True) for name in self.lines[one].letters}
            require(all(self.symbols[name]["chosen"] for name in around), f"{symbol} is chosen: it is not defined by what happens")
        for page, item in agreeing:  # not where the symbol stands for something else
            how, name = item["reason"].get("unless", ("", ""))
            averaged = [one.lines[0] for one in self.lines.values() if one.kind == "average" and how == "averaged"]
            spoken = [one for one in self.lines.values() if one.name in averaged or (one.kind == "meaning" and how == "known")]
            require(not any(page.name(name) in one.letters for one in spoken), f"a line speaks of {name} in another sense")
        for fewer in ([one for one in line.lines if one != name] for name in line.lines):
            require(not self._signed(symbol, value, fewer), "it has its sign without all the lines that `signs` names")
        require(self._signed(symbol, value, line.lines), f"{symbol} is not known to have the sign that it is declared with")

    def _signed(self, symbol: str, value: Tree, names: list[str]) -> bool:
        """Return whether a value has its symbol's sign, if differences of the named inequalities are >= 0, or > 0 if strict."""
        algebra = self.algebra
        for line in (self.lines[name] for name in names):
            require(line.relation != "=", "a sign is said by an inequality")
            algebra, value = algebra.seen(value, line.difference, line.strict)
        return self._has_sign(symbol, value, algebra)

    @cached_property
    def facts(self) -> list[tuple[Page, Item, Tree]]:
        """The facts with formulas on all pages that the proof rests on, as a list of (page, item, formula)."""
        given = [(page, item) for page in self.reached if page.kind == "facts" for item in page.items("given")]
        return [(page, item, page.formula(item["formula"])) for page, item in given if "formula" in item]

    def _reserved_symbols(self) -> set[str]:
        """Return the set of symbols that have a meaning already: of runs, averages, meanings and, for a theorem, its statement."""
        related = [(name, one["related"]) for name, one in self.symbols.items() if not one["related"].keys().isdisjoint(RELATED)]
        found = {symbol for name, one in related for symbol in (name, *(one[kind] for kind in RELATED if kind in one))}
        found |= symbols_in(*(difference(formula) for _, item, formula in self.facts if item["reason"]["kind"] == "meaning"))
        if not self.proves:  # those that may be set do not, where no theorem is proved
            return {name for name in found if not self.symbols[name]["set"]}
        page, choices = self.page, {name for name, one in self.symbols.items() if one["section"] == "choices"}
        stated = [
            *page.quoted_items("assume", "where", "schedule", "any_schedule", "conditions"),
            *((page, item) for item in page.claims()),
        ]
        formulas = [(where, formula) for where, item in stated for formula in (item["formula"], *item.get("cases", ()))]
        sides = [where.value(side) for where, formula in [*formulas, (page, page.bound)] for side in formula[::2] if side]
        return found | choices | symbols_in(*sides, page.lets.get("any_schedule", [[], ZERO])[1])

    def _check_taken_line(self, line: Line) -> None:
        """Raise Refused unless a line is proved on another page, with replacements allowed there and its hypotheses met here."""
        lemma, there, instance = self.lemma_of(line)
        require(there.kind not in ASSERTED and there.formula, f"{there.name} is not proved by {lemma.page.key}")
        require(not lemma.problem(there.name), f"{lemma.page.key} does not prove {there.name}")
        require(all(self._has_sign(*one) for one in instance.items()), "what is put in for a symbol may have another sign")
        rest, place = [lemma.lines[one] for one in lemma.rests_on(there.name)], lemma.page
        inside = set[str]().union(*(one.letters for one in rest)) - {*map(place.name, place.part("open", "names"))}
        spoken = any(one.kind in SPEAKS and one.letters for one in rest)
        quantities = {name for name, one in self.symbols.items() if not one["chosen"]}
        moved = {name: self.defined[name] for name in quantities & ({*self.said} - {*lemma.said})}
        moved |= {name: value for name, value in instance.items() if spoken or name in quantities}
        allowed = [{place.name(name): place.value(value) for name, value in item["values"]} for item in place.items("instances")]
        moved, *allowed = ({name: e for name, e in one.items() if name != e and name in inside} for one in (moved, *allowed))
        fits = [
            one for one in allowed if one.keys() == moved.keys() and all(self.algebra.is_equal(e, moved[name]) for name, e in one.items())
        ]
        require(not moved or fits, f"{place.key} does not say that it holds for another {', '.join(sorted(moved))}")
        further = lemma.inherited_constraints(there.name)
        met = [(self.lines[here], lemma.lines.get(one) or further[one]) for one, here in self.meets(line).items()]
        for here, hypothesis in [(line, there), *met]:
            same = here.relation == hypothesis.relation and self.algebra.is_equal(
                here.difference, substitute(hypothesis.difference, instance)
            )
            require(same, f"{place.key}: {hypothesis.name} is something else, or not met by {here.name}")

    def _made(self, line: Line) -> None:
        """Raise Refused unless a line's difference is a sum of terms >= 0 and multiples of equalities, after substitution."""
        formulas = [self.lines[name].formula for name in line.lines]
        values = resolve_values({formula[0]: formula[2] for formula in formulas if is_name(formula[0]) and formula[1] == "="})
        require(len(values) == len(formulas), "what is inserted does not say what one symbol is each")
        require(not symbols_in(*values.values()) & {*values}, "what is inserted goes round in a circle")
        require(
            all(one in self.said or self._has_sign(one, value) for one, value in values.items()), "what is inserted may have another sign"
        )
        used = {f"[{name}]": self.lines[name] for name in line.in_terms}
        worth = {name: substitute(one.difference, values) for name, one in used.items()}
        algebra = Algebra({**self.algebra.signs, **{name: (one.relation != "=") + one.strict for name, one in used.items()}})
        terms = line.terms[1:] if line.terms[0] == "+" else [line.terms]
        terms = [self._name_inequalities(substitute(term, values), algebra, worth) for term in terms if term != ZERO]
        zeros = [term for term in terms if any(is_name(one) and one in used and used[one].relation == "=" for one in flat_parts("*", term))]
        others = [term for term in terms if term not in zeros]
        require(all(map(algebra.real, terms)), "a term may not be a finite real number")
        require(all(map(algebra.sign, others)), "a term is not known to be at least 0")
        require(not others or line.relation != "=", "a term of an equality names no equality")
        total = ["+", ZERO, *(substitute(term, worth) for term in terms)]
        require(self.algebra.is_equal(substitute(line.difference, values), total), "the difference of both sides is something else")
        require(not line.strict or 2 in map(algebra.sign, others), "both sides may be equal")
        counted = [term for term in others if not self.algebra.is_equal(substitute(term, worth), ZERO)]
        alone = {tuple(str(one) for one in flat_parts("*", term) if symbols_in(one) & worth.keys()) for term in counted}
        taken = {(f"[{name}]",) for name, one in self.lines.items() if one.kind in ASSERTED}
        plain = substitute(line.terms, {name: one.difference for name, one in used.items()})
        needed = values and not self.algebra.is_equal(line.difference, plain)
        require(zeros or needed or len(alone) != 1 or not alone <= taken, "a line that is taken implies this alone")

    def _name_inequalities(self, term: Tree, algebra: Algebra, worth: Item) -> Tree:
        """Return a term with a symbol for each elementary inequality; puts its sign into `algebra`, its value into `worth`."""
        if is_name(term) or term[0] == "q":
            return term
        parts = [self._name_inequalities(one, algebra, worth) for one in term[1:]]
        if term[0] not in INEQUALITIES:
            return [term[0], *parts]
        require(algebra.real(parts[0]), f"the argument of {term[0]} is not known to be a real number")
        require(term[0] != "decay" or algebra.sign(parts[0]), f"the argument of {term[0]} may be negative")
        name = f"{term[0]} {parts[0]}"
        algebra.signs[name], worth[name] = 1, substitute(INEQUALITIES[term[0]], {"x": substitute(parts[0], worth)})
        return name

    def _check_average(self, line: Line) -> None:
        """Raise Refused unless a line is the average over steps of another, whose symbols of a step are averaged or telescope."""
        source = self.lines[line.lines[0]]
        require(self.symbols.get("T", {"section": ""})["section"] == "choices", "T is not the number of steps")
        related = {name: one["related"] for name, one in self.symbols.items()}
        means = {name: one["average"] for name, one in related.items() if "average" in one}
        runs = [(name, *(one[kind] for kind in RELATED[:3])) for name, one in related.items() if "next" in one]
        ends = {now: ["*", subtract(first, last), ["^", "T", MINUS]] for now, _, first, last in runs} | {run[1]: ZERO for run in runs}
        nothing = dict.fromkeys((*means, *ends), ZERO)
        rest = substitute(source.difference, nothing)
        rates = {one: subtract(substitute(source.difference, {**nothing, one: ONE}), rest) for one in nothing}
        linear = ["+", rest, *(["*", rate, one] for one, rate in rates.items())]
        require(self.algebra.is_equal(source.difference, linear), "it is not linear in what changes from step to step")
        around = symbols_in(rest, *rates.values())
        for _ in self.defined:
            around |= symbols_in(*(self.defined[one] for one in around if one in self.defined))
        changing = [one for one in around if self.symbols[one]["step"]]
        require(not changing, f"{', '.join(changing)}: changes from step to step")
        for now, after, *_ in runs:
            require(self.algebra.is_equal(rates[now], ["*", MINUS, rates[after]]), "what one step loses, the next one does not gain")
        average = substitute(source.difference, means | ends)
        require(source.relation == line.relation and self.algebra.is_equal(average, line.difference), "the average is another one")

    def _check_theorem(self) -> None:
        """Raise Refused unless the last line is the bound, some line the bound for any schedule, and parts the lines that show them."""
        page, free = self.page, self.page.part("any_schedule", "value")
        require(page.bound[0], "the bound does not name what it is about")
        measured, relation, value = page.formula(page.bound)
        self._check_conclusion(page.items("proof")[-1].get("name"), measured, CONCLUDES[relation], value)
        if free:
            proved = [one for one in self.lines.values() if one.kind not in ASSERTED]
            fits = [one.name for one in proved if self._has_formula(one, measured, CONCLUDES[relation], page.value(free))]
            require(fits, "no line is the bound for any schedule")
            self._check_conclusion(fits[-1], measured, CONCLUDES[relation], page.value(free))
        for part in (one for one in page.claims() if "shown" in one):
            left, relation, value = page.formula(part["formula"])
            self._check_conclusion(
                page.line_name(part["shown"]), left, (relation,), value, [page.formula(case) for case in part.get("cases", ())]
            )
        require(page.part("per_step", "line", self.order[-1]) in self.lines, "no line has the name that `per_step` names")

    def _has_formula(self, line: Line, left: Tree, relations: Sequence[str], value: Tree) -> bool:
        """Return whether a line says left RELATION value, one of `relations`, with the statement's `where` substituted."""
        formulas = [(page, item["formula"]) for page, item in self.page.quoted_items("where")]
        shorts = resolve_values({page.name(name): page.value(value) for page, (name, _, value) in formulas})
        sides = zip(line.formula[::2], (left, value), strict=True) if line.formula else ()
        return line.relation in relations and all(
            self.algebra.is_equal(substitute(here, shorts), substitute(there, shorts)) for here, there in sides
        )

    def _check_conclusion(self, name: Any, left: Tree, relations: Sequence[str], value: Tree, cases: Sequence[Tree] = ()) -> None:
        """Raise Refused unless line `name` is left RELATION value and rests on confirmed lines, and on no case outside `cases`."""
        require(name in self.lines and self.lines[name].kind not in ASSERTED, f"{name} is no line that is proved")
        require(self._has_formula(self.lines[name], left, relations, value), f"{name} is not what the theorem says")
        for one in self.rests_on(name, deep=True):
            require(not self.problem(one), f"it rests on {one}, which is not confirmed")
            require(self.lines[one].kind != "case" or self.lines[one].formula in cases, f"{name} rests on the case {one}")

    def _check_example(self) -> None:
        """Raise Refused unless, at the example, symbols are in their domains and all assumptions hold with a margin."""
        page = self.page
        require(not any(map(self.problem, self.said.values())), "a definition is not confirmed")
        values = {page.name(name): page.value(value) for item in page.items("example") for name, value in item["values"]}
        statement = [(where, item["formula"]) for where, item in page.quoted_items("where", "schedule")]
        given = {where.name(name): where.value(value) for where, (name, relation, value) in statement if relation == "="}
        wrong = [name for name, value in values.items() if name in given or symbols_in(value)]
        require(not wrong, f"{', '.join(wrong)}: is defined by the statement, or has no number for its value")
        given, everything = resolve_values(given), resolve_values({**self.defined, **given, **values})
        assumed = [line for line in self.lines.values() if line.kind == "assumed"]
        for name in {*values}.union(symbols_in(*map(page.value, page.bound[2:])), *(line.letters for line in assumed)):
            require(name in everything and not symbols_in(everything[name]), f"{name} has no value")
            one, value = self.symbols[name], ball_of(everything[name])
            kind, low, most = one["kind"], one["low"], one["related"].get("at most")
            good = kind == "real" or value > low or ("at least" in kind and low >= 1 and value >= low)
            good = good and ("probability" not in kind or value <= 1) and ("integer" not in kind or value.is_integer())
            good = good and (most not in everything or symbols_in(everything[most]) or value <= ball_of(everything[most]))
            require(good, f"{name} = {value.str(8, radius=False)} is not in its domain")
        for line in assumed:
            gap = substitute(line.difference, everything)
            holds = self.algebra.is_equal(gap, ZERO) if line.relation == "=" else ball_of(gap) > 0
            by_schedule = not line.strict and self.algebra.is_equal(substitute(line.difference, given), ZERO)
            require(holds or by_schedule, f"{line.name} does not hold with room")


# --- 5. All pages -----------------------------------------------------------------------------------------------------------------------


def check(texts: dict[str, str], *keys: str) -> dict[str, dict[str, str]]:
    """Return {key: {line: why it is not confirmed, "" if it is}} for the pages in `texts` ({file: text}) with these keys, or for all.

    Further lines are "the theorem", "the example", and "the page" where something is wrong with it as a whole, or with a page that it uses.
    """
    library, answer = Library(texts), dict[str, dict[str, str]]()
    for key in keys or library.files:
        try:
            proof = library.proof(key)
            further = {"the theorem": proof.proves, "the example": proof.page.items("example")} if proof else {}
            names = [*(proof.lines if proof else ()), *(name for name, there in further.items() if there)]
            answer[key] = {name: proof.problem(name) for name in names if proof}
        except Refused as why:
            answer[key] = {"the page": str(why)}
        except Exception as why:  # of what is malformed: never a traceback
            answer[key] = {"the page": f"it cannot be checked: {why!r}"}
    return answer


def rests_on(texts: dict[str, str], key: str) -> dict[str, str]:
    """Return {file: SHA-256 of its text} for all files whose pages a page in `texts` rests on, its own included."""
    return Library(texts).rests_on(key)


def page_report(library: Library, key: str, found: dict[str, str]) -> str:
    """Return the report on a page whose lines are all confirmed, as text: counts of lines, facts believed, files it rests on."""
    proof = library.proof(key)
    if proof is None:
        return f"{key}: nothing to prove"
    kinds = [line.kind for line in proof.lines.values()]
    text = f"{key}: {len(kinds)} lines, {len(kinds) - sum(map(kinds.count, WORDS))} confirmed, "
    text += f"{kinds.count('cited')} cited, {kinds.count('argued')} argued"
    if proof.page.kind == "theorem":
        text += "; the theorem is proved" if "the theorem" in found else "; the theorem is not proved here"
    text += "" if "the example" in found else "; no example, which is not checked"
    facts = ", ".join(page.key for page in proof.reached if page.kind == "facts")
    files = ", ".join(f"{file} {digits[:12]}" for file, digits in library.rests_on(key).items())
    return f"{text}\n  it believes the facts of {facts or 'no page'}\n  and rests on {files}"


def main(files: list[str]) -> int | str:
    """Check the pages in `files` and print a report for each if all lines are confirmed; else return the failures as text."""
    texts = {}
    for file in files:
        try:
            texts[file] = Path(file).read_text(encoding="utf-8")
        except (OSError, ValueError) as why:
            return f"{file}: {why}"
    answer, library = check(texts), Library(texts)
    wrong = [(key, name, why) for key, found in answer.items() for name, why in found.items() if why]
    if wrong or not files:
        where = {key: " and ".join(files) for key, files in library.files.items()}
        return "\n".join(f"{where.get(key, 'no file')}: {key}, {name}: {why}" for key, name, why in wrong) or "usage: recheck.py FILE..."
    print("\n".join(page_report(library, key, found) for key, found in answer.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
