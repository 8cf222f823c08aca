"""What motions conserve, in symbols: momenta of symmetries, and energy or Jacobi's integral.

Candidates are written down, p . X(q) for every symmetry X and h = v . dL/dv - L; one is told if its derivative along
the motion vanishes at random states, with all forces and constraints: an exact derivative, so that chance has no say
but at special points.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.analysis.asking import symmetries_of
from cardan.analysis.symmetries import Field, states_around
from cardan.codegen.compiled import Kernel
from cardan.equations.equations import Equations
from cardan.graph import gradient
from cardan.native.showing import Shown
from cardan.trajectory.extent import typical_sizes

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]

STATES = 6  # at which a derivative along the motion must vanish
NOTHING = 1e-10  # of the sum of what it is made of: a derivative that is rounding
SHORT = 300  # operations: longer expressions are told as they are


@dataclass(frozen=True)
class Invariant(Shown):
    """A quantity that motions conserve: its kind ("momentum", "energy", "Jacobi integral"), name and expression."""

    _showing: ClassVar[tuple[str, ...]] = ("kind", "name", "expression")

    kind: str
    name: str
    expression: sp.Expr

    def drift(self, run: Trajectory) -> float:
        """How much it changes along a run, relative to its size (or by number where it is zero)."""
        values = run.evaluate(self.expression)
        return float(np.ptp(values) / max(float(np.max(np.abs(values))), 1.0))

    def __repr__(self) -> str:
        return f"{self.kind} of {self.name}: {self.expression}" if self.kind == "momentum" else (
            f"{self.kind}: {self.expression}"
        )  # fmt: skip


def invariants_of(kernel: Kernel) -> list[Invariant]:
    """Momenta first, then energy or Jacobi's integral."""
    states = _states(kernel)
    return [one for one in _candidates(kernel) if _is_conserved(kernel, one.expression, states)]


def _candidates(kernel: Kernel) -> Iterator[Invariant]:
    equations = Equations(kernel.model, "auto")
    T, V, v = equations.kinetic_energy, equations.potential_energy, kernel.model.v
    L = T - V
    if kernel.nq == kernel.nv:
        momenta = [sp.diff(L, one) for one in v]
        for field in symmetries_of(kernel):
            yield Invariant("momentum", str(field), _short(_along(field, momenta, kernel.model.q)))
        h = _short(sum((p * rate for p, rate in zip(momenta, v, strict=True)), sp.Integer(0)) - L)
    else:
        h = T + V
    total = T + V
    is_energy = _short(h - total) == 0
    yield Invariant("energy", "time", total) if is_energy else Invariant("Jacobi integral", "time", h)


def _along(field: Field, momenta: list[sp.Expr], q: tuple[sp.Symbol, ...]) -> sp.Expr:
    """p . X(q), with the field's numbers as fractions where they are near simple ones."""
    total = sp.Integer(0)
    for k, p in enumerate(momenta):
        move = _number(field.c[k]) + sum((_number(b) * x for b, x in zip(field.B[k], q, strict=True)), sp.Integer(0))
        total += move * p
    return sp.expand(total) if total.count_ops() < SHORT else total


def _number(value: float) -> sp.Expr:
    simple = sp.Rational(value).limit_denominator(1000)
    return simple if abs(float(simple) - value) < 1e-9 * max(1.0, abs(value)) else sp.Float(value)


def _short(expression: sp.Expr) -> sp.Expr:
    return sp.simplify(expression) if expression.count_ops() < SHORT else expression


def _states(kernel: Kernel) -> list[Vector]:
    y = kernel.y([0.0] * kernel.nq)
    for start in kernel.quaternions:
        y[start] = 1.0
    sizes = typical_sizes(kernel, y, 0.0)
    return states_around(kernel, 0.0, y[: kernel.nq], kernel.p(), sizes, STATES)


def _is_conserved(kernel: Kernel, expression: sp.Expr, states: list[Vector]) -> bool:
    """Whether I_q qd + I_v vd + I_t vanishes."""
    d = kernel.dynamics
    node = d.space.all_nodes(d.impose([d.space.lift(expression)]))[0]
    slopes = kernel.custom("invariant", gradient(node, [*d.q, *d.v, d.t]))
    p = kernel.p()
    for k, y in enumerate(states):
        t = 0.31 * k
        terms = kernel.numbers(p).terms(t, y)
        vd, _ = terms.accelerations()
        parts = slopes(t, y, p[: slopes.np]) * np.concatenate([terms.qd, vd, [1.0]])
        if not abs(parts.sum()) <= NOTHING * max(float(np.abs(parts).sum()), 1e-300):
            return False
    return bool(states)
