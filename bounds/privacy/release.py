"""What is released, as an accountant reads it: T noisy means of clipped vectors, with their relation, sampling and public constants.

Setting   each of T steps adds up one vector of norm at most C per record of its batch, divides by a fixed number, the divisor, and adds
          N(0, sigma^2 I). What is done with the vectors before they are clipped, such as a projection with a public seed, does not matter.
Constants rate, divisor, C, T and sigma are public, and the same on both of two neighbouring data sets. n and a batch size B fix them:
          B is the divisor and q = B/n the rate, also for a neighbour that has one record more or less than n. Who takes for the rate B
          over the number of records that are there tells that number, and spends more than is said here.
Relation  neighbours="replace_one", or "add_or_remove_one": in what neighbouring data sets differ
Sampling  "full"                  every record is in every step, and the divisor is n
          "poisson"               every record with probability q, each by itself, and the divisor is B, whatever the size of a batch is
          "without_replacement"   B records drawn afresh in each step from all that are there, and the divisor is B. Of two neighbours n
                                  is the larger number of records: where one is removed another takes its place in a batch, so
                                  that 2C/B is what counts under both relations
Measure   sigma, the standard deviation of each coordinate of the noise on the *mean*; divisor sigma / C is the noise multiplier.
Source    the accountants are those of `bounds.privacy` and `bounds.privacy.subsampled`, where they are proved.
"""

from dataclasses import dataclass, replace
from importlib import import_module
from math import nan
from typing import Literal

Neighbours = Literal["add_or_remove_one", "replace_one"]
Sampling = Literal["full", "poisson", "without_replacement"]
Mechanism = Literal["gaussian", "uniform", "random_shifts"]


@dataclass(frozen=True)
class Release:
    """T releases of a mechanism; every number is a public constant, the same on neighbouring data sets.

    mechanism     "gaussian", all T noisy means are seen; "uniform", only the iterate at tau, uniform on 0..T-1 (`random_iterate`);
                  "random_shifts", the same where a record moves a mean by at most sensitivity |N|, N normal (`random_shifts`)
    rate          probability that a record is in a batch, 1 of full ones
    divisor       of the sum over a batch
    C             most length of a record's vector
    sensitivity   how far a neighbour moves the mean over a batch that its record is in
    T             number of releases
    sigma         standard deviation per coordinate of the noise on the mean; nan while it is asked for
    """

    neighbours: Neighbours
    sampling: Sampling
    rate: float
    divisor: int
    C: float
    sensitivity: float
    T: int
    sigma: float = nan
    mechanism: Mechanism = "gaussian"

    @property
    def multiplier(self) -> float:
        """The deviation of the noise on the sum, over C."""
        return self.sigma / self.C * self.divisor

    def for_privacy(self, epsilon: float, delta: float) -> "Release":
        """Return the release with a sigma for which it is (epsilon, delta)-DP, from above; 0 where few records are ever drawn."""
        return replace(self, sigma=self._asked("sigma", epsilon=epsilon, delta=delta))

    def epsilon(self, delta: float) -> float:
        """Return an epsilon for which it is (epsilon, delta)-DP, from above."""
        return self._asked("epsilon", delta=delta, sigma=self.sigma)

    def delta(self, epsilon: float) -> float:
        """Return a delta for which it is (epsilon, delta)-DP, from above."""
        return self._asked("delta", epsilon=epsilon, sigma=self.sigma)

    def _asked(self, what: str, **given: float) -> float:
        """Return what the accountant of the mechanism and the sampling has, from above."""
        if self.mechanism == "random_shifts":
            name, own = "random_shifts", {"scale": self.sensitivity, "released": "uniform"}
        elif self.mechanism == "uniform":
            name, own = "uniform", {"sensitivity": self.sensitivity}
        elif self.rate == 1:
            name, own = "gaussian", {"sensitivity": self.sensitivity}
        else:
            name, own = "subsampled", {"q": self.rate, "sensitivity": self.sensitivity}
            own |= {"neighbours": self.neighbours, "sampling": self.sampling}
        module = "random_iterate" if name == "uniform" else name
        accountant = import_module(f"bounds.privacy.{module}")  # here: what some of them need is slow to import
        return float(getattr(accountant, f"{what}_{name}")(**given, T=self.T, **own))

    def words(self) -> str:
        """Return what is released and which constants are public, in sentences."""
        how = "exchanged for another" if self.neighbours == "replace_one" else "added or removed"
        drawn = {
            "full": "Each step takes all records",
            "poisson": f"Each step takes every record with probability q = {self.rate:.6g}, independently of the others",
            "without_replacement": f"Each step draws {self.divisor} records afresh, without replacement, at rate q = {self.rate:.6g}",
        }[self.sampling]
        same = "" if self.neighbours == "replace_one" else ", and stay the same where a record is added or removed"
        return (
            f"{drawn}, and divides the sum of their clipped vectors by {self.divisor}. These numbers are public constants{same}. "
            f"Neighbouring data sets differ in one record that is {how}. If a batch contains it, the mean moves by at most "
            f"{self.sensitivity / self.C * self.divisor:.6g} C/{self.divisor}. C is the largest length of a clipped vector."
        )
