"""Texts that continue the docstrings of `bounds.privacy`: parameters, results and examples."""

LOG_DELTA = """
It is finite long after delta itself underflows.

Parameters
----------
epsilon
    At least 0.
mu
    Sensitivity over sigma, times sqrt(T) for T releases; at least 0.

Returns
-------
float
    log delta(epsilon; mu), rounded up; -inf at mu = 0.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
delta(epsilon; mu) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu) (Balle, Wang 2018, Theorem 8).

Examples
--------
>>> round(lab.privacy.log_delta(epsilon=2.0, mu=0.4), 3)
-16.679
"""

MU_GAUSSIAN = """
Parameters
----------
epsilon, delta
    Required privacy: epsilon > 0 and 0 < delta < 1.

Returns
-------
float
    The mu, rounded down.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
Dong, Roth, Su (2022), Corollary 2.13.

Examples
--------
>>> round(lab.privacy.mu_gaussian(2.0, 1e-6), 4)
0.4483
"""

SIGMA_GAUSSIAN = """
Parameters
----------
epsilon, delta
    Required privacy: epsilon > 0 and 0 < delta < 1.
T
    Number of releases, at least 1.
sensitivity
    How far neighbouring data sets move the noiseless output of a release (Euclidean norm), above 0. For the mean of n records that are
    clipped to norm C it is 2 C / n where a record is replaced.

Returns
-------
float
    Standard deviation of the noise in every coordinate of every release, rounded up.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
Exact: sqrt(T) sensitivity / sigma is the mu of `mu_gaussian`. Releases may depend on earlier ones. Every record is in every release; for
random batches see `bounds.privacy.subsampled`.

Examples
--------
>>> sigma = lab.privacy.sigma_gaussian(epsilon=2.0, delta=1e-6, T=100, sensitivity=0.002)
>>> round(sigma, 4)
0.0446
>>> lab.privacy.epsilon_gaussian(delta=1e-6, sigma=sigma, T=100, sensitivity=0.002) <= 2.0
True
"""

DELTA_GAUSSIAN = """
Parameters
----------
epsilon
    At least 0.
sigma
    Standard deviation of the noise in every coordinate, above 0.
T, sensitivity
    Number of releases, and how far neighbouring data sets move each, as in `sigma_gaussian`.

Returns
-------
float
    delta, rounded up. It is 1 where sqrt(T) sensitivity / sigma is above 1e153.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
Below about 1e-307 `log_delta` is more precise.

Examples
--------
>>> f"{lab.privacy.delta_gaussian(epsilon=2.0, sigma=0.05, T=100, sensitivity=0.002):.3g}"
'5.71e-08'
"""

EPSILON_GAUSSIAN = """
Parameters
----------
delta
    Strictly between 0 and 1.
sigma
    Standard deviation of the noise in every coordinate, above 0.
T, sensitivity
    Number of releases, and how far neighbouring data sets move each, as in `sigma_gaussian`.

Returns
-------
float
    epsilon, rounded up; inf where no float is large enough.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
The result 0 means (0, delta)-DP: the two output distributions differ by at most delta in total variation. It does not mean that nothing
leaks. It is not pure epsilon-DP either, which no Gaussian release has.

Examples
--------
>>> round(lab.privacy.epsilon_gaussian(delta=1e-6, sigma=0.05, T=100, sensitivity=0.002), 3)
1.766
"""

SIGMA_LEMMA_2_2 = """
Parameters
----------
epsilon, delta
    Privacy that the lemma claims: epsilon > 0 and 0 < delta < 1.
T, sensitivity
    Number of releases, and how far neighbouring data sets move each, as in `sigma_gaussian`.

Returns
-------
float
    2 sensitivity sqrt(2 T log(e + epsilon / delta)) / epsilon, as printed.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
DPZero, Lemma 2.2, which claims (epsilon, delta)-DP for every epsilon > 0. That is false above `lemma_2_2_critical_epsilon`. This function
does not refuse such an epsilon: ask `lemma_2_2_is_private`.

Examples
--------
>>> round(lab.privacy.sigma_lemma_2_2(epsilon=2.0, delta=1e-6, T=100, sensitivity=0.002), 4)
0.1077
"""

LEMMA_2_2_IS_PRIVATE = """
Parameters
----------
epsilon, delta
    Privacy that the lemma claims: epsilon > 0 and 0 < delta < 1.

Returns
-------
bool
    Whether the claim is true, by the exact curve.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Examples
--------
>>> lab.privacy.lemma_2_2_is_private(2.0, 1e-6), lab.privacy.lemma_2_2_is_private(200.0, 1e-6)
(True, False)
"""

LEMMA_2_2_CRITICAL_EPSILON = """
Parameters
----------
delta
    Strictly between 0 and 1.

Returns
-------
float
    The epsilon, rounded down.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
Proved: the lemma holds for every delta where epsilon <= 8 log(e + epsilon / delta), hence for epsilon <= 27. That it fails for every
larger epsilon than the result is not proved: it was found on a grid of epsilon from 1e-6 to 1e5. The least value over all delta is 83.045,
at a delta near 0.495.

Examples
--------
>>> round(lab.privacy.lemma_2_2_critical_epsilon(1e-6), 2)
188.93
"""

LEMMA_2_2_RATIO = """
Parameters
----------
epsilon, delta
    Privacy that the lemma claims: epsilon > 0 and 0 < delta < 1.

Returns
-------
float
    The ratio. Above 1 the lemma wastes noise; below 1 it is false.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Examples
--------
>>> round(lab.privacy.lemma_2_2_ratio(2.0, 1e-6), 3)
2.415
"""

LEMMA_2_2_REMARK = """
Parameters
----------
epsilon, delta
    Privacy that the lemma claims: epsilon > 0 and 0 < delta < 1.

Returns
-------
str
    A sentence without full stop; empty where the noise is private.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Examples
--------
>>> lab.privacy.lemma_2_2_remark(2.0, 1e-6)
''
>>> "not private" in lab.privacy.lemma_2_2_remark(200.0, 1e-6)
True
"""

DELTA_REMARK = """
Parameters
----------
delta
    Strictly between 0 and 1.
n
    Number of records, above 0.

Returns
-------
str
    A sentence without full stop; empty where delta n is at most 0.1. This factor of ten is the lab's choice.

Raises
------
ValueError
    For a value that is not allowed, with its name.

Notes
-----
Publishing each record with probability delta is (0, delta)-private, and shows n delta records on average (Dwork, Roth 2014, The Algorithmic
Foundations of Differential Privacy, section 2.3).

Examples
--------
>>> lab.privacy.delta_remark(1e-6, 10_000)
''
>>> "the guarantee is weak" in lab.privacy.delta_remark(1e-3, 10_000)
True
"""
