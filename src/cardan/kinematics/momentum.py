"""Mass, centre of mass, momentum and angular momentum of a system or of parts of it, as vectors in symbols.

Angular momentum about a point C that may move has two definitions (Ruina 5/8):

    A:  H_C = sum r_i/C x m_i (v_i - v_C) + I_i w_i,   with velocities relative to the point
    B:  H_C = sum r_i/C x m_i v_i         + I_i w_i,   with absolute velocities

They agree where C is fixed or the centre of mass of what moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sympy as sp

from cardan.errors import ModelError, unknown
from cardan.geometry import matrix as m3
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Frame, Point, Vector
from cardan.model.model import Model
from cardan.native.showing import Shown

DEFINITIONS = ("A", "B")


@dataclass(frozen=True)
class Momenta:
    """What moves: all of a model, or the bodies and particles in ``parts``."""

    model: Model
    parts: tuple[Body | Particle, ...]

    @property
    def mass(self) -> sp.Expr:
        """The sum of the masses."""
        return sp.Add(*(one.mass for one in self.parts))

    @property
    def centre(self) -> Vector:
        """From the world's origin to the centre of mass."""
        self._require_mass()
        weighted = sum((self._place(one) * one.mass for one in self.parts), Vector({}))
        return Vector((weighted / self.mass).terms)

    def _require_mass(self) -> None:
        if self.mass == 0:
            raise ModelError(
                f"{self.model.name!r} has no mass that is carried by a body or particle, so it has no centre of mass. "
                "Energies typed by hand do not say where masses are."
            )

    def _place(self, part: Body | Particle) -> Vector:
        return _centre(part) - self.model.world.origin

    def linear(self) -> Vector:
        """sum m v."""
        return sum((_centre(one).velocity * one.mass for one in self.parts), Vector({}))

    def angular(self, about: Point | Vector | None, definition: str) -> Vector:
        """H about a point, or about the place that a vector from the world's origin leads to."""
        if definition not in DEFINITIONS:
            raise unknown(definition, DEFINITIONS, "definition of angular momentum")
        world = self.model.world
        place = self.centre if about is None else about - world.origin if isinstance(about, Point) else about
        moving = place.rate(world) if definition == "A" else Vector({})
        total = Vector({})
        for one in self.parts:
            arm, v = self._place(one) - place, _centre(one).velocity - moving
            total = total + arm.cross(v * one.mass) + _spin(one)
        return total


def momenta(model: Model, of: Body | Particle | str | Sequence[Body | Particle | str] | None = None) -> Momenta:
    """The momenta of a model, or of some of its bodies and particles."""
    parts: tuple[Body | Particle, ...] = (*model.bodies, *model.particles)
    if of is None:
        return Momenta(model, parts)
    wanted = [of] if isinstance(of, (str, Body, Particle)) else list(of)
    named = {one.name: one for one in parts}
    for one in wanted:
        if isinstance(one, str) and one not in named:
            raise unknown(one, named, f"body or particle of {model.name!r}")
    return Momenta(model, tuple(named[one] if isinstance(one, str) else one for one in wanted))


def _centre(part: Body | Particle) -> Point:
    return part.centre if isinstance(part, Body) else part.origin


def _spin(part: Body | Particle) -> Vector:
    """I w about the centre of mass of a body."""
    if not isinstance(part, Body):
        return Vector({})
    return Vector({part.frame: m3.matvec(part.inertia, part.omega.express(part.frame))})


@dataclass(frozen=True)
class Balance(Shown):
    """Whether dH/dt about a point equals the moment of all forces about it, in vectors.

    ``defect`` is their difference, -m (r_G - r_C) x a_C with definition "A" and -v_C x m v_G with "B" (Ruina 5/8): zero
    for fixed points and the centre of mass, and wherever these products vanish.
    """

    world: Frame
    rate: Vector  # dH/dt
    moment: Vector  # sum of arms x m a, and of d/dt (I w)
    defect: Vector

    @property
    def holds(self) -> bool:
        """Whether the balance holds in every motion, by symbols."""
        return all(part == 0 for part in self.defect.components(self.world))

    def __repr__(self) -> str:
        parts = ", ".join(str(part) for part in self.defect.components(self.world))
        return "dH/dt = M in every motion" if self.holds else f"dH/dt - M = ({parts}) along the world's axes"


def balance_of(momenta: Momenta, about: Point | Vector | None, definition: str) -> Balance:
    """The balance of angular momentum about a point, or about the place that a vector from the origin leads to."""
    world = momenta.model.world
    H = momenta.angular(about, definition)
    place = momenta.centre if about is None else about - world.origin if isinstance(about, Point) else about
    velocity, total = place.rate(world), Vector({})
    for one in momenta.parts:
        arm = _centre(one) - world.origin - place
        total = total + arm.cross(_centre(one).acceleration * one.mass) + _spin(one).rate(world)
    if definition == "A":
        defect = (momenta.centre - place).cross(velocity.rate(world)) * -momenta.mass
    else:
        defect = velocity.cross(momenta.linear()) * -1
    return Balance(world, H.rate(world), total, defect)
