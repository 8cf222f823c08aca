"""Many motions of one model in one call of machine code, where nothing may interrupt them.

Each is made by the loop that would make it alone, with the same steps: bits do not depend on how many there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.simulation import layout
from cardan.simulation.drive import Drive, Options
from cardan.simulation.ledger import Rows
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.table import method_named
from cardan.simulation.protocol import CompiledModel, Watch
from cardan.simulation.solution import STATUS
from cardan.simulation.triggers import Triggers

Vector = NDArray[np.float64]
INTERIOR = 3  # points inside a step where events are looked for, as of one motion


@dataclass(frozen=True)
class Ends:
    """How each motion ended: status, time, state, the states at requested times (nan behind the end), and the first
    zero of every event (nan where there was none)."""

    status: list[str]
    t: Vector
    y: Vector
    states: Vector
    zeros: Vector


def can_be_many(method: Method) -> bool:
    """Whether a method makes many motions in one call."""
    loop = method_named(method.stands_for or method.name).loop
    return loop is not None and loop.many is not None


def integrate_many(
    model: CompiledModel, t0: float, t1: float, starts: Vector, parameters: Vector, atol: Vector, *, method: Method,
    rtol: float, times: Vector, events: Sequence[Watch], max_step: float, max_steps: int, step: float | None,
) -> Ends:  # fmt: skip
    """Motions from several starts, one row each, with a row of parameters and of tolerances for each."""
    count, n = starts.shape
    loop = method_named(method.stands_for or method.name).loop
    assert loop is not None
    assert loop.many is not None
    options = Options(
        rtol, np.array(atol[0]), 0.0 if step is None else step, max_step, max_steps, INTERIOR if events else 0, False,
        method.when_stiff != "",
    )  # fmt: skip
    drive = Drive(model, t0, t1, starts[0], Triggers(events, 0, n, parameters.shape[1]), times, options)
    size = drive.sizes(loop, options.watch_stiffness)
    size[layout.CHUNK] = np.iinfo(np.int64).max // 4
    drive.control[layout.H] = options.step
    first = drive.control.copy()
    work = np.zeros(loop.work_size(n) + loop.own_work(model.nv, len(drive.holonomic)))
    ne = len(events)
    states = np.full((count, len(times), n), np.nan)
    zeros, ends = np.full((count, max(ne, 1)), np.nan), np.zeros((count, n + 3))
    rows = Rows(
        parameters.shape[1], np.ascontiguousarray(starts).ravel(), np.ascontiguousarray(parameters).ravel(),
        np.ascontiguousarray(atol).ravel(), states.ravel(), zeros.ravel(), ends.ravel(),
    )  # fmt: skip
    ledger = drive.ledger(size, np.empty((2, int(size[layout.WIDTH]))))
    loop.many(ledger, loop.kernels(model), work, count, first, rows)
    told = [STATUS.get(int(one), "stiff") for one in ends[:, 0]]
    return Ends(told, ends[:, 1], ends[:, 3:], states, zeros[:, :ne])
