"""The command ``theory-lab show KEY``: a theorem, its proof or its looseness, a claim, an erratum, a symbol or another entry."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType

from bounds.strict_json import strict_json
from theory_lab.catalogue import KINDS, Catalogue, Entry, catalogue
from theory_lab.commands.explain import entry_text, facts_text, find_entries
from theory_lab.nearest import nearest_name, normalise_name

OF_THEORY = ("theorems", "proofs", "claims", "errata")  # kinds whose names contain a dot


DESCRIBED = "Print the entry of a key. For a theorem: assumptions, schedule, bound and source. For a claim: its recorded verdict."


def add_options(parser: argparse.ArgumentParser, modules: Sequence[ModuleType]) -> None:
    """Add the options of `theory-lab show` to its parser."""
    parser.add_argument(
        "key",
        metavar="KEY",
        help="name, such as dpzero.theorem3, dpzero.E2, dpzero.lemma_2_2.any_epsilon, ell, dp_zoso, dpzero-1, vit-base",
    )
    parser.add_argument(
        "--proof",
        action="store_true",
        help="print the steps of its derivation too; with --json only these, in the format that paper_checks.recheck_export reads",
    )
    parser.add_argument(
        "--loose",
        choices=("problems", "quadratic", "worst"),
        help="print how loose it is instead. problems: against the lab's sharper theorems on a grid of problems. quadratic: its descent "
        "part against the exact mean on quadratics. worst: the lab's theorem against the worst instance found (a minute)",
    )
    parser.add_argument(
        "--page",
        action="store_true",
        help="print the page: statement and proof as they are written; of your own Python, a page to start from",
    )
    parser.add_argument("--tree", action="store_true", help="print the tree of the page as JSON")
    parser.add_argument(
        "--script", action="store_true", help="print plain Python that computes the witness of a false claim without the lab"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print the statement, or the table, in LaTeX")
    form.add_argument("--csv", action="store_true", help="print the table of --loose as CSV")
    form.add_argument("--json", action="store_true", help="print the statement, or the table, as JSON")
    parser.set_defaults(run="theory_lab.commands.show:run_show")


def run_show(arguments: argparse.Namespace) -> int:
    """Run the command `show`: print the entry of a key in the requested form; return the exit status 0."""
    key = arguments.key
    named = {"proof": arguments.proof, "loose": arguments.loose, "latex": arguments.latex, "csv": arguments.csv, "script": arguments.script}
    asked = [name for name, given in named.items() if given]
    if arguments.page or arguments.tree:
        if {*asked} - {"proof"} or arguments.json or (arguments.page and arguments.tree):  # the page includes the proof
            raise ValueError(f"{'page' if arguments.page else 'tree'}: it is printed alone; leave the other options out")
        print(page_text(arguments))
        return 0
    found = catalogue(arguments.own)
    if not asked or asked == ["latex"]:
        print(format_entry(found, key, arguments))
        if others := other_statements(arguments) if not arguments.json and not arguments.latex else []:
            print(f"further statements of this page, to show by key with --module: {' '.join(others)}")
        return 0
    if arguments.script:
        if len(asked) > 1 or arguments.json:
            raise ValueError("script: a script is printed alone; leave the other options out")
        from theory_lab.commands.witness_script import witness_script

        print(witness_script(find_entry(found, key, ("claims", "errata")), arguments.own), end="")
        return 0
    if arguments.loose and arguments.proof:
        raise ValueError("proof: --loose prints a table instead of the statement, without a proof; leave one of the two out")
    if arguments.proof and not arguments.csv and not any(one.name == key for one in found.of("theorems")):
        find_entry(found, key, ("proofs",))
        print(proof_text(arguments))
        return 0
    theorem = find_entry(found, key, ("theorems",))
    if arguments.loose:
        return print_looseness(arguments)
    if arguments.csv:
        raise ValueError("csv: only the tables of --loose are printed as CSV; give --loose too, or leave --csv out")
    if not arguments.json:
        print(theorem.more["json"]["latex"] if arguments.latex else theorem.more["text"])
    print(proof_text(arguments))
    if not arguments.json and not arguments.latex:
        print(claims_about(key, found.of("claims", "errata")))
    return 0


def other_statements(arguments: argparse.Namespace) -> list[str]:
    """Return the keys of the other statements on the user's own page that has this key."""
    of_pages = [list(getattr(one, "THEOREMS", {})) for one in arguments.own if str(one.__file__).endswith(".page")]
    return [key for keys in of_pages if arguments.key in keys for key in keys if key != arguments.key]


