"""Coordinates typed by hand together with the charts declared for them: a motion changes between them on its way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cardan.codegen.compiled import Kernel
from cardan.trajectory.charts.chart_view import ChartView
from cardan.trajectory.charts.stops import unwound
from cardan.trajectory.charts.switching import ChartSwitch
from cardan.trajectory.coordinates import Entry, Motion, Typed, begin
from cardan.trajectory.request import Request


class Declared(Typed):
    """The user's coordinates and the charts that were declared; the motion begins in the one that suits its start."""

    def __init__(self, kernel: Kernel, charts: Sequence[ChartView]) -> None:
        super().__init__(kernel)
        self.charts = charts

    def enter(self, request: Request) -> Entry:
        entry = begin(self.kernel, request.given, request)
        switch = ChartSwitch(entry.compiled, self.charts, request.signals, request.t0, entry.y, request.forward)
        mode = switch.mode
        return replace(entry, model=mode.compiled, state=switch.y0, y=switch.y0, seen=switch.seen, edge=switch)

    def leave(self, motion: Motion) -> Motion:
        switch = motion.entry.edge
        assert isinstance(switch, ChartSwitch)
        motion = motion.settled()
        solution = switch.in_user_coordinates(motion.solution)
        records = unwound((*switch.records, *motion.records), switch, solution)
        return replace(motion, solution=solution, records=records, defined=switch.is_defined)

    def read(self, motion: Motion) -> Motion | None:
        return None
