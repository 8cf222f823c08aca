"""Hops at a stop: those that rounding hides, and sequences of them without end, which are jumped over."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.contact import impact_laws
from cardan.simulation.contact.clatter import LOW, Clatter
from cardan.simulation.contact.collision import shortest
from cardan.simulation.contact.contacts import Contacts
from cardan.simulation.contact.resting import Instant, Stops, first_guess, touching
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

SAME_TIME = 1e-12  # of the duration: impacts closer than this belong together
NEAR_OTHER = 1e-9  # of the typical size of a gap: another stop as near as this may take part
SHORT = 1e-6  # of the duration: hops that together last longer are not jumped over because they are low
ROUNDING = 64 * np.finfo(float).eps  # of the typical size of a gap
ROUGH = 1e-12  # of the typical size of a gap: hops as low as this are no higher than what projections leave
TOGETHER = 1e-9  # of the typical size of a gap: what the last hops of a clatter may leave open
AT_ONCE = 20  # interruptions at the same time, from which on contacts are taken to part and meet by rounding


class Hops(Contacts):
    """The hops of one run, over ``span``."""

    def __init__(self, stops: Stops, span: float) -> None:
        super().__init__(stops)
        self.span = span
        self._repeats, self._last = 0, -np.inf
        self._clatter = Clatter(span)

    def _is_far_from_others(self, t: float, y: Vector, now: Instant, i: int) -> bool:
        """Whether no other stop is met while hops as low as rounding end."""
        gaps, rates = self.stops.gaps(t, y), now.rates[:: self.stops.stride]
        others = np.arange(self.stops.count) != i
        reached = 2 * SHORT * self.span * np.abs(rates) + NEAR_OTHER * self.reach
        return bool(np.all((gaps > reached)[others]))

    def _leaves(self, t: float, now: Instant, i: int) -> bool:
        """Whether a stop is being left, on a hop that is higher and longer than rounding."""
        row = i * self.stops.stride
        rate, back = float(now.rates[row]), -float(now.accelerations[row])
        if not rate > impact_laws.AT_REST * now.speed * np.sqrt(now.meeting.D[row, row]):
            return False
        return 2 * rate > back * SAME_TIME * max(self.span, abs(t)) and rate**2 > 2 * back * self._noise(i)

    def _off(self, t: float, y: Vector, now: Instant, i: int) -> Vector:
        """y moved off a stop by what rounding may do to its gap, by the shortest way in the metric of M."""
        row = i * self.stops.stride
        push = np.zeros(len(now.meeting.D))
        push[row] = (ROUNDING / 16 * self.reach[i] - self.stops.gaps(t, y)[i]) / now.meeting.D[row, row]
        moved: Vector = self.stops.numbers(t, y).moved(t, y, now.meeting.jump(push))
        return moved

    def _noise(self, i: int) -> float:
        """What rounding may do to a gap, and where there are constraints, their tolerance."""
        return (ROUGH if self.stops.m else ROUNDING) * float(self.reach[i])

    def _zeno(self, t: float, hit: int, rate: float, left: float = 0.0) -> float | None:
        """Time at which the impacts of a stop end, where that is near.

        ``rate`` is the last one of the gap, ``left`` how long its hops from here on last, if rounding hides them.
        """
        self._forget_sequences(hit)
        own = self.sequences[hit]
        last = own.times[-1] if own.times else -np.inf
        is_low = left > 0.0 and self._is_low(t, hit, rate)
        own.add(t)
        if t - last <= SAME_TIME * max(self.span, abs(t)):
            return t + left
        found = own.limit(rate, self._noise(hit) if left > 0.0 or self.stops.m else 0.0)
        return t + left if found is None and is_low else found

    def _is_low(self, t: float, i: int, rate: float) -> bool:
        """Whether the last hop, which ends with this rate, was no higher than rounding."""
        times = self.sequences[i].times
        return len(times) > 2 and abs(rate) * (t - times[-1]) <= self._noise(i)

    def _forget_sequences(self, but: int = -1) -> None:
        for i, sequence in enumerate(self.sequences):
            if i != but:
                sequence.forget()

    def _hops(self, now: Instant, i: int) -> float:
        """How long all hops last that begin with this rate of a gap, or its rebound; 0 where they are above noise."""
        row = i * self.stops.stride
        back, e = -float(now.accelerations[row]), float(self.stops.restitution[i])
        rate = max(float(now.rates[row]), -e * float(now.rates[row]))
        found = 2 * rate / (back * (1 - e)) if e < 1 and 0 <= rate**2 < 2 * back * self._noise(i) else 0.0
        return found if found < SHORT * self.span else 0.0

    def _fades(self, t: float, now: Instant, hit: int) -> bool:
        """Whether an impact is one of the last of a clatter, or one that rounding makes."""
        row = hit * self.stops.stride
        if self.stops.restitution[hit] == 1.0:  # nothing fades
            return False
        rate = -float(now.rates[row])
        size = float(np.sqrt(max(now.meeting.D[row, row], 1e-300)))
        was_low = rate * self._clatter.since(t, hit) <= LOW * float(self.reach[hit])
        return self._clatter.has_faded(t, rate / size, was_low=was_low) or self._repeats > AT_ONCE

    def _touched(self, t: float, y: Vector, near: Collection[int]) -> list[int]:
        """The stops that the last hops of a clatter concern."""
        gaps = self.stops.gaps(t, y)
        return [i for i in range(self.stops.count) if i in near or gaps[i] <= TOGETHER * self.reach[i]]

    def _calmed(
        self, t: float, y: Vector, now: Instant, group: Sequence[int], records: list[EventRecord]
    ) -> tuple[Vector, Instant]:
        """y without the rates at which stops of a group are left on hops that are lower than rounding.

        What presses one stop may be the force of another, as in a stack: hops are compared with the largest
        acceleration that applied forces make, at those stops that stay closed when they are at rest.
        """
        rows = {i: i * self.stops.stride for i in touching(self.stops, now, group) or ()}
        back = now.push * np.sqrt(np.diag(now.meeting.D))
        low = [i for i, row in rows.items() if now.rates[row] ** 2 <= 2 * back[row] * self._noise(i)]
        if not any(now.rates[rows[i]] > 0.0 for i in low):
            return y, now
        push = np.zeros(len(now.meeting.D))
        own = [rows[i] for i in low]
        push[own] = -shortest(now.meeting.D[np.ix_(own, own)], now.rates[own])
        after = y.copy()
        after[self.stops.nq :] += now.meeting.jump(push)
        energy = self._energy_change(t, y, (after - y)[self.stops.nq :])
        names = "+".join(self.stops.names[i] for i in low)
        records.append(_calm_record(t, y, names, energy))
        return after, self._at(t, after)

    def _bring_to_rest(self, t: float, y: Vector, i: int, slides: bool) -> Vector:
        """y without the rate of the gap that is left.

        Until it closes, the contact is pressed by its weight less this impulse; where it ``slides`` meanwhile, friction
        is to match.
        """
        now = self._at(t, y)
        row = i * self.stops.stride
        touch = first_guess(self.stops, now, i)
        push = np.zeros(len(now.meeting.D))
        push[row] = 1.0
        if slides and touch.slides:
            slips = slice(row + 1, row + 1 + self.stops.slips[i])
            push[slips] = -self.stops.friction[i] * np.array(touch.along[: self.stops.slips[i]])
        push *= -now.rates[row] / float(now.meeting.D[row] @ push)
        after = y.copy()
        after[self.stops.nq :] += now.meeting.jump(push)
        return after

    def _zeno_record(self, t: float, y: Vector, i: int, end: float, energy: float) -> EventRecord:
        self.sequences[i].forget()
        name = self.stops.names[i]
        return EventRecord(
            "zeno", name, t, y,
            f"The impacts at {name} accumulate at t = {end:.12g}; what remained of them was jumped over.",
            {"t_end": end, "energy_change": energy},
        )  # fmt: skip


def _calm_record(t: float, y: Vector, names: str, energy: float) -> EventRecord:
    what = f"The hops at {names} are lower than rounding, and were ended together."
    return EventRecord("zeno", names, t, y, what, {"t_end": t, "energy_change": energy})
