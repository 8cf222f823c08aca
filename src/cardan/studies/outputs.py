"""What is kept of each run of a sweep: numbers that are reductions of the motion, and states at given times.

    cd.final()                     q and v at the end
    cd.largest(expr), cd.least(expr), cd.mean(expr), cd.last(expr)
    cd.when(expr)                  the first time at which the expression passes through zero; nan if it never does
    cd.count("impact")             how many events of a kind
    cd.states(times)               q and v at these times
    cd.complaints()                how many lines of the quick audit complain

Reductions look at ``points`` equally spaced times of the run (and at its end); nothing between them is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import ModelError

if TYPE_CHECKING:
    import sympy as sp

Vector = NDArray[np.float64]
Kind = Literal["final", "largest", "least", "mean", "last", "when", "count", "states", "complaints"]
REDUCTIONS = ("largest", "least", "mean", "last")


@dataclass(frozen=True)
class Output:
    """Something to keep of every run; what was given for it depends on its kind."""

    kind: Kind
    expression: Any = None
    name: str = ""
    times: tuple[float, ...] = ()
    direction: int = 0
    ends: bool = False  # whether the run ends there
    event: str = ""

    @property
    def label(self) -> str:
        """Its name, or what it is."""
        if self.name:
            return self.name
        if self.kind == "count":
            return f"count {self.event}"
        return self.kind if self.expression is None else f"{self.kind} {self.expression}"


def final() -> Output:
    """Coordinates and velocities at the end of each run."""
    return Output("final")


def largest(expression: sp.Expr, name: str = "") -> Output:
    """The largest value of an expression along each run."""
    return Output("largest", expression, name)


def least(expression: sp.Expr, name: str = "") -> Output:
    """The least value of an expression along each run."""
    return Output("least", expression, name)


def mean(expression: sp.Expr, name: str = "") -> Output:
    """The mean of an expression over the times of each run."""
    return Output("mean", expression, name)


def last(expression: sp.Expr, name: str = "") -> Output:
    """The value of an expression at the end of each run."""
    return Output("last", expression, name)


def when(expression: sp.Expr, *, direction: int = 0, ends: bool = False, name: str = "") -> Output:
    """The first time at which an expression passes through zero; with ``ends`` the run ends there."""
    return Output("when", expression, name, direction=direction, ends=ends)


def count(event: str, name: str = "") -> Output:
    """How many events of a kind (see ``run.events``) each run had."""
    return Output("count", event=event, name=name)


def states(times: ArrayLike) -> Output:
    """Coordinates and velocities at these times; nan behind the end of a run."""
    return Output("states", times=tuple(float(t) for t in np.atleast_1d(np.asarray(times, dtype=float))))


def complaints() -> Output:
    """How many lines of the quick audit complain about each run."""
    return Output("complaints")


def checked(outputs: Sequence[Output] | Output | None) -> tuple[Output, ...]:
    """The outputs as a tuple; the final state where none are asked for."""
    found = (outputs,) if isinstance(outputs, Output) else tuple(outputs) if outputs else (final(),)
    for one in found:
        if not isinstance(one, Output):
            raise ModelError(f"{one!r} is no output. Use cd.final(), cd.largest(expr), cd.when(expr), ...")
    if len({one.label for one in found}) < len(found):
        raise ModelError(f"Outputs need different names, found {[one.label for one in found]}. Give name=.")
    if sum(one.kind == "states" for one in found) > 1:
        raise ModelError("States are kept at one list of times; put all times into one cd.states(...).")
    return found


def from_plan(said: dict[str, Any]) -> Output:
    """An output as JSON says it."""
    return Output(**{**said, "times": tuple(said.get("times", ()))})


def reduced(kind: str, values: Vector) -> float:
    """One number of the values along a run, which are in order of time."""
    if not len(values):
        return float("nan")
    if kind == "last":
        return float(values[-1])
    if kind == "mean":
        return float(np.mean(values))
    return float(np.max(values) if kind == "largest" else np.min(values))
