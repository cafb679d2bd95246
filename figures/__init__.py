"""The papers' figures, drawn again."""
