"""What a body without a shape of its own looks like, found from its joints and its inertia.

A body with joints is a bar from its hinge to each point where something else is joined, a body in gimbals a ring
(``gimbals.py``), a floating one the uniform ellipsoid of the same mass and inertia.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.report.data.arrays import numbers
from cardan.report.data.entries import Shape
from cardan.report.scene.orientation import quaternions, turn
from cardan.report.scene.skeleton import Member

Vector = NDArray[np.float64]

Z = np.array([0.0, 0.0, 1.0])
THIN = 0.025  # radius of a bar, of the typical length
BEAD = 0.05  # radius of a point mass
FLATTEST = 0.12  # of the largest radius: what has no extent in some direction still shows
ROD = 0.05  # moments of a rod: the smallest is below this part of the largest
ROUND = 1.02  # radii of a ball: the largest is below this multiple of the smallest
CARRIED = 0.35  # of the typical length: what hangs on a joint is drawn no larger, or it hides the mechanism
PLATE = 0.4  # width of a plate over its length


def bar(start: Vector, end: Vector, radius: float) -> Shape:
    return {"kind": "bar", "from": numbers(start), "to": numbers(end), "radius": radius}


def placed(shape: Shape, position: Vector, axis: Vector | None = None) -> Shape:
    """A shape moved to a position, and its z axis turned to ``axis``."""
    found: Shape = {**shape, "position": numbers(position)}
    return found if axis is None else {**found, "quaternion": numbers(turn(Z, axis))}


def inferred(member: Member, length: float) -> list[Shape]:
    """Bars between joints, and the mass where it is not on them."""
    anchor = member.anchor
    ends = distinct([one for one in member.ends if np.linalg.norm(one - anchor) > 1e-6 * length])
    shapes = [bar(anchor, one, THIN * length) for one in ends]
    if member.own is not None and not ends and np.linalg.norm(member.com - anchor) > 1e-6 * length:
        rod = _rod(member)
        tip = member.com if rod is None else member.com + rod * _outward(rod, member.com - anchor)
        shapes = [bar(anchor, tip, THIN * length)]
        return shapes if rod is not None else shapes + mass_shapes(member, length)
    if member.own is not None and member.own.kind == "slide":
        return [*shapes, slider(member, length)]
    if not member.mass and member.children:  # only carries others, and what its inertia looks like is anybody's guess
        return shapes
    flat = member.body.joint.drawing(member.body.name).normal
    if flat is not None and not ends and member.mass:
        return plate(member, np.array(flat, dtype=float))
    if not ends and member.own is not None and member.own.kind == "turn":
        radius = float(np.max(ellipsoid(member.mass, member.inertia)[0])) if member.mass else length
        return rotor(anchor, member.own.axis, min(radius, 0.7 * CARRIED * length) or BEAD * length)
    on_bars = any(distance_to_bar(member.com, anchor, one) < 0.1 * length for one in ends)
    return shapes if on_bars else shapes + mass_shapes(member, length)


def mass_shapes(member: Member, length: float) -> list[Shape]:
    """The uniform ellipsoid of the same mass and inertia; a bead where there is mass without inertia."""
    radii, axes = ellipsoid(member.mass, member.inertia)
    if not np.any(radii):
        return [placed({"kind": "sphere", "radius": BEAD * length}, member.com)] if member.mass else []
    if not member.mass:
        radii = 0.3 * length * radii / np.max(radii)
    elif member.own is not None:
        most = CARRIED * length * (0.5 if member.children else 1.0)
        radii = radii * min(1.0, most / np.max(radii))
    radii = np.maximum(radii, FLATTEST * np.max(radii))
    if np.max(radii) < ROUND * np.min(radii):
        return ball(float(np.mean(radii)), member.com)
    found: Shape = {"kind": "ellipsoid", "radii": numbers(radii), "position": numbers(member.com)}
    return [{**found, "quaternion": numbers(quaternion_of(axes))}]


def ball(radius: float, centre: Vector) -> list[Shape]:
    """A sphere with two great circles that show how it turns."""
    circle: Shape = {"kind": "ring", "radius": radius, "tube": 0.025 * radius}
    around = [placed(circle, centre, axis) for axis in np.eye(3)[:2]]
    return [placed({"kind": "sphere", "radius": radius}, centre), *around]


def rotor(centre: Vector, axis: Vector, radius: float) -> list[Shape]:
    """A disc across its axis, with a mark that shows how it turns."""
    disc: Shape = {"kind": "cylinder", "radius": radius, "length": 0.16 * radius}
    side = np.eye(3)[int(np.argmin(np.abs(axis)))]
    side = side - (side @ axis) * axis
    rim, top = 0.86 * radius * side / np.linalg.norm(side), 0.08 * radius * axis
    return [placed(disc, centre, axis), bar(centre + top, centre + top + rim, 0.07 * radius)]


def plate(member: Member, normal: Vector) -> list[Shape]:
    """The uniform plate with the moment of what moves in a plane: I = m (a^2 + b^2) / 12."""
    moment = float(normal @ member.inertia @ normal)
    a = np.sqrt(12 * moment / (member.mass * (1 + PLATE**2)))
    if not a:
        return []
    sides = {"z": (a, PLATE * a, 0.1 * a), "y": (a, 0.1 * a, PLATE * a), "x": (0.1 * a, a, PLATE * a)}
    kind = "xyz"[int(np.argmax(np.abs(normal)))]
    return [placed({"kind": "box", "size": numbers(sides[kind])}, member.com)]


def ellipsoid(mass: float, inertia: Vector) -> tuple[Vector, Vector]:
    """(semi-axes, principal axes as columns) of the uniform ellipsoid with this mass and inertia.

    A moment is m (b^2 + c^2)/5; so a^2 = 5 (I_b + I_c - I_a) / (2 m). With no mass only the ratios have a meaning.
    """
    moments, axes = np.linalg.eigh(inertia)
    if np.linalg.det(axes) < 0:
        axes[:, 2] = -axes[:, 2]
    spread = np.sum(moments) - 2 * moments
    return np.sqrt(np.maximum(2.5 * spread / (mass or 1.0), 0.0)), axes


def quaternion_of(axes: Vector) -> Vector:
    """The unit quaternion whose matrix has these columns."""
    return np.asarray(quaternions(axes[None])[0])


def slider(member: Member, length: float) -> Shape:
    """A block on a rail."""
    axis = Z if member.own is None else member.own.axis
    block: Shape = {"kind": "box", "size": [0.14 * length, 0.14 * length, 0.22 * length]}
    return placed(block, member.anchor, axis)


def _rod(member: Member) -> Vector | None:
    """From the centre of mass to one end of the thin rod with this inertia; None where it is no rod."""
    moments, axes = np.linalg.eigh(member.inertia)
    if not member.mass or moments[2] <= 0 or moments[0] > ROD * moments[2] or moments[1] < 0.5 * moments[2]:
        return None
    return np.asarray(axes[:, 0] * np.sqrt(3 * moments[2] / member.mass))


def _outward(rod: Vector, arm: Vector) -> float:
    """The sign that points away from the hinge, or 0 where the rod lies across."""
    along = float(rod @ arm) / float(np.linalg.norm(rod) * np.linalg.norm(arm))
    return float(np.sign(along)) if abs(along) > 0.99 else 0.0


def distinct(points: Sequence[Vector]) -> list[Vector]:
    """The points without repetitions."""
    kept: list[Vector] = []
    for one in points:
        if not any(np.allclose(one, other, rtol=1e-9, atol=0.0) for other in kept):
            kept.append(one)
    return kept


def distance_to_bar(point: Vector, start: Vector, end: Vector) -> float:
    along = end - start
    part = float(np.clip((point - start) @ along / (along @ along), 0.0, 1.0))
    return float(np.linalg.norm(point - start - part * along))
