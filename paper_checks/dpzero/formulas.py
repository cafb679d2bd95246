r"""What stands on the report under "as printed": the formulas of DPZero in LaTeX, letter by letter as its text has them.

The lab abbreviates: A = log(e + epsilon/delta), Delta_0 or gap = F_S(x_0) - F_S^*, X and Y for the arguments of the logarithms in
\tilde L^2 and in the corollaries, R for a rate. The paper does none of that, so nothing here does. Where the ICML text, converted from
its PDF, and the arXiv text differ, the name says whose formula it is. `printed` has the same formulas for computing.
"""

from __future__ import annotations

from collections.abc import Mapping

LOG = r"\log(e + (\varepsilon/\delta))"
START = r"F_S(x_0) - F_S^*"
ROOT_R = rf"\frac{{\sqrt{{r {LOG}}}}}{{n\varepsilon}}"
Y_F2 = rf"\log\left(\frac{{n^2\varepsilon^2}}{{\kappa d^3 {LOG}}}\right)"
Y_F3 = rf"\log\left(\frac{{n^2\varepsilon^2}}{{\kappa r d^2 {LOG}}}\right)"
Y_F4 = rf"\log\left(\frac{{n^2\varepsilon^2}}{{\kappa r {LOG}}}\right)"
RATE_F2 = rf"\frac{{d^3 {LOG}}}{{\mu n^2\varepsilon^2}}"
RATE_F3 = rf"\frac{{r d^2 {LOG}}}{{\mu n^2\varepsilon^2}}"
RATE_F4 = rf"\frac{{r {LOG}}}{{\mu n^2\varepsilon^2}}"
BEFORE = r"\mathbb{E}_{z_{<t}, u_{<t}}"  # over all that is drawn before step t
UP_TO = r"\mathbb{E}_{z_{<(t+1)}, u_{<(t+1)}}"  # over all that is drawn up to it
DIFFERENCE = r"\frac{f(x_t + \lambda u_t; \xi_i) - f(x_t - \lambda u_t; \xi_i)}{2\lambda}"
BOUND_F2 = rf"\left(\ell({START}) + 64L^2\kappa {Y_F2} + 2L^2\right){RATE_F2}"
BOUND_F3 = rf"\left(\ell({START}) + 64L^2\kappa {Y_F3} + 2L^2\right){RATE_F3}"
BOUND_F4 = rf"\left(\ell({START}) + {Y_F4}\left(L^2 + 16\tilde{{L}}^2\kappa\right) + 2L^2\right){RATE_F4}"
L_TILDE = rf"\tilde{{L}}^2 = L^2\log\left(\frac{{2\sqrt{{2\pi}} n^3\varepsilon^2(r+2)(d + 8\ell B(r+2)/L^2)}}{{r {LOG}}}\right)"

