"""How some of the user's coordinates are read off regular ones: Euler angles, cylindrical and spherical coordinates.

Every place has several readings, its sheets: (psi, theta, phi) and (psi + pi, -theta, phi + pi) are one orientation,
(r, theta) and (-r, theta + pi) one point. Sheets meet only where the chart is singular; elsewhere a continuous reading
stays on its sheet. Everything here works on rows, one per time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.geometry import euler, quaternion
from cardan.geometry.axis import COORDINATE_AXES
from cardan.model.regular import Replacement

Vector = NDArray[np.float64]

TURN = 2 * np.pi
STEP = 1e-100  # of a complex step: its square is nothing beside any number, so the derivative is exact

Sheet = Callable[[Vector], Vector]


class Reading(Protocol):
    """One kind of chart, with x the regular position and v the regular velocity."""

    angles: tuple[int, ...]  # which of the three are angles
    sheets: tuple[Sheet, ...]  # from the principal reading to every other; the first is itself
    size: int  # numbers in x
    freedoms: int  # numbers in v
    has_own_size: bool  # whether distances from singular places are dimensionless already

    def enter(self, q: Vector, qd: Vector) -> tuple[Vector, Vector]:
        """(x, v) of the user's coordinates and rates."""

    def principal(self, x: Vector) -> tuple[Vector, Vector]:
        """(coordinates on the first sheet, how far the place is from the singular ones) for rows of positions."""

    def settled(self, x: Vector, before: Vector, sheet: int, tiny: float) -> Vector:
        """A reading of a place nearer than ``tiny`` to the singular ones: what is undetermined stays as before."""

    def rates(self, q: Vector, x: Vector, v: Vector) -> Vector:
        """Rates of the coordinates for rows of states; the shortest ones at singular places."""

    def accelerations(self, q: Vector, qd: Vector, x: Vector, v: Vector, vd: Vector) -> Vector:
        """d/dt of the rates, for rows of states and of the regular accelerations vd."""

    def change(self, x: Vector, v: Vector) -> Vector:
        """dx/dt for rows."""

    def jump(self, change: Vector) -> float:
        """How unlikely a change of the coordinates is, across a singular place."""


def reading(one: Replacement) -> Reading:
    """The reading of a replacement."""
    if one.kind == "euler":
        return EulerReading(euler.parse(one.convention, one.space))
    return CylindricalReading() if one.kind == "cylindrical" else SphericalReading()


def near(q: Vector, before: Vector, angles: tuple[int, ...]) -> Vector:
    """Coordinates with their angles shifted by whole turns to lie close to ``before``."""
    found = np.array(q, dtype=float)
    for k in angles:
        found[..., k] += TURN * np.round((before[..., k] - found[..., k]) / TURN)
    return found


def _shortest(J: Vector, v: Vector) -> Vector:
    """The shortest solutions of J x = v, row by row."""
    sizes = np.sqrt(np.einsum("tij,tij->tj", J, J))
    regular = np.abs(np.linalg.det(J)) > 1e-6 * sizes[:, 0] * sizes[:, 1] * sizes[:, 2]
    if regular.all():
        return np.asarray(np.linalg.solve(J, v[:, :, None])[:, :, 0])
    found = np.empty_like(v)
    found[regular] = np.linalg.solve(J[regular], v[regular][:, :, None])[:, :, 0]
    found[~regular] = np.einsum("tij,tj->ti", np.linalg.pinv(J[~regular], rcond=1e-12), v[~regular])
    return found


class BasisReading(ABC):
    """Coordinates whose rates are components along basis vectors: B(q) qd = v, with B as columns of ``_bases``."""

    @abstractmethod
    def _bases(self, q: Vector) -> Vector:
        """B, one matrix per row; complex where q is."""

    def rates(self, q: Vector, x: Vector, v: Vector) -> Vector:
        return _shortest(self._bases(q), v)

    def accelerations(self, q: Vector, qd: Vector, x: Vector, v: Vector, vd: Vector) -> Vector:
        """B qdd = vd - Bdot qd, where Bdot is the derivative along qd: exact by a complex step."""
        turning = self._bases(q + 1j * STEP * qd).imag / STEP
        return _shortest(self._bases(q), vd - np.einsum("tij,tj->ti", turning, qd))


