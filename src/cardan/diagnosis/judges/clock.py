"""How far time is varied in a cloud: what depends on time explicitly is usual or singular at instants, as elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.graph import Node, evaluate, jacobian, live
from cardan.model.model import Model
from cardan.model.variables import CoordinateVariable

Vector = NDArray[np.float64]

ORDERS = 3  # derivatives that are looked at: a motion may stand still at this instant
UNKNOWN = 1.0  # where time occurs but nothing says how fast things change


def time_scale(kernel: Kernel, y: Vector, t: float, p: Vector, box: Vector, extent: float) -> float:
    """The time in which what is driven moves by its typical size; 0 where nothing depends on time explicitly.

    The k-th derivative r of a motion of typical size s gives (s / |r|)^(1 / k); the least of these counts.
    """
    if not depends_on_time(kernel):
        return 0.0
    times = [*motion_times(kernel.model, kernel.turning.__contains__, t, extent), *_of_rows(kernel, y, t, p, box)]
    return min((one for one in times if np.isfinite(one) and one > 0), default=UNKNOWN)


def depends_on_time(kernel: Kernel) -> bool:
    """Whether places, masses or constraints change with time while coordinates rest."""
    model, d = kernel.model, kernel.dynamics
    written = [*model.prescribed.values(), *model.kinetic_energies, *model.lagrangians]
    written += [sp.sympify(link.variable) for link in d.full.tree.links if link.kind != "spin"]
    if any(model.time in one.free_symbols for one in written):
        return True
    return bool(kernel.m) and d.t in set(live([*d.constraints.phi, *d.constraints.rates]))


def motion_times(model: Model, turns: Callable[[sp.Symbol], bool], t: float, extent: float) -> list[float]:
    """Times of prescribed coordinates: until an angle has made half a turn, a length has grown by the extent."""
    found: list[float] = []
    values: dict[sp.Expr, float] = {**model.values, model.time: t}
    for one in model.variables:
        if not isinstance(one, CoordinateVariable) or one.symbol not in model.prescribed:
            continue
        size = one.scale or (np.pi if one.domain.is_angle or turns(one.symbol) else extent)
        for k in range(1, ORDERS + 1):
            rate = abs(float(sp.diff(model.prescribed[one.symbol], model.time, k).xreplace(values)))
            found.append((size / rate) ** (1 / k) if rate > 0 else np.inf)
    return found


def _of_rows(kernel: Kernel, y: Vector, t: float, p: Vector, box: Vector) -> list[float]:
    """Times of constraints: until phi has changed as much as by typical changes of coordinates."""
    if not kernel.m:
        return []
    d = kernel.dynamics
    known: dict[Node, float] = {d.t: t} | dict.fromkeys(d.v, 0.0)
    known |= dict(zip(d.q, y[: kernel.nq].tolist(), strict=True)) | dict(zip(d.p, p.tolist(), strict=False))
    orders = reduce(lambda rows, _: [*rows, _slopes(rows[-1], d.t)], range(ORDERS - 1), [list(d.constraints.offsets)])
    flat = [entry for row in d.constraints.matrix for entry in row]
    A = np.array([float(x) for x in evaluate(flat, known)]).reshape(kernel.m, kernel.nv)
    sizes, found = np.abs(A) @ box, []
    for k, row in enumerate(orders, start=1):
        rates = np.abs([float(x) for x in evaluate(row, known)])
        used = (rates > 0) & (sizes > 0) & np.isfinite(rates) & np.isfinite(sizes)
        found += list((sizes[used] / rates[used]) ** (1 / k))
    return found


def _slopes(nodes: list[Node], t: Node) -> list[Node]:
    return [row[0] for row in jacobian(nodes, [t])]
