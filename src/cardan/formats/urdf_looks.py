"""What the links of a URDF robot look like: their <visual> elements as pieces of a look."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

from cardan.errors import FileError
from cardan.formats.document import Entry
from cardan.formats.robot_meshes import MeshFinder
from cardan.formats.triangles import hex_colour
from cardan.formats.urdf_numbers import UPRIGHT, number, placed, triple
from cardan.formats.xml_reader import Element
from cardan.geometry.shepperd import quaternion_of

Colour = tuple[str, float]  # with its opacity


class Looks:
    """The looks of one robot; what cannot be drawn is left out and noted, since a robot moves without it."""

    def __init__(self, robot: Element, file: str, root: str | Path | None) -> None:
        self.meshes = MeshFinder(file, root)
        self.notes: list[str] = []
        self.materials: dict[str, Colour] = {}
        for one in robot.all("material"):
            found = self._colour(one)
            if found is not None:
                self.materials[one.text("name", "")] = found

    def of(self, link: Element) -> Entry:
        """``shape`` of a link, or nothing."""
        pieces = [piece for one in link.all("visual") for piece in (self._tried(one),) if piece is not None]
        return {"shape": {"kind": "look", "pieces": pieces}} if pieces else {}

    @property
    def found(self) -> Mapping[str, Path]:
        return self.meshes.found

    def all_notes(self) -> list[str]:
        return [*self.notes, *self.meshes.notes()]

    def _tried(self, visual: Element) -> Entry | None:
        try:
            return self._piece(visual)
        except FileError as problem:
            self.notes.append(f"not drawn: {problem}")
            return None

    def _piece(self, visual: Element) -> Entry | None:
        geometry = visual.one("geometry")
        solid = None if geometry is None else next((one for one in geometry.children if one.tag in SOLIDS), None)
        if solid is None:
            return None
        piece = SOLIDS[solid.tag](self, solid)
        if piece is None:
            return None
        position, rotation = placed(visual.one("origin"))
        piece["at"] = list(position)
        if rotation != UPRIGHT:
            piece["turn"] = list(quaternion_of(rotation))
        material = visual.one("material")
        colour = None if material is None else self._colour(material)
        if colour is not None:
            piece["colour"], piece["opacity"] = colour
        return piece if colour is None or colour[1] > 0 else None

    def _colour(self, material: Element) -> Colour | None:
        colour = material.one("color")
        if colour is None:
            return self.materials.get(material.text("name", ""))
        parts = [float(one) for one in colour.text("rgba").split()]
        if len(parts) != 4 or not all(map(math.isfinite, parts)):
            raise colour.error("rgba should be four finite numbers.")
        return hex_colour(parts[:3]), min(max(parts[3], 0.0), 1.0)

    # --- kinds of geometry -------------------------------------------------------------------------

    def _box(self, one: Element) -> Entry | None:
        x, y, z = triple(one, "size")
        return _solid("box", x=x, y=y, z=z)

    def _cylinder(self, one: Element) -> Entry | None:
        return _solid("cylinder", radius=number(one, "radius"), length=number(one, "length"))

    def _sphere(self, one: Element) -> Entry | None:
        return _solid("sphere", radius=number(one, "radius"))

    def _capsule(self, one: Element) -> Entry | None:
        radius, half = number(one, "radius"), number(one, "length") / 2
        shape: Entry = {"kind": "bar", "start": [0, 0, -half], "end": [0, 0, half], "radius": radius}
        return {"shape": shape} if radius > 0 and half > 0 else None

    def _mesh(self, one: Element) -> Entry | None:
        name = one.text("filename")
        scale = triple(one, "scale", "1 1 1")
        if self.meshes.find(name) is None or not all(scale):
            return None
        piece: Entry = {"shape": {"kind": "mesh", "file": name}}
        return piece if scale == (1.0, 1.0, 1.0) else piece | {"scale": list(scale)}


SOLIDS = {
    "box": Looks._box,
    "cylinder": Looks._cylinder,
    "sphere": Looks._sphere,
    "capsule": Looks._capsule,
    "mesh": Looks._mesh,
}


def _solid(kind: str, **sizes: float) -> Entry | None:
    """A solid with positive sizes; one without extent cannot be seen."""
    return {"shape": {"kind": kind, **sizes}} if all(x > 0 for x in sizes.values()) else None
