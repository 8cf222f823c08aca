"""Which motions a page can compute again by itself: those that begin with nothing for Python to decide.

Later decisions (a loss of rank, an impact, the edge of the coordinates) end the motion in the page, which says so.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from cardan.codegen.linking import ON_STACK
from cardan.report.live.module import first_mode, gaps_of
from cardan.simulation.methods.objects import resolve
from cardan.simulation.methods.table import method_named
from cardan.trajectory.events import Event, checked_events
from cardan.trajectory.stops import ContactMode
from cardan.trajectory.trajectory import Trajectory

NEAR = 1e-9  # of the widest gap: a stop that is nearer counts as touched


def obstacle(run: Trajectory) -> str:
    """Why the motion cannot be computed in the page; empty where it can."""
    model, settings = run.kernel.model, run.settings
    method, _ = resolve(settings.method, settings.step)
    name = method.stands_for or method.name
    loop = None if method.is_time_stepping else method_named(name).loop
    found = {
        "constraints that are too many for a page": run.kernel.m > 0 and _is_large(run),
        "stops that are closed, or are reached, at the start": bool(model.stops and loop) and _begins_closed(run),
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


def _is_large(run: Trajectory) -> bool:
    """Whether solving for the constraints takes more room than the stack of a page has."""
    return run.kernel.compiled.constrained_kernels.workspace > ON_STACK


def _begins_closed(run: Trajectory) -> bool:
    """Whether the motion begins on a stop, in contact or with an impact."""
    mode, y, t = first_mode(run), run.solution.y[0], float(run.solution.t[0])
    gaps = gaps_of(run.kernel)(t, y, mode.parameters[: len(run.kernel.parameters)])
    return isinstance(mode, ContactMode) or bool((gaps <= NEAR * np.max(np.abs(gaps))).any())


def _interrupts(run: Trajectory, event: Event) -> bool:
    """Whether the motion, or a step, ends at an event: terminal ones do, and those that happen by the clock."""
    symbols = set(getattr(event.expression, "free_symbols", ()))
    return event.terminal or symbols <= {run.model.time, *run.model.parameters}
