"""Records of DPZero and the methods compared with it: DPGD-0th, DP-GD and MeZO."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synthetic.declared.dpzero import DPGD, DPGD0th, DPZero, MeZO
from theory_lab.methods.record import DELTA, EPSILON, Figures, Method, Option, Plans, needed, whole, wholes
from theory_lab.methods.sums import record
from theory_lab.spectra import WORDS, parse_names, parse_spectrum

if TYPE_CHECKING:
    from synthetic.declared.fields import Declaration
    from synthetic.objectives.sums import Objective

PAPER = "dpzero"
COLUMNS = ("printed", "sharp", "batched")  # variants of a plan; `bounds.dpzero.batches` has them too, and loads slowly
SHARED = "bounds.dpzero.recommend:recommend"
TUNED = (frozenset(("spectrum", "distance", "accountant", "progress")), "theory_lab.calls.tuned:recommend")  # with the variant tuned
PLANNED = {  # private methods, and the function that recommends their parameters
    "dpzero": SHARED,
    "dpgd_0th": SHARED,
    "dp_gd": SHARED,
}
LIPSCHITZ = ("pseudo_huber", "cosine", "logistic")  # objectives with a finite L
OF_T = "most steps of the {}: a number, printed (as many as the printed variant, the default), or free (as many as help)"


# --- recommend --------------------------------------------------------------------------------------------------------------------------
def parse_steps(text: str) -> int | str | None:
    """Parse the text of --T-max: an integer, "printed" unchanged, or None for "free"."""
    if text in ("printed", "free"):
        return None if text == "free" else text
    try:
        return whole(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}: an integer of at least 1, printed or free is needed") from None


def problem_constants(method: str, objective: Objective, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `recommend` for DPZero: n, d, r, L, ell, gap, B of the objective, or the given values in their place.

    Raises ValueError where a constant that every theorem needs is missing.
    """
    known = {name: objective.constants[name] for name in ("r", "L", "ell", "gap", "B") if name in objective.constants}
    known = {"n": objective.n, "d": objective.d} | known | dict(given)
    if known.get("L") == math.inf:
        others = f"use {', '.join(LIPSCHITZ)}, or give lab.recommend L=, a bound on the gradients during the run"
        raise ValueError(f"objective = {objective.name!r}: it is not Lipschitz (L = inf), and every theorem here assumes that; {others}")
    if missing := [name for name in ("L", "ell", "gap") if name not in known]:
        said = ", ".join(f"{name}=" for name in missing)
        raise ValueError(
            f"objective = {objective.name!r}: its constants have no {', '.join(missing)}; give {said} as well, to lab.recommend or in the "
            "constants of lab.objective"
        )
    return known


def make_plans(name: str) -> Plans:
    """Return the `Plans` of dpzero, dpgd_0th or dp_gd: the function that recommends their parameters, and its options."""
    return Plans(
        columns=COLUMNS,
        words="alpha, T, C, lambda, sigma",
        described=f"Recommend a schedule for {name}.",
        call=PLANNED[name],
        wider=TUNED if PLANNED[name] == SHARED else None,
        problem=problem_constants,
        watched=True,
        batched="batched",
        options=(
            *needed(n="number of samples", d="dimension", epsilon=EPSILON, delta=DELTA, L="Lipschitz constant", ell="smoothness constant"),
            *needed(gap="F_S(x_0) - F_S^*, or an upper bound of it"),
            Option("r", "effective rank, Tr(H) <= r ||H|| (default: unknown, so d)", float),
            Option("B", "bound on |F_S| everywhere (only the printed Theorem 3 needs it)", float),
            Option("mu", "constant of the PL inequality; the printed variant is then that of the PL corollary", float),
            Option("T_max", OF_T.format("sharp variant"), parse_steps, default="printed", metavar="T"),
            Option("lam", "smoothing radius of the sharp variant (default: the largest that adds at most 1 %% to the bound)", float),
            Option(
                "spectrum",
                f"spectrum of the Hessian: {WORDS}. It adds the variant tuned, which is tuned in distribution, without data",
                parse_spectrum,
                metavar="NAME|FILE",
            ),
            Option("distance", "distance of the start from the optimum in every coordinate, for the variant tuned (default: 1)", float),
            Option(
                "accountant",
                "noise of the variant tuned: exact, the least possible (default), or lemma, the paper's Lemma 2.2. With lipschitz, the "
                "sharp variant has less noise, and is private only if the loss of every possible record is Lipschitz",
                choices=("exact", "lemma", "lipschitz"),
            ),
            Option("batch_size", "samples per step. It adds the variant batched, whose privacy is proved and whose accuracy is not", whole),
            Option(
                "sampling",
                "how these batches are drawn, poisson if it is left out; it is for batch-size only",
                choices=("poisson", "without_replacement"),
            ),
        ),
    )


