"""Rotations as objects: ``cd.rotations``.

A ``Rotation`` is made from an axis and an angle, Euler angles in any of the 24 conventions, a matrix, a quaternion, a
rotation vector, or from points before and after a motion (Euler's theorem); it tells each of these again. Rotations
are active: ``R @ v`` is where the vector v is turned to, and ``R2 @ R1`` turns by R1 first, about axes fixed in space.
Angles and axes may be expressions; what decides by size (axis, angle, Euler angles read back) takes numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import overload

from cardan.errors import ModelError
from cardan.geometry import euler as _euler
from cardan.geometry import matrix as mx
from cardan.geometry import quaternion as _quaternion
from cardan.geometry import rotation as _rotation
from cardan.geometry.euler import Convention, EulerAngles, conventions
from cardan.geometry.matrix import Matrix, MatrixLike, Vector, VectorLike
from cardan.geometry.points import Displacement, displacement
from cardan.geometry.scalar import Scalar, as_number, sqrt

__all__ = [
    "Convention",
    "Displacement",
    "EulerAngles",
    "Rotation",
    "about",
    "basis",
    "conventions",
    "displacement",
    "dual_basis",
    "euler",
    "from_matrix",
    "from_points",
    "from_quaternion",
    "from_vector",
    "identity",
    "singular_angles",
    "straighten",
]

ORTHONORMAL = 1e-6  # a matrix typed with seven digits is accepted; one that has fallen apart is straightened first


@dataclass(frozen=True)
class Rotation:
    """A rotation, held as its matrix R: columns are the turned axes, v_N = R v_B."""

    matrix: Matrix

    @overload
    def __matmul__(self, other: Rotation) -> Rotation: ...
    @overload
    def __matmul__(self, other: VectorLike) -> Vector: ...
    def __matmul__(self, other: Rotation | VectorLike) -> Rotation | Vector:
        """The rotation ``other`` followed by this one about axes fixed in space; or the turned vector."""
        if isinstance(other, Rotation):
            return Rotation(mx.matmul(self.matrix, other.matrix))
        return mx.matvec(self.matrix, mx.as_vector(other))

    @property
    def inverse(self) -> Rotation:
        """The rotation back, R^T."""
        return Rotation(mx.transpose(self.matrix))

    @property
    def direction_cosines(self) -> Matrix:
        """C with C_ij = b_i . a_j of turned and fixed axes (Ruina 2/4): the transpose of the matrix."""
        return mx.transpose(self.matrix)

    @property
    def angle(self) -> float:
        """The angle in [0, pi] of the one turn that does it all: Euler's theorem."""
        return _rotation.axis_angle(self.matrix)[1]

    @property
    def axis(self) -> Vector:
        """The unit vector that is left alone; at angle 0 any will do, and (1, 0, 0) is given."""
        return _rotation.axis_angle(self.matrix)[0]

    @property
    def vector(self) -> Vector:
        """The rotation vector, angle times axis."""
        return _rotation.log(self.matrix)

    @property
    def quaternion(self) -> Vector:
        """(w, x, y, z) = (cos(angle/2), sin(angle/2) n), with w >= 0."""
        return _quaternion.from_matrix(self.matrix)

    @property
    def rodrigues(self) -> Vector:
        """Rodrigues' (or Gibbs') vector tan(angle/2) n; infinite, and refused, at half a turn."""
        w, *v = self.quaternion
        if w < ORTHONORMAL * ORTHONORMAL:
            raise ModelError("Rodrigues' vector tan(angle/2) n is infinite at half a turn. Ask for .vector instead.")
        return tuple(x / w for x in v)

    def angles(self, convention: str | Convention, space: bool = False) -> EulerAngles:
        """Euler angles, with ``is_singular`` where only a sum or difference of two of them is determined."""
        return _euler.angles_from(convention, self.matrix, space)

    def tensor(self, components: MatrixLike) -> Matrix:
        """Components in the fixed axes of a tensor given in the turned ones, R D R^T ([D]_B = C D C^T with C = R^T)."""
        return mx.matmul(mx.matmul(self.matrix, mx.as_matrix(components)), mx.transpose(self.matrix))

    def tolist(self) -> list[list[Scalar]]:
        """Rows of the matrix, so that a rotation may stand wherever a 3x3 matrix is asked for."""
        return [list(row) for row in self.matrix]

    def __repr__(self) -> str:
        if any(as_number(x) is None for row in self.matrix for x in row):
            return f"Rotation({self.matrix})"
        n, angle = _rotation.axis_angle(tuple(tuple(as_number(x) for x in row) for row in self.matrix))
        return f"Rotation of {angle:.6g} rad about ({', '.join(f'{x:.6g}' for x in n)})"


