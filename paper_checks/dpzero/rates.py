"""Orders and counts of DPZero: Table 1, the remarks that compare rates, scale invariance, and what the constants of (4), (6) hold.

An order is read off the printed bound with every letter but one fixed, and then certified: the bound divided by its order has a
positive finite limit, which SymPy takes at given values of the other letters.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import sympy as sp

import bounds
from bounds.inequalities import is_zero
from bounds.symbols import GLOSSARY, A, C, T, alpha, d, ell, lam, n, r, sigma, symbols
from bounds.theorem import growth
from paper_checks.dpzero import formulas, printed
from paper_checks.verdict import Claim, Finding, Kind, Outcome

VALUES = {"n": 1000, "d": 50, "r": 3, "epsilon": 2, "delta": sp.Rational(1, 10**6), "L": 2, "ell": 3, "gap": 1, "B": 5, "mu": 1}
Order = tuple[str, int]  # power of a letter, power of its logarithm


def order(*, theorem: str, grows: Mapping[str, Order], with_r_equal_d: bool) -> Finding:
    """Read the order of a theorem's bound in each letter, and certify it by a limit; r grows along with d where that is asked for."""
    bound = _bound(theorem)
    if bound is None:
        return Finding(
            Outcome.INCONCLUSIVE, f"{theorem}: the theory holds another bound than the printed one; comparing them would settle it"
        )
    if with_r_equal_d:
        bound = bound.xreplace({r: d})
    found, limits = {}, {}
    for name in grows:
        letter = GLOSSARY[name].symbol
        one = growth(bound, letter)
        found[name] = (str(one.power), int(one.logs))
        shape = letter**one.power * sp.log(letter) ** one.logs
        limits[name] = _limit(bound / shape, letter)
    numbers = {**{f"order in {name}": f"power {power}, logarithms {logs}" for name, (power, logs) in found.items()}}
    numbers |= {f"limit in {name}": sp.sstr(sp.N(limit, 6)) for name, limit in limits.items()}
    if not all(limit.is_positive and limit.is_finite for limit in limits.values()):
        return Finding(Outcome.INCONCLUSIVE, "a limit that should certify the order is not positive and finite", numbers)
    words = ", ".join(growth(bound, GLOSSARY[name].symbol).words(name) + f" in {name}" for name in found)
    if found == {name: tuple(wanted) for name, wanted in grows.items()}:
        return Finding(Outcome.PROVED, f"the bound grows like {words}, each with the other letters fixed", numbers)
    witness = {name: f"found power {found[name][0]}, logarithms {found[name][1]}; claimed {wanted}" for name, wanted in grows.items()}
    return Finding(Outcome.REFUTED, f"the bound grows like {words}", numbers, witness)


def _bound(key: str) -> Any:
    """Return the bound of the theory in constants, or None where the printed one is another."""
    theorem = bounds.THEOREMS[key]
    if key in printed.PAGES and not is_zero(theorem.bound - printed.PAGES[key].bound):
        return None
    return theorem.in_constants(theorem.bound)


def _limit(expression: Any, letter: Any) -> Any:
    """Return the limit as the letter grows, the other letters at VALUES."""
    at = {symbol: sp.sympify(VALUES[symbol.name]) for symbol in expression.free_symbols if symbol != letter}
    return sp.limit(expression.xreplace(at), letter, sp.oo)


def factor(*, better: str, worse: str, letter: str, gains: Order, with_r_equal_d: bool) -> Finding:
    """Compare the orders of two bounds in one letter."""
    orders = []
    for key in (better, worse):
        bound = _bound(key)
        if bound is None:
            return Finding(Outcome.INCONCLUSIVE, f"{key}: the theory holds another bound than the printed one")
        orders.append(growth(bound.xreplace({r: d}) if with_r_equal_d else bound, GLOSSARY[letter].symbol))
    power, logs = orders[1].power - orders[0].power, orders[1].logs - orders[0].logs
    numbers = {"power gained": str(power), "logarithms gained": int(logs)}
    if (str(power), int(logs)) == tuple(gains):
        return Finding(Outcome.PROVED, f"{worse} is larger by {letter}^({power}) log({letter})^({logs})", numbers)
    return Finding(
        Outcome.REFUTED, f"{worse} is larger by {letter}^({power}) log({letter})^({logs})", numbers, {"claimed": str(gains), **numbers}
    )


