"""Instants at which a right-hand side jumps or has a kink, known before the run: steps end just before them and begin
again just behind, so that none of them looks at both sides.

The gap that is left out is a few roundings of the clock wide.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.simulation import layout
from cardan.simulation.common import observe
from cardan.simulation.ledger import Field
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Crossing
from cardan.simulation.triggers import Triggers

Vector = NDArray[np.float64]

ROUNDINGS = 4  # of the largest time of a run, between an instant and the steps on either side of it


def _nothing(before: float, after: float, y: Vector) -> str:
    return ""


@dataclass(frozen=True)
class Instants:
    """Times in the order of the run; ``refusal`` says why a state cannot be carried from before one to behind it."""

    times: Vector
    gap: float
    refusal: Callable[[float, float, Vector], str] = _nothing

    def next(self, t: float, end: float) -> float | None:
        """The first instant behind t, and clear of both t and the end."""
        ahead = 1.0 if end >= t else -1.0
        behind = (ahead * (self.times - t) > 2 * self.gap) & (ahead * (end - self.times) > 2 * self.gap)
        return float(self.times[behind][0]) if behind.any() else None


def gap_of(t0: float, t1: float) -> float:
    """Half the width of what is left out around an instant."""
    return ROUNDINGS * float(np.finfo(float).eps) * max(abs(t0), abs(t1), abs(t1 - t0))


def crossings_at(
    model: CompiledModel, watched: Sequence[Watch], t: float, gap: float, ahead: float, y: Vector
) -> tuple[list[Crossing], bool]:
    """The watched functions that change their sign at an instant, and whether a terminal one is among them."""
    if not watched:
        return [], False
    triggers = Triggers(watched, 0, len(y), len(model.parameters))
    counts = np.zeros(layout.COUNTS, dtype=np.int64)
    field = Field(model.rhs, model.callback, np.array(model.parameters, dtype=float), counts)
    sides = []
    for time in (t - ahead * gap, t + ahead * gap):
        values = np.zeros(len(watched))
        observe(triggers.address, field, time, y, values)
        sides.append(np.sign(values))
    found = [
        Crossing(k, watch.name, t, y.copy())
        for k, (watch, first, then) in enumerate(zip(watched, *sides, strict=True))
        if first * then < 0 and watch.direction in (0, int(then))
    ]
    return found, any(watched[one.index].terminal for one in found)
