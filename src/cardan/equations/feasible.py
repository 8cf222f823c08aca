"""Configurations that satisfy the holonomic constraints, drawn at random: where ranks are counted and forms compared.

A rank counted beside the constraint set is not that of the mechanism: p - q = 0 and (p - q)(2 + r) = 0 are independent
rows where p and q differ, and say the same where they do not. So configurations are drawn, brought to phi = 0 by
Gauss-Newton steps, and only those that arrive count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.equations.facing import Facing
from cardan.equations.reduced import Dynamics
from cardan.graph import Node, evaluate, live
from cardan.model.variables import QuaternionVariable
from cardan.native.deadline import check
from cardan.native.once import once

Array = NDArray[np.float64]

COUNT = 24  # drawn; most of them arrive
ENOUGH = 6  # that arrive; with fewer, other sizes are tried
STEPS = 60
ARRIVED = 1e-11  # last step, relative to the coordinates
SEED = 1000
TILTED = 0.2  # half of the orientations are drawn near the aligned one, from where hinges are rarely upside down
RANK = 1e-8  # singular values below this part of the largest count as zero
ROUNDING = 1e-11  # of the largest entry of a row: smaller ones are what cancelled
MOVES = 1e-11  # of the largest: eigenvalues of the mass matrix, which are squares, below this are zero
SHARE = 0.1  # of the configurations: what holds at fewer of them is an accident
MOST_SIZES = 8  # that are tried
CUT = 1e-9  # singular values below this part are not inverted


@dataclass(frozen=True)
class Feasible:
    """Configurations (count, nq) with a time each, and numbers for everything else a model's graph needs."""

    d: Dynamics
    q: Array
    t: Array
    constants: dict[Node, float]

    def numbers(self, nodes: Sequence[Node]) -> Array:
        """Values of nodes, one row for each configuration, at zero velocity."""
        return _numbers(self.d, self.constants, self.q, self.t, nodes)

    def values(self, k: int) -> list[float]:
        """Numbers of one of them for (q, t, parameters and signals), in this order."""
        return [*self.q[k].tolist(), float(self.t[k]), *(self.constants[node] for node in self.d.p)]

    def matrices(self, rows: Sequence[int] | None = None) -> Array:
        """A (or some of its rows) at each configuration."""
        A = self.d.constraints.matrix
        chosen = range(len(A)) if rows is None else rows
        flat = [entry for i in chosen for entry in A[i]]
        return self.numbers(flat).reshape(len(self.q), len(chosen), len(self.d.v))

    def rank(self, rows: Sequence[int] | None = None) -> int:
        """The rank of rows of A on the components of largest dimension."""
        return rank_of(self._measured(rows)) if self.d.constraints.rows and self.d.v else 0

    def _measured(self, rows: Sequence[int] | None) -> Array:
        """Rows of A per unit of energy-like velocity, where all are finite; what is only rounding is zero."""
        stack = self.matrices(rows)
        stack = stack[np.isfinite(stack).all(axis=(1, 2))] / self.columns
        return np.asarray(
            np.where(np.abs(stack) > ROUNDING * np.max(np.abs(stack), axis=2, keepdims=True, initial=0.0), stack, 0.0)
        )

    @once
    def masses(self) -> Array:
        """M at each configuration."""
        n = len(self.d.v)
        return self.numbers([entry for row in self.d.mass_matrix for entry in row]).reshape(len(self.q), n, n)

    @once
    def columns(self) -> Array:
        """What makes a velocity a number: the root of its entry of M; for what moves no mass, its size in A."""
        M = self.masses[np.isfinite(self.masses).all(axis=(1, 2))]
        n = len(self.d.v)
        diagonal = np.maximum(np.mean(np.diagonal(M, axis1=1, axis2=2), axis=0), 0.0) if len(M) else np.zeros(n)
        A = self.matrices() if self.d.constraints.rows else np.zeros((0, 0, n))
        A = A[np.isfinite(A).all(axis=(1, 2))]
        found = np.sqrt(np.mean(np.sum(A**2, axis=1), axis=0)) if A.size else np.ones(n)
        typical = float(np.max(diagonal, initial=0.0)) ** 0.5 or 1.0
        return np.where(diagonal > 0, np.sqrt(diagonal), np.where(found > 0, found * typical, 1.0))

    def independent(self, rows: Sequence[int]) -> list[int]:
        """Those of the rows, in this order, that do not follow from the ones before them."""
        stack, rank = self._measured(rows), 0
        found: list[int] = []
        for k, row in enumerate(rows):
            grown = rank_of(stack[:, [*(rows.index(one) for one in found), k]])
            if grown > rank:
                found.append(row)
                rank = grown
        return found

    def massive_freedoms(self) -> int | None:
        """How many ways the masses can move, velocity constraints apart; None where no configuration was found."""
        if not self.d.v:
            return 0
        if not len(self.q):
            return None
        rows = self.d.constraints.holonomic if self.d.constraints.rows else []
        A = self.matrices(rows) / self.columns
        good = np.isfinite(self.masses).all(axis=(1, 2)) & np.isfinite(A).all(axis=(1, 2))
        A = np.where(np.abs(A) > ROUNDING * np.max(np.abs(A), axis=2, keepdims=True, initial=0.0), A, 0.0)
        rank, found = rank_of(A[good]), []
        for mass, matrix in zip((self.masses / self.columns / self.columns[:, None])[good], A[good], strict=True):
            sizes = np.linalg.norm(matrix, axis=1, keepdims=True)
            _, s, vt = np.linalg.svd(matrix / np.where(sizes > 0, sizes, 1.0))
            if np.sum(s > RANK * (s[0] if len(s) else 0.0)) == rank:
                w = np.linalg.eigvalsh(vt[rank:] @ mass @ vt[rank:].T)
                found.append(int(np.sum(w > MOVES * np.max(w, initial=0.0))))
        return max(found) if found else None


