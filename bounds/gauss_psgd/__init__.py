"""Gauss-PSGD and Ada-DP-SPIDER: private second-order stationary points (Tao, Zhang, Yu, Cheng, Dressler, Wang)."""

from bounds.contents import tables

# a result, the page where it stands, the names of its statement and of its proof there
THEOREMS, DERIVATIONS = tables(
    "gauss_psgd",
    """
    parameter_block  paper            -                   parameter_block
    lemma1           lemma1           LEMMA_1             lemma1
    corollary1       lemma1           COROLLARY_1         corollary1
    lemma2           lemma1           LEMMA_2             lemma2
    lemma3           lemmas_3_and_4   LEMMA_3             lemma3
    corollary2       lemmas_3_and_4   COROLLARY_2         corollary2
    lemma4           lemmas_3_and_4   LEMMA_4             lemma4
    lemma5           lemmas_5_and_6   LEMMA_5             lemma5
    lemma6           lemmas_5_and_6   LEMMA_6             lemma6
    theorem1         theorem1         THEOREM_1           -
    repaired_block   repaired_block   -                   repaired_block
    repaired         theorem1         THEOREM_1_REPAIRED  repaired
    lemma7           lemmas_7_to_9    LEMMA_7             lemma7
    lemma8           lemmas_7_to_9    LEMMA_8             lemma8
    theorem2         theorem2         THEOREM_2           theorem2
    remark2          theorem2         -                   remark2
    exponents        exponents        -                   exponents
    lemma9           lemmas_7_to_9    LEMMA_9             lemma9
    theorem3         theorem3         THEOREM_3           theorem3
    theorem4         theorem4         THEOREM_4           theorem4
    remark4          theorem4         REMARK_4            remark4
    lemma10          lemmas_10_to_17  LEMMA_10            -
    lemma11          lemmas_10_to_17  LEMMA_11            -
    corollary3       lemmas_10_to_17  COROLLARY_3         corollary3
    lemma12          lemmas_10_to_17  LEMMA_12            -
    lemma13          lemmas_10_to_17  LEMMA_13            -
    lemma14          lemmas_10_to_17  LEMMA_14            -
    lemma15          lemmas_10_to_17  LEMMA_15            -
    lemma16          lemmas_10_to_17  LEMMA_16            -
    lemma17          lemmas_10_to_17  LEMMA_17            -
    lemma18          lemmas_18_to_20  LEMMA_18            lemma18
    lemma19          lemmas_18_to_20  LEMMA_19            lemma19
    lemma20          lemmas_18_to_20  LEMMA_20            lemma20
    """,
)

__all__ = ["DERIVATIONS", "THEOREMS"]
