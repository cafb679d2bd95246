"""``make docs``: the reference of what Python users call, from the docstrings, by pdoc; a warning is an error."""

import warnings
from pathlib import Path

OUT = Path(__file__).parents[1] / "out" / "docs"
MODULES = (
    "theory_lab", "theory_lab.methods.record", "theory_lab.methods.sums",
    "bounds.privacy", "bounds.mixture", "bounds.subsampled", "bounds.accounting", "bounds.moments", "bounds.optimal_quadratic",
    "bounds.dpzero.looseness", "bounds.dp_zopo.comparison", "bounds.symbols", "bounds.theorem", "bounds.derivation", "bounds.plan",
    "bounds.strategies",
    "synthetic.objectives", "synthetic.own", "synthetic.record", "synthetic.simulate", "synthetic.sweep", "synthetic.cluster",
    "figures.style", "figures.crate",
    "paper_checks.verdict", "paper_checks.recheck",
)  # fmt: skip


def main() -> None:
    """Write the pages."""
    import pdoc

    import theory_lab as lab

    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", r"Error parsing type annotation .* for .*\.Size\.")  # pdoc: of a NamedTuple, in another module
    vars(lab).update({name: getattr(lab, name) for name in lab.__all__})  # pdoc does not ask for names that are loaded on first use
    pdoc.render.configure(docformat="restructuredtext")
    pdoc.pdoc(*MODULES, output_directory=OUT)
    print(OUT / "index.html")


if __name__ == "__main__":
    main()
