"""The finished description of a system: frozen, validated, ready to be differentiated by others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING

from cardan.model.bodies import Body, Particle
from cardan.model.constraints import Constraint
from cardan.model.drawings import Drawing
from cardan.model.flexible import FlexibleBody
from cardan.model.frames import Frame, Vector
from cardan.model.friction import Friction
from cardan.model.loads import Damper, GeneralizedForce, Load, Spring
from cardan.model.motions import Motion
from cardan.model.stops import AnyStop
from cardan.model.symbols import Coordinate, Velocity
from cardan.model.variables import CoordinateVariable, QuaternionVariable, Variable

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
    drawings: tuple[Drawing, ...] = field(default=(), repr=False, compare=False)  # for eyes only

    speeds: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)  # generalized speeds, by what they mean

    # formed from the above, once for all who read a model
    flexible: tuple[FlexibleBody, ...] = field(init=False, repr=False, compare=False)  # bodies that bend
    free: tuple[Variable, ...] = field(init=False, repr=False, compare=False)  # not prescribed, as declared
    q: tuple[sp.Symbol, ...] = field(init=False, repr=False, compare=False)  # configuration, nq of them
    v: tuple[Velocity, ...] = field(init=False, repr=False, compare=False)  # n of them; qd = N(q) v
    driving: tuple[sp.Symbol, ...] = field(init=False, repr=False, compare=False)  # what a user may change
    rubbing: tuple[Friction, ...] = field(init=False, repr=False, compare=False)  # to be solved for, or switched
    signals: tuple[sp.Symbol, ...] = field(init=False, repr=False, compare=False)  # driving, then set by simulators
    quaternion_starts: tuple[int, ...] = field(init=False, repr=False, compare=False)  # in q, of each quaternion
    angle_indices: tuple[int, ...] = field(init=False, repr=False, compare=False)  # in q, of what lives on a circle

    def __post_init__(self) -> None:
        free = tuple(one for one in self.variables if not self.is_prescribed(one))
        driving = tuple(symbol for load in self.loads for symbol in load.symbols) + self.inputs  # magnitudes first
        rubbing = tuple(one for one in self.frictions if one.is_solved)
        modes = tuple(symbol for one in rubbing for symbol in one.signals)
        starts = list(accumulate((len(one.configuration) for one in free), initial=0))[:-1]
        placed = list(zip(starts, free, strict=True))
        vars(self).update(
            flexible=tuple(one for one in self.bodies if isinstance(one, FlexibleBody)),
            free=free,
            q=tuple(symbol for one in free for symbol in one.configuration),
            v=tuple(symbol for one in free for symbol in one.velocities),
            driving=driving,
            rubbing=rubbing,
            signals=driving + modes + tuple(one.pressing for one in rubbing),  # pressing forces last
            quaternion_starts=tuple(at for at, one in placed if isinstance(one, QuaternionVariable)),
            angle_indices=tuple(
                at for at, one in placed if isinstance(one, CoordinateVariable) and one.domain.is_angle
            ),
        )

    def is_prescribed(self, variable: Variable) -> bool:
        return isinstance(variable, CoordinateVariable) and variable.symbol in self.prescribed

    def motions_of(self, frame: Frame) -> tuple[Motion, ...]:
        """The motions that carry a frame."""
        return self.regular.get(frame, frame.motions)

    @property
    def judged(self) -> tuple[Load, ...]:
        """The loads whose magnitudes are given by a user; what follows a law is no load that could be lost."""
        return tuple(one for one in self.loads if not one.follows_law)

    @property
    def has_quaternions(self) -> bool:
        return bool(self.quaternion_starts)

    @property
    def is_typed(self) -> bool:
        """Whether any energy was typed by hand."""
        return bool(self.kinetic_energies or self.lagrangians)

    @property
    def has_bodies(self) -> bool:
        return bool(self.bodies or self.particles)
