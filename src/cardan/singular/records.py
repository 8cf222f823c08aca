"""What happened along a motion: records that the simulator writes and everyone else reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

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

    ``what`` is one sentence for people; ``facts`` holds numbers such as "impulse", "energy_change", "branches".
    """

    kind: str
    name: str
    t: float
    y: Vector
    what: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
