"""Inverse dynamics: from a motion to the inputs that make it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.codegen.compiled import Kernel
from cardan.errors import DerivationError, StartError, UnreachableMotion, WrongShape, unknown
from cardan.graph import jacobian, live
from cardan.native.showing import Shown
from cardan.singular.constrained import Terms
from cardan.singular.inverse import share

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]
Actuator: TypeAlias = "str | sp.Symbol"  # a load, an input, or a coordinate on which a generalized force acts
Column: TypeAlias = "int | sp.Symbol"  # the index of a velocity, or a signal

CONSISTENT = 1e-6  # relative violation of the constraints that a given motion may have
PRODUCED = 1e-9  # relative size of forces that nobody supplies and that count as rounding


@dataclass(frozen=True)
class InverseDynamics(Shown):
    """Inputs and multipliers that make a given motion: M a + f + g = Q(u) + A^T lam.

    ``spare`` counts combinations of actuators without effect (redundant actuation): then ``forces`` are the shortest
    that do. ``unique`` tells which multipliers are determined by the motion.
    """

    forces: Mapping[str, float]
    multipliers: Mapping[str, float]
    spare: int
    unique: Mapping[str, bool]

    def __str__(self) -> str:
        lines = [f"{name:20s} {value: .6g}" for name, value in self.forces.items()]
        if self.spare:
            lines.append(f"({self.spare} combination(s) of actuators have no effect; these are the shortest forces)")
        for name, value in self.multipliers.items():
            lines.append(f"{name:20s} {value: .6g}" + ("" if self.unique[name] else "  (not unique)"))
        return "\n".join(lines)


def inverse_dynamics(
    kernel: Kernel, t: float, q: ArrayLike, v: ArrayLike, a: ArrayLike, actuators: Sequence[Actuator] | None, p: Vector
) -> InverseDynamics:
    """Forces of the actuators (loads, inputs, or generalized forces on coordinates) for the motion (q, v, a)."""
    wanted = np.asarray(a, dtype=float).ravel()
    if wanted.size != kernel.nv:
        raise WrongShape(f"a has {wanted.size} numbers, expected {kernel.nv}.", found=wanted.size)
    if not np.isfinite(wanted).all():
        raise StartError(f"The accelerations {wanted.tolist()} are not all finite; give finite numbers.")
    names, columns = _actuators(kernel, actuators)
    signals = [column for column in columns if not isinstance(column, int)]
    p = p.copy()
    index = {symbol: k for k, symbol in enumerate((*kernel.model.parameters, *kernel.model.signals))}
    for symbol in signals:
        p[index[symbol]] = 0.0
    y = kernel.y(q, v)
    terms = _terms(kernel, t, y, p)
    _check_motion(kernel, t, y, wanted, terms, p)
    found = share(terms, wanted, _influence(kernel, columns, t, y, p))
    _check_supplied(kernel, terms, wanted, found.missing, names)
    rows = kernel.dynamics.constraints.names if kernel.m else []
    return InverseDynamics(
        dict(zip(names, found.u.tolist(), strict=True)),
        dict(zip(rows, found.lam.tolist(), strict=True)),
        found.spare,
        dict(zip(rows, found.determined.tolist(), strict=True)),
    )


def _actuators(kernel: Kernel, given: Sequence[Actuator] | None) -> tuple[list[str], list[Column]]:
    """Names, and for each a signal symbol or the index of a velocity."""
    model = kernel.model
    if given is None:
        return [str(symbol) for symbol in model.driving], list(model.driving)
    by_load = {load.name: load.symbols for load in model.judged}
    by_signal = {str(symbol): symbol for symbol in model.driving}
    by_velocity = {str(symbol): k for k, symbol in enumerate(model.v)}
    by_velocity |= {one.name: by_velocity[str(one.velocities[0])] for one in model.free if len(one.velocities) == 1}
    names: list[str] = []
    columns: list[Column] = []
    for one in given:
        key = str(one)
        if key in by_load and key not in by_signal:
            found: list[tuple[str, Column]] = [(str(symbol), symbol) for symbol in by_load[key]]
        elif key in by_signal:
            found = [(key, by_signal[key])]
        elif key in by_velocity:
            found = [(key, by_velocity[key])]
        else:
            known = dict.fromkeys([*by_load, *by_signal, *by_velocity])
            raise unknown(key, known, f"load, input or coordinate of {model.name!r}")
        names += [name for name, _ in found]
        columns += [column for _, column in found]
    return names, columns


def _terms(kernel: Kernel, t: float, y: Vector, p: Vector) -> Terms:
    if kernel.m:
        return kernel.numbers(p).terms(t, y)
    n = kernel.nv
    M = kernel.function("mass_matrix")(t, y, p).reshape(n, n)
    h = kernel.function("inverse_dynamics")(t, np.concatenate([y, np.zeros(n)]), p)
    return Terms(np.zeros(0), M, h, np.zeros((0, n)), np.zeros(0))


def _influence(kernel: Kernel, columns: Sequence[Column], t: float, y: Vector, p: Vector) -> Vector:
    """B = dQ/du, one column per actuator; refused where Q is not linear in u."""
    d = kernel.dynamics
    B = np.zeros((kernel.nv, len(columns)))
    signals = [(j, one) for j, one in enumerate(columns) if not isinstance(one, int)]
    for j, one in enumerate(columns):
        if isinstance(one, int):
            B[one, j] = 1.0
    if signals:
        nodes = [d.space.nodes[symbol] for _, symbol in signals]
        slopes = [x for row in jacobian(d.bias, nodes) for x in row]
        curved = set(nodes) & set(live(slopes))
        if curved:
            bad = [str(symbol) for (_, symbol), node in zip(signals, nodes, strict=True) if node in curved]
            raise DerivationError(
                f"The forces of {kernel.model.name!r} are not linear in {', '.join(bad)}, so they cannot be "
                "solved for. Make the force itself the input.",
                names=bad,
            )
        table = kernel.custom("influence", slopes)(t, y, p).reshape(kernel.nv, len(nodes))
        for k, (j, _) in enumerate(signals):
            B[:, j] = -table[:, k]
    return B


def _check_motion(kernel: Kernel, t: float, y: Vector, a: Vector, terms: Terms, p: Vector) -> None:
    """Refuse a motion that the constraints forbid, by name."""
    if not kernel.m:
        return
    phi, rate = kernel.numbers(p).residual(t, y)
    v = y[kernel.nq :]
    size = 1.0 + float(np.max(np.abs(y[: kernel.nq]), initial=0.0))
    levels = (
        ("position", phi, size),
        ("velocity", rate, 1.0 + float(np.max(np.abs(terms.A) @ np.abs(v)))),
        ("acceleration", terms.A @ a - terms.b, 1.0 + float(np.max(np.abs(terms.A) @ np.abs(a) + np.abs(terms.b)))),
    )
    for level, defect, allowed in levels:
        worst = int(np.argmax(np.abs(defect)))
        if abs(defect[worst]) > CONSISTENT * allowed:
            name = kernel.dynamics.constraints.names[worst]
            raise StartError(
                f"The motion violates constraint {name!r} in its {level} by {defect[worst]:.3g}. Give q, v and a that "
                "satisfy phi = 0, A v + b0 = 0 and A a = b.",
                name=name,
                level=level,
                violation=float(defect[worst]),
            )


def _check_supplied(kernel: Kernel, terms: Terms, a: Vector, missing: Vector, names: Sequence[str]) -> None:
    size = float(np.max(np.abs(terms.M) @ np.abs(a) + np.abs(terms.h), initial=0.0))
    if float(np.max(np.abs(missing), initial=0.0)) <= PRODUCED * (size or 1.0):
        return
    rows = [str(symbol) for symbol in kernel.model.v]
    lacking = {row: float(x) for row, x in zip(rows, missing, strict=True) if abs(x) > PRODUCED * size}
    raise UnreachableMotion(
        f"The actuators {', '.join(names) or '(none)'} cannot make this motion of {kernel.model.name!r}: generalized "
        f"forces {', '.join(f'{x:.4g} on {row}' for row, x in lacking.items())} are missing. Add actuators there, or "
        "choose a motion that the system can make.",
        missing=lacking,
    )
