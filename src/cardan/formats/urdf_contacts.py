"""Contacts of the simple collision shapes of URDF and SDF links with the ground z = 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from cardan.formats.document import Entry
from cardan.formats.robot_contacts import MOST_CONTACTS, contact, touches
from cardan.formats.urdf_numbers import UPRIGHT, number, placed, triple
from cardan.formats.xml_reader import Element
from cardan.geometry import matrix as m3

if TYPE_CHECKING:
    from cardan.formats.urdf import Tree

SIZED = {"sphere": ("radius",), "cylinder": ("radius", "length"), "capsule": ("radius", "length")}


class Ground:
    """The ground of one robot, and what touches it."""

    def __init__(self, tree: Tree, friction: float) -> None:
        self.tree, self.friction = tree, friction
        self.left: set[str] = set()

    def add(self, joints: Sequence[Element]) -> None:
        """Contacts for every link that moves."""
        for link in self._moving(joints):
            for number_, collision in enumerate(self.tree.links[link].all("collision")):
                self._add(link, collision, f"{link}_{number_ + 1}")
        for kind in sorted(self.left):
            self.tree.notes.append(f"left out: contacts of collision shapes of the kind {kind}")

    def _moving(self, joints: Sequence[Element]) -> Iterator[str]:
        """Links that a joint moves, or one that carries them; all of a robot that floats."""
        moving = {self.tree.root_name} if self.tree.is_floating else set()
        for joint in joints:
            if joint.text("type") != "fixed" or self.tree.end_of(joint, "parent") in moving:
                moving.add(self.tree.end_of(joint, "child"))
        return (link for link in self.tree.links if link in moving)

    def _add(self, link: str, collision: Element, name: str) -> None:
        geometry = collision.one("geometry")
        solid = None if geometry is None or not geometry.children else geometry.children[0]
        if solid is None:
            return
        if solid.tag not in (*SIZED, "box"):
            self.left.add(solid.tag)
            return
        if solid.tag == "box":
            sizes = dict(zip("xyz", triple(solid, "size"), strict=True))
        else:
            sizes = {key: number(solid, key) for key in SIZED[solid.tag]}
        body = self.tree.body_names[link]
        position, rotation = placed(collision.one("origin"))
        if solid.tag == "cylinder" and rotation != UPRIGHT:  # the axis of its discs is that of a frame
            frame = self.tree.fresh(f"{name}_frame")
            at: Entry = {"position": list(position), "rotation": [list(row) for row in rotation]}
            self.tree.frames[frame] = {"parent": body, "at": at}
            body, position, rotation = frame, (0.0, 0.0, 0.0), UPRIGHT
        for inside, shape in touches(solid.tag, sizes):
            turned = m3.matvec(rotation, inside)
            place = [a + b for a, b in zip(position, turned, strict=True)]
            stops = self.tree.acting.stops
            if len(stops) >= MOST_CONTACTS:
                raise collision.error(
                    f"with its contacts the robot has more than {MOST_CONTACTS} stops; load it without."
                )
            self.tree.acting.lines["stops", len(stops)] = collision.line
            said: Entry = {"of": body, "at": place}
            label = self.tree.fresh(f"{name}_contact")
            stops.append(contact(said, {"of": "world"}, shape, self.friction, self.tree.acting.restitution, label))
