"""Euler angles by their definition, with SciPy's rotations: angles of an orientation and their rates."""

from __future__ import annotations

import numpy as np
from scipy.spatial.transform import Rotation

from tools.soak.judging import Vector


def letters(convention: str, space: bool = False) -> str:
    """SciPy's word for a convention: capitals for turns about carried axes."""
    found = "".join("xyz"[int(one) - 1] for one in convention.split("-"))
    return found if space else found.upper()


def angles_of(turn: Rotation, convention: str, space: bool = False) -> Vector:
    return np.asarray(turn.as_euler(letters(convention, space)))


def rates_of(angles: Vector, omega: Vector, convention: str, space: bool = False) -> Vector:
    """Rates of the angles for an angular velocity in the world: each turn is about an axis that those outside carry."""
    axes = [int(one) - 1 for one in convention.split("-")]
    order = (2, 1, 0) if space else (0, 1, 2)  # the last of turns about fixed axes is the outermost
    columns, carried = np.zeros((3, 3)), Rotation.identity()
    for k in order:
        columns[:, k] = carried.apply(np.eye(3)[axes[k]])
        carried = carried * Rotation.from_rotvec(angles[k] * np.eye(3)[axes[k]])
    return np.linalg.solve(columns, omega)


def quaternion_of(turn: Rotation) -> Vector:
    """Scalar first."""
    return np.roll(turn.as_quat(), 1)
