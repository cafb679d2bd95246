"""The tables of DP-ZOPO: they parse and have the printed shapes, and what is computed of them is derived again."""

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest

from paper_checks.dp_zopo import tables as t
from paper_checks.dpzero.experiments import tables as dpzero
from paper_checks.verdict import Outcome
from tests.claims import page_claims

SHAPES = {  # rows, groups, columns
    "I": (1, 1, 4), "II": (6, 3, 5), "III": (6, 1, 4), "IV": (1, 1, 6), "V": (5, 3, 4), "VI": (11, 1, 4), "VII": (4, 3, 5),
    "VIII": (7, 2, 2), "IX": (7, 2, 4), "X-XII": (5, 3, 0), "XIII-XV": (6, 3, 5), "XVI": (6, 2, 4), "XVII": (2, 3, 5),
    "XVIII": (10, 3, 5), "XIX": (6, 3, 5), "XX": (7, 1, 4), "XXI": (7, 2, 3), "DPZero-2": (1, 1, 6), "DPZero-5": (1, 2, 1),
}  # fmt: skip


def test_tables_have_the_printed_shapes_and_percentages():
    assert {name: (len(one.rows), len(one.groups), len(one.columns)) for name, one in t.paper_tables().items()} == SHAPES
    for name, table in t.paper_tables().items():
        cells = [cell for groups in table.rows.values() for group in groups for cell in group]
        assert all(0 < cell <= 100 for cell in cells), name


def test_the_tables_are_in_the_wheel():
    data = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    assert (Path(t.__file__).parent / data["paper_checks.dp_zopo"][0]).is_file()


@pytest.mark.parametrize("wrong", ["a: 1 2 3", "a: 1 2 | 3 4 | 5 6", "a: 1 2\na: 1 2", "a: 1 2 | 3"])
def test_a_row_of_another_shape_is_refused(wrong):
    assert t.read_tables("I; m; x y; p q\na: 1 2 | 3 4")["I"].rows["a"] == ((1, 2), (3, 4))
    with pytest.raises(ValueError, match="2 cells in each of 2 groups"):
        t.read_tables(f"I; m; x y; p q\n{wrong}")


def test_an_address_names_cells_or_the_best_of_them():
    assert t.find_cells("II/FT/4/SNLI") == {"4 SNLI": 87.0}
    assert t.find_cells("II/FT+DPZero//SST-5") == {"2 SST-5": 52.1, "4 SST-5": 52.1, "8 SST-5": 52.6}
    assert t.find_cells("V/TREC/8/0.7-1.3+0.9-1.1") == {"8 0.7-1.3+0.9-1.1": 91.4}
    for wrong in ("II/FT/5", "II/FT/4/RTE", "II/Adam", "XXII/FT"):
        with pytest.raises((KeyError, ValueError)):
            t.find_cells(wrong)


def test_the_arrows_of_table_17_are_those_of_its_numbers():
    arrows = [cell for one in ("du ddd".replace(" ", ""), "ddddd", "duddd") for cell in one]  # as printed, down and up
    pairs = t.paired_cells((("XVII/constant", "XVII/static"),)).values()
    assert arrows == ["u" if a > b else "d" for a, b in pairs]


def test_dpzero_has_in_its_own_ledger_what_is_taken_from_it():
    assert list(t.find_cells("DPZero-5/DPZero").values()) == list(dpzero.TABLE_5["DPZero, 2"][:4:2])


@pytest.mark.parametrize("name", ["0.5-1-2", "8-8-8"])
def test_the_least_total_of_table_6_is_one_of_sets_and_the_suggested_total_a_mean(name):
    rng, d = np.random.default_rng(1), 100_000
    first, second, *_ = (one / 100 for one in t.paper_tables()["VI"].rows[name][0])
    r = [float(one) / 100 for one in name.split("-")]

    def next_mask(before, share, kept):
        again = rng.choice(before, round(kept * len(before)), replace=False)
        rest = np.setdiff1d(np.arange(d), before)
        return np.concatenate([again, rng.choice(rest, round(share * d) - len(again), replace=False)])

    a = rng.choice(d, round(r[0] * d), replace=False)
    b = next_mask(a, r[1], first)
    dropped, union = np.setdiff1d(a, b), np.union1d(a, b)
    c = np.concatenate([rng.choice(one, round(second * len(one)), replace=False) for one in (b, dropped)])
    c = np.concatenate([c, rng.choice(np.setdiff1d(np.arange(d), union), round(r[2] * d) - len(c), replace=False)])
    assert 100 * len(np.union1d(union, c)) / d == pytest.approx(t.union_totals()[name]["suggested"], rel=2e-3)
    assert 100 * max(len(union), len(c)) / d == pytest.approx(t.union_totals()[name]["least"], rel=2e-3)


