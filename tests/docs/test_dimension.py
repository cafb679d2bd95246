"""What the pages show: Figure 1, its continuation without data, tuned settings, read off what is committed; and every picture."""

import math
import re
from html import unescape

from tests.docs.test_findings import GALLERY, ROOT, expect, finding_page, table


def test_the_table_of_figure_1_is_that_of_its_csv():
    rows = {(row["spectrum"], row["method"], int(row["d"])): row for row in table("dpzero-1")}
    names = {"dpgd_0th": "DPGD-0th", "dpzero": "DPZero", "dp_gd": "DP-GD"}
    lines = [line for line in finding_page("dpzero").splitlines() if re.match(r"\| (1|1/sqrt\(i\)|1/i)? ?\| DP", line)]
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
    spectra, methods = ("flat", "inverse_sqrt", "inverse"), ("dpzero", "dpgd_0th", "dp_gd")

    def value(spectrum, method, d, column="fresh_mean"):
        return float(rows[spectrum, method, d][column])

    for d in dimensions:
        assert all(value("flat", method, d) > value("inverse_sqrt", method, d) > value("inverse", method, d) for method in methods)
        assert all(value(one, "dpgd_0th", d) > max(value(one, "dpzero", d), value(one, "dp_gd", d)) for one in spectra)
    expect("Every method improves with smaller effective rank, and DPGD-0th is worst at every d.")
    left = [100 * value(one, "dpgd_0th", 2000) / value(one, "dpgd_0th", 2000, "at_x0") for one in spectra]
    expect("Its norm is {:.0f} % of the value at x_0 for eigenvalues 1, {:.0f} % for 1/sqrt(i) and {:.0f} % for 1/i.".format(*left))
    ratios = [value("inverse", "dpzero", d) / value("inverse", "dp_gd", d) for d in dimensions]
    expect("On eigenvalues 1/i the means of DPZero stay within a factor 1.5 of DP-GD")
    assert max(*ratios, 1 / min(ratios)) < 1.5
    rises = [value("inverse", method, 2000) / value("inverse", method, 20) for method in ("dpzero", "dp_gd")]
    expect(f"rise by a factor of about {round(min(rises))} from d = 20 to 2000. The intervals of their exponents exclude 0")
    assert round(min(rises)) == round(max(rises))
    assert all(value("inverse", method, 2000, "exponent_low") > 0 for method in ("dpzero", "dp_gd"))
    logarithm = math.log(2000) / math.log(20)
    expect(f"The logarithm log(d) rises by {logarithm:.1f} (exponent {math.log(logarithm) / math.log(100):.2f})")
    behind = [value(spectrum, "dpzero", 2000) / value(spectrum, "dp_gd", 2000) for spectrum in ("flat", "inverse_sqrt")]
    expect(f"DPZero falls behind DP-GD by a factor of {min(behind):.0f} to {max(behind):.0f} at d = 2000")
    luck = {key: value(*key) / value(*key, "best_of_grid") for key in rows}
    worst = max(luck, key=luck.get)
    assert worst == ("inverse", "dpzero", 20)
    expect(f"by up to a factor of {luck[worst]:.1f}. This is at d = 20 (DPZero, 1/i: {value(*worst, 'best_of_grid'):.4f} against "
         f"{value(*worst):.4f} on fresh runs)")  # fmt: skip


def report_text(paper):
    """Return the text of a committed report without its HTML tags."""
    text = (GALLERY / f"{paper}-report.html").read_text(encoding="utf-8")
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def growth_in_report(dimensions):
    """Read the growth of least expected errors between two dimensions from the report of DPZero.

    Return, by (method, measure), exponent, low, high and factor as text; and the set of factors of log(d).
    """
    said_there = re.findall(
        r"(dpzero|dp_gd)_nearly_independent # (?:(?! # ).)*?xponent of the least error in law from d = "
        rf"{dimensions}, at 1 - 1e-09, means taken as normal: ([^;]*); that of log\(d\) is [\d.]+, a factor (\d+\.\d+)",
        report_text("dpzero"),
    )
    each = r"(\w+) (-?[\d.]+) \((-?[\d.]+) to (-?[\d.]+)\), a factor ([\d.]+)"
    found = {(method, one[0]): one[1:] for method, words, _ in said_there for one in re.findall(each, words)}
    return found, {factor for *_, factor in said_there}


