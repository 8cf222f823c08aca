"""Constraints as scalar rows: phi(q, t) = 0 where there is one, and its rate c(q, v, t) = A v + b0 = 0.

Each row knows what its multiplier is: a unit force at a place, or a unit moment, on one frame and against another.
Generic over the number type.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cardan.geometry import matrix as m3
from cardan.geometry.axis import UNIT_VECTORS, perpendiculars
from cardan.geometry.scalar import Scalar, cos, is_zero, minus, plus, sin, times
from cardan.geometry.scalar import sqrt as norm_of
from cardan.kinematics.motion import Motion
from cardan.linalg.closing import LENGTHS, NUMBERS, TYPED
from cardan.model.constraints import (
    Connection,
    Constraint,
    Distance,
    Holonomic,
    NoSlip,
    NoSpin,
    Rolling,
    RollingOver,
    VelocityConstraint,
)
from cardan.model.frames import Frame, Point
from cardan.model.joint import Thread
from cardan.model.motions import Triple
from cardan.model.stops import Cone


@dataclass(frozen=True)
class Action:
    """What a unit multiplier does: a force at ``place`` or a moment along ``direction`` (world) on ``frame``."""

    frame: Frame
    kind: str  # "force" or "moment"
    direction: Triple
    place: Triple | None = None


@dataclass(frozen=True)
class Row:
    """One scalar constraint."""

    name: str
    constraint: Constraint | Cone
    phi: Scalar  # None for a constraint on velocities only
    rate: Scalar
    actions: tuple[Action, ...] = ()

    @property
    def is_holonomic(self) -> bool:
        return self.phi is not None

    @property
    def unit(self) -> int:
        """What the row measures: lengths where a force keeps it, numbers where a moment does, else what was typed."""
        return {"force": LENGTHS, "moment": NUMBERS}[self.actions[0].kind] if self.actions else TYPED


def rows_of(constraint: Constraint, motion: Motion) -> list[Row]:
    """The scalar rows of a constraint; rows that are zero whatever the motion are kept (they are redundant)."""
    makers = {
        Holonomic: _holonomic,
        VelocityConstraint: _velocity,
        Connection: _connection,
        Distance: _distance,
        NoSlip: _no_slip,
        NoSpin: _no_spin,
        Rolling: _rolling,
        RollingOver: _rolling_over,
    }
    return list(makers[type(constraint)](constraint, motion))  # type: ignore[operator]


def _holonomic(c: Holonomic, motion: Motion) -> Iterator[Row]:
    phi = motion.lift(c.expression)
    yield Row(c.name, c, phi, motion.time_derivative(phi))


def _velocity(c: VelocityConstraint, motion: Motion) -> Iterator[Row]:
    yield Row(c.name, c, None, motion.lift(c.expression))


def _distance(c: Distance, motion: Motion) -> Iterator[Row]:
    first, second = motion.position(c.first), motion.position(c.second)
    span = m3.subtract(second, first)
    length = norm_of(m3.squared_norm(span))
    along = tuple(x / length for x in span)
    apart = m3.dot(along, m3.subtract(motion.velocity_of(c.second), motion.velocity_of(c.first)))
    wanted = motion.lift(c.length)
    actions = (
        Action(c.second.frame, "force", along, second),
        Action(c.first.frame, "force", m3.negate(along), first),
    )
    yield Row(c.name, c, minus(length, wanted), minus(apart, motion.time_derivative(wanted)), actions)


def _no_slip(c: NoSlip, motion: Motion) -> Iterator[Row]:
    place, along = motion.position(c.point), motion.components(c.along)
    relative = m3.subtract(motion.velocity(c.on, place), motion.velocity(c.relative_to, place))
    actions = [Action(c.on, "force", along, place)]
    if c.relative_to is not None:
        actions.append(Action(c.relative_to, "force", m3.negate(along), place))
    yield Row(c.name, c, None, m3.dot(along, relative), tuple(actions))


def _no_spin(c: NoSpin, motion: Motion) -> Iterator[Row]:
    about = motion.components(c.about)
    actions = [Action(c.on, "moment", about)]
    if c.relative_to is not None:
        actions.append(Action(c.relative_to, "moment", m3.negate(about)))
    relative = m3.subtract(motion.omega(c.on), motion.omega(c.relative_to))
    yield Row(c.name, c, None, m3.dot(about, relative), tuple(actions))


# --- connections -------------------------------------------------------------------------------------


def _connection(c: Connection, motion: Motion) -> Iterator[Row]:
    """Position rows along fixed directions of the first frame, orientation rows between axes of both frames."""
    held = c.closure()
    R1, R2 = motion.rotation(c.first.frame), motion.rotation(c.second.frame)
    p1, p2 = motion.position(c.first), motion.position(c.second)
    gap = m3.subtract(p2, p1)
    if held.along == UNIT_VECTORS:  # points coincide: world axes give shorter rows
        speeds = m3.subtract(motion.velocity_of(c.second), motion.velocity_of(c.first))
        for axis, direction in zip("xyz", held.along, strict=True):
            yield _force_row(c, f"{c.name}_{axis}", direction, m3.dot(direction, gap), m3.dot(direction, speeds), p2)
    else:
        speeds = m3.subtract(motion.velocity_of(c.second), motion.velocity(c.first.frame, p2))
        for k, direction in enumerate(held.along):
            u = m3.matvec(R1, direction)
            yield _force_row(c, f"{c.name}_p{k + 1}", u, m3.dot(u, gap), m3.dot(u, speeds), p2)
    turning = m3.subtract(motion.omega(c.second.frame), motion.omega(c.first.frame))
    for k, pair in enumerate(held.pairs):
        a, b = m3.matvec(R1, pair.first), m3.matvec(R2, pair.second)
        about = m3.cross(b, a)  # d/dt (a.b) = (w2 - w1) . (b x a)
        actions = (
            Action(c.second.frame, "moment", about),
            Action(c.first.frame, "moment", m3.negate(about)),
        )
        phi = minus(m3.dot(a, b), pair.cosine)
        yield Row(f"{c.name}_r{k + 1}", c, phi, m3.dot(turning, about), actions)
    if held.thread is not None:
        yield _ThreadRow(c, held.thread, motion).row()


def _force_row(c: Connection, name: str, along: Triple, phi: Scalar, rate: Scalar, place: Triple) -> Row:
    actions = (
        Action(c.second.frame, "force", along, place),
        Action(c.first.frame, "force", m3.negate(along), place),
    )
    return Row(name, c, phi, rate, actions)


class _ThreadRow:
    """A slide s along an axis and a turn theta about it that go together, s = h theta, whole turns left out.

    phi = h sin(s/h - theta) needs no angle, only its cosine and sine, which are products of axes; so it is smooth for
    any number of turns. Its rate is that of s - h theta, times cos(s/h - theta), which is 1 on the thread.
    """

    def __init__(self, c: Connection, thread: Thread, motion: Motion) -> None:
        self.connection, self.motion = c, motion
        R1, R2 = motion.rotation(c.first.frame), motion.rotation(c.second.frame)
        self.axis, self.side = m3.matvec(R1, thread.axis), m3.matvec(R1, thread.side)
        self.third, self.mark = m3.cross(self.axis, self.side), m3.matvec(R2, thread.mark)
        self.place, self.h = motion.position(c.second), motion.lift(thread.advance)
        self.slide = m3.dot(self.axis, m3.subtract(self.place, motion.position(c.first)))
        self.sin_s, self.cos_s = sin(self.slide / self.h), cos(self.slide / self.h)
        self.cos_theta, self.sin_theta = m3.dot(self.side, self.mark), m3.dot(self.third, self.mark)

    @property
    def cosine(self) -> Scalar:
        """cos(s/h - theta)."""
        return plus(times(self.cos_s, self.cos_theta), times(self.sin_s, self.sin_theta))

    def row(self) -> Row:
        c, h = self.connection, self.h
        phi = times(h, minus(times(self.sin_s, self.cos_theta), times(self.cos_s, self.sin_theta)))
        along = m3.scale(self.cosine, self.axis)
        about = m3.subtract(  # d/dt of the cosine and the sine of theta, as above
            m3.scale(times(h, self.sin_s), m3.cross(self.mark, self.side)),
            m3.scale(times(h, self.cos_s), m3.cross(self.mark, self.third)),
        )
        speeds = m3.subtract(self.motion.velocity_of(c.second), self.motion.velocity(c.first.frame, self.place))
        turning = m3.subtract(self.motion.omega(c.second.frame), self.motion.omega(c.first.frame))
        actions = (
            Action(c.second.frame, "force", along, self.place),
            Action(c.first.frame, "force", m3.negate(along), self.place),
            Action(c.second.frame, "moment", about),
            Action(c.first.frame, "moment", m3.negate(about)),
        )
        return Row(f"{c.name}_thread", c, phi, plus(m3.dot(along, speeds), m3.dot(turning, about)), actions)


def facing(c: Connection, motion: Motion) -> list[Scalar]:
    """Cosines that are one where two frames without relative rotation are aligned, or are on their thread, and where
    the axes of a hinge point the same way.

    The rows of such a connection, right angles between axes, also hold after some half and third turns; those of a
    hinge also with its axis reversed, those of a thread also half a turn off it.
    """
    held = c.closure()
    R1, R2 = motion.rotation(c.first.frame), motion.rotation(c.second.frame)
    found: list[Scalar] = []
    if held.sense is not None:
        found.append(m3.dot(m3.matvec(R1, held.sense.first), m3.matvec(R2, held.sense.second)))
    if held.thread is not None:
        found.append(_ThreadRow(c, held.thread, motion).cosine)
    if not held.orientation:
        return found
    return [m3.dot(m3.matvec(R1, axis), m3.matvec(R2, axis)) for axis in UNIT_VECTORS[:2]]


# --- rolling -----------------------------------------------------------------------------------------


def _rolling(c: Rolling, motion: Motion) -> Iterator[Row]:
    """Contact (holonomic), no slip along two directions of the plane, and no spin about the normal if asked."""
    R_B, R_S = motion.rotation(c.body.frame), motion.rotation(c.surface)
    n = m3.matvec(R_S, c.normal)
    centre = motion.position(c.body.centre)
    offset = m3.matvec(R_B, c.shape.support(m3.matvec(m3.transpose(R_B), n), motion.lift))
    place = m3.add(centre, offset)
    height = m3.dot(n, m3.subtract(place, motion.position(Point(c.surface, (0, 0, 0)))))
    wanted = motion.lift(c.height)
    across = [m3.matvec(R_S, one) for one in perpendiculars(c.normal)]
    yield from _contact_rows(c, motion, place, n, across, minus(height, wanted), motion.time_derivative(wanted))


def _rolling_over(c: RollingOver, motion: Motion) -> Iterator[Row]:
    """The same on a round surface, whose normal turns with the place: the ball's centre stays its radius away."""
    R_S, centre = motion.rotation(c.surface), motion.position(c.body.centre)
    away = m3.subtract(centre, motion.position(Point(c.surface, (0, 0, 0))))
    nearest = c.over.nearest(m3.matvec(m3.transpose(R_S), away), motion.lift)
    side, radius = -1 if c.over.inside else 1, motion.lift(c.shape.radius)
    n = m3.scale(side, m3.matvec(R_S, nearest.normal))  # towards the ball
    along = m3.matvec(R_S, nearest.along)
    place = m3.subtract(centre, m3.scale(radius, n))
    yield from _contact_rows(
        c, motion, place, n, [along, m3.cross(n, along)], minus(times(side, nearest.distance), radius)
    )


