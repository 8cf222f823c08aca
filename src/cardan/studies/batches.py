"""Rows of a sweep in one call of machine code, where the model allows: nothing may interrupt its motions.

Steps, events and states at requested times are made by the same loop as of a run alone, so that rows have the same
bits. Rows that do not simply finish are run alone afterwards, which says what became of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.many import Ends, can_be_many, integrate_many
from cardan.simulation.protocol import Watch
from cardan.studies.outputs import REDUCTIONS, reduced
from cardan.trajectory.along import outputs_along
from cardan.trajectory.coordinates import Entry, Typed
from cardan.trajectory.follow import largest_step
from cardan.trajectory.guards import watch_over
from cardan.trajectory.instants import instants_of
from cardan.trajectory.request import Request, read_request
from cardan.trajectory.signals import watch
from cardan.trajectory.tolerances import tolerances

if TYPE_CHECKING:
    from cardan.studies.rows import Bench, Block

Table = NDArray[np.float64]
SIMPLE = ("final", "when", "states", *REDUCTIONS)
MOST = 4096  # rows in one call
ROOM = 1 << 24  # numbers of states at requested times in one call


class Batch:
    """The rows of a bench whose motions nothing interrupts."""

    def __init__(self, bench: Bench, request: Request, entry: Entry) -> None:
        self.bench, self.request, self.entry = bench, request, entry
        self.model = watch_over(entry, request).first_mode
        self.places = [_place(bench, entry, column) for column in bench.setup.columns]
        self.events = [
            Watch(watch(entry.compiled, request.user, None, f"event{k}", one.expression), one.direction, one.terminal,
                  name=one.name)
            for k, one in enumerate(request.events)
        ]  # fmt: skip
        self.own = len(request.events) - len(bench.watched)  # events before those of outputs

    def starts(self, first: int, last: int) -> tuple[Table, Table]:
        """(states, parameters) of rows."""
        values = self.bench.setup.values[first:last]
        y = np.repeat(self.entry.y[None], last - first, axis=0)
        p = np.repeat(self.entry.compiled.parameters[None], last - first, axis=0)
        for (table, column), numbers in zip(self.places, values.T, strict=True):
            (y if table == "y" else p)[:, column] = numbers
        return y, p

    def ends(self, first: int, last: int) -> Ends:
        """The motions of rows."""
        y, p = self.starts(first, last)
        settings = self.request.settings
        atol = np.array([self._tolerances(one, own) for one, own in zip(y, p, strict=True)])
        return integrate_many(
            self.model, self.request.t0, self.request.end, y, p, atol, method=self.request.method, rtol=settings.rtol,
            times=self.bench.grid, events=self.events, max_step=largest_step(self.entry, self.request),
            max_steps=settings.max_steps, step=self.request.step,
        )  # fmt: skip

    def _tolerances(self, y: Table, p: Table) -> Table:
        compiled = self.entry.compiled.with_parameters(p)
        return tolerances(replace(self.entry, y=y, compiled=compiled), self.request, compiled)

    def fill(self, block: Block) -> list[int]:
        """Put what came of the rows into a block; returns the rows (within it) that have to be run alone."""
        alone: list[int] = []
        step = max(1, min(MOST, ROOM // max(len(self.bench.grid) * len(self.entry.y), 1)))
        for a in range(0, len(block), step):
            b = min(a + step, len(block))
            ends = self.ends(block.first + a, block.first + b)
            p = self.starts(block.first + a, block.first + b)[1]
            for k in range(b - a):
                if ends.status[k] in ("finished", "event") and np.isfinite(ends.y[k]).all():
                    self._row(block, a + k, ends, k, p[k])
                else:
                    alone.append(a + k)
        return alone

    def _row(self, block: Block, row: int, ends: Ends, k: int, p: Table) -> None:
        from cardan.studies.rows import STATUS

        bench, at = self.bench, 0
        block.status[row] = STATUS.index(ends.status[k])
        block.ended[row] = ends.t[k]
        along = iter(self._along(ends, k, p).T)
        zeros = iter(ends.zeros[k, self.own :])
        for one in bench.setup.outputs:
            if one.kind == "final":
                block.numbers[row, at : at + ends.y.shape[1]] = ends.y[k]
                at += ends.y.shape[1]
            elif one.kind == "states":
                block.states[row] = ends.states[k][np.searchsorted(bench.grid, bench.setup.times)]
            else:
                block.numbers[row, at] = next(zeros) if one.kind == "when" else reduced(one.kind, next(along))
                at += 1

    def _along(self, ends: Ends, k: int, p: Table) -> Table:
        function = self.bench.function
        if function is None:
            return np.zeros((1, 0))
        reached = int(np.isfinite(ends.states[k, :, 0]).sum())
        times, states = self.bench.grid[:reached], ends.states[k, :reached]
        if not reached or times[-1] != ends.t[k]:
            times, states = np.append(times, ends.t[k]), np.vstack([states, ends.y[k]])
        found = outputs_along(function.address, function.nout, times, states, p[: function.np])
        return found[np.isfinite(found).all(axis=1)]


def _place(bench: Bench, entry: Entry, column: tuple[str, str]) -> tuple[str, int]:
    """Where the value of a column stands: in the state, or among the parameters."""
    (place, name), model = column, entry.kernel.model
    if place == "q":
        return "y", [str(x) for x in model.q].index(name)
    if place == "v":
        rates = [str(x) for x in model.v]
        return "y", len(model.q) + (rates.index(name) if name in rates else [str(x) for x in model.q].index(name))
    names = [str(x) for x in (*model.parameters, *model.signals)]
    return "p", names.index(name)


def batch_of(bench: Bench) -> Batch | None:
    """The batch, where the first row shows that nothing interrupts the motions of this study."""
    setup, kernels = bench.setup, bench.system.kernels
    model = kernels.model
    moves_masses = any(place == "parameters" for place, _ in setup.columns) and (model.has_bodies or model.stops)
    names = {str(x) for x in (*model.q, *model.v, *model.parameters, *model.signals)}
    if any(one.kind not in SIMPLE for one in setup.outputs) or moves_masses or bench.base["duration"] <= 0:
        return None
    if any(name not in names for _, name in setup.columns) or model.quaternion_starts:
        return None
    request = read_request(kernels.user, bench.settings(0)[0])
    coordinates = kernels.coordinates(request)
    if type(coordinates) is not Typed or not can_be_many(request.method) or request.signals.functions:
        return None
    entry = coordinates.enter(request)
    plain = entry.start is None and entry.model is None and entry.compiled.refresh is None
    if not plain or watch_over(entry, request).guards or instants_of(entry, request) is not None:
        return None
    return Batch(bench, request, entry)
