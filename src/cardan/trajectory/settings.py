"""What was asked of a run: the arguments of ``simulate``, as they were given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    import sympy as sp

    from cardan.simulation.methods.objects import MethodChoice
    from cardan.trajectory.events import Event

Name: TypeAlias = "str | sp.Symbol"
Values: TypeAlias = "ArrayLike | Mapping[Name, ArrayLike] | None"  # of q or v: in order, or by name
Signal: TypeAlias = "float | sp.Expr | Callable[..., float]"  # a number, an expression of (t, q, v), or a function
Loads: TypeAlias = "Mapping[str, Signal] | None"  # of loads or inputs, by name

CHARTS = ("auto", "typed")
ATOL = 1e-12  # where none is asked for, of components of size 1e-3 to 1e3; of others in proportion
START_TOLERANCE = 1e-3  # dimensionless distance that a start may be moved: three typed digits pass


@dataclass(frozen=True)
class Settings:
    """The arguments of ``simulate``; what they mean is said there."""

    duration: float
    q: Values = None
    v: Values = None
    rtol: float = 1e-9
    atol: ArrayLike | None = None  # None: by the size of what moves
    method: MethodChoice = "auto"
    step: float | None = None
    t0: float = 0.0
    times: ArrayLike | None = None
    loads: Loads = None
    inputs: Loads = None
    events: Sequence[Event] | Event = field(default=())
    max_steps: int = 10_000_000
    start_tol: float = START_TOLERANCE
    geometry_tol: float = 1e-9
    branch: int | ArrayLike | None = None
    project: str | None = None
    chart: str = "auto"
    impact_law: str = "sequential"
    max_step: float | None = None

    @property
    def absolute(self) -> float:
        """atol as it was asked for, its largest, or the usual one."""
        return ATOL if self.atol is None else float(np.max(np.asarray(self.atol)))

    def as_arguments(self) -> dict[str, Any]:
        """The same as keyword arguments of ``simulate``."""
        return {one.name: getattr(self, one.name) for one in fields(self)}
