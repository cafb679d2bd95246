"""The record of what a private run releases, T noisy means of clipped vectors, and the accountant that fits it.

Setting   each of T steps adds up one vector of norm at most C per record of its batch, divides by a fixed number, the divisor, and adds
          N(0, sigma^2 I). How the vectors are computed before they are clipped, such as a projection with a public seed, does not matter.
Constants rate, divisor, C, T and sigma are public, and the same on both of two neighbouring data sets. n and a batch size B fix them:
          B is the divisor and q = B/n the rate, also for a neighbour that has one record more or less than n. A rate of B over the actual
          number of records would reveal that number, and spend more privacy than is computed here.
Relation  neighbours="replace_one", or "add_or_remove_one": in what neighbouring data sets differ
Sampling  "full"                  every record is in every step, and the divisor is n
          "poisson"               every record with probability q, independently, and the divisor is B, whatever the size of a batch is
          "without_replacement"   B records drawn afresh in each step from all records, and the divisor is B. n is the larger number of
                                  records of two neighbours: another record takes the place of a removed one in a batch, so the
                                  sensitivity is 2C/B under both relations
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
    """T releases of a mechanism on clipped means; every number is a public constant, the same on neighbouring data sets.

    mechanism     "gaussian": all T noisy means are published; "uniform": only the iterate at tau, uniform on 0..T-1 (`random_iterate`);
                  "random_shifts": that iterate, if a record moves a mean by at most sensitivity |N|, N normal (`random_shifts`)
    rate          probability that a record is in a batch, 1 for full batches
    divisor       of the sum over a batch
    C             largest norm of a record's vector
    sensitivity   largest change of the mean over a batch that contains the differing record
    T             number of releases
    sigma         standard deviation per coordinate of the noise on the mean; nan until it is computed
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
        """The noise multiplier: standard deviation of the noise on the sum, divided by C."""
        return self.sigma / self.C * self.divisor

    def calibrate_noise(self, epsilon: float, delta: float) -> "Release":
        """Return a copy whose sigma is sufficient for (epsilon, delta)-DP; sigma is 0 if a record is rarely enough drawn."""
        return replace(self, sigma=self._ask_accountant("sigma", epsilon=epsilon, delta=delta))

    def epsilon(self, delta: float) -> float:
        """Return an upper bound on the epsilon of the release at this delta."""
        return self._ask_accountant("epsilon", delta=delta, sigma=self.sigma)

    def delta(self, epsilon: float) -> float:
        """Return an upper bound on the delta of the release at this epsilon."""
        return self._ask_accountant("delta", epsilon=epsilon, sigma=self.sigma)

    def _ask_accountant(self, what: str, **given: float) -> float:
        """Return `what` ("sigma", "epsilon" or "delta") from the accountant of this mechanism and sampling."""
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
        accountant = import_module(f"bounds.privacy.{module}")  # here: some accountants need libraries that are slow to import
        return float(getattr(accountant, f"{what}_{name}")(**given, T=self.T, **own))

    def describe(self) -> str:
        """Return sentences that describe sampling, neighbouring relation and sensitivity, and say which constants are public."""
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
