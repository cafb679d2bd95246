"""The calls behind the front door with values that nobody should pass: a sentence, or the right result."""

import math
from dataclasses import fields
from decimal import Decimal
from functools import partial

import numpy as np
import pytest
import sympy as sp

import theory_lab as lab
from bounds.dpzero import looseness, sharp_schedule
from bounds.gauss_psgd import selection
from bounds.gauss_psgd.fixed_point import Problem
from bounds.gauss_psgd.recommend import exact_constant
from bounds.moments import clipping
from bounds.moments.optimal_quadratic import optimal_schedule
from figures.gauss_psgd import escape as psgd_escape
from paper_checks.dpzero.experiments.figure_runs import Experiment
from synthetic import estimate
from synthetic.runs.psgd import gauss_psgd
from theory_lab.methods import METHODS
from theory_lab.methods.record import SADDLE, SUM, Method, resolved

NO_NUMBER = [None, True, 1j, "1", b"1", [], {}, object, Decimal("0.5"), sp.pi, math.nan, math.inf, -1, np.ma.masked, np.datetime64(3, "D")]
NO_WORD = [None, 1, "", b"dpzero", [], {}, math.nan, np.array(["a", "b"])]
NO_LIST = [None, math.nan, 1, "1", [], np.array(1.0)]

PRIVACY = {"epsilon": 1.0, "delta": 1e-6}
LETTERS = {"alpha": 0.1, "T": 3.0, "C": 1.0, "lam": 1e-3, "sigma": 0.1, "d": 20.0, "r": 3.0, "L": 1.0, "ell": 1.0, "gap": 1.0}
DESCENT = {name: LETTERS[name] for name in ("alpha", "T", "sigma", "d", "r", "ell", "gap")}
QUADRATIC = {"eigenvalues": [1.0, 0.5], "offset": [1.0, 1.0]}
CLIP_BIAS = lab.THEOREMS["dpzero.sharp_clip_bias"]
CALLS = [
    (looseness.printed_descent, {"theorem": "dpzero.dp_gd"}, DESCENT),
    (looseness.sharp_descent, {"method": "dp_gd"}, DESCENT),
    (sharp_schedule.certified_bound, {}, LETTERS),
    (sharp_schedule.certified_bound_at, {"key": "dpzero.sharp_clip_bias"}, LETTERS),
    (sharp_schedule.printed_steps, {"method": "dpgd_0th"}, {"n": 1e3, "d": 20.0, "r": 3.0, **PRIVACY}),
    (exact_constant, {}, PRIVACY),
    (estimate.proportion, {}, {"successes": 2, "trials": 5}),
]


@pytest.mark.parametrize(("call", "words", "numbers"), CALLS, ids=lambda one: getattr(one, "__name__", ""))
def test_what_is_no_number_or_no_word_is_refused_by_name(call, words, numbers):
    words = {**words, "theorem": CLIP_BIAS} if call is sharp_schedule.certified_bound else words
    for name in numbers:
        for value in NO_NUMBER:
            with pytest.raises(ValueError, match=f"^{name} = "):
                call(**{**words, **numbers, name: value})
    for name in words:
        for value in NO_WORD:
            with pytest.raises(ValueError, match=f"^{name} = "):
                call(**{**words, **numbers, name: value})


@pytest.mark.parametrize("name", [name for name in LETTERS if name not in ("lam", "sigma")])
def test_no_bound_is_certified_where_the_letters_mean_nothing(name):
    """At ell = -1 it was 2.98, at lam = -1e-3 less than without smoothing."""
    for value in (0, -LETTERS[name]):
        with pytest.raises(ValueError, match=f"^{name} = .*above 0 is needed"):
            sharp_schedule.certified_bound_at("dpzero.sharp_clip_bias", **{**LETTERS, name: value})
    with pytest.raises(ValueError, match=r"^lam = -1"):
        sharp_schedule.certified_bound_at("dpzero.sharp_clip_bias", **{**LETTERS, "lam": -1})
    assert sharp_schedule.certified_bound_at("dpzero.sharp_dp_gd", **{**LETTERS, "lam": 0, "sigma": 0}) > 0


def test_only_a_theorem_in_the_letters_of_a_schedule_is_certified():
    with pytest.raises(ValueError, match=r"^theorem = .*in alpha, T, C"):
        sharp_schedule.certified_bound(lab.THEOREMS["dpzero.theorem3"], **LETTERS)
    with pytest.raises(ValueError, match=r"^letter = 'beta'"):
        sharp_schedule.certified_bound(CLIP_BIAS, **LETTERS, beta=1.0)


