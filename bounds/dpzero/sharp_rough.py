"""What clipping costs when the samples are Lipschitz only: no smoothness of a sample, no condition that ties C to lam.

Setting   h_i(u) = (f(x + lam u; xi_i) - f(x - lam u; xi_i)) / (2 lam), each f L-Lipschitz;  m the mean of clip_C(h_i), h of the h_i.
          u uniform on the sphere of radius sqrt(d), d >= 4;  p = u' grad F_S,  w = u'Hu,  G = ||grad F_S||.
Measure   E (m - h) p, E (m - h)^2 w and E |m - h| |p| w.
Lemma     with v = d / (d - 3), c = C / (L sqrt(v)) and q = 12
          (i)    |E (m - h) p| <= L G j_1        j_1 = v E (|N| - c)_+ |N|
          (ii)   E (m - h)^2 w <= ell L^2 j_2    j_2 = v (r + q - 1) (E (|N| - c)_+^2)^(1 - 2/q) (E (|N| - c)_+^4)^(1/q)
          (iii)  E |m - h| |p| w <= ell L G j_3  j_3 = v (r + q - 1) (E (|N| - c)_+ |N|)^(1 - 2/q) (E (|N| - c)_+^2 N^2)^(1/q)
Source    ours.

Only the laws of |h_i| and of |p| enter, not how they depend on each other; the worst dependence is that both grow together. Any
integer q >= 2 will do; 12 is within 0.4 % of the best one for 1e3 <= n <= 1e8 and 3 <= r <= 1e3.
"""

from __future__ import annotations

import sympy as sp

from bounds.derivation import Derivation, Identity, Reasoned, Substitution
from bounds.dpzero.sharp_common import THRESHOLD, beyond, beyond_fourth, beyond_squared, c, line, numbered, s, weight, words
from bounds.dpzero.sharp_tail import ENOUGH_DIMENSIONS, SPREAD
from bounds.symbols import L, d, ell, r
from bounds.theorem import Part, Theorem

HOLDER = sp.Integer(12)
NARROW = THRESHOLD / sp.sqrt(SPREAD)


def holder(first: sp.Expr, second: sp.Expr) -> sp.Expr:
    """Return (E Z)^(1 - 2/q) (E Z^2)^(1/q) (r + q - 1), a bound on E Z w / ell."""
    return first ** (1 - 2 / HOLDER) * second ** (1 / HOLDER) * (r + HOLDER - 1)


J1 = SPREAD * beyond(NARROW)
J2 = SPREAD * holder(beyond_squared(NARROW), beyond_fourth(NARROW))
J3 = SPREAD * holder(beyond(NARROW), beyond_squared(NARROW) + 2 * beyond(NARROW))

LEMMA = Theorem(
    key="dpzero.sharp_clip_lipschitz",
    title="mean effect of clipping the two-point differences of Lipschitz functions",
    source="ours; isoperimetry through dpzero.sharp_tail_lipschitz",
    claim="upper",
    measure="|E (m - h) u'g| / ||g||, m the mean of the clipped and h of the unclipped differences",
    assumptions=(
        "u is uniform on the sphere of radius sqrt(d)",
        "every f(.; xi_i) is L-Lipschitz",
        "0 <= H <= ell I, Tr(H) <= r ell, r >= 1",
    ),
    bound=L * J1,
    parts=(
        Part("i", "the same", "<=", L * J1),
        Part("ii", "E (m - h)^2 u'Hu", "<=", ell * L**2 * J2),
        Part("iii", "E |m - h| |u'g| u'Hu / ||g||", "<=", ell * L * J3),
    ),
    conditions=(ENOUGH_DIMENSIONS,),
)

fourth_primitive = -(s**3 - 4 * c * s**2 + (6 * c**2 + 3) * s - 4 * c**3 - 8 * c) * weight(s) - (c**4 + 6 * c**2 + 3) * beyond(s)
one, q = sp.symbols("E(Z) q", positive=True)


def proof() -> Derivation:
    """Write the proof out."""
    return Derivation(
        key="dpzero.sharp_clip_lipschitz",
        title="clipping bias from the laws of the differences alone",
        source="ours",
        proves="dpzero.sharp_clip_lipschitz",
        steps=numbered(
            words(
                "|h_i| <= L sqrt(v) |N| and |p| <= G sqrt(v) |N| in distribution",
                "dpzero.sharp_tail_lipschitz, for the odd L-Lipschitz h_i and for u_1",
                Reasoned("shown there"),
            ),
            words(
                "E f(|h_i|) g(|p|) <= E f(L sqrt(v) |N|) g(G sqrt(v) |N|) for f, g >= 0 that do not fall",
                "write both as integrals of indicators; P(f > a and g > b) is at most the smaller of the two probabilities, "
                "and equals it when one |N| drives both",
                Reasoned("layer cake; the Hardy-Littlewood rearrangement inequality"),
            ),
            words(
                "|m - h| is at most the mean of (|h_i| - C)_+, and (m - h)^2 at most the mean of their squares",
                "Jensen's inequality over the samples",
                Reasoned("convexity"),
            ),
            line(
                "(i): (L sqrt(v) |N| - C)_+ G sqrt(v) |N| has this mean over G",
                L * SPREAD * beyond(NARROW),
                "=",
                L * J1,
                "dpzero.sharp_clip has E (|N| - c)_+ |N| = P(|N| > c) and the second moments",
                Identity(),
            ),
            line(
                "E (|N| - c)_+^4: a primitive",
                sp.diff(fourth_primitive, s),
                "=",
                (s - c) ** 4 * weight(s),
                "differentiate",
                Identity(),
            ),
            line(
                "E (|N| - c)_+^4: its value",
                -fourth_primitive.subs(s, c),
                "=",
                beyond_fourth(c),
                "minus the primitive at c; it is 0 at infinity",
                Identity(),
            ),
            words(
                "for Z >= 0: E Z w <= (E Z)^(1 - 2/q) (E Z^2)^(1/q) (E w^q)^(1/q)",
                "Holder's inequality with the exponents q/(q - 2), q and q",
                Reasoned("the exponents' inverses add up to 1"),
            ),
            line("the inverses", (1 - 2 / q) + 1 / q + 1 / q, "=", 1, "add", Identity()),
            line(
                "and the powers of Z",
                one ** (1 - 2 / q) * (one**2) ** (1 / q),
                "=",
                one,
                "the same exponents for a constant Z",
                Identity(),
            ),
            words(
                "(E w^q)^(1/q) <= ell (r + q - 1)",
                "dpzero.sharp_bias (iv)",
                Reasoned("shown there"),
            ),
            words(
                "(ii) takes Z = (|h_i| - C)_+^2 and (iii) Z = (|h_i| - C)_+ |p|, whose first two moments the rearrangement bounds",
                "E (|N| - c)_+^2 N^2 = E (|N| - c)_+^2 + 2 E (|N| - c)_+ |N|",
                Reasoned("insert the moments"),
            ),
            line("(i) in terms of C", L * SPREAD * beyond(c), "=", LEMMA.bound, "insert c = C / (L sqrt(v))", Substitution({c: NARROW})),
            ranges={one: (sp.Rational(1, 1000), 1000), q: (2, 100), d: (4, 1e11)},
        ),
    )
