"""What is given to loads and inputs by name, as values of their symbols."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from cardan.errors import WrongShape, unknown
from cardan.model.model import Model

if TYPE_CHECKING:
    import sympy as sp


def signal_values(model: Model, *given: Mapping[str, Any] | None) -> dict[sp.Symbol, Any]:
    """Values by signal symbol, from mappings by name of load or input (three numbers for a load with components).

    What a value may be (a number, an expression, a function) is the caller's business.
    """
    by_name: dict[str, tuple[sp.Symbol, ...]] = {load.name: load.symbols for load in model.judged}
    by_name |= {str(symbol): (symbol,) for symbol in model.signals}
    found: dict[sp.Symbol, Any] = {}
    for mapping in given:
        for name, value in (mapping or {}).items():
            symbols = by_name.get(str(name))
            if symbols is None:
                raise unknown(name, by_name, f"load or input of {model.name!r}")
            parts = tuple(value) if len(symbols) > 1 and isinstance(value, Iterable) else (value,)
            if len(parts) != len(symbols):
                raise WrongShape(f"Load {name!r} has {len(symbols)} components, found {len(parts)}.", name=str(name))
            found |= dict(zip(symbols, parts, strict=True))
    return found
