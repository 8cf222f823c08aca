"""Contacts as a reader writes them: gap >= 0, N >= 0, N gap = 0, and friction; with what N does in the rows."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.tidy import tidy
from cardan.equations.writing.written import Condition, Line
from cardan.kinematics.rows import Row
from cardan.kinematics.stops import StopRows, rows_of_stop


@dataclass(frozen=True)
class Contacts:
    """Conditions of all stops, and the forces that they add to the rows of the free velocities."""

    conditions: tuple[Condition, ...]
    pushes: tuple[sp.Expr, ...]

    @property
    def forces(self) -> tuple[sp.Symbol, ...]:
        return tuple(force for one in self.conditions for force in one.forces)


def contacts(s: SymbolicEquations) -> Contacts:
    """The stops of a model; none where it has none."""
    pushes = [sp.S.Zero] * len(s.free)
    conditions = []
    for stop in s.model.stops:
        rows = rows_of_stop(stop, s.motion_in_world)
        forces = _symbols(rows)
        for row, force in zip((rows.gap, *rows.slips), forces, strict=True):
            rate = s.impose(row.rate)
            pushes = [p + force * tidy(sp.diff(rate, s.v[i])) for p, i in zip(pushes, s.free, strict=True)]
        conditions.append(Condition(stop.name, forces, tuple(_lines(s, rows, forces))))
    return Contacts(tuple(conditions), tuple(pushes))


def _symbols(rows: StopRows) -> tuple[sp.Symbol, ...]:
    name, count = rows.stop.name, len(rows.slips)
    slips = [f"T_{name}" if count == 1 else f"T_{name}_{k + 1}" for k in range(count)]
    return tuple(sp.Symbol(one, real=True) for one in (f"N_{name}", *slips))


def _lines(s: SymbolicEquations, rows: StopRows, forces: tuple[sp.Symbol, ...]) -> list[Line]:
    stop, N, zero = rows.stop, forces[0], sp.S.Zero
    gap = tidy(s.impose(rows.gap.phi))
    rate = _rate(s, rows.gap)
    found = [
        Line(stop.name, gap, zero, ">="),
        Line(stop.name, N, zero, ">="),
        Line(stop.name, N * gap, zero),
        Line(stop.name, rate, -stop.restitution * rate, when="(left after an impact, right before)"),
    ]
    if not rows.slips:
        return found
    slips = [_rate(s, row) for row in rows.slips]
    size = sp.Abs(slips[0]) if len(slips) == 1 else sp.sqrt(sp.Add(*(one**2 for one in slips)))
    push = sp.Abs(forces[1]) if len(slips) == 1 else sp.sqrt(sp.Add(*(one**2 for one in forces[1:])))
    for force, slip in zip(forces[1:], slips, strict=True):
        found.append(Line(stop.name, force * size, -stop.friction * N * slip, when="while it slips"))
    return [*found, Line(stop.name, push, stop.friction * N, "<=", when="while it sticks")]


def _rate(s: SymbolicEquations, row: Row) -> sp.Expr:
    return tidy(s.impose(row.rate))
