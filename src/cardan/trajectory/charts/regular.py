"""Regular coordinates behind the user's: quaternions for Euler angles, Cartesian ones for polar ones.

They have no singular places, so that a motion passes those of the user's unnoticed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from cardan.simulation.methods.method import Method
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.charts.guard import chart_guard
from cardan.trajectory.charts.view import View, ViewedMotion, ViewedState
from cardan.trajectory.coordinates import Entry, Motion, begin
from cardan.trajectory.request import Request
from cardan.trajectory.signals import Signals
from cardan.trajectory.start import Given


class Regular:
    """The coordinates of a view; what comes out is read off them continuously."""

    def __init__(self, view: View) -> None:
        self.view = view

    def suits(self, method: Method, signals: Signals) -> bool:
        return self.view.suits(method, signals.expressions.values())

    def enter(self, request: Request) -> Entry:
        given, first = self._completed(request), request.given.y
        entry = begin(
            self.view.kernel,
            self.view.entered(given),
            request,
            lambda y: ViewedState(self.view, first, y, request.forward),
        )
        return replace(entry, edge=chart_guard(entry.compiled, request.t0, entry.y, request.settings.rtol))

    def _completed(self, request: Request) -> Given:
        """The start, on the constraints; completed in the user's coordinates where it names some of them.

        What was named stays only there: a single angle of three is no coordinate of an orientation.
        """
        user, given = request.user, request.given
        if not user.m or not self.view.is_split(given):
            return given
        start = consistent_start(user, given, user.parameters, request.t0, request.settings.start_tol)
        everything = np.ones(user.nv, dtype=bool)
        return Given(start.y, everything, everything)

    def leave(self, motion: Motion) -> Motion:
        return self.read(motion.settled())

    def read(self, motion: Motion) -> Motion:
        request = motion.request
        records = (*self.view.records(request.t0, motion.entry.y), *motion.records)
        return replace(motion, records=records, viewed=ViewedMotion(self.view, motion.solution, request.given.y))
