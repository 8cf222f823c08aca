"""Loops of robots whose files describe trees: where two frames meet, and by what kind of joint.

URDF knows trees only. What people write beside it is read here: ``<loop_joint>`` (Drake), joints of SDF inside
``<gazebo>``, and a YAML file as example-parallel-robots has it (``closed_loop``, ``type``, ``joint_name``,
``joint_type``), given as ``loops=``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cardan.errors import FileError
from cardan.formats.document import Data, Document, Entry
from cardan.formats.urdf_numbers import UPRIGHT, Rows, named_axis, placed
from cardan.formats.xml_reader import Element
from cardan.formats.yaml_reader import read_yaml
from cardan.geometry import matrix as m3
from cardan.geometry import quaternion

MOST_LOOPS = 1_000
CLOSING = ("ball", "fixed", "revolute", "prismatic", "universal", "continuous", "spherical")
Place = tuple[tuple[float, ...], Rows]  # position and rotation
ORIGIN: Place = ((0.0, 0.0, 0.0), UPRIGHT)
CROSS = "UJOINT_"  # in loop files: two hinges about the axes that follow, as in UJOINT_XY


@dataclass(frozen=True)
class Loop:
    """A frame of one link joined to a frame of another; ``axis`` is in both frames."""

    name: str
    kind: str
    first: str
    second: str
    line: int
    at: Place = ORIGIN  # in the first link
    to: Place = ORIGIN  # in the second link
    axis: tuple[float, ...] = (1.0, 0.0, 0.0)

    def joint(self) -> Entry:
        """The joint without coordinates, as a model file says it."""
        if self.kind in ("ball", "spherical"):
            return {"kind": "ball"}
        if self.kind == "fixed":
            return {"kind": "fixed"}
        kind = "prismatic" if self.kind == "prismatic" else "revolute"
        return {"kind": kind, "axis": named_axis(self.axis)}


def composed(outer: Place, inner: Place) -> Place:
    """The place that ``inner`` has where it is given in ``outer``."""
    (p, turn), (q, own) = outer, inner
    moved = m3.matvec(turn, q)
    return tuple(a + b for a, b in zip(p, moved, strict=True)), m3.matmul(turn, own)


def inverted(place: Place) -> Place:
    """The place of the outer frame seen from the inner one."""
    p, turn = place
    back = m3.transpose(turn)
    return tuple(-x for x in m3.matvec(back, p)), back


def neutral_places(joints: Iterable[Element]) -> dict[str, Place]:
    """Where links are with every joint at zero, seen from the root; joints come outwards."""
    found: dict[str, Place] = {}
    for joint in joints:
        parent, child = (next(joint.all(end)).text("link") for end in ("parent", "child"))
        found[child] = composed(found.setdefault(parent, ORIGIN), placed(joint.one("origin")))
    return found


# --- elements of a URDF file -----------------------------------------------------------------------


def loops_in(robot: Element, places: Mapping[str, Place]) -> Iterator[Loop]:
    """The loops that a URDF file closes by elements of its own."""
    for one in robot.all("loop_joint"):
        yield _loop_joint(one)
    for gazebo in robot.all("gazebo"):
        for one in gazebo.all("joint"):
            yield _gazebo_joint(one, places)


def _loop_joint(one: Element) -> Loop:
    """<loop_joint name type> with <link1 link xyz rpy/>, <link2 .../> and <axis xyz/> in the first frame."""
    ends = [one.one(f"link{k}") for k in (1, 2)]
    if None in ends:
        raise one.error("a <loop_joint> needs <link1 link=.../> and <link2 link=.../>.")
    first, second = (end for end in ends if end is not None)
    found = Loop(
        one.text("name", "loop"), _kind(one), first.text("link"), second.text("link"), one.line, placed(first),
        placed(second),
    )  # fmt: skip
    return replace(found, axis=_axis(one, one.one("axis")))


def _gazebo_joint(one: Element, places: Mapping[str, Place]) -> Loop:
    """A joint of SDF: its frame is that of the child, moved by <pose>, where every joint is at zero."""
    ends = []
    for tag in ("parent", "child"):
        end = one.one(tag)
        name = "" if end is None else end.content
        if name not in places:
            raise one.error(f"the {tag} of a joint in <gazebo> should be a link, found {name[:60]!r}.")
        ends.append(name)
    parent, child = ends
    pose = one.one("pose")
    inside = ORIGIN if pose is None else pose_of(pose)
    there = composed(inverted(places[parent]), composed(places[child], inside))
    axis = one.one("axis")
    along = None if axis is None else axis.one("xyz")
    found = Loop(one.text("name", "loop"), _kind(one), parent, child, one.line, there, inside)
    return replace(found, axis=_axis(one, along, text=True))


def pose_of(pose: Element) -> Place:
    """Position and rotation of an SDF <pose>: x y z roll pitch yaw, or a quaternion where it says so."""
    words = pose.content.split()
    if not words:
        return ORIGIN
    form = pose.text("rotation_format", "euler_rpy")
    if form == "quat_xyzw" and len(words) == 7:
        return _with_quaternion(pose, words)
    if form != "euler_rpy" or len(words) != 6:
        raise pose.error(f"a <pose> is six numbers x y z roll pitch yaw, found {pose.content[:60]!r}.")
    given = {"xyz": " ".join(words[:3]), "rpy": " ".join(words[3:])}
    if pose.text("degrees", "false") in ("true", "1"):
        given["rpy"] = " ".join(repr(float(x) * 3.141592653589793 / 180) for x in words[3:])
    return placed(Element("origin", given, pose.line, pose.file))


def _with_quaternion(pose: Element, words: Sequence[str]) -> Place:
    at, _ = placed(Element("origin", {"xyz": " ".join(words[:3])}, pose.line, pose.file))
    (x, y, z), _ = placed(Element("origin", {"xyz": " ".join(words[3:6])}, pose.line, pose.file))
    (w, _, _), _ = placed(Element("origin", {"xyz": f"{words[6]} 0 0"}, pose.line, pose.file))
    size = (w * w + x * x + y * y + z * z) ** 0.5
    if not size:
        raise pose.error("the quaternion of a <pose> has length zero.")
    return at, quaternion.matrix((w / size, x / size, y / size, z / size))


def _kind(one: Element) -> str:
    kind = one.text("type")
    if kind not in CLOSING:
        raise one.error(f"a loop is closed by one of {', '.join(CLOSING)}; found {kind[:60]!r}.")
    if kind == "universal":
        raise one.error("a universal joint that closes a loop is not read; carry a link by it and weld that.")
    return kind


def _axis(one: Element, given: Element | None, *, text: bool = False) -> tuple[float, ...]:
    if given is None:
        return (1.0, 0.0, 0.0)
    words = given.content if text else given.text("xyz")
    axis, _ = placed(Element("axis", {"xyz": words}, given.line, given.file))
    size = sum(x * x for x in axis) ** 0.5
    if not size:
        raise one.error("the axis has length zero.")
    return tuple(x / size for x in axis)


# --- a file of loops -------------------------------------------------------------------------------


@dataclass(frozen=True)
class LoopFile:
    """What a YAML file says beside a URDF file: pairs of links that meet, and joints that are other than they seem."""

    document: Document

    @classmethod
    def read(cls, path: str | Path) -> LoopFile:
        return cls(read_yaml(path))

    def change(self, robot: Element) -> None:
        """Make joints what the file says: SPHERICAL, FIXED or UJOINT_XY and its like."""
        names, kinds = self._texts("joint_name"), self._texts("joint_type")
        if len(names) != len(kinds):
            raise self._error("joint_type", f"{len(names)} names of joints and {len(kinds)} kinds")
        joints = {one.attributes.get("name", ""): one for one in robot.all("joint")}
        for name, kind in zip(names, kinds, strict=True):
            if name not in joints:
                raise self._error("joint_name", f"there is no joint {name[:60]!r}")
            self._change(robot, joints[name], kind)

    def _change(self, robot: Element, joint: Element, kind: str) -> None:
        axes = kind.removeprefix(CROSS)
        if kind in ("SPHERICAL", "FIXED"):
            joint.attributes["type"] = "ball" if kind == "SPHERICAL" else "fixed"
        elif kind.startswith(CROSS) and len(axes) == 2 and set(axes) <= set("XYZ"):
            cross(robot, joint, *([float(one == x) for x in "XYZ"] for one in axes))
        else:
            raise self._error("joint_type", f"{kind[:60]!r} is none of SPHERICAL, FIXED, UJOINT_XY, ...")

    def loops(self) -> Iterator[Loop]:
        """A ball joint for 3d, a weld for 6d (where nothing is said as well)."""
        pairs = self._list("closed_loop")
        kinds = [*self._texts("type"), *["6d"] * len(pairs)]
        for number, (pair, kind) in enumerate(zip(pairs, kinds, strict=False)):
            if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(one, str) for one in pair):
                raise self._error("closed_loop", "a loop is a pair of names of links")
            if kind.lower() not in ("3d", "6d"):
                raise self._error("type", f"{kind[:60]!r} is none of 3d and 6d")
            name = f"loop_{number + 1}"
            yield Loop(name, "ball" if kind.lower() == "3d" else "fixed", str(pair[0]), str(pair[1]), 0)

    def motors(self) -> list[str] | None:
        """The joints that are driven; None where nothing is said."""
        return self._texts("name_mot") if "name_mot" in self.document.entries else None

    def _list(self, key: str) -> list[Data]:
        found = self.document.entries.get(key, [])
        if not isinstance(found, list) or len(found) > MOST_LOOPS:
            raise self._error(key, f"expected a list of at most {MOST_LOOPS}")
        return found

    def _texts(self, key: str) -> list[str]:
        found = self._list(key)
        if not all(isinstance(one, str) for one in found):
            raise self._error(key, "expected a list of names")
        return [str(one) for one in found]

    def _error(self, key: str, what: str) -> FileError:
        return self.document.error(f"{what}.", (key,))


def cross(robot: Element, joint: Element, first: Iterable[float], second: Iterable[float]) -> None:
    """Make a joint two hinges, one after the other, through a massless link between them."""
    name, child = joint.text("name"), next(joint.all("child"))
    between = Element("link", {"name": f"{name}_cross"}, joint.line, joint.file)
    inner = Element("joint", {"name": f"{name}_2", "type": "continuous"}, joint.line, joint.file)
    inner.children = [
        Element("parent", {"link": f"{name}_cross"}, joint.line, joint.file),
        child,
        _along(joint, second),
    ]
    joint.attributes["type"] = "continuous"
    joint.children = [one for one in joint.children if one.tag in ("parent", "origin")]
    joint.children += [Element("child", {"link": f"{name}_cross"}, joint.line, joint.file), _along(joint, first)]
    robot.children += [between, inner]


def _along(joint: Element, axis: Iterable[float]) -> Element:
    return Element("axis", {"xyz": " ".join(map(repr, axis))}, joint.line, joint.file)
