"""What is only drawn (``s.draw``): where it is along a run, and what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.kinematics.tree import WORLD
from cardan.model.drawings import Drawing, Place
from cardan.model.frames import Point
from cardan.report.data.arrays import packed
from cardan.report.data.entries import Shape
from cardan.report.scene.appearance import BEAD, THIN, bar, placed, rotor
from cardan.report.scene.orientation import continuous, turning
from cardan.report.scene.skeleton import Values
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

Z = np.array([0.0, 0.0, 1.0])
COILS, AROUND, THICK = 9, 6, 0.16  # of a spring: turns, sides of its wire, and the wire's radius over the coil's
STRAIGHT = 0.12  # of a spring: the part at each end without a coil


def moves(run: Trajectory, drawing: Drawing) -> bool:
    """Whether anything of it depends on more than parameters."""
    constant = set(run.model.parameters)
    if any(sp.sympify(x).free_symbols - constant for x in drawing.expressions):
        return True
    tree = run.kernel.dynamics.full.lifted.tree
    return any(isinstance(one, Point) and tree.attachments[one.frame].link != WORLD for one in drawing.places)


def ends_of(drawing: Drawing, piece: int) -> tuple[Place, ...]:
    """The one or two places of a piece."""
    return drawing.places[piece : piece + 2]


def placed_points(drawing: Drawing, piece: int) -> list[Point]:
    """Those places of a piece that are points of frames."""
    return [one for one in ends_of(drawing, piece) if isinstance(one, Point)]


def places_along(run: Trajectory, drawing: Drawing, piece: int, table: Vector) -> list[Vector]:
    """The places of a piece along a run; ``table`` holds those of points of frames."""
    columns = iter(np.split(table, max(1, table.shape[1] // 3), axis=1))
    return [next(columns) if isinstance(one, Point) else along(run, one) for one in ends_of(drawing, piece)]


def along(run: Trajectory, parts: Sequence[sp.Expr]) -> Vector:
    """Three expressions along a run."""
    return np.stack([run.evaluate(x) for x in parts], axis=1)


def disc_turns(run: Trajectory, drawing: Drawing) -> Vector:
    """Quaternions of a disc: from z to its axis, then about it."""
    to_axis = continuous(turning(Z, along(run, drawing.axis)))
    half = (np.zeros(len(run)) if drawing.angle is None else run.evaluate(drawing.angle)) / 2
    c, s = np.cos(half), np.sin(half)
    w, x, y, z = to_axis.T  # times (c, 0, 0, s)
    return continuous(np.stack([w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s], axis=1))


def drawn_length(lengths: Vector) -> float:
    """The length that a rod is given before it is stretched: about its first one, so that its ends stay round."""
    known = lengths[np.isfinite(lengths) & (lengths > 0)]
    return float(f"{known[0]:.2g}") if len(known) else 1.0


def drawn_shapes(drawing: Drawing, length: float, typical: float, values: Values) -> list[Shape]:
    """The shapes of a drawing in its own frame: a rod of some ``length`` along z, a disc about z."""
    size = None if drawing.radius is None else values.number(drawing.radius)
    match drawing.kind:
        case "point":
            return [{"kind": "sphere", "radius": size or BEAD * typical}]
        case "disc":
            return rotor(np.zeros(3), Z, size or 0.3 * typical)
        case "spring":
            return [coil(size or 0.07 * typical, length)]
    thin = 0.5 * THIN if drawing.kind == "wire" else 0.8 * THIN
    return [bar(np.zeros(3), np.array([0.0, 0.0, length]), size or thin * typical)]


def standing_shapes(run: Trajectory, typical: float, values: Values) -> list[Shape]:
    """What is only drawn and does not move, in the world."""
    found: list[Shape] = []
    tree = run.kernel.dynamics.full.lifted
    for one in run.model.drawings:
        if moves(run, one):
            continue
        ends = [
            along(run, place)[0]
            if not isinstance(place, Point)
            else run.outputs(list(tree.point(place.frame, place.position)))[0]
            for place in one.places
        ]
        if len(ends) == 1:
            axis = disc_turns(run, one)[0] if one.kind == "disc" else None
            found += [_turned(shape, axis, ends[0]) for shape in drawn_shapes(one, 1.0, typical, values)]
        elif one.kind == "spring":
            span = float(np.linalg.norm(ends[1] - ends[0])) or 1.0
            found += [placed(shape, ends[0], ends[1] - ends[0]) for shape in drawn_shapes(one, span, typical, values)]
        else:
            (shape,) = drawn_shapes(one, 1.0, typical, values)
            found += [bar(a, b, float(shape["radius"])) for a, b in pairwise(ends)]
    return found


def _turned(shape: Shape, turn: Vector | None, position: Vector) -> Shape:
    """A shape about the origin, turned and moved."""
    found = placed(shape, position)
    return found if turn is None else {**found, "quaternion": turn.tolist()}


def coil(radius: float, length: float) -> Shape:
    """A helix along z with straight ends, as triangles."""
    turns = np.linspace(0.0, 1.0, 24 * COILS + 1)
    inner = np.clip((turns - STRAIGHT) / (1 - 2 * STRAIGHT), 0.0, 1.0)
    reach = radius * np.clip(np.minimum(turns, 1 - turns) / STRAIGHT - 0.6, 0.0, 0.4) / 0.4
    angle = 2 * np.pi * COILS * inner
    line = np.stack([reach * np.cos(angle), reach * np.sin(angle), length * turns], axis=1)
    out = np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=1)
    up = np.broadcast_to(Z, out.shape)
    side = 2 * np.pi * np.arange(AROUND) / AROUND
    wire = THICK * radius
    points = line[:, None] + wire * (np.cos(side)[:, None] * out[:, None] + np.sin(side)[:, None] * up[:, None])
    k, j = np.meshgrid(np.arange(len(line) - 1), np.arange(AROUND), indexing="ij")
    a, b = AROUND * k + j, AROUND * k + (j + 1) % AROUND
    c, d = a + AROUND, b + AROUND
    faces = np.concatenate([np.stack(x, axis=-1).reshape(-1, 3) for x in ((a, b, d), (a, d, c))])
    return {"kind": "mesh", "vertices": packed(points.reshape(-1, 3)), "faces": packed(faces)}
