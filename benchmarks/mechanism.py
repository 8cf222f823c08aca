"""A closed mechanism as plain data, so that every tool builds the same one, and its states as positions and energies.

A mechanism is a tree of links on hinges and slides, and loops that pin a point of one link to a point of another. All
link frames are aligned with the world at q = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Table = NDArray[np.float64]
Triple = tuple[float, float, float]
GROUND = -1
HINGE = 0.1  # metres from the middle of a hinge to its ends


@dataclass(frozen=True)
class Link:
    """A rigid body on a hinge (or a slide) along ``axis`` at the point ``at`` of its parent."""

    parent: int
    at: Triple
    axis: Triple
    mass: float
    com: Triple
    inertia: Triple  # about the centre of mass, along the link's axes
    slides: bool = False


class Pin(NamedTuple):
    """A point of one link coincides with a point of another (or of the ground)."""

    first: int
    at_first: Triple
    second: int
    at_second: Triple


class Spring(NamedTuple):
    """A linear spring between a point of a link and a point of the ground."""

    link: int
    at: Triple
    ground: Triple
    stiffness: float
    length: float


@dataclass(frozen=True)
class Mechanism:
    """What is built, where it starts (q and v satisfy the loops), and for how long it runs."""

    name: str
    links: Sequence[Link]
    pins: Sequence[Pin]
    q: Sequence[float]
    v: Sequence[float]
    span: float
    gravity: Triple = (0.0, -9.81, 0.0)
    springs: Sequence[Spring] = ()
    drive: float = 0.0  # constant moment about the hinge of the first link
    planar: bool = True
    size: float = 1.0  # metres: the length that position errors are measured in
    reference_tolerance: float = 1e-12
    hinged: bool = False  # pins are hinges about z in space, not points: redundant in a mechanism that is planar


class Case(NamedTuple):
    """One way to run a mechanism: ``before`` makes ready, ``work`` is timed, ``states`` reads what it returned."""

    before: Callable[[], Any]
    work: Callable[[], Any]
    states: Callable[[Any], States]


class States(NamedTuple):
    """Centres of mass, orientations, and their velocities (all in the world), of every link at every time."""

    x: Table  # (times, links, 3)
    R: Table  # (times, links, 3, 3)
    v: Table  # (times, links, 3)
    w: Table  # (times, links, 3)
    turned: Table  # (times,): the angle of the first hinge, turns included


def turned_by(axis: Any, angle: Any) -> Table:
    """Rotation matrices about a unit axis, one for each angle."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    a = np.asarray(angle)[..., None, None]
    return np.eye(3) + np.sin(a) * K + (1 - np.cos(a)) * K @ K


def frames(mechanism: Mechanism, q: Any, v: Any) -> list[tuple[Table, Table, Table, Table]]:
    """(origin, R, velocity of the origin, angular velocity) of every link; q and v have the shape (times, n)."""
    q, v = np.atleast_2d(q), np.atleast_2d(v)
    rest = np.zeros((len(q), 3))
    found: list[tuple[Table, Table, Table, Table]] = []
    ground = (rest, np.broadcast_to(np.eye(3), (len(q), 3, 3)), rest, rest)
    for k, link in enumerate(mechanism.links):
        o, R, vo, w = found[link.parent] if link.parent != GROUND else ground
        axis = np.array(link.axis)
        along = R @ axis
        arm = R @ np.array(link.at, dtype=float)
        if link.slides:
            arm = arm + q[:, k, None] * along
            found.append((o + arm, R, vo + np.cross(w, arm) + v[:, k, None] * along, w))
        else:
            here = vo + np.cross(w, arm)
            found.append((o + arm, R @ turned_by(axis, q[:, k]), here, w + v[:, k, None] * along))
    return found


def states_of_tree(mechanism: Mechanism, q: Any, v: Any) -> States:
    """States from joint coordinates, which are exact on the hinges whatever the loops do."""
    x, R, xd, w = [], [], [], []
    for (o, R_link, vo, w_link), link in zip(frames(mechanism, q, v), mechanism.links, strict=True):
        arm = R_link @ np.array(link.com, dtype=float)
        x.append(o + arm)
        R.append(R_link)
        xd.append(vo + np.cross(w_link, arm))
        w.append(w_link)
    stacked = [np.stack(part, axis=1) for part in (x, R, xd, w)]
    return States(*stacked, np.atleast_2d(q)[:, 0])


