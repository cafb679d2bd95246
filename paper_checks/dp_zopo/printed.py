"""The paper's symbols and its printed formulas, which are read from the pages of claims."""

from collections.abc import Mapping
from typing import Any

from bounds.proofs.inequalities import is_zero
from paper_checks.pages.as_printed import printed
from paper_checks.record import Record
from paper_checks.shared.proofs import OTHER_FORMULA
from paper_checks.shared.symbols import Spelling
from paper_checks.verdict import Finding

FORMULAS = printed("dp_zopo")
OTHERS = "eta T_s beta lambda_ alpha alpha_s alpha_0 m P S mu rho gamma r sigma c_1 c_2"  # symbols that have other names in the glossary
SPELLING = Spelling({FORMULAS.letters[name].known_as: name.rstrip("_") for name in OTHERS.split()} | {"last_lam": "beta_S"})
d, L, C, T, m, P, r = FORMULAS.symbols("d L C T m P r")
beta, beta_S, gamma, c_2, mu, alpha, alpha_s, eta = FORMULAS.symbols("beta last_lam gamma c_2 mu alpha alpha_s eta")


def compare_transcriptions(pairs: Mapping[str, tuple[Any, Any]]) -> Finding:
    """Check that the theory's formulas are the printed formulas, {name: (theory's, printed)}, by algebra; return a Finding."""
    record = Record({"formulas": len(pairs)})
    if differing := [name for name, (one, other) in pairs.items() if not is_zero(one - other)]:
        record.leave_open(OTHER_FORMULA.format(", ".join(differing)))
    return record.prove(f"{len(pairs)} formulas, by two transcriptions, are the same")