def test_masks_of_fixed_weights_and_noise_overlap_as_drawn_ones():
    rng, d = np.random.default_rng(2), 2_000_000
    w = rng.standard_normal(d)
    kept = [np.argpartition(-w * rng.standard_normal(d), k)[:k] for k in (d // 100, d // 50)]
    found = len(np.intersect1d(*kept)) / len(kept[0]) / 0.02
    assert t.fixed_weight_ratio(0.01, 0.02) == pytest.approx(found, rel=0.06)  # about 3400 common ones: 3.5 standard errors


def test_how_many_equal_cells_are_expected_is_what_independent_runs_have():
    rng, n = np.random.default_rng(3), 30_000
    rows = [[*t.find_cells(f"XIX/{one}//{task}").values()] for one in t.paper_tables()["XIX"].rows for task in t.TASKS]
    at = [(t.example_count(task), (a + b) / 200) for row, task in zip(rows, [*t.TASKS] * 6, strict=True)
          for a, b in ((row[0], row[1]), (row[0], row[2]), (row[1], row[2]))]  # fmt: skip
    drawn = sum(float(np.mean(rng.binomial(N, p, n) == rng.binomial(N, p, n))) for N, p in at)
    finding = t.check_repeated_cells(of="XIX", rows="+".join(t.paper_tables()["XIX"].rows))
    assert finding.numbers["expected"] == pytest.approx(drawn, rel=0.025)  # 5 standard errors
    assert finding.outcome is Outcome.INCONCLUSIVE


def test_seventy_runs_are_told_apart():
    for task in t.TASKS:
        assert sum(len(t.find_cells(one)) for one in t.run_addresses(task)) == 70
    (trec,) = (claim for claim in page_claims("dp_zopo.said") if claim.key == "dp_zopo.section5_a.trec")
    assert trec.examine(**trec.arguments).numbers["probability"] == math.ldexp(1, -70)


def test_numbers_in_the_words_of_claims_are_those_that_are_computed():
    """Claims whose verdict would be the same with others."""
    found = {claim.key.removeprefix("dp_zopo."): claim for claim in page_claims("dp_zopo.said")}

    def numbers(key):
        return found[key].examine(**found[key].arguments).numbers

    strategies, selected = numbers("chance.strategies"), numbers("chance.selected")
    assert (strategies["beyond"], strategies["comparisons"]) == (11, 120)
    assert (selected["beyond"], selected["not for the best of several"]) == (0, 7)
    needed = numbers("ranges.c_1")
    assert (needed["OPT-2.7b"], max(needed.values())) == pytest.approx((5.46, 5.46), abs=6e-3)
    assert (sum(one > 1 for one in needed.values()), len(needed)) == (3, 7)  # the paper gives no epsilon for translation
    clipped = numbers("table1.gaussian")
    ends = [t.check_clipped_share(difference=d, half=0.0, C=30).numbers["clipped"] for d in (3.15e-5, 3.2e-5, 3.25e-5)]
    assert [clipped[name] for name in ("low", "clipped", "high")] == pytest.approx(ends)
    assert ends[1] == pytest.approx(13.46, abs=5e-3)
    repeated = t.check_repeated_cells(of="XIX", rows="+".join(t.paper_tables()["XIX"].rows)).numbers
    fewer = sum(math.exp(-repeated["expected"]) * repeated["expected"] ** k / math.factorial(k) for k in range(len(repeated["equal"])))
    assert repeated["probability"] == pytest.approx(1 - fewer, rel=1e-6)


@pytest.mark.parametrize(("won", "lost", "need", "outcome"), [
    (2, 1, "most", Outcome.CONSISTENT), (1, 1, "most", Outcome.REFUTED), (1, 2, "most", Outcome.REFUTED), (2, 1, "all", Outcome.REFUTED),
])  # fmt: skip
def test_half_of_the_cells_are_not_most_of_them(won, lost, need, outcome, monkeypatch):
    pairs = {f"won {k}": (2.0, 1.0) for k in range(won)} | {f"lost {k}": (1.0, 2.0) for k in range(lost)}
    monkeypatch.setattr(t, "paired_cells", lambda _: pairs)
    found = t.check_row_above(pairs=(), need=need)
    assert (found.outcome, found.numbers["cells"], found.numbers["in so many"]) == (outcome, won + lost, won)
