"""Orientations given at a start: ``q={"top": cd.rotations.about("x", 0.3)}``, or a 3x3 matrix, in a body's own numbers.

The key is a body on a ball or free joint, or the name of its quaternion. A quaternion takes the rotation as it is;
Euler angles that are plain coordinates are read from it in their convention.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from cardan.errors import ModelError
from cardan.geometry.matrix import MatrixLike
from cardan.geometry.rotations import Rotation, from_matrix
from cardan.model.bodies import Body
from cardan.model.model import Model
from cardan.model.orientations import Euler, Quaternion
from cardan.model.symbols import Coordinate
from cardan.model.variables import QuaternionVariable

T = TypeVar("T")


def is_rotation(value: object) -> bool:
    """Whether a value of a start is a rotation or three rows of three numbers."""
    if isinstance(value, Rotation):
        return True
    rows = value.tolist() if hasattr(value, "tolist") else value
    return isinstance(rows, (list, tuple)) and len(rows) == 3 and all(isinstance(row, (list, tuple)) for row in rows)


def as_numbers(model: Model, given: Mapping[str, T]) -> dict[str, T | float | tuple[float, ...]]:
    """The same start with every rotation in the numbers of its body: four of a quaternion, or three angles."""
    found: dict[str, T | float | tuple[float, ...]] = {}
    for name, value in given.items():
        if is_rotation(value):
            rotation = value if isinstance(value, Rotation) else from_matrix(_rows(value))
            found |= _numbers(model, name, rotation)
        else:
            found[name] = value
    return found


def _rows(value: object) -> MatrixLike:
    rows: MatrixLike = value.tolist() if hasattr(value, "tolist") else value  # type: ignore[assignment]  # seen by is_rotation
    return rows


def _numbers(model: Model, name: str, rotation: Rotation) -> dict[str, tuple[float, ...] | float]:
    if any(isinstance(one, QuaternionVariable) and one.name == name for one in model.free):
        return {name: rotation.quaternion}
    orientation = next((orientation_of(body) for body in model.bodies if body.name == name), None)
    if isinstance(orientation, Quaternion):
        return {orientation.name: rotation.quaternion}
    if isinstance(orientation, Euler) and all(isinstance(angle, Coordinate) for angle in orientation.angles):
        angles = rotation.angles(orientation.convention, orientation.space).angles
        return {str(symbol): value for symbol, value in zip(orientation.angles, angles, strict=True)}
    raise ModelError(
        f"{name!r} cannot start with a rotation: it is no body on a ball or free joint whose quaternion or Euler "
        "angles are its own coordinates. Give its coordinates instead.",
        name=name,
    )


def orientation_of(body: Body) -> Quaternion | Euler | None:
    """The orientation of a body on a ball or free joint, else None."""
    found = getattr(body.joint, "orientation", None)
    return found if isinstance(found, (Quaternion, Euler)) else None