def page_text(arguments: argparse.Namespace) -> str:
    """Return the text of a page, or its tree as JSON; raise ValueError for a key that has no page.

    For the user's own theorem or proof in Python, a page is written as a start, to check and to continue.
    """
    from bounds.pages.store import lab_pages, store_with_files
    from bounds.pages.tokens import nearest
    from theory_lab.own import user_entries

    own = [Path(str(module.__file__)) for module in arguments.own if str(module.__file__).endswith(".page")]
    store = store_with_files(own) if own else lab_pages()
    in_python = [user_entries(arguments.own, name).get(arguments.key) for name in ("THEOREMS", "DERIVATIONS")]
    if any(in_python) and arguments.key not in store.files and arguments.page:
        from bounds.pages.writer import page_text

        return page_text(*in_python).rstrip()
    if arguments.key not in store.files:
        raise ValueError(f"key = {arguments.key!r}: there is no page of this key{nearest(arguments.key, store.files)}")
    if arguments.tree:
        return strict_json(store.page(arguments.key).read.tree)
    return store.texts[store.files[arguments.key]].rstrip()


def format_entry(found: Catalogue, key: str, arguments: argparse.Namespace) -> str:
    """Return an entry as text or JSON, a theorem also as LaTeX; raise ValueError, with the nearest names, for an unknown key."""
    kinds = ("theorems",) if arguments.latex else tuple(kind for kind in KINDS if kind not in ("oracles", "spectra", "proofs"))
    one = find_entry(found, key, kinds)
    if one.kind == "theorems":
        statement = one.more["json"]
        if arguments.json:
            return strict_json(statement)
        return str(statement["latex"]) if arguments.latex else f"{one.more['text']}\n{claims_about(key, found.of('claims', 'errata'))}"
    if arguments.json:
        return strict_json(one.more)
    facts = {label: said for label, said in one.more.items() if label != "schema"}
    return entry_text(one) if one.kind in ("symbols", "words") else facts_text(facts)


def find_entry(found: Catalogue, key: str, kinds: Sequence[str]) -> Entry:
    """Return the entry with this key among some kinds; raise ValueError, with the nearest names, if there is none."""
    for kind in sorted(kinds, key=lambda kind: "." in key and kind not in OF_THEORY):
        for one in found.of(kind):
            if one.name == key:
                return one
    known = found.of(*kinds)
    if alike := find_entries(key, [one for one in known if one.kind in ("words", "symbols")]):
        return alike[0]
    elsewhere = next((one.kind for one in found.of(*KINDS) if one.name == key), "")
    if elsewhere:
        raise ValueError(f"key = {key!r}: it is one of the {elsewhere}, and this option needs one of the {' or '.join(kinds)}")
    if found_number := re.fullmatch(r"(\w+)\.E(\d+)", key):
        numbers = [int(one.name.rpartition(".E")[2]) for one in known if one.name.startswith(f"{found_number[1]}.E")]
        if numbers and int(found_number[2]) < max(numbers):
            raise ValueError(
                f"key = {key!r}: this erratum was withdrawn, and its number is not used again; theory-lab list errata names all"
            )
    names = [one.name for one in known]
    alike_keys = [one for one in names if one.partition(".")[2] == key] + get_close_matches(key, names, n=3, cutoff=0.6)
    spelt = [one for one in names if normalise_name(one) == normalise_name(key)]
    nearest = list(dict.fromkeys([*spelt, *alike_keys, *filter(None, [nearest_name(key, names)])]))[:3]
    said = f"; the nearest {'is' if len(nearest) == 1 else 'are'} {', '.join(nearest)}" if nearest else ""
    raise ValueError(f"key = {key!r}: no such key{said}; theory-lab list names all, by kind")


