"""What calls of all papers take: the privacy that is asked for, and releases of a sensitivity."""

PRIVACY = {"epsilon": 1.0, "delta": 1e-6}
RELEASES = {"T": 10, "sensitivity": 0.1}
