"""Planted faults in the transcribed tables, the synthetic experiment and its judgement, the orders, and what errata E9 to E20 rest on."""

from tests.paper_checks.lies import Lie

LEDGER = "paper_checks/dpzero/"
TABLES, EXPERIMENT, JUDGE, RATES = (
    LEDGER + "tables.py",
    LEDGER + "synthetic_experiment.py",
    LEDGER + "figure_claims.py",
    LEDGER + "rates.py",
)
SATURATES = ("dpzero.figure1.dpgd_0th_saturates",)
FRESH = '"dataset": 1 + k, "seed": e.seed + 1 + k,'

LIES = (
    Lie("Table 2 with a digit off", TABLES, '"DPZero, 6": (92.2, 49.3, 77.8,', '"DPZero, 6": (92.2, 49.3, 78.8,',
        ("dpzero.table2.drop_dpzero",)),
    Lie("Table 2 with two columns exchanged", TABLES, "72.8, 74.7, 89.2)", "74.7, 72.8, 89.2)", ("dpzero.table2.drop_first_order",)),
    Lie("drops the wrong way round", TABLES, "return [round(b - a, 1)", "return [round(a - b, 1)",
        ("dpzero.table2.drop_first_order", "dpzero.table2.drop_dpzero")),
    Lie("Table 5 with a row from another epsilon", TABLES, '"DPZero, 6": (72.6, 24.7, 75.7, 24.6, 79.5, 28.4)',
        '"DPZero, 6": (70.1, 23.9, 71.9, 23.1, 77.1, 27.6)', ("dpzero.table4.drop_opt",)),
    Lie("Table 9 with a digit off", TABLES, '"LoRA": (93.3, 0.821, 10366), "DP-LoRA": (90.2',
        '"LoRA": (93.3, 0.812, 10366), "DP-LoRA": (90.2',
        ("dpzero.table9.agrees",)),
    Lie("the experiment without its longest runs", EXPERIMENT, "640, 1280, 2560, 5120)\n    alphas", "640, 1280, 2560)\n    alphas",
        ("dpzero.table6.grid",)),
    Lie("the experiment's sensitivity is C/n", EXPERIMENT, "sensitivity=2 * C / self.n", "sensitivity=C / self.n",
        ("dpzero.table6.noise",)),
    Lie("every horizon gets the noise of the first", EXPERIMENT, "T=T, sensitivity", "T=self.horizons[0], sensitivity",
        ("dpzero.table6.noise",)),
    Lie("eigenvalues 1/i fall like 1/i^2", "synthetic/objectives.py", '"inverse": 1.0 / i}', '"inverse": 1.0 / i**2}',
        ("dpzero.table6.spectra",)),
    Lie("fresh runs with noise on the sum in place of the mean", EXPERIMENT, '"sigma": [float(sigma[j, k]) for',
        '"sigma": [e.n * float(sigma[j, k]) for', SATURATES),
    Lie("fresh runs that share data and draws", EXPERIMENT, FRESH, '"dataset": 1, "seed": e.seed + 1,', SATURATES),
    Lie("the winner's own value in place of fresh runs", EXPERIMENT,
        "fresh = clustered_mean(values[:, Measures.NAMES.index(name), :, winners.index((i, j, k))])",
        "fresh = clustered_mean(np.full((len(batch), 1), table[i, j, k]))", SATURATES),
    Lie("the worst setting wins", EXPERIMENT, "np.nanargmin(table)", "np.nanargmax(table)", SATURATES),
    Lie("fresh runs are read off another measure", EXPERIMENT, "values[:, Measures.NAMES.index(name)",
        'values[:, Measures.NAMES.index("loss_test")', SATURATES),
    Lie("orders are judged the wrong way round", JUDGE, "apart += low > high_2", "apart += high < low_2",
        ("dpzero.figure1.all_grow_on_flat",)),
    Lie("an order half a power too high", RATES, "shape = letter**one.power", "shape = letter ** (one.power + sp.Rational(1, 2))",
        ("dpzero.table1_dpgd_0th.with",)),
    Lie("half a power lost at every root", "bounds/theorem.py", "Growth(inner[0].power * expression.exp,",
        "Growth(inner[0].power * expression.exp - (expression.exp == sp.Rational(1, 2)) * sp.Rational(1, 2),",
        ("dpzero.table1_dpgd_0th.without", "dpzero.remark_3_2.error", "dpzero.theorem1.count")),
    Lie("powers of two bounds are added", RATES, "orders[1].power - orders[0].power", "orders[1].power + orders[0].power",
        ("dpzero.remark_3_2.factor",)),
    Lie("L stays when the loss is scaled", RATES, '{"L": 1, "ell": 1, "gap": 1', '{"L": 0, "ell": 1, "gap": 1',
        ("dpzero.theorem1.scale_invariance",)),
    Lie("DP-GD's T falls with the root of its rate", "bounds/dpzero/dp_gd.py", "best_T = 1 / rate", "best_T = 1 / sp.sqrt(rate)",
        ("dpzero.theorem3.iterations",)),
    Lie("E9: a certificate may not use what is given", "bounds/certificates.py", "return one.difference.xreplace(values), one.relation",
        "return sp.Integer(0), one.relation", ("dpzero.corollary_f2.not_vacuous", "dpzero.corollary_f4.not_vacuous")),
    Lie("E10: the noise of the theorems is lost", "bounds/dpzero/common.py", "SIGMA = 4 * C * sp.sqrt(2 * T * A) / (n * epsilon)",
        "SIGMA = 0 * C", ("dpzero.theorem3.unbounded_loss",)),
    Lie("E18: a Gaussian direction is taken for one on the sphere", LEDGER + "scope.py", "clip = float(mp.erfc(1 / mp.sqrt(2)))",
        "clip = 0.0", ("dpzero.section2.any_direction_never_clips",)),
    Lie("E20: the two runs share their direction", LEDGER + "privacy_algorithms.py", "np.array([0.0, math.sqrt(d)])):",
        "np.array([math.sqrt(d), 0.0])):", ("dpzero.lemma_2_2.sensitivity_of_a_randomised_algorithm",)),
)  # fmt: skip
