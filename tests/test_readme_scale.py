"""What the README says of dimension: Figure 1, its continuation in law, and settings in law, read off what is committed."""

import math
import re
from html import unescape

from tests.test_readme import ROOT, TEXT, said, table


def test_the_table_of_figure_1_is_that_of_its_csv():
    rows = {(row["spectrum"], row["method"], int(row["d"])): row for row in table("dpzero-1")}
    names = {"dpgd_0th": "DPGD-0th", "dpzero": "DPZero", "dp_gd": "DP-GD"}
    lines = [line for line in TEXT.splitlines() if re.match(r"\| (1|1/sqrt\(i\)|1/i)? ?\| DP", line)]
    written = iter(lines)
    for spectrum in ("flat", "inverse_sqrt", "inverse"):
        for method, name in names.items():
            first, last = (rows[spectrum, method, d] for d in (20, 2000))
            cells = [cell.strip() for cell in next(written).split("|")[2:-1]]
            assert cells[0] == name
            assert cells[1] == f"{float(first['fresh_mean']):.3f}"
            assert cells[2].split()[0] == f"{float(last['fresh_mean']):{'.3f' if float(last['fresh_mean']) < 1 else '#.3g'}}"
            if "x_0" in cells[2]:
                assert cells[2].endswith(f"(x_0: {float(last['at_x0']):#.3g})")
            half = (float(last["exponent_high"]) - float(last["exponent_low"])) / 2
            assert cells[3] == f"{float(last['exponent']):.2f} ± {half:.2f}"
    assert len(lines) == 9


def test_how_figure_1_is_read():
    rows = {(row["spectrum"], row["method"], int(row["d"])): row for row in table("dpzero-1")}
    dimensions = sorted({d for _, _, d in rows})

    def value(spectrum, method, d, column="fresh_mean"):
        return float(rows[spectrum, method, d][column])

    ratios = [value("inverse", "dpzero", d) / value("inverse", "dp_gd", d) for d in dimensions]
    said("on eigenvalues 1/i the means of DPZero stay within a factor 1.5 of DP-GD")
    assert max(*ratios, 1 / min(ratios)) < 1.5
    rises = [value("inverse", method, 2000) / value("inverse", method, 20) for method in ("dpzero", "dp_gd")]
    said(f"rise by a factor of about {round(min(rises))} from d = 20 to 2000")
    assert round(min(rises)) == round(max(rises))
    logarithm = math.log(2000) / math.log(20)
    said(f"rises by {logarithm:.1f} (exponent {math.log(logarithm) / math.log(100):.2f})")
    behind = [value(spectrum, "dpzero", 2000) / value(spectrum, "dp_gd", 2000) for spectrum in ("flat", "inverse_sqrt")]
    said(f"DPZero falls behind DP-GD by a factor of {min(behind):.0f} to {max(behind):.0f} at d = 2000")
    luck = {key: value(*key) / value(*key, "best_of_grid") for key in rows}
    worst = max(luck, key=luck.get)
    assert worst == ("inverse", "dpzero", 20)
    said(f"by up to a factor of {luck[worst]:.1f} at d = 20 (DPZero, 1/i: {value(*worst, 'best_of_grid'):.4f} against {value(*worst):.4f} "
         "on fresh runs)")  # fmt: skip


def report(paper):
    """The words of a committed report."""
    text = (ROOT / "figures" / "gallery" / f"{paper}-report.html").read_text(encoding="utf-8")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def in_law(dimensions):
    """What the report says of least errors in law between two dimensions: per method and measure exponent, low, high, factor; log(d)'s."""
    said_there = re.findall(
        r"(dpzero|dp_gd)_nearly_independent # (?:(?! # ).)*?xponent of the least error in law from d = "
        rf"{dimensions}, at 1 - 1e-09, means taken as normal: ([^;]*); that of log\(d\) is [\d.]+, a factor (\d+\.\d+)",
        report("dpzero"),
    )
    each = r"(\w+) (-?[\d.]+) \((-?[\d.]+) to (-?[\d.]+)\), a factor ([\d.]+)"
    found = {(method, one[0]): one[1:] for method, words, _ in said_there for one in re.findall(each, words)}
    return found, {factor for *_, factor in said_there}


