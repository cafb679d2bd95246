"""The fixed point of mu, feasibility and rates: against mpmath, against published digits, under other units."""

import math
from dataclasses import replace
from types import SimpleNamespace

import mpmath as mp
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bounds.gauss_psgd.block import Constants, accuracy_over_psi
from bounds.gauss_psgd.feasibility import first_n, solve_and_check
from bounds.gauss_psgd.fixed_point import (
    Problem,
    _noise_fixed_point,
    block_inputs,
    budget_batches,
    find_root,
    fixed_point_at,
    fixed_point_given_noise,
    fresh_gradients,
    gaussian_constant,
    least_point,
    lemma7,
    printed_drift_limit,
    solve_fixed_point,
)
from bounds.gauss_psgd.rates import balance_terms, largest_dimension, rate_terms, rates_at
from bounds.strategies import log_uniform

UNIT = Problem(n=1e6, d=10, epsilon=1, delta=1e-5, L=1, ell=1, rho=1, U=1)

# G = M = rho = U = 1, delta = 1e-5, omega = 0.1, natural logarithm, from an independent computation by bisection; digits as written
# s, C, d, n, epsilon: mu, alpha, eta, Gamma, R, Q, T, b_1, b_2
TABLE = [
    ((51200, 1, 10, 1e4, 1), "5.85 8.1e4 3.2e-9 6.5e6 1.7e-6 89 1.1e14 1.6e10 6.5e3"),
    ((51200, 1, 10, 1e6, 8), "7.73 2.5e4 1.0e-9 4.8e7 6.4e-7 103 1.2e16 4.9e11 2.0e4"),
    ((51200, 1, 50, 1e5, 1), "6.60 5.6e4 2.1e-9 1.4e7 1.2e-6 94 5.8e14 7.7e10 2.0e4"),
    ((51200, 1, 200, 1e6, 1), "7.18 3.3e4 1.4e-9 2.9e7 8.2e-7 100 3.8e15 3.7e11 4.6e4"),
    ((1, 1, 10, 1e4, 1), "8.6 229 .21 2.8 .60 28 115 244 3.4e6"),
    ((1, 1, 10, 1e6, 8), "11.8 52 .052 31 .18 45 4.9e4 9.6e3 4.4e6"),
    ((1, 1, 200, 1e6, 1), "13.6 205 .077 12 .29 36 3.1e3 6.5e3 1.0e8"),
    ((1, 1 / 256, 10, 1e4, 1), "13.7 8.3 .015 310 .057 62 1.6e7 3.3e3 332"),
    ((1, 1 / 256, 10, 1e6, 1), "15.8 2.1 .0058 1.9e3 .023 75 1.5e9 8.6e4 785"),
    # the last b_2 is 12 478, which the source of these digits writes 1.3e4 (n eta chi^2/2 of its rounded eta and alpha is 12 600)
    ((1, 1 / 256, 200, 1e6, 8), "18.3 7.1 .0080 861 .034 67 1.5e8 6.3e4 1.25e4"),
]


def last_digit(text):
    mantissa, _, exponent = text.partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


@pytest.mark.parametrize(("row", "digits"), TABLE)
def test_published_digits(row, digits):
    s, C_abs, d, n, epsilon = row
    at = solve_fixed_point(replace(UNIT, n=n, d=d, epsilon=epsilon), constants=Constants(s=s, C_abs=C_abs))
    block = at.block
    found = (at.log_factor, block.accuracy, block.eta, block.Gamma, block.radius, at.Q, at.T, at.noise.b_1, at.noise.b_2)
    for value, text in zip(found, digits.split(), strict=True):
        # 0.65, not 0.5, of the last digit: eta = 0.2050 in the fifth row and mu = 5.845 in the first were rounded away from us
        assert abs(value - float(text)) <= 0.65 * last_digit(text), (value, text)


