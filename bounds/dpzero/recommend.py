"""Recommend alpha, T, C, lambda and sigma for DPZero, DPGD-0th and DP-GD, with the guarantee: as printed and as sharp as is proved.

    printed     the paper's schedule with T rounded by the rule that keeps the guarantee and sigma for that T (Lemma 2.2);
                `bound` is the paper's formula, `certified` what is proved at the integer T, never above the trivial bound
    sharp       the schedule that minimises our sharper theorems, sigma from exact accounting; `bound` is certified
    batched     with a batch size: a schedule for batches, sigma from the accountant for them; no bound is certified
    caveats     full sentences on the limits of the guarantees
    misjudged   what the two guarantees become if a constant was assumed too small by a factor of 2

Source    `bounds.dpzero` (statements), `sharp_schedule` (sharp plans), `bounds.privacy` (noise).
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import bounds
from bounds import privacy
from bounds.dpzero import sharp_schedule
from bounds.dpzero.columns import MisjudgedConstant, Plan, Schedule
from bounds.dpzero.remark_f5 import best_integer_T
from bounds.dpzero.sharp_noise import lipschitz_scale
from bounds.dpzero.sharp_numbers import MEASURE, MEASURE_START, START
from bounds.privacy.accounting import of_means
from bounds.privacy.budget import Budget
from bounds.privacy.gaussian import lemma_2_2_warning
from bounds.privacy.release import Mechanism, Release
from bounds.symbols import GLOSSARY
from bounds.validate import non_negative, one_of, positive, positive_integer, validated_strictly, whole_number

PRINTED = {"dpzero": "dpzero.theorem3", "dpgd_0th": "dpzero.theorem2", "dp_gd": "dpzero.dp_gd"}
PRINTED_WITHOUT_RANK = PRINTED | {"dpgd_0th": "dpzero.theorem1"}
PRINTED_PL = {"dpzero": "dpzero.corollary_f4", "dpgd_0th": "dpzero.corollary_f3"}
METHODS = tuple(PRINTED)


@validated_strictly
def recommend(
    method: str,
    *,
    n: float,
    d: float,
    epsilon: float,
    delta: float,
    L: float,
    ell: float,
    gap: float,
    r: float | None = None,
    B: float | None = None,
    mu: float | None = None,
    T_max: int | str | None = "printed",
    lam: float | None = None,
    accountant: str = "exact",
    batch_size: int | None = None,
    sampling: str | None = None,
) -> Plan:
    """Return the plan of a method for one problem: its printed and its sharp schedule with guarantees and caveats.

    r        effective rank; None: unknown, so r = d
    B        bound on |F_S| everywhere, which Theorem 3 as printed asks for; None or inf: not known
    mu       constant of the PL inequality: the printed plan is then that of the corollary, for the last iterate's loss
    T_max    most steps of the sharp plan: "printed" (those of the printed plan), a number, or None for as many as help
    lam      smoothing radius of the sharp plan; None: the largest that costs at most 1 % of the bound
    accountant    of the sharp plan: "exact", or "lipschitz", which holds only where every possible record has an L-Lipschitz loss
    batch_size    adds the variant batched, see `bounds.dpzero.batches`: its privacy is proved, its accuracy is not
    sampling      of these batches: "poisson" (None too) or "without_replacement"
    Raises ValueError for values that are not allowed. Sensitivity is 2C/n: neighbouring data sets differ in one replaced record.
    """
    one_of(METHODS, method=method)
    whole_number(n=n, d=d)
    if batch_size is not None or sampling is not None:
        from bounds.dpzero.batches import add_batches, check_batches  # imported here, because few plans are for batches

        check_batches(n, batch_size, sampling)
    positive(L=L, ell=ell, gap=gap)
    budget = Budget(epsilon, delta)
    caveats, of_printed = [], list[str]()
    keys = PRINTED_WITHOUT_RANK if r is None else PRINTED
    if r is None:
        r = d
    positive(r=r)
    if not 1 <= r <= d:
        raise ValueError(f"r = {r!r}: a number from 1 to d = {d} is needed")
    asked: dict[str, Any] = {"n": n, "d": d, "r": r, "epsilon": epsilon, "delta": delta, "L": L, "ell": ell, "gap": gap}
    problem = dict(asked)
    if mu is not None:
        positive(mu=mu)
        if method not in PRINTED_PL:
            raise ValueError(f"mu = {mu!r}: the paper has no PL corollary for {method}; leave mu out")
        keys, problem["mu"] = PRINTED_PL, mu
        caveats.append(
            "The PL corollaries bound E[F_S(x_T) - F_S^*]. The sharp plan bounds the squared gradient norm; divided by 2 mu = "
            f"{2 * mu:.4g}, that also bounds F_S - F_S^*, by PL. On all of R^d the assumptions of the corollaries together force F_S to be "
            "constant. Assume them only in a region that contains the iterates."
        )
    key = keys[method]
    if isinstance(B, float) and math.inf == B:
        B = None
    if B is not None:
        non_negative(B=B)
    if "B" in bounds.THEOREMS[key].parameters:
        if B is None:
            problem["B"] = gap / 2
            without_B = "nothing" if mu is not None else f"only the trivial bound L^2 = {L**2:.4g}, which every point satisfies,"
            of_printed.append(
                f"{bounds.THEOREMS[key].title} asks for |F_S| <= B on all of R^d, and no finite B was given. Its numbers use gap / 2 = "
                f"{gap / 2:.4g}, the smallest B that the gap allows, and are no guarantee: {without_B} is certified. The sharp plan needs "
                "no B."
            )
        else:
            problem["B"] = B
    printed, said = _printed_schedule(method, key, problem)
    if guessed := problem.get("B", B) != B:
        printed = replace(printed, certified=math.inf if mu is not None else L**2)
    if warning := lemma_2_2_warning(budget):
        printed = replace(printed, private=False)
    if isinstance(T_max, str) and T_max != "printed":
        raise ValueError(f"T_max = {T_max!r}: an integer of at least 1, 'printed', or None for as many steps as help, is needed")
    at_most = max(1, printed.T) if isinstance(T_max, str) else T_max
    one_of(sharp_schedule.ACCOUNTANTS, accountant=accountant)
    if lam is not None and method != "dp_gd":
        positive(lam=lam)
    if at_most is not None:
        positive_integer(T_max=at_most)
    planned = sharp_schedule.best_plan(
        method, budget, n=n, d=d, r=r, L=L, ell=ell, gap=gap,
        T_max=at_most, lam=None if method == "dp_gd" else lam, accountant=accountant,
    )  # fmt: skip
    chosen = {name: getattr(planned, name) for name in ("theorem", "alpha", "T", "C", "sigma", "bound")}
    measure = MEASURE_START if planned.theorem == START else MEASURE
    radius = math.nan if method == "dp_gd" else planned.lam
    best = Schedule(
        **chosen, measure=measure, lam=radius, certified=planned.bound, method=method, n=float(n), constants=problem_constants(asked)
    )
    best = replace(best, release=_sharp_release(planned, asked))
    noise, rounding = [f"{warning}. The sharp sigma is private"] if warning else [], _rounding_caveats(best, problem)
    caveats += of_printed + said + list(planned.caveats) + noise + rounding
    caveats += filter(None, [privacy.delta_remark(delta, n)])
    caveats.append(
        "L, ell, r and gap must be public upper bounds. Values that are computed from the private data are not covered by epsilon, delta"
    )
    misjudged = tuple(_misjudged_bounds(name, key, printed, planned, problem, guessed) for name in ("L", "ell", "r"))
    others = {"printed": [*planned.caveats, *rounding], "sharp": [*of_printed, *said, *noise]}
    printed, best = (
        replace(variant, caveats=tuple(_as_sentence(text) for text in caveats if text not in others[name]))
        for name, variant in (("printed", printed), ("sharp", best))
    )
    plan = Plan(method, problem, printed, best, tuple(_as_sentence(text) for text in caveats), misjudged)
    return plan if batch_size is None else add_batches(plan, at_most, None if method == "dp_gd" else lam, batch_size, sampling)


def _sharp_release(planned: sharp_schedule.SharpPlan, asked: Mapping[str, Any]) -> Release | None:
    """Return the `Release` of the sharp plan (x_tau alone), "random_shifts" if sigma rests on Lipschitz losses; None if no noise."""
    run = {"C": planned.C, "sigma": planned.sigma}
    found = _full_batch_release(asked, run, planned.T, "gaussian" if planned.T == 1 else "uniform")
    if found is None or planned.by_the_clip is None or planned.by_the_clip <= asked["epsilon"]:
        return found
    scale = lipschitz_scale(planned.method, n=asked["n"], d=asked["d"], L=asked["L"])
    return replace(found, mechanism="random_shifts", sensitivity=scale)


def _printed_schedule(method: str, key: str, problem: Mapping[str, float]) -> tuple[Schedule, list[str]]:
    """Return the printed schedule of a theorem with an integer T and the sigma for it, and the list of its caveats."""
    theorem = bounds.THEOREMS[key]
    evaluation = theorem.at(problem)
    whole = best_integer_T(theorem, problem, evaluation)
    at = {**evaluation.schedule, **whole.schedule}
    lam = at.get("lam", math.nan)
    numbers = (at["alpha"], whole.T, at["C"], lam, at["sigma"], evaluation.bound, whole.bound)
    schedule = Schedule(
        *(key, theorem.measure, *numbers), method=method, n=float(problem["n"]), constants=problem_constants(problem),
        release=_full_batch_release(problem, at, whole.T),
    )  # fmt: skip
    private = bounds.page("dpzero.facts").formula("private")  # the condition epsilon <= 8 A: what the noise is worth is computed below
    said = [one.caveat for one in evaluation.checked if not one.holds and one.condition.relation.rhs != private]
    said.append(whole.reason)
    if not whole.keeps:
        said.append(
            f"at the integer T = {whole.T} only {whole.bound:.4g} is certified, not the bound of the theorem, {evaluation.bound:.4g}"
        )
    return schedule, said


def _full_batch_release(
    problem: Mapping[str, float], run: Mapping[str, float], T: int, mechanism: Mechanism = "gaussian"
) -> Release | None:
    """Return the release of T steps over all n samples; None if the theorem gives no schedule."""
    if math.isnan(run["C"]) or not 0 < run["sigma"] < math.inf or T < 1:
        return None
    return replace(of_means(int(problem["n"]), None, run["C"], T, sigma=run["sigma"]), mechanism=mechanism)


def problem_constants(problem: Mapping[str, float]) -> dict[str, float]:
    """Return the constants of a problem that a guarantee rests on, by name."""
    return {name: float(problem[name]) for name in ("d", "r", "L", "ell", "gap", "B", "mu") if name in problem}


def _rounding_caveats(best: Schedule, problem: Mapping[str, float]) -> list[str]:
    """Return a caveat for each floating-point precision (double, single) for which the sharp plan's lambda is too small."""
    if math.isnan(best.lam) or best.theorem == START:  # no two-point difference is taken
        return []
    size = problem.get("B") or problem["gap"]
    needed = {name: sharp_schedule.least_radius(size=size, C=best.C, unit=unit) for name, unit in sharp_schedule.ROUNDING.items()}
    return [
        f"the sharp plan's lambda = {best.lam:.3g} is too small for {name} precision. With losses of size {size:.3g} a two-point "
        f"difference needs lambda of at least {least:.3g} to be accurate to 1 % of C. Give lam={least:.3g} to see what that costs"
        for name, least in needed.items()
        if best.lam < least
    ]


