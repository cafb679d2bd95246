"""``lab.calibrate``: the noise multiplier of private training with clipped gradients, and what it promises."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from bounds import html
from bounds.accounting import of_means
from bounds.plan import RELATIONS
from bounds.privacy import delta_remark
from bounds.release import Neighbours, Release, Sampling
from bounds.strict_json import strict_json
from bounds.validate import door, one_of, positive, positive_integer

DRAWN = {
    "poisson": "Poisson sampling",
    "without_replacement": "batches of fixed size, drawn afresh in each step",
    "full": "all records in every step",
}
USUAL: tuple[tuple[Sampling, Neighbours], ...] = (
    ("poisson", "add_or_remove_one"),  # what Opacus, JAX Privacy and TensorFlow Privacy account for
    ("poisson", "replace_one"),
    ("without_replacement", "add_or_remove_one"),
    ("without_replacement", "replace_one"),
)
FULL: tuple[tuple[Sampling, Neighbours], ...] = (("full", "add_or_remove_one"), ("full", "replace_one"))
DIGITS = 4  # after the point, to which a multiplier is rounded up


@dataclass(frozen=True)
class Calibration:
    """Noise multipliers for one training run, by sampling and relation; the first is the one that the sentences speak of.

    n, batch_size, T   records, records in a batch (the divisor of its sum), steps
    epsilon, delta     what is promised
    releases           what each multiplier was calibrated to, with its sigma for C = 1
    """

    n: int
    batch_size: int
    T: int
    epsilon: float
    delta: float
    releases: tuple[Release, ...]

    @property
    def noise_multiplier(self) -> float:
        """The multiplier of the first release, rounded up to four digits after the point."""
        return rounded(self.releases[0].multiplier)

    @property
    def q(self) -> float:
        """The sampling rate of the first release."""
        return self.releases[0].rate

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each sampling and relation: the multiplier, and sigma in units of C."""
        return [
            {
                "sampling": one.sampling,
                "neighbours": one.neighbours,
                "noise_multiplier": rounded(one.multiplier),
                "sigma_over_C": rounded(one.multiplier) / one.divisor,
                "rate": one.rate,
                "steps": one.T,
            }
            for one in self.releases
        ]

    @property
    def said(self) -> tuple[str, ...]:
        """What to set, what is promised to whom, and under which assumptions, in sentences."""
        one = self.releases[0]
        spent = f"({self.epsilon:g}, {self.delta:g})-differential privacy"
        what = f"Set the noise multiplier to {self.noise_multiplier:.{DIGITS}f} and train for {self.T:,} steps with {DRAWN[one.sampling]}"
        rate = f" at rate {one.rate:.6g}" if one.rate < 1 else ""
        sentences = [
            f"{what}{rate}: this is {spent} for data sets that differ by {RELATIONS[one.neighbours]}.",
            "The promise covers everything that the training shows: every gradient with its noise, every checkpoint, the final model.",
            f"It assumes that each record's gradient is clipped to norm C, that their sum is divided by {one.divisor:,} whatever the size "
            "of the batch is, and that Gaussian noise of deviation multiplier x C is added to the sum in every coordinate.",
            "Choices that were tuned on the same data are not covered, unless their runs are counted too.",
        ]
        if one.sampling == "poisson":
            sentences.append(
                f"Each step must take every record with probability {one.rate:.6g}, independently. Shuffled batches of fixed size are "
                "something else: no row here covers them."
            )
        if tail := delta_remark(self.delta, self.n):
            sentences.append(f"{tail}.")
        return tuple(sentences)

    def __repr__(self) -> str:
        one = self.releases[0]
        return f"Calibration(noise_multiplier={self.noise_multiplier:.{DIGITS}f}, T={self.T}, {one.sampling}, {one.neighbours})"

    def _repr_html_(self) -> str:
        rows = self.rows()
        return html.table(repr(self), list(rows[0]), [list(row.values()) for row in rows], self.said)

    def json(self) -> str:
        """Return the calibration as JSON."""
        found = {"n": self.n, "batch_size": self.batch_size, "T": self.T, "epsilon": self.epsilon, "delta": self.delta}
        return strict_json(found | {"noise_multiplier": self.noise_multiplier, "rows": self.rows(), "said": self.said})


def rounded(multiplier: float) -> float:
    """Return a multiplier rounded up, to the private side."""
    return math.ceil(multiplier * 10**DIGITS) / 10**DIGITS


@door
def calibrate(
    *, n: int, epsilon: float, delta: float, batch_size: int | None = None, epochs: float | None = None, T: int | None = None,
    sampling: Sampling | None = None, neighbours: Neighbours | None = None,
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
        How batches are drawn and in what neighbouring data sets differ; see `bounds.release`. Without them there is a row for each, and
        the first is what Opacus assumes: Poisson sampling, one record more or less.

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
    Poisson and full batches: the least multiplier up to 0.1 %, rounded up. Batches of fixed size: an upper bound. See `bounds.accounting`.

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
        raise ValueError("epochs: give either epochs, passes over the data, or T, steps")
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
    if not rows:
        needed = "full" if B == n else "poisson or without_replacement"
        raise ValueError(f"sampling = {sampling!r}: {needed} is needed with batch_size = {B} of n = {n}")
    found = tuple(of_means(n, B, 1.0, T, of, relation).for_privacy(epsilon, delta) for of, relation in rows)
    return Calibration(n, B, T, epsilon, delta, found)
