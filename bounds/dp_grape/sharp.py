"""The sharp theorem: what clipping does in the mean, instead of a union over samples; no bound on the loss, no factor of layers.

Setting   f(.; xi) Gamma-Lipschitz, F lambda-smooth with a smallest value, gap = F(w_0) - F^*; F may be unbounded.
Method    Algorithm 1 (layers projected from the left) or 6 (flattened blocks), with F = 1 and the SGD update: see `FRESH`; any alpha, T,
          C, sigma and r; batches full, without replacement, or Poisson. Layers that are not projected may be among the others.
Measure   E ||grad F(w_tau)||^2, tau uniform on 0..T-1.
Lemma     c_j = min(1, C/||R_j||), psi_u(y) = max(0, (y/C^2 - 3 u^2 + 2 u^3)/(2 u^3)), Y_k = (Gamma^2/r) chi^2_k, for every u >= 1:
          (i)    E c_j PP'G_j has the singular vectors of G_j, and singular values (1 - beta_k) s_k with 0 <= beta_k <= E psi_u(Y_{r+2})
          (ii)   E ||P (1 - c_j) R_j||^2 <= kappa Gamma^2 E psi_u(Y_{r+4})^2
Theorem   with beta and omega^2 at least these two means, each for some u, E ||grad F(w_tau)||^2 <= y^2, y the positive root of
          (1 - a) y^2 - b y = R,   a = beta/2 + alpha lambda kappa/2,   b = Gamma (beta/2 + alpha lambda kappa omega),
          R = gap/(alpha T) + (alpha lambda/2) (d sigma^2 + kappa Gamma^2 (omega^2 + 1{B<n}/B)).
Source    ours. As alpha -> 0 with alpha T fixed, kappa leaves the bound: y^2 (1 - beta/2) - (beta/2) Gamma y = gap/t + t lambda d s^2/2
          with s = sigma/sqrt(T), at best C sqrt(8 lambda gap d)/(n mu) for replaced records. The number of samples enters through sigma
          alone, that of layers not at all, r through C, kappa through the number of steps.

Why (i): in the basis of the singular vectors of all layers P stays Gaussian, and ||R_j||^2 = sum of s_k^2 ||p_k||^2 does not change with
the signs of the rows p_k, so E c_j p_k'p_l = 0 for k != l; and beta_k = E (1 - c_j) ||p_k||^2 is the mean of 1 - c_j where ||p_k||^2 has
two degrees of freedom more. 1 - C/sqrt(y) lies below psi_u, which is convex and rises, so the mean is largest where all of G_j is one
direction. psi_u is needed: 1 - C/sqrt(y) itself is concave beyond C^2, and one direction need not be the worst for it.
Scaled orthonormal P (sqrt(m/r) Q, Q'Q = I): the same with kappa = m/r, because ||p_k||^2 is then E[chi^2_r/r | Q], so that convex functions
of it have smaller means, and the rows have exchangeable lengths, so that one direction is the worst again.
"""

import sympy as sp

from bounds.derivation import Derivation
from bounds.dp_grape.corrected import FRESH, LIPSCHITZ_AND_SMOOTH, MEASURE, NOT_COVERED, OF_SAMPLING, SAMPLED, STRETCH
from bounds.dp_grape.paper import PAGES
from bounds.dp_grape.sharp_numbers import coefficients, larger_root
from bounds.lines import Inverse, line
from bounds.meanings import ENDS, introduce_average
from bounds.symbols import F_first, F_last, F_next, F_now, L, T, alpha, d, ell, gap, grad_sq, introduce, mean_grad_sq, sigma, symbols
from bounds.theorem import SCOPE, Condition, Part

block, subspace, stretch, sampling, noise_back = symbols("block subspace stretch sampling noise_back")
beta, omega, share, s, u, sample_size = symbols("clip_loss clip_spread clip_share over_clip tangent sample_size")
tangent_mean, tangent_sq, lost_sq, mean_sq, step_sq = symbols("tangent_mean tangent_sq lost_sq mean_sq step_sq")
rank, tilt, along, G, mean_G = symbols("rank_G step_tilt step_along_F grad_length mean_grad_length")
a, b, R, D = symbols("coef_a coef_b coef_R coef_D")
weight = introduce("direction_share", r"s_k^2/\Gamma^2", "square of a singular value over L^2", 0, 1, "probability")
smaller_mean = introduce("tangent_mean_r", r"\mathbb{E}\psi_u(Y_r)", "mean of a tangent with r degrees of freedom", 0, 1e6, "proof")
introduce_average(G, mean_G)

