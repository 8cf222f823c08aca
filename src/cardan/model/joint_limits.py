"""What the motor of a joint can do, as a robot file says it: ``s.limits``."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Range of a coordinate, and the largest effort (N or N m) and speed; infinite where none is given.

    The range acts as stops where a robot is loaded with them; effort and velocity bound nothing here by themselves.
    """

    lower: float = -math.inf
    upper: float = math.inf
    effort: float = math.inf
    velocity: float = math.inf

    @property
    def rest(self) -> float:
        """Zero where it lies in the range, otherwise the middle: the convention of ROS's joint_state_publisher."""
        if self.lower <= 0.0 <= self.upper:
            return 0.0
        if math.isfinite(self.lower) and math.isfinite(self.upper):
            return (self.lower + self.upper) / 2
        return self.lower if math.isfinite(self.lower) else self.upper

    def narrowed(self, lower: float, upper: float) -> Limits:
        """The limits with a range that lies in this one, too."""
        return Limits(max(self.lower, lower), min(self.upper, upper), self.effort, self.velocity)