def test_how_far_the_printed_batches_are_over_budget():
    uses = []
    for (s, C_abs, d, n, epsilon), _ in TABLE:
        _, promise = solve_and_check(replace(UNIT, n=n, d=d, epsilon=epsilon), constants=Constants(s=s, C_abs=C_abs))
        uses.append((promise.difference_use, promise.fresh_use, promise.batch_use))
    proof, rest = uses[:4], uses[4:]
    assert all(6.5e13 < one[0] < 2.5e14 and 2e15 < one[1] < 7.5e15 and one[2] > 1 for one in proof)
    assert [f"{one[0]:.0e}" for one in rest] == ["4e+04", "2e+05", "3e+05", "5e+05", "1e+06", "2e+06"]
    assert all(one[1] / one[0] == pytest.approx(30, rel=1e-2) for one in uses)  # 3 + 15 T eta chi^2/U against T eta chi^2/(2 U)


@pytest.mark.parametrize("row", [TABLE[4][0], TABLE[8][0]])
def test_fixed_point_against_mpmath(row):
    """Theorem 2's loop once more, typed from the paper, solved by substitution in 40 digits."""
    s, C, d, n, epsilon = (mp.mpf(value) for value in row)
    delta, omega = mp.mpf(1e-5), mp.mpf(0.1)
    with mp.workdps(40):
        c1 = 8 * mp.log(mp.mpf("1.25") / delta) / mp.log(1 / delta)
        kappa = max(n ** mp.mpf("-0.5"), d ** mp.mpf("0.4") * (n * epsilon) ** mp.mpf("-0.8"))
        mu, alpha = mp.mpf(9), mp.mpf(10)
        for _ in range(400):
            eta = mp.sqrt(alpha) / (s * mu) ** 2
            b1, b2 = n * kappa / (2 * eta), n * eta * (alpha / 4) ** 2 / 2
            sigma2 = mp.log(d) ** 2 * (1 / b1 + kappa / b2)
            r2 = c1 * mp.log(1 / delta) / epsilon**2 * (1 / b1**2 + kappa / b2**2)
            psi, r = mp.sqrt(sigma2 + d * r2), mp.sqrt(r2)
            factor = mp.log(16 * (s * mu) ** 3 / (s * omega) * (alpha / 4) ** mp.mpf("-1.5"))
            T = 13 * s**2 * mu**4 / (5 * (alpha / 4) ** 2 * eta) * factor
            quarter = C ** mp.mpf("0.25")
            first = mp.log(9 * d * mp.log(4 * quarter / (s * eta * r) * mp.sqrt(psi)) / (quarter * eta * mp.sqrt(s * psi))) / s
            second = mp.log(160 * mp.sqrt(2) * quarter / (s * mp.sqrt(eta * r)) * mp.sqrt(psi))
            third = (C * mp.log(4 * T / omega)) ** mp.mpf("0.25") / (2 ** mp.mpf("0.75") * mp.sqrt(s))
            mu = (mu + max(first, second, third, 1)) / 2
            alpha = mp.sqrt(alpha * 16 * mp.sqrt(C) * s * mu**2 * psi)  # geometric mean, else it overshoots
        found = solve_fixed_point(
            replace(UNIT, n=float(n), d=float(d), epsilon=float(epsilon)), constants=Constants(s=float(s), C_abs=float(C))
        )
        # 1e-12 is added to mu on purpose; alpha moves by a few times that, T by up to 20 times
        assert float(mu) == pytest.approx(found.log_factor, rel=1e-11)
        assert float(alpha) == pytest.approx(found.block.accuracy, rel=1e-10)
        assert float(T) == pytest.approx(found.T, rel=1e-9)


