"""What moves: coordinates and unit quaternions, with their velocities."""

from __future__ import annotations

from dataclasses import dataclass
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

    @property
    def name(self) -> str:
        return str(self.symbol.name)

    @property
    def configuration(self) -> tuple[sp.Symbol, ...]:
        return (self.symbol,)

    @property
    def velocities(self) -> tuple[Velocity, ...]:
        return (self.symbol.dot,)


@dataclass(frozen=True, slots=True)
class QuaternionVariable:
    """A unit quaternion (w, x, y, z): four configuration numbers, three velocities (body angular velocity)."""

    name: str

    @property
    def configuration(self) -> tuple[sp.Symbol, ...]:
        return quaternion_symbols(self.name)

    @property
    def velocities(self) -> tuple[Velocity, ...]:
        return tuple(Velocity(f"omega_{self.name}_{axis}") for axis in "xyz")


Variable = CoordinateVariable | QuaternionVariable
