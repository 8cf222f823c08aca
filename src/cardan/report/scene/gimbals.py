"""Gimbals: rings, one inside the other, where joint axes cross at one point, and what turns in the innermost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardan.report.data.arrays import numbers
from cardan.report.data.entries import Shape
from cardan.report.scene.appearance import bar, ellipsoid, placed, quaternion_of, rotor
from cardan.report.scene.skeleton import Hinge, Member

Vector = NDArray[np.float64]

SHRINK = 0.8  # of the ring outside
TUBE = 0.03  # of the outermost ring
PIN = 0.022
BEARING = 1.16  # where the outermost pins end


class Gimbals:
    """Which bodies are rings, which turns inside, and how deep; ``length`` is the radius of an outermost ring."""

    def __init__(self, members: list[Member], length: float) -> None:
        self.members, self.length = members, length
        self.depths: dict[int, int] = {}
        for k in range(len(members)):
            self._follow(k)

    def _follow(self, k: int) -> None:
        """Parents come first in a model, so the depth outside is known."""
        if self._crossing(k) is not None or self._turns_inside(k):
            outside = self._outside(k)
            self.depths[k] = 0 if outside is None else self.depths[outside] + 1

    def _outside(self, k: int) -> int | None:
        """The ring that carries body k, if one does."""
        own = self.members[k].own
        if own is None or own.other is None or own.other < 0 or own.other not in self.depths:
            return None
        crossing = self._crossing(own.other)
        return own.other if crossing is not None and crossing.other == k else None

    def _crossing(self, k: int) -> Hinge | None:
        """The hinge of a child whose axis crosses the body's own axis at its hinge."""
        member = self.members[k]
        own = member.own
        if own is None or own.kind != "turn":
            return None
        for one in member.children:
            meets = np.linalg.norm(one.point - own.point) < 1e-9 * self.length
            if one.kind == "turn" and meets and np.linalg.norm(np.cross(one.axis, own.axis)) > 1e-6:
                return one
        return None

    def _turns_inside(self, k: int) -> bool:
        """Whether a body without an offset turns in a ring."""
        member = self.members[k]
        is_centred = not member.ends and np.linalg.norm(member.com - member.anchor) < 1e-9 * self.length
        return bool(is_centred) and self._outside(k) is not None

    # --- shapes ------------------------------------------------------------------------------------

    def shapes(self, k: int) -> list[Shape]:
        """The ring of body k, or the platform, with its pins."""
        member = self.members[k]
        own, crossing = member.own, self._crossing(k)
        assert own is not None
        radius = self.radius(k)
        reach = self.length * BEARING if self._outside(k) is None else radius / SHRINK
        if crossing is None:
            return [*self._platform(member, own, 0.8 * radius), *self._pins(own, 0.0, reach)]
        normal = np.cross(own.axis, crossing.axis)
        ring: Shape = {"kind": "ring", "radius": radius, "tube": TUBE * self.length}
        return [placed(ring, own.point, normal), *self._pins(own, radius, reach)]

    def radius(self, k: int) -> float:
        return float(self.length * SHRINK ** self.depths[k])

    def _pins(self, own: Hinge, start: float, reach: float) -> list[Shape]:
        return [
            bar(own.point + side * start * own.axis, own.point + side * reach * own.axis, PIN * self.length)
            for side in (1.0, -1.0)
        ]

    def _platform(self, member: Member, own: Hinge, radius: float) -> list[Shape]:
        """A disc across its axis; a box where its moments differ."""
        radii, axes = ellipsoid(member.mass, member.inertia)
        if np.max(radii, initial=0.0) > 1.02 * np.min(radii):
            return [self._box(member, radii, axes, radius)]
        return rotor(own.point, own.axis, radius)

    def _box(self, member: Member, radii: Vector, axes: Vector, radius: float) -> Shape:
        sides = 1.3 * radius * np.maximum(radii / np.max(radii), 0.12)
        box: Shape = {"kind": "box", "size": numbers(sides), "position": numbers(member.com)}
        return {**box, "quaternion": numbers(quaternion_of(axes))}

    def bearings(self, k: int) -> list[Shape]:
        """What holds an outermost ring in the world."""
        base = self.members[k].base
        if base is None or base.other != -1:
            return []
        block: Shape = {"kind": "cylinder", "radius": 0.06 * self.length, "length": 0.1 * self.length}
        places = [base.point + side * BEARING * self.length * base.axis for side in (1.0, -1.0)]
        return [placed(block, one, base.axis) for one in places]
