"""The look of a body in a model file: pieces with plain numbers, and meshes that may be missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from cardan.errors import FileError
from cardan.formats import schema_shapes as schema
from cardan.formats.meshes import beside
from cardan.formats.schema_parts import Ellipsoid, Sphere
from cardan.model import appearances, looks, shapes

Finder = Callable[[str], Path | None]


def built(one: schema.Look, find: Finder) -> looks.Look:
    """The look; a piece whose mesh is not there is not drawn, since a model moves without its looks."""
    made = (_piece(piece, find) for piece in one.pieces)
    return looks.Look(tuple(piece for piece in made if piece is not None))


def finder(model_file: str, known: Mapping[str, Path], root: str | Path | None) -> Finder:
    """Where meshes are: those that a reader has found and judged, and others below the folder of the model."""

    def find(name: str) -> Path | None:
        if name in known:
            return known[name]
        path = beside(model_file, name, root)
        return path if path.is_file() else None

    return find


def _piece(one: schema.Piece, find: Finder) -> looks.Piece | None:
    if isinstance(one.shape, schema.Mesh):
        path = find(one.shape.file)
        if path is None:
            return None
        shape: looks.Solid = appearances.Mesh(str(path), plain(one.shape.scale))
    else:
        shape = _solid(one.shape)
    return looks.Piece(shape, tuple(one.at), tuple(one.turn), tuple(one.scale), one.colour, one.opacity)


def _solid(one: Sphere | Ellipsoid | schema.Box | schema.Cylinder | schema.Bar) -> looks.Solid:
    match one:
        case Sphere():
            return shapes.Sphere(plain(one.radius))
        case Ellipsoid():
            return shapes.Ellipsoid(plain(one.a), plain(one.b), plain(one.c))
        case schema.Box():
            return appearances.Box(plain(one.x), plain(one.y), plain(one.z))
        case schema.Cylinder():
            return appearances.Cylinder(plain(one.radius), plain(one.length))
    return appearances.Bar(_triple(one.start), _triple(one.end), plain(one.radius))


def plain(value: object) -> float:
    """A number; pieces of a look have no expressions."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise FileError(f"{str(value)[:60]!r} should be a number: pieces of a look have no expressions.")
    return float(value)


def _triple(values: object) -> tuple[float, float, float]:
    if not isinstance(values, (list, tuple)):
        raise FileError("an end of a bar should be three numbers: pieces of a look have no expressions.")
    x, y, z = (plain(one) for one in values)
    return x, y, z
