"""``lab.audit``: a lower bound of the epsilon of a method or of a part of it, from an attack (`paper_checks.shared.audit`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from itertools import permutations
from typing import Any

from bounds.papers import PAPERS
from bounds.privacy.accounting import of_means
from paper_checks.shared.audit import LONG_GRADIENT, Audit, attack_method, calibrated_sigma
from synthetic.declared.fields import Declaration
from synthetic.draws import NOISE
from synthetic.methods.record import SAMPLINGS, Kernel, normal
from synthetic.objectives.space import Space
from synthetic.validate import inside_unit, is_real, non_negative, one_of, positive, positive_integer, seed_integer, short_repr, validated
from theory_lab.calls.attack import Attack
from theory_lab.commands.audit import auditable_methods
from theory_lab.methods import METHODS, find_method
from theory_lab.methods.record import Method
from theory_lab.own import call_checked

LEAST_RUNS = 100
MOST_GRADIENTS = 10**10  # limit of n T runs
MOST_COUNTS = 10**15  # limit of the product of a part's counts, which NumPy must be able to index
EXTREME = 1e50  # C and sigma lie in [1/EXTREME, EXTREME], because gradients longer than C and squares of both are computed
FIXED = ("alpha", "T", "C", "sigma", "replicates", "seed", "stages")  # settings that an audit sets itself or has an own argument for
VECTOR = Space(((2,),))  # the space of the iterate, unless the paper's audits set another
MATRIX = ((2, 2), (1,))  # the same for a kernel that takes shapes


@validated
def audit(
    method: str | type[Declaration] | Method,
    *,
    epsilon: float,
    delta: float,
    T: int | None = None,
    n: int | None = None,
    C: float | None = None,
    sigma: float | None = None,
    runs: int = 100_000,
    seed: int = 0,
    confidence: float = 0.99,
    **settings: Any,
) -> Attack:
    """Attack the privacy of a method, or of a part of one, and certify a lower bound of its epsilon.

    The method runs many times on two neighbouring data sets, which differ in one record. A bound above the declared epsilon refutes the
    declaration.

    Parameters
    ----------
    method
        Name of a private method or of a part such as an oracle, or the record of a method of your own on sums. All noise of such a method
        is one draw of the role `synthetic.draws.NOISE`; all its other draws are taken as public.
    epsilon, delta
        Privacy that is declared. delta may be 0 where sigma is given, and for a part without delta such as above_threshold.
    T, n
        Steps and records, which a method on sums needs. Take few records: more make the noise smaller and change nothing else.
    C, sigma
        Clipping threshold of a method on sums (1 by default), and noise per coordinate on the mean over a step's records. By default sigma
        is that of the exact accountant for what is declared.
    runs, seed
        Runs on each of the two data sets, at least 100, and their seed. The same seed gives the same numbers.
    confidence
        Probability, at least, with which nothing false is certified. An event certifies for any code whose runs are independent. The mean
        of normal scores also assumes that steps are affine in the noise for all noise, as they were in every run; ``bound`` tells which.
    **settings
        Settings of the method, such as r of DP-GRAPE; of a part, all that it takes. With batch_size and sampling, of a method that has
        them, each step uses a batch that the observer does not see, and sigma is on the mean over it. Otherwise each step uses all records.

    Returns
    -------
    Attack
        ``certified``, the lower bound; ``convicted``, whether it is above the declared epsilon; ``rows()``, ``json()``, ``latex()``,
        ``remarks``.

    Raises
    ------
    ValueError
        For a value that is not allowed, with its name; for a method that is not private; where runs are no function of the data and of
        their own draws; with secret batches, where a step does not release an affine function of noise of its own.

    Notes
    -----
    An attack never proves privacy: epsilon may be larger than what is certified. The remarks of the result list what the attack cannot see.
    The method is that of Jagielski, Ullman, Oprea (2020) and Nasr et al. (2023); see `paper_checks.shared.audit`.

    Examples
    --------
    >>> attack = lab.audit("dp_gd", epsilon=1.0, delta=1e-5, T=5, n=10, runs=1000)
    >>> attack.convicted, 0 < attack.certified < 1
    (False, True)
    >>> lab.audit("dp_gd", epsilon=1.0, delta=1e-5, T=5, n=10, runs=1000, sigma=0.01).convicted  # far too little noise
    True
    """
    name, record = _find_record(method)
    positive(epsilon=epsilon)
    if not (is_real(delta) and 0 <= delta < 1):
        raise ValueError(f"delta = {short_repr(delta)}: a number of at least 0 and below 1 is needed")
    positive_integer(runs=runs)
    if runs < LEAST_RUNS:
        raise ValueError(f"runs = {runs}: an integer of at least {LEAST_RUNS} is needed")
    seed_integer(seed=seed)
    inside_unit(confidence=confidence)
    common: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "runs": runs, "seed": seed, "level": 1 - confidence}
    if name in record.parts or not isinstance(record.runner, Kernel):
        counts, sizes = ({key: v for key, v in one.items() if v is not None} for one in ({"T": T, "n": n}, {"C": C, "sigma": sigma}))
        positive_integer(**counts)
        non_negative(**sizes)
        given = {**counts, **sizes, **settings}
        found, words, known = _run_paper_audit(name, record, common, given)
        where = f"How the two data sets differ, and what the audit cannot detect, is described in paper_checks/{record.paper}/audits.py."
        return _make_attack(name, found, known, (*words, where))
    kernel = record.runner
    _check_kernel(kernel, settings)
    _refuse_schedules(kernel, {"C": C, "sigma": sigma, **settings})
    at = _check_sizes(name, T, n, 1.0 if C is None else C, runs)
    usual = kernel.with_defaults({})
    if "batch_size" not in settings and usual["batch_size"] is not None:  # a method whose runs have batches by default
        settings = {"batch_size": usual["batch_size"], "sampling": usual.get("sampling", "without_replacement"), **settings}
    batches: dict[str, Any] = {key: settings[key] for key in ("batch_size", "sampling") if key in settings}
    if sigma is None:
        sigma = _least_sigma(epsilon, delta, {**at, **batches}, kernel.releases_per_step(settings))
        of_noise = f"The noise is that of the {'' if batches else 'exact '}accountant for the declared epsilon and delta."
    else:
        non_negative(sigma=sigma)
        _check_magnitude(sigma=sigma)
        of_noise = "The noise is the given sigma."
    at |= {"sigma": sigma, **settings}
    if METHODS.get(name) is record:
        found, _, at = _run_paper_audit(name, record, common, at)
        space = at.pop("space", VECTOR)
    else:
        space = Space(MATRIX) if kernel.tables or "shapes" in kernel.takes else VECTOR
        found = attack_method(kernel, space=space, **common, **at)
    of_batches = (of_means(at["n"], C=at["C"], **batches).describe(),) if batches else ()
    return _make_attack(name, found, at, (*_sum_remarks(kernel, space, n, found.remark, **batches), *of_batches, of_noise))


def _find_record(method: str | type[Declaration] | Method) -> tuple[str, Method]:
    """Return the name of the audited method or part, and the record of the method."""
    names = auditable_methods(METHODS)
    if isinstance(method, str):
        one_of(tuple(names), method=method)
        return method, names[method]
    found = find_method(method, names)
    return found.name, found


def _check_kernel(kernel: Kernel, settings: Mapping[str, Any]) -> None:
    """Raise ValueError unless the kernel is private and can be audited with these further settings."""
    if not kernel.private:
        raise ValueError(f"method = {short_repr(kernel.name)}: it adds no noise and promises no privacy, so there is nothing to audit")
    if not any(draw.stream == NOISE for draw in kernel.draws):
        raise ValueError(f"method = {short_repr(kernel.name)}: its noise must be a draw of the stream synthetic.draws.NOISE")
    names = [one.name for one in kernel.all_settings]
    taken = [one for one in names if one not in FIXED and (one != "batch_size" or "sampling" in names)]
    for name, value in settings.items():
        if name not in taken:
            has = ", ".join(("T", "n", "C", "sigma", "runs", "seed", "confidence", *taken))
            raise ValueError(f"{name} = {short_repr(value)}: an audit of {kernel.name} has no setting {name}; it takes {has}")
    positive_integer(**{name: settings[name] for name in ("P", "batch_size") if name in settings})
    if "sampling" in settings:
        one_of(SAMPLINGS, sampling=settings["sampling"])
    for one, other in permutations(("batch_size", "sampling")):
        if one in settings and other not in settings:
            raise ValueError(f"{one} = {short_repr(settings[one])}: {other} is needed with it; sampling is one of {', '.join(SAMPLINGS)}")


def _refuse_schedules(kernel: Kernel, given: Mapping[str, Any]) -> None:
    """Raise ValueError for an array of values, one for each step: the attacks know a constant threshold and noise."""
    for one in kernel.all_settings:
        if one.per_step and not one.many and isinstance(value := given.get(one.name), Iterable):
            raise ValueError(
                f"{one.name} = {short_repr(value)}: one number is needed, because an audit has the same {one.name} in every step"
            )


def _check_sizes(name: str, T: int | None, n: int | None, C: float, runs: int) -> dict[str, Any]:
    """Check T, n and C of an audit and return them as a dictionary; raise ValueError for missing or too large values."""
    if missing := [word for word, value in {"T": T, "n": n}.items() if value is None]:
        raise ValueError(f"{missing[0]} is missing: an audit of {name} needs {' and '.join(missing)}")
    positive_integer(T=T, n=n)
    assert T is not None
    assert n is not None
    positive(C=C)
    _check_magnitude(C=C)
    if n * T * runs > MOST_GRADIENTS:
        most = f"a product of at most {MOST_GRADIENTS:.0e} is needed, because every record has a gradient in every step of every run"
        raise ValueError(f"n = {short_repr(n)}, T = {short_repr(T)}, runs = {short_repr(runs)}: {most}; take fewer records, steps or runs")
    return {"T": T, "n": n, "C": C}


def _least_sigma(epsilon: float, delta: float, at: Mapping[str, Any], P: int) -> float:
    """Return the least sigma for (epsilon, delta) by the exact accountant; raise ValueError if delta is 0 or sigma is too extreme."""
    if not delta > 0:
        raise ValueError(f"delta = {short_repr(delta)}: a number strictly between 0 and 1 is needed, or sigma, for which delta may be 0")
    sigma = calibrated_sigma(epsilon, delta, **at, P=P)
    if not 1 / EXTREME <= sigma <= EXTREME:
        numbers = ", ".join(f"{name} = {short_repr(value)}" for name, value in {"epsilon": epsilon, "delta": delta, **at}.items())
        raise ValueError(
            f"{numbers}: less extreme numbers are needed, their sigma is {sigma:.4g} and not from {1 / EXTREME:g} to {EXTREME:g}"
        )
    return sigma


def _check_magnitude(**given: float) -> None:
    """Raise ValueError for a number other than 0 outside [1/EXTREME, EXTREME], whose square may overflow or underflow."""
    for name, value in given.items():
        if value and not 1 / EXTREME <= value <= EXTREME:
            raise ValueError(f"{name} = {short_repr(value)}: a number from {1 / EXTREME:g} to {EXTREME:g} is needed")


def _run_paper_audit(
    name: str, record: Method, common: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[Audit, tuple[str, ...], dict[str, Any]]:
    """Run the paper's own audit of a method or part; return the audit, sentences about a part, and the settings with their defaults.

    Raises ValueError where the paper has no audit of this name, or its audit does not take what is given.
    """
    where = f"paper_checks.{record.paper}.audits"
    module = import_module(where) if record.paper in PAPERS and find_spec(where) else None
    if module is None or name not in module.AUDITED:
        parts = ", ".join(part for part in auditable_methods(METHODS) if part != name and part in getattr(module, "AUDITED", ()))
        own = "the lab has no audit of it; its METHOD must be theory_lab.methods.sums.record(...) of a private kernel"
        raise ValueError(f"method = {short_repr(name)}: {f'one of {parts} is needed' if parts else own}")
    if twice := common.keys() & given.keys():
        raise ValueError(
            f"{min(twice)} = {short_repr(given[min(twice)])}: an audit has no setting {min(twice)}; confidence determines the level"
        )
    part = module.AUDITED[name]
    _check_types(getattr(part, "settings", {}), given)
    found: Audit = call_checked(f"audit of {name}", module.audit, "the name of the method", name, **common, **given)
    if not hasattr(part, "words"):
        return found, (), {**given, **{key: value for key, value in part.items() if key not in given}}
    return found, (f"This audit attacks {part.words}.",), {**part.settings, **given}


def _check_types(defaults: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Raise ValueError for a setting of a part whose type differs from its default's: a count, a number or a word."""
    for name, value in given.items():
        default = defaults.get(name)
        if isinstance(default, str) and not isinstance(value, str):
            raise ValueError(f"{name} = {short_repr(value)}: a word is needed, such as {default}")
        if isinstance(default, int):
            (positive_integer if default else seed_integer)(**{name: value})
        if isinstance(default, float) and not (is_real(value) and abs(value) <= EXTREME):
            raise ValueError(f"{name} = {short_repr(value)}: a number from -{EXTREME:g} to {EXTREME:g} is needed")
    counts = {name: value for name, value in {**defaults, **given}.items() if isinstance(defaults.get(name), int) and value}
    if math.prod(counts.values()) > MOST_COUNTS:
        numbers = ", ".join(f"{name} = {short_repr(value)}" for name, value in counts.items())
        raise ValueError(f"{numbers}: a product of at most {MOST_COUNTS:.0e} is needed; take smaller numbers")


