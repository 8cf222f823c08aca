"""A run made again with other values, as the sliders of the viewer ask for it, and the page on which that is seen."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import StartError
from cardan.model.signals import signal_values
from cardan.model.variables import QuaternionVariable
from cardan.trajectory.assembly import consistent_start
from cardan.trajectory.settings import START_TOLERANCE, Values
from cardan.trajectory.start import Given

if TYPE_CHECKING:
    from cardan.api.run import Run
    from cardan.api.system import System
    from cardan.codegen.compiled import Kernel
    from cardan.report.data.maps import Picture
    from cardan.report.data.special import Special
    from cardan.viewer.notebook import Embedded
    from cardan.viewer.server import Viewer
    from cardan.viewer.session import Change

Vector = NDArray[np.float64]


def show(
    run: Run,
    open_browser: bool,
    block: bool | None,
    port: int,
    picture: Picture | None = None,
    special: Sequence[Special] = (),
) -> Viewer | Embedded:
    """The viewer of a run, beside a map of its study; in a notebook, a page for the cell."""
    from cardan.viewer.notebook import Embedded, is_notebook

    if is_notebook():
        return Embedded(run, picture=picture, special=special)
    viewer = serve(run, port, picture, special)
    waits = block if block is not None else not is_interactive()
    is_open = open_browser and viewer.open()
    if waits or not is_open:
        print(f"{run.system.name} at {viewer.url}{' (Ctrl-C ends it)' if waits else ''}", file=sys.stderr)
    if waits:
        viewer.wait()
    return viewer


def serve(run: Run, port: int = 0, picture: Picture | None = None, special: Sequence[Special] = ()) -> Viewer:
    """The viewer of a run, started."""
    from cardan.viewer.server import Viewer
    from cardan.viewer.session import Session

    return Viewer(Session(run, partial(moved, run), picture, special), port).start()


def is_interactive() -> bool:
    """Whether somebody types Python: then the prompt comes back, while a script waits for the viewer to be closed."""
    return hasattr(sys, "ps1") or bool(sys.flags.interactive) or "IPython" in sys.modules


def moved(run: Run, change: Change) -> Run:
    """The run with other values, simulated as it was; it ends where it must and says why, and raises nothing then."""
    system = run.system.with_values(**change.values) if change.values else run.system
    settings = replace(run.settings, times=None)
    if change.duration is not None:
        settings = replace(settings, duration=change.duration if settings.duration >= 0 else -change.duration)
    given = signal_values(run.model, settings.loads, settings.inputs)
    signals = {str(key): value for key, value in given.items()} | dict(change.signals)
    settings = replace(settings, loads=signals, inputs=None)
    if change.q or change.v or (change.values and run.kernel.m):
        q, v = start_near(run, system, change)
        settings = replace(settings, q=q, v=v)
    return system.follow(settings)


def start_near(run: Run, system: System, change: Change) -> tuple[Vector, Vector]:
    """The first start with other numbers put in; whatever the constraints then ask of the others, they do.

    Coordinates that were changed stay as they are set, or, where none was, those that the first run named.
    """
    kernel = system.compile()
    y = np.concatenate([run.q[0], run.v[0]])
    for k, symbol in enumerate(run.model.q):
        y[k] = change.q.get(str(symbol), y[k])
    for k, symbol in enumerate(run.model.v):
        y[kernel.nq + k] = change.v.get(str(symbol), y[kernel.nq + k])
    if kernel.m:
        y = _consistent(run, kernel, y, change)
    return y[: kernel.nq], y[kernel.nq :]


def _consistent(run: Run, kernel: Kernel, y: Vector, change: Change) -> Vector:
    t0 = float(run.settings.t0)
    held = _held(run, change.q, run.settings.q)
    held_rates = _held(run, change.v, run.settings.v)
    try:
        return consistent_start(kernel, Given(y, held, held_rates), kernel.p(), t0, START_TOLERANCE).y
    except StartError:
        if change.q:
            raise
    free = np.zeros(kernel.nv, dtype=bool)  # another length, say, does not fit where the run began
    return consistent_start(kernel, Given(y, free, held_rates), kernel.p(), t0, START_TOLERANCE).y


def _held(run: Run, changed: Mapping[str, float], given: Values) -> NDArray[np.bool_]:
    """Which velocities belong to coordinates, or are speeds, that are to stay as they are."""
    named = set(map(str, changed)) or (set(map(str, given)) if isinstance(given, Mapping) else set())
    held: list[bool] = []
    for variable in run.model.free:
        symbols = variable.velocities
        names = {variable.name, *map(str, symbols)}
        held += [bool(names & named) and not isinstance(variable, QuaternionVariable)] * len(symbols)
    return np.array(held, dtype=bool)
