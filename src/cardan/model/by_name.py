"""States given by name: ``{"a": 0.3, "e": (1, 0, 0, 0)}`` as numbers in the order of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from cardan.errors import WrongShape, unknown
from cardan.model.model import Model
from cardan.model.turned import as_numbers

Named: TypeAlias = "Mapping[object, float | Iterable[float]]"

UNTURNED, AT_REST = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)  # of a quaternion that is not named


def in_order(model: Model, given: Named, what: str) -> list[float]:
    """q or v (``what``) in order; zero, or no turn, for what is not named. A velocity may go by its coordinate."""
    left = as_numbers(model, {str(name): value for name, value in given.items()})
    found: list[float] = []
    for variable in model.free:
        symbols = variable.velocities if what == "v" else variable.configuration
        default = (0.0,) if len(symbols) == 1 else AT_REST if what == "v" else UNTURNED
        if variable.name in left:
            found += _parts(left.pop(variable.name), len(symbols), variable.name)
            continue
        own = [left.pop(symbol.name, zero) for symbol, zero in zip(symbols, default, strict=True)]
        found += [_parts(value, 1, variable.name)[0] for value in own]
    if left:
        raise unknown(next(iter(left)), [one.name for one in model.free], f"coordinate of {model.name!r} in {what}")
    return found


def _parts(value: float | Iterable[float], count: int, name: str) -> list[float]:
    parts = [float(one) for one in value] if isinstance(value, Iterable) else [float(value)]
    if len(parts) != count:
        raise WrongShape(f"{name!r} needs {count} numbers, found {len(parts)}.", name=name)
    return parts
