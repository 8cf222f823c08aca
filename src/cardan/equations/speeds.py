"""Velocities from generalized speeds, in symbols and in numbers: v = W u + w, with constraints A v + b0 = 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.algebra.solving import solve
from cardan.equations.reduced import Dynamics
from cardan.equations.tidy import leads, tidy, tidy_matrix
from cardan.errors import DerivationError, ModelError, StartError
from cardan.model.model import Model

if TYPE_CHECKING:
    from cardan.equations.equations import Equations

Array = NDArray[np.float64]
DETERMINED = 1e-9  # singular values of [Y; A] below this part of the largest leave velocities open
CLOSED = 1e-6  # of residuals of a start whose velocities are asked for


def speeds_in(model: Model, v: object) -> dict[str, float] | None:
    """Speeds by name, where velocities are given by them."""
    if not isinstance(v, Mapping) or not {str(one) for one in v} & {str(u) for u in model.speeds}:
        return None
    return {str(name): value for name, value in v.items()}


def velocities_of(d: Dynamics, q: Array, values: Mapping[str, float], t: float = 0.0) -> Array:
    """v from speeds at a configuration; speeds that are not named are zero, and constraints give what is missing."""
    model = d.model
    names = [str(u) for u in model.speeds]
    others = [name for name in values if name not in names]
    if others:
        raise StartError(
            f"The velocities name speeds ({', '.join(names)}) and {', '.join(others)} beside them. Give either speeds "
            "or velocities: speeds that are not named are zero.",
            names=others,
        )
    put: dict[sp.Basic, sp.Expr] = {}
    for symbol, f in model.prescribed.items():
        put |= {symbol.dot: f.diff(model.time), symbol: f}
    known = {**dict(zip(model.q, map(float, q), strict=True)), model.time: t, **model.values}
    rows, right = [], []
    for u, definition in model.speeds.items():
        imposed = definition.xreplace(put)
        slopes = [imposed.diff(v) for v in model.v]
        rest = imposed.xreplace(dict.fromkeys(model.v, sp.Integer(0)))
        rows.append([float(x.xreplace(known)) for x in slopes])
        right.append(float(values.get(str(u), 0.0)) - float(rest.xreplace(known)))
    table, target = np.array(rows, dtype=float), np.array(right)
    if model.constraints:
        A, offsets = _constraints(d, q, t)
        table, target = np.vstack([table, A]), np.concatenate([target, -offsets])
    scale = np.maximum(np.max(np.abs(table), axis=1, initial=0.0), 1e-300)
    table, target = table / scale[:, None], target / scale
    v, _, rank, _ = np.linalg.lstsq(table, target, rcond=DETERMINED)
    if rank < len(model.v):
        raise StartError(
            f"The speeds {', '.join(names)} (and the constraints) determine {rank} of {len(model.v)} velocities here. "
            "Define as many independent speeds as there are freedoms, or start elsewhere."
        )
    if np.max(np.abs(table @ v - target), initial=0.0) > CLOSED * max(1.0, float(np.max(np.abs(target), initial=0.0))):
        raise StartError(f"No velocities have the speeds {values}: constraints, or other speeds, forbid them.")
    return np.asarray(v)


def _constraints(d: Dynamics, q: Array, t: float) -> tuple[Array, Array]:
    c, m, n = d.constraints, len(d.constraints.rates), len(d.v)
    y = [*map(float, q), *(0.0 for _ in d.v)]
    p = [*(d.model.values[one] for one in d.model.parameters), *(0.0 for _ in d.model.signals)]
    flat = np.array(d.at([*(x for row in c.matrix for x in row), *c.offsets, *c.phi], y, t, p))
    A, offsets, phi = np.split(flat, [m * n, m * n + m])
    if np.max(np.abs(phi), initial=0.0) > CLOSED:
        raise StartError(
            f"Speeds give velocities where the constraints hold; here they miss by {np.max(np.abs(phi)):.3g}. Complete "
            "the configuration first: q = s.complete(q)['q'].",
            residual=float(np.max(np.abs(phi))),
        )
    return A.reshape(m, n), offsets


@dataclass(frozen=True)
class Speeds:
    """v = ``matrix`` u + ``offset`` in symbols, and the rows of Kane's equations for them."""

    equations: Equations

    @property
    def names(self) -> tuple[sp.Symbol, ...]:
        return tuple(self.equations.model.speeds)

    @property
    def rates(self) -> tuple[sp.Symbol, ...]:
        """The symbols of du/dt."""
        return tuple(sp.Symbol(f"{u}_dot", real=True) for u in self.names)

    def solved(self) -> tuple[sp.Matrix, sp.Matrix]:
        """(W, w) of v = W u + w, from the definitions and A v + b0 = 0."""
        eq, model = self.equations, self.equations.model
        s, n = eq.symbolic, len(model.v)
        still = dict.fromkeys(model.v, sp.Integer(0))
        definitions = [s.impose(one) for one in model.speeds.values()]
        Y = sp.Matrix([[one.diff(v) for v in model.v] for one in definitions])
        right = [u - one.xreplace(still) for u, one in zip(self.names, definitions, strict=True)]
        if model.constraints:
            Y = Y.col_join(eq.constraint_matrix)
            right += [-x for x in eq.constraints.offsets]
        if Y.rows != n:
            raise DerivationError(
                f"{len(self.names)} speeds and {Y.rows - len(self.names)} constraint rows for {n} velocities of "
                f"{model.name!r}: Kane's equations need {n} together. Name {n - Y.rows + len(self.names)} speeds."
            )
        v = sp.Matrix([sp.expand(x) for x in solve(Y, right, leads)])
        W = v.jacobian(sp.Matrix(self.names))
        return tidy_matrix(W), tidy_matrix(v.subs(dict.fromkeys(self.names, 0)))

    def rows(self) -> list[tuple[sp.Expr, sp.Expr]]:
        """W^T (M vd + f + g) = W^T Q with v = W u + w and vd = W ud + Wd u + wd; constraint forces do no work in W."""
        eq, s = self.equations, self.equations.symbolic
        W, w = self.solved()
        u, ud = sp.Matrix(self.names), sp.Matrix(self.rates)
        v = dict(zip(eq.model.v, W * u + w, strict=True))

        def rate(x: sp.Expr) -> sp.Expr:
            return s.impose(s.time_derivative(x)).subs(v)

        vd = W * ud + W.applyfunc(rate) * u + w.applyfunc(rate)
        left = eq.mass_matrix * vd + (eq.velocity_terms + eq.potential_terms).subs(v)
        right = sp.Matrix([s.impose(s.forces[i]) for i in s.free]).subs(v)
        return [(tidy(a), tidy(b)) for a, b in zip(W.T * left, W.T * right, strict=True)]


def require_speeds(model: Model) -> None:
    """Raise where nobody defined speeds."""
    if not model.speeds:
        raise ModelError(f"{model.name!r} has no generalized speeds. Define them with s.speeds(...).")
