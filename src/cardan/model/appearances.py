"""Shapes that bodies only look like: they touch nothing, and change no equation.

Sizes are numbers or expressions of parameters. ``at`` places a shape in the body's frame; without it boxes, cylinders
and rings are about the centre of mass. Shapes that can touch a plane (``shapes.py``) may be given in their place.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.errors import FileError, ModelError
from cardan.model.given import Amount
from cardan.model.looks import Look, checked_look
from cardan.model.motions import Axis, Triple, triple, unit_axis
from cardan.model.shapes import Disc, Ellipsoid, Sphere

if TYPE_CHECKING:
    from cardan.model.description import Description

MESHES = (".stl", ".obj", ".dae", ".msh", ".glb")


@dataclass(frozen=True)
class Box:
    """A box with sides x, y, z along the body's axes."""

    x: Amount
    y: Amount
    z: Amount
    at: Triple | None = None

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.x, self.y, self.z)


@dataclass(frozen=True)
class Cylinder:
    """A cylinder of the given radius and length about ``axis``."""

    radius: Amount
    length: Amount
    axis: Axis = "z"
    at: Triple | None = None

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius, self.length)


@dataclass(frozen=True)
class Ring:
    """A ring about ``axis``, such as a gimbal: ``radius`` to the middle of its tube, and the radius of the ``tube``."""

    radius: Amount
    tube: Amount
    axis: Axis = "z"
    at: Triple | None = None

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius, self.tube)


@dataclass(frozen=True)
class Bar:
    """A round bar between two points of the body's frame."""

    start: Triple
    end: Triple
    radius: Amount

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.radius,)


@dataclass(frozen=True, repr=False)
class Mesh:
    """Triangles from a file (STL, OBJ or DAE), in the body's frame, enlarged by ``scale``: 0.001 for millimetres."""

    file: str | Path
    scale: Amount = 1.0
    at: Triple | None = None

    @property
    def amounts(self) -> tuple[Amount, ...]:
        return (self.scale,)

    def __repr__(self) -> str:
        return f"Mesh({Path(self.file).name!r}, scale={self.scale}, at={self.at})"


Appearance = Box | Cylinder | Ring | Bar | Mesh | Sphere | Disc | Ellipsoid | Look
KINDS = (Box, Cylinder, Ring, Bar, Mesh, Sphere, Disc, Ellipsoid, Look)


def checked_shape(shape: object, description: Description, owner: str) -> Appearance | None:
    """The shape, refused unless it is one, with positive sizes and places of known parameters."""
    if shape is None:
        return None
    what = f"{owner} shape"
    if not isinstance(shape, KINDS):
        names = ", ".join(f"cd.{one.__name__}" for one in KINDS)
        raise ModelError(f"{what}: {shape!r} is no shape. Use one of {names}.")
    if isinstance(shape, Look):
        return checked_look(shape, what)
    for amount in shape.amounts:
        size = description.expression(amount, what, moving=False)
        if not description.number(size) > 0:
            raise ModelError(f"{what}: {amount} is no length; give a positive one.", value=description.number(size))
    for name in ("at", "start", "end"):
        place = getattr(shape, name, None)
        for part in () if place is None else triple(place, f"{what} {name}"):
            description.expression(part, f"{what} {name}", moving=False)
    if hasattr(shape, "axis"):
        unit_axis(shape.axis, what)
    if isinstance(shape, Mesh):
        _check_file(Path(shape.file), what)
    return shape


def _check_file(path: Path, what: str) -> None:
    if path.suffix.lower() not in MESHES:
        raise FileError(f"{what}: {path.name!r} is no mesh; its name should end with {' or '.join(MESHES)}.")
    if not path.is_file():
        raise FileError(f"{what}: {path.name!r} is no file. Check the path.")
