"""Links of SDF as the elements of a URDF file: inertia, what they look like, what collides."""

from __future__ import annotations

from collections.abc import Iterator

from cardan.formats.robot_loops import ORIGIN, Place, pose_of
from cardan.formats.urdf_numbers import Origin
from cardan.formats.xml_reader import Element

SIZES = {"box": ("size",), "sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}
INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
UNIT = {"ixx": "1", "iyy": "1", "izz": "1"}  # what the specification takes where nothing is said


def origin(place: Place, file: str, line: int = 1) -> Origin:
    """A place as <origin>."""
    return Origin("origin", {}, line, file, place=place)


def link_element(link: Element, name: str, notes: list[str]) -> Element:
    """A link under a name of its own, with its inertia, visuals and collisions."""
    found = Element("link", {"name": name}, link.line, link.file)
    inertial = link.one("inertial")
    if inertial is None:
        notes.append(f"the link {name!r} says no inertia; as SDF has it, its mass is 1 and its moments are 1")
    found.children.append(_inertial(link if inertial is None else inertial, inertial is None))
    for tag in ("visual", "collision"):
        found.children += [one for part in link.all(tag) for one in _part(part)]
    return found


def _inertial(one: Element, is_missing: bool) -> Element:
    found = Element("inertial", {}, one.line, one.file)
    mass, inertia, pose = (None if is_missing else one.one(tag) for tag in ("mass", "inertia", "pose"))
    given = dict(UNIT)
    if inertia is not None:
        given |= {key: part.content for key in INERTIA if (part := inertia.one(key)) is not None}
    found.children = [
        Element("mass", {"value": "1" if mass is None else mass.content}, one.line, one.file),
        Element("inertia", given, one.line, one.file),
        origin(ORIGIN if pose is None else pose_of(pose), one.file, one.line),
    ]
    return found


def _part(part: Element) -> Iterator[Element]:
    """A visual or collision; shapes that are not known are left out."""
    geometry = part.one("geometry")
    for solid in () if geometry is None else geometry.children:
        given = _sizes(solid)
        if given is None:
            continue
        pose = part.one("pose")
        found = Element(part.tag, {}, part.line, part.file)
        inside = Element("geometry", {}, part.line, part.file)
        inside.children = [Element(solid.tag, given, solid.line, solid.file)]
        found.children = [origin(ORIGIN if pose is None else pose_of(pose), part.file, part.line), inside]
        material = part.one("material")
        colour = None if material is None else material.one("diffuse") or material.one("ambient")
        if material is not None and colour is not None:
            painted = Element("material", {}, material.line, material.file)
            painted.children = [Element("color", {"rgba": colour.content}, colour.line, colour.file)]
            found.children.append(painted)
        yield found


def _sizes(solid: Element) -> dict[str, str] | None:
    if solid.tag == "mesh":
        uri, scale = solid.one("uri"), solid.one("scale")
        given = {} if uri is None else {"filename": uri.content}
        return given | ({} if scale is None else {"scale": scale.content}) if given else None
    if solid.tag not in SIZES:
        return None
    parts = {key: solid.one(key) for key in SIZES[solid.tag]}
    return {key: one.content for key, one in parts.items() if one is not None}
