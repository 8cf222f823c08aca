"""Meshes with fewer triangles, so that a page stays small.

Vertices in one cell of a grid become one, placed where it is nearest to the planes of all triangles that meet there
[Lindstrom2000, section 3]: edges and corners stay sharp, where a mean would round them off.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.formats.triangles import Triangles

Numbers = NDArray[np.float64]
Indices = NDArray[np.int64]

FINEST, COARSEST = 256, 4  # cells along the longest side
TOWARDS_MEAN = 0.03  # how much the mean of a cell counts beside its planes, which may leave a direction open


def gathered(mesh: Triangles, most: int) -> Triangles:
    """A mesh with at most so many triangles, or as few as the coarsest grid leaves."""
    cells = min(FINEST, max(COARSEST, 2 * round(most**0.5)))
    found = mesh
    while len(found.faces) > most and cells >= COARSEST:
        found, cells = on_grid(mesh, cells), cells * 4 // 5
    return found


def shares(counts: Sequence[int], budget: int) -> list[int]:
    """How many triangles each of several meshes may keep: small ones all, the others equal parts of what is left."""
    found, left = [0] * len(counts), budget
    order = sorted(range(len(counts)), key=counts.__getitem__)
    for done, k in enumerate(order):
        found[k] = min(counts[k], left // (len(order) - done))
        left -= found[k]
    return found


def on_grid(mesh: Triangles, cells: int) -> Triangles:
    """The mesh on a grid of so many cells along its longest side."""
    low = mesh.vertices.min(axis=0)
    size = float(np.max(mesh.vertices.max(axis=0) - low)) or 1.0
    places = np.floor((mesh.vertices - low) / size * cells).astype(np.int64)
    _, which = np.unique(_numbered(places, cells + 1), return_inverse=True)
    which = which.ravel()
    vertices = _representatives(mesh, which, size / cells)
    faces = which[mesh.faces]
    kept = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    _, first = np.unique(_numbered(faces[kept], len(vertices)), return_index=True)
    return Triangles(vertices, faces[kept][first])


def _representatives(mesh: Triangles, which: Indices, cell: float) -> Numbers:
    """One vertex for each cell: the least sum of squared distances to planes, kept within a cell of the mean."""
    count = np.bincount(which)
    mean = np.stack([np.bincount(which, mesh.vertices[:, k]) / count for k in range(3)], axis=1)
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    size = np.linalg.norm(across, axis=1)
    n = across / np.where(size > 0, size, 1.0)[:, None]
    A, right = np.zeros((len(count), 3, 3)), np.zeros((len(count), 3))
    for k in range(3):  # each corner brings the plane of its triangle
        owner = which[mesh.faces[:, k]]
        offset = np.einsum("ij,ij->i", n, a - mean[owner])  # distances from the mean
        for i in range(3):
            right[:, i] += np.bincount(owner, size * offset * n[:, i], len(count))
            for j in range(3):
                A[:, i, j] += np.bincount(owner, size * n[:, i] * n[:, j], len(count))
    held = TOWARDS_MEAN * np.trace(A, axis1=1, axis2=2) / 3
    A += np.where(held > 0, held, 1.0)[:, None, None] * np.eye(3)
    move = np.linalg.solve(A, right[..., None])[..., 0]
    far = np.linalg.norm(move, axis=1) > cell
    return np.asarray(np.where(far[:, None], mean, mean + move))


def _numbered(triples: Indices, base: int) -> Indices:
    """Each triple of numbers below the base as one number."""
    return np.asarray((triples[:, 0] * base + triples[:, 1]) * base + triples[:, 2])
