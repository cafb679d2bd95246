"""Algorithms 1 to 6: what the printed lines leave open or get wrong, and that they are sound as they are read here."""

import math

import numpy as np
from mpmath import mp

from paper_checks.dp_grape.algorithms import CURVATURE, ROUNDING, SPACE, R, drawn, leading, of_records, opened, walked
from paper_checks.examine import privacy
from paper_checks.verdict import Finding, Kind, Size, claim, consistent, question, reading, refuted
from synthetic import dp_grape as records
from synthetic.simulate import simulate


def dimensions(*, length: str) -> Finding:
    """Count what r vectors of the printed length fill, and what P_l has to have; and the entries of R_j against an index of it."""
    for m, n, r, L in ((3, 4, 2, 2), (5, 5, 3, 1), (1, 7, 1, 4)):
        filled, needed = r * (m if length == "m" else m * n), m * n * r
        if filled != needed:
            numbers = {"m": m, "n": n, "r": r, "numbers drawn": filled, "entries of P": needed, "entries of R_j": r * L}
            at = {**numbers, "largest index in U": L * m * n}
            return refuted(f"{filled} numbers are drawn for the {needed} entries of P", numbers, at)
    return consistent("as many numbers as entries, in three sizes")


def as_variance(*, C: float, n: int, T: int, epsilon: float, delta: float) -> Finding:
    """Spend T releases of a full batch with noise whose variance is the printed sigma."""
    computed = 2 * C * math.sqrt(T * math.log(1 / delta)) / (n * epsilon)
    printed = 2 * mp.mpf(C) * mp.sqrt(T * mp.log(1 / mp.mpf(delta))) / (n * mp.mpf(epsilon))
    at = {"C": C, "n": n, "T": T, "epsilon": epsilon, "delta": delta}
    spent = {"printed": printed, "computed": computed, "sensitivity": 2 * mp.mpf(C) / n, "at": at}
    return privacy.spent_as(epsilon=epsilon, delta=delta, T=T, name="sigma", **spent)


def of_samples(*, cases: int, seed: int) -> Finding:
    """Take the subspace of Algorithm 5 and those of the samples' gradients: the largest sine between them, at the nearest sample."""
    rng, nearest, at = np.random.default_rng(seed), 1.0, {}
    for k in range(cases):
        o = of_records(rng.standard_normal((3, SPACE.d)), rng.standard_normal(SPACE.d))
        x = walked("dp_galore", o, T=1, seed=k, alpha=1.0, C=1.0, sigma=0.1)
        U = np.linalg.svd(SPACE.parts(o.x0 - x)[0])[0][:, :R]  # the move of the first layer spans the subspace
        for row in o.data:
            own = leading(SPACE.parts(CURVATURE * (o.x0 - row))[0])
            sine = float(np.linalg.norm(own - U @ (U.T @ own), 2))
            if sine < nearest:
                nearest, at = sine, {"seed": k, "sine of the angle": sine}
    if nearest > 1e-6:
        return refuted(f"no sample's subspace is that of the step: the nearest is off by a sine of {nearest:.2g}", {}, at, seed=seed)
    return consistent("a sample has the subspace of the step", {"sine": nearest}, seed=seed)


INPUTS = {  # as printed; M, V and the words of Update are those of the update that is plugged in
    "1": "X W^0 eta r F B C sigma T", "3": "X W^0 eta beta1 beta2 B T", "4": "X W^0 eta r F B T", "5": "X W^0 eta r F B C sigma T",
}  # fmt: skip
OURS = {"1": "W^1", "3": "C sigma phi", "4": "W^1", "5": "W^1"}  # inputs that the readings add
REFRESH, STAYS = ("mod",), ("stays",)
LINES: dict[str, tuple[tuple[str, str, tuple[str, ...]], ...]] = {  # what is written, what is read for it, and when; t, p = t-1, n = t+1
    "1": (("G^t", "X W^t", ()), ("s^t", "", REFRESH), ("s^t", "s^p", STAYS), ("P^t", "s^t r", ()), ("R^t", "P^t G^t", ()),
          ("R~^t", "R^t C B sigma", ()), ("W^n", "W^t R~^t s^t eta", ())),
    "3": (("G^t", "X W^t", ()), ("G~^t", "G^t B C sigma", ()), ("alpha^t", "eta beta1 beta2", ()), ("W^t", "W^p alpha^t G~^t phi", ())),
    "3 as read": (("G^t", "X W^p", ()), ("G~^t", "G^t B C sigma", ()), ("alpha^t", "eta beta1 beta2", ()),
                  ("W^t", "W^p alpha^t G~^t phi", ())),
    "4": (("G^t", "X W^t", ()), ("P^t", "G^t r", REFRESH), ("P^t", "P^p", STAYS), ("R^t", "P^t G^t", ()), ("W^n", "W^t R^t P^t eta", ())),
    "5": (("G^t", "X W^t", ()), ("G~^t", "G^t B C sigma", ()), ("P^t", "G~^t r", REFRESH), ("P^t", "P^p", STAYS), ("R~^t", "P^t G~^t", ()),
          ("W^n", "W^t R~^t P^t eta", ())),
}  # fmt: skip


