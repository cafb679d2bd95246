"""The result of `lab.audit`: the certified lower bound, as a table, JSON and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bounds.strict_json import strict_json
from bounds.typeset import html
from paper_checks.shared.audit import Audit
from synthetic.validate import short_repr
from theory_lab.commands.audit import auditable_methods
from theory_lab.methods import METHODS


@dataclass(frozen=True)
class Attack:
    """The result of an audit: the certified lower bound of epsilon for a method or a part of it.

    audit      the numbers: the two lower bounds, from an event and from mu, and the level
    settings   settings of the runs, with sigma, the noise on the mean over a step's records
    remarks    sentences: what was attacked, and what the attack cannot detect
    """

    method: str
    audit: Audit
    settings: Mapping[str, Any]
    remarks: tuple[str, ...]

    @property
    def epsilon(self) -> float:
        """The declared epsilon."""
        return self.audit.epsilon

    @property
    def delta(self) -> float:
        """The declared delta."""
        return self.audit.delta

    @property
    def certified(self) -> float:
        """The certified lower bound: with this confidence, the released values are not (e, delta)-DP for any smaller e."""
        return self.audit.certified

    @property
    def share(self) -> float:
        """The certified epsilon divided by the declared one."""
        return self.audit.share

    @property
    def convicted(self) -> bool:
        """Whether the declared privacy is refuted: the certified epsilon is above the declared one."""
        return self.audit.convicted

    @property
    def confidence(self) -> float:
        """A lower bound of the probability that an attack certifies nothing false."""
        return 1 - self.audit.level

    @property
    def runs(self) -> int:
        """The number of runs on each of the two data sets."""
        return self.audit.runs

    @property
    def sigma(self) -> float | None:
        """The noise on the mean over a step's records, per coordinate; None for a part that has another kind of noise."""
        return self.settings.get("sigma")

    @property
    def bound(self) -> str:
        """Which lower bound the certified epsilon is, as text: "an event", "the mean of normal scores", or "neither" if it is 0."""
        if not self.certified > 0:
            return "neither"
        return "the mean of normal scores" if self.audit.normal >= self.audit.any_noise else "an event"

    @property
    def title(self) -> str:
        """The method and its settings, as the title of a table."""
        return ", ".join([self.method, *(f"{name} = {short_repr(value)}" for name, value in self.settings.items() if name != "sigma")])

    def __repr__(self) -> str:
        words = "CONVICTED, " if self.convicted else ""
        sure = f"{self.runs} runs on each data set, confidence {self.confidence:.6g}"
        said = f"certified epsilon {self.certified:.4g} of the declared {self.epsilon:.6g} at delta = {self.delta:.4g}"
        return f"Attack({self.method:.60}: {words}{said}, {sure})"

    def _repr_html_(self) -> str:
        (row,) = self.rows()
        return html.table(self.title, tuple(row), [tuple(row.values())], self.remarks)

    def rows(self) -> list[dict[str, Any]]:
        """Return the single row of its table: declared and certified epsilon, noise, runs and confidence."""
        return [
            {
                "declared epsilon": self.epsilon,
                "delta": self.delta,
                "certified epsilon": self.certified,
                "share of declared": self.share,
                "based on": self.bound,
                **({} if self.sigma is None else {"sigma": self.sigma}),
                "runs": self.runs,
                "confidence": self.confidence,
            }
        ]

    def json(self) -> str:
        """Return settings, certified bounds and remarks as a JSON text; null for an infinite epsilon."""
        names = ("method", "settings", "epsilon", "delta", "certified", "share", "convicted", "bound", "sigma", "runs", "confidence")
        ends = {"any_noise": self.audit.any_noise, "normal": self.audit.normal, "mu": self.audit.mu}
        told = {name: getattr(self, name) for name in names} | {"settings": dict(self.settings)}
        return strict_json(told | ends | {"remarks": self.remarks})

    def latex(self) -> str:
        """Return the table in LaTeX (booktabs), with the remarks."""
        from bounds.typeset import latex as typeset  # imported here, because it loads SymPy

        owner, notes = auditable_methods(METHODS).get(self.method), [said.removesuffix(".") for said in self.remarks]
        title = f"Attack on the privacy of {self.title}"
        return typeset.table_of_rows(title, self.rows(), notes, label=f"audit {self.method}", papers=(owner.paper,) if owner else ())
