"""Suggestions for misspelt names: the nearest valid name, also where another library uses another name."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

ELSEWHERE = {  # name in other libraries: name here. noise_multiplier is not here, because sigma has another unit.
    "lr": "alpha", "learning_rate": "alpha", "eta": "alpha", "step_size": "alpha", "stepsize": "alpha", "zo_eps": "lam",
    "smoothing": "lam", "clip": "C", "clip_norm": "C", "clipping": "C", "max_grad_norm": "C", "l2_norm_clip": "C", "threshold": "C",
    "noise": "sigma", "std": "sigma", "noise_scale": "sigma", "noise_std": "sigma", "steps": "T",
    "iterations": "T", "num_steps": "T", "max_steps": "T", "dim": "d", "dimension": "d", "samples": "n", "num_samples": "n",
    "n_samples": "n", "eps": "epsilon", "target_epsilon": "epsilon", "target_delta": "delta", "batch": "batch_size",
    "repeats": "replicates", "runs": "replicates", "random_state": "seed", "rank": "r",
    "function": "objective", "loss": "objective", "output": "out",
    "jobs": "workers", "n_jobs": "workers", "figure1": "dpzero-1", "figure2": "dpzero-2", "figure3": "dpzero-3", "fig1": "dpzero-1",
    "fig2": "dpzero-2", "fig3": "dpzero-3", "sgd": "dp_sgd", "dpsgd": "dp_sgd", "adam": "dp_adam", "grape": "dp_grape", "zopo": "dp_zopo",
    "zoso": "dp_zoso", "psgd": "gauss_psgd", "spider": "gauss_psgd", "dpgd": "dp_gd",
}  # fmt: skip
CLOSE = 0.75  # similarity of two names above which one is suggested for the other


def normalise_name(name: str) -> str:
    """Return a name in lower case without hyphens, underscores and spaces, for comparison."""
    return re.sub(r"[-_ ]", "", name).lower()


def nearest_name(word: str, names: Iterable[str]) -> str:
    """Return the valid name that the user probably meant by `word`, "" if none is close."""
    names = list(dict.fromkeys(names))
    by_plain = {normalise_name(one): one for one in reversed(names)}  # the first of names that differ in capitals only, such as c and C
    other = {normalise_name(one): name for one, name in ELSEWHERE.items()}.get(normalise_name(word), "")
    if other in names and word not in names:
        return other
    if normalise_name(word) in by_plain:
        return by_plain[normalise_name(word)]
    close = difflib.get_close_matches(normalise_name(word), by_plain, n=1, cutoff=CLOSE)
    return by_plain[close[0]] if close else ""


def suggestion_text(word: str, names: Iterable[str], mark: str = "") -> str:
    """Return a suggestion for the end of an error message, such as "; is --alpha meant?", "" if no name is close; mark = "--"."""
    found = nearest_name(word, names)
    return f"; is {mark}{found} meant?" if found else ""
