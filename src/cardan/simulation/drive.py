"""Python's side of a native loop: arrays, chunks, and what comes back.

A loop returns after a bounded number of steps, so that an interruption from the keyboard is heard between two chunks;
the chunk grows while it takes less than a few hundredths of a second.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.native.deadline import check
from cardan.simulation import layout
from cardan.simulation.common import observe
from cardan.simulation.crossings import marks_in, scan_size
from cardan.simulation.ledger import Field, Ledger
from cardan.simulation.methods.method import Loop, Method
from cardan.simulation.progress import goes_on
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Crossing, Interpolator, Segment
from cardan.simulation.triggers import Triggers

Vector = NDArray[np.float64]
Integers = NDArray[np.int64]

FIRST_CHUNK, PATIENCE = 256, 0.03
LARGEST_BUFFER = 1 << 20  # numbers


@dataclass(frozen=True, slots=True)
class Options:
    """How to integrate: tolerances, steps, limits."""

    rtol: float
    atol: Vector
    step: float
    max_step: float
    max_steps: int
    interior: int
    keep_steps: bool
    watch_stiffness: bool


class Drive:
    """The arrays shared with the native loops, for one motion; methods can follow one another."""

    def __init__(
        self,
        model: CompiledModel,
        t0: float,
        t1: float,
        y0: Vector,
        triggers: Triggers,
        times: Vector,
        options: Options,
    ) -> None:
        self.model, self.triggers, self.options = model, triggers, options
        n, events = len(y0), triggers.events
        self.n = n
        self.p = np.array(model.parameters, dtype=float)
        self.count = np.zeros(layout.COUNTS, dtype=np.int64)
        self.field = Field(model.rhs, model.callback, self.p, self.count)
        self.control = np.zeros(layout.CONTROLS)
        self.control[[layout.T, layout.ORIGIN, layout.END, layout.SPAN]] = t0, t0, t1, t1 - t0
        self.control[[layout.RTOL, layout.H_MAX]] = options.rtol, options.max_step
        self.control[[layout.SMALLEST, layout.LARGEST]] = np.inf, 0.0
        self.holonomic = model.holonomic
        self.flags = _flags(events, model.quaternions, self.holonomic)
        self.samples = np.zeros((len(times), n + 1))
        self.samples[:, 0] = times
        self.sign = np.zeros(scan_size(len(events), options.interior))
        self.found = np.zeros((max(64, 4 * len(events) * (options.interior + 1)), n + 2))
        self.y = np.array(y0, dtype=float)
        self.crossings: list[Crossing] = []
        self.segments: list[Segment] = []

    def start_events(self) -> None:
        """Watch values and signs at the start."""
        ne = len(self.triggers.events)
        if ne:
            marks = marks_in.python(ne, self.options.interior, self.sign)
            observe(self.triggers.address, self.field, self.control[layout.T], self.y, marks.left)
            given = np.array([e.start_sign for e in self.triggers.events], dtype=float)
            marks.sign[:ne] = np.where(given != 0, given, np.sign(marks.left[:ne]))

    def start_samples(self) -> None:
        """The start itself, where it is among the requested times."""
        while self.count[layout.NEXT_SAMPLE] < len(self.samples):
            row = self.samples[self.count[layout.NEXT_SAMPLE]]
            if row[0] != self.control[layout.T]:
                break
            row[1:] = self.y
            self.count[layout.NEXT_SAMPLE] += 1

    def go(self, method: Method, *, watch_stiffness: bool) -> int:
        """Run one method until it ends; the states are added as a segment. Returns the status."""
        loop = method.loop
        assert loop is not None, f"{method.name} has no native loop"
        size = self.sizes(loop, watch_stiffness)
        width, n = int(size[layout.WIDTH]), self.n
        work = np.zeros(loop.work_size(n) + loop.own_work(self.model.nv, len(self.holonomic)))
        work[:n] = self.y
        self.control[layout.H] = self.options.step
        self.count[layout.STARTED] = 0
        start = np.zeros((1, width))
        start[0, : n + 1] = self.control[layout.T], *self.y
        parts, chunk, status = [start], FIRST_CHUNK, layout.MORE
        kernels = loop.kernels(self.model)
        while status == layout.MORE:
            check()
            if not goes_on(float(self.control[layout.T])):
                status = layout.INTERRUPTED
                break
            size[layout.CHUNK] = chunk
            rows = np.empty((chunk + 1, width))
            self.count[[layout.STORED, layout.EVENTS]] = 0
            begun = time.perf_counter()
            status = loop.run(self.ledger(size, rows), kernels, work)
            if time.perf_counter() - begun < PATIENCE:
                chunk = min(2 * chunk, max(FIRST_CHUNK, LARGEST_BUFFER // width))
            parts.append(rows[: self.count[layout.STORED]].copy())
            parts = parts if self.options.keep_steps else [p for p in parts if len(p)][-1:]
            self._collect()
        self.y = work[:n].copy()
        at = interpolator(self.model, loop, size, self.field)
        self.segments.append(Segment(np.concatenate(parts), at, self.model, method.name))
        return status

    def sizes(self, loop: Loop, watch_stiffness: bool) -> Integers:
        """The counts that do not change while a loop runs."""
        size = np.zeros(layout.SIZES, dtype=np.int64)
        size[layout.N] = self.n
        size[layout.N_EVENTS] = len(self.triggers.events)
        size[layout.N_SAMPLES] = len(self.samples)
        size[layout.N_QUATERNIONS] = len(self.model.quaternions)
        size[layout.EVENT_CAPACITY] = len(self.found)
        size[layout.INTERIOR] = self.options.interior
        size[layout.MAX_STEPS] = self.options.max_steps
        size[layout.WIDTH] = loop.width(self.n)
        size[layout.NQ] = self.model.nq
        size[layout.KEEP] = self.options.keep_steps
        size[layout.WATCH_STIFFNESS] = watch_stiffness
        size[layout.ROWS] = len(self.holonomic)
        size[layout.TAIL] = self.model.tail
        return size

    def ledger(self, size: Integers, rows: Vector) -> Ledger:
        """Everything that a loop shares with Python, by reference."""
        return Ledger(
            self.field, self.triggers.address, self.model.project_state, size, self.flags, self.control,
            self.options.atol, self.samples, self.sign, self.found, rows,
        )  # fmt: skip

    def _collect(self) -> None:
        for row in self.found[: self.count[layout.EVENTS]]:
            index = int(row[0])
            name = self.triggers.events[index].name
            self.crossings.append(Crossing(index, name, float(row[1]), row[2:].copy()))


def interpolator(model: CompiledModel, loop: Loop, size: Integers, keeps: Field) -> Interpolator:
    """(rows, times) -> states, with everything it needs kept alive in it."""
    n = int(size[layout.N])

    def at(rows: Vector, times: Vector) -> Vector:
        if len(rows) == 1:
            return np.repeat(rows[:, 1 : n + 1], len(times), axis=0)
        forward = rows[-1, 0] >= rows[0, 0]
        nodes = rows[:, 0] if forward else -rows[:, 0]
        steps = np.searchsorted(nodes, times if forward else -times, side="right") - 1
        steps = np.clip(steps, 0, len(rows) - 2).astype(np.int64)
        out = np.zeros((len(times), n + 1))
        out[:, 0] = times
        count, work = np.zeros(layout.COUNTS, dtype=np.int64), np.zeros(loop.work_size(n))
        field = Field(model.rhs, keeps.before, keeps.p.copy(), count)
        status = loop.states_at(field, size, rows, steps, len(times), out, work)
        if status != 0:
            out[:, 1:] = np.nan
        exact = rows[steps + 1, 0] == times
        out[exact, 1:] = rows[steps[exact] + 1, 1 : n + 1]
        return out[:, 1:]

    return at


def segment_again(model: CompiledModel, method: Method, rows: Vector) -> Segment:
    """A segment that the loop of ``method`` made with this model, from the rows it stored."""
    loop = method.loop
    assert loop is not None, f"{method.name} has no native loop"
    n = model.nq + model.nv
    size = np.zeros(layout.SIZES, dtype=np.int64)
    size[[layout.N, layout.NQ, layout.WIDTH]] = n, model.nq, loop.width(n)
    size[[layout.ROWS, layout.TAIL]] = len(model.holonomic), model.tail
    p = np.array(model.parameters, dtype=float)
    keeps = Field(model.rhs, model.callback, p, np.zeros(layout.COUNTS, dtype=np.int64))
    return Segment(rows, interpolator(model, loop, size, keeps), model, method.name)


def _flags(events: tuple[Watch, ...], quaternions: tuple[int, ...], holonomic: tuple[int, ...]) -> Integers:
    directions = [e.direction for e in events]
    terminal = [(layout.EXACT if e.exact else layout.ROUGH) if e.terminal else 0 for e in events]
    return np.array([*directions, *terminal, *quaternions, *holonomic], dtype=np.int64)
