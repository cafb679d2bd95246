"""The checker that reads pages by itself: the same trees as the first reader, and what it confirms and refuses."""

import random
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from bounds.pages.store import lab_pages
from bounds.pages.tokens import BadPage
from bounds.pages.tree import read_tree
from paper_checks import recheck

OPEN = {  # lines that it does not confirm: a sign and a logarithm that no line of the page says
    ("gauss_psgd.theorem1", "Q"),
    ("gauss_psgd.theorem4", "composed"),
}
BASIC = ("shared.symbols", "shared.facts", "dpzero.symbols", "dpzero.facts")
MUTATIONS = 400


def both(text):
    """The trees of the two readers, None where a page is refused."""
    try:
        first = read_tree(text)
    except BadPage:
        first = None
    try:
        second = recheck.read_page(text)
    except recheck.Refused:
        second = None
    return first, second


@pytest.mark.parametrize("file", sorted(lab_pages().texts))
def test_both_readers_give_the_same_tree(file):
    first, second = both(lab_pages().texts[file])
    assert first is not None
    assert first == second


def mutated(text, chance):
    """A page with a character, a word or a line dropped, doubled, swapped or replaced."""
    kind = chance.randrange(3)
    parts = re.findall(r"\n[^\n]*|^[^\n]*", text) if kind == 0 else re.findall(r"\w+|\s+|.", text) if kind == 1 else list(text)
    i, j = chance.randrange(len(parts)), chance.randrange(len(parts))
    how = chance.randrange(4)
    if how == 0:
        del parts[i]
    elif how == 1:
        parts.insert(i, parts[i])
    elif how == 2:
        parts[i], parts[j] = parts[j], parts[i]
    else:
        parts[i] = parts[j]
    return "".join(parts)


def test_both_readers_agree_on_mutated_pages():
    """Both refuse, or both give one tree."""
    chance, files, read_, differ = random.Random(0), sorted(lab_pages().texts), 0, []
    for k in range(MUTATIONS):
        file = files[k % len(files)]
        text = mutated(lab_pages().texts[file], chance)
        first, second = both(text)
        read_ += first is not None
        if first != second:
            differ.append((file, text))
    assert differ == []
    assert 0 < read_ < MUTATIONS


@cache
def confirmed():
    """What the checker says of every line of every page."""
    return recheck.check(dict(lab_pages().texts))


@pytest.mark.parametrize("key", [key for key in lab_pages().files if lab_pages().outline(key)[0] in ("theorem", "lemma")])
def test_every_line_of_the_lab_is_confirmed(key):
    refused = {(key, name) for name, why in confirmed()[key].items() if why}
    assert refused <= OPEN


def with_change(key, old, new):
    """What the checker says of a page with one text replaced, by its lines."""
    file = lab_pages().files[key]
    text = lab_pages().texts[file]
    assert text.count(old) >= 1, old
    return recheck.check({**lab_pages().texts, file: text.replace(old, new, 1)}, key)[key]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(64 (ell gap + L_tilde^2) + 2 L^2) rate", "(63 (ell gap + L_tilde^2) + 2 L^2) rate"),
        ("shrink = d + 2 ell alpha r", "shrink = d + ell alpha r"),
        ("cost = 4 L^2 d + 8 B/alpha", "cost = 4 L^2 d + 4 B/alpha"),
        ("alpha = 1/(4 ell (r + 2))", "alpha = 1/(2 ell (r + 2))"),
        ("T = n (r + 2) epsilon/(4 sqrt(r A))", "T = n (r + 2) epsilon/(2 sqrt(r A))"),
        ("effective_rank: trace <= r ell", "effective_rank: trace <= 2 r ell"),
        ("by (q_t/p_t) W_clipped", "by (q_t/p_t) W_clear"),
        ("+ 4 L^2 d [step_or_any]", "+ 3 L^2 d [step_or_any]"),
        ("average of kept_per_step", "average of given_Q"),
        ("signs X_larger_than_1", "signs X_above_1"),
        ("from bound of dpzero.section4_tail with C = threshold", "from bound of dpzero.section4_tail with C = 2 threshold"),
        ("    from dpzero.theorem2\n  known coordinate", "    from one_step of dpzero.theorem2\n  known coordinate"),
        ("drop_t = F_now - F_next ", "drop_t = F_now - F_star "),
        ("estimate_at_most: estimate_norm <= L d", "estimate_at_most: estimate_norm <= L"),
    ],
)
def test_a_fault_in_theorem_3_is_refused(old, new):
    """A constant, a schedule, an assumption, a sum, a quoted line, a definition: some line is not confirmed, or the page is refused."""
    assert any(with_change("dpzero.theorem3", old, new).values())


def test_it_works_alone_on_a_copy_of_its_file_and_the_pages(tmp_path):
    """Without the lab: the names of what is not confirmed, and status 1; what is confirmed, and status 0."""
    copy = tmp_path / "recheck.py"
    copy.write_text(Path(recheck.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    for key in BASIC:
        (tmp_path / f"{key}.page").write_text(lab_pages().texts[lab_pages().files[key]], encoding="utf-8")
    head = "theory-page 1\n\nlemma my.one -- A lemma\nsource -- here\nuses shared.symbols\n\n"
    page = head + "proof\n  both: n + d >= {} -- n and d together\n    by [n >= 1] + [d >= 1]\n"
    for least, status in (("2", 0), ("3", 1)):
        (tmp_path / "my.page").write_text(page.format(least), encoding="utf-8")
        files = sorted(str(file) for file in tmp_path.glob("*.page"))
        done = subprocess.run([sys.executable, "-I", str(copy), *files], cwd=tmp_path, capture_output=True, encoding="utf-8")
        assert done.returncode == status, done.stderr
        assert "my.one" in done.stdout + done.stderr
        assert ("both" in done.stderr) == (status == 1)
