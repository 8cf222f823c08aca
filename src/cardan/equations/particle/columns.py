"""Velocities of all masses per unit of each velocity: dv/dqd^J and dw/dqd^J for every J, held ones included.

J runs over the free coordinates, those whose motion is prescribed, and the directions that joints and the places of
particles hold: a unit velocity, or angular velocity, of all that is carried, along such a direction. Hemingway &
O'Reilly (42), (64), (99). World components; generic over the number type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import sympy as sp

from cardan.equations.dynamics import FullDynamics
from cardan.equations.recursive import Rate
from cardan.equations.reduced import Dynamics
from cardan.equations.symbolic import SymbolicEquations
from cardan.equations.transmission import Transmission
from cardan.geometry import matrix as m3
from cardan.geometry.axis import UNIT_VECTORS
from cardan.geometry.scalar import Scalar
from cardan.graph import jacobian
from cardan.kinematics.motion import Motion
from cardan.kinematics.space import Number
from cardan.model.bodies import Body, Particle
from cardan.model.frames import Point
from cardan.model.model import Model
from cardan.model.motions import Matrix3, Triple
from cardan.model.symbols import Velocity

ZERO: Triple = (0, 0, 0)
Slopes = Callable[[Sequence[Scalar]], list[list[Scalar]]]  # d(values)/d(every velocity)


def masses_of(model: Model) -> tuple[Body | Particle, ...]:
    """Particles, then bodies."""
    return (*model.particles, *model.bodies)


@dataclass(frozen=True)
class Column:
    """What moves with one J: velocity of each particle; velocity of the centre and angular velocity of each body."""

    name: str
    kind: str  # "free", "prescribed" or "held"
    particles: tuple[Triple, ...]
    bodies: tuple[tuple[Triple, Triple], ...]


@dataclass(frozen=True)
class Means:
    """A model in the numbers of one route."""

    model: Model
    motion: Motion
    rates: Sequence[Rate]
    slopes: Slopes

    @property
    def bodies(self) -> tuple[Body, ...]:
        return self.model.bodies

    @property
    def particles(self) -> tuple[Particle, ...]:
        return self.model.particles

    # --- where things are --------------------------------------------------------------------------

    def places(self) -> list[Triple]:
        """x of each particle, then of the centre of each body."""
        return [self.motion.position(_centre(one)) for one in masses_of(self.model)]

    def rotations(self) -> list[Matrix3]:
        """Q of each body."""
        return [self.motion.rotation(one.frame) for one in self.bodies]

    # --- how they move -----------------------------------------------------------------------------

    def columns(self) -> list[Column]:
        """One for every J."""
        return [*self._of_velocities(), *self._of_joints(), *self._of_places()]

    def _of_velocities(self) -> Iterator[Column]:
        moved: list[Scalar] = []
        for thing in masses_of(self.model):
            moved += self.motion.velocity_of(_centre(thing))
        for body in self.bodies:
            moved += self.motion.omega(body.frame)
        table, p, R = self.slopes(moved), len(self.particles), len(self.bodies)
        variables = [(one, str(name)) for one in self.model.variables for name in _labels(one.velocities)]
        for j, (variable, name) in enumerate(variables):
            column = [row[j] for row in table]
            v = [tuple(column[3 * k : 3 * k + 3]) for k in range(p + R)]
            w = [tuple(column[3 * k : 3 * k + 3]) for k in range(p + R, p + 2 * R)]
            kind = "prescribed" if self.model.is_prescribed(variable) else "free"
            yield Column(name, kind, tuple(v[:p]), tuple(zip(v[p:], w, strict=True)))

    def _of_joints(self) -> Iterator[Column]:
        tree = self.motion.tree
        whole = Transmission(self.model, tree, self.rates, self.rates, ZERO, {}, ())
        found = []
        for part in whole.parts():
            for held in part.held():
                R, p = part.tree.pose_of_link(held.link)
                along = m3.matvec(R, held.along)
                v, w = (along, ZERO) if held.forbidden.kind == "force" else (ZERO, along)
                found.append((held.order, self._carried(held.name, held.body, v, w, p)))
        yield from (column for _, column in sorted(found, key=lambda one: one[0]))

    def _carried(self, name: str, body: Body, v: Triple, w: Triple, about: Triple) -> Column:
        """Everything that a body carries moves as one: v + w x (x - about)."""

        def of(thing: Body | Particle) -> tuple[Triple, Triple]:
            if body.frame not in thing.frame.path:
                return ZERO, ZERO
            arm = m3.subtract(self.motion.position(_centre(thing)), about)
            return m3.add(v, m3.cross(w, arm)), w

        return Column(name, "held", tuple(of(one)[0] for one in self.particles), tuple(of(one) for one in self.bodies))

    def _of_places(self) -> Iterator[Column]:
        """Directions along the axes of its frame in which a particle cannot move by itself."""
        everything = {symbol for one in self.model.variables for symbol in one.configuration}
        for k, particle in enumerate(self.particles):
            base = particle.frame.parent or self.model.world
            for axis, letter, place in zip(UNIT_VECTORS, "xyz", particle.frame.position_in_parent, strict=True):
                if not sp.sympify(place).free_symbols & everything:
                    along = m3.matvec(self.motion.rotation(base), axis)
                    moved = tuple(along if j == k else ZERO for j in range(len(self.particles)))
                    still = tuple((ZERO, ZERO) for _ in self.bodies)
                    yield Column(f"{particle.name}_force_{letter}", "held", moved, still)


def _centre(thing: Body | Particle) -> Point:
    return thing.centre if isinstance(thing, Body) else thing.origin


def _labels(velocities: Sequence[Velocity]) -> list[str]:
    return [str(one).removesuffix("_dot") for one in velocities]


def symbolic_means(s: SymbolicEquations) -> Means:
    """In SymPy, with prescribed motions still as symbols."""

    def slopes(values: Sequence[Scalar]) -> list[list[Scalar]]:
        return [[sp.diff(sp.sympify(x), v) for v in s.v] for x in values]

    return Means(s.model, s.motion_in_world, s.joint_rates, slopes)


def graph_means(d: Dynamics) -> Means:
    """In nodes of the graph."""
    full: FullDynamics = d.full

    def slopes(values: Sequence[Number]) -> list[list[Scalar]]:
        return [list(row) for row in jacobian(d.space.all_nodes(values), list(d.space.v))]

    return Means(d.model, full.motion, full.joints.rates, slopes)
