"""The finished description of a system: frozen, validated, ready to be differentiated by others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardan.model.bodies import Body, Particle
from cardan.model.constraints import Constraint
from cardan.model.frames import Frame, Vector
from cardan.model.friction import Friction
from cardan.model.loads import Damper, GeneralizedForce, Load, Spring
from cardan.model.motions import Motion
from cardan.model.stops import AnyStop
from cardan.model.symbols import Coordinate, Velocity
from cardan.model.variables import CoordinateVariable, QuaternionVariable, Variable
from cardan.native.once import once

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True)
class Model:
    """A system of particles and rigid bodies, or of energies typed by hand, or of both."""

    name: str
    world: Frame
    time: sp.Symbol
    variables: tuple[Variable, ...]
    prescribed: Mapping[Coordinate, sp.Expr] = field(default_factory=dict)  # coordinate -> expression of time
    parameters: tuple[sp.Symbol, ...] = ()
    values: Mapping[sp.Symbol, float] = field(default_factory=dict)  # parameter -> value
    inputs: tuple[sp.Symbol, ...] = ()
    bodies: tuple[Body, ...] = ()
    particles: tuple[Particle, ...] = ()
    gravity: Vector | None = None
    kinetic_energies: tuple[sp.Expr, ...] = ()
    potentials: tuple[sp.Expr, ...] = ()
    lagrangians: tuple[sp.Expr, ...] = ()
    loads: tuple[Load, ...] = ()
    generalized_forces: tuple[GeneralizedForce, ...] = ()
    springs: tuple[Spring, ...] = ()
    dampers: tuple[Damper, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    frictions: tuple[Friction, ...] = ()
    regular: Mapping[Frame, tuple[Motion, ...]] = field(default_factory=dict)  # motions put in place of a frame's own
    stops: tuple[AnyStop, ...] = ()

    @once
    def free(self) -> tuple[Variable, ...]:
        """Variables that are not prescribed, in the order of their declaration."""
        return tuple(one for one in self.variables if not self.is_prescribed(one))

    def is_prescribed(self, variable: Variable) -> bool:
        return isinstance(variable, CoordinateVariable) and variable.symbol in self.prescribed

    def motions_of(self, frame: Frame) -> tuple[Motion, ...]:
        """The motions that carry a frame."""
        return self.regular.get(frame, frame.motions)

    @once
    def q(self) -> tuple[sp.Symbol, ...]:
        """Configuration symbols, nq of them."""
        return tuple(symbol for one in self.free for symbol in one.configuration)

    @once
    def v(self) -> tuple[Velocity, ...]:
        """Velocity symbols, n of them; qd = N(q) v."""
        return tuple(symbol for one in self.free for symbol in one.velocities)

    @once
    def driving(self) -> tuple[sp.Symbol, ...]:
        """Magnitudes of named loads, then inputs: what a user may change during a run."""
        return tuple(symbol for load in self.loads for symbol in load.symbols) + self.inputs

    @once
    def rubbing(self) -> tuple[Friction, ...]:
        """Frictions that the simulator has to solve for or switch."""
        return tuple(one for one in self.frictions if one.is_solved)

    @once
    def signals(self) -> tuple[sp.Symbol, ...]:
        """What may change during a run: loads and inputs, then what the simulator sets, pressing forces last."""
        modes = tuple(symbol for one in self.rubbing for symbol in one.signals)
        return self.driving + modes + tuple(one.pressing for one in self.rubbing)

    @once
    def has_quaternions(self) -> bool:
        return any(isinstance(one, QuaternionVariable) for one in self.free)

    @once
    def quaternion_starts(self) -> tuple[int, ...]:
        """Index in q of the first component of each unit quaternion."""
        return tuple(start for start, one in self._starts() if isinstance(one, QuaternionVariable))

    @once
    def angle_indices(self) -> tuple[int, ...]:
        """Indices in q of the coordinates that live on a circle."""
        return tuple(
            start for start, one in self._starts() if isinstance(one, CoordinateVariable) and one.domain.is_angle
        )

    def _starts(self) -> list[tuple[int, Variable]]:
        found, at = [], 0
        for one in self.free:
            found.append((at, one))
            at += len(one.configuration)
        return found

    @property
    def is_typed(self) -> bool:
        """Whether any energy was typed by hand."""
        return bool(self.kinetic_energies or self.lagrangians)

    @property
    def has_bodies(self) -> bool:
        return bool(self.bodies or self.particles)
