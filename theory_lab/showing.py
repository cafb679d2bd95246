"""`theory-lab show` and `theory-lab list`: print a theorem with its proof, a claim or an erratum; name what the lab has."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from bounds.strict_json import strict_json
from theory_lab.methods import figures, known
from theory_lab.methods.record import Method

if TYPE_CHECKING:
    from types import ModuleType

    from bounds import Library


def run_show(arguments: argparse.Namespace) -> int:
    """Print a theorem, and its derivation, as text, LaTeX or JSON; or a claim or an erratum, as text or JSON."""
    import bounds
    from theory_lab.own import table

    key = arguments.theorem
    theorems = bounds.Library(table(arguments.own, "THEOREMS"), bounds.THEOREMS)
    derivations = bounds.Library(table(arguments.own, "DERIVATIONS"), bounds.DERIVATIONS)
    if arguments.proof and key in derivations and key not in theorems and not arguments.loose and not arguments.csv:
        print(shown_proof(derivations, arguments))
        return 0
    as_statement = arguments.proof or arguments.loose or arguments.latex or arguments.csv
    if key not in theorems and not as_statement and (rows := noted(key, arguments.own)):
        print(strict_json(rows) if arguments.json else "\n".join(f"{name:<12}{said}" for name, said in rows.items()))
        return 0
    if key not in theorems:
        raise ValueError(f"theorem = {key!r}: {(derivations if arguments.proof else theorems).unknown(key)}")
    if arguments.loose and arguments.proof:
        raise ValueError("proof: --loose prints a table instead of the statement and has no proof; leave one of the two out")
    if arguments.loose:
        return show_loose(arguments)
    if arguments.csv:
        raise ValueError("csv: only the tables of --loose are printed as CSV")
    theorem = theorems[key]
    if not arguments.json:
        print(theorem.latex() if arguments.latex else theorem.show())
    elif not arguments.proof:
        names = ("key", "title", "source", "claim", "measure", "assumptions", "method", "notes")
        print(strict_json({name: getattr(theorem, name) for name in names} | {"latex": theorem.latex(), "parameters": theorem.parameters}))
    if arguments.proof:
        print(shown_proof(derivations, arguments))
    if not arguments.json and not arguments.latex:
        sys.stdout.flush()  # the ledger takes a second to load
        print(examined(key, arguments.own))
    return 0


def examined(key: str, modules: Sequence[ModuleType]) -> str:
    """Return the keys of the claims about a statement or its proof, and the errata that they examine, a line each."""
    from theory_lab.own import claims, errata

    paper = key.partition(".")[0]
    keys = [one.key for one in claims(modules, paper) if f"{one.key}.".startswith(f"{key}.") or key in one.derivations]
    wrong = [one for one in errata(modules, paper) if {f"{paper}.{claim}" for claim in one.claims} & set(keys)]
    return "\n".join([f"claims: {' '.join(keys) or 'none'}", *(f"erratum {one.number}: {one.words}" for one in wrong)])


def noted(key: str, modules: Sequence[ModuleType]) -> dict[str, str]:
    """Return what is kept under the key of a claim, or of an erratum such as dpzero.E5, by name; empty where there is none."""
    from paper_checks.place import written_at
    from theory_lab.own import claims, errata

    paper, _, number = key.partition(".")
    for one in errata(modules, paper):
        if one.number == number:
            return {"erratum": key, "says": one.words, "judged": f"{one.weight}, {one.mark}", "claims": " ".join(one.claims)}
    for claim in claims(modules):
        if claim.key == key:
            where = f"{written_at(claim.examine)} {claim.examine.__qualname__}"
            rows = {"claim": key, "says": claim.words, "formula": claim.latex, "source": claim.source, "stated": claim.stated}
            rows |= {"kind": claim.kind.value, "expected": f"{claim.expected.value}: {claim.why}", "instead": claim.correction}
            rows |= {"repaired by": claim.repaired_by, "proofs": " ".join(claim.derivations), "examined by": where}
            return {name: said for name, said in rows.items() if said}
    return {}


def shown_proof(derivations: Library, arguments: argparse.Namespace) -> str:
    """Return the derivation of a theorem as text, LaTeX or JSON, or that there is none."""
    from bounds.alignment import proof
    from bounds.exported import exported

    key = arguments.theorem
    derivation = derivations.get(key)
    if derivation is None and arguments.json:
        raise ValueError(f"theorem = {key!r}: {derivations.unknown(key)}")
    if derivation is None:
        return f"{'% ' if arguments.latex else ''}no derivation is kept under {key}"
    return strict_json(exported([derivation])) if arguments.json else proof(derivation) if arguments.latex else derivation.show()


def show_loose(arguments: argparse.Namespace) -> int:
    """Print how loose a theorem is, and what the comparison can and cannot say."""
    from dataclasses import asdict
    from importlib import import_module
    from importlib.util import find_spec
    from inspect import signature

    import bounds
    from bounds import typeset
    from figures.style import csv_rows
    from theory_lab.tables import console, print_rows

    paper = arguments.theorem.partition(".")[0]
    where = f"paper_checks.{paper}.worst" if arguments.loose == "worst" else f"bounds.{paper}.looseness"
    if paper not in bounds.PAPERS or not find_spec(where):
        raise ValueError(f"loose = {arguments.loose!r}: no comparison is known for {arguments.theorem}")
    looseness = import_module(where)
    if arguments.loose == "worst":
        compare, notes = looseness.against_worst, looseness.NOTES
    elif arguments.loose == "problems":
        compare, notes = looseness.against_sharper, looseness.TWO_GUARANTEES
    else:
        compare, notes = looseness.against_quadratic, looseness.ASSUMPTIONS
    rows = [asdict(row) for row in compare(arguments.theorem)]
    if arguments.json:
        print(strict_json({"theorem": arguments.theorem, "rows": rows, "notes": notes}))
    elif arguments.csv:
        print(csv_rows(rows), end="")
        print(*notes, sep="\n", file=sys.stderr)
    elif arguments.latex:
        known = {name: one.default for name, one in signature(compare).parameters.items() if isinstance(one.default, float)}
        at = ", ".join(f"{name} = {value:g}" for name, value in known.items())
        title, label = f"How loose {arguments.theorem} is ({arguments.loose}); {at}", f"loose {arguments.theorem} {arguments.loose}"
        print(typeset.rows(title, rows, notes, label=label, papers=(paper,)))
    else:
        print_rows(f"{arguments.theorem}: how loose ({arguments.loose})", rows, digits=4)
        for note in notes:
            console().print(f"- {note}.")
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    """Print what the lab has: in columns on a terminal, else one `kind: name` a line."""
    import bounds
    from paper_checks.verdict import paper_of
    from synthetic.spectra import EXPONENTS
    from theory_lab.own import claims, errata, table

    methods: Sequence[Method] = list(known(arguments.own).values())

    def named(words: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(word for some in words for word in some))

    keys = tuple(claim.key for claim in claims(arguments.own))
    papers = tuple(dict.fromkeys(map(paper_of, keys)))
    lists = {
        "methods": tuple(one.name for one in methods),
        "oracles": named(one.choices("oracle") for one in methods),
        "objectives": named(tuple(one.kind.table) for one in methods if one.kind),
        "spectra": (*EXPONENTS, "power:P"),
        "figures": tuple(figures(methods)),
        "theorems": (*bounds.THEOREMS, *table(arguments.own, "THEOREMS")),
        "checks": keys,
        "errata": tuple(f"{paper}.{one.number}" for paper in papers for one in errata(arguments.own, paper)),
    }
    if arguments.json:
        print(strict_json(lists))
        return 0
    width = get_terminal_size().columns if sys.stdout.isatty() else 0
    for kind, names in lists.items():
        print(*([f"{kind}:", *columns(names, width), ""] if width else [f"{kind}: {name}" for name in names]), sep="\n")
    return 0


def columns(names: Sequence[str], width: int) -> list[str]:
    """Return lines of at most `width` characters with the names in columns, each read downwards; a longer name has a line to itself."""
    if not names:
        return []
    broad = max(map(len, names)) + 2
    lines = -(-len(names) // max(1, width // broad))
    return ["".join(f"  {name}".ljust(broad) for name in names[k::lines]).rstrip() for k in range(lines)]
