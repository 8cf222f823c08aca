"""A robot in URDF, said as a model file says it.

Links become bodies, joints become joints with a coordinate of the same name, driven by an input ``tau_NAME``; ``mimic``
becomes an expression of the coordinate it follows, and what acts along joints by itself is said by ``urdf_passive``.
What has no meaning here is listed in the description, so that nothing is lost in silence.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cardan.formats.document import Document, Entry, Location
from cardan.formats.robot_inertia import Inertias, require_policy
from cardan.formats.robot_limits import DURATION, entries
from cardan.formats.robot_loops import Loop, LoopFile, Place, loops_in, neutral_places
from cardan.formats.sdf_joints import Gear
from cardan.formats.urdf_contacts import Ground
from cardan.formats.urdf_faults import mend
from cardan.formats.urdf_looks import Looks
from cardan.formats.urdf_names import Names
from cardan.formats.urdf_numbers import UPRIGHT, direction, inertia, number, placed, required, unit
from cardan.formats.urdf_passive import MOVING, Acting, Along, leader_of
from cardan.formats.xml_reader import Element, read_xml
from cardan.geometry.axis import perpendiculars

GRAVITY = 9.81
WORLD = "world"  # a parent of this name need not be declared
KINDS = (*MOVING, "fixed", "floating", "planar", "ball", "spherical")
LINK = ("inertial", "visual")  # elements that are read
JOINT = ("parent", "child", "origin", "axis", "limit", "mimic", "dynamics")


def read_urdf(
    path: str | Path,
    *,
    floating: bool = False,
    restitution: float | None = 0.0,
    inertia: str = "refuse",
    root: str | Path | None = None,
    loops: str | Path | None = None,
    repair: bool = False,
    contacts: float | None = None,
) -> Document:
    """The robot as the data of a model file, with the lines of the URDF.

    ``floating`` puts the root link on a free joint instead of fixing it to the world. Joint limits become stops with
    this ``restitution`` (the format has no place for one); None leaves them out. An ``inertia`` that no body has is
    refused ("refuse"), replaced by the nearest possible one ("repair") or kept ("as-is"). Meshes lie in the folder of
    the file, in its package, or below ``root``. ``loops`` is a YAML file that says which links meet.
    ``repair`` reads faults of the file as other programs do; ``contacts`` is the friction of simple collision shapes
    on the ground z = 0.
    """
    require_policy(inertia)
    robot = read_xml(path)
    if robot.tag != "robot":
        raise robot.error(f"a URDF file holds a <robot>, found <{robot.tag}>.")
    _refuse_macros(robot)
    mended = mend(robot) if repair else []
    closing = None if loops is None else LoopFile.read(loops)
    if closing is not None:
        closing.change(robot)
    found = Tree(robot, str(path), restitution, inertia, Looks(robot, str(path), root))
    found.notes += mended
    found.contacts = contacts
    if closing is not None:
        found.add_loops(closing)
    return found.document(floating)


def _refuse_macros(root: Element) -> None:
    """A xacro file is a program that writes a URDF file."""
    macro = next((one for one in root.children if one.tag.startswith("xacro:")), None)
    if macro is not None:
        raise macro.error(
            f"<{macro.tag}> is a macro of xacro, which writes URDF files. Expand it first: "
            "xacro robot.urdf.xacro > robot.urdf (pip install xacro), and load robot.urdf."
        )


class Tree:
    """One robot being read: a tree of links, and what closes loops in it."""

    def __init__(self, robot: Element, file: str, restitution: float | None, inertia: str, looks: Looks) -> None:
        self.robot, self.file, self.looks = robot, file, looks
        self.links = self._by_name("link")
        self.joints = self._by_name("joint")
        self.is_in_world = self._stands_in_world()
        if self.is_in_world:
            self.links[WORLD] = Element("link", {"name": WORLD}, robot.line, file)
        self.inertias = Inertias(inertia, self._length())
        self.body_names, self.joint_names = Names("link"), Names("joint")
        self.notes: list[str] = []
        self.lines: dict[Location, int] = {(): robot.line}
        self.coordinates: dict[str, str] = {}
        self.inputs: list[str] = []
        self.frames: dict[str, Entry] = {}
        self.bodies: dict[str, Entry] = {}
        self.forces: dict[str, str] = {}  # by coordinate
        self.loops: list[Loop] = []
        self.driven: set[str] | None = None  # names of joints with a motor; None: all
        self.gears: list[Gear] = []
        self.gravity: list[float] = [0, 0, -GRAVITY]
        self.contacts: float | None = None  # friction on the ground
        self.is_floating, self.root_name = False, ""
        self.acting = Acting(restitution, self.joint_names, self.body_names.values())

    def _by_name(self, tag: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for one in self.robot.all(tag):
            name = one.text("name")
            if name in found:
                raise one.error(f"the {tag} {name!r} stands already on line {found[name].line}.")
            found[name] = one
        return found

    def _stands_in_world(self) -> bool:
        """Whether a joint has the world as its parent, which no link stands for."""
        parents = (one for joint in self.joints.values() for one in joint.all("parent"))
        return WORLD not in self.links and any(one.text("link", "") == WORLD for one in parents)

    def _length(self) -> float:
        """The largest offset of a joint or a centre of mass, as the size of the robot."""
        origins = [joint.one("origin") for joint in self.joints.values()]
        origins += [one.one("origin") for link in self.links.values() for one in link.all("inertial")]
        return max((math.hypot(*placed(one)[0]) for one in origins if one is not None), default=0.0)

    # --- the tree ----------------------------------------------------------------------------------

    def document(self, floating: bool) -> Document:
        for name in self.links:
            self.body_names.add(name)
        for name in self.joints:
            self.joint_names.add(name, taken=self.body_names.values())
        self.is_floating, self.root_name = floating, self._root().text("name")
        self._add_root(self._root(), floating)
        outwards = list(self._outwards())
        for joint in outwards:
            self._add_link(joint)
        self.loops += loops_in(self.robot, neutral_places(outwards))
        for loop in self.loops:
            self._close(loop)
        self._engage(outwards)
        if self.contacts is not None:
            Ground(self, self.contacts).add(outwards)
        self.acting.finish()
        self.lines |= self.acting.lines
        self.notes += [*self.acting.notes, *self.inertias.notes]
        ignored = sorted({one.tag for one in self.robot.children} - {"link", "joint", "material", "loop_joint"})
        if ignored:
            self.notes.append(f"left out: {', '.join(f'<{tag}>' for tag in ignored)}")
        self.notes += [*self._left_out("link", LINK), *self._left_out("joint", JOINT), *self._unbounded()]
        self.notes += [*self.looks.all_notes(), *self.body_names.notes(), *self.joint_names.notes()]
        data = {key: value for key, value in self._data().items() if value}
        renamed = self.body_names.changed | self.joint_names.changed
        return Document(data, self.file, self.lines, tuple(self.notes), renamed, meshes=self.looks.found)

    def _left_out(self, tag: str, read: tuple[str, ...]) -> Iterator[str]:
        """One line for each kind of element of links or joints that is not read."""
        count = Counter(one.tag for thing in self.robot.all(tag) for one in thing.children if one.tag not in read)
        for name, times in sorted(count.items()):
            if name == "collision" and self.contacts is not None:
                continue
            why = "; nothing collides here (but see contacts=)" if name == "collision" else ""
            yield f"left out: <{name}> of {tag}s, {times} of them{why}"

    def _unbounded(self) -> Iterator[str]:
        """Bounds of motors, which an input does not have."""
        for bound in ("effort", "velocity"):
            count = sum(bound in one.attributes for joint in self.joints.values() for one in joint.all("limit"))
            if count:
                yield f"the largest {bound} of {count} joints is kept in limits; inputs are not bounded"

    def _data(self) -> Entry:
        return {
            "cardan": 1,
            "name": self.robot.text("name", "robot")[:200] or "robot",
            "coordinates": self.coordinates,
            "inputs": self.inputs,
            "frames": self.frames,
            "bodies": self.bodies,
            "order": list(self.bodies) if self.frames else [],  # frames are made first, and what carries them
            "gravity": self.gravity,
            "generalized_forces": self.forces,
            "springs": self.acting.springs,
            "dampers": self.acting.dampers,
            "constraints": self.acting.constraints,
            "friction": self.acting.friction,
            "stops": self.acting.stops,
            "limits": entries(self.acting.limits),
            "start": {"q": self.acting.start()} if self.acting.start() else {},
            "simulate": {"duration": DURATION} if self.coordinates else {},
            "description": "\n".join(self.notes)[:10_000],
        }

    def _root(self) -> Element:
        children = {self.end_of(joint, "child") for joint in self.joints.values()}
        roots = [link for name, link in self.links.items() if name not in children]
        if len(roots) != 1:
            names = ", ".join(repr(link.text("name")) for link in roots) or "none"
            raise self.robot.error(f"a robot has one link that no joint carries; here: {names}.")
        return roots[0]

    def end_of(self, joint: Element, tag: str) -> str:
        end = joint.one(tag)
        if end is None:
            raise joint.error(f"the joint {joint.text('name')!r} has no <{tag} link=...>.")
        name = end.text("link")
        if name not in self.links:
            raise end.error(f"there is no link {name!r}; known are: {', '.join(self.links)[:600]}.")
        return name

    def _outwards(self) -> Iterator[Element]:
        """Joints depth first, those of one link by name: the order of Pinocchio."""
        carried: dict[str, list[Element]] = {name: [] for name in self.links}
        carriers: dict[str, Element] = {}
        for name in sorted(self.joints, reverse=True):
            joint = self.joints[name]
            child = self.end_of(joint, "child")
            if child in carriers:
                other = carriers[child].text("name")
                raise joint.error(f"the link {child!r} is carried by two joints, {name!r} and {other!r}.")
            carriers[child] = joint
            carried[self.end_of(joint, "parent")].append(joint)
        waiting = carried[self._root().text("name")].copy()
        reached = 1
        while waiting:
            joint = waiting.pop()
            yield joint
            reached += 1
            waiting += carried[self.end_of(joint, "child")]
        if reached < len(self.links):
            lost = next(name for name in self.links if self.body_names[name] not in self.bodies)
            raise self.links[lost].error(f"the link {lost!r} is carried by itself, through its own children.")

    # --- links and joints --------------------------------------------------------------------------

    def _add_root(self, link: Element, floating: bool) -> None:
        body = self._body(link)
        if floating:
            if self.is_in_world:
                raise self.robot.error("the file joins the robot to the world; load it without floating.")
            names = {axis: self.joint_names.make(f"base_{axis}", self.body_names.values()) for axis in "xyz"}
            self.coordinates |= dict.fromkeys(names.values(), "R")
            quaternion = self.joint_names.make("base_e", self.body_names.values())
            body["joint"] = {"kind": "free", **names, "orientation": {"kind": "quaternion", "name": quaternion}}

    def _add_link(self, joint: Element) -> None:
        name, kind = joint.text("name"), joint.text("type")
        if kind not in KINDS:
            raise joint.error(f"the joint {name!r} has the type {kind!r}; known are: {', '.join(KINDS)}.")
        body = self._body(self.links[self.end_of(joint, "child")])
        body["parent"] = self.body_names[self.end_of(joint, "parent")]
        position, rotation = placed(joint.one("origin"))
        if rotation != UPRIGHT:
            body["at"] = {"position": list(position), "rotation": [list(row) for row in rotation]}
        elif any(position):
            body["at"] = list(position)
        if kind in MOVING:
            body["joint"] = self._moving(joint, kind)
        elif kind == "floating":
            q = self.joint_names[name]
            axes = {axis: self._coordinate(joint, f"{q}_{axis}") for axis in "xyz"}
            orientation = self.joint_names.make(f"{q}_e", self.body_names.values())
            body["joint"] = {"kind": "free", **axes, "orientation": {"kind": "quaternion", "name": orientation}}
        elif kind == "planar":
            self._add_planar(joint, body)
        elif kind in ("ball", "spherical"):
            e = self.fresh(f"{self.joint_names[name]}_e")
            body["joint"] = {"kind": "ball", "orientation": {"kind": "quaternion", "name": e}}

    def add_loops(self, said: LoopFile) -> None:
        """Loops that a file beside this one closes, and the motors that it names."""
        self.loops += said.loops()
        motors = said.motors()
        self.driven = None if motors is None else set(motors)

    def _close(self, loop: Loop) -> None:
        """Join a frame of one link to a frame of another."""
        ends = [self._end_of(loop, *one) for one in ((loop.first, loop.at), (loop.second, loop.to))]
        said: Entry = {"kind": "connect", "first": ends[0], "second": ends[1], "joint": loop.joint()}
        said["name"] = self.fresh(loop.name)
        self.lines[("constraints", len(self.acting.constraints))] = loop.line
        self.acting.constraints.append(said)

    def _engage(self, joints: list[Element]) -> None:
        """Gearboxes: two angles in a fixed ratio."""
        if not self.gears:
            return
        carriers = {}
        for joint in joints:
            name = self.joint_names[joint.text("name")]
            if name in self.coordinates and joint.text("type") in ("revolute", "continuous"):
                carriers[self.end_of(joint, "child")] = (self.end_of(joint, "parent"), name)
        for one in self.gears:
            said: Entry = {"kind": "holonomic", "expression": one.expression(carriers)}
            said["name"] = self.fresh(one.joint.text("name"))
            self.lines[("constraints", len(self.acting.constraints))] = one.joint.line
            self.acting.constraints.append(said)

    def _end_of(self, loop: Loop, link: str, place: Place) -> Entry:
        """A point of a link; of a frame of its own where it is turned."""
        if link not in self.links and link in self.joints:  # frames of joints are those of the links that they carry
            link = self.end_of(self.joints[link], "child")
        if link not in self.links:
            raise self.robot.error(f"the loop {loop.name!r} ends at {link[:60]!r}, which is no link and no joint.")
        (position, rotation), body = place, self.body_names[link]
        if rotation == UPRIGHT or loop.kind in ("ball", "spherical"):
            return {"of": body, "at": list(position)}
        name = self.fresh(f"{loop.name}_end")
        at: Entry = {"position": list(position), "rotation": [list(row) for row in rotation]}
        self.frames[name] = {"parent": body, "at": at}
        return {"of": name}

    def _body(self, link: Element) -> Entry:
        name = self.body_names[link.text("name")]
        body: Entry = {}
        inertial = link.one("inertial")
        if inertial is not None:
            centre, turn = placed(inertial.one("origin"))
            mass = number(required(inertial, "mass"), "value")
            own = required(inertial, "inertia")
            body["mass"] = mass
            self.inertias.add(body, inertia(own, turn), mass, link.text("name"), own)
            if any(centre):
                body["com"] = list(centre)
        body |= self.looks.of(link)
        self.bodies[name] = body
        self.lines[("bodies", name)] = link.line
        return body

    def _add_planar(self, joint: Element, body: Entry) -> None:
        """A plane perpendicular to the axis: two distances along it and an angle, each driven.

        Where the axis is none of x, y, z, two frames slide along perpendiculars of it.
        """
        q, normal = self.joint_names[joint.text("name")], direction(joint)
        first, second, angle = (self._coordinate(joint, self.fresh(f"{q}_{part}")) for part in ("x", "y", "angle"))
        for coordinate in (first, second, angle):
            self._drive(coordinate)
        if isinstance(normal, str) and len(normal) == 1:
            body["joint"] = {"kind": "planar", "first": first, "second": second, "angle": angle, "normal": normal}
            return
        axis = unit(joint)
        for along, coordinate in zip(perpendiculars(axis), (first, second), strict=True):
            frame: Entry = {"parent": body["parent"]}
            if "at" in body:
                frame["at"] = body.pop("at")
            frame["joint"] = {"kind": "prismatic", "axis": list(along), "distance": coordinate}
            name = self.fresh(f"{q}_frame")
            self.frames[name], body["parent"] = frame, name
        body["joint"] = {"kind": "revolute", "axis": list(axis), "angle": angle}

    def fresh(self, wanted: str) -> str:
        return self.joint_names.make(wanted, self.body_names.values())

    def _moving(self, joint: Element, kind: str) -> Entry:
        """The joint as a mapping; its coordinate, input and what acts along it are added to the file."""
        axis, variable = direction(joint), self._variable(joint, kind)
        if kind == "prismatic":
            return {"kind": "prismatic", "axis": axis, "distance": variable}
        return {"kind": "revolute", "axis": axis, "angle": variable}

    def _variable(self, joint: Element, kind: str) -> str:
        """The coordinate of a joint, or the expression of the one that it follows."""
        leader, ratio, offset = leader_of(joint, self.joints)
        along = Along(self.joint_names[leader], ratio, offset)
        if joint.one("mimic") is None:
            self._coordinate(joint, along.coordinate, "S1" if kind == "continuous" else "R")
            if self.driven is None or joint.text("name") in self.driven:
                self._drive(along.coordinate)
        self.acting.add(joint, along)
        return along.position

    def _coordinate(self, joint: Element, name: str, on: str = "R") -> str:
        self.coordinates[name] = on
        self.lines[("coordinates", name)] = joint.line
        return name

    def _drive(self, q: str) -> None:
        tau = self.joint_names.make(f"tau_{q}", self.body_names.values())
        self.inputs.append(tau)
        self.forces[q] = tau
