"""Meshes of an MJCF file: read by Cardan, and only those that give a body its inertia.

A geom of a body with an <inertial>, or of the world, weighs nothing; its mesh is never opened, and the compiler gets a
small ellipsoid in its place. The others are read from the folder of the model or below, and written anew.
"""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from cardan.errors import FileError
from cardan.formats.meshes import beside, read_mesh
from cardan.formats.numerals import DECIMAL, decimal
from cardan.formats.triangles import Triangles
from cardan.formats.xml_reader import Element

MOST_TRIANGLES = 1_000_000  # of all meshes together
STAND_IN = {"type": "ellipsoid", "size": "0.001 0.001 0.001"}


class Meshes:
    """The meshes of one model; ``files`` holds those that the compiler gets, by names of ours."""

    def __init__(self, root: Element, file: str, allowed: str | Path | None = None) -> None:
        self.file, self.allowed = file, allowed
        self.files: dict[str, bytes] = {}
        self.triangles = 0
        self.folder = ""
        self.is_named_only = False  # whether the folders that the file gives to its meshes are ignored
        from_geoms = False
        for compiler in root.all("compiler"):
            given = compiler.attributes
            self.folder = given.get("meshdir", given.get("assetdir", self.folder)).replace("\\", "/").rstrip("/")
            self.is_named_only = given.get("strippath", "false") == "true"
            from_geoms = from_geoms or given.get("inertiafromgeom") == "true"
        self.defaults = _mesh_defaults(root)
        self.assets = {_name(one): one for asset in root.all("asset") for one in asset.all("mesh")}
        self.shown: dict[str, Path] = {}  # files of meshes that are looked at, by their names in the model file
        self.weightless: set[int] = set()
        self.needed: set[str] = set()
        self._sort(root, from_geoms, False)

    def _sort(self, element: Element, from_geoms: bool, weighs: bool) -> None:
        """Find which geoms give no inertia, and which meshes the others need."""
        if element.tag == "body":
            weighs = from_geoms or not any(element.all("inertial"))
        if "mesh" in element.attributes:
            if element.tag == "site" or (element.tag == "geom" and not weighs):
                self.weightless.add(id(element))
            else:
                self.needed.add(element.attributes["mesh"])
        for child in element.children:
            self._sort(child, from_geoms, weighs or element.tag == "default")

    def is_idle(self, element: Element) -> bool:
        """Whether an element is a mesh that nothing needs."""
        return element.tag == "mesh" and _name(element) not in self.needed

    def attributes(self, element: Element, kept: dict[str, str]) -> dict[str, str]:
        """The attributes of an element, with what it says about a mesh as the compiler gets it."""
        if id(element) in self.weightless:
            return {key: value for key, value in kept.items() if key not in ("mesh", "fromto")} | STAND_IN
        if element.tag != "mesh" or "file" not in element.attributes:
            if "builtin" in kept:
                raise element.error("meshes that MuJoCo makes (builtin) are not read; give a file, or vertices.")
            return kept
        name = f"mesh{len(self.files)}.stl"
        self.files[name] = binary_stl(self._read(element))
        return kept | {"name": _name(element), "file": name}

    def shown_file(self, mesh: str) -> str | None:
        """What the file of a mesh is called, where it is there to be drawn."""
        element = self.assets.get(mesh)
        if element is None or "file" not in element.attributes:
            return None
        name = self._path(element)
        try:
            path = beside(self.file, name, self.allowed)
        except FileError:
            return None
        if path.is_file():
            self.shown[name] = path
        return name if name in self.shown else None

    def scale(self, mesh: str) -> list[float]:
        """How a mesh is stretched, by itself or by its defaults."""
        element = self.assets[mesh]
        text = element.attributes.get("scale", self.defaults.get(element.attributes.get("class", ""), "1 1 1"))
        parts = [decimal(word) if DECIMAL.fullmatch(word) else 1.0 for word in text.split()]
        return parts if len(parts) == 3 and all(parts) else [1.0, 1.0, 1.0]

    def _path(self, element: Element) -> str:
        given = element.attributes["file"].replace("\\", "/")
        path = given.rsplit("/", 1)[-1] if self.is_named_only else given
        return "/".join(filter(None, (self.folder, path))).removeprefix("./")

    def _read(self, element: Element) -> Triangles:
        name = self._path(element)
        try:
            triangles = read_mesh(beside(self.file, name, self.allowed))
        except FileError as problem:
            raise element.error(f"the mesh {name[:80]!r}: {problem.evidence.get('problem', problem)}") from None
        self.triangles += len(triangles.faces)
        if self.triangles > MOST_TRIANGLES:
            raise element.error(f"the meshes have more than {MOST_TRIANGLES} triangles together; reduce them.")
        return triangles


def _mesh_defaults(root: Element) -> dict[str, str]:
    """The scale of meshes by the name of a class of defaults; "" is the outermost, and inner ones inherit."""
    found: dict[str, str] = {}

    def walk(element: Element, scale: str, name: str) -> None:
        for mesh in element.all("mesh"):
            scale = mesh.attributes.get("scale", scale)
        found[name] = scale
        for inner in element.all("default"):
            walk(inner, scale, inner.attributes.get("class", ""))

    for outermost in root.all("default"):
        walk(outermost, found.get("", "1 1 1"), "")
        found[outermost.attributes.get("class", "main")] = found[""]
    return found


def _name(element: Element) -> str:
    """The name of a mesh: its own, or that of its file."""
    return element.attributes.get("name") or Path(element.attributes.get("file", "").replace("\\", "/")).stem


def binary_stl(mesh: Triangles) -> bytes:
    """Triangles as a binary STL file."""
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    table = np.zeros(len(mesh.faces), dtype=record)
    table["corners"] = mesh.vertices[mesh.faces]
    return bytes(80) + struct.pack("<I", len(table)) + table.tobytes()