def parse_methods(text: str) -> tuple[str, ...]:
    """Parse the text of --methods, names joined by commas, as a tuple."""
    return tuple(name.strip() for name in text.split(","))


ACCOUNTANT = "noise: lemma, the paper's Lemma 2.2 (default), or exact, the least possible"


# --- predict ----------------------------------------------------------------------------------------------------------------------------
def predict_options(private: bool, zeroth: bool) -> tuple[Option, ...]:
    """Return the options of the command `predict` for a method; `private` methods have noise, `zeroth` methods have directions."""
    return (
        Option("spectrum", f"eigenvalues: {WORDS} (default: inverse)", parse_spectrum, metavar="NAME|FILE"),
        Option("spectrum_file", "the same as --spectrum FILE", Path, metavar="FILE"),
        Option("d", "dimension, such as 1e12, up to 1e15; not needed with a file", whole),
        Option("n", "number of samples, up to 1e15", whole, required=True),
        Option("alpha", "step size", float, required=True),
        Option("T", "number of steps", whole, required=True),
        *(
            (
                Option("C", "clipping threshold", float, required=True),
                Option("epsilon", "privacy parameter epsilon, which determines the noise", float),
                Option("delta", "privacy parameter delta", float),
                Option("accountant", ACCOUNTANT, choices=("lemma", "exact")),
                Option("sigma", "standard deviation of the noise, instead of epsilon and delta", float),
            )
            if private
            else ()
        ),
        Option("distance", "distance of the start from x* in every coordinate (default: %(default)s)", float, default=1.0),
        *((Option("direction", "distribution of the directions (default: sphere)", choices=("sphere", "gaussian")),) if zeroth else ()),
        Option("replicates", "independent runs (default: %(default)s)", whole, default=16),
        Option("seed", "seed of the draws (default: %(default)s)", whole, default=0),
        Option("times", "numbers of steps to report, besides 0 and T (default: about 60)", wholes, metavar="T,T,..."),
    )


# --- figures ----------------------------------------------------------------------------------------------------------------------------
MODULES = {
    "dpzero-1": "figures.dpzero.synthetic:FIGURE_1",
    "dpzero-2": "figures.dpzero.synthetic:FIGURE_2",
    "dpzero-3": "figures.dpzero.synthetic:FIGURE_3",
    "dpzero-scale": "figures.dpzero.scale:SCALE",
    "dpzero-tuned": "figures.dpzero.tuned:TUNED",
}
FIGURES = Figures(
    names=tuple(MODULES),
    parts=MODULES,
    titles={
        "dpzero-1": "Figure 1 of DPZero: best test gradient norm against the dimension, three methods and three spectra",
        "dpzero-2": "Figure 2 of DPZero: best training gradient norm against the dimension",
        "dpzero-3": "Figure 3 of DPZero: best test and training loss against the dimension",
        "dpzero-scale": "Figure 1 continued to d = 10^12, simulated in distribution without data",
        "dpzero-tuned": "parameters tuned in distribution against the best of the 880 settings of Figure 1",
    },
    store="results/dpzero.sqlite",
    options=(
        Option("accountant", ACCOUNTANT, choices=("lemma", "exact")),
        Option("dimensions", "dimensions, for Figure 1 in place of 20,50,...,2000", wholes, metavar="D,D,..."),
        Option("spectra", "spectra: flat, inverse_sqrt, inverse, power:P (default: the first three)", parse_names, metavar="NAME,..."),
        Option("horizons", "numbers of steps, for Figure 1 in place of 10,20,...,5120", wholes, metavar="T,T,..."),
        Option("n", "number of training samples, and of test samples (default: 10000)", whole),
        Option("epsilon", "privacy parameter epsilon (default: 2)", float),
        Option("delta", "privacy parameter delta (default: 1e-6)", float),
        Option("seed", "seed of the draws (default: 0)", whole),
        Option(
            "methods",
            "methods of Figures 1 to 3, in their order: some of dpgd_0th, dpzero, dp_gd, and those of your --module FILE, which are tuned "
            "over the same grid (default: the three)",
            parse_methods,
            metavar="NAME,...",
        ),
    ),
)


def make_method(declared: type[Declaration], zeroth: bool = True) -> Method:
    """Return the record of a declared method; `zeroth` gives its `predict` the option --direction."""
    name = declared.key
    private = name in PLANNED
    plan, figures = (make_plans(name), FIGURES) if private else (None, None)
    unplanned = "" if private else f"{name} has no plans, it is not private; give alpha and T instead"
    kernel, law = f"synthetic.methods.dpzero:{name.upper()}", predict_options(private, zeroth)
    return record(declared, paper=PAPER, kernel=kernel, plans=plan, figures=figures, unplanned=unplanned, law=law)


METHODS = (
    make_method(DPZero),
    make_method(DPGD0th),
    make_method(DPGD, zeroth=False),
    make_method(MeZO),
)