def count(*, theorem: str, grows: Mapping[str, Order]) -> Finding:
    """Compare n T of a theorem, in the theory and as printed, and read its order in the letters named; kappa is a letter of its own."""
    ours, page = bounds.THEOREMS[theorem], printed.PAGES[theorem]
    total = n * page.schedule["T"]
    part = next((one for one in ours.parts if one.name == "count"), None)
    if part is None or not is_zero(part.value.xreplace({T: ours.schedule["T"]}) - total):
        return Finding(Outcome.INCONCLUSIVE, "the theory counts something else than n T of the print; comparing them would settle it")
    meant = page.definitions.get("Y")
    total = total if meant is None else total.xreplace({symbols("Y")[0]: meant})
    found = {name: growth(total, GLOSSARY[name].symbol) for name in grows}
    numbers = {f"order in {name}": f"power {one.power}, logarithms {one.logs}" for name, one in found.items()}
    if all((str(one.power), int(one.logs)) == tuple(grows[name]) for name, one in found.items()):
        return Finding(
            Outcome.PROVED, f"n T = {sp.sstr(n * page.schedule['T'])} has the orders claimed, constants and logarithms hidden", numbers
        )
    return Finding(Outcome.REFUTED, "n T grows otherwise than claimed", numbers, {name: str(one) for name, one in found.items()})


def invariance(*, theorem: str) -> Finding:
    """Replace f by s f, and x by s x, and see whether schedule and bound change as the quantities that they stand for."""
    ours, s = bounds.THEOREMS[theorem], sp.Symbol("s", positive=True)
    power = printed.PAGES[theorem].power if theorem in printed.PAGES else 2
    scaled = {
        "f -> s f": ({"L": 1, "ell": 1, "gap": 1, "B": 1, "mu": 1}, {"alpha": -1, "T": 0, "C": 1, "lam": 0, "sigma": 1, "bound": power}),
        "x -> s x": (
            {"L": -1, "ell": -2, "gap": 0, "B": 0, "mu": -2},
            {"alpha": 2, "T": 0, "C": -1, "lam": 1, "sigma": -1, "bound": 0 if power == 1 else -2},
        ),
    }
    checked = 0
    for change, (constants, moves) in scaled.items():
        at = {GLOSSARY[name].symbol: GLOSSARY[name].symbol * s**exponent for name, exponent in constants.items()}
        for name, expression in (*ours.schedule.items(), ("bound", ours.bound)):
            for end in expression.args if isinstance(expression, sp.Min) else (expression,):
                whole = ours.in_constants(end)
                checked += 1
                if not is_zero(sp.powdenest(sp.simplify(whole.xreplace(at) / whole), force=True) - s ** moves[name]):
                    point = {symbol: sp.sympify(VALUES.get(symbol.name, 2)) for symbol in whole.free_symbols}
                    doubled = whole.xreplace(at).xreplace({**point, s: sp.Integer(2)}).evalf(20)
                    witness = {
                        "entry": name,
                        "s": 2,
                        "changes by": float(doubled / whole.xreplace(point).evalf(20)),
                        "should by": 2.0 ** moves[name],
                    }
                    return Finding(Outcome.REFUTED, f"{change} does not move {name} as it should", {}, witness)
    return Finding(Outcome.PROVED, f"{checked} entries move as s to the power of what they stand for", {"identities": checked})


def constant(*, equation: str, dimensions: tuple[int, ...]) -> Finding:
    """Evaluate the c of (4) or (6) at the theorem's own T: what is left of it when alpha^2 and the powers of d and r are taken out."""
    key = {"4": "dpzero.theorem1", "6": "dpzero.theorem2"}[equation]
    page, shape = printed.PAGES[key], {"4": d**3, "6": r * d**2}[equation]
    noise = {"4": ell / 2 * alpha**2 * d * sigma**2, "6": ell / 2 * alpha**2 * r * sigma**2}[equation]
    c = sp.simplify(noise.xreplace({sigma: printed.SIGMA}).xreplace({C: page.schedule["C"]}) / (alpha**2 * shape))
    own = page.in_constants(c)
    values = [
        float(own.xreplace({**{GLOSSARY[k].symbol: sp.sympify(v) for k, v in VALUES.items() if k != "d"}, d: sp.Integer(dim)}))
        for dim in dimensions
    ]
    order_in_d = growth(own, d).power
    numbers = {"c before T is chosen": sp.sstr(c), "power of d in c": str(order_in_d)}
    if order_in_d == 0:
        return Finding(Outcome.PROVED, f"c = {own} does not depend on d", numbers)
    witness: dict[str, Any] = {k: str(v) for k, v in VALUES.items() if k in ("n", "r", "epsilon", "delta", "L", "ell")}
    witness |= {f"c at d = {dim}": value for dim, value in zip(dimensions, values, strict=True)}
    sentence = (
        f"c = {sp.sstr(c)} holds T, and with the theorem's T it changes as d^({order_in_d}); with a fixed c, (3) and (5) would not follow"
    )
    return Finding(Outcome.REFUTED, sentence, numbers, witness)


