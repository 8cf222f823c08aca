"""Runs of models with quaternions by schemes that need as many coordinates as velocities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.errors import SimulationError
from cardan.simulation.methods.method import Method
from cardan.simulation.solution import Segment, Solution
from cardan.trajectory.charts.plain_model import PlainModel
from cardan.trajectory.coordinates import Entry, Motion, Typed, begin
from cardan.trajectory.request import Request
from cardan.trajectory.signals import Signals

Vector = NDArray[np.float64]


class Plain(Typed):
    """Each quaternion as four coordinates with the constraint |e| = 1, for schemes that need as many coordinates as
    velocities."""

    def suits(self, method: Method, signals: Signals) -> bool:
        return method.keeps_constraints and bool(self.kernel.quaternions)

    def enter(self, request: Request) -> Entry:
        entry = begin(self.kernel, request.given, request)
        if self.kernel.model.stops:
            method = request.method.name
            raise SimulationError(
                f"Method {method!r} moves quaternions by four coordinates with a constraint, which stops are not made "
                "for. Use method='auto' or 'DOP853', or time stepping, or describe the rotations by angles.",
                method=method,
            )
        plain = PlainModel(entry.compiled, entry.y)
        return replace(entry, model=plain, state=plain.entered(entry.y), watchable=plain)

    def leave(self, motion: Motion) -> Motion:
        assert isinstance(motion.entry.model, PlainModel)
        return replace(motion, solution=folded(motion.entry.model, motion.solution)).settled()

    def read(self, motion: Motion) -> Motion | None:
        return None


def folded(model: PlainModel, solution: Solution) -> Solution:
    """The solution in states [q, v]."""
    return replace(
        solution,
        y=model.folded(solution.y),
        y_final=model.folded(solution.y_final[None])[0],
        events=tuple(replace(one, y=model.folded(one.y[None])[0]) for one in solution.events),
        segments=tuple(_segment(model, one) for one in solution.segments),
    )


def _segment(model: PlainModel, own: Segment) -> Segment:
    rows = np.column_stack([own.rows[:, 0], model.folded(own.rows[:, 1 : 2 * model.nq + 1])])

    def at(_: Vector, times: Vector) -> Vector:
        return model.folded(own.at(own.rows, times))

    return Segment(rows, at, model.compiled)