def rank_of(stack: Array) -> int:
    """The least rank that a share of matrices has, rows measured by their typical sizes.

    At configurations drawn at random each has the rank of its component of the constraint set; the component of largest
    dimension is that of least rank.
    """
    if not stack.size:
        return 0
    rows = np.sqrt(np.mean(np.sum(stack**2, axis=2), axis=0))
    s = np.linalg.svd(stack / np.where(rows > 0, rows, 1.0)[:, None], compute_uv=False)
    ranks = np.sum(s > RANK * max(float(np.median(s[:, 0])), 1e-300), axis=1)
    counts = np.bincount(ranks)
    return int(np.flatnonzero(counts >= max(1.0, SHARE * len(ranks)))[0])


def feasible(d: Dynamics) -> Feasible:
    """Configurations with phi = 0; drawn about 1, and where few arrive about sizes that the parameters suggest."""
    nodes = d.space.nodes
    constants = {nodes[p]: float(value) for p, value in d.model.values.items() if p in nodes}
    constants |= {node: 0.0 for node in d.p if node not in constants}
    sizes, facing = _sizes(d), Facing(d)
    best = Feasible(d, np.zeros((0, len(d.q))), np.zeros(0), constants)
    for size in (1.0, *sizes):
        q, t = _drawn(d, size)
        arrived = _projected(d, constants, q, t, size)
        arrived[1][arrived[1]] = ~facing.any_turned(arrived[0][arrived[1]], t[arrived[1]], [constants[x] for x in d.p])
        if np.sum(arrived[1]) > len(best.q):
            best = Feasible(d, arrived[0][arrived[1]], t[arrived[1]], constants)
        if len(best.q) >= ENOUGH:
            break
    return best


