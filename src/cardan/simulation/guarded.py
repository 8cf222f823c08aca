"""Motions that are interrupted and go on: stops, rank changes, edges of charts.

A guard names the events that concern it and says how the motion continues when one of them happens: from which state,
in which mode (another compiled model, where the equations change), and what is to be recorded. Between interruptions
the ordinary integrators run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.simulation.instants import Instants, crossings_at
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.objects import MethodChoice, resolve
from cardan.simulation.methods.others import PASSAGE
from cardan.simulation.parts import Asked, join, solution_along
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Crossing, Segment, Solution
from cardan.simulation.solve import Limits, check_times, integrate
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

MOST_INTERRUPTIONS = 1_000_000
MOST_STEPS = 10_000_000
TOO_MANY = "too-many-steps"
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
    """Something that may interrupt a motion. Its classes extend this one: what they do not say is said here."""

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        """Events to watch from this state on (terminal ones interrupt); asked for again after every interruption."""
        ...

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        """What happens at the event ``which`` of the last list returned by ``events``."""
        ...

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """How the motion goes on from a state where it does so in another way than by the ordinary integrators."""
        return None

    def whole(
        self, t0: float, t1: float, y0: Vector, step: float | None
    ) -> tuple[Solution, tuple[EventRecord, ...]] | None:
        """The whole run, by the guard that makes it where the method is time stepping."""
        return None


def integrate_guarded(
    model: CompiledModel,
    t0: float,
    t1: float,
    y0: Vector,
    guards: Sequence[Guard],
    *,
    times: ArrayLike | None = None,
    events: Sequence[Watch] = (),
    method: MethodChoice = "auto",
    step: float | None = None,
    instants: Instants | None = None,
    **limits: Unpack[Limits],
) -> tuple[Solution, tuple[EventRecord, ...]]:
    """The motion from t0 to t1 with its interruptions, and the records of them in order.

    ``t`` and ``y`` of the solution hold every accepted state, twice at an interruption (before and after); with
    ``times`` those states, the ones before an interruption where it falls on a requested time. The other options are
    those of ``integrate``.
    """
    if not guards and instants is None:
        return integrate(
            model, t0, t1, y0, times=times, events=events or None, method=method, step=step, **limits
        ), ()  # fmt: skip
    wanted = None if times is None else check_times(times, t0, t1)
    asked, step = resolve(method, step)
    if asked.is_time_stepping:
        for guard in guards:
            made = guard.whole(t0, t1, y0, step)
            if made is not None:
                return (made[0] if wanted is None else replace(made[0], t=wanted, y=made[0].at(wanted))), made[1]
    course = _Course(model, t0, t1, y0, guards, wanted, events, asked, step, instants, limits)
    for _ in range(MOST_INTERRUPTIONS):
        if not course.goes_on():
            break
    return course.solution(), tuple(course.records)


class _Course:
    """A guarded motion while it is made: where it has come to, its parts, and the records of its interruptions."""

    def __init__(
        self, model: CompiledModel, t0: float, t1: float, y0: Vector, guards: Sequence[Guard], wanted: Vector | None,
        events: Sequence[Watch], method: Method, step: float | None, instants: Instants | None, limits: Limits,
    ) -> None:  # fmt: skip
        self.mode, self.t, self.y, self.t1 = model, t0, y0, t1
        self.forward = t1 >= t0
        self.guards, self.events, self.method, self.step, self.limits = guards, events, method, step, limits
        self.instants = instants
        self.asked = Asked(wanted, self.forward)
        self.parts: list[Solution] = []
        self.records: list[EventRecord] = []
        self.crossings: list[Crossing] = []
        self.end = ""
        self.left = self.most = limits.get("max_steps", MOST_STEPS)  # steps of all parts together

    def goes_on(self) -> bool:
        """Make one part, and let the guard that interrupts it say how to go on; False where the motion has ended."""
        if self.left <= 0 and self.parts:
            return self._too_many()
        leader, resumed = self._resumption()
        owned = [(one, [] if one is leader else list(one.events(self.mode, self.t, self.y))) for one in self.guards]
        watched = [*self.events, *(event for _, own in owned for event in own)]
        part = self._integrate(watched) if resumed is None else self._follow(resumed, watched)
        self.parts.append(part)
        self.left -= part.statistics.accepted + part.statistics.rejected
        self.asked.answer(part, sampled=resumed is None)
        if part.status == TOO_MANY:
            return self._too_many()
        self.crossings += [one for one in part.events if one.index < len(self.events)]
        guard, which = _interrupter(part, owned, len(self.events))
        if resumed is not None:
            self._take(resumed, part)
            if self.end or (part.status == "event" and guard is None):
                return False
            if guard is None:
                return self.t != self.t1
        if guard is None:
            self.y = part.y_final
            return part.status == "finished" and part.t_final != self.t1 and self._cross(part.t_final)
        return self._continue(guard.handle(which, self.mode, part.t_final, part.y_final), part.t_final)

    def _too_many(self) -> bool:
        """End the motion where its steps, those of all parts together, are used up."""
        last = self.parts[-1]
        words = (
            f"{self.most - self.left} steps in {len(self.parts)} parts were tried and only t = {last.t_final:g} was "
            "reached. Raise max_steps, loosen rtol and atol, or look at what interrupts the motion (run.events)."
        )
        self.parts[-1] = replace(last, status=TOO_MANY, message=words)
        self.y = last.y_final
        return False

    def _until(self) -> float:
        """Where the next part ends if nothing interrupts it: before the next instant, or with the run."""
        instant = None if self.instants is None else self.instants.next(self.t, self.t1)
        if self.instants is None or instant is None:
            return self.t1
        return instant - self.instants.gap * (1.0 if self.forward else -1.0)

    def _cross(self, t: float) -> bool:
        """Go over the instant behind t: to the same state on the other side."""
        assert self.instants is not None
        ahead, gap = (1.0 if self.forward else -1.0), self.instants.gap
        after = t + 2 * ahead * gap
        self.end = self.instants.refusal(t, after, self.y)
        if self.end:
            return False
        happened, is_last = crossings_at(self.mode, self.events, t + ahead * gap, gap, ahead, self.y)
        self.crossings += happened
        if is_last:
            words = f"Stopped at t = {t + ahead * gap:.17g} by event {happened[-1].name!r}."
            self.parts[-1] = replace(self.parts[-1], status="event", message=words)
            return False
        self.t = after
        self.asked.hold(after, self.y)
        return True

    def solution(self) -> Solution:
        """All parts as one."""
        return join(self.parts, tuple(self.crossings), self.asked, self.y, self.end)

    def _resumption(self) -> tuple[Guard | None, Continuation | None]:
        """The guard that goes on in another way from here, and how, if there is one."""
        for guard in self.guards:
            found = guard.resume(self.mode, self.t, self.y)
            if found is not None:
                return guard, found
        return None, None

    def _integrate(self, watched: Sequence[Watch]) -> Solution:
        """The next part, by the ordinary integrators."""
        own = self.mode.method if self.method.needs else ""  # where the one asked for cannot move this mode
        step = None if own else self.step if self.step is not None else _pace(self.parts)
        until = self._until()
        return integrate(
            self.mode, self.t, until, self.y, times=self.asked.until(until), events=watched or None,
            method=own or self.method.name, step=step, **(self.limits | {"max_steps": self.left}),
        )  # fmt: skip

    def _follow(self, found: Continuation, watched: Sequence[Watch]) -> Solution:
        """The next part, as a guard has made it."""
        return solution_along(found.path, found.evaluations, found.y, self.mode, self.t, self.y, watched)

    def _take(self, resumed: Continuation, part: Solution) -> None:
        """Go to the end of a part that a guard has made; it may have been cut short by an event."""
        reached = part.t_final
        self.records += [one for one in resumed.records if (one.t <= reached if self.forward else one.t >= reached)]
        self.mode = self.mode if resumed.mode is None else resumed.mode
        self.t, self.y, self.end = part.t_final, part.y_final, resumed.ends

    def _continue(self, found: Continuation, t: float) -> bool:
        """Go on from an interruption at time t as its guard says."""
        self.records += found.records
        self.mode = self.mode if found.mode is None else found.mode
        self.t = t if found.t is None else (min(found.t, self.t1) if self.forward else max(found.t, self.t1))
        self.y, self.end = found.y, found.ends
        if not self.end and self.t == self.t1:  # the run ends in this moment: with the state after it
            self.parts.append(self._follow(Continuation(self.y), ()))
        return not self.end and self.t != self.t1


def _pace(parts: Sequence[Solution]) -> float | None:
    """The first step behind a passage, from those that were usual before it; None where that is left to the method."""
    if len(parts) < 2 or parts[-1].method is not PASSAGE:
        return None
    before = parts[-2]
    lengths = np.abs(np.diff(before.steps[-4:]))
    return CAUTION * float(np.median(lengths)) if before.method.keeps_pace and len(lengths) == 3 else None


def _interrupter(part: Solution, owned: Sequence[tuple[Guard, list[Watch]]], first: int) -> tuple[Guard | None, int]:
    """The guard whose terminal event ended this part, and which of its events it was."""
    if part.status != "event" or not part.events or part.events[-1].index < first:
        return None, 0
    index = part.events[-1].index - first
    for guard, own in owned:
        if index < len(own):
            return guard, index
        index -= len(own)
    return None, 0
