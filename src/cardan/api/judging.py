"""A run seen by the judges of diagnosis: in the user's coordinates, at its own times or at evenly spaced ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.compiled import Kernel
from cardan.diagnosis.along import Along, Motion
from cardan.diagnosis.findings import Finding

if TYPE_CHECKING:
    from cardan.api.asking import Asking
    from cardan.api.run import Run

Vector = NDArray[np.float64]

MOST_SAMPLES = 100_000


class Remedied(Along):
    """The judges of a motion, whose findings know how to look for their remedies."""

    def __init__(self, system: Asking, kernel: Kernel, p: Vector, t: Vector, states: Vector) -> None:
        super().__init__(kernel, p, t, states)
        self.system = system

    def findings(self, motion: Motion, loads: Mapping[str, Any] | None) -> list[Finding]:
        from cardan.api.remedies import find_remedies

        found = []
        for one in super().findings(motion, loads):
            moment = float(self.t[0] if one.t is None else one.t)
            state = motion(np.array([moment]))[0]
            found.append(replace(one, search=partial(find_remedies, self.system, one, state, moment, loads)))
        return found


def judges(run: Run, per_second: float | None) -> tuple[Along, Callable[[Vector], Vector]]:
    """The judges of a run, and a function from times to states."""
    kernel = run.kernel if run.regular_view is None else run.system.compile()
    p = run.parameters[: len(kernel.parameters)]

    def motion(at: Vector) -> Vector:
        return run.at(at).user_states[0]

    if per_second is None:
        return Remedied(run.system, kernel, p, run.t, run.user_states[0]), motion
    count = max(2, int(per_second * (run.t[-1] - run.t[0])) + 1)
    times = np.linspace(run.t[0], run.t[-1], min(count, MOST_SAMPLES))
    return Remedied(run.system, kernel, p, times, motion(times)), motion
