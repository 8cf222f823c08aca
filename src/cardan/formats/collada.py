"""Triangles with colours from a COLLADA file (.dae): geometry, the places of its nodes, and diffuse colours.

Read by expat with the care of other XML: no document types, bounded in bytes, elements, depth and triangles; images
and other files that it names are not opened. Its unit of length is applied. Its up axis is not: robots are written for
viewers that ignore it (RViz), and turning the mesh would turn them over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from cardan.errors import FileError
from cardan.formats.opening import read_bytes
from cardan.formats.triangles import Coloured, Triangles, hex_colour, refused

MOST_BYTES = 32 * 1024 * 1024
MOST_ELEMENTS = 200_000
MOST_NESTING = 60
MOST_TRIANGLES = 1_000_000
MOST_INSTANCES = 2_000
TEXTS = frozenset({"float_array", "p", "vcount", "color", "matrix", "translate", "rotate", "scale"})

Numbers = NDArray[np.float64]


@dataclass
class Node:
    """An element, with its text where that holds numbers."""

    tag: str
    attributes: dict[str, str]
    children: list[Node] = field(default_factory=list)
    text: list[str] = field(default_factory=list)

    def all(self, *path: str) -> Iterator[Node]:
        """Every element below along a path of tags."""
        for child in self.children:
            if child.tag == path[0]:
                if len(path) == 1:
                    yield child
                else:
                    yield from child.all(*path[1:])

    def every(self, tag: str) -> Iterator[Node]:
        """Every element with this tag, at any depth."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.every(tag)

    def numbers(self) -> Numbers:
        return np.array("".join(self.text).split(), dtype=float)


def read_collada(path: Path) -> list[Coloured]:
    """The triangles of each colour, where the scene of the file puts them, in metres."""
    try:
        root = _Reader().read(read_bytes(path, MOST_BYTES))
        return _Scene(root).triangles()
    except (ValueError, IndexError, KeyError, OverflowError, expat.ExpatError) as problem:
        if isinstance(problem, FileError):
            raise
        raise refused(path, f"this is no COLLADA file that can be read ({type(problem).__name__}).") from None


class _Reader:
    """One text being read."""

    def __init__(self) -> None:
        self.root = Node("", {})
        self.open, self.count = [self.root], 0

    def read(self, content: bytes) -> Node:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler, parser.StartDoctypeDeclHandler = self._text, self._refuse
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.Parse(content, True)
        return self.root

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_ELEMENTS or len(self.open) > MOST_NESTING:
            raise ValueError("too many elements")
        node = Node(tag, attributes)
        self.open[-1].children.append(node)
        self.open.append(node)

    def _end(self, tag: str) -> None:
        self.open.pop()

    def _text(self, text: str) -> None:
        if self.open[-1].tag in TEXTS:
            self.open[-1].text.append(text)

    def _refuse(self, *_: object) -> None:
        raise ValueError("a document type")


