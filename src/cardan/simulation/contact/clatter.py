"""Clatter: contacts that set each other going, in ever smaller impacts without end.

A rod that lands on both ends hits with one and then the other, each impact a part of the last. All of it happens in a
finite time; what is left when the impacts have faded to a small part of the first ones moves nothing by more than the
square of that part. From there on restitution is left away, so that the contacts come to rest together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cardan.singular.records import EventRecord

MANY = 40  # impacts in one clatter, before any of them is taken for the last
FADED = 1e-6  # of the fastest impact of a clatter
LOW = 1e-9  # of the typical size of a gap: the last hops are no higher
QUIET = 1e-3  # of the run: a pause that long begins another one


@dataclass
class Clatter:
    """The impacts since the last pause: how many, when the last one was, the fastest, and when each stop was left."""

    span: float
    count: int = 0
    last: float = -1e300
    fastest: float = 0.0
    left: dict[int, float] = field(default_factory=dict)

    def has_faded(self, t: float, approach: float, *, was_low: bool) -> bool:
        """Whether an impact at this speed (in the metric of inertia), after such a hop, is one of the last.

        A slow impact alone is none: a ball may cross a flat box slowly while its walls throw it to and fro.
        """
        if t - self.last > QUIET * self.span:
            self.count, self.fastest = 0, 0.0
        self.count, self.last = self.count + 1, t
        self.fastest = max(self.fastest, approach)
        return self.count > MANY and approach <= FADED * self.fastest and was_low

    def since(self, t: float, stop: int) -> float:
        """How long ago a stop was left."""
        return t - self.left.get(stop, -1e300)

    def leaves(self, t: float, stops: Iterable[int]) -> None:
        """The stops that take part in an impact may be left with it."""
        self.left.update(dict.fromkeys(stops, t))

    def told(self, record: EventRecord) -> EventRecord:
        """The record of an impact that was taken for one of the last, which says so."""
        what = (
            f"{record.what[:-1]}; {self.count} impacts set each other going and have faded: what is near was brought "
            "to rest together, without restitution."
        )
        return replace(record, what=what, facts={**record.facts, "clatter": self.count, "restitution_share": 0.0})