identity = Rotation(mx.IDENTITY)


def about(axis: str | VectorLike, angle: Scalar) -> Rotation:
    """The rotation by ``angle`` about "x", "-z", ... or any vector, which need not have length one.

    Rodrigues: R = n n + cos(angle) (1 - n n) + sin(angle) skew(n), Hemingway & O'Reilly (104), Ruina 1/28.
    """
    return Rotation(_rotation.about(axis if isinstance(axis, str) else _unit(axis), angle))


def _unit(axis: VectorLike) -> Vector:
    n = mx.as_vector(axis, "axis")
    square = mx.squared_norm(n)
    value = as_number(square)
    if value == 1.0:
        return n
    if value is not None and not 0.0 < value < float("inf"):
        raise ModelError(f"An axis needs a finite length above 0; found {tuple(n)}.", axis=n)
    length = sqrt(square)
    return tuple(x / length for x in n)


def euler(convention: str | Convention, *angles: Scalar, space: bool = False) -> Rotation:
    """The rotation of three Euler angles: ``euler("3-1-3", psi, theta, phi)``, about body axes unless ``space``."""
    if len(angles) != 3:
        raise ModelError(f"euler({str(convention)!r}, ...) needs three angles, found {len(angles)}.")
    return Rotation(_euler.matrix(convention, angles, space))


def from_matrix(rows: MatrixLike) -> Rotation:
    """The rotation with this matrix; numbers that are no rotation are refused, see ``straighten``."""
    R = mx.as_matrix(rows, "rotation matrix")
    if all(as_number(x) is not None for row in R for x in row):
        error = _rotation.orthogonality_error(R)
        if not error <= ORTHONORMAL or mx.determinant(R) < 0:
            kind = "a reflection" if error <= ORTHONORMAL else f"off by {error:.3g} from orthonormal"
            raise ModelError(
                f"The matrix is {kind}, expected a rotation. cd.rotations.straighten(matrix) gives the nearest one, "
                "where there is one.",
                error=error,
            )
    return Rotation(R)


def straighten(rows: MatrixLike, by: str = "polar") -> Rotation:
    """A rotation near a matrix of numbers that has fallen apart.

    By "polar" decomposition the closest one (sum of squares), by "gram-schmidt" one that keeps the first axis and the
    plane of the first two (Ruina 3/4).
    """
    ways = {"polar": _rotation.orthonormalise_polar, "gram-schmidt": _rotation.orthonormalise_gram_schmidt}
    if by not in ways:
        raise ModelError(f"by={by!r} is unknown; use 'polar' or 'gram-schmidt'.", found=by)
    return Rotation(ways[by](mx.as_matrix(rows, "matrix")))


def from_quaternion(quaternion: VectorLike) -> Rotation:
    """The rotation of (w, x, y, z), which need not have length one."""
    return Rotation(_quaternion.matrix(_quaternion.normalise(quaternion)))


def from_vector(rotation_vector: VectorLike) -> Rotation:
    """The rotation by |phi| about phi: the exponential of skew(phi)."""
    return Rotation(_rotation.exp(mx.as_vector(rotation_vector, "rotation vector")))


def from_points(before: Sequence[VectorLike], after: Sequence[VectorLike]) -> Rotation:
    """The rotation of a rigid body from points before and after: whatever it did, one turn about one axis does it.

    At least three points that are not on a line; the places of the points may be measured with errors. Where the
    translation is wanted too, ask ``displacement``.
    """
    return Rotation(displacement(before, after).rotation)


def basis(convention: str | Convention, *angles: Scalar, space: bool = False, expressed_in: str = "space") -> Matrix:
    """The Euler basis (g_1, g_2, g_3): the axes about which the three angles turn, w = sum nu_id g_i."""
    return _euler.basis(convention, angles, space, expressed_in=_frame(expressed_in))


def dual_basis(
    convention: str | Convention, *angles: Scalar, space: bool = False, expressed_in: str = "space"
) -> Matrix:
    """The dual Euler basis (g^1, g^2, g^3), nu_id = w . g^i; refused for numbers where it is infinite."""
    return _euler.dual_basis(convention, angles, space, expressed_in=_frame(expressed_in))


def singular_angles(convention: str | Convention) -> str:
    """Where a convention locks, in words: "sin(nu2) = 0" or "cos(nu2) = 0"."""
    return f"{'sin' if _euler.parse(convention).is_proper else 'cos'}(nu2) = 0"


def _frame(name: str) -> _euler.Frame:
    if name in ("space", "body"):
        return "space" if name == "space" else "body"
    raise ModelError(f"expressed_in must be 'space' or 'body'; found {name!r}.", found=name)
