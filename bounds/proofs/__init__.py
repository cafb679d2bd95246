"""Proofs as values, and the first of two programs that check them.

A proof is a `derivation.Derivation`: a list of named lines (`lines`), each with a certificate that a program checks (`certificates`) and
a formula that is attacked with numbers (`attack`). `support` lists what a line rests on, `facts` what may be taken without proof,
`wellformed` which expressions a line may have. The second checker, `paper_checks.recheck`, shares no code with this one.

May import: the modules of `bounds`. Start with `lines`, then `certificates`.
"""
