"""What happened along a motion, as its user reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class RunEvent:
    """Something that happened: its kind and name, when, the state there, one sentence, and facts by name."""

    kind: str
    name: str
    t: float
    q: Vector
    v: Vector
    what: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
