"""The tree of elementary links behind a model's frames.

Each Turn, Slide or Spin of a frame becomes one link with one joint variable s = phi(q, t) (a Spin has three
velocities). Constant motions are folded into placements, so that a frame is a link plus a constant offset, and masses
are gathered on links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import sympy as sp

from cardan.geometry import matrix as m3
from cardan.geometry.rotation import about
from cardan.geometry.scalar import Scalar
from cardan.model.frames import IDENTITY, Frame, Point, Vector
from cardan.model.loads import Damper, Spring
from cardan.model.model import Model
from cardan.model.motions import Matrix3, Motion, Place, Slide, Spin, Triple

WORLD = -1


@dataclass(frozen=True)
class Link:
    """One elementary joint: placed on its parent link by (rotation, position), then turned, slid or spun."""

    parent: int
    kind: str  # "turn", "slide" or "spin"; "weld" in trees that are asked for what welds transmit
    axis: Triple
    variable: Scalar  # the expression phi(q, t), or the name of a quaternion
    rotation: Matrix3
    position: Triple
    name: str

    @property
    def freedoms(self) -> int:
        return 3 if self.kind == "spin" else 1


@dataclass(frozen=True)
class Attachment:
    """Where a frame sits: constant (rotation, position) on a link, or on the world."""

    link: int
    rotation: Matrix3
    position: Triple


@dataclass(frozen=True)
class PointMass:
    """Mass properties attached to a link: mass, centre of mass and inertia about it, along the axes of ``frame``."""

    name: str
    frame: Frame
    mass: Scalar
    com: Triple
    inertia: Matrix3 | None


@dataclass
class Tree:
    """Links in an order where parents come first, the frames on them, and the masses."""

    motions_of: Callable[[Frame], tuple[Motion, ...]]
    links: list[Link] = field(default_factory=list)
    attachments: dict[Frame, Attachment] = field(default_factory=dict)
    masses: list[PointMass] = field(default_factory=list)
    welds: frozenset[Frame] = frozenset()  # frames that get a link of their own even where they cannot move

    def attach(self, frame: Frame, moving: set[sp.Symbol]) -> Attachment:
        """The attachment of a frame, adding the links of its motions when it is met first."""
        if frame in self.attachments:
            return self.attachments[frame]
        if frame.parent is None:
            place = Attachment(WORLD, IDENTITY, (0, 0, 0))
        else:
            place = self.attach(frame.parent, moving)
            parent, count = place.link, len(self.links)
            for motion in self.motions_of(frame):
                place = self._step(place, motion, frame.name, moving)
            if frame in self.welds and len(self.links) == count:
                self.links.append(Link(parent, "weld", (0, 0, 0), 0, place.rotation, place.position, frame.name))
                place = Attachment(count, IDENTITY, (0, 0, 0))
        self.attachments[frame] = place
        return place

    def _step(self, place: Attachment, motion: Motion, name: str, moving: set[sp.Symbol]) -> Attachment:
        if isinstance(motion, Place):
            return _moved(place, motion.position, motion.rotation)
        if isinstance(motion, Spin):
            self.links.append(Link(place.link, "spin", (0, 0, 0), motion.name, place.rotation, place.position, name))
        else:
            slides = isinstance(motion, Slide)
            amount = motion.distance if isinstance(motion, Slide) else motion.angle
            if not sp.sympify(amount).free_symbols & moving:
                if slides:
                    return _moved(place, m3.scale(amount, motion.axis), None)
                return _moved(place, (0, 0, 0), about(motion.axis, sp.sympify(amount)))
            kind = "slide" if slides else "turn"
            self.links.append(Link(place.link, kind, motion.axis, amount, place.rotation, place.position, name))
        return Attachment(len(self.links) - 1, IDENTITY, (0, 0, 0))


def _moved(place: Attachment, position: Triple, rotation: Matrix3 | None) -> Attachment:
    p = m3.add(place.position, m3.matvec(place.rotation, tuple(position)))
    R = place.rotation if rotation is None else m3.matmul(place.rotation, rotation)
    return Attachment(place.link, R, p)


def _constrained_frames(model: Model) -> Iterable[Frame]:
    """Frames that constraints and stops mention, besides those of bodies and particles."""
    for constraint in (*model.constraints, *model.stops):
        for part in vars(constraint).values():
            if isinstance(part, Frame):
                yield part
            elif isinstance(part, Point):
                yield part.frame
            elif isinstance(part, Vector):
                yield from part.terms


def build_tree(model: Model, *, welds: bool = False) -> Tree:
    """The tree of a model: all frames of its bodies and particles, with their masses.

    With ``welds`` a body that cannot move against its parent is a link of its own, which transmits what its weld does.
    """
    moving = {model.time, *(symbol for one in model.variables for symbol in one.configuration)}
    moving |= set(model.inputs)
    tree = Tree(model.motions_of, welds=frozenset(one.frame for one in model.bodies if welds))
    tree.attach(model.world, moving)
    for body in model.bodies:
        tree.attach(body.frame, moving)
        tree.masses.append(PointMass(body.name, body.frame, body.mass, body.com, body.inertia))
    for particle in model.particles:
        tree.attach(particle.frame, moving)
        tree.masses.append(PointMass(particle.name, particle.frame, particle.mass, (0, 0, 0), None))
    for load in model.loads:
        for frame in (load.at.frame, load.reaction_on, *(one for axis in load.along for one in axis.terms)):
            if frame is not None:
                tree.attach(frame, moving)
    for frame in _constrained_frames(model):
        tree.attach(frame, moving)
    elements: list[Spring | Damper] = [*model.springs, *model.dampers]
    for element in elements:
        if element.acts_between_points:
            for point in element.points:
                tree.attach(point.frame, moving)
    return tree
