"""Planted faults in the accounting of DP-GRAPE, in its statements on privacy, and in what examines them."""

from tests.paper_checks.lies import Lie

P, ACCOUNTING, PAGE = "dp_grape.", "bounds/accounting.py", "bounds/dp_grape/theorems_2_1_and_4_1.py"
SUBSAMPLED, LEDGER, EXAMINER = "bounds/subsampled.py", "paper_checks/dp_grape/privacy.py", "paper_checks/dp_grape/theorem_4_1.py"
ONE_STEP, TRANSCRIBED, CHAIN = (P + "accounting.one_step",), (P + "theorem_d10.as_printed",), (P + "theorem_4_1.chain",)
ENOUGH, MULTIPLIERS, SAMPLING = (P + "corrected_noise.chain",), (P + "accounting.multipliers",), (P + "algorithm_6.sampling",)
RELATION = (P + "definition.one_relation",)
ENUMERATED, TWICE = (P + "accounting.enumerated",), (P + "accounting.enumerated_twice",)
ENUMERATION = "paper_checks/examine/batches.py"


def examiner(name: str, function: str, old: str, new: str, *claims: str, file: str = EXAMINER) -> Lie:
    """A fault in a function of the ledger, or in its claims."""
    return Lie(f"grape: {name}", f"{file}:{function}" if function else file, old, new, tuple(P + claim for claim in claims))


LIES = (
    # the accounting
    Lie("grape: a replaced record moves the mean by C/B", ACCOUNTING, "else 2) * C / B", "else 1) * C / B", RELATION),
    Lie("grape: fixed batches as Poisson", f"{ACCOUNTING}:sigma", "sampling=sampling)", 'sampling="poisson")', SAMPLING),
    Lie("grape: half the sensitivity", SUBSAMPLED, "_fixed_size(sensitivity / sigma", "_fixed_size(sensitivity / sigma / 2", ONE_STEP),
    Lie("grape: amplification by q^2", SUBSAMPLED, "return q * np.where(x < 0, near,", "return q * q * np.where(x < 0, near,", ONE_STEP),
    Lie("grape: one step for all", SUBSAMPLED, "q, interval).self_compose(T)", "q, interval)", SAMPLING),
    Lie("grape: a multiplier 5% too large", ACCOUNTING, "T, n, batch_size, 1.0,", "T, n, batch_size, 1.05,", MULTIPLIERS),
    Lie("grape: delta of fixed batches as Poisson", f"{SUBSAMPLED}:delta_subsampled",
        '"fixed_size" if sampling == "without_replacement" else neighbours', "neighbours", ENUMERATED),
    Lie("grape: a fixed batch leaks in one order", f"{SUBSAMPLED}:_raised", "+ np.exp(-epsilon) * above", "+ 0 * above", TWICE),
    Lie("grape: batches of records that never cancel", ENUMERATION, "VALUES = (-1, 0, 1)", "VALUES = (0, 1)", ENUMERATED),
    Lie("grape: the first of two steps forgotten", f"{ENUMERATION}:two_steps", "* pair.q / pair.p", "* pair.p / pair.p", TWICE),
    Lie("grape: drawn with repetition", f"{ENUMERATION}:means", "combinations(records, batch)", "combinations(records * 2, batch)",
        ENUMERATED),
    # the statements
    Lie("grape: Theorem 2.1 with log(1/delta)", PAGE, "sp.Rational(5, 4) / delta", "1 / delta", TRANSCRIBED),
    Lie("grape: Theorem 4.1 with C for 2 C", PAGE, "NOISE = 2 * C *", "NOISE = C *", TRANSCRIBED),
    Lie("grape: the rate without L", PAGE, "bound=sp.sqrt(L * d * logs)", "bound=sp.sqrt(d * logs)", TRANSCRIBED),
    Lie("grape: a batch of n r/8", PAGE, "LEAST_BATCH_SQ = n * r / 4", "LEAST_BATCH_SQ = n * r / 8", CHAIN),
    Lie("grape: Algorithm 1 upside down", PAGE, 'line("algorithm_1", B * sigma / C', 'line("algorithm_1", C * sigma / B', CHAIN),
    Lie("grape: c_2 = 1 is proved", PAGE, "sensitivity * sp.sqrt(2 * T * logs)", "sensitivity * sp.sqrt(T * logs)", ENOUGH),
    Lie("grape: it is proved up to epsilon = 4", PAGE, '"at_most_2", epsilon, "<=", 2)', '"at_most_2", epsilon, "<=", 4)', ENOUGH),
    # the examiners
    Lie("grape: Theorem 2.1 is printed with log(1/delta)", "paper_checks/dp_grape/printed.py", "sp.Rational(5, 4)", "1", TRANSCRIBED),
    examiner("the sigma of C for 1", "noise", '{"C": 1', '{"C": 2', "theorem_4_1.attacked_full_batch"),
    examiner("four times the noise is attacked", "attacked", "n, c_2=c_2)", "n, c_2=4 * c_2)", "theorem_4_1.attacked_full_batch"),
    examiner("the record is in no batch", "attacked", ".random(runs) < q", ".random(runs) < 0", "theorem_4_1.attacked_full_batch"),
    examiner("losses 1000 cells up", "least_delta", "np.floor(", "np.ceil(1000 +", "theorem_4_1.sqrt_2_in_batches",
             file="paper_checks/examine/privacy.py"),
    examiner(
        "twice the noise is spent", "spent", "1 if c_2 is None else c_2", "2 if c_2 is None else 2 * c_2",
        "theorem_4_1.noise", "theorem_4_1.needed", "theorem_2_1.ends",
    ),
    examiner("removal as replacement", "", "c_2=2.0),", "c_2=1.0),", "theorem_4_1.removal"),
    examiner("W_tau is the start", "released", "for t in range(1, steps + 1)]", "for t in range(1, 2)]", "theorem_4_1.released_iterate"),
    examiner("a consistent multiplier", "literal", "samples=n) * C", "samples=n) * batch", "theorem_4_1.algorithm_1"),
    examiner("one range", "one_range", ', "any": math.inf, "2 B^2 T/n^2": 2 * batch**2 * T / n**2', "", "theorem_4_1.one_range"),
    examiner("a range of 2 B^2 T", "printed_batch", '* steps / at["n"] ** 2', '* steps * at["n"] ** 2', "theorem_4_1.printed_batch"),
    examiner("only O is an event", "events", "[(0,), (1,), (0, 1)] if every", "[(0, 1)] if every", "equation_2.every_event", file=LEDGER),
    examiner("every event as printed", "events", "(0, 1)] if every", "(0, 1)] if True", "equation_2.event", file=LEDGER),
    examiner("a printed covariance of 100", "covariance", "mp.mpf(number", "1e9 * mp.mpf(number", "theorem_2_1.covariance", file=LEDGER),
    examiner("epochs for steps", "regime", "(batch / n) ** 2 * steps", "(batch / n) * steps", "experiments.regime", file=LEDGER),
    examiner("OPT with all samples", "batches", "else batch *", "else n *", "experiments.closed_form"),
    examiner("OPT with twice the noise", "", "c_2=1.0, removed", "c_2=9.0, removed", "experiments.closed_form", file=LEDGER),
    examiner("the older conversion", "rdp_epsilon", "rdp + math.log1p(-1 / a) - (math.log(delta) + math.log(a))", "rdp - (math.log(delta))",
             "accounting.multipliers", file=LEDGER),
    examiner("RoBERTa of no parameters", "", '"d": 3.55e8, "layers"', '"d": 1e-1, "layers"', "experiments.vacuous", file=LEDGER),
)  # fmt: skip
