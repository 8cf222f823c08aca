"""The guard of stops: impacts, resting contact and release.

An impact is found by re-stepping to the contact; the state is put on the stop, velocities jump by the impact law, and
the motion goes on, free or with some contacts closed. A contact opens when its force would have to pull.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cardan.errors import SimulationError, StartError, suggestion
from cardan.linalg.contact import CLOSED, STICKING
from cardan.simulation.contact import impact_laws, moreau
from cardan.simulation.contact.collision import shortest
from cardan.simulation.contact.hops import NEAR_OTHER, SAME_TIME, Hops
from cardan.simulation.contact.resting import Instant, Stops
from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import Segment, Solution
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

LAWS = ("sequential", "simultaneous")
START_TOLERANCE = 1e-9  # of the typical size of a gap: penetration at the start that is moved out
GRAZING = 1e-9  # of the largest possible approach
ORTHOGONAL = 1e-12
MOST_REPEATS = 200  # interruptions at the same time


class StopGuard(Hops, Guard):
    """Watches the stops of one run."""

    def __init__(self, stops: Stops, *, law: str = "sequential", span: float = 1.0, moved: float = 0.0) -> None:
        """``moved``: how far, in typical sizes, the start was moved to satisfy constraints; so far it may go beyond."""
        if law not in LAWS:
            question = suggestion(law, LAWS)
            raise SimulationError(
                f"There is no impact law {law!r}.{question} Choose one of {', '.join(LAWS)}.", law=law
            )
        if span < 0:
            raise SimulationError("Impacts cannot be run backwards in time: restitution would create energy.")
        super().__init__(stops, span)
        self.law, self.moved = law, moved
        self.has_started = False
        self._roles: list[tuple[str, int]] = []

    # --- guard -------------------------------------------------------------------------------------

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """What the start of a run needs: an impact, contacts that are closed already, or nothing."""
        if self.has_started:
            return None
        self.has_started, self.free = True, mode
        gaps, self.reach = self.stops.gaps(t, y), self.stops.reach(t, y, self.span)
        for name, gap, size in zip(self.stops.names, gaps, self.reach, strict=True):
            if gap < -(START_TOLERANCE + self.moved) * size:
                raise StartError(
                    f"The start lies beyond the stop {name!r}: its gap is {gap:.6g}, expected 0 or more. Start on the "
                    "allowed side, or change the sign of the expression (a stop says expression >= 0).",
                    name=name,
                    gap=float(gap),
                )
        near = [i for i, gap in enumerate(gaps) if gap <= START_TOLERANCE * self.reach[i]]
        if not near:
            return None
        on = self._onto(t, y, near)
        found = self._meet(t, on, near, hit=None)
        return found if np.array_equal(on, y) else replace(found, path=(_standing(t, on),))  # the run starts there

    def carry_over(self, stops: Stops, free: CompiledModel, t: float, y: Vector) -> CompiledModel:
        """The mode in which the motion goes on in other coordinates, where its stops are ``stops``."""
        self.stops, self.free = stops, free
        self.reach = stops.reach(t, y, self.span)
        return self._resting(t, y, self._at(t, y), self.closed) or free

    def whole(self, t0: float, t1: float, y0: Vector, step: float | None) -> tuple[Solution, tuple[EventRecord, ...]]:
        """The whole run by time stepping, for the method that decides contacts once per step."""
        return moreau.time_stepping(self.stops, t0, t1, y0, step)

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        stops = self.stops
        if self._is_plain:
            self._roles = [("gap", i) for i in range(stops.count)]
            return [self._event(stops.gaps_address, i, stops.count, self.sign[i], i) for i in range(stops.count)]
        self._roles, found = [], []
        for i in range(stops.count):
            touch = self.closed.get(i)
            self._roles.append(("gap" if touch is None else "force", i))
            found.append(self._event(stops.watch_address, 2 * i, 2 * stops.count, 1, i))
            if touch is not None and touch.kind != CLOSED and not touch.is_shared:
                self._roles.append(("grip" if touch.kind == STICKING else "slip", i))
                found.append(self._event(stops.watch_address, 2 * i + 1, 2 * stops.count, 1, i))
        return found

    def _event(self, kernel: int, output: int, outputs: int, sign: int, i: int) -> Watch:
        return Watch(kernel, -1, True, sign, self.stops.names[i], output, outputs)

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        role, i = self._roles[which]
        self._repeats = self._repeats + 1 if t - self._last <= SAME_TIME * max(self.span, abs(t)) else 0
        self._last = t
        if self._repeats > MOST_REPEATS:
            names = ", ".join(self.stops.names[k] for k in self.closed) or "the stops"
            why = (
                "rigid bodies with friction do not determine how the forces are shared there. Use fewer contacts, less "
                "friction, or method='Moreau-Jean'."
                if np.any(self.stops.friction > 0)
                else f"more than {MOST_REPEATS} impacts and releases follow each other faster than time can be told. "
                "Use less restitution, impact_law='simultaneous', or method='Moreau-Jean'."
            )
            what = f"At t = {t:.17g} the contacts at {names} change without end: {why}"
            return Continuation(y, None, (EventRecord("stop", self.stops.names[i], t, y, what),), ends=what)
        if role == "gap":
            return self._bounce(t, y, i) or self._meet(t, y, [i], hit=i)
        if role == "force":
            return self._release(t, y, i)
        return self._change_grip(t, y, i, role)

    # --- impacts -----------------------------------------------------------------------------------

    def _bounce(self, t: float, y: Vector, i: int) -> Continuation | None:
        """The commonest case, by itself: one stop without friction is hit while all others are away and open."""
        stops = self.stops
        found = stops.bounce(t, y, i) if self._is_plain else None
        if found is None:
            return None
        on, dv, _, impulse, gaps, rates = found
        near = gaps <= NEAR_OTHER * self.reach + 2 * SAME_TIME * max(self.span, abs(t)) * np.abs(rates)
        if np.count_nonzero(near) > 1 or not rates[i] < 0.0 or stops.restitution[i] == 0.0 or not impulse > 0.0:
            return None
        if self._is_low(t, i, float(rates[i])):
            return None
        if self._zeno(t, i, float(rates[i])) is not None:
            self.sequences[i].take_back()
            return None
        after = on.copy()
        after[stops.nq :] += dv
        self.sign[i] = 1
        self._clatter.leaves(t, (i,))
        named = {stops.names[i]: float(impulse)}
        if stops.drivers:
            lam = np.zeros(stops.rows)
            lam[i * stops.stride] = impulse
            named |= stops.drive_impulses(t, on, dv, lam)
        facts = {
            "impulse": named,
            "energy_change": self._energy_change(t, on, dv),
            "velocity_jump": dv,
            "approach": {stops.names[i]: float(rates[i])},
            "collisions": 1,
        }
        what = f"{stops.names[i]} was hit at {rates[i]:.6g}."
        return Continuation(after, self.free, (EventRecord("impact", stops.names[i], t, on, what, facts),))

    def _meet(self, t: float, y: Vector, near: Collection[int], hit: int | None) -> Continuation:
        """Stops ``near`` are reached, with those that are closed already: impulses, then what rests."""
        stops = self.stops
        y = self._onto(t, y, near)
        beyond = [i for i, gap in enumerate(stops.gaps(t, y)) if gap < -self._noise(i) and i not in near]
        if beyond:  # pushed in by the others: left there, nobody would see them pass
            y = self._onto(t, y, [*near, *beyond])
        now = self._at(t, y)
        faded = hit is not None and self._fades(t, now, hit)
        if faded:
            near = self._touched(t, y, near)
            y = self._onto(t, y, near)
            now = self._at(t, y)
        group = self._group(t, y, now, near)
        alone = group == [hit] and not self.closed and self._is_far_from_others(t, y, now, group[0])
        if alone and self._leaves(t, now, group[0]):
            return Continuation(self._off(t, y, now, group[0]))  # rounding took it for reached
        before = y
        y, records = self._collide(t, y, now, group, faded=faded)
        left = self._hops(now, group[0]) if alone else 0.0
        end = None if hit is None else self._zeno(t, hit, float(now.rates[hit * stops.stride]), left)
        if hit is None:
            self._forget_sequences()
        if end is not None:
            assert hit is not None
            rest = self._bring_to_rest(t, y, hit, slides=end > t)
            records.append(self._zeno_record(t, before, hit, end, self._energy_change(t, y, (rest - y)[stops.nq :])))
            y = rest
        after = self._at(t, y) if records else now
        if faded:
            y, after = self._calmed(t, y, after, group, records)
        slow = impact_laws.AT_REST * max(now.speed, after.speed)
        heads = {i: i * stops.stride for i in group}
        size = np.sqrt(np.diag(after.meeting.D))
        resting = [i for i, row in heads.items() if after.rates[row] <= slow * size[row]]
        self._clatter.leaves(t, group)
        for i in group:
            self.sign[i] = 1
        return self._settle(t, y, after, resting, records, clock=end)

    def _onto(self, t: float, y: Vector, near: Collection[int]) -> Vector:
        """y put exactly on the stops, by the shortest way in the metric of M."""
        stops = self.stops
        for _ in range(3):
            gaps = stops.gaps(t, y)
            wrong = [i for i in near if gaps[i] != 0.0]
            if not wrong:
                break
            now = self._at(t, y)
            rows = [i * stops.stride for i in wrong]
            push = np.zeros(len(now.meeting.D))
            push[rows] = -shortest(now.meeting.D[np.ix_(rows, rows)], gaps[wrong])
            moved = stops.numbers(t, y).moved(t, y, now.meeting.jump(push))
            if not np.max(np.abs(stops.gaps(t, moved)[wrong])) < np.max(np.abs(gaps[wrong])):
                break
            y = moved
        return y

    def _group(self, t: float, y: Vector, now: Instant, near: Collection[int]) -> list[int]:
        """The stops that take part: those reached, those closed, and those reached at the same time."""
        stops = self.stops
        gaps = stops.gaps(t, y)
        size = self._sizes(now, y)
        found = set(near) | set(self.closed)
        for i in range(stops.count):
            soon = SAME_TIME * max(self.span, abs(t)) * abs(float(now.rates[i * stops.stride]))
            if gaps[i] <= 64 * np.finfo(float).eps * size[i] + soon:
                found.add(i)
        return sorted(found)

    def _collide(
        self, t: float, y: Vector, now: Instant, group: Sequence[int], *, faded: bool = False
    ) -> tuple[Vector, list[EventRecord]]:
        """The state after the impulses of the group, and its record; the same state where nothing approaches.

        ``faded``: together and without restitution, so that none of the group sets another going.
        """
        stops = self.stops
        blocks = [list(range(i * stops.stride, i * stops.stride + 1 + stops.slips[i])) for i in group]
        heads = [block[0] for block in blocks]
        D, u = now.meeting.D, now.rates
        limit = impact_laws.AT_REST * now.speed * np.sqrt(np.diag(D)[heads])
        hits = [i for i, row, most in zip(group, heads, limit, strict=True) if u[row] < -most]
        if not hits:
            return y, []
        e, mu = stops.restitution[list(group)], stops.friction[list(group)]
        if faded:
            impulses, rounds = impact_laws.simultaneous(D, u, blocks, 0.0 * e, mu, now.speed)
            used = 1.0
        else:
            impulses, rounds, used = self._law(D, u, blocks, e, mu, now.speed)
        dv = now.meeting.jump(impulses)
        after = y.copy()
        after[stops.nq :] += dv
        record = self._impact_record(t, y, now, group, hits, impulses, dv, rounds, used)
        return after, [self._clatter.told(record) if faded else record]

    def _law(
        self, D: Vector, u: Vector, blocks: list[list[int]], e: Vector, mu: Vector, speed: float
    ) -> tuple[Vector, int, float]:
        """Impulses, number of collisions, and the share of the restitution that was used.

        With friction, Newton's restitution can create energy in an eccentric impact; it is then reduced to the largest
        that does not.
        """

        def impulses(share: float) -> tuple[Vector, int]:
            if self.law == "simultaneous":
                return impact_laws.simultaneous(D, u, blocks, share * e, mu, speed)
            return impact_laws.sequential(D, u, blocks, share * e, mu, speed)

        found, rounds = impulses(1.0)
        if not np.any(mu > 0) or _work(D, u, found) <= 1e-13 * speed**2:
            return found, rounds, 1.0
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            gains = _work(D, u, impulses(middle)[0]) > 0
            low, high = (low, middle) if gains else (middle, high)
        return (*impulses(low), low)

    def _impact_record(
        self, t: float, y: Vector, now: Instant, group: Sequence[int], hits: Sequence[int], impulses: Vector,
        dv: Vector, rounds: int, used: float,
    ) -> EventRecord:  # fmt: skip
        stops = self.stops
        heads = {i: i * stops.stride for i in group}
        active = [i for i in group if i in hits or impulses[heads[i]] > 0.0]
        cosine = impact_laws.kinetic_cosines(now.meeting.D, [heads[i] for i in active]) if len(active) > 1 else 0.0
        determined = cosine <= ORTHOGONAL
        name = "+".join(stops.names[i] for i in hits)
        approach = {stops.names[i]: float(now.rates[heads[i]]) for i in hits}
        largest = now.speed * float(np.sqrt(max(now.meeting.D[heads[i], heads[i]] for i in hits)))
        facts: dict[str, object] = {
            "impulse": self._impulses_by_name(t, y, now, impulses, dv),
            "energy_change": self._energy_change(t, y, dv),
            "velocity_jump": dv,
            "approach": approach,
            "collisions": rounds,
        }
        what = f"{name} was hit at {min(approach.values()):.6g}"
        if len(active) > 1:
            facts |= {"kinetic_cosine": cosine, "determined": determined, "law": self.law}
            if not determined:
                what += (
                    f"; {len(active)} contacts collided together at a kinetic angle of cos {cosine:.4g}: the outcome "
                    f"is not determined by the rigid model, the {self.law} law was used"
                )
        if used < 1.0:
            facts["restitution_share"] = used
            what += f"; {used:.4g} of the restitution was used, because more would have created energy with friction"
        if -min(approach.values()) <= GRAZING * largest:
            facts["grazing"] = True
        return EventRecord("impact", name, t, y, what + ".", facts)


def _standing(t: float, y: Vector) -> Segment:
    """A motion of no duration."""
    return Segment(np.array([[t, *y]]), lambda rows, times: np.repeat(rows[:, 1:], len(times), axis=0))


def _work(D: Vector, u: Vector, impulses: Vector) -> float:
    """T+ - T- in terms of impulses: Lam . (u- + u+) / 2, for stops that do not move by themselves."""
    return float(impulses @ (u + D @ impulses / 2))
