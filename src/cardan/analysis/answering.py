"""Questions about special motions by name, each answered by the verb of a system that it stands for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np

from cardan.errors import ModelError

Arguments = Mapping[str, object]


class Askable(Protocol):
    """What answers: a system, with its verbs."""

    def equilibria(self, **arguments: object) -> object: ...
    def linearize(self, **arguments: object) -> object: ...
    def modes(self, **arguments: object) -> object: ...
    def steady_families(self, **arguments: object) -> object: ...
    def equilibrium_families(self, *positions: object, **arguments: object) -> object: ...
    def root_locus(self, *positions: object, **arguments: object) -> object: ...
    def stability_map(self, *positions: object, **arguments: object) -> object: ...
    def periodic_motion(self, **arguments: object) -> object: ...
    def invariants(self) -> object: ...


def answer(system: Askable, kind: str, arguments: Arguments) -> object:
    """What a system answers to a question of a model file."""
    if kind not in ANSWERS:
        raise ModelError(f"There is no analysis {kind!r}; there are {', '.join(ANSWERS)}.", kind=kind)
    return ANSWERS[kind](system, dict(arguments))


def _steady(system: Askable, asked: dict[str, object]) -> object:
    axes = asked.pop("axes", None)
    found = system.steady_families(**asked)
    return found if axes is None else _over(found, axes)


def _families(system: Askable, asked: dict[str, object]) -> object:
    shown, parameter = asked.pop("show", None), asked.pop("parameter")
    found = system.equilibrium_families(parameter, asked.pop("low"), asked.pop("high"), **asked)
    return found if shown is None else _over(found, (parameter, shown))


def _over(found: object, axes: object) -> object:
    return found.over(*axes)  # type: ignore[attr-defined, misc]  # families, and two names


def _locus(system: Askable, asked: dict[str, object]) -> object:
    values = _spaced(asked.pop("low"), asked.pop("high"), asked.pop("count"))
    return system.root_locus(asked.pop("parameter"), values, **asked)


def _map(system: Askable, asked: dict[str, object]) -> object:
    over = asked.pop("over")
    assert isinstance(over, Mapping)
    return system.stability_map({name: _spaced(*three) for name, three in over.items()}, **asked)


def _spaced(low: object, high: object, count: object) -> object:
    return np.linspace(float(low), float(high), int(count))  # type: ignore[arg-type, call-overload]  # numbers


ANSWERS: dict[str, Callable[[Askable, dict[str, object]], object]] = {
    "equilibria": lambda system, asked: system.equilibria(**asked),
    "linearize": lambda system, asked: system.linearize(**asked),
    "modes": lambda system, asked: system.modes(**asked),
    "steady": _steady,
    "families": _families,
    "locus": _locus,
    "map": _map,
    "periodic": lambda system, asked: system.periodic_motion(**asked),
    "invariants": lambda system, _: system.invariants(),
}
