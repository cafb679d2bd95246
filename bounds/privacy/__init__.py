"""Privacy accounting: the noise that a guarantee needs, and the guarantee that a noise gives, never on the wrong side.

One module for each mechanism: `gaussian` for T releases of full batches, `steps` where their noise or sensitivity changes, `subsampled`
for Poisson batches and batches of fixed size, `random_iterate` for one iterate of T drawn at random, `random_shifts` for queries along
random public directions. A `release.Release` records what is published and calls its accountant; `accounting` has the functions for
clipped means. `composition` and `subsampled_pairs` compute the privacy losses of T steps.

May import: the modules of `bounds`. Start with `gaussian`, whose functions are the names of this package.
"""

# ruff: noqa: F405

from typing import TYPE_CHECKING, Any

from bounds.renamed import old_names

if TYPE_CHECKING:
    from bounds.privacy.gaussian import *  # noqa: F403
    from bounds.privacy.steps import *  # noqa: F403

__all__ = [
    "ACCOUNTANTS", "Accountant", "delta_gaussian", "delta_of_steps", "delta_remark", "epsilon_gaussian", "epsilon_of_steps",
    "lemma_2_2_critical_epsilon", "lemma_2_2_is_private", "lemma_2_2_ratio", "lemma_2_2_remark", "log_delta", "log_e_plus_ratio",
    "mu_gaussian", "mu_of_steps", "sigma_gaussian", "sigma_lemma_2_2", "sigma_of_steps",
]  # fmt: skip
OLD = {
    "in_full": "require_full_precision",
    "last_private": "bisect_private_root",
    "log_curve": "log_privacy_curve",
    "private_end": "find_private_root",
    "rounded_up": "exp_rounded_up",
}


def __getattr__(name: str) -> Any:
    if name not in __all__ and name not in OLD:
        raise AttributeError(f"module 'bounds.privacy' has no attribute {name!r}")
    from bounds.privacy import gaussian  # here: it needs NumPy, and names of what is released do not

    if name.endswith("_of_steps"):
        from bounds.privacy import steps

        return getattr(steps, name)
    return old_names(gaussian.__name__, **OLD)(name, stacklevel=3) if name in OLD else getattr(gaussian, name)
