"""Where the frames of an SDF model are: poses relative to the model, to links, joints and frames that it names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cardan.formats.robot_loops import ORIGIN, Place, composed, inverted, pose_of
from cardan.formats.urdf_numbers import placed
from cardan.formats.xml_reader import Element
from cardan.geometry import matrix as m3

MOST_STEPS = 100  # frames that stand on each other


def is_true(one: Element) -> bool:
    """A boolean of SDF: true or 1."""
    return one.content.lower() in ("true", "1")


@dataclass
class Places:
    """The named frames of one model, and where its own is in the world."""

    here: Place = ORIGIN
    named: Mapping[str, Element] = field(default_factory=dict)

    @classmethod
    def world(cls) -> Places:
        """What stands in no model."""
        return cls()

    def inside(self, model: Element) -> Places:
        """The frames of a model that stands here."""
        pose = model.one("pose")
        named = {one.text("name"): one for one in model.children if one.tag in ("link", "joint", "frame", "model")}
        own = ORIGIN if pose is None else pose_of(pose)
        relative = "" if pose is None else pose.text("relative_to", "")
        base = self.of(relative) if relative and relative in self.named else self.here
        return Places(composed(base, own), named)

    def of(self, name: str, steps: int = 0) -> Place:
        """Where a link, joint or frame of the model is in the world."""
        if name in ("__model__", "world", ""):
            return ORIGIN if name == "world" else self.here
        one = self.named.get(name.split("::")[0])
        if one is None:
            raise next(iter(self.named.values())).error(f"there is no frame {name[:60]!r} in the model.")
        if steps > MOST_STEPS:
            raise one.error(f"poses are relative to each other in a circle at {name[:60]!r}.")
        if "::" in name:
            return Places(self.here, self.named).inside(one).of(name.split("::", 1)[1])
        return composed(self._base(one, steps), self._pose(one))

    def _base(self, one: Element, steps: int) -> Place:
        """What the pose of an element is relative to."""
        pose = one.one("pose")
        relative = "" if pose is None else pose.text("relative_to", "")
        if relative:
            return self.of(relative, steps + 1)
        if one.tag == "joint":
            child = one.one("child")
            return self.of("" if child is None else child.content, steps + 1)
        if one.tag == "frame" and one.text("attached_to", ""):
            return self.of(one.text("attached_to"), steps + 1)
        return self.here

    @staticmethod
    def _pose(one: Element) -> Place:
        pose = one.one("pose")
        return ORIGIN if pose is None else pose_of(pose)

    def link_of(self, name: str) -> str:
        """The link that a frame is attached to; links are their own."""
        for _ in range(MOST_STEPS):
            one = self.named.get(name)
            if one is None or one.tag != "frame":
                return name
            name = one.text("attached_to", name)
        return name

    def in_child(self, joint: Element) -> Place:
        """The frame of a joint in the link that it carries."""
        child = joint.one("child")
        link = self.link_of("" if child is None else child.content)
        pose = joint.one("pose")
        if pose is None and child is not None and link == child.content:
            return ORIGIN
        if pose is not None and not pose.text("relative_to", "") and child is not None and link == child.content:
            return pose_of(pose)
        base = ORIGIN if link == "world" else self.of(link)
        return composed(inverted(base), self.of(joint.text("name")))

    def axis(self, joint: Element, frame: Place, is_old: bool, tag: str = "axis") -> tuple[float, ...]:
        """The axis of a joint along those of its own frame, which stands at ``frame`` in the world."""
        axis = joint.one(tag)
        along = None if axis is None else axis.one("xyz")
        if axis is None or along is None:
            return (0.0, 0.0, 1.0)
        given, _ = placed(Element("axis", {"xyz": along.content}, along.line, along.file))
        size = sum(x * x for x in given) ** 0.5
        if not size:
            raise axis.error("the axis has length zero.")
        unit = tuple(x / size for x in given)
        told = axis.one("use_parent_model_frame")
        expressed = along.text("expressed_in", "")
        if expressed:
            turn = self.of(expressed)[1]
        elif (told is not None and is_true(told)) or (told is None and is_old):
            turn = self.here[1]
        else:
            return unit
        return m3.matvec(m3.transpose(frame[1]), m3.matvec(turn, unit))
