"""The DP Theory Lab: ``import theory_lab as lab``.

Names are loaded on first use, so that importing the package (and ``theory-lab --help``) stays fast.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the same names for mypy and editors
    from bounds import DERIVATIONS as DERIVATIONS
    from bounds import THEOREMS as THEOREMS
    from bounds import privacy as privacy
    from bounds.dp_grape.memory import memory as memory
    from bounds.moments.recursion import expected_gap as expected_gap
    from bounds.moments.recursion import expected_grad_norm_sq as expected_grad_norm_sq
    from bounds.privacy import random_iterate as mixture  # noqa: F401
    from bounds.privacy import subsampled as subsampled
    from synthetic.objectives.coupled_saddles import matrix_factorisation as matrix_factorisation
    from synthetic.objectives.coupled_saddles import octopus as octopus
    from synthetic.objectives.coupled_saddles import phase_retrieval as phase_retrieval
    from synthetic.objectives.matrices import factorisation as factorisation
    from synthetic.objectives.matrices import low_rank as low_rank
    from synthetic.objectives.matrices import matrix_cosine as matrix_cosine
    from synthetic.objectives.matrices import matrix_phase_retrieval as matrix_phase_retrieval
    from synthetic.objectives.matrices import matrix_quadratic as matrix_quadratic
    from synthetic.objectives.own import objective as objective
    from synthetic.objectives.separable_saddles import cubic_saddle as cubic_saddle
    from synthetic.objectives.separable_saddles import quartic_saddle as quartic_saddle
    from synthetic.objectives.separable_saddles import random_phase_cosines as random_phase_cosines
    from synthetic.objectives.separable_saddles import slope as slope
    from synthetic.objectives.stages import ball_quadratic as ball_quadratic
    from synthetic.objectives.stages import kinks as kinks
    from synthetic.objectives.stages import linear_slopes as linear_slopes
    from synthetic.objectives.stages import perceptron as perceptron
    from synthetic.objectives.stages import smooth_glm as smooth_glm
    from synthetic.objectives.stages import sparse_quadratic as sparse_quadratic
    from synthetic.objectives.sums import cosine as cosine
    from synthetic.objectives.sums import logistic as logistic
    from synthetic.objectives.sums import pseudo_huber as pseudo_huber
    from synthetic.objectives.sums import quadratic as quadratic
    from synthetic.runs.escapes import couple as couple
    from synthetic.runs.escapes import escape as escape
    from synthetic.runs.selection import above_threshold as above_threshold
    from synthetic.runs.selection import select as select
    from theory_lab.api import check as check
    from theory_lab.api import grid as grid
    from theory_lab.api import recommend as recommend
    from theory_lab.api import simulate as simulate
    from theory_lab.attacking import audit as audit
    from theory_lab.calibration import calibrate as calibrate
    from theory_lab.contracts import check_method as check_method
    from theory_lab.contracts import check_objective as check_objective
    from theory_lab.estimation import estimate as estimate
    from theory_lab.prediction import predict as predict

LISTED = {  # names by module, in the order in which the commands list them
    "theory_lab.api": ("simulate", "grid", "recommend", "check"),
    "theory_lab.prediction": ("predict",),
    "theory_lab.attacking": ("audit",),
    "theory_lab.calibration": ("calibrate",),
    "theory_lab.estimation": ("estimate",),
    "theory_lab.contracts": ("check_method", "check_objective"),
    "synthetic.objectives.sums": ("quadratic", "pseudo_huber", "cosine", "logistic"),
    "synthetic.objectives.matrices": ("matrix_quadratic", "low_rank", "matrix_cosine", "factorisation", "matrix_phase_retrieval"),
    "synthetic.objectives.stages": ("linear_slopes", "ball_quadratic", "kinks", "smooth_glm", "sparse_quadratic", "perceptron"),
    "synthetic.objectives.separable_saddles": ("random_phase_cosines", "cubic_saddle", "slope", "quartic_saddle"),
    "synthetic.objectives.coupled_saddles": ("octopus", "matrix_factorisation", "phase_retrieval"),
    "synthetic.objectives.own": ("objective",),
    "synthetic.runs.escapes": ("escape", "couple"),
    "synthetic.runs.selection": ("select", "above_threshold"),
    "bounds": ("THEOREMS", "DERIVATIONS"),
    "bounds.moments.recursion": ("expected_grad_norm_sq", "expected_gap"),
    "bounds.dp_grape.memory": ("memory",),
}
NAMES = {name: f"{module}:{name}" for module, names in LISTED.items() for name in names}
NAMES |= {"mixture": "bounds.privacy.random_iterate", "privacy": "bounds.privacy", "subsampled": "bounds.privacy.subsampled"}

__all__ = sorted(NAMES)


def hidden_package_message() -> str:
    """Return an error message if a user's file or folder hides a package of the lab, such as bounds; else ""."""
    house = Path(__file__).resolve().parent.parent
    for name in ("bounds", "synthetic", "paper_checks", "figures"):
        try:
            found = find_spec(name)
        except ValueError:  # the module of that name has no import specification
            found = None
        where = Path(found.origin).resolve() if found and found.origin else None
        if where is None or where.parent.parent != house:
            return (
                f"the lab needs its own package {name!r}, but {where or 'another module of that name'} hides it: rename that file or folder"
            )
    return ""


if said := hidden_package_message():
    raise ImportError(said)


if not TYPE_CHECKING:  # with it, mypy would accept every misspelt name

    def __getattr__(name: str) -> Any:
        if name not in NAMES:
            raise AttributeError(f"theory_lab has no {name!r}; it has {', '.join(__all__)}")
        from bounds.pages.contents import import_object

        return import_object(NAMES[name])


def __dir__() -> list[str]:
    return __all__
