"""Rests on stops: gaps that are closed are constraints, which may push and not pull."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.equilibria import Equilibrium
from cardan.codegen.compiled import Kernel, compile_native
from cardan.equations.stops import stop_nodes
from cardan.errors import ModelError

Vector = NDArray[np.float64]

TOGETHER = 2  # stops that are tried closed at once
OPEN = 1e-9  # of typical sizes: a gap that small is closed


def gaps(kernel: Kernel, t: float, y: Vector, p: Vector) -> dict[str, float]:
    """The gap of every stop, by name."""
    if not kernel.model.stops:
        return {}
    function = kernel.keep("gaps", lambda: kernel.custom("gaps", stop_nodes(kernel.dynamics).gaps))
    found = function(t, y, p[: function.np])
    return {one.name: float(gap) for one, gap in zip(kernel.model.stops, found, strict=True)}


def held_closed(kernel: Kernel) -> Iterator[tuple[tuple[str, ...], Kernel]]:
    """The model with one, then with two of its smooth stops held closed."""
    smooth = [one.name for one in kernel.model.stops if one.friction == 0]
    for count in range(1, min(TOGETHER, kernel.nv) + 1):
        for names in combinations(smooth, count):
            closed = replace(kernel.dynamics, full=replace(kernel.dynamics.full, closed=names))
            yield names, compile_native(closed).with_values(kernel.values)


def is_possible(rest: Equilibrium, sizes: Vector) -> bool:
    """Whether no stop is passed, and those that are closed push."""
    slack = OPEN * float(np.max(sizes, initial=1.0))
    place = rest.place
    found = gaps(place.kernel, place.t, place.y, place.p)
    return min(found.values(), default=0.0) >= -slack and min(rest.pushes.values(), default=0.0) >= 0.0


def refuse_closed(kernel: Kernel, t: float, y: Vector, p: Vector, sizes: Vector) -> None:
    """Refuse a state at which a stop is closed: to one side there is no motion, and so no linear equations."""
    slack = OPEN * float(np.max(sizes, initial=1.0))
    closed = [name for name, gap in gaps(kernel, t, y, p).items() if gap <= slack]
    if closed:
        raise ModelError(
            f"The stop {', '.join(map(repr, closed))} of {kernel.model.name!r} is closed at this state, and motions to "
            "one side of it do not exist. Ask s.equilibria() for rests on stops, whose .linear keeps them closed.",
            names=closed,
        )
