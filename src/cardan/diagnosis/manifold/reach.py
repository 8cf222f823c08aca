"""The manifold that a chain of joints sweeps, where masses at its end see a place, an orientation or a direction.

Geometry is in numbers, at the values of the parameters. What sees both place and orientation is in ``poses.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.manifold.shapes import FACTORS, NONE, SMALL, Shape, Sweep, point, slide, spin, turn

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Step:
    """A joint of a chain: placed on the one before by (R, p), then "turn", "slide" or "spin" with a coordinate."""

    kind: str
    axis: Vector
    R: Vector
    p: Vector
    name: str  # of the coordinate or quaternion


@dataclass(frozen=True)
class Reach:
    """Factors by the coordinates they belong to; ``faithful``: every coordinate is determined by what is seen."""

    factors: tuple[tuple[str, tuple[str, ...]], ...] = ()
    faithful: bool = True
    unused: tuple[str, ...] = ()  # coordinates that move nothing seen
    undecided: str = ""
    why: str = ""


OWN = {"turn": "S1", "slide": "E"}


def own_factors(steps: Sequence[Step], unused: tuple[str, ...] = (), why: str = "") -> Reach:
    """Every joint a factor of its own."""
    kept = [step for step in steps if step.name not in unused and step.kind != "stay"]
    return Reach(tuple((OWN[step.kind], (step.name,)) for step in kept), not unused, unused, why=why)


# --- places ------------------------------------------------------------------------------------------


def places(steps: Sequence[Step], seen: Vector) -> Reach:
    """Where the point ``seen`` of the last link can be."""
    for step in steps:
        apart = _split(steps, step, seen)
        if apart is not None:
            return apart
    shape, sweeps = _swept(steps, seen)
    names = tuple(step.name for step in steps if step.kind != "stay")
    stuck = [one for one in sweeps.values() if one.how == "undecided"]
    if stuck:
        return Reach(faithful=False, undecided=stuck[0].why)
    unused = tuple(name for name in names if sweeps[name].how == "same")
    used = [step for step in steps if step.name not in unused and step.kind != "stay"]
    if all(sweeps[step.name].how == "grows" for step in used):
        return own_factors(steps, unused)
    together = tuple(step.name for step in used)
    kinds = FACTORS[shape.name]
    what = f"{listed(together)} sweep a {shape.name}, in which some places have no unique {listed(together)}"
    if len(set(kinds)) == 1 and kinds[0] == "E":
        return Reach(((f"E{len(kinds)}", together),), False, unused, why=what)
    return Reach(tuple((kind, together) for kind in kinds), False, unused, why=what)


def _split(steps: Sequence[Step], step: Step, seen: Vector) -> Reach | None:
    """A slide whose direction is fixed in the base, out of the span of what the others sweep, is a factor by itself."""
    if step.kind != "slide" or len(steps) == 1:
        return None
    before = steps[: list(steps).index(step)]
    R = np.eye(3)
    for one in before:
        R = R @ one.R
        if one.kind == "spin":
            return None
    direction = R @ step.R @ step.axis
    at = np.eye(3)
    for one in before:
        at = at @ one.R
        if one.kind == "turn" and np.linalg.norm(np.cross(at @ one.axis, direction)) > SMALL:
            return None
    others = _without(steps, step)
    shape, sweeps = _swept(others, seen)
    if any(one.how == "undecided" for one in sweeps.values()):
        return None
    free = {"point": True, "line": float(np.linalg.norm(np.cross(shape.direction, direction))) > SMALL}
    free |= dict.fromkeys(("plane", "circle"), abs(float(shape.direction @ direction)) > SMALL)
    if not free.get(shape.name, False):
        return None
    rest = places(others, seen)
    return replace(rest, factors=(*rest.factors, ("E", (step.name,))))


def _without(steps: Sequence[Step], step: Step) -> list[Step]:
    """The chain with one joint held at zero: its placement goes to the next one, or is lost at the end."""
    found: list[Step] = []
    R, p = np.eye(3), NONE
    for one in steps:
        if one is step:
            R, p = one.R, one.p
            continue
        found.append(replace(one, R=R @ one.R, p=R @ one.p + p))
        R, p = np.eye(3), NONE
    if np.any(p) or not np.array_equal(R, np.eye(3)):  # the last joint was taken away: keep its placement as a stay
        found.append(Step("stay", NONE, R, p, ""))
    return found


def _swept(steps: Sequence[Step], seen: Vector) -> tuple[Shape, dict[str, Sweep]]:
    """From the point back to the base, one joint at a time."""
    length = length_of(steps, seen)
    shape, sweeps = point(seen), {}
    for step in reversed(list(steps)):
        if step.kind != "stay":
            if step.kind == "spin":
                swept = spin(shape, length)
            else:
                swept = (turn if step.kind == "turn" else slide)(shape, step.axis, length)
            sweeps[step.name] = swept
            shape = swept.shape
        shape = shape.moved(step.R, step.p)
    return shape, sweeps


# --- orientations ------------------------------------------------------------------------------------


def orientations(steps: Sequence[Step]) -> Reach:
    """Which rotations the last link can have; slides do not matter to it."""
    if any(step.kind == "slide" for step in steps):
        sliding = listed([step.name for step in steps if step.kind == "slide"])
        return Reach(faithful=False, undecided=f"{sliding} slide a body that has inertia but no mass")
    turning = [step for step in steps if step.kind in ("turn", "spin")]
    names = tuple(step.name for step in turning)
    if any(step.kind == "spin" for step in turning):
        return Reach((("RP3", names),), False, why=f"{listed(names)} gives every rotation")
    axes = _axes(steps)
    if len(turning) == 1:
        return own_factors(turning)
    groups = _merged(axes)
    if len(groups) == 1:
        return Reach((("S1", names),), False, why=f"{listed(names)} turn about one axis; only their sum matters")
    if len(groups) == 2:
        if len(turning) == 2:
            return own_factors(turning, why="two turns about different axes: no rotation is reached twice")
        return Reach(tuple(("S1", tuple(names[k] for k in group)) for group in groups), False)
    for i in range(len(groups) - 2):
        a, b, c = (axes[groups[i + k][0]] for k in range(3))
        if abs(float(a @ b)) < SMALL and abs(float(b @ c)) < SMALL:
            why = f"{listed(names)} are turns about axes each across the next: Euler angles, which reach every rotation"
            return Reach((("RP3", names),), False, why=why)
    return Reach(faithful=False, undecided=f"the turns {listed(names)} do not reach every rotation")


def _axes(steps: Sequence[Step]) -> list[Vector]:
    """Axes of the turns in the base, all joints at zero."""
    R, found = np.eye(3), []
    for step in steps:
        R = R @ step.R
        if step.kind == "turn":
            found.append(R @ step.axis)
    return found


def _merged(axes: Sequence[Vector]) -> list[list[int]]:
    """Indices of neighbouring axes that are parallel, together."""
    groups: list[list[int]] = []
    for k, axis in enumerate(axes):
        if groups and float(np.linalg.norm(np.cross(axes[groups[-1][-1]], axis))) < SMALL:
            groups[-1].append(k)
        else:
            groups.append([k])
    return groups


def directions(steps: Sequence[Step], axis: Vector) -> Reach:
    """Where a direction of the last link can point: the place of a point at distance 1 on a chain without lengths."""
    if any(step.kind == "slide" for step in steps):
        return Reach(faithful=False, undecided="slides carry a rod that has inertia but no mass")
    return places([replace(step, p=NONE) for step in steps], axis)


def length_of(steps: Sequence[Step], seen: Vector = NONE) -> float:
    """The longest arm of the chain, or 1 where it has none."""
    return max([float(np.linalg.norm(seen)), *(float(np.linalg.norm(step.p)) for step in steps)]) or 1.0


def listed(names: Sequence[str]) -> str:
    return ", ".join(name for name in names if name)
