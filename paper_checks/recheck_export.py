"""A second, independent checker of proofs: it reads an export, trusts nothing else, and shares no code with the first."""

import json
import math
import re
import sys
from fractions import Fraction
from functools import cache, reduce
from typing import Any

from flint import Ordering, arb, ctx, fmpq, fmpq_mpoly_ctx, fmpz

ctx.prec, MINUS, ZERO, UNIT, ASSERTED = 2000, ["q", "-1"], ["q", "0"], ["q", "1"], ("Assumed", "Case", "Meaning", "Defined")
POLYNOMIALS, NAME = fmpq_mpoly_ctx.get([f"g{i}" for i in range(64)], Ordering.lex), re.compile(r"[A-Za-z][A-Za-z0-9_]*")
ONE, WORDS, RELATIONS = POLYNOMIALS.constant(1), ("Cited", "Reasoned"), ("=", "<=", ">=", "<", ">")
JOINED: Any = {"*": lambda a, b: (a[0] * b[0], a[1] * b[1]), "+": lambda a, b: (a[0] * b[1] + b[0] * a[1], a[1] * b[1])}  # fractions
HEADS = {*"+*^q", "pi", "exp", "log", "erfc", "erf", "cos", "sin", "max", "min"}
INEQUALITIES: Any = {"exponential": ["+", ["exp", "x"], MINUS, ["*", MINUS, "x"]]}  # not negative, for every real x but in "decay"
INEQUALITIES |= {"cosine": ["+", ["*", ["q", "1/2"], ["^", "x", ["q", "2"]]], ["cos", "x"], MINUS]}
INEQUALITIES |= {"decay": ["+", UNIT, ["*", MINUS, ["exp", ["*", MINUS, "x"]]]]}


def _require(holds: Any, otherwise: str) -> None:
    """Raise ValueError with the message `otherwise` unless the condition `holds` is true."""
    if not holds:
        raise ValueError(otherwise)


def _substitute(e: Any, values: dict[str, Any]) -> Any:
    """Return an expression with `values` substituted for its symbols, once: symbols inside the values stay."""
    return values.get(e, e) if isinstance(e, str) else e if e[0] == "q" else [e[0], *(_substitute(one, values) for one in e[1:])]


def _symbols(e: Any) -> set[str]:
    """Return the set of symbols of an expression."""
    return {e} if isinstance(e, str) else set().union(*map(_symbols, e[1:])) if e[0] != "q" and e[1:] else set()


def _subtrees(e: Any) -> list[Any]:
    """Return a list of an expression and all expressions inside it."""
    return [e, *(part for one in ([] if isinstance(e, str) or e[0] == "q" else e[1:]) for part in _subtrees(one))]


def _subtract(a: Any, b: Any) -> Any:
    """Return the expression a - b as a tree."""
    return ["+", a, ["*", MINUS, b]]


def _difference(line: dict[str, Any]) -> Any:
    """Return the larger side of a line's formula minus the smaller one; of an equality, left minus right."""
    return _subtract(*line["formula"][:: -2 if line["formula"][1] in ("<=", "<") else 2])


