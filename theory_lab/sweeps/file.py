"""The TOML file of `theory-lab sweep`: parse methods, option values, privacy and plot. Error messages name the line."""

from __future__ import annotations

import argparse
import inspect
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from bounds.renamed import old_names
from theory_lab.methods.record import Method, Option, whole

if TYPE_CHECKING:
    from synthetic.methods.record import Kernel

TABLES = ("with", "privacy", "plot")
PRIVACY = ("epsilon", "delta", "accountant")
ACCOUNTANTS = ("exact", "lemma")
PLOT = ("x", "y", "by")
OWN = ("name", "method")  # keys that are no options of a method
LONGEST = 100  # limit of the bytes of a name; file systems allow about 255, endings included
Values = Mapping[str, Any]
Run = tuple[str, Values, Values, Values]  # method, options of `simulate`, arguments of --with, values on the axes


@dataclass(frozen=True)
class SweepFile:
    """A sweep file: its path, its text, for line numbers in error messages, and its keys by table; "" is the top-level table."""

    path: Path
    text: str
    tables: Mapping[str, Mapping[str, Any]]

    def error_at(self, table: str, key: str, said: str) -> ValueError:
        """Return a ValueError about a key, whose message names the file and the line."""
        line = find_line(self.text, table, key)
        return ValueError(f"{self.path}{f', line {line}' if line else ''}: {said}")

    def values_of(self, table: str, key: str, default: Any = None) -> list[Any]:
        """Return the list of values of a key; a single value becomes a list of one. Raise ValueError for duplicates and wrong types."""
        given = self.tables[table].get(key, default)
        values = given if isinstance(given, list) else [given]
        for one in values:
            if not isinstance(one, str | int | float | bool) and one is not None:
                raise self.error_at(table, key, f"{key} = {given!r}: a number or word, or a list of them, is needed")
        if not values or len(set(values)) < len(values):
            raise self.error_at(table, key, f"{key} = {given!r}: at least one value, and no value twice, is needed")
        return values


def find_line(text: str, table: str, key: str) -> int:
    """Return the line number of a key of a table in a TOML text, table "" being the top level; 0 if it is not found."""
    lines, here, start = text.split("\n"), "", 0
    for end in range(1, len(lines) + 1):
        try:
            found = tomllib.loads("\n".join(lines[start:end]))
        except (ValueError, RecursionError):
            continue  # the value continues in the next line
        inside: Any
        if lines[start].lstrip().startswith("["):
            here, inside = next(iter(found)), {} if table else found
        elif here == table:
            inside = found
        else:
            inside = {} if here else found.get(table)  # privacy.epsilon = 2, or privacy = { epsilon = 2 }
        if isinstance(inside, dict) and key in inside:
            return start + 1
        start = end
    return 0


@dataclass(frozen=True)
class Sweep:
    """A parsed sweep: its name, its runs, and what is plotted.

    axes    names of the keys with several values, in the order of the file
    seeds   seeds of the data; intervals are over them
    """

    name: str
    runs: tuple[Run, ...]
    axes: tuple[str, ...]
    seeds: tuple[int, ...]
    plot: Mapping[str, Any]


def read_sweep(path: Path) -> SweepFile:
    """Read and parse a sweep file; raise ValueError if it cannot be read, is not TOML, or has unknown tables or keys."""
    try:
        text = path.read_text(encoding="utf-8")
        found = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"file = {str(path)!r}: it cannot be read ({getattr(error, 'strerror', None) or error})") from None
    except (ValueError, RecursionError) as error:  # invalid TOML; very long numbers and deep brackets raise these too
        raise ValueError(f"{path}: it is not valid TOML: {error}") from None
    tables = {"": {key: value for key, value in found.items() if not isinstance(value, dict)}}
    tables |= {name: found[name] if isinstance(found.get(name), dict) else {} for name in TABLES}
    file = SweepFile(path, text, tables)
    for name, value in found.items():
        if isinstance(value, dict) and name not in TABLES:
            raise ValueError(f"{path}: [{name}]: unknown table; one of {', '.join(TABLES)} is needed")
        if name in TABLES and not isinstance(value, dict):
            raise file.error_at("", name, f"{name} = {value!r}: a table is needed, [{name}] with its keys below")
    for table, known in (("privacy", PRIVACY), ("plot", PLOT)):
        for key in tables[table]:
            if key not in known:
                raise file.error_at(table, key, f"{key}: unknown key; in [{table}] one of {', '.join(known)} is needed")
    return file


