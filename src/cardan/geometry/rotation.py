"""Rotation matrices: about an axis, exponential and logarithm, composition, repair.

Active rotations: R takes the reference position of a vector to its current one, and the columns of R_NB are the axes
of B in N. ``about``, ``small`` and ``compose`` are generic over the kind of scalar; what decides by size (axis and
angle, logarithm, repair) takes numbers.
"""

from __future__ import annotations

import math

from cardan.errors import ModelError
from cardan.geometry.axis import coordinate_axis, unit_axis
from cardan.geometry.matrix import (
    IDENTITY,
    Matrix,
    MatrixLike,
    Vector,
    VectorLike,
    cross,
    determinant,
    dot,
    matmul,
    matrix_add,
    matrix_scale,
    norm,
    scale,
    skew,
    squared_norm,
    subtract,
    transpose,
    unskew,
)
from cardan.geometry.scalar import Scalar, cos, is_number, minus, negative, plus, sin, times
from cardan.geometry.shepperd import quaternion_of

SMALL_ANGLE = 1e-4  # below it the series used have a relative error under angle^6 / 5000 < 1e-27


def about(axis: str | VectorLike, angle: Scalar) -> Matrix:
    """Rotation by ``angle`` about ``axis``: "x", "y", "z", "-x", ... or a unit vector.

    Rodrigues: R = n n + cos(angle) (1 - n n) + sin(angle) skew(n), Hemingway & O'Reilly (104), Ruina 1/28.
    """
    n = unit_axis(axis)
    c, s = cos(angle), sin(angle)
    coordinate = coordinate_axis(n)
    if coordinate is not None:
        index, sign = coordinate
        return _elementary(index, c, s if sign > 0 else negative(s))
    return matrix_add(_symmetric_part(n, c), matrix_scale(s, skew(n)))


def _elementary(index: int, c: Scalar, s: Scalar) -> Matrix:
    """Rotation about coordinate axis ``index`` from the cosine and sine of its angle."""
    m = negative(s)
    return (
        ((1, 0, 0), (0, c, m), (0, s, c)),
        ((c, 0, s), (0, 1, 0), (m, 0, c)),
        ((c, m, 0), (s, c, 0), (0, 0, 1)),
    )[index]


def _symmetric_part(n: VectorLike, c: Scalar) -> Matrix:
    v = minus(1, c)
    return tuple(
        tuple(plus(times(times(a, b), v), c if i == j else 0) for j, b in enumerate(n)) for i, a in enumerate(n)
    )


def compose(*rotations: MatrixLike) -> Matrix:
    """The product from left to right: compose(R_AB, R_BC) is R_AC. No argument gives the identity."""
    product: Matrix = IDENTITY
    for R in rotations:
        product = matmul(product, R)
    return product


def small(angles: VectorLike) -> Matrix:
    """1 + skew(angles): a rotation by small angles, to first order. Small rotations add (Ruina 2/13)."""
    return matrix_add(IDENTITY, skew(angles))


def exp(rotation_vector: VectorLike) -> Matrix:
    """Rotation by |phi| about phi / |phi|: the exponential of skew(phi).

    Accurate for numbers of any size including zero. For expressions the closed form is returned, which divides by
    |phi| and so has no value at phi = 0.
    """
    phi = tuple(rotation_vector)
    square = squared_norm(phi)
    angle = norm(phi)
    if is_number(angle):
        sine_ratio, versine_ratio = _exp_ratios(float(angle))
    else:
        sine_ratio, versine_ratio = sin(angle) / angle, minus(1, cos(angle)) / square
    S = skew(phi)
    return matrix_add(IDENTITY, matrix_scale(sine_ratio, S), matrix_scale(versine_ratio, matmul(S, S)))


def _exp_ratios(angle: float) -> tuple[float, float]:
    """sin(a) / a and (1 - cos(a)) / a^2, the second without cancellation."""
    if angle < SMALL_ANGLE:
        a2 = angle * angle
        return 1.0 - a2 / 6.0 + a2 * a2 / 120.0, 0.5 - a2 / 24.0 + a2 * a2 / 720.0
    half_sine = math.sin(0.5 * angle)
    return math.sin(angle) / angle, 2.0 * (half_sine / angle) ** 2


def axis_angle(R: MatrixLike) -> tuple[Vector, float]:
    """Unit axis and angle in [0, pi] of a rotation of numbers.

    The axis is accurate for all angles, 0 and pi included: theta = arccos((trace - 1)/2) and the eigenvector (Ruina
    2/11) lose half the digits there, so both are read from the quaternion. At angle 0 every axis will do and (1, 0, 0)
    is returned; at pi both signs of the axis are right.
    """
    w, *v = quaternion_of(R)
    sine = math.hypot(*v)
    if sine == 0.0:
        return (1.0, 0.0, 0.0), 0.0
    return tuple(x / sine for x in v), 2.0 * math.atan2(sine, w)


def log(R: MatrixLike) -> Vector:
    """Rotation vector of a rotation of numbers, of length at most pi: exp(log(R)) = R."""
    n, angle = axis_angle(R)
    return scale(angle, n)


def angular_velocity(R: MatrixLike, Rd: MatrixLike) -> Vector:
    """w_NB_N from R_NB and its time derivative: skew(w) = Rd R^T (Ruina 2/13, Hemingway & O'Reilly after (105))."""
    return unskew(matmul(Rd, transpose(R)))


def body_angular_velocity(R: MatrixLike, Rd: MatrixLike) -> Vector:
    """w_NB_B from R_NB and its time derivative: skew(w) = R^T Rd, Choset (10.43)."""
    return unskew(matmul(transpose(R), Rd))


def orthogonality_error(R: MatrixLike) -> float:
    """Largest entry of R^T R - 1, for numbers: how far R has fallen apart."""
    product = matmul(transpose(R), R)
    return max(abs(float(product[i][j]) - (i == j)) for i in range(3) for j in range(3))


def orthonormalise_gram_schmidt(R: MatrixLike) -> Matrix:
    """A rotation near R (numbers): the first column keeps its direction, the second its plane with the first."""
    x, y, _ = transpose(R)
    x = _unit_column(x)
    y = _unit_column(subtract(y, scale(dot(x, y), x)))
    z = cross(x, y)
    if determinant(R) <= 0:
        raise _not_a_rotation(R)
    return transpose((x, y, z))


def _unit_column(u: VectorLike) -> Vector:
    length = norm(u)
    if not 1e-6 < length < math.inf:
        raise ModelError(f"A column of length {float(length):.3g} cannot be made a unit vector.", length=length)
    return tuple(x / length for x in u)


def orthonormalise_polar(R: MatrixLike) -> Matrix:
    """The rotation closest to R (numbers), in the sum of squares: the orthogonal factor of its polar decomposition."""
    import numpy as np

    left, _, right = np.linalg.svd(np.array(R, dtype=float))
    if determinant(R) <= 0:
        raise _not_a_rotation(R)
    return tuple(tuple(float(x) for x in row) for row in left @ right)


def _not_a_rotation(R: MatrixLike) -> ModelError:
    value = float(determinant(R))
    return ModelError(
        f"A rotation has determinant 1; this matrix has {value:.6g}. It is a reflection or has no inverse, and no "
        "rotation is near it.",
        determinant=value,
    )
