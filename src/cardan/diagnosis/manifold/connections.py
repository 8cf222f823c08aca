"""Free bodies on connections: a body that is free but for one connection has the manifold of that joint.

Seen from the body it is connected to, a free body is anywhere in E^3 x RP^3; what a connection leaves of that are the
relative poses of its joint, whatever the other body does. So the factors of the free body are replaced by those of the
joint, body by body along the connections, and only the connections that close loops are left as constraints.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from cardan.diagnosis.manifold.chains import Composition
from cardan.diagnosis.manifold.factors import Factor
from cardan.model.axial_joints import Cylindrical, Prismatic, Revolute
from cardan.model.bodies import Body
from cardan.model.constraints import Connection
from cardan.model.frames import Frame
from cardan.model.joint import Joint
from cardan.model.joints import Ball, Fixed, Free, Planar, Universal
from cardan.model.model import Model
from cardan.model.motions import Place, Slide, Spin, Turn

LEFT: dict[type[Joint], tuple[str, ...]] = {
    Fixed: (),
    Revolute: ("S1",),
    Prismatic: ("E",),
    Cylindrical: ("E", "S1"),
    Universal: ("S1", "S1"),
    Planar: ("E2", "S1"),
    Ball: ("RP3",),
}


@dataclass
class Consumed:
    """Connections that became joints, by name, and for each coordinate of their bodies what it depends on."""

    names: set[str] = field(default_factory=set)
    behind: dict[str, set[str]] = field(default_factory=dict)  # coordinate -> coordinates of all bodies it hangs on

    def through(self, coordinates: set[str]) -> set[str]:
        """All coordinates on which something written in these depends."""
        return coordinates.union(*(self.behind.get(one, set()) for one in coordinates))


def with_connections(result: Composition, model: Model) -> Consumed:
    """Factors and reasons are changed in ``result``."""
    done = Consumed()
    waiting = [one for one in model.constraints if isinstance(one, Connection) and type(one.joint) in LEFT]
    bodies = {body.frame: body for body in model.bodies if _coordinates(result, model, body)}
    while True:
        step = next(((one, *pair) for one in waiting for pair in _ends(model, one) if _may_hang(pair, bodies)), None)
        if step is None:
            return done
        connection, carrier, hanging = step
        names = _coordinates(result, model, bodies.pop(hanging))
        waiting.remove(connection)
        own = set(names)
        result.factors[:] = [one for one in result.factors if not own & set(one.coordinates)]
        kinds = LEFT[type(connection.joint)]
        result.factors += [Factor.of(kind, names) for kind in kinds]
        what = " x ".join(kinds) or "a point"
        result.why.append(f"{connection.name}: its joint leaves {what} of {', '.join(names)}")
        behind = done.through({str(q) for frame in carrier.path for q in _symbols(model, frame)})
        done.names.add(connection.name)
        done.behind |= dict.fromkeys(names, own | behind)


def _ends(model: Model, one: Connection) -> list[tuple[Frame, Frame]]:
    first, second = (_moving(model, point.frame) for point in (one.first, one.second))
    return [(first, second), (second, first)]


def _moving(model: Model, frame: Frame) -> Frame:
    """The frame itself, or the one on which it is fixed."""
    while frame.parent is not None and all(isinstance(one, Place) for one in model.motions_of(frame)):
        frame = frame.parent
    return frame


def _may_hang(pair: tuple[Frame, Frame], bodies: dict[Frame, Body]) -> bool:
    """Whether the second frame is of a free body that hangs on nothing yet, and the first is none that waits."""
    carrier, hanging = pair
    return hanging in bodies and not any(frame in bodies for frame in carrier.path)


def _coordinates(result: Composition, model: Model, body: Body) -> tuple[str, ...]:
    """The coordinates of a body that is free in the world, each its own; empty for others."""
    motions = model.motions_of(body.frame)
    if not isinstance(body.joint, Free) or body.frame.parent is None or body.frame.parent.parent is not None:
        return ()
    if [type(one) for one in motions if isinstance(one, Slide | Turn | Spin)][:3] != [Slide] * 3:
        return ()
    names = tuple(dict.fromkeys(str(q) for q in _symbols(model, body.frame)))
    own = [one for one in result.factors if set(one.coordinates) <= set(names)]
    flat = sum(one.dimension for one in own if one.kind == "E")
    return names if flat == 3 and sum(1 for one in own if one.kind == "RP3") == 1 and len(own) <= 4 else ()


def _symbols(model: Model, frame: Frame) -> list[str]:
    """Names of coordinates and quaternions that move a frame on its parent."""
    found: list[str] = []
    for motion in model.motions_of(frame):
        if isinstance(motion, Spin):
            found.append(motion.name)
        elif isinstance(motion, Slide | Turn):
            amount = motion.distance if isinstance(motion, Slide) else motion.angle
            found += sorted(str(q) for q in sp.sympify(amount, strict=True).free_symbols & set(model.q))
    return found