EQUATIONS: Mapping[str, str] = {
    "3": rf"\mathbb{{E}}[\|\nabla F_S(x_\tau)\|^2] \le 16\left(({START})\ell + 2L^2\right)\frac{{d\sqrt{{d {LOG}}}}}{{n\varepsilon}}",
    "4": r"\mathbb{E}[F_S(x_{t+1})] \le \mathbb{E}[F_S(x_t)]"
    r" - \frac{\alpha}{2}(1 - 2d\ell\alpha)\mathbb{E}[\|\nabla F_S(x_t)\|^2] + c\alpha^2 d^3",
    "5": rf"\mathbb{{E}}[\|\nabla F_S(x_\tau)\|^2] \le 16\left(({START})\ell + 2L^2\right)\frac{{d\sqrt{{r {LOG}}}}}{{n\varepsilon}}",
    "6": r"\mathbb{E}[F_S(x_{t+1})] \le \mathbb{E}[F_S(x_t)]"
    r" - \frac{\alpha}{2}(1 - 2(r+2)\ell\alpha)\mathbb{E}[\|\nabla F_S(x_t)\|^2] + c\alpha^2 r d^2",
    "7": rf"\mathbb{{E}}[\|\nabla F_S(x_\tau)\|^2] \le \left(64\left(({START})\ell + \tilde{{L}}^2\right) + 2L^2\right){ROOT_R}",
    "8": r"\mathbb{P}(|h(x) - \mathbb{E}[h(x)]| \ge \gamma) \le 2\sqrt{2\pi}\exp\left(-\frac{d\gamma^2}{8}\right)",
    "9": r"\mathbb{E}_u[(u^\top a)^2 u_i^2] = a_i^2\mathbb{E}[u_i^4] + \sum_{j \ne i} a_j^2\mathbb{E}[u_j^2 u_i^2]",
    "10": r"w_1 + (d-1)w_2 = d",
    "11": r"\mathbb{E}_u[\|g_\lambda(x)\|^2] \le 2d \cdot \|\nabla f(x)\|^2 + \frac{\ell^2}{2}\lambda^2 d^3",
    "12": r"\mathbb{E}_{z_t, u_t}[F_S(x_{t+1})] \le F_S(x_t) - \frac{\alpha}{2}(1 - 2d\ell\alpha)\|\nabla F_S(x_t)\|^2"
    r" + \frac{\ell^2}{8}\alpha(1 + 2\ell\alpha)\lambda^2 d^3 + \frac{\ell}{2}\alpha^2 d\sigma^2",
    "13": r"\mathbb{E}_{z_t}[F_S(x_{t+1})] \le F_S(x_t) - \alpha\nabla F_S(x_t)^\top G_\lambda(x_t)"
    r" + \frac{\alpha^2}{2}G_\lambda(x_t)^\top H G_\lambda(x_t) + \frac{\alpha^2\sigma^2}{2}\text{Tr}(H)",
    "14": r"\left(\frac{F_S(x_t + \lambda u_t) - F_S(x_t - \lambda u_t)}{2\lambda}\right)^2"
    r" \le 2(u_t^\top\nabla F_S(x_t))^2 + \frac{\ell^2}{2}\lambda^2 d^2",
    "15": r"\mathbb{E}[F_S(x_{t+1})] \le F_S(x_t) - \frac{\alpha}{2}(1 - 2(r+2)\ell\alpha)\|\nabla F_S(x_t)\|^2"
    r" + \frac{\ell^2\alpha\lambda^2 d^2(d + 2r\ell\alpha)}{8} + \frac{\ell\alpha^2 r\sigma^2}{2}",
    "16": r"\frac{|f(x_t + \lambda u_t; \xi_i) - f(x_t - \lambda u_t; \xi_i)|}{2\lambda}"
    r" \le |u_t^\top\nabla f(x_t; \xi_i)| + \frac{\ell}{2}\lambda d",
    "17": rf"{UP_TO}[F_S(x_{{t+1}}) | Q_t] \le {BEFORE}[F_S(x_t) | Q_t]"
    r" - \alpha\mathbb{E}_{z_{<t}, u_{<(t+1)}}[\nabla F_S(x_t)^\top\hat{G}_\lambda(x_t) | Q_t]"
    r" + \frac{\alpha^2}{2}\mathbb{E}_{z_{<t}, u_{<(t+1)}}[\hat{G}_\lambda(x_t)^\top H\hat{G}_\lambda(x_t) | Q_t]"
    r" + \frac{\alpha^2\sigma^2}{2}\mathbb{E}_{z_{<t}, u_{<(t+1)}}[u_t^\top H u_t | Q_t]",
    "18": r"\mathbb{E}_t\left[\left(\frac{F_S(x_t + \lambda u_t) - F_S(x_t - \lambda u_t)}{2\lambda}\right)^2 u_t^\top H u_t\right]"
    r" \ge \mathbb{E}_t\left[\left(\frac{F_S(x_t + \lambda u_t) - F_S(x_t - \lambda u_t)}{2\lambda}\right)^2"
    r" u_t^\top H u_t | Q_t\right]\mathbb{P}(Q_t)",
    "19": r"\mathbb{E}_t\left[\hat{G}_\lambda(x_t)^\top H\hat{G}_\lambda(x_t) | Q_t\right]"
    rf" \le \frac{{2\ell(r+2)}}{{\mathbb{{P}}(Q_t)}}{BEFORE}\|\nabla F_S(x_t)\|^2 + \frac{{\ell^3\lambda^2 d^2 r}}{{2\mathbb{{P}}(Q_t)}}",
    "20": r"\mathbb{E}_t\left[u_t^\top H u_t | Q_t\right] \le \frac{r\ell}{\mathbb{P}(Q_t)}",
    "21": r"\mathbb{E}_t\left[\nabla F_S(x_t)^\top\hat{G}_\lambda(x_t) | Q_t\right]"
    rf" \ge \frac{{{BEFORE}\|\nabla F_S(x_t)\|^2}}{{2\mathbb{{P}}(Q_t)}} - \frac{{\ell^2\lambda^2 d^3}}{{8\mathbb{{P}}(Q_t)}}"
    r" - \frac{L^2 d\mathbb{P}(\bar{Q}_t)}{\mathbb{P}(Q_t)}",
    "22": rf"{UP_TO}[F_S(x_{{t+1}}) | Q_t] \le {BEFORE}[F_S(x_t) | Q_t]"
    rf" - \frac{{\alpha}}{{2}}(1 - 2(r+2)\ell\alpha)\frac{{{BEFORE}\|\nabla F_S(x_t)\|^2}}{{\mathbb{{P}}(Q_t)}}"
    r" + \frac{\ell\alpha^2 r\sigma^2}{2\mathbb{P}(Q_t)} + \frac{\ell^2\alpha(d + 2\ell\alpha r)\lambda^2 d^2}{8\mathbb{P}(Q_t)}"
    r" + \frac{\alpha L^2 d\mathbb{P}(\bar{Q}_t)}{\mathbb{P}(Q_t)}",
    "23": rf"{BEFORE}\|\nabla F_S(x_t)\|^2"
    r" \le \frac{4\mathbb{E}_{z_{<T}, u_{<T}}[F_S(x_t) - F_S(x_{t+1}) | Q]\mathbb{P}(Q)}{\alpha} + 2\ell\alpha r\sigma^2"
    r" + \ell^2 d^3\lambda^2 + \left(4L^2 d + \frac{8B}{\alpha}\right)\mathbb{P}(\bar{Q})",
}  # fmt: skip

