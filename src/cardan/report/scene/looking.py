"""Where one looks from: upright, and from the front at what moves in an upright plane."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.report.scene.scene import Scene

Vector = NDArray[np.float64]

ELEVATION, AZIMUTH = 22.0, -58.0  # degrees, of what moves in space
FRONT = 4.0, -86.0  # of what moves in a plane: enough that its parts have some depth
FLAT = 0.02  # of the longest way: what moves less along an axis does not move along it, to the eye


@dataclass(frozen=True)
class Looking:
    """Turns the world so that z is up and, where there is one, the plane of the motion faces -y; and two angles."""

    R: Vector
    elevation: float
    azimuth: float

    def turned(self, points: Vector, *, back: bool = False) -> Vector:
        """Points as they are seen, or back from there to the world."""
        return np.asarray(points @ (self.R if back else self.R.T))


def looking(scene: Scene) -> Looking:
    """From where a film shows a scene."""
    up = scene.up
    normal = upright_normal(scene)
    side = normal if normal is not None else _aside(up)
    R = np.array([np.cross(up, side), -side, up])
    return Looking(R, *((ELEVATION, AZIMUTH) if normal is None else FRONT))


def upright_normal(scene: Scene) -> Vector | None:
    """The horizontal axis along which nothing moves while the other two see motion, towards the onlooker."""
    low, high = scene.room
    spread = high - low
    flat = spread < FLAT * float(np.max(spread))
    if np.count_nonzero(flat) != 1:
        return None
    normal = np.eye(3)[int(np.argmax(flat))]
    if abs(float(normal @ scene.up)) > 0.5:
        return None
    front = _aside(scene.up)
    return np.asarray(normal * (np.sign(float(normal @ front)) or 1.0))


def _aside(up: Vector) -> Vector:
    """The horizontal direction in which the onlooker stands: -y where z is up, else z."""
    reference = np.array([0.0, -1.0, 0.0]) if abs(up[2]) > 0.9 else np.array([0.0, 0.0, 1.0])
    level = reference - (reference @ up) * up
    return np.asarray(level / np.linalg.norm(level))
