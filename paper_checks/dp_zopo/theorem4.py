"""Lemma 8, Theorem 4 = Theorem 6 and Remark 1: what pruning saves, and what a mask leaves of the loss."""

from paper_checks.dp_zopo import printed as p
from paper_checks.dp_zopo.lemma5 import shorter
from paper_checks.examine.judge import decided
from paper_checks.examine.witness import at_witness, false_line
from paper_checks.verdict import Finding, Kind, claim, question, reading


def masked_quadratic(*, kept: int, hit: int, eta: float, noise: float, T: int, target: float) -> Finding:
    """Return E f(theta_T), f = |theta - theta^*|^2/2, theta^* - theta^0 = 1 on 20 coordinates, `hit` of them in a mask of `kept`, exactly.

    On the mask E |.|^2 takes the factor 1 - 2 eta + eta^2 (kept + 2) and gains eta^2 noise^2 kept in a step; off it nothing moves.
    """
    on, off = float(hit), 20.0 - hit
    for _ in range(T):
        on = (1 - 2 * eta + eta**2 * (kept + 2)) * on + eta**2 * noise**2 * kept
    numbers = {"E f": (on + off) / 2, "off the mask": off / 2, "kept": kept, "of the 20": hit, "steps": T, "alpha": target}
    return decided((on + off) / 2 <= target, f"after {T} steps E f is {(on + off) / 2:.4g}, of which {off / 2:g} is off the mask", numbers)


KEY = "dp_zopo.theorem4"
RUN = {"kept": 20, "eta": 0.02, "noise": 0.01, "T": 2000, "target": 0.01}
CLAIMS = (
    shorter("lemma8", "Lemma 8, its first term", "The noise of a pruned estimate has d r_s for d"),
    shorter("theorem4", "Theorem 4, (51) to (53)", "On the tuned coordinates, and what a mask leaves", quick=False),
    *claim(f"{KEY}.printed_mask", "Theorem 4, (18), with one mask", Kind.CONVERGENCE)
    .says("After stage S the excess is at most alpha, whatever r is", r"\phi_s(\theta'^S) - \phi_s(\theta^*) \le \alpha")
    .refuted("theta^S - theta^0 stays in the range of the mask")
    .corrected("Of the minimiser over the range of the mask; off it the excess stays", r"\ge \tfrac12\|(I-M)(\theta^*-\theta^0)\|^2")
    .closed(false_line, "theorem4: limit"),
    reading(f"{KEY}.half_of_them", "Theorem 4 on a quadratic", Kind.CONVERGENCE)
    .says("A mask of 20 of many coordinates that holds half of those that matter reaches alpha")
    .refuted("the other half does not move", instead="One that holds all of them does", by="theorem4.all_of_them")
    .examined(masked_quadratic, hit=10, **RUN),
    question(f"{KEY}.all_of_them", "ours; the same with all of those that matter", Kind.CONVERGENCE)
    .says("A mask that holds all coordinates that matter reaches alpha")
    .consistent("what remains is noise on the mask", KEY)
    .examined(masked_quadratic, hit=20, **RUN),
    claim("dp_zopo.equation_50.printed_50", "(50), against (19) and (54)", Kind.IDENTITY)
    .says("Three terms of the complexity have r d r_S", r"\gamma^2 + rdr_SC^2 + rdr_S\beta_S^2L^4 + \ldots")
    .refuted("the factor r is in neither of the other two", instead="d r_S", latex="dr_S")
    .examined(at_witness, key="dp_zopo.printed_50"),
    claim("dp_zopo.remark1.printed_factor", "Remark 1; the introduction", Kind.SCOPE)
    .says("Pruning reduces the complexity by a factor r_S, or 1/r", p.COMPLEXITY)
    .refuted("the term of sampling, gamma^2, has no d", instead="Three of four terms get the factor r_S")
    .examined(at_witness, key="dp_zopo.printed_factor"),
)  # fmt: skip
