"""The table of the proof chains of Gauss-PSGD: each is written out when it is first asked for."""

from __future__ import annotations

from bounds.contents import OnDemand, proof

DERIVATIONS = OnDemand(
    {
        "gauss_psgd.parameter_block": proof("bounds.gauss_psgd.proofs_saddle:parameter_block"),
        "gauss_psgd.lemma18": proof("bounds.gauss_psgd.proofs_escape:lemma18"),
        "gauss_psgd.lemma19": proof("bounds.gauss_psgd.proofs_escape:lemma19"),
        "gauss_psgd.lemma20": proof("bounds.gauss_psgd.proofs_others:lemma20"),
        "gauss_psgd.lemma1": proof("bounds.gauss_psgd.proofs_saddle:lemma1"),
        "gauss_psgd.corollary1": proof("bounds.gauss_psgd.proofs_rounds:corollary1"),
        "gauss_psgd.lemma2": proof("bounds.gauss_psgd.proofs_rounds:lemma2"),
        "gauss_psgd.lemma3": proof("bounds.gauss_psgd.proofs_descent:lemma3"),
        "gauss_psgd.corollary2": proof("bounds.gauss_psgd.proofs_descent:corollary2"),
        "gauss_psgd.lemma4": proof("bounds.gauss_psgd.proofs_descent:lemma4"),
        "gauss_psgd.lemma5": proof("bounds.gauss_psgd.proofs_errors:lemma5"),
        "gauss_psgd.lemma6": proof("bounds.gauss_psgd.proofs_counts:lemma6"),
        "gauss_psgd.repaired_block": proof("bounds.gauss_psgd.proofs_repaired:repaired_block"),
        "gauss_psgd.repaired": proof("bounds.gauss_psgd.proofs_theorem1:repaired"),
        "gauss_psgd.corollary3": proof("bounds.gauss_psgd.proofs_concentration:corollary3"),
        "gauss_psgd.lemma7": proof("bounds.gauss_psgd.proofs_spider:lemma7"),
        "gauss_psgd.lemma8": proof("bounds.gauss_psgd.proofs_spider:lemma8"),
        "gauss_psgd.lemma9": proof("bounds.gauss_psgd.proofs_clients:lemma9"),
        "gauss_psgd.theorem2": proof("bounds.gauss_psgd.proofs_rates:theorem2"),
        "gauss_psgd.remark2": proof("bounds.gauss_psgd.proofs_rates:remark2"),
        "gauss_psgd.exponents": proof("bounds.gauss_psgd.proofs_exponents:exponents"),
        "gauss_psgd.theorem3": proof("bounds.gauss_psgd.proofs_rates:theorem3"),
        "gauss_psgd.theorem4": proof("bounds.gauss_psgd.proofs_selection:theorem4"),
        "gauss_psgd.remark4": proof("bounds.gauss_psgd.proofs_selection:remark4"),
    }
)
