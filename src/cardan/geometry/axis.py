"""Axes of rotation: "x", "-z", or a vector of length one."""

from __future__ import annotations

import math

from cardan.errors import ModelError
from cardan.geometry.matrix import Vector, VectorLike, as_vector, cross, squared_norm
from cardan.geometry.scalar import as_number, is_number, is_sympy, sqrt

COORDINATE_AXES: dict[str, Vector] = {
    "x": (1, 0, 0),
    "y": (0, 1, 0),
    "z": (0, 0, 1),
    "-x": (-1, 0, 0),
    "-y": (0, -1, 0),
    "-z": (0, 0, -1),
}
UNIT_VECTORS: tuple[Vector, Vector, Vector] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
UNIT_TOLERANCE = 1e-9  # a unit vector written with ten digits passes, one written with three does not


def unit_axis(axis: str | VectorLike) -> Vector:
    """The unit vector of a named or given axis.

    Components with a value must make length 1 to 1e-9; plain numbers are then normalised to round-off, exact SymPy
    numbers are kept. An axis with unknown components is taken at its word.
    """
    if isinstance(axis, str):
        return _named(axis)
    n = tuple(int(x) if is_sympy(x) and x.is_Integer else x for x in as_vector(axis, "axis"))
    values = [value for value in map(as_number, n) if value is not None]
    if len(values) < 3:
        return n
    length = math.hypot(*values)
    if not abs(length - 1.0) <= UNIT_TOLERANCE:
        raise ModelError(
            f"An axis must have length 1; {tuple(values)} has length {length:.9g}. "
            "Pass it through cardan.geometry.axis.normalised() first.",
            axis=n,
            length=length,
        )
    if length == 1.0 or not all(is_number(x) for x in n):
        return n
    return tuple(x / length if x else 0 for x in n)


def normalised(vector: VectorLike) -> Vector:
    """The unit vector along a vector of numbers."""
    n = as_vector(vector, "direction")
    length = math.hypot(*n)
    if not 0.0 < length < math.inf:
        raise ModelError(f"A direction needs a finite length above 0; found {n}.", axis=n, length=length)
    return tuple(x / length if x else 0 for x in n)


def perpendiculars(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors across a unit axis: for z (y, x), for x (z, y), for y (x, z).

    Of an axis with unknown components they are across it for all values but those that turn it to a coordinate axis.
    """
    if not all(is_number(x) for x in axis):
        known = [k for k in range(3) if is_number(axis[k])]
        first = cross(axis, UNIT_VECTORS[min(known, key=lambda k: abs(axis[k])) if known else 0])
        if not any(is_number(x) and x == 0 for x in axis):
            size = sqrt(squared_norm(first))
            first = tuple(x / size for x in first)
        return first, cross(axis, first)
    for k in range(3):
        if abs(axis[k]) == 1:
            return UNIT_VECTORS[k - 1], UNIT_VECTORS[k - 2]
    least = min(range(3), key=lambda k: abs(axis[k]))
    first = cross(axis, UNIT_VECTORS[least])
    length = sqrt(squared_norm(first))
    first = tuple(x / length for x in first)
    return first, cross(axis, first)


def coordinate_axis(axis: VectorLike) -> tuple[int, int] | None:
    """(index, sign) where the axis is exactly plus or minus a coordinate axis, else None."""
    for index, vector in enumerate((COORDINATE_AXES["x"], COORDINATE_AXES["y"], COORDINATE_AXES["z"])):
        for sign in (1, -1):
            if all(is_number(a) and a == sign * b for a, b in zip(axis, vector, strict=True)):
                return index, sign
    return None


def _named(name: str) -> Vector:
    try:
        return COORDINATE_AXES[name.strip().lower()]
    except KeyError:
        valid = ", ".join(repr(key) for key in COORDINATE_AXES)
        raise ModelError(f"Unknown axis {name!r}; use one of {valid} or a unit vector.", axis=name) from None
