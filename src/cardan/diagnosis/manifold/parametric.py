"""The manifold of a curve or surface given by expressions: positions typed as vectors, screws, joints that share a
coordinate."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.diagnosis.manifold.overlaps import reached_twice
from cardan.diagnosis.manifold.reach import Reach
from cardan.diagnosis.sets.collapse import collapsed
from cardan.model.model import Model

Vector = NDArray[np.float64]
Curve = Callable[[float], Vector]  # a value of the coordinate -> the place it gives

SAMPLES = 400
PERIODS = tuple(2 * np.pi * k for k in (0.25, 1 / 3, 0.5, 1, 2, 3, 4))


def swept_by(seen: Sequence[sp.Expr], unknown: Sequence[sp.Symbol], model: Model) -> Reach:
    """What the map unknown -> seen sweeps: coordinates that enter different components are factors by themselves."""
    moving = [sp.sympify(e) for e in seen]
    moving = [e for e in moving if e.free_symbols & set(unknown)]
    idle = tuple(str(q) for q in unknown if not any(q in e.free_symbols for e in moving))
    factors: list[tuple[str, tuple[str, ...]]] = []
    faithful, reasons = not idle, []
    for group in _groups(moving, [q for q in unknown if str(q) not in idle]):
        own = [e for e in moving if e.free_symbols & set(group)]
        got = _curve(own, group[0]) if len(group) == 1 else _surface(own, group, model)
        if got.undecided:
            return got
        factors += got.factors
        faithful = faithful and got.faithful
        reasons.append(got.why)
    return Reach(tuple(factors), faithful, idle, why="; ".join(one for one in reasons if one))


def _groups(seen: Sequence[sp.Expr], unknown: Sequence[sp.Symbol]) -> list[list[sp.Symbol]]:
    groups: list[set[sp.Symbol]] = [{q} for q in unknown]
    for e in seen:
        together = [g for g in groups if g & e.free_symbols]
        groups = [g for g in groups if g not in together] + ([set().union(*together)] if together else [])
    return [sorted(g, key=str) for g in groups]


# --- one coordinate ----------------------------------------------------------------------------------


def _curve(seen: Sequence[sp.Expr], u: sp.Symbol) -> Reach:
    """A regular curve without crossings is a circle where it closes, a line where it does not."""
    name = (str(u),)
    if any(sp.diff(e, u).is_nonzero and not sp.diff(e, u).free_symbols for e in seen):
        return Reach((("E", name),), why=f"{u} gives a curve that runs on along a line")
    f = sp.lambdify(u, sp.Matrix(seen), modules="numpy", dummify=True)
    slope = sp.lambdify(u, sp.Matrix([sp.diff(e, u) for e in seen]), modules="numpy", dummify=True)
    period = next((p for p in PERIODS if _repeats(f, p)), None)
    grid = np.linspace(0, period, SAMPLES, endpoint=False) if period else np.linspace(-10, 10, 4 * SAMPLES)
    points = np.array([np.asarray(f(x), dtype=float).ravel() for x in grid])
    speeds = np.array([np.linalg.norm(np.asarray(slope(x), dtype=float)) for x in grid])
    if not np.all(np.isfinite(points)) or np.min(speeds) < 1e-2 * np.median(speeds):
        return Reach(faithful=False, undecided=f"the curve of {u} stands still somewhere: a cusp, or an end")
    if _crosses(points, bool(period)):
        return Reach(faithful=False, undecided=f"the curve of {u} crosses itself")
    how = f"checked at {len(grid)} points"
    if period:
        return Reach((("S1", name),), why=f"{u} gives a closed curve without crossings ({how})")
    return Reach((("E", name),), why=f"{u} gives a curve without crossings that does not close ({how})")


def _repeats(f: Curve, period: float) -> bool:
    places = np.array([0.123, 0.77, 1.9, 2.7, 4.4])
    gaps = [np.max(np.abs(np.asarray(f(x + period)) - np.asarray(f(x)))) for x in places]
    sizes = [np.max(np.abs(np.asarray(f(x)))) for x in places]
    return bool(max(gaps) < 1e-9 * max(1e-300, *sizes))


def _crosses(points: Vector, closed: bool) -> bool:
    """Whether places far apart along the curve are closer than neighbours are."""
    n = len(points)
    step = np.max(np.linalg.norm(np.diff(points, axis=0), axis=1))
    for k in range(n):
        apart = np.abs(np.arange(n) - k)
        along = np.minimum(apart, n - apart) if closed else apart
        distances = np.linalg.norm(points - points[k], axis=1)
        if np.any((along > 6) & (distances < step)):
            return True
    return False


# --- several coordinates -----------------------------------------------------------------------------


def _surface(seen: Sequence[sp.Expr], group: Sequence[sp.Symbol], model: Model) -> Reach:
    """A graph over its own coordinates is flat; otherwise its metric tells where angles lose their meaning."""
    names = tuple(str(q) for q in group)
    linear = [e for e in seen if all(not sp.diff(e, q).free_symbols for q in group)]
    slopes = sp.Matrix([[sp.diff(e, q) for q in group] for e in linear]) if linear else sp.zeros(0, len(group))
    if slopes.rank() == len(group):
        return Reach(tuple(("E", (name,)) for name in names), why=f"{', '.join(names)} are places themselves")
    F = sp.Matrix(list(seen))
    J = F.jacobian(list(group))
    kinds = {q: _kind(seen, q, model) for q in group}
    got = collapsed(J.T * J, group, kinds, seen=seen)
    if got.undecided or any(len(names) > 1 for _, names in got.factors):  # what shrinks somewhere was looked at there
        return got
    twice = reached_twice(F, J, group, kinds)
    return got if twice is None else Reach(faithful=False, undecided=twice)


def _kind(seen: Sequence[sp.Expr], q: sp.Symbol, model: Model) -> str:
    """ "S1" for what repeats after a turn, else "R"."""
    others = {
        s: 0.61 + 0.1 * k for k, s in enumerate(sorted(set().union(*(e.free_symbols for e in seen)) - {q}, key=str))
    }
    f = sp.lambdify(q, sp.Matrix([e.xreplace(others) for e in seen]), modules="numpy", dummify=True)
    return "S1" if _repeats(f, 2 * np.pi) else "R"
