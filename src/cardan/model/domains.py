"""The range of a coordinate: where its chart is valid, and how it closes on itself."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cardan.errors import ModelError


@dataclass(frozen=True, slots=True)
class Domain:
    """Range of a coordinate: ``kind`` is "R", "S1", "R+" or "interval"; only a stop makes a boundary of the motion."""

    kind: str
    lower: float
    upper: float

    @property
    def is_angle(self) -> bool:
        return self.kind == "S1"

    def __str__(self) -> str:
        return f"({self.lower:g}, {self.upper:g})" if self.kind == "interval" else self.kind


LINE = Domain("R", -math.inf, math.inf)
CIRCLE = Domain("S1", -math.inf, math.inf)
HALF_LINE = Domain("R+", 0.0, math.inf)
NAMED = {"R": LINE, "S1": CIRCLE, "R+": HALF_LINE}


def domain(on: Domain | str | Sequence[float], name: str) -> Domain:
    """The domain a user means by "R", "S1", "R+" or a pair (lower, upper)."""
    if isinstance(on, Domain):
        return on
    if isinstance(on, str) and on in NAMED:
        return NAMED[on]
    if isinstance(on, (tuple, list)) and len(on) == 2 and not any(isinstance(end, str) for end in on):
        lower, upper = float(on[0]), float(on[1])
        if lower < upper:
            return Domain("interval", lower, upper)
        raise ModelError(
            f"Coordinate {name!r}: the range ({lower:g}, {upper:g}) is empty. Give (lower, upper) with lower < upper.",
            name=name,
            range=(lower, upper),
        )
    raise ModelError(
        f'Coordinate {name!r}: {on!r} is no domain. Use on="R", "S1", "R+" or a pair (lower, upper).',
        name=name,
        domain=on,
    )
