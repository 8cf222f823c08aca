"""Clatter: contacts that set each other going, in ever smaller impacts without end.

A rod that lands on both ends hits with one and then the other, each impact a part of the last. All of it happens in a
finite time; what is left when the impacts have faded to a small part of the first ones moves nothing by more than the
square of that part. From there on restitution is left away, so that the contacts come to rest together.
"""

from __future__ import annotations

from dataclasses import dataclass

MANY = 40  # impacts in one clatter, before any of them is taken for the last
FADED = 1e-6  # of the fastest impact of a clatter
QUIET = 1e-3  # of the run: a pause that long begins another one


@dataclass
class Clatter:
    """The impacts since the last pause: how many, when the last one was, and the fastest."""

    span: float
    count: int = 0
    last: float = -1e300
    fastest: float = 0.0

    def has_faded(self, t: float, approach: float) -> bool:
        """Whether an impact at this speed (in the metric of inertia) is one of the last, which come to rest."""
        if t - self.last > QUIET * self.span:
            self.count, self.fastest = 0, 0.0
        self.count, self.last = self.count + 1, t
        self.fastest = max(self.fastest, approach)
        return self.count > MANY and approach <= FADED * self.fastest