class _Scene:
    """Geometries by name, and colours of materials."""

    def __init__(self, root: Node) -> None:
        self.root = next(root.all("COLLADA"))
        self.geometries = {one.attributes["id"]: one for one in self.root.all("library_geometries", "geometry")}
        effects = {one.attributes["id"]: one for one in self.root.all("library_effects", "effect")}
        self.colours: dict[str, str | None] = {}
        for one in self.root.all("library_materials", "material"):
            link = next(one.all("instance_effect"), None)
            effect = None if link is None else effects.get(link.attributes["url"][1:])
            self.colours[one.attributes["id"]] = None if effect is None else _diffuse(effect)
        self.count = self.instances = 0

    def triangles(self) -> list[Coloured]:
        unit = next(self.root.all("asset", "unit"), None)
        metre = 1.0 if unit is None else float(unit.attributes.get("meter", "1"))
        start = np.diag([metre, metre, metre, 1.0])
        return [
            one for scene in self.root.all("library_visual_scenes", "visual_scene") for one in self._of(scene, start)
        ]

    def _of(self, node: Node, outer: Numbers) -> Iterator[Coloured]:
        """What a node and those below it hold."""
        for child in node.children:
            if child.tag in ("matrix", "translate", "rotate", "scale"):
                outer = outer @ _transform(child)
            elif child.tag == "node":
                yield from self._of(child, outer)
            elif child.tag == "instance_geometry":
                yield from self._instance(child, outer)

    def _instance(self, node: Node, place: Numbers) -> Iterator[Coloured]:
        self.instances += 1
        if self.instances > MOST_INSTANCES:
            raise ValueError("too many instances")
        bound = {one.attributes["symbol"]: one.attributes["target"][1:] for one in node.every("instance_material")}
        geometry = self.geometries[node.attributes["url"][1:]]
        for mesh in geometry.all("mesh"):
            sources = {one.attributes["id"]: one for one in mesh.all("source")}
            for vertices in mesh.all("vertices"):
                link = next(one for one in vertices.all("input") if one.attributes["semantic"] == "POSITION")
                points = _points(sources[link.attributes["source"][1:]])
                for part in mesh.children:
                    if part.tag in ("triangles", "polylist", "polygons"):
                        colour = self.colours.get(bound.get(part.attributes.get("material", ""), ""))
                        yield self._part(part, points, place, colour)

    def _part(self, part: Node, points: Numbers, place: Numbers, colour: str | None) -> Coloured:
        faces = _faces(part)
        self.count += len(faces)
        if self.count > MOST_TRIANGLES or (len(faces) and not 0 <= faces.min() <= faces.max() < len(points)):
            raise ValueError("too many triangles, or a corner that does not exist")
        used, which = np.unique(faces, return_inverse=True)
        faces = which.reshape(-1, 3)
        if np.linalg.det(place[:3, :3]) < 0:
            faces = faces[:, ::-1]
        return Coloured(Triangles(points[used] @ place[:3, :3].T + place[:3, 3], faces), colour)


def _points(source: Node) -> Numbers:
    """Positions, which an accessor may leave more than three numbers apart."""
    accessor = next(source.all("technique_common", "accessor"), None)
    apart = 3 if accessor is None else int(accessor.attributes.get("stride", "3"))
    return next(source.all("float_array")).numbers().reshape(-1, apart)[:, :3]


def _faces(part: Node) -> NDArray[np.int64]:
    """Corners of triangles; polygons become fans."""
    offsets = [int(one.attributes["offset"]) for one in part.all("input")]
    corner = next(int(x.attributes["offset"]) for x in part.all("input") if x.attributes["semantic"] == "VERTEX")
    apart = max(offsets) + 1
    rows = [one.numbers().astype(np.int64).reshape(-1, apart)[:, corner] for one in part.all("p")]
    corners = np.concatenate([np.zeros(0, dtype=np.int64), *rows])
    if part.tag == "triangles":
        return corners.reshape(-1, 3)
    counts = (
        np.array([len(one) for one in rows], dtype=np.int64)
        if part.tag == "polygons"
        else np.concatenate([one.numbers().astype(np.int64) for one in part.all("vcount")])
    )
    return fans(corners, counts)


def fans(corners: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Polygons of so many corners each as triangles about their first corner."""
    if np.any(counts < 0) or int(counts.sum()) != len(corners):
        raise ValueError("polygons have other corners than they say")
    first = np.cumsum(counts) - counts
    fan = np.maximum(counts - 2, 0)
    owner = np.repeat(np.arange(len(counts)), fan)
    step = np.arange(int(fan.sum())) - np.repeat(np.cumsum(fan) - fan, fan)
    start = first[owner]
    return np.stack([corners[start], corners[start + step + 1], corners[start + step + 2]], axis=1)


def _transform(node: Node) -> Numbers:
    """One of the transformations of a node, 4 by 4."""
    given, found = node.numbers(), np.eye(4)
    match node.tag:
        case "matrix":
            return given.reshape(4, 4)
        case "translate":
            found[:3, 3] = given
        case "scale":
            found[:3, :3] = np.diag(given)
        case "rotate":
            axis, angle = given[:3] / np.linalg.norm(given[:3]), np.radians(given[3])
            cross = np.cross(np.eye(3), axis)  # [axis]x, row by row: e_i x axis
            found[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return found


def _diffuse(effect: Node) -> str | None:
    """The diffuse colour of an effect; none where an image gives it."""
    for one in effect.every("diffuse"):
        for colour in one.all("color"):
            return hex_colour(tuple(colour.numbers()[:3]))
    return None
