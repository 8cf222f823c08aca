"""Runs that change between declared charts: leave one before it is singular, enter the one that is farther from it.

A chart is left when its indicator falls below 0.3 of what is typical for it and another one's is larger. Velocities
are carried by qd = F_x xd; what comes out is in the user's coordinates throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.errors import StartError
from cardan.native.once import once
from cardan.simulation.contact.impacts import StopGuard
from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Segment, Solution
from cardan.singular.records import EventRecord
from cardan.trajectory.charts.chart_view import ChartView
from cardan.trajectory.charts.guard import EDGE, SINGULAR_COORDINATES
from cardan.trajectory.charts.indicator import ChartIndicator
from cardan.trajectory.charts.lift import Lift, Tracker
from cardan.trajectory.charts.readings import TURN
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.signals import Signals, bound, controller
from cardan.trajectory.stops import ContactMode, StopKernels

Vector = NDArray[np.float64]
Sound = NDArray[np.bool_]

LEAVE = 0.3  # of the typical indicator


@dataclass
class Mode:
    """One chart of a run: the model compiled in it, and how far from singular it is; the user's has no ``view``."""

    name: str
    compiled: Prepared
    view: ChartView | None
    indicator: ChartIndicator | None = None
    typical: float = 0.0
    share: float = LEAVE

    @once
    def stops(self) -> StopKernels:
        """The stops in this chart."""
        return StopKernels(self.compiled)

    def measure(self, t: float, y: Vector) -> None:
        """Take what is typical around a state of this chart as reference, unless there is one already."""
        if self.indicator is not None or not np.isfinite(y).all():
            return
        kernel = self.compiled.kernel
        self.indicator = ChartIndicator(kernel, y, t, self.compiled.parameters, 0.0)
        self.typical = self.indicator.typical
        self.base = self.compiled.parameters
        self.watch(LEAVE)

    def watch(self, share: float) -> None:
        """Watch for the indicator falling below this share of its typical value."""
        assert self.indicator is not None
        self.share = share
        self.indicator.tail[-1] = (share * self.typical) ** 2
        self.compiled.parameters = np.concatenate([self.base, self.indicator.tail])

    def watched(self, t: float, y: Vector, p: Vector) -> float:
        """The watched indicator, for models with other numbers behind their parameters."""
        assert self.indicator is not None
        return self.indicator(t, y, self.base)

    def clearance(self, t: float, y: Vector) -> float:
        """The indicator over its typical value; 0 where it is not a number, or the state is not in the chart."""
        self.measure(t, y)
        if self.indicator is None or not np.isfinite(y).all():
            return 0.0
        value = self.indicator(t, y, self.base) + self.indicator.tail[-1]
        return float(np.sqrt(max(value, 0.0))) / (self.typical or 1.0) if np.isfinite(value) else 0.0

    def to_user(self, y: Vector, before: Vector) -> Vector:
        """A state in the user's coordinates, angles close to those of the state ``before``."""
        if self.view is None:
            return y
        part = self.view.parts[0]
        chart = replace(part.chart(y[None]), size=0.0)
        q = Lift(chart, np.zeros(1), lambda _: part.split(y[None]), before[list(part.user_q)]).q
        return np.asarray(self.view.with_parts(y[None], [q])[0])

    def from_user(self, y: Vector) -> Vector:
        return y if self.view is None else self.view.to_regular(y)


