"""Claims about the appendices: Lemmas C.1 and C.2, Corollaries F.2 to F.4, Remark F.5."""
