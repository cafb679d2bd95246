"""Planted faults in the accounting."""

from tests.paper_checks.lies import Lie

LIES = (
    Lie(
        "Lemma 2.2 with half the noise",
        "bounds/privacy.py",
        "return _total_sensitivity(T, sensitivity) / _mu_lemma_2_2(epsilon, delta)",
        "return _total_sensitivity(T, sensitivity) / _mu_lemma_2_2(epsilon, delta) / 2",
        ("dpzero.lemma_2_2.up_to_83",),
    ),
)