def test_the_exponents_in_d_are_those_of_the_committed_report():
    sentences = " ".join(re.findall(r"xponent from d = 20 to 2000[^;]*;", report("dpzero")))
    ends = {name: (low, high) for name, low, high in re.findall(r"(\w+_(?:train|test)) 0\.\d+ \((0\.\d+) to (0\.\d+)\)", sentences)}
    assert ends["loss_train"] == ends["loss_test"]
    said(f"refuted for DPZero's losses ({' to '.join(ends['loss_test'])}; they grow")
    found, (logarithm,) = in_law("20 to 2,000")
    test, train, first = found["dpzero", "grad_norm_test"], found["dpzero", "grad_norm_train"], found["dp_gd", "grad_norm_test"]
    said(f"({' to '.join(test[1:3])} on the test set, {' to '.join(train[1:3])} on the training set, at 1 - 1e-9); open for DP-GD's, which "
         f"grow {first[3]}-fold, log(d) {logarithm}-fold")  # fmt: skip


def test_what_dimension_scaling_is_beyond_the_paper():
    (near, (log_near,)), (far, (log_far,)) = in_law("20 to 2,000"), in_law("2,000 to 1,000,000,000,000")
    test = "dpzero", "grad_norm_test"
    words = report("dpzero")
    ratio = re.search(r"least errors in law, is ([\d.]+) at d = 1,000,000,000,000", words)[1]
    said(f"Of the paper's 880 settings the least error of DPZero on eigenvalues 1/i grows {near[test][3]}-fold from d = 20 to 2,000, "
         f"log(d) {log_near}-fold, and {far[test][3]}-fold from there to 10^12 (log(d) {log_far}-fold), where it stays within a factor "
         f"{ratio} of DP-GD's")  # fmt: skip
    three = re.search(r"law, is ([\d.]+) at d = 20 \([^,]*, ([\d.]+) at d = 200 \([^,]*, ([\d.]+) at d = 2,000", words)
    said("in law ({}, {} and {} at d = 20, 200 and 2,000)".format(*three.groups()))
    law = {(row["method"], row["spectrum"], int(row["d"]), int(row["n"])): float(row["value"]) for row in table("dpzero-scale")
           if row["kind"] == "law"}  # fmt: skip
    said("On eigenvalues 1, with 10,000 samples, no method leaves x_0 at d = 10^9.")
    assert all(law[method, "flat", 10**9, 10**4] > 0.99 * math.sqrt(1e9) for method in ("dpzero", "dpgd_0th", "dp_gd"))
    said("at d = 10^9 more samples stop helping DPZero at n = 10^5, for want of steps")
    assert all(law["dpzero", one, 10**9, 10**9] > 0.97 * law["dpzero", one, 10**9, 10**5] for one in ("flat", "inverse_sqrt", "inverse"))
    assert law["dpzero", "inverse", 10**9, 10**5] < 0.8 * law["dpzero", "inverse", 10**9, 10**4]


def test_what_settings_in_law_do_on_data():
    rows = table("dpzero-tuned")
    logs = {method: [math.log(float(row["value"])) for row in rows if method in ("all", row["method"])] for method in ("all", "dpzero")}
    means = {method: f"{math.exp(sum(some) / len(some)):.3f}" for method, some in logs.items()}
    assert not any(float(row["value_low"]) > 1 for row in rows)
    said(f"its test gradient norm is {means['all']} times the winner's in the geometric mean of {len(rows)} cells (DPZero's "
         f"{len(logs['dpzero'])}: {means['dpzero']}) and worse beyond its interval in none")  # fmt: skip
    assert max(int(row["tuned_T"]) for row in rows) <= 5120
