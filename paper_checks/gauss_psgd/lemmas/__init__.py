"""Claims about Lemmas 1 to 20, Corollary 3 and Definition 8."""
