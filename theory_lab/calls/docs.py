"""Texts that continue the docstrings of `theory_lab.api`: parameters, results, errors, notes and examples."""

GRID = """
Parameters
----------
method
    Name of a method on sums of losses, such as "dpzero" or "mezo", or the record of a method of your own. Not one with stages.
objective
    Training set, a sum of losses such as ``lab.quadratic("inverse", d=20, n=100, seed=0)``.
alphas
    Step sizes, above 0.
horizons
    Numbers of steps T.
clips
    Clipping thresholds C, above 0. Left out for a method that is not private.
epsilon, delta
    Privacy of each run by itself; epsilon > 0 and 0 < delta < 1.
sigma
    Standard deviation of the noise, in place of epsilon and delta: one number, or an array (horizons, clips).
lam
    Smoothing radius, above 0. In the exact engine it has no effect: on a quadratic the two-point difference is the same for every radius,
    up to rounding.
test
    Test set, an objective on vectors of the same length. Without it there are no test measures.
accountant
    "lemma": the noise of Lemma 2.2 of DPZero as printed. "exact": the least Gaussian noise. By default "lemma", and with batch_size the
    accountant of random batches.
seed
    Seed of the draws, an integer of at least 0. All settings share them.
direction
    Distribution of the directions of a zeroth-order method: "sphere" or "gaussian".
precision
    "double", or "single": the exact engine multiplies data in float32.
prune
    Whether the exact engine drops settings that provably have none of the four smallest measures. It has an effect on dp_gd only.
engine
    "exact": for dpzero, dpgd_0th and dp_gd on a quadratic, much faster. "general": one run of `simulate` for each setting. By default the
    exact engine where it can run.
threads
    Threads; the result does not depend on them. By default all cores.
store
    File in which the general engine keeps finished runs. A grid that is run again computes only those that are missing. Runs of other
    code, data or settings are other runs.
progress
    Function that is called as ``progress(done, total)`` with numbers of steps.
**settings
    Further settings of the method, the same for all runs, such as ``batch_size``.

Returns
-------
Grid
    ``sigma`` (horizons, clips), and ``grad_norm_train``, ``grad_norm_test``, ``loss_train``, ``loss_test`` at x_T, each (alphas, horizons,
    clips), NaN where there is no value, inf where a run diverged. ``best(measure)`` returns the indices of the smallest value. ``settings``
    names the engine, the accountant and the privacy, with a remark where delta is not well below 1/n.

Raises
------
ValueError
    For a value that is not allowed, with its name, and for a method or an objective that a grid cannot run, before any run.
TypeError
    For a setting that the method does not have.

Notes
-----
The noise is that for T releases of sensitivity 2 C / n: neighbouring data sets differ in one replaced record. A method whose setting P is a
number of directions has T P releases. Where a method of your own publishes more, give sigma. Lemma 2.2 is not private for
every epsilon, see `bounds.privacy.lemma_2_2_is_private`. The privacy of the choice of the best setting is not counted. A run equals that
of `simulate` with the same seed, in the exact engine up to rounding.

Examples
--------
>>> train = lab.quadratic("inverse", d=20, n=100, seed=0)
>>> grid = lab.grid("dpzero", train, alphas=[0.01, 0.1], horizons=[10, 40], clips=[1.0, 3.0], epsilon=2.0, delta=1e-6)
>>> grid.sigma.round(2)
array([[0.34, 1.02],
       [0.68, 2.04]])
>>> grid.best("grad_norm_train")  # alpha = 0.1, T = 40, C = 1
(1, 1, 0)
>>> lab.grid("mezo", lab.cosine("inverse", d=20, n=100, seed=0), alphas=[0.01, 0.1], horizons=[10, 40]).settings["engine"]
'general'
"""

