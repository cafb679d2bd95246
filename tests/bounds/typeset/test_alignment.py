"""Equations under one another: where a line is broken, by hand from how wide SymPy draws a formula."""

import pytest
import sympy as sp

from bounds.symbols import B, d, n
from bounds.typeset.alignment import LINE, WIDEST_LEFT, WIDEST_WORDS, Alignment, drawn_width


def lines(*equations):
    page = Alignment()
    for one in equations:
        page.equation(*one)
    return page.lines


@pytest.mark.parametrize(
    ("relation", "sign"),
    [("<=", r"\le n"), (">=", r"\ge n"), ("=", "= n"), ("<", "< n"), (">", "> n"), ("O", r"= \mathcal{O}\left(n\right)")],
)
def test_a_relation_has_its_sign(relation, sign):
    assert lines(("x", relation, n)) == [f"x &{sign}"]


def test_a_long_left_side_has_a_line_of_its_own():
    """Signs that take no room of their own are not counted: commands, braces, what makes an index."""
    assert lines(("a" * 22, "=", n)) == [f"{'a' * 22} &= n"]
    assert lines(("a" * 23, "=", n)) == [f"&{'a' * 23}", r"&\quad = n"]
    light = rf"\left({'a' * 9}_{{{'b' * 9}}}\right)^2"
    assert lines((light, "<=", n)) == [rf"{light} &\le n"]
    assert lines(("\\" + "alpha" * 9, "<", n)) == ["\\" + "alpha" * 9 + " &< n"]


def total(terms):
    """A sum of letters, each four columns wide, with three between each two."""
    return sp.Add(*(sp.Symbol(f"x_{k:03}", positive=True) for k in range(terms)))


def test_a_sum_is_broken_exactly_where_it_is_wider_than_the_line():
    assert [drawn_width(total(k)) for k in (1, 2, 9, 10)] == [4, 11, 60, 67]
    assert LINE == 64
    assert len(lines(("y" * 4, "=", total(9)))) == 1  # 60 and 4 columns of 64
    broken = lines(("y" * 5, "=", total(9)))
    assert len(broken) == 9
    assert broken[0] == "yyyyy &= x_{000}"
    assert broken[1:] == [rf"&\quad + x_{{{k:03}}}" for k in range(1, 9)]
    wide = "y" * (WIDEST_LEFT + 1)  # on a line of its own: only the indent of four columns beside the sum
    assert len(lines((wide, "=", total(9)))) == 2
    negative = lines((wide, "=", total(9) - n))
    assert len(negative) == 1 + 10
    assert r"&\quad - n" in negative or r"&\quad = - n" in negative


def test_an_order_is_never_broken_into_equations():
    page = Alignment()
    page.equation("x", "O", sp.Add(*(sp.sqrt(n * d + k) for k in range(1, 9))))
    assert len(page.lines) == 1
    assert page.pieces
    assert page.latex().count(r"\\") == len(page.pieces)


def test_the_part_that_saves_most_room_gets_the_first_letter():
    inner = sp.sqrt(n * d * B + n + 1)
    page = Alignment()
    room = drawn_width(inner) + 4
    short = page.abbreviate(inner * sp.log(inner) + sp.exp(inner), room)
    assert drawn_width(short) <= room
    assert list(page.pieces) == [inner]
    assert page.pieces[inner] == sp.Symbol("Z_1", real=True)
    assert page.abbreviate(inner, room) == page.pieces[inner]  # the same letter the next time
    assert Alignment().abbreviate(sp.Symbol("a" * 70), 10) == sp.Symbol("a" * 70)  # nothing to name in a letter


def test_a_claim_has_its_label_and_its_words():
    page = Alignment()
    page.claim("E x, for all x", "<", n, "i")
    assert page.lines == [r"\text{($i$) }\mathbb{E}\, x &< n", r"&\quad\text{(for all $x$)}"]
    page = Alignment()
    page.claim("E x", "O", n)
    assert page.lines == [r"\mathbb{E}\, x &= \mathcal{O}\left(n\right)"]


def test_a_label_stands_above_words_that_leave_it_no_room_and_none_stands_where_there_is_none():
    def claimed(words, label):
        page = Alignment()
        page.claim(words, "<=", n, label)
        return page.lines

    fits, longer = "a" * (WIDEST_WORDS - 1), "a" * WIDEST_WORDS
    assert claimed(fits, "i")[0].startswith(r"&\text{($i$) }")
    assert claimed(longer, "i")[0] == r"&\text{($i$)}"
    assert len(claimed(longer, "i")) == len(claimed(longer, "")) + 1
    assert not any("()" in line for line in claimed(2 * longer, ""))


def test_what_words_add_behind_a_comma_is_broken_into_lines():
    page = Alignment()
    page.claim("x, " + " ".join(["share"] * 25), "<=", n)
    added = [line for line in page.lines if "share" in line]
    assert len(added) == 3
    assert added[0].startswith(r"&\quad\text{(share")
    assert added[-1].endswith("share)}")
    assert all(line.count("share") * 6 <= LINE + 6 for line in added)
