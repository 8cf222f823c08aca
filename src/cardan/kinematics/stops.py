"""Stops as scalar rows: the gap, and the velocities of slip against which friction acts. Generic over the number type.

The row of a gap is phi = gap with its rate; its multiplier is the contact force, positive when it pushes. The
multiplier of a row of slip is the friction force along it.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardan.kinematics.motion import Motion
from cardan.kinematics.rows import Row, is_void, rows_of
from cardan.model.constraints import Holonomic, Rolling, VelocityConstraint
from cardan.model.stops import AnyStop, Contact, Stop


@dataclass(frozen=True)
class StopRows:
    """A stop, the row of its gap, and none, one or two rows of slip."""

    stop: AnyStop
    gap: Row
    slips: tuple[Row, ...]


def rows_of_stop(stop: AnyStop, motion: Motion) -> StopRows:
    """The rows of a stop."""
    return _typed(stop, motion) if isinstance(stop, Stop) else _touching(stop, motion)


def _typed(stop: Stop, motion: Motion) -> StopRows:
    (gap,) = rows_of(Holonomic(stop.name, stop.gap), motion)
    slips = [
        row
        for k, slip in enumerate(stop.slips)
        for row in rows_of(VelocityConstraint(f"{stop.name}_slip{k + 1}", slip), motion)
    ]
    return StopRows(stop, gap, tuple(slips))


def _touching(stop: Contact, motion: Motion) -> StopRows:
    """The rows of rolling, of which the gap is the first and those of slip follow."""
    rolling = Rolling(stop.name, stop.body, stop.shape, stop.surface, stop.normal, stop.height)
    gap, *slips = rows_of(rolling, motion)
    moving = tuple(row for row in slips if not is_void(row))  # in a plane problem nothing slips across it
    return StopRows(stop, gap, moving if stop.friction != 0 else ())
