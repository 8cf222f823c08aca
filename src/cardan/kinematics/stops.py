"""Stops as scalar rows: the gap, and the velocities of slip against which friction acts. Generic over the number type.

The row of a gap is phi = gap with its rate; its multiplier is the contact force, positive when it pushes. The
multiplier of a row of slip is the friction force along it.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardan.geometry import matrix as m3
from cardan.geometry.scalar import cos, minus
from cardan.kinematics.motion import Motion
from cardan.kinematics.rows import Action, Row, is_void, rows_of
from cardan.model.constraints import Constraint, Holonomic, Rolling, RollingOver, VelocityConstraint
from cardan.model.stops import AnyStop, Cone, Contact, ContactOver, Stop


@dataclass(frozen=True)
class StopRows:
    """A stop, the row of its gap, and none, one or two rows of slip."""

    stop: AnyStop
    gap: Row
    slips: tuple[Row, ...]


def rows_of_stop(stop: AnyStop, motion: Motion) -> StopRows:
    """The rows of a stop."""
    match stop:
        case Stop():
            return _typed(stop, motion)
        case Contact() | ContactOver():
            return _touching(stop, motion)
        case Cone():
            return _swinging(stop, motion)


def _typed(stop: Stop, motion: Motion) -> StopRows:
    (gap,) = rows_of(Holonomic(stop.name, stop.gap), motion)
    slips = [
        row
        for k, slip in enumerate(stop.slips)
        for row in rows_of(VelocityConstraint(f"{stop.name}_slip{k + 1}", slip), motion)
    ]
    return StopRows(stop, gap, tuple(slips))


def _touching(stop: Contact | ContactOver, motion: Motion) -> StopRows:
    """The rows of rolling, of which the gap is the first and those of slip follow."""
    if isinstance(stop, ContactOver):
        rolling: Constraint = RollingOver(stop.name, stop.body, stop.shape, stop.surface, stop.over)
    else:
        rolling = Rolling(stop.name, stop.body, stop.shape, stop.surface, stop.normal, stop.height)
    gap, *slips = rows_of(rolling, motion)
    moving = tuple(row for row in slips if not is_void(row))  # in a plane problem nothing slips across it
    return StopRows(stop, gap, moving if stop.friction != 0 else ())


def _swinging(stop: Cone, motion: Motion) -> StopRows:
    """cos(angle between the axes) - cos(limit), which is smooth where the angle itself is not: where it is zero."""
    a, b = motion.components(stop.first), motion.components(stop.second)
    first, second = stop.frames
    about = m3.cross(b, a)  # d/dt (a.b) = (w2 - w1) . (b x a)
    turning = m3.subtract(motion.omega(second), motion.omega(first))
    actions = (Action(second, "moment", about), Action(first, "moment", m3.negate(about)))
    phi = minus(m3.dot(a, b), cos(motion.lift(stop.angle)))
    return StopRows(stop, Row(stop.name, stop, phi, m3.dot(turning, about), actions), ())
