"""What contacts did along a run: forces, power, and how far stops were penetrated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.equations.stops import stop_nodes
from cardan.native.once import once
from cardan.simulation.contact.moreau import WORK
from cardan.trajectory.jumps import accumulated
from cardan.trajectory.prepared import Prepared
from cardan.trajectory.stops import ContactMode, StopKernels

if TYPE_CHECKING:
    from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


class ContactOutputs:
    """Contact quantities at the times of one run."""

    def __init__(self, run: Trajectory) -> None:
        self.run = run

    @once
    def modes(self) -> list[ContactMode | None]:
        """The contact mode at each time, None where no stop is closed."""
        if not self.run.kernel.model.stops:
            return [None] * len(self.run)
        models = self.run.solution.models()
        found = {id(model): model if isinstance(model, ContactMode) else None for model in dict.fromkeys(models)}
        return [found[id(model)] for model in models]

    @once
    def stops(self) -> StopKernels | None:
        """The stops of the model."""
        found = next((mode.stops for mode in self.modes if mode is not None), None)
        if found is None and self.run.kernel.model.stops:
            prepared = Prepared(self.run.kernel, None, self.run.refresh)
            prepared.parameters = self.run.parameters
            found = StopKernels(prepared)
        return found

    @once
    def multipliers(self) -> dict[str, Vector]:
        """Contact force of each stop, positive when it pushes, and friction along its slips; zero while it is open."""
        stops = self.stops
        if stops is None or self.run.solution.method.is_time_stepping:  # which knows impulses per step only
            return {}
        return {name: self._forces[:, row] for name, row in self._columns(stops)}

    @once
    def _forces(self) -> Vector:
        """Forces of all rows of the stops, one row per time."""
        assert self.stops is not None
        table = np.zeros((len(self.run), self.stops.rows - self.stops.m))
        for k, mode in enumerate(self.modes):
            if mode is not None:
                table[k] = mode.solution(float(self.run.t[k]), self.run.solution.y[k])[1][self.stops.m :]
        return table

    @once
    def drivers(self) -> dict[str, Vector]:
        """What closed stops ask of the drivers of prescribed coordinates, by the coordinate: a part of their mu."""
        if not self._is_touched:
            return {}
        stops = self.stops
        if stops is None or not stops.drivers:
            return {}
        return {name: -self._driven[:, k].sum(axis=1) for k, name in enumerate(stops.drivers)}

    @once
    def _driven(self) -> Vector:
        """Forces of each stop along each prescribed coordinate: (times, drivers, stops)."""
        stops, run = self.stops, self.run
        assert stops is not None
        table = np.zeros((len(run), len(stops.drivers), stops.count))
        for k, mode in enumerate(self.modes):
            if mode is not None:
                felt = stops.driven(float(run.t[k]), run.solution.y[k]) * self._forces[k]
                table[k] = felt.reshape(len(stops.drivers), stops.count, stops.stride).sum(axis=2)
        return table

    @once
    def _is_touched(self) -> bool:
        return bool(self.run.kernel.model.stops) and any(mode is not None for mode in self.modes)

    @staticmethod
    def _columns(stops: StopKernels) -> list[tuple[str, int]]:
        found = []
        for i, name in enumerate(stops.names):
            first = i * stops.stride
            found.append((name, first))
            found += [(stops.row_names[stops.m + first + k], first + k) for k in range(1, 1 + stops.slips[i])]
        return found

    @once
    def power(self) -> dict[str, Vector]:
        """Power of friction and of stops that move, by the name of the stop."""
        if not self._is_touched:
            return {}
        stops, run = self.stops, self.run
        if stops is None:
            return {}
        table = np.zeros((len(run), stops.count))
        for k, mode in enumerate(self.modes):
            if mode is not None:
                t, y = float(run.t[k]), run.solution.y[k]
                speeds = stops.numbers(t, y).terms(t, y).A[stops.m :] @ y[stops.nq :]
                table[k] = (self._forces[k] * speeds).reshape(stops.count, stops.stride).sum(axis=1)
        for k, name in enumerate(stops.drivers):
            table += self._driven[:, k] * run[f"{name}_dot"][:, None]
        return {f"contact {name}": table[:, i] for i, name in enumerate(stops.names)}

    @once
    def penetration(self) -> float:
        """The deepest that any stop was passed at the times of the run; 0 where none was."""
        if not self.run.kernel.model.stops:
            return 0.0
        gaps = self.run.outputs(stop_nodes(self.run.kernel.dynamics).gaps)
        return max(0.0, -float(np.min(gaps, initial=0.0)))


def energy_jumps(run: Trajectory) -> Vector:
    """What the recorded impacts and impulses have added to the energy by each time of the run."""
    if run.solution.method.is_time_stepping:
        rows = run.solution.segments[0].rows
        return np.interp(run.t, rows[:, 0], rows[:, WORK])
    changes = [(one.t, one.number("energy_change")) for one in run.records if "energy_change" in one.facts]
    if not changes:
        return np.zeros(len(run))
    return accumulated(run.t, changes, run.solution.ahead)
