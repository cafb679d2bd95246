"""The command ``theory-lab recommend FILE.page``: schedule and bound of the user's own theorem at given values of its constants."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

from bounds.strict_json import strict_json

if TYPE_CHECKING:
    from bounds.theorem import Evaluation, Theorem

UNCHECKED = "whether the theorem is proved is another question: theory-lab check answers it"


def page_theorems(modules: Sequence[ModuleType]) -> dict[str, Theorem]:
    """Return the theorems of the user's own pages, by key."""
    pages = [one for one in modules if str(one.__file__).endswith(".page")]
    return {key: theorem for one in pages for key, theorem in getattr(one, "THEOREMS", {}).items()}


def add_options(parser: argparse.ArgumentParser, theorem: Theorem) -> None:
    """Add to the parser of a theorem's command a required number for each of its free parameters."""
    from bounds.symbols import GLOSSARY

    for name in theorem.parameters:
        words = GLOSSARY[name].words.replace("%", "%%")
        parser.add_argument(f"--{name.replace('_', '-')}", dest=name, type=float, required=True, metavar="NUMBER", help=words)
    parser.add_argument("--json", action="store_true", help="print the plan as JSON")
    parser.set_defaults(run="theory_lab.commands.recommend_page:run_recommend", theorem=theorem)


def run_recommend(arguments: argparse.Namespace) -> int:
    """Run the command `recommend` for a page's theorem: print schedule, bound and unmet conditions; return the exit status 0."""
    theorem: Theorem = arguments.theorem
    values = {name: getattr(arguments, name) for name in theorem.parameters}
    found = theorem.evaluate(**values)
    whole = bounds_at_integers(theorem, values, found)
    if arguments.json:
        bounds = {str(T): bound if math.isfinite(bound) else None for T, bound in whole.items()}
        numbers: dict[str, Any] = {"theorem": theorem.key, "schedule": dict(found.schedule), "bound": found.bound, "whole T": bounds}
        print(strict_json({**numbers, "holds": found.holds, "caveats": list(found.caveats), "note": UNCHECKED}))
    else:
        print("\n".join(result_lines(theorem, found, whole)))
    return 0


def bounds_at_integers(theorem: Theorem, values: dict[str, float], found: Evaluation) -> dict[int, float]:
    """Return {T: bound} for the integers next to a prescribed T that is no integer; the bound is inf where it does not apply."""
    T = found.schedule.get("T", 0.0)
    if theorem.any_schedule is None or T == int(T):
        return {}
    near = [one for one in (math.floor(T), math.ceil(T)) if one >= 1]
    return {one: theorem.bound_at(**values, **{**found.schedule, "T": float(one)}) for one in near}


def result_lines(theorem: Theorem, found: Evaluation, whole: dict[int, float]) -> Iterator[str]:
    """Yield the printed lines: key, schedule, bound, bounds at the integers next to T, unmet conditions and a note."""
    yield f"{theorem.key}   {theorem.title}"
    for i, (name, value) in enumerate(found.schedule.items()):
        yield f"  {'schedule' if i == 0 else '':<11} {name} {theorem.sign_of(name)} {value:.6g}"
    yield f"  {'bound':<11} {theorem.measure} <= {found.bound:.6g}"
    for T, bound in whole.items():
        said = f"<= {bound:.6g}" if math.isfinite(bound) else "the bound for any schedule does not apply"
        yield f"  {'':<11} with T = {T}: {said}"
    for i, caveat in enumerate(found.caveats):
        yield f"  {'not met' if i == 0 else '':<11} {caveat}"
    yield f"  {'note':<11} {UNCHECKED}"