LEMMA_2_2 = rf"\sigma^2 = (2\Delta\sqrt{{2T {LOG}}}/\varepsilon)^2"  # arXiv
LEMMA_2_2_ICML = rf"\sigma^2 = (2\Delta\sqrt{{2T {LOG}}})/\varepsilon)^2"  # one parenthesis more closes than opens
SIGMA = rf"\sigma = 4C\sqrt{{2T {LOG}}}/(n\varepsilon)"
DP = r"\mathbb{P}(\mathcal{A}(S) \in \mathcal{B}) \le e^\varepsilon\mathbb{P}(\mathcal{A}(S') \in \mathcal{B}) + \delta"
CLIP = r"\text{clip}_C(x) = x\min\{1, C/\|x\|\}"
STEPS = {  # the updates of Algorithm 1, Algorithm 2 and DP-GD
    "dpgd_0th": r"x_{t+1} \leftarrow x_t - \alpha\left(\frac{1}{n}\sum_{i=1}^n\text{clip}_C(g_\lambda(x_t; \xi_i)) + z_t\right)",
    "dpzero": r"x_{t+1} \leftarrow x_t - \alpha\left(\frac{1}{n}\sum_{i=1}^n"
    rf"\text{{clip}}_C\left({DIFFERENCE}\right) + z_t\right)u_t",
    "dp_gd": r"x_{t+1} \leftarrow x_t - \alpha((1/n)\sum_{i=1}^n\text{clip}_C(\nabla f(x_t; \xi_i)) + z_t)",
}

THEOREM_3 = rf"{EQUATIONS['7']},\quad {L_TILDE}"
COROLLARIES = {  # F.4 as in arXiv
    "corollary_f2": rf"\mathbb{{E}}[F_S(x_T) - F_S^*] \le {BOUND_F2}",
    "corollary_f3": rf"\mathbb{{E}}[F_S(x_T) - F_S^*] \le {BOUND_F3}",
    "corollary_f4": rf"\mathbb{{E}}[F_S(x_T) - F_S^*] \le {BOUND_F4}",
}
COROLLARY_F4_ICML = (
    rf"\mathbb{{E}}[F_S(x_T) - F_S^*] \le \left(\ell({START}) + {Y_F4}\right)\left(L^2 + 16\tilde{{L}}^2\kappa\right) + 2L^2{RATE_F4}"
)
FIRST_LINES = {  # of the proofs of Corollaries F.2 and F.3, with a gradient sign missing
    name: r"\mathbb{E}_{z_t, u_t}[F_S(x_{t+1})] \le F_S(x_t) - \frac{\alpha}{4}\|F_S(x_t)\|^2 + \frac{\alpha}{4}\ell^2\lambda^2 d^3"
    rf" + \frac{{\ell}}{{2}}\alpha^2 {letter}\sigma^2"
    for name, letter in (("corollary_f2", "d"), ("corollary_f3", "r"))
}
LAST_LINES = {  # of the same proofs
    name: rf"\exp\left(-\frac{{\mu\alpha T}}{{2}}\right)({START}) + \frac{{32\ell L^2\alpha T {power} {LOG}}}{{\mu n^2\varepsilon^2}}"
    rf" + \frac{{\ell^2\lambda^2 d^3}}{{2\mu}} = {bound}"
    for name, power, bound in (("corollary_f2", "d^3", BOUND_F2), ("corollary_f3", "r d^2", BOUND_F3))
}
UNCLIPPED_ICML = r"\mathbb{P}(Q_{t,i}) \le 2\sqrt{2\pi}\exp(-C_0^2/(8L^2))"
UNCLIPPED = r"\mathbb{P}(\bar{Q}_{t,i}) \le 2\sqrt{2\pi}\exp(-C_0^2/(8L^2))"
TELESCOPED = r"\mathbb{E}\|\nabla F_S(x_%s)\|^2 = \frac{1}{T}\sum_{t=0}^{T-1}\mathbb{E}_{z_{<t}, u_{<t}}\|\nabla F_S(x_t)\|^2"
TELESCOPED_ICML, TELESCOPED_ARXIV = TELESCOPED % "T", TELESCOPED % r"\tau"
DOUBLE_SUM = r"\mathbb{E}_u[(u^\top a)^2 u_i u_j] = \sum_{i \ne j} a_i a_j\mathbb{E}[u_i^2 u_j^2]"
REMARK_F5 = (
    rf"T = \max\left\{{\frac{{n(r+2)\varepsilon}}{{4\sqrt{{r {LOG}}}}}, 1\right\}},\quad \mathbb{{E}}[\|\nabla F_S(x_\tau)\|^2] \le"
    rf" \min\left\{{\tilde{{\mathcal{{O}}}}\left({ROOT_R}\right), L^2\right\}}"
)
COUNT_1 = rf"nT = n^2\varepsilon/\sqrt{{d {LOG}}} = \mathcal{{O}}(n^2/\sqrt{{d}})"  # Appendix D and Theorem 1