def _sum_remarks(
    kernel: Kernel, space: Space, n: int | None, remark: str, batch_size: int | None = None, sampling: str = ""
) -> tuple[str, ...]:
    """Return sentences about the audit of a method on sums: the two data sets, what is released, and what cannot be detected.

    remark   what the audit says about its data sets and its test, where they are not the usual ones
    """
    noise = next(draw for draw in kernel.draws if draw.stream == NOISE)
    names = [draw.name for draw in kernel.draws if draw is not noise]
    public = f", and the draws {' and '.join(names)}, which count as public" if names else ""
    shapes = " and ".join(" x ".join(map(str, shape)) for shape in space.shapes)
    own = f"The rows of {noise.name} have a distribution of their own. The audit takes them as independent, and attacks nothing else in it."
    law = () if noise.law is normal else (own,)
    signs = "" if remark else " and opposite signs, along another direction in each step"
    others, over, unseen = "all other gradients are 0", "all records", "other losses or data sets, or a secret batch"
    if batch_size is not None:
        drawn = "by Poisson sampling" if sampling == "poisson" else "without replacement"
        others = others if sampling == "poisson" else "all other gradients are those of this record in the second data set"
        over, unseen = f"a batch of {batch_size}, drawn {drawn} and kept secret", "other losses or data sets"
    return (
        f"The two data sets have {n} records with linear losses and differ in one record. Its gradients have norm "
        f"{LONG_GRADIENT:g} C{signs}; {others}. Each step is over {over}.",
        f"Released are all iterates{public}. The observer knows both data sets."
        if kernel.publishes == "x"
        else f"Released is {kernel.publishes} at the end of each step{public}, as the record of the method declares. The observer knows "
        "both data sets.",
        f"The audit cannot detect a leak that needs {unseen}, or iterates of other shapes than {shapes}. So the true epsilon may be larger "
        "than the certified one.",
        *law,
        *([remark] if remark else []),
    )


def _make_attack(name: str, found: Audit, settings: Mapping[str, Any], said: tuple[str, ...]) -> Attack:
    """Return the result of an audit, with closing sentences on what it certifies added to the remarks."""
    sure = f"with a confidence of {100 * (1 - found.level):.10g} %"
    privacy = f"({found.epsilon:g}, {found.delta:g})-differential privacy"
    least = f"epsilon is at least {found.certified:.4g}" if math.isfinite(found.certified) else "no finite epsilon holds"
    if found.convicted:
        end = f"The declared {privacy} is false: {sure}, {least} at this delta."
    else:
        end = f"The audit does not refute {privacy}, and does not prove it: {sure}, {least} at this delta."
    few = "The certified epsilon is below half of the declared one: there is more noise than needed, there are too few runs, or the "
    few += "attack is weak: it sees only what the method declares as published (see publishes in docs/howto/audit.md)."
    more = () if found.share >= 0.5 else (few,)
    return Attack(name, found, dict(settings), (*said, *more, end))
