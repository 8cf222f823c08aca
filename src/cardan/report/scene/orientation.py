"""Orientations along a motion as unit quaternions (w, x, y, z) that never jump."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def quaternions(R: Vector) -> Vector:
    """Unit quaternions of rotation matrices (N, 3, 3), with signs chosen so that neighbours are close."""
    return continuous(_principal(R))


def _principal(R: Vector) -> Vector:
    """By the largest of the four components, which is never small; the others follow from products with it."""
    xx, yy, zz = R[:, 0, 0], R[:, 1, 1], R[:, 2, 2]
    squares = np.stack([1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz], axis=1)  # 4 e_k^2
    a, b, c = R[:, 2, 1] - R[:, 1, 2], R[:, 0, 2] - R[:, 2, 0], R[:, 1, 0] - R[:, 0, 1]  # 4 w (x, y, z)
    p, q, r = R[:, 0, 1] + R[:, 1, 0], R[:, 0, 2] + R[:, 2, 0], R[:, 1, 2] + R[:, 2, 1]  # 4 (xy, xz, yz)
    products = np.stack(
        [
            np.stack([squares[:, 0], a, b, c], axis=1),
            np.stack([a, squares[:, 1], p, q], axis=1),
            np.stack([b, p, squares[:, 2], r], axis=1),
            np.stack([c, q, r, squares[:, 3]], axis=1),
        ],
        axis=1,
    )
    largest = products[np.arange(len(R)), np.argmax(squares, axis=1)]
    return np.asarray(largest / np.linalg.norm(largest, axis=1, keepdims=True))


def continuous(e: Vector) -> Vector:
    """The same rotations with the sign of each quaternion next to its neighbour's."""
    turns = np.sum(e[1:] * e[:-1], axis=1) < 0
    signs = np.where(np.cumsum(turns) % 2 == 1, -1.0, 1.0)
    return np.concatenate([e[:1], e[1:] * signs[:, None]])


def turning(source: Vector, target: Vector) -> Vector:
    """The unit quaternions of the shortest turns that take one direction (3,) to others (N, 3)."""
    a = np.broadcast_to(source / np.linalg.norm(source), target.shape)
    sizes = np.linalg.norm(target, axis=1, keepdims=True)
    b = np.where(sizes > 0, target / np.where(sizes > 0, sizes, 1.0), a)
    w = 1.0 + np.sum(a * b, axis=1)
    e = np.concatenate([w[:, None], np.cross(a, b)], axis=1)
    opposite = w < 1e-12  # half a turn about anything perpendicular
    if np.any(opposite):
        e[opposite] = np.concatenate([[0.0], perpendicular(a[0])])
    return np.asarray(e / np.linalg.norm(e, axis=1, keepdims=True))


def turn(source: Vector, target: Vector) -> Vector:
    """The unit quaternion of the shortest turn that takes one direction to another."""
    return np.asarray(turning(np.asarray(source, dtype=float), np.asarray(target, dtype=float)[None])[0])


def perpendicular(direction: Vector) -> Vector:
    """A unit vector perpendicular to a direction."""
    other = np.eye(3)[int(np.argmin(np.abs(direction)))]
    found = np.cross(direction, other)
    return np.asarray(found / np.linalg.norm(found))


def matrix(e: Vector) -> Vector:
    """The rotation matrix of a unit quaternion."""
    w, x, y, z = e
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
