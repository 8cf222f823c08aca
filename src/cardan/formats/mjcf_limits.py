"""What the joints of an MJCF model can do: their ranges, and the forces that actuators may bring to them."""

from __future__ import annotations

import math

from cardan.formats.mjcf_draft import Draft
from cardan.model.joint_limits import Limits


def limits_of(draft: Draft) -> dict[str, Limits]:
    """Limits of hinges and slides by coordinate, and ranges of inputs; of a range of forces the larger end."""
    m, found = draft.model, {}
    for joint in draft.drives:
        lower, upper = m.jnt_range[joint] if m.jnt_limited[joint] else (-math.inf, math.inf)
        force = float(max(abs(m.jnt_actfrcrange[joint]))) if m.jnt_actfrclimited[joint] else math.inf
        force = min(force, draft.strengths.get(joint, math.inf))
        if math.isfinite(lower) or math.isfinite(force):
            found[draft.joints[joint]] = Limits(float(lower), float(upper), float(force))
    return found | draft.bounds
