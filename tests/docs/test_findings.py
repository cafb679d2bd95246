"""What README and the pages in docs/ say of the papers is what the lab computes and what is committed."""

import math
import re
from html import unescape

import pytest

from tests.claims import claim_argument, page_claims
from tests.docs.said import GALLERY, TEXT, expect, provenance, table
from tests.docs.snippets import ROOT

PAPERS = ("dpzero", "gauss_psgd", "dp_grape", "dp_zopo")
NUMBER = re.compile(r"(?<![\w.^])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?(?![\w])", re.I)


def finding_page(paper):
    """Return the text of the page in docs/findings about a paper."""
    return (ROOT / "docs" / "findings" / f"{paper.replace('_', '-')}.md").read_text(encoding="utf-8")


def report_claims(paper):
    """Return the claims of a committed report by key, each as (outcome, text)."""
    page = (GALLERY / f"{paper.replace('_', '-')}-report.html").read_text(encoding="utf-8")
    found = re.findall(r'<article class="claim" id="([^"]*)" data-outcome="(\w+)".*?>(.*?)</article>', page, re.S)
    return {key: (outcome, " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())) for key, outcome, text in found}


def sections(paper):
    """Return the errata of a paper's page by number, each as its bullet texts by name."""
    parts = re.split(r"^### (E\d+): ", finding_page(paper), flags=re.M)
    bullets = [dict(re.findall(r"^- \*\*([\w ]+)\*\*: (.*)$", text.split("\n## ")[0], re.M)) for text in parts[2::2]]
    return dict(zip(parts[1::2], bullets, strict=True))


@pytest.mark.parametrize("paper", PAPERS)
def test_claims_errata_and_marks_are_counted(paper):
    from paper_checks import papers

    marks = [one.mark for one in papers.errata(paper)]
    claims = sum(claim.key.startswith(f"{paper}.") for claim in papers.claims())
    counts = [marks.count(mark) for mark in ("fatal", "repairable", "harmless")]
    page = finding_page(paper)
    assert "{} claims were checked. There are {} errata: {} fatal, {} repairable, {} harmless.".format(claims, len(marks), *counts) in page
    assert f'<a href="../{paper.replace("_", "-")}-report.html">' in page
    overview = (ROOT / "docs" / "findings" / "index.md").read_text(encoding="utf-8")
    (row,) = [line for line in overview.splitlines() if line.startswith("| [") and f"]({paper.replace('_', '-')}.md)" in line]
    assert [int(cell) for cell in row.split("|")[2:-1]] == [claims, len(marks), *counts]


@pytest.mark.parametrize("paper", PAPERS)
def test_the_table_of_verdicts_is_that_of_the_committed_reports(paper):
    outcomes = [outcome for outcome, _ in report_claims(paper).values()]
    counted = " | ".join(str(outcomes.count(one)) for one in ("PROVED", "CONSISTENT", "REFUTED", "INCONCLUSIVE", "NOT_TESTABLE"))
    assert re.search(rf'<a href="\.\./{paper.replace("_", "-")}-report\.html">[\w-]+</a> \| {re.escape(counted)} \|', TEXT)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_errata_of_a_page_have_their_marks_and_the_numbers_of_their_witnesses(paper):
    from paper_checks import papers

    errata, claims, found = {one.number: one for one in papers.errata(paper)}, report_claims(paper), sections(paper)
    assert len(found) == 10
    for number, bullets in found.items():
        assert list(bullets) == ["Where", "Printed", "Why it fails", "Witness", "What holds", "Mark"], number
        assert bullets["Mark"] == f"{errata[number].mark}. `theory-lab show {paper}.{number}`"
        keys = [f"{paper}-{key}".replace(".", "-") for key in errata[number].claims]
        known = [abs(float(one)) for key in keys for one in re.findall(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?", claims[key][1])]
        for written in NUMBER.findall(re.sub(r"\$[^$]*\$", "", bullets["Witness"])):
            digits = len(re.sub(r"e.*|[,.]", "", written).lstrip("0")) or 1
            near = {float(f"{scale * one:.{digits}g}") for one in known for scale in (1, 100)}
            assert float(written.replace(",", "")) in near, (paper, number, written)


def test_the_recommendation_is_that_of_the_command():
    import theory_lab as lab

    plan = lab.recommend("dpzero", n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0)
    expect(f"The printed bound is {plan.printed.bound:.3f}, above the trivial bound L^2 = 1. The sharp bound is {plan.sharp.bound:.5f} at "
         "the same privacy and number of steps")  # fmt: skip
    assert plan.printed.T == plan.sharp.T
    (caveat,) = [one for one in plan.caveats if "publish x_tau alone" in one]
    path = float(re.search(r"To publish x_T or the path, sigma = (\S+) is needed", caveat)[1])
    expect(
        "The printed sigma protects the whole path x_0, ..., x_T. The sharp sigma protects x_tau alone, whether tau is published or not. "
         f"This needs {100 * (1 - plan.sharp.sigma / path):.0f} % less noise than the path")  # fmt: skip
    lipschitz = [lab.recommend("dpzero", n=10_000, d=2_000, r=8.18, epsilon=2.0, delta=1e-6, L=1.0, ell=1.0, gap=1.0, B=1.0,
                               accountant="lipschitz", T_max=T) for T in ("printed", 10**6)]  # fmt: skip
    conditional = [one for plan in lipschitz for one in plan.caveats if "every possible record" in one]
    by_the_clip = [float(one.split("guarantees epsilon = ")[1].split()[0]) for one in conditional]
    expect(f"The bound is {lipschitz[0].sharp.bound:.5f}, and with `--T-max 1000000` it is {lipschitz[1].sharp.bound:.5f}. Without this "
         f"assumption, the clipping alone guarantees epsilon = {by_the_clip[0]:.2f} and {by_the_clip[1]:.2f}")  # fmt: skip


@pytest.mark.verify
def test_how_loose_theorem_3_is():
    from bounds.dpzero import looseness

    def between(values, digits):
        return f"{min(values):.{digits}f} to {max(values):.{digits}f}"

    found = looseness.against_sharper()
    ratios, free = ([getattr(one, name) for one in found] for name in ("ratio", "ratio_free"))
    expect(f"The printed bound is {between(ratios, 0)} times larger, and {between(free, 0)} times larger with T free")
    descents = [one for one in looseness.against_quadratic() if one.schedule == "printed"]
    printed, ours = ([getattr(one, name) for one in descents] for name in ("printed_over_exact", "sharp_over_exact"))
    expect(f"At the printed schedules the printed part is {between(printed, 1)} times the mean, and ours is {between(ours, 1)} times the "
         "mean")  # fmt: skip


def test_the_failures_of_lemma_2_2_and_the_delta_of_the_theorems():
    from bounds import privacy
    from paper_checks.dpzero.privacy.privacy_clause import counterexample

    spent = privacy.delta_gaussian(epsilon=100.0, sigma=privacy.sigma_lemma_2_2(epsilon=100.0, delta=0.1, T=1, sensitivity=1.0), T=1,
                                   sensitivity=1.0)  # fmt: skip
    expect(f"at (100, 0.1) its noise gives only delta = {spent:.3f}")
    at = {"epsilon": 200.0, "delta": 1e-5, "up": False}
    tau, last = (float(counterexample("dpzero.theorem1", last=which, **at)["delta spent is at least"]) for which in (False, True))
    expect(f"Theorem 1 at (200, 1e-5) has delta = {tau:.3e}".replace("e-0", "e-")
         + f" for x_tau and delta = {last:.2e} for x_T".replace("e-0", "e-"))  # fmt: skip
    failing = [epsilon for epsilon, delta in claim_argument("dpzero.theorem3.privacy", "points")
               if counterexample("dpzero.theorem3", epsilon=epsilon, delta=delta, last=False, up=False, B=1e6)["fails"]]  # fmt: skip
    assert failing == [1e6]
    expect("Theorem 3 has a larger C, and we show a failure at epsilon = 1e6 only")


def test_what_the_losses_cannot_avoid():
    from paper_checks.dpzero.experiments.figures import least_loss

    mean = {int(row["d"]): float(row["fresh_mean"]) for row in table("dpzero-3")
            if (row["measure"], row["spectrum"], row["method"]) == ("loss_test", "inverse", "dpzero")}  # fmt: skip
    expect(f"DPZero's losses grow {mean[2000] / mean[20]:.1f}-fold. The smallest possible loss $F_S^*$ itself grows "
         f"{least_loss(2000, 10_000) / least_loss(20, 10_000):.2f}-fold, and no method gets below it")  # fmt: skip


def test_where_the_printed_parameters_promise_something():
    from paper_checks.gauss_psgd.theorem2 import solve_fixed_point

    strict = [solve_fixed_point(row, 51_200.0, 1.0)[1] for row in claim_argument("gauss_psgd.theorem2.promises_strict", "rows")]
    once = [
        solve_fixed_point(row, 51_200.0, 1.0, "budget")[1].first_n for row in claim_argument("gauss_psgd.theorem2.promises_strict", "rows")
    ]
    loose = [solve_fixed_point(row, 1.0, 1 / 256)[1].first_n for row in claim_argument("gauss_psgd.theorem2.promises_loose", "rows")]

    def power(value):
        return f"{value:.0e}".replace("+", "")

    firsts = [one.first_n for one in strict]
    assert {row[0] for row in claim_argument("gauss_psgd.theorem2.promises_strict", "rows")} == {10, 50, 200}
    expect(f"They promise something first at {power(min(firsts))} to {power(max(firsts))} (d = 10 to 200), "
         f"and at {power(min(once))} to {power(max(once))} if each sample is used once")  # fmt: skip
    expect(f"They ask for {power(min(one.over_budget for one in strict))} n samples and more")
    expect("s = 1 and C = 1/256, which are below what the proofs ask. "
         f"With them the first n is {min(loose):.1e}.".replace("e+0", "e"))  # fmt: skip


def test_the_exponent_between_the_two_rates():
    from paper_checks.gauss_psgd.rates import check_rate_exponent as slope
    from paper_checks.verdict import Outcome

    expect(f"Along sqrt(d)/epsilon = n^(1/6), where the two are equal, the exponent in n is 13/42 = {13 / 42:.4f} at the printed kappa")
    assert slope(p=1 / 6, stated_slope=-13 / 42, tolerance=1e-3).outcome is Outcome.CONSISTENT


def test_what_algorithm_4_allows_and_what_it_selects():
    from bounds.gauss_psgd.selection import noise_constant
    from paper_checks.gauss_psgd.algorithms.algorithm4 import check_gradient_allowance

    experiment = provenance("psgd-selection")["experiment"]
    expect(f"(n = {experiment['n']:,}, epsilon = {experiment['epsilon']:g}, omega' = {experiment['omega']:g})")
    rows = {rule: [row for row in table("psgd-selection") if row["rule"] == rule] for rule in ("printed", "proved")}
    assert min(float(row["hessian_ratio_q5"]) for row in rows["printed"]) > 1
    assert min(float(row["gradient_ratio_q50"]) for row in rows["printed"]) > 1
    assert rows["printed"][0]["d"] == "5"
    surely = [int(row["d"]) for row in rows["printed"] if float(row["gradient_ratio_q5"]) > 1]
    assert surely == [int(row["d"]) for row in rows["printed"] if int(row["d"]) >= surely[0]]
    expect("On the Hessian the noise is above its allowance in 95 % of the runs at every d from 5 on.")
    expect(
        f"On the gradient the noise is above its allowance in more than half of the runs at every d, and in 95 % from d = {surely[0]} on."
    )
    least = noise_constant("exact", epsilon=1.0, delta=1e-5, T=100)
    one, all_ = (
        100 * max(check_gradient_allowance(dimensions=(200,), omega=0.001, T=100, c_1=c_1).numbers.values()) for c_1 in (8.155, least)
    )
    expect(
        f"At omega' = 0.001 and d = 200 it is so in {one:.0f} % with c_1 = 8.155, the constant for one release. It is so in {all_:.0f} % "
         f"with {least:.2f}, the least that is private for all releases")  # fmt: skip
    assert {row["d"]: float(row["selected"]) for row in rows["printed"]} == {
        "5": 1, "10": 1, "20": 1, "40": 1, "60": 1, "80": 1, "120": 0}  # fmt: skip
    expect("A point is selected in every run up to d = 80, and in none at d = 120.")
    assert {float(row["selected"]) for row in rows["proved"]} == {1.0}
    errors = [float(row["error"]) for row in rows["proved"]]
    assert errors == sorted(errors)


def test_what_the_scaled_parameters_do():
    rate, clients = provenance("psgd-rate"), provenance("psgd-distributed")
    failed = [(int(row["failed"]), int(row["runs"])) for row in table("psgd-rate")]
    expect(f"up to {max(failed)[0]} of the {max(failed)[1]} runs of a point run out of samples and return nothing")
    experiment = rate["experiment"]
    expect(f"(d = {experiment['d']}, k_R = {experiment['knobs']['k_R']})")

    def exponent(interval):
        value, low, high = interval
        return f"{-value:.2f} ± {(high - low) / 2:.2f}"

    found = {panel: (exponent(one["measured, 75 % of the runs"]), f"{-one['planned alpha'][0]:.2f}")
             for panel, one in rate["exponents"].items()}  # fmt: skip
    expect(f"Where sampling decides, it falls with exponent {found['sampling'][0]} in n (claimed 1/3, planned {found['sampling'][1]}; "
         "not yet asymptotic)")  # fmt: skip
    expect(f"Where privacy decides, it falls with exponent {found['privacy'][0]} in n and {found['epsilon'][0]} in epsilon (claimed 2/5, "
         f"planned {found['privacy'][1]} and {found['epsilon'][1]})")  # fmt: skip
    noise = exponent(clients["exponents in m, even m"]["rms noise, one schedule (claimed -1/2)"])
    expect(f"The noise falls with exponent {noise} in the number of clients")


def test_the_caveat_of_a_scaled_plan_names_what_the_figure_shows():
    from bounds.gauss_psgd.recommend import recommend

    plan = recommend("gauss_psgd", n=1e5, d=10, epsilon=8.0, delta=1e-5, L=3.17, ell=1.0, rho=1.0, U=17.0)
    failed = max((int(row["failed"]), int(row["runs"])) for row in table("psgd-rate"))
    assert any(f"Up to {failed[0]} of {failed[1]} runs of a point of the figure psgd-rate" in caveat for caveat in plan.caveats)


def quick_finding(key):
    """Return the finding of the quick check of a claim."""
    from paper_checks import papers
    from paper_checks.run import check_claim

    (claim,) = (claim for claim in papers.claims() if claim.key == key)
    return check_claim(claim)[0]


def test_what_theorem_3_says_at_the_values_of_the_experiment():
    thresholds = quick_finding("dpzero.section4.smaller_threshold").numbers["C / (L sqrt(d))"]
    expect(f"is below the worst case L sqrt(d) only from d = {min(d for d, ratio in thresholds.items() if ratio < 1)} on")
    bounds = [value for row in quick_finding("dpzero.theorem3.says_something").numbers.values() for value in row]
    expect(f"(7) is below the trivial bound L^2 in {sum(value < 1 for value in bounds)} of {len(bounds)} settings")
    excess = float(quick_finding("dpzero.corollary_f2.ceil").witness["cert(T) / printed bound - 1"])
    expect(f"Corollary F.2's certified bound misses the printed bound by {100 * excess:.0f} %")


def test_the_escape_that_the_printed_log_factor_does_not_give():
    seen = quick_finding("gauss_psgd.corollary1.printed_ln").numbers
    expect(f"the drift radius is {seen['R in deviations of x_Gamma']:.0f} standard deviations away")
    assert seen["escapes"] == 0


def test_the_drop_that_lemma_4_claims():
    drops = [quick_finding(f"gauss_psgd.lemma4.printed_{name}").numbers for name in ("s4_ln", "s10_ln", "s4_log2")]
    means = [one["mean drop / Phi"] for one in drops]
    expect(f"The drop is {min(means):.2f} to {max(means):.2f} of what it claims, in every run")
    assert all(one["below Phi"] == one["rounds"] for one in drops)


def test_what_second_order_points_cost_as_printed():
    from bounds.gauss_psgd.recommend import recommend

    plan = recommend("gauss_psgd", n=1e6, d=10, epsilon=8.0, delta=1e-5, L=3.17, ell=1.0, rho=1.0, U=17.0)
    first = f"{plan.printed_promise.first_n:.0e}".replace("+", "")
    expect(f"alpha = {plan.printed.accuracy:,.0f}: nothing is promised below {first} samples")


def test_what_the_plans_of_dp_grape_promise():
    from bounds.dp_grape.recommend import recommend

    problem = {"n": 1e7, "d": 10_000, "epsilon": 1.0, "delta": 1e-6, "L": 1.0, "ell": 1.0, "gap": 1.0, "spread": 1.0, "r": 8, "layers": 10}
    plan = recommend("dp_grape", **problem)
    expect(f"The formula of the paper gives {plan.printed.bound:.4f}, and its proof does not reach it. The repaired theorem certifies "
         f"{plan.repaired.certified:.6f} after {plan.repaired.T:,} steps. The sharp theorem certifies {plan.sharp.certified:.6f} after "
         f"{plan.sharp.T / 1e7:.3f}e7 steps, where the paper prints {plan.printed.T / 1e7:.3f}e7")  # fmt: skip
    assert plan.repaired.T <= plan.printed.T
    assert plan.sharp.T <= plan.printed.T
    expect(f"Its bound is {10 * round(plan.printed.bound / plan.sharp.certified / 10)} times smaller than the formula of the paper")


def test_what_the_figures_of_dp_grape_show():
    rows = [row for row in table("grape-digits") if row["panel"] == "difference"]
    for words, method in (("DP-GRAPE stays {} points below DP-Adam", "dp_grape"), ("naive DP-GaLore {}", "dp_galore")):
        below = [-100 * float(row["value"]) for row in rows if row["method"] == method]
        assert len(below) == 4
        expect(words.format(f"{min(below):.0f} to {max(below):.0f}"))
    turns = provenance("grape-direction")["naive with SVD overtakes at snr"].values()
    expect(f"only where noise is {round(1 / min(turns))} times as long as the gradient and more")
    assert max(turns) < 1.2 * min(turns)


@pytest.mark.verify
def test_what_batches_of_fixed_size_cost_above_known_data():
    from paper_checks.dp_grape.privacy import EXPERIMENTS
    from paper_checks.shared.batches import known_data_ratio

    over = [known_data_ratio(n=n, batch=batch, T=T, epsilon=float(epsilon), delta=delta) - 1
            for n, batch, T, delta, epsilons, _ in EXPERIMENTS.values() for epsilon in epsilons]  # fmt: skip
    steps = [T for _, _, T, *_ in EXPERIMENTS.values()]
    expect("Take the noise that is needed where all other records are known, alike and the same in every step. "
         f"In the {len(over)} settings of DP-GRAPE's experiments, of {min(steps):,} to {max(steps):,} steps, the sigma of the accountant "
         f"is {100 * min(over):.0f} to {100 * max(over):.0f} % above this noise")  # fmt: skip


def test_poisson_s_accountant_is_below_the_truth_for_batches_of_fixed_size():
    once = quick_finding("dp_grape.accounting.enumerated").numbers
    assert once["settings where Poisson's is below the truth"] == 2
    assert min(once["exact / accountant"]) > 0.999
    expect("Poisson's accountant is below the truth for batches of fixed size. One step attains the bound")


def test_what_the_plans_of_dp_zopo_promise():
    from bounds.dp_zopo.recommend import recommend

    problem = {"n": 1e5, "d": 50, "epsilon": 1.0, "delta": 1e-6, "L": 1.0, "growth_mu": 0.25, "radius": 1.0, "gap": 0.5}
    plan = recommend("dp_zoso", **problem, target=0.02, T_max=10**7)
    expect(f"The printed theorem promises {plan.printed.bound:g} and is false, so that only the trivial bound {plan.printed.certified:g} "
         f"holds there, and its noise is not private. The repaired theorem certifies {plan.repaired.certified:.4f}, and the sharp theorem "
         f"{plan.sharp.certified:.6f}")  # fmt: skip
    assert plan.certifies("printed") == "not private"
    expect(f"{16 * math.log(16 / 1e-3) / math.log(1 / 1e-3):.0f} times at P = 16 and delta = 1e-3")


def test_what_stages_gain_without_a_hessian():

    (claim,) = (one for one in page_claims("dp_zopo.repaired") if one.key == "dp_zopo.repaired.forgetting")
    found = claim.examine(**claim.arguments_of(True)).numbers
    expect(
        f"At n = 1e3, 1e4, 1e5, 1e6, 1e7 it certifies {', '.join(f'{one:.3g}' for one in found['gains'])} times the error of the stages."
    )
    assert all(1.28 < one < 1.36 for one in found["halves"])


def test_what_the_figures_of_dp_zopo_show():
    rows = {(float(row["C_over_L"]), int(row["stage"])): row for row in table("zopo-stages") if row["panel"] == "stages"}
    last = rows[min(ratio for ratio, _ in rows if ratio > 1.4), 6]
    expect(f"the gap ends at {float(last['value']):.4f} where {float(last['alpha_s']):.5f} is claimed")
    assert 10.5 < float(last["value"]) / float(last["alpha_s"]) < 11.9
    expect("The stages stall at eleven times the accuracy that it claims")
    (floor,) = (row for row in table("zopo-floor") if (row["P"], row["of"], row["n"]) == ("1", "as printed", "1000.0"))
    at_1024 = float(floor["mu_alpha_priv"]) * (1000 / 1024) ** 2
    expect(f"At the sizes of the paper's experiments it is {at_1024:.1e} over mu".replace("e+0", "e"))


def test_what_the_tables_of_dp_zopo_say():
    from paper_checks import papers

    claims = {one.key.removeprefix("dp_zopo."): one for one in papers.claims() if one.key.startswith("dp_zopo.")}
    (sentences,) = (one for one in papers.errata("dp_zopo") if one.number == "E43")
    expect(f"{len(sentences.claims)} sentences contradict their own numbers")
    for name, words, ours in (
        ("table6.total", "8 of 11 outside", "8 of 11 totals of tuned parameters are too small"),
        ("chance.selected", "0 of 15 differences", "none of the 15 gains over DPZero is beyond chance"),
    ):
        assert words in claims[name].examine(**claims[name].arguments_of(False)).sentence
        expect(ours)


def test_the_table_of_function_values_is_that_of_the_comparison():
    from bounds.dp_zopo.comparison import compare

    rows = compare(10**4, 1e6, 2.0, 1e-5, 1.0, 1.0, 10.0, 0.1, 1.0, target=5e-3, kept=(3.0, 1e-4, 0.1), batches=(False,))
    names = ("DPZero, a constant step", "DP-ZOSO, steps that halve", "the best decreasing steps that were found",
             "DP-ZOPO, if its mask keeps rank 3 of 10 and loses 1e-4")  # fmt: skip
    for row, name in zip(rows, names, strict=True):
        expect(f"| {name} | {row.function_values:.1e} |".replace("e+0", "e"))
        assert row.bound <= 5e-3


def test_poisson_batches_certify_the_same_error_with_the_values_of_the_table():
    from bounds.dp_zopo.comparison import Found, Problem

    problem = Problem(10**4, 1e6, 2.0, 1e-5, 1.0, 1.0, 10.0, 0.1, 1.0)
    row = problem.certified("dp_zoso", Found(0.005, 27912.0, 1, 10, 8, 0.06513625977848486, 3.4324740226053643), poisson=True)
    assert row.bound <= 5e-3
    expect(f"| DP-ZOSO, steps that halve | 3.0e7 | {row.function_values:.1e} |".replace("e+0", "e"))


def test_how_close_the_attacks_of_the_checks_come():
    """The reports hold full runs of today's claims, which other tests see to."""
    shares, convicted = {False: [], True: []}, 0  # of attacks on secret batches or not
    for paper in PAPERS:
        for key, (outcome, claim) in report_claims(paper).items():
            if not re.match(r"\w+-audit-", key):
                continue
            convicted += outcome == "REFUTED"
            if share := re.search(r"certify epsilon = \S+, (\S+) of the declared", claim):
                shares[bool(re.match(r"\w+-audit-\w*batches", key))].append(float(share[1]))
    exact, secret = shares[False], shares[True]
    assert (min(exact) >= 0.93, min(secret) >= 0.78) == (True, True)
    expect(
        f"In {len(exact)} attacks on noise that is exact, at least 0.93 of the declared epsilon is certified. In {len(secret)} attacks on "
         "secret batches it is at least 0.78. Each is wrong with a probability of at most 1e-9.")  # fmt: skip
    expect(f"{convicted} more attacks show that something is not private")
