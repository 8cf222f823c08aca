"""Rows of a sweep, run one after the other: what came of each, failures included."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardan.codegen.function import NativeFunction
from cardan.errors import CardanError, Interrupted
from cardan.formats.expressions import parse
from cardan.native.once import once
from cardan.studies.batches import Batch, batch_of
from cardan.studies.outputs import REDUCTIONS, reduced
from cardan.studies.setup import Mover, Setup, row_arguments
from cardan.trajectory.along import outputs_along
from cardan.trajectory.events import Event, checked_events
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    import sympy as sp

Table = NDArray[np.float64]

STATUS = (
    "pending", "finished", "event", "stopped", "step-underflow", "non-finite", "pivot-failed", "too-many-steps",
    "callback-failed", "no-convergence", "refused", "error", "lost",
)  # fmt: skip
GOOD = ("finished", "event", "stopped")


@dataclass(frozen=True)
class Block:
    """What came of the rows from ``first`` on: numbers, states, how each ended and when, and reasons of failures."""

    first: int
    numbers: Table
    states: Table
    status: NDArray[np.int16]
    ended: NDArray[np.float64]
    reasons: dict[int, str]
    seconds: float

    def __len__(self) -> int:
        return len(self.status)


class Bench:
    """A system ready to run the rows of a setup."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.system = setup.make(setup.data)
        self.base = {**self.system.plan, **setup.extra}
        t0, duration = self.base.get("t0", 0.0), self.base["duration"]
        grid = np.linspace(t0, t0 + duration, setup.points) if setup.is_sampled() else np.array([t0 + duration])
        self.grid = np.unique(np.concatenate([grid, setup.times]))[:: 1 if duration >= 0 else -1]
        self.names = names_in(self.system)
        self.watched = [
            Event(parse(one.expression, self.names), one.direction, one.ends, f"output {k}")
            for k, one in enumerate(setup.outputs)
            if one.kind == "when"
        ]
        self.nq = len(self.system.kernels.model.q)
        self.width = len(setup.names([""] * self.nq, [""] * len(self.system.kernels.model.v)))
        self.function = self._function()

    def _function(self) -> NativeFunction | None:
        """All expressions that are reduced, as one native function of the user's state."""
        user = self.system.kernels.user
        asked = [one for one in self.setup.outputs if one.kind in REDUCTIONS]
        if not asked:
            return None
        nodes = [user.dynamics.space.lift(parse(one.expression, self.names)) for one in asked]
        return user.custom("outputs", user.dynamics.impose(nodes))

    @once
    def batch(self) -> Batch | None:
        """What runs many rows at once, where the model allows; None where the first row is refused."""
        with suppress(CardanError):
            return batch_of(self)
        return None

    def settings(self, row: int) -> tuple[Settings, dict[str, float]]:
        """The settings of a row, and its values of parameters."""
        found, parameters = row_arguments(self.setup, self.base, row)
        events = [*checked_events(found.get("events", ())), *self.watched]
        return Settings(**{**found, "times": self.grid, "events": events}), parameters

    def mover(self, parameters: Mapping[str, float]) -> Mover:
        """The system with the values of a row."""
        return self.system.with_values(**parameters) if parameters else self.system

    def run(self, row: int) -> Trajectory:
        """The motion of a row."""
        settings, parameters = self.settings(row)
        return self.mover(parameters).follow(settings)

    def block(self, first: int, last: int) -> Block:
        """Run the rows from ``first`` to before ``last``."""
        begun, count = time.perf_counter(), last - first
        n = self.nq + len(self.system.kernels.model.v)
        block = Block(
            first, np.full((count, self.width), np.nan), np.full((count, len(self.setup.times), n), np.nan),
            np.zeros(count, dtype=np.int16), np.full(count, np.nan), {}, 0.0,
        )  # fmt: skip
        for k in range(count) if self.batch is None else self.batch.fill(block):
            self._row(block, k)
        return replace(block, seconds=time.perf_counter() - begun)

    def _row(self, block: Block, k: int) -> None:
        """One row; whatever goes wrong is its status and reason."""
        status, reason = "error", ""
        try:
            run = self.run(block.first + k)
            status, reason = run.status, "" if run.status in GOOD else run.message
            if status == "interrupted":
                raise KeyboardInterrupt
            block.ended[k] = run.solution.t_final
            self._keep(run, block, k)
        except Interrupted:
            raise
        except CardanError as problem:
            status, reason = "refused", f"{type(problem).__name__}: {problem}"
        except Exception as problem:
            status, reason = "error", f"{type(problem).__name__}: {problem}"
        block.status[k] = STATUS.index(status) if status in STATUS else STATUS.index("error")
        if reason:
            block.reasons[block.first + k] = reason[:2000]

    def _keep(self, run: Trajectory, block: Block, k: int) -> None:
        """The outputs of a run, as far as it went."""
        ends = run if len(run) and run.t[-1] == run.solution.t_final else run.at([run.solution.t_final])
        final = ends.user_states[0][-1]
        at = 0
        along = iter(self._along(run, final).T)
        for j, one in enumerate(self.setup.outputs):
            if one.kind == "final":
                block.numbers[k, at : at + len(final)] = final
                at += len(final)
                continue
            if one.kind == "states":
                block.states[k] = self._states(run)
                continue
            block.numbers[k, at] = self._number(run, j, along)
            at += 1

    def _number(self, run: Trajectory, j: int, along: Any) -> float:
        one = self.setup.outputs[j]
        if one.kind in REDUCTIONS:
            return reduced(one.kind, next(along))
        if one.kind == "when":
            return next((event.t for event in run.events if event.name == f"output {j}"), float("nan"))
        if one.kind == "count":
            return float(sum(event.kind == one.event or event.name == one.event for event in run.events))
        from cardan.audit.lines import audit_of

        return float(len(audit_of(run, quick=True).complaints))

    def _along(self, run: Trajectory, final: NDArray[np.float64]) -> Table:
        """Values of the expressions at the times of the run and at its end, one row each."""
        if self.function is None:
            return np.zeros((1, 0))
        times, states = run.t, run.user_states[0]
        if not len(times) or times[-1] != run.solution.t_final:
            times, states = np.append(times, run.solution.t_final), np.vstack([states, final])
        p = run.user.p()
        found = outputs_along(self.function.address, self.function.nout, times, states, p[: self.function.np])
        return found[np.isfinite(found).all(axis=1)]

    def _states(self, run: Trajectory) -> Table:
        """States at the times that are kept; nan behind the end."""
        wanted, states = np.asarray(self.setup.times), run.user_states[0]
        found = np.full((len(wanted), states.shape[1]), np.nan)
        where = np.searchsorted(run.t, wanted) if run.solution.ahead > 0 else np.searchsorted(-run.t, -wanted)
        inside = where < len(run.t)
        found[inside] = states[where[inside]]
        return found


def names_in(system: Mover) -> dict[str, sp.Expr]:
    """What expressions of outputs may hold: time, coordinates and velocities, parameters, loads and inputs."""
    d = system.description
    symbols = [d.time, *d.values, *d.inputs, *(symbol for load in d.loads for symbol in load.symbols)]
    symbols += [symbol for one in d.variables for symbol in (*one.configuration, *one.velocities)]
    found = {str(symbol): symbol for symbol in symbols}
    return found | {f"{one.name}.dot": one.velocities[0] for one in d.variables if len(one.velocities) == 1}
