"""A batch whose rows are simulated one by one, with everything that ``simulate`` honours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardan.trajectory.batch import Batch, PerRow, in_threads

if TYPE_CHECKING:
    from cardan.api.system import System

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Asked:
    """What all rows have in common; ``options`` are further ones of ``simulate``."""

    duration: float
    times: Vector
    method: str
    step: float | None
    t0: float
    options: Mapping[str, Any]


def each_row(
    system: System, rows: Vector, asked: Asked, given: tuple[PerRow | None, PerRow | None, PerRow | None],
    threads: int | None,
) -> Batch:  # fmt: skip
    """Each row as ``system.simulate`` follows it; one that stops early says why, and is NaN from there on."""
    nq, count = system.compile().nq, len(rows)
    states = np.full((count, len(asked.times), rows.shape[1]), np.nan)
    status = [""] * count

    def follow(block: slice) -> None:
        for i in range(*block.indices(count)):
            parameters, loads, inputs = (_of_row(one, i) for one in given)
            one = system.with_values(**parameters) if parameters else system
            run = one.simulate(
                asked.duration, q=rows[i, :nq], v=rows[i, nq:], times=asked.times, method=asked.method,
                step=asked.step, t0=asked.t0, loads=loads or None, inputs=inputs or None, throw=False, **asked.options,
            )  # fmt: skip
            status[i] = run.status
            states[i, : len(run.t)] = np.hstack([run.q, run.v])

    in_threads(follow, [slice(k, k + 1) for k in range(count)], threads)
    names = tuple(str(one) for one in system.model.q)
    return Batch(asked.times, states[:, :, :nq], states[:, :, nq:], tuple(status), names)


def _of_row(values: PerRow | None, i: int) -> dict[str, Any]:
    """What a row is given: numbers of its own where there is one for each."""
    given = {str(name): np.asarray(value) for name, value in (values or {}).items()}
    return {name: float(value[i]) if value.ndim else value.item() for name, value in given.items()}
