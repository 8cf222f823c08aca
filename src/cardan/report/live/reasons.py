"""Which motions a page can compute again by itself: those in which nothing has to be decided in Python."""

from __future__ import annotations

from functools import partial

from cardan.simulation.methods.objects import resolve
from cardan.simulation.methods.table import method_named
from cardan.trajectory.events import Event, checked_events
from cardan.trajectory.trajectory import Trajectory


def obstacle(run: Trajectory) -> str:
    """Why the motion cannot be computed in the page; empty where it can."""
    model, settings = run.kernel.model, run.settings
    method, _ = resolve(settings.method, settings.step)
    name = method.stands_for or method.name
    loop = None if method.is_time_stepping else method_named(name).loop
    found = {
        "constraints, whose losses of rank are decided in Python": run.kernel.m > 0,
        "stops, whose impacts are decided in Python": bool(model.stops),
        "friction that is solved for together with the motion": bool(model.rubbing),
        "loads or inputs that are Python functions": run.refresh is not None,
        "angles that are read off other coordinates": run.viewed is not None or run.defined is not None,
        "charts that the motion changes between": any(one.kind == "chart-switch" for one in run.records),
        "events that end the motion or its steps": any(map(partial(_interrupts, run), checked_events(settings.events))),
        "forces that switch": bool(run.kernel.dynamics.smoothness.switches),
        f"the method {name}, which needs more than the equations of motion": loop is None or bool(loop.needs),
        "no motion": not run.kernel.nv,
    }
    return next((words for words, is_so in found.items() if is_so), "")


def _interrupts(run: Trajectory, event: Event) -> bool:
    """Whether the motion, or a step, ends at an event: terminal ones do, and those that happen by the clock."""
    symbols = set(getattr(event.expression, "free_symbols", ()))
    return event.terminal or symbols <= {run.model.time, *run.model.parameters}