LEMMA = PAGES.keyed(
    *("sharp_clip", "what clipping after a Gaussian projection takes in the mean", "ours"),
    measure="beta_k, the share that clipping takes from a singular direction of a sample's gradient",
    assumptions=("P has independent entries N(0, 1/r), of its own for each layer", "the gradient of a sample is at most L long", "u >= 1"),
    definitions=STRETCH,
    bound=tangent_mean,
    parts=(
        Part("i", "the same", "<=", tangent_mean, share),
        Part("ii", "E ||P (1 - c_j) R_j||^2", "<=", stretch * L**2 * tangent_sq, lost_sq),
    ),
    notes=("E psi_u and E psi_u^2 are those of Y_{r+2} and Y_{r+4}; bounds.dp_grape.sharp_numbers has both, least over u",),
    measured=share,
)
at_a, at_b, at_R = coefficients(
    alpha=alpha, T=T, d=d, L=L, ell=ell, gap=gap, sigma=sigma, stretch=stretch, sampling=sampling, beta=beta, omega=omega
)
BOUND = larger_root(at_a, at_b, at_R, sp.sqrt) ** 2
CONTRACTS = at_a < 1
THEOREM = PAGES.keyed(
    *("sharp_clip_bias", "DP-GRAPE with clipping counted in the mean", "ours; in place of Theorem D.10"),
    measure=MEASURE,
    assumptions=(
        *LIPSCHITZ_AND_SMOOTH,
        FRESH,
        "clip_loss and clip_spread^2 are at least E psi_u(Y_{r+2}) and E psi_u(Y_{r+4})^2, each for some u >= 1 (dp_grape.sharp_clip)",
    ),
    definitions={**STRETCH, **SAMPLED},
    bound=BOUND,
    any_schedule=BOUND,
    valid_if=(CONTRACTS,),
    step_size=CONTRACTS,
    conditions=(
        Condition(CONTRACTS, "alpha is too large or C too small: 1 - a must be positive, a = {value}, or the bound means nothing"),
        Condition(BOUND < L**2, "the bound {value} is not below L^2 = {limit}, which every point satisfies", SCOPE),
    ),
    notes=("k is the number of rows of the largest layer, or of entries where blocks are flattened", NOT_COVERED),
    method="dp_grape",
    measured=mean_grad_sq,
    in_letters=(sp.Le(tangent_mean, beta), sp.Le(tangent_sq, omega**2), sp.Le(sample_size, L)),
)


def clip_proof() -> Derivation:
    """Write the proof of the lemma out."""
    facts = (
        line("weights", share, "<=", weight * tangent_mean + (1 - weight) * smaller_mean)
        .says(
            "beta_k is at most the mean of psi_u at the sum of s_k^2 ||p_k||^2, r + 2 degrees of freedom for p_k and r for the others; "
            "the s_l^2 add up to L^2 at most, and psi_u is convex"
        )
        .reasoned("symmetry of P, the density of ||p_k||^2 times ||p_k||^2, the tangent, and Jensen's inequality", using=("tangent",)),
        line("fewer", smaller_mean, "<=", tangent_mean)
        .says("psi_u rises, and chi^2 grows with its degrees of freedom")
        .reasoned("stochastic order"),
        line("parts", lost_sq, "<=", L**2 * tangent_sq * ((subspace + 2) / subspace + (rank - 1) / subspace + (block - rank) / subspace))
        .says(
            "||PR||^2 is the sum over k of s_k^2 times ||p_k||^4, ||p_k||^2 ||p_l||^2/r for other directions and ||p_k||^2/r for each row "
            "beyond the rank: the means of (1 - c)^2 with these are (r + 2)/r, 1/r and 1/r times one where p_k has 4, or p_k and p_l 2, or "
            "p_k 2 degrees of freedom more, and (1 - c)^2 <= psi_u^2, which is convex and rises"
        )
        .reasoned("directions of the p_l are uniform and independent of their lengths; then as for beta_k", using=("tangent",)),
    )
    steps = (
        line("tangent", 1 - 1 / s, "<=", (s**2 - 3 * u**2 + 2 * u**3) / (2 * u**3))
        .says("1 - C/||R_j|| is at most its tangent at u, in s = ||R_j||/C", "times 2 u^3 s it is (s - u)^2 (s + 2 u)")
        .by((s - u) ** 2 * (s + 2 * u) / (2 * u**3 * s)),
        line("spread", lost_sq, "<=", stretch * L**2 * tangent_sq)
        .says("(ii): the mean square of what clipping takes", "r + 2, rank - 1 and k - rank add up to k + r + 1")
        .by("parts", modulo=((L**2 * tangent_sq, "stretch"),)),
        line("bound", share, "<=", tangent_mean)
        .says("(i): the share of a direction is at most the mean of a tangent where all of the gradient is that direction")
        .because("an average of the two means is at most the larger")
        .by("weights", ("direction_share <= 1", "fewer")),
    )
    return PAGES.proved("sharp_clip", LEMMA.title, "ours", facts=facts, steps=steps, proves=LEMMA, shows={"i": "bound", "ii": "spread"})


