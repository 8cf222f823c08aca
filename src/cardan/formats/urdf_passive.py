"""What acts along the joints of a URDF robot by itself: damping, dry friction, limits, and who follows whom."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from cardan.formats.document import Entry, Location
from cardan.formats.robot_friction import friction_of, softened
from cardan.formats.urdf_names import Names
from cardan.formats.urdf_numbers import bound, number
from cardan.formats.xml_reader import Element
from cardan.model.joint_limits import Limits

MOVING = ("revolute", "continuous", "prismatic")
REMEDY = "Without limits (restitution=None, --no-limits) it moves freely"


@dataclass(frozen=True)
class Along:
    """A joint's own position as ``ratio`` times a coordinate and an offset: 1 and 0 where the coordinate is its own."""

    coordinate: str
    ratio: float = 1.0
    offset: float = 0.0

    @property
    def is_own(self) -> bool:
        return (self.ratio, self.offset) == (1.0, 0.0)

    @property
    def position(self) -> str:
        return self.coordinate if self.is_own else f"{self.ratio!r}*{self.coordinate} + ({self.offset!r})"

    @property
    def rate(self) -> str:
        return f"{self.coordinate}.dot" if self.ratio == 1.0 else f"{self.ratio!r}*{self.coordinate}.dot"


def leader_of(joint: Element, joints: Mapping[str, Element]) -> tuple[str, float, float]:
    """(joint, ratio, offset): who is followed in the end, through joints that follow others themselves."""
    ratio, offset, passed = 1.0, 0.0, [joint.text("name")]
    mimic = joint.one("mimic")
    while mimic is not None:
        name = mimic.text("joint")
        leader = joints.get(name)
        if leader is None or leader.text("type") not in MOVING:
            raise mimic.error(f"{name!r} is no joint with a coordinate of its own, which could be followed.")
        if name in passed:
            raise mimic.error(f"these joints follow each other in a circle: {', '.join(passed)}.")
        passed.append(name)
        own, more = number(mimic, "multiplier", "1"), number(mimic, "offset", "0")
        ratio, offset = ratio * own, offset + ratio * more  # of  ratio * (own * q + more) + offset
        mimic = leader.one("mimic")
    return passed[-1], ratio, offset


@dataclass
class Acting:
    """Entries of the model file for what acts along joints, with their lines."""

    restitution: float | None
    names: Names
    taken: Collection[str]
    dampers: list[Entry] = field(default_factory=list)
    springs: list[Entry] = field(default_factory=list)
    friction: list[Entry] = field(default_factory=list)
    stops: list[Entry] = field(default_factory=list)
    constraints: list[Entry] = field(default_factory=list)
    lines: dict[Location, int] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    limits: dict[str, Limits] = field(default_factory=dict)  # by coordinate

    def add(self, joint: Element, along: Along) -> None:
        """Everything of one joint; one that follows with ratio zero stands still."""
        if along.ratio:
            self._rub(joint, along)
            self._bound(joint, along)
            self._limit(joint, along)

    def finish(self) -> None:
        """To be said when all joints are there."""
        self.notes += softened(self.friction, self.stops)

    def _bound(self, joint: Element, along: Along) -> None:
        """Keep what the motor can do; a joint that follows narrows the range of its leader."""
        limit = joint.one("limit")
        if limit is None:
            return
        lower, upper = (-math.inf, math.inf)
        if joint.text("type") != "continuous":
            ends = [(bound(limit, end) - along.offset) / along.ratio for end in ("lower", "upper")]
            lower, upper = min(ends), max(ends)
        if joint.one("mimic") is None:
            effort, velocity = (bound(limit, key, "inf") for key in ("effort", "velocity"))
            known = self.limits.get(along.coordinate, Limits())
            self.limits[along.coordinate] = Limits(known.lower, known.upper, effort, velocity)
        self.limits[along.coordinate] = self.limits.get(along.coordinate, Limits()).narrowed(lower, upper)

    def start(self) -> Entry:
        """Where coordinates begin that cannot begin at zero."""
        return {q: one.rest for q, one in self.limits.items() if one.rest and one.lower <= one.upper}

    def _rub(self, joint: Element, along: Along) -> None:
        """Damping and dry friction, on the coordinate or through the ratio of the one that it follows."""
        dynamics = joint.one("dynamics")
        if dynamics is None:
            return
        damping, friction = number(dynamics, "damping", "0"), number(dynamics, "friction", "0")
        for value, what in ((damping, "damping"), (friction, "friction")):
            if value < 0:
                raise dynamics.error(f"the {what} of {joint.text('name')!r} is {value:g}; it cannot drive the joint.")
        if damping:
            self._append("dampers", {"on": along.position, "coefficient": damping}, dynamics)
        stiffness = number(dynamics, "spring_stiffness", "0")  # said by SDF
        if stiffness:
            rest = number(dynamics, "spring_reference", "0")
            self._append("springs", {"on": along.position, "stiffness": stiffness, "length": rest}, dynamics)
        if friction:
            self._append("friction", friction_of(along.rate, friction), dynamics)

    def _limit(self, joint: Element, along: Along) -> None:
        """Stops at both ends of what the joint may be; where the ends are one, it is held there."""
        limit, kind, name = joint.one("limit"), joint.text("type"), joint.text("name")
        if kind == "continuous" or self.restitution is None:
            return
        if limit is None:
            if joint.one("mimic") is None:
                raise joint.error(f"the joint {name!r} needs a <limit>; without one it is continuous. {REMEDY}.")
            return
        lower, upper = bound(limit, "lower"), bound(limit, "upper")
        if not lower <= upper or lower == math.inf or upper == -math.inf:
            raise limit.error(f"the limits of {name!r} leave no room: lower {lower:g}, upper {upper:g}. {REMEDY}.")
        q, label = along.position if along.is_own else f"({along.position})", self.names[name]
        if lower == upper:
            self.notes.append(f"the joint {name!r} is held at {lower:g}, its lower and upper limit. {REMEDY}")
            held: Entry = {
                "kind": "holonomic",
                "expression": f"{q} - ({lower!r})",
                "name": self._fresh(f"{label}_limit"),
            }
            self._append("constraints", held, limit)
            return
        for end, place, gap in (("lower", lower, f"{q} - ({lower!r})"), ("upper", upper, f"({upper!r}) - {q}")):
            if math.isfinite(place):
                stop: Entry = {"kind": "gap", "gap": gap, "restitution": self.restitution}
                self._append("stops", {**stop, "name": self._fresh(f"{label}_{end}")}, limit)

    def _fresh(self, wanted: str) -> str:
        return self.names.make(wanted, self.taken)

    def _append(self, kind: str, entry: Entry, source: Element) -> None:
        entries: list[Entry] = getattr(self, kind)
        self.lines[(kind, len(entries))] = source.line
        entries.append(entry)
