"""A state brought to the constraints, in dimensionless steps: the same in every system of units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.diagnosis.judges.cloud import CUT, Cloud
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.settings import START_TOLERANCE, Values
from cardan.trajectory.start import given_start

Vector = NDArray[np.float64]


def place(kernel: Kernel, q: Values, v: Values, t: float, p: Vector) -> Vector:
    """The state meant by q and v: on the constraints, with coordinates found that were not given."""
    given = given_start(kernel, q, v)
    y = placed(kernel, given.y, t, p, given.held_rates, START_TOLERANCE) if given.held.all() else None
    if y is None and given.held.all() and not given.held_rates.any():  # a configuration that has no velocity at all
        y = _configuration(Cloud(kernel, given.y, t, p), START_TOLERANCE)
    if y is None:  # some coordinates are to be found, or an error says what is wrong
        y = consistent_start(kernel, given, p, t, START_TOLERANCE).y if kernel.m else given.y
    return y


def placed(
    kernel: Kernel, y: Vector, t: float, p: Vector, held_rates: NDArray[np.bool_], tolerance: float
) -> Vector | None:
    """The state on the constraints next to y; None where it is farther away than the tolerance (dimensionless)."""
    if not kernel.m:
        return y
    cloud = Cloud(kernel, y, t, p)
    state = _configuration(cloud, tolerance)
    return None if state is None else _with_rates(cloud, state, held_rates, tolerance)


def _configuration(cloud: Cloud, tolerance: float) -> Vector | None:
    """The state with phi = 0 next to that of the cloud, its velocities as they are; None where it is farther away."""
    found = cloud.feasible(cloud.still[None])
    if not len(found) or not np.all(np.abs(_change(cloud, found[0])) <= tolerance):
        return None
    state: Vector = np.concatenate([found[0][: cloud.nq], cloud.y[cloud.nq :]])
    return state


def _change(cloud: Cloud, state: Vector) -> Vector:
    """Change of the configuration in units of the box; a quaternion counts by its components."""
    change = state[: cloud.nq] - cloud.y[: cloud.nq]
    return np.asarray(change / cloud.box) if cloud.nq == cloud.n else change / float(np.max(cloud.box))


def _with_rates(cloud: Cloud, y: Vector, held: NDArray[np.bool_], tolerance: float) -> Vector | None:
    """The state with A v + b0 = 0: rates that were not given adjust first, then all of them a little."""
    nq, m = cloud.nq, cloud.m
    if not np.any(cloud.kernel.function("residual")(cloud.t, y, cloud.base)[m:]):
        return y
    rows = cloud.scaled_rows(y[None])[0]
    used = np.where(cloud.row_scales > 0, cloud.row_scales, np.inf)
    first = y[nq:].copy()
    for free in (~held, np.ones(cloud.n, dtype=bool)):
        if not np.any(free):
            continue
        defect = cloud.kernel.function("residual")(cloud.t, y, cloud.base)[m:] / used
        step = np.zeros(cloud.n)
        step[free] = -np.linalg.pinv(rows[:, free], rcond=CUT) @ defect
        y = np.concatenate([y[:nq], y[nq:] + step / cloud.metric])
    left = cloud.kernel.function("residual")(cloud.t, y, cloud.base)[m:] / used
    size = float(np.linalg.norm(np.concatenate([first, y[nq:]]) * np.tile(cloud.metric, 2)))
    moved = np.where(held, y[nq:] - first, 0.0) * cloud.metric
    if np.linalg.norm(moved) > tolerance * size or np.max(np.abs(left), initial=0.0) > 1e-9 * max(size, 1e-300):
        return None if size > 0 else y
    return y
