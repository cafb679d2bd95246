"""Check claims in parallel, in a fixed order and with fixed seeds, so that a run can be repeated exactly."""

import difflib
import fnmatch
import pickle
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, as_completed
from contextlib import redirect_stdout

from paper_checks.named_proofs import check_named_proofs
from paper_checks.record import Record
from paper_checks.source_location import definition_location, error_location, user_file
from paper_checks.verdict import Claim, Finding, Verdict, paper_of
from synthetic.sweeps.workers import WorkerDied, Workers, open_executor

FALSE_ALARM = 1e-6  # of a whole run


def select_claims(claims: Iterable[Claim], patterns: Sequence[str]) -> tuple[Claim, ...]:
    """Return the claims whose key equals a pattern, begins with "PATTERN." or matches it (* and ?); all if no pattern is given.

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


def claims_to_check(claims: Iterable[Claim], full: bool) -> list[Claim]:
    """Return the claims that a run checks: all in a full run; a quick run leaves out claims with `needs_full`."""
    return [claim for claim in claims if full or not claim.needs_full]


def check_claim(claim: Claim, full: bool = False) -> tuple[Finding, float]:
    """Check a claim and return (Finding, seconds); a check that raises an error gives an INCONCLUSIVE finding with its message.

    Raises MemoryError: it concerns the machine, not the claim.
    """
    began = time.perf_counter()
    try:
        finding = check_named_proofs(claim, call_check(claim, full))
    except (MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:  # one failing check must not lose the others; its unexpected outcome raises the alarm
        finding = error_finding(error, user_file(claim.examine))
    return finding, time.perf_counter() - began


def call_check(claim: Claim, full: bool) -> Finding:
    """Call the check function of a claim and return its Finding; raise TypeError if it returns anything else."""
    finding = claim.examine(**claim.arguments_of(full))
    if not isinstance(finding, Finding):
        raise TypeError(
            f"the function that checks {claim.key} ({definition_location(claim.examine)}) returned {finding!r:.80}; a Finding is needed"
        )
    return finding


BROKEN_OFF = "the examination broke off"


class BrokenRun(RuntimeError):
    """Raised when claims could not be checked because worker processes died or ran out of memory.

    verdicts    on the other claims, in the order of the claims
    """

    def __init__(self, message: str, verdicts: Sequence[Verdict] = ()) -> None:
        super().__init__(message)
        self.verdicts = tuple(verdicts)


def error_finding(error: BaseException, file: str = "") -> Finding:
    """Return the INCONCLUSIVE Finding for a check that raised `error`, with the line of the user's `file` that raised it, if any."""
    where = error_location(error, [file] if file else ())
    words = f"{BROKEN_OFF}: {type(error).__name__}: {error}"
    return Record({"raised at": where} if where else {}).leave_open(f"{words} ({where})" if where else words)


def check_batch(claims: Sequence[Claim], full: bool = False) -> list[tuple[Finding, float]]:
    """Check claims one after the other; return their (Finding, seconds) as a list."""
    return [check_claim(claim, full) for claim in claims]


def validate_answers(found: Sequence[tuple[Finding, float]], count: int) -> Sequence[tuple[Finding, float]]:
    """Return `found` if it holds `count` pairs (finding, seconds), as `check_batch` returns; else raise ValueError or TypeError."""
    if len(found) != count or not all(isinstance(finding, Finding) and isinstance(seconds, float) for finding, seconds in found):
        raise ValueError(f"executor: {count} pairs (Finding, seconds) are needed, one for each claim")
    return found


def group_claims(claims: Iterable[Claim]) -> list[list[Claim]]:
    """Return the claims as a list of batches: claims that share an experiment (`together`) in one, every other claim alone.

    Batches stand in the order of their first claims.
    """
    found: dict[str, list[Claim]] = {}
    for claim in claims:
        name = f"together: {claim.together}" if claim.together else claim.key
        found.setdefault(name, []).append(claim)
    return list(found.values())


