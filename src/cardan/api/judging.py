"""A run seen by the judges of diagnosis: in the user's coordinates, at its own times or at evenly spaced ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.diagnosis.along import Along

if TYPE_CHECKING:
    from cardan.api.run import Run

Vector = NDArray[np.float64]

MOST_SAMPLES = 100_000


def judges(run: Run, per_second: float | None) -> tuple[Along, Callable[[Vector], Vector]]:
    """The judges of a run, and a function from times to states."""
    kernel = run.kernel if run.regular_view is None else run.system.compile()
    p = run.parameters[: len(kernel.parameters)]

    def motion(at: Vector) -> Vector:
        return run.at(at).user_states[0]

    if per_second is None:
        return Along(kernel, p, run.t, run.user_states[0]), motion
    count = max(2, int(per_second * (run.t[-1] - run.t[0])) + 1)
    times = np.linspace(run.t[0], run.t[-1], min(count, MOST_SAMPLES))
    return Along(kernel, p, times, motion(times)), motion