def shrinks_by_rank() -> Finding:
    """Divide the step and the noise in the norm of H, as bounded under Assumption 3.5, by those in the Euclidean norm times ell."""
    trace, grad_sq = r * ell, symbols("grad_sq")[0]
    step = (2 * ell * (r + 2) * grad_sq) / (ell * 2 * d * grad_sq)  # (15) against (12), lam -> 0
    noise = sigma**2 * trace / (ell * d * sigma**2)
    held = [bounds.DERIVATIONS["dpzero.theorem2"]["curvature"].rhs.xreplace({lam: sp.Integer(0)}), 2 * ell * (r + 2) * grad_sq]
    if is_zero(held[0] - held[1]) and is_zero(step - (r + 2) / d) and is_zero(noise - r / d):
        return Finding(Outcome.PROVED, "the bounds shrink by (r + 2)/d and by r/d", {"step": "(r + 2)/d", "noise": "r/d"})
    return Finding(Outcome.INCONCLUSIVE, "the theory bounds the step by another constant than the paper; comparing the two would settle it")


def sources() -> Finding:
    """Read the powers of d in the three sources of Remark 3.3, T fixed and lam -> 0."""
    second, C_1 = printed.SECOND_MOMENT.xreplace({lam: sp.Integer(0)}), printed.PAGES["dpzero.theorem1"].schedule["C"]
    noise = (d * sigma**2).xreplace({sigma: printed.SIGMA}).xreplace({C: C_1})
    found = {"E ||G||^2": growth(second, d).power, "C": growth(C_1, d).power, "E ||z||^2": growth(noise, d).power}
    own_T = growth(printed.PAGES["dpzero.theorem1"].in_constants(noise), d).power
    numbers = {**{name: str(power) for name, power in found.items()}, "E ||z||^2 with the theorem's own T": str(own_T)}
    if tuple(found.values()) == (1, 1, 3):
        return Finding(Outcome.PROVED, f"powers of d: 1, 1 and 3 with T fixed; with Theorem 1's own T the noise has d^({own_T})", numbers)
    return Finding(Outcome.REFUTED, "the powers of d differ", numbers, numbers)


def scalar_noise() -> Finding:
    """Read the order of sigma^2 Tr(H) at C = 4 L_tilde in r and d, T fixed, and with Theorem 3's own T."""
    page = printed.PAGES["dpzero.theorem3"]
    noise = (sigma**2 * r * ell).xreplace({sigma: printed.SIGMA}).xreplace({C: page.schedule["C"]})
    fixed_T, own_T = noise, noise.xreplace({T: page.schedule["T"]})
    for name, meaning in reversed([*page.definitions.items()]):
        fixed_T, own_T = (one.xreplace({GLOSSARY[name].symbol: meaning}) for one in (fixed_T, own_T))
    in_d, in_r, own = growth(fixed_T, d), growth(fixed_T, r), growth(own_T, r)
    numbers = {"in d": in_d.words("d"), "in r": in_r.words("r"), "in r with the theorem's T": own.words("r")}
    if in_d.power == 0 and in_r.power == 1:
        sentence = f"with T fixed it grows like r and {in_d.words('d')}; with Theorem 3's own T like {own.words('r')}"
        return Finding(Outcome.PROVED, sentence, numbers)
    return Finding(Outcome.REFUTED, "it grows otherwise", numbers, numbers)