def test_the_exponents_in_d_are_those_of_the_committed_report():
    sentences = " ".join(re.findall(r"xponent from d = 20 to 2000[^;]*;", report_text("dpzero")))
    ends = {name: (low, high) for name, low, high in re.findall(r"(\w+_(?:train|test)) 0\.\d+ \((0\.\d+) to (0\.\d+)\)", sentences)}
    assert ends["loss_train"] == ends["loss_test"]
    expect(f"The claim is refuted for DPZero's losses, whose exponent is {' to '.join(ends['loss_test'])} (confidence 1 - 2e-8)")
    found, (logarithm,) = growth_in_report("20 to 2,000")
    test, train, first = found["dpzero", "grad_norm_test"], found["dpzero", "grad_norm_train"], found["dp_gd", "grad_norm_test"]
    expect(f"Their exponents are {' to '.join(test[1:3])} on the test set and {' to '.join(train[1:3])} on the training set (confidence "
         "1 - 1e-9)")  # fmt: skip
    expect(f"The claim is open for DP-GD's gradient norms, which grow {first[3]}-fold while log(d) grows {logarithm}-fold")


def test_what_dimension_scaling_is_beyond_the_paper():
    (near, (log_near,)), (far, (log_far,)) = growth_in_report("20 to 2,000"), growth_in_report("2,000 to 1,000,000,000,000")
    test = "dpzero", "grad_norm_test"
    words = report_text("dpzero")
    ratio = re.search(r"least errors in law, is ([\d.]+) at d = 1,000,000,000,000", words)[1]
    expect(f"Of the paper's 880 settings, the least error of DPZero on eigenvalues 1/i grows {near[test][3]}-fold from d = 20 to 2,000. "
         f"log(d) grows {log_near}-fold.")  # fmt: skip
    expect(
        f"From there to 10^12 it grows {far[test][3]}-fold, and log(d) {log_far}-fold. There it stays within a factor {ratio} of DP-GD's."
    )
    three = re.search(r"law, is ([\d.]+) at d = 20 \([^,]*, ([\d.]+) at d = 200 \([^,]*, ([\d.]+) at d = 2,000", words)
    expect("the least expected errors of the 880 settings: the factors are {}, {} and {} at d = 20, 200 and 2,000".format(*three.groups()))
    law = {(row["method"], row["spectrum"], int(row["d"]), int(row["n"])): float(row["value"]) for row in table("dpzero-scale")
           if row["kind"] == "law"}  # fmt: skip
    expect("On eigenvalues 1, with 10,000 samples, no method leaves x_0 at d = 10^9.")
    assert all(law[method, "flat", 10**9, 10**4] > 0.99 * math.sqrt(1e9) for method in ("dpzero", "dpgd_0th", "dp_gd"))
    expect("At d = 10^9 more samples stop helping DPZero at n = 10^5, because its number of steps is limited.")
    assert all(law["dpzero", one, 10**9, 10**9] > 0.97 * law["dpzero", one, 10**9, 10**5] for one in ("flat", "inverse_sqrt", "inverse"))
    assert law["dpzero", "inverse", 10**9, 10**5] < 0.8 * law["dpzero", "inverse", 10**9, 10**4]


def test_what_tuned_settings_do_on_data():
    rows = table("dpzero-tuned")
    logs = {method: [math.log(float(row["value"])) for row in rows if method in ("all", row["method"])] for method in ("all", "dpzero")}
    means = {method: f"{math.exp(sum(some) / len(some)):.3f}" for method, some in logs.items()}
    assert not any(float(row["value_low"]) > 1 for row in rows)
    expect(f"Its test gradient norm is {means['all']} times the winner's in the geometric mean of {len(rows)} cells (DPZero's "
         f"{len(logs['dpzero'])}: {means['dpzero']}). It is worse beyond its interval in none.")  # fmt: skip
    assert max(int(row["tuned_T"]) for row in rows) <= 5120


def test_the_gallery_has_every_committed_picture_and_its_command():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    found = re.findall(
        r"^### ([\w-]+): .*\n\n!\[.+\]\(\.\./figures/gallery/([\w-]+)\.png\)\n\n.+\n\n`theory-lab figure ([\w-]+)`$", text, re.M
    )
    assert all(len(set(names)) == 1 for names in found)
    assert sorted(name for name, *_ in found) == sorted(path.stem for path in GALLERY.glob("*.png"))
