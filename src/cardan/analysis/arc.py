"""A piece of motion, and the exact derivative of its end by its start, through stops and impacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.saltation import Side, across_impact, across_switch, field, with_closed
from cardan.analysis.transition import POINTS, transition
from cardan.codegen.compiled import Kernel
from cardan.errors import ModelError, SimulationError
from cardan.native.once import once
from cardan.pipeline import simulate
from cardan.simulation.solution import Segment
from cardan.singular.records import EventRecord
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

PASSED = {"impact", "contact", "release", "user"}  # what neighbours can be carried through
ASIDE = 1e-7  # of a step: how far from a switch one side of it is looked at


@dataclass(frozen=True, eq=False)
class Arc:
    """A motion from one state to another."""

    trajectory: Trajectory

    @property
    def kernel(self) -> Kernel:
        return self.trajectory.kernel

    @property
    def p(self) -> Vector:
        return self.trajectory.parameters[: len(self.kernel.parameters)]

    @property
    def start(self) -> Vector:
        return self.trajectory.solution.segments[0].rows[0, 1 : 1 + self.kernel.nq + self.kernel.nv]

    @property
    def end(self) -> Vector:
        return self.trajectory.solution.y_final[: self.kernel.nq + self.kernel.nv]

    @property
    def t(self) -> tuple[float, float]:
        """When it begins and ends."""
        return float(self.trajectory.solution.segments[0].rows[0, 0]), self.trajectory.solution.t_final

    @once
    def sides(self) -> tuple[Side, Side]:
        """Its first and its last state, with the stops that are closed there."""
        first, last = self.trajectory.solution.segments[0], self.trajectory.solution.segments[-1]
        return Side(self.t[0], self.start, _closed(first)), Side(self.t[1], self.end, _closed(last))

    def rates(self, side: int) -> Vector:
        """(v, vd) at its start (0) or at its end (-1)."""
        return field(self.kernel, self.p, self.sides[side])

    @once
    def derivative(self) -> Vector:
        """(dpi, dv) at the end by those at the start."""
        return self.derivative_by(POINTS)

    def derivative_by(self, points: int) -> Vector:
        """The same with so many points of collocation in each step."""
        segments = self.trajectory.solution.segments
        found = np.eye(2 * self.kernel.nv)
        for k, segment in enumerate(segments):
            if k:
                found = self._across(segments[k - 1], segment) @ found
            closed = with_closed(self.kernel, _closed(segment))
            found = transition(closed, self.p, segment, points) @ found
        return found

    def _across(self, one: Segment, other: Segment) -> Vector:
        size = 1 + self.kernel.nq + self.kernel.nv
        before = Side(float(one.rows[-1, 0]), one.rows[-1, 1:size], _closed(one))
        after = Side(float(other.rows[0, 0]), other.rows[0, 1:size], _closed(other))
        records = [record for record in self.trajectory.records if _is_between(record, before.t, after.t)]
        for record in records:
            if record.kind not in PASSED:
                raise _impassable(self.kernel, record)
        hits = [record for record in records if record.kind == "impact"]
        if not hits:
            return self._through_switch(one, other, before, after)
        return across_impact(self.kernel, self.p, before, after, _one_smooth(self.kernel, hits))

    def _through_switch(self, one: Segment, other: Segment, before: Side, after: Side) -> Vector:
        if before.closed != after.closed:  # a contact ends when its force does: nothing jumps
            return np.eye(2 * self.kernel.nv)
        jump = self._beside(one, before, -1.0) - self._beside(other, after, 1.0)
        return across_switch(self.kernel, self.p, before, after, jump)

    def _beside(self, segment: Segment, side: Side, ahead: float) -> Vector:
        """The field on one side of a switch, extrapolated from two states near it."""
        t = segment.rows[:, 0]
        step = ahead * ASIDE * abs(float(t[-1] - t[0]))
        near = [side.t + step, side.t + 2 * step]
        states = segment.at(segment.rows, np.array(near))[:, : len(side.y)]
        one, two = (field(self.kernel, self.p, Side(at, y, side.closed)) for at, y in zip(near, states, strict=True))
        return np.asarray(2 * one - two)


def arc(kernels: Kernels, settings: Settings) -> Arc:
    """The motion with these settings in the coordinates of the model; one that cannot be followed is an error."""
    trajectory = simulate(kernels, settings)
    if not trajectory.solution.is_complete:
        solution = trajectory.solution
        raise SimulationError(
            f"The motion of {kernels.model.name!r} stopped at t = {solution.t_final:.6g}: {solution.message}",
            t=solution.t_final,
            trajectory=trajectory,
            status=solution.status,
        )
    if trajectory.refresh is not None:
        raise ModelError(
            f"A load or input of {kernels.model.name!r} is a Python function, which has no exact derivative. Give it "
            "as an expression of (t, q, v)."
        )
    return Arc(trajectory)


def _closed(segment: Segment) -> tuple[str, ...]:
    names = getattr(segment.model, "closed_names", ())
    return tuple(names)


def _is_between(record: EventRecord, before: float, after: float) -> bool:
    slack = 1e-12 * max(abs(before), abs(after), 1e-300)
    return before - slack <= record.t <= after + slack


def _one_smooth(kernel: Kernel, hits: list[EventRecord]) -> str:
    """The one stop that was hit; several at once, and friction, leave no derivative."""
    names = {name for one in hits for name in one.name.split(", ")}
    if len(names) > 1 or len(hits) > 1:
        raise SimulationError(
            f"Stops {', '.join(sorted(names))} of {kernel.model.name!r} are hit at once at t = {hits[0].t:.6g}: "
            "neighbours hit them one after the other, and the motion has no derivative there.",
            t=hits[0].t,
        )
    stop = next(one for one in kernel.model.stops if one.name in names)
    if stop.friction != 0:
        raise ModelError(
            f"The stop {stop.name!r} of {kernel.model.name!r} has friction, whose impulse jumps between sticking and "
            "sliding. Neighbours of motions that hit it are not followed; take friction=0.",
            name=stop.name,
        )
    return stop.name


def _impassable(kernel: Kernel, record: EventRecord) -> SimulationError:
    return SimulationError(
        f"Neighbours of this motion of {kernel.model.name!r} are not followed through what happens at t = "
        f"{record.t:.6g} ({record.kind} of {record.name}): {record.what}",
        t=record.t,
    )
