"""What moves: coordinates and unit quaternions, with their velocities."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardan.model.domains import Domain
from cardan.model.frames import quaternion_symbols
from cardan.model.symbols import Coordinate, Velocity

if TYPE_CHECKING:
    import sympy as sp


@dataclass(frozen=True, slots=True)
class CoordinateVariable:
    """One coordinate q with velocity v = qd."""

    symbol: Coordinate
    domain: Domain
    scale: float | None = None
    configuration: tuple[sp.Symbol, ...] = field(init=False, repr=False, compare=False)
    velocities: tuple[Velocity, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "configuration", (self.symbol,))
        object.__setattr__(self, "velocities", (self.symbol.dot,))

    @property
    def name(self) -> str:
        return str(self.symbol.name)


@dataclass(frozen=True, slots=True)
class QuaternionVariable:
    """A unit quaternion (w, x, y, z): four configuration numbers, three velocities (body angular velocity)."""

    name: str
    configuration: tuple[sp.Symbol, ...] = field(init=False, repr=False, compare=False)
    velocities: tuple[Velocity, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "configuration", quaternion_symbols(self.name))
        object.__setattr__(self, "velocities", tuple(Velocity(f"omega_{self.name}_{axis}") for axis in "xyz"))


Variable = CoordinateVariable | QuaternionVariable
