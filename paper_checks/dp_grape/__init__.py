"""Claims about DP-GRAPE (Mulrooney, Gupta, Flemings, Zhang and others, arXiv:2506.15588), one module for one statement or a few.

`printed` has the formulas of the paper, the page `errata` its errors. Sources name section, equation, table, algorithm or line: the text
used here has no page numbers.
"""

# the pages of claims, in the order in which they are listed
PAGES = """
    algorithms privacy theorem_4_1 audits
    lemmas_d4_to_d9 theorem_d10 sharper moments rates projections memory experiments
"""
