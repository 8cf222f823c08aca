"""A robot in URDF, said as a model file says it.

Links become bodies, joints become joints with a coordinate of the same name, driven by an input ``tau_NAME``; limits
become stops, ``mimic`` an expression of the coordinate it follows. What has no meaning here is listed in the
description, so that nothing is lost in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from cardan.formats.document import Document, Entry, Location
from cardan.formats.urdf_names import Names
from cardan.formats.urdf_numbers import UPRIGHT, direction, inertia, number, placed, required
from cardan.formats.xml_reader import Element, read_xml

GRAVITY = 9.81
MOVING = ("revolute", "continuous", "prismatic")
KINDS = (*MOVING, "fixed", "floating", "planar")
LINK = ("inertial",)  # elements that are read
JOINT = ("parent", "child", "origin", "axis", "limit", "mimic", "dynamics")


def read_urdf(path: str | Path, *, floating: bool = False, restitution: float | None = 0.0) -> Document:
    """The robot as the data of a model file, with the lines of the URDF.

    ``floating`` puts the root link on a free joint instead of fixing it to the world. Joint limits become stops with
    this ``restitution`` (the format has no place for one); None leaves them out.
    """
    root = read_xml(path)
    if root.tag != "robot":
        raise root.error(f"a URDF file holds a <robot>, found <{root.tag}>.")
    return _Robot(root, str(path), restitution).document(floating)


class _Robot:
    """One robot being read."""

    def __init__(self, robot: Element, file: str, restitution: float | None) -> None:
        self.robot, self.file, self.restitution = robot, file, restitution
        self.links = self._by_name("link")
        self.joints = self._by_name("joint")
        self.body_names, self.joint_names = Names("link"), Names("joint")
        self.notes: list[str] = []
        self.lines: dict[Location, int] = {(): robot.line}
        self.coordinates: dict[str, str] = {}
        self.inputs: list[str] = []
        self.bodies: dict[str, Entry] = {}
        self.forces: dict[str, str] = {}  # by coordinate
        self.dampers: list[Entry] = []
        self.stops: list[Entry] = []

    def _by_name(self, tag: str) -> dict[str, Element]:
        found: dict[str, Element] = {}
        for one in self.robot.all(tag):
            name = one.text("name")
            if name in found:
                raise one.error(f"the {tag} {name!r} stands already on line {found[name].line}.")
            found[name] = one
        return found

    # --- the tree ----------------------------------------------------------------------------------

    def document(self, floating: bool) -> Document:
        for name in self.links:
            self.body_names.add(name)
        for name in self.joints:
            self.joint_names.add(name, taken=self.body_names.values())
        self._add_root(self._root(), floating)
        for joint in self._outwards():
            self._add_link(joint)
        ignored = sorted({one.tag for one in self.robot.children} - {"link", "joint", "material"})
        if ignored:
            self.notes.append(f"left out: {', '.join(f'<{tag}>' for tag in ignored)}")
        self.notes += [*self._left_out("link", LINK), *self._left_out("joint", JOINT), *self._unbounded()]
        self.notes += [*self.body_names.notes(), *self.joint_names.notes()]
        data = {key: value for key, value in self._data().items() if value}
        return Document(data, self.file, self.lines, tuple(self.notes))

    def _left_out(self, tag: str, read: tuple[str, ...]) -> Iterator[str]:
        """One line for each kind of element of links or joints that is not read."""
        count = Counter(one.tag for thing in self.robot.all(tag) for one in thing.children if one.tag not in read)
        for name, times in sorted(count.items()):
            why = "; nothing collides here" if name == "collision" else ""
            yield f"left out: <{name}> of {tag}s, {times} of them{why}"

    def _unbounded(self) -> Iterator[str]:
        """Bounds of motors, which an input does not have."""
        for bound in ("effort", "velocity"):
            count = sum(bound in one.attributes for joint in self.joints.values() for one in joint.all("limit"))
            if count:
                yield f"left out: the largest {bound} of {count} joints; inputs are not bounded"

    def _data(self) -> Entry:
        return {
            "cardan": 1,
            "name": self.robot.text("name", "robot")[:200] or "robot",
            "coordinates": self.coordinates,
            "inputs": self.inputs,
            "bodies": self.bodies,
            "gravity": [0, 0, -GRAVITY],
            "generalized_forces": self.forces,
            "dampers": self.dampers,
            "stops": self.stops,
            "description": "\n".join(self.notes)[:10_000],
        }

    def _root(self) -> Element:
        children = {self._end(joint, "child") for joint in self.joints.values()}
        roots = [link for name, link in self.links.items() if name not in children]
        if len(roots) != 1:
            names = ", ".join(repr(link.text("name")) for link in roots) or "none"
            raise self.robot.error(f"a robot has one link that no joint carries; here: {names}.")
        return roots[0]

    def _end(self, joint: Element, tag: str) -> str:
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
            child = self._end(joint, "child")
            if child in carriers:
                other = carriers[child].text("name")
                raise joint.error(f"the link {child!r} is carried by two joints, {name!r} and {other!r}.")
            carriers[child] = joint
            carried[self._end(joint, "parent")].append(joint)
        waiting = carried[self._root().text("name")].copy()
        reached = 1
        while waiting:
            joint = waiting.pop()
            yield joint
            reached += 1
            waiting += carried[self._end(joint, "child")]
        if reached < len(self.links):
            lost = next(name for name in self.links if self.body_names[name] not in self.bodies)
            raise self.links[lost].error(f"the link {lost!r} is carried by itself, through its own children.")

    # --- links and joints --------------------------------------------------------------------------

    def _add_root(self, link: Element, floating: bool) -> None:
        body = self._body(link)
        if floating:
            names = {axis: self.joint_names.make(f"base_{axis}", self.body_names.values()) for axis in "xyz"}
            self.coordinates |= dict.fromkeys(names.values(), "R")
            quaternion = self.joint_names.make("base_e", self.body_names.values())
            body["joint"] = {"kind": "free", **names, "orientation": {"kind": "quaternion", "name": quaternion}}

    def _add_link(self, joint: Element) -> None:
        name, kind = joint.text("name"), joint.text("type")
        if kind not in KINDS:
            raise joint.error(f"the joint {name!r} has the type {kind!r}; known are: {', '.join(KINDS)}.")
        body = self._body(self.links[self._end(joint, "child")])
        body["parent"] = self.body_names[self._end(joint, "parent")]
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
            raise joint.error(f"the joint {name!r} is planar: write two prismatic joints and a continuous one instead.")

    def _body(self, link: Element) -> Entry:
        name = self.body_names[link.text("name")]
        body: Entry = {}
        inertial = link.one("inertial")
        if inertial is not None:
            centre, turn = placed(inertial.one("origin"))
            body["mass"] = number(required(inertial, "mass"), "value")
            body["inertia"] = inertia(required(inertial, "inertia"), turn)
            if any(centre):
                body["com"] = list(centre)
        self.bodies[name] = body
        self.lines[("bodies", name)] = link.line
        return body

    def _moving(self, joint: Element, kind: str) -> Entry:
        """The joint as a mapping; its coordinate, input, damper and stops are added to the file."""
        axis, variable = direction(joint), self._variable(joint, kind)
        if kind == "prismatic":
            return {"kind": "prismatic", "axis": axis, "distance": variable}
        return {"kind": "revolute", "axis": axis, "angle": variable}

    def _variable(self, joint: Element, kind: str) -> str:
        """The coordinate of a joint, or the expression of the one that it follows."""
        mimic = joint.one("mimic")
        if mimic is not None:
            leader = mimic.text("joint")
            followed = self.joints.get(leader)
            if followed is None or followed.text("type") not in MOVING or followed.one("mimic") is not None:
                raise mimic.error(f"{leader!r} is no joint with a coordinate of its own, which could be followed.")
            multiplier, offset = number(mimic, "multiplier", "1"), number(mimic, "offset", "0")
            followed_by = f"{multiplier!r}*{self.joint_names[leader]} + ({offset!r})"
            self._rub(joint, followed_by)
            if kind != "continuous" and self.restitution is not None and multiplier and joint.one("limit") is not None:
                self._limit(joint, f"({followed_by})", self.joint_names[joint.text("name")])
            return followed_by
        q = self._coordinate(joint, self.joint_names[joint.text("name")], "S1" if kind == "continuous" else "R")
        self._drive(joint, q)
        if kind != "continuous" and self.restitution is not None:
            self._limit(joint, q, q)
        return q

    def _coordinate(self, joint: Element, name: str, on: str = "R") -> str:
        self.coordinates[name] = on
        self.lines[("coordinates", name)] = joint.line
        return name

    def _drive(self, joint: Element, q: str) -> None:
        tau = self.joint_names.make(f"tau_{q}", self.body_names.values())
        self.inputs.append(tau)
        self.forces[q] = tau
        self._rub(joint, q)

    def _rub(self, joint: Element, q: str) -> None:
        """Damping of a joint, on its coordinate or on the expression that it follows by."""
        dynamics = joint.one("dynamics")
        if dynamics is None:
            return
        damping, friction = number(dynamics, "damping", "0"), number(dynamics, "friction", "0")
        if damping:
            self.dampers.append({"on": q, "coefficient": damping})
        if friction:
            self.notes.append(f"left out: dry friction {friction:g} of the joint {joint.text('name')!r}; see friction")

    def _limit(self, joint: Element, q: str, name: str) -> None:
        """Stops at both ends of what q may be, a coordinate or an expression in brackets."""
        limit = joint.one("limit")
        if limit is None:
            raise joint.error(f"the joint {joint.text('name')!r} needs a <limit>; without one it is continuous.")
        lower, upper = number(limit, "lower", "0"), number(limit, "upper", "0")
        if not lower < upper:
            raise limit.error(f"the limits of {joint.text('name')!r} leave no room: lower {lower:g}, upper {upper:g}.")
        for end, gap in (("lower", f"{q} - ({lower!r})"), ("upper", f"({upper!r}) - {q}")):
            self.lines[("stops", len(self.stops))] = limit.line
            self.stops.append({"kind": "gap", "gap": gap, "restitution": self.restitution, "name": f"{name}_{end}"})