SIMULATE = """
Parameters
----------
method
    Name of a method, such as "dpzero"; ``theory-lab list methods`` prints all. Or the record of a method of your own, a
    `theory_lab.methods.record.Method`.
objective
    An objective, such as ``lab.quadratic("inverse", d=20, n=100, seed=0)``. gauss_psgd and frozen_psgd need one with a saddle, such as
    ``lab.random_phase_cosines(5)``. Some methods of your own take none.
plan
    Parameters from a recommendation, such as ``lab.recommend("dpzero", ...).sharp``. For gauss_psgd that is ``.scaled``, with ``oracle``
    and ``n``; for frozen_psgd the same with ``n``. Settings that are given as well replace those of the plan.
**settings
    Settings of the method: ``theory-lab simulate METHOD --help`` prints them. Every method of the papers takes ``replicates`` (1),
    ``seed`` (0) and ``threads`` (all cores). Methods on sums take ``alpha`` (step size), ``T`` (steps), ``batch_size`` (all records),
    ``sampling`` of these batches ("without_replacement" or "poisson") and ``progress``. If private they need ``C`` (clipping threshold)
    and ``sigma`` (standard deviation of the noise on the mean over the batch, per coordinate). Zeroth-order methods take ``lam``
    (smoothing radius) and ``direction`` ("sphere" or "gaussian"). ``alpha``, ``C``, ``sigma`` and ``lam`` may be arrays (T,), one number
    for each step, where the method has no stages.

Returns
-------
Run
    ``loss`` and ``grad_norm_sq``, each (replicates, T+1), the last iterate ``x`` (replicates, d), ``remarks`` and more. gauss_psgd and
    frozen_psgd return a ``PsgdRun``; a method of your own returns what its record says.

Raises
------
ValueError
    For a value that is not allowed, with its name, and for an objective that does not fit the method.
TypeError
    For a setting that is missing, or that the method does not have.

Notes
-----
Without a plan no privacy is promised: sigma is what you give. With a plan, ``remarks`` has its caveats, such as what may be published, and
reports where it does not vouch for the privacy or the bound of this run. The same seed gives the same result, whatever ``threads`` is.
Methods on sums are run by `synthetic.runs.simulate`, the two others by `synthetic.runs.psgd`.

Examples
--------
>>> train = lab.quadratic("inverse", d=20, n=100, seed=0)
>>> run = lab.simulate("dpzero", train, alpha=0.03, T=40, C=3.0, sigma=1e-3, replicates=4, seed=0)
>>> run.grad_norm_sq.shape
(4, 41)
>>> run.grad_norm_sq.mean(axis=0)[[0, 40]].round(2)  # at the start and at x_T
array([1.53, 0.42])
"""

RECOMMEND = """
Parameters
----------
method
    "dpzero", "dpgd_0th", "dp_gd", "gauss_psgd", "dp_grape", "dp_grape_blocks", "dp_zoo", "dp_zoso" or "dp_zopo". Or the record of a method
    of your own that has plans.
objective
    An objective, whose constants are used: n, d, r, L, ell, gap and B for dpzero; d, m, L, ell, rho and U for gauss_psgd; similar for the
    others. Or the result of `estimate`; then the plan reports that its constants are estimated. None: all constants are given by name.
**problem
    Privacy ``epsilon`` and ``delta``, and constants of the problem: ``theory-lab recommend METHOD --help`` prints them. A constant that is
    given replaces that of the objective. ``epsilon`` may be a rising sequence, such as [0.5, 1, 2].

Returns
-------
Plan
    Variants of the parameters, such as ``printed`` (the paper's) and ``sharp`` (the lab's best), and ``caveats``. A variant is a ``plan``
    for `simulate`. Several epsilon give a `bounds.plans.side_by_side.Several`, a sequence of plans with ``rows()``, ``records()``,
    ``json()`` and ``latex()``.

Raises
------
ValueError
    For a value that is not allowed, with its name, and for an objective that does not fit the method.
TypeError
    For a constant that is missing, or that the method does not have.

Notes
-----
What a variant certifies holds for an objective none of whose constants is worse, with constants that are public. Read the caveats: they
report what is not promised. The methods of a paper are planned in `bounds.dpzero.recommend`, `bounds.gauss_psgd.recommend`,
`bounds.dp_grape.recommend` and `bounds.dp_zopo.recommend`.

Examples
--------
>>> plan = lab.recommend("dpzero", n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0)
>>> plan.sharp.T, round(plan.sharp.certified, 4)  # a bound of E |grad F_S(x_tau)|^2
(4672, 0.0083)
>>> objective = lab.cosine("inverse", d=20, n=10_000, seed=0)
>>> several = lab.recommend("dpzero", objective, epsilon=[1.0, 2.0], delta=1e-6)
>>> [round(plan.sharp.certified, 4) for plan in several]
[0.012, 0.0065]
"""
