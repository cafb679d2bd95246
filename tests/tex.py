"""Check LaTeX text by rules that need no TeX."""

import re

BASE = """
    alpha arccos arcsin bar begin beta Big big bigg bigsqcup cap caption cdot centering chi cite cos cosh Delta delta dots ell end
    epsilon eta exp forall frac Gamma gamma ge hat in infty int iota item kappa label lambda Lambda langle lceil le left leftarrow
    lfloor linewidth ln log mapsto mathbf mathcal mathrm max mid min mp mu nabla ne nu omega Omega paragraph phi Phi pi Pi pm preceq psi
    Psi qquad quad rangle rceil rfloor rho right Rightarrow scriptsize setlength setminus shortstack sigma Sigma sim sin sinh small sqrt
    sum sup ldots overline tabcolsep tau textasciicircum textasciitilde textbackslash textbar textgreater textless textquotedblright
    textstyle texttt theta Theta tilde to top varepsilon Xi xi zeta cdots propto star
"""
COMMANDS = {
    "": BASE.split(),
    "amsmath": ["text", "tfrac", "operatorname"],
    "amssymb": ["mathbb", "mathfrak"],
    "booktabs": ["toprule", "midrule", "bottomrule"],
    "mathrsfs": ["mathscr"],
}
PACKAGE = {command: package for package, commands in COMMANDS.items() for command in commands}
ENVIRONMENTS = {"align*": "amsmath", "table": "", "tabular": "", "itemize": "", "enumerate": ""}
NEEDS = re.compile(r"% needs (?:\\usepackage\{([a-z,]+)\}|no package)\n")


def named_packages(latex):
    """Return the set of packages that the first line of LaTeX text says it needs."""
    named = NEEDS.match(latex)
    assert named, latex[:80]
    return set(named[1].split(",")) if named[1] else set()


def latex_faults(latex, allowed=None):
    """Return the faults of LaTeX text: unbalanced braces, environments or dollars, and unknown or not allowed commands."""
    found = []
    text = re.sub(r"(?<!\\)%.*", "", latex)
    bare = re.sub(r"\\[\\{}$%&#_]", " ", text)
    depth = 0
    for sign in bare:
        depth += (sign == "{") - (sign == "}")
        if depth < 0:
            break
    found += ["braces do not balance"] if depth else []
    found += ["dollars are not in pairs"] if bare.count("$") % 2 else []
    open_ = []
    for kind, name in re.findall(r"\\(begin|end)\{([^}]*)\}", bare):
        if kind == "begin":
            open_.append(name)
        elif not open_ or open_.pop() != name:
            found.append(f"\\end{{{name}}} without a beginning")
    found += [f"\\begin{{{name}}} without an end" for name in open_]
    needed = {name: ENVIRONMENTS.get(name) for name in re.findall(r"\\begin\{([^}]*)\}", bare)}
    needed |= {name: PACKAGE.get(name) for name in re.findall(r"\\([A-Za-z]+)", bare)}
    found += [f"{name} is not known" for name, package in needed.items() if package is None]
    if allowed is not None:
        found += [f"{name} needs {package}" for name, package in needed.items() if package and package not in allowed]
    if len(re.findall(r"\\left(?![a-z])", bare)) != len(re.findall(r"\\right(?![a-z])", bare)):
        found.append("\\left and \\right are not in pairs")
    return found
