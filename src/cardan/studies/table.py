"""A run as a table: one column for each number that changes along it, with its unit.

Times, coordinates and velocities first, then energies, multipliers, and the force and moment of every reaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from cardan.errors import CardanError
from cardan.model.model import Model
from cardan.model.motions import Slide, Turn
from cardan.model.variables import CoordinateVariable
from cardan.trajectory.trajectory import Trajectory

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Column:
    """A number along a run; the unit is empty where the model does not say it."""

    name: str
    unit: str
    values: Vector

    @property
    def title(self) -> str:
        return f"{self.name} [{self.unit}]" if self.unit else self.name


def columns_of(run: Trajectory) -> list[Column]:
    """All columns; what cannot be computed at a time is nan there."""
    return [*state_columns(run), *energy_columns(run), *force_columns(run)]


def state_columns(run: Trajectory) -> Iterator[Column]:
    """Time, coordinates, velocities."""
    yield Column("t", "s", run.t)
    units = units_of(run.model)
    for table, symbols in ((run.q, run.model.q), (run.v, run.model.v)):
        for k, symbol in enumerate(symbols):
            yield Column(str(symbol), units.get(str(symbol), ""), table[:, k])


def energy_columns(run: Trajectory) -> Iterator[Column]:
    for name in ("kinetic_energy", "potential_energy", "energy", "jacobi"):
        yield Column(name, "J", getattr(run, name))


def force_columns(run: Trajectory) -> Iterator[Column]:
    """Multipliers, then reactions; left out where they do not exist."""
    try:
        multipliers, reactions = run.multipliers, run.reactions
    except CardanError:
        return
    for name, values in multipliers.items():
        yield Column(f"multiplier {name}", "", values)
    for name, one in reactions.items():
        for what, unit, table in (("force", "N", one.force), ("moment", "N m", one.moment)):
            for k, axis in enumerate("xyz"):
                yield Column(f"reaction {name} {what}_{axis}", unit, np.asarray(table)[:, k])


def units_of(model: Model) -> dict[str, str]:
    """Units of coordinates and velocities, where their domain or a joint says what they are."""
    found: dict[str, str] = {}
    for thing in (*model.bodies, *model.particles):
        for frame in thing.frame.path:
            for motion in frame.motions:
                if isinstance(motion, Turn):
                    found[str(motion.angle)] = "rad"
                elif isinstance(motion, Slide):
                    found.setdefault(str(motion.distance), "m")
    units: dict[str, str] = {}
    for one in model.variables:
        if isinstance(one, CoordinateVariable):
            unit = "rad" if one.domain.is_angle else found.get(one.name, "")
            units |= {one.name: unit, str(one.symbol.dot): f"{unit}/s" if unit else ""}
        else:
            units |= {str(symbol): "1" for symbol in one.configuration}
            units |= {str(symbol): "rad/s" for symbol in one.velocities}
    return units
