"""Figures of Gauss-PSGD: `escape`, `rate`, `selection`, `distributed`, `digits`; `experiments` has what they share."""
