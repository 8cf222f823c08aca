"""Runs of models with quaternions by schemes that need as many coordinates as velocities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.errors import SimulationError
from cardan.simulation.methods.table import method_named
from cardan.simulation.solution import Segment, Solution
from cardan.trajectory.charts.plain_model import PlainModel
from cardan.trajectory.prepared import Prepared

Vector = NDArray[np.float64]


def plain_for(method: str, compiled: Prepared, y: Vector) -> PlainModel | None:
    """The model in four coordinates for each quaternion, where the method asks for it."""
    if not method_named(method).keeps_constraints or not compiled.kernel.quaternions:
        return None
    if compiled.kernel.model.stops:
        raise SimulationError(
            f"Method {method!r} moves quaternions by four coordinates with a constraint, which stops are not made for. "
            "Use method='auto' or 'DOP853', or time stepping, or describe the rotations by angles.",
            method=method,
        )
    return PlainModel(compiled, y)


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
