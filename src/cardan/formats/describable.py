"""What a model file is said to: the calls of a system by which a user describes a mechanism.

``cardan.System`` has them; what each means is said there. Scalars are SymPy expressions or numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from cardan.formats.plan import Nested
from cardan.model.appearances import Appearance
from cardan.model.bodies import Body, Particle
from cardan.model.curvilinear import Curvilinear as Curvilinear
from cardan.model.description import Description
from cardan.model.drawings import Kind
from cardan.model.flexible import FlexibleBody
from cardan.model.frames import Frame, Point, Vector
from cardan.model.joint import Joint
from cardan.model.shapes import Plane, Shape
from cardan.model.surfaces import RoundSurface

if TYPE_CHECKING:
    import sympy as sp

Thing: TypeAlias = Frame | Body | Particle
Target: TypeAlias = Thing | Point  # where a load or a spring takes hold
Position: TypeAlias = "Vector | Nested"
Drawn: TypeAlias = "Target | Nested"  # a place of something that is only drawn
Placement: TypeAlias = "Position | tuple[Position, Nested] | None"


class Describable(Protocol):
    """A system that is being described."""

    @property
    def description(self) -> Description: ...
    @property
    def time(self) -> sp.Symbol: ...
    @property
    def world(self) -> Frame: ...

    # --- variables and energies --------------------------------------------------------------------

    def coordinates(self, names: str, on: str | tuple[float, ...] = "R", scale: float | None = None) -> sp.Symbol: ...
    def parameters(self, **values: float) -> sp.Symbol: ...
    def input(self, name: str) -> sp.Symbol: ...
    def kinetic_energy(self, expression: sp.Expr) -> None: ...
    def potential(self, expression: sp.Expr) -> None: ...
    def lagrangian(self, expression: sp.Expr) -> None: ...
    def generalized_force(self, coordinate: sp.Symbol, expression: sp.Expr) -> None: ...
    def chart_coordinates(self, names: str) -> sp.Symbol: ...
    def chart(
        self,
        name: str,
        coordinates: Sequence[str],
        maps: Mapping[sp.Symbol, sp.Expr],
        *,
        inverse: Mapping[sp.Symbol, sp.Expr] | None = None,
        kinetic_energy: sp.Expr = None,
    ) -> None: ...

    # --- frames, bodies, particles -----------------------------------------------------------------

    def frame(
        self, name: str, *, joint: Joint | None = None, parent: Thing | None = None, at: Placement = None
    ) -> Frame: ...
    def body(
        self,
        name: str,
        *,
        mass: sp.Expr = 0,
        inertia: Nested = 0,
        com: Nested = (0, 0, 0),
        joint: Joint | None = None,
        parent: Thing | None = None,
        at: Placement = None,
        shape: Appearance | Shape | None = None,
        as_is: bool = False,
    ) -> Body: ...
    def flexible_body(
        self,
        name: str,
        *,
        beam: Mapping[str, object],
        modes: int | Mapping[str, int] = 3,
        joint: Joint | None = None,
        parent: Thing | None = None,
        at: Placement = None,
        damping: float = 0.0,
        stiffening: bool = True,
        stations: int | None = None,
        radius: sp.Expr | None = None,
    ) -> FlexibleBody: ...
    def particle(
        self,
        name: str,
        *,
        mass: sp.Expr = 0,
        position: Position | None = None,
        frame: Thing | None = None,
        coordinates: Curvilinear | None = None,
    ) -> Particle: ...

    # --- loads -------------------------------------------------------------------------------------

    def gravity(self, acceleration: Vector) -> None: ...
    def force(
        self,
        name: str,
        *,
        on: Body | Particle | Point,
        along: Vector | None = None,
        against: Target | None = None,
        law: Vector | None,
    ) -> sp.Symbol | tuple[sp.Symbol, ...] | None: ...
    def moment(
        self, name: str, *, on: Body, along: Vector | None = None, against: Thing | None = None, law: Vector | None
    ) -> sp.Symbol | tuple[sp.Symbol, ...] | None: ...
    def spring(
        self,
        first: Target | sp.Expr,
        second: Target | None = None,
        *,
        stiffness: sp.Expr,
        length: sp.Expr = 0,
        name: str = "",
    ) -> None: ...
    def damper(
        self, first: Target | sp.Expr, second: Target | None = None, *, coefficient: sp.Expr, name: str = ""
    ) -> None: ...
    def strut(self, first: Target | sp.Expr, second: Target | None = None, *, law: sp.Expr, name: str = "") -> None: ...
    def speeds(self, **given: sp.Expr) -> sp.Symbol: ...
    def pressing_force(self, name: str, *, by: Sequence[str]) -> sp.Symbol: ...
    def bushing(
        self, first: Target, second: Target, *, stiffness: list[sp.Expr], damping: list[sp.Expr], name: str = ""
    ) -> None: ...
    def friction(
        self,
        on: sp.Expr,
        *,
        coefficient: sp.Expr,
        normal: sp.Expr | Thing | tuple[str, ...],
        radius: sp.Expr = 1,
        static: sp.Expr = None,
        stribeck: sp.Expr = None,
        viscous: sp.Expr = 0,
        law: str = "exact",
        width: sp.Expr = None,
        name: str = "",
    ) -> None: ...

    # --- constraints and stops ---------------------------------------------------------------------

    def prescribe(self, coordinate: sp.Symbol, motion: sp.Expr) -> None: ...
    def constrain(self, expression: sp.Expr, name: str = "") -> None: ...
    def constrain_velocity(self, expression: sp.Expr, name: str = "") -> None: ...
    def connect(
        self,
        first: Target,
        second: Target,
        joint: Joint,
        *,
        second_axis: str | tuple[float, ...] | None = None,
        name: str = "",
    ) -> None: ...
    def distance(self, first: Target, second: Target, length: sp.Expr, name: str = "") -> None: ...
    def no_slip(
        self,
        *,
        on: Thing,
        along: Vector,
        point: Target | None = None,
        relative_to: Thing | None = None,
        name: str = "",
    ) -> None: ...
    def no_spin(self, *, on: Thing, about: Vector, relative_to: Thing | None = None, name: str = "") -> None: ...
    def roll(
        self,
        body: Body,
        *,
        on: Plane | RoundSurface,
        shape: Shape | None = None,
        at: Nested = (0, 0, 0),
        spins: bool = True,
        name: str = "",
    ) -> None: ...
    def stop(
        self,
        gap: sp.Expr,
        *,
        restitution: sp.Expr,
        friction: sp.Expr = 0,
        slip: Sequence[sp.Expr] = (),
        name: str = "",
    ) -> None: ...
    def contact(
        self,
        thing: Target,
        *,
        on: Plane | RoundSurface,
        restitution: sp.Expr,
        friction: sp.Expr = 0,
        shape: Shape | None = None,
        name: str = "",
    ) -> None: ...
    def draw(
        self,
        kind: Kind,
        *places: Drawn,
        name: str = "",
        radius: sp.Expr = None,
        axis: str | Nested | None = None,
        angle: sp.Expr = None,
    ) -> None: ...
