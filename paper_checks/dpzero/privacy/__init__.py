"""Claims about privacy: Definition 2.1, Lemma 2.2, the clause of every theorem, and which randomness is secret."""
