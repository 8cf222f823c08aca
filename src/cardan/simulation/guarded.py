"""Motions that are interrupted and go on: stops, rank changes, edges of charts.

A guard names the events that concern it and says how the motion continues when one of them happens: from which state,
in which mode (another compiled model, where the equations change), and what is to be recorded. Between interruptions
the ordinary integrators run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.along import crossings_along, shortened
from cardan.simulation.methods.others import PASSAGE
from cardan.simulation.methods.table import method_named
from cardan.simulation.protocol import CompiledModel, Event
from cardan.simulation.solution import Crossing, Segment, Solution, Statistics
from cardan.simulation.solve import checked_times, integrate
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

MOST_INTERRUPTIONS = 1_000_000
CAUTION = 0.6  # of the steps before a passage, for the first one behind it


@dataclass(frozen=True)
class Continuation:
    """How a motion goes on: from state ``y`` in ``mode`` (None: as before), with ``records`` of what happened.

    ``t`` moves the clock (a Zeno sequence is jumped over); ``path`` holds the motion from then to there, where the
    guard has followed it; ``ends`` stops the run there, for the reason given.
    """

    y: Vector
    mode: CompiledModel | None = None
    records: tuple[EventRecord, ...] = ()
    t: float | None = None
    ends: str = ""
    path: tuple[Segment, ...] = ()
    evaluations: int = 0  # that the path has cost


class Guard(Protocol):
    """Something that may interrupt a motion.

    Optionally ``resume(mode, t, y) -> Continuation | None`` says, before the ordinary integrators start from a state,
    whether the motion goes on in another way from there.
    """

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Event]:
        """Events to watch from this state on (terminal ones interrupt); asked for again after every interruption."""
        ...

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        """What happens at the event ``which`` of the last list returned by ``events``."""
        ...


def integrate_guarded(
    model: CompiledModel,
    t0: float,
    t1: float,
    y0: Vector,
    guards: Sequence[Guard],
    *,
    times: Any = None,
    events: Sequence[Event] = (),
    **options: Any,
) -> tuple[Solution, tuple[EventRecord, ...]]:
    """The motion from t0 to t1 with its interruptions, and the records of them in order.

    ``t`` and ``y`` of the solution hold every accepted state, twice at an interruption (before and after); with
    ``times`` those states, the ones before an interruption where it falls on a requested time.
    """
    if not guards:
        return integrate(model, t0, t1, y0, times=times, events=events or None, **options), ()
    wanted = None if times is None else checked_times(times, t0, t1)
    stepping = next((one for one in guards if hasattr(one, "whole")), None)
    if stepping is not None and method_named(options.get("method", "auto")).is_time_stepping:
        made, records_made = stepping.whole(t0, t1, y0, options.get("step"))
        return (made if wanted is None else replace(made, t=wanted, y=made.at(wanted))), records_made
    mode, t, y = model, t0, y0
    parts: list[Solution] = []
    records: list[EventRecord] = []
    crossings: list[Crossing] = []
    asked = _Asked(wanted, t1 >= t0)
    end = ""
    for _ in range(MOST_INTERRUPTIONS):
        leader, resumed = _resumed(guards, mode, t, y)
        owned = [(guard, list(guard.events(mode, t, y)) if guard is not leader else []) for guard in guards]
        watched = [*events, *(event for _, own in owned for event in own)]
        part = _followed(resumed, mode, t, y, watched) if resumed else integrate(
            mode, t, t1, y, times=asked.left, events=watched or None, **_suited(mode, _paced(parts, options))
        )  # fmt: skip
        parts.append(part)
        asked.answer(part, sampled=resumed is None)
        crossings += [one for one in part.events if one.index < len(events)]
        guard, which = _interrupted(part, owned, len(events))
        if resumed is not None:
            records += [one for one in resumed.records if _is_reached(one.t, part, t1 >= t0)]
            mode = mode if resumed.mode is None else resumed.mode
            t, y, end = part.t_final, part.y_final, resumed.ends
            if end or (part.status == "event" and guard is None):
                break
            if guard is None:
                if t == t1:
                    break
                continue
        if guard is None:
            y = part.y_final
            break
        found = guard.handle(which, mode, part.t_final, part.y_final)
        records += found.records
        mode = mode if found.mode is None else found.mode
        t = part.t_final if found.t is None else (min(found.t, t1) if t1 >= t0 else max(found.t, t1))
        y = found.y
        if found.ends:
            end = found.ends
            break
        if t == t1:  # the run ends in this moment: with the state after it
            parts.append(_followed(Continuation(y), mode, t, y, ()))
            break
    return _joined(parts, tuple(crossings), asked, y, end), tuple(records)


def _is_reached(t: float, part: Solution, forward: bool) -> bool:
    """Whether a path, which may have been cut short by an event, goes as far as this time."""
    return t <= part.t_final if forward else t >= part.t_final


class _Asked:
    """Requested times, answered part by part: at an interruption by the state before it."""

    def __init__(self, times: Vector | None, forward: bool) -> None:
        self.left = times
        self._ahead = 1.0 if forward else -1.0
        self.t: list[Vector] = []
        self.y: list[Vector] = []

    def answer(self, part: Solution, *, sampled: bool) -> None:
        """Take the states of a part that ended; it was ``sampled`` if it was given the times that are left."""
        if self.left is None:
            return
        within = self._ahead * self.left <= self._ahead * part.t_final
        reached, self.left = self.left[within], self.left[~within]
        self.t.append(reached)
        known = sampled and np.array_equal(part.t, reached)
        states = part.y.copy() if known else part.at(reached)
        if known and part.status == "event":  # read inside the step that was cut short there: it reaches beyond
            last = self._ahead * reached > self._ahead * float(part.steps[-2:][0])
            states[last] = part.at(reached[last])
        self.y.append(states)


def _suited(mode: CompiledModel, options: dict[str, Any]) -> dict[str, Any]:
    """The options with the method that a mode names for itself, where the one asked for cannot move it."""
    own, asked = getattr(mode, "method", ""), method_named(options.get("method", "auto"))
    return {**options, "method": own, "step": None} if own and asked.needs else options


def _paced(parts: Sequence[Solution], options: dict[str, Any]) -> dict[str, Any]:
    """The options with the step that was usual before a passage as the first one behind it."""
    if len(parts) < 2 or options.get("step") is not None or parts[-1].method is not PASSAGE:
        return options
    before = parts[-2]
    lengths = np.abs(np.diff(before.steps[-4:]))
    usual = before.method.keeps_pace and len(lengths) == 3
    return {**options, "step": CAUTION * float(np.median(lengths))} if usual else options


def _resumed(
    guards: Sequence[Guard], mode: CompiledModel, t: float, y: Vector
) -> tuple[Guard | None, Continuation | None]:
    """The guard that goes on in another way from here, and how, if there is one."""
    for guard in guards:
        resume = getattr(guard, "resume", None)
        found = None if resume is None else resume(mode, t, y)
        if found is not None:
            return guard, found
    return None, None


def _followed(found: Continuation, mode: CompiledModel, t: float, y: Vector, watched: Sequence[Event]) -> Solution:
    """The path of a continuation as a solution, cut at the first terminal event on it."""
    here = np.array([[t, *y]])
    path = found.path or (Segment(here, lambda rows, times: np.repeat(rows[:, 1:], len(times), axis=0)),)
    crossings, cut = crossings_along(mode, path, watched)
    path = path if cut is None else shortened(path, crossings[-1].t)
    rows = np.concatenate([segment.rows for segment in path])
    end = crossings[-1] if cut is not None else None
    return Solution(
        t=rows[:, 0],
        y=rows[:, 1:],
        status="finished" if end is None else "event",
        message="" if end is None else f"Stopped at t = {end.t:.17g} by event {end.name!r}.",
        statistics=Statistics(PASSAGE.name, len(path) if found.path else 0, 0, found.evaluations, 0, 0, np.inf, 0.0),
        events=tuple(crossings),
        t_final=float(rows[-1, 0]) if end is None else end.t,
        y_final=found.y if end is None else end.y,
        segments=path,
        angles=tuple(mode.angles),
    )


def _interrupted(part: Solution, owned: Sequence[tuple[Guard, list[Event]]], first: int) -> tuple[Guard | None, int]:
    """The guard whose terminal event ended this part, and which of its events it was."""
    if part.status != "event" or not part.events or part.events[-1].index < first:
        return None, 0
    index = part.events[-1].index - first
    for guard, own in owned:
        if index < len(own):
            return guard, index
        index -= len(own)
    return None, 0


def _joined(parts: Sequence[Solution], events: tuple[Crossing, ...], asked: _Asked, y: Vector, end: str) -> Solution:
    """One solution of all parts, with the states at requested times if there are any."""
    parts = parts[1:] if _is_idle(parts) else parts
    last = parts[-1]
    segments: tuple[Segment, ...] = tuple(segment for part in parts for segment in part.segments)
    return replace(
        last,
        t=np.concatenate(asked.t or [part.t for part in parts]),
        y=np.concatenate(asked.y or [part.y for part in parts]),
        events=events,
        segments=segments,
        y_final=y,
        statistics=_total([part.statistics for part in parts]),
        status="stopped" if end else last.status,
        message=end or last.message or f"Reached t = {last.t_final:g}.",
    )


def _is_idle(parts: Sequence[Solution]) -> bool:
    """Whether the first part only says in which mode the motion starts."""
    if len(parts) < 2 or sum(len(segment.rows) for segment in parts[0].segments) != 1:
        return False
    first, second = (part.segments[0].rows[0, 1 : len(part.y_final) + 1] for part in parts[:2])
    return bool(np.array_equal(first, second))


def _total(parts: Sequence[Statistics]) -> Statistics:
    return Statistics(
        method=next((one.method for one in reversed(parts) if one.method != PASSAGE.name), PASSAGE.name),
        accepted=sum(one.accepted for one in parts),
        rejected=sum(one.rejected for one in parts),
        evaluations=sum(one.evaluations for one in parts),
        jacobians=sum(one.jacobians for one in parts),
        factorisations=sum(one.factorisations for one in parts),
        smallest_step=min(one.smallest_step for one in parts),
        largest_step=max(one.largest_step for one in parts),
    )
