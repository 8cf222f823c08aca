"""The motion from its entry to its end, under guard."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from cardan.model.description import finite
from cardan.simulation.guarded import integrate_guarded
from cardan.simulation.protocol import Watch
from cardan.trajectory.coordinates import Entry, Motion
from cardan.trajectory.guards import watch_over
from cardan.trajectory.instants import instants_of
from cardan.trajectory.request import Request
from cardan.trajectory.signals import watch
from cardan.trajectory.tolerances import tolerances

LOOKS = 200  # steps at least: with their stages, everything is seen that lasts longer than 1/700 of the run


def follow(entry: Entry, request: Request) -> Motion:
    """The motion in the coordinates of its entry, with its interruptions and the records of them."""
    watched, settings = watch_over(entry, request), request.settings
    atol = tolerances(entry, request, watched.first_mode)
    solution, records = integrate_guarded(
        watched.first_mode,
        request.t0,
        request.end,
        entry.y if entry.state is None else entry.state,
        watched.guards,
        rtol=settings.rtol,
        atol=atol,
        method=request.method.name,
        step=request.step,
        times=request.times,
        events=list(_events(entry, request)),
        instants=instants_of(entry, request),
        max_step=largest_step(entry, request),
        max_steps=settings.max_steps,
    )
    return Motion(request, entry, solution, records, watched.parameters, watched.refresh, atol)


def largest_step(entry: Entry, request: Request) -> float:
    """No step is longer: as asked for, or a share of the run where something narrow could hide between two looks."""
    asked = request.settings.max_step
    if asked is not None:
        return finite(asked, "max_step")
    if not request.method.is_adaptive or request.end == request.t0:
        return np.inf
    smoothness = entry.kernel.dynamics.smoothness
    hides = bool(request.signals.functions) or smoothness.is_timed or not smoothness.is_even
    return abs(request.end - request.t0) / LOOKS if hides else np.inf


def _events(entry: Entry, request: Request) -> Iterator[Watch]:
    """The user's events, as functions of the state that is integrated."""
    model = entry.watchable or entry.compiled
    for k, one in enumerate(request.events):
        function = watch(model, request.user, entry.seen, f"event{k}", one.expression)
        yield Watch(function, one.direction, one.terminal, name=one.name)
