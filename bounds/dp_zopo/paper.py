"""The paper's letters.

Source    Liu, Lou, Bao, Hu, Li, Qin, Ren, "Differentially Private Zeroth-Order Methods for Scalable Large Language Model Fine-tuning",
          Sections III and IV, Appendices B and C.

On the pages a name is the paper's letter: eta the step size of a stage, beta its smoothing radius, lambda_ the weight of the regulariser,
alpha an accuracy, m the size of a batch, P the number of directions, S of stages, mu, rho, gamma the constants of growth, of weak
convexity, and of the spread of the samples. sigma is the paper's noise multiplier: the noise on the clipped sum of a direction has the
standard deviation sigma C, so that on the mean it is sigma C / m, which is the sigma of runs and plans.
"""

from bounds.pages import Pages

LETTERS = (
    "eta stage_step, T_s stage_T, beta stage_lam, lambda_ anchor, alpha target, alpha_s stage_target, alpha_0 target_0, m minibatch, "
    "P directions, S stages, mu growth_mu, rho weak, gamma sample_spread, r tuned, sigma noise_ratio, c_1 c_range, c_2 c_noise"
)
PAGES = Pages("dp_zopo", dict(pair.split() for pair in LETTERS.split(", ")))
letters, keyed, stated = PAGES.letters, PAGES.keyed, PAGES.stated
