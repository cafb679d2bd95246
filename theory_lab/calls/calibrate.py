"""``lab.calibrate``: the noise multiplier for private training with clipped gradients, and what it guarantees."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from bounds.plans.plan import RELATIONS
from bounds.privacy.accounting import of_means
from bounds.privacy.gaussian import delta_remark
from bounds.privacy.release import Neighbours, Release
from bounds.strict_json import strict_json
from bounds.typeset import html
from bounds.validate import one_of, positive, positive_integer, validated

DRAWN = {
    "poisson": "Poisson sampling",
    "without_replacement": "batches of fixed size, drawn afresh in each step",
    "full": "all records in every step",
    "shuffled": "batches, the records shuffled anew in each epoch",
}
Way = Literal["poisson", "without_replacement", "full", "shuffled"]
USUAL: tuple[tuple[Way, Neighbours], ...] = (
    ("poisson", "add_or_remove_one"),  # the accounting of Opacus, JAX Privacy and TensorFlow Privacy
    ("poisson", "replace_one"),
    ("without_replacement", "add_or_remove_one"),
    ("without_replacement", "replace_one"),
    ("shuffled", "replace_one"),
)
FULL: tuple[tuple[Way, Neighbours], ...] = (("full", "add_or_remove_one"), ("full", "replace_one"))
DIGITS = 4  # decimal places to which a multiplier is rounded up


@dataclass(frozen=True)
class Calibration:
    """Noise multipliers for one training run, one per pair of sampling and neighbouring relation; the sentences are about the first pair.

    n, batch_size, T   number of records, records in a batch (the divisor of its sum), steps
    epochs             passes over the data, None where T was given
    epsilon, delta     privacy parameters of the guarantee
    ways, releases     for each row, how batches are drawn, and the calibrated release with its sigma for C = 1
    """

    n: int
    batch_size: int
    T: int
    epochs: float | None
    epsilon: float
    delta: float
    ways: tuple[Way, ...]
    releases: tuple[Release, ...]

    @property
    def noise_multiplier(self) -> float:
        """The noise multiplier of the first row, rounded up to four decimal places."""
        return rounded(self.releases[0].multiplier)

    @property
    def q(self) -> float:
        """The sampling rate: batch size divided by the number of records."""
        return self.batch_size / self.n

    def rows(self) -> list[dict[str, Any]]:
        """Return one row per pair of sampling and neighbouring relation: noise multiplier, sigma in units of C, sampling rate, steps."""
        return [
            {
                "sampling": way,
                "neighbours": one.neighbours,
                "noise_multiplier": rounded(one.multiplier),
                "sigma_over_C": rounded(one.multiplier) / one.divisor,
                "rate": self.q,
                "steps": self.steps(way),
            }
            for way, one in zip(self.ways, self.releases, strict=True)
        ]

    def steps(self, way: Way) -> int:
        """Return the number of steps with this sampling; for "shuffled", of whole epochs, each without its short last batch."""
        return int(self.epochs) * (self.n // self.batch_size) if way == "shuffled" and self.epochs else self.T

    @property
    def said(self) -> tuple[str, ...]:
        """Sentences: what to set, what is guaranteed to whom, and under which assumptions."""
        way, one = self.ways[0], self.releases[0]
        spent = f"({self.epsilon:g}, {self.delta:g})-differential privacy"
        rate = f" at rate {self.q:.6g}" if way == "poisson" else ""
        batches = "" if way == "full" else f" of {self.batch_size:,} records" if way != "poisson" else ""
        how = DRAWN[way].replace("batches", f"batches{batches}", 1)
        count = " and how many they are" if way == "poisson" else ""
        seen = "" if way == "full" else f" Secret: which records are in a batch{count}." if way != "shuffled" else ""
        long = f"at most {self.epochs:g} epochs" if way == "shuffled" else f"{self.T:,} steps"
        sentences = [
            f"Set the noise multiplier to {self.noise_multiplier:.{DIGITS}f} and train for {long} with {how}{rate}: this is "
            f"{spent} for data sets that differ by {RELATIONS[one.neighbours]}.",
            "Covered: every noisy gradient, and so every checkpoint and the final model. Not covered: losses, accuracies and batch sizes "
            f"that the training shows, and choices that were tuned on the same data.{seen}",
            "The promise is for one record. For all records of a person together it is weaker.",
            f"Assumed: each record's gradient is clipped to norm C, their sum is divided by {one.divisor:,} whatever the size of the batch "
            "is, and Gaussian noise of deviation multiplier x C is added to the sum in every coordinate. n, batch size, C and the number "
            "of steps are public constants.",
        ]
        if way == "poisson":
            sentences.append(
                f"Each step must take every record with probability {self.q:.6g}, independently. A loader that shuffles draws other "
                "batches: then take the row shuffled."
            )
        if "without_replacement" in self.ways or "shuffled" in self.ways:
            sentences.append("For batches of fixed size and for shuffled ones the numbers are upper bounds: less noise may be enough.")
        if tail := delta_remark(self.delta, self.n):
            sentences.append(f"{tail}.")
        return tuple(sentences)

    def __repr__(self) -> str:
        way, one = self.ways[0], self.releases[0]
        return f"Calibration(noise_multiplier={self.noise_multiplier:.{DIGITS}f}, T={self.T}, {way}, {one.neighbours})"

    def _repr_html_(self) -> str:
        rows = self.rows()
        return html.table(repr(self), list(rows[0]), [list(row.values()) for row in rows], self.said)

    def latex(self) -> str:
        """Return the rows as a LaTeX table (booktabs), with the sentences below it."""
        from bounds.typeset import latex as typeset

        title = f"Noise multipliers, n = {self.n}, ({self.epsilon:g}, {self.delta:g})-differential privacy"
        return typeset.table_of_rows(title, self.rows(), [one.removesuffix(".") for one in self.said], label="noise multiplier", papers=())

    def json(self) -> str:
        """Return the calibration as a JSON text: inputs, noise multiplier, rows and sentences."""
        found = {"n": self.n, "batch_size": self.batch_size, "T": self.T, "epsilon": self.epsilon, "delta": self.delta}
        return strict_json(found | {"noise_multiplier": self.noise_multiplier, "rows": self.rows(), "said": self.said})


def shuffled(batch_size: int, epochs: float, neighbours: Neighbours) -> Release:
    """Return the `Release` of whole epochs of shuffled batches for C = 1, replace-one only: one Gaussian release per epoch.

    No privacy is credited to the shuffling. The order does not depend on the records, so the replaced record is in one batch of each epoch.
    Given the order and all earlier steps, this step is a Gaussian release that the record moves by at most 2C/B, and the other steps do not
    depend on the record. So E epochs are at most E adaptive Gaussian releases of this sensitivity.
    """
    return Release(neighbours, "full", 1.0, batch_size, 1.0, 2 / batch_size, int(epochs))


def rounded(multiplier: float) -> float:
    """Return a noise multiplier rounded up to DIGITS decimal places, which is the private side."""
    return math.ceil(multiplier * 10**DIGITS) / 10**DIGITS


@validated
def calibrate(
    *, n: int, epsilon: float, delta: float, batch_size: int | None = None, epochs: float | None = None, T: int | None = None,
    sampling: Way | None = None, neighbours: Neighbours | None = None,
) -> Calibration:  # fmt: skip
    """Return noise multipliers with which private training is (epsilon, delta)-differentially private.

    A noise multiplier is the standard deviation of the noise on the sum of a batch's clipped gradients, divided by the clipping norm C.

    Parameters
    ----------
    n
        Number of records.
    epsilon, delta
        Privacy that is asked for.
    batch_size
        Records in a batch: the expected number with Poisson sampling. All n by default.
    epochs, T
        How long the training is, one of the two: passes over the data, or steps. E epochs are ceil(E n / batch_size) steps.
    sampling, neighbours
        How batches are drawn and in what neighbouring data sets differ; see `bounds.privacy.release`. "shuffled" are the batches of whole
        epochs, shuffled anew in each, for one replaced record. Without the two there is a row for each, and the first is what Opacus
        assumes: Poisson sampling, one record more or less.

    Returns
    -------
    Calibration
        ``noise_multiplier``, ``T``, ``rows()`` and the sentences ``said``.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name, and where neither or both of epochs and T are given.

    Notes
    -----
    Poisson and full batches: the least multiplier up to 0.1 %, rounded up. Batches of fixed size: an upper bound. See
    `bounds.privacy.accounting`.

    Examples
    --------
    >>> import theory_lab as lab
    >>> lab.calibrate(n=50_000, batch_size=500, epochs=10, epsilon=3.0, delta=1e-5, sampling="poisson", neighbours="add_or_remove_one")
    Calibration(noise_multiplier=0.8136, T=1000, poisson, add_or_remove_one)
    """
    positive(epsilon=epsilon)
    positive_integer(n=n)
    B = n if batch_size is None else batch_size
    positive_integer(batch_size=B)
    if (epochs is None) == (T is None):
        raise ValueError("epochs, T: exactly one of the two is needed, epochs (passes over the data) or T (steps)")
    if sampling is not None:
        one_of(tuple(DRAWN), sampling=sampling)
    if neighbours is not None:
        one_of(tuple(RELATIONS), neighbours=neighbours)
    if B > n:
        raise ValueError(f"batch_size = {B}: at most n = {n} is needed")
    if epochs is not None:
        positive(epochs=epochs)
        T = math.ceil(epochs * n / B)
    assert T is not None
    positive_integer(T=T)
    rows = [pair for pair in (FULL if B == n else USUAL) if sampling in (None, pair[0]) and neighbours in (None, pair[1])]
    if epochs is None or epochs != int(epochs):
        rows = [pair for pair in rows if pair[0] != "shuffled"]
        if sampling == "shuffled":
            raise ValueError("sampling = 'shuffled': give epochs, a whole number such as 10, and leave T out")
    if not rows and sampling == "shuffled" and B < n:
        raise ValueError(f"neighbours = {neighbours!r}: with sampling = 'shuffled', replace_one is needed")
    if not rows:
        needed = "full" if B == n else "poisson, without_replacement or shuffled"
        raise ValueError(f"sampling = {sampling!r}: {needed} is needed with batch_size = {B} of n = {n}")
    asked = [shuffled(B, epochs or 0, relation) if way == "shuffled" else of_means(n, B, 1.0, T, way, relation) for way, relation in rows]
    found = tuple(one.calibrate_noise(epsilon, delta) for one in asked)
    return Calibration(n, B, T, epochs, epsilon, delta, tuple(way for way, _ in rows), found)
