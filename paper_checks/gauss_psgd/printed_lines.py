"""Lines of Gauss-PSGD that are false as printed: the claim in words and in LaTeX, why it fails, and what holds instead.

The witnesses, with the printed and the true formula, are those of `bounds.gauss_psgd.proofs_printed` and `proofs_printed_rates` under
the same names; here is what a reader sees, written from the paper. `printed_false` substitutes the one and lists the other.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """One printed line.

    name, at     of the entry of PRINTED_FALSE without "printed_", and the statement it belongs to
    place        in the paper
    steps        what holds instead: steps of derivations ("lemma1-10"), or own steps of `repaired`;  proved: all of them are certified
    repaired_by  a claim elsewhere that examines what holds instead, "" where `steps` say it
    stated       "reading" where the witness settles one of two readings of the text
    """

    name: str
    at: str
    place: str
    words: str
    latex: str
    why: str
    correction: str
    correction_latex: str
    steps: tuple[str, ...] = ()
    proved: bool = True
    repaired_by: str = ""
    stated: str = "printed"


THIRD_TERM = (
    r"\tilde O\Big(n^{-1/3} + \big(\tfrac{\sqrt d}{n\varepsilon}\big)^{2/5} + \big(\tfrac{\sqrt d}{n^{3/2}\varepsilon}\big)^{4/17}\Big)"
)
LINES = (
    Line("32", "lemma19", "(32), Lemma 19", "P(||P_p(t)|| >= b(Gamma) eta r / 10) >= 2/3 for all t >= 0",
        r"\mathbb{P}(\|\mathscr{P}_p(t)\| \ge \mathfrak{b}(\Gamma)\eta r/10) \ge 2/3 \quad\forall t \ge 0",
        "P_p(0) = 0, and after one step the deviation is far below b(Gamma)", "The same at t = Gamma only",
        r"\mathbb{P}(\|\mathscr{P}_p(\Gamma)\| \ge \mathfrak{b}(\Gamma)\eta r/10) \ge 2/3",
        ("lemma19-7", "lemma19-8", "lemma19-9", "lemma19-10", "lemma19-11"), proved=False),
    Line("34", "lemma20", "(34), proof of Lemma 20", "The probability that is to be shown is at most 1 - 6 d t log(R/(eta r)) e^-iota",
        r"\mathbb{P}(\dots) \le 1 - 6dt\log\tfrac{\mathcal{R}}{\eta r}e^{-\iota}", "the relation is turned round",
        "It is at least that", r"\mathbb{P}(\dots) \ge 1 - 6dt\log\tfrac{\mathcal{R}}{\eta r}e^{-\iota}", ("lemma20-13",)),
    Line("38", "lemma20", "(38), proof of Lemma 20", "Delta, as printed the mean of the Hessian itself, is at most rho R",
        r"\Delta_t = \int_0^1\nabla^2F(yx_t + (1-y)x_t')\,dy, \quad \|\Delta_t\| \le \rho\mathcal{R}",
        "the Hessian at the saddle is not subtracted", "The mean of the Hessian minus the Hessian at the saddle is at most rho R",
        r"\|\textstyle\int_0^1\nabla^2F(yx_t + (1-y)x_t')\,dy - \mathcal{H}\| \le \rho\mathcal{R}", ("lemma20-4",)),
    Line("after_41", "lemma20", "text after (41)", "2 c eta rho R Gamma = 2 c / s", r"2c\eta\rho\mathcal{R}\Gamma = 2c/s",
        "a root of iota is missing on the left", "2 c eta rho R Gamma sqrt(iota) = 2 c / s",
        r"2c\eta\rho\mathcal{R}\Gamma\sqrt\iota = 2c/s", ("lemma20-6",)),
    Line("42", "lemma20", "(42), proof of Lemma 20", "Lemma 12 gives ||P_sg(t+1)|| <= 2 c eta M sqrt(Gamma) b eta r sqrt(iota)",
        r"\|\mathscr{P}_{sg}(t+1)\| \le 2c\,\eta M\sqrt\Gamma\,\mathfrak{b}\eta r\sqrt\iota",
        "one root of iota comes with the difference of the runs, another with the lemma",
        "The lemma gives 2 c eta M sqrt(Gamma) b eta r iota, its constant C apart",
        r"\|\mathscr{P}_{sg}(t+1)\| \le 2c\,\eta M\sqrt\Gamma\,\mathfrak{b}\eta r\,\iota", ("lemma20-9", "lemma20-11")),
    Line("43", "lemma20", "(43), proof of Lemma 20", "s >= (80 c)^2 makes the bound of Lemma 12 on P_sg at most b eta r / 40",
        r"2c\,\eta M\sqrt\Gamma\,\iota \le 1/40 \text{ for } s \ge (80c)^2", "with both roots of iota it is 2 c sqrt(mu) for every s",
        "With eta = sqrt(rho alpha)/(M^2 iota^3) and s >= (160 c C)^2 it is",
        r"4cC\,\eta M\sqrt\Gamma\,\iota \le 1/40 \text{ for } \eta = \tfrac{\sqrt{\rho\alpha}}{M^2\iota^3},\ s \ge (160cC)^2",
        ("repaired_block-3", "repaired_block-12", "repaired_block-13")),
    Line("52", "lemma1", "(52), proof of Lemma 1", "b(Gamma) eta r / 40 = (1 + eta gamma)^Gamma sqrt(eta r) / (40 sqrt(2))",
        r"\frac{\mathfrak{b}(\Gamma)\eta r}{40} = \frac{(1+\eta\gamma)^\Gamma\sqrt{\eta r}}{40\sqrt2}",
        "by (30) there is r, not its root, and 1/sqrt(gamma)", "(1 + eta gamma)^Gamma sqrt(eta) r / (40 sqrt(2 gamma))",
        r"\frac{\mathfrak{b}(\Gamma)\eta r}{40} = \frac{(1+\eta\gamma)^\Gamma\sqrt\eta\,r}{40\sqrt{2\gamma}}", ("lemma1-10",)),
    Line("53", "lemma1", "(52), (53), proof of Lemma 1", "The second entry of (6) makes b(Gamma) eta r / 40 more than R",
        r"\mu \ge \log\Big(\tfrac{160\sqrt2C^{1/4}}{s\sqrt{\eta r}}\sqrt{\tfrac\psi\rho}\Big) \Rightarrow "
        r"\tfrac{\mathfrak{b}(\Gamma)\eta r}{40} > \mathcal{R}",
        "the entry depends on the unit of length, what is needed does not: a large rho with a small r breaks it",
        "2^mu must be at least 40 sqrt(2) R (rho alpha)^(1/4) / (sqrt(eta) r)",
        r"2^\mu \ge \frac{40\sqrt2\,\mathcal{R}(\rho\alpha)^{1/4}}{\sqrt\eta\,r}",
        ("lemma1-11", "lemma1-13", "lemma1-14", "repaired_block-17", "repaired_block-18", "repaired_block-19")),
    Line("2a", "lemma1", "text after (53)", "1 + a > 2^a for every a in (0, 1]", r"1 + a > 2^a,\ a \in (0, 1]",
        "the two are equal at a = 1", "1 + a >= 2^a", r"1 + a \ge 2^a,\ a \in [0, 1]", ("lemma1-12",), proved=False),
    Line("lemma2", "lemma2", "Lemma 2 with the natural logarithm", "Q = (26/5) log(1/omega_0) rounds fail together with "
        "probability at most omega_0", r"(7/8)^{\frac{26}5\ln\frac1{\omega_0}} \le \omega_0",
        "with the natural logarithm they fail with probability omega_0^0.694", "The logarithm to base 2, or 7.49 ln(1/omega_0)",
        r"(7/8)^{\frac{26}5\log_2\frac1{\omega_0}} \le \omega_0, \quad (7/8)^{7.49\ln\frac1{\omega_0}} \le \omega_0",
        ("lemma2-3", "lemma2-4"), stated="reading"),
    Line("71", "lemma4", "(71), proof of Lemma 4", "R^2 / (4 eta Gamma) = s / (4 iota^3) sqrt(alpha^3 / rho)",
        r"\frac{\mathcal{R}^2}{4\eta\Gamma} = \frac{s}{4\iota^3}\sqrt{\frac{\alpha^3}\rho}", "there is one iota more below",
        "s / (4 iota^4) sqrt(alpha^3 / rho)", r"\frac{\mathcal{R}^2}{4\eta\Gamma} = \frac{s}{4\iota^4}\sqrt{\frac{\alpha^3}\rho}",
        ("lemma4-8",)),
    Line("lemma4", "lemma4", "Lemma 4", "A round that moves by R lowers F by Phi", r"F(x_{t_0+\tau}) - F(x_{t_0}) \le -\Phi",
        "on a slope of 1.2 R/(eta Gamma), far below alpha, every round succeeds and F falls by (9.6/iota) Phi",
        "With Phi' = s/(8 iota^4) sqrt(alpha^3/rho) and chi >= sqrt(c) s^(3/2) mu^(5/2) psi it does",
        r"F(x_{t_0+\tau}) - F(x_{t_0}) \le -\frac{s}{8\iota^4}\sqrt{\frac{\alpha^3}\rho}",
        ("lemma4-10", "repaired_block-4", "repaired_block-23", "repaired_block-24")),
    Line("72", "lemma4", "(72), proof of Lemma 4", "-s / (8 iota^3) sqrt(alpha^3 / rho) = Phi",
        r"-\frac{s}{8\iota^3}\sqrt{\frac{\alpha^3}\rho} = \Phi", "a sign is missing", "It is -Phi",
        r"-\frac{s}{8\iota^3}\sqrt{\frac{\alpha^3}\rho} = -\Phi", ("parameter_block-8",)),
    Line("75", "lemma6", "(75), proof of Lemma 6", "A normal step lowers F by at least 2 eta chi^2",
        r"F(x_{t-1}) - F(x_t) \ge 2\eta\chi^2", "the error of Lemma 3 is left out", "By at least (3/2) eta chi^2",
        r"F(x_{t-1}) - F(x_t) \ge \tfrac32\eta\chi^2", ("lemma6-2", "lemma6-5")),
    Line("77", "lemma6", "(77), proof of Lemma 6", "U / Phi = 8 iota^3 (U / s) sqrt(rho / chi^3)",
        r"\frac U\Phi = \frac{8\iota^3U}s\sqrt{\frac\rho{\chi^3}}", "alpha^3 became chi^3: 8 times too large, harmless",
        "iota^3 (U / s) sqrt(rho / chi^3)", r"\frac U\Phi = \frac{\iota^3U}s\sqrt{\frac\rho{\chi^3}}", ("lemma6-8", "lemma6-9")),
    Line("79", "lemma6", "(79), proof of Lemma 6", "The number of steps is at most Q T_eff", r"T \le Q\,T_{\mathrm{eff}}",
        "the last phase, which fails, is not counted", "At most Q (T_eff + Gamma)", r"T \le Q(T_{\mathrm{eff}} + \Gamma)",
        ("steps_with_the_last_phase", "lemma6-11")),
    Line("union", "theorem1", "proof of Theorem 1", "All probabilities of failure add up to omega",
        r"\tfrac\omega2 + \tfrac\omega2 + \tfrac{U}{\Phi}2e^{-\iota} \le \omega", "2 exp(-iota) of Lemma 4 at every escape is not counted",
        "With a further entry log(4 Gamma U/(Phi omega))/s of mu they add up to 3 omega/2",
        r"\tfrac\omega2 + \tfrac\omega2 + \Gamma\tfrac{U}{\Phi}2e^{-\iota} \le \tfrac32\omega \text{ for } "
        r"\mu \ge \tfrac1s\log\tfrac{4\Gamma U}{\Phi\omega}",
        ("repaired_block-26", "repaired_block-27", "repaired_block-28")),
    Line("return", "theorem1", "Algorithm 1, step 20, with Theorem 1", "The point x_{t-1} that is returned has a gradient of at most alpha",
        r"\|\nabla F(x_{t-1})\| \le \alpha", "it is the last iterate of a failed round, up to R away from the saddle candidate",
        "The start of the failed rounds has, and the text of Section 5.2 says so; x_{t-1} has at most alpha + M R",
        r"\|\nabla F(\tilde x)\| \le \alpha", ("lemma6-1", "lemma6-15")),
    Line("definition7", "definition7", "(11), Definition 7", "P(||v - E v|| >= t) <= 2 exp(-t^2/(2 zeta^2)) for all real t",
        r"\mathbb{P}(\|v - \mathbb{E}v\| \ge t) \le 2e^{-t^2/(2\zeta^2)}\ \forall t \in \mathbb{R}",
        "for t below 0 the left side is 1, and the right side less for t below -zeta sqrt(2 log(2))",
        "For all t >= 0; an error of norm at most G then has the constant G / sqrt(2 log 2)",
        r"\mathbb{P}(\|v - \mathbb{E}v\| \ge t) \le 2e^{-t^2/(2\zeta^2)}\ \forall t \ge 0", ("corollary3-1",)),
    Line("definition8", "definition8", "Definition 8", "sigma_G = Delta sqrt(2 log(1.25/delta)) / epsilon is (epsilon, delta)-private for "
        "epsilon above 1 too", r"\sigma_G = \tfrac{\Delta_2}\varepsilon\sqrt{2\log\tfrac{1.25}\delta}",
        "the exact delta at epsilon = 8, delta = 0.001 is 1.31 times as large", "For epsilon < 1",
        r"\sigma_G = \tfrac{\Delta_2}\varepsilon\sqrt{2\log\tfrac{1.25}\delta},\ \varepsilon < 1",
        repaired_by="gauss_psgd.definition8.repaired", stated="question"),
    Line("definition8_far", "definition8", "Definition 8",
        "sigma_G = Delta sqrt(2 log(1.25/delta)) / epsilon is private at a large epsilon if delta is small", r"\sigma_G = "
        r"\tfrac{\Delta_2}\varepsilon\sqrt{2\log\tfrac{1.25}\delta}", "the exact delta at epsilon = 16, delta = 1e-5 is 34 times as large",
        "For epsilon < 1", r"\sigma_G = \tfrac{\Delta_2}\varepsilon\sqrt{2\log\tfrac{1.25}\delta},\ \varepsilon < 1",
        repaired_by="gauss_psgd.definition8.repaired", stated="question"),
    Line("lemma14", "lemma14", "(16), Lemma 14", "P(||sum M_i|| >= t) <= d exp(-t^2/(2 (sigma^2 + B t/3)))",
        r"\mathbb{P}(\|\textstyle\sum\mathbf{M}_i\| \ge t) \le d\,e^{-t^2/(2(\sigma^2 + Bt/3))}",
        "d is the factor of the largest eigenvalue; the norm has two sides", "2 d in front",
        r"\mathbb{P}(\|\textstyle\sum\mathbf{M}_i\| \ge t) \le 2d\,e^{-t^2/(2(\sigma^2 + Bt/3))}",
        repaired_by="gauss_psgd.lemma14.signs"),
    Line("corollary3", "corollary3", "proof of Corollary 3", "log(2 d/omega) / log(2/omega) <= 2 log(d) for every omega in (0, 1)",
        r"\log\tfrac{2d}\omega / \log\tfrac2\omega \le 2\log d", "it tends to log(2 d)/log(2) as omega tends to 1: false up to d = 6",
        "At most 2 log(2) log(2 d) with natural logarithms is what the proof needs: log(2 d) in place of log(d)",
        r"\sqrt{\log(2d)\textstyle\sum\zeta_i^2}", ("corollary3-4", "corollary3-5"), stated="reading"),
    Line("corollary3_d1", "corollary3", "Corollary 3 at d = 1", "In one dimension the sum has the constant C sqrt(log(1) sum zeta_i^2) = 0",
        r"\textstyle\sum v_i \sim \mathrm{nSG}\big(C\sqrt{\log(d)\sum\zeta_i^2}\big)", "a sum of signs is not constant",
        "C sqrt(log(2 d) sum zeta_i^2)", r"\textstyle\sum v_i \sim \mathrm{nSG}\big(C\sqrt{\log(2d)\sum\zeta_i^2}\big)",
        repaired_by="gauss_psgd.corollary3.chain", stated="reading"),
    Line("lemma7_d1", "lemma7", "Lemma 7 at d = 1", "In one dimension the sampling error is 0",
        r"\sigma^2 \le C\big(\tfrac{G^2}{b_1} + \tfrac{M^2}{b_2}\kappa\big)\log^2d", "log(1) = 0", "log(2 d) in place of log(d)",
        r"\sigma^2 \le C\big(\tfrac{G^2}{b_1} + \tfrac{M^2}{b_2}\kappa\big)\log^2(2d)", ("lemma7-5",), stated="reading"),
    Line("98", "theorem2", "(98), proof of Theorem 2", "b_2 T is within the n samples, each of which may be used once",
        r"b_2T = O(n),\ \text{used as } b_2T \le n", "it is (13/10) s^2 mu^4 log(...) n", "b_1 = n/(2 |T|), b_2 = n/(2 T) is within n",
        r"\tfrac{n}{2|\mathcal{T}|}|\mathcal{T}| + \tfrac{n}{2T}T = n", ("theorem2-2", "budget"), stated="reading"),
    Line("105", "theorem2", "(105), proof of Theorem 2", "With kappa of (104) every part of (103) is at most (105), constants hidden",
        r"\max(103) = \tilde O(105) \text{ at } \kappa = \max(104)", "at B = A the fourth part is larger by n^(1/42), beyond any constant",
        "The proof gives a third term, (sqrt(d)/(n^(3/2) epsilon))^(4/17), with the best kappa",
        THIRD_TERM,
        repaired_by="gauss_psgd.theorem2.provable_rate"),
    Line("105_any_kappa", "theorem2", "(103), (105)", "Some kappa makes every part of (103) at most (105)",
        r"\min_\kappa\max(103) = \tilde O(105)", "at B = A the best kappa still loses n^(1/51)",
        "The proof gives a third term, (sqrt(d)/(n^(3/2) epsilon))^(4/17)",
        THIRD_TERM,
        repaired_by="gauss_psgd.theorem2.provable_rate", stated="question"),
    Line("121", "theorem3", "(121), proof of Theorem 3", "With the printed kappa every part is at most (121), with m clients",
        r"\max(\cdot) = \tilde O(121)", "the same as for Theorem 2 with A = (m n)^(-1/3), B = (sqrt(d)/(sqrt(m) n epsilon))^(2/5)",
        "A third term, (sqrt(d)/(m n^(3/2) epsilon))^(4/17)", r"+ \big(\tfrac{\sqrt d}{m\,n^{3/2}\varepsilon}\big)^{4/17}",
        repaired_by="gauss_psgd.theorem3.provable_rate"),
    Line("contribution_3", "theorem3", "Introduction, contribution 3", "The privacy term for m clients is (sqrt(d)/(epsilon m n))^(2/5)",
        r"\big(\tfrac{\sqrt d}{\varepsilon mn}\big)^{2/5}", "Theorem 3 has sqrt(m) n", "(sqrt(d)/(sqrt(m) n epsilon))^(2/5)",
        r"\big(\tfrac{\sqrt d}{\sqrt m\,n\varepsilon}\big)^{2/5}", repaired_by="gauss_psgd.theorem3.from_theorem2"),
    Line("contribution_2", "theorem2", "Introduction, contribution 2", "The 3/7 bound is suboptimal: larger than the new one",
        r"\big(\tfrac{\sqrt d}{\varepsilon n}\big)^{3/7} \ge \big(\tfrac{\sqrt d}{\varepsilon n}\big)^{2/5}",
        "the base is below 1, so 3/7 gives the smaller number: the paper's point is that it is wrong, not that it is large",
        "The 3/7 bound is at most the 2/5 bound", r"\big(\tfrac{\sqrt d}{\varepsilon n}\big)^{3/7} \le "
        r"\big(\tfrac{\sqrt d}{\varepsilon n}\big)^{2/5}", ("three_sevenths",), stated="reading"),
    Line("bernstein", "theorem4", "Algorithm 4, Hessian test",
        "Lemma 14 proves the allowance M sqrt(log(8 d/omega)/(m n)) for the sampling error",
        r"M\sqrt{\log(8d/\omega')/(mn)}", "the exponent of matrix Bernstein there is an eighth of the logarithm at most",
        "4 M sqrt(log(16 d/omega)/(m n)) does", r"4M\sqrt{\log(16d/\omega')/(mn)}", ("theorem4-2", "theorem4-3", "theorem4-4"),
        stated="reading"),
    Line("composition", "theorem4", "Theorem 4, privacy by Lemma 16 and Definition 8",
        "By Lemma 16 a constant c_1 makes 2 T releases private",
        r"c_1 = O(1)", "what Lemma 16 asks for grows like log(T)", "By zero-concentrated privacy a constant is enough",
        r"2T\frac{\Delta^2}{2\sigma^2} = \frac{4\varepsilon^2}{c_1\log(1/\delta)}", ("theorem4-7",), stated="reading"),
    Line("143", "theorem4", "(143), Theorem 4", "The cross term of sqrt(alpha) and 1/sqrt(m n) is alpha / sqrt(m n)",
        r"2\sqrt\alpha\cdot\tfrac1{\sqrt{mn}} = \tfrac{2\alpha}{\sqrt{mn}}", "a root is missing; harmless, alpha + 1/(m n) dominates it",
        "sqrt(alpha) / sqrt(m n)", r"2\sqrt\alpha\cdot\tfrac1{\sqrt{mn}} = 2\sqrt{\tfrac\alpha{mn}}", ("theorem4-10", "theorem4-11")),
)  # fmt: skip
