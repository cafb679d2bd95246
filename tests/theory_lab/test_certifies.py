"""What a plan calls certified: in tables, summaries, JSON and CSV no number of a column that is not private or has no schedule."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest

import theory_lab as lab
from bounds.plans.plan import Column

PROBLEM = {"n": 10_000, "d": 2_000, "r": 8.18, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "B": 1.0}


@pytest.mark.parametrize(
    ("certified", "private", "said"),
    [(0.5, True, 0.5), (1.0, True, "nothing"), (math.inf, True, "nothing"), (math.nan, True, "nothing"), (0.5, False, "not private")],
)
def test_what_every_point_satisfies_or_is_not_private_is_no_certificate(certified, private, said):
    plan = lab.recommend("dp_grape", n=1e5, d=100, epsilon=1.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, r=2, T_max=50)
    assert replace(plan, sharp=replace(plan.sharp, certified=certified, private=private)).certifies("sharp") == said


def test_where_there_is_no_schedule_there_is_no_noise_that_is_not_private():
    """The printed T of DP-ZOSO has no solution here, so nothing is run and nothing certified."""
    problem = {"n": 1e4, "d": 20, "delta": 1e-6, "L": 1, "growth_mu": 0.1, "radius": 1, "gap": 0.5}
    plan = lab.recommend("dp_zoso", epsilon=0.1, **problem)
    assert math.isnan(plan.printed.sigma)
    assert not plan.printed.private
    assert plan.certifies("printed") == plan.promised("printed", "certified") == "nothing"
    assert repr(plan.printed).endswith("; nothing certified)")
    assert json.loads(plan.json())["printed"]["certified"] is None
    assert "certified: printed nothing, repaired" in repr(plan).replace("certified printed", "certified: printed")


def test_where_dp_grape_has_no_schedule_nothing_is_certified_in_any_form():
    asked = {"epsilon": 0.0013060245219521575, "delta": 0.017392390781946928, "L": 0.3465743366649868, "ell": 0.005252355274184166}
    plan = lab.recommend("dp_grape", n=1, d=100, **asked, gap=0.001928897629737459, r=4, T_max=5)
    assert math.isnan(plan.printed.sigma)
    assert plan.certifies("printed") == plan.promised("printed", "certified") == "nothing"
    assert json.loads(plan.json())["printed"] | {"certified": None, "private": True} == json.loads(plan.json())["printed"]
    assert "nothing certified" in repr(plan.printed)


@dataclass(frozen=True)
class Own(Column):
    """A column of somebody's own, which says nothing of privacy."""

    theorem: str = "own"
    method: str = "own"
    constants: Mapping[str, float] = field(default_factory=dict)
    certified: float = 0.5


def test_a_column_that_says_nothing_of_privacy_certifies_what_it_certifies():
    assert Own().record()["certified"] == 0.5
    assert Own().describe_certified() == "certified 0.5"


ZOSO = {"n": 10_000, "d": 100, "delta": 1e-6, "L": 1.0, "growth_mu": 0.5, "radius": 1.0, "gap": 1.0}


def test_the_summary_has_no_number_of_a_column_that_is_not_private():
    for method, asked in (
        ("dp_zoso", ZOSO | {"epsilon": 20.0}),
        ("dp_grape", {"n": 1e5, "d": 100, "epsilon": 0.5, "delta": 1e-9, "L": 1.0, "ell": 1.0, "gap": 1.0, "r": 4, "T_max": 50}),
    ):
        plan = lab.recommend(method, **asked)
        assert not plan.printed.private
        assert "certified printed not private, repaired " in repr(plan)
        assert "not private" not in repr(plan).split("repaired")[1]


def test_csv_says_why_a_column_certifies_nothing():
    rows = [row for row in lab.recommend("dp_zoso", epsilon=[8.0, 20.0], **ZOSO).records() if row["column"] == "printed"]
    assert [(row["epsilon"], row["nothing"]) for row in rows] == [(8.0, "nothing"), (20.0, "not private")]
    assert all(math.isnan(row["certifies"]) for row in rows)


def test_a_column_that_is_not_private_measures_nothing():
    found = lab.recommend("dpzero", epsilon=[200.0, 300.0], n=10_000, d=100, delta=1e-6, L=1.0, ell=1.0, gap=1.0, r=4.0, mu=0.1, B=1.0)
    assert [plan.certifies("printed") for plan in found] == ["not private"] * 2
    assert [*found.measures()] == ["sharp"]


def test_the_printed_noise_is_judged_whether_the_loss_is_bounded_or_not():
    """Lemma 2.2 is not private at this epsilon: neither with a bound B on the loss, nor without one."""
    for more in ({}, {"B": 1.0}):
        plan = lab.recommend("dpzero", n=10_000, d=100, r=4.0, epsilon=200.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, **more)
        assert plan.printed.release.epsilon(1e-6) == pytest.approx(206.8, rel=1e-3)
        assert not plan.printed.private
        assert plan.certifies("printed") == "not private"
        assert plan.printed.record()["certified"] is None


def test_gauss_psgd_names_no_first_n_where_its_printed_noise_is_not_private():
    asked = {"n": 10**6, "d": 20, "delta": 1e-5, "L": 1.0, "ell": 1.0, "rho": 1.0, "U": 1.0}
    for much, private in ((10.0, False), (1.0, True)):
        plan = lab.recommend("gauss_psgd", epsilon=much, **asked)
        ((_, (_, printed, repaired, _), _),) = plan.promises()
        assert printed == (plan.printed_promise.first_n if private else "not private")
        assert repaired == plan.repaired_promise.first_n


def test_the_printed_noise_of_dpzero_certifies_nothing_where_lemma_2_2_is_not_private():
    large = lab.privacy.lemma_2_2_critical_epsilon(1e-6) * 1.01
    plan = lab.recommend("dpzero", **PROBLEM, epsilon=large)
    assert not plan.printed.private
    assert "certified: printed not private" in repr(plan)
    assert repr(plan.printed).endswith("; not private)")
    assert repr(plan.sharp).endswith(f"; certified {plan.sharp.certified:.3g})")
    for group in plan.rows():
        for said, printed, _ in group:
            assert ("certified" in said or "twice as large" in said) <= (printed == "not private"), said
    told = json.loads(plan.json())
    assert (told["printed"]["certified"], told["printed"]["private"]) == (None, False)
    run = lab.simulate("dpzero", lab.cosine("flat", d=5, n=10**6, seed=0), plan=plan.printed, T=2, C=3.0, sigma=1.0)
    assert not run.vouched
    assert (plan.certifies("printed"), plan.certifies("sharp")) == ("not private", plan.sharp.certified)