class EulerReading(BasisReading):
    """Euler angles of a unit quaternion; the velocity is the angular velocity in the body."""

    angles: tuple[int, ...] = (0, 1, 2)
    sheets: tuple[Sheet, ...]
    size, freedoms = 4, 3
    has_own_size = True

    def __init__(self, convention: euler.Convention) -> None:
        self.convention = convention
        axes, self.order = euler.elementary_axes(convention)
        self.e1, self.e2, self.e3 = (np.array(COORDINATE_AXES[axis], dtype=float) for axis in axes)
        self.n = np.cross(self.e1, self.e2)
        self.turn = np.stack([np.cross(self.e3, axis) for axis in np.eye(3)])  # u @ turn = e_3 x u
        self.sheets = (lambda q: q, self._mirrored)

    def _mirrored(self, q: Vector) -> Vector:
        middle = -q[..., 1] if self.convention.is_proper else np.pi - q[..., 1]
        return np.stack([q[..., 0] + np.pi, middle, q[..., 2] + np.pi], axis=-1)

    def enter(self, q: Vector, qd: Vector) -> tuple[Vector, Vector]:
        e = quaternion.from_euler(self.convention.name, tuple(q), self.convention.space)
        w = euler.angular_velocity(self.convention, tuple(q), tuple(qd))
        return np.array(e, dtype=np.float64), np.array(w, dtype=np.float64)

    def principal(self, x: Vector) -> tuple[Vector, Vector]:
        """As geometry.euler.angles_from: R e_3 = L_1 L_2 e_3 holds the first two angles."""
        u = self._matrices(x) @ self.e3
        if self.convention.is_proper:
            b, a = u @ self.e2, -(u @ self.n)
        else:
            b, a = -self.convention.handedness * (u @ self.e2), u @ self.e3
        determinant = np.hypot(a, b)
        along = u @ self.e1
        if self.convention.is_proper:
            middle = np.arctan2(determinant, along)
        else:
            middle = np.arctan2(self.convention.handedness * along, determinant)
        first = np.arctan2(b, a)
        return self._by_angle(first, middle, self._third(x, first)), determinant

    def settled(self, x: Vector, before: Vector, sheet: int, tiny: float) -> Vector:
        """The first stage's angle is kept, the third follows from the orientation."""
        q = self.principal(x[None])[0][0]
        first = before[self.order[0]]
        mirrored = np.pi * (sheet != 0)
        third = self._third(x[None], np.array([first - mirrored]))[0]
        return near(self.sheets[sheet](self._by_angle(first - mirrored, q[1], third)), before, self.angles)

    def change(self, x: Vector, v: Vector) -> Vector:
        w, i, j, k = (0.5 * x).T
        N = np.array([[-i, -j, -k], [w, -k, j], [k, w, -i], [-j, i, w]])  # geometry.quaternion.rate_matrix
        return np.asarray(np.einsum("abt,tb->ta", N, v))

    def jump(self, change: Vector) -> float:
        """The middle angle tells the sheets apart; a fast spin of one of the others does not count."""
        first, middle, third = np.abs(change)
        return float(4 * middle + min(first, third))

    def _matrices(self, x: Vector) -> Vector:
        w, i, j, k = (x / np.linalg.norm(x, axis=1, keepdims=True)).T
        ii, jj, kk, ij, ik, jk, wi, wj, wk = i * i, j * j, k * k, i * j, i * k, j * k, w * i, w * j, w * k
        R = np.array(
            [0.5 - jj - kk, ij - wk, ik + wj, ij + wk, 0.5 - ii - kk, jk - wi, ik - wj, jk + wi, 0.5 - ii - jj]
        )
        return 2 * R.T.reshape(-1, 3, 3)

    def _third(self, x: Vector, first: Vector) -> Vector:
        """The third stage's angle, from the row e_2 of L_2 L_3 = L_1^T R."""
        turned = np.cos(first)[:, None] * self.e2 + np.sin(first)[:, None] * self.n
        row = np.einsum("tji,tj->ti", self._matrices(x), turned)
        if self.convention.is_proper:
            return np.asarray(np.arctan2(-(row @ self.n), row @ self.e2))
        return np.asarray(np.arctan2(self.convention.handedness * (row @ self.e1), row @ self.e2))

    def _by_angle(self, first: Vector, middle: Vector, third: Vector) -> Vector:
        stages = (first, middle, third)
        return np.stack([stages[k] for k in self.order], axis=-1)

    def _bases(self, q: Vector) -> Vector:
        """Columns g_1, g_2, g_3 in body components, one matrix per row."""
        cos, sin = np.cos(q), np.sin(q)
        middle, last = self.order[1], self.order[2]
        between = cos[:, middle, None] * self.e1 + sin[:, middle, None] * self.n  # L_2^T e_1, as e_1 x e_2 = n
        g = np.empty((len(q), 3, 3), dtype=q.dtype)
        g[:, :, self.order[0]] = self._back(between, cos[:, last, None], sin[:, last, None])
        g[:, :, 1] = self._back(self.e2[None], cos[:, last, None], sin[:, last, None])
        g[:, :, self.order[2]] = self.e3
        return g

    def _back(self, u: Vector, c: Vector, s: Vector) -> Vector:
        """L_3^T u."""
        return np.asarray(c * u - s * (u @ self.turn) + (1 - c) * (u @ self.e3)[:, None] * self.e3)


