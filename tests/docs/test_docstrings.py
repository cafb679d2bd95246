"""The docstrings of the front door: numpydoc sections with every parameter, a first line to be listed, and examples that are true.

And in those of all packages, every name in backticks exists, see `names`.
"""

import doctest
import inspect
import re
from functools import reduce

import numpy as np
import pytest

import theory_lab as lab
from bounds.privacy import gaussian, steps
from tests.docs import names

NAMES = [name for name, where in lab.NAMES.items() if ":" in where and not name.isupper()]
ACCOUNTANTS = [
    f"{module}.{name}"
    for module, where in (("privacy", gaussian), ("privacy", steps), ("mixture", lab.mixture), ("subsampled", lab.subsampled))
    for name, one in vars(where).items()
    if inspect.isfunction(one) and one.__module__ == where.__name__ and hasattr(one, "__wrapped__")
]
CLASSES = [name for name in NAMES if isinstance(getattr(lab, name), type)]
FUNCTIONS = [name for name in [*NAMES, *ACCOUNTANTS] if name not in CLASSES]
NOTHING = {"mixture.possible_steps"}  # it raises or returns None
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
OURS = re.compile(r"\b(in law|worlds?|told|ledger|landscapes?|twins?|journal|examine[sd]?)\b")
FIRST_LINE = 130  # characters, for `theory-lab list`


def function(name):
    """Return the public function with a dotted name, such as "cosine" or "privacy.sigma_gaussian"."""
    return reduce(getattr, name.split("."), lab)


def sections(doc):
    """Return the lines of each section of a docstring by heading; the summary has the heading ""."""
    heading, found, lines = "", {"": []}, doc.splitlines()
    for k, line in enumerate(lines):
        if k + 1 < len(lines) and re.fullmatch("-{3,}", lines[k + 1]) and len(line) == len(lines[k + 1]):
            heading = line
            found[heading] = []
        elif not re.fullmatch("-{3,}", line):
            found[heading].append(line)
    return found


def described_names(lines):
    """Return the parameter names in the lines of a section: `a, b` and `**c` of the lines that are not indented."""
    rows = [line for line in lines if line and not line.startswith(" ")]
    return [name.lstrip("*") for line in rows for name in line.partition(" : ")[0].split(", ")]


def test_the_accountants_are_among_the_functions():
    assert {"privacy.sigma_gaussian", "mixture.sigma_uniform", "subsampled.sigma_subsampled"} <= {*ACCOUNTANTS}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_parameter_and_what_is_returned_is_described(name):
    one = function(name)
    assert inspect.isfunction(one)
    found = sections(inspect.getdoc(one))
    assert {"Parameters", "Returns", "Raises", "Examples"} - found.keys() <= ({"Returns"} if name in NOTHING else set())
    assert described_names(found["Parameters"]) == [*inspect.signature(inspect.unwrap(one)).parameters]
    order = ["", "Parameters", "Returns", "Raises", "Notes", "Examples"]
    assert [*found] == [heading for heading in order if heading in found]
    assert all(any(line.startswith("    ") for line in lines) for heading, lines in found.items() if heading in order[1:4])


@pytest.mark.parametrize("name", CLASSES)
def test_every_setting_of_a_declaration_is_described(name):
    one = getattr(lab, name)
    found = sections(inspect.getdoc(one))
    assert described_names(found["Parameters"]) == [field.name for field in one.fields]
    assert all(re.fullmatch(r"    [A-Z0-9|].*\.", line) for line in found["Parameters"] if line.startswith(" ")), found["Parameters"]


@pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES])
def test_the_first_line_says_what_a_function_does_in_plain_words(name):
    doc = inspect.getdoc(function(name))
    first, _, _ = doc.partition("\n\n")
    assert len(first) <= FIRST_LINE
    assert re.fullmatch(r"[A-Z][a-z]+ [^\n]*\.", first)
    prose = "\n".join(line for line in doc.splitlines() if line != "landscape" and not line.startswith(">>>"))  # a parameter, and code
    assert OURS.findall(re.sub("`[^`]*`", "", prose)) == []


@pytest.mark.parametrize("name", [*FUNCTIONS, "THEOREMS"])
def test_the_examples_are_true(name):
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(function(name)), {"lab": lab, "np": np}, name, None, 0)
    said = []
    doctest.DocTestRunner(optionflags=LIKE).run(test, out=said.append)
    assert test.examples
    assert "".join(said) == ""


def test_a_wrong_docstring_is_noticed():
    found = sections("Do it.\n\nParameters\n----------\na, b\n    Words.\n**c\n    Words, more.\n\nReturns\n-------\nint\n    One.")
    assert described_names(found["Parameters"]) == ["a", "b", "c"]
    assert described_names(found["Returns"]) == ["int"]
    assert OURS.search("runs in two worlds")


ELSEWHERE = {  # names in backticks that are not of the lab, and why they stand there
    "distributed.scheduler.allowed-failures": "a setting of Dask",
}


@pytest.mark.parametrize("package", names.PACKAGES)
def test_every_name_in_backticks_exists(package):
    """A name that was changed in the code must be changed in the docstrings too."""
    stale = [
        f"{path}, {owner or 'module'}: `{span}`: {', '.join(unknown)}"
        for path, nodes in names.sources().items()
        if path.startswith(f"{package}/")
        for owner, doc in names.docstrings(nodes)
        for span in names.quoted(doc)
        if span not in ELSEWHERE and (unknown := names.unknown_names(span))
    ]
    assert stale == []


@pytest.mark.parametrize(
    ("span", "unknown"),
    [
        ("sigma_gaussian", []), ("bounds.privacy.sigma_gaussian", []), ("Kernel.call", []), ("bounds/PAPER/false_lines.py", []),
        ("docs/reference/page-language.md", []), ("--spectrum-file", []), ("simulate(objective, seed=...)", []), ("dpzero.theorem3", []),
        ("sharp_*.page", []), ("sigma_gausian", ["sigma_gausian"]),
        ("privacy.sigma_gausian", ["sigma_gausian", "privacy.sigma_gausian"]),
        ("Kernel.PAGES", ["Kernel.PAGES"]), ("bounds/PAPER/no_lines.py", ["bounds/PAPER/no_lines.py"]),
        ("dpzero.theorem9", ["theorem9", "dpzero.theorem9"]),
    ],
)  # fmt: skip
def test_a_name_that_does_not_exist_is_noticed(span, unknown):
    assert names.unknown_names(span) == unknown
