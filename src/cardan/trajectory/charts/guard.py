"""The guard over coordinates that no regular ones stand behind: it ends a run just before they become singular.

Closer than that, equations written in these coordinates lose digits without saying so, or need ever shorter steps.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.singular.records import EventRecord
from cardan.trajectory.charts.indicator import ChartIndicator, may_be_singular
from cardan.trajectory.prepared import Prepared

Vector = NDArray[np.float64]

SINGULAR_COORDINATES = "singular coordinates"  # name of the event at which they end a run
EDGE = 1e-6  # kappa: at 1e-6 about half of the digits are left in the rates, and errors of 1e-8 in the motion
CROWDED = 0.05  # of sqrt(eps / rtol): below this kappa constrained equations, noisy by eps / kappa^2, collapse the step


class ChartGuard(Guard):
    """Ends a run where the coordinates become singular; ``stopped`` says whether it did."""

    def __init__(self, compiled: Prepared, t0: float, y0: Vector, rtol: float) -> None:
        self.compiled = compiled
        self.native = not (compiled.kernel.m or compiled.kernel.model.rubbing)
        self.level = edge_level(rtol, is_noisy=not self.native)
        self.indicator = ChartIndicator(compiled.kernel, y0, t0, compiled.parameters, self.level)
        self.stopped = False
        if self.native:  # others have numbers of their own there
            compiled.parameters = np.concatenate([compiled.parameters, self.indicator.tail])

    def watched(self, t: float, y: Vector, p: Vector) -> float:
        value = self.indicator(t, y, p)
        return value if np.isfinite(value) else -(self.level**2)

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        kernel = self.indicator.address if self.native and mode is self.compiled else self.watched
        return [Watch(kernel, -1, terminal=True, start_sign=1, name=SINGULAR_COORDINATES)]

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        self.stopped = True
        kappa = float(np.sqrt(max(0.0, self.watched(t, y, self.compiled.parameters) + self.level**2)))
        what = (
            f"the coordinates become singular here (indicator {kappa:.2g}, stopped below {self.level:.2g}): beyond "
            "this the motion goes on, but these coordinates cannot describe it. error.finding says why and what helps; "
            "for energies typed by hand declare another chart with s.chart(...)"
        )
        return Continuation(
            y, ends=what, records=(EventRecord("stop", SINGULAR_COORDINATES, t, y, what, {"indicator": kappa}),)
        )

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """A run that starts there ends there."""
        return self.handle(0, mode, t, y) if self.watched(t, y, self.compiled.parameters) < 0 else None


def edge_level(rtol: float, *, is_noisy: bool) -> float:
    """kappa at the edge; ``is_noisy``: with constraints, or friction that is solved for."""
    noisy = CROWDED * float(np.sqrt(np.finfo(float).eps / max(rtol, 1e-13)))
    return max(EDGE, noisy) if is_noisy else EDGE


def chart_guard(compiled: Prepared, t0: float, y0: Vector, rtol: float) -> ChartGuard | None:
    """The guard, where the coordinates may become singular."""
    return ChartGuard(compiled, t0, y0, rtol) if may_be_singular(compiled.kernel) else None
