"""Expressions as sums of products, in which what cancels is gone: what is differentiated next stays small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import sympy as sp

from cardan.algebra.decimals import has_decimals, with_decimals
from cardan.algebra.trig_ring import TooMuch, TrigRing

LARGEST_EXPANDED = 20_000  # operations of an expression that is put into the ring
MOST_REDUCED = 60_000  # terms of polynomials on the way; some seconds


Sphere: TypeAlias = tuple[sp.Symbol, ...]  # of symbols whose squares have the sum one


def expanded(expression: sp.Expr) -> sp.Expr:
    """An equal sum of products; sines of sums stay as they were typed. A very large expression is returned as it is."""
    expression = sp.sympify(expression)
    if expression.is_Atom or expression.count_ops() > LARGEST_EXPANDED:
        return expression
    ring = TrigRing([expression], split=False)
    ring.most = MOST_REDUCED
    try:
        top, bottom = ring.ratio(expression)
        found = ring.expression(ring.reduced(top)) / ring.expression(bottom)
    except TooMuch:
        return expression
    return with_decimals(found) if has_decimals(expression) else found


def on_spheres(expression: sp.Expr, spheres: Sequence[Sphere]) -> sp.Expr:
    """A sum of products equal to the expression where w^2 = 1 - x^2 - y^2 - z^2 for each (w, x, y, z)."""
    expression = sp.sympify(expression)
    if not expression.free_symbols & {symbol for sphere in spheres for symbol in sphere}:
        return expression
    ring = TrigRing([expression], split=False)
    ring.most = MOST_REDUCED
    try:
        top, bottom = ring.ratio(expression)
        for sphere in spheres:
            if all(symbol in ring.plain for symbol in sphere):
                first, *others = (ring.plain[symbol] for symbol in sphere)
                rest = 1 - sum(ring.ring.gens[k] ** 2 for k in others)
                top = ring.without_squares(top, first, rest)
        found = ring.expression(ring.reduced(top)) / ring.expression(bottom)
    except TooMuch:
        return expression
    return with_decimals(found) if has_decimals(expression) else found
