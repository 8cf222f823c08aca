"""Generalized forces as a linear function of inertial parameters, and which of these motions can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
PARAMETERS = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
_BASIS = [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2)]  # of a symmetric matrix, in the order of PARAMETERS
RANK = 1e-9  # of the largest, for columns of about equal size: drawn states are far from special ones


@dataclass(frozen=True)
class Regressor:
    """tau = matrix @ parameters, where these are what the model has now."""

    matrix: Vector  # nv by ten for each mass
    names: list[str]
    parameters: Vector

    @classmethod
    def of(cls, rows: Vector, nv: int, masses: Sequence[str], parameters: Sequence[Vector]) -> Regressor:
        """From the rows of ``equations.robot.body_rows``, one for each mass."""
        blocks = []
        for row in rows:
            J = row[: 6 * nv].reshape(6, nv)
            w, alpha, felt = row[6 * nv :].reshape(3, 3)
            blocks.append(J.T @ _wrenches(w, alpha, felt))
        names = [f"{mass}.{one}" for mass in masses for one in PARAMETERS]
        return cls(np.hstack(blocks), names, np.concatenate(parameters))


def _wrenches(w: Vector, alpha: Vector, felt: Vector) -> Vector:
    """Force and moment (6 by 10) that each unit parameter needs, at the origin of its body.

    f = m a + alpha x h + w x (w x h),  n = I alpha + w x I w + h x a, with h = m c.
    """
    found = np.zeros((6, 10))
    found[:3, 0] = felt
    for i, unit in enumerate(np.eye(3)):
        found[:3, 1 + i] = np.cross(alpha, unit) + np.cross(w, np.cross(w, unit))
        found[3:, 1 + i] = np.cross(unit, felt)
    for k, (i, j) in enumerate(_BASIS):
        E = np.zeros((3, 3))
        E[i, j] = E[j, i] = 1.0
        found[3:, 4 + k] = E @ alpha + np.cross(w, E @ w)
    return found


@dataclass(frozen=True)
class BaseParameters:
    """The parameters that can be identified: ``matrix @ parameters``, each named by the one it begins with."""

    names: list[str]
    matrix: Vector  # count by all parameters
    hidden: list[str]  # parameters that no motion shows at all

    @property
    def count(self) -> int:
        return len(self.names)


def base_parameters(rows: Vector, one: Regressor) -> BaseParameters:
    """Independent columns by QR with pivoting, and how the others fall back on them [Gautier1991]."""
    from scipy.linalg import qr, solve_triangular

    size = np.linalg.norm(rows, axis=0)
    seen = size > RANK * max(float(size.max(initial=0.0)), 1e-300)
    columns = np.flatnonzero(seen)
    R, order = qr(rows[:, columns] / size[columns], mode="r", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = int(np.sum(diagonal > RANK * diagonal[0])) if diagonal.size else 0
    kept, others = columns[order[:rank]], columns[order[rank:]]
    matrix = np.zeros((rank, rows.shape[1]))
    matrix[np.arange(rank), kept] = 1.0
    if others.size:
        share = solve_triangular(R[:rank, :rank], R[:rank, rank:])
        matrix[:, others] = share * size[others] / size[kept][:, None]
    hidden = [name for name, shown in zip(one.names, seen, strict=True) if not shown]
    return BaseParameters([one.names[k] for k in kept], np.where(np.abs(matrix) < RANK, 0.0, matrix), hidden)