def iterations_ratio() -> Finding:
    """Divide T of Theorem 3 by T of the theory's DP-GD, whose error has the same rate sqrt(r A) / (n epsilon)."""
    ratio = sp.simplify(printed.PAGES["dpzero.theorem3"].schedule["T"] / bounds.THEOREMS["dpzero.dp_gd"].schedule["T"])
    if is_zero(ratio - (r + 2) / 4):
        sentence = "the ratio is (r + 2)/4; the DP-GD count is ours, Theorem 3 itself says nothing of DP-GD"
        return Finding(Outcome.PROVED, sentence, {"ratio": "(r + 2)/4"})
    return Finding(
        Outcome.INCONCLUSIVE, f"the ratio is {ratio}, with a DP-GD schedule that is not the expected one", {"ratio": sp.sstr(ratio)}
    )


def not_twice_differentiable() -> Finding:
    """Take Huber's function, 1-Lipschitz and 1-smooth with smallest value 0, and differentiate twice from both sides of x = 1."""
    x, h = sp.symbols("x h", real=True)
    inner, outer = x**2 / 2, x - sp.Rational(1, 2)
    smooth = inner.subs(x, 1) == outer.subs(x, 1) and sp.diff(inner, x).subs(x, 1) == sp.diff(outer, x).subs(x, 1)
    slopes = [sp.limit((sp.diff(piece, x).subs(x, 1 + h) - 1) / h, h, 0, side) for piece, side in ((inner, "-"), (outer, "+"))]
    if smooth and slopes[0] != slopes[1]:
        witness = {"f(x)": "x^2/2 where |x| <= 1, |x| - 1/2 beyond", "d = n = L = ell": 1, "x": 1,
                   "second derivative from the left": float(slopes[0]), "from the right": float(slopes[1])}  # fmt: skip
        sentence = "Huber's function meets Assumption 3.1 for every dataset, and has no second derivative at 1, which 3.5 asks for"
        return Finding(Outcome.REFUTED, sentence, {}, witness)
    return Finding(Outcome.INCONCLUSIVE, "the function does not separate the two assumptions")


def rough_sample(*, ell: float, smoothing: float) -> Finding:
    """Take L max(x, 0) with the partner -L max(x, 0), whose mean is 0, and compare the two sides of (16) just left of the kink."""
    hinge = lambda x: max(x, 0.0)  # noqa: E731
    x = -smoothing / 2
    left = abs(hinge(x + smoothing) - hinge(x - smoothing)) / (2 * smoothing)
    gradient = 1.0 if x > 0 else 0.0
    right = gradient + float(
        printed.EQUATIONS["16"].xreplace({symbols("ell")[0]: sp.Float(ell), lam: sp.Float(smoothing), d: sp.Integer(1)})
    )
    averages = [hinge(y) - hinge(y) for y in (x, x + smoothing, x - smoothing)]
    if left > right and not any(averages):
        witness = {"f(x; 1)": "max(x, 0)", "f(x; 2)": "-max(x, 0)", "F_S": 0, "L": 1, "ell": ell, "d": 1, "lam": smoothing, "u": 1, "x": x,
                   "left side of (16)": left, "right side": right}  # fmt: skip
        sentence = (
            f"both samples are 1-Lipschitz, F_S = 0 is smooth, and (16) says {left:g} <= {right:g}; read for every dataset, repeated "
            "records included, Assumption 3.1 makes each sample smooth and excludes this"
        )
        return Finding(Outcome.INCONCLUSIVE, f"{sentence}; the authors' reading would settle it", witness)
    return Finding(Outcome.CONSISTENT, f"(16) holds at this point: {left:g} <= {right:g}")


