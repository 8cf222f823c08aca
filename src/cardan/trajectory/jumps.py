"""What events of a run have added by each of its times: to the energy, and to the constants of the constraints.

Constraints whose geometry nearly bifurcates are shifted (event ``snap``): from then on they read phi(q) = shift.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.linalg.projection import HEAD
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]


def accumulated(times: Vector, changes: Sequence[tuple[float, float | Vector]], ahead: float) -> Vector:
    """The sum of all changes (t, amount) before each time.

    Equal times in a row are the states before, between and after what happened there, one change after the other.
    """
    changes = [one for one in changes if np.any(one[1])] or list(changes[:1])
    when, amounts = (np.array(column, dtype=float) for column in zip(*changes, strict=True))
    sums = np.concatenate([np.zeros_like(amounts[:1]), np.cumsum(amounts, axis=0)])
    first, last = (np.searchsorted(ahead * when, ahead * times, side) for side in ("left", "right"))
    again = np.concatenate([[False], np.diff(times) == 0])
    place = np.arange(len(times))
    since = place - np.maximum.accumulate(np.where(again, 0, place))  # how often this time stood before
    ends = np.concatenate([~again[1:], [True]]) & again
    return np.asarray(sums[np.where(ends, last, np.minimum(first + since, last))])


def shifts(records: Sequence[EventRecord], times: Vector, m: int, ahead: float) -> Vector:
    """The values that the constraints' phi keep at each time, (times, m): zero until geometry is snapped."""
    changes = [(one.t, one.vector("shift")) for one in records if one.kind == "snap"]
    return accumulated(times, changes, ahead) if changes else np.zeros((len(times), m))


def with_shift(parameters: Vector, first: int, shift: Vector) -> Vector:
    """Parameters of a compiled model whose constraints keep phi = shift; its scales begin at ``first``."""
    out = parameters.copy()
    start = first + len(shift) + HEAD
    out[start : start + len(shift)] = shift
    return out
