"""The manifold that a chain of joints sweeps, as far as the masses at its end see it.

Rules by what is seen: places (``shapes.py``), orientations, directions, and poses, which are both. Geometry is in
numbers, at the values of the parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.observers import LinkMass
from cardan.diagnosis.shapes import FACTORS, NONE, SMALL, Shape, Sweep, point, slide, spin, turn

Vector = NDArray[np.float64]
GRID = 12  # angles tried per turn when slides are compared in all orientations


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


def _own(steps: Sequence[Step], unused: tuple[str, ...] = (), why: str = "") -> Reach:
    """Every joint a factor of its own."""
    kept = [step for step in steps if step.name not in unused and step.kind != "stay"]
    return Reach(tuple((OWN[step.kind], (step.name,)) for step in kept), not unused, unused, why=why)


def reach(steps: Sequence[Step], mass: LinkMass) -> Reach:
    """What the masses of the last link see of the chain."""
    if not steps:
        return Reach()
    if mass.sees == "position":
        return places(steps, mass.centre)
    if mass.sees == "rotation":
        return orientations(steps)
    if mass.sees == "direction":
        return directions(steps, mass.axis)
    first = places(steps, mass.centre)
    if first.faithful and not first.undecided:
        return first
    if mass.sees == "position and direction":
        return _rod(steps, mass)
    return poses(steps)


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
        return _own(steps, unused)
    together = tuple(step.name for step in used)
    kinds = FACTORS[shape.name]
    what = f"{_listed(together)} sweep a {shape.name}, in which some places have no unique {_listed(together)}"
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
    length = _length(steps, seen)
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
        sliding = _listed([step.name for step in steps if step.kind == "slide"])
        return Reach(faithful=False, undecided=f"{sliding} slide a body that has inertia but no mass")
    turning = [step for step in steps if step.kind in ("turn", "spin")]
    names = tuple(step.name for step in turning)
    if any(step.kind == "spin" for step in turning):
        return Reach((("RP3", names),), False, why=f"{_listed(names)} gives every rotation")
    axes = _axes(steps)
    if len(turning) == 1:
        return _own(turning)
    groups = _merged(axes)
    if len(groups) == 1:
        return Reach((("S1", names),), False, why=f"{_listed(names)} turn about one axis; only their sum matters")
    if len(groups) == 2:
        if len(turning) == 2:
            return _own(turning, why="two turns about different axes: no rotation is reached twice")
        return Reach(tuple(("S1", tuple(names[k] for k in group)) for group in groups), False)
    for i in range(len(groups) - 2):
        a, b, c = (axes[groups[i + k][0]] for k in range(3))
        if abs(float(a @ b)) < SMALL and abs(float(b @ c)) < SMALL:
            why = (
                f"{_listed(names)} are turns about axes each across the next: Euler angles, which reach every rotation"
            )
            return Reach((("RP3", names),), False, why=why)
    return Reach(faithful=False, undecided=f"the turns {_listed(names)} do not reach every rotation")


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


# --- poses -------------------------------------------------------------------------------------------


def poses(steps: Sequence[Step]) -> Reach:
    """Which poses the last link can have."""
    turning = [step for step in steps if step.kind in ("turn", "spin")]
    sliding = [step for step in steps if step.kind == "slide"]
    if not turning:
        return Reach(faithful=False, undecided=f"the slides {_listed([s.name for s in sliding])} depend on each other")
    rotated = orientations([replace(step, kind="stay") if step.kind == "slide" else step for step in steps])
    if rotated.undecided:
        return rotated
    if rotated.faithful:
        if _slides_differ(steps):
            return _own(steps, why="the orientation determines the turns, and then the place determines the slides")
        return Reach(faithful=False, undecided="slides become parallel in some orientation")
    if rotated.factors[0][0] == "RP3":
        if _concurrent(steps) and _slides_differ(steps, outside=True):
            slides = tuple(("E", (step.name,)) for step in sliding)
            why = f"{rotated.why}; their axes meet in a point, whose place the slides give"
            return Reach((*slides, *rotated.factors), False, why=why)
        return Reach(faithful=False, undecided="the axes of the turns do not meet in one point")
    if len(turning) == 2 and not sliding and _distance(*_lines(steps)) > SMALL * _length(steps):
        return _own(steps, why="two turns about parallel axes: the place of the second axis tells the first angle")
    return Reach(faithful=False, undecided="turns about parallel axes with massless links between them")


def _rod(steps: Sequence[Step], mass: LinkMass) -> Reach:
    """Place and direction of a rod."""
    sliding = [step for step in steps if step.kind == "slide"]
    centre = _centre(steps)
    if centre is None or not _slides_differ(steps, outside=True):
        return Reach(faithful=False, undecided="a rod whose joints do not turn about one point")
    arm = mass.centre - centre
    if float(np.linalg.norm(np.cross(arm, mass.axis))) > SMALL * _length(steps, mass.centre):
        return poses(steps)  # place and direction together tell every rotation
    pointed = directions([replace(s, kind="stay") if s.kind == "slide" else s for s in steps], mass.axis)
    slides = tuple(("E", (step.name,)) for step in sliding)
    return pointed if pointed.undecided else replace(pointed, factors=(*slides, *pointed.factors))


def _slides_differ(steps: Sequence[Step], outside: bool = False) -> bool:
    """Whether the directions of the slides are independent in every orientation (tried on a grid of angles).

    With ``outside`` all slides must come before the turns, or all after them.
    """
    kinds = [step.kind for step in steps if step.kind != "stay"]
    sliding = kinds.count("slide")
    order = [kind == "slide" for kind in kinds]
    if outside and order not in (sorted(order), sorted(order, reverse=True)):
        return False
    if sliding < 2:
        return True
    count = sum(1 for kind in kinds if kind != "slide")
    rng = np.random.default_rng(3)
    smallest = 1.0
    for _ in range(GRID ** min(count, 2)):
        directions_now, R = [], np.eye(3)
        for step in steps:
            R = R @ step.R
            if step.kind == "slide":
                directions_now.append(R @ step.axis)
            elif step.kind == "turn":
                R = R @ _about(step.axis, float(rng.choice(np.arange(8)) * np.pi / 4))
        smallest = min(smallest, float(np.linalg.svd(np.array(directions_now), compute_uv=False)[-1]))
    return sliding <= 3 and smallest > 1e-6


def _about(axis: Vector, angle: float) -> Vector:
    K = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    found: Vector = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return found


def _lines(steps: Sequence[Step]) -> list[tuple[Vector, Vector]]:
    """(place, direction) of the axes of turns in the base, all joints at zero."""
    R, p, found = np.eye(3), NONE, []
    for step in steps:
        p, R = p + R @ step.p, R @ step.R
        if step.kind in ("turn", "spin"):
            found.append((p, R @ step.axis))
    return found


def _distance(one: tuple[Vector, Vector], other: tuple[Vector, Vector]) -> float:
    return float(np.linalg.norm(np.cross(other[0] - one[0], one[1])))


def _concurrent(steps: Sequence[Step]) -> bool:
    return any(step.kind == "spin" for step in steps) or _centre(steps) is not None


def _centre(steps: Sequence[Step]) -> Vector | None:
    """The point, in the frame of the last link, where the axes of all turns meet; None where they do not."""
    lines = _lines(steps)
    rows = [np.eye(3) - np.outer(d, d) for _, d in lines]
    right = np.concatenate([row @ p for row, (p, _) in zip(rows, lines, strict=True)])
    meet = np.linalg.lstsq(np.vstack(rows), right, rcond=1e-9)[0]
    if float(np.linalg.norm(np.vstack(rows) @ meet - right)) > SMALL * _length(steps):
        return None
    R, p = np.eye(3), NONE
    for step in steps:
        p, R = p + R @ step.p, R @ step.R
    back: Vector = R.T @ (meet - p)
    return back


def _length(steps: Sequence[Step], seen: Vector = NONE) -> float:
    """The longest arm of the chain, or 1 where it has none."""
    return max([float(np.linalg.norm(seen)), *(float(np.linalg.norm(step.p)) for step in steps)]) or 1.0


def _listed(names: Sequence[str]) -> str:
    return ", ".join(name for name in names if name)
