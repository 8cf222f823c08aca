"""Steady motion under a harmonic force at one place: exact, by the dynamic stiffness of spans divided there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from cardan.continua.counting import Line
from cardan.continua.ends import Freedom
from cardan.continua.spans import BeamSpan, Matrix, Number, Span, WaveSpan
from cardan.errors import ModelError


def receptance(line: Line, at: float, force_at: float, omega: float) -> float:
    """u(at) for a force cos(omega t) at ``force_at``, as the factor of cos(omega t)."""
    from mpmath.ctx_mp import MPContext

    divided = line
    for x in (at, force_at):
        divided = divide(divided, x)
    driven, seen = (free_number(divided, x) for x in (force_at, at))
    if driven is None:
        raise ModelError(f"The force at x = {force_at:g} works on a place that is held. Put it elsewhere.", at=force_at)
    if seen is None:
        return 0.0
    ctx = MPContext()
    with ctx.workdps(divided.digits(omega**2)):
        K = divided.stiffness(ctx.mpf(omega) ** 2, ctx)
        return float(solved(K, driven, ctx)[seen])


def divide(line: Line, x: float) -> Line:
    """The same line with a place at x, where nothing is held."""
    if not 0.0 <= x <= line.positions[-1]:
        raise ModelError(f"The place x = {x:g} is not between 0 and the length, {line.positions[-1]:g}.", x=x)
    if x in line.positions:
        return line
    k = max(i for i, start in enumerate(line.positions) if start < x)
    span, length = line.spans[k], x - line.positions[k]
    parts = (shortened(span, length), shortened(span, span.length - length))
    nothing = tuple(Freedom(held=False) for _ in range(line.freedoms))
    places = (*line.places[: k + 1], nothing, *line.places[k + 1 :])
    return Line((*line.spans[:k], *parts, *line.spans[k + 1 :]), places)


def shortened(span: Span, length: float) -> Span:
    """The span with another length."""
    assert isinstance(span, WaveSpan | BeamSpan)
    return replace(span, length=length)


def free_number(line: Line, x: float) -> int | None:
    """Which of the free displacements is that of the place at x; None where it is held."""
    nearest = min(range(len(line.positions)), key=lambda k: abs(line.positions[k] - x))
    if line.places[nearest][0].held:
        return None
    return sum(not freedom.held for place in line.places[:nearest] for freedom in place)


def solved(K: Matrix, driven: int, ctx: Any) -> list[Number]:
    """Displacements under a unit force on one of them, by Gauss; K is symmetric and its pivots do not vanish."""
    n = len(K)
    u = [ctx.mpf(int(i == driven)) for i in range(n)]
    for k in range(n):
        for i in range(k + 1, n):
            share = K[i][k] / K[k][k]
            K[i] = [a - share * b for a, b in zip(K[i], K[k], strict=True)]
            u[i] -= share * u[k]
    for k in reversed(range(n)):
        u[k] = (u[k] - sum(K[k][j] * u[j] for j in range(k + 1, n))) / K[k][k]
    return u
