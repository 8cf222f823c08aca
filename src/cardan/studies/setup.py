"""A sweep as plain data: what every worker needs to run any row of it.

It is pickled between processes of one program; what is kept on disk is the model file and JSON.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from cardan.errors import UnknownName, suggestion
from cardan.model.description import Description
from cardan.studies.hashing import canonical
from cardan.studies.outputs import REDUCTIONS, Output
from cardan.trajectory.kernels import Kernels
from cardan.trajectory.settings import Settings
from cardan.trajectory.trajectory import Trajectory

Table = NDArray[np.float64]
PLACES = ("q", "v", "parameters", "loads", "inputs")  # what may be varied


class Mover(Protocol):
    """A system that can be moved: ``cardan.System``."""

    plan: dict[str, Any]

    @property
    def description(self) -> Description: ...
    @property
    def kernels(self) -> Kernels: ...
    def with_values(self, **values: float) -> Mover: ...
    def follow(self, settings: Settings) -> Trajectory: ...


@dataclass(frozen=True)
class Setup:
    """The model as data of a model file, the settings that all rows share, what varies, and what is kept.

    ``columns`` are pairs (place, name): ("q", "a"), ("parameters", "m"). ``make`` turns the data into a system.
    """

    make: Callable[[dict[str, Any]], Mover]
    data: dict[str, Any]
    columns: tuple[tuple[str, str], ...]
    values: Table
    shape: tuple[int, ...]
    outputs: tuple[Output, ...]  # with expressions as text
    points: int
    extra: dict[str, Any] = field(default_factory=dict)  # settings that a model file has no place for

    def __len__(self) -> int:
        return len(self.values)

    def digest(self) -> str:
        """SHA-256 of everything that decides the numbers."""
        return hashlib.sha256(
            canonical(self.as_plan()) + np.ascontiguousarray(self.values, "<f8").tobytes()
        ).hexdigest()

    def as_plan(self) -> dict[str, Any]:
        """All but the values as JSON can say it."""
        return {
            "model": self.data,
            "columns": [list(one) for one in self.columns],
            "shape": list(self.shape),
            "outputs": [
                {key: value for key, value in vars(one).items() if value not in ("", None, ())} for one in self.outputs
            ],
            "points": self.points,
            "extra": self.extra,
        }

    @property
    def times(self) -> tuple[float, ...]:
        """The times at which states are kept."""
        return next((one.times for one in self.outputs if one.kind == "states"), ())

    def names(self, q: Sequence[str], v: Sequence[str]) -> list[str]:
        """Names of the numbers that are kept of each row."""
        found: list[str] = []
        for one in self.outputs:
            if one.kind == "final":
                found += [f"final {name}" for name in (*q, *v)]
            elif one.kind != "states":
                found.append(one.label)
        return found

    def is_sampled(self) -> bool:
        """Whether any output looks along the run."""
        return any(one.kind in REDUCTIONS for one in self.outputs)


def row_arguments(setup: Setup, base: Mapping[str, Any], row: int) -> tuple[dict[str, Any], dict[str, float]]:
    """(arguments of simulate, values of parameters) of one row."""
    found = dict(base)
    parameters: dict[str, float] = {}
    for (place, name), value in zip(setup.columns, setup.values[row].tolist(), strict=True):
        if place == "parameters":
            parameters[name] = value
        else:
            found[place] = {**(found.get(place) or {}), name: value}
    return found, parameters


def varied(
    given: Mapping[str, Mapping[Any, Any] | None],
) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str]], list[Any]]:
    """(what is the same in all rows, columns that vary, what was given for them), by place."""
    fixed: dict[str, dict[str, Any]] = {}
    columns: list[tuple[str, str]] = []
    lists: list[Any] = []
    for place, values in given.items():
        for name, value in (values or {}).items():
            if np.ndim(value) == 0 and not hasattr(value, "ppf"):
                fixed.setdefault(place, {})[str(name)] = value
            else:
                columns.append((place, str(name)))
                lists.append(value)
    return fixed, columns, lists


def require_known(columns: Sequence[tuple[str, str]], description: Description) -> None:
    """UnknownName where a varied name is none of the system."""
    loads = {load.name for load in description.loads} | {str(x) for load in description.loads for x in load.symbols}
    known = {
        "q": {one.name for one in description.variables},
        "v": {str(symbol) for one in description.variables for symbol in one.velocities}
        | {one.name for one in description.variables},
        "parameters": {str(symbol) for symbol in description.values},
        "loads": loads,
        "inputs": {str(symbol) for symbol in description.inputs},
    }
    for place, name in columns:
        if name not in known[place]:
            listed, near = ", ".join(sorted(known[place])) or "none", suggestion(name, known[place])
            raise UnknownName(
                f"{place}: {name!r} is unknown in {description.name!r}.{near} Known: {listed}.", name=name
            )
