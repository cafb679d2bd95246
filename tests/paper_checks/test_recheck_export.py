"""The second checker: what its algebra knows, that it is independent, and that both checkers agree on every proof of the lab."""

import ast
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

import bounds
from bounds.proofs.certificates import Standing, verify, verify_all
from bounds.proofs.export import export_proofs, expression_tree
from bounds.proofs.support import missing_link, support
from paper_checks import recheck_export

x, y = sp.symbols("x y", positive=True)
g = sp.Symbol("g", nonnegative=True)
a, b = sp.symbols("a b", real=True)
SIGNS = {"x": "positive", "y": "positive", "g": "nonnegative", "a": "real", "b": "real"}
FILE = Path(recheck_export.__file__)


def algebra():
    """A proof without lines, for its algebra."""
    export = {
        "letters": {name: {"sign": sign, "chosen": True} for name, sign in SIGNS.items()},
        "theorems": {},
        "derivations": {"": {"lines": {}, "proves": None}},
    }
    return recheck_export._Proof(export, "", {})


def test_it_is_short_and_shares_no_code():
    text = FILE.read_text(encoding="utf-8")
    documented = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)]
    docstrings = {
        line for node in documented if ast.get_docstring(node) for line in range(node.body[0].lineno, node.body[0].end_lineno + 1)
    }
    assert len([line for line, code in enumerate(text.splitlines(), 1) if code and line not in docstrings]) <= 295
    imports = {node.module if isinstance(node, ast.ImportFrom) else alias.name for node in ast.walk(ast.parse(text))
               if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names}  # fmt: skip
    assert {name.split(".")[0] for name in imports} - set(sys.stdlib_module_names) == {"flint"}


@pytest.mark.parametrize(
    "pair",
    [
        (sp.exp(x + y), sp.exp(x) * sp.exp(y)),
        ((1 + x) ** (y + 2), (1 + x) ** y * (1 + x) ** 2),
        (sp.log(x * y), sp.log(x) + sp.log(y)),
        (sp.log(sp.E * x), 1 + sp.log(x)),
        (sp.log(x**y), y * sp.log(x)),
        (sp.exp(sp.log(x) / 2), sp.sqrt(x)),
        (2 ** (x + 1), 2 * 2**x),
        (1 / (sp.sqrt(x) + 1), (sp.sqrt(x) - 1) / (x - 1)),
        ((x + y) ** sp.Rational(3, 2), (x + y) * sp.sqrt(x + y)),
        (sp.exp(-sp.log(x) / y), x ** (-1 / y)),
        (x ** sp.Rational(2, 3) * x ** sp.Rational(1, 5), x ** sp.Rational(13, 15)),
        ((a + b) ** 2, a**2 + 2 * a * b + b**2),
        (sp.erfc((x + x) / 2), sp.erfc(x)),
        (sp.sqrt(2) * sp.sqrt(x), sp.sqrt(2 * x)),
    ],
)
def test_what_is_equal(pair):
    assert algebra()._equal(*map(expression_tree, pair))


@pytest.mark.parametrize(
    "pair",
    [
        (sp.sqrt(a**2), a),
        (sp.log(a * b), sp.log(a) + sp.log(b)),
        (sp.sqrt(a * b), sp.sqrt(a) * sp.sqrt(b)),
        (x * (1 + sp.Rational(1, 10**400)), x),
        (x + sp.exp(-(10**9) * x), x),
        (sp.exp(x), 1 + x),
        (x ** sp.Rational(1, 3), x ** sp.Rational(1, 2)),
        (sp.sqrt(x**2 + y**2), x + y),
        (sp.exp(a), sp.exp(-a)),
        (sp.erfc(x), sp.erfc(2 * x)),
        (sp.pi, sp.Rational(355, 113)),
    ],
)
def test_what_is_not(pair):
    assert not algebra()._equal(*map(expression_tree, pair))


