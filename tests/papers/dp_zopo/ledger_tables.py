"""What the ledger must keep of DP-ZOPO's tables and what is said of them."""

from paper_checks.errata import IN_WORDS, OPEN

LEAST = {"printed": 42, "reading": 9, "question": 18}
MARKED = {
    "repairable": "E36 E37 E39 E42 E44 E49 E55",
    "harmless": "E35 E38 E40 E41 E43 E45 E46 E47 E48 E50 E51 E52 E54 E56 E61 E62",
}
SUBJECTS = {
    "E35": "table2.zero_shot", "E36": "table6.total", "E37": "section4_d.fewer", "E38": "table6.table19", "E39": "table7.constant",
    "E40": "table7.dynamic", "E41": "table20.static", "E42": "table2.best", "E43": "figure1.zoso", "E44": "table2.stages",
    "E45": "table4.reduced", "E46": "section5_f.steps", "E47": "section2_b.studies", "E48": "chance.staged", "E49": "table10.steps",
    "E50": "remark1.section", "E51": "chance.strategies", "E52": "table6.overlap", "E54": "table5.pruning_only",
    "E55": "section5_a.reported", "E56": "section5_a.trec", "E61": "table9.close", "E62": "section5_g.rates",
}  # fmt: skip
NOT_SHOWN = {"E48": OPEN, "E50": IN_WORDS}
