"""Claims about DPZero (Zhang, Li, Thekumparampil, Oh, He, ICML 2024; arXiv:2310.09639), one module and one page for each statement.

`statement` holds the checks that every statement shares, `printed` the formulas as printed, and each other module the checks that only its
own statement needs. Simulations come last. Sources name section, equation, table or line: the texts used here have no page numbers.
"""

# the pages of claims, in the order in which they are listed
PAGES = """
    definition_2_1 lemma_2_2 privacy_clause
    assumptions lemma_c1 lemma_c2
    theorems_1_and_2 theorem3 section4 remarks_4 corollaries_f remark_f5 table1 tables
    algorithms audits randomness last_iterate sharper random_directions worst figures figures_in_distribution
"""
SAMPLES = (40, 1000)  # random points at which every line of a proof is tried, in a quick run and in a full one
VOCABULARY = {  # words on the paper's page that need an explanation
    "A, X, Y, Delta_0, T*, cert(T)": "our abbreviations, in readings, questions and proofs only: A = log(e + epsilon/delta); X and Y "
    "are the arguments of the logarithms in L_tilde^2 and in the bounds of Corollaries F.2 to F.4; Delta_0 = F_S(x_0) - F_S^*; T* is "
    "the T that a statement prescribes, before it is rounded; cert(T) is the last bound of its proof at a whole T"
}
