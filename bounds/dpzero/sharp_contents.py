"""Our sharper theorems and their proofs, by key; what each says is at the head of `bounds.dpzero.sharp`."""

from __future__ import annotations

from bounds.contents import OnDemand, proof, statement

THEOREMS = OnDemand(
    {
        "dpzero.sharp_tail_linear": statement("bounds.dpzero.sharp_tail:LINEAR"),
        "dpzero.sharp_tail_lipschitz": statement("bounds.dpzero.sharp_tail:LIPSCHITZ"),
        "dpzero.sharp_bias": statement("bounds.dpzero.sharp_bias:LEMMA"),
        "dpzero.sharp_clip": statement("bounds.dpzero.sharp_clip:LEMMA"),
        "dpzero.sharp_clip_lipschitz": statement("bounds.dpzero.sharp_rough:LEMMA"),
        "dpzero.sharp_event": statement("bounds.dpzero.sharp_event:THEOREM"),
        "dpzero.sharp_clip_bias": statement("bounds.dpzero.sharp:CLIP_BIAS"),
        "dpzero.sharp_lipschitz": statement("bounds.dpzero.sharp:LIPSCHITZ"),
        "dpzero.sharp_never_clip": statement("bounds.dpzero.sharp:NEVER_CLIP"),
        "dpzero.sharp_dpgd_0th": statement("bounds.dpzero.sharp:DPGD_0TH"),
        "dpzero.sharp_dpgd_0th_never_clip": statement("bounds.dpzero.sharp:DPGD_0TH_NEVER_CLIP"),
        "dpzero.sharp_dp_gd": statement("bounds.dpzero.sharp:DP_GD"),
        "dpzero.sharp_start": statement("bounds.dpzero.sharp:START"),
    }
)

DERIVATIONS = OnDemand(
    {
        "dpzero.sharp_tail_linear": proof("bounds.dpzero.sharp_tail:linear_proof"),
        "dpzero.sharp_tail_lipschitz": proof("bounds.dpzero.sharp_tail:lipschitz_proof"),
        "dpzero.sharp_bias": proof("bounds.dpzero.sharp_bias:proof"),
        "dpzero.sharp_clip": proof("bounds.dpzero.sharp_clip:proof"),
        "dpzero.sharp_clip_lipschitz": proof("bounds.dpzero.sharp_rough:proof"),
        "dpzero.sharp_descent": proof("bounds.dpzero.sharp_descent:proof"),
        "dpzero.sharp_event": proof("bounds.dpzero.sharp_event:proof"),
        "dpzero.sharp_clip_bias": proof("bounds.dpzero.sharp_proofs:clip_bias_proof"),
        "dpzero.sharp_lipschitz": proof("bounds.dpzero.sharp_proofs:lipschitz_proof"),
        "dpzero.sharp_never_clip": proof("bounds.dpzero.sharp_proofs:never_clip_proof"),
        "dpzero.sharp_dpgd_0th": proof("bounds.dpzero.sharp_proofs:dpgd_0th_proof"),
        "dpzero.sharp_dpgd_0th_never_clip": proof("bounds.dpzero.sharp_proofs:dpgd_0th_never_clip_proof"),
        "dpzero.sharp_dp_gd": proof("bounds.dpzero.sharp_proofs:dp_gd_proof"),
        "dpzero.sharp_start": proof("bounds.dpzero.sharp_proofs:start_proof"),
    }
)
