"""A flexible body added to a description: a frame on a joint, masses on its line, springs on its coordinates.

Masses sit at the nodes of a rule of integration, so that the energies of the line are integrals to the rule's order and
everything that is known of particles holds of it: balances, reactions, rotating frames, other bodies attached.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from cardan.errors import ModelError
from cardan.model.appearances import Appearance
from cardan.model.bodies import Body, Particle
from cardan.model.description import Description, finite
from cardan.model.flexible import Bend, FlexibleBody, Line, Section, Shapes
from cardan.model.given import Amount, Carrier, Placement
from cardan.model.joint import Joint
from cardan.model.loads import Damper, Spring


@dataclass(frozen=True)
class Spread:
    """Mass along a line: at ``places``, and at places where something heavy is fixed, with its moment of inertia."""

    places: Sequence[float]
    masses: Sequence[float]
    heavy: Sequence[tuple[float, float, float]] = ()  # place, mass, moment of inertia about axes across the line


@dataclass(frozen=True)
class Mounting:
    """Where and how a flexible body is mounted, and how it looks and is damped."""

    joint: Joint
    parent: Carrier | None = None
    at: Placement | None = None
    damping: float = 0.0
    radius: Amount | None = None


def add_flexible_body(
    description: Description, name: str, shapes: Sequence[Shapes], spread: Spread, mounting: Mounting
) -> FlexibleBody:
    """The flexible body, with coordinates name_y1, name_y2, ... for the shapes of each direction."""
    ratio = finite(mounting.damping, f"Damping ratio of {name!r}")
    if not 0 <= ratio < 1:
        raise ModelError(f"{name!r} has the damping ratio {ratio:g}; give a number from 0 to below 1.", damping=ratio)
    frame_of = _body(description, name, mounting)
    where = description.bodies.index(frame_of)
    bends = tuple(_bend(description, name, one) for one in shapes)
    line = Line(shapes[0].length, bends)
    for bend in bends:
        _stiffen(description, bend, ratio)
    stations = tuple(
        _station(description, f"{name}_m{k + 1}", frame_of, line, x, m)
        for k, (x, m) in enumerate(zip(spread.places, spread.masses, strict=True))
    )

    def cut(label: str, x: float, mass: float = 0.0, inertia: float = 0.0) -> Body:
        carried = Section(line.motions(x))
        return _added(description, label, mass, (0, inertia, inertia), carried, frame_of)

    made = FlexibleBody(**vars(frame_of), line=line, stations=stations, sections={}, cut=cut, radius=mounting.radius)
    description.bodies[where] = made
    for x, mass, inertia in spread.heavy:
        made.sections[x] = cut(made.label(x), x, mass, inertia)
    return made


def _body(description: Description, name: str, mounting: Mounting) -> Body:
    nothing: Appearance | None = None
    return description.body(
        name,
        mass=0,
        inertia=0,
        com=(0, 0, 0),
        joint=mounting.joint,
        parent=mounting.parent,
        at=mounting.at,
        shape=nothing,
    )


def _added(
    description: Description, label: str, mass: float, inertia: Sequence[float], joint: Joint, parent: Body
) -> Body:
    return description.body(
        label, mass=mass, inertia=tuple(inertia), com=(0, 0, 0), joint=joint, parent=parent, at=None, shape=None
    )


def _bend(description: Description, name: str, shapes: Shapes) -> Bend:
    count = len(shapes.masses)
    return Bend(shapes, tuple(description.coordinate(f"{name}_{shapes.axis}{k + 1}", "R", None) for k in range(count)))


def _stiffen(description: Description, bend: Bend, ratio: float) -> None:
    """Springs of the modal stiffness, and dampers of the same ratio for all modes: c = 2 ratio sqrt(k m)."""
    for eta, k, m in zip(bend.coordinates, bend.shapes.stiffness, bend.shapes.masses, strict=True):
        label = description.claim(f"stiffness of {eta.name}", "spring")
        description.springs.append(Spring(label, sp.Float(k), sp.Integer(0), eta))
        if ratio:
            label = description.claim(f"damping of {eta.name}", "damper")
            description.dampers.append(Damper(label, sp.Float(2 * ratio * (k * m) ** 0.5), eta))


def _station(description: Description, label: str, on: Body, line: Line, x: float, mass: float) -> Particle:
    position = on.frame.vector(*line.place(x))
    return description.particle(label, mass=mass, position=position, frame=on, coordinates=None)
