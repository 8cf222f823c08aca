"""What a robot's joints can do, as a model file says it, and how long a robot is followed where nobody says."""

from __future__ import annotations

import math
from collections.abc import Mapping

from cardan.formats.document import Entry
from cardan.model.joint_limits import Limits

DURATION = 2.0  # seconds: long enough to see what moves, short enough for a robot of many limits


def entries(limits: Mapping[str, Limits]) -> Entry:
    """The limits by coordinate, without what is infinite."""
    found: Entry = {}
    for q, one in limits.items():
        finite = {key: value for key, value in vars(one).items() if math.isfinite(value)}
        if finite:
            found[q] = finite
    return found
