"""Safe HTML for the report: words, formulas and plots of claims, which may come from files that nobody checked.

The template escapes words; here they also lose invisible and direction-changing characters. A formula is parsed, and only known elements
of MathML with known attributes are written; a formula that cannot be parsed is shown as it was typed. A plot is an image, in which no
browser runs a script. A Content-Security-Policy, which allows only the page's own script and style, is the second protection.
"""

import base64
import hashlib
import re
import unicodedata
import warnings
from functools import lru_cache
from html import escape
from typing import Any
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

from figures.style import plot_svg
from paper_checks.verdict import Plot

ELEMENTS_WORDS = (
    "math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mstyle "
    "mpadded mphantom menclose"
)
ELEMENTS = set(ELEMENTS_WORDS.split())
ATTRIBUTES_WORDS = (
    "display displaystyle scriptlevel stretchy fence form accent movablelimits largeop separator minsize maxsize mathvariant "
    "width height depth lspace rspace voffset linethickness columnalign rowlines columnlines columnspacing notation"
)
ATTRIBUTES = set(ATTRIBUTES_WORDS.split())
VALUE = re.compile(r"[a-z0-9 .+-]{0,40}")  # allowed values of an attribute: words, numbers and lengths, but no address and no declaration
DELIMITERS = {r"\|": "\u2016", r"\{": "{", r"\}": "}"}  # left unconverted by the parser after \Big and similar commands
ENTITY = re.compile(r"&#x([0-9A-Fa-f]{1,6});")  # the parser's form of characters outside ASCII
LONGEST, DEEPEST = 5_000, 40  # limits of characters and of nested braces, because the parser is recursive
DEFINES = re.compile(r"\\(?:re|provide)?newcommand|\\newenvironment|\\[gex]?def(?![a-z])|\\let(?![a-z])|\\DeclareMathOperator")


def replace_invisible(text: str) -> str:
    """Return a text with every control, formatting and surrogate character replaced by U+FFFD; newlines and tabs stay."""
    return "".join("\ufffd" if unicodedata.category(sign) in ("Cc", "Cf", "Cs") and sign not in "\n\t" else sign for sign in text)


@lru_cache(maxsize=4096)
def mathml(formula: str) -> Markup:
    """Convert a LaTeX formula to MathML markup; return the formula as typed, in <code>, where it cannot be converted."""
    if not formula:
        return Markup("")
    try:
        return Markup(element_text(parse_formula(formula)))
    except Exception:  # the parser may raise anything on unchecked input, and the page must still be written
        return Markup("<code>{}</code>").format(replace_invisible(formula[:LONGEST]))


def parse_formula(formula: str) -> Element:
    """Parse a LaTeX formula into a MathML element tree; raise ValueError if it is too long, too deep, or defines commands."""
    depth = deepest = 0
    for sign in formula:
        depth += (sign == "{") - (sign == "}")
        deepest = max(deepest, depth)
    if len(formula) > LONGEST or deepest > DEEPEST or DEFINES.search(formula):
        raise ValueError("no formula of a claim")
    return convert_to_element(formula)


def element_text(element: Element) -> str:
    """Serialise a MathML element and its children as text; raise ValueError for an unknown element or a LaTeX command left over."""
    if element.tag not in ELEMENTS:
        raise ValueError(f"{element.tag}: not an element of a formula")
    text = ENTITY.sub(lambda match: chr(int(match[1], 16)), element.text or "")
    text = DELIMITERS.get(text, text)
    if text.startswith("\\") and len(text) > 1:
        raise ValueError(f"{text}: a command that is not known")
    allowed = {name: value for name, value in element.attrib.items() if name in ATTRIBUTES and VALUE.fullmatch(value)}
    attributes = "".join(f' {name}="{value}"' for name, value in allowed.items())
    inside = escape(replace_invisible(text)) + "".join(element_text(child) for child in element)
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"


def plot_image(plot: Plot) -> Markup:
    """Return a plot as an <img> element with its SVG embedded, or a paragraph with the reason why it cannot be drawn."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about characters that the font lacks, or points outside a logarithmic axis
            drawn = plot_svg(plot)
    except Exception as error:  # points and labels are unchecked input, and the page must still be written
        return Markup('<p class="soft">The plot cannot be drawn: {}.</p>').format(replace_invisible(f"{type(error).__name__}: {error}"))
    code = base64.b64encode(drawn.encode("utf-8", "replace")).decode()
    names = ", ".join(plot.series)
    return Markup('<img alt="{}" src="data:image/svg+xml;base64,{}">').format(
        replace_invisible(f"{plot.y_label} against {plot.x_label}: {names}"), code
    )


def security_policy(script: str, style: str) -> str:
    """Return the Content-Security-Policy of a page that runs only this script and this style, and loads nothing."""
    codes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (script, style)]
    return (
        f"default-src 'none'; script-src 'sha256-{codes[0]}'; style-src 'sha256-{codes[1]}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def template_value(value: Any) -> Any:
    """Return a template value ready to be written: safe markup unchanged, anything else as plain text, which the template escapes."""
    return value if isinstance(value, Markup) else replace_invisible(str(value))
