"""Stops of a motion that changes between declared charts: what they record is told in the user's coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.errors import SimulationError
from cardan.simulation.contact.impacts import StopGuard
from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.methods.others import TIME_STEPPING
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Solution
from cardan.singular.records import EventRecord
from cardan.trajectory.charts.readings import near
from cardan.trajectory.charts.switching import ChartSwitch

Vector = NDArray[np.float64]


class StopsInCharts(Guard):
    """The guard of stops in whatever chart the motion is in."""

    def __init__(self, guard: StopGuard, switch: ChartSwitch) -> None:
        self.guard, self.switch = guard, switch
        switch.boundary = guard

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        found = self.guard.resume(mode, t, y)
        return None if found is None else self._told(found)

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        return self.guard.events(mode, t, y)

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        return self._told(self.guard.handle(which, mode, t, y))

    def whole(self, t0: float, t1: float, y0: Vector, step: float | None) -> tuple[Solution, tuple[EventRecord, ...]]:
        """Refused: time stepping makes the whole run in one chart."""
        raise SimulationError(
            f"Method {TIME_STEPPING.name!r} cannot change between the charts declared with s.chart. Use method='auto', "
            "or chart='typed' for a motion that keeps away from the singular places of its coordinates.",
            method=TIME_STEPPING.name,
        )

    def _told(self, found: Continuation) -> Continuation:
        return replace(found, records=tuple(self._in_user(one) for one in found.records))

    def _in_user(self, one: EventRecord) -> EventRecord:
        mode, nq = self.switch.mode, self.guard.stops.nq
        user = mode.to_user(one.y, self.switch.last)
        if mode.view is None or "velocity_jump" not in one.facts:
            return replace(one, y=user)
        after = one.y.copy()
        after[nq:] += one.vector("velocity_jump")
        changed = mode.to_user(after, self.switch.last) - user
        return replace(one, y=user, facts={**one.facts, "velocity_jump": changed[nq:]})


def unwound(records: Sequence[EventRecord], switch: ChartSwitch, whole: Solution) -> tuple[EventRecord, ...]:
    """Records with angles in the turns of the finished motion."""
    angles = switch.angles
    return tuple(replace(one, y=near(one.y, whole.at(one.t), angles)) for one in records)
