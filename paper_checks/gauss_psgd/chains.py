"""Every proof of Gauss-PSGD as a whole: all steps of each derivation, certified and attacked.

A chain takes the lemmas that it names as given; they have chains of their own. Where the printed proof has a false line, the chain goes
as far as it holds and says in words where it stops: `printed_false` has a point at which the printed line fails.
"""

from __future__ import annotations

import bounds
from paper_checks.steps import examine_steps
from paper_checks.verdict import Claim, Finding, Kind, Outcome

WORDED = "some steps are cited or argued in words; the rest is certified"
STOPS = "goes as far as the printed proof holds; some steps are cited or argued in words, the rest is certified"
CERTIFIED = "every step is certified by computer algebra, from what it takes as given"


def chain(*, key: str, samples: int) -> Finding:
    """Examine all steps of a derivation."""
    return examine_steps(bounds.DERIVATIONS[key], samples=samples)


# place in the paper, words, why
PAPER = {
    "parameter_block": ("Section 4, (5), (76)", "(5) in closed form, in psi, s, mu, C, M and rho, and eta <= 1/M", CERTIFIED),
    "lemma18": ("Lemma 18, (21) to (28)", "The difference of two coupled runs is the sum of three parts", WORDED),
    "lemma19": ("Lemma 19, (30) to (32)", "Size of the part that the added noise makes; (32) at t = Gamma", WORDED),
    "lemma20": ("Lemma 20, (34) to (45)", "The two other parts, up to (42)", STOPS),
    "lemma1": ("Lemma 1, (29), (46) to (53)", "Leaving a saddle, up to (52)", STOPS),
    "corollary1": ("Corollary 1", "A single run escapes at least half as often as one of two", WORDED),
    "lemma2": ("Lemma 2", "(26/5) log_2(1/omega_0) independent rounds are enough, and 7.49 ln(1/omega_0)", WORDED),
    "lemma3": ("Lemma 3, (54) to (59)", "Descent with an error in the gradient", WORDED),
    "corollary2": ("Corollary 2, (60) to (62)", "Descent with noise of size psi, with c = 8 C of Lemma 13", WORDED),
    "lemma4": ("Lemma 4, (63) to (72)", "What an escape is worth: (2/iota - c/(16 C)) Phi, not Phi", STOPS),
    "lemma5": ("Lemma 5, (73)", "Every estimate is within chi of its gradient", WORDED),
    "lemma6": ("Lemma 6, (74) to (79), and Theorem 1", "The number of steps, with the decrease of Lemma 4 as printed", STOPS),
    "lemma7": ("Lemma 7, (80) to (91)", "The error of an estimate, along a path that is fixed and without restarts", WORDED),
    "lemma8": ("Lemma 8, (92) to (97)", "How often a fresh gradient is asked for, along a path without restarts", WORDED),
    "lemma9": ("Lemma 9, (106) to (117)", "The error of the mean of m clients", WORDED),
    "theorem2": ("Theorem 2, (98) to (105)", "The four parts of (103), each at the kappa at which it is smallest", STOPS),
    "theorem3": ("Theorem 3, (115) to (121)", "The same for m clients", STOPS),
    "theorem4": ("Theorem 4, (122) to (143)", "The accuracy of the point that is selected", STOPS),
    "remark4": ("Remark 4", "d <= min(N^2, N^(6/13)) makes the last three terms of (143) at most alpha", CERTIFIED),
}
OURS = {
    "remark2": ("Remark 2", "For a fixed logarithmic factor (102) has exactly one root", WORDED),
    "exponents": ("Theorem 2, (103) to (105)", "Which rate (103) gives, for every limit of the drift", WORDED),
    "corollary3": ("Corollary 3", "A sum of norm-subGaussian errors is norm-subGaussian, with log(2 d)", WORDED),
    "repaired_block": ("(5), (6), Lemmas 1, 4, 20, Theorem 1", "A parameter block with which the steps that fail go through", WORDED),
}


def _claim(name: str, place: str, words: str, why: str, ours: bool) -> Claim:
    return Claim(
        key=f"gauss_psgd.{name}.chain",
        source=f"ours; {place}" if ours else place,
        words=words,
        kind=Kind.INEQUALITY,
        stated="question" if ours else "printed",
        expected=Outcome.PROVED if why is CERTIFIED else Outcome.CONSISTENT,
        why=why,
        examine=chain,
        arguments={"key": f"gauss_psgd.{name}", "samples": 20},
        full={"samples": 1000},
        derivations=(f"gauss_psgd.{name}",),
    )


CLAIMS = (
    *(_claim(name, *entry, ours=False) for name, entry in PAPER.items()),
    *(_claim(name, *entry, ours=True) for name, entry in OURS.items()),
)
