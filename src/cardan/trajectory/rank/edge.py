"""The guard over the rank of constraints where friction has to be solved for: it ends a run before the rank is lost.

Passages carry a motion across with the forces of the constraints unknown in between; friction needs these forces at
every instant, so the two cannot be had together.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.guarded import Continuation, Guard
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.singular.records import EventRecord
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.rank.thresholds import FRICTION_ENDS, INVOLVED

Vector = NDArray[np.float64]


_KERNEL = ctypes.PYFUNCTYPE(ctypes.c_int64, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class RankEdge(Guard):
    """Ends a run where constraints are about to lose rank while friction depends on their forces."""

    def __init__(self, compiled: Prepared) -> None:
        assert compiled.reference is not None
        self.compiled, self.level = compiled, FRICTION_ENDS * compiled.reference.pivots
        self._nearness = _KERNEL(compiled.nearness)

    def _clearance(self, t: float, y: Vector, p: Vector) -> float:
        """Last pivot of the rows that hold now, less the level; positive where it cannot be evaluated."""
        out, state, numbers = np.empty(1), np.ascontiguousarray(y), np.ascontiguousarray(p)
        failed = self._nearness(float(t), state.ctypes.data, numbers.ctypes.data, out.ctypes.data) != 0
        return 1.0 if failed else float(out[0]) - self.level

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Watch]:
        return [Watch(self._clearance, -1, terminal=True, start_sign=1, name="rank")]

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        model = self.compiled.kernel.model
        rubbing = ", ".join(one.name for one in model.rubbing)
        what = (
            f"Friction {rubbing} has to be solved for together with the motion, and the constraints "
            f"{', '.join(self._rows(t, y, mode))} are about to lose rank here: their forces, which it depends on, are "
            "not determined there. Give the friction a known load and a smooth law (normal=..., law='tanh', width=...)"
            ", which is carried across, or keep the motion away from this configuration."
        )
        return Continuation(y, ends=what, records=(EventRecord("stop", "rank", t, y, what),))

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """A run that starts there ends there."""
        return self.handle(0, mode, t, y) if self._clearance(t, y, np.asarray(mode.parameters)) < 0 else None

    def _rows(self, t: float, y: Vector, mode: CompiledModel) -> list[str]:
        """Names of the rows that nearly depend on each other."""
        kernel = self.compiled.kernel
        terms = kernel.numbers(np.asarray(mode.parameters)).terms(t, y)
        rows = terms.A @ terms.half
        size = np.linalg.norm(rows, axis=1)
        used = np.flatnonzero(size > 1e-12 * float(np.max(size)))
        U, s, _ = np.linalg.svd(rows[used] / size[used, None])
        weakest = U[:, len(s) - 1] if len(used) <= rows.shape[1] else U[:, -1]
        names = [kernel.dynamics.constraints.names[k] for k in used]
        return [name for name, x in zip(names, weakest, strict=True) if abs(x) > INVOLVED] or names


def rank_edge(compiled: Prepared) -> RankEdge | None:
    """The guard, where there are constraints besides those of friction itself."""
    model = compiled.kernel.model
    own = {one.name for one in model.frictions}
    others = [
        name for name in (compiled.kernel.dynamics.constraints.names if compiled.kernel.m else ()) if name not in own
    ]
    return RankEdge(compiled) if others and compiled.reference is not None and compiled.reference.rank else None
