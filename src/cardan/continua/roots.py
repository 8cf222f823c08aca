"""The frequencies of a continuum, each between two counts that differ by it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardan.continua.basis import basis
from cardan.continua.counting import Count, Line
from cardan.continua.modes import boundary
from cardan.continua.spans import Number
from cardan.errors import ModelError

CLOSE = 2e-13  # of a frequency: how near counts are asked for; a step of false position from there errs by its square
EQUAL = 1e-18  # of a frequency: closer than this, roots are one root of higher multiplicity
MOST = 200  # steps between two bounds


@dataclass(frozen=True)
class Bound:
    """A frequency with its count."""

    omega: Number
    count: Count


def frequencies(line: Line, wanted: int) -> list[float]:
    """The lowest ``wanted`` frequencies in ascending order, those of rigid motions (zero) included."""
    from mpmath.ctx_mp import MPContext

    ctx = MPContext()  # one of our own: the precision of the user's mpmath is the user's
    ctx.dps = 40
    require_rest(line, ctx)
    rigid = line.rigid
    found = [0.0] * min(rigid, wanted)
    if wanted > rigid:
        low, high = bounds(line, rigid, wanted, ctx)
        for one, multiplicity in separated(line, low, high, wanted, ctx):
            found += [float(one)] * multiplicity
    return found[:wanted]


def require_rest(line: Line, ctx: Any) -> None:
    """Refuse what does not rest straight: a beam that is compressed beyond its buckling load."""
    if all(span.tension >= 0 for span in line.spans):
        return
    unstable = line.count(ctx.mpf(-1e-9 * line.scale), ctx).below
    if unstable:
        raise ModelError(
            f"The beam is compressed beyond its buckling load: {unstable} of its modes grow instead of oscillating. "
            "Lower the compression, or hold the beam at more places.",
            unstable=unstable,
        )


def bounds(line: Line, rigid: int, wanted: int, ctx: Any) -> tuple[Bound, Bound]:
    """A frequency below all that are not zero, and one above the last that is wanted."""

    def at(omega: Number) -> Bound:
        return Bound(omega, line.count(omega**2, ctx))

    start = ctx.sqrt(ctx.mpf(line.scale))
    low = at(start / 1000)
    while low.count.below > rigid:
        low = at(low.omega / 1000)
    high = at(start * wanted)
    while high.count.below < wanted:
        high = at(high.omega * 2)
    return low, high


def separated(line: Line, low: Bound, high: Bound, wanted: int, ctx: Any) -> Iterator[tuple[Number, int]]:
    """Ascending roots between two bounds with their multiplicities: halve until one is left, then close in."""
    between = high.count.below - low.count.below
    if between == 0 or low.count.below >= wanted:
        return
    if between == 1:
        yield closed_in(line, low, high, ctx), 1
        return
    if high.omega - low.omega <= EQUAL * high.omega:
        yield (low.omega + high.omega) / 2, between
        return
    omega = (low.omega + high.omega) / 2
    middle = Bound(omega, line.count(omega**2, ctx))
    yield from separated(line, low, middle, wanted, ctx)
    yield from separated(line, middle, high, wanted, ctx)


def closed_in(line: Line, low: Bound, high: Bound, ctx: Any) -> Number:
    """The one root between two bounds: guessed in floats, or by false position with halved ends (Illinois).

    It is believed where counts close to both its sides differ by one.
    """
    a, b, f_a, f_b = low.omega, high.omega, low.count.characteristic, high.count.characteristic
    believed = between_counts(line, ctx.mpf(guess(line, float(a), float(b))), low.count.below, ctx)
    last, side = high.omega, 0
    for _ in range(MOST):
        if believed is not None:
            return believed
        omega = b - f_b * (b - a) / (f_b - f_a)
        if not a < omega < b:
            omega = (a + b) / 2
        if abs(omega - last) <= CLOSE * omega:
            believed = between_counts(line, omega, low.count.below, ctx)
        last, count = omega, line.count(omega**2, ctx)
        if count.below > low.count.below:
            b, f_b = omega, count.characteristic
            f_a, side = (f_a / 2 if side < 0 else f_a), -1
        else:
            a, f_a = omega, count.characteristic
            f_b, side = (f_b / 2 if side > 0 else f_b), 1
    return (a + b) / 2


def guess(line: Line, low: float, high: float) -> float:
    """The root in floats, where the determinant of the conditions at the places changes sign; else the middle."""
    from scipy.optimize import brentq

    def determinant(omega: float) -> float:
        return float(np.linalg.det(boundary(line, omega**2, [basis(span, omega**2) for span in line.spans])))

    if determinant(low) * determinant(high) >= 0:  # other solutions are used at one of them, which may turn the sign
        return (low + high) / 2
    return float(brentq(determinant, low, high, xtol=1e-300, rtol=1e-14))


def between_counts(line: Line, omega: Number, below: int, ctx: Any) -> Number | None:
    """The root by one more step, where exactly one lies within a few units of the twelfth digit; else None."""
    a, b = omega * (1 - CLOSE), omega * (1 + CLOSE)
    left, right = line.count(a**2, ctx), line.count(b**2, ctx)
    if left.below != below or right.below != below + 1:
        return None
    return b - right.characteristic * (b - a) / (right.characteristic - left.characteristic)
