"""What watches over a motion: one guard for each kind of interruption that its model may meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.contact.impacts import StopGuard
from cardan.simulation.guarded import Guard
from cardan.simulation.protocol import CompiledModel
from cardan.trajectory.charts.stops import StopsInCharts
from cardan.trajectory.charts.switching import ChartSwitch
from cardan.trajectory.coordinates import Entry, Refresh
from cardan.trajectory.friction import FrictionGuard
from cardan.trajectory.kinks import KinkGuard, kink_guard
from cardan.trajectory.rank.edge import RankEdge, rank_edge
from cardan.trajectory.rank.guard import RankGuard, rank_guard
from cardan.trajectory.request import Request
from cardan.trajectory.stops import StopKernels


@dataclass(frozen=True)
class Guards:
    """The guards over a motion, and what they make of its model: the mode it begins in, its parameters and signals."""

    entry: Entry
    stops: Guard | None
    rank: RankGuard | None  # over constraints that may lose rank
    friction: FrictionGuard | None  # that has to be solved for together with the motion
    kinks: KinkGuard | None  # over forces that switch with the state
    rank_edge: RankEdge | None  # ends a run with such friction before rank is lost

    @property
    def guards(self) -> Sequence[Guard]:
        """In the order in which they are asked."""
        everyone = (self.stops, self.rank, self.friction, self.entry.edge, self.kinks, self.rank_edge)
        return [one for one in everyone if one is not None]

    @property
    def first_mode(self) -> CompiledModel:
        """The model in which the motion begins."""
        if self.entry.model is not None:
            return self.entry.model
        if self.friction is not None:
            return self.friction.start
        return self.entry.compiled if self.rank is None else self.rank.modes.regular

    @property
    def parameters(self) -> NDArray[np.float64]:
        """Parameters with which outputs along the motion are evaluated, wherever it went."""
        return self.entry.compiled.parameters if self.rank is None else self.rank.modes.anywhere.parameters

    @property
    def refresh(self) -> Refresh | None:
        """What writes signals, and modes of friction, at a time of the motion."""
        own = self.entry.compiled.refresh
        return own if self.friction is None else self.friction.refresh(own)


def watch_over(entry: Entry, request: Request) -> Guards:
    """The guards that a motion needs."""
    compiled = entry.compiled
    model = entry.kernel.model
    ahead = 1 if request.forward else -1
    friction = FrictionGuard(compiled, request.t0, entry.y, request.method.name, ahead) if model.rubbing else None
    rank = rank_guard(compiled, entry.start, request) if entry.start is not None and friction is None else None
    return Guards(
        entry,
        _stops(entry, request) if model.stops else None,
        rank,
        friction,
        kink_guard(entry, request),
        None if friction is None else rank_edge(compiled),
    )


def _stops(entry: Entry, request: Request) -> Guard:
    """The guard of the stops, in whatever chart the motion is in."""
    switch = entry.edge if isinstance(entry.edge, ChartSwitch) else None
    stops = StopKernels(entry.compiled) if switch is None else switch.mode.stops
    span = request.end - request.t0
    found = StopGuard(stops, law=request.settings.impact_law, span=span, moved=entry.moved)
    return found if switch is None else StopsInCharts(found, switch)