@pytest.mark.parametrize("change", [{"T_max": 2**64}, {"T_max": 10**30}, {"n": 10**30}, {"epsilon": 1e22}])
def test_a_recommendation_has_no_largest_number_of_steps(change):
    """From 2^64 steps on it was a TypeError of NumPy."""
    problem = {"n": 1000, "d": 20, "r": 3.0, "B": 1.0, "L": 1.0, "ell": 1.0, "gap": 1.0, **PRIVACY, **change}
    plan = lab.recommend("dpzero", **problem).sharp
    fewer = lab.recommend("dpzero", **{**problem, "T_max": 2**40}).sharp
    assert 0 < plan.bound <= fewer.bound
    assert 1 <= plan.T <= 2**70


def test_a_search_for_steps_says_how_many_it_takes():
    with pytest.raises(ValueError, match=r"^T_max = .*at most 2\^53"):
        optimal_schedule("dp_gd", **QUADRATIC, n=1000, **PRIVACY, C=1.0, T_max=2**64)


@pytest.mark.parametrize("value", NO_LIST, ids=repr)
def test_a_comparison_needs_lists(value):
    for name in ("ranks", "samples"):
        with pytest.raises(ValueError, match=f"^{name} = "):
            looseness.against_sharper("dpzero.dp_gd", **{name: value})
    for name in ("spectra", "dimensions"):
        with pytest.raises(ValueError, match=f"^{name} = "):
            looseness.against_quadratic("dpzero.dp_gd", **{name: value})


def test_an_iterator_gives_the_rows_of_a_list():
    """The dimensions of a generator were used up by the first spectrum, and the rows of the others missing."""
    spectra, dimensions = ("flat", "inverse"), (3, 5)
    listed = looseness.against_quadratic("dpzero.dp_gd", spectra=spectra, dimensions=dimensions)
    assert looseness.against_quadratic("dpzero.dp_gd", spectra=iter(spectra), dimensions=iter(dimensions)) == listed
    assert {(row.spectrum, row.d) for row in listed} == {(spectrum, d) for spectrum in spectra for d in dimensions}
    rows = looseness.against_sharper("dpzero.dp_gd", ranks=iter([(20.0, 3.6), (30.0, 4.0)]), samples=iter([1e3, 1e4]))
    assert [(row.d, row.n) for row in rows] == [(20.0, 1e3), (20.0, 1e4), (30.0, 1e3), (30.0, 1e4)]
    for ranks in ([(20.0,)], ["ab", (20.0, 3.6)], [(20.0, 3.6, 1.0)]):
        with pytest.raises(ValueError, match=r"^ranks = .*pairs"):
            looseness.against_sharper("dpzero.dp_gd", ranks=ranks)


def test_memory_is_asked_before_eigenvalues_are_made():
    with pytest.raises(ValueError, match=r"^d = 1000000000000: .* of memory"):
        looseness.eigenvalues("flat", 10**12)


def test_a_probability_that_leaves_floating_point_is_refused():
    with pytest.raises(ValueError, match="cannot be computed in floating point"):
        clipping.clip_probability_given_direction("dpzero", eigenvalues=[1e308, 1e308], offset=[1.0, 1.0], u=[1.0, 1.0], C=1.0)


def test_a_very_long_vector_is_shown_by_its_beginning():
    for name in QUADRATIC:
        with pytest.raises(ValueError, match=f"^{name} = ") as error:
            lab.expected_gap("dp_gd", **{**QUADRATIC, name: [-1.0, math.nan] * 1000}, alpha=0.1, T=3, sigma=0.1)
        assert len(str(error.value)) < 300


def test_values_for_a_quantile_are_numbers():
    for values in (1.0, [1j], ["a"], [], [[1.0]], [math.nan]):
        with pytest.raises(ValueError, match=r"^values"):
            estimate.quantile(values, 0.5)


PARTS = [where for one in METHODS.values() if one.figures for where in one.figures.parts.values()]
EXPERIMENTS = list(dict.fromkeys(type(resolved(where).PAPER) for where in PARTS))


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.__module__)
def test_an_experiment_refuses_in_each_of_its_fields_what_cannot_be_meant(experiment):
    """Directions, accuracies, phases, knobs and some lists were taken as they came, and failed in the middle of the run."""
    for field in fields(experiment):
        good = getattr(experiment(), field.name)
        for value in (None, math.nan, "nope", {}, (), (None,), (math.nan,), ("nope",), np.array(1.5), np.array([[1.0]])):
            with pytest.raises(ValueError, match=f"^{field.name}|^spectrum = "):
                experiment(**{field.name: value})
        if isinstance(good, tuple):
            for value in (list(good), np.array(good)):
                made = getattr(experiment(**{field.name: value}), field.name)
                assert made == good
                assert {type(one) for one in made} <= {int, float, str, np.str_}
    with pytest.raises(ValueError, match=r"^accuracy = 0\.9: a number from"):
        psgd_escape.Experiment(accuracy=0.9)