def _sizes(d: Dynamics) -> list[float]:
    """Numbers that occur in the constraints, as parameters or typed, by size: lengths are among them."""
    typed = {abs(node.value) for node in live(d.constraints.phi) if node.value} if d.constraints.rows else set()
    found = sorted({abs(value) for value in d.model.values.values() if value} | typed)
    return found[:: max(1, len(found) // MOST_SIZES)]


def _drawn(d: Dynamics, size: float) -> tuple[Array, Array]:
    rng = np.random.default_rng(SEED)
    columns: list[Array] = []
    for variable in d.model.free:
        part = rng.normal(size=(COUNT, len(variable.configuration)))
        if isinstance(variable, QuaternionVariable):
            part[::2] = np.array([1.0, 0.0, 0.0, 0.0]) + TILTED * part[::2]
            part /= np.linalg.norm(part, axis=1, keepdims=True)
        else:
            part = (0.3 + part) * (1.0 if variable.domain.is_angle else size)
        columns.append(part)
    q = np.hstack(columns) if columns else np.zeros((COUNT, 0))
    return q, 0.2 + rng.normal(size=COUNT)


def _numbers(d: Dynamics, constants: dict[Node, float], q: Array, t: Array, nodes: Sequence[Node]) -> Array:
    known: dict[Node, Array | float] = {**constants, d.t: t, **dict.fromkeys(d.v, 0.0)}
    known |= {node: q[:, k] for k, node in enumerate(d.q)}
    return np.array([np.broadcast_to(x, (len(q),)) for x in evaluate(nodes, known)]).reshape(len(nodes), len(q)).T


def _projected(
    d: Dynamics, constants: dict[Node, float], q: Array, t: Array, size: float
) -> tuple[Array, NDArray[np.bool_]]:
    """The configurations after Gauss-Newton steps on the holonomic rows, and which of them arrived at phi = 0."""
    rows = d.constraints.holonomic if d.constraints.rows else []
    if not rows:
        return q, np.ones(len(q), dtype=bool)
    flat = [*(d.constraints.phi), *(entry for i in rows for entry in d.constraints.matrix[i])]
    arrived, lost = np.zeros(len(q), dtype=bool), np.zeros(len(q), dtype=bool)
    q = q.copy()
    for _ in range(STEPS):
        check()
        at = np.flatnonzero(~arrived & ~lost)
        if not len(at):
            break
        out = _numbers(d, constants, q[at], t[at], flat)
        lost[at[~np.isfinite(out).all(axis=1)]] = True
        good = np.isfinite(out).all(axis=1)
        at, out = at[good], out[good]
        phi, A = out[:, : len(rows)], out[:, len(rows) :].reshape(len(at), len(rows), len(d.v))
        step = -(np.linalg.pinv(A, rcond=CUT) @ phi[:, :, None])[:, :, 0]
        length = np.max(np.abs(step), axis=1, initial=0.0)
        extent = np.maximum(np.max(np.abs(q[at]), axis=1, initial=0.0), size)
        step /= np.maximum(1.0, length / extent)[:, None]  # no farther than to twice its distance
        q[at] = _moved(d, q[at], step)
        arrived[at] = length <= ARRIVED * extent
    return q, arrived


def _moved(d: Dynamics, q: Array, step: Array) -> Array:
    """Configurations moved by velocity-like steps: q + N(q) step, quaternions kept unit."""
    moved, at, v = q.copy(), 0, 0
    for variable in d.model.free:
        if isinstance(variable, QuaternionVariable):
            e = q[:, at : at + 4]
            w, x, y, z = e.T
            a, b, c = step[:, v : v + 3].T
            rates = (-x * a - y * b - z * c, w * a + y * c - z * b, w * b + z * a - x * c, w * c + x * b - y * a)
            new = e + np.array(rates).T / 2
            moved[:, at : at + 4] = new / np.linalg.norm(new, axis=1, keepdims=True)
            at, v = at + 4, v + 3
        else:
            moved[:, at] += step[:, v]
            at, v = at + 1, v + 1
    return moved
