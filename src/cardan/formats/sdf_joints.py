"""Joints of SDF: those that carry links as elements of a URDF file, those that close loops as loops."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardan.formats.robot_loops import ORIGIN, Loop, Place, composed, inverted
from cardan.formats.sdf_links import origin
from cardan.formats.urdf_numbers import UPRIGHT
from cardan.formats.xml_reader import Element

if TYPE_CHECKING:
    from cardan.formats.sdf_places import Places

KINDS = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "ball": "ball",
    "universal": "universal",
    "revolute2": "universal",
    "screw": "screw",
}
ENDLESS = 1e15  # a limit beyond this is none: the specification writes 1e16


class Joined:
    """One joint being read: where it is, and how its axes lie in it."""

    def __init__(self, joint: Element, prefix: str, places: Places, frame: Place, is_old: bool) -> None:
        self.joint, self.places, self.frame, self.is_old = joint, places, frame, is_old
        self.name = prefix + joint.text("name")
        self.kind = KINDS.get(joint.text("type"), "")
        if not self.kind:
            raise joint.error(f"the type {joint.text('type')[:60]!r} is none of {', '.join(KINDS)} and gearbox.")

    def element(self, parent: str, child: str, at: Place) -> list[Element]:
        """The joint as elements of a URDF file: one joint, or two with a massless link between them."""
        if self.kind == "universal":
            between = self._new("link", name=f"{self.name}_cross")
            first = self._joint(self.name, "revolute", parent, f"{self.name}_cross", at, "axis")
            return [
                between,
                first,
                self._joint(f"{self.name}_2", "revolute", f"{self.name}_cross", child, ORIGIN, "axis2"),
            ]
        if self.kind == "screw":
            return self._screw(parent, child, at)
        return [self._joint(self.name, self.kind, parent, child, at, "axis")]

    def _screw(self, parent: str, child: str, at: Place) -> list[Element]:
        """A hinge, and a slide along its axis that follows it: metres for each turn."""
        between = self._new("link", name=f"{self.name}_thread")
        hinge = self._joint(self.name, "revolute", parent, f"{self.name}_thread", at, "axis")
        slide = self._joint(f"{self.name}_2", "prismatic", f"{self.name}_thread", child, ORIGIN, "axis")
        pitch, old = self.joint.one("screw_thread_pitch"), self.joint.one("thread_pitch")
        if pitch is None and old is not None:
            raise old.error("<thread_pitch> (radians per metre, left handed) is not read; say <screw_thread_pitch>.")
        lead = float(pitch.content) if pitch is not None else 1.0
        follow = self._new("mimic", joint=self.name, multiplier=repr(lead / (2 * math.pi)))
        slide.children = [one for one in slide.children if one.tag not in ("limit", "dynamics")] + [follow]
        return [between, hinge, slide]

    def _joint(self, name: str, kind: str, parent: str, child: str, at: Place, tag: str) -> Element:
        limits, acting = self._limit(tag), self._dynamics(tag)
        if kind == "revolute" and limits is not None and not {"lower", "upper"} & limits.keys():
            kind = "continuous"
        found = self._new("joint", name=name, type=kind)
        found.children = [
            self._new("parent", link=parent),
            self._new("child", link=child),
            origin(at, self.joint.file, self.joint.line),
        ]
        if kind in ("revolute", "continuous", "prismatic"):
            along = self.places.axis(self.joint, self.frame, self.is_old, tag)
            ends = {"lower": "-inf", "upper": "inf"} if kind != "continuous" else {}
            found.children += [
                self._new("axis", xyz=" ".join(repr(float(x)) for x in along)),
                self._new("limit", **{**ends, **(limits or {})}),
                self._new("dynamics", **acting),
            ]
        return found

    def _limit(self, tag: str) -> dict[str, str] | None:
        """What bounds an axis, without what is endless."""
        axis = self.joint.one(tag)
        limit = None if axis is None else axis.one("limit")
        given = {} if limit is None else {one.tag: one.content for one in limit.children}
        kept = {
            key: text for key, text in given.items() if key in ("lower", "upper") and abs(self._number(text)) < ENDLESS
        }
        strong = {
            key: text
            for key, text in given.items()
            if key in ("effort", "velocity") and 0 <= self._number(text) < ENDLESS
        }
        return kept | strong

    def _dynamics(self, tag: str) -> dict[str, str]:
        """Damping, dry friction and a spring."""
        axis = self.joint.one(tag)
        acting = None if axis is None else axis.one("dynamics")
        names = ("damping", "friction", "spring_stiffness", "spring_reference")
        given = {} if acting is None else {one.tag: one.content for one in acting.children if one.tag in names}
        return {key: text for key, text in given.items() if self._number(text)}

    def _number(self, text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise self.joint.error(f"{text[:60]!r} is no number.") from None

    def _new(self, tag: str, **attributes: str) -> Element:
        return Element(tag, attributes, self.joint.line, self.joint.file)


def carrying(one: Joined, ends: tuple[str, str], at: Place, inside: Place) -> list[Element]:
    """The elements of a joint that carries a link, whose frame is at ``inside`` in that of the joint."""
    parent, child = ends
    if one.kind == "fixed":
        return one.element(parent, child, composed(at, inside))
    if _is_same(inside):
        return one.element(parent, child, at)
    held = f"{one.name}_frame"
    link = Element("link", {"name": held}, one.joint.line, one.joint.file)
    weld = Element("joint", {"name": f"{one.name}_weld", "type": "fixed"}, one.joint.line, one.joint.file)
    weld.children = [
        Element("parent", {"link": held}, one.joint.line, one.joint.file),
        Element("child", {"link": child}, one.joint.line, one.joint.file),
        origin(inside, one.joint.file, one.joint.line),
    ]
    return [*one.element(parent, held, at), link, weld]


def _is_same(place: Place) -> bool:
    position, rotation = place
    return not any(abs(x) > 1e-15 for x in position) and all(
        abs(a - b) < 1e-15
        for row, other in zip(rotation, UPRIGHT, strict=True)
        for a, b in zip(row, other, strict=True)
    )


def closing(one: Joined, ends: tuple[str, str], places: tuple[Place, Place]) -> Loop:
    """The loop that a joint closes whose child is carried by another."""
    if one.kind in ("universal", "screw"):
        raise one.joint.error(f"a joint of type {one.joint.text('type')!r} that closes a loop is not read.")
    first, second = (composed(inverted(place), one.frame) for place in places)
    axis = one.places.axis(one.joint, one.frame, one.is_old) if one.kind not in ("ball", "fixed") else (1.0, 0.0, 0.0)
    return Loop(one.name, one.kind, *ends, one.joint.line, first, second, axis)


# --- gears -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gear:
    """A gearbox between a parent and a child, whose angles are measured from a reference body."""

    joint: Element
    links: tuple[str, str, str]  # reference, parent, child
    signs: tuple[float, float]  # of its axes along those of the hinges

    def expression(self, carriers: Mapping[str, tuple[str, str]]) -> str:
        """theta_2 + ratio theta_1 = 0; carriers are (parent, coordinate) by the link that a hinge carries."""
        reference, parent, child = self.links
        ratio = self.joint.one("gearbox_ratio")
        try:
            times = float("" if ratio is None else ratio.content)
        except ValueError:
            raise self.joint.error("a gearbox needs a <gearbox_ratio>.") from None
        first, second = (self._angle(link, reference, carriers) for link in (parent, child))
        return f"({self.signs[1]!r})*({second}) + ({self.signs[0] * times!r})*({first})"

    def _angle(self, link: str, reference: str, carriers: Mapping[str, tuple[str, str]]) -> str:
        """The coordinate between a link and the reference body, one of which carries the other by a hinge."""
        for one, other, sign in ((link, reference, ""), (reference, link, "-")):
            parent, coordinate = carriers.get(one, ("", ""))
            if parent == other and coordinate:
                return f"{sign}{coordinate}"
        raise self.joint.error(
            f"a gearbox needs a hinge between {link[:60]!r} and its reference body {reference[:60]!r}."
        )


def gear_ends(joint: Element, prefix: str) -> tuple[str, str, str]:
    """Reference body, parent and child of a gearbox."""
    said = [joint.one(tag) for tag in ("gearbox_reference_body", "parent", "child")]
    if None in said:
        raise joint.error("a gearbox needs <gearbox_reference_body>, <parent> and <child>.")
    reference, parent, child = (prefix + one.content for one in said if one is not None)
    return reference, parent, child
