r"""LaTeX of words with formulas in them, such as the measure of a theorem, its assumptions and its notes.

    E ||grad F_S(x_tau)||^2 for tau in 0..T-1      \mathbb{E}\, \|\nabla F_{S}(x_{\tau})\|^{2}\text{ for }\tau\text{ in }0,\dots,T-1

A text is split into whole tokens, so no symbol is found inside a word: "gradient" contains no grad. A formula consists of single letters,
names of Greek letters and functions, names of the glossary with an underscore, numbers, and signs that join these; every other word is
English. A prime before a letter is a transposition (u'a, x'y, a'Ha), anywhere else a prime.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from bounds.symbols import GLOSSARY

GREEK = {
    name: f"\\{name}"
    for name in (
        "alpha", "beta", "gamma", "delta", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho", "sigma",
        "tau", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Phi", "Psi", "Omega",
    )
} | {"epsilon": r"\varepsilon", "lam": r"\lambda", "ell": r"\ell"}  # fmt: skip
NAMED = GREEK | {"grad": r"\nabla", "inf": r"\infty", "Tr": r"\operatorname{Tr}"}
NAMED |= {name: f"\\{name}" for name in ("log", "exp", "sin", "cos", "arcsin", "arccos", "min", "max", "sup")}
SIGNS = {
    "<=": r"\le", ">=": r"\ge", "!=": r"\ne", "->": r"\to", "+-": r"\pm", "-+": r"\mp", "...": r"\dots", "..": r",\dots,", "||": r"\|",
    "|": "|", "+": "+", "-": "-", "=": "=", "<": "<", ">": ">", "/": "/", "*": r"\cdot", "~": r"\sim",
}  # fmt: skip
ACCENTS = {"hat", "tilde", "bar"}
RELATIONS = {"=", "<", ">", "<=", ">=", "!="}
LABELLED = {"Appendix", "Algorithm", "Assumption", "Corollary", "Definition", "Lemma", "Part", "Remark", "Section", "Table", "Theorem"}
NO_NOUN = {"is", "and", "or", "has", "does", "with", "of", "plus", "in", "for", "gives", "are", "to"}  # words that cannot follow an article
FUNCTIONS = ("f", "F", "P", "h")  # a prime on one of these, before a parenthesis, is no transposition
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "%": r"\%",
    "&": r"\&", "#": r"\#", "$": r"\$", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", '"': r"\textquotedblright{}",
}  # fmt: skip
TOKEN = re.compile(
    r"""(?P<space>\s+)
    | (?P<label>(?:[A-Za-z]\.){2,}(?![A-Za-z0-9])|[A-Z]\.\d+|\d+[a-z]{2,}|[A-Za-z]+\d\w*|'s(?!\w)|[a-z]{2,}'(?:t|re|ve|ll)(?!\w)|d'[a-z]{4,}
        |(?<![\w)'}*])\((?:i{1,3}|iv|vi{0,3}|ix|x|\d+)\)(?![\w^'(]))
    | (?P<code>[A-Za-z]\w*(?:\.[A-Za-z_]\w+)+)
    | (?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:e[+-]?\d+)?)
    | (?P<name>[A-Za-z]+(?:_[A-Za-z0-9]+)*)
    | (?P<sign><=|>=|!=|->|\+-|-\+|\.\.\.|\.\.|\|\||[|+\-=<>/*~])
    | (?P<other>.)""",
    re.X | re.S,
)


@dataclass(frozen=True)
class Token:
    """A piece of a text and its kind: one of the names of TOKEN, or "end" before the first and after the last."""

    kind: str
    text: str

    @property
    def is_english(self) -> bool:
        """Whether this is an English word, a label or a name of code, and no formula."""
        if self.kind != "name":
            return self.kind in ("label", "code")
        start, _, low = self.text.partition("_")
        return len(start) > 1 and start not in (*NAMED, "sqrt") and not (low and (self.text in GLOSSARY or start == "sum"))


@dataclass(frozen=True)
class Piece:
    """LaTeX of a formula or of text; `raised` and `lowered` mean that it has a superscript or subscript and can take no second one."""

    formula: bool
    latex: str
    raised: bool = False
    lowered: bool = False

    def with_script(self, sign: str, script: str) -> Piece:
        """Return this piece as a formula with a superscript (sign ^) or a subscript (sign _), `script` in LaTeX."""
        base = self.latex if self.formula else rf"\text{{{self.latex}}}"
        if self.raised if sign == "^" else self.lowered:
            return Piece(True, f"{{{base}}}{sign}{{{script}}}", sign == "^", sign == "_")
        return Piece(True, f"{base}{sign}{{{script}}}", self.raised or sign == "^", self.lowered or sign == "_")

    def with_prime(self) -> Piece:
        """Return a copy of this piece, a formula, with a prime."""
        return Piece(True, f"{{{self.latex}}}'" if self.raised else f"{self.latex}'", False, self.lowered)


def math_latex(text: str) -> str:
    r"""Return the LaTeX of a text inside a formula: English words in \text."""
    return tokens_latex(tokenize(text), inside=False)


def text_latex(text: str) -> str:
    """Return the LaTeX of a text inside a paragraph: formulas between dollar signs."""
    return "".join(f"${piece.latex}$" if piece.formula else piece.latex for piece in merge_pieces(Reader(tokenize(text)).read()))


def split_at_comma(text: str) -> tuple[str, str]:
    """Return the parts of a text before and after the first comma outside of parentheses; (text, "") without one."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            return text[:place], text[place + 1 :].strip()
    return text, ""


def escape_latex(text: str) -> str:
    """Return LaTeX that prints a text unchanged; a character that a Latin font does not have is named in brackets."""
    return "".join(SPECIAL.get(sign) or (sign if sign.isascii() and sign.isprintable() else non_ascii_latex(sign)) for sign in text)


def non_ascii_latex(sign: str) -> str:
    """Return the LaTeX of a character that is not ASCII: Latin letters and dashes unchanged, Greek as a formula, others by name."""
    if sign.isspace():
        return " "
    if (sign.isalpha() and ord(sign) < 0x180) or sign in "–—’“”":
        return sign
    name = unicodedata.name(sign, f"U+{ord(sign):04X}").split()
    greek = NAMED.get(name[-1].lower() if "SMALL" in name else name[-1].capitalize()) if name[0] == "GREEK" else None
    return f"${greek}$" if greek else f"[{' '.join(name).lower()}]"


def times_power_of_ten(mantissa: str, exponent: int) -> str:
    """Return the LaTeX of mantissa 10^exponent."""
    return f"10^{{{exponent}}}" if mantissa == "1" else rf"{mantissa}\cdot 10^{{{exponent}}}"


def tokenize(text: str) -> list[Token]:
    """Split a text into a list of tokens, which together have all its characters."""
    return [Token(match.lastgroup or "other", match[0]) for match in TOKEN.finditer(text)]


def tokens_latex(tokens: Sequence[Token], *, inside: bool = True) -> str:
    """Return tokens as LaTeX inside a formula; `inside` parentheses a comma belongs to the formula."""
    return "".join(piece.latex if piece.formula else rf"\text{{{piece.latex}}}" for piece in merge_pieces(Reader(tokens, inside).read()))


def merge_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Merge neighbouring pieces of one kind, so that formulas and English alternate.

    A space between two formulas becomes part of the formula; a number between two texts becomes text.
    """
    found: list[Piece] = []
    for before, piece, after in zip([Piece(False, ""), *pieces], pieces, [*pieces[1:], Piece(False, "")], strict=False):
        if piece.latex == " " and before.formula and after.formula:
            piece = Piece(True, " ")
        if found and found[-1].formula == piece.formula:
            left = found.pop().latex
            apart = piece.formula and re.search(r"\\[A-Za-z]+$", left) and piece.latex[:1].isalpha()
            piece = Piece(piece.formula, f"{left} {piece.latex}" if apart else left + piece.latex)
        found.append(piece)
    plain = [
        Piece(False, one.latex) if one.formula and re.fullmatch(r"\d+(\.\d+)?", one.latex) and len(found) > 1 else one for one in found
    ]
    return merge_pieces(plain) if plain != found else found


class Reader:
    """Parser of tokens, from left to right, into pieces of LaTeX."""

    def __init__(self, tokens: Sequence[Token], inside: bool = False) -> None:
        self.tokens, self.inside = list(tokens), inside
        self.at = 0  # index of the next token
        self.transposed = False  # the last token was the prime of a transposition

    def peek(self, ahead: int = 0) -> Token:
        """Return the token `ahead` places after the next one; a negative number gives tokens that were read."""
        place = self.at + ahead
        return self.tokens[place] if 0 <= place < len(self.tokens) else Token("end", "")

    def read(self) -> list[Piece]:
        """Read all tokens and return them as pieces of LaTeX, without empty ones."""
        found: list[Piece] = []
        while self.at < len(self.tokens):
            changed = self.attach_script(found[-1]) if found and self.peek(-1).kind != "space" else None
            if changed:
                found[-1] = changed
            else:
                found.append(self.read_piece())
        return [piece for piece in found if piece.latex]

    def attach_script(self, base: Piece) -> Piece | None:
        """Return the last piece with the script, prime, star or tilde that comes next, or None if none comes."""
        sign, following, start = self.peek().text, self.peek(1), self.at
        if sign in ("^", "_") and (base.formula or self.peek(-1).kind == "name"):
            self.at += 1
            script = self.read_script()
            if script is None:
                self.at = start
                return None
            known = GLOSSARY.get(self.tokens[start - 1].text)
            return (glossary_piece(known.latex) if known and not base.formula else base).with_script(sign, script)
        if not base.formula:
            return None
        if sign == "'":
            self.at += 1
            spaced = following.kind == "space" and self.peek(1).text == "H"  # z' H z: H is a matrix throughout
            self.transposed = following.kind == "name" or spaced or (following.text == "(" and base.latex not in FUNCTIONS)
            return base.with_script("^", r"\top") if self.transposed else base.with_prime()
        if sign == "*" and following.kind not in ("name", "number") and following.text != "(":
            self.at += 1
            return base.with_script("^", "*")
        if sign == "~" and following.kind != "name":
            self.at += 1
            return Piece(True, rf"\tilde{{{base.latex}}}")
        return None

    def read_script(self) -> str | None:
        """Read a script and return its LaTeX; None if the next tokens cannot be one."""
        sign, following = self.peek(), self.peek(1)
        if sign.text in ("(", "{"):
            inside = self.read_enclosed()
            return None if inside is None else tokens_latex(inside)
        if sign.kind in ("number", "name"):
            return as_formula(self.read_piece())
        if sign.text in ("-", "+", "*"):
            self.at += 1
            return sign.text + (as_formula(self.read_piece()) if sign.text != "*" and following.kind in ("number", "name") else "")
        return None

    def read_piece(self) -> Piece:
        """Read the next token, or a parenthesis with its contents, and return it as a piece of LaTeX."""
        token, after_prime, self.transposed = self.peek(), self.transposed, False
        if token.text in ("(", "[") and token.kind == "other":
            return self.read_parenthesis()
        self.at += 1
        if token.kind == "number":
            mantissa, _, exponent = token.text.replace(",", r"\,").partition("e")
            return Piece(True, times_power_of_ten(mantissa, int(exponent)), raised=True) if exponent else Piece(True, mantissa)
        if token.kind == "name":
            return self.name_piece(token, after_prime)
        if token.kind == "code":
            return Piece(False, rf"\texttt{{{escape_latex(token.text)}}}")
        if token.kind == "sign" and not self.is_hyphen(token.text):
            return Piece(True, SIGNS[token.text])
        if self.inside and token.text in (",", ";", "."):
            return Piece(True, r"\cdot" if token.text == "." else token.text)
        return Piece(False, " " if token.kind == "space" else escape_latex(token.text))

    def is_hyphen(self, sign: str) -> bool:
        """Return whether the sign just read joins words: English on one side, no space on either."""
        sides = self.peek(-2), self.peek()
        return sign in "-/" and any(side.is_english for side in sides) and all(side.kind not in ("space", "end") for side in sides)

    def name_piece(self, token: Token, after_prime: bool) -> Piece:
        """Return the piece of the name just read: a word, a symbol, a function or a product of symbols."""
        name, following = token.text, self.peek()
        start, _, low = name.partition("_")
        single = not low and len(name) <= 3 and name not in NAMED
        if single and (after_prime or (following.text == "'" and len(set(name)) == 1)):
            return Piece(True, name)  # a product: Hu of u'Hu, uu of uu'
        if name == "sqrt" and following.text == "(" and (inside := self.read_enclosed()) is not None:
            return Piece(True, rf"\sqrt{{{tokens_latex(inside)}}}")
        if start == "sum" and following.text == "_":
            return Piece(True, r"\sum")
        if token.is_english and low:
            return Piece(False, rf"\texttt{{{escape_latex(name)}}}")
        if (
            token.is_english
            or self.is_article(name)
            or (len(name) == 1 and self.peek(-2).kind == "space" and self.peek(-3).text in LABELLED)
        ):
            return Piece(False, escape_latex(name))
        if name == "E" and (following.text in ("[", "(") or (following.kind == "space" and self.formula_follows())):
            return Piece(True, r"\mathbb{E}\," if following.kind == "space" else r"\mathbb{E}")
        if (name == "P" and following.text == "(") or (name == "R" and following.text == "^" and self.peek(1).text == "d"):
            return Piece(True, rf"\mathbb{{{name}}}")
        if not low:
            return Piece(True, NAMED.get(name, name))
        parts = low.split("_")
        if name in GLOSSARY and following.text == "(" and GLOSSARY[name].latex.endswith("(t)"):
            return glossary_piece(GLOSSARY[name].latex.removesuffix("(t)"))  # P_h(t): the glossary has the letter with its argument
        if name in GLOSSARY and following.text != "(" and any(len(part) > 1 and not part.isdigit() and part not in NAMED for part in parts):
            return glossary_piece(GLOSSARY[name].latex)
        base = r"\sum" if start == "sum" else NAMED.get(start, start)
        for accent in [part for part in parts if part in ACCENTS]:
            base = rf"\{accent}{{{base}}}"
        below = ",".join(subscript_latex(part) for part in parts if part not in ACCENTS)
        return Piece(True, base).with_script("_", below) if below else Piece(True, base)

    def formula_follows(self) -> bool:
        """Return whether a formula comes after the space that comes next."""
        after = self.peek(1)
        return (after.kind == "name" and not after.is_english) or after.text in ("(", "[", "|", "||") or self.peek(2).text == "'"

    def is_article(self, name: str) -> bool:
        """Return whether the name just read is the English article."""
        if name not in ("a", "A") or self.peek().kind != "space" or not self.peek(1).is_english or self.peek(1).text in NO_NOUN:
            return False
        return self.peek(-3).text not in RELATIONS if name == "a" else self.peek(-2).kind == "end" or self.peek(-3).text in (".", ":")

    def read_enclosed(self) -> list[Token] | None:
        """Return the tokens inside the brackets that come next and move past them; None, without moving, if they are not closed."""
        opened: list[str] = []
        for end in range(self.at, len(self.tokens)):
            sign = self.tokens[end].text if self.tokens[end].kind == "other" else ""
            if sign and sign in "([{":
                opened.append("}" if sign == "{" else ")]")
            elif sign and sign in ")]}" and (not opened or sign not in opened.pop()):
                return None
            if not opened:
                start, self.at = self.at + 1, end + 1
                return self.tokens[start:end]
        return None

    def read_parenthesis(self) -> Piece:
        """Read a parenthesis: with its contents if it belongs to a formula, else only the opening sign as text."""
        before, opening, start = self.peek(-1), self.peek().text, self.at
        inside = self.read_enclosed()
        belongs = before.kind in ("name", "number") or before.text in (")", "]", "'", "}") or self.peek().text in ("^", "_")
        if inside and (belongs or not any(token.is_english for token in inside)):
            return Piece(True, f"{opening}{tokens_latex(inside)}{self.peek(-1).text}")
        self.at = start + 1
        return Piece(False, opening)


def glossary_piece(latex: str) -> Piece:
    """Return the LaTeX of a glossary symbol as a piece, with the scripts that it has already."""
    return Piece(True, latex, "^" in latex, "_" in latex)


def as_formula(piece: Piece) -> str:
    """Return a piece as LaTeX inside a formula."""
    return piece.latex if piece.formula else rf"\text{{{piece.latex}}}"


def subscript_latex(part: str) -> str:
    """Return the LaTeX of a part of a subscript: a single letter, a number or a Greek letter unchanged, a word upright."""
    return NAMED.get(part) or (part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}")