CHOICES = st.builds(
    Constants, version=st.sampled_from(("printed", "corrected", "repaired")), s=st.one_of(st.none(), log_uniform(1, 1e4)),
    C_abs=log_uniform(1e-3, 10), base=st.sampled_from("e2"),
)  # fmt: skip
PROBLEMS = st.builds(
    Problem, n=log_uniform(1e2, 1e15), d=log_uniform(1, 1e6), epsilon=log_uniform(0.05, 20), delta=log_uniform(1e-12, 1e-2),
    L=log_uniform(1e-2, 1e2), ell=log_uniform(1e-2, 1e2), rho=log_uniform(1e-2, 1e2), U=log_uniform(1e-2, 1e2),
    m=st.sampled_from((1, 2, 10)), omega=log_uniform(1e-6, 0.5),
)  # fmt: skip

JUMP = Problem(
    n=641772681965.1016, d=90.01713130052181, epsilon=1.4549914146182013, delta=0.006737946999085467, L=5.0784190371800815, ell=1, rho=1,
    U=33.11545195869231, m=10, omega=0.006737946999085467,
)  # fmt: skip


@settings(max_examples=40)
@given(problem=PROBLEMS, chosen=CHOICES, batches=st.sampled_from(("printed", "budget")))
@example(problem=JUMP, chosen=Constants(version="corrected", s=1.6487212707001282, C_abs=0.0680508540250102), batches="budget")
def test_the_loop_closes(problem, chosen, batches):
    at = solve_fixed_point(problem, constants=chosen, batches=batches)
    assert at.log_factor >= max(at.entries)
    below = fixed_point_at(problem, at.log_factor * (1 - 1e-10), constants=chosen, batches=batches)
    assert below.log_factor < max(below.entries)  # so mu is the least, to 1e-10
    if below.noise.drift_limit == 0 or at.noise.drift_limit > 0:  # else the entries jump down here, past mu
        assert at.log_factor == pytest.approx(max(at.entries), rel=1e-10)
    ratio = accuracy_over_psi(s=chosen.s_used, log_factor=at.log_factor, C_abs=chosen.C_abs, c_abs=chosen.c_used, version=chosen.version)
    noise = lemma7(problem, b_1=at.noise.b_1, b_2=at.noise.b_2, drift_limit=at.noise.drift_limit, chosen=chosen)
    assert at.block.accuracy == pytest.approx(ratio * noise.psi, rel=1e-9)
    if batches == "budget":
        assert at.noise.b_1 * min(at.fresh, at.T) + at.noise.b_2 * at.T <= problem.n * (1 + 1e-9)
    else:
        assert at.noise.drift_limit == printed_drift_limit(problem)


@settings(max_examples=40)
@given(
    psi=log_uniform(1e-9, 1e2), share=log_uniform(1e-4, 1), d=log_uniform(1, 1e5), ell=log_uniform(1e-2, 1e2), rho=log_uniform(1e-2, 1e2),
    U=log_uniform(1e-2, 1e3), omega=log_uniform(1e-9, 0.5), chosen=CHOICES,
)  # fmt: skip
def test_mu_has_one_root_given_the_noise(psi, share, d, ell, rho, U, omega, chosen):
    """On a grid of mu the largest entry crosses mu once at most, upwards in mu."""
    values = dict(d=d, ell=ell, rho=rho, U=U, omega=omega)
    found = fixed_point_given_noise(psi=psi, added_noise=share * psi / math.sqrt(d), **values, constants=chosen)
    grid = [math.exp(0.05 * i) for i in range(150)]  # up to mu = 1700
    noise = block_inputs(SimpleNamespace(**values), psi, share * psi / math.sqrt(d), chosen)
    below = [mu < max(_noise_fixed_point(mu, noise, chosen).entries) for mu in grid if mu < 0.99 * found.log_factor]
    above = [mu < max(_noise_fixed_point(mu, noise, chosen).entries) for mu in grid if mu > 1.01 * found.log_factor]
    assert all(below)
    assert not any(above)


