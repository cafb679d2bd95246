"""``theory-lab show KEY --script``: plain Python scripts that compute the witness of a false claim without the lab.

A script needs mpmath alone. Scripts exist for claims that substitute their witness in the two sides of a printed line, for statements
with a logarithm that is not positive, for the noise of Lemma 2.2 of DPZero and the theorems of that paper that use it, and for
sentences about the tables of DP-ZOPO. Other witnesses are simulations and searches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from theory_lab.catalogue import Entry

if TYPE_CHECKING:
    from types import ModuleType

    from bounds.proofs.false_line import FalseLine
    from paper_checks.verdict import Claim

RELATIONS = {"=": "==", "==": "==", "<=": "<=", "<": "<", ">=": ">=", ">": ">"}
MOST_TERMS = 2000  # limit of the terms of a sum in a script
CURVE = '''
def delta_of(epsilon, mu):
    """The exact delta of the Gaussian mechanism, mu = distance of the means / standard deviation (Balle, Wang 2018)."""
    return mpmath.ncdf(-epsilon / mu + mu / 2) - mpmath.exp(epsilon) * mpmath.ncdf(-epsilon / mu - mu / 2)
'''


def witness_script(entry: Entry, modules: Sequence[ModuleType]) -> str:
    """Return the Python script for a claim, or for the first claim of an erratum that has one; raise ValueError if none has."""
    from theory_lab.own import all_claims

    names = entry.more["claims"].split() if entry.kind == "errata" else [entry.name]
    known = {one.key: one for one in all_claims(modules)}
    for name in names:
        if found := claim_script(known[name]):
            return found
    said = "its witness is a simulation or a search"
    checks = f"theory-lab check {' '.join(names)}"
    raise ValueError(f"script: {entry.name} has no script, {said}; {checks} prints the witness")


def claim_script(claim: Claim) -> str:
    """Return the Python script that computes the witness of a claim, "" if there is none for this kind of claim."""
    from paper_checks.dp_zopo import tables
    from paper_checks.dpzero.privacy import lemma_2_2, privacy_clause
    from paper_checks.shared.formulas import check_positive_logarithm
    from paper_checks.shared.witness import check_witness, false_lines
    from paper_checks.verdict import paper_of

    if claim.examine is check_witness:
        key = claim.arguments["key"]
        return script_head(claim) + line_script(false_lines(paper_of(key))[key])
    if claim.examine is check_positive_logarithm:
        return script_head(claim) + logarithm_script(
            claim.arguments["key"], claim.arguments["letter"], claim.examine(**claim.arguments).witness
        )
    if claim.examine is tables.check_row_above:
        return script_head(claim, "") + cells_script(tables.paired_cells(claim.arguments["pairs"]), claim.arguments)
    if claim.examine is tables.check_text_numbers:
        witness = claim.examine(**claim.arguments).witness
        return script_head(claim, "") + text_script(claim.arguments["table"], witness["table"], witness["text"])
    if claim.examine is lemma_2_2.check_lemma_2_2:
        finding = claim.examine(**claim.arguments_of(False))
        return script_head(claim) + lemma_2_2_script(finding.witness) if finding.witness else ""
    if claim.examine is privacy_clause.check_counterexample:
        finding = claim.examine(**claim.arguments_of(False))
        last = bool(claim.arguments.get("last", False))
        return script_head(claim) + clause_script(finding.witness, last) if finding.witness else ""
    return ""


def script_head(claim: Claim, needs: str = "mpmath") -> str:
    """Return the first lines of a script: comments with the claim and its source, and the import of mpmath where it is needed."""
    from bounds.papers import PAPERS
    from paper_checks.verdict import paper_of

    paper = PAPERS.get(paper_of(claim.key))
    published = f" of {paper.name_and_title}, {paper.published}" if paper else ""
    lines = [
        f"{claim.key}: {claim.words}",
        f"Source: {claim.source}{published}",
        f"The claim is false at the values below.{f' Needs {needs}.' if needs else ''}",
    ]
    return "\n".join(f"# {line}" for line in lines) + ("\n\nimport mpmath\n\nmpmath.mp.dps = 70\n" if needs else "\n")


def line_script(line: FalseLine) -> str:
    """Return the body of a script for a printed line: compute both sides at the witness, and what holds instead."""
    import sympy as sp
    from sympy.printing.pycode import MpmathPrinter

    known = {letter: sp.sympify(value) for letter, value in line.at.items()}
    code = MpmathPrinter({"fully_qualified_modules": True, "user_functions": {"erfinv": "mpmath.erfinv"}}).doprint

    def of(expression: Any) -> str:
        return str(code(sp.sympify(expression).xreplace(known)))

    witness = [assignment_code(letter, sp.Rational(value)) for letter, value in sorted(line.witness.items(), key=lambda pair: str(pair[0]))]
    premises = [f'print("premise:", {comparison_code(of(one.lhs), one.rel_op, of(one.rhs))})' for one in line.premises]
    relation, true = RELATIONS[line.relation], RELATIONS[line.true_relation]
    said = "left side - right side" if relation == "==" else f"left side {relation} right side"
    compared = "mpmath.nstr(left - printed, 12)" if relation == "==" else f"left {relation} printed"
    what_holds = [
        "",
        "# what holds instead",
        f"instead = {of(line.true_rhs)}",
        'print("instead:   ", mpmath.nstr(instead, 25))',
        f'print("left side {"=" if true == "==" else true} instead:", {comparison_code("left", true, "instead")})',
    ]
    return "\n".join(
        [
            "",
            "# the witness",
            *witness,
            *premises,
            "",
            "# the left side, and the right side that is printed",
            f"left = {of(line.lhs)}",
            f"printed = {of(line.rhs)}",
            'print("left side: ", mpmath.nstr(left, 25))',
            'print("right side:", mpmath.nstr(printed, 25))',
            f'print("{said}:", {compared})  # the paper claims {"0" if relation == "==" else "True"}',
            *([] if is_restated(line) else what_holds),
            "",
        ]
    )


def comparison_code(left: str, relation: str, right: str) -> str:
    """Return Python code that compares two numbers; equality is tested to 60 of the 70 digits, since both are rounded."""
    return f"mpmath.almosteq({left}, {right}, mpmath.mpf(10) ** -60)" if relation == "==" else f"{left} {relation} {right}"


def is_restated(line: FalseLine) -> bool:
    """Return whether the corrected right side of a line equals its left side, so that printing it would tell nothing."""
    import sympy as sp

    return line.true_relation in ("=", "==") and sp.sympify(line.lhs) == sp.sympify(line.true_rhs)


def assignment_code(letter: Any, value: Any) -> str:
    """Return a line of Python that assigns a symbol its exact value, with the meaning of the symbol as a comment."""
    from bounds.symbols import GLOSSARY

    number = f"mpmath.mpf({value.p})" + (f" / {value.q}" if value.q != 1 else "")
    return f"{letter} = {number}" + (f"  # {GLOSSARY[str(letter)].words}" if str(letter) in GLOSSARY else "")


def logarithm_script(key: str, letter: str, witness: Any) -> str:
    """Return the body of a script for a bound that is negative, because the argument of its logarithm is below 1."""
    import sympy as sp
    from sympy.printing.pycode import MpmathPrinter

    import bounds

    theorem, code = bounds.THEOREMS[key], MpmathPrinter({"fully_qualified_modules": True}).doprint
    argument, bound = theorem.in_constants(theorem.definitions[letter]), theorem.in_constants(theorem.bound)
    used = sorted({symbol.name for symbol in argument.free_symbols | bound.free_symbols})
    values = [assignment_code(name, sp.Rational(repr(witness[name]))) for name in used]
    return "\n".join(
        [
            *("", "# the witness", *values, ""),
            f"argument = {code(argument)}  # of the logarithm",
            f"bound = {code(bound)}  # what is claimed to bound a quantity that is not negative",
            'print("argument of the logarithm:", mpmath.nstr(argument, 12))',
            'print("bound:", mpmath.nstr(bound, 12))',
            'print("bound >= 0:", bound >= 0)  # the paper needs True',
            "",
        ]
    )


def cells_script(cells: Any, arguments: Any) -> str:
    """Return the body of a script for a sentence about two rows of a table: count the cells in which it holds."""
    least, most, need = arguments.get("least", 1e-6), arguments.get("most", math.inf), arguments.get("need", "all")
    rows = [f"    {name!r}: ({a!r}, {b!r})," for name, (a, b) in cells.items()]
    limit = "" if math.isinf(most) else f" <= {most!r}"
    needed = "len(cells)" if need == "all" else "len(cells) / 2"
    sign = "==" if need == "all" else ">"
    return "\n".join(
        [
            *("", "# cell: the two numbers that the sentence compares, as the tables print them", "cells = {", *rows, "}"),
            "differences = {name: round(first - second, 6) for name, (first, second) in cells.items()}",
            f"held = [name for name, difference in differences.items() if {least!r} <= difference{limit}]",
            'print("the sentence holds in", len(held), "of", len(cells), "cells; differences:", differences)',
            f'print("claimed of {need} cells:", len(held) {sign} {needed})  # the paper claims True',
            "",
        ]
    )


def text_script(table: str, have: Any, said: Any) -> str:
    """Return the body of a script for a sentence that repeats numbers of a table: print both and compare them."""
    return f"""
