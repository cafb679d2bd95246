"""Claims about the experiments: Figures 1 to 3, on data and in distribution, the tables, the last iterate, the worst cases."""