def repaired_row(*, dimensions: tuple[int, ...]) -> Finding:
    """Evaluate the sharper theorem without smooth samples at r = d, with Theorem 3's schedule and the noise of Lemma 2.2."""
    page, theorem = printed.PAGES["dpzero.theorem3"], bounds.THEOREMS["dpzero.sharp_event"]
    values = {k: float(v) for k, v in VALUES.items() if k not in ("d", "r", "mu")} | {"n": 1e30, "B": 0.0}
    ratios = []
    for dimension in dimensions:
        at = {**values, "d": float(dimension), "r": float(dimension)}
        inserted = {GLOSSARY[k].symbol: sp.Float(v, 60) for k, v in at.items()}
        entry = lambda e, inserted=inserted: float(page.in_constants(e).xreplace(inserted).evalf(30))  # noqa: E731
        chosen = {"alpha": entry(alpha), "T": entry(T), "C": entry(C), "lam": entry(page.lam), "sigma": entry(printed.SIGMA)}
        bound = theorem.bound_at(**chosen, **{k: v for k, v in at.items() if k != "epsilon" and k != "delta" and k != "B"})
        rate = math.sqrt(dimension * entry(A)) / (at["n"] * at["epsilon"])
        ratios.append(bound / (rate * math.log(dimension)))
    numbers = {f"bound over log(d) sqrt(d A)/(n epsilon) at d = {one:g}": ratio for one, ratio in zip(dimensions, ratios, strict=True)}
    if all(math.isfinite(one) for one in ratios) and ratios == sorted(ratios, reverse=True):
        return Finding(
            Outcome.CONSISTENT, f"the bound over log(d) sqrt(d A)/(n epsilon) falls from {ratios[0]:.4g} to {ratios[-1]:.4g}", numbers
        )
    return Finding(Outcome.INCONCLUSIVE, "the ratio does not fall: an order in d would have to be read from a larger range", numbers)


LIMITS = "read off the printed bound, certified by a limit"
TABLE = "Table 1"


def _order(
    key: str, source: str, words: str, latex: str, theorem: str, grows: Mapping[str, Order], at_d: bool = False, **more: Any
) -> Claim:
    return Claim(
        key=f"dpzero.{key}", source=source, words=words, latex=latex, kind=Kind.EXPONENT, expected=Outcome.PROVED, why=LIMITS,
            examine=order,
        arguments={"theorem": f"dpzero.{theorem}", "grows": grows, "with_r_equal_d": at_d}, derivations=(f"dpzero.{theorem}",), **more,
    )  # fmt: skip


def _count(name: str, source: str, latex: str, grows: Mapping[str, Order]) -> Claim:
    return Claim(
        key=f"dpzero.{name}.count", source=source,
            words=f"{source}: the printed count n T, with the order that is printed beside it, where T is positive",
        latex=latex, kind=Kind.EXPONENT, expected=Outcome.PROVED, why="read off n T; logarithms are hidden in the print",
        examine=count, arguments={"theorem": f"dpzero.{name}", "grows": grows},
    )  # fmt: skip


def _invariant(name: str, source: str) -> Claim:
    return Claim(
        key=f"dpzero.{name}.scale_invariance", source=f"{source} and its proof",
        words="alpha, T, C, lambda, sigma and the bound change with f -> s f and x -> s x as the quantities that they stand for",
        latex=r"f \mapsto sf:\ \alpha \mapsto \alpha/s,\ C \mapsto sC;\ x \mapsto sx:\ \alpha \mapsto s^2\alpha,\lambda \mapsto s\lambda",
        kind=Kind.IDENTITY, expected=Outcome.PROVED, why="powers of s cancel", examine=invariance, arguments={"theorem": f"dpzero.{name}"},
        stated="question",
    )  # fmt: skip


def _factor(key: str, source: str, words: str, better: str, worse: str, letter: str, gains: Order, at_d: bool, why: str) -> Claim:
    return Claim(
        key=f"dpzero.{key}", source=source, words=words, kind=Kind.EXPONENT, expected=Outcome.PROVED, why=why, examine=factor,
        arguments={"better": f"dpzero.{better}", "worse": f"dpzero.{worse}", "letter": letter, "gains": gains, "with_r_equal_d": at_d},
    )  # fmt: skip


def _constant(equation: str, source: str, latex: str) -> Claim:
    return Claim(
        key=f"dpzero.equation_{equation}.constant", source=source,
        words=f"With the theorem's own parameters, and lambda -> 0, the c of ({equation}) does not depend on d", latex=latex,
        kind=Kind.SCOPE, expected=Outcome.REFUTED, why="c = 16 ell L^2 T A / (n epsilon)^2 holds T, which the theorem chooses by d",
        examine=constant, arguments={"equation": equation, "dimensions": (1, 100, 10_000)},
        correction="c does not depend on d as long as T is kept fixed; the rates use that T falls with d",
        correction_latex=r"c = \frac{16\ell L^2TA}{n^2\varepsilon^2}", repaired_by=f"dpzero.equation_{equation}.derived", stated="reading",
    )  # fmt: skip