def _contact_rows(
    c: Rolling | RollingOver,
    motion: Motion,
    place: Triple,
    n: Triple,
    across: Sequence[Triple],
    phi: Scalar,
    rising: Scalar = 0,
) -> Iterator[Row]:
    """Rows of a contact at ``place`` with the normal n: its gap phi, of a surface that rises, and its slips."""
    on = None if c.surface.parent is None else c.surface
    relative = m3.subtract(motion.velocity(c.body.frame, place), motion.velocity(on, place))

    def actions(direction: Triple) -> tuple[Action, ...]:
        own = Action(c.body.frame, "force", direction, place)
        return (own,) if on is None else (own, Action(on, "force", m3.negate(direction), place))

    yield Row(f"{c.name}_contact", c, phi, minus(m3.dot(n, relative), rising), actions(n))
    for k, t in enumerate(across):
        yield Row(f"{c.name}_slip{k + 1}", c, None, m3.dot(t, relative), actions(t))
    if not c.spins:
        turning = m3.dot(n, m3.subtract(motion.omega(c.body.frame), motion.omega(on)))
        twist = [Action(c.body.frame, "moment", n)]
        if on is not None:
            twist.append(Action(on, "moment", m3.negate(n)))
        yield Row(f"{c.name}_spin", c, None, turning, tuple(twist))


def is_void(row: Row) -> bool:
    """Whether a row is zero whatever the motion."""
    return is_zero(row.rate) and (row.phi is None or is_zero(row.phi))