def proof() -> Derivation:
    """Write the proof of the theorem out."""
    y, contracts, quarter = sp.sqrt(mean_grad_sq), Inverse("contracts"), sp.Rational(1, 4)
    added = alpha * ell / 2 * (d * sigma**2 + stretch * L**2 * (omega**2 + sampling))
    size, worst = L * beta / 2, L * omega * sp.sqrt(stretch)
    half = alpha * ell / 2
    exists = "a number above 0 has a root above 0"
    facts = (
        line("share", share, "<=", tangent_mean).says("dp_grape.sharp_clip (i)").shown("dp_grape.sharp_clip", "bound"),
        line("loss", tangent_mean, "<=", beta).says("beta is at least that mean").assumed(),
        line("lost", lost_sq, "<=", stretch * L**2 * tangent_sq).says("dp_grape.sharp_clip (ii)").shown("dp_grape.sharp_clip", "spread"),
        line("spread", tangent_sq, "<=", omega**2).says("omega^2 is at least that mean").assumed(),
        line("short", sample_size, "<=", L).says("f(.; xi) is L-Lipschitz, so the gradient of a sample is at most L long").assumed(),
        line("worst_sample", tilt**2, "<=", ((share - beta / 2) * sample_size) ** 2)
        .says("the mean step less (1 - beta/2) grad F is the mean of gradients with singular values (beta/2 - beta_k) s_k")
        .reasoned("linearity; a mean is no longer than the longest, and singular vectors are orthogonal"),
        line("along", along, ">=", (1 - beta / 2) * grad_sq - tilt * G).says("<grad F, mean step>").reasoned("Cauchy and Schwarz"),
        line("norm", grad_sq, "=", G**2).says("the squared norm of the gradient").reasoned("it is a norm"),
        line("minkowski", mean_sq, "<=", (sp.sqrt(stretch) * G + sp.sqrt(lost_sq)) ** 2)
        .says("the mean over all samples of P c_j R_j is PP'grad F, of mean square kappa G^2 at most, less the mean of P (1 - c_j) R_j")
        .reasoned("moments of P for each layer, Minkowski's inequality, Jensen's over the samples"),
        line("batch", step_sq, "<=", mean_sq + sampling * stretch * L**2)
        .says("a batch adds its variance, at most 1{B<n}/B times the mean of ||P R_j||^2, as c_j <= 1")
        .reasoned("Lemma D.7 for batches without replacement; (1 - B/n)/B times the mean square for Poisson ones"),
        line("taylor", F_next, "<=", F_now - alpha * along + alpha**2 * ell / 2 * (step_sq + noise_back))
        .says("F is ell-smooth; z_t has mean 0 and is independent of w_t, P and the batch, and a batch's step has the mean of all samples'")
        .reasoned("the descent lemma, in the mean; F(w_t) has one, as F is Lipschitz and steps have finite moments"),
        line("noise_moment", noise_back, "=", d * sigma**2)
        .says("the noise that is mapped back has sigma^2 for each of d parameters")
        .reasoned("E PP' = I, and z_t has independent entries"),
        *ENDS,
        line("jensen", mean_G, "<=", y).says("the mean of ||grad F|| is at most y").reasoned("Jensen's inequality over t and over the run"),
        line("contraction", at_a, "<", 1).says("a < 1").assumed(),
        line("coef_a", a, "=", at_a).says("a").defined(),
        line("coef_b", b, "=", at_b).says("b").defined(),
        line("coef_R", R, "=", at_R).says("R").defined(),
        line("root", D, "=", sp.sqrt(b**2 + 4 * (1 - a) * R)).says("D is the root of the discriminant").reasoned(exists, ("discriminant",)),
        line("root_squared", D**2, "=", b**2 + 4 * (1 - a) * R).says("so its square is that").reasoned(exists, ("discriminant",)),
    )
    steps = (
        line("share_below", share, "<=", beta).says("the share of a singular direction is at most beta", "(i)").by("share", "loss"),
        line("centred", ((share - beta / 2) * sample_size) ** 2, "<=", size**2)
        .says("a sample that shrinks by its share beta_k instead of beta/2 tilts the step by at most L beta/2", "0 <= beta_k <= beta")
        .by((sample_size**2, share, "share_below"), (beta**2 / 4 * (L + sample_size), "short")),
        line("tilt", tilt, "<=", size)
        .says("so the mean step is at most L beta/2 from the shortened gradient", "its square is at most the square of this")
        .by((1 / (size + tilt), "worst_sample"), (1 / (size + tilt), "centred")),
        line("lost_value", lost_sq, "<=", worst**2)
        .says("the mean square of what clipping takes, in omega", "(ii)")
        .by("lost", (stretch * L**2, "spread")),
        line("root_of_lost", sp.sqrt(lost_sq), "<=", worst)
        .says("the root of the mean square of what clipping takes", "its square is at most the square of this")
        .by((1 / (worst + sp.sqrt(lost_sq)), "lost_value")),
        line("length", mean_sq, "<=", stretch * (G + L * omega) ** 2)
        .says("the mean squared length of the mean over all samples", "Minkowski's inequality")
        .by("minkowski", (2 * sp.sqrt(stretch) * G + worst + sp.sqrt(lost_sq), "root_of_lost")),
        line("per_step", (1 - a) * grad_sq - b * G, "<=", (F_now - F_next) / alpha + added)
        .says("the squared norm of the gradient and the norm, with the coefficients a and b of the quadratic", "all of the above")
        .by(
            *((1 / alpha, "taylor"), "along", (G, "tilt"), (half, "batch"), (half, "length")),
            modulo=((-half, "noise_moment"), (half * stretch, "norm"), (grad_sq, "coef_a"), (G, "coef_b")),
        ),
        line("averaged", (1 - a) * mean_grad_sq - b * mean_G, "<=", (F_first - F_last) / (alpha * T) + added)
        .says("averaged over t = 0, ..., T - 1, the losses telescope", "the line holds at every t")
        .averaging("per_step"),
        line("quadratic", (1 - a) * mean_grad_sq - b * y, "<=", R)
        .says("y, the root of the averaged squared norm, satisfies the quadratic", "F(w_T) >= F^*; Jensen's inequality")
        .by("averaged", (1 / (alpha * T), "last_above_least"), (b, "jensen"), modulo=((1, "coef_R"), (1 / (alpha * T), "gap"))),
        line("contracts", a, "<", 1).says("the coefficient a is below 1", "that is assumed").by("contraction", modulo=((-1, "coef_a"),)),
        line("discriminant", 0, "<", b**2 + 4 * (1 - a) * R)
        .says("the discriminant is positive, with a, b and R the coefficients of the quadratic", "R > 0, because there is noise")
        .by(b**2, (4, "contracts", R)),
        line("larger", b, "<", D)
        .says("its root D is above the coefficient b", "D^2 - b^2 = 4 (1 - a) R > 0")
        .by((4, "contracts", R, 1 / (D + b)), modulo=((1 / (D + b), "root_squared"),)),
        line("divisor", b, "<", D + 2 * (1 - a) * y)
        .says("the coefficient b is also below D and 2 (1 - a) y", "y >= 0")
        .by("larger", (2 * y, "contracts")),
        line("below_the_root", 2 * (1 - a) * y, "<=", b + D)
        .says("2 (1 - a) y is at most the coefficient b and the root D", "times D - b + 2 (1 - a) y it is 4 (1 - a) times the quadratic")
        .by((4, "contracts", "quadratic", Inverse("divisor")), modulo=(((Inverse("divisor"),), "root_squared"),)),
        line("in_D", mean_grad_sq, "<=", ((b + D) / (2 * (1 - a))) ** 2)
        .says("the averaged squared norm of the gradient is at most the square of the larger root", "the square of the line before")
        .by((quarter, contracts, contracts, b + D, "below_the_root"), (y / 2, contracts, "below_the_root")),
        line("bound", mean_grad_sq, "<=", BOUND)
        .says("the averaged squared norm of the gradient, in the letters of the theorem", "insert a, b, R and D")
        .by(
            "in_D",
            at=("coef_a", "coef_b", "coef_R"),
            modulo=(((-b / 2, contracts, contracts), "root"), ((-quarter, contracts, contracts), "root_squared")),
        ),
    )
    return PAGES.proved("sharp_clip_bias", THEOREM.title, "ours", facts=facts, steps=steps, proves=THEOREM, signs=OF_SAMPLING)
