"""What makes a motion periodic: its end is its start, itself, carried along a symmetry, or after a jump.

A map of states closes the motion: end = G(start'). A jump is said by its user: where it happens and what the state
becomes (a walker that changes its legs). Symmetries X = B q + c carry the start by exp(s X), with s to be found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.linalg import expm

from cardan.analysis.sampling import whole_turns
from cardan.analysis.symmetries import Field
from cardan.codegen.compiled import Kernel
from cardan.codegen.function import NativeFunction
from cardan.errors import ModelError, unknown
from cardan.graph import jacobian

Vector = NDArray[np.float64]


class Jump:
    """What ends every period: where ``when``, an expression of (t, q, v), is zero the state becomes ``to``.

    ``to`` maps coordinates and velocities, symbols or names, to expressions of the state before; the others stay.
    """

    def __init__(self, when: sp.Expr | None, to: Mapping[sp.Symbol | str, sp.Expr | float]) -> None:
        self.when = None if when is None else sp.sympify(when)
        self.to = {str(name): sp.sympify(value) for name, value in to.items()}


@dataclass(frozen=True)
class Landing:
    """A state behind the jump, its derivative by the state before, and the surface of the jump."""

    y: Vector
    slope: Vector
    surface: float
    normal: Vector


class JumpFunctions:
    """A jump as native code."""

    def __init__(self, kernel: Kernel, jump: Jump) -> None:
        if kernel.nq != kernel.nv:
            raise ModelError(f"{kernel.model.name!r} has quaternions; a jump is said of coordinates whose rates are v.")
        names = [symbol.name for symbol in (*kernel.model.q, *kernel.model.v)]
        for name in jump.to:
            if name not in names:
                raise unknown(name, names, f"coordinate or velocity of {kernel.model.name!r} in a jump")
        own = dict(zip(names, (*kernel.model.q, *kernel.model.v), strict=True))
        self.has_place = jump.when is not None
        self._size = len(names)
        self._function = _compiled(kernel, [jump.to.get(name, own[name]) for name in names], jump.when)

    def __call__(self, t: float, y: Vector, p: Vector) -> Landing:
        out, n = self._function(t, y, p[: self._function.np]), self._size
        table = out[n + 1 :].reshape(n + 1, n)
        return Landing(out[:n], table[:n], float(out[n]), table[n])


def _compiled(kernel: Kernel, to: list[sp.Expr], when: sp.Expr | None) -> NativeFunction:
    d = kernel.dynamics
    nodes = d.impose([d.space.lift(one) for one in (*to, sp.Integer(0) if when is None else when)])
    return kernel.custom("jump", [*nodes, *(x for row in jacobian(nodes, [*d.q, *d.v]) for x in row)])


def carried(fields: tuple[Field, ...], shifts: Vector, y: Vector) -> tuple[Vector, Vector]:
    """(exp(s X) y, its derivative by y): configurations go with the fields, velocities with their linear parts."""
    n = len(y) // 2
    if not len(fields):
        return y, np.eye(2 * n)
    B = sum((s * one.B for s, one in zip(shifts, fields, strict=True)), np.zeros((n, n)))
    c = sum((s * one.c for s, one in zip(shifts, fields, strict=True)), np.zeros(n))
    whole = expm(np.block([[B, c[:, None]], [np.zeros((1, n + 1))]]))
    turn = whole[:n, :n]
    q, v = turn @ y[:n] + whole[:n, n], turn @ y[n:]
    return np.concatenate([q, v]), np.asarray(np.kron(np.eye(2), turn), dtype=float)


def along(field: Field, y: Vector) -> Vector:
    """How a field moves a state: (B q + c, B v)."""
    n = len(y) // 2
    return np.concatenate([field(y[:n]), field.B @ y[n:]])


def between(kernel: Kernel, N: Vector, a: Vector, b: Vector, around: NDArray[np.bool_] | None = None) -> Vector:
    """(dpi, dv) from state a to state b: angles by the shorter way round, quaternions up to their sign."""
    nq = kernel.nq
    change = b[:nq] - a[:nq]
    if nq == kernel.nv:
        round_ = np.flatnonzero(whole_turns(kernel) if around is None else around)
        change[round_] = (change[round_] + np.pi) % (2 * np.pi) - np.pi
        return np.concatenate([change, b[nq:] - a[nq:]])
    for k in kernel.angles:
        change[k] = (change[k] + np.pi) % (2 * np.pi) - np.pi
    for k in kernel.quaternions:
        if a[k : k + 4] @ b[k : k + 4] < 0:
            change[k : k + 4] = -b[k : k + 4] - a[k : k + 4]
    return np.concatenate([np.linalg.lstsq(N, change, rcond=None)[0], b[nq:] - a[nq:]])
