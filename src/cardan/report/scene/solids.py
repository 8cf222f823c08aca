"""Shapes of a scene as polygons, for pictures without a graphics card."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.report.data.arrays import unpacked
from cardan.report.data.entries import Packed, Shape
from cardan.report.scene.orientation import matrix, turn

Vector = NDArray[np.float64]
Polygons = Vector  # (faces, corners, 3)

AROUND = 18  # corners of a circle
Z = np.array([0.0, 0.0, 1.0])


def polygons(shape: Shape) -> Polygons:
    """The faces of a shape in the frame that carries it; four corners each, the last repeated for triangles."""
    kind = shape["kind"]
    if kind == "bar":
        start, end = np.array(shape["from"], dtype=float), np.array(shape["to"], dtype=float)
        tube = _tube(float(shape["radius"]), float(np.linalg.norm(end - start)))
        faces = _moved(tube, matrix(turn(Z, end - start)), (start + end) / 2)
    elif kind in ("sphere", "ellipsoid"):
        radii = shape.get("radii") or [shape["radius"]] * 3
        faces = _ball() * np.array(radii, dtype=float)
    elif kind == "cylinder":
        faces = _tube(float(shape["radius"]), float(shape["length"]))
    elif kind == "box":
        faces = _cube() * np.array(shape["size"], dtype=float) / 2
    elif kind == "ring":
        faces = _ring(float(shape["radius"]), float(shape["tube"]))
    elif kind == "plane":
        flat = float(shape["extent"]) * np.array([[[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]], dtype=float)
        faces = _moved(flat, matrix(turn(Z, np.array(shape["normal"], dtype=float))), np.array(shape["point"]))
    else:
        corners, triangles = _table(shape["vertices"], 3), _table(shape["faces"], 3)
        faces = corners[triangles.astype(int)][:, [0, 1, 2, 2]]
    R = matrix(np.array(shape.get("quaternion", [1, 0, 0, 0]), dtype=float))
    return _moved(faces, R, np.array(shape.get("position", [0, 0, 0]), dtype=float))


def _table(values: Packed, columns: int) -> Vector:
    return unpacked(values).reshape(-1, columns)


def _moved(faces: Polygons, R: Vector, p: Vector) -> Polygons:
    return np.asarray(faces @ R.T + p)


def _patches(points: Vector) -> Polygons:
    """Quadrilaterals between the points of a grid (rows, columns, 3)."""
    corners = [points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]]
    return np.stack(corners, axis=2).reshape(-1, 4, 3)


def _ball() -> Polygons:
    a, b = np.meshgrid(np.linspace(0, 2 * np.pi, AROUND + 1), np.linspace(np.pi, 0, AROUND // 2 + 1))
    return _patches(np.stack([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)], axis=-1))


def _tube(radius: float, length: float) -> Polygons:
    """A closed cylinder about z."""
    a = np.linspace(0, 2 * np.pi, AROUND + 1)
    rows: Sequence[tuple[float, float]] = ((0.0, -0.5), (radius, -0.5), (radius, 0.5), (0.0, 0.5))
    return _patches(np.array([[[r * np.cos(x), r * np.sin(x), z * length] for x in a] for r, z in rows]))


def _ring(radius: float, tube: float) -> Polygons:
    a, b = np.meshgrid(np.linspace(0, 2 * np.pi, 2 * AROUND + 1), np.linspace(2 * np.pi, 0, 9))
    reach = radius + tube * np.cos(b)
    return _patches(np.stack([reach * np.cos(a), reach * np.sin(a), tube * np.sin(b)], axis=-1))


def _cube() -> Polygons:
    side = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]], dtype=float)
    turns = [np.roll(side, k, axis=1) for k in range(3)]
    return np.array([*turns, *(-one[::-1] for one in turns)])


def normals(faces: Polygons) -> Vector:
    """A unit normal of each face."""
    across = np.cross(faces[:, 2] - faces[:, 0], faces[:, 3] - faces[:, 1])
    size = np.linalg.norm(across, axis=1, keepdims=True)
    return np.asarray(across / np.where(size > 0, size, 1.0))
