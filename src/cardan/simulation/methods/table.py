"""The methods by name. A new one is a line here; what every other room does with it follows from its facts."""

from __future__ import annotations

from cardan.errors import SimulationError, suggestion
from cardan.simulation.methods import dop853, manifold, others, radau, rk4, symplectic
from cardan.simulation.methods.method import Method

ALL = (
    others.AUTO,
    dop853.METHOD,
    rk4.METHOD,
    radau.METHOD,
    symplectic.SECOND,
    symplectic.FOURTH,
    symplectic.SIXTH,
    manifold.RATTLE,
    manifold.ENERGY_MOMENTUM,
    others.SCIPY,
    others.TIME_STEPPING,
    others.PASSAGE,
)
BY_NAME: dict[str, Method] = {method.name: method for method in ALL}
OFFERED = tuple(method.name for method in ALL if method.is_offered)


def method_named(name: str) -> Method:
    """The method of this name; SimulationError with the list where there is none."""
    found = BY_NAME.get(name)
    if found is None:
        question = suggestion(name, OFFERED)
        raise SimulationError(
            f"There is no method {name!r}.{question} Choose one of {', '.join(OFFERED)}.", method=name
        )
    return found
