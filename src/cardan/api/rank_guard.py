"""The guard over the rank of the constraints: carries a motion across, and records what happened there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.api.assembly import ConsistentStart
from cardan.codegen.extension import extension
from cardan.pipeline import Prepared
from cardan.simulation.guarded import Continuation
from cardan.simulation.passage import Passage
from cardan.simulation.protocol import CompiledModel, Event
from cardan.simulation.window import Travel, Window, as_segment, travel
from cardan.singular.closure import LocalRank, limit_accelerations
from cardan.singular.records import EventRecord

Vector = NDArray[np.float64]

LEVEL = 0.2  # pivot ratio, in units of its typical value, below which passages carry the motion
REFUSED = 0.3  # of the level: an ordinary step that comes as near as this is made shorter
ALREADY = 1.001  # of the level: as near as this counts as inside


@dataclass(frozen=True)
class Tolerances:
    """What a run asks for: local errors, and the geometric error that may be ignored."""

    rtol: float
    atol: float
    geometry: float = 1e-9


class RankGuard:
    """Watches the pivot ratio; ``regular`` is the model held back from the window, ``anywhere`` the one used inside."""

    def __init__(self, compiled: Prepared, sizes: Vector, end: float, tolerances: Tolerances) -> None:
        assert compiled.reference is not None
        self.reference = compiled.reference
        self.level = LEVEL * self.reference.pivots
        self.regular = compiled.watched(refused=REFUSED * self.level, watched=self.level)
        self.anywhere = compiled.watched()
        self.sizes, self.end, self.tolerances = sizes, end, tolerances
        self.passages: list[Passage] = []

    # --- the protocol of guards --------------------------------------------------------------------

    def events(self, mode: CompiledModel, t: float, y: Vector) -> Sequence[Event]:
        if mode is self.regular:
            return [Event(self.regular.nearness, -1, terminal=True, start_sign=1, name="rank")]
        return []

    def handle(self, which: int, mode: CompiledModel, t: float, y: Vector) -> Continuation:
        return Continuation(y)

    def resume(self, mode: CompiledModel, t: float, y: Vector) -> Continuation | None:
        """Passages through the window, where the state is inside it."""
        window = self._window()
        if mode is not self.regular or not window.ratio(t, y) < ALREADY * self.level or t == self.end:
            return None
        found = travel(window, t, self.end, y, self._rates(window, t, y))
        if not found.complete:
            return Continuation(y, mode=self.anywhere)
        self.passages += found.passages
        return Continuation(
            found.y, t=found.t, records=self._records(found), path=tuple(as_segment(one) for one in found.passages)
        )

    # --- numbers -----------------------------------------------------------------------------------

    def _window(self) -> Window:
        return Window(self.anywhere, self.level, self.sizes, self.tolerances.rtol, self.tolerances.atol)

    def local(self, t: float, y: Vector) -> LocalRank:
        """Ranks and null spaces at a state."""
        p = self._parameters(t, y)
        return LocalRank(self.regular.kernel.numbers(p).terms(t, y), self.reference)

    def _parameters(self, t: float, y: Vector) -> Vector:
        p = self.regular.parameters.copy()
        if self.regular.refresh is not None:
            self.regular.refresh(t, y, p)
        return p

    def _rates(self, window: Window, t: float, y: Vector) -> Vector:
        """ydot for the first guess: the limit of accelerations where rank is lost."""
        kernel = self.regular.kernel
        local = self.local(t, y)
        if local.is_singular:
            vd, _, _ = limit_accelerations(local, extension(kernel, t, y, self._parameters(t, y)))
            return np.concatenate([local.terms.qd, vd])
        rates = window.rates(t, y)
        return np.concatenate([local.terms.qd, np.zeros(kernel.nv)]) if rates is None else rates

    # --- records -----------------------------------------------------------------------------------

    def _records(self, found: Travel) -> tuple[EventRecord, ...]:
        return ()


def rank_guard(
    compiled: Prepared, start: ConsistentStart, end: float, method: str, tolerances: Tolerances
) -> RankGuard | None:
    """The guard over a run with constraints; None for methods of fixed step, which cannot be held back."""
    if method not in ("auto", "DOP853") or start.reference.rank == 0:
        return None
    return RankGuard(compiled, start.sizes, end, tolerances)
