"""Curvilinear coordinates of particles, each written as a chain of elementary motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cardan.errors import ModelError
from cardan.model.given import Amount
from cardan.model.motions import AXES, Motion, Slide, Turn


@dataclass(frozen=True)
class PolarCylindrical:
    """Cylindrical polar coordinates (r, theta, z) of a particle, Hemingway & O'Reilly (20)."""

    r: Amount
    theta: Amount
    z: Amount = 0
    basis: dict[str, str] = field(default_factory=lambda: {"e_r": "x", "e_theta": "y", "e_z": "z"}, compare=False)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Turn(AXES["z"], self.theta), Slide(AXES["z"], self.z), Slide(AXES["x"], self.r))


@dataclass(frozen=True)
class PolarSpherical:
    """Spherical polar coordinates: radius R, colatitude phi from the z axis, azimuth theta; ibid. (48)."""

    R: Amount
    phi: Amount
    theta: Amount
    basis: dict[str, str] = field(default_factory=lambda: {"e_R": "z", "e_phi": "x", "e_theta": "y"}, compare=False)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Turn(AXES["z"], self.theta), Turn(AXES["y"], self.phi), Slide(AXES["z"], self.R))


@dataclass(frozen=True, init=False)
class Curve:
    """A particle on a curve or surface x(u, ...): three expressions, and the coordinates they are written in."""

    position: tuple[Amount, Amount, Amount]
    parameters: tuple[Amount, ...]
    basis: dict[str, str] = field(default_factory=dict, compare=False)

    def __init__(self, position: Sequence[Amount], *parameters: Amount) -> None:
        parts = tuple(position)
        if len(parts) != 3:
            raise ModelError(f"Curve needs three components x, y, z, found {len(parts)}.", count=len(parts))
        object.__setattr__(self, "position", parts)
        object.__setattr__(self, "parameters", tuple(parameters))
        object.__setattr__(self, "basis", {})

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return tuple(Slide(AXES[axis], part) for axis, part in zip("xyz", self.position, strict=True))


Curvilinear = PolarCylindrical | PolarSpherical | Curve
