"""The command line: ``theory-lab COMMAND``. Heavy libraries are imported by the command that needs them."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from bounds.strict_json import strict_json
from theory_lab import drawing, sosp
from theory_lab.arguments import whole
from theory_lab.interrupts import as_interrupts

METHODS = ("dpzero", "dpgd_0th", "dp_gd", "mezo")
SPECTRA = ("flat", "inverse_sqrt", "inverse")
OBJECTIVES = ("quadratic", "pseudo_huber", "cosine", "logistic")


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, with status 2."""

    def error(self, message: str) -> NoReturn:
        """Print one line and end with status 2."""
        print(f"theory-lab: {message} (see {self.prog} --help)", file=sys.stderr)
        raise SystemExit(2)


def numbers(kind: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    """Return a converter of "20,50,100" to a tuple of numbers."""

    def convert(text: str) -> tuple[Any, ...]:
        try:
            return tuple(kind(part) for part in text.split(","))
        except (ValueError, argparse.ArgumentTypeError):
            raise argparse.ArgumentTypeError(
                f"{text!r}: {'integers' if kind is whole else 'numbers'} joined by commas are needed"
            ) from None

    return convert


def words(allowed: Sequence[str]) -> Callable[[str], tuple[str, ...]]:
    """Return a converter of "flat,inverse" to a tuple of allowed words."""

    def convert(text: str) -> tuple[str, ...]:
        parts = tuple(text.split(","))
        wrong = [part for part in parts if part not in allowed]
        if wrong:
            raise argparse.ArgumentTypeError(f"{wrong[0]!r}: one of {', '.join(allowed)} is needed")
        return parts

    return convert


def steps(text: str) -> int | str | None:
    """Return the number of steps that a text gives: a number, "printed", or None for "free"."""
    if text in ("printed", "free"):
        return None if text == "free" else text
    try:
        return whole(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"{text!r}: an integer of at least 1, printed or free is needed") from None


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = Parser(prog="theory-lab", description="Simulate, evaluate, check and redraw the theorems of differentially private optimisation.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)

    figure = commands.add_parser("figure", help="draw figures of the papers again", description="Draw figures of the papers again.")
    figure.add_argument("names", nargs="+", metavar="NAME", choices=drawing.FIGURES, help=", ".join(drawing.FIGURES))
    figure.add_argument("--preview", action="store_true", help="a smaller experiment: about a minute")
    figure.add_argument("--out", type=Path, default=Path("out/figures"), metavar="DIR", help="where the files go (default: %(default)s)")
    figure.add_argument("--store", type=Path, metavar="FILE", help="results of finished cells; the same command resumes from it "
                        "(default: results/dpzero.sqlite, or results/psgd.sqlite for the psgd figures)")  # fmt: skip
    figure.add_argument("--accountant", choices=("lemma", "exact"), help="noise: the paper's Lemma 2.2 (default) or the least possible")
    figure.add_argument("--workers", type=whole, metavar="K", help="processes, one core each (default: all cores)")
    figure.add_argument("--dimensions", type=numbers(whole), metavar="D,D,...", help="instead of 20,50,...,2000")
    figure.add_argument("--spectra", type=words(SPECTRA), metavar="NAME,...", help=", ".join(SPECTRA))
    figure.add_argument("--horizons", type=numbers(whole), metavar="T,T,...", help="instead of 10,20,...,5120")
    figure.add_argument("--n", type=whole, help="training samples, and as many test samples (default: 10000)")
    figure.add_argument("--epsilon", type=float, help="privacy (default: 2)")
    figure.add_argument("--delta", type=float, help="privacy (default: 1e-6)")
    figure.add_argument("--seed", type=whole, help="seed of the draws (default: 0)")
    figure.add_argument("--json", action="store_true", help="print the files and the rows as JSON")
    figure.set_defaults(run=run_figure)

    simulate = commands.add_parser("simulate", help="run a method on an objective", description="Run a method on an objective.")
    simulated = simulate.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=Parser)
    for name in METHODS:
        add_simulate(simulated.add_parser(name, help="a method of the DPZero paper", description=f"Run {name} on an objective."))
    for name, words_ in (("gauss_psgd", "second-order stationary points, with its oracles"), ("frozen_psgd", "the earlier method")):
        sosp.add_simulate(simulated.add_parser(name, help=words_, description=f"Run {name} on an objective with a saddle."), name)

    advise = commands.add_parser("recommend", help="parameters and what they guarantee",
                                 description="Recommend parameters, as the paper prints them and as sharp as is proved.")  # fmt: skip
    advised = advise.add_subparsers(dest="method", required=True, metavar="METHOD", parser_class=Parser)
    for name in METHODS[:3]:
        add_recommend(advised.add_parser(name, help="alpha, T, C, lambda, sigma", description=f"Recommend a schedule for {name}."))
    sosp.add_recommend(
        advised.add_parser("gauss_psgd", help="batches, noise, radius, rounds", description="Recommend parameters of Gauss-PSGD.")
    )

    for name, words_, text in (
        ("check", "examine the claims of a paper", "Examine claims: PROVED, CONSISTENT, REFUTED, INCONCLUSIVE or NOT_TESTABLE, with "
         "evidence. Status 1 if an outcome differs from the one that the ledger records, 3 if claims could not be examined."),
        ("report", "examine the claims and write a page about them", "Examine claims and write one self-contained HTML page."),
    ):  # fmt: skip
        check = commands.add_parser(name, help=words_, description=text)
        check.add_argument(
            "select", nargs="*", metavar="SELECT", help="a paper, the beginning of a key, or a pattern with * (default: all)"
        )
        check.add_argument("--quick", action="store_true", help="smaller searches and simulations: about a minute")
        check.add_argument("--html", type=Path, metavar="FILE", required=name == "report", help="write the page to this file")
        check.add_argument("--module", type=Path, action="append", default=[], metavar="FILE", help="examine the CLAIMS of a Python file")
        check.add_argument("--workers", type=whole, metavar="K", help="processes (default: all cores)")
        check.add_argument(
            "--store",
            type=Path,
            metavar="FILE",
            help="verdicts of an unfinished run; the same command goes on from it (default: results/checks.sqlite)",
        )
        check.add_argument("--json", action="store_true", help="print the verdicts as JSON")
        check.set_defaults(run=run_check)

    show = commands.add_parser("show", help="print a theorem", description="Print a theorem: assumptions, schedule, bound, source.")
    show.add_argument("theorem", metavar="THEOREM", help="a key such as dpzero.theorem3; theory-lab list names them")
    show.add_argument(
        "--proof",
        action="store_true",
        help="print the steps of its derivation too; with --json only these, as python -m paper_checks.recheck reads them",
    )
    show.add_argument("--loose", choices=("problems", "quadratic"), help="print how loose it is instead: against our sharper theorems on a "
                      "grid of problems, or its descent part against the exact mean on quadratics")  # fmt: skip
    form = show.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print the statement, or the table, in LaTeX")
    form.add_argument("--csv", action="store_true", help="print the table of --loose as CSV")
    form.add_argument("--json", action="store_true", help="print the statement, or the table, as JSON")
    show.set_defaults(run=run_show)

    listing = commands.add_parser(
        "list", help="name all methods, objectives, figures, theorems and checks", description="Name what the lab has."
    )
    listing.add_argument("--json", action="store_true", help="print the lists as JSON")
    listing.set_defaults(run=run_list)
    return top


def add_simulate(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``simulate`` for a method of the DPZero paper."""
    parser.add_argument("--objective", choices=OBJECTIVES, default="quadratic", help="%(choices)s (default: %(default)s)")
    parser.add_argument("--spectrum", choices=SPECTRA, default="inverse", help="1, 1/sqrt(i) or 1/i (default: %(default)s)")
    parser.add_argument("--d", type=whole, required=True, help="dimension")
    parser.add_argument("--n", type=whole, required=True, help="samples")
    parser.add_argument("--alpha", type=float, required=True, help="stepsize")
    parser.add_argument("--T", type=whole, required=True, help="steps")
    parser.add_argument("--C", type=float, help="clipping threshold")
    parser.add_argument("--lam", type=float, default=1e-4, help="smoothing of the two-point difference (default: %(default)s)")
    parser.add_argument("--sigma", type=float, help="noise on the mean over the batch, per coordinate")
    parser.add_argument("--replicates", type=whole, default=1, help="independent runs (default: %(default)s)")
    parser.add_argument("--direction", choices=("sphere", "gaussian"), default="sphere", help="law of the directions")
    parser.add_argument("--batch-size", type=whole, help="samples a step (default: all)")
    parser.add_argument("--seed", type=whole, default=0, help="seed of data and draws (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.set_defaults(run=run_simulate)


def add_recommend(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``recommend`` for a method of the DPZero paper."""
    for name, words_ in (("n", "samples"), ("d", "dimension"), ("epsilon", "privacy"), ("delta", "privacy"), ("L", "Lipschitz constant"),
                         ("ell", "smoothness constant"), ("gap", "F_S(x_0) - F_S^*, or an upper bound of it")):  # fmt: skip
        parser.add_argument(f"--{name}", type=float, required=True, help=words_)
    parser.add_argument("--r", type=float, help="effective rank, Tr(H) <= r ||H|| (default: unknown, so d)")
    parser.add_argument("--B", type=float, help="bound on |F_S| everywhere (only the printed Theorem 3 needs it)")
    parser.add_argument("--mu", type=float, help="constant of the PL inequality: the printed plan is then that of the corollary")
    parser.add_argument(
        "--T-max", type=steps, default="printed", metavar="T", help="most steps of the sharp plan: a number, printed (the default), or free"
    )
    parser.add_argument("--lam", type=float, help="smoothing radius of the sharp plan (default: the largest that costs 1 %%)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--latex", action="store_true", help="print a table for a paper")
    form.add_argument("--json", action="store_true", help="print the plan as JSON")
    parser.set_defaults(run=run_recommend)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status.

    0 done or nobody reads on, 1 a verdict differs from the ledger, 2 the call was wrong, 3 processes that computed died again and
    again, 130 interrupted (128 and the signal's number).
    """
    try:
        return conducted(argv)
    except BrokenPipeError:  # a reader such as head has seen enough; what is left to print goes nowhere
        leave_stdout()
        return 0


def conducted(argv: Sequence[str] | None) -> int:
    """Do what the command line asks for and flush what it printed, so that a reader that has left is noticed here."""
    try:
        arguments = parser().parse_args(argv)
    finally:  # the help is printed there
        sys.stdout.flush()
    came: list[int] = []
    try:
        with as_interrupts() as came:
            status = int(arguments.run(arguments))
            sys.stdout.flush()
            return status
    except BrokenPipeError:
        raise
    except OSError as error:
        leave_stdout()
        print(f"theory-lab: {error}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"theory-lab: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        store = getattr(arguments, "store", None)
        kept = f"; what is finished is kept in {store}, the same command resumes" if store else ""
        if argv is None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a second Ctrl-C, while the processes end, ends this one without a traceback
        print(f"theory-lab: interrupted{kept}", file=sys.stderr)
        return 128 + (came[0] if came else signal.SIGINT)


def leave_stdout() -> None:
    """Let what is left to print go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_figure(arguments: argparse.Namespace) -> int:
    """Conduct the experiments, then draw, write and name the files."""
    arguments.store = arguments.store or drawing.default_store(arguments.names)  # here: an interrupt names it
    return drawing.run_figure(arguments)


def run_simulate(arguments: argparse.Namespace) -> int:
    """Run a method and print the first and last values of loss and gradient norm."""
    import numpy as np

    import theory_lab as lab

    objective = getattr(lab, arguments.objective)(arguments.spectrum, arguments.d, arguments.n, arguments.seed)
    keys = ("alpha", "T", "C", "lam", "sigma", "replicates", "direction", "batch_size", "seed")
    run = lab.simulate(arguments.method, objective, **{key: getattr(arguments, key) for key in keys})
    rows = [
        {
            "replicate": r,
            "loss_start": float(run.loss[r, 0]),
            "loss_end": float(run.loss[r, run.steps[r]]),
            "grad_norm_start": float(np.sqrt(run.grad_norm_sq[r, 0])),
            "grad_norm_end": float(np.sqrt(run.grad_norm_sq[r, run.steps[r]])),
            "grad_norm_tau": float(np.sqrt(run.grad_norm_sq_tau[r])),
            "clipped": float(np.nanmean(run.clipped[r])),
            "finite_steps": int(run.steps[r]),
        }
        for r in range(arguments.replicates)
    ]
    if arguments.json:
        print(strict_json({"method": run.method, "objective": run.objective, "settings": run.settings, "replicates": rows}))
        return 0
    from theory_lab.tables import print_rows

    print_rows(f"{run.method} on {run.objective}, n = {arguments.n}", rows)
    return 0


def run_recommend(arguments: argparse.Namespace) -> int:
    """Print the printed and the sharp plan side by side, with caveats."""
    from dataclasses import asdict

    from bounds.recommend import recommend

    keys = ("n", "d", "epsilon", "delta", "L", "ell", "gap", "r", "B", "mu", "T_max", "lam")
    plan = recommend(arguments.method, **{key: getattr(arguments, key) for key in keys})
    if arguments.json:
        print(strict_json(asdict(plan)))
    elif arguments.latex:
        print(plan.latex())
    else:
        from theory_lab.tables import print_plan

        print_plan(plan)
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Examine claims; print verdicts or write the page."""
    from theory_lab.checking import run_check as examine

    return examine(arguments)


def run_show(arguments: argparse.Namespace) -> int:
    """Print a theorem, and its derivation, as text, LaTeX or JSON."""
    import bounds

    key = arguments.theorem
    if arguments.proof and key in bounds.DERIVATIONS and key not in bounds.THEOREMS and not arguments.loose and not arguments.csv:
        print(shown_proof(key, arguments))
        return 0
    if key not in bounds.THEOREMS:
        raise ValueError(f"theorem = {key!r}: {(bounds.DERIVATIONS if arguments.proof else bounds.THEOREMS).unknown(key)}")
    if arguments.loose and arguments.proof:
        raise ValueError("proof: --loose prints a table instead of the statement and has no proof; leave one of the two out")
    if arguments.loose:
        return show_loose(arguments)
    if arguments.csv:
        raise ValueError("csv: only the tables of --loose problems and --loose quadratic are printed as CSV")
    theorem = bounds.THEOREMS[key]
    if not arguments.json:
        print(theorem.latex() if arguments.latex else theorem.show())
    elif not arguments.proof:
        names = ("key", "title", "source", "claim", "measure", "assumptions", "method", "notes")
        print(strict_json({name: getattr(theorem, name) for name in names} | {"latex": theorem.latex(), "parameters": theorem.parameters}))
    if arguments.proof:
        print(shown_proof(key, arguments))
    return 0


def shown_proof(key: str, arguments: argparse.Namespace) -> str:
    """Return the derivation of a theorem as text, LaTeX or JSON, or that there is none."""
    import bounds
    from bounds.alignment import proof
    from bounds.exported import exported

    derivation = bounds.DERIVATIONS.get(key)
    if derivation is None and arguments.json:
        raise ValueError(f"theorem = {key!r}: {bounds.DERIVATIONS.unknown(key)}")
    if derivation is None:
        return f"{'% ' if arguments.latex else ''}no derivation is kept under {key}"
    return strict_json(exported([derivation])) if arguments.json else proof(derivation) if arguments.latex else derivation.show()


def show_loose(arguments: argparse.Namespace) -> int:
    """Print how loose a theorem is, and what the comparison can and cannot say."""
    from dataclasses import asdict

    from bounds import looseness, typeset
    from theory_lab.tables import console, csv_rows, print_rows

    rows: list[dict[str, Any]]
    if arguments.loose == "problems":
        rows, notes = [asdict(row) for row in looseness.against_sharper(arguments.theorem)], looseness.TWO_GUARANTEES
    else:
        rows, notes = [asdict(row) for row in looseness.against_quadratic(arguments.theorem)], looseness.ASSUMPTIONS
    if arguments.json:
        print(strict_json({"theorem": arguments.theorem, "rows": rows, "notes": notes}))
    elif arguments.csv:
        print(csv_rows(rows), end="")
        print(*notes, sep="\n", file=sys.stderr)
    elif arguments.latex:
        print(typeset.rows(f"{arguments.theorem}: how loose ({arguments.loose})", rows, notes))
    else:
        print_rows(f"{arguments.theorem}: how loose ({arguments.loose})", rows, digits=4)
        for note in notes:
            console().print(f"- {note}.")
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    """Print what the lab has."""
    import bounds
    from paper_checks import papers

    lists = {
        "methods": (*METHODS, *sosp.METHODS), "oracles": sosp.ORACLES, "objectives": OBJECTIVES + sosp.SADDLES, "spectra": SPECTRA,
        "figures": drawing.FIGURES, "theorems": tuple(bounds.THEOREMS),
        "checks": tuple(claim.key for claim in papers.claims()),
    }  # fmt: skip
    if arguments.json:
        print(strict_json(lists))
    else:
        for kind, names in lists.items():
            print(f"{kind}: {' '.join(names)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
