"""Mass, centre of mass and inertia: moving, turning and adding them, and refusing impossible ones.

An inertia matrix has the entries of Choset (10.42) and Ruina 2/13: I_xx = sum m (y^2 + z^2), I_xy = -sum m x y.
The simple bodies of ``solids`` are offered here too.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardan.errors import ImpossibleInertia
from cardan.geometry import matrix as mx
from cardan.geometry.matrix import Matrix, MatrixLike, Vector, VectorLike
from cardan.geometry.rigid import Placement, apply
from cardan.geometry.scalar import Scalar, as_number, is_zero, plus, times
from cardan.geometry.solids import (
    box,
    cylinder,
    disc,
    dumbbell,
    ellipsoid,
    hoop,
    jack,
    jack_masses,
    rod,
    sphere,
    spherical_shell,
    tube,
)

__all__ = [
    "MassProperties",
    "as_inertia",
    "box",
    "check_inertia",
    "check_mass",
    "combine",
    "cylinder",
    "disc",
    "dumbbell",
    "ellipsoid",
    "hoop",
    "inertia_about",
    "jack",
    "jack_masses",
    "parallel_axis",
    "placed",
    "point_masses",
    "principal_axes",
    "rod",
    "rotated",
    "sphere",
    "spherical_shell",
    "tube",
]

TOLERANCE = 1e-9  # relative: inertias typed with ten digits, or read from files, pass; wrong ones miss by far more


class MassProperties(NamedTuple):
    """Mass, centre of mass in a frame, and inertia matrix about that centre in the axes of the frame."""

    mass: Scalar
    com: Vector
    inertia: Matrix


def parallel_axis(inertia: MatrixLike, mass: Scalar, offset: VectorLike) -> Matrix:
    """Inertia about a point at ``offset`` from the centre of mass: I + m (|r|^2 1 - r r), Choset (10.46)."""
    return mx.matrix_add(inertia, _point(mass, offset))


def _point(mass: Scalar, r: VectorLike) -> Matrix:
    """Inertia of one particle at r, without the cancellation of |r|^2 - x^2."""
    x, y, z = r
    xx, yy, zz = (times(mass, times(a, a)) for a in (x, y, z))
    xy, xz, yz = (times(mass, times(a, b)) for a, b in ((x, y), (x, z), (y, z)))
    return mx.matrix_subtract(
        mx.diagonal((plus(yy, zz), plus(xx, zz), plus(xx, yy))), ((0, xy, xz), (xy, 0, yz), (xz, yz, 0))
    )


def rotated(inertia: MatrixLike, R: MatrixLike) -> Matrix:
    """Inertia in the axes of A from that in the axes of B: R_AB I_B R_AB^T, Choset (10.41)."""
    half_way = mx.matmul(R, inertia)
    xx, xy, xz, yy, yz, zz = (mx.dot(half_way[i], R[j]) for i in range(3) for j in range(i, 3))
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))  # symmetric to the last bit


def placed(body: MassProperties, X: Placement) -> MassProperties:
    """Mass properties given in B, written in A where B is placed at X_AB."""
    return MassProperties(body.mass, apply(X, body.com), rotated(body.inertia, X.R))


def inertia_about(body: MassProperties, point: VectorLike) -> Matrix:
    """Inertia of a body about a point of its frame."""
    return parallel_axis(body.inertia, body.mass, mx.subtract(point, body.com))


def combine(bodies: Iterable[MassProperties]) -> MassProperties:
    """Several bodies welded together, all written in one frame. A part of negative mass and inertia is a hole.

    A total mass of exactly zero keeps its centre at the origin.
    """
    parts = list(bodies)
    mass: Scalar = 0
    moment: Vector = (0, 0, 0)
    for part in parts:
        mass = plus(mass, part.mass)
        moment = mx.add(moment, mx.scale(part.mass, part.com))
    com = (0, 0, 0) if is_zero(mass) else tuple(0 if is_zero(x) else x / mass for x in moment)
    total = mx.ZERO
    for part in parts:
        total = mx.matrix_add(total, inertia_about(part, com))
    return MassProperties(mass, com, total)


def point_masses(points: Iterable[tuple[Scalar, VectorLike]]) -> MassProperties:
    """Mass properties of particles (mass, position) joined rigidly."""
    return combine(MassProperties(m, mx.as_vector(r, "position"), mx.ZERO) for m, r in points)


def as_inertia(value: Scalar | VectorLike | MatrixLike, name: str = "body") -> Matrix:
    """A checked 3 by 3 inertia matrix: from one moment for every axis, three for the diagonal, or a matrix."""
    entries = value.tolist() if hasattr(value, "tolist") else value
    if not hasattr(entries, "__len__"):
        matrix = mx.diagonal((entries, entries, entries))
    elif len(entries) == 3 and not any(hasattr(x, "__len__") for x in entries):
        matrix = mx.diagonal(tuple(entries))
    else:
        matrix = mx.as_matrix(entries, f"the inertia of {name!r}")
    check_inertia(matrix, name)
    return matrix


def principal_axes(inertia: MatrixLike) -> tuple[Vector, Matrix]:
    """(moments, R): principal moments in ascending order, and their axes as the columns of a rotation (numbers).

    I = R diag(moments) R^T. Axes of equal moments are any orthogonal ones.
    """
    import numpy as np

    moments, axes = np.linalg.eigh(np.array(inertia, dtype=float))
    if np.linalg.det(axes) < 0:
        axes[:, 2] = -axes[:, 2]
    return tuple(float(x) for x in moments), tuple(tuple(float(x) for x in row) for row in axes)


def check_mass(mass: Scalar, name: str) -> None:
    """Raise ImpossibleInertia where a mass is a number and negative, infinite or not a number. Zero is legal."""
    value = as_number(mass)
    if value is not None and not 0.0 <= value < math.inf:
        raise ImpossibleInertia(
            f"The mass of {name!r} must be a finite number of at least 0; found {value:g} kg.", name=name, mass=value
        )


def check_inertia(inertia: MatrixLike, name: str) -> None:
    """Raise ImpossibleInertia where the numbers of an inertia matrix (about any one point) belong to no body.

    It must be finite and symmetric, with principal moments that are not negative and of which no two sum to less than
    the third (Ruina 2/25), all to 1e-9 of the largest entry. Zero is legal. Expressions are not looked at, the numbers
    beside them are.
    """
    values = [[as_number(x) for x in row] for row in inertia]
    numbers = [x for row in values for x in row if x is not None]
    if not all(math.isfinite(x) for x in numbers):
        raise _impossible(name, "has an entry that is not finite", inertia, "Give finite numbers.")
    size = max((abs(x) for x in numbers), default=0.0)
    _check_symmetric(values, TOLERANCE * size, inertia, name)
    if len(numbers) == 9 and any(values[i][j] for i in range(3) for j in range(3) if i != j):
        _check_moments(principal_axes(_floats(values))[0], TOLERANCE * size, inertia, name, "principal moments")
    else:  # moments about any three perpendicular axes obey the same inequalities
        what = "principal moments" if len(numbers) == 9 else "diagonal"
        own = [values[i][i] for i in range(3)]
        ordered = sorted(numbers[::4]) if len(numbers) == 9 else own
        _check_moments(ordered, TOLERANCE * size, inertia, name, what)


def _floats(values: Sequence[Sequence[float | None]]) -> Matrix:
    return tuple(tuple(x for x in row) for row in values)


def _check_symmetric(values: Sequence[Sequence[float | None]], allowed: float, inertia: MatrixLike, name: str) -> None:
    for i, j in ((0, 1), (0, 2), (1, 2)):
        a, b = values[i][j], values[j][i]
        if a is not None and b is not None and abs(a - b) > allowed:
            raise _impossible(
                name,
                f"is not symmetric: entry ({i + 1},{j + 1}) is {a:g} and ({j + 1},{i + 1}) is {b:g}",
                inertia,
                "Both are -sum m x y of the same products.",
            )


def _check_moments(moments: Sequence[float | None], allowed: float, inertia: MatrixLike, name: str, what: str) -> None:
    known = [x for x in moments if x is not None]
    shown = ", ".join(f"{x:g}" for x in known)
    if any(x < -allowed for x in known):
        raise _impossible(name, f"has a negative moment: its {what} are {shown}", inertia, "Check the signs.", known)
    if len(known) == 3:
        largest = max(known)
        excess = 2.0 * largest - sum(known)
        if excess > allowed:
            raise _impossible(
                name,
                f"breaks the triangle inequality: of its {what} {shown} the largest exceeds the sum of the others by "
                f"{excess:g}",
                inertia,
                "No distribution of mass has such moments; check units and the order of the entries.",
                known,
            )


def _impossible(
    name: str, complaint: str, inertia: MatrixLike, remedy: str, moments: Sequence[float] = ()
) -> ImpossibleInertia:
    return ImpossibleInertia(
        f"The inertia of {name!r} {complaint}. {remedy}", name=name, inertia=inertia, moments=tuple(moments)
    )
