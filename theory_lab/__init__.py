"""The DP Theory Lab: ``import theory_lab as lab``.

Names are loaded on first use, so that importing the package (and ``theory-lab --help``) stays fast. Editors and mypy read
`__init__.pyi`, which `python -m theory_lab.stub` prints.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

LISTED = {  # names by module, in the order in which the commands list them
    "theory_lab.api": ("simulate", "grid", "recommend", "check"),
    "theory_lab.calls.predict": ("predict",),
    "theory_lab.calls.audit": ("audit",),
    "theory_lab.calls.calibrate": ("calibrate",),
    "theory_lab.calls.estimate": ("estimate",),
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
    "synthetic.declared.dpzero": ("DPZero", "DPGD0th", "DPGD", "MeZO"),
    "synthetic.declared.gauss_psgd": ("GaussPSGD", "FrozenPSGD"),
    "synthetic.declared.dp_grape": ("DPGrape", "DPGrapeBlocks", "DPSGD", "DPAdam", "GaLore", "DPGaLore"),
    "synthetic.declared.dp_zopo": ("DPZOO", "DPZOSO", "DPZOPO"),
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

from synthetic.renamed import keep_old_names  # noqa: E402  # after the message above, where synthetic is another package

keep_old_names(
    {
        f"theory_lab.{old}": f"theory_lab.{new}"
        for old, new in {
            "attacking": "calls.audit",
            "calibration": "calls.calibrate",
            "drawing": "commands.figure",
            "estimation": "calls.estimate",
            "prediction": "calls.predict",
            "sweep_file": "sweeps.file",
            "tuned": "calls.tuned",
        }.items()
    }
)


def __getattr__(name: str) -> Any:
    if name not in NAMES:
        raise AttributeError(f"theory_lab has no {name!r}; it has {', '.join(__all__)}")
    from bounds.pages.contents import import_object

    return import_object(NAMES[name])


def __dir__() -> list[str]:
    return __all__
