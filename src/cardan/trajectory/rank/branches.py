"""Motion branches through a configuration where the constraints lose rank: the second-order cone, solved and verified.

With Z the first-order freedoms (A Z = 0, p of them) and N the left null vectors (c of them), a velocity Z z belongs to
a motion only if  z^T Q_k z = 0  with  Q_k = sym(Z^T N_k^T A'[Z]).  Solutions are found by Newton's method from random
starts (for two freedoms in closed form); where they fill a linear subspace, the branch is that subspace. Each is lifted
to a configuration near by, where the residual and the rank are measured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from cardan.native.showing import Shown

Vector = NDArray[np.float64]

STARTS = 400
ITERATIONS = 60
SEED = 20160401
SAME = 1e-4  # distance of unit directions, or of projectors, up to which two solutions are one
FLAT = 1e-6  # size of the quadrics on a subspace, relative to their largest entry, up to which they vanish there
LIFT = 1e-2  # of the typical sizes: how far a branch is followed to verify it


@dataclass(frozen=True)
class Branch:
    """A way to move through a singular configuration: velocities that are combinations of the columns of ``tangents``.

    ``rank`` is that of the constraints on the branch, near by; ``verified`` tells whether the constraints could be
    satisfied there, along the tangent.
    """

    tangents: Vector  # n x d
    rank: int
    verified: bool

    @property
    def dimension(self) -> int:
        return int(self.tangents.shape[1])

    @property
    def tangent(self) -> Vector:
        """The tangent of a branch of dimension one, its largest component 1; else the first of ``tangents``."""
        return self.tangents[:, 0]

    def nearest(self, velocity: Vector, mass_matrix: Vector) -> Vector:
        """The velocity on this branch that is nearest in the metric of M."""
        T, M = self.tangents, mass_matrix
        return np.asarray(T @ np.linalg.solve(T.T @ M @ T, T.T @ M @ velocity))


@dataclass(frozen=True)
class Branches(Shown, Sequence[Branch]):
    """All branches found, with ``decided`` false where second order does not settle which motions exist."""

    _showing: ClassVar[tuple[str, ...]] = ("what", "freedoms", "corank", "decided")

    found: tuple[Branch, ...]
    freedoms: int  # p, to first order
    corank: int
    decided: bool
    what: str

    @overload
    def __getitem__(self, index: int) -> Branch: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Branch]: ...
    def __getitem__(self, index: int | slice) -> Branch | Sequence[Branch]:
        return self.found[index]

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Branch]:
        return iter(self.found)


def quadrics(kernel: Vector, left_null: Vector, matrix_rate: Callable[[Vector], Vector]) -> Vector:
    """Q, shape (c, p, p): N_k^T A'[Z_i] Z_j, made symmetric; ``matrix_rate`` gives A'[v]."""
    p, c = kernel.shape[1], left_null.shape[1]
    Q = np.zeros((c, p, p))
    for i in range(p):
        Q[:, i, :] = left_null.T @ matrix_rate(kernel[:, i]) @ kernel
    return np.asarray(0.5 * (Q + Q.transpose(0, 2, 1)))


def cone(Q: Vector) -> tuple[list[Vector], bool]:
    """Bases (p x d) of the linear pieces of {z : z^T Q_k z = 0 for all k}, and whether these are all of it."""
    p = Q.shape[1]
    largest = np.max(np.abs(Q), axis=(1, 2), initial=0.0)
    Q = Q[largest > FLAT * np.max(largest, initial=0.0)]
    if not len(Q) or np.max(largest) == 0.0:
        return [np.eye(p)], False
    Q = Q / np.max(np.abs(Q), axis=(1, 2))[:, None, None]
    points = _pair(Q[0]) if p == 2 and len(Q) == 1 else _newton(Q)
    pieces: list[Vector] = []
    for z in points:
        piece = _piece(Q, z)
        if not any(_is_same(piece, other) for other in pieces):
            pieces.append(piece)
        if len(pieces) > 2 ** len(Q):
            return pieces[:1], False  # solutions without end: a curved cone
    return pieces, not _is_double(Q, pieces)


def _pair(Q: Vector) -> list[Vector]:
    """Both directions with z^T Q z = 0 in the plane; none where Q is definite."""
    w, E = np.linalg.eigh(Q)
    if w[0] * w[1] > 1e-12 * max(abs(w)) ** 2:
        return []
    a, b = np.sqrt(max(-w[0], 0.0)), np.sqrt(max(w[1], 0.0))
    if w[0] > 0 or w[1] < 0:  # one eigenvalue is zero up to rounding
        a, b = np.sqrt(abs(w[0])), np.sqrt(abs(w[1]))
    found = [E @ np.array([b, a]), E @ np.array([b, -a])]
    return [z / np.linalg.norm(z) for z in found]


def _newton(Q: Vector) -> list[Vector]:
    """Unit solutions from random starts, all iterated at once; sign fixed by the largest component."""
    p = Q.shape[1]
    z = np.random.default_rng(SEED).normal(size=(STARTS, p))
    z /= np.linalg.norm(z, axis=1)[:, None]
    for _ in range(ITERATIONS):
        values, slopes = _system(Q, z)
        z = z - np.einsum("sij,sj->si", np.linalg.pinv(slopes, rcond=1e-9), values)
        z = np.where(np.isfinite(z), z, 1.0)
    values, _ = _system(Q, z)
    good = z[np.max(np.abs(values), axis=1) < 1e-9]
    found: list[Vector] = []
    for one in good:
        unit = one * np.sign(one[int(np.argmax(np.abs(one)))]) / np.linalg.norm(one)
        if not any(np.linalg.norm(unit - other) < SAME or np.linalg.norm(unit + other) < SAME for other in found):
            found.append(unit)
    return found


def _system(Q: Vector, z: Vector) -> tuple[Vector, Vector]:
    """z^T Q_k z and z^T z - 1, with their derivatives, for many z."""
    Qz = np.einsum("kij,sj->ski", Q, z)
    values = np.concatenate([np.einsum("ski,si->sk", Qz, z), (np.sum(z * z, axis=1) - 1)[:, None]], axis=1)
    slopes = np.concatenate([2 * Qz, 2 * z[:, None, :]], axis=1)
    return values, slopes


def _piece(Q: Vector, z: Vector) -> Vector:
    """The linear subspace of solutions around z, or z alone."""
    _, s, vt = np.linalg.svd(Q @ z)
    rank = int(np.sum(s > 1e-5))
    T = vt[rank:].T
    if T.shape[1] > 1 and np.max(np.abs(np.einsum("ia,kij,jb->kab", T, Q, T))) < FLAT:
        return np.asarray(T)
    return z[:, None]


def _is_same(a: Vector, b: Vector) -> bool:
    return a.shape == b.shape and float(np.max(np.abs(_projector(a) - _projector(b)))) < SAME


def _projector(T: Vector) -> Vector:
    orthonormal, _ = np.linalg.qr(T)
    return np.asarray(orthonormal @ orthonormal.T)


def _is_double(Q: Vector, pieces: Sequence[Vector]) -> bool:
    """Whether a single quadric is a square: its two branches have one tangent, and second order cannot part them."""
    if len(Q) != 1 or not pieces:
        return False
    w = np.linalg.eigvalsh(Q[0])
    return int(np.sum(np.abs(w) > 1e-7 * np.max(np.abs(w)))) == 1


def readable(tangents: Vector) -> Vector:
    """The same span in columns that are easy to read: each is 1 where it is largest, the others 0 there."""
    T = tangents.T.copy()
    used: list[int] = []
    for row in range(len(T)):
        rest = np.abs(T[row:])
        rest[:, used] = 0.0
        at, column = divmod(int(np.argmax(rest)), rest.shape[1])
        T[[row, row + at]] = T[[row + at, row]]
        T[row] /= T[row, column]
        for other in range(len(T)):
            if other != row:
                T[other] -= T[other, column] * T[row]
        used.append(column)
    T[np.abs(T) < 1e-10] = 0.0
    return T.T
