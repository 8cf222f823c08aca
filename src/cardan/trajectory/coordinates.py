"""What a motion is written in. Coordinates are a reduction with three verbs:

``suits``   whether a motion with this method and these signals can be written in them,
``enter``   the start that was given, in them, ready to be followed,
``leave``   the motion that was followed in them, as its user reads it.

The user's own coordinates are the first of them, here; the others are in charts/.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.simulation.guarded import Guard
from cardan.simulation.methods.method import Method
from cardan.simulation.protocol import CompiledModel
from cardan.simulation.solution import Solution
from cardan.singular.records import EventRecord
from cardan.trajectory.assembly import ConsistentStart, consistent_start, refuse_frozen
from cardan.trajectory.charts.guard import chart_guard
from cardan.trajectory.charts.view import SeenState, ViewedMotion
from cardan.trajectory.contradiction import up_to_contradiction
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.reach import told_reach
from cardan.trajectory.request import Request
from cardan.trajectory.restoring import restored
from cardan.trajectory.signals import Signals, Watchable, bound, controller
from cardan.trajectory.start import Given

Vector = NDArray[np.float64]
Refresh = Callable[[float, Vector, Vector], None]  # (t, y, p): writes signals and modes of that moment into p
See = Callable[[Vector], SeenState]  # from the first state: how a controller sees the ones after it


@dataclass(frozen=True)
class Entry:
    """A motion ready to be followed: the kernel of its coordinates with the signals of the run, and its first state.

    ``model`` and ``state`` are what is integrated, where that is another form of ``compiled`` and ``y``: a declared
    chart, plain quaternions. ``edge`` guards the edge of the coordinates.
    """

    kernel: Kernel
    compiled: Prepared
    y: Vector
    start: ConsistentStart | None  # None without constraints
    seen: SeenState | None = None
    model: CompiledModel | None = None
    state: Vector | None = None
    watchable: Watchable | None = None  # what compiles event functions, where that is not ``compiled``
    edge: Guard | None = None

    @property
    def moved(self) -> float:
        """How far the start was moved to satisfy the constraints."""
        return 0.0 if self.start is None else self.start.distance


@dataclass(frozen=True)
class Motion:
    """A motion that was followed: its solution in the coordinates of ``entry``, and what happened on the way.

    ``viewed`` reads the user's coordinates off those of the solution, where these are others; ``defined`` says
    whether they have a meaning at a time.
    """

    request: Request
    entry: Entry
    solution: Solution
    records: tuple[EventRecord, ...]
    parameters: Vector
    refresh: Refresh | None
    atol: Vector
    viewed: ViewedMotion | None = None
    defined: Callable[[Vector], NDArray[np.bool_]] | None = None

    def settled(self) -> Motion:
        """The motion as far as it can be believed: requested states on the constraints, ended where these contradict
        each other or reach no farther."""
        kernel, start, p = self.entry.kernel, self.entry.start, self.parameters
        solution = self.solution
        if self.request.times is not None and (kernel.m or kernel.quaternions):
            states = restored(kernel, p, solution.t, solution.y, self.records, solution.ahead)
            solution = replace(solution, y=states)
        if start is not None:
            solution = up_to_contradiction(kernel, p, self.refresh, solution, start, self.records)
            solution = told_reach(kernel, p, self.refresh, solution, start)
        return replace(self, solution=solution)


class Coordinates(Protocol):
    """What a motion is written in."""

    def suits(self, method: Method, signals: Signals) -> bool:
        """Whether a motion by this method, with these signals, can be written in them."""
        ...

    def enter(self, request: Request) -> Entry:
        """The start in these coordinates, on the constraints, with the signals of the run."""
        ...

    def leave(self, motion: Motion) -> Motion:
        """The motion as its user reads it."""
        ...

    def read(self, motion: Motion) -> Motion | None:
        """A motion that has settled already, as its user reads it; None where only following it can tell."""
        return None


class Typed:
    """The coordinates as they were described. They suit every motion, as far as they reach."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def suits(self, method: Method, signals: Signals) -> bool:
        return True

    def enter(self, request: Request) -> Entry:
        entry = begin(self.kernel, request.given, request)
        return replace(entry, edge=chart_guard(entry.compiled, request.t0, entry.y, request.settings.rtol))

    def leave(self, motion: Motion) -> Motion:
        return motion.settled()

    def read(self, motion: Motion) -> Motion | None:
        return motion


def begin(kernel: Kernel, given: Given, request: Request, see: See | None = None) -> Entry:
    """The start moved to the constraints, and the kernel with the signals of the run; controllers ``see`` states."""
    kernel = bound(kernel, request.signals)
    start = None
    if kernel.m:
        start = consistent_start(kernel, given, kernel.parameters, request.t0, request.settings.start_tol)
        refuse_frozen(kernel, start.reference)
    y = given.y if start is None else start.y
    seen = None if see is None else see(y)
    refresh = controller(kernel, request.signals, seen)
    compiled = Prepared(kernel, request.signals.constants, refresh, None if start is None else start.reference)
    return Entry(kernel, compiled, y, start, seen)