def test_two_quantities_over_0_are_not_equal():
    """What is inserted may make a denominator 0, which SymPy would notice and a tree does not."""
    zero = ["+", ["^", ["^", expression_tree(x + 1), ["q", "1/2"]], ["q", "2"]], ["*", ["q", "-1"], expression_tree(x + 1)]]
    over = lambda top: ["*", top, ["^", zero, ["q", "-1"]]]
    assert not algebra()._equal(over("x"), over(expression_tree(2 * x)))


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        (x + g, 2), (g, 1), (a, 0), (a**2, 1), (a**3, 0), (x - y, 0), (-x, 0), (-2 * sp.Integer(-3) * x, 2), (1 / x, 2), (1 / (1 + g), 2),
        (sp.exp(a), 2), (sp.erfc(a), 2), (sp.log(1 + g), 1), (sp.log(x), 0), (2 * sp.log(2) - 1, 2), (sp.sqrt(2) - 2, 0), (sp.sqrt(x), 2),
        (sp.sqrt(g), 1), ((x - y) ** 2, 1), (x * a**2, 1), (sp.Rational(1, 3) - 1 / (10 * sp.sqrt(sp.pi)), 2), (sp.Integer(0), 1),
    ],
)  # fmt: skip
def test_signs(expression, known):
    assert algebra().sign(expression_tree(expression)) == known


@pytest.mark.parametrize(
    ("expression", "known"),
    [
        (1 / g, False),
        (1 / x, True),
        (sp.log(g), False),
        (sp.log(1 + g), True),
        (sp.sqrt(a), False),
        (sp.sqrt(g), True),
        (a**2 / (1 + a**2), True),
    ],
)
def test_what_is_a_finite_real_number(expression, known):
    assert algebra().real(expression_tree(expression)) is known


@pytest.fixture(scope="module")
def everything():
    """What the second checker says of every derivation of the lab."""
    return recheck_export.check(json.loads(json.dumps(export_proofs(bounds.DERIVATIONS.values()))))


@pytest.mark.sample(40)
@pytest.mark.parametrize("key", bounds.DERIVATIONS)
def test_both_checkers_accept_every_proof(key, everything):
    proof = bounds.DERIVATIONS[key]
    assert {name: why for name, why in everything[key].items() if why} == {}
    results = verify_all(proof)
    assert {result.step.name: result.how for result in results if result.outcome is Standing.FAILED} == {}
    assert "failed" not in {support(proof, result).kind for result in results}
    assert missing_link(proof) == ""
    assert ("the theorem" in everything[key]) == (proof.proves is not None)


@pytest.mark.sample(6)
@pytest.mark.parametrize("key", bounds.DERIVATIONS)
def test_both_refuse_a_right_side_with_another_constant(key):
    """Every certified step of every proof with a quarter of its right side, and less: not one may pass."""
    proof = bounds.DERIVATIONS[key]
    for result in verify_all(proof):
        if result.outcome is Standing.CERTIFIED:
            name, smaller = result.step.name, result.step.relation in ("<=", "<", "=")
            side = "rhs" if smaller else "lhs"
            lie = proof.with_line(replace(result.step, **{side: getattr(result.step, side) / 4 + (-1 if smaller else 1)}))
            assert verify(lie, name).outcome is Standing.FAILED, name
            proofs = dict[str, recheck_export._Proof]()
            export = json.loads(json.dumps(export_proofs([lie])))
            proofs |= {one: recheck_export._Proof(export, one, proofs) for one in export["derivations"]}
            assert proofs[key].problem(name), name


def run_on(export):
    """The program, on an export at its standard input."""
    arguments = {"input": json.dumps(export), "check": False, "capture_output": True, "text": True, "encoding": "utf-8"}
    return subprocess.run([sys.executable, str(FILE)], **arguments)


def test_the_program_runs_on_its_own():
    export = export_proofs([bounds.DERIVATIONS["dpzero.theorem1"]])
    assert run_on(export).returncode == 0
    export["derivations"]["dpzero.theorem1"]["lines"]["bound"]["formula"][2] = ["q", "0"]
    ended = run_on(export)
    assert ended.returncode == 1
    assert "dpzero.theorem1, bound: the difference is something else" in ended.stderr


def test_a_broken_export_is_not_confirmed():
    export = json.loads(json.dumps(export_proofs([bounds.DERIVATIONS["dpzero.theorem1"]])))
    lines = export["derivations"]["dpzero.theorem1"]["lines"]
    del lines["kept"]["certificate"]["terms"]
    lines["quarter"]["formula"][0] = ["no such function", "alpha"]
    found = recheck_export.check(export)["dpzero.theorem1"]
    assert found["kept"]
    assert found["quarter"]


@pytest.mark.parametrize("export", [{}, [], 3, {"derivations": {"a": {}}, "theorems": [], "letters": {}}])
def test_what_is_no_export_is_answered_in_a_sentence(export):
    ended = run_on(export)
    assert ended.returncode == 1
    assert ended.stderr == "standard input: must be an export, as `theory-lab show KEY --proof --json` prints it\n"
