"""Unit quaternions (w, x, y, z): cos(theta/2) and sin(theta/2) n, as in Ruina's 2/11.

They are active, like rotation matrices: q_NB takes components in B to components in N, and q_AC = q_AB q_BC.
q and -q are the same rotation. ``matrix``, ``multiply``, ``rate_matrix`` and their like are generic over the kind of
scalar; what decides by size takes numbers.
"""

from __future__ import annotations

import math

from cardan.errors import ModelError
from cardan.geometry import euler
from cardan.geometry.axis import unit_axis
from cardan.geometry.matrix import (
    Matrix,
    MatrixLike,
    Vector,
    VectorLike,
    as_vector,
    dot,
    matvec,
    norm,
    scale,
    transpose,
)
from cardan.geometry.scalar import Scalar, cos, half, is_number, minus, negative, plus, sin, square, times
from cardan.geometry.shepperd import quaternion_of

IDENTITY: Vector = (1, 0, 0, 0)


def _parts(q: VectorLike) -> Vector:
    return as_vector(q, "quaternion", 4)


def matrix(q: VectorLike) -> Matrix:
    """R_NB of the unit quaternion q_NB (entries are polynomials of degree two)."""
    w, x, y, z = _parts(q)
    xx, yy, zz = square(x), square(y), square(z)
    xy, xz, yz = times(x, y), times(x, z), times(y, z)
    wx, wy, wz = times(w, x), times(w, y), times(w, z)
    return (
        (_one_minus_twice(yy, zz), _twice(minus(xy, wz)), _twice(plus(xz, wy))),
        (_twice(plus(xy, wz)), _one_minus_twice(xx, zz), _twice(minus(yz, wx))),
        (_twice(minus(xz, wy)), _twice(plus(yz, wx)), _one_minus_twice(xx, yy)),
    )


def _twice(a: Scalar) -> Scalar:
    return times(2, a)


def _one_minus_twice(a: Scalar, b: Scalar) -> Scalar:
    return minus(1, times(2, plus(a, b)))


def multiply(p: VectorLike, q: VectorLike) -> Vector:
    """The product p q: the rotation q followed by p about axes fixed in space, or p then q about body axes."""
    a, b, c, d = _parts(p)
    w, x, y, z = _parts(q)
    return (
        dot((a, negative(b), negative(c), negative(d)), (w, x, y, z)),
        dot((a, b, c, negative(d)), (x, w, z, y)),
        dot((a, c, d, negative(b)), (y, w, x, z)),
        dot((a, d, b, negative(c)), (z, w, y, x)),
    )


def conjugate(q: VectorLike) -> Vector:
    """The inverse rotation of a unit quaternion."""
    w, x, y, z = _parts(q)
    return (w, negative(x), negative(y), negative(z))


def rotate(q: VectorLike, v: VectorLike) -> Vector:
    """The rotated vector, R v."""
    return matvec(matrix(q), v)


def rate_matrix(q: VectorLike) -> Matrix:
    """N(q), 4 by 3, with qd = N(q) w_NB_B for the angular velocity in body components.

    qd = q (0, w) / 2. The columns are orthogonal to q, so |q| is kept, and N^T N = |q|^2 / 4.
    """
    w, x, y, z = (half(component) for component in _parts(q))
    return (
        (negative(x), negative(y), negative(z)),
        (w, negative(z), y),
        (z, w, negative(x)),
        (negative(y), x, w),
    )


def space_rate_matrix(q: VectorLike) -> Matrix:
    """The 4 by 3 matrix with qd = matrix w_NB_N for the angular velocity in space components: qd = (0, w) q / 2."""
    w, x, y, z = (half(component) for component in _parts(q))
    return (
        (negative(x), negative(y), negative(z)),
        (w, z, negative(y)),
        (negative(z), w, x),
        (y, negative(x), w),
    )


def rate(q: VectorLike, omega: VectorLike) -> Vector:
    """qd of the body-fixed angular velocity w_NB_B."""
    return matvec(rate_matrix(q), omega)


def angular_velocity(q: VectorLike, qd: VectorLike) -> Vector:
    """w_NB_B of a unit quaternion and its rate: w = 4 N(q)^T qd."""
    return scale(4, matvec(transpose(rate_matrix(q)), _parts(qd)))


def from_matrix(R: MatrixLike) -> Vector:
    """The unit quaternion with w >= 0 of a rotation of numbers, accurate for every rotation."""
    return quaternion_of(R)


def from_axis_angle(axis: str | VectorLike, angle: Scalar) -> Vector:
    """The unit quaternion of a rotation about a unit axis."""
    s = sin(half(angle))
    return (cos(half(angle)), *scale(s, unit_axis(axis)))


def from_euler(convention: str, angles: VectorLike, space: bool = False) -> Vector:
    """The unit quaternion of Euler angles."""
    axes, order = euler.elementary_axes(convention, space)
    q = IDENTITY
    for axis, index in zip(axes, order, strict=True):
        q = multiply(q, from_axis_angle(axis, angles[index]))
    return q


def to_euler(q: VectorLike, convention: str, space: bool = False) -> euler.EulerAngles:
    """Euler angles of a quaternion of numbers; see euler.angles_from for the singular orientations."""
    return euler.angles_from(convention, matrix(normalise(q)), space)


def normalise(q: VectorLike) -> Vector:
    """q divided by its length."""
    parts = _parts(q)
    length = norm(parts)
    if is_number(length) and not 0.0 < length < math.inf:
        raise ModelError(f"A quaternion of length {float(length):.3g} is no rotation.", quaternion=parts, length=length)
    return tuple(component / length for component in parts)


def exp(rotation_vector: VectorLike) -> Vector:
    """The unit quaternion of a rotation vector of numbers, accurate for every length including zero."""
    phi = as_vector(rotation_vector, "rotation vector")
    angle = math.hypot(*phi)
    # sin(a/2)/a; for tiny a the series 1/2 - a^2/48 has a relative error of a^4/1920
    ratio = 0.5 - angle * angle / 48.0 if angle < 1e-4 else math.sin(0.5 * angle) / angle
    return (math.cos(0.5 * angle), *(ratio * x for x in phi))


def log(q: VectorLike) -> Vector:
    """The rotation vector, of length at most pi, of a unit quaternion of numbers: exp(log(q)) is q or -q."""
    w, *v = (float(component) for component in _parts(q))
    sine = math.hypot(*v)
    if sine == 0.0:
        return (0.0, 0.0, 0.0)
    sign = -1.0 if w < 0 else 1.0
    factor = sign * 2.0 * math.atan2(sine, abs(w)) / sine
    return tuple(factor * x for x in v)


def slerp(start: VectorLike, end: VectorLike, fraction: float) -> Vector:
    """The rotation ``fraction`` of the way from start to end, the short way round, at constant angular velocity."""
    a, b = normalise(start), normalise(end)
    step = scale(fraction, log(multiply(conjugate(a), b)))  # log takes the short way
    return multiply(a, exp(step))
