"""Figures of Gauss-PSGD: `escape`, `rate`, `selection`, `distributed`, `digits`; `experiments` has the cells that they share."""
