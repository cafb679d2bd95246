"""The paper's symbols and its printed formulas, which are read from the pages of claims."""

from paper_checks.pages.as_printed import printed
from paper_checks.shared.symbols import Spelling

FORMULAS = printed("dp_zopo")
OTHERS = "eta T_s beta lambda_ alpha alpha_s alpha_0 m P S mu rho gamma r sigma c_1 c_2"  # symbols that have other names in the glossary
SPELLING = Spelling({FORMULAS.letters[name].known_as: name.rstrip("_") for name in OTHERS.split()} | {"last_lam": "beta_S"})
d, L, C, T, m, P, r = FORMULAS.symbols("d L C T m P r")
beta, beta_S, gamma, c_2, mu, alpha, alpha_s, eta = FORMULAS.symbols("beta last_lam gamma c_2 mu alpha alpha_s eta")