table = {have!r}  # Table {table} of the paper
text = {said!r}  # what the text says of it
print("table:", table)
print("text: ", text)
print("the same:", table == text)  # the paper needs True
"""


def lemma_2_2_script(witness: Any) -> str:
    """Return the body of a script that computes the delta spent by the noise of Lemma 2.2; it depends on neither T nor sensitivity."""
    return f'''{CURVE}
epsilon, delta = mpmath.mpf({witness["epsilon"]!r}), mpmath.mpf("{witness["delta"]!r}")
T, sensitivity = 1, 1  # the result is the same for all
sigma = 2 * sensitivity * mpmath.sqrt(2 * T * mpmath.log(mpmath.e + epsilon / delta)) / epsilon  # Lemma 2.2 as printed
spent = delta_of(epsilon, mpmath.sqrt(T) * sensitivity / sigma)
print("delta claimed:", mpmath.nstr(delta, 6))
print("delta spent:  ", mpmath.nstr(spent, 12))
print("private:", spent <= delta)  # the paper claims True
'''


def clause_script(witness: Any, last: bool) -> str:
    """Return the body of a script for the counterexample to a privacy clause: n = d = 1, and the steps are a Gaussian walk."""
    spent = "delta_of(epsilon, mu(T))"
    if not last:
        step = max(1, witness["T"] // MOST_TERMS)
        spent = f"mpmath.fsum({step} * delta_of(epsilon, mu(t)) for t in range(1, T - {step - 1}, {step})) / T"
        spent += "  # x_tau: the mean over t < T" + (
            f", from below: delta_of grows with t, each term stands for {step}" if step > 1 else ""
        )
    return f'''{CURVE}
# n = d = 1, data sets {{+1}} and {{-1}}, f(x; xi) = psi(xi x), psi(x) = x as far as the walk goes: x_t is normal, of mean -+ alpha t h
epsilon, delta = mpmath.mpf({witness["epsilon"]!r}), mpmath.mpf("{witness["delta"]!r}")
T, C = {witness["T"]}, mpmath.mpf("{witness["C"]!r}")
sigma = 4 * C * mpmath.sqrt(2 * T * mpmath.log(mpmath.e + epsilon / delta)) / epsilon  # as printed, n = 1
h = min(1, C)  # |f'| = 1, clipped at C


def mu(t):
    """Distance of the two means of x_t over its standard deviation."""
    return 2 * h * mpmath.sqrt(t) / sigma


spent = {spent}
spent -= 2 * T * mpmath.exp(-100)  # at most this is lost where a walk leaves the region where f is linear
print("delta claimed:       ", mpmath.nstr(delta, 6))
print("delta spent at least:", mpmath.nstr(spent, 12))
print("private:", spent <= delta)  # the paper claims True
'''
