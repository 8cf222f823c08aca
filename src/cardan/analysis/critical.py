"""Where stability changes: the value of a quantity at which the first eigenvalue begins to grow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from cardan.analysis.linear import Linearization
from cardan.analysis.periodic import PeriodicMotion
from cardan.errors import ModelError

DECAYS = 1e-6  # of the larger real part at the ends: on the stable side everything is damped


def critical_value(linear: Callable[[float], Linearization | PeriodicMotion], low: float, high: float) -> float:
    """The value between low and high at which linear equations, or a periodic motion, become or cease to be unstable.

    ``linear`` gives them for a value of whatever is varied: a parameter, a speed, a place. Where damping makes the
    right eigenvalue cross the imaginary axis its real part is solved for; where eigenvalues meet on the axis and part,
    with the root of the distance, the interval is halved until it is rounding.
    """

    def right(value: float) -> float:
        return _growth(linear(value))

    def grows(value: float) -> bool:
        return linear(value).stability.verdict == "unstable"

    below, above = grows(low), grows(high)
    if below == above:
        said = "unstable" if below else "not unstable"
        raise ModelError(
            f"It is {said} at both ends, {low:g} and {high:g}, so that no change lies between them for certain. Take "
            "another interval.",
            low=low,
            high=high,
        )
    if right(high if below else low) < -DECAYS * max(abs(right(low)), abs(right(high))):
        return float(brentq(right, low, high, xtol=4e-16 * max(abs(low), abs(high)), rtol=1e-15))
    while True:
        middle = 0.5 * (low + high)
        if middle in (low, high):
            return middle
        if grows(middle) == below:
            low = middle
        else:
            high = middle


def _growth(found: Linearization | PeriodicMotion) -> float:
    """The largest rate at which neighbours grow: per unit of time, or the logarithm of their growth in a period."""
    if isinstance(found, Linearization):
        return float(found.eigenvalues.real.max())
    return float(np.log(max(float(np.max(np.abs(found.found_multipliers.others), initial=0.0)), 1e-300)))
