"""The shapes that a model gives to its bodies, as a page draws them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.formats.meshes import Triangles, read_mesh
from cardan.model.appearances import Appearance, Bar, Box, Cylinder, Mesh, Ring
from cardan.model.motions import Axis, unit_axis
from cardan.model.shapes import Disc, Ellipsoid, Sphere
from cardan.report.data.arrays import numbers, packed
from cardan.report.data.entries import Shape
from cardan.report.scene.appearance import ball, bar, placed
from cardan.report.scene.skeleton import Values

Vector = NDArray[np.float64]

FLAT = 0.08  # thickness of a disc, of its radius
MOST_TRIANGLES = 6000  # of one mesh on a page; more are gathered


def given(shape: Appearance | None, centre: Vector, values: Values) -> list[Shape]:
    """A shape that a model names, about ``centre`` where it has no place of its own."""
    if shape is None:
        return []
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
            return [placed(_mesh(gathered(read_mesh(shape.file)), sizes[0]), place)]
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


def gathered(mesh: Triangles, most: int = MOST_TRIANGLES) -> Triangles:
    """A mesh with at most so many triangles: vertices in one cell of a grid become one, and what collapses goes."""
    cells = 64
    while len(mesh.faces) > most and cells >= 4:
        mesh, cells = _on_grid(mesh, cells), cells * 3 // 4
    return mesh


def _on_grid(mesh: Triangles, cells: int) -> Triangles:
    low = mesh.vertices.min(axis=0)
    size = float(np.max(mesh.vertices.max(axis=0) - low)) or 1.0
    places = np.floor((mesh.vertices - low) / size * cells).astype(np.int64)
    _, which = np.unique(_numbered(places, cells + 1), return_inverse=True)
    count = np.bincount(which)
    vertices = np.stack([np.bincount(which, mesh.vertices[:, k]) / count for k in range(3)], axis=1)
    faces = which[mesh.faces]
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    _, first = np.unique(_numbered(faces[kept], len(vertices)), return_index=True)
    return Triangles(vertices, faces[kept][first])


def _numbered(triples: NDArray[np.int64], base: int) -> NDArray[np.int64]:
    """Each triple of numbers below the base as one number."""
    return np.asarray((triples[:, 0] * base + triples[:, 1]) * base + triples[:, 2])
