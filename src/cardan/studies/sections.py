"""Poincare sections, and bifurcation diagrams by brute force: where motions pass, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardan.errors import unknown
from cardan.trajectory.trajectory import Trajectory

if TYPE_CHECKING:
    from cardan.studies.study import Study

Table = NDArray[np.float64]


@dataclass(frozen=True)
class Section:
    """Passages through a section: times and states [q, v] of each motion, by names."""

    names: tuple[str, ...]
    times: tuple[Table, ...]
    states: tuple[Table, ...]

    def __len__(self) -> int:
        return sum(map(len, self.times))

    def __getitem__(self, name: str) -> list[Table]:
        """One coordinate or velocity at the passages of each motion."""
        if name not in self.names:
            raise unknown(name, self.names, "coordinate or velocity")
        return [states[:, self.names.index(name)] for states in self.states]


def passages(run: Trajectory, name: str) -> tuple[Table, Table]:
    """(times, states) at the events of a name."""
    found = [event for event in run.events if event.name == name]
    width = len(run.model.q) + len(run.model.v)
    states = [np.concatenate([event.q, event.v]) for event in found]
    return np.array([event.t for event in found]), np.array(states).reshape(len(found), width)


@dataclass(frozen=True)
class Diagram:
    """States of a driven system once in every period, over a parameter: ``states`` is (values, passages, numbers)."""

    parameter: str
    values: Table
    names: tuple[str, ...]
    states: Table
    study: Study

    def __getitem__(self, name: str) -> Table:
        """One coordinate or velocity: (values, passages)."""
        if name not in self.names:
            raise unknown(name, self.names, "coordinate or velocity")
        found: Table = self.states[:, :, self.names.index(name)]
        return found

    def periods(self, within: float = 1e-4) -> list[int | None]:
        """After how many periods each motion repeats itself; None where it does not within half of what was kept."""
        size = np.nanmax(np.abs(self.states), axis=(0, 1)) + 1e-300
        return [_period(states / size, within) for states in self.states]


def _period(states: Table, within: float) -> int | None:
    for k in range(1, len(states) // 2 + 1):
        if np.all(np.abs(states[k:] - states[:-k]) < within):
            return k
    return None
