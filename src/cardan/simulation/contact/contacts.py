"""Closed contacts: when they open, stick, slide or jam. What the guard of stops is built on."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.contact import STICKING, STRAIGHT
from cardan.simulation.contact import zeno
from cardan.simulation.contact.collision import shortest
from cardan.simulation.contact.resting import (
    NO_SLIP,
    Instant,
    RestingModel,
    Stops,
    Touch,
    first_guess,
    instant,
    rounding_of_slip,
    sliding,
    slip_rows,
    tail_of,
    touching,
)
from cardan.simulation.contact.sharing import let_go, shared
from cardan.simulation.guarded import Continuation
from cardan.simulation.protocol import CompiledModel
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

CLEARANCE = 1e-11  # of the sizes of what makes up a gap
STOPPED = 1e-7  # of the largest possible slip: below this a slip that reverses has stopped


class Contacts:
    """The closed stops of one run and their changes."""

    def __init__(self, stops: Stops) -> None:
        self.stops = stops
        self.closed: dict[int, Touch] = {}
        self.free: CompiledModel | None = None  # the model with nothing closed
        self.sign = [1] * stops.count  # that each gap is to be taken to have at the start of a part
        self.reach = np.zeros(stops.count)  # what each gap is compared with
        self.sequences = [zeno.Sequence() for _ in range(stops.count)]
        self._speed, self._time = 0.0, np.inf

    def _at(self, t: float, y: Vector) -> Instant:
        """The instant, small rates to be compared with the largest that occurred or could have since the last."""
        now = instant(self.stops, t, y, self._speed)
        self._speed = max(now.speed, now.push * max(t - self._time, 0.0))
        self._time = t
        return now if now.speed >= self._speed else replace(now, speed=self._speed)

    def _settle(
        self, t: float, y: Vector, now: Instant, candidates: Collection[int], records: list[EventRecord],
        clock: float | None = None, given: Mapping[int, Touch] | None = None,
    ) -> Continuation:  # fmt: skip
        """How the motion goes on when the candidates are closed without approaching."""
        found = self._held(t, y, now, candidates) if given is None else dict(given)
        if found is None:
            return self._jam(t, y, now, candidates, records)
        for i in candidates:
            if i not in found:
                self.sign[i] = -1  # it opens from rest: watched with a clearance
        at = t if clock is None else clock
        for i in sorted(set(self.closed) - set(found)):
            records.append(self._opening_record(at, y, i, i not in candidates and bool(records)))
        for i in sorted(set(found) - set(self.closed)):
            records.append(self._closing_record(at, y, i, found[i]))
        self.closed = found
        resting = self._resting(t, y, now, found)
        if clock is not None and clock > t:
            y = self._move_on(t, y, resting, clock - t)
        return Continuation(y, resting or self.free, tuple(records), clock)

    def _held(self, t: float, y: Vector, now: Instant, candidates: Collection[int]) -> dict[int, Touch] | None:
        """How the candidates are closed; friction that depends on itself is shared so that what can stand does."""
        found = touching(self.stops, now, candidates)
        resting = {i: first_guess(self.stops, now, i) for i in candidates}
        if not any(touch.kind == STICKING for touch in resting.values()):
            return found
        if found == resting and self._can_grip(t, y, now, found):
            return found
        return shared(self.stops, now, resting) or found

    def _can_grip(self, t: float, y: Vector, now: Instant, states: Mapping[int, Touch]) -> bool:
        """Whether the forces that the closed contacts then have are within their cones of friction."""
        stops, resting = self.stops, self._resting(t, y, now, states)
        if resting is None:
            return True
        forces = resting.solution(t, y)[1][stops.m :]
        for i, touch in states.items():
            if touch.kind == STICKING:
                held = float(np.linalg.norm(forces[slip_rows(stops, i)]))
                if held > stops.friction[i] * forces[i * stops.stride]:
                    return False
        return True

    def _resting(self, t: float, y: Vector, now: Instant, closed: Mapping[int, Touch]) -> RestingModel | None:
        """The model with these stops closed, None where none is.

        Stops released from rest are watched with a little clearance.
        """
        gaps = self.stops.gaps(t, y)
        size = CLEARANCE * self._sizes(now, y)
        clearance = {}
        for i in range(self.stops.count):
            if i in closed or gaps[i] > 2 * size[i]:
                self.sign[i] = 1
            elif self.sign[i] < 0:
                clearance[i] = float(size[i])
        if not closed and not clearance:
            return None
        return self.stops.mode(tail_of(self.stops, now, closed, clearance))

    def _sizes(self, now: Instant, y: Vector) -> Vector:
        """What makes up each gap, in size: typical lengths of the model, or those of a state that is far out."""
        G = now.terms.A[self.stops.m :: self.stops.stride]
        return np.maximum(self.reach, self.stops.sizes(G, y))

    @property
    def _is_plain(self) -> bool:
        """Whether nothing is closed and nothing was released from rest just before."""
        return not self.closed and all(sign > 0 for sign in self.sign)

    def _move_on(self, t: float, y: Vector, resting: RestingModel | None, dt: float) -> Vector:
        """The state a very short time later."""
        numbers, nq = self.stops.numbers(t, y), self.stops.nq
        later: Vector = numbers.moved(t, y, y[nq:] * dt)
        if resting is not None:
            later[nq:] += resting.solution(t, y)[0] * dt
        return later

    def _release(self, t: float, y: Vector, i: int) -> Continuation:
        """The force of a contact has become zero: it opens."""
        now = self._at(t, y)
        self.sign[i] = -1
        others = [j for j in self.closed if j != i]
        self.sequences[i].forget()
        return self._settle(t, y, now, others, [])

    def _change_grip(self, t: float, y: Vector, i: int, role: str) -> Continuation:
        """A sticking contact begins to slide, or a sliding one comes to rest or turns."""
        stops = self.stops
        now = self._at(t, y)
        states = dict(self.closed)
        rows = [i * stops.stride + 1 + k for k in range(stops.slips[i])]
        if role == "grip":
            resting = self._resting(t, y, now, states)
            assert resting is not None  # the contact that changes is closed
            held = resting.solution(t, y)[1][stops.m :][rows]
            if not float(np.linalg.norm(held)) > 0.0:  # its force has vanished with its friction
                return self._release(t, y, i)
            again = shared(stops, now, states)
            if again is not None:
                return self._settle(t, y, now, list(again), [], given=again)
            states = let_go(states)
            states[i] = sliding(-held, 0.0, rounding_of_slip(stops, now, i))
            kind = "sliding"
        elif states[i].slow > 0.0:
            return self._turn(t, y, now, i, rows)
        else:
            y = self._without_slip(y, now, rows)
            now = self._at(t, y)
            found = touching(stops, now, states)
            if found is None:
                return self._jam(t, y, now, list(states), [])
            states = found
            kind = "sticking" if i in states and states[i].kind == STICKING else "sliding back"
        what = {
            "sliding": f"{stops.names[i]} began to slide.",
            "sticking": f"{stops.names[i]} came to rest.",
            "sliding back": f"{stops.names[i]} began to slide back.",
        }[kind]
        record = EventRecord("contact", stops.names[i], t, y, what, {"state": kind})
        return self._settle(t, y, now, list(states), [record], given=states)

    def _turn(self, t: float, y: Vector, now: Instant, i: int, rows: list[int]) -> Continuation:
        """The slip has become slow, or has turned by a right angle: its direction is read again."""
        slip, old = now.rates[rows], self.closed[i]
        size = float(np.linalg.norm(slip))
        states = dict(self.closed)
        least = max(2 * old.slow, STOPPED * now.speed * float(np.sqrt(np.max(np.diag(now.meeting.D)[rows]))))
        along = tuple(slip / size) if size > 0.0 else old.along
        states[i] = sliding(slip, size) if size > least else Touch(STRAIGHT, along)
        return self._settle(t, y, now, list(states), [], given=states)

    def _without_slip(self, y: Vector, now: Instant, rows: list[int]) -> Vector:
        """y with the small slip that is left set to zero; a slip that has only turned is kept."""
        slip = now.rates[rows]
        if float(np.linalg.norm(slip)) > STOPPED * now.speed * float(np.sqrt(np.max(np.diag(now.meeting.D)[rows]))):
            return y
        heads = [i * self.stops.stride for i in self.closed]
        both = [*heads, *rows]
        push = np.zeros(len(now.meeting.D))
        wanted = np.concatenate([np.zeros(len(heads)), -slip])
        push[both] = shortest(now.meeting.D[np.ix_(both, both)], wanted)
        after = y.copy()
        after[self.stops.nq :] += now.meeting.jump(push)
        return after

    def _jam(
        self, t: float, y: Vector, now: Instant, candidates: Collection[int], records: list[EventRecord]
    ) -> Continuation:
        """No accelerations are consistent with Coulomb's law: the slip stops by an impulse, or the run ends."""
        stops = self.stops
        rows = [i * stops.stride + k for i in candidates for k in range(1 + stops.slips[i])]
        impulses = np.zeros(len(now.meeting.D))
        impulses[rows] = -shortest(now.meeting.D[np.ix_(rows, rows)], now.rates[rows])
        names = ", ".join(stops.names[i] for i in candidates)
        stands = bool(np.all(np.abs(now.rates[rows]) <= NO_SLIP * now.speed * np.sqrt(np.diag(now.meeting.D)[rows])))
        for i in candidates:
            own = impulses[i * stops.stride : i * stops.stride + 1 + stops.slips[i]]
            if stands or not (own[0] >= 0 and np.linalg.norm(own[1:]) <= stops.friction[i] * own[0] * (1 + 1e-9)):
                what = (
                    f"At {names} Coulomb's friction leaves no consistent accelerations of rigid bodies (Painleve's "
                    "paradox), and no impulse stops the slip. Use less friction, or a compliant contact."
                )
                return Continuation(y, None, (*records, EventRecord("stop", names, t, y, what)), ends=what)
        dv = now.meeting.jump(impulses)
        after = y.copy()
        after[stops.nq :] += dv
        facts = {
            "impulse": self._impulses_by_name(t, y, now, impulses, dv),
            "energy_change": self._energy_change(t, y, dv),
            "velocity_jump": dv,
        }
        what = f"The slip at {names} was stopped by an impulse: no accelerations agree with Coulomb's law (Painleve)."
        records.append(EventRecord("impulse", names, t, y, what, facts))
        return self._settle(t, after, self._at(t, after), candidates, records)

    def _closing_record(self, t: float, y: Vector, i: int, touch: Touch) -> EventRecord:
        name = self.stops.names[i]
        how = ", sticking" if touch.kind == STICKING or touch.is_shared else ", sliding" if touch.slides else ""
        return EventRecord("contact", name, t, y, f"{name} is closed{how}.", {"state": how[2:] or "closed"})

    def _opening_record(self, t: float, y: Vector, i: int, parted: bool) -> EventRecord:
        name = self.stops.names[i]
        why = "an impact parted it" if parted else "its force would have had to pull"
        return EventRecord("release", name, t, y, f"{name} opened: {why}.")

    # --- what impulses did -------------------------------------------------------------------------

    def _impulses_by_name(self, t: float, y: Vector, now: Instant, impulses: Vector, dv: Vector) -> dict[str, float]:
        """Impulses by name: stops and their slips, constraints, and drivers of prescribed coordinates."""
        stops = self.stops
        held = now.meeting.constraint_impulses(impulses)
        everything = np.concatenate([held, impulses])
        found = {stops.row_names[k]: float(x) for k, x in enumerate(held)}
        for i, name in enumerate(stops.names):
            row = i * stops.stride
            if impulses[row] != 0.0:
                found[name] = float(impulses[row])
                for k in range(1, 1 + stops.slips[i]):
                    found[stops.row_names[stops.m + row + k]] = float(impulses[row + k])
        return found | stops.drive_impulses(t, y, dv, everything)

    def _energy_change(self, t: float, y: Vector, dv: Vector) -> float:
        """T+ - T- = dv . dT/dv at the mean velocity, exact because T is quadratic."""
        mean = y.copy()
        mean[self.stops.nq :] += dv / 2
        return float(dv @ self.stops.momentum(t, mean))
