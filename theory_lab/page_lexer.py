"""Syntax highlighting for .page files: a Pygments lexer with the alias "page"."""

from pygments.lexer import RegexLexer, bygroups, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Whitespace

from bounds.pages.tokens import CONSTANTS, FUNCTIONS, INEQUALITIES, WORDS_OF_REASONS
from bounds.pages.tree import KINDS, ORDER
from paper_checks.pages.claims import ITEMS, STATED

SECTIONS = (*KINDS, *ORDER, "claims", "errata", "erratum", "for", *STATED)


class PageLexer(RegexLexer):
    """The lexer of theorem pages: sections, labels, page names, formulas, and reasons after two dashes."""

    name = "Page"
    aliases = ("page",)
    filenames = ("*.page",)
    url = ""
    tokens = {  # noqa: RUF012  as Pygments has it
        "root": [
            (r"^theory-page 1$", Comment.Preproc),
            (r"^ *#.*$", Comment),
            (r"--.*$", String.Doc),
            (r'r?"[^"]*"', String),
            (rf"^(?:only [^:\n]*: *)?(?:{'|'.join(SECTIONS)})\b", Keyword.Namespace),
            (rf"^( +)({'|'.join(ITEMS)})\b(?= )", bygroups(Whitespace, Keyword)),
            (r"^( +)([A-Za-z]\w*)( *(?:\(\w+\))?)(:)", bygroups(Whitespace, Name.Label, Whitespace, Punctuation)),
            (r"[A-Za-z]\w*(?:\.[\w<>-]+)+", Name.Namespace),
            (words(WORDS_OF_REASONS, prefix=r"\b", suffix=r"\b"), Keyword.Reserved),
            (words((*FUNCTIONS, *INEQUALITIES), prefix=r"\b", suffix=r"(?= *\()"), Name.Function),
            (words(CONSTANTS, prefix=r"\b", suffix=r"\b"), Name.Constant),
            (r"\d[\d_]*(?:\.\d+)?(?:e-?\d+)?", Number),
            (r"<=|>=|[-+*/^=<>~|]", Operator),
            (r"[][(){},;:.']", Punctuation),
            (r"[A-Za-z]\w*", Name),
            (r"\n| +", Whitespace),
        ]
    }
