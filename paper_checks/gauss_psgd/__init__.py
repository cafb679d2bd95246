"""Claims about Gauss-PSGD (Tao, Zhang, Yu, Cheng, Dressler, Wang), one module for one statement or a few, in the order of the paper.

Corollary 1 is with Lemma 1, Corollary 2 with Lemma 3, Remark 1 with Theorem 1, Remark 2 with the rates, Remarks 4 and 5 with Theorem 4,
Definitions 6 and 7 with Corollary 3; the other definitions, the assumptions and the rest of the text are in the discussion.
"""

# the pages of claims, in the order in which they are listed
PAGES = """
    block lemmas_18_to_20 lemmas_1_and_2 lemmas_3_and_4 lemmas_5_and_6 theorem1
    algorithms_2_and_3 lemmas_7_to_9 algorithm1 theorem2 exponents rates theorem3 definition_8_lemmas_16_17 algorithm4 theorem4
    corollary_3_lemmas_10_to_15 discussion scaled audits
"""
VOCABULARY = {  # words on the paper's page that need an explanation
    "continue, history, renew": "what the gradient oracle of Gauss-PSGD remembers when a round of escape starts again at its saddle, "
    "which the paper leaves open: it goes on from its last call (continue), it is put back to what it knew at the start of the phase "
    "(history), or it draws a fresh gradient (renew)",
}
