"""Typical sizes of coordinates: what "far" means for each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.model.variables import CoordinateVariable

Vector = NDArray[np.float64]


def typical_sizes(kernel: Kernel, y: Vector, t: float) -> Vector:
    """One size per velocity: the declared ``scale=``, pi for angles, half of a declared range, the model's extent."""
    extent = model_extent(kernel, y, t)
    found: list[float] = []
    for variable in kernel.model.free:
        if isinstance(variable, CoordinateVariable):
            angle = _is_angle(kernel, variable)
            width = (variable.domain.upper - variable.domain.lower) / 2
            found.append(variable.scale or (np.pi if angle else width if np.isfinite(width) else extent))
        else:
            found += [np.pi] * 3
    return np.array(found)


def drive_speed(kernel: Kernel, y: Vector, t: float) -> float:
    """The fastest of the prescribed motions, per typical size (pi for angles, the model's extent): rows in which they
    cancel are rounding of it."""
    moving = kernel.dynamics.prescribed
    if not moving:
        return 0.0
    rates = kernel.keep("drive rates", lambda: kernel.custom("drive_rates", [one[3] for one in moving]))
    held = [one for one in kernel.model.variables if kernel.model.is_prescribed(one)]
    angles = [isinstance(one, CoordinateVariable) and _is_angle(kernel, one) for one in held]
    sizes = np.where(angles, np.pi, model_extent(kernel, y, t))
    return float(np.max(np.abs(rates(t, y, kernel.parameters[: rates.np])) / sizes, initial=0.0))


def _is_angle(kernel: Kernel, variable: CoordinateVariable) -> bool:
    return variable.domain.is_angle or variable.symbol in kernel.turning


def model_extent(kernel: Kernel, y: Vector, t: float) -> float:
    """Largest distance between the world's origin, bodies, centres of mass and particles here, and the largest radius
    of gyration; else the largest length among the coordinates, or the root of the ratio of the mass matrix between
    angles and lengths; else the first with all coordinates at 1; else 1.

    Documented inference: where a model has no bodies, or all of them sit at one place here and have no inertia,
    lengths cannot be known; ``scale=`` of a coordinate says them.
    """
    known = known_extent(kernel, y, t)
    if known:
        return known
    ones = np.where(np.arange(len(y)) < kernel.nq, 1.0, 0.0)
    return _spread(kernel.function("places")(t, ones, kernel.parameters)) or 1.0


def known_extent(kernel: Kernel, y: Vector, t: float) -> float:
    """The extent as far as the model and the configuration tell it; 0 where they do not."""
    p = kernel.parameters
    places, inertias = (kernel.function(name) for name in ("places", "inertias"))
    return max(_spread(places(t, y, p)), _gyration(inertias(t, y, p))) or _of_coordinates(kernel, y, t, p)


def _of_coordinates(kernel: Kernel, y: Vector, t: float, p: Vector) -> float:
    """The largest length among the coordinates, or what the mass matrix suggests as one."""
    if kernel.nq != kernel.nv:
        return 0.0
    turns = np.array(
        [isinstance(one, CoordinateVariable) and _is_angle(kernel, one) for one in kernel.model.free],
        dtype=bool,
    )
    longest = float(np.max(np.abs(y[: kernel.nq])[~turns], initial=0.0))
    if not kernel.model.is_typed:
        return longest
    diagonal = np.diag(kernel.function("mass_matrix")(t, y, p).reshape(kernel.nv, kernel.nv))
    light, heavy = (float(np.max(diagonal[part], initial=0.0)) for part in (~turns, turns))
    return max(longest, float(np.sqrt(heavy / light)) if light > 0 else 0.0)


def _spread(found: Vector) -> float:
    """Largest distance of a place from the world's origin or from the first place."""
    places = found.reshape(-1, 3)
    if not len(places):
        return 0.0
    return float(np.sqrt(max(np.max(np.sum(places**2, axis=1)), np.max(np.sum((places - places[0]) ** 2, axis=1)))))


def _gyration(found: Vector) -> float:
    """Largest radius of gyration: the root of the largest moment of inertia over the whole mass."""
    rows = found.reshape(-1, 10)
    mass = float(np.sum(rows[:, 0])) if len(rows) else 0.0
    return float(np.sqrt(np.max(rows[:, 1::4]) / mass)) if mass > 0 else 0.0
