"""A robot or a world of robots in SDF, the format of Gazebo, said as a tree of links and the loops that close in it.

Links become elements as a URDF file has them, so that what is read of both is read once. A joint whose child is
carried already closes a loop; a link that nothing carries floats, unless its model is static. Frames of links are those
of the file. Read are versions 1.4 to 1.11: models, nested and included ones, poses with ``relative_to``, frames, joints
of every kind but screws and universal joints that close loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from cardan.errors import FileError
from cardan.formats.document import Document
from cardan.formats.meshes import below
from cardan.formats.robot_loops import ORIGIN, Loop, Place, composed, inverted
from cardan.formats.sdf_joints import Gear, Joined, carrying, closing, gear_ends
from cardan.formats.sdf_links import link_element, origin
from cardan.formats.sdf_places import Places, is_true
from cardan.formats.urdf import WORLD, Tree
from cardan.formats.urdf_looks import Looks
from cardan.formats.urdf_numbers import triple
from cardan.formats.xml_reader import Element, read_xml
from cardan.geometry import matrix as m3

if TYPE_CHECKING:
    from cardan.formats.file_kinds import RobotOptions

MOST_INCLUDES = 50
READ = ("link", "joint", "frame", "pose", "static", "model", "include")
SILENT = ("self_collide", "enable_wind", "allow_auto_disable")


def read_sdf(path: str | Path, options: RobotOptions) -> Document:
    """The models of a file as the data of a model file, with the lines of the SDF file."""
    sdf = read_xml(path)
    if sdf.tag != "sdf":
        raise sdf.error(f"an SDF file holds an <sdf>, found <{sdf.tag[:60]}>.")
    if options.floating:
        raise sdf.error(
            "an SDF file says itself what floats: what no joint joins to the world. Load it without floating."
        )
    world = _World(str(path), options.root, sdf.text("version", "1.6"))
    for one in sdf.children:
        world.add(one)
    return world.document(options)


@dataclass
class _Model:
    """One model: its links with their places in the world, and its joints."""

    name: str
    prefix: str
    places: Places
    joints: list[Element] = field(default_factory=list)


class _World:
    """Everything of one file, links under names of their own."""

    def __init__(self, file: str, root: str | Path | None, version: str) -> None:
        self.file, self.root = file, root
        self.is_old = _number(version) < (1, 5)  # axes are along those of the model
        self.robot = Element("robot", {"name": Path(file).stem}, 1, file)
        self.places: dict[str, Place] = {}  # of links in the world
        self.static: set[str] = set()
        self.models: list[_Model] = []
        self.notes: list[str] = []
        self.gravity: list[float] | None = None
        self.axes: dict[tuple[str, str], tuple[float, ...]] = {}  # of hinges in the world, by parent and child
        self.included = 0

    # --- reading -----------------------------------------------------------------------------------

    def add(self, one: Element) -> None:
        """A model, a world of models, or a file of them."""
        if one.tag == "model":
            self._add_model(one, Places.world(), self._name(one), False)
        elif one.tag == "include":
            self._include(one, Places.world(), "", False)
        elif one.tag == "world":
            for child in one.children:
                if child.tag == "gravity":
                    self.gravity = list(
                        triple(Element("gravity", {"xyz": child.content}, child.line, child.file), "xyz")
                    )
                elif child.tag in ("model", "include"):
                    self.add(child)
                elif child.tag not in ("physics", "scene", "light", "plugin"):
                    self._leave(child)
        elif one.tag not in ("light", "plugin"):
            self._leave(one)

    def _name(self, model: Element) -> str:
        """The name of a model; those of several become prefixes of their links."""
        if not self.models:
            self.robot.attributes["name"] = model.text("name", "robot")
            return ""
        return f"{model.text('name')}::"

    def _add_model(self, one: Element, outer: Places, prefix: str, is_static: bool) -> None:
        static = one.one("static")
        is_static = is_static or (static is not None and is_true(static))
        places = outer.inside(one)
        model = _Model(one.text("name", "model"), prefix, places, list(one.all("joint")))
        self.models.append(model)
        for link in one.all("link"):
            name = prefix + link.text("name")
            if link.text("name") == WORLD:
                self.notes.append("the link 'world' is the world")
                continue
            if name in self.places:
                raise link.error(f"the link {name[:80]!r} stands in the file already.")
            self.places[name] = places.of(link.text("name"))
            self.robot.children.append(link_element(link, name, self.notes))
            if is_static:
                self.static.add(name)
        for inner in one.children:
            if inner.tag == "model":
                self._add_model(inner, places, f"{prefix}{inner.text('name')}::", is_static)
            elif inner.tag == "include":
                self._include(inner, places, prefix, is_static)
            elif inner.tag not in READ and inner.tag not in SILENT:
                self._leave(inner)

    def _include(self, one: Element, outer: Places, prefix: str, is_static: bool) -> None:
        """A model from another file below the folder of this one, or below the root."""
        self.included += 1
        if self.included > MOST_INCLUDES:
            raise one.error(f"more than {MOST_INCLUDES} files are included.")
        uri = one.one("uri")
        if uri is None or not uri.content:
            raise one.error("an <include> needs a <uri>.")
        path = self._found(uri)
        inner = read_xml(path)
        model = inner.one("model") if inner.tag == "sdf" else None
        if model is None:
            raise uri.error(f"{path.name!r} holds no model.")
        for tag in ("pose", "static"):
            said = one.one(tag)
            if said is not None:
                model.children = [child for child in model.children if child.tag != tag] + [said]
        called = one.one("name")
        if called is not None and called.content:
            model.attributes["name"] = called.content
        name = model.text("name", "model")
        lone = not self.models and not prefix
        if lone:
            self.robot.attributes["name"] = name
        self._add_model(model, outer, "" if lone else f"{prefix}{name}::", is_static)

    def _found(self, uri: Element) -> Path:
        """The file that an include means: itself, or model.sdf in the folder."""
        name = uri.content.removeprefix("model://").removeprefix("file://")
        for candidate in (name, f"{name}/model.sdf", f"../{name}", f"../{name}/model.sdf"):
            if candidate.endswith((".sdf", ".world")):
                try:
                    path = below(self.file, candidate, (".sdf", ".world"), "included file", self.root)
                except FileError as problem:
                    raise uri.error(str(problem)) from None
                if path.is_file():
                    return path
        raise uri.error(f"the included {name[:80]!r} was not found below the folder of the model or root=FOLDER.")

    def _leave(self, one: Element) -> None:
        note = f"left out: <{one.tag}>"
        if note not in self.notes:
            self.notes.append(note)

    # --- the tree ----------------------------------------------------------------------------------

    def document(self, options: RobotOptions) -> Document:
        """The tree with what closes it, as the data of a model file."""
        if not self.places:
            raise self.robot.error("the file has no links.")
        loops, gears = self._join()
        looks = Looks(self.robot, self.file, options.root)
        tree = Tree(self.robot, self.file, options.restitution, options.inertias, looks)
        tree.contacts = options.contacts
        tree.loops += loops
        tree.gears += gears
        tree.notes += self.notes
        if self.gravity is not None:
            tree.gravity = self.gravity
        return tree.document(False)

    def _join(self) -> tuple[list[Loop], list[Gear]]:
        """Choose the joints that carry; the others close loops."""
        carried: dict[str, str] = {}
        loops: list[Loop] = []
        geared: list[tuple[_Model, Element]] = []
        for model, joint in self._joints():
            if joint.text("type") == "gearbox":
                geared.append((model, joint))
                continue
            parent, child = (self._end(model, joint, tag) for tag in ("parent", "child"))
            if child == WORLD:
                if joint.text("type") != "fixed":
                    raise joint.error(f"the joint {joint.text('name')!r} carries the world; exchange parent and child.")
                parent, child = child, parent
            frame = composed(self._place(child), model.places.in_child(joint))
            one = Joined(joint, model.prefix, model.places, frame, self.is_old)
            if child in carried or child in self.static or self._carries(carried, child, parent):
                loops.append(closing(one, (parent, child), (self._place(parent), self._place(child))))
                continue
            carried[child] = parent
            if one.kind in ("revolute", "continuous"):
                self.axes[parent, child] = m3.matvec(frame[1], model.places.axis(joint, frame, self.is_old))
            at, inside = (
                composed(inverted(a), b) for a, b in ((self._place(parent), frame), (frame, self._place(child)))
            )
            self.robot.children += carrying(one, (parent, child), at, inside)
        for name in self.places:
            if name not in carried:
                self._stand(name)
        return loops, [self._gear(model, joint) for model, joint in geared]

    def _gear(self, model: _Model, joint: Element) -> Gear:
        """A gearbox, with the signs of its axes along those of the hinges from its reference body."""
        reference, parent, child = gear_ends(joint, model.prefix)
        signs = []
        for link, tag in ((parent, "axis"), (child, "axis2")):
            frame = (ORIGIN[0], self._place(child)[1])
            along = m3.matvec(frame[1], model.places.axis(joint, frame, self.is_old, tag if joint.one(tag) else "axis"))
            hinge = self.axes.get((reference, link)) or self.axes.get((link, reference)) or along
            signs.append(1.0 if m3.dot(hinge, along) >= 0 else -1.0)
        return Gear(joint, (reference, parent, child), (signs[0], signs[1]))

    def _joints(self) -> Iterator[tuple[_Model, Element]]:
        for model in self.models:
            yield from ((model, joint) for joint in model.joints)

    def _end(self, model: _Model, joint: Element, tag: str) -> str:
        end = joint.one(tag)
        given = "" if end is None else end.content or end.text("link", "")
        if given == WORLD:
            return WORLD
        name = model.prefix + model.places.link_of(given)
        if name not in self.places:
            raise joint.error(f"the {tag} of the joint {joint.text('name')!r} is {given[:60]!r}, which is no link.")
        return name

    def _place(self, link: str) -> Place:
        return self.places.get(link, Places.world().here)

    @staticmethod
    def _carries(carried: dict[str, str], link: str, other: str) -> bool:
        """Whether a link carries the other, by way of others, or is it."""
        while other != link and other in carried:
            other = carried[other]
        return other == link

    def _stand(self, link: str) -> None:
        """Put a link that nothing carries into the world: free, or fixed where its model is static."""
        kind = "fixed" if link in self.static else "floating"
        joint = Element("joint", {"name": f"{link}_free", "type": kind}, 1, self.file)
        ends = [Element("parent", {"link": WORLD}, 1, self.file), Element("child", {"link": link}, 1, self.file)]
        joint.children = [*ends, origin(self._place(link), self.file)]
        self.robot.children.append(joint)


def _number(version: str) -> tuple[int, ...]:
    parts = version.split(".")
    return tuple(int(one) if one.isdecimal() else 0 for one in parts)