class _Proof:
    """One derivation of an export: its lines, and for each of them the reason why it is not confirmed."""

    def __init__(self, export: dict[str, Any], key: str, others: dict[str, Any]) -> None:
        self.export, self.own, self.others = export, export["derivations"][key], others
        self.lines, self.theorem = self.own["lines"], export["theorems"].get(self.own["proves"])
        self.signs = {name: ("real", "nonnegative", "positive").index(one["sign"]) for name, one in export["letters"].items()}
        shorts, self.prescribed = (dict[str, Any](self.theorem[k] if self.theorem else {}) for k in ("abbreviations", "prescribed"))
        self.plain = {name: reduce(lambda e, _: _substitute(e, shorts), shorts, e) for name, e in shorts.items()}  # one in the other
        self.said = {one["formula"][0]: key for key, one in self.lines.items() if one["certificate"]["kind"] == "Defined"}
        self.defined = {letter: self.lines[one]["formula"][2] for letter, one in self.said.items()}
        self.quantities, self.check = {name for name, one in export["letters"].items() if not one["chosen"]}, cache(self._check)

    def _ball(self, e: Any) -> Any:
        """Return an arb ball that contains the value of an expression without symbols."""
        known: Any = {"+": lambda *x: sum(x, arb(0)), "*": lambda *x: math.prod(x, start=arb(1)), "^": lambda a, b: a**b}
        return arb(fmpq(e[1])) if e[0] == "q" else known.get(e[0], getattr(arb, e[0], None))(*map(self._ball, e[1:]))

    def _exponent(self, e: Any) -> Fraction | None:
        """Return r of a power x^r with rational r; None for any other expression."""
        return Fraction(e[2][1]) if not isinstance(e, str) and e[0] == "^" and e[2][0] == "q" else None

    def _used(self, part: Any) -> list[str]:
        """Return the names of all lines to which a certificate, or a part of it, refers, as a list."""
        parts = part if isinstance(part, dict) else dict(enumerate(part if isinstance(part, list) else []))
        return reduce(lambda names, one: names + self._used(one), parts.values(), [parts[k] for k in ("line", "inverse") if k in parts])

    def _factors(self, e: Any) -> list[Any]:
        """Return a list of the factors of a product, or of the primes and inverse primes of a positive rational number; else [e]."""
        if isinstance(e, str) or e[0] != "q" or Fraction(e[1]) <= 0:
            return e[1:] if e[0] == "*" else [e]
        ends = enumerate(Fraction(e[1]).as_integer_ratio())
        return [["^", ["q", str(p)], MINUS] if i else ["q", str(p)] for i, x in ends for p, k in fmpz(x).factor() for _ in range(k)]

    def sign(self, e: Any) -> int:
        """Return 2 if an expression is known to be positive, 1 if it is known to be non-negative, else 0."""
        if isinstance(e, str) or not _symbols(e):
            return self.signs[e] if isinstance(e, str) else 2 if self._ball(e) > 0 else int(self._ball(e) >= 0)
        if e[0] in ("+", "*"):
            numbers = [one for one in e[1:] if not _symbols(one)]
            each = [self.sign(one) for one in (*e[1:], *([[e[0], *numbers]] if numbers else [])) if one not in numbers]
            return min(each) if e[0] == "*" or 0 in each else max(each)
        if e[0] == "^":
            base, r = self.sign(e[1]), self._exponent(e) or Fraction(0)
            return base if (base == 2 and self.real(e[2])) or (base and r > 0) else int(r > 0 and r % 2 == 0 and self.real(e[1]))
        above = ["+", *(e[1][1:] if e[1][0] == "+" else e[1:]), MINUS]  # log(x) has the sign of x - 1 where that is not negative
        known: Any = {"exp": lambda _: 2, "erfc": lambda _: 2, "max": max, "min": min, "log": lambda _: self.sign(above)}
        return known.get(e[0], lambda _: 0)(map(self.sign, e[1:])) if all(map(self.real, e[1:])) else 0

    def real(self, e: Any) -> bool:
        """Return whether an expression is known to be a finite real number."""
        r = self._exponent(e)
        needs = 2 if e[0] == "log" or (e[0] == "^" and (r is None or r < 0)) else int(r is not None and r.denominator > 1)
        return isinstance(e, str) or e[0] in ("q", "pi") or (e[0] in HEADS and all(map(self.real, e[1:])) and self.sign(e[1]) >= needs)

    def _equal(self, a: Any, b: Any) -> bool:
        """Return whether a - b is 0 as a ratio of polynomials in generators: symbols, roots, exponentials and other functions."""
        self.keys, self.powers, self.logs = dict[str, int](), dict[int, Any](), dict[str, Any]()
        self.root = math.lcm(*(int(below) for below in re.findall(r'\["q", "-?\d+/(\d+)"\]', json.dumps([a, b])))) ** 4
        n, d = map(self._reduce_roots, self._fraction(_subtract(a, b)))
        return bool(n == 0 and d != 0)

    def _generator(self, key: str, r: Fraction, power: Any = None) -> Any:
        """Return generator `key` to a rational power as (numerator, denominator); raise ValueError if there are over 64 generators."""
        i = self.keys.setdefault(key, len(self.keys))
        _require(i < 64 and r * self.root % 1 == 0, "more letters, functions and roots than are provided for")
        self.powers |= {i: power} if power is not None else {}
        return (POLYNOMIALS.gens()[i] ** abs(int(r * self.root)), ONE)[:: 1 if r > 0 else -1]

    def _fraction(self, e: Any) -> Any:
        """Return an expression as a ratio of polynomials with rational coefficients in generators, (numerator, denominator)."""
        r, head = self._exponent(e), "" if isinstance(e, str) else e[0]
        if head in ("+", "*"):
            return reduce(JOINED[head], map(self._fraction, e[1:]), (ONE * (head == "*"), ONE))
        if r is None:
            return (ONE * fmpq(e[1]), ONE) if head == "q" else self._function_ratio(e) if head else self._generator(e, Fraction(1))
        (base, inner), (n, d) = (e[1], self._exponent(e[1])), self._fraction(e[1])
        if r.denominator == 1:
            return (n ** int(r), d ** int(r)) if r >= 0 else (d ** int(-r), n ** int(-r))
        if (factors := self._factors(base)) != [base] and all(map(self.sign, factors)):
            return self._fraction(["*", *(["^", factor, e[2]] for factor in factors)])
        if base[0] == "^" and self.sign(base[1]) > (inner is None):
            return self._fraction(["^", base[1], ["*", base[2], e[2]] if inner is None else ["q", str(r * inner)]])
        return self._generator(*((base, r) if isinstance(base, str) else (f"root {[str(one) for one in self._normal(base)]}", r, (n, d))))

    def _normal(self, e: Any) -> Any:
        """Return (numerator, denominator) of an expression in lowest terms; the denominator has leading coefficient 1."""
        n, d = self._fraction(e)
        lead = (d // n.gcd(d)).leading_coefficient()
        return n // n.gcd(d) / lead, d // n.gcd(d) / lead

    def _function_ratio(self, e: Any) -> Any:
        """Return a function as (numerator, denominator) in generators, after its products and powers in exp and log are split."""
        head, inner = e[0], e[1] if e[1:] and not isinstance(e[1], str) else [""]
        if head == "^":
            return self._function_ratio(["exp", ["*", e[2], ["log", e[1]]]])
        if head == "log" and (factors := self._factors(inner)) != [inner] and all(self.sign(one) == 2 for one in factors):
            return self._fraction(["+", *(["log", one] for one in factors)])
        if head == "log" and (inner[0] == "exp" or (inner[0] == "^" and self.sign(inner[1]) == 2)):
            return self._fraction(inner[1] if inner[0] == "exp" else ["*", inner[2], ["log", inner[1]]])
        if head == "exp":
            (n, d), parts = self._normal(e[1]), []
            for term, r in ((POLYNOMIALS.from_dict({powers: 1}), Fraction(int(c.p), int(c.q))) for powers, c in n.to_dict().items()):
                key = f"{term // term.gcd(d)} over {d // term.gcd(d)}"
                power = ["^", self.logs.get(key), ["q", str(r)]]
                parts.append(self._fraction(power) if key in self.logs else self._generator(f"exp {key}", r))
            return reduce(JOINED["*"], parts, (ONE, ONE))
        found = self._generator(f"{head} {[str(part) for one in e[1:] for part in self._normal(one)]}", Fraction(1))
        self.logs |= {f"{found[0]} over 1": e[1]} if head == "log" else {}
        return found

    def _reduce_roots(self, n: Any) -> Any:
        """Return a polynomial, up to a factor, with the known value of each root's power substituted."""
        for i in sorted(self.powers, reverse=True) * 2:
            (top, bottom), most, terms = self.powers[i], n.degrees()[i] // self.root, n.to_dict().items()
            split = ((x[i] // self.root, {(*x[:i], x[i] % self.root, *x[i + 1 :]): c}) for x, c in terms)
            n = sum((POLYNOMIALS.from_dict(rest) * top**whole * bottom ** (most - whole) for whole, rest in split), ONE * 0)
        return n

    def problem(self, name: str) -> str:
        """Return why a line, or "the theorem", is not confirmed; "" if it is confirmed."""
        try:
            (self._check_conclusion if name == "the theorem" else self.check)(name)
        except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as why:  # what is malformed is not confirmed either
            return str(why) or repr(why)
        return ""

    def _check_conclusion(self, name: str) -> None:
        """Raise ValueError unless the last step is the theorem's bound, and each part is the line that the proof shows it by."""
        t, last = self.theorem, self.own["steps"][-1]
        _require(name not in self.lines and t["measured"] not in t["prescribed"], "the theorem defines what it bounds, or is a line")
        for line, claim in [(last, t), *((line, t["parts"][part]) for part, line in self.own["shows"].items())]:
            left, relation, right = self.lines[line]["formula"]
            same = left == claim["measured"] and self._equal(*(_substitute(one, self.plain) for one in (right, claim["bound"])))
            cases = [one["formula"] for one in map(self.lines.get, self._closure(line, deep=True)) if one["certificate"]["kind"] == "Case"]
            same = same and relation in claim["relations"] and all(case in claim["where"] for case in cases)
            _require(same, "the last step, or a part, is not what the theorem says, or holds in one case only")

    def _closure(self, name: str, deep: bool = False, found: frozenset[str] = frozenset()) -> frozenset[str]:
        """Return the names of all lines that a line rests on, itself included; if `deep`, with the definitions of their symbols."""
        line = self.lines.get(name, {"formula": None, "certificate": None})  # deep: with what says what the letters in it stand for
        words = NAME.findall(json.dumps([line["formula"], line["certificate"]])) if deep else []
        names = (*self._used(line["certificate"]), *(self.said[one] for one in words if one in self.said))
        return reduce(lambda known, one: known if one in known else self._closure(one, deep, known), names, found | {name})

    def _check(self, name: str) -> None:
        """Raise ValueError unless a line is confirmed: the lines that it uses, its words, then the rule for its certificate."""
        c, formula, is_step = (line := self.lines[name])["certificate"], line["formula"], name in (steps := self.own["steps"])
        allowed = {*self.own["facts"], *(steps[: steps.index(name)] if is_step else steps)}
        for one in (*self._used(c), *line["where"]):
            _require(one in allowed and name not in self._closure(one, c["kind"] == "Defined"), f"{one} is no line that may be used here")
            _require(c["kind"] in WORDS or self.lines[one]["formula"], f"{one} is in words only")
            self.check(one)
        if is_step and formula:
            mine, words, spelled = _symbols(_difference(line)), NAME.findall(line["statement"]), self.own["spelled"]
            meant = " ".join(self.export["letters"][one]["words"] for one in mine)
            stems, said = ({w[:5].lower() for w in some if len(w) > 3} for some in (NAME.findall(meant), words))
            _require(not mine or {spelled.get(w, w) for w in words} & mine or stems & said, "the text is about something else")
        if c["kind"] not in WORDS:
            claims, taken = formula and formula[0] != formula[2] and formula[1] in RELATIONS, c["kind"] in (*ASSERTED, "Shown")
            known = claims and {*re.findall(r'\["([^"]+)"', json.dumps(_difference(line)))} <= HEADS
            _require(claims and known and taken != is_step, "nothing is claimed, or a step is taken and not made")
            getattr(self, f"_{'asserted' if c['kind'] in ASSERTED else c['kind'].lower()}")(line, c)
            self._check_existence(line) if is_step else None

    def _check_existence(self, line: dict[str, Any]) -> None:
        """Raise ValueError unless no denominator of a step can be 0 and the argument of each logarithm is known to be positive."""
        cited = [self.lines[one] for one in (*self._used(line["certificate"]), *line["where"])]
        cited += [one for one in self.lines.values() if one["certificate"]["kind"] in ("Assumed", "Meaning")]
        known = [(_difference(one), one["formula"][1] in ("<", ">")) for one in cited if one["formula"] and one["formula"][1] != "="]
        self.signs |= {f"?{i}": 1 + strict for i, (_, strict) in enumerate(known)} | {"?": 2}
        for e in _subtrees(_difference(line)):
            r, head = self._exponent(e), "" if isinstance(e, str) else e[0]
            below = head == "^" and not (r is not None and r >= 0) and not (self.sign(e[2]) and self.real(e[2]))
            if (below or head == "log") and not self._is_positive(e[1], known, below):
                raise ValueError("a denominator may be 0, or a logarithm may not exist: name a line that says it is not so")

    def _is_positive(self, e: Any, known: list[tuple[Any, bool]], or_negative: bool) -> bool:
        """Return whether an expression is known to be positive or, with `or_negative`, known not to be 0."""
        factors = self._factors(e)
        if self.sign(e) == 2 or (or_negative and self.sign(["*", MINUS, e]) == 2):
            return True
        if not isinstance(e, str) and e[0] == "^" and self._exponent(e) is not None:
            return self._is_positive(e[1], known, or_negative)
        if factors != [e]:
            return all(self._is_positive(one, known, or_negative) for one in factors)
        seen = [self._known(e, least, f"?{i}") for i, (least, _) in enumerate(known)]
        if any(2 in (self.sign(one), self.sign(["*", MINUS, one]) * or_negative) for one in seen):
            return True
        return any(strict and self._is_positive_multiple(e, least, or_negative) for least, strict in known)

    def _is_positive_multiple(self, e: Any, least: Any, or_negative: bool) -> bool:
        """Return whether an expression is `least` > 0 times a positive monomial in positive symbols; `or_negative` allows any sign."""
        self._equal(e, least)  # begins new names of generators
        parts = [part.to_dict() for part in self._normal(["*", e, ["^", least, MINUS]])]
        names = {i: name for name, i in self.keys.items()}
        if any(len(part) != 1 for part in parts):
            return False
        ((above, c), (below, k)) = (next(iter(part.items())) for part in parts)
        used = [names[i] for i, both in enumerate(zip(above, below, strict=True)) if any(both)]
        return (or_negative or c * k > 0) and all(self.signs.get(one) == 2 or one.startswith("exp ") for one in used)

    def _asserted(self, line: dict[str, Any], c: dict[str, Any]) -> None:
        """Raise ValueError unless a line may be accepted without proof: a hypothesis, a case, a known meaning, or a definition."""
        (letter, relation, meaning), kind = line["formula"], c["kind"]
        said = self.export["meanings"] + self.export["limits"] * (not _symbols(_difference(line)) & {*self.said})
        _require(kind != "Meaning" or line["formula"] in said, "no letter means that")
        if kind == "Assumed" and self.theorem:
            said = [_substitute(_subtract(a, b), self.plain) for a, b, relations in self.theorem["hypotheses"] if relation in relations]
            difference = _substitute(_difference(line), self.plain)
            _require(any(self._equal(difference, one) for one in said), "the theorem has no such hypothesis")
        if kind == "Defined":  # what is shown in a Case is shown there only: `conclusion` asks for that
            spoken = NAME.findall(json.dumps([self.theorem, *(self.export[one] for one in ("averages", "runs", "meanings"))]))
            own = {letter} & {*self.prescribed, *self.own["may_say"]} or [letter, meaning] in self.export["named"] or letter not in spoken
            chosen = self.export["letters"][letter]["role"] != "problem" and self.prescribed.get(letter, meaning) == meaning
            circle = any(self.said[letter] in self._closure(self.said[k], True) for k in _symbols(meaning) & {*self.said})
            once = self.lines[self.said[letter]] is line and relation == "="
            _require(own and chosen and once and not circle, "this is no definition of a letter that is free")
            for i, least in enumerate(self.lines[one["line"]] for one in c["signs"]):
                self.signs |= {f"?{i}": {"<": 2, ">": 2, "<=": 1, ">=": 1}[least["formula"][1]], "?": 2}  # an equality says no sign
                meaning = self._known(meaning, _difference(least), f"?{i}")
            self._signed({letter: meaning})

    def _shown(self, line: dict[str, Any], c: dict[str, Any]) -> None:
        """Raise ValueError unless a line is the lemma of another derivation, and all hypotheses of the lemma are met here."""
        lemma, instance = self.others[c["derivation"]], c["instance"]
        self._signed(instance)
        rest, new = {one: lemma.lines[one] for one in lemma._closure(c["lemma"])}, {*self.said} - {*lemma.said}
        kinds = [(one["certificate"]["kind"], _symbols(_difference(one))) for one in rest.values() if one["formula"]]
        spoken = set().union(*(letters for kind, letters in kinds if kind in (*WORDS, "Telescoped", "Shown", "Meaning")))
        inside = set().union(*(letters for _, letters in kinds)) - {*lemma.own["left_open"]}
        moved = {k: self.defined[k] for k in self.quantities & new} | {k: e for k, e in instance.items() if spoken or k in self.quantities}
        moved, *whole = ({k: e for k, e in one.items() if k != e and k in inside} for one in (moved, *lemma.own["instances"]))
        _require(moved in ({}, *whole) and rest[c["lemma"]]["certificate"]["kind"] not in ASSERTED, "the lemma is about something else")
        lemma.check(c["lemma"])
        pairs, seen = {"": (line, rest[c["lemma"]])}, _symbols(_difference(rest[c["lemma"]])) | {*instance} | (spoken - self.quantities)
        taken = [(one, there) for one, there in rest.items() if there["certificate"]["kind"] in ASSERTED]
        for one, there in taken * (len(taken) + 1):  # a definition matters where its letter is seen outside
            kind, letters = there["certificate"]["kind"], _symbols(_difference(there))
            if kind in ("Assumed", "Case") or (letters & {*instance, *new} if kind == "Meaning" else there["formula"][0] in seen):
                pairs[one], seen = (self.lines[c["meets"][one]["line"]], there), seen | letters
        for here, there in pairs.values():
            same = here["formula"][1] == there["formula"][1] and self._equal(_difference(here), _substitute(_difference(there), instance))
            _require(same, "the lemma does not say this, or one of its hypotheses is not met")

    def _signed(self, values: dict[str, Any]) -> None:
        """Raise ValueError unless each value, {symbol: value}, is known to be real and to have the sign of its symbol."""
        _require(all(self.sign(e) >= self.sign(one) and self.real(e) for one, e in values.items()), f"{[*values]} may have another sign")

    def _known(self, e: Any, least: Any, letter: str) -> Any:
        """Return `e` with `letter` for each part equal to `least`, and "?" for each part equal to `least` + 1; log(x) counts as x - 1."""
        above = [_subtract(e[1], UNIT), _subtract(UNIT, ["^", e[1], MINUS])][: 1 + self.sign(e[1]) // 2] if e[0] == "log" else []
        known = letter if any(self._equal(one, least) for one in (e, *above)) else "?" if self._equal(_subtract(e, UNIT), least) else e
        return known if isinstance(known, str) or e[0] == "q" else [e[0], *(self._known(one, least, letter) for one in e[1:])]

    def _inserted(self, names: list[str]) -> dict[str, Any]:
        """Return {symbol: value} of the named equalities; raise ValueError if one gives no symbol a value, or they form a circle."""
        values = {f[0]: f[2] for f in (self.lines[one]["formula"] for one in names) if isinstance(f[0], str) and f[1] == "="}
        values = reduce(lambda found, _: {letter: _substitute(e, values) for letter, e in found.items()}, values, values)
        single = len(values) == len(names) and not any(_symbols(e) & set(values) for e in values.values())
        _require(single, "what is inserted does not say what one letter is each, or goes round in a circle")
        self._signed({letter: values[letter] for letter in values if letter not in self.said})  # definitions were looked at before
        return values

    def _factor(self, factor: Any, values: dict[str, Any]) -> tuple[Any, bool]:
        """Return (factor of a term, whether it is positive); raise ValueError if it is not known to be non-negative."""
        if not isinstance(factor, dict):
            _require(self.sign(e := _substitute(factor, values)) and self.real(e), "a factor is not known to be non-negative")
            return e, self.sign(e) == 2
        if "instance" in factor:
            everywhere, inequality = factor["instance"] != "decay", INEQUALITIES[factor["instance"]]
            each = ["*", *(_substitute(one, values) if everywhere else self._factor(one, values)[0] for one in factor["argument"])]
            _require(not everywhere or self.real(each), "an argument is not known to be real")
            return _substitute(inequality, {"x": each}), False
        line, divided = self.lines[factor.get("line", factor.get("inverse"))], "inverse" in factor
        strict, e = line["formula"][1] in ("<", ">"), _substitute(_difference(line), values)
        _require(strict or (line["formula"][1] != "=" and not divided), "only a strict inequality can be divided by")
        return ["^", e, MINUS] if divided else e, strict

    def _made(self, line: dict[str, Any], c: dict[str, Any]) -> None:
        """Raise ValueError unless a derived line's difference is a sum of non-negative terms and multiples of equalities."""
        values, relation = self._inserted([one["line"] for one in c["at"]]), line["formula"][1]
        terms = [[self._factor(one, values) for one in term] for term in c["terms"]]
        parts = [["*", *(e for e, _ in term)] for term in terms]
        for factors, zero in ((factors, self.lines[equality["line"]]) for factors, equality in c["modulo"]):
            known = [self._factor(one, values)[0] if isinstance(one, dict) else _substitute(one, values) for one in factors]
            finite = all(isinstance(one, dict) or self.real(e) for one, e in zip(factors, known, strict=True))
            _require(zero["formula"][1] == "=" and finite, "what is added is no equality, or its multiplier may be infinite")
            parts.append(["*", *known, _substitute(_difference(zero), values)])
        same = self._equal(_substitute(_difference(line), values), ["+", ZERO, *parts])
        strict = relation in ("<", ">") and not any(all(positive for _, positive in term) for term in terms)
        _require(same and not (terms and relation == "=") and not strict, "the difference is something else, or may be 0 as well")
        alone = {(*(one.get("line") for one in term if isinstance(one, dict)),) for term in c["terms"] if ZERO not in term}
        taken = {(one,) for one, other in self.lines.items() if other["certificate"]["kind"] in ASSERTED}
        plain = [["*", *(self._factor(one, {})[0] for one in term)] for term in (c["terms"] if c["at"] else [])]
        inserted = c["at"] and not self._equal(_difference(line), ["+", ZERO, *plain])
        _require(c["modulo"] or inserted or len(alone) != 1 or not alone <= taken, "a line that is taken implies this alone")

    def _telescoped(self, line: dict[str, Any], c: dict[str, Any]) -> None:
        """Raise ValueError unless a line is the average over steps of another, whose symbols of a step are averaged or telescope."""
        runs, means, e = self.export["runs"], self.export["averages"], _difference(source := self.lines[c["average"]["line"]])
        ends = {now: ["*", _subtract(first, last), ["^", "T", MINUS]] for now, _, first, last in runs} | {run[1]: ZERO for run in runs}
        rest = _substitute(e, none := dict.fromkeys((*means, *ends), ZERO))
        rates = {one: _subtract(_substitute(e, {**none, one: UNIT}), rest) for one in none}
        linear = self._equal(e, ["+", rest, *(["*", rate, one] for one, rate in rates.items())])
        left = _symbols(_substitute(["+", rest, *rates.values()], self.defined))
        steps = [one for one in left if self.export["letters"][one]["per_step"]]
        steps += [now for now, after, *_ in runs if not self._equal(rates[now], ["*", MINUS, rates[after]])]
        _require(linear and not steps, "it is not linear in what changes from step to step, or does not telescope")
        same = source["formula"][1] == line["formula"][1] and self._equal(_substitute(e, means | ends), _difference(line))
        _require(same, "another average")


def check(export: dict[str, Any], *keys: str) -> dict[str, dict[str, str]]:
    """Return {key: {line: why it is not confirmed, "" if it is}} for the derivations of an export with these keys, or for all.

    A theorem that a derivation proves is a further line, "the theorem".
    """
    proofs = dict[str, _Proof]()
    proofs |= {key: _Proof(export, key, proofs) for key in export["derivations"]}
    return {k: {n: proofs[k].problem(n) for n in (*proofs[k].lines, *["the theorem"] * bool(proofs[k].theorem))} for k in keys or proofs}


if __name__ == "__main__":
    try:
        found = check(json.load(sys.stdin)).items()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        sys.exit("standard input: must be an export, as `theory-lab show KEY --proof --json` prints it")
    sys.exit("\n".join(f"{key}, {name}: {why}" for key, one in found for name, why in one.items() if why) or 0)