def _misjudged_bounds(
    name: str, key: str, printed: Schedule, planned: sharp_schedule.SharpPlan, problem: Mapping[str, float], guessed: bool
) -> MisjudgedConstant:
    """Return the certified bounds of both schedules if the true constant is twice the assumed one; `guessed`: B is a guess."""
    true = {**problem, name: 2 * problem[name]}
    fixed = {entry: getattr(printed, entry) for entry in ("alpha", "T", "C", "lam") if not math.isnan(getattr(printed, entry))}
    theorem = bounds.THEOREMS[key]
    letters = {*theorem.parameters, *(str(symbol) for symbol in theorem.without_abbreviations(theorem.any_schedule).free_symbols)}
    runs = fixed.get("T", 1) >= 1 and all(0 < value < math.inf for value in fixed.values())
    before = theorem.bound_of({**{k: v for k, v in true.items() if k in letters}, **fixed}) if runs else math.inf
    schedule = {name: getattr(planned, name) for name in ("alpha", "T", "C", "lam", "sigma")}
    after = sharp_schedule.certified_bound_at(
        planned.theorem, **schedule, **{letter: true[letter] for letter in ("d", "r", "L", "ell", "gap")}
    )
    if math.isnan(before) or guessed:  # the printed schedule does not exist there, or certifies nothing
        before = math.inf
    trivial = math.inf if "mu" in true else true["L"] ** 2
    return MisjudgedConstant(name, min(before, trivial), min(after, true["L"] ** 2))


def _as_sentence(text: str) -> str:
    """Return the text with a full stop, and a capital letter unless it begins with a symbol of the glossary."""
    first = text if text.split()[0] in GLOSSARY else text[0].upper() + text[1:]
    return first.rstrip(".") + "."
