"""Windows for motions that go no farther from a loss of rank than rounding lets them be told apart.

At a distance x from it (in units of the sizes) a configuration is known to 1e-16 / x and the direction of its velocity
to 1e-16 / x^2. Passages of motions that stay as near as 1e-3, slow ones or those of small amplitude, are therefore
allowed larger errors of velocities, in proportion; positions keep their tolerance.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from cardan.trajectory.rank.window import Travel, Window, travel

Vector = NDArray[np.float64]

SLACKS = (1e1, 1e2, 1e3, 1e4, 1e5, 1e6)  # of the errors of velocities, one after the other


@dataclass(frozen=True)
class SlackWindow(Window):
    """A window in which velocities may have errors that are larger by a factor."""

    slack: float = 1.0

    def weight(self, y: Vector, rates: Vector) -> Vector:
        allowed = super().weight(y, rates)
        allowed[self.model.nq :] *= self.slack
        return allowed


def travel_with_slack(window: Window, t: float, end: float, y: Vector, rates: Vector) -> Travel:
    """The passages from (t, y), with larger errors of velocities where rounding does not allow the ones asked for.

    Passages that creep towards a loss of rank without crossing it are the last resort: from ever nearer to it the
    direction of the velocity is known ever less.
    """
    found = travel(window, t, end, y, rates)
    own = {one.name: getattr(window, one.name) for one in fields(window)}
    for creeps in (False, True):
        for slack in (1.0, *SLACKS) if creeps else SLACKS:
            if not found.passages:
                found = travel(SlackWindow(**{**own, "creeps": creeps}, slack=slack), t, end, y, rates)
    return found
