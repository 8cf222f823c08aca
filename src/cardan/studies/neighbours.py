"""How neighbours of a motion part where something happens to it: impacts, contacts, constraints.

Each interval is an arc of its own, whose exact derivative by its start is the product of transitions and saltation
matrices (``analysis/arc.py``) [Muller1995]; displacements are those that the constraints allow.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.arc import arc
from cardan.analysis.linearizing import tangents
from cardan.analysis.place import place_at
from cardan.analysis.varied import varied
from cardan.errors import ModelError
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Settings

Vector = NDArray[np.float64]
LOST = 1e-12  # of the length of a direction: what is left of one that an impact without rebound has taken away


def independent_directions(kernels: Kernels, settings: Settings) -> Vector:
    """A basis of the displacements and velocities that a neighbour of the start may have, as columns."""
    kernel = kernels.user
    if not kernel.m:
        return np.eye(2 * kernel.nv)
    place = place_at(kernels, settings.q, settings.v, settings.t0, settings.loads, settings.inputs)
    if place.kernel is not kernel:
        raise ModelError(
            f"The coordinates of {kernels.model.name!r} are singular at the start; Lyapunov exponents need others."
        )
    return tangents(place, varied(place.kernel, place.t, place.y, place.p))[2]


def growths(kernels: Kernels, settings: Settings, ends: Vector, vectors: Vector) -> Iterator[Vector]:
    """Logarithms of what orthonormal directions grow by until each of ``ends``; -inf where one is lost."""
    t, q, v = settings.t0, settings.q, settings.v
    directions = np.linalg.qr(vectors)[0]
    nq = kernels.user.nq
    for end in ends:
        piece = arc(kernels, _part(settings, t, end - t, q, v))
        directions, sizes = _orthonormal(piece.derivative @ directions)
        t, q, v = end, piece.end[:nq], piece.end[nq:]
        with np.errstate(divide="ignore"):
            yield np.log(sizes)


def _part(settings: Settings, t: float, duration: float, q: object, v: object) -> Settings:
    asked = {**settings.as_arguments(), "duration": float(duration), "t0": float(t), "q": q, "v": v, "times": None}
    return Settings(**{**asked, "chart": "typed"})


def _orthonormal(vectors: Vector) -> tuple[Vector, Vector]:
    """(orthonormal directions, what each has grown by); a direction that is lost has grown by nothing."""
    Q, R = np.linalg.qr(vectors)
    sizes = np.abs(np.diagonal(R))
    return Q, np.where(sizes > LOST * np.max(sizes, initial=0.0), sizes, 0.0)
