"""What holds in place of printed lines of DP-GRAPE where no chain of the theory has it."""

from bounds.derivation import Derivation
from bounds.lines import line
from bounds.symbols import symbols
from paper_checks.dp_grape import printed as p

(k,) = symbols("block")

IN_PLACE = Derivation(
    key="dp_grape.in_place",
    title="what holds in place of printed lines, where no chain has it",
    source="ours",
    facts=(
        line("largest_block", k, "<=", p.d).says("a block k has no more entries than there are").assumed(),
        line("few_columns", p.r + 1, "<=", p.d).says("r is at most d - 1").assumed(),
    ),
    steps=(
        line("within", (k + p.r + 1) / p.r, "<=", 2 * p.d / p.r)
        .says("(k + r + 1)/r is at most 2 d/r where r <= d - 1")
        .because("k <= d")
        .by((1 / p.r, "largest_block"), (1 / p.r, "few_columns")),
    ),
)
