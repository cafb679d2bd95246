"""Sphinx configuration of the documentation, for `make docs`. Nothing is downloaded during the build."""

import logging
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
QUIET = HERE.parent / "out" / "docs-ipython" / "profile_default" / "ipython_kernel_config.py"
QUIET.parent.mkdir(parents=True, exist_ok=True)
QUIET.write_text("c = get_config()\nc.IPKernelApp.log_level = 40\n", encoding="utf-8")
os.environ["IPYTHONDIR"] = str(QUIET.parents[1])  # the kernel of notebooks reports errors only
logging.getLogger("traitlets").setLevel(logging.WARNING)
sys.path.insert(0, str(HERE / "_ext"))

from bounds.origin import NAME, installed_version  # noqa: E402

project = "DP Theory Lab"
author = "the authors of the DP Theory Lab"
copyright = "the authors; MIT licence"
version = release = installed_version(NAME)

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.intersphinx",
    "numpydoc",
    "sphinx_copybutton",
    "lab",  # docs/_ext/lab.py: pages that are printed from the lab itself
]
exclude_patterns = ["_build", "_ext", "_inventories", "README.md"]
nitpicky = True
nitpick_ignore_regex = [("py:.*", r".*")]  # types in signatures are names of our own; links in the text are checked by MyST

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 3
nb_execution_mode = "cache"
nb_execution_cache_path = str(HERE.parent / "out" / "docs-notebooks")
nb_execution_raise_on_error = True
nb_execution_timeout = 300
nb_merge_streams = True
nb_execution_show_tb = True

autodoc_mock_imports = ["hypothesis"]  # bounds.strategies is for tests
autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
numpydoc_validation_checks = set()

intersphinx_mapping = {
    name: (address, str(HERE / "_inventories" / f"{name}.inv"))
    for name, address in {
        "python": "https://docs.python.org/3/",
        "scipy": "https://docs.scipy.org/doc/scipy/",
        "sympy": "https://docs.sympy.org/latest/",
    }.items()
}

html_theme = "furo"
html_title = "DP Theory Lab"
html_static_path = ["_static"]
html_css_files = ["lab.css"]
html_extra_path = sorted(str(page) for page in (HERE.parent / "figures" / "gallery").glob("*-report.html"))
html_theme_options = {"navigation_with_keys": True, "top_of_page_buttons": []}
smartquotes = False
html_copy_source = False
html_show_sphinx = False
html_math_renderer = "mathml"