@settings(max_examples=25)
@given(problem=PROBLEMS, version=st.sampled_from(("corrected", "repaired")), value=log_uniform(0.1, 10), length=log_uniform(0.1, 10))
def test_other_units_give_the_same_run(problem, version, value, length):
    chosen = Constants(version, s=10.0)
    scaled = replace(
        problem, L=problem.L * value / length, ell=problem.ell * value / length**2, rho=problem.rho * value / length**3, U=problem.U * value
    )
    one, two = solve_fixed_point(problem, constants=chosen), solve_fixed_point(scaled, constants=chosen)
    assert two.log_factor == pytest.approx(one.log_factor, rel=1e-9)
    assert math.isclose(two.T, one.T, rel_tol=1e-7)
    assert two.block.accuracy == pytest.approx(one.block.accuracy * value / length, rel=1e-8)
    assert two.noise.b_1 == pytest.approx(one.noise.b_1, rel=1e-7)


def test_the_printed_mu_depends_on_the_unit_of_length():
    """The same problem in millimetres has another accuracy: (6) is not consistent."""
    h = 1e3
    millimetres = replace(UNIT, L=1 / h, ell=1 / h**2, rho=1 / h**3)
    chosen = Constants(s=1.0)
    one, two = solve_fixed_point(UNIT, constants=chosen), solve_fixed_point(millimetres, constants=chosen)
    assert two.log_factor > one.log_factor + 0.4
    corrected = replace(chosen, version="corrected")
    assert solve_fixed_point(millimetres, constants=corrected).log_factor == pytest.approx(
        solve_fixed_point(UNIT, constants=corrected).log_factor, rel=1e-9
    )


def test_any_mu_makes_the_printed_entry_small_in_some_unit_while_the_true_one_stays():
    """M = sqrt(rho alpha), r/psi small, rho large: the counterexample to Lemma 1, by its mu."""
    at = fixed_point_given_noise(psi=1, added_noise=0.01, d=2, ell=1e9, rho=1e12, U=1, omega=0.1, constants=Constants(s=4))
    right = fixed_point_given_noise(psi=1, added_noise=0.01, d=2, ell=1e9, rho=1e12, U=1, omega=0.1, constants=Constants("corrected", s=4))
    assert right.log_factor > at.log_factor + 5


def test_a_client_among_many_and_noise_by_hand():
    problem = replace(UNIT, m=4, d=50)
    one = lemma7(replace(problem, m=1), b_1=100, b_2=10, drift_limit=0.3, chosen=Constants())
    four = lemma7(problem, b_1=100, b_2=10, drift_limit=0.3, chosen=Constants())
    assert four.psi == pytest.approx(one.psi / 2, rel=1e-14)
    assert one.sampling_error == pytest.approx(math.log(50) * math.sqrt(1 / 100 + 0.3 / 10), rel=1e-14)
    assert one.added_noise == pytest.approx(math.sqrt(8 * math.log(1.25e5) * (1e-4 + 0.3e-2)), rel=1e-14)
    assert one.psi == pytest.approx(math.sqrt(one.sampling_error**2 + 50 * one.added_noise**2), rel=1e-14)
    assert gaussian_constant(1e-5) == pytest.approx(8.155, abs=5e-4)
    assert lemma7(replace(UNIT, d=1), b_1=9, b_2=9, drift_limit=1, chosen=Constants()).sampling_error == 0
    assert lemma7(replace(UNIT, d=1), b_1=9, b_2=9, drift_limit=1, chosen=Constants("repaired")).sampling_error > 0


@given(first=log_uniform(1e-9, 1e9), second=log_uniform(1e-9, 1e9), linear=log_uniform(1e-9, 1e9))
def test_least_at_is_least(first, second, linear):
    def value(x):
        return first / x + second / x**2 + linear * x

    x = least_point(first, second, linear)
    assert value(x) <= min(value(x * 1.001), value(x / 1.001), value(2 * x), value(x / 2))


