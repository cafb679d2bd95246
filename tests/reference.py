"""``make docs``: the reference of what Python users call, from the docstrings, by pdoc; a warning is an error."""

import re
import warnings
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

OUT = Path(__file__).parents[1] / "out" / "docs"
MODULES = (
    "theory_lab", "theory_lab.estimation", "theory_lab.methods.record", "theory_lab.methods.sums",
    "bounds.privacy", "bounds.mixture", "bounds.subsampled", "bounds.accounting", "bounds.moments", "bounds.optimal_quadratic",
    "bounds.dpzero.looseness", "bounds.dp_zopo.comparison", "bounds.symbols", "bounds.theorem", "bounds.derivation", "bounds.plan",
    "bounds.several", "bounds.strategies",
    "synthetic.objectives", "synthetic.own", "synthetic.record", "synthetic.simulate", "synthetic.sweep", "synthetic.cluster",
    "figures.style", "figures.crate",
    "paper_checks.verdict", "paper_checks.recheck",
)  # fmt: skip


LOOK = "@media (min-width: 770px) {main {width: 100%}} .pdoc pre.words {white-space: pre-wrap; font-size: .75rem; padding: 0; border: 0}"


def words(docstring: str) -> str:
    """Return a docstring as it stands in the source, since its columns are a table; what is in backquotes is code."""
    text = re.sub("``?([^`]+)``?", r"<code>\1</code>", escape(docstring))
    return f'<pre class="words">{text}</pre>'


def main() -> None:
    """Write the pages."""
    import pdoc

    import theory_lab as lab

    warnings.simplefilter("error")
    warnings.filterwarnings("ignore", r"Error parsing type annotation .* for .*\.Size\.")  # pdoc: of a NamedTuple, in another module
    vars(lab).update({name: getattr(lab, name) for name in lab.__all__})  # pdoc does not ask for names that are loaded on first use
    pdoc.render.env.filters |= {"to_markdown": str, "to_html": words}
    with TemporaryDirectory() as folder:
        (Path(folder) / "custom.css").write_text(LOOK, encoding="utf-8")
        pdoc.render.configure(template_directory=Path(folder))
        pdoc.pdoc(*MODULES, output_directory=OUT)
    print(OUT / "index.html")


if __name__ == "__main__":
    main()
