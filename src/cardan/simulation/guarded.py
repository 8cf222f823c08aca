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

from cardan.simulation.protocol import CompiledModel, Event
from cardan.simulation.solution import Crossing, Segment, Solution, Statistics
from cardan.simulation.solve import checked_times, integrate
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

MOST_INTERRUPTIONS = 1_000_000


@dataclass(frozen=True)
class Continuation:
    """How a motion goes on: from state ``y`` in ``mode`` (None: as before), with ``records`` of what happened.

    ``t`` moves the clock (a Zeno sequence is jumped over); ``ends`` stops the run there, for the reason given.
    """

    y: Vector
    mode: CompiledModel | None = None
    records: tuple[EventRecord, ...] = ()
    t: float | None = None
    ends: str = ""


class Guard(Protocol):
    """Something that may interrupt a motion."""

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
    mode, t, y = model, t0, y0
    parts: list[Solution] = []
    records: list[EventRecord] = []
    crossings: list[Crossing] = []
    end = ""
    for _ in range(MOST_INTERRUPTIONS):
        owned = [(guard, list(guard.events(mode, t, y))) for guard in guards]
        watched = [*events, *(event for _, own in owned for event in own)]
        part = integrate(mode, t, t1, y, events=watched or None, **options)
        parts.append(part)
        crossings += [one for one in part.events if one.index < len(events)]
        guard, which = _interrupted(part, owned, len(events))
        if guard is None:
            break
        found = guard.handle(which, mode, part.t_final, part.y_final)
        records += found.records
        mode = mode if found.mode is None else found.mode
        t = part.t_final if found.t is None else found.t
        y = found.y
        if found.ends:
            end = found.ends
            break
        if t == t1:
            break
    return _joined(parts, tuple(crossings), wanted, y, end), tuple(records)


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


def _joined(
    parts: Sequence[Solution], events: tuple[Crossing, ...], times: Vector | None, y: Vector, end: str
) -> Solution:
    """One solution of all parts; requested times are read off the parts."""
    last = parts[-1]
    segments: tuple[Segment, ...] = tuple(segment for part in parts for segment in part.segments)
    whole = replace(
        last,
        t=np.concatenate([part.t for part in parts]),
        y=np.concatenate([part.y for part in parts]),
        events=events,
        segments=segments,
        y_final=y,
        statistics=_total([part.statistics for part in parts]),
        status="stopped" if end else last.status,
        message=end or last.message,
    )
    if times is None:
        return whole
    reached = times[times <= last.t_final]
    return replace(whole, t=reached, y=whole.at(reached))


def _total(parts: Sequence[Statistics]) -> Statistics:
    return Statistics(
        method=parts[-1].method,
        accepted=sum(one.accepted for one in parts),
        rejected=sum(one.rejected for one in parts),
        evaluations=sum(one.evaluations for one in parts),
        jacobians=sum(one.jacobians for one in parts),
        factorisations=sum(one.factorisations for one in parts),
        smallest_step=min(one.smallest_step for one in parts),
        largest_step=max(one.largest_step for one in parts),
    )
