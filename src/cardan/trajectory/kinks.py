"""Forces that switch with the state: steps end where they do, so that no step looks at both sides."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction
from cardan.graph import live
from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.instants import gap_of
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.trajectory.along import outputs_along, rates_along
from cardan.trajectory.coordinates import Entry
from cardan.trajectory.request import Request

Vector = NDArray[np.float64]

CROWD, CROWDED = 16, 1e-9  # so many crossings of one function, in this share of the run: no motion gets through
ACROSS = 1e-7  # of the run: how far on either side of a crossing potentials are compared
HEIGHT = 1e-9  # of the energies: a smaller jump of the potential is rounding


class KinkGuard(Guard):
    """Watches the functions of the state at whose zeros the right-hand side jumps or has a kink."""

    def __init__(self, entry: Entry, request: Request) -> None:
        d = entry.kernel.dynamics
        state = {*d.q, *d.v}
        nodes = [one for one in d.smoothness.switches if state & set(live([one]))]
        self.count = len(nodes)
        self._kernel = entry.kernel
        self._function = entry.kernel.custom("switches", nodes) if nodes else None
        self._gap = gap_of(request.t0, request.end)
        self._span = abs(request.end - request.t0)
        self._ahead = 1.0 if request.forward else -1.0
        self._sides = np.zeros(self.count)
        self._crossed: tuple[int, float] | None = None
        self._times = [deque[float](maxlen=CROWD) for _ in nodes]

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        assert self._function is not None
        self._sides = np.sign(_outputs(self._function, mode, t, y))
        if self._crossed is not None:  # the state is on the switch, and rounding may have put it on either side
            which, side = self._crossed
            self._sides[which], self._crossed = side, None
        return [
            Watch(self._function.address, terminal=True, start_sign=int(side), output=k, outputs=self.count)
            for k, side in enumerate(self._sides)
        ]

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        self._crossed = (which, -self._sides[which])
        times = self._times[which]
        times.append(t)
        if len(times) == CROWD and abs(times[-1] - times[0]) < CROWDED * self._span:
            return Continuation(y, ends=self._stuck(t))
        return Continuation(self._behind(mode, t, y), t=t + self._ahead * self._gap, ends=self._wall(mode, t, y))

    def _behind(self, mode: CompiledModel, t: float, y: Vector) -> Vector:
        """The state a few roundings of the clock later, clearly on the other side."""
        rates = rates_along(mode, np.array([t]), y[None])[0]
        return np.where(np.isfinite(rates), y + self._ahead * self._gap * rates, y)

    def _stuck(self, t: float) -> str:
        return (
            f"At t = {t:.10g} the motion meets a place from which a jumping force drives it back on both sides: it can "
            "neither cross nor stay. Describe dry friction by s.friction and walls by s.stop, or let the force pass "
            "smoothly from one value to the other."
        )

    def _wall(self, mode: CompiledModel, t: float, y: Vector) -> str:
        """Why the motion ends here: its potential energy jumps, so that the force is infinite for an instant."""
        energy, rates = self._kernel.function("energy"), self._kernel.function("rates")
        qd = np.zeros_like(y)
        qd[: self._kernel.nq] = _outputs(rates, mode, t, y)
        heights = []
        for share in (1.0, 1.0 / 16):
            d = share * ACROSS * self._span * self._ahead
            above, below = (_outputs(energy, mode, t, y + side * d * qd)[1] for side in (1, -1))
            heights.append(float(above - below))
        size = float(np.abs(_outputs(energy, mode, t, y)[:2]).max())
        if not abs(heights[1]) > max(HEIGHT * size, 0.5 * abs(heights[0])):
            return ""
        return (
            f"At t = {t:.10g} the potential energy jumps by {heights[1]:.4g}, which is an infinite force. Let it pass "
            "smoothly from one value to the other, or describe the wall by s.stop."
        )


def _outputs(function: NativeFunction, mode: CompiledModel, t: float, y: Vector) -> Vector:
    """What a function is at a state, with signals as they are at that time."""
    times, p = np.array([t]), mode.parameters
    return outputs_along(function.address, function.nout, times, y[None], p, mode.callback).reshape(function.nout)


def kink_guard(entry: Entry, request: Request) -> KinkGuard | None:
    """The guard over switching forces, where there are any and steps can end at them."""
    if not request.method.is_adaptive or entry.model is not None or not entry.kernel.dynamics.smoothness.switches:
        return None
    found = KinkGuard(entry, request)
    return found if found.count else None
