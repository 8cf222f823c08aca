"""Events on a piece of motion that is already known: their crossings, located on its polynomial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.common import observe
from cardan.simulation.layout import COUNTS
from cardan.simulation.ledger import Field
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Crossing, Segment
from cardan.simulation.triggers import Triggers

Vector = NDArray[np.float64]

SAMPLES = 24  # per segment
HALVINGS = 60


def crossings_along(
    model: CompiledModel, path: Sequence[Segment], events: Sequence[Watch]
) -> tuple[list[Crossing], int | None]:
    """Crossings in order, up to the first terminal one, whose index is returned beside them."""
    if not events:
        return [], None
    p = np.array(model.parameters)
    triggers = Triggers(events, 0, model.nq + model.nv, len(p))
    values = _Values(model, triggers, p, len(events))
    start = path[0].rows[0]
    signs = np.sign(values(start[0], start[1:]))
    signs = np.where([e.start_sign != 0 for e in events], [e.start_sign for e in events], signs)
    found: list[Crossing] = []
    for segment in path:
        first, last = segment.rows[0, 0], segment.rows[-1, 0]
        if first == last:
            continue
        times = np.linspace(first, last, SAMPLES + 1)
        states = segment.at(segment.rows, times)
        for k in range(SAMPLES):
            now = np.sign(values(times[k + 1], states[k + 1]))
            here = [
                _locate(values, segment, j, event, float(signs[j]), times[k], times[k + 1])
                for j, event in enumerate(events)
                if now[j] != 0 and signs[j] != 0 and now[j] != signs[j] and event.direction in (0, now[j])
            ]
            for one in sorted(here, key=lambda one: abs(one.t - first)):
                found.append(one)
                if events[one.index].terminal:
                    return found, one.index
            signs = np.where(now != 0, now, signs)
    return found, None


class _Values:
    """Watch values at a state, inputs refreshed."""

    def __init__(self, model: CompiledModel, triggers: Triggers, p: Vector, count: int) -> None:
        self.triggers, self.out = triggers, np.zeros(count)
        self.field = Field(model.rhs, model.callback, p, np.zeros(COUNTS, dtype=np.int64))

    def __call__(self, t: float, y: Vector) -> Vector:
        observe(self.triggers.address, self.field, float(t), np.array(y), self.out)
        return self.out.copy()


def _locate(
    values: _Values, segment: Segment, index: int, event: Watch, before: float, left: float, right: float
) -> Crossing:
    """The crossing of one event between two times, by bisection."""
    for _ in range(HALVINGS):
        middle = 0.5 * (left + right)
        if middle in (left, right):
            break
        state = segment.at(segment.rows, np.array([middle]))[0]
        if np.sign(values(middle, state)[index]) == before:
            left = middle
        else:
            right = middle
    return Crossing(index, event.name, float(right), segment.at(segment.rows, np.array([right]))[0])


def cut_at(path: Sequence[Segment], t: float) -> tuple[Segment, ...]:
    """The path up to time t."""
    kept: list[Segment] = []
    for segment in path:
        first, last = segment.rows[0, 0], segment.rows[-1, 0]
        if (t - first) * (last - first) < 0:
            break
        if (last - t) * (last - first) > 0:
            rows = segment.rows[(segment.rows[:, 0] - t) * (last - first) < 0]
            rows = np.vstack([rows, [[t, *segment.at(segment.rows, np.array([t]))[0]]]])
            return (*kept, Segment(rows, segment.at, segment.model))
        kept.append(segment)
    return tuple(kept)
