"""What happened along a motion: records that the simulator writes and everyone else reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

KINDS = (
    "user",
    "chart-switch",
    "rank-change",
    "branch",
    "impulse",
    "impact",
    "contact",
    "release",
    "zeno",
    "snap",
    "stop",
    "stick",
    "slip",
)


@dataclass(frozen=True)
class EventRecord:
    """Something that happened at time ``t``: its kind (one of KINDS), name, state before it, and facts by name.

    ``what`` is one sentence for people; ``facts`` holds what else is known, such as "impulse", "energy_change",
    "branches": what kind of thing a name holds depends on the kind of record.
    """

    kind: str
    name: str
    t: float
    y: Vector
    what: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)

    def number(self, name: str, default: float | None = None) -> float:
        """A fact that is one number; the default, if one is given, where it is not known."""
        if default is not None and name not in self.facts:
            return default
        return float(self.vector(name))

    def vector(self, name: str) -> Vector:
        """A fact that is several numbers."""
        return np.asarray(self.facts[name], dtype=float)

    @property
    def window(self) -> tuple[float, float]:
        """When a passage began and ended."""
        first, last = self.vector("window").tolist()
        return first, last
