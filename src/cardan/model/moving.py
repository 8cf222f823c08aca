"""Kinematics in words: angular velocities of frames, rates of vectors, velocities of points, relative to any frame.

A vector is components along axes that turn, so its rate is that of the components plus w x vector (transport theorem).
Nothing is differentiated here; rates of expressions come from ``algebra/``.
"""

from __future__ import annotations

import sympy as sp

from cardan.algebra.rates import total_rate
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion
from cardan.geometry.rotation import about
from cardan.model.frames import IDENTITY, Frame, Vector, common_frame, quaternion_symbols
from cardan.model.motions import Matrix3, Place, Spin, Triple, Turn
from cardan.model.symbols import TIME, Velocity

NOTHING: Triple = (0, 0, 0)


def spins(frame: Frame) -> dict[sp.Symbol, sp.Expr]:
    """Rates of the quaternions on the way to a frame: ed = N(e) w."""
    found: dict[sp.Symbol, sp.Expr] = {}
    for step in frame.path:
        for motion in step.motions:
            if isinstance(motion, Spin):
                e = quaternion_symbols(motion.name)
                found |= dict(zip(e, m3.matvec(quaternion.rate_matrix(e), body_rates(motion.name)), strict=True))
    return found


def body_rates(name: str) -> tuple[sp.Symbol, ...]:
    """The angular velocity of the quaternion ``name`` along the axes it carries."""
    return tuple(Velocity(f"omega_{name}_{axis}") for axis in "xyz")


def _in_parent(frame: Frame) -> Vector:
    """Angular velocity of a frame relative to its parent, along its own axes."""
    w: Triple = NOTHING
    R: Matrix3 = IDENTITY  # from axes after the motions so far to the frame's own
    for motion in reversed(frame.motions):
        if isinstance(motion, Turn):
            speed = total_rate(motion.angle, TIME, {})
            w = m3.add(w, m3.matvec(R, tuple(speed * part for part in motion.axis)))
            R = m3.matmul(R, m3.transpose(about(motion.axis, sp.sympify(motion.angle))))
        elif isinstance(motion, Spin):
            w = m3.add(w, m3.matvec(R, body_rates(motion.name)))
            R = m3.matmul(R, m3.transpose(quaternion.matrix(quaternion_symbols(motion.name))))
        elif isinstance(motion, Place) and motion.rotation is not None:
            R = m3.matmul(R, m3.transpose(motion.rotation))
    return Vector({frame: w})


def angular_velocity(frame: Frame, relative_to: Frame | None = None) -> Vector:
    """w of a frame relative to another one, the world without."""
    base = frame.root if relative_to is None else relative_to
    root = common_frame(frame, base)
    up = [_in_parent(step) for step in frame.path[len(root.path) :]]
    down = [_in_parent(step) for step in base.path[len(root.path) :]]
    total = Vector({})
    for one in up:
        total = total + one
    for one in down:
        total = total - one
    return total


def rate(vector: Vector, relative_to: Frame) -> Vector:
    """d/dt of a vector as seen from a frame."""
    total = Vector({})
    for own, parts in vector.terms.items():
        known = spins(own) | spins(relative_to)
        total = total + Vector({own: tuple(total_rate(part, TIME, known) for part in parts)})
        if own is not relative_to:
            total = total + angular_velocity(own, relative_to).cross(Vector({own: parts}))
    return total


def from_to(start: Frame, start_position: Triple, end: Frame, end_position: Triple) -> Vector:
    """The vector from a point to another one."""
    root = common_frame(start, end)
    total = Vector({end: end_position}) - Vector({start: start_position})
    for frame, sign in ((end, 1), (start, -1)):
        for step in frame.path[len(root.path) :]:
            parent = step.parent
            assert parent is not None
            total = total + Vector({parent: step.position_in_parent}) * sign
    return total
