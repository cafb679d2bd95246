"""The checks: what the papers claim, where theory and simulation meet, and a verdict with a witness for each claim.

    verdict           what a claim, a finding and a verdict are; errata: what is wrong in a paper
    record            what a check tried and found, from which its outcome follows
    pages             claims as text, `PAPER/*.page`, and formulas as the paper prints them
    shared            the checks that every paper may use: formulas, proofs, searches, privacy, audits, draws
    PAPER             the checks that one statement needs, in the module that has the name of its page; `PAPER/errata.page`
    recheck           the second checker of proofs, which shares no code with `bounds.proofs`; recheck_export: the same from an export
    run               checks claims in parallel; verdict_store keeps what they found

May import: `bounds`, `synthetic`. Start with `verdict`, then a page, `dpzero/theorem3.page`, and its module `dpzero/theorem3.py`.
"""

from bounds import renamed

renamed.keep_old_names({"paper_checks.as_printed": "paper_checks.pages.as_printed", "paper_checks.steps": "paper_checks.shared.steps"})
