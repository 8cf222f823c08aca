"""Where a body is placed and how its mass is spread: what a user gives, as checked triples and matrices."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

import sympy as sp

from cardan.errors import FrameMismatch, ModelError, WrongShape
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import Scalar
from cardan.model.frames import Frame, Point, Vector, common_frame
from cardan.model.given import Inertia, Placement, Position, Square
from cardan.model.motions import UNIT_TOLERANCE, Matrix3, Place, Triple, triple

ROUNDING = 4e-16  # an entry of a rotation smaller than this is zero: cos(pi/2) is 6e-17 in floats

if TYPE_CHECKING:
    from cardan.model.description import Description


def placement_of(description: Description, at: Placement | None, base: Frame, owner: str) -> tuple[Place, ...]:
    """``at`` may be a position (x, y, z), a Vector or Point of the parent, or a pair (position, rotation)."""
    if at is None:
        return ()
    rotation = None
    if isinstance(at, (tuple, list)) and len(at) == 2:
        at, rotation = at
    parts = components_of(at, base, f"{owner} at")
    place = tuple(description.expression(x, f"{owner} at", moving=False) for x in parts)
    return (
        Place(place, None if rotation is None else rotation_matrix(description, rotation, f"{owner} at (rotation)")),
    )


def base_of(position: Position | None, world: Frame) -> Frame:
    """The frame from whose origin a position is measured: the last one that carries all axes it is written with.

    Axes of one frame mean a place in that frame, axes of several a place in the frame that carries them all; three
    numbers are along the axes of the world. A point is where it is.
    """
    if isinstance(position, Point):
        return position.frame
    if isinstance(position, Vector) and position.terms:
        return reduce(common_frame, position.terms)
    return world


def components_of(position: Position, base: Frame, what: str) -> Triple:
    """The position along the axes of ``base``, from its origin; a point must be fixed in it."""
    if isinstance(position, Point):
        if position.frame is not base:
            raise FrameMismatch(
                f"{what}: the point is fixed in {position.frame.name!r}, expected the parent {base.name!r}. Give "
                f"a point of it, or make {position.frame.name!r} the parent.",
                name=position.frame.name,
            )
        return position.position
    return position.express(base) if isinstance(position, Vector) else triple(position, what)


def rotation_matrix(description: Description, rows: Square, what: str) -> Matrix3:
    """A constant rotation matrix, refused unless its columns are a right-handed set of unit axes."""
    matrix = tuple(tuple(description.expression(x, what, moving=False) for x in row) for row in square(rows, what))
    R = tuple(tuple(description.number(x) for x in row) for row in matrix)
    flat = m3.matmul(m3.transpose(R), R)
    error = max(abs(flat[i][j] - (i == j)) for i in range(3) for j in range(3))
    if error > UNIT_TOLERANCE or m3.dot(R[0], m3.cross(R[1], R[2])) < 0:
        kind = "a reflection" if error <= UNIT_TOLERANCE else f"off by {error:.3g} from orthonormal"
        raise ModelError(
            f"{what}: the matrix is {kind}, expected a rotation. Its columns are the child's axes in the parent: "
            "perpendicular, of length one, right-handed.",
            error=error,
        )
    return tuple(tuple(_without_rounding(x) for x in row) for row in matrix)


def _without_rounding(entry: sp.Expr) -> sp.Expr:
    """An entry of a rotation; what a parameter happens to be now is no rounding, since it may change."""
    return sp.S.Zero if not entry.free_symbols and abs(entry) < ROUNDING else entry


def inertia_matrix(description: Description, inertia: Inertia, owner: str) -> Matrix3:
    """A number (equal moments), three principal moments, or a 3x3 matrix."""
    rows: Scalar = inertia.tolist() if hasattr(inertia, "tolist") else inertia
    if not hasattr(rows, "__len__"):
        rows = (rows, rows, rows)
    if len(rows) == 3 and not any(hasattr(row, "__len__") for row in rows):
        rows = [[rows[0], 0, 0], [0, rows[1], 0], [0, 0, rows[2]]]
    matrix = square(rows, f"{owner} inertia")
    return tuple(
        tuple(description.expression(part, f"{owner} inertia", moving=False) for part in row) for row in matrix
    )


def square(rows: Square, what: str) -> Matrix3:
    """A 3x3 matrix as nested tuples, or a WrongShape error."""
    rows = rows.tolist() if hasattr(rows, "tolist") else rows
    if not hasattr(rows, "__len__") or not all(hasattr(row, "__len__") for row in rows):
        raise WrongShape(f"{what}: expected three numbers or a 3x3 matrix, found {rows!r}.", value=rows)
    matrix = tuple(tuple(row) for row in rows)
    if len(matrix) != 3 or any(len(row) != 3 for row in matrix):
        raise WrongShape(f"{what}: expected three numbers or a 3x3 matrix, found {rows!r}.", value=rows)
    return matrix
