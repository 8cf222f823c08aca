"""Orientations of ball and free joints: unit quaternions, and Euler angles in their 24 conventions."""

from __future__ import annotations

from dataclasses import dataclass

from cardan.errors import ModelError
from cardan.geometry.euler import elementary_axes
from cardan.model.given import Amount
from cardan.model.motions import AXES, Motion, Spin, Turn


@dataclass(frozen=True)
class Quaternion:
    """Orientation by the unit quaternion (w, x, y, z) called ``name``; the velocity is the body's angular velocity."""

    name: str

    def motions(self, owner: str) -> tuple[Motion, ...]:
        return (Spin(self.name),)


@dataclass(frozen=True, init=False)
class Euler:
    """Orientation by three angles in one of the 24 conventions, ``Euler("3-1-3", psi, theta, phi)``.

    With ``space=True`` the turns are about the axes of the parent frame, in the order written.
    """

    convention: str
    angles: tuple[Amount, Amount, Amount]
    space: bool = False

    def __init__(self, convention: str, *angles: Amount, space: bool = False) -> None:
        if len(angles) != 3:
            raise ModelError(f"Euler({convention!r}) needs three angles, found {len(angles)}.", count=len(angles))
        object.__setattr__(self, "convention", convention)
        object.__setattr__(self, "angles", tuple(angles))
        object.__setattr__(self, "space", space)

    def motions(self, owner: str) -> tuple[Motion, ...]:
        axes, order = elementary_axes(self.convention, space=self.space)
        return tuple(Turn(AXES[axis], self.angles[k]) for axis, k in zip(axes, order, strict=True))


Orientation = Quaternion | Euler


def orientation_motions(orientation: Orientation | None, joint: str, owner: str) -> tuple[Motion, ...]:
    """The motions of an orientation, or a ModelError that says which joint of whom lacks one."""
    if isinstance(orientation, (Quaternion, Euler)):
        return orientation.motions(owner)
    raise ModelError(
        f"{owner}: {joint} needs an orientation, found {orientation!r}. "
        'Use cd.Quaternion("e") or cd.Euler("3-1-3", psi, theta, phi).'
    )
