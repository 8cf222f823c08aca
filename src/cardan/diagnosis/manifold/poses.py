"""The manifold that a chain of joints sweeps, as the masses at its end see it: mostly place and orientation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.manifold.observers import LinkMass
from cardan.diagnosis.manifold.reach import (
    Reach,
    Step,
    directions,
    length_of,
    listed,
    orientations,
    own_factors,
    places,
)
from cardan.diagnosis.manifold.shapes import NONE, SMALL

Vector = NDArray[np.float64]
GRID = 12  # orientations tried per turn when slides are compared


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


def poses(steps: Sequence[Step]) -> Reach:
    """Which poses the last link can have."""
    turning = [step for step in steps if step.kind in ("turn", "spin")]
    sliding = [step for step in steps if step.kind == "slide"]
    if not turning:
        return Reach(faithful=False, undecided=f"the slides {listed([s.name for s in sliding])} depend on each other")
    rotated = orientations([replace(step, kind="stay") if step.kind == "slide" else step for step in steps])
    if rotated.undecided:
        return rotated
    if rotated.faithful:
        if _slides_differ(steps):
            return own_factors(
                steps, why="the orientation determines the turns, and then the place determines the slides"
            )
        return Reach(faithful=False, undecided="slides become parallel in some orientation")
    if rotated.factors[0][0] == "RP3":
        if _concurrent(steps) and _slides_differ(steps, outside=True):
            slides = tuple(("E", (step.name,)) for step in sliding)
            why = f"{rotated.why}; their axes meet in a point, whose place the slides give"
            return Reach((*slides, *rotated.factors), False, why=why)
        return Reach(faithful=False, undecided="the axes of the turns do not meet in one point")
    if len(turning) == 2 and not sliding and _distance(*_lines(steps)) > SMALL * length_of(steps):
        return own_factors(
            steps, why="two turns about parallel axes: the place of the second axis tells the first angle"
        )
    return Reach(faithful=False, undecided="turns about parallel axes with massless links between them")


def _rod(steps: Sequence[Step], mass: LinkMass) -> Reach:
    """Place and direction of a rod."""
    sliding = [step for step in steps if step.kind == "slide"]
    centre = _centre(steps)
    if centre is None or not _slides_differ(steps, outside=True):
        return Reach(faithful=False, undecided="a rod whose joints do not turn about one point")
    arm = mass.centre - centre
    if float(np.linalg.norm(np.cross(arm, mass.axis))) > SMALL * length_of(steps, mass.centre):
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
    if float(np.linalg.norm(np.vstack(rows) @ meet - right)) > SMALL * length_of(steps):
        return None
    R, p = np.eye(3), NONE
    for step in steps:
        p, R = p + R @ step.p, R @ step.R
    back: Vector = R.T @ (meet - p)
    return back
