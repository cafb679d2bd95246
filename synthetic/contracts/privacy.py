"""Contracts of a private method: its noise, what one record can change in a step, clipping, batches. Each takes a `Trial`, as in `runs`.

Every step publishes x and the method's state. On neighbouring data sets, which differ in one record that is replaced, and from the same
history, the step must be the same up to a shift of its noise (`shift`) of at most 2 C / (n sigma), sqrt(P) times that for P releases.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from synthetic.contracts.objective import linear_record
from synthetic.contracts.runs import recorded_arrays
from synthetic.contracts.shift import NoisyStep, Shift, noise_shift
from synthetic.contracts.trial import ContractBroken, DoesNotApply, Piece, Trial, compare_numbers
from synthetic.draws import BATCHES, FloatArray, generator
from synthetic.methods.record import normal

RECORD = 4  # the one that is replaced; where few pairs are tried also the first and the last
ENDS = (0, -1)
STEPS = (0, 1, 3)  # after how many steps all pairs are tried; after every other number the first few
LONG, LONGER = 1e3, 1e9
NEAR = (1.01, 1.5, 3.0, 10.0)  # lengths in units of C, where a threshold that is not C shows
FEW = 2  # first pairs, also tried where all other records are long
RECORDS = 2**20  # role of the random records
TIGHT = 1e-5  # relative


def with_record(records: FloatArray, record: FloatArray, number: int = RECORD) -> FloatArray:
    """Return the records (n, p) with one, by its number, replaced by `record` (p,)."""
    found = records.copy()
    found[number] = record
    return found


def neighbours(trial: Trial, number: int = RECORD) -> Iterator[tuple[str, FloatArray, FloatArray]]:
    """Yield pairs of neighbouring data sets, (n, p) each, with words for the two values of the record `number` in which they differ."""
    rng, d, C = generator(trial.settings["seed"], 0, RECORDS), trial.space.d, trial.settings["C"]
    towards = rng.standard_normal(d)
    towards /= np.linalg.norm(towards)
    gradients = {
        "long": LONG * C * towards,
        "long and opposite": -LONG * C * towards,
        "very long": LONGER * C * towards,
        "zero": np.zeros(d),
        "short": C / 4 * towards,
        "too long to be squared": 1e200 * towards,
        "not a number": np.full(d, np.nan),
        "infinite": np.full(d, np.inf),
        **{f"{share:g} C": share * C * towards for share in NEAR},
        **{f"{share:g} C and opposite": -share * C * towards for share in NEAR},
    }
    record = {name: linear_record(g) for name, g in gradients.items()} | {"as it was": trial.records[number]}
    pairs: tuple[tuple[str, str], ...] = (
        ("long", "long and opposite"),
        *((f"{share:g} C", f"{share:g} C and opposite") for share in NEAR[::-1]),
        ("as it was", "long"),
        ("zero", "very long"),
        ("short", "as it was"),
        ("long", "too long to be squared"),
        ("as it was", "not a number"),
        ("long", "infinite"),
    )
    for one, two in pairs:
        yield f"{one} / {two}", with_record(trial.records, record[one], number), with_record(trial.records, record[two], number)


def tried_pairs(trial: Trial, t: int) -> Iterator[tuple[str, int, FloatArray, FloatArray]]:
    """Yield the pairs of data sets that are tried in step t, with words and the number of the record in which they differ.

    All pairs of `neighbours` in the steps STEPS, else the first few; the first few also of the first and last record, and where all other
    records are long, so that a step clips them all.
    """
    for k, (words, one, two) in enumerate(neighbours(trial)):
        if t in STEPS or k < FEW:
            yield words, RECORD, one, two
    for number in ENDS:
        yield from ((words, number, one, two) for words, one, two in islice(neighbours(trial, number), FEW))
    clipped = replace(trial, records=trial.records * 1.0)
    away = generator(trial.settings["seed"], 1, RECORDS).standard_normal((len(trial.records), trial.space.d))
    for row, g in enumerate(away):
        clipped.records[row] = linear_record(LONG * trial.settings["C"] * g)
    yield from ((f"{words}, all others long", RECORD, one, two) for words, one, two in islice(neighbours(clipped), FEW))


def noisy_steps(trial: Trial, numbers: Collection[int] = STEPS) -> Iterator[tuple[int, NoisyStep]]:
    """Yield single steps of a run of the trial, with their numbers: the point before the step, and its draws."""
    point = trial.start()
    for t, drawn in enumerate(trial.draw([1] * (max(numbers) + 1))):
        if t in numbers:
            yield t, NoisyStep(trial, point, drawn)
        point = trial.advance(point, drawn).end


def most(trial: Trial) -> float:
    """Return 2 C sqrt(releases) / (n sigma), the largest shift of the noise that a replaced record may need."""
    return 2 * trial.settings["C"] * math.sqrt(trial.releases) / (len(trial.records) * trial.settings["sigma"])


def share_of_limit(trial: Trial, shift: Shift) -> float:
    """Return the length of a shift relative to `most`; raise DoesNotApply where it is longer and there may be a shorter one."""
    found = shift.length / most(trial)
    if found > 1 + TIGHT and not shift.shortest:
        raise DoesNotApply(f"the step is not affine in its noise; the shortest shift found is {found:.4g} times 2 C / (n sigma)")
    return found


def no_noise(trial: Trial) -> str:
    """Check that with sigma = 0 the noise draw changes nothing."""
    name, quiet = trial.noise.name, trial.changed(sigma=0.0)
    drawn = next(quiet.draw([quiet.steps]))
    one, two = (recorded_arrays([quiet.advance(quiet.start(), {**drawn, name: z}, quiet.steps)]) for z in (drawn[name], -7 * drawn[name]))
    compare_numbers("with sigma = 0 another noise gives another run", one, two, seed=trial.settings["seed"], replicate=0)
    return ""


def noise(trial: Trial) -> str:
    """Check that all noise is sigma times the draw of the stream NOISE, whose row t acts in step t and not before."""
    name, T = trial.noise.name, trial.steps
    where = {"seed": trial.settings["seed"], "replicate": 0}
    if trial.noise.every and trial.settings[trial.noise.every] > 1:
        raise ContractBroken(f"the noise {name} is kept for several steps; each step needs fresh noise", **where)
    drawn = next(trial.draw([T]))
    silent = {**drawn, name: np.zeros_like(drawn[name])}
    off = trial.changed(sigma=0.0)
    one, two = (recorded_arrays([each.advance(each.start(), silent, T)]) for each in (trial, off))
    compare_numbers(f"with {name} = 0 a run with sigma is not the run with sigma = 0, so {name} is not all of its noise", one, two, **where)
    usual = trial.advance(trial.start(), drawn, T)
    for t in range(T):
        changed = drawn[name].copy()
        changed[t] += 1.0 + np.abs(changed[t])
        found = trial.advance(trial.start(), {**drawn, name: changed}, T)
        if (first := first_difference(usual, found)) != t:
            when = f"acts first in step {first}" if first < T else "does not act"
            raise ContractBroken(f"row {t} of the noise {name} is that of step {t}, but it {when}", step=t, **where)
    return f"{drawn[name][0].size} numbers a step"


def sensitivity(trial: Trial) -> str:
    """Check that a replaced record moves what a step publishes by at most 2 C / n, measured in its noise."""
    if trial.noise.law is not normal:
        raise DoesNotApply(f"the noise {trial.noise.name} is not normal, and its shift is measured in standard deviations")
    largest = 0.0
    for t, step in noisy_steps(trial, range(trial.steps)):
        for words, number, one, two in tried_pairs(trial, t):
            number %= len(trial.records)
            where = {"seed": trial.settings["seed"], "replicate": 0, "step": t, "record": number, "gradients": words}
            share = share_of_limit(trial, noise_shift(step, one, two, **where))
            if share > 1 + TIGHT:
                said = f"replacing a record moves step {t} by {share:.4g} times what sigma hides, 2 C / n"
                raise ContractBroken(f"{said} (the gradient of the record is {words})", **where, share=share)
            largest = max(largest, share)
    return f"at most {largest:.4g} of 2 C / n" + (f" sqrt({trial.releases})" if trial.releases > 1 else "")


def noise_size(trial: Trial) -> str:
    """Check that a long record replaced by its opposite moves a step by 2 C / n: sigma is the deviation of the noise on the mean."""
    if trial.noise.law is not normal:
        raise DoesNotApply(f"the noise {trial.noise.name} is not normal, and its shift is measured in standard deviations")
    _, one, two = next(neighbours(trial))
    t, step = next(noisy_steps(trial, (0,)))
    where = {"seed": trial.settings["seed"], "replicate": 0, "step": t, "record": RECORD}
    found = noise_shift(step, one, two, **where)
    if not found.full_rank:
        raise DoesNotApply("a step does not show all numbers of its noise, so their size cannot be measured")
    share = found.length / most(trial)
    if share < 1 - TIGHT:
        said = f"the noise is {1 / share:.4g} times as large as sigma says, or a clipped record moves the mean by less than C / n"
        raise ContractBroken(said, **where, share=share)
    return ""


def clipping(trial: Trial) -> str:
    """Check that a gradient that grows 1e9 times moves a step by at most 2 C / n; a huge C clips nothing, a tiny one everything."""
    if not trial.method.private:
        raise DoesNotApply(f"{trial.method.name} is not private: it clips nothing")
    huge, where = 1e12, {"seed": trial.settings["seed"], "replicate": 0}
    quiet = trial.changed(sigma=0.0)
    one, two = (recorded_arrays(quiet.changed(C=C).run([1] * quiet.steps)) for C in (huge, 2 * huge))
    compare_numbers(f"C = {huge:g} is above all gradients, but a run with twice this C differs", one, two, **where)
    if np.any(one["clipped"] != 0):
        t = int(np.argmax(one["clipped"] != 0))
        raise ContractBroken(f"clipped[{t}] = {one['clipped'][t]:g} with C = {huge:g}, which clips nothing", step=t, **where)
    tiny = recorded_arrays(quiet.changed(C=1e-12).run([1] * quiet.steps))["clipped"]
    if np.any(np.abs(tiny - 1) > 1e-12):
        t = int(np.argmax(np.abs(tiny - 1) > 1e-12))
        raise ContractBroken(f"clipped[{t}] = {tiny[t]:g} with C = 1e-12, which clips all records", step=t, **where)
    for t, step in noisy_steps(trial):
        base = step.trial.records[RECORD]
        longer = base.copy()
        longer[0] *= LONGER
        found = noise_shift(step, trial.records, with_record(trial.records, longer), step=t, record=RECORD, **where)
        if (share := share_of_limit(trial, found)) > 1 + TIGHT:
            said = f"a gradient that becomes {LONGER:g} times longer moves step {t} by {share:.4g} times 2 C / n"
            raise ContractBroken(said, step=t, record=RECORD, **where, share=share)
    return ""


def not_finite(trial: Trial) -> str:
    """Check that a record whose gradient is not finite counts as 0, and as clipped."""
    if not trial.method.private:
        raise DoesNotApply(f"{trial.method.name} is not private: no record has to be bounded")
    d = trial.space.d
    zero = with_record(trial.records, linear_record(np.zeros(d)))
    for t, step in noisy_steps(trial):
        usual = trial.advance(step.point, step.draws, data=zero)
        for bad in (math.nan, math.inf, -math.inf):
            where = {"seed": trial.settings["seed"], "replicate": 0, "step": t, "record": RECORD, "gradient": bad}
            found = trial.advance(step.point, step.draws, data=with_record(trial.records, linear_record(np.full(d, bad))))
            said = f"a record whose gradient is {bad} does not count as 0"
            compare_numbers(said, found.end.released, usual.end.released, **where)
            more = float(found.clipped[0] - usual.clipped[0])
            if abs(more - 1 / len(zero)) > 1e-9:
                said = f"a record whose gradient is {bad} does not count as clipped: clipped[{t}] rises by {more:.4g}, not by 1/{len(zero)}"
                raise ContractBroken(said, **where)
    return ""


def batches(trial: Trial) -> str:
    """Check that a step uses the records of its batch alone, and divides by the batch's nominal size; -1 is no record."""
    if "batch" not in trial.method.takes:
        raise ContractBroken(
            f"the loop of {trial.method.name} takes no `batch`, so that batch_size would change nothing", seed=trial.settings["seed"]
        )
    T, rng = trial.steps, generator(trial.settings["seed"], 0, BATCHES)
    rows = np.stack([rng.choice(len(trial.records), 3, replace=False) for _ in range(T)])
    where, point = {"seed": trial.settings["seed"], "replicate": 0}, trial.start()
    for t, one in enumerate(trial.draw([1] * T)):
        found = trial.advance(point, one, data=trial.records[rows[t]])
        alone = trial.advance(point, one, batch=rows[t : t + 1], nominal=3)
        what = f"a step with a batch of 3 of {len(trial.records)} records is not that of a data set of these 3"
        compare_numbers(what, alone.end.released, found.end.released, step=t, batch=rows[t].tolist(), **where)
        compare_numbers(what, {"clipped": alone.clipped}, {"clipped": found.clipped}, step=t, batch=rows[t].tolist(), **where)
        if "sampling" in trial.settings:
            padded = np.array([[*rows[t], -1]])
            more = trial.advance(point, one, batch=padded, nominal=4)
            zeros = np.vstack([trial.records, linear_record(np.zeros(trial.space.d))])
            less = trial.advance(point, one, data=zeros, batch=np.array([[*rows[t], len(trial.records)]]), nominal=4)
            what = "-1 in a Poisson batch does not count as no record, or the sum is not divided by the nominal size"
            compare_numbers(what, more.end.released, less.end.released, step=t, batch=padded[0].tolist(), **where)
        point = found.end
    drawn = next(trial.draw([T]))
    seen = [first_step_of_row(trial, drawn, rows, t) for t in range(T)]
    if all(first == T for first in seen):
        raise DoesNotApply("no step shows in x which records its batch has, so whether row t of batch is that of step t is not seen")
    for t, first in enumerate(seen):
        if first != t:
            when = f"acts first in step {first}" if first < T else "does not act"
            raise ContractBroken(f"row {t} of batch is that of step {t}, but it {when}", step=t, batch=rows[t].tolist(), **where)
    return "also Poisson batches" if "sampling" in trial.settings else ""


def first_step_of_row(trial: Trial, drawn: Mapping[str, FloatArray], rows: NDArray[np.int64], t: int) -> int:
    """Return the first step that differs where row t of batch (steps, b) has other records; the number of steps if none does.

    The other records have long gradients, along a direction and against it, so that a step that shows signs alone differs for one of them.
    """
    others, T = np.setdiff1d(np.arange(len(trial.records)), rows[t])[: rows.shape[1]], len(rows)
    changed = rows.copy()
    changed[t] = others
    towards = generator(trial.settings["seed"], t, RECORDS).standard_normal(trial.space.d)
    found = [T]
    for sign in (1, -1):
        records = trial.records.copy()
        records[others] = linear_record(sign * LONG * (trial.settings["C"] or 1.0) * towards)
        one, two = (trial.advance(trial.start(), drawn, T, data=records, batch=each, nominal=rows.shape[1]) for each in (rows, changed))
        found.append(first_difference(one, two))
    return min(found)


def first_difference(one: Piece, two: Piece) -> int:
    """Return the first step in which two runs record different numbers; their number of steps where there is none."""
    differs = (one.value != two.value) | (one.grad_norm_sq != two.grad_norm_sq)
    return int(np.argmax(differs)) if np.any(differs) else len(differs)
