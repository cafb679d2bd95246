"""The paper's letters and spelling; its formulas stand on the pages of claims."""

from bounds.dp_zopo.paper import LETTERS
from paper_checks.as_printed import printed
from paper_checks.examine.letters import Spelling

FORMULAS = printed("dp_zopo")
SPELLING = Spelling({known: name.rstrip("_") for name, known in (pair.split() for pair in LETTERS.split(", "))})
d, L, C, T, m, P, r = FORMULAS.symbols("d L C T m P r")
beta, beta_S, gamma, c_2, mu, alpha, alpha_s, eta = FORMULAS.symbols("beta last_lam gamma c_2 mu alpha alpha_s eta")
