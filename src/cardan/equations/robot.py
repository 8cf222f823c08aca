"""Quantities that robotics asks for, as graph nodes: motions of frames, centre of mass, centroidal momentum.

A motion has six rows, the linear part first: of the point that coincides with the frame's origin, along the world's
axes ("mixed"); the same along the frame's axes ("body"); or of the point that is at the world's origin now ("world").
"""

from __future__ import annotations

from collections.abc import Sequence

from cardan.equations.reduced import Dynamics
from cardan.geometry import matrix as m3
from cardan.geometry.scalar import plus
from cardan.graph import Node, jacobian, jvp
from cardan.kinematics.space import Number
from cardan.kinematics.tree import WORLD, PointMass
from cardan.model.frames import Frame, Point
from cardan.model.motions import Triple

REPRESENTATIONS = ("world", "body", "mixed")


def placement(d: Dynamics, point: Point) -> list[Node]:
    """R (row by row) and position of a frame moved to a point of it."""
    R, _ = d.full.lifted.pose(point.frame)
    return d.impose([*(x for row in R for x in row), *d.full.lifted.point(point.frame, point.position)])


def velocity(d: Dynamics, point: Point, representation: str) -> list[Node]:
    """The motion of a frame moved to a point of it: six rows."""
    motion = d.full.motion
    v, w = motion.velocity_of(point), motion.omega(point.frame)
    if representation == "world":
        v = m3.add(v, m3.cross(motion.position(point), w))
    elif representation == "body":
        back = m3.transpose(motion.rotation(point.frame))
        v, w = m3.matvec(back, v), m3.matvec(back, w)
    return d.impose([*v, *w])


def jacobian_of(d: Dynamics, point: Point, representation: str) -> list[Node]:
    """J of velocity = J v (+ what prescribed motions add), six by nv, row by row."""
    return flat(jacobian(velocity(d, point, representation), d.v))


def rate(d: Dynamics, nodes: Sequence[Node]) -> list[Node]:
    """d/dt of expressions of (q, t)."""
    return jvp(nodes, [*d.q, d.t], [*d.configuration_rates, d.space.graph.one])


def acceleration(d: Dynamics, point: Point, representation: str) -> list[Node]:
    """d/dt of the six rows of a motion: J vd + Jd v."""
    return jvp(
        velocity(d, point, representation),
        [*d.q, *d.v, d.t],
        [*d.configuration_rates, *d.vd, d.space.graph.one],
    )


# --- the whole ---------------------------------------------------------------------------------------


def moving(d: Dynamics) -> list[PointMass]:
    """Masses that can move: what is welded to the world does not count, as in Pinocchio."""
    return [one for one in d.full.tree.masses if d.full.lifted.link_of(one.frame) != WORLD]


def mass(d: Dynamics) -> Number:
    """Total mass of what moves."""
    total: Number = 0
    for one in moving(d):
        total = plus(total, d.full.lifted.lift(one.mass))
    return total


def centre(d: Dynamics) -> Triple:
    """The centre of mass of what moves, in the world."""
    moment: Triple = (0, 0, 0)
    for one in moving(d):
        place = d.full.lifted.point(one.frame, one.com)
        moment = m3.add(moment, m3.scale(d.full.lifted.lift(one.mass), place))
    total = mass(d)
    return tuple(x / total for x in moment)


def momentum(d: Dynamics) -> list[Node]:
    """Linear momentum, and angular momentum about the centre of mass, along the world's axes."""
    tree, motion, about = d.full.lifted, d.full.motion, centre(d)
    linear: Triple = (0, 0, 0)
    angular: Triple = (0, 0, 0)
    for one in moving(d):
        own = Point(one.frame, one.com)
        p = m3.scale(tree.lift(one.mass), motion.velocity_of(own))
        linear = m3.add(linear, p)
        angular = m3.add(angular, m3.cross(m3.subtract(motion.position(own), about), p))
        if one.inertia is not None:
            angular = m3.add(angular, _spin(d, one.frame, one.inertia))
    return d.impose([*linear, *angular])


def _spin(d: Dynamics, frame: Frame, inertia: Sequence[Sequence[Number]]) -> Triple:
    """R I R^T w along the world's axes."""
    tree, motion = d.full.lifted, d.full.motion
    R = motion.rotation(frame)
    own = tuple(tuple(tree.lift(x) for x in row) for row in inertia)
    return m3.matvec(R, m3.matvec(own, m3.matvec(m3.transpose(R), motion.omega(frame))))


def flat(rows: Sequence[Sequence[Node]]) -> list[Node]:
    """Entries row by row."""
    return [x for row in rows for x in row]


# --- inertial parameters -----------------------------------------------------------------------------


def body_rows(d: Dynamics) -> list[Node]:
    """For each mass, along its own axes at its frame's origin: J (six by nv), angular velocity, angular acceleration
    and linear acceleration less gravity."""
    found: list[Node] = []
    gravity = d.full.gravity
    for one in d.full.tree.masses:
        point = Point(one.frame, (0, 0, 0))
        R = d.full.motion.rotation(one.frame)
        back = m3.transpose(R)
        moved = d.space.all_nodes([*d.full.motion.velocity_of(point), *d.full.motion.omega(one.frame)])
        rates = d.rate_with_accelerations(moved)
        felt = m3.subtract(rates[:3], gravity)
        rows = [*m3.matvec(back, d.full.motion.omega(one.frame)), *m3.matvec(back, rates[3:]), *m3.matvec(back, felt)]
        found += [*jacobian_of(d, point, "body"), *d.impose(rows)]
    return found