class ChartSwitch(Guard):
    """The guard that changes charts; ``stopped`` says whether none of them could go on."""

    def __init__(
        self, compiled: Prepared, views: Sequence[ChartView], signals: Signals, t0: float, y0: Vector, forward: bool
    ) -> None:
        self.last = y0  # the last state known in the user's coordinates
        self.first, self.stopped, self.forward = y0, False, forward
        self.seen = Seen(self, compiled)
        self.modes = [Mode("as typed", compiled, None)]
        for view in views:
            self.modes.append(Mode(view.name, _prepared(view, signals, self.seen), view))
        self.trackers: dict[int, Tracker] = {}
        self.boundary: StopGuard | None = None  # the guard of the stops, which changes charts with the motion
        self.mode = max(self.modes, key=lambda one: self._preference(one, t0, one.from_user(y0)))
        self.start, self.y0 = self.mode, self.mode.from_user(y0)
        if self.mode.view is not None:
            self.trackers[id(self.mode.compiled)] = self._tracker(self.mode)
        if self.mode.clearance(t0, self.y0) <= EDGE:
            raise StartError(
                "The start is singular in the coordinates of the system, and no declared chart could be entered there. "
                "Give s.chart(...) its inverse= maps, or declare a chart that is regular here.",
                q=y0[: compiled.nq],
            )
        self.records = () if self.mode is self.modes[0] else (self._record(t0, y0, self.modes[0], self.mode),)

    def _preference(self, mode: Mode, t: float, y: Vector) -> tuple[bool, float]:
        """The user's own chart, if it will do; else the clearest."""
        clear = mode.clearance(t, y)
        return (mode.view is None and clear > LEAVE, clear)

    def _tracker(self, mode: Mode) -> Tracker:
        assert mode.view is not None
        part = mode.view.parts[0]
        rows = mode.from_user(self.last)[None]
        return Tracker(part.chart(rows), self.last[list(part.user_q)], self.forward)

    def user_state(self, t: float, y: Vector) -> Vector:
        """The state in the user's coordinates while the motion is being made."""
        if self.mode.view is None:
            return y
        part = self.mode.view.parts[0]
        x, v = part.split(y[None])
        q = self.trackers[id(self.mode.compiled)](t, x[0], v[0])
        return np.asarray(self.mode.view.with_parts(y[None], [q[None]])[0])

    # --- the protocol of guards --------------------------------------------------------------------

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        self.mode = self._mode_of(mode)
        assert self.mode.indicator is not None
        kernel = self.mode.indicator.address if mode is self.mode.compiled else self.mode.watched
        return [Watch(kernel, -1, terminal=True, start_sign=1, name="chart")]

    def _mode_of(self, model: CompiledModel | None) -> Mode:
        """The chart that a model is written in; that of the start where none is named."""
        own = model.stops.compiled if isinstance(model, ContactMode) else model
        return next((one for one in self.modes if one.compiled is own), self.start)

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        old = self.mode
        user = old.to_user(y, self.last)
        clear = old.clearance(t, y)
        others = [(one, one.from_user(user)) for one in self.modes if one is not old]
        better = [(one.clearance(t, state), k) for k, (one, state) in enumerate(others)]
        value, k = max(better, default=(0.0, 0))
        if value > clear:
            self.last = user
            new, state = others[k]
            new.watch(min(LEAVE, value / 2))
            if new.view is not None:
                self.trackers[id(new.compiled)] = self._tracker(new)
            return Continuation(state, self._carried(new, t, state), (self._record(t, user, old, new),))
        if old.share * old.typical > 2 * EDGE:
            old.watch(old.share / 2)
            return Continuation(y)
        self.stopped = True
        what = "the coordinates become singular here, and so do those of every declared chart"
        return Continuation(y, ends=what, records=(EventRecord("stop", SINGULAR_COORDINATES, t, user, what),))

    def _carried(self, new: Mode, t: float, state: Vector) -> CompiledModel:
        """The model in the new chart, resting on the stops that are closed."""
        return new.compiled if self.boundary is None else self.boundary.carry_over(new.stops, new.compiled, t, state)

    def _record(self, t: float, user: Vector, old: Mode, new: Mode) -> EventRecord:
        what = f"the motion goes on in chart {new.name!r} instead of {old.name!r}"
        return EventRecord("chart-switch", new.name, t, user, what, {"from": old.name, "to": new.name})

    # --- results -----------------------------------------------------------------------------------

    def in_user_coordinates(self, solution: Solution) -> Solution:
        """The motion in the user's coordinates."""
        before = self.first
        segments: list[Segment] = []
        self._told: list[Callable[[Vector], Sound]] = []
        for segment in solution.segments:
            mode = self._mode_of(segment.model)
            found, sound = _typed(segment, before) if mode.view is None else _read(segment, before, mode.view)
            if isinstance(segment.model, ContactMode):
                found = replace(found, model=self.modes[0].stops.mode(segment.model.behind))
            segments.append(found)
            self._told.append(sound)
            before = found.rows[-1, 1:]
        whole = replace(solution, segments=tuple(segments), y_final=before)
        self._whole = whole
        crossings = tuple(replace(one, y=whole.at(one.t)) for one in solution.events)
        return replace(whole, y=whole.at(solution.t), events=crossings)

    @property
    def angles(self) -> tuple[int, ...]:
        """Which of the user's coordinates are read off other charts as angles."""
        parts = [part for mode in self.modes if mode.view is not None for part in mode.view.parts]
        return tuple(sorted({part.user_q[k] for part in parts for k in part.reading.angles}))

    def is_defined(self, times: Vector) -> Sound:
        """Whether the user's coordinates have a meaning at times of the finished motion."""
        owner = self._whole.owner(times)
        found = np.ones(len(times), dtype=bool)
        for k, sound in enumerate(self._told):
            here = owner == k
            found[here] = sound(times[here])
        return found