def energy(mechanism: Mechanism, s: States) -> Table:
    """T + V at every time; the constant drive moment counts as a potential."""
    m = np.array([link.mass for link in mechanism.links])
    J = np.array([link.inertia for link in mechanism.links])
    own = np.einsum("tlji,tlj->tli", s.R, s.w)
    T = np.sum(m * np.sum(s.v**2, axis=2), axis=1) / 2 + np.sum(J * own**2, axis=(1, 2)) / 2
    V = -np.sum(m[:, None] * s.x * np.array(mechanism.gravity), axis=(1, 2)) - mechanism.drive * s.turned
    for spring in mechanism.springs:
        arm = np.array(spring.at) - np.array(mechanism.links[spring.link].com)
        end = s.x[:, spring.link] + s.R[:, spring.link] @ arm
        length = np.sqrt(np.sum((end - np.array(spring.ground)) ** 2, axis=1))
        V = V + spring.stiffness * (length - spring.length) ** 2 / 2
    return np.asarray(T + V)


def kinetic(mechanism: Mechanism, s: States) -> Table:
    """T at every time."""
    at_rest = s._replace(v=0 * s.v, w=0 * s.w)
    return energy(mechanism, s) - energy(mechanism, at_rest)


def gaps(mechanism: Mechanism, q: Any, v: Any) -> tuple[Table, Table]:
    """How far the pins are open and how fast they open, each (times, rows); two rows for each pin in the plane."""
    placed = frames(mechanism, q, v)
    apart, rates = [], []
    for pin in mechanism.pins:
        ends = [_point(placed, link, at) for link, at in (pin[:2], pin[2:])]
        rows = slice(2 if mechanism.planar else 3)
        apart.append((ends[0][0] - ends[1][0])[:, rows])
        rates.append((ends[0][1] - ends[1][1])[:, rows])
    return np.concatenate(apart, axis=1), np.concatenate(rates, axis=1)


def _point(placed: Any, link: int, at: Triple) -> tuple[Table, Table]:
    """Position and velocity of a point of a link."""
    if link == GROUND:
        return np.array([at]), np.zeros((1, 3))
    o, R, vo, w = placed[link]
    arm = R @ np.array(at)
    return o + arm, vo + np.cross(w, arm)


def hinge_points(pin: Pin) -> tuple[Pin, Pin]:
    """A hinge about z as two points that coincide, a way to close it that every tool has."""
    ends = []
    for z in (-HINGE, HINGE):
        first, second = ((x, y, w + z) for x, y, w in (pin.at_first, pin.at_second))
        ends.append(Pin(pin.first, first, pin.second, second))
    return ends[0], ends[1]


def points(mechanism: Mechanism) -> list[Pin]:
    """The pins as points: two for each hinge."""
    if not mechanism.hinged:
        return list(mechanism.pins)
    return [one for pin in mechanism.pins for one in hinge_points(pin)]


def slopes(mechanism: Mechanism, q: Any) -> Table:
    """A, with A v the rates at which the pins open."""
    n = len(mechanism.links)
    return gaps(mechanism, np.broadcast_to(q, (n, n)), np.eye(n))[1].T


def closed(mechanism: Mechanism, rate: float) -> Mechanism:
    """The mechanism started on its loops: the first joint as given and moving at ``rate``, the others found."""
    q = np.array(mechanism.q, dtype=float)
    for _ in range(50):
        step = np.linalg.solve(slopes(mechanism, q)[:, 1:], -gaps(mechanism, q, 0 * q)[0][0])
        q[1:] += step
        if np.max(np.abs(step)) < 1e-15:
            break
    A = slopes(mechanism, q)
    v = np.concatenate([[rate], np.linalg.solve(A[:, 1:], -A[:, 0] * rate)])
    return replace(mechanism, q=tuple(map(float, q)), v=tuple(map(float, v)))
