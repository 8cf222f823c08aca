"""The parts of a motion that is interrupted and goes on, and the one solution that they make together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.along import crossings_along, cut_at
from cardan.simulation.methods.others import PASSAGE
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Crossing, Segment, Solution, Statistics

Vector = NDArray[np.float64]


class Asked:
    """Requested times, answered part by part: at an interruption by the state before it."""

    def __init__(self, times: Vector | None, forward: bool) -> None:
        self.left = times
        self._ahead = 1.0 if forward else -1.0
        self.t: list[Vector] = []
        self.y: list[Vector] = []

    def until(self, end: float) -> Vector | None:
        """The times that are left and not behind ``end``."""
        return None if self.left is None else self.left[self._ahead * self.left <= self._ahead * end]

    def hold(self, end: float, y: Vector) -> None:
        """Answer the times up to ``end`` by the state that is held until then."""
        if self.left is None:
            return
        within = self._ahead * self.left <= self._ahead * end
        self.t.append(self.left[within])
        self.y.append(np.repeat(y[None], int(within.sum()), axis=0))
        self.left = self.left[~within]

    def answer(self, part: Solution, *, sampled: bool) -> None:
        """Take the states of a part that ended; it was ``sampled`` if it was given the times that are left."""
        if self.left is None:
            return
        within = self._ahead * self.left <= self._ahead * part.t_final
        reached, self.left = self.left[within], self.left[~within]
        self.t.append(reached)
        known = sampled and np.array_equal(part.t, reached)
        states = part.y.copy() if known else part.at(reached)
        if known and part.status == "event":  # read inside the step that was cut short there: it reaches beyond
            last = self._ahead * reached > self._ahead * float(part.steps[-2:][0])
            states[last] = part.at(reached[last])
        self.y.append(states)


def solution_along(
    path: Sequence[Segment], evaluations: int, end_state: Vector, mode: CompiledModel, t: float, y: Vector,
    watched: Sequence[Watch],
) -> Solution:  # fmt: skip
    """A path that a guard has followed from (t, y) as a solution, cut at the first terminal event on it.

    Without a path it is the state (t, y) alone.
    """
    here = np.array([[t, *y]])
    moves = bool(path)
    path = path or (Segment(here, lambda rows, times: np.repeat(rows[:, 1:], len(times), axis=0)),)
    crossings, cut = crossings_along(mode, path, watched)
    path = path if cut is None else cut_at(path, crossings[-1].t)
    rows = np.concatenate([segment.rows for segment in path])
    end = crossings[-1] if cut is not None else None
    return Solution(
        t=rows[:, 0],
        y=rows[:, 1:],
        status="finished" if end is None else "event",
        message="" if end is None else f"Stopped at t = {end.t:.17g} by event {end.name!r}.",
        statistics=Statistics(PASSAGE.name, len(path) if moves else 0, 0, evaluations, 0, 0, np.inf, 0.0),
        events=tuple(crossings),
        t_final=float(rows[-1, 0]) if end is None else end.t,
        y_final=end_state if end is None else end.y,
        segments=tuple(path),
        angles=tuple(mode.angles),
    )


def join(parts: Sequence[Solution], events: tuple[Crossing, ...], asked: Asked, y: Vector, end: str) -> Solution:
    """One solution of all parts, with the states at requested times if there are any."""
    parts = parts[1:] if _is_idle(parts) else parts
    last = parts[-1]
    segments: tuple[Segment, ...] = tuple(segment for part in parts for segment in part.segments)
    return replace(
        last,
        t=np.concatenate(asked.t or [part.t for part in parts]),
        y=np.concatenate(asked.y or [part.y for part in parts]),
        events=events,
        segments=segments,
        y_final=y,
        statistics=_total([part.statistics for part in parts]),
        status="stopped" if end else last.status,
        message=end or last.message or f"Reached t = {last.t_final:g}.",
    )


def _is_idle(parts: Sequence[Solution]) -> bool:
    """Whether the first part only says in which mode the motion starts."""
    if len(parts) < 2 or sum(len(segment.rows) for segment in parts[0].segments) != 1:
        return False
    first, second = (part.segments[0].rows[0, 1 : len(part.y_final) + 1] for part in parts[:2])
    return bool(np.array_equal(first, second))


def _total(parts: Sequence[Statistics]) -> Statistics:
    return Statistics(
        method=next((one.method for one in reversed(parts) if one.method != PASSAGE.name), PASSAGE.name),
        accepted=sum(one.accepted for one in parts),
        rejected=sum(one.rejected for one in parts),
        evaluations=sum(one.evaluations for one in parts),
        jacobians=sum(one.jacobians for one in parts),
        factorisations=sum(one.factorisations for one in parts),
        smallest_step=min(one.smallest_step for one in parts),
        largest_step=max(one.largest_step for one in parts),
    )