def test_large_numbers_in_an_array_are_numbers():
    assert Experiment(alphas=(1e308, 1e308)).alphas == (1e308, 1e308)


def test_a_check_is_quick_or_not():
    """The word "no" was taken for yes."""
    for value in ("no", 2, None, math.nan):
        with pytest.raises(ValueError, match=r"^quick = .*True or False"):
            lab.check("dpzero.lemma_c2.i", quick=value)


LANDSCAPE = lab.random_phase_cosines(3)
HELD_OUT = Problem(n=1e3, d=3, L=1.0, ell=1.0, rho=1.0, U=1.0, **PRIVACY)
OWN = {"name": "mine", "paper": "mine", "words": "w", "described": "d", "options": (), "simulated": "x:y"}


def test_a_selection_needs_a_saddle_and_limits_need_a_problem():
    limits = {"gradient_limit": 1.0, "curvature_limit": 1.0}
    for value in (None, 3, "cosines", sp.Symbol("x"), lab.quadratic("flat", d=3, n=5, seed=0)):
        with pytest.raises(ValueError, match=r"^landscape = .*saddle is needed"):
            lab.select(value, np.zeros((2, 3)), n=5, sigma_gradient=0.1, sigma_hessian=0.1, **limits)
        with pytest.raises(ValueError, match=r"^landscape = .*saddle is needed"):
            lab.above_threshold(value, np.zeros((2, 3)), n=5, epsilon=1.0, **limits)
        with pytest.raises(ValueError, match=r"^problem = .*Problem"):
            selection.selection_tests("proved", value, T=3, accuracy=0.1)
        with pytest.raises(ValueError, match=r"^problem = .*Problem"):
            selection.above_threshold_limits(value, T=3, accuracy=0.1)
    for name in ("T", "accuracy"):
        for value in NO_NUMBER:
            with pytest.raises(ValueError, match=f"^{name} = "):
                selection.above_threshold_limits(HELD_OUT, **{"T": 3, "accuracy": 0.1, name: value})


def test_knobs_are_knobs():
    for value in (0, 3, "usual", {"Q": 3}, object):
        with pytest.raises(ValueError, match=r"^knobs = .*Knobs"):
            lab.recommend("gauss_psgd", LANDSCAPE, n=30_000, epsilon=8.0, delta=1e-5, knobs=value)


def test_no_name_of_an_argument_collides_with_one_of_the_calls_inside():
    quadratic = lab.cosine("flat", d=3, n=1_000, seed=0)
    plan = lab.recommend("dpzero", quadratic, epsilon=2.0, delta=1e-6)
    for name in ("record", "what", "function", "needed", "self", "place"):
        with pytest.raises(TypeError, match=f"^{name} = 3: no such argument"):
            lab.simulate("dpzero", quadratic, plan=plan.sharp, **{name: 3})
        with pytest.raises(TypeError, match=f"^{name} = 3: no such argument"):
            lab.recommend("dpzero", quadratic, **{name: 3})
    taken = Method(**OWN, run=lambda method, objective, plan, **settings: settings)
    assert lab.simulate(taken, what=1, function=2, record=3) == {"what": 1, "function": 2, "record": 3}
    with pytest.raises(ValueError, match=r"^self = 3: not a symbol"):
        CLIP_BIAS.evaluate(self=3)


@pytest.mark.parametrize(("kind", "place"), [(SADDLE, LANDSCAPE), (SUM, lab.quadratic("flat", d=3, n=5, seed=0)), (None, None)])
def test_a_record_that_nothing_runs_says_so(kind, place):
    """Since the record names what runs it, it was "'str' object is not callable"."""
    for kernel in (None, 5):
        with pytest.raises(ValueError, match=r"nothing runs it"):
            lab.simulate(Method(**OWN, kind=kind, kernel=kernel), place)
    with pytest.raises(ValueError, match=r"^kernel of mine: 'no\.such:thing' is not the address of a kernel"):
        lab.simulate(Method(**OWN, kind=kind, kernel="no.such:thing"), place)


def test_a_plan_is_not_for_a_function_without_a_name():
    plan = lab.recommend("gauss_psgd", LANDSCAPE, n=30_000, epsilon=8.0, delta=1e-5).scaled
    with pytest.raises(ValueError, match=r"^plan = a plan of gauss_psgd: .* needs its own plan"):
        lab.simulate(Method(**OWN, kind=SADDLE, kernel=partial(gauss_psgd)), LANDSCAPE, plan=plan, n=30_000)


class Silent:
    """A value that cannot say what it is."""

    def __repr__(self):
        raise RuntimeError("no words")


def test_a_value_that_cannot_say_what_it_is_is_named_by_its_class():
    with pytest.raises(ValueError, match=r"^d = a Silent: an integer of at least 1 is needed"):
        lab.random_phase_cosines(Silent())
