"""Examining claims: in parallel, in a fixed order, each within its own seeds, so that a run can be repeated to the letter."""

import difflib
import fnmatch
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from contextlib import redirect_stdout

from paper_checks.named_proofs import tied
from paper_checks.source_location import file_of, place, written_at
from paper_checks.verdict import Claim, Finding, Outcome, Verdict, paper_of
from synthetic.sweeps.workers import WorkerDied, Workers, processes

FALSE_ALARM = 1e-6  # of a whole run


def select(claims: Iterable[Claim], patterns: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims whose key is, begins with "pattern.", or matches (with * and ?) one of the patterns; all for no pattern.

    Raises ValueError for a pattern that selects nothing.
    """
    all_claims = tuple(claims)
    chosen: dict[str, Claim] = {}
    for pattern in patterns or ("*",):
        found = [c for c in all_claims if c.key == pattern or c.key.startswith(f"{pattern}.") or fnmatch.fnmatchcase(c.key, pattern)]
        if not found:
            known = ", ".join(sorted({paper_of(c.key) for c in all_claims}))
            close = difflib.get_close_matches(pattern, [c.key for c in all_claims], n=1)
            hint = f"; is {close[0]} meant?" if close else ""
            raise ValueError(f"select = {pattern!r}: no claim has this key; papers: {known}; theory-lab list names all claims{hint}")
        chosen |= {c.key: c for c in found}
    return tuple(c for c in all_claims if c.key in chosen)


def due(claims: Iterable[Claim], full: bool) -> list[Claim]:
    """Return the claims that a run examines: in a quick run those that need a full one are left out."""
    return [claim for claim in claims if full or not claim.needs_full]


def examine(claim: Claim, full: bool = False) -> tuple[Finding, float]:
    """Return what is found about a claim, and the seconds that it took; an examination that breaks is INCONCLUSIVE and says so.

    Raises MemoryError: that says something about the machine, and nothing about the claim.
    """
    began = time.perf_counter()
    try:
        finding = tied(claim, found(claim, full))
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:  # one broken examination must not lose the others; it alarms, because nobody expects it
        finding = broken_off(error, file_of(claim.examine))
    return finding, time.perf_counter() - began


def found(claim: Claim, full: bool) -> Finding:
    """Return what the function of a claim finds; raise TypeError where that is no finding."""
    finding = claim.examine(**claim.arguments_of(full))
    if not isinstance(finding, Finding):
        raise TypeError(f"what examines {claim.key} ({written_at(claim.examine)}) returns {finding!r:.80}, and a Finding is needed")
    return finding


BROKEN = "the examination broke off"


class BrokenRun(RuntimeError):
    """Claims could not be examined, because the processes that examined them died or had no memory: nothing is known of them.

    verdicts    on the others, in the order of the claims
    """

    def __init__(self, message: str, verdicts: Sequence[Verdict] = ()) -> None:
        super().__init__(message)
        self.verdicts = tuple(verdicts)


def broken_off(error: BaseException, file: str = "") -> Finding:
    """Return what is found about a claim whose examination raised an error, with the line of its own file that raised it."""
    where = place(error, [file] if file else ())
    numbers = {"raised at": where} if where else {}
    return Finding(Outcome.INCONCLUSIVE, f"{BROKEN}: {type(error).__name__}: {error}{f' ({where})' if where else ''}", numbers)


def examine_all(claims: Sequence[Claim], full: bool = False) -> list[tuple[Finding, float]]:
    """Examine claims one after the other."""
    return [examine(claim, full) for claim in claims]


def answers(found: Sequence[tuple[Finding, float]], count: int) -> Sequence[tuple[Finding, float]]:
    """Return what an executor gave back for so many claims; raise ValueError or TypeError unless it is what `examine_all` returns."""
    if len(found) != count or not all(isinstance(finding, Finding) and isinstance(seconds, float) for finding, seconds in found):
        raise ValueError("what the executor gave back is no finding about each")
    return found


def batches(claims: Iterable[Claim]) -> list[list[Claim]]:
    """Return the claims, those that share an experiment in one batch and any other alone, in the order of their first claims."""
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        name = f"together: {claim.together}" if claim.together else claim.key
        found.setdefault(name, []).append(claim)
    return list(found.values())


def portable(claim: Claim) -> None:
    """Raise ValueError unless a claim can be handed to another process."""
    try:
        pickle.dumps((claim.examine, claim.arguments, claim.full))
    except (pickle.PicklingError, AttributeError, TypeError):
        name = getattr(claim.examine, "__qualname__", repr(claim.examine))
        raise ValueError(
            f"claim {claim.key!r}: {name} and its arguments cannot be handed to another process; a function at the top of a module is "
            "needed, or workers=1"
        ) from None


def run(
    claims: Iterable[Claim],
    *,
    full: bool = False,
    executor: Executor | None = None,
    workers: Workers = None,
    progress: Callable[[int, int, Verdict], None] | None = None,
    known: Mapping[str, tuple[Finding, float]] | None = None,
) -> list[Verdict]:
    """Examine the claims and return their verdicts in the order of the claims.

    `due` says which claims a quick run leaves out. They are spread over local processes, or over any executor; claims that share an
    experiment stay together.
    ``progress`` is told how many of how many are done, and the verdict that came last. What is ``known`` of a claim, by its key, from
    a run before this one is not examined again: a finding, and the seconds that it took.
    A local process that dies is replaced and its claims examined again, twice at most. What an examination prints, there or with
    workers=1 in this process, goes to stderr.
    Raises ValueError where keys repeat, where a claim cannot be handed to the process that is to examine it, or where the false-alarm
    probabilities of the run add up to more than 1e-6, and BrokenRun, once all others are examined, where claims could not be.
    """
    wanted = list(claims)
    keys = [claim.key for claim in wanted]
    repeated = sorted({key for key in keys if keys.count(key) > 1})
    if repeated:
        raise ValueError(f"claims: the key {repeated[0]!r} is used more than once")
    verdicts = {claim.key: Verdict(claim, *known[claim.key]) for claim in wanted if known and claim.key in known}
    open_ = [claim for claim in wanted if claim.key not in verdicts]

    def keep(claim: Claim, finding: Finding, seconds: float) -> None:
        verdicts[claim.key] = Verdict(claim, finding, seconds)
        if progress:
            progress(len(verdicts), len(wanted), verdicts[claim.key])

    unexamined: dict[str, Exception] = {}

    def lose(batch: Iterable[Claim], error: Exception) -> None:
        unexamined.update(dict.fromkeys([claim.key for claim in batch], error))

    if workers == 1 and executor is None:
        for claim in open_:
            try:
                with redirect_stdout(sys.stderr):  # as in a local process: what an examination prints is no result
                    finding, seconds = examine(claim, full)
            except MemoryError as error:
                lose([claim], error)
            else:
                keep(claim, finding, seconds)
    elif open_:
        for claim in open_ if executor is None else ():
            portable(claim)
        with processes(workers if executor is None else executor) as pool:
            # the dearest claims are the simulations at the end of a ledger: they start first
            futures = {}
            for batch in reversed(batches(open_)):
                try:
                    futures[pool.submit(examine_all, batch, full)] = batch
                except Exception as error:  # the executor takes no more
                    lose(batch, error)
            for future in as_completed(futures):
                batch = futures[future]
                try:
                    found = answers(future.result(), len(batch))
                except Exception as error:  # not of an examination, whose errors are findings: its process died, or nothing came of it
                    lose(batch, error)
                    continue
                for claim, (finding, seconds) in zip(batch, found, strict=True):
                    keep(claim, finding, seconds)
    if unexamined:
        names = ", ".join([*list(unexamined)[:3], *(["..."] if len(unexamined) > 3 else [])])
        first = next(iter(unexamined.values()))
        why = str(first) if isinstance(first, WorkerDied | BrokenExecutor) else f"{type(first).__name__}: {first}".removesuffix(": ")
        words = f"{len(unexamined)} of {len(wanted)} claims are not examined ({names}): {why}"
        raise BrokenRun(words, [verdicts[key] for key in keys if key in verdicts])
    alarm = sum(verdict.finding.false_alarm for verdict in verdicts.values())
    if alarm > FALSE_ALARM:
        raise ValueError(f"claims: their false-alarm probabilities add up to {alarm:.2g}: at most {FALSE_ALARM:g} is allowed")
    return [verdicts[key] for key in keys]


def summary(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Return how many verdicts have which outcome, and how many differ from the ledger."""
    counts = Counter(verdict.outcome.value for verdict in verdicts)
    return dict(sorted(counts.items())) | {"unexpected": sum(not verdict.as_expected for verdict in verdicts)}
