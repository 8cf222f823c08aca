"""The shapes that a model gives to its bodies, as a page draws them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.formats.meshes import read_mesh
from cardan.formats.triangles import Triangles
from cardan.model.appearances import Appearance, Bar, Box, Cylinder, Mesh, Ring
from cardan.model.looks import Look
from cardan.model.motions import Axis, unit_axis
from cardan.model.shapes import Disc, Ellipsoid, Sphere
from cardan.report.data.arrays import numbers, packed
from cardan.report.data.entries import Shape
from cardan.report.scene.appearance import ball, bar, placed
from cardan.report.scene.skeleton import Values
from cardan.report.scene.thinning import gathered

Vector = NDArray[np.float64]

FLAT = 0.08  # thickness of a disc, of its radius
MOST_TRIANGLES = 6000  # of one mesh on a page; more are gathered


def given(shape: Appearance | None, centre: Vector, values: Values) -> list[Shape]:
    """A shape that a model names, about ``centre`` where it has no place of its own."""
    if shape is None or isinstance(shape, Look):
        return []  # looks are drawn by pieces.py, which shares out triangles among all bodies
    sizes = [values.number(x) for x in shape.amounts]
    match shape:
        case Sphere():
            return ball(sizes[0], centre)
        case Ellipsoid():
            return [placed({"kind": "ellipsoid", "radii": numbers(sizes)}, centre)]
        case Disc():
            disc: Shape = {"kind": "cylinder", "radius": sizes[0], "length": FLAT * sizes[0]}
            return [placed(disc, centre, _direction(shape.axis))]
        case Bar():
            return [bar(values.array(shape.start), values.array(shape.end), sizes[0])]
        case Mesh():
            place = np.zeros(3) if shape.at is None else values.array(shape.at)
            return [placed(_mesh(gathered(read_mesh(shape.file), MOST_TRIANGLES), sizes[0]), place)]
    return [_placed_solid(shape, sizes, centre if shape.at is None else values.array(shape.at))]


def _placed_solid(shape: Box | Cylinder | Ring, sizes: list[float], centre: Vector) -> Shape:
    """A solid with a place of its own."""
    match shape:
        case Box():
            return placed({"kind": "box", "size": numbers(sizes)}, centre)
        case Cylinder():
            tube: Shape = {"kind": "cylinder", "radius": sizes[0], "length": sizes[1]}
            return placed(tube, centre, _direction(shape.axis))
    return placed({"kind": "ring", "radius": sizes[0], "tube": sizes[1]}, centre, _direction(shape.axis))


def _direction(axis: Axis) -> Vector:
    return np.array(unit_axis(axis, "shape"), dtype=float)


def _mesh(mesh: Triangles, scale: float) -> Shape:
    return {"kind": "mesh", "vertices": packed(scale * mesh.vertices), "faces": packed(mesh.faces)}