class Seen:
    """The state in the user's coordinates, whatever chart the motion is in, as controllers and events see it."""

    def __init__(self, switch: ChartSwitch, compiled: Prepared) -> None:
        self.switch = switch
        self.model = compiled.kernel.model
        self.replaced = {*self.model.q, *self.model.v}

    def __call__(self, t: float, y: Vector) -> Vector:
        return self.switch.user_state(t, y)


def _prepared(view: ChartView, signals: Signals, seen: Seen) -> Prepared:
    """The model of a chart with the signals of a run; controllers see the user's coordinates."""
    assert view.chart is not None
    inside = view.chart.substitution
    own = replace(signals, expressions={s: x.xreplace(inside) for s, x in signals.expressions.items()})
    kernel = bound(view.kernel, own)
    return Prepared(kernel, signals.constants, controller(kernel, own, seen))


def _typed(segment: Segment, before: Vector) -> tuple[Segment, Callable[[Vector], Sound]]:
    """A segment in the user's chart, its angles shifted by whole turns to continue those before it."""
    n = len(before)
    shift = np.zeros(n)
    first = segment.rows[0, 1 : n + 1]
    gap = before - first
    turns = np.round(gap / TURN)
    for k in range(n // 2):
        if turns[k] and abs(gap[k] - TURN * turns[k]) < 1e-6 * (1 + abs(gap[k])):
            shift[k] = TURN * turns[k]
    rows = np.column_stack([segment.rows[:, 0], segment.rows[:, 1 : n + 1] + shift])
    told = Segment(rows, lambda _, times: segment.at(segment.rows, times) + shift, segment.model)
    return told, lambda times: np.ones(len(times), dtype=bool)


def _read(segment: Segment, before: Vector, view: ChartView) -> tuple[Segment, Callable[[Vector], Sound]]:
    """A segment of a declared chart in the user's coordinates, and whether they have a meaning at its times."""
    part = view.parts[0]
    times, n = segment.rows[:, 0], len(before)

    def states(t: Vector) -> Vector:
        return segment.at(segment.rows, t)

    own = segment.rows[:, 1 : n + 1]
    lift = Lift(part.chart(own), times, lambda t: part.split(states(t)), before[list(part.user_q)])

    def at(_: Vector, t: Vector) -> Vector:
        rows = states(t)
        return view.with_parts(rows, [lift.at(t, part.split(rows)[0])[0]])

    def sound(t: Vector) -> Sound:
        return lift.at(t, part.split(states(t))[0])[1]

    return Segment(np.column_stack([times, at(own, times)]), at, segment.model), sound
