"""Typical sizes of coordinates: what "far" means for each of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.model.variables import CoordinateVariable

Vector = NDArray[np.float64]


def typical_sizes(kernel: Kernel, y: Vector, t: float) -> Vector:
    """One size per velocity: pi for angles, the declared ``scale=``, else the model's extent."""
    extent = model_extent(kernel, y, t)
    found: list[float] = []
    for variable in kernel.model.free:
        if isinstance(variable, CoordinateVariable):
            angle = variable.domain.is_angle or variable.symbol in kernel.turning
            found.append(variable.scale or (np.pi if angle else extent))
        else:
            found += [np.pi] * 3
    return np.array(found)


def model_extent(kernel: Kernel, y: Vector, t: float) -> float:
    """Largest distance between the world's origin, bodies, centres of mass and particles, here and at zero; else 1.

    Documented inference: where a model has no bodies, or all of them sit at one place here, lengths cannot be known
    and the largest length coordinate (or 1) is used.
    """
    found = 0.0
    for state in (y, np.where(np.arange(len(y)) < kernel.nq, 1.0, 0.0)):
        places = kernel.function("places")(t, state, kernel.p()).reshape(-1, 3)
        if len(places):
            found = max(
                found, float(np.max(np.linalg.norm(places - places[0], axis=1))), *np.linalg.norm(places, axis=1)
            )
        if found > 0:
            return found
    return float(np.max(np.abs(y[: kernel.nq]), initial=0.0)) or 1.0
