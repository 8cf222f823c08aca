"""Triangles with colours from a binary glTF file (.glb): meshes, the places of their nodes, and base colours.

The file is one header, one chunk of JSON and one of numbers; everything is inside, and files that it names are not
opened. The up axis of glTF is y and that of robots is z; as RViz and Gazebo have it for such meshes, nothing is turned.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardan.errors import FileError
from cardan.formats.triangles import Coloured, Triangles, hex_colour, refused
from cardan.geometry import quaternion

Numbers: TypeAlias = NDArray[np.float64]
Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | float | bool | None"

MAGIC, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 0x4E4F534A, 0x004E4942
MOST_JSON = 2_000_000  # bytes
MOST_TRIANGLES = 1_000_000
MOST_NODES = 5_000
MOST_NESTING = 100
KINDS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TRIANGLES = 4  # mode


def read_gltf(content: bytes, path: Path) -> list[Coloured]:
    """The triangles of every mesh of the scene, where its nodes put them."""
    try:
        return _Scene(content, path).parts()
    except FileError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, struct.error, RecursionError):
        raise refused(path, "the file is not binary glTF as it should be.") from None


class _Scene:
    """One file being read."""

    def __init__(self, content: bytes, path: Path) -> None:
        self.path, self.count, self.nodes = path, 0, 0
        magic, version, length = struct.unpack_from("<III", content)
        if magic != MAGIC or version != 2 or length > len(content):
            raise refused(path, "this is no binary glTF of version 2.")
        size, kind = struct.unpack_from("<II", content, 12)
        if kind != JSON_CHUNK or size > MOST_JSON:
            raise refused(path, f"its first chunk should be JSON of at most {MOST_JSON // 1_000_000} MB.")
        self.data = _mapping(json.loads(content[20 : 20 + size].decode("utf-8")))
        self.binary = b""
        if len(content) >= 28 + size:
            length, kind = struct.unpack_from("<II", content, 20 + size)
            if kind == BINARY_CHUNK:
                self.binary = content[28 + size : 28 + size + length]

    def parts(self) -> list[Coloured]:
        if self.data.get("extensionsRequired"):
            raise refused(self.path, "it needs extensions of glTF (compressed meshes), which are not read.")
        scenes = _list(self.data.get("scenes", []))
        roots: list[Json] = list(range(len(self._all("nodes"))))
        if scenes:
            roots = _list(_mapping(scenes[_whole(self.data.get("scene", 0))])["nodes"])
        found: list[Coloured] = []
        for node in roots:
            self._node(_whole(node), np.eye(4), found, 1)
        if not found:
            raise refused(self.path, "the mesh has no triangles.")
        return found

    def _all(self, key: str) -> list[Json]:
        return _list(self.data.get(key, []))

    def _node(self, number: int, outer: Numbers, found: list[Coloured], depth: int) -> None:
        self.nodes += 1
        if depth > MOST_NESTING or self.nodes > MOST_NODES:
            raise refused(self.path, f"more than {MOST_NODES} nodes, or nested more than {MOST_NESTING} deep.")
        node = _mapping(self._all("nodes")[number])
        place = outer @ _place(node)
        if "mesh" in node:
            mesh = _mapping(self._all("meshes")[_whole(node["mesh"])])
            for primitive in _list(mesh["primitives"]):
                self._primitive(_mapping(primitive), place, found)
        for child in _list(node.get("children", [])):
            self._node(_whole(child), place, found, depth + 1)

    def _primitive(self, one: dict[str, Json], place: Numbers, found: list[Coloured]) -> None:
        if one.get("mode", TRIANGLES) != TRIANGLES:
            return
        points = self._numbers(_whole(_mapping(one["attributes"])["POSITION"]), "VEC3")
        if "indices" in one:
            corners = self._numbers(_whole(one["indices"]), "SCALAR").astype(np.int64)
        else:
            corners = np.arange(len(points))
        faces = corners.ravel()[: len(corners) // 3 * 3].reshape(-1, 3)
        self.count += len(faces)
        if self.count > MOST_TRIANGLES:
            raise refused(self.path, f"more than {MOST_TRIANGLES} triangles. Reduce the mesh.")
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(points):
            raise refused(self.path, "a face names a vertex that is not there.")
        moved = points @ place[:3, :3].T + place[:3, 3]
        found.append(Coloured(Triangles(moved, faces), self._colour(one)))

    def _numbers(self, number: int, kind: str) -> Numbers:
        """The numbers of an accessor, a row for each element."""
        accessor = _mapping(self._all("accessors")[number])
        if accessor["type"] != kind or "sparse" in accessor:
            raise refused(self.path, "an accessor is of another kind than its use, or sparse.")
        view = _mapping(self._all("bufferViews")[_whole(accessor["bufferView"])])
        dtype, width, count = (
            np.dtype(KINDS[_whole(accessor["componentType"])]),
            WIDTHS[kind],
            _whole(accessor["count"]),
        )
        if _whole(view.get("buffer", 0)) != 0 or count < 0 or count > 3 * MOST_TRIANGLES:
            raise refused(self.path, "numbers in other files, or too many, are not read.")
        start = _whole(view.get("byteOffset", 0)) + _whole(accessor.get("byteOffset", 0))
        stride = _whole(view.get("byteStride", 0)) or dtype.itemsize * width
        if count and (
            start < 0 or stride < 0 or start + stride * (count - 1) + dtype.itemsize * width > len(self.binary)
        ):
            raise refused(self.path, "the file ends before its numbers do.")
        rows = np.ndarray((count, width), dtype, self.binary, start, (stride, dtype.itemsize))
        return rows.astype(float)

    def _colour(self, one: dict[str, Json]) -> str | None:
        if "material" not in one:
            return None
        material = _mapping(self._all("materials")[_whole(one["material"])])
        given = _mapping(material.get("pbrMetallicRoughness", {})).get("baseColorFactor")
        parts = [] if given is None else _floats(given)
        return hex_colour(parts[:3]) if len(parts) == 4 else None


def _place(node: dict[str, Json]) -> Numbers:
    """A node's place in its parent: a matrix by columns, or translation, rotation (x, y, z, w) and scale."""
    if "matrix" in node:
        return np.array(_floats(node["matrix"])).reshape(4, 4).T
    found = np.eye(4)
    x, y, z, w = _floats(node.get("rotation", [0, 0, 0, 1]))
    turn = np.array(quaternion.matrix((w, x, y, z)), dtype=float)
    found[:3, :3] = turn @ np.diag(_floats(node.get("scale", [1, 1, 1])))
    found[:3, 3] = _floats(node.get("translation", [0, 0, 0]))
    return found


def _mapping(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise TypeError
    return value


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise TypeError
    return value


def _whole(value: Json) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError
    return value


def _floats(value: Json) -> Sequence[float]:
    found = [float(one) for one in _list(value) if isinstance(one, (int, float))]
    if not np.all(np.isfinite(found)):
        raise ValueError
    return found