def claims_about(key: str, found: Sequence[Entry]) -> str:
    """Return lines that list the keys of the claims about a statement or its proof, and the errata that these claims check."""
    claims = [one for one in found if one.kind == "claims"]
    about = [one for one in claims if f"{one.name}.".startswith(f"{key}.") or key in one.about]
    names = {one.name for one in about}
    wrong = [one for one in found if one.kind == "errata" and {*one.about} & names]
    return "\n".join(
        [f"claims: {' '.join(one.name for one in about) or 'none'}", *(f"erratum {one.name}: {one.more['states']}" for one in wrong)]
    )


def proof_text(arguments: argparse.Namespace) -> str:
    """Return the derivation of a theorem as text, LaTeX or JSON, or a note that there is none."""
    import bounds
    from bounds.proofs.export import export_proofs
    from bounds.typeset.alignment import latex_proof
    from theory_lab.own import user_entries

    key = arguments.key
    derivations = bounds.Library(user_entries(arguments.own, "DERIVATIONS"), bounds.DERIVATIONS)
    derivation = derivations.get(key)
    if derivation is None:
        missing = f"there is no derivation of {key}{derivations.unknown_key_message(key).removeprefix('no such key')}"
        if arguments.json:
            raise ValueError(f"key = {key!r}: {missing}")
        return f"{'% ' if arguments.latex else ''}{missing}"
    if arguments.json:
        return strict_json(export_proofs([derivation]))
    if arguments.latex:
        return latex_proof(derivation)
    proved = derivation.proves is not None and derivation.proves.key == key
    return derivation.show() + ("" if proved else "\nnote: these lines do not end at the bound of a statement of this key")


def print_looseness(arguments: argparse.Namespace) -> int:
    """Print how loose a theorem is, as a table, CSV, LaTeX or JSON, with notes on the comparison; return the exit status 0."""
    from dataclasses import asdict
    from importlib import import_module
    from importlib.util import find_spec
    from inspect import signature

    import bounds
    from bounds.typeset import latex as typeset
    from figures.style import csv_text
    from theory_lab.tables import console, print_rows

    paper = arguments.key.partition(".")[0]
    where = f"paper_checks.{paper}.experiments.worst" if arguments.loose == "worst" else f"bounds.{paper}.looseness"
    if paper not in bounds.PAPERS or not find_spec(where):
        raise ValueError(f"loose = {arguments.loose!r}: the lab has no comparison for {arguments.key}; leave --loose out")
    looseness = import_module(where)
    if arguments.loose == "worst":
        compare, notes = looseness.measure_tightness, looseness.NOTES
    elif arguments.loose == "problems":
        compare, notes = looseness.against_sharper, looseness.TWO_GUARANTEES
    else:
        compare, notes = looseness.against_quadratic, looseness.ASSUMPTIONS
    rows = [asdict(row) for row in compare(arguments.key)]
    if arguments.json:
        print(strict_json({"theorem": arguments.key, "rows": rows, "notes": notes}))
    elif arguments.csv:
        print(csv_text(rows), end="")
        print(*notes, sep="\n", file=sys.stderr)
    elif arguments.latex:
        known = {name: one.default for name, one in signature(compare).parameters.items() if isinstance(one.default, float)}
        at = ", ".join(f"{name} = {value:g}" for name, value in known.items())
        title, label = f"How loose {arguments.key} is ({arguments.loose}); {at}", f"loose {arguments.key} {arguments.loose}"
        print(typeset.table_of_rows(title, rows, notes, label=label, papers=(paper,)))
    else:
        print_rows(f"{arguments.key}: how loose ({arguments.loose})", rows, digits=4)
        for note in notes:
            console().print(f"- {note}.")
    return 0
