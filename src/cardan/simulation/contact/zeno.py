"""Endless sequences of impacts in finite time: found by extrapolation of their times.

Impact times t_k whose differences shrink by a constant ratio r accumulate at t + d r / (1 - r), d being the last
difference: Aitken's extrapolation of three of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

STEADY = 1e-3  # relative change of the ratio below which it counts as constant
NEAR = 1e-9  # of the duration of the whole sequence: what remains is jumped over
SHRINKING = 1 - 1e-6


@dataclass
class Sequence:
    """Times of the successive impacts at one stop."""

    times: list[float] = field(default_factory=list)
    first: float = 0.0

    def add(self, t: float) -> None:
        if not self.times:
            self.first = t
        self.times = [*self.times[-3:], t]

    def take_back(self) -> None:
        """Forget the last impact only."""
        self.times = self.times[:-1]

    def forget(self) -> None:
        self.times = []

    def limit(self, rate: float = 0.0, noise: float = 0.0) -> float | None:
        """Time at which the impacts accumulate, when it is so near that the rest may be jumped over.

        Hops that at the last approach ``rate`` are lower than the ``noise`` of a gap are jumped over, too.
        """
        if len(self.times) < 4:
            return None
        a, b, c, d = self.times
        before, last = (c - b) / (b - a), (d - c) / (c - b)
        if not (0 <= last < SHRINKING and abs(last - before) <= STEADY * last):
            if last < SHRINKING and last >= 0:
                return None
            self.first = d  # no such sequence so far
            return None
        end = d + (d - c) * last / (1 - last)
        return end if end - d <= NEAR * (end - self.first) or abs(rate) * (d - c) <= noise else None