def require_picklable(claim: Claim) -> None:
    """Raise ValueError unless a claim can be pickled, as another process needs."""
    try:
        pickle.dumps((claim.examine, claim.arguments, claim.full))
    except (pickle.PicklingError, AttributeError, TypeError):
        name = getattr(claim.examine, "__qualname__", repr(claim.examine))
        raise ValueError(
            f"claim {claim.key!r}: {name} and its arguments cannot be handed to another process; a function at the top of a module is "
            "needed, or workers=1"
        ) from None


def check_claims(
    claims: Iterable[Claim],
    *,
    full: bool = False,
    executor: Executor | None = None,
    workers: Workers = None,
    progress: Callable[[int, int, Verdict], None] | None = None,
    known: Mapping[str, tuple[Finding, float]] | None = None,
) -> list[Verdict]:
    """Check claims, in local processes or on an executor, and return their verdicts in the order of the claims.

    Claims that share an experiment stay in one process. `claims_to_check` leaves out the claims that a quick run does not check.
    ``progress(done, total, verdict)`` is called after each claim. ``known`` has findings of an earlier run, {key: (finding, seconds)}:
    these claims are not checked again.
    A local process that dies is replaced and its claims are checked again, at most twice. What a check prints, there or with workers=1 in
    this process, goes to stderr.
    Raises ValueError if keys repeat, if a claim cannot be pickled for another process, or if the false-alarm probabilities of the run add
    up to more than 1e-6; raises BrokenRun, after all other claims are checked, if some could not be.
    """
    wanted = list(claims)
    keys = [claim.key for claim in wanted]
    repeated = sorted({key for key in keys if keys.count(key) > 1})
    if repeated:
        raise ValueError(f"claims: the key {repeated[0]!r} is used more than once")
    verdicts = {claim.key: Verdict(claim, *known[claim.key]) for claim in wanted if known and claim.key in known}
    open_ = [claim for claim in wanted if claim.key not in verdicts]

    def record(claim: Claim, finding: Finding, seconds: float) -> None:
        """Store a verdict and report progress."""
        verdicts[claim.key] = Verdict(claim, finding, seconds)
        if progress:
            progress(len(verdicts), len(wanted), verdicts[claim.key])

    unexamined: dict[str, Exception] = {}

    def record_failure(batch: Iterable[Claim], error: Exception) -> None:
        """Store the error for which the claims of a batch have no verdict."""
        unexamined.update(dict.fromkeys([claim.key for claim in batch], error))

    if workers == 1 and executor is None:
        for claim in open_:
            try:
                with redirect_stdout(sys.stderr):  # as in a local process: what a check prints is no result
                    finding, seconds = check_claim(claim, full)
            except MemoryError as error:
                record_failure([claim], error)
            else:
                record(claim, finding, seconds)
    elif open_:
        for claim in open_ if executor is None else ():
            require_picklable(claim)
        with open_executor(workers if executor is None else executor) as pool:
            # the most expensive claims, simulations, stand last on the pages: they start first
            futures = {}
            for batch in reversed(group_claims(open_)):
                try:
                    futures[pool.submit(check_batch, batch, full)] = batch
                except Exception as error:  # the executor accepts no more work
                    record_failure(batch, error)
            for future in as_completed(futures):
                batch = futures[future]
                try:
                    found = validate_answers(future.result(), len(batch))
                except Exception as error:  # not of a check, whose errors are findings: its process died, or gave no result
                    record_failure(batch, error)
                    continue
                for claim, (finding, seconds) in zip(batch, found, strict=True):
                    record(claim, finding, seconds)
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


def count_outcomes(verdicts: Sequence[Verdict]) -> dict[str, int]:
    """Return {outcome: number of verdicts}, and under "unexpected" the number whose outcome is not the expected one."""
    counts = Counter(verdict.outcome.value for verdict in verdicts)
    return dict(sorted(counts.items())) | {"unexpected": sum(not verdict.as_expected for verdict in verdicts)}