class CylindricalReading(BasisReading):
    """(r, theta, z) of a point; r may be negative."""

    angles: tuple[int, ...] = (1,)
    sheets: tuple[Sheet, ...]
    size, freedoms = 3, 3
    has_own_size = False

    def __init__(self) -> None:
        self.sheets = (lambda q: q, lambda q: np.stack([-q[..., 0], q[..., 1] + np.pi, q[..., 2]], axis=-1))

    def enter(self, q: Vector, qd: Vector) -> tuple[Vector, Vector]:
        return self._positions(q[None])[0], self._bases(q[None])[0] @ qd

    def principal(self, x: Vector) -> tuple[Vector, Vector]:
        r = np.hypot(x[:, 0], x[:, 1])
        return np.stack([r, np.arctan2(x[:, 1], x[:, 0]), x[:, 2]], axis=-1), r

    def settled(self, x: Vector, before: Vector, sheet: int, tiny: float) -> Vector:
        return np.array([np.hypot(x[0], x[1]) * (-1 if sheet else 1), before[1], x[2]])

    def change(self, x: Vector, v: Vector) -> Vector:
        return v

    def jump(self, change: Vector) -> float:
        return float(abs(change[1]))

    def _positions(self, q: Vector) -> Vector:
        return np.stack([q[:, 0] * np.cos(q[:, 1]), q[:, 0] * np.sin(q[:, 1]), q[:, 2]], axis=-1)

    def _bases(self, q: Vector) -> Vector:
        """Columns a_r, a_theta, a_z: Hemingway & O'Reilly (20)."""
        r, c, s, o, i = q[:, 0], np.cos(q[:, 1]), np.sin(q[:, 1]), np.zeros(len(q)), np.ones(len(q))
        return np.moveaxis(np.array([[c, -r * s, o], [s, r * c, o], [o, o, i]]), 2, 0)


class SphericalReading(CylindricalReading):
    """(R, phi, theta) of a point, phi from the pole; R and phi may be negative."""

    angles = (1, 2)

    def __init__(self) -> None:
        def sheet(sign: int, colatitude: Sheet, turn: float) -> Sheet:
            return lambda q: np.stack([sign * q[..., 0], colatitude(q[..., 1]), q[..., 2] + turn], axis=-1)

        self.sheets = (
            lambda q: q,
            sheet(1, lambda phi: -phi, np.pi),
            sheet(-1, lambda phi: np.pi - phi, np.pi),
            sheet(-1, lambda phi: phi - np.pi, 0.0),
        )

    def principal(self, x: Vector) -> tuple[Vector, Vector]:
        rho = np.hypot(x[:, 0], x[:, 1])
        R = np.hypot(rho, x[:, 2])
        return np.stack([R, np.arctan2(rho, x[:, 2]), np.arctan2(x[:, 1], x[:, 0])], axis=-1), rho

    def settled(self, x: Vector, before: Vector, sheet: int, tiny: float) -> Vector:
        """The longitude is kept, and at the origin the colatitude too."""
        R, phi, _ = near(self.sheets[sheet](self.principal(x[None])[0][0]), before, self.angles)
        return np.array([R, phi if abs(R) > tiny else before[1], before[2]])

    def jump(self, change: Vector) -> float:
        return float(abs(change[1]) + abs(change[2]))

    def _positions(self, q: Vector) -> Vector:
        R, s = q[:, 0], np.sin(q[:, 1])
        return np.stack([R * s * np.cos(q[:, 2]), R * s * np.sin(q[:, 2]), R * np.cos(q[:, 1])], axis=-1)

    def _bases(self, q: Vector) -> Vector:
        """Columns a_R, a_phi, a_theta: Hemingway & O'Reilly (49)."""
        R, sp, cp, c, s = q[:, 0], np.sin(q[:, 1]), np.cos(q[:, 1]), np.cos(q[:, 2]), np.sin(q[:, 2])
        rows = [
            [sp * c, R * cp * c, -R * sp * s],
            [sp * s, R * cp * s, R * sp * c],
            [cp, -R * sp, np.zeros(len(q))],
        ]
        return np.moveaxis(np.array(rows), 2, 0)
