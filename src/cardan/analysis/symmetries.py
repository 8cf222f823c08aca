"""Symmetries of a system: fields X(q) = B q + c along which energies, constraints and forces stay the same.

They are found, not named: at many states the condition that nothing changes is linear in B and c, and what is common to
all states is the null space. An ignorable coordinate is c alone; a turn of a vehicle on its plane moves x, y and yaw
together, -y d/dx + x d/dy + d/dyaw.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.varied import varied
from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.graph import jacobian
from cardan.native.showing import Shown
from cardan.singular.projection import project_position, project_velocity

Vector = NDArray[np.float64]

SEED = 20170130
MOST = 16  # coordinates: with more, only constant fields are sought
NOTHING = 1e-12  # of the largest change: rounding of a field that changes nothing
SLOW = 1e-3  # of the largest acceleration in units of sizes: less counts as that much, for it may be rounding
COMMON = 1e-9  # of the largest singular value: what is common to all states


@dataclass(frozen=True)
class Field(Shown):
    """X(q) = B q + c."""

    B: Vector
    c: Vector
    names: tuple[str, ...]

    def __call__(self, q: Vector) -> Vector:
        return np.asarray(self.B @ q + self.c)

    def __str__(self) -> str:
        parts = []
        for row, constant, name in zip(self.B, self.c, self.names, strict=True):
            terms = [(value, other) for value, other in zip(row, self.names, strict=True) if abs(value) > 1e-9]
            said = [f"{value:+.4g} {other}" for value, other in terms]
            if abs(constant) > 1e-9:
                said.append(f"{constant:+.4g}")
            if said:
                parts.append(f"{name}' = {' '.join(said).lstrip('+')}")
        return ", ".join(parts)


def symmetries(kernel: Kernel, t: float, q: Vector, p: Vector, sizes: Vector) -> tuple[Field, ...]:
    """A basis of the symmetries, simple ones first; none where configurations are quaternions."""
    n = kernel.nv
    if kernel.nq != n or not n or kernel.model.rubbing:
        return ()
    shapes = [*_constant(n), *(_linear(n) if n <= MOST else [])]
    blocks = []
    for y in states_around(kernel, t, q, p, sizes, 2 + 2 * len(shapes) // max(n, 1)):
        blocks.append(_changes(kernel, t, y, p, sizes, shapes))
    if not blocks:
        return ()
    columns = np.vstack(blocks)
    size = np.max(np.abs(columns), axis=0, initial=0.0)
    size[size <= NOTHING * np.max(size)] = np.max(size) or 1.0
    _, s, Vt = np.linalg.svd(columns / size)
    rank = int(np.sum(s > COMMON * max(float(s[0]) if len(s) else 0.0, 1e-300)))
    names = tuple(symbol.name for symbol in kernel.model.q)
    return tuple(_field(x / size, shapes, names, n) for x in _simple(Vt[rank:]))


def _constant(n: int) -> list[tuple[Vector, Vector]]:
    return [(np.zeros((n, n)), e) for e in np.eye(n)]


def _linear(n: int) -> list[tuple[Vector, Vector]]:
    found = []
    for i in range(n):
        for j in range(n):
            B = np.zeros((n, n))
            B[i, j] = 1.0
            found.append((B, np.zeros(n)))
    return found


def states_around(kernel: Kernel, t: float, q: Vector, p: Vector, sizes: Vector, count: int) -> list[Vector]:
    """States on the constraints around q."""
    rng, system, found = np.random.default_rng(SEED), kernel.numbers(p), []
    for _ in range(3 * count):
        y = np.concatenate([q, np.zeros(kernel.nv)])
        y = system.moved(t, y, 0.4 * sizes * rng.uniform(-1, 1, kernel.nv))
        y[kernel.nq :] = sizes * rng.uniform(-1, 1, kernel.nv)
        if kernel.m:
            closed = project_position(system, t, y, sizes)
            if closed is None:
                continue
            y = project_velocity(system, t, closed, sizes)
        if np.isfinite(system.terms(t, y).M).all():
            found.append(y)
        if len(found) == count:
            break
    return found


def _changes(
    kernel: Kernel, t: float, y: Vector, p: Vector, sizes: Vector, shapes: list[tuple[Vector, Vector]]
) -> Vector:
    """How much energies, constraints and accelerations change along each field, one column each."""
    d = varied(kernel, t, y, p)
    a, q, v = d.accelerations, y[: kernel.nq], y[kernel.nq :]
    slopes = kernel.keep("slopes of energies", lambda: _slopes(kernel))(t, y, p[: kernel.function("energy").np])
    slopes = slopes.reshape(2, -1)
    n, columns = kernel.nv, []
    for B, c in shapes:
        X, V = B @ q + c, B @ v
        energies = slopes[:, :n] @ X + slopes[:, n:] @ V
        columns.append(
            np.concatenate([energies, a.pi @ X + a.v @ V - B @ d.vd, d.phi @ X, d.rates @ X + d.terms.A @ V])
        )
    pushed = np.abs(a.pi) @ sizes + np.abs(a.v) @ sizes + np.abs(d.vd)
    pushed = np.maximum(pushed, SLOW * sizes * np.max(pushed / sizes, initial=0.0))
    usual = [np.abs(slopes) @ np.tile(sizes, 2), pushed]
    usual += [np.abs(d.phi) @ sizes, np.abs(d.rates) @ sizes + np.abs(d.terms.A) @ sizes]
    row = np.concatenate(usual)
    return np.asarray(np.array(columns).T[row > 0] / row[row > 0, None])


def _slopes(kernel: Kernel) -> NativeFunction:
    d = kernel.dynamics
    T, V, _ = d.energies
    return kernel.custom("slopes", [x for row in jacobian([T, V], [*d.q, *d.v]) for x in row])


def _simple(rows: Vector) -> Vector:
    """The same space with a basis of many zeros: reduced echelon form by columns, constants first."""
    left, found = rows.copy(), list[Vector]()
    for column in range(rows.shape[1]):
        if not len(left):
            break
        pivot = int(np.argmax(np.abs(left[:, column])))
        if abs(left[pivot, column]) < 1e-7:
            continue
        row = left[pivot] / left[pivot, column]
        left = np.delete(left, pivot, axis=0)
        left = left - np.outer(left[:, column], row)
        found = [one - one[column] * row for one in found] + [row]
    return np.array(found).reshape(-1, rows.shape[1])


def _field(x: Vector, shapes: list[tuple[Vector, Vector]], names: tuple[str, ...], n: int) -> Field:
    B, c = np.zeros((n, n)), np.zeros(n)
    for amount, (linear, constant) in zip(x, shapes, strict=True):
        B, c = B + amount * linear, c + amount * constant
    below = B[np.tril_indices(n, -1)]
    unit = c[np.argmax(np.abs(c))] if np.max(np.abs(c)) > 1e-9 * np.max(np.abs(x)) else below[np.argmax(np.abs(below))]
    B, c = B / (unit or 1.0), c / (unit or 1.0)
    return Field(np.where(np.abs(B) > 1e-9, B, 0.0), np.where(np.abs(c) > 1e-9, c, 0.0), names)
