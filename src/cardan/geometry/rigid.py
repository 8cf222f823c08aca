"""Placements (orientation and position), and how twists and wrenches change with the frame they are written in.

``X_AB = Placement(R_AB, p_AB_A)`` says where frame B is in frame A: a point fixed in B at p_BP_B is at
p_AB_A + R_AB p_BP_B in A. A twist (w, v) of a body holds its angular velocity and the velocity of the body's point at
the frame's origin; a wrench (m, f) the moment about the frame's origin and the force. Power is w . m + v . f and does
not depend on the frame. Everything is generic over the kind of scalar.
"""

from __future__ import annotations

from typing import NamedTuple

from cardan.geometry import matrix as mx
from cardan.geometry.matrix import Matrix, MatrixLike, Vector, VectorLike
from cardan.geometry.scalar import Scalar


class Placement(NamedTuple):
    """Where a frame is: R_AB with B's axes as columns, and p_AB in A's components."""

    R: Matrix
    p: Vector


class Twist(NamedTuple):
    """Angular velocity, and velocity of the body's point at the origin of the frame."""

    w: Vector
    v: Vector


class Wrench(NamedTuple):
    """Moment about the origin of the frame, and force."""

    m: Vector
    f: Vector


IDENTITY = Placement(mx.IDENTITY, (0, 0, 0))


def placement(R: MatrixLike | None = None, p: VectorLike | None = None) -> Placement:
    """A placement from an orientation, a position, or both; what is left out is the identity."""
    return Placement(
        mx.IDENTITY if R is None else mx.as_matrix(R, "orientation"),
        (0, 0, 0) if p is None else mx.as_vector(p, "position"),
    )


def compose(*placements: Placement) -> Placement:
    """From left to right: compose(X_AB, X_BC) is X_AC. No argument gives the identity."""
    total = IDENTITY
    for X in placements:
        total = Placement(mx.matmul(total.R, X.R), apply(total, X.p))
    return total


def inverse(X: Placement) -> Placement:
    """X_BA of X_AB."""
    R = mx.transpose(X.R)
    return Placement(R, mx.negate(mx.matvec(R, X.p)))


def apply(X: Placement, point: VectorLike) -> Vector:
    """p_AP_A of the point p_BP_B."""
    return mx.add(X.p, mx.matvec(X.R, point))


def twist_in_outer(X: Placement, twist: Twist) -> Twist:
    """A body's twist written in A, from the same twist written in B: w_A = R w_B, v_A = R v_B + p x w_A."""
    w = mx.matvec(X.R, twist.w)
    return Twist(w, mx.add(mx.matvec(X.R, twist.v), mx.cross(X.p, w)))


def twist_in_inner(X: Placement, twist: Twist) -> Twist:
    """A body's twist written in B, from the same twist written in A: w_B = R^T w_A, v_B = R^T (v_A + w_A x p)."""
    R = mx.transpose(X.R)
    return Twist(mx.matvec(R, twist.w), mx.matvec(R, velocity_at(twist, X.p)))


def wrench_in_outer(X: Placement, wrench: Wrench) -> Wrench:
    """A wrench written in A, from the same wrench written in B: f_A = R f_B, m_A = R m_B + p x f_A."""
    f = mx.matvec(X.R, wrench.f)
    return Wrench(mx.add(mx.matvec(X.R, wrench.m), mx.cross(X.p, f)), f)


def wrench_in_inner(X: Placement, wrench: Wrench) -> Wrench:
    """A wrench written in B, from the same wrench written in A: f_B = R^T f_A, m_B = R^T (m_A - p x f_A)."""
    R = mx.transpose(X.R)
    return Wrench(mx.matvec(R, moment_about(wrench, X.p)), mx.matvec(R, wrench.f))


def velocity_at(twist: Twist, point: VectorLike) -> Vector:
    """Velocity of the body's point at this position in the same frame: v + w x point."""
    return mx.add(twist.v, mx.cross(twist.w, point))


def moment_about(wrench: Wrench, point: VectorLike) -> Vector:
    """Moment about this position in the same frame: m - point x f."""
    return mx.subtract(wrench.m, mx.cross(point, wrench.f))


def force_at(point: VectorLike, force: VectorLike) -> Wrench:
    """The wrench of a force that acts at a point of the frame."""
    return Wrench(mx.cross(point, force), tuple(force))


def power(twist: Twist, wrench: Wrench) -> Scalar:
    """Power of a wrench on a moving body, both written in the same frame: w . m + v . f."""
    return mx.dot((*twist.w, *twist.v), (*wrench.m, *wrench.f))


def twist_cross(a: Twist, b: Twist) -> Twist:
    """Rate of twist b carried along by twist a, in one frame: (w_a x w_b, w_a x v_b + v_a x w_b)."""
    return Twist(mx.cross(a.w, b.w), mx.add(mx.cross(a.w, b.v), mx.cross(a.v, b.w)))


def wrench_cross(a: Twist, b: Wrench) -> Wrench:
    """Rate of wrench b carried along by twist a, in one frame: (w_a x m_b + v_a x f_b, w_a x f_b)."""
    return Wrench(mx.add(mx.cross(a.w, b.m), mx.cross(a.v, b.f)), mx.cross(a.w, b.f))