def undefined(*, algorithm: str, as_read: bool, T: int, F: int) -> Finding:
    """Note what the lines read before it is given or written; `as_read`: with OURS, a first refresh at t = 1, in 3 gradients at W^(t-1)."""
    known, missing = {*INPUTS[algorithm].split(), *(OURS[algorithm].split() if as_read else ())}, []
    for t in range(1, T + 1):
        names = {"t": t, "p": t - 1, "n": t + 1}
        new = t % F == 0 or (as_read and t == 1)
        for written, read, when in LINES[algorithm + " as read" * as_read if algorithm == "3" else algorithm]:
            if when in ((), REFRESH if new else STAYS):
                asked = [head + (f"^{names[index]}" if index in names else f"^{index}" if index else "")
                         for head, _, index in (one.partition("^") for one in read.split())]  # fmt: skip
                missing += [one for one in asked if one not in known]
                known |= {*asked, f"{written[:-1]}{names[written[-1]]}"}
    if missing:
        at = {"T": T, "F": F, "read before they are there": ", ".join(missing)}
        return refuted(f"not there when they are read: {', '.join(missing)}", {"T": T, "F": F}, at)
    return consistent("all that is read is there", {"T": T, "F": F})


def readings(*, seed: int) -> Finding:
    """Run Algorithm 1 with Adam and what may be done with the moments where the subspace changes: the printed words fit all three."""
    o, ends = drawn(np.random.default_rng(seed)), {}
    for how in records.MOMENTS:
        ends[how] = simulate(records.DP_GRAPE, o, alpha=0.1, T=6, r=R, F=3, C=1.0, sigma=0.1, update="adam", moments=how, seed=seed).x[0]
    apart = {how: float(np.linalg.norm(x - ends["kept"])) for how, x in ends.items() if how != "kept"}
    if min(apart.values()) > ROUNDING:
        at = {f"{how}: distance from kept": value for how, value in apart.items()}
        return refuted("three readings end at three points", {}, at, seed=seed)
    return consistent("it does not matter what is done with the moments", apart, seed=seed)


ALGORITHM, PRIVACY = Kind.ALGORITHM, Kind.PRIVACY
UNDEFINED = tuple(
    row
    for k, said in {"1": "W^1, and s^0 where F > 1", "3": "C, sigma and phi, and W^t comes after its gradient",
                    "4": "W^1, and P^0 where F > 1", "5": "W^1, and P^0 where F > 1"}.items()
    for row in (
        reading(f"dp_grape.algorithm_{k}.defined", f"Algorithm {k}, inputs and lines", ALGORITHM)
        .says(f"What the lines of Algorithm {k} read is an input or was written before")
        .refuted(f"nobody gives {said}", instead="With a few changes it is", by=f"algorithm_{k}.defined_as_read")
        .examined(undefined, algorithm=k, as_read=False, T=4, F=2),
        question(f"dp_grape.algorithm_{k}.defined_as_read", f"ours; Algorithm {k}", ALGORITHM)
        .says("All that is read is there once the inputs that are missing are added, "
              + ("and gradients are those at W^(t-1)" if k == "3" else "W^1 = W^0, and a first subspace is drawn at t = 1"))
        .consistent("nothing else is missing")
        .examined(undefined, algorithm=k, as_read=True, T=Size(7, 50), F=3),
    )
)  # fmt: skip
CLAIMS = (
    *UNDEFINED,
    opened("algorithm_2.one_meaning", "Algorithm 2, moments at a change of subspace", ALGORITHM, reading)
    .says("What Algorithms 1 and 2 say determines what becomes of the moments where the subspace changes")
    .refuted("the lines keep them, in coordinates that mean something else now; no word is said of it, and to reset them or to project "
             "them anew fits as well", instead="These are three algorithms, of which the printed lines are one", by="algorithm_1.step")
    .examined(readings, seed=8),
    claim("dp_grape.algorithm_6.dimensions", "Algorithm 6, line 5", ALGORITHM)
    .says("r vectors from N(0, I/r) in R^(m_l) are the columns of P_l in R^(|U_l| x r), |U_l| = m_l n_l")
    .refuted("they are too short by the factor n_l; and in line 10 U_l indexes r x L numbers", instead="They are in R^(|U_l|)",
             by="algorithm_6.dimensions_as_read")
    .examined(dimensions, length="m"),
    question("dp_grape.algorithm_6.dimensions_as_read", "ours; Algorithm 6, line 5", ALGORITHM)
    .says("r vectors from N(0, I/r) in R^(|U_l|) are the columns of P_l")
    .consistent("m_l n_l entries each")
    .examined(dimensions, length="mn"),
    claim("dp_grape.algorithm_6.sigma_as_variance", "Algorithm 6, line 1", PRIVACY)
    .says("sigma of line 1 is the variance of the privacy noise")
    .refuted("line 10 has sigma^2 for it, and as a variance sigma changes with the unit of the loss while the sensitivity does too",
             instead="sigma is the deviation", by="algorithm_6.noise")
    .examined(as_variance, C=100.0, n=1000, T=100, epsilon=0.25, delta=1e-5),
    reading("dp_grape.section3.svd_of_samples", "Section 3.1, computes the SVD of per-sample gradients", ALGORITHM)
    .says("The subspace of naive DP-GaLore is that of a sample's gradient")
    .refuted("Algorithm 5 takes the SVD of the private average", instead="It is that of the private average", by="algorithm_5.step")
    .examined(of_samples, cases=Size(10, 300), seed=10),
)  # fmt: skip
