"""What happened along a motion, as its user reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardan.native.showing import Shown

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class RunEvent(Shown):
    """Something that happened: its kind and name, when, the state there, one sentence, and facts by name."""

    kind: str
    name: str
    t: float
    q: Vector
    v: Vector
    what: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)

    def _row(self) -> dict[str, object]:
        return {"t [s]": self.t, "kind": self.kind, "name": self.name, "what": self.what}
