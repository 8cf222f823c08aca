"""The looks of bodies as a page draws them: every piece in its place, meshes within a budget of triangles."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cardan.errors import FileError
from cardan.formats.meshes import read_coloured
from cardan.formats.triangles import Coloured, joined
from cardan.model.appearances import Bar, Box, Cylinder, Mesh
from cardan.model.looks import Look, Piece
from cardan.model.shapes import Ellipsoid, Sphere
from cardan.report.data.arrays import numbers, packed
from cardan.report.data.entries import Shape
from cardan.report.scene.orientation import matrix
from cardan.report.scene.thinning import gathered, shares

Vector = NDArray[np.float64]

BUDGET = 60_000  # triangles of all meshes of a page: about 1.5 MB of it
MOST_OF_ONE = 12_000


class Pieces:
    """Draws looks; how many triangles each mesh may keep is shared out once for all of them."""

    def __init__(self, looks: Iterable[Look], budget: int = BUDGET) -> None:
        drawn = [piece.shape.file for look in looks for piece in look.pieces if isinstance(piece.shape, Mesh)]
        parts = [(file, k, len(one.mesh.faces)) for file in drawn for k, one in enumerate(coloured(file))]
        self.most = {
            (file, k): most for (file, k, _), most in zip(parts, shares([one[2] for one in parts], budget), strict=True)
        }

    def shapes(self, look: Look) -> list[Shape]:
        """The shapes of one body."""
        return [shape for piece in look.pieces for shape in self._piece(piece)]

    def _piece(self, piece: Piece) -> list[Shape]:
        if isinstance(piece.shape, Mesh):
            found = self._mesh(piece, piece.shape)
        else:
            found = [_solid(piece)]
        opaque: Shape = {} if piece.opacity == 1 else {"opacity": piece.opacity}
        colour: Shape = {} if piece.colour is None else {"colour": piece.colour}
        return [{**colour, **shape, **opaque} for shape in found]

    def _mesh(self, piece: Piece, mesh: Mesh) -> list[Shape]:
        """The mesh in the body's axes, a shape for each colour of its own."""
        R, stretch = matrix(_unit(piece.turn)), float(mesh.scale) * np.array(piece.scale)
        found: list[Shape] = []
        for k, one in enumerate(coloured(mesh.file)):
            few = gathered(one.mesh, self.most[mesh.file, k])
            faces = few.faces if np.prod(stretch) > 0 else few.faces[:, ::-1]
            vertices = (few.vertices * stretch) @ R.T + np.array(piece.at)
            shape: Shape = {"kind": "mesh", "vertices": packed(vertices), "faces": packed(faces)}
            if len(faces):
                found.append(shape if one.colour is None else {**shape, "colour": one.colour})
        return found


def _solid(piece: Piece) -> Shape:
    """A solid in the body's axes."""
    shape, turn, at = piece.shape, _unit(piece.turn), np.array(piece.at)
    sizes = [float(x) for x in shape.amounts]
    if isinstance(shape, Bar):
        R = matrix(turn)
        start, end = (numbers(at + R @ np.array(one, dtype=float)) for one in (shape.start, shape.end))
        return {"kind": "bar", "from": start, "to": end, "radius": sizes[0]}
    place: Shape = {"position": numbers(at), "quaternion": numbers(turn)}
    match shape:
        case Box():
            return {"kind": "box", "size": sizes, **place}
        case Cylinder():
            return {"kind": "cylinder", "radius": sizes[0], "length": sizes[1], **place}
        case Sphere():
            return {"kind": "sphere", "radius": sizes[0], **place}
        case Ellipsoid():
            return {"kind": "ellipsoid", "radii": sizes, "opacity": 1.0, **place}
    raise AssertionError(f"{shape!r} is no solid of a look")


def _unit(turn: Iterable[float]) -> Vector:
    e = np.array(tuple(turn), dtype=float)
    return np.asarray(e / np.linalg.norm(e))


def coloured(file: str | Path) -> tuple[Coloured, ...]:
    """The triangles of a file, at most a few thousand; none where it is no mesh any more."""
    try:
        stamp = Path(file).stat()
        return _read(str(file), stamp.st_mtime_ns, stamp.st_size)
    except (OSError, FileError):
        return ()


@lru_cache(maxsize=256)
def _read(file: str, changed: int, size: int) -> tuple[Coloured, ...]:
    """A file as it was when it had this time and size, thinned once so that little of it is kept."""
    parts = _by_colour(read_coloured(file))
    most = shares([len(one.mesh.faces) for one in parts], MOST_OF_ONE)
    return tuple(Coloured(gathered(one.mesh, few), one.colour) for one, few in zip(parts, most, strict=True))


def _by_colour(parts: list[Coloured]) -> list[Coloured]:
    """One mesh for each colour."""
    found: dict[str | None, list[Coloured]] = {}
    for one in parts:
        found.setdefault(one.colour, []).append(one)
    return [Coloured(joined(same), colour) for colour, same in found.items()]
