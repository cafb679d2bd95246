"""What the paper says of its experiments: claims about Tables I to XXI, and what it would take to repeat them."""

from itertools import product
from typing import Any

from paper_checks.dp_zopo import tables as t
from paper_checks.dp_zopo.tables import BUDGETS, CONSTANT, DYNAMIC, INCREMENTAL, RATES, STAGED, STATIC, TASKS, above, each, vs
from paper_checks.examine.tables import untested
from paper_checks.verdict import Kind, Outcome, claim, question, reading

C, R, Q, OK, NOT, OPEN = claim, reading, question, Outcome.CONSISTENT, Outcome.REFUTED, Outcome.INCONCLUSIVE
ZO, SO, PREFIX, ALL, INTERVALS = "DP-ZOPO", "DP-ZOSO", "FT-prefix", f"{DYNAMIC}+{INCREMENTAL}", "0.7-1.3+0.8-1.2+0.9-1.1"
SAME, MOST, TIES = {"least": 0.0, "most": 0.0}, {"need": "most"}, {"least": 0.0}
GAINS = (
    ("II/DP-ZOPO", "II/DPZero", {"4/SST-5": 4.5, "4/MNLI": 5.5, "4/TREC": 4.4}),
    ("II/DP-ZOPO", "II/FT-prefix", {"4/MNLI": 10.9, "4/TREC": 7.6}), ("II/DP-ZOPO", "II/DP-ZOSO", {"4/MNLI": 7.6}),
    ("III/DP-ZOPO-dynamic", "III/DPZero", {"/CB": 9.2, "/BoolQ": 3.9}),
    ("III/DP-ZOPO-dynamic", "III/DP-ZOPO-static", {"/CB": 9.1, "/BoolQ": 3.8}), (f"XVI/{STATIC}", "XVI/100", {"zeroth/2": 2.7}),
    *(("VI/1-2-4", f"VI/{one}-{one}-{one}", {"/accuracy": value}) for one, value in ((1, 2.6), (2, 0.9), (4, 1.0))),
    ("VI/1-2-4*", "VI/1-2-4", {"/accuracy": 0.7}), ("XIX/2-4-8*", "XIII-XV/2", {"4/SNLI": 0.2}), ("XIX/2-4-8*", "XIII-XV/8", {"4/SNLI": 2}),
    *(("IX/DP-ZOPO", "IX/FT-prefix", dict(zip((f"{task}/{one}" for one in ("R1", "R2", "RL", "R-SUM")), values, strict=True)))
      for task, values in (("XSum", (3.21, 1.35, 2.44, 2.4)), ("CNN", (3.86, 1.94, 2.58, 2.6)))),
)  # fmt: skip
COPIES = (
    *each("XIII-XV/{}", "XVIII/{}", *RATES), *each("XVII/{}", "VII/{}", "static", "constant"), ("II/DP-ZOSO", "XIII-XV/100"),
    *each("XVI/{0}/zeroth/{1}", "XIII-XV/{0}/{1}/SNLI", *product((*RATES, "100"), BUDGETS)),
    *each("XVI/100/first/{}", "II/FT/{}/SNLI", *BUDGETS), *each("VI/{0}-{0}-{0}//accuracy", "XVIII/{0}*/4/SNLI", *RATES),
)  # fmt: skip
BEST = (  # the rows of Table VII, where their runs are, and a best result that is none
    ("static", f"XIII-XV/{STATIC}", ""), ("constant", f"XVIII/{CONSTANT}", "SST-5 at epsilon = 8 has 50.3, but no run is above 48.8"),
    ("dynamic", f"XIX/{DYNAMIC}", "TREC at epsilon = 4 has 90.4 of an incremental run, 88.6 is the best"),
    ("incremental", f"XIX/{INCREMENTAL}", ""),
)  # fmt: skip
BEST_OF_ALL = f"VII/{'+'.join(one for one, *_ in BEST)}"
STRATEGIES = (*each("XVIII/{}", "XVIII/{}*", *RATES), *each("XIX/{}*", "XIX/{}", *STAGED))
SIZES = {task: (0, 512 * classes, 6000) for task, classes in zip(TASKS, (2, 5, 3, 3, 6), strict=True)}
SIZES |= {"OPT-1.3b": (1, 1024, 6000), "OPT-2.7b": (2, 1024, 6000)}  # model, n, T of the settings that are said to be run at epsilon = 8
FIRST, ZEROTH = (f"XVI/{STATIC}/first", "XVI/100/first"), (f"XVI/{STATIC}/zeroth", "XVI/100/zeroth")
RATE = (("4", "2"), ("2", "4"), ("0.5", "8"), ("0.5", "inf"))  # a best one of Table XVI at each budget
ROWS = t.tables()["VI"].rows
TABLES: tuple[tuple[Any, ...], ...] = (
    # how it is stated, key, place; words; expected, why, what instead; pairs for `above` or another examination, its arguments
    (C, "gains", "Abstract; Sections I, V-B, V-E, V-G and V-H", "By how much accuracies, F1 and ROUGE are above others", OK,
     "24 differences", "", t.differences, {"printed": GAINS}),
    (Q, "copies", "Tables II, VI, VII, XIII to XVIII", "Cells that are in several tables agree", OK, "161 cells", "", COPIES, SAME),
    (C, "figure1.zoso", "Caption of Figure 1", "DP-ZOSO outperforms zero-shot and FT-prefix with RoBERTa-large", NOT,
     "it is below FT-prefix in 6 of 15 cells", "it outperforms zero-shot", vs("II", SO, f"Zero-shot {PREFIX}"), {}),
    (C, "figure1.zopo", "Caption of Figure 1", "DP-ZOPO far outperforms DPZero and DP-ZOSO", NOT, "SST-2 at epsilon = 2",
     "it is above them in 28 of 30 cells", vs("II", ZO, f"DPZero {SO}"), {}),
    (C, "section5_b.others", "Section V-B; Tables II and III", "DP-ZOPO is consistently better than zero-shot, prefix-tuning and ICL", OK,
     "in 46 cells", "", (*vs("II", ZO, f"Zero-shot {PREFIX}"), *vs("III", f"{ZO}-static {ZO}-dynamic", "Zero-shot ICL")), {}),
    (C, "section5_b.pruning", "Section V-B", "Pruning improves performance in all five tasks at epsilon = 2, 4, 8", NOT,
     "on SST-2 at epsilon = 2 it is 92.8 against 92.9", "in 14 of 15 cells", vs("II", ZO, SO), {}),
    (Q, "table2.stages", "Table II", "Stages alone do better than DPZero in most cells", NOT, "14 of 15 are lower, one is a tie",
     "they do worse, by 5.8 at the most", vs("II", SO, "DPZero"), MOST),
    (C, "table3.zoso", "Caption of Table III", "DP-ZOSO is better than zero-shot, ICL and DPZero with OPT-2.7b", NOT,
     "it is below DPZero on 3 of 4 tasks, below ICL on CB", "than zero-shot", vs("III", SO, "Zero-shot ICL DPZero"), {}),
    (R, "table3.dpzero", "Section V-B; Table III", "DP-ZOPO outperforms DPZero on all tasks, which we read of both variants", NOT,
     "static pruning ties it on MultiRC", "dynamic pruning does", vs("III", f"{ZO}-static {ZO}-dynamic", "DPZero"), {}),
    (C, "table3.dynamic", "Section V-B; caption of Table XX", "With OPT-2.7b dynamic pruning outperforms static pruning on all tasks", NOT,
     "on SST-2 it is 92.5 against 93.2", "on three of four", vs("III", f"{ZO}-dynamic", f"{ZO}-static"), {}),
    *((C, key, place, words, NOT, "they are counted", instead, t.listed, {"table": table, "printed": printed})
      for key, place, words, instead, table, printed in (
        ("introduction.four_models", "Section I", "Four language models are used", "RoBERTa-large, OPT-1.3b, OPT-2.7b", "X-XII", (4, 0)),
        ("table3.five_tasks", "Section V-B", "Table III has five tasks", "four", "III", (1, 5)),
        ("table20.five_tasks", "Caption of Table XX", "Table XX has five tasks", "four", "XX", (1, 5)),
        ("section2_b.studies", "Section II-B", "DPZero's paper has no empirical studies", "Table 2 has six tasks", "DPZero-2", (1, 0)))),
    *((stated, key, place, words, NOT, why, instead, t.listed, {"table": "X-XII", "row": row, "printed": printed, "model": model})
      for stated, key, place, words, why, instead, row, printed, model in (
        (C, "table4.reduced", "Caption of Table IV", "The dynamic beta is reduced from stage to stage", "in Table X and the text it grows",
         "it grows", f"{ZO} beta", (1e-5, 1e-6), 0),
        (C, "section5_d.beta", "Section V-D", "All later runs of RoBERTa-large have beta from 1e-6 to 1e-4", "Table X has another end",
         "1e-6 to 1e-5, or Table X is wrong", f"{ZO} beta", (1e-6, 1e-4), 0),
        (R, "section5_f.steps", "Section V-F", "Step sizes are 1e-5, 2e-5, ..., 1e-4, 2e-4", "Table X has others",
         "2e-4, 1e-4, 5e-6, or Table X is wrong", f"{ZO} LR", (*(round(k * 1e-5, 6) for k in range(1, 11)), 2e-4), 0),
        (Q, "table10.steps", "Table X", "DPZero has the step sizes of DP-ZOPO", "the largest is a tenth of it", "with OPT it has",
         "DPZero LR", (2e-4, 1e-4, 5e-6), 0),
        (Q, "table12.beta", "Table XII", "DPZero has the first beta of DP-ZOPO", "1e-4 against 1e-6", "in Tables X and XI",
         "DPZero beta", (1e-6,), 2))),
    (C, "section5_d.m2_m3", "Section V-D; Table IV", "M2 and M3 have a lower loss than every fixed beta", OK, "M1 has the highest of all",
     "", each("IV/loss//{0}", "IV/loss//{1}", *product(("1e-4", "1e-5", "1e-6"), ("M2", "M3"))), {}),
    (Q, "table1.gaussian", "Section IV-A; Table I", "At beta = 1e-6 a normal g with the mean |g| of Section IV-A is clipped as often", OK,
     "13.46 %, with C 1.5 times the deviation of g", "", t.gaussian, {"difference": 3.2e-5, "half": 0.05e-5, "C": 30}),
    (C, "section5_e.first_order", "Section V-E; Table XVI", "Pruning of a first-order method costs 0.2 % at larger budgets", NOT,
     "1.8 % without noise", "0.2 % at epsilon = 4 and 8", (FIRST,), {"least": -0.2}),
    (C, "section5_f.above_2", "Section V-F; Table XVI", "Pruning of the zeroth-order method gains above 2 % at all budgets", NOT,
     "1.5 at epsilon = 4", "1.5 to 4.9", (ZEROTH,), {"least": 2.0}),
    (C, "section5_f.four_to_five", "Section V-F; Table XVI", "Pruning gains 4 to 5 % at epsilon = 8 and infinity", NOT, "2.4 at infinity",
     "4.9 and 2.4", tuple((f"{ZEROTH[0]}/{one}", f"{ZEROTH[1]}/{one}") for one in ("8", "inf")), {"least": 4.0, "most": 5.0}),
    (C, "figure6.best_rate", "Figure 6; Section V-F", "The best rate on SNLI falls as the budget grows", OK, "4, 1 or 2, 0.5, 0.5 %", "",
     tuple((f"XVI/{one}/zeroth/{at}", f"XVI/{STATIC}/zeroth/{at}") for one, at in RATE), TIES),
    (C, "section5_f.rank_based", "Section V-F; Table V", "At epsilon = 4 and 8 rank-based weights outperform pruning alone", NOT,
     "on 4 tasks of 5 and on 2", "no effect is shown", each(f"V/{{}}/{{}}/{INTERVALS}", "V/{}/{}/1.0-1.0", *product(TASKS, "48")), {}),
    (C, "table5.small_budget", "Caption of Table V", "[1.0-1.0] is the best at epsilon = 2", OK, "with a tie", "",
     each("V/{}/2/1.0-1.0", f"V/{{}}/2/{INTERVALS}", *TASKS), TIES),
    (R, "table5.pruning_only", "Tables V and XIII to XV", "[1.0-1.0] is the best static pruning of these tables", NOT,
     "four cells of 15 differ", "not on SST-2, nor on SNLI at epsilon = 2",
     each("V/{0}/{1}/1.0-1.0", f"XIII-XV/{STATIC}/{{1}}/{{0}}", *product(TASKS, BUDGETS)), SAME),
    (C, "section5_b.table17", "Section V-B; Table XVII", "Table XVII shows that dynamic pruning outperforms static pruning", NOT,
     "it is lower in 13 of 15 cells", "the opposite", vs("XVII", "constant", "static"), MOST),
    (C, "section5_g.constant", "Section V-G; Figure 7", "At a constant rate static pruning beats dynamic pruning in most cases", OK,
     "44 of 75", "", STRATEGIES[:5], MOST),
    (R, "section5_g.rates", "Section V-G; Figure 8", "Rising rates do better than a constant one, which we read of all of Table VII", NOT,
     "not on SST-5, at any budget", "in 11 of 15 cells", vs("VII", "dynamic", "constant"), {}),
    *((C, f"table19.budget_{one}", "Caption of Table XIX", f"At epsilon = {one} incremental pruning beats dynamic pruning mostly", OK,
       why, "", each(f"XIX/{{}}*/{one}", f"XIX/{{}}/{one}", *STAGED), MOST)
      for one, why in zip(BUDGETS, ("8 of 15", "13 of 15", "10 of 15"), strict=True)),
    (C, "table7.incremental_best", "Sections V-B and V-G; Table VII", "Incremental pruning is as good as any in most cells", OK,
     "10 of 15", "", vs("VII", "incremental", "static+constant+dynamic"), MOST | TIES),
    *((C, f"table7.{one}", "Caption of Table VII", f"The row {one} has the best results across all rates", NOT if wrong else OK,
       wrong or "of all runs", wrong, ((f"VII/{one}", runs),), SAME) for one, runs, wrong in BEST),
    (R, "table2.best", "Tables II and VII", "DP-ZOPO in Table II is the best strategy of Table VII", NOT, "three cells differ",
     "51.1 and 80.7 are of Table V; on SST-5 at epsilon = 8 it is not the best", (("II/DP-ZOPO", BEST_OF_ALL),), SAME),
    (R, "table3.best", "Tables III and XX", "The dynamic row of Table III has the best of the dynamic strategies", NOT,
     "not on BoolQ", "69.2 on BoolQ", ((f"III/{ZO}-dynamic", f"XX/{ALL}"),), SAME),
    (R, "table20.static", "Tables III and XX", "Both have the same static row", NOT, "that of Table XX is DP-ZOSO's",
     "93.2, 69.7, 63.7, 61.9", (("XX/static", f"III/{ZO}-static"),), SAME),
    (R, "table6.table19", "Tables VI and XIX", "Both have the same accuracies on SNLI at epsilon = 4", NOT,
     "78.4 and 80.0 for 0.5-1-2 % incremental", "five of six", each("VI/{}//accuracy", "XIX/{}/4/SNLI", *ALL.split("+")), SAME),
    (C, "table2.zero_shot", "Table II", "Zero-shot has 51.4 on MNLI", NOT, "in DPZero's Table 2, which has the others, this is RTE", "48.8",
     each("II/Zero-shot/2/{}", "DPZero-2/Zero-shot//{}", *TASKS), SAME),
    (Q, "table21.dpzero", "Table XXI", "On SQuAD at epsilon = 2 DPZero is at most 5 points below its own paper", NOT, "21.7 and 11.7 below",
     "other steps, batches and delta", each("XXI/DPZero/{0}/2", "DPZero-5/DPZero/{0}", "OPT-1.3b", "OPT-2.7b"), {"least": -5.0}),
    (C, "section5_h.others", "Section V-H; Tables VIII and IX", "In translation and summaries DP-ZOPO beats FT-prefix, DPZero and DP-ZOSO",
     OK, "44 cells", "", (*vs("VIII", ZO, f"{PREFIX} DPZero {SO}"), *vs("IX", ZO, f"ICL {PREFIX} DPZero {SO}")), {}),
    (C, "table8.icl", "Section V-H; Table VIII", "No private fine-tuning is as good as ICL", NOT,
     "FT has the higher COMET with both models", "by BLEU", vs("VIII", "ICL", f"FT {PREFIX} DPZero {SO} {ZO}"), {}),
    (R, "table9.close", "Section V-H; Table IX", "DP-ZOSO and DP-ZOPO are close to FT, which we read as above zero-shot", NOT,
     "DP-ZOSO is below zero-shot on CNN/DM", "DP-ZOPO is", vs("IX", f"{SO} {ZO}", "Zero-shot"), {}),
    (C, "table21.caption", "Caption of Table XXI", "DP-ZOPO is better than ICL, DPZero, DP-ZOSO, FT-prefix and FT at all budgets", NOT,
     "OPT-1.3b at epsilon = 8: 75.24, as DP-ZOSO, FT 75.30", "in 28 of 30 cells", vs("XXI", ZO, f"ICL FT {PREFIX} DPZero {SO}"), {}),
    (C, "table6.total", "Table VI", "Totals are what is tuned at some stage", NOT, "8 are less than one stage, or two, tune",
     "about 1.49, 2.93, 5.75, 10.8, 19.8, 3.45, 6.72 and 13.0 %",
     t.totals, {"rows": each("{0}", "{0}", *ROWS), "over": "least", "low": 1 - 1e-9}),
    (Q, "table6.half", "Table VI", "Its totals are half of what its overlaps suggest", OK, "0.50 to 0.51 in all eight", "",
     t.totals, {"rows": each("{0}", "{0}", *(one for one in ROWS if "*" not in one)), "over": "suggested", "low": 0.495, "high": 0.515}),
    (C, "section4_d.fewer", "Section IV-D; Table VI", "Incremental pruning tunes fewer parameters than dynamic pruning", NOT,
     "4 against 3.38 %", "than the suggested 6.7 %", t.totals, {"rows": each("{}*", "{}", *STAGED), "over": "printed", "high": 1.0}),
    (Q, "table6.overlap", "Table VI; Algorithm 3", "Masks share with the next as much as those of fixed weights and a score of noise", NOT,
     "1.0 to 2.8 times what random masks do; fixed weights would give 2.4 to 10.4", "less, in 15 of 16 stages", t.overlap, {}),
    (Q, "ranges.c_1", "Theorem 1; Section V-A; Tables X to XII", "Theorem 1's range of epsilon holds 8 with c_1 = 1", NOT,
     "in three of seven settings it does not", "it needs c_1 = 5.46 with OPT-2.7b", t.in_range, {"sizes": SIZES, "budget": 8.0}),
    (Q, "chance.strategies", "Tables XVIII and XIX", "Most differences between strategies are beyond chance at 5 %", NOT, "11 of 120",
     "one in eleven is; 6 of 120 like ones would be", t.beyond, {"pairs": STRATEGIES}),
    (Q, "chance.selected", "Tables II, V and VII", "Most gains of DP-ZOPO over DPZero are beyond chance for a best of 19 runs", NOT, "none",
     "7 of 15 if there were no choice, for which no privacy is charged either", t.beyond, {"pairs": vs("II", ZO, "DPZero"), "tried": 19}),
    *((Q, f"chance.{key}", place, "As many cells of a row are equal at two budgets as of independent runs", OPEN, "far more are", "",
       t.repeated, {"of": of, "rows": rows}) for key, place, of, rows in (
        ("staged", "Table XIX", "XIX", ALL), ("constant", "Table XVIII", "XVIII", CONSTANT))),
    *((stated, f"section5_a.{key.lower()}", "Section V-A", f"{key} is tested on 1000 examples", outcome, why, instead,
       t.multiples, {"of": of, "step": step}) for stated, key, outcome, why, instead, of, step in (
        (C, "TREC", NOT, "70 runs are multiples of 0.2 %", "on 500", t.runs("TREC"), 2),
        (Q, "CB", OPEN, "seven runs are multiples of 0.4 %", "", tuple(f"XX/{one}//CB" for one in t.tables()["XX"].rows), 4),
        *((Q, one, OK, "odd tenths are there", "", t.runs(one), 2) for one in TASKS[:4]))),
    *((C, key, place, words, Outcome.NOT_TESTABLE, why, "", untested, {"sentence": f"{words}: it takes {what}"})
      for key, place, words, why, what in (
        ("tables.accuracies", "Tables I to XXI; Figures 9 and 11", "Accuracies, losses, the best of the grids", "no such model is here",
         "training RoBERTa-large and OPT on a GPU, none of which is here; the arithmetic is checked by other claims"),
        ("figure4.measured", "Section V-C; Figure 4", "Memory is 1.08 times that of inference, time 58.8 % of FT-prefix's, 28.5 % of FT's",
         "no such model is here", "these models on a GPU"),
        ("section5_b.concurrent", "Section V-B", "1.6 % above the method of [26] on SST-2", "a number of another paper", "its table"),
        ("remark1.section", "Remark 1; Section IV-D", "Empirical results are in Section A-B, those of the importance matrix in Table II",
         "found by reading", "no run: A-B has grids only; results are in Sections V and A-C, those of the matrix in Table V"),
        ("section5_a.reported", "Section V-A; Tables VIII and X to XII", "What was run can be run again", "found by reading",
         "P, k, lambda (regularization is 5e-4), the neighbours of the accountant, and the epsilon of Table VIII, which are not given"))),
)  # fmt: skip
CLAIMS = tuple(
    opened(f"dp_zopo.{key}", place, Kind.TABLE)
    .says(words)
    .expected(outcome, why, instead=instead)
    .examined(*(above,) if isinstance(what, tuple) else (what,), **({"pairs": what} if isinstance(what, tuple) else {}), **more)
    for opened, key, place, words, outcome, why, instead, what, more in TABLES
)