def parse_sweep(file: SweepFile, methods: Mapping[str, Method]) -> Sweep:
    """Return the sweep that a file describes; raise ValueError, with the line, for keys and values that its methods do not take."""
    if "method" not in file.tables[""]:
        raise ValueError(f'{file.path}: method is missing; method = "dpzero", or a list of methods, is needed')
    names = file.values_of("", "method")
    for name in names:
        if name not in methods:
            raise file.error_at("", "method", f"method = {name!r}: one of {', '.join(methods)} is needed")
    chosen = {name: simulate_options(methods[name]) for name in names}
    known = {option for options in chosen.values() for option in options}
    for key in file.tables[""]:
        if key not in known and key not in OWN:
            raise file.error_at("", key, f"{key}: unknown key; the options of {', '.join(names)} are {', '.join(sorted(known - {'more'}))}")
    seeds = [convert_value(file, "", "seed", value, Option("seed", "", whole)) for value in file.values_of("", "seed", 0)]
    if len(set(seeds)) < len(seeds):
        raise file.error_at(
            "", "seed", f"seed = {file.tables['']['seed']!r}: no seed twice is allowed, because intervals are over different data sets"
        )
    keys = [("", key) for key in file.tables[""] if key not in (*OWN, "seed")]
    keys += [(table, key) for table in ("with", "privacy") for key in file.tables[table]]
    for table, key in keys:
        if table and any(key == other for of, other in keys if of != table):
            raise file.error_at(table, key, f"{key}: it is in [{table}] and elsewhere too; leave one of the two out")
    values = {(table, key): file.values_of(table, key) for table, key in keys}
    axes = [key for (_, key), several in values.items() if len(several) > 1]
    if len(names) > 1:
        axes.insert(0, "method")
    own = kernel_settings(methods, names) if file.tables["with"] and len(names) > 1 else {}
    runs: dict[str, Run] = {}
    for name, combination in product(names, product(*values.values())):
        of_others = set().union(*own.values()) - own[name] if own else set[str]()
        every = dict(zip(values, combination, strict=True))
        foreign = of_others - objective_arguments(methods[name], every) if of_others else of_others
        mine = {(table, key): value for (table, key), value in every.items() if table != "with" or key not in foreign}
        found = make_run(file, methods[name], chosen[name], axes, mine)
        runs[repr(found[:3])] = found
    plot = {key: file.values_of("plot", key) if key == "by" else file.tables["plot"][key] for key in file.tables["plot"]}
    for key, value in plot.items():
        for one in value if key == "by" else [value]:
            several = f"one of {', '.join(axes)}" if axes else "and no key has several"
            if key != "y" and one not in axes:
                raise file.error_at("plot", key, f"{key} = {one!r}: a key with several values is needed, {several}")
    if "x" in plot and not all(isinstance(run[3].get(str(plot["x"])), int | float) for run in runs.values()):
        raise file.error_at(
            "plot", "x", f"x = {plot['x']!r}: its values are not numbers, or a method does not have it; choose another key, or leave x out"
        )
    title = file.tables[""].get("name", file.path.stem)
    if not isinstance(title, str) or not re.fullmatch(r"[\w-]+", title) or len(title.encode()) > LONGEST:
        whence = "" if "name" in file.tables[""] else ", taken from the file's name"
        raise file.error_at("", "name", f"name = {title!r}{whence}: only letters, digits, - and _ are allowed, and at most {LONGEST} bytes")
    for name, given, *_ in runs.values():
        private = getattr(methods[name].runner, "private", False) and "sigma" in chosen[name]
        if private and not file.tables["privacy"] and not {"sigma", "plan"} & given.keys():
            raise ValueError(f"{file.path}: sigma is missing; {name} needs it, or epsilon and delta in [privacy]")
    return Sweep(title, tuple(runs.values()), tuple(axes), tuple(seeds), plot)


def make_run(file: SweepFile, method: Method, options: Mapping[str, Any], axes: Sequence[str], given: Mapping[tuple[str, str], Any]) -> Run:
    """Return a `Run`: the method with those values of `given`, by (table, key), that it takes; ValueError if a required one is missing."""
    taken = {
        key: convert_value(file, "", key, value, options[key]) for (table, key), value in given.items() if not table and key in options
    }
    more = {key: value for (table, key), value in given.items() if table == "with"}
    private = privacy_options(file, method, taken, more, {key: value for (table, key), value in given.items() if table == "privacy"})
    taken |= private
    for one in options.values():
        if one.required and one.name not in taken:
            raise ValueError(f"{file.path}: {one.name} is missing; {method.name} needs it: {one.help}")
    has = {"": options, "with": more, "privacy": PRIVACY if "sigma" in private else private}  # a method without noise has no epsilon
    place = {key: value for (table, key), value in given.items() if key in axes and key in has[table]}
    return method.name, taken, more, {"method": method.name} | place


def kernel_settings(methods: Mapping[str, Method], names: Sequence[str]) -> dict[str, set[str]]:
    """Return the names of the settings that the kernel of each of these methods has for [with], by the name of the method."""
    return {name: {one.name for one in getattr(methods[name].runner, "own", ())} for name in names}


def objective_arguments(method: Method, given: Mapping[tuple[str, str], Any]) -> set[str]:
    """Return the names of the arguments of a run's objective; an unknown objective has none."""
    if not method.kind:
        return set()
    name = given.get(("", "objective"), next(iter(method.kind.table)))
    return set(inspect.signature(method.kind.made(name)).parameters) if name in method.kind.table else set()


