"""Methods as objects: ``method=cd.RK4(step=1e-3)`` beside ``method="RK4", step=1e-3``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, TypeAlias

from cardan.errors import SimulationError
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.table import method_named


@dataclass(frozen=True)
class AdaptiveStep:
    """A method that chooses its steps by rtol and atol; ``step`` is the first one, where it is given."""

    name: ClassVar[str]
    step: float | None = None

    def method(self) -> Method:
        """The method of the table."""
        return method_named(self.name)


@dataclass(frozen=True)
class FixedStep:
    """A method whose steps all have the length ``step``."""

    name: ClassVar[str]
    step: float

    def method(self) -> Method:
        """The method of the table."""
        return method_named(self.name)


class DOP853(AdaptiveStep):
    """Explicit Runge-Kutta of order 8(5,3)."""

    name = "DOP853"


class Radau(AdaptiveStep):
    """Implicit Runge-Kutta of order 5, for stiff models."""

    name = "Radau"


class RK4(FixedStep):
    """Classical explicit Runge-Kutta of order 4."""

    name = "RK4"


class RATTLE(FixedStep):
    """Variational steps of order 2 that end on the constraints."""

    name = "RATTLE"


class EnergyMomentum(FixedStep):
    """Steps of order 2 that end on the constraints and change the energy by the work of forces only."""

    name = "energy-momentum"


class MoreauJean(FixedStep):
    """Time stepping for many contacts, which are decided once per step."""

    name = "Moreau-Jean"


@dataclass(frozen=True)
class Symplectic(FixedStep):
    """Variational midpoint steps, composed to order 2, 4 or 6, for motions without constraints."""

    name = "symplectic"
    order: int = 2

    def __post_init__(self) -> None:
        if self.order not in (2, 4, 6):
            raise SimulationError(f"Symplectic steps have order 2, 4 or 6, not {self.order!r}.", order=self.order)

    def method(self) -> Method:
        """The method of the table, by its order."""
        return method_named(self.name if self.order == 2 else f"{self.name}-{self.order}")


MethodChoice: TypeAlias = str | AdaptiveStep | FixedStep
"""How a method is asked for: by its name, or by an object."""


def resolve(method: MethodChoice, step: float | None = None) -> tuple[Method, float | None]:
    """The method of the table and the step that were asked for, by a name and a step or by an object that has both."""
    if isinstance(method, str):
        return method_named(method), step
    if None not in (step, method.step) and step != method.step:
        raise SimulationError(f"Two steps are given: {method!r} and step={step:g}. Give one of them.", step=step)
    return method.method(), step if method.step is None else method.step
