"""Mass, centre and inertia of a solid whose density changes from place to place, by integration over its volume.

m = int rho dV, m c = int rho r dV, I = int rho (|r|^2 1 - r r) dV: Choset (10.35) and (10.42). A region is the image of
the unit cube under r(u, v, w) with a known volume element, so that one product of Gauss rules serves all of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from cardan.errors import ModelError
from cardan.geometry.inertia import MassProperties

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Density = Callable[[Array, Array, Array], Array | float]
    Region = Callable[[Array, Array, Array], tuple[Array, Array, Array, Array]]  # x, y, z and the volume element

COARSE, FINE = 20, 28  # points in each direction; their difference is the error that is told
ACCURACY = 1e-8  # relative, of mass and moments


def box(a: float, b: float, c: float) -> Region:
    """A block with edges a, b, c about the origin."""
    return lambda u, v, w: (a * (u - 0.5), b * (v - 0.5), c * (w - 0.5), np.full_like(u, a * b * c))


def tube(inner: float, outer: float, length: float) -> Region:
    """A thick tube about z; a cylinder where the inner radius is 0."""

    def region(u: Array, v: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        r, turn = inner + (outer - inner) * u, 2 * math.pi * v
        return r * np.cos(turn), r * np.sin(turn), length * (w - 0.5), r * (outer - inner) * 2 * math.pi * length

    return region


def cone(radius: float, height: float) -> Region:
    """A cone with its base in the plane z = 0 and its tip at z = height."""

    def region(u: Array, v: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        edge, turn = radius * (1 - w), 2 * math.pi * v
        r = edge * u
        return r * np.cos(turn), r * np.sin(turn), height * w, r * edge * 2 * math.pi * height

    return region


def ellipsoid(a: float, b: float, c: float, lowest: float = -1.0) -> Region:
    """An ellipsoid with semi-axes a, b, c; from ``lowest`` = 0 its upper half."""

    def region(u: Array, v: Array, w: Array) -> tuple[Array, Array, Array, Array]:
        turn, height = 2 * math.pi * v, lowest + (1 - lowest) * w  # cosine of the angle from z
        across = u * np.sqrt(1 - height**2)
        element = u**2 * 2 * math.pi * (1 - lowest) * a * b * c
        return a * across * np.cos(turn), b * across * np.sin(turn), c * u * height, element

    return region


def weigh(region: Region, density: Density, name: str) -> MassProperties:
    """Mass properties of a region, refused where 20 and 28 points in each direction disagree."""
    rough, found = _moments(region, density, COARSE, name), _moments(region, density, FINE, name)
    m, second = found[0], float(found[4:7].sum())  # the radius of gyration is the length that errors are measured by
    sizes = np.array([m, *[math.sqrt(m * second)] * 3, *[second] * 6])
    error = float(np.max(np.abs(found - rough) / np.where(sizes > 0, sizes, 1.0)))
    if not error <= ACCURACY:
        raise ModelError(
            f"The density of {name!r} changes too quickly to be integrated: {COARSE} and {FINE} points in each "
            f"direction differ by {error:.1e} of the result. Cut the solid where the density jumps, and add the parts.",
            error=error,
        )
    return _properties(found, name)


def _moments(region: Region, density: Density, count: int, name: str) -> Array:
    """int rho (1, x, y, z, x^2, y^2, z^2, xy, xz, yz) dV."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    u, v, w = np.meshgrid(*[0.5 * (nodes + 1)] * 3, indexing="ij")
    x, y, z, element = region(u, v, w)
    rho = np.broadcast_to(np.asarray(density(x, y, z), dtype=float), x.shape)
    if not np.isfinite(rho).all() or rho.min() < 0:
        raise ModelError(f"The density of {name!r} must be finite and nowhere negative.", least=float(rho.min()))
    dm = rho * element * np.einsum("i,j,k->ijk", *[0.5 * weights] * 3)
    parts = (1.0, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z)
    return np.array([float(np.sum(dm * part)) for part in parts])


def _properties(moments: Array, name: str) -> MassProperties:
    m, *rest = (float(x) for x in moments)
    if not m > 0:
        raise ModelError(f"The density of {name!r} is zero everywhere: it has no mass.", mass=m)
    com = tuple(x / m for x in rest[:3])
    x, y, z = com
    xx, yy, zz, xy, xz, yz = rest[3] - m * x * x, rest[4] - m * y * y, rest[5] - m * z * z, *rest[6:]
    xy, xz, yz = xy - m * x * y, xz - m * x * z, yz - m * y * z
    return MassProperties(m, com, ((yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy)))


def mesh(points: Array, triangles: Array, density: float, name: str) -> MassProperties:
    """Mass properties of the inside of a closed surface, exactly: each triangle and the origin make a tetrahedron.

    Refused where an edge does not belong to two triangles that pass it in opposite directions.
    """
    _require_closed(triangles, name)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    volume = np.einsum("ti,ti->t", a, np.cross(b, c)) / 6
    if volume.sum() < 0:  # all faces look inwards
        volume = -volume
    s = a + b + c
    first = np.einsum("t,ti->i", volume, s) / 4
    corners = sum(np.einsum("t,ti,tj->ij", volume, p, p) for p in (a, b, c))
    second = (corners + np.einsum("t,ti,tj->ij", volume, s, s)) / 20
    moments = [volume.sum(), *first, *second.diagonal(), second[0, 1], second[0, 2], second[1, 2]]
    return _properties(density * np.array(moments), name)


def _require_closed(triangles: Array, name: str) -> None:
    edges = np.concatenate([triangles[:, [i, j]] for i, j in ((0, 1), (1, 2), (2, 0))])
    forward = {(int(i), int(j)) for i, j in edges}
    open_edges = sum((j, i) not in forward for i, j in forward) + len(edges) - len(forward)
    if open_edges:
        raise ModelError(
            f"The mesh of {name!r} is not closed: {open_edges} of its {len(edges)} edges have no partner in the "
            "opposite direction. Close it, or give mass and inertia.",
            edges=open_edges,
        )
