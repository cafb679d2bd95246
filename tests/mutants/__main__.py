"""python -m tests.mutants [ROOM ...] [--count 60] [--again] [--map [TESTS ...]]: draw mutants, try the new ones, print the score."""

from __future__ import annotations

import argparse
import json
import tomllib
from pathlib import Path

from tests.mutants import coverage_map, run
from tests.mutants.rooms import LEFT_OUT, ROOMS
from tests.mutants.sites import Mutant, sample_mutants

SEED = 10
RESULTS = coverage_map.OUT / "results.jsonl"
EQUIVALENT = Path(__file__).parent / "equivalent.toml"


def read_results() -> dict[str, dict[str, str]]:
    """Read the stored results by name of the mutant; the last result of a mutant counts."""
    lines = RESULTS.read_text(encoding="utf-8").splitlines() if RESULTS.exists() else []
    return {one["name"]: one for one in map(json.loads, lines)}


def is_equivalent(mutant: Mutant) -> bool:
    """Return whether a mutant is listed as equivalent; an entry without `becomes` holds for all mutants of its line."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["equivalent"]
    return any(
        one["file"] == mutant.file and one["was"] == mutant.was and one.get("becomes", mutant.becomes) == mutant.becomes for one in listed
    )


def print_score(drawn: list[Mutant]) -> None:
    """Print for each room how many of its mutants were caught, without equivalent ones, and list those that were not."""
    found = read_results()
    for room in dict.fromkeys(m.room for m in drawn):
        outcomes = {m: found[m.name]["outcome"] for m in drawn if m.room == room and m.name in found}
        same = {m for m in outcomes if is_equivalent(m)}
        missed = [m for m, outcome in outcomes.items() if outcome == "survived" and m not in same]
        hung, counted = sum(outcome == "hung" for outcome in outcomes.values()), len(outcomes) - len(same)
        share = f"{100 * (counted - len(missed)) / counted:.0f} %" if counted else "none"
        print(f"{room}: {counted - len(missed)} of {counted} caught ({share}), {hung} of them by hanging; {len(same)} equivalent")
        for mutant in missed:
            print(f"  {mutant.file}:{mutant.line}\n    - {mutant.was}\n    + {mutant.becomes}")


def main() -> None:
    """Parse the command line, try the mutants that have no result yet, and print the score."""
    rooms = [room for room in ROOMS if room not in LEFT_OUT]
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", default=rooms, metavar="ROOM", help=f"of {', '.join(ROOMS)} (default: all but {LEFT_OUT[0]})")
    parser.add_argument("--count", type=int, default=60, help="mutants of each room (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample (default: %(default)s)")
    parser.add_argument("--map", nargs="*", metavar="TESTS", help="record again which tests run which lines, in these files (default: all)")
    parser.add_argument("--again", action="store_true", help="try those again that survived or hung")
    arguments = parser.parse_args()
    if arguments.map is not None or not coverage_map.MAP.exists():
        coverage_map.update_map(arguments.map or ["tests"])
    coverage_map.copy_tree()
    run.prepare()
    drawn = [mutant for room in arguments.rooms for mutant in sample_mutants(room, arguments.count, arguments.seed)]
    found, tests = read_results(), coverage_map.read_map()
    for k, mutant in enumerate(drawn):
        before = found.get(mutant.name)
        if before is None or (arguments.again and before["outcome"] != "killed"):
            outcome, by, seconds = run.try_mutant(mutant, run.tests_of(mutant, tests))
            line = {"name": mutant.name, "room": mutant.room, "outcome": outcome, "by": by, "seconds": round(seconds, 1)}
            with RESULTS.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(f"{k + 1}/{len(drawn)} {outcome:8} {seconds:5.1f} s  {mutant.name}  {by}", flush=True)
    print_score(drawn)


if __name__ == "__main__":
    main()