def simulate_options(method: Method) -> dict[str, Any]:
    """Return the options of `simulate METHOD` by name, with --objective, which is not in the method's record."""
    left = ("more", "changed") if getattr(method.runner, "private", True) else ("more", "changed", "C", "sigma")
    options: dict[str, Any] = {one.name: one for one in method.options if one.name not in left}
    if method.kind:
        words = tuple(method.kind.table)
        options["objective"] = SimpleNamespace(name="objective", kind=str, choices=words, default=words[0], required=False)
    return options


def convert_value(file: SweepFile, table: str, key: str, value: Any, option: Any) -> Any:
    """Convert a value of the file as the command line would; raise ValueError, with the line, for an invalid value."""
    text = value if isinstance(value, str) else str(value)
    try:
        if isinstance(value, bool):
            raise ValueError("a number or a word is needed")
        found = option.kind(text)
    except (argparse.ArgumentTypeError, ValueError, TypeError) as error:
        said = "a number is needed" if option.kind is float else str(error).removeprefix(f"{text!r}: ")
        raise file.error_at(table, key, f"{key} = {value!r}: {said}") from None
    if option.choices and found not in option.choices:
        raise file.error_at(table, key, f"{key} = {value!r}: one of {', '.join(option.choices)} is needed")
    return found


def privacy_options(file: SweepFile, method: Method, options: Values, more: Values, privacy: Values) -> dict[str, Any]:
    """Return the options that set a run's privacy: epsilon and delta if the method takes them, else sigma from the accountant."""
    if not privacy:
        return {}
    accountant = privacy.get("accountant", "exact")
    if accountant not in ACCOUNTANTS:
        raise file.error_at("privacy", "accountant", f"accountant = {accountant!r}: one of {', '.join(ACCOUNTANTS)} is needed")
    if missing := [key for key in ("epsilon", "delta") if key not in privacy]:
        raise ValueError(f"{file.path}: {missing[0]} is missing in [privacy]")
    pair = {key: privacy[key] for key in ("epsilon", "delta")}
    own = simulate_options(method)
    if "sigma" in options:
        raise file.error_at("", "sigma", "sigma: [privacy] determines the noise too; leave one of the two out")
    if {"epsilon", "delta"} <= own.keys() and ("plan" in options or "plan" not in own):
        if "accountant" in privacy:
            said = f"{'the plan' if 'plan' in options else method.name} determines the noise itself; leave accountant out"
            raise file.error_at("privacy", "accountant", f"accountant = {accountant!r}: {said}")
        return {key: convert_value(file, "privacy", key, value, own[key]) for key, value in pair.items()}
    if not getattr(method.runner, "private", False):
        return {}
    try:
        return {"sigma": private_sigma(accountant, method.runner, {**options, **more}, **pair)}
    except ValueError as error:
        raise ValueError(f"{file.path}: noise of {method.name}: {error}") from None


def private_sigma(accountant: str, kernel: Kernel, given: Values, epsilon: float, delta: float) -> float:
    """Return the sigma that makes a run (epsilon, delta)-private, replace-one, with the releases of each step that the kernel declares."""
    from bounds.privacy.gaussian import lemma_2_2_remark, sigma_lemma_2_2
    from paper_checks.experiment import check_covered

    if missing := [key for key in ("C", "T", "n") if key not in given]:
        raise ValueError(f"{missing[0]} is missing: the noise is computed from C, T and n")
    known = kernel.with_defaults(given)
    check_covered(known)
    C, T, n = (given[key] for key in ("C", "T", "n"))
    T = sum(T) if isinstance(T, tuple) else T  # one number per stage
    B, P = known["batch_size"], kernel.releases_per_step(given)
    if accountant == "lemma":
        if B is not None or P != 1 or "stages" in given:
            raise ValueError("accountant = 'lemma': Lemma 2.2 is for full batches with one number per step; use exact")
        if said := lemma_2_2_remark(epsilon, delta):
            raise ValueError(said)
        return sigma_lemma_2_2(epsilon=epsilon, delta=delta, T=T, sensitivity=2 * C / n)
    if B is None:
        return cached_sigma(epsilon, delta, T, n, C, P)
    return cached_sigma(epsilon, delta, T, n, C, P, B, batch_sampling(known))


def batch_sampling(given: Values) -> Any:
    """Return how batches of a run are drawn, by default without replacement, as `simulate` draws them."""
    return given.get("sampling", "without_replacement")


@cache
def cached_sigma(*given: Any) -> float:
    """Return `calibrated_sigma` of these arguments, cached, because many runs share them."""
    from paper_checks.shared.audit import calibrated_sigma

    return calibrated_sigma(*given)


def label_text(row: Values, names: Sequence[str]) -> str:
    """Return the values of some axes as text for a legend or a progress line, such as "dpzero, T = 100"."""
    return ", ".join(f"{row[name]}" if name == "method" else f"{name} = {row[name]}" for name in names if name in row)


if not TYPE_CHECKING:  # it would give every misspelt name a type
    __getattr__ = old_names(__name__, options_of="simulate_options")