CLAIMS = (
    _order("table1_dpgd_0th.without", TABLE, "DPGD-0th without Assumption 3.5: d sqrt(d)", r"\mathcal{O}(d\sqrt d)", "theorem1",
           {"d": ("3/2", 0)}),
    _order("table1_dpgd_0th.with", TABLE, "DPGD-0th with Assumption 3.5: d sqrt(r)", r"\mathcal{O}(d\sqrt r)", "theorem2",
           {"d": ("1", 0), "r": ("1/2", 0)}),
    _order("table1_dpzero.with", TABLE, "DPZero with Assumption 3.5: log(d) sqrt(r), where a log(r) is at most log(d)",
           r"\mathcal{O}((\log d)\sqrt r)", "theorem3", {"d": ("0", 1), "r": ("1/2", 1)}),
    _order("table1_dpzero.at_r_d", TABLE, "The bound of Theorem 3 at r = d is of order log(d) sqrt(d)", r"\mathcal{O}((\log d)\sqrt d)",
           "theorem3", {"d": ("1/2", 1)}, True, stated="reading"),
    Claim(
        key="dpzero.table1_dpzero.without", source="Table 1, left entry of DPZero",
        words="Theorem 3's proof covers Assumption 3.1, read for the dataset at hand: (16) holds without smooth samples",
        latex=r"\mathcal{O}((\log d)\sqrt d)\text{ without Assumption 3.5}", kind=Kind.SCOPE, expected=Outcome.INCONCLUSIVE,
        why="(16) needs every sample to be smooth; whether 3.1 says so depends on the datasets it speaks of", examine=rough_sample,
        arguments={"ell": 0.1, "smoothing": 1.0},
        stated="reading", repaired_by="dpzero.table1_dpzero.without_repaired", derivations=("dpzero.theorem3", "dpzero.sharp_event"),
    ),
    Claim(
        key="dpzero.table1_dpzero.without_repaired", source="ours; in place of the left entry of DPZero in Table 1",
        words="Without smooth samples and without B, the sharper Theorem 3 at r = d is of order log(d) sqrt(d)",
        latex=r"\mathcal{O}((\log d)\sqrt d)", kind=Kind.EXPONENT, expected=Outcome.CONSISTENT,
        why="evaluated over 20 orders of magnitude of d", examine=repaired_row,
        arguments={"dimensions": (10**2, 10**4, 10**8, 10**12, 10**16, 10**20)}, stated="question", derivations=("dpzero.sharp_event",),
    ),
    Claim(
        key="dpzero.assumption_3_5.boils_down", source="Section 3.2, after Assumption 3.5",
        words="With r = d, Assumption 3.5 asks for no more than Assumption 3.1 does", kind=Kind.SCOPE, expected=Outcome.REFUTED,
        why="3.5 asks for a second derivative besides", examine=not_twice_differentiable,
        correction="With r = d it is stronger; all that the proofs need is F_S(x + v) <= F_S(x) + <grad F_S(x), v> + v'Hv/2",
    ),
    _order("table1_dp_gd.with", TABLE, "DP-GD with Assumption 3.5: sqrt(r), by our own proof", r"\mathcal{O}(\sqrt r)", "dp_gd",
           {"d": ("0", 0), "r": ("1/2", 0)}),
    _order("table1_dp_gd.without", TABLE, "DP-GD at r = d: sqrt(d), by our own proof", r"\mathcal{O}(\sqrt d)", "dp_gd", {"d": ("1/2",
        0)}, True),
    _order("remark_3_2.error", "Remark 3.2", "The error of Theorem 1 is of order d^(3/2), and falls like 1/n", r"\mathcal{O}(d^{3/2})",
        "theorem1",
           {"d": ("3/2", 0), "n": ("-1", 0)}),
    _factor("remark_3_2.factor", "Remark 3.2", "Theorem 1 is worse than first-order methods by a factor d", "dp_gd", "theorem1", "d",
        ("1", 0),
            True, "d^(3/2) against d^(1/2) of our DP-GD at r = d"),
    Claim(
        key="dpzero.remark_3_3.sources", source="Remark 3.3",
        words="E ||G||^2 is of order d, C of order d and E ||z||^2 of order d^3, for fixed T and lambda -> 0", stated="reading",
        latex=r"\mathcal{O}(d\|\nabla F_S\|^2),\ \mathcal{O}(d),\ \mathcal{O}(dC^2) = \mathcal{O}(d^3)", kind=Kind.EXPONENT,
        expected=Outcome.PROVED, why="read off Lemma C.2 (ii), C = L d and sigma", examine=sources,
    ),
    _constant("4", "Remark 3.3, equation (4)", r"c\,\alpha^2d^3"),
    _constant("6", "Remark 3.6, equation (6)", r"c\,\alpha^2rd^2"),
    Claim(
        key="dpzero.remark_3_6.factor", source="Remark 3.6", words="In the norm of H, step and noise are smaller by a factor of order r/d",
        latex=r"\mathcal{O}(r/d)", kind=Kind.EXPONENT, expected=Outcome.PROVED, why="(r + 2)/d and r/d", examine=shrinks_by_rank,
        derivations=("dpzero.theorem2",),
    ),
    _order("remark_4_1.rate", "Remark 4.1",
        "The squared gradient norm of DPZero is of order sqrt(r log(1/delta))/(n epsilon), up to logarithms",
           r"\tilde{\mathcal{O}}\left(\sqrt{r\log(1/\delta)}/(n\varepsilon)\right)", "theorem3",
           {"d": ("0", 1), "r": ("1/2", 1), "n": ("-1", 1)}),
    _factor("remark_4_1.first_order", "Remark 4.1", "At r = d DPZero matches first-order DP-GD up to a logarithm", "dp_gd", "theorem3",
        "d", ("0", 1),
            True, "log(d) sqrt(d) against sqrt(d) of our DP-GD"),
    _factor("remark_4_2.factor", "Remark 4.2", "(7) improves (5) by a factor d, up to the logarithm", "theorem3", "theorem2", "d", ("1",
        -1), False,
            "d against log(d), r fixed"),
    Claim(
        key="dpzero.remark_4_2.noise", source="Remark 4.2", stated="reading",
        words="E ||z_t u_t||_H^2 is of order r up to logarithms, for fixed T",
        latex=r"\mathbb{E}\|z_tu_t\|_H^2 = \tilde{\mathcal{O}}(r)", kind=Kind.EXPONENT, expected=Outcome.PROVED,
        why="sigma^2 Tr(H) with C = 4 L_tilde; T, which grows with r, is hidden", examine=scalar_noise,
    ),
    _count("theorem1", "Theorem 1", formulas.COUNT_1, {"n": ("2", 0), "d": ("-1/2", 0)}),
    _count("theorem2", "Theorem 2", r"nT = \mathcal{O}(n^2\sqrt r/d)", {"n": ("2", 0), "d": ("-1", 0), "r": ("1/2", 0)}),
    _count("theorem3", "Theorem 3", r"nT = \mathcal{O}(n^2\sqrt r)", {"n": ("2", 0), "d": ("0", 0), "r": ("1/2", 0)}),
    _count("corollary_f2", "Corollary F.2", r"nT = \tilde{\mathcal{O}}(nd\kappa)", {"n": ("1", 1), "d": ("1", 1), "kappa": ("1", 1)}),
    _count("corollary_f3", "Corollary F.3", r"nT = \tilde{\mathcal{O}}(nr\kappa)", {"n": ("1", 1), "d": ("0", 1), "r": ("1", 1),
        "kappa": ("1", 1)}),
    _count("corollary_f4", "Corollary F.4", r"nT = \tilde{\mathcal{O}}(nr\kappa)", {"n": ("1", 1), "d": ("0", 0), "r": ("1", 1),
        "kappa": ("1", 1)}),
    *(
        _invariant(name, source)
        for name, source in (("theorem1", "Theorem 1"), ("theorem2", "Theorem 2"), ("theorem3", "Theorem 3"),
                             ("corollary_f2", "Corollary F.2"), ("corollary_f3", "Corollary F.3"), ("corollary_f4", "Corollary F.4"))
    ),
    Claim(
        key="dpzero.theorem3.iterations", source="Section 5, number of iterations",
        words="DPZero needs of the order of r times as many iterations as DP-GD for the same rate",
        latex=r"\mathcal{O}(r)", kind=Kind.EXPONENT, expected=Outcome.PROVED, why="with our DP-GD schedule; the paper gives none",
        examine=iterations_ratio, derivations=("dpzero.dp_gd",),
    ),
)  # fmt: skip
