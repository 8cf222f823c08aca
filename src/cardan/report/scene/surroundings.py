"""What stands around a mechanism: bearings, rails, planes, and the curves and plates that particles live on."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.geometry.scalar import Scalar
from cardan.kinematics.tree import WORLD, Tree
from cardan.model.bodies import Particle
from cardan.model.constraints import Connection, Rolling, RollingOver
from cardan.model.curvilinear import Curve, PolarCylindrical
from cardan.model.frames import Frame
from cardan.model.motions import Triple, unit_axis
from cardan.model.stops import Contact
from cardan.model.surfaces import CylinderSurface, SphereSurface
from cardan.model.variables import CoordinateVariable
from cardan.report.data.arrays import numbers
from cardan.report.data.entries import Shape
from cardan.report.data.symbols import TURN
from cardan.report.figures.curves import function_of
from cardan.report.scene.appearance import THIN, bar, placed
from cardan.report.scene.skeleton import Values
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

PIECES = 72  # bars of a curve
EXTENT = 1.6  # of a plane, in sizes of the scene


def bearing(point: Vector, axis: Vector | None, length: float) -> Shape:
    """A short cylinder about the axis of a hinge, a ball where it has none."""
    if axis is None:
        return placed({"kind": "sphere", "radius": 0.05 * length}, point)
    return placed({"kind": "cylinder", "radius": 0.06 * length, "length": 0.14 * length}, point, axis)


def in_world(tree: Tree, frame: Frame | None, values: Values) -> tuple[Vector, Vector] | None:
    """(rotation, position) of a frame that is fixed in the world."""
    place = None if frame is None else tree.attachments.get(frame)
    if place is None or place.link != WORLD:
        return None
    return values.array(place.rotation), values.array(place.position)


def connection_bearings(run: Trajectory, tree: Tree, values: Values, length: float) -> list[Shape]:
    """Bearings where connections join a body to the world."""
    found = []
    for one in run.model.constraints:
        if isinstance(one, Connection):
            for point in (one.first, one.second):
                fixed = in_world(tree, point.frame, values)
                if fixed is not None:
                    R, p = fixed
                    found.append(bearing(p + R @ values.array(point.position), None, length))
    return found


def planes(run: Trajectory, tree: Tree, values: Values, centre: Vector, size: float) -> list[Shape]:
    """Planes fixed in the world on which something rolls or that something meets, each once."""
    found: dict[tuple[Frame, Triple, str], Shape] = {}
    for one in (*run.model.constraints, *run.model.stops):
        if not isinstance(one, (Rolling, Contact)):
            continue
        fixed = (np.eye(3), np.zeros(3)) if one.surface is run.model.world else in_world(tree, one.surface, values)
        if fixed is not None:
            R, p = fixed
            normal = R @ np.array(one.normal, dtype=float)
            point = p + height(run, one) * normal
            below = centre - ((centre - point) @ normal) * normal  # under what moves
            key = (one.surface, one.normal, str(one.height))
            found[key] = {
                "kind": "plane",
                "normal": numbers(normal),
                "point": numbers(below),
                "extent": EXTENT * size,
            }
    return list(found.values())


def round_surfaces(run: Trajectory, tree: Tree, values: Values, size: float) -> list[Shape]:
    """Cylinders and spheres fixed in the world on which balls roll, seen through."""
    found = []
    for one in run.model.constraints:
        fixed = in_world(tree, one.surface, values) if isinstance(one, RollingOver) else None
        if isinstance(one, RollingOver) and one.surface is run.model.world:
            fixed = (np.eye(3), np.zeros(3))
        if fixed is None or not isinstance(one, RollingOver):
            continue
        R, p = fixed
        if isinstance(one.over, CylinderSurface):
            axis = R @ np.array(unit_axis(one.over.axis, one.name), dtype=float)
            tube: Shape = {"kind": "cylinder", "radius": values.number(one.over.radius), "length": 2 * EXTENT * size}
            found.append(placed({**tube, "opacity": 0.2}, p, axis))
        elif isinstance(one.over, SphereSurface):
            found.append(placed({"kind": "sphere", "radius": values.number(one.over.radius), "opacity": 0.2}, p))
    return found


def height(run: Trajectory, one: Rolling | Contact) -> float:
    """Of a plane over the origin of its frame; at the start where it moves."""
    return float(run.evaluate(one.height)[0])


# --- where particles live --------------------------------------------------------------------------


def tracks(run: Trajectory, tree: Tree, values: Values, length: float) -> list[Shape]:
    """Curves and plates, fixed in the world, that the coordinates of particles keep them on."""
    found = []
    for one in run.model.particles:
        fixed = in_world(tree, one.frame.parent, values)
        if fixed is None:
            continue
        if isinstance(one.coordinates, Curve):
            found += _curve(run, one.coordinates, *fixed, values, length)
        elif isinstance(one.coordinates, PolarCylindrical) and is_constant(run, one.coordinates.z):
            found.append(_circle_or_plate(run, one, *fixed, values, length))
    return found


def is_constant(run: Trajectory, expression: Scalar) -> bool:
    """Whether only parameters appear in it."""
    return not sp.sympify(expression).free_symbols - set(run.model.parameters)


def _circle_or_plate(run: Trajectory, one: Particle, R: Vector, p: Vector, values: Values, length: float) -> Shape:
    """A ring where the radius is constant, a plate where it is not."""
    assert isinstance(one.coordinates, PolarCylindrical)
    z = values.number(one.coordinates.z)
    middle = p + z * R[:, 2]
    if is_constant(run, one.coordinates.r):
        ring: Shape = {"kind": "ring", "radius": abs(values.number(one.coordinates.r)), "tube": 0.4 * THIN * length}
        return placed({**ring, "opacity": 0.7}, middle, R[:, 2])
    reach = float(np.max(np.linalg.norm(run.position(one) - middle, axis=1)))
    plate: Shape = {
        "kind": "cylinder",
        "radius": 1.1 * reach or length,
        "length": 0.01 * (reach or length),
        "opacity": 0.3,
    }
    return placed(plate, middle, R[:, 2])


def _curve(run: Trajectory, coordinates: Curve, R: Vector, p: Vector, values: Values, length: float) -> list[Shape]:
    """A wire along a curve of one parameter: the whole of it where that is an angle, else what was visited."""
    expressions = [sp.sympify(x).xreplace(values.table) for x in coordinates.position]
    symbols = {symbol for x in expressions for symbol in x.free_symbols}
    if len(symbols) != 1 or not symbols <= set(run.model.q):
        return []
    (u,) = symbols
    variable = next(one for one in run.model.free if isinstance(one, CoordinateVariable) and one.symbol == u)
    low, high = (0.0, TURN) if variable.domain.is_angle else (float(np.min(run[u])), float(np.max(run[u])))
    grid = np.linspace(low, high, PIECES + 1)
    local = np.stack([function_of(x, u)(grid) for x in expressions], axis=1)
    points = p + local @ R.T
    return [{**bar(a, b, 0.5 * THIN * length), "opacity": 0.8} for a, b in pairwise(points)]