def test_the_drift_limit_within_budget_is_the_best():
    chosen = Constants(s=1)
    enough = replace(UNIT, n=1e18)
    at = solve_fixed_point(enough, constants=chosen, batches="budget")
    for factor in (0.5, 0.99, 1.01, 2):
        drift_limit = factor * at.noise.drift_limit
        fresh = fresh_gradients(at.block, T=at.T, U=1, drift_limit=drift_limit)
        other = lemma7(enough, b_1=enough.n / (2 * fresh), b_2=at.noise.b_2, drift_limit=drift_limit, chosen=chosen)
        assert other.psi > at.psi
    assert budget_batches(enough, at.block, at.T, chosen).psi == pytest.approx(at.psi, rel=1e-9)
    few = solve_fixed_point(UNIT, constants=chosen, batches="budget")  # here T fresh gradients are better than any kappa
    assert few.noise.drift_limit == 0
    assert few.noise.b_1 * few.T == pytest.approx(UNIT.n / 2, rel=1e-12)


def test_root_widens_its_bracket():
    for zero in (1e-30, 0.5, 3.0, 1e30):
        assert find_root(lambda x, zero=zero: math.log(x / zero), 1.0, 2.0) == pytest.approx(zero, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: Problem(n=0, d=1, epsilon=1, delta=1e-5, L=1, ell=1, rho=1, U=1), "n = 0"),
        (lambda: replace(UNIT, d=0.5), "d = 0.5: a number of at least 1"),
        (lambda: replace(UNIT, omega=1.0), "omega = 1.0"),
        (lambda: replace(UNIT, L=math.inf), "L = inf"),
        (lambda: solve_fixed_point(UNIT, batches="many"), "batches = 'many': one of printed, budget"),
        (lambda: first_n(UNIT, batches="many"), "batches = 'many': one of printed, budget"),
        (lambda: fixed_point_given_noise(psi=1, added_noise=1, d=4, ell=1, rho=1, U=1, omega=0.1), "added_noise = 1: at most psi / sqrt"),
        (lambda: balance_terms(UNIT, drift_limit="any"), "drift_limit = 'any': one of printed, best"),
    ],
)
def test_what_cannot_be_meant(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


# the least and the greatest log10(n) over d = 10, 200 and epsilon = 1, 8, from an independent computation
FIRST = [
    (None, 1, "printed", 19.8, 20.6), (1, 1, "printed", 11.8, 13.6), (1, 1 / 256, "printed", 7.1, 8.8),
    (1, 1, "budget", 16.6, 18.0), (1, 1 / 256, "budget", 14.1, 15.6), (None, 1, "budget", 34.0, 35.4),
]  # fmt: skip


@pytest.mark.parametrize(("s", "C_abs", "batches", "low", "high"), FIRST)
def test_first_n_by_published_digits(s, C_abs, batches, low, high):
    chosen = Constants(s=s, C_abs=C_abs)
    corners = [replace(UNIT, d=d, epsilon=epsilon) for d in (10, 200) for epsilon in (1, 8)]
    found = [math.log10(first_n(one, constants=chosen, batches=batches)) for one in corners]
    assert (round(min(found), 1), round(max(found), 1)) == (low, high)


@settings(max_examples=15)
@given(problem=PROBLEMS, chosen=CHOICES, batches=st.sampled_from(("printed", "budget")))
def test_first_n_is_where_the_guarantee_begins(problem, chosen, batches):
    n = first_n(problem, constants=chosen, batches=batches)
    below, above = (solve_fixed_point(replace(problem, n=max(1, n * f)), constants=chosen, batches=batches) for f in (0.9, 1.1))
    assert above.block.accuracy < problem.ceiling
    assert below.block.accuracy > problem.ceiling or n < 2


@pytest.mark.parametrize("drift_limit", ["printed", "best"])
@pytest.mark.parametrize("step", ["printed", "exact_gradients"])
@pytest.mark.parametrize("p", [0.0, 1 / 6, 0.3, 0.5])
def test_slopes_are_those_of_the_root(drift_limit, step, p):
    if (drift_limit, step) == ("printed", "exact_gradients"):
        return

    def log_accuracy(log_n):
        n = math.exp(log_n)
        return math.log(balance_terms(replace(UNIT, n=n, d=n ** (2 * p)), drift_limit=drift_limit, step=step).accuracy)

    h, at = 1e-4, math.log(1e9)
    slope = balance_terms(replace(UNIT, n=1e9, d=1e9 ** (2 * p)), p=p, drift_limit=drift_limit, step=step).slope
    assert slope == pytest.approx((log_accuracy(at + h) - log_accuracy(at - h)) / (2 * h), abs=1e-8)


@pytest.mark.parametrize(
    ("p", "drift_limit", "step", "slope"),
    [
        (0.0, "printed", "printed", -1 / 3),
        (0.5, "printed", "printed", -2 / 5 / 2),
        (1 / 6, "printed", "printed", -13 / 42),  # 1/3 is claimed
        (1 / 6, "best", "printed", -16 / 51),
        (0.0, "best", "exact_gradients", -1 / 3),
        (0.5, "best", "exact_gradients", -3 / 7 / 2),
    ],
)
def test_exponents_far_out(p, drift_limit, step, slope):
    n = 1e120
    found = balance_terms(replace(UNIT, n=n, d=n ** (2 * p)), p=p, drift_limit=drift_limit, step=step)
    assert found.slope == pytest.approx(slope, abs=1e-4)
    assert sum(found.weights) == pytest.approx(1, rel=1e-12)


@given(n=log_uniform(1e3, 1e30), share=st.floats(0.5, 1.3))
def test_the_third_term_is_the_best_over_kappa(n, share):
    """Brute force over kappa of the largest entry of (103), with B = A^share and unit constants."""
    A = n ** (-1 / 3)
    B = A**share
    problem = replace(UNIT, n=n, d=max(1.0, (B**2.5 * n) ** 2), epsilon=1.0)
    if problem.d == 1.0:
        return
    best = min(
        max(A**2 * k ** (-2 / 3), B**5 / k**2, (A**3 * k) ** (2 / 9), (B**5 * k) ** (1 / 7))
        for k in (A ** (0.002 * i) for i in range(1, 2500))
    )
    assert best == pytest.approx(max(rate_terms(problem)), rel=0.01 * math.log(1 / A))  # the grid has steps of A^0.002
    assert rates_at(problem).in_window == (A**1.1 < B < A ** (6 / 7)) or min(abs(share - 1.1), abs(share - 6 / 7)) < 1e-9
    assert rates_at(problem).printed_fails == (A**1.1 < B < A**0.75) or min(abs(share - 1.1), abs(share - 0.75)) < 1e-9


def test_window_at_practical_sizes():
    inside = {(1e4, 10, 1), (1e4, 50, 1), (1e4, 50, 2), (1e4, 200, 1), (1e4, 200, 2), (1e4, 200, 4), (1e5, 10, 1), (1e5, 50, 1),
              (1e5, 50, 2), (1e5, 200, 1), (1e5, 200, 2), (1e5, 200, 4), (1e6, 50, 1), (1e6, 50, 2), (1e6, 200, 1), (1e6, 200, 2),
              (1e6, 200, 4)}  # fmt: skip
    every = [(n, d, e) for n in (1e4, 1e5, 1e6) for d in (10, 50, 200) for e in (1, 2, 4, 8)]
    assert {one for one in every if rates_at(replace(UNIT, n=one[0], d=one[1], epsilon=one[2])).printed_fails} == inside


def test_earlier_rate_and_largest_dimension():
    private = replace(UNIT, n=1e8, d=1e9)
    assert rates_at(private).reference_29 < rates_at(private).theorem  # the rate that is called suboptimal is the smaller one
    assert [round(largest_dimension(replace(UNIT, n=n))) for n in (6000, 1e4, 1e5, 1e6)] == [55, 70, 203, 588]
